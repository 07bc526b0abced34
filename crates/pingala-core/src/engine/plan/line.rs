//! Parses plan lines: a complete line gives a [`Plan`], an incomplete one a tree whose leaves leave choices to the planner.

use super::Plan;
use crate::algorithm::{Algorithm, Catalogued, ManyExponents, PowerProduct, Wanted};
use crate::error::Error;
use crate::kernel::registry::Kernel;
use crate::kernel::spec::KernelSpec;
use core::str::FromStr;

/// Whether this build reads plan lines and kernels by name. Without the feature every one is refused, and no parser is linked.
pub(crate) const READS: bool = cfg!(feature = "plan-lines");

fn unread() -> Error {
    Error::BadPlan("this build has no parser of kernels and plans; the feature plan-lines adds it".into())
}

/// A plan line as written. Kernels and parameters may be left out of its leaves; the planner then chooses them by price.
pub(crate) type Line<A = Algorithm> = Plan<Wanted<A>, Option<KernelSpec>>;

/// What a caller forces: a kernel, a line for each element, or the tree of the whole work.
#[derive(Clone, Debug)]
pub(crate) struct Forced<A: Catalogued = Algorithm> {
    pub(crate) kernel: Option<KernelSpec>,
    pub(crate) line: Option<Line<A>>,
    tree: Option<Plan<A>>,
}

impl<A: Catalogued> Default for Forced<A> {
    fn default() -> Self {
        Self { kernel: None, line: None, tree: None }
    }
}

impl<A: Catalogued> Forced<A> {
    /// Error: `bad_plan` for a kernel or a line that cannot be read.
    pub(crate) fn read(kernel: Option<&str>, line: Option<&str>) -> Result<Self, Error> {
        if !READS {
            return if kernel.or(line).is_none() { Ok(Self::default()) } else { Err(unread()) };
        }
        let (trees, lines): (Option<&str>, Option<&str>) =
            if line.is_some_and(is_tree) { (line, None) } else { (None, line) };
        let kernel: Option<KernelSpec> = kernel.map(str::parse).transpose()?;
        let (line, tree): (Option<Line<A>>, Option<Plan<A>>) =
            (lines.map(str::parse).transpose()?, trees.map(str::parse).transpose()?);
        if let Some(spec) = kernel {
            // Modulo a power of two a kernel for odd moduli says nothing, nor the other way round.
            let is_apart = |kernel: Kernel| kernel.odd() != spec.kernel.odd();
            let mut of_line = line.iter().flat_map(Plan::runs).filter_map(|(_, named)| *named);
            let mut of_tree = tree.iter().flat_map(Plan::forms);
            if !of_line.all(|named| is_apart(named.kernel) || spec.is_in(&named))
                || !of_tree.all(|form| is_apart(form.kernel) || spec.accepts(form))
            {
                return Err(Error::BadPlan(format!("the plan names another kernel than {spec}, which is forced too")));
            }
        }
        Ok(Self { kernel, line, tree })
    }

    /// What is forced on one power. Error: `bad_plan`, also for the tree of a list.
    pub(crate) fn of_one(kernel: Option<&str>, line: Option<&str>) -> Result<Self, Error> {
        match line.filter(|line| is_tree(line)) {
            Some(text) => Err(Error::BadPlan(format!(
                "'{text}': one power runs on one thread and is no list; leave out threads(...) and the like"
            ))),
            None => Self::read(kernel, line),
        }
    }

    /// Forces `plan` on each element. Error: `bad_plan` for a plan that no line writes.
    pub(crate) fn by(plan: &Plan<A>) -> Result<Self, Error> {
        Ok(Self { line: Some(plan.to_string().parse()?), ..Self::default() })
    }

    /// What is forced on each of `count` elements: the plan of a batch of that count. Error: `bad_plan` for a batch of another count.
    pub(crate) fn of_each(mut self, count: usize) -> Result<Self, Error> {
        if let Some(Plan::Batch { plan, count: n }) = self.line {
            if n != count as u64 {
                return Err(Error::BadPlan(format!("expected a batch of {count}, not of {n}")));
            }
            self.line = Some(*plan);
        }
        Ok(self)
    }

    /// Forces an algorithm on each part, on any kernel.
    pub(crate) fn algorithm(algorithm: A) -> Self {
        Self { line: Some(Plan::Run { algorithm: Wanted::Exactly(algorithm), form: None }), ..Self::default() }
    }

