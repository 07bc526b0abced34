"""Checks the Coq files: every theorem is proved, without axioms and without `Admitted`."""

import hashlib
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from proofs import constants, field_texts, traces
from proofs.report import Report
from proofs.rust_text import ROOT, NotUnderstoodError, Sources

FOLDER = ROOT / "proofs" / "coq"
NEEDS = "needs Coq 8.16 with Flocq (Debian: coq libcoq-flocq)"

STATEMENT = re.compile(r"^ *(?:Theorem|Lemma|Corollary) (\w+)", re.MULTILINE)
UNPROVED = re.compile(r"\b(Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture|admit|Abort)\b")

# Files whose proofs use what Coq names as axioms: operations on 63-bit integers that its kernel computes, and axioms of
# real numbers. proofs/README.md says so too.
PRIMITIVE_INTEGERS = {f"PrimInt63.{name}" for name in ("int", "lsr", "land", "eqb")}
REALS = {
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
WITH_AXIOMS = {
    "Traces": PRIMITIVE_INTEGERS,
    "Products": PRIMITIVE_INTEGERS,
    "Exact": REALS,
    "TransformDoubles": REALS,
    "FmaQuotient": REALS,
}


def without_comments(text: str) -> str:
    result, depth, at = [], 0, 0
    while at < len(text):
        two = text[at : at + 2]
        if two in ("(*", "*)"):
            depth += 1 if two == "(*" else -1
            at += 2
            continue
        if not depth:
            result.append(text[at])
        at += 1
    return "".join(result)


@dataclass
class Files:
    """The files in a build folder: those of the repository, and those that are written from the Rust sources."""

    build: Path
    texts: dict[str, str]

    def needs(self, name: str) -> list[str]:
        found = re.findall(r"From Pingala Require Import ([\w ]+)\.", self.texts[name])
        return [need for names in found for need in names.split()]

    def order(self) -> list[str]:
        done: list[str] = []

        def visit(name: str) -> None:
            if name not in done:
                for need in self.needs(name):
                    visit(need)
                done.append(name)

        for name in sorted(self.texts):
            visit(name)
        return done

    def key(self, name: str) -> str:
        parts = [self.texts[name], *(self.key(need) for need in self.needs(name))]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def compile(self, name: str) -> str:
        """Compiles a file unless that is done; returns Coq's complaint, or nothing."""
        stamp, key = self.build / f"{name}.done", self.key(name)
        if stamp.is_file() and stamp.read_text(encoding="ascii") == key:
            return ""
        path = self.build / f"{name}.v"
        path.write_text(self.texts[name], encoding="utf-8")
        stamp.unlink(missing_ok=True)
        ran = coqc(self, path)
        if ran.returncode:
            return complaint(self.texts[name], ran.stdout + ran.stderr)
        stamp.write_text(key, encoding="ascii")
        return ""


def complaint(text: str, said: str) -> str:
    """Which theorem fails, and what Coq says."""
    line = re.search(r"line (\d+), characters", said)
    before = "\n".join(text.splitlines()[: int(line[1]) if line else None])
    names = STATEMENT.findall(before)
    what = " ".join(said.split())
    return f"{names[-1] if names else 'the file'}: {what[:600]}"


def gather(sources: Sources, build: Path, trace_windows: int = 0) -> Files:
    build.mkdir(parents=True, exist_ok=True)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.v"))}
    texts["Constants"] = constants.coq_text(sources)
    texts["FieldTexts"] = field_texts.coq_text(sources)
    if trace_windows:
        command = [str(traces.PROGRAMS), str(traces.BITS), str(trace_windows)]
        traced = subprocess.run(command, capture_output=True, text=True, check=True)
        texts["Traces"] = traces.coq_text(traced.stdout.splitlines())
    return Files(build, texts)


def coqc(files: Files, path: Path) -> subprocess.CompletedProcess[str]:
    # In the build folder, where Coq leaves its caches.
    command = ["coqc", "-q", "-w", "none", "-R", ".", "Pingala", path.name]
    return subprocess.run(command, cwd=files.build, capture_output=True, text=True, check=False)


def assumptions(files: Files, names: list[str]) -> Report:
    """What Coq says that the theorems rest on: nothing, but for the files that are named above."""
    report = Report()
    names = [name for name in names if name != "Traces"]
    texts = {name: without_comments(files.texts[name]) for name in names}
    theorems = [f"{name}.{theorem}" for name in names for theorem in STATEMENT.findall(texts[name])]
    lines = [f"From Pingala Require Import {' '.join(names)}."]
    lines += [f'Goal True. idtac "@ {theorem}". Abort. Print Assumptions {theorem}.' for theorem in theorems]
    path = files.build / "Assumptions.v"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = coqc(files, path)
    if ran.returncode:
        report.failed.append(f"Print Assumptions: {' '.join(ran.stderr.split())[:400]}")
        return report
    said = dict(re.findall(r"^@ (\S+)\n(.*?)(?=^@ |\Z)", ran.stdout, re.DOTALL | re.MULTILINE))
    for theorem in theorems:
        what = said.get(theorem, "").strip()
        axioms = set(re.findall(r"^([A-Z][\w.]+)", what.removeprefix("Axioms:"), re.MULTILINE))
        allowed = axioms and axioms <= WITH_AXIOMS.get(theorem.partition(".")[0], set())
        if what != "Closed under the global context" and not allowed:
            report.failed.append(f"{theorem} is not closed: {' '.join(what.split())[:300]}")
    return report


# What `make test` leaves to `make proofs`: twenty seconds.
LONG = frozenset({"FieldTexts", "FieldWords", "FmaQuotient", "Karatsuba", "TransformDoubles", "Transforms"})


def check(
    sources: Sources,
    build: Path,
    only: set[str] | None = None,
    trace_windows: int = 0,
    left_out: frozenset[str] = frozenset(),
) -> Report:
    """Compiles all files, or some, but none left out; compares traces with windows of up to some bits, if any."""
    report = Report()
    if not shutil.which("coqc"):
        report.skipped.append(f"the Coq files: {NEEDS}")
        return report
    if trace_windows and not traces.PROGRAMS.is_file():
        program = traces.PROGRAMS.relative_to(ROOT)
        report.skipped.append(f"the comparison of traces: needs {program}, which make test-rust compiles")
        trace_windows = 0
    try:
        files = gather(sources, build, trace_windows)
    except (NotUnderstoodError, ValueError) as error:
        report.failed.append(f"the Rust sources: {error}")
        return report
    failed: set[str] = set()
    compiled = []
    for name in files.order():
        if name in left_out or (only is not None and name not in only):
            continue
        text = without_comments(files.texts[name])
        if found := UNPROVED.search(text):
            report.failed.append(f"{name}.v has the word {found[0]}")
            continue
        if failed & set(files.needs(name)):
            failed.add(name)
            report.failed.append(f"{name}.v: a file that it needs failed")
            continue
        if said := files.compile(name):
            failed.add(name)
            report.failed.append(f"{name}.v: {said}")
            continue
        compiled.append(name)
        report.held += [f"{name}.{theorem}" for theorem in STATEMENT.findall(text)]
    # Minutes for the theorems on real numbers: `make test` only looks for the words above.
    if not failed and only is None and trace_windows >= traces.MAX_WINDOW_BITS:
        report.add(assumptions(files, [name for name in compiled if STATEMENT.search(files.texts[name])]))
    return report
