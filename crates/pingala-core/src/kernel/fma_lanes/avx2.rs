//! The operations on vectors of four doubles: one text of assembly each, which has the sums of a block in registers from its first
//! instruction to its last, and in memory before and after (docs/records/fma-lanes.md).
//!
//! [`super::texts`] has the pieces that they are made of, and says what is in which register.
#![allow(unsafe_code)]

use super::product::{FmaOperands, FullRows};
use super::unit::{
    C1, C2, DIGIT_BIAS, Doubles, FourLimbs, FourSums, LANES, LOW, LimbPlace, Number, Quotients, RADIX_BITS, Sums, WIDTH,
};
use crate::kernel::cpu::{Feature, has};
use crate::kernel::exceptions::{KernelEnvironment, TO_NEAREST};
use core::arch::{asm, naked_asm};
use core::cell::Cell;

/// The unit. A value of the type proves that this CPU has AVX2 and FMA. `TWICE`: whether full rows read each limb by every instruction that
/// needs it, four times for two rows, or once into a register, which takes one more instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2<const TWICE: bool>(());

/// Constants in memory: C1, C2, b - 1, and the bits of 2^52.
#[repr(C, align(32))]
struct FmaConstants([[u64; LANES]; 4]);

static CONSTANTS: FmaConstants =
    FmaConstants([[C1.to_bits(); LANES], [C2.to_bits(); LANES], [LOW; LANES], [DIGIT_BIAS.to_bits(); LANES]]);

/// The rows that most of a product consists of, in assembly.
trait FullRowsText {
    /// Adds rcx rows that meet all columns to the sums in registers: their operands are from rsi on, and rdi is a limb below those of
    /// the first row. Leaves rsi and rdi at the beginning of the next rows if the rows were even in number, and the carry in ymm13. For
    /// assembly, which calls it.
    extern "C" fn full_rows();
}

/// [`FullRowsText::full_rows`], around what it does with two rows.
macro_rules! full_rows {
    ([$($begin:literal)*] $two_rows:expr, [$($end:literal)*]) => {
        naked_asm!(
            $($begin,)*
            "sub rcx, 2",
            "jb 3f",
            ".p2align 4",
            "2:",
            "vmovapd ymm9, [rsi]",
            "vmovapd ymm10, [rsi + 32]",
            $two_rows,
            "add rsi, 64",
            "sub rdi, 64",
            "sub rcx, 2",
            "jae 2b",
            "3:",
            "test cl, 1",
            "jz 4f",
            "vmovapd ymm9, [rsi]",
            row!("rdi" [1 2 3 4 5 6 7 8] [0 1 2 3 4 5 6 7 8]),
            "4:",
            $($end,)*
            "ret"
        )
    };
}

impl FullRowsText for Avx2<true> {
    #[unsafe(naked)]
    extern "C" fn full_rows() {
        full_rows!([] two_rows!("rdi" [1 2 3 4 5 6 7 8] [0 1 2 3 4 5 6 7] [0 1 2 3 4 5 6 7 8]), [])
    }
}

impl FullRowsText for Avx2<false> {
    #[unsafe(naked)]
    extern "C" fn full_rows() {
        // The carry is on the stack meanwhile: systems without a red zone may write below it.
        full_rows!(
            ["sub rsp, 40" "vmovdqu [rsp], ymm13"]
            two_rows_once!("rdi" [1 2 3 4 5 6 7 8] [0 1 2 3 4 5 6 7 8]),
            ["vmovdqu ymm13, [rsp]" "add rsp, 40"]
        )
    }
}

/// The address of a number.
#[inline(always)]
fn address(number: &[impl LimbPlace]) -> *const FourLimbs {
    number.as_ptr().cast()
}

impl<P: LimbPlace> FullRows<'_, P> {
    /// What [`full_rows`] takes: row i reads b\[i\], and eight limbs from a\[k - 1 - i\] on.
    #[inline(always)]
    fn addresses(self) -> (*const FourLimbs, *const FourLimbs, usize) {
        let k = self.b.len();
        assert!(k == 0 || self.a.len() == k + WIDTH - 1);
        (address(self.b), address(self.a).wrapping_add(k).wrapping_sub(2), k)
    }
}

