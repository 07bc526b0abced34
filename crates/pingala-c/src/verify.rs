//! Signatures: keys, and lists that are verified by shared work.

use crate::explain::Reader;
use crate::length::Cap;
use crate::memory::{In, Out, Rows, Text, given, hand_out, take_back};
use crate::options::{PingalaOptions, under};
use crate::status::{bad_argument, enter, number, reason_number};
use core::mem::MaybeUninit;
use pingala_core::Error;
use pingala_verify::{
    Check, Depth, DsaKey, Encoding, Hash, Message, Policy, PublicKey, RsaKey, Salt, Scheme, Signature, Verdict,
    Weaknesses, explain_verify_list, verify_list,
};

/// Scheme: DSA. A scheme is one of these three, with a hash function and flags added, such as PINGALA_DSA | PINGALA_SHA256.
pub const PINGALA_DSA: u32 = 1;
/// Scheme: RSA with the padding of PKCS#1 v1.5.
pub const PINGALA_RSA_PKCS1: u32 = 2;
/// Scheme: RSA with PSS. The salt may have any length unless pingala_options_set_salt says which. Without a hash function, or without
/// one of the mask, the key says which (pingala_key_scheme).
pub const PINGALA_RSA_PSS: u32 = 3;

/// Defines the constants of hash functions, and the table of all.
macro_rules! hashes {
    ($($name:ident = $number:literal, $hash:ident;)*) => {
        $(
            /// Hash function of a scheme.
            pub const $name: u32 = $number << 8;
        )*

        /// The hash functions of the constants.
        const HASHES: [(u32, Hash); 11] = [$(($name, Hash::$hash)),*];
    };
}

hashes! {
    PINGALA_SHA1 = 1, Sha1;
    PINGALA_SHA224 = 2, Sha224;
    PINGALA_SHA256 = 3, Sha256;
    PINGALA_SHA384 = 4, Sha384;
    PINGALA_SHA512 = 5, Sha512;
    PINGALA_SHA512_224 = 6, Sha512_224;
    PINGALA_SHA512_256 = 7, Sha512_256;
    PINGALA_SHA3_224 = 8, Sha3_224;
    PINGALA_SHA3_256 = 9, Sha3_256;
    PINGALA_SHA3_384 = 10, Sha3_384;
    PINGALA_SHA3_512 = 11, Sha3_512;
}

/// The hash function of the mask of PINGALA_RSA_PSS is a constant above, shifted by this number of bits. Without one it is that of the
/// key, or that of the message.
pub const PINGALA_MGF_SHIFT: u32 = 8;
/// Flag of a scheme: r and s of DSA, each as wide as q, follow each other (IEEE P1363). Without a flag they are in DER.
pub const PINGALA_P1363: u32 = 1 << 24;
/// Flag of a scheme: signatures as OpenSSH has them, the name of the algorithm and a blob, both with their lengths (RFC 4253).
pub const PINGALA_SSH: u32 = 1 << 25;
/// Flag of a scheme: integers in DER may be padded, and lengths long.
pub const PINGALA_LENIENT: u32 = 1 << 26;
/// Flag of a scheme: signatures as OpenPGP has them, r and s, or s, each behind its length in bits (RFC 9580).
pub const PINGALA_OPENPGP: u32 = 1 << 27;
/// Flag of a scheme: only the sizes of FIPS 186 are accepted.
pub const PINGALA_STRICT: u32 = 1 << 28;

/// Flag of a scheme: as PINGALA_STRICT, and no weakness is accepted.
pub const PINGALA_MODERN: u32 = 1 << 29;

/// Weakness: less than 112 bits of security.
pub const PINGALA_SHORT_KEY: u32 = 1;
/// Weakness: SHA-1.
pub const PINGALA_BROKEN_HASH: u32 = 2;
/// Weakness: lengths that FIPS 186 does not have.
pub const PINGALA_ODD_SIZES: u32 = 4;
/// Weakness: a public exponent below 65537.
pub const PINGALA_SMALL_EXPONENT: u32 = 8;
/// Weakness: a digest shorter than q.
pub const PINGALA_SHORT_DIGEST: u32 = 16;

