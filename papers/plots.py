"""Lines and bars as SVG, drawn here so that a page needs nothing else.

Colours are CSS classes: `STYLE` gives them for light and dark. An image is `WIDTH` units wide, so that its text can
still be read where a phone shows it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

WIDTH = 400
_LEFT, _RIGHT, _FOOT = 50, 16, 44
_PLOT_HEIGHT = 250
_LETTER = 7.3

_LIGHT = ("#1f5fa6", "#b3450c", "#2b7a3d", "#7b3f9e", "#857000", "#b0264f", "#0f7d78", "#5a5a5a")
_DARK = ("#74b3f7", "#f29c5f", "#78ca8a", "#c79df2", "#dfc35a", "#f386a3", "#61d0cb", "#b9b9b9")


def _palette(colours: Sequence[str], ink: str, grid: str) -> str:
    series = "".join(f".p{i}{{stroke:{c};fill:{c}}}" for i, c in enumerate(colours))
    return f".plot text{{fill:{ink}}}.plot .axis{{stroke:{ink}}}.plot .grid{{stroke:{grid}}}{series}"


STYLE = (
    ".plot{font:13px system-ui,sans-serif}.plot .line{fill:none;stroke-width:2}.plot .axis,.plot .grid{stroke-width:1}"
    ".plot .mark{stroke-dasharray:3 4}.plot .bar{stroke:none}"
    + _palette(_LIGHT, "#222", "#ddd")
    + "@media (prefers-color-scheme:dark){"
    + _palette(_DARK, "#ddd", "#3a3a3a")
    + "}.plot .line{fill:none}"
)

_DASHES = ("", "7 3", "2 3", "9 3 2 3")


@dataclass(frozen=True)
class Series:
    """Points, joined by a line."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Lines:
    """Curves over one axis; `marks` are vertical lines with a label, such as crossovers.

    `x_ticks` are values with their labels, for an axis that ends where the points end; without them decades are marked.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    x_log: bool = False
    y_log: bool = False
    marks: Sequence[tuple[float, str]] = ()
    x_ticks: Sequence[tuple[float, str]] = ()


@dataclass(frozen=True)
class Bars:
    """Groups of horizontal bars; all bars of one name have one colour."""

    name: str
    title: str
    unit: str
    groups: Sequence[tuple[str, Sequence[tuple[str, float]]]]
    log: bool = False


Plot = Lines | Bars


def svg(plot: Plot, standalone: bool = False) -> str:
    """The image; `standalone` brings its own style."""
    body, height = _lines(plot) if isinstance(plot, Lines) else _bars(plot)
    style = f"<style>svg{{background:Canvas;color-scheme:light dark}}{STYLE}</style>" if standalone else ""
    title = escape(plot.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{title}"><title>{title}</title>{style}{"".join(body)}</svg>'
    )


def short(value: float) -> str:
    """A tick's label: 1,000 as 1k."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size * 0.9999:
            return f"{value / size:.4g}{letter}"
    return f"{value:.3g}"


