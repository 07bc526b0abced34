//! The kernels, one row each, and how a plan line names them.
//!
//! Adding a kernel is one file of this folder and one row here.

use super::cpu::{self, Feature};
use super::montgomery::Portable;
pub use super::montgomery::Product;
#[cfg(target_arch = "x86_64")]
use super::mulx::Mulx;
use super::odd::OddRing;
use super::power_of_two::PowerOfTwoRing;
use super::row;
#[cfg(target_arch = "aarch64")]
use super::umulh::Umulh;
use super::vector::{LANES, Unit};
use super::{ModulusParts, Ring, SharedRing};
use crate::error::Error;
use core::fmt;
use std::sync::Arc;

/// A kernel: an instruction family, a radix, and the kind of modulus it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// 1 to 4 limbs in registers, odd moduli.
    PortableFixed,
    /// Any length, odd moduli, by a Montgomery product of the catalogue.
    Portable,
    /// Any length, odd moduli, by mulx, adcx and adox.
    Mulx,
    /// Any length, odd moduli, by mul and umulh.
    Umulh,
    /// 1 to 10 limbs by value, modulo a power of two.
    PortableFixedLow,
    /// Any length, modulo a power of two, by low products.
    PortableLow,
    /// One number along 512-bit vectors, odd moduli.
    IfmaRow,
    /// The same, constant-time.
    IfmaRowCt,
    /// One long number along 512-bit vectors, by Karatsuba's products, odd moduli.
    IfmaRowKcm,
    /// One number along 512-bit vectors, modulo a power of two.
    IfmaRowLow,
    /// Eight odd moduli side by side, by multiply-accumulate of 52 bits.
    IfmaLanes,
    /// The same in vectors of 256 bits, four and four.
    AvxIfmaLanes,
    /// Eight odd moduli of one limb side by side, in general registers.
    PortableLanes,
}

/// Prepares the ring of a modulus in one form. Error: `bad_plan` for a form that is not complete.
pub(crate) type Prepare = fn(&Form, &ModulusParts<'_>) -> Result<SharedRing, Error>;

/// Lends the ring of one call to `work`, from the stack.
pub(crate) type WithStackRing = fn(&Form, &ModulusParts<'_>, work: &mut dyn FnMut(&dyn Ring<u64>)) -> Result<(), Error>;

/// What the registry knows of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The kernel.
    pub kernel: Kernel,
    /// Its name in plans, by instruction family and radix.
    pub name: &'static str,
    /// Odd moduli, or powers of two.
    pub odd: bool,
    /// Bits of a limb: 64, or less where the kernel works in a reduced radix.
    pub limb_bits: u32,
    /// How many powers one run gives: more than 1 for a kernel that does several side by side.
    pub lanes: usize,
    /// Longest modulus, in limbs of 64 bits; none for no bound but memory.
    pub max_limbs: Option<usize>,
    /// The products it can be told to use; empty where it has one of its own.
    pub products: &'static [Product],
    /// Whether it has a constant-time path, fit for secrets.
    pub constant_time: bool,
    /// What the CPU must have: all of one of these sets.
    pub requires: &'static [&'static [Feature]],
    /// One line for people.
    pub summary: &'static str,
    /// Prepares the ring of a modulus in one form; none where residues live in registers instead of an arena.
    pub(crate) ring: Option<Prepare>,
    /// The same for one call, where the ring fits the stack.
    pub(crate) with_stack_ring: Option<WithStackRing>,
}

impl Entry {
    /// Whether the constant-time gate looks at the machine code of this kernel as it is compiled for this architecture: the gate
    /// runs on x86-64.
    pub fn is_checked(&self) -> bool {
        let elsewhere = self.requires.iter().any(|set| set.contains(&Feature::Umulh));
        cfg!(target_arch = "x86_64") && self.constant_time && !elsewhere
    }
}

/// The longest odd modulus of the kernel that keeps residues in registers, in limbs.
pub const FIXED_LIMBS: usize = 4;

/// The longest power of two of the kernel that keeps residues by value, in limbs. From 11 on the compiler no longer unrolls
/// the products, and a square takes more than twice the time (docs/records/thresholds.md).
pub const FIXED_LOW_LIMBS: usize = 10;

