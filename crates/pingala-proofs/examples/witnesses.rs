//! Reads a modulus, g and exponents, one number a line, from standard input; writes the witnesses to standard output, and the seconds
//! that they took to standard error. Arguments: threads, and the name of a checkpoint file if it is to keep one.

use pingala_core::{Integer, Modulus, Natural, Options};
use pingala_proofs::Witnesses;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let threads = arguments.next().map(|threads| threads.parse::<NonZeroUsize>()).transpose()?;
    let numbers = std::io::read_to_string(std::io::stdin())?;
    let mut numbers = numbers.lines().map(|line| line.parse::<Natural>());
    let modulus = Modulus::new(numbers.next().ok_or("no modulus")??)?;
    let g = Integer::from(numbers.next().ok_or("no base")??);
    let exponents: Vec<Natural> = numbers.collect::<Result<_, _>>()?;
    let options = Options::default().with_threads(threads);
    let mut job = Witnesses::new(&g, &exponents, &modulus)?;
    if let Some(path) = arguments.next() {
        job = job.with_checkpoint(path.as_ref(), Duration::from_millis(100))?;
    }
    let (expected, start) = (job.seconds(&options)?, Instant::now());
    let witnesses = job.run(&options)?;
    eprintln!("{:.2} s, {expected:.2} s expected", start.elapsed().as_secs_f64());
    witnesses.iter().for_each(|witness| println!("{witness:#x}"));
    Ok(())
}
