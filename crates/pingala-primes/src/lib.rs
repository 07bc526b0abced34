//! Primes: tests that say how sure they are, one or millions; the next prime, random primes, safe primes, certificates; Jacobi symbols and square
//! roots.
