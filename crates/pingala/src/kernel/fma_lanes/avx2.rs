//! The operations on vectors of four doubles, in assembly row by row: the compiler keeps the sums of a block in registers from one
//! row to the next, and would not within one (docs/records/fma-lanes.md).
//!
//! Everywhere here sums 0 to 8 are in ymm0 to ymm8, C1 in ymm9, C2 in ymm10, the row's operand in ymm11, and ymm12 and ymm13 are free.
#![allow(unsafe_code)]

use super::exceptions::MaskedExceptions;
use super::product::FmaOperands;
use super::unit::{C1, C2, DIGIT_BIAS, Doubles, FourLimbs, LANES, LOW, LimbPlace, Number, RADIX_BITS, Sums, WIDTH};
use crate::kernel::cpu::{Feature, has};
use core::arch::asm;
use core::arch::x86_64::*;

/// The unit. A value of the type proves that this CPU has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The unit, if this CPU has it.
    pub(super) fn detected() -> Option<Self> {
        (has(Feature::Avx2) && has(Feature::Fma)).then_some(Self(()))
    }

    pub(super) fn run(self, operands: &FmaOperands<'_>, squarings: Option<usize>) {
        let _masked = MaskedExceptions::new();
        // SAFETY: `self` exists, so `detected` has seen the features.
        unsafe { with_features(operands, squarings) }
    }
}

#[target_feature(enable = "avx2,fma")]
#[inline(never)]
fn with_features(operands: &FmaOperands<'_>, squarings: Option<usize>) {
    operands.run(FmaConstants { c1: _mm256_set1_pd(C1), c2: _mm256_set1_pd(C2) }, squarings);
}

/// The constants in registers: the unit, where its features are switched on. Only [`with_features`] makes a value.
#[derive(Clone, Copy)]
struct FmaConstants {
    c1: __m256d,
    c2: __m256d,
}

/// What turns sums into limbs: b - 1, and the bits of 2^52.
#[repr(C, align(32))]
struct DigitMasks([u64; LANES], [u64; LANES]);

static DIGITS: DigitMasks = DigitMasks([LOW; LANES], [DIGIT_BIAS.to_bits(); LANES]);

/// Adds the product of ymm11 and the limb at an address, see [`Doubles`], to columns in these registers.
macro_rules! product {
    ($address:expr, $low:expr, $high:expr) => {
        concat!(
            "vmovapd ymm12, ymm9\n",
            "vfmadd231pd ymm12, ymm11, [",
            $address,
            "]\n",
            "vsubpd ymm13, ymm10, ymm12\n",
            "vpaddq ",
            $high,
            ", ",
            $high,
            ", ymm12\n",
            "vfmadd231pd ymm13, ymm11, [",
            $address,
            "]\n",
            "vpaddq ",
            $low,
            ", ",
            $low,
            ", ymm13\n",
        )
    };
}

/// Adds the products of ymm11 and these limbs behind {a} to these columns, the last of which gets high halves only.
macro_rules! products {
    ([] [$last:literal]) => { "" };
    ([$limb:literal $($limbs:literal)*] [$low:literal $high:literal $($columns:literal)*]) => {
        concat!(
            product!(concat!("{a} + 32*", $limb), concat!("ymm", $low), concat!("ymm", $high)),
            products!([$($limbs)*] [$high $($columns)*])
        )
    };
}

/// Runs assembly with the sums and the constants in their registers.
macro_rules! on_sums {
    ($constants:ident, $x:ident, ($($text:expr),*), $($operand:tt)*) => {
        asm!(
            $($text),*,
            inout("ymm0") $x[0], inout("ymm1") $x[1], inout("ymm2") $x[2], inout("ymm3") $x[3], inout("ymm4") $x[4],
            inout("ymm5") $x[5], inout("ymm6") $x[6], inout("ymm7") $x[7], inout("ymm8") $x[8],
            in("ymm9") $constants.c1, in("ymm10") $constants.c2, out("ymm11") _, out("ymm12") _, out("ymm13") _,
            $($operand)*, options(nostack, readonly)
        )
    };
}

