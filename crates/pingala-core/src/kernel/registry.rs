//! The kernels, one row each.
//!
//! Adding a kernel is one file of this folder and one row here; its prices are a file, or lines of one, in `engine/plan/prices/`.

use super::basecases::{mulx, odd_ring, power_of_two_ring, umulh};
use super::cpu::{self, Feature};
use super::descriptor::arena;
pub use super::descriptor::{Entry, Kernel};
pub(crate) use super::descriptor::{Prepare, Residence};
use super::fixed::RingsByValue;
pub use super::form::{Form, Layout};
use super::montgomery::Portable;
pub use super::montgomery::Product;
#[cfg(feature = "std")]
use super::ntt;
use super::power_of_two::PowerOfTwoRing;
pub use super::threshold::{Settings, Threshold};
use super::vector::AVX512;
#[cfg(not(target_arch = "wasm32"))]
use super::vector::LANES;
use super::{columns, division, dots, fma_row, row};
#[cfg(not(target_arch = "wasm32"))]
use super::{fma_lanes, lanes};
use alloc::sync::Arc;

pub(crate) use super::lane_ring::HAS_LANES;

/// The longest odd modulus, in limbs, of the kernel that keeps residues in registers. A module for WebAssembly is to be small.
pub const FIXED_LIMBS: usize = if cfg!(target_arch = "wasm32") { 1 } else { 4 };

/// The longest power of two, in limbs, of the kernel that passes residues by value. From 11 limbs on the compiler does not
/// unroll the products, and a square takes more than twice the time (docs/records/thresholds.md).
pub const FIXED_LOW_LIMBS: usize = 10;

/// The rings of odd moduli by the products of a family, also on the stack.
macro_rules! odd_rings {
    ($family:expr) => {
        Residence::Arena {
            prepare: |form, parts| Ok(Arc::new(odd_ring(form, parts, $family(form))?)),
            with_stack_ring: Some(|form, parts, work| {
                work(&odd_ring(form, parts, $family(form))?);
                Ok(())
            }),
        }
    };
}

