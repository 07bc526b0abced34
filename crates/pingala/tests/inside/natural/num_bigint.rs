//! Tests of `natural/num_bigint.rs`.

use super::*;

#[test]
fn numbers_go_there_and_come_back() {
    let texts = ["0", "1", "4294967295", "4294967296", "18446744073709551615", "18446744073709551616"];
    let long = format!("1{}", "0".repeat(400));
    for text in texts.into_iter().chain([long.as_str()]) {
        let (theirs, ours): (BigUint, Natural) = (text.parse().unwrap(), text.parse().unwrap());
        assert_eq!((Natural::from(&theirs), BigUint::from(&ours)), (ours.clone(), theirs.clone()));
        assert_eq!((Natural::from(theirs.clone()), BigUint::from(ours.clone())), (ours.clone(), theirs.clone()));
        assert_eq!((Integer::from(&theirs), BigInt::from(ours.clone())), (ours.into(), theirs.clone().into()));
        for text in [text.to_string(), format!("-{text}")] {
            let (theirs, ours): (BigInt, Integer) = (text.parse().unwrap(), text.parse().unwrap());
            assert_eq!((Integer::from(&theirs), BigInt::from(&ours)), (ours.clone(), theirs.clone()));
            assert_eq!((Integer::from(theirs.clone()), BigInt::from(ours.clone())), (ours.clone(), theirs.clone()));
            match Natural::try_from(&theirs) {
                Ok(magnitude) => assert_eq!(Integer::from(magnitude), ours),
                Err(error) => assert!(ours.is_negative() && error.code() == "bad_argument"),
            }
            assert_eq!(Natural::try_from(theirs).is_err(), ours.is_negative());
        }
    }
    assert_eq!(Integer::from(BigUint::from(5u32)), 5u64.into());
}
