//! The file of a fixed base's tables; docs/tables.md describes it.
//!
//! ```text
//! modulus, base             fields, little-endian
//! exponent bits             u64
//! parts                     u32
//! for each part             odd u32, bits of a limb u32, limbs u64, scaling bits u64, exponent bits u64, entries u64,
//!                           method, a field of text
//! zeros                     up to a multiple of 64 bytes
//! for each part             the words of its entries, u64 little-endian, then zeros up to a multiple of 64 bytes
//! ```

use super::sealed::{self, FileKind, Reader, Writer};
use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::error::Error;
use crate::kernel::registry::Layout;
use crate::natural::Natural;
use crate::table::Table;
use core::ops::Range;
use std::io::Write;

/// The kind of a file of tables.
pub(crate) const KIND: FileKind = FileKind { magic: *b"pingalaT", version: 1, name: "table" };

/// Words start at a multiple of this many bytes of the payload, and so of the file.
const ALIGNMENT: usize = 64;

/// Longest numbers and exponents in a file, in bits: what the library takes by default.
const MAX_MODULUS_BITS: u64 = 1 << 24;
const MAX_EXPONENT_BITS: u64 = 1 << 26;

/// One part of a file. Its words are a range of bytes of the payload.
pub(crate) type StoredPart = Table<Range<usize>>;

/// The tables of a file, without their words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) modulus: Natural,
    pub(crate) base: Natural,
    pub(crate) exponent_bits: u64,
    pub(crate) parts: Vec<StoredPart>,
}

impl StoredPart {
    /// The words of some entries.
    pub(crate) fn words_of<'p>(
        &self,
        payload: &'p [u8],
        entries: Range<usize>,
    ) -> impl ExactSizeIterator<Item = u64> + use<'p> {
        let bytes = self.layout.bytes();
        let words = &payload[self.words.start + entries.start * bytes..][..entries.len() * bytes];
        words.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))
    }

    /// Whether a limb has no bits above its top.
    pub(crate) fn is_limb(&self, word: u64) -> bool {
        word.checked_shr(self.layout.limb_bits).is_none_or(|above| above == 0)
    }

    /// The number of an entry's limbs, scaled; none if a limb has bits above its top.
    pub(crate) fn raw_entry(&self, payload: &[u8], index: usize) -> Option<Natural> {
        let bits = self.layout.limb_bits as usize;
        let mut limbs = vec![0u64; (bits * self.layout.limbs).div_ceil(64) + 1];
        for (at, word) in self.words_of(payload, index..index + 1).enumerate() {
            if !self.is_limb(word) {
                return None;
            }
            let (limb, shift) = (at * bits / 64, at * bits % 64);
            limbs[limb] |= word << shift;
            limbs[limb + 1] |= (word >> 1) >> (63 - shift);
        }
        Some(Natural::from_limbs(&limbs))
    }
}

impl Stored {
    /// Makes everything before the words, and sets the ranges of the parts. Returns the length of the payload too.
    fn header(&mut self) -> (Vec<u8>, usize) {
        let mut out = Vec::new();
        sealed::field(&mut out, &self.modulus.to_le_bytes());
        sealed::field(&mut out, &self.base.to_le_bytes());
        out.extend(self.exponent_bits.to_le_bytes());
        out.extend((self.parts.len() as u32).to_le_bytes());
        for part in &self.parts {
            let Layout { odd, limb_bits, limbs, .. } = part.layout;
            out.extend(u32::from(odd).to_le_bytes());
            out.extend(limb_bits.to_le_bytes());
            for number in [limbs, part.layout.scaling_bits(), part.exponent_bits, part.entries()] {
                out.extend((number as u64).to_le_bytes());
            }
            sealed::field(&mut out, part.algorithm.to_string().as_bytes());
        }
        out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
        let mut end = out.len();
        for part in &mut self.parts {
            let bytes = part.entries() * part.layout.bytes();
            part.words = end..end + bytes;
            end = part.words.end.next_multiple_of(ALIGNMENT);
        }
        (out, end)
    }

