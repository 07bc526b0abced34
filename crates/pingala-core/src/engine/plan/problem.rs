//! Problems: the lengths and known facts of the work, never the numbers themselves.

use super::parts::Divisible;
use crate::algorithm::{ExponentShape, ShapeBits};
use crate::error::Error;
use crate::kernel::registry::Kernel;
use core::fmt;

/// Longest number that a problem may have: no memory holds it.
const MAX_BITS: u64 = 1 << 50;

/// The shape of one coprime factor of a modulus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FactorShape {
    /// Bits of the factor, its multiplicity included.
    pub bits: u64,
    /// Zero bits below its lowest one bit.
    pub trailing_zeros: u64,
    /// Bits that a longer exponent is reduced to: the factor is a power of a prime. None if it is not known to be.
    pub reduced_exponent_bits: Option<u64>,
}

/// One power or many of one shape. The planner sees nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// Bits of the modulus, at least 1.
    pub modulus_bits: u64,
    /// Zero bits below the lowest one bit of the modulus; `modulus_bits - 1` for a power of two.
    pub trailing_zeros: u64,
    /// Each known coprime factor; empty if none is known.
    pub factors: Vec<FactorShape>,
    /// Bits of the exponent (declared width of a secret one), at least 1.
    pub exponent_bits: u64,
    /// One bits of the exponent, if known.
    pub exponent_weight: Option<u64>,
    /// Bits of the base if it has at most 32 bits, so that a product by it is cheap; otherwise none.
    pub short_base_bits: Option<u32>,
    /// Whether exponent and base are secret.
    pub secret: bool,
    /// Number of powers of these lengths.
    pub count: u64,
    /// Whether all of them have the same exponent.
    pub same_exponent: bool,
    /// Whether an even modulus is always done in parts.
    pub in_parts: bool,
    /// Whether the rings that the plan names are kept with the modulus, so that their set-up costs nothing.
    pub prepared: bool,
}

impl Problem {
    /// Longest base whose products are cheaper.
    pub(crate) const SHORT_BASE_BITS: u64 = 32;

    /// Longest exponent whose weight always matters: it has so few products.
    pub(crate) const SHORT_EXPONENT_BITS: u64 = 8;

    /// Whether this number of ones is usual for a random exponent: from a quarter to three quarters of the bits.
    #[inline]
    pub(crate) fn is_usual_weight(weight: u64, exponent_bits: u64) -> bool {
        (exponent_bits..=3 * exponent_bits).contains(&(4 * weight))
    }

    /// One power with a general base: the shape of `pow(base, exponent, modulus)` at these lengths.
    #[inline]
    pub fn new(modulus_bits: u64, exponent_bits: u64) -> Self {
        Self { modulus_bits, exponent_bits, count: 1, ..Self::default() }
    }

    /// Bits of the odd part of the modulus; 1 for a power of two.
    #[inline]
    pub fn odd_bits(&self) -> u64 {
        self.modulus_bits - self.trailing_zeros
    }

