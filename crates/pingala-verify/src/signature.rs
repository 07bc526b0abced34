//! Signatures in the encodings of their producers.

use crate::wire::Wire;
use der::asn1::{AnyRef, UintRef};
use der::{Decode, Reader};
use pingala_core::{Error, Natural};

/// A signature.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Signature<'a> {
    /// Bytes in an encoding.
    Bytes(&'a [u8], Encoding),
    /// r and s of DSA.
    Numbers(&'a Natural, &'a Natural),
    /// s of RSA.
    Number(&'a Natural),
}

/// The encoding of a signature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// DSA: a sequence of two integers in DER, exactly. RSA has no DER: its bytes are as for `Raw`.
    #[default]
    Der,
    /// DER with deviations: longer lengths than needed, integers with leading zeros or without a due one, bytes behind the sequence.
    Lenient,
    /// DSA: r and s, each as wide as q, one after the other (IEEE P1363). RSA: s as wide as n.
    Raw,
    /// The signature of OpenSSH (RFC 4253): the name of the algorithm and a blob, both as strings. The blob of DSA is 40 bytes; that of
    /// RSA is as wide as n, or shorter where s begins with zero bytes.
    Ssh,
    /// OpenPGP (RFC 9580): r and s, or s, as numbers behind their lengths in bits, which are exact.
    OpenPgp,
}

impl core::str::FromStr for Encoding {
    type Err = Error;

    /// `der`, `lenient`, `raw` or `p1363`, `ssh`, `openpgp`.
    fn from_str(name: &str) -> Result<Self, Error> {
        Ok(match name {
            "der" => Encoding::Der,
            "lenient" => Encoding::Lenient,
            "raw" | "p1363" => Encoding::Raw,
            "ssh" => Encoding::Ssh,
            "openpgp" => Encoding::OpenPgp,
            other => {
                let why =
                    format!("there is no encoding `{other}`; there are der, lenient, p1363, raw, ssh and openpgp");
                return Err(Error::BadArgument(why));
            }
        })
    }
}

impl Signature<'_> {
    /// r and s of DSA modulo a number of `width` bytes; none if the encoding is broken.
    pub(crate) fn pair(&self, width: usize) -> Option<(Natural, Natural)> {
        let (bytes, encoding) = match *self {
            Signature::Numbers(r, s) => return Some((r.clone(), s.clone())),
            Signature::Number(_) => return None,
            Signature::Bytes(bytes, encoding) => (bytes, encoding),
        };
        match encoding {
            Encoding::Der => AnyRef::from_der(bytes)
                .ok()?
                .sequence(|reader| Ok::<_, der::Error>((uint(reader)?, uint(reader)?)))
                .ok(),
            Encoding::Lenient => lenient(bytes),
            Encoding::Raw => halves(bytes, width),
            Encoding::Ssh => {
                let mut wire = Wire::new(bytes);
                let (name, blob) = (wire.string()?, wire.string()?);
                // Two numbers of 160 bits, whatever q is.
                if name == b"ssh-dss" && wire.is_finished() { halves(blob, 20) } else { None }
            }
            Encoding::OpenPgp => {
                let mut wire = Wire::new(bytes);
                let pair = wire.mpi().zip(wire.mpi());
                pair.filter(|_| wire.is_finished())
            }
        }
    }

    /// s of RSA modulo a number of `width` bytes; none if the encoding is broken.
    pub(crate) fn single(&self, width: usize) -> Option<Natural> {
        match *self {
            Signature::Number(s) => Some(s.clone()),
            Signature::Numbers(..) => None,
            Signature::Bytes(bytes, Encoding::OpenPgp) => {
                let mut wire = Wire::new(bytes);
                wire.mpi().filter(|_| wire.is_finished())
            }
            Signature::Bytes(bytes, Encoding::Ssh) => {
                let mut wire = Wire::new(bytes);
                let (name, blob) = (wire.string()?, wire.string()?);
                let fits = [&b"ssh-rsa"[..], b"rsa-sha2-256", b"rsa-sha2-512"].contains(&name);
                // Many programs leave zero bytes away: one of 256 signatures is shorter than n.
                let is_number = (1..=width).contains(&blob.len());
                (fits && is_number && wire.is_finished()).then(|| Natural::from_be_bytes(blob))
            }
            Signature::Bytes(bytes, _) => (bytes.len() == width).then(|| Natural::from_be_bytes(bytes)),
        }
    }
}

fn uint<'a>(reader: &mut impl Reader<'a>) -> Result<Natural, der::Error> {
    UintRef::decode(reader).map(|number| Natural::from_be_bytes(number.as_bytes()))
}

/// Two numbers of `width` bytes.
fn halves(bytes: &[u8], width: usize) -> Option<(Natural, Natural)> {
    let (r, s) = bytes.split_at_checked(width)?;
    (s.len() == width).then(|| (Natural::from_be_bytes(r), Natural::from_be_bytes(s)))
}

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;

/// Two integers in a sequence as careless programs write them: BER lengths, integers as plain bytes.
fn lenient(bytes: &[u8]) -> Option<(Natural, Natural)> {
    let (body, _) = element(bytes, SEQUENCE)?;
    let (r, rest) = element(body, INTEGER)?;
    let (s, _) = element(rest, INTEGER)?;
    Some((Natural::from_be_bytes(r), Natural::from_be_bytes(s)))
}

/// The content of an element with this tag, and what is behind it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let [found, length, rest @ ..] = bytes else { return None };
    if *found != tag {
        return None;
    }
    let (length, rest) = match *length {
        short @ ..0x80 => (usize::from(short), rest),
        long => {
            let (digits, rest) = rest.split_at_checked(usize::from(long & 0x7f))?;
            if digits.is_empty() || digits.len() > 4 {
                return None;
            }
            (digits.iter().fold(0, |length, &digit| length << 8 | usize::from(digit)), rest)
        }
    };
    rest.split_at_checked(length)
}
