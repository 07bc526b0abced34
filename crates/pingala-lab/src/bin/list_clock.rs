//! Times the library's list of powers for the benchmarks of other languages, which ask for it in turn with their own.
//!
//! Reads lines from the standard input, numbers in hexadecimal: the modulus, then base and exponent of each power with a blank between them.
//! From then on `time` is answered by the nanoseconds of the list on one thread, with the modulus prepared before, and `answers` by all
//! results in one line.

use pingala_core::{Integer, Job, Modulus, Options};
use std::error::Error;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

fn number(digits: &str) -> Result<Integer, Box<dyn Error>> {
    Ok(format!("0x{digits}").parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = std::io::stdin().lock().lines();
    let mut out = std::io::stdout().lock();
    let modulus = Modulus::new(number(&lines.next().ok_or("no modulus")??)?.magnitude().clone())?;
    let options = Options::default().with_threads(NonZeroUsize::new(1));
    let mut powers: Vec<(Integer, Integer)> = Vec::new();
    for line in lines {
        let line = line?;
        if let Some((base, exponent)) = line.split_once(' ') {
            powers.push((number(base)?, number(exponent)?));
            continue;
        }
        let jobs: Vec<Job<'_>> =
            powers.iter().map(|(base, exponent)| Job { base, exponent, modulus: &modulus }).collect();
        let start = Instant::now();
        let results = black_box(pingala_core::pow_list(&jobs, &options)?);
        let elapsed = start.elapsed();
        match line.as_str() {
            "time" => writeln!(out, "{}", elapsed.as_nanos())?,
            "answers" => {
                let results = results.into_iter().map(|power| Ok(format!("{:x}", power?)));
                writeln!(out, "{}", results.collect::<Result<Vec<_>, pingala_core::Error>>()?.join(" "))?;
            }
            other => return Err(format!("{other}: expected time or answers").into()),
        }
        out.flush()?;
    }
    Ok(())
}
