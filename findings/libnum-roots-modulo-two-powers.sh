#!/usr/bin/env bash
# libnum 1.7.1 returns square roots modulo powers of two of numbers that have none.
# Guess: none, as for primes.
# What happens: `sqrtmod_prime_power(3, 2, 2)` gives 1 and 3, whose squares modulo 4 are 1. Every odd number gets roots modulo 4 and 8.
# For our users: `pingala.sqrt_mod` is for primes; compare the square of any root that you take from elsewhere.
. "$(dirname "$0")/lib.sh"
python libnum==1.7.1 <<'PROGRAM'
from importlib.metadata import version

import libnum

print("libnum", version("libnum"))
for bits in (2, 3):
    for a in range(1, 2**bits, 2):
        roots = sorted(libnum.sqrtmod_prime_power(a, 2, bits))
        true = [x for x in range(2**bits) if (x * x - a) % 2**bits == 0]
        print(a, "modulo", 2**bits, roots, "in truth", true)
        assert roots == list(range(1, 2**bits, 2))
        assert (roots == true) == (a == 1)
PROGRAM
