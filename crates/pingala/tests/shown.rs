//! What `{:?}` prints: short texts, no long digits, no limbs, no caches and no secrets.

use pingala::{
    Column, FixedBase, Integer, Job, Limits, Modulus, Natural, Options, RepeatedSquare, SecretExponent, SecretFactor,
};
use std::fmt::Debug;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Longer than any of these texts, and far shorter than a number of 2048 bits.
const MOST: usize = 200;

fn shown(what: impl Debug) -> String {
    let text = format!("{what:?}");
    assert!(text.len() <= MOST, "{text}");
    text
}

fn long() -> Natural {
    Natural::from_limbs(&[vec![0x0123_4567_89ab_cdef; 31], vec![0xfeed_0000_0000_0000]].concat())
}

#[test]
fn numbers_of_more_than_256_bits_are_cut() {
    let n = |text: &str| text.parse::<Natural>().unwrap();
    for text in ["0x0", "0x1", "0x61", "0x10000000000000000"] {
        assert_eq!(shown(n(text)), text);
    }
    let whole = format!("0x8{}", "0".repeat(63));
    assert_eq!(shown(n(&whole)), whole);
    assert_eq!(shown(n(&format!("{whole}0"))), "0x8000000000000000...0000000000000000 (260 bits)");
    assert_eq!(shown(n(&format!("0x1{}", "0".repeat(64)))), "0x1000000000000000...0000000000000000 (257 bits)");
    assert_eq!(
        shown(n(&format!("0x123456789{}", "ab".repeat(40)))),
        "0x123456789abababa...abababababababab (353 bits)"
    );
    assert_eq!(shown(long()), "0xfeed000000000000...0123456789abcdef (2048 bits)");
    assert_eq!(shown(Integer::from(-97i64)), "-0x61");
    assert_eq!(shown(Integer::new(true, long())), "-0xfeed000000000000...0123456789abcdef (2048 bits)");
    assert_eq!(shown([Integer::from(0u64), Integer::from(7u64)]), "[0x0, 0x7]");
}

#[test]
fn objects_show_lengths_and_no_caches() {
    let options = Options::default();
    let (base, exponent) = (Integer::from(3u64), Integer::from(65537u64));
    let modulus = Modulus::new(long()).unwrap();
    // A prepared one, too.
    modulus.pow(&base, &exponent).unwrap();
    modulus.pow(&base, &exponent).unwrap();
    assert_eq!(shown(&modulus), "<Modulus of 2048 bits>");
    assert_eq!(shown(Modulus::new(97u64.into()).unwrap()), "Modulus(0x61)");
    assert_eq!(
        shown(Job { base: &base, exponent: &exponent, modulus: &modulus }),
        "Job { base: 0x3, exponent: 0x10001, modulus: <Modulus of 2048 bits> }"
    );
    let table = FixedBase::new(&base, &modulus, 300, 1 << 20, &options).unwrap();
    assert_eq!(shown(&table), format!("<FixedBase modulo 2048 bits, exponents of 300 bits: {}>", table.plan()));
    let explanation = modulus.explain(&base, &exponent, &options).unwrap();
    let text = shown(&explanation);
    assert!(text.starts_with(&format!("<Explanation: {}, ", explanation.plan())), "{text}");
    assert!(text.ends_with("s; print it for the reasons>"), "{text}");
    let values = vec![exponent.clone(); 1000];
    assert_eq!(shown(modulus.residues(&values, &options).unwrap()), "<Residues: 1000 modulo a number of 2048 bits>");
    let mut squaring = RepeatedSquare::new(&modulus, &base, 1000).unwrap();
    assert_eq!(shown(&squaring), "<RepeatedSquare: 0 of 1000 squarings modulo 2048 bits>");
    squaring.run(&options).unwrap();
    assert_eq!(shown(&squaring), "<RepeatedSquare: 1000 of 1000 squarings modulo 2048 bits>");
}

#[test]
fn columns_show_how_many_rows() {
    let (bytes, words, numbers) = ([7u8; 4000], [7u64; 1000], vec![Integer::from(7u64); 1000]);
    let slices: Vec<&[u8]> = bytes.chunks(8).collect();
    let modulus = Modulus::new(long()).unwrap();
    for (column, text) in [
        (Column::fixed(&bytes, 4), "<Column of 1000 numbers of 4 bytes>"),
        (Column::fixed(&[], 0), "<Column of 0 numbers of 0 bytes>"),
        (words[..].into(), "<Column of 1000 words>"),
        (numbers[..].into(), "<Column of 1000 numbers>"),
        (slices[..].into(), "<Column of 500 numbers>"),
        (numbers[0..1].first().unwrap().into(), "<Column: one number for all rows>"),
        ((&modulus).into(), "<Column: one number for all rows>"),
    ] {
        assert_eq!(shown(&column), text);
    }
}

#[test]
fn options_show_what_differs_from_the_default() {
    let (options, public) = (Options::default(), long());
    assert_eq!(shown(options), "Options");
    let kernel = options.with_kernel(Some("portable_r64")).with_threads(NonZeroUsize::new(2)).with_blinding(false);
    assert_eq!(shown(kernel), r#"Options { kernel: "portable_r64", threads: 2, blinding: false }"#);
    let limits = options.with_limits(Limits::new(4096, 64)).with_memory_bytes(Some(9)).with_watch(Some(&options));
    assert_eq!(
        shown(limits),
        "Options { limits: Limits { modulus_bits: 4096, exponent_bits: 64 }, memory_bytes: 9, watch: ... }"
    );
    assert_eq!(
        shown(options.with_public_exponent(Some(&public)).with_plan(Some("binary_left_to_right"))),
        r#"Options { plan: "binary_left_to_right", public_exponent: 0xfeed000000000000...0123456789abcdef (2048 bits) }"#
    );
    let text = shown(options.with_deadline(Some(Instant::now() + Duration::from_secs(5000))));
    assert!(text.starts_with("Options { deadline: in ") && text.ends_with("s }"), "{text}");
}

#[test]
fn secrets_show_their_declared_length_only() {
    let value = Natural::from(0xdead_beefu64);
    assert_eq!(shown(SecretExponent::new(&value, Some(256)).unwrap()), "<SecretExponent of 256 bits>");
    let factors = [89, 107].map(|bits| SecretFactor::new(&Natural::from((1u128 << bits) - 1), 1).unwrap());
    assert_eq!(shown(&factors[1]), "<SecretFactor of 107 bits, multiplicity 1>");
    let product = "0xffffffffffffffffffffff7fffe0000000000000000000001".parse().unwrap();
    let modulus = Modulus::with_secret_factors(product, &factors, &Options::default()).unwrap();
    assert_eq!(shown(&modulus), format!("Modulus({:#x})", modulus.value()));
}
