//! Vectors of formal words: the text of a kernel runs once for a length, and the run proves its columns for all operands of that length.
//!
//! A word is not a number but what is known of every number that can stand there:
//!
//! - The largest one. Each operation takes the largest of its operands to the largest of its result, and refuses sums of 2^64 or more.
//! - Its value as a linear form in halves of products of limbs, in carries, and in the limbs that were given. The form is evaluated modulo
//!   the prime P = 2^61 - 1, where each of these has a value of its own that looks random; a low half is the product of its limbs
//!   less b times the high half, and a limb that is taken from a sum is the sum less b times its carry. Two different forms agree with a
//!   probability of about 2^-60.
//! - If it is a limb that was given, and not a sum, the value of the limb: what lies above its 52 bits is anything.
//!
//! A quotient limb is q = m' + m' x' mod b of a sum x', as `lanes/product.rs` computes it. The carry of that x' is the one that
//! Montgomery.lazy_quotient and Montgomery.lazy_carry prove: x' - (b - 1) + lo(q m_0), divided by b.

use super::{LANES, Lanes, MASK, Task, VectorUnit};
use core::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The prime 2^61 - 1.
const P: u64 = (1 << 61) - 1;
/// b^-1 modulo P.
const B_INVERSE: u64 = 1 << 9;

pub(crate) fn sum(a: u64, b: u64) -> u64 {
    (a + b) % P
}

pub(crate) fn difference(a: u64, b: u64) -> u64 {
    (a + P - b) % P
}

pub(crate) fn product(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(P)) as u64
}

/// A value that depends on both and looks random.
pub(crate) fn drawn(a: u64, b: u64) -> u64 {
    let mut x = a ^ b.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        x = (x ^ x >> 30).wrapping_mul(factor);
        x ^= x >> 29;
    }
    x % P
}

/// What is known of a word.
#[derive(Clone, Copy, Debug)]
struct Word {
    largest: u64,
    value: u64,
    /// The value of its low 52 bits, if it is a limb that was given.
    limb: Option<u64>,
}

thread_local! {
    /// m' and m_0, and the quotient limb that each x' has.
    static MODULUS: Cell<[u64; 2]> = const { Cell::new([0; 2]) };
    static QUOTIENTS: RefCell<HashMap<u64, u64>> = RefCell::default();
    /// Operations so far, and the one that is left out.
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static LEFT_OUT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// Whether that one adds nothing.
    static NOTHING: Cell<bool> = const { Cell::new(false) };
}

impl Word {
    fn of(words: [u64; LANES]) -> Self {
        let [largest, value, is_limb, limb, ..] = words;
        Self { largest, value, limb: (is_limb == 1).then_some(limb) }
    }

    fn words(self) -> [u64; LANES] {
        let [is_limb, limb] = self.limb.map_or([0; 2], |limb| [1, limb]);
        [self.largest, self.value, is_limb, limb, 0, 0, 0, 0]
    }

    /// The value of floor(word / b).
    fn carry(self) -> u64 {
        let Some(q) = QUOTIENTS.with_borrow(|quotients| quotients.get(&self.value).copied()) else {
            return drawn(self.value, 1);
        };
        let [_, m_0] = MODULUS.get();
        product(sum(difference(self.value, MASK % P), halves(q, m_0)[0]), B_INVERSE)
    }

    /// The value of word mod b.
    fn limb(self) -> u64 {
        self.limb.unwrap_or_else(|| difference(self.value, product(1 << 52, self.carry())))
    }

    /// The word with `half`, which is at most `largest`, added.
    fn plus(self, half: u64, largest: u64) -> Self {
        let largest = self.largest.checked_add(largest).expect("a sum below 2^64");
        Self { largest, value: sum(self.value, half), limb: None }
    }
}

/// The values of the low and of the high half of a product of limbs.
pub(crate) fn halves(a: u64, b: u64) -> [u64; 2] {
    let high = drawn(a.min(b), a.max(b));
    [difference(product(a, b), product(1 << 52, high)), high]
}

/// A limb that is given, whose bits above the lowest 52 may be anything.
pub(crate) fn given(name: u64, index: usize) -> Lanes {
    let limb = drawn(name, index as u64 + 2);
    Lanes(Word { largest: u64::MAX, value: drawn(limb, 3), limb: Some(limb) }.words())
}

/// A limb that is given, below b.
pub(crate) fn given_below(name: u64, index: usize) -> Lanes {
    let limb = drawn(name, index as u64 + 2);
    Lanes(Word { largest: MASK, value: limb, limb: Some(limb) }.words())
}

