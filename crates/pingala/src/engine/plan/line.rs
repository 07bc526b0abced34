//! Parses plan lines: a complete line gives a [`Plan`], an incomplete one leaves choices to the planner.

use super::Plan;
use crate::algorithm::{Algorithm, Catalogued, ManyExponents, Wanted};
use crate::error::Error;
use crate::kernel::registry::Form;
use crate::kernel::spec::KernelSpec;
use core::str::FromStr;

/// A plan line as written. Kernels and parameters may be left out; the planner then chooses them by price.
#[derive(Clone, Debug)]
pub(crate) enum Line<A: Catalogued = Algorithm> {
    /// `algorithm` or `algorithm on kernel`. An algorithm without its window is completed for the exponent it meets.
    Run {
        algorithm: Wanted<A>,
        kernel: Option<KernelSpec>,
    },
    Even {
        odd: Box<Line<A>>,
        two: Box<Line<A>>,
    },
    Crt(Vec<Line<A>>),
    Batch {
        line: Box<Line<A>>,
        count: u64,
    },
}

fn bad(text: &str, why: &str) -> Error {
    Error::BadPlan(format!("{why} in '{}'", text.trim()))
}

/// Splits at the top-level occurrences of `separator`, that is, outside all parentheses.
pub(crate) fn split_top<'a>(text: &'a str, separator: &str) -> Result<Vec<&'a str>, Error> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1).ok_or_else(|| bad(text, "unmatched ')'"))?,
            _ => {}
        }
        if depth == 0 && at >= start && text.as_bytes()[at..].starts_with(separator.as_bytes()) {
            parts.push(text[start..at].trim());
            start = at + separator.len();
        }
    }
    if depth > 0 {
        return Err(bad(text, "unmatched '('"));
    }
    parts.push(text[start..].trim());
    Ok(parts)
}

/// The text between the parentheses of `name( ... )`, if this is such a text.
pub(crate) fn inside<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')
}

/// The line of one power in the line of a list of `count`: `plan` in `batch(plan x count)`, any other line unchanged.
///
/// Error: `bad_plan` for a batch of another count.
pub(crate) fn line_of_each(text: &str, count: usize) -> Result<&str, Error> {
    let Some(arguments) = inside(text.trim(), "batch") else { return Ok(text) };
    match split_top(arguments, " x ")?[..] {
        [plan, n] if n.parse() == Ok(count) => Ok(plan),
        _ => Err(bad(text, &format!("expected a batch of {count}"))),
    }
}

/// Whether a line uses known factors.
pub(crate) fn is_by_factors(text: &str) -> bool {
    inside(text.trim(), "crt").is_some()
}

/// Names of the nodes that say how the elements of a list are shared out. Such a line is complete.
const TREES: [&str; 7] = ["list", "over", "parts", "share", "split", "stream", "threads"];

/// Whether a line is a tree for a list or a product as a whole, not for each of its elements.
pub(crate) fn is_tree(text: &str) -> bool {
    TREES.iter().any(|name| inside(text.trim(), name).is_some())
}

/// Deeper nesting than any problem has; keeps hostile lines off the stack.
const MAX_DEPTH: usize = 8;

/// More threads than any machine has; keeps hostile lines off the system.
const MAX_THREADS: usize = 4096;

impl<A: Catalogued> Line<A> {
    fn read(text: &str, depth: usize) -> Result<Self, Error> {
        let text = text.trim();
        if depth > MAX_DEPTH {
            return Err(Error::BadPlan(format!("a plan line nests at most {MAX_DEPTH} deep")));
        }
        if let Some(arguments) = inside(text, "even") {
            let parts = split_top(arguments, ",")?;
            let [odd, two] = parts[..] else { return Err(bad(text, "even() takes two plans")) };
            let read = |part| Line::read(part, depth + 1).map(Box::new);
            return Ok(Line::Even { odd: read(odd)?, two: read(two)? });
        }
        if let Some(arguments) = inside(text, "crt") {
            let parts = split_top(arguments, ",")?;
            return Ok(Line::Crt(parts.into_iter().map(|part| Line::read(part, depth + 1)).collect::<Result<_, _>>()?));
        }
        if let Some(arguments) = inside(text, "batch") {
            let parts = split_top(arguments, " x ")?;
            let [plan, count] = parts[..] else { return Err(bad(text, "batch() takes 'plan x count'")) };
            let count = count.parse().map_err(|_| bad(text, "the count of a batch must be a number"))?;
            return Ok(Line::Batch { line: Box::new(Line::read(plan, depth + 1)?), count });
        }
        let parts = split_top(text, " on ")?;
        match parts[..] {
            [algorithm] => Ok(Line::Run { algorithm: algorithm.parse()?, kernel: None }),
            [algorithm, kernel] => Ok(Line::Run { algorithm: algorithm.parse()?, kernel: Some(kernel.parse()?) }),
            _ => Err(bad(text, "expected 'algorithm on kernel'")),
        }
    }
}

impl<A: Catalogued> Line<A> {
    /// The line of each of `count`. Error: `bad_plan` for a batch of another count.
    pub(crate) fn of_each(&self, count: u64) -> Result<&Self, Error> {
        match self {
            Line::Batch { line, count: n } if *n == count => Ok(line),
            Line::Batch { count: n, .. } => {
                Err(Error::BadPlan(format!("a batch of {n} for {count} powers does not fit this problem")))
            }
            _ => Ok(self),
        }
    }
}

