//! Many powers of one base: a table that is built once, kept in memory or in a file, and read by every thread.

pub(crate) mod lanes;
pub(crate) mod list_plan;
pub(crate) mod plan;
pub(crate) mod run;
#[cfg(feature = "files")]
pub(crate) mod stored;

use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::engine::execute::normalise::{inverse, trivial};
use crate::engine::execute::{Answer, Answers, Poll, Power, has_memory_for_results};
use crate::engine::plan::line::Forced;
use crate::engine::plan::{Explanation, FixedBaseProblem, ListPlan, Plan, Planner};
use crate::error::Error;
use crate::exponent::{Exponent, SecretExponent};
use crate::kernel::cpu;
use crate::kernel::registry::Form;
use crate::natural::{Integer, Natural, Wiped, chores};
use crate::work::column::AbsentRows;
use crate::work::fixed_base::run::{PreparedTable, Tables};
use crate::work::{Limits, Modulus, Options};
use core::fmt;
use std::sync::Arc;

/// Powers that share the cost of building a table, unless the caller says how many.
const DEFAULT_USES: u64 = 10_000;

/// A base, a modulus, and a table of powers of the base that makes every further power cheaper; cheap to clone, shared between
/// threads.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{FixedBase, Integer, Modulus, Options};
/// let modulus = Modulus::new("0xffffffffffffffc5".parse()?)?;
/// let base = FixedBase::new(&Integer::from(3u64), &modulus, 64, 1 << 14, &Options::default())?;
/// assert_eq!(base.pow(&Integer::from(40u64))?, modulus.pow(&Integer::from(3u64), &Integer::from(40u64))?);
/// # Ok::<(), pingala::Error>(())
/// ```
///
/// Leaks: base and exponents, by time and addresses.
#[derive(Clone)]
pub struct FixedBase {
    pub(crate) shared: Arc<Shared>,
}

/// Lengths and the plan, without base, modulus and table.
impl fmt::Debug for FixedBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (modulus_bits, exponent_bits) = (self.modulus().value().bits(), self.exponent_bits());
        write!(f, "<FixedBase modulo {modulus_bits} bits, exponents of {exponent_bits} bits: {}>", self.plan())
    }
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) modulus: Modulus,
    pub(crate) base: Natural,
    pub(crate) exponent_bits: u64,
    pub(crate) tables: Tables,
    pub(crate) notes: Vec<String>,
}

impl Shared {
    /// The power to a positive exponent.
    pub(crate) fn power_of<'a>(&'a self, exponent: &'a Exponent, poll: &'a Poll<'a>) -> Power<'a> {
        Power { modulus: &self.modulus.prepared, base: &self.base, exponent, poll }
    }
}

/// The expected use of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uses {
    /// About how many powers, at least 1: they share the cost of building.
    pub powers: u64,
    /// Whether most of them come in lists.
    pub in_lists: bool,
    /// Whether exponents are secret, for [`FixedBase::pow_sec`]; the modulus must then be odd.
    pub secret: bool,
}

impl Uses {
    /// This many powers, most of them in lists or most of them single.
    pub fn new(powers: u64, in_lists: bool) -> Self {
        Self { powers, in_lists, secret: false }
    }
}

impl Default for Uses {
    /// Ten thousand single powers.
    fn default() -> Self {
        DEFAULT_USES.into()
    }
}

impl From<u64> for Uses {
    /// Single powers.
    fn from(powers: u64) -> Self {
        Self::new(powers, false)
    }
}

impl FixedBase {
    /// A table for exponents of at most `exponent_bits` bits (either sign) that holds at most `memory_bytes`, for ten
    /// thousand powers or more. `options.plan` forces its plan by a line such as `comb(h=8, v=4)`.
    ///
    /// Errors: `bad_argument` if no table fits the memory, or for exponents of 0 bits; `too_long`; `bad_plan`;
    /// `interrupted`.
    pub fn new(
        base: &Integer,
        modulus: &Modulus,
        exponent_bits: u64,
        memory_bytes: u64,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        Self::for_uses(base, modulus, exponent_bits, memory_bytes, DEFAULT_USES, options)
    }

    /// A table as [`FixedBase::new`] builds it, for an expected use of at least one power: for few powers one that is cheaper to
    /// build, for lists one that lanes can share.
    pub fn for_uses(
        base: &Integer,
        modulus: &Modulus,
        exponent_bits: u64,
        memory_bytes: u64,
        uses: impl Into<Uses>,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        options.limits.check_exponent_bits(exponent_bits)?;
        let problem = problem(base.magnitude().is_even(), modulus, exponent_bits, memory_bytes, uses.into());
        let (kernel, line) = kernel_and_line(options)?;
        let plan = Planner::of_this_machine().plan_fixed_base(&problem, kernel, line)?;
        let base = chores::reduce(base, modulus.value());
        let poll = Poll::new(options.watch(), None);
        let tables = Tables::build(&modulus.prepared, &plan, &problem, &base, &poll)?;
        let modulus = modulus.clone();
        Ok(Self { shared: Arc::new(Shared { modulus, base, exponent_bits, tables, notes: Vec::new() }) })
    }

