//! The bars that Pingala sets itself: what each asks, what was measured, whether it is met.

use crate::cell::Cell;
use crate::peers::child;
use crate::peers::gmp::NATIVE;
use crate::peers::pingala::{PLANNER, RUNNER_UP, SECRET};
use crate::record;
use crate::table;
use crate::work::Shape;
use pingala::kernels::{Feature, has};
use std::fmt::Write;

/// Lengths of the bars' columns, in bits.
const BITS: [u64; 6] = [512, 1024, 2048, 3072, 4096, 8192];
/// Lanes with different exponents: at most this multiple of the bound.
const LANES: [f64; 6] = [1.38, 1.12, 1.07, 1.04, 1.06, 1.06];
/// One call, the planner's choice: the least factor by which it is faster than native GMP.
const CALL: [f64; 6] = [1.4, 2.6, 3.8, 3.9, 4.0, 3.0];
/// One call, the mulx kernel: likewise.
const MULX: [f64; 6] = [1.0, 1.0, 1.0, 1.0, 1.0, 0.95];
/// `powmod_list` on one thread: the least factor by which it is faster than gmpy2 in a loop.
const PYTHON_LIST: [f64; 6] = [8.0, 8.5, 8.2, 8.0, 8.0, 6.0];
/// The time of the constant-time path divided by the public one's, at most, from 512, 1024 and 2048 bits on.
const SECRET_AT_MOST: [f64; 6] = [1.40, 1.25, 1.15, 1.15, 1.15, 1.15];

/// The note printed if the CPU lacks what most bars were set for.
const OF_OTHERS: &str =
    "Set for CPUs with AVX-512 IFMA. Here only those of mulx, of the planner and of 64 bits apply.\n\n";

/// What bare loops must gain from two threads for the lists' bar to be judged.
const IDLE_SCALING: f64 = 1.9;

/// Which side of a bar is good.
#[derive(Clone, Copy)]
enum Bar {
    AtLeast(f64),
    AtMost(f64),
}

/// The rows of the summary.
struct Summary<'a> {
    cells: &'a [Cell],
    rows: String,
    /// Whether the machine had other work.
    busy: bool,
}

/// The summary of all bars for which there are figures; the others say that they were not measured.
pub fn markdown(cells: &[Cell]) -> String {
    let mut summary = Summary { cells, rows: String::new(), busy: record::is_busy(cells) };
    summary.table();
    summary.everywhere();
    summary.python();
    summary.lists();
    let of_others = if has(Feature::Avx512ifma) { "" } else { OF_OTHERS };
    format!("### Bars\n\n{of_others}| bar | asked | measured | |\n|---|---:|---:|---|\n{}\n", summary.rows)
}

impl<'a> Summary<'a> {
    fn row(&mut self, what: &str, bar: Bar, measured: Option<f64>) {
        let (asked, met) = match (bar, measured) {
            (Bar::AtLeast(least), found) => (format!(">= {least}"), found.map(|found| found >= least)),
            (Bar::AtMost(most), found) => (format!("<= {most}"), found.map(|found| found <= most)),
        };
        let missed = if self.busy { "busy" } else { "NOT MET" };
        let verdict = met.map_or("not measured", |met| if met { "met" } else { missed });
        let figure = measured.map_or("-".into(), table::digits);
        let _ = writeln!(self.rows, "| {what} | {asked} | {figure} | {verdict} |");
    }

    fn of(&self, shape: Shape) -> impl Iterator<Item = &'a Cell> + use<'a> {
        self.cells.iter().filter(move |cell| cell.work.shape == shape)
    }

