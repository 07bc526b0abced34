//! What real ARM code executes (made by `make -C lab arm-counts`, which runs it) and what the counting word counts: the bars, and
//! the tables of docs/records/arm-counts.md.

use pingala_lab::counting::{Kind, count};
use pingala_study::texts::{Operation, Text};
use serde_json::Value;

const RECORD: &str = include_str!("../../arm/counts.json");
const PAGE: &str = include_str!("../../../../docs/records/arm-counts.md");

/// Per cent that real code may differ by: multiplications, additions, loads, loads and stores.
const BARS: [f64; 4] = [4.0, 15.0, 20.0, 20.0];

/// One product of one length: executed on ARM, and counted.
struct Row {
    text: Text,
    operation: Operation,
    words: usize,
    multiplications: [u64; 2],
    additions: [u64; 2],
    /// Counted additions that put a bit below a shifted word: the compiler may take an `orr`.
    joined: u64,
    loads: [u64; 2],
    stores: [u64; 2],
    /// Words loaded and stored relative to the stack pointer.
    stack: [u64; 2],
    index: u64,
    instructions: u64,
    /// Function, words loaded and stored there relative to the stack pointer.
    spills: Vec<(String, [u64; 2])>,
}

fn per_cent([executed, counted]: [u64; 2]) -> f64 {
    100.0 * (executed as f64 / counted as f64 - 1.0)
}

impl Row {
    fn new(row: &Value) -> Self {
        let (name, words) = (row["text"].as_str().unwrap(), row["words"].as_u64().unwrap() as usize);
        let text = Text::all(words).into_iter().find(|text| text.to_string() == name).expect("a text of this length");
        let operation = Operation::ALL.into_iter().find(|operation| row["operation"] == operation.name()).unwrap();
        let tally = count(text, operation, words).unwrap();
        let counted = tally.arm();
        let executed = |class: &str| row["counts"][class].as_u64().expect("every class is recorded");
        let stack = [executed("load_stack"), executed("store_stack")];
        let words_of = |pair: &Value| [pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap()];
        let spills =
            row["stack"].as_object().unwrap().iter().map(|(function, words)| (function.clone(), words_of(words)));
        let mut spills: Vec<_> = spills.collect();
        spills.sort_by_key(|(_, [_, stored])| core::cmp::Reverse(*stored));
        Self {
            text,
            operation,
            words,
            multiplications: [executed("mul") + executed("umull") + executed("umlal"), counted.multiplications()],
            additions: [executed("add"), counted.additions()],
            // Two such additions and four shifts to a square.
            joined: tally.of(Kind::Shift) / 2,
            loads: [executed("load") + stack[0], counted.load],
            stores: [executed("store") + stack[1], counted.store],
            stack,
            index: executed("index"),
            instructions: row["counts"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum(),
            spills,
        }
    }

    /// The rows over words of 32 bits.
    fn all() -> Vec<Self> {
        Self::over(32)
    }

    /// The rows over words of `word_bits` bits.
    fn over(word_bits: u64) -> Vec<Self> {
        let record: Value = serde_json::from_str(RECORD).expect("JSON");
        let rows = record["rows"].as_array().expect("rows").iter().filter(|row| row["word_bits"] == word_bits);
        rows.map(Self::new).collect()
    }

    fn name(&self) -> String {
        format!("`{}` {}", self.text, self.operation.name())
    }

    fn loads_and_stores(&self) -> [u64; 2] {
        [self.loads[0] + self.stores[0], self.loads[1] + self.stores[1]]
    }

    /// In the order of [`BARS`].
    fn differences(&self) -> [f64; 4] {
        [self.multiplications, self.additions, self.loads, self.loads_and_stores()].map(per_cent)
    }

    /// Which bars it does not keep to.
    fn beyond(&self) -> [bool; 4] {
        let differences = self.differences();
        core::array::from_fn(|i| differences[i].abs() > BARS[i])
    }

    /// The line of the page's first table.
    fn line(&self) -> String {
        let differences = self.differences();
        let beyond = self.beyond();
        let cell = |i: usize| format!("{:+.1}{}", differences[i], if beyond[i] { " !" } else { "" });
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:+.1} | {} | {} | {} | {} |",
            self.name(),
            self.multiplications[0],
            cell(0),
            self.additions[0],
            cell(1),
            self.loads[0],
            cell(2),
            self.stores[0],
            per_cent(self.stores),
            cell(3),
            self.stack[0] + self.stack[1],
            self.index,
            self.instructions,
        )
    }

    /// The line of the page's second table: the functions with the most stores to the stack.
    fn spills_line(&self) -> String {
        let named: Vec<_> = self.spills.iter().map(|(function, words)| format!("`{function}` {}", words[1])).collect();
        format!("| {} | {} | {} |", self.name(), self.stack[1], named[..named.len().min(4)].join(", "))
    }
}

