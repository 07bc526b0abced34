//! Tables of a fixed base to and from their file.

use crate::engine::execute;
use crate::engine::execute::poll::Poll;
use crate::engine::execute::prepared::Prepared;
use crate::engine::plan::{FixedBaseProblem, Planner, Problem};
use crate::error::Error;
use crate::exponent::Exponent;
use crate::kernel::registry::{Form, Layout};
use crate::natural::{Natural, chores};
use crate::table::file::{KIND, Stored, StoredPart};
use crate::table::map::{MappedWords, map};
use crate::table::{Table, Words, sealed};
use crate::work::fixed_base::run::{PreparedTable, Tables, part_bits, room_for_table};
use std::path::Path;
use std::sync::Arc;

/// Entries that are computed anew when a table is loaded: the first, the last, and some between.
const RECOMPUTED: usize = 6;

/// The payload of a file that has passed the check of its sum: in memory, or mapped.
enum Payload {
    Read(Vec<u8>),
    Mapped(Arc<memmap2::Mmap>),
}

impl Payload {
    fn bytes(&self) -> &[u8] {
        match self {
            Payload::Read(bytes) => bytes,
            // The seal has been checked: header, payload, seal.
            Payload::Mapped(map) => &map[sealed::HEADER_BYTES..map.len() - sealed::SEAL_BYTES],
        }
    }
}

/// Tables that came from a file, and what there is to say about it.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) modulus: Prepared<'static>,
    pub(crate) base: Natural,
    pub(crate) exponent_bits: u64,
    pub(crate) tables: Tables,
    pub(crate) notes: Vec<String>,
}

/// What a file must hold, if the caller knows, and how it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpectedFile<'a> {
    pub(crate) modulus: Option<&'a Natural>,
    /// Any representative: it is compared modulo the modulus.
    pub(crate) base: Option<&'a crate::natural::Integer>,
    pub(crate) map: bool,
    pub(crate) max_bytes: u64,
    pub(crate) kernel: Option<&'a str>,
}

impl Tables {
    /// Writes the tables; each entry as entering its number gives it, whatever the products before left. Error: `bad_file`.
    pub(crate) fn save(&self, path: &Path, modulus: &Natural, base: &Natural, exponent_bits: u64) -> Result<(), Error> {
        let parts: Vec<&PreparedTable> = [&self.odd, &self.two].into_iter().flatten().collect();
        let stored = parts.iter().map(|part| StoredPart {
            layout: part.table.layout,
            exponent_bits: part.table.exponent_bits,
            algorithm: part.table.algorithm.clone(),
            words: 0..0,
        });
        let stored = Stored { modulus: modulus.clone(), base: base.clone(), exponent_bits, parts: stored.collect() };
        stored.write(path, |index, write| parts[index].each_entry(|_, _, packed| write(packed)))
    }
}

/// Loads and checks a file. Errors: `bad_file`; `bad_plan` for a kernel that cannot take it; `interrupted`.
pub(crate) fn load(path: &Path, wanted: &ExpectedFile<'_>, poll: &Poll<'_>) -> Result<Loaded, Error> {
    let bad = |reason: String| Error::BadFile { path: path.display().to_string(), reason };
    let payload = if wanted.map { mapped(path, wanted.max_bytes)? } else { None };
    let payload = match payload {
        Some(map) => Payload::Mapped(Arc::new(map)),
        None => Payload::Read(sealed::read(path, &KIND, wanted.max_bytes)?),
    };
    let stored = Stored::parse(payload.bytes()).map_err(bad)?;
    if let Some(modulus) = wanted.modulus.filter(|&modulus| *modulus != stored.modulus) {
        let (its, ours) = (shortened(&stored.modulus), shortened(modulus));
        return Err(bad(format!("it is for the modulus {its}, and {ours} was expected")));
    }
    if let Some(base) =
        wanted.base.map(|base| chores::reduce(base, &stored.modulus)).filter(|base| *base != stored.base)
    {
        let (its, ours) = (shortened(&stored.base), shortened(&base));
        return Err(bad(format!("it is for the base {its}, and {ours} was expected")));
    }
    let modulus = Prepared::new(crate::modulus::Facts::new(stored.modulus.clone()));
    let facts = modulus.facts();
    let problem = FixedBaseProblem {
        modulus_bits: facts.bits(),
        trailing_zeros: facts.trailing_zeros(),
        even_base: stored.base.is_even(),
        exponent_bits: stored.exponent_bits,
        memory_bytes: u64::MAX,
        uses: 1,
        in_lists: false,
        secret: false,
    };
    let there = stored.parts.iter().map(|part| (part.layout.odd, part.exponent_bits));
    if !there.eq(problem.tables()) {
        return Err(bad("its parts do not fit its modulus".into()));
    }
    let mut tables = Tables { odd: None, two: None };
    let mut notes = Vec::new();
    for part in &stored.parts {
        let bits = if part.layout.odd { facts.odd().bits() } else { facts.trailing_zeros() } as usize;
        let form = Planner::of_this_machine().table_form(
            part.layout.odd,
            bits,
            &part.algorithm,
            part.exponent_bits,
            (&part.layout, wanted.map),
            wanted.kernel,
        )?;
        let as_it_is = if form.layout(bits) == part.layout { direct(&modulus, &form, part, &payload)? } else { None };
        let loaded = match as_it_is {
            Some(loaded) => loaded,
            None => {
                notes.push(converted_note(&part.layout, &form));
                converted(&modulus, &form, part, payload.bytes())
                    .ok_or_else(|| bad("an entry has a limb out of range".into()))??
            }
        };
        check_entries(&modulus, &stored.base, &loaded, poll, &bad)?;
        if part.layout.odd { tables.odd = Some(loaded) } else { tables.two = Some(loaded) }
    }
    if wanted.map
        && [&tables.odd, &tables.two].into_iter().flatten().any(|part| matches!(part.table.words, Words::Owned(_)))
    {
        notes.push("it was read into memory, not mapped".into());
    }
    let Stored { base, exponent_bits, .. } = stored;
    Ok(Loaded { modulus, base, exponent_bits, tables, notes })
}

