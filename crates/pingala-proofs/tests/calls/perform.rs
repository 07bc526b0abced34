//! Makes the calls, and compares what they give.

use super::common::Folder;
use super::oracle::{self, Answer};
use super::shared::{Compared, StopAfter, big, natural};
use super::{Call, Element, Workload, conditions};
use num_bigint::{BigInt, Sign};
use pingala_core::{Error, Integer, Limits, Modulus, Natural, Options};
use pingala_primes as primes;
use pingala_proofs as proofs;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

/// What a call gave: an answer for each element, or one error.
type Outcome = Result<Vec<Result<BigInt, Error>>, Error>;

/// Makes the call as its settings say. A difference from the oracle is a panic that prints the call.
pub(super) fn check(call: &Call) -> Compared {
    let settings = &call.settings;
    let limits = match settings.cap {
        None => Limits::default(),
        Some(cap) if call.workload.caps_exponents() => Limits::new(1 << 24, cap),
        Some(cap) => Limits::new(cap, 1 << 26),
    };
    let options = Options::default()
        .with_kernel(settings.kernel)
        .with_threads(NonZeroUsize::new(settings.threads))
        .with_limits(limits);
    let watch = StopAfter(AtomicUsize::new(settings.stop_after.unwrap_or(0)));
    let stopped = settings.stop_after.map(|polls| match polls {
        0 => options.with_deadline(Some(Instant::now())),
        _ => options.with_watch(Some(&watch)),
    });
    if let Some(conditions) = &call.conditions {
        return conditions::check(call, conditions, stopped.as_ref(), &options);
    }
    let wanted = oracle::answers(call);
    let Some(stopped) = stopped else { return compare(call, &wanted, &make(call, &options), "") };
    if matches!(call.workload, Workload::ProveSquaring | Workload::Witnesses) {
        return resumed(call, &wanted, &stopped, &options);
    }
    match make(call, &stopped) {
        Err(Error::Interrupted) => {
            compare(call, &wanted, &make(call, &options), "after a stop");
            Compared::Interrupted
        }
        outcome => compare(call, &wanted, &outcome, "with a watch"),
    }
}

/// A job that is stopped, and resumed from its file.
fn resumed(call: &Call, wanted: &[Answer], stopped: &Options<'_>, options: &Options<'_>) -> Compared {
    let folder = Folder::new(&format!("call-{}", call.number));
    let file = folder.0.join("state");
    match make_with(call, stopped, Some(&file)) {
        Err(Error::Interrupted) => {
            compare(call, wanted, &make_with(call, options, Some(&file)), "resumed");
            Compared::Interrupted
        }
        outcome => compare(call, wanted, &outcome, "with a watch and a file"),
    }
}

fn compare(call: &Call, wanted: &[Answer], outcome: &Outcome, how: &str) -> Compared {
    let answers = match outcome {
        Err(error) if error.code() == "bad_plan" && call.settings.kernel.is_some() => return Compared::Misfit,
        Err(error) => {
            let first = wanted.iter().position(Result::is_err);
            let expected = first.and_then(|at| wanted[at].as_ref().err());
            assert_eq!(Some(&error.code()), expected, "{call}\n{how}: {error}, not {wanted:?}");
            if let Error::At { index, .. } = error
                && !matches!(
                    call.workload,
                    Workload::Accumulate | Workload::UpdateWitnesses | Workload::VerifyWitnesses
                )
            {
                assert_eq!(Some(*index), first, "{call}\n{how}: {error}");
            }
            return Compared::Answers(1);
        }
        Ok(answers) => answers,
    };
    assert_eq!(answers.len(), wanted.len(), "{call}\n{how}: another number of answers");
    for (at, (answer, wanted)) in answers.iter().zip(wanted).enumerate() {
        let agrees = match (answer, wanted) {
            (Ok(answer), Ok(wanted)) => answer == wanted,
            (Err(error), _) if error.code() == "bad_plan" && call.settings.kernel.is_some() => continue,
            (Err(error), Err(code)) => error.code() == *code && call.workload.has_errors_of_elements(),
            _ => false,
        };
        assert!(agrees, "{call}\n{how}: element {at} is {answer:?}, not {wanted:?}");
    }
    Compared::Answers(answers.len())
}

fn integer(value: &BigInt) -> Integer {
    Integer::new(value.sign() == Sign::Minus, natural(value.magnitude()))
}

fn signed(value: &Natural) -> BigInt {
    big(value).into()
}

