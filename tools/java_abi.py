"""Writes how Java reaches the C library, from pingala.h: an interface, its form by JNI and its form by FFM.

--check compares them; --uncalled prints the functions of the library that no Java source calls. All arguments cross the
border as numbers: memory as its address, lengths and 64-bit numbers as long, the others as int. Of a function for bytes
and its twin for limbs Java has the first.
"""

import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER = ROOT / "crates/pingala-c/include/pingala.h"
SOURCES = ROOT / "java/pingala/src/main"
DECLARATION = re.compile(r"^((?:const )?\w+ \*?)pingala_(\w+)\(([^)]*)\);", re.MULTILINE)
HEAD = "Made from pingala.h by tools/java_abi.py (make c-header); do not edit."
WIDTH = 120


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


@dataclass
class Argument:
    kind: str
    name: str

    @property
    def java(self) -> str:
        return "int" if self.kind in ("int32_t", "uint32_t") else "long"

    @property
    def c(self) -> str:
        """The parameter of the function in C, given its type again."""
        return f"({self.kind})(intptr_t){self.name}" if "*" in self.kind else f"({self.kind}){self.name}"


@dataclass
class Function:
    name: str
    gives: str
    arguments: list[Argument]

    @property
    def java_name(self) -> str:
        return camel(self.name.removesuffix("_be"))

    @property
    def java_gives(self) -> str:
        return "void" if self.gives == "void" else "int" if self.gives in ("int32_t", "uint32_t") else "long"

    @property
    def parameters(self) -> str:
        return ", ".join(f"{one.java} {camel(one.name)}" for one in self.arguments)

    @property
    def names(self) -> str:
        return ", ".join(camel(one.name) for one in self.arguments)


def functions(header: str) -> list[Function]:
    """The functions of the header but for those that have a twin for bytes."""
    found = []
    for gives, name, declared in DECLARATION.findall(header):
        if name.endswith("_limbs"):
            continue
        pairs = re.findall(r"\s*([^,]+?)(\w+)(?:,|$)", " ".join(declared.split())) if declared != "void" else []
        arguments = [Argument(kind.strip(), name) for kind, name in pairs]
        found.append(Function(name, gives.removeprefix("const ").strip(), arguments))
    return found


def wrapped(text: str, indent: int) -> str:
    hanging = " " * (indent + 8)
    return "\n".join(textwrap.wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=hanging))


def interface(found: list[Function]) -> str:
    calls = "\n\n".join(wrapped(f"{one.java_gives} {one.java_name}({one.parameters});", 4) for one in found)
    return f"""// {HEAD}
package org.pingala;

/** The functions of the C library, which two classes reach: by JNI or by FFM. Memory is given by its address. */
interface Functions {{
{calls}
}}
"""


def by_jni(found: list[Function]) -> str:
    calls = "\n\n".join(
        f"    @Override\n{wrapped(f'public native {one.java_gives} {one.java_name}({one.parameters});', 4)}"
        for one in found
    )
    return f"""// {HEAD}
package org.pingala;

/** The functions of the C library by JNI. */
abstract class JniFunctions implements Functions {{
{calls}
}}
"""


def glue(found: list[Function]) -> str:
    """What JNI calls, in C."""
    table = "\n".join(f'    {{&f.{one.name}, "pingala_{one.name}"}},' for one in found)
    members = "\n".join(f"    __typeof__(pingala_{one.name}) *{one.name};" for one in found)
    calls = []
    for one in found:
        kinds = {"int": "jint", "long": "jlong", "void": "void"}
        parameters = "".join(f", {kinds[a.java]} {a.name}" for a in one.arguments)
        call = f"f.{one.name}({', '.join(a.c for a in one.arguments)})"
        back = kinds[one.java_gives]
        cast = "(jlong)(intptr_t)" if "*" in one.gives else f"({back})"
        body = call if back == "void" else f"return {cast}{call}"
        name = f"Java_org_pingala_JniFunctions_{one.java_name}"
        head = f"JNIEXPORT {back} JNICALL {name}(JNIEnv *env, jobject self{parameters})"
        unused = "(void)env, (void)self;"
        calls.append(f"{wrapped(head, 0)}\n{{\n    {unused}\n{wrapped(body + ';', 4)}\n}}")
    joined = "\n\n".join(calls)
    return f"""/* {HEAD} */

/* The functions of the library that was opened. */
static struct {{
{members}
}} f;

static const struct {{
    void *where;
    const char *name;
}} functions[] = {{
{table}
}};

{joined}
"""


def by_ffm(found: list[Function]) -> str:
    calls = []
    for one in found:
        kinds = [one.java_gives.upper(), *(a.java.upper() for a in one.arguments)]
        handle = f'static final MethodHandle CALL = function("pingala_{one.name}", {", ".join(kinds)});'
        cast = "" if one.java_gives == "void" else f"return ({one.java_gives}) "
        holder = one.java_name[0].upper() + one.java_name[1:]
        calls.append(
            f"""    private static final class {holder} {{
{wrapped(handle, 8)}
    }}

    @Override
{wrapped(f"public {one.java_gives} {one.java_name}({one.parameters}) {{", 4)}
        try {{
{wrapped(f"{cast}{holder}.CALL.invokeExact({one.names});", 12)}
        }} catch (Throwable thrown) {{
            throw impossible(thrown);
        }}
    }}"""
        )
    joined = "\n\n".join(calls)
    return f"""// {HEAD}
package org.pingala;

import java.lang.invoke.MethodHandle;

/** The functions of the C library by FFM. Each is linked at its first call. */
abstract class FfmFunctions extends FfmLinker implements Functions {{
{joined}
}}
"""


def files(header: str) -> dict[Path, str]:
    found = functions(header)
    return {
        SOURCES / "generated/org/pingala/Functions.java": interface(found),
        SOURCES / "generated/org/pingala/JniFunctions.java": by_jni(found),
        SOURCES / "java22/org/pingala/FfmFunctions.java": by_ffm(found),
        SOURCES / "c/functions.h": glue(found),
    }


def uncalled(header: str) -> list[str]:
    """The functions that no source but the made ones calls."""
    made = set(files(header))
    texts = [path.read_text(encoding="utf-8") for path in SOURCES.glob("*/org/pingala/*.java") if path not in made]
    sources = "\n".join(texts)
    return [one.name for one in functions(header) if not re.search(rf"(?:\.|::){one.java_name}\b", sources)]


def main() -> None:
    header = HEADER.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--uncalled"]:
        print("\n".join(uncalled(header)))
        return
    for path, text in files(header).items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what the header gives: `make c-header` writes it")


if __name__ == "__main__":
    main()
