//! GMP, opened at run time from the native build of `tools/native_gmp.sh`: the lab links no LGPL code.
#![allow(unsafe_code)]

use super::{Peer, Task};
use crate::work::Work;
use crate::{bound, rates};
use libloading::Library;
use pingala::Natural;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Its name in tables and bars.
pub const NATIVE: &str = "GMP native";

/// The folder into which the script installs it.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/lab/gmp");

/// `__mpz_struct` of gmp.h.
#[repr(C)]
struct Mpz {
    allocated: c_int,
    size: c_int,
    limbs: *mut u64,
}

type Init = unsafe extern "C" fn(*mut Mpz);
type Import = unsafe extern "C" fn(*mut Mpz, usize, c_int, usize, c_int, usize, *const c_void);
type Export = unsafe extern "C" fn(*mut c_void, *mut usize, c_int, usize, c_int, usize, *const Mpz) -> *mut c_void;
type Powm = unsafe extern "C" fn(*mut Mpz, *const Mpz, *const Mpz, *const Mpz);

/// The functions that are used, with the library that keeps them loaded.
struct Gmp6 {
    init: Init,
    clear: Init,
    import: Import,
    export: Export,
    powm: Powm,
    _library: Library,
}

/// Which function is timed.
#[derive(Clone, Copy, PartialEq)]
pub enum Function {
    Powm,
    PowmSec,
}

impl Function {
    pub const ALL: [Self; 2] = [Function::Powm, Function::PowmSec];

    fn symbol(self) -> &'static str {
        match self {
            Function::Powm => "__gmpz_powm",
            Function::PowmSec => "__gmpz_powm_sec",
        }
    }
}

pub struct Gmp {
    function: Function,
    gmp: Rc<Gmp6>,
    name: String,
    version: String,
}

/// The lines `key value` that the build script left next to the library.
fn about(key: &str) -> String {
    let text = std::fs::read_to_string(Path::new(FOLDER).join("about.txt")).unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')).unwrap_or("unknown").to_string()
}

/// A native build's best time at 2048 bits is at most this multiple of the bound that counts only mulx ...
const MOST_TIMES_MULX: f64 = 1.6;
/// ... or, if the CPU multiplies faster than it adds, of the bound by mulx with its additions: other builds take
/// more (docs/records/thresholds.md).
const MOST_TIMES_MULX_ADDED: f64 = 1.15;

/// Whether this build deserves to be called native, and why: by what is in the binary, and by its best time.
fn verdict(powm: &mut dyn Task, work: &Work) -> (bool, String) {
    match (about("dispatch_vectors").as_str(), about("mulx").as_str()) {
        ("0", "0" | "unknown") => return (false, "there is no mulx in it".into()),
        ("0", _) => {}
        _ => return (false, "it is a fat build, or not made by tools/native_gmp.sh".into()),
    }
    let (mut best, mut samples) = (f64::INFINITY, Vec::new());
    for _ in 0..PROBES {
        samples.push(rates::sample());
        best = best.min(powm.time(1, work).nanoseconds);
    }
    let rates = rates::median(&samples);
    let operations = bound::sliding(work.modulus_bits);
    let times = |bound: Option<f64>| bound.map_or(f64::INFINITY, |bound| best / bound);
    let by_mulx = times(bound::scalar(work.modulus_bits, operations, rates));
    let by_sum = times(bound::scalar_added(work.modulus_bits, operations, rates));
    let native = by_mulx <= MOST_TIMES_MULX || by_sum <= MOST_TIMES_MULX_ADDED;
    (
        native,
        format!(
            "no dispatch vector, mulx; 2048 bits: {by_mulx:.2} of the bound by mulx, {by_sum:.2} by mulx and additions"
        ),
    )
}

/// Samples for the verdict.
const PROBES: usize = 60;

