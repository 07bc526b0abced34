//! Published tables of counts for several exponents: every column by the formula or the simulator of its method, which other
//! tests hold against what is executed. (Fixed bases: `fixed_base.rs`.)

use pingala_core::algorithm::fixed_base::{FixedBaseAlgorithm, TableShape};
use pingala_core::algorithm::{Algorithm, Catalogued, ExponentShape, ManyExponents, PowerProduct, ShapeBits, Wanted};

/// One base, k exponents of n bits: total products over n, with the best parameter, computed apart from this library. n, k,
/// then: math/big, which is fixed windows of 4 bits for each; sliding windows for each; the Go package `multiexp`,
/// with a run of squarings for every four exponents; the same with one run for all; common bits; shared squarings;
/// Pippenger's bound 1 + k / log2(kn), which nothing simple attains; and from a table of all g^(2^i): `multiexp`, digits over
/// every w-th entry, odd digits over all.
const ONE_BASE: &str = "
       2000    2 2.51 2.31 1.75 1.75 1.75 1.31 1.17 0.75 0.39 0.31
       2000    4 5.03 4.63 1.95 1.95 1.94 1.63 1.31 0.95 0.78 0.63
       2000    8 10.1 9.26 3.90 2.90 2.12 2.26 1.57 1.90 1.56 1.26
       2000   64 80.5 74.1 31.2 16.2 9.93 11.1  4.8 15.2 12.5 10.1
       2000 1024 1287 1185  500  245  143  162   50  244  200  161
      20000    2 2.50 2.23 1.75 1.75 1.75 1.23 1.13 0.75 0.27 0.23
      20000    4 5.00 4.45 1.94 1.94 1.94 1.45 1.25 0.94 0.55 0.45
      20000    8 10.0 8.90 3.88 2.88 2.01 1.90 1.46 1.88 1.09 0.90
      20000   64 80.0 71.2 31.0 16.0 7.53 8.22  4.2 15.0 8.73 7.22
      20000 1024 1281 1140  496  241  104  117   43  240  140  116
     200000    2 2.50 2.17 1.75 1.75 1.75 1.17 1.11 0.75 0.20 0.17
     200000    4 5.00 4.35 1.94 1.94 1.94 1.35 1.20 0.94 0.40 0.35
     200000    8 10.0 8.70 3.88 2.88 2.00 1.70 1.39 1.88 0.81 0.70
     200000   64   80 69.6   31   16 6.18 6.58  3.7   15 6.47 5.58
     200000 1024 1280 1113  496  241 80.7 90.3   38  240  104 89.3
    2000000    2 2.50 2.14 1.75 1.75 1.75 1.14 1.09 0.75 0.16 0.14
    2000000    4 5.00 4.28 1.94 1.94 1.94 1.28 1.17 0.94 0.32 0.28
    2000000    8 10.0 8.57 3.88 2.88 2.00 1.57 1.33 1.88 0.64 0.57
    2000000   64   80 68.5   31   16 5.13 5.52  3.4   15 5.10 4.52
    2000000 1024 1280 1096  496  241 65.4 73.4   34  240 81.5 72.4
";

/// The products of powers of k bases with exponents of n bits, over n. n, k, then: sliding windows for each; Shamir's trick,
/// joint windows of one bit over all bases; grouped joint windows; interleaved windows; buckets; Bos and Coster (simulated
/// there). A dash means: no figure.
const MANY_BASES: &str = "
     256    2 2.46 1.75 1.52 1.46 2.25 1.62
     256    4 4.93 1.98 1.98 1.92 3.06 1.96
     256    8 9.86 2.96 2.96 2.83  5.0 2.86
     256   16 19.7    - 4.62 4.67 7.94 4.53
     256   64 78.9    - 14.3 15.7 19.6 12.8
     256  256  316    - 52.9 59.7 53.5 38.9
     256 4096 5050    -  825  940  512  412
    2048    2 2.31 1.75 1.36 1.31 2.25 1.61
    2048    4 4.63 1.94 1.62 1.62 3.06 1.98
    2048    8 9.25 2.12 2.12 2.25  5.0 2.82
    2048   16 18.5    - 3.23  3.5  7.9 4.48
    2048   64   74    - 9.93   11 19.6 12.7
    2048  256  296    - 36.7   41 53.5 38.6
    2048 1024 1180    -  143  161  161  123
    2048 4096 4740    -  568  641  512    -
";

/// n, k and the columns of each row.
fn rows(table: &'static str) -> impl Iterator<Item = (usize, usize, Vec<&'static str>)> {
    table.lines().filter(|line| !line.is_empty()).map(|line| {
        let mut columns = line.split_whitespace();
        let mut number = || columns.next().unwrap().parse().unwrap();
        (number(), number(), columns.collect())
    })
}

/// `got` is within 1% of what the printed digits may stand for, or below that by no more than the share `spared`.
#[track_caller]
fn agrees(column: &str, got: f64, printed: &str, spared: f64, (bits, count): (usize, usize)) {
    if printed == "-" {
        return;
    }
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let want: f64 = printed.parse().unwrap();
    let allowed = 0.01 * want + 0.5 * 0.1f64.powi(decimals as i32);
    let close = got <= want + allowed && got >= want * (1.0 - spared) - allowed;
    assert!(close, "{column}, n = {bits}, k = {count}: {got:.4}, printed {printed}");
}

