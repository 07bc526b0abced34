"""Mutants of the source: cargo-mutants names the changes, this program tests them one by one and keeps a record.

usage: python tools/mutants.py CARGO_MUTANTS SECONDS kernel|rest

The order is drawn by a seed, and a run goes on with what docs/records/mutants.tsv does not have, so that any night adds
to it. A change is made in a copy of the tree in target/mutants, which keeps what it has compiled. Of the library's unit
tests, at opt-level 1 with all assertions, the module's own run first and then a filter; the first that fails ends it.
`kernel` leaves out tests/suite, which would be compiled and not run.

Verdicts: `caught`, `missed`, `timeout` (no end within ten times the usual time, which counts as caught), `unviable`
(does not compile). A missed one may have a reason in the last column, written by hand: `equivalent: ...` for a change
that no test can see.
"""

import collections
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import hardening

SEED = "pingala 2026"
RECORD = hardening.MUTANTS
TOP = hardening.TOP
PLACE = Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target")).resolve() / "mutants"
SOURCE = "crates/pingala/src/"
#: What this machine does not compile, and what is there for tests and machines without the instructions.
ELSEWHERE = ("kernel/umulh/", "kernel/umull.rs")
#: Tests that run without an end or look at the text of the source.
SKIPPED = ("without_an_end", "suite::layers", "suite::comments", "suite::links")


class Mutant:
    """A change at one place of one file."""

    def __init__(self, entry: dict[str, Any], number: int) -> None:
        self.file: str = entry["file"]
        start, end = entry["span"]["start"], entry["span"]["end"]
        self.start, self.end = (start["line"], start["column"]), (end["line"], end["column"])
        self.replacement: str = entry["replacement"]
        text = re.sub(r"^[^:]*:\d+:\d+: ", "", entry["name"])
        # Without the line, which any change above moves.
        self.name = f"{self.file.removeprefix(SOURCE)}: {text}" + (f" #{number}" if number else "")

    def module(self) -> str:
        """The path of its module, as its tests are named."""
        parts = self.file.removeprefix(SOURCE).removesuffix(".rs").split("/")
        return "::".join(part for part in parts if part != "mod")

    def applied(self, text: str) -> str:
        lines = text.splitlines(keepends=True)

        def offset(place: tuple[int, int]) -> int:
            line, column = place
            return sum(map(len, lines[: line - 1])) + column - 1

        return text[: offset(self.start)] + self.replacement + text[offset(self.end) :]


def listed(program: str, where: str) -> list[Mutant]:
    """All mutants, in the order in which they run."""
    line = [program, "mutants", "--list", "--json", "--package", "pingala"]
    entries = json.loads(subprocess.run(line, cwd=TOP, check=True, capture_output=True, text=True).stdout)
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    found = []
    for entry in entries:
        if not entry["file"].startswith(SOURCE):
            continue
        short = entry["file"].removeprefix(SOURCE)
        if short.startswith("kernel/") != (where == "kernel") or short.startswith(ELSEWHERE):
            continue
        key = (short, re.sub(r"^[^:]*:\d+:\d+: ", "", entry["name"]))
        found.append(Mutant(entry, counts[key]))
        counts[key] += 1
    return sorted(found, key=lambda mutant: hashlib.sha256(f"{SEED} {mutant.name}".encode()).digest())


def copied(where: str) -> Path:
    """A copy of what git tracks, newer only where it differs."""
    tree = PLACE / where
    names = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True, text=True).stdout
    for name in names.split("\0"):
        source, target = TOP / name, tree / name
        if not name or not source.is_file():
            continue
        data = source.read_bytes()
        if where == "kernel" and name == "crates/pingala/tests/suite/mod.rs":
            # What the tests of the kernels use; the others would be compiled for nothing.
            data = re.sub(rb"(?m)^(///[^\n]*\n)?(#\[path[^\n]*\n(#\[allow[^\n]*\n)?)?mod [a-z_]+;\n", b"", data)
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            shutil.copymode(source, target)
    return tree


