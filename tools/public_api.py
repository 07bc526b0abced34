"""The public API of the library, a line an item, from rustdoc's JSON: what a user can name.

The crate `pingala` offers types and functions of `pingala-core` under names of its own: both crates are read. What is
hidden from the documentation is not promised, and has no line.

    python tools/public_api.py            # compares with crates/pingala/public-api.txt; fails where they differ
    python tools/public_api.py --write    # writes it

Items are types, functions, methods, fields, variants, constants; implementations of traits do not count. The JSON is a
feature of nightly compilers, which the pinned one gives out with RUSTC_BOOTSTRAP=1; nothing that ships is compiled so.
"""

import difflib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "crates/pingala/public-api.txt"

Json = dict[str, Any]


def rustdoc(crate: str) -> Json:
    """The JSON of a crate, whose format is that of the pinned compiler."""
    cargo = [os.environ.get("CARGO", "cargo"), "rustdoc", "--locked", "--quiet", "-p", crate, "--lib"]
    flags = ["--", "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"]
    environment = os.environ | {"RUSTC_BOOTSTRAP": "1"}
    subprocess.run([*cargo, *flags], check=True, cwd=ROOT, env=environment)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    document: Json = json.loads((target / f"doc/{crate.replace('-', '_')}.json").read_text(encoding="utf-8"))
    return document


