//! `pingala chain` and `pingala trace`: what an algorithm does for one exponent.

use crate::failure::{Failure, GOOD, Outcome};
use crate::number::{self, Field};
use crate::print::{self, grouped};
use clap::Args;
use pingala::Limits;
use pingala::algorithm::{Algorithm, ExponentShape, Wanted};
use pingala::exponent::Exponent;
use pingala::reading::{chain_of, trace_of};

/// Each step is kept with its value, so memory grows with the square of the length.
const MAX_BITS: u64 = 1 << 13;
/// As the library's addition chains.
const MAX_STEPS: usize = 1 << 15;

/// An algorithm and an exponent.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    /// An algorithm, such as `sliding_window(w=3)`, or its name alone (see `pingala algorithms`)
    #[arg(short, long, value_name = "NAME")]
    algorithm: String,
    /// The exponent, decimal or 0x hexadecimal, at least 1
    #[arg(value_name = "N", allow_hyphen_values = true)]
    exponent: String,
}

/// Prints the addition chain that the algorithm follows: its elements, and for each the pair that it is the sum of.
pub(crate) fn chain(arguments: &Arguments) -> Outcome {
    let (algorithm, exponent) = arguments.read()?;
    print::output(&format!("{}\n", chain_of(&algorithm, &exponent)?))?;
    Ok(GOOD)
}

/// Prints what the algorithm does, step by step.
pub(crate) fn trace(arguments: &Arguments) -> Outcome {
    let (algorithm, exponent) = arguments.read()?;
    print::output(&format!("{}\n", trace_of(&algorithm, &exponent).to_string().trim_end()))?;
    Ok(GOOD)
}

impl Arguments {
    fn read(&self) -> Result<(Algorithm, Exponent), Failure> {
        let limits = Limits::new(Limits::default().modulus_bits, MAX_BITS);
        let exponent = number::argument(&self.exponent, Field::Exponent, &limits)?.value;
        if exponent.is_negative() {
            return Err(Failure::Usage(
                "the exponent is negative; its chain is that of its absolute value".to_string(),
            ));
        }
        let exponent = Exponent::new(exponent.into_magnitude())
            .ok_or_else(|| Failure::Usage("an exponent of 0 takes no step".to_string()))?;
        let wanted: Wanted = self.algorithm.parse().map_err(|error| match error {
            // The library speaks of plans, where it names the same algorithms.
            pingala::Error::BadPlan(why) => Failure::Usage(why),
            other => other.into(),
        })?;
        let Some(algorithm) = wanted.fill(&ExponentShape::of(&exponent)) else {
            return Err(Failure::Usage(format!("{wanted} needs its parameter")));
        };
        if !algorithm.serves(&exponent) {
            return Err(Failure::Failed(format!("this addition chain does not lead to {exponent}")));
        }
        let n_steps = algorithm.exact(&exponent).products();
        if n_steps > MAX_STEPS {
            let (steps, cap) = (grouped(n_steps as u64), grouped(MAX_STEPS as u64));
            return Err(Failure::Failed(format!("{algorithm} takes {steps} steps; the cap is {cap}")));
        }
        if let Wanted::Named(_) = wanted {
            print::note(&format!("{algorithm} takes the fewest products"));
        }
        Ok((algorithm, exponent))
    }
}
