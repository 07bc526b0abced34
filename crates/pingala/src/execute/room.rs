//! Memory for one call: on the stack if it is short.

/// Binds `$room` to `$length` elements `$zero`, on the stack where they are at most `$few` or at most `$some`, otherwise on
/// the heap. They are cleared where they stay, and no more of them than of the smaller size that fits: a short call feels
/// both.
macro_rules! room {
    ($room:ident = [$zero:expr; $length:expr], $few:expr, $some:expr) => {
        let length = $length;
        let (mut few, mut some, mut many);
        let $room = if length <= $few {
            few = [$zero; $few];
            &mut few[..length]
        } else if length <= $some {
            some = [$zero; $some];
            &mut some[..length]
        } else {
            many = vec![$zero; length];
            &mut many[..]
        };
    };
}
pub(super) use room;
