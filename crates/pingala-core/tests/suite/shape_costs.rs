//! What is declared of work with several exponents, and of a fixed base: registers at most, each field of expected costs, the
//! candidates that are priced.

use super::common::{Random, Residues, power};
use super::shapes::{Shape, executed};
use pingala_core::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use pingala_core::algorithm::{ExpectedCost, ManyExponents, PowerProduct, Register, ShapeBits, WindowBits};
use pingala_core::exponent::Exponent;

/// No run takes more than its lengths tell, and equal lengths tell exactly how many, but for short groups and windows of one bit.
#[test]
fn registers_are_at_most_what_the_lengths_tell() {
    let mut random = Random::new(8);
    for (count, bits) in [(1, 1), (1, 2000), (3, 90), (8, 400), (40, 33)] {
        let equal: Vec<Exponent> = (0..count).map(|_| random.exponent(bits)).collect();
        let mixed: Vec<Exponent> = (0..count).map(|at| random.exponent(1 + bits * at / count)).collect();
        for (exponents, is_equal) in [(&equal, true), (&mixed, false)] {
            let lengths = ShapeBits::of(exponents);
            let check = |name: String, needed: usize, most: usize| {
                assert!(needed <= most, "{name} takes {needed} registers for {lengths:?}, at most {most}");
                let may_differ = name.starts_with("straus") || name.starts_with("interleaved");
                assert!(!is_equal || may_differ || needed == most, "{name} for {lengths:?}: {needed}, not {most}");
            };
            for program in ManyExponents::all(7) {
                check(program.to_string(), program.registers(exponents), program.most_registers(&lengths));
            }
            for program in PowerProduct::all(5) {
                check(program.to_string(), program.registers(exponents), program.most_registers(&lengths));
            }
        }
    }
    // As their documentation has it: 2^(w-1) + k, and 8 (2^w - 1), the bases and the power.
    let exponents: Vec<Exponent> = (0..5).map(|_| random.exponent(300)).collect();
    let windows: ManyExponents = "separate_windows(w=4)".parse().unwrap();
    assert_eq!(windows.registers(&exponents), 8 + 5);
    let buckets: PowerProduct = "pippenger(w=6)".parse().unwrap();
    assert_eq!(buckets.registers(&exponents), 8 * 63 + 5 + 1);
}

/// Squarings and products, each by itself, are the mean of what is counted.
#[test]
fn every_field_of_an_expectation_is_a_mean() {
    fn check(program: impl Shape, expected: ExpectedCost, bits: &[usize], runs: usize, what: &str) {
        let mut random = Random::new(9);
        let (mut squarings, mut products) = (0, 0);
        for _ in 0..runs {
            let exponents: Vec<Exponent> = bits.iter().map(|&bits| random.exponent(bits)).collect();
            let counts = executed(&program, &exponents);
            squarings += counts.squarings;
            products += counts.multiplications;
        }
        let means = [squarings, products].map(|sum| sum as f64 / runs as f64);
        for (mean, expected) in means.into_iter().zip([expected.squarings, expected.multiplications]) {
            assert!((expected / mean - 1.0).abs() < 0.025, "{what}: {expected:.1} expected, {mean:.1} counted");
        }
    }
    let many = |line: &str, bits: &[usize], lengths: ShapeBits, runs: usize| {
        let program: ManyExponents = line.parse().unwrap();
        let expected = program.expected(&lengths);
        check(program, expected, bits, runs, line);
    };
    let product = |line: &str, bits: &[usize], lengths: ShapeBits, runs: usize| {
        let program: PowerProduct = line.parse().unwrap();
        let expected = program.expected(&lengths);
        check(program, expected, bits, runs, line);
    };
    many("shared_squarings(w=4)", &[25; 300], ShapeBits::equal(300, 25), 5);
    many("common_bits(c=8)", &[64; 8], ShapeBits::equal(8, 64), 40);
    product("pippenger(w=6)", &[18; 64], ShapeBits::equal(64, 18), 40);
    product("bos_coster", &[300], ShapeBits::equal(1, 300), 100);
}

