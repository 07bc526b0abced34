//! Primes: tests, searches, random and secret primes, certificates.

use crate::explain::Reader;
use crate::length::Cap;
use crate::memory::{Capped, In, Out, Rows, Signs, Text, Unit};
use crate::options::{PingalaOptions, under};
use crate::rows::{check_width, write_all};
use crate::status::{bad_argument, enter};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use pingala_core::{Error, Integer, Natural, Options};
use pingala_primes::{
    Certificate, PairKind, Primality, PrimeOptions, PrimePair, ROUNDS, RandomPrime, SecretPrime, certify,
    estimate_random_prime, is_prime, is_prime_list, next_prime, previous_prime, prime_pair, primes_between,
    random_prime, random_secret_prime,
};

/// Answer of a test: no prime. That is certain.
pub const PINGALA_NOT_PRIME: u32 = 0;
/// Answer of a test: it passed every test. It is composite with probability 4^-rounds at most, whoever chose it.
pub const PINGALA_PROBABLE_PRIME: u32 = 1;
/// Answer of a test: a prime, proved, as for all below 2^64.
pub const PINGALA_PROVED_PRIME: u32 = 2;

/// Flag of `conditions`: (p - 1) / 2 is prime too.
pub const PINGALA_SAFE_PRIME: u32 = 1;
/// Flag of `conditions`: the two highest bits are set, so that the product of two such primes has twice their length.
pub const PINGALA_TWO_TOP_BITS: u32 = 2;
/// Flag of `conditions`: each prime that fits has the same probability; secret primes always have.
pub const PINGALA_UNIFORM_PRIME: u32 = 4;

/// Kind of two primes: for RSA; p - 1 and q - 1 have no divisor in common with the public exponent.
pub const PINGALA_PAIR_RSA: u32 = 1;
/// Kind of two primes: for Paillier's cryptosystem.
pub const PINGALA_PAIR_PAILLIER: u32 = 2;
/// Kind of two primes: both are safe.
pub const PINGALA_PAIR_SAFE: u32 = 3;

entry! {
    /// `*answer` is PINGALA_NOT_PRIME, PINGALA_PROBABLE_PRIME or PINGALA_PROVED_PRIME. A number above 2^64 passes trial division, the test
    /// of Baillie and PSW, then the rounds of Miller and Rabin with random bases that pingala_options_set_prime_rounds sets, 1 by default. Not
    /// for secrets. Errors: PINGALA_TOO_LONG above the limit of moduli; PINGALA_INTERRUPTED.
    pingala_is_prime_be, pingala_is_prime_limbs(answer: place u32, n[n_len]: In, options) {
        let answer = answer.ok_or_else(|| bad_argument("answer is NULL"))?;
        let n = n.integer(false, Cap::number(options))?;
        answer.write(number(&under(options, |options_of_call| is_prime(&n, rounds(options), options_of_call))?).into());
        Ok(())
    }
}

entry! {
    /// answers[i] is the answer of pingala_is_prime_be for each of `count` numbers; those of one length are tested side by side, on several
    /// threads. Errors as there; after one `answers` is as it was.
    pingala_is_prime_list_be, pingala_is_prime_list_limbs(
        answers: only *mut u8, numbers[number_width]: Rows(count), count: only usize, answers = Out::new(answers, count), options
    ) {
        let found = answers_of(numbers.capped(&Signs::none(), 0, Cap::number(options))?, options)?;
        answers.fill(|out| out.iter_mut().zip(&found).for_each(|(to, found)| _ = to.write(number(found))))
    }
}

entry! {
    /// out = the least prime above n, as sure as pingala_is_prime_be with 1 round. It has at most one bit more than n, or two bits. Not for
    /// secrets. Errors as of pingala_is_prime_be.
    pingala_next_prime_be, pingala_next_prime_limbs(out[out_len]: Out, n[n_len]: In, options) {
        out.put(&neighbour(&n.integer(false, Cap::number(options))?, next_prime, options)?)
    }
}

