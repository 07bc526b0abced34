//! Thrift's compact protocol, walked before the crate `parquet` reads it.
//!
//! The crate reads loosely. A field that it knows it takes for what it should be, whatever type is written; others it passes over
//! element by element, as many as a list announces, up to 2^31, and truth values in a list take it no byte: a few bytes
//! hold it for seconds. The tree of a schema may be as deep as its stack is not, and it copies the path of every leaf.
//!
//! Here every field has the type of its layout, so that the crate, which reads afterwards, passes the same bytes, or has an
//! error of its own; and every element takes a byte at least, so that both end with the bytes.

use std::io::{self, Read};

/// The deepest nesting; the crate passes over as much.
const DEEPEST: u32 = 64;
/// The deepest tree, and how many bytes the paths of all its nodes take at most.
const DEEPEST_TREE: usize = 256;
const LONGEST_PATHS: u64 = 1 << 26;
/// What a name in a path takes beside its bytes.
const NAME_BYTES: u64 = 32;

/// The types of the protocol that are told apart here.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// The fields of a struct from number 1 on. Those behind have any type.
pub(crate) type Layout = &'static [Shape];

/// What a field has to be.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Any,
    /// A truth value; its type says which.
    Truth,
    Byte,
    /// A whole number of 16, 32 or 64 bits; all are written alike.
    Whole,
    /// One that is asked for, in its place of [`Wanted`]; of 32 bits, as the crate reads no more.
    Wanted(usize),
    Double,
    /// Text too.
    Bytes,
    /// Such whose length is asked for.
    Length(usize),
    Struct(Layout),
    List(&'static Self),
    /// A list of structs in the order of a tree, parents first: asked for are [`CHILDREN`] and the length of the [`NAME`].
    Tree(Layout),
}

/// What is asked for of the fields of a header.
pub(crate) type Wanted = [Option<i64>; 3];

