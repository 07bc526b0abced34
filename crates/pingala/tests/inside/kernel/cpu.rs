//! Tests of `kernel/cpu.rs`.

use super::*;

#[test]
fn a_mask_takes_what_implies_a_feature() {
    let names = |text| parse(text).map(|masked| masked.into_iter().map(Feature::name).collect::<Vec<_>>().join(" "));
    assert_eq!(names("").unwrap(), "");
    assert_eq!(names("-adx, -avx512ifma,").unwrap(), "adx avx512ifma");
    assert_eq!(names("-avx512f").unwrap(), "avx512f avx512bw avx512vl avx512ifma");
    assert_eq!(names("-avx2").unwrap(), "avx2 avx512f avx512bw avx512vl avx512ifma avxifma");
    assert_eq!(names("-umulh").unwrap(), "umulh");
    for (text, quoted) in [("avx2", "'avx2'"), ("-avx3", "'-avx3'"), ("-adx,--bmi2", "'--bmi2'"), ("none", "'none'")] {
        let why = names(text).unwrap_err();
        assert!(why.contains(quoted) && why.contains("-avx512ifma") && why.contains("-fma"), "{why}");
    }
}

#[test]
fn features_stand_where_they_are_looked_for() {
    for (at, feature) in Feature::ALL.into_iter().enumerate() {
        assert_eq!(feature as usize, at, "{}", feature.name());
    }
}

#[test]
fn a_cpu_that_was_asked_cannot_be_masked_any_more() {
    has(Feature::Adx);
    assert_eq!(mask("-adx").unwrap_err().code(), "bad_argument");
}
