//! The caller's memory. Making one of these types is unsafe: the caller of the ABI vouches for pointer and length. Using it is safe.
//!
//! Results may overlap operands. So no reference to the caller's memory outlives a method: operands are copied into numbers before
//! a result is written.

use crate::length::{Cap, admit, check_secret_row, has_room};
use crate::options::PingalaOptions;
use crate::status::{self, bad_argument};
pub(crate) use crate::unit::Unit;
use crate::width::MadeFrom;
use core::ffi::{CStr, c_char};
use core::mem::MaybeUninit;
use pingala_core::{Error, Integer, Natural};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Memory that is read: `length` units, or rows of `width` units.
#[derive(Clone, Copy)]
pub(crate) struct In<U> {
    at: *const U,
    length: usize,
    name: &'static str,
}

impl<U: Copy> In<U> {
    /// # Safety
    ///
    /// Until the call returns, `at` is NULL or has `length` units that can be read.
    #[inline]
    pub(crate) unsafe fn new(at: *const U, length: usize, name: &'static str) -> Self {
        Self { at, length, name }
    }

    /// The units. NULL is good for none.
    #[inline]
    pub(crate) fn units(&self) -> Result<&[U], Error> {
        if self.length == 0 {
            return Ok(&[]);
        }
        check(self.at, self.length, self.name)?;
        // SAFETY: neither NULL nor longer than memory can be, which was just checked; the rest is the contract of `new`.
        Ok(unsafe { core::slice::from_raw_parts(self.at, self.length) })
    }

    /// Error: `bad_argument` for more units than memory can hold; NULL is good.
    pub(crate) fn check_length(&self) -> Result<(), Error> {
        check(core::ptr::NonNull::<U>::dangling().as_ptr(), self.length, self.name)
    }

    /// Whether the caller gave NULL.
    pub(crate) fn is_null(&self) -> bool {
        self.at.is_null()
    }
}

// What is not for short calls is one function each, not a copy in every call.
impl<U: Unit> In<U> {
    /// The number. Error: `too_long` above the cap, before it is copied.
    #[inline(never)]
    pub(crate) fn natural(&self, cap: Cap) -> Result<Natural, Error> {
        let units = self.units()?;
        admit(units, || cap)?;
        Ok(U::natural(units))
    }

    /// The number for a handle, and whether it had leading zeros.
    pub(crate) fn modulus(&self, options: Option<&PingalaOptions>) -> Result<(Natural, MadeFrom), Error> {
        let value = self.natural(Cap::modulus(options))?;
        let padded = self.length > U::width(&value);
        Ok((value, MadeFrom(if padded { self.length.saturating_mul(size_of::<U>()) } else { 0 })))
    }

    pub(crate) fn integer(&self, negative: bool, cap: Cap) -> Result<Integer, Error> {
        Ok(Integer::new(negative, self.natural(cap)?))
    }

    /// All units as bytes, for secrets. Error: as [`check_secret_row`].
    pub(crate) fn secret_bytes(&self, cap: Cap) -> Result<Zeroizing<Vec<u8>>, Error> {
        let units = self.units()?;
        check_secret_row::<U>(units.len(), cap)?;
        has_room(size_of_val(units))?;
        Ok(Zeroizing::new(U::to_be_bytes(units)))
    }
}

/// Rows of numbers of one width, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Rows<U> {
    at: *const U,
    width: usize,
    count: usize,
    name: &'static str,
}

impl<U: Unit> Rows<U> {
    /// # Safety
    ///
    /// Until the call returns, `at` is NULL or has `count` rows of `width` units that can be read.
    pub(crate) unsafe fn new(at: *const U, width: usize, count: usize, name: &'static str) -> Self {
        Self { at, width, count, name }
    }

