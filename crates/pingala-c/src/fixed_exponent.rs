//! Fixed exponents: an addition chain that is searched once, kept in a file, and run modulo any number.

use crate::PINGALA_NEGATIVE_BASE;
use crate::explain::Reader;
use crate::length::Cap;
use crate::list::signed_bases;
use crate::memory::{Answers, In, Name, Out, Rows, Text, check_signs, given, hand_out, take_back};
use crate::modulus::PingalaModulus;
use crate::options::{PingalaOptions, under};
use crate::status::{bad_argument, enter};
use crate::width::{MadeFrom, Residues, width};
use core::num::NonZeroUsize;
use pingala_chains::{FixedExponent, Progress, Search};
use pingala_core::exponent::Exponent;
use pingala_core::{Error, Integer, Modulus, Natural, PlannedPower, Watch};
use std::time::Duration;

/// An exponent with its addition chain. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct PingalaFixedExponent(FixedExponent);

/// A fixed exponent and a modulus with the plan of their powers. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct PingalaFixedPower {
    power: PlannedPower,
    pub(crate) modulus: Modulus,
    pub(crate) made_from: MadeFrom,
}

/// The longest exponent for which a chain is searched, in bits.
const LONGEST_BITS: u64 = 1 << 16;

entry! {
    /// Searches a chain for an exponent of 1 or more, of at most 32,768 steps: exponents of more bits have none, and from 26,000 bits on the
    /// search may find none. `moves` ends the search, 0 for 20 million, which take some ten seconds; so does `milliseconds`, unless it is 0. The same moves and seed find the same chain on every machine, but the same time does
    /// not. An exponent below 2^20 gets a shortest chain, unless the time is over. The call reads threads and watch of the options. It is
    /// not for secrets. Errors: PINGALA_BAD_ARGUMENT, PINGALA_TOO_LONG, PINGALA_INTERRUPTED.
    pingala_fixed_exponent_search_be, pingala_fixed_exponent_search_limbs(
        fixed: new PingalaFixedExponent, exponent[exponent_len]: In, moves: u64, milliseconds: u64, seed: u64, options
    ) {
        searched(exponent.natural(Cap::of("exponent", LONGEST_BITS))?, (moves, milliseconds, seed), options)
    }
}

/// One function for both kinds of units.
#[inline(never)]
fn searched(
    exponent: Natural,
    (moves, milliseconds, seed): (u64, u64, u64),
    options: Option<&PingalaOptions>,
) -> Result<PingalaFixedExponent, Error> {
    let exponent = Exponent::new(exponent).ok_or_else(|| bad_argument("exponent is 0"))?;
    Cap::of("exponent", LONGEST_BITS).check(exponent.bits() as u64)?;
    let threads = options.and_then(|options| options.threads);
    let threads = threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let mut search = Search { seed, threads, ..Search::new(&exponent) };
    if moves > 0 {
        search.steps = moves;
    }
    if milliseconds > 0 {
        search.limit = Some(Duration::from_millis(milliseconds));
    }
    under(options, |options| {
        let budget = Budget { watch: options.watch() };
        let found = search.run_with(&budget)?;
        if budget.watch.is_some_and(|watch| watch.stop()) {
            return Err(Error::Interrupted);
        }
        Ok(PingalaFixedExponent(FixedExponent::new(found.chain)))
    })
}

/// A search that the caller's watch may end.
struct Budget<'w> {
    watch: Option<&'w dyn Watch>,
}

impl Progress for Budget<'_> {
    fn goes_on(&self, moves: u64, _: usize) -> bool {
        self.watch.inspect(|watch| watch.progress(moves as usize, usize::MAX));
        !self.watch.is_some_and(|watch| watch.stop())
    }
}

entry! {
    /// Reads a chain that pingala_fixed_exponent_save or the command `pingala chain search` wrote. Steps that do not lead to the exponent
    /// are refused. Error: PINGALA_BAD_FILE.
    pingala_fixed_exponent_load(fixed: new PingalaFixedExponent, path: Path) {
        FixedExponent::load(&path.given_path()?).map(PingalaFixedExponent)
    }
}