/// Adds one row: its operand at an address, the limbs behind another.
macro_rules! row {
    ($constants:ident, $x:ident, $b:expr, $a:expr, $($products:tt)*) => {
        on_sums!($constants, $x, ("vmovapd ymm11, [{b}]", products!($($products)*)), a = in(reg) $a, b = in(reg) $b)
    };
}

/// The address of a number.
#[inline(always)]
fn address(number: &[impl LimbPlace]) -> *const FourLimbs {
    number.as_ptr().cast()
}

/// The functions below run rows; pointers and counts are as the callers of [`Doubles`] for [`FmaConstants`] have checked.
///
/// [`Doubles::rows`] for k > 0 rows from `b` on; the limbs of the first row are at `a`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn rows(u: FmaConstants, x: &mut Sums<FmaConstants>, b: *const FourLimbs, a: *const FourLimbs, k: usize) {
    // SAFETY: the caller has k limbs from `b` on, and k + 7 from a - (k - 1) on.
    unsafe {
        on_sums!(
            u, x,
            (
                "2:",
                "vmovapd ymm11, [{b}]",
                products!([0 1 2 3 4 5 6 7] [0 1 2 3 4 5 6 7 8]),
                "add {b}, 32",
                "sub {a}, 32",
                "dec {k}",
                "jnz 2b"
            ),
            a = inout(reg) a => _, b = inout(reg) b => _, k = inout(reg) k => _
        );
    }
}

/// [`Doubles::low_triangle`] where b and a have 8 - `skip` limbs.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn low_triangle(
    u: FmaConstants,
    x: &mut Sums<FmaConstants>,
    b: *const FourLimbs,
    a: *const FourLimbs,
    skip: usize,
) {
    let b = b.wrapping_sub(skip);
    let row_at = |row: usize| b.wrapping_add(row);
    // SAFETY: row i exists for i >= skip, and reads the first 8 - i limbs of a.
    unsafe {
        if skip == 0 {
            row!(u, x, row_at(0), a, [0 1 2 3 4 5 6 7] [0 1 2 3 4 5 6 7 8]);
            row!(u, x, row_at(1), a, [0 1 2 3 4 5 6] [1 2 3 4 5 6 7 8]);
        }
        if skip <= 2 {
            row!(u, x, row_at(2), a, [0 1 2 3 4 5] [2 3 4 5 6 7 8]);
            row!(u, x, row_at(3), a, [0 1 2 3 4] [3 4 5 6 7 8]);
        }
        if skip <= 4 {
            row!(u, x, row_at(4), a, [0 1 2 3] [4 5 6 7 8]);
            row!(u, x, row_at(5), a, [0 1 2] [5 6 7 8]);
        }
        row!(u, x, row_at(6), a, [0 1] [6 7 8]);
        row!(u, x, row_at(7), a, [0] [7 8]);
    }
}

/// [`Doubles::high_triangle`] where b and a have `k` limbs; those of a end at `end`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn high_triangle(
    u: FmaConstants,
    x: &mut Sums<FmaConstants>,
    b: *const FourLimbs,
    end: *const FourLimbs,
    k: usize,
) {
    let row_at = |row: usize| b.wrapping_add(row);
    let limbs_at = |row: usize| end.wrapping_sub(row + 1);
    // SAFETY: row i exists for i < k, and reads the last i + 1 limbs of a.
    unsafe {
        row!(u, x, row_at(0), limbs_at(0), [0] [0 1]);
        if k > 1 {
            row!(u, x, row_at(1), limbs_at(1), [0 1] [0 1 2]);
            row!(u, x, row_at(2), limbs_at(2), [0 1 2] [0 1 2 3]);
        }
        if k > 3 {
            row!(u, x, row_at(3), limbs_at(3), [0 1 2 3] [0 1 2 3 4]);
            row!(u, x, row_at(4), limbs_at(4), [0 1 2 3 4] [0 1 2 3 4 5]);
        }
        if k > 5 {
            row!(u, x, row_at(5), limbs_at(5), [0 1 2 3 4 5] [0 1 2 3 4 5 6]);
            row!(u, x, row_at(6), limbs_at(6), [0 1 2 3 4 5 6] [0 1 2 3 4 5 6 7]);
        }
    }
}

