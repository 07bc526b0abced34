"""Writes the functions of go/internal/abi that the module calls, for cgo and for purego, from pingala.h.

--check compares them. Of a function for bytes and its twin for limbs Go has the twin. A slice stands for memory and
its length, the words of a big.Int for limbs. What a function writes behind a pointer (a new handle, `needed`,
`defects`) is a result in Go. All arguments cross the border as words: by cgo to a function in C that gives each its
type again, by purego as they are.
"""

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER = ROOT / "crates/pingala-c/include/pingala.h"
MODULE = ROOT / "go"
FOLDER = MODULE / "internal/abi"
DECLARATION = re.compile(r"^((?:const )?\w+ \*?)pingala_(\w+)\(([^)]*)\);", re.MULTILINE)
DEFINITION = re.compile(r"^#define PINGALA_(\w+) (\d+)$", re.MULTILINE)
SCALARS = {"size_t": "int", "int32_t": "int32", "int64_t": "int64", "uint32_t": "uint32", "uint64_t": "uint64"}
ITEMS = {"char": "byte", "uint8_t": "byte", "int32_t": "int32", "uint32_t": "uint32"}
#: Memory of 64-bit numbers that are no limbs.
NUMBERS = ("ends", "factor_bits")
#: What functions write behind a pointer of this name.
RESULTS = {
    "needed": "needed int",
    "defects": "defects uint32",
    "answer": "answer uint32",
    "symbol": "symbol int32",
    "valid": "valid uint32",
    "tests": "tests float64",
    "seconds": "seconds float64",
}
#: Words that the library reads and writes during later calls.
WATCHED = {"stop": "*uint32", "done": "*uint64"}

#: What purego passes at most. All calls pass as many, because a variable number of them would be allocated.
MOST_WORDS = 15

#: The library keeps no pointer and does not call Go, so that a short call allocates nothing.
CGO = """\
/*
#include <pingala.h>

static uintptr_t call(int function, const uintptr_t *a)
{{
    switch (function) {{
{cases}
    }}
    return 0;
}}

#cgo noescape call
#cgo nocallback call
*/
import "C"

import "unsafe"

// call calls the function with this number. The memory of pointers among the arguments stays in its place.
//
//go:uintptrescapes
func call(function int, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14 uintptr) uintptr {{
\ta := [...]uintptr{{a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14}}
\treturn uintptr(C.call(C.int(function), (*C.uintptr_t)(unsafe.Pointer(&a))))
}}
"""


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


@dataclass
class Function:
    """A function of the header, its parameters and results in Go, and its arguments as words and in C again."""

    name: str
    gives: str
    parameters: list[str] = field(default_factory=list)
    #: Their names in C.
    names: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    c: list[str] = field(default_factory=list)

    def read(self, declared: str) -> None:
        """Reads the parameters of the declaration."""
        pairs = re.findall(r"([^,]+?)(\w+)(?:, |$)", declared) if declared != "void" else []
        while pairs:
            kind, name = pairs.pop(0)
            length = bool(pairs) and pairs[0][1] in (f"{name}_len", f"{name}_count")
            if length:
                pairs.pop(0)
            self.add(kind, name, length)

    def add(self, kind: str, name: str, length: bool) -> None:
        """Adds a parameter, with its length if that follows it."""
        go = name.split("_")[0] + camel(name.partition("_")[2])
        base, stars = re.sub(r"const|[ *]", "", kind), kind.count("*")
        result = RESULTS.get(name)
        if base.startswith("pingala_") and stars == 2 and name not in ("moduli", "keys"):
            result = "made Handle"
        if name == "why":
            self.parameters.append("why *Why")
            word = "unsafe.Pointer(why)"
        elif result:
            self.results.append(result)
            word = f"unsafe.Pointer(&{result.split()[0]})"
        elif stars == 0 or (base.startswith("pingala_") and stars == 1):
            self.parameters.append(f"{go} {SCALARS.get(base, 'Handle')}")
            word = go
        elif name in WATCHED:
            self.parameters.append(f"{go} {WATCHED[name]}")
            word = f"unsafe.Pointer({go})"
        else:
            limbs = "[]uint64" if name in NUMBERS else "Words"
            items = "[]Handle" if stars == 2 else limbs if base == "uint64_t" else f"[]{ITEMS[base]}"
            self.parameters.append(f"{go} {items}")
            word = f"at({go})"
        self.names += [name] * (len(self.parameters) - len(self.names))
        self.cross(kind.strip(), word)
        if length:
            self.cross("size_t", "why.size()" if name == "why" else f"len({go})")

    def cross(self, kind: str, word: str) -> None:
        """Adds an argument."""
        self.c.append(f"({kind})a[{len(self.words)}]")
        self.words.append(f"uintptr({word})")

    def go_name(self) -> str:
        return camel(self.name.removesuffix("_limbs").removesuffix("_be"))

    def case(self, number: int) -> str:
        """The call in C."""
        call = f"pingala_{self.name}({', '.join(self.c)})"
        done = f"{call}; break" if self.gives == "void" else f"return (uintptr_t){call}"
        return f"    case {number}: {done};"

    def text(self, number: int) -> str:
        """The function in Go."""
        zeros = ["0"] * (MOST_WORDS - len(self.words))
        call = f"call({', '.join([str(number), *self.words, *zeros])})"
        go = {"int32_t": "int32", "char *": "string", "void": ""}.get(self.gives) or SCALARS.get(self.gives, "")
        head = f"func {self.go_name()}({', '.join(self.parameters)})"
        if self.results:
            results = ", ".join([*self.results, "status int32"])
            return f"{head} ({results}) {{\n\tstatus = int32({call})\n\treturn\n}}\n"
        value = call if not go else f"return text(pointer({call}))" if go == "string" else f"return {go}({call})"
        head += f" {go}" if go else ""
        line = f"{head} {{ {value} }}\n"
        return line if len(line) < 100 else f"{head} {{\n\t{value}\n}}\n"


