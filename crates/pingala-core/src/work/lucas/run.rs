//! The ladder on the registers of a ring.

use crate::engine::execute::{Poll, zeroed};
use crate::error::Error;
use crate::kernel::{Ring, cache_line};
use crate::natural::{Natural, chores};

/// V_k and V_(k+1) with Q = 1 modulo an odd number above 1, for P below it. From the top bit of k, with i the bits so far:
/// V_2i = V_i^2 - 2, V_(2i+1) = V_i V_(i+1) - P, V_(2i+2) = V_(i+1)^2 - 2.
///
/// Error: `interrupted`; `bad_plan` if the system has not the memory, or the ring does not add.
pub(super) fn run(
    ring: &dyn Ring<u64>,
    modulus: &Natural,
    p: &Natural,
    k: &Natural,
    poll: &Poll<'_>,
) -> Result<[Natural; 2], Error> {
    let (poll, words) = (poll.for_words(ring.words()), ring.words());
    // V_i, V_(i+1), -P and -2.
    let registers = [0, 1, 2, 3];
    let mut room = zeroed(registers.len() * words + cache_line::spare::<u64>() + ring.scratch_words())?;
    let (arena, scratch) = room.split_at_mut(registers.len() * words + cache_line::spare::<u64>());
    let origin = cache_line::first_word(arena);
    let [v, w, minus_p, minus_two] = registers.map(|register| origin + register * words);
    let two = chores::rem(&Natural::from(2u64), modulus);
    ring.enter(arena, v, two.limbs(), scratch);
    ring.enter(arena, w, p.limbs(), scratch);
    ring.enter_canonical(arena, minus_p, chores::negate(p.clone(), modulus).limbs(), scratch);
    ring.enter_canonical(arena, minus_two, chores::negate(two, modulus).limbs(), scratch);
    for bit in (0..k.bits()).rev() {
        if !poll.go_on() {
            return Err(Error::Interrupted);
        }
        let (square, product) = if k.bit(bit) { (w, v) } else { (v, w) };
        ring.mul(arena, product, v, w, scratch);
        ring.sqr(arena, square, square, scratch);
        if !(ring.add_canonical(arena, product, minus_p) && ring.add_canonical(arena, square, minus_two)) {
            return Err(Error::BadPlan("this kernel does not add".into()));
        }
    }
    let mut value = vec![0; words];
    Ok([v, w].map(|at| {
        ring.leave(&mut value, arena, at, scratch);
        Natural::from_limbs(&value)
    }))
}
