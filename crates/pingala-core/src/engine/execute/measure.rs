//! Measures the prices of a form's operations on this machine.

use crate::algorithm::{Monoid, Register};
use crate::engine::execute::{LaneResidues, Poll, RingResidues, Secret, lane_ring};
use crate::engine::plan::FormPrice;
use crate::exponent::{Digits, SecretExponent};
use crate::kernel::fixed::{FixedRing, Visitor};
use crate::kernel::limb_lanes::LimbLanes;
use crate::kernel::registry::{Form, Residence};
use crate::kernel::vector::{LANES, Lanes};
use crate::kernel::{ModulusParts, Ring};
use crate::modulus::Facts;
use crate::natural::Natural;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rounds of a measurement; the fastest counts, because other programs can only add time.
const ROUNDS: usize = 9;

/// Entries of the table from which a selection is measured: those of the longest usual windows. With the constants of a product they may not
/// fit the cache.
const TABLE: usize = 64;

/// Squarings in a row, as an exponentiation has them.
const RUN: usize = 4;

/// How long a round takes at least, and a clock.
#[derive(Clone, Copy)]
struct Timer<'a> {
    round: Duration,
    /// The time since any fixed moment.
    now: &'a dyn Fn() -> Duration,
}

/// The prices of one form on this machine, in nanoseconds, each the least of several rounds of `round` or longer.
///
/// # Panics
/// For a form that [`forms`](crate::kernels::forms) does not list: of no limbs, longer than its kernel takes, or without
/// the product that its kernel needs. On a target without a clock, as `wasm32-unknown-unknown`.
#[inline]
pub fn measure(form: &Form, round: Duration) -> FormPrice {
    let start = Instant::now();
    measure_by(form, round, &|| start.elapsed())
}

/// Measures as [`measure`] does, by the clock `now`, which returns the time since any fixed moment.
///
/// # Panics
/// For a form that [`forms`](crate::kernels::forms) does not list.
#[inline]
pub fn measure_by(form: &Form, round: Duration, now: &dyn Fn() -> Duration) -> FormPrice {
    let timer = Timer { round, now };
    let modulus = odd_modulus(form.n.max(1));
    match form.kernel.residence() {
        Residence::LimbLanes => {
            let limb = modulus.limbs()[0];
            Fixed { modulus: &modulus, timer }.visit(|| LimbLanes::new(black_box([limb; LANES])))
        }
        Residence::Vectors(_) => lanes(form, timer),
        Residence::Registers(rings) => {
            rings.visit(modulus.limbs(), 64 * form.n, form.n, Fixed { modulus: &modulus, timer })
        }
        Residence::Arena { prepare, with_stack_ring } => {
            let power_of_two = || Natural::from_limbs(&[&vec![0; form.n][..], &[1]].concat());
            let facts = Facts::new(if form.kernel.odd() { modulus.clone() } else { power_of_two() });
            // As one power has it.
            let parts = ModulusParts { once: Some(form.n), ..ModulusParts::of(&facts) };
            let make = || prepare(form, &parts).expect("a complete form");
            let setup = match with_stack_ring {
                Some(with) => {
                    time(timer, || with(form, &parts, &mut |ring| _ = black_box(ring)).expect("a complete form"))
                }
                None => time(timer, || drop(black_box(make()))),
            };
            ring(&*make(), setup, &modulus, timer)
        }
    }
}

/// An odd number of `limbs` limbs, top bit set, with no pattern in it.
#[inline]
fn odd_modulus(limbs: usize) -> Natural {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut words: Vec<u64> = (0..limbs).map(|_| next(&mut state)).collect();
    words[0] |= 1;
    words[limbs - 1] |= 1 << 63;
    Natural::from_limbs(&words)
}

/// Xorshift, for operands.
#[inline]
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Nanoseconds of one call.
#[inline]
fn time(timer: Timer<'_>, mut call: impl FnMut()) -> f64 {
    let mut count = 1u32;
    let mut best = f64::MAX;
    let mut rounds = 0;
    while rounds < ROUNDS {
        let start = (timer.now)();
        for _ in 0..count {
            call();
        }
        let elapsed = (timer.now)().saturating_sub(start);
        if elapsed < timer.round && count < u32::MAX / 2 {
            count *= 2;
            continue;
        }
        best = best.min(elapsed.as_secs_f64() * 1e9 / f64::from(count));
        rounds += 1;
    }
    best
}

