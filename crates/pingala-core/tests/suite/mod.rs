//! The tests of the public API and of the algorithms. They use nothing but `pingala_core::...`; src/lib.rs has them among the unit
//! tests, because tests that are built apart compile the whole library once more.

pub(crate) mod common;
pub(crate) mod ledger;

/// Files of `pingala-study`, which cannot depend on the library that is tested here.
#[path = "../../../pingala-study/src/crossovers.rs"]
#[allow(unreachable_pub)]
mod crossovers;
#[path = "../../../pingala-study/src/json.rs"]
#[allow(dead_code, unreachable_pub)]
pub(crate) mod json;
#[path = "../../../pingala-study/src/reading/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
pub(crate) mod reading;
#[path = "../../../pingala-study/src/tune.rs"]
#[allow(unreachable_pub)]
mod tune;
#[path = "../../../pingala-study/src/weights.rs"]
#[allow(unreachable_pub)]
mod weights;

/// Files of the Python package that know neither Python nor this library: here Miri can run them.
#[path = "../../../pingala-python/src/columns/arrow/mod.rs"]
#[allow(dead_code, unreachable_pub)]
mod lent;

/// What the crate has without the standard library, compared with all of it.
#[path = "../no_std.rs"]
mod no_std;

mod algorithm_catalogue;
mod algorithm_counts;
mod algorithm_powers;
mod arrow;
mod calls;
mod comments;
mod differential;
mod endless;
pub(crate) mod exact;
mod explanations;
mod factors;
mod fixed_base;
mod fixed_base_grid;
mod fixed_base_tables;
mod forced;
mod formats;
mod input;
mod inverses;
mod kernels_page;
mod layers;
mod links;
mod lists;
mod masked;
mod names;
mod own_memory;
mod paired;
mod plans;
mod prices;
mod residues;
mod row_request;
mod rows;
mod rust_text;
mod secret_lists;
mod secret_primes;
mod shape_costs;
mod shape_powers;
mod shapes;
mod shapes_grid;
mod shapes_tables;
mod squaring;
mod thresholds;
mod toy_kernel;
mod traces;
mod two;
mod vectors;
mod wiped;
