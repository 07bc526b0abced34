//! Settings of a call. A call reads them when it begins and keeps nothing of them.

use crate::length::Cap;
use crate::memory::{In, Name, Text, Unit, hand_out, take_back};
use crate::status::{bad_argument, enter};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use pingala::{Error, Limits, Natural, Options, Watch};

/// Settings of calls. Handles of this kind are the only ones that change: nobody may set while a call begins.
#[derive(Debug)]
pub struct PingalaOptions {
    kernel: Option<String>,
    plan: Option<String>,
    threads: Option<NonZeroUsize>,
    limits: Limits,
    memory_bytes: Option<u64>,
    public_exponent: Option<Natural>,
    blinding: bool,
    salt: i64,
    width: usize,
    watched: Watched,
}

/// Words of the caller.
#[derive(Clone, Copy, Debug)]
struct Watched {
    stop: *const AtomicU32,
    done: *const AtomicU64,
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
    let settings = match (options, &watched) {
        (Some(options), Some(watched)) => options.under(watched),
        _ => Options::default(),
    };
    call(&settings)
}

impl PingalaOptions {
    /// Bytes of the salt of PSS; below 0 for any.
    pub(crate) fn salt(&self) -> i64 {
        self.salt
    }

    /// Units of a row, where they are declared.
    pub(crate) fn width(&self) -> Option<usize> {
        (self.width > 0).then_some(self.width)
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn threads(&self) -> Option<NonZeroUsize> {
        self.threads
    }

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
            .with_blinding(self.blinding)
            .with_watch(is_watched.then_some(watched))
    }
}

/// Changes options. Error: `bad_argument` for NULL.
fn set(options: Option<&mut PingalaOptions>, change: impl FnOnce(&mut PingalaOptions)) -> Result<(), Error> {
    options.map(change).ok_or_else(|| bad_argument("options is NULL"))
}

/// Makes options with the default settings; pass NULL to a call for the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_new(
    options: Option<&mut MaybeUninit<*mut PingalaOptions>>,
    why: *mut c_char,
    why_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let why = unsafe { Text::new(why, why_len) };
    enter(why, || {
        hand_out(options, || {
            Ok(PingalaOptions {
                kernel: None,
                plan: None,
                threads: None,
                limits: Limits::default(),
                memory_bytes: None,
                public_exponent: None,
                blinding: true,
                salt: -1,
                width: 0,
                watched: Watched { stop: core::ptr::null(), done: core::ptr::null() },
            })
        })
    })
}

/// Frees options; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_free(options: *mut PingalaOptions) {
    // SAFETY: the contract of the header.
    unsafe { take_back(options) };
}

/// The most threads for lists; 0 for the default, all cores.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_options_set_threads(options: Option<&mut PingalaOptions>, threads: usize) -> i32 {
    enter(Text::none(), || set(options, |options| options.threads = NonZeroUsize::new(threads)))
}

/// Forces a kernel by name, such as "portable_r64"; NULL for none. The text is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_set_kernel(
    options: Option<&mut PingalaOptions>,
    kernel: *const c_char,
) -> i32 {
    // SAFETY: the contract of the header.
    let kernel = unsafe { Name::new(kernel) };
    enter(Text::none(), || {
        let kernel = kernel.text()?.map(String::from);
        set(options, |options| options.kernel = kernel)
    })
}

/// Forces a plan by its line, such as "sliding_window(w=7) on portable_r64(n=32)"; NULL for none. The text is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_set_plan(options: Option<&mut PingalaOptions>, plan: *const c_char) -> i32 {
    // SAFETY: the contract of the header.
    let plan = unsafe { Name::new(plan) };
    enter(Text::none(), || {
        let plan = plan.text()?.map(String::from);
        set(options, |options| options.plan = plan)
    })
}

/// The most bytes for powers that share work; 0 for the default, 2^30.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_options_set_memory(options: Option<&mut PingalaOptions>, bytes: u64) -> i32 {
    enter(Text::none(), || set(options, |options| options.memory_bytes = (bytes > 0).then_some(bytes)))
}

