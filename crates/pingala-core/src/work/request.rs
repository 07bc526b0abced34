//! What a run of powers of one base is asked for.

use crate::engine::execute::poll::Poll;
use crate::exponent::Exponent;
use crate::natural::Natural;

/// Reports progress for one slice of a long run: the callback, the start of the slice, and its share of the whole.
#[derive(Clone, Copy)]
pub(crate) struct ProgressSlice<'a> {
    tell: &'a (dyn Fn(f64) + Sync),
    from: f64,
    share: f64,
}

impl<'a> ProgressSlice<'a> {
    /// The whole run as one slice; `tell` receives the share that is done, from 0 to 1.
    pub(crate) fn new(tell: &'a (dyn Fn(f64) + Sync)) -> Self {
        Self { tell, from: 0.0, share: 1.0 }
    }

    /// The slice of part `part`, where `parts` parts take about equally long.
    pub(crate) fn part(&self, part: usize, parts: usize) -> Self {
        let share = self.share / parts as f64;
        Self { from: self.from + part as f64 * share, share, ..*self }
    }

    /// Reports that `done` of `all` units of this slice are done. A call takes as long as a short product.
    pub(crate) fn report(&self, done: usize, all: usize) {
        (self.tell)(self.from + self.share * done as f64 / all as f64);
    }
}

/// Powers of one base: the request, and its progress and cancellation.
#[derive(Clone, Copy)]
pub(crate) struct Powers<'a> {
    pub(crate) base: &'a Natural,
    pub(crate) exponents: &'a [Exponent],
    /// How many do it: with 2 or more the squarings have one of them, or all share a table in lanes.
    pub(crate) threads: usize,
    pub(crate) progress: Option<ProgressSlice<'a>>,
    pub(crate) poll: &'a Poll<'a>,
}