    /// Explains what [`FixedBase::for_uses`] would choose, without building it. Errors as there.
    pub fn explain(
        base: &Integer,
        modulus: &Modulus,
        exponent_bits: u64,
        memory_bytes: u64,
        uses: impl Into<Uses>,
        options: &Options<'_>,
    ) -> Result<Explanation<FixedBaseAlgorithm>, Error> {
        options.limits.check_exponent_bits(exponent_bits)?;
        let problem = problem(base.magnitude().is_even(), modulus, exponent_bits, memory_bytes, uses.into());
        let (kernel, line) = kernel_and_line(options)?;
        Planner::of_this_machine().explain_fixed_base(&problem, kernel, line)
    }

    /// base^exponent mod m, at least 0 and below m. For a negative exponent the power is inverted.
    ///
    /// Errors: `too_long` for an exponent longer than the table's; `not_invertible`.
    pub fn pow(&self, exponent: &Integer) -> Result<Natural, Error> {
        self.pow_with(exponent, &Options::default())
    }

    /// A power as [`FixedBase::pow`], with settings, of which only the watch is used. Further error: `interrupted`.
    pub fn pow_with(&self, exponent: &Integer, options: &Options<'_>) -> Result<Natural, Error> {
        if let Some(answer) = self.trivial_result(exponent) {
            return answer;
        }
        let poll = Poll::new(options.watch(), None);
        let positive = Exponent::of_nonzero(exponent.magnitude().clone());
        self.signed(self.shared.tables.power(&self.shared.power_of(&positive, &poll))?, exponent, &poll)
    }

    /// A power for each exponent, in order, each with its own error; on several threads, which share the table, and in
    /// lanes if that is cheaper. `options.kernel` and `options.plan` force a choice.
    ///
    /// Errors: `bad_plan`; `interrupted`.
    pub fn pow_list(&self, exponents: &[Integer], options: &Options<'_>) -> Result<Vec<Result<Natural, Error>>, Error> {
        self.powers(exponents.len(), |index| &exponents[index], AbsentRows::default(), options)
    }

