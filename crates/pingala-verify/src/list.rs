//! Verifying signatures, one or many.

use crate::check::{Check, Message, Open, OpenDsa, OpenRsa, Policy};
use crate::dsa::{self, Grouping, Said};
use crate::key::PublicKey;
use crate::verdict::Verdict;
use core::cell::Cell;
use pingala_core::plan::{Planner, Problem};
use pingala_core::{Error, Job, Options, Watch, pow_list};
use std::collections::BTreeMap;

/// One signature.
///
/// Errors: `bad_argument` for a key of another kind than the scheme, or a digest of another width than the hash function's.
pub fn verify(check: &Check<'_>, policy: Policy) -> Result<Verdict, Error> {
    let mut verdicts = verify_list(core::slice::from_ref(check), policy, &Options::default())?;
    verdicts.pop().unwrap_or(Err(Error::Fault("a signature without a verdict")))
}

/// A list of signatures, in order, each with its own verdict or error; a broken one spoils no other.
///
/// DSA is grouped by its domain parameters p, q, g, then by keys: if the count pays there are tables for g and for y. The other
/// powers go side by side in lanes; if all domains differ, products of two powers do. All s modulo one q are inverted together.
/// RSA goes side by side by the lengths of n and e.
///
/// The errors of an element are those of [`verify`]. The outer error is `interrupted`. Only the options threads, kernel and
/// watch apply. Leaks: everything, by its timing; nothing here is secret.
pub fn verify_list(
    checks: &[Check<'_>],
    policy: Policy,
    options: &Options<'_>,
) -> Result<Vec<Result<Verdict, Error>>, Error> {
    let watch = options.watch();
    let quiet = watch.map(Quiet);
    let quiet = options.with_plan(None).with_watch(quiet.as_ref().map(|quiet| quiet as &dyn Watch));
    let missing = || Err(Error::Fault("a signature without a verdict"));
    let mut said: Vec<Said> = checks.iter().map(|_| missing()).collect();
    let settled = Cell::new(0usize);
    let mut say = |place: usize, of: Said| {
        said[place] = of;
        settled.set(settled.get() + 1);
        if settled.get().is_multiple_of(64) || settled.get() == checks.len() {
            watch.inspect(|watch| watch.progress(settled.get(), checks.len()));
        }
    };
    if checks.len() <= AT_A_TIME {
        verify_some(checks, 0..checks.len(), policy, &quiet, &mut say)?;
    } else {
        let order = in_groups(checks, watch)?;
        for places in order.chunks(AT_A_TIME) {
            verify_some(checks, places.iter().copied(), policy, &quiet, &mut say)?;
        }
    }
    Ok(checks.iter().zip(said).map(|(check, said)| said.map(|reason| check.verdict(reason))).collect())
}

/// Signatures that are verified at a time. What stays in memory for them is given back within some milliseconds when a call is stopped,
/// and a table that two such parts make both is 1% of the work that it serves.
const AT_A_TIME: usize = 1 << 16;

/// Says something of the checks at these places, of each once. Error: `interrupted`.
fn verify_some(
    checks: &[Check<'_>],
    places: impl Iterator<Item = usize>,
    policy: Policy,
    options: &Options<'_>,
    say: &mut dyn FnMut(usize, Said),
) -> Result<(), Error> {
    let opened = OpenedList::of(checks, places, policy, options.watch(), say)?;
    dsa::verify(&opened.dsa, options, say)?;
    let jobs: Vec<Job<'_>> = opened
        .rsa
        .iter()
        .map(|open| Job { base: &open.s, exponent: &open.key.shared.e, modulus: &open.key.shared.n })
        .collect();
    for (open, power) in opened.rsa.iter().zip(pow_list(&jobs, options)?) {
        poll(options.watch(), open.place)?;
        say(open.place, power.map(|power| open.judge(&power).err()));
    }
    Ok(())
}

/// The places of a long list, those together that share work: by domains and keys, and RSA by lengths. Error: `interrupted`.
fn in_groups(checks: &[Check<'_>], watch: Option<&dyn Watch>) -> Result<Vec<usize>, Error> {
    let mut grouping = Grouping::default();
    let mut groups = Vec::with_capacity(checks.len());
    for (index, check) in checks.iter().enumerate() {
        poll(watch, index)?;
        groups.push(match check.key {
            PublicKey::Rsa(key) => (false, key.n().bits() as usize, key.e().bits() as usize),
            PublicKey::Dsa(key) => {
                let (domain, of_key) = grouping.place(key);
                (true, domain, of_key)
            }
        });
    }
    let mut places: Vec<usize> = (0..checks.len()).collect();
    places.sort_by_key(|&place| groups[place]);
    Ok(places)
}

/// A watch whose progress is not that of the parts.
struct Quiet<'w>(&'w dyn Watch);

impl Watch for Quiet<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}

/// How [`verify_list`] would go about these signatures: a line for each group, with its expected time on one thread.
pub fn explain_verify_list(checks: &[Check<'_>], policy: Policy) -> Result<String, Error> {
    let opened = OpenedList::of(checks, 0..checks.len(), policy, None, &mut |_, _| ())?;
    let mut lines = Vec::new();
    let settled = checks.len() - opened.dsa.len() - opened.rsa.len();
    if settled > 0 {
        lines.push(format!("{settled} without arithmetic: their encoding, ranges or sizes decide"));
    }
    let mut apart: BTreeMap<(u64, u64), (usize, f64)> = BTreeMap::new();
    for sharing in dsa::explain(&opened.dsa)? {
        let ((p, q), count) = (sharing.sizes, sharing.signatures);
        let Some((tables, from_tables)) = sharing.tables else {
            let known = apart.entry(sharing.sizes).or_default();
            *known = (known.0 + count, known.1 + sharing.seconds);
            continue;
        };
        let others = count - from_tables;
        let mut line = format!("dsa {p}/{q}: {count} of one domain, with a table for g");
        if tables > 0 {
            line += &format!(", and for the y of {tables} keys with {from_tables} signatures");
        }
        if others > 0 {
            line += &format!(", {others} powers of other y in one list");
        }
        lines.push(format!("{line}; about {}", microseconds(sharing.seconds)));
    }
    for ((p, q), (count, seconds)) in apart {
        lines.push(format!("dsa {p}/{q}: {count} as a list of products; about {}", microseconds(seconds)));
    }
    let mut lengths: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for open in &opened.rsa {
        *lengths.entry((open.key.n().bits(), open.key.e().bits())).or_default() += 1;
    }
    for ((n, e), count) in lengths {
        let seconds = Planner::of_this_machine().seconds(&Problem { count, ..Problem::new(n, e) })?;
        lines.push(format!("rsa {n}: {count} with exponents of {e} bits in one list; about {}", microseconds(seconds)));
    }
    Ok(lines.join("\n"))
}

/// Bytes of a message before which the watch is asked in any case.
const LONG_MESSAGE: usize = 4096;

/// Asks the watch before every 64th element. Error: `interrupted`.
pub(crate) fn poll(watch: Option<&dyn Watch>, index: usize) -> Result<(), Error> {
    if index.is_multiple_of(64) && watch.is_some_and(|watch| watch.stop()) { Err(Error::Interrupted) } else { Ok(()) }
}

fn microseconds(seconds: f64) -> String {
    let micro = seconds * 1e6;
    if micro < 100.0 { format!("{micro:.1} us") } else { format!("{micro:.0} us") }
}

/// Checks that are not settled.
#[derive(Default)]
struct OpenedList<'a> {
    dsa: Vec<OpenDsa<'a>>,
    rsa: Vec<OpenRsa<'a>>,
}

impl<'a> OpenedList<'a> {
    /// Says something of those that are settled. Error: `interrupted`.
    fn of(
        checks: &[Check<'a>],
        places: impl Iterator<Item = usize>,
        policy: Policy,
        watch: Option<&dyn Watch>,
        say: &mut dyn FnMut(usize, Said),
    ) -> Result<Self, Error> {
        let mut list = Self::default();
        for (index, place) in places.enumerate() {
            let check = &checks[place];
            let is_long = matches!(check.message, Message::Raw(message) if message.len() > LONG_MESSAGE);
            poll(watch, if is_long { 0 } else { index })?;
            match check.open(policy, place) {
                Err(error) => say(place, Err(error)),
                Ok(Err(reason)) => say(place, Ok(Some(reason))),
                Ok(Ok(Open::Dsa(open))) => list.dsa.push(open),
                Ok(Ok(Open::Rsa(open))) => list.rsa.push(open),
            }
        }
        Ok(list)
    }
}