/// [`Doubles::low_pairs`] where a has 8 - 2 `from` limbs.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn low_pairs(u: FmaConstants, x: &mut Sums<FmaConstants>, a: *const FourLimbs, from: usize) {
    let a = a.wrapping_sub(from);
    let row_at = |row: usize| a.wrapping_add(row);
    // SAFETY: limbs `from` to 7 - `from` exist; row i, from <= i <= 3, reads limbs i to 7 - i.
    unsafe {
        if from == 0 {
            row!(u, x, row_at(0), a, [1 2 3 4 5 6 7] [1 2 3 4 5 6 7 8]);
        }
        if from <= 1 {
            row!(u, x, row_at(1), a, [2 3 4 5 6] [3 4 5 6 7 8]);
        }
        if from <= 2 {
            row!(u, x, row_at(2), a, [3 4 5] [5 6 7 8]);
        }
        row!(u, x, row_at(3), a, [4] [7 8]);
    }
}

/// [`Doubles::high_pairs`] for k, where limb k - 1 is at `middle`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn high_pairs(u: FmaConstants, x: &mut Sums<FmaConstants>, middle: *const FourLimbs, k: usize) {
    let row_at = |row: usize| middle.wrapping_add(row);
    let limbs_at = |row: usize| middle.wrapping_sub(row);
    // SAFETY: k - 1 limbs exist on either side of the middle; row i < k reads those up to i away.
    unsafe {
        if k > 1 {
            row!(u, x, row_at(1), limbs_at(1), [0 1] [0 1 2]);
        }
        if k > 2 {
            row!(u, x, row_at(2), limbs_at(2), [0 1 2 3] [0 1 2 3 4]);
        }
        if k > 3 {
            row!(u, x, row_at(3), limbs_at(3), [0 1 2 3 4 5] [0 1 2 3 4 5 6]);
        }
    }
}

/// [`Doubles::squares`] of limbs `from` to `to` - 1 of a block, the first of which is at `a`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn squares(u: FmaConstants, x: &mut Sums<FmaConstants>, a: *const FourLimbs, from: usize, to: usize) {
    let a = a.wrapping_sub(from);
    let row_at = |row: usize| a.wrapping_add(row);
    // SAFETY: limb i exists for from <= i < to.
    unsafe {
        if from == 0 {
            row!(u, x, row_at(0), a, [0] [0 1]);
        }
        if from <= 1 && to > 1 {
            row!(u, x, row_at(1), a, [1] [2 3]);
        }
        if from <= 2 && to > 2 {
            row!(u, x, row_at(2), a, [2] [4 5]);
        }
        if to > 3 {
            row!(u, x, row_at(3), a, [3] [6 7]);
        }
    }
}

/// [`Doubles::quotient`] for the column at `x`, where q\[0\] is at `q`, and m\[k\] at `m`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn quotient(
    u: FmaConstants,
    x: *mut __m256i,
    mut carry: __m256i,
    q: *const FourLimbs,
    m: *const FourLimbs,
    k: usize,
) -> __m256i {
    // SAFETY: the caller has the column and the next one, k + 1 writable limbs from `q` on, and those down to m - k.
    unsafe {
        asm!(
            "vpaddq {carry}, {carry}, [{x}]",
            "test {k}, {k}",
            "jz 3f",
            "vmovdqa ymm14, [{x} + 32]",
            "2:",
            "vmovapd ymm11, [{q}]",
            product!("{m}", "{carry}", "ymm14"),
            "add {q}, 32",
            "sub {m}, 32",
            "dec {k}",
            "jnz 2b",
            "vmovdqa [{x} + 32], ymm14",
            "3:",
            "vpand ymm13, {carry}, [{digits}]",
            "vpor ymm13, ymm13, [{digits} + 32]",
            "vsubpd ymm13, ymm13, [{digits} + 32]",
            "vmovapd [{q}], ymm13",
            "vpsrlq {carry}, {carry}, {radix_bits}",
            x = in(reg) x, q = inout(reg) q => _, m = inout(reg) m => _, k = inout(reg) k => _,
            carry = inout(ymm_reg) carry, digits = in(reg) &raw const DIGITS, radix_bits = const RADIX_BITS,
            in("ymm9") u.c1, in("ymm10") u.c2, out("ymm11") _, out("ymm12") _, out("ymm13") _, out("ymm14") _,
            options(nostack)
        );
    }
    carry
}

