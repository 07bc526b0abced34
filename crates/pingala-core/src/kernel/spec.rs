//! A kernel as a plan line names it.

use super::form::write_kernel;
use super::registry::{Form, KERNELS, Kernel, Product, Settings};
use crate::error::Error;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// A kernel as a plan line names it; parameters may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KernelSpec {
    pub(crate) kernel: Kernel,
    n: Option<usize>,
    product: Option<Product>,
    /// The thresholds, if the line names one of them or `n`: printed lines name `n` and omit default values.
    settings: Option<Settings>,
}

impl KernelSpec {
    /// Names every parameter of a form.
    pub(crate) fn of(form: &Form) -> Self {
        Self { kernel: form.kernel, n: Some(form.n), product: form.product, settings: Some(form.settings) }
    }

    /// Whether a form has this kernel and the parameters that are named.
    pub(crate) fn accepts(&self, form: &Form) -> bool {
        self.kernel == form.kernel
            && self.n.is_none_or(|n| n == form.n)
            && self.product.is_none_or(|product| Some(product) == form.product)
            && self.settings.is_none_or(|settings| settings == form.settings)
    }

    /// Whether `other` names the same kernel, and the same value of each parameter that is named here.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        self.kernel == other.kernel
            && (self.n.is_none() || self.n == other.n)
            && (self.product.is_none() || self.product == other.product)
            && (self.settings.is_none() || self.settings == other.settings)
    }

    /// Returns `form` with the thresholds that the line names.
    pub(crate) fn set(&self, form: Form) -> Form {
        Form { settings: self.settings.filter(|_| self.kernel == form.kernel).unwrap_or(form.settings), ..form }
    }

    /// The form that it accepts in place of `form`. Lanes may have more limbs than one modulus needs, because another modulus in
    /// the same vectors may need more.
    pub(crate) fn widened(&self, form: Form) -> Option<Form> {
        let takes = |&n: &usize| {
            n >= form.n && form.kernel.lane_family().is_some_and(|family| (family.modulus_bits)(n).is_some())
        };
        let n = self.n.filter(takes).unwrap_or(form.n);
        Some(self.set(Form { n, ..form })).filter(|form| self.accepts(form))
    }

    /// The form that the line names, if it names all parameters.
    pub(crate) fn complete(&self) -> Option<Form> {
        let complete = self.product.is_some() || self.kernel.entry().products.is_empty();
        complete.then_some(self.set(Form::new(self.kernel, self.n?, self.product)))
    }
}

impl fmt::Display for KernelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_kernel(f, self.kernel, self.n, self.product, self.settings)
    }
}

/// Whether `typed` is probably a mistyped `name`: its beginning, or at most two letters away.
fn is_near(typed: &str, name: &str) -> bool {
    if typed.len() >= 3 && name.starts_with(typed) {
        return true;
    }
    if typed.len().abs_diff(name.len()) > 2 {
        return false;
    }
    // Levenshtein's distance, row by row.
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (i, a) in typed.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in name.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[name.len()] <= 2
}

impl FromStr for KernelSpec {
    type Err = Error;

    /// `name`, or `name(n=.., product=..)` with any of the parameters, thresholds included. Errors: `bad_plan` for an unknown
    /// kernel, one that this CPU lacks, or a parameter or a value it does not have.
    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = |why: &str| Error::BadPlan(format!("{why} in kernel '{text}'"));
        let (name, parameters) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => (name, rest.trim_end().strip_suffix(')').ok_or_else(|| bad("missing ')'"))?),
        };
        let name = name.trim();
        let Some(kernel) = Kernel::by_name(name) else {
            let near = KERNELS.iter().map(|entry| entry.name).filter(|known| is_near(name, known));
            let near = near.collect::<Vec<_>>().join(" or ");
            let meant = if near.is_empty() { near } else { format!("did you mean {near}? ") };
            let why = format!("no kernel '{name}'; {meant}`pingala info` lists the kernels of this CPU");
            return Err(Error::BadPlan(why));
        };
        if !kernel.available() {
            return Err(Error::BadPlan(format!("this CPU cannot run {name}")));
        }
        let mut spec = KernelSpec { kernel, n: None, product: None, settings: None };
        for parameter in parameters.split(',').map(str::trim).filter(|parameter| !parameter.is_empty()) {
            let (key, value) = parameter.split_once('=').ok_or_else(|| bad("expected key=value"))?;
            match (key.trim(), value.trim()) {
                ("n", value) => {
                    spec.n = Some(value.parse().map_err(|_| bad("n must be a number"))?);
                    spec.settings.get_or_insert(kernel.usual_settings());
                }
                ("product", value) if !kernel.entry().products.is_empty() => {
                    let products = kernel.entry().products;
                    // Lines of 0.2 name sos on kernels that have it as the short lengths of karatsuba_sos only.
                    let product = match value.parse() {
                        Ok(Product::Sos) if !products.contains(&Product::Sos) => Ok(Product::KaratsubaSos),
                        product => product,
                    };
                    let product = product.ok().filter(|product| products.contains(product));
                    spec.product = Some(product.ok_or_else(|| {
                        let names: Vec<&str> = products.iter().map(|product| product.name()).collect();
                        bad(&format!("unknown product '{value}' (there are {})", names.join(", ")))
                    })?);
                }
                (name, _) if kernel.entry().retired.contains(&name) => {}
                (name, value) => {
                    let parameters = kernel.entry().thresholds;
                    let Some(known) = parameters.iter().find(|parameter| parameter.name == name) else {
                        let names = parameters.iter().map(|parameter| parameter.name);
                        let products = (!kernel.entry().products.is_empty()).then_some("product");
                        let names: Vec<&str> = ["n"].into_iter().chain(products).chain(names).collect();
                        return Err(bad(&format!("unknown parameter '{name}' (there are {})", names.join(", "))));
                    };
                    let settings = spec.settings.unwrap_or(kernel.usual_settings());
                    let set = value.parse().ok().and_then(|value| settings.with(parameters, name, value));
                    let legal = || bad(&format!("{name} must be a number from {} to {}", known.least, known.most));
                    spec.settings = Some(set.ok_or_else(legal)?);
                }
            }
        }
        Ok(spec)
    }
}

#[cfg(test)]
#[path = "../../tests/inside/kernel/spec.rs"]
mod tests;
