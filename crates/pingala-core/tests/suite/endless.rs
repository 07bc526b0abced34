//! Whole powers without an end: single ones, planned and on every kernel, lists, tables, products, columns, secrets, against num-bigint or, for words,
//! against plain integers: `make -C hardening differential`.

use super::common::Random;
use super::ledger::compare;
use num_bigint::BigUint;
use pingala_core::kernels::{KERNELS, every_form};
use pingala_core::{
    Column, FixedBase, Integer, Job, Modulus, Natural, Options, SecretExponent, pow_list, pow_rows, pow_words,
};
use std::num::NonZeroUsize;

/// Drawn numbers with structured limbs, half of them at least.
struct Draw(Random);

impl Draw {
    fn new(section: u64, batch: u64) -> Self {
        let mut random = Random::new(batch << 8 | section << 1);
        // The first numbers of neighbouring seeds are alike.
        (0..8).for_each(|_| _ = random.next());
        Self(random)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn limb(&mut self) -> u64 {
        match self.below(12) {
            0 | 1 => 0,
            2 | 3 => u64::MAX,
            4 => 1 << 63,
            5 => 1,
            6 => (u64::MAX << self.below(64)) ^ (u64::MAX << self.below(64)),
            _ => self.0.next(),
        }
    }

    /// A number of at most `bits` bits.
    fn natural(&mut self, bits: u64) -> Natural {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.limb()).collect();
        if let Some(top) = limbs.last_mut() {
            *top &= u64::MAX >> ((64 - bits % 64) % 64);
        }
        Natural::from_limbs(&limbs)
    }

    /// 1 or more; odd on wish.
    fn modulus(&mut self, bits: u64, odd: bool) -> Natural {
        let mut limbs = self.natural(bits).limbs().to_vec();
        if limbs.is_empty() {
            limbs.push(1);
        }
        limbs[0] |= u64::from(odd);
        Natural::from_limbs(&limbs)
    }

    /// Lengths of moduli, mostly short ones: there a second has the most powers.
    fn bits(&mut self) -> u64 {
        match self.below(64) {
            0 => 1 + self.below(2100),
            1..4 => 1 + self.below(640),
            _ => 1 + self.below(256),
        }
    }

    /// Lengths of exponents.
    fn exponent_bits(&mut self) -> u64 {
        match self.below(32) {
            0 => self.below(300),
            1..8 => self.below(65),
            _ => self.below(20),
        }
    }
}

fn big(value: &Natural) -> BigUint {
    BigUint::from_bytes_le(&value.to_le_bytes())
}

fn natural(value: &BigUint) -> Natural {
    Natural::from_limbs(&value.to_u64_digits())
}

/// base^exponent mod modulus for numbers without a sign.
fn oracle(base: &Natural, exponent: &Natural, modulus: &Natural) -> Natural {
    if modulus.limbs().len() == 1 && exponent.limbs().len() <= 1 {
        let m = u128::from(modulus.limbs()[0]);
        let base = base.limbs().iter().rev().fold(0, |value, &limb| (value << 64 | u128::from(limb)) % m);
        return Natural::from(word_power(base as u64, exponent.limbs().first().copied().unwrap_or(0), m as u64));
    }
    natural(&big(base).modpow(&big(exponent), &big(modulus)))
}

fn word_power(base: u64, mut exponent: u64, m: u64) -> u64 {
    let m = u128::from(m);
    let (mut power, mut square) = (1 % m, u128::from(base) % m);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * square % m;
        }
        square = square * square % m;
        exponent >>= 1;
    }
    power as u64
}

/// What one batch of a section draws.
const ROWS: u64 = 256;

fn one_thread() -> Options<'static> {
    Options::default().with_threads(NonZeroUsize::new(1))
}

