"""A post on modular exponentiation in Tcl: math::bignum, the same loop by hand, and mpexpr."""

import os
import shutil
import subprocess
from pathlib import Path

from peers.measure import one_processor, quartile

from .paper import Budget, Claim, NotMeasuredError, Record, Table, figure, judged, milliseconds
from .plots import Bars, Plot

SOURCE = "A post on its author's blog and the Tcl'ers Wiki."
SUMMARY = (
    "Verifying a DSA signature in Tcl took a minute in `math::bignum::powm`. The post writes the right-to-left "
    "binary method by hand, over `math::bignum` and over the C extension mpexpr, and times the three."
)

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = Path(__file__).with_name("powers.tcl")

# Microseconds of the post's output.
PRINTED = {"math::bignum::powm": 55341757, "_modexp_bignum": 56942386, "_modexp_mpexpr": 311979}
# What each procedure of the script is.
WHAT = {
    "math::bignum::powm": "tcllib's own, integers as lists of 16-bit words",
    "_modexp_bignum": "the post's loop over `math::bignum`",
    "_modexp_mpexpr": "the post's loop over mpexpr, conversions included",
    "_modexp_expr": "the same loop over Tcl's own integers, conversions included",
    "powers_expr": "the same loop over Tcl's own integers, no conversions",
    "pingala_pow": "`pingala pow`, a process for each power",
    "pingala_batch": "`pingala batch`, one process behind a pipe",
}


def measure(budget: Budget) -> Record:
    tclsh = shutil.which("tclsh")
    if tclsh is None:
        raise NotMeasuredError("there is no `tclsh` (Debian: tcl)")
    command = ROOT / "target/release/pingala"
    if not command.exists():
        raise NotMeasuredError(f"{command} is not built: `make build`")
    with one_processor():
        child = subprocess.run(
            [tclsh, str(SCRIPT), str(command), str(budget.rounds)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    if "can't find package math::bignum" in child.stderr:
        raise NotMeasuredError("there is no `math::bignum` (Debian: tcllib)")
    if child.returncode != 0:
        raise SystemExit(f"{SCRIPT.name}: {child.stderr}")
    heading, *lines = child.stdout.splitlines()
    rows = [line.split("|") for line in lines]
    results = {name: result for name, _, result in rows}
    return {
        "left_out": [
            "mpexpr, which Debian no longer packages: Tcl has had integers of any size since 8.5, and the post's loop "
            "runs on those."
        ],
        "version": heading.partition("|")[2],
        "microseconds": {name: quartile([float(sample) for sample in samples.split()]) for name, samples, _ in rows},
        "results": results,
    }


def micro(record: Record, name: str) -> float | None:
    found: float | None = figure(record, "microseconds", name)
    return found


def tables(record: Record) -> list[Table]:
    slowest = micro(record, "math::bignum::powm")
    rows = []
    for name, what in WHAT.items():
        ours, printed = micro(record, name), PRINTED.get(name)
        rows.append(
            [
                f"`{name}`",
                what,
                f"{printed / 1000:,.0f}" if printed else "-",
                milliseconds(ours * 1000 if ours else None),
                f"{slowest / ours:,.0f}" if ours and slowest else "-",
            ]
        )
    result = next(iter(record["results"].values()))
    return [
        Table(
            f"The post's g, u1 and p (160-bit exponent, 512-bit modulus), {record['version']}",
            ("procedure", "what it is", "printed, ms", "here, ms", "times as fast as `math::bignum::powm`"),
            rows,
            f"Lower quartile; the two slow ones run three times. The result is 0x{result[:8]}...{result[-6:]}.",
        )
    ]


def claims(record: Record) -> list[Claim]:
    def ratio(above: str, below: str) -> float | None:
        a, b = micro(record, above), micro(record, below)
        return a / b if a and b else None

    printed = PRINTED["math::bignum::powm"] / PRINTED["_modexp_bignum"]
    return [
        judged("text", "The loop by hand is slightly faster than `math::bignum::powm`.",
               ratio("math::bignum::powm", "_modexp_bignum"),
               f"time of powm against the loop's (the post's own output has {printed:.2f})", low=1.01),
        judged("text", "`math::bignum::powm` and `_modexp_bignum` are comparable.",
               ratio("math::bignum::powm", "_modexp_bignum"), "time of powm against the loop's", low=0.8, high=1.25),
        judged("output", "With mpexpr inside, the loop is 177 times as fast as `math::bignum::powm`.",
               ratio("math::bignum::powm", "_modexp_mpexpr"), "mpexpr cannot be had; speed-up", low=100,
               show="{:,.0f}"),
        judged("text", "Integers in C inside the same loop are a tremendous gain.",
               ratio("math::bignum::powm", "_modexp_expr"),
               "speed-up by Tcl's own integers, conversions included", low=100, show="{:,.0f}"),
        judged("script", "All procedures compute the same power.",
               float(len(set(record["results"].values()))), "different results", low=1, high=1, show="{:.0f}"),
    ]  # fmt: skip


def plots(record: Record) -> list[Plot]:
    groups = []
    for name in WHAT:
        bars = [("printed", PRINTED[name] / 1000)] if name in PRINTED else []
        ours = micro(record, name)
        if ours:
            bars.append(("here", ours / 1000))
        groups.append((name, bars))
    return [
        Bars("002-procedures", "Time of one power, 160-bit exponent, 512-bit modulus", "milliseconds", groups, True)
    ]
