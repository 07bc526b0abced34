//! An explanation as figures and text, for any workload.

use super::planner::Run;
use super::reasons;
use crate::exponent::order;
use crate::kernel::registry::Form;
use core::fmt;

/// Most candidates that are printed; `{:#}` prints all.
pub const MOST_ROWS: usize = 12;

/// What was chosen and why, and what it was chosen from. `Display` prints two sentences, then at most [`MOST_ROWS`] candidates;
/// `{:#}` prints all of them. With a width, as in `{:80}`, a table that is wider lacks the parameters of kernels, and then columns.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// A sentence: what was chosen, its time, and because of what.
    pub chosen: String,
    /// A sentence: the next best candidate, and why it is more expensive. Empty if there was one candidate.
    pub next_best: String,
    /// Whether the caller forced a kernel or a line.
    pub(crate) forced: bool,
    /// By which prices the plan was chosen.
    pub(crate) prices: String,
    /// The problem that was planned.
    pub problem: String,
    /// Features of this CPU that are ignored on request.
    pub masked: Vec<String>,
    /// The plan, as a line that forces it.
    pub plan: String,
    /// Expected seconds of the whole work; for a table, of one power.
    pub seconds: f64,
    /// Expected seconds of building a table.
    pub build_seconds: Option<f64>,
    /// What was found and is not used, and why: a sentence each.
    pub notes: Vec<String>,
    /// What each part of the plan was chosen from.
    pub parts: Vec<SummaryPart>,
    /// Another way to do the whole work.
    pub alternative: Option<Alternative>,
}

/// A part of the work that one kernel does, with its candidates.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SummaryPart {
    /// What it asks.
    pub problem: String,
    /// How many such parts follow each other.
    pub count: usize,
    /// Cheapest first.
    pub candidates: Vec<Row>,
}

/// A candidate: one algorithm on one kernel.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The algorithm with its parameters.
    pub algorithm: String,
    /// The kernel with its parameters.
    pub kernel: String,
    /// Whether it is the chosen one.
    pub chosen: bool,
    /// Expected squarings.
    pub squarings: f64,
    /// Expected multiplications of two residues.
    pub products: f64,
    /// Expected products by the base itself, which are cheap for a short base.
    pub base_products: f64,
    /// Expected look-ups in a table of secrets or of digits.
    pub selections: f64,
    /// Expected seconds of one run, set-up and conversions included.
    pub seconds: f64,
    /// Its time divided by that of the chosen one; for a table with its share of building.
    pub ratio: f64,
    /// What it keeps, if it is a table.
    pub table: Option<SummaryTable>,
}

/// A table of powers of a fixed base.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SummaryTable {
    /// Powers that it holds.
    pub entries: u64,
    /// Its length in memory.
    pub bytes: u64,
    /// Expected seconds of building.
    pub build_seconds: f64,
}

/// Another way to do the whole work.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Alternative {
    /// Which way.
    pub what: String,
    /// Its plan.
    pub plan: String,
    /// Its expected seconds.
    pub seconds: f64,
}

impl Row {
    /// The plan line.
    pub fn plan(&self) -> String {
        format!("{} on {}", self.algorithm, self.kernel)
    }

    /// The kernel without its parameters.
    pub(crate) fn kernel_name(&self) -> &str {
        name(&self.kernel)
    }

    /// Products of all kinds.
    pub(crate) fn all_products(&self) -> f64 {
        self.squarings + self.products + self.base_products
    }
}

fn name(spec: &str) -> &str {
    spec.split('(').next().unwrap_or(spec)
}

