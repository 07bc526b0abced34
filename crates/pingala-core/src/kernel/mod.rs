//! Arithmetic modulo one number, by instruction family: the rings that residues live in.
//!
//! A kernel computes; it names no algorithm and chooses nothing.

/// Names of pieces of assembly.
#[cfg(target_arch = "x86_64")]
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)+) => {
        $($(#[$doc])* macro_rules! $name { () => { $text }; })+
    };
}

#[cfg(target_arch = "aarch64")]
mod adcs;
pub(crate) mod basecases;
pub(crate) mod cache_line;
mod columns;

/// PLANTED LEAKS, in builds that only test tools/ct_disasm.py on aarch64, which must find them: a branch on a word of a residue, and
/// an address that depends on it.
#[cfg(any(pingala_planted_leak = "word_branch", pingala_planted_leak = "word_index"))]
mod planted {
    use crate::natural::word::Word;
    use core::hint::black_box;

    static TABLE: [u8; 64] = [1; 64];

    #[inline(never)]
    pub(super) fn leak<W: Word>(residue: &[W]) {
        let word = black_box(residue[0].load().to_u64());
        if cfg!(pingala_planted_leak = "word_branch") && word == 0 {
            taken();
        }
        if cfg!(pingala_planted_leak = "word_index") {
            black_box(black_box(&TABLE)[word as usize % TABLE.len()]);
        }
    }

    #[inline(never)]
    fn taken() {
        black_box(0);
    }
}

#[cfg(test)]
#[path = "../../tests/inside/kernel/conformance/mod.rs"]
mod conformance;
pub(crate) mod cpu;
mod descriptor;
pub(crate) mod division;
mod dots;
#[cfg(target_arch = "x86_64")]
mod exceptions;
pub(crate) mod fixed;
mod fma_lanes;
mod fma_row;
mod form;
#[cfg(target_arch = "wasm32")]
mod half_words;
pub(crate) mod hensel;
pub(crate) mod lane_ring;
mod lanes;
pub(crate) mod limb_lanes;
mod limbs;
#[cfg(feature = "std")]
pub(crate) mod matrix_products;
pub(crate) mod montgomery;
#[cfg(target_arch = "x86_64")]
pub(crate) mod mulx;
#[cfg(feature = "std")]
pub(crate) mod ntt;
pub(crate) mod odd;
pub(crate) mod power_of_two;
pub(crate) mod product;
pub(crate) mod registry;
mod row;
pub(crate) mod short;
pub(crate) mod spec;
mod threshold;
#[cfg(test)]
#[path = "../../tests/inside/kernel/toy.rs"]
mod toy;
#[cfg(target_arch = "aarch64")]
pub(crate) mod umulh;
#[cfg(target_arch = "arm")]
mod umull;
pub(crate) mod vector;

use crate::exponent::SecretDigit;
use crate::natural::word::Word;
use alloc::sync::Arc;
use core::fmt::Debug;
use short::ShortFactor;

/// A modulus as kernels prepare it. Lengths are public. The value of the odd part may be secret, so its length is stored and
/// never computed from the value.
#[derive(Clone, Copy)]
pub(crate) struct ModulusParts<'a> {
    /// The odd part, ceil(odd_bits / 64) limbs.
    pub(crate) odd: &'a [u64],
    pub(crate) odd_bits: usize,
    pub(crate) trailing_zeros: usize,
    /// Whether the odd part is public.
    pub(crate) public: bool,
    /// For a ring that serves a single power: limbs of the one number that enters. The ring then omits constants that one
    /// conversion does not repay.
    pub(crate) once: Option<usize>,
}

impl<'a> ModulusParts<'a> {
    /// The parts of a secret odd modulus of this length.
    pub(crate) fn secret(odd: &'a [u64], odd_bits: usize) -> Self {
        Self { odd, odd_bits, trailing_zeros: 0, public: false, once: None }
    }

    /// The constants for division by the odd part.
    fn short_factor(&self) -> ShortFactor<u64> {
        if self.public {
            ShortFactor::of_public_bits(self.odd, self.odd_bits)
        } else {
            ShortFactor::of_bits(self.odd, self.odd_bits)
        }
    }
}

/// A ring that plans, threads and calls share.
pub(crate) type SharedRing = Arc<dyn Ring<u64>>;

