"""How the lab's Python side times: all in turn, round by round; a figure is the lower quartile."""

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
# What PYTHONPATH names so that this package is found.
LAB = ROOT / "crates/pingala-lab"

Call = Callable[[], Any]
# What times one call, in nanoseconds.
Sampler = Callable[[], float]

# A modulus that was not chosen for a table of this lab: RSA-2048 of the RSA factoring challenge.
RSA_2048 = int(
    "25195908475657893494027183240048398571429282126204032027777137836043662020707595556264018525880784"
    "4069182906412495150821892985591491761845028084891200728449926873928072877767359714183472702618963750149718246911"
    "6507761337985909570009733045974880842840179742910064245869181719511874612151517265463228221686998754918242243363"
    "7259085141865462043576798423387184774447920739934236584823824281198163815010674810451660377306056201619676256133"
    "8441436038339044149526344321901146575444541784240209246165157233507787077498171257724679629263863563732899121548"
    "31438167899885040445364023527381951378636564391212010397122822120720357"
)


class SkippedError(Exception):
    """A peer that is not there, and why."""


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


def quartile(samples: Sequence[float], of_four: int = 1) -> float:
    """The lower quartile; 2 is the median, 3 the upper quartile."""
    return sorted(samples)[(len(samples) - 1) * of_four // 4]


def lower_quartiles(contenders: Mapping[str, Sampler], rounds: int) -> dict[str, float]:
    """The figure of each contender, which has one sample a round, in turn."""
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, sample in contenders.items():
            samples[name].append(sample())
    return {name: quartile(found) for name, found in samples.items()}


def machine() -> str:
    """The CPU as Linux calls it, or its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    known = {name.strip(): value.strip() for name, value in fields.items()}
    return f"{known.get('model name', '?')}, family {known.get('cpu family', '?')}, model {known.get('model', '?')}"


@contextmanager
def one_processor() -> Iterator[None]:
    """Within, this process and the children it starts stay on one processor."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
