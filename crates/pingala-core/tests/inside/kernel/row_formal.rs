//! The columns of the row kernel on formal limbs, as `kernel/formal.rs` has them: for each number of limbs each column of a product, of a square and of the fold
//! is the sum of the halves that the comments name, for all operands, and no sum leaves 64 bits. Lemma `formal.row_columns` of
//! proofs/README.md.
//!
//! Lanes meet here, so a word in memory is the number of an entry of a list; entry 0 is the number 0, which padding holds.

#![allow(unsafe_code)]

use super::product::{half, squares};
use super::ring::{FoldTable, fold, quotient};
use super::shape::{LANES, MAX_BITS, MAX_TILE, Shape, tiles};
use crate::kernel::vector::across::{Compiles, SharedCode, VectorProgram, Vectors};
use crate::kernel::vector::formal::{drawn, halves, sum};
use crate::kernel::vector::{MASK, Task, VectorUnit};
use core::array::from_fn;
use core::cell::{Cell, RefCell};

/// What is known of a word: the largest one, its value, and the value of its low 52 bits if it is a limb that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    largest: u64,
    value: u64,
    limb: Option<u64>,
}

const NOTHING: Entry = Entry { largest: 0, value: 0, limb: Some(0) };

thread_local! {
    static ENTRIES: RefCell<Vec<Entry>> = RefCell::default();
    /// Operations so far, the one that is left out, and whether that one changes nothing.
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static LEFT_OUT: Cell<usize> = const { Cell::new(usize::MAX) };
    static HARMLESS: Cell<bool> = const { Cell::new(false) };
}

fn entry(word: u64) -> Entry {
    ENTRIES.with_borrow(|entries| entries[word as usize])
}

fn listed(entry: Entry) -> u64 {
    if entry == NOTHING {
        return 0;
    }
    ENTRIES.with_borrow_mut(|entries| {
        entries.push(entry);
        entries.len() as u64 - 1
    })
}

/// A limb below 2^52.
fn given(name: u64, index: usize) -> u64 {
    let limb = drawn(name, index as u64);
    listed(Entry { largest: MASK, value: limb, limb: Some(limb) })
}

fn value(word: u64) -> u64 {
    entry(word).value
}

fn added(a: u64, largest: u64, more: u64) -> u64 {
    let a = entry(a);
    let largest = a.largest.checked_add(largest).expect("a column below 2^64");
    listed(Entry { largest, value: sum(a.value, more), limb: None })
}

/// The halves of a product of two limbs in the list, both 0 if a factor is.
fn halves_of(a: u64, b: u64) -> [u64; 2] {
    let limb = |word| entry(word).limb.expect("a limb");
    if a == 0 || b == 0 { [0; 2] } else { halves(limb(a), limb(b)) }
}

/// Runs an operation, which adds something, on lane after lane, unless it is the one that is left out: then the result is `sum`.
fn lanes(sum: Vector, run: impl Fn(usize) -> u64) -> Vector {
    let count = COUNT.get();
    COUNT.set(count + 1);
    let result = from_fn(run);
    if count == LEFT_OUT.get() {
        HARMLESS.set((0..LANES).all(|lane| value(result[lane]) == value(sum[lane])));
        return sum;
    }
    result
}

type Vector = [u64; LANES];

#[derive(Clone, Copy, Debug)]
struct FormalRow;

macro_rules! not_in_columns {
    ($($name:ident $(<$at:ident: $of:ty>)? ($($type:ty),*) -> $result:ty;)+) => {
        $(fn $name $(<const $at: $of>)? (self, $(_: $type),*) -> $result { unreachable!("not in columns") })+
    };
}

impl VectorUnit for FormalRow {
    type Vector = Vector;

