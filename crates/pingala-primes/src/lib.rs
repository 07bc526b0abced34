//! Primes: tests that say how sure they are, one or millions; the next prime, random primes, safe primes, certificates; Jacobi symbols and square
//! roots.

mod arith;
mod base_two;
mod certificate;
mod division;
mod interval;
mod jacobi;
mod lucas;
mod miller_rabin;
mod montgomery;
mod next;
mod pair;
mod primality;
mod proof;
mod provable;
mod random;
mod range;
mod roots;
mod secret;
mod settings;
mod sieve;
mod small;
mod sqrt;
mod team;
mod test;
mod words;

pub use certificate::Certificate;
pub use jacobi::{jacobi, jacobi_list, jacobi_list_with, jacobi_with, kronecker};
pub use next::{next_prime, previous_prime, prime_words_between, primes_between};
pub use pair::{PairKind, PrimePair, prime_pair};
pub use primality::Primality;
pub use proof::certify;
pub use random::{PrimeEstimate, RandomPrime, estimate_random_prime, random_prime};
pub use roots::{sqrt_mod_all, sqrt_mod_factored};
pub use secret::{SecretPrime, random_secret_prime, secret_rounds};
pub use settings::{PrimeOptions, RandomSource};
pub use sqrt::{sqrt_mod, sqrt_mod_list};
pub use test::{ROUNDS, is_prime, is_prime_list};
pub use words::is_prime_words;

/// The example of the package's page is compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
