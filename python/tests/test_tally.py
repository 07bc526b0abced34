"""What tools/tally.py counts, and that it runs every suite and reports each, whatever happens to one of them."""

import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TALLY = Path(__file__).resolve().parents[2] / "tools/tally.py"
sys.path.append(str(TALLY.parent))
tally = importlib.import_module("tally")

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is missing")

RUST = "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s"

#: Suites that pass, fail, crash and cannot be built. `tally` is how a recipe calls the tool.
MAKEFILE = r"""
test-rust:
	@echo '%(rust)s'
	@echo 'test tune::by_hand ... ignored, by hand'
test-failing:
	@echo '3 passed, 2 failed in 0.1s'; exit 1
test-unbuilt: no-such-library
	@echo 'unbuilt: 100 passed, 0 failed'
no-such-library:
	@echo 'error: it does not compile'; exit 1
test-crash:
	@echo 'test a::b ... ok'; kill -9 $$$$
test-crash-after:
	@echo 'crash-after: 4 passed, 0 failed'; exit 101
test-status-zero:
	@echo 'status-zero: 1 passed, 1 failed'
test-silent:
	@true
test-inside:
	@$(tally) run echo 'inside: 7 passed, 0 failed'
test-some:
	@$(tally) make test-rust test-failing test-inside
check-good:
	@true
check-bad:
	@false
test-interrupting:
	@touch interrupt-me; sleep 100
test-waits:
	@while ! [ -e beside ]; do sleep 0.01; done; echo 'waits: 1 passed, 0 failed'
test-last:
	@echo 'last: 2 passed, 0 failed, 1 skipped'
	@echo '  SKIPPED last: a tool is missing'
"""


