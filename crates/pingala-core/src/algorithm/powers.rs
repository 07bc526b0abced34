//! Tables of powers, and what the loop over odd windows costs that the sliding and the modified 2^k-ary method share.

use super::{BASE, Cost, Counts, ExpectedCost, ExponentShape, Monoid, Register, WindowBits};
use crate::exponent::Exponent;

/// Given g in register `first` (the base or its copy), fills the registers after it with g^2, g^3, ..., up to
/// g^`count`: count - 1 products by the base, one after the other.
#[inline]
pub(super) fn fill_powers<M: Monoid + ?Sized>(monoid: &mut M, first: Register, count: usize) {
    for index in first.0 + 1..first.0 + count {
        monoid.mul_base(Register(index), Register(index - 1));
    }
}

/// Registers of a loop over odd windows: the 2^(w-1) odd powers, of which the base is the first, and
/// the accumulator.
pub(super) fn registers(w: WindowBits) -> usize {
    (1 << (w.get() - 1)) + 1
}

/// Register i < 2^(w-1) gets g^(2i+1); register 0 is the base. The register behind them gets g^2, which the
/// accumulator may overwrite afterwards.
///
/// For w = 1 nothing is done, otherwise one squaring, one product by the base and 2^(w-1) - 2 general products.
#[inline]
pub(super) fn fill_odd_powers<M: Monoid + ?Sized>(monoid: &mut M, w: WindowBits) {
    let count = 1 << (w.get() - 1);
    if count > 1 {
        let square = Register(count);
        monoid.sqr_n(square, BASE, 1);
        for index in 1..count {
            monoid.mul_power(Register(index), square, Register(index - 1));
        }
    }
}

/// The expected cost, given the expected numbers of further windows and of those among them with the value 1;
/// `first_width` is the width of the first window before it gives its trailing zeros back.
pub(super) fn expected(
    w: WindowBits,
    shape: &ExponentShape,
    first_width: usize,
    windows: f64,
    ones: f64,
) -> ExpectedCost {
    let table = ExpectedCost::from(table(w));
    let first_length = first_width as f64 - shape.trailing_zeros(first_width - 1);
    Cost {
        squarings: table.squarings + shape.bits as f64 - first_length,
        multiplications: table.multiplications + windows - ones,
        base_multiplications: table.base_multiplications + ones,
        selections: 0.0,
    }
}

/// What [`fill_odd_powers`] costs.
pub(super) fn table(w: WindowBits) -> Counts {
    let count = 1usize << (w.get() - 1);
    let squares = usize::from(count > 1);
    Cost { squarings: squares, multiplications: count.saturating_sub(2), base_multiplications: squares, selections: 0 }
}

/// The register of an odd power of the base: see [`fill_odd_powers`].
#[inline]
pub(super) fn odd_power(value: usize) -> Register {
    Register(value >> 1)
}

/// Raises the element in `from` to `exponent`, bit by bit from the top. The result is in `out`, or still in `from` for an exponent
/// of 1.
pub(super) fn raise<M: Monoid>(exponent: &Exponent, out: Register, from: Register, monoid: &mut M) -> Register {
    super::sliding_window::fold_windows(monoid, out, exponent.sliding_windows(1), |_| from, M::mul)
}
