//! What a ring says of its memory: the bytes of its constants beside what was allocated, and the words of scratch beside those that
//! its operations write.

#![allow(unsafe_code)]

use super::Dice;
use crate::kernel::cache_line;
use crate::kernel::registry::{Form, Kernel, Residence};
use crate::kernel::{ModulusParts, Ring};
use crate::modulus::Facts;
use crate::natural::Natural;
use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

thread_local! {
    /// Bytes that this thread has allocated, less those that it has freed.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, which counts by thread.
struct Counted;

#[global_allocator]
static COUNTED: Counted = Counted;

fn count(bytes: isize) {
    // A thread that ends has no counter any more.
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: all blocks are those of `System`.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Bytes that a kernel of so many limbs allocates beyond its constants, at most: structures, and room that grows by doubling.
fn beyond(kernel: Kernel, told: usize) -> usize {
    match kernel.entry() {
        // Words in a vector that doubles.
        entry if !entry.products.is_empty() => 640 + told * 5 / 4,
        entry if entry.shares_products => 1700,
        _ => 256,
    }
}

#[test]
fn a_ring_knows_its_memory() {
    let mut dice = Dice::new(73);
    for kernel in Kernel::all().filter(|kernel| kernel.available()) {
        let entry = kernel.entry();
        let Residence::Arena { prepare, .. } = entry.residence else { continue };
        let products = entry.products.iter().map(|&product| Some(product));
        for product in products.chain(entry.products.is_empty().then_some(None)) {
            let mut least_unused = usize::MAX;
            let lengths = [1, 2, 3, 7, 8, 20, 33, 48, 64, 80, 100, 128, 129, 257];
            for n in lengths.into_iter().filter(|&n| entry.takes(n)) {
                let mut m: Vec<u64> = dice.number(n);
                m[n - 1] |= 1 << 63;
                m[0] = if entry.even { m[0] & !1 } else { m[0] | 1 };
                if !entry.odd {
                    m = [vec![0; n - 1], vec![1 << 63]].concat();
                }
                let facts = Facts::new(Natural::from_limbs(&m));
                let parts = if entry.even { ModulusParts::whole(&facts) } else { ModulusParts::of(&facts) };
                let form = Form::new(kernel, kernel.limbs(n), product);
                let before = HELD.get();
                let ring = prepare(&form, &parts).expect("a form of the registry");
                let (held, told) = ((HELD.get() - before) as usize, ring.bytes());
                assert!((told..=told + beyond(kernel, told)).contains(&held), "{form}: {told} bytes, {held} held");
                let (words, used) = (ring.scratch_words(), used_scratch(&*ring, n, &mut dice));
                assert!(words <= 4 * used + 24, "{form}: {words} words of scratch, {used} used");
                if n >= 48 {
                    least_unused = least_unused.min(words - used);
                }
            }
            // Where a length halves evenly, nothing is left over but the room to align.
            assert!(!entry.takes(128) || least_unused <= 64, "{}: {least_unused} unused words of scratch", entry.name);
        }
    }
}

/// The words of scratch that the operations write, up to the last one.
fn used_scratch(ring: &dyn Ring<u64>, n: usize, dice: &mut Dice) -> usize {
    const UNTOUCHED: u64 = 0x9e37_79b9_7f4a_7c15;
    let words = ring.words();
    let mut scratch = vec![UNTOUCHED; ring.scratch_words()];
    let mut arena = vec![0; 3 * words + cache_line::spare::<u64>()];
    let origin = cache_line::first_word(&arena);
    let arena = &mut arena[origin..origin + 3 * words];
    let (value, mut left): (Vec<u64>, _) = (dice.number(2 * n + 3), vec![0; words]);
    ring.enter(arena, 0, &value, &mut scratch);
    ring.enter(arena, words, &value[..n], &mut scratch);
    ring.mul(arena, 2 * words, 0, words, &mut scratch);
    ring.sqr(arena, words, 0, &mut scratch);
    ring.mul_small(arena, 0, words, 3, &mut scratch);
    ring.leave(&mut left, arena, 2 * words, &mut scratch);
    ring.leave_times(&mut left, arena, 0, &value[..n], &mut scratch);
    scratch.iter().rposition(|&word| word != UNTOUCHED).map_or(0, |last| last + 1)
}
