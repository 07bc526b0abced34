//! Keywords of calls. A keyword is a line of `keywords!`, and the code that reads it: `Keywords::options`, or the call.

use crate::list::{read_threads, refused};
use crate::watch::{Caller, Progress};
use crate::{call, errors};
use pingala_core::{Error, Limits, Options, Watch};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Defines [`Given`], the keywords of a call: first those that are objects, which the call reads; then others with type and default. For
/// `functions!` it defines the macro `parameter!`, which reads a name; one that is no keyword is an object that has to be given. (`$d` is the
/// dollar sign of that macro.)
macro_rules! keywords {
    ($d:tt $($object:ident,)* ; $($name:ident: $T:ty = $default:tt,)*) => {
        /// The keywords of a call.
        #[derive(Clone, Copy)]
        pub struct Given<'a, 'py> {
            $(pub $object: Option<&'a Bound<'py, PyAny>>,)*
            $(pub $name: $T,)*
        }

        impl Default for Given<'_, '_> {
            #[inline]
            fn default() -> Self {
                Self { $($object: None,)* $($name: $default,)* }
            }
        }

        /// Reads the argument of a keyword. A TypeError names it.
        pub mod read {
            use pyo3::prelude::*;

            $(pub fn $name<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<$T> {
                object.extract::<$T>().map_err(|error| super::named(stringify!($name), object, PyErr::from(error)))
            })*
        }

        macro_rules! parameter {
            $((($d($d context:tt)*) $object $d($d rest:tt)*) => {
                functions!(+ $d($d context)* [$object: Option<&'a Bound<'py, PyAny>> = None] $d($d rest)*);
            };)*
            $((($d($d context:tt)*) $name $d($d rest:tt)*) => {
                functions!(+ $d($d context)* [#[pyo3(from_py_with = crate::keywords::read::$name)] $name: $T = $default]
                    $d($d rest)*);
            };)*
            (($d($d context:tt)*) $d object:ident $d($d rest:tt)*) => {
                functions!(@ $d($d context)* $d object: &'a Bound<'py, PyAny>, $d($d rest)*);
            };
        }
    };
}

keywords! { $
    threads, progress, timeout, public_exponent, digests, salt,
    ;
    kernel: Option<&'a str> = None,
    plan: Option<&'a str> = None,
    errors: &'a str = "raise",
    memory: Option<crate::number::Count> = None,
    max_modulus_bits: Option<crate::number::Count> = None,
    max_exponent_bits: Option<crate::number::Count> = None,
    blinding: bool = true,
    width: Option<crate::number::Count> = None,
    byteorder: Option<&'a str> = None,
    scheme: &'a str = "dsa",
    hash: Option<&'a str> = None,
    mgf_hash: Option<&'a str> = None,
    encoding: &'a str = "der",
    policy: &'a str = "legacy",
    exponent_bits: Option<crate::number::Count> = None,
}

/// What an argument that is text or a truth value may be.
const EXPECTED: &[(&str, &str)] = &[
    ("kernel", "text, the name of a kernel"),
    ("plan", "text, a plan line"),
    ("errors", "text such as 'raise'"),
    ("blinding", FLAG),
    ("byteorder", "'big' or 'little'"),
    ("scheme", "'dsa', 'rsa-pkcs1' or 'rsa-pss'"),
    ("hash", HASH),
    ("mgf_hash", HASH),
    ("encoding", "text, the name of an encoding such as 'der'"),
    ("policy", "'legacy', 'strict' or 'modern'"),
    ("proof", "text: 'wesolowski' in repeated_square, a proof in verify_squaring"),
    ("kind", "'rsa', 'paillier' or 'safe'"),
    ("text", "text, a certificate"),
    ("workload", "'power', 'inverse', 'verify' or 'is_prime'"),
    ("result", NAME),
    ("signature", NAME),
    ("message", NAME),
    ("digest", NAME),
    ("format", "'parquet', 'csv' or 'jsonl'"),
    ("on", "None or text, the kind of a cluster"),
    ("address", "None or text, the address of a cluster"),
];
const FLAG: &str = "True or False";
const NAME: &str = "text, the name of a column";
const HASH: &str = "text, the name of a hash function such as 'sha256'";

/// The TypeError for an argument of another type, which names it and says what it may be.
#[cold]
fn named(name: &str, object: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(object.py()) {
        return error;
    }
    let expected = EXPECTED.iter().find(|(known, _)| *known == name).map(|(_, expected)| *expected);
    // Numbers say what they may be by themselves.
    expected.map_or_else(
        || PyTypeError::new_err(format!("{name}: {}", error.value(object.py()))),
        |expected| refused(name, expected, object),
    )
}

#[cold]
fn no_flag(name: &str, object: &Bound<'_, PyAny>, _: PyErr) -> PyErr {
    refused(name, FLAG, object)
}

/// Defines a module of functions that read an argument of this type; a TypeError names it.
macro_rules! readers {
    ($($module:ident $T:ty, $wrong:path: $($name:ident)*;)*) => {$(
        pub mod $module {
            use pyo3::prelude::*;

            $(pub fn $name<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<$T> {
                object.extract::<$T>().map_err(|error| $wrong(stringify!($name), object, PyErr::from(error)))
            })*
        }
    )*};
}

readers! {
    flag bool, super::no_flag: safe uniform secret proof lists map decimal hex_input words;
    text &'a str, super::named: kind text workload result errors format proof;
    text_or_none Option<&'a str>, super::named: proof on address signature message digest;
}

impl<'a> Given<'a, '_> {
    /// The keywords that the library reads. ArgumentError, TypeError.
    #[inline]
    pub fn keywords(&self) -> PyResult<Keywords<'a>> {
        let threads = self.threads.map(read_threads).transpose()?;
        let memory_bytes = self.memory.map(u64::from);
        let deadline = self.timeout.map(read_deadline).transpose()?.flatten();
        Ok(Keywords { kernel: self.kernel, plan: self.plan, limits: self.limits(), threads, memory_bytes, deadline })
    }

    /// Whether a power of words may leave out all settings, because none is given.
    #[inline]
    pub fn are_none(&self) -> bool {
        let Self { kernel, plan, progress, timeout, max_modulus_bits, max_exponent_bits, .. } = self;
        let texts = kernel.is_none() && plan.is_none();
        texts && progress.is_none() && timeout.is_none() && max_modulus_bits.is_none() && max_exponent_bits.is_none()
    }

    /// The caps, the library's unless they are given.
    #[inline]
    pub fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits::new(
            self.max_modulus_bits.map_or(default.modulus_bits, u64::from),
            self.max_exponent_bits.map_or(default.exponent_bits, u64::from),
        )
    }

    /// Whether errors of elements go in their places.
    pub fn collects(&self, py: Python<'_>) -> PyResult<bool> {
        match self.errors {
            "raise" => Ok(false),
            "return" => Ok(true),
            other => Err(errors::bad_argument(py, format!("errors must be 'raise' or 'return', not {other:?}"))),
        }
    }

    /// What calls back. TypeError.
    pub fn progress(&self, total: usize) -> PyResult<Option<Progress>> {
        self.progress.map(|callable| Progress::of(callable, total)).transpose()
    }

    /// Has the library work on `count` elements without the interpreter, under the eye of this thread, and tells `progress` the end. With 0
    /// the work says how much there is, and the end is not told.
    pub fn run<T: Send>(
        &self,
        py: Python<'_>,
        count: usize,
        work: impl FnOnce(&Options<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let (keywords, caller) = (self.keywords()?, Caller::new(self.progress(count)?));
        let done = call::run(py, Some(&caller), |watch| work(&keywords.options(watch)))?;
        if count > 0 {
            self.tell_end(count)?;
        }
        Ok(done)
    }

    /// Calls `progress` with the end of the work.
    pub fn tell_end(&self, total: usize) -> PyResult<()> {
        self.progress.map_or(Ok(()), |callable| callable.call1((total, total)).map(drop))
    }
}

