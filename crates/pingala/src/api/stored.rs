//! Tables of a fixed base to and from their file.

use crate::error::Error;
use crate::execute;
use crate::execute::fixed_base::{Part, Tables, part_bits, room_for_table};
use crate::execute::prepared::Prepared;
use crate::execute::pulse::Pulse;
use crate::exponent::Exponent;
use crate::kernel::registry::{Form, Layout};
use crate::natural::{Natural, chores};
use crate::plan::{FixedBaseProblem, Planner, Problem};
use crate::table::file::{KIND, Stored, StoredPart};
use crate::table::map::{MappedWords, map};
use crate::table::{Table, Words, sealed};
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

/// What a file must hold, where the caller knows, and how it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
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
        let parts: Vec<&Part> = [&self.odd, &self.two].into_iter().flatten().collect();
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
pub(crate) fn load(path: &Path, wanted: &Wanted<'_>, pulse: &Pulse<'_>) -> Result<Loaded, Error> {
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
    };
    let there = stored.parts.iter().map(|part| (part.layout.odd, part.exponent_bits));
    if !there.eq(problem.tables()) {
        return Err(bad("its parts do not fit its modulus".into()));
    }
    let mut tables = Tables { odd: None, two: None };
    let mut notes = Vec::new();
    for part in &stored.parts {
        let bits = if part.layout.odd { facts.odd().bits() } else { facts.trailing_zeros() } as usize;
        // A map wants a form that takes the words as they are.
        let layout = wanted.map.then_some(&part.layout);
        let form = Planner::of_this_machine().table_form(
            part.layout.odd,
            bits,
            &part.algorithm,
            part.exponent_bits,
            layout,
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
        check_entries(&modulus, &stored.base, &loaded, pulse, &bad)?;
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
    // Where a system cannot map a file, it is read.
    let Ok(map) = map(&file) else { return Ok(None) };
    sealed::open(&map, &KIND).map_err(bad)?;
    Ok(Some(map))
}

/// The table with its words as they are; none where they are not what entering their numbers gives.
fn direct(modulus: &Prepared, form: &Form, part: &StoredPart, payload: &Payload) -> Result<Option<Part>, Error> {
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
                .iter_mut()
                .zip((0..part.entries()).flat_map(|index| part.entry(bytes, index)))
                .for_each(|(to, word)| *to = word);
            Words::Owned(words)
        }
    };
    let table =
        Table { algorithm: part.algorithm.clone(), exponent_bits: part.exponent_bits, layout: part.layout, words };
    let loaded = Part { ring: modulus.ring(form)?, form: *form, table };
    let mut normal = true;
    loaded.each_entry(|index, _, packed| {
        normal &= packed == loaded.table.entry(index);
        Ok(())
    })?;
    Ok(normal.then_some(loaded))
}

/// The table in another form: each entry as a number, entered anew. None where a limb is out of range.
fn converted(modulus: &Prepared, form: &Form, part: &StoredPart, payload: &[u8]) -> Option<Result<Part, Error>> {
    let facts = modulus.facts();
    let unscale = part.layout.odd.then(|| {
        let scaling = Exponent::of_bits([part.layout.scaling_bits()]);
        chores::inverse(&chores::rem(scaling.magnitude(), facts.odd()), facts.odd()).unwrap_or_default()
    });
    let number = |index| {
        let raw = part.raw_entry(payload, index)?;
        Some(match &unscale {
            Some(unscale) => chores::rem(&chores::mul(&chores::rem(&raw, facts.odd()), unscale), facts.odd()),
            None => raw.low_bits(facts.trailing_zeros()),
        })
    };
    let numbers: Vec<Natural> = (0..part.entries()).map(number).collect::<Option<_>>()?;
    Some(Part::of_numbers(modulus, form, part.algorithm.clone(), part.exponent_bits, numbers.into_iter()))
}

fn converted_note(layout: &Layout, form: &Form) -> String {
    format!("its residues of {} limbs of {} bits were converted for {form}", layout.limbs, layout.limb_bits)
}

