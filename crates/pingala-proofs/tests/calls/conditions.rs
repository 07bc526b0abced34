//! Calls that draw primes, and calls that prove one: what was asked for, whether anything fits, and whether what came back does.
//!
//! Their results are random, or one of many that are right. So nothing is compared with one answer: each condition is looked at.

use super::draw::Draw;
use super::oracle::{Answer, is_prime, residue};
use super::shared::{Compared, big, natural};
use super::{Call, Settings, Workload};
use num_bigint::{BigInt, BigUint};
use pingala_core::{Error, Limits, Natural, Options};
use pingala_primes::{self as primes, PairKind, PrimeOptions};
use std::sync::OnceLock;

/// The most numbers of a progression that are looked at one by one, from 2^20 on.
const FEW: u32 = 1 << 12;

/// What a call asks of its primes; or the number that is to be proved, the factors that come with it, and the text that is to be checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    bits: u64,
    safe: bool,
    /// (r, q).
    residue: Option<(BigUint, BigUint)>,
    top_bits: u32,
    uniform: bool,
    proof: bool,
    rounds: Option<u32>,
    /// Whether an estimate is that of a secret prime.
    secret: bool,
    /// The public exponent of a pair, or what else a pair is for.
    pair: Pair,
    number: BigUint,
    factors: Vec<BigUint>,
    damage: &'static str,
}

#[derive(Clone, Debug, Default)]
enum Pair {
    Rsa(BigUint),
    #[default]
    Paillier,
    Safe,
}

const RESIDUES: [&str; 16] = [
    "none",
    "none",
    "none",
    "none",
    "modulo zero",
    "modulo one",
    "short",
    "short",
    "odd",
    "odd",
    "fits a safe prime",
    "fits a safe prime",
    "fits a safe prime",
    "common divisor",
    "its own",
    "longer",
];
const FACTORS: [&str; 4] = ["none", "right", "composite", "of nothing"];
const TEXTS: [&str; 8] = [
    "none",
    "another base",
    "base out of range",
    "no factor",
    "a space",
    "upper case",
    "another first line",
    "no last line",
];

fn one() -> BigUint {
    BigUint::from(1u32)
}

