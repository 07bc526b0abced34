//! A run of rows of one column as Parquet stores it: values and levels. Kept columns of every type are copied in this form.

use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96Type,
};
use parquet::errors::{ParquetError, Result};

/// Values, definition and repetition levels; levels are empty if the column has none.
pub(crate) struct Chunk<T: DataType> {
    pub(crate) values: Vec<T::T>,
    pub(crate) definitions: Vec<i16>,
    pub(crate) repetitions: Vec<i16>,
}

impl<T: DataType> Default for Chunk<T> {
    fn default() -> Self {
        Self { values: Vec::new(), definitions: Vec::new(), repetitions: Vec::new() }
    }
}

impl<T: DataType> Chunk<T> {
    /// Rows of a column at the root, without repetition: a value or none.
    pub(crate) fn of(rows: impl Iterator<Item = Option<T::T>>) -> Self {
        let mut chunk = Self::default();
        chunk.definitions.reserve(rows.size_hint().0);
        for row in rows {
            chunk.definitions.push(i16::from(row.is_some()));
            chunk.values.extend(row);
        }
        chunk
    }

    /// For each row of a column at the root, without repetition, the value, or none.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Option<&T::T>> {
        let mut values = self.values.iter();
        let count = if self.definitions.is_empty() { self.values.len() } else { self.definitions.len() };
        (0..count).map(move |row| match self.definitions.get(row) {
            Some(0) => None,
            _ => values.next(),
        })
    }
}

macro_rules! leaves {
    ($(($variant:ident, $type:ident, $reader:ident, $writer:ident)),* $(,)?) => {
        /// A stretch of a column of any physical type.
        pub(crate) enum Leaf { $($variant(Chunk<$type>)),* }

        impl Leaf {
            /// The next `rows` rows, or as many as there are.
            pub(crate) fn read(reader: &mut ColumnReader, rows: usize) -> Result<(Self, usize)> {
                match reader {
                    $(ColumnReader::$reader(reader) => {
                        let mut chunk = Chunk::<$type>::default();
                        let Chunk { values, definitions, repetitions } = &mut chunk;
                        let (count, ..) = reader.read_records(rows, Some(definitions), Some(repetitions), values)?;
                        Ok((Leaf::$variant(chunk), count))
                    })*
                }
            }

            /// Leaves out `rows` rows, and says how many there were.
            pub(crate) fn skip(reader: &mut ColumnReader, rows: usize) -> Result<usize> {
                match reader { $(ColumnReader::$reader(reader) => reader.skip_records(rows)),* }
            }

            /// Appends the stretch to a column of the same type.
            pub(crate) fn write<'l>(&'l self, writer: &mut ColumnWriter<'_>) -> Result<()> {
                match (self, writer) {
                    $((Leaf::$variant(chunk), ColumnWriter::$writer(writer)) => {
                        let levels = |levels: &'l [i16]| Some(levels).filter(|levels| !levels.is_empty());
                        let (definitions, repetitions) = (levels(&chunk.definitions), levels(&chunk.repetitions));
                        writer.write_batch(&chunk.values, definitions, repetitions).map(drop)
                    })*
                    _ => Err(ParquetError::General("a column changes its physical type".into())),
                }
            }

            /// Whether no level is above these. The crate returns levels as a file has them, and its writer trusts them.
            pub(crate) fn has_levels_up_to(&self, definition: i16, repetition: i16) -> bool {
                let are = |levels: &[i16], most| levels.iter().all(|level| (0..=most).contains(level));
                match self {
                    $(Leaf::$variant(chunk) => are(&chunk.definitions, definition) && are(&chunk.repetitions, repetition)),*
                }
            }

            fn level_bytes(&self) -> usize {
                match self { $(Leaf::$variant(chunk) => 2 * (chunk.definitions.len() + chunk.repetitions.len())),* }
            }
        }
    };
}

leaves![
    (Bool, BoolType, BoolColumnReader, BoolColumnWriter),
    (Int32, Int32Type, Int32ColumnReader, Int32ColumnWriter),
    (Int64, Int64Type, Int64ColumnReader, Int64ColumnWriter),
    (Int96, Int96Type, Int96ColumnReader, Int96ColumnWriter),
    (Float, FloatType, FloatColumnReader, FloatColumnWriter),
    (Double, DoubleType, DoubleColumnReader, DoubleColumnWriter),
    (Bytes, ByteArrayType, ByteArrayColumnReader, ByteArrayColumnWriter),
    (Fixed, FixedLenByteArrayType, FixedLenByteArrayColumnReader, FixedLenByteArrayColumnWriter),
];

impl Leaf {
    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        const HANDLE: usize = 40;
        self.level_bytes()
            + match self {
                Leaf::Bool(chunk) => chunk.values.len(),
                Leaf::Int32(chunk) => 4 * chunk.values.len(),
                Leaf::Float(chunk) => 4 * chunk.values.len(),
                Leaf::Int64(chunk) => 8 * chunk.values.len(),
                Leaf::Double(chunk) => 8 * chunk.values.len(),
                Leaf::Int96(chunk) => 16 * chunk.values.len(),
                Leaf::Bytes(chunk) => chunk.values.iter().map(|value| HANDLE + value.len()).sum(),
                Leaf::Fixed(chunk) => chunk.values.iter().map(|value| HANDLE + value.len()).sum(),
            }
    }
}
