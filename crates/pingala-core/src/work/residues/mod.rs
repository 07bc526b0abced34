//! Lists of residues that stay in their kernel's form from operation to operation.

mod lists;
mod plan;
pub(crate) mod rows;
mod run;

use crate::engine::execute::Prepared;
use crate::error::Error;
use crate::natural::{Integer, Natural, chores};
use crate::work::{Modulus, Options};
use core::fmt;
use plan::{ElementWork, ResiduePlan};
pub use rows::{mulmod_rows, mulmod_words};
use run::{ResidueRoom, SharedWork};
use std::sync::Arc;

/// Residues modulo one number, in the form of the kernel whose products are the fastest, so that a chain of operations converts each
/// number once.
///
/// Any modulus is allowed. A list is not shared between threads while it changes; several lists may share a [`Modulus`].
/// Operations in place allocate nothing, except that a list grows.
///
/// ```
/// # use pingala_core as pingala;
/// use pingala::{Modulus, Options};
/// let modulus = Modulus::new(1_000_003u64.into())?;
/// let mut residues = modulus.residues(&[2u64.into(), (-3i64).into()], &Options::default())?;
/// residues.square_n(0, 5)?;
/// residues.mul_own(0, 1)?;
/// assert_eq!(residues.get(0)?, 136_767u64.into());
/// # Ok::<(), pingala::Error>(())
/// ```
pub struct Residues {
    modulus: Modulus,
    /// Residue 0 is room for an operand; the list follows.
    room: ResidueRoom,
    plan: Arc<ResiduePlan>,
    length: usize,
}

/// The place of an operand from another list.
const ROOM: usize = 0;
/// Residues of a thread's memory: a result and an operand.
const MORE: usize = 2;
/// The first residue of the list.
const FIRST: usize = 1;

impl fmt::Debug for Residues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<Residues: {} modulo a number of {} bits>", self.length, self.modulus.value().bits())
    }
}

impl Residues {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The modulus.
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// Bytes of memory that each residue takes; 0 modulo 1.
    pub fn bytes_each(&self) -> usize {
        self.room.bytes_each()
    }

    /// Expected nanoseconds of a product of two of them.
    // Not promised: for crates of ours that plan with residues.
    #[doc(hidden)]
    pub fn nanoseconds_each(&self) -> f64 {
        self.plan.nanoseconds
    }

    /// Residue `index` as a number, at least 0 and below m. Error: `bad_argument`, for an index beyond the end.
    pub fn get(&self, index: usize) -> Result<Natural, Error> {
        let at = self.at(index)?;
        let mut room = self.room.alike(FIRST)?;
        room.bring(ROOM, &self.room, at);
        Ok(room.leave(self.prepared(), ROOM))
    }

    /// Adds `value` mod m at the end. Error: `bad_plan`, if the system does not have the memory.
    pub fn push(&mut self, value: &Integer) -> Result<(), Error> {
        let at = self.grow()?;
        enter(&mut self.room, at, value, self.modulus.value());
        Ok(())
    }

    /// Adds residue `index` of another list at the end.
    ///
    /// Errors: `bad_argument`, for another modulus or an index beyond the end; `bad_plan`, if the system does not have the memory.
    pub fn push_from(&mut self, other: &Residues, index: usize) -> Result<(), Error> {
        let from = self.at_of(other, index)?;
        let at = self.grow()?;
        self.bring(at, other, from)
    }

    /// Takes memory for `more` residues that are added later. Error: `bad_plan`, if the system does not have the memory.
    pub fn reserve(&mut self, more: usize) -> Result<(), Error> {
        self.room.reserve(FIRST + self.length, more)
    }

    /// Removes the residues from `length` on; their memory is kept.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Sets residue `index` to `value` mod m. Error: `bad_argument`, for an index beyond the end.
    pub fn set(&mut self, index: usize, value: &Integer) -> Result<(), Error> {
        let at = self.at(index)?;
        enter(&mut self.room, at, value, self.modulus.value());
        Ok(())
    }

    /// Sets residue `index` to 1 mod m. Error: `bad_argument`, for an index beyond the end.
    pub fn set_one(&mut self, index: usize) -> Result<(), Error> {
        let at = self.at(index)?;
        self.room.one(at);
        Ok(())
    }

    /// Copies residue `from` to residue `to`. Error: `bad_argument`, for an index beyond the end.
    pub fn copy(&mut self, from: usize, to: usize) -> Result<(), Error> {
        let (from, to) = (self.at(from)?, self.at(to)?);
        self.room.copy(to, from);
        Ok(())
    }

    /// Squares residue `index` `count` times. Nothing stops it: a caller that may want to stop long work splits the count.
    ///
    /// Error: `bad_argument`, for an index beyond the end.
    pub fn square_n(&mut self, index: usize, count: usize) -> Result<(), Error> {
        let at = self.at(index)?;
        if count > 0 {
            self.room.sqr_n(at, at, count);
        }
        Ok(())
    }

