//! The memory that a ring states: the bytes of its constants compared with those allocated, and the words of scratch with those that
//! its operations write. And what it leaves behind in memory that it frees.

#![allow(unsafe_code)]

use super::{Dice, big};
use crate::kernel::cache_line;
use crate::kernel::lane_ring::LaneRing;
use crate::kernel::registry::{Entry, Form, Kernel, Residence};
use crate::kernel::vector::{LANES, Lanes};
use crate::kernel::{ModulusParts, Ring};
use crate::modulus::Facts;
use crate::natural::Natural;
use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

thread_local! {
    /// Bytes that this thread has allocated, less those that it has freed.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// What no memory that this thread frees may hold, if anything, and how often it did.
    static WATCHED: Cell<Option<([[u64; 2]; 3], usize)>> = const { Cell::new(None) };
}

/// The system's allocator, which counts by thread.
struct Counted;

#[global_allocator]
static COUNTED: Counted = Counted;

fn count(bytes: isize) {
    // A thread that ends has no counter any more.
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

/// Looks for the watched pairs of words in a block that is about to be freed.
///
/// # Safety
/// The block has that many bytes, and they may be read.
unsafe fn look_through(block: *const u8, bytes: usize) {
    let Ok(Some((pairs, mut found))) = WATCHED.try_with(Cell::get) else { return };
    let words = block.cast::<u64>();
    let mut before = None;
    for at in 0..if words.is_aligned() { bytes / 8 } else { 0 } {
        // SAFETY: the caller's promise; a volatile read takes what memory holds, written or not.
        let word = unsafe { words.add(at).read_volatile() };
        found += usize::from(pairs.iter().any(|&[first, second]| before == Some(first) && word == second));
        before = Some(word);
    }
    WATCHED.set(Some((pairs, found)));
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
        // SAFETY: the caller's promise, for the block with its layout.
        unsafe {
            look_through(block, layout.size());
            System.dealloc(block, layout);
        }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise, for the block with its layout.
        unsafe {
            look_through(block, layout.size());
            System.realloc(block, layout, size)
        }
    }
}

