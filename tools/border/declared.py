"""What the crate of the Python package declares: classes, functions and methods, with parameters and types of Rust.

It reads `functions!`, `methods!`, `truth_value!`, `#[pymethods]` and `#[pyfunction]` of crates/pingala-python/src;
keywords.rs says what the macros mean. Defaults are texts of Python.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from border import TOP, BorderError

CRATE = TOP / "crates/pingala-python/src"

#: Text, characters and comments of Rust.
LITERALS = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//[^\n]*', re.DOTALL)
ITEM = re.compile(r"((?:#\[[^\n]*\]\s*)*)(?:pub )?(?:unsafe )?fn (\w+)(?:<[^(>]*>)?\(")
OPENING, CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class Parameter:
    name: str
    #: Its type in Rust; none for an object of any type.
    type: str | None = None
    #: What it is if it is left out.
    default: str | None = None
    keyword: bool = False


@dataclass(frozen=True)
class Declared:
    name: str
    parameters: tuple[Parameter, ...]
    #: The type of the answer in Rust, without `PyResult`.
    answer: str
    #: "getter", "staticmethod", "new".
    marks: frozenset[str] = frozenset()


@dataclass
class Class:
    name: str
    fields: dict[str, str] = field(default_factory=dict)
    is_truth: bool = False
    methods: list[Declared] = field(default_factory=list)


@dataclass
class Module:
    #: By their names in Rust.
    classes: dict[str, Class]
    functions: dict[str, Declared]
    #: What users see, as the module adds it, then what other modules of the package see, by their names in Python.
    public: list[str]
    private: list[str]


class Text:
    """A source without its comments, and the same where literals cannot be taken for code."""

    def __init__(self, text: str) -> None:
        self.code = re.sub(LITERALS, lambda match: blank(match[0]) if match[0][:2] == "//" else match[0], text)
        self.mask = re.sub(LITERALS, lambda match: blank(match[0]), text)

    def end(self, start: int) -> int:
        """The place of the bracket that closes the one at `start`."""
        depth = 0
        for place in range(start, len(self.mask)):
            depth += (self.mask[place] in OPENING) - (self.mask[place] in CLOSING)
            if depth == 0:
                return place
        raise BorderError("a bracket of crates/pingala-python is not closed")

    def parts(self, start: int, end: int) -> list[str]:
        """What commas separate between two places."""
        found, depth, begin = [], 0, start
        for place in range(start, end):
            character = self.mask[place]
            depth += (character in OPENING + "<") - (character in CLOSING + ">")
            if character == "," and depth == 0:
                found.append(self.code[begin:place])
                begin = place + 1
        return [" ".join(part.split()) for part in [*found, self.code[begin:end]] if part.strip()]


def blank(text: str) -> str:
    return "_" * len(text) if text[0] == '"' else " " * len(text)


def value(text: str) -> str:
    """A default of Rust as Python writes it."""
    return {"true": "True", "false": "False"}.get(text, text.replace("_", "") if text[0].isdigit() else text)


@cache
def keywords() -> dict[str, Parameter]:
    """The lines of `keywords!`: objects, then names with type and default."""
    text = Text((CRATE / "keywords.rs").read_text(encoding="utf-8"))
    start = text.mask.index("keywords! { $") + len("keywords! ")
    objects, _, typed = text.code[start + len("{ $") : text.end(start)].partition(";")
    found = {name: Parameter(name, None, "None") for name in re.findall(r"\w+", objects)}
    for name, kind, default in re.findall(r"(\w+): (.+?) = (.+?),\n", typed):
        found[name] = Parameter(name, kind, value(default))
    return found


def parameter(part: str, keyword: bool) -> Parameter:
    """A parameter of a macro, without attributes."""
    part = re.sub(r"#\[.*?\)\] ", "", part)
    name, _, rest = part.partition(": ")
    if not rest:
        return replace(keywords().get(name, Parameter(name)), keyword=keyword)
    kind, _, default = rest.partition(" = ")
    return Parameter(name, kind, value(default) if default else None, keyword)


def of_macro(parts: list[str]) -> tuple[Parameter, ...]:
    star = parts.index("*") if "*" in parts else len(parts)
    return tuple(parameter(part, place > star) for place, part in enumerate(parts) if part not in ("*", "&this"))


def of_signature(signature: str | None, parts: list[str]) -> tuple[Parameter, ...]:
    """Parameters of a function that is written in full."""
    written = [parameter(part, False) for part in parts if not re.match(r"&self|slf|py: ", part)]
    if signature is None:
        return tuple(written)
    defaults = of_python(signature)
    return tuple(
        replace(one, default=defaults[one.name].default, keyword=defaults[one.name].keyword) for one in written
    )


def of_python(signature: str) -> dict[str, Parameter]:
    """The names and defaults of a signature in Python."""
    literals = re.sub(r"\b(true|false)\b", lambda match: match[0].capitalize(), signature)
    function = ast.parse(f"def f{literals}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    none: list[ast.expr | None] = [None] * (len(given.args) - len(given.defaults))
    pairs = [(one, default, False) for one, default in zip(given.args, [*none, *given.defaults], strict=True)]
    pairs += [(one, default, True) for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return {one.arg: Parameter(one.arg, None, text_of(default), keyword) for one, default, keyword in pairs}


def shown(node: ast.expr) -> str:
    return ast.unparse(node).replace("'", '"')


def text_of(node: ast.expr | None) -> str | None:
    return None if node is None else shown(node)


def answer_of(text: str) -> str:
    kind = re.fullmatch(r"PyResult<(.*)>", text.strip())
    return kind[1] if kind else text.strip() or "()"


def macro_items(text: Text, start: int, end: int) -> Iterator[Declared]:
    """The functions of `functions!`, or those of `methods!` that follow its braces."""
    while item := ITEM.search(text.mask, start, end):
        close = text.end(item.end() - 1)
        head = re.compile(r'\s*(?:as "([^"]*)")? *->\s*(.*?) = \|').match(text.code, close + 1)
        if not head:
            raise BorderError(f"fn {item[2]} of crates/pingala-python has no answer")
        parameters = of_macro(text.parts(item.end(), close))
        if head[1]:
            # What Python reads stands there, as a text.
            told = of_python(re.sub(r"\\\s+", "", head[1]))
            parameters = tuple(replace(one, default=told[one.name].default) for one in parameters)
        yield Declared(item[2], parameters, head[2], marks(item[1]))
        start = text.end(text.mask.index("{", head.end()))


def full_items(text: Text, start: int, end: int) -> Iterator[Declared]:
    """Methods and functions that are written in full."""
    while item := ITEM.search(text.mask, start, end):
        attributes = text.code[item.start(1) : item.end(1)]
        close = text.end(item.end() - 1)
        body = text.mask.index("{", close)
        signature = re.search(r"signature = (\(.*\))\)\]", attributes)
        answer = answer_of(text.code[close + 1 : body].replace("->", "", 1))
        name = re.search(r'name = "(\w+)"', attributes)
        parameters = of_signature(signature[1] if signature else None, text.parts(item.end(), close))
        yield Declared(name[1] if name else item[2], parameters, answer, marks(attributes))
        start = text.end(body)


def marks(attributes: str) -> frozenset[str]:
    return frozenset(re.findall(r"#\[(getter|staticmethod|new)\]", attributes))


def module() -> Module:
    """All that the crate declares."""
    found = Module({}, {}, [], [])
    texts = {path: Text(path.read_text(encoding="utf-8")) for path in sorted(CRATE.rglob("*.rs"))}
    for text in texts.values():
        classes(text, found)
    rust_names: dict[str, str] = {}
    of_files: dict[str, list[str]] = {}
    for path, text in texts.items():
        for head in re.finditer(r"^functions! \{", text.mask, re.MULTILINE):
            items = list(macro_items(text, head.end(), text.end(head.end() - 1)))
            found.functions |= {one.name: one for one in items}
            if not text.code[head.end() :].lstrip().startswith("apart"):
                of_files[module_of(path)] = [one.name for one in items]
        for head in re.finditer(r"^(methods|truth_value)! \{\s*(\w+) \{", text.mask, re.MULTILINE):
            owner, end = found.classes[head[2]], text.end(head.end() - 1)
            owner.is_truth = head[1] == "truth_value"
            owner.methods += full_items(text, head.end(), end)
            owner.methods += macro_items(text, end + 1, text.end(text.mask.index("{", head.start())))
        for head in re.finditer(r"^#\[pymethods\]\nimpl (\w+) \{", text.mask, re.MULTILINE):
            found.classes[head[1]].methods += full_items(text, head.end(), text.end(head.end() - 1))
        for head in re.finditer(r"^#\[pyfunction.*\]\n(?:#\[.*\]\n)*(?:pub )?fn (\w+)", text.mask, re.MULTILINE):
            one = next(full_items(text, head.start(), len(text.mask)))
            found.functions[one.name] = one
            rust_names[head[1]] = one.name
    added(texts[CRATE / "lib.rs"], found, rust_names, of_files)
    return found


def module_of(path: Path) -> str:
    """The path of a file in Rust, as lib.rs has it."""
    parts = path.relative_to(CRATE).with_suffix("").parts
    return "self" if parts == ("lib",) else "::".join(part for part in parts if part != "mod")


def classes(text: Text, found: Module) -> None:
    for head in re.finditer(r"#\[pyclass\(([^\]]*)\)\]\s*(?:#\[[^\n]*\]\s*)*pub struct (\w+) ?([({])", text.code):
        name = re.search(r'name = "(\w+)"', head[1])
        kept = found.classes[head[2]] = Class(name[1] if name else head[2])
        if "get_all" in head[1]:
            body = text.code[head.end() : text.end(head.end() - 1)]
            kept.fields = dict(re.findall(r"(\w+): (\w+),", body))


def added(lib: Text, found: Module, rust_names: dict[str, str], of_files: dict[str, list[str]]) -> None:
    """What lib.rs adds to the module, in its order."""
    listed = re.search(
        r"classes (.*?);\s*files (.*?);\s*functions (.*?);", lib.code[lib.code.index("add! { module:") :], re.DOTALL
    )
    if not listed:
        raise BorderError("crates/pingala-python/src/lib.rs adds nothing")
    last = [re.findall(r"(\w+)(?:,|$)", part) for part in listed.groups()]
    files = re.findall(r"[\w:]+", listed[2])
    if forgotten := of_files.keys() ^ set(files):
        raise BorderError(f"crates/pingala-python/src/lib.rs and `functions!` differ in {', '.join(sorted(forgotten))}")
    # The classes of public keys are made by a macro of their own.
    found.public = [found.classes[name].name if name in found.classes else name for name in last[0]]
    found.public += [name for file in files for name in of_files[file]]
    found.public += [rust_names.get(name, name) for name in last[2]]
    for name, what in re.findall(r'module\.setattr\("(\w+)", (.*?)\)\?;', lib.code):
        found.private.append(name)
        # The macro's functions have the name of Rust, and another one in the module.
        function = re.search(r"wrap_pyfunction!\((?:\w+::)*(\w+)", what)
        if function and name not in found.functions:
            found.functions[name] = replace(found.functions[function[1]], name=name)
