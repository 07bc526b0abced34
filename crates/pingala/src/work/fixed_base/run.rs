//! Runs methods for a fixed base on a kernel's ring: a table that many threads read, and work registers for each run.

use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::algorithm::{BASE, Monoid, Register};
use crate::engine::execute::even::{self, Reduced};
use crate::engine::execute::poll::Poll;
use crate::engine::execute::prepared::Prepared;
use crate::engine::plan::parts::{Divisible, PlannedPart};
use crate::engine::plan::{FixedBaseProblem, Plan};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::kernel::cache_line::{self, prefetch};
use crate::kernel::registry::Form;
use crate::kernel::{Ring, SharedRing};
use crate::natural::Natural;
use crate::table::{OwnedWords, Table, Words};
use smallvec::SmallVec;

/// The entries behind registers 0 to `entries - 1`: all there, or being written.
enum Entries<'t> {
    Built(&'t [u64]),
    Building(&'t mut [u64]),
}

impl Entries<'_> {
    fn words(&self) -> &[u64] {
        match self {
            Entries::Built(words) => words,
            Entries::Building(words) => words,
        }
    }
}

/// Places in front of the work registers, which entries of the table come to before a product: one for the first operand,
/// two in turn for the second. A copy right before its product would wait for a far table, and the product for the copy; the
/// methods announce an entry one product ahead, so that both overlap.
const STAGES: usize = 3;
/// The work place of the first operand.
const FIRST: usize = 0;
/// The work places of the second operands.
const SECOND: [usize; 2] = [1, 2];

/// A table, and work registers of one run.
struct TableResidues<'r> {
    ring: &'r dyn Ring<u64>,
    entries: Entries<'r>,
    /// Number of entries.
    count: usize,
    packed_words: usize,
    words: usize,
    /// The entries on the stages for second operands, and which of these was filled last.
    staged: [Option<Register>; 2],
    newest: usize,
    /// The start of the first stage, at a cache line.
    origin: usize,
    arena: Vec<u64>,
    scratch: Vec<u64>,
    poll: &'r Poll<'r>,
}

impl<'r> TableResidues<'r> {
    fn new(ring: &'r dyn Ring<u64>, entries: Entries<'r>, work: usize, poll: &'r Poll<'r>) -> Self {
        let (words, packed_words) = (ring.words(), ring.packed_words());
        let arena = vec![0; (STAGES + work) * words + cache_line::spare::<u64>()];
        Self {
            ring,
            count: entries.words().len() / packed_words,
            entries,
            packed_words,
            words,
            staged: [None; 2],
            newest: 0,
            origin: cache_line::first_word(&arena),
            arena,
            scratch: vec![0; ring.scratch_words()],
            poll,
        }
    }

    /// The offset of a stage or, behind them, of a work register.
    fn at(&self, place: usize) -> usize {
        self.origin + place * self.words
    }

    /// Brings an entry to a stage.
    fn unpack(&mut self, entry: Register, stage: usize) -> usize {
        let at = self.at(stage);
        let packed = &self.entries.words()[entry.0 * self.packed_words..][..self.packed_words];
        self.ring.unpack(&mut self.arena, at, packed);
        at
    }

    /// The offset of a first operand: a work register in its place, an entry on its stage.
    fn first(&mut self, register: Register) -> usize {
        match register.0.checked_sub(self.count) {
            Some(work) => self.at(STAGES + work),
            None => self.unpack(register, FIRST),
        }
    }

    /// The offset of a second operand, which may be staged already.
    fn second(&mut self, register: Register) -> usize {
        if let Some(work) = register.0.checked_sub(self.count) {
            return self.at(STAGES + work);
        }
        if let Some(place) = self.staged.iter().position(|&staged| staged == Some(register)) {
            return self.at(SECOND[place]);
        }
        self.newest = 1 - self.newest;
        self.staged[self.newest] = Some(register);
        self.unpack(register, SECOND[self.newest])
    }

    /// The offset at which a result is computed. For an entry it is the first stage, because `out` may be the first operand.
    fn result(&self, register: Register) -> usize {
        self.at(register.0.checked_sub(self.count).map_or(FIRST, |work| STAGES + work))
    }

    /// Copies a result to its entry, if it has one.
    fn apply_pending(&mut self, register: Register) {
        let from = self.at(FIRST);
        self.staged = self.staged.map(|staged| staged.filter(|&staged| staged != register));
        if let (true, Entries::Building(words)) = (register.0 < self.count, &mut self.entries) {
            let packed = &mut words[register.0 * self.packed_words..][..self.packed_words];
            self.ring.pack(packed, &self.arena, from);
        }
    }

    /// Brings a number into an entry or a work register.
    fn set(&mut self, out: Register, value: &Natural) {
        let at = self.result(out);
        self.ring.enter(&mut self.arena, at, value.limbs(), &mut self.scratch);
        self.apply_pending(out);
    }

