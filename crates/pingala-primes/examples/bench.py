"""Compares tests of primality and the next prime with GMP through gmpy2, one thread each, on random numbers.

The answers are compared.

cargo build --release -p pingala-primes --example bench
python crates/pingala-primes/examples/bench.py target/release/examples/bench
"""

import random
import subprocess
import sys
import tempfile
import time

import gmpy2

program, draw = sys.argv[1], random.Random(7)
small_primes = gmpy2.primorial(1000)


def ours(kind: str, numbers: list[int]) -> tuple[float, int]:
    """Seconds, and the sum of the answers."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{kind} {n:x}\n" for n in numbers)
        file.flush()
        out = subprocess.run([program, file.name], capture_output=True, text=True, check=True).stdout
    print(out.splitlines()[-1])
    seconds, answer = out.splitlines()[0].split()[1:]
    return float(seconds), int(answer)


def candidate(bits: int) -> int:
    while True:
        n = draw.getrandbits(bits) | 1 | 1 << (bits - 1)
        if gmpy2.gcd(n, small_primes) == 1:
            return gmpy2.mpz(n)


numbers = [candidate(2048) for _ in range(2000)]
start = time.perf_counter()
count = sum(gmpy2.is_prime(n, 25) for n in numbers)
peer = time.perf_counter() - start
seconds, answer = ours("test", numbers)
assert answer == count
print(
    f"is_prime_list, 2048 bits, 2000 candidates: GMP {peer:.3f} s, Pingala {seconds:.3f} s, ratio {peer / seconds:.2f}"
)
for bits, many in ((256, 2000), (1024, 150), (2048, 40)):
    numbers = [draw.getrandbits(bits) | 1 << (bits - 1) for _ in range(many)]
    start = time.perf_counter()
    total = sum(int(gmpy2.next_prime(n)) for n in numbers)
    peer = time.perf_counter() - start
    seconds, answer = ours("next", numbers)
    assert answer == total % 2**64
    print(
        f"next_prime, {bits} bits: GMP {peer / many * 1e3:.4f} ms, Pingala {seconds / many * 1e3:.4f} ms, "
        f"ratio {peer / seconds:.2f}"
    )