impl SummaryPart {
    /// A part with the runs that it was chosen from, among them the one that the plan has.
    pub(crate) fn new<A: fmt::Display + PartialEq>(
        problem: String,
        mut runs: Vec<Run<A>>,
        chosen: (&A, &Form),
    ) -> Self {
        order::sort(&mut runs, |a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        let chosen = runs.iter().position(|run| run.is(chosen)).unwrap_or(0);
        let least = runs.get(chosen).map_or(1.0, |run| run.nanoseconds);
        let rows = runs.iter().enumerate().map(|(at, run)| Row {
            algorithm: run.algorithm.to_string(),
            kernel: run.form.to_string(),
            chosen: at == chosen,
            squarings: run.cost.squarings,
            products: run.cost.multiplications,
            base_products: run.cost.base_multiplications,
            selections: run.cost.selections,
            seconds: run.table.as_ref().map_or(run.nanoseconds, |table| table.power_nanoseconds) * 1e-9,
            ratio: run.nanoseconds / least,
            table: run.table.as_ref().map(|table| table.table),
        });
        Self { problem, count: 1, candidates: rows.collect() }
    }

    /// Merges parts that follow each other and are alike; the merged part counts them.
    pub(crate) fn together(mut parts: Vec<Self>) -> Vec<Self> {
        parts.dedup_by(|part, before| {
            let alike = before.problem == part.problem && before.candidates == part.candidates;
            before.count += if alike { part.count } else { 0 };
            alike
        });
        parts
    }

    /// The chosen candidate.
    pub(crate) fn chosen(&self) -> Option<&Row> {
        self.candidates.iter().find(|row| row.chosen)
    }

    /// The rows that are printed if there is room for `most`, cheapest first: the chosen one, the next best, the best of each
    /// kernel; tables that no smaller one beats; the best of each algorithm; then by price.
    fn shown(&self, most: usize) -> Vec<&Row> {
        let rows = &self.candidates;
        let firsts = |key: fn(&Row) -> &str| {
            let first = move |&at: &usize| rows[..at].iter().all(|row| key(row) != key(&rows[at]));
            (0..rows.len()).filter(first)
        };
        let smaller = |&at: &usize| {
            let bytes = |row: &Row| row.table.map(|table| table.bytes);
            bytes(&rows[at]).is_some() && rows[..at].iter().all(|row| bytes(row) > bytes(&rows[at]))
        };
        let chosen = rows.iter().position(|row| row.chosen);
        let by_value = chosen
            .into_iter()
            .chain(0..rows.len().min(2))
            .chain(firsts(Row::kernel_name))
            .chain((0..rows.len()).filter(smaller))
            .chain(firsts(|row| name(&row.algorithm)))
            .chain(0..rows.len());
        let mut places = Vec::new();
        for place in by_value {
            if places.len() < most && !places.contains(&place) {
                places.push(place);
            }
        }
        places.sort_unstable();
        places.into_iter().map(|place| &rows[place]).collect()
    }
}

impl Summary {
    /// With the sentences that say what was chosen and why.
    pub(crate) fn with_sentences(mut self) -> Self {
        (self.chosen, self.next_best) = reasons::sentences(&self);
        self
    }

    /// Candidates, of all parts.
    fn candidates(&self) -> usize {
        self.parts.iter().map(|part| part.candidates.len()).sum()
    }

    /// Each part with the rows that `Display` prints, or `{:#}`.
    fn shown(&self, all: bool) -> Vec<(&SummaryPart, Vec<&Row>)> {
        let parts = if all { &self.parts[..] } else { &self.parts[..self.parts.len().min(MOST_ROWS)] };
        let most = if all { usize::MAX } else { MOST_ROWS / parts.len().max(1) };
        parts.iter().map(|part| (part, part.shown(most))).collect()
    }

    /// Candidates that `Display` leaves out.
    pub fn left_out(&self) -> usize {
        self.candidates() - self.shown(false).iter().map(|(_, rows)| rows.len()).sum::<usize>()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.chosen)?;
        if !self.next_best.is_empty() {
            writeln!(f, "{}", self.next_best)?;
        }
        writeln!(f, "\nproblem   {}", self.problem)?;
        if !self.masked.is_empty() {
            writeln!(f, "masked    {}", self.masked.join(" "))?;
        }
        writeln!(f, "plan      {}", self.plan)?;
        match self.build_seconds {
            Some(build) => writeln!(f, "estimate  {} a power, {} to build", Seconds(self.seconds), Seconds(build))?,
            None => writeln!(f, "estimate  {}", Seconds(self.seconds))?,
        }
        if let Some(Alternative { what, plan, seconds }) = &self.alternative {
            writeln!(f, "instead   {what}: {}, {plan}", Seconds(*seconds))?;
        }
        for note in &self.notes {
            writeln!(f, "note      {note}")?;
        }
        for (part, rows) in self.shown(f.alternate()) {
            let times = if part.count > 1 { format!(", {} times", part.count) } else { String::new() };
            writeln!(f, "\n{}{times}", part.problem)?;
            print(f, &rows, f.width().unwrap_or(usize::MAX))?;
        }
        match self.left_out() {
            left_out if left_out > 0 && !f.alternate() => {
                writeln!(f, "\n{left_out} of {} candidates are left out", self.candidates())
            }
            _ => Ok(()),
        }
    }
}

