//! The residues of one ring as a monoid, on which algorithms run.

use crate::algorithm::{AHEAD, BASE, Monoid, Product, Register};
use crate::execute::pulse::Pulse;
use crate::exponent::SecretDigit;
use crate::kernel::Ring;
use crate::kernel::cache_line::{self, prefetch};
use crate::natural::linear;
use crate::natural::word::Word;
use core::marker::PhantomData;

#[cfg(test)]
#[path = "../../tests/inside/execute/residues.rs"]
mod tests;

/// How a table entry is found: by a public index, or by reading all of them.
pub(crate) trait Selection<W> {
    /// The index.
    type Digit: Copy;
    /// Whether the values are secret, and are wiped afterwards.
    const SECRET: bool;
    /// Copies entry `digit` of the `length` residues at `table` to `out`, which is none of them.
    fn select(ring: &dyn Ring<W>, arena: &mut [W], out: usize, table: usize, length: usize, digit: Self::Digit);
}

/// Reads the one entry. Leaks: the digit, by its address.
#[derive(Debug)]
pub(crate) struct Public;

impl<W: Word> Selection<W> for Public {
    type Digit = usize;
    const SECRET: bool = false;

    fn select(ring: &dyn Ring<W>, arena: &mut [W], out: usize, table: usize, length: usize, digit: usize) {
        debug_assert!(digit < length);
        let from = table + digit * ring.words();
        arena.copy_within(from..from + ring.words(), out);
    }
}

/// Reads every entry and keeps one by a mask.
#[derive(Debug)]
pub(crate) struct Secret;

impl<W: Word> Selection<W> for Secret {
    type Digit = SecretDigit;
    const SECRET: bool = true;

    fn select(ring: &dyn Ring<W>, arena: &mut [W], out: usize, table: usize, length: usize, digit: SecretDigit) {
        ring.scan(arena, out, table, length, digit);
    }
}

/// a * b if that stays short: a word by which every ring multiplies cheaply.
fn short_product<W: Word>(a: u64, b: u64) -> Option<u64> {
    a.checked_mul(b).filter(|product| product >> W::BITS.min(32) == 0)
}

/// Bytes of an arena that the caches next to a core hold.
const NEAR_BYTES: usize = 1 << 18;

/// The registers of one run: an arena of residues and the scratch of its ring, in room that the caller has.
pub(crate) struct Residues<'r, W: Word, S: Selection<W>> {
    ring: &'r dyn Ring<W>,
    words: usize,
    /// The start of the first register: vector kernels read whole cache lines.
    origin: usize,
    arena: &'r mut [W],
    scratch: &'r mut [W],
    /// The base as one word, if a product by one word is cheaper.
    short_base: Option<W>,
    /// A pending multiplication: the element is what the register holds times this short word, 1 where none is pending.
    /// Products by a short base are put off while their word stays short, so that base 2 takes one product for five bits of
    /// the exponent instead of one for each one bit. (An `Option` would leave words unset, which memcheck cannot tell from
    /// secrets.)
    pending: (Register, u64),
    /// The base as a number, if it is public: a last product by it also converts the result out of the ring's form.
    plain_base: &'r [W],
    /// Whether a multiplication by the base is also pending.
    base_pending: bool,
    pulse: &'r Pulse<'r>,
    selection: PhantomData<S>,
}

impl<'r, W: Word, S: Selection<W>> Residues<'r, W, S> {
    /// Words of room for `registers` residues of `ring`.
    pub(crate) fn room_words(ring: &dyn Ring<W>, registers: usize) -> usize {
        ring.words() * registers + cache_line::spare::<W>() + ring.scratch_words()
    }

    /// As many registers of `ring` as were passed to [`Residues::room_words`].
    pub(crate) fn new(ring: &'r dyn Ring<W>, room: &'r mut [W], pulse: &'r Pulse<'r>) -> Self {
        let (arena, scratch) = room.split_at_mut(room.len() - ring.scratch_words());
        Self {
            ring,
            words: ring.words(),
            origin: cache_line::first_word(arena),
            arena,
            scratch,
            short_base: None,
            pending: (BASE, 1),
            plain_base: &[],
            base_pending: false,
            pulse,
            selection: PhantomData,
        }
    }

    /// Brings a number of any length into a register.
    pub(crate) fn set(&mut self, out: Register, value: &[W]) {
        let out = self.at(out);
        self.ring.enter(self.arena, out, value, self.scratch);
    }

    /// Says that the base is this one word, so that products by it are cheap.
    pub(crate) fn set_short_base(&mut self, base: W) {
        self.short_base = Some(base);
    }

    /// Says that the base is this number, as it was [set](Residues::set).
    pub(crate) fn set_plain_base(&mut self, base: &'r [W]) {
        self.plain_base = base;
    }

    /// `a = a * b` outside the algorithm: the pulse is not asked, and nothing may be pending.
    pub(crate) fn multiply(&mut self, a: Register, b: Register) {
        let (a, b) = (self.at(a), self.at(b));
        self.ring.mul(self.arena, a, a, b, self.scratch);
    }

    /// Takes a result out: `value` gets the canonical number, `words()` words of it.
    pub(crate) fn take(&mut self, value: &mut [W], from: Register) {
        let at = self.at(from);
        let times_base = self.base_pending && self.pending.0 == from;
        if times_base && self.ring.leave_times(value, self.arena, at, self.plain_base, self.scratch) {
            return;
        }
        self.settle(from);
        self.ring.leave(value, self.arena, at, self.scratch);
    }

