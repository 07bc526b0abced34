//! Secret exponents from tables of a fixed base, and lists of secret powers, under memcheck: on every form that claims to be
//! constant-time.

use crate::cases::{Gate, Random, message, number};
use crate::memcheck;
use crate::shapes::constant_time_forms;
use pingala_core::{Error, FixedBase, Integer, Modulus, Natural, Options, SecretExponent, Uses};
use std::num::NonZeroUsize;

/// Bits of the exponents: a few columns of every comb, and no whole number of limbs.
const EXPONENT_BITS: usize = 75;
/// Powers of a list: 0, all ones, and others.
const COUNT: usize = 4;

/// What is computed.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// From a table of this method, as planned without one.
    Table(Option<&'static str>),
    /// Each power by itself, in a list.
    List,
}

/// The secret exponents, as bytes.
fn exponents(random: &mut Random) -> Vec<Vec<u8>> {
    let bytes = EXPONENT_BITS.div_ceil(8);
    let mut all = vec![vec![0; bytes], vec![0xff; bytes], random.bytes(bytes), random.bytes(bytes)];
    all.iter_mut().for_each(|exponent| exponent[0] &= (1 << (EXPONENT_BITS % 8)) - 1);
    all
}

/// A modulus of `n` limbs if it is odd, otherwise one whose odd part and whose power of two both have that many.
fn modulus(odd: bool, n: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = random.bytes(if odd { 8 * n } else { 16 * n - 1 });
    bytes[0] |= 0x80;
    if odd {
        bytes[8 * n - 1] |= 1;
    } else {
        // 64n - 5 zeros.
        bytes[8 * n..].fill(0);
        bytes[8 * n - 1] = bytes[8 * n - 1] & 0xf0 | 8;
    }
    bytes
}

/// Runs one list with base and exponents secret, the base of a table excepted; the error names what went wrong.
fn run_one(kind: Kind, bytes: &[u8], kernel: Option<&str>, random: &mut Random) -> Result<(), String> {
    let options = Options::default().with_kernel(kernel).with_threads(NonZeroUsize::new(2));
    let modulus = Modulus::new(Natural::from_be_bytes(bytes)).map_err(message)?;
    let width = bytes.len();
    let (mut bases, mut exponents) = (vec![random.bytes(width); COUNT], exponents(random));
    if kind == Kind::List {
        bases.iter_mut().for_each(|base| *base = random.bytes(width));
    }
    let expected: Result<Vec<Natural>, Error> =
        bases.iter().zip(&exponents).map(|(base, exponent)| modulus.pow(&number(base), &number(exponent))).collect();
    let expected = expected.map_err(|error| format!("the public path, as oracle: {error}"))?;
    let table = match kind {
        Kind::List => None,
        Kind::Table(line) => {
            let mut uses = Uses::from(1000);
            uses.secret = true;
            let (base, options): (Integer, _) = (number(&bases[0]), options.with_plan(line));
            let made = FixedBase::for_uses(&base, &modulus, EXPONENT_BITS as u64, 1 << 18, uses, &options);
            Some(made.map_err(|error| format!("the table: {error}"))?)
        }
    };
    let mut out = vec![0xaa; COUNT * width];

    if table.is_none() {
        bases.iter_mut().for_each(|base| memcheck::make_secret(base));
    }
    for exponent in &mut exponents {
        memcheck::make_secret(exponent);
        memcheck::make_low_bits_secret(&mut exponent[0], (EXPONENT_BITS % 8) as u32);
    }
    let secrets = exponents.iter().map(|exponent| SecretExponent::from_be_bytes(exponent, EXPONENT_BITS as u64));
    let depends = |out: &[u8]| out.chunks(width).all(memcheck::is_secret);
    let watched = memcheck::watched(&mut out, depends, |out| {
        let secrets = secrets.collect::<Result<Vec<_>, _>>()?;
        match &table {
            Some(table) => table.pow_sec_list(&secrets, out, &options),
            None => {
                let bases: Vec<&[u8]> = bases.iter().map(Vec::as_slice).collect();
                modulus.pow_sec_list(&bases, &secrets, out, &options)
            }
        }
    });
    exponents.iter_mut().chain(&mut bases).for_each(|secret| memcheck::make_public(secret));
    let failed = watched?;
    if !failed.is_empty() {
        return Err(format!("rows failed: {failed:?}"));
    }
    if out.chunks(width).map(Natural::from_be_bytes).ne(expected) {
        return Err("the results differ from the public path".into());
    }
    Ok(())
}

/// Tables or lists on a kernel, or as planned and on every form.
pub fn run(gate: &mut Gate, kinds: &[Kind], kernel: Option<&str>) {
    for &kind in kinds {
        let what = match kind {
            Kind::List => "a list".into(),
            Kind::Table(line) => format!("a table, {}", line.unwrap_or("as planned")),
        };
        // A table takes no even modulus.
        let parities = if kind == Kind::List { &[true, false][..] } else { &[true] };
        for (&odd, n) in parities.iter().flat_map(|odd| [1, 2, 5, 16, 33].map(|n| (odd, n))) {
            let low = if odd { Vec::new() } else { constant_time_forms(false, n) };
            let forms = constant_time_forms(true, n).into_iter().chain(low);
            let forms = forms.filter(|form| kernel.is_none_or(|kernel| form.kernel.entry().name == kernel));
            let planned = kernel.is_none().then_some(None);
            for form in planned.into_iter().chain(forms.map(|form| Some(form.to_string()))) {
                let modulus = modulus(odd, n, gate.random());
                let parity = if odd { "odd" } else { "even" };
                let on = form.as_deref().unwrap_or("as planned");
                let name = format!("{what}; {parity} {} bits; {on}", 8 * modulus.len());
                gate.case(&name, |random| run_one(kind, &modulus, form.as_deref(), random));
            }
        }
    }
}

/// The plans of tables: as it comes, the shortest, and one with blocks that the last one does not fill.
pub const TABLES: &[Kind] =
    &[Kind::Table(None), Kind::Table(Some("comb(h=1, v=1)")), Kind::Table(Some("comb(h=4, v=3)"))];
