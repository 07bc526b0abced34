"""Every length beside gmpy2 and FLINT: one call of `powmod` at 64 lengths from 33 bits to 2^21, odd, even and half
zeros, with exponents of 1, 2, 17, 64 bits and of the modulus's length.

usage: python -m peers.lengths [--quick] [--from BITS] [--to BITS] [--seconds S] [--stop S] [--fresh]

All take `int`, in turn, in one process on one processor; a figure is the least of the rounds, the answers are
compared. A cell below 0.95 of the faster peer's speed is measured three times more, and the middle of these counts. A
cell is left out where one call takes longer than --seconds. The cells go to target/bench/lengths-CPU.json one by one,
and a second call goes on where the first one ended (--fresh begins anew, --stop ends after so many seconds).
PINGALA_CPU masks features, as everywhere: with `-avx512ifma,-avx512f,-avxifma` it is an AVX2 machine.
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
from typing import Any

import pingala
from peers.child import flint
from peers.measure import ROOT, machine, one_processor


def peers() -> dict[str, Any]:
    """gmpy2, and FLINT if python-flint is there."""
    found = {"gmpy2": importlib.import_module("gmpy2").powmod}
    try:
        fmpz = flint().fmpz
        found["FLINT"] = lambda base, exponent, modulus: pow(fmpz(base), exponent, modulus)
    except ImportError as error:
        print(f"left out: FLINT: {error}", file=sys.stderr)
    return found


PEERS = peers()

SHORTEST, LONGEST, COUNT = 33, 1 << 21, 64
BAR = 0.95
# A round of one contender takes about this long, in seconds.
ROUND = 0.0015
ROUNDS = 9


def lengths(quick: bool) -> list[int]:
    """In equal ratios, the lengths of words among them."""
    ratio = (LONGEST / SHORTEST) ** (1 / (COUNT - 1))
    return [round(SHORTEST * ratio**step) for step in range(0, COUNT, 8 if quick else 1)]


def cells(chosen: list[int]) -> Iterator[tuple[str, int, int, int]]:
    """Name, and bits of the modulus, of its zeros, of the exponent."""
    for bits in chosen:
        for kind, zeros in {"odd": 0, "even": 1, "half zeros": bits // 2}.items():
            for exponent in ("1", "2", "17", "64", "full"):
                length = bits if exponent == "full" else int(exponent)
                yield f"{bits} bits, {kind}, exponent of {exponent} bits", bits, zeros, length


def drawn(bits: int, zeros: int, exponent_bits: int) -> list[tuple[int, int, int]]:
    """The numbers of one cell: several bases and moduli, so that nothing learns the branches of one."""
    rng = random.Random(bits * 1009 + zeros * 31 + exponent_bits)
    exponent = rng.getrandbits(exponent_bits) | 1 << (exponent_bits - 1)
    odd = bits - zeros

    def power() -> tuple[int, int, int]:
        return rng.getrandbits(bits), exponent, (rng.getrandbits(odd) | 1 | 1 << (odd - 1)) << zeros

    return [power() for _ in range(16 if bits <= 4096 else 2)]


def seconds(powmod: Any, powers: list[tuple[int, int, int]], repeats: int) -> float:
    """Of one call."""
    repeated = powers * repeats
    start = time.process_time()
    for base, exponent, modulus in repeated:
        powmod(base, exponent, modulus)
    return (time.process_time() - start) / len(repeated)


def measure(name: str, bits: int, powers: list[tuple[int, int, int]]) -> dict[str, float]:
    """Least seconds of a call by name, ours first. A call that is long by itself has fewer rounds."""
    # Beyond the default cap the call says so.
    ours: Any = functools.partial(pingala.powmod, max_modulus_bits=bits) if bits > 1 << 20 else pingala.powmod
    contenders = {"pingala": ours, **PEERS}
    if any(len({int(powmod(*power)) for powmod in contenders.values()}) > 1 for power in powers[:2]):
        sys.exit(f"{name}: the answers differ")
    once = seconds(PEERS["gmpy2"], powers, 1)
    repeats = max(1, min(4000, round(ROUND / max(once, 1e-8) / len(powers))))
    rounds = ROUNDS if once * len(powers) < 0.05 else 2
    samples = [[seconds(powmod, powers, repeats) for powmod in contenders.values()] for _ in range(rounds)]
    return dict(zip(contenders, map(min, zip(*samples, strict=True)), strict=True))


def times_faster(times: dict[str, float]) -> float:
    """The faster peer's time over ours."""
    return min(times[peer] for peer in PEERS) / times["pingala"]


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
    mask = os.environ.get("PINGALA_CPU", "").replace("-", "").replace(",", "-")
    file = ROOT / f"target/bench/lengths-{mask or 'whole'}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(file.read_text())["cells"] if file.exists() and not arguments.fresh else {}
    chosen = [bits for bits in lengths(arguments.quick) if arguments.least <= bits <= arguments.most]
    # By kind and exponent, the time that the last length took: a longer one takes at least that time.
    last: dict[str, float] = {}
    ratios: dict[str, float] = {}
    with one_processor():
        for name, bits, *shape in cells(chosen):
            series = name.partition(", ")[2]
            if last.get(series, 0.0) > arguments.seconds or (name not in known and time.monotonic() > end):
                continue
            if name not in known:
                powers = drawn(bits, *shape)
                times = measure(name, bits, powers)
                slow = times_faster(times) < BAR
                if slow:
                    times = sorted((measure(name, bits, powers) for _ in range(3)), key=times_faster)[1]
                known[name] = {**times, "ratio": times_faster(times), "again": 3 * slow}
                file.write_text(json.dumps({"machine": machine(), "cells": known}, indent=1) + "\n")
                shown = ", ".join(f"{peer} {time * 1e6:.2f}" for peer, time in times.items())
                print(f"{times_faster(times):6.2f}  {name}: {shown} us", flush=True)
            last[series] = max(known[name]["pingala"], known[name]["gmpy2"]) * 2
            ratios[name] = known[name]["ratio"]
    if not ratios:
        sys.exit("no length to measure")
    print(f"{len(ratios)} cells, median {statistics.median(ratios.values()):.2f}; the slowest beside the faster peer:")
    for name, ratio in sorted(ratios.items(), key=lambda item: item[1])[:12]:
        print(f"{ratio:6.2f}  {name}")
    worst = min(ratios.values())
    print(f"worst {worst:.2f}, bar {BAR}: {'met' if worst >= BAR else 'NOT MET'}; record: {file}")


if __name__ == "__main__":
    main()
