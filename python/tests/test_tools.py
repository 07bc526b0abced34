"""Tests of the tools that count tests and read licences: what they must count, and what they must refuse."""

import importlib
import sys
from pathlib import Path

import pytest

import pingala

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
tally = importlib.import_module("tally")
licences = importlib.import_module("licences")
reference = importlib.import_module("docs.python_reference")
sections = importlib.import_module("docs.sections")


def test_what_harnesses_say_is_counted():
    count = tally.Tally()
    for line in [
        "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s",
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


@pytest.mark.parametrize(
    "good", ["MIT", "MIT OR Apache-2.0", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-2.0) AND Unicode-3.0"]
)
def test_a_permissive_choice_is_enough(good):
    assert licences.is_permissive(good)


@pytest.mark.parametrize(
    "bad", ["", "GPL-3.0", "LGPL-3.0-or-later", "MPL-2.0", "MIT AND LGPL-2.1", "Apache-2.0 WITH Some-exception"]
)
def test_others_are_refused(bad):
    assert not licences.is_permissive(bad)


def test_every_name_has_a_section_and_every_parameter_is_documented():
    stub = Path(pingala.__file__).parent / "_pingala.pyi"
    page = reference.Reference(stub, pingala).page(sections.SECTIONS)
    assert "random_prime" in page
    with pytest.raises(reference.UndocumentedError, match="powmod is in no section"):
        reference.Reference(stub, pingala).page(sections.SECTIONS[1:])


def test_every_page_is_in_the_contents_of_the_site():
    docs = Path(__file__).resolve().parents[2] / "docs"
    contents = (docs / "site/pages/index.md").read_text(encoding="utf-8").split()
    pages = {page.stem for page in docs.glob("*.md")} - {"README"}
    assert {"primes", "java"} <= pages
    assert pages - set(contents) == set()
