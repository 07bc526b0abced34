//! Montgomery products that no plan takes: organisations of Koc, Acar and Kaliski that are the fastest on no kernel, written
//! over any word like those of the library.
//!
//! Each returns a number below 2m, as the products in `kernel/montgomery` of the library do.

pub mod cihs;
pub mod fios;
pub mod fips;
pub mod karatsuba_comba;
pub mod separated_comba;