entry! {
    /// Writes the chain to a file, as JSON; a file that is there is replaced as a whole. Error: PINGALA_BAD_FILE.
    pingala_fixed_exponent_save(fixed: &PingalaFixedExponent, path: Path) {
        fixed.0.save(&path.given_path()?)
    }
}

/// Frees a fixed exponent; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_exponent_free(fixed: *mut PingalaFixedExponent) {
    // SAFETY: the contract of the header.
    unsafe { take_back(fixed) };
}

/// The products of the chain, squarings included. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_fixed_exponent_length(fixed: Option<&PingalaFixedExponent>) -> u64 {
    fixed.map_or(0, |fixed| fixed.0.chain().length() as u64)
}

/// The length of the exponent, in bits. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_fixed_exponent_bits(fixed: Option<&PingalaFixedExponent>) -> u64 {
    fixed.map_or(0, |fixed| fixed.0.exponent().bits() as u64)
}

entry! {
    /// Writes the exponent.
    pingala_fixed_exponent_value_be, pingala_fixed_exponent_value_limbs(fixed: &PingalaFixedExponent, out[out_len]: Out) {
        out.put(fixed.0.exponent().magnitude())
    }
}

entry! {
    /// What the chain saves modulo this number against the planner's choice for one call, and when a search pays, as text. `text` and
    /// `needed` are as in pingala_modulus_explain_be.
    pingala_fixed_exponent_explain(fixed: &PingalaFixedExponent, modulus: &PingalaModulus, text: Reader) {
        text.take(&fixed.0.explain(&modulus.0)?.to_string())
    }
}

entry! {
    /// Plans the powers with a fixed exponent modulo one number. The handle needs neither of the two any more.
    pingala_fixed_exponent_modulo(
        fixed: &PingalaFixedExponent, modulus: &PingalaModulus, power: new PingalaFixedPower
    ) {
        let PingalaModulus(modulus, made_from, _) = modulus;
        let power = fixed.0.modulo(modulus)?;
        Ok(PingalaFixedPower { power, modulus: modulus.clone(), made_from: *made_from })
    }
}

/// Frees a planned power; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_fixed_power_free(power: *mut PingalaFixedPower) {
    // SAFETY: the contract of the header.
    unsafe { take_back(power) };
}

entry! {
    /// out = base^exponent by the chain. The flag is PINGALA_NEGATIVE_BASE. A call with options can be stopped by their watch.
    pingala_fixed_power_pow_be, pingala_fixed_power_pow_limbs(
        power: &PingalaFixedPower, out[out_len]: Out(power), base[base_len]: In, signs: flags PINGALA_NEGATIVE_BASE, options
    ) {
        let base = base.integer(signs != 0, Cap::NONE)?;
        out.write(&match options {
            None => power.power.pow(&base)?,
            options => power.watched(base, options)?,
        })
    }
}

impl PingalaFixedPower {
    /// A power as a list of one: the run of a list is watched.
    #[inline(never)]
    fn watched(&self, base: Integer, options: Option<&PingalaOptions>) -> Result<Natural, Error> {
        let mut powers = under(options, |options| self.power.pow_list(&[base], options))?;
        powers.pop().unwrap_or(Err(Error::Fault("a power without a result")))
    }
}

entry! {
    /// out[i] = bases[i]^exponent by the chain, for `count` rows, those of `bases` and `out` as wide as in pingala_modulus_pow_list_be: one
    /// schedule for eight powers at a time if the CPU can. `signs`, `status` and `why` are as in pingala_modulus_pow_list_be.
    pingala_fixed_power_pow_list_be, pingala_fixed_power_pow_list_limbs(
        power: &PingalaFixedPower, out: Answers(power, status, count), bases: Rows(power, count), count: only usize,
        status: only *mut i32, signs: u8[count], options
    ) {
        let bases = signed_bases(bases, &signs)?;
        out.write(under(options, |options| power.power.pow_list(&bases, options))?)
    }
}
