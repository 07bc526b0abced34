//! Tests of `pair.rs`.

use super::*;
use crate::arith::from_ubig;

fn secret(number: &UBig, limbs: usize) -> Secret {
    let mut all = from_ubig(number).limbs().to_vec();
    all.resize(limbs, 0);
    Secret::new(all)
}

#[test]
fn distances_are_compared_exactly() {
    let two = |position: u64| UBig::ONE << position as usize;
    for position in [0u64, 1, 5, 28, 63, 64, 65, 100, 127] {
        for base in [UBig::from(3u8), two(128) + UBig::from(7u8)] {
            for (distance, is_apart) in [
                (UBig::ZERO, false),
                (two(position), false),
                (two(position) - UBig::ONE, false),
                (two(position) + UBig::ONE, true),
                (two(position) + two(129), true),
                (two(position + 1), true),
            ] {
                let (p, q) = (secret(&base, 4), secret(&(&base + &distance), 4));
                assert_eq!(are_apart(&p, &q, position), is_apart, "2^{position}, {distance}");
                assert_eq!(are_apart(&q, &p, position), is_apart, "2^{position}, {distance}");
            }
        }
    }
}
