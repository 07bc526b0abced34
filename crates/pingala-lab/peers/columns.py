"""What a row of a column costs in Python, on one thread, with the answers compared: `make bench WHAT=columns`.

Figures are medians of rounds. The bin `columns` has those of ready numbers in Rust.
"""

import functools
import importlib
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pingala

# It has no types.
pa: Any = importlib.import_module("pyarrow")

ROUNDS = 9
ROWS = 16_384
WORDS = 1_000_000


def median(items: int, call: Callable[[], Any]) -> float:
    """Nanoseconds of an item."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        rounds.append((time.perf_counter() - start) * 1e9 / items)
    return statistics.median(rounds)


def rows() -> None:
    """2048 bits, e = 65537, a modulus in each row."""
    rng = np.random.default_rng(22)
    bases, moduli = rng.integers(0, 256, (2, ROWS, 256), dtype=np.uint8)
    moduli[:, 0] |= 0x80
    moduli[:, -1] |= 1
    fixed = [pa.array([bytes(row) for row in column], pa.binary(256)) for column in (bases, moduli)]
    kinds: dict[str, list[Any]] = {
        "NumPy": [bases, moduli],
        "Arrow fixed-size binary": fixed,
        "Arrow binary": [column.cast(pa.binary()) for column in fixed],
        "Arrow binary view": [column.cast(pa.binary()).cast(pa.binary_view()) for column in fixed],
    }
    numbers = [[int.from_bytes(bytes(row), "big") for row in column] for column in (bases, moduli)]
    wanted = pingala.powmod_list(numbers[0], 65537, numbers[1])
    for name, (base, modulus) in kinds.items():
        assert pingala.powmod_column(base, 65537, modulus).to_pylist() == wanted
        cost = median(ROWS, functools.partial(pingala.powmod_column, base, 65537, modulus, threads=1))
        print(f"2048 bits, e = 65537, {name}: {cost:.0f} ns a row")
    cost = median(ROWS, lambda: pingala.powmod_list(numbers[0], 65537, numbers[1], threads=1))
    print(f"2048 bits, e = 65537, powmod_list of int: {cost:.0f} ns an element")


def words() -> None:
    """64 bits."""
    rng = np.random.default_rng(23)
    bases, exponents, moduli = rng.integers(0, 2**64, (3, WORDS), dtype=np.uint64)
    odd = moduli | np.uint64(1)
    cases: dict[str, list[Any]] = {
        "e = 65537, odd moduli of their own": [bases, 65537, odd],
        "e = 65537, one odd modulus": [bases, 65537, int(odd[0])],
        "the same by Arrow, moduli of their own": [pa.array(bases), 65537, pa.array(odd)],
        "exponents and odd moduli of their own": [bases, exponents, odd],
    }
    for name, (base, exponent, modulus) in cases.items():
        cost = median(WORDS, functools.partial(pingala.powmod_column, base, exponent, modulus, threads=1))
        print(f"64 bits, {name}: {cost:.1f} ns a row")
    before = sys.getallocatedblocks()
    kept = pingala.powmod_column(bases, 65537, odd)
    print(f"{sys.getallocatedblocks() - before} Python blocks for {len(kept):,} rows")


if __name__ == "__main__":
    rows()
    words()
