//! The measured cells and their table.

use crate::contender::{Call, Contender};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

/// A contender that takes this many times as long as the best is measured no more.
const HOPELESS: f64 = 1.3;
/// Rounds before that is asked.
const FIRST: usize = 2;
/// Once a cell's bursts take longer than this, in nanoseconds, its rounds end.
const MOST: f64 = 4e9;
/// The worst cells that are printed.
const WORST: usize = 40;

/// One call by every contender.
pub struct Cell {
    call: Call,
    /// The least nanoseconds of each contender; infinite if it does not suit.
    least: Vec<f64>,
    suits: Vec<bool>,
    plan: String,
}

impl Cell {
    pub fn new(call: Call, contenders: &[Contender]) -> Self {
        let suits = contenders.iter().map(|contender| contender.suits(&call)).collect();
        Self { call, least: vec![f64::INFINITY; contenders.len()], suits, plan: String::new() }
    }

    /// Measures in turn, beginning with another contender in each round.
    pub fn measure(&mut self, contenders: &mut [Contender], rounds: usize) -> Result<(), Box<dyn Error>> {
        self.plan = contenders[0].plan(&self.call)?;
        let (count, mut spent) = (contenders.len(), 0.0);
        for round in 0..rounds {
            let best = self.least.iter().copied().fold(f64::INFINITY, f64::min);
            for place in 0..count {
                let at = (place + round) % count;
                let hopeless = at > 0 && round >= FIRST && self.least[at] > HOPELESS * best;
                if self.suits[at] && !hopeless {
                    let nanoseconds = contenders[at].nanoseconds(&self.call)?;
                    self.least[at] = self.least[at].min(nanoseconds);
                    spent += nanoseconds;
                }
            }
            if spent > MOST && round + 1 >= FIRST {
                break;
            }
        }
        Ok(())
    }

    /// The quickest of the others.
    pub fn best(&self) -> usize {
        (1..self.least.len()).min_by(|&a, &b| self.least[a].total_cmp(&self.least[b])).unwrap_or(0)
    }

    /// The time as planned over that of the quickest of the others.
    pub fn ratio(&self) -> f64 {
        self.least[0] / self.least[self.best()]
    }

    fn modulus(&self) -> &'static str {
        match self.call.zeros {
            0 => "odd",
            zeros if zeros == self.call.bits / 2 => "half zeros",
            _ => "even",
        }
    }

    fn exponent(&self) -> String {
        match self.call.exponent.strip_prefix('=') {
            Some(value) => value.into(),
            None if self.call.exponent == "full" => "full".into(),
            None => format!("{} bits", self.call.exponent),
        }
    }

    /// A row of the table of the worst.
    pub fn line(&self, contenders: &[Contender]) -> String {
        let (best, prepared) = (self.best(), if self.call.prepared { ", prepared" } else { "" });
        format!(
            "| {} | {}{prepared} | {} | {:.3} | {:.3} | {} | {:.2} | `{}` |",
            self.call.bits,
            self.modulus(),
            self.exponent(),
            self.least[0] / 1e3,
            self.least[best] / 1e3,
            contenders[best].name,
            self.ratio(),
            self.plan,
        )
    }
}

/// The ratios by length and exponent, and the worst cells.
pub fn markdown(cells: &[Cell], contenders: &[Contender], bar: f64) -> String {
    let mut text = String::new();
    let mut exponents: Vec<String> = Vec::new();
    let mut rows: BTreeMap<(&str, bool, usize), BTreeMap<usize, f64>> = BTreeMap::new();
    for cell in cells {
        let name = cell.exponent();
        let at = exponents.iter().position(|known| *known == name).unwrap_or_else(|| {
            exponents.push(name);
            exponents.len() - 1
        });
        let key = (cell.modulus(), cell.call.prepared, cell.call.bits);
        rows.entry(key).or_default().insert(at, cell.ratio());
    }
    let _ = writeln!(text, "| modulus, bits | {} |", exponents.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(exponents.len()));
    for ((modulus, prepared, bits), ratios) in &rows {
        let cell = |at: usize| ratios.get(&at).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let ratios: Vec<String> = (0..exponents.len()).map(cell).collect();
        let prepared = if *prepared { ", prepared" } else { "" };
        let _ = writeln!(text, "| {modulus}{prepared}, {bits} | {} |", ratios.join(" | "));
    }
    let mut worst: Vec<&Cell> = cells.iter().collect();
    worst.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let above = cells.iter().filter(|cell| cell.ratio() > bar).count();
    let percent = 100.0 * (bar - 1.0);
    let _ = writeln!(
        text,
        "\n{above} of {} cells are more than {percent:.0}% above the best. The worst, in microseconds:\n",
        cells.len()
    );
    let _ = writeln!(text, "| bits | modulus | exponent | planned | best | by | ratio | plan |");
    let _ = writeln!(text, "|---:|---|---|---:|---:|---|---:|---|");
    for cell in worst.iter().take(WORST.max(above)) {
        let _ = writeln!(text, "{}", cell.line(contenders));
    }
    text
}
