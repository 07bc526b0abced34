"""Checks the change at hand within three minutes, and says what it left out.

    python tools/quick.py [BASE]

The change is what differs from the commit at which this branch left BASE (main), with what is not committed; if
nothing differs, it is the last commit. `choose` maps the changed paths to steps: formats, lints, the tests of what has
changed. A step that would compile the library for release is left out if the library has changed. `make check` runs
everything.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tally import TARGET, Suite, close

TOP = Path(__file__).resolve().parents[1]
BIN = ".venv/Scripts" if os.name == "nt" else ".venv/bin"
LIMIT_S = 180
#: The crate that computes.
CORE = "pingala-core"
#: Left when the tests of the library have been compiled for the profile `quick`.
COMPILED = TARGET / "stamps/quick"

#: A path, and tests of Python for it. `\1` is a group of the path; a name that no test has is ignored.
PYTHON_TESTS = (
    (r"python/tests/(test_\w+)\.py", (r"\1",)),
    (r"python/pingala/_?(\w+)\.pyi?", (r"test_\1", "test_package", "test_border")),
    (r"crates/pingala-python/src/(?:.*/)?(\w+)\.rs", (r"test_\1", "test_package", "test_border")),
    (r"(?:border|tools/border)/.*", ("test_border",)),
    (r"tools/(\w+)(?:/.*|\.\w+)", (r"test_\1", "test_tools")),
    (r".*\.md", ("test_sentences", "test_paths", "test_make", "test_claims")),
    (r"Makefile|(?:lab|hardening|papers|proofs)/Makefile|tools/common\.mk|\.ci/.*|\.github/.*", ("test_make",)),
    (r"(?:hardening|docs/records)/.*", ("test_hardening",)),
    (r"(papers|findings)/.*", (r"test_\1",)),
    (r"crates/pingala-lab/peers/.*", ("test_peers",)),
    (r"vectors/.*", ("test_vectors", "test_calls")),
)
#: A path, and the suites of `make test` beside those of Rust and Python.
SUITES = (
    (r"crates/pingala-c/(?:tests|include)/.*", "c"),
    (r"go/.*", "go"),
    (r"tcl/.*", "tcl"),
    (r"java/.*", "java"),
    (r"(?:crates/pingala-js|js)/.*", "js"),
    (r"proofs/.*", "proofs"),
    (r"Cargo\.lock|tools/licences\.py", "licences"),
)
#: Suites that use no library for release, or only one that is there.
WITHOUT_LIBRARY = ("licences", "proofs")
#: Tests of Python that neither import the package nor run the command.
WITHOUT_PACKAGE = (
    "test_clocks",
    "test_hardening",
    "test_make",
    "test_paths",
    "test_quick",
    "test_sentences",
    "test_tally",
)
#: Modules of the library's suite that read its sources.
READERS = ("suite::comments", "suite::layers", "suite::links", "suite::names", "suite::paired")
PYTHON_FOLDERS = ("python", "demo", "java", "tools", "vectors", "papers", "proofs", "crates/pingala-lab/peers")


@dataclass
class Choice:
    """Steps in the order in which they run, by name and command; and what is left out, by name and reason."""

    steps: list[tuple[str, list[str]]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def make(self, target: str) -> None:
        self.steps.append((target, [os.environ.get("MAKE", "make"), "--no-print-directory", target]))


def of_library(path: str) -> str | None:
    """The module of the library's unit tests for a path of its crate; None for other paths."""
    found = re.fullmatch(rf"crates/{CORE}/(?:src|tests/(?:inside|suite))/(.*?)(?:/mod)?\.\w+", path)
    if not found:
        return None
    names = found[1].split("/")
    if "/tests/suite/" in path:
        return f"suite::{names[0]}"
    # A folder of the library has its tests together: a kernel, a workload, a part of the engine. lib.rs lists modules.
    return "::".join(names[:2]) if names != ["lib"] else None


