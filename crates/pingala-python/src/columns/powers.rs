//! Powers of columns: blocks of rows are copied, computed by one call of the library, and put behind each other.

use super::arrow::Block;
use super::result::{Data, Values};
use super::source::{self, Argument, Column, Kind};
use super::{Errors, MOST_ROWS, grow, room};
use crate::call::{Divisor, runs_apart};
use core::ops::Range;
use pingala_core::{Error, FixedBase, Integer, Options, RowRequest, Watch};

/// Rows of a block of words, which take less time.
const MOST_WORD_ROWS: usize = 1 << 18;
/// Rows of the first block if their lengths are not known.
const FIRST_ROWS: usize = 64;
/// Bytes that a block copies for each thread, about: they stay in its cache, and memory that is used again costs no page faults.
const BLOCK_BYTES: usize = 2 << 20;

/// How results are laid out.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Bytes of a row, if the caller gives them.
    pub width: Option<usize>,
    /// For a batch of a stream: whether its results are words. If not, each row is as wide as its own modulus, unless `width` says
    /// otherwise.
    pub batch_of_words: Option<bool>,
    pub little_endian: bool,
}

/// What is computed of the first two columns.
pub enum Operation {
    Powers,
    /// By the table of the one base and modulus.
    Table(FixedBase),
    Products,
}

/// Powers, or products of the first two columns, in rows.
pub struct Powers {
    /// Bases, exponents, moduli; at least one is a column, and all columns are equally long.
    pub columns: [Argument; 3],
    /// A number for all rows that is too long, with 1 in its place: the error of every row.
    pub bad: Option<Error>,
    pub operation: Operation,
    pub length: usize,
    /// The most threads.
    pub threads: usize,
    pub errors: Errors,
    pub shape: Shape,
}

/// A watch over a block, which counts the rows before it.
struct Shifted<'w> {
    watch: &'w dyn Watch,
    before: usize,
    total: usize,
}

impl Watch for Shifted<'_> {
    fn stop(&self) -> bool {
        self.watch.stop()
    }

    fn progress(&self, finished: usize, _: usize) {
        self.watch.progress(self.before + finished, self.total);
    }
}

/// The columns of one block, and its rows that take no part: nulls, and those that failed while they were read.
#[derive(Default)]
struct Copied {
    blocks: [Block; 3],
    /// The numbers of columns of text.
    parsed: [Vec<Integer>; 3],
    absent: Vec<bool>,
    failed: Vec<(usize, Error)>,
}

impl Powers {
    /// All rows. Errors: those of a row, with its index, if they are raised; `bad_plan`, `interrupted`; `bad_argument` for rows
    /// that lie outside of what their producer lends.
    pub fn run(&self, options: &Options<'_>, watch: Option<&dyn Watch>) -> Result<Data, Error> {
        let ones = self.columns.each_ref().map(|argument| match argument {
            Argument::One(divisor) => Integer::new(divisor.is_negative(), divisor.magnitude().clone()),
            Argument::Many(_) => Integer::default(),
        });
        let values = if self.gives_words() {
            Values::Words(room(self.length)?)
        } else if let Some(width) = self.shape.width.or_else(|| self.known_width()).filter(|_| !self.has_own_widths()) {
            Values::Fixed { bytes: room(self.length.saturating_mul(width))?, width }
        } else if self.has_own_widths() {
            let mut offsets = room(self.length + 1)?;
            offsets.push(0);
            Values::Variable { bytes: Vec::new(), offsets }
        } else {
            Values::Fixed { bytes: Vec::new(), width: 1 }
        };
        let mut out = Data::of(values, self.length, self.shape.little_endian)?;
        let mut copied = Copied::default();
        let (mut first, mut rows) = (0, self.first_rows());
        while first < self.length {
            let block = first..(first + rows).min(self.length);
            self.copy(block.clone(), &mut copied)?;
            let shifted = watch.map(|watch| Shifted { watch, before: first, total: self.length });
            let options = options.with_watch(shifted.as_ref().map(|watch| watch as &dyn Watch));
            let failed = self.block(&copied, &ones, &mut out, block.len(), &options)?;
            out.settle(first, &copied.absent, &failed, self.errors)?;
            let bytes: usize = copied.blocks.iter().map(|block| block.bytes.len()).sum();
            rows = self.next_rows(bytes / block.len().max(1));
            first = block.end;
        }
        Ok(out.finished(self.errors))
    }