impl<A: Catalogued> Line<A> {
    /// The plan of a line that is complete.
    fn complete(self) -> Result<Plan<A>, Error> {
        Ok(match self {
            Line::Run { algorithm, kernel } => {
                let text = algorithm.to_string();
                let algorithm = algorithm.complete(&text)?;
                let kernel = kernel.ok_or_else(|| bad(&text, "no kernel"))?;
                let form: Form = kernel.complete().ok_or_else(|| bad(&kernel.to_string(), "missing parameters"))?;
                Plan::Run { algorithm, form }
            }
            Line::Even { odd, two } => Plan::Even { odd: Box::new(odd.complete()?), two: Box::new(two.complete()?) },
            Line::Crt(parts) => Plan::Crt(parts.into_iter().map(Line::complete).collect::<Result<_, _>>()?),
            Line::Batch { line, count } => Plan::Batch { plan: Box::new(line.complete()?), count },
        })
    }
}

impl<A: Catalogued> FromStr for Line<A> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Line::read(text, 0)
    }
}

/// The lines of the two sides of a product with negative exponents: those of `over(above, below)`, or `over(below)` if there
/// is nothing above; any other line is for both. Error: `bad_plan`.
pub(crate) fn sides_of_line(text: Option<&str>, has_above: bool) -> Result<[Option<&str>; 2], Error> {
    let Some((text, arguments)) = text.and_then(|text| Some((text, inside(text.trim(), "over")?))) else {
        return Ok([text, text]);
    };
    match (&split_top(arguments, ",")?[..], has_above) {
        ([above, below], true) => Ok([Some(above), Some(below)]),
        ([below], false) => Ok([None, Some(below)]),
        _ => {
            Err(bad(text, "over() takes a plan for the positive exponents, if there are any, and one for the negative"))
        }
    }
}

/// The number of threads and the plan in `threads(number, plan)`; none for another line. Error: `bad_plan`.
pub(crate) fn threads_of_line(text: &str) -> Result<Option<(usize, &str)>, Error> {
    let text = text.trim();
    let Some(arguments) = inside(text, "threads") else { return Ok(None) };
    let parts = split_top(arguments, ",")?;
    let [threads, plan] = parts[..] else { return Err(bad(text, "threads() takes a number and a plan")) };
    let threads = threads.parse().ok().filter(|threads| (2..=MAX_THREADS).contains(threads));
    let threads = threads.ok_or_else(|| bad(text, &format!("expected 2 to {MAX_THREADS} threads")))?;
    Ok(Some((threads, plan)))
}

/// A plan and a count: `plan x count`.
fn counted<'a>(arguments: &'a str, name: &str) -> Result<(&'a str, u64), Error> {
    let [plan, count] = split_top(arguments, " x ")?[..] else {
        return Err(bad(arguments, &format!("{name}() takes 'plan x count'")));
    };
    let count = count.parse().ok().filter(|&count| count > 0);
    Ok((plan, count.ok_or_else(|| bad(arguments, &format!("the count of {name}() must be a number above 0")))?))
}

impl<A: Catalogued> Plan<A> {
    fn read(text: &str, depth: usize) -> Result<Self, Error> {
        let text = text.trim();
        if depth > MAX_DEPTH {
            return Err(Error::BadPlan(format!("a plan line nests at most {MAX_DEPTH} deep")));
        }
        let inner = |text: &str| Plan::read(text, depth + 1).map(Box::new);
        if let Some(arguments) = inside(text, "list") {
            let classes = if arguments.trim().is_empty() { Vec::new() } else { split_top(arguments, ",")? };
            return Ok(Plan::List(
                classes.into_iter().map(|class| Plan::read(class, depth + 1)).collect::<Result<_, _>>()?,
            ));
        }
        if let Some(arguments) = inside(text, "over") {
            return match split_top(arguments, ",")?[..] {
                [above, below] => Ok(Plan::Over { above: Some(inner(above)?), below: inner(below)? }),
                [below] => Ok(Plan::Over { above: None, below: inner(below)? }),
                _ => Err(bad(text, "over() takes one plan or two")),
            };
        }
        if let Some(plan) = inside(text, "parts") {
            return Ok(Plan::Parts(inner(plan)?));
        }
        if let Some((threads, plan)) = threads_of_line(text)? {
            return Ok(Plan::Threads { threads, plan: inner(plan)? });
        }
        if let Some(arguments) = inside(text, "batch") {
            let (plan, count) = counted(arguments, "batch")?;
            return Ok(Plan::Batch { plan: inner(plan)?, count });
        }
        if let Some(arguments) = inside(text, "split") {
            let (plan, count) = counted(arguments, "split")?;
            return Ok(Plan::Split { plan: inner(plan)?, count });
        }
        let shared = |plan: &str| Plan::<ManyExponents>::read(plan, depth + 1).map(Box::new);
        if let Some(arguments) = inside(text, "share") {
            let (plan, count) = counted(arguments, "share")?;
            return Ok(Plan::Share { plan: shared(plan)?, count });
        }
        if let Some(arguments) = inside(text, "stream") {
            let (plan, count) = counted(arguments, "stream")?;
            return Ok(Plan::Stream { plan: shared(plan)?, count });
        }
        Line::<A>::read(text, depth)?.complete()
    }
}

impl<A: Catalogued> FromStr for Plan<A> {
    type Err = Error;

    /// Reads a complete line, as [`Plan`] prints it. Error: `bad_plan`.
    fn from_str(text: &str) -> Result<Self, Error> {
        Plan::read(text, 0)
    }
}
