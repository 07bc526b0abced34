//! Makes the calls, and compares what they give.

use super::oracle::{self, Answer};
use super::shared::{Compared, StopAfter, big, natural};
use super::{Call, DrawnModulus, Element, Mode, Workload};
use num_bigint::{BigInt, BigUint, Sign};
use pingala_core::{
    Column, Error, FixedBase, Integer, Job, Limits, Modulus, Natural, Options, RepeatedSquare, SecretExponent,
    SecretFactor, Uses, explain_product_list, modexp, mulmod_rows, mulmod_words, plan_list, plan_product_list,
    pow_list, pow_product_list, pow_rows, pow_words, powmod_with,
};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

/// What a call gave: an answer for each element, or one error.
type Outcome = Result<Vec<Result<Natural, Error>>, Error>;

/// Bytes for tables of fixed bases.
const TABLE_BYTES: u64 = 1 << 16;

/// Makes the call as its settings say. A difference from the oracle is a panic that prints the call.
pub(super) fn check(call: &Call) -> Compared {
    let arguments = Arguments::new(call);
    let wanted = oracle::answers(call);
    let settings = &call.settings;
    let options = Options::default()
        .with_kernel(settings.kernel)
        .with_threads(NonZeroUsize::new(settings.threads))
        .with_limits(Limits::new(1 << 24, settings.exponent_cap))
        .with_blinding(settings.blinded);
    match settings.mode {
        Mode::Planned => compare(call, &wanted, &arguments.call(&options), ""),
        Mode::ByItsLine => {
            let planned = compare(call, &wanted, &arguments.call(&options), "");
            match arguments.line(&options) {
                // What has no line, or does not fit, was compared above.
                None | Some(Err(_)) => planned,
                Some(Ok(line)) => {
                    let again = arguments.call(&options.with_kernel(None).with_plan(Some(&line)));
                    let refused = |error: &Error| error.code() == "bad_plan";
                    let misfit = again.as_ref().is_err_and(refused)
                        || again
                            .as_ref()
                            .is_ok_and(|answers| answers.iter().any(|answer| answer.as_ref().is_err_and(refused)));
                    assert!(!misfit || settings.kernel.is_some(), "{call}\nits own line is refused: {line}\n{again:?}");
                    compare(call, &wanted, &again, &line)
                }
            }
        }
        Mode::Cancelled => {
            let watch = StopAfter(AtomicUsize::new(settings.stop_after));
            // By the watch, or by a time that has passed.
            let stopped = match settings.stop_after {
                0 => options.with_deadline(Some(Instant::now())),
                _ => options.with_watch(Some(&watch)),
            };
            match arguments.call(&stopped) {
                Err(Error::Interrupted) => {
                    // What was stopped leaves nothing behind: the same handles still give the right answers.
                    compare(call, &wanted, &arguments.call(&options), "after a stop");
                    Compared::Interrupted
                }
                Ok(answers) if answers.iter().any(|answer| *answer == Err(Error::Interrupted)) => Compared::Interrupted,
                outcome => compare(call, &wanted, &outcome, "with a watch"),
            }
        }
    }
}

fn compare(call: &Call, wanted: &[Answer], outcome: &Outcome, how: &str) -> Compared {
    let answers = match outcome {
        Err(error) if error.code() == "bad_plan" && oracle::may_not_fit(call) => return Compared::Misfit,
        // One error for the whole call: that of its one result.
        Err(error) => &vec![Err(error.clone()); wanted.len().min(1)],
        Ok(answers) => answers,
    };
    assert_eq!(answers.len(), wanted.len(), "{call}\n{how}: another number of answers: {outcome:?}");
    let mut compared = 0;
    for (at, (answer, wanted)) in answers.iter().zip(wanted).enumerate() {
        let agrees = match (answer, wanted) {
            (Ok(power), Ok(wanted)) => big(power) == *wanted,
            (Err(error), _) if error.code() == "bad_plan" && oracle::may_not_fit(call) => continue,
            (Err(error), Err(code)) => error.code() == *code,
            _ => false,
        };
        assert!(agrees, "{call}\n{how}: element {at} is {answer:?}, not {wanted:?}");
        compared += 1;
    }
    Compared::Answers(compared)
}

