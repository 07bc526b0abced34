//! Executes plans: one interpreter for each workload. A plan names algorithms, kernels, parts and threads; nothing is chosen here.

pub(crate) mod blinding;
pub(crate) mod crt;
mod even;
pub(crate) mod few_products;
mod fixed;
pub(crate) mod fixed_base;
pub(crate) mod guarded;
pub(crate) mod inverses;
pub(crate) mod lanes;
mod long_base;
#[cfg(any(test, feature = "study"))]
pub(crate) mod measure;
pub(crate) mod normalise;
pub(crate) mod one_base_list;
pub(crate) mod power_list;
pub(crate) mod prepared;
pub(crate) mod product_list;
pub(crate) mod pulse;
mod room;
pub(crate) mod run;
pub(crate) mod secret;
pub(crate) mod secret_factor;
pub(crate) mod secret_table;
mod selection;
pub(crate) mod shared_work;
pub(crate) mod squaring;
mod stream;
pub(crate) mod table_lanes;
pub(crate) mod threads;
mod walk;
pub(crate) mod words;

pub(crate) use run::{power, power_parts};