    fn columns(&self) -> impl Iterator<Item = &Column> {
        self.columns
            .iter()
            .filter_map(|argument| if let Argument::Many(column) = argument { Some(column) } else { None })
    }

    /// Integers in, integers out: where all columns are integers, and results fit words.
    pub fn gives_words(&self) -> bool {
        if self.shape.batch_of_words == Some(false) {
            return false;
        }
        let fits = match &self.columns[2] {
            Argument::One(modulus) => modulus.magnitude().bits() <= 64,
            Argument::Many(_) => true,
        };
        // Nulls of no type suit a batch whose type is given, and are no integers by themselves.
        let are_words = |column: &Column| match column.kind {
            Kind::Words | Kind::SignedWords => true,
            Kind::Nulls | Kind::Ordered(_) => self.shape.batch_of_words == Some(true),
            Kind::Bytes(_) | Kind::Text => false,
        };
        fits && self.columns().all(are_words) && self.shape.width.is_none()
    }

    /// The width of the longest modulus, if it is known before the rows are.
    fn known_width(&self) -> Option<usize> {
        match &self.columns[2] {
            Argument::One(modulus) => Some(bytes_of(modulus.magnitude().bits())),
            Argument::Many(column) => match column.kind {
                Kind::Bytes(width) => width.map(|width| width.max(1)),
                Kind::Words | Kind::SignedWords => Some(8),
                Kind::Text | Kind::Ordered(_) | Kind::Nulls => None,
            },
        }
    }

    /// Whether each row is as wide as its own modulus.
    fn has_own_widths(&self) -> bool {
        self.shape.batch_of_words.is_some() && self.shape.width.is_none()
    }

    /// Whether rows may need an inverse of a long number, which does not ask whether to stop.
    pub fn may_invert(&self) -> bool {
        if matches!(self.operation, Operation::Products) {
            return false;
        }
        let negative = match &self.columns[1] {
            Argument::One(exponent) => exponent.is_negative(),
            Argument::Many(column) => matches!(column.kind, Kind::SignedWords | Kind::Ordered(_) | Kind::Text),
        };
        let is_long = match &self.columns[2] {
            Argument::One(modulus) => runs_apart(modulus.magnitude().bits()),
            Argument::Many(_) => self.known_width().is_none_or(|width| runs_apart(8 * width as u64)),
        };
        negative && is_long
    }

    fn first_rows(&self) -> usize {
        if self.gives_words() {
            return MOST_WORD_ROWS;
        }
        let width = |column: &Column| match column.kind {
            Kind::Bytes(Some(width)) => Some(width),
            Kind::Words | Kind::SignedWords => Some(8),
            Kind::Nulls => Some(0),
            Kind::Bytes(None) | Kind::Ordered(_) | Kind::Text => None,
        };
        self.columns().map(width).sum::<Option<usize>>().map_or(FIRST_ROWS, |bytes| self.next_rows(bytes))
    }

    fn next_rows(&self, row_bytes: usize) -> usize {
        if self.gives_words() {
            return MOST_WORD_ROWS;
        }
        (BLOCK_BYTES.saturating_mul(self.threads) / row_bytes.max(1)).clamp(1, MOST_ROWS)
    }

