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
    // A negative number of children, and none.
    assert_eq!(walked(&[0x19, 0x1c, 0x15, 1, 0, 0], TREE), Err(InvalidData));
    assert_eq!(walked(&[0x19, 0x1c, 0, 0], TREE), Ok((4, None)));
    assert_eq!(walked(&[0x19, 0x0c, 0], TREE), Ok((3, None)));
}