/// A public key. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct PingalaKey(PublicKey);

entry! {
    /// Makes a key of DSA after checking the ranges: p and q odd, q < p, 1 < g < p, 1 < y < p, at most 10,000 bits. Errors:
    /// PINGALA_BAD_ARGUMENT, PINGALA_TOO_LONG.
    pingala_key_new_dsa_be(key: new PingalaKey, p[p_len]: In, q[q_len]: In, g[g_len]: In, y[y_len]: In) {
        let natural = |number: In<u8>, what| number.natural(Cap::of(what, DsaKey::LONGEST_BITS));
        Ok(PingalaKey(DsaKey::new(natural(p, "p")?, natural(q, "q")?, natural(g, "g")?, natural(y, "y")?)?.into()))
    }
}

entry! {
    /// Makes a key of RSA after checking the ranges: n odd, of at most 16,384 bits, e odd, 1 < e < n, of at most 64
    /// bits if n has more than 3072. Errors as
    /// pingala_key_new_dsa_be.
    pingala_key_new_rsa_be(key: new PingalaKey, n[n_len]: In, e[e_len]: In) {
        let natural = |number: In<u8>, what| number.natural(Cap::of(what, RsaKey::LONGEST_BITS));
        Ok(PingalaKey(RsaKey::new(natural(n, "n")?, natural(e, "e")?)?.into()))
    }
}

entry! {
    /// Makes a key from the bytes of a file: PEM or DER of a SubjectPublicKeyInfo, of PKCS#1 or of an X.509 certificate, or a line of
    /// OpenSSH (`ssh-rsa ...`, `ssh-dss ...`). What restricts the key is obeyed (pingala_key_salt), or the key is refused. Errors as
    /// pingala_key_new_dsa_be.
    pingala_key_load(key: new PingalaKey, data[data_len]: In) {
        PublicKey::load(data.units()?).map(PingalaKey)
    }
}

/// Frees a key; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_key_free(key: *mut PingalaKey) {
    // SAFETY: the contract of the header.
    unsafe { take_back(key) }
}

/// PINGALA_DSA, or PINGALA_RSA_PKCS1 for RSA. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_key_kind(key: Option<&PingalaKey>) -> u32 {
    match key.map(|key| &key.0) {
        Some(PublicKey::Dsa(_)) => PINGALA_DSA,
        Some(_) => PINGALA_RSA_PKCS1,
        None => 0,
    }
}

/// The scheme with the hash functions that the key says where PINGALA_RSA_PSS has none: those of a key of type id-RSASSA-PSS with
/// parameters, otherwise SHA-256 and for the mask that of the message. Other schemes are returned unchanged. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_key_scheme(key: Option<&PingalaKey>, scheme: u32) -> u32 {
    let Some(key) = key else { return 0 };
    let (hash, mgf) = (scheme & HASH, scheme >> PINGALA_MGF_SHIFT & HASH);
    if scheme & 0xff != PINGALA_RSA_PSS || hash != 0 && mgf != 0 {
        return scheme;
    }
    let wanted = Scheme::RsaPssOfKey { hash: hash_at(hash).ok(), mgf: hash_at(mgf).ok(), salt: Salt::Any };
    match wanted.with_key(&key.0) {
        Scheme::RsaPss { hash, mgf, .. } => {
            scheme & !0xff_ff00 | constant_of(hash) | constant_of(mgf) << PINGALA_MGF_SHIFT
        }
        _ => scheme,
    }
}

/// The length of the shortest salt that a key of type id-RSASSA-PSS allows, in bytes: such a key verifies only PINGALA_RSA_PSS, with only its
/// hash functions (pingala_key_scheme); everything else is PINGALA_POLICY. -1 for a key that is not restricted, and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_key_salt(key: Option<&PingalaKey>) -> i64 {
    match key.map(|key| &key.0) {
        Some(PublicKey::Rsa(key)) => key.restriction().map_or(-1, |restriction| {
            restriction.parameters.map_or(0, |parameters| i64::try_from(parameters.least_salt).unwrap_or(i64::MAX))
        }),
        _ => -1,
    }
}

