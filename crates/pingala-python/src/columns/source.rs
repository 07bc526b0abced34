//! A column as an argument: what producers lend, read in blocks.

use super::arrow::{Array, Block, Chunk, Format, Schema, Stream};
use super::capsule::{Buffer, taken};
use super::order::Order;
use super::result::ResultColumn;
use crate::call::Divisor;
use crate::errors;
use crate::list::{is_text, refused};
use crate::number;
use core::ops::Range;
use pingala_core::{Error, Integer, Limits, Natural};
use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyInt, PyMemoryView, PySet};

/// What a column may be.
const EXPECTED: &str = "a column (Arrow, NumPy, a buffer, or a sequence of bytes) or an integer";
/// What an argument may be that is no number.
const EXPECTED_COLUMN: &str = "a column (Arrow, NumPy, a buffer, or a sequence of bytes)";

/// An argument of a call on columns.
pub enum Argument {
    /// One number for all rows.
    One(Divisor),
    /// One in each row.
    Many(Column),
}

/// A column: its rows, wherever they are.
pub struct Column {
    rows: Rows,
    pub length: usize,
    pub kind: Kind,
    pub role: Role,
    /// Who knows in which order its bytes are.
    known: Known,
}

/// Who knows in which order the bytes of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// The caller, or else it is the usual one, big.
    Usual,
    /// The caller alone: other programs write numbers of fixed width in either order, with a sign or without.
    Caller,
    /// The column, which is a result of this package, little-endian or not.
    Column(bool),
}

/// What a column is for: its name, what a number of it is called, the most bits of one as bytes and as text, and the most bits that a row
/// may have room for. Longer rows are refused before they are copied.
#[derive(Clone, Copy)]
pub struct Role {
    pub name: &'static str,
    what: &'static str,
    most_bits: u64,
    pub text_bits: u64,
    room_bits: u64,
}

impl Role {
    /// Bases and values, of any length as bytes: they are reduced.
    pub fn base(name: &'static str) -> Self {
        let text_bits = Limits::default().exponent_bits;
        Self { name, what: "base", most_bits: u64::MAX, text_bits, room_bits: u64::MAX }
    }

    pub fn exponents(limits: &Limits) -> Self {
        Self::capped("exponents", "exponent", limits.exponent_bits, Limits::default().exponent_bits)
    }

    pub fn moduli(limits: &Limits) -> Self {
        Self::capped("moduli", "modulus", limits.modulus_bits, Limits::default().modulus_bits)
    }

    /// Numbers that are tested for primality.
    pub fn candidates(limits: &Limits) -> Self {
        Self::capped("numbers", "number", limits.modulus_bits, Limits::default().modulus_bits)
    }

    /// What a Jacobi symbol is of.
    pub fn symbol(name: &'static str, limits: &Limits) -> Self {
        Self { name, ..Self::candidates(limits) }
    }

    /// Rows may be wider than a number that a small cap allows: zeros fill them.
    fn capped(name: &'static str, what: &'static str, most_bits: u64, default: u64) -> Self {
        Self { name, what, most_bits, text_bits: most_bits, room_bits: most_bits.max(default) }
    }

    /// What is no number.
    pub fn bytes(name: &'static str) -> Self {
        Self { name, what: name, most_bits: u64::MAX, text_bits: u64::MAX, room_bits: u64::MAX }
    }

    /// The most bytes of a row.
    fn most(&self, kind: Kind) -> usize {
        let bytes = match kind {
            // A digit has three bits at least; there may be a sign and a prefix.
            Kind::Text => (self.text_room() / 3).saturating_add(64),
            _ => self.room_bits.div_ceil(8),
        };
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// As much as a row of bytes has, but a base as text is no longer than one that is read.
    fn text_room(&self) -> u64 {
        if self.room_bits == u64::MAX { self.text_bits } else { self.room_bits }
    }

    /// The error of a row with too many bytes.
    pub fn too_long(&self, kind: Kind, bytes: usize) -> Error {
        match kind {
            Kind::Text => Error::TooLong { what: "number", length: 3 * bytes as u64, cap: self.text_room() },
            _ => Error::TooLong { what: self.what, length: 8 * bytes as u64, cap: self.room_bits },
        }
    }
}

/// What the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing but nulls, of no type: what every other kind may be instead.
    Nulls,
    /// Unsigned words.
    Words,
    /// Words with a sign.
    SignedWords,
    /// Unsigned numbers as bytes; of one width, if there is one.
    Bytes(Option<usize>),
    /// Numbers as bytes in an order of their own.
    Ordered(Order),
    /// Numbers as text.
    Text,
}