impl<const TWICE: bool> Avx2<TWICE> {
    /// The unit, if this CPU has it.
    pub(super) fn detected() -> Option<Self> {
        (has(Feature::Avx2) && has(Feature::Fma)).then_some(Self(()))
    }
}

/// `self` exists, so `detected` has seen the features; the kernel's environment is that of `run`.
impl<const TWICE: bool> Doubles for Avx2<TWICE>
where
    Self: FullRowsText,
{
    #[inline(never)]
    fn run(self, operands: &FmaOperands<'_>, squarings: Option<usize>) {
        let _environment = KernelEnvironment::new(TO_NEAREST);
        operands.run(self, squarings);
        // SAFETY: `self` exists, so `detected` has seen AVX. Other code is slow while the upper halves of registers are in use.
        unsafe { on_vectors!(("vzeroupper"),) }
    }

    fn start(self, x: &mut Sums, carry: Option<&mut FourSums>, starts: &[u64]) {
        assert_eq!(starts.len(), WIDTH);
        // The carry is set as a vector: reading in one piece what was written in two would wait for all that came before.
        let carry = carry.unwrap_or(&mut x[WIDTH]) as *mut FourSums;
        // SAFETY: the features as above; the text writes the sums and the carry.
        unsafe {
            on_vectors!(
                (
                    start_sums!(),
                    "vmovdqa [{carry}], ymm8",
                    each_sum!(["vmovdqa [{x} + 32*" "], ymm" "\n"])
                ),
                x = in(reg) x.as_mut_ptr(), carry = in(reg) carry, starts = in(reg) starts.as_ptr(),
            );
        }
    }

    #[inline(never)]
    fn rows(self, x: &mut Sums, rows: FullRows<'_, impl LimbPlace>) {
        // SAFETY: as [`on_sums`] says.
        unsafe { on_sums!(x, rows, (""),) }
    }

    #[inline(never)]
    fn low_triangle(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, b: Number<'_>, a: Number<'_>) {
        assert!(matches!(b.len(), 2 | 4 | 6 | 8) && a.len() == b.len());
        let skip = WIDTH - b.len();
        // SAFETY: the features as above; row i exists for i >= skip, and reads the first 8 - i limbs of a.
        unsafe {
            on_sums!(
                x,
                rows,
                (
                    enter_at!("{skip}" 4),
                    operands!("0" "1"),
                    row!("{a}" [0] [0 1]),
                    two_rows!("{a}" [1 2 3 4 5 6 7] [0 1 2 3 4 5 6] [1 2 3 4 5 6 7 8]),
                    "3:",
                    operands!("2" "3"),
                    row!("{a}" [0] [2 3]),
                    two_rows!("{a}" [1 2 3 4 5] [0 1 2 3 4] [3 4 5 6 7 8]),
                    "4:",
                    operands!("4" "5"),
                    row!("{a}" [0] [4 5]),
                    two_rows!("{a}" [1 2 3] [0 1 2] [5 6 7 8]),
                    "5:",
                    operands!("6" "7"),
                    row!("{a}" [0] [6 7]),
                    two_rows!("{a}" [1] [0] [7 8])
                ),
                b = in(reg) address(b).wrapping_sub(skip), a = in(reg) address(a), skip = in(reg) skip,
            );
        }
    }

    #[inline(never)]
    fn high_triangle<P: LimbPlace>(self, x: &mut Sums, rows: FullRows<'_, P>, b: Number<'_>, a: &[P]) {
        assert!(matches!(b.len(), 1 | 3 | 5 | 7) && a.len() == b.len());
        // SAFETY: the features as above; row i exists for i < k, and reads the last i + 1 limbs of a, which end at {a}.
        unsafe {
            on_sums!(
                x,
                rows,
                (
                    operands!("0"),
                    row!("{a}" ["-1"] [0 1]),
                    "sub {k}, 3",
                    "jb 3f",
                    operands!("1" "2"),
                    two_rows!("{a}" ["-2" "-1"] ["-3" "-2"] [0 1 2]),
                    "vmovapd ymm9, ymm10\n",
                    row!("{a}" ["-1"] [2 3]),
                    "sub {k}, 2",
                    "jb 3f",
                    operands!("3" "4"),
                    two_rows!("{a}" ["-4" "-3" "-2" "-1"] ["-5" "-4" "-3" "-2"] [0 1 2 3 4]),
                    "vmovapd ymm9, ymm10\n",
                    row!("{a}" ["-1"] [4 5]),
                    "sub {k}, 2",
                    "jb 3f",
                    operands!("5" "6"),
                    two_rows!(
                        "{a}" ["-6" "-5" "-4" "-3" "-2" "-1"] ["-7" "-6" "-5" "-4" "-3" "-2"] [0 1 2 3 4 5 6]
                    ),
                    "vmovapd ymm9, ymm10\n",
                    row!("{a}" ["-1"] [6 7]),
                    "3:"
                ),
                b = in(reg) address(b), a = in(reg) address(a).wrapping_add(a.len()), k = inout(reg) b.len() => _,
            );
        }
    }

    #[inline(never)]
    fn low_square(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, a: Number<'_>) {
        assert!(matches!(a.len(), 2 | 4 | 6 | 8));
        let from = (WIDTH - a.len()) / 2;
        // SAFETY: the features as above; limbs `from` to 7 - `from` exist; row i, from <= i <= 3, reads limbs i to 7 - i.
        unsafe {
            on_sums!(
                x,
                rows,
                (
                    enter_at!("{from}" 2),
                    operands!("0"),
                    row!("{a}" [1 2 3 4 5 6 7] [1 2 3 4 5 6 7 8]),
                    "3:",
                    operands!("1"),
                    row!("{a}" [2 3 4 5 6] [3 4 5 6 7 8]),
                    "4:",
                    operands!("2"),
                    row!("{a}" [3 4 5] [5 6 7 8]),
                    "5:",
                    operands!("3"),
                    row!("{a}" [4] [7 8]),
                    each_sum!(["vpaddq ymm" ", ymm" ", ymm" "\n"]),
                    enter_at!("{from}" 2),
                    operands!("0"),
                    row!("{a}" [0] [0 1]),
                    "3:",
                    operands!("1"),
                    row!("{a}" [1] [2 3]),
                    "4:",
                    operands!("2"),
                    row!("{a}" [2] [4 5]),
                    "5:",
                    operands!("3"),
                    row!("{a}" [3] [6 7])
                ),
                b = in(reg) address(a).wrapping_sub(from), a = in(reg) address(a).wrapping_sub(from), from = in(reg) from,
            );
        }
    }

    #[inline(never)]
    fn high_square(self, x: &mut Sums, rows: FullRows<'_, Cell<FourLimbs>>, a: Number<'_>) {
        assert!(matches!(a.len(), 1 | 3 | 5 | 7));
        // SAFETY: the features as above; k limbs exist on either side of the middle, which is at {a}; row i <= k reads those up to
        // i away.
        unsafe {
            on_sums!(
                x,
                rows,
                (
                    enter_from_top!("{k}"),
                    "4:",
                    operands!("3"),
                    row!("{a}" ["-3" "-2" "-1" 0 1 2] [0 1 2 3 4 5 6]),
                    "3:",
                    operands!("2"),
                    row!("{a}" ["-2" "-1" 0 1] [0 1 2 3 4]),
                    "2:",
                    operands!("1"),
                    row!("{a}" ["-1" 0] [0 1 2]),
                    "5:",
                    each_sum!(["vpaddq ymm" ", ymm" ", ymm" "\n"]),
                    enter_from_top!("{k}"),
                    "4:",
                    operands!("3"),
                    row!("{a}" [3] [6 7]),
                    "3:",
                    operands!("2"),
                    row!("{a}" [2] [4 5]),
                    "2:",
                    operands!("1"),
                    row!("{a}" [1] [2 3]),
                    "5:",
                    operands!("0"),
                    row!("{a}" [0] [0 1])
                ),
                b = in(reg) address(a).wrapping_add(a.len() / 2), a = in(reg) address(a).wrapping_add(a.len() / 2),
                k = in(reg) a.len() / 2,
            );
        }
    }

    #[inline(never)]
    fn quotients(
        self,
        x: &mut Sums,
        carry: &mut FourSums,
        quotients: Quotients<'_>,
        next: &mut Sums,
        rows: FullRows<'_, Cell<FourLimbs>>,
    ) {
        let Quotients { q, m, starts } = quotients;
        let (skip, (b, a, count)) = (WIDTH - q.len(), rows.addresses());
        assert!(
            matches!(q.len(), 2 | 4 | 6 | 8) && m.len() == q.len() && starts.len() == WIDTH && count.is_multiple_of(2)
        );
        // After every other limb half of the rows that are left are added, and all of them after the last one. SAFETY: the features as above; a
        // cell is writable through its shared reference; the numbers are as long as was asserted, {q} is where limb 0 of
        // a whole block would be, and rows are as [`FullRows::addresses`] has checked.
        unsafe {
            on_vectors!(
                (
                    "vmovdqa ymm13, [{carry}]",
                    load_constants!(),
                    start_sums!(),
                    enter_at!("{skip}" 4),
                    quotient!(0 [1 2 3 4 5 6 7] [1 2 3 4 5 6 7 8]),
                    quotient!(1 [1 2 3 4 5 6] [2 3 4 5 6 7 8]),
                    woven_rows!(),
                    "3:",
                    quotient!(2 [1 2 3 4 5] [3 4 5 6 7 8]),
                    quotient!(3 [1 2 3 4] [4 5 6 7 8]),
                    woven_rows!(),
                    "4:",
                    quotient!(4 [1 2 3] [5 6 7 8]),
                    quotient!(5 [1 2] [6 7 8]),
                    woven_rows!(),
                    "5:",
                    quotient!(6 [1] [7 8]),
                    quotient!(7 [] [8]),
                    "vpaddq ymm13, ymm13, [{x} + 32*8]",
                    "vmovdqa [{carry}], ymm13",
                    "mov rcx, {left}",
                    "call {full_rows}",
                    each_sum!(["vmovdqa [{next} + 32*" "], ymm" "\n"])
                ),
                x = in(reg) x, starts = in(reg) starts.as_ptr(), q = in(reg) address(q).wrapping_sub(skip), m = in(reg) address(m),
                skip = in(reg) skip, carry = in(reg) carry, next = in(reg) next, left = inout(reg) count => _, inout("rsi") b => _,
                inout("rdi") a => _, out("rcx") _, full_rows = sym <Self as FullRowsText>::full_rows, constants = sym CONSTANTS,
                radix_bits = const RADIX_BITS,
            );
        }
    }

    #[inline(never)]
    fn finish(self, x: &mut Sums, carry: &mut FourSums, out: Number<'_>) {
        assert!(matches!(out.len(), 2 | 4 | 6 | 8));
        // SAFETY: the features as above; a cell is writable through its shared reference; there are {k} columns.
        unsafe {
            on_vectors!(
                (
                    "vmovdqa ymm13, [{carry}]",
                    finish!("0" "1"),
                    finish!("2" "3"),
                    finish!("4" "5"),
                    finish!("6"),
                    finish!("7"),
                    "vpaddq ymm13, ymm13, [{x} + 32*8]",
                    "vmovdqa [{carry}], ymm13",
                    "2:"
                ),
                x = in(reg) x, out = in(reg) address(out), k = inout(reg) out.len() => _, carry = in(reg) carry,
                constants = sym CONSTANTS, radix_bits = const RADIX_BITS,
            );
        }
    }
}