/// The length of p, or of n, in bits. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_key_bits(key: Option<&PingalaKey>) -> u64 {
    key.map_or(0, |key| key.0.bits())
}

/// What is weak about a key used with a scheme, as the sum of its bits, PINGALA_SHORT_KEY and the following. 0 for NULL or a
/// scheme that is none.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_key_weaknesses(key: Option<&PingalaKey>, scheme: u32) -> u32 {
    let bits = [
        (Weaknesses::SHORT_KEY, PINGALA_SHORT_KEY),
        (Weaknesses::SHA1, PINGALA_BROKEN_HASH),
        (Weaknesses::ODD_SIZES, PINGALA_ODD_SIZES),
        (Weaknesses::SMALL_EXPONENT, PINGALA_SMALL_EXPONENT),
        (Weaknesses::SHORT_DIGEST, PINGALA_SHORT_DIGEST),
    ];
    key.zip(hash_at(pingala_key_scheme(key, scheme) & HASH).ok()).map_or(0, |(key, hash)| {
        let weaknesses = key.0.weaknesses(hash);
        bits.into_iter().filter(|(one, _)| weaknesses.contains(*one)).fold(0, |all, (_, bit)| all | bit)
    })
}

entry! {
    /// Checks a key: `*defects` is a set of bits, 0 for none, of which the message names each. `depth` is 0 for only the
    /// ranges; 1 for subgroups, q | p - 1, g^q = y^q = 1; 2 for the primality of p and q too, or that n is composite, no power, and
    /// without a small factor. 1: q does not divide p - 1; 2 and 4: g, y not in the subgroup; 8 and 16: p, q not prime; 32: n prime; 64: a small factor; 128: n is a power.
    /// The call reads threads, kernel and watch of the options. Errors: PINGALA_BAD_ARGUMENT, PINGALA_INTERRUPTED.
    pingala_key_validate(key: &PingalaKey, depth: u32, defects: place u32, options, message: message) {
        let depths = [Depth::Ranges, Depth::Subgroup, Depth::Primes];
        let depth = depths.get(depth as usize).ok_or_else(|| bad_argument("depth is none of 0, 1, 2"))?;
        let defects = defects.ok_or_else(|| bad_argument("defects is NULL"))?;
        let found = under(options, |options| key.0.validate_with(*depth, options))?;
        defects.write(found.iter().fold(0, |bits, defect| bits | 1 << (*defect as u32)));
        let sentences: Vec<String> = found.iter().map(ToString::to_string).collect();
        message.write(&sentences.join("; "));
        Ok(())
    }
}

entry! {
    /// The digest of a message under the hash function of a scheme. `out` must have at least its width, which `*needed` receives unless
    /// it is NULL.
    pingala_hash(out[out_len]: Out, needed: place usize, scheme: u32, message[message_len]: In) {
        let hash = hash_at(scheme & HASH)?;
        needed.map(|needed| needed.write(hash.width()));
        out.holds(hash.width())?;
        let digest = hash.digest(message.units()?);
        out.fill(|out| out.iter_mut().zip(digest).for_each(|(to, byte)| _ = to.write(byte)))
    }
}

