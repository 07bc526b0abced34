//! The files that a job reads: found by name, read in batches whatever their row groups.

use crate::checked::{Parquet, caught};
use crate::error::{Doing, Error, Result};
use crate::identity::{Facts, Stamp, outline, stamped};
use crate::leaf::Leaf;
use crate::meaning::{self, Class, Said};
use crate::numbers::{self, Kind};
use crate::output::parquet::MEANINGS;
use crate::reading::Reading;
use crate::task::{Binary, ERROR, REASON};
use crate::text::{listed, shown};
use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::file::metadata::{FileMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type, TypePtr};
use pingala_core::files::open_ordinary;
use pingala_core::pairs;
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The files of these names, in order: folders give their files, the last component may have `*` and `?`.
pub(crate) fn find(names: &[String]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for name in names {
        let path = Path::new(name);
        is_no_table(path)?;
        let pipe = || {
            let why = "a job reads its input again when it continues; `pingala batch` reads pipes";
            Error::argument(format!("{} is no ordinary file: {why}", shown(name)))
        };
        if name == "-" {
            return Err(pipe());
        }
        let pattern = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (folder, pattern) = match fs::metadata(path) {
            Ok(facts) if facts.is_dir() => (path, None),
            Ok(facts) if facts.is_file() => {
                found.push(path.to_path_buf());
                continue;
            }
            Ok(_) => return Err(pipe()),
            Err(_) if pattern.contains(['*', '?']) => {
                (path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")), Some(pattern))
            }
            Err(error) => return Err(Error::io("read", path, &error)),
        };
        let entries = fs::read_dir(folder).doing("read", folder)?;
        let mut of_name: Vec<PathBuf> = entries
            .flatten()
            .filter(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_wanted = match &pattern {
                    // Other readers of such folders skip these names too.
                    None => !name.starts_with(['.', '_']),
                    Some(pattern) => matches(pattern.as_bytes(), name.as_bytes()),
                };
                is_wanted && fs::metadata(entry.path()).is_ok_and(|facts| facts.is_file())
            })
            .map(|entry| entry.path())
            .collect();
        if of_name.is_empty() {
            return Err(Error::argument(if pattern.is_some() {
                format!("no file is called {}", shown(name))
            } else {
                no_files(folder)
            }));
        }
        of_name.sort();
        found.append(&mut of_name);
    }
    for path in &mut found {
        *path = fs::canonicalize(&*path).doing("read", path)?;
    }
    Ok(found)
}

/// The sentence about a folder without files to read.
fn no_files(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| fs::metadata(entry.path()).is_ok_and(|facts| facts.is_dir()));
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with(['.', '_']));
    names.sort();
    match names.first() {
        None => format!("there is no file in the folder {}", folder.display()),
        Some(first) => format!(
            "there is no file in {}, only folders ({}), which are not searched: name them, as in {}",
            folder.display(),
            listed(&names),
            folder.join(first).display()
        ),
    }
}

/// Error: `bad_argument`, for a folder of a table whose log says which rows of its files are there, and for what lies in it.
pub(crate) fn is_no_table(path: &Path) -> Result<()> {
    let whole = fs::canonicalize(path).or_else(|_| std::path::absolute(path)).doing("read", path)?;
    let is_folder = |folder: &Path, name: &str| fs::metadata(folder.join(name)).is_ok_and(|facts| facts.is_dir());
    for folder in whole.ancestors() {
        let has_metadata = |folder: &Path| {
            let entries = fs::read_dir(folder.join("metadata")).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().ends_with(".metadata.json"))
        };
        let (what, how) = if is_folder(folder, "_delta_log") {
            ("a Delta table", "deltalake.DeltaTable(FOLDER).to_pyarrow_table()")
        } else if has_metadata(folder) {
            (
                "an Iceberg table",
                "pyiceberg.table.StaticTable.from_metadata(FILE).scan().to_arrow(), where FILE is the newest .metadata.json of its folder \
                 metadata,",
            )
        } else if is_folder(folder, ".hoodie") {
            ("a Hudi table", "hudi.HudiTableBuilder.from_base_uri(FOLDER).build().read_snapshot()")
        } else if is_folder(folder, "_versions") && is_folder(folder, "_transactions") {
            ("a Lance dataset", "lance.dataset(FOLDER).to_table()")
        } else {
            continue;
        };
        return Err(Error::argument(format!(
            "{} is {what}: its log, which is not read here, says which rows of its files are there. In Python {how} gives them to \
             Arrow, and pyarrow.parquet.write_table writes them for a job",
            folder.display()
        )));
    }
    Ok(())
}