fn integer(value: &BigInt) -> Integer {
    Integer::new(value.sign() == Sign::Minus, natural(value.magnitude()))
}

fn modulus(drawn: &DrawnModulus, options: &Options<'_>) -> Result<Modulus, Error> {
    let value = natural(&drawn.value);
    let factors: Vec<(Natural, u32)> = drawn.factors.iter().map(|(base, k)| (natural(base), *k)).collect();
    if super::MODULI[drawn.kind] == "secret factors" {
        let factors = factors.iter().map(|(base, k)| SecretFactor::new(base, *k));
        return Modulus::with_secret_factors(value, &factors.collect::<Result<Vec<_>, _>>()?, options);
    }
    if factors.is_empty() { Modulus::new(value) } else { Modulus::with_factors(value, &factors) }
}

/// The arguments of a call as the library takes them.
struct Arguments<'c> {
    call: &'c Call,
    moduli: Vec<Option<Modulus>>,
    elements: Vec<(Vec<Integer>, Vec<Integer>)>,
}

impl<'c> Arguments<'c> {
    fn new(call: &'c Call) -> Self {
        let number_alone =
            matches!(call.workload, Workload::Powmod | Workload::Modexp | Workload::Words | Workload::MulWords);
        let one = |drawn| {
            (!number_alone)
                .then(|| modulus(drawn, &Options::default()).unwrap_or_else(|error| panic!("{call}\n{error}")))
        };
        let numbers = |element: &Element| {
            (
                element.powers.iter().map(|power| integer(&power.0)).collect(),
                element.powers.iter().map(|power| integer(&power.1)).collect(),
            )
        };
        Self {
            call,
            moduli: call.moduli.iter().map(one).collect(),
            elements: call.elements.iter().map(numbers).collect(),
        }
    }

    fn modulus(&self, at: usize) -> &Modulus {
        self.moduli[self.call.elements.get(at).map_or(0, |element| element.modulus)]
            .as_ref()
            .expect("a workload with moduli")
    }

    fn base(&self, at: usize) -> &Integer {
        &self.elements[at].0[0]
    }

    fn exponent(&self, at: usize) -> &Integer {
        &self.elements[at].1[0]
    }

    fn bases(&self) -> Vec<Integer> {
        (0..self.elements.len()).map(|at| self.base(at).clone()).collect()
    }

    fn exponents(&self) -> Vec<Integer> {
        (0..self.elements.len()).map(|at| self.exponent(at).clone()).collect()
    }