def choose(paths: Collection[str], tests: Collection[str], crates: Collection[str]) -> Choice:
    """What to run for changed paths, of the tests of Python and the crates that there are."""
    choice = Choice()
    rust = sorted(path for path in paths if path.endswith((".rs", "Cargo.toml")))
    python = [path for path in paths if path.endswith((".py", ".pyi")) and path.startswith(PYTHON_FOLDERS)]
    found = {path.split("/")[1] for path in rust if path.startswith("crates/")}
    changed = sorted(found & set(crates))
    shipped = [path for path in paths if re.match(r"crates/pingala(-core)?/(src/|Cargo\.toml)|Cargo\.lock", path)]

    if rust:
        choice.make("check-format")
    if python:
        choice.make("check-style")
    of_python(choice, paths, tests, bool(shipped), changed)
    if python:
        choice.make("check-types")
    modules = sorted({module for path in paths if (module := of_library(path)) is not None})
    if any(module.startswith("kernel::") for module in modules):
        modules.append("kernel::conformance")
    if changed:
        names = [word for crate in changed for word in ("-p", crate)]
        lint = ["cargo", "clippy", "--locked", *names, "--all-targets", "--quiet", "--", "-D", "warnings"]
        choice.steps.append(("clippy of " + ", ".join(changed), lint))
    if CORE in changed:
        run = ["cargo", "test", "--locked", "--no-fail-fast", "--profile", "quick", "-p", CORE, "--lib", "--"]
        choice.steps.append((f"library: {', '.join([*modules, 'sources'])}", [*run, *modules, *READERS]))
        choice.left_out.append(("the other tests of the library, and examples", "the change is not in their folders"))
    # The package has no Rust tests, and no test runs what is compiled for WebAssembly.
    others = [crate for crate in changed if crate not in (CORE, "pingala-python", "pingala-js")]
    if others and shipped:
        choice.left_out.append(
            (f"tests of {', '.join(others)}", "they compile the library for release, which has changed")
        )
    elif others:
        names = [word for crate in others for word in ("-p", crate)]
        run = ["cargo", "test", "--locked", "--no-fail-fast", "--release", *names]
        choice.steps.append((f"crates: {', '.join(others)}", run))
    if changed:
        choice.left_out.append(("crates that use " + ", ".join(changed), "only changed crates are tested"))
    suites = {suite for pattern, suite in SUITES if any(re.fullmatch(pattern, path) for path in paths)}
    for suite in sorted(suites):
        if changed and suite not in WITHOUT_LIBRARY:
            choice.left_out.append((f"test-{suite}", "it compiles what has changed for release"))
        else:
            choice.make(f"test-{suite}")
    ran = {name for name, _ in choice.steps}
    never = ("python", "c", "go", "tcl", "java", "js", "proofs", "constant-time", "licences")
    rest = [suite for suite in never if f"test-{suite}" not in ran and suite not in suites]
    choice.left_out.append((", ".join(f"test-{suite}" for suite in rest), "but for the tests named above"))
    return choice


def of_python(
    choice: Choice, paths: Iterable[str], tests: Collection[str], shipped: bool, changed: Collection[str]
) -> None:
    """The tests of Python for the paths; those that need the package only if no crate has to be compiled for it."""
    names = {
        found.expand(name)
        for path in paths
        for pattern, names in PYTHON_TESTS
        if (found := re.fullmatch(pattern, path))
        for name in names
    } & set(tests)
    needing = sorted(names - set(WITHOUT_PACKAGE))
    # The slowest of them last: it calls make a hundred times.
    reading = sorted(names - set(needing), key=lambda name: (name == "test_make", name))
    command = [f"{BIN}/python", "-m", "pytest", "--quiet"]
    if reading:
        choice.steps.append(
            (f"Python: {', '.join(reading)}", [*command, *(f"python/tests/{name}.py" for name in reading)])
        )
    if not needing:
        return
    if shipped or changed:
        choice.left_out.append((", ".join(needing), "the package would be compiled"))
        return
    choice.make("build")
    choice.steps.append((f"Python: {', '.join(needing)}", [*command, *(f"python/tests/{name}.py" for name in needing)]))


def git(*arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=TOP, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"quick: git {' '.join(arguments)}: {run.stderr.strip() or 'no common commit'}")
    return run.stdout.splitlines()


def changes(base: str) -> list[str]:
    """Paths that differ from where this branch left `base`, or those of the last commit."""
    start = git("merge-base", "HEAD", base)[0]
    paths = {*git("diff", "--name-only", start), *git("ls-files", "--others", "--exclude-standard")}
    return sorted(paths or git("diff", "--name-only", "HEAD~1"))


def within(command: list[str], seconds: float) -> bool:
    """Whether a command that needs no count passes within the time; raises TimeoutExpired."""
    with subprocess.Popen(command, cwd=TOP, start_new_session=True) as process:
        try:
            return process.wait(timeout=seconds) == 0
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise


def compile_once(choice: Choice) -> None:
    """Compiles the tests of the library without a limit if that was never done: a part of it is of no use."""
    commands = [command for name, command in choice.steps if name.startswith("library: ")]
    if commands and not COMPILED.exists():
        print("the first time: compiles the tests of the library, without a limit", flush=True)
        command = commands[0][: commands[0].index("--")]
        if subprocess.run([*command, "--no-run", "--quiet"], cwd=TOP, check=False).returncode == 0:
            COMPILED.parent.mkdir(parents=True, exist_ok=True)
            COMPILED.touch()


def main(arguments: list[str]) -> int:
    paths = changes(arguments[0] if arguments else "main")
    tests = {path.stem for path in (TOP / "python/tests").glob("test_*.py")}
    crates = {path.parent.name for path in (TOP / "crates").glob("*/Cargo.toml")}
    choice = choose(paths, tests, crates)
    print(f"{len(paths)} changed files, {len(choice.steps)} steps")
    compile_once(choice)
    started = time.monotonic()
    suites, stopped = [], []
    for name, command in choice.steps:
        print(f"\n=== {name}", flush=True)
        left_s = LIMIT_S - (time.monotonic() - started)
        suite, began = Suite(name), time.monotonic()
        try:
            if left_s <= 0:
                raise subprocess.TimeoutExpired(command, 0)
            suite.passed = int(within(command, left_s))
            suite.failed = 1 - suite.passed
        except subprocess.TimeoutExpired:
            stopped.append((name, f"it did not end within {LIMIT_S} s of the whole run"))
            continue
        suite.seconds, suite.fault = time.monotonic() - began, ""
        suites.append(suite)
    print("\nleft out; `make check` runs everything:")
    for name, why in stopped + choice.left_out:
        print(f"  {name}: {why}")
    status = close(suites) if suites else 0
    return status or (1 if stopped else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
