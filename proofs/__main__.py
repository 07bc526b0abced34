"""`python -m proofs`: all lemmas, then the planted errors. `python -m proofs short`: what `make test` checks."""

import importlib.util
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from proofs import coq_files, links, small_instances, traces
from proofs.report import Report
from proofs.rust_text import ROOT, Sources

BUILD = ROOT / "target" / "proofs"


def by_solver(full: bool) -> Report:
    """The lemmas on machine code and on texts over vectors, if their tools are there."""
    if importlib.util.find_spec("z3") is None:
        return Report(skipped=["the code of the mulx kernel, texts over vectors: need the Python package z3-solver"])
    from proofs import machine_code, vector_texts

    report = vector_texts.check(Sources(), full)
    if not shutil.which("objdump"):
        report.skipped.append("the code of the mulx kernel: needs objdump (Debian: binutils)")
        return report
    report.add(machine_code.check(full))
    return report


def main(arguments: list[str]) -> int:
    """Returns 1 if a lemma does not hold, or a planted error is not found."""
    if arguments not in ([], ["short"]):
        print(__doc__, file=sys.stderr)
        return 2
    full = not arguments
    started = time.monotonic()
    report = links.check()
    windows = traces.MAX_WINDOW_BITS if full else traces.SHORT_WINDOW_BITS
    # Coq is a process of its own: it takes one processor, the solver the other.
    with ThreadPoolExecutor() as threads:
        left_out = frozenset() if full else coq_files.LONG
        by_coq = threads.submit(coq_files.check, Sources(), BUILD / "coq", trace_windows=windows, left_out=left_out)
        report.add(by_solver(full))
        if full:
            # In `make test` they are among the library's tests.
            report.add(small_instances.check())
        report.add(by_coq.result())
    report.print()
    missed = 0
    line = f"{len(report.held)} lemmas"
    if full and not report.failed and not report.skipped:
        from proofs import planted

        found, count = planted.run()
        missed = count - found
        line += f", {found} planted errors found"
    print(f"{line} ({time.monotonic() - started:.0f} s)")
    return 1 if report.failed or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