@pytest.fixture
def start(tmp_path):
    """Starts the tool in a folder with the Makefile above."""
    program = f"tally := {Path(sys.executable).as_posix()} {TALLY.as_posix()}\n"
    (tmp_path / "Makefile").write_text(program + MAKEFILE % {"rust": RUST})
    # Below `make test` this process has its variables, which are not those of the suites here.
    of_make = {"MAKE", "MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "MFLAGS", "PINGALA_TALLY", "PINGALA_SKIPPED"}
    environment = {name: value for name, value in os.environ.items() if name not in of_make}

    def start(*arguments, variables=(), **options):
        return subprocess.Popen(
            [sys.executable, TALLY, *arguments],
            cwd=tmp_path,
            env=environment | {"CARGO_TARGET_DIR": str(tmp_path)} | dict(variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    return start


@pytest.fixture
def called(start):
    """Calls the tool there, and returns what it said."""

    def call(*arguments, **variables):
        with start(*arguments, variables=variables) as process:
            out, err = process.communicate()
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    return call


def suites(done):
    """The line of each suite: passed, failed, skipped, and what else is said."""
    lines = re.findall(r"^(\S+) +(\d+) +(\d+) +(\d+) +\d+(?:  (.*))?$", done.stdout, re.M)
    return {name: (int(passed), int(failed), int(skipped), fault) for name, passed, failed, skipped, fault in lines}


def last_line(done):
    return done.stdout.splitlines()[-1]


def test_what_harnesses_say_is_counted():
    count = tally.Suite()
    for line in [
        RUST,
        "test tune::less_than_a_minute ... ignored, by hand",
        "test a::b ... ok",
        "12 passed, 2 skipped in 3.21s",
        "SKIPPED [2] python/tests/test_running.py:189: counts threads in /proc",
        "licences: 30 passed, 0 failed",
        "constant-time: 0 passed, 0 failed, 1 skipped",
        "constant-time gate SKIPPED: valgrind not found",
        "    SKIPPED kernel ifma_row_ct_r52: it cannot run here",
    ]:
        count.hear(line)
    listed = ["suite::common::the_list_of_what_is_skipped_is_kept: nothing", "a::b: no lanes", "a::b: no lanes"]
    count.those_that_skip_themselves(listed)
    assert (count.passed, count.failed) == (46, 0)
    assert len(count.skipped) == 6
    assert count.skipped[-1] == "a::b: no lanes"


def test_parts_of_a_gate_are_not_counted_beside_their_sum():
    count = tally.Suite()
    for line in [
        "Java 17: 20 passed, 1 failed",
        "Java 25: 21 passed, 0 failed",
        "java: 43 passed, 1 failed, 0 skipped",
    ]:
        count.hear(line)
    assert (count.passed, count.failed) == (43, 1)


def test_a_crash_before_the_harness_counts_leaves_no_negative_number():
    count = tally.Suite()
    count.those_that_skip_themselves(["a::b: no lanes"])
    count.judge(101)
    assert (count.passed, count.failures, len(count.skipped), count.fault) == (0, 1, 1, "exit status 101")


def test_a_list_that_is_not_kept_is_a_fault():
    count = tally.Suite()
    count.hear(RUST)
    count.hear("test suite::common::the_list_of_what_is_skipped_is_kept ... ok")
    count.those_that_skip_themselves([])
    count.judge(0)
    assert count.failures == 1
    assert "nobody knows what was skipped" in count.fault


@needs_make
def test_a_suite_that_fails_in_the_middle_stops_no_other(called):
    done = called("make", "test-rust", "test-failing", "test-last")
    assert done.returncode == 1
    assert suites(done) == {
        "rust": (5, 0, 1, ""),
        "failing": (3, 2, 0, "exit status 2"),
        "last": (2, 0, 1, ""),
    }
    closing = done.stdout.splitlines()[-7:]
    assert closing[:2] == ["  skipped  tune::by_hand: by hand", "  skipped  last: a tool is missing"]
    assert closing[2].split() == ["suite", "passed", "failed", "skipped", "seconds"]
    assert last_line(done) == "10 passed, 2 failed, 2 skipped"


@needs_make
def test_suites_that_pass_have_exit_status_zero(called):
    done = called("make", "test-rust", "check-good", "test-last")
    assert (done.returncode, last_line(done)) == (0, "8 passed, 0 failed, 2 skipped")
    assert suites(done)["check-good"] == (1, 0, 0, "")


@needs_make
@pytest.mark.parametrize(
    ("target", "counted"),
    [
        ("test-unbuilt", (0, 1, 0, "exit status 2")),
        ("test-crash", (0, 1, 0, "exit status 2")),
        ("test-crash-after", (4, 1, 0, "exit status 2")),
        ("test-status-zero", (1, 1, 0, "")),
        ("test-silent", (0, 1, 0, "no test was counted")),
        ("test-without-a-rule", (0, 1, 0, "exit status 2")),
        ("check-bad", (0, 1, 0, "exit status 2")),
    ],
)
def test_a_suite_without_a_failed_test_fails_if_it_is_not_built_or_crashes(called, target, counted):
    done = called("make", target, "test-last")
    assert done.returncode == 1
    assert suites(done) == {target.removeprefix("test-"): counted, "last": (2, 0, 1, "")}
    assert last_line(done) == f"{counted[0] + 2} passed, 1 failed, 1 skipped"


@needs_make
def test_a_missing_make_fails_every_suite(called):
    done = called("make", "test-rust", "test-last", MAKE="no-such-make")
    assert (done.returncode, last_line(done)) == (1, "0 passed, 2 failed, 0 skipped")
    assert "no-such-make" in suites(done)["last"][3]


@needs_make
def test_what_recipes_count_is_a_part_of_their_suite(called):
    done = called("make", "test-inside", "test-some", "test-last")
    assert suites(done) == {
        "inside": (7, 0, 0, ""),
        "some": (15, 2, 1, "exit status 2"),
        "last": (2, 0, 1, ""),
    }
    assert len(re.findall(r"\d+ passed, \d+ failed, \d+ skipped$", done.stdout, re.M)) == 2  # test-last, and the sum


@needs_make
def test_the_last_count_is_repeated(called):
    done = called("make", "test-failing", "test-last")
    again = called("end")
    assert (again.returncode, suites(again), last_line(again)) == (1, suites(done), last_line(done))


def test_nothing_that_was_counted_is_no_pass(called):
    nothing = called("end")
    assert nothing.returncode == 1
    assert "nothing was counted" in nothing.stderr


@needs_make
@pytest.mark.skipif(sys.platform == "win32", reason="no groups of processes")
def test_suites_that_a_stopped_run_did_not_reach_are_named(start, called, tmp_path):
    with start("make", "test-rust", "test-interrupting", "test-last", start_new_session=True) as process:
        while not (tmp_path / "interrupt-me").exists():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
    assert process.returncode == 130
    done = called("end")
    assert done.returncode == 1
    assert suites(done) == {
        "rust": (5, 0, 1, ""),
        "interrupting": (0, 1, 0, "did not end"),
        "last": (0, 1, 0, "did not end"),
    }


@needs_make
def test_a_command_runs_beside_a_suite(called):
    done = called("make", "test-rust", "test-waits", "--beside", "test-waits", "touch", "beside")
    assert (done.returncode, last_line(done)) == (0, "6 passed, 0 failed, 1 skipped")


def test_one_command_closes_too(called):
    done = called("run", "echo", "gate: 3 passed, 0 failed, 1 skipped\nSKIPPED: a tool is missing")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-2:] == ["  skipped  a tool is missing", "3 passed, 0 failed, 1 skipped"]
    failing = called("run", sys.executable, "-c", "raise SystemExit(3)")
    assert failing.returncode == 1
    assert failing.stdout.splitlines()[-2:] == ["tally: exit status 3", "0 passed, 1 failed, 0 skipped"]


@pytest.mark.parametrize(
    "words", [[], ["make"], ["run"], ["make", "a", "--beside"], ["make", "--beside", "a", "b"], ["else"]]
)
def test_calls_that_say_nothing_to_do_are_refused(called, words):
    done = called(*words)
    assert done.returncode == 2
    assert "tools/tally.py make TARGET" in done.stderr
