//! The steps of a run, with what each register holds as a power of g.

use super::CellTable;
use core::fmt;
use pingala_core::algorithm::{Algorithm, BASE, Monoid, Register};
use pingala_core::exponent::Exponent;

/// A power of the base: `1`, `g`, `g^283`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedPower(Option<Exponent>);

impl TracedPower {
    /// g^0.
    pub const ONE: TracedPower = TracedPower(None);

    /// g^exponent.
    pub fn of(exponent: Exponent) -> Self {
        Self(Some(exponent))
    }

    /// The exponent; `None` for 0.
    pub fn exponent(&self) -> Option<&Exponent> {
        self.0.as_ref()
    }

    fn times(&self, other: &TracedPower) -> TracedPower {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => TracedPower(Some(a + b)),
            (a, b) => TracedPower(a.as_ref().or(b.as_ref()).cloned()),
        }
    }
}

impl fmt::Display for TracedPower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.pad("1"),
            Some(exponent) if exponent.magnitude().is_one() => f.pad("g"),
            Some(exponent) => f.pad(&format!("g^{exponent}")),
        }
    }
}

/// What one step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedOperation {
    /// The identity.
    One,
    /// A copy of a register.
    Copy(Register),
    /// A product of two registers.
    Multiply(Register, Register),
    /// One squaring of a register.
    Square(Register),
    /// The product of a register and the base.
    MultiplyByBase(Register),
    /// The entry `digit` of the table of `length` registers from `first` on.
    Select {
        /// The first register of the table.
        first: Register,
        /// Its number of entries.
        length: usize,
        /// The entry taken.
        digit: usize,
    },
}

/// One step: a register, what is put there, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The register that is written.
    pub out: Register,
    /// What is done.
    pub operation: TracedOperation,
    /// What `out` holds afterwards.
    pub value: TracedPower,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.operation {
            TracedOperation::One => "1".to_string(),
            TracedOperation::Copy(from) => format!("r{}", from.0),
            TracedOperation::Multiply(a, b) => format!("r{} * r{}", a.0, b.0),
            TracedOperation::Square(a) => format!("r{}^2", a.0),
            TracedOperation::MultiplyByBase(a) => format!("r{} * base", a.0),
            TracedOperation::Select { first, length, digit } => {
                format!("(r{}..r{})[{digit}]", first.0, first.0 + length - 1)
            }
        };
        write!(f, "{:>5} = {what:<16} {}", format!("r{}", self.out.0), self.value)
    }
}

/// Records every step with its value. A run of squarings is taken apart into single ones.
#[derive(Clone, Debug)]
pub struct Tracer {
    cells: Vec<Option<TracedPower>>,
    steps: Vec<Step>,
}

impl Default for Tracer {
    fn default() -> Self {
        Self::new()
    }
}

impl Tracer {
    /// The base stands in its register; nothing is done.
    pub fn new() -> Self {
        Self { cells: vec![Some(TracedPower::of(Exponent::one()))], steps: Vec::new() }
    }

    /// The steps so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What a register holds.
    ///
    /// # Panics
    /// If it was never written.
    pub fn value(&self, register: Register) -> &TracedPower {
        match self.cells.get(register.0) {
            Some(Some(value)) => value,
            _ => panic!("register {} is read before it is written", register.0),
        }
    }

    fn step(&mut self, out: Register, operation: TracedOperation, value: TracedPower) {
        if out.0 >= self.cells.len() {
            self.cells.resize(out.0 + 1, None);
        }
        self.cells[out.0] = Some(value.clone());
        self.steps.push(Step { out, operation, value });
    }
}

impl Monoid for Tracer {
    type Digit = usize;

    fn one(&mut self, out: Register) {
        self.step(out, TracedOperation::One, TracedPower::ONE);
    }

    fn copy(&mut self, out: Register, from: Register) {
        let value = self.value(from).clone();
        self.step(out, TracedOperation::Copy(from), value);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        let value = self.value(a).times(self.value(b));
        self.step(out, TracedOperation::Multiply(a, b), value);
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        if count == 0 {
            return self.copy(out, a);
        }
        for from in core::iter::once(a).chain(core::iter::repeat(out)).take(count) {
            let value = self.value(from).times(self.value(from));
            self.step(out, TracedOperation::Square(from), value);
        }
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        let value = self.value(a).times(self.value(BASE));
        self.step(out, TracedOperation::MultiplyByBase(a), value);
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: usize) {
        assert!(digit < length, "digit {digit} selects from a table of {length}");
        let value = self.value(Register(first.0 + digit)).clone();
        self.step(out, TracedOperation::Select { first, length, digit }, value);
    }
}

/// A run, written down. It prints its name, for the two binary algorithms the table of the report, and its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What was run.
    pub algorithm: Algorithm,
    /// With which exponent.
    pub exponent: Exponent,
    /// What it did.
    pub steps: Vec<Step>,
    /// The register of the result.
    pub result: Register,
}

/// Runs the algorithm on the tracer.
///
/// # Panics
/// If the algorithm is an addition chain for another exponent.
pub fn trace_of(algorithm: &Algorithm, exponent: &Exponent) -> Trace {
    let mut tracer = Tracer::new();
    let result = algorithm.run(exponent, &mut tracer);
    Trace { algorithm: algorithm.clone(), exponent: exponent.clone(), steps: tracer.steps, result }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} to the exponent {}", self.algorithm, self.exponent)?;
        if let Some(table) = CellTable::of(self) {
            write!(f, "\n{table}")?;
        }
        writeln!(f, "\n{:>5}   {:<16} g", "r0", "base")?;
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        writeln!(f, "result in r{}", self.result.0)
    }
}
