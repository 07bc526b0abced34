//! The lengths at which a kernel changes its way of computing, and their values.

/// A threshold of a kernel: a length from which, or up to which, the kernel uses another algorithm. Every legal value gives the
/// same results; the prices of a CPU name the quickest.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// The name in plans.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The default value.
    pub usual: u8,
    /// The least legal value.
    pub least: u8,
    /// The greatest legal value.
    pub most: u8,
    /// Whether it affects the conversion of numbers into the form; otherwise it affects products.
    pub of_entering: bool,
    /// The values that the tuner compares with the default.
    pub tried: &'static [u8],
    /// Lengths of moduli, in limbs of 64 bits, at which the tuner compares.
    pub lengths: &'static [usize],
}

/// The largest number of thresholds that a kernel has.
const MOST_THRESHOLDS: usize = 5;

/// A value for each threshold of a kernel, in the order of the kernel's registry row; unused places are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings([u8; MOST_THRESHOLDS]);

impl Settings {
    /// The default values.
    pub(super) fn usual(thresholds: &[Threshold]) -> Self {
        let mut values = [0; MOST_THRESHOLDS];
        for (value, threshold) in values.iter_mut().zip(thresholds) {
            *value = threshold.usual;
        }
        Self(values)
    }

    /// The value of the threshold at this place in the registry row.
    pub fn get(&self, place: usize) -> usize {
        self.0[place].into()
    }

    /// Returns these settings with one value changed. None if the name is unknown or the value is not legal.
    pub fn with(mut self, thresholds: &[Threshold], name: &str, value: usize) -> Option<Self> {
        let place = thresholds.iter().position(|threshold| threshold.name == name)?;
        let Threshold { least, most, .. } = thresholds[place];
        self.0[place] = u8::try_from(value).ok().filter(|value| (least..=most).contains(value))?;
        Some(self)
    }
}
