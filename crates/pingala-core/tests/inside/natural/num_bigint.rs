//! Tests of `natural/num_bigint.rs`.

use crate::error::Error;
use crate::natural::{Integer, Natural};
use num_bigint::{BigInt, BigUint};

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

/// The example of docs/from/num-bigint.md, which `the_page_has_this_example` compares.
mod page {
    use num_bigint::{BigInt, BigUint};
    use pingala::{Error, Modulus};
    // The page is for programs, which name the crate above this one.
    use pingala_core as pingala;

    pub(super) fn power(base: &BigInt, exponent: &BigInt, modulus: &BigUint) -> Result<BigUint, Error> {
        let modulus = Modulus::new(modulus.into())?;
        Ok(modulus.pow(&base.into(), &exponent.into())?.into())
    }
}

#[test]
fn the_page_has_this_example() {
    let number = |value: i64| BigInt::from(value);
    assert_eq!(page::power(&number(-3), &number(3), &7u32.into()), Ok(1u32.into()));
    assert_eq!(page::power(&number(2), &number(-1), &4u32.into()), Err(Error::NotInvertible));

    let (page, test) = (include_str!("../../../../../docs/from/num-bigint.md"), include_str!("num_bigint.rs"));
    let example = page.split("```").find_map(|block| block.strip_prefix("rust\n")).expect("the page has an example");
    for line in example.lines().map(str::trim) {
        assert!(test.contains(line), "the test lacks this line of the page: {line}");
    }
}
