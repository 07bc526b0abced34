//! OpenSSL 3, opened at run time: BN_mod_exp_mont (BN_mod_exp for even moduli), its constant-time form, and the form that
//! computes two powers at once.
#![allow(unsafe_code)]

use super::{Peer, Task};
use crate::work::Work;
use libloading::Library;
use pingala::Natural;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::rc::Rc;

type Object = *mut c_void;

/// Which function is timed.
#[derive(Clone, Copy, PartialEq)]
pub enum Function {
    Mont,
    Consttime,
    ConsttimeX2,
}

impl Function {
    pub const ALL: [Self; 3] = [Function::Mont, Function::Consttime, Function::ConsttimeX2];

    fn name(self) -> &'static str {
        match self {
            Function::Mont => "mont",
            Function::Consttime => "consttime",
            Function::ConsttimeX2 => "consttime_x2",
        }
    }
}

pub struct OpenSsl {
    function: Function,
    library: Rc<Library>,
}

impl OpenSsl {
    pub fn open(function: Function) -> Result<Self, String> {
        // SAFETY: libcrypto's initialisers have no conditions.
        let library = unsafe { Library::new("libcrypto.so.3") };
        let library = library.map_err(|error| format!("OpenSSL 3 {}: {error}", function.name()))?;
        Ok(Self { function, library: Rc::new(library) })
    }
}

impl Peer for OpenSsl {
    fn name(&self) -> String {
        format!("OpenSSL {}", self.function.name())
    }

    fn version(&self) -> String {
        let text = call!(self.library, OpenSSL_version(0 => c_int) -> *const c_char);
        // SAFETY: it is static text.
        let version = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        let even = if self.function == Function::Mont { ", or BN_mod_exp where even" } else { "" };
        format!("{version}, BN_mod_exp_mont: {}{even}", self.function.name())
    }

    fn load(&self, work: &Rc<Work>) -> Option<Box<dyn Task>> {
        let even = work.jobs.iter().any(|job| job.modulus.is_even());
        let fits = match self.function {
            Function::Mont => true,
            Function::Consttime => !even,
            Function::ConsttimeX2 => !even && work.jobs.len().is_multiple_of(2),
        };
        if !fits || work.threads > 1 {
            return None;
        }
        let width = work.jobs.iter().map(|job| job.modulus.bits().div_ceil(8) as usize).max()?;
        let number = |value: &Natural| Number::new(&self.library, value);
        let jobs = work.jobs.iter().map(|job| [&job.base, &job.exponent, &job.modulus].map(number)).collect();
        let results = work.jobs.iter().map(|_| number(&Natural::default())).collect();
        let context = call!(self.library, BN_CTX_new() -> Object);
        assert!(!context.is_null(), "BN_CTX_new");
        let (function, library) = (self.function, self.library.clone());
        Some(Box::new(Loaded { function, even, width, jobs, results, context, library }))
    }
}

/// A BIGNUM that frees itself.
struct Number {
    value: Object,
    library: Rc<Library>,
}

impl Number {
    fn new(library: &Rc<Library>, value: &Natural) -> Self {
        let bytes = value.to_be_bytes();
        let value = call!(library, BN_bin2bn(
            bytes.as_ptr() => *const u8, bytes.len() as c_int => c_int, null_mut() => Object
        ) -> Object);
        assert!(!value.is_null(), "BN_bin2bn");
        Self { value, library: library.clone() }
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        call!(self.library, BN_free(self.value => Object) -> ());
    }
}

struct Loaded {
    function: Function,
    even: bool,
    /// Bytes of the longest modulus.
    width: usize,
    jobs: Vec<[Number; 3]>,
    results: Vec<Number>,
    context: Object,
    library: Rc<Library>,
}

impl Loaded {
    /// Two powers at once. Each call prepares its own Montgomery contexts: the null pointers are those that it could reuse.
    fn run_pairs(&self) {
        for (jobs, results) in self.jobs.chunks_exact(2).zip(self.results.chunks_exact(2)) {
            let [[b0, e0, m0], [b1, e1, m1]] =
                [&jobs[0], &jobs[1]].map(|job| job.each_ref().map(|number| number.value));
            let done = call!(self.library, BN_mod_exp_mont_consttime_x2(
                results[0].value => Object, b0 => Object, e0 => Object, m0 => Object, null_mut() => Object,
                results[1].value => Object, b1 => Object, e1 => Object, m1 => Object, null_mut() => Object,
                self.context => Object,
            ) -> c_int);
            assert_eq!(done, 1, "BN_mod_exp_mont_consttime_x2");
        }
    }
}

impl Task for Loaded {
    fn run(&mut self) {
        if self.function == Function::ConsttimeX2 {
            return self.run_pairs();
        }
        for (job, result) in self.jobs.iter().zip(&self.results) {
            let ([b, e, m], r, context) = (job.each_ref().map(|number| number.value), result.value, self.context);
            let library = &self.library;
            let done = if self.even {
                call!(library, BN_mod_exp(
                    r => Object, b => Object, e => Object, m => Object, context => Object
                ) -> c_int)
            } else if self.function == Function::Mont {
                call!(library, BN_mod_exp_mont(
                    r => Object, b => Object, e => Object, m => Object, context => Object, null_mut() => Object
                ) -> c_int)
            } else {
                call!(library, BN_mod_exp_mont_consttime(
                    r => Object, b => Object, e => Object, m => Object, context => Object, null_mut() => Object
                ) -> c_int)
            };
            assert_eq!(done, 1, "BN_mod_exp");
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        let natural = |number: &Number| {
            let mut bytes = vec![0; self.width];
            let written = call!(self.library, BN_bn2binpad(
                number.value => Object, bytes.as_mut_ptr() => *mut u8, self.width as c_int => c_int
            ) -> c_int);
            assert_eq!(written, self.width as c_int, "BN_bn2binpad");
            Natural::from_be_bytes(&bytes)
        };
        self.results.iter().map(natural).collect()
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        call!(self.library, BN_CTX_free(self.context => Object) -> ());
    }
}