impl Kind {
    /// Whether each row is read as a number before the library sees it.
    pub fn is_parsed(self) -> bool {
        matches!(self, Self::Text | Self::Ordered(_))
    }
}

enum Rows {
    /// Each chunk behind the number of rows before it.
    Chunks(Vec<(usize, Chunk)>),
    Buffer {
        buffer: Buffer,
        item: Option<Item>,
        /// Which rows are null, by the mask of the array; none without a mask.
        masked: Option<Vec<bool>>,
    },
    Copied(Block),
}

/// An integer of a buffer.
#[derive(Clone, Copy)]
struct Item {
    signed: bool,
    big_endian: bool,
}

impl Argument {
    /// Reads what the argument is, and nothing of the rows but those of a sequence. A number for all rows that is too long is `bad`, with
    /// 1 in its place. TypeError, ArgumentError.
    pub fn read(role: Role, object: &Bound<'_, PyAny>, bad: &mut Option<Error>) -> PyResult<Self> {
        let name = role.name;
        let mut one = || {
            if let Ok(modulus) = object.cast::<crate::modulus::Modulus>() {
                return Ok(Self::One(Divisor::Kept(modulus.get().library().clone())));
            }
            let number = number::capped(name, object, role.what, role.most_bits)?.unwrap_or_else(|error| {
                bad.get_or_insert(error);
                Integer::from(1u64)
            });
            Ok(Self::One(Divisor::Number { negative: number.is_negative(), magnitude: number.into_magnitude() }))
        };
        if object.is_instance_of::<PyInt>() || object.is_instance_of::<crate::modulus::Modulus>() {
            return one();
        }
        if is_text(object) {
            return Err(refused(name, EXPECTED, object));
        }
        // A number, also one of NumPy, which has a buffer too. One of gmpy2 has a length, and no elements.
        if (object.len().is_err() || !object.hasattr(intern!(object.py(), "__iter__"))?)
            && number::index(name, object).is_ok()
        {
            return one();
        }
        Column::read_as(role, object, EXPECTED).map(Self::Many)
    }

    /// As the caller says that bytes are ordered. TypeError, for bytes whose order only the caller knows and does not say.
    pub fn ordered(self, order: Option<Order>) -> PyResult<Self> {
        match self {
            Self::Many(column) => column.ordered(order).map(Self::Many),
            one => Ok(one),
        }
    }
}

impl Column {
    /// A column of anything. TypeError.
    pub fn read(role: Role, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read_as(role, object, EXPECTED_COLUMN)
    }

    /// A column of anything, where `expected` is. TypeError.
    fn read_as(role: Role, object: &Bound<'_, PyAny>, expected: &str) -> PyResult<Self> {
        if is_text(object) {
            return Err(refused(role.name, expected, object));
        }
        let mut column = Self::read_rows(role, object, expected)?;
        if let (Ok(result), Kind::Bytes(_)) = (object.cast::<ResultColumn>(), column.kind) {
            column.known = Known::Column(result.get().is_little_endian());
        }
        Ok(column)
    }

