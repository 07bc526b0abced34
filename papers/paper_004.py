"""Tandrup, Jensen, Andersen and Hansen, 2004: general methods, fixed bases and addition chains, in Standard ML."""

import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pingala
from peers.measure import Sampler, lower_quartiles, one_processor, quartile, sampler, timed

from . import chains, plain
from .libraries import LIBRARIES, READ
from .paper import Budget, Claim, Record, Table, judged, milliseconds
from .plots import Bars, Lines, Plot, Series

SOURCE = "Mads B. Tandrup, Martin H. Jensen, Rasmus N. Andersen, Therese F. Hansen, University of Aarhus, 2004."
SUMMARY = (
    "Six general methods, addition chains for a fixed exponent, and two methods for a fixed base (windowing, "
    "Euclidean) are described, most of them written in Standard ML and timed; a list says what libraries used."
)

COMMAND = Path(__file__).resolve().parents[1] / "target/release/pingala"
MODULUS_BITS, BASE_BITS, GENERAL_BITS, FIXED_BITS, RADIX = 1800, 32, 7000, 6500, 10

RIGHT_TO_LEFT, LEFT_TO_RIGHT = "Right-to-Left Binary", "Left-to-Right Binary"
# The report's names: method and window in plain.py, Pingala's plan, seconds of precomputation and computation printed.
GENERAL: dict[str, tuple[str, int, str, tuple[float, float] | None]] = {
    RIGHT_TO_LEFT: ("binary_right_to_left", 0, "binary_right_to_left", (0.0, 0.34)),
    LEFT_TO_RIGHT: ("binary_left_to_right", 0, "binary_left_to_right", (0.0, 0.22)),
    "Left-to-Right k-ary, base 2": ("m_ary", 1, "k_ary(w=1)", (0.26, 0.64)),
    "Left-to-Right k-ary, base 8": ("m_ary", 3, "k_ary(w=3)", (0.26, 0.65)),
    "Left-to-Right k-ary, base 16": ("m_ary", 4, "k_ary(w=4)", (0.26, 0.64)),
    "Sliding Window, size 2": ("sliding_window", 2, "sliding_window(w=2)", (0.79, 0.27)),
    "Sliding Window, size 4": ("sliding_window", 4, "sliding_window(w=4)", (0.79, 0.39)),
    "Sliding Window, size 6": ("sliding_window", 6, "sliding_window(w=6)", (0.79, 1.19)),
    "Sliding Window, size 8": ("sliding_window", 8, "sliding_window(w=8)", (0.79, 5.77)),
    "Sliding Window, size 16": ("sliding_window", 16, "sliding_window(w=16)", None),
}
WINDOW, EUCLIDEAN = "Fixed Base Window, t = 2000", "Fixed Base Euclidean, t = 2000"
# Table 4.1, seconds.
FIXED_PRINTED = {
    LEFT_TO_RIGHT: 0.21,
    RIGHT_TO_LEFT: 0.34,
    "Left-to-Right k-ary, base 2": 0.94,
    "Left-to-Right k-ary, base 16": 0.93,
    "Left-to-Right k-ary, base 8": 0.91,
    "Sliding Window, size 6": 2.25,
    "Sliding Window, size 4": 1.23,
    "Sliding Window, size 2": 1.06,
    WINDOW: 0.07,
    EUCLIDEAN: 0.41,
}
PRECOMPUTATION_PRINTED, BREAK_EVEN_PRINTED = 210.0, 1520
# Pingala's tables: label, plan, bytes.
TABLES = {
    "windowing(h=10), as the report's": ("windowing(h=10)", 1 << 20),
    "euclidean(digit_bits=4), about the same number of entries": ("euclidean(digit_bits=4)", 1 << 20),
    "euclidean(digit_bits=204), 32 entries": ("euclidean(digit_bits=204)", 1 << 20),
    "the planner's choice for 512 KiB": (None, 1 << 19),
}

CHAIN_TARGETS = {
    "13": 13,
    "283": 283,
    "65537": 65537,
    "2^255 - 21": 2**255 - 21,
    "order of P-256, less 2": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC63254F,
}
CHAIN_METHODS = ("binary_left_to_right", "k_ary(w=4)", "sliding_window(w=4)", "sliding_window(w=5)")
BOUNDS_TO = 256


