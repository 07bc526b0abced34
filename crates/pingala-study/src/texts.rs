//! The products of `product` and `montgomery` by name, each run over any word: to count them, run them over a word that counts.

use crate::organisations::{cihs, fios, fips, karatsuba_comba, separated_comba};
use core::fmt;
use pingala_core::kernels::Product;
use pingala_core::texts::comba::{self, Comba};
use pingala_core::texts::{Constants, OddRing, Unreduced, Word};
use pingala_core::texts::{cios, karatsuba, karatsuba_sos, kcm, schoolbook, sos};

/// The longest operands, in words.
const MOST_WORDS: usize = 1 << 13;

/// The text of a product, with its parameter.
///
/// The first three multiply; the others are Montgomery products a b R^-1 mod m with the final subtraction, with the names
/// of plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Text {
    /// Operand scanning by tiles of `tile` words, 1 to 8; 1 is the textbook method.
    Schoolbook {
        /// Words of a tile; must divide the length.
        tile: usize,
    },
    /// Product scanning; up to 8 words as straight-line code.
    Comba,
    /// Karatsuba on Comba leaves of at most `leaf` words.
    Karatsuba {
        /// Longest leaf, at least 1.
        leaf: usize,
    },
    /// Separated operand scanning by tiles of `tile` words, 1 to 8; 1 is the method of the paper.
    Sos {
        /// Words of a tile; must divide the length.
        tile: usize,
    },
    /// Coarsely integrated operand scanning.
    Cios,
    /// Finely integrated operand scanning.
    Fios,
    /// Finely integrated product scanning.
    Fips,
    /// Coarsely integrated hybrid scanning.
    Cihs,
    /// Comba product, then reduction by product scanning.
    SeparatedComba,
    /// Karatsuba product on Comba leaves, then reduction by product scanning.
    KaratsubaComba {
        /// Longest leaf, at least 1.
        leaf: usize,
    },
    /// Karatsuba product on Comba leaves, then reduction by the tiles that the library uses for the length.
    KaratsubaSos {
        /// Longest leaf, at least 1.
        leaf: usize,
    },
    /// Karatsuba on Comba leaves in product, quotient and reduction; even lengths.
    Kcm {
        /// Longest leaf, at least 1.
        leaf: usize,
    },
}

/// A product of two operands, or a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// a * b.
    Mul,
    /// a^2 if the text has a squaring of its own, otherwise a * a.
    Sqr,
}

impl Operation {
    /// Both operations.
    pub const ALL: [Operation; 2] = [Operation::Mul, Operation::Sqr];

    /// `mul` or `sqr`.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Mul => "mul",
            Operation::Sqr => "sqr",
        }
    }
}

impl Text {
    /// Every text that runs at this length, with each value of its parameter that makes a difference: tiles that divide the length,
    /// leaves that halving produces.
    pub fn all(words: usize) -> Vec<Text> {
        let tiles = |text: fn(usize) -> Text| (1..=schoolbook::TILE).map(text);
        let leaves = |text: fn(usize) -> Text| {
            let halved = core::iter::successors(Some(words), |&n| (n > 1).then(|| n.div_ceil(2)));
            halved.map(text).collect::<Vec<_>>().into_iter().rev()
        };
        let fixed = [Text::Comba, Text::Cios, Text::Fios, Text::Fips, Text::Cihs, Text::SeparatedComba];
        tiles(|tile| Text::Schoolbook { tile })
            .chain(tiles(|tile| Text::Sos { tile }))
            .chain(fixed)
            .chain(leaves(|leaf| Text::Karatsuba { leaf }))
            .chain(leaves(|leaf| Text::KaratsubaComba { leaf }))
            .chain(leaves(|leaf| Text::KaratsubaSos { leaf }))
            .chain(leaves(|leaf| Text::Kcm { leaf }))
            .filter(|text| text.takes(words))
            .collect()
    }

    /// The name without the parameter.
    pub const fn name(self) -> &'static str {
        self.parts().0
    }

    /// The name, and the parameter by its own.
    const fn parts(self) -> (&'static str, Option<(&'static str, usize)>) {
        match self {
            Text::Schoolbook { tile } => ("schoolbook", Some(("tile", tile))),
            Text::Comba => ("comba", None),
            Text::Karatsuba { leaf } => ("karatsuba", Some(("leaf", leaf))),
            Text::Sos { tile } => (Product::Sos.name(), Some(("tile", tile))),
            Text::Cios => (Product::Cios.name(), None),
            Text::Fios => ("fios", None),
            Text::Fips => ("fips", None),
            Text::Cihs => ("cihs", None),
            Text::SeparatedComba => ("separated_comba", None),
            Text::KaratsubaComba { leaf } => ("karatsuba_comba", Some(("leaf", leaf))),
            Text::KaratsubaSos { leaf } => (Product::KaratsubaSos.name(), Some(("leaf", leaf))),
            Text::Kcm { leaf } => (Product::Kcm.name(), Some(("leaf", leaf))),
        }
    }

    /// Whether the text can run at this length with its parameter.
    pub fn takes(self, words: usize) -> bool {
        let fits = match self {
            Text::Schoolbook { tile } | Text::Sos { tile } => tile <= schoolbook::TILE && words.is_multiple_of(tile),
            Text::Kcm { .. } => words.is_multiple_of(2),
            _ => true,
        };
        fits && (1..=MOST_WORDS).contains(&words) && self.parts().1.is_none_or(|(_, parameter)| parameter > 0)
    }
}

