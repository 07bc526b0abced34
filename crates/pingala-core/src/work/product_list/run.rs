//! Lists of products of powers: in lanes, or one at a time, as the tree of the plan says.

use crate::algorithm::PowerProduct;
use crate::engine::execute::{Answer, Answers, Prepared, ProductOf, Watch, Workspace};
use crate::engine::plan::{ListPlan, Plan};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::natural::{Natural, chores};
use crate::work::shared_work::run::product;

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

    fn product(&self) -> ProductOf<'_> {
        ProductOf { modulus: self.modulus, bases: &self.bases, exponents: &self.exponents }
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
    answers.walk_each(list, |workspace: &mut Workspace, plan, elements, poll, answer| {
        let listed = |at: usize| &products[elements[at]];
        match plan {
            Plan::Run { algorithm: PowerProduct::Straus(straus), form } if plan.is_in_lanes() => {
                let lanes: Vec<ProductOf<'_>> = (0..elements.len()).map(|at| listed(at).product()).collect();
                let each = |at: usize, residue| answer(listed(at).place, Ok(listed(at).signed(residue)));
                if let Err(error) = workspace.products(&lanes, straus, form, poll, each) {
                    (0..elements.len()).for_each(|at| answer(listed(at).place, Err(error.clone())));
                }
            }
            _ => (0..elements.len()).map(listed).for_each(|listed| {
                let product = product(&listed.product(), plan, poll);
                answer(listed.place, product.map(|product| listed.signed(product)));
            }),
        }
    })
}
