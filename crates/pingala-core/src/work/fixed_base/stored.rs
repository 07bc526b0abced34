//! Tables of a fixed base to and from their file.

use crate::engine::execute::{Poll, Power, Prepared};
use crate::engine::plan::parts::{Divisible, PlannedPart};
use crate::engine::plan::{Planner, Problem};
use crate::error::{Error, pairs};
use crate::exponent::Exponent;
use crate::kernel::matrix_products::means;
use crate::kernel::registry::{Form, Layout};
use crate::natural::{Integer, Natural, chores, euclid};
use crate::table::file::{KIND, Stored, StoredPart};
use crate::table::map::{MappedWords, map};
use crate::table::replace::bad;
use crate::table::sealed::{self, Writer, brief};
use crate::table::{OwnedWords, Table, Words};
use crate::work::fixed_base::run::{PreparedTable, Tables, part_bits};
use crate::work::fixed_base::{FixedBase, Shared, Uses, kernel_and_line, problem};
use crate::work::{Modulus, Options};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Requirements on a file that is loaded. `Expected::default()` accepts any table of up to 2^32 bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Expected<'a> {
    modulus: Option<&'a Natural>,
    /// Any representative: it is compared modulo the modulus.
    base: Option<&'a Integer>,
    map: bool,
    max_bytes: u64,
}

impl<'a> Expected<'a> {
    /// The modulus that the table must have; any by default.
    pub fn with_modulus(self, modulus: Option<&'a Natural>) -> Self {
        Self { modulus, ..self }
    }

    /// The base that the table must have, modulo the modulus; any by default.
    pub fn with_base(self, base: Option<&'a Integer>) -> Self {
        Self { base, ..self }
    }

    /// Whether to map the table read-only from the file, if this CPU's kernels can use its format; by default the table is a private
    /// copy.
    ///
    /// # Safety
    ///
    /// With `map`, the file must not be changed or truncated while a table that was loaded so, or a clone of it, exists: a change gives
    /// wrong powers, a truncated file ends the process. A file that [`FixedBase::save`] replaces is another file, which does no harm.
    #[allow(unsafe_code)]
    pub unsafe fn with_map(self, map: bool) -> Self {
        Self { map, ..self }
    }

    /// Longest payload that is read, in bytes.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }
}

/// Longest file that is loaded unless the caller allows more, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 32;

impl Default for Expected<'_> {
    fn default() -> Self {
        Self { modulus: None, base: None, map: false, max_bytes: MAX_FILE_BYTES }
    }
}

impl FixedBase {
    /// Longest file that is loaded unless the caller allows more, in bytes.
    pub const MAX_FILE_BYTES: u64 = MAX_FILE_BYTES;

    /// Writes the table to a temporary file in the same folder and renames it. Symbolic links are refused. Error: `bad_file`; the
    /// old file is then unchanged.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        self.write(|payload_bytes| Writer::create(path, &KIND, payload_bytes))?.finish()
    }

    /// Returns the bytes that [`FixedBase::save`] would write, for a place that is no file system. Error: `bad_argument` without memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.write(|payload_bytes| Writer::in_memory(&KIND, payload_bytes))?.finish()
    }

    /// Writes the table to what `start` makes.
    fn write<W: Write>(&self, start: impl FnOnce(u64) -> Result<Writer<W>, Error>) -> Result<Writer<W>, Error> {
        let Shared { modulus, base, exponent_bits, tables, .. } = &*self.shared;
        tables.write(start, modulus.value(), base, *exponent_bits)
    }

    /// Loads a table that [`FixedBase::save`] wrote. Checked before it is used: lengths, SHA-256, the expected modulus and base,
    /// the range of every entry, and the values of six entries by computing them again. [`FixedBase::notes`] says whether the
    /// table was converted. `options.kernel` forces a kernel.
    ///
    /// These checks find damage, not forgery: an attacker who writes the file can change other entries and compute the checksum again.
    /// For a file from an untrusted source call [`FixedBase::verify`], which computes every entry.
    ///
    /// Errors: `bad_file`, whose message names the failed check; `bad_plan`; `bad_argument` without memory; `interrupted`.
    pub fn load(path: &Path, expected: &Expected<'_>, options: &Options<'_>) -> Result<Self, Error> {
        let (kernel, _) = kernel_and_line(options)?;
        let payload = match if expected.map { mapped(path, expected.max_bytes)? } else { None } {
            Some(map) => Payload::Mapped(Arc::new(map)),
            None => Payload::Read(sealed::read(path, &KIND, expected.max_bytes)?),
        };
        let shared = load(path, &payload, expected, kernel, &Poll::new(options.watch(), None))?;
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Loads a table from the bytes of a file, with the checks of [`FixedBase::load`]; they are copied, whatever `expected` says of maps.
    ///
    /// Errors: those of [`FixedBase::load`].
    pub fn from_bytes(bytes: &[u8], expected: &Expected<'_>, options: &Options<'_>) -> Result<Self, Error> {
        let (path, expected) = (Path::new(sealed::IN_MEMORY), &Expected { map: false, ..*expected });
        let (kernel, _) = kernel_and_line(options)?;
        let payload = sealed::open(bytes, &KIND).map_err(|reason| bad(path, reason))?;
        if payload.len() as u64 > expected.max_bytes {
            return Err(bad(path, format!("{} bytes are over the cap of {}", payload.len(), expected.max_bytes)));
        }
        let payload = Payload::Given(payload);
        let shared = load(path, &payload, expected, kernel, &Poll::new(options.watch(), None))?;
        Ok(Self { shared: Arc::new(shared) })
    }
}

