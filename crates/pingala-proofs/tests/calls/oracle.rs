//! What a call gives, by its definition.

use super::{Call, DrawnModulus, Element, Workload};
use num_bigint::{BigInt, BigUint, Sign};
use sha2::{Digest, Sha256};

/// The answer of an element: a number, or the code of an error.
pub(super) type Answer = Result<BigInt, &'static str>;

/// The answer of each element.
pub(super) fn answers(call: &Call) -> Vec<Answer> {
    match call.workload {
        Workload::ProveSquaring => prove(call),
        Workload::PrimesBetween => between(call),
        Workload::SqrtModAll => all_roots(&call.moduli[0], &call.elements[0], call.settings.cap),
        // One answer for the whole list.
        Workload::VerifyWitnesses => {
            let all: Result<Vec<BigInt>, _> = call.elements.iter().map(|element| answer(call, element)).collect();
            vec![all.map(|all| BigInt::from(u8::from(!all.contains(&BigInt::ZERO))))]
        }
        Workload::UpdateWitnesses if call.elements.iter().any(|element| over_the_cap(call, element)) => {
            vec![Err("too_long"); call.elements.len()]
        }
        _ => call.elements.iter().map(|element| answer(call, element)).collect(),
    }
}

fn over_the_cap(call: &Call, element: &Element) -> bool {
    call.settings.cap.is_some_and(|cap| element.pairs.iter().any(|(_, exponent)| exponent.bits() > cap))
}

fn answer(call: &Call, element: &Element) -> Answer {
    let (a, b) = element.pairs.first().cloned().unwrap_or_default();
    let modulus = &call.moduli[element.modulus];
    let m = &modulus.value;
    let cap = call.settings.cap.unwrap_or(u64::MAX);
    let whether = |holds| Ok(BigInt::from(u8::from(holds)));
    match call.workload {
        Workload::IsPrime | Workload::IsPrimeList if a.bits() > cap => Err("too_long"),
        Workload::IsPrime | Workload::IsPrimeList | Workload::IsPrimeWords => Ok(BigInt::from(if !is_prime(&a) {
            0u8
        } else if a.bits() > 64 {
            1
        } else {
            2
        })),
        Workload::NextPrime | Workload::PreviousPrime => {
            let step = if call.workload == Workload::NextPrime { 1 } else { -1 };
            if a <= BigInt::from(2) && step < 0 {
                return Err("bad_argument");
            }
            let mut found = a.clone().max(BigInt::from(1)) + step;
            while !is_prime(&found) {
                found += step;
            }
            // The prime may be one bit longer than what the cap allows.
            if a.bits() > cap && a > BigInt::from(1) || found.bits() > cap.max(64) {
                Err("too_long")
            } else {
                Ok(found)
            }
        }
        Workload::Jacobi | Workload::JacobiList => jacobi(&a, modulus),
        Workload::Kronecker => Ok(kronecker(&a, &b, modulus)),
        Workload::SqrtMod | Workload::SqrtModList => match &element.root {
            _ if *m == BigUint::ZERO => Err("zero_modulus"),
            _ if m.bits() > cap => Err("too_long"),
            Some(root) if modulus.factors.len() == 1 => Ok(root.min(&((m - root) % m)).clone().into()),
            _ => Err("bad_argument"),
        },
        Workload::VerifySquaring => whether(verify(&element.pairs, m)),
        Workload::Accumulate | Workload::Witnesses | Workload::UpdateWitnesses if over_the_cap(call, element) => {
            Err("too_long")
        }
        Workload::FailingWitnesses | Workload::VerifyWitnesses if b.bits() > cap => Err("too_long"),
        Workload::Accumulate | Workload::UpdateWitnesses => {
            Ok(element.pairs.iter().fold(residue(&a, m), |power, (_, e)| power.modpow(e.magnitude(), m)).into())
        }
        Workload::Witnesses => {
            let others = call.elements.iter().filter(|other| !core::ptr::eq(*other, element));
            Ok(others.fold(residue(&a, m), |power, other| power.modpow(other.pairs[0].1.magnitude(), m)).into())
        }
        Workload::FailingWitnesses | Workload::VerifyWitnesses => whether(witness_holds(call, element)),
        _ => unreachable!("these have answers of their own"),
    }
}