def numbers(base_bits: int, exponent_bits: int) -> tuple[int, int, int]:
    rng = random.Random(2004)
    modulus = rng.getrandbits(MODULUS_BITS) | 1 << (MODULUS_BITS - 1) | 1
    base = rng.getrandbits(base_bits) | 1 << (base_bits - 1)
    return base % modulus, rng.getrandbits(exponent_bits) | 1 << (exponent_bits - 1), modulus


def halves(method: str, window: int, g: int, e: int, n: int) -> tuple[Callable[[], Any], Callable[[], int]]:
    """What precomputes, and what computes with that."""
    if method == "m_ary":
        return partial(plain.all_powers, g, n, window), partial(
            plain.m_ary_from, plain.all_powers(g, n, window), e, n, window
        )
    if method == "sliding_window":
        odd = plain.odd_powers(g, n, window)
        return partial(plain.odd_powers, g, n, window), partial(plain.sliding_window_from, odd, e, n, window)
    return (lambda: None), partial(plain.METHODS[method], g, e, n)


def general(base_bits: int, rounds: int) -> dict[str, Any]:
    """Every general method in plain Python, in two halves, and by Pingala."""
    g, e, n = numbers(base_bits, GENERAL_BITS)
    expected = pow(g, e, n)
    contenders: dict[str, Sampler] = {}
    for name, (method, window, plan, _) in GENERAL.items():
        before, after = halves(method, window, g, e, n)
        ours = partial(pingala.powmod, g, e, n, plan=plan)
        for what, result in (("plain", after()), ("Pingala", ours())):
            if result != expected:
                raise SystemExit(f"answers differ: {name}, {what}")
        contenders[f"{name}|precomputation"] = sampler(before)
        contenders[f"{name}|computation"] = sampler(after)
        contenders[f"{name}|Pingala"] = sampler(ours)
    contenders["the planner|Pingala"] = sampler(partial(pingala.powmod, g, e, n))
    times = lower_quartiles(contenders, rounds)
    found: dict[str, Any] = {"planner": times.pop("the planner|Pingala"), "methods": {}}
    for key, nanoseconds in times.items():
        name, _, half = key.partition("|")
        found["methods"].setdefault(name, {})[half] = nanoseconds
    return found


def products(method: str, window: int, e: int) -> dict[str, int]:
    whole = plain.products(method, e, *([window] if window else []))
    g: Any = plain.Counted()
    halves(method, window, g, 1, 2)[0]()
    # `halves` makes the table once for the second half and `[0]()` once more.
    table = g.products // 2
    return {"precomputation": table, "computation": whole - table}


def fixed_base(rounds: int) -> dict[str, Any]:
    """Table 4.1: the methods for a fixed base, the precomputation of their table both ways, and Pingala's tables."""
    g, e, n = numbers(BASE_BITS, FIXED_BITS)
    expected = pow(g, e, n)
    digits = plain.digits_of(e, RADIX)
    table = plain.table_in_turn(g, n, RADIX, len(digits))
    # Method, and its window if it has one.
    generic = {
        name: (GENERAL[name][0], GENERAL[name][1:2] if GENERAL[name][1] else ())
        for name in FIXED_PRINTED
        if name in GENERAL
    }
    calls: dict[str, Callable[[], int]] = {
        **{name: partial(plain.METHODS[method], g, e, n, *window) for name, (method, window) in generic.items()},
        WINDOW: partial(plain.fixed_base_window, table, digits, n, RADIX),
        EUCLIDEAN: partial(plain.fixed_base_euclidean, table, digits, n),
    }
    kept: dict[str, Any] = {}
    for label, (plan, memory) in TABLES.items():
        start = time.process_time_ns()
        tables = pingala.FixedBase(g, n, FIXED_BITS, memory=memory, plan=plan)
        built = time.process_time_ns() - start
        kept[label] = {"plan": tables.plan, "entries": tables.entries, "bytes": tables.table_bytes, "build": built}
        calls[f"Pingala|{label}"] = partial(tables.pow, e)
    calls["Pingala|no table"] = partial(pingala.powmod, g, e, n)
    for name, call in calls.items():
        if call() != expected:
            raise SystemExit(f"answers differ: {name}")
    times = lower_quartiles({name: sampler(call) for name, call in calls.items()}, rounds)
    # One by one, every 123rd entry stands for all.
    places = range(0, len(digits), 123)
    one_by_one = timed(partial(plain.table_one_by_one, g, n, RADIX, places)) * len(digits) / len(places)
    in_turn = quartile([timed(partial(plain.table_in_turn, g, n, RADIX, len(digits))) for _ in range(rounds)])
    counted: Any = plain.Counted()
    plain.table_in_turn(counted, 2, RADIX, len(digits))
    counts = {
        "one by one": sum(plain.products("binary_left_to_right", RADIX**i) for i in range(len(digits))),
        "in turn": counted.products,
        **{name: plain.products(method, e, *window) for name, (method, window) in generic.items()},
        WINDOW: counted_run(lambda c: plain.fixed_base_window([c] * len(digits), digits, 2, RADIX)),
        EUCLIDEAN: counted_run(lambda c: plain.fixed_base_euclidean([c] * len(digits), digits, 2)),
    }
    return {
        "digits": len(digits),
        "nanoseconds": {name: ns for name, ns in times.items() if not name.startswith("Pingala|")},
        "pingala": {name.partition("|")[2]: ns for name, ns in times.items() if name.startswith("Pingala|")},
        "tables": kept,
        "precomputation": {"one by one": one_by_one, "in turn": in_turn},
        "products": counts,
    }


