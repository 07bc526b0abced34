//! Draws calls: every dimension of a call is chosen by itself, only from the number of the call.

use super::common;
use super::kinds::*;
use super::oracle::{self, proof, residue};
use super::{Call, DrawnModulus, Element, Settings, Value, WORKLOADS, Workload};
use num_bigint::{BigInt, BigUint};
use pingala_core::kernels::KERNELS;
use std::collections::BTreeSet;

/// A sequence of draws, and what they chose.
pub(super) struct Draw {
    random: common::Draw,
    kinds: BTreeSet<Value>,
    offered: BTreeSet<Value>,
}

impl Draw {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// One of the values of a dimension.
    pub(super) fn kind(&mut self, dimension: &'static str, values: &[&'static str]) -> &'static str {
        let kind = self.of(values);
        self.offered.extend(values.iter().map(|value| (dimension, *value)));
        self.kinds.insert((dimension, kind));
        kind
    }

    /// A number of exactly `bits` bits with structured words, half of them at least; 0 for no bits.
    pub(super) fn natural(&mut self, bits: u64) -> BigUint {
        let mut words: Vec<u32> = Vec::new();
        for _ in 0..bits.div_ceil(32) {
            words.push(match self.below(8) {
                0 | 1 => 0,
                2 | 3 => u32::MAX,
                _ => self.random.word() as u32,
            });
        }
        let mut value = BigUint::new(words) % (BigUint::from(1u32) << bits);
        if bits > 0 {
            value.set_bit(bits - 1, true);
        }
        value
    }

    /// A length of long numbers in bits, mostly of a few words.
    fn bits(&mut self) -> u64 {
        match self.below(40) {
            0 => 300 + self.below(500) as u64,
            1..6 => 130 + self.below(180) as u64,
            6..14 => self.of(&[65, 104, 127, 128, 129, 156]),
            _ => 65 + self.below(70) as u64,
        }
    }

    /// A prime of this class, of at most a word or longer.
    fn prime(&mut self, class: usize, long: bool) -> BigUint {
        loop {
            // The longest are rare.
            let count = if self.one_in(8) { 9 } else { 7 };
            let (bits, below) = PRIMES[class][self.below(count)];
            if (bits > 64) == long {
                return (BigUint::from(1u32) << bits) - below;
            }
        }
    }

    pub(super) fn any_prime(&mut self, long: bool) -> BigUint {
        let class = self.below(3);
        self.prime(class, long)
    }

    /// A number to test.
    pub(super) fn number(&mut self) -> BigInt {
        let word = |value: u64| BigInt::from(value);
        match self.kind("number", &NUMBERS) {
            "negative" => {
                let bits = 1 + self.below(100) as u64;
                -BigInt::from(self.natural(bits))
            }
            "below two" => word(self.below(2) as u64),
            "two or three" => word(2 + self.below(2) as u64),
            "short" => word(4 + self.below(3000) as u64),
            "prime word" => self.any_prime(false).into(),
            "product of two words" => (self.any_prime(false) * self.any_prime(false)).into(),
            "strong pseudoprime" => word(self.of(&PSEUDOPRIMES)),
            "around 2^64" => word(u64::MAX - 200) + self.below(400),
            "long prime" => self.any_prime(true).into(),
            "product of long primes" => (self.any_prime(true) * self.any_prime(true)).into(),
            "Carmichael" => {
                let k = BigInt::from(self.of(&CARMICHAEL));
                (&k * 6 + 1) * (&k * 12 + 1) * (&k * 18 + 1)
            }
            "square of a prime" => self.any_prime(true).pow(2).into(),
            kind => {
                let bits = self.bits();
                let mut value = self.natural(bits);
                value.set_bit(0, kind == "long odd");
                value.into()
            }
        }
    }

    /// The number below in a Jacobi symbol, with its prime factors.
    fn below_symbol(&mut self) -> DrawnModulus {
        let kind = self.kind("below", &BELOW);
        let factors = match kind {
            "one" => vec![],
            kind @ ("even" | "zero") => {
                let value = if kind == "zero" { BigUint::ZERO } else { self.natural(70) << 1 };
                return DrawnModulus { value, ..DrawnModulus::default() };
            }
            "short prime" | "negative" => vec![(self.any_prime(false), 1)],
            "long prime" => vec![(self.any_prime(true), 1)],
            "square" => {
                let long = self.one_in(2);
                vec![(self.any_prime(long), 2)]
            }
            "product" => vec![(self.any_prime(false), 1), (self.any_prime(false), 1 + self.below(3) as u32)],
            _ => vec![(self.any_prime(true), 1), (self.any_prime(false), 1), (self.any_prime(true), 1)],
        };
        let value = factors.iter().fold(BigUint::from(1u32), |all, (p, k)| all * p.pow(*k));
        DrawnModulus { value, factors, negative: kind == "negative", ..DrawnModulus::default() }
    }

    /// The modulus of a square root; a prime is its own only factor.
    fn field(&mut self) -> DrawnModulus {
        let kind = self.kind("below", &FIELDS);
        let prime = match kind {
            "two" => BigUint::from(2u32),
            "3 modulo 4" => self.prime(0, false),
            "long, 3 modulo 4" => self.prime(0, true),
            "5 modulo 8" | "1 modulo 8" => {
                let long = self.one_in(2);
                self.prime(if kind == "5 modulo 8" { 1 } else { 2 }, long)
            }
            "many twos" => {
                let (twos, k) = self.of(&MANY_TWOS);
                (BigUint::from(k) << twos) + 1u32
            }
            "short" => BigUint::from(self.of(&[3u32, 5, 7, 11, 13, 17, 41, 97])),
            "power of a prime" => {
                let p = self.any_prime(false);
                // It is no prime: what has no root modulo p has none here.
                return DrawnModulus { value: p.pow(2), factors: vec![(p, 2)], ..DrawnModulus::default() };
            }
            _ => {
                let even = self.natural(70) << 1;
                let value = self.of(&[BigUint::ZERO, BigUint::from(1u32), even]);
                return DrawnModulus { value, ..DrawnModulus::default() };
            }
        };
        DrawnModulus { value: prime.clone(), factors: vec![(prime, 1)], ..DrawnModulus::default() }
    }

    /// A number with a root modulo a prime, or without.
    fn rooted(&mut self, m: &DrawnModulus) -> Element {
        let kind = self.kind("above", &ROOTED);
        let p = m.factors.first().map_or(BigUint::from(7u32), |(p, _)| p.clone());
        let is_prime = m.factors.first().is_some_and(|(_, k)| *k == 1);
        let bits = p.bits();
        let drawn = self.natural(bits + 3) % &p;
        let one = BigUint::from(1u32);
        // The least number that is no square; modulo 2 there is none.
        let non_residue = (2u32..).map(BigUint::from).take_while(|_| bits > 2 || p == BigUint::from(3u32));
        let non_residue = non_residue.into_iter().find(|z| z.modpow(&((&p - 1u32) >> 1), &p) == &p - 1u32);
        let non_residue = non_residue.unwrap_or(one.clone());
        let (a, root) = match kind {
            _ if !is_prime => (BigInt::from(non_residue), None),
            "zero" => (BigInt::ZERO, Some(BigUint::ZERO)),
            "one" => (BigInt::from(1), Some(one)),
            "shares a factor" => (BigInt::from(&p * 3u32), Some(BigUint::ZERO)),
            "no square" if non_residue != one && drawn != BigUint::ZERO => {
                (BigInt::from(&drawn * &drawn * non_residue % &p), None)
            }
            "negative" => (BigInt::from(&drawn * &drawn % &p) - BigInt::from(&p * (1 + self.below(5))), Some(drawn)),
            "at least p" => (BigInt::from(&drawn * &drawn % &p + &p * (1 + self.below(1000))), Some(drawn)),
            _ => (BigInt::from(&drawn * &drawn % &p), Some(drawn)),
        };
        Element { modulus: 0, pairs: vec![(a, BigInt::ZERO)], root }
    }

    fn base(&mut self, m: &BigUint, divisor: &BigUint) -> BigInt {
        let below = |draw: &mut Self| BigInt::from(draw.natural(m.bits() + 2) % m);
        match self.kind("base", &BASES) {
            "zero" => BigInt::ZERO,
            "one" => BigInt::from(1),
            "m - 1" => BigInt::from(m.clone()) - 1,
            "at least m" => below(self) + BigInt::from(m * (1 + self.below(9))),
            "negative" => -below(self) - 1,
            "shares a factor" => BigInt::from(divisor * (1 + self.below(1000))),
            "short" => BigInt::from(2 + self.below(1 << 16)),
            _ => below(self),
        }
    }

    /// A modulus of this kind, and a divisor of it.
    fn ring(&mut self, kind: &'static str) -> (DrawnModulus, BigUint) {
        let divisor = self.of(&[3u32, 5, 15, 1001]);
        let (mut factors, divisor): (Vec<(BigUint, u32)>, _) = (Vec::new(), BigUint::from(divisor));
        let value = match kind {
            "one" => BigUint::from(1u32),
            "short odd" => &divisor * (1 + 2 * self.below(1 << 20)),
            "odd" | "even" => {
                let bits = self.bits() - 20;
                (&divisor * (self.natural(bits) | BigUint::from(1u32)))
                    << (if kind == "odd" { 0 } else { 1 + self.below(70) })
            }
            "power of two" => BigUint::from(1u32) << (1 + self.below(200)),
            "1024 bits" => {
                let bits = 1024 + self.below(8) as u64;
                let mut value = self.natural(bits) | BigUint::from(1u32);
                // Without a small factor, as those of keys, where it matters.
                while (3..1u32 << 12).any(|p| &value % p == BigUint::ZERO) {
                    value += 2u32;
                }
                value
            }
            "prime" => self.any_prime(true),
            _ => {
                let (p, q) =
                    self.of(&[((64, 59), (89, 1)), ((61, 1), (31, 1)), ((127, 1), (107, 1)), ((5, 1), (3, 1))]);
                for (bits, below) in [p, q] {
                    factors
                        .push(((BigUint::from(1u32) << bits) - BigUint::from(below as u32), 1 + self.below(2) as u32));
                }
                factors.iter().fold(BigUint::from(1u32), |all, (p, k)| all * p.pow(*k))
            }
        };
        let divisor = factors.first().map_or(divisor, |(p, _)| p.clone());
        (DrawnModulus { value, passed: !factors.is_empty(), factors, negative: false }, divisor)
    }

    /// A statement with its proof, which may be damaged.
    fn proved(&mut self, m: &BigUint, base: BigInt, t: u64) -> Vec<(BigInt, BigInt)> {
        let own = residue(&base, m);
        let (mut result, mut root) = proof(&own, t, m);
        let (mut base, mut t) = (base, BigInt::from(t));
        let bits = m.bits();
        match self.kind("damage", &DAMAGES) {
            "another result" => result = (result * 3u32 + 1u32) % m,
            "-result" => result = (m - result) % m,
            "another proof" => root = (root * 3u32 + 1u32) % m,
            "-proof" => root = m - root,
            "one squaring more" => t += 1,
            "one squaring less" if t > BigInt::ZERO => t -= 1,
            "another base" => base += 1,
            "result not reduced" => result += m,
            "a flipped bit" => {
                let at = self.below(bits as usize) as u64;
                let of = if self.one_in(2) { &mut result } else { &mut root };
                of.set_bit(at, !of.bit(at));
            }
            _ => {}
        }
        vec![(base, t), (result.into(), root.into())]
    }

    fn exponent(&mut self, cap: Option<u64>) -> BigInt {
        let value = match self.kind("exponent", &EXPONENTS) {
            "zero" => BigUint::ZERO,
            "one" => BigUint::from(1u32),
            "two" => BigUint::from(2u32),
            "short" => BigUint::from(2 + self.below(1 << 16)),
            "sparse" => (BigUint::from(1u32) << self.below(40)) + self.below(2),
            "over the cap" => {
                let over = cap.map_or(20, |cap| cap + 1 + self.below(3) as u64);
                self.natural(over)
            }
            _ => {
                let bits = 17 + self.below(24) as u64;
                self.natural(bits)
            }
        };
        value.into()
    }

    fn settings(&mut self, workload: Workload) -> Settings {
        use Workload::*;
        let mut settings = Settings { kernel: None, threads: 1, cap: None, rounds: 1, memory: None, stop_after: None };
        if !workload.is_symbol() {
            settings.threads = match self.kind("threads", &["1", "2", "3"]) {
                "1" => 1,
                "2" => 2,
                _ => 3,
            };
        }
        if self.kind("mode", &["planned", "planned", "cancelled"]) == "cancelled" {
            settings.stop_after = Some(self.below(40));
        }
        if !workload.is_symbol() && self.kind("kernel", &["planned", "planned", "forced"]) == "forced" {
            let available: Vec<&'static str> =
                KERNELS.iter().filter(|entry| entry.available()).map(|entry| entry.name).collect();
            settings.kernel = Some(self.of(&available));
        }
        if !matches!(workload, IsPrimeWords | ProveSquaring | VerifySquaring)
            && self.kind("cap", &["default", "default", "short"]) == "short"
        {
            settings.cap = Some(if workload.caps_exponents() { 40 } else { 30 } + self.below(100) as u64);
        }
        if matches!(workload, IsPrime | IsPrimeList) {
            settings.rounds = match self.kind("rounds", &["0", "1", "3"]) {
                "0" => 0,
                "1" => 1,
                _ => 3,
            };
        }
        if matches!(workload, ProveSquaring | Witnesses) {
            settings.memory = match self.kind("memory", &["none", "some", "default"]) {
                "none" => Some(0),
                "some" => Some(500 + self.below(20_000) as u64),
                _ => None,
            };
        }
        settings
    }

    /// The call of this number.
    pub(super) fn call(number: u64) -> Call {
        let mut draw = Self {
            random: common::Draw(number.wrapping_mul(0xd134_2543_de82_ef95)),
            kinds: BTreeSet::new(),
            offered: BTreeSet::new(),
        };
        let workload = draw.of(&WORKLOADS);
        let settings = draw.settings(workload);
        let conditions = workload.has_conditions().then(|| draw.conditions(workload, &settings));
        let (moduli, elements) =
            if conditions.is_some() { Default::default() } else { draw.numbers(workload, &settings) };
        let mut settings = settings;
        if workload == Workload::SqrtModAll && moduli[0].passed {
            // The cap was that of the handle.
            settings.cap = None;
        }
        let Self { kinds, offered, .. } = draw;
        Call { number, workload, moduli, elements, settings, conditions, kinds, offered }
    }

    fn count(&mut self) -> usize {
        self.kind("count", &COUNTS).parse().expect("a number")
    }

    fn numbers(&mut self, workload: Workload, settings: &Settings) -> (Vec<DrawnModulus>, Vec<Element>) {
        use Workload::*;
        let none = || vec![DrawnModulus { value: BigUint::from(1u32), ..DrawnModulus::default() }];
        let alone = |pairs| Element { modulus: 0, pairs, root: None };
        let rounds = BigInt::from(settings.rounds);
        match workload {
            IsPrime | NextPrime | PreviousPrime => (none(), vec![alone(vec![(self.number(), rounds)])]),
            IsPrimeList => {
                let count = self.count();
                (none(), (0..count).map(|_| alone(vec![(self.number(), rounds.clone())])).collect())
            }
            IsPrimeWords => {
                let count = self.count();
                let word = |number: BigInt| number.magnitude().iter_u64_digits().next().unwrap_or(0);
                (none(), (0..count).map(|_| alone(vec![(word(self.number()).into(), rounds.clone())])).collect())
            }
            PrimesBetween => {
                let a = self.number();
                let width = match self.kind("width", &["negative", "none", "one", "short", "long"]) {
                    "negative" => -1 - self.below(100) as i64,
                    "none" => 0,
                    "one" => 1,
                    "short" => self.below(40) as i64,
                    _ => self.below(400) as i64,
                };
                (none(), vec![alone(vec![(a.clone(), a + width)])])
            }
            Jacobi | JacobiList | SqrtMod | SqrtModList => self.symbols(workload),
            Kronecker => self.any_symbol(),
            SqrtModAll => self.all_roots(),
            ProveSquaring | VerifySquaring => {
                let kind = self.kind("modulus", &GROUPS);
                let (m, divisor) = self.ring(kind);
                let most = if m.value.bits() > 600 { 60 } else { 3000 };
                let t = match self.kind("squarings", &SQUARINGS) {
                    "to 300" => 3 + self.below(298.min(most)) as u64,
                    "to 3000" => 3 + self.below(most) as u64,
                    few => few.parse().expect("a number"),
                };
                let base = self.base(&m.value, &divisor);
                let pairs =
                    if workload == ProveSquaring { vec![(base, t.into())] } else { self.proved(&m.value, base, t) };
                let times = if workload == ProveSquaring { 2 } else { 1 };
                (vec![m], vec![alone(pairs); times])
            }
            _ => self.accumulator(workload, settings),
        }
    }

    /// Jacobi symbols and square roots.
    fn symbols(&mut self, workload: Workload) -> (Vec<DrawnModulus>, Vec<Element>) {
        use Workload::*;
        let count = if matches!(workload, JacobiList | SqrtModList) { self.count() } else { 1 };
        let n_moduli = if count > 1 && self.one_in(2) { 1 + self.below(count.min(5)) } else { 1 };
        let roots = matches!(workload, SqrtMod | SqrtModList);
        let moduli: Vec<DrawnModulus> =
            (0..n_moduli).map(|_| if roots { self.field() } else { self.below_symbol() }).collect();
        let element = |at: usize| {
            let modulus = if at < n_moduli { at } else { self.below(n_moduli) };
            let m = &moduli[modulus];
            if roots {
                return Element { modulus, ..self.rooted(m) };
            }
            let divisor = m.factors.first().map_or(BigUint::from(3u32), |(p, _)| p.clone());
            let below = m.value.clone().max(BigUint::from(1u32));
            Element { modulus, pairs: vec![(self.base(&below, &divisor), BigInt::ZERO)], root: None }
        };
        let elements = (0..count).map(element).collect();
        (moduli, elements)
    }

    /// A Kronecker symbol; the modulus is the odd part of the number below.
    fn any_symbol(&mut self) -> (Vec<DrawnModulus>, Vec<Element>) {
        let kind = self.kind("below", &ANY_BELOW);
        let twos = match kind {
            "two" => 1,
            "power of two" | "even" | "negative even" => 1 + self.below(70) as u64,
            _ => 0,
        };
        let mut odd = DrawnModulus { value: BigUint::from(1u32), ..DrawnModulus::default() };
        match kind {
            "zero" => odd.value = BigUint::ZERO,
            "one" | "minus one" | "two" | "power of two" => {}
            _ => {
                for long in [false, self.one_in(2)] {
                    odd.factors.push((self.any_prime(long), 1 + self.below(3) as u32));
                }
                odd.value = odd.factors.iter().map(|(p, k)| p.pow(*k)).product();
            }
        }
        let magnitude = &odd.value << twos;
        let below = if kind.starts_with("negative") || kind == "minus one" || kind == "power of two" && self.one_in(2) {
            -BigInt::from(magnitude.clone())
        } else {
            magnitude.clone().into()
        };
        let divisor = odd.factors.first().map_or(BigUint::from(2u32), |(p, _)| p.clone());
        let above = match self.base(&magnitude.max(BigUint::from(1u32)), &divisor) {
            above if self.one_in(3) => -above,
            above => above,
        };
        (vec![odd], vec![Element { modulus: 0, pairs: vec![(above, below)], root: None }])
    }

    /// A number of which all roots are wanted, and the most that are: modulo a number, or modulo its factors.
    fn all_roots(&mut self) -> (Vec<DrawnModulus>, Vec<Element>) {
        let one = BigUint::from(1u32);
        let factors = match self.kind("below", &FACTORED) {
            "prime" => {
                let long = self.one_in(2);
                vec![(self.any_prime(long), 1)]
            }
            "two" => vec![(BigUint::from(2u32), 1)],
            "not a prime" => {
                let composite = self.any_prime(false) * self.any_prime(true);
                vec![(self.of(&[BigUint::ZERO, one.clone(), 4u32.into(), 15u32.into(), composite]), 1)]
            }
            "short power of a prime" => {
                let (p, k) = self.of(&[(3u32, 2), (3, 5), (5, 3), (7, 4), (11, 2)]);
                vec![(p.into(), k)]
            }
            "power of a long prime" => vec![(self.any_prime(true), 2 + self.below(3) as u32)],
            "power of two" => vec![(BigUint::from(2u32), 2 + self.below(9) as u32)],
            "short primes" => {
                vec![(2u32.into(), self.below(3) as u32 + 1), (3u32.into(), 1 + self.below(3) as u32), (7u32.into(), 1)]
            }
            _ => {
                // A q of which a multiple has too many roots to list.
                let (p, q) = (self.prime(0, true), self.of(&[(52u32, 47u32), (64, 59)]));
                let q = (BigUint::from(1u32) << q.0) - q.1;
                vec![(p, 1), (q, 1 + self.below(2) as u32), (7u32.into(), 1)]
            }
        };
        let value: BigUint = factors.iter().map(|(p, k)| p.pow(*k)).product();
        let alone = matches!(&factors[..], [(_, 1)]);
        let passed = !alone || value.bits() > 2 && oracle::is_prime(&value.clone().into()) && self.one_in(2);
        let root = self.natural(value.bits() + 3);
        let square = &root * &root;
        let (a, root) = match self.kind("above", &ROOTED) {
            "zero" => (BigUint::ZERO, Some(BigUint::ZERO)),
            "one" => (one.clone(), Some(one)),
            "square" => (&square % value.clone().max(one), Some(root)),
            "at least p" => (square, Some(root)),
            "negative" => (square, Some(root)),
            "shares a factor" => {
                let root = &root * &factors[0].0;
                (&root * &root, Some(root))
            }
            _ => (self.natural(value.bits() + 1), None),
        };
        let negative = self.kinds.contains(&("above", "negative"));
        // A negative number with the same residue.
        let a = if negative { BigInt::from(a.clone()) - BigInt::from(&value * (&a + 1u32)) } else { a.into() };
        let most = match self.kind("most", &["1", "2", "4", "65536"]) {
            "1" => 1u32,
            "2" => 2,
            "4" => 4,
            _ => 65_536,
        };
        let element = Element { modulus: 0, pairs: vec![(a, most.into())], root };
        let modulus = DrawnModulus { value, factors, passed, negative: false };
        let count = oracle::count_of_roots(&modulus, &element);
        (vec![modulus], vec![element; count])
    }

    /// Accumulators and witnesses.
    fn accumulator(&mut self, workload: Workload, settings: &Settings) -> (Vec<DrawnModulus>, Vec<Element>) {
        use Workload::*;
        let kind = self.kind("modulus", &RINGS);
        let (modulus, divisor) = self.ring(kind);
        let m = modulus.value.clone();
        let count = self.count().min(if m.bits() > 600 { 9 } else { 33 });
        let exponents: Vec<BigInt> = (0..count).map(|_| self.exponent(settings.cap)).collect();
        let alone = |pairs| Element { modulus: 0, pairs, root: None };
        let elements = match workload {
            Accumulate => {
                let g = self.base(&m, &divisor);
                let first = (g.clone(), BigInt::from(1));
                vec![alone(core::iter::once(first).chain(exponents.into_iter().map(|e| (g.clone(), e))).collect())]
            }
            Witnesses => {
                let g = self.base(&m, &divisor);
                exponents.into_iter().map(|e| alone(vec![(g.clone(), e)])).collect()
            }
            UpdateWitnesses => {
                // Old witnesses are numbers, at least 0; they need not be reduced.
                let added: Vec<BigInt> = (0..1 + self.below(4)).map(|_| self.exponent(settings.cap)).collect();
                let own = (0..count).map(|_| BigInt::from(self.base(&m, &divisor).into_parts().1));
                own.map(|w| alone(added.iter().map(|e| (w.clone(), e.clone())).collect())).collect()
            }
            _ => {
                // The g of a right set, in which some are damaged.
                let g = residue(&self.base(&m, &divisor), &m);
                let power = |skipped: Option<usize>| {
                    let kept = exponents.iter().enumerate().filter(|(at, _)| Some(*at) != skipped);
                    kept.fold(g.clone(), |power, (_, e)| power.modpow(e.magnitude(), &m))
                };
                let of_all = BigInt::from(power(None));
                let damaged = self.one_in(2);
                let mut elements = Vec::new();
                for (at, exponent) in exponents.iter().enumerate() {
                    let right = power(Some(at));
                    let choice = if damaged { &WITNESSES[..] } else { &WITNESSES[..1] };
                    let witness = match self.kind("damage", choice) {
                        "another" => (&right * 3u32 + 1u32) % &m,
                        "negated" => (&m - &right) % &m,
                        "not reduced" => &right + &m,
                        "of another exponent" => power(Some(self.below(count))),
                        _ => right,
                    };
                    elements.push(alone(vec![(witness.into(), exponent.clone()), (of_all.clone(), BigInt::from(1))]));
                }
                elements
            }
        };
        (vec![modulus], elements)
    }
}