    /// Writes a file of the length that `start` gets; `entries` gives each entry of a part in turn. Returns what is left to finish.
    /// Error: `bad_file`.
    pub(crate) fn write<W: Write>(
        mut self,
        start: impl FnOnce(u64) -> Result<Writer<W>, Error>,
        mut entries: impl FnMut(usize, &mut dyn FnMut(&[u64]) -> Result<(), Error>) -> Result<(), Error>,
    ) -> Result<Writer<W>, Error> {
        let (header, end) = self.header();
        let mut writer = start(end as u64)?;
        writer.write(&header)?;
        for (index, part) in self.parts.iter().enumerate() {
            let mut bytes = Vec::with_capacity(part.layout.bytes());
            entries(index, &mut |words| {
                bytes.clear();
                bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
                writer.write(&bytes)
            })?;
            writer.write(&[0; ALIGNMENT][..part.words.end.next_multiple_of(ALIGNMENT) - part.words.end])?;
        }
        Ok(writer)
    }

    /// Takes a payload apart. Lengths are checked against it before anything is taken. The error says what does not hold.
    pub(crate) fn parse(payload: &[u8]) -> Result<Self, String> {
        let mut reader = Reader::new(payload);
        let number = |bytes: &[u8], what: &str| {
            let number = Natural::from_le_bytes(bytes);
            let fits = number.bits() <= MAX_MODULUS_BITS;
            if fits { Ok(number) } else { Err(format!("its {what} has {} bits", number.bits())) }
        };
        let modulus = number(reader.field()?, "modulus")?;
        let base = number(reader.field()?, "base")?;
        if base >= modulus {
            return Err("its base is not below its modulus".into());
        }
        let exponent_bits = within(reader.u64()?, 1..=MAX_EXPONENT_BITS, "length of exponents")?;
        let count = within(u64::from(reader.u32()?), 1..=2, "number of parts")?;
        let (mut parts, mut claimed) = (Vec::new(), 0);
        for _ in 0..count {
            let odd = within(u64::from(reader.u32()?), 0..=1, "kind of part")? == 1;
            let limb_bits = within(u64::from(reader.u32()?), 1..=64, "bits of a limb")? as u32;
            let limbs = within(reader.u64()?, 1..=MAX_MODULUS_BITS, "number of limbs")? as usize;
            let scaling = reader.u64()?;
            let layout = Layout { odd, montgomery: odd && scaling > 0, limb_bits, limbs };
            if scaling != layout.scaling_bits() as u64 {
                return Err(format!("residues scaled by 2^{scaling}, which no form of this program has"));
            }
            let part_bits = within(reader.u64()?, 1..=exponent_bits, "length of a part's exponents")? as usize;
            let entries = reader.u64()?;
            let method = core::str::from_utf8(reader.field()?).map_err(|_| "its method is not text".to_owned())?;
            let algorithm: FixedBaseAlgorithm = method.parse().map_err(|error: Error| error.to_string())?;
            if entries != algorithm.entries(part_bits) as u64 {
                return Err(format!("{entries} entries, where {algorithm} has {}", algorithm.entries(part_bits)));
            }
            claimed += u128::from(entries) * layout.bytes() as u128;
            parts.push(StoredPart { layout, exponent_bits: part_bits, algorithm, words: 0..0 });
        }
        if claimed > payload.len() as u128 {
            return Err(format!("its header says {claimed} bytes of entries, and there are {}", payload.len()));
        }
        let mut stored = Self { modulus, base, exponent_bits, parts };
        let (header, end) = stored.header();
        // Written anew, the header is the same to the last byte: no field has a second way to say the same.
        if end != payload.len() || payload.get(..header.len()) != Some(&header[..]) {
            return Err("its lengths do not add up".into());
        }
        Ok(stored)
    }
}

fn within(number: u64, range: core::ops::RangeInclusive<u64>, what: &str) -> Result<u64, String> {
    let (low, high) = (range.start(), range.end());
    if range.contains(&number) { Ok(number) } else { Err(format!("a {what} of {number}, not {low} to {high}")) }
}
