"""The site of `make docs`: its short sidebar, the examples of its front page, the reference of JavaScript."""

import re
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tools"))
from docs import demo, javascript_reference, pages, sections  # noqa: E402

INDEX = (TOP / "docs/site/pages/index.md").read_text(encoding="utf-8")
MOST_LINKS = 40


def sidebar() -> dict[str, list[str]]:
    """The pages of the sidebar, which has the first level of pages only, by caption."""
    trees = re.findall(r"```\{toctree\}\n:caption: (.*)\n:hidden:\n\n((?:.+\n)*)```", INDEX)
    assert len(trees) == INDEX.count("{toctree}")
    return {caption: listed.split() for caption, listed in trees}


def test_sidebar_is_short_and_has_languages_and_references_before_guides() -> None:
    trees = sidebar()
    assert sum(map(len, trees.values())) <= MOST_LINKS
    assert list(trees).index("Languages") < list(trees).index("Reference") < list(trees).index("Guides")
    assert {"javascript", "java", "command"} <= set(trees["Languages"])


def test_every_page_is_in_the_sidebar_or_listed_by_a_page_that_is(tmp_path: Path) -> None:
    pages.collect(TOP, tmp_path)
    written = {page.relative_to(tmp_path).with_suffix("").as_posix() for page in tmp_path.rglob("*.md")}
    shown = {page for listed in sidebar().values() for page in listed}
    site = {
        page.relative_to(TOP / "docs/site/pages").with_suffix("").as_posix()
        for page in (TOP / "docs/site/pages").rglob("*.md")
    }
    below = set()
    for page in written:
        text = (tmp_path / f"{page}.md").read_text(encoding="utf-8")
        for listed in re.findall(r"```\{toctree\}\n(?::.*\n)+\n((?:.+\n)*)```", text):
            folder = Path(page).parent.as_posix()
            below |= (
                {one for one in written if Path(one).parent.as_posix() == folder}
                if listed == "*\n"
                else {one[1:] for one in listed.split()}
            )
    assert written - shown - below == set()
    generated = {"reference/python", "reference/javascript", "reference/command"}
    assert shown | below <= written | site | generated


@pytest.mark.parametrize(
    ("fence", "page"),
    [("rust", "rust"), ("go", "go"), ("java", "java"), ("c", "c"), ("tcl", "tcl")],
)
def test_tabs_of_the_front_page_have_lines_of_pages_whose_examples_are_run(fence: str, page: str) -> None:
    """Python's session is run by test_pages.py, the program in JavaScript by js/tests/node.test.mjs."""
    (example,) = re.findall(rf"^```{fence}\n(.*?)^```", INDEX, re.DOTALL | re.MULTILINE)
    source = {line.strip() for line in (TOP / f"docs/{page}.md").read_text(encoding="utf-8").splitlines()}
    lines = [line.strip() for line in example.splitlines() if not line.startswith("use ")]
    assert len(lines) >= 1
    assert [line for line in lines if line and line not in source] == []


def test_link_to_the_demo_needs_the_demo() -> None:
    text = "See [the demo](demo/index.html)."
    assert demo.linked(text, True) == 'See <a href="demo/index.html">the demo</a>.'
    assert demo.linked(text, False) == "See the demo (not built)."


def test_reference_of_javascript_has_every_export_and_option() -> None:
    types = (TOP / "js/index.d.ts").read_text(encoding="utf-8")
    page = javascript_reference.Reference(TOP / "js/index.d.ts").page(sections.JAVASCRIPT)
    exported = set(re.findall(r"^export (?:function|class) (\w+)", types, re.MULTILINE))
    assert len(exported) > 60
    assert {name for name in exported if not re.search(rf"\b{name}\b", page)} == set()
    for option in set(re.findall(r"^  (\w+)\?: ", types, re.MULTILINE)):
        assert f"`{option}?: " in page
    assert ":::{js:method} powList(bases, exponents, [options])" in page
    assert ":::{js:function} modPow(b, e, n, [factors], [options])" in page
    assert "Pick<" not in page


def test_reference_of_javascript_wants_texts_and_sections(tmp_path: Path) -> None:
    types = tmp_path / "index.d.ts"
    types.write_text("/** Adds. */\nexport function add (a: number): number\nexport function sub (a: number): number\n")
    reference = javascript_reference.Reference(types)
    with pytest.raises(javascript_reference.UndeclaredError) as caught:
        reference.page([("Numbers", ["sub", "mul"])])
    complaints = str(caught.value).split("; ")
    assert complaints == ["add is in no section", "mul is in a section and not declared", "sub has no text"]


def test_signatures_are_broken_between_arguments() -> None:
    long = (
        "function f (first: Array<Map<string, number>>, second: { a: number, b: number }, "
        "third?: (x: number, y: number) => void, fourth?: string): void"
    )
    types = javascript_reference.declarations(f"/** Does. */\nexport {long}\n")
    assert [item.name for item in types] == ["f"]
    assert javascript_reference._arguments(long) == "first, second, [third], [fourth]"
    lines = javascript_reference._signature(long).splitlines()
    assert lines[1:3] == ["  first: Array<Map<string, number>>,", "  second: { a: number, b: number },"]
    assert lines[-1] == "): void"
