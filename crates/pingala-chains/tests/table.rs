//! The table of results: every chain is checked, none is longer than what others have, and the bars hold.

use crate::is_right;
use pingala_chains::{TABLE, lower_bound, plot};

#[test]
fn every_chain_of_the_table_leads_to_its_exponent_and_is_as_short_as_any_known() {
    for entry in TABLE {
        let kept = entry.kept().unwrap();
        let (name, length) = (entry.name, kept.chain.length());
        assert!(is_right(&kept.chain), "{name}");
        assert_eq!(*kept.chain.target(), entry.exponent().unwrap(), "{name}");
        assert!(length >= lower_bound(kept.chain.target()).length, "{name}");
        for known in entry.addchain.into_iter().chain(entry.elsewhere.map(|(length, _)| length)) {
            assert!(length <= known, "{name}: {length}, elsewhere {known}");
        }
    }
}

#[test]
fn lengths_that_must_not_grow() {
    let most = [
        ("25519_inverse", 265),
        ("25519_order_inverse", 276),
        ("p256_order_inverse", 285),
        ("p384_order_inverse", 425),
        ("secp256k1_order_inverse", 287),
        ("p384_inverse", 396),
        ("bls12_381_inverse", 437),
        ("bls12_381_root", 437),
        ("bls12_381_order_inverse", 292),
        ("bn254_inverse", 294),
        ("random512", 587),
        ("random1024", 1162),
        ("random2048", 2313),
    ];
    for (name, most) in most {
        let entry = TABLE.iter().find(|entry| entry.name == name).unwrap();
        let length = entry.kept().unwrap().chain.length();
        assert!(length <= most, "{name}: {length}");
    }
}

/// `pingala chain best --svg > docs/chains.svg` draws it anew.
#[test]
fn the_picture_of_the_table_is_that_of_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/chains.svg");
    assert!(std::fs::read_to_string(page).unwrap() == plot().unwrap(), "docs/chains.svg is out of date");
}
