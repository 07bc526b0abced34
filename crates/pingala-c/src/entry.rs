//! One description of a function of the ABI: its parameters in C, and what its body gets.

/// Defines a function by its parameters and its body. With two names it defines two functions: one for bytes (`U` is `u8`), one for
/// limbs (`U` is `u64`). The parameters:
///
/// | written | in C | the body gets |
/// |---|---|---|
/// | `x: T` | a scalar | the same |
/// | `x: &T`, `x: maybe T` | a handle | `&T`, and NULL is an error; `Option<&T>` |
/// | `x: new T` | the place of a new handle | nothing: it makes the `T` |
/// | `x: place T` | a place for a result | `Option<&mut MaybeUninit<T>>` |
/// | `x: flags ALLOWED` | flags, of which others are an error | `u32` |
/// | `x[length]: In`, `x[length]: Out` | memory and its length | `In<U>`, `Out<U>` |
/// | `x[length]: Out(handle)` | memory for a number below the handle's modulus | `Out<U>` |
/// | `x: T[count]` | memory of `count` elements | `In<T>` |
/// | `x[width]: Rows(count)` | rows of a declared width | `Rows<U>` |
/// | `x: Rows(handle, count)` | rows as wide as the handle's modulus | `Rows<U>` |
/// | `x[width]: Answers(status, count)`, `x: Answers(handle, status, count)` | rows for results | `Answers<U>` |
/// | `x[number]: Moduli(places, count)` | handles, and which one each element has | `Moduli` |
/// | `x: Path` | a text with a zero byte at its end | `Name` |
/// | `text: Reader` | memory for a text, and the place of its length | `Reader` |
/// | `x: only T` | a scalar or a pointer that others refer to | nothing |
/// | `x = value` | nothing | a value of its own, of other parameters |
/// | `x: message` | nothing | the memory for the message |
/// | `options` | `const pingala_options *` | `Option<&PingalaOptions>` |
///
/// The memory for the message is the last parameter of every function.
macro_rules! entry {
    ($(#[$doc:meta])* $bytes:ident, $limbs:ident($($parameters:tt)*) $body:block) => {
        entry!(@ [u8 options why] [[$(#[$doc])* fn $bytes $body] [] [] [] [] []] $($parameters)*,);
        entry!(@ [u64 options why]
            [[#[doc = concat!(" As ", stringify!($bytes), ", by limbs.")] fn $limbs $body] [] [] [] [] []] $($parameters)*,);
    };
    ($(#[$doc:meta])* $name:ident($($parameters:tt)*) $body:block) => {
        entry!(@ [u8 options why] [[$(#[$doc])* fn $name $body] [] [] [] [] []] $($parameters)*,);
    };

    // Reads a parameter: what it is in C, what is made of it, and what is checked before the body.
    (@ $context:tt $state:tt $x:ident = $value:expr, $($rest:tt)*) => {
        entry!(+ $context $state [] [$x = $value] [] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: only $T:ty, $($rest:tt)*) => {
        entry!(+ $context $state [$x: $T,] [] [] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident: message, $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [] [$x = $why] [] $($rest)*);
    };
    (@ $context:tt [$f:tt $c:tt $x:tt $v:tt $checks:tt []] $new:ident: new $T:ident, $($rest:tt)*) => {
        entry!(+ $context [$f $c $x $v $checks [$new]] [$new: Option<&mut core::mem::MaybeUninit<*mut $T>>,] [] []
            $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: place $T:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: Option<&mut core::mem::MaybeUninit<$T>>,] [$x = $x] [] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: flags $allowed:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: u32,] [$x = $x] [check_signs($x, $allowed)?;] $($rest)*);
    };
    (@ [$U:ident $($names:ident)*] $state:tt $x:ident[$length:ident]: In, $($rest:tt)*) => {
        entry!(+ [$U $($names)*] $state [$x: *const $U, $length: usize,]
            [$x = In::new($x, $length, stringify!($x))] [] $($rest)*);
    };
    (@ [$U:ident $($names:ident)*] $state:tt $x:ident[$length:ident]: Out$(($handle:ident))?, $($rest:tt)*) => {
        entry!(+ [$U $($names)*] $state [$x: *mut $U, $length: usize,] [$x = Out::new($x, $length)]
            [$($x.check($handle.residues().0.value())?;)?] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: $T:ident[$count:ident], $($rest:tt)*) => {
        entry!(+ $context $state [$x: *const $T,] [$x = In::new($x, $count, stringify!($x))] [] $($rest)*);
    };
    (@ [$U:ident $($names:ident)*] $state:tt $x:ident[$width:ident]: Rows($count:ident), $($rest:tt)*) => {
        entry!(+ [$U $($names)*] $state [$x: *const $U, $width: usize,]
            [$x = Rows::new($x, $width, $count, stringify!($x))] [] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident: Rows($handle:ident, $count:ident), $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$x: *const $U,] [$x = $x] [
            let width = width::<$U>($handle, $o)?;
            // SAFETY: the caller of the function vouches for rows of this width, as the header asks.
            let $x = unsafe { Rows::new($x, width, $count, stringify!($x)) };
        ] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident[$width:ident]: Answers($status:ident, $count:ident),
        $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$x: *mut $U, $width: usize,]
            [$x = Answers::new($x, $width, $status, $count, $why)] [] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident: Answers($handle:ident, $status:ident, $count:ident),
        $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$x: *mut $U,] [$x = $x] [
            let width = width::<$U>($handle, $o)?;
            // SAFETY: the same.
            let $x = unsafe { Answers::new($x, width, $status, $count, $why) };
            $x.check($handle.residues().0.value())?;
        ] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident[$number:ident]: Moduli($places:ident, $count:ident), $($rest:tt)*) => {
        entry!(+ $context $state [$x: *const Option<&PingalaModulus>, $number: usize, $places: *const u32,]
            [$x = Moduli::new($x, $number, $places, $count)] [] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: Path, $($rest:tt)*) => {
        entry!(+ $context $state [$x: *const core::ffi::c_char,] [$x = Name::new($x)] [] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: Reader, $($rest:tt)*) => {
        entry!(+ $context $state
            [$x: *mut core::ffi::c_char, text_len: usize, needed: Option<&mut core::mem::MaybeUninit<usize>>,]
            [$x = Reader::new($x, text_len, needed)] [] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: &$T:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: Option<&$T>,] [$x = $x] [let $x = given($x, stringify!($x))?;] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: maybe $T:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: Option<&$T>,] [$x = $x] [] $($rest)*);
    };
    (@ $context:tt $state:tt $x:ident: $T:ident, $($rest:tt)*) => {
        entry!(+ $context $state [$x: $T,] [$x = $x] [] $($rest)*);
    };
    (@ [$U:ident $o:ident $why:ident] $state:tt $x:ident, $($rest:tt)*) => {
        entry!(+ [$U $o $why] $state [$o: Option<&PingalaOptions>,] [$x = $o] [] $($rest)*);
    };

    // Adds it to the parameters in C, to what the body gets, and to the checks.
    (+ $context:tt [$fixed:tt [$($c:tt)*] [$($x:ident)*] [$($value:expr)*] [$($checks:tt)*] $new:tt] [$($more:tt)*]
        [$($name:ident = $made:expr)?] [$($check:tt)*] $($rest:tt)*) => {
        entry!(@ $context [$fixed [$($c)* $($more)*] [$($x)* $($name)?] [$($value)* $($made)?] [$($checks)* $($check)*] $new]
            $($rest)*);
    };

    // All parameters are read.
    (@ [$U:ident $o:ident $why:ident]
        [[$(#[$doc:meta])* fn $name:ident $body:block] [$($c:tt)*] [$($x:ident)*] [$($value:expr)*] [$($checks:tt)*]
            [$($new:ident)?]]) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($c)* $why: *mut core::ffi::c_char, why_len: usize) -> i32 {
            #[allow(dead_code)]
            type U = $U;
            // SAFETY: the caller of the function vouches for memory and handles, as the header asks.
            let ($why, $($x,)*) = unsafe {
                let $why = Text::new($why, why_len);
                ($why, $($value,)*)
            };
            enter($why, || entry!(= $($new)? { $($checks)* $body }))
        }
    };
    (= $new:ident $body:block) => { hand_out($new, || $body) };
    (= $body:block) => { $body };
}
