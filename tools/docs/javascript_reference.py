"""The reference of the JavaScript package: names, types and texts of its declarations, js/index.d.ts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .plain import escaped

#: Longest line of a signature.
_WIDTH = 84


class UndeclaredError(Exception):
    """A name without a text, or in no section."""


@dataclass
class _Item:
    """A declaration: its kind and name, its text without `export`, the comment before it, and what it has inside."""

    kind: str
    name: str
    text: str
    comment: str
    members: list["_Item"] = field(default_factory=list)


_TOP = re.compile(r"export (function|class|interface|type) (\w+)")
_MEMBER = re.compile(r"(?:(private|static|readonly) )*(\w+)")


def _comment(lines: list[str]) -> str:
    text = "\n".join(lines).strip().removeprefix("/**").removesuffix("*/")
    return " ".join(re.sub(r"^\s*\* ?", "", line).strip() for line in text.splitlines()).strip()


def _depth(text: str) -> int:
    return sum((letter in "([{") - (letter in ")]}") for letter in text)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The declarations among lines of one indentation, each with the comment before it."""
    comment: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("/**"):
            end = next(index for index in range(at, len(lines)) if "*/" in lines[index])
            comment, at = list(lines[at : end + 1]), end + 1
        elif not line.strip() or line.startswith("//"):
            at += 1
        else:
            end, depth = at, _depth(line)
            # A type whose alternatives stand on the next lines begins with `=` at the end of a line.
            while depth > 0 or (end + 1 < len(lines) and lines[end + 1].startswith("  |")):
                end += 1
                depth += _depth(lines[end])
            yield _comment(comment), list(lines[at : end + 1])
            comment, at = [], end + 1


def declarations(source: str) -> list[_Item]:
    """What a file of declarations exports, in its order. Functions of several forms are several items."""
    found = []
    for comment, lines in _blocks(source.splitlines()):
        match = _TOP.match(lines[0])
        if match is None:
            continue
        kind, name = match.groups()
        item = _Item(kind, name, " ".join(line.strip() for line in lines).removeprefix("export "), comment)
        if kind in {"class", "interface"}:
            inside = [line.removeprefix("  ") for line in lines[1:-1]]
            item.text = item.text.partition("{")[0].strip()
            for text, body in _blocks(inside):
                joined = " ".join(line.strip() for line in body)
                member = _MEMBER.match(joined)
                if member is not None and not joined.startswith("private"):
                    head = "attribute" if re.match(r"(readonly )?\w+\??:", joined) else "method"
                    item.members.append(_Item(head, member.group(2), joined, text))
        found.append(item)
    return found


def _plain(text: str) -> str:
    """A signature as a reader wants it: the options of a call by their names."""

    def options(match: re.Match[str]) -> str:
        names = re.findall(r"'(\w+)'", match.group(1))
        return "{ " + ", ".join(f"{name}?" for name in names) + " }"

    return re.sub(r"Pick<AllOptions, ([^<>]*)>", options, text)


def _split(text: str) -> tuple[str, list[str], str]:
    """What stands before the arguments of a call, the arguments, and what stands behind; else no arguments."""
    depth, begin, start, parts = 0, None, 0, []
    for at, letter in enumerate(text):
        if letter in "([{<":
            depth += 1
            if letter == "(" and depth == 1 and begin is None:
                begin, start = at, at + 1
        elif letter in ")]}" or (letter == ">" and text[at - 1] != "="):
            depth -= 1
        if begin is not None and (depth == 0 or (letter == "," and depth == 1)):
            parts.append(text[start:at].strip())
            if depth == 0:
                return text[:begin], [part for part in parts if part], text[at + 1 :]
            start = at + 1
    return text, [], ""


def _signature(text: str) -> str:
    """A signature, one argument a line if it is long."""
    text = _plain(text)
    head, parts, tail = _split(text)
    if not parts:
        return text
    line = f"{head}({', '.join(parts)}){tail}"
    return line if len(line) <= _WIDTH else f"{head}(\n  " + ",\n  ".join(parts) + f"\n){tail}"