entry! {
    /// out = the greatest prime below n, as pingala_next_prime_be. Error: PINGALA_BAD_ARGUMENT for n of 2 or less.
    pingala_previous_prime_be, pingala_previous_prime_limbs(out[out_len]: Out, n[n_len]: In, options) {
        out.put(&neighbour(&n.integer(false, Cap::number(options))?, previous_prime, options)?)
    }
}

entry! {
    /// out[i] = the primes from a on and below b, in order, in rows of `width` units, at least as wide as b: the first ones, as many as the
    /// `out_len` units hold. `*needed`, unless NULL, receives the number of all of them, so that a call without room tells how many there
    /// are. They are as sure as pingala_next_prime_be. Errors as of pingala_is_prime_be; PINGALA_TOO_LONG also for a list above 2^30 bytes.
    pingala_primes_between_be, pingala_primes_between_limbs(
        out[out_len]: Out, width: usize, needed: place usize, a[a_len]: In, b[b_len]: In, options
    ) {
        let (a, b) = (a.integer(false, Cap::number(options))?, b.integer(false, Cap::number(options))?);
        check_width(&out, width, b.magnitude())?;
        write_all(&out, width, needed, &primes_of(&a, &b, options)?)
    }
}

entry! {
    /// out = a random prime of `bits` bits, 2 at least, with these `conditions`, a sum of PINGALA_SAFE_PRIME and the following flags, and the
    /// residue that pingala_options_set_prime_residue_be sets. It is as sure as pingala_is_prime_be says. Without PINGALA_UNIFORM_PRIME a random
    /// interval is sieved and one of its primes is taken, which loses 3 bits of entropy at most. Not for secrets:
    /// pingala_random_secret_prime_be. Errors: PINGALA_BAD_ARGUMENT if no prime fits, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
    pingala_random_prime_be, pingala_random_prime_limbs(out[out_len]: Out, bits: u64, conditions: u32, options) {
        out.holds(units::<U>(bits))?;
        out.put(drawn(bits, conditions, false, options)?.value())
    }
}

entry! {
    /// out = a random prime, as of pingala_random_prime_be, which is built from smaller ones, so that it is proved: `text` is its
    /// certificate. `*needed`, unless NULL, receives the bytes of the text with its zero byte. If `text_len` is less, the call draws no
    /// second prime: it is PINGALA_BAD_ARGUMENT, and `out` is as it was. 4096 + 4 bytes for each bit are plenty. PINGALA_UNIFORM_PRIME is
    /// PINGALA_BAD_ARGUMENT: what is built is not uniform.
    pingala_random_proved_prime_be, pingala_random_proved_prime_limbs(
        out[out_len]: Out, text: Reader, bits: u64, conditions: u32, options
    ) {
        out.holds(units::<U>(bits))?;
        let found = drawn(bits, conditions, true, options)?;
        let certificate = found.certificate().map(ToString::to_string).unwrap_or_default();
        let fits = text.has_room(&certificate);
        text.take(&certificate)?;
        if !fits {
            return Err(bad_argument(format!("text has less than the {} bytes of the certificate", certificate.len() + 1)));
        }
        out.put(found.value())
    }
}

entry! {
    /// out = a secret random prime of `bits` bits, 64 at least, by FIPS 186-5, A.1.3: candidates are drawn afresh, and tested in constant
    /// time, by so many rounds of Miller and Rabin that the error is below 2^-112, unless the options say how many. `conditions` are those of
    /// pingala_random_prime_be. The call wipes its memory; the caller wipes `out`. Errors as of pingala_random_prime_be.
    pingala_random_secret_prime_be, pingala_random_secret_prime_limbs(
        out[out_len]: Out, bits: u64, conditions: u32, options
    ) {
        out.holds(units::<U>(bits))?;
        release(&out, &secret(bits, conditions, options)?)
    }
}

