//! A kernel with its parameters, as plan lines print it, and how its residues lie.

use super::registry::{Entry, Kernel, Product, Residence};
use crate::error::Error;
use core::fmt;

/// A kernel with all its parameters: how it wants its residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The kernel.
    pub kernel: Kernel,
    /// Limbs of the modulus, as the kernel counts them.
    pub n: usize,
    /// The Montgomery product, for kernels that have a choice.
    pub product: Option<Product>,
    /// The thresholds of the kernel.
    pub settings: Settings,
}

/// A threshold of a kernel: a length from which, or up to which, it computes in another way. Results are the same for every legal
/// value; prices say which is the quickest on a CPU.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name in plans.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The usual value.
    pub usual: u8,
    /// The least legal value.
    pub least: u8,
    /// The greatest legal value.
    pub most: u8,
    /// Whether it is about numbers on their way into the form; otherwise about products.
    pub of_entering: bool,
    /// What the tuner compares with the usual value.
    pub tried: &'static [u8],
    /// Lengths of moduli, in limbs of 64 bits, at which the tuner compares.
    pub lengths: &'static [usize],
}

/// Most parameters of a kernel.
const MOST_PARAMETERS: usize = 5;

/// A value for each parameter of a kernel, in the order of its row; zeros where it has fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings([u8; MOST_PARAMETERS]);

impl Settings {
    /// The usual values.
    pub(super) fn usual(parameters: &[Parameter]) -> Self {
        let mut values = [0; MOST_PARAMETERS];
        for (value, parameter) in values.iter_mut().zip(parameters) {
            *value = parameter.usual;
        }
        Self(values)
    }

    /// The value of the parameter in this place of the row.
    pub fn get(&self, place: usize) -> usize {
        self.0[place].into()
    }

    /// The same but for one value. Error: none if it is not legal.
    pub(crate) fn with(mut self, parameters: &[Parameter], name: &str, value: usize) -> Option<Self> {
        let place = parameters.iter().position(|parameter| parameter.name == name)?;
        let Parameter { least, most, .. } = parameters[place];
        self.0[place] = u8::try_from(value).ok().filter(|value| (least..=most).contains(value))?;
        Some(self)
    }
}

impl Form {
    /// With the usual thresholds.
    pub fn new(kernel: Kernel, n: usize, product: Option<Product>) -> Self {
        Self { kernel, n, product, settings: kernel.usual_settings() }
    }

    /// The product; error `bad_plan` where none is named.
    pub(super) fn named_product(&self) -> Result<Product, Error> {
        self.product.ok_or_else(|| Error::BadPlan(format!("{self} names no product")))
    }

    /// How residues lie in a table modulo an odd number of `bits` bits, or modulo 2^`bits`.
    pub fn layout(&self, bits: usize) -> Layout {
        let limb_bits = if self.kernel.entry().residue_lengths.is_some() { 52 } else { 64 };
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
        let packs_alike = self.kernel.entry().packs_for_lanes;
        let lanes = Kernel::all().filter(|kernel| matches!(kernel.entry().residence, Residence::Vectors(_)));
        let here = lanes.filter(move |kernel| packs_alike && kernel.available());
        here.map(move |kernel| Form::new(kernel, n, None))
    }

    /// The form that makes tables for these lanes: one that they are [`Form::side_by_side`] of.
    pub(crate) fn maker(&self, bits: usize) -> Option<Form> {
        let packs_alike = |form: &Form| form.side_by_side(bits).any(|lanes| lanes.is_as_wide(self));
        forms(true, bits.div_ceil(64)).find(packs_alike)
    }

    /// Whether residues of both are alike, whatever the thresholds.
    pub(crate) fn is_as_wide(&self, other: &Form) -> bool {
        (self.kernel, self.n, self.product) == (other.kernel, other.n, other.product)
    }

    /// Limbs of a residue in a table, and its words in an arena.
    fn residue_lengths(&self, bits: usize) -> [usize; 2] {
        self.kernel.entry().residue_lengths.map_or([self.words(); 2], |lengths| lengths(bits))
    }

    /// Words that a kernel of full limbs computes with, by which its prices are sorted.
    pub fn words(&self) -> usize {
        match self.product {
            None => self.n,
            Some(product) if self.kernel.entry().pads => product.padded_words(self.n),
            Some(product) => product.unpadded_words(self.n),
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
        let usual = self.kernel.usual_settings();
        for (place, parameter) in self.kernel.entry().parameters.iter().enumerate() {
            if self.settings.get(place) != usual.get(place) {
                write!(f, ", {}={}", parameter.name, self.settings.get(place))?;
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