    /// The rows. Error: `bad_argument` for rows of no unit, for NULL, and for more than memory holds.
    #[inline(never)]
    pub(crate) fn each(&self) -> Result<core::slice::ChunksExact<'_, U>, Error> {
        check_rows(self.width, self.count, self.name)?;
        let length = self.width * self.count;
        if length == 0 {
            return Ok([].chunks_exact(1));
        }
        check(self.at, length, self.name)?;
        // SAFETY: neither NULL nor longer than memory can be, which was just checked; the rest is the contract of `new`.
        Ok(unsafe { core::slice::from_raw_parts(self.at, length) }.chunks_exact(self.width))
    }

    /// Error: as [`check_secret_row`]; `bad_argument` if there is no memory for the rows.
    pub(crate) fn check_secrets(&self, cap: Cap) -> Result<(), Error> {
        check_rows(self.width, self.count, self.name)?;
        check_secret_row::<U>(self.width, cap)?;
        has_room((self.width * self.count).saturating_mul(size_of::<U>()))
    }

    /// The rows as integers; an element with the sign `flag` is negative.
    pub(crate) fn integers(&self, signs: &Signs<'_>, flag: u32) -> Result<Vec<Integer>, Error> {
        self.capped(signs, flag, Cap::NONE)?.all()
    }

    /// The rows as integers. A row above the cap is not copied: it is an error of its element.
    #[inline(never)]
    pub(crate) fn capped(&self, signs: &Signs<'_>, flag: u32, cap: Cap) -> Result<Capped, Error> {
        let rows = self.each()?;
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(rows.len()).map_err(|_| bad_argument("there is no memory for the list"))?;
        let mut too_long = Vec::new();
        for (row, units) in rows.enumerate() {
            match admit(units, || cap) {
                Ok(()) => numbers.push(Integer::new(signs.has(row, flag), U::natural(units))),
                Err(error) => {
                    numbers.push(Integer::default());
                    too_long.push((row, error));
                }
            }
        }
        Ok(Capped { numbers, too_long })
    }
}

/// Numbers of a list, 0 in the place of each that is too long.
pub(crate) struct Capped {
    pub(crate) numbers: Vec<Integer>,
    pub(crate) too_long: Vec<(usize, Error)>,
}

impl Capped {
    /// All of them. Error: `too_long` for the first that is, with its place.
    pub(crate) fn all(self) -> Result<Vec<Integer>, Error> {
        match self.too_long.into_iter().next() {
            Some((index, error)) => Err(Error::At { index, error: Box::new(error) }),
            None => Ok(self.numbers),
        }
    }
}

/// Memory that a result goes to.
#[derive(Clone, Copy)]
pub(crate) struct Out<U> {
    at: *mut U,
    length: usize,
}

impl<U: Copy> Out<U> {
    /// # Safety
    ///
    /// Until the call returns, `at` is NULL or has `length` units that can be written, and no other code uses them.
    #[inline]
    pub(crate) unsafe fn new(at: *mut U, length: usize) -> Self {
        Self { at, length }
    }

    /// Lets `write` write the units. Error: `bad_argument` for NULL.
    #[inline]
    pub(crate) fn fill(&self, write: impl FnOnce(&mut [MaybeUninit<U>])) -> Result<(), Error> {
        if self.length > 0 {
            check(self.at, self.length, "out")?;
            // SAFETY: neither NULL nor longer than memory can be, which was just checked; the rest is the contract of `new`. No
            // other reference to the caller's memory is alive.
            write(unsafe { core::slice::from_raw_parts_mut(self.at.cast(), self.length) });
        }
        Ok(())
    }

    /// Whether it has no unit.
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Unit or row `index`, one of those that were checked.
    fn at(&self, index: usize, width: usize) -> Self {
        Self { at: self.at.wrapping_add(index * width), length: width }
    }
}

impl<U: Unit> Out<U> {
    /// Error: `bad_argument` unless a result below `modulus` fits.
    #[inline]
    pub(crate) fn check(&self, modulus: &Natural) -> Result<(), Error> {
        self.holds(U::width(modulus))
    }

    /// Error: `bad_argument` unless there are `width` units.
    #[inline]
    pub(crate) fn holds(&self, width: usize) -> Result<(), Error> {
        if self.length < width {
            return Err(self.too_short(width));
        }
        if self.length > 0 { check(self.at, self.length, "out") } else { Ok(()) }
    }

    #[cold]
    fn too_short(&self, width: usize) -> Error {
        let has = if self.at.is_null() { "is NULL".into() } else { format!("has {} {}", self.length, U::NAME) };
        bad_argument(format!("out {has}; the result takes {width} {}", U::NAME))
    }

    /// Writes a number, with zeros on top. Error: `bad_argument` unless it fits.
    #[inline]
    pub(crate) fn write(&self, number: &Natural) -> Result<(), Error> {
        self.check(number)?;
        self.fill(|out| U::write(number, out))
    }
}

/// The caller's memory for the answers of a list: a row and a status for each element.
pub(crate) struct Answers<U> {
    rows: Out<U>,
    width: usize,
    /// Zero long if the caller wants none.
    statuses: Out<i32>,
    count: usize,
    why: Text,
}

impl<U: Unit> Answers<U> {
    /// # Safety
    ///
    /// Until the call returns, `rows` is NULL or has `count` rows of `width` units, and `statuses` is NULL or has `count` statuses;
    /// they can be written, and no other code uses them.
    pub(crate) unsafe fn new(rows: *mut U, width: usize, statuses: *mut i32, count: usize, why: Text) -> Self {
        let rows = Out { at: rows, length: width.saturating_mul(count) };
        Self {
            rows,
            width,
            statuses: Out { at: statuses, length: if statuses.is_null() { 0 } else { count } },
            count,
            why,
        }
    }

