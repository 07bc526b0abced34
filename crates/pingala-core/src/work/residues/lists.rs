//! Operations on whole lists: element by element, and products of all.

use super::plan::{ElementWork, ResiduePlan};
use super::run::{ResidueRoom, SharedWork};
use super::{FIRST, MORE, ROOM, Residues, enter};
use crate::engine::execute::has_memory_for_results;
use crate::error::Error;
use crate::natural::{Integer, Natural, chores};
use crate::work::{Modulus, Options};
use std::sync::Arc;

/// Residues of a thread's memory: a result and an operand.
pub(super) const RESULT: usize = ROOM;
pub(super) const OPERAND: usize = 1;

/// The place of element `index` in a list, or in one of a single element, which all others meet.
fn place(length: usize, index: usize) -> usize {
    if length == 1 { 0 } else { index }
}

/// The length of a list of products. Error: `bad_argument` for lists of two lengths, neither of which is 1.
fn joint_length(a: usize, b: usize) -> Result<usize, Error> {
    match (a, b) {
        _ if a == b || b == 1 => Ok(a),
        (1, _) => Ok(b),
        _ => Err(Error::BadArgument(format!("lists of {a} and of {b} numbers"))),
    }
}

/// What a list of products does with its conversions, each of one number in and one out, for the price of an element.
pub(super) const IN_AND_OUT: f64 = 1.0;
const IN_ONLY: f64 = 0.5;

impl Modulus {
    /// `a[i] * b[i] mod m` for each i, in order. A list of one number stands for that number in each place.
    ///
    /// The kernel is chosen by price, or forced by the options; a plan line is refused. Long lists are computed on several threads. The watch
    /// receives the number of products done.
    ///
    /// Errors: `bad_argument`, for lists of two lengths, neither of which is 1; `bad_plan`, `interrupted`. Leaks: everything, by its timing.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::{Integer, Modulus, Options};
    /// let modulus = Modulus::new(1009u64.into())?;
    /// let (a, b) = ([2u64.into(), Integer::from(-3i64)], [Integer::from(600u64)]);
    /// assert_eq!(modulus.mul_list(&a, &b, &Options::default())?, [191u64.into(), 218u64.into()]);
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn mul_list(&self, a: &[Integer], b: &[Integer], options: &Options<'_>) -> Result<Vec<Natural>, Error> {
        let count = joint_length(a.len(), b.len())?;
        self.has_memory_for(count)?;
        let (m, modulus) = (self.value(), &*self.prepared);
        let signed = |product: Natural, negative| if negative { chores::negate(product, m) } else { product };
        // The operand of all products enters once.
        let (each, one) = if a.len() == 1 { (b, a) } else { (a, b) };
        if let ([one], true) = (one, count > 1) {
            let work = self.list_work(count, IN_AND_OUT, options, |room| enter(room, OPERAND, one, m))?;
            return work.numbers(|room, index| {
                let by = &each[index];
                signed(room.leave_times(modulus, OPERAND, by.magnitude(), RESULT), by.is_negative())
            });
        }
        self.list_work(count, IN_AND_OUT, options, |_| ())?.numbers(|room, index| {
            let (a, b) = (&each[index], &one[index]);
            room.enter(OPERAND, a.magnitude());
            let product = room.leave_times(modulus, OPERAND, b.magnitude(), RESULT);
            signed(product, a.is_negative() != b.is_negative())
        })
    }

    /// `values[i]^2 mod m` for each i, as [`Modulus::mul_list`]. Errors: `bad_plan`, `interrupted`.
    pub fn square_list(&self, values: &[Integer], options: &Options<'_>) -> Result<Vec<Natural>, Error> {
        self.has_memory_for(values.len())?;
        self.list_work(values.len(), IN_AND_OUT, options, |_| ())?.numbers(|room, index| {
            room.enter(OPERAND, values[index].magnitude());
            room.sqr_n(RESULT, OPERAND, 1);
            room.leave(&self.prepared, RESULT)
        })
    }

