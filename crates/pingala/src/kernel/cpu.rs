//! The one place where the CPU is asked what it has.

use std::sync::OnceLock;

/// An instruction-set extension that some kernel needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// mulx.
    Bmi2,
    /// adcx, adox.
    Adx,
    /// Integers in 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512f,
    /// Bytes and 16-bit words in 512-bit vectors, masks of 64 bits.
    Avx512bw,
    /// The instructions of AVX-512 on 256-bit vectors.
    Avx512vl,
    /// vpmadd52 on 512-bit vectors, with AVX-512 VL on 256-bit vectors too.
    Avx512ifma,
    /// vpmadd52 on 256-bit vectors without AVX-512.
    AvxIfma,
    /// The high half of a product of two words: every aarch64.
    Umulh,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 9] = [
        Feature::Bmi2,
        Feature::Adx,
        Feature::Avx2,
        Feature::Avx512f,
        Feature::Avx512bw,
        Feature::Avx512vl,
        Feature::Avx512ifma,
        Feature::AvxIfma,
        Feature::Umulh,
    ];

    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Bmi2 => "bmi2",
            Feature::Adx => "adx",
            Feature::Avx2 => "avx2",
            Feature::Avx512f => "avx512f",
            Feature::Avx512bw => "avx512bw",
            Feature::Avx512vl => "avx512vl",
            Feature::Avx512ifma => "avx512ifma",
            Feature::AvxIfma => "avxifma",
            Feature::Umulh => "umulh",
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn detect(feature: Feature) -> bool {
    match feature {
        Feature::Bmi2 => std::is_x86_feature_detected!("bmi2"),
        // valgrind runs adcx and adox but does not report them: the constant-time gate needs to see them run.
        Feature::Adx => std::is_x86_feature_detected!("adx") || super::valgrind::is_running(),
        Feature::Avx2 => std::is_x86_feature_detected!("avx2"),
        Feature::Avx512f => std::is_x86_feature_detected!("avx512f"),
        Feature::Avx512bw => std::is_x86_feature_detected!("avx512bw"),
        Feature::Avx512vl => std::is_x86_feature_detected!("avx512vl"),
        Feature::Avx512ifma => std::is_x86_feature_detected!("avx512ifma"),
        Feature::AvxIfma => std::is_x86_feature_detected!("avxifma"),
        Feature::Umulh => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect(feature: Feature) -> bool {
    cfg!(target_arch = "aarch64") && feature == Feature::Umulh
}

/// What this CPU calls itself, with family and model where it is an x86-64: `AMD EPYC family 26 model 2`.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, unused_unsafe, reason = "cpuid became a safe function after our minimum Rust")]
pub fn model() -> String {
    // SAFETY: every x86-64 has the instruction.
    let leaf = |leaf| unsafe { core::arch::x86_64::__cpuid(leaf) };
    const BRAND: core::ops::RangeInclusive<u32> = 0x8000_0002..=0x8000_0004;
    let mut brand = Vec::new();
    if leaf(0x8000_0000).eax >= *BRAND.end() {
        for registers in BRAND.map(leaf) {
            let words = [registers.eax, registers.ebx, registers.ecx, registers.edx];
            brand.extend(words.into_iter().flat_map(u32::to_le_bytes).filter(|&byte| byte != 0));
        }
    }
    // Intel's manual, volume 2, CPUID, figure 3-6: the extended fields count only behind the base ones.
    let signature = leaf(1).eax;
    let (family, model) = (signature >> 8 & 0xf, signature >> 4 & 0xf);
    let extended_family = if family == 0xf { signature >> 20 & 0xff } else { 0 };
    let extended_model = if family == 0xf || family == 6 { signature >> 16 & 0xf } else { 0 };
    let brand = String::from_utf8_lossy(&brand);
    format!("{} family {} model {}", brand.trim(), family + extended_family, extended_model << 4 | model)
}

/// What is known of this CPU: its architecture.
#[cfg(not(target_arch = "x86_64"))]
pub fn model() -> String {
    std::env::consts::ARCH.to_string()
}

/// Whether this CPU's name starts with this maker's: makers do some things one way or the other, and nothing else tells which.
pub(crate) fn is_by(maker: &str) -> bool {
    name_and_family().0.starts_with(maker)
}

/// Whether it is of this maker's family: of AMD's, 25 is Zen 3 and 4, 26 is Zen 5.
pub(crate) fn is_of(maker: &str, family: u32) -> bool {
    is_by(maker) && name_and_family().1 == Some(family)
}

/// [`model`] and the family in it, asked for once.
fn name_and_family() -> &'static (String, Option<u32>) {
    static MODEL: OnceLock<(String, Option<u32>)> = OnceLock::new();
    MODEL.get_or_init(|| {
        let model = model();
        let family = model.rsplit_once(" family ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        (model, family)
    })
}

/// Whether this CPU has `feature`.
pub fn has(feature: Feature) -> bool {
    static FEATURES: OnceLock<[bool; Feature::ALL.len()]> = OnceLock::new();
    let features = FEATURES.get_or_init(|| Feature::ALL.map(detect));
    Feature::ALL.iter().position(|&other| other == feature).is_some_and(|at| features[at])
}
