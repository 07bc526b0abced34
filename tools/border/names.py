"""The public names of each binding, read from its own sources, and those that no row of border/calls.toml has."""

import re
import tomllib
from collections.abc import Iterable

from border import DATA, TOP

#: Names that no row of calls.toml has.
APART = tomllib.loads((DATA / "apart.toml").read_text(encoding="utf-8"))


def read(*patterns: str) -> str:
    paths = [
        path for pattern in patterns for path in sorted(TOP.glob(pattern)) if not path.stem.endswith(("_test", "Test"))
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def library_options() -> set[str]:
    """The methods of `Options` in Rust that set something."""
    return set(re.findall(r"^ {8}(with_\w+)\(", read("crates/pingala-core/src/work/options.rs"), re.MULTILINE)) | {
        "with_blinding"
    }


def c() -> set[str]:
    """Functions without `pingala_` and without the ending for bytes or limbs."""
    symbols = read("crates/pingala-c/symbols.txt").split()
    return {re.sub("_(be|limbs)$", "", symbol.removeprefix("pingala_")) for symbol in symbols}


def go() -> set[str]:
    """Functions, and methods behind their type."""
    found = re.findall(r"^func (?:\(\w+ \*?(\w+)\) )?([A-Z]\w*)\(", read("go/*.go"), re.MULTILINE)
    return {f"{owner}.{name}" if owner else name for owner, name in found}


def java() -> set[str]:
    """Public methods behind their class; those of a generated class stand behind the class that extends it."""
    found = set()
    for path in sorted(TOP.glob("java/pingala/src/main/**/org/pingala/*.java")):
        text = path.read_text(encoding="utf-8")
        owner = path.stem.removesuffix("Calls") if "abstract class" in text else path.stem
        if "Functions" in path.stem or not re.search(r"^(?:public|abstract) ", text, re.MULTILINE):
            continue
        found |= {
            f"{owner}.{name}"
            for name in re.findall(r"^ +public [^=;{}]*?(\w+)\((?=[^;]*\{)", text, re.MULTILINE)
            if name != owner
        }
    return {name for name in found if not re.search(r"\.(?:equals|hashCode|toString|[A-Z]\w*)$", name)}


def js() -> set[str]:
    """Exports, and methods behind their class, without the other form of a call."""
    types = read("js/index.d.ts")
    found = set(re.findall(r"^export (?:function|class) (\w+)", types, re.MULTILINE))
    for owner, body in re.findall(r"^export class (\w+)[^\n]*\{\n(.*?)^\}", types, re.MULTILINE | re.DOTALL):
        methods = re.findall(r"^  (?:static )?(\w+)(?:<[^(]*>)? \(", body, re.MULTILINE)
        found |= {f"{owner}.{name}" for name in methods if name not in ("constructor", "private")}
    return {name for name in found if not name.endswith("Async")}


def tcl() -> set[str]:
    """Commands, and methods behind `modulus`; those of `fixedbase`, `dsa` and `rsa` behind their command."""
    found = set()
    tables = re.findall(r"^const CallRow (\w+)_rows\[\] = \{\n(.*?)^\};", read("tcl/generated_calls.c"), re.M | re.S)
    for owner, rows in tables:
        before = "" if owner == "command" else f"{owner} "
        found |= {before + name for name in re.findall(r'^    \{"(\w+)", "', rows, re.MULTILINE)}
    for owner, file in (
        ("modulus", "pingala"),
        ("fixedbase", "fixed_base"),
        ("dsa", "signature"),
        ("rsa", "signature"),
    ):
        for names in re.findall(r"\bconst names\[\] = \{([^}]*)\}", read(f"tcl/{file}.c")):
            found |= {f"{owner} {name}" for name in re.findall(r'"(\w+)"', names)}
    return found


def body(file: str, head: str, end: str = "^}") -> str:
    """What a declaration has between its first and its last line."""
    found = re.search(rf"{head}[^\n]*\n(.*?){end}", read(file), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def options(binding: str) -> set[str]:
    """The options that a binding declares: setters, fields, methods, properties of types, rows of tables."""
    if binding == "c":
        return {name.removeprefix("options_set_") for name in c() if name.startswith("options_set_")}
    if binding == "go":
        return set(re.findall(r"^\t([A-Z]\w*) ", body("go/generated_options.go", "^type Options struct"), re.MULTILINE))
    if binding == "java":
        return set(
            re.findall(r"^ +public Options (\w+)\(", read("java/pingala/src/main/**/Options.java"), re.MULTILINE)
        )
    if binding == "js":
        return set(re.findall(r"\b(\w+)\?: ", read("js/index.d.ts")))
    if binding == "tcl":
        table, verify = (
            read("tcl/settings.c"),
            re.search(r'const names\[\] = (\{"-hash"[^}]*\})', read("tcl/signature.c")),
        )
        return set(re.findall(r'\{"(-\w+)", OPTION', table)) | set(re.findall(r'"(-\w+)"', verify[1] if verify else ""))
    raise ValueError(binding)


def options_of_calls(binding: str) -> dict[str, set[str]]:
    """The options of each call: in JavaScript by the name of its row, in Tcl by its own."""
    if binding == "js":
        rows = re.findall(
            r"^  (\w+): \[(.*)\]", body("js/src/generated/calls.js", "^export const OPTIONS = "), re.MULTILINE
        )
        return {name: set(re.findall(r"'(\w+)'", names)) for name, names in rows}
    flags: dict[str, set[str]] = {}
    for name, flag in re.findall(r'\{"(-\w+)", (OPTION_\w+)', body("tcl/settings.c", r"^} options\[\] = \{")):
        flags.setdefault(flag, set()).add(name)
    found = {}
    for owner, before in (("command", ""), ("modulus", "modulus ")):
        table = body("tcl/generated_calls.c", rf"^const CallRow {owner}_rows\[\] = \{{")
        for name, row in re.findall(r'^    \{"(\w+)", "(.*?)\},$', table, re.MULTILINE | re.DOTALL):
            found[before + name] = {option for flag in re.findall(r"OPTION_\w+", row) for option in flags[flag]}
    return found


def apart(binding: str) -> set[str]:
    names = APART.get(binding, "")
    return {name.strip() for name in (names.split(",") if binding == "tcl" else names.split())}


def covered(name: str, listed: Iterable[str]) -> bool:
    """Whether a name, or all of its class, is listed."""
    return name in listed or f"{name.partition('.')[0]}.*" in listed


BINDINGS = {"c": c, "go": go, "java": java, "js": js, "tcl": tcl}