fn single(batch: u64) -> u64 {
    let mut draw = Draw::new(1, batch);
    for _ in 0..ROWS {
        let bits = draw.bits();
        let (m, bits_of_base, bits_of_exponent) =
            (draw.modulus(bits, false), bits + draw.below(70), draw.exponent_bits());
        let (base, exponent) = (draw.natural(bits_of_base), draw.natural(bits_of_exponent));
        let power = pingala_core::powmod(&(&base).into(), &(&exponent).into(), &m).unwrap();
        assert_eq!(power, oracle(&base, &exponent, &m), "{base}^{exponent} mod {m}");
    }
    ROWS
}

/// Long moduli, most of them even: an odd part and a power of two of any two lengths, whose powers are recombined.
fn long(batch: u64) -> u64 {
    let mut draw = Draw::new(8, batch);
    for _ in 0..ROWS / 32 {
        let bits = 2000 + draw.below(30_000);
        let zeros = if draw.below(4) > 0 { draw.below(bits) } else { 0 };
        let m = natural(&(big(&draw.modulus(bits - zeros, true)) << zeros));
        let bits_of_exponent = 1 + draw.below(9);
        let (base, exponent) = (draw.natural(bits + 3), draw.natural(bits_of_exponent));
        let power = pingala_core::powmod(&(&base).into(), &(&exponent).into(), &m).unwrap();
        assert_eq!(power, oracle(&base, &exponent, &m), "{base}^{exponent} mod {m}");
    }
    ROWS / 32
}

/// Powers in every form of every kernel that takes the modulus, some secret.
fn forced(batch: u64) -> u64 {
    let (mut draw, mut count) = (Draw::new(2, batch), 0);
    for _ in 0..ROWS / 8 {
        let bits = draw.bits();
        let m = match draw.below(4) {
            0 => natural(&(BigUint::from(1u32) << bits)),
            _ => draw.modulus(bits, true),
        };
        let limbs = if m.is_even() { m.trailing_zeros().div_ceil(64) } else { m.limbs().len() as u64 };
        let modulus = Modulus::new(m.clone()).unwrap();
        let bits_of_exponent = 2 + draw.exponent_bits();
        let (base, exponent) = (draw.natural(bits + 3), draw.natural(bits_of_exponent));
        let wanted = oracle(&base, &exponent, &m);
        for form in every_form(!m.is_even(), limbs as usize).filter(|form| form.kernel.lanes() == 1) {
            let options = one_thread().with_kernel(Some(form.kernel.entry().name));
            let Ok(power) = modulus.pow_with(&(&base).into(), &(&exponent).into(), &options) else {
                continue;
            };
            assert_eq!(power, wanted, "{base}^{exponent} mod {m} on {form}");
            count += 1;
        }
        let secret = SecretExponent::new(&exponent, Some(exponent.bits() + draw.below(9))).unwrap();
        let power = modulus.pow_sec(&(&base).into(), &secret, &one_thread()).unwrap();
        assert_eq!(power, wanted, "secret {base}^{exponent} mod {m}");
        count += 1;
    }
    count
}

/// A list with moduli of one length, as lanes want it, or of any, on each kernel of lanes.
fn list(batch: u64) -> u64 {
    let mut draw = Draw::new(3, batch);
    let (bits, same) = (draw.bits(), draw.below(2) == 0);
    let kernels: Vec<Option<&str>> = core::iter::once(None)
        .chain(KERNELS.iter().filter(|entry| entry.lanes > 1 && entry.available()).map(|entry| Some(entry.name)))
        .collect();
    let kernel = kernels[batch as usize % kernels.len()];
    let mut moduli = Vec::new();
    for _ in 0..ROWS / 2 {
        let bits = if same || kernel.is_some() { bits } else { draw.bits() };
        let odd = kernel.is_some() || draw.below(4) > 0;
        moduli.push(Modulus::new(draw.modulus(bits, odd)).unwrap());
    }
    let exponent_bits = draw.exponent_bits();
    let bases: Vec<Integer> = (0..ROWS / 2).map(|_| draw.natural(bits + 3).into()).collect();
    let exponents: Vec<Integer> = (0..ROWS / 2).map(|_| draw.natural(exponent_bits).into()).collect();
    let jobs: Vec<Job<'_>> =
        (0..bases.len()).map(|at| Job { base: &bases[at], exponent: &exponents[at], modulus: &moduli[at] }).collect();
    let powers = match pow_list(&jobs, &one_thread().with_kernel(kernel)) {
        // A kernel for a few limbs only.
        Err(_) if kernel.is_some() => return 0,
        powers => powers.unwrap(),
    };
    let mut count = 0;
    for (job, power) in jobs.iter().zip(powers) {
        let power = match power {
            // A kernel that takes no such modulus.
            Err(_) if kernel.is_some() => continue,
            power => power.unwrap(),
        };
        let wanted = oracle(job.base.magnitude(), job.exponent.magnitude(), job.modulus.value());
        assert_eq!(power, wanted, "{} ^ {} mod {} on {kernel:?}", job.base, job.exponent, job.modulus.value());
        count += 1;
    }
    count
}