impl Draw {
    pub(super) fn conditions(&mut self, workload: Workload, settings: &Settings) -> Conditions {
        use Workload::*;
        if matches!(workload, Certify | CheckCertificate) {
            return self.candidate_to_prove(workload);
        }
        let secret = match workload {
            EstimatePrime => self.kind("secret", &["no", "yes"]) == "yes",
            RandomPrime => false,
            _ => true,
        };
        let lengths: &'static [&'static str] = match workload {
            PrimePair => &["too short", "odd", "128", "128", "to 200", "to 200", "to 200", "over the cap"],
            SecretPrime => &["too short", "64", "64", "to 160", "to 160", "to 160", "over the cap"],
            _ => &[
                "one or none",
                "2 to 16",
                "17 to 20",
                "around a word",
                "around a word",
                "to 160",
                "to 160",
                "over the cap",
            ],
        };
        let halves = if workload == PrimePair { 2 } else { 1 };
        let mut bits = match self.kind("length", lengths) {
            "one or none" => self.below(2) as u64,
            "2 to 16" => 2 + self.below(15) as u64,
            "17 to 20" => 17 + self.below(4) as u64,
            "around a word" => 60 + self.below(9) as u64,
            "too short" => 2 * self.below(64 * halves / 2) as u64,
            "odd" => 129 + 2 * self.below(20) as u64,
            "64" => 64,
            "128" => 128,
            "over the cap" => {
                let cap = settings.cap.unwrap_or(self.of(&[Limits::default().modulus_bits, 1 << 40, 1 << 61]));
                (cap + 1) * halves as u64 + 2 * self.below(3) as u64
            }
            _ if workload == PrimePair => 130 + 2 * self.below(36) as u64,
            _ => 69 + self.below(92) as u64,
        };
        let residue = self.residue_of_prime(&mut bits);
        let mut conditions = Conditions {
            bits,
            residue,
            secret,
            top_bits: 1,
            // Long ones take long.
            safe: self.kind("safe", &["no", "no", "yes"]) == "yes" && (bits <= 100 || self.one_in(8)),
            ..Conditions::default()
        };
        if workload == PrimePair {
            conditions.pair = match self.kind("pair", &["RSA", "RSA", "Paillier", "safe primes", "no exponent"]) {
                "RSA" => Pair::Rsa(self.of(&[3u32, 5, 17, 15, 65_537]).into()),
                "no exponent" => {
                    let long = (one() << 64u32) + 1u32;
                    Pair::Rsa(self.of(&[BigUint::ZERO, one(), 2u32.into(), 65_536u32.into(), long]))
                }
                "safe primes" => Pair::Safe,
                _ => Pair::Paillier,
            };
            return conditions;
        }
        conditions.top_bits = match self.kind("top bits", &["1", "1", "1", "1", "2", "2", "2", "wrong"]) {
            "1" => 1,
            "2" => 2,
            _ => self.of(&[0, 3]),
        };
        conditions.uniform = self.kind("uniform", &["no", "yes"]) == "yes";
        conditions.proof =
            self.kind("proof", if secret { &["no", "no", "no", "no", "yes"] } else { &["no", "yes"] }) == "yes";
        conditions.rounds = match self.kind("rounds", &["usual", "usual", "usual", "0", "3", "3"]) {
            "usual" => None,
            "0" => Some(0),
            _ => Some(3),
        };
        conditions
    }

    /// A residue and its modulus. If one prime only has the residue, `bits` becomes its length.
    fn residue_of_prime(&mut self, bits: &mut u64) -> Option<(BigUint, BigUint)> {
        let most = 1usize << (*bits / 4).min(12);
        let short = BigUint::from(self.below(1 << 20));
        let residue = match self.kind("residue", &RESIDUES) {
            "none" => return None,
            "modulo zero" => (short, BigUint::ZERO),
            "modulo one" => (short, one()),
            "short" => (short, BigUint::from(2 + self.below(most))),
            "odd" => (short * 2u32 + 1u32, BigUint::from(2 * (1 + self.below(most)))),
            "fits a safe prime" => {
                let (r, q) = self.of(&[(11u32, 12u32), (23, 24), (3, 4), (2, 3), (23, 120), (2, 5), (7, 8)]);
                (r.into(), q.into())
            }
            "common divisor" => {
                let d = self.of(&[2u32, 3, 5, 9]);
                ((short >> 10) * d, BigUint::from(1 + self.below(most)) * d)
            }
            "its own" => {
                let long = self.one_in(2);
                let p = self.any_prime(long);
                // An estimate of a secret prime and a pair have no short primes.
                *bits = p.bits();
                (&p * self.of(&[0u32, 1, 1, 2]), &p * (1 + self.below(3)))
            }
            _ => {
                let r = if *bits < 300 { self.natural(*bits) | one() } else { one() };
                (r, (one() << (*bits).min(300)) + (1 + self.below(1000)))
            }
        };
        Some(residue)
    }

    /// A number that is to be proved, or whose certificate is.
    fn candidate_to_prove(&mut self, workload: Workload) -> Conditions {
        let mut conditions = Conditions::default();
        let structured = |draw: &mut Self| {
            let (twos, k) = draw.of(&super::kinds::MANY_TWOS);
            (BigUint::from(k) << twos) + 1u32
        };
        if workload == Workload::CheckCertificate {
            conditions.number = match self.kind("proved", &["short", "long"]) {
                "short" => self.any_prime(false),
                _ => structured(self),
            };
            conditions.damage = self.kind("damage", &TEXTS);
            conditions.top_bits = 1 + self.below(50) as u32;
            return conditions;
        }
        conditions.number = match self.kind("proved", &["any", "many twos", "many twos"]) {
            "any" => self.number().into_parts().1,
            _ => structured(self),
        };
        let less = &conditions.number - conditions.number.clone().min(one());
        conditions.factors = match self.kind("factors", &FACTORS) {
            "right" => {
                (2u32..300).filter(|&q| is_prime(&q.into()) && &less % q == BigUint::ZERO).map(Into::into).collect()
            }
            "composite" => vec![4u32.into()],
            "of nothing" => vec![2u32.into(), (one() << 89u32) - 1u32],
            _ => vec![],
        };
        conditions
    }
}