    /// Forces this kernel instead.
    pub(crate) fn on(self, kernel: Option<KernelSpec>) -> Self {
        Self { kernel, ..self }
    }

    /// The tree of the whole work.
    pub(crate) fn tree(&self) -> Option<&Plan<A>> {
        self.tree.as_ref().filter(|_| READS)
    }

    /// Forces the same on each element, and no tree of the whole work.
    pub(crate) fn without_tree(self) -> Self {
        Self { tree: None, ..self }
    }

    /// Whether all is planned by price.
    pub(crate) fn is_nothing(&self) -> bool {
        self.kernel.is_none() && self.line.is_none() && self.tree.is_none()
    }
}

/// Checks that the kernel and the line are valid for some workload. Error: `bad_plan`.
pub(crate) fn check(kernel: Option<&str>, mut line: Option<&str>) -> Result<(), Error> {
    if !READS {
        return Err(unread());
    }
    // The planner refuses threads for one power; lists read the whole tree.
    for _ in 0..MAX_DEPTH {
        let within = line.map(threads_of_line).transpose()?.flatten();
        line = within.map(|(_, plan)| plan).or(line);
    }
    let of_power = Forced::<Algorithm>::read(kernel, line).map(drop);
    let Some(line) = line.filter(|_| of_power.is_err()) else { return of_power };
    let of_product = Forced::<PowerProduct>::read(kernel, Some(line)).map(drop);
    if of_product.is_ok() {
        return Ok(());
    }
    // Powers of one base that share a run have an algorithm of their own, and the same trees.
    if !is_tree(line) {
        let of_shared = Forced::<ManyExponents>::read(kernel, Some(line)).map(drop);
        if of_shared.is_ok() || names::<ManyExponents>(line) {
            return of_shared;
        }
    }
    if names::<PowerProduct>(line) { of_product } else { of_power }
}

/// Whether a line begins with the name of such an algorithm.
fn names<A: Catalogued>(line: &str) -> bool {
    let name = line.trim_start().split(|end: char| end == '(' || end.is_whitespace()).next();
    A::entries().iter().any(|entry| Some(entry.name) == name)
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
    text.trim().strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')
}

/// Whether a line uses known factors.
pub(crate) fn is_by_factors(text: &str) -> bool {
    inside(text, "crt").is_some()
}

/// Names of the nodes that say how the elements of a list are shared out. Such a line is complete.
const TREES: [&str; 7] = ["list", "over", "parts", "share", "split", "stream", "threads"];

/// Names of the other nodes.
const NODES: [&str; 3] = ["even", "crt", "batch"];

/// Whether a line is a tree for a list or a product as a whole, not for each of its elements.
pub(crate) fn is_tree(text: &str) -> bool {
    TREES.iter().any(|name| inside(text, name).is_some())
}

/// Deeper nesting than any problem has; keeps hostile lines off the stack.
const MAX_DEPTH: usize = 8;

/// More threads than any machine has; keeps hostile lines off the system.
const MAX_THREADS: usize = 4096;

