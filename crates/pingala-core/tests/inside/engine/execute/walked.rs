//! Records of what execution walks of a plan, for the tests that compare them with printed trees.

use super::Watch;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// How many elements each leaf had.
pub(crate) type Walked = BTreeMap<String, usize>;

/// By the address of the watch, for those that are recorded.
static RECORDS: Mutex<BTreeMap<usize, Walked>> = Mutex::new(BTreeMap::new());

pub(super) fn record(watch: Option<&dyn Watch>, elements: usize, what: &dyn core::fmt::Display) {
    let Some(watch) = watch else { return };
    let mut records = RECORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(record) = records.get_mut(&watch.recorder()) {
        *record.entry(what.to_string()).or_default() += elements;
    }
}

/// What `work` walks under this watch, which has a size.
pub(crate) fn during<T>(watch: &dyn Watch, work: impl FnOnce() -> T) -> (T, Walked) {
    assert!(size_of_val(watch) > 0, "its address must be its own");
    RECORDS.lock().unwrap().insert(watch.recorder(), Walked::new());
    let done = work();
    (done, RECORDS.lock().unwrap().remove(&watch.recorder()).unwrap())
}
