//! Rows that others lend, copied.

use super::{Array, Format, Layout, Lent};
use core::ops::Range;

/// Rows that were copied.
#[derive(Clone, Debug)]
pub struct Block {
    /// Integers, sign-extended; empty for other columns.
    pub words: Vec<u64>,
    /// The bytes of all rows.
    pub bytes: Vec<u8>,
    /// Where each row ends in `bytes`.
    pub ends: Vec<usize>,
    /// Whether each row is null.
    pub nulls: Vec<bool>,
    /// The most bytes of a row: a longer one is not copied, and is empty here.
    pub most: usize,
    /// The rows that were longer, in order, each with its bytes.
    pub long: Vec<(usize, usize)>,
}

impl Default for Block {
    /// Nothing, of rows of any length.
    fn default() -> Self {
        let (words, bytes, ends, nulls) = Default::default();
        Self { words, bytes, ends, nulls, most: usize::MAX, long: Vec::new() }
    }
}

impl Block {
    /// Nothing, with the memory kept.
    pub fn clear(&mut self) {
        self.words.clear();
        self.bytes.clear();
        self.ends.clear();
        self.nulls.clear();
        self.long.clear();
    }

    /// The bytes of a row.
    pub fn row(&self, index: usize) -> &[u8] {
        &self.bytes[if index == 0 { 0 } else { self.ends[index - 1] }..self.ends[index]]
    }

    fn end_row(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Whether the next row, which has `bytes` bytes, is longer than the most. Notes it.
    pub fn is_long(&mut self, bytes: usize) -> bool {
        let is_long = bytes > self.most;
        if is_long {
            self.long.push((self.ends.len(), bytes));
        }
        is_long
    }

    /// Ends rows of one width that is more than the most, the last ones of `nulls`.
    pub fn end_long_rows(&mut self, width: usize, count: usize) {
        for row in self.ends.len()..self.ends.len() + count {
            if !self.nulls[row] {
                self.long.push((row, width));
            }
            self.end_row();
        }
    }
}

/// A chunk of a column.
#[derive(Debug)]
pub struct Chunk {
    array: Array,
    format: Format,
    offset: usize,
    length: usize,
    /// The end of the data of rows between offsets. It is read once, because the owner may change it.
    data_end: i64,
}

impl Chunk {
    /// An array of this format. Error: what contradicts itself.
    pub fn new(array: Array, format: Format) -> Result<Self, String> {
        if array.is_released() {
            return Err("its array was released".into());
        }
        let (offset, length) = match (usize::try_from(array.offset), usize::try_from(array.length)) {
            (Ok(offset), Ok(length)) if offset.checked_add(length).is_some_and(|end| end < (1 << 48)) => {
                (offset, length)
            }
            _ => return Err(format!("its array has offset {} and length {}", array.offset, array.length)),
        };
        let (fewest, most) = match format {
            // polars gives it a validity buffer, which says nothing that the count does not.
            Format::Null => (0, i64::from(array.null_count == array.length)),
            Format::Int { .. } | Format::Wide { .. } | Format::Fixed(_) => (2, 2),
            Format::Binary(Layout::Views) | Format::Text(Layout::Views) => (3, i64::MAX),
            Format::Binary(_) | Format::Text(_) => (3, 3),
        };
        if !(fewest..=most).contains(&array.n_buffers) {
            return Err(format!("its array has {} buffers, and its format {fewest}", array.n_buffers));
        }
        if array.n_buffers > 0 && array.buffers.is_null() {
            return Err("its array has no buffers".into());
        }
        if array.n_children != 0 || !array.dictionary.is_null() {
            return Err("its array has children, and its format none".into());
        }
        let mut chunk = Self { array, format, offset, length, data_end: 0 };
        let needs_bytes = length > 0 && !matches!(format, Format::Null | Format::Fixed(0));
        if needs_bytes && chunk.buffer(1).is_null() {
            return Err(format!("its array has {length} rows and no data"));
        }
        if let (Format::Binary(layout) | Format::Text(layout), true) = (format, length > 0)
            && layout != Layout::Views
        {
            chunk.data_end = chunk.offset_at(offset + length, layout);
        }
        Ok(chunk)
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.length
    }

    fn buffer(&self, index: usize) -> *const u8 {
        debug_assert!((index as i64) < self.array.n_buffers);
        // SAFETY: `new` found that many buffers, and an array that is not released has a pointer for each.
        unsafe { *self.array.buffers.add(index) }.cast()
    }

