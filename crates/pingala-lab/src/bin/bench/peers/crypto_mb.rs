//! Intel's crypto_mb, eight powers at once on IFMA, opened from the path that `PINGALA_CRYPTO_MB` names. Built with gcc: clang
//! makes its multiplication two or three times slower.
#![allow(unsafe_code)]

use super::{Peer, Task};
use crate::work::Work;
use libloading::Library;
use pingala::Natural;
use pingala::kernels::{Feature, has};
use std::ffi::c_int;
use std::rc::Rc;

/// Powers of one call.
const LANES: usize = 8;
/// Lengths that it has code for.
const BITS: std::ops::RangeInclusive<u64> = 1024..=4096;

type Pointers = *const [*const u64; LANES];
type Exp =
    unsafe extern "C" fn(*const [*mut u64; LANES], Pointers, Pointers, c_int, Pointers, c_int, *mut u8, c_int) -> u32;

struct Library8 {
    exp: Exp,
    buffer_size: unsafe extern "C" fn(c_int) -> c_int,
    _library: Library,
}

pub struct CryptoMb {
    library: Rc<Library8>,
    path: String,
}

impl CryptoMb {
    pub fn open() -> Result<Self, String> {
        let path = std::env::var("PINGALA_CRYPTO_MB").map_err(|_| "crypto_mb: PINGALA_CRYPTO_MB names no library")?;
        if !(has(Feature::Avx512f) && has(Feature::Avx512ifma)) {
            return Err("crypto_mb: this CPU has no AVX-512 IFMA".into());
        }
        let missing = |error: libloading::Error| format!("crypto_mb: {error}");
        // SAFETY: crypto_mb has no initialiser with conditions; the path is the user's choice.
        let library = unsafe { Library::new(&path) }.map_err(missing)?;
        // SAFETY: the types are those that crypto_mb/exp.h declares for these names.
        let library = unsafe {
            Library8 {
                exp: *library.get(b"mbx_exp_mb8").map_err(missing)?,
                buffer_size: *library.get(b"mbx_exp_BufferSize").map_err(missing)?,
                _library: library,
            }
        };
        Ok(Self { library: Rc::new(library), path })
    }
}

impl Peer for CryptoMb {
    fn name(&self) -> String {
        "crypto_mb".into()
    }

    fn version(&self) -> String {
        format!("Intel crypto_mb mbx_exp_mb8, {}", self.path)
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        let exponent_bits = work.jobs.iter().map(|job| job.exponent.bits()).max()?;
        let odd = work.jobs.iter().all(|job| !job.modulus.is_even() && job.base < job.modulus);
        if !odd || work.threads > 1 || !work.jobs.len().is_multiple_of(LANES) || !BITS.contains(&work.modulus_bits) {
            return None;
        }
        let modulus_words = work.modulus_bits.div_ceil(64) as usize;
        let exponent_words = exponent_bits.div_ceil(64) as usize;
        let padded = |value: &Natural, words: usize| {
            let mut limbs = value.limbs().to_vec();
            limbs.resize(words, 0);
            limbs
        };
        let jobs = work.jobs.iter().map(|job| {
            [(&job.base, modulus_words), (&job.exponent, exponent_words), (&job.modulus, modulus_words)]
                .map(|(value, words)| padded(value, words))
        });
        // SAFETY: it computes a size.
        let buffer_bytes = unsafe { (self.library.buffer_size)(work.modulus_bits as c_int) };
        Some(Box::new(Loaded {
            jobs: jobs.collect(),
            results: vec![vec![0; modulus_words]; work.jobs.len()],
            exponent_bits: exponent_bits as c_int,
            modulus_bits: work.modulus_bits as c_int,
            buffer: vec![0; usize::try_from(buffer_bytes).ok()?],
            library: self.library.clone(),
        }))
    }
}

struct Loaded {
    /// Limbs of base, exponent and modulus, all bases and moduli of one length, all exponents of one.
    jobs: Vec<[Vec<u64>; 3]>,
    results: Vec<Vec<u64>>,
    exponent_bits: c_int,
    modulus_bits: c_int,
    buffer: Vec<u8>,
    library: Rc<Library8>,
}

impl Task for Loaded {
    fn run(&mut self) {
        for (jobs, results) in self.jobs.chunks_exact(LANES).zip(self.results.chunks_exact_mut(LANES)) {
            let column = |which: usize| std::array::from_fn(|lane| jobs[lane][which].as_ptr());
            let (bases, exponents, moduli) = (column(0), column(1), column(2));
            let out = std::array::from_fn(|lane| results[lane].as_mut_ptr());
            // SAFETY: eight pointers each, to the words that `load` allocated for the lengths passed; the CPU has IFMA.
            let status = unsafe {
                (self.library.exp)(
                    &out,
                    &bases,
                    &exponents,
                    self.exponent_bits,
                    &moduli,
                    self.modulus_bits,
                    self.buffer.as_mut_ptr(),
                    self.buffer.len() as c_int,
                )
            };
            assert_eq!(status, 0, "mbx_exp_mb8");
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        self.results.iter().map(|limbs| Natural::from_limbs(limbs)).collect()
    }
}
