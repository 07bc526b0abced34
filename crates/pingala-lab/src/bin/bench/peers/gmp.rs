//! GMP, opened at run time from the native build of `tools/native_gmp.sh`: the lab links no LGPL code.
#![allow(unsafe_code)]

use super::{Peer, Task};
use crate::work::Work;
use libloading::Library;
use pingala_core::Natural;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::rc::Rc;

/// Its name in tables.
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

functions! {
    __gmpz_init(number: *mut Mpz) -> ();
    // Least significant word first, native byte order, no nails.
    __gmpz_import(
        into: *mut Mpz, count: usize, order: c_int, size: usize, endian: c_int, nails: usize, words: *const c_void,
    ) -> ();
    __gmpz_export(
        into: *mut c_void, count: *mut usize, order: c_int, size: usize, endian: c_int, nails: usize, of: *const Mpz,
    ) -> *mut c_void;
    __gmpz_clear(number: *mut Mpz) -> ();
    __gmpz_powm(result: *mut Mpz, base: *const Mpz, exponent: *const Mpz, modulus: *const Mpz) -> ();
    __gmpz_powm_sec(result: *mut Mpz, base: *const Mpz, exponent: *const Mpz, modulus: *const Mpz) -> ();
}

/// Which function is timed.
#[derive(Clone, Copy, PartialEq)]
pub enum Function {
    Powm,
    PowmSec,
}

pub struct Gmp {
    function: Function,
    library: Rc<Functions>,
    name: &'static str,
    version: String,
}

/// The lines `key value` that the build script left next to the library.
fn about(key: &str) -> String {
    let text = std::fs::read_to_string(Path::new(FOLDER).join("about.txt")).unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')).unwrap_or("unknown").to_string()
}

impl Gmp {
    pub fn open(function: Function) -> Result<Self, String> {
        let path = PathBuf::from(FOLDER).join("lib/libgmp.so");
        if !path.exists() {
            return Err("GMP: run tools/native_gmp.sh (make bench does)".into());
        }
        let failed = |error: libloading::Error| format!("GMP: {error}");
        // SAFETY: GMP has no initialiser with conditions; the file is the one that tools/native_gmp.sh built.
        let library = unsafe { Library::new(&path) }.map_err(failed)?;
        // SAFETY: gmp.h 6.3 declares it as a C string.
        let number =
            unsafe { CStr::from_ptr(**library.get::<*const *const c_char>(b"__gmp_version").map_err(failed)?) };
        // Other builds do not know recent CPUs and are slower: a native one has no dispatch vector, and mulx.
        let (vectors, mulx) = (about("dispatch_vectors"), about("mulx"));
        let native = vectors == "0" && !["0", "unknown"].contains(&mulx.as_str());
        let (name, symbol) = match function {
            Function::Powm if native => (NATIVE, "mpz_powm"),
            Function::Powm => ("GMP, not native", "mpz_powm"),
            Function::PowmSec => ("GMP powm_sec", "mpz_powm_sec"),
        };
        let (number, host, flags) = (number.to_string_lossy(), about("host"), about("cflags"));
        let version = format!(
            "GMP {number}, {symbol}, configured for {host} ({flags}), dispatch vectors: {vectors}, instructions mulx: {mulx}"
        );
        eprintln!("{name}: {version}");
        Ok(Self { function, library: Rc::new(Functions::of(library).map_err(failed)?), name, version })
    }
}

impl Peer for Gmp {
    fn name(&self) -> String {
        self.name.into()
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        // mpz_powm_sec is undefined for even moduli.
        let secret = self.function == Function::PowmSec;
        if work.default_options || secret && work.jobs.iter().any(|job| job.modulus.is_even()) {
            return None;
        }
        let number = |value: &Natural| Number::new(&self.library, value);
        let jobs = work.jobs.iter().map(|job| [&job.base, &job.exponent, &job.modulus].map(number)).collect();
        let results = work.jobs.iter().map(|_| number(&Natural::default())).collect();
        Some(Box::new(Loaded { secret, jobs, results }))
    }
}

/// An mpz_t that frees itself.
struct Number {
    value: Box<Mpz>,
    library: Rc<Functions>,
}

impl Number {
    fn new(library: &Rc<Functions>, value: &Natural) -> Self {
        let limbs = value.limbs();
        let mut mpz = Box::new(Mpz { allocated: 0, size: 0, limbs: null_mut() });
        library.__gmpz_init(&mut *mpz);
        library.__gmpz_import(&mut *mpz, limbs.len(), -1, 8, 0, 0, limbs.as_ptr().cast());
        Self { value: mpz, library: library.clone() }
    }

    fn natural(&self) -> Natural {
        let mut limbs = vec![0u64; self.value.size.unsigned_abs() as usize];
        self.library.__gmpz_export(limbs.as_mut_ptr().cast(), null_mut(), -1, 8, 0, 0, &*self.value);
        Natural::from_limbs(&limbs)
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        self.library.__gmpz_clear(&mut *self.value);
    }
}

struct Loaded {
    secret: bool,
    jobs: Vec<[Number; 3]>,
    results: Vec<Number>,
}

impl Task for Loaded {
    fn run(&mut self) {
        for ([b, e, m], result) in self.jobs.iter().zip(&mut self.results) {
            let (library, r) = (&result.library, &mut *result.value);
            let [b, e, m] = [b, e, m].map(|number| &*number.value);
            if self.secret {
                library.__gmpz_powm_sec(r, b, e, m);
            } else {
                library.__gmpz_powm(r, b, e, m);
            }
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        self.results.iter().map(Number::natural).collect()
    }
}
