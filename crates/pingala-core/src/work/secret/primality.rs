//! The test of a secret number for primality.

use crate::engine::execute::{Poll, secret_prime};
use crate::engine::plan::{Planner, Problem};
use crate::error::Error;
use crate::natural::Wiped;
use crate::natural::bytes::limb_from_be;
use crate::secrecy::{released, wipe_stack};
use crate::work::Options;
use core::hint::black_box;

/// The shortest secret number, in bits.
const MIN_BITS: u64 = 32;

/// Whether a secret number of exactly `bits` bits passes `rounds` rounds of Miller and Rabin's test with random bases, in constant
/// time: no branch and no memory address depends on the number. `number` has its bytes, most significant first, and at least 32 bits.
/// An even number fails.
///
/// A prime passes, unless it divides a base, as it does one in 2^bits. A composite passes with probability 4^-rounds at most, and a random one far more rarely: FIPS 186-5,
/// table B.1 \[nist2023dss\], has the numbers of rounds for primes that are drawn. A test of -1 and 1 alone, such as the one of
/// [`Modulus::with_secret_factors`](crate::Modulus::with_secret_factors), needs twice as many rounds.
///
/// Only the limits, the watch, the kernel and the plan of the options are used. Errors: `bad_argument` for no round, and for a number
/// that is shorter than 32 bits or not as long as declared; `too_long`; `bad_plan`; `interrupted`; `fault` if the system has no random
/// numbers.
///
/// Leaks: `bits`; whether the number is odd and as long as declared; after how many rounds it fails; whether 2^16 divides it less 1.
pub fn is_prime_secret(number: &[u8], bits: u64, rounds: u32, options: &Options<'_>) -> Result<bool, Error> {
    let refused = |why: String| Err(Error::BadArgument(why));
    if bits < MIN_BITS || number.len() as u64 != bits.div_ceil(8) {
        let bytes = number.len();
        return refused(format!(
            "{bytes} bytes for a secret number of {bits} bits, of which it has at least {MIN_BITS}"
        ));
    }
    if rounds == 0 {
        return refused("a test of no round".into());
    }
    let cap = options.limits().modulus_bits;
    if bits > cap {
        return Err(Error::TooLong { what: "number", length: bits, cap });
    }
    let options = options.resolved()?;
    let problem = Problem { secret: true, ..Problem::new(bits, bits - 1) };
    let plan = Planner::of_this_machine().plan_with(&problem, options.kernel, options.plan)?;
    let mut n = Wiped::new(number.rchunks(8).map(limb_from_be).collect());
    let top = n.len() - 1;
    if released(n[top] >> ((bits - 1) % 64)) != 1 {
        return refused(format!("a secret number is not as long as declared, {bits} bits"));
    }
    if released(n[0] & 1) == 0 {
        return Ok(false);
    }
    // These two bits are public now; memcheck learns it from a sum of bits with a constant that the compiler does not know.
    n[0] |= black_box(1);
    n[top] |= black_box(1 << ((bits - 1) % 64));
    let poll = &Poll::new(options.watch(), None);
    let passes = secret_prime::passes(&n, bits as usize, rounds as usize, &plan, poll);
    wipe_stack();
    passes
}