/// The primes below 2^20.
fn short_primes() -> &'static [bool] {
    static TABLE: OnceLock<Vec<bool>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = vec![true; 1 << 20];
        (table[0], table[1]) = (false, false);
        for d in 2..1 << 10 {
            if table[d] {
                (d * d..table.len()).step_by(d).for_each(|n| table[n] = false);
            }
        }
        table
    })
}

fn is_prime_of_any_length(n: &BigUint) -> bool {
    match n.to_u64_digits()[..] {
        [] => false,
        [word] if word < 1 << 20 => short_primes()[word as usize],
        _ => is_prime(&n.clone().into()),
    }
}

impl Conditions {
    fn safe(&self) -> bool {
        self.safe || matches!(self.pair, Pair::Safe)
    }

    /// Whether a number is one that was asked for.
    fn fit(&self, p: &BigUint, bits: u64) -> bool {
        p.bits() == bits
            && (self.top_bits < 2 || p.bit(bits - 2))
            && self.residue.as_ref().is_none_or(|(r, q)| p % q == r % q)
            && is_prime_of_any_length(p)
            && (!self.safe() || is_prime_of_any_length(&(p >> 1)))
    }

    /// The numbers of `bits` bits with the residue, each by its place, and how many there are.
    fn numbers(&self, bits: u64) -> (impl Fn(u32) -> BigUint, BigUint) {
        let least = if self.top_bits == 2 { BigUint::from(3u32) << (bits - 2) } else { one() << (bits - 1) };
        let (r, q) = self.residue.clone().unwrap_or((BigUint::ZERO, one()));
        let first = &least + residue(&(BigInt::from(r) - BigInt::from(least.clone())), &q);
        let end = one() << bits;
        let count = if first < end { (end - 1u32 - &first) / &q + 1u32 } else { BigUint::ZERO };
        (move |t| &first + &q * t, count)
    }

    /// Whether there is such a prime of `bits` bits; where few numbers have the residue they are looked at, and where many have, a prime
    /// is among them unless a divisor of all is.
    fn exists(&self, bits: u64) -> bool {
        let (number, count) = self.numbers(bits);
        if bits <= 20 || count < BigUint::from(FEW) {
            let count = u32::try_from(&count).expect("a short count");
            return (0..count).any(|t| self.fit(&number(t), bits));
        }
        let Some((r, q)) = &self.residue else { return true };
        let r = r % q;
        if gcd(&r, q) > one() {
            let lone = if r == BigUint::ZERO { q } else { &r };
            return self.fit(lone, bits);
        }
        self.is_possible()
    }

    /// Whether the residue, which has no divisor in common with its modulus, lets p be odd and safe: p is then 3 modulo 4, and p - 1
    /// has no odd divisor in common with the modulus; that it is 2 modulo 3 follows where 3 divides the modulus.
    fn is_possible(&self) -> bool {
        let Some((r, q)) = &self.residue else { return true };
        let is_odd = q.bit(0) || r.bit(0);
        let mut common = gcd(&((r % q) + q - 1u32), q);
        common >>= common.trailing_zeros().unwrap_or(0);
        is_odd && (!self.safe() || common == one() && (q.bit(0) || q.bit(1) || r.bit(1)))
    }

    /// How many odd numbers, or numbers that are 11 modulo 12, have the residue.
    fn candidates(&self, bits: u64) -> BigUint {
        let (_, count) = self.numbers(bits);
        let (modulus, q) =
            (if self.safe() { 12u32 } else { 2 }, self.residue.as_ref().map_or(one(), |(_, q)| q.clone()));
        count * gcd(&modulus.into(), &q) / modulus
    }
}

fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// The codes of the errors that a call may give, and whether it has to give one.
struct Refusals {
    codes: Vec<&'static str>,
    certain: bool,
}

fn refusals(call: &Call, wanted: &Conditions) -> Refusals {
    use Workload::*;
    let cap = call.settings.cap.unwrap_or(Limits::default().modulus_bits);
    let mut codes = Vec::new();
    if matches!(call.workload, Certify | CheckCertificate) {
        return refused_proofs(call, wanted, cap);
    }
    let bits = if call.workload == PrimePair { wanted.bits / 2 } else { wanted.bits };
    let modulo_zero = wanted.residue.as_ref().is_some_and(|(_, q)| *q == BigUint::ZERO);
    let no_such_length = match call.workload {
        PrimePair => wanted.bits % 2 == 1 || bits < 64,
        _ if wanted.secret => bits < 64,
        _ => bits < 2,
    };
    if bits > cap {
        codes.push("too_long");
    }
    if modulo_zero {
        codes.push("zero_modulus");
    }
    let exponent = match &wanted.pair {
        Pair::Rsa(e) => e.bit(0) && *e > one() && e.bits() <= 64,
        _ => true,
    };
    if no_such_length || call.workload != PrimePair && !(1..=2).contains(&wanted.top_bits) || !exponent {
        codes.push("bad_argument");
    }
    if wanted.proof && wanted.uniform || wanted.secret && (wanted.proof || wanted.rounds == Some(0)) {
        codes.push("bad_argument");
    }
    if !codes.is_empty() {
        return Refusals { codes, certain: true };
    }
    let mut certain = false;
    let (r, q) = wanted.residue.clone().unwrap_or((BigUint::ZERO, one()));
    if wanted.secret {
        // The shortest p of a pair lies higher, so that it has fewer numbers.
        let few = if call.workload == PrimePair { BigUint::from(1u64 << 33) } else { BigUint::from(1u64 << 32) };
        let shared = match &wanted.pair {
            Pair::Rsa(e) => {
                let common = gcd(e, &q);
                gcd(&(r.clone() % &common + &common - 1u32), &common) > one()
            }
            _ => false,
        };
        certain = gcd(&r, &q) > one() || !wanted.is_possible() || wanted.candidates(bits) < few || shared;
    } else if !wanted.exists(bits) {
        // An estimate asks whether a number may fit, and looks for no prime.
        codes.push("bad_argument");
        certain = call.workload == RandomPrime || bits < 17 || gcd(&r, &q) > one() || !wanted.is_possible();
    } else if wanted.proof && bits > 64 && wanted.candidates(bits).bits() < bits / 2 {
        // The primes that are built with a proof are fewer than all.
        codes.push("bad_argument");
    }
    if certain && codes.is_empty() {
        codes.push("bad_argument");
    }
    Refusals { codes, certain }
}

fn refused_proofs(call: &Call, wanted: &Conditions, cap: u64) -> Refusals {
    let n = &wanted.number;
    if n.bits() > cap {
        return Refusals { codes: vec!["too_long", "bad_argument"], certain: true };
    }
    let is_bad = match call.workload {
        Workload::CheckCertificate => !proves(wanted),
        _ => {
            let less = n - n.clone().min(one());
            let fits = |q: &BigUint| is_prime_of_any_length(q) && less != BigUint::ZERO && &less % q == BigUint::ZERO;
            !is_prime_of_any_length(n) || !wanted.factors.iter().all(fits)
        }
    };
    // The factors of other numbers less 1 may not be found.
    let known = n.bits() <= 64 || 3 * (n - 1u32).trailing_zeros().unwrap_or(0) > n.bits();
    let codes = if is_bad || !known { vec!["bad_argument"] } else { vec![] };
    Refusals { codes, certain: is_bad }
}