/// With windows of one bit half the bits of a number are multiplied; a comb has one product for each column but for those of zeros,
/// and one squaring less than its blocks have columns.
#[test]
fn expectations_of_tables_are_their_formulas() {
    let expected = |line: &str, bits: usize| {
        let method: FixedBaseAlgorithm = line.parse().unwrap();
        let cost = method.expected(&TableShape::of_bits(bits));
        (cost.squarings, cost.multiplications)
    };
    for bits in [10, 240, 3000] {
        assert_eq!(expected("bit_powers(w=1)", bits), (0.0, bits as f64 / 2.0 - 1.0));
    }
    assert_eq!(expected("comb(h=4, v=3)", 240), (19.0, 60.0 * (1.0 - 1.0 / 16.0) - 1.0));
    assert_eq!(expected("comb(h=2, v=1)", 64), (31.0, 32.0 * 0.75 - 1.0));
}

/// Among the combs that are priced is one as good as any, and each has more entries than those before.
#[test]
fn priced_combs_are_good_and_in_order() {
    let of = |line: &str| line.parse::<ManyExponents>().unwrap();
    for (bits, count) in [(1024, 1000), (2048, 20)] {
        let lengths = ShapeBits::equal(count, bits);
        let products = |comb: &ManyExponents| comb.expected(&lengths).products();
        let priced = ManyExponents::candidates(&lengths).into_iter().filter(|candidate| candidate.name() == "comb");
        let priced: Vec<ManyExponents> = priced.collect();
        let least = priced.iter().map(products).fold(f64::INFINITY, f64::min);
        for rows in 1..=13 {
            for blocks in 1..=(bits / rows).min(40) {
                let any = products(&of(&format!("comb(h={rows}, v={blocks})")));
                assert!(least < 1.02 * any, "{least} products, {any} with {rows} rows and {blocks} blocks");
            }
        }
        let entries = |comb: &ManyExponents| {
            let line = comb.to_string();
            let numbers: Vec<usize> =
                line.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
            ((1 << numbers[0]) - 1) * numbers[1]
        };
        assert!(priced.len() > 10 && priced.is_sorted_by_key(entries));
    }
}

/// The width with the least n/(w+1) + 2^(w-1), the smaller one of two.
#[test]
fn a_window_is_cut_to_the_best_one() {
    // All w + 1 divide this.
    const SCALE: u64 = 12_252_240;
    for bits in (1..3000).chain([10_000, 100_000, 1 << 20, 1 << 24]) {
        let cost = |w: u32| bits as u64 * (SCALE / u64::from(w + 1)) + (SCALE << (w - 1));
        for most in [1, 2, 5, 8, 16] {
            let best = (1..=most).min_by_key(|&w| cost(w)).unwrap();
            assert_eq!(WindowBits::new(most).up_to_best(bits), WindowBits::new(best), "{bits} bits, {most} at most");
        }
    }
}

/// Exponents of several segments, whose powers are put together in a register that no base has.
#[test]
fn long_exponents_of_a_product_leave_the_bases() {
    const MODULUS: u64 = 0xffff_ffff_ffff_ffc5;
    let mut random = Random::new(10);
    let program: PowerProduct = "bos_coster".parse().unwrap();
    for count in 1..=4 {
        let exponents: Vec<Exponent> = (0..count).map(|_| random.exponent(17_000)).collect();
        let bases: Vec<u64> = (0..count).map(|_| random.below(MODULUS)).collect();
        let mut residues = Residues::<usize>::of_bases(&bases, MODULUS, program.registers(&exponents));
        let results: Vec<Register> = program.run(&exponents, &mut residues);
        let want = bases.iter().zip(&exponents).fold(1, |product: u64, (&base, exponent)| {
            (u128::from(product) * u128::from(power(base, exponent, MODULUS)) % u128::from(MODULUS)) as u64
        });
        assert_eq!(residues.get(results[0]), want, "{count} bases");
    }
}
