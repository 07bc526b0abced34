//! Plans lists of inverses: the kernel of the products, and how many numbers share one inversion.

use super::Planner;
use super::problem::Part;
use crate::error::Error;
use crate::kernel::registry::Form;

/// Bytes of residues that stay in the caches next to a core.
const NEAR_BYTES: usize = 1 << 18;

/// Most numbers that share an inversion: beyond this, a further number saves next to nothing.
const MOST_AT_ONCE: usize = 512;

/// Nanoseconds of an inversion for each square of the bits of the modulus: 6 microseconds at 2048 bits (docs/records/inverses.md). It
/// decides how many threads are worth starting, nothing else.
const INVERSION_NANOSECONDS: f64 = 1.4e-3;

/// How inverses modulo one number are made by Montgomery's trick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InverseList {
    /// The kernel of the products modulo the odd part; none for a power of two, modulo which nothing is shared.
    pub(crate) form: Option<Form>,
    /// Numbers that share an inversion: their residues and the running products of these stay in the near caches.
    pub(crate) at_once: usize,
    /// Expected nanoseconds of an inverse, with its share of the inversion.
    pub(crate) nanoseconds: f64,
}

impl Planner {
    /// The cheapest kernel for `count` inverses modulo a number with an odd part of this length. An inverse takes three products, and
    /// a conversion in and out. Error: `bad_plan` if no kernel has a price.
    pub(crate) fn plan_inverses(&self, odd_bits: usize, count: usize) -> Result<InverseList, Error> {
        if odd_bits <= 1 {
            return Ok(InverseList { form: None, at_once: count, nanoseconds: 0.0 });
        }
        let forms = self.arenas(&Part::of_modulus(odd_bits as u64, 0, false), None).into_iter();
        let priced = forms.map(|(form, prices)| (form, 3.0 * prices.mul + prices.convert));
        let cheapest = priced.min_by(|a, b| a.1.total_cmp(&b.1));
        let (form, nanoseconds) = cheapest.ok_or_else(|| Error::BadPlan("no kernel has a price".into()))?;
        let at_once = (NEAR_BYTES / (2 * form.residue_bytes(odd_bits))).clamp(2, MOST_AT_ONCE);
        let inversion = INVERSION_NANOSECONDS * (odd_bits * odd_bits) as f64 / at_once.min(count.max(1)) as f64;
        Ok(InverseList { form: Some(form), at_once, nanoseconds: nanoseconds + inversion })
    }
}
