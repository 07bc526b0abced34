//! Public keys: numbers that were checked once.

use crate::restriction::PssRestriction;
use crate::{Hash, Weaknesses};
use core::fmt;
use pingala_core::{Error, Integer, Modulus, Natural};
use std::sync::Arc;

/// Above this length of n, in bits, e is capped as OpenSSL caps it: a long one would make each verification as slow as a signature.
const LONG_RSA_BITS: u64 = 3072;
/// Longest e with such an n, in bits.
const LONGEST_EXPONENT_BITS: u64 = 64;

/// The pairs of lengths of p and q, in bits, that FIPS 186-4 allows.
const FIPS_PAIRS: [(u64, u64); 4] = [(1024, 160), (2048, 224), (2048, 256), (3072, 256)];

/// A public key. Cheap to clone.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PublicKey {
    /// A key of DSA.
    Dsa(DsaKey),
    /// A key of RSA.
    Rsa(RsaKey),
}

/// The domain parameters p, q, g of DSA and the public value y.
#[derive(Clone)]
pub struct DsaKey {
    pub(crate) shared: Arc<DsaNumbers>,
}

/// The lengths of p and q.
impl fmt::Debug for DsaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<DsaKey of {}/{} bits>", self.p().bits(), self.q().bits())
    }
}

pub(crate) struct DsaNumbers {
    pub(crate) p: Modulus,
    pub(crate) q: Modulus,
    /// g and y.
    pub(crate) bases: [Integer; 2],
}

/// The modulus n and the public exponent e of RSA, with what restricts their use.
#[derive(Clone)]
pub struct RsaKey {
    pub(crate) shared: Arc<RsaNumbers>,
}

/// The length of n.
impl fmt::Debug for RsaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<RsaKey of {} bits>", self.n().bits())
    }
}

pub(crate) struct RsaNumbers {
    pub(crate) n: Modulus,
    pub(crate) e: Integer,
    restriction: Option<PssRestriction>,
}

/// Error: `too_long`.
fn check_length(what: &'static str, value: &Natural, cap: u64) -> Result<(), Error> {
    let length = value.bits();
    if length > cap { Err(Error::TooLong { what, length, cap }) } else { Ok(()) }
}

fn require(holds: bool, what: &str) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::BadArgument(what.into())) }
}

impl DsaKey {
    /// The longest p, in bits; no number of the key is longer.
    pub const LONGEST_BITS: u64 = 10_000;

    /// Checks ranges: p of at most 10,000 bits and q odd, 3 <= q < p, 1 < g < p, 1 < y < p. It tests neither primality nor
    /// subgroups; [`PublicKey::validate`] does.
    ///
    /// Errors: `too_long`; `bad_argument` says which number is out of range.
    pub fn new(p: Natural, q: Natural, g: Natural, y: Natural) -> Result<Self, Error> {
        for (what, value) in [("p", &p), ("q", &q), ("g", &g), ("y", &y)] {
            check_length(what, value, Self::LONGEST_BITS)?;
        }
        let one = Natural::from(1u64);
        require(!p.is_even(), "p of a DSA key is even")?;
        require(!q.is_even() && q > one, "q of a DSA key is even or 1")?;
        require(q < p, "q of a DSA key is not below p")?;
        require(one < g && g < p, "g of a DSA key is not between 1 and p")?;
        require(one < y && y < p, "y of a DSA key is not between 1 and p")?;
        let numbers = DsaNumbers { p: Modulus::new(p)?, q: Modulus::new(q)?, bases: [g.into(), y.into()] };
        Ok(Self { shared: Arc::new(numbers) })
    }

    /// The prime of the field.
    pub fn p(&self) -> &Natural {
        self.shared.p.value()
    }

    /// The order of g.
    pub fn q(&self) -> &Natural {
        self.shared.q.value()
    }

    /// The generator.
    pub fn g(&self) -> &Natural {
        self.shared.bases[0].magnitude()
    }

    /// The public value.
    pub fn y(&self) -> &Natural {
        self.shared.bases[1].magnitude()
    }

    pub(crate) fn has_fips_sizes(&self) -> bool {
        FIPS_PAIRS.contains(&(self.p().bits(), self.q().bits()))
    }

