//! What the C library is asked for: the arguments, standard output, the end.

use alloc::alloc::{GlobalAlloc, Layout};
use alloc::vec::Vec;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt::{self, Write};

unsafe extern "C" {
    fn write(file: c_int, text: *const c_void, length: usize) -> isize;
    fn malloc(length: usize) -> *mut c_void;
    fn abort() -> !;
}

struct Malloc;

// SAFETY: malloc aligns to 8 bytes, and no larger alignment is asked for (checked). Nothing is given back: the program ends.
unsafe impl GlobalAlloc for Malloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        assert!(layout.align() <= 8);
        // SAFETY: any length is legal.
        unsafe { malloc(layout.size()).cast() }
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static MALLOC: Malloc = Malloc;

#[panic_handler]
fn panicked(panic: &core::panic::PanicInfo<'_>) -> ! {
    let _ = writeln!(Output, "{panic}");
    // SAFETY: ends the program.
    unsafe { abort() }
}

/// Standard output.
pub(crate) struct Output;

impl Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: the text is as long as it says.
        let written = unsafe { write(1, text.as_ptr().cast(), text.len()) };
        if written == text.len() as isize { Ok(()) } else { Err(fmt::Error) }
    }
}

#[unsafe(no_mangle)]
extern "C" fn main(count: c_int, arguments: *const *const c_char) -> c_int {
    let text = |i: usize| {
        // SAFETY: the C library hands over `count` strings, which live as long as the program.
        unsafe { CStr::from_ptr(*arguments.add(i)) }.to_str().expect("the arguments are ASCII")
    };
    let arguments: Vec<&str> = (1..count as usize).map(text).collect();
    crate::run::run(&arguments);
    0
}
