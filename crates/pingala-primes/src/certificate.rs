//! Certificates of primes: a proof for each, as text that anybody can check.

use crate::arith::from_ubig;
use crate::proof::{Verdict, is_short_prime, judge};
use dashu_int::UBig;
use pingala_core::{Error, Natural, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The first line of the text.
const HEADER: &str = "pingala prime certificate 1";

/// Below 2^64 a prime needs no proof: the strong test to seven bases decides \[sinclair2011bases\].
pub(crate) const SELF_EVIDENT_BITS: usize = 64;

/// A proof that a number n is prime: for n and, recursively, for each prime above 2^64 that the proof needs, prime factors q of n - 1,
/// each with a base a for which a^(n-1) = 1 and gcd(a^((n-1)/q) - 1, n) = 1 modulo n. With F the part of n - 1 that these primes have:
///
/// - every prime factor of n is 1 modulo F \[pocklington1914determination\], so n is prime if F^2 > n;
/// - and if F^3 >= n, n is prime unless it is the product of two such factors. With (n - 1) / F = c2 F + c1 and c1 < F, n is prime exactly
///   if c1^2 - 4 c2 is not a square [brillhart1975new; crandall2005prime, theorem 4.1.5].
///
/// # The text
///
/// Lines end with a line feed and their words are separated by one space. Numbers are hexadecimal: `0x`, then lower-case digits
/// without zeros in front. What editors and mail change is read too: a byte order mark in front, a carriage return before line feeds, no
/// line feed at the end.
///
/// ```text
/// pingala prime certificate 1
/// prime 0x...                  n
/// factor 0x... base 0x...      q and a, by increasing q
/// prime 0x...                  the next prime, by decreasing value, with lines for its own factors
/// end
/// ```
///
/// A prime above 2^64 has at least one factor line. Each q above 2^64 is a later `prime`, and each later `prime` is such a
/// q; no prime below 2^64 is one. A prime n below 2^64 has no factor lines, and nothing follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    prime: UBig,
    /// The factors of each prime above 2^64, with their bases.
    steps: BTreeMap<UBig, Vec<(UBig, UBig)>>,
}

fn bad(line: usize, why: &str) -> Error {
    Error::BadArgument(format!("line {} of a certificate {why}", line + 1))
}

/// Reads `0x` and digits.
fn number(line: usize, text: &str) -> Result<UBig, Error> {
    let digits = text.strip_prefix("0x").filter(|digits| {
        !digits.is_empty() && !digits.starts_with('0') && digits.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'))
    });
    let value = digits.and_then(|digits| UBig::from_str_radix(digits, 16).ok());
    value.ok_or_else(|| bad(line, "has no hexadecimal number where one is expected"))
}

impl Certificate {
    /// A certificate of a prime below 2^64, or of a longer one with steps for it and for all that they need.
    pub(crate) fn new(prime: UBig, steps: BTreeMap<UBig, Vec<(UBig, UBig)>>) -> Self {
        Self { prime, steps }
    }

    /// The prime.
    pub fn prime(&self) -> Natural {
        from_ubig(&self.prime)
    }

    /// Reads a certificate and checks it completely. The text must be as [`Certificate`] describes it.
    ///
    /// Errors: `bad_argument` with the number of the line; `too_long` for primes over the cap of the options; `interrupted`.
    pub fn check(text: &str, options: &Options<'_>) -> Result<Self, Error> {
        let certificate = Self::read(text, options)?;
        certificate.verify(options)?;
        Ok(certificate)
    }

    fn read(text: &str, options: &Options<'_>) -> Result<Self, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // Without the line feed at the end, if there is one, and what `lines` takes from the end of each line.
        let body = text.strip_suffix('\n').unwrap_or(text);
        let body = body.strip_suffix('\r').unwrap_or(body).strip_suffix("\nend");
        let body = body.ok_or_else(|| bad(text.lines().count(), "is missing: `end`"))?;
        let mut lines = body.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate();
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(bad(0, "is not `pingala prime certificate 1`"));
        }
        let mut blocks: Vec<(UBig, Vec<(UBig, UBig)>)> = Vec::new();
        for (at, line) in lines {
            let cap = options.limits().modulus_bits;
            // A digit has four bits.
            if line.len() as u64 > cap.saturating_add(64) {
                return Err(Error::TooLong { what: "number", length: 4 * line.len() as u64, cap });
            }
            let words: Vec<&str> = line.split(' ').collect();
            match (words[..].as_ref(), blocks.last_mut()) {
                (["prime", n], last) => {
                    let n = number(at, n)?;
                    if last.is_some_and(|(previous, _)| *previous <= n) {
                        return Err(bad(at, "has a prime that is not below the one before it"));
                    }
                    blocks.push((n, Vec::new()));
                }
                (["factor", q, "base", a], Some((_, factors))) => {
                    let (q, a) = (number(at, q)?, number(at, a)?);
                    if factors.last().is_some_and(|(previous, _)| *previous >= q) {
                        return Err(bad(at, "has a factor that is not above the one before it"));
                    }
                    factors.push((q, a));
                }
                _ => return Err(bad(at, "is neither `prime N` nor `factor Q base A` after it")),
            }
        }
        let Some((prime, _)) = blocks.first() else { return Err(bad(1, "is missing: `prime N`")) };
        let prime = prime.clone();
        let bits = from_ubig(&prime).bits();
        let cap = options.limits().modulus_bits;
        if bits > cap {
            return Err(Error::TooLong { what: "number", length: bits, cap });
        }
        if bits <= SELF_EVIDENT_BITS as u64 && (blocks.len() > 1 || !blocks[0].1.is_empty()) {
            return Err(bad(2, "follows a prime below 2^64, which has no factors"));
        }
        let steps = if bits <= SELF_EVIDENT_BITS as u64 { BTreeMap::new() } else { blocks.into_iter().collect() };
        Ok(Self { prime, steps })
    }

    /// Checks every step.
    pub(crate) fn verify(&self, options: &Options<'_>) -> Result<(), Error> {
        let wrong =
            |n: &UBig, why: &str| Err(Error::BadArgument(format!("a certificate does not prove 0x{n:x}: {why}")));
        let is_evident = |n: &UBig| from_ubig(n).bits() <= SELF_EVIDENT_BITS as u64;
        if self.steps.is_empty() {
            return if is_short_prime(&self.prime) { Ok(()) } else { wrong(&self.prime, "it is composite") };
        }
        let used: BTreeSet<&UBig> = self.steps.values().flatten().map(|(q, _)| q).collect();
        for (n, factors) in self.steps.iter().rev() {
            if is_evident(n) || factors.is_empty() {
                return wrong(n, "it is below 2^64, or has no factors");
            }
            if *n != self.prime && !used.contains(n) {
                return wrong(n, "nothing needs it");
            }
            for (q, _) in factors {
                let is_proved = if is_evident(q) { is_short_prime(q) } else { self.steps.contains_key(q) };
                if !is_proved {
                    return wrong(n, "a factor is not a proved prime");
                }
            }
            match judge(n, factors, options)? {
                Verdict::Proved => {}
                Verdict::NotProved(why) => return wrong(n, why),
            }
        }
        Ok(())
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        if self.steps.is_empty() {
            writeln!(f, "prime {:#x}", self.prime)?;
        }
        for (n, factors) in self.steps.iter().rev() {
            writeln!(f, "prime {n:#x}")?;
            for (q, a) in factors {
                writeln!(f, "factor {q:#x} base {a:#x}")?;
            }
        }
        writeln!(f, "end")
    }
}