    /// As the caller says that bytes are ordered. TypeError, for bytes whose order only the caller knows and does not say.
    pub fn ordered(mut self, order: Option<Order>) -> PyResult<Self> {
        let Kind::Bytes(width) = self.kind else { return Ok(self) };
        let usual = Order { signed: false, ..order.unwrap_or_default() };
        let order = match (self.known, order) {
            (Known::Column(little_endian), _) => Order { little_endian, signed: false },
            (Known::Caller, None) => {
                let rows =
                    width.map_or_else(|| "its rows are bytes".into(), |width| format!("its rows have {width} bytes"));
                return Err(unfit(
                    self.role.name,
                    &format!(
                        "{rows}, and nothing says in which order and with which sign they are numbers: say byteorder=\"big\" \
                         (unsigned, the most significant byte first), \"little\" (as ClickHouse writes UInt256), \"signed-big\" (as \
                         Java's toByteArray) or \"signed-little\" (as ClickHouse writes Int256)"
                    ),
                ));
            }
            (_, order) => order.unwrap_or_default(),
        };
        if order != usual {
            self.kind = Kind::Ordered(order);
        }
        Ok(self)
    }

    fn read_rows(role: Role, object: &Bound<'_, PyAny>, expected: &str) -> PyResult<Self> {
        let (py, name) = (object.py(), role.name);
        let wrong = |why: String| errors::bad_argument(py, format!("{name}: {why}"));
        // polars lends pointers to Python objects as bytes of fixed width, without a word on it.
        if let Some(kind) = object.getattr_opt(intern!(py, "dtype"))?
            && kind.str()? == "Object"
        {
            return Err(unfit(name, "it has Python objects (Object): map them to text, as by str"));
        }
        let is_stream = object.hasattr("__arrow_c_stream__")?;
        let lent = |method: &str| {
            object.call_method0(method).map_err(|error| {
                // Those of numbers that Arrow's types do not hold; others are about the owner.
                let is_of_numbers = error.is_instance_of::<PyOverflowError>(py)
                    || error.is_instance_of::<PyValueError>(py)
                    || error.is_instance_of::<PyTypeError>(py);
                if !is_of_numbers {
                    return error;
                }
                let why = error.value(py).to_string();
                unfit(name, &format!("its owner makes no Arrow of it ({why}): integers of more than 64 bits fit as text, as by astype(str)"))
            })
        };
        let array = if object.hasattr("__arrow_c_array__")? {
            match lent("__arrow_c_array__") {
                // Several chunks are no array.
                Err(error) if is_stream && error.is_instance_of::<PyException>(py) => None,
                array => Some(array?),
            }
        } else {
            None
        };
        if let Some(array) = array {
            let pair: (Bound<'_, PyAny>, Bound<'_, PyAny>) = array.extract()?;
            let schema: Schema = taken(name, &pair.0, c"arrow_schema")?;
            let array: Array = taken(name, &pair.1, c"arrow_array")?;
            let format = schema.read().map_err(|why| unfit(name, &why))?;
            let chunk = Chunk::new(array, format).map_err(wrong)?;
            return Ok(Self::of_chunks(role, format, vec![chunk]));
        }
        if is_stream {
            let mut stream: Stream = taken(name, &lent("__arrow_c_stream__")?, c"arrow_array_stream")?;
            // A producer may wait for other threads, which may want the interpreter.
            let format = py.detach(|| stream.format()).map_err(|why| unfit(name, &why))?;
            let mut chunks = Vec::new();
            while let Some(chunk) = py.detach(|| stream.next(format)).map_err(wrong)? {
                chunks.push(chunk);
            }
            return Ok(Self::of_chunks(role, format, chunks));
        }
        // A view describes the strides of what has only a shape.
        if let Ok(view) = PyMemoryView::from(object) {
            return Self::of_buffer(role, object, &view, expected);
        }
        Self::of_sequence(role, object, expected)
    }

    fn new(role: Role, rows: Rows, length: usize, kind: Kind, known: Known) -> Self {
        let kind = match kind {
            // Rows that are not copied have no width.
            Kind::Bytes(Some(width)) if width > role.most(kind) => Kind::Bytes(None),
            kind => kind,
        };
        Self { rows, length, kind, role, known }
    }