/// Begins a run modulo a number with these m' and m_0, which leaves one operation out, or none.
pub(crate) fn begin(m_prime: &Lanes, m_0: &Lanes, left_out: usize) {
    MODULUS.set([Word::of(m_prime.0).limb(), Word::of(m_0.0).limb()]);
    QUOTIENTS.with_borrow_mut(HashMap::clear);
    COUNT.set(0);
    LEFT_OUT.set(left_out);
    NOTHING.set(false);
}

/// Operations of the run.
pub(crate) fn operations() -> usize {
    COUNT.get()
}

/// The value of a number in limbs, low bits only, and of the carry out of its highest limb.
pub(crate) fn number(limbs: &[Lanes]) -> [u64; 2] {
    let value = limbs.iter().rev().fold(0, |value, limb| sum(product(value, 1 << 52), Word::of(limb.0).limb()));
    [value, limbs.last().map_or(0, |limb| Word::of(limb.0).carry())]
}

/// b^n.
pub(crate) fn power(n: usize) -> u64 {
    (0..n).fold(1, |value, _| product(value, 1 << 52))
}

/// Whether the operation that was left out would have added 0.
pub(crate) fn nothing_is_left_out() -> bool {
    NOTHING.get()
}

/// Whether the operation, which adds this value, is left out.
fn is_left_out(value: u64) -> bool {
    let count = COUNT.get();
    COUNT.set(count + 1);
    let is_this = count == LEFT_OUT.get();
    if is_this {
        NOTHING.set(value == 0);
    }
    is_this
}

/// The unit of formal words, all lanes alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formal;

#[allow(unsafe_code)]
impl VectorUnit for Formal {
    type Vector = [u64; LANES];

    fn run_task<T: Task>(self, task: T) {
        task.run(self);
    }
    fn splat(self, word: u64) -> Self::Vector {
        Word { largest: word, value: word % P, limb: (word <= MASK).then_some(word) }.words()
    }
    fn transposed(self, _: [&[u64; LANES]; LANES]) -> [Self::Vector; LANES] {
        unreachable!("not in products")
    }
    #[inline(never)]
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        let b = Word::of(b);
        if is_left_out(b.value) { a } else { Word::of(a).plus(b.value, b.largest).words() }
    }
    fn add_signed(self, _: Self::Vector, _: Self::Vector) -> Self::Vector {
        unreachable!("not in products")
    }
    fn sub_signed(self, _: Self::Vector, _: Self::Vector) -> Self::Vector {
        unreachable!("not in products")
    }
    /// By the mask of a limb only.
    #[inline(never)]
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        assert_eq!(b, self.splat(MASK), "the mask of a limb");
        let limb = Word::of(a).limb();
        if is_left_out(limb) { a } else { Word { largest: MASK, value: limb, limb: Some(limb) }.words() }
    }
    #[inline(never)]
    fn carry(self, a: Self::Vector) -> Self::Vector {
        let a = Word::of(a);
        let carry = Word { largest: a.largest >> 52, value: a.carry(), limb: None };
        if is_left_out(carry.value) { self.splat(0) } else { carry.words() }
    }
    fn signed_carry(self, _: Self::Vector) -> Self::Vector {
        unreachable!("not in products")
    }
    #[inline(never)]
    fn madd_low(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        let low = halves(Word::of(a).limb(), Word::of(b).limb())[0];
        if is_left_out(low) {
            return sum;
        }
        let (sum, a, b) = (Word::of(sum), Word::of(a), Word::of(b));
        let m_prime = Some(MODULUS.get()[0]);
        if b.limb == m_prime && sum.limb == m_prime {
            // A new quotient limb, in whatever is above it.
            let q = drawn(a.value, 4);
            QUOTIENTS.with_borrow_mut(|quotients| quotients.insert(a.value, q));
            return Word { limb: Some(q), ..sum.plus(drawn(q, 5), MASK) }.words();
        }
        sum.plus(low, MASK).words()
    }
    #[inline(never)]
    fn madd_high(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        let high = halves(Word::of(a).limb(), Word::of(b).limb())[1];
        if is_left_out(high) { sum } else { Word::of(sum).plus(high, MASK - 1).words() }
    }
    fn with_lane(self, _: Self::Vector, _: Self::Vector, _: usize) -> Self::Vector {
        unreachable!("not in products")
    }
    fn select(self, _: Self::Vector, _: Self::Vector, _: Self::Vector) -> Self::Vector {
        unreachable!("not in products")
    }
}