def counted_run(run: Callable[[Any], Any]) -> int:
    counted = plain.Counted()
    run(counted)
    return counted.products


def chain_of(method: str, e: int) -> tuple[list[int], list[chains.Pair]]:
    """The chain that the command prints."""
    run = [str(COMMAND), "chain", "--algorithm", method, str(e)]
    lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    pairs = [tuple(int(place) for place in pair.strip("()").split(",")) for pair in lines[1].split()]
    return [int(value) for value in lines[0].split()], [(i, j) for i, j in pairs]


def chapter_3() -> dict[str, Any]:
    rows = {}
    for label, e in CHAIN_TARGETS.items() if COMMAND.exists() else ():
        row: dict[str, Any] = {"bounds": chains.bounds(e), "lengths": {}, "wrong": 0}
        if e < 12509:
            row["shortest"] = chains.shortest_length(e)
        for method in CHAIN_METHODS:
            values, pairs = chain_of(method, e)
            row["lengths"][method] = len(pairs)
            row["wrong"] += chains.wrong_pairs(values, pairs) + (values[-1] != e)
        rows[label] = row
    shortest = {n: chains.shortest_length(n) for n in range(2, BOUNDS_TO + 1)}
    printed = chains.sliding_window_as_printed(283, 3)
    return {
        "chains": rows,
        "section 3.2": chains.wrong_pairs([1, 2, 3, 5, 10, 13], [(0, 0), (0, 1), (1, 2), (3, 3), (2, 4)]),
        "section 3.4.1": chains.wrong_pairs([1, 2, 3, 6, 12, 13], [(0, 0), (0, 1), (2, 2), (3, 3), (4, 0)]),
        "section 3.4.2": {"values": printed, "defects": chains.defects(printed) + (printed[-1] != 283)},
        "outside": sum(not (chains.bounds(n)[0] <= length <= chains.bounds(n)[1]) for n, length in shortest.items()),
    }


def measure(budget: Budget) -> Record:
    _, e, _ = numbers(BASE_BITS, GENERAL_BITS)
    record: Record = {
        "left_out": [],
        "products": {name: products(method, window, e) for name, (method, window, _, _) in GENERAL.items()},
        # Section 2.5 calls an exponent with a single one the worst case of sliding windows.
        "single_one": plain.products("sliding_window", 1 << (GENERAL_BITS - 1), 6),
        "chapter_3": chapter_3(),
        "libraries": [asdict(library) for library in LIBRARIES],
    }
    if not COMMAND.exists():
        record["left_out"].append(f"Chains of Pingala's algorithms: {COMMAND} is not built.")
    with one_processor():
        record["general"] = {str(bits): general(bits, budget.rounds) for bits in (BASE_BITS, MODULUS_BITS)}
        record["fixed"] = fixed_base(budget.rounds)
    return record