fn make(call: &Call, options: &Options<'_>) -> Outcome {
    make_with(call, options, None)
}

fn make_with(call: &Call, options: &Options<'_>, file: Option<&std::path::Path>) -> Outcome {
    use Workload::*;
    let first = |element: &Element| integer(&element.pairs[0].0);
    let a: Vec<Integer> = call.elements.iter().map(first).collect();
    let second = |element: &Element| natural(element.pairs[0].1.magnitude());
    let exponents: Vec<Natural> = call.elements.iter().map(second).collect();
    let values: Vec<Natural> = call.moduli.iter().map(|modulus| natural(&modulus.value)).collect();
    // A list of one serves all; sometimes each element has its own all the same.
    let below: Vec<Natural> = match values.len() {
        1 if call.number.is_multiple_of(2) => values.clone(),
        _ => call.elements.iter().map(|element| values[element.modulus].clone()).collect(),
    };
    let rounds = call.settings.rounds;
    let number = |answer: &primes::Primality| {
        assert!(answer.proved == (answer.error_bound == 0.0), "{call}\n{answer:?}");
        Ok(BigInt::from(u8::from(answer.prime) << u8::from(answer.proved)))
    };
    let one = |found: Result<Natural, Error>| Ok(vec![Ok(signed(&found?))]);
    let all = |found: Result<Vec<Natural>, Error>| Ok(found?.iter().map(|found| Ok(signed(found))).collect());
    match call.workload {
        IsPrime => Ok(vec![number(&primes::is_prime(&a[0], rounds, options)?)]),
        IsPrimeList => Ok(primes::is_prime_list(&a, rounds, options)?.iter().map(number).collect()),
        IsPrimeWords => {
            let words: Vec<u64> = a.iter().map(|n| n.magnitude().limbs().first().copied().unwrap_or(0)).collect();
            let mut out = vec![true; words.len()];
            let done = primes::is_prime_words(&words, &mut out, options);
            assert!(done.is_ok() || out.iter().all(|prime| !prime), "{call}");
            done.map(|()| out.iter().map(|&prime| Ok(BigInt::from(2 * u8::from(prime)))).collect())
        }
        NextPrime => one(primes::next_prime(&a[0], options)),
        PreviousPrime => one(primes::previous_prime(&a[0], options)),
        PrimesBetween => {
            let found = primes::primes_between(&a[0], &integer(&call.elements[0].pairs[0].1), options)?;
            Ok(found.iter().map(|p| Ok(signed(p))).chain([Ok(BigInt::ZERO)]).collect())
        }
        Jacobi => {
            let below = Integer::new(call.moduli[0].negative, values[0].clone());
            Ok(vec![Ok(primes::jacobi_with(&a[0], &below, options)?.into())])
        }
        Kronecker => Ok(vec![Ok(primes::kronecker(&a[0], &integer(&call.elements[0].pairs[0].1), options)?.into())]),
        JacobiList => {
            let signed = |(at, value): (usize, &Natural)| {
                let modulus = if below.len() == values.len() { at } else { call.elements[at].modulus };
                Integer::new(call.moduli[modulus].negative, value.clone())
            };
            let below: Vec<Integer> = below.iter().enumerate().map(signed).collect();
            Ok(primes::jacobi_list_with(&a, &below, options)?.into_iter().map(|symbol| Ok(symbol.into())).collect())
        }
        SqrtMod => one(primes::sqrt_mod(&a[0], &values[0], options)),
        SqrtModList => {
            let roots = primes::sqrt_mod_list(&a, &below, options)?;
            Ok(roots.into_iter().map(|root| root.map(|root| signed(&root))).collect())
        }
        SqrtModAll => all_roots(call, &a[0], options),
        _ => {
            let factors: Vec<(Natural, u32)> =
                call.moduli[0].factors.iter().map(|(base, k)| (natural(base), *k)).collect();
            let modulus = match call.moduli[0].passed {
                true => Modulus::with_factors(values[0].clone(), &factors),
                false => Modulus::new(values[0].clone()),
            };
            let modulus = modulus.unwrap_or_else(|error| panic!("{call}\n{error}"));
            let accumulator = || {
                let last = call.elements.first().and_then(|element| element.pairs.last());
                last.map_or_else(Natural::default, |(of_all, _)| natural(of_all.magnitude()))
            };
            let naturals = || a.iter().map(|w| w.magnitude().clone()).collect::<Vec<_>>();
            match call.workload {
                ProveSquaring => {
                    let t = exponents[0].limbs().first().copied().unwrap_or(0);
                    let mut job = proofs::ProvedSquaring::new(&modulus, &a[0], t)?;
                    if let Some(memory) = call.settings.memory {
                        job = job.with_memory(memory);
                    }
                    if let Some(file) = file {
                        job = job.with_checkpoint(file, Duration::ZERO)?;
                    }
                    let (result, proof) = job.run(options)?;
                    let why = proofs::refusal(&a[0], t, &modulus, &result, &proof, 0, &Options::default());
                    assert_eq!(why, Ok(None), "{call}");
                    assert_eq!(proof.to_string().parse().as_ref(), Ok(&proof), "{call}");
                    Ok(vec![Ok(signed(&result)), Ok(signed(proof.root()))])
                }
                VerifySquaring => {
                    let t = exponents[0].limbs().first().copied().unwrap_or(0);
                    let (result, root) = &call.elements[0].pairs[1];
                    let result = natural(result.magnitude());
                    let proof = proofs::SquaringProof::new(natural(root.magnitude()));
                    let why = proofs::refusal(&a[0], t, &modulus, &result, &proof, 0, options)?;
                    let long = values[0].bits() >= proofs::SMALLEST_MODULUS_BITS;
                    let verified = proofs::verify_squaring(&a[0], t, &modulus, &result, &proof, options)?;
                    assert_eq!(verified, long && why.is_none(), "{call}");
                    let (bases, results) =
                        ([a[0].clone(), a[0].clone()], [Integer::from(result.clone()), result.into()]);
                    let each =
                        proofs::verify_squaring_list(&bases, t, &modulus, &results, &[proof.clone(), proof], options);
                    assert_eq!(each, Ok(vec![verified; 2]), "{call}");
                    Ok(vec![Ok(u8::from(why.is_none()).into())])
                }
                Accumulate => {
                    let pairs = &call.elements[0].pairs[1..];
                    let exponents: Vec<Natural> = pairs.iter().map(|(_, e)| natural(e.magnitude())).collect();
                    one(proofs::accumulate(&a[0], &exponents, &modulus, options))
                }
                Witnesses => {
                    let g = a.first().cloned().unwrap_or(Integer::from(3u64));
                    let mut job = proofs::Witnesses::new(&g, &exponents, &modulus)?;
                    if let Some(memory) = call.settings.memory {
                        job = job.with_memory(memory);
                    }
                    if let Some(file) = file {
                        job = job.with_checkpoint(file, Duration::ZERO)?;
                    }
                    all(job.run(options))
                }
                UpdateWitnesses => {
                    let pairs = call.elements.first().map_or(&[][..], |element| &element.pairs);
                    let added: Vec<Natural> = pairs.iter().map(|(_, e)| natural(e.magnitude())).collect();
                    all(proofs::update_witnesses(&naturals(), &added, &modulus, options))
                }
                FailingWitnesses => {
                    let failing =
                        proofs::failing_witnesses(&accumulator(), &exponents, &naturals(), &modulus, options)?;
                    let holds = |at: usize| Ok(BigInt::from(u8::from(!failing.contains(&at))));
                    Ok((0..call.elements.len()).map(holds).collect())
                }
                _ => {
                    let holds = proofs::verify_witnesses(&accumulator(), &exponents, &naturals(), &modulus, options)?;
                    Ok(vec![Ok(u8::from(holds).into())])
                }
            }
        }
    }
}

/// All roots, with the factors that the caller knows, and a 0 behind them. One root is one of them.
fn all_roots(call: &Call, a: &Integer, options: &Options<'_>) -> Outcome {
    let m = &call.moduli[0];
    let most = usize::try_from(call.elements[0].pairs[0].1.magnitude()).unwrap_or(usize::MAX);
    let factors: Vec<(Natural, u32)> = match m.passed {
        true => m.factors.iter().map(|(p, k)| (natural(p), *k)).collect(),
        false => vec![(Modulus::with_limits(natural(&m.value), options.limits())?.value().clone(), 1)],
    };
    let roots = primes::sqrt_mod_all(a, &factors, most, options)?;
    match primes::sqrt_mod_factored(a, &factors, options) {
        Ok(root) => assert!(roots.contains(&root) && big(&root) * 2u32 <= m.value, "{call}\n{root}"),
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        Err(error) => assert!(error.code() == "bad_argument" && roots.is_empty(), "{call}\n{error}"),
    }
    Ok(roots.iter().map(|root| Ok(signed(root))).chain([Ok(BigInt::ZERO)]).collect())
}