entry! {
    /// Verifies `count` signatures. `verdicts[i]` is 1 if signature i is valid, otherwise 0, and `status[i]` is the reason: PINGALA_OK
    /// if it is valid, PINGALA_MISMATCH and the following if it is not, another status for a key that does not suit the scheme. A key
    /// that is restricted to PSS, or to hash functions and salts of it, is PINGALA_POLICY with anything else.
    /// `verdicts` is set to 0 first, so that a call that fails leaves no 1. `status` may be NULL.
    ///
    /// Signature i has the key keys[key_of[i]], or keys[i] if `key_of` is NULL; the digest at digests + i * digest_width, as wide as
    /// the hash function makes it; and the bytes of `signatures` from ends[i - 1] (0 for the first) to ends[i].
    ///
    /// Keys with the same p, q and g share work, and signatures of one key share more. The call reads threads, kernel, watch and salt of
    /// the options. Errors: PINGALA_BAD_ARGUMENT, PINGALA_INTERRUPTED.
    pingala_verify_list(
        verdicts: only *mut u8, status: only *mut i32, keys: only *const Option<&PingalaKey>, key_of: only *const u32,
        digests: only *const u8, digest_width: only usize, signatures: only *const u8, ends: only *const u64,
        count: only usize, verdicts = Out::new(verdicts, count),
        status = Out::new(status, if status.is_null() { 0 } else { count }),
        list = Signatures::new(keys, key_of, digests, digest_width, signatures, ends, count), scheme: u32, options
    ) {
        list.check_lengths()?;
        verdicts.fill(|verdicts| verdicts.fill(MaybeUninit::new(0)))?;
        let scheme = Wanted::read(scheme, options)?;
        let bytes = list.bytes()?;
        let checks = list.checks(&bytes, &scheme)?;
        let said: Vec<_> = under(options, |options| verify_list(&checks, scheme.policy, options))?;
        let said: Vec<(bool, i32)> = said.iter().map(said_of).collect();
        verdicts.fill(|to| to.iter_mut().zip(&said).for_each(|(to, said)| _ = to.write(said.0.into())))?;
        status.fill(|to| to.iter_mut().zip(&said).for_each(|(to, said)| _ = to.write(said.1)))
    }
}

entry! {
    /// The plan of pingala_verify_list for these signatures, as text: a line for each group, with its expected time on one thread. `text`
    /// and `needed` are as in pingala_modulus_explain_be.
    pingala_explain_verify_list(
        text: Reader, keys: only *const Option<&PingalaKey>, key_of: only *const u32, digests: only *const u8,
        digest_width: only usize, signatures: only *const u8, ends: only *const u64, count: only usize,
        list = Signatures::new(keys, key_of, digests, digest_width, signatures, ends, count), scheme: u32, options
    ) {
        let scheme = Wanted::read(scheme, options)?;
        let bytes = list.bytes()?;
        text.take(&explain_verify_list(&list.checks(&bytes, &scheme)?, scheme.policy)?)
    }
}

/// The signatures of a call.
struct Signatures<'a> {
    keys: *const Option<&'a PingalaKey>,
    key_of: In<u32>,
    digests: Rows<u8>,
    bytes: *const u8,
    ends: In<u64>,
}

impl<'a> Signatures<'a> {
    /// # Safety
    ///
    /// Until the call returns, each pointer is NULL or has what the header says: `key_of` and `ends` of `count` elements, `count`
    /// digests, all keys that `key_of` names or `count` ones, and the bytes up to the last end.
    unsafe fn new(
        keys: *const Option<&'a PingalaKey>,
        key_of: *const u32,
        digests: *const u8,
        digest_width: usize,
        bytes: *const u8,
        ends: *const u64,
        count: usize,
    ) -> Self {
        // SAFETY: the same contract.
        unsafe {
            Self {
                keys,
                key_of: In::new(key_of, count, "key_of"),
                digests: Rows::new(digests, digest_width, count, "digests"),
                bytes,
                ends: In::new(ends, count, "ends"),
            }
        }
    }

    /// Error: `bad_argument` for more signatures than memory can hold: there is no room for their verdicts either.
    fn check_lengths(&self) -> Result<(), Error> {
        self.key_of.check_length()?;
        self.ends.check_length()
    }

    /// The bytes of all signatures.
    fn bytes(&self) -> Result<In<u8>, Error> {
        let total = self.ends.units()?.last().copied().unwrap_or(0);
        let total = usize::try_from(total).map_err(|_| bad_argument("ends are beyond the memory"))?;
        // SAFETY: `new` promises the bytes up to the last end.
        Ok(unsafe { In::new(self.bytes, total, "signatures") })
    }

