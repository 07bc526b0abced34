//! Hash functions by their names.

use pingala::Error;
use sha1::Digest;

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// SHA-1, which is broken: collisions can be made.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-512/224.
    Sha512_224,
    /// SHA-512/256.
    Sha512_256,
    /// SHA3-224.
    Sha3_224,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
}

/// One row a hash function: Python's name, the width of a digest in bytes, and the last two arcs by which its object identifier ends
/// below 2.16.840.1.101.3.4.2 (SHA-1 has an identifier of its own).
const ROWS: [(Hash, &str, usize, u8); 11] = [
    (Hash::Sha1, "sha1", 20, 0),
    (Hash::Sha224, "sha224", 28, 4),
    (Hash::Sha256, "sha256", 32, 1),
    (Hash::Sha384, "sha384", 48, 2),
    (Hash::Sha512, "sha512", 64, 3),
    (Hash::Sha512_224, "sha512_224", 28, 5),
    (Hash::Sha512_256, "sha512_256", 32, 6),
    (Hash::Sha3_224, "sha3_224", 28, 7),
    (Hash::Sha3_256, "sha3_256", 32, 8),
    (Hash::Sha3_384, "sha3_384", 48, 9),
    (Hash::Sha3_512, "sha3_512", 64, 10),
];

impl Hash {
    /// All of them.
    pub const ALL: [Hash; 11] = {
        let mut all = [Hash::Sha1; 11];
        let mut at = 0;
        while at < all.len() {
            all[at] = ROWS[at].0;
            at += 1;
        }
        all
    };

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

    /// The digest of several pieces, one after the other.
    pub(crate) fn digest_of(self, pieces: &[&[u8]]) -> Vec<u8> {
        match self {
            Hash::Sha1 => of::<sha1::Sha1>(pieces),
            Hash::Sha224 => of::<sha2::Sha224>(pieces),
            Hash::Sha256 => of::<sha2::Sha256>(pieces),
            Hash::Sha384 => of::<sha2::Sha384>(pieces),
            Hash::Sha512 => of::<sha2::Sha512>(pieces),
            Hash::Sha512_224 => of::<sha2::Sha512_224>(pieces),
            Hash::Sha512_256 => of::<sha2::Sha512_256>(pieces),
            Hash::Sha3_224 => of::<sha3::Sha3_224>(pieces),
            Hash::Sha3_256 => of::<sha3::Sha3_256>(pieces),
            Hash::Sha3_384 => of::<sha3::Sha3_384>(pieces),
            Hash::Sha3_512 => of::<sha3::Sha3_512>(pieces),
        }
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
            let names = ROWS.map(|row| row.1).join(", ");
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
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_enumeration() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.0 as usize, at);
            assert_eq!(row.1.parse::<Hash>(), Ok(row.0));
            assert_eq!(row.0.digest(b"").len(), row.2);
        }
        assert_eq!("SHA-512/256".parse::<Hash>(), Ok(Hash::Sha512_256));
        assert!("md5".parse::<Hash>().is_err());
    }
}
