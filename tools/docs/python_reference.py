"""The reference of the Python package: names and types from its stub, texts from its docstrings."""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from .plain import escaped

_Function = ast.FunctionDef


class UndocumentedError(Exception):
    """A name or a parameter that no docstring mentions."""


@dataclass(frozen=True)
class _Parameter:
    name: str
    kind: str
    annotation: str
    default: str | None

    def __str__(self) -> str:
        default = "" if self.default is None else f" = {self.default}"
        return f"{self.name}: {self.annotation}{default}" if self.annotation else f"{self.name}{default}"


class Reference:
    """The page of one package. `stub` has the types, `package` the texts."""

    def __init__(self, stub: Path, package: ModuleType) -> None:
        self._package = package
        tree = ast.parse(stub.read_text(encoding="utf-8"))
        self._aliases = {
            node.target.id: ast.unparse(node.value).strip("'\"")
            for node in tree.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None
        }
        self._functions: dict[str, list[_Function]] = {}
        self._classes: dict[str, ast.ClassDef] = {}
        for node in tree.body:
            if isinstance(node, _Function):
                self._functions.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.ClassDef):
                self._classes[node.name] = node
        self.missing: list[str] = []

    def page(self, sections: Sequence[tuple[str, Sequence[str]]]) -> str:
        """The page, in these sections. Error: `UndocumentedError` if a name or a parameter has no text."""
        names = [name for _, group in sections for name in group]
        public = [name for name in self._package.__all__ if name != "__version__"]
        self.missing += [f"{name} is in no section" for name in public if name not in names]
        parts = ["# Python reference\n", f"{escaped(_paragraphs(self._package)[0])}\n"]
        for title, group in sections:
            parts.append(f"## {title}\n")
            parts += map(self._entry, group)
        if self.missing:
            raise UndocumentedError("; ".join(self.missing))
        return "\n".join(parts)

    def _entry(self, name: str) -> str:
        value = getattr(self._package, name)
        if name in self._functions:
            return self._callable("function", name, self._functions[name], value)
        if issubclass(value, BaseException):
            return _directive("exception", name, [_text(inspect.getdoc(value) or "", set())])
        # A class of Python's own source is not in the stub.
        body = (self._classes.get(name) or ast.parse(inspect.getsource(value)).body[0]).body  # type: ignore[attr-defined]
        members: dict[str, list[_Function]] = {}
        for node in body:
            if isinstance(node, _Function):
                members.setdefault(node.name, []).append(node)
        new = members.get("__new__") or members.get("__init__")
        parts = [
            self._member(name, member, nodes, getattr(value, member))
            for member, nodes in members.items()
            if not member.startswith("_")
        ]
        if new and name in self._classes:
            return self._callable("class", name, new, value, inner=parts)
        if name not in self._classes:
            parts += _fields(value)
        return _directive("class", name, [_text(inspect.getdoc(value) or "", set()), *parts])

    def _member(self, owner: str, name: str, nodes: list[_Function], value: object) -> str:
        if not _is_decorated(nodes[0], "property"):
            return self._callable("method", name, nodes, value, owner=owner)
        document = inspect.getdoc(value)
        if not document:
            self.missing.append(f"{owner}.{name} has no docstring")
        returns = [f":type: {self._annotation(nodes[0].returns)}"] if owner in self._classes else []
        return _directive("property", name, [_text(document or "", set())], returns)

    def _callable(
        self, kind: str, name: str, nodes: list[_Function], value: object, owner: str = "", inner: Sequence[str] = ()
    ) -> str:
        document = inspect.getdoc(value) or ""
        full = f"{owner}.{name}" if owner else name
        parameters = self._parameters(nodes)
        names = {parameter.name for parameter in parameters}
        context = document + (inspect.getdoc(getattr(self._package, owner)) or "" if owner else "")
        self.missing += [f"{full}: {p}" for p in sorted(names) if not re.search(rf"\b{re.escape(p)}\b", context)]
        if not document:
            self.missing.append(f"{full} has no docstring")
        returns = "" if kind == "class" else f" -> {self._united([node.returns for node in nodes])}"
        options = [":staticmethod:"] if _is_decorated(nodes[0], "staticmethod") else []
        return _directive(kind, f"{name}({_signature(parameters)}){returns}", [_text(document, names), *inner], options)

    def _parameters(self, nodes: list[_Function]) -> list[_Parameter]:
        """Those of all overloads, each with the types of all."""
        found: dict[str, tuple[str, list[ast.expr | None], str | None]] = {}
        for node in nodes:
            args = node.args
            plain = args.posonlyargs + args.args
            defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
            rows = [(arg, "plain", default) for arg, default in zip(plain, defaults, strict=True)]
            rows += [(arg, "keyword", default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
            for arg, kind, default in rows:
                if arg.arg in {"self", "cls"}:
                    continue
                text = None if default is None else ast.unparse(default)
                _, annotations, known = found.get(arg.arg, (kind, [], None))
                found[arg.arg] = (kind, [*annotations, arg.annotation], known if known is not None else text)
        return [
            _Parameter(name, kind, self._united(annotations), default)
            for name, (kind, annotations, default) in found.items()
        ]

    def _annotation(self, node: ast.expr | None) -> str:
        text = "None" if node is None else ast.unparse(node)
        for _ in range(4):
            text = re.sub(r"\b_[A-Z]\w*\b", lambda match: self._aliases.get(match.group(), match.group()), text)
        # A protocol of the stub is named by what it asks for.
        text = re.sub(r"\b_(Arrow\w+)\b", r"Supports\1", text).replace("ReadableBuffer", "Buffer")
        return text.replace("os.PathLike", "PathLike")

    def _united(self, nodes: Sequence[ast.expr | None]) -> str:
        parts: list[str] = []
        for node in nodes:
            parts += [part for part in _alternatives(self._annotation(node)) if part not in parts]
        if "None" in parts:
            parts = [part for part in parts if part != "None"] + ["None"]
        literals = [part for part in parts if part.startswith("Literal[")]
        if len(literals) > 1:
            joined = "Literal[" + ", ".join(part[len("Literal[") : -1] for part in literals) + "]"
            parts = [joined if part == literals[0] else part for part in parts if part not in literals[1:]]
        return " | ".join(parts)


def _is_decorated(node: _Function, name: str) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id == name for decorator in node.decorator_list)


def _fields(value: type) -> Iterator[str]:
    """The fields of a class with their `#:` comments; fields that follow each other share one."""
    comments: dict[str, str] = {}
    comment, fresh = "", True
    for line in inspect.getsource(value).splitlines():
        text = line.strip()
        if text.startswith("#: "):
            comment = text[3:] if fresh else f"{comment} {text[3:]}"
            fresh = False
        elif field := re.match(r"(\w+): ", text):
            comments[field.group(1)] = comment
            fresh = True
    for field_, annotation in getattr(value, "__annotations__", {}).items():
        if not field_.startswith("_"):
            text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
            text = re.sub(r"\bpingala\.\w+\.", "", text)
            yield _directive("attribute", field_, [escaped(comments.get(field_, ""))], [f":type: {text}"])


def _alternatives(annotation: str) -> list[str]:
    """`a | b[c | d]` as [`a`, `b[c | d]`]."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(annotation):
        depth += letter in "[("
        depth -= letter in "])"
        if letter == "|" and depth == 0:
            parts.append(annotation[start:at].strip())
            start = at + 1
    return [*parts, annotation[start:].strip()]


def _signature(parameters: list[_Parameter]) -> str:
    plain = [str(p) for p in parameters if p.kind == "plain"]
    keyword = [str(p) for p in parameters if p.kind == "keyword"]
    return ", ".join(plain + (["*", *keyword] if keyword else []))


def _directive(kind: str, signature: str, body: Sequence[str], options: Sequence[str] = ()) -> str:
    colons = "::::" if kind in {"class", "exception"} else ":::"
    head = "\n".join([f"{colons}{{py:{kind}}} {signature}", *options])
    return f"{head}\n\n" + "\n".join(part for part in body if part) + f"\n{colons}\n"


def _paragraphs(value: object) -> list[str]:
    return (inspect.getdoc(value) or "").split("\n\n")


def _text(document: str, parameters: set[str]) -> str:
    """A docstring: sentences, then what it says of each parameter as a list, then examples."""
    parts: list[str] = []
    names = "|".join(sorted(map(re.escape, parameters), key=len, reverse=True))
    start = re.compile(rf"(?:^|(?<=[.;] ))((?:{names})(?:, (?:{names}))*): ") if parameters else None
    for paragraph in document.split("\n\n"):
        if paragraph.startswith(">>>"):
            parts.append(f"```pycon\n{paragraph}\n```\n")
            continue
        text = " ".join(paragraph.split())
        found = list(start.finditer(text)) if start else []
        head = text[: found[0].start()] if found else text
        if head.strip():
            parts.append(escaped(head.strip()) + "\n")
        for match, follower in zip(found, [*found[1:], None][: len(found)], strict=True):
            body = text[match.end() : follower.start() if follower else None].strip()
            term = ", ".join(f"`{name}`" for name in match.group(1).split(", "))
            parts.append(f"{term}\n: {escaped(body)}\n")
    return "\n".join(parts)
