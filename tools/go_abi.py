"""Writes the functions of go/internal/abi that the module calls, by cgo and by purego, from pingala.h.

--check compares them. Of a function for bytes and its twin for limbs Go has the twin. A slice stands for memory and
its length, the words of a big.Int for limbs. What a function writes behind a pointer (a new handle, `needed`,
`defects`) is a result in Go. purego passes at most 15 arguments.
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
SCALARS = {"size_t": "int", "int32_t": "int32", "int64_t": "int64", "uint32_t": "uint32", "uint64_t": "uint64"}
ITEMS = {"char": "byte", "uint8_t": "byte", "int32_t": "int32", "uint32_t": "uint32"}
#: Memory of 64-bit numbers that are no limbs.
NUMBERS = ("ends", "factor_bits")
#: Words that the library reads and writes during later calls.
WATCHED = {"stop": "*uint32", "done": "*uint64"}
#: Functions for short calls, which allocate nothing: the library keeps no pointer, and does not call Go.
SHORT = ("powmod_limbs", "modulus_pow_limbs", "fixed_base_pow_limbs")


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


@dataclass
class Function:
    """A function of the header, and its parameters and results in Go. An argument is written for cgo and for purego."""

    name: str
    gives: str
    parameters: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    cgo: list[str] = field(default_factory=list)
    purego: list[str] = field(default_factory=list)

    def read(self, declared: str) -> None:
        """Reads the parameters of the declaration."""
        pairs = re.findall(r"(\w+) (\**)(\w+)(?:,|$)", declared.replace("const ", ""))
        while pairs:
            kind, pointer, name = pairs.pop(0)
            stars = len(pointer)
            go = name.split("_")[0] + camel(name.partition("_")[2])
            length = bool(pairs) and pairs[0][2] in (f"{name}_len", f"{name}_count")
            if length:
                pairs.pop(0)
            self.add(kind, stars, name, go, length)

    def add(self, kind: str, stars: int, name: str, go: str, length: bool) -> None:
        """Adds a parameter, with its length if that follows it."""
        if name == "why":
            self.parameters.append("why *Why")
            self.cgo += ["(*C.char)(unsafe.Pointer(why))", "C.size_t(why.size())"]
            self.purego += ["uintptr(unsafe.Pointer(why))", "uintptr(why.size())"]
            return
        result = {"needed": "needed int", "defects": "defects uint32"}.get(name)
        if kind.startswith("pingala_") and stars == 2 and name not in ("moduli", "keys"):
            result = "made Handle"
        if result:
            self.results.append(result)
            at = f"unsafe.Pointer(&{result.split()[0]})"
        elif stars == 0:
            self.parameters.append(f"{go} {SCALARS[kind]}")
            self.cgo.append(f"C.{kind}({go})")
            self.purego.append(f"uintptr({go})")
            return
        elif kind.startswith("pingala_") and stars == 1:
            self.parameters.append(f"{go} Handle")
            at = go
        elif name in WATCHED:
            self.parameters.append(f"{go} {WATCHED[name]}")
            at = f"unsafe.Pointer({go})"
        else:
            limbs = "[]uint64" if name in NUMBERS else "Words"
            items = "[]Handle" if stars == 2 else limbs if kind == "uint64_t" else f"[]{ITEMS[kind]}"
            self.parameters.append(f"{go} {items}")
            at = f"at({go})"
        self.cgo.append(f"({'*' * stars}C.{kind})({at})")
        self.purego.append(f"uintptr({at})")
        if length:
            self.cgo.append(f"C.size_t(len({go}))")
            self.purego.append(f"uintptr(len({go}))")

    def go_name(self) -> str:
        return camel(self.name.removesuffix("_limbs").removesuffix("_be"))

    def text(self, call: str) -> str:
        """The function in Go, by a call whose result is in the type of C."""
        go = {"int32_t": "int32", "char *": "string", "void": ""}.get(self.gives) or SCALARS.get(self.gives, "")
        head = f"func {self.go_name()}({', '.join(self.parameters)})"
        if self.results:
            results = ", ".join([*self.results, "status int32"])
            return f"{head} ({results}) {{\n\tstatus = int32({call})\n\treturn\n}}\n"
        value = call if not go else f"return text({call})" if go == "string" else f"return {go}({call})"
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


def called() -> set[str]:
    """The functions that the module and its tests call."""
    sources = "".join(path.read_text(encoding="utf-8") for path in MODULE.glob("*.go"))
    return {"Abi", *re.findall(r"\babi\.(\w+)", sources)}


def files(header: str) -> dict[Path, str]:
    """The texts of both files."""
    head = "// Code generated by tools/go_abi.py from pingala.h (make c-header). DO NOT EDIT.\n\n"
    head += "//go:build {}\n\npackage abi\n\n"
    short = "".join(f"#cgo noescape pingala_{name}\n#cgo nocallback pingala_{name}\n" for name in SHORT)
    cgo = head.format("cgo") + f'/*\n#include <pingala.h>\n\n{short}*/\nimport "C"\n\nimport "unsafe"\n\n'
    purego = head.format("!cgo") + 'import (\n\t"unsafe"\n\n\t"github.com/ebitengine/purego"\n)\n\n'
    found = [function for function in functions(header) if function.go_name() in called()]
    names = "\n\t".join(textwrap.wrap(", ".join(f'"{function.name}"' for function in found), 118))
    purego += f"// Names of the functions, and their addresses.\nvar names = [...]string{{\n\t{names},\n}}\n"
    purego += "var c [len(names)]uintptr\n\n"
    by_cgo, by_purego = [], []
    for place, function in enumerate(found):
        value = f"C.pingala_{function.name}({', '.join(function.cgo)})"
        by_cgo.append(function.text(f"unsafe.Pointer({value})" if function.gives == "char *" else value))
        value = f"first(purego.SyscallN({', '.join([f'c[{place}]', *function.purego])}))"
        by_purego.append(function.text(f"pointer({value})" if function.gives == "char *" else value))
    return {FOLDER / "cgo_calls.go": cgo + joined(by_cgo), FOLDER / "purego_calls.go": purego + joined(by_purego)}


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
