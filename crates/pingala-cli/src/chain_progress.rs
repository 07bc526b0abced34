//! The progress of `pingala chain search`: a bar for each part of the search.

use crate::interrupt::{self, in_progress};
use crate::print::{self, counted, grouped, time_text};
use crate::progress::{self, BAR, PICTURES_EVERY, SPINNER};
use indicatif::{ProgressBar, ProgressStyle};
use pingala_chains::{Phase, Progress};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two lines where standard error is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(10);

/// Shows how a search goes, and ends it on a signal.
pub(crate) struct Shown {
    wanted: bool,
    bar: Option<ProgressBar>,
    started: Instant,
    /// The time that the annealing has, if time decides.
    limit: Option<Duration>,
    state: Mutex<State>,
}

struct State {
    phase: Option<Phase>,
    /// When the part began.
    begun: Instant,
    /// Units of the part.
    done: u64,
    /// Steps of the best chain.
    best: Option<usize>,
    shown_at: Instant,
}

impl Shown {
    pub(crate) fn new(wanted: bool, limit: Option<Duration>) -> Self {
        let bar = progress::bar(wanted, None, SPINNER);
        if let Some(bar) = &bar {
            // Some parts seldom report.
            bar.enable_steady_tick(PICTURES_EVERY);
        }
        let now = Instant::now();
        let state = State { phase: None, begun: now, done: 0, best: None, shown_at: now };
        Self { wanted, bar, started: now, limit, state: Mutex::new(state) }
    }

    /// To be called when the search has ended.
    pub(crate) fn clear(&self) {
        in_progress().bar = None;
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Changes the state and shows it, if the last picture is old enough or `now` is set.
    fn change(&self, now: bool, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let every = if self.bar.is_some() { PICTURES_EVERY } else { LINES_EVERY };
        if !self.wanted || state.shown_at.elapsed() < every && !(now && self.bar.is_some()) {
            return;
        }
        state.shown_at = Instant::now();
        let text = text(&state, self.limit, self.started.elapsed());
        let Some(bar) = &self.bar else { return print::note(&text) };
        match share(&state, self.limit, self.started.elapsed()) {
            Some((done, total)) => {
                bar.set_length(total);
                bar.set_position(done);
                set_template(bar, BAR);
            }
            None => set_template(bar, SPINNER),
        }
        bar.set_message(text);
    }
}

fn set_template(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

/// What is done of the part, and its length: in units, or in milliseconds if time decides. `None` if the length is not known.
fn share(state: &State, limit: Option<Duration>, elapsed: Duration) -> Option<(u64, u64)> {
    match (state.phase?, limit) {
        (Phase::Annealing(_), Some(limit)) => Some((elapsed.min(limit).as_millis() as u64, limit.as_millis() as u64)),
        (Phase::Methods(total) | Phase::Annealing(total) | Phase::Pruning(total), _) => {
            Some((state.done.min(total), total))
        }
        _ => None,
    }
}

/// `annealing, 1,000,000 of 20,000,000 moves, best chain 265 steps, 12 s left`
fn text(state: &State, limit: Option<Duration>, elapsed: Duration) -> String {
    let done = |total: u64, unit: &str| format!("{} of {}", grouped(state.done.min(total)), counted(total, unit));
    let what = match state.phase {
        Some(Phase::Exhaustive) => "exhaustive search".into(),
        Some(Phase::Methods(total)) => done(total, "method"),
        Some(Phase::Annealing(_)) if limit.is_some() => format!("annealing, {}", counted(state.done, "move")),
        Some(Phase::Annealing(total)) => format!("annealing, {}", done(total, "move")),
        Some(Phase::Pruning(total)) => format!("pruning, {}", done(total, "chain")),
        _ => "beginning".into(),
    };
    let best = state.best.map_or_else(String::new, |steps| format!(", best chain {}", counted(steps as u64, "step")));
    let time = match share(state, limit, elapsed) {
        // Methods and prunings differ too much in length.
        Some((done, total)) if matches!(state.phase, Some(Phase::Annealing(_))) => {
            let since = if limit.is_some() { elapsed } else { state.begun.elapsed() };
            progress::left(done, total, since.as_secs_f64()).map(|left| format!("{} left", time_text(left)))
        }
        _ => None,
    };
    let time = time.unwrap_or_else(|| format!("{} so far", time_text(elapsed.as_secs_f64())));
    format!("{what}{best}, {time}")
}

impl Progress for Shown {
    fn goes_on(&self, _: u64, best: usize) -> bool {
        // Before the first chain is known this is the largest number.
        let best = Some(best).filter(|&best| best < usize::MAX);
        self.change(false, |state| state.best = state.best.into_iter().chain(best).min());
        interrupt::asked().is_none()
    }

    fn begins(&self, phase: Phase) {
        self.change(true, |state| (state.phase, state.begun, state.done) = (Some(phase), Instant::now(), 0));
    }

    fn done(&self, units: u64) {
        self.change(false, |state| state.done += units);
    }
}

#[cfg(test)]
#[path = "../tests/inside/chain_progress.rs"]
mod tests;
