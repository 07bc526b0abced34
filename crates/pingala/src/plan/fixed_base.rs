//! Which table for a fixed base: the cheapest of all methods, parameters and kernels that fit a memory.

use super::explain::Seconds;
use super::line::{inside, split_top};
use super::{FormPrice, Planner};
use crate::algorithm::fixed_base::FixedBaseAlgorithm;
use crate::algorithm::{Counts, ExpectedCost};
use crate::error::Error;
use crate::kernel::registry::{self, Form, Layout, Wish};
use core::fmt;
use core::str::FromStr;

/// Longest exponent that a table is planned for, in bits.
const MAX_EXPONENT_BITS: u64 = 1 << 26;
/// Most entries of a table.
const MAX_ENTRIES: u64 = 1 << 30;

/// The shape of a fixed base's work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedBaseProblem {
    /// Bits of the modulus, at least 1.
    pub modulus_bits: u64,
    /// Zero bits below the lowest one bit of the modulus.
    pub trailing_zeros: u64,
    /// Whether the base is even: then its powers modulo a power of two are soon 0.
    pub even_base: bool,
    /// Bits of the longest exponent, at least 1.
    pub exponent_bits: u64,
    /// Bytes that the tables may hold.
    pub memory_bytes: u64,
    /// How many powers are expected, at least 1: they share the cost of building.
    pub uses: u64,
}

/// One part of it that has a table: modulo an odd number of `bits` bits, or modulo 2^`bits`.
#[derive(Clone, Copy, Debug)]
struct TablePart {
    odd: bool,
    bits: usize,
    exponent_bits: usize,
    memory_bytes: u64,
    uses: f64,
}

impl FixedBaseProblem {
    fn check(&self) -> Result<(), Error> {
        if self.modulus_bits <= self.trailing_zeros {
            return Err(Error::BadArgument("a modulus has more bits than trailing zeros".into()));
        }
        if self.exponent_bits == 0 || self.uses == 0 {
            return Err(Error::BadArgument("a table is for exponents of one bit at least, and one use".into()));
        }
        let (length, cap) = (self.exponent_bits, MAX_EXPONENT_BITS);
        if length > cap { Err(Error::TooLong { what: "exponent", length, cap }) } else { Ok(()) }
    }

    /// Exponents modulo the odd part.
    pub(crate) fn odd_exponent_bits(&self) -> Option<usize> {
        let odd = self.modulus_bits - self.trailing_zeros > 1 || self.trailing_zeros == 0;
        odd.then_some(self.exponent_bits as usize)
    }

    /// Exponents modulo 2^k. Odd residues form a group of exponent 2^(k-2); the powers of an even base are 0 from
    /// exponent k on.
    pub(crate) fn two_exponent_bits(&self) -> Option<usize> {
        let k = self.trailing_zeros;
        let longest = if self.even_base { k.max(1).ilog2() as u64 + 1 } else { k.saturating_sub(2).max(1) };
        (k > 0).then_some(self.exponent_bits.min(longest) as usize)
    }

    fn odd_part(&self, memory_bytes: u64) -> Option<TablePart> {
        let bits = (self.modulus_bits - self.trailing_zeros) as usize;
        let exponent_bits = self.odd_exponent_bits()?;
        Some(TablePart { odd: true, bits, exponent_bits, memory_bytes, uses: self.uses as f64 })
    }

    /// It gets its share of the memory by length; the odd part what is left.
    fn two_part(&self) -> Option<TablePart> {
        let share = u128::from(self.memory_bytes) * u128::from(self.trailing_zeros) / u128::from(self.modulus_bits);
        let (bits, exponent_bits) = (self.trailing_zeros as usize, self.two_exponent_bits()?);
        let memory_bytes = if self.odd_exponent_bits().is_some() { share as u64 } else { self.memory_bytes };
        Some(TablePart { odd: false, bits, exponent_bits, memory_bytes, uses: self.uses as f64 })
    }
}

/// One method on one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedBaseRun {
    /// The method with its parameters.
    pub algorithm: FixedBaseAlgorithm,
    /// The kernel with its parameters.
    pub form: Form,
}

/// How powers of a fixed base are made: modulo the odd part, modulo the power of two, or both. `Display` prints one line,
/// `comb(h=8, v=4) on portable_r64(n=32, product=kcm)` or `even(.., ..)`; `FromStr` reads it back.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedBasePlan {
    /// Modulo the odd part.
    pub odd: Option<FixedBaseRun>,
    /// Modulo the power of two.
    pub two: Option<FixedBaseRun>,
}