    fn run_task<T: Task>(self, task: T) {
        task.run(self);
    }
    fn splat(self, word: u64) -> Vector {
        assert_eq!(word, 0, "zeros only");
        [0; LANES]
    }
    #[inline(never)]
    fn add(self, a: Vector, b: Vector) -> Vector {
        lanes(a, |lane| {
            let b = entry(b[lane]);
            if b == NOTHING { a[lane] } else { added(a[lane], b.largest, b.value) }
        })
    }
    #[inline(never)]
    fn carry(self, a: Vector) -> Vector {
        from_fn(|lane| {
            let a = entry(a[lane]);
            listed(Entry { largest: a.largest >> 52, value: drawn(a.value, 1), limb: None })
        })
    }
    #[inline(never)]
    fn madd_low(self, sum: Vector, a: Vector, b: Vector) -> Vector {
        self.madd_low_lanes(0xff, sum, a, b)
    }
    #[inline(never)]
    fn madd_high(self, sum: Vector, a: Vector, b: Vector) -> Vector {
        self.madd_high_lanes(0xff, sum, a, b)
    }
    not_in_columns! {
        transposed([&[u64; LANES]; LANES]) -> [Vector; LANES];
        add_signed(Vector, Vector) -> Vector;
        sub_signed(Vector, Vector) -> Vector;
        and(Vector, Vector) -> Vector;
        signed_carry(Vector) -> Vector;
        with_lane(Vector, Vector, usize) -> Vector;
        select(Vector, Vector, Vector) -> Vector;
    }
}

impl Compiles for FormalRow {
    fn run(self, program: impl VectorProgram) {
        program.run(self);
    }
    unsafe fn call<C: SharedCode>(self, limbs: usize, vectors: usize, out: *mut u64, a: *const u64, b: *const u64) {
        // SAFETY: the caller keeps the contract of `C`.
        unsafe { C::run(self, limbs, vectors, out, a, b) }
    }
}

impl Vectors for FormalRow {
    type Lanes = u8;
    type Marks = u64;

    unsafe fn broadcast(self, from: *const u64) -> Vector {
        // SAFETY: the caller says that the word may be read.
        [unsafe { from.read() }; LANES]
    }
    fn lanes(self, mask: u8) -> u8 {
        mask
    }
    #[inline(never)]
    fn madd_low_lanes(self, mask: u8, sum: Vector, a: Vector, b: Vector) -> Vector {
        lanes(sum, |lane| {
            let is_in = mask >> lane & 1 == 1 && a[lane] != 0 && b[lane] != 0;
            if is_in { added(sum[lane], MASK, halves_of(a[lane], b[lane])[0]) } else { sum[lane] }
        })
    }
    #[inline(never)]
    fn madd_high_lanes(self, mask: u8, sum: Vector, a: Vector, b: Vector) -> Vector {
        lanes(sum, |lane| {
            let is_in = mask >> lane & 1 == 1 && a[lane] != 0 && b[lane] != 0;
            if is_in { added(sum[lane], MASK - 1, halves_of(a[lane], b[lane])[1]) } else { sum[lane] }
        })
    }
    fn up(self, a: Vector, below: Vector) -> Vector {
        from_fn(|lane| if lane == 0 { below[LANES - 1] } else { a[lane - 1] })
    }
    fn down(self, above: Vector, a: Vector) -> Vector {
        from_fn(|lane| if lane == LANES - 1 { above[0] } else { a[lane + 1] })
    }
    fn interleave_low(self, a: Vector, b: Vector) -> Vector {
        from_fn(|lane| if lane % 2 == 0 { a[lane / 2] } else { b[lane / 2] })
    }
    fn interleave_high(self, a: Vector, b: Vector) -> Vector {
        from_fn(|lane| if lane % 2 == 0 { a[4 + lane / 2] } else { b[4 + lane / 2] })
    }
    fn keep(self, mask: u8, a: Vector) -> Vector {
        from_fn(|lane| if mask >> lane & 1 == 1 { a[lane] } else { 0 })
    }
    fn sum(self, a: Vector) -> Vector {
        let all = a.iter().fold(0, |all, &word| added(all, entry(word).largest, value(word)));
        [all; LANES]
    }
    not_in_columns! {
        madd_low_modulo(Vector, Vector, Vector) -> Vector;
        or(Vector, Vector) -> Vector;
        shift_left<AT: u32>(Vector) -> Vector;
        shift_right<AT: u32>(Vector) -> Vector;
        shift_right_signed<AT: u32>(Vector) -> Vector;
        look_up(Vector, Vector) -> Vector;
        up_two(Vector, Vector) -> Vector;
        add_modulo(Vector, Vector) -> Vector;
        add_in(u8, Vector, Vector) -> Vector;
        equal(Vector, Vector) -> u8;
        above(Vector, Vector) -> u8;
        edges(Vector) -> u64;
        lower_marks<G: usize>() -> u64;
        ones_at(u64) -> Vector;
        beside_16(u64, u64) -> u64;
        beside_32(u64, u64) -> u64;
        marks_down<AT: u32>(u64) -> u64;
        differing(u64, u64) -> u64;
        sum_of_marks(u64, u64) -> u64;
        lanes_where_equal(Vector, Vector) -> Vector;
    }
}

