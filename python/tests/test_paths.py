"""Paths and names between backquotes on the pages are those of files, and of words in files, of the repository."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
#: Pages on what was: every release, and mechanisms that are gone.
HISTORY = ("CHANGELOG.md", "docs/records/removed.md")
ENDINGS = "rs|py|pyi|md|sh|toml|c|h|go|java|scala|js|mjs|cjs|ts|tcl|v|txt|tsv|json|bib|svg|yml|mk"
PATH = re.compile(rf"([\w.-]+/)*[\w.-]+\.(?:{ENDINGS})")
NAME = re.compile(r"[A-Za-z_]\w*((::|\.)[A-Za-z_]\w*)*(\(\))?")
#: Paths of what is built or installed, of examples, and of other projects.
PATHS_OF_OTHERS = re.compile(
    r"target/.*|(node_modules/pingala/)?dist/.*|worker\.cjs|.*/NAME\.rs|arrow\.json|pingala/prices\.txt"
    r"|mpn/generic/powm\.c|(intobject|rbigint)\.py|benchmark_test\.go"
)
NAMES_OF_OTHERS = re.compile(
    r"mp[zn]?_.*|redc_.*|fft_small|BN_.*|ERR_.*|DSA_.*|RSA_.*|DW_.*|MP_.*|SWIGTYPE_.*|SIG_GET|PYSPARK_PYTHON|CARGO_TARGET_.*|unique_ptr|rustc_demangle|miniz_oxide"
    r"|libpingala_jni\.so|Gmp\.checkLoaded\(\)|x_(len|signs|width|count)"
)


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=True).stdout.split("\n")[
        :-1
    ]


def endings_of(paths: Iterable[str]) -> set[str]:
    """Each path from each of its folders on."""
    return {path.split("/", count)[-1] for path in paths for count in range(path.count("/") + 1)}


def words_of(paths: Iterable[str]) -> set[str]:
    """All words of files that are no pages, and of their names."""
    words: set[str] = set()
    for path in paths:
        words |= set(re.findall(r"\w+", path.replace("-", "_")))
        if not path.endswith(".md"):
            words |= set(re.findall(r"\w+", (TOP / path).read_text(encoding="utf-8", errors="ignore")))
    return words


def quoted(page: str) -> Iterable[str]:
    """What stands between single backquotes without a space, outside of code."""
    return re.findall(r"`([^`\s]+)`", re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL))


def is_known(name: str, words: set[str]) -> bool:
    """Whether a word is this name. Both forms of a call of C are named by what they share, some by ends."""
    if name in words or f"{name}_be" in words:
        return True
    return any(word.endswith(name) if name[0] == "_" else word.startswith(name) for word in words) and "_" in (
        name[0],
        name[-1],
    )


def unknown(page: str, folder: Path, endings: set[str], words: set[str]) -> list[str]:
    """The paths and names of a page that lead nowhere. Names are those with an underscore, a path or a call."""
    found = []
    for text in quoted(page):
        if PATH.fullmatch(text):
            if not (PATHS_OF_OTHERS.fullmatch(text) or text in endings or (folder / text).exists()):
                found.append(text)
        elif NAME.fullmatch(text) and re.search(r"_|::|\(\)", text) and not NAMES_OF_OTHERS.fullmatch(text):
            parts = re.findall(r"\w+", text)
            found += [text for part in parts if not is_known(part, words)]
    return found


@pytest.fixture(scope="module")
def known() -> tuple[set[str], set[str]]:
    paths = [path for path in tracked() if (TOP / path).is_file()]
    if not paths:
        pytest.skip("needs a clone of the repository")
    return endings_of(paths), words_of(paths)


def test_paths_and_names_lead_somewhere(known: tuple[set[str], set[str]]) -> None:
    pages = [path for path in tracked() if path.endswith(".md") and path not in HISTORY and (TOP / path).is_file()]
    assert len(pages) > 80
    found = {}
    for path in pages:
        page = TOP / path
        if missing := unknown(page.read_text(encoding="utf-8"), page.parent, *known):
            found[path] = missing
    assert found == {}


def test_a_planted_path_and_a_planted_name_are_found(known: tuple[set[str], set[str]]) -> None:
    there = (
        "`kernel/mulx/blocks.rs`, `kernel::row::ring`, `tools/tally.py`, `pingala_powmod`, `target/x.json`, `mod.rs`"
    )
    gone = (
        "`kernel/mulx/no_such.rs`, `kernel::no_" + "such_room`, `no_" + "such_call()`\n```\n`fenced/no_such.rs`\n```\n"
    )
    assert unknown(there, TOP, *known) == []
    assert unknown(there + gone, TOP, *known) == re.findall(r"`(\S+)`", gone)[:3]
