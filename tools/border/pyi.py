"""Python: the stub of the compiled module, and the names of the package.

Names, order and defaults come from the declarations of the crate; types from the kinds of operands and answers in
calls.toml, from options.toml, and from border/python.pyi, which has what these do not say.
"""

import ast
import re
from dataclasses import dataclass

from border import DATA, TOP, Border, BorderError, Call, declared
from border.declared import Declared, Parameter, shown, text_of

STUB = "python/pingala/_pingala.pyi"
PACKAGE = "python/pingala/__init__.py"
HAND = DATA / "python.pyi"
HEAD = "# Written by `make border` from border/ and crates/pingala-python/src; do not edit.\n\n"
MARK = "# --- calls\n"
WIDTH = 120

#: Types of operands, of options, and of answers.
OPERANDS = {
    "number": "SupportsIndex",
    "natural": "SupportsIndex",
    "modulus": "SupportsIndex",
    "factored": "SupportsIndex",
    "count": "SupportsIndex",
    "bits": "SupportsIndex",
    "expected": "SupportsIndex",
    "numbers": "Iterable[SupportsIndex]",
    "naturals": "Iterable[SupportsIndex]",
    "lists": "Iterable[Iterable[SupportsIndex]]",
    "either": "_Numbers",
    "moduli": "_Numbers",
    "secret_exponent": "_Secret",
    "secret_exponents": "_Secrets",
    "text": "str",
    "proof": "str",
    "proofs": "Iterable[str]",
    "path": "_Path",
    "rows": "_RowsOrOne",
    "keys": "_PublicKey | Iterable[_PublicKey]",
    "signatures": "Iterable[_Signature]",
    "messages": "Iterable[_Bytes]",
}
OPTIONS = {
    "text": "str",
    "count": "SupportsIndex",
    "bits": "SupportsIndex",
    "bytes": "SupportsIndex",
    "number": "SupportsIndex",
    "seconds": "float",
    "flag": "bool",
    "name": "str",
}
#: What the option `errors` is, by the answer.
ERRORS = {"residues": 'Literal["raise", "return"]', "column": "_RowErrors"}
ANSWERS = {
    "residue": "int",
    "residues": "list[int]",
    "number": "int",
    "list": "list[int]",
    "symbol": "int",
    "symbols": "list[int]",
    "truth": "bool",
    "truths": "list[bool]",
    "primality": "Primality",
    "primalities": "Answers[Primality]",
    "text": "str",
    "plan": "str",
    "explanation": "Explanation",
    "estimate": "tuple[float, float]",
    "defects": "tuple[str, ...]",
    "weaknesses": "tuple[str, ...]",
    "verdicts": "Answers[Verdict]",
    "column": "Column",
}

#: Types of Rust, of parameters and of answers.
SIMPLE = {
    "bool": "bool",
    "f64": "float",
    "&str": "str",
    "String": "str",
    "char": "str",
    "()": "None",
    "PathBuf": "_Path",
}
TEXTS = {"&[u8]": "bytes", "Vec<u8>": "bytes", "Vec<OsString>": "Sequence[str]"}
WHOLE = {"u8", "u16", "u32", "u64", "usize", "i8", "i32", "i64", "isize", "Count"}
OBJECTS = {"PyDict": "dict[str, Any]", "PyByteArray": "bytearray", "PyInt": "int", "PyString": "str"}

#: Methods that every class has in one form, by their answer in Rust.
SPECIAL = {
    "__len__": ("usize", "int"),
    "__index__": ("Bound<'py, PyAny>", "int"),
    "__hash__": ("isize", "int"),
    "__reduce__": ("Bound<'py, PyTuple>", "tuple[Any, ...]"),
}


@dataclass(frozen=True)
class Form:
    """One signature: parameters with types, and the answer."""

    parameters: tuple[tuple[str, str, str | None, bool], ...]
    answer: str


@dataclass(frozen=True)
class Given:
    """A form in border/python.pyi: types and defaults of parameters, None for one that is left out."""

    parameters: dict[str, tuple[str, str | None] | None]
    answer: str | None


def files(border: Border) -> dict[str, str]:
    return {STUB: Stub(border).text()}


