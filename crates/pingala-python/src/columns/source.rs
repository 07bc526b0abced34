//! A column as an argument: what producers lend, read in blocks.

use super::arrow::{Array, Block, Chunk, Format, Schema, Stream};
use super::capsule::{Buffer, taken};
use crate::call::Divisor;
use crate::errors;
use crate::list::refused;
use crate::number;
use core::ops::Range;
use pingala::{Error, Integer, Natural};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyFrozenSet, PyInt, PyMemoryView, PySet, PyString};

/// What a column may be.
const EXPECTED: &str = "a column (Arrow, NumPy, a buffer, or a sequence of bytes) or an integer";

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
    length: usize,
    kind: Kind,
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
    /// Numbers as text.
    Text,
}

enum Rows {
    /// Each chunk behind the number of rows before it.
    Chunks(Vec<(usize, Chunk)>),
    Buffer {
        buffer: Buffer,
        item: Option<Item>,
        /// Which rows are null, by the mask beside the buffer; none without one.
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
    /// Reads what the argument is, and nothing of the rows but those of a sequence. TypeError, ArgumentError.
    pub fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyInt>() || object.is_instance_of::<crate::modulus::Modulus>() {
            return Divisor::of(object).map(Self::One);
        }
        if object.is_instance_of::<PyString>()
            || object.is_instance_of::<PyBytes>()
            || object.is_instance_of::<PyByteArray>()
        {
            return Err(refused(name, EXPECTED, object));
        }
        // A number, also one of NumPy, which has a buffer too.
        if object.len().is_err() && number::index(object).is_ok() {
            return Divisor::of(object).map(Self::One);
        }
        Column::read(name, object).map(Self::Many)
    }
}

impl Column {
    /// A column of anything.
    pub fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let wrong = |why: String| errors::bad_argument(py, format!("{name}: {why}"));
        // polars lends pointers to Python objects as bytes of fixed width, without a word on it.
        if let Some(kind) = object.getattr_opt(intern!(py, "dtype"))?
            && kind.str()? == "Object"
        {
            return Err(unfit(name, "it has Python objects (Object): cast it to integers, bytes or text"));
        }
        if object.hasattr("__arrow_c_array__")? {
            let pair: (Bound<'_, PyAny>, Bound<'_, PyAny>) = object.call_method0("__arrow_c_array__")?.extract()?;
            let schema: Schema = taken(name, &pair.0, c"arrow_schema")?;
            let array: Array = taken(name, &pair.1, c"arrow_array")?;
            let format = schema.read().map_err(|why| unfit(name, &why))?;
            let chunk = Chunk::new(array, format).map_err(wrong)?;
            return Ok(Self::of_chunks(format, vec![chunk]));
        }
        if object.hasattr("__arrow_c_stream__")? {
            let mut stream: Stream = taken(name, &object.call_method0("__arrow_c_stream__")?, c"arrow_array_stream")?;
            // A producer may wait for other threads, which may want the interpreter.
            let format = py.detach(|| stream.format()).map_err(|why| unfit(name, &why))?;
            let mut chunks = Vec::new();
            while let Some(chunk) = py.detach(|| stream.next(format)).map_err(wrong)? {
                chunks.push(chunk);
            }
            return Ok(Self::of_chunks(format, chunks));
        }
        // A view describes the strides of what has only a shape.
        if let Ok(view) = PyMemoryView::from(object) {
            return Self::of_buffer(name, object, &view);
        }
        Self::of_sequence(name, object)
    }

    fn of_chunks(format: Format, chunks: Vec<Chunk>) -> Self {
        let kind = match format {
            Format::Null => Kind::Nulls,
            Format::Binary(_) => Kind::Bytes(None),
            Format::Int { signed: false, .. } => Kind::Words,
            Format::Int { signed: true, .. } => Kind::SignedWords,
            Format::Fixed(width) => Kind::Bytes(Some(width)),
            Format::Text(_) => Kind::Text,
        };
        let mut length = 0;
        let behind = chunks.into_iter().map(|chunk| {
            let first = length;
            length += chunk.len();
            (first, chunk)
        });
        let rows = Rows::Chunks(behind.collect());
        Self { rows, length, kind }
    }

    fn of_buffer(name: &str, object: &Bound<'_, PyAny>, view: &Bound<'_, PyMemoryView>) -> PyResult<Self> {
        if view.getattr(intern!(object.py(), "ndim"))?.extract::<usize>()? == 0 {
            return Err(refused(name, EXPECTED, object));
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
        Ok(Self { length: shape[0], rows: Rows::Buffer { buffer, item, masked }, kind })
    }

    fn of_sequence(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.hasattr(intern!(object.py(), "__array_interface__"))? {
            let kind = object.getattr(intern!(object.py(), "dtype"))?;
            return Err(unfit(name, &format!("its NumPy type is {kind}, which is neither integers nor bytes")));
        }
        let (Ok(rows), false) = (object.try_iter(), is_unordered(object)) else {
            return Err(refused(name, EXPECTED, object));
        };
        let mut block = Block::default();
        for (index, row) in rows.enumerate() {
            let row = row?;
            block.nulls.push(row.is_none());
            // NumPy's bytes have lost the zero bytes at their end.
            if let Ok(bytes) = row.cast::<PyBytes>()
                && !row.hasattr(intern!(row.py(), "dtype"))?
            {
                block.bytes.extend_from_slice(bytes.as_bytes());
            } else if !row.is_none() {
                let found = refused(name, "a sequence of bytes and None", &row);
                let hint =
                    if number::index(&row).is_ok() { ": for a list of integers there is powmod_list" } else { "" };
                let text = format!("element {index}: {}{hint}", found.value(object.py()));
                return Err(PyTypeError::new_err(text));
            }
            block.ends.push(block.bytes.len());
        }
        Ok(Self { length: block.ends.len(), rows: Rows::Copied(block), kind: Kind::Bytes(None) })
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Copies these rows into `block`, which is cleared. Error: a row, and why its place contradicts itself.
    pub fn copy(&self, rows: Range<usize>, block: &mut Block) -> Result<(), Error> {
        block.clear();
        match &self.rows {
            Rows::Copied(all) => {
                for row in rows {
                    block.bytes.extend_from_slice(all.row(row));
                    block.ends.push(block.bytes.len());
                    block.nulls.push(all.nulls[row]);
                }
            }
            Rows::Buffer { buffer, item, masked } => {
                buffer.copy(rows.clone(), block);
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
    // As it is where nothing is masked.
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
    PyTypeError::new_err(format!("{name} is no column of numbers: {why}"))
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

/// The number in a row of a column that is no text.
pub fn integer(kind: Kind, block: &Block, row: usize, little_endian: bool) -> Integer {
    match kind {
        Kind::Words => Integer::from(block.words[row]),
        Kind::SignedWords => Integer::from(block.words[row] as i64),
        Kind::Nulls => Integer::default(),
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
