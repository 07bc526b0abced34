//! Miller and Rabin's test of a secret number, in constant time.

use crate::algorithm::{BASE, Monoid};
use crate::engine::execute::secret_factor::{equal, minus_one};
use crate::engine::execute::{Poll, RingResidues, Secret, rings, secret, with_registers};
use crate::engine::plan::Plan;
use crate::error::Error;
use crate::exponent::SecretExponent;
use crate::kernel::ModulusParts;
use crate::natural::{Wiped, odd_inverse, random};
use crate::secrecy::released;

/// Squarings of a round, where 2^16 does not divide n - 1.
const SQUARINGS: usize = 16;

/// Whether an odd n of exactly `bits` bits passes rounds of Miller and Rabin's test [menezes1996handbook, 4.24] with random bases, by
/// powers along `plan`. Errors: `fault` if the system has no random numbers; `interrupted`; `bad_plan`.
///
/// With n - 1 = 2^s d and d odd, n passes a round if a^d is 1, or if a^(2^i d) is -1 for some i < s. Departures, because s is secret:
/// 1. The loop that divides n - 1 by 2 always has as many steps, and keeps a mask for each i < s.
/// 2. The exponent d has the public width `bits` - 1.
/// 3. All squarings are done, and each result is compared under its mask.
///
/// Leaks: whether n passes the first round, and whether all; whether 2^16 divides n - 1, in which case there are as many squarings as n has
/// bits. That holds for one odd number in 2^15.
pub(crate) fn passes(n: &[u64], bits: usize, rounds: usize, plan: &Plan, poll: &Poll<'_>) -> Result<bool, Error> {
    let (algorithm, form) = secret::constant_time(plan)?;
    let ring = rings::prepare(form, &ModulusParts::secret(n, bits))?;
    let last = minus_one(n);
    let low = last[0] & ((1 << SQUARINGS) - 1);
    let squarings = if released(low.wrapping_neg() >> 63) == 0 { bits } else { SQUARINGS };
    let (odd, is_below) = odd_part(&last, squarings);
    let exponent = SecretExponent::from_limbs(&odd, bits - 1);
    let mut one = Wiped::new(vec![0; n.len()]);
    one[0] = 1;
    // 64 bits more than n has make the remainder uniform but for 2^-64.
    let mut base = Wiped::new(vec![0; n.len() + 1]);
    with_registers(&*ring, algorithm.registers(bits - 1), poll, |mut residues: RingResidues<'_, u64, Secret>| {
        for _ in 0..rounds {
            random::fill(&mut base)?;
            residues.set(BASE, &base);
            let result = algorithm.run_uniform(&exponent, &mut residues);
            let result = result.ok_or_else(|| Error::BadPlan(format!("{algorithm} branches on the exponent")))?;
            let mut passed = 0;
            for (i, mask) in is_below.iter().enumerate() {
                if i > 0 {
                    residues.sqr_n(result, result, 1);
                }
                let mut power = residues.secret(result)?;
                power.truncate(n.len());
                passed |= equal(&power, &last) & mask;
                if i == 0 {
                    passed |= equal(&power, &one);
                }
            }
            #[cfg(pingala_planted_leak = "prime")]
            crate::secrecy::planted::branch(exponent.limbs()[0]);
            // Random composites fail the first round, and a prime fails none: one bit a round reveals no more than the answer.
            if released(passed) == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// The odd part d of an even number 2^s d above 0 with s at most `steps`; and for each i below `steps` a mask, all ones if i < s.
fn odd_part(even: &[u64], steps: usize) -> (Wiped, Wiped) {
    let (mut odd, mut half) = (Wiped::new(even.to_vec()), Wiped::new(even.to_vec()));
    let mut is_below = Wiped::new(vec![0; steps]);
    for mask in is_below.iter_mut() {
        *mask = core::hint::black_box(odd[0] & 1).wrapping_sub(1);
        half.copy_from_slice(&odd);
        odd_inverse::shift_right(&mut half);
        for (limb, half) in odd.iter_mut().zip(half.iter()) {
            *limb ^= (*limb ^ half) & *mask;
        }
    }
    (odd, is_below)
}
