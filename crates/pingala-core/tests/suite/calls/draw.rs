//! Draws calls: every dimension of a call is chosen by itself, only from the number of the call.

use super::super::common::Random;
use super::{Call, Element, Mode, Settings, WORKLOADS, Workload};
use num_bigint::{BigInt, BigUint};
use pingala_core::kernels::KERNELS;

/// Primes of lengths around the edges of words, of digits of 52 bits and of lanes: p = 2^k - d.
const PRIMES: [(u32, u32); 18] = [
    (2, 1),
    (3, 1),
    (5, 1),
    (8, 5),
    (16, 15),
    (31, 1),
    (52, 47),
    (61, 1),
    (63, 25),
    (64, 59),
    (64, 83),
    (64, 95),
    (89, 1),
    (107, 1),
    (127, 1),
    (255, 19),
    (521, 1),
    (1279, 1),
];

/// Most bits of an exponent modulo numbers of more than [`LONG_BITS`] bits.
const SHORT_EXPONENT_BITS: u64 = 64;
const LONG_BITS: u64 = 4096;

/// The kinds of moduli.
pub(super) const MODULI: [&str; 12] = [
    "one",
    "odd",
    "even",
    "power of two",
    "prime",
    "prime as its own factor",
    "power of a prime as its own factor",
    "factors with multiplicities",
    "factors with a power of two",
    "composite factors",
    "many factors of one length",
    "secret factors",
];

/// The kinds of bases.
pub(super) const BASES: [&str; 8] =
    ["zero", "one", "m - 1", "at least m", "negative", "shares a factor", "short", "below m"];

/// The kinds of exponents.
pub(super) const EXPONENTS: [&str; 11] = [
    "zero",
    "one",
    "two",
    "short",
    "long",
    "longer than m",
    "sparse",
    "all ones",
    "minus one",
    "negative",
    "over the cap",
];

/// How many elements a list has: around the lanes of every kernel.
pub(super) const COUNTS: [usize; 11] = [0, 1, 2, 3, 4, 7, 8, 9, 16, 17, 33];

/// A modulus with what the caller knows about it.
#[derive(Clone, Debug)]
pub(super) struct DrawnModulus {
    pub(super) kind: usize,
    pub(super) value: BigUint,
    /// The factors that are handed over.
    pub(super) factors: Vec<(BigUint, u32)>,
    /// A number above 1 that divides the modulus, if the drawing knows one.
    divisor: BigUint,
}