/// The places of what is asked for of a node in a tree.
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
            match shape {
                Shape::Wanted(place) => {
                    let number = self.signed()?;
                    check(i32::try_from(number).is_ok())?;
                    self.wanted[place] = Some(number);
                }
                Shape::Length(place) => {
                    let bytes = self.number()?;
                    self.pass(bytes)?;
                    self.wanted[place] = i64::try_from(bytes).ok();
                }
                _ => self.value(kind, shape, depth)?,
            }
        }
    }

    fn value(&mut self, kind: u8, shape: Shape, depth: u32) -> io::Result<()> {
        check(depth <= DEEPEST)?;
        match kind {
            TRUE | FALSE => Ok(()),
            3 => self.pass(1),
            4..=6 => self.number().map(drop),
            7 => self.pass(8),
            8 => {
                let bytes = self.number()?;
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
mod tests {
    use super::*;
    use io::ErrorKind::{InvalidData, UnexpectedEof};

    const THIRD: Layout = &[Shape::Whole, Shape::Whole, Shape::Wanted(CHILDREN)];

    /// How many bytes were read, and what was asked for first.
    fn walked(mut bytes: &[u8], layout: Layout) -> Result<(usize, Option<i64>), io::ErrorKind> {
        let whole = bytes.len();
        let wanted = walk(&mut bytes, layout).map_err(|error| error.kind())?;
        Ok((whole - bytes.len(), wanted[CHILDREN]))
    }

    #[test]
    fn headers_end_where_they_end() {
        assert_eq!(walked(&[0, 1], THIRD), Ok((1, None)));
        // Fields 1, 2 and 3 are 0, 20 and 300; a struct; behind the end something else.
        assert_eq!(walked(&[0x15, 0, 0x15, 40, 0x15, 0xd8, 4, 0x2c, 0x11, 0, 0, 9], THIRD), Ok((11, Some(300))));
        // The third by its own number, and negative.
        assert_eq!(walked(&[5, 6, 0x16, 0], THIRD), Ok((4, Some(11))));
        assert_eq!(walked(&[0x35, 1, 0], THIRD), Ok((3, Some(-1))));
        // A text of two bytes, a list of two of these, an empty list without a type, a map of bytes to doubles.
        let many = [&[0x18, 2, 7, 7, 0x19, 0x28, 1, 7, 0, 0x19, 0, 0x1b, 1, 0x37, 5][..], &[9; 8], &[0]].concat();
        const MANY: Layout = &[Shape::Bytes, Shape::List(&Shape::Bytes), Shape::Tree(THIRD)];
        for layout in [&[], MANY] {
            assert_eq!(walked(&many, layout), Ok((24, None)));
            for end in 0..many.len() {
                assert_eq!(walked(&many[..end], layout), Err(UnexpectedEof), "{end}");
            }
        }
    }

    #[test]
    fn what_takes_no_byte_is_refused_and_the_rest_ends_with_its_bytes() {
        for kind in [TRUE, FALSE] {
            assert_eq!(walked(&[0xf9, 0xf0 | kind, 0xff, 0xff, 0xff, 0xff, 7, 0], &[]), Err(InvalidData));
            assert_eq!(walked(&[0xfa, 0x10 | kind, 0], &[]), Err(InvalidData));
            assert_eq!(walked(&[0xfb, 0xff, 0x7f, kind << 4 | 3, 0], &[]), Err(InvalidData));
            assert_eq!(walked(&[0xfb, 0xff, 0x7f, 0x30 | kind, 0], &[]), Err(InvalidData));
            assert_eq!(walked(&[0x10 | kind, 0x19, kind, 0], &[]), Ok((4, None)));
        }
        // Longer than any file.
        let long = [[0xf8].as_slice(), &[0xff; 9], &[1, 7, 0x18, 1, 7, 0]].concat();
        assert_eq!(walked(&long, &[]), Err(UnexpectedEof));
        for kind in 3..=13 {
            let many = walked(&[0xf9, 0xf0 | kind, 0xff, 0xff, 0xff, 0xff, 7, 0], &[]);
            assert_eq!(many, Err(UnexpectedEof), "{kind}");
        }
        for kind in [0, 14, 15] {
            assert_eq!(walked(&[0xf9, 0x10 | kind, 0, 0], &[]), Err(InvalidData), "{kind}");
        }
    }

    #[test]
    fn what_the_crate_would_read_in_another_sense_is_refused() {
        // A number of more bytes than it needs, one that ends a struct in time and one that does not.
        assert_eq!(walked(&[[0x15].as_slice(), &[0x80; 9], &[0, 0]].concat(), THIRD), Ok((12, None)));
        assert_eq!(walked(&[[0x15].as_slice(), &[0x80; 10], &[0, 0]].concat(), THIRD), Err(InvalidData));
        // Numbers of fields beyond 16 bits: 65,539 and -65,533 would be 3.
        assert_eq!(walked(&[5, 0x86, 0x80, 8, 2, 0], THIRD), Err(InvalidData));
        assert_eq!(walked(&[5, 0xf9, 0xff, 7, 2, 0], THIRD), Err(InvalidData));
        // 32,767, and one more.
        assert_eq!(walked(&[5, 0xfe, 0xff, 3, 2, 0], THIRD), Ok((6, None)));
        assert_eq!(walked(&[5, 0xfe, 0xff, 3, 2, 0x15, 2, 0], THIRD), Err(InvalidData));
        // A number that is asked for has 32 bits.
        assert_eq!(walked(&[0x35, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0], THIRD), Ok((7, Some(i32::MAX.into()))));
        assert_eq!(walked(&[0x35, 0x80, 0x80, 0x80, 0x80, 0x10, 0], THIRD), Err(InvalidData));
        // As deep as it may be.
        let deep = |depth: usize| [[0x1c].repeat(depth), [0].repeat(depth + 1)].concat();
        assert_eq!(walked(&deep(65), &[]), Ok((131, None)));
        assert_eq!(walked(&deep(66), &[]), Err(InvalidData));
    }

    #[test]
    fn every_shape_has_its_types_alone() {
        let values: [(u8, &[u8]); 13] = [
            (1, &[]),
            (2, &[]),
            (3, &[200]),
            (4, &[2]),
            (5, &[2]),
            (6, &[2]),
            (7, &[9; 8]),
            (8, &[1, 9]),
            (9, &[0x1c, 0]),
            (10, &[0x1c, 0]),
            (11, &[0]),
            (12, &[0]),
            (13, &[9; 16]),
        ];
        const SHAPES: [(Layout, &[u8]); 11] = [
            (&[Shape::Any], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
            (&[Shape::Truth], &[1, 2]),
            (&[Shape::Byte], &[3]),
            (&[Shape::Whole], &[4, 5, 6]),
            (&[Shape::Wanted(2)], &[4, 5, 6]),
            (&[Shape::Double], &[7]),
            (&[Shape::Bytes], &[8]),
            (&[Shape::Length(2)], &[8]),
            (&[Shape::Struct(&[])], &[12]),
            (&[Shape::List(&Shape::Struct(&[]))], &[9, 10]),
            (&[Shape::Tree(&[])], &[9, 10]),
        ];
        for (layout, kinds) in SHAPES {
            for (kind, bytes) in values {
                let field = [&[0x10 | kind], bytes, &[0]].concat();
                let fits = walked(&field, layout).map(|(bytes, _)| bytes);
                assert_eq!(fits, if kinds.contains(&kind) { Ok(field.len()) } else { Err(InvalidData) });
            }
        }
        // Elements too, and fields of elements.
        assert_eq!(walked(&[0x19, 0x15, 2, 0], &[Shape::List(&Shape::Bytes)]), Err(InvalidData));
        assert_eq!(walked(&[0x19, 0x1c, 0x18, 0, 0, 0], &[Shape::List(&Shape::Struct(THIRD))]), Err(InvalidData));
        assert_eq!(walked(&[0x19, 0x15, 2, 0], &[Shape::Tree(THIRD)]), Err(InvalidData));
    }

    #[test]
    fn trees_are_whole_and_not_too_deep() {
        const TREE: Layout = &[Shape::Tree(&[Shape::Wanted(CHILDREN), Shape::Length(NAME)])];
        let tree = |children: &[u8]| {
            let mut bytes = vec![0x19, 0xfc, children.len() as u8 | 0x80, (children.len() >> 7) as u8];
            children.iter().for_each(|children| bytes.extend([0x15, 2 * children, 0]));
            bytes.push(0);
            walked(&bytes, TREE).map(drop)
        };
        for whole in [&[0][..], &[2, 0, 0], &[2, 1, 0, 0], &[1, 1, 2, 0, 0], &[3, 0, 2, 0, 0, 1, 0]] {
            assert_eq!(tree(whole), Ok(()), "{whole:?}");
        }
        // Two roots; a child too few, first and last; more than there are.
        for broken in [&[0, 0][..], &[1, 0, 0], &[1], &[2, 1, 0], &[60, 0]] {
            assert_eq!(tree(broken), Err(InvalidData), "{broken:?}");
        }
        let line = |depth: usize| tree(&[[1].repeat(depth - 1), vec![0]].concat());
        assert_eq!(line(256), Ok(()));
        assert_eq!(line(257), Err(InvalidData));
        // The same leaf a hundred times below a name of a million bytes: the path has it each time.
        let name = [&[0x18][..], &[0xc0, 0x84, 0x3d], &vec![7; 1_000_000]].concat();
        let below = |leaves: u8| {
            let group = [&[0x15, 2 * leaves][..], &name, &[0]].concat();
            let tree = [&[0x19, 0xfc, leaves + 2, 0x15, 2, 0][..], &group, &vec![0; leaves.into()], &[0]].concat();
            walked(&tree, TREE).map(drop)
        };
        assert_eq!(below(60), Ok(()));
        assert_eq!(below(100), Err(InvalidData));
        // Negative, and none, where nothing says how many.
        assert_eq!(walked(&[0x19, 0x1c, 0x15, 1, 0, 0], TREE), Err(InvalidData));
        assert_eq!(walked(&[0x19, 0x1c, 0, 0], TREE), Ok((4, None)));
        assert_eq!(walked(&[0x19, 0x0c, 0], TREE), Ok((3, None)));
    }
}
