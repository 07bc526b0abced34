//! Small domains of DSA that can sign, for the tests.

use pingala_core::{Integer, Modulus, Natural};
use pingala_verify::{DsaKey, Hash, PublicKey};

pub fn natural(text: &str) -> Natural {
    text.parse().unwrap()
}

/// Domains of small numbers that can sign: p = 2 q k + 1 for primes found here.
pub struct Domain {
    pub p: Modulus,
    pub q: Modulus,
    pub g: Integer,
}

pub fn one() -> Integer {
    1u64.into()
}

pub fn reduce(m: &Modulus, value: Natural) -> Natural {
    m.mul(&value.into(), &one())
}

pub fn add(a: &Natural, b: &Natural) -> Natural {
    let (mut limbs, mut carry) = (Vec::new(), 0u128);
    for at in 0..a.limbs().len().max(b.limbs().len()) + 1 {
        let of = |number: &Natural| u128::from(number.limbs().get(at).copied().unwrap_or(0));
        carry += of(a) + of(b);
        limbs.push(carry as u64);
        carry >>= 64;
    }
    Natural::from_limbs(&limbs)
}

pub fn is_prime(n: &Natural) -> bool {
    let small = [3u64, 5, 7, 11, 13, 17, 19, 23, 29, 31];
    let rest = |by: u64| {
        n.limbs().iter().rev().fold(0u64, |r, &l| ((u128::from(r) << 64 | u128::from(l)) % u128::from(by)) as u64)
    };
    if small.iter().any(|&prime| rest(prime) == 0) {
        return false;
    }
    let m = Modulus::new(n.clone()).unwrap();
    let less = m.mul(&(-1i64).into(), &one());
    [2u64, 3, 5].iter().all(|&base| m.pow(&base.into(), &less.clone().into()).unwrap().is_one())
}

/// Bits of a hash: numbers that are the same in every run.
pub fn number(seed: &str, bits: usize) -> Natural {
    let bytes: Vec<u8> =
        (0u32..).flat_map(|at| Hash::Sha256.digest(format!("{seed} {at}").as_bytes())).take(bits / 8).collect();
    let mut limbs = Natural::from_be_bytes(&bytes).limbs().to_vec();
    limbs[0] |= 1;
    *limbs.last_mut().unwrap() |= 1 << 63;
    Natural::from_limbs(&limbs)
}

impl Domain {
    pub fn new(seed: &str, p_bits: usize, q_bits: usize) -> Self {
        Self::over(seed, p_bits, (0..).map(|at| number(&format!("q {seed} {at}"), q_bits)).find(is_prime).unwrap())
    }

    pub fn over(seed: &str, p_bits: usize, q: Natural) -> Self {
        let q_bits = q.bits() as usize;
        // p = k q + 1 with an even k.
        let p = (0..).map(|at| {
            let k = number(&format!("k {seed} {at}"), p_bits - q_bits);
            let k = add(&k, &Natural::from(1u64));
            let wide = Modulus::new(Natural::from_be_bytes(&[&[1][..], &vec![0; p_bits / 8 + 8]].concat())).unwrap();
            (add(&wide.mul(&k.clone().into(), &q.clone().into()), &Natural::from(1u64)), k)
        });
        let (p, k) = p.into_iter().find(|(p, _)| is_prime(p)).unwrap();
        let p = Modulus::new(p).unwrap();
        let g = p.pow(&2u64.into(), &k.into()).unwrap().into();
        Self { p, q: Modulus::new(q).unwrap(), g }
    }

    pub fn key(&self, secret: &Natural) -> PublicKey {
        let y = self.p.pow(&self.g, &secret.clone().into()).unwrap();
        DsaKey::new(self.p.value().clone(), self.q.value().clone(), self.g.magnitude().clone(), y).unwrap().into()
    }

    pub fn sign(&self, secret: &Natural, digest: &[u8], seed: &str) -> (Natural, Natural) {
        let k = Integer::from(reduce(&self.q, number(seed, 256)));
        let r = reduce(&self.q, self.p.pow(&self.g, &k).unwrap());
        let bytes = (self.q.value().bits() / 8) as usize;
        let h = Natural::from_be_bytes(&digest[..bytes.min(digest.len())]);
        let sum = add(&h, &self.q.mul(&secret.clone().into(), &r.clone().into()));
        let s = self.q.mul(&self.q.invert(&k).unwrap().into(), &sum.into());
        (r, s)
    }
}
