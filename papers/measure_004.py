"""What paper_004.py measures: general methods, fixed bases and chains."""

import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pingala
from peers.clock import Sampler, lower_quartiles, quartile, sampler
from peers.host import one_processor

from . import chains, plain
from .libraries import LIBRARIES
from .paper import Budget, Record

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
        contenders[f"{name}|precomputation"] = partial(once, before)
        contenders[f"{name}|computation"] = partial(once, after)
        contenders[f"{name}|Pingala"] = sampler(ours)
    contenders["the planner|Pingala"] = sampler(partial(pingala.powmod, g, e, n))
    times = lower_quartiles(contenders, rounds)
    found: dict[str, Any] = {"planner": times.pop("the planner|Pingala"), "methods": {}}
    for key, nanoseconds in times.items():
        name, _, half = key.partition("|")
        found["methods"].setdefault(name, {})[half] = nanoseconds
    return found


def once(call: Callable[[], Any]) -> float:
    """Nanoseconds of one call that takes milliseconds."""
    return plain.once(call, 0)[0]


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
    one_by_one = once(partial(plain.table_one_by_one, g, n, RADIX, places)) * len(digits) / len(places)
    in_turn = quartile([once(partial(plain.table_in_turn, g, n, RADIX, len(digits))) for _ in range(rounds)])
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