/// The end of a call that begins now and may take these seconds; none if no clock counts so far.
fn read_deadline(timeout: &Bound<'_, PyAny>) -> PyResult<Option<Instant>> {
    let seconds: f64 = timeout.extract().map_err(|error| named("timeout", timeout, error))?;
    if seconds.is_nan() || seconds < 0.0 {
        let why = format!("timeout must be a number of seconds from 0 on, not {seconds}");
        return Err(errors::bad_argument(timeout.py(), why));
    }
    Ok(Instant::now().checked_add(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
}

/// Keywords that the library reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keywords<'a> {
    pub kernel: Option<&'a str>,
    pub plan: Option<&'a str>,
    pub limits: Limits,
    pub threads: Option<NonZeroUsize>,
    pub memory_bytes: Option<u64>,
    pub deadline: Option<Instant>,
}

impl<'a> Keywords<'a> {
    /// The library's settings.
    #[inline]
    pub fn options<'b>(&self, watch: Option<&'b dyn Watch>) -> Options<'b>
    where
        'a: 'b,
    {
        Options::default()
            .with_kernel(self.kernel)
            .with_plan(self.plan)
            .with_limits(self.limits)
            .with_threads(self.threads)
            .with_memory_bytes(self.memory_bytes)
            .with_deadline(self.deadline)
            .with_watch(watch)
    }

    /// For another thread.
    pub fn owned(self) -> OwnKeywords {
        let [kernel, plan] = [self.kernel, self.plan].map(|text| text.map(String::from));
        OwnKeywords { kernel, plan, others: Keywords { kernel: None, plan: None, ..self } }
    }
}

