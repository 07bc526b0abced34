//! Tests of `work/shared_work/plan.rs`.

use super::*;
use crate::algorithm::fixed_base::TableShape;
use crate::engine::plan::summary::Row;
use crate::engine::plan::{FixedBaseProblem, Prices, Problem};
use crate::exponent::Exponent;
use crate::kernel::registry::{Kernel, Product};
use crate::suite::common::{Random, skipped};
use std::collections::HashSet;

/// Lengths grow by less than a hundredth, equal ones stay equal, and short ones are not changed.
#[test]
fn lengths_of_a_product_are_rounded_up() {
    for bits in [1, 2, 63, 127, 128, 255, 256, 257, 1000, 2048, 65_537] {
        for others in [1, bits / 3 + 1, bits] {
            for count in [1, 2, 7] {
                let lengths: Vec<usize> = (0..count).map(|at| if at == 0 { bits } else { others }).collect();
                let exact: usize = lengths.iter().sum();
                let rounded = product_lengths(lengths.into_iter());
                assert_eq!(rounded.count, count);
                assert!(bits <= rounded.max_bits && rounded.max_bits * 100 <= bits * 101, "{bits}");
                assert!(bits > 128 || rounded.max_bits == bits);
                let sum = rounded.total_bits as usize;
                assert!(exact <= sum && sum * 100 <= exact * 101, "{bits} {others} {count}: {sum} for {exact}");
                assert!(others < bits || sum == count * rounded.max_bits);
            }
        }
    }
}

/// Products whose exponents differ by a few bits are priced once, and have one plan.
#[test]
fn a_product_is_priced_once() {
    let planner = Planner::of_this_machine();
    let plan = |bits: [usize; 3]| {
        let work = product_lengths(bits.into_iter());
        let problem =
            ShapeProblem { modulus_bits: 777, trailing_zeros: 0, factors: Vec::new(), memory_bytes: 1 << 30, work };
        planner.plan_product(&problem, ThreadBudget::ONE, None, None).unwrap()
    };
    let before = planner.products.len();
    let first = plan([700, 699, 700]);
    assert_eq!(planner.products.len(), before + 1);
    assert_eq!(plan([698, 700, 697]), first);
    assert_eq!(planner.products.len(), before + 1);
    let (alone, _) = planner
        .priced_shape::<PowerProduct>(
            &ShapeProblem {
                modulus_bits: 777,
                trailing_zeros: 0,
                factors: Vec::new(),
                memory_bytes: 1 << 30,
                work: product_lengths([700, 699, 700].into_iter()),
            },
            &Forced::default(),
        )
        .unwrap();
    assert_eq!(alone, first.0);
}

const PRICE: FormPrice =
    FormPrice { setup: 1009.0, convert: 211.0, sqr: 53.0, mul: 61.0, mul_small: 17.0, select: 7.0 };

fn portable(bits: usize) -> Form {
    Form::new(Kernel::by_name("portable_r64").unwrap(), bits.div_ceil(64), Some(Product::Cios))
}

/// A planner that has a price for these forms, at every length, and for no others.
fn priced(points: &[(Form, FormPrice)]) -> Planner {
    Planner::new(Prices::measured(Vec::new(), points.iter().copied()))
}

fn shared(modulus_bits: u64, work: ShapeBits) -> ShapeProblem {
    ShapeProblem { modulus_bits, trailing_zeros: 0, factors: Vec::new(), memory_bytes: 1 << 30, work }
}

/// Threads whose start takes 0.1 ms.
const ANY: ThreadBudget = ThreadBudget { most: None, start: 100_000.0 };

fn exponents(lengths: &[(usize, usize)]) -> Vec<Exponent> {
    let random = &mut Random::new(31);
    lengths.iter().flat_map(|&(count, bits)| vec![bits; count]).map(|bits| random.exponent(bits)).collect()
}