    /// Copies the rows of all columns, and finds those that take no part.
    fn copy(&self, rows: Range<usize>, copied: &mut Copied) -> Result<(), Error> {
        copied.absent.clear();
        copied.absent.resize(rows.len(), false);
        copied.failed.clear();
        for (argument, block) in self.columns.iter().zip(&mut copied.blocks) {
            let Argument::Many(column) = argument else { continue };
            column.copy(rows.clone(), block)?;
            let nulls = copied.absent.iter_mut().zip(&block.nulls);
            nulls.for_each(|(absent, null)| *absent |= null);
        }
        let mut fail = |row: usize, error: Error| {
            if !core::mem::replace(&mut copied.absent[row], true) {
                copied.failed.push((row, error));
            }
        };
        if let Some(error) = &self.bad {
            (0..rows.len()).for_each(|row| fail(row, error.clone()));
        }
        for (argument, block) in self.columns.iter().zip(&copied.blocks) {
            if let Argument::Many(column) = argument {
                block.long.iter().for_each(|(row, bytes)| fail(*row, column.role.too_long(column.kind, *bytes)));
            }
        }
        // Text that is no number is an error of its row, unless that is null.
        for (at, argument) in self.columns.iter().enumerate() {
            let Argument::Many(column) = argument else { continue };
            copied.parsed[at].clear();
            if !column.kind.is_parsed() {
                continue;
            }
            for row in 0..rows.len() {
                let number =
                    if copied.absent[row] { Ok(Integer::default()) } else { column.parsed(&copied.blocks[at], row) };
                copied.parsed[at].push(number.unwrap_or_else(|error| {
                    copied.absent[row] = true;
                    copied.failed.push((row, error));
                    Integer::default()
                }));
            }
        }
        copied.failed.sort_by_key(|(row, _)| *row);
        for (row, error) in &mut copied.failed {
            *error = error.clone().unless_modulus_is_zero(|| self.has_zero(*row, &copied.blocks[2]));
        }
        Ok(())
    }

    /// Whether the modulus of a row is 0.
    fn has_zero(&self, row: usize, block: &Block) -> bool {
        let column = match &self.columns[2] {
            Argument::One(modulus) => return modulus.magnitude().is_zero(),
            Argument::Many(column) => column,
        };
        match column.kind {
            Kind::Words | Kind::SignedWords => block.words[row] == 0,
            Kind::Nulls => false,
            Kind::Text => source::parsed(block.row(row), column.role.text_bits).is_ok_and(|m| m.magnitude().is_zero()),
            Kind::Bytes(_) | Kind::Ordered(_) => {
                !block.long.iter().any(|(long, _)| *long == row) && block.row(row).iter().all(|&byte| byte == 0)
            }
        }
    }

    /// Computes a block and puts it behind the others; gives the rows that failed.
    fn block(
        &self,
        copied: &Copied,
        ones: &[Integer; 3],
        out: &mut Data,
        count: usize,
        options: &Options<'_>,
    ) -> Result<Vec<(usize, Error)>, Error> {
        let little_endian = self.shape.little_endian;
        let [a, b, moduli] = core::array::from_fn(|at| {
            let numbers = self.numbers(at, copied, &ones[at]);
            if little_endian { numbers.little_endian() } else { numbers }
        });
        let work = match &self.operation {
            Operation::Powers => RowRequest::powers(a, b, moduli),
            Operation::Table(table) => RowRequest::powers(a, b, moduli).by_table(table),
            Operation::Products => RowRequest::products(a, b, moduli),
        };
        let work = work.without(&copied.absent);
        let mut failed = copied.failed.clone();
        let width = self.block_width(copied, &out.values);
        let mut alone = Vec::new();
        let bytes = match &mut out.values {
            Values::Words(words) => {
                let before = words.len();
                grow(words, count)?;
                failed.extend(work.words(&mut words[before..], options)?);
                failed.sort_by_key(|(row, _)| *row);
                return Ok(failed);
            }
            Values::Fixed { bytes, width: of_all } => {
                widen(bytes, of_all, width, little_endian)?;
                bytes
            }
            _ => &mut alone,
        };
        let before = bytes.len();
        grow(bytes, count.saturating_mul(width))?;
        let computed = work.bytes(&mut bytes[before..], width, options)?;
        failed.extend(
            computed.into_iter().map(|(row, error)| (row, self.of_width(error, options.limits().modulus_bits))),
        );
        failed.sort_by_key(|(row, _)| *row);
        if let Values::Variable { bytes, offsets } = &mut out.values {
            let mut failures = failed.iter().peekable();
            for (row, result) in alone.chunks_exact(width).enumerate() {
                let is_bad = failures.next_if(|(at, _)| *at == row).is_some() || copied.absent[row];
                let own = if is_bad { 0 } else { self.own_width(row, copied).min(width) };
                bytes.extend_from_slice(if little_endian { &result[..own] } else { &result[width - own..] });
                offsets.push(bytes.len() as i64);
            }
        }
        Ok(failed)
    }

