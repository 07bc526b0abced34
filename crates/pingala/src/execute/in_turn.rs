//! Two powers at once on one thread, product by product in turn: while the carries of one product are awaited, the other one's
//! multiplications are under way. Both stay what they are by themselves: each has its modulus, its algorithm and its exponent.

use crate::algorithm::{Algorithm, BASE, Monoid, Register};
use crate::error::Error;
use crate::execute::pulse::Pulse;
use crate::execute::residues::{Public, Residues};
use crate::execute::{enter_base, taken};
use crate::exponent::Exponent;
use crate::kernel::Ring;
use crate::natural::Natural;
use core::slice;

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
    Ok([taken(&mut first, scripts[0].result, 0), taken(&mut second, scripts[1].result, 0)])
}

/// What a run does with its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    One(Register),
    Copy(Register, Register),
    Multiply(Register, Register, Register),
    MultiplyByBase(Register, Register),
    /// The second register squared so many times, into the first.
    Square(Register, Register, usize),
}

/// A run, written down without a number in it.
#[derive(Debug)]
struct Script {
    steps: Vec<Step>,
    result: Register,
}

impl Script {
    fn of(algorithm: &Algorithm, exponent: &Exponent) -> Self {
        let mut writer = Writer(Vec::new());
        let result = algorithm.run(exponent, &mut writer);
        Self { steps: writer.0, result }
    }

    fn walk(&self) -> Walk<'_> {
        Walk { steps: self.steps.iter(), squared: BASE, squarings: 0 }
    }
}

/// Plays a script, a product at a time.
struct Walk<'s> {
    steps: slice::Iter<'s, Step>,
    /// The register that is being squared, and how many squarings of the run are left.
    squared: Register,
    squarings: usize,
}

impl Walk<'_> {
    /// The next step, one squaring where it is a run of them; false at the end.
    #[inline]
    fn next_product(&mut self, monoid: &mut impl Monoid) -> bool {
        if self.squarings > 0 {
            self.squarings -= 1;
            monoid.sqr_n(self.squared, self.squared, 1);
            return true;
        }
        match self.steps.next() {
            None => return false,
            Some(&Step::One(out)) => monoid.one(out),
            Some(&Step::Copy(out, from) | &Step::Square(out, from, 0)) => monoid.copy(out, from),
            Some(&Step::Multiply(out, a, b)) => monoid.mul(out, a, b),
            Some(&Step::MultiplyByBase(out, a)) => monoid.mul_base(out, a),
            Some(&Step::Square(out, a, count)) => {
                monoid.sqr_n(out, a, 1);
                (self.squared, self.squarings) = (out, count - 1);
            }
        }
        true
    }
}

/// The monoid that writes down what it is asked.
struct Writer(Vec<Step>);

impl Monoid for Writer {
    type Digit = usize;

    fn one(&mut self, out: Register) {
        self.0.push(Step::One(out));
    }

    fn copy(&mut self, out: Register, from: Register) {
        self.0.push(Step::Copy(out, from));
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        self.0.push(Step::Multiply(out, a, b));
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        self.0.push(Step::Square(out, a, count));
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.0.push(Step::MultiplyByBase(out, a));
    }

    fn select(&mut self, out: Register, first: Register, _length: usize, digit: usize) {
        self.0.push(Step::Copy(out, Register(first.0 + digit)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{Operation, Power, Tracer, trace_of};

    /// Written down and played, every algorithm does what it does by itself, one product at a time.
    #[test]
    fn scripts_are_the_runs() {
        let exponent = Exponent::new(Natural::from_limbs(&[0x9a5c_37f1_0004_8d21, 0x1f])).unwrap();
        for algorithm in Algorithm::all(5) {
            let script = Script::of(&algorithm, &exponent);
            let (mut tracer, mut walk) = (Tracer::new(), script.walk());
            let mut steps = 0;
            while walk.next_product(&mut tracer) {
                steps += 1;
                assert_eq!(tracer.steps().len(), steps, "{algorithm}");
            }
            assert_eq!(*tracer.value(script.result), Power::of(exponent.clone()), "{algorithm}");
            let own = trace_of(&algorithm, &exponent);
            let products = |steps: &[crate::reading::Step]| {
                let is = |kind: fn(&Operation) -> bool| steps.iter().filter(|step| kind(&step.operation)).count();
                [is(|o| matches!(o, Operation::Square(_))), is(|o| matches!(o, Operation::Multiply(..)))]
            };
            assert_eq!(products(tracer.steps()), products(&own.steps), "{algorithm}");
        }
    }
}