/// One method on one kernel, with what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedBaseCandidate {
    /// The method and its kernel.
    pub run: FixedBaseRun,
    /// Entries of the table.
    pub entries: usize,
    /// Bytes of the table, as they are held.
    pub bytes: u64,
    /// Exact operations of building.
    pub build: Counts,
    /// Expected operations of one power.
    pub cost: ExpectedCost,
    /// Expected seconds of building.
    pub build_seconds: f64,
    /// Expected seconds of one power.
    pub seconds: f64,
    /// Expected seconds of one power with its share of building.
    pub shared_seconds: f64,
}

/// The plan, and for each of its parts every candidate that fits, cheapest first. `Display` prints those that no other beats
/// in both memory and time.
#[derive(Clone, Debug)]
pub struct FixedBaseExplanation {
    problem: FixedBaseProblem,
    plan: FixedBasePlan,
    parts: Vec<Vec<FixedBaseCandidate>>,
}

/// A line as written: the kernel may be left out.
struct LineRun {
    algorithm: FixedBaseAlgorithm,
    kernel: Option<Wish>,
}

/// What a line says of each part.
enum Line {
    One(LineRun),
    Even(LineRun, LineRun),
}

impl FromStr for LineRun {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match split_top(text, " on ")?[..] {
            [algorithm] => Ok(Self { algorithm: algorithm.parse()?, kernel: None }),
            [algorithm, kernel] => Ok(Self { algorithm: algorithm.parse()?, kernel: Some(kernel.parse()?) }),
            _ => Err(Error::BadPlan(format!("expected 'method on kernel' in '{text}'"))),
        }
    }
}

impl FromStr for Line {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let Some(arguments) = inside(text, "even") else { return Ok(Line::One(text.parse()?)) };
        match split_top(arguments, ",")?[..] {
            [odd, two] => Ok(Line::Even(odd.parse()?, two.parse()?)),
            _ => Err(Error::BadPlan(format!("even() takes two plans in '{text}'"))),
        }
    }
}

impl LineRun {
    fn complete(self) -> Result<FixedBaseRun, Error> {
        let form = self.kernel.as_ref().and_then(Wish::complete);
        let form = form.ok_or_else(|| Error::BadPlan(format!("{} names no complete kernel", self.algorithm)))?;
        Ok(FixedBaseRun { algorithm: self.algorithm, form })
    }
}

impl FromStr for FixedBasePlan {
    type Err = Error;

    /// Reads a complete line. Error: `bad_plan`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (odd, two) = match text.parse()? {
            Line::Even(odd, two) => (Some(odd.complete()?), Some(two.complete()?)),
            Line::One(run) => {
                let run = run.complete()?;
                if run.form.kernel.odd() { (Some(run), None) } else { (None, Some(run)) }
            }
        };
        let misfit = |run: &Option<FixedBaseRun>, odd| run.as_ref().is_some_and(|run| run.form.kernel.odd() != odd);
        if misfit(&odd, true) || misfit(&two, false) {
            return Err(Error::BadPlan("even() takes the plan of the odd part, then that of the power of two".into()));
        }
        Ok(Self { odd, two })
    }
}

