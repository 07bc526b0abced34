//! The word that counts.

use super::tally::{Kind, Tally};
use core::cell::RefCell;
use pingala_core::texts::{Accumulator, Word};

thread_local! {
    static TALLY: RefCell<Tally> = const { RefCell::new(Tally::ZERO) };
}

fn tick(kind: Kind) {
    TALLY.with_borrow_mut(|tally| tally.tick(kind));
}

/// What `work` asks of counting words on this thread.
pub fn tally_of(work: impl FnOnce()) -> Tally {
    let outer = TALLY.replace(Tally::ZERO);
    work();
    TALLY.replace(outer)
}

/// A word that computes as `W` does and ticks off what it is asked, one [`Kind`] to a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted<W>(pub W);

/// (low, high) or (low, carry) of the inner word.
fn wrap<W, C>((low, rest): (W, C)) -> (Counted<W>, C) {
    (Counted(low), rest)
}

impl<W: Word> Word for Counted<W> {
    const BITS: u32 = W::BITS;
    const ZERO: Self = Self(W::ZERO);
    const ONE: Self = Self(W::ONE);
    const MAX: Self = Self(W::MAX);

    fn mul_wide(self, other: Self) -> (Self, Self) {
        tick(Kind::Multiply);
        let (low, high) = self.0.mul_wide(other.0);
        (Self(low), Self(high))
    }
    fn mul_low(self, other: Self) -> Self {
        tick(Kind::MultiplyLow);
        Self(self.0.mul_low(other.0))
    }
    fn mul_add(self, other: Self, addend: Self) -> (Self, Self) {
        tick(Kind::MultiplyAdd);
        let (low, high) = self.0.mul_add(other.0, addend.0);
        (Self(low), Self(high))
    }
    fn mul_add_carry(self, other: Self, addend: Self, carry: Self) -> (Self, Self) {
        tick(Kind::MultiplyAddCarry);
        let (low, high) = self.0.mul_add_carry(other.0, addend.0, carry.0);
        (Self(low), Self(high))
    }
    fn accumulate(accumulator: &mut Accumulator<Self>, a: Self, b: Self) {
        tick(Kind::Accumulate);
        let mut sum = Accumulator { low: accumulator.low.0, mid: accumulator.mid.0, high: accumulator.high.0 };
        W::accumulate(&mut sum, a.0, b.0);
        *accumulator = Accumulator { low: Self(sum.low), mid: Self(sum.mid), high: Self(sum.high) };
    }
    fn add_out(self, other: Self) -> (Self, bool) {
        tick(Kind::Add);
        wrap(self.0.add_out(other.0))
    }
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool) {
        tick(Kind::AddCarry);
        wrap(self.0.add_carry(other.0, carry))
    }
    fn sub_out(self, other: Self) -> (Self, bool) {
        tick(Kind::Subtract);
        wrap(self.0.sub_out(other.0))
    }
    fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool) {
        tick(Kind::SubtractBorrow);
        wrap(self.0.sub_borrow(other.0, borrow))
    }
    fn shift_right(self, count: u32) -> Self {
        tick(Kind::Shift);
        Self(self.0.shift_right(count))
    }
    fn shift_left(self, count: u32) -> Self {
        tick(Kind::Shift);
        Self(self.0.shift_left(count))
    }
    fn mask(condition: bool) -> Self {
        tick(Kind::Mask);
        Self(W::mask(condition))
    }
    fn select(mask: Self, if_set: Self, if_clear: Self) -> Self {
        tick(Kind::Select);
        Self(W::select(mask.0, if_set.0, if_clear.0))
    }
    fn flip(self, mask: Self) -> Self {
        tick(Kind::Select);
        Self(self.0.flip(mask.0))
    }
    fn is_zero(self) -> bool {
        tick(Kind::Compare);
        self.0.is_zero()
    }
    fn load(&self) -> Self {
        tick(Kind::Load);
        *self
    }
    fn store(&mut self, value: Self) {
        tick(Kind::Store);
        *self = value;
    }
    fn turn() {
        tick(Kind::Turn);
    }
    fn from_u64(value: u64) -> Self {
        Self(W::from_u64(value))
    }
    fn to_u64(self) -> u64 {
        self.0.to_u64()
    }
}
