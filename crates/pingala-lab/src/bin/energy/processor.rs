//! A processor as a file of prices: cycles and current of each class of instruction, each number with its source.

use pingala_lab::counting::Instructions;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// The processors that come with the program.
pub const SHIPPED: [&str; 2] =
    [include_str!("../../../processors/strongarm_sa1100.toml"), include_str!("../../../processors/cortex_m4.toml")];

/// A number, its source, and whether the source states it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sourced {
    pub value: f64,
    #[serde(default)]
    pub assumed: bool,
    pub source: String,
}

/// What one instruction of a class takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub cycles: Sourced,
    pub ampere: Sourced,
}

/// A price for every class that `pingala_lab::counting` tells apart; additions with and without a carry are one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    pub multiply: Price,
    pub multiply_low: Price,
    pub multiply_accumulate: Price,
    pub add: Price,
    pub shift: Price,
    pub select: Price,
    pub compare: Price,
    pub load: Price,
    pub store: Price,
    pub turn: Price,
}

/// A class by name, its price, and how many instructions of it there are.
pub type Class<'a> = (&'static str, &'a Price, fn(&Instructions) -> u64);

/// A processor at one voltage and frequency.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Processor {
    pub name: String,
    pub volts: Sourced,
    pub megahertz: Sourced,
    pub classes: Classes,
}

impl Processor {
    /// Reads a file; the error names the place.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let processor: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for (name, number) in processor.numbers() {
            if !number.value.is_finite() || number.value < 0.0 {
                return Err(format!("{name} is {}", number.value));
            }
            if number.source.trim().is_empty() {
                return Err(format!("{name} has no source"));
            }
        }
        if processor.megahertz.value == 0.0 {
            return Err("megahertz is 0".into());
        }
        Ok(processor)
    }

    /// The classes by name, each with its count of these instructions.
    pub fn classes(&self) -> [Class<'_>; 10] {
        let classes = &self.classes;
        [
            ("multiply", &classes.multiply, |i| i.multiply),
            ("multiply_low", &classes.multiply_low, |i| i.multiply_low),
            ("multiply_accumulate", &classes.multiply_accumulate, |i| i.multiply_accumulate),
            ("add", &classes.add, Instructions::additions),
            ("shift", &classes.shift, |i| i.shift),
            ("select", &classes.select, |i| i.select),
            ("compare", &classes.compare, |i| i.compare),
            ("load", &classes.load, |i| i.load),
            ("store", &classes.store, |i| i.store),
            ("turn", &classes.turn, |i| i.turns),
        ]
    }

    /// Every number by name.
    fn numbers(&self) -> Vec<(String, &Sourced)> {
        let both = self.classes().into_iter().flat_map(|(name, price, _)| {
            [(format!("cycles of {name}"), &price.cycles), (format!("ampere of {name}"), &price.ampere)]
        });
        [("volts".to_string(), &self.volts), ("megahertz".to_string(), &self.megahertz)]
            .into_iter()
            .chain(both)
            .collect()
    }

    /// E = (V/f) * sum of count * cycles * ampere, in microjoule: f is in megahertz.
    pub fn microjoule(&self, instructions: &Instructions) -> f64 {
        let charge =
            |(_, price, count): Class<'_>| count(instructions) as f64 * price.cycles.value * price.ampere.value;
        self.volts.value / self.megahertz.value * self.classes().into_iter().map(charge).sum::<f64>()
    }

    /// This processor with other cycle counts for a multiplication, a load and a loop's turn.
    pub fn with(&self, multiply: Option<f64>, load: f64, turn: f64) -> Self {
        let mut changed = self.clone();
        let classes = &mut changed.classes;
        if let Some(cycles) = multiply {
            for price in [&mut classes.multiply, &mut classes.multiply_low, &mut classes.multiply_accumulate] {
                price.cycles.value = cycles;
            }
        }
        classes.load.cycles.value = load;
        classes.turn.cycles.value = turn;
        changed
    }

    /// What was read, for the record.
    pub fn record(&self) -> Value {
        let sourced =
            |number: &Sourced| json!({ "value": number.value, "assumed": number.assumed, "source": number.source });
        let numbers: serde_json::Map<_, _> =
            self.numbers().into_iter().map(|(name, number)| (name, sourced(number))).collect();
        json!({ "name": self.name, "numbers": numbers })
    }

    /// A table of the prices; assumed ones have a mark.
    pub fn table(&self) -> Vec<Vec<String>> {
        let mark = |number: &Sourced| format!("{}{}", number.value, if number.assumed { "*" } else { "" });
        let mut rows = vec![["class", "cycles", "ampere", "sources (* assumed)"].map(String::from).to_vec()];
        for (name, price, _) in self.classes() {
            let sources = format!("{}; {}", price.cycles.source, price.ampere.source);
            rows.push(vec![name.into(), mark(&price.cycles), mark(&price.ampere), sources]);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pingala_lab::counting::Count;
    use pingala_study::texts::{Operation, Text};

    const TEMPLATE: &str = include_str!("../../../processors/template.toml");

    /// With prices of one, energy is the number of instructions.
    #[test]
    fn a_unit_processor_counts() {
        let processor = Processor::parse(TEMPLATE).expect("the template");
        for text in Text::all(32) {
            let risc = text.count(Operation::Mul, 32).expect("it takes 32 words").risc();
            assert_eq!(processor.microjoule(&risc), risc.total() as f64, "{text}");
        }
    }

    /// By hand: 2 multiplications of 4 cycles, 3 additions, 5 loads.
    #[test]
    fn energy_by_hand() {
        let processor = Processor::parse(SHIPPED[0]).expect("SA-1100");
        let some = Instructions { multiply: 2, add: 1, add_carry: 2, load: 5, ..Instructions::default() };
        let want = 1.5 / 206.0 * (2.0 * 4.0 * 0.178 + 3.0 * 0.178 + 5.0 * 0.196);
        assert!((processor.microjoule(&some) - want).abs() < 1e-12);
        let slow = processor.with(Some(10.0), 2.0, 0.0).microjoule(&some);
        assert!((slow - want - 1.5 / 206.0 * (12.0 * 0.178 + 5.0 * 0.196)).abs() < 1e-12);
    }

    #[test]
    fn a_number_without_a_source_is_refused() {
        let refused = |from: &str, to: &str| Processor::parse(&TEMPLATE.replacen(from, to, 1)).expect_err("refused");
        assert!(refused("source = \"a unit\"", "source = \" \"").contains("no source"));
        assert!(refused(", source = \"a unit\"", "").contains("source"));
        assert!(refused("value = 1.0", "value = -1.0").contains("volts is -1"));
        assert!(refused("[classes.shift]", "[classes.rotate]").contains("rotate"));
        assert!(refused("megahertz = { value = 1.0", "megahertz = { value = 0.0").contains("megahertz is 0"));
    }
}
