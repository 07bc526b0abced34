use super::*;

fn challenges() -> Vec<Challenge> {
    let top = UBig::ONE << 255;
    // Odd numbers serve as well as primes: the extremes, and one between them.
    let between: UBig = &top + (UBig::from(0x9e37_79b9_7f4a_7c15_u64) << 150) + UBig::from(12345u64);
    [&top + UBig::ONE, (&top << 1) - UBig::ONE, between].map(Challenge::new).into()
}

#[test]
fn all_digits_make_the_quotient() {
    for challenge in challenges() {
        for n in [0u64, 1, 100, 255, 256, 257, 511, 1000, 1001, 4099] {
            let quotient = (UBig::ONE << n as usize) / challenge.prime();
            for k in [1u32, 2, 5, 13, 16, 32] {
                for stride in [1u64, 2, 7] {
                    let blocks = n / u64::from(k);
                    let mut sum = UBig::ZERO;
                    for j in 0..stride.min(blocks) {
                        let rows = (blocks - 1 - j) / stride;
                        let mut digits = Digits::new(&challenge, n, k, j + rows * stride, stride);
                        for row in (0..=rows).rev() {
                            let digit = digits.next();
                            assert!(digit >> k == 0);
                            sum += UBig::from(digit) << (u64::from(k) * (j + row * stride)) as usize;
                        }
                    }
                    assert_eq!(sum, quotient, "2^{n} in digits of {k} bits");
                }
            }
        }
    }
}

#[test]
fn a_digit_that_the_highest_limbs_do_not_decide() {
    for challenge in challenges() {
        for k in [1u32, 8, 13, 32] {
            for digit in [0u64, 1, (1 << k) - 1] {
                // The least r with this digit, and the one below it.
                let least: UBig = (challenge.prime() * UBig::from(digit)).div_ceil_by(k);
                assert_eq!(challenge.digit(&limbs(&least), k), digit);
                if digit > 0 {
                    assert_eq!(challenge.digit(&limbs(&(least - UBig::ONE)), k), digit - 1);
                }
            }
        }
    }
}

trait Shifted {
    fn div_ceil_by(self, k: u32) -> UBig;
}

impl Shifted for UBig {
    fn div_ceil_by(self, k: u32) -> UBig {
        (self + (UBig::ONE << k as usize) - UBig::ONE) >> k as usize
    }
}
