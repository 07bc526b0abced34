//! The module for WebAssembly: a call is a message in its memory, and so is the answer. `js/src/message.js` writes and reads them.
//!
//! All integers are little-endian, u32 unless something else is said. A call:
//!
//! ```text
//! operation, handle (0 for none), 1 for numbers as bytes in the answer
//! settings             count, then each as f64
//! texts                count; for each its length, then UTF-8
//! lists of numbers     count; for each list its count; for each number 4 length + 2 big-endian + 1 negative, then its bytes
//! bytes                count; for each its length, then the bytes
//! ```
//!
//! An answer starts with its kind:
//!
//! ```text
//! 0  error             index in a list + 1 or 0, length of the code, length of the message, code, message
//! 1  number            length, bytes
//! 2  numbers           count; for each 2 length + 1 if it is an error, then the bytes of a number, or the code, a zero and the message
//! 3  handle            number
//! 4  text              length, text
//! 5  bytes             length, bytes
//! 6  several bytes     count; for each its length, then the bytes
//! 7  small numbers     count; each as i32
//! ```
//!
//! Numbers are little-endian, a multiple of 8 bytes long; as bytes they are big-endian, as long as their modulus.

// The host reads and writes the memory of the module.
#![allow(unsafe_code)]

use crate::calls;
use crate::handle;
use crate::request::{Answer, NUMBER_BYTES, Request, index_and_error, no_memory};
use core::cell::RefCell;
use pingala_core::{Error, Integer, Natural, Watch};
use zeroize::{Zeroize, Zeroizing};

#[link(wasm_import_module = "pingala")]
unsafe extern "C" {
    /// Fills memory with random bytes; 0 if there are none.
    fn random(to: *mut u8, length: usize) -> u32;
    /// Reports progress.
    fn progress(finished: usize, total: usize);
    /// 1 if the time of the call is over.
    fn stopped() -> u32;
    /// Says why the module is about to stop.
    fn panicked(text: *const u8, length: usize);
}

/// The source of the crate getrandom.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(to: *mut u8, length: usize) -> Result<(), getrandom::Error> {
    // SAFETY: getrandom owns these bytes, and the host writes no others.
    match unsafe { random(to, length) } {
        0 => Err(getrandom::Error::UNSUPPORTED),
        _ => Ok(()),
    }
}

thread_local! {
    /// The message of the call, then that of the answer. There is one thread, and one call at a time.
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Takes memory for the message of a call, and returns its place: 0 if there is not enough.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    MESSAGE.with_borrow_mut(|message| {
        clear(message);
        if message.try_reserve_exact(length).is_err() {
            return core::ptr::null_mut();
        }
        message.resize(length, 0);
        message.as_mut_ptr()
    })
}

/// Computes the answer of the message; returns its place. [`length`] has its length, and [`release`] wipes it.
#[unsafe(no_mangle)]
extern "C" fn call() -> *const u8 {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the host only reads this text.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
    let message = Zeroizing::new(MESSAGE.take());
    let (request, as_bytes) = match read(&message) {
        Ok(read) => read,
        Err(error) => return keep(error_message(&error)),
    };
    drop(message);
    let answer = calls::answer(&request, Some(&Host));
    drop(request);
    keep(match answer.and_then(|answer| write(answer, as_bytes)) {
        Ok(message) => message,
        Err(error) => error_message(&error),
    })
}

/// The length of the answer.
#[unsafe(no_mangle)]
extern "C" fn length() -> usize {
    MESSAGE.with_borrow(Vec::len)
}

/// Wipes the answer and frees its memory.
#[unsafe(no_mangle)]
extern "C" fn release() {
    MESSAGE.with_borrow_mut(clear);
}

/// Lets go of an object.
#[unsafe(no_mangle)]
extern "C" fn close(number: u32) {
    handle::close(number);
}

fn clear(message: &mut Vec<u8>) {
    message.zeroize();
    message.shrink_to_fit();
}

fn keep(answer: Vec<u8>) -> *const u8 {
    MESSAGE.with_borrow_mut(|message| {
        *message = answer;
        message.as_ptr()
    })
}

/// Progress goes to the host, which has the clock of a time-out. Nothing else stops a call: the host ends the worker that runs it.
struct Host;

impl Watch for Host {
    fn stop(&self) -> bool {
        // SAFETY: a number.
        unsafe { stopped() != 0 }
    }

    fn progress(&self, finished: usize, total: usize) {
        // SAFETY: two numbers.
        unsafe { progress(finished, total) };
    }
}

/// Reads a message from front to back.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn bytes(&mut self, count: usize) -> Result<&'b [u8], Error> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(short)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn integer(&mut self) -> Result<usize, Error> {
        let bytes = self.bytes(4)?.try_into().map_err(|_| short())?;
        Ok(u32::from_le_bytes(bytes) as usize)
    }

    fn float(&mut self) -> Result<f64, Error> {
        Ok(f64::from_le_bytes(self.bytes(8)?.try_into().map_err(|_| short())?))
    }

    /// A count of elements that take at least so many bytes each, and memory for what they become.
    fn count<T>(&mut self, least_bytes: usize) -> Result<(usize, Vec<T>), Error> {
        let count = self.integer()?;
        if count.saturating_mul(least_bytes) > self.0.len() {
            return Err(short());
        }
        let mut list = Vec::new();
        list.try_reserve_exact(count).map_err(|_| no_memory())?;
        Ok((count, list))
    }

    fn number(&mut self) -> Result<Integer, Error> {
        let head = self.integer()?;
        let length = head >> 2;
        if length > NUMBER_BYTES {
            return Err(Error::TooLong { what: "number", length: length as u64 * 8, cap: NUMBER_BYTES as u64 * 8 });
        }
        let bytes = self.bytes(length)?;
        let value = if head & 2 != 0 { Natural::from_be_bytes(bytes) } else { Natural::from_le_bytes(bytes) };
        Ok(Integer::new(head & 1 != 0, value))
    }

    fn secret(&mut self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let length = self.integer()?;
        let given = self.bytes(length)?;
        let mut bytes = Zeroizing::new(Vec::new());
        bytes.try_reserve_exact(given.len()).map_err(|_| no_memory())?;
        bytes.extend_from_slice(given);
        Ok(bytes)
    }
}