def _arguments(text: str) -> str:
    """The arguments of a call by their names, as the domain of JavaScript has them."""
    matches = [re.match(r"(\w+)(\?)?", part) for part in _split(text)[1]]
    return ", ".join(f"[{match[1]}]" if match[2] else match[1] for match in matches if match)


def _code(items: Sequence[str]) -> str:
    return "```ts\n" + "\n\n".join(_signature(text) for text in items) + "\n```\n"


class Reference:
    """The page of the declarations of a file."""

    def __init__(self, types: Path) -> None:
        self._items = declarations(types.read_text(encoding="utf-8"))
        self.missing: list[str] = []

    def page(self, sections: Sequence[tuple[str, Sequence[str]]]) -> str:
        """The page, in these sections. Error: `UndeclaredError` if a name has no text or stands in no section."""
        calls = [item for item in self._items if item.kind in {"function", "class"}]
        named = {name for _, names in sections for name in names}
        known = {item.name for item in calls}
        twins = {name for name in known if name.endswith("Async") and name.removesuffix("Async") in known}
        self.missing += [f"{name} is in no section" for name in sorted(known - twins - named)]
        self.missing += [f"{name} is in a section and not declared" for name in sorted(named - known)]
        parts = [
            "# JavaScript reference\n",
            "The calls of the package by its declarations for TypeScript, `index.d.ts`; [Pingala in JavaScript]"
            "(../javascript.md) is the guide. Names in braces, as in `{ threads? }`, are options, which "
            "[AllOptions](#alloptions) explains. A second signature is the twin that returns a promise. It has the "
            "options `signal` and `onProgress` too.\n",
        ]
        for title, names in sections:
            parts.append(f"## {title}\n")
            parts += [self._call(name) for name in names if name in known]
        parts.append("## Types and options\n")
        parts += [self._type(item) for item in self._items if item.kind in {"interface", "type"}]
        if self.missing:
            raise UndeclaredError("; ".join(self.missing))
        return "\n".join(parts)

    def _text(self, full: str, items: Sequence[_Item]) -> str:
        text = next((item.comment for item in items if item.comment), "")
        if not text:
            self.missing.append(f"{full} has no text")
        return escaped(text) + "\n"

    def _call(self, name: str) -> str:
        items = [item for item in self._items if item.name in {name, f"{name}Async"} and item.kind != "type"]
        first = items[0]
        if first.kind == "function":
            return _directive(
                "function",
                f"{name}({_arguments(first.text)})",
                [self._text(name, items), _code([i.text for i in items])],
            )
        made = [member for member in first.members if member.name == "constructor"]
        head = f"{name}({_arguments(made[0].text)})" if made else name
        body = [self._text(name, [first])]
        if made:
            body += [
                "\n".join(escaped(member.comment) + "\n" for member in made if member.comment),
                _code([m.text for m in made]),
            ]
        names = dict.fromkeys(member.name for member in first.members if member.name != "constructor")
        body += [
            self._member(name, member, [one for one in first.members if one.name in {member, f"{member}Async"}])
            for member in names
            if not (member.endswith("Async") and member.removesuffix("Async") in names)
        ]
        return _directive("class", head, body)

    def _member(self, owner: str, name: str, items: Sequence[_Item]) -> str:
        text = self._text(f"{owner}.{name}", items)
        if items[0].kind == "attribute":
            return _directive("attribute", name, [text, _code([items[0].text])])
        return _directive(
            "method", f"{name}({_arguments(items[0].text)})", [text, _code([item.text for item in items])]
        )

    def _type(self, item: _Item) -> str:
        parts = [f"### {item.name}\n", self._text(item.name, [item])]
        if item.kind == "type":
            return "\n".join([*parts, _code([item.text])])
        extends = item.text.partition(" extends ")[2]
        if extends:
            parts.append(f"Has what `{_plain(extends)}` has.\n")
        for member in item.members:
            parts.append(f"`{member.text}`\n: {self._text(f'{item.name}.{member.name}', [member])}")
        return "\n".join(parts)


def _directive(kind: str, signature: str, body: Sequence[str]) -> str:
    colons = "::::" if kind == "class" else ":::"
    return f"{colons}{{js:{kind}}} {signature}\n\n" + "\n".join(part for part in body if part.strip()) + f"\n{colons}\n"