/// The instance of this name with the fewest expected products for this shape, its squarings and its products over n.
fn best<A: Catalogued>(name: &str, shape: &A::Shape, bits: usize) -> (f64, f64) {
    let cost = name.parse::<Wanted<A>>().unwrap().fill(shape).unwrap().expected(shape);
    (cost.squarings / bits as f64, cost.products() / bits as f64)
}

/// What the Go package `multiexp` takes, over n, with groups of c exponents: products into buckets and from them to the
/// powers. Its way is that of `common_bits`, but the first factor of each of the 2^c - 1 buckets multiplies 1, and each power
/// is the product of its 2^(c-1) buckets by itself.
fn multiexp(c: usize, count: usize, bits: usize) -> f64 {
    let shape = ShapeBits::equal(count, bits);
    let ours = format!("common_bits(c={c})").parse::<ManyExponents>().unwrap().expected(&shape).multiplications;
    let (buckets, groups) = ((1 << c) - 1, count.div_ceil(c));
    let dearer = buckets + c * ((1 << (c - 1)) - 1) - 2 * (buckets - c);
    (ours + (groups * dearer) as f64) / bits as f64
}

#[test]
fn table_of_one_base() {
    for (bits, count, columns) in rows(ONE_BASE) {
        let [big, separate, seed, seed_one_run, common, shared, bound, seed_table, radix, bit_powers] = columns[..]
        else {
            panic!("{columns:?}")
        };
        let (at, k, n) = ((bits, count), count as f64, bits as f64);
        let shape = ShapeBits::equal(count, bits);
        let one = ExponentShape::of_bits(bits);
        let each = |name: &str| name.parse::<Algorithm>().unwrap().expected(&one).products() * k / n;
        agrees("math/big", each("fixed_window(w=4)"), big, 0.0, at);
        // The table has n squarings and no shorter first window.
        let alone = k * best::<Algorithm>("sliding_window", &one, bits).1;
        agrees("separate", alone, separate, 0.006, at);
        // It gives each exponent a table of odd powers of its own; sharing it is never worse.
        assert!(best::<ManyExponents>("separate_windows", &shape, bits).1 <= alone);
        let (common_squarings, common_products) = best::<ManyExponents>("common_bits", &shape, bits);
        agrees("common bits", common_products, common, 0.0, at);
        let (shared_squarings, shared_products) = best::<ManyExponents>("shared_squarings", &shape, bits);
        agrees("shared squarings", shared_products, shared, 0.0, at);
        for squarings in [common_squarings, shared_squarings - count as f64 / n] {
            agrees("squarings", squarings, "1.00", 0.0, at);
        }
        let c = count.min(4);
        let from_table = multiexp(c, count, bits);
        agrees("multiexp", (count / c) as f64 + from_table, seed, 0.0, at);
        agrees("multiexp, one run", 1.0 + from_table, seed_one_run, 0.0, at);
        agrees("multiexp, table", from_table, seed_table, 0.0, at);
        let pippenger = 1.0 + k / (k * n).log2();
        agrees("Pippenger's bound", pippenger, bound, 0.0, at);
        assert!(common_products.min(shared_products) > pippenger);
        let table = TableShape::of_bits(bits);
        let from_table = |name: &str| k * best::<FixedBaseAlgorithm>(name, &table, bits).1;
        agrees("windowing", from_table("windowing"), radix, 0.0, at);
        agrees("bit powers", from_table("bit_powers"), bit_powers, 0.0, at);
    }
}

#[test]
fn table_of_many_bases() {
    for (bits, count, columns) in rows(MANY_BASES) {
        let [separate, shamir, straus, interleaved, pippenger, bos_coster] = columns[..] else { panic!("{columns:?}") };
        let (at, shape) = ((bits, count), ShapeBits::equal(count, bits));
        // The table has n squarings; here the accumulator starts as the first window, of up to w bits that need none.
        let first_window = 5.0 / bits as f64;
        let one = ExponentShape::of_bits(bits);
        let alone = count as f64 * best::<Algorithm>("sliding_window", &one, bits).1;
        agrees("separate", alone, separate, first_window, at);
        if shamir != "-" {
            let joint: PowerProduct = format!("straus(c={count}, w=1)").parse().unwrap();
            agrees("Shamir", joint.expected(&shape).products() / bits as f64, shamir, 0.0, at);
        }
        let best = |name: &str| best::<PowerProduct>(name, &shape, bits).1;
        // The table charges each of ceil(k/c) groups as a full one.
        let rest = if count % 6 != 0 && bits == 256 { 0.05 } else { 0.0 };
        agrees("straus", best("straus"), straus, rest, at);
        agrees("interleaved", best("interleaved_windows"), interleaved, first_window, at);
        // The table's buckets are never empty; with few bases many are.
        let empty = if count <= 64 { 0.25 / count as f64 + 0.03 } else { 0.0 };
        agrees("pippenger", best("pippenger"), pippenger, empty, at);
        agrees("Bos and Coster", best("bos_coster"), bos_coster, 0.0, at);
    }
}
