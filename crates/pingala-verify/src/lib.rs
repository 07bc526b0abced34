//! Signatures verified by shared work: DSA and RSA, one or an archive of millions. Nothing is signed and no key is generated. Secret is only
//! [`RsaPrivateKey`]: private keys from files, for the raw operation.
//!
//! ```
//! use pingala_verify::{Check, Hash, Policy, PublicKey, Scheme, verify};
//! # let (key, message, signature) = (include_bytes!("../tests/data/rsa.pem"), b"Pingala\n", include_bytes!("../tests/data/rsa.sig"));
//! let key = PublicKey::load(key)?;
//! let verdict = verify(&Check::new(&key, Scheme::RsaPkcs1(Hash::Sha256), message, signature), Policy::Legacy)?;
//! assert!(verdict.is_valid());
//! # Ok::<(), pingala::Error>(())
//! ```
//!
//! [`verify_list`] takes any number of checks, of any mix of keys and schemes, and shares what can be shared.

mod certificate;
mod check;
mod dsa;
mod hash;
mod key;
mod list;
mod load;
mod openssh;
mod padding;
mod pem;
mod pieces;
mod private;
mod restriction;
mod seed;
mod signature;
mod validate;
mod verdict;
mod wire;

pub use check::{Check, Message, Policy, Scheme};
pub use hash::Hash;
pub use key::{DsaKey, PublicKey, RsaKey};
pub use list::{explain_verify_list, verify, verify_list};
pub use load::base64;
pub use padding::Salt;
pub use private::RsaPrivateKey;
pub use restriction::{PssParameters, PssRestriction};
pub use seed::DsaSeed;
pub use signature::{Encoding, Signature};
pub use validate::{Defect, Depth};
pub use verdict::{Reason, Verdict, Weaknesses};

/// The example of the package's page is compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
