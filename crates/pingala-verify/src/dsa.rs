//! DSA by shared work: one inversion for all s modulo one q, tables of bases that come often, products side by side.

use crate::check::OpenDsa;
use crate::key::DsaKey;
use crate::list::poll;
use crate::verdict::Reason;
use core::hash::{Hash, Hasher};
use pingala_core::algorithm::ShapeBits;
use pingala_core::plan::{FixedBaseProblem, Planner, Problem, ShapeProblem};
use pingala_core::{
    Error, FixedBase, Integer, Job, Modulus, Natural, Options, Uses, Watch, pow_list, pow_product_list,
};
use std::collections::HashMap;

/// Bytes of a table.
const TABLE_BYTES: u64 = 1 << 18;

/// Fewest powers of one base for which a table is priced.
const FEWEST_FOR_A_TABLE: usize = 4;

/// What is said of one signature: none if it is valid.
pub(crate) type Said = Result<Option<Reason>, Error>;

/// How the signatures of one domain are verified.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sharing {
    /// Of p and q, in bits.
    pub(crate) sizes: (u64, u64),
    pub(crate) signatures: usize,
    /// A table for g, and for how many keys there is one for y, with their signatures. None: a product each.
    pub(crate) tables: Option<(usize, usize)>,
    pub(crate) seconds: f64,
}

/// The indices of signatures by domain, then by key, each in the order in which they come first. Error: `interrupted`.
fn in_order(checks: &[OpenDsa<'_>], watch: Option<&dyn Watch>) -> Result<Vec<usize>, Error> {
    let mut order: Vec<usize> = (0..checks.len()).collect();
    if order.len() > 1 {
        let (mut grouping, mut groups) = (Grouping::default(), Vec::with_capacity(checks.len()));
        for (index, check) in checks.iter().enumerate() {
            poll(watch, index)?;
            groups.push(grouping.place(check.key));
        }
        order.sort_by_key(|&index| groups[index]);
    }
    Ok(order)
}

/// Signatures of one domain after another, of an order by domains.
fn domains<'o>(checks: &[OpenDsa<'_>], order: &'o [usize]) -> impl Iterator<Item = &'o [usize]> {
    order.chunk_by(|&one, &next| checks[one].key.shares_domain(checks[next].key))
}

/// Signatures of one key after another, of one domain.
fn keys<'o>(checks: &[OpenDsa<'_>], domain: &'o [usize]) -> impl Iterator<Item = &'o [usize]> {
    domain.chunk_by(|&one, &next| checks[one].key.y() == checks[next].key.y())
}

/// Numbers of domains, and of the keys of each, in the order in which they come first.
#[derive(Default)]
pub(crate) struct Grouping<'a> {
    domains: HashMap<ByDomain<'a>, usize>,
    keys: HashMap<(usize, &'a Natural), usize>,
    /// How many keys each domain has.
    counts: Vec<usize>,
    before: Option<(&'a DsaKey, (usize, usize))>,
}

impl<'a> Grouping<'a> {
    /// The number of the domain, and that of the key in it.
    pub(crate) fn place(&mut self, key: &'a DsaKey) -> (usize, usize) {
        if let Some((_, place)) = self.before.filter(|(before, _)| core::ptr::eq(*before, key)) {
            return place;
        }
        let domain = *self.domains.entry(ByDomain(key)).or_insert(self.counts.len());
        if domain == self.counts.len() {
            self.counts.push(0);
        }
        let of_key = *self.keys.entry((domain, key.y())).or_insert(self.counts[domain]);
        self.counts[domain] += usize::from(of_key == self.counts[domain]);
        self.before = Some((key, (domain, of_key)));
        (domain, of_key)
    }
}

/// A key that is looked up by p, q and g.
struct ByDomain<'a>(&'a DsaKey);

impl PartialEq for ByDomain<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.shares_domain(other.0)
    }
}

impl Eq for ByDomain<'_> {}

impl Hash for ByDomain<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.p().limbs(), self.0.q().limbs(), self.0.g().limbs()).hash(state);
    }
}

/// Counts that differ by less than a quarter are priced once.
fn rounded(count: usize) -> usize {
    count.next_multiple_of((count.next_power_of_two() / 8).max(1))
}

