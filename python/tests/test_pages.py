"""The examples of the pages for users are run: Python in one namespace a page, shell commands in an empty folder."""

import doctest
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

TOP = Path(__file__).resolve().parents[2]
README = TOP / "README.md"
# Pages whose examples other tests run, each with what it needs: a C compiler, Go, Java, Node, Tcl, data frames, files,
# a cluster. Those of the last two are run by hand, and their pages say when.
ELSEWHERE = {
    "c.md",
    "clusters.md",
    "columns.md",
    "go.md",
    "java.md",
    "javascript.md",
    "jobs.md",
    "tcl.md",
    "ray-data.md",
    "spark.md",
}
# The command that the package brings is the one to run.
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def pages() -> list[Path]:
    docs = TOP / "docs"
    found = [*docs.glob("*.md"), *docs.glob("from/*.md"), *docs.glob("recipes/*.md"), *docs.glob("site/pages/*.md")]
    packages = [TOP / "python/README.md", *sorted((TOP / "crates").glob("*/README.md"))]
    return [README, *packages, *(page for page in sorted(found) if page.name not in ELSEWHERE)]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_recipes_side_by_side_have_five_languages() -> None:
    """A task that has a program in several languages has it in all, on one page or on two."""
    names = {"Python": "python", "Rust": "rust", "Go": "go", "Java": "java", "JavaScript": "js"}
    found: dict[str, list[Path]] = {}
    for page in sorted((TOP / "docs/recipes").glob("*.md")):
        if "<summary>" in page.read_text(encoding="utf-8"):
            found.setdefault(page.stem.removesuffix("-go-java-js"), []).append(page)
    assert len(found) >= 5
    for task, of_task in found.items():
        first, *others = sorted(of_task, key=lambda page: len(page.stem))
        assert all(f"({page.name})" in first.read_text(encoding="utf-8") for page in others), task
        summaries = [
            name for page in (first, *others) for name in re.findall("<summary>(.*)</summary>", page.read_text())
        ]
        assert summaries == list(names), task
        assert all(any(blocks(page, language) for page in of_task) for language in names.values()), task


def with_blocks(language: str) -> list[ParameterSet]:
    named = [(page, page.relative_to(TOP).as_posix().removeprefix("docs/")) for page in pages()]
    return [pytest.param(page, id=name) for page, name in named if blocks(page, language)]


@pytest.mark.parametrize("page", with_blocks("python"))
def test_python_of(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", PATH)
    namespace: dict[str, object] = {"__name__": page.stem}
    for example in blocks(page, "python"):
        exec(compile(example, str(page), "exec"), namespace)


@pytest.mark.parametrize("page", with_blocks("pycon"))
def test_sessions_of(page: Path) -> None:
    for example in blocks(page, "pycon"):
        test = doctest.DocTestParser().get_doctest(example, {}, page.name, str(page), 0)
        runner = doctest.DocTestRunner()
        runner.run(test)
        assert runner.summarize().failed == 0


# The shell commands of other pages need files that the reader has, or install something.
SHELL = ("recipes/", "tour.md", "README.md", "python/README.md", "crates/pingala-cli/README.md")


@pytest.mark.parametrize("page", [page for page in with_blocks("sh") if str(page.id).startswith(SHELL)])
def test_shell_of(page: Path, tmp_path: Path) -> None:
    # The package is installed already.
    installs = ("pip install .\n", "pip install pingala\n", "cargo install pingala-cli\n")
    for example in (block for block in blocks(page, "sh") if block not in installs):
        run = subprocess.run(
            ["bash", "-euc", example],
            cwd=tmp_path,
            env={**os.environ, "PATH": PATH},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr


# Pages that list every call, option or figure, or are not read from the first line to the last.
REFERENCES = {"docs/c.md", "docs/command.md", "docs/go.md", "docs/javascript.md", "docs/tcl.md"}
MOST_LINES = 250
# All files of docs/ but records, recipes, pictures and what makes the site: what a reader may be sent to.
MOST_BYTES = 340 * 1024


def test_pages_are_short() -> None:
    long = [
        (page.relative_to(TOP).as_posix(), len(page.read_text(encoding="utf-8").splitlines()))
        for page in [README, *(TOP / "docs").rglob("*.md")]
    ]
    assert [(name, lines) for name, lines in long if lines > MOST_LINES and name not in REFERENCES] == []


def test_pages_are_few_enough_to_be_read() -> None:
    docs = TOP / "docs"
    counted = [
        file
        for file in docs.rglob("*")
        if file.is_file()
        and file.relative_to(docs).parts[0] not in ("records", "recipes")
        and (file.suffix == ".md" or file.name == "references.bib")
    ]
    assert len(counted) > 30
    assert sum(file.stat().st_size for file in counted) <= MOST_BYTES


def test_an_entry_of_the_changelog_is_one_line() -> None:
    lines = (TOP / "CHANGELOG.md").read_text(encoding="utf-8").partition("## 0.4.0 (unreleased)")[2].splitlines()
    assert len(lines) > 100
    assert [line for line in lines if len(line) > 200 or line.startswith(" ")] == []


def test_the_page_of_a_package_is_its_own_and_short() -> None:
    """What a registry shows: each package names a page of its own, with one line that installs it."""
    packages = {TOP / "python/README.md": "pip install pingala", TOP / "js/README.md": "npm install pingala"}
    assert (
        tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]["readme"] == "python/README.md"
    )
    for manifest in (TOP / "crates").glob("*/Cargo.toml"):
        package = tomllib.loads(manifest.read_text(encoding="utf-8"))["package"]
        if package.get("publish", True):
            assert package["readme"] == "README.md", manifest
            kind = "install" if package["name"] == "pingala-cli" else "add"
            packages[manifest.parent / "README.md"] = f"cargo {kind}"
    assert len(packages) > 8
    for page, install in {**packages, TOP / "java/README.md": "<dependency>", TOP / "go/README.md": "go mod"}.items():
        text = page.read_text(encoding="utf-8")
        assert install in text, page
        assert len(text.splitlines()) <= 60, page


def test_readme_is_short_and_begins_with_code() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 100
    assert "```python" in lines[:30]
