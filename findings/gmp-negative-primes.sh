#!/usr/bin/env bash
# GMP 6.3.0 calls -7 a prime, and gmpy2 2.3.2, which asks it, does not.
# Guess: `mpz_probab_prime_p` returns 0 below 2.
# What happens: it returns 2, "definitely prime", for -7: it tests the absolute value. gmpy2 looks at the sign before it asks.
# For our users: docs/from/gmp.md; `is_prime` of a negative number is false.
. "$(dirname "$0")/lib.sh"
python gmpy2==2.3.2 <<'PROGRAM'
import ctypes
from pathlib import Path

import gmpy2

library = next((Path(gmpy2.__file__).parents[1] / "gmpy2.libs").glob("libgmp-*.so*"))
gmp = ctypes.CDLL(str(library))
number = ctypes.create_string_buffer(16)
gmp.__gmpz_init_set_si(number, ctypes.c_long(-7))
answer = gmp.__gmpz_probab_prime_p(number, 25)
print("gmpy2", gmpy2.version(), gmpy2.mp_version(), "GMP:", answer, "gmpy2:", gmpy2.is_prime(-7))
assert answer == 2
assert gmpy2.is_prime(-7) is False
PROGRAM
