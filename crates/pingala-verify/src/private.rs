//! Private keys of RSA from the files that people have, and the raw operation base^d mod n by them.
//!
//! Nothing is signed or decrypted here: paddings of private operations belong to protocols, and a padding that is checked too late
//! gives a key away. The bytes of a file are read without a plain number in between, and every copy is wiped.

use der::asn1::{AnyRef, OctetStringRef, UintRef};
use der::{Decode, Reader, SliceReader, Tag, TagNumber, Tagged};
use pingala_core::{Error, Modulus, Natural, Options, SecretExponent, SecretFactor};
use std::sync::Arc;
use zeroize::Zeroizing;

use crate::RsaKey;
use crate::load::{check_file, is_sequence, kind_of_text, quoted};
use crate::pieces::{Algorithm, all, elements, told};
use crate::{pem, restriction};

const LABELS: [&str; 3] = ["PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY"];

/// Attributes of PKCS#8 that say what a key is for: keyUsage and extendedKeyUsage.
const USAGES: [&[u8]; 2] = [&[0x55, 0x1d, 0x0f], &[0x55, 0x1d, 0x25]];

/// A private key of RSA: n with its secret primes, d, and e. Cheap to clone; its secrets are wiped with the last clone.
#[derive(Clone)]
pub struct RsaPrivateKey {
    shared: Arc<Numbers>,
}

struct Numbers {
    modulus: Modulus,
    exponent: [SecretExponent; 1],
    public_exponent: Natural,
}

impl core::fmt::Debug for RsaPrivateKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "<RsaPrivateKey of {} bits>", self.modulus().value().bits())
    }
}

fn bad(why: impl core::fmt::Display) -> Error {
    Error::BadArgument(format!("not a private key of RSA: {why}"))
}

/// Neither what stands there nor where reading ended: behind a wrong length both come from the bytes of a secret.
fn of_der(_: der::Error) -> Error {
    bad("its DER is damaged, or none of PKCS#1 and PKCS#8")
}

impl RsaPrivateKey {
    /// A key from bytes: PEM (`PRIVATE KEY` of PKCS#8, `RSA PRIVATE KEY` of PKCS#1), or DER of the same. A key that says what it is for is
    /// refused: one of type id-RSASSA-PSS or id-RSAES-OAEP, one with the attribute keyUsage or extendedKeyUsage. Of two primes: their product is
    /// n, both are prime, which a composite number is found to be with a probability of 2^-80 at most, and e has an inverse modulo
    /// each of them less 1; otherwise the key is refused. So is one whose d is not the inverse of e: a power by d is computed, in constant
    /// time as all of them, and checked by e. What is derived of these numbers (d modulo each prime less 1, the inverse of q) is not used and
    /// not read.
    ///
    /// The caller's `data` is not wiped. Errors: `bad_argument`, also for an encrypted key; `wrong_factors`; `too_long`; `interrupted`
    /// by the watch of the options.
    ///
    /// Leaks: the lengths of all numbers of the key.
    pub fn load(data: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        check_file(data).map_err(bad)?;
        // Nothing of DER is looked at as text: it is secret.
        if is_sequence(data) {
            return Self::of_der(data, options);
        }
        let Some(block) = pem::first(data, &LABELS) else {
            return kind_of_text(data).map_or_else(|| Self::of_der(data, options), |kind| Err(bad(kind)));
        };
        let block = block.map_err(bad)?;
        if block.label == "ENCRYPTED PRIVATE KEY" || block.is_encrypted() {
            return Err(bad("it is encrypted; `openssl pkey -in FILE` decrypts it"));
        }
        if !LABELS.contains(&block.label) {
            let label = quoted(block.label);
            return Err(bad(format!("PEM with the label {label}; PRIVATE KEY and RSA PRIVATE KEY are read")));
        }
        // Room of our own, as long as it will be, which is wiped whether or not all of the text is right.
        let mut room = Zeroizing::new(Vec::with_capacity(block.length()));
        let der = block.decode(&mut room).map_err(bad)?;
        if block.label == "PRIVATE KEY" { Self::of_pkcs8(der, options) } else { Self::of_pkcs1(der, options) }
    }

    fn of_der(data: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        let is_pkcs1 = holds_number_at_second_place(data)?;
        if is_pkcs1 { Self::of_pkcs1(data, options) } else { Self::of_pkcs8(data, options) }
    }

    /// PrivateKeyInfo (RFC 5208, RFC 5958): a version, an algorithm, the key, attributes, the public key.
    fn of_pkcs8(data: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        let key = AnyRef::from_der(data).and_then(|whole| {
            whole.sequence(|reader| {
                UintRef::decode(reader)?;
                let algorithm = Algorithm::of(AnyRef::decode(reader)?)?;
                let key = <&OctetStringRef>::decode(reader)?;
                Ok::<_, der::Error>((algorithm, key, all(reader)?))
            })
        });
        let (algorithm, key, more) = key.map_err(of_der)?;
        match restriction::of_rsa(algorithm) {
            Ok(None) => {}
            Ok(Some(_)) => {
                return Err(bad(
                    "it is restricted to RSASSA-PSS by its type, id-RSASSA-PSS; the raw operation base^d mod n has no padding",
                ));
            }
            Err(Some(why)) => return Err(bad(why)),
            Err(None) => return Err(bad(format!("an algorithm other than RSA: {}", told(algorithm.oid)))),
        }
        let attributes = Tag::ContextSpecific { constructed: true, number: TagNumber(0) };
        if more.iter().any(|field| field.tag() == Tag::ContextSpecific { constructed: false, number: TagNumber(0) }) {
            return Err(bad("its attributes are malformed: they may restrict the key"));
        }
        for field in more.iter().filter(|field| field.tag() == attributes) {
            let mut reader = SliceReader::new(field.value()).map_err(of_der)?;
            for attribute in all(&mut reader).map_err(of_der)? {
                let name = elements(attribute).map_err(of_der)?.first().copied();
                let Some(name) = name.filter(|name| name.tag() == Tag::ObjectIdentifier) else {
                    return Err(bad("its attributes are malformed: they may restrict the key"));
                };
                if USAGES.contains(&name.value()) {
                    return Err(bad(
                        "its attribute keyUsage restricts what it is for; `openssl rsa -in FILE -traditional` writes the key without it",
                    ));
                }
            }
        }
        Self::of_pkcs1(key.as_bytes(), options)
    }

