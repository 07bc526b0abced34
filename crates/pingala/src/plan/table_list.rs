//! Lists of powers of a fixed base: its table is there, the choice is between eight powers side by side and each alone.

use super::fixed_base::{TablePart, one_by_one};
use super::line::Line;
use super::parts::{Asked, decompose};
use super::{FixedBaseProblem, FormPrice, Plan, Planner};
use crate::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use crate::algorithm::{Counts, ExpectedCost, Wanted};
use crate::error::Error;
use crate::kernel::registry::Form;
use crate::kernel::wish::Wish;
use core::ops::Range;

/// Powers that one thread does in one go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableUnit {
    /// Which of the list.
    pub(crate) range: Range<usize>,
    /// Whether they share the lanes.
    pub(crate) together: bool,
    /// Expected time.
    pub(crate) nanoseconds: f64,
}

/// How a list is done.
#[derive(Clone, Debug)]
pub(crate) struct TableList {
    /// As one line: the kernel of the odd part is that of most powers.
    pub(crate) plan: Plan<FixedBaseAlgorithm>,
    /// The powers modulo the odd part, if there is one.
    way: Option<Way>,
    /// Expected nanoseconds of a power modulo the power of two.
    beside: f64,
}

impl TableList {
    /// The lanes, where there are powers that share them.
    pub(crate) fn lanes(&self) -> Option<Form> {
        self.way.map(|way| way.form).filter(|form| form.kernel.lanes() > 1)
    }

    /// What `count` powers are for the threads.
    pub(crate) fn units(&self, count: usize) -> Vec<TableUnit> {
        let alone = |index| TableUnit { range: index..index + 1, together: false, nanoseconds: self.beside };
        self.way.map_or_else(|| (0..count).map(alone).collect(), |way| way.units(count, self.beside))
    }
}

/// Eight powers side by side, with expected times.
pub(super) struct RunInLanes {
    pub(super) form: Form,
    pub(super) setup: f64,
    pub(super) nanoseconds: f64,
}

impl RunInLanes {
    /// Rounds at these prices.
    pub(super) fn new(form: Form, prices: &FormPrice, rounds: Counts) -> Self {
        let cost = ExpectedCost::from(rounds);
        let nanoseconds = prices.convert + prices.products(&cost) + cost.selections * prices.select;
        Self { form, setup: prices.setup, nanoseconds }
    }
}

/// One way to do the powers modulo the odd part: expected nanoseconds, infinite for what it does not do.
#[derive(Clone, Copy, Debug)]
struct Way {
    form: Form,
    setup: f64,
    /// A power by itself, on the table's own kernel.
    alone: f64,
    /// A run in lanes.
    run: f64,
}

impl Way {
    /// The units of `count` powers; `beside` is what each power takes besides.
    fn units(&self, count: usize, beside: f64) -> Vec<TableUnit> {
        let unit = |range: Range<usize>| {
            let (alone, beside) = (self.alone * range.len() as f64, beside * range.len() as f64);
            let together = self.run <= alone;
            TableUnit { range, together, nanoseconds: self.run.min(alone) + beside }
        };
        let one_by_one = |range: Range<usize>| range.map(|index| unit(index..index + 1));
        let lanes = self.form.kernel.lanes();
        let units = (0..count).step_by(lanes).map(|start| unit(start..count.min(start + lanes)));
        units.flat_map(|unit| if unit.together { vec![unit] } else { one_by_one(unit.range).collect() }).collect()
    }

    /// Expected nanoseconds of `count` powers, however many.
    fn total(&self, count: usize) -> f64 {
        let of = |powers: usize| if powers > 0 { self.run.min(self.alone * powers as f64) } else { 0.0 };
        let lanes = self.form.kernel.lanes();
        self.setup + (count / lanes) as f64 * of(lanes.min(count)) + of(count % lanes)
    }
}

impl Planner {
    /// How `count` powers of a table are done that was built as `table` says, on `kernel` or as `line` has it: with its own
    /// methods, on its own kernels or those that take its residues side by side.
    ///
    /// Error: `bad_plan` where the line cannot be read or does not fit the table.
    pub(crate) fn share_out_table(
        &self,
        problem: &FixedBaseProblem,
        table: &Plan<FixedBaseAlgorithm>,
        count: usize,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<TableList, Error> {
        let kernel: Option<Wish> = kernel.map(str::parse).transpose()?;
        let line: Option<Line<Wanted<FixedBaseAlgorithm>>> = line.map(str::parse).transpose()?;
        let (mut chosen, mut beside) = (None, 0.0);
        let plan = decompose(problem, kernel.as_ref(), line.as_ref(), |asked| {
            let own = table.runs().into_iter().find(|(_, form)| form.kernel.odd() == asked.part.odd);
            let (algorithm, form) = own.ok_or(Error::Fault("a table lacks a part"))?;
            let cheapest = self.ways(&asked, algorithm, form).into_iter().min_by(|a, b| {
                let [a, b] = [a, b].map(|way| way.total(count));
                a.total_cmp(&b)
            });
            let way = cheapest.ok_or_else(|| Error::BadPlan(format!("the table is for {algorithm} on {form}")))?;
            if asked.part.odd {
                chosen = Some(way);
            } else {
                beside = way.alone;
            }
            Ok(Plan::Run { algorithm: algorithm.clone(), form: way.form })
        })?;
        let plan = if count > 1 { Plan::Batch { plan: Box::new(plan), count: count as u64 } } else { plan };
        Ok(TableList { plan, way: chosen, beside })
    }

    /// What is as asked, of the part's own form and those that take its table as it is.
    fn ways(
        &self,
        asked: &Asked<'_, TablePart, FixedBaseAlgorithm>,
        algorithm: &FixedBaseAlgorithm,
        form: &Form,
    ) -> Vec<Way> {
        let Asked { part, algorithm: wanted, kernel: wish } = asked;
        let fits = match wanted {
            Some(Wanted::Exactly(wanted)) => wanted == algorithm,
            Some(Wanted::Named(entry)) => entry.name == algorithm.name(),
            None => true,
        };
        let accepted = |form: &Form| fits && wish.is_none_or(|wish| wish.accepts(form));
        let mut ways = Vec::new();
        // A table without a price does what it is for.
        let shape = TableShape::of_bits(part.exponent_bits);
        let alone = self.prices().of(form).map_or(0.0, |prices| one_by_one(&prices, algorithm, &shape));
        if accepted(form) {
            ways.push(Way { form: *form, setup: 0.0, alone, run: f64::INFINITY });
        }
        // Lanes that are asked for are taken for every power.
        let alone = if wish.is_some() { f64::INFINITY } else { alone };
        let runs = self.runs_in_lanes(part.bits, part.exponent_bits, algorithm, form);
        let runs = runs.filter(|run| accepted(&run.form));
        ways.extend(runs.map(|RunInLanes { form, setup, nanoseconds }| Way { form, setup, alone, run: nanoseconds }));
        ways
    }

    /// The runs of eight powers that take a table modulo `bits` bits as it is, if the method has rounds.
    pub(super) fn runs_in_lanes(
        &self,
        bits: usize,
        exponent_bits: usize,
        algorithm: &FixedBaseAlgorithm,
        form: &Form,
    ) -> impl Iterator<Item = RunInLanes> {
        let rounds = algorithm.rounds_cost(exponent_bits);
        form.side_by_side(bits).filter_map(move |form| Some(RunInLanes::new(form, &self.prices().of(&form)?, rounds?)))
    }
}
