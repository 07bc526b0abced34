//! The file of calls with their results, `vectors/calls.txt`: every binding makes the same calls.
//!
//! A line is a call: words with a blank between them, numbers in hexadecimal with a sign in front if they are negative.
//!
//! ```text
//! list 4f threads=2 cap=0 blinded=1 moduli=65:65^1;67 powers=0,7,-5;1,7,6 results=45;17
//! ```
//!
//! `cap` is the longest exponent in bits, 0 for the default. A modulus is its value, then its factors behind `:`, secret ones behind `!`.
//! A power is the place of its modulus, then base and exponent; a product has several of these pairs; an empty list is `-`. Lists of
//! products have two factors in place of base and exponent, or one factor and a number that means nothing; `residue_chain` is (ab)^2 a^5. A
//! result is a number, or `!` and the code of an error. The exponents of a secret workload are declared `wider` bits longer than they are, and
//! 1 bit long at least.

use super::super::rust_text::root;
use super::draw::Draw;
use super::{Call, MODULI, Shape, WORKLOADS, Workload, oracle};
use num_bigint::BigInt;
use std::fmt::Write;
use std::fs;

/// Calls of each workload in the file.
const EACH: usize = 60;

/// Longest line, and longest list, in the file.
const LONGEST: usize = 900;
const MOST: usize = 9;

/// The name of a workload in the file.
fn name(workload: Workload) -> String {
    let mut name = String::new();
    for (at, letter) in format!("{workload:?}").chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn hexadecimal(value: &BigInt) -> String {
    format!("{value:x}")
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = texts.collect();
    if all.is_empty() { "-".into() } else { all.join(";") }
}

/// The line of a call; none for one that is long, or that forces a kernel.
fn line(call: &Call) -> Option<String> {
    let settings = &call.settings;
    if settings.kernel.is_some() || call.count > MOST && call.workload.shape() != Shape::One {
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
    write!(line, " moduli={} powers={} results={}", joined(moduli), joined(powers), joined(results)).ok()?;
    if call.workload.is_secret() {
        // Declared lengths differ by the number of the call.
        write!(line, " wider={:x}", call.number % 3).ok()?;
    }
    (line.len() <= LONGEST).then_some(line)
}

/// The whole file.
fn text() -> String {
    let workloads = WORKLOADS;
    let mut lines: Vec<Vec<String>> = vec![Vec::new(); workloads.len()];
    for number in 0.. {
        let call = Draw::call(number);
        let Some(at) = workloads.iter().position(|workload| *workload == call.workload) else { continue };
        if lines[at].len() < EACH {
            lines[at].extend(line(&call));
        }
        if lines.iter().all(|lines| lines.len() == EACH) {
            break;
        }
    }
    let mut text = String::from(
        "# Written by the test suite::calls::file::the_file_is_current with PINGALA_WRITE=1; tests/suite/calls/file.rs has the format.\n",
    );
    lines.iter().flatten().for_each(|line| text += &format!("{line}\n"));
    text
}

#[test]
fn the_file_is_current() {
    let (path, text) = (root().join("vectors/calls.txt"), text());
    if std::env::var_os("PINGALA_WRITE").is_some() {
        fs::write(&path, &text).expect("the file of calls");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "vectors/calls.txt is not what the calls are: write it again with PINGALA_WRITE=1");
}
