"""Every length beside gmpy2: one call of `powmod` at 64 lengths from 33 bits to 2^21, odd, even and half zeros, with
exponents of 1, 2, 17, 64 bits and of the modulus's length.

usage: python -m peers.lengths [--quick] [--from BITS] [--to BITS] [--seconds S] [--stop S] [--fresh]

Both take and give `int`, in turn, in one process on one processor; a figure is the least of the rounds, the answers are
compared. A cell below 0.95 of gmpy2's speed is measured three times more, and the middle of these counts. A cell is
left out where one call takes longer than --seconds. The cells go to target/bench/lengths-CPU.json one by one, and a
second call goes on where the first one ended (--fresh begins anew, --stop ends after so many seconds). PINGALA_CPU
masks features, as everywhere: with `-avx512ifma,-avx512f,-avxifma` it is an AVX2 machine.
"""

import argparse
import functools
import importlib
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pingala
from peers.host import machine, one_processor

ROOT = Path(__file__).resolve().parent.parent.parent.parent
gmpy2: Any = importlib.import_module("gmpy2")

SHORTEST, LONGEST, COUNT = 33, 1 << 21, 64
BAR = 0.95
KINDS = ("odd", "even", "half zeros")
EXPONENTS = (1, 2, 17, 64, 0)
# A round of one contender takes about this long, in seconds.
ROUND = 0.0015
ROUNDS = 9


def lengths(quick: bool) -> list[int]:
    """In equal ratios, the lengths of words among them."""
    steps = COUNT - 1
    ratio = (LONGEST / SHORTEST) ** (1 / steps)
    every = [round(SHORTEST * ratio**step) for step in range(COUNT)]
    return every[::8] if quick else every


def cells(chosen: list[int]) -> Iterator[tuple[str, int, int, int]]:
    """Name, and bits of the modulus, of its zeros, of the exponent."""
    for bits in chosen:
        for kind, zeros in zip(KINDS, (0, 1, bits // 2), strict=True):
            for exponent_bits in EXPONENTS:
                length = exponent_bits or bits
                yield f"{bits} bits, {kind}, exponent of {exponent_bits or 'full'} bits", bits, zeros, length


class Cell:
    """The numbers of one cell: several bases and moduli, so that nothing learns the branches of one."""

    def __init__(self, bits: int, zeros: int, exponent_bits: int) -> None:
        rng = random.Random(bits * 1009 + zeros * 31 + exponent_bits)
        count = 16 if bits <= 4096 else 2

        def modulus() -> int:
            odd = rng.getrandbits(bits - zeros) | 1 | 1 << (bits - zeros - 1)
            return odd << zeros

        # Beyond the default cap the call says so.
        capped = functools.partial(pingala.powmod, max_modulus_bits=bits)
        self.ours: Any = capped if bits > 1 << 20 else pingala.powmod
        self.exponent = rng.getrandbits(exponent_bits) | 1 << (exponent_bits - 1)
        self.pairs = [(rng.getrandbits(bits), modulus()) for _ in range(count)]

    def seconds(self, powmod: Any, repeats: int) -> float:
        """Of one call."""
        pairs, exponent = self.pairs * repeats, self.exponent
        start = time.process_time()
        for base, modulus in pairs:
            powmod(base, exponent, modulus)
        return (time.process_time() - start) / len(pairs)

    def check(self, name: str) -> None:
        """Both give the same, as int."""
        for base, modulus in self.pairs[:2]:
            if self.ours(base, self.exponent, modulus) != gmpy2.powmod(base, self.exponent, modulus):
                sys.exit(f"{name}: the answers differ")

    def measure(self) -> tuple[float, float]:
        """Least seconds of a call: ours, gmpy2's. A call that is long by itself has fewer rounds."""
        once = self.seconds(gmpy2.powmod, 1)
        repeats = max(1, min(4000, round(ROUND / max(once, 1e-8) / len(self.pairs))))
        rounds = ROUNDS if once * len(self.pairs) < 0.05 else 2
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(self.seconds(self.ours, repeats))
            theirs.append(self.seconds(gmpy2.powmod, repeats))
        return min(ours), min(theirs)


def run(chosen: list[int], limit: float, end: float, file: Path, known: dict[str, Any]) -> dict[str, Any]:
    """Measures what is not known yet, until the clock shows `end`."""
    # Per kind and exponent, the time that the last length took: a longer one takes at least that time.
    last: dict[str, float] = {}
    for name, bits, zeros, exponent_bits in cells(chosen):
        series = name.partition(", ")[2]
        if last.get(series, 0.0) > limit:
            continue
        if name not in known:
            if time.monotonic() > end:
                break
            cell = Cell(bits, zeros, exponent_bits)
            cell.check(name)
            ours, theirs = cell.measure()
            again = []
            if theirs / ours < BAR:
                again = [cell.measure() for _ in range(3)]
                ours, theirs = sorted(again, key=lambda pair: pair[1] / pair[0])[1]
            known[name] = {"pingala": ours, "gmpy2": theirs, "ratio": theirs / ours, "again": len(again)}
            file.write_text(json.dumps({"machine": machine(), "cells": known}, indent=1) + "\n")
            print(f"{theirs / ours:6.2f}  {name}: {ours * 1e6:.2f} us, gmpy2 {theirs * 1e6:.2f}", flush=True)
        last[series] = max(known[name]["pingala"], known[name]["gmpy2"]) * 2
    return known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="every eighth length")
    parser.add_argument("--from", dest="least", type=int, default=SHORTEST, metavar="BITS")
    parser.add_argument("--to", dest="most", type=int, default=LONGEST, metavar="BITS")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="the longest call (60)")
    parser.add_argument("--stop", type=float, default=1e9, metavar="S", help="seconds after which it ends")
    parser.add_argument("--fresh", action="store_true", help="forgets what an earlier call measured")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.stop
    mask = os.environ.get("PINGALA_CPU", "")
    file = ROOT / "target/bench" / f"lengths-{mask.replace('-', '').replace(',', '-') or 'whole'}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, Any] = {}
    if file.exists() and not arguments.fresh:
        known = json.loads(file.read_text())["cells"]
    chosen = [bits for bits in lengths(arguments.quick) if arguments.least <= bits <= arguments.most]
    with one_processor():
        known = run(chosen, arguments.seconds, end, file, known)
    names = [name for name, *_ in cells(chosen) if name in known]
    below = sorted((known[name]["ratio"], name) for name in names)
    if not below:
        sys.exit("no length to measure")
    print(f"{len(below)} cells, median {statistics.median(ratio for ratio, _ in below):.2f}; the slowest beside gmpy2:")
    for ratio, name in below[:12]:
        print(f"{ratio:6.2f}  {name}")
    print(f"worst {below[0][0]:.2f}, bar {BAR}: {'met' if below[0][0] >= BAR else 'NOT MET'}; record: {file}")


if __name__ == "__main__":
    main()
