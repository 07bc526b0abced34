"""Whole small instances of the shipped texts: tests in Rust run the generic texts over words of 4 and 8 bits.

`make test` runs them among the library's tests. Here their counts of cases are read. With a number n the long run compares
shorter tiles and leaves too, and every n-th odd modulus of three words of 4 bits: python -m proofs.small_instances [n]
"""

import os
import re
import shutil
import subprocess
import sys

from proofs.report import Report
from proofs.rust_text import ROOT

TESTS = ROOT / "crates" / "pingala" / "tests" / "inside" / "kernel" / "conformance" / "small_words.rs"
COMMAND = ["cargo", "test", "--locked", "-p", "pingala", "--lib", "conformance::small_words", "--", "--nocapture"]
COUNT = re.compile(r"small instances: (.*): (\d+) cases")
RESULT = re.compile(r"^test result: ok\. ([1-9]\d*) passed; 0 failed", re.MULTILINE)


def lemmas() -> set[str]:
    """The names of the functions that compare all cases of some texts."""
    return set(re.findall(r"^fn (\w+)<W: Word", TESTS.read_text(encoding="utf-8"), re.MULTILINE))


def check(every: int | None = None) -> Report:
    """Each count that the tests print is a claim that holds; `every`: of the moduli of three words."""
    report = Report()
    if not shutil.which("cargo"):
        report.skipped.append("whole small instances: need cargo")
        return report
    environment = {name: value for name, value in os.environ.items() if name != "PINGALA_SMALL_INSTANCES"}
    if every:
        environment["PINGALA_SMALL_INSTANCES"] = str(every)
    ran = subprocess.run(COMMAND, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    counts = COUNT.findall(ran.stdout)
    if ran.returncode or not counts or not RESULT.search(ran.stdout):
        failures = re.findall(r"panicked at .*\n(.*)", ran.stdout + ran.stderr) or [ran.stderr[-600:]]
        report.failed += [f"small instances: {failure}" for failure in failures]
        return report
    report.held += [f"small instances: {what}: {cases} cases" for what, cases in counts]
    print(f"small instances: {sum(int(cases) for _, cases in counts)} cases", flush=True)
    return report


def main(arguments: list[str]) -> int:
    report = check(int(arguments[0]) if arguments else None)
    for line in report.held:
        print(line)
    report.print()
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
