"""The figures of hardening: two records that runs add to, and the table that docs/records/hardening.md shows of them.

usage: python tools/hardening.py run                        date, commit and machine of a run, for the records
       python tools/hardening.py ran TARGET WHAT COMMAND... runs the command and adds the sum of what it counts
       python tools/hardening.py page [--check]             rewrites the table, or says that it is old

Differential comparisons keep a record of their own, `docs/records/differential.tsv`, because each run goes on where the
last one ended.
"""

import datetime
import platform
import re
import resource
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
DIFFERENTIAL = TOP / "docs/records/differential.tsv"
RECORD = TOP / "docs/records/hardening.tsv"
PAGE = TOP / "docs/records/hardening.md"
BEGIN, END = "<!-- figures: make -C hardening figures -->\n", "<!-- end of figures -->\n"

#: What the targets are, in the order of the page.
TARGETS = {
    "differential": "compared",
    "fuzz": "coverage-guided fuzzing",
    "guard": "guard pages around operands",
    "sanitizers": "tests under LLVM's sanitizers",
    "miri": "tests under Miri",
    "chaos": "killed, starved, interrupted",
    "mutants": "mutants of the source",
    "models": "models of threads",
    "timing": "times of secrets, statistically",
    "ct": "constant-time gate",
    "aarch64": "constant-time kernels for aarch64",
}

#: What a command counts: cases, verdicts of the gate, functions that were walked and are clean.
COUNTED = re.compile(
    r".*\bcases: (\d+)$|constant-time: (\d+) passed, \d+ failed\b|\w+: (\d+) functions walked, 0 findings$"
)


def machine() -> str:
    """The processor as Linux names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def run() -> str:
    """Date, commit and machine, behind a commit a + if files differ from it."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=TOP, capture_output=True, text=True, check=False).stdout.strip()

    sources = ["crates", "fuzz", "models", "python", "tools"]
    changed = "+" if git("status", "--porcelain", "--untracked-files=no", "--", *sources) else ""
    return "\t".join(
        [datetime.date.today().isoformat(), (git("rev-parse", "--short=8", "HEAD") or "none") + changed, machine()]
    )


def rows(path: Path) -> Iterable[list[str]]:
    """The lines of a record behind its head."""
    return (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])


def number(value: float) -> str:
    """As people read it: exact below ten thousand."""
    if value < 10_000:
        return f"{value:,.0f}"
    for size, name in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if value >= 0.9995 * size:
            return f"{value / size:.3g} {name}" if value / size < 1000 else f"{value / size:,.0f} {name}"
    raise AssertionError(value)


def hours(seconds: float) -> str:
    """A time of processors."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def table() -> str:
    """The table of the page."""
    found: dict[tuple[str, str], list[tuple[str, str, str, float, float, str]]] = {}
    least: dict[str, dict[str, float]] = {}
    for date, commit, host, section, _, _, cases, seconds in rows(DIFFERENTIAL):
        kind, _, what = section.partition(", ")
        kind = "column of words" if what == "column of words" else kind
        found.setdefault(("differential", kind), []).append((date, commit, host, float(cases), float(seconds), "0"))
        sums = least.setdefault(kind, {})
        sums[what] = sums.get(what, 0) + float(cases)
    for date, commit, host, target, what, cases, seconds, findings in rows(RECORD):
        found.setdefault((target, what), []).append((date, commit, host, float(cases), float(seconds), findings))
    names = {
        "products": "products of every kernel",
        "powers": "whole powers: single, on every kernel, lists, tables, products, columns",
        "column of words": "whole powers of columns of words",
    }
    lines = ["| figure | cases | processor time | failed or missed | last run |", "|---|---:|---:|---:|---|"]
    for target, title in TARGETS.items():
        for (kind, what), runs in found.items():
            if kind != target:
                continue
            all_cases, all_seconds = sum(run[3] for run in runs), sum(run[4] for run in runs)
            name = names.get(what, what)
            if target == "differential" and len(least[what]) > 1:
                fewest = min(least[what].items(), key=lambda item: item[1])
                name += f"; fewest of {fewest[0]}, {number(fewest[1])}"
            date, commit, host = runs[-1][:3]
            failed = sum(int(run[5]) for run in runs)
            where = f"{date}, {commit}, {host}"
            lines.append(f"| {title}: {name} | {number(all_cases)} | {hours(all_seconds)} | {failed} | {where} |")
    return "\n".join(lines) + "\n"


def ran(target: str, what: str, command: list[str]) -> int:
    """Run a command that says how many cases it had, and add a line. One that fails counts as one."""
    cases = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            if match := COUNTED.match(line):
                cases += int(next(filter(None, match.groups())))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if cases == 0:
        print(f"{target}: no case ran; nothing is recorded", file=sys.stderr)
        return process.returncode or 1
    seconds, failed = used.ru_utime + used.ru_stime, int(process.returncode != 0)
    with RECORD.open("a", encoding="utf-8") as file:
        file.write(f"{run()}\t{target}\t{what}\t{cases}\t{seconds:.0f}\t{failed}\n")
    return process.returncode


def main() -> int:
    """Do what the command line asks for."""
    match sys.argv[1:]:
        case ["run"]:
            print(run())
        case ["ran", target, what, *command] if target in TARGETS and command:
            return ran(target, what, command)
        case ["page", *check] if check in ([], ["--check"]):
            text = PAGE.read_text(encoding="utf-8")
            before, old = text.split(BEGIN)
            _, after = old.split(END)
            new = f"{before}{BEGIN}\n{table()}\n{END}{after}"
            if not check:
                PAGE.write_text(new, encoding="utf-8")
            elif new != text:
                print("docs/records/hardening.md: the figures are older than the records: make -C hardening figures")
                return 1
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