    /// [`FixedBase::pow_list`] for `count` exponents, of which some are absent. Errors as there.
    pub(crate) fn powers<'e>(
        &self,
        count: usize,
        exponent: impl Fn(usize) -> &'e Integer + Sync,
        absent: AbsentRows<'_>,
        options: &Options<'_>,
    ) -> Result<Vec<Answer>, Error> {
        has_memory_for_results((0..count).map(|_| self.modulus().value().bits()))?;
        let (mut trivial_results, mut places, mut positive) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..count {
            let exponent = exponent(index);
            let absent = absent.has(index).then(|| Ok(Natural::default()));
            match absent.or_else(|| self.trivial_result(exponent)) {
                Some(answer) => trivial_results.push((index, answer)),
                None => {
                    places.push(index);
                    positive.push(Exponent::of_nonzero(exponent.magnitude().clone()));
                }
            }
        }
        let list = self.share_out(places.len(), count, options)?;
        let answers = Answers::new(count, trivial_results, options.watch());
        let finish = |at: usize, power: Answer| {
            let (index, poll) = (places[at], Poll::new(options.watch(), None));
            (index, power.and_then(|power| self.signed(power, exponent(index), &poll)))
        };
        self.shared.power_list(&list, &positive, finish, answers)
    }

    /// The plan of [`FixedBase::pow_list`] for `count` powers, such as `batch(.. x count)`: a line for `options.plan`. Error:
    /// `bad_plan`.
    pub fn plan_list(&self, count: usize, options: &Options<'_>) -> Result<Plan<FixedBaseAlgorithm>, Error> {
        Ok(self.share_out(count, count, options)?.plan)
    }

    /// Shares out the `count` powers of a list of `length` that are neither 0th nor refused.
    fn share_out(
        &self,
        count: usize,
        length: usize,
        options: &Options<'_>,
    ) -> Result<ListPlan<FixedBaseAlgorithm>, Error> {
        let forced = Forced::read(options.kernel, options.plan)?.of_each(length)?;
        let (planner, table) = (Planner::of_this_machine(), self.shared.tables.plan());
        planner.share_out_table(&self.problem(), &table, count, options.thread_budget(), &forced)
    }

    /// The result of a power that needs no work.
    fn trivial_result(&self, exponent: &Integer) -> Option<Answer> {
        trivial(self.shared.modulus.value(), exponent, self.shared.exponent_bits)
    }

    /// The power, or for a negative exponent its inverse.
    fn signed(&self, power: Natural, exponent: &Integer, poll: &Poll<'_>) -> Answer {
        if exponent.is_negative() { inverse(&power.into(), self.shared.modulus.value(), poll) } else { Ok(power) }
    }

    /// Computes a power in constant time, canonical, in the limbs of a residue of its kernel. Checks the lengths.
    pub(crate) fn secret_power(
        &self,
        exponent: &SecretExponent,
        options: &Options<'_>,
        poll: &Poll<'_>,
    ) -> Result<Wiped, Error> {
        Limits::new(u64::MAX, self.shared.exponent_bits).check_exponent_bits(exponent.bits() as u64)?;
        let (part, form) = self.secret_part(options)?;
        if self.shared.modulus.value().is_one() {
            return Ok(Wiped::default());
        }
        let other = (form != part.form).then(|| self.shared.modulus.prepared.ring(&form)).transpose()?;
        part.secret_power(&form, other.as_ref().unwrap_or(&part.ring), exponent, poll)
    }

    /// Expected nanoseconds of a secret power. Errors: those of [`FixedBase::pow_sec`] for the table.
    pub(crate) fn secret_nanoseconds(&self, options: &Options<'_>) -> Result<f64, Error> {
        let (part, form) = self.secret_part(options)?;
        let (algorithm, bits) = (&part.table.algorithm, part.table.exponent_bits);
        Ok(Planner::of_this_machine().secret_table_nanoseconds(&form, algorithm, bits))
    }

    /// The table modulo the odd number, and the constant-time form that reads it.
    fn secret_part(&self, options: &Options<'_>) -> Result<(&PreparedTable, Form), Error> {
        let part = match &self.shared.tables.0[..] {
            [part] if part.form.kernel.odd() => part,
            _ => return Err(Error::BadPlan("a table for secret exponents takes an odd modulus".into())),
        };
        let table = &part.table;
        if table.algorithm.scanned(table.exponent_bits).is_none() {
            let why = format!("{} branches on the exponent: build the table for secrets", table.algorithm);
            return Err(Error::BadPlan(why));
        }
        if options.kernel.is_none() && part.form.kernel.entry().constant_time {
            return Ok((part, part.form));
        }
        let (bits, planner) = (self.shared.modulus.value().bits() as usize, Planner::of_this_machine());
        let (algorithm, exponent_bits) = (&table.algorithm, table.exponent_bits);
        let forms = planner.forms_of_table((true, bits), algorithm, exponent_bits, true, options.kernel)?;
        let form = forms.into_iter().find(|form| form.layout(bits) == table.layout).ok_or_else(|| {
            Error::BadPlan("no constant-time kernel of this CPU reads this table: build it for secrets".into())
        })?;
        Ok((part, form))
    }

    /// Computes every entry again and compares. Errors: `fault` if one differs; `interrupted`.
    pub fn verify(&self, options: &Options<'_>) -> Result<(), Error> {
        let Shared { modulus, base, tables, .. } = &*self.shared;
        let poll = Poll::new(options.watch(), None);
        let anew = Tables::build(&modulus.prepared, &self.shared.tables.plan(), &self.problem(), base, &poll)?;
        if tables.holds_what(&anew)? { Ok(()) } else { Err(Error::Fault("an entry of the table is wrong")) }
    }

    /// The base, in 0..m.
    pub fn base(&self) -> &Natural {
        &self.shared.base
    }

    /// The modulus.
    pub fn modulus(&self) -> &Modulus {
        &self.shared.modulus
    }

    /// Length of the longest exponent, in bits.
    pub fn exponent_bits(&self) -> u64 {
        self.shared.exponent_bits
    }

    /// The plan that its powers follow.
    pub fn plan(&self) -> Plan<FixedBaseAlgorithm> {
        self.shared.tables.plan()
    }

    /// Bytes that its tables occupy, in memory or in the mapped file.
    pub fn table_bytes(&self) -> u64 {
        self.shared.tables.bytes() as u64
    }

    /// Number of entries of its tables.
    pub fn entries(&self) -> u64 {
        self.shared.tables.entries() as u64
    }

    /// Remarks about how it was loaded, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.shared.notes
    }

    fn problem(&self) -> FixedBaseProblem {
        let Shared { modulus, base, exponent_bits, tables, .. } = &*self.shared;
        problem(base.is_even(), modulus, *exponent_bits, tables.bytes() as u64, Uses::from(1))
    }
}

/// Describes the work to the planner. Modulo an even number the parity of the base is that of its residue.
fn problem(
    even_base: bool,
    modulus: &Modulus,
    exponent_bits: u64,
    memory_bytes: u64,
    Uses { powers: uses, in_lists, secret }: Uses,
) -> FixedBaseProblem {
    let facts = modulus.prepared.facts();
    let (modulus_bits, trailing_zeros) = (facts.bits(), facts.trailing_zeros());
    FixedBaseProblem { modulus_bits, trailing_zeros, even_base, exponent_bits, memory_bytes, uses, in_lists, secret }
}

/// The kernel and the line that are forced. `PINGALA_PLAN` is for single powers and says nothing here.
fn kernel_and_line<'a>(options: &Options<'a>) -> Result<(Option<&'a str>, Option<&'a str>), Error> {
    cpu::masked()?;
    let kernel = match options.plan {
        Some(_) => options.kernel,
        None => options.resolved()?.kernel,
    };
    Ok((kernel, options.plan))
}