impl Planner {
    /// The cheapest tables that fit, on `kernel` or as `line` has it, which may leave the kernel out.
    ///
    /// Errors: `bad_argument` where no table fits the memory; `bad_plan` where the line cannot be read or does not fit.
    pub fn plan_fixed_base(
        &self,
        problem: &FixedBaseProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<FixedBasePlan, Error> {
        Ok(self.explain_fixed_base(problem, kernel, line)?.plan)
    }

    /// The plan with its candidates. Errors as [`Planner::plan_fixed_base`].
    pub fn explain_fixed_base(
        &self,
        problem: &FixedBaseProblem,
        kernel: Option<&str>,
        line: Option<&str>,
    ) -> Result<FixedBaseExplanation, Error> {
        problem.check()?;
        let wish: Option<Wish> = kernel.map(str::parse).transpose()?;
        let line: Option<Line> = line.map(str::parse).transpose()?;
        let parts = [problem.odd_exponent_bits(), problem.two_exponent_bits()];
        let [odd_line, two_line] = match (&line, parts) {
            (None, _) => [None, None],
            (Some(Line::Even(odd, two)), [Some(_), Some(_)]) => [Some(odd), Some(two)],
            (Some(Line::One(run)), [odd, two]) if odd.is_none() || two.is_none() || run.kernel.is_none() => {
                [Some(run), Some(run)]
            }
            _ => return Err(Error::BadPlan("the line has not the parts of this modulus".into())),
        };
        let mut chosen = [None, None];
        let mut candidates = Vec::new();
        let mut held = 0;
        if let Some(part) = problem.two_part() {
            let all = self.table_candidates(&part, wish.as_ref(), two_line)?;
            held = all[0].bytes;
            chosen[1] = Some(all[0].run.clone());
            candidates.push(all);
        }
        if let Some(part) = problem.odd_part(problem.memory_bytes.saturating_sub(held)) {
            let all = self.table_candidates(&part, wish.as_ref(), odd_line)?;
            chosen[0] = Some(all[0].run.clone());
            candidates.insert(0, all);
        }
        let [odd, two] = chosen;
        if let Some(wish) = &wish {
            let on = |run: &Option<FixedBaseRun>| run.as_ref().is_some_and(|run| run.form.kernel == wish.kernel);
            if line.is_none() && !on(&odd) && !on(&two) {
                return Err(Error::BadPlan(format!("no part of this problem can run on {wish}")));
            }
        }
        let plan = FixedBasePlan { odd, two };
        Ok(FixedBaseExplanation { problem: problem.clone(), plan, parts: candidates })
    }

    /// Expected seconds of one power by a plan; 0 where something has no price.
    pub(crate) fn price_fixed_base(&self, problem: &FixedBaseProblem, plan: &FixedBasePlan) -> f64 {
        let parts = [(problem.odd_part(0), &plan.odd), (problem.two_part(), &plan.two)];
        let price = |(part, run): (Option<TablePart>, &Option<FixedBaseRun>)| {
            let (part, run) = (part?, run.clone()?);
            let prices = self.prices().of(&run.form)?;
            Some(candidate(&part, run, 0, 0, &prices).seconds)
        };
        parts.into_iter().filter_map(price).sum()
    }

    /// The cheapest form of this CPU for a table that is there: among those of this layout, if there is one and a layout is
    /// named. Error: `bad_plan`.
    pub(crate) fn table_form(
        &self,
        odd: bool,
        bits: usize,
        algorithm: &FixedBaseAlgorithm,
        exponent_bits: usize,
        layout: Option<&Layout>,
        kernel: Option<&str>,
    ) -> Result<Form, Error> {
        let part = TablePart { odd, bits, exponent_bits, memory_bytes: u64::MAX, uses: f64::INFINITY };
        let line = LineRun { algorithm: algorithm.clone(), kernel: None };
        let wish: Option<Wish> = kernel.map(str::parse).transpose()?;
        let all = self.table_candidates(&part, wish.as_ref(), Some(&line))?;
        let fits = |candidate: &&FixedBaseCandidate| layout == Some(&candidate.run.form.layout(bits));
        Ok(all.iter().find(fits).unwrap_or(&all[0]).run.form)
    }

    /// What the part could take within its memory, cheapest first, one at least.
    fn table_candidates(
        &self,
        part: &TablePart,
        kernel: Option<&Wish>,
        line: Option<&LineRun>,
    ) -> Result<Vec<FixedBaseCandidate>, Error> {
        let named = line.and_then(|line| line.kernel.as_ref());
        // A kernel for odd moduli says nothing of the power of two beside it, and the other way round.
        let wish = named.or(kernel.filter(|wish| wish.kernel.odd() == part.odd));
        let forms = registry::forms(part.odd, part.bits.div_ceil(64))
            .filter(|form| form.kernel.entry().ring.is_some() && wish.is_none_or(|wish| wish.accepts(form)))
            .filter_map(|form| Some((form, self.prices().of(&form)?)));
        let mut all = Vec::new();
        let mut least_bytes = u64::MAX;
        for (form, prices) in forms {
            let bytes = form.layout(part.bits).bytes() as u64;
            let most = (part.memory_bytes / bytes).min(MAX_ENTRIES) as usize;
            let methods = match line {
                Some(line) => vec![line.algorithm.clone()],
                None => FixedBaseAlgorithm::candidates(part.exponent_bits, most),
            };
            for algorithm in methods {
                let entries = algorithm.entries(part.exponent_bits);
                least_bytes = least_bytes.min(bytes.saturating_mul(entries as u64));
                if entries <= most {
                    all.push(candidate(part, FixedBaseRun { algorithm, form }, entries, bytes, &prices));
                }
            }
            if line.is_none() {
                least_bytes = least_bytes.min(bytes.saturating_mul(part.exponent_bits.min(2) as u64));
            }
        }
        if least_bytes == u64::MAX {
            let kind = if part.odd { "an odd modulus" } else { "a power of two" };
            let wish = wish.map_or_else(|| "no kernel".into(), Wish::to_string);
            return Err(Error::BadPlan(format!("{wish} does not fit a table modulo {kind} of {} bits", part.bits)));
        }
        if all.is_empty() {
            let have = part.memory_bytes;
            let what = format!("a table takes {least_bytes} bytes at least, the memory for it is {have} bytes");
            return Err(Error::BadArgument(what));
        }
        all.sort_by(|a, b| a.shared_seconds.total_cmp(&b.shared_seconds));
        Ok(all)
    }
}

fn candidate(
    part: &TablePart,
    run: FixedBaseRun,
    entries: usize,
    bytes: u64,
    prices: &FormPrice,
) -> FixedBaseCandidate {
    let build = run.algorithm.build_cost(part.exponent_bits);
    let cost = run.algorithm.expected(part.exponent_bits);
    let products = |cost: &ExpectedCost| cost.squarings * prices.sqr + cost.multiplications * prices.mul;
    let build_seconds = (prices.setup + products(&build.into())) * 1e-9;
    let seconds = (prices.convert + products(&cost)) * 1e-9;
    let shared_seconds = seconds + build_seconds / part.uses;
    FixedBaseCandidate {
        run,
        entries,
        bytes: bytes * entries as u64,
        build,
        cost,
        build_seconds,
        seconds,
        shared_seconds,
    }
}

impl FixedBaseExplanation {
    /// The plan chosen.
    pub fn plan(&self) -> &FixedBasePlan {
        &self.plan
    }

