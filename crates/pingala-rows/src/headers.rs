//! The headers of Parquet, by the types of their fields from number 1 on: the footer and the header of a page, as `parquet.thrift` of
//! <https://github.com/apache/parquet-format> defines them. A field that the crate `parquet` reads and that is missing here
//! would be read with whatever type it is written.

use crate::thrift::Shape::{Any, Byte, Bytes, Double, Length, List, Struct, Tree, Truth, Wanted, Whole};
use crate::thrift::{CHILDREN, Layout, NAME};

/// What is asked for of the header of a page: its type, how many bytes it has unpacked, and of a dictionary how many values.
pub(crate) const TYPE: usize = 0;
pub(crate) const BYTES: usize = 1;
pub(crate) const VALUES: usize = 2;

/// The header of a page.
pub(crate) const PAGE: Layout = &[
    Wanted(TYPE),
    Wanted(BYTES),
    Whole,
    Whole,
    Struct(DATA_PAGE),
    Struct(EMPTY),
    Struct(&[Wanted(VALUES), Whole, Truth]),
    Struct(DATA_PAGE_V2),
];

/// The footer.
pub(crate) const FOOTER: Layout = &[
    Whole,
    Tree(SCHEMA_ELEMENT),
    Whole,
    List(&Struct(ROW_GROUP)),
    List(&Struct(KEY_VALUE)),
    Bytes,
    List(&Struct(&[Struct(EMPTY); 3])),
    // Encryption, which this crate does not read.
    Any,
    Bytes,
];

const EMPTY: Layout = &[];
const KEY_VALUE: Layout = &[Bytes, Bytes];
const STATISTICS: Layout = &[Bytes, Bytes, Whole, Whole, Bytes, Bytes, Truth, Truth, Whole];
const DATA_PAGE: Layout = &[Whole, Whole, Whole, Whole, Struct(STATISTICS)];
const DATA_PAGE_V2: Layout = &[Whole, Whole, Whole, Whole, Whole, Whole, Truth, Struct(STATISTICS)];

const SCHEMA_ELEMENT: Layout =
    &[Whole, Whole, Whole, Length(NAME), Wanted(CHILDREN), Whole, Whole, Whole, Whole, Struct(LOGICAL_TYPE)];
const TIME: Layout = &[Truth, Struct(&[Struct(EMPTY); 3])];
const LOGICAL_TYPE: Layout = &[
    Struct(EMPTY),
    Struct(EMPTY),
    Struct(EMPTY),
    Struct(EMPTY),
    Struct(&[Whole, Whole]),
    Struct(EMPTY),
    Struct(TIME),
    Struct(TIME),
    // Reserved.
    Any,
    Struct(&[Byte, Truth]),
    Struct(EMPTY),
    Struct(EMPTY),
    Struct(EMPTY),
    Struct(EMPTY),
    Struct(EMPTY),
    Struct(&[Byte]),
    Struct(&[Bytes]),
    Struct(&[Bytes, Whole]),
    Struct(EMPTY),
];

const ROW_GROUP: Layout =
    &[List(&Struct(CHUNK)), Whole, Whole, List(&Struct(&[Whole, Truth, Truth])), Whole, Whole, Whole];
const CHUNK: Layout = &[Bytes, Whole, Struct(COLUMN), Whole, Whole, Whole, Whole, Any, Bytes];
const COLUMN: Layout = &[
    Whole,
    List(&Whole),
    List(&Bytes),
    Whole,
    Whole,
    Whole,
    Whole,
    List(&Struct(KEY_VALUE)),
    Whole,
    Whole,
    Whole,
    Struct(STATISTICS),
    List(&Struct(&[Whole, Whole, Whole])),
    Whole,
    Whole,
    Struct(&[Whole, List(&Whole), List(&Whole)]),
    Struct(&[Struct(&[Double; 8]), List(&Whole)]),
];
