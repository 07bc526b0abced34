//! Plans tables for fixed bases: the cheapest method, parameters and kernel within a memory limit.

use crate::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use crate::algorithm::{Counts, ExpectedCost, Wanted};
use crate::engine::plan::FixedBaseProblem;
use crate::engine::plan::explain::ExplanationBasis;
use crate::engine::plan::line::Line;
use crate::engine::plan::parts::{Divisible, PartRequest, decompose};
use crate::engine::plan::summary::{Row, Summary, SummaryPart};
use crate::engine::plan::{FactorShape, FormPrice, Plan, Planner};
use crate::error::Error;
use crate::exponent::order;
use crate::kernel::registry::{Form, Layout};
use crate::kernel::spec::KernelSpec;
use core::fmt;

/// Longest exponent that a table is planned for, in bits.
const MAX_EXPONENT_BITS: u64 = 1 << 26;
/// Most entries of a table.
const MAX_ENTRIES: u64 = 1 << LOG_MAX_ENTRIES;
const LOG_MAX_ENTRIES: u32 = 30;

/// One part of the work, with a table: modulo an odd number of `bits` bits, or modulo 2^`bits`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TablePart {
    pub(crate) odd: bool,
    pub(crate) bits: usize,
    pub(crate) exponent_bits: usize,
    memory_bytes: u64,
    uses: f64,
    in_lists: bool,
    secret: bool,
}

impl FixedBaseProblem {
    fn check(&self) -> Result<(), Error> {
        if self.modulus_bits <= self.trailing_zeros {
            return Err(Error::BadArgument("the modulus must have more bits than trailing zeros".into()));
        }
        if self.exponent_bits == 0 || self.uses == 0 {
            return Err(Error::BadArgument(
                "a table needs exponents of at least one bit, and at least one expected use".into(),
            ));
        }
        if self.secret && self.trailing_zeros > 0 {
            return Err(Error::BadArgument("a table for secret exponents takes an odd modulus".into()));
        }
        let (length, cap) = (self.exponent_bits, MAX_EXPONENT_BITS);
        if length > cap { Err(Error::TooLong { what: "exponent", length, cap }) } else { Ok(()) }
    }

    /// Each part that has a table, odd or not, and the length of its exponents.
    pub(crate) fn tables(&self) -> Vec<(bool, usize)> {
        self.parts().into_vec().iter().map(|part| (part.odd, part.exponent_bits)).collect()
    }

    /// Exponents modulo 2^k. Odd residues form a group of exponent 2^(k-2); the powers of an even base are 0 from
    /// exponent k on.
    fn two_exponent_bits(&self) -> u64 {
        let k = self.trailing_zeros;
        let longest = if self.even_base { k.max(1).ilog2() as u64 + 1 } else { k.saturating_sub(2).max(1) };
        self.exponent_bits.min(longest)
    }

    fn part(&self, odd: bool, bits: u64, exponent_bits: u64, memory_bytes: u64) -> TablePart {
        let (bits, exponent_bits) = (bits as usize, exponent_bits as usize);
        let (uses, in_lists, secret) = (self.uses as f64, self.in_lists && !self.secret, self.secret);
        TablePart { odd, bits, exponent_bits, memory_bytes, uses, in_lists, secret }
    }
}

impl Divisible for FixedBaseProblem {
    type Part = TablePart;

    fn factors(&self) -> &[FactorShape] {
        &[]
    }

    fn modulo(&self, _factor: FactorShape) -> Self {
        self.clone()
    }

    fn lengths(&self) -> (u64, u64) {
        (self.modulus_bits - self.trailing_zeros, self.trailing_zeros)
    }

    /// It may take all that the power of two leaves.
    fn odd(&self) -> TablePart {
        self.part(true, self.lengths().0, self.exponent_bits, self.memory_bytes)
    }

    /// Next to an odd part it gets its share of the memory by length, and two entries of words at least.
    fn two(&self) -> TablePart {
        let share = u128::from(self.memory_bytes) * u128::from(self.trailing_zeros) / u128::from(self.modulus_bits);
        let least = 2 * size_of::<u64>() as u64 * self.trailing_zeros.div_ceil(64);
        let memory_bytes = if self.lengths().0 > 1 { least.max(share as u64) } else { u64::MAX };
        let memory_bytes = memory_bytes.min(self.memory_bytes);
        self.part(false, self.trailing_zeros, self.two_exponent_bits(), memory_bytes)
    }
}

