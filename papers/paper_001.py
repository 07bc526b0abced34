"""The Go package multiexp, 2022: several powers of one base share their squarings."""

import os
import random
from functools import partial
from typing import Any

import pingala
from peers.go_multiexp import GoMultiexp, thread_rows
from peers.measure import RSA_2048, Sampler, SkippedError, lower_quartiles, one_processor, sampler

from . import plain
from .paper import Budget, Claim, NotMeasuredError, Record, Table, figure, judged, milliseconds
from .plots import Bars, Lines, Plot, Series

SOURCE = "Jiajun Xin, README of https://github.com/jiajunxin/multiexp, 2022."
SUMMARY = (
    "Two or four powers of one base share one run of squarings, and the bits that their exponents have in common "
    "are multiplied once (DoubleExponent, FourfoldExponent). A table of g^(2^i) leaves the squarings away "
    "(precomputeFourfoldExponent), and threads take parts of one exponent (ExpParallel)."
)

MODULUS_BITS = 2048
LENGTHS = (2_000, 20_000, 200_000)
LONGEST = 2_000_000

# The README's names, the driver's variant, and how many exponents.
TWICE, DOUBLE, FOUR_TIMES, FOURFOLD, PRECOMPUTED = (
    "2xNaiveExponent",
    "DoubleExponent",
    "4xNaiveExponent",
    "FourfoldExponent",
    "precomputeFourfoldExponent",
)
VARIANTS = {
    2: {TWICE: "math/big", DOUBLE: "DoubleExp"},
    4: {FOUR_TIMES: "math/big", FOURFOLD: "FourfoldExp", PRECOMPUTED: "FourfoldExpPrecomputed"},
}
# Milliseconds of the README's table.
PRINTED = {
    TWICE: (11.1, 94.9, 911.9, 9443.7),
    DOUBLE: (7.6, 66.9, 646.4, 6640.3),
    FOUR_TIMES: (22.3, 187.5, 1827.6, 18830.5),
    FOURFOLD: (9.9, 77.1, 733.9, 7482.0),
    PRECOMPUTED: (5.5, 36.9, 359.7, 3596.5),
}
# Its table of table sizes: log2 of the most exponent bits, megabytes.
PRINTED_SIZES = ((20, 8), (22, 32), (24, 128), (26, 512), (28, 2048))


def products(name: str, bits: int) -> float:
    """Modular products of a variant for random exponents.

    math/big has a fixed window of 4: bits squarings, bits/4 products and 14 for its table. The others square once for
    all (not at all with a table) and multiply an entry for each bit that any of the exponents has: 1 - 2^-k of them.
    """
    naive = 1.25 * bits + 14
    return {
        TWICE: 2 * naive,
        DOUBLE: bits + 0.75 * bits + 2,
        FOUR_TIMES: 4 * naive,
        FOURFOLD: bits + 15 / 16 * bits + 28,
        PRECOMPUTED: 15 / 16 * bits + 28,
    }[name]


def measure_length(multiexp: GoMultiexp, bits: int, rounds: int) -> dict[str, Any]:
    """One row of the README's table, and ours for the same numbers."""
    rng = random.Random(bits)
    base = rng.getrandbits(MODULUS_BITS - 48)
    nanoseconds: dict[str, float] = {}
    row: dict[str, Any] = {"nanoseconds": nanoseconds}
    for count, variants in VARIANTS.items():
        exponents = [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(count)]
        multiexp.load(base, RSA_2048, exponents)
        ours = partial(pingala.powmod_exp_list, base, exponents, RSA_2048, threads=1)
        expected = ours()
        contenders: dict[str, Sampler] = {}
        for name, variant in variants.items():
            multiexp.run(variant)
            if multiexp.answers() != expected:
                raise SystemExit(f"answers differ: {name}, {bits} bits")
            contenders[name] = partial(multiexp.run, variant)
        contenders[f"Pingala, {count} exponents"] = sampler(ours)
        if PRECOMPUTED in variants:
            row["table_bytes"] = multiexp.table_bytes()
            table = pingala.FixedBase(base, RSA_2048, bits, memory=row["table_bytes"])
            powers = partial(table.pow_list, exponents, threads=1)
            if powers() != expected:
                raise SystemExit(f"answers differ: fixed base, {bits} bits")
            row["our_table"] = {"plan": table.plan, "bytes": table.table_bytes}
            contenders["Pingala, 4 exponents, table"] = sampler(powers)
        nanoseconds.update(lower_quartiles(contenders, rounds))
    if bits <= LENGTHS[1]:
        eight = [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(8)]
        ours = partial(pingala.powmod_exp_list, base, eight, RSA_2048, threads=1)
        nanoseconds.update(lower_quartiles({"Pingala, 8 exponents": sampler(ours)}, rounds))
    return row


