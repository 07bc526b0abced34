//! Counts of the Montgomery products at a length, and their energy on a processor.

use crate::processor::Processor;
use pingala_lab::counting::{Count, Instructions, Tally};
use pingala_study::texts::{Operation, Text};
use std::cell::RefCell;
use std::collections::HashMap;

/// Bits of the words that are counted.
pub const WORD_BITS: usize = 32;

/// How a tally is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// A multiplication, and additions apart.
    Risc,
    /// A multiplication that takes one addition in.
    Arm,
}

impl Profile {
    pub const ALL: [Profile; 2] = [Profile::Risc, Profile::Arm];

    pub const fn name(self) -> &'static str {
        match self {
            Profile::Risc => "risc",
            Profile::Arm => "arm",
        }
    }

    pub fn read(self, tally: &Tally) -> Instructions {
        match self {
            Profile::Risc => tally.risc(),
            Profile::Arm => tally.arm(),
        }
    }
}

/// A kind of Montgomery product; Karatsuba's with whatever leaf is the best at a length on a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    Sos,
    Cios,
    Fios,
    Fips,
    Cihs,
    SeparatedComba,
    KaratsubaComba,
    Kcm,
}

impl Method {
    pub const ALL: [Method; 8] = [
        Method::Sos,
        Method::Cios,
        Method::Fios,
        Method::Fips,
        Method::Cihs,
        Method::SeparatedComba,
        Method::KaratsubaComba,
        Method::Kcm,
    ];
    /// Those that multiply as the schoolbook does, which Karatsuba's are compared with.
    pub const BASELINES: [Method; 6] =
        [Method::Sos, Method::Cios, Method::Fios, Method::Fips, Method::Cihs, Method::SeparatedComba];

    pub const fn name(self) -> &'static str {
        self.text().name()
    }

    /// Its text, with the least parameter.
    const fn text(self) -> Text {
        match self {
            // Larger tiles need more registers than these processors have: S^2 words of operands go by a window of S
            // words, S factors and S carries.
            Method::Sos => Text::Sos { tile: 1 },
            Method::Cios => Text::Cios,
            Method::Fios => Text::Fios,
            Method::Fips => Text::Fips,
            Method::Cihs => Text::Cihs,
            Method::SeparatedComba => Text::SeparatedComba,
            Method::KaratsubaComba => Text::KaratsubaComba { leaf: 1 },
            Method::Kcm => Text::Kcm { leaf: 1 },
        }
    }

    /// The texts to choose from at this length: for Karatsuba's, leaves of at least two words that halve it.
    pub fn texts(self, words: usize) -> Vec<Text> {
        let leaves = std::iter::successors(Some(words.div_ceil(2)), |&leaf| Some(leaf.div_ceil(2)));
        let leaves = leaves.take_while(|&leaf| leaf >= 2);
        match self {
            Method::KaratsubaComba => leaves.map(|leaf| Text::KaratsubaComba { leaf }).collect(),
            Method::Kcm => leaves.map(|leaf| Text::Kcm { leaf }).collect(),
            _ => vec![self.text()],
        }
    }
}

thread_local! {
    static COUNTED: RefCell<HashMap<(Text, Operation, usize), Tally>> = RefCell::default();
}

/// The executed tally, counted once.
///
/// # Panics
/// If the text does not take the length.
pub fn tally(text: Text, operation: Operation, words: usize) -> Tally {
    let known = COUNTED.with_borrow(|counted| counted.get(&(text, operation, words)).copied());
    known.unwrap_or_else(|| {
        let tally = text.count(operation, words).expect("the methods name texts that take the length");
        COUNTED.with_borrow_mut(|counted| counted.insert((text, operation, words), tally));
        tally
    })
}

/// One method at one length on one processor, with the best of its texts.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub method: Method,
    pub text: Text,
    pub microjoule: f64,
}

/// The method's best text for this operation, by energy.
pub fn cost(processor: &Processor, profile: Profile, method: Method, operation: Operation, bits: usize) -> Cost {
    let words = bits / WORD_BITS;
    let of = |text| {
        let microjoule = processor.microjoule(&profile.read(&tally(text, operation, words)));
        Cost { method, text, microjoule }
    };
    let costs = method.texts(words).into_iter().map(of);
    costs.min_by(|a, b| a.microjoule.total_cmp(&b.microjoule)).expect("every method has a text")
}

/// What `of` saves against `against`, in percent of the latter.
pub fn saving(of: f64, against: f64) -> f64 {
    100.0 * (1.0 - of / against)
}