    fn checks<'b>(&'b self, bytes: &'b In<u8>, wanted: &Wanted) -> Result<Vec<Check<'b>>, Error> {
        let (ends, bytes) = (self.ends.units()?, bytes.units()?);
        let places = if self.key_of.is_null() { None } else { Some(self.key_of.units()?) };
        if self.keys.is_null() && !ends.is_empty() {
            return Err(bad_argument("keys is NULL"));
        }
        let mut start = 0;
        let check = |((index, &end), digest)| {
            let signature = usize::try_from(end).ok().and_then(|end| bytes.get(start..end));
            let signature = signature
                .ok_or_else(|| bad_argument(format!("ends[{index}] is below the one before, or beyond the last")))?;
            start += signature.len();
            let at = places.map_or(index, |places| places[index] as usize);
            // SAFETY: it is one of the keys, by the contract of `new`.
            let key = unsafe { *self.keys.add(at) };
            let key = &key.ok_or_else(|| bad_argument(format!("keys[{at}] is NULL")))?.0;
            let (message, signature) = (Message::Digest(digest), Signature::Bytes(signature, wanted.encoding));
            Ok(Check { key, scheme: wanted.scheme, message, signature })
        };
        ends.iter().enumerate().zip(self.digests.each()?).map(check).collect()
    }
}

/// Whether it is valid, and the status.
fn said_of(verdict: &Result<Verdict, Error>) -> (bool, i32) {
    match verdict {
        Ok(verdict) => (verdict.is_valid(), verdict.reason().map_or(0, reason_number)),
        Err(error) => (false, number(error)),
    }
}

/// A scheme as the C ABI has it.
struct Wanted {
    scheme: Scheme,
    encoding: Encoding,
    policy: Policy,
}

/// The bits of a scheme that name its hash function.
const HASH: u32 = 0xff00;

fn constant_of(hash: Hash) -> u32 {
    HASHES.iter().find(|row| row.1 == hash).map_or(0, |row| row.0)
}

/// The hash function of these bits. Error: `bad_argument`.
fn hash_at(bits: u32) -> Result<Hash, Error> {
    let row = HASHES.iter().find(|row| row.0 == bits);
    row.map(|row| row.1).ok_or_else(|| bad_argument("the scheme has no hash function"))
}

impl Wanted {
    /// Error: `bad_argument`.
    fn read(scheme: u32, options: Option<&PingalaOptions>) -> Result<Self, Error> {
        const ENCODINGS: u32 = PINGALA_P1363 | PINGALA_SSH | PINGALA_LENIENT | PINGALA_OPENPGP;
        const FLAGS: u32 = ENCODINGS | PINGALA_STRICT | PINGALA_MODERN;
        let mgf = scheme >> PINGALA_MGF_SHIFT & HASH;
        // None for no bits, which are good if the key names one.
        let hash_or_key = |bits: u32| if bits == 0 { Ok(None) } else { hash_at(bits).map(Some) };
        if scheme >> 24 & !(FLAGS >> 24) != 0 {
            return Err(bad_argument("the scheme has an unknown flag"));
        }
        let of = match scheme & 0xff {
            PINGALA_DSA => Scheme::Dsa(hash_at(scheme & HASH)?),
            PINGALA_RSA_PKCS1 => Scheme::RsaPkcs1(hash_at(scheme & HASH)?),
            PINGALA_RSA_PSS => {
                let salt = options.and_then(|options| options.salt).map_or(Salt::Any, Salt::Bytes);
                Scheme::RsaPssOfKey { hash: hash_or_key(scheme & HASH)?, mgf: hash_or_key(mgf)?, salt }
            }
            _ => return Err(bad_argument("the scheme is none of PINGALA_DSA, PINGALA_RSA_PKCS1, PINGALA_RSA_PSS")),
        };
        if mgf != 0 && !matches!(of, Scheme::RsaPssOfKey { .. }) {
            return Err(bad_argument("a mask's hash function is for PINGALA_RSA_PSS alone"));
        }
        let encoding = match scheme & ENCODINGS {
            0 => Encoding::Der,
            PINGALA_P1363 => Encoding::Raw,
            PINGALA_SSH => Encoding::Ssh,
            PINGALA_LENIENT => Encoding::Lenient,
            PINGALA_OPENPGP => Encoding::OpenPgp,
            _ => return Err(bad_argument("the flags of the scheme name more than one encoding")),
        };
        let policy = match scheme & (PINGALA_STRICT | PINGALA_MODERN) {
            0 => Policy::Legacy,
            PINGALA_STRICT => Policy::Strict,
            _ => Policy::Modern,
        };
        Ok(Self { scheme: of, encoding, policy })
    }
}
