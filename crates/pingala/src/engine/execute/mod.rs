//! Executes plans. A plan names algorithms, kernels, parts and threads; nothing is chosen here.

pub(crate) mod blinding;
pub(crate) mod crt;
pub(crate) mod even;
pub(crate) mod few_products;
pub(crate) mod fixed;
pub(crate) mod guarded;
pub(crate) mod inverses;
pub(crate) mod lanes;
pub(crate) mod long_base;
pub(crate) mod measure;
pub(crate) mod normalise;
pub(crate) mod poll;
pub(crate) mod prepared;
pub(crate) mod room;
pub(crate) mod run;
pub(crate) mod secret;
pub(crate) mod secret_factor;
pub(crate) mod selection;
pub(crate) mod threads;
pub(crate) mod walk;

pub(crate) use run::{power, power_parts};