    /// Refuses lengths that no numbers have. Error: `bad_argument`.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let possible = |factor: &FactorShape| factor.bits > factor.trailing_zeros;
        if self.modulus_bits <= self.trailing_zeros || !self.factors.iter().all(possible) {
            return Err(Error::BadArgument("the modulus must have more bits than trailing zeros".into()));
        }
        if self.modulus_bits.max(self.exponent_bits) > MAX_BITS {
            return Err(Error::BadArgument(format!("no number is longer than {MAX_BITS} bits")));
        }
        if self.exponent_bits == 0 || self.exponent_weight.is_some_and(|weight| weight > self.exponent_bits) {
            return Err(Error::BadArgument(
                "the exponent must have at least one bit, and no more ones than bits".into(),
            ));
        }
        Ok(())
    }

    /// The part of this problem modulo an odd number of `bits` bits.
    #[inline]
    pub(crate) fn odd_part(&self, bits: u64) -> Part {
        Part {
            kind: if self.in_parts || self.trailing_zeros > 0 { PartKind::OddOfEven } else { PartKind::Odd },
            zero_limbs: 0,
            prepared: self.prepared,
            bits,
            exponent_bits: self.exponent_bits,
            exponent_weight: self.exponent_weight,
            short_base_bits: self.short_base_bits,
            secret: self.secret,
            count: self.count.max(1),
            same_exponent: self.count <= 1 || self.same_exponent,
        }
    }

    /// This problem as one part, if its modulus is even and one run may compute it without splitting.
    #[inline]
    pub(crate) fn whole_part(&self) -> Option<Part> {
        let even = self.trailing_zeros > 0 && self.odd_bits() > 1;
        let may = even && self.factors.is_empty() && !self.secret && !self.in_parts;
        let zero_limbs = self.trailing_zeros / 64;
        may.then(|| Part { kind: PartKind::Even, zero_limbs, ..self.odd_part(self.modulus_bits) })
    }

    /// Whether one run may be cheaper than those of its parts: modulo an even number, with a short exponent.
    #[inline]
    pub(crate) fn may_be_whole(&self) -> bool {
        self.trailing_zeros > 0
            && self.exponent_bits <= Self::SHORT_EXPONENT_BITS
            && self.count <= 1
            && self.whole_part().is_some()
    }

    /// The part modulo 2^k. Odd residues form a group of exponent 2^(k-2), so a public exponent is at most that long;
    /// a secret one keeps its declared width, because whether the base is odd is secret too.
    #[inline]
    pub(crate) fn power_of_two_part(&self, k: u64) -> Part {
        let longest = k.saturating_sub(2).max(1);
        let reduced = !self.secret && self.exponent_bits > longest;
        Part {
            kind: PartKind::PowerOfTwo,
            exponent_bits: if reduced { longest } else { self.exponent_bits },
            exponent_weight: self.exponent_weight.filter(|_| !reduced),
            count: 1,
            same_exponent: true,
            ..self.odd_part(k)
        }
    }
}

impl Divisible for Problem {
    type Part = Part;

    /// A secret power never splits its modulus.
    fn modulus(&self) -> (u64, u64, &[FactorShape]) {
        (self.modulus_bits, self.trailing_zeros, if self.secret { &[] } else { &self.factors })
    }

    fn modulo(&self, factor: FactorShape) -> Self {
        let reduced = factor.reduced_exponent_bits.filter(|&bits| bits < self.exponent_bits);
        Self {
            modulus_bits: factor.bits,
            trailing_zeros: factor.trailing_zeros,
            factors: Vec::new(),
            // The odd part of an even number.
            in_parts: self.in_parts || (self.factors.is_empty() && self.trailing_zeros > 0),
            exponent_bits: reduced.unwrap_or(self.exponent_bits),
            exponent_weight: self.exponent_weight.filter(|_| reduced.is_none()),
            ..*self
        }
    }

    fn part(self) -> Part {
        match self.trailing_zeros {
            0 => self.odd_part(self.modulus_bits),
            k => self.power_of_two_part(k),
        }
    }
}

/// What the modulus of a part is, which says what kernels it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PartKind {
    PowerOfTwo,
    /// An odd modulus.
    Odd,
    /// The odd part of an even modulus: kernels of plain residues would take the whole.
    OddOfEven,
    /// An even modulus as a whole: for kernels of plain residues, all of them kernels for odd moduli too.
    Even,
}

impl PartKind {
    pub(crate) const COUNT: usize = 4;
}

/// One part of a problem that one kernel can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    /// Limbs of zeros at the bottom of an even modulus: a division leaves them out.
    pub(crate) zero_limbs: u64,
    /// See [`Problem::prepared`].
    pub(crate) prepared: bool,
    /// Bits of the modulus, or the power k of 2^k; at least 1.
    pub(crate) bits: u64,
    /// Bits of the exponent, at least 1.
    pub(crate) exponent_bits: u64,
    /// One bits of the exponent, if known.
    pub(crate) exponent_weight: Option<u64>,
    /// See [`Problem::short_base_bits`].
    pub(crate) short_base_bits: Option<u32>,
    /// Whether exponent and base are secret.
    pub(crate) secret: bool,
    /// How many powers of these lengths could share lanes; 1 for a power of two, for which no kernel has lanes.
    pub(crate) count: u64,
    /// Whether they have the same exponent; one power has.
    pub(crate) same_exponent: bool,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = match self.kind {
            PartKind::PowerOfTwo => "a",
            PartKind::OddOfEven => "the odd part of an even number, an",
            PartKind::Odd | PartKind::Even => "an",
        };
        write!(f, "{article} {} of {} bits", self.kind_name(), self.bits)
    }
}