    fn cell(&self, shape: Shape, bits: u64) -> Option<&'a Cell> {
        self.of(shape).find(|cell| cell.work.modulus_bits == bits)
    }

    /// How many times faster `name` is than `other`.
    fn ratio(&self, shape: Shape, bits: u64, name: &str, other: &str) -> Option<f64> {
        let cell = self.cell(shape, bits)?;
        Some(cell.time(other)? / cell.time(name)?)
    }

    /// The rows with a column per length.
    fn table(&mut self) {
        for (column, bits) in BITS.into_iter().enumerate() {
            let lanes = self.cell(Shape::List, bits).and_then(|cell| {
                let lanes = cell.contenders.iter().filter(|contender| contender.name.contains("ifma_lanes"));
                lanes.filter_map(|contender| table::times_bound(cell, contender)).reduce(f64::min)
            });
            self.row(&format!("lanes, {bits} bits: times the IFMA bound"), Bar::AtMost(LANES[column]), lanes);
        }
        for (column, bits) in BITS.into_iter().enumerate() {
            let ratio = self.ratio(Shape::Call, bits, PLANNER, NATIVE);
            self.row(&format!("one call, {bits} bits: native GMP / pingala"), Bar::AtLeast(CALL[column]), ratio);
        }
        for (column, bits) in BITS.into_iter().enumerate() {
            let mulx = self.cell(Shape::Call, bits).and_then(|cell| {
                let ours = cell.contenders.iter().find(|contender| contender.name.starts_with("pingala mulx"))?;
                Some(cell.time(NATIVE)? / ours.quartiles().lower)
            });
            self.row(&format!("mulx, {bits} bits: native GMP / pingala"), Bar::AtLeast(MULX[column]), mulx);
        }
        for (column, bits) in BITS.into_iter().enumerate() {
            let slower = self.ratio(Shape::Call, bits, PLANNER, SECRET);
            self.row(&format!("constant time, {bits} bits: over public"), Bar::AtMost(SECRET_AT_MOST[column]), slower);
        }
        for cell in self.of(Shape::CallBetween) {
            let bits = cell.work.modulus_bits;
            let (Some(ours), Some(gmp)) = (cell.time(PLANNER), cell.time(NATIVE)) else { continue };
            let part = self.interpolated(bits).map(|between| gmp / ours / between);
            self.row(&format!("{bits} bits: of the ratio between its neighbours"), Bar::AtLeast(0.85), part);
        }
    }

    /// The ratio to native GMP at `bits`, on the line (over the logarithm of the length) between the table's neighbours.
    fn interpolated(&self, bits: u64) -> Option<f64> {
        let at = |bits: u64| Some(((bits as f64).ln(), self.ratio(Shape::Call, bits, PLANNER, NATIVE)?));
        let lengths = || self.of(Shape::Call).map(|cell| cell.work.modulus_bits);
        let (x0, y0) = at(lengths().filter(|&length| length <= bits).max()?)?;
        let (x1, y1) = at(lengths().filter(|&length| length > bits).min()?)?;
        Some(y0 + (y1 - y0) * ((bits as f64).ln() - x0) / (x1 - x0))
    }

    /// The worst over all single calls with a base of full length, and where.
    fn worst(&mut self, what: &str, ours: &str, other: &str) {
        let counts = |shape: Shape| shape.key().starts_with("call") && shape != Shape::CallBase2;
        let calls = self.cells.iter().filter(|cell| counts(cell.work.shape));
        let ratios = calls.filter_map(|cell| {
            Some((cell.time(other)? / cell.time(ours)?, format!("{}, {}", cell.work.shape.key(), cell.work.label)))
        });
        let worst = ratios.min_by(|one, another| one.0.total_cmp(&another.0));
        let place = worst.as_ref().map_or(String::new(), |(_, place)| format!(", worst at {place}"));
        self.row(&format!("{what}{place}"), Bar::AtLeast(1.0), worst.map(|(ratio, _)| ratio));
    }

    /// What holds at every length.
    fn everywhere(&mut self) {
        self.worst("nowhere slower than native GMP", PLANNER, NATIVE);
        self.worst("nowhere slower than gmpy2 through Python", child::PACKAGE, child::GMPY2);
        let regrets = self.of(Shape::Call).filter_map(|cell| {
            let ours = cell.time(PLANNER)?;
            let forced = cell.contenders.iter().filter(|contender| contender.name.starts_with(PLANNER));
            let public = forced.filter(|contender| contender.name != SECRET);
            let (best, name) = public
                .map(|contender| (contender.quartiles().lower, contender.name.as_str()))
                .min_by(|one, other| one.0.total_cmp(&other.0))?;
            Some((ours / best, format!("{} bits, {name}", cell.work.modulus_bits)))
        });
        let worst = regrets.max_by(|one, other| one.0.total_cmp(&other.0));
        let place = worst.as_ref().map_or(String::new(), |(_, place)| format!(", worst at {place}"));
        let what = format!("planner over the best kernel or {RUNNER_UP}{place}");
        self.row(&what, Bar::AtMost(1.05), worst.map(|(regret, _)| regret));
        // The exponents of this table do not grow, so that half of the whole exponentiation's 7.5 is asked.
        let long: Vec<&Cell> = self.of(Shape::CallLong).collect();
        for short in &long {
            let bits = short.work.modulus_bits;
            let Some(twice) = long.iter().find(|cell| cell.work.modulus_bits == 2 * bits) else { continue };
            let growth = twice.time(PLANNER).zip(short.time(PLANNER)).map(|(long, short)| long / short);
            self.row(&format!("T({}) / T({bits}) at one exponent", 2 * bits), Bar::AtMost(3.75), growth);
        }
        let set_up = self.of(Shape::SetUp).map(|cell| cell.time(PLANNER)).collect::<Option<Vec<f64>>>();
        let nanoseconds = set_up.and_then(|times| Some(2.0 * times.get(1)? - times.first()?));
        self.row("64 bits: planning, set-up and conversions, ns", Bar::AtMost(100.0), nanoseconds);
    }

    fn python(&mut self) {
        let ratio = |other| self.ratio(Shape::Call, 2048, child::PACKAGE, other);
        let (gmpy2, pow) = (ratio(child::GMPY2), ratio(child::POW));
        self.row("Python, 2048 bits: gmpy2 / powmod", Bar::AtLeast(5.8), gmpy2);
        self.row("Python, 2048 bits: pow / powmod", Bar::AtLeast(45.0), pow);
        for (column, bits) in BITS.into_iter().enumerate() {
            let ratio = self.ratio(Shape::List, bits, child::PACKAGE, child::GMPY2);
            self.row(&format!("Python, {bits} bits: gmpy2 / powmod_list"), Bar::AtLeast(PYTHON_LIST[column]), ratio);
        }
        let short = |other| self.ratio(Shape::List32Bytes, 256, child::PACKAGE, other);
        let (pow, gmpy2) = (short(child::POW), short(child::GMPY2));
        self.row("Python, 32-byte operands: pow / powmod_list", Bar::AtLeast(20.0), pow);
        self.row("Python, 32-byte operands: gmpy2 / powmod_list", Bar::AtLeast(3.0), gmpy2);
    }

    fn lists(&mut self) {
        let ratio = self.ratio(Shape::ListFermat4, 2048, PLANNER, NATIVE);
        self.row("list with exponent 65537, 2048 bits: native GMP / pingala", Bar::AtLeast(3.0), ratio);
        let scaling = self.cell(Shape::List, 2048).zip(self.cell(Shape::ListTwoThreads, 2048));
        let bare = scaling.and_then(|(_, two)| two.scaling());
        let what = match bare {
            Some(bare) => format!("list on two threads over one, 2048 bits (bare loops: {bare:.2})"),
            None => "list on two threads over one, 2048 bits".into(),
        };
        let scaling = scaling.and_then(|(one, two)| Some(one.time(PLANNER)? / two.time(PLANNER)?));
        // A machine that is busy otherwise says nothing about lists.
        let idle = bare.is_some_and(|bare| bare >= IDLE_SCALING);
        self.row(&what, Bar::AtLeast(1.8), scaling.filter(|_| idle));
    }
}