/// All kernels, in the order in which lists show them.
pub const KERNELS: &[Entry] = &[
    Entry {
        kernel: Kernel::PortableFixed,
        name: "portable_fixed_r64",
        odd: true,
        limb_bits: 64,
        lanes: 1,
        max_limbs: Some(FIXED_LIMBS),
        products: &[],
        constant_time: false,
        requires: &[&[]],
        summary: "1 to 4 limbs by value, no allocation, odd moduli",
        ring: None,
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::Portable,
        name: "portable_r64",
        odd: true,
        limb_bits: 64,
        lanes: 1,
        max_limbs: None,
        products: &Product::ALL,
        constant_time: true,
        requires: &[&[]],
        summary: "the generic Montgomery products on 64-bit words, odd moduli",
        ring: Some(|form, parts| {
            let short = parts.short_factor();
            Ok(Arc::new(OddRing::with_short_factor(parts.odd, short, form.named_product()?, Portable)))
        }),
        with_stack_ring: Some(|form, parts, work| {
            let short = parts.short_factor();
            work(&OddRing::with_short_factor(parts.odd, short, form.named_product()?, Portable));
            Ok(())
        }),
    },
    Entry {
        kernel: Kernel::Mulx,
        name: "mulx_r64",
        odd: true,
        limb_bits: 64,
        lanes: 1,
        max_limbs: None,
        products: &[Product::Cios, Product::Sos, Product::KaratsubaSos, Product::Kcm],
        constant_time: true,
        requires: &[&[Feature::Bmi2, Feature::Adx]],
        summary: "rows in two carry chains by mulx, adcx and adox, odd moduli",
        ring: Some(mulx_ring),
        with_stack_ring: Some(with_mulx_ring),
    },
    Entry {
        kernel: Kernel::Umulh,
        name: "umulh_r64",
        odd: true,
        limb_bits: 64,
        lanes: 1,
        max_limbs: None,
        products: &[Product::Sos, Product::KaratsubaSos, Product::Kcm],
        constant_time: true,
        requires: &[&[Feature::Umulh]],
        summary: "rows by mul, umulh and adcs (aarch64), odd moduli",
        ring: Some(umulh_ring),
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::PortableFixedLow,
        name: "portable_fixed_low_r64",
        odd: false,
        limb_bits: 64,
        lanes: 1,
        max_limbs: Some(FIXED_LOW_LIMBS),
        products: &[],
        constant_time: false,
        requires: &[&[]],
        summary: "1 to 10 limbs by value, no allocation, powers of two",
        ring: None,
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::PortableLow,
        name: "portable_low_r64",
        odd: false,
        limb_bits: 64,
        lanes: 1,
        max_limbs: None,
        products: &[],
        constant_time: true,
        requires: &[&[]],
        summary: "low products on 64-bit words, powers of two",
        ring: Some(|_, parts| Ok(Arc::new(PowerOfTwoRing::<u64>::new(parts.trailing_zeros)))),
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::IfmaRow,
        name: "ifma_row_r52",
        odd: true,
        limb_bits: 64,
        lanes: 1,
        max_limbs: Some(row::MAX_LIMBS),
        products: &[],
        constant_time: false,
        requires: &[row::REQUIRES],
        summary: "one number along 512-bit vectors, reduced by folding, odd moduli",
        ring: Some(|_, parts| row::prepare::<false>(parts)),
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::IfmaRowCt,
        name: "ifma_row_ct_r52",
        odd: true,
        limb_bits: 64,
        lanes: 1,
        max_limbs: Some(row::MAX_LIMBS),
        products: &[],
        constant_time: true,
        requires: &[row::REQUIRES],
        summary: "the same with every carry resolved without a branch",
        ring: Some(|_, parts| row::prepare::<true>(parts)),
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::IfmaRowKcm,
        name: "ifma_row_kcm_r52",
        odd: true,
        limb_bits: 64,
        lanes: 1,
        max_limbs: Some(row::MAX_KCM_LIMBS),
        products: &[],
        constant_time: false,
        requires: &[row::REQUIRES],
        summary: "one long number along 512-bit vectors, Karatsuba in product and reduction, odd moduli",
        ring: Some(|_, parts| row::prepare_kcm(parts)),
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::IfmaRowLow,
        name: "ifma_row_low_r52",
        odd: false,
        limb_bits: 64,
        lanes: 1,
        max_limbs: Some(row::MAX_LIMBS),
        products: &[],
        constant_time: true,
        requires: &[row::REQUIRES],
        summary: "low products of one number along 512-bit vectors, powers of two",
        ring: Some(|_, parts| row::prepare_low(parts)),
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::IfmaLanes,
        name: "ifma_lanes_r52",
        odd: true,
        limb_bits: 52,
        lanes: LANES,
        // 49152 bits: 946 limbs of 52 bits, below the kernel's proved 1023.
        max_limbs: Some(768),
        products: &[],
        constant_time: false,
        requires: &[&[Feature::Avx512f, Feature::Avx512ifma]],
        summary: "eight odd moduli side by side in AVX-512 vectors: lists",
        ring: None,
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::AvxIfmaLanes,
        name: "avxifma_lanes_r52",
        odd: true,
        limb_bits: 52,
        lanes: LANES,
        max_limbs: Some(768),
        products: &[],
        constant_time: false,
        requires: &[
            &[Feature::Avx2, Feature::AvxIfma],
            #[cfg(any(test, feature = "study"))]
            &[Feature::Avx2, Feature::Avx512f, Feature::Avx512vl, Feature::Avx512ifma],
        ],
        summary: "eight odd moduli side by side in 256-bit vectors: lists",
        ring: None,
        with_stack_ring: None,
    },
    Entry {
        kernel: Kernel::PortableLanes,
        name: "portable_lanes_r64",
        odd: true,
        limb_bits: 64,
        lanes: LANES,
        max_limbs: Some(1),
        products: &[],
        constant_time: false,
        requires: &[&[]],
        summary: "eight odd moduli of one limb side by side in general registers: lists",
        ring: None,
        with_stack_ring: None,
    },
];