/// Columns of a table of candidates. The first two are flush left, figures flush right.
const COLUMNS: usize = 9;
/// The columns that a narrow table lacks, the first one first.
const DISPENSABLE: [usize; 5] = [5, 4, 3, 2, 6];

/// The rows in columns, not wider than `most` if leaving out parameters of kernels and figures is enough for that.
fn print(f: &mut fmt::Formatter<'_>, rows: &[&Row], most: usize) -> fmt::Result {
    let mut lines = lines(rows, Row::plan);
    if width(&lines) > most {
        lines = self::lines(rows, |row| format!("{} on {}", row.algorithm, row.kernel_name()));
    }
    for column in DISPENSABLE {
        if width(&lines) > most {
            lines.iter_mut().for_each(|line| line[column].clear());
        }
    }
    let widths = widths(&lines);
    for line in &lines {
        write!(f, "{:1} {:width$}", line[0], line[1], width = widths[1])?;
        for (cell, &width) in line.iter().zip(&widths).skip(2).filter(|(_, width)| **width > 0) {
            write!(f, "  {cell:>width$}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}

/// The cells of a table with its head.
fn lines(rows: &[&Row], candidate: impl Fn(&Row) -> String) -> Vec<[String; COLUMNS]> {
    let are_tables = rows.iter().any(|row| row.table.is_some());
    let mut lines = vec![if are_tables {
        ["", "candidate", "squarings", "products", "entries", "bytes", "to build", "time", "ratio"].map(String::from)
    } else {
        ["", "candidate", "squarings", "products", "by base", "selected", "", "time", "ratio"].map(String::from)
    }];
    for row in rows {
        let [c, d, e] = match row.table {
            Some(table) => {
                [table.entries.to_string(), table.bytes.to_string(), Seconds(table.build_seconds).to_string()]
            }
            None => [Figure(row.base_products).to_string(), Figure(row.selections).to_string(), String::new()],
        };
        let mark = if row.chosen { ">" } else { "" };
        let [squarings, products, ratio] = [row.squarings, row.products, row.ratio].map(|x| Figure(x).to_string());
        let time = Seconds(row.seconds).to_string();
        lines.push([mark.into(), candidate(row), squarings, products, c, d, e, time, ratio]);
    }
    lines
}

fn widths(lines: &[[String; COLUMNS]]) -> [usize; COLUMNS] {
    core::array::from_fn(|column| lines.iter().map(|line| line[column].len()).max().unwrap_or(0))
}

/// The width of all columns, with what stands between them.
fn width(lines: &[[String; COLUMNS]]) -> usize {
    let [_, candidate, figures @ ..] = widths(lines);
    2 + candidate + figures.iter().filter(|&&width| width > 0).map(|width| width + 2).sum::<usize>()
}

/// A count or a ratio, with three digits as long as it has a fraction: prices are good for no more.
struct Figure(f64);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = match self.0 {
            x if x.fract() == 0.0 || x >= 99.95 => 0,
            x if x >= 9.995 => 1,
            _ => 2,
        };
        write!(f, "{:.decimals$}", self.0)
    }
}

/// Seconds with three digits, in the unit that leaves one to three of them before the point.
pub(crate) struct Seconds(pub(crate) f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scale, unit) = match self.0 {
            s if s < 0.9995e-6 => (1e9, "ns"),
            s if s < 0.9995e-3 => (1e6, "us"),
            s if s < 0.9995 => (1e3, "ms"),
            _ => (1.0, "s"),
        };
        let scaled = self.0 * scale;
        let decimals = if scaled >= 99.95 { 0 } else { usize::from(scaled < 9.995) + 1 };
        write!(f, "{scaled:.decimals$} {unit}")
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/plan/summary.rs"]
mod tests;
