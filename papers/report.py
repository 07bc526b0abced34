"""What was measured, as Markdown: a section of each paper's page, and the table of verdicts on the index."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from .catalogue import TITLES
from .page import HEADS, entry_line, machine_line, verdicts_of, why_not_measured
from .paper import FAILS, HOLDS, OPEN, Claim, Paper, Table

# Text between the marks is written by `make papers PAPERS=--keep`; the rest of a page is written by hand.
BEGIN = "<!-- measured: make papers PAPERS=--keep -->"
END = "<!-- end of measured -->"
INDEX = "README.md"

_VERDICTS = (HOLDS, FAILS, OPEN)


def pages(record: Mapping[str, Any], papers: Mapping[str, Paper], folder: Path) -> dict[str, str]:
    """Returns the text of every page of `folder` with the record's figures, by file name."""
    made = {INDEX: _verdicts(record, papers)}
    made.update({f"{number}.md": _section(number, record, paper) for number, paper in papers.items()})
    return {name: _replaced((folder / name).read_text(encoding="utf-8"), name, text) for name, text in made.items()}


def _replaced(page: str, name: str, text: str) -> str:
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{name}: expected the lines '{BEGIN}' and '{END}', between which the figures are written")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


def _verdicts(record: Mapping[str, Any], papers: Mapping[str, Paper]) -> str:
    rows = []
    for number, paper in papers.items():
        found = verdicts_of(record, number, paper)
        counts = [str(found.count(verdict)) for verdict in _VERDICTS]
        rows.append([f"[{number} {TITLES[number]}]({number}.md)", *counts])
    return "\n\n".join([machine_line(record), _rows(["paper", *_VERDICTS], rows, [True, False, False, False])])


def _section(number: str, record: Mapping[str, Any], paper: Paper) -> str:
    if missing := why_not_measured(record, number):
        return f"**{missing}**"
    entry = record["papers"][number]
    own = entry["record"]
    parts = [entry_line(record, entry)]
    parts.extend(f"**Left out:** {sentence}" for sentence in own.get("left_out", []))
    parts.extend(["### Claims", _claims(paper.claims(own)), "### Tables"])
    for table in paper.tables(own):
        parts.extend(_table(table))
    plots = paper.plots(own)
    if plots:
        parts.append("### Plots")
        parts.extend(f"![{plot.title}](figures/{plot.name}.svg)" for plot in plots)
    return "\n\n".join(parts)


def _claims(claims: Sequence[Claim]) -> str:
    rows = [[*cells, f"**{verdict}**"] for *cells, verdict in map(astuple, claims)]
    return _rows(HEADS, rows, [True] * len(HEADS))


def _table(table: Table) -> list[str]:
    text = [f"{table.title}:", _rows(table.columns, table.rows, table.in_words)]
    return [*text, table.note] if table.note else text


def _rows(columns: Sequence[str], rows: Sequence[Sequence[str]], in_words: Sequence[bool]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = "|" + "".join("---|" if words else "---:|" for words in in_words)
    return "\n".join([line(columns), rule, *(line(row) for row in rows)])