/// Whether a name fits a pattern of `*` and `?`.
fn matches(mut pattern: &[u8], mut name: &[u8]) -> bool {
    // The pattern after the last `*`, and the part of the name that this `*` does not match yet. Earlier ones need no other match.
    let mut again = None;
    loop {
        match (pattern.split_first(), name.split_first()) {
            (None, None) => return true,
            (Some((b'*', rest)), _) => {
                again = Some((rest, name));
                pattern = rest;
            }
            (Some((wanted, rest)), Some((found, left))) if wanted == found || *wanted == b'?' => {
                (pattern, name) = (rest, left);
            }
            _ => match again {
                Some((rest, [_, left @ ..])) => {
                    (pattern, name) = (rest, left);
                    again = Some((rest, left));
                }
                _ => return false,
            },
        }
    }
}

/// Whether a file is Parquet, by its first bytes.
pub(crate) fn is_parquet(path: &Path) -> Result<bool> {
    let (mut start, mut end) = (Vec::new(), Vec::new());
    let mut file = open_ordinary(path).doing("read", path)?;
    Read::by_ref(&mut file).take(4).read_to_end(&mut start).doing("read", path)?;
    // A file with an encrypted footer begins and ends with PARE; the name of a column may begin so.
    if start == b"PARE" && file.seek(SeekFrom::End(-4)).is_ok() {
        file.read_to_end(&mut end).doing("read", path)?;
    }
    Ok(start == b"PAR1" || end == b"PARE")
}

/// A Parquet file. It is open only while its rows are read, so that a job may have more files than a process may open.
pub(crate) struct Input {
    path: PathBuf,
    metadata: ParquetMetaData,
    facts: Facts,
    stamp: Stamp,
    /// What the footer says about columns beside their types.
    said: HashMap<String, Said>,
    /// What the columns without a meaning hold that this crate wrote, or copied and knew.
    meanings: HashMap<String, Binary>,
}

/// What the columns hold to which Parquet gives no meaning, if this crate wrote the file. Behind the columns that were copied stand the
/// results, and their reasons and errors.
fn own_meanings(footer: &FileMetaData) -> HashMap<String, Binary> {
    if !footer.created_by().is_some_and(|writer| writer.starts_with("pingala ")) {
        return HashMap::new();
    }
    let copied = footer.key_value_metadata().into_iter().flatten().find(|pair| pair.key == MEANINGS);
    let copied = copied.and_then(|pair| serde_json::from_str(pair.value.as_deref()?).ok());
    let mut meanings: HashMap<String, Binary> = copied.unwrap_or_default();
    let fields = footer.schema_descr().root_schema().get_fields();
    let mut names = fields.iter().rev().map(|field| field.name()).skip_while(|name| [ERROR, REASON].contains(name));
    if let Some(result) = names.next() {
        meanings.insert(result.into(), Binary::Big);
    }
    meanings
}

