//! Short transforms of odd length, lane by lane: 3, 5, 7 and 9 points.
//!
//! All take reduced residues, and give residues below 10p, 7 points below 16p.

#![allow(unsafe_code)]
#![expect(clippy::needless_range_loop, reason = "one index for several arrays, constant bounds that unroll")]

use super::compiled::FieldProgram;
use super::field::Field;
use super::primes::Prime;

/// The most points.
pub(super) const MOST: usize = super::length::ODD_FACTORS[4];

/// The constants of one prime and one root z, from [`super::tables`].
struct Odd<'m, F: Field> {
    field: F,
    modulus: &'m F::Modulus,
    words: *const u64,
}

impl<F: Field> Odd<'_, F> {
    #[inline(always)]
    fn times(&self, x: F::Vector, constant: usize) -> F::Vector {
        // SAFETY: the table has these constants, two words each.
        let w = unsafe {
            let at = self.words.add(2 * constant);
            [self.field.broadcast(at), self.field.broadcast(at.add(1))]
        };
        self.field.times(self.modulus, x, w)
    }

    /// Three points: y_j = sum of z^(jk) x_k, below 6p. With t = x_1 + x_2 and u = x_1 - x_2: y_1, y_2 = x_0 - t/2 +- u (z - z^2) / 2.
    #[inline(always)]
    fn of_3(&self, [x0, x1, x2]: [F::Vector; 3]) -> [F::Vector; 3] {
        let (f, m) = (self.field, self.modulus);
        let (t, u) = (f.add(x1, x2), f.sub::<0>(m, x1, x2));
        let a = f.add(x0, self.times(t, 0));
        let b = self.times(u, 1);
        [f.add(x0, t), f.add(a, b), f.sub::<0>(m, a, b)]
    }

    /// Five points, below 10p, in five products: with t_1 = x_1 + x_4, t_2 = x_2 + x_3, t_3 = x_1 - x_4, t_4 = x_2 - x_3 and the constants
    /// a_j = (z^j + z^-j) / 2, b_j = (z^j - z^-j) / 2:
    ///
    ///   y_1, y_4 = x_0 + a_1 t_1 + a_2 t_2 +- (b_1 t_3 + b_2 t_4),   y_2, y_3 = x_0 + a_2 t_1 + a_1 t_2 +- (b_2 t_3 - b_1 t_4).
    #[inline(always)]
    fn of_5(&self, [x0, x1, x2, x3, x4]: [F::Vector; 5]) -> [F::Vector; 5] {
        let (f, m) = (self.field, self.modulus);
        // Below 4p.
        let (t1, t2) = (f.add(x1, x4), f.add(x2, x3));
        let (t3, t4) = (f.sub::<0>(m, x1, x4), f.sub::<0>(m, x2, x3));
        let t5 = f.add(t1, t2);
        let (sum, difference) = (self.times(t5, 2), self.times(f.sub::<1>(m, t1, t2), 3));
        // Below 6p.
        let base = f.add(x0, sum);
        let (a1, a2) = (f.add(base, difference), f.sub::<0>(m, base, difference));
        let common = self.times(f.add(t3, t4), 4);
        // Below 4p.
        let b1 = f.add(common, self.times(t4, 5));
        let b2 = f.sub::<0>(m, self.times(t3, 6), common);
        [f.add(x0, t5), f.add(a1, b1), f.add(a2, b2), f.sub::<1>(m, a2, b2), f.sub::<1>(m, a1, b1)]
    }

    /// Seven points, below 16p, in eight products. With t_j = x_j + x_(7-j), u_j = x_j - x_(7-j) and the constants a_j and b_j as for
    /// five points:
    ///
    ///   y_1, y_6 = A_1 +- B_1,   A_1 = x_0 + a_1 t_1 + a_2 t_2 + a_3 t_3,   B_1 = b_1 u_1 + b_2 u_2 + b_3 u_3,
    ///   y_2, y_5 = A_2 +- B_2,   A_2 = x_0 + a_2 t_1 + a_3 t_2 + a_1 t_3,   B_2 = b_2 u_1 - b_3 u_2 - b_1 u_3,
    ///   y_3, y_4 = A_3 +- B_3,   A_3 = x_0 + a_3 t_1 + a_1 t_2 + a_2 t_3,   B_3 = b_3 u_1 - b_1 u_2 + b_2 u_3.
    ///
    /// Both are convolutions of three numbers, of which the sum and the differences are multiplied by constants of their own.
    #[inline(always)]
    fn of_7(&self, [x0, x1, x2, x3, x4, x5, x6]: [F::Vector; 7]) -> [F::Vector; 7] {
        let (f, m) = (self.field, self.modulus);
        // Below 4p.
        let (t1, t2, t3) = (f.add(x1, x6), f.add(x2, x5), f.add(x3, x4));
        let (u1, u2) = (f.sub::<0>(m, x1, x6), f.sub::<0>(m, x2, x5));
        let minus_u3 = f.sub::<0>(m, x4, x3);
        // Below 12p, and 8p.
        let t = f.add(f.add(t1, t2), t3);
        let u = f.add(f.add(u1, u2), minus_u3);
        let a = f.add(x0, self.times(t, 0));
        let (a13, a32, a21) = (
            self.times(f.sub::<1>(m, t1, t3), 1),
            self.times(f.sub::<1>(m, t3, t2), 2),
            self.times(f.sub::<1>(m, t2, t1), 3),
        );
        let b = self.times(u, 4);
        let (b13, b32, b21) = (
            self.times(f.sub::<1>(m, u1, minus_u3), 5),
            self.times(f.sub::<1>(m, minus_u3, u2), 6),
            self.times(f.sub::<1>(m, u2, u1), 7),
        );
        // Below 8p, and 6p; the last is -B_3.
        let a1 = f.add(f.add(a, a13), a32);
        let a2 = f.sub::<0>(m, f.sub::<0>(m, a, a13), a21);
        let a3 = f.add(f.sub::<0>(m, a, a32), a21);
        let b1 = f.add(f.add(b, b13), b32);
        let b2 = f.sub::<0>(m, f.sub::<0>(m, b, b13), b21);
        let minus_b3 = f.add(f.sub::<0>(m, b, b32), b21);
        let (y1, y6) = (f.add(a1, b1), f.sub::<2>(m, a1, b1));
        let (y2, y5) = (f.add(a2, b2), f.sub::<2>(m, a2, b2));
        let (y3, y4) = (f.sub::<2>(m, a3, minus_b3), f.add(a3, minus_b3));
        [f.add(x0, t), y1, y2, y3, y4, y5, y6]
    }

    /// R points: `x[j] = sum of z^(jk) x[k]`.
    #[inline(always)]
    fn run<const R: usize>(&self, x: &mut [F::Vector; MOST]) {
        let (f, m) = (self.field, self.modulus);
        match R {
            3 => [x[0], x[1], x[2]] = self.of_3([x[0], x[1], x[2]]),
            5 => [x[0], x[1], x[2], x[3], x[4]] = self.of_5([x[0], x[1], x[2], x[3], x[4]]),
            7 => {
                let y = self.of_7([x[0], x[1], x[2], x[3], x[4], x[5], x[6]]);
                [x[0], x[1], x[2], x[3], x[4], x[5], x[6]] = y;
            }
            // k = 3a + b and j = c + 3d: z^(jk) = (z^3)^(ac) z^(bc) (z^3)^(bd).
            9 => {
                let [a0, a1, a2] = self.of_3([x[0], x[3], x[6]]);
                let [b0, b1, b2] = self.of_3([x[1], x[4], x[7]]);
                let [c0, c1, c2] = self.of_3([x[2], x[5], x[8]]);
                let (b1, b2, c1, c2) = (self.times(b1, 5), self.times(b2, 6), self.times(c1, 6), self.times(c2, 7));
                let reduced = (f.reduce(m, a0), f.reduce(m, a1), f.reduce(m, a2), f.reduce(m, b0), f.reduce(m, c0));
                let (a0, a1, a2, b0, c0) = reduced;
                [x[0], x[3], x[6]] = self.of_3([a0, b0, c0]);
                [x[1], x[4], x[7]] = self.of_3([a1, b1, c1]);
                [x[2], x[5], x[8]] = self.of_3([a2, b2, c2]);
            }
            _ => {}
        }
    }
}

