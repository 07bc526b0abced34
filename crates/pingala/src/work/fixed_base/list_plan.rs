//! Plans lists of powers from the table of a fixed base: eight powers at a time, or one at a time.

use crate::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use crate::algorithm::{Counts, ExpectedCost, Wanted};
use crate::engine::plan::line::{Line, is_tree};
use crate::engine::plan::list::{self, ListPlan};
use crate::engine::plan::parts::{PartRequest, decompose};
use crate::engine::plan::schedule::{PricedClass, ThreadBudget};
use crate::engine::plan::tree::SmallList;
use crate::engine::plan::{FixedBaseProblem, FormPrice, Plan, Planner};
use crate::error::Error;
use crate::kernel::registry::Form;
use crate::kernel::spec::KernelSpec;
use crate::work::fixed_base::plan::{TablePart, one_by_one};

/// A run of powers in lanes, with expected nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunInLanes {
    pub(crate) form: Form,
    pub(crate) setup: f64,
    pub(crate) nanoseconds: f64,
}

impl RunInLanes {
    /// The run of `rounds` at these prices.
    pub(crate) fn new(form: Form, prices: &FormPrice, rounds: Counts) -> Self {
        let cost = ExpectedCost::from(rounds);
        let nanoseconds = prices.convert + prices.products(&cost) + cost.selections * prices.select;
        Self { form, setup: prices.setup, nanoseconds }
    }
}

/// One plan of the powers modulo the odd part. What it cannot do takes infinitely long.
#[derive(Clone, Copy, Debug)]
struct TableWay {
    /// Nanoseconds of a single power, on the table's own kernel.
    single: f64,
    run: RunInLanes,
}

impl TableWay {
    /// How many of `count` powers share lanes: whole packs, and the rest if that is cheaper than single powers.
    fn in_lanes(&self, count: usize) -> usize {
        let lanes = self.run.form.kernel.lanes();
        let gains = |powers: usize| powers > 0 && self.run.nanoseconds <= self.single * powers as f64;
        let whole = if gains(lanes) { count - count % lanes } else { 0 };
        whole + if gains(count % lanes) { count % lanes } else { 0 }
    }

    /// The class of `count` powers; each takes `even_part` nanoseconds more, modulo a power of two.
    fn class(&self, count: usize, even_part: f64) -> PricedClass {
        let unit = self.run.form.kernel.lanes();
        let nanoseconds = if unit > 1 { self.run.nanoseconds } else { self.single };
        PricedClass { count, unit, nanoseconds: nanoseconds + even_part * unit as f64 }
    }

    /// Expected nanoseconds of `count` powers, however many.
    fn total(&self, count: usize) -> f64 {
        let of = |powers: usize| if powers > 0 { self.run.nanoseconds.min(self.single * powers as f64) } else { 0.0 };
        let lanes = self.run.form.kernel.lanes();
        self.run.setup + (count / lanes) as f64 * of(lanes.min(count)) + of(count % lanes)
    }
}

impl Planner {
    /// Plans `count` powers from a table that was built by the plan `table`, on `kernel` or by `line`: with its own methods, on its
    /// own kernels or on those that take its residues side by side.
    ///
    /// Error: `bad_plan` if the line is invalid or does not fit the table.
    pub(crate) fn share_out_table(
        &self,
        problem: &FixedBaseProblem,
        table: &Plan<FixedBaseAlgorithm>,
        count: usize,
        budget: ThreadBudget,
        (kernel, line): (Option<&str>, Option<&str>),
    ) -> Result<ListPlan<FixedBaseAlgorithm>, Error> {
        if let Some(line) = line.filter(|line| is_tree(line)) {
            return self.table_by_tree(problem, table, count, budget, line);
        }
        let (plan, chosen, even_part) = self.table_class(problem, table, count, kernel, line)?;
        // The powers that share lanes, then those that go by themselves, on the table's own kernel.
        let in_lanes = chosen.map_or(0, |way| way.in_lanes(count));
        let (mut plans, mut classes) = (Vec::new(), SmallList::new());
        if let Some(way) = chosen.filter(|_| in_lanes > 0) {
            classes.push(way.class(in_lanes, even_part));
            plans.push(Plan::class(plan, in_lanes));
        }
        if in_lanes < count {
            let nanoseconds = chosen.map_or(0.0, |way| way.single) + even_part;
            classes.push(PricedClass { count: count - in_lanes, unit: 1, nanoseconds });
            plans.push(Plan::class(table.clone(), count - in_lanes));
        }
        Ok(ListPlan::new(Plan::list(plans), None, classes, budget))
    }