def total(record: Record, base_bits: int, name: str) -> float:
    row = record["general"][str(base_bits)]["methods"][name]
    return float(row["precomputation"] + row["computation"])


def general_table(record: Record, base_bits: int) -> Table:
    rows = []
    found = record["general"][str(base_bits)]
    for name, (_, _, plan, printed) in GENERAL.items():
        row, count = found["methods"][name], record["products"][name]
        rows.append([
            name,
            f"{1000 * printed[0]:.0f} + {1000 * printed[1]:.0f}" if printed else "-",
            f"{milliseconds(row['precomputation'])} + {milliseconds(row['computation'])}",
            f"{count['precomputation']:,} + {count['computation']:,}",
            milliseconds(row["Pingala"]),
            f"`{plan}`",
        ])  # fmt: skip
    return Table(
        f"Table 2.3, ms: base of {base_bits:,} bits, exponent of {GENERAL_BITS:,}, modulus of {MODULUS_BITS:,}",
        ("precomputation + computation", "printed", "plain Python", "products", "Pingala, this method", "its plan"),
        rows,
        f"Pingala left to choose takes {milliseconds(found['planner'])} ms. The report gave size 16 up.",
    )


def break_even(precomputation: float, without: float, with_table: float) -> float:
    """From how many powers on the table has paid."""
    return precomputation / (without - with_table) if without > with_table else float("inf")


def fixed_table(record: Record) -> list[Table]:
    fixed = record["fixed"]
    times, counts, made = fixed["nanoseconds"], fixed["products"], fixed["precomputation"]
    rows = [
        [name, f"{1000 * FIXED_PRINTED[name]:.0f}", milliseconds(times[name]),
         f"{counts[name]:,}" if name in counts else "-"]
        for name in FIXED_PRINTED
    ]  # fmt: skip
    rows.append(["precomputation one by one", f"{1000 * PRECOMPUTATION_PRINTED:,.0f}",
                 milliseconds(made["one by one"]), f"{counts['one by one']:,}"])  # fmt: skip
    rows.append(["precomputation in turn", "-", milliseconds(made["in turn"]), f"{counts['in turn']:,}"])
    plain_rows = Table(
        f"Table 4.1: a fixed base of {BASE_BITS} bits, exponent of {FIXED_BITS:,}, modulus of {MODULUS_BITS:,}",
        ("", "printed, ms", "plain Python, ms", "products"),
        rows,
        f"The exponent has {fixed['digits']:,} decimal digits, which is what t = 2000 means. One by one, each entry is "
        "a power of the base (timed for every 123rd entry); in turn, each is the tenth power of the one before.",
    )
    ours = [
        [label, f"`{row['plan']}`", f"{row['entries']:,}", f"{row['bytes'] / 1024:,.0f}", milliseconds(row["build"]),
         milliseconds(fixed["pingala"][label]),
         f"{break_even(row['build'], fixed['pingala']['no table'], fixed['pingala'][label]):.1f}"]
        for label, row in fixed["tables"].items()
    ]  # fmt: skip
    ours.append(["no table", "-", "-", "-", "-", milliseconds(fixed["pingala"]["no table"]), "-"])
    pingala_rows = Table(
        "The same numbers with Pingala",
        ("table", "plan", "entries", "KiB", "to build, ms", "a power, ms", "pays from this many powers on"),
        ours,
        "To build includes what the modulus needs once.",
    )
    evens = [
        ["printed", f"{BREAK_EVEN_PRINTED:,}"],
        ["plain Python, table one by one", f"{evens_of(record)['one by one']:,.0f}"],
        ["plain Python, table in turn", f"{evens_of(record)['in turn']:.1f}"],
        ["by products, table one by one", f"{evens_by_count(record)['one by one']:,.0f}"],
        ["by products, table in turn", f"{evens_by_count(record)['in turn']:.1f}"],
    ]
    return [
        plain_rows,
        pingala_rows,
        Table("Break-even of Fixed Base Window against Left-to-Right Binary", ("", "powers"), evens),
    ]


def evens_of(record: Record) -> dict[str, float]:
    times = record["fixed"]["nanoseconds"]
    made = record["fixed"]["precomputation"]
    return {how: break_even(made[how], times[LEFT_TO_RIGHT], times[WINDOW]) for how in made}