/// A sequence of draws.
pub(super) struct Draw(Random);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed << 1);
        // The first numbers of neighbouring seeds are alike.
        (0..8).for_each(|_| _ = random.next());
        Self(random)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// A number of exactly `bits` bits with structured words, half of them at least; 0 for no bits.
    fn natural(&mut self, bits: u64) -> BigUint {
        let mut words: Vec<u32> = Vec::new();
        for _ in 0..bits.div_ceil(32) {
            words.push(match self.below(8) {
                0 | 1 => 0,
                2 | 3 => u32::MAX,
                _ => self.0.next() as u32,
            });
        }
        let mut value = BigUint::new(words) % (BigUint::from(1u32) << bits);
        if bits > 0 {
            value.set_bit(bits - 1, true);
        }
        value
    }

    /// A length of moduli in bits: mostly of a few words, rarely as long as transforms take them.
    fn bits(&mut self) -> u64 {
        match self.below(800) {
            0 => 10_000 + self.0.below(30_000),
            1..6 => 1_100 + self.0.below(4_000),
            6..40 => 260 + self.0.below(900),
            40..200 => 65 + self.0.below(200),
            200..260 => self.of(&[52, 53, 63, 64, 65, 104, 127, 128, 129, 256, 257]),
            _ => 2 + self.0.below(63),
        }
    }

    fn prime(&mut self) -> BigUint {
        // The long ones are rare.
        let count = if self.one_in(40) { PRIMES.len() } else { PRIMES.len() - 3 };
        let (bits, below) = PRIMES[self.below(count)];
        (BigUint::from(1u32) << bits) - below
    }

    /// A modulus of this kind.
    pub(super) fn modulus(&mut self, kind: usize) -> DrawnModulus {
        let one = BigUint::from(1u32);
        let bits = self.bits();
        let (mut factors, mut divisor) = (Vec::new(), one.clone());
        let value = match MODULI[kind] {
            "one" => one,
            "odd" | "even" => {
                // With a factor that bases can share.
                divisor = BigUint::from(self.of(&[3u32, 5, 15, 1001]));
                let rest = self.natural(bits) | &one;
                let zeros = if MODULI[kind] == "odd" { 0 } else { 1 + self.0.below(bits + 3) };
                (&divisor * rest) << zeros
            }
            "power of two" => {
                divisor = BigUint::from(2u32);
                one << bits
            }
            "prime" => self.prime(),
            "prime as its own factor" => {
                let p = self.prime();
                factors.push((p.clone(), 1));
                p
            }
            "power of a prime as its own factor" => {
                let (p, k) = (self.prime(), 2 + self.below(4) as u32);
                factors.push((p.clone(), k));
                divisor = p.clone();
                p.pow(k)
            }
            "factors with multiplicities" | "factors with a power of two" => {
                let mut primes: Vec<BigUint> = Vec::new();
                for _ in 0..2 + self.below(3) {
                    let p = self.prime();
                    if !primes.contains(&p) {
                        primes.push(p);
                    }
                }
                factors.extend(primes.into_iter().map(|p| (p, 1 + self.below(3) as u32)));
                if kind == 8 {
                    let k = if self.one_in(2) { 1 + self.below(4) } else { 1 + self.below(200) };
                    let place = self.below(factors.len() + 1);
                    // As a power of 2, or as one number that is even.
                    let two = match self.below(3) {
                        0 => (BigUint::from(2u32).pow(k as u32), 1),
                        1 => (BigUint::from(2u32), k as u32),
                        _ => (BigUint::from(6u32), 1 + self.below(3) as u32),
                    };
                    if two.0 == BigUint::from(6u32) {
                        factors.retain(|(p, _)| *p != BigUint::from(3u32));
                    }
                    factors.insert(place.min(factors.len()), two);
                }
                divisor = self.of(&factors).0;
                product(&factors)
            }
            "composite factors" => {
                let composite = [15u32, 77, 13 * 17 * 19, 23 * 29];
                let first = self.below(2);
                factors.extend(composite[first..first + 3].iter().map(|&n| (BigUint::from(n), 1)));
                let last = BigUint::from(31u32 * 37).pow(1 + self.below(20) as u32);
                factors.push((last, 1 + self.below(2) as u32));
                divisor = BigUint::from(17u32 * 31);
                product(&factors)
            }
            "many factors of one length" => {
                // Fermat's numbers are coprime in pairs; so are 2^k - 1 for coprime k. All of about one length by their powers.
                let exponents = [37u32, 41, 43, 47, 53, 59, 61];
                let count = 3 + self.below(5);
                let wide = self.one_in(6);
                for k in &exponents[..count] {
                    factors.push(((BigUint::from(1u32) << *k) - 1u32, if wide { 128 / k } else { 1 }));
                }
                divisor = factors[0].0.clone();
                product(&factors)
            }
            _ => {
                // Odd, coprime, two at least.
                let (p, q) =
                    self.of(&[((64, 59), (89, 1)), ((64, 59), (64, 83)), ((127, 1), (107, 1)), ((64, 95), (521, 1))]);
                for (bits, below) in [p, q] {
                    factors.push(((BigUint::from(1u32) << bits) - BigUint::from(below as u32), 1));
                }
                divisor = factors[0].0.clone();
                product(&factors)
            }
        };
        DrawnModulus { kind, value, factors, divisor }
    }

    /// A base of this kind.
    fn base(&mut self, kind: usize, m: &DrawnModulus) -> BigInt {
        let modulus = &m.value;
        let below = |random: &mut Self| random.natural(modulus.bits()) % modulus;
        match BASES[kind] {
            "zero" => BigInt::from(0),
            "one" => BigInt::from(1),
            "m - 1" => BigInt::from(modulus.clone()) - 1,
            "at least m" => {
                let more = if self.one_in(2) { self.of(&[0u64, 1, 2, 64]) } else { self.0.below(200) };
                BigInt::from(modulus.clone() * self.natural(more) + below(self) + modulus)
            }
            "negative" => {
                let longer = self.below(2) as u32;
                -BigInt::from(below(self) * modulus.pow(longer) + 1u32)
            }
            "shares a factor" => {
                let sign = if self.one_in(3) { -1 } else { 1 };
                let cofactor = self.natural(modulus.bits().min(70));
                BigInt::from(&m.divisor * cofactor) * sign
            }
            "short" => BigInt::from(2 + self.0.below(1 << 16)),
            _ => BigInt::from(below(self)),
        }
    }

    /// An exponent of this kind.
    fn exponent(&mut self, kind: usize, m: &DrawnModulus, cap: u64) -> BigInt {
        let longest = if m.value.bits() > LONG_BITS { SHORT_EXPONENT_BITS } else { m.value.bits() };
        // The oracle is slow: long exponents modulo long numbers are rare.
        let usual = if longest > 300 && !self.one_in(8) { 40 } else { longest };
        let (one, bits) = (BigUint::from(1u32), 1 + self.0.below(usual));
        let value = match EXPONENTS[kind] {
            "zero" => BigUint::from(0u32),
            "one" | "minus one" => one,
            "two" => BigUint::from(2 + self.0.below(2)),
            "short" => BigUint::from(2 + self.0.below(1 << 16)),
            "long" => self.natural(usual.max(2)),
            "longer than m" => {
                let more = self.0.below(70);
                self.natural(if m.value.bits() > LONG_BITS { usual } else { usual + 1 + more })
            }
            "sparse" => (&one << bits) + self.0.below(2),
            "all ones" => (&one << bits) - 1u32,
            "over the cap" => {
                let (over, within) = (cap + 1 + self.0.below(3), 1 + self.0.below(20));
                self.natural(if cap < 1000 { over } else { within })
            }
            _ => self.natural(bits),
        };
        let negative =
            matches!(EXPONENTS[kind], "minus one" | "negative") || EXPONENTS[kind] == "over the cap" && self.one_in(3);
        if negative { -BigInt::from(value) } else { BigInt::from(value) }
    }

    /// The call of this number.
    pub(super) fn call(number: u64) -> Call {
        let mut draw = Self::new(number);
        let workload = draw.of(WORKLOADS);
        let cap = if draw.one_in(8) { 40 + draw.0.below(40) } else { 1 << 26 };
        let settings = Settings {
            kernel: draw.kernel(workload),
            mode: draw.of(&[
                Mode::Planned,
                Mode::Planned,
                Mode::Planned,
                Mode::ByItsLine,
                Mode::ByItsLine,
                Mode::Cancelled,
            ]),
            threads: 1 + draw.below(3),
            exponent_cap: cap,
            blinded: !draw.one_in(2),
            stop_after: draw.below(40),
        };
        let count = match workload.shape() {
            super::Shape::One => 1,
            // Long lists of long powers are rare.
            _ => draw.of(&COUNTS),
        };
        let n_moduli = if workload.has_one_modulus() { 1 } else { 1 + draw.below(3) };
        let moduli: Vec<DrawnModulus> = (0..n_moduli)
            .map(|_| {
                let kind = draw.modulus_kind(workload);
                draw.modulus(kind)
            })
            .collect();
        let mut elements = Vec::new();
        let mut common: Option<(BigInt, usize, BigInt, usize)> = None;
        let (one_base, one_exponent) = match workload.shape() {
            super::Shape::Bases => (false, true),
            super::Shape::Exponents => (true, false),
            _ => (draw.one_in(6), draw.one_in(4)),
        };
        let n_elements = if workload.is_one_product() { 1 } else { count };
        for _ in 0..n_elements {
            let modulus = draw.below(moduli.len());
            let n_powers = match workload {
                Workload::Product | Workload::ValueProduct => count,
                Workload::ProductList => draw.below(5),
                _ => 1,
            };
            let mut powers = Vec::new();
            for _ in 0..n_powers {
                let (mut base_kind, mut exponent_kind) = (draw.below(BASES.len()), draw.exponent_kind(workload));
                let mut base = draw.base(base_kind, &moduli[modulus]);
                let mut exponent = draw.exponent(exponent_kind, &moduli[modulus], cap);
                let (first_base, kind_of_base, first_exponent, kind_of_exponent) =
                    common.get_or_insert_with(|| (base.clone(), base_kind, exponent.clone(), exponent_kind)).clone();
                if one_base {
                    (base, base_kind) = (first_base, kind_of_base);
                }
                if one_exponent {
                    (exponent, exponent_kind) = (first_exponent, kind_of_exponent);
                }
                if !workload.takes_signed_bases() {
                    base = BigInt::from(base.magnitude().clone());
                }
                powers.push((base, exponent, base_kind, exponent_kind));
            }
            elements.push(Element { modulus, powers });
        }
        Call { number, workload, moduli, elements, count, settings }.narrowed()
    }

    fn kernel(&mut self, workload: Workload) -> Option<&'static str> {
        let force = self.one_in(3) && workload.takes_a_kernel();
        let available: Vec<&'static str> =
            KERNELS.iter().filter(|entry| entry.available()).map(|entry| entry.name).collect();
        force.then(|| self.of(&available))
    }

    fn modulus_kind(&mut self, workload: Workload) -> usize {
        loop {
            let kind = self.below(MODULI.len());
            if workload.takes_modulus(kind) {
                return kind;
            }
        }
    }

    fn exponent_kind(&mut self, workload: Workload) -> usize {
        loop {
            let kind = self.below(EXPONENTS.len());
            if workload.takes_exponent(kind) {
                return kind;
            }
        }
    }
}

fn product(factors: &[(BigUint, u32)]) -> BigUint {
    factors.iter().fold(BigUint::from(1u32), |all, (base, k)| all * base.pow(*k))
}