    /// Whether both have the same p, q and g.
    pub(crate) fn shares_domain(&self, other: &DsaKey) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
            || (self.p() == other.p() && self.q() == other.q() && self.g() == other.g())
    }
}

impl RsaKey {
    /// The longest n, in bits.
    pub const LONGEST_BITS: u64 = 16_384;

    /// Checks ranges: n odd, of at most 16,384 bits; e odd, 3 <= e < n, and of at most 64 bits where n has more than 3072.
    ///
    /// Errors: `too_long`; `bad_argument` says which number is out of range.
    pub fn new(n: Natural, e: Natural) -> Result<Self, Error> {
        Self::restricted(n, e, None)
    }

    /// Checks a key that is restricted to RSASSA-PSS.
    ///
    /// Errors: as [`RsaKey::new`]; `bad_argument` if no signature modulo n has the salt that the restriction demands.
    pub fn restricted(n: Natural, e: Natural, restriction: Option<PssRestriction>) -> Result<Self, Error> {
        check_length("n", &n, Self::LONGEST_BITS)?;
        check_length("e", &e, if n.bits() > LONG_RSA_BITS { LONGEST_EXPONENT_BITS } else { Self::LONGEST_BITS })?;
        require(!n.is_even(), "n of an RSA key is even")?;
        require(!e.is_even() && !e.is_one(), "e of an RSA key is even or 1")?;
        require(e < n, "e of an RSA key is not below n")?;
        if let Some(parameters) = restriction.and_then(|restriction| restriction.parameters) {
            let least = (parameters.hash.width() + 2).saturating_add(parameters.least_salt);
            let fits = least as u64 <= (n.bits() - 1).div_ceil(8);
            require(fits, "n of an RSA key is too short for the salt that the key demands")?;
        }
        Ok(Self { shared: Arc::new(RsaNumbers { n: Modulus::new(n)?, e: e.into(), restriction }) })
    }

    /// The modulus.
    pub fn n(&self) -> &Natural {
        self.shared.n.value()
    }

    /// The public exponent.
    pub fn e(&self) -> &Natural {
        self.shared.e.magnitude()
    }

    /// The restriction of a key of type id-RSASSA-PSS; none for other keys. Every verification obeys it: what it does not allow is not
    /// valid, by the reason `policy`.
    pub fn restriction(&self) -> Option<PssRestriction> {
        self.shared.restriction
    }

    /// The lengths of FIPS 186-4 and 186-5: 1024 bits, or an even number of at least 2048; e between 2^16 and 2^256.
    pub(crate) fn has_fips_sizes(&self) -> bool {
        let (n, e) = (self.n().bits(), self.e().bits());
        (n == 1024 || (n >= 2048 && n.is_multiple_of(2))) && (17..=256).contains(&e)
    }
}

impl PublicKey {
    /// `dsa` or `rsa`.
    pub fn kind(&self) -> &'static str {
        match self {
            PublicKey::Dsa(_) => "dsa",
            PublicKey::Rsa(_) => "rsa",
        }
    }

    /// The length of p, or of n, in bits.
    pub fn bits(&self) -> u64 {
        match self {
            PublicKey::Dsa(key) => key.p().bits(),
            PublicKey::Rsa(key) => key.n().bits(),
        }
    }

    /// What is weak about the key when it is used with this hash function.
    pub fn weaknesses(&self, hash: Hash) -> Weaknesses {
        Weaknesses::of(self, hash)
    }

    pub(crate) fn has_fips_sizes(&self) -> bool {
        match self {
            PublicKey::Dsa(key) => key.has_fips_sizes(),
            PublicKey::Rsa(key) => key.has_fips_sizes(),
        }
    }
}

impl From<DsaKey> for PublicKey {
    fn from(key: DsaKey) -> Self {
        PublicKey::Dsa(key)
    }
}

impl From<RsaKey> for PublicKey {
    fn from(key: RsaKey) -> Self {
        PublicKey::Rsa(key)
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (PublicKey::Dsa(a), PublicKey::Dsa(b)) => a.shares_domain(b) && a.y() == b.y(),
            (PublicKey::Rsa(a), PublicKey::Rsa(b)) => {
                a.n() == b.n() && a.e() == b.e() && a.restriction() == b.restriction()
            }
            _ => false,
        }
    }
}