/// The primes from a on, below b, and a 0 behind them.
fn between(call: &Call) -> Vec<Answer> {
    let (mut a, b) = call.elements[0].pairs[0].clone();
    let mut found = Vec::new();
    if a.clone().max(BigInt::ZERO) < b && b.bits() > call.settings.cap.unwrap_or(u64::MAX) {
        return vec![Err("too_long")];
    }
    while a < b {
        if is_prime(&a) {
            found.push(Ok(a.clone()));
        }
        a += 1;
    }
    found.push(Ok(BigInt::ZERO));
    found
}

/// By division if it is short, otherwise by the test of Miller and Rabin to the first primes. It proves nothing above 2^81, but nobody chose
/// the numbers for these bases.
pub(super) fn is_prime(n: &BigInt) -> bool {
    const BASES: [u32; 20] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71];
    let one = BigUint::from(1u32);
    let (n, zero) = (n.magnitude(), n.sign() != Sign::Plus || *n.magnitude() == one);
    if zero || BASES.iter().any(|base| n % base == BigUint::ZERO) {
        return !zero && BASES.iter().any(|base| *n == BigUint::from(*base));
    }
    let less = n - &one;
    let twos = less.trailing_zeros().unwrap_or(0);
    BASES.iter().all(|&base| {
        let mut x = BigUint::from(base).modpow(&(&less >> twos), n);
        (0..twos).any(|at| {
            let passes = x == less || at == 0 && x == one;
            x = &x * &x % n;
            passes
        })
    })
}

/// The product of the symbols of Legendre modulo the prime factors, each by Euler's criterion.
fn jacobi(a: &BigInt, below: &DrawnModulus) -> Answer {
    if !below.value.bit(0) || below.negative {
        return Err("bad_argument");
    }
    Ok(below.factors.iter().fold(BigInt::from(1), |symbol, (p, k)| {
        let power = residue(a, p).modpow(&((p - 1u32) >> 1), p);
        let legendre = if power == p - 1u32 { BigInt::from(-1) } else { BigInt::from(power) };
        symbol * legendre.pow(*k)
    }))
}

/// The Kronecker symbol by its definition: that of Jacobi of the odd part, those of 2, and that of -1.
fn kronecker(a: &BigInt, below: &BigInt, odd: &DrawnModulus) -> BigInt {
    let Some(twos) = below.trailing_zeros() else { return BigInt::from(u8::from(a.bits() == 1)) };
    let by_two = match residue(a, &BigUint::from(8u32)).to_u64_digits()[..] {
        [1 | 7] => 1,
        [3 | 5] => -1,
        _ => 0,
    };
    let sign = if a.sign() == Sign::Minus && below.sign() == Sign::Minus { -1 } else { 1 };
    let symbol = if odd.value.bits() == 1 { BigInt::from(1) } else { jacobi(a, odd).expect("an odd number") };
    symbol * BigInt::from(by_two).pow(u32::try_from(twos).expect("few twos")) * sign
}

/// How many answers a call of all roots has.
pub(super) fn count_of_roots(m: &DrawnModulus, element: &Element) -> usize {
    all_roots(m, element, None).len()
}