    /// Plans the powers by a tree. Error: `bad_plan` for other classes than the list can have.
    fn table_by_tree(
        &self,
        problem: &FixedBaseProblem,
        table: &Plan<FixedBaseAlgorithm>,
        count: usize,
        budget: ThreadBudget,
        line: &str,
    ) -> Result<ListPlan<FixedBaseAlgorithm>, Error> {
        let tree: Plan<FixedBaseAlgorithm> = line.parse()?;
        let classes = list::classes_of_tree(&tree, count, |plan, range| {
            let (_, chosen, even_part) =
                self.table_class(problem, table, range.len(), None, Some(&plan.to_string()))?;
            let class = chosen.map(|way| way.class(range.len(), even_part));
            Ok(class.map_or((1, even_part), |class| (class.unit, class.nanoseconds)))
        })?;
        Ok(ListPlan::new(tree, None, classes, budget))
    }

    /// The plan of `count` equal powers, from the plan modulo the odd part and the cost of each modulo the power of two.
    fn table_class(
        &self,
        problem: &FixedBaseProblem,
        table: &Plan<FixedBaseAlgorithm>,
        count: usize,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<(Plan<FixedBaseAlgorithm>, Option<TableWay>, f64), Error> {
        let kernel: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let line: Option<Line<FixedBaseAlgorithm>> = line.map(str::parse).transpose()?;
        let (mut chosen, mut even_part): (Option<TableWay>, f64) = (None, 0.0);
        let plan = decompose(problem, kernel.as_ref(), line.as_ref(), |request| {
            let own = table.runs().into_iter().find(|(_, form)| form.kernel.odd() == request.part.odd);
            let (algorithm, form) = own.ok_or(Error::Fault("a table lacks a part"))?;
            let ways = self.ways(&request, algorithm, form).into_iter();
            let cheapest = ways.min_by(|a, b| a.total(count).total_cmp(&b.total(count)));
            let way = cheapest.ok_or_else(|| Error::BadPlan(format!("the table is for {algorithm} on {form}")))?;
            if request.part.odd {
                chosen = Some(way);
            } else {
                even_part = way.single;
            }
            Ok(Plan::Run { algorithm: algorithm.clone(), form: way.run.form })
        })?;
        Ok((plan, chosen, even_part))
    }

    /// The plans that are as request: on the part's own form, and on those that read its table.
    fn ways(
        &self,
        request: &PartRequest<'_, TablePart, FixedBaseAlgorithm>,
        algorithm: &FixedBaseAlgorithm,
        form: &Form,
    ) -> Vec<TableWay> {
        let PartRequest { part, algorithm: wanted, kernel: spec } = request;
        let fits = match wanted {
            Some(Wanted::Exactly(wanted)) => wanted == algorithm,
            Some(Wanted::Named(entry)) => entry.name == algorithm.name(),
            None => true,
        };
        let accepted = |form: &Form| fits && spec.is_none_or(|spec| spec.accepts(form));
        let mut ways = Vec::new();
        // A table whose form has no price still computes its powers.
        let shape = TableShape::of_bits(part.exponent_bits);
        let single = self.prices().of(form).map_or(0.0, |prices| one_by_one(&prices, algorithm, &shape));
        if accepted(form) {
            ways.push(TableWay { single, run: RunInLanes { form: *form, setup: 0.0, nanoseconds: f64::INFINITY } });
        }
        // Lanes that are request for are taken for every power.
        let single = if spec.is_some() { f64::INFINITY } else { single };
        let runs = self.runs_in_lanes(part.bits, part.exponent_bits, algorithm, form);
        ways.extend(runs.filter(|run| accepted(&run.form)).map(|run| TableWay { single, run }));
        ways
    }

    /// The runs in lanes that read a table modulo `bits` bits, if the method has rounds.
    pub(crate) fn runs_in_lanes(
        &self,
        bits: usize,
        exponent_bits: usize,
        algorithm: &FixedBaseAlgorithm,
        form: &Form,
    ) -> impl Iterator<Item = RunInLanes> {
        let rounds = algorithm.rounds_cost(exponent_bits);
        form.side_by_side(bits).filter_map(move |form| {
            let form = self.prices().with_thresholds(form);
            Some(RunInLanes::new(form, &self.prices().of(&form)?, rounds?))
        })
    }
}
