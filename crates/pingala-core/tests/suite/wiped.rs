//! No copy of a secret stays in memory: a process of its own computes with secrets, then looks for their limbs in all memory that it
//! may write.

use super::common::skipped;
use super::own_memory::{big_endian, found};
use pingala_core::{Modulus, Natural, Options, SecretExponent, SecretFactor};
use std::env;
use std::process::Command;

/// What the child does: it computes, or it keeps a copy too, which must be found.
const ROLE: &str = "PINGALA_TEST_WIPED";

/// Two primes of 512 bits, drawn. As text they are no limbs, and neither are the big-endian bytes that the library takes.
const P: &str = "e115976234446b5927a075bb552cbbe079895d2e3680df909cdaf6d7a4bf43a3\
                 358ad2ff88bdf93146a9c63ab6233f485fcd8898f8ead6de4d6b71f013d40e8f";
const Q: &str = "e7858d7c294dcf3405f12f1d951f3773442ade2a22d5e51ea387f3145cdd61a9\
                 6b80512f64acee4d10d9a0c9fee195e996556fdf86b0ebf34c574412d619a56f";

/// Their product.
const MODULUS: &str = "cb8fe83752562dafae44cb4cb06f116605d98d83c5f2740e56d7e897f1431472\
                       6c11847c133182d08f7e81e63547b644ca0cd4bbbed0701f39e332c85892d7f9\
                       1d17c6527c2a775b0c38a9212303e25b2e05d5813c1c2baf2119e092b512c072\
                       ca21839c3e8d8a693c25b88e26d8f54515d2a8e96d00634cc26b59cf3c4b7b01";

/// Everything that takes secrets, and drops what it was given.
fn compute(p: &[u8], q: &[u8], base: &[u8], exponent: &[u8], result: &mut [u8]) {
    let product = Natural::from_be_bytes(&big_endian(MODULUS));
    let factors = [p, q].map(|factor| SecretFactor::from_be_bytes(factor, 512, 1).unwrap());
    let modulus = Modulus::with_secret_factors(product.clone(), &factors, &Options::default()).unwrap();
    let plain = Modulus::new(product).unwrap();
    for modulus in [&modulus, &plain] {
        let secret = SecretExponent::from_be_bytes(exponent, 1024).unwrap();
        modulus.pow_sec_bytes(base, &secret, result, &Options::default()).unwrap();
    }
}

#[test]
fn no_copy_of_a_secret_stays() {
    if !cfg!(target_os = "linux") {
        return skipped("no /proc: memory is not searched for secrets");
    }
    let Ok(role) = env::var(ROLE) else {
        for role in ["compute", "keep"] {
            let arguments = ["--exact", "suite::wiped::no_copy_of_a_secret_stays", "--nocapture"];
            let ran = Command::new(env::current_exe().unwrap()).args(arguments).env(ROLE, role).output().unwrap();
            assert!(ran.status.success(), "{role}: {}", String::from_utf8_lossy(&ran.stderr));
        }
        return;
    };
    let (p, q) = (big_endian(P), big_endian(Q));
    let [base, exponent] =
        [0x1d, 0x4f].map(|step: u8| (0..128u8).map(|at| at.wrapping_mul(step) ^ step).collect::<Vec<_>>());
    let mut result = vec![0; 128];
    compute(&p, &q, &base, &exponent, &mut result);
    let kept = (role == "keep").then(|| SecretExponent::from_be_bytes(&exponent, 1024).unwrap());
    let secrets = [("p", p), ("q", q), ("the base", base), ("the exponent", exponent), ("the result", result)];
    let found = found(&secrets);
    assert_eq!(found.is_empty(), kept.is_none(), "{found:?}");
    drop(kept);
}