/// Prices that were asked for, by the lengths of p and q and a count.
#[derive(Default)]
struct Asked(HashMap<(u64, u64, usize, What), f64>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Table,
    Powers,
    Products,
}

impl Asked {
    /// Expected seconds of `count` powers from a table, with the table; or of `count` powers, or products of two, in one list.
    fn seconds(&mut self, key: &DsaKey, count: usize, what: What) -> Result<f64, Error> {
        let (p, q) = (key.p().bits(), key.q().bits());
        let asked = count;
        let count = rounded(count);
        let scale = asked as f64 / count as f64;
        if let Some(&seconds) = self.0.get(&(p, q, count, what)) {
            return Ok(seconds * scale);
        }
        let planner = Planner::of_this_machine();
        let seconds = match what {
            What::Table => {
                let problem = FixedBaseProblem {
                    modulus_bits: p,
                    trailing_zeros: 0,
                    even_base: false,
                    exponent_bits: q,
                    memory_bytes: TABLE_BYTES,
                    uses: count as u64,
                    in_lists: true,
                    secret: false,
                };
                planner.seconds_of_table(&problem)?
            }
            What::Powers => {
                let problem = Problem { count: count as u64, ..Problem::new(p, q) };
                planner.seconds(&problem)?
            }
            What::Products => {
                let problem = ShapeProblem {
                    modulus_bits: p,
                    trailing_zeros: 0,
                    factors: Vec::new(),
                    memory_bytes: 1 << 30,
                    work: ShapeBits::equal(2, q as usize),
                };
                planner.seconds_of_products(&problem, count)?
            }
        };
        self.0.insert((p, q, count, what), seconds);
        Ok(seconds * scale)
    }

