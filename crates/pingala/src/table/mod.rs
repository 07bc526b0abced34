//! What outlives a call: files of tables and checkpoints.

pub(crate) mod sealed;