def evens_by_count(record: Record) -> dict[str, float]:
    counts = record["fixed"]["products"]
    return {how: break_even(counts[how], counts[LEFT_TO_RIGHT], counts[WINDOW]) for how in ("one by one", "in turn")}


def chain_table(record: Record) -> list[Table]:
    rows = []
    for label, row in record["chapter_3"]["chains"].items():
        low, high = row["bounds"]
        lengths = [str(row["lengths"][method]) for method in CHAIN_METHODS]
        checked = "yes" if row["wrong"] == 0 else f"{row['wrong']} wrong"
        rows.append([label, f"{low:.1f}", str(row.get("shortest", "-")), *lengths, f"{high:.1f}", checked])
    if not rows:
        return []
    columns = ("exponent", "lower bound", "shortest", *(f"`{m}`" for m in CHAIN_METHODS), "upper bound", "checked")
    return [
        Table(
            "Chapter 3: lengths of chains, between the bounds of section 3.5",
            columns,
            rows,
            "Checked: every element is the sum of the two earlier ones that its pair names; the last is the exponent.",
        )
    ]


def tables(record: Record) -> list[Table]:
    columns = ("name", "version", "in_2004", "method", "shared", "source")
    rows = [[library[column] for column in columns] for library in record["libraries"]]
    return [
        general_table(record, BASE_BITS),
        general_table(record, MODULUS_BITS),
        *fixed_table(record),
        *chain_table(record),
        Table(
            f"Chapter 5: what libraries use, as their sources had it on {READ} unless a row names another day",
            ("library", "version", "in the report", "now", "several powers", "source"),
            rows,
        ),
    ]


def claims(record: Record) -> list[Claim]:
    def fastest_other(base_bits: int) -> float:
        others = [total(record, base_bits, name) for name in GENERAL if name != LEFT_TO_RIGHT]
        return total(record, base_bits, LEFT_TO_RIGHT) / min(others)

    def k_ary(base: int) -> float:
        return total(record, BASE_BITS, f"Left-to-Right k-ary, base {base}")

    def sliding(size: int) -> float:
        return total(record, BASE_BITS, f"Sliding Window, size {size}")

    fixed, chapter = record["fixed"], record["chapter_3"]
    times, ours = fixed["nanoseconds"], fixed["pingala"]
    labels = list(TABLES)
    binary = record["products"]["Sliding Window, size 6"]
    pays = break_even(fixed["tables"][labels[0]]["build"], ours["no table"], ours[labels[0]])
    return [
        judged("2.2", "Left-to-right is more effective than right-to-left, as its factor is fixed (and short).",
               total(record, BASE_BITS, LEFT_TO_RIGHT) / total(record, BASE_BITS, RIGHT_TO_LEFT),
               "time against right-to-left, plain Python", high=0.9),
        judged("6", "Left-to-right binary is always the fastest of the general methods (base of 32 bits).",
               fastest_other(BASE_BITS), "time against the fastest other, plain Python", high=1.0),
        judged("6", "The same, with a base as long as the modulus.",
               fastest_other(MODULUS_BITS), "time against the fastest other, plain Python", high=1.0),
        judged("Table 2.3", "k-ary with bases 2, 8 and 16 take the same time.",
               k_ary(16) / k_ary(2), "time of base 16 against base 2", low=0.95, high=1.05),
        judged("Table 2.3", "Sliding windows get slower from size 2 to size 8: 6.2 times in the table.",
               sliding(8) / sliding(2), "time of size 8 against size 2", low=3.0),
        judged("2.5", "An exponent with a single one is the worst case of sliding windows.",
               record["single_one"] / (binary["precomputation"] + binary["computation"]),
               "its products against a random exponent's, both with a table of size 6", low=1.0),
        judged("4.3", "The fixed base window algorithm is 3 times as fast as left-to-right.",
               times[LEFT_TO_RIGHT] / times[WINDOW], "times as fast, plain Python", low=2.5, high=4.0),
        judged("4.3", "The Euclidean method is almost 6 times slower than the window.",
               times[EUCLIDEAN] / times[WINDOW], "time against the window's, plain Python", low=5.0, high=7.0),
        judged("4.3", "The table pays from about 1520 exponentiations on.", evens_of(record)["in turn"],
               "break-even in plain Python, entries in turn", low=1200, high=1900, show="{:,.1f}"),
        judged("4.3", "The same, where each entry of the table is a power of the base by itself.",
               evens_of(record)["one by one"], "break-even in plain Python, entries one by one", low=1200, high=1900,
               show="{:,.1f}"),
        judged("4.3", "The same, with Pingala on the report's table.", pays, "break-even", low=1200, high=1900,
               show="{:,.1f}"),
        judged("6", "Precomputation is many magnitudes slower than a small number of exponentiations.",
               fixed["precomputation"]["in turn"] / times[LEFT_TO_RIGHT],
               "exponentiations in the time of one precomputation, in turn", low=100, show="{:.2f}"),
        judged("3.2, 3.4.1", "Both chains for 13 are chains.",
               float(chapter["section 3.2"] + chapter["section 3.4.1"]), "wrong pairs", low=0, high=0, show="{:.0f}"),
        judged("3.4.2", "The sliding-window rule makes a chain (283, windows of 3).",
               float(chapter["section 3.4.2"]["defects"]), "elements that are no sum of earlier ones, and a wrong end",
               low=0, high=0, show="{:.0f}"),
        judged("3.5", "The bounds on the shortest chain hold.", float(chapter["outside"]),
               f"violations for 2 to {BOUNDS_TO}", low=0, high=0, show="{:.0f}"),
        judged("5", "Real implementations all use general purpose algorithms.",
               float(sum(library["shared"] != "-" for library in record["libraries"])),
               f"of {len(record['libraries'])} libraries, those with a call for several powers", low=0, high=0,
               show="{:.0f}"),
    ]  # fmt: skip


