"""The links between the code and the lemmas: proofs/README.md has the table, comments of the code name their lemmas.

A comment says `Lemmas: Name.one, Name.two (proofs/README.md).`; a row of the table names lemmas and files. Each lemma of
the table exists, each file of a row names all lemmas of the row, and no comment names a lemma that the table does not.
"""

import re

from proofs import coq_files, small_instances
from proofs.report import Report
from proofs.rust_text import LIBRARY, ROOT

# The lemmas that are no theorems of Coq: of machine_code.py and of vector_texts.py.
OF_MACHINE_CODE = (
    "add_rows",
    "add_pairs",
    "square",
    "double_and_add_squares",
    "reduce_rows",
    "cios",
    "sos_sqr",
    "add_row",
    "subtract_once",
)
OF_VECTORS = ("carry_group", "reduce_once")

PAGE = ROOT / "proofs" / "README.md"
COMMENT = re.compile(r"Lemmas: ([\w., ]*?),? \(proofs/README\.md\)\.")


def rows(text: str) -> list[tuple[list[str], list[str]]]:
    """The lemmas and the files of each row."""
    found = []
    for line in filter(re.compile(r" *\|").match, text.splitlines()):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        lemmas = re.findall(r"`((?:[A-Z]\w+|mulx|vectors|small|formal)\.\w+)`", cells[0]) if cells else []
        files = re.findall(r"`([\w/]+\.rs)`", cells[1]) if len(cells) > 1 else []
        if lemmas:
            found.append((lemmas, files))
    return found


def named_in(text: str) -> set[str]:
    """The lemmas that the comments of a file name."""
    lines = re.sub(r"\n\s*//[/!] ", " ", text)
    return {name for listed in COMMENT.findall(lines) for name in listed.split(", ")}


def known() -> set[str]:
    """All theorems of the Coq files, and the lemmas on machine code and small words by function."""
    names = set()
    for path in coq_files.FOLDER.glob("*.v"):
        text = coq_files.without_comments(path.read_text(encoding="utf-8"))
        names |= {f"{path.stem}.{theorem}" for theorem in coq_files.STATEMENT.findall(text)}
    names |= small_instances.lemmas()
    return names | {f"mulx.{function}" for function in OF_MACHINE_CODE} | {f"vectors.{text}" for text in OF_VECTORS}


def complaints(page: str, code: dict[str, str], lemmas: set[str]) -> list[str]:
    """What does not fit: the page's text, the text of each file, all lemmas."""
    found = []
    table = rows(page)
    by_file: dict[str, set[str]] = {}
    for names, files in table:
        found += [f"proofs/README.md names {name}, which no file proves" for name in names if name not in lemmas]
        found += [f"proofs/README.md: the row of {names[0]} names no file" for _ in [0] if not files]
        for file in files:
            by_file.setdefault(file, set()).update(names)
    for file, names_of_file in by_file.items():
        if file not in code:
            found.append(f"proofs/README.md names {file}, which is not there")
            continue
        found += [f"{file} does not name {name}" for name in sorted(names_of_file - named_in(code[file]))]
    for file, text in code.items():
        extra = named_in(text) - by_file.get(file, set())
        found += [f"{file} names {name}, which proofs/README.md does not list for it" for name in sorted(extra)]
    return found


def check() -> Report:
    """The links of the repository, and a planted one that leads nowhere."""
    report = Report()
    folder = ROOT / LIBRARY
    code = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*.rs")}
    page = PAGE.read_text(encoding="utf-8")
    lemmas = known()
    report.failed += complaints(page, code, lemmas)
    planted = {**code, "planted.rs": "//! Lemmas: Fold.nothing (proofs/README.md).\n"}
    if len(complaints(page, planted, lemmas)) != len(report.failed) + 1:
        report.failed.append("links: a comment that names no lemma of the table is not found")
    if not report.failed:
        report.held.append("links between comments and lemmas")
    return report