/// A fixed base, one power at a time and as a list.
fn table(batch: u64) -> u64 {
    let mut draw = Draw::new(4, batch);
    let bits = draw.bits();
    let odd = draw.below(4) > 0;
    let m = draw.modulus(bits, odd);
    let base = draw.natural(bits + 3);
    let exponent_bits = 1 + draw.below(100);
    let modulus = Modulus::new(m.clone()).unwrap();
    let memory = 256 << draw.below(8);
    let Ok(table) = FixedBase::new(&(&base).into(), &modulus, exponent_bits, memory, &one_thread()) else { return 0 };
    let exponents: Vec<Integer> = (0..ROWS / 4).map(|_| draw.natural(exponent_bits).into()).collect();
    let list = table.pow_list(&exponents, &one_thread()).unwrap();
    for (exponent, power) in exponents.iter().zip(list) {
        let wanted = oracle(&base, exponent.magnitude(), &m);
        assert_eq!(power.as_ref(), Ok(&wanted), "{base}^{exponent} mod {m}, a list of a table");
        assert_eq!(table.pow(exponent).as_ref(), Ok(&wanted), "{base}^{exponent} mod {m}, a table");
    }
    2 * exponents.len() as u64
}

/// A product of powers; powers of one base, and powers with one exponent.
fn product(batch: u64) -> u64 {
    let mut draw = Draw::new(5, batch);
    let bits = draw.bits();
    let odd = draw.below(4) > 0;
    let m = draw.modulus(bits, odd);
    let modulus = Modulus::new(m.clone()).unwrap();
    let count = 1 + draw.below(24);
    let exponent_bits = draw.exponent_bits() + draw.below(60);
    let bases: Vec<Integer> = (0..count).map(|_| draw.natural(bits + 3).into()).collect();
    let exponents: Vec<Integer> = (0..count).map(|_| draw.natural(exponent_bits).into()).collect();
    let powers: Vec<Natural> = bases
        .iter()
        .zip(&exponents)
        .map(|(base, exponent)| oracle(base.magnitude(), exponent.magnitude(), &m))
        .collect();
    let wanted = powers.iter().fold(BigUint::from(1u32), |product, power| product * big(power) % big(&m));
    let got = modulus.pow_product(&bases, &exponents, &one_thread()).unwrap();
    assert_eq!(big(&got), wanted % big(&m), "{bases:?} {exponents:?} mod {m}");
    let of_one_base = modulus.pow_exp_list(&bases[0], &exponents, &one_thread()).unwrap();
    let with_one_exponent = modulus.pow_base_list(&bases, &exponents[0], &one_thread()).unwrap();
    for (exponent, power) in exponents.iter().zip(&of_one_base) {
        let wanted = oracle(bases[0].magnitude(), exponent.magnitude(), &m);
        assert_eq!(power.as_ref(), Ok(&wanted), "{}^{exponent} mod {m}", bases[0]);
    }
    for (base, power) in bases.iter().zip(&with_one_exponent) {
        let wanted = oracle(base.magnitude(), exponents[0].magnitude(), &m);
        assert_eq!(power.as_ref(), Ok(&wanted), "{base}^{} mod {m}", exponents[0]);
    }
    3 * count
}

