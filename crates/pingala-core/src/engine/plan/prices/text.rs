//! Prices as text: `name: value` lines of the stamp, `#` comments, one line for each measured point,
//! `kernel product n setup convert sqr mul mul_small select`, product `-` if the kernel has none, one for each kernel whose
//! thresholds are not the usual ones, `kernel threshold=value ...`, and one for threads, `thread start=nanoseconds`.

use super::{FormPrice, Prices};
use crate::error::Error;
use crate::kernel::cpu;
use crate::kernel::registry::{Kernel, Product, Settings};
use core::fmt;

impl Prices {
    /// Reads the text form, which `Display` writes. Error: `bad_argument` with the line's number.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::named("prices", text)
    }

    /// Reads prices; the source and the errors have this name.
    pub(crate) fn named(name: &str, text: &str) -> Result<Self, Error> {
        let mut prices = Self::stamped(name, text);
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') || stamp_of(line).is_some() {
                continue;
            }
            let wrong = |why| Error::BadArgument(format!("{name} line {number}: '{line}' {why}"));
            if let Some(start) = line.strip_prefix(THREAD_START) {
                let start = price(start).ok_or_else(|| wrong("is no time"))?;
                prices.thread_start = Some(start);
            } else if line.contains('=') {
                let (kernel, settings) = read_settings(line).ok_or_else(|| wrong("is no legal threshold"))?;
                prices.set(kernel, settings);
            } else if let Some((kernel, product, words, price)) = read_point(line) {
                if !prices.curve(kernel, product).insert(words, price) {
                    return Err(wrong("repeats a length"));
                }
            } else {
                let what = of_another_version(line).ok_or_else(|| wrong("is not a measured point"))?;
                let note = format!("{name} prices {what}, which this version does not have");
                if !prices.notes.contains(&note) {
                    prices.notes.push(note);
                }
            }
        }
        if prices.curves.is_empty() {
            return Err(Error::BadArgument(format!("{name}: no measured point")));
        }
        Ok(prices)
    }

    /// Reads only the stamp.
    pub(crate) fn stamped(name: &str, text: &str) -> Self {
        let mut prices = Self::empty(name);
        let stamps = text.lines().filter_map(stamp_of);
        prices.sources[0].stamp = stamps.map(|(name, value)| (name.into(), value.into())).collect();
        prices
    }
}

/// What the line of the price of a thread begins with.
const THREAD_START: &str = "thread start=";

/// The name and the value of a line of the stamp.
fn stamp_of(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().split_once(": ").filter(|(name, _)| !name.starts_with('#'))?;
    Some((name.trim(), value.trim()))
}

/// Products that 0.2 priced and that this version does not have, on some kernels or on any.
const PRODUCTS_OF_0_2: [&str; 6] = ["sos", "fios", "fips", "cihs", "separated_comba", "karatsuba_comba"];

/// What a line prices that is a point of a kernel or a product of another version; the other prices of its file are used.
fn of_another_version(line: &str) -> Option<String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [name, product, numbers @ ..] = fields.as_slice() else { return None };
    let is_whole = numbers.len() == 1 + FormPrice::FIELDS && numbers.iter().all(|field| number(field).is_some());
    match Kernel::by_name(name) {
        None => is_whole.then(|| format!("the kernel {name}")),
        Some(kernel) => {
            let has = kernel.entry().products.iter().any(|known| known.name() == *product);
            (is_whole && !has && PRODUCTS_OF_0_2.contains(product)).then(|| format!("the product {product} of {name}"))
        }
    }
}

/// The thresholds of a kernel: those that the line leaves out have their usual values.
fn read_settings(line: &str) -> Option<(Kernel, Settings)> {
    let mut fields = line.split_whitespace();
    let kernel = Kernel::by_name(fields.next()?)?;
    let set = |settings: Settings, field: &str| {
        let (name, value) = field.split_once('=')?;
        if kernel.entry().retired.contains(&name) {
            return Some(settings);
        }
        settings.with(kernel.entry().thresholds, name, value.parse().ok()?)
    };
    Some((kernel, fields.try_fold(kernel.usual_settings(), set)?))
}

/// A number as files of prices have it.
fn number(text: &str) -> Option<f64> {
    if cpu::HAS_ENVIRONMENT { text.parse().ok() } else { short_number(text) }
}

/// A price, which is above 0.
fn price(text: &str) -> Option<f64> {
    number(text).filter(|value| value.is_finite() && *value > 0.0)
}

/// A number of at most 15 digits, as all built-in prices are: without files the parser of the standard library and its tables are not linked.
/// The digits and the power of ten are exact in a double, so that their quotient is rounded correctly.
pub(super) fn short_number(text: &str) -> Option<f64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || whole.len() + decimals.len() > 15 {
        return None;
    }
    let append = |number: u64, digit: u8| digit.is_ascii_digit().then(|| 10 * number + u64::from(digit - b'0'));
    let digits = whole.bytes().chain(decimals.bytes()).try_fold(0, append)?;
    let power = (0..decimals.len()).fold(1.0, |power, _| power * 10.0);
    Some(digits as f64 / power)
}

fn read_point(line: &str) -> Option<(Kernel, Option<Product>, usize, FormPrice)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [name, product, words, values @ ..] = &fields[..] else { return None };
    let kernel = Kernel::by_name(name)?;
    let products = kernel.entry().products;
    let product = match *product {
        "-" => None,
        name => Some(name.parse().ok().filter(|product| products.contains(product))?),
    };
    let words = words.parse().ok().filter(|&n: &usize| n > 0)?;
    let values = values.iter().map(|text| price(text)).collect::<Option<Vec<f64>>>()?;
    let price = FormPrice::from_array(values.try_into().ok()?);
    (product.is_none() == products.is_empty()).then_some((kernel, product, words, price))
}

/// The stamps and the points of all sources.
impl fmt::Display for Prices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Prices in nanoseconds: kernel product n setup convert sqr mul mul_small select(per entry).")?;
        for (name, value) in self.sources.iter().flat_map(|source| &source.stamp) {
            writeln!(f, "{name}: {value}")?;
        }
        for (kernel, settings) in &self.settings {
            write!(f, "{}", kernel.entry().name)?;
            for (place, threshold) in kernel.entry().thresholds.iter().enumerate() {
                write!(f, " {}={}", threshold.name, settings.get(place))?;
            }
            writeln!(f)?;
        }
        if let Some(start) = self.thread_start {
            writeln!(f, "{THREAD_START}{}", Rounded(start))?;
        }
        for curve in &self.curves {
            let product = curve.product.map_or_else(|| "-".into(), |product| product.to_string());
            for (words, price) in &curve.points {
                write!(f, "{} {product} {words}", curve.kernel.entry().name)?;
                price.to_array().into_iter().try_for_each(|value| write!(f, " {}", Rounded(value)))?;
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// With four digits or more; no measurement has more, and none is 0.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0.max(0.001);
        let decimals = (3.0 - value.log10().floor()).clamp(0.0, 6.0) as usize;
        write!(f, "{value:.decimals$}")
    }
}
