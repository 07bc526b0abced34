//! The steps of a run without their values, to be played in another monoid a product at a time.

use crate::algorithm::{Algorithm, BASE, Monoid, Register};
use crate::exponent::Exponent;
use core::slice;

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

/// A run, written down without a number in it; a run of squarings is one step, so that it takes some words a window.
#[derive(Debug)]
pub(crate) struct Script {
    steps: Vec<Step>,
    result: Register,
}

impl Script {
    /// Writes the algorithm down as it goes for this exponent.
    pub(crate) fn of(algorithm: &Algorithm, exponent: &Exponent) -> Self {
        let mut writer = Writer(Vec::new());
        let result = algorithm.run(exponent, &mut writer);
        Self { steps: writer.0, result }
    }

    /// Where the result stands in the end.
    pub(crate) fn result(&self) -> Register {
        self.result
    }

    /// From the beginning.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { steps: self.steps.iter(), squared: BASE, squarings: 0 }
    }
}

/// Plays a script, a product at a time.
#[derive(Debug)]
pub(crate) struct Walk<'s> {
    steps: slice::Iter<'s, Step>,
    /// The register that is being squared, and how many squarings of the run are left.
    squared: Register,
    squarings: usize,
}

impl Walk<'_> {
    /// The next step, one squaring where it is a run of them; false at the end.
    #[inline]
    pub(crate) fn next_product(&mut self, monoid: &mut impl Monoid) -> bool {
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
    use crate::natural::Natural;
    use crate::reading::{self, Operation, Power, Tracer, trace_of};

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
            let products = |steps: &[reading::Step]| {
                let is = |kind: fn(&Operation) -> bool| steps.iter().filter(|step| kind(&step.operation)).count();
                [is(|o| matches!(o, Operation::Square(_))), is(|o| matches!(o, Operation::Multiply(..)))]
            };
            assert_eq!(products(tracer.steps()), products(&own.steps), "{algorithm}");
        }
    }
}
