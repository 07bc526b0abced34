//! OpenSSL 3, opened at run time: BN_mod_exp_mont (BN_mod_exp for even moduli), its constant-time form, and the form that
//! computes two powers at once.
#![allow(unsafe_code)]

use super::{Peer, Task};
use crate::work::Work;
use libloading::Library;
use pingala_core::Natural;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::rc::Rc;

type Object = *mut c_void;

functions! {
    OpenSSL_version(what: c_int) -> *const c_char;
    BN_CTX_new() -> Object;
    BN_CTX_free(context: Object) -> ();
    BN_bin2bn(bytes: *const u8, length: c_int, into: Object) -> Object;
    BN_bn2binpad(number: Object, bytes: *mut u8, length: c_int) -> c_int;
    BN_free(number: Object) -> ();
    BN_mod_exp(result: Object, base: Object, exponent: Object, modulus: Object, context: Object) -> c_int;
    BN_mod_exp_mont(
        result: Object, base: Object, exponent: Object, modulus: Object, context: Object, prepared: Object,
    ) -> c_int;
    BN_mod_exp_mont_consttime(
        result: Object, base: Object, exponent: Object, modulus: Object, context: Object, prepared: Object,
    ) -> c_int;
    BN_mod_exp_mont_consttime_x2(
        result: Object, base: Object, exponent: Object, modulus: Object, prepared: Object,
        result2: Object, base2: Object, exponent2: Object, modulus2: Object, prepared2: Object, context: Object,
    ) -> c_int;
}

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
    library: Rc<Functions>,
}

impl OpenSsl {
    pub fn open(function: Function) -> Result<Self, String> {
        // SAFETY: libcrypto's initialisers have no conditions.
        let library = unsafe { Library::new("libcrypto.so.3") }.and_then(Functions::of);
        let library = library.map_err(|error| format!("OpenSSL 3 {}: {error}", function.name()))?;
        Ok(Self { function, library: Rc::new(library) })
    }
}

impl Peer for OpenSsl {
    fn name(&self) -> String {
        format!("OpenSSL {}", self.function.name())
    }

    fn version(&self) -> String {
        let text = self.library.OpenSSL_version(0);
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
        if !fits || work.default_options {
            return None;
        }
        let width = work.jobs.iter().map(|job| job.modulus.bits().div_ceil(8) as usize).max()?;
        let number = |value: &Natural| Number::new(&self.library, value);
        let jobs = work.jobs.iter().map(|job| [&job.base, &job.exponent, &job.modulus].map(number)).collect();
        let results = work.jobs.iter().map(|_| number(&Natural::default())).collect();
        let context = self.library.BN_CTX_new();
        assert!(!context.is_null(), "BN_CTX_new");
        let (function, library) = (self.function, self.library.clone());
        Some(Box::new(Loaded { function, even, width, jobs, results, context, library }))
    }
}

/// A BIGNUM that frees itself.
struct Number {
    value: Object,
    library: Rc<Functions>,
}

impl Number {
    fn new(library: &Rc<Functions>, value: &Natural) -> Self {
        let bytes = value.to_be_bytes();
        let value = library.BN_bin2bn(bytes.as_ptr(), bytes.len() as c_int, null_mut());
        assert!(!value.is_null(), "BN_bin2bn");
        Self { value, library: library.clone() }
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        self.library.BN_free(self.value);
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
    library: Rc<Functions>,
}

impl Loaded {
    /// Two powers at once. Each call prepares its own Montgomery contexts: the null pointers are those that it could reuse.
    fn run_pairs(&self) {
        for (jobs, results) in self.jobs.chunks_exact(2).zip(self.results.chunks_exact(2)) {
            let [[b0, e0, m0], [b1, e1, m1]] =
                [&jobs[0], &jobs[1]].map(|job| job.each_ref().map(|number| number.value));
            let [r0, r1] = [results[0].value, results[1].value];
            let none = null_mut();
            let done =
                self.library.BN_mod_exp_mont_consttime_x2(r0, b0, e0, m0, none, r1, b1, e1, m1, none, self.context);
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
                library.BN_mod_exp(r, b, e, m, context)
            } else if self.function == Function::Mont {
                library.BN_mod_exp_mont(r, b, e, m, context, null_mut())
            } else {
                library.BN_mod_exp_mont_consttime(r, b, e, m, context, null_mut())
            };
            assert_eq!(done, 1, "BN_mod_exp");
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        let natural = |number: &Number| {
            let mut bytes = vec![0; self.width];
            let written = self.library.BN_bn2binpad(number.value, bytes.as_mut_ptr(), self.width as c_int);
            assert_eq!(written, self.width as c_int, "BN_bn2binpad");
            Natural::from_be_bytes(&bytes)
        };
        self.results.iter().map(natural).collect()
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        self.library.BN_CTX_free(self.context);
    }
}