def sections(_: Border) -> dict[tuple[str, str], str]:
    """What the package takes from the compiled module, and all of its names."""
    compiled = [*declared.module().public, "__version__"]
    nodes = ast.parse((TOP / PACKAGE).read_text(encoding="utf-8")).body
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module != "_pingala"]
    names = sorted([*compiled, *(name.name for node in imports for name in node.names)])
    # As ruff sorts them: classes, then the rest.
    sorted_names = sorted(compiled, key=lambda name: (not name[0].isupper(), name.lower()))
    taken = "".join(f"    {name},\n" for name in sorted_names)
    listed = "".join(f'    "{name}",\n' for name in names)
    return {
        (PACKAGE, "compiled"): f"from ._pingala import (\n{taken})\n\n",
        (PACKAGE, "names"): f"__all__ = [\n{listed}]\n",
    }


def row_of(border: Border, name: str) -> list[Call]:
    """The rows of a function or method, those first whose call it is."""
    rows = [call for call in border.calls if name in call.names("python")]
    return sorted(rows, key=lambda call: call.names("python")[0] != name)


class Stub:
    def __init__(self, border: Border) -> None:
        self.border = border
        self.module = declared.module()
        self.names = {rust: kept.name for rust, kept in self.module.classes.items()}
        self.head, _, self.calls = HAND.read_text(encoding="utf-8").partition(MARK)
        nodes = ast.parse(self.calls).body
        self.hand = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        self.given: dict[str, list[Given]] = {}
        for owner, body in [("", nodes), *((f"{node.name}.", node.body) for node in self.hand.values())]:
            for node in body:
                if isinstance(node, ast.FunctionDef):
                    self.given.setdefault(owner + node.name, []).append(given(node))
        self.everywhere = self.given.pop("_any_call")[0].parameters
        self.options = {name: option for option in border.options for name in option.names("python")}
        self.used: set[str] = set()

    def text(self) -> str:
        head = self.head[self.head.index("import ") :]
        public = sorted([*self.module.public, "__version__"])
        classes = {kept.name: kept for kept in self.module.classes.values()}
        names = [*self.module.public, *self.module.private]
        blocks = [
            head.replace("\n@type_check_only", f"\n{self.aliases()}\n@type_check_only", 1).rstrip(),
            "",
            "__all__ = [",
            *(f'    "{name}",' for name in public),
            "]",
            "",
            "__version__: Final[str]",
            "",
        ]
        for name in names:
            if name in classes or name in self.hand:
                blocks += [*self.class_(name, classes.get(name)), ""]
        for name in names:
            if name in self.module.functions:
                blocks += self.function(name, self.module.functions[name])
            elif name not in classes and name not in self.hand:
                raise BorderError(f"{name} of Python: crates/pingala-python/src adds it, and does not declare it")
        if unused := set(self.given) - self.used:
            raise BorderError(f"border/python.pyi has what Rust does not declare: {', '.join(sorted(unused))}")
        return HEAD + "\n".join(blocks).rstrip() + "\n"

    def aliases(self) -> str:
        """The types of options that are one of several names."""
        lines = []
        for option in self.border.options:
            if alias := self.alias(option.name):
                names = ", ".join(f'"{name}"' for name in option.text("names").split())
                lines.append(f"{alias}: TypeAlias = Literal[{names}]\n")
        return "".join(lines)

    def alias(self, name: str) -> str | None:
        option = self.options.get(name)
        has_names = option is not None and "names" in option.row and name != "errors"
        return "_" + "".join(part.title() for part in name.split("_")) if has_names else None

    # --- classes

    def class_(self, name: str, kept: declared.Class | None) -> list[str]:
        hand = self.hand.get(name)
        members: dict[str, list[str]] = {}
        described = {}
        if kept:
            described = {"__new__" if "new" in one.marks else one.name: one for one in kept.methods}
            for field, kind in kept.fields.items():
                members[field] = property_(field, self.answer_type(kind) or "Any")
            for member, one in described.items():
                if lines := self.member(name, member, one, set(described)):
                    members[member] = lines
        for node in hand.body if hand else []:
            member = getattr(node, "name", ast.unparse(node))
            if kept and isinstance(node, ast.FunctionDef) and member not in described and not member.startswith("__"):
                raise BorderError(f"border/python.pyi has {name}.{member}, which Rust does not declare")
            self.used.add(f"{name}.{member}")
            members.setdefault(member, [])
            if member not in described or (member.startswith("__") and member != "__new__"):
                members[member] = [*members[member], *self.as_it_is(node)]
        bases = ", ".join(ast.unparse(base) for base in hand.bases) if hand else ""
        bases = bases or ("_Truth" if kept and kept.is_truth else "")
        head = f"class {name}({bases}):" if bases else f"class {name}:"
        body = [line for lines in members.values() for line in lines]
        if not body:
            return ["@final", f"{head} ..."]
        return ["@final", head, *(line and f"    {line}" for line in body)]

    def as_it_is(self, node: ast.stmt) -> list[str]:
        """The lines of what stands in a class by hand."""
        lines = self.calls.split("\n")
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        found = [line[4:] for line in lines[first - 1 : node.end_lineno]]
        return [*found, ""] if isinstance(node, ast.If) else found

    def member(self, owner: str, name: str, one: Declared, all_names: set[str]) -> list[str]:
        full = f"{owner}.{name}"
        if name in SPECIAL:
            rust, kind = SPECIAL[name]
            # What cannot be pickled has another answer.
            return [f"def {name}(self) -> {kind}: ..."] if one.answer == rust else []
        if name == "__eq__" and "__hash__" in all_names:
            return ["def __eq__(self, other: object, /) -> bool: ..."]
        if name.startswith("__") and name != "__new__":
            return []
        if "getter" in one.marks:
            told = self.given.get(full)
            answer = told[0].answer if told else self.answer_type(one.answer)
            if not answer:
                raise BorderError(f"{full}: border/python.pyi has to give the type of this property")
            return property_(name, answer)
        return self.function(full, one, replace_answer={"Self": owner})

    # --- functions

    def function(self, full: str, one: Declared, replace_answer: dict[str, str] | None = None) -> list[str]:
        owner, _, name = full.rpartition(".")
        forms = self.forms(full, one, replace_answer or {})
        this = {"staticmethod": None, "new": "cls"}.get(next(iter(one.marks), ""), "self") if owner else None
        room = WIDTH - (4 if owner else 0)
        lines = []
        for form in forms:
            lines += ["@overload"] if len(forms) > 1 else []
            lines += ["@staticmethod"] if "staticmethod" in one.marks else []
            lines += written(name, this, form, room)
        return lines

    def forms(self, full: str, one: Declared, classes: dict[str, str]) -> list[Form]:
        self.used.add(full)
        rows = row_of(self.border, full)
        found = []
        for told in self.given.get(full, [Given({}, None)]):
            parameters = []
            for parameter in one.parameters:
                own = told.parameters.get(parameter.name, ("", None))
                if own is None:
                    continue
                kind, default = own
                kind = kind or self.type_of(full, parameter, rows)
                default = parameter.default if default == "..." or not own[0] else default
                parameters.append((parameter.name, kind, default, parameter.keyword))
            if unknown := set(told.parameters) - {parameter.name for parameter in one.parameters}:
                raise BorderError(f"{full} has no {', '.join(sorted(unknown))}; border/python.pyi gives it a type")
            answer = told.answer or classes.get(one.answer) or self.answer_type(one.answer)
            if not answer and rows:
                answer = ANSWERS.get(rows[0].gives[0])
            if not answer:
                raise BorderError(f"{full}: neither Rust nor a row nor border/python.pyi gives the type of its answer")
            found += by_errors(Form(tuple(parameters), answer))
        return found

    def type_of(self, full: str, parameter: Parameter, rows: list[Call]) -> str:
        """The type of a parameter, with None if that is what stands for it."""
        name = parameter.name
        told = self.everywhere.get(name)
        operands = [operand.kind for call in rows for operand in call.takes_in("python") if operand.name == name]
        option = self.options.get(name)
        kind = (
            (told and told[0])
            or (operands and OPERANDS.get(operands[0]))
            or self.alias(name)
            or (name == "errors" and rows and ERRORS.get(rows[0].gives[0], ERRORS["residues"]))
            or self.parameter_type(parameter.type or "")
            or (option and OPTIONS.get(option.text("type")))
        )
        if not kind:
            raise BorderError(f"{full}: neither Rust nor a row nor border/python.pyi gives the type of {name}")
        return f"{kind} | None" if parameter.default == "None" and "None" not in kind else kind

    def parameter_type(self, rust: str) -> str | None:
        rust = plain(rust)
        if inner := re.fullmatch(r"Option<(.*)>", rust):
            kind = self.parameter_type(inner[1])
            return kind and f"{kind} | None"
        if rust in WHOLE:
            return "SupportsIndex"
        if rust in SIMPLE or rust in TEXTS:
            return SIMPLE.get(rust) or TEXTS[rust]
        if inner := re.fullmatch(r"Vec<(.*)>", rust):
            kind = self.parameter_type(inner[1])
            return kind and f"Sequence[{kind}]"
        return self.names.get(rust.removeprefix("&"))

    def answer_type(self, rust: str) -> str | None:
        rust = plain(rust)
        if inner := re.fullmatch(r"(?:Bound|Py)<(?:'\w+, )?(\w+)>", rust):
            return OBJECTS.get(inner[1]) or self.names.get(inner[1])
        if inner := re.fullmatch(r"(Option|Vec)<(.*)>", rust):
            kind = self.answer_type(inner[2])
            return kind and (f"{kind} | None" if inner[1] == "Option" else f"list[{kind}]")
        if rust.startswith("(") and rust != "()":
            kinds = [self.answer_type(part) or "Any" for part in rust[1:-1].split(", ")]
            return f"tuple[{', '.join(kinds)}]"
        return "int" if rust in WHOLE else SIMPLE.get(rust) or self.names.get(rust)


