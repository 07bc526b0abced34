"""The two formulas of Ji and Wan for how many products a window costs, exactly, and the windows that minimise them."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

Cost = Callable[[int, int], Fraction]
# First and last length, and the window there.
Interval = tuple[int, int, int]


@cache
def m_ary_cost(k: int, m: int) -> Fraction:
    """T(k, m) = 2^m - 2 + k - m + (1 - 2^-m) (k - m)/m."""
    return Fraction((1 << m) - 2 + k - m) + Fraction(((1 << m) - 1) * (k - m), (1 << m) * m)


@cache
def sliding_window_cost(k: int, m: int) -> Fraction:
    """T'(k, m) = 2^(m-1) + k + k/(m+1)."""
    return Fraction((1 << (m - 1)) + k) + Fraction(k, m + 1)


def minimiser(cost: Cost, k: int, start: int = 1) -> int:
    """The window of least cost, the higher one on a tie, walking up from `start`: both formulas are convex."""
    m = start
    while cost(k, m + 1) <= cost(k, m):
        m += 1
    return m


def intervals(cost: Cost, last: int) -> list[Interval]:
    """The minimisers of 1 to `last`."""
    found: list[Interval] = []
    m = 1
    for k in range(1, last + 1):
        # The minimiser never falls, except that T has no meaning for m > k.
        m = minimiser(cost, k, m)
        if found and found[-1][2] == m:
            found[-1] = (found[-1][0], k, m)
        else:
            found.append((k, k, m))
    return found


def window_at(table: Sequence[Sequence[int]], k: int) -> int:
    return next(m for first, last, m in table if first <= k <= last)


def not_minimal(table: Sequence[Sequence[int]], cost: Cost, last: int) -> list[int]:
    """The lengths at which a table's window costs more than the least."""
    best = intervals(cost, last)
    return [k for k in range(1, last + 1) if cost(k, window_at(table, k)) > cost(k, window_at(best, k))]
