"""The interface between the papers' modules and what runs and renders them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .plots import Plot

# What a paper's measurements leave behind; JSON can hold it.
Record = dict[str, Any]

HOLDS = "holds"
FAILS = "does not hold"
OPEN = "cannot be judged"


class NotMeasuredError(Exception):
    """A paper whose measurements cannot be made here, and why."""


@dataclass(frozen=True)
class Budget:
    """How much to measure: rounds of everything that is timed in turn, and whether the longest inputs take part."""

    rounds: int = 15
    long: bool = False


@dataclass(frozen=True)
class Table:
    """A table of text; `code` in backticks. The first column names the rows."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    @property
    def in_words(self) -> list[bool]:
        """For each column whether it has text; figures begin with a digit or a sign."""
        columns = list(zip(*self.rows, strict=True))
        return [i == 0 or any(cell[:1] not in "+-0123456789" for cell in column) for i, column in enumerate(columns)]


@dataclass(frozen=True)
class Claim:
    """What the paper says, our figure for it, and what follows."""

    where: str
    text: str
    figure: str
    bar: str
    verdict: str


class Paper(Protocol):
    """A module `paper_NNN.py`."""

    SOURCE: str
    # What it describes, in two or three sentences.
    SUMMARY: str
    measure: Callable[[Budget], Record]
    tables: Callable[[Record], Sequence[Table]]
    claims: Callable[[Record], Sequence[Claim]]
    plots: Callable[[Record], Sequence[Plot]]


def judged(
    where: str,
    text: str,
    figure: float | None,
    what: str,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    show: str = "{:.3g}",
) -> Claim:
    """The claim holds if the figure lies from `low` to `high`.

    `what` says what the figure is, `show` how it and the bounds are printed; None is a figure that was not measured.
    """
    if low == -math.inf:
        bar = f"at most {show.format(high)}"
    elif high == math.inf:
        bar = f"at least {show.format(low)}"
    elif low == high:
        bar = f"exactly {show.format(low)}"
    else:
        bar = f"{show.format(low)} to {show.format(high)}"
    if figure is None or math.isnan(figure):
        return Claim(where, text, f"{what}: not measured", bar, OPEN)
    verdict = HOLDS if low <= figure <= high else FAILS
    return Claim(where, text, f"{what}: {show.format(figure)}", bar, verdict)


def milliseconds(nanoseconds: float | None) -> str:
    """Four digits, as the papers have them."""
    if nanoseconds is None:
        return "-"
    return f"{nanoseconds / 1e6:.4g}" if nanoseconds < 1e10 else f"{nanoseconds / 1e6:,.0f}"


def change(ratio: float | None) -> str:
    """A ratio as a change in per cent."""
    return "-" if ratio is None else f"{100 * (ratio - 1):+.2f}%"


def figure(record: Mapping[str, Any], *keys: str) -> Any:
    """The value at a path of keys, or None if the path ends early."""
    value: Any = record
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value
