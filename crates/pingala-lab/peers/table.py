"""Tables of contenders that do the same work."""

import sys
from collections.abc import Callable
from typing import Any

from peers.clock import lower_quartiles


class Table:
    """Rows of contenders that do the same work; the first one of a row is what the others are measured by."""

    def __init__(self, title: str, rounds: int) -> None:
        self.title = title
        self.rounds = rounds
        self.rows: list[dict[str, Any]] = []

    def row(
        self,
        label: str,
        contenders: dict[str, Callable[[], float]],
        bar: float | None = None,
        rounds: int | None = None,
    ) -> None:
        """Times each contender once a round; the last one is ours, the first the peer of the bar."""
        figures = lower_quartiles(contenders, rounds or self.rounds)
        names = list(figures)
        ratio = figures[names[0]] / figures[names[-1]]
        self.rows.append({"label": label, "nanoseconds": figures, "ratio": ratio, "bar": bar})
        shown = ", ".join(f"{name} {figure / 1e6:.4g} ms" for name, figure in figures.items())
        bar_text = f" (bar {bar:.3g})" if bar else ""
        print(f"{self.title}, {label}: {shown}; ratio {ratio:.3g}{bar_text}", file=sys.stderr, flush=True)

    def markdown(self) -> str:
        names = list(dict.fromkeys(name for row in self.rows for name in row["nanoseconds"]))
        lines = [
            f"### {self.title}",
            "",
            "Milliseconds, lower quartile; the ratio is of the first peer to the last.",
            "",
        ]
        lines.append("| | " + " | ".join(names) + " | ratio | bar |")
        lines.append("|---|" + "---:|" * (len(names) + 2))
        for row in self.rows:
            cells = [milliseconds(row["nanoseconds"].get(name)) for name in names]
            bar = f"{row['bar']:.3g}" if row["bar"] else ""
            lines.append(f"| {row['label']} | {' | '.join(cells)} | {row['ratio']:.3g} | {bar} |")
        return "\n".join(lines) + "\n"


def milliseconds(nanoseconds: float | None) -> str:
    """Four digits, or all before the point."""
    if nanoseconds is None:
        return "-"
    figure = nanoseconds / 1e6
    return f"{figure:.0f}" if figure >= 1e4 else f"{figure:.4g}"


def equal(ours: Any, theirs: Any, what: str) -> None:
    if ours != theirs:
        raise SystemExit(f"answers differ: {what}")
