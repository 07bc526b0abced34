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


def _times(name: str, title: str, table: Table, shown: Sequence[tuple[str, str]]) -> Lines:
    """Time against length; rows that the record does not have are left out."""
    return Lines(
        name=name,
        title=title,
        x_label="bits of modulus and exponent",
        y_label="microseconds",
        series=[table.series(row, label) for row, label in shown if row in table.rows],
        x_log=True,
        y_log=True,
    )


def _one_call(text: str) -> Lines:
    table = Table(text, "One call: odd modulus, exponent of the same length")
    shown = [
        ("pingala", "Pingala"),
        ("pingala mulx_r64", "Pingala without AVX-512"),
        ("GMP native", "GMP, native"),
        ("OpenSSL mont", "OpenSSL"),
        ("CPython pow", "Python's pow"),
    ]
    return _times("one-call", "One power: time against length", table, shown)


def _list(text: str) -> Lines:
    table = Table(text, "A list of different odd moduli, bases, exponents: one thread")
    shown = [
        ("pingala", "Pingala"),
        ("pingala avxifma_lanes_r52", "Pingala with AVX-IFMA, no AVX-512"),
        ("pingala mulx_r64", "Pingala without vectors"),
        ("GMP native", "GMP, native"),
        ("OpenSSL consttime_x2", "OpenSSL"),
        ("gmpy2", "gmpy2"),
    ]
    return _times("list", "A list of powers: time of one of them against length", table, shown)


# Rows of the record of workloads, by peer: how each begins, and what the picture calls it.
_WORKLOADS = {
    "gmpy2": {
        "powmod_exp_list, 1,000 exponents": "1,000 exponents of one base",
        "powmod_base_list, 256 bases": "256 bases with one exponent",
        "16 powers, exponents of 2048 bits": "a product of 16 powers",
        "1024 powers, exponents of 256 bits": "a product of 1,024 powers, exponents of 256 bits",
        "a list of 256": "256 powers of a fixed base",
        "a list, 256 KiB": "ElectionGuard: 24 powers of its generator",
        "1,000 members": "an accumulator's 1,000 witnesses",
    },
    "native GMP": {
        "two primes of 1024 bits": "a power by known factors",
        "p^2 q^2, primes of 512 bits (Paillier)": "a power of Paillier's by known factors",
        "t = 100,000": "100,000 squarings one after the other",
    },
    "the Go package multiexp": {
        "4 exponents of 20,000 bits": "4 exponents of 20,000 bits",
        "1 exponent of 20,000 bits, tables of 6.0 MiB": "an exponent of 20,000 bits by a table",
    },
}


def _workloads(text: str) -> Bars:
    """How many times faster than its peer each workload is, of the record's first machine."""
    first = text.partition("## The same on another CPU")[0]
    groups = []
    for peer, rows in _WORKLOADS.items():
        for start, name in rows.items():
            groups.append((name, [(f"than {peer}", _ratio(first, start))]))
    return Bars(name="workloads-gains", title="Workloads: times faster, one thread", unit="times faster", groups=groups)


def _ratio(text: str, start: str) -> float:
    """The column `ratio` of the first row that begins so. Error: the record has no such row."""
    heads: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            heads = []
        elif not heads:
            heads = cells
        elif cells[0].startswith(start) and "ratio" in heads:
            return float(cells[heads.index("ratio")])
    raise ValueError(f"the record has no row '{start}' with a ratio")


def _gains(page: str) -> Bars:
    """The first table of README, drawn."""
    rows = _rows("|" + page.partition("## What it gains")[2].partition("\n|")[2].partition("\n\n")[0])
    heads, figures = rows[0][1:], []
    for row in rows[2:]:
        bars = [(h, v) for h, cell in zip(heads, row[1:], strict=False) if (v := _figure(cell)) is not None]
        figures.append((row[0].partition(", ")[0], bars))
    return Bars(
        name="gains", title="Times faster at 2048 bits, one thread", unit="times faster at 2048 bits", groups=figures
    )


def draw(top: Path, target: Path) -> None:
    """Writes the figures as SVG files."""
    target.mkdir(parents=True, exist_ok=True)
    record = (top / "docs/records/bench-zen5.md").read_text(encoding="utf-8")
    readme = (top / "README.md").read_text(encoding="utf-8")
    workloads = (top / "docs/records/workloads.md").read_text(encoding="utf-8")
    plots: Sequence[Plot] = [_one_call(record), _list(record), _workloads(workloads), _gains(readme)]
    for plot in plots:
        (target / f"{plot.name}.svg").write_text(svg(plot, standalone=True), encoding="utf-8")
