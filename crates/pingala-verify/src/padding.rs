//! The paddings of RSA signatures (RFC 8017).

use crate::Hash;
use crate::verdict::Reason;
use pingala_core::Natural;

/// How long the salt of PSS is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Salt {
    /// Any length: it is read from the padding.
    #[default]
    Any,
    /// So many bytes, and no other number.
    Bytes(usize),
}

/// The encoded message of PKCS#1 v1.5 (section 9.2), `width` bytes long, as a number. Error: `key_too_short`.
pub(crate) fn pkcs1(hash: Hash, digest: &[u8], width: usize) -> Result<Natural, Reason> {
    const LEAST_PADDING: usize = 11;
    let info = hash.digest_info();
    let length = info.len() + digest.len();
    if width < length + LEAST_PADDING {
        return Err(Reason::KeyTooShort);
    }
    let mut message = vec![0xff; width];
    message[..2].copy_from_slice(&[0, 1]);
    message[width - length - 1] = 0;
    message[width - length..width - digest.len()].copy_from_slice(&info);
    message[width - digest.len()..].copy_from_slice(digest);
    Ok(Natural::from_be_bytes(&message))
}

/// EMSA-PSS-VERIFY (section 9.1.2) of a number below a modulus of `bits` bits. A right salt that is shorter than the key demands is
/// `policy`.
pub(crate) fn pss(
    hash: Hash,
    mgf: Hash,
    (salt, least_salt): (Salt, usize),
    digest: &[u8],
    message: &Natural,
    bits: u64,
) -> Result<(), Reason> {
    let message_bits = bits - 1;
    let width = message_bits.div_ceil(8) as usize;
    let least = (hash.width() + 2).saturating_add(if let Salt::Bytes(bytes) = salt { bytes } else { 0 });
    if width < least {
        return Err(Reason::KeyTooShort);
    }
    // If the modulus has a byte more than the message, that byte has to be 0.
    let encoded = message.to_be_bytes_padded(width).ok_or(Reason::Mismatch)?;
    let (masked, rest) = encoded.split_at(width - hash.width() - 1);
    let (seed, trailer) = rest.split_at(hash.width());
    let unused = 8 * width as u64 - message_bits;
    let in_use = 0xff >> unused;
    if trailer != [0xbc] || masked[0] & !in_use != 0 {
        return Err(Reason::Mismatch);
    }
    let mut block: Vec<u8> = masked.iter().zip(mask(mgf, seed, masked.len())).map(|(a, b)| a ^ b).collect();
    block[0] &= in_use;
    let one = block.iter().position(|&byte| byte != 0).filter(|&at| block[at] == 1).ok_or(Reason::Mismatch)?;
    let found = &block[one + 1..];
    if matches!(salt, Salt::Bytes(bytes) if bytes != found.len()) {
        return Err(Reason::Mismatch);
    }
    if hash.digest_of(&[&[0; 8], digest, found]) != seed {
        return Err(Reason::Mismatch);
    }
    if found.len() < least_salt { Err(Reason::Policy) } else { Ok(()) }
}

/// MGF1 (appendix B.2.1).
fn mask(hash: Hash, seed: &[u8], length: usize) -> impl Iterator<Item = u8> {
    let blocks = 0..length.div_ceil(hash.width()) as u32;
    blocks.flat_map(move |counter| hash.digest_of(&[seed, &counter.to_be_bytes()])).take(length)
}