/// One method on one kernel, with its costs.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedBaseCandidate {
    /// The method.
    pub algorithm: FixedBaseAlgorithm,
    /// Its kernel.
    pub form: Form,
    /// Entries of the table.
    pub entries: usize,
    /// Bytes of the table in memory.
    pub bytes: u64,
    /// Exact operations of building.
    pub build: Counts,
    /// Expected operations of one power.
    pub cost: ExpectedCost,
    /// Expected seconds of building.
    pub build_seconds: f64,
    /// Expected seconds of one power; in a list, if lists are expected.
    pub seconds: f64,
    /// Expected seconds of one power with its share of building.
    pub shared_seconds: f64,
}

/// The plan, and for each of its parts every candidate that fits, cheapest first. `Display` prints the [`Summary`].
#[derive(Clone, Debug)]
pub struct FixedBaseExplanation {
    problem: FixedBaseProblem,
    plan: Plan<FixedBaseAlgorithm>,
    parts: Vec<Vec<FixedBaseCandidate>>,
    basis: ExplanationBasis,
}

impl From<&FixedBaseCandidate> for Plan<FixedBaseAlgorithm> {
    fn from(candidate: &FixedBaseCandidate) -> Self {
        Plan::Run { algorithm: candidate.algorithm.clone(), form: candidate.form }
    }
}

