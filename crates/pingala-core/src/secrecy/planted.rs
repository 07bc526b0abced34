//! PLANTED LEAK, in builds that only test the constant-time gate, which must report it.

/// A branch on a bit of a secret word.
#[inline(never)]
pub(crate) fn branch(word: u64) {
    if core::hint::black_box(word) & 4 != 0 {
        taken();
    }
}

#[inline(never)]
fn taken() {
    core::hint::black_box(0);
}
