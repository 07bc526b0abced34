//! The file of these calls with their results, `vectors/prime_calls.txt`: every binding makes the same calls.
//!
//! A line is as one of `vectors/calls.txt` (`crates/pingala-core/tests/suite/calls/file.rs`): words with a blank between them, numbers in hexadecimal
//! with a sign in front if they are negative, an empty list as `-`.
//!
//! ```text
//! is_prime_list 4f threads=2 cap=0 blinded=0 timeout=none memory=0 moduli=1 powers=0,7,1;0,-5,1 results=2;0
//! ```
//!
//! `cap` is the longest number in bits, 0 for the default; `timeout` and `memory` are as in that file. An element of `powers` is the place of its modulus, then pairs:
//!
//! | workload | pairs | result |
//! |---|---|---|
//! | `is_prime`, `is_prime_list` | n, rounds | 0: not prime, 1: probably, 2: proved |
//! | `next_prime`, `previous_prime` | n, anything | the prime |
//! | `primes_between` | a, b, the same pair in each element | the primes in order, then 0 |
//! | `jacobi`, `jacobi_list` | a, 0 | the symbol of a above the modulus |
//! | `kronecker` | a, n; the modulus is the odd part of n | the symbol |
//! | `sqrt_mod`, `sqrt_mod_list` | a, 0 | the lesser root |
//! | `sqrt_mod_all` | a, the most roots, the same pair in each element; the modulus may have its factors | the roots in order, then 0 |
//! | `estimate_prime` | bits, 1 for a secret; r, q of a residue, 0, 0 for none; bits on top, rounds or 0; 1 for a safe one, 1 for a uniform one | 1 |
//! | `prove_squaring` | base, t, the same pair in both elements | the power, then the number of its proof |
//! | `verify_squaring` | base, t; result, number of the proof | 1: it holds, 0: it does not |
//! | `accumulate` | g, 1; then g and an exponent each | g to the product |
//! | `witnesses` | g, exponent | the witness |
//! | `update_witnesses` | old witness, exponent added, a pair for each that is added | the new witness |
//! | `failing_witnesses` | witness, exponent; accumulator, 1 | 1: it holds, 0: it does not |
//!
//! A result that begins with `!` is the code of an error. It is the error of the whole call, which is the first one of its elements; only
//! `sqrt_mod_list` has errors of elements.

use super::coverage::Coverage;
use super::shared::{is_current, joined, lines, name, timeout};
use super::{Call, DrawnModulus, Element, WORKLOADS, Workload, conditions, oracle};
use num_bigint::{BigInt, BigUint, Sign};
use std::fmt::Write;
use std::path::Path;

/// Calls of each workload in the file.
const EACH: usize = 60;

/// Longest line, and longest list, in the file.
const LONGEST: usize = 1800;
const MOST: usize = 9;

/// The line of a call; none for one that is long, or that has what not every binding has.
fn line(call: &Call) -> Option<String> {
    let conditions = match &call.conditions {
        Some(conditions) => Some(conditions::in_a_file(call, conditions)?),
        None => None,
    };
    let mut call = call.clone();
    if let Some((pairs, _)) = &conditions {
        call.moduli = vec![DrawnModulus { value: BigUint::from(1u32), ..DrawnModulus::default() }];
        call.elements = vec![Element { modulus: 0, pairs: pairs.clone(), root: None }];
    }
    let call = &call;
    let mut answers = conditions.map_or_else(|| oracle::answers(call), |(_, answer)| vec![answer]);
    // Caps of exponents, and those of a list whose elements have errors of their own.
    let capped =
        call.settings.cap.is_some() && (call.workload.caps_exponents() || call.workload.has_errors_of_elements());
    // Not every binding limits the two roots modulo a prime.
    let few = call.workload == Workload::SqrtModAll
        && !call.moduli[0].passed
        && call.elements[0].pairs[0].1.magnitude() != &BigUint::from(1u32 << 16);
    // A verifier in C looks at long moduli only.
    let short = call.workload == Workload::VerifySquaring && call.moduli[0].value.bits() < 1024;
    let hexadecimal = |value: &BigInt| format!("{value:x}");
    // A binding looks at the lengths of all numbers first.
    let bits = |element: &Element| element.pairs.iter().map(|(a, b)| a.bits().max(b.bits())).max().unwrap_or(0);
    let below = call.moduli.iter().map(|modulus| modulus.value.bits()).max().unwrap_or(0);
    let symbol = call.workload.is_symbol();
    let over = call.conditions.is_none()
        && call
            .settings
            .cap
            .is_some_and(|cap| symbol && below > cap || call.elements.iter().any(|element| bits(element) > cap));
    if symbol && over {
        if call.workload == Workload::JacobiList {
            return None;
        }
        answers = vec![Err("too_long")];
    }
    let negative = call.elements.iter().any(|element| element.pairs.iter().any(|(a, _)| a.sign() == Sign::Minus));
    let has_other_error = over && (negative || !answers.contains(&Err("too_long")));
    let long = answers.len() > MOST || call.elements.iter().any(|element| element.pairs.len() > MOST);
    let below_zero = call.moduli.iter().any(|modulus| modulus.negative);
    if call.settings.kernel.is_some() || capped || short || few || has_other_error || long || below_zero {
        return None;
    }
    let moduli = call.moduli.iter().map(|modulus| {
        let known = modulus.factors.iter().map(|(base, k)| format!("{base:x}^{k:x}"));
        let known: Vec<String> = if modulus.passed { known.collect() } else { Vec::new() };
        format!("{:x}{}{}", modulus.value, if modulus.passed { ":" } else { "" }, known.join(","))
    });
    let powers = (0..answers.len()).map(|at| {
        // Several answers of one element.
        let element = &call.elements[at.min(call.elements.len() - 1)];
        let pairs = element.pairs.iter().map(|(a, b)| format!(",{},{}", hexadecimal(a), hexadecimal(b)));
        format!("{:x}", element.modulus) + &pairs.collect::<String>()
    });
    let results = answers.iter().map(|answer| match answer {
        Ok(value) => hexadecimal(value),
        Err(code) => format!("!{code}"),
    });
    let mut line = format!("{} {:x} threads={:x}", name(call.workload), call.number, call.settings.threads);
    // That of a proof is an operand of the call, and each driver has its own.
    let memory = call.settings.memory.filter(|_| call.workload == Workload::Witnesses).unwrap_or(0);
    let cap = call.settings.cap.unwrap_or(0);
    let timeout = timeout(call.settings.stop_after);
    write!(
        line,
        " cap={cap:x} blinded=0 timeout={timeout} memory={memory:x} moduli={} powers={} results={}",
        joined(moduli),
        joined(powers),
        joined(results)
    )
    .ok()?;
    (line.len() <= LONGEST).then_some(line)
}

#[test]
fn the_file_is_current() {
    const HEADER: &str = "# Written by the test file::the_file_is_current of crates/pingala-proofs/tests/calls with PINGALA_WRITE=1; file.rs there has the format.";
    // The words of a column are a list in the bindings; one answer for a whole list has no line, and what is random has none.
    let without = |one: &Workload| {
        matches!(one, Workload::IsPrimeWords | Workload::VerifyWitnesses)
            || one.has_conditions() && *one != Workload::EstimatePrime
    };
    let workloads: Vec<Workload> = WORKLOADS.into_iter().filter(|one| !without(one)).collect();
    let text = lines::<Coverage, _>(HEADER, &workloads, EACH, |call| call.workload, line);
    is_current(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/prime_calls.txt"), &text);
}
