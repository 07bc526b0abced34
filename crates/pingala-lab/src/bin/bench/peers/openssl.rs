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

type Bn = *mut c_void;
type New = unsafe extern "C" fn() -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type FromBytes = unsafe extern "C" fn(*const u8, c_int, Bn) -> Bn;
type ToBytes = unsafe extern "C" fn(Bn, *mut u8, c_int) -> c_int;
type ModExp = unsafe extern "C" fn(Bn, Bn, Bn, Bn, *mut c_void) -> c_int;
/// The last argument is a prepared BN_MONT_CTX, here always absent: each call prepares its own.
type ModExpMont = unsafe extern "C" fn(Bn, Bn, Bn, Bn, *mut c_void, *mut c_void) -> c_int;
#[rustfmt::skip]
type ModExpMontX2 = unsafe extern "C" fn(
    Bn, Bn, Bn, Bn, *mut c_void,
    Bn, Bn, Bn, Bn, *mut c_void,
    *mut c_void,
) -> c_int;

struct Crypto {
    free: Free,
    from_bytes: FromBytes,
    to_bytes: ToBytes,
    mod_exp: ModExp,
    mont: ModExpMont,
    consttime: ModExpMont,
    consttime_x2: ModExpMontX2,
    context_new: New,
    context_free: Free,
    _library: Library,
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
    crypto: Rc<Crypto>,
    version: String,
}

impl OpenSsl {
    pub fn open(function: Function) -> Result<Self, String> {
        let missing = |error: libloading::Error| format!("OpenSSL 3 {}: {error}", function.name());
        // SAFETY: libcrypto's initialisers have no conditions.
        let library = unsafe { Library::new("libcrypto.so.3") }.map_err(missing)?;
        // SAFETY: the types are those that openssl/bn.h and crypto.h of version 3 declare for these names.
        let (crypto, version) = unsafe {
            let text: unsafe extern "C" fn(c_int) -> *const c_char =
                *library.get(b"OpenSSL_version").map_err(missing)?;
            let version = CStr::from_ptr(text(0)).to_string_lossy().into_owned();
            let crypto = Crypto {
                free: *library.get(b"BN_free").map_err(missing)?,
                from_bytes: *library.get(b"BN_bin2bn").map_err(missing)?,
                to_bytes: *library.get(b"BN_bn2binpad").map_err(missing)?,
                mod_exp: *library.get(b"BN_mod_exp").map_err(missing)?,
                mont: *library.get(b"BN_mod_exp_mont").map_err(missing)?,
                consttime: *library.get(b"BN_mod_exp_mont_consttime").map_err(missing)?,
                consttime_x2: *library.get(b"BN_mod_exp_mont_consttime_x2").map_err(missing)?,
                context_new: *library.get(b"BN_CTX_new").map_err(missing)?,
                context_free: *library.get(b"BN_CTX_free").map_err(missing)?,
                _library: library,
            };
            (crypto, version)
        };
        Ok(Self { function, crypto: Rc::new(crypto), version })
    }
}

impl Peer for OpenSsl {
    fn name(&self) -> String {
        format!("OpenSSL {}", self.function.name())
    }

    fn version(&self) -> String {
        let function =
            if self.function == Function::Mont { "mont, or BN_mod_exp where even" } else { self.function.name() };
        format!("{}, BN_mod_exp_mont: {function}", self.version)
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
        let number = |value: &Natural| Number::new(&self.crypto, value);
        let jobs = work.jobs.iter().map(|job| [&job.base, &job.exponent, &job.modulus].map(number)).collect();
        let results = work.jobs.iter().map(|_| number(&Natural::default())).collect();
        // SAFETY: BN_CTX_new has no conditions.
        let context = unsafe { (self.crypto.context_new)() };
        assert!(!context.is_null(), "BN_CTX_new");
        Some(Box::new(Loaded {
            function: self.function,
            even,
            width,
            jobs,
            results,
            context,
            crypto: self.crypto.clone(),
        }))
    }
}

/// A BIGNUM that frees itself.
struct Number {
    value: Bn,
    crypto: Rc<Crypto>,
}

impl Number {
    fn new(crypto: &Rc<Crypto>, value: &Natural) -> Self {
        let bytes = value.to_be_bytes();
        // SAFETY: the length passed is that of `bytes`; a null last argument asks for a new BIGNUM.
        let value = unsafe { (crypto.from_bytes)(bytes.as_ptr(), bytes.len() as c_int, null_mut()) };
        assert!(!value.is_null(), "BN_bin2bn");
        Self { value, crypto: crypto.clone() }
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: `new` made it, and nothing has freed it.
        unsafe { (self.crypto.free)(self.value) };
    }
}

struct Loaded {
    function: Function,
    even: bool,
    /// Bytes of the longest modulus.
    width: usize,
    jobs: Vec<[Number; 3]>,
    results: Vec<Number>,
    context: *mut c_void,
    crypto: Rc<Crypto>,
}

impl Task for Loaded {
    fn run(&mut self) {
        let (crypto, context) = (&self.crypto, self.context);
        if self.function == Function::ConsttimeX2 {
            for (jobs, results) in self.jobs.chunks_exact(2).zip(self.results.chunks_exact(2)) {
                let [([b0, e0, m0], r0), ([b1, e1, m1], r1)] = [(&jobs[0], &results[0]), (&jobs[1], &results[1])];
                // SAFETY: all BIGNUMs are alive and the results are no operands; moduli are odd.
                let done = unsafe {
                    (crypto.consttime_x2)(
                        r0.value,
                        b0.value,
                        e0.value,
                        m0.value,
                        null_mut(), //
                        r1.value,
                        b1.value,
                        e1.value,
                        m1.value,
                        null_mut(),
                        context,
                    )
                };
                assert_eq!(done, 1, "BN_mod_exp_mont_consttime_x2");
            }
            return;
        }
        let mont = if self.function == Function::Mont { crypto.mont } else { crypto.consttime };
        for ([b, e, m], r) in self.jobs.iter().zip(&self.results) {
            // SAFETY: all BIGNUMs are alive and the result is no operand; `mont` gets odd moduli only.
            let done = unsafe {
                if self.even {
                    (crypto.mod_exp)(r.value, b.value, e.value, m.value, context)
                } else {
                    mont(r.value, b.value, e.value, m.value, context, null_mut())
                }
            };
            assert_eq!(done, 1, "BN_mod_exp");
        }
    }

    fn answers(&mut self) -> Vec<Natural> {
        let natural = |number: &Number| {
            let mut bytes = vec![0; self.width];
            // SAFETY: `bytes` has the length that is passed, and no result is longer than its modulus.
            let written = unsafe { (self.crypto.to_bytes)(number.value, bytes.as_mut_ptr(), self.width as c_int) };
            assert_eq!(written, self.width as c_int, "BN_bn2binpad");
            Natural::from_be_bytes(&bytes)
        };
        self.results.iter().map(natural).collect()
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: `load` made it, and nothing has freed it.
        unsafe { (self.crypto.context_free)(self.context) };
    }
}
