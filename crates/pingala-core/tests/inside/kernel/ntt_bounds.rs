//! The bounds that the transforms compute within, with a field whose residues are bounds: [`Field`] says which each operation takes and
//! gives. Numbers hardly ever reach them.

use super::super::compiled::{CompiledField, FieldProgram};
use super::super::field::{FactorWords, Field};
use super::super::primes::Prime;
use super::super::transform::Transform;
use super::*;

/// What no residue may exceed, in multiples of p.
const MOST: u64 = 16;
/// What reduced residues do not exceed.
const REDUCED: u64 = 2;

/// A residue is its bound in multiples of p, in 2^LOG lanes.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel::ntt) struct Bounds<const LOG: u32>;

/// The lanes, if all are within a bound.
fn within(x: [u64; 8], most: u64) -> [u64; 8] {
    assert!(x.iter().all(|&bound| bound <= most), "{x:?} where {most} is the bound");
    x
}

impl<const LOG: u32> Field for Bounds<LOG> {
    const LOG: u32 = LOG;
    const FACTORS: FactorWords = FactorWords::Balanced;
    /// Lanes above WIDTH are 0.
    type Vector = [u64; 8];
    type Modulus = ();

    fn modulus(self, _: &Prime) {}
    unsafe fn load(self, from: *const u64) -> [u64; 8] {
        // SAFETY: the caller's promise.
        core::array::from_fn(|lane| if lane < Self::WIDTH { unsafe { from.add(lane).read() } } else { 0 })
    }
    unsafe fn broadcast(self, _: *const u64) -> [u64; 8] {
        [1; 8]
    }
    unsafe fn store(self, to: *mut u64, x: [u64; 8]) {
        for (lane, bound) in within(x, MOST).into_iter().enumerate().take(Self::WIDTH) {
            // SAFETY: the caller's promise.
            unsafe { to.add(lane).write(bound) };
        }
    }
    unsafe fn digits(self, (): &(), _: *const u64) -> [u64; 8] {
        [REDUCED; 8]
    }
    fn times(self, (): &(), x: [u64; 8], _: [[u64; 8]; 2]) -> [u64; 8] {
        within(x, MOST);
        [REDUCED; 8]
    }
    fn reduce(self, (): &(), x: [u64; 8]) -> [u64; 8] {
        within(x, MOST);
        [REDUCED; 8]
    }
    fn zero(self) -> [u64; 8] {
        [0; 8]
    }
    fn add(self, x: [u64; 8], y: [u64; 8]) -> [u64; 8] {
        within(core::array::from_fn(|lane| x[lane] + y[lane]), MOST)
    }
    fn sub<const LEVEL: u32>(self, (): &(), x: [u64; 8], y: [u64; 8]) -> [u64; 8] {
        within(y, REDUCED << LEVEL);
        within(x.map(|bound| bound + (REDUCED << LEVEL)), MOST)
    }
    fn mul(self, (): &(), a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        within(a, REDUCED);
        within(b, REDUCED)
    }
    fn mul_sub(self, (): &(), ab: [[u64; 8]; 2], cd: [[u64; 8]; 2]) -> [u64; 8] {
        for x in [ab, cd].as_flattened() {
            within(*x, REDUCED);
        }
        [REDUCED; 8]
    }
    fn transpose(self, x: &mut [[u64; 8]; 8]) {
        let old = *x;
        for (place, x) in x.iter_mut().enumerate().take(Self::WIDTH) {
            *x = core::array::from_fn(|lane| if lane < Self::WIDTH { old[lane][place] } else { 0 });
        }
    }
    unsafe fn store_integers(self, (): &(), _: *mut u64, _: [u64; 8]) {
        unreachable!("bounds are not recombined")
    }
}

impl<const LOG: u32> CompiledField for Bounds<LOG> {
    fn run(self, program: impl FieldProgram) {
        program.run(self);
    }
}

#[test]
fn residues_stay_within_their_bounds() {
    for field in [Instructions::from(Bounds::<0>), Bounds::<2>.into(), Bounds::<3>.into()] {
        for length in lengths(if cfg!(miri) { 900 } else { 9 << 10 }).filter(|length| length.log <= 10) {
            let transform = Transform::new(field, PrimeSet::of_odd(length.odd).primes[0], length);
            for kind in [Wrapping::Cyclic, Wrapping::Negacyclic] {
                let (digits, mut residues) = (vec![0; length.digits()], vec![0; length.digits()]);
                transform.forward(length, kind, &digits, &mut residues);
                residues.fill(REDUCED);
                transform.inverse(length, kind, &mut residues);
                assert!(residues.iter().all(|&bound| bound <= REDUCED), "{field:?}, {length:?}");
            }
        }
    }
}
