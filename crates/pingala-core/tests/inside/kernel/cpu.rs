//! Tests of `kernel/cpu/`.

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

/// A simulated CPU: leaves and subleaves with their registers. What it has not got is answered as Intel's CPUs do beyond their last
/// leaf, by the registers of another one: here all ones.
struct Simulated(Vec<([u32; 2], [u32; 4])>);

impl Simulated {
    /// The maker's name, the signature, and leaf 7, whose eax is its last subleaf.
    fn new(maker: &[u8; 12], last: u32, signature: u32, seven: [u32; 4]) -> Self {
        let [ebx, edx, ecx] = [0, 4, 8].map(|at| u32::from_le_bytes(maker[at..at + 4].try_into().unwrap()));
        Self(vec![([0, 0], [last, ebx, ecx, edx]), ([1, 0], [signature, 0, 0, 0]), ([7, 0], seven)])
    }

    fn with(mut self, leaf: [u32; 2], registers: [u32; 4]) -> Self {
        self.0.push((leaf, registers));
        self
    }

    fn leaf(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        self.0.iter().find(|(place, _)| *place == [leaf, subleaf]).map_or([u32::MAX; 4], |&(_, registers)| registers)
    }

    fn has_avx10(&self, xcr0: u64) -> bool {
        has_avx10(&|leaf, subleaf| self.leaf(leaf, subleaf), xcr0)
    }

    fn splits(&self) -> bool {
        splits(&|leaf, subleaf| self.leaf(leaf, subleaf))
    }
}

/// The kernels on 512-bit vectors run on CPUs that announce AVX10 and none of the bits of AVX-512.
#[test]
fn avx10_has_what_the_kernels_of_avx512_need() {
    const SAVED: u64 = 0xe7;
    let cpu = |last, subleaves, edx, ebx| {
        let cpu = Simulated::new(b"GenuineIntel", last, 0x000a_06d1, [subleaves, 0, 0, 0]);
        cpu.with([7, 1], [0, 0, 0, edx]).with([0x24, 0], [0, ebx, 0, 0])
    };
    let [bit, all_lengths] = [1 << 19, 0b111 << 16];
    for version in [1, 2, 3] {
        assert!(cpu(0x24, 1, bit, all_lengths | version).has_avx10(SAVED));
    }
    assert!(cpu(0x29, 2, u32::MAX, u32::MAX).has_avx10(u64::MAX));
    let others = [
        ("no leaf 24", cpu(0x23, 1, bit, all_lengths | 1)),
        ("no subleaf 1 of leaf 7", cpu(0x24, 0, bit, all_lengths | 1)),
        ("not announced", cpu(0x24, 1, !bit, all_lengths | 1)),
        ("no version", cpu(0x24, 1, bit, all_lengths)),
        ("256 bits", cpu(0x24, 1, bit, 0b011 << 16 | 1)),
        ("before leaf 7", cpu(6, 1, bit, all_lengths | 1)),
    ];
    for (why, cpu) in others {
        assert!(!cpu.has_avx10(SAVED), "{why}");
    }
    for unsaved in [1, 2, 5, 6, 7] {
        assert!(!cpu(0x24, 1, bit, all_lengths | 1).has_avx10(SAVED & !(1 << unsaved)), "bit {unsaved}");
    }
    let needs = |feature: Feature| OF_AVX10.contains(&feature) || feature.name() == "avx2";
    let kernels = Kernel::all().map(Kernel::entry).filter(|entry| entry.name.starts_with("ifma_"));
    let runs = kernels.map(|entry| entry.requires.iter().any(|set| set.iter().copied().all(needs)));
    assert_eq!(runs.collect::<Vec<_>>(), [true; 6]);
}

#[test]
fn cpus_that_split_256_bit_vectors() {
    let amd = |signature| Simulated::new(b"AuthenticAMD", 0x10, signature, [0; 4]).splits();
    // Naples, Raven Ridge, Picasso, Dali; then Rome, Renoir, Matisse, Mendocino, Zen 3, Zen 5.
    assert_eq!([0x0080_0f12, 0x0081_0f10, 0x0081_0f81, 0x0082_0f01].map(amd), [true; 4]);
    let wide = [0x0083_0f10, 0x0086_0f01, 0x0087_0f10, 0x008a_0f00, 0x00a2_0f10, 0x00b4_0f40];
    assert_eq!(wide.map(amd), [false; 6]);
    let intel = |signature, is_hybrid: bool, core_type: u32| {
        let cpu = Simulated::new(b"GenuineIntel", 0x20, signature, [1, 0, 0, u32::from(is_hybrid) << 15]);
        cpu.with([0x1a, 0], [core_type << 24, 0, 0, 0]).splits()
    };
    // Alder Lake-N, Sierra Forest, Grand Ridge, Clearwater Forest: known by their models.
    for signature in [0x000b_06e0, 0x000a_06f3, 0x000b_0664, 0x000d_06d1] {
        assert!(intel(signature, false, 0x20) && intel(signature, false, 0));
    }
    // A model that is not known, by its cores; Alder Lake with efficiency cores and without; Sapphire Rapids.
    assert!(intel(0x000f_06f0, false, 0x20));
    assert!(!intel(0x0009_0672, true, 0x20) && !intel(0x0009_0672, false, 0x40) && !intel(0x0008_06f8, false, 0));
    // Leaf 1A is beyond the last one of Skylake.
    assert!(!Simulated::new(b"GenuineIntel", 0x16, 0x0005_06e3, [0; 4]).splits());
    assert!(!Simulated::new(b"AnotherMaker", 0x20, 0x0080_0f12, [0; 4]).splits());
    assert!(!splits(&|_, _| [0; 4]) && !has_avx10(&|_, _| [0; 4], u64::MAX));
    assert_eq!(splits_256_bit_vectors(), splits(&cpuid));
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
            let arguments = ["--exact", "kernel::cpu::found::tests::no_ring_without_its_features", "--nocapture"];
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
        (m[0], m[LIMBS - 1]) = (u64::from(entry.odd && !entry.plain), 1 << 63);
        let facts = Facts::new(Natural::from_limbs(&m));
        let parts = if entry.plain { ModulusParts::whole(&facts) } else { ModulusParts::of(&facts) };
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
    let detected = detected();
    for feature in Feature::ALL {
        let name = match feature {
            Feature::AvxIfma => "avx_ifma",
            Feature::Rounding => "fma",
            _ => feature.name(),
        };
        assert_eq!(detected[feature as usize], flags.split_whitespace().any(|flag| flag == name), "{name}");
    }
}

#[test]
fn what_is_masked_is_missing_and_nothing_else() {
    let detected = detected();
    assert_eq!(Cpu::masked(Ok(Vec::new())).has, detected);
    for masked in Feature::ALL {
        let expected = Feature::ALL.map(|feature| feature != masked && detected[feature as usize]);
        assert_eq!(Cpu::masked(Ok(vec![masked])).has, expected, "without {}", masked.name());
    }
    let unread = Cpu::masked(Err(Error::BadArgument(String::new())));
    assert_eq!(unread.has, detected);
}

/// Valgrind loads libraries into the programs that it runs.
#[cfg(target_arch = "x86_64")]
#[test]
fn valgrind_is_seen_where_it_runs() {
    let loaded = env::var_os("LD_PRELOAD").unwrap_or_default();
    assert_eq!(crate::secrecy::valgrind::is_running(), loaded.to_string_lossy().contains("vgpreload"));
}
