"""The text of Java: code, documentation, imports."""

import re
import textwrap

import java_abi
from java_abi import Function

HEAD = "// Generated from border/ and pingala.h by tools/border/java (make border); do not edit.\n"
WIDTH = 120
CODES = ("zero_modulus", "negative_modulus", "not_invertible", "bad_argument", "too_long", "bad_plan", "bad_file")


def functions() -> dict[str, Function]:
    """The functions of C by their names without `pingala_` and without what says that numbers are bytes."""
    header = java_abi.HEADER.read_text(encoding="utf-8")
    return {one.name.removesuffix("_be"): one for one in java_abi.functions(header)}


def wrapped(text: str, indent: int) -> str:
    """A line of code, broken between its words where it is too long."""
    if len(text) + indent <= WIDTH:
        return " " * indent + text
    inner = len(text) - len(text.lstrip())
    hanging = " " * (indent + inner + 8)
    if "\n" in text:
        return " " * indent + text
    if "Library.get()" in text or "Scratch.result(" in text:
        # Small calls among the arguments stay on their line.
        text = re.sub(r"\([^()]*\)", lambda found: found[0].replace(" ", "\0"), text)
    first = " " * (indent + inner)
    broken = textwrap.wrap(text.strip(), WIDTH, initial_indent=first, subsequent_indent=hanging, break_long_words=False)
    return "\n".join(broken).replace("\0", " ")


def javadoc(lines: list[str], indent: int = 4) -> str:
    shown = []
    for line in lines:
        escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        escaped = re.sub(rf"(?<!@code )\b({'|'.join(CODES)})\b", r"{@code \1}", escaped)
        shown += textwrap.wrap(
            escaped, WIDTH - indent - 3, subsequent_indent="    " if line.startswith("@") else ""
        ) or [""]
    inside = "\n".join(f" * {line}".rstrip() for line in shown)
    return textwrap.indent(f"/**\n{inside}\n */", " " * indent)


def imports(text: str) -> str:
    used = ["java.math.BigInteger", "java.nio.ByteBuffer", "java.nio.charset.StandardCharsets", "java.nio.file.Path"]
    used += ["java.time.Duration", "java.util.List", "java.util.function.LongConsumer"]
    names = [name for name in used if re.search(rf"\b{name.rpartition('.')[2]}\b", text)]
    return "".join(f"import {name};\n" for name in names)
