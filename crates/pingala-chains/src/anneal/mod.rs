//! Annealing on the dictionary: the method that finds the shortest chains for exponents without much structure.
//!
//! State: a short chain, the dictionary S. Its cost is |S| - 1 for itself, plus what the main line takes that begins with one
//! element and shifts and adds elements up to the target: the doublings and the fewest terms, by `parse`. Moves: add the
//! sum of two elements, or a number that stands in the target and is such a sum; remove an element; exchange one; add a run of
//! doublings and one sum; remove an element with all that depends on it. A worse state is accepted with probability
//! exp(-more/T), the temperature T falling geometrically \[kirkpatrick1983optimization\].
//!
//! States that cost nearly as little as the cheapest are put together with terms that overlap as well,
//! by `overlap`: the shortest chain is then seldom that of the cheapest state.
//!
//! Everything follows from seed and number of moves.

mod dictionary;
mod overlap;
mod parse;
pub(crate) mod random;

use crate::elements::chain_of_elements;
use crate::methods::main_line;
use dashu_int::UBig;
use dictionary::Dictionary;
use overlap::Overlap;
use pingala_core::Error;
use pingala_core::algorithm::Chain;
use pingala_core::exponent::Exponent;
use random::Random;

/// The longest target, in bits: terms and places are counted in 16 bits.
pub(crate) const MAX_BITS: usize = 1 << 13;
/// The longest element, with room for a sum of two. Elements as long as the target are ten times slower and find nothing shorter.
const ELEMENT_BITS: usize = 62;
/// Temperature of the first move and of the last, in steps of the chain.
const TEMPERATURES: (f64, f64) = (1.0, 0.15);

/// Moves between two questions whether the search goes on: a tenth of a second for targets of 4000 bits.
const MOVES_BETWEEN: u64 = 1 << 13;

/// So many steps above the cheapest state, terms that overlap are looked at: docs/records/chains.md.
const NEARLY: usize = 2;

/// A part of a search, and the number of its units if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// The exhaustive search of a short exponent, which ends at an unknown time.
    Exhaustive,
    /// The methods, each a unit.
    Methods(u64),
    /// The annealing, whose units are moves.
    Annealing(u64),
    /// Steps in vain are removed from the chains of the annealing, each a unit.
    Pruning(u64),
}

/// Is told how a search goes, and may end it.
pub trait Progress: Sync {
    /// So many moves are done; the best chain so far has this length. False ends the search. Asked before the first move too, by the
    /// methods that come before the annealing and by the exhaustive search.
    fn goes_on(&self, moves: u64, best: usize) -> bool;

    /// A part of the search begins.
    fn begins(&self, _: Phase) {}

    /// This number of units of the part is done in addition. Several threads report.
    fn done(&self, _: u64) {}

    /// How much of the time of all is over, from 0 to 1, where time decides and not the number of moves: the search cools down with it.
    fn share(&self) -> Option<f64> {
        None
    }
}

impl Progress for () {
    fn goes_on(&self, _: u64, _: usize) -> bool {
        true
    }
}

/// The parameters of one run.
#[derive(Clone, Debug)]
pub struct Annealing {
    /// Moves.
    pub moves: u64,
    /// Of the choices.
    pub seed: u64,
    /// The part of the time of all that is this run's, where time decides.
    pub(crate) part: (f64, f64),
}

impl Annealing {
    /// With all of the time.
    pub fn new(moves: u64, seed: u64) -> Self {
        Self { moves, seed, part: (0.0, 1.0) }
    }

