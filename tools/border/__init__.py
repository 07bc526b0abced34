"""The border: what border/*.toml say of every call and option, and what is written from it.

    python -m border           writes every generated file
    python -m border --check   compares them

A module of this folder that has `files(border)` gives texts by their paths from the repository's top;
`sections(border)` gives the text between two marks of a page, by path and name.
"""

import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
DATA = TOP / "border"

BINDINGS = ("python", "rust", "c", "go", "java", "js", "tcl", "command")


class BorderError(Exception):
    """What a description lacks or has too much."""


@dataclass(frozen=True)
class Operand:
    name: str
    kind: str
    #: What stands for it if it is left out; "0" for nothing.
    default: str | None = None


@dataclass(frozen=True)
class Described:
    """A call or an option: its row, and the names that it has in each binding."""

    row: dict[str, object]
    reasons: dict[str, str]

    def text(self, key: str, default: str | None = None) -> str:
        found = self.row.get(key, default)
        if not isinstance(found, str):
            raise BorderError(f"{self.row.get('name')}: {key} is {found!r}, not a text")
        return found

    @property
    def name(self) -> str:
        return self.text("name")

    @property
    def does(self) -> str:
        return self.text("does")

    def names(self, binding: str) -> list[str]:
        """What it is called there; nothing if it does not exist there."""
        if self.absent(binding) is not None:
            return []
        text = self.text(binding)
        return text.split(", ") if binding in ("tcl", "command") else text.split()

    def absent(self, binding: str) -> str | None:
        """Why it does not exist there; none if it does."""
        text = self.text(binding)
        if text.startswith("- "):
            return text[2:]
        if text[:1] == "-" and text[1:] in self.reasons:
            return self.reasons[text[1:]]
        # Options of Tcl and of the command begin with a dash.
        if text[:1] == "-" and binding not in ("tcl", "command"):
            raise BorderError(f"{self.name}: no reason {text[1:]!r}")
        return None


def operands(text: str) -> list[Operand]:
    return [Operand(*part.split(" ", 2)) for part in filter(None, text.split(", "))]


@dataclass(frozen=True)
class Call(Described):
    @property
    def subject(self) -> str:
        return self.text("on", "none")

    @cached_property
    def takes(self) -> list[Operand]:
        return operands(self.text("takes", ""))

    def takes_in(self, binding: str) -> list[Operand]:
        """The operands in one binding."""
        own = self.text(f"{binding}_takes", "")
        return operands(own) if own else self.takes

    @cached_property
    def gives(self) -> tuple[str, str]:
        kind, _, of = self.text("gives").partition(" ")
        return kind, of

    @property
    def options(self) -> list[str]:
        return self.text("options").split()

    def options_in(self, binding: str) -> list[str]:
        """The options in one binding."""
        return self.text(f"{binding}_options", self.text("options")).split()

    @property
    def errors(self) -> list[str]:
        return self.text("errors").split()


@dataclass(frozen=True)
class Border:
    calls: list[Call]
    options: list[Described]
    works: list[tuple[str, list[Call]]] = field(default_factory=list)

    def call(self, name: str) -> Call:
        return next(call for call in self.calls if call.name == name)


def load() -> Border:
    """Reads the description. BorderError for what it lacks."""
    data = tomllib.loads((DATA / "calls.toml").read_text(encoding="utf-8"))
    reasons: dict[str, str] = data["reasons"]
    calls = [Call(row, reasons) for row in data["call"]]
    options = [
        Described(row, reasons) for row in tomllib.loads((DATA / "options.toml").read_text(encoding="utf-8"))["option"]
    ]
    by_name = {call.name: call for call in calls}
    works = [(row["title"], [by_name[name] for name in row["calls"].split()]) for row in data.get("work", [])]
    border = Border(calls, options, works)
    check(border, data["kinds"])
    return border


def check(border: Border, kinds: dict[str, str]) -> None:
    for described in (border.calls, border.options):
        names = [one.name for one in described]
        if twice := {name for name in names if names.count(name) > 1}:
            raise BorderError(f"twice: {', '.join(sorted(twice))}")
    known = {option.name for option in border.options}
    for call in border.calls:
        used = {operand.kind for operand in call.takes}
        for what, unknown in (
            ("kinds of operands", used - set(kinds["operands"].split())),
            ("options", set(call.options) - known),
            ("answers", {call.gives[0]} - set(kinds["answers"].split())),
            ("subjects", {call.subject} - set(kinds["subjects"].split())),
        ):
            if unknown:
                raise BorderError(f"{call.name}: unknown {what}: {', '.join(sorted(unknown))}")
        for binding in BINDINGS:
            call.names(binding)
    listed = [call.name for _, calls in border.works for call in calls]
    if missing := {call.name for call in border.calls} - set(listed):
        raise BorderError(f"in no row of 'Which call': {', '.join(sorted(missing))}")
