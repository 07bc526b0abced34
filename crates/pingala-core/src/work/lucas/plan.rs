//! The kernel of a Lucas sequence.

use crate::engine::plan::{Planner, Problem};
use crate::error::Error;
use crate::kernel::registry::Form;

impl Planner {
    /// Expected nanoseconds of [`Modulus::lucas`](crate::Modulus::lucas) modulo an odd number of this length, for an index of that length.
    pub fn lucas_nanoseconds(&self, modulus_bits: u64, index_bits: u64) -> Result<f64, Error> {
        let form = self.plan_lucas(modulus_bits)?;
        let price = self.prices().of(&form).ok_or(Error::Fault("a form without a price was planned"))?;
        Ok(price.setup + price.convert + index_bits as f64 * (price.mul + price.sqr))
    }

    /// The form in which a product and a squaring modulo an odd number of this length take the least time, among those that add constants:
    /// the ones in Montgomery's form but transforms. Error: `bad_plan` if nothing has a price.
    pub(crate) fn plan_lucas(&self, modulus_bits: u64) -> Result<Form, Error> {
        let part = Problem::new(modulus_bits, 1).odd_part(modulus_bits);
        let forms = self.arenas(&part, None).into_iter().filter(|(form, _)| {
            let entry = form.kernel.entry();
            entry.montgomery && entry.adds
        });
        let cheapest = forms.min_by(|(_, a), (_, b)| (a.mul + a.sqr).total_cmp(&(b.mul + b.sqr)));
        cheapest.map(|(form, _)| form).ok_or_else(|| Error::BadPlan("no kernel with a price takes this modulus".into()))
    }
}