/// The longest modulus and the longest exponent that calls accept, in bits; 0 for the defaults, 2^24 and 2^26.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_options_set_limits(
    options: Option<&mut PingalaOptions>,
    modulus_bits: u64,
    exponent_bits: u64,
) -> i32 {
    let or = |bits: u64, default: u64| if bits > 0 { bits } else { default };
    enter(Text::none(), || {
        let default = Limits::default();
        let limits = Limits::new(or(modulus_bits, default.modulus_bits), or(exponent_bits, default.exponent_bits));
        set(options, |options| options.limits = limits)
    })
}

/// Words that a call polls and tells. The call ends with PINGALA_INTERRUPTED soon after `*stop` is not 0, and it stays so until the call
/// has returned: several threads ask, and one that finds 0 again goes on. `*done` is set to 0 when a
/// call begins, and then to what is done: elements of a list, squarings, bits of the exponent of one power. Both are used by atomic
/// operations, so any thread may write `*stop` and read `*done` in the same way. NULL for either one: there is none. They must
/// live until calls with these options have returned; two calls at a time need options of their own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_set_watch(
    options: Option<&mut PingalaOptions>,
    stop: *const u32,
    done: *mut u64,
) -> i32 {
    enter(Text::none(), || {
        if !stop.is_aligned() || !done.is_aligned() {
            return Err(bad_argument("a word is not aligned"));
        }
        set(options, |options| options.watched = Watched { stop: stop.cast(), done: done.cast_const().cast() })
    })
}

/// The public exponent e that belongs to a secret exponent: the result of pingala_modulus_pow_sec_be is released only if result^e is
/// the base. No units for none. The number is copied. Error: PINGALA_TOO_LONG above the limit of exponents that is set. Secret factors that are set up with it have to be those of a key: known to be prime,
/// with e prime to each p - 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_set_public_exponent_be(
    options: Option<&mut PingalaOptions>,
    exponent: *const u8,
    exponent_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let exponent = unsafe { In::new(exponent, exponent_len, "exponent") };
    enter(Text::none(), || set_public_exponent(options, exponent))
}

/// The same by limbs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pingala_options_set_public_exponent_limbs(
    options: Option<&mut PingalaOptions>,
    exponent: *const u64,
    exponent_len: usize,
) -> i32 {
    // SAFETY: the contract of the header.
    let exponent = unsafe { In::new(exponent, exponent_len, "exponent") };
    enter(Text::none(), || set_public_exponent(options, exponent))
}

/// Whether secret powers are blinded, which is the default: exponents modulo prime factors by random multiples of the order, and the
/// base where all factors are known to be prime and the exponent is the inverse of the public one that is set. 0 switches it off.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_options_set_blinding(options: Option<&mut PingalaOptions>, blinding: u32) -> i32 {
    enter(Text::none(), || set(options, |options| options.blinding = blinding != 0))
}

/// The width of the rows of bases, values and results in calls on one handle (pingala_modulus_pow_list_be and its siblings, products,
/// inverses, tables, fixed powers), in units of the call: bytes, or limbs. It is at least that of the modulus; further units on top
/// are zeros in results. 0 for the default, the width of the modulus. Calls that take widths of their own do not read it.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_options_set_width(options: Option<&mut PingalaOptions>, units: usize) -> i32 {
    enter(Text::none(), || set(options, |options| options.width = units))
}

/// The length of the salt of PINGALA_RSA_PSS, in bytes; below 0 for any, which is the default.
#[unsafe(no_mangle)]
pub extern "C" fn pingala_options_set_salt(options: Option<&mut PingalaOptions>, bytes: i64) -> i32 {
    enter(Text::none(), || set(options, |options| options.salt = bytes))
}

fn set_public_exponent<U: Unit>(options: Option<&mut PingalaOptions>, exponent: In<U>) -> Result<(), Error> {
    let exponent = exponent.natural(Cap::exponent(options.as_deref()))?;
    let exponent = Some(exponent).filter(|exponent| !exponent.is_zero());
    set(options, |options| options.public_exponent = exponent)
}