def plots(record: Record) -> list[Plot]:
    sliding = [name for name in GENERAL if name.startswith("Sliding")]
    curves = [
        Series(f"base of {bits:,} bits", [(GENERAL[name][1], total(record, bits, name) / 1e6) for name in sliding[:-1]])
        for bits in (BASE_BITS, MODULUS_BITS)
    ]
    printed = [(GENERAL[name][1], 1000 * sum(GENERAL[name][3] or ())) for name in sliding[:-1]]
    fixed = record["fixed"]
    one_product = fixed["nanoseconds"][RIGHT_TO_LEFT] / fixed["products"][LEFT_TO_RIGHT]
    bound = [
        (name, [("products x time of one", fixed["products"][name] * one_product / 1e6),
                ("measured", fixed["nanoseconds"][name] / 1e6)])
        for name in (LEFT_TO_RIGHT, WINDOW, EUCLIDEAN)
    ]  # fmt: skip
    drawn = (LEFT_TO_RIGHT, RIGHT_TO_LEFT, WINDOW, EUCLIDEAN)
    shapes = [("printed", [(name, 1000 * FIXED_PRINTED[name]) for name in drawn]),
              ("plain Python", [(name, fixed["nanoseconds"][name] / 1e6) for name in drawn]),
              ("Pingala", [(label, ns / 1e6) for label, ns in fixed["pingala"].items()])]  # fmt: skip
    powers = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    times, made = fixed["nanoseconds"], fixed["precomputation"]
    sums = [
        Series("Left-to-Right Binary", [(k, k * times[LEFT_TO_RIGHT] / 1e9) for k in powers]),
        Series("Window, one by one", [(k, (made["one by one"] + k * times[WINDOW]) / 1e9) for k in powers]),
        Series("Window, in turn", [(k, (made["in turn"] + k * times[WINDOW]) / 1e9) for k in powers]),
    ]
    evens = evens_of(record)
    return [
        Lines("004-windows", "Time against window size, general methods", "window size in bits", "milliseconds",
              [Series("printed, Standard ML", printed), *curves], y_log=True),
        Lines("004-break-even", "Fixed base: all powers with their precomputation, plain Python", "powers", "seconds",
              sums, x_log=True, y_log=True, marks=[(evens[how], how) for how in evens if evens[how] <= powers[-1]]),
        Bars("004-shapes", "Time of one power, fixed base, exponent of 6,500 bits", "milliseconds", shapes, log=True),
        Bars("004-bound", "Bound and measured, plain Python", "milliseconds", bound),
    ]  # fmt: skip
