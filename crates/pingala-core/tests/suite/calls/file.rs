//! The file of calls with their results, `vectors/calls.txt`: every binding makes the same calls.
//!
//! A line is a call: words with a blank between them, numbers in hexadecimal with a sign in front if they are negative.
//!
//! ```text
//! list 4f threads=2 cap=0 blinded=1 timeout=none memory=0 kernel=- plan=0 moduli=65:65^1;67 powers=0,7,-5;1,7,6 results=45;17
//! ```
//!
//! `cap` is the longest exponent in bits, and `memory` the bytes for shared work, 0 for the default. `timeout` is `none`, `long`, or `past`, with
//! which a call may end with `interrupted`; `kernel` is forced unless it is `-`, and may be `bad_plan`; with `plan=1` a call is made again by the line of
//! its plan, where the binding gives it. A modulus is its value, then its factors behind `:`, secret ones behind `!`.
//! A power is the place of its modulus, then base and exponent; a product has several of these pairs; an empty list is `-`. Lists of
//! products have two factors in place of base and exponent, or one factor and a number that means nothing; `residue_chain` is (ab)^2 a^5. A
//! result is a number, or `!` and the code of an error. The exponents of a secret workload are declared `wider` bits longer than they are, and
//! 1 bit long at least.

use super::super::rust_text::root;
use super::coverage::Coverage;
use super::shared::{is_current, joined, lines, name, timeout};
use super::{Call, MODULI, Mode, Shape, WORKLOADS, oracle};
use num_bigint::BigInt;
use std::fmt::Write;

/// Calls of each workload in the file.
const EACH: usize = 60;

/// Longest line, and longest list, in the file.
const LONGEST: usize = 900;
const MOST: usize = 9;

fn hexadecimal(value: &BigInt) -> String {
    format!("{value:x}")
}

/// The line of a call; none for one that is long.
fn line(call: &Call) -> Option<String> {
    let settings = &call.settings;
    if call.count > MOST && call.workload.shape() != Shape::One {
        return None;
    }
    let moduli = call.moduli.iter().map(|modulus| {
        let mut text = format!("{:x}", modulus.value);
        let factors: Vec<String> = modulus.factors.iter().map(|(base, k)| format!("{base:x}^{k:x}")).collect();
        if !factors.is_empty() {
            text.push(if MODULI[modulus.kind] == "secret factors" { '!' } else { ':' });
            text += &factors.join(",");
        }
        text
    });
    let powers = call.elements.iter().map(|element| {
        let pairs = element
            .powers
            .iter()
            .map(|(base, exponent, ..)| format!(",{},{}", hexadecimal(base), hexadecimal(exponent)));
        format!("{:x}", element.modulus) + &pairs.collect::<String>()
    });
    let results = oracle::answers(call).into_iter().map(|answer| match answer {
        Ok(value) => format!("{value:x}"),
        Err(code) => format!("!{code}"),
    });
    let cap = if settings.exponent_cap < 1000 { settings.exponent_cap } else { 0 };
    let mut line = format!(
        "{} {:x} threads={:x} cap={cap:x} blinded={}",
        name(call.workload),
        call.number,
        settings.threads,
        u8::from(settings.blinded)
    );
    let kernel = if settings.kernel.is_some() && call.workload.takes_a_kernel() { "portable_r64" } else { "-" };
    let timeout = timeout((settings.mode == Mode::Cancelled).then_some(settings.stop_after));
    let memory = if call.workload.shares_work() { [0, 1 << 13, 1 << 16][(call.number % 3) as usize] } else { 0 };
    let plan = u8::from(settings.mode == Mode::ByItsLine);
    write!(line, " timeout={timeout} memory={memory:x} kernel={kernel} plan={plan}").ok()?;
    write!(line, " moduli={} powers={} results={}", joined(moduli), joined(powers), joined(results)).ok()?;
    if call.workload.is_secret() {
        // Declared lengths differ by the number of the call.
        write!(line, " wider={:x}", call.number % 3).ok()?;
    }
    (line.len() <= LONGEST).then_some(line)
}

#[test]
fn the_file_is_current() {
    const HEADER: &str = "# Written by the test suite::calls::file::the_file_is_current with PINGALA_WRITE=1; tests/suite/calls/file.rs has the format.";
    let text = lines::<Coverage, _>(HEADER, WORKLOADS, EACH, |call| call.workload, line);
    is_current(&root().join("vectors/calls.txt"), &text);
}
