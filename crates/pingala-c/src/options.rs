//! Settings of a call. A call reads them when it begins and keeps nothing of them.

use crate::length::Cap;
use crate::memory::{In, Name, Text, Unit, hand_out, take_back};
use crate::status::{bad_argument, enter};
use core::ffi::c_char;
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use pingala_core::{Error, Limits, Natural, Options, Watch};
use std::time::{Duration, Instant};

/// Settings of calls. Handles of this kind are the only ones that change: no thread may set while a call begins.
#[derive(Debug, Default)]
pub struct PingalaOptions {
    kernel: Option<String>,
    plan: Option<String>,
    pub(crate) threads: Option<NonZeroUsize>,
    pub(crate) limits: Limits,
    memory_bytes: Option<u64>,
    timeout: Option<Duration>,
    public_exponent: Option<Natural>,
    unblinded: bool,
    /// Bytes of the salt of PSS; none for any.
    pub(crate) salt: Option<usize>,
    /// Units of a row, if they are declared.
    pub(crate) width: Option<usize>,
    /// Rounds of Miller and Rabin's test; none for the default.
    pub(crate) prime_rounds: Option<u32>,
    /// (r, q) for primes that are r modulo q.
    pub(crate) prime_residue: Option<(Natural, Natural)>,
    watched: Watched,
}

/// Words of the caller.
#[derive(Clone, Copy, Debug)]
struct Watched {
    stop: *const AtomicU32,
    done: *const AtomicU64,
}

impl Default for Watched {
    fn default() -> Self {
        Self { stop: core::ptr::null(), done: core::ptr::null() }
    }
}

// SAFETY: the words are used by atomic operations only; that they live during a call is the contract of `set_watch`.
unsafe impl Sync for Watched {}
// SAFETY: the same.
unsafe impl Send for Watched {}

impl Watch for Watched {
    fn stop(&self) -> bool {
        // SAFETY: NULL, or a word that lives during the call: the contract of `set_watch`.
        unsafe { self.stop.as_ref() }.is_some_and(|stop| stop.load(Relaxed) != 0)
    }

    fn progress(&self, finished: usize, _: usize) {
        // SAFETY: the same.
        unsafe { self.done.as_ref() }.map(|done| done.fetch_max(finished as u64, Relaxed));
    }
}

