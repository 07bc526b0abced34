//! One power: the runs that a plan names, each an algorithm on the registers of a ring. Nothing is chosen here.

use crate::algorithm::{AHEAD, Algorithm, BASE, ExponentShape, IndependentProduct, Monoid, Register};
use crate::engine::execute::fixed::RegisterPower;
use crate::engine::execute::{LaneJob, Poll, Prepared, Public, Selection, Workspace};
use crate::engine::execute::{even, rings, stack_or_heap, zeroed};
use crate::engine::plan::Run;
use crate::error::Error;
use crate::exponent::Exponent;
use crate::kernel::cache_line::{self, prefetch};
use crate::kernel::registry::{Form, Residence};
use crate::kernel::{ModulusParts, Ring};
use crate::natural::word::Word;
use crate::natural::{Natural, Wiped, chores, linear};
use core::marker::PhantomData;
use smallvec::SmallVec;
use std::borrow::Cow;

#[cfg(test)]
#[path = "../../../tests/inside/engine/execute/run.rs"]
mod tests;

/// base^exponent modulo a number, and who may stop it: the base 0 or more, the exponent 1 or more, the result canonical.
#[derive(Clone, Copy)]
pub(crate) struct Power<'a> {
    pub(crate) modulus: &'a Prepared<'a>,
    pub(crate) base: &'a Natural,
    pub(crate) exponent: &'a Exponent,
    pub(crate) poll: &'a Poll<'a>,
}

impl Power<'_> {
    /// From the runs of the parts of the modulus, without a tree: an odd number, a power of two, or both.
    pub(crate) fn by_parts(&self, odd: Option<&Run>, two: Option<&Run>) -> Result<Natural, Error> {
        // Avoids a copy that is measurable in short calls.
        let part = |part: &Run| self.by_run(&part.algorithm, &part.form);
        match (odd, two) {
            (Some(odd), Some(two)) => {
                let mut result = part(odd);
                if let Ok(residue) = &mut result {
                    match &part(two) {
                        Ok(modulo_two) => even::recombine(self.modulus, residue, modulo_two),
                        Err(error) => return Err(error.clone()),
                    }
                }
                result
            }
            (Some(only), None) | (None, Some(only)) => part(only),
            (None, None) => Ok(Natural::default()),
        }
    }

    /// One algorithm on one kernel.
    pub(super) fn by_run(&self, algorithm: &Algorithm, form: &Form) -> Result<Natural, Error> {
        let Self { modulus, base, exponent, poll } = *self;
        if !algorithm.serves(exponent) {
            return Err(Error::BadPlan(format!("{algorithm} leads to another exponent")));
        }
        if form.kernel.lanes() == 1 {
            poll.walked(1, &format_args!("{algorithm} on {form}"));
        }
        let facts = modulus.facts();
        if form.kernel.entry().plain {
            // The modulus as a whole, on a ring that is not kept.
            modulus.note_use();
            let of = Power { base: &reduced_base(base, facts.value(), poll), ..*self };
            return rings::with_new_ring(form, &ModulusParts::whole(facts), |ring| of.on(ring, algorithm, 0));
        }
        let reduced;
        let exponent = if form.kernel.odd() {
            exponent
        } else {
            match even::reduce_exponent(base, exponent, facts.trailing_zeros()) {
                even::Reduced::Known(result) => return Ok(result),
                // A given chain leads to the exponent as it was.
                even::Reduced::Exponent(other) if algorithm.serves(&other) => {
                    reduced = other;
                    &*reduced
                }
                even::Reduced::Exponent(_) => exponent,
            }
        };
        match form.kernel.residence() {
            Residence::Registers(rings) => {
                let power = RegisterPower { algorithm, base, exponent, poll };
                rings.visit(facts.odd().limbs(), facts.trailing_zeros() as usize, form.n, power)
            }
            Residence::Vectors(_) | Residence::LimbLanes => {
                let job = LaneJob { modulus: facts.odd(), base, exponent: exponent.magnitude() };
                let mut result = Natural::default();
                Workspace::default().powers(&[job], algorithm, form, poll, |_, power| result = power)?;
                Ok(result)
            }
            Residence::Arena { .. } if form.kernel.odd() => {
                let of = Power { base: &reduced_base(base, facts.odd(), poll), ..*self };
                // The result has room for the whole modulus.
                let room_words = facts.value().limbs().len();
                if let Some(ring) = modulus.kept_ring(form)? {
                    return of.on(&*ring, algorithm, room_words);
                }
                let parts = ModulusParts { once: Some(of.base.limbs().len()), ..ModulusParts::of(facts) };
                rings::with_new_ring(form, &parts, |ring| of.on(ring, algorithm, room_words))
            }
            Residence::Arena { .. } => {
                Power { exponent, poll: &poll.silent(), ..*self }.on(&*modulus.ring(form)?, algorithm, 0)
            }
        }
    }

    /// Public digits on a ring of any length; the result has room for `room_words`.
    fn on(&self, ring: &dyn Ring<u64>, algorithm: &Algorithm, room_words: usize) -> Result<Natural, Error> {
        let Self { base, exponent, poll, .. } = *self;
        let bits = exponent.bits();
        let products = || {
            let weight = Some(exponent.magnitude().weight() as usize);
            let cost = algorithm.expected(&ExponentShape { bits, weight });
            // Those by a short base are put off and done together.
            if base.bits() <= 32 { cost.squarings + cost.multiplications } else { cost.products() }
        };
        let poll = poll.for_words(ring.words()).for_power(bits, products);
        let registers = algorithm.registers(bits);
        let words = RingResidues::<u64, Public>::room_words(ring, registers);
        stack_or_heap!(room = [0; words]?, STACK_WORDS, STACK_VECTOR_WORDS);
        let mut residues = RingResidues::<u64, Public>::new(ring, room, &poll);
        residues.set(BASE, base.limbs());
        match *base.limbs() {
            [word @ 0..=0xffff_ffff] => residues.set_short_base(word),
            _ => residues.set_plain_base(base.limbs()),
        }
        let result = algorithm.run(exponent, &mut residues);
        residues.number(result, room_words)
    }
}

