//! Tests of `kernel/cache_line.rs`.

use super::{LINE_BYTES, first_word, spare};

fn lines_start<W: Copy + Default>() {
    let all = vec![W::default(); 3 * LINE_BYTES / size_of::<W>()];
    let mut farthest = 0;
    for from in 0..LINE_BYTES / size_of::<W>() {
        let room = &all[from..];
        let first = first_word(room);
        assert!(room[first..].as_ptr().addr().is_multiple_of(LINE_BYTES), "{first} words behind {from}");
        farthest = farthest.max(first);
    }
    assert_eq!(farthest, spare::<W>());
}

/// Wherever a room starts, a line starts within its spare words, and some start needs all of them. (Under Miri an address tells nothing.)
#[test]
#[cfg_attr(miri, ignore)]
fn a_line_starts_within_the_spare_words() {
    lines_start::<u64>();
    lines_start::<u32>();
}
