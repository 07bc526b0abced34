//! Signatures verified by Pingala and by OpenSSL 3, in one process and in turn, on one thread, with the verdicts compared:
//! `make bench WHAT=signatures`. Ratios are medians of rounds.
#![allow(unsafe_code)]

mod openssl;

use openssl::OpenSsl;
use pingala::{Error, Integer, Modulus, Natural, Options};
use pingala_verify::{
    Check, DsaKey, Encoding, Hash, Message, Policy, PublicKey, RsaKey, Scheme, Signature, verify_list,
};
use std::num::NonZeroUsize;
use std::time::Instant;

/// Signatures of a list.
const LIST: usize = 256;
const ROUNDS: usize = 9;

/// Four domains of each size, made by openssl: `bits p q g` in hexadecimal.
const DOMAINS: &str = include_str!("domains.txt");

/// Numbers without a meaning: a linear congruential generator is enough.
struct Random(u64);

impl Random {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut byte = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 56) as u8
        };
        (0..count).map(|_| byte()).collect()
    }

    /// In 1..m.
    fn below(&mut self, modulus: &Modulus) -> Natural {
        let number = Natural::from_be_bytes(&self.bytes(modulus.value().bits().div_ceil(8) as usize + 8));
        modulus.mul(&number.into(), &1u64.into())
    }
}

/// A domain that can sign: only for the bench, with no care for secrets.
struct Domain {
    p: Modulus,
    q: Modulus,
    g: Integer,
}

impl Domain {
    /// Returns a domain with these p and q and another generator.
    fn with_generator(&self, random: &mut Random) -> Result<Self, Error> {
        let g = self.p.pow(&self.g, &random.below(&self.q).into())?.into();
        Ok(Self { p: self.p.clone(), q: self.q.clone(), g })
    }

    fn key(&self, secret: &Natural) -> Result<PublicKey, Error> {
        let y = self.p.pow(&self.g, &secret.clone().into())?;
        let [p, q] = [&self.p, &self.q].map(|modulus| modulus.value().clone());
        Ok(DsaKey::new(p, q, self.g.magnitude().clone(), y)?.into())
    }

    /// r and s, as wide as q each.
    fn sign(&self, secret: &Natural, digest: &[u8], random: &mut Random) -> Result<Vec<u8>, Error> {
        let k = Integer::from(random.below(&self.q));
        let r = self.q.mul(&self.p.pow(&self.g, &k)?.into(), &1u64.into());
        let width = self.q.value().bits().div_ceil(8) as usize;
        let h = Natural::from_be_bytes(&digest[..width.min(digest.len())]);
        let xr = self.q.mul(&secret.clone().into(), &r.clone().into());
        let s = self.q.mul(&self.q.invert(&k)?.into(), &add(&h, &xr).into());
        Ok([r, s].iter().filter_map(|number| number.to_be_bytes_padded(width)).collect::<Vec<_>>().concat())
    }
}

fn add(a: &Natural, b: &Natural) -> Natural {
    let (mut limbs, mut carry) = (Vec::new(), 0u128);
    for at in 0..a.limbs().len().max(b.limbs().len()) + 1 {
        let of = |number: &Natural| u128::from(number.limbs().get(at).copied().unwrap_or(0));
        carry += of(a) + of(b);
        limbs.push(carry as u64);
        carry >>= 64;
    }
    Natural::from_limbs(&limbs)
}

/// A list of signatures, one of which is not valid.
struct Listed {
    keys: Vec<PublicKey>,
    digests: Vec<Vec<u8>>,
    signatures: Vec<Vec<u8>>,
    scheme: Scheme,
}

impl Listed {
    fn check(&self, at: usize) -> Check<'_> {
        Check {
            key: &self.keys[at % self.keys.len()],
            scheme: self.scheme,
            message: Message::Digest(&self.digests[at]),
            signature: Signature::Bytes(&self.signatures[at], Encoding::Raw),
        }
    }

    fn verdicts(&self, threads: Option<NonZeroUsize>) -> Result<Vec<bool>, Error> {
        let checks: Vec<Check<'_>> = (0..self.digests.len()).map(|at| self.check(at)).collect();
        let verdicts = verify_list(&checks, Policy::Legacy, &Options::default().with_threads(threads))?;
        verdicts.into_iter().map(|verdict| Ok(verdict?.is_valid())).collect()
    }
}

fn dsa_list(domains: &[Domain], keys: usize, random: &mut Random) -> Result<Listed, Error> {
    let hash = if domains[0].q.value().bits() == 160 { Hash::Sha1 } else { Hash::Sha256 };
    let secrets: Vec<Natural> = (0..keys).map(|at| random.below(&domains[at % domains.len()].q)).collect();
    let of = |at: usize| &domains[at % domains.len()];
    let public = secrets.iter().enumerate().map(|(at, secret)| of(at).key(secret)).collect::<Result<_, _>>()?;
    let digests: Vec<Vec<u8>> = (0..LIST).map(|at| hash.digest(&at.to_be_bytes())).collect();
    let mut signatures = Vec::new();
    for (at, digest) in digests.iter().enumerate() {
        let key = at % keys;
        signatures.push(of(key).sign(&secrets[key], digest, random)?);
    }
    signatures[7][9] ^= 1;
    Ok(Listed { keys: public, digests, signatures, scheme: Scheme::Dsa(hash) })
}

