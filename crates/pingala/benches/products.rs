//! Nanoseconds of each Montgomery product by length, on one core: `cargo bench --bench products [-- LENGTH...]`.
//!
//! All products must agree before any is timed. The figure is the best of interleaved rounds: other work on the machine
//! only ever adds time.

use pingala::lab::{Bench, product_names};
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
        println!();
    }
}
