//! The tables of the report for the two binary algorithms: \[tandrup2004fast\], tables 2.1 and 2.2.

use super::{Trace, TracedOperation};
use core::fmt;
use pingala_core::algorithm::Algorithm;
use pingala_core::exponent::Exponent;

/// Rows of cells under a name each, printed in columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellTable {
    rows: Vec<(&'static str, Vec<String>)>,
}

impl CellTable {
    /// The table of a binary algorithm's trace; `None` for the others.
    pub fn of(trace: &Trace) -> Option<Self> {
        match trace.algorithm {
            Algorithm::BinaryRightToLeft(_) => Some(Self::right_to_left(trace)),
            Algorithm::BinaryLeftToRight(_) => Some(Self::left_to_right(trace)),
            _ => None,
        }
    }

    /// CellTable 2.1: A, e and S at the start and after each bit, from the lowest; there is no S after the last.
    fn right_to_left(trace: &Trace) -> Self {
        let bits = trace.exponent.bits();
        let mut s = vec!["g".to_string()];
        let mut products = vec![None; bits];
        for step in &trace.steps {
            match step.operation {
                TracedOperation::Square(_) => s.push(step.value.to_string()),
                // S is g^(2^i) when bit i is dealt with.
                _ => products[s.len() - 1] = Some(step.value.to_string()),
            }
        }
        // At the lowest one bit A takes the place of S, which is no step.
        let lowest = trace.exponent.trailing_zeros();
        products[lowest] = Some(s[lowest].clone());
        let mut a = vec!["1".to_string()];
        for product in products {
            let unchanged = a[a.len() - 1].clone();
            a.push(product.unwrap_or(unchanged));
        }
        let mut e: Vec<String> = prefixes(&trace.exponent).iter().rev().map(Exponent::to_string).collect();
        e.push("0".to_string());
        Self { rows: vec![("A", a), ("e", e), ("S", s)] }
    }

    /// CellTable 2.2: i, e_i and A after bit i, from the top.
    fn left_to_right(trace: &Trace) -> Self {
        let positions = || (0..trace.exponent.bits()).rev();
        let mut a = vec!["g".to_string()];
        for step in &trace.steps {
            if !matches!(step.operation, TracedOperation::Square(_)) {
                a.pop();
            }
            a.push(step.value.to_string());
        }
        let bits = positions().map(|i| u8::from(trace.exponent.bit(i)).to_string());
        Self { rows: vec![("i", positions().map(|i| i.to_string()).collect()), ("e_i", bits.collect()), ("A", a)] }
    }
}

/// The exponent's leading bits as numbers: the top one, the top two, ..., all.
fn prefixes(exponent: &Exponent) -> Vec<Exponent> {
    let mut all = vec![Exponent::one()];
    for position in (0..exponent.bits() - 1).rev() {
        let last = &all[all.len() - 1];
        let doubled = last + last;
        all.push(if exponent.bit(position) { &doubled + &Exponent::one() } else { doubled });
    }
    all
}

impl fmt::Display for CellTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, cells) in &self.rows {
            write!(f, "{name:<names$}")?;
            for (column, cell) in cells.iter().enumerate() {
                let width = self.rows.iter().filter_map(|(_, cells)| cells.get(column)).map(String::len).max();
                write!(f, "  {cell:>width$}", width = width.unwrap_or(0))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