    /// A number at a place of a buffer.
    ///
    /// # Safety
    ///
    /// The format says that the buffer is that long.
    unsafe fn at<T: Copy>(buffer: *const u8, index: usize) -> T {
        // SAFETY: the caller answers for the length; a producer need not align.
        unsafe { buffer.cast::<T>().add(index).read_unaligned() }
    }

    fn is_null(&self, row: usize) -> bool {
        if self.format == Format::Null {
            return true;
        }
        let validity = self.buffer(0);
        // SAFETY: the validity buffer has a bit for each row up to offset + length, and `row` is below that.
        !validity.is_null() && unsafe { Self::at::<u8>(validity, row / 8) } >> (row % 8) & 1 == 0
    }

    /// Copies rows behind those of `block`. Error: the row whose place contradicts itself, and how.
    pub fn read(&self, rows: Range<usize>, block: &mut Block) -> Result<(), (usize, String)> {
        assert!(rows.start <= rows.end && rows.end <= self.length, "rows of this chunk");
        let (first, count) = (self.offset + rows.start, rows.len());
        if self.format == Format::Null || !self.buffer(0).is_null() {
            block.nulls.extend((first..first + count).map(|row| self.is_null(row)));
        } else {
            block.nulls.resize(block.nulls.len() + count, false);
        }
        let nulls = block.nulls.len() - count;
        match self.format {
            Format::Null => block.ends.resize(block.ends.len() + count, block.bytes.len()),
            Format::Int { bytes, signed } => {
                let data = self.buffer(1);
                let word = |row: usize| {
                    // SAFETY: the data has an integer of this length for each row up to offset + length, and `row` is below.
                    unsafe {
                        match (bytes, signed) {
                            (1, false) => u64::from(Self::at::<u8>(data, row)),
                            (1, true) => i64::from(Self::at::<i8>(data, row)) as u64,
                            (2, false) => u64::from(Self::at::<u16>(data, row)),
                            (2, true) => i64::from(Self::at::<i16>(data, row)) as u64,
                            (4, false) => u64::from(Self::at::<u32>(data, row)),
                            (4, true) => i64::from(Self::at::<i32>(data, row)) as u64,
                            _ => Self::at::<u64>(data, row),
                        }
                    }
                };
                block.words.extend((first..first + count).map(word));
            }
            Format::Fixed(width) if width > block.most => block.end_long_rows(width, count),
            Format::Fixed(width) | Format::Wide { bytes: width, .. } => {
                let Some(bytes) = first.checked_add(count).and_then(|end| end.checked_mul(width)) else {
                    return Err((rows.start, "its rows are longer than the memory".into()));
                };
                if bytes > 0 {
                    // SAFETY: the data has `width` bytes for each row up to offset + length, where these rows end.
                    unsafe { copy(self.buffer(1).add(first * width), count * width, &mut block.bytes) };
                }
                let start = block.bytes.len() - count * width;
                block.ends.extend((1..=count).map(|row| start + row * width));
            }
            Format::Binary(layout) | Format::Text(layout) => {
                for index in 0..count {
                    if !block.nulls[nulls + index] {
                        let row = first + index;
                        let copied = match layout {
                            Layout::Views => self.copy_view(row, block),
                            _ => self.copy_between_offsets(row, layout, block),
                        };
                        copied.map_err(|why| (rows.start + index, why))?;
                    }
                    block.end_row();
                }
            }
        }
        Ok(())
    }

    fn offset_at(&self, index: usize, layout: Layout) -> i64 {
        let offsets = self.buffer(1);
        // SAFETY: there is an offset for each row up to offset + length, and one more.
        unsafe {
            match layout {
                Layout::Offsets => i64::from(Self::at::<i32>(offsets, index)),
                _ => Self::at::<i64>(offsets, index),
            }
        }
    }

    /// The last offset is all that says how long the data is: no row may end behind it.
    fn copy_between_offsets(&self, row: usize, layout: Layout, block: &mut Block) -> Result<(), String> {
        let (start, end) = (self.offset_at(row, layout), self.offset_at(row + 1, layout));
        if start < 0 || end < start || end > self.data_end {
            return Err(format!("it lies between the offsets {start} and {end} of {} bytes", self.data_end));
        }
        if end > start && !block.is_long((end - start) as usize) {
            let data = self.buffer(2);
            if data.is_null() {
                return Err(format!("it has {} bytes, and its array no data", end - start));
            }
            // SAFETY: the data reaches to the last offset, and this row ends before it.
            unsafe { copy(data.add(start as usize), (end - start) as usize, &mut block.bytes) };
        }
        Ok(())
    }

