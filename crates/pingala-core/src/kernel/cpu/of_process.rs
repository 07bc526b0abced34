//! What the CPU of this process has: asked once, without the features that a mask hides.

use super::{Feature, reports};
use crate::error::Error;
use crate::once::once;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
pub(super) use std::is_x86_feature_detected as reports_bit;

/// From a leaf and a subleaf of the instruction `cpuid` to the registers eax, ebx, ecx and edx. Tests simulate CPUs by it.
type Leaves<'a> = &'a dyn Fn(u32, u32) -> [u32; 4];

/// The registers of this CPU; zeros for other architectures, and in Miri.
#[allow(unsafe_code, unused_unsafe, reason = "cpuid became a safe function after our minimum Rust")]
fn cpuid(leaf: u32, subleaf: u32) -> [u32; 4] {
    #[cfg(target_arch = "x86_64")]
    if !cfg!(miri) {
        // SAFETY: every x86-64 has the instruction.
        let registers = unsafe { core::arch::x86_64::__cpuid_count(leaf, subleaf) };
        return [registers.eax, registers.ebx, registers.ecx, registers.edx];
    }
    let _ = (leaf, subleaf);
    [0; 4]
}

/// XCR0: a bit for each set of registers that the operating system saves.
#[allow(unsafe_code)]
fn saved_registers() -> u64 {
    #[cfg(target_arch = "x86_64")]
    if cpuid(1, 0)[2] >> 27 & 1 == 1 {
        // SAFETY: the bit OSXSAVE says that programs may execute xgetbv.
        return unsafe { core::arch::x86_64::_xgetbv(0) };
    }
    0
}

/// The registers of a leaf; zeros if the CPU lacks this leaf or subleaf, where it may give those of another one. Of the leaves that are asked
/// for, only leaf 7 has subleaves, and its subleaf 0 gives the last one.
fn registers(leaves: Leaves<'_>, leaf: u32, subleaf: u32) -> [u32; 4] {
    let is_there = leaf <= leaves(leaf & 1 << 31, 0)[0] && (subleaf == 0 || subleaf <= leaves(leaf, 0)[0]);
    if is_there { leaves(leaf, subleaf) } else { [0; 4] }
}

/// What kernels use of AVX-512: all of it is in AVX10.1, and in each later version (Intel's manual, volume 1, table 16-2).
const OF_AVX10: [Feature; 4] = [Feature::Avx512f, Feature::Avx512bw, Feature::Avx512vl, Feature::Avx512ifma];

/// Whether the CPU announces AVX10 with 512-bit vectors (the same, table 16-1), and the operating system saves their registers. Intel's CPUs
/// then have the bits of AVX-512 too, which a virtual machine may hide. Bit 18 is always set; the manual of 2023 had vectors of 256 bits alone.
fn has_avx10(leaves: Leaves<'_>, xcr0: u64) -> bool {
    // SSE, AVX; masks, the upper halves of 16 registers, the other 16 registers.
    const SAVED: u64 = 0b11 << 1 | 0b111 << 5;
    let [_, ebx, ..] = registers(leaves, 0x24, 0);
    let (version, has_512_bits) = (ebx & 0xff, ebx >> 18 & 1 == 1);
    registers(leaves, 7, 1)[3] >> 19 & 1 == 1 && version >= 1 && has_512_bits && xcr0 & SAVED == SAVED
}

/// The features of this CPU, in the order of [`Feature::ALL`].
fn detected() -> [bool; Feature::ALL.len()] {
    let avx10 = has_avx10(&cpuid, saved_registers());
    Feature::ALL.map(|feature| reports(feature) || avx10 && OF_AVX10.contains(&feature))
}

/// Whether all cores of this CPU execute an operation on 256-bit vectors as two on 128 bits: AMD's Zen 1 and Zen+, Hygon's Dhyana, and Intel's efficiency
/// cores without others beside them.
pub(crate) fn splits_256_bit_vectors() -> bool {
    static SPLITS: OnceLock<bool> = OnceLock::new();
    *once(&SPLITS, || splits(&cpuid))
}

fn splits(leaves: Leaves<'_>) -> bool {
    // Alder Lake-N, Sierra Forest, Grand Ridge, Clearwater Forest: a virtual machine may hide leaf 1A.
    const EFFICIENCY_CORES: [u32; 4] = [0xbe, 0xaf, 0xb6, 0xdd];
    let [_, ebx, ecx, edx] = leaves(0, 0);
    let [family, model] = family_and_model(registers(leaves, 1, 0)[0]);
    match [ebx, edx, ecx].map(u32::to_le_bytes).as_flattened() {
        // Zen 2 begins at model 0x30.
        b"AuthenticAMD" => family == 23 && model < 0x30,
        b"HygonGenuine" => family == 24,
        b"GenuineIntel" => {
            let is_hybrid = registers(leaves, 7, 0)[3] >> 15 & 1 == 1;
            let is_atom = registers(leaves, 0x1a, 0)[0] >> 24 == 0x20;
            family == 6 && (EFFICIENCY_CORES.contains(&model) || is_atom && !is_hybrid)
        }
        _ => false,
    }
}

