"""Expressions and constants of the Rust sources: read once, printed for each tool, so that nothing is typed twice."""

import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = "crates/pingala-core/src"

TOKEN = re.compile(
    r"\s*(?:(0x[0-9a-fA-F_]+|\d[\d_]*(?:\.\d+)?)(?:u\d+|usize|i\d+|f64)?|([A-Za-z_][\w]*(?:::[A-Za-z_]\w*)*)|(<<|>>|==|!=|<=|>=|[-+*/%&|^()<>,.!]))"
)
LEVELS = (("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))


class NotUnderstoodError(Exception):
    """The text is not what the reader expects: the lemma that needs it fails."""


@dataclass(frozen=True)
class Expression:
    """A number, a name, or an operation on expressions."""

    kind: str
    text: str = ""
    parts: tuple["Expression", ...] = ()


def tokens(text: str) -> Iterator[str]:
    at = 0
    text = re.sub(r"//.*", "", text).strip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise NotUnderstoodError(f"an expression: {text[at : at + 40]!r}")
        at = found.end()
        yield found[1] or found[2] or found[3]


class Parser:
    """Reads Rust's expressions on integers: operators, calls of methods, casts."""

    def __init__(self, text: str) -> None:
        self.tokens = [*tokens(text), ""]
        self.at = 0

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self) -> str:
        return self.tokens[self.at]

    def take(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def whole(self) -> Expression:
        result = self.binary(0)
        if self.peek():
            raise NotUnderstoodError(f"the end of an expression: {' '.join(self.tokens[self.at :])}")
        return result

    def binary(self, level: int) -> Expression:
        if level == len(LEVELS):
            return self.cast()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            operator = self.next()
            left = Expression("operator", operator, (left, self.binary(level + 1)))
        return left

    def cast(self) -> Expression:
        value = self.postfix()
        while self.take("as"):
            kind = self.next()
            if kind == "f64":
                value = Expression("double", "", (value,))
        return value

    def postfix(self) -> Expression:
        if self.take("("):
            value = self.binary(0)
            if not self.take(")"):
                raise NotUnderstoodError(f"a parenthesis: {self.tokens}")
        else:
            token = self.next()
            if re.match(r"\d", token):
                value = Expression("number", str(int(float(token)) if "." in token else int(token.replace("_", ""), 0)))
                if "." in token and float(token) != int(float(token)):
                    value = Expression("real", token)
            elif re.match(r"[A-Za-z_]", token):
                name = token.rpartition("::")[2]
                value = Expression("name", name)
                if self.take("("):
                    value = Expression("call", name, self.arguments())
            else:
                raise NotUnderstoodError(f"an operand: {token!r} in {' '.join(self.tokens)}")
        while self.take("."):
            name = self.next()
            if self.take("("):
                value = Expression("method", name, (value, *self.arguments()))
            else:
                value = Expression("name", f"{value.text}.{name}")
        return value

    def arguments(self) -> tuple[Expression, ...]:
        found: list[Expression] = []
        while not self.take(")"):
            found.append(self.binary(0))
            self.take(",")
        return tuple(found)


def parse(text: str) -> Expression:
    return Parser(text).whole()


# What the methods of integers do, in each language: its text from the texts of the arguments.
COQ_METHODS: dict[str, Callable[..., str]] = {
    "div_ceil": lambda a, b: f"(({a} + ({b} - 1)) / {b})",
    "next_multiple_of": lambda a, b: f"(({a} + ({b} - 1)) / {b} * {b})",
    "saturating_sub": lambda a, b: f"(Z.max 0 ({a} - {b}))",
    "min": lambda a, b: f"(Z.min {a} {b})",
    "max": lambda a, b: f"(Z.max {a} {b})",
}


def to_coq(expression: Expression, names: Mapping[str, str]) -> str:
    """The expression on Z, with these names for its own. A shift is a product by a power of two, or a quotient."""
    parts = [to_coq(part, names) for part in expression.parts]
    match expression.kind:
        case "number":
            return expression.text
        case "name":
            return names.get(expression.text, expression.text)
        case "double":
            return parts[0]
        case "call":
            return f"({names.get(expression.text, expression.text)} {' '.join(parts)})"
        case "method" if expression.text in COQ_METHODS:
            return COQ_METHODS[expression.text](*parts)
        case "operator" if expression.text in "+-*/":
            return f"({parts[0]} {expression.text} {parts[1]})"
        case "operator" if expression.text == "%":
            return f"({parts[0]} mod {parts[1]})"
        case "operator" if expression.text in ("<<", ">>"):
            return f"({parts[0]} {'*' if expression.text == '<<' else '/'} 2 ^ {parts[1]})"
        case "operator" if expression.text == "|":
            return f"(Z.lor {parts[0]} {parts[1]})"
    raise NotUnderstoodError(f"an expression for Coq: {expression}")


PYTHON_METHODS: dict[str, Callable[..., int]] = {
    "div_ceil": lambda a, b: -(-a // b),
    "next_multiple_of": lambda a, b: -(-a // b) * b,
    "saturating_sub": lambda a, b: max(0, a - b),
    "min": min,
    "max": max,
    "to_bits": lambda a: int.from_bytes(struct.pack("<d", float(a)), "little"),
}


def value(expression: Expression, names: Mapping[str, int] | None = None) -> int:
    """The number that the expression is; doubles must be integers that are doubles."""
    parts = [value(part, names) for part in expression.parts]
    match expression.kind:
        case "number":
            return int(expression.text)
        case "real":
            numerator, denominator = float(expression.text).as_integer_ratio()
            raise NotUnderstoodError(f"an integer: {numerator}/{denominator}")
        case "name" if names is not None and expression.text in names:
            return names[expression.text]
        case "double":
            if int(float(parts[0])) != parts[0]:
                raise NotUnderstoodError(f"{parts[0]} is no double")
            return parts[0]
        case "method" if expression.text in PYTHON_METHODS:
            return PYTHON_METHODS[expression.text](*parts)
        case "operator":
            a, b = parts
            operations: dict[str, Callable[[int, int], int]] = {
                "+": lambda a, b: a + b,
                "-": lambda a, b: a - b,
                "*": lambda a, b: a * b,
                "/": lambda a, b: a // b,
                "%": lambda a, b: a % b,
                "<<": lambda a, b: a << b,
                ">>": lambda a, b: a >> b,
                "|": lambda a, b: a | b,
                "&": lambda a, b: a & b,
                "^": lambda a, b: a ^ b,
            }
            return operations[expression.text](a, b)
    raise NotUnderstoodError(f"a number: {expression}")


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

    def constant(self, file: str, name: str) -> Expression:
        """The expression of a constant."""
        return parse(self.one(file, rf"const {name}: [^=]+ = ([^;]+);"))

    def body(self, file: str, signature: str) -> Expression:
        """The expression that a function of this head is."""
        return parse(self.one(file, signature + r" \{\s*([^{};]+?)\s*\}"))
