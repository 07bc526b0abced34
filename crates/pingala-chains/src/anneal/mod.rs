//! Annealing on the dictionary: the method that finds the shortest chains for exponents without much structure.
//!
//! State: a short chain, the dictionary S. Its cost is |S| - 1 for itself, plus what the main line takes that begins with one
//! element and shifts and adds elements up to the target: the doublings and the fewest terms, by `parse`. Moves: add the
//! sum of two elements, or a number that stands in the target and is such a sum; remove an element; exchange one; add a run of
//! doublings and one sum; remove an element with all that depends on it. A worse state is accepted with probability
//! exp(-more/T), the temperature T falling geometrically \[kirkpatrick1983optimization\]. Where steps differ in price or registers
//! count, the state's cost counts that: `pricing`.
//!
//! Where registers do not count, states that cost nearly as little as the cheapest are put together with terms that overlap as well,
//! by `overlap`: the shortest chain is then seldom that of the cheapest state.
//!
//! Everything follows from seed and number of moves.

mod dictionary;
mod overlap;
mod parse;
mod pricing;
pub(crate) mod random;
mod wide;

use crate::cost::CostModel;
use crate::elements::chain_of_elements;
use dashu_int::UBig;
use dictionary::Dictionary;
use overlap::Overlap;
use pingala::Error;
use pingala::algorithm::Chain;
use pingala::exponent::Exponent;
use pricing::Pricing;
use random::Random;
use wide::Wide;

/// The longest target, in bits: terms and places are counted in 16 bits.
pub(crate) const MAX_BITS: usize = 1 << 13;
/// Above this no element is longer than a word: numbers as long as the target would be too slow.
const MAX_WIDE_BITS: usize = 9 * 64 - 2;

/// So many steps above the cheapest state, terms that overlap are looked at: docs/records/chains.md.
const NEARLY: usize = 2;

/// Is told how a search goes, and may end it.
pub trait Progress: Sync {
    /// So many moves are done; the best chain so far has this length. False ends the search. Asked before the first move too, by the
    /// methods that come before the annealing and by the exhaustive search.
    fn goes_on(&self, moves: u64, best: usize) -> bool;

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
    /// What is made small.
    pub cost: CostModel,
    /// Temperature of the first move and of the last, in steps of the chain.
    pub temperatures: (f64, f64),
    /// Whether elements may be as long as the target, not only as long as a word: for targets with long runs of ones.
    pub is_wide: bool,
    /// The part of the time of all that is this run's, where time decides.
    pub(crate) part: (f64, f64),
}

impl Annealing {
    /// Of the length, with the usual temperatures.
    pub fn new(moves: u64, seed: u64) -> Self {
        Self { moves, seed, cost: CostModel::LENGTH, temperatures: (1.0, 0.15), is_wide: false, part: (0.0, 1.0) }
    }

    /// With elements of any length. Targets of more than 574 bits are taken with short ones all the same.
    pub fn with_wide(mut self, is_wide: bool) -> Self {
        self.is_wide = is_wide;
        self
    }

    /// By another cost than length: prices of steps and of registers, and a most of them, which states may exceed on the way.
    pub fn with_cost(mut self, cost: CostModel) -> Self {
        self.cost = cost;
        self
    }

    /// The best chain found, from the dictionary of a chain for the same target.
    ///
    /// # Errors
    /// [`Error::TooLong`] for a target of more than 8192 bits.
    pub fn run(&self, from: &Chain, progress: &dyn Progress) -> Result<Chain, Error> {
        let bits = from.target().bits();
        match bits {
            _ if bits > MAX_BITS => {
                Err(Error::TooLong { what: "the exponent of an annealing", length: bits as u64, cap: MAX_BITS as u64 })
            }
            _ if !self.is_wide || bits > MAX_WIDE_BITS => self.run_on::<1>(from, progress),
            ..=318 => self.run_on::<5>(from, progress),
            _ => self.run_on::<9>(from, progress),
        }
    }

