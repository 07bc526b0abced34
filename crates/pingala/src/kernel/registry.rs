//! The kernels, one row each.
//!
//! Adding a kernel is one file of this folder and one row here; its prices are a file, or lines of one, in `engine/plan/prices/`.

use super::basecases::{mulx, odd_ring, power_of_two_ring, umulh};
use super::cpu::{self, Feature};
use super::fixed::RingsByValue;
pub use super::form::{Form, Layout, Settings, Threshold, every_form, forms};
use super::lane_ring::LaneFamily;
use super::montgomery::Portable;
pub use super::montgomery::Product;
use super::ntt;
use super::power_of_two::PowerOfTwoRing;
use super::vector::{AVX512, LANES};
use super::{ModulusParts, Ring, SharedRing, division, fma_lanes, lanes, row};
use crate::error::Error;
use core::fmt;
use std::sync::Arc;

/// A kernel: an instruction family, a radix and a kind of modulus. The value is the index of its row in [`KERNELS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kernel(u8);

/// Prepares the ring of a modulus in one form. Error: `bad_plan` for a form that is not complete.
pub(crate) type Prepare = fn(&Form, &ModulusParts<'_>) -> Result<SharedRing, Error>;

/// Calls `work` with a ring on the stack.
pub(crate) type WithStackRing = fn(&Form, &ModulusParts<'_>, work: &mut dyn FnMut(&dyn Ring<u64>)) -> Result<(), Error>;

/// Where a kernel keeps residues, and how to get its rings. Execution has one code path for each variant, and none for a single
/// kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Residence {
    /// In an arena, any number of residues.
    Arena {
        /// Prepares a ring for any number of calls.
        prepare: Prepare,
        /// Prepares the ring of one call on the stack, where it fits.
        with_stack_ring: Option<WithStackRing>,
    },
    /// In registers: a few limbs, passed by value.
    Registers(RingsByValue),
    /// Several residues side by side in vectors.
    Vectors(LaneFamily),
    /// Eight residues of one limb side by side in general registers.
    LimbLanes,
}

/// A row of the registry: the properties of one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name in plans, by instruction family and radix.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Whether it takes odd moduli; otherwise powers of two.
    pub odd: bool,
    /// Whether its residues modulo odd numbers are the numbers themselves. Plans of single powers have it, and plans of nothing else:
    /// tables hold Montgomery's form.
    pub plain: bool,
    /// Whether it takes even moduli as a whole, and no others; then `odd` and `plain` are set as well.
    pub even: bool,
    /// Bits of a limb in its forms: 64, or less where the kernel works in a reduced radix.
    pub limb_bits: u32,
    /// Limbs in its radix of a modulus of so many limbs of 64 bits.
    pub(crate) limbs: fn(usize) -> usize,
    /// How many powers one run computes: more than 1 for a kernel that computes several side by side.
    pub lanes: usize,
    /// The shortest modulus, in limbs of 64 bits: what is shorter has quicker kernels on every CPU.
    pub min_limbs: usize,
    /// The longest modulus, in limbs of 64 bits; none where only memory bounds it.
    pub max_limbs: Option<usize>,
    /// The products that a plan may select; empty if the kernel has its own.
    pub products: &'static [Product],
    /// Its thresholds; a form has their values.
    pub thresholds: &'static [Threshold],
    /// Thresholds of earlier versions. Lines and prices may still name them; the value changes nothing.
    pub(crate) retired: &'static [&'static str],
    /// Whether its products pad a length to whole leaves.
    pub(crate) pads: bool,
    /// Whether it has a constant-time path, which secrets require.
    pub constant_time: bool,
    /// The features that the CPU must have: all of one of these sets.
    pub requires: &'static [&'static [Feature]],
    /// For residues that are not limbs of 64 bits: from the bits of the modulus, the limbs of a residue in a table and its words in
    /// an arena. None where a residue has as many words as its form.
    pub(crate) residue_lengths: Option<fn(usize) -> [usize; 2]>,
    /// Bits of a limb of these residues, from the bits of the modulus.
    pub(crate) residue_limb_bits: fn(usize) -> u32,
    /// The longest modulus, in limbs, that takes as long as one of so many limbs: prices are sorted by it.
    pub(crate) padded_limbs: fn(usize) -> usize,
    /// Lengths at which the tuner measures besides the usual ones.
    pub tuned: &'static [usize],
    /// Whether lanes may read its residues from a table without conversion: those that its layout suits.
    pub(crate) packs_for_lanes: bool,
    /// Where it keeps residues.
    pub(crate) residence: Residence,
}

impl Entry {
    /// The defaults of a row: odd moduli of any length in words of 64 bits, on every CPU, for public numbers.
    const DEFAULT: Entry = Entry {
        name: "",
        summary: "",
        odd: true,
        plain: false,
        even: false,
        limb_bits: 64,
        limbs: |limbs64| limbs64,
        lanes: 1,
        min_limbs: 1,
        max_limbs: None,
        products: &[],
        thresholds: &[],
        retired: &[],
        pads: false,
        constant_time: false,
        requires: &[&[]],
        residue_lengths: None,
        residue_limb_bits: |_| 64,
        padded_limbs: |limbs| limbs,
        tuned: &[],
        packs_for_lanes: false,
        residence: arena(|form, _| Err(Error::BadPlan(format!("{form} has no ring")))),
    };

    /// Whether it takes moduli of so many limbs of 64 bits.
    pub fn takes(&self, limbs: usize) -> bool {
        limbs >= self.min_limbs && self.max_limbs.is_none_or(|most| limbs <= most)
    }

