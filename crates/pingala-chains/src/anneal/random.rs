//! A source of choices that gives the same for the same seed on every machine.

/// Steele, Lea and Flood's SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        let z = mixed(self.0).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = self.0.wrapping_add(STEP);
        z ^ (z >> 31)
    }

    /// A number below n, nearly uniform.
    #[inline]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Another number for each number: the first half of a step.
#[inline]
pub(super) fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(STEP);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 27)
}