    fn run_on<const N: usize>(&self, from: &Chain, progress: &dyn Progress) -> Result<Chain, Error> {
        let pricing = Pricing::new(&self.cost, from.target().bits());
        let Some(mut dictionary) = start::<N>(from, pricing) else { return Ok(from.clone()) };
        let mut random = Random::new(self.seed);
        let mut cost = dictionary.price().expect("a dictionary has a price");
        let overlap = (N == 1 && !pricing.counts_registers()).then(|| Overlap::new(bits_of(from.target()), pricing));
        let (model, target) = (&self.cost, from.target());
        let mut best = Best {
            model,
            target,
            overlap,
            nearly: NEARLY * pricing.step,
            cheapest: cost,
            least: usize::MAX,
            length: from.length(),
            found: None,
        };
        best.look(cost, &mut dictionary)?;
        // How likely a state that costs so much more is accepted, in units of 2^-64.
        let mut accepted = vec![0u64; 16 * pricing.step];
        for moves in 0..self.moves {
            if moves % 1024 == 0 {
                let (first, last) = self.temperatures;
                let done = self.done(moves, progress);
                if done >= 1.0 {
                    break;
                }
                let temperature = first * (last / first).powf(done) * pricing.step as f64;
                for (more, accepted) in accepted.iter_mut().enumerate() {
                    *accepted = ((-(more as f64) / temperature).exp() * 2f64.powi(64)) as u64;
                }
                if moves % (1 << 20) == 0 && !progress.goes_on(moves, best.length) {
                    break;
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
                    best.look(cost, &mut dictionary)?;
                }
                _ => dictionary.undo(),
            }
        }
        let Some((elements, line)) = best.found else { return Ok(from.clone()) };
        let found = chain_of(from.target(), &elements, &line)?;
        let price = |chain: &Chain| self.cost.price(chain).unwrap_or(f64::INFINITY);
        Ok(if price(&found) < price(from) { found } else { from.clone() })
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

/// The cheapest chain so far that the cost model allows.
struct Best<'a, const N: usize> {
    model: &'a CostModel,
    target: &'a Exponent,
    overlap: Option<Overlap>,
    /// How much dearer a state may be for overlap to be looked at.
    nearly: usize,
    /// What the cheapest state costs without overlap.
    cheapest: usize,
    /// What the chain costs.
    least: usize,
    length: usize,
    found: Option<(Vec<Wide<N>>, MainLine)>,
}

impl<const N: usize> Best<'_, N> {
    /// Takes the chain of a state of this cost, if that is the cheapest.
    fn look(&mut self, cost: usize, dictionary: &mut Dictionary<N>) -> Result<(), Error> {
        self.cheapest = self.cheapest.min(cost);
        let (cost, line) = match &mut self.overlap {
            Some(overlap) if cost <= self.cheapest + self.nearly => {
                match overlap.price(dictionary.elements().iter().map(|element| element.0[0])) {
                    Some(price) if price < self.least => (price, overlap.main_line()),
                    _ => return Ok(()),
                }
            }
            None if cost < self.least && dictionary.is_allowed() => (cost, dictionary.main_line()),
            _ => return Ok(()),
        };
        let elements = dictionary.elements();
        // Whether the chain itself keeps to the cap on registers.
        if self.model.most_registers.is_some() && self.model.price(&chain_of(self.target, elements, &line)?).is_none() {
            return Ok(());
        }
        (self.least, self.length) = (cost, elements.len() - 1 + line.left + line.terms.len());
        self.found = Some((elements.to_vec(), line));
        Ok(())
    }
}

/// How a target is put together from elements.
#[derive(Debug)]
struct MainLine {
    /// The element with which it begins.
    first: UBig,
    /// The doublings from there on.
    left: usize,
    /// The elements that it adds, each with the power of 2 that it is multiplied by, the highest power first.
    terms: Vec<(UBig, usize)>,
}

impl MainLine {
    /// With terms in any order. An element with zeros behind its odd part may come behind one that stands further back.
    fn new(first: UBig, left: usize, mut terms: Vec<(UBig, usize)>) -> Self {
        terms.sort_by_key(|&(_, power)| core::cmp::Reverse(power));
        Self { first, left, terms }
    }
}

/// The bits of the target, the highest first.
fn bits_of(target: &Exponent) -> Vec<bool> {
    (0..target.bits()).rev().map(|place| target.bit(place)).collect()
}

