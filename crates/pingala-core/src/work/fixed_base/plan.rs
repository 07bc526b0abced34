//! Plans tables for fixed bases: the cheapest method, parameters and kernel within a memory limit.

use crate::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use crate::algorithm::{ExpectedCost, Wanted};
use crate::engine::plan::explain::Explanation;
use crate::engine::plan::line::Forced;
use crate::engine::plan::parts::{Divisible, PlannedPart, Priced, decompose};
use crate::engine::plan::planner::{PricedTable, Run};
use crate::engine::plan::problem::Part;
use crate::engine::plan::summary::SummaryTable;
use crate::engine::plan::{FactorShape, FixedBaseProblem, FormPrice, Plan, Planner};
use crate::error::Error;
use crate::exponent::order;
use crate::kernel::registry::Form;
use crate::kernel::spec::KernelSpec;

/// Longest exponent that a table is planned for, in bits.
const MAX_EXPONENT_BITS: u64 = 1 << 26;
/// Most entries of a table.
const MAX_ENTRIES: u64 = 1 << LOG_MAX_ENTRIES;
const LOG_MAX_ENTRIES: u32 = 30;

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

    /// The problem of a table that exists already, modulo an odd number of `bits` bits or modulo 2^`bits`: its memory and its building cost
    /// nothing more.
    fn existing(odd: bool, bits: usize, exponent_bits: usize, secret: bool) -> Self {
        let (bits, exponent_bits) = (bits as u64, exponent_bits as u64);
        let (modulus_bits, trailing_zeros) = if odd { (bits, 0) } else { (bits + 1, bits) };
        let (memory_bytes, uses) = (u64::MAX, u64::MAX);
        Self { modulus_bits, trailing_zeros, exponent_bits, memory_bytes, uses, secret, ..Self::default() }
    }

    /// For a part: its modulus, which is odd or a power of two.
    pub(crate) fn modulus_part(&self) -> Part {
        Part::of_modulus(self.modulus_bits, self.trailing_zeros, self.secret)
    }

    /// What was requested, in a line.
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

impl Divisible for FixedBaseProblem {
    type Part = Self;

    fn modulus(&self) -> (u64, u64, &[FactorShape]) {
        (self.modulus_bits, self.trailing_zeros, &[])
    }

    /// The odd part may take all that the power of two leaves. Next to it the power of two gets its share of the memory by length, and two
    /// entries at least: [`Planner::tables`]. Odd residues modulo 2^k form a group of exponent 2^(k-2); the powers of an even base are 0 from exponent k
    /// on.
    fn modulo(&self, FactorShape { bits, trailing_zeros: k, .. }: FactorShape) -> Self {
        let part = Self { modulus_bits: bits, trailing_zeros: k, ..self.clone() };
        if k == 0 {
            return part;
        }
        let longest = if self.even_base { k.ilog2() as u64 + 1 } else { k.saturating_sub(2).max(1) };
        let share = u128::from(self.memory_bytes) * u128::from(k) / u128::from(self.modulus_bits);
        let memory_bytes = if self.modulus_bits - k > 1 { share as u64 } else { u64::MAX };
        Self {
            exponent_bits: self.exponent_bits.min(longest),
            memory_bytes: memory_bytes.min(self.memory_bytes),
            ..part
        }
    }

    fn part(self) -> Self {
        self
    }
}

impl PlannedPart<FixedBaseAlgorithm> for FixedBaseProblem {
    fn heading(&self) -> String {
        let part = self.modulus_part();
        format!("{} of {} bits, exponents of {} bits", part.kind_name(), part.bits, self.exponent_bits)
    }

    fn is_odd(&self) -> bool {
        self.trailing_zeros == 0
    }

