//! What the operations of each kernel cost on this machine, in nanoseconds.
//!
//! The planner chooses from these numbers alone. They are measured (by `pingala-lab`'s `prices` program) and stamped;
//! the built-in ones below belong to a class of CPU. Between measured lengths a price follows the power law through its
//! two neighbours, beyond the ends the law of the last two.

use crate::error::Error;
use crate::kernel::registry::{Form, Kernel, Product};
use std::sync::OnceLock;

/// The prices of one kernel form at one length, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormPrice {
    /// Preparing the constants of one modulus (m', R mod m, R^2 mod m, ...).
    pub setup: f64,
    /// Bringing one number into the form and one out of it.
    pub convert: f64,
    /// One squaring.
    pub sqr: f64,
    /// One multiplication.
    pub mul: f64,
    /// One product by a number of at most 32 bits.
    pub mul_small: f64,
    /// Constant-time selection, for each entry of the table.
    pub select: f64,
}

impl FormPrice {
    const FIELDS: usize = 6;

    fn from_array(values: [f64; Self::FIELDS]) -> Self {
        let [setup, convert, sqr, mul, mul_small, select] = values;
        Self { setup, convert, sqr, mul, mul_small, select }
    }

    fn to_array(self) -> [f64; Self::FIELDS] {
        [self.setup, self.convert, self.sqr, self.mul, self.mul_small, self.select]
    }

    /// Whether no price is above the other's.
    pub(crate) fn never_above(&self, other: &Self) -> bool {
        self.to_array().iter().zip(other.to_array()).all(|(mine, theirs)| *mine <= theirs)
    }

    /// The power law through `self` at length `n0` and `other` at `n1`, at length `n`.
    fn between(self, n0: f64, other: Self, n1: f64, n: f64) -> Self {
        let position = (n / n0).ln() / (n1 / n0).ln();
        let (low, high) = (self.to_array(), other.to_array());
        Self::from_array(core::array::from_fn(|field| low[field] * (high[field] / low[field]).powf(position)))
    }
}

/// One measured curve: prices of a kernel (and product) over the words it computes with, ascending.
#[derive(Clone, Debug, PartialEq)]
struct Curve {
    kernel: Kernel,
    product: Option<Product>,
    points: Vec<(usize, FormPrice)>,
}

/// The prices of a machine, with where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    stamp: Vec<(String, String)>,
    curves: Vec<Curve>,
}

/// The files that ship, by class of CPU, each with its stamp. What a CPU lacks is not asked for its price.
const BUILT_IN: [&str; 3] = [
    include_str!("prices/x86_64_portable.txt"),
    include_str!("prices/x86_64_mulx.txt"),
    include_str!("prices/x86_64_ifma.txt"),
];

impl Prices {
    /// The prices that ship, measured on CPUs of this machine's classes; see [`Prices::stamp`].
    pub fn built_in() -> &'static Prices {
        static PRICES: OnceLock<Prices> = OnceLock::new();
        PRICES.get_or_init(|| Prices::parse(&BUILT_IN.concat()).expect("checked by a test"))
    }

    /// Provenance: CPU, date, compiler, version, as (name, value), once for each file that was read.
    pub fn stamp(&self) -> &[(String, String)] {
        &self.stamp
    }

    /// Reads the text form: `name: value` lines of the stamp, `#` comments, and one line per measured point:
    /// `kernel product n setup convert sqr mul mul_small select`, product `-` where the kernel has none.
    ///
    /// Error: `bad_argument` with the line number.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut prices = Prices { stamp: Vec::new(), curves: Vec::new() };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some((name, value)) = line.split_once(": ") {
                prices.stamp.push((name.into(), value.into()));
                continue;
            }
            let point = read_point(line)
                .ok_or_else(|| Error::BadArgument(format!("prices line {}: '{line}' is no point", number + 1)))?;
            prices.insert(point);
        }
        if prices.curves.is_empty() {
            return Err(Error::BadArgument("prices without a single point".into()));
        }
        Ok(prices)
    }

    fn insert(&mut self, (kernel, product, words, price): Point) {
        let at = self.curves.iter().position(|curve| curve.kernel == kernel && curve.product == product);
        let at = at.unwrap_or_else(|| {
            self.curves.push(Curve { kernel, product, points: Vec::new() });
            self.curves.len() - 1
        });
        let points = &mut self.curves[at].points;
        let place = points.partition_point(|&(other, _)| other < words);
        points.insert(place, (words, price));
    }

    /// The price of one form; none where nothing was measured for its kernel and product.
    pub fn of(&self, form: &Form) -> Option<FormPrice> {
        let curve = self.curves.iter().find(|curve| curve.kernel == form.kernel && curve.product == form.product)?;
        let (words, points) = (form.words(), &curve.points);
        let after = points.partition_point(|&(measured, _)| measured < words);
        if let Some(&(_, price)) = points.get(after).filter(|&&(measured, _)| measured == words) {
            return Some(price);
        }
        if points.len() < 2 {
            return points.first().map(|&(_, price)| price);
        }
        let right = after.clamp(1, points.len() - 1);
        let ((n0, low), (n1, high)) = (points[right - 1], points[right]);
        Some(low.between(n0 as f64, high, n1 as f64, words as f64))
    }

    /// The same prices with `change` applied to each curve's points: what-if planning and its tests.
    pub fn map(&self, mut change: impl FnMut(&Form, FormPrice) -> FormPrice) -> Self {
        let mut changed = self.clone();
        for curve in &mut changed.curves {
            for (words, price) in &mut curve.points {
                let form = Form { kernel: curve.kernel, n: *words, product: curve.product };
                *price = change(&form, *price);
            }
        }
        changed
    }
}

type Point = (Kernel, Option<Product>, usize, FormPrice);

fn read_point(line: &str) -> Option<Point> {
    let mut fields = line.split_whitespace();
    let kernel = Kernel::by_name(fields.next()?)?;
    let product = match fields.next()? {
        "-" => None,
        name => Some(name.parse().ok()?),
    };
    let words = fields.next()?.parse().ok().filter(|&n: &usize| n > 0)?;
    let mut values = [0.0; FormPrice::FIELDS];
    for value in &mut values {
        *value = fields.next()?.parse().ok().filter(|v: &f64| v.is_finite() && *v > 0.0)?;
    }
    fields.next().is_none().then_some((kernel, product, words, FormPrice::from_array(values)))
}