    /// Multiplies residue `index` by residue `own_index` of the same list. Error: `bad_argument`, for an index beyond the end.
    pub fn mul_own(&mut self, index: usize, own_index: usize) -> Result<(), Error> {
        let (at, by) = (self.at(index)?, self.at(own_index)?);
        if at == by {
            self.room.sqr_n(at, at, 1)
        } else {
            self.room.mul(at, at, by)
        }
        Ok(())
    }

    /// Multiplies residue `index` by residue `other_index` of another list. Errors: `bad_argument`, for another modulus or an index beyond
    /// the end.
    pub fn mul_assign(&mut self, index: usize, other: &Residues, other_index: usize) -> Result<(), Error> {
        let (at, by) = (self.at(index)?, self.at_of(other, other_index)?);
        self.bring(ROOM, other, by)?;
        self.room.mul(at, at, ROOM);
        Ok(())
    }

    /// Starts to load residue `index` into the caches next to the core, for a product that follows soon. An index beyond the end does
    /// nothing.
    // Not promised: for crates of ours that know which residue comes next.
    #[doc(hidden)]
    pub fn prefetch(&self, index: usize) {
        if index < self.length {
            self.room.prefetch(FIRST + index);
        }
    }

    fn prepared(&self) -> &Prepared<'static> {
        &self.modulus.prepared
    }

    /// The place of residue `index`. Error: `bad_argument`.
    fn at(&self, index: usize) -> Result<usize, Error> {
        if index < self.length {
            Ok(FIRST + index)
        } else {
            Err(Error::BadArgument(format!("no residue {index} in a list of {}", self.length)))
        }
    }

    /// The place of residue `index` of another list of the same modulus. Error: `bad_argument`.
    fn at_of(&self, other: &Residues, index: usize) -> Result<usize, Error> {
        self.check_modulus(other)?;
        other.at(index)
    }

    /// Error: `bad_argument`, for a list of another modulus.
    fn check_modulus(&self, other: &Residues) -> Result<(), Error> {
        let same = Arc::ptr_eq(&self.modulus.prepared, &other.modulus.prepared);
        if same || self.modulus.value() == other.modulus.value() {
            Ok(())
        } else {
            Err(Error::BadArgument("residues of two moduli".into()))
        }
    }

    /// Work on `count` elements of lists like this one. Error: `bad_plan`, if the system does not have the memory.
    fn work<'o>(&self, count: usize, options: &'o Options<'_>) -> Result<SharedWork<'o>, Error> {
        let shares = self.plan.shares(count, options.thread_budget());
        SharedWork::new(count, shares, options.watch(), || self.room.alike(MORE))
    }

    /// Adds a residue that is not set yet; gives its place.
    fn grow(&mut self) -> Result<usize, Error> {
        let at = FIRST + self.length;
        self.room.grow(at)?;
        self.length += 1;
        Ok(at)
    }

    /// Copies the residue at `from` of another list of the same modulus, perhaps on another kernel.
    fn bring(&mut self, at: usize, other: &Residues, from: usize) -> Result<(), Error> {
        if self.room.is_like(&other.room) {
            self.room.bring(at, &other.room, from);
        } else {
            let value = other.get(from - FIRST)?;
            self.room.enter(at, &value);
        }
        Ok(())
    }
}

/// Enters `value` mod m.
fn enter(room: &mut ResidueRoom, at: usize, value: &Integer, m: &Natural) {
    if value.is_negative() {
        room.enter(at, &chores::reduce(value, m));
    } else {
        room.enter(at, value.magnitude());
    }
}

impl Modulus {
    /// The residues of these values, in the form of the kernel whose products are the fastest, or of the one that the options force.
    ///
    /// Errors: `bad_plan`, for a forced kernel that does not fit, for a plan line, or if the system does not have the memory; `interrupted`.
    pub fn residues(&self, values: &[Integer], options: &Options<'_>) -> Result<Residues, Error> {
        let plan = Arc::new(self.residue_plan(options, ElementWork::KEPT)?);
        let room = ResidueRoom::new(&self.prepared, &plan.forms, FIRST + values.len())?;
        let mut residues = Residues { modulus: self.clone(), room, plan, length: values.len() };
        let work = residues.work(values.len(), options)?;
        work.residues(&mut residues.room, FIRST, |room, index| enter(room, ROOM, &values[index], self.value()))?;
        Ok(residues)
    }

    /// The plan of a list. Error: `bad_plan`; a line of the environment is for powers, and changes nothing here.
    fn residue_plan(&self, options: &Options<'_>, work: ElementWork) -> Result<ResiduePlan, Error> {
        refuse_plan(options)?;
        let facts = self.prepared.facts();
        ResiduePlan::new((facts.bits(), facts.trailing_zeros()), options.resolved()?.kernel, work)
    }
}

/// Error: `bad_plan`, for a plan line.
fn refuse_plan(options: &Options<'_>) -> Result<(), Error> {
    match options.plan {
        Some(_) => Err(Error::BadPlan("products have no plan line; a kernel can be forced".into())),
        None => Ok(()),
    }
}
