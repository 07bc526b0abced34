"""The rows that are timed. As a program: what this CPU needs for each, and for the list of all roots, as JSON.

The second use is for a process whose CPU is masked by `PINGALA_CPU`: run.py starts it.
"""

import json
import time
from collections.abc import Mapping
from functools import partial

from rows import AGREEMENTS, ROOTS, Row, read

import pingala
from peers.measure import Call, lower_quartiles, sampler

# Above this a call of pow takes seconds.
MOST_TIMED_EXPONENT_BITS = 4096


def samples(roots: list[Row], agreements: list[Row]) -> list[tuple[str, Row]]:
    """One row for each kind and size of work."""
    chosen = [(f"RSA verify, {row.bits} bits", row) for row in {row.bits: row for row in reversed(roots)}.values()]
    kinds = {"g^a": "2^a", "(g^b)^a": "agree", "(g^a)^c": "agree, long"}
    for row in agreements:
        if row.what in kinds and (row.what != "g^a" or row.bits in (2048, 4096)):
            chosen.append((f"DH {kinds[row.what]}, {row.bits} bits", row))
    return sorted(chosen, key=lambda pair: (pair[1].bits, pair[1].exponent.bit_length()))


def one(row: Row) -> Call:
    return partial(pingala.powmod, row.base, row.exponent, row.modulus)


def all_of(roots: list[Row]) -> Call:
    columns = [r.base for r in roots], [r.exponent for r in roots], [r.modulus for r in roots]
    return partial(pingala.powmod_list, *columns)


def seconds(calls: Mapping[str, Call]) -> dict[str, float]:
    """The lower quartile of the time of one call of each, on the wall, in turn."""
    samplers = {name: sampler(call, time.perf_counter_ns) for name, call in calls.items()}
    return {name: nanoseconds / 1e9 for name, nanoseconds in lower_quartiles(samplers, 9).items()}


def main() -> None:
    roots, agreements = read(ROOTS), read(AGREEMENTS)
    calls = {
        name: (one(row), row.expected)
        for name, row in samples(roots, agreements)
        if row.exponent.bit_length() <= MOST_TIMED_EXPONENT_BITS
    }
    times: dict[str, float | None] = {}
    for name, (call, expected) in calls.items():
        times[name] = seconds({name: call})[name] if call() == expected else None
    right = all_of(roots)() == [row.expected for row in roots]
    times["list"] = seconds({"list": all_of(roots)})["list"] if right else None
    print(json.dumps(times))


if __name__ == "__main__":
    main()