/// Entries that are computed again when a table is loaded: the first, the last, and some between.
const RECOMPUTED: usize = 6;

/// The payload of a file that has passed the check of its sum: in memory, or mapped.
enum Payload<'b> {
    Given(&'b [u8]),
    Read(Vec<u8>),
    Mapped(Arc<memmap2::Mmap>),
}

impl Payload<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Payload::Given(bytes) => bytes,
            Payload::Read(bytes) => bytes,
            // The seal has been checked: header, payload, seal.
            Payload::Mapped(map) => &map[sealed::HEADER_BYTES..map.len() - sealed::SEAL_BYTES],
        }
    }
}

impl Tables {
    /// Writes the tables; each entry as entering its number gives it, whatever representative the products left. Error: `bad_file`.
    fn write<W: Write>(
        &self,
        start: impl FnOnce(u64) -> Result<Writer<W>, Error>,
        modulus: &Natural,
        base: &Natural,
        exponent_bits: u64,
    ) -> Result<Writer<W>, Error> {
        let parts = self.0.iter().map(|part| part.table.with_words(0..0)).collect();
        let stored = Stored { modulus: modulus.clone(), base: base.clone(), exponent_bits, parts };
        stored.write(start, |index, write| self.0[index].each_entry(|_, _, packed| write(packed)))
    }
}

/// Checks a payload and makes its tables. Errors: `bad_file`; `bad_plan` for a kernel that cannot use it; `interrupted`.
fn load(
    path: &Path,
    payload: &Payload<'_>,
    expected: &Expected<'_>,
    kernel: Option<&str>,
    poll: &Poll<'_>,
) -> Result<Shared, Error> {
    let bad = |reason: String| bad(path, reason);
    let Stored { modulus, base, exponent_bits, parts } = Stored::parse(payload.bytes()).map_err(bad)?;
    let expected_base = expected.base.map(|base| chores::reduce(base, &modulus));
    for (name, its, ours) in [("modulus", &modulus, expected.modulus), ("base", &base, expected_base.as_ref())] {
        if let Some(ours) = ours.filter(|&ours| ours != its) {
            return Err(bad(format!("it is for the {name} {}, and {} was expected", brief(its), brief(ours))));
        }
    }
    let modulus = Modulus::new(modulus)?;
    let problem = problem(base.is_even(), &modulus, exponent_bits, u64::MAX, Uses::from(1));
    let planned = problem.parts().into_iter().map(|part| (part.is_odd(), part.exponent_bits as usize));
    if !parts.iter().map(|part| (part.layout.odd, part.exponent_bits)).eq(planned) {
        return Err(bad("its parts do not fit its modulus".into()));
    }
    let (mut tables, mut notes) = (Vec::new(), Vec::new());
    for part in &parts {
        let loading = Loading { path, modulus: &modulus.prepared, part, payload };
        let (loaded, note) = loading.load(expected.map, kernel)?;
        loading.check_entries(&base, &loaded, poll)?;
        tables.push(loaded);
        notes.extend(note);
    }
    if expected.map && tables.iter().any(|part| matches!(part.table.words, Words::Owned(_))) {
        notes.push("it was read into memory, not mapped".into());
    }
    Ok(Shared { modulus, base, exponent_bits, tables: Tables(tables), notes })
}

/// A map of the file, its seal checked; none if the system cannot map it.
fn mapped(path: &Path, max_bytes: u64) -> Result<Option<memmap2::Mmap>, Error> {
    let (file, _) = sealed::open_to_read(path, max_bytes)?;
    let Ok(map) = map(&file) else { return Ok(None) };
    sealed::open(&map, &KIND).map_err(|reason| bad(path, reason))?;
    Ok(Some(map))
}

/// One part of a file while it is loaded.
struct Loading<'a> {
    path: &'a Path,
    modulus: &'a Prepared<'static>,
    part: &'a StoredPart,
    payload: &'a Payload<'a>,
}

