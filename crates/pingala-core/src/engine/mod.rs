//! What all workloads share: planning by price, and the execution of plans.

pub(crate) mod execute;
pub(crate) mod plan;