    /// The canonical number in a register.
    fn take(&mut self, from: Register) -> Natural {
        let at = self.first(from);
        let mut value = SmallVec::from_elem(0, self.words);
        self.ring.leave(&mut value, &self.arena, at, &mut self.scratch);
        Natural::from_limb_buffer(value)
    }
}

impl Monoid for TableResidues<'_> {
    type Digit = usize;

    fn one(&mut self, out: Register) {
        let at = self.result(out);
        self.ring.one(&mut self.arena, at, &mut self.scratch);
        self.apply_pending(out);
    }

    fn copy(&mut self, out: Register, from: Register) {
        let (from, at) = (self.first(from), self.result(out));
        self.arena.copy_within(from..from + self.words, at);
        self.apply_pending(out);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        if self.poll.go_on() {
            let (a, b, at) = (self.first(a), self.second(b), self.result(out));
            self.ring.mul(&mut self.arena, at, a, b, &mut self.scratch);
            self.apply_pending(out);
        }
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        if count == 0 {
            return self.copy(out, a);
        }
        let (mut a, at) = (self.first(a), self.result(out));
        for _ in 0..count {
            if !self.poll.go_on() {
                return;
            }
            self.ring.sqr(&mut self.arena, at, a, &mut self.scratch);
            a = at;
        }
        self.apply_pending(out);
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.mul(out, a, BASE);
    }

    fn announce(&mut self, register: Register) {
        if register.0 < self.count {
            self.second(register);
        }
    }

    fn prefetch(&mut self, register: Register) {
        let entry = register.0 * self.packed_words;
        if let Some(packed) = self.entries.words().get(entry..entry + self.packed_words) {
            prefetch(packed);
        }
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: usize) {
        debug_assert!(digit < length);
        self.copy(out, Register(first.0 + digit));
    }
}

/// A table with the ring that it is for.
#[derive(Debug)]
pub(crate) struct PreparedTable {
    pub(crate) ring: SharedRing,
    pub(crate) form: Form,
    pub(crate) table: Table,
}

