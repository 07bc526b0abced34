"""Runs suites of tests, one after the other, and counts what passed, failed and was skipped.

    python tools/tally.py make TARGET... [--beside TARGET COMMAND...]
    python tools/tally.py run COMMAND...
    python tools/tally.py end

`make` makes each target, whatever became of the others, and closes with what was skipped, a line for each suite, and
the sum. While the TARGET behind --beside is made, COMMAND runs too, in silence; its outcome counts nothing. `run` does
the same with one command; below `make` it only runs it, as a part of its suite. `end` repeats the closing lines of the
last `make`.

Counted are the closing lines of Rust's harness, of pytest, and of our gates (`name: N passed, N failed, N skipped`).
A suite counts as one failed test if its command fails although no test of it did, because it crashed or could not be
built, and if it says nothing that can be counted. A target named check-... is one test.

Rust's harness knows no test that skips itself, so the library's tests write those to a file that PINGALA_SKIPPED names
(`skipped` of crates/pingala-core/tests/suite/common.rs), with one line by which the count sees that the list is kept.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[1] / "target"))
COUNT = TARGET / "tally.json"
LIST = TARGET / "skipped.txt"
KEPT = "the_list_of_what_is_skipped_is_kept"
#: Set for everything that runs as a part of a suite.
INSIDE = "PINGALA_TALLY"

RUST = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")
IGNORED = re.compile(r"^test (.*) \.\.\. ignored(?:, (.*))?$")
PYTEST = re.compile(r"^(?:=+ )?(?=\d+ (?:passed|failed|skipped|error))(.*) in [\d.]+s")
PYTEST_SKIPPED = re.compile(r"^SKIPPED \[(\d+)\] (.*)$")
# The name begins with a small letter. The tests of Java say `Java 25: ...` of each JDK before their sum, `java: ...`.
GATE = re.compile(r"^[a-z][\w -]*: (\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
GATE_SKIPPED = re.compile(r"^\s*([\w -]*)SKIPPED:? (.*)$")


@dataclass
class Suite:
    """Passed and failed tests of a suite, the skipped ones by name, and what else speaks against it."""

    name: str = ""
    passed: int = 0
    failed: int = 0
    skipped: list[str] = field(default_factory=list)
    seconds: float = 0
    fault: str = "did not end"
    names_its_skipped: bool = True

    def hear(self, line: str) -> None:
        """Reads one line of a harness."""
        if found := RUST.match(line):
            self.passed += int(found[1])
            self.failed += int(found[2])
        elif found := IGNORED.match(line):
            self.skipped.append(f"{found[1]}: {found[2] or 'ignored'}")
        elif found := PYTEST.match(line):
            for count, what in re.findall(r"(\d+) (passed|failed|error)", found[1]):
                if what == "passed":
                    self.passed += int(count)
                else:
                    self.failed += int(count)
        elif found := PYTEST_SKIPPED.match(line):
            self.skipped += [found[2]] * int(found[1])
        elif found := GATE.match(line):
            self.passed += int(found[1])
            self.failed += int(found[2])
        elif found := GATE_SKIPPED.match(line):
            self.skipped.append(found[1] + found[2])
        elif KEPT in line:
            self.names_its_skipped = False

    def those_that_skip_themselves(self, lines: list[str]) -> None:
        """Takes them out of those that passed; one test may give several reasons."""
        reasons: dict[str, list[str]] = {}
        for line in lines:
            test, _, reason = line.partition(": ")
            if test.rpartition("::")[2] == KEPT:
                self.names_its_skipped = True
            elif reason not in reasons.setdefault(test, []):
                reasons[test].append(reason)
        # A harness that crashed has not said how many passed.
        self.passed = max(self.passed - len(reasons), 0)
        self.skipped += [f"{test}: {'; '.join(why)}" for test, why in sorted(reasons.items())]

    def judge(self, status: int) -> None:
        """Says what speaks against the suite, apart from failed tests, when its command has ended."""
        if status:
            self.fault = f"exit status {status}" if status > 0 else f"ended by signal {-status}"
        elif not self.names_its_skipped:
            self.fault = f"{LIST} is not kept, so nobody knows what was skipped"
        elif self.passed or self.failed or self.skipped:
            self.fault = ""
        elif self.name.startswith("check-"):
            self.passed, self.fault = 1, ""
        else:
            self.fault = "no test was counted"

    @property
    def failures(self) -> int:
        """Failed tests; a suite at fault has one at least."""
        return max(self.failed, int(bool(self.fault)))

    def run(self, command: Sequence[str]) -> None:
        """Runs the command, shows what it says, counts and judges."""
        started = time.monotonic()
        LIST.parent.mkdir(parents=True, exist_ok=True)
        LIST.write_text("", encoding="utf-8")
        environment = os.environ | {"PINGALA_SKIPPED": str(LIST), INSIDE: "1"}
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", env=environment)
        except OSError as error:
            self.fault = str(error)
            return
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                print(line, end="", flush=True)
                self.hear(line.rstrip("\n"))
        self.those_that_skip_themselves(LIST.read_text(encoding="utf-8").splitlines())
        self.seconds = time.monotonic() - started
        self.judge(process.returncode)


def close(suites: list[Suite]) -> int:
    """Prints what was skipped, a line for each suite if there are several, and the sum; returns the exit status."""
    for suite in suites:
        for name in suite.skipped:
            print(f"  skipped  {name}")
    width = max(len(suite.name) for suite in suites)
    if len(suites) > 1 or suites[0].name:
        print(f"{'suite':<{width}}  {'passed':>7}  {'failed':>7}  {'skipped':>7}  {'seconds':>7}")
        for suite in suites:
            counts = f"{suite.passed:>7}  {suite.failures:>7}  {len(suite.skipped):>7}  {suite.seconds:>7.0f}"
            print(f"{suite.name:<{width}}  {counts}  {suite.fault}".rstrip())
    elif suites[0].fault:
        print(f"tally: {suites[0].fault}")
    passed, skipped = sum(suite.passed for suite in suites), sum(len(suite.skipped) for suite in suites)
    failures = sum(suite.failures for suite in suites)
    print(f"{passed} passed, {failures} failed, {skipped} skipped", flush=True)
    return 1 if failures else 0


def save(suites: list[Suite]) -> None:
    COUNT.parent.mkdir(parents=True, exist_ok=True)
    COUNT.write_text(json.dumps([asdict(suite) for suite in suites]), encoding="utf-8")


def load() -> list[Suite]:
    return [Suite(**fields) for fields in json.loads(COUNT.read_text(encoding="utf-8"))]


def make(targets: list[str], beside: str = "", command: Sequence[str] = ()) -> int:
    """Makes all targets, each a suite, and closes."""
    program = [os.environ.get("MAKE", "make"), "--no-print-directory"]
    if INSIDE in os.environ:
        statuses = [subprocess.call([*program, target]) for target in targets]
        return int(any(statuses))
    suites = [Suite(target.removeprefix("test-")) for target in targets]
    # Saved from the start, so that `end` names those that a stopped run did not reach.
    save(suites)
    for suite, target in zip(suites, targets, strict=True):
        other = None
        if target == beside:
            other = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            suite.run([*program, target])
        except BaseException:
            if other:
                other.terminate()
            raise
        if other:
            other.wait()
        save(suites)
    return close(suites)


def run(command: list[str]) -> int:
    """Runs one command and closes; as a part of a suite it only runs it."""
    if INSIDE in os.environ:
        return int(subprocess.call(command) != 0)
    suite = Suite()
    suite.run(command)
    return close([suite])


def main() -> int:
    match sys.argv[1:]:
        case ["make", *targets] if targets and "--beside" not in targets:
            return make(targets)
        case ["make", *words] if "--beside" in words[1:-2]:
            middle = words.index("--beside")
            return make(words[:middle], words[middle + 1], words[middle + 2 :])
        case ["run", *command] if command:
            return run(command)
        case ["end"] if COUNT.exists():
            return close(load())
        case ["end"]:
            print(f"tally: nothing was counted: there is no {COUNT}", file=sys.stderr)
            return 1
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
