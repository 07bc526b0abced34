"""Lemmas that tests in Rust check: generic texts over words of 4 and 8 bits, all cases; texts over formal vectors.

`make test` runs them among the library's tests. Here their counts are read. With a number n the long run takes every
length of formal vectors, compares shorter tiles and leaves too, and every n-th odd modulus of three words of 4 bits:

    python -m proofs.small_instances [n]
"""

import os
import re
import shutil
import subprocess
import sys

from proofs.report import Report
from proofs.rust_text import ROOT

TESTS = ROOT / "crates" / "pingala-core" / "tests" / "inside" / "kernel"
SMALL = TESTS / "conformance" / "small_words.rs"
FILTERS = ["conformance::small_words", "::formal::"]
COMMAND = ["cargo", "test", "--locked", "-p", "pingala-core", "--lib", "--", "--nocapture", *FILTERS]
COUNT = re.compile(r"(small instances: .*: \d+ cases|formal: .*)")
RESULT = re.compile(r"^test result: ok\. ([1-9]\d*) passed; 0 failed", re.MULTILINE)


def lemmas() -> set[str]:
    """The functions that compare all cases of some texts, and those that run a text over formal vectors."""
    small = re.findall(r"^fn (\w+)<W: Word", SMALL.read_text(encoding="utf-8"), re.MULTILINE)
    texts = [path.read_text(encoding="utf-8") for path in sorted(TESTS.glob("*_formal.rs"))]
    formal = [name for text in texts for name in re.findall(r"^fn (\w+)\(.*\) -> bool", text, re.MULTILINE)]
    return {f"small.{name}" for name in small} | {f"formal.{name}" for name in formal}


def check(every: int | None = None) -> Report:
    """Each count that the tests print is a claim that holds. `every`: which moduli of three words of 4 bits."""
    report = Report()
    if not shutil.which("cargo"):
        report.skipped.append("whole small instances, formal vectors: need cargo")
        return report
    environment = {name: value for name, value in os.environ.items() if name != "PINGALA_SMALL_INSTANCES"}
    if every:
        environment["PINGALA_SMALL_INSTANCES"] = str(every)
    ran = subprocess.run(COMMAND, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    counts = COUNT.findall(ran.stdout)
    if ran.returncode or not counts or not RESULT.search(ran.stdout):
        # What failing tests say stands behind all others; texts with planted faults panic, too, and are right to.
        _, _, said = ran.stdout.partition("\nfailures:\n")
        failures = re.findall(r"^test (\S+) .*FAILED", ran.stdout, re.MULTILINE)
        what = " ".join([*failures, " ".join((said or ran.stderr[-600:]).split())[:900]])
        report.failed.append(f"small instances, formal vectors: {what}")
        return report
    report.held += counts
    cases = [int(number) for number in re.findall(r": (\d+) cases", "\n".join(counts))]
    print(f"small instances: {sum(cases)} cases", flush=True)
    return report


def main(arguments: list[str]) -> int:
    report = check(int(arguments[0]) if arguments else None)
    for line in report.held:
        print(line)
    report.print()
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