/// The lines of the two sides of a product with negative exponents: those of `over(above, below)`, or `over(below)` if there
/// is nothing above; any other line is for both. Error: `bad_plan`.
pub(crate) fn sides_of_line(text: Option<&str>, has_above: bool) -> Result<[Option<&str>; 2], Error> {
    let Some((text, arguments)) = text.and_then(|text| Some((text, inside(text, "over")?))) else {
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
fn threads_of_line(text: &str) -> Result<Option<(usize, &str)>, Error> {
    let Some(arguments) = inside(text, "threads") else { return Ok(None) };
    let [threads, plan] = split_top(arguments, ",")?[..] else {
        return Err(bad(text, "threads() takes a number and a plan"));
    };
    let threads = threads.parse().ok().filter(|threads| (2..=MAX_THREADS).contains(threads));
    let threads = threads.ok_or_else(|| bad(text, &format!("expected 2 to {MAX_THREADS} threads")))?;
    Ok(Some((threads, plan)))
}

/// Reads a leaf.
type ReadLeaf<A, F> = fn(&str) -> Result<Plan<A, F>, Error>;

/// `algorithm` or `algorithm on kernel`. An algorithm without its window is completed for the exponent it meets.
fn open_leaf<A: Catalogued>(text: &str) -> Result<Line<A>, Error> {
    match split_top(text, " on ")?[..] {
        [algorithm] => Ok(Plan::Run { algorithm: algorithm.parse()?, form: None }),
        [algorithm, kernel] => Ok(Plan::Run { algorithm: algorithm.parse()?, form: Some(kernel.parse()?) }),
        _ => Err(bad(text, "expected 'algorithm on kernel'")),
    }
}

/// `algorithm on kernel`, each with all its parameters. Error: `bad_plan` if one is missing.
fn complete_leaf<A: Catalogued>(text: &str) -> Result<Plan<A>, Error> {
    let Plan::Run { algorithm, form } = open_leaf::<A>(text)? else { return Err(bad(text, "expected a run")) };
    let (named, kernel) = (algorithm.to_string(), form.ok_or_else(|| bad(text, "no kernel")));
    let (algorithm, kernel) = (algorithm.complete(&named)?, kernel?);
    let form = kernel.complete().ok_or_else(|| bad(&kernel.to_string(), "missing parameters"))?;
    Ok(Plan::Run { algorithm, form })
}

fn read<A, F>(text: &str, depth: usize, leaf: ReadLeaf<A, F>) -> Result<Plan<A, F>, Error> {
    let text = text.trim();
    if depth > MAX_DEPTH {
        return Err(Error::BadPlan(format!("a plan line nests at most {MAX_DEPTH} deep")));
    }
    let node = NODES.iter().chain(&TREES).find_map(|&name| Some((name, inside(text, name)?)));
    let Some((name, arguments)) = node else { return leaf(text) };
    let parts = split_top(arguments, ",")?;
    let each = |texts: &[&str]| texts.iter().map(|text| read(text, depth + 1, leaf)).collect::<Result<Vec<_>, _>>();
    let one = |text: &str| read(text, depth + 1, leaf).map(Box::new);
    let shared = |text: &str| read(text, depth + 1, complete_leaf::<ManyExponents>).map(Box::new);
    let counted = || {
        let [plan, count] = split_top(arguments, " x ")?[..] else {
            return Err(bad(arguments, &format!("{name}() takes 'plan x count'")));
        };
        let count = count.parse().ok().filter(|&count| count > 0);
        Ok((plan, count.ok_or_else(|| bad(arguments, &format!("the count of {name}() must be a number above 0")))?))
    };
    Ok(match (name, &parts[..]) {
        ("even", [odd, two]) => Plan::Even { odd: one(odd)?, two: one(two)? },
        ("crt", parts) => Plan::Crt(each(parts)?),
        ("list", [""]) => Plan::List(Vec::new()),
        ("list", classes) => Plan::List(each(classes)?),
        ("over", [above, below]) => Plan::Over { above: Some(one(above)?), below: one(below)? },
        ("over", [below]) => Plan::Over { above: None, below: one(below)? },
        ("parts", _) => Plan::Parts(one(arguments)?),
        ("threads", _) => {
            let (threads, plan) = threads_of_line(text)?.ok_or(Error::Fault("no threads in a line of threads"))?;
            Plan::Threads { threads, plan: one(plan)? }
        }
        ("batch", _) => counted().and_then(|(plan, count)| Ok(Plan::Batch { plan: one(plan)?, count }))?,
        ("split", _) => counted().and_then(|(plan, count)| Ok(Plan::Split { plan: one(plan)?, count }))?,
        ("share", _) => counted().and_then(|(plan, count)| Ok(Plan::Share { plan: shared(plan)?, count }))?,
        ("stream", _) => counted().and_then(|(plan, count)| Ok(Plan::Stream { plan: shared(plan)?, count }))?,
        ("even", _) => return Err(bad(text, "even() takes two plans")),
        _ => return Err(bad(text, &format!("{name}() takes one plan or two"))),
    })
}

impl<A: Catalogued> FromStr for Plan<A> {
    type Err = Error;

    /// Reads a complete line, as [`Plan`] prints it. Error: `bad_plan`.
    fn from_str(text: &str) -> Result<Self, Error> {
        if READS { read(text, 0, complete_leaf) } else { Err(unread()) }
    }
}

impl<A: Catalogued> FromStr for Line<A> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if READS { read(text, 0, open_leaf) } else { Err(unread()) }
    }
}