impl Planner {
    /// Plans the cheapest tables that fit, on `kernel` or by `line`, which may leave the kernel out.
    ///
    /// Errors: `bad_argument` if no table fits the memory; `bad_plan` if the line is invalid or does not fit.
    pub fn plan_fixed_base(
        &self,
        problem: &FixedBaseProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Plan<FixedBaseAlgorithm>, Error> {
        if kernel.is_some() || line.is_some() {
            return Ok(self.explain_fixed_base(problem, kernel, line)?.plan);
        }
        Ok(self.free_table(problem)?.0)
    }

    /// Expected seconds of all its powers, the building of the tables included. Error: `bad_argument` if no table fits the memory.
    pub fn seconds_of_table(&self, problem: &FixedBaseProblem) -> Result<f64, Error> {
        Ok(self.free_table(problem)?.1)
    }

    /// The cheapest plan and its expected seconds: remembered, or priced now.
    fn free_table(&self, problem: &FixedBaseProblem) -> Result<(Plan<FixedBaseAlgorithm>, f64), Error> {
        self.tables_of_bases.run(problem.clone(), |problem| {
            let explained = self.explain_fixed_base(problem, None, None)?;
            let shared: f64 = explained.parts.iter().map(|part| part[0].shared_seconds).sum();
            Ok((explained.plan, shared * problem.uses as f64))
        })
    }

    /// The plan with its candidates. Errors as [`Planner::plan_fixed_base`].
    pub fn explain_fixed_base(
        &self,
        problem: &FixedBaseProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<FixedBaseExplanation, Error> {
        problem.check()?;
        let basis = self.basis(kernel, line);
        let kernel: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let line: Option<Line<FixedBaseAlgorithm>> = line.map(str::parse).transpose()?;
        let mut parts: Vec<Vec<FixedBaseCandidate>> = Vec::new();
        let plan = decompose(problem, kernel.as_ref(), line.as_ref(), |mut request| {
            // The power of two comes first.
            let held = parts.first().map_or(0, |two| two[0].bytes);
            request.part.memory_bytes = request.part.memory_bytes.saturating_sub(held);
            let candidates = self.table_candidates(&request)?;
            let plan = Plan::from(&candidates[0]);
            parts.insert(0, candidates);
            Ok(plan)
        })?;
        Ok(FixedBaseExplanation { problem: problem.clone(), plan, parts, basis })
    }

    /// The cheapest form of this CPU for a table that exists already. One of the table's layout comes first if it is of the same kernel, because
    /// converting takes longer than products of one kernel differ, or of any kernel if the words are mapped. Error: `bad_plan`.
    #[cfg(feature = "files")]
    pub(crate) fn table_form(
        &self,
        odd: bool,
        bits: usize,
        algorithm: &FixedBaseAlgorithm,
        exponent_bits: usize,
        (layout, mapped): (&Layout, bool),
        kernel: Option<&str>,
    ) -> Result<Form, Error> {
        let spec: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let spec = spec.filter(|spec| spec.kernel.odd() == odd);
        let all = self.forms_of_table(TablePart::there(odd, bits, exponent_bits, false), algorithm, spec)?;
        let fits = |form: &&Form| (mapped || form.kernel == all[0].kernel) && form.layout(bits) == *layout;
        Ok(*all.iter().find(fits).unwrap_or(&all[0]))
    }

    /// The cheapest constant-time form of this CPU for an odd modulus' table of this method and layout. Error: `bad_plan`.
    pub(crate) fn secret_table_form(
        &self,
        bits: usize,
        algorithm: &FixedBaseAlgorithm,
        exponent_bits: usize,
        layout: &Layout,
        kernel: Option<&str>,
    ) -> Result<Form, Error> {
        let spec = kernel.map(str::parse).transpose()?;
        let all = self.forms_of_table(TablePart::there(true, bits, exponent_bits, true), algorithm, spec)?;
        all.into_iter().find(|form| form.layout(bits) == *layout).ok_or_else(|| {
            Error::BadPlan("no constant-time kernel of this CPU reads this table: build it for secrets".into())
        })
    }

    /// The forms for a table of this method, cheapest first, at least one. Error: `bad_plan`.
    fn forms_of_table(
        &self,
        part: TablePart,
        algorithm: &FixedBaseAlgorithm,
        kernel: Option<KernelSpec>,
    ) -> Result<Vec<Form>, Error> {
        let wanted = Wanted::Exactly(algorithm.clone());
        let request = PartRequest { part, algorithm: Some(&wanted), kernel: kernel.as_ref() };
        Ok(self.table_candidates(&request)?.into_iter().map(|candidate| candidate.form).collect())
    }

    /// Expected nanoseconds of a power with a secret exponent from this table.
    pub(crate) fn secret_table_nanoseconds(&self, form: &Form, algorithm: &FixedBaseAlgorithm, bits: usize) -> f64 {
        self.prices().of(form).map_or(0.0, |prices| scanning(&prices, algorithm, bits))
    }

    /// The candidates of the part within its memory, cheapest first, at least one.
    fn table_candidates(
        &self,
        request: &PartRequest<'_, TablePart, FixedBaseAlgorithm>,
    ) -> Result<Vec<FixedBaseCandidate>, Error> {
        let PartRequest { part, algorithm: wanted, kernel: spec } = request;
        let forms = self
            .prices()
            .forms(part.odd, part.bits.div_ceil(64))
            .filter(|form| form.kernel.has_arena() && (!part.secret || form.kernel.entry().constant_time))
            .filter_map(|form| spec.map_or(Some(form), |spec| spec.widened(form)))
            .filter_map(|form| Some((form, self.prices().of(&form)?)));
        let mut all = Vec::new();
        let mut least_bytes = u64::MAX;
        for (form, prices) in forms {
            let bytes = form.layout(part.bits).bytes() as u64;
            let max_entries = (part.memory_bytes / bytes).min(MAX_ENTRIES) as usize;
            let shape = TableShape { exponent_bits: part.exponent_bits, max_entries };
            let methods = match wanted {
                Some(wanted) => wanted.candidates(&shape),
                None => FixedBaseAlgorithm::candidates(&shape),
            };
            for algorithm in methods {
                if part.secret && algorithm.scanned(part.exponent_bits).is_none() {
                    continue;
                }
                let candidate = self.candidate(part, algorithm, form, &prices);
                least_bytes = least_bytes.min(candidate.bytes);
                if candidate.entries <= max_entries {
                    all.push(candidate);
                }
            }
            if !matches!(wanted, Some(Wanted::Exactly(_))) {
                least_bytes = least_bytes.min(bytes.saturating_mul(part.exponent_bits.min(2) as u64));
            }
        }
        if least_bytes == u64::MAX {
            let kind = if part.odd { "an odd modulus" } else { "a power of two" };
            let spec = spec.map_or_else(|| "no kernel".into(), KernelSpec::to_string);
            return Err(Error::BadPlan(format!("{spec} does not fit a table modulo {kind} of {} bits", part.bits)));
        }
        if all.is_empty() {
            let have = part.memory_bytes;
            let what = match wanted {
                Some(Wanted::Named(entry)) => {
                    format!("no table of `{}` fits the memory limit of {have} bytes", entry.name)
                }
                Some(Wanted::Exactly(_)) if least_bytes <= have => {
                    format!("a table of this method has more than 2^{LOG_MAX_ENTRIES} entries, which is the limit")
                }
                _ => format!("a table takes at least {least_bytes} bytes; the memory limit is {have} bytes"),
            };
            return Err(Error::BadArgument(what));
        }
        order::sort(&mut all, |a, b| a.shared_seconds.total_cmp(&b.shared_seconds));
        Ok(all)
    }

    fn candidate(
        &self,
        part: &TablePart,
        algorithm: FixedBaseAlgorithm,
        form: Form,
        prices: &FormPrice,
    ) -> FixedBaseCandidate {
        let entries = algorithm.entries(part.exponent_bits);
        let bytes = (form.layout(part.bits).bytes() as u64).saturating_mul(entries as u64);
        let build = algorithm.build_cost(part.exponent_bits);
        let shape = TableShape::of_bits(part.exponent_bits);
        let cost = if part.secret { uniform_cost(&algorithm, part.exponent_bits) } else { algorithm.expected(&shape) };
        let build_seconds = (prices.setup + prices.products(&build.into())) * 1e-9;
        let alone = if part.secret {
            scanning(prices, &algorithm, part.exponent_bits)
        } else {
            one_by_one(prices, &algorithm, &shape)
        };
        let lanes = self.runs_in_lanes(part.bits, part.exponent_bits, &algorithm, &form).filter(|_| part.in_lists);
        let seconds = lanes.map(|run| run.nanoseconds / run.form.kernel.lanes() as f64).fold(alone, f64::min) * 1e-9;
        let shared_seconds = seconds + build_seconds / part.uses;
        FixedBaseCandidate { algorithm, form, entries, bytes, build, cost, build_seconds, seconds, shared_seconds }
    }
}

/// The operations of every power with a secret exponent.
fn uniform_cost(algorithm: &FixedBaseAlgorithm, exponent_bits: usize) -> ExpectedCost {
    algorithm.rounds_cost(exponent_bits).unwrap_or_default().into()
}

/// Nanoseconds of every power with a secret exponent.
fn scanning(prices: &FormPrice, algorithm: &FixedBaseAlgorithm, exponent_bits: usize) -> f64 {
    let (cost, scanned) = (uniform_cost(algorithm, exponent_bits), algorithm.scanned(exponent_bits).unwrap_or(0));
    prices.convert + prices.products(&cost) + cost.selections * scanned as f64 * prices.select
}

/// Expected nanoseconds of a single power.
pub(crate) fn one_by_one(prices: &FormPrice, algorithm: &FixedBaseAlgorithm, shape: &TableShape) -> f64 {
    prices.convert + prices.products(&algorithm.expected(shape)) + algorithm.divisions(shape).nanoseconds()
}

impl FixedBaseExplanation {
    /// The plan chosen.
    pub fn plan(&self) -> &Plan<FixedBaseAlgorithm> {
        &self.plan
    }

    /// For each part of the plan, in its order, the candidates, cheapest first.
    pub fn candidates(&self) -> impl Iterator<Item = &[FixedBaseCandidate]> {
        self.parts.iter().map(Vec::as_slice)
    }
}

impl FixedBaseProblem {
    /// What was request, in a line.
    fn heading(&self) -> String {
        let Self { modulus_bits, exponent_bits, memory_bytes, uses, in_lists, secret, .. } = self;
        let secret = if *secret { "secret " } else { "" };
        let lists = if *in_lists { " in lists" } else { "" };
        format!(
            "fixed base, modulus of {modulus_bits} bits, {secret}exponents of {exponent_bits} bits, {memory_bytes} bytes of memory, \
             {uses} uses{lists}"
        )
    }
}

impl TablePart {
    /// The part of a table that exists already: any memory, and any number of uses.
    fn there(odd: bool, bits: usize, exponent_bits: usize, secret: bool) -> Self {
        let (memory_bytes, uses) = (u64::MAX, f64::INFINITY);
        Self { odd, bits, exponent_bits, memory_bytes, uses, in_lists: false, secret }
    }

    /// The heading above its candidates.
    fn heading(&self) -> String {
        let kind = if self.odd { "odd modulus" } else { "power of two" };
        format!("{kind} of {} bits, exponents of {} bits", self.bits, self.exponent_bits)
    }
}

impl FixedBaseExplanation {
    /// The explanation as figures and text.
    pub fn summary(&self) -> Summary {
        let part = |(of, candidates): (TablePart, &Vec<FixedBaseCandidate>)| {
            let chosen = candidates.first().map_or(1.0, |first| first.shared_seconds);
            let rows = candidates.iter().enumerate().map(|(index, candidate)| {
                let figures = (&candidate.cost, candidate.seconds, candidate.shared_seconds / chosen);
                let row = Row::new(&Plan::from(candidate).to_string(), figures, index == 0);
                row.with_table(candidate.entries as u64, candidate.bytes, candidate.build_seconds)
            });
            SummaryPart::new(of.heading(), rows.collect())
        };
        let parts = self.problem.parts().into_vec().into_iter().zip(&self.parts).map(part).collect();
        let chosen = self.parts.iter().filter_map(|part| part.first());
        let (one, build): (f64, f64) =
            chosen.fold((0.0, 0.0), |(one, build), part| (one + part.seconds, build + part.build_seconds));
        let (heading, plan) = (self.problem.heading(), self.plan.to_string());
        Summary::new(&self.basis, heading, plan, (one, Some(build)), parts, None)
    }
}

impl fmt::Display for FixedBaseExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/plan/fixed_base.rs"]
mod tests;
