//! The elements of a chain that is being built, and sets of their places as the bits of a word.

/// More places than any chain up to [`super::MAX_EXACT`] needs.
pub(super) const PLACES: usize = 32;

/// a_0 to a_i, increasing, zeros behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places(pub(super) [u32; PLACES]);

impl Places {
    /// The set of only 1.
    pub(super) fn new() -> Self {
        let mut places = [0; PLACES];
        places[0] = 1;
        Self(places)
    }

    /// The place of a value, as a set; of a value above 0.
    #[inline]
    pub(super) fn of(&self, value: u32) -> u32 {
        // Without a branch, for the compiler to take many at a time.
        self.0.iter().enumerate().fold(0, |set, (place, &element)| set | u32::from(element == value) << place)
    }

    /// The places of all pairs among a_0 to a_i with this sum: none if it is no sum.
    #[inline]
    pub(super) fn of_sum(&self, i: usize, sum: u32) -> u32 {
        let mut set = 0;
        for high in (0..i + 1).rev() {
            let element = self.0[high];
            if 2 * element < sum {
                break;
            }
            if element < sum {
                let low = self.of(sum - element);
                set |= if low == 0 { 0 } else { low | 1 << high };
            }
        }
        set
    }

    /// The elements at a set of places.
    pub(super) fn at(&self, set: u32) -> impl Iterator<Item = u32> + '_ {
        (0..PLACES).filter(move |place| set >> place & 1 == 1).map(|place| self.0[place])
    }

    /// The sums of two of a_0 to a_i from `least` on and below `end`, of the pairs of places (the higher first) that are wanted, each
    /// once, decreasing, behind what the stack holds.
    #[inline]
    pub(super) fn push_sums(
        &self,
        i: usize,
        (least, end): (u32, u32),
        is_wanted: impl Fn(usize, usize, u32) -> bool,
        stack: &mut Vec<u32>,
    ) {
        let from = stack.len();
        for high in (0..i + 1).rev() {
            let element = self.0[high];
            if 2 * element < least {
                break;
            }
            for low in (0..high + 1).rev() {
                let sum = element + self.0[low];
                if sum < least {
                    break;
                }
                if sum < end && is_wanted(high, low, sum) {
                    stack.push(sum);
                }
            }
        }
        stack[from..].sort_unstable_by(|a, b| b.cmp(a));
        let mut kept = from;
        for at in from..stack.len() {
            if at == from || stack[at] != stack[kept - 1] {
                stack[kept] = stack[at];
                kept += 1;
            }
        }
        stack.truncate(kept);
    }
}
