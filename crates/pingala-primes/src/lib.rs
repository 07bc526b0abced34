//! Primes: tests that say how sure they are, one or millions; the next prime, random primes, safe primes, certificates; Jacobi symbols and square
//! roots.

mod arith;
mod base_two;
mod jacobi;
mod lucas;
mod miller_rabin;
mod montgomery;
mod next;
mod primality;
mod sieve;
mod small;
mod test;
mod words;

pub use jacobi::{jacobi, jacobi_list};
pub use next::{next_prime, previous_prime, primes_between};
pub use primality::Primality;
pub use test::{ROUNDS, is_prime, is_prime_list};
pub use words::is_prime_words;