/// Whether each kernel's row stands at its place, where [`Kernel::entry`] looks for it.
const fn rows_are_in_order() -> bool {
    let mut at = 0;
    while at < KERNELS.len() {
        if KERNELS[at].kernel as usize != at {
            return false;
        }
        at += 1;
    }
    true
}

/// The ring of [`Kernel::Mulx`]; on other processors the registry says so before.
#[cfg(target_arch = "x86_64")]
fn mulx_ring(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    let mulx = Mulx::new().ok_or_else(|| lacking(form))?;
    Ok(Arc::new(OddRing::with_short_factor(parts.odd, parts.short_factor(), form.named_product()?, mulx)))
}

/// The same for one call.
#[cfg(target_arch = "x86_64")]
fn with_mulx_ring(form: &Form, parts: &ModulusParts<'_>, work: &mut dyn FnMut(&dyn Ring<u64>)) -> Result<(), Error> {
    let mulx = Mulx::new().ok_or_else(|| lacking(form))?;
    work(&OddRing::with_short_factor(parts.odd, parts.short_factor(), form.named_product()?, mulx));
    Ok(())
}

#[cfg(not(target_arch = "x86_64"))]
fn mulx_ring(form: &Form, _: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    Err(lacking(form))
}

#[cfg(not(target_arch = "x86_64"))]
fn with_mulx_ring(form: &Form, _: &ModulusParts<'_>, _: &mut dyn FnMut(&dyn Ring<u64>)) -> Result<(), Error> {
    Err(lacking(form))
}

fn lacking(form: &Form) -> Error {
    Error::BadPlan(format!("this CPU cannot run {form}"))
}

/// The ring of [`Kernel::Umulh`].
#[cfg(target_arch = "aarch64")]
fn umulh_ring(form: &Form, parts: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    let umulh = Umulh::new().ok_or_else(|| lacking(form))?;
    Ok(Arc::new(OddRing::with_short_factor(parts.odd, parts.short_factor(), form.named_product()?, umulh)))
}

#[cfg(not(target_arch = "aarch64"))]
fn umulh_ring(form: &Form, _: &ModulusParts<'_>) -> Result<SharedRing, Error> {
    Err(lacking(form))
}

impl Kernel {
    /// Its row.
    #[inline]
    pub fn entry(self) -> &'static Entry {
        const { assert!(rows_are_in_order(), "the rows stand in the order of the kernels") };
        &KERNELS[self as usize]
    }

    /// The kernel of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        KERNELS.iter().find(|entry| entry.name == name).map(|entry| entry.kernel)
    }

    /// Whether it takes odd moduli; otherwise powers of two.
    #[inline]
    pub fn odd(self) -> bool {
        self.entry().odd
    }

    /// How many powers one run gives.
    #[inline]
    pub fn lanes(self) -> usize {
        self.entry().lanes
    }

    /// Limbs, as this kernel counts them, of a modulus of `limbs` limbs of 64 bits. In a reduced radix two spare bits spare
    /// the subtractions between products.
    fn limbs(self, limbs: usize) -> usize {
        match self.entry().limb_bits {
            64 => limbs,
            bits => (64 * limbs + 2).div_ceil(bits as usize),
        }
    }

    /// Whether its residues stand in an arena, any number of them; otherwise they live in registers.
    pub(crate) fn has_arena(self) -> bool {
        self.entry().ring.is_some()
    }

    /// Whether this CPU can run it.
    pub fn available(self) -> bool {
        self.entry().requires.iter().any(|set| set.iter().all(|&feature| cpu::has(feature)))
    }

    /// Whether its lanes are filled in so little time that a list is not sorted for them: neighbours go together as they are.
    pub(crate) fn takes_neighbours(self) -> bool {
        self == Kernel::PortableLanes
    }

    /// The vectors of a kernel that works on lanes of vectors, if this CPU has them.
    pub(crate) fn unit(self) -> Option<Unit> {
        match self {
            Kernel::IfmaLanes => Unit::of_512_bits(),
            Kernel::AvxIfmaLanes => Unit::of_256_bits(),
            _ => None,
        }
    }
}

