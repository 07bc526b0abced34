//! Products of residues, and everything between digits and digits: transforms modulo three primes, products, recombination.

#![allow(unsafe_code)]

use super::compiled::{CompiledField, FieldProgram};
use super::digits::wrap;
use super::field::Field;
use super::instructions::Instructions;
use super::length::Length;
use super::primes::{Prime, PrimeSet};
use super::recombine::Recombination;
use super::transform::{Transform, Wrapping};
use alloc::sync::Arc;
use core::iter;

/// What becomes of residues x.
#[derive(Clone, Copy)]
enum PointwiseJob {
    /// x, reduced.
    Reduce,
    /// x^2.
    Square,
    /// x y for a reduced y.
    Times(*const u64),
    /// x d - a b for reduced a, b, d.
    MinusProduct([*const u64; 3]),
    /// x d + a b for reduced a, b, d.
    PlusProduct([*const u64; 3]),
}

struct Pointwise {
    modulus: Prime,
    job: PointwiseJob,
    x: *mut u64,
    /// A second place for x, reduced.
    kept: Option<*mut u64>,
    count: usize,
}

impl FieldProgram for Pointwise {
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let m = &field.modulus(&self.modulus);
        for at in (0..self.count).step_by(F::WIDTH) {
            // SAFETY: `count` residues each, by the slices of the callers.
            unsafe {
                let place = self.x.add(at);
                let x = field.reduce(m, field.load(place));
                if let Some(kept) = self.kept {
                    field.store(kept.add(at), x);
                }
                let result = match self.job {
                    PointwiseJob::Reduce => x,
                    PointwiseJob::Square => field.mul(m, x, x),
                    PointwiseJob::Times(y) => field.mul(m, x, field.load(y.add(at))),
                    PointwiseJob::MinusProduct(others) => {
                        let [d, a, b] = others.map(|other| field.load(other.add(at)));
                        field.mul_sub(m, [a, b], [x, d])
                    }
                    PointwiseJob::PlusProduct(others) => {
                        let [d, a, b] = others.map(|other| field.load(other.add(at)));
                        field.reduce(m, field.add(field.mul(m, x, d), field.mul(m, a, b)))
                    }
                };
                field.store(place, result);
            }
        }
    }
}

/// The factors by which the residues of one length are recombined: lost / (L P_i), two words for each prime; for a mean, and for one
/// transform. Products of residues come with the factor 1 / lost.
fn crt_weights(field: Instructions, length: Length) -> [[[u64; 2]; 3]; 2] {
    let primes = &PrimeSet::of_odd(length.odd).primes;
    let mut words = [[[0; 2]; 3]; 2];
    for (i, prime) in primes.iter().enumerate() {
        let others = prime.mul(primes[(i + 1) % 3].p % prime.p, primes[(i + 2) % 3].p % prime.p);
        let divided = prime.mul(others, 2 * length.digits() as u64);
        let of_mean = prime.mul(field.factors.lost(prime), prime.inverse(divided));
        words[0][i] = field.factors.of(prime, of_mean);
        words[1][i] = field.factors.of(prime, prime.mul(of_mean, 2));
    }
    words
}

/// A recombination as a program: it leaves the carry.
struct Recombine<'c> {
    work: Recombination,
    carry: &'c mut i128,
}

impl FieldProgram for Recombine<'_> {
    #[inline(always)]
    fn run<F: CompiledField>(self, field: F) {
        // SAFETY: the function that made the recombination has the memory that it points to.
        *self.carry = unsafe { field.recombine(&self.work) };
    }
}

/// Products of one length: transforms modulo all primes, which also serve lengths that are shorter by a power of two, and the factors of
/// recombination. A spectrum is the transforms of a number modulo the three primes, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Products {
    pub(super) field: Instructions,
    pub(super) length: Length,
    pub(super) transforms: Arc<[Transform; 3]>,
    /// Those of the mean of two transforms, and of one.
    weights: [[[u64; 2]; 3]; 2],
}

impl Products {
    /// Those of this length, with tables of their own.
    pub(super) fn new(field: Instructions, length: Length) -> Self {
        let primes = &PrimeSet::of_odd(length.odd).primes;
        let transforms = Arc::new([0, 1, 2].map(|i| Transform::new(field, primes[i], length)));
        Self { field, length, transforms, weights: crt_weights(field, length) }
    }

    /// Those of the same length, or of one that is shorter by a power of two, with the same tables.
    pub(super) fn shorter(&self, length: Length) -> Self {
        let mut products = self.clone();
        if length != self.length {
            (products.length, products.weights) = (length, crt_weights(self.field, length));
        }
        products
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        self.transforms.iter().map(Transform::bytes).sum()
    }

    /// The transform of a number modulo prime i.
    pub(super) fn forward_one(&self, i: usize, kind: Wrapping, digits: &[u64], part: &mut [u64]) {
        self.transforms[i].forward(self.length, kind, digits, part);
    }

