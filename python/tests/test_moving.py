"""The tables of what changes when a program moves: pages hold the answers, and libraries that are here give them."""

import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tools/moving"))
import pages  # noqa: E402
import programs  # noqa: E402


@pytest.mark.parametrize("page", sorted([*pages.PAGES, "moving.md"]))
def test_a_page_holds_the_answers(page: str) -> None:
    assert (pages.FROM / page).read_text(encoding="utf-8") == pages.written(pages.kept())[pages.FROM / page]


def test_every_library_was_asked() -> None:
    assert set(pages.kept()["answers"]) == set(programs.PROGRAMS)


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_a_library_that_is_installed_still_answers_so(name: str, tmp_path: Path) -> None:
    try:
        answers = programs.ask(name, tmp_path)
    except programs.MissingError as why:
        pytest.skip(f"{name}: {why}")
    kept = pages.kept()["answers"][name]
    if answers != kept and answers["version"] != kept["version"] and name != pages.OURS:
        pytest.skip(f"{name} {answers['version']} answers otherwise: `python3 tools/moving --install --write`")
    assert {**answers, "version": ""} == {**kept, "version": ""}