    /// RSAPrivateKey (RFC 8017, appendix A.1.2).
    fn of_pkcs1(data: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        let numbers = AnyRef::from_der(data).and_then(|whole| {
            whole.sequence(|reader| {
                let version = u8::decode(reader)?;
                let numbers: [UintRef<'_>; 5] = [
                    UintRef::decode(reader)?,
                    UintRef::decode(reader)?,
                    UintRef::decode(reader)?,
                    UintRef::decode(reader)?,
                    UintRef::decode(reader)?,
                ];
                skip(reader)?;
                Ok::<_, der::Error>((version, numbers))
            })
        });
        let (version, [n, e, d, p, q]) = numbers.map_err(of_der)?;
        // PLANTED LEAK, in builds that only test the constant-time gate: never taken, as d is odd.
        #[cfg(pingala_planted_leak = "key")]
        if d.as_bytes().last() == Some(&0) {
            return Err(bad("a planted branch was taken"));
        }
        if version != 0 {
            return Err(bad("a key of more than two primes"));
        }
        let (n, e) = (Natural::from_be_bytes(n.as_bytes()), Natural::from_be_bytes(e.as_bytes()));
        let (length, cap) = (n.bits(), RsaKey::LONGEST_BITS);
        if length > cap {
            return Err(Error::TooLong { what: "modulus", length, cap });
        }
        if e.is_even() || e.is_one() || e >= n {
            return Err(bad("e is even, 1, or not below n"));
        }
        let factors = [p, q].map(|prime| {
            let bytes = prime.as_bytes();
            let bits = 8 * bytes.len() as u64 - u64::from(bytes.first().map_or(0, |top| top.leading_zeros()));
            SecretFactor::from_be_bytes(bytes, bits, 1)
        });
        let [p, q] = factors;
        let modulus = Modulus::with_secret_factors(n, &[p?, q?], &options.with_public_exponent(Some(&e)))?;
        let exponent = [SecretExponent::from_be_bytes(d.as_bytes(), length).map_err(|_| bad("d is longer than n"))?];
        Self { shared: Arc::new(Numbers { modulus, exponent, public_exponent: e }) }.that_fits(options)
    }

    /// The key, if d is the inverse of e for one base. Errors: `bad_argument`; `interrupted`.
    fn that_fits(self, options: &Options<'_>) -> Result<Self, Error> {
        let mut out = Zeroizing::new(vec![0; self.modulus().value().bits().div_ceil(8) as usize]);
        // A base whose powers repeat late for every prime that people choose; 2 has the order 521 modulo 2^521 - 1. Without a plan or a kernel
        // of the caller, which are for powers to come. Those of the environment apply, as they do to each power by this key: a key that they
        // make useless is refused here already.
        let failed = self.pow_list(&[b"Pingala"], &mut out, &Options::default().with_watch(options.watch()))?;
        match failed.into_iter().next() {
            None => Ok(self),
            Some((_, Error::Fault(_) | Error::BadArgument(_))) => {
                Err(bad("d is not the inverse of e for these primes, or the computation was disturbed"))
            }
            Some((_, error)) => Err(error),
        }
    }

    /// n, which knows its secret primes.
    pub fn modulus(&self) -> &Modulus {
        &self.shared.modulus
    }

    /// e.
    pub fn public_exponent(&self) -> &Natural {
        &self.shared.public_exponent
    }

    /// base^d mod n for each base, big-endian bytes, into rows of `out`: [`Modulus::pow_sec_list`] with the public exponent, by which the
    /// bases are blinded and every result is checked. Returns the rows that have an error: `fault`, if this computer made one.
    ///
    /// Errors: as there.
    pub fn pow_list(
        &self,
        bases: &[&[u8]],
        out: &mut [u8],
        options: &Options<'_>,
    ) -> Result<Vec<(usize, Error)>, Error> {
        let Numbers { modulus, exponent, public_exponent } = &*self.shared;
        modulus.pow_sec_list(bases, exponent, out, &options.with_public_exponent(Some(public_exponent)))
    }
}

/// Reads on to the end of a sequence.
fn skip<'a>(reader: &mut impl Reader<'a>) -> Result<(), der::Error> {
    while !reader.is_finished() {
        AnyRef::decode(reader)?;
    }
    Ok(())
}

/// Whether the second element of a sequence is a number, as in PKCS#1; in PKCS#8 it is a sequence.
fn holds_number_at_second_place(data: &[u8]) -> Result<bool, Error> {
    let second = AnyRef::from_der(data).and_then(|whole| {
        whole.sequence(|reader| {
            AnyRef::decode(reader)?;
            let second = Tag::peek(reader)?;
            skip(reader)?;
            Ok::<_, der::Error>(second)
        })
    });
    Ok(second.map_err(of_der)? == Tag::Integer)
}