    fn runs(
        &self,
        planner: &Planner,
        wanted: Option<&Wanted<FixedBaseAlgorithm>>,
        kernel: Option<KernelSpec>,
        _all: bool,
    ) -> Priced<FixedBaseAlgorithm> {
        let (part, exponent_bits) = (self.modulus_part(), self.exponent_bits as usize);
        let bits = part.bits as usize;
        let (mut all, mut least_bytes) = (Vec::new(), u64::MAX);
        for (form, prices) in planner.arenas(&part, kernel) {
            let bytes = form.layout(bits).bytes() as u64;
            let max_entries = (self.memory_bytes / bytes).min(MAX_ENTRIES);
            let shape = TableShape { exponent_bits, max_entries: max_entries as usize };
            let methods = match wanted {
                Some(wanted) => wanted.candidates(&shape),
                None => FixedBaseAlgorithm::candidates(&shape),
            };
            for algorithm in methods {
                if self.secret && algorithm.scanned(exponent_bits).is_none() {
                    continue;
                }
                let entries = algorithm.entries(exponent_bits) as u64;
                let build = prices.setup + prices.products(&algorithm.build_cost(exponent_bits).into());
                let table = SummaryTable { entries, bytes: bytes.saturating_mul(entries), build_seconds: build * 1e-9 };
                least_bytes = least_bytes.min(table.bytes);
                if entries > max_entries {
                    continue;
                }
                let shape = TableShape::of_bits(exponent_bits);
                let (cost, alone) = if self.secret {
                    (uniform_cost(&algorithm, exponent_bits), scanning(&prices, &algorithm, exponent_bits))
                } else {
                    (algorithm.expected(&shape), one_by_one(&prices, &algorithm, &shape))
                };
                // In a list lanes may make a power cheaper.
                let in_lists = self.in_lists && !self.secret;
                let lanes = planner.runs_in_lanes(bits, exponent_bits, &algorithm, &form).filter(|_| in_lists);
                let in_lanes = lanes.map(|run| run.nanoseconds / run.form.kernel.lanes() as f64);
                let power_nanoseconds = in_lanes.fold(alone, f64::min);
                let nanoseconds = power_nanoseconds + build / self.uses as f64;
                let table = Some(Box::new(PricedTable { table, power_nanoseconds }));
                all.push(Run { algorithm, form, cost, nanoseconds, table });
            }
            if !matches!(wanted, Some(Wanted::Exactly(_))) {
                least_bytes = least_bytes.min(bytes.saturating_mul(exponent_bits.min(2) as u64));
            }
        }
        if least_bytes == u64::MAX {
            let spec = kernel.map_or_else(|| "no kernel".into(), |spec| spec.to_string());
            return Err(Error::BadPlan(format!("{spec} does not fit a table modulo {part}")));
        }
        if !all.is_empty() {
            return Ok(all);
        }
        let have = self.memory_bytes;
        Err(Error::BadArgument(match wanted {
            Some(Wanted::Named(entry)) => {
                format!("no table of `{}` fits the memory limit of {have} bytes", entry.name)
            }
            Some(Wanted::Exactly(_)) if least_bytes <= have => {
                format!("a table of this method has more than 2^{LOG_MAX_ENTRIES} entries, which is the limit")
            }
            _ => format!("a table takes at least {least_bytes} bytes; the memory limit is {have} bytes"),
        }))
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
        let forced = Forced::read(kernel, line)?;
        Ok(if forced.is_nothing() { self.free_table(problem)?.0 } else { self.tables(problem, &forced)?.0 })
    }

    /// Expected seconds of all its powers, the building of the tables included. Error: `bad_argument` if no table fits the memory.
    pub fn seconds_of_table(&self, problem: &FixedBaseProblem) -> Result<f64, Error> {
        Ok(self.free_table(problem)?.1)
    }

    /// The cheapest plan and its expected seconds: remembered, or priced now.
    fn free_table(&self, problem: &FixedBaseProblem) -> Result<(Plan<FixedBaseAlgorithm>, f64), Error> {
        self.tables_of_bases.run(problem.clone(), |problem| {
            let (plan, _, shared) = self.tables(problem, &Forced::default())?;
            Ok((plan, shared * 1e-9 * problem.uses as f64))
        })
    }

