//! The one place where the CPU is asked what it has.

use std::sync::OnceLock;

/// An instruction-set extension that some kernel needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// mulx.
    Bmi2,
    /// adcx, adox.
    Adx,
    /// 512-bit vectors.
    Avx512f,
    /// vpmadd52 on 512-bit vectors.
    Avx512ifma,
    /// vpmadd52 on 256-bit vectors without AVX-512.
    AvxIfma,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 5] =
        [Feature::Bmi2, Feature::Adx, Feature::Avx512f, Feature::Avx512ifma, Feature::AvxIfma];

    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Bmi2 => "bmi2",
            Feature::Adx => "adx",
            Feature::Avx512f => "avx512f",
            Feature::Avx512ifma => "avx512ifma",
            Feature::AvxIfma => "avxifma",
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn detect(feature: Feature) -> bool {
    match feature {
        Feature::Bmi2 => std::is_x86_feature_detected!("bmi2"),
        Feature::Adx => std::is_x86_feature_detected!("adx"),
        Feature::Avx512f => std::is_x86_feature_detected!("avx512f"),
        Feature::Avx512ifma => std::is_x86_feature_detected!("avx512ifma"),
        Feature::AvxIfma => std::is_x86_feature_detected!("avxifma"),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect(_feature: Feature) -> bool {
    false
}

/// Whether this CPU has `feature`.
pub fn has(feature: Feature) -> bool {
    static FEATURES: OnceLock<[bool; Feature::ALL.len()]> = OnceLock::new();
    let features = FEATURES.get_or_init(|| Feature::ALL.map(detect));
    Feature::ALL.iter().position(|&other| other == feature).is_some_and(|at| features[at])
}
