"""Counts what tests passed, failed and were skipped, over all that `make test` runs, and names what was skipped.

    python tools/tally.py begin             # a new count
    python tools/tally.py run COMMAND...    # runs a part, shows what it says, counts; its exit status is the command's
    python tools/tally.py end               # the closing lines

Counted are the closing lines of Rust's harness, of pytest, and of our gates (`NAME: N passed, N failed, N skipped`).
Rust's harness knows no test that skips itself, so the library's tests write those to a file that PINGALA_SKIPPED names
(`skipped` of crates/pingala/tests/suite/common.rs), with one line by which the count sees that the list is kept.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[1] / "target"))
COUNT = TARGET / "tally.json"
LIST = TARGET / "skipped.txt"
KEPT = "the_list_of_what_is_skipped_is_kept: "

RUST = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")
IGNORED = re.compile(r"^test (.*) \.\.\. ignored(?:, (.*))?$")
PYTEST = re.compile(r"^(?:=+ )?(?=\d+ (?:passed|failed|skipped|error))(.*) in [\d.]+s")
PYTEST_SKIPPED = re.compile(r"^SKIPPED \[(\d+)\] (.*)$")
GATE = re.compile(r"^(?:[\w -]+): (\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
GATE_SKIPPED = re.compile(r"^\s*([\w -]*)SKIPPED:? (.*)$")


class Tally:
    """Passed and failed tests, and the skipped ones by name."""

    def __init__(self, passed: int = 0, failed: int = 0, skipped: list[str] | None = None) -> None:
        self.passed = passed
        self.failed = failed
        self.skipped: list[str] = skipped or []

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

    def those_that_skip_themselves(self, lines: list[str]) -> None:
        """Takes them out of those that passed; one test may give several reasons."""
        reasons: dict[str, list[str]] = {}
        for line in lines:
            test, _, reason = line.partition(": ")
            if KEPT not in f"{test.rpartition('::')[2]}: " and reason not in reasons.setdefault(test, []):
                reasons[test].append(reason)
        self.passed -= len(reasons)
        self.skipped += [f"{test}: {'; '.join(why)}" for test, why in sorted(reasons.items())]

    def closing_lines(self) -> str:
        """What was skipped, a line each, and the count."""
        names = [f"  skipped  {name}" for name in self.skipped]
        return "\n".join([*names, f"{self.passed} passed, {self.failed} failed, {len(self.skipped)} skipped"])


def load() -> Tally:
    return Tally(**json.loads(COUNT.read_text(encoding="utf-8")))


def save(tally: Tally) -> None:
    COUNT.parent.mkdir(parents=True, exist_ok=True)
    COUNT.write_text(json.dumps(vars(tally)), encoding="utf-8")


def run(command: list[str]) -> int:
    tally = load() if COUNT.exists() else Tally()
    LIST.parent.mkdir(parents=True, exist_ok=True)
    LIST.write_text("", encoding="utf-8")
    environment = os.environ | {"PINGALA_SKIPPED": str(LIST)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", env=environment) as process:
        assert process.stdout is not None
        library = False
        for line in process.stdout:
            print(line, end="", flush=True)
            tally.hear(line.rstrip("\n"))
            library |= KEPT.rstrip(": ") in line
    lines = LIST.read_text(encoding="utf-8").splitlines()
    tally.those_that_skip_themselves(lines)
    save(tally)
    if library and not any(KEPT in line for line in lines):
        print(f"tally: {LIST} is not kept, so nobody knows what was skipped", file=sys.stderr)
        return 1
    return process.returncode


def main() -> int:
    match sys.argv[1:]:
        case ["begin"]:
            save(Tally())
        case ["run", *command] if command:
            return run(command)
        case ["end"]:
            tally = load()
            print(tally.closing_lines())
            return 1 if tally.failed else 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