/// `cios`, `sos(tile=1)`, `kcm(leaf=8)`.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts() {
            (name, Some((parameter, value))) => write!(f, "{name}({parameter}={value})"),
            (name, None) => f.write_str(name),
        }
    }
}

/// Operands of one length, the constants of an odd modulus, and scratch memory.
#[derive(Debug)]
pub struct Operands<W: Word> {
    /// The first operand; the operand of a square.
    pub a: Vec<W>,
    /// The second operand.
    pub b: Vec<W>,
    ring: OddRing<W>,
    /// Twice the length for a product, the length for a Montgomery product.
    pub result: Vec<W>,
    scratch: Vec<W>,
}

/// T R^-1, below 2m, by tiles of rows.
fn redc_tiles<'t, W: Word>(t: &'t mut [W], constants: &Constants<'_, W>, tile: usize) -> Unreduced<'t, W> {
    let overflow = sos::redc_tiles(t, constants.m, constants.m_prime, tile);
    Unreduced { words: &t[constants.m.len()..], overflow }
}

impl<W: Word> Operands<W> {
    /// The modulus must be odd and as long as a and b. For a Montgomery product a and b must be below it.
    pub fn new(a: Vec<W>, b: Vec<W>, modulus: &[W]) -> Self {
        let n = a.len();
        // The constants of KCM include those of every other text; KCM takes even lengths only.
        let product = if n.is_multiple_of(2) { Product::Kcm } else { Product::Cios };
        let room = 2 * n + kcm::scratch_words(n, 1).max(karatsuba_comba::scratch_words(n, 1));
        Self { a, b, ring: OddRing::new(modulus, product), result: vec![W::ZERO; 2 * n], scratch: vec![W::ZERO; room] }
    }

    /// Operands of arbitrary value, for counting: the counts do not depend on values.
    pub fn some(n: usize) -> Self {
        let word = |i: usize| W::from_u64((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - W::BITS));
        let mut modulus = vec![W::MAX; n];
        modulus[0] = W::MAX.sub_out(W::ONE.shift_left(2)).0;
        let (a, b): (Vec<W>, Vec<W>) = (0..n).map(|i| (word(i), word(i + n))).unzip();
        // A modulus of one word is b - 5, which is above both numbers.
        Self::new(a, b, &modulus)
    }

    /// Runs the text; `result` has the product afterwards.
    pub fn run(&mut self, text: Text, operation: Operation) {
        let Self { a, b, ring, result, scratch } = self;
        let (a, b) = (&a[..], &b[..]);
        let n = a.len();
        let square = operation == Operation::Sqr;
        let constants: &Constants<'_, W> = &ring.montgomery();
        let scan =
            |out: &mut [W], tile| if square { schoolbook::sqr(out, a, tile) } else { schoolbook::mul(out, a, b, tile) };
        let halve = |out: &mut [W], scratch: &mut [W], leaf| {
            if square {
                karatsuba::sqr(out, a, Comba(leaf), scratch);
            } else {
                karatsuba::mul(out, a, b, Comba(leaf), scratch);
            }
        };
        let t = &mut scratch[..];
        let unreduced = match (text, square) {
            (Text::Schoolbook { tile }, _) => return scan(result, tile),
            (Text::Comba, false) => return comba::mul(result, a, b),
            (Text::Comba, true) => return comba::sqr(result, a),
            (Text::Karatsuba { leaf }, _) => return halve(result, t, leaf),
            (Text::Sos { tile }, _) => {
                let product = &mut t[..2 * n];
                scan(product, tile);
                redc_tiles(product, constants, tile)
            }
            (Text::Cios, false) => cios::mul(t, a, b, constants),
            (Text::Cios, true) => cios::mul(t, a, a, constants),
            (Text::Fios, false) => fios::mul(t, a, b, constants),
            (Text::Fios, true) => fios::mul(t, a, a, constants),
            (Text::Fips, false) => fips::mul(t, a, b, constants),
            (Text::Fips, true) => fips::sqr(t, a, constants),
            (Text::Cihs, false) => cihs::mul(t, a, b, constants),
            (Text::Cihs, true) => cihs::mul(t, a, a, constants),
            (Text::SeparatedComba, false) => separated_comba::mul(t, a, b, constants),
            (Text::SeparatedComba, true) => separated_comba::sqr(t, a, constants),
            (Text::KaratsubaComba { leaf }, false) => karatsuba_comba::mul(t, a, b, constants, Comba(leaf)),
            (Text::KaratsubaComba { leaf }, true) => karatsuba_comba::sqr(t, a, constants, Comba(leaf)),
            (Text::KaratsubaSos { leaf }, _) => {
                let (product, rest) = t.split_at_mut(2 * n);
                let tile = schoolbook::tile_words(n);
                if square && schoolbook::TILE < n && n < karatsuba_sos::USUAL_KARATSUBA_SQUARES {
                    scan(product, tile);
                } else {
                    halve(product, rest, leaf);
                }
                redc_tiles(product, constants, tile)
            }
            (Text::Kcm { leaf }, _) => {
                let (product, rest) = t.split_at_mut(2 * n);
                halve(product, rest, leaf);
                kcm::redc(product, constants, Comba(leaf), rest)
            }
        };
        unreduced.finish(&mut result[..n], constants.m);
    }
}