class Api:
    """The lines of a crate that offers its own items and those of another one."""

    def __init__(self, top: Json, below: Json) -> None:
        """Walk them."""
        self._below = below
        #: Items of the crate below, by their full paths.
        own = {identity: known for identity, known in below["paths"].items() if known["crate_id"] == 0}
        self._items_below = {tuple(known["path"]): identity for identity, known in own.items()}
        self._document = top
        self.lines: list[str] = []
        #: Types of the two crates that signatures name, and those that have a line.
        self._named: set[str] = set()
        self._listed: set[str] = set()
        self._item(top["index"][str(top["root"])], "pingala")
        self.lines.sort(key=lambda line: line.split(" ", 1)[1])

    def unnameable(self) -> list[str]:
        """Types in signatures that a program cannot name."""
        return sorted(self._named - self._listed)

    def _offered(self, use: Json, path: str) -> None:
        """An item under another name: of this crate, or of the one below."""
        if (item := self._document["index"].get(str(use["id"]))) is not None:
            self._item(item, path)
            return
        top, self._document = self._document, self._below
        self._item(self._below["index"][self._items_below[tuple(top["paths"][str(use["id"])]["path"])]], path)
        self._document = top

    def _known(self, identity: int) -> str | None:
        """The full path of a type of the two crates."""
        known = self._document["paths"].get(str(identity))
        full = tuple(known["path"]) if known is not None else ()
        return "::".join(full) if known is not None and (known["crate_id"] == 0 or full in self._items_below) else None

    def _at(self, identity: int) -> Json:
        item: Json = self._document["index"][str(identity)]
        return item

    def _add(self, kind: str, path: str, rest: str = "") -> None:
        self.lines.append(f"{kind} {path}{rest}")

    def _item(self, item: Json, path: str) -> None:
        ((kind, inner),) = item["inner"].items()
        if (full := self._known(item["id"])) is not None:
            self._listed.add(full)
        match kind:
            case "module":
                self._items(inner["items"], path)
            case "function":
                self._add("fn", path, self._signature(inner))
            case "struct" | "enum":
                note = " #[non_exhaustive]" if "non_exhaustive" in item["attrs"] else ""
                self._add(kind, path, self._generics(inner["generics"]) + note)
                self._items(inner["variants"] if kind == "enum" else self._field_ids(inner["kind"]), path)
                for block in (self._at(identity)["inner"]["impl"] for identity in inner["impls"]):
                    if block["trait"] is None:
                        members = [one for one in block["items"] if self._at(one)["visibility"] == "public"]
                        self._items(members, path)
            case "trait":
                self._add(kind, path, self._generics(inner["generics"]))
                self._items(inner["items"], path)
            case "struct_field":
                self._add("field", path, f": {self._type(inner)}")
            case "variant":
                self._add(kind, path)
                self._items(self._field_ids(inner["kind"]), path)
            case "constant" | "assoc_const" | "static":
                self._add("static" if kind == "static" else "const", path, f": {self._type(inner['type'])}")
            case "type_alias":
                # An alias names its type, which is otherwise opaque.
                self._add("type", path, f"{self._generics(inner['generics'])} = {self._type(inner['type'])}")
                self._listed.add(self._known(inner["type"]["resolved_path"]["id"]) or "")
            case "assoc_type":
                self._add("type", path)
            case other:
                raise ValueError(f"{path}: an item of the kind {other}, which this script does not know")

    def _items(self, identities: list[int], path: str) -> None:
        for item in map(self._at, identities):
            if use := item["inner"].get("use"):
                self._offered(use, f"{path}::{use['name']}")
            else:
                self._item(item, f"{path}::{item['name']}")

    @staticmethod
    def _field_ids(kind: Any) -> list[int]:
        match kind:
            case {"plain": {"fields": fields}} | {"struct": {"fields": fields}}:
                return list(fields)
            case {"tuple": fields}:
                return [field for field in fields if field is not None]
        return []

    def _signature(self, function: Json) -> str:
        signature = function["sig"]
        arguments = ", ".join(f"{name}: {self._type(kind)}" for name, kind in signature["inputs"])
        output = f" -> {self._type(signature['output'])}" if signature["output"] else ""
        generics = self._generics(function["generics"])
        return f"{generics}({arguments})".replace("self: &Self", "&self").replace("self: Self", "self") + output

    def _generics(self, generics: Json) -> str:
        names = [parameter["name"] for parameter in generics["params"] if not parameter["name"].startswith("impl ")]
        return f"<{', '.join(names)}>" if names else ""

    def _bounds(self, bounds: list[Json]) -> str:
        traits = [self._path(bound["trait_bound"]["trait"]) for bound in bounds if "trait_bound" in bound]
        return " + ".join(traits)

    def _arguments(self, arguments: Any) -> str:
        match arguments:
            case {"angle_bracketed": {"args": parts, "constraints": constraints}}:
                texts = [part.get("lifetime") or self._type(part["type"]) for part in parts]
                for bound in constraints:
                    texts.append(f"{bound['name']} = {self._type(bound['binding']['equality']['type'])}")
                return f"<{', '.join(texts)}>" if texts else ""
            case {"parenthesized": {"inputs": inputs, "output": output}}:
                result = f" -> {self._type(output)}" if output else ""
                return f"({', '.join(map(self._type, inputs))}){result}"
        return ""

    def _path(self, path: Json) -> str:
        name: str = path["path"].rsplit("::", 1)[-1]
        if (full := self._known(path["id"])) is not None:
            self._named.add(full)
        return name + self._arguments(path["args"])

    def _type(self, kind: Any) -> str:
        match kind:
            case {"primitive": name} | {"generic": name}:
                return str(name)
            case {"resolved_path": path}:
                return self._path(path)
            case {"borrowed_ref": {"lifetime": lifetime, "is_mutable": mutable, "type": inner}}:
                life = f"{lifetime} " if lifetime else ""
                return f"&{life}{'mut ' if mutable else ''}{self._type(inner)}"
            case {"slice": inner}:
                return f"[{self._type(inner)}]"
            case {"array": {"type": inner, "len": length}}:
                return f"[{self._type(inner)}; {length}]"
            case {"tuple": parts}:
                return f"({', '.join(map(self._type, parts))})"
            case {"impl_trait": bounds}:
                return f"impl {self._bounds(bounds)}"
            case {"dyn_trait": {"traits": traits}}:
                return "dyn " + " + ".join(self._path(bound["trait"]) for bound in traits)
            case {"qualified_path": {"name": name, "self_type": of}}:
                return f"{self._type(of)}::{name}"
        raise ValueError(f"a type that this script does not know: {kind}")


def main() -> int:
    """Compare, or write."""
    api = Api(rustdoc("pingala"), rustdoc("pingala-core"))
    text = "".join(f"{line}\n" for line in api.lines)
    complaints = [f"{path} is in a signature and nobody can name it" for path in api.unnameable()]
    if sys.argv[1:] == ["--write"]:
        LIST.write_text(text, encoding="utf-8")
    elif text != LIST.read_text(encoding="utf-8"):
        old = LIST.read_text(encoding="utf-8").splitlines()
        complaints += difflib.unified_diff(old, text.splitlines(), LIST.name, "the source", lineterm="", n=0)
        complaints.append(
            "the public API changed: if that is meant, tools/public_api.py --write, and CHANGELOG.md says so"
        )
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{len(api.lines)} public items")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
