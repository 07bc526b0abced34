//! The strong Lucas test with Selfridge's parameters.

use crate::arith::{from_ubig, inverse_word, is_square, to_ubig};
use crate::jacobi::jacobi_words;
use crate::montgomery::Montgomery;
use crate::test::go_on;
use core::array::from_fn;
use dashu_int::UBig;
use pingala_core::{Error, Modulus, Natural, Options};

/// Discriminants that are tried before a square is looked for: half of the numbers need one, and squares have none.
const TRIES_BEFORE_SQUARE: usize = 8;

/// Steps from V_k to V_2k that one call computes, where one by one each would be a division.
const STEPS_AT_ONCE: u64 = 256;

/// Fewer steps than this go one by one.
const FEWEST_STEPS: u64 = 16;

/// What the search for the discriminant finds.
enum Parameters {
    /// D, with Jacobi symbol (D/n) = -1.
    Discriminant(i64),
    /// n is a square, or shares a factor with a D below n.
    Composite,
}

/// (D/n) for an odd n and a small odd D.
fn symbol(d: i64, n: &Natural) -> i32 {
    let size = d.unsigned_abs();
    let low = n.limbs().first().copied().unwrap_or(0);
    // (-1/n), and reciprocity: both are odd.
    let mut sign = if d < 0 && low % 4 == 3 { -1 } else { 1 };
    if size % 4 == 3 && low % 4 == 3 {
        sign = -sign;
    }
    sign * jacobi_words(n % size, size)
}

/// The first D of 5, -7, 9, -11, ... with (D/n) = -1, for an odd n above 1 [baillie1980lucas, method A].
fn selfridge(n: &Natural) -> Parameters {
    let mut size = 5;
    for tries in 0.. {
        if tries == TRIES_BEFORE_SQUARE && is_square(n) {
            return Parameters::Composite;
        }
        let d = if size % 4 == 1 { size } else { -size };
        match symbol(d, n) {
            -1 => return Parameters::Discriminant(d),
            // n itself may be the common factor; then the next D serves.
            0 if !divides(n, size.unsigned_abs()) => return Parameters::Composite,
            _ => size += 2,
        }
    }
    Parameters::Composite
}

/// Whether n divides a small number.
fn divides(n: &Natural, word: u64) -> bool {
    n.limbs().len() == 1 && word.is_multiple_of(n.limbs()[0])
}

/// Q^-1 mod n for a small Q of either sign; none if they have a factor in common.
fn inverse_of_small(q: i64, n: &Natural) -> Option<UBig> {
    let size = q.unsigned_abs();
    let m = to_ubig(n);
    // 1 + n t = 0 (mod Q) for t = -1/n mod Q.
    let t = if size == 1 { 0 } else { size - inverse_word(n % size, size)? };
    let inverse = (UBig::ONE + &m * t) / size;
    let inverse = inverse % &m;
    Some(if q < 0 && inverse != UBig::ZERO { m - inverse } else { inverse })
}

/// Whether n, odd and above 1, is a prime or a strong Lucas pseudoprime with Selfridge's parameters P = 1, Q = (1 - D) / 4
/// [baillie1980lucas]: with n + 1 = 2^s d, d odd, U_d = 0 or V_(2^j d) = 0 for some j < s.
///
/// Two products to a bit, where the textbook has up to four. Let V'_k be the sequence with parameters P' = 1/Q - 2 and Q' = 1, and U'_k
/// its companion. For a, b the roots of x^2 - x + Q the roots of the primed polynomial are a/b and b/a, so that
///
/// - V_2k = Q^k V'_k: for j > 0 the condition is V'_(2^(j-1) d) = 0;
/// - V_d^2 = Q^d (V'_d + 2), D U_d^2 = Q^d (V'_d - 2) and U_d V_d = Q^(d-1) U'_d. Modulo each prime p of n, V'_d = 2 means that p divides
///   U_d, and then not V_d, as V_d^2 - D U_d^2 = 4 Q^d. So U_d = 0 modulo n exactly if V'_d = 2 and U'_d = 0, also if n has squares, and
///   V_d = 0 exactly if V'_d = -2 and U'_d = 0.
/// - D' U'_d = 2 V'_(d+1) - P' V'_d with D' = D / Q^2: if V'_d = ±2, then U'_d = 0 exactly if V'_(d+1) = ±P'.
///
/// A number that shares a factor with Q below it is composite. Errors: those of [`Modulus::lucas`].
pub(crate) fn is_strong_lucas_probable_prime(modulus: &Modulus, options: &Options<'_>) -> Result<bool, Error> {
    let n = modulus.value();
    let d = match selfridge(n) {
        Parameters::Discriminant(d) => d,
        Parameters::Composite => return Ok(false),
    };
    let Some(inverse) = inverse_of_small((1 - d) / 4, n) else { return Ok(false) };
    let m = to_ubig(n);
    let p = (inverse + &m + &m - 2u8) % &m;
    let next = n + 1;
    let s = next.trailing_zeros();
    let index = &next >> s;
    match n.limbs().len() {
        1 => Ok(in_registers::<1>(n, &p, &index, s)),
        2 => Ok(in_registers::<2>(n, &p, &index, s)),
        3 => Ok(in_registers::<3>(n, &p, &index, s)),
        4 => Ok(in_registers::<4>(n, &p, &index, s)),
        5 => Ok(in_registers::<5>(n, &p, &index, s)),
        6 => Ok(in_registers::<6>(n, &p, &index, s)),
        _ => in_memory(modulus, &from_ubig(&p), &index, s, options),
    }
}