    fn copy_view(&self, row: usize, block: &mut Block) -> Result<(), String> {
        const INLINE: i32 = 12;
        // SAFETY: there is a view of 16 bytes for each row up to offset + length, and `row` is below.
        let view: [u8; 16] = unsafe { Self::at(self.buffer(1), row) };
        let part = |at: usize| i32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
        let length = part(0);
        if (0..=INLINE).contains(&length) {
            if !block.is_long(length as usize) {
                block.bytes.extend_from_slice(&view[4..4 + length as usize]);
            }
            return Ok(());
        }
        let (buffer, start) = (part(8), part(12));
        // Behind validity and views stand the data buffers, and behind those their lengths.
        let data_buffers = self.array.n_buffers - 3;
        if length < 0 || start < 0 || buffer < 0 || i64::from(buffer) >= data_buffers {
            return Err(format!("its view names {length} bytes at {start} of buffer {buffer} of {data_buffers}"));
        }
        let lengths = self.buffer(self.array.n_buffers as usize - 1);
        let data = self.buffer(2 + buffer as usize);
        // SAFETY: the lengths have an entry for each data buffer.
        let of_data = if lengths.is_null() { 0 } else { unsafe { Self::at::<i64>(lengths, buffer as usize) } };
        if data.is_null() || i64::from(start) + i64::from(length) > of_data {
            return Err(format!("its view names {length} bytes at {start} of a buffer of {of_data} bytes"));
        }
        if !block.is_long(length as usize) {
            // SAFETY: the buffer is `of_data` bytes long, and this row ends before that.
            unsafe { copy(data.add(start as usize), length as usize, &mut block.bytes) };
        }
        Ok(())
    }
}

/// Copies bytes that their owner may be writing to.
///
/// # Safety
///
/// They are readable.
unsafe fn copy(from: *const u8, count: usize, out: &mut Vec<u8>) {
    out.reserve(count);
    // SAFETY: the caller answers for `from`; `out` has room for `count` more bytes, which overlap no memory of others.
    unsafe {
        core::ptr::copy_nonoverlapping(from, out.as_mut_ptr().add(out.len()), count);
        out.set_len(out.len() + count);
    }
}

/// A buffer of rows at equal distances, as the buffer protocol describes it.
#[derive(Clone, Copy, Debug)]
pub struct Strided {
    /// The first byte of the first row.
    pub start: *const u8,
    /// How many rows there are, and the distance from one to the next.
    pub rows: usize,
    /// In bytes; 0 and less are allowed.
    pub row_stride: isize,
    /// Bytes of a row, and the distance from one to the next.
    pub width: usize,
    /// In bytes; 0 and less are allowed.
    pub byte_stride: isize,
}

impl Strided {
    /// Copies rows behind those of `block`, as bytes.
    ///
    /// # Safety
    ///
    /// All bytes that the description names are readable.
    pub unsafe fn read(&self, rows: Range<usize>, block: &mut Block) {
        assert!(rows.start <= rows.end && rows.end <= self.rows, "rows of this buffer");
        let count = rows.len();
        block.nulls.resize(block.nulls.len() + count, false);
        let dense = self.byte_stride == 1 || self.width <= 1;
        if dense && self.row_stride == self.width as isize && count > 0 {
            let before = block.bytes.len();
            // SAFETY: rows follow each other without gaps, and the caller answers for their bytes.
            unsafe { copy(self.start.add(rows.start * self.width), count * self.width, &mut block.bytes) };
            block.ends.extend((1..=count).map(|row| before + row * self.width));
            return;
        }
        for row in rows {
            let start = self.start.wrapping_offset(row as isize * self.row_stride);
            if dense {
                // SAFETY: the caller answers for the bytes of the row.
                unsafe { copy(start, self.width, &mut block.bytes) };
            } else {
                let place = |byte: usize| start.wrapping_offset(byte as isize * self.byte_stride);
                // SAFETY: the same.
                block.bytes.extend((0..self.width).map(|byte| unsafe { place(byte).read() }));
            }
            block.end_row();
        }
    }
}