impl Loading<'_> {
    /// The table for the form that the planner chooses; a remark if it is converted.
    fn load(&self, map: bool, kernel: Option<&str>) -> Result<(PreparedTable, Option<String>), Error> {
        let Table { layout, algorithm, exponent_bits, .. } = self.part;
        let facts = self.modulus.facts();
        let bits = if layout.odd { facts.odd().bits() } else { facts.trailing_zeros() } as usize;
        let (planner, modulo) = (Planner::of_this_machine(), (layout.odd, bits));
        let forms = planner.forms_of_table(modulo, algorithm, *exponent_bits, false, kernel)?;
        // One of the table's layout comes first if it is of the same kernel, because converting takes longer than products of one kernel
        // differ, or of any kernel if the words are mapped.
        // A table that secrets may use stays one: it is not converted to a layout that no constant-time kernel reads.
        let constant_time = |form: &Form| form.kernel.entry().constant_time;
        let serves_secrets = forms.iter().any(|form| constant_time(form) && form.layout(bits) == forms[0].layout(bits));
        let stays = |form: &Form| form.kernel == forms[0].kernel || (!serves_secrets && constant_time(form));
        let fits = |form: &&Form| (map || stays(form)) && form.layout(bits) == *layout;
        let form = *forms.iter().find(fits).unwrap_or(&forms[0]);
        let direct = if form.layout(bits) == *layout { self.direct(&form)? } else { None };
        if let Some(loaded) = direct {
            return Ok((loaded, None));
        }
        let Layout { limbs, limb_bits, .. } = layout;
        let note = format!("its residues of {limbs} limbs of {limb_bits} bits were converted for {form}");
        Ok((self.converted(&form)?, Some(note)))
    }

    /// The table with the words of the file; none if they differ from those that entering their numbers gives.
    fn direct(&self, form: &Form) -> Result<Option<PreparedTable>, Error> {
        let part = self.part;
        let stored = || part.words_of(self.payload.bytes(), 0..part.entries());
        if !stored().all(|word| part.is_limb(word)) {
            return Ok(None);
        }
        let mapped = match self.payload {
            Payload::Given(_) | Payload::Read(_) => None,
            Payload::Mapped(map) => {
                let start = sealed::HEADER_BYTES + part.words.start;
                MappedWords::new(map.clone(), start, part.words.len() / size_of::<u64>())
            }
        };
        let words = match mapped {
            Some(words) => Words::Mapped(words),
            None => {
                let mut words = OwnedWords::zeros(part.entries(), part.layout.limbs)?;
                pairs(words.as_mut_slice(), stored())?.for_each(|(to, word)| *to = word);
                Words::Owned(words)
            }
        };
        let loaded = PreparedTable { ring: self.modulus.ring(form)?, form: *form, table: part.with_words(words) };
        let mut normal = true;
        loaded.each_entry(|index, _, packed| {
            normal &= packed == loaded.table.entry(index);
            Ok(())
        })?;
        Ok(normal.then_some(loaded))
    }

    /// The table in another form: each entry as a number, entered again.
    fn converted(&self, form: &Form) -> Result<PreparedTable, Error> {
        let (facts, part) = (self.modulus.facts(), self.part);
        let scaling = Exponent::of_bits([part.layout.scaling_bits()]);
        let unscale =
            if part.layout.odd { euclid::inverse(scaling.magnitude(), facts.odd(), means(&|| true))? } else { None };
        if part.layout.odd && unscale.is_none() {
            return Err(Error::Fault("a power of two without an inverse modulo an odd number"));
        }
        let number = |index| {
            let raw = part.raw_entry(self.payload.bytes(), index)?;
            Some(match &unscale {
                Some(unscale) => chores::rem(&chores::mul(&chores::rem(&raw, facts.odd()), unscale), facts.odd()),
                None => raw.low_bits(facts.trailing_zeros()),
            })
        };
        let numbers: Option<Vec<Natural>> = (0..part.entries()).map(number).collect();
        let numbers = numbers.ok_or_else(|| bad(self.path, "an entry has a limb out of range"))?;
        PreparedTable::of_numbers(self.modulus, form, part.algorithm.clone(), part.exponent_bits, numbers.into_iter())
    }

    /// Computes a few entries again. Error: `bad_file` if one is another number.
    fn check_entries(&self, base: &Natural, loaded: &PreparedTable, poll: &Poll<'_>) -> Result<(), Error> {
        let (modulus, Table { algorithm, exponent_bits, .. }) = (self.modulus, &loaded.table);
        let last = loaded.table.entries() - 1;
        let mut indices: Vec<usize> =
            (0..RECOMPUTED).map(|at| (last as u128 * at as u128 / (RECOMPUTED - 1) as u128) as usize).collect();
        indices.dedup();
        let bits = part_bits(modulus, &loaded.form) as u64;
        let (modulus_bits, trailing_zeros) = if loaded.form.kernel.odd() { (bits, 0) } else { (bits + 1, bits) };
        for index in indices {
            let exponent = &algorithm.entry_exponent(*exponent_bits, index);
            // A kernel that takes the modulus as a whole has no part of it.
            let in_parts = modulus.facts().trailing_zeros() > 0;
            let problem = Problem { trailing_zeros, in_parts, ..Problem::new(modulus_bits, exponent.bits() as u64) };
            let plan = Planner::of_this_machine().plan(&problem)?;
            if loaded.number(index)? != (Power { modulus, base, exponent, poll }).by(&plan)? {
                return Err(bad(self.path, format!("entry {index} is not the expected power of its base")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/work/fixed_base/stored.rs"]
mod tests;