    /// Copies a residue in the ring's form from another arena.
    pub(crate) fn set_raw(&mut self, out: Register, residue: &[W]) {
        self.written(out);
        let out = self.at(out);
        self.arena[out..out + self.words].copy_from_slice(residue);
    }

    /// Words of one residue.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Carries out the pending multiplication of a register.
    fn settle(&mut self, register: Register) {
        let (pending, factor) = self.pending;
        if pending != register {
            return;
        }
        let at = self.at(register);
        if self.base_pending {
            let base = self.at(BASE);
            self.ring.mul(self.arena, at, at, base, self.scratch);
            self.base_pending = false;
        }
        if factor != 1 {
            self.ring.mul_small(self.arena, at, at, W::from_u64(factor), self.scratch);
        }
        self.pending = (BASE, 1);
    }

    /// Whether the arena is larger than the caches next to the core.
    fn is_far(&self) -> bool {
        size_of_val(&*self.arena) > NEAR_BYTES
    }

    /// Has a register brought near.
    fn bring_near(&self, register: Register) {
        let at = self.at(register);
        prefetch(&self.arena[at..at + self.words]);
    }

    /// Forgets the pending multiplication of a register that is about to be overwritten.
    fn written(&mut self, register: Register) {
        if self.pending.0 == register {
            self.pending = (BASE, 1);
            self.base_pending = false;
        }
    }

    fn at(&self, register: Register) -> usize {
        self.origin + register.0 * self.words
    }
}

impl<W: Word, S: Selection<W>> Monoid for Residues<'_, W, S> {
    type Digit = S::Digit;

    fn one(&mut self, out: Register) {
        self.written(out);
        let out = self.at(out);
        self.ring.one(self.arena, out, self.scratch);
    }

    fn copy(&mut self, out: Register, from: Register) {
        // A run that was told to stop has millions of steps before it still, none of which may cost what a product does.
        if self.pulse.halted() {
            return;
        }
        self.settle(from);
        self.written(out);
        let (out, from) = (self.at(out), self.at(from));
        self.arena.copy_within(from..from + self.words, out);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        if self.pulse.go_on() {
            self.settle(a);
            self.settle(b);
            self.written(out);
            let (out, a, b) = (self.at(out), self.at(a), self.at(b));
            self.ring.mul(self.arena, out, a, b, self.scratch);
        }
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        if count == 0 {
            return self.copy(out, a);
        }
        if out != a {
            self.settle(a);
            self.written(out);
        }
        if self.base_pending {
            self.settle(a);
        }
        let register = out;
        let (out, mut a) = (self.at(out), self.at(a));
        let mut left = count;
        while left > 0 {
            let (pending, factor) = self.pending;
            let has_factor = pending == register && factor != 1;
            let granted = self.pulse.grant(if has_factor { 1 } else { left });
            if granted == 0 {
                return;
            }
            if has_factor {
                match short_product::<W>(factor, factor) {
                    Some(square) => self.pending = (pending, square),
                    None => self.settle(register),
                }
            }
            self.ring.sqr_n(self.arena, out, a, granted, self.scratch);
            a = out;
            left -= granted;
        }
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        if self.pulse.halted() {
            return;
        }
        match self.short_base {
            None if self.plain_base.is_empty() => self.mul(out, a, BASE),
            // Put off: if it is the last product, it takes the result out of the ring's form as well.
            None => {
                if self.pulse.go_on() {
                    self.settle(self.pending.0);
                    if out != a {
                        self.copy(out, a);
                    }
                    self.pending = (out, 1);
                    self.base_pending = true;
                }
            }
            Some(base) if out == a => {
                if self.pending.0 != a {
                    self.settle(self.pending.0);
                    self.pending = (a, 1);
                }
                let factor = short_product::<W>(self.pending.1, base.to_u64()).unwrap_or_else(|| {
                    self.settle(a);
                    base.to_u64()
                });
                self.pending = (a, factor);
            }
            Some(base) => {
                if self.pulse.go_on() {
                    self.settle(a);
                    self.written(out);
                    let (out, a) = (self.at(out), self.at(a));
                    self.ring.mul_small(self.arena, out, a, base, self.scratch);
                }
            }
        }
    }

    fn prefetch(&mut self, register: Register) {
        if self.is_far() {
            self.bring_near(register);
        }
    }

    /// One after the other; where the arena is larger than the caches next to the core, the operands of later products are on
    /// their way while this one is done.
    fn mul_each(&mut self, products: &[Product]) {
        let far = self.is_far();
        for (index, &Product { out, a, b }) in products.iter().enumerate() {
            if let Some(next) = products.get(index + AHEAD).filter(|_| far) {
                self.bring_near(next.a);
                self.bring_near(next.b);
            }
            if a == b { self.sqr_n(out, a, 1) } else { self.mul(out, a, b) }
        }
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: Self::Digit) {
        // Whether the caller has had enough is no secret; reading whole tables on would take as long as the products.
        if self.pulse.halted() {
            return;
        }
        self.settle(self.pending.0);
        let (out, first) = (self.at(out), self.at(first));
        S::select(self.ring, self.arena, out, first, length, digit);
    }
}

impl<W: Word, S: Selection<W>> Drop for Residues<'_, W, S> {
    fn drop(&mut self) {
        if S::SECRET {
            linear::wipe(self.arena);
            linear::wipe(self.scratch);
        }
    }
}