entry! {
    /// p and q = two secret primes, as of pingala_random_secret_prime_be, of equal lengths, whose product has exactly `modulus_bits` bits, an
    /// even number from 128 on, and which are as far apart as FIPS 186-5 wants it. `kind` is PINGALA_PAIR_RSA or one of the following. `public_exponent`
    /// is that of RSA, odd and at least 3, otherwise 0. The options may set a residue and rounds. The caller wipes p and q. Errors as of
    /// pingala_random_prime_be.
    pingala_prime_pair_be, pingala_prime_pair_limbs(
        p[p_len]: Out, q[q_len]: Out, modulus_bits: u64, kind: u32, public_exponent: u64, options
    ) {
        let half = units::<U>(modulus_bits.div_ceil(2));
        p.holds(half)?;
        q.holds(half)?;
        let pair = pair(modulus_bits, (kind, public_exponent), options)?;
        release(&p, &pair.p)?;
        release(&q, &pair.q)
    }
}

entry! {
    /// `text` = a certificate that n is prime, by prime factors of n - 1: `factor_count` given ones, those below 2^16, and what Pollard's
    /// methods find soon. They need a product of a third of the length of n. Primes among them above 2^64 are proved in the same way.
    /// `*needed` is as in pingala_modulus_explain_be. Errors: PINGALA_BAD_ARGUMENT if n is not prime or too little of n - 1 is factored.
    pingala_certify_be, pingala_certify_limbs(
        text: Reader, n[n_len]: In, factors[factor_width]: Rows(factor_count), factor_count: only usize, options
    ) {
        let n = n.natural(Cap::number(options))?;
        let factors = factors.capped(&Signs::none(), 0, Cap::number(options))?.naturals()?;
        text.take(&certificate(&n, &factors, options)?)
    }
}

entry! {
    /// out = the prime that a certificate proves, after every step of it has been checked. The text ends with its last line feed, without a
    /// zero byte. Errors: PINGALA_BAD_ARGUMENT for a text that proves nothing, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
    pingala_check_certificate_be, pingala_check_certificate_limbs(
        out[out_len]: Out, certificate: only *const c_char, certificate_len: only usize,
        certificate = In::<u8>::new(certificate.cast(), certificate_len, "certificate"), options
    ) {
        let text = core::str::from_utf8(certificate.units()?).map_err(|_| bad_argument("a certificate is text"))?;
        out.put(&under(options, |options| Certificate::check(text, options))?.prime())
    }
}

entry! {
    /// `*tests` = how many numbers a search for a random prime is expected to test, and `*seconds` = the time of these tests on the threads of the
    /// options. The search is that of pingala_random_prime_be if `secret` is 0, of pingala_random_secret_prime_be if it is 1, with these bits,
    /// conditions and options. The call takes some tenths of a second at most. The time of a search is random: one in a hundred takes 4.6 times
    /// as long. `tests` and `seconds` may be NULL. Errors as of the search.
    pingala_estimate_random_prime(
        tests: place f64, seconds: place f64, bits: u64, conditions: u32, secret: u32, options
    ) {
        let prime = wanted(conditions, options)?;
        if secret > 1 {
            return Err(bad_argument(format!("secret is {secret}; expected 0 or 1")));
        }
        let estimate = under(options, |options| estimate_random_prime(bits, &prime, secret == 1, options))?;
        tests.map(|tests| tests.write(estimate.tests));
        seconds.map(|seconds| seconds.write(estimate.seconds));
        Ok(())
    }
}

// What is not of one kind of units is one function each, not a copy in every call.

