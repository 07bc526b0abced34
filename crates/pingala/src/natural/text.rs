//! Hexadecimal and decimal, in and out.
