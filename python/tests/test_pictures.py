"""Pictures can be read in light and in dark: each has a background, and its text stands out from it and from boxes."""

import importlib
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PICTURES = sorted([*(TOP / "docs").glob("*.svg"), *(TOP / "papers/figures").glob("*.svg")])
# What a browser paints for `Canvas`.
CANVAS = {"light": "#ffffff", "dark": "#121212"}
LEAST_CONTRAST = 4.5
SVG = "{http://www.w3.org/2000/svg}"

Rules = list[tuple[str, dict[str, str]]]


def rules(style: str, theme: str) -> Rules:
    """Selectors with their declarations, in order, as a browser with this theme has them."""
    dark = r"@media \(prefers-color-scheme: ?dark\) ?\{((?:[^{}]*\{[^{}]*\})*)\s*\}"
    base = re.sub(dark, "", style)
    parts = [base, *re.findall(dark, style)] if theme == "dark" else [base]
    found: Rules = []
    for selectors, body in (rule for part in parts for rule in re.findall(r"([^{}]+)\{([^{}]*)\}", part)):
        pairs = (declaration.split(":", 1) for declaration in body.split(";") if ":" in declaration)
        declared = {name.strip(): themed(value.strip(), theme) for name, value in pairs}
        found += [(selector.strip(), declared) for selector in selectors.split(",")]
    return found


def themed(value: str, theme: str) -> str:
    both = re.fullmatch(r"light-dark\((.*), (.*)\)", value)
    return both.group(1 if theme == "light" else 2) if both else value


def fill(element: ElementTree.Element, declared: Rules) -> str | None:
    """The colour of an element, by the selectors that these pictures have: names, classes, and both behind `.plot`."""
    names = {element.tag.removeprefix(SVG), *(f".{name}" for name in element.get("class", "").split())}
    fills = [rule["fill"] for selector, rule in declared if selector.removeprefix(".plot ") in names and "fill" in rule]
    return fills[-1] if fills else element.get("fill")


def text_colours(element: ElementTree.Element, declared: Rules, inherited: str) -> Iterator[str]:
    colour = fill(element, declared) or inherited
    if element.tag in (f"{SVG}text", f"{SVG}tspan"):
        yield colour
    for part in element:
        yield from text_colours(part, declared, colour)


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    parts = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def unreadable(picture: str, theme: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    declared = rules("".join(style.text or "" for style in root.iter(f"{SVG}style")), theme)
    texts = set(text_colours(root, declared, "#000000"))
    # Text on bars stands beside them; boxes are rectangles with a class that is no bar.
    boxes = {fill(box, declared) for box in root.iter(f"{SVG}rect") if "bar" not in box.get("class", "").split()}
    grounds = {CANVAS[theme], *(box for box in boxes if box)}
    faults = [f"{text} on {on}" for text in texts for on in grounds if contrast(text, on) < LEAST_CONTRAST]
    return faults + ([] if re.search(r"background: ?Canvas", picture) else ["no background"])


@pytest.mark.parametrize("theme", list(CANVAS))
@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.relative_to(TOP).as_posix())
def test_text_can_be_read(picture: Path, theme: str) -> None:
    assert unreadable(picture.read_text(encoding="utf-8"), theme) == []


def test_what_cannot_be_read_is_found() -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg"><style>.a { fill: #222 }</style><text class="a">x</text></svg>'
    assert unreadable(picture, "light") == ["no background"]
    assert unreadable(picture, "dark") == ["#222 on #121212", "no background"]
    assert unreadable(picture.replace('class="a"', ""), "dark") == ["#000000 on #121212", "no background"]


def test_pictures_show_the_records_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that a program draws: `PYTHONPATH=tools:. python -m docs.figures` writes them again."""
    monkeypatch.setattr(sys, "path", [str(TOP), str(TOP / "tools"), *sys.path])
    figures = importlib.import_module("docs.figures")
    drawn = figures.drawn(TOP)
    assert len(drawn) >= 7
    assert {name: (TOP / "docs" / name).read_text(encoding="utf-8") for name in drawn} == drawn


def test_a_picture_has_the_figures_of_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(TOP), str(TOP / "tools"), *sys.path])
    figures = importlib.import_module("docs.figures")
    plot = figures._times(TOP, "time-avx512")
    by_name = {series.name: dict(series.points) for series in plot.series}
    record = (TOP / "docs/records/peers.md").read_text(encoding="utf-8")
    assert f"| pingala | {by_name['Pingala'][512]} |" in record
    assert by_name["pow of Python"][16384] == 7163280
    with pytest.raises(ValueError, match="no row 'a peer that is not there'"):
        figures._cells(TOP, figures._PEERS_SHORT, "a peer that is not there")
