"""Mutants of the source: cargo-mutants names the changes, this program tests them and keeps a record.

usage: python tools/mutants.py CARGO_MUTANTS SECONDS kernel|rest [again|alone]

The order is drawn by a seed, and a run goes on with what docs/records/mutants.tsv does not have, so that any night adds
to it. `again` runs those that were missed and have no reason, after new tests, and those that were passed over: no
others are drawn. `alone` compiles some by themselves that have a verdict by a switch, and compares.

Some thousand changes are compiled into one program of the library's unit tests, each behind a switch
(mutant_switches.py). Each test runs once by itself to see which switches it reaches, and how long it takes. A mutant
then needs a run of the tests that reach it, one by one, those first that take little time and have caught others of its
function or file; the first that fails ends it. Those that a second of tests has not caught are compiled into another
program, which is quicker because it has fewer switches, for some seconds of tests that reach them, and those that are
left after all of these for a minute. What no test reaches is missed.
What cannot be behind a switch, or is computed by the compiler, is compiled by itself, in a copy of the tree in
target/mutants, which keeps what it has compiled; where nothing says which tests reach it, all of them run.
The first program of `kernel` has the tests of kernel/ alone.

Verdicts: `caught`, `missed`, `timeout` (no end within five times the usual time of processors, which counts as caught),
`unviable` (does not compile). A missed one may have a reason in the last column, written by hand: `equivalent: ...` for
a change that no test can see. Two at a time: MUTANTS_JOBS=2.
"""

import collections
import concurrent.futures
import contextlib
import hashlib
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import hardening
from mutant_switches import ITS_OWN, SOURCE, TABLE, Mutant, Source, Switch, complaint, switch, written

SEED = "pingala 2026"
RECORD = hardening.MUTANTS
TOP = hardening.TOP
PLACE = Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target")).resolve() / "mutants"
#: What this machine does not compile, and what is there for tests and machines without the instructions.
ELSEWHERE = ("kernel/umulh/", "kernel/umull.rs")
#: Tests that run without an end or look at the text of the source.
SKIPPED = ("without_an_end", "suite::layers", "suite::comments", "suite::links")
#: Changes in one program. 5,000 take the compiler ten minutes, and of `rest` 500 are a sample.
AT_ONCE = {"kernel": 6000, "rest": hardening.DRAWN}
#: So few are in the way of no test.
FEW = 2000
#: Seconds of tests that a mutant has to pass among thousands, where switches are in the way, and then among few: first
#: all of them for some seconds, so that a run that ends early has a verdict of most.
QUICK, SOME, LONG = 1.2, 4.0, 60.0
#: How many of each verdict `alone` compares.
COMPARED = {"caught": 12, "unviable": 4, "timeout": 4, "missed": 6}
#: Why one is missed that ran nowhere.
UNREACHED = "no test reaches it"
JOBS = int(os.environ.get("MUTANTS_JOBS", "1"))


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


