//! Tests of `table/mod.rs`.

use super::OwnedWords;

#[test]
fn memory_that_is_not_there_is_an_error() {
    assert_eq!(OwnedWords::zeros(3, 2).unwrap().as_slice(), [0; 6]);
    // More than there are addresses, more than a vector may have, more than a word can count.
    for (entries, limbs) in [(1 << 30, 1 << 18), (1 << 60, 1), (usize::MAX, usize::MAX)] {
        let error = OwnedWords::zeros(entries, limbs).unwrap_err();
        assert!(error.code() == "bad_argument" && error.to_string().contains("cannot allocate"), "{error}");
    }
}