#[inline(never)]
fn neighbour(
    n: &Integer,
    of: fn(&Integer, &Options<'_>) -> Result<Natural, Error>,
    options: Option<&PingalaOptions>,
) -> Result<Natural, Error> {
    under(options, |options| of(n, options))
}

#[inline(never)]
fn primes_of(a: &Integer, b: &Integer, options: Option<&PingalaOptions>) -> Result<Vec<Natural>, Error> {
    under(options, |options| primes_between(a, b, options))
}

#[inline(never)]
fn answers_of(numbers: Capped, options: Option<&PingalaOptions>) -> Result<Vec<Primality>, Error> {
    let numbers = numbers.all()?;
    under(options, |options_of_call| is_prime_list(&numbers, rounds(options), options_of_call))
}

#[inline(never)]
fn certificate(n: &Natural, factors: &[Natural], options: Option<&PingalaOptions>) -> Result<String, Error> {
    Ok(under(options, |options| certify(n, factors, options))?.to_string())
}

#[inline(never)]
fn drawn(bits: u64, conditions: u32, is_proved: bool, options: Option<&PingalaOptions>) -> Result<RandomPrime, Error> {
    let prime = wanted(conditions, options)?.with_proof(is_proved);
    under(options, |options| random_prime(bits, &prime, options))
}

#[inline(never)]
fn secret(bits: u64, conditions: u32, options: Option<&PingalaOptions>) -> Result<SecretPrime, Error> {
    let prime = wanted(conditions, options)?;
    under(options, |options| random_secret_prime(bits, &prime, options))
}

/// Two secret primes of a kind, with the public exponent of RSA.
#[inline(never)]
fn pair(modulus_bits: u64, kind: (u32, u64), options: Option<&PingalaOptions>) -> Result<PrimePair, Error> {
    let kind = match kind {
        (PINGALA_PAIR_RSA, e) => PairKind::Rsa(e.into()),
        (PINGALA_PAIR_PAILLIER, 0) => PairKind::Paillier,
        (PINGALA_PAIR_SAFE, 0) => PairKind::Safe,
        (PINGALA_PAIR_PAILLIER | PINGALA_PAIR_SAFE, _) => {
            return Err(bad_argument("only primes for RSA have a public exponent"));
        }
        (kind, _) => return Err(bad_argument(format!("{kind} is no kind of two primes"))),
    };
    let prime = wanted(0, options)?;
    under(options, |options| prime_pair(modulus_bits, &kind, &prime, options))
}

/// The number of an answer.
fn number(answer: &Primality) -> u8 {
    match (answer.prime, answer.proved) {
        (false, _) => PINGALA_NOT_PRIME as u8,
        (true, false) => PINGALA_PROBABLE_PRIME as u8,
        (true, true) => PINGALA_PROVED_PRIME as u8,
    }
}

fn rounds(options: Option<&PingalaOptions>) -> u32 {
    options.and_then(|options| options.prime_rounds).unwrap_or(ROUNDS)
}

/// What a call asks of a prime. Error: `bad_argument` for an unknown flag.
fn wanted(conditions: u32, options: Option<&PingalaOptions>) -> Result<PrimeOptions<'_>, Error> {
    const ALL: u32 = PINGALA_SAFE_PRIME | PINGALA_TWO_TOP_BITS | PINGALA_UNIFORM_PRIME;
    if conditions & !ALL != 0 {
        return Err(bad_argument(format!("conditions are {conditions}; the flags {ALL} are allowed")));
    }
    let residue = options.and_then(|options| options.prime_residue.as_ref()).map(|(r, q)| (r, q));
    Ok(PrimeOptions::default()
        .with_safe(conditions & PINGALA_SAFE_PRIME != 0)
        .with_top_bits(if conditions & PINGALA_TWO_TOP_BITS != 0 { 2 } else { 1 })
        .with_uniform(conditions & PINGALA_UNIFORM_PRIME != 0)
        .with_residue(residue)
        .with_rounds(options.and_then(|options| options.prime_rounds)))
}

/// Units of a number of this length.
fn units<U: Unit>(bits: u64) -> usize {
    usize::try_from(bits.div_ceil(8 * size_of::<U>() as u64)).unwrap_or(usize::MAX)
}

/// Gives a secret prime to the caller. No digit is looked at.
#[inline(never)]
fn release<U: Unit>(out: &Out<U>, prime: &SecretPrime) -> Result<(), Error> {
    out.fill(|out: &mut [MaybeUninit<U>]| U::of_be_bytes(prime.as_be_bytes(), out))
}