class _Scale:
    """Values to units along one axis, and where its ticks are."""

    def __init__(
        self,
        values: Sequence[float],
        start: float,
        end: float,
        log: bool,
        from_zero: bool = False,
        ticks: Sequence[float] = (),
    ) -> None:
        low, high = min(values), max(values)
        if ticks:
            self.ticks = list(ticks)
        elif log:
            low, high = max(low, 1e-12), max(high, 1e-12)
            self.ticks = self._decades(low, high)
            low, high = min(low, self.ticks[0]), max(high, self.ticks[-1])
        else:
            low = 0.0 if from_zero else low
            self.ticks = self._steps(low, high if high > low else low + 1)
            low, high = min(low, self.ticks[0]), max(high, self.ticks[-1])
        self.log, self.low, self.high, self.start, self.end = log, low, high, start, end

    def at(self, value: float) -> float:
        if self.log:
            part = math.log(max(value, 1e-12) / self.low) / (math.log(self.high / self.low) or 1.0)
        else:
            part = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.start + part * (self.end - self.start)

    @staticmethod
    def _decades(low: float, high: float) -> list[float]:
        first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
        if last - first > 2:
            step = 1 + (last - first) // 7
            return [10.0**power for power in range(first, last + step, step)]
        ticks = [digit * 10.0**power for power in range(first, last + 1) for digit in (1, 2, 5)]
        above = [tick for tick in ticks if tick >= high * 0.999][:1]
        below = [tick for tick in ticks if tick <= low * 1.001][-1:]
        return sorted({*below, *above, *(tick for tick in ticks if low < tick < high)}) or [low]

    @staticmethod
    def _steps(low: float, high: float) -> list[float]:
        raw = (high - low) / 5
        size = 10.0 ** math.floor(math.log10(raw))
        step = next(size * digit for digit in (1, 2, 5, 10) if size * digit >= raw * 0.999)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        return [i * step for i in range(first, last + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _dot(x: float, y: float, index: int) -> str:
    shapes = (
        f"M{x - 3:.1f} {y:.1f}a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
        f"M{x - 3:.1f} {y - 3:.1f}h6v6h-6z",
        f"M{x:.1f} {y - 4:.1f}l4 7h-8z",
        f"M{x:.1f} {y - 4:.1f}l4 4l-4 4l-4-4z",
    )
    return f'<path d="{shapes[index % 4]}" class="p{index % 8}"/>'


def _legend(names: Sequence[str], squares: bool) -> tuple[list[str], float]:
    """Names with their colours, from the top, in rows that are filled one after the other."""
    body, x, y = [], 8.0, 14.0
    for index, name in enumerate(names):
        width = 30 + _LETTER * len(name)
        if x > 8 and x + width > WIDTH:
            x, y = 8.0, y + 18
        if squares:
            body.append(f'<rect x="{x:.1f}" y="{y - 10:.1f}" width="12" height="10" class="bar p{index % 8}"/>')
        else:
            body.append(_dot(x + 6, y - 4, index))
        body.append(_text(x + 17, y, name))
        x += width
    return body, y + 10


def _lines(plot: Lines) -> tuple[list[str], float]:
    body, top = _legend([series.name for series in plot.series], squares=False)
    top += 28
    bottom = top + _PLOT_HEIGHT
    points = [point for series in plot.series for point in series.points]
    labels = dict(plot.x_ticks)
    # With labels of its own the axis leaves room for half of the last one.
    end = WIDTH - _RIGHT - (10 if labels else 0)
    x = _Scale([p[0] for p in points], _LEFT + (10 if labels else 0), end, plot.x_log, ticks=list(labels))
    y = _Scale([p[1] for p in points], bottom, top, plot.y_log)
    body.append(_text(8, top - 14, plot.y_label))
    for tick in y.ticks:
        body.append(_line(_LEFT, y.at(tick), WIDTH - _RIGHT, y.at(tick), "grid"))
        body.append(_text(_LEFT - 6, y.at(tick) + 4, short(tick), "end"))
    for tick in x.ticks:
        if x.start - 1 <= x.at(tick) <= x.end + 1:
            body.append(_line(x.at(tick), bottom, x.at(tick), bottom + 4, "axis"))
            body.append(_text(x.at(tick), bottom + 18, labels.get(tick, short(tick)), "middle"))
    body.append(_line(_LEFT, bottom, WIDTH - _RIGHT, bottom, "axis"))
    body.append(_text((_LEFT + WIDTH - _RIGHT) / 2, bottom + 36, plot.x_label, "middle"))
    for number, (value, label) in enumerate(plot.marks):
        at = x.at(value)
        body.append(_line(at, top, at, bottom, "axis mark"))
        end = at > WIDTH - 120
        body.append(_text(at - 4 if end else at + 4, top + 12 + 16 * (number % 4), label, "end" if end else "start"))
    for index, series in enumerate(plot.series):
        spots = [(x.at(a), y.at(b)) for a, b in series.points]
        if len(spots) > 1:
            dash = _DASHES[index // 8 % 4]
            path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in spots)
            body.append(f'<path d="{path}" class="line p{index % 8}" stroke-dasharray="{dash}"/>')
        if len(spots) <= 40:
            body.extend(_dot(a, b, index) for a, b in spots)
    return body, bottom + _FOOT


def _bars(plot: Bars) -> tuple[list[str], float]:
    names = list(dict.fromkeys(name for _, bars in plot.groups for name, _ in bars))
    body, y = _legend(names, squares=True)
    values = [value for _, bars in plot.groups for _, value in bars]
    low = min(values) / 2 if plot.log else 0.0
    scale = _Scale([low, *values], 8, WIDTH - 78, plot.log, from_zero=True)
    y += 6
    for label, bars in plot.groups:
        for part in wrap(label, int((WIDTH - 16) / _LETTER)):
            y += 16
            body.append(_text(8, y, part))
        y += 6
        for name, value in bars:
            width = max(scale.at(value) - 8, 1.0)
            body.append(
                f'<rect x="8" y="{y:.1f}" width="{width:.1f}" height="13" class="bar p{names.index(name) % 8}">'
                f"<title>{escape(name)}</title></rect>"
            )
            body.append(_text(8 + width + 5, y + 11, f"{value:.3g}" if value < 1000 else short(value)))
            y += 16
        y += 4
    scale_text = ", logarithmic" if plot.log else ""
    body.append(_text(WIDTH - 8, y + 16, f"{plot.unit}{scale_text}", "end"))
    return body, y + 26