    /// `x = x y` for a reduced y, or `x^2`, modulo prime i, transformed back; products lose a factor that recombination returns. What x
    /// was goes to `kept`, reduced.
    pub(super) fn multiply_one(&self, i: usize, kind: Wrapping, [x, kept]: [&mut [u64]; 2], y: Option<&[u64]>) {
        assert!(y.is_none_or(|y| y.len() == x.len()) && (kept.is_empty() || kept.len() == x.len()));
        let job = y.map_or(PointwiseJob::Square, |y| PointwiseJob::Times(y.as_ptr()));
        self.pointwise(i, job, x, (!kept.is_empty()).then_some(kept.as_mut_ptr()));
        self.transforms[i].inverse(self.length, kind, x);
    }

    /// `x = x d - a b` for reduced a, b, d modulo prime i, transformed back.
    pub(super) fn minus_product_one(&self, i: usize, kind: Wrapping, x: &mut [u64], others: [&[u64]; 3]) {
        assert!(others.iter().all(|other| other.len() == x.len()));
        self.pointwise(i, PointwiseJob::MinusProduct(others.map(<[u64]>::as_ptr)), x, None);
        self.transforms[i].inverse(self.length, kind, x);
    }

    /// `x = x d + a b` for reduced a, b, d modulo prime i, transformed back.
    pub(super) fn plus_product_one(&self, i: usize, kind: Wrapping, x: &mut [u64], others: [&[u64]; 3]) {
        assert!(others.iter().all(|other| other.len() == x.len()));
        self.pointwise(i, PointwiseJob::PlusProduct(others.map(<[u64]>::as_ptr)), x, None);
        self.transforms[i].inverse(self.length, kind, x);
    }

    /// Reduces a part, modulo prime i, of a spectrum that is a factor.
    pub(super) fn reduce_one(&self, i: usize, part: &mut [u64]) {
        self.pointwise(i, PointwiseJob::Reduce, part, None);
    }

    fn pointwise(&self, i: usize, job: PointwiseJob, x: &mut [u64], kept: Option<*mut u64>) {
        let (x, count) = (x.as_mut_ptr(), x.len());
        self.field.run(Pointwise { modulus: self.transforms[i].prime, job, x, kept, count });
    }

    /// The coefficients of a b, or without b of a^2, modulo x^L - 1 and x^L + 1: six parts of `x` in the order of [`of_task`], for
    /// [`Self::lower_half`]. The transforms of b go to `y`, those of a modulo x^L + 1 to `kept`, if that has room.
    pub(super) fn multiply(&self, (a, b): (&[u64], Option<&[u64]>), [x, y, kept]: [&mut [u64]; 3]) {
        let l = self.length.digits();
        let none = || iter::repeat_with(|| &mut [][..]).take(3);
        let kept = none().chain(kept.chunks_exact_mut(l)).chain(none());
        let parts = x.chunks_exact_mut(l).zip(y.chunks_exact_mut(l)).zip(kept);
        for (task, ((x, y), kept)) in parts.enumerate() {
            let (i, kind) = of_task(task);
            self.forward_one(i, kind, a, x);
            if let Some(b) = b {
                self.forward_one(i, kind, b, y);
                self.reduce_one(i, y);
            }
            self.multiply_one(i, kind, [x, kept], b.map(|_| &*y));
        }
    }

    /// The digits of coefficients modulo x^L - 1 and x^L + 1: the lower half of a product, modulo 2^(DL).
    pub(super) fn lower_half(&self, spectra: &[u64], out: &mut [u64]) {
        let (minus, plus) = spectra.split_at(spectra.len() / 2);
        self.recombine(minus, Some(plus), out);
    }

    /// The digits of coefficients, modulo 2^(DL) -+ 1. Whether the number is 2^(DL).
    pub(super) fn wrapped(&self, kind: Wrapping, spectrum: &[u64], out: &mut [u64]) -> bool {
        let carry = self.recombine(spectrum, None, out);
        wrap(out, carry, kind, self.length.digit_bits)
    }

    /// The digits of one spectrum, or of the mean of two, and the carry that leaves them.
    fn recombine(&self, spectrum: &[u64], others: Option<&[u64]>, out: &mut [u64]) -> i128 {
        let digits = self.length.digits();
        let fits = |spectrum: &[u64]| spectrum.len() == 3 * digits;
        assert!(fits(spectrum) && others.is_none_or(fits) && out.len() == digits);
        let residues = |spectrum: &[u64]| [0, 1, 2].map(|i| spectrum[i * digits..].as_ptr());
        let work = Recombination {
            set: PrimeSet::of_odd(self.length.odd),
            weights: self.weights[usize::from(others.is_none())],
            residues: residues(spectrum),
            others: others.map(residues),
            out: out.as_mut_ptr(),
            digits,
            digit_bits: self.length.digit_bits,
        };
        let mut carry = 0;
        self.field.run(Recombine { work, carry: &mut carry });
        carry
    }
}

/// The prime and the wrapping of each of the six parts of a product: three primes modulo x^L - 1, then three modulo x^L + 1.
pub(super) fn of_task(task: usize) -> (usize, Wrapping) {
    (task % 3, if task < 3 { Wrapping::Cyclic } else { Wrapping::Negacyclic })
}
