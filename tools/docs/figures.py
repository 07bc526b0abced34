"""Pictures of the benchmark's records: what a table says, drawn."""

import re
from collections.abc import Sequence
from pathlib import Path

from papers.plots import Bars, Lines, Plot, Series, svg

_CELL = re.compile(r"^([0-9.]+)")


def _rows(text: str) -> list[list[str]]:
    """The cells of a Markdown table."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("*", "") for cell in line.strip("|").split("|")] for line in lines]


class Table:
    """One table of a record: the heads of its columns, and a row of figures for each contender."""

    def __init__(self, text: str, title: str) -> None:
        body = text.partition(f"### {title}\n")[2].partition("\n### ")[0]
        if not body:
            raise ValueError(f"the record has no table '{title}'")
        rows = _rows(body)
        self.columns = rows[0][1:]
        self.rows = {row[0]: [_figure(cell) for cell in row[1:]] for row in rows[2:]}

    def series(self, row: str, name: str) -> Series:
        """The row over the lengths at the heads of the columns."""
        points = [
            (float(column), figure)
            for column, figure in zip(self.columns, self.rows[row], strict=False)
            if column.isdigit() and figure is not None
        ]
        return Series(name, points)


def _figure(cell: str) -> float | None:
    found = _CELL.match(cell)
    return float(found.group(1)) if found else None


def _one_call(text: str) -> Lines:
    table = Table(text, "One call: odd modulus, exponent of the same length")
    shown = [
        ("pingala", "Pingala"),
        ("pingala mulx_r64", "Pingala without AVX-512"),
        ("GMP native", "GMP, native"),
        ("OpenSSL mont", "OpenSSL"),
        ("CPython pow", "Python's pow"),
    ]
    series = [table.series(row, name) for row, name in shown if row in table.rows]
    return Lines(
        name="one-call",
        title="One power: time against length",
        x_label="bits of modulus and exponent",
        y_label="microseconds",
        series=series,
        x_log=True,
        y_log=True,
    )


def _gains(page: str) -> Bars:
    """The first table of README, drawn."""
    body = page.partition("## What it gains")[2]
    rows = _rows(body)
    heads, figures = rows[0][1:], []
    for row in rows[2:]:
        bars = [(h, v) for h, cell in zip(heads, row[1:], strict=False) if (v := _figure(cell)) is not None]
        figures.append((row[0].removeprefix("with AVX-512 IFMA: "), bars))
        if not row[0] or "without" in row[0]:
            break
    return Bars(name="gains", title="Times faster at 2048 bits, one thread", unit="times", groups=figures)


def draw(top: Path, target: Path) -> None:
    """Writes the figures as SVG files."""
    target.mkdir(parents=True, exist_ok=True)
    record = (top / "docs/records/bench-zen5.md").read_text(encoding="utf-8")
    readme = (top / "README.md").read_text(encoding="utf-8")
    plots: Sequence[Plot] = [_one_call(record), _gains(readme)]
    for plot in plots:
        (target / f"{plot.name}.svg").write_text(svg(plot, standalone=True), encoding="utf-8")