fn rows(batch: u64) -> u64 {
    let mut draw = Draw::new(6, batch);
    let (bits, exponent_bits, one_modulus) = (draw.bits(), draw.exponent_bits(), draw.below(2) == 0);
    let odd = draw.below(4) > 0;
    let width = bits.div_ceil(8).max(1) as usize;
    let m: Vec<Natural> = (0..if one_modulus { 1 } else { ROWS }).map(|_| draw.modulus(bits, odd)).collect();
    let bases: Vec<Natural> = (0..ROWS).map(|_| draw.natural(bits)).collect();
    let exponents: Vec<Natural> = (0..ROWS).map(|_| draw.natural(exponent_bits)).collect();
    let packed = |numbers: &[Natural], width: usize| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_be_bytes_padded(width).unwrap()).collect()
    };
    let exponent_width = exponent_bits.div_ceil(8).max(1) as usize;
    let columns = [(&bases, width), (&exponents, exponent_width), (&m, width)].map(|(n, w)| (packed(n, w), w));
    let [b, e, n] = columns.each_ref().map(|(bytes, width)| Column::fixed(bytes, *width));
    let mut out = vec![0xaa; ROWS as usize * width];
    // One modulus in a column would be one row.
    let one: Integer = (&m[0]).into();
    let n = if one_modulus { Column::from(&one) } else { n };
    let failed = pow_rows(b, e, n, &mut out, width, &one_thread()).unwrap();
    assert!(failed.is_empty(), "{failed:?}");
    for (at, power) in out.chunks(width).enumerate() {
        let m = &m[if one_modulus { 0 } else { at }];
        let wanted = oracle(&bases[at], &exponents[at], m);
        assert_eq!(Natural::from_be_bytes(power), wanted, "{}^{} mod {m}", bases[at], exponents[at]);
    }
    ROWS
}

fn column_of_words(batch: u64) -> u64 {
    let mut draw = Draw::new(7, batch);
    let count = 8 * ROWS as usize;
    let exponent_bits = draw.exponent_bits().min(64) as u32;
    let bases: Vec<u64> = (0..count).map(|_| draw.limb()).collect();
    let (one_exponent, one_modulus, odd) = (draw.below(2) == 0, draw.below(3) == 0, draw.below(2));
    let mut exponents: Vec<u64> =
        (0..count).map(|_| draw.limb().checked_shr(64 - exponent_bits).unwrap_or(0)).collect();
    let mut moduli: Vec<u64> = (0..count).map(|_| (draw.limb() >> draw.below(64) | odd).max(1)).collect();
    exponents.truncate(if one_exponent { 1 } else { count });
    moduli.truncate(if one_modulus { 1 } else { count });
    let mut out = vec![0xaaaa; count];
    let failed = pow_words(&bases, &exponents, &moduli, &mut out, &one_thread()).unwrap();
    assert!(failed.is_empty(), "{failed:?}");
    for (at, (base, power)) in bases.iter().zip(out).enumerate() {
        let (e, m) = (exponents[at % exponents.len()], moduli[at % moduli.len()]);
        assert_eq!(power, word_power(*base, e, m), "{base:x}^{e:x} mod {m:x}");
    }
    count as u64
}

/// Every way to a power, once and for a second in all in each run of the tests, and for as long as `make -C hardening differential` says.
#[test]
fn powers_without_an_end() {
    type Section = (&'static str, fn(u64) -> u64);
    let sections: [Section; 9] = [
        ("powers, one", single),
        ("powers, long and even", long),
        ("powers, one, on every kernel", forced),
        ("powers, list", list),
        ("powers, table", table),
        ("powers, product and shared base or exponent", product),
        ("powers, column of rows", rows),
        ("powers, column of words", column_of_words),
        ("powers, calls of every workload and setting", super::calls::batch),
    ];
    compare(&sections.map(|(name, batch)| (name.to_string(), Box::new(batch) as Box<dyn Fn(u64) -> u64>)));
}