/// The text of a certificate of the number, k 2^s + 1 or shorter than 2^64, with its damage.
fn text(wanted: &Conditions) -> String {
    let n = &wanted.number;
    let base = match wanted.damage {
        "another base" => wanted.top_bits.into(),
        "base out of range" => n - 1u32,
        _ => (2u32..).map(BigUint::from).find(|a| a.modpow(&(n >> 1), n) == n - 1u32).expect("there is a non-residue"),
    };
    let factor = if n.bits() > 64 { format!("factor 0x2 base {base:#x}\n") } else { String::new() };
    let text = format!("pingala prime certificate 1\nprime {n:#x}\n{factor}end\n");
    match wanted.damage {
        "no factor" if n.bits() > 64 => text.replace(&factor, ""),
        "no factor" => text.replace("end\n", "factor 0x2 base 0x3\nend\n"),
        "a space" => text.replace("prime 0x", "prime  0x"),
        "upper case" => text.replace("0x", "0X"),
        "another first line" => text.replacen('1', "2", 1),
        "no last line" => text.replace("\nend\n", "\n"),
        _ => text,
    }
}

/// Whether the text proves the number, which is prime: by its base a, with a^(n-1) = 1 and a^((n-1)/2) - 1 prime to n.
fn proves(wanted: &Conditions) -> bool {
    let n = &wanted.number;
    let short = n.bits() <= 64;
    match wanted.damage {
        "none" => true,
        "another base" => {
            let a = BigUint::from(wanted.top_bits);
            short || a > one() && a < n - 1u32 && a.modpow(&(n >> 1), n) != one()
        }
        "base out of range" => short,
        _ => false,
    }
}

/// The pairs of an estimate in the file of calls, and its answer; none if that is not certain, or if a binding has no name for what it asks.
pub(super) fn in_a_file(call: &Call, wanted: &Conditions) -> Option<(Vec<(BigInt, BigInt)>, Answer)> {
    let Refusals { codes, certain } = refusals(call, wanted);
    let (r, q) = wanted.residue.clone().unwrap_or_default();
    // A binding looks at the length of a residue first.
    let long = call.settings.cap.is_some_and(|cap| r.bits().max(q.bits()) > cap);
    let unnamed = long
        || wanted.proof
        || !(1..=2).contains(&wanted.top_bits)
        || wanted.rounds == Some(0)
        || wanted.bits >> 31 != 0;
    if unnamed || wanted.residue.is_some() && q == BigUint::ZERO || codes.len() > 1 || codes.is_empty() == certain {
        return None;
    }
    let yes = |flag: bool| BigInt::from(u8::from(flag));
    let pairs = vec![
        (wanted.bits.into(), yes(wanted.secret)),
        (r.into(), q.into()),
        (wanted.top_bits.into(), wanted.rounds.unwrap_or(0).into()),
        (yes(wanted.safe), yes(wanted.uniform)),
    ];
    Some((pairs, codes.first().map_or(Ok(BigInt::from(1)), |code| Err(*code))))
}

