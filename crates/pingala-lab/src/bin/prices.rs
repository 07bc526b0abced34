//! Measures the prices of every kernel form on this machine and prints them in the form that `plan/prices` ships.
//!
//! `cargo run --release -p pingala-lab --bin prices [KERNEL...] > crates/pingala/src/plan/prices/NAME.txt`; without a
//! kernel's name, all of them.

use pingala::kernels::{Form, Kernel, forms, model};
use pingala::tune::measure;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

/// Lengths in limbs; between them the planner interpolates.
const LENGTHS: [usize; 33] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 256,
    384, 512, 1024,
];
/// One timing takes at least this long.
const ROUND: Duration = Duration::from_micros(300);

/// The first line that a command prints, for the stamp.
fn line_of(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").trim().to_string()
}

fn main() {
    println!("# Prices in nanoseconds: kernel product n setup convert sqr mul mul_small select(per entry).");
    println!("# Each is the least of 9 rounds of 0.3 ms or one call; made by the lab's program `prices`.");
    println!("cpu: {}", model());
    println!("date: {}", line_of("date", &["+%Y-%m-%d"]));
    println!("compiler: {}", line_of("rustc", &["--version"]));
    println!("version: {} at {}", env!("CARGO_PKG_VERSION"), line_of("git", &["rev-parse", "--short", "HEAD"]));
    let only: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |form: &Form| only.is_empty() || only.iter().any(|name| name == form.kernel.entry().name);
    let mut seen = BTreeSet::new();
    for n in LENGTHS {
        for odd in [true, false] {
            for form in forms(odd, n).filter(|form| form.words() == form.n && wanted(form)) {
                seen.insert(form.kernel.entry().name);
                print_point(&form);
            }
        }
    }
    eprintln!("measured {}", seen.into_iter().collect::<Vec<_>>().join(", "));
}

fn print_point(form: &Form) {
    let price = measure(form, ROUND);
    let product = form.product.map_or("-".to_string(), |product| product.to_string());
    let name = Kernel::entry(form.kernel).name;
    println!(
        "{name} {product} {} {:.1} {:.1} {:.2} {:.2} {:.2} {:.3}",
        form.n, price.setup, price.convert, price.sqr, price.mul, price.mul_small, price.select
    );
}
