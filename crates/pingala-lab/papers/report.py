"""The record as Markdown; its plots are files beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from .catalogue import TITLES
from .page import claims_of, entry_line, machine_line, why_not_measured
from .paper import FAILS, HOLDS, OPEN, Claim, Paper, Table


def markdown(record: Mapping[str, Any], papers: Mapping[str, Paper]) -> str:
    parts = [
        "# Five papers, measured again",
        "What five documents claimed about modular exponentiation, beside what this machine shows. `make papers` "
        "measures this; every verdict is computed from the figures.",
        machine_line(record),
        _rows(
            ["paper", HOLDS, FAILS, OPEN],
            [
                [f"[{number} {title}](#{_anchor(number, title)})"]
                + [str([claim.verdict for claim in claims_of(record, papers.get(number))].count(v)) for v in _VERDICTS]
                for number, title in TITLES.items()
            ],
            [True, False, False, False],
        ),
    ]
    for number, title in TITLES.items():
        parts.append(f"## {number} {title}")
        parts.extend(_section(number, record, papers.get(number)))
    return "\n\n".join(parts) + "\n"


_VERDICTS = (HOLDS, FAILS, OPEN)


def _anchor(number: str, title: str) -> str:
    kept = "".join(letter for letter in f"{number} {title}".lower() if letter.isalnum() or letter in " -")
    return kept.replace(" ", "-")


def _section(number: str, record: Mapping[str, Any], paper: Paper | None) -> list[str]:
    parts = [paper.source, paper.summary] if paper else []
    missing = why_not_measured(record, number, paper)
    if missing is not None or paper is None:
        return [*parts, f"**{missing}**"]
    entry = record["papers"][number]
    own = entry["record"]
    parts.append(entry_line(record, entry))
    parts.extend(f"**Left out:** {sentence}" for sentence in own.get("left_out", []))
    parts.extend(["### Claims", _claims(paper.claims(own)), "### Tables"])
    for table in paper.tables(own):
        parts.extend(_table(table))
    plots = paper.plots(own)
    if plots:
        parts.append("### Plots")
        parts.extend(f"![{plot.title}]({plot.name}.svg)" for plot in plots)
    return parts


def _claims(claims: Sequence[Claim]) -> str:
    rows = [[c.where, c.text, c.figure, c.bar, f"**{c.verdict}**"] for c in claims]
    return _rows(["where", "claim", "our figure", "holds if", "verdict"], rows, [True] * 5)


def _table(table: Table) -> list[str]:
    text = [f"{table.title}:", _rows(table.columns, table.rows, table.in_words)]
    return [*text, table.note] if table.note else text


def _rows(columns: Sequence[str], rows: Sequence[Sequence[str]], in_words: Sequence[bool]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = "|" + "".join("---|" if words else "---:|" for words in in_words)
    return "\n".join([line(columns), rule, *(line(row) for row in rows)])
