//! The pieces of OpenSSH's and OpenPGP's formats.

use pingala_core::Natural;

/// Bytes that are read from the front.
pub(crate) struct Wire<'a>(&'a [u8]);

impl<'a> Wire<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// RFC 4251: four bytes of length, then the bytes.
    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.take(4)?;
        self.take(u32::from_be_bytes(length.try_into().ok()?) as usize)
    }

    /// RFC 4251: a string in two's complement, as short as it can be; none if it is negative.
    pub(crate) fn mpint(&mut self) -> Option<Natural> {
        let bytes = self.string()?;
        let negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
        let padded = bytes.first() == Some(&0) && bytes.get(1).is_none_or(|second| second & 0x80 == 0);
        (!negative && !padded).then(|| Natural::from_be_bytes(bytes))
    }

    /// RFC 9580: two bytes with the length in bits, then the number.
    pub(crate) fn mpi(&mut self) -> Option<Natural> {
        let bits = self.take(2)?;
        let bits = u64::from(u16::from_be_bytes(bits.try_into().ok()?));
        let number = Natural::from_be_bytes(self.take(bits.div_ceil(8) as usize)?);
        (number.bits() == bits).then_some(number)
    }
}