impl Part {
    /// One operation modulo a number that is odd or a power of two.
    pub(crate) fn of_modulus(modulus_bits: u64, trailing_zeros: u64, secret: bool) -> Self {
        Problem { trailing_zeros, secret, ..Problem::new(modulus_bits, 1) }.part()
    }

    /// Whether its kernels are those for odd moduli; otherwise those for powers of two.
    #[inline]
    pub(crate) fn is_odd(&self) -> bool {
        self.kind != PartKind::PowerOfTwo
    }

    /// What its modulus is.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self.kind {
            PartKind::Even => "even modulus",
            PartKind::Odd | PartKind::OddOfEven => "odd modulus",
            PartKind::PowerOfTwo => "power of two",
        }
    }

    /// Whether a kernel may take it.
    pub(crate) fn suits(&self, kernel: Kernel) -> bool {
        match self.kind {
            PartKind::Even => kernel.entry().plain,
            PartKind::OddOfEven => !kernel.entry().plain,
            _ => true,
        }
    }

    /// The weight, if it is far from that of a random exponent, or if the exponent has few bits.
    #[inline]
    pub(crate) fn unusual_weight(&self) -> Option<u64> {
        let short = self.exponent_bits <= Problem::SHORT_EXPONENT_BITS;
        self.exponent_weight.filter(|&weight| short || !Problem::is_usual_weight(weight, self.exponent_bits))
    }

    /// The part that has the same plan, without details that do not matter: whole limbs, no usual weight of a longer exponent.
    #[inline]
    pub(crate) fn canonical(&self) -> Self {
        Self {
            bits: 64 * self.limbs() as u64,
            exponent_weight: self.unusual_weight(),
            short_base_bits: self.short_base_bits.map(|_| 32),
            // From here on lanes that stay empty do not matter.
            count: self.count.min(1 << 10),
            ..*self
        }
    }

    /// The facts that an algorithm's expected cost depends on.
    pub(crate) fn exponent_shape(&self) -> ExponentShape {
        ExponentShape { bits: self.exponent_bits as usize, weight: self.exponent_weight.map(|weight| weight as usize) }
    }

    /// 64-bit limbs of a residue.
    #[inline]
    pub(crate) fn limbs(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }
}

/// The shape of a fixed base's work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FixedBaseProblem {
    /// Bits of the modulus, at least 1.
    pub modulus_bits: u64,
    /// Zero bits below the lowest one bit of the modulus.
    pub trailing_zeros: u64,
    /// Whether the base is even: then its powers modulo a power of two are soon 0.
    pub even_base: bool,
    /// Bits of the longest exponent, at least 1.
    pub exponent_bits: u64,
    /// Bytes that the tables may hold.
    pub memory_bytes: u64,
    /// How many powers are expected, at least 1: they share the cost of building.
    pub uses: u64,
    /// Whether most of them come in lists, in which eight may share the lanes.
    pub in_lists: bool,
    /// Whether the exponents are secret: only methods with a uniform run, on constant-time kernels, modulo odd numbers.
    pub secret: bool,
}

/// A modulus and powers modulo it that share work: powers of one base, or the factors of a product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShapeProblem {
    /// Bits of the modulus, at least 1.
    pub modulus_bits: u64,
    /// Zero bits below the lowest one bit of the modulus; `modulus_bits - 1` for a power of two.
    pub trailing_zeros: u64,
    /// Each coprime factor, if they are known; otherwise empty.
    pub factors: Vec<FactorShape>,
    /// Most bytes that the residues of a run may take.
    pub memory_bytes: u64,
    /// What is to be done.
    pub work: ShapeBits,
}
