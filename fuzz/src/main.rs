//! One program for all targets, so that it links once: `PINGALA_FUZZ` names the target. `make fuzz` builds and runs it.
//!
//! A target takes any bytes. It fails where the library panics, aborts, reads beyond its memory (the address sanitizer looks on), takes
//! gigabytes or many seconds, or gives another answer than an oracle or than itself by another way.
#![no_main]

mod files;
mod numbers;
mod texts;

use std::sync::LazyLock;

/// The targets by name.
const TARGETS: &[(&str, fn(&[u8]))] = &[
    ("power", numbers::power),
    ("list", numbers::list),
    ("product", numbers::product),
    ("words", numbers::words),
    ("number_text", texts::numbers),
    ("plan_text", texts::plans),
    ("prices_text", texts::prices),
    ("chain_text", texts::chains),
    ("key", texts::keys),
    ("signature", texts::signatures),
    ("table_file", files::table),
    ("checkpoint_file", files::checkpoint),
    ("batch_file", files::batch),
    ("parquet_file", files::parquet),
    ("text_job", files::text_job),
    ("plan_file", files::plan_file),
];

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("PINGALA_FUZZ").unwrap_or_default();
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    found.unwrap_or_else(|| panic!("PINGALA_FUZZ names no target; there are {}", names.join(", "))).1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