#[inline]
fn ring(ring: &dyn Ring<u64>, setup: f64, operand: &Natural, timer: Timer<'_>) -> FormPrice {
    let poll = Poll::none();
    let (base, a, out) = (Register(0), Register(1), Register(TABLE + 1));
    let mut room = vec![0; RingResidues::<u64, Secret>::room_words(ring, TABLE + 2)];
    let mut residues = RingResidues::<u64, Secret>::new(ring, &mut room, &poll);
    let mut value = vec![0; residues.words()];
    let convert = time(timer, || {
        residues.set(base, black_box(operand.limbs()));
        residues.take(&mut value, base);
    });
    for entry in 1..=TABLE {
        residues.copy(Register(entry), base);
    }
    // As an exponentiation has them: squarings in a run, then a product. On some machines the time of a product after a squaring differs
    // from that after a product (docs/records/thresholds.md).
    let sqr = time(timer, || residues.sqr_n(a, a, RUN)) / RUN as f64;
    let both = time(timer, || {
        residues.sqr_n(a, a, RUN);
        residues.mul(a, a, base);
    });
    // If the machine became faster in between, the difference is too small.
    let mul = (both - RUN as f64 * sqr).max(0.9 * sqr);
    let secret = SecretExponent::new(&Natural::from(5u64), Some(8)).expect("5 has 3 bits");
    // As it is used, between products: both want the cache, and one may begin before the other ends.
    let select_and_mul = time(timer, || {
        residues.select(out, Register(1), TABLE, secret.digit(0, 6));
        residues.mul(base, base, out);
    });
    let mul_alone = time(timer, || residues.mul(base, base, out));
    let select = (select_and_mul - mul_alone).max(0.0) / TABLE as f64;
    residues.set_short_base(0x8765_4321);
    let mul_small = time(timer, || residues.mul_base(a, a));
    FormPrice { setup, convert, sqr, mul, mul_small, select }
}

/// Several powers at a time: the prices of operations on all lanes.
#[inline]
fn lanes(form: &Form, timer: Timer<'_>) -> FormPrice {
    // The longest moduli that this length takes.
    let bits = form.kernel.lane_family().and_then(|family| (family.modulus_bits)(form.n)).unwrap_or(1);
    let modulus = odd_modulus(bits.div_ceil(64)).low_bits(bits as u64);
    let moduli = [modulus.limbs(); LANES];
    let Ok(ring) = lane_ring(form, &moduli) else { return FormPrice::default() };
    let setup = time(timer, || drop(black_box(lane_ring(form, black_box(&moduli)))));
    let n = ring.vectors();
    let poll = Poll::none();
    let (base, a, out) = (Register(0), Register(1), Register(TABLE + 1));
    let mut arena = vec![Lanes::default(); (TABLE + 2) * n];
    let mut scratch = vec![Lanes::default(); ring.scratch_vectors()];
    let mut value = vec![0; modulus.limbs().len()];
    let convert = time(timer, || {
        ring.enter(&mut arena, 0, black_box(&moduli), &mut scratch);
        let residues = ring.leave(&mut arena, 0, &mut scratch);
        (0..form.kernel.lanes()).for_each(|index| ring.lane(residues, index, black_box(&mut value)));
    });
    let mut residues = LaneResidues::<[usize; LANES]>::new(&*ring, &mut arena, &mut scratch, &poll);
    for entry in 1..=TABLE {
        residues.copy(Register(entry), base);
    }
    let sqr = time(timer, || residues.sqr_n(a, a, RUN)) / RUN as f64;
    let mul = time(timer, || residues.mul(a, a, base));
    residues.tabulated(a, TABLE);
    let select = time(timer, || residues.select(out, a, TABLE, black_box([3, 14, 1, 5, 9, 2, 6, 8])));
    FormPrice { setup, convert, sqr, mul, mul_small: mul, select }
}

/// Times a ring of residues by value.
struct Fixed<'a> {
    modulus: &'a Natural,
    timer: Timer<'a>,
}

impl Visitor<FormPrice> for Fixed<'_> {
    #[inline]
    fn visit<const N: usize, R: FixedRing<N>>(self, make: impl Fn() -> R) -> FormPrice {
        let setup = time(self.timer, || drop(black_box(make())));
        let ring = make();
        let convert = time(self.timer, || {
            black_box(ring.leave(ring.enter(black_box(self.modulus.limbs()))));
        });
        // Hidden from the compiler, which would otherwise multiply by a constant.
        let base = black_box(ring.enter(&[3]));
        let sqr = chain(self.timer, base, |a, _| ring.sqr_n(a, black_box(RUN))) / RUN as f64;
        let mul = chain(self.timer, base, |a, before| ring.mul(a, before));
        FormPrice { setup, convert, sqr, mul, mul_small: mul, select: mul }
    }
}

/// Nanoseconds of one step in a chain, as an exponentiation has them: each product waits for the one before, from the first
/// turn to the last, or the processor would work on several turns at once. A step is given its last two results: products
/// by one and the same number the compiler would take together.
fn chain<const N: usize>(timer: Timer<'_>, start: [u64; N], step: impl Fn([u64; N], [u64; N]) -> [u64; N]) -> f64 {
    const LENGTH: usize = 64;
    let mut last = (start, start);
    let once = || {
        let (mut a, mut before) = last;
        for _ in 0..LENGTH {
            (a, before) = (step(a, before), a);
        }
        last = black_box((a, before));
    };
    time(timer, once) / LENGTH as f64
}