#[test]
fn multiplications_and_additions_are_those_of_the_counting_word() {
    let rows = Row::all();
    assert_eq!(rows.len(), 19 * 2 * 3);
    for row in rows {
        let name = format!("{}, {} words", row.name(), row.words);
        // In the triangle of a tile the first product of every other row is still made twice.
        let tiles = matches!(row.text, Text::Schoolbook { tile: 4 } | Text::Sos { tile: 4 });
        let twice = if tiles && row.operation == Operation::Sqr { row.words as u64 / 2 } else { 0 };
        let [executed, counted] = row.multiplications;
        assert_eq!(executed, counted + twice, "{name}: a product is made twice, or not at all");
        let [executed, counted] = row.additions.map(|additions| additions as f64);
        let [least, most] = [counted - row.joined as f64, counted].map(|additions| additions * BARS[1] / 100.0);
        assert!(executed <= counted + most, "{name}: additions");
        assert!(executed >= counted - row.joined as f64 - least, "{name}: additions");
    }
}

/// A product of two words of 64 bits is four of this processor's, none of them made twice.
#[test]
fn multiplications_of_longer_words_are_four() {
    let rows = Row::over(64);
    assert_eq!(rows.len(), 19 * 2);
    for row in rows {
        let [executed, counted] = row.multiplications;
        let off = per_cent([executed, 4 * counted]);
        assert!(off.abs() <= BARS[0], "{}, {} words: {off:.1}%", row.name(), row.words);
    }
}

/// Whatever is loaded and stored beyond what is counted is on the stack: without it the bars hold.
#[test]
fn loads_and_stores_are_those_of_the_counting_word_and_the_stack() {
    for row in Row::all() {
        let name = format!("{}, {} words", row.name(), row.words);
        let data = [row.loads[0] - row.stack[0], row.stores[0] - row.stack[1]];
        assert!(per_cent([data[0], row.loads[1]]) <= BARS[0], "{name}: loads");
        assert!(per_cent([data[0] + data[1], row.loads_and_stores()[1]]) <= BARS[0], "{name}: loads and stores");
        assert_eq!(row.spills.iter().fold([0; 2], |sum, (_, two)| [sum[0] + two[0], sum[1] + two[1]]), row.stack);
    }
}

#[test]
fn the_page_has_these_numbers() {
    let rows = Row::all();
    let at_1024: Vec<_> = rows.iter().filter(|row| row.words == 32).collect();
    let spills = at_1024.iter().filter(|row| row.operation == Operation::Mul).map(|row| row.spills_line());
    let mut lines: Vec<String> = at_1024.iter().map(|row| row.line()).chain(spills).collect();
    for words in [16, 32, 64] {
        let of: Vec<_> = rows.iter().filter(|row| row.words == words).map(Row::beyond).collect();
        let within = |bar: usize| of.iter().filter(|beyond| !beyond[bar]).count();
        let kept: Vec<_> = (0..4).map(|bar| within(bar).to_string()).collect();
        lines.push(format!("| {} | {} | {} |", 32 * words, of.len(), kept.join(" | ")));
    }
    let over_64: Vec<_> = Row::over(64);
    let listed = |line: &&str| line.starts_with("| `") && line.ends_with(") |");
    for line in PAGE.lines().filter(listed) {
        let named = |row: &&Row| line.starts_with(&format!("| {} |", row.name()));
        let row = over_64.iter().find(named).expect("a row of the record");
        let now = format!("| {} ({}) |", row.instructions, row.multiplications[0]);
        assert!(line.ends_with(&now), "docs/records/arm-counts.md has {line}, counted {now}");
    }
    let missing: Vec<_> = lines.into_iter().filter(|line| !PAGE.lines().any(|other| other == line)).collect();
    assert!(missing.is_empty(), "docs/records/arm-counts.md lacks\n{}", missing.join("\n"));
}

/// The test of the test: a product made twice, as it was before the cure, is seen.
#[test]
fn a_product_made_twice_is_beyond_the_bar() {
    let record: Value = serde_json::from_str(RECORD).expect("JSON");
    let mut row = record["rows"][0].clone();
    assert!(!Row::new(&row).beyond()[0]);
    let umull = row["counts"]["umull"].as_u64().unwrap();
    row["counts"]["umull"] = (umull + Row::new(&row).multiplications[0] / 16).into();
    assert!(Row::new(&row).beyond()[0]);
}