    fn of_chunks(role: Role, format: Format, chunks: Vec<Chunk>) -> Self {
        let kind = match format {
            Format::Null => Kind::Nulls,
            Format::Binary(_) => Kind::Bytes(None),
            Format::Int { signed: false, .. } => Kind::Words,
            Format::Int { signed: true, .. } => Kind::SignedWords,
            Format::Wide { signed, .. } => {
                Kind::Ordered(Order { little_endian: cfg!(target_endian = "little"), signed })
            }
            Format::Fixed(width) => Kind::Bytes(Some(width)),
            Format::Text(_) => Kind::Text,
        };
        let known = if matches!(format, Format::Fixed(_)) { Known::Caller } else { Known::Usual };
        let mut length = 0;
        let behind = chunks.into_iter().map(|chunk| {
            let first = length;
            length += chunk.len();
            (first, chunk)
        });
        let rows = Rows::Chunks(behind.collect());
        Self::new(role, rows, length, kind, known)
    }

    fn of_buffer(
        role: Role,
        object: &Bound<'_, PyAny>,
        view: &Bound<'_, PyMemoryView>,
        expected: &str,
    ) -> PyResult<Self> {
        let name = role.name;
        // The buffer of a NumPy scalar of time has one dimension, of bytes; the scalar itself has none.
        for dimensions in
            [view.getattr_opt(intern!(object.py(), "ndim"))?, object.getattr_opt(intern!(object.py(), "ndim"))?]
        {
            if dimensions.is_some_and(|count| count.extract::<usize>().is_ok_and(|count| count == 0)) {
                return Err(refused(name, expected, object));
            }
        }
        let owner = view.getattr(intern!(object.py(), "obj"))?;
        if owner.get_type().module()?.to_string_lossy().starts_with("pyarrow") {
            return Err(unfit(name, "it is a buffer of Arrow, which has no type and no nulls: give the array"));
        }
        let buffer = Buffer::get(view)?;
        let format = buffer.format();
        let (order, code) = match format.strip_prefix(['<', '>', '=', '@', '!', '|']) {
            Some(code) => (format.chars().next(), code),
            None => (None, &*format),
        };
        let (shape, item_bytes) = (buffer.shape(), buffer.item_bytes());
        let refuse = |why: &str| Err(unfit(name, why));
        if object.get_type().module()?.to_string_lossy().starts_with("bitarray")
            || object.len().is_ok_and(|length| length != shape[0])
        {
            return refuse(
                "its buffer has other items than it has elements, such as packed bits: give a list or an array of integers",
            );
        }
        if buffer.is_indirect() {
            return refuse("its buffer is an array of pointers");
        }
        let (kind, item) = match (code, shape.len()) {
            ("B", 2) => (Kind::Bytes(Some(shape[1])), None),
            ("B" | "H" | "I" | "L" | "Q" | "N", 1) | ("b" | "h" | "i" | "l" | "q" | "n", 1) => {
                let signed = code.starts_with(char::is_lowercase);
                let native = if cfg!(target_endian = "big") { '>' } else { '<' };
                let big_endian =
                    matches!(order.map(|order| if "=@|".contains(order) { native } else { order }), Some('>' | '!'))
                        || order.is_none() && native == '>';
                let kind = if signed { Kind::SignedWords } else { Kind::Words };
                (kind, Some(Item { signed, big_endian }))
            }
            (code, 1) if code.ends_with('x') && code[..code.len() - 1].parse() == Ok(item_bytes) => {
                (Kind::Bytes(Some(item_bytes)), None)
            }
            (code, _) if code.ends_with('s') => {
                return refuse(
                    "its items are S (byte strings), which drop zero bytes at the end of a number: view them as V of \
                     the same width, or as uint8 of two dimensions",
                );
            }
            ("e" | "f" | "d" | "g", _) => {
                return refuse(
                    "it has floating-point numbers, which cannot hold every integer (NaN for a missing one made a column \
                     so): give integers, or an Arrow column with nulls",
                );
            }
            ("?", _) => return refuse("it has booleans, not numbers"),
            ("O", _) => {
                return refuse("it has Python objects: give powmod_list the numbers, or make a column of bytes");
            }
            (code, dimensions) => {
                return refuse(&format!(
                    "its buffer has {dimensions} dimensions of items {code:?}; what is read is uint8 of two dimensions, \
                     V, or integers of one dimension"
                ));
            }
        };
        let masked = masked(name, &owner, shape)?;
        let length = shape[0];
        // Rows of bytes of two dimensions are a form of this package alone.
        let known = if code.ends_with('x') { Known::Caller } else { Known::Usual };
        Ok(Self::new(role, Rows::Buffer { buffer, item, masked }, length, kind, known))
    }

