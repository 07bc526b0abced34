"""Checks a certificate of a prime without Pingala: `check_certificate.py FILE` prints the prime or fails.

The rules are those of docs/primes.md.
"""

import sys
from math import gcd, isqrt
from pathlib import Path


def is_word_prime(n: int) -> bool:
    """Decides below 2^64 by strong tests."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % b == 0 for b in bases):
        return n in bases
    s = (n - 1 & 1 - n).bit_length() - 1
    return all(pow(b, n >> s, n) == 1 or any(pow(b, n >> s << r, n) == n - 1 for r in range(s)) for b in bases)


def check(text: str) -> int:
    """Returns the prime that the text proves."""
    header, *lines, end, rest = text.split("\n")
    assert (header, end, rest) == ("pingala prime certificate 1", "end", "")
    steps: dict[int, list[tuple[int, int]]] = {}
    for word, number, *base in map(str.split, lines):
        if word == "prime":
            n = int(number, 16)
            steps[n] = []
        else:
            assert word == "factor"
            assert base[0] == "base"
            steps[n].append((int(number, 16), int(base[1], 16)))
    for n, factors in steps.items():
        rest, part = n - 1, 1
        for q, a in factors:
            assert q > 1
            assert rest % q == 0
            assert is_word_prime(q) if q < 1 << 64 else q in steps
            assert pow(a, n - 1, n) == 1
            assert gcd(pow(a, (n - 1) // q, n) - 1, n) == 1
            while rest % q == 0:
                rest, part = rest // q, part * q
        square = (rest % part) ** 2 - 4 * (rest // part)
        is_square = square >= 0 and isqrt(square) ** 2 == square
        assert is_word_prime(n) if n < 1 << 64 else part**2 > n or (part**3 >= n and not is_square)
    return max(steps)


if __name__ == "__main__":
    print(check(Path(sys.argv[1]).read_text(encoding="utf-8")))
