//! The tables on standard output, in Markdown that reads well unrendered.

use crate::exponentiation;
use crate::model::{Method, Profile, WORD_BITS, cost, saving, tally};
use crate::processor::Processor;
use crate::record::BASELINE;
use crate::sweep::{self, LENGTHS, LOAD_CYCLES};
use pingala_lab::counting::koc_acar_kaliski::Paper;
use pingala_study::texts::{Operation, Text};
use std::fmt::Write;

/// Rows, the first of them the head, in columns of one width.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |cells: &[String]| {
        let mut text = String::from("|");
        for (column, &width) in widths.iter().enumerate() {
            let cell = cells.get(column).map_or("", String::as_str);
            // Names to the left, numbers to the right.
            let _ = if cell.len() < 20 && cell.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)) {
                write!(text, " {cell:>width$} |")
            } else {
                write!(text, " {cell:<width$} |")
            };
        }
        text + "\n"
    };
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    let (head, body) = rows.split_first().expect("a head");
    line(head) + &line(&rule) + &body.iter().map(|row| line(row)).collect::<String>()
}

/// `1 cycle`, `2 cycles`.
fn cycles(count: u32) -> String {
    format!("{count} cycle{}", if count == 1 { "" } else { "s" })
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// The texts that the counts' table shows at this length.
fn shown(words: usize) -> Vec<Text> {
    let leaf = |leaf: usize| leaf.is_multiple_of(2) && (4..words).contains(&leaf);
    let of_interest = |text: &Text| match *text {
        Text::Schoolbook { tile } | Text::Sos { tile } => tile == 1 || tile == 4,
        Text::Karatsuba { leaf: words }
        | Text::KaratsubaComba { leaf: words }
        | Text::KaratsubaSos { leaf: words }
        | Text::Kcm { leaf: words } => leaf(words),
        _ => true,
    };
    Text::all(words).into_iter().filter(of_interest).collect()
}

/// Executed counts at one length.
pub fn counts(bits: usize) -> String {
    let words = bits / WORD_BITS;
    let names =
        ["text", "op", "mul", "add", "load", "store", "shift", "select", "total", "turns", "arm: mul", "arm: add"];
    let mut rows = vec![head(&names)];
    for operation in Operation::ALL {
        for text in shown(words) {
            let tally = tally(text, operation, words);
            let (risc, arm) = (tally.risc(), tally.arm());
            let counts = [
                risc.multiplications(),
                risc.additions(),
                risc.load,
                risc.store,
                risc.shift,
                risc.select + risc.compare,
                risc.total(),
                risc.turns,
                arm.multiplications(),
                arm.additions(),
            ];
            let cells = [text.to_string(), operation.name().to_string()];
            rows.push(cells.into_iter().chain(counts.map(|count| count.to_string())).collect());
        }
    }
    format!("## Counts, {bits} bits ({words} words)\n\n{}", table(&rows))
}

/// The five published texts on the memory machine.
pub fn memory_machine(bits: usize) -> String {
    let words = bits / WORD_BITS;
    let mut rows = vec![head(&["text", "mul", "add", "read", "write", "less the published: add", "read", "write"])];
    for paper in Paper::ALL {
        let (counted, published) = (paper.count(words), paper.published(words as u64));
        let counts = [counted.multiplications, counted.additions, counted.reads, counted.writes];
        let difference = |a: u64, b: u64| format!("{}", a as i64 - b as i64);
        let differences = [
            difference(counted.additions, published.additions),
            difference(counted.reads, published.reads),
            difference(counted.writes, published.writes),
        ];
        let cells = std::iter::once(paper.name().to_string()).chain(counts.map(|count| count.to_string()));
        rows.push(cells.chain(differences).collect());
    }
    format!("## The memory machine of Koc, Acar and Kaliski, {bits} bits\n\n{}", table(&rows))
}

/// The prices as they were read.
pub fn prices(processor: &Processor) -> String {
    let star = |number: &crate::processor::Sourced| if number.assumed { "*" } else { "" };
    let (volts, megahertz) = (&processor.volts, &processor.megahertz);
    let line = format!(
        "{}{} V ({}), {}{} MHz ({})",
        volts.value,
        star(volts),
        volts.source,
        megahertz.value,
        star(megahertz),
        megahertz.source
    );
    format!("# {}\n\n{line}\n\n{}", processor.name, table(&processor.table()))
}

/// Energy of a product of 1024 bits and what Karatsuba's two save against each.
pub fn savings(processor: &Processor, profile: Profile, bits: usize) -> String {
    let mut text = format!("## Energy of a product of {bits} bits, profile {}\n\n", profile.name());
    let mut rows =
        vec![head(&["product", "loads", "turns", "text", "microjoule", "KCM saves %", "Karatsuba-Comba saves %"])];
    for load in LOAD_CYCLES {
        for turn in [0u32, 3] {
            let changed = processor.with(None, load.into(), turn.into());
            let of = |method| cost(&changed, profile, method, Operation::Mul, bits);
            let (kcm, karatsuba) = (of(Method::Kcm).microjoule, of(Method::KaratsubaComba).microjoule);
            for method in Method::ALL {
                let cost = of(method);
                rows.push(vec![
                    method.name().into(),
                    cycles(load),
                    cycles(turn),
                    cost.text.to_string(),
                    format!("{:.2}", cost.microjoule),
                    format!("{:+.1}", saving(kcm, cost.microjoule)),
                    format!("{:+.1}", saving(karatsuba, cost.microjoule)),
                ]);
            }
        }
    }
    let _ = write!(text, "{}\n{BASELINE}\n", table(&rows));
    text
}

/// Savings by length, and by cycles of a multiplication at 1024 bits.
pub fn sweep(processor: &Processor, profile: Profile) -> String {
    let points = sweep::grid(processor, profile);
    let mut text = format!(
        "## Sweep, profile {}: KCM | Karatsuba-Comba saves %, against CIOS / the best baseline\n",
        profile.name()
    );
    for load in LOAD_CYCLES {
        let mut rows = vec![head(&["multiply"])];
        rows[0].extend(LENGTHS.map(|bits| format!("{bits} bits")));
        for count in sweep::MULTIPLY_CYCLES {
            let mut row = vec![cycles(count)];
            for point in points.iter().filter(|p| (p.load_cycles, p.multiply_cycles) == (load, count)) {
                let [a, b] = point.kcm.map(|saving| format!("{saving:.0}"));
                let [c, d] = point.karatsuba_comba.map(|saving| format!("{saving:.0}"));
                row.push(format!("{a}/{b} \\| {c}/{d}"));
            }
            rows.push(row);
        }
        let _ = write!(text, "\nLoads of {}:\n\n{}", cycles(load), table(&rows));
    }
    text
}

/// The lengths at which one method passes another, with loads of one cycle and of two.
pub fn crossovers(processor: &Processor, profile: Profile) -> String {
    let mut rows = vec![head(&["takes less", "than", "loads", "first at", "for good from"])];
    let bits = |bits: Option<usize>| bits.map_or("not up to 4096".to_string(), |bits| format!("{bits} bits"));
    for load in LOAD_CYCLES {
        for crossover in sweep::crossovers(&processor.with(None, load.into(), 0.0), profile) {
            rows.push(vec![
                crossover.of.name().into(),
                crossover.against.name().into(),
                cycles(load),
                bits(crossover.first),
                bits(crossover.stays),
            ]);
        }
    }
    let mut claims = vec![head(&["against", "loads", "at 1024 bits from", "or from"])];
    for load in LOAD_CYCLES {
        let changed = processor.with(None, load.into(), 0.0);
        for against in Method::BASELINES {
            let least = sweep::cycles_for_the_claim(&changed, profile, against, 1024);
            let least =
                least.map_or("not up to 64 cycles".into(), |least| format!("{} a multiplication", cycles(least)));
            let from = bits(sweep::bits_for_the_claim(&changed, profile, against));
            claims.push(vec![against.name().into(), cycles(load), least, from]);
        }
    }
    format!(
        "## Crossovers, profile {}\n\n{}\nWhere KCM saves the {} % of the paper:\n\n{}",
        profile.name(),
        table(&rows),
        sweep::CLAIM,
        table(&claims)
    )
}

/// Whole exponentiations.
pub fn exponentiations(processor: &Processor, profile: Profile) -> String {
    let mut rows = vec![head(&[
        "bits",
        "algorithm",
        "squarings",
        "products",
        "method",
        "squaring by",
        "millijoule",
        "saves % against CIOS",
    ])];
    let powers = exponentiation::powers(processor, profile);
    for power in &powers {
        let cios = powers.iter().find(|cios| (cios.bits, cios.method) == (power.bits, Method::Cios));
        rows.push(vec![
            power.bits.to_string(),
            power.algorithm.to_string(),
            power.counts.squarings.to_string(),
            (power.counts.products() - power.counts.squarings).to_string(),
            power.method.name().into(),
            power.texts[1].to_string(),
            format!("{:.2}", power.millijoule),
            format!("{:+.1}", saving(power.millijoule, cios.map_or(f64::NAN, |cios| cios.millijoule))),
        ]);
    }
    format!("## Whole exponentiations, profile {}\n\n{}", profile.name(), table(&rows))
}
