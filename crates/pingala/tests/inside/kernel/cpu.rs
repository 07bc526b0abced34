//! Tests of `kernel/cpu.rs`.

use super::*;
use crate::kernel::ModulusParts;
use crate::kernel::registry::{Form, Kernel, Residence};
use crate::kernel::vector::LANES;
use crate::modulus::Facts;
use crate::natural::Natural;
use std::env;
use std::process::{Command, Stdio};

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

/// Set in the children of the test below.
const CHILD: &str = "PINGALA_TEST_MASKED";

/// A kernel prepares a ring if and only if the CPU has all that it needs: in processes that mask one feature each.
#[test]
#[cfg_attr(miri, ignore)]
fn no_ring_without_its_features() {
    const LIMBS: usize = 64;
    if env::var_os(CHILD).is_none() {
        let children = Feature::ALL.into_iter().filter(|&feature| has(feature)).map(|feature| {
            let mask = format!("-{}", feature.name());
            let arguments = ["--exact", "kernel::cpu::tests::no_ring_without_its_features", "--nocapture"];
            let mut command = Command::new(env::current_exe().unwrap());
            command.args(arguments).env(CHILD, "1").env(VARIABLE, &mask).stdout(Stdio::piped()).stderr(Stdio::piped());
            (mask, command.spawn().unwrap())
        });
        for (mask, child) in children.collect::<Vec<_>>() {
            let ended = child.wait_with_output().unwrap();
            let [out, errors] = [&ended.stdout, &ended.stderr].map(|text| String::from_utf8_lossy(text));
            assert!(ended.status.success() && out.contains("1 passed"), "{mask}: {out}{errors}");
        }
        return;
    }
    for kernel in Kernel::all() {
        let entry = kernel.entry();
        let mut m = vec![0; LIMBS];
        (m[0], m[LIMBS - 1]) = (u64::from(entry.odd && !entry.even), 1 << 63);
        let facts = Facts::new(Natural::from_limbs(&m));
        let parts = if entry.even { ModulusParts::whole(&facts) } else { ModulusParts::of(&facts) };
        let form = Form::new(kernel, kernel.limbs(LIMBS), entry.products.first().copied());
        let has_ring = match entry.residence {
            Residence::Arena { prepare, .. } => prepare(&form, &parts).is_ok(),
            Residence::Vectors(family) => (family.prepare)(&form, &[&m; LANES]).is_some(),
            Residence::Registers(_) | Residence::LimbLanes => continue,
        };
        assert_eq!(has_ring, entry.available(), "{}", entry.name);
    }
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
    let loaded = env::var_os("LD_PRELOAD").unwrap_or_default();
    assert_eq!(crate::secrecy::valgrind::is_running(), loaded.to_string_lossy().contains("vgpreload"));
}
