//! Plans lists of powers from the table of a fixed base: eight powers at a time, or one at a time.

use crate::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use crate::algorithm::{Counts, ExpectedCost, Wanted};
use crate::engine::plan::line::Forced;
use crate::engine::plan::list::{Kind, Kinds, ListPlan};
use crate::engine::plan::parts::{PartRequest, PlannedPart, decompose};
use crate::engine::plan::planner::Run;
use crate::engine::plan::schedule::ThreadBudget;
use crate::engine::plan::{FixedBaseProblem, FormPrice, Plan, Planner};
use crate::error::Error;
use crate::kernel::registry::Form;
use crate::work::fixed_base::plan::one_by_one;

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
    /// Expected nanoseconds of `count` powers, however many.
    fn total(&self, count: usize) -> f64 {
        let of = |powers: usize| if powers > 0 { self.run.nanoseconds.min(self.single * powers as f64) } else { 0.0 };
        let lanes = self.run.form.kernel.lanes();
        self.run.setup + (count / lanes) as f64 * of(lanes.min(count)) + of(count % lanes)
    }
}

impl Planner {
    /// Plans `count` powers from a table that was built by the plan `table`, as forced: with its own methods, on its own kernels or on those
    /// that take its residues side by side.
    ///
    /// Error: `bad_plan` if a line or a tree does not fit the table.
    pub(crate) fn share_out_table(
        &self,
        problem: &FixedBaseProblem,
        table: &Plan<FixedBaseAlgorithm>,
        count: usize,
        budget: ThreadBudget,
        forced: &Forced<FixedBaseAlgorithm>,
    ) -> Result<ListPlan<FixedBaseAlgorithm>, Error> {
        let (sequence, _) = Kinds::alike(count, ()).in_order(|()| ());
        if let Some(tree) = forced.tree() {
            let classes = sequence.classes_of_tree(tree, |plan, class| {
                let count = class.iter().map(|(_, count)| count).sum();
                let (plan, way, even_part) = self.table_class(problem, table, count, &Forced::by(plan)?)?;
                let nanoseconds = if plan.is_in_lanes() { way.run.nanoseconds } else { way.single };
                Ok((plan.lanes(), nanoseconds + even_part * plan.lanes() as f64))
            })?;
            return Ok(ListPlan::new((tree.clone(), classes), None, budget));
        }
        // Those that share lanes, then those that go by themselves, on the table's own kernel.
        let (plan, way, even_part) = self.table_class(problem, table, count, forced)?;
        let in_lanes = |width: usize| way.run.nanoseconds + even_part * width as f64;
        let pack = |_, _: &[(&Kind<()>, usize)], width: usize| Ok(Some((plan.clone(), in_lanes(width))));
        let alone = [(table.clone(), way.single + even_part)];
        let classes = sequence.classes_by_price(&alone, &[plan.lanes()], (|()| true, false, 1), budget, pack)?;
        Ok(ListPlan::new(classes.plan(), None, budget))
    }

    /// The plan of `count` equal powers, how the odd part is computed, and the cost of each modulo the power of two.
    fn table_class(
        &self,
        problem: &FixedBaseProblem,
        table: &Plan<FixedBaseAlgorithm>,
        count: usize,
        forced: &Forced<FixedBaseAlgorithm>,
    ) -> Result<(Plan<FixedBaseAlgorithm>, TableWay, f64), Error> {
        let (mut odd, mut two): (Option<TableWay>, Option<TableWay>) = (None, None);
        let (plan, _) = decompose(problem, forced, |request| {
            let own = table.runs().into_iter().find(|(_, form)| form.kernel.odd() == request.0.is_odd());
            let (algorithm, form) = own.ok_or(Error::Fault("a table lacks a part"))?;
            let ways = self.ways(&request, algorithm, form).into_iter();
            let cheapest = ways.min_by(|a, b| a.total(count).total_cmp(&b.total(count)));
            let way = cheapest.ok_or_else(|| Error::BadPlan(format!("the table is for {algorithm} on {form}")))?;
            *(if request.0.is_odd() { &mut odd } else { &mut two }) = Some(way);
            let (algorithm, form, cost) = (algorithm.clone(), way.run.form, ExpectedCost::default());
            Ok(Run { algorithm, form, cost, nanoseconds: way.single, table: None })
        })?;
        let even_part = two.map_or(0.0, |two| two.single);
        // Modulo a power of two all is in the even part.
        let way =
            odd.or(two.map(|two| TableWay { single: 0.0, ..two })).ok_or(Error::Fault("a table without parts"))?;
        Ok((plan, way, even_part))
    }

    /// The plans that are as requested: on the part's own form, and on those that read its table.
    fn ways(
        &self,
        (part, wanted, spec): &PartRequest<'_, FixedBaseProblem, FixedBaseAlgorithm>,
        algorithm: &FixedBaseAlgorithm,
        form: &Form,
    ) -> Vec<TableWay> {
        let fits = match wanted {
            Some(Wanted::Exactly(wanted)) => wanted == algorithm,
            Some(Wanted::Named(entry)) => entry.name == algorithm.name(),
            None => true,
        };
        let accepted = |form: &Form| fits && spec.is_none_or(|spec| spec.accepts(form));
        let (mut ways, exponent_bits) = (Vec::new(), part.exponent_bits as usize);
        // A table whose form has no price still computes its powers.
        let shape = TableShape::of_bits(exponent_bits);
        let single = self.prices().of(form).map_or(0.0, |prices| one_by_one(&prices, algorithm, &shape));
        if accepted(form) {
            ways.push(TableWay { single, run: RunInLanes { form: *form, setup: 0.0, nanoseconds: f64::INFINITY } });
        }
        // Lanes that are requested are taken for every power.
        let single = if spec.is_some() { f64::INFINITY } else { single };
        let runs = self.runs_in_lanes(part.modulus_part().bits as usize, exponent_bits, algorithm, form);
        // A line that names no thresholds has the usual ones, whatever the prices were measured with.
        let named = |run: RunInLanes| RunInLanes { form: spec.map_or(run.form, |spec| spec.set(run.form)), ..run };
        ways.extend(runs.map(named).filter(|run| accepted(&run.form)).map(|run| TableWay { single, run }));
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
