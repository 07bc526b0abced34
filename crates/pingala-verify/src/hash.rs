//! Hash functions by their names.

use pingala_core::Error;
use sha1::Digest;

/// Writes the enumeration. A row has a variant and its documentation, Python's name, the width of a digest in bytes, the last arc of its
/// object identifier below 2.16.840.1.101.3.4.2 (SHA-1 has an identifier of its own), and the type that computes it.
macro_rules! hashes {
    ($($variant:ident $doc:literal $name:literal $width:literal $arc:literal $digest:ty;)*) => {
        /// A hash function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Hash {
            $(#[doc = $doc] $variant),*
        }

        /// Name, width and arc of each.
        const ROWS: &[(Hash, &str, usize, u8)] = &[$((Hash::$variant, $name, $width, $arc)),*];

        impl Hash {
            /// All of them.
            pub const ALL: [Hash; ROWS.len()] = [$(Hash::$variant),*];

            /// The digest of several pieces, one after the other.
            pub(crate) fn digest_of(self, pieces: &[&[u8]]) -> Vec<u8> {
                match self {
                    $(Hash::$variant => of::<$digest>(pieces)),*
                }
            }
        }
    };
}

hashes! {
    Sha1 "SHA-1, which is broken: collisions can be made." "sha1" 20 0 sha1::Sha1;
    Sha224 "SHA-224." "sha224" 28 4 sha2::Sha224;
    Sha256 "SHA-256." "sha256" 32 1 sha2::Sha256;
    Sha384 "SHA-384." "sha384" 48 2 sha2::Sha384;
    Sha512 "SHA-512." "sha512" 64 3 sha2::Sha512;
    Sha512_224 "SHA-512/224." "sha512_224" 28 5 sha2::Sha512_224;
    Sha512_256 "SHA-512/256." "sha512_256" 32 6 sha2::Sha512_256;
    Sha3_224 "SHA3-224." "sha3_224" 28 7 sha3::Sha3_224;
    Sha3_256 "SHA3-256." "sha3_256" 32 8 sha3::Sha3_256;
    Sha3_384 "SHA3-384." "sha3_384" 48 9 sha3::Sha3_384;
    Sha3_512 "SHA3-512." "sha3_512" 64 10 sha3::Sha3_512;
}

impl Hash {
    /// The name as Python's hashlib has it, such as `sha256` or `sha512_224`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The length of a digest, in bytes.
    pub fn width(self) -> usize {
        self.row().2
    }

    /// The digest of a message.
    pub fn digest(self, message: &[u8]) -> Vec<u8> {
        self.digest_of(&[message])
    }

    /// What stands before the digest in a DigestInfo (RFC 8017, appendix B.1): algorithm with NULL parameters, then the octet string.
    pub(crate) fn digest_info(self) -> Vec<u8> {
        let (width, oid) = (self.width() as u8, self.oid());
        let algorithm = oid.len() as u8 + 4;
        let mut info = vec![0x30, algorithm + width + 4, 0x30, algorithm, 0x06, oid.len() as u8];
        info.extend(oid);
        info.extend([0x05, 0x00, 0x04, width]);
        info
    }

    /// The content of its object identifier.
    pub(crate) fn oid(self) -> Vec<u8> {
        match self {
            Hash::Sha1 => vec![0x2b, 0x0e, 0x03, 0x02, 0x1a],
            _ => vec![0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, self.row().3],
        }
    }

    fn row(self) -> &'static (Hash, &'static str, usize, u8) {
        &ROWS[self as usize]
    }
}

impl core::str::FromStr for Hash {
    type Err = Error;

    /// By Python's name; capitals, and `-` or `/` for `_`, are accepted: `SHA-256`, `SHA3-256`, `SHA-512/256`.
    fn from_str(name: &str) -> Result<Self, Error> {
        let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '/', '_'], "");
        let row = ROWS.iter().find(|row| plain(row.1) == plain(name));
        row.map(|row| row.0).ok_or_else(|| {
            let names = Hash::ALL.map(Hash::name).join(", ");
            Error::BadArgument(format!("there is no hash function `{name}` here; there are {names}"))
        })
    }
}

impl core::fmt::Display for Hash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

fn of<D: Digest>(pieces: &[&[u8]]) -> Vec<u8> {
    let mut state = D::new();
    pieces.iter().for_each(|piece| state.update(piece));
    state.finalize().to_vec()
}

#[cfg(test)]
#[path = "../tests/inside/hash.rs"]
mod tests;