/// [`Keywords`] that another thread may keep.
pub struct OwnKeywords {
    kernel: Option<String>,
    plan: Option<String>,
    others: Keywords<'static>,
}

impl OwnKeywords {
    /// The library's settings.
    pub fn options<'b>(&'b self, watch: Option<&'b dyn Watch>) -> Options<'b> {
        Keywords { kernel: self.kernel.as_deref(), plan: self.plan.as_deref(), ..self.others }.options(watch)
    }
}

/// Defines functions of the module, and `add_functions`, which adds them to it: arguments, which are objects or have a type and perhaps a default, then `*` and the names of keywords;
/// behind `as` a text for the signature, unless Python's is right. Behind `apart` they are no functions for users, and are only defined. The body gets the interpreter, the arguments by their names, and the
/// keywords as [`Given`].
macro_rules! functions {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($parameters:tt)*) $(as $text:literal)? -> $R:ty = |$py:ident, $given:pat_param| $body:block
    )*) => {
        $(functions!(@ [[] [[$(#[$doc])*] $name $(as $text)? $R, $py $given, $body]] [[] [] [] []] $($parameters)*,);)*

        /// Adds these functions to the module of the package.
        pub fn add_functions(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
            use pyo3::types::PyModuleMethods;
            $(module.add_function(pyo3::wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
    (apart $(
        $(#[$doc:meta])*
        fn $name:ident($($parameters:tt)*) $(as $text:literal)? -> $R:ty = |$py:ident, $given:pat_param| $body:block
    )*) => {
        $(functions!(@ [[] [[$(#[$doc])*] $name $(as $text)? $R, $py $given, $body]] [[] [] [] []] $($parameters)*,);)*
    };

    // The methods of a class one by one, then all of them.
    (% $class:tt [$($done:tt)*] $(#[$doc:meta])*
        fn $name:ident($($parameters:tt)*) -> $R:ty = |$py:ident, $given:pat_param| $body:block $($rest:tt)*) => {
        functions!(@ [[$class [$($done)*] $($rest)*] [[$(#[$doc])*] $name $R, $py $given, $body]] [[] [] [] []]
            $($parameters)*,);
    };
    (% [$class:ident $($others:tt)*] [$($done:tt)*]) => {
        #[pymethods]
        impl $class {
            $($others)*
            $($done)*
        }
    };

    // A keyword that was read: [`parameter!`].
    (+ $f:tt [$this:tt [$($signature:tt)*] [$($c:tt)*] [$($k:ident)*]] [$(#[$a:meta])? $x:ident: $T:ty = $default:tt]
        $($rest:tt)*) => {
        functions!(@ $f [$this [$($signature)* $x = $default,] [$($c)* $(#[$a])? $x: $T,] [$($k)* $x]] $($rest)*);
    };

    // The object of a method, the star, and arguments.
    (@ $f:tt [[] $s:tt $c:tt $k:tt] &$this:ident, $($rest:tt)*) => {
        functions!(@ $f [[$this: &'a Bound<'py, Self>,] $s $c $k] $($rest)*);
    };
    (@ $f:tt [$this:tt [$($signature:tt)*] $c:tt $k:tt] *, $($rest:tt)*) => {
        functions!(@ $f [$this [$($signature)* *,] $c $k] $($rest)*);
    };
    // Truth values and text, whose readers name the argument.
    (@ $f:tt $s:tt $x:ident: bool = $default:tt, $($rest:tt)*) => {
        functions!(@ $f $s #[pyo3(from_py_with = crate::keywords::flag::$x)] $x: bool = $default, $($rest)*);
    };
    (@ $f:tt $s:tt $x:ident: &str = $default:tt, $($rest:tt)*) => {
        functions!(@ $f $s #[pyo3(from_py_with = crate::keywords::text::$x)] $x: &str = $default, $($rest)*);
    };
    (@ $f:tt $s:tt $x:ident: &str, $($rest:tt)*) => {
        functions!(@ $f $s #[pyo3(from_py_with = crate::keywords::text::$x)] $x: &str, $($rest)*);
    };
    (@ $f:tt $s:tt $x:ident: Option<&str> = $default:tt, $($rest:tt)*) => {
        functions!(@ $f $s #[pyo3(from_py_with = crate::keywords::text_or_none::$x)] $x: Option<&str> = $default,
            $($rest)*);
    };
    (@ $f:tt [$this:tt [$($signature:tt)*] [$($c:tt)*] $k:tt] $(#[$a:meta])* $x:ident: $T:ty = $default:tt,
        $($rest:tt)*) => {
        functions!(@ $f [$this [$($signature)* $x = $default,] [$($c)* $(#[$a])* $x: $T,] $k] $($rest)*);
    };
    (@ $f:tt [$this:tt [$($signature:tt)*] [$($c:tt)*] $k:tt] $(#[$a:meta])* $x:ident: $T:ty, $($rest:tt)*) => {
        functions!(@ $f [$this [$($signature)* $x,] [$($c)* $(#[$a])* $x: $T,] $k] $($rest)*);
    };
    (@ $f:tt $s:tt $x:ident, $($rest:tt)*) => { parameter!(($f $s) $x $($rest)*); };

    // A function, or a method, all of whose parameters are read.
    (@ [[] [[$(#[$doc:meta])*] $name:ident $(as $text:literal)? $R:ty, $py:ident $given:pat_param, $body:block]]
        [[] [$($signature:tt)*] [$($c:tt)*] [$($k:ident)*]]) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = ($($signature)*) $(, text_signature = $text)?)]
        #[allow(clippy::too_many_arguments, clippy::needless_update, reason = "each is a keyword that a user types")]
        pub fn $name<'a, 'py>($py: Python<'py>, $($c)*) -> PyResult<$R> {
            let $given = $crate::keywords::Given { $($k,)* ..$crate::keywords::Given::default() };
            $body
        }
    };
    (@ [[$class:tt [$($done:tt)*] $($next:tt)*]
        [[$(#[$doc:meta])*] $name:ident $R:ty, $py:ident $given:pat_param, $body:block]]
        [[$($this:tt)*] [$($signature:tt)*] [$($c:tt)*] [$($k:ident)*]]) => {
        functions!(% $class [
            $($done)*
            $(#[$doc])*
            #[pyo3(signature = ($($signature)*))]
            #[allow(clippy::too_many_arguments, clippy::needless_update, reason = "each is a keyword of a user")]
            fn $name<'a, 'py>($($this)* $py: Python<'py>, $($c)*) -> PyResult<$R> {
                let $given = $crate::keywords::Given { $($k,)* ..$crate::keywords::Given::default() };
                $body
            }
        ] $($next)*);
    };
}

/// Defines the methods of a class: in braces those that are written in full, then others as `functions!` has them. An object stands before
/// the other parameters, as `&this`.
macro_rules! methods {
    ($class:ident { $($others:tt)* } $($functions:tt)*) => {
        functions!(% [$class $($others)*] [] $($functions)*);
    };
}

/// A dictionary of names and values.
macro_rules! dict {
    ($py:ident; $($name:ident = $value:expr),* $(,)?) => {{
        let dict = pyo3::types::PyDict::new($py);
        $(dict.set_item(stringify!($name), $value)?;)*
        dict
    }};
}
