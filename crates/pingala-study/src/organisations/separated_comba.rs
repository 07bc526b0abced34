//! Separated Comba: the whole product by columns, then the reduction by columns.
//!
//! Count: 2n^2 + n products; squaring 3n^2/2 + 3n/2. Up to [`comba::UNROLLED`] words both halves are straight-line code.

use pingala_core::texts::{
    Accumulator, Constants, Unreduced, Word,
    comba::{self, array, column},
};

/// a * b * R^-1, below 2m.
pub fn mul<'t, W: Word>(t: &'t mut [W], a: &[W], b: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let t = &mut t[..2 * a.len()];
    comba::mul(t, a, b);
    redc(t, constants)
}

/// a^2 * R^-1, below 2m.
pub fn sqr<'t, W: Word>(t: &'t mut [W], a: &[W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let t = &mut t[..2 * a.len()];
    comba::sqr(t, a);
    redc(t, constants)
}

/// T * R^-1, below 2m, for T < R m in 2n words.
///
/// Each word of T below n is replaced by a quotient word u once it is no longer needed; the words from n on become the result.
pub fn redc<'t, W: Word>(t: &'t mut [W], constants: &Constants<'_, W>) -> Unreduced<'t, W> {
    let (m, m_prime) = (constants.m, constants.m_prime);
    let n = m.len();
    let t = &mut t[..2 * n];
    let overflow = match n {
        1 => redc_fixed::<W, 1>(t, array(m), m_prime),
        2 => redc_fixed::<W, 2>(t, array(m), m_prime),
        3 => redc_fixed::<W, 3>(t, array(m), m_prime),
        4 => redc_fixed::<W, 4>(t, array(m), m_prime),
        5 => redc_fixed::<W, 5>(t, array(m), m_prime),
        6 => redc_fixed::<W, 6>(t, array(m), m_prime),
        7 => redc_fixed::<W, 7>(t, array(m), m_prime),
        8 => redc_fixed::<W, 8>(t, array(m), m_prime),
        _ => redc_loops(t, m, m_prime),
    };
    Unreduced { words: &t[n..], overflow }
}

/// The reduction for any length; returns the overflow. A column is a sum of at most n products and a word.
#[inline(always)]
fn redc_loops<W: Word>(t: &mut [W], m: &[W], m_prime: W) -> bool {
    let n = m.len();
    let (u, high) = t[..2 * n].split_at_mut(n);
    let mut sum = Accumulator::ZERO;
    for k in 0..n {
        W::turn();
        column(&mut sum, &u[..k], &m[1..=k]);
        sum.add_word(u[k].load());
        let quotient = sum.low.mul_low(m_prime);
        sum.add_product(quotient, m[0].load());
        u[k].store(quotient);
        let zero = sum.shift_out();
        debug_assert!(zero == W::ZERO);
    }
    for k in 0..n {
        W::turn();
        column(&mut sum, &u[k + 1..], &m[k + 1..]);
        sum.add_word(high[k].load());
        high[k].store(sum.shift_out());
    }
    debug_assert!(sum.low <= W::ONE && sum.mid == W::ZERO, "the result is below 2m");
    !sum.low.is_zero()
}

/// Computes those columns for a length known to the compiler, indexed so that they unroll. It has no marker of an
/// iteration, because the compiled code has no loops.
#[inline(always)]
fn redc_fixed<W: Word, const N: usize>(t: &mut [W], m: &[W; N], m_prime: W) -> bool {
    let t = &mut t[..2 * N];
    let mut sum = Accumulator::ZERO;
    let mut u = [W::ZERO; N];
    for k in 0..N {
        sum.add_word(t[k].load());
        for i in 0..k {
            sum.add_product(u[i], m[k - i].load());
        }
        let quotient = sum.low.mul_low(m_prime);
        sum.add_product(quotient, m[0].load());
        u[k] = quotient;
        let zero = sum.shift_out();
        debug_assert!(zero == W::ZERO);
    }
    for k in N..2 * N {
        sum.add_word(t[k].load());
        for i in k - N + 1..N {
            sum.add_product(u[i], m[k - i].load());
        }
        t[k].store(sum.shift_out());
    }
    debug_assert!(sum.low <= W::ONE && sum.mid == W::ZERO, "the result is below 2m");
    !sum.low.is_zero()
}