def copied(tree: Path, top: Path, alone: str) -> None:
    """A copy of what git tracks, newer only where it differs, with the tests of `alone` or, if that is empty, all."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, check=True, capture_output=True, text=True).stdout
    for name in names.split("\0"):
        source, target = top / name, tree / name
        if not name or not source.is_file():
            continue
        data = source.read_bytes()
        if alone and name == "crates/pingala/tests/suite/mod.rs":
            # What the tests of the kernels use; the others would be compiled for nothing.
            data = re.sub(rb"(?m)^(///[^\n]*\n)?(#\[path[^\n]*\n(#\[allow[^\n]*\n)?)?mod [a-z_]+;\n", b"", data)
        put(target, data)
        shutil.copymode(source, target)


def put(target: Path, data: bytes) -> None:
    """Writes it if it differs."""
    if not target.is_file() or target.read_bytes() != data:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def waited(process: subprocess.Popen[Any]) -> float:
    """The time of processors that it and what it started have taken, at its end."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def build(tree: Path, incremental: bool) -> tuple[Path | None, list[str], float]:
    """The program of the unit tests, if it compiles, what cargo says, and the time of processors."""
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(PLACE / "target"),
        "CARGO_PROFILE_TEST_OPT_LEVEL": "1",
        "CARGO_PROFILE_TEST_INCREMENTAL": str(incremental).lower(),
        "CARGO_PROFILE_TEST_CODEGEN_UNITS": "256",
        # For switches, which ask whether they run or the compiler computes.
        "RUSTC_BOOTSTRAP": "pingala",
    }
    line = ["cargo", "test", "--quiet", "--locked", "-p", "pingala", "--lib", "--no-run", "--message-format=json"]
    process = subprocess.Popen(
        line, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    said = [text for text in process.stdout if text.startswith("{")]
    used = waited(process)
    if process.returncode:
        return None, said, used
    programs = [path for path in (json.loads(text).get("executable") for text in said) if path]
    return Path(programs[-1]), said, used


@dataclass
class Test:
    """A test, its time of processors, and the switches that it reaches."""

    name: str
    seconds: float
    reached: set[int]


class Program:
    """The unit tests with switches for many mutants, and what each test reaches."""

    #: Seconds of the clock beyond ten times the limit of processor time, if a lock waits for ever.
    PATIENCE = 60

    def __init__(self, unchanged: Path, mutants: list[Mutant], longest: float, alone: str) -> None:
        self.tree = PLACE / "switches"
        copied(self.tree, unchanged, alone)
        self.mutants = mutants
        self.unviable: set[int] = set()
        self.switches: dict[int, Switch] = {}
        self.compiled: set[int] = set()
        self.used = 0.0
        self.path = self.made()
        self.tests = self.tried(longest, alone)
        #: How many mutants of a function or a file a test has caught.
        self.caught: collections.Counter[tuple[str, str]] = collections.Counter()

    def made(self) -> Path:
        """Compiled, without the switches at which the compiler finds an error."""
        top = f"{SOURCE}lib.rs"
        files = {file: Source(self.tree / file) for file in [top, *(mutant.file for mutant in self.mutants)]}
        for number, mutant in enumerate(self.mutants):
            one = switch(files[mutant.file], number, mutant)
            if one:
                self.switches[number] = one
        print(f"{len(self.switches)} of {len(self.mutants)} can have a switch", flush=True)
        while True:
            texts = {}
            for file, source in files.items():
                inside = [one for number, one in self.switches.items() if self.mutants[number].file == file]
                texts[file] = written(source, inside)
                if file == top:
                    texts[file].make_root(len(self.mutants))
                if inside and file == SOURCE + TABLE[0]:
                    texts[file].make_lazy()
                put(self.tree / file, bytes(texts[file].data))
            built, said, used = build(self.tree, False)
            self.used += used
            wrong: set[int] = set()
            for level, code, all_places in filter(None, map(complaint, said)):
                places = [(file, at) for file, at in all_places if file in texts]
                around = [number for file, at in places for number in texts[file].around(at)]
                behind = [number for file, at in places[:1] for number in texts[file].behind(at)]
                if level == "error":
                    wrong.update(behind or around)
                    typed = code == "E0308" and any(self.switches[number].kind == "return" for number in behind)
                    self.unviable.update(behind if typed or code in ITS_OWN else [])
                elif code == "deprecated":
                    self.compiled.update(around)
            if built:
                path = PLACE / f"switches-{os.getpid()}"
                shutil.copy(built, path)
                return path
            print(f"{len(wrong)} of {len(self.switches)} switches do not compile", flush=True)
            if not wrong:
                raise SystemExit(
                    "".join(json.loads(text)["message"]["rendered"] for text in said[-5:] if complaint(text))
                )
            self.switches = {number: one for number, one in self.switches.items() if number not in wrong}

    def run(self, program: Path, test: str, seconds: float, variable: tuple[str, str]) -> tuple[str, float]:
        """`missed` if the test passes, `caught`, or `timeout`; the time of processors."""
        process = subprocess.Popen(
            [str(program), "--exact", test],
            cwd=self.tree / "crates/pingala",
            env=os.environ | dict([variable]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            start_new_session=True,
        )
        limits = {resource.RLIMIT_AS: 8 << 30, resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: int(seconds)}
        for limit, value in limits.items():
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, limit, (value, value))
        late = threading.Timer(self.PATIENCE + 10 * seconds, os.killpg, [process.pid, signal.SIGKILL])
        late.start()
        used = waited(process)
        late.cancel()
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return "timeout", used
        return "caught" if process.returncode else "missed", used

    def tried(self, longest: float, alone: str) -> list[Test]:
        """Every test by itself, with no switch turned on, as far as it ends in time."""
        line = [str(self.path), "--list", "--format=terse", *(word for name in SKIPPED for word in ("--skip", name))]
        names = subprocess.run(line, check=True, capture_output=True, text=True).stdout.splitlines()
        tests = list[Test]()

        def one(name: str) -> None:
            with tempfile.NamedTemporaryFile("r", encoding="utf-8") as reached:
                verdict, used = self.run(self.path, name, longest, ("PINGALA_REACHED", reached.name))
                self.used += used
                if verdict == "missed":
                    tests.append(Test(name, used, set(map(int, reached.read().split()))))
                else:
                    print(f"without {name}: {verdict if verdict == 'timeout' else 'fails'}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(one, (name.removesuffix(": test") for name in names if name.startswith(alone))))
        return tests

    def verdict(
        self, program: Path, mutant: Mutant, number: int, tests: list[Test], seconds: float
    ) -> tuple[str, float]:
        """Of a mutant by these tests, as far as the time is enough, and the time of processors."""
        places = (mutant.file, f"{mutant.file} {mutant.function}")

        def hope(test: Test) -> float:
            """Seconds for one that is caught, as a guess."""
            inside, function = (self.caught[place, test.name] for place in places)
            return test.seconds / (1 + inside + 10 * function)

        all_used, left = 0.0, seconds
        for test in sorted(tests, key=hope):
            if test.seconds > left:
                continue
            left -= test.seconds
            verdict, used = self.run(program, test.name, 5 * test.seconds + 3, ("PINGALA_MUTANT", str(number)))
            all_used += used
            if verdict != "missed":
                self.caught.update((place, test.name) for place in places)
                return verdict, all_used
        return "missed", all_used


def forget(where: str, names: set[str]) -> None:
    """Takes those out of the record that the source no longer has."""
    lines = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.split("\t")[3] != where or line.split("\t")[4] in names]
    RECORD.write_text("".join(kept), encoding="utf-8")


class Runs:
    """Mutants that run, and the record of it."""

    def __init__(self, where: str, of: int) -> None:
        self.where, self.of = where, of
        self.run = hardening.run()
        self.writes, self.compiles = threading.Lock(), threading.Lock()
        self.tree = PLACE / "unchanged"
        copied(self.tree, TOP, "")
        #: Seconds that a mutant has taken, with its share of what was done for many at once.
        self.spent: collections.defaultdict[str, float] = collections.defaultdict(float)

    def all(self, mutants: list[Mutant], passes: tuple[float, ...], end: float) -> list[Mutant]:
        """Those that passes of so many seconds have not caught, or that have to be compiled by themselves."""
        alone = "kernel::" if passes == (QUICK,) and self.where == "kernel" else ""
        self.program = Program(self.tree, mutants, passes[-1], alone)
        for mutant in mutants:
            self.spent[mutant.name] += self.program.used / len(mutants)
        print(f"{self.program.used:.0f} s to compile and to try the tests", flush=True)

        left = list(range(len(mutants)))
        for seconds in passes:

            def waits(number: int, seconds: float = seconds) -> bool:
                if time.monotonic() > end:
                    return True
                known = self.one(number, seconds)
                if not known:
                    print(f"waits    {self.spent[mutants[number].name]:6.1f} s  {mutants[number].name}", flush=True)
                return not known

            with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
                left = [number for number, waiting in zip(left, pool.map(waits, left), strict=True) if waiting]
            print(f"{len(left)} are not caught by {seconds:.0f} s of tests", flush=True)
        self.program.path.unlink()
        return [mutants[number] for number in left]

    def one(self, number: int, seconds: float) -> bool:
        """Whether the number's mutant has a verdict."""
        program = self.program
        if number in program.unviable:
            return self.record(number, "unviable")
        if number not in program.switches:
            return seconds == LONG and self.apart(number)
        if number not in program.compiled:
            return self.record(number, "unviable", "not compiled on this machine")
        tests = [test for test in program.tests if number in test.reached]
        mutant = program.mutants[number]
        verdict, used = program.verdict(program.path, mutant, number, tests, seconds)
        self.spent[mutant.name] += used
        if verdict == "missed" and program.switches[number].constant:
            return seconds == LONG and self.apart(number)
        # A quick program may lack tests.
        more = seconds == QUICK or seconds < sum(test.seconds for test in tests)
        if verdict == "missed" and more and seconds < LONG:
            return False
        return self.record(number, verdict, "" if tests else UNREACHED)

    def apart(self, number: int) -> bool:
        """One that is compiled by itself."""
        with self.compiles:
            return self.record(number, self.alone(self.program.mutants[number]))

    def alone(self, mutant: Mutant) -> str:
        """The verdict of a mutant that is compiled by itself, and may be reached by any test."""
        source = Source(self.tree / mutant.file)
        try:
            put(self.tree / mutant.file, mutant.applied(source))
            built, _, used = build(self.tree, True)
            self.spent[mutant.name] += used
            if not built:
                return "unviable"
            path = PLACE / f"apart-{os.getpid()}"
            shutil.copy(built, path)
        finally:
            put(self.tree / mutant.file, source.data)
        reaching = [test for test in self.program.tests if self.program.mutants.index(mutant) in test.reached]
        # Which of all tests reach it is not known, and those of its own part may be the slowest: no limit.
        seconds = LONG if reaching else math.inf
        verdict, used = self.program.verdict(path, mutant, 0, reaching or self.program.tests, seconds)
        self.spent[mutant.name] += used
        return verdict

    def compared(self, mutants: list[tuple[Mutant, str]], end: float) -> int:
        """How many have another verdict when they are compiled by themselves."""
        self.program, differ = Program(self.tree, [mutant for mutant, _ in mutants], LONG, ""), 0
        for mutant, known in mutants:
            if time.monotonic() > end:
                break
            verdict = self.alone(mutant)
            differ += verdict != known
            print(f"{known:8} alone {verdict:8} {self.spent[mutant.name]:6.1f} s  {mutant.name}", flush=True)
        return differ

    def record(self, number: int, verdict: str, reason: str = "") -> bool:
        """A line at the end, or in place of the one that this mutant has."""
        name = self.program.mutants[number].name
        used = self.spent[name]
        line = "\t".join([self.run, self.where, name, verdict, f"{used:.2f}", str(self.of), reason]) + "\n"
        with self.writes:
            lines = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
            known = [at for at, old in enumerate(lines) if old.split("\t")[4] == name]
            if known:
                lines[known[0]] = line
                RECORD.write_text("".join(lines), encoding="utf-8")
            else:
                with RECORD.open("a", encoding="utf-8") as file:
                    file.write(line)
            print(f"{verdict:8} {used:6.1f} s  {name}", flush=True)
        return True


def main() -> int:
    """Mutants in their order until the time is over."""
    if (
        len(sys.argv) not in (4, 5)
        or sys.argv[3] not in ("kernel", "rest")
        or sys.argv[4:] not in ([], ["again"], ["alone"])
    ):
        print(__doc__, file=sys.stderr)
        return 2
    program, where, how = sys.argv[1], sys.argv[3], sys.argv[4:]
    end = time.monotonic() + float(sys.argv[2])
    known = {row[4]: row for row in hardening.rows(RECORD)}
    all_mutants = listed(program, where)
    forget(where, {one.name for one in all_mutants})
    runs = Runs(where, len(all_mutants))
    if how == ["alone"]:
        ran = [(one, known[one.name][5]) for one in all_mutants if one.name in known and not known[one.name][8]]
        drawn = [
            pair for verdict, count in COMPARED.items() for pair in [one for one in ran if one[1] == verdict][:count]
        ]
        return runs.compared(drawn, end)
    if how == ["again"]:
        missed = {name for name, row in known.items() if row[5] == "missed" and row[8] in ("", UNREACHED)}
        end_of_draw = max((at for at, one in enumerate(all_mutants, 1) if one.name in known), default=0)
        waiting = [one for one in all_mutants[:end_of_draw] if one.name in missed or one.name not in known]
    else:
        waiting = [one for one in all_mutants if one.name not in known]
    at_once = AT_ONCE[where]
    print(f"{where}: {len(all_mutants)} mutants, {len(waiting)} of them are to run", flush=True)
    for start in range(0, len(waiting), at_once):
        left = waiting[start : start + at_once]
        if len(left) > FEW:
            left = runs.all(left, (QUICK,), end)
        if left and time.monotonic() < end:
            runs.all(left, (SOME, LONG), end)
    return 0


if __name__ == "__main__":
    sys.exit(main())
