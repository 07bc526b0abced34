//! The headers of Parquet, walked before the crate `parquet` reads them.
//!
//! The crate passes over fields that it does not know element by element, as many as a list announces, up to 2^31. Truth
//! values in a list take it no byte, so that a few bytes hold it for seconds. No header of Parquet has a list or a map of
//! them: one that does is refused here. Every other element takes a byte at least, so that a walk ends with its bytes.

use std::io::{self, Read};

/// The deepest nesting, as deep as the crate passes over.
const DEEPEST: u32 = 64;

/// The types of Thrift's compact protocol that are told apart here.
const TRUE: u8 = 1;
const FALSE: u8 = 2;

/// Why a walk ended early.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is no struct, or not all of one: whoever reads it finds out too.
    Broken,
    /// It announces what takes no byte.
    Excess,
}

impl From<io::Error> for Stop {
    fn from(_: io::Error) -> Self {
        Self::Broken
    }
}

/// A struct of the compact protocol that is walked, and how many bytes of it were read.
struct Walk<R> {
    reader: R,
    bytes: u64,
}

/// What is wanted of a page's header.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) bytes: u64,
    /// The whole number in its third field: of a page, how many bytes follow the header.
    pub(crate) third: Option<u64>,
}

/// Walks a struct.
pub(crate) fn walk(reader: impl Read) -> Result<Header, Stop> {
    let mut walk = Walk { reader, bytes: 0 };
    let third = walk.fields(0)?;
    Ok(Header { bytes: walk.bytes, third })
}

impl<R: Read> Walk<R> {
    fn byte(&mut self) -> Result<u8, Stop> {
        let mut byte = [0];
        self.reader.read_exact(&mut byte)?;
        self.bytes += 1;
        Ok(byte[0])
    }

    fn number(&mut self) -> Result<u64, Stop> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Stop::Broken)
    }

    fn pass(&mut self, bytes: u64) -> Result<(), Stop> {
        let passed = io::copy(&mut Read::by_ref(&mut self.reader).take(bytes), &mut io::sink())?;
        self.bytes += passed;
        if passed == bytes { Ok(()) } else { Err(Stop::Broken) }
    }

    /// All fields of a struct; the whole number in its third one.
    fn fields(&mut self, depth: u32) -> Result<Option<u64>, Stop> {
        let (mut id, mut third) = (0i64, None);
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == 0 {
                return Ok(third);
            }
            id = match head >> 4 {
                0 => signed(self.number()?),
                more => id.wrapping_add(more.into()),
            };
            if id == 3 && matches!(kind, 4..=6) {
                third = u64::try_from(signed(self.number()?)).ok();
            } else {
                self.value(kind, depth)?;
            }
        }
    }

    fn value(&mut self, kind: u8, depth: u32) -> Result<(), Stop> {
        if depth > DEEPEST {
            return Err(Stop::Broken);
        }
        match kind {
            TRUE | FALSE => Ok(()),
            3 => self.pass(1),
            4..=6 => self.number().map(|_| ()),
            7 => self.pass(8),
            8 => {
                let bytes = self.number()?;
                self.pass(bytes)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                self.elements(count, &[head & 15], depth)
            }
            11 => match self.number()? {
                0 => Ok(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[kinds >> 4, kinds & 15], depth)
                }
            },
            12 => self.fields(depth + 1).map(|_| ()),
            13 => self.pass(16),
            _ => Err(Stop::Broken),
        }
    }

    /// The elements of a list, or the pairs of a map.
    fn elements(&mut self, count: u64, kinds: &[u8], depth: u32) -> Result<(), Stop> {
        if count > 0 && kinds.iter().any(|kind| matches!(*kind, TRUE | FALSE)) {
            return Err(Stop::Excess);
        }
        for _ in 0..count {
            for &kind in kinds {
                self.value(kind, depth + 1)?;
            }
        }
        Ok(())
    }
}

/// The number that is written in zigzag.
fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(bytes: u64, third: Option<u64>) -> Result<Header, Stop> {
        Ok(Header { bytes, third })
    }

    #[test]
    fn headers_end_where_they_end() {
        assert_eq!(walk(&[0u8, 1][..]), header(1, None));
        // Fields 1, 2 and 3 are 0, 20 and 300; a struct; behind the end something else.
        assert_eq!(walk(&[0x15, 0, 0x15, 40, 0x15, 0xd8, 4, 0x2c, 0x11, 0, 0, 9][..]), header(11, Some(300)));
        // The third by its own number, and negative.
        assert_eq!(walk(&[5, 6, 0x16, 0][..]), header(4, Some(11)));
        assert_eq!(walk(&[0x35, 1, 0][..]), header(3, None));
        // A text of two bytes, a list of two of these, an empty list without a type, a map of bytes to doubles.
        let many = [&[0x18, 2, 7, 7, 0x19, 0x28, 1, 7, 0, 0x19, 0, 0x1b, 1, 0x37, 5][..], &[9; 8], &[0]].concat();
        assert_eq!(walk(&many[..]), header(24, None));
        for end in 0..many.len() {
            assert_eq!(walk(&many[..end]), Err(Stop::Broken), "{end}");
        }
    }

    #[test]
    fn what_takes_no_byte_is_refused_and_the_rest_ends_with_its_bytes() {
        for kind in [TRUE, FALSE] {
            assert_eq!(walk(&[0xf9, 0xf0 | kind, 0xff, 0xff, 0xff, 0xff, 7, 0][..]), Err(Stop::Excess));
            assert_eq!(walk(&[0xfa, 0x10 | kind, 0][..]), Err(Stop::Excess));
            assert_eq!(walk(&[0xfb, 0xff, 0x7f, kind << 4 | 3, 0][..]), Err(Stop::Excess));
            assert_eq!(walk(&[0xfb, 0xff, 0x7f, 0x30 | kind, 0][..]), Err(Stop::Excess));
            assert_eq!(walk(&[0x10 | kind, 0x19, kind, 0][..]), header(4, None));
        }
        // Longer than any file.
        assert_eq!(walk(&[[0xf8].as_slice(), &[0xff; 9], &[1, 7, 0x18, 1, 7, 0]].concat()[..]), Err(Stop::Broken));
        for kind in 3..=13 {
            assert_eq!(walk(&[0xf9, 0xf0 | kind, 0xff, 0xff, 0xff, 0xff, 7, 0][..]), Err(Stop::Broken), "{kind}");
        }
        assert_eq!(walk(&[[0x1c].repeat(70), [0].repeat(71)].concat()[..]), Err(Stop::Broken));
    }
}