/// Begins a run that leaves one operation out, or none.
fn begin(left_out: usize) {
    ENTRIES.with_borrow_mut(|entries| {
        entries.clear();
        entries.push(NOTHING);
    });
    COUNT.set(0);
    LEFT_OUT.set(left_out);
    HARMLESS.set(false);
}

/// A residue with its padding.
fn residue(shape: &Shape, name: u64) -> Vec<u64> {
    let mut words = vec![0; shape.words()];
    words[LANES..][..shape.limbs].iter_mut().enumerate().for_each(|(i, word)| *word = given(name, i));
    words
}

/// The value of column c of the product of two residues.
fn column(shape: &Shape, a: &[u64], b: &[u64], c: usize) -> u64 {
    let (m, limb) = (shape.limbs, |number: &[u64], i: usize| number[LANES + i]);
    let low = (0..m).filter(|i| (*i..i + m).contains(&c)).map(|i| halves_of(limb(a, i), limb(b, c - i))[0]);
    let high = (0..m).filter(|i| (i + 1..=i + m).contains(&c)).map(|i| halves_of(limb(a, i), limb(b, c - 1 - i))[1]);
    low.chain(high).fold(0, sum)
}

/// Runs a text with `$V` = the number of vectors, if it is one for which there is code of its own, or 0.
macro_rules! with_vectors {
    ($vectors:expr, $V:ident, [$($known:literal)*], $run:expr) => {
        match $vectors {
            $($known => { const $V: usize = $known; $run })*
            _ => { const $V: usize = 0; $run }
        }
    };
}

/// The columns of a product or a square: whether all are right, d columns of zeros below them included. T_hi comes back.
fn product_columns(shape: &Shape, own_code: bool, square: bool, [a, b]: [&[u64]; 2]) -> (bool, Vec<u64>) {
    let (span, shift, m) = (shape.span(), shape.shift(), shape.limbs);
    let mut t = vec![u64::MAX; 2 * span];
    let (a_limbs, b_limbs, out) = (a[LANES..].as_ptr(), b[LANES..].as_ptr(), t.as_mut_ptr());
    let high = out.wrapping_add(span);
    with_vectors!(if own_code { shape.vectors } else { 0 }, V, [1 2 3 4 5 8], {
        // SAFETY: a and b are residues with their padding, and t has twice V vectors.
        unsafe {
            if square {
                squares(FormalRow, shape, out, a_limbs);
                half::<_, false, true, V>(FormalRow, shape, out, a_limbs, a_limbs);
                half::<_, true, true, V>(FormalRow, shape, high, a_limbs, a_limbs);
            } else {
                half::<_, false, false, V>(FormalRow, shape, out, a_limbs, b_limbs);
                half::<_, true, false, V>(FormalRow, shape, high, a_limbs, b_limbs);
            }
        }
    });
    let other = if square { a } else { b };
    let is_right = (0..2 * span).all(|at| {
        let want = if at < shift { 0 } else { column(shape, a, other, at - shift) };
        value(t[at]) == want && entry(t[at]).largest <= 2 * m as u64 * MASK
    });
    (is_right, t.split_off(span))
}

