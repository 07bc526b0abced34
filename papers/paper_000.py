"""Ji and Wan, 2017: adaptive windows in plain Python next to CPython's and PyPy's pow."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peers.measure import LAB, one_processor, quartile

from . import plain
from .paper import Budget, Claim, Record, Table, change, figure, judged, milliseconds
from .plots import Bars, Lines, Plot, Series
from .windows import (
    Cost,
    intervals,
    m_ary_cost,
    minimiser,
    not_minimal,
    sliding_window_cost,
    window_at,
)

SOURCE = "Shiyu Ji and Kun Wan, University of California Santa Barbara, 2017 (arXiv)."
SUMMARY = (
    "Two window methods in plain Python choose their window by the exponent's length, from two formulas for "
    "the number of products (Tables I and II). They are timed beside `pow` of CPython and PyPy (Tables III and IV)."
)

ROOT = Path(__file__).resolve().parents[1]
BITS = (1024, 2048, 3072, 4096)
# The end of Table II's last interval; Table I leaves its last one open.
LAST = 11519

TABLE_I = ((1, 5, 1), (6, 34, 2), (35, 121, 3), (122, 368, 4), (369, 1043, 5), (1044, 2822, 6), (2823, 7370, 7),
           (7371, LAST, 8))  # fmt: skip
TABLE_II = ((1, 20, 2), (21, 23, 3), (24, 79, 4), (80, 239, 5), (240, 671, 6), (672, 1791, 7), (1792, 4607, 8),
            (4608, LAST, 9))  # fmt: skip

# Tables III and IV: milliseconds of pow, of adaptive m-ary and of the adaptive sliding window.
TABLE_III = {1024: (5.050, 5.271, 5.179), 2048: (32.942, 32.88, 32.41), 3072: (101.136, 99.77, 97.273),
             4096: (229.435, 224.432, 218.00)}  # fmt: skip
TABLE_IV = {1024: (3.450, 3.586, 3.543), 2048: (20.035, 20.011, 19.731), 3072: (58.383, 57.782, 56.118),
            4096: (129.20, 126.556, 123.14)}  # fmt: skip

M_ARY = "Adaptive m-ary"
SLIDING = "Adaptive sliding window"
CORRECTED = "sliding window, Table II corrected"
BINARY = "left-to-right binary"
FIVE_ARY = "5-ary"


def contenders(bits: int) -> dict[str, tuple[str, int] | tuple[str]]:
    """Method and window of each, as plain.py knows them."""
    return {
        M_ARY: ("m_ary", window_at(TABLE_I, bits)),
        SLIDING: ("sliding_window", window_at(TABLE_II, bits)),
        CORRECTED: ("sliding_window", minimiser(sliding_window_cost, bits)),
        FIVE_ARY: ("m_ary", 5),
        BINARY: ("binary_left_to_right",),
    }


def mean_products(method: str, bits: int, window: Sequence[int], exponents: int = 12) -> float:
    """Executed products, the mean over the same random exponents for every method."""
    rng = random.Random(bits)
    drawn = [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(exponents)]
    return sum(plain.products(method, e, *window) for e in drawn) / exponents


def interpreter(command: str, rounds: int, with_pingala: bool) -> dict[str, Any]:
    """Times of one Python, and each method's change against its pow, round by round."""
    job = {
        "rounds": rounds,
        "seed": 2017,
        "pingala": with_pingala,
        "contenders": {str(bits): contenders(bits) for bits in BITS},
    }
    child = subprocess.run(
        [command, "-m", "papers.plain"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{LAB}"},
    )
    answer = json.loads(child.stdout)
    times = {
        bits: {name: quartile(samples) for name, samples in rows.items()} for bits, rows in answer["samples"].items()
    }
    ratios = {
        bits: {
            name: [quartile([a / b for a, b in zip(samples, rows["pow"], strict=True)], q) for q in (1, 2, 3)]
            for name, samples in rows.items()
        }
        for bits, rows in answer["samples"].items()
    }
    return {"version": answer["version"], "nanoseconds": times, "ratio_to_pow": ratios}


def measure(budget: Budget) -> Record:
    windows = range(1, 12)
    record: Record = {
        "left_out": [],
        "minimisers": {"I": intervals(m_ary_cost, LAST), "II": intervals(sliding_window_cost, LAST)},
        "products": {
            str(bits): {name: mean_products(run[0], bits, run[1:]) for name, run in contenders(bits).items()}
            for bits in BITS
        },
        "by_window": {
            str(bits): [
                [m, float(sliding_window_cost(bits, m)), mean_products("sliding_window", bits, [m], 4)] for m in windows
            ]
            for bits in BITS
        },
    }
    with one_processor():
        record["cpython"] = interpreter(sys.executable, 2 * budget.rounds, True)
        pypy = shutil.which("pypy3")
        if pypy is None:
            record["left_out"].append("PyPy: there is no `pypy3` (Debian's package has that name).")
        else:
            record["pypy"] = interpreter(pypy, budget.rounds, False)
    return record


def window_table(numeral: str, printed: Sequence[Sequence[int]], cost: Cost, record: Record) -> Table:
    ours = record["minimisers"][numeral]
    wrong = not_minimal(printed, cost, LAST)
    rows = []
    for first, last, m in ours:
        theirs = [f"{a}-{b if b < LAST or numeral == 'II' else ''}" for a, b, n in printed if n == m]
        k = max(first, 2)
        surplus = cost(k, window_at(printed, k)) / cost(k, m) - 1
        rows.append([str(m), f"{first}-{last}", *(theirs or ["-"]), f"{100 * float(surplus):.1f}%"])
    printed_largest = max(n for _, _, n in printed)
    if printed_largest > ours[-1][2]:
        a, b, n = printed[-1]
        rows.append([str(n), f"above {LAST}", f"{a}-{b}", "-"])
    return Table(
        f"Table {numeral}: the window m* and the lengths k in bits for which it is best",
        ("m*", "by the formula", "printed", "surplus of the printed m at the row's first length"),
        rows,
        f"The printed window costs more than the least at {len(wrong):,} of the lengths 1 to {LAST:,}.",
    )


def time_table(
    title: str, printed: dict[int, tuple[float, float, float]], measured: dict[str, Any], base: str
) -> Table:
    names = [name for name in measured["nanoseconds"][str(BITS[0])] if name not in ("pow", "one product")]
    rows = []
    for bits in BITS:
        theirs, ours = printed[bits], measured["nanoseconds"][str(bits)]
        rows.append(
            [f"{bits}, printed", f"{theirs[0]:.4g}"]
            + [f"{theirs[i]:.4g} ({change(theirs[i] / theirs[0])})" for i in (1, 2)]
            + ["-"] * (len(names) - 2)
        )
        ratios = measured["ratio_to_pow"][str(bits)]
        rows.append(
            [f"{bits}, ours", milliseconds(ours["pow"])]
            + [f"{milliseconds(ours[name])} ({change(ratios[name][1])})" for name in names]
        )
    note = "Milliseconds, lower quartile; in parentheses the change against pow, median over rounds of equal numbers."
    return Table(f"{title}, {measured['version']}", ("bits", base, *names), rows, note)


def tables(record: Record) -> list[Table]:
    found = [
        window_table("I", TABLE_I, m_ary_cost, record),
        window_table("II", TABLE_II, sliding_window_cost, record),
        time_table("Table III", TABLE_III, record["cpython"], "CPython pow"),
    ]
    if "pypy" in record:
        found.append(time_table("Table IV", TABLE_IV, record["pypy"], "PyPy pow"))
    names = list(record["products"][str(BITS[0])])
    rows = [[str(bits), *(f"{record['products'][str(bits)][name]:.0f}" for name in names)] for bits in BITS]
    found.append(Table("Products that the plain methods execute, mean of 12 exponents", ("bits", *names), rows))
    return found


def differing(record: Record, numeral: str, printed: Sequence[Sequence[int]], cost: Cost) -> int:
    """The number of lengths at which the printed window costs more than the recorded minimiser."""
    ours = record["minimisers"][numeral]
    return sum(cost(k, window_at(printed, k)) > cost(k, window_at(ours, k)) for k in range(1, LAST + 1))


def claims(record: Record) -> list[Claim]:
    def ratio(python: str, bits: int, name: str) -> float | None:
        found = figure(record, python, "ratio_to_pow", str(bits), name)
        return found[1] if found else None

    def worst(python: str, name: str) -> float | None:
        ratios = [ratio(python, bits, name) for bits in (3072, 4096)]
        known = [r for r in ratios if r is not None]
        return max(known) if len(known) == len(ratios) else None

    def percent(value: float | None) -> float | None:
        return None if value is None else 100 * (value - 1)

    at_4096 = record["products"]["4096"]
    by_count = at_4096[SLIDING] / at_4096[FIVE_ARY]
    pypy_pow = figure(record, "pypy", "nanoseconds", "4096", "pow")
    pypy_binary = figure(record, "pypy", "nanoseconds", "4096", BINARY)
    small = {"cpython": "CPython", "pypy": "PyPy"}
    found = [
        judged("Table I", "These are the minimisers of T(k, m).", differing(record, "I", TABLE_I, m_ary_cost),
               "lengths where another m costs less", low=0, high=0, show="{:,.0f}"),
        judged("Table II", "These are the minimisers of T'(k, m).",
               differing(record, "II", TABLE_II, sliding_window_cost), "lengths where another m costs less",
               low=0, high=0, show="{:,.0f}"),
        judged("Table III against the counts",
               "CPython's pow was 5-ary, and the sliding window saves 4.98% of it at 4096 bits.",
               percent(by_count), "change by executed products only, in per cent", low=-5.98, high=-3.98,
               show="{:.2f}"),
        judged("IV-B", "PyPy's pow always uses left-to-right binary.",
               None if pypy_pow is None else pypy_pow / pypy_binary,
               "time of PyPy's pow against left-to-right binary in plain Python there", low=0.95, high=1.05),
    ]  # fmt: skip
    for python, name in small.items():
        for method in (M_ARY, SLIDING):
            found.append(
                judged(
                    "IV-C",
                    f"For more than 2048 bits, {method.lower()} takes less time than {name}'s pow.",
                    percent(worst(python, method)),
                    "change at 3072 and 4096 bits, the worse one, in per cent",
                    high=-0.5,
                    show="{:+.2f}",
                )
            )
        found.append(
            judged(
                "IV-C",
                f"The adaptive sliding window saves nearly 5% of {name}'s pow at 4096 bits.",
                percent(ratio(python, 4096, SLIDING)),
                "change in per cent",
                low=-6.5,
                high=-3.5,
                show="{:+.2f}",
            )
        )
    return found


def plots(record: Record) -> list[Plot]:
    costs = [
        Series(f"{bits} bits", [(m, executed / bits) for m, _, executed in record["by_window"][str(bits)]])
        for bits in BITS
    ]
    times = record["cpython"]["nanoseconds"]
    lengths = [
        Series(name, [(bits, times[str(bits)][name] / 1e6) for bits in BITS])
        for name in ("pow", SLIDING, "Pingala")
        if name in times[str(BITS[0])]
    ]
    ratios = record["cpython"]["ratio_to_pow"]
    changes = [
        Series(f"{name}, printed", [(bits, 100 * (TABLE_III[bits][place] / TABLE_III[bits][0] - 1)) for bits in BITS])
        for place, name in ((1, "m-ary"), (2, "sliding window"))
    ] + [
        Series(label, [(bits, 100 * (ratios[str(bits)][name][1] - 1)) for bits in BITS])
        for name, label in ((M_ARY, "m-ary, here"), (SLIDING, "sliding window, here"), (CORRECTED, "corrected, here"))
    ]
    found: list[Plot] = [
        Lines("000-windows", "Sliding windows: executed products a bit against the window", "window m in bits",
              "products for each bit of the exponent", costs),
        Lines("000-change", "Change against CPython's pow", "length of base, exponent and modulus in bits",
              "per cent", changes),
        Lines("000-times", "Time against length, CPython", "length of base, exponent and modulus in bits",
              "milliseconds", lengths, y_log=True),
    ]  # fmt: skip
    groups = []
    for name in (BINARY, FIVE_ARY, M_ARY, SLIDING, CORRECTED):
        bound = record["products"]["4096"][name] * times["4096"]["one product"] / 1e6
        groups.append((name, [("products x time of one", bound), ("measured", times["4096"][name] / 1e6)]))
    found.append(Bars("000-bound", "Bound and measured at 4096 bits, plain Python", "milliseconds", groups))
    return found