/// All roots in order, and a 0 behind them.
fn all_roots(m: &DrawnModulus, element: &Element, cap: Option<u64>) -> Vec<Answer> {
    let (a, most) = &element.pairs[0];
    if m.value == BigUint::ZERO {
        return vec![Err("zero_modulus")];
    }
    if m.value.bits() > cap.unwrap_or(u64::MAX) {
        return vec![Err("too_long")];
    }
    if m.factors.iter().any(|(p, _)| !is_prime(&p.clone().into())) {
        return vec![Err("bad_argument")];
    }
    let parts: Vec<RootsOfPart> = m.factors.iter().map(|(p, k)| RootsOfPart::new(a, p, *k)).collect();
    let count: BigUint = parts.iter().map(|part| part.count.clone()).product();
    if BigInt::from(count.clone()) > *most {
        return vec![Err("bad_argument")];
    }
    let mut roots = vec![BigUint::ZERO];
    for (part, (p, k)) in m.factors.iter().enumerate().map(|(at, factor)| (&parts[at], factor)) {
        // 1 modulo this power of a prime, 0 modulo the others.
        let power = p.pow(*k);
        let others = &m.value / &power;
        let unit = &others * others.modinv(&power).expect("factors without a common divisor");
        let sums = |root: &BigUint| part.roots.iter().map(|own| (root + own * &unit) % &m.value).collect::<Vec<_>>();
        roots = roots.iter().flat_map(sums).collect();
    }
    assert_eq!(BigUint::from(roots.len()), count, "the roots of {m:?}");
    roots.sort();
    roots.into_iter().map(|root| Ok(root.into())).chain([Ok(BigInt::ZERO)]).collect()
}

/// The roots of a modulo p^k, and how many there are: without the roots where a long p divides a.
struct RootsOfPart {
    roots: Vec<BigUint>,
    count: BigUint,
}

impl RootsOfPart {
    fn new(a: &BigInt, p: &BigUint, k: u32) -> Self {
        let m = p.pow(k);
        let a = residue(a, &m);
        if let Ok(short) = u32::try_from(&m)
            && short < 1 << 12
        {
            let is_root = |root: &BigUint| root * root % &m == a;
            let roots: Vec<BigUint> = (0..short).map(BigUint::from).filter(is_root).collect();
            return Self { count: roots.len().into(), roots };
        }
        let valuation = (0..k).take_while(|&v| &a % p.pow(v + 1) == BigUint::ZERO).count() as u32;
        let unit = &a / p.pow(valuation);
        let (roots, count) = match valuation {
            v if v == k => (if k == 1 { vec![BigUint::ZERO] } else { vec![] }, p.pow(k / 2)),
            v if v % 2 == 1 || unit.modpow(&((p - 1u32) >> 1), p) != BigUint::from(1u32) => (vec![], BigUint::ZERO),
            0 => {
                // A root modulo p, then digit by digit: (x + t p^j)^2 = x^2 + 2 x t p^j modulo p^(j + 1).
                let mut x = cipolla(&(&a % p), p);
                let half = (&x * 2u32).modinv(p).expect("an odd prime");
                for j in 1..k {
                    let wrong = (&m + &a - &x * &x % &m) % &m / p.pow(j);
                    x += wrong * &half % p * p.pow(j);
                }
                (vec![x.clone(), &m - x], BigUint::from(2u32))
            }
            v => (vec![], p.pow(v / 2) * 2u32),
        };
        Self { roots, count }
    }
}

/// A root of a square modulo a prime by Cipolla's method: (t + w)^((p + 1) / 2) with w^2 = t^2 - a, which is no square.
fn cipolla(a: &BigUint, p: &BigUint) -> BigUint {
    let half = (p - 1u32) >> 1;
    let is_square = |x: &BigUint| x.modpow(&half, p) != p - 1u32;
    let of = |t: &BigUint| (t * t + p - a) % p;
    let t = (1u32..).map(BigUint::from).find(|t| !is_square(&of(t))).expect("there is a non-residue");
    let square = of(&t);
    let mul = |(a, b): &(BigUint, BigUint), (c, d): &(BigUint, BigUint)| {
        ((a * c + b * d % p * &square) % p, (a * d + b * c) % p)
    };
    let (exponent, mut power) = (half + 1u32, (BigUint::from(1u32), BigUint::ZERO));
    for at in (0..exponent.bits()).rev() {
        power = mul(&power, &power);
        if exponent.bit(at) {
            power = mul(&power, &(t.clone(), BigUint::from(1u32)));
        }
    }
    power.0
}

/// The residue in [0, m).
pub(super) fn residue(value: &BigInt, m: &BigUint) -> BigUint {
    let rest = value.magnitude() % m;
    if value.sign() == Sign::Minus && rest != BigUint::ZERO { m - rest } else { rest }
}

fn inverse_exists(a: &BigUint, m: &BigUint) -> bool {
    a.modinv(m).is_some()
}