/// Error, if a column of a row group lies outside of the file, or the rows of the groups are not those of the footer. The crate
/// `parquet` does not check this.
fn is_consistent(metadata: &ParquetMetaData, bytes: u64) -> std::result::Result<(), &'static str> {
    let columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let inside = columns.into_iter().all(|column| {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let ends = [start, column.data_page_offset(), column.compressed_size(), column.uncompressed_size()];
        let end = start.checked_add(column.compressed_size()).and_then(|end| u64::try_from(end).ok());
        ends.iter().all(|&number| number >= 0) && end.is_some_and(|end| end <= bytes)
    });
    if !inside {
        return Err("it is damaged: its footer puts a column outside of the file");
    }
    let mut groups = metadata.row_groups().iter().map(RowGroupMetaData::num_rows);
    let rows = groups.try_fold(0i64, |sum, rows| sum.checked_add(rows).filter(|_| rows >= 0));
    if rows != Some(metadata.file_metadata().num_rows()) {
        return Err("it is damaged: its row groups have another number of rows than its footer says");
    }
    Ok(())
}

/// A name that a group of the schema has twice, at the root or below.
fn doubled(group: &Type) -> Option<&str> {
    if group.is_primitive() {
        return None;
    }
    let (fields, mut known) = (group.get_fields(), HashSet::new());
    let twice = fields.iter().map(|field| field.name()).find(|name| !known.insert(*name));
    twice.or_else(|| fields.iter().find_map(|field| doubled(field)))
}

