//! The kernels by name: what each is, what it asks of the processor, what it computes.

use super::cpu;
use super::montgomery::Product;
use core::ops::RangeInclusive;

/// Which residue rings a kernel computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rings {
    /// Modulo odd numbers, in Montgomery form.
    Odd,
    /// Modulo powers of two.
    PowerOfTwo,
}

/// One row of the registry.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Instruction family and radix, as plans print it.
    pub(crate) name: &'static str,
    /// One line for `pingala info`.
    pub(crate) description: &'static str,
    /// Extensions it needs, as `cpu` names them.
    pub(crate) needs: &'static [&'static str],
    /// The rings it computes in.
    pub(crate) rings: Rings,
    /// The Montgomery products that its parameter `product` may name; empty if it takes none.
    pub(crate) products: &'static [Product],
    /// The lengths `n`, in words of its radix, that it takes.
    pub(crate) words: RangeInclusive<usize>,
    /// The lengths for which it also has by-value residues (`kernel::fixed`).
    pub(crate) fixed_words: RangeInclusive<usize>,
    /// Whether its time is independent of the values of residues and modulus.
    pub(crate) constant_time: bool,
}

/// All kernels, the portable ones first: they are the reference of all others.
pub(crate) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "portable_r64",
        description: "Montgomery products in plain Rust on 64-bit limbs",
        needs: &[],
        rings: Rings::Odd,
        products: &Product::ALL,
        words: 1..=usize::MAX,
        fixed_words: 1..=4,
        constant_time: true,
    },
    Kernel {
        name: "portable_low_r64",
        description: "low products modulo 2^k in plain Rust on 64-bit limbs",
        needs: &[],
        rings: Rings::PowerOfTwo,
        products: &[],
        words: 1..=usize::MAX,
        fixed_words: 1..=4,
        constant_time: true,
    },
];

impl Kernel {
    /// The kernel of that name, whether or not this processor can run it.
    pub(crate) fn named(name: &str) -> Option<&'static Kernel> {
        KERNELS.iter().find(|kernel| kernel.name == name)
    }

    /// Whether this processor can run it.
    pub(crate) fn is_available(&self) -> bool {
        cpu::has_all(self.needs)
    }

    /// Whether it takes `n` words, by the given product if it takes one.
    pub(crate) fn accepts(&self, n: usize, product: Option<Product>) -> bool {
        let product_fits = match product {
            Some(product) => self.products.contains(&product),
            None => self.products.is_empty(),
        };
        self.words.contains(&n) && product_fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (i, kernel) in KERNELS.iter().enumerate() {
            assert_eq!(Kernel::named(kernel.name).map(|found| found.name), Some(kernel.name));
            assert!(KERNELS[..i].iter().all(|other| other.name != kernel.name));
            assert!(!kernel.description.is_empty() && kernel.fixed_words.end() <= kernel.words.end());
        }
        assert!(Kernel::named("portable").is_none());
    }

    #[test]
    fn the_portable_kernels_run_everywhere() {
        let odd = Kernel::named("portable_r64").expect("listed");
        let low = Kernel::named("portable_low_r64").expect("listed");
        assert!(odd.is_available() && low.is_available() && odd.constant_time && low.constant_time);
        assert_eq!((odd.rings, low.rings), (Rings::Odd, Rings::PowerOfTwo));
        assert!(odd.accepts(32, Some(Product::Kcm)) && !odd.accepts(32, None) && !odd.accepts(0, Some(Product::Sos)));
        assert!(low.accepts(1, None) && !low.accepts(1, Some(Product::Sos)));
    }

    #[test]
    fn product_names_parse_back() {
        for product in Product::ALL {
            assert_eq!(product.to_string().parse::<Product>(), Ok(product));
        }
        assert!("kcm2".parse::<Product>().is_err());
    }
}