/// Reduces a base that is far longer than the modulus piece by piece, with a poll after each piece; after a stop the number is
/// worthless. The ring reduces shorter bases.
pub(crate) fn reduced_base<'b>(base: &'b Natural, modulus: &Natural, poll: &Poll<'_>) -> Cow<'b, Natural> {
    const PIECE: usize = 1 << 10;
    let (limbs, piece) = (base.limbs(), modulus.limbs().len().max(PIECE));
    if limbs.len() <= 2 * piece {
        return Cow::Borrowed(base);
    }
    let mut rest = Natural::default();
    for piece in limbs.chunks(piece).rev() {
        if !poll.now() {
            break;
        }
        rest = chores::rem(&Natural::from_limbs(&[piece, rest.limbs()].concat()), modulus);
    }
    Cow::Owned(rest)
}

/// Room that fits the stack: short exponents modulo numbers of up to 16 limbs on 64-bit words.
const STACK_WORDS: usize = 112;

/// Words on the stack for rows of vectors, whose padding takes more than the limbs.
const STACK_VECTOR_WORDS: usize = 256;

/// Calls `work` with registers of a ring in memory from the heap, under polls for its length. Errors: those of `work`; `bad_plan` if the
/// system does not have the memory.
pub(crate) fn with_registers<S: Selection<u64>, T>(
    ring: &dyn Ring<u64>,
    registers: usize,
    poll: &Poll<'_>,
    work: impl FnOnce(RingResidues<'_, u64, S>) -> Result<T, Error>,
) -> Result<T, Error> {
    let poll = poll.for_words(ring.words());
    let mut room = zeroed(RingResidues::<u64, S>::room_words(ring, registers))?;
    work(RingResidues::new(ring, &mut room, &poll))
}

/// a * b if that stays short: a word by which every ring multiplies cheaply.
fn short_product<W: Word>(a: u64, b: u64) -> Option<u64> {
    a.checked_mul(b).filter(|product| product >> W::BITS.min(32) == 0)
}

/// Bytes of an arena that the caches next to a core hold.
const NEAR_BYTES: usize = 1 << 18;

/// The registers of one run: an arena of residues and the scratch of its ring, in room that the caller has.
pub(crate) struct RingResidues<'r, W: Word, S: Selection<W>> {
    ring: &'r dyn Ring<W>,
    words: usize,
    /// The first word of the first register, at which a cache line starts for vector kernels.
    origin: usize,
    arena: &'r mut [W],
    scratch: &'r mut [W],
    /// The base as one word, if a product by one word is cheaper.
    short_base: Option<W>,
    /// A pending multiplication: the element is what the register holds times this short word, or 1 if none is pending.
    /// Products by a short base are put off while their word stays short, so that base 2 takes one product for five bits of
    /// the exponent instead of one for each one bit. (An `Option` would leave words unset, which memcheck cannot distinguish from
    /// secrets.)
    pending: (Register, u64),
    /// The base as a number, if it is public: a last product by it also converts the result out of the ring's form.
    plain_base: &'r [W],
    /// Whether a multiplication by the base is also pending.
    base_pending: bool,
    poll: &'r Poll<'r>,
    selection: PhantomData<S>,
}