/// A kernel with all its parameters: how it wants its residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The kernel.
    pub kernel: Kernel,
    /// Limbs of the modulus, as the kernel counts them.
    pub n: usize,
    /// The Montgomery product, for kernels that have a choice.
    pub product: Option<Product>,
}

impl Form {
    /// The product; error `bad_plan` where none is named.
    fn named_product(&self) -> Result<Product, Error> {
        self.product.ok_or_else(|| Error::BadPlan(format!("{self} names no product")))
    }

    /// How residues lie in a table modulo an odd number of `bits` bits, or modulo 2^`bits`.
    pub fn layout(&self, bits: usize) -> Layout {
        let limb_bits = if self.is_along_vectors() { 52 } else { 64 };
        Layout { odd: self.kernel.odd(), limb_bits, limbs: self.residue_lengths(bits)[0] }
    }

    /// Bytes that a residue really takes in an arena, padding included, modulo an odd number of `bits` bits or modulo
    /// 2^`bits`.
    pub fn residue_bytes(&self, bits: usize) -> usize {
        size_of::<u64>() * self.residue_lengths(bits)[1]
    }

    /// The forms of this CPU that take eight of its residues side by side as they are packed: same limbs, same scaling.
    pub(crate) fn side_by_side(&self, bits: usize) -> impl Iterator<Item = Form> + use<> {
        let n = self.layout(bits).limbs;
        let packs_alike = matches!(self.kernel, Kernel::IfmaRow | Kernel::IfmaRowCt);
        let lanes = [Kernel::IfmaLanes, Kernel::AvxIfmaLanes].into_iter();
        lanes.filter(move |kernel| packs_alike && kernel.available()).map(move |kernel| Form {
            kernel,
            n,
            product: None,
        })
    }

    /// The form that makes tables for these lanes: one that they are [`Form::side_by_side`] of.
    pub(crate) fn maker(&self, bits: usize) -> Option<Form> {
        let packs_alike = |form: &Form| form.side_by_side(bits).any(|lanes| lanes == *self);
        forms(true, bits.div_ceil(64)).find(packs_alike)
    }

    fn is_along_vectors(&self) -> bool {
        matches!(self.kernel, Kernel::IfmaRow | Kernel::IfmaRowCt | Kernel::IfmaRowLow | Kernel::IfmaRowKcm)
    }

    /// Limbs of a residue in a table, and its words in an arena.
    fn residue_lengths(&self, bits: usize) -> [usize; 2] {
        match self.kernel {
            Kernel::IfmaRowKcm => row::residue_lengths_kcm(bits),
            _ if self.is_along_vectors() => row::residue_lengths(self.kernel.odd(), bits),
            _ => [self.words(); 2],
        }
    }

    /// Words that a kernel of full limbs computes with, by which its prices are sorted.
    pub fn words(&self) -> usize {
        match (self.kernel, self.product) {
            (_, None) => self.n,
            (Kernel::Mulx | Kernel::Umulh, Some(product)) => product.unpadded_words(self.n),
            (_, Some(product)) => product.padded_words(self.n),
        }
    }
}

/// How residues lie in a table: limbs of `limb_bits` bits, a word each, least significant first. Modulo an odd number a
/// residue x is x 2^(limb_bits limbs), Montgomery's form; modulo a power of two it is x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Modulo an odd number, or a power of two.
    pub odd: bool,
    /// Bits of a limb.
    pub limb_bits: u32,
    /// Limbs of a residue.
    pub limbs: usize,
}

impl Layout {
    /// The power of two that stands on every residue.
    pub fn scaling_bits(&self) -> usize {
        if self.odd { self.limb_bits as usize * self.limbs } else { 0 }
    }

    /// Bytes of a residue.
    pub fn bytes(&self) -> usize {
        size_of::<u64>() * self.limbs
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(n={}", self.kernel.entry().name, self.n)?;
        if let Some(product) = self.product {
            write!(f, ", product={product}")?;
        }
        f.write_str(")")
    }
}

/// Every form that this CPU has for a modulus of `n` limbs, odd or a power of two.
pub fn forms(odd: bool, n: usize) -> impl Iterator<Item = Form> {
    KERNELS
        .iter()
        .filter(move |entry| entry.odd == odd && entry.max_limbs.is_none_or(|most| n <= most))
        .filter(|entry| entry.kernel.available())
        .flat_map(move |entry| {
            let own = entry.products.is_empty().then_some(Form {
                kernel: entry.kernel,
                n: entry.kernel.limbs(n),
                product: None,
            });
            let named = entry.products.iter().map(move |&p| Form { kernel: entry.kernel, n, product: Some(p) });
            own.into_iter().chain(named)
        })
}
