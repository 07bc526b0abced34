//! The planner's choice of a table on a grid of lengths, memory caps and uses: by executed counts and the machine's prices at
//! most 3% above the best of every method with every parameter on every kernel.

use super::common::Random;
use super::fixed_base::{executed, uniform};
use super::shapes_grid::{ALLOWED, HOPELESS};
use pingala_core::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use pingala_core::algorithm::{Counts, ExpectedCost};
use pingala_core::exponent::Exponent;
use pingala_core::kernels::{Form, Kernel};
use pingala_core::plan::{FixedBaseProblem, FormPrice, Plan, Planner};
use std::collections::HashMap;

const MODULUS_BITS: [usize; 2] = [2048, 4096];
const MEMORY_BYTES: [u64; 9] = [1 << 10, 1 << 12, 9000, 1 << 14, 40_000, 1 << 17, 1 << 20, 1 << 23, 1 << 26];
const USES: [u64; 4] = [1, 4, 100, 1 << 20];
/// Bits of exponents that are executed for a mean.
const BITS_OF_A_MEAN: usize = 20_000;

/// Ascending sizes from 1 to `most`, each at most a sixth above the one before.
fn sizes(most: usize) -> impl Iterator<Item = usize> {
    let ascending = core::iter::successors(Some(1), |size| Some(size + 1 + size / 6));
    ascending.take_while(move |&size| size < most).chain([most])
}

/// Every method with every parameter, sampled if there are thousands; digits that divide one another up to 1024 of them.
fn instances(bits: usize) -> Vec<Instance> {
    let mut lines = Vec::new();
    for w in 1..=16 {
        lines.extend([format!("bit_powers(w={w})"), format!("bit_combinations(w={w})")]);
        lines.push(format!("windowing(h={})", 1 << w));
        lines.extend(sizes(bits.div_ceil(w).min(1 << 16)).map(|v| format!("comb(h={w}, v={v})")));
    }
    lines.extend(sizes(1 << 14).filter(|h| !h.is_power_of_two()).map(|h| format!("windowing(h={h})")));
    lines.extend(sizes(bits.min(1024)).map(|entries| format!("euclidean(digit_bits={})", bits.div_ceil(entries))));
    let instance = |line: String| {
        let method: FixedBaseAlgorithm = line.parse().unwrap();
        let (entries, expected) = (method.entries(bits) as u64, method.expected(&TableShape::of_bits(bits)));
        Instance { method, entries, expected }
    };
    lines.into_iter().map(instance).collect()
}

/// A method with what it is expected to take.
struct Instance {
    method: FixedBaseAlgorithm,
    entries: u64,
    expected: ExpectedCost,
}

/// A kernel for a table, and those that take several of its residues side by side, as far as lists are expected.
struct Way {
    form: Form,
    entry_bytes: u64,
    prices: FormPrice,
    lanes: Vec<(usize, FormPrice)>,
}

impl Way {
    fn new(form: Form, work: &Work, planner: &Planner) -> Self {
        let layout = form.layout(work.modulus_bits);
        // Packed residues of both row kernels are those of lanes of the same radix; lanes of doubles take whole words.
        let limbs = |kernel: Kernel| match (form.kernel.entry().name, kernel.entry().name) {
            ("ifma_row_r52" | "ifma_row_ct_r52", "ifma_lanes_r52" | "avxifma_lanes_r52") => Some(layout.limbs),
            ("portable_r64" | "mulx_r64", "fma_lanes_r51") => {
                Some((64 * layout.limbs + 85).div_ceil(51).next_multiple_of(2))
            }
            _ => None,
        };
        let shares = |kernel: &Kernel| work.in_lists && kernel.available();
        let priced = |kernel: Kernel| {
            let form = Form::new(kernel, limbs(kernel)?, None);
            Some((kernel.lanes(), planner.prices().of(&form)?))
        };
        let lanes = Kernel::all().filter(shares).filter_map(priced).collect();
        Self { form, entry_bytes: layout.bytes() as u64, prices: planner.prices().of(&form).unwrap(), lanes }
    }
}

/// Nanoseconds of squarings, products and selections.
fn products(prices: &FormPrice, cost: &ExpectedCost) -> f64 {
    cost.squarings * prices.sqr + cost.multiplications * prices.mul + cost.selections * prices.select
}

/// Exponents, the methods with what they take, and the mean counts of those that were executed.
struct Grid {
    bits: usize,
    exponents: Vec<Exponent>,
    counts: HashMap<String, ExpectedCost>,
}

/// What a table is for.
#[derive(Clone, Copy, Debug)]
struct Work {
    modulus_bits: usize,
    memory_bytes: u64,
    uses: u64,
    in_lists: bool,
}

