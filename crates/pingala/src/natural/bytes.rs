//! Big-endian bytes, in and out.
