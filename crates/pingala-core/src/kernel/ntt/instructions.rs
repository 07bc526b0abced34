//! The instruction families as one type: what is outside of [`FieldProgram`]s is compiled once for all of them.

#[cfg(target_arch = "x86_64")]
use super::avx2::FourOnAvx2;
use super::compiled::{CompiledField, FieldProgram};
use super::field::{FactorWords, Field};
use super::scalar::Scalar;
#[cfg(test)]
use super::tests::{Bounds, PlainFour};
#[cfg(any(test, target_arch = "x86_64"))]
use super::{doubles::DoubleField, eight::Eight};
#[cfg(target_arch = "x86_64")]
use crate::kernel::vector::avx512::Avx512;
#[cfg(test)]
use crate::kernel::vector::plain::Plain;

/// An instruction family that this CPU has, with the constants of its field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instructions {
    family: Family,
    /// [`Field::LOG`].
    pub(super) log: u32,
    /// [`Field::LEVELS`].
    pub(super) levels: u32,
    /// [`Field::FACTORS`].
    pub(super) factors: FactorWords,
}

/// The families, and what calls the field of a value.
macro_rules! families {
    ($($(#[$attribute:meta])* $family:ident($field:ty),)+) => {
        #[derive(Clone, Copy, Debug)]
        enum Family {
            $($(#[$attribute])* $family($field),)+
        }

        $($(#[$attribute])*
        impl From<$field> for Instructions {
            fn from(field: $field) -> Self {
                let (log, levels, factors) = (<$field>::LOG, <$field>::LEVELS, <$field>::FACTORS);
                Self { family: Family::$family(field), log, levels, factors }
            }
        })+

        impl Instructions {
            /// [`CompiledField::run`].
            pub(super) fn run(self, program: impl FieldProgram) {
                match self.family {
                    $($(#[$attribute])* Family::$family(field) => field.run(program),)+
                }
            }
        }
    };
}

families! {
    #[cfg(target_arch = "x86_64")]
    Ifma(Eight<Avx512>),
    #[cfg(target_arch = "x86_64")]
    Fma(DoubleField<FourOnAvx2>),
    Words(Scalar),
    #[cfg(test)]
    PlainEight(Eight<Plain>),
    #[cfg(test)]
    PlainFour(DoubleField<PlainFour>),
    #[cfg(test)]
    Bounds1(Bounds<0>),
    #[cfg(test)]
    Bounds4(Bounds<2>),
    #[cfg(test)]
    Bounds8(Bounds<3>),
}

impl Instructions {
    /// Vectors of 52-bit multiply-accumulate, if this CPU has them.
    pub(super) fn ifma() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let found = Avx512::detected().map(|ops| Eight(ops).into());
        #[cfg(not(target_arch = "x86_64"))]
        let found = None;
        found
    }

    /// Doubles with fused multiply-add, if this CPU has them.
    pub(super) fn doubles() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let found = FourOnAvx2::new().map(|ops| DoubleField(ops).into());
        #[cfg(not(target_arch = "x86_64"))]
        let found = None;
        found
    }

    /// The quickest that this CPU has.
    pub(super) fn quickest() -> Self {
        Self::ifma().or_else(Self::doubles).unwrap_or(Scalar.into())
    }
}
