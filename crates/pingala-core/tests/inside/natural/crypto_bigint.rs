//! Tests of `natural/crypto_bigint.rs`.

use super::*;
use crypto_bigint::U256;

#[test]
fn numbers_go_there_and_come_back() {
    for text in ["0", "1", "ffffffff", "100000000", "ffffffffffffffff", "10000000000000000", &"f".repeat(64)] {
        let ours: Natural = format!("0x{text}").parse().unwrap();
        let theirs = U256::from_be_hex(&format!("{text:0>64}"));
        assert_eq!((Natural::from(&theirs), U256::try_from(&ours)), (ours.clone(), Ok(theirs)));
        assert_eq!((Natural::from(theirs), U256::try_from(ours.clone())), (ours.clone(), Ok(theirs)));
        assert_eq!(Integer::from(&theirs), ours.clone().into());
        let boxed = BoxedUint::from(&ours);
        assert_eq!((Natural::from(&boxed), Integer::from(&boxed)), (ours.clone(), ours.clone().into()));
        assert_eq!(boxed, BoxedUint::from(theirs));
        assert_eq!(Natural::from(BoxedUint::from(ours.clone())), ours);
    }
    let long: Natural = format!("0x1{}", "0".repeat(64)).parse().unwrap();
    assert_eq!(U256::try_from(&long), Err(Error::TooLong { what: "number", length: 257, cap: 256 }));
    assert_eq!(Natural::from(BoxedUint::from(&long)), long);
}
