//! What a call gives, by its definition.

use super::{Call, Element, Workload};
use num_bigint::{BigInt, BigUint};

/// The answer of an element: a number, or the code of an error.
pub(super) type Answer = Result<BigUint, &'static str>;

/// The answer of each element.
pub(super) fn answers(call: &Call) -> Vec<Answer> {
    if call.workload == Workload::RunningProduct {
        let m = &call.moduli[0].value;
        let next = |product: &mut BigUint, element: &Element| {
            *product = &*product * residue(&element.powers[0].0, m) % m;
            Some(Ok(product.clone()))
        };
        return call.elements.iter().scan(BigUint::from(1u32), next).collect();
    }
    call.elements.iter().map(|element| answer(call, element)).collect()
}

/// The first of these that applies: a zero modulus, an exponent over the cap, modulo 1 everything is 0, a base without inverse, the
/// product of the powers.
fn answer(call: &Call, Element { modulus, powers }: &Element) -> Answer {
    let m = &call.moduli[*modulus].value;
    if m.bits() == 0 {
        return Err("zero_modulus");
    }
    if powers.iter().any(|(_, exponent, ..)| call.length(exponent) > call.settings.exponent_cap) {
        return Err("too_long");
    }
    // The inverse modulo 1 is 0 for a power; a call for an inverse says the same.
    if m.bits() == 1 {
        return Ok(BigUint::ZERO);
    }
    if call.workload.multiplies() {
        let mut factors = powers.iter().map(|(a, b, ..)| (residue(a, m), residue(b, m)));
        let one = BigUint::from(1u32);
        return Ok(match call.workload {
            Workload::ValueProduct => factors.fold(one, |product, (a, _)| product * a % m),
            workload => factors.next().map_or(one, |(a, b)| match workload {
                Workload::SquareList => &a * &a % m,
                // (ab)^2 a^5
                Workload::ResidueChain => (&a * b).pow(2) * a.pow(5) % m,
                _ => a * b % m,
            }),
        });
    }
    powers
        .iter()
        .try_fold(BigUint::from(1u32), |product, (base, exponent, ..)| Ok(product * power(base, exponent, m)? % m))
}

/// base^exponent mod m, by squarings and multiplications.
fn power(base: &BigInt, exponent: &BigInt, m: &BigUint) -> Answer {
    let residue = residue(base, m);
    let base =
        if exponent.sign() == num_bigint::Sign::Minus { residue.modinv(m).ok_or("not_invertible")? } else { residue };
    let mut power = BigUint::from(1u32);
    for position in (0..exponent.bits()).rev() {
        power = &power * &power % m;
        if exponent.magnitude().bit(position) {
            power = power * &base % m;
        }
    }
    Ok(power)
}

/// The residue in [0, m).
fn residue(value: &BigInt, m: &BigUint) -> BigUint {
    let rest = value.magnitude() % m;
    if value.sign() == num_bigint::Sign::Minus && rest != BigUint::ZERO { m - rest } else { rest }
}

/// Whether a call may end with `bad_plan`: only if a kernel is forced, which may not fit the numbers.
pub(super) fn may_not_fit(call: &Call) -> bool {
    call.settings.kernel.is_some() && call.workload != Workload::Modexp
}