impl<'r, W: Word, S: Selection<W>> RingResidues<'r, W, S> {
    /// Words of room for `registers` residues of `ring`.
    pub(crate) fn room_words(ring: &dyn Ring<W>, registers: usize) -> usize {
        ring.words() * registers + cache_line::spare::<W>() + ring.scratch_words()
    }

    /// As many registers of `ring` as were passed to [`RingResidues::room_words`].
    pub(crate) fn new(ring: &'r dyn Ring<W>, room: &'r mut [W], poll: &'r Poll<'r>) -> Self {
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
            poll,
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

    /// Says that the base is this number, as it was [set](RingResidues::set).
    pub(crate) fn set_plain_base(&mut self, base: &'r [W]) {
        self.plain_base = base;
    }

    /// `a = a * b` outside the algorithm, without a poll; nothing may be pending.
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
        self.apply_pending(from);
        self.ring.leave(value, self.arena, at, self.scratch);
    }

    /// Copies a residue in the ring's form from another arena.
    pub(crate) fn set_raw(&mut self, out: Register, residue: &[W]) {
        self.written(out);
        let out = self.at(out);
        self.arena[out..out + self.words].copy_from_slice(residue);
    }

    /// Packs a residue for a table.
    pub(crate) fn pack(&self, packed: &mut [W], from: Register) {
        self.ring.pack(packed, self.arena, self.at(from));
    }

    /// Brings a packed residue of a table into a register.
    pub(crate) fn unpack(&mut self, out: Register, packed: &[W]) {
        self.written(out);
        self.ring.unpack(self.arena, self.at(out), packed);
    }

    /// Words of one residue.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Carries out the pending multiplication of a register.
    fn apply_pending(&mut self, register: Register) {
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

impl<S: Selection<u64>> RingResidues<'_, u64, S> {
    /// The number in a register, canonical, with room for `room_words`. Error: `interrupted`, if the run was cut short.
    #[inline]
    pub(crate) fn number(&mut self, from: Register, room_words: usize) -> Result<Natural, Error> {
        let mut value = SmallVec::with_capacity(room_words.max(self.words));
        value.resize(self.words, 0);
        self.take_whole(&mut value, from)?;
        Ok(Natural::from_limb_buffer(value))
    }

    /// The canonical number in a register, as long as a residue. Error: `interrupted`, if the run was cut short.
    pub(crate) fn secret(&mut self, from: Register) -> Result<Wiped, Error> {
        let mut value = Wiped::new(vec![0; self.words]);
        self.take_whole(&mut value, from)?;
        Ok(value)
    }

    fn take_whole(&mut self, value: &mut [u64], from: Register) -> Result<(), Error> {
        if self.poll.halted() {
            return Err(Error::Interrupted);
        }
        self.take(value, from);
        Ok(())
    }
}

impl<W: Word, S: Selection<W>> Monoid for RingResidues<'_, W, S> {
    type Digit = S::Digit;

