//! Runs methods for a fixed base on a kernel's ring: a table that many threads read, and work registers for each run.

use crate::algorithm::fixed_base::{FixedBaseAlgorithm, ScannedTable};
use crate::algorithm::{BASE, Monoid, Register};
use crate::engine::execute::{
    Poll, Power, Prepared, Public, Reduced, RingResidues, Secret, Selection, even, with_registers,
};
use crate::engine::plan::parts::{Divisible, PlannedPart};
use crate::engine::plan::{FixedBaseProblem, Plan};
use crate::error::{Error, pairs};
use crate::exponent::{Exponent, SecretDigit, SecretExponent};
use crate::kernel::cache_line::prefetch;
use crate::kernel::registry::Form;
use crate::kernel::{Ring, SharedRing};
use crate::natural::{Natural, Wiped};
use crate::table::{OwnedWords, Table, Words};

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
const FIRST: Register = Register(0);
const SECOND: [Register; 2] = [Register(1), Register(2)];

/// A table, and the work registers of one run behind it. A run with a secret exponent reads all entries that a selection could return,
/// and wipes its memory.
struct TableResidues<'r, S: Selection<u64>> {
    ring: &'r dyn Ring<u64>,
    residues: RingResidues<'r, u64, S>,
    entries: Entries<'r>,
    /// Number of entries.
    count: usize,
    packed_words: usize,
    /// The entries on the stages for second operands, and which of these was filled last.
    staged: [Option<Register>; 2],
    newest: usize,
    /// For secrets: 1 as the table would hold it, and the entry that was selected last.
    one: Vec<u64>,
    scanned: Wiped,
}

/// Calls `run` with a table and `work` registers behind it. Errors: those of `run`; `bad_plan` without memory.
fn with_table<S: Selection<u64>, T>(
    ring: &dyn Ring<u64>,
    entries: Entries<'_>,
    work: usize,
    poll: &Poll<'_>,
    run: impl FnOnce(&mut TableResidues<'_, S>) -> Result<T, Error>,
) -> Result<T, Error> {
    let packed_words = ring.packed_words();
    let count = entries.words().len() / packed_words;
    with_registers(ring, STAGES + work, poll, |mut residues: RingResidues<'_, u64, S>| {
        let (mut one, mut scanned) = (Vec::new(), Wiped::default());
        if S::SECRET {
            (one, scanned) = (vec![0; packed_words], Wiped::new(vec![0; packed_words]));
            residues.one(FIRST);
            residues.pack(&mut one, FIRST);
        }
        let staged = [None; 2];
        run(&mut TableResidues { ring, residues, entries, count, packed_words, staged, newest: 0, one, scanned })
    })
}

impl<S: Selection<u64>> TableResidues<'_, S> {
    /// The packed residue of an entry, if there is one.
    fn entry(&self, register: Register) -> Option<&[u64]> {
        self.entries.words().get(register.0 * self.packed_words..)?.get(..self.packed_words)
    }

    /// The place of a work register; none for an entry.
    fn work(&self, register: Register) -> Option<Register> {
        register.0.checked_sub(self.count).map(|work| Register(STAGES + work))
    }

    /// Brings an entry to a stage.
    fn unpack(&mut self, entry: Register, stage: Register) -> Register {
        let packed = &self.entries.words()[entry.0 * self.packed_words..][..self.packed_words];
        self.residues.unpack(stage, packed);
        stage
    }

    /// The place of a first operand: a work register in its own, an entry on its stage.
    fn first(&mut self, register: Register) -> Register {
        self.work(register).unwrap_or_else(|| self.unpack(register, FIRST))
    }

    /// The place of a second operand, which may be staged already.
    fn second(&mut self, register: Register) -> Register {
        if let Some(work) = self.work(register) {
            return work;
        }
        if let Some(place) = self.staged.iter().position(|&staged| staged == Some(register)) {
            return SECOND[place];
        }
        self.newest = 1 - self.newest;
        self.staged[self.newest] = Some(register);
        self.unpack(register, SECOND[self.newest])
    }

    /// The place at which a result is computed. For an entry it is the first stage, because `out` may be the first operand.
    fn result(&self, register: Register) -> Register {
        self.work(register).unwrap_or(FIRST)
    }

    /// Copies a result to its entry, if it has one.
    fn store(&mut self, register: Register) {
        self.staged = self.staged.map(|staged| staged.filter(|&staged| staged != register));
        if let (true, Entries::Building(words)) = (register.0 < self.count, &mut self.entries) {
            self.residues.pack(&mut words[register.0 * self.packed_words..][..self.packed_words], FIRST);
        }
    }

    /// Brings a number into an entry or a work register.
    fn set(&mut self, out: Register, value: &Natural) {
        self.residues.set(self.result(out), value.limbs());
        self.store(out);
    }
}

