//! Small primes against trial division, residues against plain remainders.

use super::{inverse_mod_word, mont_mul, odd_factor, odd_primes, primes_below, residues};
use pingala_core::Natural;

#[test]
fn primes_are_those_of_trial_division() {
    let plain: Vec<u32> = (2..5000u32).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0)).collect();
    for bound in [0, 1, 2, 3, 4, 5, 1023, 1024, 1025, 2048, 4096, 4999, 5000] {
        let below: Vec<u32> = plain.iter().copied().filter(|p| *p < bound).collect();
        assert_eq!(primes_below(bound), below, "{bound}");
    }
    assert_eq!(primes_below(1 << 20).len(), 82_025);
    assert_eq!(primes_below(1 << 24).len(), 1_077_871);
}

#[test]
fn residues_are_remainders() {
    let mut word = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        word = word.wrapping_mul(0xd129_42f6_4f1c_2d0d).wrapping_add(1);
        word ^ word >> 31
    };
    for limbs in [0, 1, 2, 3, 4, 5, 16, 31, 32, 33, 65] {
        for extreme in 0..3 {
            let n: Vec<u64> = (0..limbs).map(|_| [next(), u64::MAX, 1 << 63][extreme]).collect();
            let number = Natural::from_limbs(&n);
            for bound in [3, 4, 6, 100, 1 << 11, (1 << 13) + 5] {
                let plain: Vec<u32> = odd_primes(bound).map(|p| (&number % u64::from(p)) as u32).collect();
                assert_eq!(residues(&n, bound), plain, "{limbs} {bound}");
                let factor = odd_primes(bound).find(|&p| &number % u64::from(p) == 0);
                assert_eq!(odd_factor(&n, bound), factor);
            }
        }
    }
    let n: Vec<u64> = (0..32).map(|_| next()).collect();
    let number = Natural::from_limbs(&n);
    for (p, residue) in odd_primes(1 << 20).zip(residues(&n, 1 << 20)).step_by(97) {
        assert_eq!(u64::from(residue), &number % u64::from(p));
    }
}

#[test]
fn products_are_exact_at_the_edges() {
    for q in [3, 5, 0xffff_ffff, u64::MAX, u64::MAX - 58, 1 << 63 | 1] {
        let inverse = inverse_mod_word(q);
        assert_eq!(q.wrapping_mul(inverse), 1);
        for a in [0, 1, 2, q / 2, q - 2, q - 1] {
            for b in [0, 1, q / 2, q - 1] {
                let product = mont_mul(a, b, q, inverse);
                assert!(product < q);
                let back = (u128::from(product) << 64) % u128::from(q);
                assert_eq!(back, u128::from(a) * u128::from(b) % u128::from(q));
            }
        }
    }
}
