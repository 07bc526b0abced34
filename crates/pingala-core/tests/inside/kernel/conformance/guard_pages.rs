//! Pages before and behind every operand of every kernel that nothing may touch: an access beyond an operand ends the process.
//!
//! An operand lies at the end of its pages, then at their start. The registers of an arena lie side by side, so each takes every place in turn.
//! Constants, tables and what lists allocate are allocated so in `crates/pingala-lab/tests/guarded_heap.rs`.

#![allow(unsafe_code)]

use super::{Dice, big};
use crate::exponent::{Digits, SecretExponent};
use crate::kernel::registry::{Form, Kernel, Residence};
use crate::kernel::vector::{LANES, Lanes};
use crate::kernel::{ModulusParts, Ring};
use crate::modulus::Facts;
use crate::natural::Natural;
use crate::suite::common::skipped;
use core::ops::{Deref, DerefMut};
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The end of its pages at which a buffer lies.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Start,
    End,
}

/// A buffer whose pages have a page before and one behind that nothing may touch.
struct Guarded<T> {
    map: *mut u8,
    map_bytes: usize,
    first: *mut T,
    length: usize,
}

fn page_bytes() -> usize {
    // SAFETY: asks for a constant of the system.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

impl<T: Copy> Guarded<T> {
    /// `align` bytes is what kernels may rely on; at the end of the pages, less than that may lie behind the buffer.
    fn new(side: Side, align: usize, length: usize, fill: T) -> Self {
        let (page, bytes) = (page_bytes(), length * size_of::<T>());
        let room = bytes.next_multiple_of(page).max(page);
        let map_bytes = room + 2 * page;
        // SAFETY: new pages at an address of the system's choice, of which the middle ones become accessible.
        let map = unsafe {
            let map =
                libc::mmap(ptr::null_mut(), map_bytes, libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0);
            assert_ne!(map, libc::MAP_FAILED, "no memory");
            let map = map.cast::<u8>();
            assert_eq!(libc::mprotect(map.add(page).cast(), room, libc::PROT_READ | libc::PROT_WRITE), 0);
            map
        };
        let skipped = if side == Side::End { (room - bytes) / align * align } else { 0 };
        // SAFETY: within the middle pages, and aligned: `align` divides a page and is a multiple of what T needs.
        let first = unsafe { map.add(page + skipped).cast::<T>() };
        let mut buffer = Self { map, map_bytes, first, length };
        buffer.fill(fill);
        buffer
    }

    fn of(side: Side, values: &[T]) -> Self
    where
        T: Default,
    {
        let mut buffer = Self::new(side, align_of::<T>(), values.len(), T::default());
        buffer.copy_from_slice(values);
        buffer
    }
}

impl<T> Deref for Guarded<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `length` values that `new` filled, which only this buffer owns.
        unsafe { core::slice::from_raw_parts(self.first, self.length) }
    }
}

impl<T> DerefMut for Guarded<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(self.first, self.length) }
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        // SAFETY: the pages of `new`, which nothing borrows any more.
        unsafe { libc::munmap(self.map.cast(), self.map_bytes) };
    }
}

/// Calls of kernels with guarded operands.
static CALLS: AtomicU64 = AtomicU64::new(0);

const SIDES: [Side; 2] = [Side::Start, Side::End];
/// Places of the result and of both factors in an arena of three registers, and of a result that is its factor, in one of two.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Arenas start at a line; where registers are whole lines, an arena ends at one too.
fn arena_of(ring: &dyn Ring<u64>, side: Side, registers: usize) -> Guarded<u64> {
    let n = ring.words();
    Guarded::new(side, if n.is_multiple_of(8) { 64 } else { 8 }, registers * n, u64::MAX)
}

/// Entries of the tables that are scanned.
const ENTRIES: usize = 5;

/// A table at either end of its arena with the result at the other, and one of packed residues, whose buffers have pages of their own. Secrets
/// are read so only on constant-time kernels, but every ring offers it.
fn scans_stay_inside(ring: &dyn Ring<u64>, side: Side, m: &[u64], dice: &mut Dice, what: &str) {
    let (n, packed) = (ring.words(), ring.packed_words());
    let words = |length: usize| Guarded::new(side, 8, length, u64::MAX);
    let mut scratch = words(ring.scratch_words());
    let digits = [0, ENTRIES / 2, ENTRIES - 1].map(|digit| {
        let secret = SecretExponent::new(&Natural::from(digit as u64), Some(8)).expect("fits");
        (digit, secret.digit(0, 4))
    });
    for [out, table] in [[0, n], [ENTRIES * n, 0]] {
        let mut arena = arena_of(ring, side, ENTRIES + 1);
        for at in 0..ENTRIES {
            ring.enter(&mut arena, table + at * n, &dice.number::<u64>(m.len()), &mut scratch);
        }
        for (digit, secret) in digits {
            ring.scan(&mut arena, out, table, ENTRIES, secret);
            assert_eq!(arena[out..][..n], arena[table + digit * n..][..n], "{what}: scan for entry {digit}");
        }
        let (mut one, mut rest, mut entry) = (words(packed), words((ENTRIES - 1) * packed), words(packed));
        ring.pack(&mut one, &arena, table);
        for (at, entry) in rest.chunks_exact_mut(packed).enumerate() {
            ring.pack(entry, &arena, table + (at + 1) * n);
        }
        for (digit, secret) in digits {
            ring.scan_packed(&mut entry, &one, &rest, secret);
            let wanted = if digit == 0 { &one[..] } else { &rest[(digit - 1) * packed..][..packed] };
            assert_eq!(&entry[..], wanted, "{what}: scan for packed entry {digit}");
        }
        CALLS.fetch_add(2 * (ENTRIES + digits.len()) as u64, Relaxed);
    }
}

