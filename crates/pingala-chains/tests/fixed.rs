//! Fixed exponents run modulo any number.

use pingala_chains::{FixedExponent, TABLE, evaluate};
use pingala_core::exponent::Exponent;
use pingala_core::{Error, Integer, Modulus, Natural, Options};

#[test]
fn powers_are_those_of_pow() {
    for (exponent, modulus) in [
        ("2^61-3", "2305843009213693951"),
        ("2^255-21", "57896044618658097711785492504343953926634992332820282019728792003956564819949"),
        ("0xb5bf992dc9e9c616612e7696a6cecc1b", "340282366920938463463374607431768211456"),
        ("12509", "1000000016000000063"),
        ("65537", "1"),
        ("3", "24"),
    ] {
        let fixed = FixedExponent::search(&evaluate(exponent).unwrap(), 2000, 1).unwrap();
        let modulus = Modulus::new(modulus.parse().unwrap()).unwrap();
        let power = fixed.modulo(&modulus).unwrap();
        let usual = Integer::from(fixed.exponent().magnitude().clone());
        let mut bases: Vec<Integer> =
            ["0", "1", "-1", "2", "-12345678901234567890", "0xffffffffffffffffffffffffffffffff"]
                .map(|base| base.parse().unwrap())
                .to_vec();
        bases.extend((0..30u64).map(|k| Integer::from(k.wrapping_mul(0x9e37_79b9_7f4a_7c15))));
        let wanted: Vec<Natural> = bases.iter().map(|base| modulus.pow(base, &usual).unwrap()).collect();
        for (base, wanted) in bases.iter().zip(&wanted) {
            assert_eq!(power.pow(base).unwrap(), *wanted, "{exponent}");
        }
        let list = power.pow_list(&bases, &Options::default()).unwrap();
        assert!(list.iter().zip(&wanted).all(|(power, wanted)| power.as_ref() == Ok(wanted)), "{exponent}");
    }
}

#[test]
fn a_file_keeps_the_chain_and_damage_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.json");
    let fixed = FixedExponent::search(&evaluate("2^127-3").unwrap(), 2000, 1).unwrap();
    fixed.save(&path).unwrap();
    assert_eq!(FixedExponent::load(&path).unwrap(), fixed);
    let text = std::fs::read_to_string(&path).unwrap();
    for (from, to) in [("0x7f", "0x6f"), ("[0, 1]", "[1, 1]"), ("]\n}", "")] {
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        assert!(matches!(FixedExponent::load(&path), Err(Error::BadFile { .. })), "{from}");
    }
}

/// The count of the kind of exponent: a random one of 2048 bits takes at most 0.985 of the products of the best window.
#[test]
fn a_random_exponent_takes_fewer_products_than_any_window() {
    let entry = TABLE.iter().find(|entry| entry.name == "random2048").unwrap();
    let fixed = FixedExponent::new(entry.kept().unwrap().chain);
    let modulus = (Natural::from_limbs(&[u64::MAX; 32]), Integer::from(1u64));
    let saving = fixed.explain(&Modulus::new(modulus.0).unwrap()).unwrap();
    assert!(saving.usual_products > 0, "{saving}");
    assert!(saving.products as f64 <= 0.985 * saving.usual_products as f64, "{saving}");
}

/// What is no ordinary file is refused before it is read: a device may have no end, and a pipe no writer.
#[cfg(unix)]
#[test]
fn only_ordinary_files_are_loaded() {
    let folder = std::env::temp_dir().join(format!("pingala-fixed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let long = folder.join("long");
    std::fs::File::create(&long).unwrap().set_len(1 << 40).unwrap();
    for path in [&pipe, &folder, &long, std::path::Path::new("/dev/zero")] {
        assert!(matches!(FixedExponent::load(path), Err(Error::BadFile { .. })), "{}", path.display());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A chain has at most 2^15 steps, each of which doubles at most. That is known before memory is taken.
#[test]
fn an_exponent_that_has_no_short_chain_is_refused_at_once() {
    let long = Exponent::new(Natural::from_limbs(&[vec![0; 512], vec![2]].concat())).unwrap();
    let error = FixedExponent::search(&long, 1, 1).unwrap_err();
    assert_eq!(error.to_string(), "bad argument: a chain of 32769 steps is over the cap of 32768");
}

#[test]
fn a_fixed_exponent_shows_its_length_only() {
    let fixed = FixedExponent::search(&evaluate("2^61-3").unwrap(), 1000, 1).unwrap();
    assert_eq!(format!("{fixed:?}"), format!("<FixedExponent of 61 bits, {} steps>", fixed.chain().length()));
}