/// The fold of T with these columns of T_hi: whether q and all columns are right.
fn fold_columns(shape: &Shape, own_code: bool, t_high: &[u64]) -> bool {
    let (m, span, shift, vectors) = (shape.limbs, shape.span(), shape.shift(), shape.vectors);
    let row = |i: usize| (0..span).map(move |j| if j < m { given(1000 + i as u64, j) } else { 0 }).collect();
    // C_0 .. C_(m-2), N.
    let rows: Vec<Vec<u64>> = (0..m).map(row).collect();
    let mut table = vec![0; m * span];
    for (first, length) in tiles(vectors, MAX_TILE) {
        for (i, row) in rows.iter().enumerate() {
            let at = LANES * (first * m + i * length);
            table[at..][..LANES * length].copy_from_slice(&row[LANES * first..][..LANES * length]);
        }
    }
    let (mut t, mut d) = (vec![0; 2 * span], vec![0; span]);
    for i in 0..m {
        t[shift + i] = given(10, i);
        d[shift + i] = given(11, i);
    }
    t[span..].copy_from_slice(t_high);
    let fold_table = FoldTable { rows: table.as_ptr(), quotient: d.as_ptr() };
    // SAFETY: t has V vectors, the table is whole.
    let q_sum = unsafe { quotient(FormalRow, shape, t.as_ptr(), fold_table) };
    let q_is_right = value(q_sum[0]) == (shift..span).map(|at| halves_of(t[at], d[at])[0]).fold(0, sum)
        && q_sum == [q_sum[0]; LANES];
    // Its low 52 bits; what is above them is anything.
    let q = listed(Entry { largest: u64::MAX, value: drawn(12, 1), limb: Some(drawn(12, 0)) });
    let carry = listed(Entry { largest: (1 << 13) - 1, value: drawn(13, 0), limb: None });
    let mut carries = [0; LANES];
    carries[0] = carry;
    let mut out = vec![u64::MAX; span];
    with_vectors!(if own_code { vectors } else { 0 }, V, [1 2 3 4 5 8], {
        // SAFETY: t has twice V vectors, out V, the table is whole.
        unsafe { fold::<_, V>(FormalRow, shape, out.as_mut_ptr(), t.as_ptr(), [q; LANES], carries, fold_table) };
    });
    let factor = |i: usize| if i + 1 < m { t[shift + i] } else { q };
    let low = |j: usize| (0..m).map(|i| halves_of(factor(i), rows[i][j])[0]).fold(0, sum);
    let high = |j: usize| (0..m).map(|i| halves_of(factor(i), rows[i][j])[1]).fold(0, sum);
    // Column 0 of S, a multiple of 2^52.
    let dropped = sum(value(t[span - 1]), low(0));
    let columns = (0..span).all(|j| {
        let next = if j + 1 < span { low(j + 1) } else { 0 };
        let first = if j == 0 { sum(value(carry), drawn(dropped, 1)) } else { 0 };
        value(out[j]) == [next, high(j), value(t_high[j]), first].into_iter().fold(0, sum)
    });
    q_is_right && columns
}

/// Everything for a shape, without one of the operations, or with all.
fn row_columns(shape: &Shape, own_code: bool, square: bool, left_out: usize) -> bool {
    begin(left_out);
    let (a, b) = (residue(shape, 1), residue(shape, 2));
    let (is_right, t_high) = product_columns(shape, own_code, square, [&a, &b]);
    is_right && fold_columns(shape, own_code, &t_high)
}

/// All shapes of the kernel with different numbers of limbs.
fn shapes() -> Vec<Shape> {
    let mut all: Vec<Shape> = (1..=MAX_BITS).map(Shape::new).collect();
    all.dedup_by_key(|shape| shape.limbs);
    all
}

#[test]
fn columns_of_every_shape() {
    let everything = std::env::var_os("PINGALA_SMALL_INSTANCES").is_some();
    let all = shapes();
    let last = all.len() - 1;
    let chosen = |at: usize| everything || at <= 40 || at == last || at.is_multiple_of(61);
    let mut count = 0;
    for (_, shape) in all.iter().enumerate().filter(|&(at, _)| chosen(at)) {
        for square in [false, true] {
            for own_code in [false, true] {
                assert!(row_columns(shape, own_code, square, usize::MAX), "{shape:?}, square: {square}");
            }
        }
        count += 1;
    }
    println!("formal: columns of the row kernel: {count} lengths");
}

/// Each addition matters: the run without it gives something else, unless it adds nothing.
#[test]
fn no_addition_to_columns_may_be_left_out() {
    let (mut found, mut harmless) = (0, 0);
    for bits in [128, 600, 1024] {
        let shape = Shape::new(bits);
        for square in [false, true] {
            assert!(row_columns(&shape, true, square, usize::MAX));
            for left_out in 0..COUNT.get() {
                let is_right = row_columns(&shape, true, square, left_out);
                assert!(!is_right || HARMLESS.get(), "{shape:?}, square: {square}, without {left_out}");
                found += usize::from(!is_right);
                harmless += usize::from(is_right);
            }
        }
    }
    println!("formal: {found} additions to columns left out are found, {harmless} add nothing");
}