/// Everything that a ring offers.
fn ring_stays_inside(ring: &dyn Ring<u64>, m: &[u64], dice: &mut Dice, what: &str) {
    let n = ring.words();
    let modulus = big(m);
    for side in SIDES {
        scans_stay_inside(ring, side, m, dice, what);
        let arena = |registers: usize| arena_of(ring, side, registers);
        let words = |length: usize| Guarded::new(side, 8, length, u64::MAX);
        let mut scratch = words(ring.scratch_words());
        let lengths = [0, 1, m.len().div_ceil(2), m.len(), m.len() + 1, 2 * m.len() + 3];
        for length in lengths {
            let value = if length == 0 { Vec::new() } else { dice.number(length) };
            let (value, mut one, mut left) = (Guarded::of(side, &value), arena(1), words(n));
            ring.enter(&mut one, 0, &value, &mut scratch);
            ring.leave(&mut left, &one, 0, &mut scratch);
            assert_eq!(big(&left), big(&value) % &modulus, "{what}");
            CALLS.fetch_add(2, Relaxed);
        }
        let (a, b): (Vec<u64>, Vec<u64>) = (dice.number(m.len()), dice.number(m.len()));
        let product = big(&a) * big(&b) % &modulus;
        let square = big(&a) * big(&a) % &modulus;
        let mut left = words(n);
        for [out, at_a, at_b] in ORDERS.map(|order| order.map(|place| place * n)) {
            let mut three = arena(3);
            ring.enter(&mut three, at_a, &a, &mut scratch);
            ring.enter(&mut three, at_b, &b, &mut scratch);
            ring.mul(&mut three, out, at_a, at_b, &mut scratch);
            ring.leave(&mut left, &three, out, &mut scratch);
            assert_eq!(big(&left), product, "{what}");
            ring.mul(&mut three, at_b, at_a, at_b, &mut scratch);
            ring.leave(&mut left, &three, at_b, &mut scratch);
            assert_eq!(big(&left), product, "{what}");
            ring.sqr_n(&mut three, out, at_a, 3, &mut scratch);
            CALLS.fetch_add(6, Relaxed);
        }
        for [out, at] in [[0, n], [n, 0]] {
            let mut two = arena(2);
            ring.enter(&mut two, at, &a, &mut scratch);
            ring.sqr(&mut two, out, at, &mut scratch);
            ring.leave(&mut left, &two, out, &mut scratch);
            assert_eq!(big(&left), square, "{what}");
            ring.mul_small(&mut two, out, at, 0xffff_ffff, &mut scratch);
            ring.one(&mut two, out, &mut scratch);
            ring.sqr(&mut two, at, at, &mut scratch);
            ring.leave(&mut left, &two, at, &mut scratch);
            assert_eq!(big(&left), square, "{what}");
            let plain = Guarded::of(side, &b);
            ring.leave_times(&mut left, &two, at, &plain, &mut scratch);
            let mut packed = words(ring.packed_words());
            ring.pack(&mut packed, &two, at);
            ring.unpack(&mut two, out, &packed);
            ring.leave(&mut left, &two, out, &mut scratch);
            assert_eq!(big(&left), square, "{what}");
            CALLS.fetch_add(10, Relaxed);
        }
    }
}