/// Runs a call under these settings; under the default ones for NULL.
#[inline]
pub(crate) fn under<T>(
    options: Option<&PingalaOptions>,
    call: impl FnOnce(&Options<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    // A copy: who sets while the call runs changes nothing of it.
    let watched = options.map(|options| options.watched);
    call(&settings(options, &watched))
}

/// [`under`] for short calls, which take the default settings without a call.
#[inline]
pub(crate) fn at_once_under<T>(
    options: Option<&PingalaOptions>,
    call: impl FnOnce(&Options<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    if options.is_none() { call(&Options::default()) } else { under(options, call) }
}

#[inline(never)]
fn settings<'a>(options: Option<&'a PingalaOptions>, watched: &'a Option<Watched>) -> Options<'a> {
    match (options, watched) {
        (Some(options), Some(watched)) => options.under(watched),
        _ => Options::default(),
    }
}

impl PingalaOptions {
    /// The settings of a call that polls and tells these words.
    #[cold]
    fn under<'a>(&'a self, watched: &'a Watched) -> Options<'a> {
        // SAFETY: NULL, or a word that lives during the call: the contract of `set_watch`.
        unsafe { watched.done.as_ref() }.inspect(|done| done.store(0, Relaxed));
        let is_watched = !watched.stop.is_null() || !watched.done.is_null();
        Options::default()
            .with_kernel(self.kernel.as_deref())
            .with_plan(self.plan.as_deref())
            .with_threads(self.threads)
            .with_limits(self.limits)
            .with_memory_bytes(self.memory_bytes)
            .with_public_exponent(self.public_exponent.as_ref())
            .with_blinding(!self.unblinded)
            .with_watch(is_watched.then_some(watched))
            .with_deadline(self.timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
    }
}

entry! {
    /// Makes options with the default settings; pass NULL to a call for the same.
    pingala_options_new(options: new PingalaOptions) {
        Ok(PingalaOptions::default())
    }
}

/// Frees options; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_free(options: *mut PingalaOptions) {
    // SAFETY: the contract of the header.
    unsafe { take_back(options) };
}

/// Defines functions that change options: each names its parameters, a field, and the field's new value or an error.
macro_rules! setters {
    ($options:ident: $($(#[$doc:meta])* $name:ident($($x:ident: $T:ty),*) $field:ident = $value:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($options: Option<&mut PingalaOptions>, $($x: $T),*) -> i32 {
            enter(Text::none(), || {
                let $options = $options.ok_or_else(|| bad_argument("options is NULL"))?;
                #[allow(unused_unsafe)]
                // SAFETY: the caller of the function vouches for its pointers, as the header asks.
                let value = unsafe { $value };
                $options.$field = value;
                Ok(())
            })
        }
    )*};
}

setters! {
    options:

    /// The most threads for lists; 0 for the default, all cores.
    pingala_options_set_threads(threads: usize) threads = NonZeroUsize::new(threads);

    /// Forces a kernel by name, such as "portable_r64"; NULL for none. The text is copied. An unknown name is an error of the calls that
    /// get these options, PINGALA_BAD_PLAN, which have a message.
    pingala_options_set_kernel(kernel: *const c_char) kernel = text(kernel)?;

    /// Forces a plan by its line, such as "sliding_window(w=7) on portable_r64(n=32)"; NULL for none. The text is copied. A wrong line is an
    /// error of the calls that get these options, PINGALA_BAD_PLAN.
    pingala_options_set_plan(plan: *const c_char) plan = text(plan)?;

    /// The most bytes for powers that share work; 0 for the default, 2^30.
    pingala_options_set_memory(bytes: u64) memory_bytes = (bytes > 0).then_some(bytes);

    /// The longest modulus and the longest exponent that calls accept, in bits; 0 for the defaults, 2^24 and 2^26.
    pingala_options_set_limits(modulus_bits: u64, exponent_bits: u64) limits = limits(modulus_bits, exponent_bits);

    /// The milliseconds that a call may take: it ends with PINGALA_INTERRUPTED after them, or a product later. 0 for the default, no limit.
    pingala_options_set_timeout(milliseconds: u64) timeout = (milliseconds > 0).then(|| Duration::from_millis(milliseconds));

    /// Words that a call polls and writes. The call ends with PINGALA_INTERRUPTED soon after `*stop` is not 0. The word must keep that
    /// value until the call has returned, because several threads poll it. The call sets `*done` to 0 when it begins, and then to its
    /// progress: elements of a list, squarings, bits of the exponent of one power. Both are used by atomic operations, so any thread may
    /// write `*stop` and read `*done` in the same way. NULL for either one: there is none. They must live until calls with these options
    /// have returned; two calls at a time need options of their own.
    pingala_options_set_watch(stop: *const u32, done: *mut u64) watched = watched(stop, done)?;

    /// The public exponent e that belongs to a secret exponent: the result of pingala_modulus_pow_sec_be is released only if result^e is
    /// the base: that call's error is PINGALA_BAD_ARGUMENT if e does not belong to the secret exponent, and PINGALA_FAULT if the computer
    /// erred. No units for none. The number is copied. Error: PINGALA_TOO_LONG above the limit of exponents that is set. Secret factors
    /// that are set up with it have to be those of a key: known to be prime, with e prime to each p - 1.
    pingala_options_set_public_exponent_be(exponent: *const u8, exponent_len: usize)
        public_exponent = public_exponent(exponent, exponent_len, options)?;

    /// As pingala_options_set_public_exponent_be, by limbs.
    pingala_options_set_public_exponent_limbs(exponent: *const u64, exponent_len: usize)
        public_exponent = public_exponent(exponent, exponent_len, options)?;

    /// Whether secret powers are blinded, which is the default: exponents modulo prime factors by random multiples of the order, and the
    /// base if all factors are known to be prime and the exponent is the inverse of the public one that is set. 0 switches it off.
    pingala_options_set_blinding(blinding: u32) unblinded = blinding == 0;

    /// The width of the rows of bases, values and results in calls on one handle (pingala_modulus_pow_list_be and its siblings, products,
    /// inverses, tables, fixed powers), in units of the call: bytes, or limbs. It is at least that of the modulus; further units on top
    /// are zeros in results. 0 for the default, the width of the modulus. Calls that take widths of their own do not read it.
    pingala_options_set_width(units: usize) width = (units > 0).then_some(units);

    /// The rounds of Miller and Rabin's test, with random bases, of calls on primes; 0 for the default, which those calls name.
    pingala_options_set_prime_rounds(rounds: u32) prime_rounds = (rounds > 0).then_some(rounds);

    /// Random primes are `residue` modulo `divisor`; no units of divisor for any. Both are copied. Error: PINGALA_TOO_LONG above the limit of
    /// moduli that is set.
    pingala_options_set_prime_residue_be(residue: *const u8, residue_len: usize, divisor: *const u8, divisor_len: usize)
        prime_residue = prime_residue((residue, residue_len), (divisor, divisor_len), options)?;

    /// As pingala_options_set_prime_residue_be, by limbs.
    pingala_options_set_prime_residue_limbs(residue: *const u64, residue_len: usize, divisor: *const u64, divisor_len: usize)
        prime_residue = prime_residue((residue, residue_len), (divisor, divisor_len), options)?;

    /// The length of the salt of PINGALA_RSA_PSS, in bytes; below 0 for any, which is the default.
    pingala_options_set_salt(bytes: i64) salt = usize::try_from(bytes).ok();
}

/// # Safety
///
/// As [`Name::new`].
unsafe fn text(at: *const c_char) -> Result<Option<String>, Error> {
    // SAFETY: the caller's, for the same text.
    Ok(unsafe { Name::new(at) }.text()?.map(String::from))
}

fn limits(modulus_bits: u64, exponent_bits: u64) -> Limits {
    let or = |bits: u64, default: u64| if bits > 0 { bits } else { default };
    let default = Limits::default();
    Limits::new(or(modulus_bits, default.modulus_bits), or(exponent_bits, default.exponent_bits))
}

fn watched(stop: *const u32, done: *mut u64) -> Result<Watched, Error> {
    if !stop.is_aligned() || !done.is_aligned() {
        return Err(bad_argument("a word is not aligned"));
    }
    Ok(Watched { stop: stop.cast(), done: done.cast_const().cast() })
}

/// # Safety
///
/// As [`In::new`].
unsafe fn public_exponent<U: Unit>(
    exponent: *const U,
    exponent_len: usize,
    options: &PingalaOptions,
) -> Result<Option<Natural>, Error> {
    // SAFETY: the caller's, for the same memory.
    let exponent = unsafe { In::new(exponent, exponent_len, "exponent") };
    let exponent = exponent.natural(Cap::exponent(Some(options)))?;
    Ok(Some(exponent).filter(|exponent| !exponent.is_zero()))
}

/// # Safety
///
/// As [`In::new`], for both.
unsafe fn prime_residue<U: Unit>(
    (residue, residue_len): (*const U, usize),
    (divisor, divisor_len): (*const U, usize),
    options: &PingalaOptions,
) -> Result<Option<(Natural, Natural)>, Error> {
    let cap = Cap::number(Some(options));
    // SAFETY: the caller's, for the same memory.
    let (residue, divisor) =
        unsafe { (In::new(residue, residue_len, "residue"), In::new(divisor, divisor_len, "divisor")) };
    if divisor_len == 0 {
        return Ok(None);
    }
    Ok(Some((residue.natural(cap)?, divisor.natural(cap)?)))
}