/// All kernels, in the order in which lists show them. A module for WebAssembly is to be small: it has no lanes and no transforms.
pub static KERNELS: &[Entry] = &[
    Entry {
        name: "portable_fixed_r64",
        summary: "1 to 4 limbs by value, no allocation, odd moduli",
        max_limbs: Some(FIXED_LIMBS),
        residence: Residence::Registers(RingsByValue::Odd),
        ..Entry::DEFAULT
    },
    Entry {
        name: "portable_r64",
        summary: "the generic Montgomery products on 64-bit words, odd moduli",
        products: &Product::ALL,
        thresholds: Portable::THRESHOLDS,
        pads: true,
        packs_for_lanes: true,
        constant_time: true,
        residence: odd_rings!(|form: &Form| Some(Portable::new(form.settings))),
        ..Entry::DEFAULT
    },
    Entry {
        name: "portable_r29",
        summary: "digits of 27 to 29 bits, columns of 64 bits: for WebAssembly, odd moduli",
        max_limbs: Some(columns::MAX_LIMBS),
        constant_time: true,
        residue_lengths: Some(columns::residue_lengths),
        residue_limb_bits: columns::radix_bits,
        // The shortest and the longest moduli of a radix.
        tuned: &[57, 222, 223, columns::MAX_LIMBS],
        thresholds: columns::THRESHOLDS,
        // Where a product of two words is an instruction, the kernels of whole words are faster.
        priced_here: || cfg!(target_arch = "wasm32"),
        residence: arena(columns::prepare),
        ..Entry::DEFAULT
    },
    Entry {
        name: "dot_row_r13",
        summary: "digits of 13 bits, sums of two products in each lane: for WebAssembly, odd moduli",
        max_limbs: Some(dots::MAX_LIMBS),
        residue_lengths: Some(dots::residue_lengths),
        residue_limb_bits: dots::radix_bits,
        padded_limbs: dots::padded_limbs,
        priced_here: || cfg!(target_arch = "wasm32"),
        residence: arena(dots::prepare),
        ..Entry::DEFAULT
    },
    Entry {
        name: "mulx_r64",
        summary: "rows in two carry chains by mulx, adcx and adox, odd moduli",
        products: &[Product::Cios, Product::KaratsubaSos, Product::Kcm],
        #[cfg(target_arch = "x86_64")]
        thresholds: super::mulx::THRESHOLDS,
        // Between 256 and 384, where transforms begin on Intel.
        tuned: &[336],
        packs_for_lanes: true,
        constant_time: true,
        requires: &[&[Feature::Bmi2, Feature::Adx]],
        residence: odd_rings!(mulx),
        ..Entry::DEFAULT
    },
    Entry {
        name: "umulh_r64",
        summary: "rows by mul, umulh and adcs (aarch64), odd moduli",
        products: &[Product::Sos, Product::KaratsubaSos, Product::Kcm],
        #[cfg(target_arch = "aarch64")]
        thresholds: super::umulh::THRESHOLDS,
        constant_time: true,
        requires: &[&[Feature::Umulh]],
        residence: arena(|form, parts| Ok(Arc::new(odd_ring(form, parts, umulh(form))?))),
        ..Entry::DEFAULT
    },
    #[cfg(not(target_arch = "wasm32"))]
    Entry {
        name: "portable_fixed_low_r64",
        summary: "1 to 10 limbs by value, no allocation, powers of two",
        odd: false,
        max_limbs: Some(FIXED_LOW_LIMBS),
        residence: Residence::Registers(RingsByValue::PowerOfTwo),
        ..Entry::DEFAULT
    },
    Entry {
        name: "portable_low_r64",
        summary: "low products on 64-bit words, powers of two",
        odd: false,
        constant_time: true,
        residence: arena(|_, parts| Ok(Arc::new(PowerOfTwoRing::<u64>::new(parts.trailing_zeros)))),
        ..Entry::DEFAULT
    },
    Entry {
        name: "mulx_low_r64",
        summary: "low products by rows of mulx, adcx and adox, powers of two",
        odd: false,
        #[cfg(target_arch = "x86_64")]
        thresholds: super::mulx::LOW_THRESHOLDS,
        constant_time: true,
        requires: &[&[Feature::Bmi2, Feature::Adx]],
        residence: arena(|form, parts| Ok(Arc::new(power_of_two_ring(form, parts, mulx(form))?))),
        ..Entry::DEFAULT
    },
    Entry {
        name: "division_r64",
        summary: "products and divisions without set-up, odd moduli and even ones as a whole: short exponents",
        plain: true,
        thresholds: Portable::THRESHOLDS,
        residence: DIVISION,
        ..Entry::DEFAULT
    },
    Entry {
        name: "ifma_row_r52",
        summary: "one number across 512-bit vectors, reduced by folding, odd moduli",
        max_limbs: Some(row::MAX_LIMBS),
        requires: &[AVX512],
        residue_lengths: Some(|bits| row::residue_lengths(true, bits)),
        residue_limb_bits: |_| 52,
        packs_for_lanes: true,
        thresholds: row::THRESHOLDS,
        residence: arena(row::prepare::<false>),
        ..Entry::DEFAULT
    },
    Entry {
        name: "ifma_row_ct_r52",
        summary: "the same with every carry resolved without a branch",
        max_limbs: Some(row::MAX_LIMBS),
        constant_time: true,
        requires: &[AVX512],
        residue_lengths: Some(|bits| row::residue_lengths(true, bits)),
        residue_limb_bits: |_| 52,
        packs_for_lanes: true,
        thresholds: row::SQUARE_THRESHOLDS,
        retired: &["part_to"],
        residence: arena(row::prepare::<true>),
        ..Entry::DEFAULT
    },
    Entry {
        name: "fma_row_r52",
        summary: "one number along 256-bit vectors of doubles, reduced by folding, odd moduli",
        montgomery: false,
        min_limbs: 8,
        max_limbs: Some(fma_row::MAX_LIMBS),
        requires: &[&[Feature::Avx2, Feature::Fma, Feature::Rounding]],
        priced_here: || !cpu::splits_256_bit_vectors(),
        residue_lengths: Some(fma_row::residue_lengths),
        residue_limb_bits: |_| 52,
        padded_limbs: fma_row::padded_limbs,
        tuned: &[19, 25, 29, 38, 58, 77, 97, 129, 194, 259, 292],
        thresholds: fma_row::THRESHOLDS,
        residence: arena(fma_row::prepare),
        ..Entry::DEFAULT
    },
    #[cfg(all(feature = "std", not(target_arch = "wasm32")))]
    transforms("ifma_ntt_r64", true, "number-theoretic transforms on 512-bit vectors, odd moduli", ntt::IFMA),
    #[cfg(all(feature = "std", not(target_arch = "wasm32")))]
    transforms("fma_ntt_r64", true, "number-theoretic transforms on doubles, odd moduli", ntt::FMA),
    #[cfg(all(feature = "std", not(target_arch = "wasm32")))]
    transforms("portable_ntt_r64", true, "number-theoretic transforms on words, odd moduli", ntt::WORDS),
    #[cfg(all(feature = "std", not(target_arch = "wasm32")))]
    transforms("ifma_ntt_low_r64", false, "number-theoretic transforms on 512-bit vectors, powers of two", ntt::IFMA),
    #[cfg(all(feature = "std", not(target_arch = "wasm32")))]
    transforms("fma_ntt_low_r64", false, "number-theoretic transforms on doubles, powers of two", ntt::FMA),
    #[cfg(all(feature = "std", not(target_arch = "wasm32")))]
    transforms("portable_ntt_low_r64", false, "number-theoretic transforms on words, powers of two", ntt::WORDS),
    Entry {
        name: "ifma_row_low_r52",
        summary: "low products of one number across 512-bit vectors, powers of two",
        odd: false,
        max_limbs: Some(row::MAX_LIMBS),
        constant_time: true,
        requires: &[AVX512],
        residue_lengths: Some(|bits| row::residue_lengths(false, bits)),
        residue_limb_bits: |_| 52,
        thresholds: row::SQUARE_THRESHOLDS,
        residence: arena(row::prepare::<true>),
        ..Entry::DEFAULT
    },
    #[cfg(not(target_arch = "wasm32"))]
    Entry {
        name: "ifma_lanes_r52",
        summary: "eight odd moduli at a time in AVX-512 vectors: lists",
        limb_bits: 52,
        limbs: lanes::limbs,
        lanes: LANES,
        // 49152 bits: 946 limbs of 52 bits, below the kernel's proved 1023.
        max_limbs: Some(768),
        requires: &[AVX512],
        retired: &["karatsuba_from"],
        residence: Residence::Vectors(lanes::FAMILY_512),
        ..Entry::DEFAULT
    },
    #[cfg(not(target_arch = "wasm32"))]
    Entry {
        name: "avxifma_lanes_r52",
        summary: "eight odd moduli at a time in 256-bit vectors: lists; no CPU has run it yet",
        limb_bits: 52,
        limbs: lanes::limbs,
        lanes: LANES,
        max_limbs: Some(768),
        requires: &[
            &[Feature::Avx2, Feature::AvxIfma],
            #[cfg(test)]
            &[Feature::Avx2, Feature::Avx512f, Feature::Avx512vl, Feature::Avx512ifma],
        ],
        retired: &["karatsuba_from"],
        residence: Residence::Vectors(lanes::FAMILY_256),
        ..Entry::DEFAULT
    },
    #[cfg(not(target_arch = "wasm32"))]
    Entry {
        name: "fma_lanes_r51",
        summary: "four odd moduli at a time in 256-bit vectors of doubles: lists",
        limb_bits: 51,
        limbs: fma_lanes::limbs,
        lanes: 4,
        // 49152 bits: 966 limbs of 51 bits, below the kernel's proved 1365.
        max_limbs: Some(768),
        requires: &[&[Feature::Avx2, Feature::Fma]],
        thresholds: fma_lanes::THRESHOLDS,
        residence: Residence::Vectors(fma_lanes::FAMILY),
        ..Entry::DEFAULT
    },
    #[cfg(not(target_arch = "wasm32"))]
    Entry {
        name: "portable_lanes_r64",
        summary: "eight odd moduli of one limb at a time in general registers: lists",
        lanes: LANES,
        max_limbs: Some(1),
        residence: Residence::LimbLanes,
        ..Entry::DEFAULT
    },
    #[cfg(test)]
    Entry {
        name: "toy_r64",
        summary: "products by division, for the tests of what a new kernel takes",
        max_limbs: Some(8),
        priced_here: || false,
        residence: arena(super::toy::prepare),
        ..Entry::DEFAULT
    },
];

