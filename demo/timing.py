"""Times calls side by side: in one process, in turn, and reports medians. The caller compares the answers."""

import time
from collections.abc import Callable, Mapping
from statistics import median

Call = Callable[[], object]


def seconds_per_call(calls: Mapping[str, Call], budget: float = 1.0, rounds: int = 5) -> dict[str, float]:
    """The median time of one call of each, over at least `rounds` rounds and about `budget` seconds in all.

    A round runs each call once, in an order that turns, as often in a row as fills two milliseconds.
    """
    names = list(calls)
    repeats = {name: _repeats(calls[name]) for name in names}
    times: dict[str, list[float]] = {name: [] for name in names}
    end = time.perf_counter() + budget
    done = 0
    while done < rounds or time.perf_counter() < end:
        turn = done % len(names)
        for name in names[turn:] + names[:turn]:
            times[name].append(_time(calls[name], repeats[name]))
        done += 1
    return {name: median(times[name]) for name in names}


def _time(call: Call, repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def _repeats(call: Call) -> int:
    once = _time(call, 1)
    return max(1, min(100_000, int(0.002 / max(once, 1e-8))))


def show(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