/// A map of the file, its seal checked.
fn mapped(path: &Path, max_bytes: u64) -> Result<Option<memmap2::Mmap>, Error> {
    let bad = |reason: String| Error::BadFile { path: path.display().to_string(), reason };
    let (file, _) = sealed::open_to_read(path, max_bytes)?;
    // If a system cannot map a file, it is read.
    let Ok(map) = map(&file) else { return Ok(None) };
    sealed::open(&map, &KIND).map_err(bad)?;
    Ok(Some(map))
}

/// The table with its words unchanged; none if entering their numbers gives other words.
fn direct(
    modulus: &Prepared,
    form: &Form,
    part: &StoredPart,
    payload: &Payload,
) -> Result<Option<PreparedTable>, Error> {
    let bytes = payload.bytes();
    let limbs_in_range = (0..part.entries()).all(|index| {
        part.entry(bytes, index).all(|word| part.layout.limb_bits == 64 || word >> part.layout.limb_bits == 0)
    });
    if !limbs_in_range {
        return Ok(None);
    }
    let words = match payload {
        Payload::Read(_) => None,
        Payload::Mapped(map) => {
            let start = sealed::HEADER_BYTES + part.words.start;
            MappedWords::new(map.clone(), start, part.words.len() / size_of::<u64>())
        }
    };
    let words = match words {
        Some(words) => Words::Mapped(words),
        None => {
            let mut words = room_for_table(part.entries(), part.layout.limbs)?;
            words
                .as_mut_slice()
                .iter_mut()
                .zip((0..part.entries()).flat_map(|index| part.entry(bytes, index)))
                .for_each(|(to, word)| *to = word);
            Words::Owned(words)
        }
    };
    let table =
        Table { algorithm: part.algorithm.clone(), exponent_bits: part.exponent_bits, layout: part.layout, words };
    let loaded = PreparedTable { ring: modulus.ring(form)?, form: *form, table };
    let mut normal = true;
    loaded.each_entry(|index, _, packed| {
        normal &= packed == loaded.table.entry(index);
        Ok(())
    })?;
    Ok(normal.then_some(loaded))
}

/// The table in another form: each entry as a number, entered anew. None if a limb is out of range.
fn converted(
    modulus: &Prepared,
    form: &Form,
    part: &StoredPart,
    payload: &[u8],
) -> Option<Result<PreparedTable, Error>> {
    let facts = modulus.facts();
    let unscale = if part.layout.odd {
        let scaling = Exponent::of_bits([part.layout.scaling_bits()]);
        match chores::inverse(scaling.magnitude(), facts.odd(), &|| true) {
            Ok(Some(unscale)) => Some(unscale),
            _ => return Some(Err(Error::Fault("a power of two without an inverse modulo an odd number"))),
        }
    } else {
        None
    };
    let number = |index| {
        let raw = part.raw_entry(payload, index)?;
        Some(match &unscale {
            Some(unscale) => chores::rem(&chores::mul(&chores::rem(&raw, facts.odd()), unscale), facts.odd()),
            None => raw.low_bits(facts.trailing_zeros()),
        })
    };
    let numbers: Vec<Natural> = (0..part.entries()).map(number).collect::<Option<_>>()?;
    Some(PreparedTable::of_numbers(modulus, form, part.algorithm.clone(), part.exponent_bits, numbers.into_iter()))
}

fn converted_note(layout: &Layout, form: &Form) -> String {
    format!("its residues of {} limbs of {} bits were converted for {form}", layout.limbs, layout.limb_bits)
}

/// Computes a few entries anew. Error: what `bad` makes of an entry that is another number.
fn check_entries(
    modulus: &Prepared,
    base: &Natural,
    part: &PreparedTable,
    poll: &Poll<'_>,
    bad: &impl Fn(String) -> Error,
) -> Result<(), Error> {
    let Table { algorithm, exponent_bits, .. } = &part.table;
    let last = part.table.entries() - 1;
    let mut indices: Vec<usize> =
        (0..RECOMPUTED).map(|at| (last as u128 * at as u128 / (RECOMPUTED - 1) as u128) as usize).collect();
    indices.dedup();
    let odd = part.form.kernel.odd();
    let bits = part_bits(modulus, &part.form) as u64;
    for index in indices {
        let exponent = algorithm.entry_exponent(*exponent_bits, index);
        let trailing_zeros = if odd { 0 } else { bits };
        let modulus_bits = if odd { bits } else { bits + 1 };
        let problem = Problem { trailing_zeros, ..Problem::new(modulus_bits, exponent.bits() as u64) };
        let plan = Planner::of_this_machine().plan(&problem)?;
        if part.number(index) != execute::power(modulus, &plan, base, &exponent, poll)? {
            return Err(bad(format!("entry {index} is not the expected power of its base")));
        }
    }

    Ok(())
}

/// A number as people compare it.
fn shortened(number: &Natural) -> String {
    const EACH_END: usize = 8;
    let text = format!("{number:#x}");
    if text.len() <= 2 + 3 * EACH_END {
        return text;
    }
    let (head, tail) = (&text[..2 + EACH_END], &text[text.len() - EACH_END..]);
    format!("{head}...{tail} of {} bits", number.bits())
}

#[cfg(test)]
#[path = "../../../tests/inside/api/stored.rs"]
mod tests;
