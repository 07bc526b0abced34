//! Powers by an algorithm on a ring, with what the crate has without the standard library. In the suite each of them is compared with the call
//! of the whole library; without the feature `std` the sum of all results is, by a number that both builds have.

use pingala_core::algorithm::{Algorithm, BASE, Monoid, Register};
use pingala_core::exponent::{Digits, Exponent, SecretDigit};
use pingala_core::kernels::Product;
use pingala_core::texts::{OddRing, Ring};
use pingala_core::{Integer, Natural, SecretExponent};
use std::marker::PhantomData;

/// The residues of a ring in an arena, selected by digits of one kind.
struct Residues<'r, D> {
    ring: &'r OddRing<u64>,
    arena: Vec<u64>,
    scratch: Vec<u64>,
    digits: PhantomData<D>,
}

/// A digit that selects from a table.
trait Selects: Copy {
    fn select(self, ring: &OddRing<u64>, arena: &mut [u64], out: usize, table: usize, length: usize);
}

impl Selects for usize {
    fn select(self, ring: &OddRing<u64>, arena: &mut [u64], out: usize, table: usize, _length: usize) {
        let from = table + self * ring.words();
        arena.copy_within(from..from + ring.words(), out);
    }
}

impl Selects for SecretDigit {
    fn select(self, ring: &OddRing<u64>, arena: &mut [u64], out: usize, table: usize, length: usize) {
        ring.scan(arena, out, table, length, self);
    }
}

impl<'r, D> Residues<'r, D> {
    fn new(ring: &'r OddRing<u64>, base: &Natural, registers: usize) -> Self {
        let mut arena = vec![0; registers * ring.words()];
        let mut scratch = vec![0; ring.scratch_words()];
        ring.enter(&mut arena, 0, base.limbs(), &mut scratch);
        Self { ring, arena, scratch, digits: PhantomData }
    }

    fn at(&self, register: Register) -> usize {
        register.0 * self.ring.words()
    }

    fn leave(&mut self, from: Register) -> Natural {
        let mut value = vec![0; self.ring.words()];
        self.ring.leave(&mut value, &self.arena, self.at(from), &mut self.scratch);
        Natural::from_limbs(&value)
    }
}

impl<D: Selects> Monoid for Residues<'_, D> {
    type Digit = D;

    fn one(&mut self, out: Register) {
        let out = self.at(out);
        self.ring.one(&mut self.arena, out, &mut self.scratch);
    }

    fn copy(&mut self, out: Register, from: Register) {
        let (out, from) = (self.at(out), self.at(from));
        self.arena.copy_within(from..from + self.ring.words(), out);
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        let [out, a, b] = [out, a, b].map(|register| self.at(register));
        self.ring.mul(&mut self.arena, out, a, b, &mut self.scratch);
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        if count == 0 {
            return self.copy(out, a);
        }
        let (out, a) = (self.at(out), self.at(a));
        self.ring.sqr_n(&mut self.arena, out, a, count, &mut self.scratch);
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        self.mul(out, a, BASE);
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: D) {
        let (out, first) = (self.at(out), self.at(first));
        digit.select(self.ring, &mut self.arena, out, first, length);
    }
}

/// Xorshift: the same numbers in every build.
struct Stream(u64);

impl Stream {
    fn limb(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn natural(&mut self, limbs: usize) -> Natural {
        Natural::from_limbs(&(0..limbs).map(|_| self.limb()).collect::<Vec<_>>())
    }
}

/// Base, exponent, modulus, and the power by this algorithm on this product; for one of a uniform schedule by secret digits as well.
#[cfg_attr(not(feature = "std"), expect(dead_code, reason = "nothing is compared with them"))]
struct Power {
    base: Natural,
    exponent: Natural,
    modulus: Natural,
    power: Natural,
}

impl Power {
    fn new(stream: &mut Stream, limbs: usize, product: Product, algorithm: &Algorithm) -> Self {
        let mut modulus = stream.natural(limbs).limbs().to_vec();
        modulus[0] |= 1;
        modulus[limbs - 1] |= 1 << 63;
        let (base, exponent) = (stream.natural(limbs + 1), stream.natural(1 + limbs % 4));
        let ring = OddRing::new(&modulus, product);
        let public = Exponent::new(exponent.clone()).expect("not 0");
        let registers = algorithm.registers(public.bits());
        let mut residues = Residues::<usize>::new(&ring, &base, registers);
        let result = algorithm.run(&public, &mut residues);
        let power = residues.leave(result);
        let secret = SecretExponent::new(&exponent, None).expect("as long as it is");
        let registers = algorithm.registers(Digits::<SecretDigit>::bits(&secret));
        let mut residues = Residues::<SecretDigit>::new(&ring, &base, registers);
        if let Some(result) = algorithm.run_uniform(&secret, &mut residues) {
            assert_eq!(residues.leave(result), power, "{algorithm} by secret digits");
        }
        Self { base, exponent, modulus: Natural::from_limbs(&modulus), power }
    }
}

const ALGORITHMS: [&str; 6] = [
    "binary_left_to_right",
    "binary_right_to_left",
    "montgomery_ladder",
    "k_ary(w=3)",
    "fixed_window(w=4)",
    "sliding_window(w=5)",
];

/// The sum of all results.
const SUM: u64 = 5_417_096_238_578_495_030;

#[test]
fn powers_without_the_standard_library() {
    let mut stream = Stream(0x9e37_79b9_7f4a_7c15);
    let mut sum = 0u64;
    let mut count = 0;
    for name in ALGORITHMS {
        let algorithm: Algorithm = name.parse().expect("an algorithm of the catalogue");
        for product in Product::ALL {
            for limbs in [1, 2, 3, 4, 8, 17, 32, 48] {
                let found = Power::new(&mut stream, limbs, product, &algorithm);
                check(&found, name, product);
                sum = found.power.limbs().iter().fold(sum, |sum, limb| sum.rotate_left(5) ^ limb);
                count += 1;
            }
        }
    }
    assert_eq!(count, ALGORITHMS.len() * Product::ALL.len() * 8);
    assert_eq!(sum, SUM, "the sum of all results");
}

/// Compares with the whole library.
#[cfg(feature = "std")]
fn check(found: &Power, name: &str, product: Product) {
    let Power { base, exponent, modulus, power } = found;
    let expected = pingala_core::powmod(&base.clone().into(), &exponent.clone().into(), modulus);
    assert_eq!(expected.as_ref(), Ok(power), "{base}^{exponent} modulo {modulus} by {name} on {product}");
}

#[cfg(not(feature = "std"))]
fn check(found: &Power, name: &str, product: Product) {
    assert!(found.power < found.modulus, "a residue by {name} on {product}");
}

/// Numbers are read and printed, and errors are errors.
#[test]
fn numbers_in_and_out() {
    let number: Natural = "340282366920938463463374607431768211457".parse().expect("digits");
    assert_eq!(
        format!("{number} {number:#x}"),
        "340282366920938463463374607431768211457 0x100000000000000000000000000000001"
    );
    let error = "12x".parse::<Integer>().expect_err("no digit");
    assert_eq!(error.code(), "not_a_number");
    let _: &dyn core::error::Error = &error;
}
