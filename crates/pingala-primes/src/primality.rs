//! What a test of primality says, and how sure it is.

/// The answer of a test of primality.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Primality {
    /// Whether the number is prime. False is always right; true may be wrong, with the probabilities below.
    pub prime: bool,
    /// Whether the answer is proved: for every number below 2^64, and for every number that is not prime.
    pub proved: bool,
    /// The most that the probability of a wrong `true` can be if an adversary chose the number: 4^-rounds, from the rounds with random
    /// bases alone [menezes1996handbook, 4.23]. No composite is known that passes the Baillie-PSW test, which goes before them, but
    /// nothing is proved about it, so it does not count here. 0 for a proved answer, 1 without rounds.
    pub error_bound: f64,
    /// The most that this probability can be if the number was drawn uniformly from the odd numbers of its length in bits, or from those
    /// of them without small factors: the bound of \[damgard1993average\] for so many rounds, and 4^-rounds \[burthe1996investigations\] where
    /// that is smaller. For long numbers it is far below `error_bound`. It does not hold for a number from another source. 0 for a proved answer, 1 without rounds.
    pub random_error_bound: f64,
}

impl Primality {
    /// A proved answer.
    pub(crate) fn proved(prime: bool) -> Self {
        Self { prime, proved: true, error_bound: 0.0, random_error_bound: 0.0 }
    }

    /// A number of so many bits that passed so many rounds with random bases.
    pub(crate) fn probable(bits: u64, rounds: u32) -> Self {
        let power = |log2: f64| if log2 >= 0.0 { 1.0 } else { log2.exp2().max(f64::MIN_POSITIVE) };
        Self {
            prime: true,
            proved: false,
            error_bound: power(-2.0 * f64::from(rounds)),
            random_error_bound: power(random_log2(bits as f64, f64::from(rounds))),
        }
    }
}

/// The base-2 logarithm of a bound on p_(k,t): the probability that a random odd number of k bits that passed t rounds is composite.
pub(crate) fn random_log2(k: f64, t: f64) -> f64 {
    if t < 1.0 {
        return 0.0;
    }
    // p < 4^-t [burthe1996investigations]; the rest is Theorem 1 and the bounds of section 3 in [damgard1993average].
    let mut least = -2.0 * t;
    let lg = f64::log2;
    if t == 1.0 && k >= 2.0 {
        // k^2 4^(2 - sqrt(k))
        least = least.min(2.0 * lg(k) + 2.0 * (2.0 - k.sqrt()));
    }
    if t == 2.0 && k >= 88.0 || t >= 3.0 && t <= k / 9.0 && k >= 21.0 {
        // k^(3/2) 2^t t^(-1/2) 4^(2 - sqrt(t k))
        least = least.min(1.5 * lg(k) + t - 0.5 * lg(t) + 2.0 * (2.0 - (t * k).sqrt()));
    }
    if t >= k / 9.0 && k >= 21.0 {
        // 7/20 k 2^(-5t) + 1/7 k^(15/4) 2^(-k/2 - 2t) + 12 k 2^(-k/4 - 3t), each at most the greatest.
        let terms = [
            lg(7.0 / 20.0 * k) - 5.0 * t,
            lg(1.0 / 7.0) + 3.75 * lg(k) - k / 2.0 - 2.0 * t,
            lg(12.0 * k) - k / 4.0 - 3.0 * t,
        ];
        least = least.min(terms.into_iter().fold(f64::NEG_INFINITY, f64::max) + lg(3.0));
    }
    if t >= k / 4.0 && k >= 21.0 {
        // 1/7 k^(15/4) 2^(-k/2 - 2t)
        least = least.min(lg(1.0 / 7.0) + 3.75 * lg(k) - k / 2.0 - 2.0 * t);
    }
    least
}