/// The least dictionary that begins the chain and does not make it longer; if there is none, the first one of least cost.
fn start<const N: usize>(from: &Chain, pricing: Pricing) -> Option<Dictionary<N>> {
    let numbers = increasing(from);
    let widest = most_bits::<N>();
    let elements: Vec<Wide<N>> = numbers.iter().take_while(|n| bit_len(n) <= widest).map(to_wide).collect();
    let bits = bits_of(from.target());
    let mut best: Option<(usize, usize)> = None;
    for count in 1..=elements.len() {
        // An element that only goes on with a run of doublings is not yet worth a look.
        let Some(mut dictionary) = Dictionary::new(bits.clone(), &elements[..count], pricing) else { break };
        let price = dictionary.price()?;
        if best.is_none_or(|(least, _)| price < least) {
            best = Some((price, count));
        }
    }
    Dictionary::new(bits, &elements[..best?.1], pricing)
}

fn increasing(chain: &Chain) -> Vec<UBig> {
    let mut numbers: Vec<UBig> = crate::elements::elements(chain);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The longest element, with room for a sum of two.
const fn most_bits<const N: usize>() -> usize {
    64 * N - 2
}

/// Tries one move and returns whether it was accepted. A move that gives no dictionary changes nothing. Most new elements do not change how
/// the target is put together. This is detected at once: such a move costs one step more and is accepted here with the probability that
/// `dearer` states.
fn change<const N: usize>(dictionary: &mut Dictionary<N>, random: &mut Random, dearer: u64) -> bool {
    let n_elements = dictionary.elements().len();
    let any = |dictionary: &Dictionary<N>, random: &mut Random| dictionary.elements()[random.below(n_elements)];
    let sum = |dictionary: &Dictionary<N>, random: &mut Random| {
        let (a, b) = (any(dictionary, random), any(dictionary, random));
        a.sum_within(b, most_bits::<N>())
    };
    let standing = |dictionary: &Dictionary<N>, random: &mut Random| {
        let (place, length) = (random.below(dictionary.parse().bits()), 2 + random.below(14));
        dictionary.parse().at(place, length).filter(|value| dictionary.is_new_sum(value))
    };
    let removable = |random: &mut Random| match n_elements {
        ..2 => None,
        _ => Some(1 + random.below(n_elements - 1)),
    };
    let insert = |dictionary: &mut Dictionary<N>, random: &mut Random, value: Option<Wide<N>>| {
        let Some(value) = value else { return false };
        let is_idle = dictionary.is_idle(&value);
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
                && (dictionary.is_element(&new) || dictionary.can_exchange(place, &new))
            {
                dictionary.remove(dictionary.elements()[place]);
                dictionary.insert(new);
            }
        }
        96..98 => {
            let (a, b) = (any(dictionary, random), any(dictionary, random));
            let doublings = match random.below(3) {
                0 => b.bits(),
                1 => 1 + random.below(8),
                _ => 1 + random.below(b.bits()),
            };
            if a.bits() + doublings < most_bits::<N>() {
                for k in 1..=doublings {
                    dictionary.insert(a.shl(k));
                }
                dictionary.insert(a.shl(doublings).wrapping_add(b));
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
fn chain_of<const N: usize>(target: &Exponent, elements: &[Wide<N>], line: &MainLine) -> Result<Chain, Error> {
    let chain = with_main_line(elements.iter().map(from_wide).collect(), line)?;
    if chain.target() != target {
        return Err(Error::Fault("an annealed chain leads elsewhere"));
    }
    Ok(chain)
}

fn with_main_line(mut all: Vec<UBig>, line: &MainLine) -> Result<Chain, Error> {
    // The value stands `left` doublings before the end.
    let (mut value, mut left) = (line.first.clone(), line.left);
    for (term, power) in &line.terms {
        while left > *power {
            value <<= 1usize;
            all.push(value.clone());
            left -= 1;
        }
        value += term;
        all.push(value.clone());
    }
    for _ in 0..left {
        value <<= 1usize;
        all.push(value.clone());
    }
    chain_of_elements(all)
}

fn bit_len(number: &UBig) -> usize {
    use dashu_int::ops::BitTest;
    number.bit_len()
}

/// # Panics
/// If the number does not fit.
fn to_wide<const N: usize>(number: &UBig) -> Wide<N> {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(number.to_le_bytes().chunks(8)) {
        *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    }
    Wide(words)
}

fn from_wide<const N: usize>(value: &Wide<N>) -> UBig {
    UBig::from_le_bytes(&value.0.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
}
