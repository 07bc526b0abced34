//! The prices of each kernel's operations on this machine, in nanoseconds.
//!
//! The planner's choice depends only on these numbers. `pingala tune` measures them and stamps them. Built-in prices belong to a
//! class of CPU, those of [`machine`] to this CPU. Between measured lengths a price follows the power law through the two nearest
//! points, beyond the ends that of the last two points.

mod machine;
mod text;

use crate::algorithm::ExpectedCost;
#[cfg(not(target_arch = "wasm32"))]
use crate::kernel::cpu;
use crate::kernel::registry::{self, Form, Kernel, Product, Settings};
use crate::once::once;
use std::sync::OnceLock;

pub use machine::{FORMAT, path};

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

    /// Expected nanoseconds of squarings and products.
    pub(crate) fn products(&self, cost: &ExpectedCost) -> f64 {
        cost.squarings * self.sqr + (cost.multiplications + cost.base_multiplications) * self.mul
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

/// A source of prices.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    name: String,
    stamp: Vec<(String, String)>,
}

impl Source {
    /// The file's path, or which of the built-in files it is.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it ships with the library.
    pub(crate) fn is_built_in(&self) -> bool {
        self.name.starts_with("built-in")
    }

    /// Provenance: CPU, date, compiler, version, as (name, value).
    pub fn stamp(&self) -> &[(String, String)] {
        &self.stamp
    }

    /// The value of that name.
    fn value(&self, name: &str) -> Option<&str> {
        self.stamp.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// One measured curve: prices of a kernel (and product) over the words it computes with, ascending.
#[derive(Clone, Debug, PartialEq)]
struct Curve {
    source: usize,
    kernel: Kernel,
    product: Option<Product>,
    points: Vec<(usize, FormPrice)>,
}

impl Curve {
    /// Adds a point; false if its length already has one.
    fn insert(&mut self, words: usize, price: FormPrice) -> bool {
        let place = self.points.binary_search_by_key(&words, |&(other, _)| other);
        if let Err(place) = place {
            self.points.insert(place, (words, price));
        }
        place.is_err()
    }
}

/// The prices of a machine, with their sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    sources: Vec<Source>,
    curves: Vec<Curve>,
    /// The thresholds that the curves were measured with, if they are not the usual ones.
    settings: Vec<(Kernel, Settings)>,
    /// See [`Prices::thread_start`].
    thread_start: Option<f64>,
    notes: Vec<String>,
}

/// The built-in files. Each prices every kernel that its CPUs run, so that the candidates of one decision have prices of one machine.
/// A kernel whose prices come from elsewhere has a line of the stamp that says from where.
#[cfg(any(test, not(target_arch = "wasm32")))]
const INTEL: (&str, &str) = ("built-in, Intel", include_str!("prices/x86_64_intel.txt"));
#[cfg(any(test, not(target_arch = "wasm32")))]
const AMD_25: (&str, &str) = ("built-in, AMD family 25", include_str!("prices/x86_64_amd_25.txt"));
#[cfg(any(test, not(target_arch = "wasm32")))]
const AMD_26: (&str, &str) = ("built-in, AMD family 26", include_str!("prices/x86_64_amd_26.txt"));
#[cfg(any(test, not(target_arch = "wasm32")))]
const UMULH: (&str, &str) = ("built-in, umulh", include_str!("prices/aarch64_umulh.txt"));
const WASM: (&str, &str) = ("built-in, WebAssembly", include_str!("prices/wasm32.txt"));
#[cfg(test)]
const TOY: (&str, &str) = ("built-in, toy", include_str!("prices/toy.txt"));

/// The name of [`AMD_26`] on a CPU of another maker or family, which was not measured.
#[cfg(not(target_arch = "wasm32"))]
const UNMEASURED: &str = "built-in, measured on another family of CPUs";

impl Prices {
    /// The built-in prices, measured on a CPU of this machine's maker and family if there are such; see [`Prices::sources`].
    pub fn built_in() -> &'static Prices {
        static PRICES: OnceLock<Prices> = OnceLock::new();
        once(&PRICES, || {
            let all = Self::of_this_class(|(name, text)| Prices::named(name, text).expect("checked by a test"));
            #[cfg(test)]
            let all = all.over(&Prices::named(TOY.0, TOY.1).expect("checked by a test"));
            all
        })
    }

