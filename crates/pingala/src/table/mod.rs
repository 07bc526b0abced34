//! What outlives a call: files of tables and checkpoints.

pub(crate) mod checkpoint;
pub(crate) mod sealed;
