//! The command as people type it, one module a command, in one binary.

mod common;
mod cpu;

mod batch_files;
mod batch_rows;
mod bench;
mod catalogue;
mod chain_search;
mod docs;
mod job;
mod job_inputs;
mod json;
mod manual;
mod plan;
mod pow;
mod prime;
mod row_formats;
mod row_rules;
mod secret_files;
mod shared_work;
mod square;
mod square_proof;
mod table;
mod tune;
mod verify;
