//! Tests of `execute/tune.rs`.

use super::*;

#[test]
fn dates() {
    for (days, want) in [
        (0, (1970, 1, 1)),
        (58, (1970, 2, 28)),
        (59, (1970, 3, 1)),
        (11_016, (2000, 2, 29)),
        (11_017, (2000, 3, 1)),
        (20_454, (2026, 1, 1)),
        (47_540, (2100, 2, 28)),
        (47_541, (2100, 3, 1)),
    ] {
        assert_eq!(date(days), want);
    }
}

#[test]
fn the_stamp_is_whole_and_a_note_stays_in_its_line() {
    let stamp = stamp(Some("a\nportable_r64 - 1"));
    let names: Vec<_> = stamp.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["cpu", "date", "compiler", "version", "format", "note"]);
    assert!(stamp.iter().all(|(_, value)| !value.is_empty() && !value.contains('\n')), "{stamp:?}");
}
