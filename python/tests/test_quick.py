"""What `make quick` runs for a change: a function of the changed paths."""

import importlib
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "tools"))
quick = importlib.import_module("quick")

TESTS = {path.stem for path in (TOP / "python/tests").glob("test_*.py")}
CRATES = {path.parent.name for path in (TOP / "crates").glob("*/Cargo.toml")}
CORE = quick.CORE
RAN = "library: kernel::row, kernel::conformance, sources"


def chosen(*paths):
    return quick.choose(paths, TESTS, CRATES)


def names(choice):
    return [name for name, _ in choice.steps]


def left_out(choice):
    return " ".join(name for name, _ in choice.left_out)


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("pingala-core/src/kernel/row/ring.rs", "kernel::row"),
        ("pingala-core/src/kernel/row/mod.rs", "kernel::row"),
        ("pingala-core/src/kernel/mod.rs", "kernel"),
        ("pingala-core/src/engine/plan/prices/zen4.txt", "engine::plan"),
        ("pingala-core/tests/inside/kernel/ntt.rs", "kernel::ntt"),
        ("pingala-core/tests/suite/calls/draw.rs", "suite::calls"),
        ("pingala-core/tests/suite/plans.rs", "suite::plans"),
        ("pingala-core/src/lib.rs", None),
        ("pingala-core-c/src/lib.rs", None),
        ("pingala-core/Cargo.toml", None),
    ],
)
def test_a_path_of_the_library_is_in_a_module(path, module):
    assert quick.of_library(f"crates/{path}") == module


def test_a_change_of_the_library_runs_its_folder_and_nothing_that_compiles_for_release():
    choice = chosen(f"crates/{CORE}/src/kernel/row/ring.rs", "crates/pingala-primes/src/random.rs", "go/lists.go")
    assert names(choice) == ["check-format", f"clippy of {CORE}, pingala-primes", RAN]
    command = dict(choice.steps)[RAN]
    assert command[command.index("--") + 1 :] == ["kernel::row", "kernel::conformance", *quick.READERS]
    assert not any("--release" in command for _, command in choice.steps)
    assert {"tests of pingala-primes", "test-go"} <= {name for name, _ in choice.left_out}


def test_a_change_of_another_crate_runs_its_tests():
    choice = chosen("crates/pingala-primes/src/random.rs", "crates/pingala-python/src/list.rs")
    assert "crates: pingala-primes" in names(choice)
    assert "test_list" in left_out(choice)
    assert "test-python" in left_out(choice)


def test_a_change_of_the_package_builds_it_and_runs_its_tests():
    choice = chosen("python/pingala/_cluster.py", "python/tests/test_list.py")
    wanted = ["check-style", "Python: test_border, test_list, test_package", "check-types"]
    assert [name for name in names(choice) if name != "build"] == wanted
    assert names(choice).index("build") == 1


def test_a_change_of_pages_and_tools_compiles_nothing():
    choice = chosen("docs/testing.md", "tools/tally.py", "hardening/Makefile")
    readers = next(name for name in names(choice) if name.startswith("Python: "))
    assert {"test_sentences", "test_make", "test_tally", "test_hardening"} <= set(
        readers.removeprefix("Python: ").split(", ")
    )
    assert not any("cargo" in command for _, command in choice.steps)


def test_a_change_of_a_language_runs_its_suite():
    choice = chosen("go/lists.go", "java/pom.xml", "proofs/masks.py")
    assert {"test-go", "test-java", "test-proofs"} <= set(names(choice))
    assert "test-tcl" in left_out(choice)
    assert "test-go" not in left_out(choice)


def test_what_is_left_out_is_said_for_every_change():
    for path in ("README.md", f"crates/{CORE}/src/lib.rs", "tcl/calls.c", "LICENSE-MIT"):
        assert "test-constant-time" in left_out(chosen(path))


def test_each_named_test_and_crate_is_there():
    fixed = {name for _, names in quick.PYTHON_TESTS for name in names if "\\" not in name}
    assert fixed | set(quick.WITHOUT_PACKAGE) <= TESTS
    suites = (TOP / "crates" / CORE / "tests/suite/mod.rs").read_text()
    assert all(f"mod {name.removeprefix('suite::')};" in suites for name in quick.READERS)
