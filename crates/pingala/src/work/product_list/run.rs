//! Lists of products of powers: in lanes, or one at a time, as the tree of the plan says.

use crate::algorithm::PowerProduct;
use crate::engine::execute::lanes::{LaneProduct, Workspace};
use crate::engine::execute::poll::{Poll, Watch};
use crate::engine::execute::prepared::Prepared;
use crate::engine::execute::threads::{Answer, Answers};
use crate::engine::plan::{ListPlan, Plan};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::natural::{Natural, chores};

/// A product of at least one power, all with positive exponents.
#[derive(Debug)]
pub(crate) struct ListedProduct<'a> {
    /// Its place in the caller's list.
    pub(crate) place: usize,
    pub(crate) modulus: &'a Prepared<'a>,
    pub(crate) bases: Vec<&'a Natural>,
    /// As many.
    pub(crate) exponents: Vec<Exponent>,
    /// Whether the product changes its sign.
    pub(crate) negative: bool,
}

impl ListedProduct<'_> {
    fn signed(&self, product: Natural) -> Natural {
        if self.negative { chores::negate(product, self.modulus.facts().value()) } else { product }
    }

    fn lane(&self) -> LaneProduct<'_> {
        LaneProduct { modulus: self.modulus.facts().value(), bases: &self.bases, exponents: &self.exponents }
    }

    fn run_single(&self, plan: &Plan<PowerProduct>, poll: &Poll<'_>) -> Answer {
        crate::work::shared_work::run::product(self.modulus, plan, &self.bases, &self.exponents, poll)
            .map(|product| self.signed(product))
    }
}

/// A list of `count` results, some of which are settled. Error: `interrupted`.
pub(crate) fn run(
    products: &[ListedProduct<'_>],
    list: &ListPlan<PowerProduct>,
    count: usize,
    trivial_results: Vec<(usize, Answer)>,
    watch: Option<&dyn Watch>,
) -> Result<Vec<Answer>, Error> {
    let answers = Answers::new(count, trivial_results, watch);
    answers.walk(&list.schedule(), |workspace: &mut Workspace, step, chunk, poll, answer| {
        let plan = step.plan;
        let places = chunk.elements.clone().map(|place| list.element(place));
        match plan {
            Plan::Run { algorithm: PowerProduct::Straus(straus), form } if plan.is_in_lanes() => {
                let places: Vec<usize> = places.collect();
                for pack in places.chunks(plan.lanes()) {
                    let listed: Vec<&ListedProduct<'_>> = pack.iter().map(|&place| &products[place]).collect();
                    let lanes: Vec<LaneProduct<'_>> = listed.iter().map(|product| product.lane()).collect();
                    let each = |at: usize, residue| answer(listed[at].place, Ok(listed[at].signed(residue)));
                    if let Err(error) = workspace.products(&lanes, straus, form, poll, each) {
                        listed.iter().for_each(|product| answer(product.place, Err(error.clone())));
                    }
                }
            }
            _ => places.for_each(|place| answer(products[place].place, products[place].run_single(plan, poll))),
        }
    })
}