/// Arithmetic in one residue ring, prepared for one modulus: odd moduli by some Montgomery product, or a power of two by
/// low products. A residue is `words()` consecutive words of an arena and is named by its offset. `out`, `a` and `b` must
/// coincide or be disjoint.
///
/// Residues are in the ring's range on entry and on exit: below the modulus, unless the ring documents a larger bound.
/// An arena, and each residue of a ring whose `words()` are a multiple of eight, starts at a multiple of 64 bytes.
pub trait Ring<W: Word>: Debug + Send + Sync {
    /// Words of one residue, padding included.
    fn words(&self) -> usize;
    /// Bytes of the prepared constants.
    fn bytes(&self) -> usize;
    /// Words of scratch that every call needs; its content on entry does not matter.
    fn scratch_words(&self) -> usize;
    /// `out = 1`, in the ring's form.
    fn one(&self, arena: &mut [W], out: usize, scratch: &mut [W]);
    /// Reduces a number of any length and brings it into the ring's form.
    fn enter(&self, arena: &mut [W], out: usize, value: &[W], scratch: &mut [W]);
    /// [`enter`](Ring::enter) with a residue below the modulus, whatever the ring's range is.
    fn enter_canonical(&self, arena: &mut [W], out: usize, value: &[W], scratch: &mut [W]) {
        self.enter(arena, out, value, scratch);
    }
    /// `out += c`, where `out` is a product and c a residue below the modulus, at a higher offset. The sum may lie above the range by the
    /// modulus: it is a factor of products or left, and nothing else. False, and nothing is changed, if the ring has no such sum.
    fn add_canonical(&self, _arena: &mut [W], _out: usize, _c: usize) -> bool {
        false
    }
    /// Takes a residue out of the ring's form; `value` has `words()` words and gets the canonical number.
    fn leave(&self, value: &mut [W], arena: &[W], from: usize, scratch: &mut [W]);
    /// `value = a * plain`, canonical, for a number that is not in the ring's form. A ring does so if it is cheaper than a
    /// product and [`leave`](Ring::leave); otherwise it returns false and changes nothing.
    fn leave_times(&self, _value: &mut [W], _arena: &[W], _a: usize, _plain: &[W], _scratch: &mut [W]) -> bool {
        false
    }
    /// `out = a * b`.
    fn mul(&self, arena: &mut [W], out: usize, a: usize, b: usize, scratch: &mut [W]);
    /// `out = a^2`.
    fn sqr(&self, arena: &mut [W], out: usize, a: usize, scratch: &mut [W]);
    /// `out = a^(2^count)`: consecutive squarings, count > 0.
    fn sqr_n(&self, arena: &mut [W], out: usize, a: usize, count: usize, scratch: &mut [W]) {
        self.sqr(arena, out, a, scratch);
        for _ in 1..count {
            self.sqr(arena, out, out, scratch);
        }
    }
    /// `out = a * small`: the short-base product.
    fn mul_small(&self, arena: &mut [W], out: usize, a: usize, small: W, scratch: &mut [W]);

    /// Words of one residue in a table, without the padding of an arena.
    fn packed_words(&self) -> usize {
        self.words()
    }

    /// Copies a residue to a table; `packed` has `packed_words()` words.
    fn pack(&self, packed: &mut [W], arena: &[W], from: usize) {
        packed.copy_from_slice(&arena[from..from + self.words()]);
    }

    /// Copies a residue back from a table.
    fn unpack(&self, arena: &mut [W], out: usize, packed: &[W]) {
        arena[out..out + self.words()].copy_from_slice(packed);
    }

    /// `out` = residue `digit` of the `length` residues from `table` on. It reads all of them: no branch and no address
    /// depends on the digit. `out` must not be one of them.
    ///
    /// By default as [`scan_packed`](Ring::scan_packed), with the first entry for `one`: in a ring whose tables hold what an arena holds.
    fn scan(&self, arena: &mut [W], out: usize, table: usize, length: usize, digit: SecretDigit) {
        let words = self.words();
        debug_assert!(out + words <= table || table + length * words <= out);
        let (out, table) = if out < table {
            let (below, from_table) = arena.split_at_mut(table);
            (&mut below[out..out + words], &from_table[..length * words])
        } else {
            let (below, from_out) = arena.split_at_mut(out);
            (&mut from_out[..words], &below[table..table + length * words])
        };
        let (first, rest) = table.split_at(words);
        self.scan_packed(out, first, rest, digit);
    }

    /// `packed` = residue `digit - 1` of those of a table, or `one` for digit 0; all of them have `packed_words()` words. It reads
    /// them all: no branch and no address depends on the digit.
    fn scan_packed(&self, packed: &mut [W], one: &[W], table: &[W], digit: SecretDigit) {
        scan_words(packed, one, table, digit);
    }
}

/// [`Ring::scan_packed`] by words, entry by entry: a long table is read once, in its order. Not once more for each ring.
#[inline(never)]
fn scan_words<W: Word>(packed: &mut [W], one: &[W], table: &[W], digit: SecretDigit) {
    let words = packed.len();
    debug_assert!(words > 0 && one.len() == words && table.len().is_multiple_of(words));
    packed.fill(W::ZERO);
    let entries = core::iter::once(one).chain(table.chunks_exact(words));
    for (index, entry) in entries.enumerate() {
        W::turn();
        let mask = W::from_u64(digit.mask_eq(index));
        for (kept, word) in packed.iter_mut().zip(entry) {
            kept.store(W::select(mask, word.load(), kept.load()));
        }
    }
}