fn lanes_stay_inside(kernel: Kernel, n: usize, dice: &mut Dice) {
    let family = kernel.lane_family().expect("a kernel of lanes");
    let form = Form::new(kernel, kernel.limbs(n), None);
    let mut number = |odd: u64| -> Vec<u64> {
        let mut value: Vec<u64> = dice.number(n);
        value[0] |= odd;
        value[n - 1] = value[n - 1].max(1);
        value
    };
    let m: [Vec<u64>; LANES] = core::array::from_fn(|_| number(1));
    let a: [Vec<u64>; LANES] = core::array::from_fn(|_| number(0));
    let b: [Vec<u64>; LANES] = core::array::from_fn(|_| number(0));
    for side in SIDES {
        let guarded = |values: &[Vec<u64>; LANES]| values.each_ref().map(|value| Guarded::of(side, value));
        let (m, a, b) = (guarded(&m), guarded(&a), guarded(&b));
        let ring = (family.prepare)(&form, &m.each_ref().map(|m| &m[..])).expect("this CPU has it");
        let v = ring.vectors();
        let vectors = |count: usize| Guarded::new(side, 64, count, Lanes([u64::MAX; LANES]));
        let mut scratch = vectors(ring.scratch_vectors());
        for [out, at_a, at_b] in ORDERS.map(|order| order.map(|place| place * v)) {
            let mut arena = vectors(3 * v);
            ring.enter(&mut arena, at_a, &a.each_ref().map(|a| &a[..]), &mut scratch);
            ring.enter(&mut arena, at_b, &b.each_ref().map(|b| &b[..]), &mut scratch);
            ring.mul(&mut arena, out, at_a, at_b, &mut scratch);
            let left = ring.leave(&mut arena, out, &mut scratch);
            for lane in 0..kernel.lanes() {
                let mut limbs = Guarded::new(side, 8, n, u64::MAX);
                ring.lane(left, lane, &mut limbs);
                assert_eq!(big(&limbs), big(&a[lane]) * big(&b[lane]) % big(&m[lane]), "{form}, lane {lane}");
            }
            ring.sqr_n(&mut arena, out, at_a, 2, &mut scratch);
            ring.select(&mut arena, out, core::array::from_fn(|lane| if lane % 2 == 0 { at_a } else { at_b }));
            ring.one(&mut arena, out);
            CALLS.fetch_add(6 + kernel.lanes() as u64, Relaxed);
        }
        // Rows of a table, each lane's in pages of its own, if the kernel takes tables of such residues.
        let maker = Kernel::all().filter(|kernel| kernel.available() && kernel.odd() && kernel.has_arena());
        let layouts = maker.map(|kernel| Form::new(kernel, kernel.limbs(n), kernel.entry().products.first().copied()));
        for layout in layouts.map(|form| form.layout(64 * n)) {
            if (family.limbs_for_table)(&layout) != Some(form.n) {
                continue;
            }
            let rows: [Guarded<u64>; LANES] = core::array::from_fn(|_| Guarded::new(side, 8, layout.limbs, 1));
            let mut one = vectors(v);
            ring.gather(&mut one, 0, rows.each_ref().map(|row| &row[..]));
            ring.settle(&mut one, 0, &mut scratch);
            CALLS.fetch_add(2, Relaxed);
        }
    }
}

#[test]
fn guard_pages_around_every_operand() {
    let mut dice = Dice::new(71);
    for kernel in Kernel::all() {
        let entry = kernel.entry();
        if !entry.available() {
            skipped(&format!("this CPU cannot run {}", entry.name));
            continue;
        }
        let longest = entry.max_limbs.unwrap_or(usize::MAX);
        let usual = (1..=34).chain([40, 47, 48, 49, 63, 64, 65, 79, 80, 81, 97, 128, 130]);
        for n in usual.filter(|&n| entry.takes(n) && n <= longest) {
            let mut m: Vec<u64> = dice.number(n);
            m[n - 1] = m[n - 1].max(2);
            m[0] = if entry.plain && n % 2 == 0 { m[0] & !1 } else { m[0] | 1 };
            if !entry.odd {
                m = [vec![0; n - 1], vec![1 << (1 + dice.below(63))]].concat();
            }
            match entry.residence {
                Residence::Arena { prepare, .. } => {
                    let products = entry.products.iter().map(|&product| Some(product));
                    for product in products.chain(entry.products.is_empty().then_some(None)) {
                        let form = Form::new(kernel, kernel.limbs(n), product);
                        let facts = Facts::new(Natural::from_limbs(&m));
                        let parts = if entry.plain { ModulusParts::whole(&facts) } else { ModulusParts::of(&facts) };
                        let once = entry.plain.then_some(2 * n + 3);
                        let ring = prepare(&form, &ModulusParts { once, ..parts }).expect("a form of the registry");
                        ring_stays_inside(&*ring, &m, &mut dice, &format!("{form}, m = {m:x?}"));
                    }
                }
                Residence::Vectors(_) => lanes_stay_inside(kernel, n, &mut dice),
                // Their operands are values.
                Residence::Registers(_) | Residence::LimbLanes => {}
            }
        }
    }
    println!("cases: {}", CALLS.load(Relaxed));
}

/// The test of the test: a child that reads one word behind a buffer, or before it, does not come back.
#[test]
fn a_word_beyond_ends_the_process() {
    for side in SIDES {
        let buffer = Guarded::new(side, 8, 5, 7u64);
        assert!(buffer.iter().all(|&word| word == 7));
        // SAFETY: the child calls nothing but functions that are safe after a fork, and reads a page that is not there.
        let status = unsafe {
            let child = libc::fork();
            if child == 0 {
                let beyond = if side == Side::End { buffer.first.add(5) } else { buffer.first.sub(1) };
                // No dump of the memory, and no words of the harness.
                libc::signal(libc::SIGSEGV, libc::SIG_DFL);
                beyond.read_volatile();
                libc::_exit(0);
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            status
        };
        assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGSEGV, "{status:x}");
    }
}