impl Input {
    /// Opens a file and reads its footer.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let (file, stamp) = stamped(path)?;
        let mut facts = outline(path, true)?;
        let metadata = caught(path, || Parquet::new(file).metadata().map_err(|error| Error::file(path, error)))?;
        is_consistent(&metadata, facts.bytes).map_err(|why| Error::file(path, why))?;
        if let Some(name) = doubled(metadata.file_metadata().schema_descr().root_schema()) {
            return Err(Error::file(path, format!("it has two columns named {}", shown(name))));
        }
        let said = meaning::of_footer(metadata.file_metadata()).map_err(|why| Error::file(path, why))?;
        facts.rows = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(0);
        let meanings = own_meanings(metadata.file_metadata());
        Ok(Self { path: path.into(), metadata, facts, stamp, said, meanings })
    }

    /// Opens a file for a plan, which keeps SHA-256 of its content; `known` are facts of an earlier plan.
    pub(crate) fn identify(path: &Path, known: Option<&Facts>, reading: &Reading<'_>) -> Result<Self> {
        let mut input = Self::open(path)?;
        input.facts = input.facts.with_content(known, reading)?;
        input.is_unchanged()?;
        Ok(input)
    }

    /// Opens a file that a plan names. Error: `job_differs`, if it is another one by now.
    pub(crate) fn expect(facts: &Facts, reading: &Reading<'_>) -> Result<Self> {
        let mut input = Self::open(Path::new(&facts.path))?;
        if facts.differ(&input.facts) {
            return Err(facts.changed());
        }
        facts.expect_content(reading)?;
        input.is_unchanged()?;
        input.facts = facts.clone();
        Ok(input)
    }

    /// Error: `job_differs`, if the file was written to or replaced since it was opened.
    pub(crate) fn is_unchanged(&self) -> Result<()> {
        let now = fs::metadata(&self.path).map(|facts| Stamp::of(&facts));
        if now.is_ok_and(|now| now == self.stamp) { Ok(()) } else { Err(self.facts.changed()) }
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    /// The names of the columns at the root.
    pub(crate) fn columns(&self) -> Vec<String> {
        self.schema().root_schema().get_fields().iter().map(|field| field.name().to_string()).collect()
    }

    /// The type of a column.
    pub(crate) fn root(&self, name: &str) -> Result<TypePtr> {
        let fields = self.schema().root_schema().get_fields();
        fields.iter().find(|field| field.name() == name).cloned().ok_or_else(|| {
            let (name, columns) = (shown(name), listed(&self.columns()));
            Error::file(&self.path, format!("there is no column {name}; there are {columns}"))
        })
    }

    /// The leaves of a column, by their places among all.
    fn leaves(&self, name: &str) -> Result<Vec<usize>> {
        self.root(name)?;
        let schema = self.schema();
        Ok((0..schema.num_columns()).filter(|&leaf| schema.get_column_root(leaf).name() == name).collect())
    }

    /// The one leaf of a column that is to be read. Error: `bad_argument`, for groups, and for a column of which the footer says that its
    /// type is not its meaning.
    pub(crate) fn leaf(&self, name: &str) -> Result<ColumnDescPtr> {
        let refuse = |why: &str| Err(Error::argument(format!("column {} {why}", shown(name))));
        let root = self.root(name)?;
        let is_repeated = root.get_basic_info().repetition() == Repetition::REPEATED;
        let leaf = match self.leaves(name)?[..] {
            [leaf] if root.is_primitive() && !is_repeated => self.schema().column(leaf),
            _ => return refuse(&meaning::holds("lists or groups")),
        };
        match self.said.get(name) {
            Some(Said::Refused(why)) => refuse(why),
            Some(Said::Is(class)) if !class.fits(&leaf) => {
                refuse("has a type of Parquet that contradicts its type in the key ARROW:schema")
            }
            _ => Ok(leaf),
        }
    }

    /// The kind of a column that is to be read, by its type. Errors: those of [`Input::leaf`], and `bad_argument` for what is no number.
    pub(crate) fn kind(&self, name: &str) -> Result<Kind> {
        let leaf = self.leaf(name)?;
        Ok(match self.said.get(name) {
            Some(Said::Is(Class::Wide { signed: true })) => Kind::TwosLittle,
            Some(Said::Is(Class::Wide { signed: false })) => Kind::Little,
            _ => numbers::kind(&leaf).map_err(|why| {
                let is_huge = self.writer().starts_with("DuckDB") && leaf.physical_type() == Physical::DOUBLE;
                if is_huge {
                    Error::argument(format!(
                        "{why}; DuckDB writes HUGEINT so: cast it to DECIMAL(38, 0) or VARCHAR there"
                    ))
                } else {
                    why
                }
            })?,
        })
    }

    /// What the file itself says of a column of bytes to which Parquet gives no meaning.
    pub(crate) fn meaning(&self, name: &str) -> Option<Binary> {
        self.meanings.get(name).copied()
    }

    /// The program that wrote the file.
    pub(crate) fn writer(&self) -> &str {
        self.metadata.file_metadata().created_by().unwrap_or_default()
    }

    /// Error: `bad_file`, for columns that are packed in a way that is not read.
    pub(crate) fn is_unpacked(&self, columns: &[String]) -> Result<()> {
        for name in columns {
            for (leaf, group) in self
                .leaves(name)?
                .iter()
                .flat_map(|leaf| self.metadata.row_groups().iter().map(move |group| (*leaf, group)))
            {
                let codec = match group.column(leaf).compression() {
                    Compression::BROTLI(_) => "brotli",
                    Compression::LZO => "LZO",
                    _ => continue,
                };
                let why = "which is not read: write the file with zstd, snappy, lz4 or gzip";
                return Err(Error::file(&self.path, format!("its column {} is packed by {codec}, {why}", shown(name))));
            }
        }
        Ok(())
    }

    /// Rows of each row group.
    pub(crate) fn groups(&self) -> Vec<u64> {
        let groups = self.metadata.row_groups();
        groups.iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(0)).collect()
    }

    /// About how many bytes a row has in these columns, unpacked.
    pub(crate) fn row_bytes(&self, columns: &[String]) -> u64 {
        let leaves: Vec<usize> = columns.iter().flat_map(|name| self.leaves(name).unwrap_or_default()).collect();
        let groups = self.metadata.row_groups();
        let bytes = groups.iter().flat_map(|group| leaves.iter().map(|&leaf| group.column(leaf).uncompressed_size()));
        let bytes = bytes.fold(0u64, |sum, bytes| sum.saturating_add(u64::try_from(bytes).unwrap_or(0)));
        bytes / self.facts.rows.max(1) + 1
    }

    /// These rows of these columns. Error: `job_differs`, if the file is another one by now.
    pub(crate) fn rows(&self, columns: &[String], first: u64, rows: u64) -> Result<Rows<&Self>> {
        Rows::of(self, columns, first, rows)
    }
}