    fn jobs(&self) -> Vec<Job<'_>> {
        let job = |at| Job { base: self.base(at), exponent: self.exponent(at), modulus: self.modulus(at) };
        (0..self.elements.len()).map(job).collect()
    }

    fn products(&self) -> Vec<(&[Integer], &[Integer], &Modulus)> {
        let elements = self.elements.iter().enumerate();
        elements.map(|(at, (bases, exponents))| (&bases[..], &exponents[..], self.modulus(at))).collect()
    }

    /// The one base of a workload whose elements share it, and an exponent long enough for all.
    fn table(&self, options: &Options<'_>, secret: bool) -> Result<FixedBase, Error> {
        let longest = (0..self.elements.len()).map(|at| self.exponent(at).magnitude().bits()).max().unwrap_or(1);
        // A secret may be declared two bits wider than it is.
        let bits = (longest + if secret { 2 } else { 0 }).clamp(1, self.call.settings.exponent_cap);
        let base = if self.elements.is_empty() { &Integer::from(3u64) } else { self.base(0) };
        let mut uses = Uses::new(100, self.call.settings.threads > 1);
        uses.secret = secret;
        FixedBase::for_uses(base, self.modulus(0), bits, TABLE_BYTES, uses, options)
    }

    fn secret(&self, at: usize) -> Result<SecretExponent, Error> {
        let exponent = self.exponent(at).magnitude();
        SecretExponent::new(exponent, Some(self.call.length(&self.call.elements[at].powers[0].1)))
    }

    fn secrets(&self) -> Result<Vec<SecretExponent>, Error> {
        (0..self.elements.len()).map(|at| self.secret(at)).collect()
    }

    /// The line of the plan that the call follows; none for a call that tells none.
    fn line(&self, options: &Options<'_>) -> Option<Result<String, Error>> {
        let text = |plan: Result<String, Error>| Some(plan);
        match self.call.workload {
            Workload::Power => {
                text(self.modulus(0).plan(self.base(0), self.exponent(0), options).map(|plan| plan.to_string()))
            }
            Workload::List | Workload::BaseList | Workload::ExponentList => {
                text(plan_list(&self.jobs(), options).map(|plan| plan.to_string()))
            }
            Workload::Product => {
                let explained = self.modulus(0).explain_product(&self.elements.first()?.1, options);
                text(explained.map(|explained| explained.plan().to_string()))
            }
            Workload::ProductList => {
                let products = self.products();
                let line = plan_product_list(&products, options).map(|plan| plan.to_string());
                // What is explained is what is planned; without a product there is nothing to explain.
                match explain_product_list(&products, options) {
                    Err(error) if error.code() == "bad_argument" => {}
                    explained => assert_eq!(explained.map(|explained| explained.plan().to_string()), line),
                }
                text(line)
            }
            Workload::FixedBase | Workload::FixedBaseList | Workload::FixedBaseFile => {
                text(self.table(options, false).map(|table| table.plan().to_string()))
            }
            Workload::Squaring | Workload::SquaringResumed => {
                let squarings = self.exponent(0).magnitude().bits() - 1;
                let explained = self.modulus(0).explain_repeated_square(squarings, options);
                text(explained.map(|explained| explained.plan().to_string()))
            }
            _ => None,
        }
    }

    fn call(&self, options: &Options<'_>) -> Outcome {
        let call = self.call;
        let one = |answer: Result<Natural, Error>| Ok(vec![answer]);
        match call.workload {
            Workload::Power => one(self.modulus(0).pow_with(self.base(0), self.exponent(0), options)),
            Workload::Powmod => {
                one(powmod_with(self.base(0), self.exponent(0), &natural(&call.moduli[0].value), options))
            }
            Workload::Modexp => {
                let bytes = |value: &Natural| [&[0; 3], &value.to_be_bytes()[..]].concat();
                let modulus = bytes(&natural(&call.moduli[0].value));
                let power = modexp(&bytes(self.base(0).magnitude()), &bytes(self.exponent(0).magnitude()), &modulus);
                assert_eq!(power.len(), modulus.len());
                one(Ok(Natural::from_be_bytes(&power)))
            }
            Workload::List => pow_list(&self.jobs(), options),
            Workload::BaseList => match self.elements.first() {
                None => self.modulus(0).pow_base_list(&[], &Integer::from(3u64), options),
                Some(_) => self.modulus(0).pow_base_list(&self.bases(), self.exponent(0), options),
            },
            Workload::ExponentList => match self.elements.first() {
                None => self.modulus(0).pow_exp_list(&Integer::from(3u64), &[], options),
                Some(_) => self.modulus(0).pow_exp_list(self.base(0), &self.exponents(), options),
            },
            Workload::Product => {
                let (bases, exponents) = &self.elements[0];
                one(self.modulus(0).pow_product(bases, exponents, options))
            }
            Workload::ProductList => pow_product_list(&self.products(), options),
            Workload::FixedBase => {
                let table = self.table(options, false)?;
                let free = options.with_plan(None);
                Ok(self.exponents().iter().map(|exponent| table.pow_with(exponent, &free)).collect())
            }
            Workload::FixedBaseList => {
                self.table(options, false)?.pow_list(&self.exponents(), &options.with_plan(None))
            }
            Workload::FixedBaseFile => {
                let table = self.table(options, false)?;
                let path = std::env::temp_dir().join(format!("pingala-call-{}-{}", std::process::id(), call.number));
                table.save(&path)?;
                let loaded = FixedBase::load(&path, &pingala_core::Expected::default(), options);
                std::fs::remove_file(&path).expect("the table that was written");
                loaded?.pow_list(&self.exponents(), &options.with_plan(None))
            }
            Workload::Squaring => {
                let squarings = self.exponent(0).magnitude().bits() - 1;
                one(self.modulus(0).repeated_square(self.base(0), squarings, options))
            }
            Workload::SquaringResumed => {
                let squarings = self.exponent(0).magnitude().bits() - 1;
                let mut job = RepeatedSquare::new(self.modulus(0), self.base(0), squarings)?;
                let watch = StopAfter(AtomicUsize::new(call.settings.stop_after % 3));
                match job.run(&options.with_watch(Some(&watch))) {
                    Err(Error::Interrupted) => one(job.run(options)),
                    done => one(done),
                }
            }
            Workload::Invert => one(self.modulus(0).invert(self.base(0))),
            Workload::InvertList => self.modulus(0).invert_list(&self.bases(), options),
            Workload::Rows => self.rows(options, pow_rows),
            Workload::Words => self.words(options, pow_words),
            Workload::MulRows => self.rows(options, mulmod_rows),
            Workload::MulWords => self.words(options, mulmod_words),
            Workload::MulList => {
                let (a, b) = (one_if_equal(self.bases()), one_if_equal(self.exponents()));
                // Lists of one number each are one product.
                let equal = a.len() == 1 && b.len() == 1;
                let b = if equal { self.exponents() } else { b };
                answers(self.modulus(0).mul_list(&a, &b, options))
            }
            Workload::SquareList => answers(self.modulus(0).square_list(&self.bases(), options)),
            Workload::ValueProduct => one(self.modulus(0).product(&self.elements[0].0, options)),
            Workload::RunningProduct => {
                let products = self.modulus(0).running_product(&self.bases(), options)?;
                let residues = self.modulus(0).residues(&self.bases(), options)?;
                assert_eq!(residues.running_product(options)?.to_naturals(options)?, products);
                if let Some(last) = products.last() {
                    assert_eq!(residues.product(options)?, *last);
                }
                answers(Ok(products))
            }
            Workload::ResidueChain => self.chain(options),
            Workload::SecretPower => one(self.modulus(0).pow_sec(self.base(0), &self.secret(0)?, options)),
            Workload::SecretBytes => {
                let mut out = vec![0xaa; self.modulus(0).value().bits().div_ceil(8) as usize + 2];
                let base = self.base(0).magnitude().to_be_bytes();
                let done = self.modulus(0).pow_sec_bytes(&base, &self.secret(0)?, &mut out, options);
                one(done.map(|()| Natural::from_be_bytes(&out)))
            }
            Workload::SecretList => {
                let bases: Vec<Vec<u8>> = self.bases().iter().map(|base| base.magnitude().to_be_bytes()).collect();
                let bases: Vec<&[u8]> = bases.iter().map(|base| &base[..]).collect();
                let secrets = self.secrets()?;
                self.secret_rows(|out| self.modulus(0).pow_sec_list(&bases, &secrets, out, options))
            }
            Workload::SecretFixedBase => {
                let (table, free) = (self.table(options, true)?, options.with_plan(None));
                Ok(self.secrets()?.iter().map(|exponent| table.pow_sec(exponent, &free)).collect())
            }
            Workload::SecretFixedBaseList => {
                let (table, free, secrets) = (self.table(options, true)?, options.with_plan(None), self.secrets()?);
                self.secret_rows(|out| table.pow_sec_list(&secrets, out, &free))
            }
        }
    }

    /// Rows of results with the errors of some.
    fn secret_rows(&self, call: impl FnOnce(&mut [u8]) -> Result<Vec<(usize, Error)>, Error>) -> Outcome {
        let width = self.modulus(0).value().bits().div_ceil(8) as usize + 1;
        let mut out = vec![0xaa; width * self.elements.len()];
        let failed = call(&mut out)?;
        Ok(answers_of_rows(&out, width, failed))
    }

    /// (ab)^2 a^5, by operations on lists and in place, the second list sometimes on the kernel that is planned.
    fn chain(&self, options: &Options<'_>) -> Outcome {
        let modulus = self.modulus(0);
        let other = if self.call.number.is_multiple_of(3) { options.with_kernel(None) } else { *options };
        let a = modulus.residues(&self.bases(), options)?;
        let b = modulus.residues(&self.exponents(), &other)?;
        let mut chain = a.mul(&b, options)?.square(options)?.mul(&a, options)?;
        for index in 0..chain.len() {
            let last = chain.len();
            chain.push_from(&a, index)?;
            chain.square_n(last, 2)?;
            chain.mul_own(index, last)?;
            chain.truncate(last);
        }
        answers(chain.to_naturals(options))
    }

    /// As columns of bytes: whole columns, or single numbers where all elements have the same.
    fn rows(&self, options: &Options<'_>, of_rows: OfRows) -> Outcome {
        let call = self.call;
        let width = call.moduli.iter().map(|modulus| modulus.value.bits().div_ceil(8) as usize).max().unwrap_or(1) + 1;
        let (bases, exponents) = (self.bases(), self.exponents());
        let moduli: Vec<Integer> = (0..bases.len()).map(|at| self.modulus(at).value().into()).collect();
        let mut out = vec![0xaa; width * bases.len()];
        let n = if call.moduli.len() == 1 { Column::from(self.modulus(0)) } else { column(&moduli) };
        let failed = of_rows(column(&bases), column(&exponents), n, &mut out, width, options)?;
        Ok(answers_of_rows(&out, width, failed))
    }

    fn words(&self, options: &Options<'_>, of_words: OfWords) -> Outcome {
        let word = |value: &BigUint| value.iter_u64_digits().next().unwrap_or(0);
        let column = |of: &dyn Fn(&Element) -> u64| -> Vec<u64> { self.call.elements.iter().map(of).collect() };
        let shortened = |mut words: Vec<u64>| {
            if self.call.number.is_multiple_of(2) && words.windows(2).all(|pair| pair[0] == pair[1]) {
                words.truncate(1);
            }
            words
        };
        let bases = shortened(column(&|element| word(element.powers[0].0.magnitude())));
        let exponents = shortened(column(&|element| word(element.powers[0].1.magnitude())));
        let moduli = shortened(column(&|element| word(&self.call.moduli[element.modulus].value)));
        let mut out = vec![0xaaaa; self.call.elements.len()];
        let failed = of_words(&bases, &exponents, &moduli, &mut out, options)?;
        let bytes: Vec<u8> = out.iter().flat_map(|word| word.to_be_bytes()).collect();
        Ok(answers_of_rows(&bytes, 8, failed))
    }
}