impl Doubles for FmaConstants {
    type Sum = __m256i;

    #[inline(always)]
    fn splat(self, word: u64) -> __m256i {
        // SAFETY: `with_features` has made `self`: avx2 is there.
        unsafe { _mm256_set1_epi64x(word as i64) }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: avx2 as above.
        unsafe { _mm256_add_epi64(a, b) }
    }

    #[inline(always)]
    fn to_memory(self, mut x: Sums<Self>) -> Sums<Self> {
        // SAFETY: the text is a comment; that it might write keeps the sums where they are.
        unsafe { asm!("/* {} */", in(reg) x.as_mut_ptr(), options(nostack, preserves_flags)) }
        x
    }

    #[inline(always)]
    fn rows(self, x: &mut Sums<Self>, b: Number<'_>, a: &[impl LimbPlace]) {
        let k = b.len();
        assert!(k > 0 && a.len() == k + WIDTH - 1);
        // SAFETY: the features as above; the numbers are as long as was asserted.
        unsafe { rows(self, x, address(b), address(a).wrapping_add(k - 1), k) }
    }

    #[inline(always)]
    fn low_triangle(self, x: &mut Sums<Self>, b: Number<'_>, a: Number<'_>) {
        assert!(matches!(b.len(), 2 | 4 | 6 | 8) && a.len() == b.len());
        // SAFETY: as above.
        unsafe { low_triangle(self, x, address(b), address(a), WIDTH - b.len()) }
    }

    #[inline(always)]
    fn high_triangle(self, x: &mut Sums<Self>, b: Number<'_>, a: &[impl LimbPlace]) {
        assert!(matches!(b.len(), 1 | 3 | 5 | 7) && a.len() == b.len());
        // SAFETY: as above.
        unsafe { high_triangle(self, x, address(b), address(a).wrapping_add(a.len()), b.len()) }
    }

    #[inline(always)]
    fn low_pairs(self, x: &mut Sums<Self>, a: Number<'_>) {
        assert!(matches!(a.len(), 2 | 4 | 6 | 8));
        // SAFETY: as above.
        unsafe { low_pairs(self, x, address(a), (WIDTH - a.len()) / 2) }
    }

    #[inline(always)]
    fn high_pairs(self, x: &mut Sums<Self>, a: Number<'_>) {
        assert!(matches!(a.len(), 1 | 3 | 5 | 7));
        // SAFETY: as above.
        unsafe { high_pairs(self, x, address(a).wrapping_add(a.len() / 2), a.len() / 2 + 1) }
    }

    #[inline(always)]
    fn squares(self, x: &mut Sums<Self>, a: Number<'_>, column: usize) {
        let from = column / 2;
        assert!(!a.is_empty() && column.is_multiple_of(2) && from + a.len() <= WIDTH / 2);
        // SAFETY: as above.
        unsafe { squares(self, x, address(a), from, from + a.len()) }
    }

    #[inline(always)]
    fn quotient(self, x: &mut Sums<Self>, column: usize, carry: __m256i, q: Number<'_>, m: &[FourLimbs]) -> __m256i {
        let k = q.len() - 1;
        assert!(column < WIDTH && m.len() == k + 1);
        // SAFETY: as above; a cell is writable through its shared reference.
        unsafe { quotient(self, x.as_mut_ptr().add(column), carry, address(q), address(m).wrapping_add(k), k) }
    }

    #[inline(always)]
    fn finish(self, x: &Sums<Self>, out: Number<'_>) -> __m256i {
        let (low, bias) = (self.splat(LOW), self.splat(DIGIT_BIAS.to_bits()));
        let mut carry = self.splat(0);
        for (sum, out) in x.iter().zip(out) {
            let sum = self.add(*sum, carry);
            // SAFETY: avx2 as above; a cell is writable through its shared reference, and a vector is aligned as `FourLimbs` is.
            unsafe {
                let biased = _mm256_or_si256(_mm256_and_si256(sum, low), bias);
                let digit = _mm256_sub_pd(_mm256_castsi256_pd(biased), _mm256_castsi256_pd(bias));
                _mm256_store_pd(out.as_ptr().cast(), digit);
                carry = _mm256_srli_epi64::<{ RADIX_BITS as i32 }>(sum);
            }
        }
        carry
    }
}