def property_(name: str, kind: str) -> list[str]:
    return ["@property", f"def {name}(self) -> {kind}: ..."]


def plain(rust: str) -> str:
    """A type of Rust without lifetimes of references, and without the path of its name."""
    return re.sub(r"\b(?:\w+::)+", "", re.sub(r"&'\w+ ", "&", rust))


def given(node: ast.FunctionDef) -> Given:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    none: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = list(zip(positional, [*none, *arguments.defaults], strict=True))
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    parameters: dict[str, tuple[str, str | None] | None] = {}
    for one, default in pairs:
        if one.annotation is None:
            continue
        kind = shown(one.annotation)
        parameters[one.arg] = None if kind == "..." else (kind, text_of(default))
    return Given(parameters, text_of(node.returns))


def by_errors(form: Form) -> list[Form]:
    """Two forms for a list that raises its errors or returns them."""
    kinds = {name: kind for name, kind, _, _ in form.parameters}
    if form.answer != "list[int]" or kinds.get("errors") != ERRORS["residues"]:
        return [form]

    def with_errors(kind: str, default: str | None, answer: str) -> Form:
        new = ("errors", kind, default, True)
        return Form(tuple(new if one[0] == "errors" else one for one in form.parameters), answer)

    return [
        with_errors('Literal["raise"]', '"raise"', "list[int]"),
        with_errors('Literal["return"]', None, "list[_Element]"),
    ]


def written(name: str, this: str | None, form: Form, room: int) -> list[str]:
    """The lines of a signature, as `ruff format` breaks them."""
    texts = [this] if this else []
    star = False
    for parameter, kind, default, keyword in form.parameters:
        if keyword and not star:
            texts.append("*")
            star = True
        texts.append(f"{parameter}: {kind}" + (f" = {default}" if default is not None else ""))
    one = f"def {name}({', '.join(texts)}) -> {form.answer}: ..."
    if len(one) <= room:
        return [one]
    if 4 + len(", ".join(texts)) <= room:
        return [f"def {name}(", f"    {', '.join(texts)}", f") -> {form.answer}: ..."]
    return [f"def {name}(", *(f"    {text}," for text in texts), f") -> {form.answer}: ..."]