/// Makes the call, and looks at each condition of what it gives. Error: that of the call.
fn make(call: &Call, wanted: &Conditions, options: &Options<'_>) -> Result<(), Error> {
    use Workload::*;
    let residue = wanted.residue.as_ref().map(|(r, q)| (natural(r), natural(q)));
    let prime = PrimeOptions::default()
        .with_safe(wanted.safe)
        .with_residue(residue.as_ref().map(|(r, q)| (r, q)))
        .with_top_bits(wanted.top_bits)
        .with_uniform(wanted.uniform)
        .with_proof(wanted.proof)
        .with_rounds(wanted.rounds);
    let bits = wanted.bits;
    let is_right = |p: &Natural, bits: u64| {
        let p = big(p);
        assert!(wanted.fit(&p, bits), "{call}\n{p:#x} of {bits} bits");
        p
    };
    match call.workload {
        RandomPrime => {
            let found = primes::random_prime(bits, &prime, options)?;
            is_right(found.value(), bits);
            let sure = found.primality();
            assert!(sure.prime && sure.proved == (wanted.proof || bits <= 64), "{call}\n{sure:?}");
            assert!(sure.proved == (sure.error_bound == 0.0) && sure.random_error_bound <= sure.error_bound, "{call}");
            assert_eq!(found.certificate().is_some(), wanted.proof, "{call}");
            if let Some(certificate) = found.certificate() {
                let read = primes::Certificate::check(&certificate.to_string(), &Options::default());
                assert!(read.as_ref() == Ok(certificate) && certificate.prime() == *found.value(), "{call}\n{read:?}");
            }
        }
        EstimatePrime => {
            let primes::PrimeEstimate { tests, seconds, .. } =
                primes::estimate_random_prime(bits, &prime, wanted.secret, options)?;
            assert!(tests >= 1.0 && tests.is_finite() && (0.0..1e6).contains(&seconds), "{call}\n{tests} {seconds}");
        }
        SecretPrime => {
            let found = primes::random_secret_prime(bits, &prime, options)?;
            is_right(&Natural::from_be_bytes(found.as_be_bytes()), bits);
        }
        PrimePair => {
            let kind = match &wanted.pair {
                Pair::Rsa(e) => PairKind::Rsa(natural(e)),
                Pair::Paillier => PairKind::Paillier,
                Pair::Safe => PairKind::Safe,
            };
            let pair = primes::prime_pair(bits, &kind, &prime, options)?;
            let of = |prime: &primes::SecretPrime| is_right(&Natural::from_be_bytes(prime.as_be_bytes()), bits / 2);
            let (p, q) = (of(&pair.p), of(&pair.q));
            let n = &p * &q;
            let order = (&p - 1u32) * (&q - 1u32);
            let apart = if p > q { &p - &q } else { &q - &p };
            assert!(n.bits() == bits && apart > (one() << (bits / 2).saturating_sub(100)), "{call}\n{p:#x} {q:#x}");
            match &wanted.pair {
                Pair::Rsa(e) => assert_eq!(gcd(&order, e), one(), "{call}\n{p:#x} {q:#x}"),
                _ => assert_eq!(gcd(&order, &n), one(), "{call}\n{p:#x} {q:#x}"),
            }
        }
        Certify => {
            let factors: Vec<Natural> = wanted.factors.iter().map(natural).collect();
            let certificate = primes::certify(&natural(&wanted.number), &factors, options)?;
            assert_eq!(certificate.prime(), natural(&wanted.number), "{call}");
            let read = primes::Certificate::check(&certificate.to_string(), &Options::default());
            assert!(read.as_ref() == Ok(&certificate), "{call}\n{read:?}");
        }
        _ => {
            let text = text(wanted);
            let certificate = primes::Certificate::check(&text, options)?;
            assert!(
                certificate.prime() == natural(&wanted.number) && certificate.to_string() == text,
                "{call}\n{text}"
            );
        }
    }
    Ok(())
}

/// Makes the call as `stopped` says, and again as `options` say if it was stopped; compares what it gives with what was asked for.
pub(super) fn check(
    call: &Call,
    wanted: &Conditions,
    stopped: Option<&Options<'_>>,
    options: &Options<'_>,
) -> Compared {
    let Refusals { codes, certain } = refusals(call, wanted);
    let (outcome, interrupted) = match make(call, wanted, stopped.unwrap_or(options)) {
        Err(Error::Interrupted) if stopped.is_some() => (make(call, wanted, options), true),
        outcome => (outcome, false),
    };
    match outcome {
        Ok(()) => assert!(!certain, "{call}\nan answer, not one of {codes:?}"),
        Err(error) if error.code() == "bad_plan" && call.settings.kernel.is_some() => return Compared::Misfit,
        Err(error) => assert!(codes.contains(&error.code()), "{call}\n{error}, not one of {codes:?}"),
    }
    if interrupted { Compared::Interrupted } else { Compared::Answers(1) }
}
