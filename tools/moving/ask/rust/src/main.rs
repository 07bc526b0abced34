//! Crates for big integers: `ask NAME`. A panic counts as an answer.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

const POWERS: [(&str, i64, i64, i64); 9] = [
    ("power of a negative modulus", 3, 2, -7),
    ("power of a negative exponent", 3, -1, 7),
    ("power of a negative exponent without an inverse", 2, -1, 4),
    ("power of modulus 1", 3, 0, 1),
    ("power of modulus 0", 3, 2, 0),
    ("power of 0 and 0", 0, 0, 7),
    ("power of a negative base", -3, 3, 7),
    ("power of a negative base and exponent", -3, -1, 7),
    ("power of an even modulus", 3, 5, 10),
];

fn show<T: Display>(key: &str, ask: impl FnOnce() -> Option<T>) {
    match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(Some(answer)) => println!("{key}\t{answer}"),
        Ok(None) => println!("{key}\tNone"),
        Err(_) => println!("{key}\tpanic"),
    }
}

fn num_bigint() {
    use num_bigint::{BigInt, BigUint};
    println!("version\t0.5.1");
    for (key, b, e, m) in POWERS {
        show(key, || Some(BigInt::from(b).modpow(&e.into(), &m.into())));
    }
    show("inverse that is missing", || BigUint::from(2u32).modinv(&4u32.into()));
    show("inverse of modulus 1", || BigUint::from(3u32).modinv(&1u32.into()));
}

fn dashu() {
    use dashu_int::{IBig, UBig, fast_div::ConstDivisor};
    println!("version\t0.6.2");
    for (key, b, e, m) in POWERS {
        let (Ok(e), Ok(m)) = (UBig::try_from(e), UBig::try_from(m)) else { continue };
        show(key, || {
            let ring = ConstDivisor::new(m.clone());
            Some(ring.reduce(IBig::from(b)).pow(&e).residue())
        });
    }
    let inverse = |a: u32, m: u32| ConstDivisor::new(UBig::from(m)).reduce(UBig::from(a)).inv().map(|x| x.residue());
    show("inverse that is missing", || inverse(2, 4));
    show("inverse of modulus 1", || inverse(3, 1));
}

fn malachite() {
    use malachite_base::num::arithmetic::traits::{JacobiSymbol, ModInverse, ModPow};
    use malachite_nz::integer::Integer;
    use malachite_nz::natural::Natural;
    println!("version\t0.14.0");
    for (key, b, e, m) in POWERS {
        let (Ok(b), Ok(e), Ok(m)) = (u64::try_from(b), u64::try_from(e), u64::try_from(m)) else { continue };
        show(key, || Some(Natural::from(b).mod_pow(Natural::from(e), Natural::from(m))));
    }
    show("inverse that is missing", || Natural::from(2u32).mod_inverse(Natural::from(4u32)));
    show("inverse of modulus 1", || Natural::from(3u32).mod_inverse(Natural::from(1u32)));
    show("symbol of a negative number", || Some(Integer::from(2).jacobi_symbol(Integer::from(-7))));
    show("symbol of an even number", || Some(Integer::from(3).jacobi_symbol(Integer::from(8))));
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    match std::env::args().nth(1).as_deref() {
        Some("num-bigint") => num_bigint(),
        Some("dashu-int") => dashu(),
        _ => malachite(),
    }
}