/// Where the numbers themselves are the residues.
const DIVISION: Residence =
    Residence::Arena { prepare: division::prepare, with_stack_ring: Some(division::with_stack_ring) };

/// The row of a kernel of number-theoretic transforms.
#[cfg(feature = "std")]
const fn transforms(
    name: &'static str,
    odd: bool,
    summary: &'static str,
    (requires, prepare): (&'static [&'static [Feature]], Prepare),
) -> Entry {
    Entry {
        name,
        summary,
        odd,
        adds: false,
        min_limbs: 64,
        max_limbs: Some(ntt::MAX_LIMBS),
        requires,
        residue_lengths: Some(ntt::residue_lengths),
        residue_limb_bits: ntt::digit_bits,
        padded_limbs: ntt::padded_limbs,
        tuned: ntt::TUNED,
        residence: arena(prepare),
        ..Entry::DEFAULT
    }
}

impl Kernel {
    /// The kernel of these transforms for odd moduli, if this build has it.
    #[cfg(feature = "std")]
    pub(crate) fn of_transforms(on: ntt::TransformsOn) -> Option<Self> {
        Self::by_name(match on {
            ntt::TransformsOn::MultiplyAccumulate => "ifma_ntt_r64",
            ntt::TransformsOn::Doubles => "fma_ntt_r64",
            ntt::TransformsOn::Words => "portable_ntt_r64",
        })
    }