    /// For each part of the plan, in its order, the candidates, cheapest first.
    pub fn candidates(&self) -> impl Iterator<Item = &[FixedBaseCandidate]> {
        self.parts.iter().map(Vec::as_slice)
    }
}

/// The chosen one and, with less and less memory, those that no smaller one beats in time.
fn front(candidates: &[FixedBaseCandidate]) -> Vec<&FixedBaseCandidate> {
    let mut least = u64::MAX;
    let mut front = Vec::new();
    for candidate in candidates {
        if candidate.bytes < least {
            least = candidate.bytes;
            front.push(candidate);
        }
    }
    front
}

impl fmt::Display for FixedBaseRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.algorithm, self.form)
    }
}

impl fmt::Display for FixedBasePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.odd, &self.two) {
            (Some(odd), Some(two)) => write!(f, "even({odd}, {two})"),
            (Some(run), None) | (None, Some(run)) => run.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for FixedBaseExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FixedBaseProblem { modulus_bits, exponent_bits, memory_bytes, uses, .. } = &self.problem;
        write!(f, "problem   fixed base, modulus of {modulus_bits} bits, exponents of {exponent_bits} bits")?;
        writeln!(f, ", {memory_bytes} bytes of memory, {uses} uses")?;
        writeln!(f, "plan      {}", self.plan)?;
        let chosen = self.parts.iter().filter_map(|part| part.first());
        let (one, build): (f64, f64) =
            chosen.fold((0.0, 0.0), |(one, build), part| (one + part.seconds, build + part.build_seconds));
        writeln!(f, "estimate  {} a power, {} to build", Seconds(one), Seconds(build))?;
        for part in &self.parts {
            let rows = front(part);
            let lines: Vec<String> = rows.iter().map(|row| row.run.to_string()).collect();
            let width = lines.iter().map(String::len).max().unwrap_or(0).max("candidate".len());
            writeln!(
                f,
                "\n  {:width$}  {:>8}  {:>10}  {:>9}  {:>9}  {:>11}  {:>11}",
                "candidate", "entries", "bytes", "squarings", "products", "time", "to build"
            )?;
            for (line, row) in lines.iter().zip(&rows) {
                writeln!(
                    f,
                    "  {line:width$}  {:>8}  {:>10}  {:>9.1}  {:>9.1}  {:>11}  {:>11}",
                    row.entries,
                    row.bytes,
                    row.cost.squarings,
                    row.cost.multiplications,
                    Seconds(row.seconds).to_string(),
                    Seconds(row.build_seconds).to_string(),
                )?;
            }
            writeln!(f, "  and {} that take more of both", part.len() - rows.len())?;
        }
        Ok(())
    }
}