    /// The error of a row, which names the caller's width if a modulus is too long for it and not for the cap of `most_bits`.
    fn of_width(&self, error: Error, most_bits: u64) -> Error {
        match error {
            Error::TooLong { what: "modulus", length, cap }
                if cap < most_bits && self.shape.width.is_some_and(|width| cap == 8 * width as u64) =>
            {
                Error::TooLong { what: crate::errors::WIDTH, length, cap }
            }
            other => other,
        }
    }

    /// A column as the library takes it.
    fn numbers<'n>(&'n self, at: usize, copied: &'n Copied, one: &'n Integer) -> pingala_core::Column<'n> {
        let column = match &self.columns[at] {
            Argument::One(Divisor::Kept(modulus)) if at == 2 => return modulus.into(),
            Argument::One(_) => return one.into(),
            Argument::Many(column) => column,
        };
        let (block, rows) = (&copied.blocks[at], copied.absent.iter().enumerate());
        match column.kind {
            kind if kind.is_parsed() => copied.parsed[at][..].into(),
            Kind::Bytes(Some(width)) if width > 0 => pingala_core::Column::fixed(&block.bytes, width),
            Kind::Bytes(_) => rows.map(|(row, _)| block.row(row)).collect::<Vec<_>>().into(),
            // All of them take no part.
            Kind::Nulls => Integer::default().into(),
            Kind::SignedWords if rows.clone().any(|(row, absent)| !absent && (block.words[row] as i64) < 0) => {
                let number = |(row, _)| source::integer(column.kind, block, row, false);
                rows.map(number).collect::<Vec<_>>().into()
            }
            _ => block.words[..].into(),
        }
    }

    /// Bytes of the results of a block.
    fn block_width(&self, copied: &Copied, values: &Values) -> usize {
        if let (Some(width), Values::Fixed { .. }) = (self.shape.width, values) {
            return width;
        }
        if let Values::Words(_) = values {
            return 8;
        }
        let most = match self.known_width() {
            Some(width) => width,
            None => (0..copied.absent.len()).map(|row| self.own_width(row, copied)).max().unwrap_or(1),
        };
        if let Values::Fixed { width, .. } = values { most.max(*width) } else { most }
    }

    /// Bytes of the modulus of a row, as it stands there.
    fn own_width(&self, row: usize, copied: &Copied) -> usize {
        match &self.columns[2] {
            Argument::One(modulus) => bytes_of(modulus.magnitude().bits()),
            Argument::Many(column) => match column.kind {
                Kind::Words | Kind::SignedWords => 8,
                Kind::Bytes(_) | Kind::Nulls => copied.blocks[2].row(row).len().max(1),
                Kind::Text | Kind::Ordered(_) => bytes_of(copied.parsed[2][row].magnitude().bits()),
            },
        }
    }
}

/// Bytes of a number of `bits` bits, at least one.
fn bytes_of(bits: u64) -> usize {
    bits.div_ceil(8).max(1) as usize
}

/// Makes rows wider. Error as [`room`].
fn widen(bytes: &mut Vec<u8>, width: &mut usize, to: usize, little_endian: bool) -> Result<(), Error> {
    if to > *width && !bytes.is_empty() {
        let mut wider = Vec::new();
        grow(&mut wider, (bytes.len() / *width).saturating_mul(to))?;
        for (from, out) in bytes.chunks_exact(*width).zip(wider.chunks_exact_mut(to)) {
            let start = if little_endian { 0 } else { to - from.len() };
            out[start..start + from.len()].copy_from_slice(from);
        }
        *bytes = wider;
    }
    *width = to.max(*width);
    Ok(())
}