def functions(header: str) -> list[Function]:
    found = []
    names = {name for _, name, _ in DECLARATION.findall(header)}
    for gives, name, declared in DECLARATION.findall(header):
        if name.removesuffix("_be") + "_limbs" in names and name.endswith("_be"):
            continue
        function = Function(name, gives.removeprefix("const ").strip())
        function.read(" ".join(declared.split()))
        found.append(function)
    return found


def by_name() -> dict[str, Function]:
    """The functions of the header that is checked in, by their names without the prefix."""
    return {function.name: function for function in functions(HEADER.read_text(encoding="utf-8"))}


def called() -> set[str]:
    """The functions that the module and its tests call."""
    sources = "".join(path.read_text(encoding="utf-8") for path in MODULE.glob("*.go"))
    return {"Abi", *re.findall(r"\babi\.(\w+)", sources)}


def constants(header: str) -> str:
    """The numbers of the header that the module names, and its ABI, as gofmt has them."""
    named = {"Ok": "OK", "Abi": "Needed"}
    found = [(named.get(camel(name.lower()), camel(name.lower())), value) for name, value in DEFINITION.findall(header)]
    used = called() | {"Needed"}
    found = [(name, value) for name, value in found if name in used]
    longest = max(len(name) for name, _ in found)
    lines = "\n".join(f"\t{name:<{longest}} = {value}" for name, value in found)
    head = (
        "// Numbers of pingala.h. Needed is its ABI number: of a library that has all functions which the module calls."
    )
    return f"{head}\nconst (\n{lines}\n)\n"


def files(header: str) -> dict[Path, str]:
    """The texts of the files."""
    head = "// Code generated by tools/go_abi.py from pingala.h (make c-header). DO NOT EDIT.\n\n"
    found = [function for function in functions(header) if function.go_name() in called()]
    names = "\n\t".join(textwrap.wrap(", ".join(f'"{function.name}"' for function in found), 118))
    names = f"// Names of the functions, and their addresses.\nvar names = [...]string{{\n\t{names},\n}}\n"
    names += "var functions [len(names)]uintptr\n"
    cases = "\n".join(function.case(number) for number, function in enumerate(found))
    calls = joined([function.text(number) for number, function in enumerate(found)])
    return {
        FOLDER / "calls.go": f'{head}package abi\n\nimport "unsafe"\n\n{constants(header)}\n{calls}',
        FOLDER / "cgo_calls.go": f"{head}//go:build cgo\n\npackage abi\n\n{CGO.format(cases=cases)}",
        FOLDER / "purego_names.go": f"{head}//go:build !cgo\n\npackage abi\n\n{names}",
    }


def joined(functions: list[str]) -> str:
    """The functions as gofmt has them: it would align lines that follow each other."""
    pairs = zip(["", *functions], functions, strict=False)
    return "".join("\n" * (before.count("\n") == 1 == one.count("\n")) + one for before, one in pairs)


def main() -> None:
    for path, text in files(HEADER.read_text(encoding="utf-8")).items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what the header gives: `make c-header` writes it")


if __name__ == "__main__":
    main()
