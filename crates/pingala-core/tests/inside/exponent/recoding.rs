//! Tests of `exponent/recoding.rs`.

use super::*;
use crate::natural::Natural;

fn exponent(value: u128) -> Exponent {
    Exponent::new(Natural::from(value)).unwrap()
}

/// Every window is odd, fits, and the windows put back at their places are the exponent.
#[test]
fn windows_reassemble() {
    let mut values: Vec<u128> = (1..3000).collect();
    let mut state = 1u128;
    for _ in 0..2000 {
        state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x1405_7b7e_f767_814f);
        values.extend([state | 1, state >> (state % 127) as u32 | 1 << 64, state << 64 | 1]);
    }
    for value in values {
        let e = exponent(value);
        for width in [1, 2, 3, 5, 7, 16] {
            for windows in [e.sliding_windows(width), e.aligned_windows(width)] {
                let (mut sum, mut position, mut n) = (0u128, e.bits(), 0);
                for window in windows {
                    assert!(window.length <= width as usize);
                    position -= window.squarings();
                    sum += (window.value as u128) << position;
                    assert_eq!(window.value % 2 == 1, window.length > 0);
                    n += 1;
                }
                assert_eq!((sum, position), (value, 0));
                assert!(n <= e.weight() + 1);
            }
            let (mut sum, mut n) = (0, 0);
            for (position, window) in e.low_windows(width) {
                assert!(window % 2 == 1 && window >> width == 0);
                sum += (window as u128) << position;
                n += 1;
            }
            assert_eq!((sum, n), (value, e.sliding_windows(width).filter(|window| window.value > 0).count()));
            let sum = fixed_digits::<usize, _>(&e, width).fold(0, |sum, digit| sum << width | digit as u128);
            assert_eq!(sum, value);
        }
    }
}

/// The Handbook's comparison of windows for 11749 = 10110111100101 in binary: 101 101 111 00101.
#[test]
fn windows_of_the_handbook() {
    let e = exponent(11749);
    let got: Vec<_> = e.sliding_windows(3).map(|w| (w.zeros, w.value, w.length)).collect();
    assert_eq!(got, [(0, 5, 3), (0, 5, 3), (0, 7, 3), (2, 5, 3)]);
    let got: Vec<_> = exponent(0b1001_0000).aligned_windows(4).map(|w| (w.zeros, w.value, w.length)).collect();
    assert_eq!(got, [(0, 9, 4), (4, 0, 0)]);
}