    fn of_sequence(role: Role, object: &Bound<'_, PyAny>, expected: &str) -> PyResult<Self> {
        let name = role.name;
        if object.hasattr(intern!(object.py(), "__array_interface__"))? {
            return Err(match object.getattr_opt(intern!(object.py(), "dtype"))? {
                Some(kind) => unfit(name, &format!("its NumPy type is {kind}, which is neither integers nor bytes")),
                None => unfit(name, "it has an array interface and no buffer: give numpy.asarray of it"),
            });
        }
        if object.hasattr(intern!(object.py(), "__array__"))? {
            let kind = object.get_type();
            let series = kind.module()?.to_string_lossy().starts_with("pandas");
            let instead = if series { "pandas.Series" } else { "numpy.asarray" };
            return Err(unfit(name, &format!("it is of the type {}: give {instead} of it", kind.name()?)));
        }
        let (Ok(rows), false) = (object.try_iter(), is_unordered(object)) else {
            return Err(refused(name, expected, object));
        };
        let kind = Kind::Bytes(None);
        let mut block = Block { most: role.most(kind), ..Block::default() };
        for (index, row) in rows.enumerate() {
            let row = row?;
            block.nulls.push(row.is_none());
            // NumPy's bytes have lost the zero bytes at their end.
            if let Ok(bytes) = row.cast::<PyBytes>()
                && !row.hasattr(intern!(row.py(), "dtype"))?
            {
                if !block.is_long(bytes.as_bytes().len()) {
                    block.bytes.extend_from_slice(bytes.as_bytes());
                }
            } else if !row.is_none() {
                let found = refused(name, "a sequence of bytes and None", &row);
                let hint = if number::index(name, &row).is_ok() {
                    ": for a list of integers there is powmod_list"
                } else {
                    ""
                };
                let text = format!("element {index}: {}{hint}", found.value(object.py()));
                return Err(PyTypeError::new_err(text));
            }
            block.ends.push(block.bytes.len());
        }
        let length = block.ends.len();
        Ok(Self::new(role, Rows::Copied(block), length, kind, Known::Usual))
    }

