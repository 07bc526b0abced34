//! The addition chain that an algorithm follows: the integers under addition, recorded.

use pingala_core::Error;
use pingala_core::algorithm::{Algorithm, Chain, Monoid, Register};
use pingala_core::exponent::Exponent;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Runs a program on exponents of g: the base is 1, the identity 0, a product a sum, and every sum that is new is
/// recorded as an element with the indices of its two terms.
///
/// What is no step of a chain is not recorded: copies, selections, the identity and products by it, and a sum that is
/// an element already. [`ChainRecorder::into_chain`] leaves out what stands above the target too, which the target
/// cannot depend on.
#[derive(Clone, Debug)]
pub struct ChainRecorder {
    cells: Vec<Cell>,
    elements: Vec<Exponent>,
    pairs: Vec<(usize, usize)>,
    places: HashMap<Exponent, usize>,
}

#[derive(Clone, Copy, Debug)]
enum Cell {
    Unwritten,
    Identity,
    Element(usize),
}

impl Default for ChainRecorder {
    fn default() -> Self {
        Self::new()
    }
}

impl ChainRecorder {
    /// The base stands in its register; a_0 = 1 is the only element.
    pub fn new() -> Self {
        let one = Exponent::one();
        Self {
            cells: vec![Cell::Element(0)],
            elements: vec![one.clone()],
            pairs: Vec::new(),
            places: HashMap::from([(one, 0)]),
        }
    }

    /// The chain up to the element in `result`, in the order of its recording.
    ///
    /// # Errors
    /// [`Error::BadArgument`] if `result` holds the identity, which has no chain, or the chain is too long for [`Chain`].
    ///
    /// # Panics
    /// If the program never wrote `result`.
    pub fn into_chain(self, result: Register) -> Result<Chain, Error> {
        let Cell::Element(target) = self.read(result) else {
            return Err(Error::BadArgument("the identity has no addition chain".into()));
        };
        let bound = self.elements[target].magnitude();
        // The terms of an element are below it, so what is kept depends on what is kept only.
        let mut kept = vec![0; target + 1];
        let mut pairs = Vec::new();
        for (place, &(low, high)) in (1..=target).zip(&self.pairs) {
            if self.elements[place].magnitude() <= bound {
                pairs.push((kept[low], kept[high]));
                kept[place] = pairs.len();
            }
        }
        Chain::from_pairs(pairs)
    }

    fn read(&self, register: Register) -> Cell {
        match self.cells.get(register.0) {
            None | Some(Cell::Unwritten) => panic!("register {} is read before it is written", register.0),
            Some(&cell) => cell,
        }
    }

    fn write(&mut self, out: Register, cell: Cell) {
        if out.0 >= self.cells.len() {
            self.cells.resize(out.0 + 1, Cell::Unwritten);
        }
        self.cells[out.0] = cell;
    }

    fn sum(&mut self, a: Cell, b: Cell) -> Cell {
        let (Cell::Element(a), Cell::Element(b)) = (a, b) else {
            return if matches!(a, Cell::Element(_)) { a } else { b };
        };
        let sum = &self.elements[a] + &self.elements[b];
        match self.places.entry(sum) {
            Entry::Occupied(known) => Cell::Element(*known.get()),
            Entry::Vacant(new) => {
                self.elements.push(new.key().clone());
                self.pairs.push((a.min(b), a.max(b)));
                Cell::Element(*new.insert(self.pairs.len()))
            }
        }
    }
}

impl Monoid for ChainRecorder {
    type Digit = usize;

    fn one(&mut self, out: Register) {
        self.write(out, Cell::Identity);
    }

    fn copy(&mut self, out: Register, from: Register) {
        self.write(out, self.read(from));
    }

    fn mul(&mut self, out: Register, a: Register, b: Register) {
        let sum = self.sum(self.read(a), self.read(b));
        self.write(out, sum);
    }

    fn sqr_n(&mut self, out: Register, a: Register, count: usize) {
        let doubled = (0..count).fold(self.read(a), |cell, _| self.sum(cell, cell));
        self.write(out, doubled);
    }

    fn mul_base(&mut self, out: Register, a: Register) {
        let sum = self.sum(Cell::Element(0), self.read(a));
        self.write(out, sum);
    }

    fn select(&mut self, out: Register, first: Register, length: usize, digit: usize) {
        assert!(digit < length, "digit {digit} selects from a table of {length}");
        self.copy(out, Register(first.0 + digit));
    }
}

/// The addition chain that this algorithm follows for this exponent.
///
/// ```
/// # use pingala_core::{Natural, algorithm::BinaryLeftToRight, exponent::Exponent};
/// # use pingala_study::reading::chain_of;
/// let thirteen = Exponent::new(Natural::from(13u64)).unwrap();
/// let chain = chain_of(&BinaryLeftToRight.into(), &thirteen).unwrap();
/// assert_eq!(chain.to_string(), "1 2 3 6 12 13\n(0,0) (0,1) (2,2) (3,3) (0,4)");
/// ```
///
/// # Errors
/// [`Error::BadArgument`] if the algorithm is an addition chain for another exponent, or the chain has more steps than
/// [`Chain`] accepts: an exponent that must have more is refused before any memory is taken.
pub fn chain_of(algorithm: &Algorithm, exponent: &Exponent) -> Result<Chain, Error> {
    if !algorithm.serves(exponent) {
        return Err(Error::BadArgument(format!("{} is a chain for another exponent", algorithm.name())));
    }
    Chain::check_steps(exponent.bits() - 1)?;
    let mut recorder = ChainRecorder::new();
    let result = algorithm.run(exponent, &mut recorder);
    recorder.into_chain(result)
}
