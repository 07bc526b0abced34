//! Calls that combine every workload with every kind of number and every setting, against an oracle of a few lines.
//!
//! A call is drawn only from its number. `PINGALA_CALL=NUMBER cargo test -p pingala-core --lib suite::calls::one_call` repeats one.

mod coverage;
mod draw;
mod file;
mod oracle;
mod perform;
mod shared;

use coverage::Coverage;
use draw::{BASES, DrawnModulus, EXPONENTS, MODULI};
use num_bigint::{BigInt, BigUint};
use shared::check;
use std::fmt;

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Workload {
    Power,
    Powmod,
    Modexp,
    List,
    BaseList,
    ExponentList,
    Product,
    ProductList,
    FixedBase,
    FixedBaseList,
    FixedBaseFile,
    Squaring,
    SquaringResumed,
    Invert,
    InvertList,
    Rows,
    Words,
    SecretPower,
    SecretBytes,
    SecretList,
    SecretFixedBase,
    SecretFixedBaseList,
    MulList,
    SquareList,
    ValueProduct,
    RunningProduct,
    ResidueChain,
    MulRows,
    MulWords,
}

/// All of them.
const WORKLOADS: &[Workload] = {
    use Workload::*;
    &[
        Power,
        Powmod,
        Modexp,
        List,
        BaseList,
        ExponentList,
        Product,
        ProductList,
        FixedBase,
        FixedBaseList,
        FixedBaseFile,
        Squaring,
        SquaringResumed,
        Invert,
        InvertList,
        Rows,
        Words,
        SecretPower,
        SecretBytes,
        SecretList,
        SecretFixedBase,
        SecretFixedBaseList,
        MulList,
        SquareList,
        ValueProduct,
        RunningProduct,
        ResidueChain,
        MulRows,
        MulWords,
    ]
};

/// What the elements of a workload share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// There is one power.
    One,
    /// Nothing has to be shared.
    Many,
    /// Different bases, one exponent.
    Bases,
    /// Different exponents, one base.
    Exponents,
}

impl Workload {
    fn shape(self) -> Shape {
        use Workload::*;
        match self {
            Power | Powmod | Modexp | Squaring | SquaringResumed | Invert | SecretPower | SecretBytes => Shape::One,
            List | Product | ProductList | InvertList | Rows | Words | SecretList => Shape::Many,
            MulList | SquareList | ValueProduct | RunningProduct | ResidueChain | MulRows | MulWords => Shape::Many,
            BaseList => Shape::Bases,
            ExponentList | FixedBase | FixedBaseList | FixedBaseFile | SecretFixedBase | SecretFixedBaseList => {
                Shape::Exponents
            }
        }
    }

    fn is_secret(self) -> bool {
        use Workload::*;
        matches!(self, SecretPower | SecretBytes | SecretList | SecretFixedBase | SecretFixedBaseList)
    }

    /// Whether its elements are the powers of one result.
    fn is_one_product(self) -> bool {
        matches!(self, Workload::Product | Workload::ValueProduct)
    }

    /// Whether memory for what its powers share can be limited.
    fn shares_work(self) -> bool {
        matches!(self, Workload::ExponentList | Workload::Product | Workload::ProductList)
    }

    /// Whether it multiplies: a base and an exponent are then two factors, and what has only one factor does without the exponent.
    fn multiplies(self) -> bool {
        use Workload::*;
        matches!(self, MulList | SquareList | ValueProduct | RunningProduct | ResidueChain | MulRows | MulWords)
    }

    fn has_one_modulus(self) -> bool {
        use Workload::*;
        !matches!(self, List | ProductList | Rows | Words | MulRows | MulWords)
    }

    fn takes_signed_bases(self) -> bool {
        use Workload::*;
        !matches!(self, Modexp | Words | MulWords | SecretBytes | SecretList)
    }

    /// Whether it has an exponent for which the caller sets a cap.
    fn has_a_cap(self) -> bool {
        use Workload::*;
        !self.multiplies() && !matches!(self, Modexp | Squaring | SquaringResumed | Invert | InvertList)
    }

    fn takes_a_kernel(self) -> bool {
        !matches!(self, Workload::Modexp | Workload::Invert | Workload::InvertList)
    }

    /// Whether its moduli may know factors, or are only numbers.
    fn takes_modulus(self, kind: usize) -> bool {
        use Workload::*;
        match self {
            // Only numbers: factors and secret factors are no arguments.
            Powmod | Modexp | Words | MulWords => kind <= 4,
            // A table for secrets takes an odd modulus.
            SecretFixedBase | SecretFixedBaseList => {
                !matches!(MODULI[kind], "even" | "power of two" | "factors with a power of two")
            }
            _ => true,
        }
    }

