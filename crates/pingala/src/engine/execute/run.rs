//! One power: the runs that a plan names, each an algorithm on the registers of a ring. Nothing is chosen here.

use crate::algorithm::{AHEAD, Algorithm, BASE, ExponentShape, IndependentProduct, Monoid, Register};
use crate::engine::execute::fixed::RegisterPower;
use crate::engine::execute::lanes::{LaneJob, Workspace};
use crate::engine::execute::long_base::reduced_base;
use crate::engine::execute::poll::Poll;
use crate::engine::execute::prepared::{self, Prepared};
use crate::engine::execute::room::stack_or_heap;
use crate::engine::execute::selection::{Public, Selection};
use crate::engine::execute::{crt, even};
use crate::engine::plan::{Plan, Run};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::kernel::cache_line::{self, prefetch};
use crate::kernel::registry::{Form, Residence};
use crate::kernel::{ModulusParts, Ring};
use crate::natural::word::Word;
use crate::natural::{Natural, linear};
use core::marker::PhantomData;
use smallvec::SmallVec;

#[cfg(test)]
#[path = "../../../tests/inside/execute/run.rs"]
mod tests;

/// base^exponent mod m for a base of 0 or more and an exponent of 1 or more, canonical.
pub(crate) fn power(
    modulus: &Prepared,
    plan: &Plan,
    base: &Natural,
    exponent: &Exponent,
    poll: &Poll<'_>,
) -> Result<Natural, Error> {
    match plan {
        Plan::Run { algorithm, form } => run(modulus, algorithm, form, base, exponent, poll),
        Plan::Even { odd, two } => {
            let mut result = power(modulus, odd, base, exponent, poll)?;
            even::recombine(modulus, &mut result, &power(modulus, two, base, exponent, poll)?);
            Ok(result)
        }
        Plan::Crt(plans) => crt::power(modulus, plans, base, exponent, poll),
        Plan::Batch { plan, count: 1 } => power(modulus, plan, base, exponent, poll),
        _ => Err(Error::BadPlan("a plan for a list does not fit one power".into())),
    }
}

/// Computes base^exponent mod m from the runs of the parts, without a tree: an odd modulus, a power of two, or both.
pub(crate) fn power_parts(
    modulus: &Prepared,
    odd: Option<&Run>,
    two: Option<&Run>,
    base: &Natural,
    exponent: &Exponent,
    poll: &Poll<'_>,
) -> Result<Natural, Error> {
    // Avoids a copy that is measurable in short calls.
    let part = |part: &Run| run(modulus, &part.algorithm, &part.form, base, exponent, poll);
    match (odd, two) {
        (Some(odd), Some(two)) => {
            let mut result = part(odd);
            if let Ok(residue) = &mut result {
                match &part(two) {
                    Ok(modulo_two) => even::recombine(modulus, residue, modulo_two),
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
fn run(
    modulus: &Prepared,
    algorithm: &Algorithm,
    form: &Form,
    base: &Natural,
    exponent: &Exponent,
    poll: &Poll<'_>,
) -> Result<Natural, Error> {
    if !algorithm.serves(exponent) {
        return Err(Error::BadPlan(format!("{algorithm} leads to another exponent")));
    }
    if form.kernel.lanes() == 1 {
        poll.walked(1, &format_args!("{algorithm} on {form}"));
    }
    let facts = modulus.facts();
    if form.kernel.entry().even {
        // An even modulus as a whole, on a ring that is not kept.
        let base = reduced_base(base, facts.value(), poll);
        return prepared::with_new_ring(form, &ModulusParts::whole(facts), |ring| {
            run_ring(ring, algorithm, &base, exponent, 0, poll)
        });
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
            let base = reduced_base(base, facts.odd(), poll);
            // The result has room for the whole modulus.
            let room_words = facts.value().limbs().len();
            modulus.with_ring(form, base.limbs().len(), |ring| {
                run_ring(ring, algorithm, &base, exponent, room_words, poll)
            })
        }
        Residence::Arena { .. } => run_ring(&*modulus.ring(form)?, algorithm, base, exponent, 0, &poll.silent()),
    }
}

/// Room that fits the stack: short exponents modulo numbers of up to 16 limbs on 64-bit words.
const STACK_WORDS: usize = 112;

/// Words on the stack for rows of vectors, whose padding takes more than the limbs.
const STACK_VECTOR_WORDS: usize = 256;

/// Public digits on a ring of any length; the result has room for `room_words`.
fn run_ring(
    ring: &dyn Ring<u64>,
    algorithm: &Algorithm,
    base: &Natural,
    exponent: &Exponent,
    room_words: usize,
    poll: &Poll<'_>,
) -> Result<Natural, Error> {
    let bits = exponent.bits();
    let products = || {
        let weight = Some(exponent.magnitude().weight() as usize);
        let cost = algorithm.expected(&ExponentShape { bits, weight });
        // Those by a short base are put off and done together.
        if base.bits() <= 32 { cost.squarings + cost.multiplications } else { cost.products() }
    };
    let poll = poll.for_words(ring.words()).for_power(bits, products);
    let registers = algorithm.registers(bits);
    let words = Residues::<u64, Public>::room_words(ring, registers);
    stack_or_heap!(room = [0; words]?, STACK_WORDS, STACK_VECTOR_WORDS);
    let mut residues = Residues::<u64, Public>::new(ring, room, &poll);
    enter_base(&mut residues, base);
    let result = algorithm.run(exponent, &mut residues);
    if poll.halted() {
        return Err(Error::Interrupted);
    }
    Ok(taken(&mut residues, result, room_words))
}

/// Brings the base into its register, so that products by it are as cheap as they can be.
#[inline]
fn enter_base<'r>(residues: &mut Residues<'r, u64, Public>, base: &'r Natural) {
    residues.set(BASE, base.limbs());
    if let [word @ 0..=0xffff_ffff] = *base.limbs() {
        residues.set_short_base(word);
    } else {
        residues.set_plain_base(base.limbs());
    }
}

/// The number in a register, canonical, with room for `room_words`.
#[inline]
fn taken(residues: &mut Residues<'_, u64, Public>, result: Register, room_words: usize) -> Natural {
    let mut value = SmallVec::with_capacity(room_words.max(residues.words()));
    value.resize(residues.words(), 0);
    residues.take(&mut value, result);
    Natural::from_limb_buffer(value)
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

impl<'r, W: Word, S: Selection<W>> Residues<'r, W, S> {
    /// Words of room for `registers` residues of `ring`.
    pub(crate) fn room_words(ring: &dyn Ring<W>, registers: usize) -> usize {
        ring.words() * registers + cache_line::spare::<W>() + ring.scratch_words()
    }

    /// As many registers of `ring` as were passed to [`Residues::room_words`].
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

    /// Says that the base is this number, as it was [set](Residues::set).
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

impl<W: Word, S: Selection<W>> Monoid for Residues<'_, W, S> {
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

impl<W: Word, S: Selection<W>> Drop for Residues<'_, W, S> {
    fn drop(&mut self) {
        if S::SECRET {
            linear::wipe(self.arena);
            linear::wipe(self.scratch);
        }
    }
}
