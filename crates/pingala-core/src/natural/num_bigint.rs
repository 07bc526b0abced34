//! Numbers of the crate num-bigint, both ways: of version 0.5, and of 0.4 for programs that have not moved.

/// The conversions from and to one version of the crate.
macro_rules! conversions {
    ($module:ident, $library:ident) => {
        mod $module {
            use crate::error::Error;
            use crate::natural::{Integer, Natural};
            use $library::{BigInt, BigUint, Sign};

            impl From<&BigUint> for Natural {
                fn from(value: &BigUint) -> Self {
                    Self::from_limbs(&value.to_u64_digits())
                }
            }

            impl From<&Natural> for BigUint {
                fn from(value: &Natural) -> Self {
                    let halves = value.limbs().iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
                    Self::new(halves.collect())
                }
            }

            impl From<&BigInt> for Integer {
                fn from(value: &BigInt) -> Self {
                    Self::new(value.sign() == Sign::Minus, value.magnitude().into())
                }
            }

            impl From<&BigUint> for Integer {
                fn from(value: &BigUint) -> Self {
                    Natural::from(value).into()
                }
            }

            impl From<&Integer> for BigInt {
                fn from(value: &Integer) -> Self {
                    let sign = if value.is_negative() { Sign::Minus } else { Sign::Plus };
                    Self::from_biguint(sign, value.magnitude().into())
                }
            }

            from_values! { BigUint => Natural, Natural => BigUint, BigInt => Integer, BigUint => Integer, Integer => BigInt }

            impl From<Natural> for BigInt {
                fn from(value: Natural) -> Self {
                    BigUint::from(value).into()
                }
            }

            /// Error: `bad_argument` for a negative number.
            impl TryFrom<&BigInt> for Natural {
                type Error = Error;

                fn try_from(value: &BigInt) -> Result<Self, Error> {
                    match value.sign() {
                        Sign::Minus => Err(Error::BadArgument("the number is negative; expected 0 or more".into())),
                        _ => Ok(value.magnitude().into()),
                    }
                }
            }

            /// Error: `bad_argument` for a negative number.
            impl TryFrom<BigInt> for Natural {
                type Error = Error;

                fn try_from(value: BigInt) -> Result<Self, Error> {
                    Self::try_from(&value)
                }
            }
        }
    };
}

#[cfg(any(test, feature = "num-bigint"))]
conversions!(current, num_bigint);
#[cfg(feature = "num-bigint-04")]
conversions!(version_0_4, num_bigint_04);

#[cfg(test)]
#[path = "../../tests/inside/natural/num_bigint.rs"]
mod tests;
