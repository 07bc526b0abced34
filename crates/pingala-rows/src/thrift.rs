//! Thrift's compact protocol, walked before the crate `parquet` reads it.
//!
//! The crate does not check types. It reads a known field as its own type, whatever type is written. It skips other fields element by
//! element, up to the 2^31 that a list may announce, and truth values in a list take no byte: a few bytes keep it busy for seconds. The
//! tree of a schema may be deeper than its stack, and it copies the path of every leaf.
//!
//! Here every field has the type of its layout, so that the crate, which reads afterwards, consumes the same bytes or returns an error;
//! and every element takes at least one byte, so that both end with the input.

use std::io::{self, Read};

/// The deepest nesting; the crate passes over as much.
const DEEPEST: u32 = 64;
/// The deepest tree, and how many bytes the paths of all its nodes take at most.
const DEEPEST_TREE: usize = 256;
const LONGEST_PATHS: u64 = 1 << 26;
/// Bytes that a name in a path takes in addition to its own.
const NAME_BYTES: u64 = 32;

/// The types of the protocol that this module distinguishes.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// The fields of a struct from number 1 on. Those behind have any type.
pub(crate) type Layout = &'static [Shape];

/// The type of a field.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Any,
    /// A truth value; its type says which.
    Truth,
    Byte,
    /// A whole number of 16, 32 or 64 bits; all are written alike.
    Whole,
    /// A number of 32 bits that is returned, at this place of [`Wanted`].
    Wanted(usize),
    Double,
    /// Text too.
    Bytes,
    /// Bytes whose length is returned.
    Length(usize),
    Struct(Layout),
    List(&'static Self),
    /// A list of structs in the order of a tree, parents first, with [`CHILDREN`] and the length of the [`NAME`].
    Tree(Layout),
}

/// The fields of a header that are returned.
pub(crate) type Wanted = [Option<i64>; 3];

/// The places of the fields of a node in a tree.
pub(crate) const CHILDREN: usize = 0;
pub(crate) const NAME: usize = 1;

impl Shape {
    /// Whether a value of this type may stand there.
    const fn has(self, kind: u8) -> bool {
        match self {
            Self::Any => true,
            Self::Truth => matches!(kind, TRUE | FALSE),
            Self::Byte => kind == 3,
            Self::Whole | Self::Wanted(_) => matches!(kind, 4..=6),
            Self::Double => kind == 7,
            Self::Bytes | Self::Length(_) => kind == 8,
            Self::Struct(_) => kind == STRUCT,
            Self::List(_) | Self::Tree(_) => matches!(kind, LIST | SET),
        }
    }
}

/// Walks a struct. Errors: `InvalidData`, if it has not this layout; `UnexpectedEof`, if it does not end.
pub(crate) fn walk(reader: impl Read, layout: Layout) -> io::Result<Wanted> {
    let mut walk = Walk { reader, wanted: Wanted::default() };
    walk.fields(layout, 0)?;
    Ok(walk.wanted)
}

fn check(holds: bool) -> io::Result<()> {
    if holds { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// A struct on its way.
struct Walk<R> {
    reader: R,
    wanted: Wanted,
}

impl<R: Read> Walk<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.reader.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    /// A number in zigzag.
    fn signed(&mut self) -> io::Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn pass(&mut self, bytes: u64) -> io::Result<()> {
        let passed = io::copy(&mut Read::by_ref(&mut self.reader).take(bytes), &mut io::sink())?;
        if passed == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// All fields of a struct.
    fn fields(&mut self, layout: Layout, depth: u32) -> io::Result<()> {
        let mut id = 0;
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == 0 {
                return Ok(());
            }
            id = match i64::from(head >> 4) {
                0 => self.signed()?,
                more => id + more,
            };
            check(i16::try_from(id).is_ok())?;
            let place = usize::try_from(id - 1).unwrap_or(usize::MAX);
            let shape = layout.get(place).copied().unwrap_or(Shape::Any);
            check(shape.has(kind))?;
            self.value(kind, shape, depth)?;
        }
    }

    fn value(&mut self, kind: u8, shape: Shape, depth: u32) -> io::Result<()> {
        check(depth <= DEEPEST)?;
        match kind {
            TRUE | FALSE => Ok(()),
            3 => self.pass(1),
            4..=6 => {
                let number = self.signed()?;
                if let Shape::Wanted(place) = shape {
                    check(i32::try_from(number).is_ok())?;
                    self.wanted[place] = Some(number);
                }
                Ok(())
            }
            7 => self.pass(8),
            8 => {
                let bytes = self.number()?;
                if let Shape::Length(place) = shape {
                    self.wanted[place] = i64::try_from(bytes).ok();
                }
                self.pass(bytes)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                match shape {
                    Shape::Tree(layout) => {
                        check(count == 0 || head & 15 == STRUCT)?;
                        self.tree(count, layout, depth)
                    }
                    Shape::List(&element) => self.elements(count, &[(head & 15, element)], depth),
                    _ => self.elements(count, &[(head & 15, Shape::Any)], depth),
                }
            }
            11 => match self.number()? {
                0 => Ok(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[(kinds >> 4, Shape::Any), (kinds & 15, Shape::Any)], depth)
                }
            },
            STRUCT => {
                let layout: Layout = if let Shape::Struct(layout) = shape { layout } else { &[] };
                self.fields(layout, depth + 1)
            }
            13 => self.pass(16),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The elements of a list, or the pairs of a map.
    fn elements(&mut self, count: u64, of: &[(u8, Shape)], depth: u32) -> io::Result<()> {
        // No header of Parquet has a list of truth values, and the crate passes over them wrongly.
        check(count == 0 || of.iter().all(|&(kind, shape)| shape.has(kind) && !Shape::Truth.has(kind)))?;
        for _ in 0..count {
            for &(kind, shape) in of {
                self.value(kind, shape, depth + 1)?;
            }
        }
        Ok(())
    }

    /// The nodes of a tree. The crate makes room for the children that a node announces.
    fn tree(&mut self, count: u64, layout: Layout, depth: u32) -> io::Result<()> {
        // Children that are still to come, by depth, with the length of their parent's path; all of the one, all of the other.
        let (mut open, mut awaited, mut paths) = (vec![(1, 0)], 1, 0);
        for left in (0..count).rev() {
            while open.pop_if(|(children, _)| *children == 0).is_some() {}
            let Some((siblings, above)) = open.last_mut() else { return check(false) };
            *siblings -= 1;
            let above = *above;
            self.wanted = Wanted::default();
            self.fields(layout, depth + 1)?;
            let [children, name] = [CHILDREN, NAME].map(|place| u64::try_from(self.wanted[place].unwrap_or(0)));
            let Ok(children) = children else { return check(false) };
            let path = above + NAME_BYTES + name.unwrap_or(0);
            (awaited, paths) = (awaited - 1 + children, paths + path);
            check(awaited <= left && paths <= LONGEST_PATHS)?;
            if children > 0 {
                open.push((children, path));
                check(open.len() <= DEEPEST_TREE)?;
            }
        }
        self.wanted = Wanted::default();
        Ok(())
    }
}

#[cfg(test)]
#[path = "../tests/inside/thrift.rs"]
mod tests;