impl Grid {
    fn new(bits: usize, random: &mut Random) -> Self {
        let exponents = (0..(BITS_OF_A_MEAN / bits).clamp(2, 40)).map(|_| uniform(bits, random)).collect();
        Self { bits, exponents, counts: HashMap::new() }
    }

    fn executed(&mut self, method: &FixedBaseAlgorithm) -> ExpectedCost {
        let mean = || {
            let one = |sum: Counts, exponent| sum + executed(method, self.bits, exponent);
            let all = ExpectedCost::from(self.exponents.iter().fold(Counts::default(), one));
            let count = self.exponents.len() as f64;
            let (squarings, multiplications) = (all.squarings / count, all.multiplications / count);
            ExpectedCost { squarings, multiplications, ..ExpectedCost::default() }
        };
        *self.counts.entry(method.to_string()).or_insert_with(mean)
    }

    /// Nanoseconds of a power at these counts, with its share of building: what the planner asks for.
    fn price(&self, method: &FixedBaseAlgorithm, cost: &ExpectedCost, way: &Way, uses: u64) -> f64 {
        let divisions = method.divisions(&TableShape::of_bits(self.bits)).nanoseconds();
        let alone = way.prices.convert + products(&way.prices, cost) + divisions;
        let in_lanes = |(lanes, prices): &(usize, FormPrice)| {
            // The same count for all exponents: `rounds_are_the_same_powers`.
            let cost = method.rounds_cost(self.bits)?;
            Some((prices.convert + products(prices, &cost.into())) / *lanes as f64)
        };
        let build = way.prices.setup + products(&way.prices, &method.build_cost(self.bits).into());
        way.lanes.iter().filter_map(in_lanes).fold(alone, f64::min) + build / uses as f64
    }

    /// Compares the planner's choice with every candidate: how much more it costs than the best one, and what both are.
    fn beside(&mut self, work: &Work, instances: &[Instance]) -> Option<(f64, String)> {
        let &Work { modulus_bits, memory_bytes, uses, in_lists } = work;
        let (modulus_bits, exponent_bits) = (modulus_bits as u64, self.bits as u64);
        let problem = FixedBaseProblem {
            modulus_bits,
            trailing_zeros: 0,
            even_base: false,
            exponent_bits,
            memory_bytes,
            uses,
            in_lists,
            secret: false,
        };
        let planner = Planner::of_this_machine();
        // A cap that nothing keeps to is an error, tested elsewhere.
        let explanation = planner.explain_fixed_base(&problem, None, None).ok()?;
        let candidates = explanation.candidates().next().unwrap();
        let mut ways: Vec<Way> = Vec::new();
        for candidate in candidates {
            let Ok(Plan::<FixedBaseAlgorithm>::Run { form, .. }) = candidate.plan().parse() else { panic!("a run") };
            if !ways.iter().any(|way| way.form == form) {
                ways.push(Way::new(form, work, planner));
            }
        }
        let chosen = &candidates[0].algorithm.parse().unwrap();
        let counts = self.executed(chosen);
        // The first way is that of the cheapest candidate.
        let price = self.price(chosen, &counts, &ways[0], uses);
        let (mut best, mut name) = (price, String::new());
        for way in &ways {
            for Instance { method, entries, expected } in instances {
                let fits = entries.saturating_mul(way.entry_bytes) <= memory_bytes;
                if fits && self.price(method, expected, way, uses) <= HOPELESS * price {
                    let counts = self.executed(method);
                    let price = self.price(method, &counts, way, uses);
                    if price < best {
                        (best, name) = (price, format!("{method} on {}", way.form));
                    }
                }
            }
        }
        Some((price / best, format!("{} bits, {work:?}: {chosen} on {} beside {name}", self.bits, ways[0].form)))
    }
}

#[test]
fn the_choice_of_a_table_is_within_three_percent_of_every_candidate() {
    let random = &mut Random::new(78);
    for bits in [256, 700, 2048, 20_000, 200_000] {
        let mut grid = Grid::new(bits, random);
        let instances = instances(bits);
        for (modulus_bits, memory_bytes) in
            MODULUS_BITS.into_iter().flat_map(|bits| MEMORY_BYTES.map(|cap| (bits, cap)))
        {
            for (uses, in_lists) in USES.into_iter().flat_map(|uses| [false, true].map(|in_lists| (uses, in_lists))) {
                let work = Work { modulus_bits, memory_bytes, uses, in_lists };
                let Some((ratio, what)) = grid.beside(&work, &instances) else { continue };
                assert!(ratio <= ALLOWED, "{what}: {ratio:.3}");
            }
        }
    }
}