    /// The shortest chain found, from the dictionary of a chain for the same target.
    ///
    /// # Errors
    /// [`Error::TooLong`] for a target of more than 8192 bits.
    pub fn run(&self, from: &Chain, progress: &dyn Progress) -> Result<Chain, Error> {
        let bits = from.target().bits();
        if bits > MAX_BITS {
            let (length, cap) = (bits as u64, MAX_BITS as u64);
            return Err(Error::TooLong { what: "the exponent of an annealing", length, cap });
        }
        let Some(mut dictionary) = start(from) else { return Ok(from.clone()) };
        let mut random = Random::new(self.seed);
        let mut cost = dictionary.price().expect("a dictionary has a price");
        let overlap = Overlap::new(bits_of(from.target()));
        let mut best = Best { overlap, cheapest: cost, length: from.length(), found: None };
        best.look(cost, &dictionary);
        // How likely a state that costs so much more is accepted, in units of 2^-64.
        let mut accepted = [0u64; 16];
        for moves in 0..self.moves {
            if moves % 1024 == 0 {
                let (first, last) = TEMPERATURES;
                let done = self.done(moves, progress);
                if done >= 1.0 {
                    break;
                }
                let temperature = first * (last / first).powf(done);
                for (more, accepted) in accepted.iter_mut().enumerate() {
                    *accepted = ((-(more as f64) / temperature).exp() * 2f64.powi(64)) as u64;
                }
                if moves % MOVES_BETWEEN == 0 {
                    progress.done(MOVES_BETWEEN.min(moves));
                    if !progress.goes_on(moves, best.length) {
                        break;
                    }
                }
            }
            let is_accepted = change(&mut dictionary, &mut random, accepted[1]);
            if !dictionary.is_changed() {
                continue;
            }
            match dictionary.price() {
                Some(price)
                    if is_accepted
                        || price <= cost
                        || accepted.get(price - cost).is_some_and(|&limit| random.next() < limit) =>
                {
                    cost = price;
                    dictionary.keep();
                    best.look(cost, &dictionary);
                }
                _ => dictionary.undo(),
            }
        }
        match best.found {
            Some((elements, line)) => chain_of(from.target(), &elements, &line),
            None => Ok(from.clone()),
        }
    }

    /// How much of this run is over.
    fn done(&self, moves: u64, progress: &dyn Progress) -> f64 {
        let (from, to) = self.part;
        match progress.share() {
            Some(share) => ((share - from) / (to - from)).max(0.0),
            None => moves as f64 / self.moves as f64,
        }
    }
}

/// The shortest chain so far.
struct Best {
    overlap: Overlap,
    /// What the cheapest state costs without overlap.
    cheapest: usize,
    length: usize,
    /// A chain that is shorter than the one to begin with.
    found: Option<(Vec<u64>, MainLine)>,
}

impl Best {
    /// Takes the chain of a state of this cost, if that is the shortest.
    fn look(&mut self, cost: usize, dictionary: &Dictionary) {
        self.cheapest = self.cheapest.min(cost);
        if cost > self.cheapest + NEARLY {
            return;
        }
        if let Some(length) = self.overlap.price(dictionary.elements()).filter(|&length| length < self.length) {
            self.length = length;
            self.found = Some((dictionary.elements().to_vec(), self.overlap.main_line()));
        }
    }
}

/// How a target is put together from elements.
#[derive(Debug)]
struct MainLine {
    /// The element with which it begins.
    first: u64,
    /// The doublings from there on.
    left: usize,
    /// The elements that it adds, each with the power of 2 that it is multiplied by, the highest power first.
    terms: Vec<(u64, usize)>,
}

impl MainLine {
    /// With terms in any order. An element with zeros behind its odd part may come behind one that stands further back.
    fn new(first: u64, left: usize, mut terms: Vec<(u64, usize)>) -> Self {
        terms.sort_by_key(|&(_, power)| core::cmp::Reverse(power));
        Self { first, left, terms }
    }
}

/// The bits of the target, the highest first.
fn bits_of(target: &Exponent) -> Vec<bool> {
    (0..target.bits()).rev().map(|place| target.bit(place)).collect()
}

/// The least dictionary that begins the chain and does not make it longer; if there is none, the first one of least cost.
fn start(from: &Chain) -> Option<Dictionary> {
    let short = |number: &UBig| u64::try_from(number).ok().filter(|&number| bit_len(number) <= ELEMENT_BITS);
    let mut elements: Vec<u64> = crate::elements::elements(from).iter().filter_map(short).collect();
    elements.sort_unstable();
    elements.dedup();
    let bits = bits_of(from.target());
    let mut best: Option<(usize, usize)> = None;
    for count in 1..=elements.len() {
        // An element that only goes on with a run of doublings is not yet worth a look.
        let Some(mut dictionary) = Dictionary::new(bits.clone(), &elements[..count]) else { break };
        let price = dictionary.price()?;
        if best.is_none_or(|(least, _)| price < least) {
            best = Some((price, count));
        }
    }
    Dictionary::new(bits, &elements[..best?.1])
}

