"""How the lab's Python side times: everything in turn, round by round; a figure is the lower quartile."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Call = Callable[[], Any]
# What times one call, in nanoseconds.
Sampler = Callable[[], float]


def timed(call: Call, clock: Callable[[], int] = time.process_time_ns) -> float:
    """Nanoseconds of one call, from as many as take 20 ms."""
    start = clock()
    call()
    once = max(clock() - start, 1)
    if once > 2e7:
        return once
    count = max(1, min(int(2e7 / once), 100_000))
    start = clock()
    for _ in range(count):
        call()
    return (clock() - start) / count


def sampler(call: Call, clock: Callable[[], int] = time.process_time_ns) -> Sampler:
    return lambda: timed(call, clock)


def rounds_of(contenders: Mapping[str, Sampler], rounds: int) -> dict[str, list[float]]:
    """The samples of each contender: one a round, in turn."""
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, sample in contenders.items():
            samples[name].append(sample())
    return samples


def quartile(samples: Sequence[float], of_four: int = 1) -> float:
    """The lower quartile; 2 is the median, 3 the upper quartile."""
    return sorted(samples)[(len(samples) - 1) * of_four // 4]


def lower_quartiles(contenders: Mapping[str, Sampler], rounds: int) -> dict[str, float]:
    return {name: quartile(samples) for name, samples in rounds_of(contenders, rounds).items()}