/// Medians of microseconds a signature, ours and theirs, and of their ratio.
fn compare(count: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (f64, f64, f64) {
    let mut samples = Vec::new();
    for round in 0..=ROUNDS {
        let time = |work: &mut dyn FnMut()| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6 / count as f64
        };
        let pair = (time(&mut ours), time(&mut theirs));
        if round > 0 {
            samples.push(pair);
        }
    }
    let median = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = samples.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    (median(&|pair| pair.0), median(&|pair| pair.1), median(&|pair| pair.1 / pair.0))
}

fn row(name: &str, (ours, theirs, ratio): (f64, f64, f64), bar: &str) {
    println!("{name:40} {ours:9.1} {theirs:9.1} {ratio:8.2}   {bar}");
}

fn main() -> Result<(), Error> {
    let openssl = OpenSsl::open().map_err(|why| Error::BadArgument(format!("nothing to compare with: {why}")))?;
    println!("{}, one thread, microseconds a signature, {ROUNDS} rounds", openssl.version());
    println!("{:40} {:>9} {:>9} {:>8}   asked", "", "Pingala", "OpenSSL", "times");
    let mut random = Random(2026);
    let one = NonZeroUsize::new(1);
    // The bars are for a CPU with AVX-512 IFMA; as one with AVX2, of which there are two.
    let masked = std::env::var("PINGALA_CPU").is_ok_and(|mask| mask.contains("-avx512"));
    for (bits, bars) in
        [(1024, ["2.0", "9", "3.7", "3.5"]), (2048, ["2.7", "11", "3.5", "3.3"]), (3072, ["2.9", "10", "3.4", "3.2"])]
    {
        let bars = if masked { ["0.95", "3", "", ""] } else { bars };
        let mut domains = Vec::new();
        for line in DOMAINS.lines().filter(|line| line.starts_with(&bits.to_string())) {
            let numbers: Vec<Natural> =
                line.split(' ').skip(1).filter_map(|hex| format!("0x{hex}").parse().ok()).collect();
            let [p, q, g] = &numbers[..] else { continue };
            domains.push(Domain { p: Modulus::new(p.clone())?, q: Modulus::new(q.clone())?, g: g.clone().into() });
        }
        let different = (0..LIST)
            .map(|at| domains[at % domains.len()].with_generator(&mut random))
            .collect::<Result<Vec<_>, _>>()?;
        let lists = [
            ("a list of one key", dsa_list(&domains[..1], 1, &mut random)?),
            ("a list of one domain, keys differ", dsa_list(&domains[..1], LIST, &mut random)?),
            ("a list, domains differ", dsa_list(&different, LIST, &mut random)?),
        ];
        // One by one.
        let list = &lists[0].1;
        let theirs = openssl.dsa(&list.keys);
        let single = |at: usize| verify_list(&[list.check(at)], Policy::Legacy, &Options::default());
        let samples = compare(
            32,
            || (0..32).for_each(|at| drop(single(at))),
            || {
                (0..32).for_each(|at| {
                    theirs.verify(0, &list.digests[at], &list.signatures[at]);
                })
            },
        );
        row(&format!("DSA {bits}, one by one"), samples, bars[0]);
        for ((name, list), bar) in lists.iter().zip(&bars[1..]) {
            let theirs = openssl.dsa(&list.keys);
            let verdict = |at: usize| theirs.verify(at % list.keys.len(), &list.digests[at], &list.signatures[at]);
            let expected: Vec<bool> = (0..LIST).map(verdict).collect();
            assert_eq!(list.verdicts(one)?, expected);
            assert_eq!(expected.iter().filter(|valid| !**valid).count(), 1);
            let samples = compare(
                LIST,
                || drop(list.verdicts(one)),
                || {
                    (0..LIST).for_each(|at| {
                        verdict(at);
                    })
                },
            );
            row(&format!("DSA {bits}, {name}"), samples, bar);
        }
    }
    for (bits, bar) in [(1024, ""), (2048, "3.5"), (3072, ""), (4096, "")] {
        const KEYS: usize = 64;
        let (numbers, digest) = (openssl.rsa_keys(bits, KEYS), Hash::Sha256.digest(b"Pingala"));
        let mut signatures: Vec<Vec<u8>> = numbers.iter().map(|key| key.sign(&digest)).collect();
        signatures[3][9] ^= 1;
        let bytes: Vec<(Vec<u8>, Vec<u8>)> = numbers.iter().map(|key| key.public()).collect();
        let ours = || -> Result<Vec<bool>, Error> {
            let keys = bytes
                .iter()
                .map(|(n, e)| Ok(RsaKey::new(Natural::from_be_bytes(n), Natural::from_be_bytes(e))?.into()));
            let list = Listed {
                keys: keys.collect::<Result<_, Error>>()?,
                digests: vec![digest.clone(); KEYS],
                signatures: signatures.clone(),
                scheme: Scheme::RsaPkcs1(Hash::Sha256),
            };
            list.verdicts(one)
        };
        let theirs = || -> Vec<bool> {
            bytes
                .iter()
                .zip(&signatures)
                .map(|((n, e), signature)| openssl.rsa_verify(n, e, &digest, signature))
                .collect()
        };
        assert_eq!(ours()?, theirs());
        assert_eq!(theirs().iter().filter(|valid| !**valid).count(), 1);
        let samples = compare(KEYS, || drop(ours()), || drop(theirs()));
        row(&format!("RSA {bits}, new keys"), samples, if masked { "" } else { bar });
    }
    Ok(())
}