/// Bytes that a ring of `kernel` allocates beyond its constants, at most: structures, and room that grows by doubling.
fn beyond(kernel: Kernel, told: usize) -> usize {
    match kernel.entry() {
        // Words in a vector that doubles.
        entry if !entry.products.is_empty() => 640 + told * 5 / 4,
        entry if entry.name.contains("_ntt_") => 1700,
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
                m[0] = if entry.plain { m[0] & !1 } else { m[0] | 1 };
                if !entry.odd {
                    m = [vec![0; n - 1], vec![1 << 63]].concat();
                }
                let facts = Facts::new(Natural::from_limbs(&m));
                let parts = if entry.plain { ModulusParts::whole(&facts) } else { ModulusParts::of(&facts) };
                let form = Form::new(kernel, kernel.limbs(n), product);
                let before = HELD.get();
                let ring = prepare(&form, &parts).expect("a form of the registry");
                let (held, told) = ((HELD.get() - before) as usize, ring.bytes());
                assert!((told..=told + beyond(kernel, told)).contains(&held), "{form}: {told} bytes, {held} held");
                assert!(told.is_multiple_of(size_of::<u64>()), "{form}: {told} bytes are no words");
                let (words, used) = (ring.scratch_words(), used_scratch(&*ring, n, &mut dice));
                assert!(words <= 4 * used + 24, "{form}: {words} words of scratch, {used} used");
                if n >= 48 {
                    least_unused = least_unused.min(words - used);
                }
            }
            // If a length halves evenly, nothing is left over but the room to align.
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

/// Lanes write all vectors of their scratch, and take numbers up to the bits that the limbs of a residue hold.
#[test]
fn a_ring_of_lanes_needs_its_scratch() {
    let mut dice = Dice::new(74);
    for kernel in Kernel::all().filter(|kernel| kernel.available()) {
        let (entry, Some(family)) = (kernel.entry(), kernel.lane_family()) else { continue };
        for n in [1, 2, 7, 20, 63, 64, 65, 128] {
            let m = [vec![dice.roll() | 1], vec![1 << 63; n - 1]].concat();
            let form = Form::new(kernel, kernel.limbs(n), None);
            let mut ring = (family.prepare)(&form, &[&m; LANES]).expect("a form of the registry");
            let mut room = Vec::new();
            ring.change(&[&m; LANES], &mut room);
            assert!(room.len() <= 4 * ring.vectors() + ring.scratch_vectors(), "{form}: {} vectors", room.len());
            assert_eq!(ring.entering_bits(), entry.limb_bits as u64 * form.n as u64, "{form}");
            assert_eq!(ring.scratch_vectors(), used_vectors(&*ring, &m, &mut dice), "{form}");
        }
    }
}

/// The vectors of scratch that the operations write, up to the last one; the longest number that enters leaves as it should.
fn used_vectors(ring: &dyn LaneRing, m: &[u64], dice: &mut Dice) -> usize {
    const UNTOUCHED: Lanes = Lanes([0x9e37_79b9_7f4a_7c15; LANES]);
    let (n, bits) = (ring.vectors(), ring.entering_bits() as usize);
    let mut scratch = vec![UNTOUCHED; ring.scratch_vectors()];
    let mut arena = vec![Lanes::default(); 3 * n];
    let mut longest = vec![u64::MAX; bits.div_ceil(64)];
    *longest.last_mut().unwrap() >>= longest.len() * 64 - bits;
    let short: Vec<u64> = dice.number(m.len() - 1);
    ring.enter(&mut arena, 0, &[&longest; LANES], &mut scratch);
    ring.enter(&mut arena, n, &[&short; LANES], &mut scratch);
    ring.mul(&mut arena, 2 * n, 0, n, &mut scratch);
    ring.sqr_n(&mut arena, n, 0, 2, &mut scratch);
    let mut left = vec![0; m.len() + 1];
    ring.lane(ring.leave(&mut arena, 0, &mut scratch), 0, &mut left);
    assert_eq!(big(&left), big(&longest) % big(m), "a number of {bits} bits");
    scratch.iter().rposition(|vector| *vector != UNTOUCHED).map_or(0, |last| last + 1)
}

/// Counts how many times words 1 and 2 of a number stood in memory that `work` freed: unchanged, as limbs of 52 bits, or complemented.
fn copies_freed(number: &[u64], work: impl FnOnce()) -> usize {
    const MASK: u64 = (1 << 52) - 1;
    let limbs = [number[0] >> 52 | number[1] << 12, number[1] >> 40 | number[2] << 24].map(|limb| limb & MASK);
    WATCHED.set(Some(([[number[1], number[2]], limbs, limbs.map(|limb| MASK - limb)], 0)));
    work();
    WATCHED.take().map_or(0, |(_, found)| found)
}

/// The modulus may be a secret factor. Transforms, divisions and rows of doubles take no secrets.
#[test]
#[cfg_attr(miri, ignore = "it reads memory that may not have been written")]
fn a_ring_of_a_secret_wipes_what_it_frees() {
    let mut dice = Dice::new(75);
    let of_secrets = |entry: &Entry| {
        entry.odd && !entry.plain && entry.montgomery && !entry.name.contains("_ntt_") && entry.name != "toy_r64"
    };
    for kernel in Kernel::all().filter(|kernel| kernel.available() && of_secrets(kernel.entry())) {
        let entry = kernel.entry();
        let Residence::Arena { prepare, .. } = entry.residence else { continue };
        let products = entry.products.iter().map(|&product| Some(product));
        for product in products.chain(entry.products.is_empty().then_some(None)) {
            for n in [8, 33, 200] {
                let mut m: Vec<u64> = (0..n).map(|_| dice.roll()).collect();
                (m[0], m[n - 1]) = (m[0] | 1, m[n - 1] | 1 << 63);
                let form = Form::new(kernel, kernel.limbs(n), product);
                let prepared =
                    || drop(prepare(&form, &ModulusParts::secret(&m, 64 * n)).expect("a form of the registry"));
                assert_eq!(copies_freed(&m, prepared), 0, "{form}");
                assert_eq!(copies_freed(&m, || drop(m.clone())), 1);
            }
        }
    }
}