    /// Copies these rows into `block`, which is cleared; not those that are too long. Error: a row, and why its place contradicts itself.
    pub fn copy(&self, rows: Range<usize>, block: &mut Block) -> Result<(), Error> {
        block.clear();
        block.most = self.role.most(self.kind);
        match &self.rows {
            Rows::Copied(all) => {
                let long = all.long.partition_point(|(row, _)| *row < rows.start);
                let here = all.long[long..].iter().take_while(|(row, _)| *row < rows.end);
                block.long.extend(here.map(|(row, bytes)| (row - rows.start, *bytes)));
                for row in rows {
                    block.bytes.extend_from_slice(all.row(row));
                    block.ends.push(block.bytes.len());
                    block.nulls.push(all.nulls[row]);
                }
            }
            Rows::Buffer { buffer, item, masked } => {
                if item.is_none() && buffer.width() > block.most {
                    block.nulls.resize(rows.len(), false);
                    block.end_long_rows(buffer.width(), rows.len());
                } else {
                    buffer.copy(rows.clone(), block);
                }
                if let Some(masked) = masked {
                    block.nulls.copy_from_slice(&masked[rows]);
                }
                if let Some(item) = item {
                    item.words(block);
                }
            }
            Rows::Chunks(chunks) => {
                let before = chunks.partition_point(|(first, chunk)| first + chunk.len() <= rows.start);
                for (first, chunk) in &chunks[before..] {
                    if *first >= rows.end {
                        break;
                    }
                    let here = rows.start.max(*first) - first..rows.end.min(first + chunk.len()) - first;
                    let at = |(row, why): (usize, String)| Error::At {
                        index: first + row,
                        error: Box::new(Error::BadArgument(why)),
                    };
                    chunk.read(here, block).map_err(at)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether its elements are in no order, or it has more than they say.
fn is_unordered(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() || object.is_instance_of::<PyDict>()
}

/// The rows that the owner of a buffer of this shape masks: those of a masked array of NumPy, of which any part is masked. None, if it
/// has no mask. TypeError for a mask that is none of such rows.
fn masked(name: &str, owner: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Option<Vec<bool>>> {
    let Some(mask) = owner.getattr_opt(intern!(owner.py(), "mask"))? else { return Ok(None) };
    // Unchanged if nothing is masked.
    if mask.is_none() || mask.extract::<bool>().is_ok_and(|mask| !mask) {
        return Ok(None);
    }
    let refuse =
        || unfit(name, "its mask is not an array of booleans of its own shape: give an Arrow column with nulls");
    let view = PyMemoryView::from(&mask).map_err(|_| refuse())?;
    let buffer = Buffer::get(&view).map_err(|_| refuse())?;
    if buffer.format() != "?" || buffer.shape() != shape || buffer.is_indirect() {
        return Err(refuse());
    }
    let mut block = Block::default();
    buffer.copy(0..shape[0], &mut block);
    Ok(Some((0..shape[0]).map(|row| block.row(row).iter().any(|&byte| byte != 0)).collect()))
}

fn unfit(name: &str, why: &str) -> PyErr {
    PyTypeError::new_err(errors::shortened(&format!("{name} is no column of numbers: {why}")).into_owned())
}

impl Item {
    /// The rows as words.
    fn words(self, block: &mut Block) {
        let width = block.ends.first().copied().unwrap_or(1);
        if width == 8 && !self.big_endian {
            let (words, _) = block.bytes.as_chunks();
            block.words.extend(words.iter().map(|&word| u64::from_le_bytes(word)));
            return;
        }
        let above = 64 - 8 * width as u32;
        for bytes in block.bytes.chunks(width) {
            let add = |word: u64, &byte: &u8| word << 8 | u64::from(byte);
            let word = if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) };
            block.words.push(if self.signed { (((word << above) as i64) >> above) as u64 } else { word });
        }
    }
}

impl Column {
    /// The number of a row of text, or of bytes in an order of their own. Errors: `not_a_number`, `too_long`.
    pub fn parsed(&self, block: &Block, row: usize) -> Result<Integer, Error> {
        match self.kind {
            Kind::Text => parsed(block.row(row), self.role.text_bits),
            kind => Ok(integer(kind, block, row, false)),
        }
    }

    /// The number in a row that is not null. Errors: `not_a_number`, `too_long`.
    pub fn number(&self, block: &Block, row: usize, little_endian: bool) -> Result<Integer, Error> {
        if let Ok(at) = block.long.binary_search_by_key(&row, |(at, _)| *at) {
            return Err(self.role.too_long(self.kind, block.long[at].1));
        }
        let number = match self.kind {
            Kind::Text => parsed(block.row(row), self.role.text_bits)?,
            kind => integer(kind, block, row, little_endian),
        };
        let (length, cap) = (number.magnitude().bits(), self.role.most_bits);
        if length > cap { Err(Error::TooLong { what: self.role.what, length, cap }) } else { Ok(number) }
    }
}

/// The number in a row of a column that is no text.
pub fn integer(kind: Kind, block: &Block, row: usize, little_endian: bool) -> Integer {
    match kind {
        Kind::Words => Integer::from(block.words[row]),
        Kind::SignedWords => Integer::from(block.words[row] as i64),
        Kind::Nulls => Integer::default(),
        Kind::Ordered(order) => order.integer(block.row(row)),
        _ if little_endian => Natural::from_le_bytes(block.row(row)).into(),
        _ => Natural::from_be_bytes(block.row(row)).into(),
    }
}

/// The number that a row of text is. Errors: `not_a_number`, `too_long`.
pub fn parsed(row: &[u8], max_bits: u64) -> Result<Integer, Error> {
    match core::str::from_utf8(row) {
        Ok(text) => Integer::parse_capped(text, max_bits),
        Err(error) => Err(Error::NotANumber { position: error.valid_up_to(), reason: "no UTF-8" }),
    }
}
