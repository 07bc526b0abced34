//! Executes plans. A plan names algorithms, kernels, parts and threads; nothing is chosen here.

pub(crate) mod blinding;
mod blinding_pairs;
pub(crate) mod crt;
pub(crate) mod even;
pub(crate) mod few_products;
pub(crate) mod fixed;
pub(crate) mod guarded;
pub(crate) mod guarded_factors;
pub(crate) mod inverses;
pub(crate) mod lanes;
pub(crate) mod measure;
pub(crate) mod normalise;
pub(crate) mod poll;
pub(crate) mod prepared;
mod rings;
pub(crate) mod room;
pub(crate) mod run;
pub(crate) mod secret;
pub(crate) mod secret_factor;
pub(crate) mod secret_prime;
pub(crate) mod selection;
pub(crate) mod threads;
mod two_adic;
pub(crate) mod walk;

pub(crate) use even::Reduced;
pub(crate) use lanes::{LaneDigit, LaneExponents, LaneJob, LaneResidues, ProductOf, Workspace, lane_ring};
pub(crate) use normalise::{Argument, Element, Inverses, Workers};
pub(crate) use poll::{NestedWatch, Poll, Watch, report_done, while_reading};
pub(crate) use prepared::Prepared;
pub(crate) use room::{has_memory_for_results, reserve, stack_or_heap, zeroed};
pub(crate) use run::{Power, RingResidues, with_registers};
pub(crate) use secret::SecretPower;
pub(crate) use selection::{Public, Secret, Selection};
pub(crate) use threads::{Answer, Answering, Answers, Crew, parallel_in_order};