    fn one(&mut self, out: Register) {
        self.written(out);
        let out = self.at(out);
        self.ring.one(self.arena, out, self.scratch);
    }

    fn copy(&mut self, out: Register, from: Register) {
        // After cancellation the remaining steps, perhaps millions, must be no-ops.
        if self.poll.halted() {
            return;
        }
        self.apply_pending(from);
        self.written(out);
        let (out, from) = (self.at(out), self.at(from));
        self.arena.copy_within(from..from + self.words, out);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        if self.poll.go_on() {
            self.apply_pending(a);
            self.apply_pending(b);
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
            self.apply_pending(a);
            self.written(out);
        }
        if self.base_pending {
            self.apply_pending(a);
        }
        let register = out;
        let (out, mut a) = (self.at(out), self.at(a));
        let mut left = count;
        while left > 0 {
            let (pending, factor) = self.pending;
            let has_factor = pending == register && factor != 1;
            let granted = self.poll.grant(if has_factor { 1 } else { left });
            if granted == 0 {
                return;
            }
            if has_factor {
                match short_product::<W>(factor, factor) {
                    Some(square) => self.pending = (pending, square),
                    None => self.apply_pending(register),
                }
            }
            self.ring.sqr_n(self.arena, out, a, granted, self.scratch);
            a = out;
            left -= granted;
        }
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        if self.poll.halted() {
            return;
        }
        match self.short_base {
            None if self.plain_base.is_empty() => self.mul(out, a, BASE),
            // Put off: if it is the last product, it takes the result out of the ring's form as well.
            None => {
                if self.poll.go_on() {
                    self.apply_pending(self.pending.0);
                    if out != a {
                        self.copy(out, a);
                    }
                    self.pending = (out, 1);
                    self.base_pending = true;
                }
            }
            Some(base) if out == a => {
                if self.pending.0 != a {
                    self.apply_pending(self.pending.0);
                    self.pending = (a, 1);
                }
                let factor = short_product::<W>(self.pending.1, base.to_u64()).unwrap_or_else(|| {
                    self.apply_pending(a);
                    base.to_u64()
                });
                self.pending = (a, factor);
            }
            Some(base) => {
                if self.poll.go_on() {
                    self.apply_pending(a);
                    self.written(out);
                    let (out, a) = (self.at(out), self.at(a));
                    self.ring.mul_small(self.arena, out, a, base, self.scratch);
                }
            }
        }
    }

    fn halted(&self) -> bool {
        self.poll.halted()
    }

    fn prefetch(&mut self, register: Register) {
        if self.is_far() {
            self.bring_near(register);
        }
    }

    /// Computes them one after the other; if the arena is larger than the caches next to the core, it prefetches the operands of later
    /// products.
    fn mul_each(&mut self, products: &[IndependentProduct]) {
        let far = self.is_far();
        for (index, &IndependentProduct { out, a, b }) in products.iter().enumerate() {
            if let Some(next) = products.get(index + AHEAD).filter(|_| far) {
                self.bring_near(next.a);
                self.bring_near(next.b);
            }
            if a == b { self.sqr_n(out, a, 1) } else { self.mul(out, a, b) }
        }
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: Self::Digit) {
        // The cancellation flag is public. Scanning the remaining tables would take as long as the products.
        if self.poll.halted() {
            return;
        }
        self.apply_pending(self.pending.0);
        let (out, first) = (self.at(out), self.at(first));
        S::select(self.ring, self.arena, out, first, length, digit);
    }
}

impl<W: Word, S: Selection<W>> Drop for RingResidues<'_, W, S> {
    fn drop(&mut self) {
        if S::SECRET {
            linear::wipe(self.arena);
            linear::wipe(self.scratch);
        }
    }
}
