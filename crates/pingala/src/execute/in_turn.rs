//! Two powers at once on one thread, product by product in turn: while the carries of one product are awaited, the other
//! one's multiplications are under way. Both stay what they are by themselves: each has its modulus, algorithm and exponent.

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::execute::pulse::Pulse;
use crate::execute::residues::{Public, Residues};
use crate::execute::{enter_base, taken};
use crate::exponent::Exponent;
use crate::kernel::Ring;
use crate::natural::Natural;
use crate::reading::Script;

/// base^exponent, to be done by this algorithm on this ring.
pub(crate) struct Stream<'a> {
    pub(crate) ring: &'a dyn Ring<u64>,
    pub(crate) algorithm: &'a Algorithm,
    pub(crate) base: &'a Natural,
    pub(crate) exponent: &'a Exponent,
}

/// Both powers, canonical. Error: `interrupted`.
pub(crate) fn powers(streams: [Stream<'_>; 2], pulse: &Pulse<'_>) -> Result<[Natural; 2], Error> {
    let pulse = pulse.for_words(streams[0].ring.words().max(streams[1].ring.words()));
    let scripts = streams.each_ref().map(|stream| Script::of(stream.algorithm, stream.exponent));
    let registers = streams.each_ref().map(|stream| stream.algorithm.registers(stream.exponent.bits()));
    let [mut first_room, mut second_room] =
        [0, 1].map(|at| vec![0; Residues::<u64, Public>::room_words(streams[at].ring, registers[at])]);
    let mut first = Residues::<u64, Public>::new(streams[0].ring, &mut first_room, &pulse);
    let mut second = Residues::<u64, Public>::new(streams[1].ring, &mut second_room, &pulse);
    enter_base(&mut first, streams[0].base);
    enter_base(&mut second, streams[1].base);
    let [mut one, mut other] = scripts.each_ref().map(Script::walk);
    // Either goes on alone when the other one is through.
    while one.next_product(&mut first) | other.next_product(&mut second) {}
    if pulse.halted() {
        return Err(Error::Interrupted);
    }
    Ok([taken(&mut first, scripts[0].result(), 0), taken(&mut second, scripts[1].result(), 0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::prepared::Prepared;
    use crate::kernel::registry::forms;
    use crate::modulus::Facts;
    use crate::natural::testing::to_oracle;

    /// Different lengths of moduli and exponents, on every kernel that works in an arena: whatever this CPU's planner does.
    #[test]
    fn two_powers_are_what_each_is_by_itself() {
        let number = |seed: u64, limbs: u64| {
            let limb = |i: u64| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63 | 1;
            Natural::from_limbs(&(0..limbs).map(limb).collect::<Vec<_>>())
        };
        let moduli = [number(1, 8), number(2, 9)];
        let facts = moduli.clone().map(|m| Prepared::new(Facts::new(m)));
        let exponents = [number(3, 8), number(4, 3)].map(|e| Exponent::new(e).unwrap());
        let base = number(5, 7);
        let of = |n: usize| forms(true, n).filter(|form| form.kernel.lanes() == 1 && form.kernel.has_arena());
        let algorithms: [Algorithm; 2] = ["sliding_window(w=5)", "fixed_window(w=3)"].map(|name| name.parse().unwrap());
        for (first, second) in of(8).zip(of(9)) {
            let rings = [facts[0].ring(&first).unwrap(), facts[1].ring(&second).unwrap()];
            let stream = |at: usize| Stream {
                ring: &*rings[at],
                algorithm: &algorithms[at],
                base: &base,
                exponent: &exponents[at],
            };
            let powers = powers([stream(0), stream(1)], &Pulse::none()).unwrap();
            for at in [0, 1] {
                let [base, exponent, m] = [&base, exponents[at].magnitude(), &moduli[at]].map(to_oracle);
                assert_eq!(to_oracle(&powers[at]), base.modpow(&exponent, &m), "{first}, {second}");
            }
        }
    }
}