impl PreparedTable {
    /// Makes a table whose entries `fill` writes. Errors: `interrupted`; `bad_argument` without memory.
    fn filled(
        modulus: &Prepared,
        form: &Form,
        algorithm: FixedBaseAlgorithm,
        exponent_bits: usize,
        poll: &Poll<'_>,
        fill: impl FnOnce(&FixedBaseAlgorithm, &mut TableResidues<'_>),
    ) -> Result<Self, Error> {
        let (ring, layout) = (modulus.ring(form)?, form.layout(part_bits(modulus, form)));
        debug_assert_eq!(layout.limbs, ring.packed_words());
        let mut words = OwnedWords::zeros(algorithm.entries(exponent_bits), layout.limbs)?;
        let poll = poll.for_words(ring.words());
        fill(&algorithm, &mut TableResidues::new(&*ring, Entries::Building(words.as_mut_slice()), 0, &poll));
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        let table = Table { algorithm, exponent_bits, layout, words: Words::Owned(words) };
        Ok(Self { ring, form: *form, table })
    }

    /// Builds the table of one part. Errors: `interrupted`; `bad_argument` without memory.
    pub(crate) fn build(
        modulus: &Prepared,
        algorithm: &FixedBaseAlgorithm,
        form: &Form,
        exponent_bits: usize,
        base: &Natural,
        poll: &Poll<'_>,
    ) -> Result<Self, Error> {
        Self::filled(modulus, form, algorithm.clone(), exponent_bits, poll, |algorithm, residues| {
            residues.set(BASE, base);
            algorithm.build(exponent_bits, residues);
        })
    }

    /// The power to an exponent that is not longer than the table's, canonical.
    fn power(&self, exponent: &Exponent, poll: &Poll<'_>) -> Result<Natural, Error> {
        poll.walked(1, &format_args!("{} on {}", self.table.algorithm, self.form));
        let Table { algorithm, exponent_bits, words, .. } = &self.table;
        debug_assert!(exponent.bits() <= *exponent_bits);
        let poll = poll.for_words(self.ring.words());
        let work = algorithm.work_registers(*exponent_bits);
        let mut residues = TableResidues::new(&*self.ring, Entries::Built(words.as_slice()), work, &poll);
        let result = algorithm.run(*exponent_bits, exponent, &mut residues);
        if poll.halted() {
            return Err(Error::Interrupted);
        }
        Ok(residues.take(result))
    }

    /// One entry as a number.
    pub(crate) fn number(&self, index: usize) -> Natural {
        let poll = Poll::none();
        TableResidues::new(&*self.ring, Entries::Built(self.table.words.as_slice()), 0, &poll).take(Register(index))
    }

    /// Every entry as a number and as the one packed residue that entering the number gives, in order. Error: the first of `visit`.
    pub(crate) fn each_entry(
        &self,
        mut visit: impl FnMut(usize, Natural, &[u64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (poll, count) = (Poll::none(), self.table.entries());
        let words = self.table.words.as_slice();
        let mut residues = TableResidues::new(&*self.ring, Entries::Built(words), 1, &poll);
        let mut packed = vec![0; residues.packed_words];
        for index in 0..count {
            let number = residues.take(Register(index));
            residues.set(Register(count), &number);
            let at = residues.at(STAGES);
            self.ring.pack(&mut packed, &residues.arena, at);
            visit(index, number, &packed)?;
        }
        Ok(())
    }

    /// Makes a table of numbers, entered into this form. Error: `bad_argument` without memory.
    #[cfg(feature = "files")]
    pub(crate) fn of_numbers(
        modulus: &Prepared,
        form: &Form,
        algorithm: FixedBaseAlgorithm,
        exponent_bits: usize,
        numbers: impl Iterator<Item = Natural>,
    ) -> Result<Self, Error> {
        Self::filled(modulus, form, algorithm, exponent_bits, &Poll::none(), |_, residues| {
            numbers.enumerate().for_each(|(index, number)| residues.set(Register(index), &number));
        })
    }
}

/// The error for tables that are not those of their modulus.
pub(crate) const LACKS_A_PART: Error = Error::Fault("a table lacks a part");

/// Bits of the odd part, or the k of 2^k.
pub(crate) fn part_bits(modulus: &Prepared, form: &Form) -> usize {
    let facts = modulus.facts();
    (if form.kernel.odd() { facts.odd().bits() } else { facts.trailing_zeros() }) as usize
}

/// The tables of one base modulo one number: of its odd part, of its power of two, or of both in this order.
#[derive(Debug)]
pub(crate) struct Tables(pub(crate) Vec<PreparedTable>);

impl Tables {
    /// Builds the planned tables for a canonical base. Errors: `interrupted`; `bad_argument` without memory.
    pub(crate) fn build(
        modulus: &Prepared,
        plan: &Plan<FixedBaseAlgorithm>,
        problem: &FixedBaseProblem,
        base: &Natural,
        poll: &Poll<'_>,
    ) -> Result<Self, Error> {
        let parts = pairs(plan.runs(), problem.parts())?.map(|((algorithm, form), part)| {
            debug_assert_eq!(form.kernel.odd(), part.is_odd());
            PreparedTable::build(modulus, algorithm, form, part.exponent_bits as usize, base, poll)
        });
        Ok(Self(parts.collect::<Result<_, _>>()?))
    }

    /// The table modulo the odd part, or modulo the power of two.
    pub(crate) fn part(&self, odd: bool) -> Option<&PreparedTable> {
        self.0.iter().find(|part| part.form.kernel.odd() == odd)
    }

    /// Computes base^exponent, canonical, for an exponent of at most the declared length. Error: `interrupted`.
    pub(crate) fn power(
        &self,
        modulus: &Prepared,
        base: &Natural,
        exponent: &Exponent,
        poll: &Poll<'_>,
    ) -> Result<Natural, Error> {
        let modulo_odd = self.part(true).map(|part| part.power(exponent, poll)).transpose()?;
        self.recombined(modulus, base, exponent, modulo_odd, poll)
    }

    /// Computes the power from the one modulo the odd part.
    pub(crate) fn recombined(
        &self,
        modulus: &Prepared,
        base: &Natural,
        exponent: &Exponent,
        modulo_odd: Option<Natural>,
        poll: &Poll<'_>,
    ) -> Result<Natural, Error> {
        let Some(two) = self.part(false) else { return modulo_odd.ok_or(LACKS_A_PART) };
        let modulo_two = match even::reduce_exponent(base, exponent, modulus.facts().trailing_zeros()) {
            Reduced::Known(result) => result,
            Reduced::Exponent(exponent) => two.power(&exponent, poll)?,
        };
        let Some(mut result) = modulo_odd else { return Ok(modulo_two) };
        even::recombine(modulus, &mut result, &modulo_two);
        Ok(result)
    }

    /// The plan that they follow.
    pub(crate) fn plan(&self) -> Plan<FixedBaseAlgorithm> {
        let run = |part: &PreparedTable| Plan::Run { algorithm: part.table.algorithm.clone(), form: part.form };
        match &self.0[..] {
            [odd, two] => Plan::Even { odd: Box::new(run(odd)), two: Box::new(run(two)) },
            [part] => run(part),
            _ => unreachable!("a modulus has an odd part, a power of two, or both"),
        }
    }

    /// Whether both hold the same numbers.
    pub(crate) fn holds_what(&self, other: &Self) -> Result<bool, Error> {
        let mut same = true;
        for (part, other) in pairs(&self.0, &other.0)? {
            part.each_entry(|index, number, _| {
                same &= number == other.number(index);
                Ok(())
            })?;
        }
        Ok(same)
    }

    /// Entries of all tables.
    pub(crate) fn entries(&self) -> usize {
        self.0.iter().map(|part| part.table.entries()).sum()
    }

    /// Bytes that they hold.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|part| part.table.bytes()).sum()
    }
}
