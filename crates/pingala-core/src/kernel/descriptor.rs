//! The properties of a kernel: the type of a row of the registry. The table itself is in `registry.rs`, so that a kernel may use
//! descriptors of kernels and need not know the others.

use super::cpu::{self, Feature};
use super::fixed::RingsByValue;
use super::form::Form;
use super::lane_ring::LaneFamily;
use super::montgomery::Product;
use super::threshold::{Settings, Threshold};
use super::{ModulusParts, Ring, SharedRing};
use crate::error::Error;
use alloc::format;
use core::fmt;
use core::hash::{Hash, Hasher};

/// A kernel: an instruction family, a radix and a kind of modulus. The value is its row in [`KERNELS`](super::registry::KERNELS).
#[derive(Clone, Copy)]
pub struct Kernel(&'static Entry);

/// Prepares the ring of a modulus in one form. Error: `bad_plan` for a form that is not complete.
pub(crate) type Prepare = fn(&Form, &ModulusParts<'_>) -> Result<SharedRing, Error>;

/// Calls `work` with a ring on the stack.
pub(crate) type WithStackRing = fn(&Form, &ModulusParts<'_>, work: &mut dyn FnMut(&dyn Ring<u64>)) -> Result<(), Error>;

/// The place of a kernel's residues, and how to get its rings. Execution has one code path for each variant, and none for a single
/// kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Residence {
    /// In an arena, any number of residues.
    Arena {
        /// Prepares a ring for any number of calls.
        prepare: Prepare,
        /// Prepares the ring of one call on the stack if it fits.
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
    /// Whether its residues are plain and its products divisions, so that it has next to nothing to set up and takes any modulus, an even one as
    /// a whole; then `odd` is set as well. Plans of single powers and of products have it, tables and shared work do not.
    pub plain: bool,
    /// Whether its residues modulo odd numbers are in Montgomery's form; otherwise tables hold the numbers.
    pub(crate) montgomery: bool,
    /// Bits of a limb in its forms: 64, or less if the kernel works in a reduced radix.
    pub limb_bits: u32,
    /// Limbs in its radix, from the limbs of 64 bits.
    pub(crate) limbs: fn(usize) -> usize,
    /// How many powers one run computes: more than 1 for a kernel that computes several side by side.
    pub lanes: usize,
    /// The shortest modulus, in limbs of 64 bits: what is shorter has quicker kernels on every CPU.
    pub min_limbs: usize,
    /// The longest modulus, in limbs of 64 bits; none if only memory bounds it.
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
    /// Whether its built-in prices hold on this CPU. Where they do not, it is chosen only by prices that were measured there; a plan line or a
    /// setting may name it all the same.
    pub(crate) priced_here: fn() -> bool,
    /// For residues that are not limbs of 64 bits: from the bits of the modulus, the limbs of a residue in a table and its words in
    /// an arena. None if a residue is as long as its form says.
    pub(crate) residue_lengths: Option<fn(usize) -> [usize; 2]>,
    /// Bits of a limb of these residues, from the bits of the modulus.
    pub(crate) residue_limb_bits: fn(usize) -> u32,
    /// From the limbs of a modulus, those of the longest modulus that takes the same time: prices are sorted by it.
    pub(crate) padded_limbs: fn(usize) -> usize,
    /// Lengths at which the tuner measures in addition to the usual ones.
    pub tuned: &'static [usize],
    /// Whether its ring has [`add_canonical`](super::Ring::add_canonical).
    pub(crate) adds: bool,
    /// Whether lanes may read its residues from a table without conversion: those that its layout suits.
    pub(crate) packs_for_lanes: bool,
    /// The place of its residues.
    pub(crate) residence: Residence,
}

impl Entry {
    /// The defaults of a row: odd moduli of any length in words of 64 bits, on every CPU, for public numbers.
    pub(super) const DEFAULT: Entry = Entry {
        name: "",
        summary: "",
        odd: true,
        plain: false,
        montgomery: true,
        adds: true,
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
        priced_here: || true,
        residue_lengths: None,
        residue_limb_bits: |_| 64,
        padded_limbs: |limbs| limbs,
        tuned: &[],
        packs_for_lanes: false,
        residence: arena(|form, _| Err(Error::BadPlan(format!("{form} has no ring")))),
    };

    /// Whether it takes moduli of `limbs` limbs of 64 bits.
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

/// An arena whose rings do not fit the stack.
pub(super) const fn arena(prepare: Prepare) -> Residence {
    Residence::Arena { prepare, with_stack_ring: None }
}

impl Kernel {
    /// The kernel of a row of the registry.
    pub(super) const fn of(row: &'static Entry) -> Self {
        Self(row)
    }

    /// Its row in the registry.
    #[inline]
    pub fn entry(self) -> &'static Entry {
        self.0
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

    /// The place of its residues.
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

    /// Whether the ring of a modulus is kept for further powers.
    pub(crate) fn is_kept(self) -> bool {
        self.has_arena() && !self.entry().plain
    }

    /// Whether it batches elements in the order of the list: it fills its lanes so quickly that sorting does not pay.
    pub(crate) fn batches_in_order(self) -> bool {
        !cfg!(target_arch = "wasm32") && matches!(self.residence(), Residence::LimbLanes)
    }

    /// The most bits that its lanes shift by without a reduction, for moduli of this length in a form of n limbs; 0 if they do not.
    pub(crate) fn shift_bits(self, n: usize, modulus_bits: usize) -> u32 {
        self.lane_family().map_or(0, |family| (family.shift_bits)(n, modulus_bits))
    }

    /// The rings of a kernel that works on lanes of vectors.
    pub(crate) fn lane_family(self) -> Option<LaneFamily> {
        match self.residence() {
            Residence::Vectors(family) => Some(family),
            _ => None,
        }
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for Kernel {}

impl Hash for Kernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::ptr::hash(self.0, state);
    }
}

/// Its name.
impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry().name)
    }
}
