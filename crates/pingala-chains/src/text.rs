//! Chains as text: JSON with the exponent and the places of the summands, and scripts as users of addchain know them.
//!
//! ```text
//! _10   = 2*1          # a doubling
//! _11   = 1 + _10      # a sum
//! i5    = _11 << 3     # doublings in a row
//! return  i5 + _11
//! ```
//!
//! Names without a `=` before the end are the result. An expression may put several operations on one line.

use crate::{evaluate, number};
use pingala_core::Error;
use pingala_core::algorithm::Chain;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;

/// JSON: `"exponent"` as 0x text, and `"steps"`, pairs of places. Place 0 is 1, place k + 1 the sum of step k.
pub fn write_json(chain: &Chain) -> String {
    let mut text = format!("{{\n  \"exponent\": \"{:#x}\",\n  \"steps\": [", number(chain.target()));
    for (place, (low, high)) in chain.pairs().iter().enumerate() {
        text += match place {
            0 => "\n    ",
            _ if place % 12 == 0 => ",\n    ",
            _ => ", ",
        };
        let _ = write!(text, "[{low}, {high}]");
    }
    text + if chain.length() > 0 { "\n  ]\n}\n" } else { "]\n}\n" }
}

/// The chain of a JSON text, whose other fields are ignored.
///
/// # Errors
/// [`Error::BadArgument`] names the field and the step.
pub fn read_json(text: &str) -> Result<Chain, Error> {
    let bad = |what: String| Error::BadArgument(what);
    let document: Value = serde_json::from_str(text).map_err(|error| bad(format!("this is no JSON: {error}")))?;
    let exponent = document.get("exponent").and_then(Value::as_str);
    let exponent = exponent.ok_or_else(|| bad("`exponent` should be a text, 0x and hexadecimal digits".into()))?;
    let exponent = evaluate(exponent).map_err(|error| bad(format!("`exponent`: {error}")))?;
    let steps = document.get("steps").and_then(Value::as_array);
    let steps = steps.ok_or_else(|| bad("`steps` should be a list of pairs of places".into()))?;
    Chain::check_steps(steps.len())?;
    let place = |value: &Value| value.as_u64().and_then(|place| usize::try_from(place).ok());
    let pair = |(step, value): (usize, &Value)| match value.as_array().map(Vec::as_slice) {
        Some([low, high]) => place(low).zip(place(high)).ok_or(step),
        _ => Err(step),
    };
    let pairs: Result<Vec<_>, usize> = steps.iter().enumerate().map(pair).collect();
    let pairs = pairs.map_err(|step| bad(format!("`steps`: step {step} should be two places, numbers from 0 on")))?;
    let chain = Chain::from_pairs(pairs)?;
    if *chain.target() != exponent {
        return Err(bad("the last step of `steps` does not give `exponent`".into()));
    }
    Ok(chain)
}

/// A script: one line for each element but the last that more than the next one uses, `return` and the last.
pub fn write_script(chain: &Chain) -> String {
    let elements = crate::elements::elements(chain);
    let name = |place: usize| match place {
        0 => "1".to_string(),
        _ if elements[place] < 512u32.into() => format!("_{:b}", elements[place]),
        _ => format!("i{place}"),
    };
    // An element's only user, if that is a doubling, goes on with its run.
    let mut users = vec![Vec::new(); chain.length() + 1];
    for (place, &(low, high)) in (1..).zip(chain.pairs()) {
        users[low].push(place);
        if high != low {
            users[high].push(place);
        }
    }
    let doubles = |place: usize| chain.pairs()[place - 1].0 == chain.pairs()[place - 1].1;
    let goes_on = |place: usize| matches!(users[place][..], [user] if doubles(place) && doubles(user));
    let mut text = String::new();
    for (place, &(low, high)) in (1..).zip(chain.pairs()).filter(|&(place, _)| !goes_on(place)) {
        let (mut from, mut run) = (low, 1);
        while doubles(place) && from > 0 && goes_on(from) {
            from = chain.pairs()[from - 1].0;
            run += 1;
        }
        let sum = match run {
            _ if !doubles(place) => format!("{} + {}", name(low), name(high)),
            1 => format!("2*{}", name(from)),
            _ => format!("{} << {run}", name(from)),
        };
        let _ = match place {
            _ if place == chain.length() => writeln!(text, "return {sum}"),
            _ => writeln!(text, "{} = {sum}", name(place)),
        };
    }
    if chain.length() == 0 { "return 1\n".into() } else { text }
}

/// The chain of a script.
///
/// # Errors
/// [`Error::BadArgument`] names the line.
pub fn read_script(text: &str) -> Result<Chain, Error> {
    let mut script = Script { pairs: Vec::new(), names: HashMap::from([("1".to_string(), 0)]) };
    let mut result = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split(['#', '\r']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let bad = |why: String| Error::BadArgument(format!("line {number}, `{line}`: {why}"));
        let (name, sum) = match line.split_once('=') {
            Some((name, sum)) => (Some(name.trim()), sum),
            None => (None, line.strip_prefix("return").unwrap_or(line)),
        };
        let mut parser = Line { tokens: tokens(sum).map_err(bad)?, at: 0 };
        result = parser.sum(&mut script).map_err(bad)?;
        if let Some(token) = parser.tokens.get(parser.at) {
            return Err(bad(format!("`{token}` was not expected")));
        }
        if let Some(name) = name {
            script.names.insert(name.to_string(), result);
        }
    }
    // What comes behind the result serves nothing.
    script.pairs.truncate(result);
    Chain::from_pairs(script.pairs)
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '+' | '*' | '(' | ')' => 1,
            '<' if rest.starts_with("<<") => 2,
            _ if first.is_alphanumeric() || first == '_' => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
            }
            _ => return Err(format!("`{first}` was not expected")),
        };
        tokens.push(rest[..length].to_string());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Script {
    pairs: Vec<(usize, usize)>,
    names: HashMap<String, usize>,
}

impl Script {
    fn add(&mut self, a: usize, b: usize) -> Result<usize, String> {
        Chain::check_steps(self.pairs.len() + 1).map_err(|error| error.to_string())?;
        self.pairs.push((a.min(b), a.max(b)));
        Ok(self.pairs.len())
    }
}

struct Line {
    tokens: Vec<String>,
    at: usize,
}

impl Line {
    fn takes(&mut self, mark: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token == mark);
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self, script: &mut Script) -> Result<usize, String> {
        let mut sum = self.shift(script)?;
        while self.takes("+") {
            let other = self.shift(script)?;
            sum = script.add(sum, other)?;
        }
        Ok(sum)
    }

    fn shift(&mut self, script: &mut Script) -> Result<usize, String> {
        let mut element = self.operand(script)?;
        while self.takes("<<") {
            let count = self.tokens.get(self.at).and_then(|count| count.parse::<usize>().ok());
            let count = count.ok_or("expected a number of doublings behind <<")?;
            self.at += 1;
            for _ in 0..count {
                element = script.add(element, element)?;
            }
        }
        Ok(element)
    }

    fn operand(&mut self, script: &mut Script) -> Result<usize, String> {
        let token = self.tokens.get(self.at).cloned().ok_or("expected an element")?;
        self.at += 1;
        match token.as_str() {
            "(" => {
                let element = self.sum(script)?;
                if self.takes(")") { Ok(element) } else { Err("expected )".into()) }
            }
            "2" if self.takes("*") => {
                let element = self.operand(script)?;
                script.add(element, element)
            }
            name => script.names.get(name).copied().ok_or_else(|| format!("no element is called `{name}`")),
        }
    }
}
