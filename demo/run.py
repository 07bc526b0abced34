"""Pingala on real input: every RSA root certificate of Mozilla's bundle, and key agreements in the groups of RFC 3526.

Runs them through the command and through the Python package, shows the plans, and times the package beside `pow`. Exit
status 1, and a loud line, if any answer is wrong.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from chosen import MOST_TIMED_EXPONENT_BITS, all_of, one, samples, seconds
from rows import AGREEMENTS, ROOTS, Row, read

import pingala
from peers.measure import Call

ROOT = Path(__file__).parents[1]
COMMAND = ROOT / "target" / "release" / ("pingala.exe" if os.name == "nt" else "pingala")
OUTPUT = ROOT / "demo-output"
MISMATCH_STATUS = 4


def show(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


@dataclass
class Verdict:
    """Which rows came out right, by interface; and everything that is wrong."""

    right: dict[str, set[str]] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def counts(self, rows: Iterable[Row]) -> list[str]:
        """`right of all`, for each interface."""
        ids = {row.id for row in rows}
        return [f"{len(ids & self.right[interface])} of {len(ids)}" for interface in self.right]


def table(header: list[str], rows: list[list[str]], right: Iterable[int]) -> None:
    """Prints columns, those named by `right` aligned to the right."""
    aligned = set(right)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for line in [header, ["-" * width for width in widths], *rows]:
        cells = [
            cell.rjust(width) if i in aligned else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print(f"   {'   '.join(cells)}".rstrip())


def run_command(source: Path, rows: list[Row], verdict: Verdict) -> str:
    """`pingala batch` on a file whose rows say what they expect; a sentence on how it went."""
    output = OUTPUT / f"{source.stem}.results.jsonl"
    arguments = [str(COMMAND), "batch", str(source), "--output", str(output), "--force", "--quiet"]
    start = time.perf_counter()
    run = subprocess.run(arguments, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    taken = show(time.perf_counter() - start)
    shown = f"pingala batch {source.relative_to(ROOT)}: exit status {run.returncode}, {taken}"
    if run.returncode != 0:
        verdict.complaints.append(f"{shown} {run.stderr.strip()}")
    answers = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()] if output.exists() else []
    if len(answers) != len(rows):
        verdict.complaints.append(f"{shown}: {len(answers)} answers to {len(rows)} rows")
    right = verdict.right.setdefault("command", set())
    for row, answer in zip(rows, answers, strict=False):
        # The command's own verdict, and ours on the number that it wrote.
        if answer.get("id") == row.id and answer.get("match") is True and int(answer["result"], 16) == row.expected:
            right.add(row.id)
        else:
            verdict.complaints.append(f"command: {row.id}: {str(answer)[:100]}")
    return shown


def run_package(rows: list[Row], verdict: Verdict) -> None:
    """One call a row, and all rows as one list."""
    right = verdict.right.setdefault("package", set())
    listed = pingala.powmod_list([r.base for r in rows], [r.exponent for r in rows], [r.modulus for r in rows])
    for row, in_list in zip(rows, listed, strict=True):
        single = pingala.powmod(row.base, row.exponent, row.modulus)
        if single == in_list == row.expected:
            right.add(row.id)
        else:
            verdict.complaints.append(f"package: {row.id}: {single:#x} alone, {in_list:#x} in a list")


def forgery_is_refused(root: Row, verdict: Verdict) -> str:
    """The test of the test: a root whose signature has its last bit flipped must be reported."""
    forged = OUTPUT / "forged.jsonl"
    numbers = {"base": root.base ^ 1, "exponent": root.exponent, "modulus": root.modulus, "expected": root.expected}
    forged.write_text(json.dumps({name: hex(value) for name, value in numbers.items()}) + "\n", encoding="utf-8")
    arguments = [str(COMMAND), "batch", str(forged), "--output", "-", "--quiet"]
    run = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    caught = run.returncode == MISMATCH_STATUS and json.loads(run.stdout)["match"] is False
    package_caught = pingala.powmod(root.base ^ 1, root.exponent, root.modulus) != root.expected
    if not (caught and package_caught):
        verdict.complaints.append(f"a forged signature passed: exit status {run.returncode}, {run.stdout[:100]}")
    return f"one signature with its last bit flipped: refused, status {run.returncode}" if caught else "NOT REFUSED"


def show_roots(roots: list[Row], verdict: Verdict) -> None:
    print(f"1. {len(roots)} RSA root certificates of Mozilla's bundle sign themselves")
    print("   base = signature, exponent = e, modulus = n. expected = the PKCS#1 encoding of the certificate's hash:")
    print("   a truth that comes from no exponentiation.\n")
    hashes = sorted({row.hash_name for row in roots}, key=lambda name: (len(name), name))
    lines = []
    for bits in sorted({row.bits for row in roots}):
        of_size = [row for row in roots if row.bits == bits]
        by_hash = Counter(row.hash_name for row in of_size)
        lines.append([str(bits), *(str(by_hash[name] or "") for name in hashes), *verdict.counts(of_size)])
    columns = ["key bits", *hashes, *verdict.right]
    table(columns, lines, right=range(len(columns)))


def show_agreements(agreements: list[Row], verdict: Verdict) -> None:
    print(f"2. {len(agreements)} powers of key agreements in the groups of RFC 3526")
    print("   Each side raises 2 to its own exponent, and then the other's answer to its own; both must meet.\n")
    lines = []
    for group in sorted({row.group for row in agreements}, key=int):
        rows = {row.what: row for row in agreements if row.group == group}
        one, other = rows["(g^b)^a"], rows["(g^a)^b"]
        met = len({pingala.powmod(row.base, row.exponent, row.modulus) for row in (one, other)}) == 1
        if not met:
            verdict.complaints.append(f"group {group}: the two sides do not meet")
        exponents = sorted({row.exponent.bit_length() for row in rows.values()})
        bits = next(iter(rows.values())).bits
        meet = "yes" if met else "NO"
        lines.append([group, str(bits), ", ".join(map(str, exponents)), meet, *verdict.counts(rows.values())])
    columns = ["group", "bits", "exponent bits", "meet", *verdict.right]
    table(columns, lines, right=range(len(columns)))


def without_avx512(verdict: Verdict) -> dict[str, float]:
    """Seconds of each timed call in a process whose CPU has no AVX-512; nothing if this one has none either."""
    info = subprocess.run([str(COMMAND), "info"], capture_output=True, text=True, check=False).stdout
    if not re.search(r"^features .*avx512ifma", info, re.MULTILINE):
        return {}
    command = [sys.executable, str(Path(__file__).with_name("chosen.py"))]
    masked = {**os.environ, "PINGALA_CPU": "-avx512f"}
    run = subprocess.run(command, env=masked, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    times = json.loads(run.stdout) if run.returncode == 0 else {"the process": None}
    verdict.complaints.extend(f"without AVX-512: {name} {run.stderr}" for name, time in times.items() if time is None)
    return {name: time for name, time in times.items() if time is not None}


def show_times(roots: list[Row], chosen: list[tuple[str, Row]], verdict: Verdict) -> None:
    print("3. The plan that price chose, and the time of one call beside Python's pow")
    print("   One thread, in turn, lower quartiles, answers compared.\n")
    masked = without_avx512(verdict)
    lines = []
    for name, row in chosen:
        base, exponent, modulus = row.base, row.exponent, row.modulus
        plan = pingala.plan(base, exponent, modulus)
        times = ["-"] * (5 if masked else 3)
        if exponent.bit_length() <= MOST_TIMED_EXPONENT_BITS:
            if pow(base, exponent, modulus) != row.expected:
                verdict.complaints.append(f"pow: {row.id}")
            times = compare(partial(pow, base, exponent, modulus), one(row), masked.get(name))
        lines.append([name, str(exponent.bit_length()), *times, plan])
    columns = [r.base for r in roots], [r.exponent for r in roots], [r.modulus for r in roots]
    times = compare(lambda: [*map(pow, *columns)], all_of(roots), masked.get("list"))
    lines.append([f"all {len(roots)} roots, one list", "17", *times, f"as above, {os.cpu_count()} threads"])
    heads = ["work", "exponent bits", "pow", "pingala", "faster"]
    if masked:
        heads += ["without AVX-512", "faster"]
    table([*heads, "plan"], lines, right=range(1, len(heads)))


def compare(theirs: Call, ours: Call, masked: float | None) -> list[str]:
    """The two times and their ratio; the time of a masked CPU and its ratio, if there is one."""
    times = seconds({"pow": theirs, "pingala": ours})
    shown = [times["pingala"]] + ([] if masked is None else [masked])
    return [show(times["pow"])] + [cell for time in shown for cell in (show(time), f"{times['pow'] / time:.1f}x")]


def main() -> int:
    if not COMMAND.exists():
        print(f"{COMMAND} is missing: run `make demo`", file=sys.stderr)
        return 2
    started = time.perf_counter()
    OUTPUT.mkdir(exist_ok=True)
    print(f"Pingala {pingala.__version__} on Python {platform.python_version()}, {platform.machine()}\n")
    roots, agreements = read(ROOTS), read(AGREEMENTS)
    verdict = Verdict()
    how = [run_command(ROOTS, roots, verdict), run_command(AGREEMENTS, agreements, verdict)]
    run_package(roots + agreements, verdict)

    show_roots(roots, verdict)
    print(f"\n   {how[0]}\n   {forgery_is_refused(roots[0], verdict)}\n")
    show_agreements(agreements, verdict)
    print(f"\n   {how[1]}\n")
    chosen = samples(roots, agreements)
    show_times(roots, chosen, verdict)

    total = len(roots) + len(agreements)
    taken = f"{time.perf_counter() - started:.0f} s"
    if verdict.complaints:
        print(f"\n!!! WRONG: {len(verdict.complaints)} complaints ({taken})")
        for complaint in verdict.complaints:
            print(f"!!! {complaint}")
        return 1
    print(f"\nAll {total} powers are right, by the command and by the package ({taken}). Results: {OUTPUT.name}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