    /// The plan with its candidates. Errors as [`Planner::plan_fixed_base`].
    pub fn explain_fixed_base(
        &self,
        problem: &FixedBaseProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<Explanation<FixedBaseAlgorithm>, Error> {
        let forced = Forced::read(kernel, line)?;
        let (plan, tables, _) = self.tables(problem, &forced)?;
        let sum = |of: fn(&PricedTable) -> f64| tables.iter().filter_map(|(_, run)| run.table.as_deref()).map(of).sum();
        let (nanoseconds, build_seconds) =
            (sum(|table| table.power_nanoseconds), sum(|table| table.table.build_seconds));
        let parts = tables.into_iter().map(|(part, _)| part).collect();
        let mut explanation = self.explain_plan(problem.heading(), (plan, nanoseconds), parts, &forced, &[])?;
        explanation.summary.build_seconds = Some(build_seconds);
        Ok(explanation)
    }

    /// The plan; each of its parts, within the memory that the others leave, with its run; the nanoseconds of a power with its share of
    /// the building.
    fn tables(&self, problem: &FixedBaseProblem, forced: &Forced<FixedBaseAlgorithm>) -> Result<PlannedTables, Error> {
        problem.check()?;
        let mut tables: Vec<(FixedBaseProblem, Run<FixedBaseAlgorithm>)> = Vec::new();
        let (plan, nanoseconds) = decompose(problem, forced, |(mut part, algorithm, kernel)| {
            // The power of two comes first.
            let held = tables.first().and_then(|(_, two)| two.table.as_deref()).map_or(0, |table| table.table.bytes);
            part.memory_bytes = part.memory_bytes.saturating_sub(held);
            if part.trailing_zeros > 0 {
                let (of, bits) = (part.modulus_part(), part.trailing_zeros as usize);
                let entries =
                    self.arenas(&of, kernel).into_iter().map(|(form, _)| 2 * form.layout(bits).bytes() as u64);
                let least = entries.min().unwrap_or(0).min(problem.memory_bytes);
                part.memory_bytes = part.memory_bytes.max(least);
            }
            let run = part.cheapest(self, algorithm, kernel)?;
            tables.insert(0, (part, run.clone()));
            Ok(run)
        })?;
        Ok((plan, tables, nanoseconds))
    }

    /// The forms of this CPU for a table of this method that exists already, cheapest first, at least one. Error: `bad_plan`.
    pub(crate) fn forms_of_table(
        &self,
        (odd, bits): (bool, usize),
        algorithm: &FixedBaseAlgorithm,
        exponent_bits: usize,
        secret: bool,
        kernel: Option<&str>,
    ) -> Result<Vec<Form>, Error> {
        let kernel: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let kernel = kernel.filter(|spec| secret || spec.kernel.odd() == odd);
        let part = FixedBaseProblem::existing(odd, bits, exponent_bits, secret);
        let mut runs = part.runs(self, Some(&Wanted::Exactly(algorithm.clone())), kernel, true)?;
        order::sort(&mut runs, |a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        Ok(runs.into_iter().map(|run| run.form).collect())
    }

    /// Expected nanoseconds of a power with a secret exponent from this table.
    pub(crate) fn secret_table_nanoseconds(&self, form: &Form, algorithm: &FixedBaseAlgorithm, bits: usize) -> f64 {
        self.prices().of(form).map_or(0.0, |prices| scanning(&prices, algorithm, bits))
    }
}

/// See [`Planner::tables`].
type PlannedTables = (Plan<FixedBaseAlgorithm>, Vec<(FixedBaseProblem, Run<FixedBaseAlgorithm>)>, f64);

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

#[cfg(test)]
#[path = "../../../tests/inside/work/fixed_base/plan.rs"]
mod tests;
