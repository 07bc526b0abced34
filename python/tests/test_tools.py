"""Tests of the tools that read licences and write the reference of the package: what they must refuse."""

import importlib
import sys
from pathlib import Path

import pytest

import pingala

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
licences = importlib.import_module("licences")
reference = importlib.import_module("docs.python_reference")
sections = importlib.import_module("docs.sections")
pages = importlib.import_module("docs.pages")


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


def test_what_github_folds_becomes_tabs():
    fold = "<details{}>\n<summary>{}</summary>\n\n```x\n{}\n```\n\n</details>\n"
    page = "# Title\n\n" + fold.format(" open", "Python", 1) + "\n" + fold.format("", "Go", 2) + "\nAfter.\n"
    tab = ":::{{tab-item}} {0}\n:sync: {0}\n\n```x\n{1}\n```\n:::\n"
    tabs = "::::{tab-set}\n:sync-group: language\n\n" + tab.format("Python", 1) + "\n" + tab.format("Go", 2) + "::::\n"
    assert pages.tabbed(page) == f"# Title\n\n{tabs}After.\n"
    assert pages.tabbed("# Title\n\n<details\n") == "# Title\n\n<details\n"
