//! Tests of `engine/plan/prices.rs`.

use super::*;

/// On whichever CPU they are used.
#[test]
fn every_file_that_ships_can_be_read() {
    for (name, text) in [INTEL, AMD_25, AMD_26, UMULH, WASM, TOY] {
        let prices = Prices::named(name, text).unwrap();
        assert!(prices.sources[0].value("cpu").is_some() && !prices.curves.is_empty(), "{name}");
    }
}

/// WebAssembly reads prices without the parser of the standard library.
#[test]
fn short_numbers_are_those_of_the_standard_library() {
    // The stamp has versions too.
    let is_number =
        |field: &&str| field.starts_with(|first: char| first.is_ascii_digit()) && field.parse::<f64>().is_ok();
    let others = (0..15).map(|decimals| format!("{:.decimals$}", 7.0 / 3.0));
    let fields = WASM.1.split_whitespace().filter(is_number).map(str::to_string).chain(others);
    for field in fields.chain(["0", "0.1", "999999999999999", "5."].map(str::to_string)) {
        let value = field.parse::<f64>().unwrap();
        assert_eq!(text::short_number(&field).map(f64::to_bits), Some(value.to_bits()), "{field}");
    }
    for wrong in ["", ".", ".5", "-1", "1e3", "1.2.3", "nan", "inf", "1234567890123456"] {
        assert_eq!(text::short_number(wrong), None, "{wrong}");
    }
}

/// No decision compares prices of two machines. `portable_r29` and `dot_row_r13` are chosen in WebAssembly only.
#[test]
fn each_file_for_x86_prices_every_kernel_that_its_cpus_run() {
    for (name, text) in [INTEL, AMD_25, AMD_26] {
        let prices = Prices::named(name, text).unwrap();
        let elsewhere = ["umulh_r64", "portable_r29", "dot_row_r13", "toy_r64"];
        for kernel in Kernel::all().filter(|kernel| !elsewhere.contains(&kernel.entry().name)) {
            let priced = prices.curves.iter().any(|curve| curve.kernel == kernel);
            assert!(priced, "{name}: {}", kernel.entry().name);
        }
        let of_avx_ifma = prices.sources[0].value("avxifma_lanes_r52");
        assert!(name == AMD_25.0 || of_avx_ifma.is_some_and(|note| note.starts_with("no CPU has run it")), "{name}");
    }
}

/// The price of a thread is printed, parses back, comes from the other prices where it is missing, and nothing starts where nobody has it.
#[test]
fn a_thread_has_a_price() {
    for (name, text) in [INTEL, AMD_25, AMD_26] {
        let start = Prices::named(name, text).unwrap().thread_start();
        assert!((1e3..1e6).contains(&start), "{name}: {start}");
    }
    let without = Prices::named(UMULH.0, UMULH.1).unwrap();
    assert_eq!(without.thread_start(), f64::INFINITY);
    let with = without.clone().with_thread_start(12_345.0);
    let read = Prices::parse(&with.to_string()).unwrap();
    assert_eq!(read.thread_start(), 12_345.0);
    assert_eq!(without.over(&read).thread_start(), 12_345.0);
    assert_eq!(read.over(&with.with_thread_start(1.0)).thread_start(), 12_345.0);
    for wrong in ["", "0", "-1", "nan", "inf", "1 2"] {
        let text = format!("{}\nthread start={wrong}\n", UMULH.1);
        assert_eq!(Prices::parse(&text).unwrap_err().code(), "bad_argument", "{wrong}");
    }
}

#[test]
fn the_file_for_wasm_prices_every_kernel_that_runs_there() {
    let prices = Prices::named(WASM.0, WASM.1).unwrap();
    // A module for WebAssembly has no lanes and no transforms.
    let linked = |name: &str| !["_lanes_", "_ntt_", "fixed_low", "toy"].iter().any(|part| name.contains(part));
    for kernel in Kernel::all().filter(|kernel| linked(kernel.entry().name)) {
        let runs = kernel.entry().requires.iter().any(|set| set.is_empty());
        assert_eq!(prices.curves.iter().any(|curve| curve.kernel == kernel), runs, "{}", kernel.entry().name);
    }
}
