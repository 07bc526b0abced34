//! One description of a function of the ABI: its parameters in C, and what its body gets.

/// Defines a function that calls a body. With two names before the arrow it defines two functions: one for bytes (`U` is `u8`), one
/// for limbs (`U` is `u64`). In Rust the body is generic over `U`. The parameters:
///
/// | written | in C | the body gets |
/// |---|---|---|
/// | `x: T`, `x: &T` | a scalar, a handle | the same |
/// | `x: new T` | the place of a new handle | `Option<&mut MaybeUninit<*mut T>>` |
/// | `x[length]: In`, `x[length]: Out` | memory and its length | `In<U>`, `Out<U>` |
/// | `x: T[count]` | memory of `count` elements | `In<T>` |
/// | `x[width]: Rows(count)` | rows of a declared width | `Rows<U>` |
/// | `x: Rows(handle, count)` | rows as wide as the handle's modulus | `Rows<U>` |
/// | `x[width]: Answers(status, count)`, `x: Answers(handle, status, count)` | rows for results | `Answers<U>` |
/// | `x[number]: Moduli(places, count)` | handles, and which one each element has | `Moduli` |
/// | `x: Path` | a text with a zero byte at its end | `Name` |
/// | `text: Reader` | memory for a text, and the place of its length | `Reader` |
/// | `x: only T` | a scalar or a pointer that others refer to | nothing |
/// | `x = value` | nothing | a value of its own, of other parameters |
/// | `options` | `const pingala_options *` | `Option<&PingalaOptions>` |
///
/// The memory for the message is the last parameter of every function.
macro_rules! entry {
    ($(#[$doc:meta])* $bytes:ident, $limbs:ident => $body:ident($($parameters:tt)*)) => {
        entry!(@ [u8 options why] [[$(#[$doc])* fn $bytes $body] [] [] []] $($parameters)*,);
        entry!(@ [u64 options why]
            [[#[doc = concat!(" As ", stringify!($bytes), ", by limbs.")] fn $limbs $body] [] [] []] $($parameters)*,);
    };
    ($(#[$doc:meta])* $name:ident => $body:ident($($parameters:tt)*)) => {
        entry!(@ [u8 options why] [[$(#[$doc])* fn $name $body] [] [] []] $($parameters)*,);
    };

    // Reads a parameter.
    (@ [$U:ident $o:ident $why:ident] $state:tt options, $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$o: Option<&PingalaOptions>,] [$o = $o] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident = $value:expr, $($rest:tt)*) => {
        entry!(+ $context $state [] [$x = $value] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: only $T:ty, $($rest:tt)*) => {
        entry!(+ $context $state [$x: $T,] [] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: new $T:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: Option<&mut core::mem::MaybeUninit<*mut $T>>,] [$x = $x] $($rest)*);
    };
    (@ [$U:ident $($names:ident)*] $state:tt $x:ident[$length:ident]: In, $($rest:tt)*) => {
        entry!(+ [$U $($names)*] $state [$x: *const $U, $length: usize,]
            [$x = In::new($x, $length, stringify!($x))] $($rest)*);
    };
    (@ [$U:ident $($names:ident)*] $state:tt $x:ident[$length:ident]: Out, $($rest:tt)*) => {
        entry!(+ [$U $($names)*] $state [$x: *mut $U, $length: usize,] [$x = Out::new($x, $length)] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: $T:ident[$count:ident], $($rest:tt)*) => {
        entry!(+ $context $state [$x: *const $T,] [$x = In::new($x, $count, stringify!($x))] $($rest)*);
    };
    (@ [$U:ident $($names:ident)*] $state:tt $x:ident[$width:ident]: Rows($count:ident), $($rest:tt)*) => {
        entry!(+ [$U $($names)*] $state [$x: *const $U, $width: usize,]
            [$x = Rows::new($x, $width, $count, stringify!($x))] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident: Rows($handle:ident, $count:ident), $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$x: *const $U,]
            [$x = Rows::new($x, width::<$U>($handle, $o), $count, stringify!($x))] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident[$width:ident]: Answers($status:ident, $count:ident),
        $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$x: *mut $U, $width: usize,]
            [$x = Answers::new($x, $width, $status, $count, $why)] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident: Answers($handle:ident, $status:ident, $count:ident),
        $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$x: *mut $U,]
            [$x = Answers::new($x, width::<$U>($handle, $o), $status, $count, $why)] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident[$number:ident]: Moduli($places:ident, $count:ident), $($rest:tt)*) => {
        entry!(+ $context $state [$x: *const Option<&PingalaModulus>, $number: usize, $places: *const u32,]
            [$x = Moduli::new($x, $number, $places, $count)] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: Path, $($rest:tt)*) => {
        entry!(+ $context $state [$x: *const core::ffi::c_char,] [$x = Name::new($x)] $($rest)*);
    };
    (@ $context:tt $state:tt text: Reader, $($rest:tt)*) => {
        entry!(+ $context $state
            [text: *mut core::ffi::c_char, text_len: usize, needed: Option<&mut core::mem::MaybeUninit<usize>>,]
            [text = Reader::new(text, text_len, needed)] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: &$T:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: Option<&$T>,] [$x = $x] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: $T:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: $T,] [$x = $x] $($rest)*);
    };

    // Adds it to the parameters in C, and to what the body gets.
    (+ $context:tt [$fixed:tt [$($c:tt)*] [$($x:ident)*] [$($value:expr)*]] [$($more:tt)*] [$($new:ident = $made:expr)?]
        $($rest:tt)*) => {
        entry!(@ $context [$fixed [$($c)* $($more)*] [$($x)* $($new)?] [$($value)* $($made)?]] $($rest)*);
    };

    // All parameters are read.
    (@ [$U:ident $o:ident $why:ident]
        [[$(#[$doc:meta])* fn $name:ident $body:ident] [$($c:tt)*] [$($x:ident)*] [$($value:expr)*]]) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($c)* $why: *mut core::ffi::c_char, why_len: usize) -> i32 {
            // SAFETY: the caller of the function vouches for memory and handles, as the header asks.
            let ($why, $($x,)*) = unsafe {
                let $why = Text::new($why, why_len);
                ($why, $($value,)*)
            };
            enter($why, || $body($($x),*))
        }
    };
}