    fn takes_exponent(self, kind: usize) -> bool {
        use Workload::*;
        let negative = matches!(EXPONENTS[kind], "minus one" | "negative");
        match self {
            Squaring | SquaringResumed => EXPONENTS[kind] == "sparse",
            Invert | InvertList => EXPONENTS[kind] == "minus one",
            SquareList | ValueProduct | RunningProduct => EXPONENTS[kind] == "short",
            Modexp | Words | MulWords => !negative && EXPONENTS[kind] != "over the cap",
            _ if self.is_secret() => !negative,
            _ => true,
        }
    }
}

/// How a call is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// By the planner.
    Planned,
    /// By the planner, and once more by the line that its plan prints.
    ByItsLine,
    /// With a watch that says stop after some polls, or with a deadline.
    Cancelled,
}

/// The settings of a call.
#[derive(Clone, Debug)]
struct Settings {
    kernel: Option<&'static str>,
    mode: Mode,
    threads: usize,
    exponent_cap: u64,
    blinded: bool,
    /// Polls before a cancelled call is stopped; 0 for a deadline that has passed.
    stop_after: usize,
}

/// The powers of one result, each a base and an exponent with their kinds.
#[derive(Clone, Debug)]
struct Element {
    /// Which of the moduli.
    modulus: usize,
    powers: Vec<(BigInt, BigInt, usize, usize)>,
}

/// A call.
#[derive(Clone, Debug)]
struct Call {
    number: u64,
    workload: Workload,
    moduli: Vec<DrawnModulus>,
    elements: Vec<Element>,
    /// The length of its list.
    count: usize,
    settings: Settings,
}

impl Call {
    /// With numbers that the workload can take.
    fn narrowed(mut self) -> Self {
        match self.workload {
            Workload::Words | Workload::MulWords => {
                let word = |value: &BigUint| value.iter_u64_digits().next().unwrap_or(0);
                for modulus in &mut self.moduli {
                    modulus.value = word(&modulus.value).into();
                }
                for (base, exponent, ..) in self.elements.iter_mut().flat_map(|element| &mut element.powers) {
                    (*base, *exponent) = (word(base.magnitude()).into(), word(exponent.magnitude()).into());
                }
            }
            Workload::Squaring | Workload::SquaringResumed => {
                for (_, exponent, ..) in self.elements.iter_mut().flat_map(|element| &mut element.powers) {
                    *exponent = BigInt::from(1) << (exponent.bits() % 150);
                }
            }
            workload if workload.is_secret() => {
                for (_, exponent, ..) in self.elements.iter_mut().flat_map(|element| &mut element.powers) {
                    *exponent = BigInt::from(exponent.magnitude().clone());
                }
            }
            _ => {}
        }
        if !self.workload.has_a_cap() {
            self.settings.exponent_cap = u64::MAX;
        }
        self
    }
}

impl Call {
    /// The length of an exponent as the caller declares it, in bits: that of a secret may be longer than it is.
    fn length(&self, exponent: &BigInt) -> u64 {
        if self.workload.is_secret() { (exponent.bits() + self.number % 3).max(1) } else { exponent.bits() }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PINGALA_CALL={} {:?} {:?}", self.number, self.workload, self.settings)?;
        for modulus in &self.moduli {
            write!(f, "; {}: {:#x}", MODULI[modulus.kind], modulus.value)?;
            modulus.factors.iter().try_for_each(|(base, k)| write!(f, " {base:#x}^{k}"))?;
        }
        for (at, Element { modulus, powers }) in self.elements.iter().enumerate() {
            write!(f, "; {at} mod #{modulus}:")?;
            for (base, exponent, base_kind, exponent_kind) in powers {
                let kinds = (BASES[*base_kind], EXPONENTS[*exponent_kind]);
                write!(f, " {base:#x}^{exponent:#x} ({}, {})", kinds.0, kinds.1)?;
            }
        }
        Ok(())
    }
}

/// Calls in each run of the tests.
const CALLS: u64 = 100_000;

#[test]
fn every_pair_of_kinds_and_settings() {
    let coverage: Coverage = check(0..CALLS, 2);
    let missing = coverage.missing();
    assert!(missing.is_empty(), "no call has {missing:#?}");
    println!("{coverage}");
}

/// Other calls, on this CPU and on it as a lesser one.
#[test]
fn more_calls() {
    println!("{}", check::<Coverage>(CALLS..CALLS + 5_000, 2));
}

/// A batch of calls without an end, far from those above; how many answers were compared.
pub(super) fn batch(batch: u64) -> u64 {
    const IN_A_BATCH: u64 = 256;
    let first = (1 << 32) + batch * IN_A_BATCH;
    check::<Coverage>(first..first + IN_A_BATCH, 1).answers()
}

/// The call that the environment names.
#[test]
fn one_call() {
    shared::one_call::<Coverage>();
}
