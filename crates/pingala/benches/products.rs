//! Nanoseconds of each Montgomery product by length, on one core: `cargo bench --bench products [-- LENGTH...]`.
//!
//! All products must agree before any is timed. The figure is the best of interleaved rounds: other work on the machine
//! only ever adds time.

use pingala::lab::{Bench, fixed_chain, fixed_chain_public, product_names};
use std::hint::black_box;
use std::time::Instant;

const LENGTHS: [usize; 22] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 17, 20, 24, 32, 33, 48, 64, 128, 256];
const ROUNDS: usize = 15;

/// Best time of one call, ns, over short bursts.
fn time(mut call: impl FnMut(), expected_ns: f64) -> f64 {
    let burst = (20_000.0 / expected_ns).ceil() as usize;
    let start = Instant::now();
    for _ in 0..burst {
        call();
    }
    start.elapsed().as_secs_f64() * 1e9 / burst as f64
}

struct Row {
    name: String,
    bench: Bench,
    mul: f64,
    sqr: f64,
    small: f64,
    set_up: f64,
}

fn main() {
    let asked: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let lengths = if asked.is_empty() { LENGTHS.to_vec() } else { asked };
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    println!(
        "{:>5}  {:<16} {:>10} {:>10} {:>10} {:>11}",
        "words", "product", "mul ns", "sqr ns", "small ns", "set-up ns"
    );
    for n in lengths {
        let mut number = || (0..n).map(|_| random()).collect::<Vec<u64>>();
        let (mut m, a, b) = (number(), number(), number());
        m[0] |= 1;
        m[n - 1] |= 1 << 63;
        let mut rows: Vec<Row> = Vec::new();
        let mut answer = None;
        for name in product_names() {
            let mut bench = Bench::odd(&m, name).expect("a listed name");
            bench.enter(&a, &b);
            bench.mul();
            let product = bench.leave()[..n].to_vec();
            bench.sqr();
            let pair = (product, bench.leave()[..n].to_vec());
            assert_eq!(answer.get_or_insert_with(|| pair.clone()), &pair, "{name} disagrees at {n} words");
            rows.push(Row {
                name: name.into(),
                bench,
                mul: f64::MAX,
                sqr: f64::MAX,
                small: f64::MAX,
                set_up: f64::MAX,
            });
        }
        let mut low = Bench::power_of_two(64 * n);
        low.enter(&a, &b);
        rows.push(Row {
            name: "low".into(),
            bench: low,
            mul: f64::MAX,
            sqr: f64::MAX,
            small: f64::MAX,
            set_up: f64::MAX,
        });
        let expected = (n * n) as f64 * 1.5 + 5.0;
        for _ in 0..ROUNDS {
            for row in &mut rows {
                row.mul = row.mul.min(time(|| black_box(&mut row.bench).mul(), expected));
                row.sqr = row.sqr.min(time(|| black_box(&mut row.bench).sqr_chain(1), expected));
                row.small = row.small.min(time(|| black_box(&mut row.bench).mul_small(black_box(7)), n as f64 * 2.0));
                if row.name != "low" {
                    let set_up = || drop(black_box(Bench::odd(black_box(&m), &row.name)));
                    row.set_up = row.set_up.min(time(set_up, 5.0 * expected));
                }
            }
        }
        for row in rows {
            let set_up = if row.name == "low" { String::from("-") } else { format!("{:.0}", row.set_up) };
            println!("{n:>5}  {:<16} {:>10.1} {:>10.1} {:>10.1} {set_up:>11}", row.name, row.mul, row.sqr, row.small);
        }
        match n {
            1 => {
                fixed_row::<1>("fixed", &m, &a, &mut rows_of_one(&m, &a), fixed_chain::<1>);
                let public = |[m]: [u64; 1], [a]: [u64; 1], count, squares| [fixed_chain_public(m, a, count, squares)];
                fixed_row::<1>("fixed public", &m, &a, &mut rows_of_one(&m, &a), public);
            }
            2 => fixed_row::<2>("fixed", &m, &a, &mut rows_of_one(&m, &a), fixed_chain::<2>),
            3 => fixed_row::<3>("fixed", &m, &a, &mut rows_of_one(&m, &a), fixed_chain::<3>),
            4 => fixed_row::<4>("fixed", &m, &a, &mut rows_of_one(&m, &a), fixed_chain::<4>),
            _ => {}
        }
        println!();
    }
}

/// A ring with the base entered, to check the by-value residues against.
fn rows_of_one(m: &[u64], a: &[u64]) -> Bench {
    let mut bench = Bench::odd(m, "cios").expect("a listed name");
    bench.enter(a, a);
    bench
}

/// Residues by value: time per step of a chain of 100, and of the set-up with entry and exit.
fn fixed_row<const N: usize>(
    name: &str,
    m: &[u64],
    a: &[u64],
    reference: &mut Bench,
    chain: impl Fn([u64; N], [u64; N], usize, bool) -> [u64; N],
) {
    let (m, a): ([u64; N], [u64; N]) = (m.try_into().expect("N limbs"), a.try_into().expect("N limbs"));
    reference.sqr();
    assert_eq!(chain(m, a, 1, true).to_vec(), reference.leave(), "{name} disagrees");
    let best = |count, squares| {
        (0..20 * ROUNDS)
            .map(|_| time(|| _ = black_box(chain(m, black_box(a), count, squares)), 10.0 + 10.0 * count as f64))
            .fold(f64::MAX, f64::min)
    };
    let set_up = best(0, true);
    let (sqr, mul) = ((best(100, true) - set_up) / 100.0, (best(100, false) - set_up) / 100.0);
    println!("{N:>5}  {name:<16} {mul:>10.1} {sqr:>10.1} {:>10} {set_up:>11.0}", "-");
}
