//! A kernel with its parameters, as plan lines print it, and how its residues lie.

use super::descriptor::{Kernel, Residence};
use super::montgomery::Product;
use super::threshold::{Settings, Threshold};
use crate::error::Error;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
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
        let entry = self.kernel.entry();
        let (limb_bits, limbs) = ((entry.residue_limb_bits)(bits), self.residue_lengths(bits)[0]);
        Layout { odd: entry.odd, montgomery: entry.odd && entry.montgomery, limb_bits, limbs }
    }

    /// Bytes that a residue takes in an arena, padding included, modulo an odd number of `bits` bits or modulo
    /// 2^`bits`.
    pub fn residue_bytes(&self, bits: usize) -> usize {
        size_of::<u64>() * self.residue_lengths(bits)[1]
    }

    /// Whether two of its products that do not wait for each other take hardly longer than one.
    #[inline]
    pub(crate) fn pairs(&self) -> bool {
        matches!(self.kernel.residence(), Residence::Registers(rings) if rings.pairs(self.n))
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

/// The layout of residues in a table: limbs of `limb_bits` bits, a word each, least significant first. In Montgomery's form
/// the table holds x 2^(limb_bits limbs) for a residue x, otherwise x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Whether the modulus is odd; otherwise it is a power of two.
    pub odd: bool,
    /// Whether residues are in Montgomery's form; only modulo an odd number.
    pub montgomery: bool,
    /// Bits of a limb.
    pub limb_bits: u32,
    /// Limbs of a residue.
    pub limbs: usize,
}

impl Layout {
    /// The exponent of the power of two by which every residue is multiplied.
    pub fn scaling_bits(&self) -> usize {
        if self.montgomery { self.limb_bits as usize * self.limbs } else { 0 }
    }

    /// Bytes of a residue.
    pub fn bytes(&self) -> usize {
        size_of::<u64>() * self.limbs
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_kernel(f, self.kernel, Some(self.n), self.product, Some(self.settings))
    }
}

/// Writes a kernel with its parameters; thresholds that have their default values are left out.
pub(super) fn write_kernel(
    f: &mut fmt::Formatter<'_>,
    kernel: Kernel,
    n: Option<usize>,
    product: Option<Product>,
    settings: Option<Settings>,
) -> fmt::Result {
    let usual = kernel.usual_settings();
    let named = |(place, threshold): (usize, &Threshold)| {
        let value = settings?.get(place);
        (value != usual.get(place)).then(|| format!("{}={value}", threshold.name))
    };
    let n = n.map(|n| format!("n={n}"));
    let product = product.map(|product| format!("product={product}"));
    let settings = kernel.entry().thresholds.iter().enumerate().filter_map(named);
    let parameters: Vec<String> = n.into_iter().chain(product).chain(settings).collect();
    f.write_str(kernel.entry().name)?;
    if parameters.is_empty() { Ok(()) } else { write!(f, "({})", parameters.join(", ")) }
}

#[cfg(test)]
#[path = "../../tests/inside/kernel/form.rs"]
mod tests;
