//! Verifying signatures, one or many.

use crate::check::{Check, Message, Open, OpenDsa, OpenRsa, Policy};
use crate::dsa::{self, Said};
use crate::verdict::Verdict;
use pingala::{Error, Job, Options, Watch, pow_list};

/// One signature.
///
/// Errors: `bad_argument` for a key of another kind than the scheme, or a digest of another width than the hash function's.
pub fn verify(check: &Check<'_>, policy: Policy) -> Result<Verdict, Error> {
    let mut verdicts = verify_list(core::slice::from_ref(check), policy, &Options::default())?;
    verdicts.pop().unwrap_or(Err(Error::Fault("a signature without a verdict")))
}

/// A list of signatures, in order, each with its own verdict or error; a broken one spoils no other.
///
/// DSA is grouped by its domain parameters p, q, g, then by keys: where the count pays there are tables for g and for y; the other
/// powers go side by side in lanes; where all domains differ, products of two powers do. All s modulo one q are inverted together.
/// RSA goes side by side by the lengths of n and e.
///
/// The errors of an element are those of [`verify`]. The outer error is `interrupted`. Of the options only threads, kernel and
/// watch apply. Leaks: everything, by its timing; nothing here is secret.
pub fn verify_list(
    checks: &[Check<'_>],
    policy: Policy,
    options: &Options<'_>,
) -> Result<Vec<Result<Verdict, Error>>, Error> {
    let options = &options.with_plan(None);
    let opened = OpenedList::of(checks, policy, options.watch())?;
    let mut said = opened.said;
    dsa::verify(&opened.dsa, options, &mut |index, of| said[opened.dsa_places[index]] = of)?;
    let jobs: Vec<Job<'_>> = opened
        .rsa
        .iter()
        .map(|open| Job { base: &open.s, exponent: open.key.exponent(), modulus: open.key.modulus() })
        .collect();
    for ((open, &place), power) in opened.rsa.iter().zip(&opened.rsa_places).zip(pow_list(&jobs, options)?) {
        poll(options.watch(), place)?;
        said[place] = power.map(|power| open.judge(&power).err());
    }
    Ok(checks.iter().zip(said).map(|(check, said)| said.map(|reason| check.verdict(reason))).collect())
}

/// How [`verify_list`] would go about these signatures: a line for each group, with its expected time on one thread.
pub fn explain_verify_list(checks: &[Check<'_>], policy: Policy) -> Result<String, Error> {
    let opened = OpenedList::of(checks, policy, None)?;
    let mut lines = Vec::new();
    let settled = checks.len() - opened.dsa.len() - opened.rsa.len();
    if settled > 0 {
        lines.push(format!("{settled} without arithmetic: their encoding, ranges or sizes decide"));
    }
    let mut apart: Vec<((u64, u64), usize, f64)> = Vec::new();
    for sharing in dsa::explain(&opened.dsa)? {
        let ((p, q), count) = (sharing.sizes, sharing.signatures);
        let Some((tables, from_tables)) = sharing.tables else {
            let known = apart.iter_mut().find(|known| known.0 == sharing.sizes);
            match known {
                Some(known) => (known.1, known.2) = (known.1 + count, known.2 + sharing.seconds),
                None => apart.push((sharing.sizes, count, sharing.seconds)),
            }
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
    for ((p, q), count, seconds) in apart {
        lines.push(format!("dsa {p}/{q}: {count} as a list of products; about {}", microseconds(seconds)));
    }
    let mut lengths: Vec<(u64, u64, usize)> = Vec::new();
    for open in &opened.rsa {
        let (n, e) = (open.key.n().bits(), open.key.e().bits());
        match lengths.iter_mut().find(|known| (known.0, known.1) == (n, e)) {
            Some(known) => known.2 += 1,
            None => lengths.push((n, e, 1)),
        }
    }
    for (n, e, count) in lengths {
        let problem = pingala::plan::Problem { count: count as u64, ..pingala::plan::Problem::new(n, e) };
        let seconds = pingala::plan::Planner::of_this_machine().seconds(&problem)?;
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

/// Checks of which some are settled.
struct OpenedList<'a> {
    said: Vec<Said>,
    dsa: Vec<OpenDsa<'a>>,
    dsa_places: Vec<usize>,
    rsa: Vec<OpenRsa<'a>>,
    rsa_places: Vec<usize>,
}

impl<'a> OpenedList<'a> {
    /// Error: `interrupted`.
    fn of(checks: &[Check<'a>], policy: Policy, watch: Option<&dyn Watch>) -> Result<Self, Error> {
        let mut list = Self {
            said: Vec::with_capacity(checks.len()),
            dsa: Vec::new(),
            dsa_places: Vec::new(),
            rsa: Vec::new(),
            rsa_places: Vec::new(),
        };
        for (place, check) in checks.iter().enumerate() {
            let is_long = matches!(check.message, Message::Raw(message) if message.len() > LONG_MESSAGE);
            poll(watch, if is_long { 0 } else { place })?;
            let missing = || Err(Error::Fault("a signature without a verdict"));
            list.said.push(match check.open(policy) {
                Err(error) => Err(error),
                Ok(Err(reason)) => Ok(Some(reason)),
                Ok(Ok(Open::Dsa(open))) => {
                    list.dsa.push(open);
                    list.dsa_places.push(place);
                    missing()
                }
                Ok(Ok(Open::Rsa(open))) => {
                    list.rsa.push(open);
                    list.rsa_places.push(place);
                    missing()
                }
            });
        }
        Ok(list)
    }
}
