//! Kernels against num-bigint. The input is a few bytes of choices, then limbs; a byte before each limb says whether it is one of the
//! limbs at which carries start, end or run through.

use num_bigint::BigUint;
use pingala_core::kernels::{KERNELS, every_form};
use pingala_core::{FixedBase, Integer, Job, Modulus, Natural, Options, SecretExponent, pow_list, pow_words};
use std::num::NonZeroUsize;

/// Takes the input apart.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn limb(&mut self) -> u64 {
        match self.byte() % 8 {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << 63,
            3 => 1,
            4 => (u64::MAX << (self.byte() % 64)) ^ (u64::MAX << (self.byte() % 64)),
            _ => (0..8).fold(0, |limb, _| limb << 8 | u64::from(self.byte())),
        }
    }

    fn limbs(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.limb()).collect()
    }

    fn natural(&mut self, limbs: usize) -> Natural {
        Natural::from_limbs(&self.limbs(limbs))
    }

    /// An exponent of up to `limbs` limbs, and more for moduli that are short.
    fn exponent(&mut self, modulus_limbs: usize, limbs: usize) -> Natural {
        let limbs = usize::from(self.byte()) % (1 + limbs + 32 / (modulus_limbs * modulus_limbs));
        let mut exponent = self.limbs(limbs);
        if let Some(top) = exponent.last_mut() {
            *top >>= self.byte() % 64;
        }
        Natural::from_limbs(&exponent)
    }

    /// At least 1; odd on wish.
    fn modulus(&mut self, limbs: usize, odd: bool) -> Natural {
        let mut limbs = self.limbs(limbs);
        limbs[0] |= u64::from(odd || limbs.iter().all(|&limb| limb == 0));
        Natural::from_limbs(&limbs)
    }
}

fn big(value: &Natural) -> BigUint {
    BigUint::from_bytes_le(&value.to_le_bytes())
}

pub fn one_thread() -> Options<'static> {
    Options::default().with_threads(NonZeroUsize::new(1))
}

fn oracle(base: &Natural, exponent: &Natural, modulus: &Natural) -> Natural {
    Natural::from_limbs(&big(base).modpow(&big(exponent), &big(modulus)).to_u64_digits())
}

/// One power on every form, and as a secret.
pub fn power(data: &[u8]) {
    let mut input = Input(data);
    let (limbs, long, even) =
        (1 + usize::from(input.byte() % 36), usize::from(input.byte() % 5), input.byte() % 4 == 0);
    let m = match input.byte() % 8 {
        0 => Natural::from_limbs(&[vec![0; limbs - 1], vec![1 << (input.byte() % 64)]].concat()),
        _ => input.modulus(limbs, !even),
    };
    let (base, exponent) = (input.natural(limbs + long), input.exponent(limbs, 1));
    let wanted = oracle(&base, &exponent, &m);
    let modulus = Modulus::new(m.clone()).expect("not zero");
    let (b, e) = (Integer::from(&base), Integer::from(&exponent));
    assert_eq!(modulus.pow(&b, &e).as_ref(), Ok(&wanted), "{base}^{exponent} mod {m}");
    let of_kernel = if m.is_even() { m.trailing_zeros().div_ceil(64) as usize } else { m.limbs().len() };
    for form in every_form(!m.is_even(), of_kernel).filter(|form| form.kernel.lanes() == 1) {
        if let Ok(found) = modulus.pow_with(&b, &e, &one_thread().with_kernel(Some(form.kernel.entry().name))) {
            assert_eq!(found, wanted, "{base}^{exponent} mod {m} on {form}");
        }
    }
    let secret = SecretExponent::new(&exponent, Some(exponent.bits() + u64::from(input.byte() % 9))).expect("fits");
    assert_eq!(modulus.pow_sec(&b, &secret, &one_thread()).as_ref(), Ok(&wanted), "secret {base}^{exponent} mod {m}");
}