/// The conditions on V'_d, V'_(d+1) and V'_(2^j d) for d = `index`, for n of K limbs.
fn in_registers<const K: usize>(n: &Natural, p: &UBig, index: &Natural, s: u64) -> bool {
    let ring = Montgomery::<K>::new(n);
    let (zero, p, two) = ([0; K], ring.enter(p), ring.enter(&UBig::from(2u8)));
    let (mut v, mut w) = (two, p);
    // (v, w) = (V'_k, V'_(k+1)) for the bits k so far.
    for bit in (0..index.bits()).rev() {
        let product = ring.sub(&ring.mul(&v, &w), &p);
        // By masks: nothing foresees the bits of n.
        let mask = u64::from(index.bit(bit)).wrapping_neg();
        let factor = from_fn(|at| v[at] ^ (v[at] ^ w[at]) & mask);
        let square = ring.sub(&ring.mul(&factor, &factor), &two);
        let changes: [u64; K] = from_fn(|at| (square[at] ^ product[at]) & mask);
        v = from_fn(|at| square[at] ^ changes[at]);
        w = from_fn(|at| product[at] ^ changes[at]);
    }
    let minus = |x| ring.sub(&zero, x);
    if (v == two && w == p) || (v == minus(&two) && w == minus(&p)) {
        return true;
    }
    for _ in 1..s {
        if v == zero {
            return true;
        }
        v = ring.sub(&ring.mul(&v, &v), &two);
    }
    false
}

/// The same for n of any length. Errors: those of [`Modulus::lucas`].
fn in_memory(modulus: &Modulus, p: &Natural, index: &Natural, s: u64, options: &Options<'_>) -> Result<bool, Error> {
    let n = modulus.value();
    let [mut v, w] = modulus.lucas(&p.into(), index, options)?;
    let two = Natural::from(2u64);
    let negative = |x: &Natural| from_ubig(&((to_ubig(n) - to_ubig(x)) % to_ubig(n)));
    if (v == two && w == *p) || (v == negative(&two) && w == negative(p)) {
        return Ok(true);
    }
    let doubled = |v: &Natural| from_ubig(&((to_ubig(&modulus.sqr(&v.into())) + to_ubig(n) - 2u8) % to_ubig(n)));
    let mut left = s - 1;
    while left > 0 {
        // After a 0 come -2 and then 2s only, so that one of them ends every run of steps that has a 0.
        let steps = left.min(STEPS_AT_ONCE);
        let end = if steps < FEWEST_STEPS {
            None
        } else {
            let [end, _] = modulus.lucas(&(&v).into(), &shifted_left_one(steps), options)?;
            Some(end)
        };
        match end {
            Some(end) if end != two && end != negative(&two) && !end.is_zero() => v = end,
            _ => {
                for _ in 0..steps {
                    go_on(options.watch())?;
                    if v.is_zero() {
                        return Ok(true);
                    }
                    v = doubled(&v);
                }
            }
        }
        left -= steps;
    }
    Ok(false)
}

/// 2^count.
fn shifted_left_one(count: u64) -> Natural {
    from_ubig(&(UBig::ONE << count as usize))
}
