//! One program for all targets, so that it links once: `PINGALA_FUZZ` names the target; without it, the names are printed. `make -C hardening fuzz`
//! builds and runs it.
//!
//! A target takes any bytes. It fails if the library panics, aborts, reads beyond its memory (the address sanitizer looks on), takes
//! gigabytes or many seconds, or gives another answer than an oracle or than itself by another way.
#![no_main]

mod files;
mod numbers;
mod texts;

use std::backtrace::Backtrace;
use std::panic::PanicHookInfo;
use std::process::{abort, exit};
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
    ("private_key", texts::private_keys),
    ("signature", texts::signatures),
    ("table_file", files::table),
    ("checkpoint_file", files::checkpoint),
    ("batch_file", files::batch),
    ("parquet_file", files::parquet),
    ("text_job", files::text_job),
    ("plan_file", files::plan_file),
];

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let Ok(name) = std::env::var("PINGALA_FUZZ") else {
        TARGETS.iter().for_each(|(name, _)| println!("{name}"));
        exit(0);
    };
    let Some((_, target)) = TARGETS.iter().find(|(target, _)| *target == name) else {
        eprintln!("PINGALA_FUZZ={name} names no target");
        exit(2);
    };
    *target
});

/// Whether the library makes an error of a panic: those of the crate that reads Parquet, and of what it calls, at damage.
fn is_caught(panic: &PanicHookInfo<'_>) -> bool {
    let in_reader = |file: &str| file.contains("/registry/src/");
    let in_std = |file: &str| file.starts_with("/rustc/") || file.contains("/rustlib/src/");
    // If it is inlined, debug information names it without its path.
    let names = ["pingala_rows::checked::caught", ": caught<"];
    let caught = || {
        let stack = Backtrace::force_capture().to_string();
        names.iter().any(|name| stack.contains(name))
    };
    panic.location().is_some_and(|at| in_reader(at.file()) || in_std(at.file())) && caught()
}

/// libFuzzer's hook ends the process at every panic, before anybody can catch it. This one is set after it.
fn set_hook() {
    drop(std::panic::take_hook());
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_caught(panic) {
            print(panic);
            abort();
        }
    }));
}

fn init() {
    LazyLock::force(&TARGET);
    set_hook();
}

libfuzzer_sys::fuzz_target!(init: init(), |data: &[u8]| TARGET(data));