type Failed = Result<Vec<(usize, Error)>, Error>;

/// A workload on rows of bytes, and one on words.
type OfRows = fn(Column<'_>, Column<'_>, Column<'_>, &mut [u8], usize, &Options<'_>) -> Failed;
type OfWords = fn(&[u64], &[u64], &[u64], &mut [u64], &Options<'_>) -> Failed;

fn answers(numbers: Result<Vec<Natural>, Error>) -> Outcome {
    Ok(numbers?.into_iter().map(Ok).collect())
}

/// One number if all are equal.
fn one_if_equal(mut numbers: Vec<Integer>) -> Vec<Integer> {
    if numbers.windows(2).all(|pair| pair[0] == pair[1]) {
        numbers.truncate(1);
    }
    numbers
}

/// One number for all rows if all are equal, otherwise a row for each.
fn column(numbers: &[Integer]) -> Column<'_> {
    match numbers.first() {
        Some(first) if numbers.iter().all(|number| number == first) => Column::from(first),
        _ => Column::from(numbers),
    }
}

fn answers_of_rows(out: &[u8], width: usize, failed: Vec<(usize, Error)>) -> Vec<Result<Natural, Error>> {
    let mut answers: Vec<Result<Natural, Error>> =
        out.chunks(width).map(|row| Ok(Natural::from_be_bytes(row))).collect();
    for (row, error) in failed {
        assert_eq!(answers[row], Ok(Natural::default()), "a row that failed is 0");
        answers[row] = Err(error);
    }
    answers
}