/// An iterator over rows of a file, which it borrows or owns.
pub(crate) struct Rows<I> {
    input: I,
    parquet: Parquet,
    /// The leaves of each column.
    columns: Vec<Vec<usize>>,
    readers: Vec<Vec<ColumnReader>>,
    /// The next row group.
    group: usize,
    /// Rows to leave out from its start.
    skip: u64,
    group_left: u64,
    left: u64,
}

/// Rows of all columns, each by its leaves.
pub(crate) struct Batch {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Vec<Leaf>>,
}

impl<I: Borrow<Input>> Rows<I> {
    /// As [`Input::rows`].
    pub(crate) fn of(file: I, columns: &[String], first: u64, rows: u64) -> Result<Self> {
        let input = file.borrow();
        input.is_unpacked(columns)?;
        let columns = columns.iter().map(|name| input.leaves(name)).collect::<Result<_>>()?;
        let (opened, stamp) = stamped(&input.path)?;
        if stamp != input.stamp {
            return Err(input.facts.changed());
        }
        let (parquet, readers) = (Parquet::new(opened), Vec::new());
        Ok(Self { input: file, parquet, columns, readers, group: 0, skip: first, group_left: 0, left: rows })
    }

    /// At most `rows` more rows; `None` at the end. After an error there is no next one.
    pub(crate) fn next(&mut self, rows: usize) -> Result<Option<Batch>> {
        let path = self.input.borrow().path.clone();
        caught(&path, || self.read(rows))
    }

    fn read(&mut self, rows: usize) -> Result<Option<Batch>> {
        if self.left == 0 {
            return Ok(None);
        }
        let input = self.input.borrow();
        let broken = |why: &dyn std::fmt::Display| Error::file(&input.path, why);
        while self.group_left == 0 {
            let groups = input.metadata.row_groups();
            let Some(group) = groups.get(self.group) else {
                return Err(broken(&"it has fewer rows than its footer says"));
            };
            let count = u64::try_from(group.num_rows()).unwrap_or(0);
            self.group += 1;
            if self.skip >= count {
                self.skip -= count;
                continue;
            }
            let group = self.parquet.group(&input.metadata, self.group - 1);
            let group = group.map_err(|error| broken(&error))?;
            let mut readers = Vec::new();
            for leaves in &self.columns {
                let of_column = leaves.iter().map(|&leaf| group.get_column_reader(leaf));
                readers.push(of_column.collect::<parquet::errors::Result<Vec<_>>>().map_err(|error| broken(&error))?);
            }
            let skip = usize::try_from(self.skip).unwrap_or(usize::MAX);
            for reader in readers.iter_mut().flatten().filter(|_| skip > 0) {
                if Leaf::skip(reader, skip).map_err(|error| broken(&error))? != skip {
                    return Err(broken(&"a column ends early"));
                }
            }
            (self.group_left, self.skip, self.readers) = (count - self.skip, 0, readers);
        }
        let rows = self.group_left.min(self.left).min(rows.max(1) as u64) as usize;
        let mut columns = Vec::with_capacity(self.readers.len());
        for (readers, places) in pairs(&mut self.readers, &self.columns)? {
            let mut leaves = Vec::with_capacity(readers.len());
            for (reader, &place) in pairs(readers, places)? {
                let (leaf, count) = Leaf::read(reader, rows).map_err(|error| broken(&error))?;
                if count != rows {
                    return Err(broken(&"a column ends early"));
                }
                let column = input.schema().column(place);
                if !leaf.has_levels_up_to(column.max_def_level(), column.max_rep_level()) {
                    return Err(broken(&"it is damaged: a column is nested deeper than the schema says"));
                }
                leaves.push(leaf);
            }
            columns.push(leaves);
        }
        self.group_left -= rows as u64;
        self.left -= rows as u64;
        Ok(Some(Batch { rows, columns }))
    }
}

#[cfg(test)]
#[path = "../tests/inside/input.rs"]
mod tests;
