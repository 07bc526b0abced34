"""Safe primes of 2048 bits beside OpenSSL: the time of a candidate after the sieve, and how many are expected.

OpenSSL's library is loaded for the comparison alone. Needs the package pingala: `python safe.py`.
"""

import ctypes
import ctypes.util
import math
import random
import time

import pingala

BITS = 2048
CANDIDATES = 2048
TOGETHER = 256
# OpenSSL 3.0 divides p and (p - 1) / 2 of this length by 384 primes.
BOUND = 2657


def numbers() -> list[int]:
    """(p - 1) / 2 for numbers p without a small divisor of either."""
    small = math.prod(p for p in range(3, BOUND) if all(p % d for d in range(2, math.isqrt(p) + 1)))
    rng, found = random.Random(43), []
    while len(found) < CANDIDATES:
        p = rng.getrandbits(BITS) | 3 | 3 << (BITS - 2)
        if math.gcd(p * (p >> 1), small) == 1:
            found.append(p >> 1)
    return found


def expected(bound: int) -> float:
    """Candidates until one is safe, by Mertens' theorem, if those with a divisor below the bound are left out."""
    return (math.exp(0.5772156649) * math.log(bound) / (BITS * math.log(2))) ** -2


def main() -> None:
    """Prints both times, both counts and the ratio of the products."""
    crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
    crypto.BN_CTX_new.restype = crypto.BN_bin2bn.restype = ctypes.c_void_p
    crypto.BN_bin2bn.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
    crypto.BN_is_prime_fasttest_ex.argtypes = [
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_void_p,
    ]
    context = crypto.BN_CTX_new()
    halves = numbers()
    theirs = [crypto.BN_bin2bn(half.to_bytes(BITS // 8, "big"), BITS // 8, None) for half in halves]
    pingala.is_prime_list(halves[:64], threads=1)
    seconds = [0.0, 0.0]
    for at in range(0, CANDIDATES, TOGETHER):
        clocks = [time.perf_counter()]
        ours = pingala.is_prime_list(halves[at : at + TOGETHER], threads=1)
        clocks.append(time.perf_counter())
        answers = [crypto.BN_is_prime_fasttest_ex(half, 1, context, 0, None) for half in theirs[at : at + TOGETHER]]
        clocks.append(time.perf_counter())
        assert [bool(answer) for answer in ours] == [bool(answer) for answer in answers]
        seconds = [total + end - start for total, start, end in zip(seconds, clocks[:-1], clocks[1:], strict=True)]
    counts = (pingala.estimate_random_prime(BITS, safe=True, threads=1)[0], expected(BOUND))
    each = [total / CANDIDATES for total in seconds]
    for name, one, count in zip(("Pingala", "OpenSSL"), each, counts, strict=True):
        print(f"{name}: {one * 1e6:.0f} us a candidate, {count:.0f} expected, {one * count:.2f} s")
    print(f"ratio {each[1] * counts[1] / (each[0] * counts[0]):.1f}")


if __name__ == "__main__":
    main()
