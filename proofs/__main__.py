"""`python -m proofs`: all lemmas. `python -m proofs short`: those that `make test` checks."""

import sys
import time

from proofs import coq_files
from proofs.report import Report
from proofs.rust_text import ROOT, Sources

BUILD = ROOT / "target" / "proofs"


def main(arguments: list[str]) -> int:
    """Returns 1 if a lemma does not hold."""
    if arguments not in ([], ["short"]):
        print(__doc__, file=sys.stderr)
        return 2
    started = time.monotonic()
    report = Report()
    report.add(coq_files.check(Sources(), BUILD / "coq"))
    report.print()
    print(f"{len(report.held)} lemmas in {time.monotonic() - started:.0f} s")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
