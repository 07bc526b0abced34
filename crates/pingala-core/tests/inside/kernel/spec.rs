//! Tests of `kernel/spec.rs`.

use super::{KernelSpec, is_near};
use crate::kernel::registry::{KERNELS, Kernel};

/// Levenshtein's distance by its definition.
fn distance(a: &[u8], b: &[u8]) -> usize {
    match (a, b) {
        ([], rest) | (rest, []) => rest.len(),
        ([x, rest_a @ ..], [y, rest_b @ ..]) => {
            let replaced = distance(rest_a, rest_b) + usize::from(x != y);
            replaced.min(distance(rest_a, b) + 1).min(distance(a, rest_b) + 1)
        }
    }
}

/// Every text of at most five letters, two of them different, compared with every other.
#[test]
fn names_are_near_by_their_beginning_or_by_two_letters() {
    let letters = |length: u32, code: u32| (0..length).map(move |i| if code >> i & 1 == 0 { 'a' } else { 'b' });
    let of_length = |length| (0..1u32 << length).map(move |code| letters(length, code).collect::<String>());
    let texts: Vec<String> = (0..=5).flat_map(of_length).collect();
    for typed in &texts {
        for name in &texts {
            let near = distance(typed.as_bytes(), name.as_bytes()) <= 2;
            let expected = near || typed.len() >= 3 && name.starts_with(typed.as_str());
            assert_eq!(is_near(typed, name), expected, "{typed} for {name}");
        }
    }
    assert!(is_near("por", "portable_lanes_r64") && !is_near("po", "portable_lanes_r64"));
}

#[test]
fn every_kernel_is_near_without_one_of_its_letters() {
    for name in KERNELS.iter().map(|entry| entry.name) {
        for at in 0..name.len() {
            assert!(is_near(&[&name[..at], &name[at + 1..]].concat(), name), "{name} without letter {at}");
        }
    }
}

/// Only what differs from the usual is printed.
#[test]
fn named_parameters_are_printed() {
    for (text, printed) in [
        ("portable_r64", "portable_r64"),
        (" portable_r64 ( n=4 ) ", "portable_r64(n=4)"),
        ("portable_r64(karatsuba_squares=32,product=sos)", "portable_r64(product=sos, karatsuba_squares=32)"),
        ("portable_r64(n=9, karatsuba_squares=64)", "portable_r64(n=9)"),
    ] {
        assert_eq!(text.parse::<KernelSpec>().map(|spec| spec.to_string()).as_deref(), Ok(printed));
    }
}

/// A line of 0.2 may name a product that its kernel has as a part of another one.
#[test]
fn sos_is_karatsuba_sos_where_it_is_no_choice() {
    if Kernel::by_name("mulx_r64").is_some_and(|kernel| kernel.available()) {
        for (text, shown) in [
            ("mulx_r64(n=9, product=sos)", "mulx_r64(n=9, product=karatsuba_sos)"),
            ("mulx_r64(product=sos)", "mulx_r64(product=karatsuba_sos)"),
        ] {
            assert_eq!(text.parse::<KernelSpec>().unwrap().to_string(), shown);
        }
        assert!("mulx_r64(product=fips)".parse::<KernelSpec>().is_err());
    }
    assert_eq!("portable_r64(product=sos)".parse::<KernelSpec>().unwrap().to_string(), "portable_r64(product=sos)");
}

#[test]
fn a_kernel_without_products_has_no_such_parameter() {
    let why = "portable_low_r64(product=sos)".parse::<KernelSpec>().unwrap_err().to_string();
    assert!(why.contains("unknown parameter 'product' (there are n)"), "{why}");
    let why = "portable_r64(product=comba)".parse::<KernelSpec>().unwrap_err().to_string();
    assert!(why.contains("unknown product"), "{why}");
}