    /// Error: `bad_argument` unless results below the modulus fit.
    #[inline(never)]
    pub(crate) fn check(&self, modulus: &Natural) -> Result<(), Error> {
        if self.count == 0 {
            return Ok(());
        }
        check_rows(self.width, self.count, "out")?;
        check(self.rows.at, self.rows.length, "out")?;
        if self.statuses.length > 0 {
            check(self.statuses.at, self.count, "status")?;
        }
        self.rows.at(0, self.width).check(modulus)
    }

    /// Writes each answer with its status; zeros for an error. The message is that of the first error, which is the error of the call
    /// if the caller takes no statuses.
    #[inline(never)]
    pub(crate) fn write(&self, answers: Vec<Result<Natural, Error>>) -> Result<(), Error> {
        self.write_but(answers, Vec::new())
    }

    /// Writes answers, of which some elements have errors that the library did not see.
    pub(crate) fn write_but(
        &self,
        mut answers: Vec<Result<Natural, Error>>,
        errors: Vec<(usize, Error)>,
    ) -> Result<(), Error> {
        for (index, error) in errors {
            *answers.get_mut(index).ok_or(Error::Fault("an error without its element"))? = Err(error);
        }
        let mut first = None;
        for (index, answer) in answers.into_iter().enumerate() {
            let (number, error) = match answer {
                Ok(number) => (number, None),
                Err(error) => (Natural::default(), Some(error)),
            };
            self.rows.at(index, self.width).write(&number)?;
            self.settle(index, error, &mut first)?;
        }
        self.tell(first)
    }

    /// Writes secrets: rows of big-endian bytes, of which the failed ones are zeros, and the errors in the order of the rows.
    pub(crate) fn write_bytes<'a>(
        &self,
        rows: impl Iterator<Item = &'a [u8]>,
        failed: Vec<(usize, Error)>,
    ) -> Result<(), Error> {
        let (mut first, mut failed) = (None, failed.into_iter().peekable());
        for (index, bytes) in rows.enumerate() {
            self.rows.at(index, self.width).fill(|out| U::of_be_bytes(bytes, out))?;
            let error = failed.next_if(|(row, _)| *row == index).map(|(_, error)| error);
            self.settle(index, error, &mut first)?;
        }
        self.tell(first)
    }

    /// Writes the status of an element and keeps the first error.
    fn settle(&self, index: usize, error: Option<Error>, first: &mut Option<Error>) -> Result<(), Error> {
        let status = error.as_ref().map_or(0, status::number);
        if let Some(error) = error {
            first.get_or_insert(Error::At { index, error: Box::new(error) });
        }
        if self.statuses.length > 0 {
            self.statuses.at(index, 1).fill(|out| _ = out[0].write(status))?;
        }
        Ok(())
    }

    fn tell(&self, first: Option<Error>) -> Result<(), Error> {
        let Some(error) = first else { return Ok(()) };
        if self.statuses.length == 0 {
            return Err(error);
        }
        self.why.write(&error.to_string());
        Ok(())
    }
}

/// The caller's memory for a message or another text, which is cut to fit and ends with a zero byte.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    at: *mut c_char,
    length: usize,
}

impl Text {
    /// # Safety
    ///
    /// Until the call returns, `at` is NULL or has `length` bytes that can be written, and no other code uses them.
    #[inline]
    pub(crate) unsafe fn new(at: *mut c_char, length: usize) -> Self {
        Self { at, length: if at.is_null() { 0 } else { length } }
    }

    /// For a call without a message.
    pub(crate) fn none() -> Self {
        Self { at: core::ptr::null_mut(), length: 0 }
    }

    /// The empty text.
    #[inline]
    pub(crate) fn clear(&self) {
        if self.length > 0 {
            // SAFETY: there is a byte, by the contract of `new`.
            unsafe { self.at.write(0) };
        }
    }

    /// Whether all of a text fits, with its zero byte.
    pub(crate) fn has_room(&self, text: &str) -> bool {
        text.len() < self.length
    }

    pub(crate) fn write(&self, text: &str) {
        let Some(room) = self.length.checked_sub(1) else { return };
        // Not in the middle of a character.
        let kept = &text.as_bytes()[..text.floor_char_boundary(room)];
        // SAFETY: `at` is good for `length` bytes, and `kept` is shorter; a text of ours does not overlap the memory of the caller.
        unsafe {
            self.at.cast::<u8>().copy_from_nonoverlapping(kept.as_ptr(), kept.len());
            self.at.add(kept.len()).write(0);
        }
    }
}

/// A text of the caller.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a>(Option<&'a CStr>);