/// Computes a few entries anew. Error: what `bad` makes of an entry that is another number.
fn check_entries(
    modulus: &Prepared,
    base: &Natural,
    part: &Part,
    pulse: &Pulse<'_>,
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
        if part.number(index) != execute::power(modulus, &plan, base, &exponent, pulse)? {
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
mod tests {
    use super::*;
    use crate::kernel::registry::forms;
    use crate::modulus::Facts;
    use std::fs;

    /// What a layout says of its residues is what the rings do: the words of 1 are the number 2^scaling.
    #[test]
    fn layouts_are_those_of_the_rings() {
        for bits in [3, 52, 64, 65, 127, 700, 1024, 2048, 2100] {
            let odd = Exponent::of_bits([0, 1, bits / 2, bits - 1]);
            let two = Exponent::of_bits([bits]);
            for (is_odd, value) in [(true, odd.magnitude()), (false, two.magnitude())] {
                let modulus = Prepared::new(Facts::new(value.clone()));
                for form in forms(is_odd, bits.div_ceil(64)).filter(|form| form.kernel.has_arena()) {
                    let layout = form.layout(bits);
                    let algorithm = "comb(h=1, v=1)".parse().unwrap();
                    let one = [Natural::from(1u64)];
                    let part = Part::of_numbers(&modulus, &form, algorithm, 1, one.into_iter()).unwrap();
                    assert_eq!(part.ring.packed_words(), layout.limbs, "{form}");
                    assert_eq!(8 * part.ring.words(), form.residue_bytes(bits), "{form}");
                    let bytes: Vec<u8> = part.table.entry(0).iter().flat_map(|word| word.to_le_bytes()).collect();
                    let algorithm = part.table.algorithm.clone();
                    let stored = StoredPart { layout, exponent_bits: 1, algorithm, words: 0..bytes.len() };
                    let scaling = Exponent::of_bits([layout.scaling_bits()]);
                    let raw = stored.raw_entry(&bytes, 0).unwrap();
                    assert_eq!(
                        chores::rem(&raw, value),
                        chores::rem(scaling.magnitude(), value),
                        "{form}, {bits} bits"
                    );
                    assert_eq!(part.number(0), Natural::from(1u64));
                }
            }
        }
    }

    /// Headers with a right sum and wrong content: an error, no panic and no memory for what they claim.
    #[test]
    fn sealed_nonsense_is_refused() {
        let folder = std::env::temp_dir().join(format!("pingala-nonsense-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("table");
        let algorithm: crate::algorithm::fixed_base::FixedBaseAlgorithm = "comb(h=2, v=1)".parse().unwrap();
        let modulus = Prepared::new(Facts::new(Natural::from(0xffff_ffff_ffff_ffc5u64)));
        let form = forms(true, 1).find(|form| form.kernel.has_arena()).unwrap();
        // The base, and the powers for bits 2 and 0 with 2: 3^4, 3^5.
        let numbers = [3u64, 81, 243].map(Natural::from);
        let part = Part::of_numbers(&modulus, &form, algorithm, 4, numbers.into_iter()).unwrap();
        let tables = Tables { odd: Some(part), two: None };
        let base = Natural::from(3u64);
        tables.save(&path, modulus.facts().value(), &base, 4).unwrap();
        let wanted = Wanted { modulus: None, base: None, map: false, max_bytes: 1 << 20, kernel: None };
        let load = || load(&path, &wanted, &Pulse::none());
        let payload = sealed::read(&path, &KIND, 1 << 20).unwrap();
        load().unwrap();
        let thirteen = Exponent::of_bits([0, 2, 3]);
        let header = Stored::parse(&payload).unwrap().parts[0].words.start;
        for at in 0..header {
            for flip in [1, 0x40, 0x80, 0xff] {
                let mut bytes = payload.clone();
                bytes[at] ^= flip;
                sealed::write(&path, &KIND, &[&bytes]).unwrap();
                match load() {
                    Err(error) => assert_eq!(error.code(), "bad_file", "byte {at} ^ {flip}"),
                    // Another name of the same table: with 4 bits h = 2 and h = 3 make the same two rows.
                    Ok(loaded) => {
                        let power = loaded.tables.power(&loaded.modulus, &loaded.base, &thirteen, &Pulse::none());
                        assert_eq!(power, Ok(Natural::from(1_594_323u64)), "byte {at} ^ {flip}");
                    }
                }
            }
        }
        for cut in [0, 1, header - 1, header, payload.len() - 8] {
            sealed::write(&path, &KIND, &[&payload[..cut]]).unwrap();
            assert_eq!(load().unwrap_err().code(), "bad_file", "{cut} bytes");
        }
        // An entry that is another power, its sum right: 3^4 + 1 in place of 3^4 is found by computing it anew.
        let numbers = [3u64, 82, 243].map(Natural::from);
        let algorithm = tables.odd.as_ref().unwrap().table.algorithm.clone();
        let part = Part::of_numbers(&modulus, &form, algorithm, 4, numbers.into_iter()).unwrap();
        Tables { odd: Some(part), two: None }.save(&path, modulus.facts().value(), &base, 4).unwrap();
        assert!(load().unwrap_err().to_string().contains("entry 1"));
        fs::remove_dir_all(folder).unwrap();
    }
}