    /// Which tables a domain gets: of g, and which of its keys.
    fn sharing(&mut self, checks: &[OpenDsa<'_>], domain: &[usize]) -> Result<(Sharing, Vec<bool>), Error> {
        let (key, signatures) = (checks[domain[0]].key, domain.len());
        let products = self.seconds(key, signatures, What::Products)?;
        let sizes = (key.p().bits(), key.q().bits());
        let mut sharing = Sharing { sizes, signatures, tables: None, seconds: products };
        let mut with_table = Vec::new();
        let (mut seconds, mut tables, mut from_tables, mut alone) = (0.0, 0, 0, 0);
        for members in keys(checks, domain) {
            let count = members.len();
            let mut pays = false;
            if count >= FEWEST_FOR_A_TABLE {
                let table = self.seconds(key, count, What::Table)?;
                pays = table < self.seconds(key, count, What::Powers)?;
                (seconds, tables, from_tables) = match pays {
                    true => (seconds + table, tables + 1, from_tables + count),
                    false => (seconds, tables, from_tables),
                };
            }
            alone += if pays { 0 } else { count };
            with_table.push(pays);
        }
        seconds += self.seconds(key, signatures, What::Table)?;
        if alone > 0 {
            seconds += self.seconds(key, alone, What::Powers)?;
        }
        if seconds < products && signatures >= FEWEST_FOR_A_TABLE {
            sharing = Sharing { tables: Some((tables, from_tables)), seconds, ..sharing };
        }
        Ok((sharing, with_table))
    }
}

/// How the signatures would be verified.
pub(crate) fn explain(checks: &[OpenDsa<'_>]) -> Result<Vec<Sharing>, Error> {
    let (mut asked, order) = (Asked::default(), in_order(checks, None)?);
    domains(checks, &order).map(|domain| Ok(asked.sharing(checks, domain)?.0)).collect()
}

/// g^u1 y^u2 mod p is still to come.
struct Scalars<'a> {
    index: usize,
    bases: &'a [Integer],
    /// u1 and u2.
    exponents: [Integer; 2],
}

/// Says something of each check, by its place. Error: `interrupted`.
pub(crate) fn verify(
    checks: &[OpenDsa<'_>],
    options: &Options<'_>,
    say: &mut dyn FnMut(usize, Said),
) -> Result<(), Error> {
    let mut asked = Asked::default();
    let watch = options.watch();
    let mut say_of = |index: usize, v: Result<Natural, Error>| {
        poll(watch, index)?;
        let check = &checks[index];
        say(
            check.place,
            v.map(|v| (check.key.shared.q.mul(&v.into(), &1u64.into()) != check.r).then_some(Reason::Mismatch)),
        );
        Ok::<(), Error>(())
    };
    // Products of all domains go together, and so do powers of keys without a table.
    let (mut products, mut powers) = (Vec::new(), Vec::new());
    let order = in_order(checks, watch)?;
    for domain in domains(checks, &order) {
        let sharing = if domain.len() < FEWEST_FOR_A_TABLE { None } else { Some(asked.sharing(checks, domain)?) };
        let with_table = sharing.filter(|(sharing, _)| sharing.tables.is_some()).map(|(_, with_table)| with_table);
        let of_domain = &checks[domain[0]].key.shared;
        let order = &of_domain.q;
        let all: Vec<Integer> = domain.iter().map(|&index| checks[index].s.clone()).collect();
        let inverses = match &all[..] {
            [one] => vec![order.invert(one)],
            _ => order.invert_list(&all, options)?,
        };
        let mut scalars: Vec<Scalars<'_>> = Vec::with_capacity(all.len());
        let mut of_keys = Vec::new();
        let mut inverses = inverses.into_iter();
        for members in keys(checks, domain) {
            let (key, before) = (checks[members[0]].key, scalars.len());
            for (&index, inverse) in members.iter().zip(&mut inverses) {
                poll(watch, index)?;
                // Only modulo a q that is not prime an s has no inverse.
                let Ok(inverse) = inverse else {
                    say_of(index, Ok(Natural::default()))?;
                    continue;
                };
                let (check, inverse) = (&checks[index], Integer::from(inverse));
                let u = |by: &Natural| Integer::from(order.mul(&inverse, &by.clone().into()));
                scalars.push(Scalars { index, bases: &key.shared.bases, exponents: [u(&check.digest), u(&check.r)] });
            }
            of_keys.push((key, scalars.len() - before));
        }
        let Some(with_table) = with_table else {
            products.extend(scalars);
            continue;
        };
        let uses = |count: usize| Uses::new(rounded(count) as u64, true);
        let table_of = |base: &Integer, count: usize| {
            FixedBase::for_uses(base, &of_domain.p, order.value().bits(), TABLE_BYTES, uses(count), options)
        };
        let of_g = table_of(&of_domain.bases[0], scalars.len().max(1))?;
        let u1: Vec<Integer> = scalars.iter().map(|scalars| scalars.exponents[0].clone()).collect();
        let mut left = of_g.pow_list(&u1, options)?.into_iter().zip(scalars);
        for ((key, length), with_table) in of_keys.into_iter().zip(with_table) {
            let mine = left.by_ref().take(length);
            if !with_table || length == 0 {
                powers.extend(mine.map(|(left, scalars)| (key, left, scalars)));
                continue;
            }
            let mine: Vec<_> = mine.collect();
            let u2: Vec<Integer> = mine.iter().map(|(_, scalars)| scalars.exponents[1].clone()).collect();
            let right = table_of(&key.shared.bases[1], length)?.pow_list(&u2, options)?;
            for ((left, scalars), right) in mine.into_iter().zip(right) {
                say_of(scalars.index, product(key, left, right))?;
            }
        }
    }
    let jobs: Vec<Job<'_>> = powers
        .iter()
        .map(|(key, _, of)| Job { base: &of.bases[1], exponent: &of.exponents[1], modulus: &key.shared.p })
        .collect();
    let right = if jobs.is_empty() { Vec::new() } else { pow_list(&jobs, options)? };
    for ((key, left, scalars), right) in powers.into_iter().zip(right) {
        say_of(scalars.index, product(key, left, right))?;
    }
    let jobs: Vec<(&[Integer], &[Integer], &Modulus)> = products
        .iter()
        .map(|Scalars { index, bases, exponents }| (*bases, &exponents[..], &checks[*index].key.shared.p))
        .collect();
    match &jobs[..] {
        [] => {}
        [(bases, exponents, field)] => say_of(products[0].index, field.pow_product(bases, exponents, options))?,
        jobs => {
            for (scalars, v) in products.iter().zip(pow_product_list(jobs, options)?) {
                say_of(scalars.index, v)?;
            }
        }
    }
    Ok(())
}

fn product(key: &DsaKey, left: Result<Natural, Error>, right: Result<Natural, Error>) -> Result<Natural, Error> {
    Ok(key.shared.p.mul(&left?.into(), &right?.into()))
}