impl<'a> Name<'a> {
    /// # Safety
    ///
    /// During `'a`, `at` is NULL or a text with a zero byte at its end, which does not change.
    pub(crate) unsafe fn new(at: *const c_char) -> Self {
        // SAFETY: the same contract.
        Self((!at.is_null()).then(|| unsafe { CStr::from_ptr(at) }))
    }

    /// The text, unless it is NULL. Error: `bad_argument` unless it is UTF-8.
    pub(crate) fn text(&self) -> Result<Option<&'a str>, Error> {
        let text = self.0.map(CStr::to_str).transpose();
        text.map_err(|_| bad_argument("a text is not UTF-8"))
    }

    /// The path, unless it is NULL: any bytes where paths are bytes, otherwise UTF-8.
    pub(crate) fn path(&self) -> Result<Option<PathBuf>, Error> {
        #[cfg(unix)]
        return Ok(self.0.map(|path| {
            use std::os::unix::ffi::OsStrExt;
            std::ffi::OsStr::from_bytes(path.to_bytes()).into()
        }));
        #[cfg(not(unix))]
        return Ok(self.text()?.map(PathBuf::from));
    }

    /// The path. Error: `bad_argument` for NULL.
    pub(crate) fn given_path(&self) -> Result<PathBuf, Error> {
        self.path()?.ok_or_else(|| null("path"))
    }
}

/// The place of a new handle.
pub(crate) type Place<'a, T> = Option<&'a mut MaybeUninit<*mut T>>;

/// Gives a new handle to the caller. Error: `bad_argument` for NULL, before anything is made.
pub(crate) fn hand_out<T>(out: Place<'_, T>, make: impl FnOnce() -> Result<T, Error>) -> Result<(), Error> {
    let out = out.ok_or_else(|| bad_argument("there is no place for the handle: NULL"))?;
    out.write(core::ptr::null_mut());
    out.write(Box::into_raw(Box::new(make()?)));
    Ok(())
}

/// Frees a handle; NULL is fine.
///
/// # Safety
///
/// `handle` is NULL or comes from [`hand_out`], and no code uses it any more.
pub(crate) unsafe fn take_back<T>(handle: *mut T) {
    status::enter(Text::none(), || {
        if !handle.is_null() {
            // SAFETY: the same contract.
            drop(unsafe { Box::from_raw(handle) });
        }
        Ok(())
    });
}

/// The handle. Error: `bad_argument` for NULL.
#[inline]
pub(crate) fn given<'a, T>(handle: Option<&'a T>, name: &str) -> Result<&'a T, Error> {
    handle.ok_or_else(|| null(name))
}

/// Error: `bad_argument` for a flag that is none, or none here.
#[inline]
pub(crate) fn check_signs(signs: u32, allowed: u32) -> Result<(), Error> {
    if signs & !allowed != 0 {
        return Err(bad_argument(format!("signs are {signs}; here the flags {allowed} are allowed")));
    }
    Ok(())
}

/// The signs of the elements of a list: none, or one byte each.
pub(crate) struct Signs<'a>(&'a [u8]);

impl<'a> Signs<'a> {
    /// Error: `bad_argument` for an unknown flag.
    #[inline(never)]
    pub(crate) fn of(signs: &'a In<u8>, allowed: u32) -> Result<Self, Error> {
        let signs = if signs.is_null() { &[] } else { signs.units()? };
        signs.iter().try_for_each(|&signs| check_signs(signs.into(), allowed))?;
        Ok(Self(signs))
    }

    /// No element has a sign.
    pub(crate) fn none() -> Self {
        Self(&[])
    }

    fn has(&self, index: usize, flag: u32) -> bool {
        self.0.get(index).is_some_and(|&signs| u32::from(signs) & flag != 0)
    }
}

#[cold]
fn null(name: &str) -> Error {
    bad_argument(format!("{name} is NULL"))
}

#[cold]
fn misplaced(name: &str) -> Error {
    bad_argument(format!("{name} is not aligned, or longer than memory"))
}

/// Error: `bad_argument` for memory that cannot be: NULL, not aligned, longer than an address space.
#[inline]
fn check<T>(at: *const T, length: usize, name: &str) -> Result<(), Error> {
    if at.is_null() {
        return Err(null(name));
    }
    if !at.is_aligned() || length > isize::MAX as usize / size_of::<T>() {
        return Err(misplaced(name));
    }
    Ok(())
}

/// Error: `bad_argument` for rows that take no memory, or more than there is.
fn check_rows(width: usize, count: usize, name: &str) -> Result<(), Error> {
    if count > 0 && width == 0 || width.checked_mul(count).is_none() {
        return Err(bad_argument(format!("{name}: {count} rows of {width} units")));
    }
    Ok(())
}
