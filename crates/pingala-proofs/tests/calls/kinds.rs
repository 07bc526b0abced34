//! The kinds of numbers, settings and damages that calls are drawn from.

/// Primes of lengths around the edges of words and of digits, 2^k - d: of 3 modulo 4, 5 modulo 8 and 1 modulo 8.
pub(super) const PRIMES: [[(u32, u32); 9]; 3] = [
    [(2, 1), (5, 1), (31, 1), (61, 1), (89, 1), (107, 1), (127, 1), (255, 765), (521, 1)],
    [(3, 3), (8, 27), (16, 123), (52, 47), (64, 59), (107, 171), (127, 507), (192, 915), (320, 843)],
    [(5, 15), (8, 15), (16, 15), (64, 95), (89, 31), (107, 919), (127, 39), (255, 31), (521, 271)],
];

/// Primes k 2^s + 1 with many twos in p - 1.
pub(super) const MANY_TWOS: [(u32, u32); 5] = [(33, 9), (40, 27), (64, 25), (96, 57), (200, 45)];

/// k for which (6k + 1)(12k + 1)(18k + 1) is a Carmichael number.
pub(super) const CARMICHAEL: [u64; 12] = [
    1,
    6,
    100,
    121,
    1025,
    1060,
    1_048_665,
    1_048_736,
    1_073_742_435,
    1_073_742_676,
    2_305_843_009_213_694_660,
    2_305_843_009_213_696_085,
];

/// Strong pseudoprimes to the base 2, the last to the first nine primes.
pub(super) const PSEUDOPRIMES: [u64; 9] = [
    2047,
    3277,
    4033,
    8321,
    3_215_031_751,
    3_474_749_660_383,
    341_550_071_728_321,
    1_373_653,
    3_825_123_056_546_413_051,
];

/// The kinds of numbers that are tested.
pub(super) const NUMBERS: [&str; 14] = [
    "negative",
    "below two",
    "two or three",
    "short",
    "prime word",
    "product of two words",
    "strong pseudoprime",
    "around 2^64",
    "long prime",
    "product of long primes",
    "Carmichael",
    "square of a prime",
    "long even",
    "long odd",
];

pub(super) const BASES: [&str; 8] =
    ["zero", "one", "m - 1", "at least m", "negative", "shares a factor", "short", "below m"];
/// Below in a symbol of Kronecker.
pub(super) const ANY_BELOW: [&str; 9] =
    ["zero", "one", "minus one", "two", "power of two", "short", "even", "negative even", "negative odd"];
pub(super) const ROOTED: [&str; 7] =
    ["zero", "one", "square", "no square", "negative", "at least p", "shares a factor"];
pub(super) const BELOW: [&str; 9] =
    ["one", "negative", "even", "zero", "short prime", "long prime", "square", "product", "long product"];
pub(super) const FIELDS: [&str; 9] = [
    "two",
    "3 modulo 4",
    "5 modulo 8",
    "1 modulo 8",
    "many twos",
    "short",
    "even, one or zero",
    "power of a prime",
    "long, 3 modulo 4",
];
/// Moduli of all roots.
pub(super) const FACTORED: [&str; 8] = [
    "prime",
    "two",
    "not a prime",
    "short power of a prime",
    "power of a long prime",
    "power of two",
    "short primes",
    "long primes",
];
pub(super) const GROUPS: [&str; 7] = ["short odd", "odd", "1024 bits", "known factors", "even", "one", "prime"];
pub(super) const SQUARINGS: [&str; 5] = ["0", "1", "2", "to 300", "to 3000"];
pub(super) const DAMAGES: [&str; 10] = [
    "none",
    "another result",
    "-result",
    "another proof",
    "-proof",
    "one squaring more",
    "one squaring less",
    "another base",
    "result not reduced",
    "a flipped bit",
];
pub(super) const RINGS: [&str; 7] = ["one", "odd", "even", "power of two", "prime", "known factors", "1024 bits"];
pub(super) const EXPONENTS: [&str; 7] = ["zero", "one", "two", "short", "long", "sparse", "over the cap"];
pub(super) const WITNESSES: [&str; 5] = ["right", "another", "negated", "not reduced", "of another exponent"];
pub(super) const COUNTS: [&str; 9] = ["0", "1", "2", "3", "7", "8", "9", "17", "33"];