/// Tries one move and returns whether it was accepted. A move that gives no dictionary changes nothing. Most new elements do not change how
/// the target is put together. This is detected at once: such a move costs one step more and is accepted here with the probability that
/// `dearer` states.
fn change(dictionary: &mut Dictionary, random: &mut Random, dearer: u64) -> bool {
    let n_elements = dictionary.elements().len();
    let any = |dictionary: &Dictionary, random: &mut Random| dictionary.elements()[random.below(n_elements)];
    let sum = |dictionary: &Dictionary, random: &mut Random| {
        let sum = any(dictionary, random) + any(dictionary, random);
        (bit_len(sum) <= ELEMENT_BITS).then_some(sum)
    };
    let standing = |dictionary: &Dictionary, random: &mut Random| {
        let (place, length) = (random.below(dictionary.parse().bits()), 2 + random.below(14));
        dictionary.parse().at(place, length).filter(|&value| dictionary.is_new_sum(value))
    };
    let removable = |random: &mut Random| match n_elements {
        ..2 => None,
        _ => Some(1 + random.below(n_elements - 1)),
    };
    let insert = |dictionary: &mut Dictionary, random: &mut Random, value: Option<u64>| {
        let Some(value) = value else { return false };
        let is_idle = dictionary.is_idle(value);
        if !is_idle || random.next() < dearer {
            dictionary.insert(value);
        }
        is_idle
    };
    // The shares in percent; docs/records/chains.md has what others gave.
    match random.below(100) {
        0..27 => {
            let value = sum(dictionary, random);
            return insert(dictionary, random, value);
        }
        27..38 => {
            let value = standing(dictionary, random);
            return insert(dictionary, random, value);
        }
        38..64 => {
            if let Some(place) = removable(random)
                && dictionary.can_remove(place)
            {
                dictionary.remove(dictionary.elements()[place]);
            }
        }
        64..96 => {
            let Some(place) = removable(random) else { return false };
            let new = if random.below(2) == 0 { sum(dictionary, random) } else { standing(dictionary, random) };
            if let Some(new) = new
                && (dictionary.is_element(new) || dictionary.can_exchange(place, new))
            {
                dictionary.remove(dictionary.elements()[place]);
                dictionary.insert(new);
            }
        }
        96..98 => {
            let (a, b) = (any(dictionary, random), any(dictionary, random));
            let doublings = match random.below(3) {
                0 => bit_len(b),
                1 => 1 + random.below(8),
                _ => 1 + random.below(bit_len(b)),
            };
            // The sum may have a bit more than its terms.
            if bit_len(a) + doublings < ELEMENT_BITS && bit_len((a << doublings) + b) <= ELEMENT_BITS {
                for k in 1..=doublings {
                    dictionary.insert(a << k);
                }
                dictionary.insert((a << doublings) + b);
            }
        }
        _ => {
            if let Some(place) = removable(random) {
                dictionary.remove(dictionary.elements()[place]);
                dictionary.remove_unsupported();
            }
        }
    }
    false
}

/// The chain of these elements and of a main line.
fn chain_of(target: &Exponent, elements: &[u64], line: &MainLine) -> Result<Chain, Error> {
    let mut all: Vec<UBig> = elements.iter().copied().map(UBig::from).collect();
    let terms: Vec<(UBig, usize)> = line.terms.iter().map(|&(term, power)| (term.into(), power)).collect();
    main_line((line.first.into(), line.left), &terms, &mut all);
    let chain = chain_of_elements(all)?;
    if chain.target() != target {
        return Err(Error::Fault("an annealed chain leads elsewhere"));
    }
    Ok(chain)
}

/// The place of the highest 1, counted from 1; 0 for 0.
fn bit_len(number: u64) -> usize {
    64 - number.leading_zeros() as usize
}

#[cfg(test)]
#[path = "../../tests/inside/anneal/mod.rs"]
mod tests;
