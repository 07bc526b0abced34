//! The strong Lucas test with Selfridge's parameters.

use crate::arith::{add_word, from_ubig, inverse_word, is_square, rem_word, shifted_right, to_ubig};
use crate::jacobi::jacobi_words;
use crate::montgomery::Montgomery;
use dashu_int::UBig;
use pingala::{Error, Natural, Watch};

/// Discriminants that are tried before a square is looked for: half of the numbers need one, and squares have none.
const TRIES_BEFORE_SQUARE: usize = 8;

/// Steps of the ladder between two questions of the watch, for numbers of any length that takes milliseconds.
const LIMB_PRODUCTS_PER_POLL: usize = 1 << 22;

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
    sign * jacobi_words(rem_word(n, size), size)
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
    n.limbs().len() == 1 && word % n.limbs()[0] == 0
}

/// Q^-1 mod n for a small Q of either sign; none if they have a factor in common.
fn inverse_of_small(q: i64, n: &Natural) -> Option<UBig> {
    let size = q.unsigned_abs();
    let m = to_ubig(n);
    // 1 + n t = 0 (mod Q) for t = -1/n mod Q.
    let t = if size == 1 { 0 } else { size - inverse_word(rem_word(n, size), size)? };
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
/// A number that shares a factor with Q below it is composite. Errors: `interrupted`.
pub(crate) fn is_strong_lucas_probable_prime(n: &Natural, watch: Option<&dyn Watch>) -> Result<bool, Error> {
    let d = match selfridge(n) {
        Parameters::Discriminant(d) => d,
        Parameters::Composite => return Ok(false),
    };
    let Some(inverse) = inverse_of_small((1 - d) / 4, n) else { return Ok(false) };
    let m = to_ubig(n);
    let p = from_ubig(&((inverse + &m - 2u8) % &m));
    let next = add_word(n, 1);
    let s = next.trailing_zeros();
    let index = shifted_right(&next, s);

    let ring = Montgomery::new(n);
    let (p, two) = (ring.enter(&p), ring.enter(&from_ubig(&(UBig::from(2u8) % &m))));
    let mut minus_two = vec![0; ring.limbs()];
    ring.sub(&mut minus_two, &two);
    let mut minus_p = vec![0; ring.limbs()];
    ring.sub(&mut minus_p, &p);
    let (mut v, mut w) = (two.clone(), p.clone());
    let (mut scratch, mut room) = (ring.scratch(), vec![0; ring.limbs()]);
    let every = (LIMB_PRODUCTS_PER_POLL / (4 * ring.limbs() * ring.limbs())).max(1) as u64;
    // (v, w) = (V'_k, V'_(k+1)).
    for bit in (0..index.bits()).rev() {
        if bit % every == 0 && watch.is_some_and(|watch| watch.stop()) {
            return Err(Error::Interrupted);
        }
        ring.mul(&mut room, &v, &w, &mut scratch);
        ring.sub(&mut room, &p);
        let (square, product) = if index.bit(bit) { (&mut w, &mut v) } else { (&mut v, &mut w) };
        core::mem::swap(product, &mut room);
        ring.sqr(&mut room, square, &mut scratch);
        ring.sub(&mut room, &two);
        core::mem::swap(square, &mut room);
    }
    if (v == two && w == p) || (v == minus_two && w == minus_p) {
        return Ok(true);
    }
    for _ in 1..s {
        if v.iter().all(|&limb| limb == 0) {
            return Ok(true);
        }
        ring.sqr(&mut room, &v, &mut scratch);
        ring.sub(&mut room, &two);
        core::mem::swap(&mut v, &mut room);
    }
    Ok(false)
}