    /// Whether this CPU can run it.
    pub fn available(&self) -> bool {
        self.requires.iter().any(|set| set.iter().all(|&feature| cpu::has(feature)))
    }

    /// Whether the constant-time gate checks the machine code of this kernel for this architecture: the gate runs on x86-64.
    pub fn is_checked(&self) -> bool {
        let elsewhere = self.requires.iter().any(|set| set.contains(&Feature::Umulh));
        cfg!(target_arch = "x86_64") && self.constant_time && !elsewhere
    }
}

/// The longest odd modulus, in limbs, of the kernel that keeps residues in registers.
pub const FIXED_LIMBS: usize = 4;

/// The longest power of two, in limbs, of the kernel that passes residues by value. From 11 limbs on the compiler does not
/// unroll the products, and a square takes more than twice the time (docs/records/thresholds.md).
pub const FIXED_LOW_LIMBS: usize = 10;

/// All kernels, in the order in which lists show them.
pub const KERNELS: &[Entry] = &[
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
        residence: Residence::Arena {
            prepare: |form, parts| Ok(Arc::new(odd_ring(form, parts, Some(Portable::new(form.settings)))?)),
            with_stack_ring: Some(|form, parts, work| {
                work(&odd_ring(form, parts, Some(Portable::new(form.settings)))?);
                Ok(())
            }),
        },
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
        residence: Residence::Arena {
            prepare: |form, parts| Ok(Arc::new(odd_ring(form, parts, mulx(form))?)),
            with_stack_ring: Some(|form, parts, work| {
                work(&odd_ring(form, parts, mulx(form))?);
                Ok(())
            }),
        },
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
        summary: "products and divisions without set-up, odd moduli: short exponents",
        plain: true,
        thresholds: Portable::THRESHOLDS,
        residence: DIVISION,
        ..Entry::DEFAULT
    },
    Entry {
        name: "division_even_r64",
        summary: "the same for even moduli as a whole",
        plain: true,
        even: true,
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
    transforms("ifma_ntt_r64", true, "number-theoretic transforms on 512-bit vectors, odd moduli", ntt::IFMA),
    transforms("fma_ntt_r64", true, "number-theoretic transforms on doubles, odd moduli", ntt::FMA),
    transforms("portable_ntt_r64", true, "number-theoretic transforms on words, odd moduli", ntt::WORDS),
    transforms("ifma_ntt_low_r64", false, "number-theoretic transforms on 512-bit vectors, powers of two", ntt::IFMA),
    transforms("fma_ntt_low_r64", false, "number-theoretic transforms on doubles, powers of two", ntt::FMA),
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
        residence: arena(row::prepare_low),
        ..Entry::DEFAULT
    },
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
    Entry {
        name: "fma_lanes_r51",
        summary: "four odd moduli at a time in 256-bit vectors of doubles: lists",
        limb_bits: 51,
        limbs: fma_lanes::limbs,
        lanes: 4,
        // 49152 bits: 966 limbs of 51 bits, below the kernel's proved 1365.
        max_limbs: Some(768),
        requires: &[&[Feature::Avx2, Feature::Fma]],
        residence: Residence::Vectors(fma_lanes::FAMILY),
        ..Entry::DEFAULT
    },
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
        residence: arena(super::toy::prepare),
        ..Entry::DEFAULT
    },
];

/// Where the numbers themselves are the residues.
const DIVISION: Residence =
    Residence::Arena { prepare: division::prepare, with_stack_ring: Some(division::with_stack_ring) };

/// The row of a kernel of number-theoretic transforms.
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

/// An arena whose rings do not fit the stack.
const fn arena(prepare: Prepare) -> Residence {
    Residence::Arena { prepare, with_stack_ring: None }
}

impl Kernel {
    /// All kernels, in the order of [`KERNELS`].
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KERNELS.len() as u8).map(Self)
    }

    /// Its row in the registry.
    #[inline]
    pub fn entry(self) -> &'static Entry {
        &KERNELS[usize::from(self.0)]
    }

    /// The kernel of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|kernel| kernel.entry().name == name)
    }

    /// The default values of its thresholds.
    pub fn usual_settings(self) -> Settings {
        Settings::usual(self.entry().thresholds)
    }

    /// Whether it takes odd moduli; otherwise powers of two.
    #[inline]
    pub fn odd(self) -> bool {
        self.entry().odd
    }

    /// How many powers one run computes.
    #[inline]
    pub fn lanes(self) -> usize {
        self.entry().lanes
    }

    /// Limbs, in this kernel's radix, of a modulus of `limbs` limbs of 64 bits.
    pub(super) fn limbs(self, limbs: usize) -> usize {
        (self.entry().limbs)(limbs)
    }

    /// Where it keeps residues.
    #[inline]
    pub(crate) fn residence(self) -> Residence {
        self.entry().residence
    }

    /// Whether it keeps residues in an arena; otherwise in registers.
    pub(crate) fn has_arena(self) -> bool {
        matches!(self.residence(), Residence::Arena { .. })
    }

    /// Whether this CPU can run it.
    pub fn available(self) -> bool {
        self.entry().available()
    }

    /// Whether it batches elements in the order of the list: it fills its lanes so quickly that sorting does not pay.
    pub(crate) fn batches_in_order(self) -> bool {
        matches!(self.residence(), Residence::LimbLanes)
    }

    /// The rings of a kernel that works on lanes of vectors.
    pub(crate) fn lane_family(self) -> Option<LaneFamily> {
        match self.residence() {
            Residence::Vectors(family) => Some(family),
            _ => None,
        }
    }
}

/// Its name.
impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry().name)
    }
}
