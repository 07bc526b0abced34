#!/usr/bin/env bash
# sympy 1.14.0 answers a modular power that does not exist with a fraction.
# Guess: `pow(Integer(2), -1, 4)` is a ValueError, as `pow(2, -1, 4)` is.
# What happens: 1/2; the modulus is dropped when there is no inverse. `mod_inverse(2, 4)` is a ValueError.
# For our users: docs/from/moving.md.
. "$(dirname "$0")/lib.sh"
python sympy==1.14.0 <<'PROGRAM'
import sympy
from sympy import Integer, Rational, mod_inverse

print("sympy", sympy.__version__, pow(Integer(2), -1, 4), pow(Integer(6), -1, 9), pow(Integer(4), -3, 6))
assert pow(Integer(3), -1, 7) == 5
assert pow(Integer(2), -1, 4) == Rational(1, 2)
assert pow(Integer(6), -1, 9) == Rational(1, 6)
try:
    mod_inverse(2, 4)
except ValueError:
    pass
else:
    raise SystemExit("mod_inverse has an answer now")
PROGRAM