impl Gmp {
    pub fn open(function: Function) -> Result<Self, String> {
        let path = PathBuf::from(FOLDER).join("lib/libgmp.so");
        if !path.exists() {
            return Err("GMP: run tools/native_gmp.sh (make bench does)".into());
        }
        // SAFETY: GMP has no initialiser with conditions; the file is the one that tools/native_gmp.sh built.
        let library = unsafe { Library::new(&path) }.map_err(|error| format!("GMP: {error}"))?;
        let missing = |error: libloading::Error| format!("GMP: {error}");
        // SAFETY: the types are those that gmp.h 6.3 declares for these names; `version` is a C string.
        let (gmp, version) = unsafe {
            let version = **library.get::<*const *const c_char>(b"__gmp_version").map_err(missing)?;
            let gmp = Gmp6 {
                init: *library.get(b"__gmpz_init").map_err(missing)?,
                clear: *library.get(b"__gmpz_clear").map_err(missing)?,
                import: *library.get(b"__gmpz_import").map_err(missing)?,
                export: *library.get(b"__gmpz_export").map_err(missing)?,
                powm: *library.get(function.symbol().as_bytes()).map_err(missing)?,
                _library: library,
            };
            (gmp, CStr::from_ptr(version).to_string_lossy().into_owned())
        };
        let mut peer = Self { function, gmp: Rc::new(gmp), name: String::new(), version: String::new() };
        peer.name = "GMP powm_sec".into();
        let mut why = "see powm".to_string();
        if function == Function::Powm {
            let work = super::probe_work();
            let mut task = peer.load(&work).ok_or("GMP: no task")?;
            let native;
            (native, why) = verdict(&mut *task, &work);
            peer.name = if native { NATIVE.into() } else { "GMP, not native".into() };
        }
        let (symbol, host, flags) = (function.symbol(), about("host"), about("cflags"));
        peer.version = format!("GMP {version}, {symbol}, configured for {host} ({flags}), {why}");
        eprintln!("{}: {}", peer.name, peer.version);
        Ok(peer)
    }
}

impl Peer for Gmp {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        // mpz_powm_sec is undefined for even moduli.
        let secret = self.function == Function::PowmSec;
        if work.threads > 1 || secret && work.jobs.iter().any(|job| job.modulus.is_even()) {
            return None;
        }
        let gmp = &self.gmp;
        let number = |value: &Natural| Number::new(gmp, value);
        let jobs = work.jobs.iter().map(|job| [&job.base, &job.exponent, &job.modulus].map(number));
        let jobs: Vec<_> = jobs.collect();
        let results = jobs.iter().map(|_| number(&Natural::default())).collect();
        Some(Box::new(Loaded { jobs, results, gmp: gmp.clone() }))
    }
}

/// An mpz_t that frees itself.
struct Number {
    value: Box<Mpz>,
    gmp: Rc<Gmp6>,
}

impl Number {
    fn new(gmp: &Rc<Gmp6>, value: &Natural) -> Self {
        let limbs = value.limbs();
        let mut mpz = Box::new(Mpz { allocated: 0, size: 0, limbs: std::ptr::null_mut() });
        // SAFETY: `mpz` has the layout of mpz_t and is initialised before it is set from `limbs`, whose length is passed
        // (least significant word first, native byte order, no nails).
        unsafe {
            (gmp.init)(&mut *mpz);
            (gmp.import)(&mut *mpz, limbs.len(), -1, 8, 0, 0, limbs.as_ptr().cast());
        }
        Self { value: mpz, gmp: gmp.clone() }
    }

    fn natural(&self) -> Natural {
        let mut limbs = vec![0u64; self.value.size.unsigned_abs() as usize];
        // SAFETY: `limbs` has room for every limb of the value, and no more limbs are written.
        unsafe { (self.gmp.export)(limbs.as_mut_ptr().cast(), std::ptr::null_mut(), -1, 8, 0, 0, &*self.value) };
        Natural::from_limbs(&limbs)
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: `new` initialised the value, and nothing has cleared it.
        unsafe { (self.gmp.clear)(&mut *self.value) };
    }
}

struct Loaded {
    jobs: Vec<[Number; 3]>,
    results: Vec<Number>,
    gmp: Rc<Gmp6>,
}

impl Task for Loaded {
    fn run(&mut self) {
        for ([base, exponent, modulus], result) in self.jobs.iter().zip(&mut self.results) {
            // SAFETY: all four are initialised; exponents and moduli are positive, and odd moduli where powm_sec asks for it.
            unsafe { (self.gmp.powm)(&mut *result.value, &*base.value, &*exponent.value, &*modulus.value) };
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        self.results.iter().map(Number::natural).collect()
    }
}
