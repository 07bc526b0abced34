//! The one way from a secret to a branch: a value that is released here is public afterwards, by a decision that
//! docs/constant-time.md lists. Also the way back, for numbers that are drawn.

#[cfg(any(
    pingala_planted_leak = "factor",
    pingala_planted_leak = "list",
    pingala_planted_leak = "chain",
    pingala_planted_leak = "blinding",
    pingala_planted_leak = "digits",
    pingala_planted_leak = "prime"
))]
pub(crate) mod planted;
pub(crate) mod valgrind;

/// Declassifies a word that was computed from secrets: it is public from here on, and a program may branch on it. Under memcheck, which
/// the constant-time gate runs, the function marks the word as defined. For crates that compute with secrets themselves.
#[inline]
pub fn released(word: u64) -> u64 {
    let mut word = core::hint::black_box(word);
    valgrind::make_public(&mut word);
    word
}

/// Makes drawn words as secret as `secret`. Their values do not change, but memcheck, to which random numbers of the system are public,
/// sees them depend on `secret`. If that is public, as in a program whose author searches for other errors, the words are public too.
#[inline]
pub(crate) fn hidden(words: &mut [u64], secret: u64) {
    use core::hint::black_box;
    words.iter_mut().for_each(|word| *word ^= black_box(secret) ^ black_box(secret));
}

/// The length in bits of a number of at most `at_most_bits` bits. Only the length becomes public.
pub(crate) fn released_bits(limbs: &[u64], at_most_bits: usize) -> usize {
    let is_top = |&bits: &usize| released(limbs[(bits - 1) / 64] >> ((bits - 1) % 64) & 1) == 1;
    (1..=at_most_bits).rev().find(is_top).unwrap_or(0)
}

/// Bytes of the stack that [`wipe_stack`] overwrites: more than the functions below a set-up with secrets take.
const STACK_BYTES: usize = 1 << 15;

/// Overwrites the stack below the caller. The compiler may keep words of a secret there when registers are short, and no destructor
/// reaches them. For set-up: it takes about a microsecond.
#[inline(never)]
pub(crate) fn wipe_stack() {
    let mut room = [0u8; STACK_BYTES];
    zeroize::Zeroize::zeroize(&mut room[..]);
    core::hint::black_box(&room);
}