    /// The product of all values mod m; of no values it is 1 mod m. Errors: `bad_plan`, `interrupted`.
    ///
    /// ```
    /// # use pingala_core as pingala;
    /// use pingala::{Modulus, Options};
    /// let modulus = Modulus::new(1009u64.into())?;
    /// let values = [2u64.into(), 30u64.into(), 400u64.into()];
    /// assert_eq!(modulus.product(&values, &Options::default())?, 793u64.into());
    /// # Ok::<(), pingala::Error>(())
    /// ```
    pub fn product(&self, values: &[Integer], options: &Options<'_>) -> Result<Natural, Error> {
        let work = self.list_work(values.len(), IN_ONLY, options, |room| room.one(RESULT))?;
        let rooms = work.rooms(|room, index| {
            room.enter(OPERAND, values[index].magnitude());
            room.mul(RESULT, RESULT, OPERAND);
        })?;
        let product = self.joint_product(rooms)?;
        let negative = values.iter().filter(|value| value.is_negative()).count() % 2 == 1;
        Ok(if negative { chores::negate(product, self.value()) } else { product })
    }

    /// `values[0] * ... * values[i] mod m` for each i, on one thread, because each product waits for the one before. Errors: `bad_plan`,
    /// `interrupted`.
    pub fn running_product(&self, values: &[Integer], options: &Options<'_>) -> Result<Vec<Natural>, Error> {
        let options = &options.with_threads(core::num::NonZeroUsize::new(1));
        let m = self.value();
        self.has_memory_for(values.len())?;
        self.list_work(values.len(), IN_AND_OUT, options, |room| room.one(RESULT))?.numbers(|room, index| {
            enter(room, OPERAND, &values[index], m);
            room.mul(RESULT, RESULT, OPERAND);
            room.leave(&self.prepared, RESULT)
        })
    }

    /// Error: `bad_argument` if the system does not have the memory for so many results.
    fn has_memory_for(&self, count: usize) -> Result<(), Error> {
        has_memory_for_results(core::iter::repeat_n(self.value().bits(), count))
    }

    /// Work on `count` elements that meet one product each, in rooms that `prepare` prepares. Error: `bad_plan`.
    pub(super) fn list_work<'o>(
        &self,
        count: usize,
        conversions: f64,
        options: &'o Options<'_>,
        prepare: impl Fn(&mut ResidueRoom),
    ) -> Result<SharedWork<'o>, Error> {
        let plan: ResiduePlan = self.residue_plan(options, ElementWork::of_one_product(count, conversions))?;
        let shares = plan.shares(count, options.thread_budget());
        let first = ResidueRoom::new(&self.prepared, &plan.forms, MORE)?;
        SharedWork::new(count, shares, options.watch(), || {
            let mut room = first.alike(MORE)?;
            prepare(&mut room);
            Ok(room)
        })
    }

    /// The product of what threads have left, 1 if there was none. Errors: those of rings.
    fn joint_product(&self, rooms: Vec<ResidueRoom>) -> Result<Natural, Error> {
        let mut rooms = rooms.into_iter();
        let Some(mut all) = rooms.next() else {
            return Ok(chores::rem(&Natural::from(1u64), self.value()));
        };
        for room in rooms {
            all.bring(OPERAND, &room, RESULT);
            all.mul(RESULT, RESULT, OPERAND);
        }
        Ok(all.leave(&self.prepared, RESULT))
    }
}

impl Residues {
    /// All residues as numbers, each at least 0 and below m. Errors: `interrupted`; `bad_plan`, if the system does not have the memory, as for every operation
    /// on lists.
    pub fn to_naturals(&self, options: &Options<'_>) -> Result<Vec<Natural>, Error> {
        self.work(self.length, options)?.numbers(|room, index| {
            room.bring(RESULT, &self.room, FIRST + index);
            room.leave(self.prepared(), RESULT)
        })
    }

