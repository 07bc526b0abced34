"""Expressions and constants of the Rust sources, read once and written for each tool, so that nothing is typed twice.

An expression of Rust becomes one of Python, whose operators have the same order: a cast binds like a power. Evaluated
on terms, it is its own text in Coq, and a number if all its names are.
"""

import operator
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = "crates/pingala-core/src"


class NotUnderstoodError(Exception):
    """The text is not what the reader expects: the lemma that needs it fails."""


# Bits of a word, "bool", "mask", "real", "array", or None of an integer that is not cut.
Kind = int | str | None
#: Text in Coq, what it does to numbers.
OPERATORS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "add": ("{} + {}", operator.add),
    "sub": ("{} - {}", operator.sub),
    "mul": ("{} * {}", operator.mul),
    "lshift": ("{} * 2 ^ {}", operator.lshift),
    "rshift": ("{} / 2 ^ {}", operator.rshift),
    "truediv": ("{} / {}", operator.floordiv),
    "mod": ("{} mod {}", operator.mod),
    "and": ("Z.land {} {}", operator.and_),
    "or": ("Z.lor {} {}", operator.or_),
    "xor": ("Z.lxor {} {}", operator.xor),
    "eq": ("{} =? {}", operator.eq),
    "ge": ("{1} <=? {0}", operator.ge),
    "lt": ("{} <? {}", operator.lt),
}
METHODS: dict[str, tuple[str, Callable[..., int]]] = {
    "div_ceil": ("(({0} + ({1} - 1)) / {1})", lambda a, b: -(-a // b)),
    "next_multiple_of": ("(({0} + ({1} - 1)) / {1} * {1})", lambda a, b: -(-a // b) * b),
    "saturating_sub": ("(Z.max 0 ({} - {}))", lambda a, b: max(0, a - b)),
    "min": ("(Z.min {} {})", min),
    "max": ("(Z.max {} {})", max),
    "to_bits": ("", lambda a: int.from_bytes(struct.pack("<d", float(a)), "little")),
}


class Term:
    """A text in Coq, of what kind it is, and its number if that is known."""

    def __init__(self, text: str, kind: Kind = None, number: int | None = None) -> None:
        self.text, self.kind, self.number = text, kind, number

    def operate(self, name: str, other: "Term") -> "Term":
        """A sum, product or shift of words is cut to their length."""
        kind = other.kind if self.kind is None and not name.endswith("shift") else self.kind
        if not name.endswith("shift") and other.kind not in (None, kind):
            raise NotUnderstoodError(f"{kind} {name} {other.kind}: {self.text}, {other.text}")
        if kind == "mask" and name in ("eq", "ne"):
            differ = f"(xorb {self.text} {other.text})"
            return Term(differ if name == "ne" else f"(negb {differ})", kind)
        if kind == "real" and name == "truediv":
            return Term(f"(d_div set {self.text} {other.text})", kind)
        if name not in OPERATORS or isinstance(kind, str):
            raise NotUnderstoodError(f"{name} of {kind}: {self.text}, {other.text}")
        text, compute = OPERATORS[name]
        text = f"({text.format(self.text, other.text)})"
        if kind is not None and name in ("add", "sub", "mul", "lshift"):
            text = f"(cut {kind} {text})"
        both = self.number is not None and other.number is not None
        number = compute(self.number, other.number) if both else None  # type: ignore[arg-type]
        return Term(text, "bool" if name in ("eq", "ge", "lt") else kind, number)

    def __invert__(self) -> "Term":
        if self.kind == "mask":
            return Term(f"(negb {self.text})", "mask")
        return Term(f"(2 ^ {self.kind} - 1 - {self.text})", self.kind)

    def __pow__(self, cast: Callable[["Term"], "Term"]) -> "Term":
        return cast(self)

    def __call__(self, *given: "Term") -> "Term":
        return Term(f"({self.text} {' '.join(one.text for one in given)})")

    def __getitem__(self, index: "Term") -> "Term":
        return self if self.kind == "mask" else Term(f"(nth (Z.to_nat {index.text}) {self.text} 0)", 64)

    def __getattr__(self, name: str) -> Callable[..., "Term"]:
        """A method of integers, or of the masks of a product."""
        if self.kind == "mask" and name in ("flip", "load"):
            return lambda *other: self.operate("ne", other[0]) if other else self
        if name in ("wrapping_mul", "wrapping_sub"):
            return lambda other: Term(self.text, 64).operate(name.removeprefix("wrapping_"), Term(other.text, 64))
        if name == "wrapping_neg":
            return lambda: Term(f"(cut 64 (- {self.text}))", 64)
        if name not in METHODS:
            raise NotUnderstoodError(f"a method: {name} of {self.text}")
        text, compute = METHODS[name]

        def of(*given: "Term") -> "Term":
            all_ = (self, *given)
            numbers = [term.number for term in all_]
            return Term(
                text.format(*(term.text for term in all_)), self.kind, None if None in numbers else compute(*numbers)
            )

        return of

    def carrying_mul(self, by: "Term", carry: "Term") -> "Carrying":
        return Carrying(f"{self.text} {by.text} {carry.text}")


class Carrying:
    """The halves of a product and a carry; only the upper one is read."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __getitem__(self, half: Term) -> Term:
        if half.number != 1:
            raise NotUnderstoodError(f"a half: {half.text}")
        return Term(f"(high_of {self.text})", 64)


for _name in (*OPERATORS, "ne"):
    setattr(Term, f"__{_name}__", lambda self, other, name=_name: self.operate(name, other))


def double(given: Term) -> Term:
    """Has a number only if that is a double."""
    exact = given.number is None or int(float(given.number)) == given.number
    return given if exact else Term(given.text)


@cache
def literal(text: str, suffix: str) -> Term:
    """An integer that is not cut, whatever its type."""
    if "." in text and float(text) != int(float(text)):
        raise NotUnderstoodError(f"an integer: {text}")
    known = int(float(text)) if "." in text else int(text.replace("_", ""), 0)
    return Term(str(known), None, known)


EXACT: dict[str, object] = {"number": literal, "f64": double}
EXACT |= dict.fromkeys(("u32", "u64", "u128", "usize", "i64", "i128"), lambda given: given)

TO_PYTHON = (
    (r"//[^\n]*", ""),
    (r"\s+", " "),
    (r"::<(\w+)>\(", r"(\1, "),
    (r"\b(u64|u128)::from\(", r"\1("),
    (r"\b[A-Za-z_]\w*::(?=[A-Za-z_])", ""),
    (r"\bas (\w+)", r"** \1"),
    (r"!(?!=)", "~"),
    (r"\bunsafe \{ ([^{}]*) \}", r"(\1)"),
    (r"\bif ([^{}]+?) \{ ([^{}]*) \} else \{ ([^{}]*) \}", r"choose(\1, \2, \3)"),
    (r"\b(from|and|mod|in)\b", r"\1_"),
    (r"\bself\.0\b", "ops"),
    (r"\)\.(\d)\b", r")[\1]"),
    (r"(?<![\w.])(0x[0-9a-fA-F_]+|\d[\d_]*(?:\.\d+)?)(u\d+|usize|i\d+|f64)?\b", r"number('\1', '\2')"),
)


@cache
def to_python(text: str) -> CodeType:
    changed = text
    for pattern, instead in TO_PYTHON:
        changed = re.sub(pattern, instead, changed)
    try:
        return compile(changed.strip(), text, "eval")
    except SyntaxError as error:
        raise NotUnderstoodError(f"an expression: {text[:80]!r}") from error


class Names(dict[str, object]):
    """Names of an expression; others are Coq's."""

    def __missing__(self, name: str) -> Term:
        return Term(name)


def evaluate(text: str, names: dict[str, object]) -> object:
    try:
        return eval(to_python(text), {"__builtins__": {}}, names)
    except (AttributeError, KeyError, NameError, TypeError) as error:
        raise NotUnderstoodError(f"an expression: {text[:80]!r}: {error}") from error


def term(text: str, names: Mapping[str, object]) -> Term:
    found = evaluate(text, Names({**EXACT, **names}))
    if not isinstance(found, Term):
        raise NotUnderstoodError(f"a number: {text}")
    return found


def to_coq(text: str, names: Mapping[str, str]) -> str:
    """The expression on Z, with these names for its own. A shift is a product by a power of two, or a quotient."""
    return term(text, {name: Term(of) for name, of in names.items()}).text


def value(text: str, names: Mapping[str, int] | None = None) -> int:
    """The number that the expression is; doubles must be integers that are doubles."""
    found = term(text, {name: Term(str(known), None, known) for name, known in (names or {}).items()})
    if found.number is None:
        raise NotUnderstoodError(f"a number: {text}")
    return found.number


def split(text: str, at: str) -> Iterator[str]:
    """The pieces between separators that stand in no bracket."""
    depth, piece = 0, ""
    for letter in text:
        if letter == at and not depth:
            yield piece
            piece = ""
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        piece += letter
    yield piece


@dataclass(frozen=True)
class Sources:
    """The library's sources: those of the repository, or a copy with an error planted."""

    root: Path = ROOT

    def text(self, file: str) -> str:
        path = self.root / LIBRARY / file
        if not path.is_file():
            raise NotUnderstoodError(f"there is no {LIBRARY}/{file}")
        return path.read_text(encoding="utf-8")

    def one(self, file: str, pattern: str) -> str:
        """What the group of a pattern matches, which is at one place of the file."""
        found = re.findall(pattern, self.text(file), re.DOTALL)
        if len(found) != 1:
            raise NotUnderstoodError(f"one place in {LIBRARY}/{file} for {pattern!r}, found {len(found)}")
        return str(found[0])

    def constant(self, file: str, name: str) -> str:
        """The expression of a constant."""
        return self.one(file, rf"const {name}: [^=]+ = ([^;]+);")

    def body(self, file: str, signature: str) -> str:
        """The expression that a function of this head is."""
        return self.one(file, signature + r" \{\s*([^{};]+?)\s*\}")