    /// All kernels, in the order of [`KERNELS`].
    pub fn all() -> impl Iterator<Item = Self> {
        KERNELS.iter().map(Self::of)
    }

    /// The kernel of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|kernel| kernel.entry().name == name)
    }
}

impl Form {
    /// The forms of this CPU that compute on several packed residues of this form side by side.
    pub(crate) fn side_by_side(&self, bits: usize) -> impl Iterator<Item = Form> + use<> {
        let layout = self.layout(bits);
        let packs = self.kernel.entry().packs_for_lanes;
        let here = Kernel::all().filter(move |kernel| packs && kernel.available());
        here.filter_map(move |kernel| Some(Form::new(kernel, (kernel.lane_family()?.limbs_for_table)(&layout)?, None)))
    }

    /// The form that makes tables for this form of lanes, which is among its [`Form::side_by_side`]: of several the first of those that
    /// ask most of the CPU.
    pub(crate) fn maker(&self, bits: usize) -> Option<Form> {
        let suits = |form: &Form| form.side_by_side(bits).any(|lanes| lanes.is_as_wide(self));
        let asks = |form: &Form| form.kernel.entry().requires[0].len();
        forms(true, bits.div_ceil(64))
            .filter(suits)
            .reduce(|best, form| if asks(&form) > asks(&best) { form } else { best })
    }
}

/// Every form of residues that tables and shared work can have, on this CPU, for a modulus of `n` limbs, odd or a power of two.
pub fn forms(odd: bool, n: usize) -> impl Iterator<Item = Form> {
    every_form(odd, n).filter(|form| !form.kernel.entry().plain)
}

/// Every form that this CPU has for a power modulo a number of `n` limbs, odd or a power of two.
pub fn every_form(odd: bool, n: usize) -> impl Iterator<Item = Form> {
    let takes = move |entry: &Entry| entry.odd == odd && entry.takes(n);
    Kernel::all().filter(move |kernel| takes(kernel.entry()) && kernel.available()).flat_map(move |kernel| {
        let products = kernel.entry().products;
        let own = products.is_empty().then_some(Form::new(kernel, kernel.limbs(n), None));
        let named = products.iter().map(move |&product| Form::new(kernel, n, Some(product)));
        own.into_iter().chain(named)
    })
}