/// A list on a kernel of lanes.
pub fn list(data: &[u8]) {
    let mut input = Input(data);
    let (limbs, count) = (1 + usize::from(input.byte() % 20), 1 + usize::from(input.byte() % 11));
    let lanes = || KERNELS.iter().filter(|entry| entry.lanes > 1 && entry.available() && entry.takes(limbs));
    let kernel = lanes().nth(usize::from(input.byte()) % lanes().count().max(1)).map(|entry| entry.name);
    let moduli: Vec<Modulus> = (0..count).map(|_| Modulus::new(input.modulus(limbs, true)).expect("odd")).collect();
    let bases: Vec<Integer> = (0..count).map(|_| (&input.natural(limbs)).into()).collect();
    let exponents: Vec<Integer> = match input.byte() % 4 {
        0 => (0..count).map(|_| (&input.exponent(limbs, 1)).into()).collect(),
        _ => (0..count).map(|_| Integer::from(input.limb() >> 40)).collect(),
    };
    let jobs: Vec<Job<'_>> =
        (0..count).map(|at| Job { base: &bases[at], exponent: &exponents[at], modulus: &moduli[at] }).collect();
    let Ok(powers) = pow_list(&jobs, &one_thread().with_kernel(kernel)) else { return };
    for (job, power) in jobs.iter().zip(powers) {
        let wanted = oracle(job.base.magnitude(), job.exponent.magnitude(), job.modulus.value());
        assert_eq!(power.as_ref(), Ok(&wanted), "{} ^ {} mod {}", job.base, job.exponent, job.modulus.value());
    }
}

/// A product of powers, and a fixed base.
pub fn product(data: &[u8]) {
    let mut input = Input(data);
    let (limbs, count) = (1 + usize::from(input.byte() % 12), 1 + usize::from(input.byte() % 9));
    let odd = input.byte() % 4 > 0;
    let m = input.modulus(limbs, odd);
    let modulus = Modulus::new(m.clone()).expect("not zero");
    let bases: Vec<Integer> = (0..count).map(|_| (&input.natural(limbs)).into()).collect();
    let exponents: Vec<Natural> = (0..count).map(|_| input.exponent(limbs, 1)).collect();
    let bits = exponents.iter().map(Natural::bits).max().unwrap_or(0) + u64::from(input.byte() % 9);
    let exponents: Vec<Integer> = exponents.iter().map(Integer::from).collect();
    let powers =
        bases.iter().zip(&exponents).map(|(base, exponent)| oracle(base.magnitude(), exponent.magnitude(), &m));
    let wanted = powers.fold(BigUint::from(1u32), |all, power| all * big(&power)) % big(&m);
    assert_eq!(big(&modulus.pow_product(&bases, &exponents, &one_thread()).expect("a product")), wanted);
    if let Ok(table) = FixedBase::new(&bases[0], &modulus, bits, 256 << (input.byte() % 6), &one_thread()) {
        for exponent in &exponents {
            let wanted = oracle(bases[0].magnitude(), exponent.magnitude(), &m);
            assert_eq!(table.pow(exponent).as_ref(), Ok(&wanted), "{}^{exponent} mod {m}", bases[0]);
        }
    }
}

/// Columns of words.
pub fn words(data: &[u8]) {
    let mut input = Input(data);
    let count = usize::from(input.byte() % 40);
    let [bases, moduli, exponents] = [(); 3].map(|()| input.limbs(count));
    let mut out = vec![0; count];
    let Ok(failed) = pow_words(&bases, &exponents, &moduli, &mut out, &one_thread()) else { return };
    for at in 0..count {
        if failed.iter().any(|(row, _)| *row == at) {
            assert_eq!(moduli[at], 0);
            continue;
        }
        let (base, exponent, m) = (BigUint::from(bases[at]), BigUint::from(exponents[at]), BigUint::from(moduli[at]));
        assert_eq!(BigUint::from(out[at]), base.modpow(&exponent, &m), "row {at}");
    }
}