/// The plan of a candidate.
fn plan_of(row: &Row) -> Plan<ManyExponents> {
    row.plan().parse().unwrap()
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

/// Lanes that take the tables of the portable kernel, and the kernel that makes them.
fn lanes_of_tables(bits: usize) -> Option<(Form, Form)> {
    let lanes = portable(bits).side_by_side(bits).next();
    if lanes.is_none() {
        skipped("lanes that take tables in whole words");
    }
    lanes.and_then(|lanes| Some((lanes, lanes.maker(bits)?)))
}

/// Set-up, conversions, products and the other work are all priced; each candidate is listed once.
#[test]
fn shared_work_costs_the_sum_of_its_parts() {
    let work = ShapeBits::equal(6, 900);
    let planner = priced(&[(portable(2048), PRICE)]);
    let explained = planner.explain_shape::<ManyExponents>(&shared(2048, work), None, None).unwrap();
    assert_eq!(explained.summary().problem, "modulus of 2048 bits, 6 exponents of up to 900 bits");
    let candidates: Vec<_> = explained.candidates().flatten().collect();
    let lines: HashSet<String> = candidates.iter().map(|candidate| candidate.plan()).collect();
    assert_eq!(lines.len(), candidates.len());
    let (mut with_buckets, mut with_tables) = (0, 0);
    for candidate in candidates {
        let algorithm: ManyExponents = candidate.algorithm.parse().unwrap();
        let mut want = 1009.0 + 3.5 * 211.0 + algorithm.divisions(&work).nanoseconds();
        want += 53.0 * candidate.squarings + 61.0 * (candidate.products + candidate.base_products);
        if algorithm.buckets(&work).is_some() {
            (want, with_buckets) = (want + 30.0 * candidate.products, with_buckets + 1);
        }
        if algorithm.table().is_some() {
            (want, with_tables) = (want + 6.0 * (500.0 + 4.0 * 900.0), with_tables + 1);
        }
        assert!(is_close(candidate.seconds * 1e9, want), "{}: {want} for {}", candidate.plan(), candidate.seconds);
    }
    assert!(with_buckets > 0 && with_tables > 0);
    let product = shared(2048, work);
    let alone = planner.explain_shape::<PowerProduct>(&product, None, None).unwrap().seconds();
    assert!(is_close(planner.seconds_of_products(&product, 5).unwrap(), 5.0 * alone));
    let factor = FactorShape { bits: 1024, ..FactorShape::default() };
    let known = ShapeProblem { factors: vec![factor; 2], ..product };
    assert!(planner.explain_shape::<ManyExponents>(&known, None, None).unwrap().plan().to_string().starts_with("crt("));
}

/// Secret digits are selected, which is priced by itself.
#[test]
fn selections_are_priced() {
    let cost = ExpectedCost { squarings: 10.0, multiplications: 3.0, selections: 2.0, ..ExpectedCost::default() };
    assert!(is_close(nanoseconds(&cost, &PRICE, 4), 1009.0 + 2.0 * 211.0 + 10.0 * 53.0 + 3.0 * 61.0 + 2.0 * 7.0));
}

/// A kernel that is cheaper and has longer residues does not replace one that the memory suffices for.
#[test]
fn short_residues_fit_where_cheaper_ones_do_not() {
    let (bits, work) = (8192, ShapeBits::equal(6, 900));
    let short = portable(bits);
    let suits = |form: &Form| {
        form.kernel.has_arena()
            && form.kernel.lanes() == 1
            && !form.kernel.entry().plain
            && form.residue_bytes(bits) > short.residue_bytes(bits)
    };
    let Some(long) = registry::forms(true, 128).find(suits) else { return skipped("a kernel with long residues") };
    let cheap = FormPrice { setup: 1.0, convert: 1.0, sqr: 1.0, mul: 1.0, mul_small: 1.0, select: 1.0 };
    let planner = priced(&[(short, PRICE), (long, cheap)]);
    let registers = ManyExponents::candidates(&work).iter().map(|algorithm| algorithm.most_registers(&work)).min();
    let memory_bytes = (registers.unwrap() * short.residue_bytes(bits)) as u64;
    let of = ShapeProblem { memory_bytes, ..shared(bits as u64, work) };
    assert!(planner.explain_shape::<ManyExponents>(&of, None, None).unwrap().plan().runs_on(short.kernel));
    let rich = shared(bits as u64, work);
    assert!(planner.explain_shape::<ManyExponents>(&rich, None, None).unwrap().plan().runs_on(long.kernel));
}

/// A table is made once, then one power per lane at a time; threads share it, and starting them costs.
#[test]
fn powers_in_lanes_cost_a_table_and_their_rounds() {
    let Some((lanes, maker)) = lanes_of_tables(2048) else { return };
    let of_lanes = FormPrice { setup: 2003.0, convert: 307.0, ..PRICE };
    let planner = priced(&[(portable(2048), PRICE), (maker, PRICE), (lanes, of_lanes)]);
    let (count, width) = (400, lanes.kernel.lanes());
    let problem = shared(2048, ShapeBits::equal(count, 900));
    let explained = planner.explain_shape::<ManyExponents>(&problem, None, None).unwrap();
    let in_lanes: Vec<_> =
        explained.candidates().flatten().filter(|candidate| plan_of(candidate).is_in_lanes()).collect();
    assert!(!in_lanes.is_empty() && explained.plan().is_in_lanes());
    for candidate in in_lanes {
        let table = plan_of(candidate).runs()[0].0.table().unwrap();
        let rounds = ExpectedCost::from(table.rounds_cost(900).unwrap());
        let build = ExpectedCost::from(table.build_cost(900));
        let run = 307.0 + of_lanes.products(&rounds) + 7.0 * rounds.selections + width as f64 * (400.0 + 1.5 * 900.0);
        let want = 1009.0 + PRICE.products(&build) + 2003.0 + count.div_ceil(width) as f64 * run;
        assert!(is_close(candidate.seconds * 1e9, want), "{}: {want}", candidate.plan());
    }
    let exponents = exponents(&[(count, 900)]);
    let on = |threads| {
        let shared = planner.plan_shared(&problem, &[&exponents], (threads, ANY), &Forced::default());
        shared.unwrap().nanoseconds
    };
    assert!(on(2) >= 0.5 * on(1) + 100_000.0 && on(2) < on(1), "{} {}", on(2), on(1));
}

/// One thread squares, the other one multiplies; runs that take all threads follow each other.
#[test]
fn runs_on_all_threads_follow_each_other() {
    let planner = priced(&[(portable(2048), PRICE)]);
    let exponents = exponents(&[(4, 20_000)]);
    let problem = shared(2048, ShapeBits::of(&exponents));
    let quick = ThreadBudget { most: None, start: 1_000.0 };
    let plan = |sides: &[&[Exponent]]| {
        planner.plan_shared(&problem, sides, (2, quick), &Forced::default()).unwrap().plan.to_string()
    };
    let one = plan(&[&exponents]);
    assert!(one.starts_with("threads(2, stream("), "{one}");
    assert_eq!(plan(&[&exponents, &exponents]), format!("list({one}, {one})"));
}

/// What goes on at the same time keeps to the memory together.
#[test]
fn runs_side_by_side_share_the_memory() {
    let planner = priced(&[(portable(2048), PRICE)]);
    let exponents = exponents(&[(400, 256)]);
    let mut several = 0;
    for log in 15..=22 {
        let problem = ShapeProblem { memory_bytes: 1 << log, ..shared(2048, ShapeBits::of(&exponents)) };
        let Ok(list) = planner.plan_shared(&problem, &[&exponents], (2, ANY), &Forced::default()) else { continue };
        let stages = list.plan.stages();
        if stages.len() > 1 || stages[0].0 == 1 {
            continue;
        }
        several += 1;
        let bytes = stages[0].1.iter().zip(&list.ranges).map(|((node, _), (_, range))| match node {
            Plan::Share { plan, .. } => {
                let (algorithm, form) = plan.runs()[0];
                algorithm.most_registers(&ShapeBits::of(&exponents[range.clone()])) * form.residue_bytes(2048)
            }
            _ => 0,
        });
        let bytes: usize = bytes.sum();
        assert!(bytes <= 1 << log, "{}: {bytes} of 2^{log}", list.plan);
    }
    assert!(several > 0);
}

/// A long exponent and many short ones have windows of their own.
#[test]
fn long_exponents_part_from_short_ones() {
    let planner = priced(&[(portable(2048), PRICE)]);
    let exponents = exponents(&[(1, 100_000), (2000, 100)]);
    let problem = shared(2048, ShapeBits::of(&exponents));
    let list = planner.plan_shared(&problem, &[&exponents], (1, ANY), &Forced::default()).unwrap();
    assert_eq!(list.ranges, [(0, 0..1), (0, 1..2001)], "{}", list.plan);
}

/// Products side by side cost a uniform run for all lanes, whose residues have to fit. A class that ends with lanes that stay empty
/// ends there.
#[test]
fn products_in_lanes_cost_uniform_runs() {
    let lanes = registry::every_form(true, 32).find(|form| form.kernel.lane_family().is_some());
    let Some(lanes) = lanes else { return skipped("lanes of vectors") };
    let (width, work) = (lanes.kernel.lanes(), ShapeBits::equal(3, 512));
    let planner = priced(&[(portable(2048), PRICE), (lanes, PRICE)]);
    let mut lines = Vec::new();
    for algorithm in PowerProduct::candidates(&work) {
        let PowerProduct::Straus(straus) = &algorithm else { continue };
        let line = format!("{algorithm} on {lanes}");
        let bytes = (straus.uniform_registers(3) * lanes.n * 8 * width) as u64;
        let planned = |memory_bytes: u64| {
            let problem = ShapeProblem { memory_bytes, ..shared(2048, work) };
            planner.plan_product_list(
                &vec![problem; width],
                ThreadBudget::ONE,
                &Forced::read(None, Some(&line)).unwrap(),
            )
        };
        let list = planned(bytes).unwrap();
        let cost = ExpectedCost::from(straus.uniform_cost(3, 512));
        let want = 1009.0 + 2.0 * 211.0 + PRICE.products(&cost) + 7.0 * cost.selections;
        assert_eq!((list.classes.len(), list.classes[0].unit), (1, width));
        assert!(is_close(list.classes[0].nanoseconds, want), "{line}: {want}");
        assert!(planned(bytes - 1).is_err(), "{line}");
        lines.push(line);
    }
    let mut problems = vec![shared(2048, work); width + 3];
    problems.extend(vec![shared(2048, ShapeBits::equal(3, 500)); width]);
    let forced = Forced::read(None, Some(&lines[0])).unwrap();
    let list = planner.plan_product_list(&problems, ThreadBudget::ONE, &forced).unwrap();
    let counts: Vec<usize> = list.classes.iter().map(|class| class.count).collect();
    assert_eq!(counts, [width + 3, width], "{}", list.plan);
}

/// A short list from a table does not pay for the set-up of the lanes, a long one does.
#[test]
fn powers_from_a_table_pay_for_the_set_up_of_lanes() {
    let Some((lanes, _)) = lanes_of_tables(2048) else { return };
    let (form, width, shape) = (portable(2048), lanes.kernel.lanes(), TableShape::of_bits(900));
    let methods = FixedBaseAlgorithm::candidates(&TableShape { exponent_bits: 900, max_entries: 64 });
    let algorithm = methods.into_iter().find(|method| method.rounds_cost(900).is_some()).unwrap();
    let alone = PRICE.convert + PRICE.products(&algorithm.expected(&shape)) + algorithm.divisions(&shape).nanoseconds();
    let all = width as f64 * alone;
    let few = 1e-9;
    let of_lanes =
        FormPrice { setup: 0.625 * all, convert: 0.75 * all, sqr: few, mul: few, mul_small: few, select: few };
    let planner = priced(&[(form, PRICE), (lanes, of_lanes)]);
    let problem = FixedBaseProblem {
        modulus_bits: 2048,
        trailing_zeros: 0,
        even_base: false,
        exponent_bits: 900,
        memory_bytes: 1 << 30,
        uses: 100,
        in_lists: true,
        secret: false,
    };
    let table = Plan::Run { algorithm, form };
    let unit = |count| {
        let list = planner.share_out_table(&problem, &table, count, ThreadBudget::ONE, &Forced::default()).unwrap();
        (list.classes.len(), list.classes[0].unit)
    };
    assert_eq!((unit(width), unit(100 * width)), ((1, 1), (1, width)));
}

/// The seconds of a table are those of its powers and of its building. A power of two with an odd part gets two entries at least.
#[test]
fn tables_cost_their_building_and_their_uses() {
    let planner = Planner::of_this_machine();
    let problem = FixedBaseProblem {
        modulus_bits: 640 + 65,
        trailing_zeros: 65,
        even_base: false,
        exponent_bits: 300,
        memory_bytes: 2 * 8 * (10 + 2),
        uses: 10,
        in_lists: false,
        secret: false,
    };
    assert!(planner.plan_fixed_base(&problem, None, None).is_ok());
    let problem = FixedBaseProblem { trailing_zeros: 0, memory_bytes: 1 << 20, ..problem };
    let explained = planner.explain_fixed_base(&problem, None, None).unwrap();
    let cheapest = &explained.candidates().next().unwrap()[0];
    let want = 10.0 * cheapest.seconds + cheapest.table.unwrap().build_seconds;
    assert!(is_close(planner.seconds_of_table(&problem).unwrap(), want));
}

/// Moduli with an equal number of limbs have one plan; a list modulo known factors is taken apart for kernels with lanes.
#[test]
fn parts_that_are_planned_alike() {
    let part = |bits| Problem::new(bits, 5).odd_part(bits).canonical();
    assert_eq!(part(100), part(128));
    assert_ne!(part(128), part(129));
    let factor = FactorShape { bits: 60, ..FactorShape::default() };
    let known = Problem { factors: vec![factor; 3], ..Problem::new(180, 60) };
    let forced = Forced::read(Some("portable_lanes_r64"), None).unwrap();
    let planner = Planner::of_this_machine();
    assert!(planner.parts_of(&known, 4, false, &forced).is_some_and(|plans| plans.len() == 3));
    assert!(planner.parts_of(&known, 1, false, &forced).is_none());
}
