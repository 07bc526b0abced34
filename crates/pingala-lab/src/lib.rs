//! What the programs of the lab share.

pub mod counting;
