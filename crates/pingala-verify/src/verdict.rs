//! What is said of a signature.

use crate::Hash;
use crate::key::{DsaKey, PublicKey, RsaKey};
use crate::load::quoted;
use pingala_core::Error;

/// Whether a signature is valid, and if not, why; apart from that, what is weak about the key and the hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub(crate) reason: Option<Reason>,
    pub(crate) weaknesses: Weaknesses,
}

impl Verdict {
    /// Whether the signature is valid under the policy.
    pub fn is_valid(&self) -> bool {
        self.reason.is_none()
    }

    /// Why it is not valid.
    pub fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// What is weak about the key and the hash function, whether the signature is valid or not.
    pub fn weaknesses(&self) -> Weaknesses {
        self.weaknesses
    }
}

/// Writes an enumeration whose variants have a stable name and a sentence.
macro_rules! coded {
    ($(#[$doc:meta])* $type:ident { $($(#[$of:meta])* $variant:ident $code:literal $sentence:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$of])* $variant),*
        }

        impl $type {
            /// A stable name, such as `mismatch` or `order_not_prime`.
            pub fn code(self) -> &'static str {
                match self {
                    $($type::$variant => $code),*
                }
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(match self {
                    $($type::$variant => $sentence),*
                })
            }
        }
    };
}
pub(crate) use coded;

coded! {
    /// Why a signature is not valid.
    Reason {
        /// The equation does not hold: another message, another key, or no signature.
        Mismatch "mismatch" "the signature does not belong to this message and key";
        /// The bytes of the signature are not what its encoding demands.
        BadEncoding "bad_encoding" "the bytes of the signature are not in the stated encoding";
        /// A number of the signature is out of range: r or s of DSA is 0 or not below q; s of RSA is not below n.
        OutOfRange "out_of_range" "a number of the signature is out of range";
        /// The policy refuses the sizes of the key or the hash function, or the key is restricted to another scheme, another hash function,
        /// another mask or a longer salt.
        Policy "policy" "the policy refuses the key or the hash function, or the key refuses the scheme";
        /// The modulus of an RSA key is too short for the padding of this hash function.
        KeyTooShort "key_too_short" "the key is too short for the padding";
    }
}

/// A set of weaknesses. Each is a bit, and has a stable name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Weaknesses(u32);

impl Weaknesses {
    /// Less than 112 bits of security by NIST SP 800-57: p or n below 2048 bits, or q below 224.
    pub const SHORT_KEY: Weaknesses = Weaknesses(1);
    /// Collisions of SHA-1 can be made.
    pub const SHA1: Weaknesses = Weaknesses(2);
    /// The lengths of p and q are no pair of FIPS 186-4, or n has fewer than 1024 bits or an odd number of them.
    pub const ODD_SIZES: Weaknesses = Weaknesses(4);
    /// The public exponent of an RSA key is below 65537.
    pub const SMALL_EXPONENT: Weaknesses = Weaknesses(8);
    /// The digest is shorter than q, so that forging is only a question of the hash function.
    pub const SHORT_DIGEST: Weaknesses = Weaknesses(16);

    const NAMES: [(Weaknesses, &'static str); 5] = [
        (Self::SHORT_KEY, "short_key"),
        (Self::SHA1, "sha1"),
        (Self::ODD_SIZES, "odd_sizes"),
        (Self::SMALL_EXPONENT, "small_exponent"),
        (Self::SHORT_DIGEST, "short_digest"),
    ];

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `others` are among them.
    pub fn contains(self, others: Weaknesses) -> bool {
        self.0 & others.0 == others.0
    }

    /// The stable names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(move |(one, _)| self.contains(*one)).map(|(_, name)| name)
    }

    fn with(self, is_so: bool, weakness: Weaknesses) -> Self {
        if is_so { Self(self.0 | weakness.0) } else { self }
    }

    /// Of a key used with a hash function.
    pub(crate) fn of(key: &PublicKey, hash: Hash) -> Self {
        let own = match key {
            PublicKey::Dsa(key) => Self::of_dsa(key, hash),
            PublicKey::Rsa(key) => Self::of_rsa(key),
        };
        own.with(hash == Hash::Sha1, Self::SHA1)
    }

    fn of_dsa(key: &DsaKey, hash: Hash) -> Self {
        let (p, q) = (key.p().bits(), key.q().bits());
        Self::default()
            .with(p < 2048 || q < 224, Self::SHORT_KEY)
            .with(!key.has_fips_sizes(), Self::ODD_SIZES)
            .with((hash.width() as u64) * 8 < q, Self::SHORT_DIGEST)
    }

    fn of_rsa(key: &RsaKey) -> Self {
        let n = key.n().bits();
        Self::default()
            .with(n < 2048, Self::SHORT_KEY)
            .with(n < 1024 || n % 2 == 1, Self::ODD_SIZES)
            .with(key.e().bits() <= 16, Self::SMALL_EXPONENT)
    }
}

impl core::str::FromStr for Weaknesses {
    type Err = Error;

    /// Names with commas between, such as `sha1,short_key`.
    fn from_str(names: &str) -> Result<Self, Error> {
        names.split(',').map(str::trim).try_fold(Self::default(), |all, name| {
            let row = Self::NAMES.iter().find(|row| row.1 == name);
            row.map(|row| all.with(true, row.0)).ok_or_else(|| {
                let known = Self::NAMES.map(|row| row.1).join(", ");
                Error::BadArgument(format!("there is no weakness {}; there are {known}", quoted(name)))
            })
        })
    }
}

impl core::fmt::Display for Weaknesses {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(", "))
    }
}
