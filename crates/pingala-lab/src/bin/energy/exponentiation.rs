//! The energy of a whole exponentiation: what the algorithm executes, times what its products cost.
//!
//! Squarings are priced as squarings. Bringing the base into Montgomery form and the result out of it is not counted: two
//! or three products of hundreds or thousands.

use crate::model::{Method, Profile, cost};
use crate::processor::Processor;
use pingala::algorithm::{Algorithm, Counts, ExponentShape, Program, SlidingWindow};
use pingala::exponent::Exponent;
use pingala_study::reading::Counter;
use pingala_study::texts::{Operation, Text};

/// Lengths of modulus and exponent alike.
pub const LENGTHS: [usize; 5] = [512, 1024, 2048, 3072, 4096];

/// An exponent of exactly `bits` bits, always the same, about half of its bits set.
fn exponent(bits: usize) -> Exponent {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut limbs: Vec<u64> = Vec::new();
    for _ in 0..bits.div_ceil(64) {
        // xorshift*
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        limbs.push(state.wrapping_mul(0x2545_f491_4f6c_dd1d));
    }
    let top = (bits - 1) % 64;
    let last = limbs.last_mut().expect("at least one bit");
    *last = *last >> (63 - top) | 1 << top;
    Exponent::from_limbs(&limbs).expect("not 0")
}

/// The sliding window with the fewest expected products, and what it executes.
pub fn counts(bits: usize) -> (Algorithm, Counts) {
    let shape = ExponentShape::of_bits(bits);
    let products = |program: &SlidingWindow| program.expected(&shape).products();
    let best = SlidingWindow::candidates(&shape).into_iter().min_by(|a, b| products(a).total_cmp(&products(b)));
    let algorithm = Algorithm::from(best.expect("there are windows"));
    let mut counter = Counter::new();
    algorithm.run(&exponent(bits), &mut counter);
    (algorithm, counter.counts())
}

/// One exponentiation by one method.
pub struct Power {
    pub bits: usize,
    pub algorithm: Algorithm,
    pub counts: Counts,
    pub method: Method,
    /// The best texts of the product and of the squaring.
    pub texts: [Text; 2],
    pub millijoule: f64,
}

/// Every method at every length.
pub fn powers(processor: &Processor, profile: Profile) -> Vec<Power> {
    let of_length = |bits| {
        let (algorithm, counts) = counts(bits);
        Method::ALL.map(|method| {
            let [mul, sqr] = Operation::ALL.map(|operation| cost(processor, profile, method, operation, bits));
            let products = (counts.multiplications + counts.base_multiplications) as f64;
            let microjoule = products * mul.microjoule + counts.squarings as f64 * sqr.microjoule;
            Power {
                bits,
                algorithm: algorithm.clone(),
                counts,
                method,
                texts: [mul.text, sqr.text],
                millijoule: microjoule / 1000.0,
            }
        })
    };
    LENGTHS.into_iter().flat_map(of_length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pingala_lab::counting::Count;

    #[test]
    fn exponents_have_their_length_and_powers_are_mostly_squarings() {
        for bits in [512, 1000, 1024, 4096] {
            assert_eq!(exponent(bits).bits(), bits);
            let (algorithm, counts) = counts(bits);
            assert_eq!(counts, algorithm.exact(&exponent(bits)));
            assert!(counts.squarings * 100 > counts.products() * 80, "{counts:?}");
        }
    }

    /// Energy of a power by hand: the counts of the algorithm times those of the products.
    #[test]
    fn a_power_is_its_products() {
        let processor = Processor::parse(crate::processor::SHIPPED[0]).expect("SA-1100");
        let all = powers(&processor, Profile::Risc);
        let fips = all.iter().find(|power| (power.bits, power.method) == (1024, Method::Fips)).expect("FIPS");
        let each = Operation::ALL
            .map(|operation| processor.microjoule(&Text::Fips.count(operation, 32).expect("32 words").risc()) / 1000.0);
        let products = fips.counts.products() - fips.counts.squarings;
        let want = products as f64 * each[0] + fips.counts.squarings as f64 * each[1];
        assert!((fips.millijoule - want).abs() < 1e-9 * want);
    }
}