def measure(budget: Budget) -> Record:
    record: Record = {"left_out": [], "processors": len(os.sched_getaffinity(0)), "lengths": {}}
    exponent = random.Random(1).getrandbits(LENGTHS[1]) | 1 << (LENGTHS[1] - 1)
    record["single"] = {
        "binary": plain.products("binary_left_to_right", exponent),
        "sliding_window": plain.products("sliding_window", exponent, 9),
    }
    try:
        with one_processor():
            multiexp = GoMultiexp()
            record["version"] = multiexp.version
            for bits in LENGTHS:
                record["lengths"][str(bits)] = measure_length(multiexp, bits, budget.rounds)
            if budget.long:
                record["lengths"][str(LONGEST)] = measure_length(multiexp, LONGEST, max(1, budget.rounds // 10))
        record["threads"] = thread_rows(LENGTHS[1], budget.rounds)
    except SkippedError as why:
        raise NotMeasuredError(str(why)) from why
    if not budget.long:
        record["left_out"].append("Exponents of 2,000,000 bits: `--long` measures them.")
    return record


def lengths(record: Record) -> list[int]:
    return [int(bits) for bits in record["lengths"]]


def printed_at(name: str, bits: int) -> float:
    return PRINTED[name][(*LENGTHS, LONGEST).index(bits)]


def tables(record: Record) -> list[Table]:
    found = [benchmark(record), sizes(record)]
    threads = record["threads"]
    rows = [
        [row["threads"], milliseconds(row["ExpParallel"]), milliseconds(row["one"]), milliseconds(row["list"])]
        for row in threads["rows"]
    ]
    found.append(
        Table(
            f"Threads: a power with a table, exponents of {threads['bits']:,} bits, {record['processors']} processors",
            ("threads", "ExpParallel", "Pingala, power by power", f"Pingala, list of {threads['count']}"),
            [[str(cell) for cell in row] for row in rows],
            "Milliseconds on the wall, tables of the same size. Pingala makes one power on one thread, and gives "
            "threads to lists.",
        )
    )
    return found


def benchmark(record: Record) -> Table:
    columns = ["", *(f"{bits:,} bits" for bits in lengths(record))]
    rows = []
    ours = {
        DOUBLE: "Pingala, 2 exponents",
        FOURFOLD: "Pingala, 4 exponents",
        PRECOMPUTED: "Pingala, 4 exponents, table",
    }
    for names in VARIANTS.values():
        for name in names:
            rows.append([f"{name}, printed", *(f"{printed_at(name, bits):g}" for bits in lengths(record))])
            rows.append([f"{name}, here", *(milliseconds(at(record, bits, name)) for bits in lengths(record))])
            if name in ours:
                cells = [milliseconds(at(record, bits, ours[name])) for bits in lengths(record)]
                rows.append([f"{ours[name]}", *cells])
    return Table(
        f"The benchmark table: milliseconds, modulus of 2048 bits, one thread; {record['version']}", columns, rows
    )


def at(record: Record, bits: int, name: str) -> float | None:
    found: float | None = figure(record, "lengths", str(bits), "nanoseconds", name)
    return found


def bytes_per_bit(record: Record) -> float:
    """Bytes for each bit of the exponent, in the longest table that was built."""
    bits = max(lengths(record))
    return float(record["lengths"][str(bits)]["table_bytes"]) / bits


def sizes(record: Record) -> Table:
    measured = bytes_per_bit(record)
    rows = [
        [f"2^{power}", f"{printed:,}", f"{(1 << power) * MODULUS_BITS / 8 / 2**20:,.0f}",
         f"{(1 << power) * measured / 2**20:,.0f}", f"{(1 << power) * measured / 2**20 / printed:.0f}"]
        for power, printed in PRINTED_SIZES
    ]  # fmt: skip
    return Table(
        "Table sizes in MiB for a modulus of 2048 bits, corrected",
        ("most exponent bits", "printed", "only residues", "as held", "held / printed"),
        rows,
        f"The printed sizes are of one 8-byte word for each bit; an entry is a residue of {MODULUS_BITS // 8} bytes, "
        f"and the heap grew by {measured:.0f} bytes for each bit.",
    )


def claims(record: Record) -> list[Claim]:
    def saving(slow: str, fast: str) -> float | None:
        pairs = [(at(record, bits, slow), at(record, bits, fast)) for bits in lengths(record)]
        known = [100 * (1 - b / a) for a, b in pairs if a and b]
        return sum(known) / len(known) if known else None

    eight, four = (at(record, LENGTHS[1], f"Pingala, {count} exponents") for count in (8, 4))
    threads = {row["threads"]: row["ExpParallel"] for row in record["threads"]["rows"]}
    enough = record["processors"] >= max(threads)
    single = record["single"]
    return [
        judged("Benchmark", "DoubleExponent is around 30% faster than two single exponentiations.",
               saving(TWICE, DOUBLE), "saving in per cent, mean over the lengths", low=25, high=35, show="{:.1f}"),
        judged("Benchmark", "FourfoldExponent is around 60% faster than four.",
               saving(FOUR_TIMES, FOURFOLD), "saving in per cent, mean over the lengths", low=55, high=65,
               show="{:.1f}"),
        judged("Benchmark table", "With the table of every bit, 75 to 81% are saved.",
               saving(FOUR_TIMES, PRECOMPUTED), "saving in per cent, mean over the lengths", low=73, high=83,
               show="{:.1f}"),
        judged("Table sizes", "For exponents of 2^20 bits the table takes 8 MB.",
               bytes_per_bit(record), "MiB by the heap's growth, one MiB for each byte a bit", low=7, high=9,
               show="{:.0f}"),
        judged("Introduction", "Most advanced is Montgomery's product with a binary expression of exponents.",
               single["sliding_window"] / single["binary"],
               "products of a sliding window against the binary method, one exponent of 20,000 bits", low=0.99),
        judged("Introduction", "With more than four exponents, common bits take O(2^k) combinations; it stops at four.",
               eight / (2 * four) if eight and four else None,
               "Pingala's time for eight exponents of 20,000 bits against twice its time for four", low=0.95),
        judged("Benchmarks ExpParallel2 to 16", "Two threads take less time than one.",
               threads[2] / threads[1] if record["processors"] >= 2 and {1, 2} <= threads.keys() else None,
               "time on 2 threads against one (needs 2 processors)", high=0.9),
        judged("Benchmarks ExpParallel2 to 16", "More threads take less time, up to sixteen.",
               threads[max(threads)] / threads[min(threads)] if enough else None,
               "time on 16 threads against one (needs 16 processors)", high=0.9),
    ]  # fmt: skip


def plots(record: Record) -> list[Plot]:
    known = lengths(record)
    names = [TWICE, DOUBLE, "Pingala, 2 exponents", FOUR_TIMES, FOURFOLD, PRECOMPUTED,
             "Pingala, 4 exponents", "Pingala, 4 exponents, table"]  # fmt: skip
    middle = LENGTHS[1]
    shapes = []
    for label, parts in (("two exponents", names[:3]), ("four exponents", names[3:])):
        bars = [(name, (at(record, middle, name) or 0.0) / 1e6) for name in parts]
        shapes.append((label, bars))
    # What one product takes: from the single powers, whose count is known best.
    single = (at(record, middle, FOUR_TIMES) or 0.0) / products(FOUR_TIMES, middle)
    bound = [
        (name, [("products x time of one", products(name, middle) * single / 1e6),
                ("measured", (at(record, middle, name) or 0.0) / 1e6)])
        for name in (DOUBLE, FOURFOLD, PRECOMPUTED)
    ]  # fmt: skip
    return [
        Bars("001-shapes", f"Time per shape, exponents of {middle:,} bits", "milliseconds", shapes, log=True),
        Lines("001-lengths", "Time against the exponents' length", "bits of the exponents", "milliseconds",
              [Series(name, [(bits, (at(record, bits, name) or 0.0) / 1e6) for bits in known])
               for name in (FOUR_TIMES, FOURFOLD, PRECOMPUTED, "Pingala, 4 exponents", "Pingala, 4 exponents, table")],
              x_log=True, y_log=True),
        Bars("001-bound", f"Bound and measured, the Go package, {middle:,} bits", "milliseconds", bound),
    ]  # fmt: skip