impl<S: Selection<u64>> Monoid for TableResidues<'_, S> {
    type Digit = S::Digit;

    fn one(&mut self, out: Register) {
        self.residues.one(self.result(out));
        self.store(out);
    }

    fn copy(&mut self, out: Register, from: Register) {
        let from = self.first(from);
        self.residues.copy(self.result(out), from);
        self.store(out);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        if !self.halted() {
            let (a, b) = (self.first(a), self.second(b));
            self.residues.mul(self.result(out), a, b);
            self.store(out);
        }
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        if !self.halted() {
            let a = self.first(a);
            self.residues.sqr_n(self.result(out), a, count);
            self.store(out);
        }
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.mul(out, a, BASE);
    }

    fn halted(&self) -> bool {
        self.residues.halted()
    }

    fn announce(&mut self, register: Register) {
        if register.0 < self.count {
            self.second(register);
        }
    }

    fn prefetch(&mut self, register: Register) {
        self.entry(register).inspect(|packed| prefetch(packed));
    }

    /// Reads the one entry of a public digit; a secret one goes to [`ScannedTable::select_or_one`].
    fn select(&mut self, out: Register, first: Register, length: usize, digit: S::Digit) {
        let entry = S::public(digit).filter(|&entry| entry < length).expect("a public digit below the length");
        self.copy(out, Register(first.0 + entry));
    }
}

impl ScannedTable for TableResidues<'_, Secret> {
    fn select_or_one(&mut self, out: Register, first: Register, length: usize, digit: SecretDigit) {
        // The cancellation flag is public.
        if self.halted() {
            return;
        }
        let (out, words) = (self.result(out), self.packed_words);
        let table = &self.entries.words()[first.0 * words..][..length * words];
        #[cfg(pingala_planted_leak = "table")]
        planted::touch(table, words, digit);
        self.ring.scan_packed(&mut self.scanned, &self.one, table, digit);
        self.residues.unpack(out, &self.scanned);
    }
}

/// PLANTED LEAK, for the constant-time gate's test of itself: the entry that a secret digit takes, by its address.
#[cfg(pingala_planted_leak = "table")]
mod planted {
    use crate::exponent::SecretDigit;

