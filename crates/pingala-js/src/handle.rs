//! Objects that JavaScript holds as numbers, until it closes them or collects them.

#[cfg(feature = "all-operations")]
use pingala_core::FixedBase;
use pingala_core::{Error, Modulus};
#[cfg(feature = "all-operations")]
use pingala_verify::PublicKey;
use std::collections::HashMap;
#[cfg(feature = "all-operations")]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An object. Clones share it.
#[derive(Clone, Debug)]
pub(crate) enum Handle {
    Modulus(Modulus),
    #[cfg(feature = "all-operations")]
    FixedBase(FixedBase),
    #[cfg(feature = "all-operations")]
    Key(Arc<PublicKey>),
}

/// The objects that are alive with their owners, by number. Numbers are not used again.
#[derive(Debug, Default)]
struct Table {
    alive: HashMap<u32, (usize, Handle)>,
    last: u32,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

fn table() -> MutexGuard<'static, Option<Table>> {
    // No code panics while it has the lock.
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives an object its number. Its owner is the environment of Node that it ends with.
pub(crate) fn keep(handle: Handle, owner: usize) -> Result<u32, Error> {
    let mut table = table();
    let table = table.get_or_insert_default();
    let Some(next) = table.last.checked_add(1) else {
        return Err(Error::BadArgument("2^32 objects have been made; start the program again".into()));
    };
    table.last = next;
    table.alive.insert(next, (owner, handle));
    Ok(next)
}

/// The object of a number; none for 0. Error: `bad_argument` for one that was closed.
pub(crate) fn find(number: u32) -> Result<Option<Handle>, Error> {
    if number == 0 {
        return Ok(None);
    }
    let found = table().as_ref().and_then(|table| table.alive.get(&number).map(|(_, handle)| handle.clone()));
    found.map(Some).ok_or_else(|| Error::BadArgument("the object was closed".into()))
}

/// Lets go of an object. Calls that use it keep it until they end.
pub(crate) fn close(number: u32) {
    let gone = table().as_mut().and_then(|table| table.alive.remove(&number));
    // Dropped without the lock: a table may be large.
    drop(gone);
}

/// Lets go of all objects of an owner.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn close_all(owner: usize) {
    let gone: Vec<_> =
        table().as_mut().map(|table| table.alive.extract_if(|_, (its, _)| *its == owner).collect()).unwrap_or_default();
    drop(gone);
}