/// A pass of short transforms, or of their inverses, over an odd number of trees of `size` residues each.
pub(super) struct OddPass {
    pub(super) modulus: Prime,
    pub(super) words: *const u64,
    pub(super) size: usize,
    /// Modulo x^L + 1: with y = x^M, y^r = -1 exactly where -y is a power of z, so that odd powers of y change their sign.
    pub(super) negative: bool,
    pub(super) from: *const u64,
    pub(super) to: *mut u64,
}

/// The pass for R points.
pub(super) struct OddPassOf<const R: usize, const INVERSE: bool>(pub(super) OddPass);

impl<const R: usize, const INVERSE: bool> FieldProgram for OddPassOf<R, INVERSE> {
    #[inline(always)]
    fn run<F: Field>(self, field: F) {
        let OddPass { modulus, words, size, negative, from, to } = self.0;
        let m = &field.modulus(&modulus);
        let odd = Odd { field, modulus: m, words };
        for j in (0..size).step_by(F::WIDTH) {
            // SAFETY: the caller's R trees.
            unsafe {
                let mut x = [field.zero(); MOST];
                for k in 0..R {
                    let from = from.add(j + k * size);
                    x[k] = if INVERSE { field.load(from) } else { field.digits(m, from) };
                }
                if negative && !INVERSE {
                    change_signs::<F, R>(field, m, &mut x);
                }
                odd.run::<R>(&mut x);
                if INVERSE {
                    for k in 0..R {
                        x[k] = field.reduce(m, x[k]);
                    }
                }
                if negative && INVERSE {
                    change_signs::<F, R>(field, m, &mut x);
                }
                for k in 0..R {
                    field.store(to.add(j + k * size), x[k]);
                }
            }
        }
    }
}

/// Changes the signs of reduced residues at odd places: 2p - x, which is 2p at most.
#[inline(always)]
fn change_signs<F: Field, const R: usize>(field: F, m: &F::Modulus, x: &mut [F::Vector; MOST]) {
    let zero = field.zero();
    for k in (1..R).step_by(2) {
        x[k] = field.sub::<0>(m, zero, x[k]);
    }
}
