"""The papers' methods in plain Python, as their algorithms are printed, and what times them in any interpreter.

usage: python -m papers.plain < JOB        JOB and the answer are JSON; see `main`

It runs in PyPy too, so it uses nothing newer than Python 3.9 and no package but the lab's.
"""

from __future__ import annotations

import heapq
import importlib
import json
import platform
import random
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from peers.measure import timed


def binary_right_to_left(g: int, e: int, n: int) -> int:
    """Algorithm 1 of Tandrup et al."""
    a, s = 1, g
    while True:
        if e & 1:
            a = a * s % n
        e >>= 1
        if not e:
            return a
        s = s * s % n


def binary_left_to_right(g: int, e: int, n: int) -> int:
    """Algorithm 2 of Tandrup et al.; the first squaring is of 1."""
    a = 1
    for bit in bin(e)[2:]:
        a = a * a % n
        if bit == "1":
            a = a * g % n
    return a


def all_powers(g: int, n: int, m: int) -> list[int]:
    """1, g, ..., g^(2^m - 1)."""
    powers = [1, g]
    for _ in range(2, 1 << m):
        powers.append(powers[-1] * g % n)
    return powers


def m_ary_from(powers: list[int], e: int, n: int, m: int) -> int:
    digits = []
    while e:
        digits.append(e & ((1 << m) - 1))
        e >>= m
    a = powers[digits.pop()]
    while digits:
        for _ in range(m):
            a = a * a % n
        digit = digits.pop()
        if digit:
            a = a * powers[digit] % n
    return a


def m_ary(g: int, e: int, n: int, m: int) -> int:
    """Algorithm 1 of Ji and Wan, 3 of Tandrup et al.: digits in base 2^m; a zero digit is not multiplied."""
    return m_ary_from(all_powers(g, n, m), e, n, m)


def odd_powers(g: int, n: int, m: int) -> list[int]:
    """g, g^3, ..., g^(2^m - 1)."""
    powers = [g]
    if m > 1:
        square = g * g % n
        for _ in range(1, 1 << (m - 1)):
            powers.append(powers[-1] * square % n)
    return powers


def sliding_window_from(powers: list[int], e: int, n: int, m: int) -> int:
    bits = bin(e)[2:]
    a, i = 1, 0
    while i < len(bits):
        if bits[i] == "0":
            a = a * a % n
            i += 1
        else:
            end = bits.rindex("1", i, i + m) + 1
            for _ in range(end - i):
                a = a * a % n
            a = a * powers[int(bits[i:end], 2) >> 1] % n
            i = end
    return a


def sliding_window(g: int, e: int, n: int, m: int) -> int:
    """Algorithm 3 of Ji and Wan with the `else` that it lacks, 5 of Tandrup et al.; it begins at 1, as they do."""
    return sliding_window_from(odd_powers(g, n, m), e, n, m)


def digits_of(e: int, h: int) -> list[int]:
    """Digits in base h, the lowest first."""
    digits = []
    while e:
        e, digit = divmod(e, h)
        digits.append(digit)
    return digits


def table_one_by_one(g: int, n: int, h: int, places: range) -> list[int]:
    """g^(h^i), each by the left-to-right binary method."""
    return [binary_left_to_right(g, h**i, n) for i in places]


def table_in_turn(g: int, n: int, h: int, count: int) -> list[int]:
    """g^(h^i), each from the one before."""
    powers = [g]
    while len(powers) < count:
        powers.append(binary_left_to_right(powers[-1], h, n))
    return powers


def fixed_base_window(powers: list[int], digits: list[int], n: int, h: int) -> int:
    """Algorithm 8 of Tandrup et al."""
    places: list[list[int]] = [[] for _ in range(h)]
    for i, digit in enumerate(digits):
        places[digit].append(i)
    a, b = 1, 1
    for j in range(h - 1, 0, -1):
        for i in places[j]:
            b = b * powers[i] % n
        a = a * b % n
    return a


def fixed_base_euclidean(powers: list[int], digits: list[int], n: int) -> int:
    """Algorithm 9 of Tandrup et al., with a heap instead of its search through all digits for the two largest."""
    g = list(powers)
    heap = [(-digit, i) for i, digit in enumerate(digits)]
    heapq.heapify(heap)
    while True:
        x_m, m = heap[0]
        # The second largest is a child of the root.
        x_n, k = min(heap[1:3], default=(0, 0))
        if x_n == 0:
            return binary_left_to_right(g[m], -x_m, n)
        q, rest = divmod(-x_m, -x_n)
        raised = g[m] if q == 1 else binary_left_to_right(g[m], q, n)
        g[k] = raised * g[k] % n
        heapq.heapreplace(heap, (-rest, m))


METHODS: dict[str, Callable[..., int]] = {
    "binary_right_to_left": binary_right_to_left,
    "binary_left_to_right": binary_left_to_right,
    "m_ary": m_ary,
    "sliding_window": sliding_window,
}


class Counted:
    """A residue that counts the products it takes part in; those by 1 are free."""

    def __init__(self) -> None:
        self.products = 0

    def __mul__(self, other: object) -> Counted:
        self.products += other != 1
        return self

    __rmul__ = __mul__

    def __mod__(self, other: object) -> Counted:
        return self


def products(method: str, e: int, *window: int) -> int:
    """The products that a method executes for an exponent: its own text, run over `Counted`."""
    g: Any = Counted()
    # Any modulus above 1.
    METHODS[method](g, e, 2, *window)
    return int(g.products)


def drawn(rng: random.Random, bits: int) -> tuple[int, int, int]:
    """Base, exponent and an odd modulus above both, all of this length."""
    top = 1 << (bits - 1)
    n = rng.getrandbits(bits) | top | 1
    while True:
        g, e = rng.getrandbits(bits) % n, rng.getrandbits(bits) | top
        if e < n:
            return g, e, n


def one_product(a: int, b: int, n: int) -> int:
    return a * b % n


def samples_of(job: dict[str, Any]) -> dict[str, dict[str, list[float]]]:
    """Rounds of every length and contender; within a round all of a length raise the same numbers."""
    powmod = importlib.import_module("pingala").powmod if job["pingala"] else None
    rng = random.Random(job["seed"])
    samples: dict[str, dict[str, list[float]]] = {}
    for turn in range(job["rounds"] + 1):
        for bits, contenders in job["contenders"].items():
            g, e, n = drawn(rng, int(bits))
            calls: dict[str, Callable[[], Any]] = {"pow": partial(pow, g, e, n)}
            for name, (method, *window) in contenders.items():
                calls[name] = partial(METHODS[method], g, e, n, *window)
            if powmod is not None:
                calls["Pingala"] = partial(powmod, g, e, n)
            calls["one product"] = partial(one_product, g, e, n)
            expected = pow(g, e, n)
            for name, call in calls.items():
                if name != "one product" and call() != expected:
                    raise SystemExit(f"answers differ: {name}, {bits} bits")
                taken = timed(call)
                # The first round warms up, PyPy's compiler most of all.
                if turn:
                    samples.setdefault(bits, {}).setdefault(name, []).append(taken)
    return samples


def main() -> int:
    """A job has `rounds`, `seed`, `pingala` (whether it takes part) and `contenders`: for each length in bits, names
    with a method and its window.
    """
    job = json.load(sys.stdin)
    version = f"{platform.python_implementation()} {platform.python_version()}"
    json.dump({"version": version, "samples": samples_of(job)}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
