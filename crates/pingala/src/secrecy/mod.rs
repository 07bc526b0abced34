//! The one way from a secret to a branch: what is released here is public from then on, by a decision that
//! docs/constant-time.md lists. And the way back, for numbers that are drawn.

#[cfg(any(
    pingala_planted_leak = "factor",
    pingala_planted_leak = "list",
    pingala_planted_leak = "chain",
    pingala_planted_leak = "blinding",
    pingala_planted_leak = "digits"
))]
pub(crate) mod planted;
pub(crate) mod valgrind;

/// Declassifies a word that was computed from secrets: it is public from here on. Under memcheck, which the constant-time gate
/// runs, the function marks the word as defined.
#[inline]
pub(crate) fn released(word: u64) -> u64 {
    let mut word = core::hint::black_box(word);
    valgrind::make_public(&mut word);
    word
}

/// Words that were drawn are as secret as `secret` from here on: they stay what they are, and memcheck, which takes what the system
/// gives for public, sees them depend on it. If `secret` is public, as in a program whose author looks for other errors, so are they.
#[inline]
pub(crate) fn hidden(words: &mut [u64], secret: u64) {
    use core::hint::black_box;
    words.iter_mut().for_each(|word| *word ^= black_box(secret) ^ black_box(secret));
}

/// The length in bits of a number of at most `at_most_bits` bits. The length becomes public, and nothing else of the number.
pub(crate) fn released_bits(limbs: &[u64], at_most_bits: usize) -> usize {
    let is_top = |&bits: &usize| released(limbs[(bits - 1) / 64] >> ((bits - 1) % 64) & 1) == 1;
    (1..=at_most_bits).rev().find(is_top).unwrap_or(0)
}