    #[inline(never)]
    pub(crate) fn touch(table: &[u64], words: usize, digit: SecretDigit) {
        // A table has 2^h - 1 entries.
        let entry = digit.for_vectors() as usize & (table.len() / words / 2);
        core::hint::black_box(table[entry * words]);
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
        fill: impl FnOnce(&FixedBaseAlgorithm, &mut TableResidues<'_, Public>),
    ) -> Result<Self, Error> {
        let (ring, layout) = (modulus.ring(form)?, form.layout(part_bits(modulus, form)));
        debug_assert_eq!(layout.limbs, ring.packed_words());
        let mut words = OwnedWords::zeros(algorithm.entries(exponent_bits), layout.limbs)?;
        with_table::<Public, _>(&*ring, Entries::Building(words.as_mut_slice()), 0, poll, |residues| {
            fill(&algorithm, residues);
            if residues.halted() { Err(Error::Interrupted) } else { Ok(()) }
        })?;
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
        let work = algorithm.work_registers(*exponent_bits);
        with_table::<Public, _>(&*self.ring, Entries::Built(words.as_slice()), work, poll, |residues| {
            let result = algorithm.run(*exponent_bits, exponent, residues);
            let at = residues.first(result);
            residues.residues.number(at, 0)
        })
    }

    /// The power to an exponent whose declared width is at most the table's, canonical, on the ring of a constant-time form with the
    /// table's layout. Errors: `bad_plan` for a table whose method has no uniform run; `interrupted`.
    ///
    /// Leaks: the base, the modulus, the table, the number of limbs of the exponent.
    pub(crate) fn secret_power(
        &self,
        form: &Form,
        ring: &SharedRing,
        exponent: &SecretExponent,
        poll: &Poll<'_>,
    ) -> Result<Wiped, Error> {
        /// Registers behind the table.
        const WORK: usize = 2;
        let Table { algorithm, exponent_bits, words, .. } = &self.table;
        poll.walked(1, &format_args!("{algorithm} on {form}"));
        with_table::<Secret, _>(&**ring, Entries::Built(words.as_slice()), WORK, poll, |residues| {
            let result = algorithm.run_uniform(*exponent_bits, exponent, residues);
            let result = result.ok_or_else(|| Error::BadPlan(format!("{algorithm} branches on the exponent")))?;
            let result = residues.work(result).ok_or(Error::Fault("the result of a secret power is an entry"))?;
            residues.residues.secret(result)
        })
    }

    /// Every entry as a number and as the one packed residue that entering the number gives, in order. Errors: those of `visit`;
    /// `bad_plan` without memory.
    pub(crate) fn each_entry(
        &self,
        mut visit: impl FnMut(usize, Natural, &[u64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let words = self.table.words.as_slice();
        with_table::<Public, _>(&*self.ring, Entries::Built(words), 0, &Poll::none(), |residues| {
            let mut packed = vec![0; residues.packed_words];
            (0..residues.count).try_for_each(|index| {
                let at = residues.first(Register(index));
                let number = residues.residues.number(at, 0)?;
                residues.residues.set(FIRST, number.limbs());
                residues.residues.pack(&mut packed, FIRST);
                visit(index, number, &packed)
            })
        })
    }

    /// One entry as a number. Error: `bad_plan` without memory.
    pub(crate) fn number(&self, index: usize) -> Result<Natural, Error> {
        let entries = Entries::Built(self.table.words.as_slice());
        with_table::<Public, _>(&*self.ring, entries, 0, &Poll::none(), |residues| {
            let at = residues.first(Register(index));
            residues.residues.number(at, 0)
        })
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

    /// Computes the power of their base, for an exponent of at most the declared length. Error: `interrupted`.
    pub(crate) fn power(&self, of: &Power<'_>) -> Result<Natural, Error> {
        let modulo_odd = self.part(true).map(|part| part.power(of.exponent, of.poll)).transpose()?;
        self.recombined(of, modulo_odd)
    }

    /// Computes the power from the one modulo the odd part.
    pub(crate) fn recombined(&self, of: &Power<'_>, modulo_odd: Option<Natural>) -> Result<Natural, Error> {
        let Some(two) = self.part(false) else { return modulo_odd.ok_or(Error::Fault("a table lacks a part")) };
        let modulo_two = match even::reduce_exponent(of.base, of.exponent, of.modulus.facts().trailing_zeros()) {
            Reduced::Known(result) => result,
            Reduced::Exponent(exponent) => two.power(&exponent, of.poll)?,
        };
        let Some(mut result) = modulo_odd else { return Ok(modulo_two) };
        even::recombine(of.modulus, &mut result, &modulo_two);
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
                same &= number == other.number(index)?;
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
