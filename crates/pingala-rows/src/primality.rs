//! The task of `pingala prime test` on rows: whether the number of each row is prime.

use crate::error::Error as Failure;
use crate::powers::{id, integer};
use crate::records::{Holds, RowSource};
use crate::stream::{Ask, Interpret, Judgement, Task};
use crate::text::Value;
use pingala_core::{Error, Integer, Limits, Options};
use pingala_primes::{Primality, is_prime_list};
use std::fmt::Write;

/// The names of the fields, in the order of their values.
pub const NAMES: [&str; 2] = ["number", "id"];

/// What the field of each place holds.
pub fn holds(place: usize) -> Holds {
    if place == 0 { Holds::Numbers } else { Holds::Truths }
}

/// Reads numbers under a cap.
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    /// Its `modulus_bits` are those of the longest number.
    pub limits: Limits,
    /// Whether digits are hexadecimal without 0x too.
    pub hexadecimal: bool,
}

impl Interpret for Candidates {
    type Work = Integer;
    type Expected = ();

    fn row(&mut self, rows: &dyn RowSource) -> Ask<Integer, ()> {
        let mut values = [const { None }; 2];
        let read = rows.values(&mut values);
        let (id, has_id) = id(values[1].as_ref());
        let number = |value: &Option<Value<'_>>| match value {
            Some(value) => integer(value, NAMES[0], self.hexadecimal, self.limits.modulus_bits),
            None => Err(Failure::bad_row("the number is missing")),
        };
        Ask { id, expected: None, what: read.and(has_id).and_then(|()| number(&values[0])) }
    }
}

/// Tests numbers.
#[derive(Clone, Copy, Debug)]
pub struct Tests<'a> {
    /// Settings of the library.
    pub options: Options<'a>,
    /// Rounds with random bases.
    pub rounds: u32,
}

impl Task for Tests<'_> {
    type Work = Integer;
    type Expected = ();
    type Answer = Primality;

    fn answers(&self, work: &[&Integer]) -> Result<Vec<Result<Primality, Error>>, Failure> {
        let numbers: Vec<Integer> = work.iter().map(|&number| number.clone()).collect();
        Ok(is_prime_list(&numbers, self.rounds, &self.options)?.into_iter().map(Ok).collect())
    }

    /// A number that is not prime counts as a mismatch.
    fn judge(&self, came: &Result<Primality, Failure>, _: Option<&()>) -> Judgement {
        Judgement { matches: None, is_good: came.as_ref().map_or(true, |answer| answer.prime) }
    }

    fn write(&mut self, answer: &Primality, out: &mut String) {
        let &Primality { prime, proved, error_bound, random_error_bound, .. } = answer;
        // Writing to a `String` cannot fail.
        let _ = write!(
            out,
            ",\"prime\":{prime},\"proved\":{proved},\"error_bound\":{},\"random_error_bound\":{}",
            serde_json::Value::from(error_bound),
            serde_json::Value::from(random_error_bound)
        );
    }
}
