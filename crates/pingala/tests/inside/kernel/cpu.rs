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

#[cfg(target_arch = "x86_64")]
#[test]
fn signatures_of_cpus() {
    // A Pentium MMX, with extended fields that do not count; Skylake, the same; Sapphire Rapids, Zen 3, Zen 5.
    let known = [
        (0x0fff_0543, [5, 4]),
        (0x0005_06e3, [6, 94]),
        (0x0ff5_06e3, [6, 94]),
        (0x0008_06f8, [6, 143]),
        (0x00a2_0f10, [25, 33]),
        (0x00b4_0f40, [26, 68]),
    ];
    for (signature, expected) in known {
        assert_eq!(family_and_model(signature), expected, "{signature:x}");
    }
}

/// The system's name of the first CPU.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
#[cfg_attr(miri, ignore)]
fn the_cpu_has_the_name_that_the_system_gives_it() {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    let field = |name: &str| {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.into_iter().find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_string()).unwrap()
    };
    assert_eq!(model(), format!("{} family {} model {}", field("model name"), field("cpu family"), field("model")));
    let family = field("cpu family").parse().unwrap();
    assert!(is_by(&field("model name")) && !is_by("a maker of other CPUs"));
    assert!(is_of(&field("model name"), family) && !is_of(&field("model name"), family + 1));
    assert!(!is_of("a maker of other CPUs", family));
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
#[cfg_attr(miri, ignore)]
fn the_cpu_has_the_features_that_the_system_lists() {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    let flags = text.lines().find(|line| line.starts_with("flags")).expect("flags of a CPU");
    for feature in Feature::ALL {
        let name = if feature == Feature::AvxIfma { "avx_ifma" } else { feature.name() };
        assert_eq!(detect(feature), flags.split_whitespace().any(|flag| flag == name), "{name}");
    }
}

#[test]
fn what_is_masked_is_missing_and_nothing_else() {
    assert_eq!(Cpu::masked(Ok(Vec::new())).has, Feature::ALL.map(detect));
    for masked in Feature::ALL {
        let expected = Feature::ALL.map(|feature| feature != masked && detect(feature));
        assert_eq!(Cpu::masked(Ok(vec![masked])).has, expected, "without {}", masked.name());
    }
    let unread = Cpu::masked(Err(Error::BadArgument(String::new())));
    assert_eq!(unread.has, Feature::ALL.map(detect));
}

/// Valgrind loads libraries into the programs that it runs.
#[cfg(target_arch = "x86_64")]
#[test]
fn valgrind_is_seen_where_it_runs() {
    let loaded = std::env::var_os("LD_PRELOAD").unwrap_or_default();
    assert_eq!(crate::kernel::valgrind::is_running(), loaded.to_string_lossy().contains("vgpreload"));
}
