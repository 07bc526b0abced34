//! A kernel with its parameters, as plan lines print it, and how its residues lie.

use super::registry::{Entry, Kernel, Product, Residence};
use crate::error::Error;
use core::fmt;

/// A kernel with all its parameters. It determines the layout of residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The kernel.
    pub kernel: Kernel,
    /// Limbs of the modulus, in the kernel's radix.
    pub n: usize,
    /// The Montgomery product, for kernels that have several.
    pub product: Option<Product>,
    /// The thresholds of the kernel.
    pub settings: Settings,
}

/// A threshold of a kernel: a length from which, or up to which, the kernel uses another algorithm. Every legal value gives the
/// same results; the prices of a CPU name the quickest.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// The name in plans.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The default value.
    pub usual: u8,
    /// The least legal value.
    pub least: u8,
    /// The greatest legal value.
    pub most: u8,
    /// Whether it affects the conversion of numbers into the form; otherwise it affects products.
    pub of_entering: bool,
    /// The values that the tuner compares with the default.
    pub tried: &'static [u8],
    /// Lengths of moduli, in limbs of 64 bits, at which the tuner compares.
    pub lengths: &'static [usize],
}

/// The largest number of thresholds that a kernel has.
const MOST_THRESHOLDS: usize = 5;

/// A value for each threshold of a kernel, in the order of the kernel's registry row; unused places are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings([u8; MOST_THRESHOLDS]);

impl Settings {
    /// The default values.
    pub(super) fn usual(thresholds: &[Threshold]) -> Self {
        let mut values = [0; MOST_THRESHOLDS];
        for (value, threshold) in values.iter_mut().zip(thresholds) {
            *value = threshold.usual;
        }
        Self(values)
    }

    /// The value of the threshold at this place in the registry row.
    pub fn get(&self, place: usize) -> usize {
        self.0[place].into()
    }

    /// The same settings with one value changed. None if the name is unknown or the value is not legal.
    pub fn with(mut self, thresholds: &[Threshold], name: &str, value: usize) -> Option<Self> {
        let place = thresholds.iter().position(|threshold| threshold.name == name)?;
        let Threshold { least, most, .. } = thresholds[place];
        self.0[place] = u8::try_from(value).ok().filter(|value| (least..=most).contains(value))?;
        Some(self)
    }
}

impl Form {
    /// A form with the default thresholds.
    pub fn new(kernel: Kernel, n: usize, product: Option<Product>) -> Self {
        Self { kernel, n, product, settings: kernel.usual_settings() }
    }

    /// The product. Error: `bad_plan` where the form names none.
    pub(super) fn named_product(&self) -> Result<Product, Error> {
        self.product.ok_or_else(|| Error::BadPlan(format!("{self} names no product")))
    }

    /// The layout of residues in a table, modulo an odd number of `bits` bits, or modulo 2^`bits`.
    pub fn layout(&self, bits: usize) -> Layout {
        let limb_bits = (self.kernel.entry().residue_limb_bits)(bits);
        Layout { odd: self.kernel.odd(), limb_bits, limbs: self.residue_lengths(bits)[0] }
    }

    /// Bytes that a residue takes in an arena, padding included, modulo an odd number of `bits` bits or modulo
    /// 2^`bits`.
    pub fn residue_bytes(&self, bits: usize) -> usize {
        size_of::<u64>() * self.residue_lengths(bits)[1]
    }

    /// The forms of this CPU that compute on eight packed residues of this form side by side: same limbs, same scaling.
    pub(crate) fn side_by_side(&self, bits: usize) -> impl Iterator<Item = Form> + use<> {
        let n = self.layout(bits).limbs;
        let packs_alike = self.kernel.entry().packs_for_lanes;
        let lanes = Kernel::all().filter(|kernel| matches!(kernel.entry().residence, Residence::Vectors(_)));
        let here = lanes.filter(move |kernel| packs_alike && kernel.available());
        here.map(move |kernel| Form::new(kernel, n, None))
    }

    /// The form that makes tables for this form of lanes: this one is among its [`Form::side_by_side`].
    pub(crate) fn maker(&self, bits: usize) -> Option<Form> {
        let packs_alike = |form: &Form| form.side_by_side(bits).any(|lanes| lanes.is_as_wide(self));
        forms(true, bits.div_ceil(64)).find(packs_alike)
    }

    /// Whether both forms store residues alike; thresholds do not matter.
    pub(crate) fn is_as_wide(&self, other: &Form) -> bool {
        (self.kernel, self.n, self.product) == (other.kernel, other.n, other.product)
    }

    /// Limbs of a residue in a table, and its words in an arena.
    fn residue_lengths(&self, bits: usize) -> [usize; 2] {
        self.kernel.entry().residue_lengths.map_or([self.words(); 2], |lengths| lengths(bits))
    }

    /// Words that a kernel of full limbs computes with; prices are sorted by them.
    pub fn words(&self) -> usize {
        match self.product {
            None => (self.kernel.entry().padded_limbs)(self.n),
            Some(product) if self.kernel.entry().pads => product.padded_words(self.n),
            Some(product) => product.unpadded_words(self.n),
        }
    }
}

/// The layout of residues in a table: limbs of `limb_bits` bits, a word each, least significant first. Modulo an odd number
/// the table holds x 2^(limb_bits limbs), Montgomery's form, for a residue x; modulo a power of two it holds x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Whether the modulus is odd; otherwise it is a power of two.
    pub odd: bool,
    /// Bits of a limb.
    pub limb_bits: u32,
    /// Limbs of a residue.
    pub limbs: usize,
}

impl Layout {
    /// The exponent of the power of two by which every residue is multiplied.
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
        let usual = self.kernel.usual_settings();
        for (place, threshold) in self.kernel.entry().thresholds.iter().enumerate() {
            if self.settings.get(place) != usual.get(place) {
                write!(f, ", {}={}", threshold.name, self.settings.get(place))?;
            }
        }
        f.write_str(")")
    }
}

/// Every form that this CPU has for a modulus of `n` limbs, odd or a power of two.
pub fn forms(odd: bool, n: usize) -> impl Iterator<Item = Form> {
    let takes = move |entry: &Entry| entry.odd == odd && entry.max_limbs.is_none_or(|most| n <= most);
    Kernel::all().filter(move |kernel| takes(kernel.entry()) && kernel.available()).flat_map(move |kernel| {
        let products = kernel.entry().products;
        let own = products.is_empty().then_some(Form::new(kernel, kernel.limbs(n), None));
        let named = products.iter().map(move |&product| Form::new(kernel, n, Some(product)));
        own.into_iter().chain(named)
    })
}