/// base^(2^t) and the number of its proof.
fn prove(call: &Call) -> Vec<Answer> {
    let (base, t) = &call.elements[0].pairs[0];
    let m = &call.moduli[0].value;
    if !m.bit(0) || m.bits() == 1 {
        return vec![Err("bad_argument"); 2];
    }
    let base = residue(base, m);
    if !inverse_exists(&base, m) {
        return vec![Err("not_invertible"); 2];
    }
    let t = t.magnitude().to_u64_digits().first().copied().unwrap_or(0);
    let (result, root) = proof(&base, t, m);
    vec![Ok(result.into()), Ok(root.into())]
}

/// The result of t squarings and the number of its proof: base^((2^(t - 1) - r) / l) or its negative, whichever is shorter.
pub(super) fn proof(base: &BigUint, t: u64, m: &BigUint) -> (BigUint, BigUint) {
    let result = (0..t).fold(base.clone(), |power, _| &power * &power % m);
    if t == 0 {
        return (result, BigUint::from(1u32));
    }
    let root = base.modpow(&((BigUint::from(1u32) << (t - 1)) / challenge(m, base, t, &result)), m);
    let negative = m - &root;
    (result, root.min(negative))
}

/// Whether (root^l base^(2^(t - 1) mod l))^2 is the result, of numbers that are as they should be.
fn verify(pairs: &[(BigInt, BigInt)], m: &BigUint) -> bool {
    let [(base, t), (result, root)] = pairs else { panic!("a statement and its proof") };
    let (t, result, root) = (t.magnitude(), result.magnitude(), root.magnitude());
    if !m.bit(0) || m.bits() == 1 || result >= m || root.bits() == 0 || root * 2u32 > *m {
        return false;
    }
    let base = residue(base, m);
    if !inverse_exists(&base, m) || !inverse_exists(result, m) {
        return false;
    }
    let Some(&squarings) = t.to_u64_digits().first() else { return *result == base && root.bits() == 1 };
    let l = challenge(m, &base, squarings, result);
    let power = BigUint::from(2u32).modpow(&(t - 1u32), &l);
    (root.modpow(&l, m) * base.modpow(&power, m)).pow(2) % m == *result
}

/// The challenge of version 1, as the documentation of `ProvedSquaring` defines it.
fn challenge(m: &BigUint, base: &BigUint, t: u64, result: &BigUint) -> BigUint {
    let width = m.bits().div_ceil(8) as usize;
    let padded =
        |number: &BigUint| [vec![0; width], number.to_bytes_be()].concat().split_off(number.to_bytes_be().len());
    let mut text = b"pingala wesolowski v1".to_vec();
    text.extend((width as u64).to_be_bytes());
    text.extend([padded(m), padded(base), t.to_be_bytes().to_vec(), padded(result)].concat());
    let seed = Sha256::digest(&text);
    for count in 0u64.. {
        let parts = [&b"pingala wesolowski v1 prime"[..], &seed, &count.to_be_bytes()].concat();
        let mut candidate = BigUint::from_bytes_be(&Sha256::digest(&parts));
        candidate.set_bit(255, true);
        candidate.set_bit(0, true);
        if is_prime(&candidate.clone().into()) {
            return candidate;
        }
    }
    unreachable!("there are primes")
}

/// Whether a witness to its exponent is the accumulator, both reduced. A batch modulo a long number without a small factor does not see a
/// sign.
fn witness_holds(call: &Call, element: &Element) -> bool {
    let m = &call.moduli[0].value;
    let [(witness, exponent), (of_all, _)] = &element.pairs[..] else { panic!("a witness and its accumulator") };
    let (witness, of_all) = (witness.magnitude(), of_all.magnitude());
    let power = witness.modpow(exponent.magnitude(), m);
    let small = (2..1u32 << 12).any(|p| m % p == BigUint::ZERO);
    let signs = call.workload == Workload::VerifyWitnesses && m.bits() >= 1024 && !small && inverse_exists(of_all, m);
    witness < m && (power == *of_all || signs && of_all < m && power + of_all == *m)
}
