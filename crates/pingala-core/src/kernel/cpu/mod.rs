//! The features of CPUs that kernels need, and which of them the CPU has: as the process finds it, or without the standard library as the
//! target says.

#[cfg(not(feature = "std"))]
#[path = "of_target.rs"]
mod found;
#[cfg(feature = "std")]
#[path = "of_process.rs"]
mod found;

#[cfg(feature = "std")]
pub(crate) use found::HAS_ENVIRONMENT;
pub use found::has;
pub(crate) use found::splits_256_bit_vectors;
// For WebAssembly there is one file of prices, whoever made the CPU.
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
pub(crate) use found::{is_by, is_of};
#[cfg(feature = "std")]
pub use found::{mask, masked, model};

/// The features by their usual names: those of x86-64, then those of other architectures.
macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident = $name:tt;)+ / $($(#[$other_doc:meta])* $other:ident = $other_name:tt: $found:expr;)+) => {
        /// An instruction-set extension that some kernel needs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Feature {
            $($(#[$doc])* $feature,)+
            $($(#[$other_doc])* $other,)+
        }

        impl Feature {
            /// All features, in the order of their declaration.
            pub const ALL: [Feature; [$($name,)+ $($other_name,)+].len()] =
                [$(Feature::$feature,)+ $(Feature::$other,)+];

            /// The usual name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Feature::$feature => $name,)+
                    $(Feature::$other => $other_name,)+
                }
            }
        }

        /// Whether this CPU reports this feature by its own bit.
        fn reports(feature: Feature) -> bool {
            match feature {
                #[cfg(target_arch = "x86_64")]
                // valgrind runs adcx and adox but does not report them; the constant-time gate must run them.
                Feature::Adx if crate::secrecy::valgrind::is_running() => true,
                $(
                    #[cfg(target_arch = "x86_64")]
                    Feature::$feature => found::reports_bit!($name),
                )+
                $(Feature::$other => $found,)+
                #[cfg(not(target_arch = "x86_64"))]
                _ => false,
            }
        }
    };
}

features! {
    /// mulx.
    Bmi2 = "bmi2";
    /// adcx, adox.
    Adx = "adx";
    /// Integers in 256-bit vectors.
    Avx2 = "avx2";
    /// Fused multiply-add of floating-point numbers in 256-bit vectors.
    Fma = "fma";
    /// 512-bit vectors.
    Avx512f = "avx512f";
    /// Bytes and 16-bit words in 512-bit vectors, masks of 64 bits.
    Avx512bw = "avx512bw";
    /// The instructions of AVX-512 on 256-bit vectors.
    Avx512vl = "avx512vl";
    /// vpmadd52 on 512-bit vectors, with AVX-512 VL on 256-bit vectors too.
    Avx512ifma = "avx512ifma";
    /// vpmadd52 on 256-bit vectors without AVX-512.
    AvxIfma = "avxifma";
    /
    /// The high half of a product of two words: every aarch64.
    Umulh = "umulh": cfg!(target_arch = "aarch64");
    /// Fused multiply-adds that round as MXCSR says. CPUs that have them do; valgrind rounds to nearest whatever it says.
    Rounding = "rounding": rounds_as_told();
}

fn rounds_as_told() -> bool {
    #[cfg(target_arch = "x86_64")]
    if !cfg!(miri) && found::reports_bit!("fma") {
        return super::exceptions::rounds_toward_zero();
    }
    false
}

impl Feature {
    /// The features that this one implies directly: every CPU that has this one has them too.
    fn implies(self) -> &'static [Feature] {
        match self {
            Feature::Avx512f => &[Feature::Avx2, Feature::Fma],
            Feature::Avx512bw | Feature::Avx512vl | Feature::Avx512ifma => &[Feature::Avx512f],
            Feature::AvxIfma => &[Feature::Avx2],
            Feature::Rounding => &[Feature::Fma],
            Feature::Bmi2 | Feature::Adx | Feature::Avx2 | Feature::Fma | Feature::Umulh => &[],
        }
    }

    /// Whether masking these features masks this one too.
    fn falls_with(self, masked: &[Feature]) -> bool {
        masked.contains(&self) || self.implies().iter().any(|base| base.falls_with(masked))
    }
}