    /// In WebAssembly no other file is linked.
    #[cfg(target_arch = "wasm32")]
    fn of_this_class(file: impl Fn((&str, &str)) -> Self) -> Self {
        file(WASM)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn of_this_class(file: impl Fn((&str, &str)) -> Self) -> Self {
        let own = if cpu::is_by("Intel") {
            file(INTEL)
        } else if cpu::is_of("AMD", 25) {
            file(AMD_25)
        } else if cpu::is_of("AMD", 26) {
            file(AMD_26)
        } else if cfg!(target_arch = "aarch64") {
            file(UMULH).over(&file((UNMEASURED, AMD_26.1)))
        } else {
            file((UNMEASURED, AMD_26.1))
        };
        own.over(&file(AMD_26)).over(&file(UMULH)).over(&file(WASM))
    }

    /// By how many nanoseconds a call on two threads ends later than half of its work takes on one: what it takes to start a thread, to wake
    /// its processor, and to notice that it has ended. Infinite where nobody measured it, so that no thread starts.
    pub fn thread_start(&self) -> f64 {
        self.thread_start.unwrap_or(f64::INFINITY)
    }

    /// These prices with another one for starting a thread.
    pub fn with_thread_start(self, nanoseconds: f64) -> Self {
        Self { thread_start: Some(nanoseconds), ..self }
    }

    /// Prices measured just now: no two points of one form.
    pub fn measured(stamp: Vec<(String, String)>, points: impl IntoIterator<Item = (Form, FormPrice)>) -> Self {
        let mut prices = Self::empty("measured now");
        prices.sources[0].stamp = stamp;
        for (form, price) in points {
            prices.curve(form.kernel, form.product).insert(form.n, price);
            prices.set(form.kernel, form.settings);
        }
        prices
    }

    fn empty(name: &str) -> Self {
        let source = Source { name: name.into(), stamp: Vec::new() };
        Prices {
            sources: vec![source],
            curves: Vec::new(),
            settings: Vec::new(),
            thread_start: None,
            notes: Vec::new(),
        }
    }

    /// Gives a kernel's thresholds.
    fn set(&mut self, kernel: Kernel, settings: Settings) {
        self.settings.retain(|&(known, _)| known != kernel);
        if settings != kernel.usual_settings() {
            self.settings.push((kernel, settings));
        }
    }

    /// The form with the thresholds that its prices were measured with.
    pub(crate) fn with_thresholds(&self, form: Form) -> Form {
        let known = self.settings.iter().find(|&&(kernel, _)| kernel == form.kernel);
        Form { settings: known.map_or(form.settings, |&(_, settings)| settings), ..form }
    }

    /// Every form that this CPU has for a power modulo a number of `n` limbs, odd or a power of two, with such thresholds.
    pub(crate) fn every_form(&self, odd: bool, n: usize) -> impl Iterator<Item = Form> {
        registry::every_form(odd, n).map(|form| self.with_thresholds(form))
    }

    /// Whether this kernel's prices were measured on this CPU, or on one whose prices hold here.
    pub(crate) fn hold_for(&self, kernel: Kernel) -> bool {
        let is_measured = |curve: &Curve| curve.kernel == kernel && !self.sources[curve.source].is_built_in();
        (kernel.entry().priced_here)() || self.curves.iter().any(is_measured)
    }

    /// The curve of a kernel and product, created if there is none.
    fn curve(&mut self, kernel: Kernel, product: Option<Product>) -> &mut Curve {
        let at = self.curves.iter().position(|curve| curve.kernel == kernel && curve.product == product);
        let at = at.unwrap_or_else(|| {
            self.curves.push(Curve { source: 0, kernel, product, points: Vec::new() });
            self.curves.len() - 1
        });
        &mut self.curves[at]
    }

    /// These prices, and for the kernels that they lack those of `others`.
    pub fn over(mut self, others: &Prices) -> Self {
        let own: Vec<Kernel> = self.curves.iter().map(|curve| curve.kernel).collect();
        for (index, source) in others.sources.iter().enumerate() {
            let at = self.sources.len();
            let lacking = others.curves.iter().filter(|curve| curve.source == index && !own.contains(&curve.kernel));
            self.curves.extend(lacking.map(|curve| Curve { source: at, ..curve.clone() }));
            if self.curves.iter().any(|curve| curve.source == at) {
                self.sources.push(source.clone());
            }
        }
        self.settings.extend(others.settings.iter().filter(|(kernel, _)| !own.contains(kernel)));
        self.notes.extend(others.notes.iter().cloned());
        self.thread_start = self.thread_start.or(others.thread_start);
        self
    }

    /// Each source of prices in force, with the kernels that it prices.
    pub fn sources(&self) -> impl Iterator<Item = (&Source, Vec<Kernel>)> {
        self.sources.iter().enumerate().map(|(index, source)| {
            let prices = |kernel| self.curves.iter().any(|curve| curve.source == index && curve.kernel == kernel);
            (source, Kernel::all().filter(|&kernel| prices(kernel)).collect())
        })
    }

    /// One sentence for each source that was found and not used, with the reason.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The price of one form; none if its kernel and product have no prices.
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

    /// These prices with `change` applied to each curve's points: what-if planning and its tests.
    pub fn map(&self, mut change: impl FnMut(&Form, FormPrice) -> FormPrice) -> Self {
        let mut changed = self.clone();
        for curve in &mut changed.curves {
            for (words, price) in &mut curve.points {
                let form = Form::new(curve.kernel, *words, curve.product);
                *price = change(&form, *price);
            }
        }
        changed
    }
}

/// Drops every form that another one, which `replaces` it, beats, or equals, in all prices.
pub(crate) fn undominated(
    mut forms: Vec<(Form, FormPrice)>,
    replaces: impl Fn(&Form, &Form) -> bool,
) -> Vec<(Form, FormPrice)> {
    let mut at = 0;
    while at < forms.len() {
        let (form, price) = forms[at];
        let beaten = forms
            .iter()
            .any(|(other, prices)| prices.never_above(&price) && *prices != price && replaces(other, &form));
        if beaten {
            forms.remove(at);
        } else {
            at += 1;
        }
    }
    forms
}

#[cfg(test)]
#[path = "../../../tests/inside/engine/plan/prices.rs"]
mod tests;