/// The name of this CPU, with family and model on x86-64: `AMD EPYC family 26 model 2`. Elsewhere its architecture.
pub fn model() -> String {
    if cpuid(0, 0) == [0; 4] {
        return std::env::consts::ARCH.to_string();
    }
    let words = (0x8000_0002..=0x8000_0004).flat_map(|leaf| registers(&cpuid, leaf, 0));
    let brand: Vec<u8> = words.flat_map(u32::to_le_bytes).filter(|&byte| byte != 0).collect();
    let [family, model] = family_and_model(cpuid(1, 0)[0]);
    format!("{} family {family} model {model}", String::from_utf8_lossy(&brand).trim())
}

/// Intel's manual, volume 2, CPUID, figure 3-6: the extended fields count only behind the base ones.
fn family_and_model(signature: u32) -> [u32; 2] {
    let (family, model) = (signature >> 8 & 0xf, signature >> 4 & 0xf);
    let extended_family = if family == 0xf { signature >> 20 & 0xff } else { 0 };
    let extended_model = if family == 0xf || family == 6 { signature >> 16 & 0xf } else { 0 };
    [family + extended_family, extended_model << 4 | model]
}

/// Whether this CPU is by this maker. Some behaviour differs between makers and no feature bit reports it.
pub(crate) fn is_by(maker: &str) -> bool {
    name_and_family().0.starts_with(maker)
}

/// Whether this CPU belongs to this family of this maker: of AMD's, 25 is Zen 3 and 4, 26 is Zen 5.
pub(crate) fn is_of(maker: &str, family: u32) -> bool {
    is_by(maker) && name_and_family().1 == Some(family)
}

/// [`model`] and the family in it, read once.
fn name_and_family() -> &'static (String, Option<u32>) {
    static MODEL: OnceLock<(String, Option<u32>)> = OnceLock::new();
    once(&MODEL, || {
        let model = model();
        let family = model.rsplit_once(" family ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        (model, family)
    })
}

/// The features that kernels may use in this process, decided once.
struct Cpu {
    has: [bool; Feature::ALL.len()],
    /// The masked features and those that imply them; or why the mask cannot be read, in which case nothing is masked.
    masked: Result<Vec<Feature>, Error>,
}

static CPU: OnceLock<Cpu> = OnceLock::new();

/// Whether processes have an environment and files: a module for WebAssembly without a system has neither.
pub(crate) const HAS_ENVIRONMENT: bool = cfg!(not(all(target_arch = "wasm32", target_os = "unknown")));

/// The environment variable that masks features.
const VARIABLE: &str = "PINGALA_CPU";

impl Cpu {
    /// The features of this CPU without those that the environment masks.
    fn get() -> &'static Self {
        once(&CPU, || {
            if !HAS_ENVIRONMENT {
                return Self::masked(Ok(Vec::new()));
            }
            let text = std::env::var_os(VARIABLE).unwrap_or_default();
            let masked = parse(&text.to_string_lossy());
            Self::masked(masked.map_err(|why| Error::BadArgument(format!("{VARIABLE}: {why}"))))
        })
    }

    fn masked(masked: Result<Vec<Feature>, Error>) -> Self {
        let absent = masked.as_deref().unwrap_or_default();
        let detected = detected();
        Self { has: Feature::ALL.map(|feature| !absent.contains(&feature) && detected[feature as usize]), masked }
    }
}

/// Parses `-name,-name`: the named features, and those that imply them. The error is a sentence.
fn parse(text: &str) -> Result<Vec<Feature>, String> {
    let named: Result<Vec<Feature>, String> = text
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(|item| {
            let feature =
                item.strip_prefix('-').map(|name| Feature::ALL.into_iter().find(|other| other.name() == name));
            feature.flatten().ok_or_else(|| {
                let names = Feature::ALL.map(|feature| format!("-{}", feature.name())).join(", ");
                format!("'{item}' masks no feature; expected a list of {names}")
            })
        })
        .collect();
    let named = named?;
    Ok(Feature::ALL.into_iter().filter(|feature| feature.falls_with(&named)).collect())
}

/// Hides features of this CPU from this process: `-avx512ifma,-adx`. The CPU need not have them. A feature that implies a
/// masked one is masked too. The argument replaces the value of `PINGALA_CPU`.
///
/// Errors: `bad_argument` for a name that is no [`Feature`], and where the library has read the CPU's features already.
pub fn mask(features: &str) -> Result<(), Error> {
    let masked = parse(features).map_err(Error::BadArgument)?;
    let late = || Error::BadArgument("features must be masked before the first computation".into());
    CPU.set(Cpu::masked(Ok(masked))).map_err(|_| late())
}

/// The features that [`mask`] or `PINGALA_CPU` took away, whether or not this CPU has them.
///
/// Error: `bad_argument` where `PINGALA_CPU` cannot be parsed. Every function that takes settings returns it too.
pub fn masked() -> Result<&'static [Feature], Error> {
    Cpu::get().masked.as_deref().map_err(Clone::clone)
}

/// Whether this CPU has `feature`, and it is not masked.
pub fn has(feature: Feature) -> bool {
    Cpu::get().has[feature as usize]
}

#[cfg(test)]
#[path = "../../../tests/inside/kernel/cpu.rs"]
mod tests;