fn short() -> Error {
    Error::BadArgument("the message of a call is too short".into())
}

/// A request, and whether its numbers go back as bytes.
fn read(message: &[u8]) -> Result<(Request, bool), Error> {
    let mut reader = Reader(message);
    let (operation, handle, as_bytes) = (reader.integer()? as u32, reader.integer()? as u32, reader.integer()? != 0);
    let (count, mut settings) = reader.count(8)?;
    for _ in 0..count {
        settings.push(reader.float()? as u64);
    }
    let (count, mut texts) = reader.count(4)?;
    for _ in 0..count {
        let length = reader.integer()?;
        texts.push(String::from_utf8_lossy(reader.bytes(length)?).into_owned());
    }
    let (count, mut numbers) = reader.count(4)?;
    for _ in 0..count {
        let (count, mut list) = reader.count(4)?;
        for _ in 0..count {
            list.push(reader.number()?);
        }
        numbers.push(list);
    }
    let (count, mut bytes) = reader.count(4)?;
    for _ in 0..count {
        bytes.push(reader.secret()?);
    }
    Ok((Request { operation, subject: handle::find(handle)?, numbers, settings, texts, bytes }, as_bytes))
}

/// Writes a message from front to back.
struct Writer(Vec<u8>);

impl Writer {
    /// Error: `bad_argument` without memory.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.try_reserve(bytes.len()).map_err(|_| no_memory())?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn integer(&mut self, value: usize) -> Result<(), Error> {
        self.bytes(&(value as u32).to_le_bytes())
    }

    /// A number behind the length of its bytes.
    fn natural(&mut self, value: &Natural, width: Option<usize>, head: impl Fn(usize) -> usize) -> Result<(), Error> {
        match width {
            None => {
                self.integer(head(value.limbs().len() * 8))?;
                value.limbs().iter().try_for_each(|limb| self.bytes(&limb.to_le_bytes()))
            }
            Some(width) => {
                let bytes = value.to_be_bytes_padded(width).ok_or(Error::Fault("a result longer than its modulus"))?;
                self.integer(head(bytes.len()))?;
                self.bytes(&bytes)
            }
        }
    }
}

fn write(answer: Answer, as_bytes: bool) -> Result<Vec<u8>, Error> {
    let mut out = Writer(Vec::new());
    match answer {
        Answer::Number(value, width) => {
            out.integer(1)?;
            out.natural(&value, as_bytes.then_some(width), |length| length)?;
        }
        Answer::Numbers(values, widths) => {
            out.integer(2)?;
            out.integer(values.len())?;
            for (index, value) in values.iter().enumerate() {
                match value {
                    Ok(value) => out.natural(value, as_bytes.then(|| widths.of(index)), |length| length << 1)?,
                    Err(error) => {
                        let text = format!("{}\0{error}", error.code());
                        out.integer(text.len() << 1 | 1)?;
                        out.bytes(text.as_bytes())?;
                    }
                }
            }
        }
        Answer::Handle(object) => {
            out.integer(3)?;
            out.integer(handle::keep(object, 0)? as usize)?;
        }
        Answer::Text(text) => {
            out.integer(4)?;
            out.integer(text.len())?;
            out.bytes(text.as_bytes())?;
        }
        Answer::Bytes(bytes) => {
            // Without a copy that would stay behind when the message grows.
            out.0.try_reserve_exact(bytes.len() + 8).map_err(|_| no_memory())?;
            out.integer(5)?;
            out.integer(bytes.len())?;
            out.bytes(&bytes)?;
        }
        Answer::ManyBytes(all) => {
            let total = all.iter().map(|bytes| bytes.len() + 4).sum::<usize>();
            out.0.try_reserve_exact(total + 8).map_err(|_| no_memory())?;
            out.integer(6)?;
            out.integer(all.len())?;
            for bytes in &all {
                out.integer(bytes.len())?;
                out.bytes(bytes)?;
            }
        }
        Answer::Small(values) => {
            out.integer(7)?;
            out.integer(values.len())?;
            values.iter().try_for_each(|value| out.bytes(&value.to_le_bytes()))?;
        }
    }
    Ok(out.0)
}

fn error_message(error: &Error) -> Vec<u8> {
    let (index, inner) = index_and_error(error);
    let (code, text) = (inner.code(), inner.to_string());
    let mut message = Vec::new();
    for number in [0, index.map_or(0, |index| index + 1), code.len(), text.len()] {
        message.extend_from_slice(&(number as u32).to_le_bytes());
    }
    message.extend_from_slice(code.as_bytes());
    message.extend_from_slice(text.as_bytes());
    message
}