    /// The residues of these indices, in this order. Error: `bad_argument`, for an index beyond the end.
    pub fn select(&self, indices: &[usize]) -> Result<Residues, Error> {
        let mut selected = self.alike(indices.len())?;
        for (place, &index) in indices.iter().enumerate() {
            selected.room.bring(FIRST + place, &self.room, self.at(index)?);
        }
        Ok(selected)
    }

    /// The products of residues in the same place of two lists, in the form of this list. A list of one residue stands for it in each
    /// place. Long lists are computed on several threads.
    ///
    /// Errors: `bad_argument`, for another modulus, and for lists of two lengths, neither of which is 1; `interrupted`.
    pub fn mul(&self, other: &Residues, options: &Options<'_>) -> Result<Residues, Error> {
        self.check_modulus(other)?;
        let count = joint_length(self.length, other.length)?;
        let own;
        let other = if self.room.is_like(&other.room) {
            other
        } else {
            own = self.converted(other, options)?;
            &own
        };
        self.each(count, options, |room, index| {
            room.bring(RESULT, &self.room, FIRST + place(self.length, index));
            room.bring(OPERAND, &other.room, FIRST + place(other.length, index));
            room.mul(RESULT, RESULT, OPERAND);
        })
    }

    /// The squares of all residues. Error: `interrupted`.
    pub fn square(&self, options: &Options<'_>) -> Result<Residues, Error> {
        self.each(self.length, options, |room, index| {
            room.bring(OPERAND, &self.room, FIRST + index);
            room.sqr_n(RESULT, OPERAND, 1);
        })
    }

    /// The product of all residues; of none it is 1 mod m. Error: `interrupted`.
    pub fn product(&self, options: &Options<'_>) -> Result<Natural, Error> {
        let shares = self.plan.shares(self.length, options.thread_budget());
        let work = SharedWork::new(self.length, shares, options.watch(), || {
            let mut room = self.room.alike(MORE)?;
            room.one(RESULT);
            Ok(room)
        })?;
        let rooms = work.rooms(|room, index| {
            room.bring(OPERAND, &self.room, FIRST + index);
            room.mul(RESULT, RESULT, OPERAND);
        })?;
        self.modulus.joint_product(rooms)
    }

    /// The product of the residues up to each place, on one thread. Error: `interrupted`.
    pub fn running_product(&self, options: &Options<'_>) -> Result<Residues, Error> {
        let options = &options.with_threads(core::num::NonZeroUsize::new(1));
        let work = self.work(self.length, options)?;
        let mut products = self.alike(self.length)?;
        let work_on = |room: &mut ResidueRoom, index: usize| {
            room.bring(OPERAND, &self.room, FIRST + index);
            match index {
                0 => room.copy(RESULT, OPERAND),
                _ => room.mul(RESULT, RESULT, OPERAND),
            }
        };
        work.residues(&mut products.room, FIRST, work_on)?;
        Ok(products)
    }

    /// A list of `count` residues that are not set yet.
    fn alike(&self, count: usize) -> Result<Residues, Error> {
        let room = self.room.alike(FIRST + count)?;
        Ok(Residues { modulus: self.modulus.clone(), room, plan: Arc::clone(&self.plan), length: count })
    }

    /// A list of `count` residues, each computed as residue 0 of a thread's room.
    fn each(
        &self,
        count: usize,
        options: &Options<'_>,
        residue: impl Fn(&mut ResidueRoom, usize) + Sync,
    ) -> Result<Residues, Error> {
        let mut residues = self.alike(count)?;
        self.work(count, options)?.residues(&mut residues.room, FIRST, residue)?;
        Ok(residues)
    }

    /// Another list of the same modulus in the form of this one.
    fn converted(&self, other: &Residues, options: &Options<'_>) -> Result<Residues, Error> {
        let numbers = other.to_naturals(&options.with_watch(None))?;
        self.each(other.length, options, |room, index| room.enter(RESULT, &numbers[index]))
    }
}