def build(tree: Path) -> Path | None:
    """The program of the unit tests, if it compiles."""
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(PLACE / "target"),
        "CARGO_PROFILE_TEST_OPT_LEVEL": "1",
        "CARGO_PROFILE_TEST_INCREMENTAL": "true",
        "CARGO_PROFILE_TEST_CODEGEN_UNITS": "256",
    }
    line = ["cargo", "test", "--quiet", "--locked", "-p", "pingala", "--lib", "--no-run", "--message-format=json"]
    run = subprocess.run(line, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        return None
    messages = [json.loads(text) for text in run.stdout.splitlines() if text.startswith("{")]
    return next(Path(one["executable"]) for one in reversed(messages) if one.get("executable"))


class Tests:
    """Runs of tests by a filter, and the time of processors that each takes on the unchanged source."""

    #: Seconds of the clock after which a test is taken for one that waits for ever.
    PATIENCE = 900

    def __init__(self, unchanged: Path, tree: Path) -> None:
        self.unchanged, self.tree = unchanged, tree
        self.usual: dict[str, float] = {}

    def run(self, program: Path, name: str, seconds: float) -> tuple[str, float]:
        """`missed` if all tests pass, `caught` at the first that does not, or `timeout`; the time of processors."""

        def limits() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            [str(program), name, *[word for skipped in SKIPPED for word in ("--skip", skipped)]],
            cwd=self.tree / "crates/pingala",
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            preexec_fn=limits,
        )
        late = threading.Timer(self.PATIENCE, process.kill)
        late.start()
        begun = time.monotonic()
        assert process.stdout is not None
        failed = any(line.rstrip().endswith("FAILED") for line in process.stdout)
        if failed:
            process.kill()
        status = process.wait()
        late.cancel()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if status == -signal.SIGXCPU or used >= seconds - 1 or time.monotonic() - begun >= self.PATIENCE:
            return "timeout", used
        return "caught" if failed or status != 0 else "missed", used

    def verdict(self, program: Path, filters: list[str]) -> str:
        """Of a changed program."""
        for name in filters:
            if name not in self.usual:
                unchanged, self.usual[name] = self.run(self.unchanged, name, 7200)
                if unchanged != "missed":
                    raise SystemExit(f"tests of the unchanged source, {name}: {unchanged}")
            verdict, _ = self.run(program, name, 5 * self.usual[name] + 20)
            if verdict != "missed":
                return verdict
        return "missed"


def filters(mutant: Mutant, everything: str) -> list[str]:
    """The mutant's module and those around it, as far as `everything`, which may be all tests."""
    parts = mutant.module().split("::")
    names = ["::".join(parts[:count]) + "::" for count in range(len(parts), 0, -1)]
    names = [name for name in names if name.startswith(everything)]
    return names if everything else [*names, ""]


def main() -> int:
    """Mutants in their order until the time is over."""
    if len(sys.argv) != 4 or sys.argv[3] not in ("kernel", "rest"):
        print(__doc__, file=sys.stderr)
        return 2
    program, seconds, where = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    everything = "kernel::" if where == "kernel" else ""
    done = {row[4] for row in hardening.rows(RECORD)} if RECORD.exists() else set()
    all_mutants = listed(program, where)
    waiting = [mutant for mutant in all_mutants if mutant.name not in done]
    print(f"{where}: {len(all_mutants)} mutants, {len(waiting)} of them have not run", flush=True)
    tree = copied(where)
    built = build(tree)
    if built is None:
        print("the source does not compile", file=sys.stderr)
        return 1
    unchanged = PLACE / f"unchanged-{where}"
    shutil.copy(built, unchanged)
    tests = Tests(unchanged, tree)
    started, run = time.monotonic(), hardening.run()
    for mutant in waiting:
        if time.monotonic() > started + seconds:
            break
        path = tree / mutant.file
        text = path.read_text(encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            path.write_text(mutant.applied(text), encoding="utf-8")
            built = build(tree)
            verdict = tests.verdict(built, filters(mutant, everything)) if built else "unviable"
        finally:
            path.write_text(text, encoding="utf-8")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{verdict:8} {used:4.0f} s  {mutant.name}", flush=True)
        with RECORD.open("a", encoding="utf-8") as file:
            file.write(f"{run}\t{where}\t{mutant.name}\t{verdict}\t{used:.0f}\t{len(all_mutants)}\t\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
