"""Counts the executed ARM instructions of every product, checks the results, compares with the counts checked in.

Called by tools/arm_counts.sh, which builds the program and the plugin.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

COUNTS = Path(__file__).parents[1] / "crates/pingala-lab/arm/counts.json"
CLASSES = [
    *("mul", "umull", "umlal", "add", "index", "load", "load_stack", "store", "store_stack"),
    *("shift", "move", "logic", "compare", "branch", "other"),
]
PLAIN = ("schoolbook", "comba", "karatsuba")
# Bits of a word, and the lengths in such words: those of the study, and one of the words that the library has.
WORDS = {32: (16, 32, 64), 64: (16,)}
# As many calls more in the second run as in the first; two digits in both, so that nothing else differs.
FEW, MANY = 11, 21

Numbers = tuple[int, int, int]
# Words by function and class.
Counts = Counter[tuple[str, str]]


def texts() -> Iterator[tuple[str, str, int]]:
    """Name, the parameter's name, its value (tiles or leaves; of those without any, 1)."""
    for name in ("schoolbook", "sos"):
        yield from ((name, "tile", tile) for tile in (1, 4))
    for name in ("comba", "cios", "fios", "fips", "cihs", "separated_comba"):
        yield name, "", 1
    for name in ("karatsuba", "karatsuba_comba", "kcm"):
        yield from ((name, "leaf", leaf) for leaf in (4, 8, 16))


def numbers(bits: int) -> Iterator[Numbers]:
    """a, b, m with m odd and a, b below it, of so many bits: drawn, then the edges."""
    radix = 1 << bits
    draw = random.Random(bits // 32)
    m = draw.randrange(radix // 2, radix) | 1
    yield draw.randrange(m), draw.randrange(m), m
    m = draw.randrange(radix // 2, radix) | 1
    yield draw.randrange(m), draw.randrange(m), m
    yield radix - 2, radix - 3, radix - 1
    yield radix // 2, 1, radix // 2 + 1
    yield 0, m - 1, m


def wanted(name: str, operation: str, bits: int, of: Numbers) -> int:
    a, b, m = of
    if operation == "sqr":
        b = a
    return a * b if name in PLAIN else a * b * pow(1 << bits, -1, m) % m


class Machine:
    """The program under qemu-arm."""

    def __init__(self, program: str, plugin: str, folder: str) -> None:
        self.program, self.plugin, self.log = program, plugin, Path(folder) / "counts"

    def run(self, product: "Product", of: Numbers, calls: int) -> Counts:
        """Counts of `calls` calls and of all that is around them. Error: a wrong result."""
        a, b, m = of
        radix = 1 << product.bits
        text = [f"{number:0{product.bits // 4}x}" for number in (a, b, m, -pow(m, -1, radix) % radix)]
        command = ["qemu-arm", "-plugin", self.plugin, "-d", "plugin", "-D", str(self.log), self.program]
        command += [str(product.word_bits), product.name, product.operation, str(product.parameter), str(calls), *text]
        self.log.unlink(missing_ok=True)
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            sys.exit(f"{product}: {ran.stdout}{ran.stderr}")
        if int(ran.stdout, 16) != wanted(product.name, product.operation, product.bits, of):
            sys.exit(f"{product}: a wrong result on {of}")
        counts: Counts = Counter()
        for line in self.log.read_text().splitlines():
            function, kind, count = line.split()
            counts[short(function), kind] += int(count)
        return counts

    def per_call(self, product: "Product", of: Numbers) -> Counts:
        few = self.run(product, of, FEW)
        many = self.run(product, of, MANY)
        many.subtract(few)
        if any(count % (MANY - FEW) for count in many.values()):
            sys.exit(f"{product}: calls differ")
        return Counter({key: count // (MANY - FEW) for key, count in many.items() if count})


@dataclass(frozen=True)
class Product:
    """What is counted: `parameter` is the value of `kind`, the words of a tile or a leaf."""

    name: str
    operation: str
    kind: str
    parameter: int
    word_bits: int
    words: int

    @property
    def bits(self) -> int:
        return self.word_bits * self.words


def short(function: str) -> str:
    """`_RINvNtNtCs3f_11pingala_arm7product5comba3mulm..` as `product::comba::mul`: the path below the crate."""
    parts = re.search(r"pingala_arm((?:\d+[a-z_0-9]+)+)", function)
    if not function.startswith("_R") or not parts:
        return function
    rest, names = parts[1], []
    while found := re.match(r"(\d+)", rest):
        length, rest = int(found[1]), rest[found.end() :]
        names.append(rest[:length])
        rest = rest[length:]
    return "::".join(names)


def row(machine: Machine, product: Product) -> dict[str, Any]:
    """One line of the record; the counts must not depend on the numbers."""
    drawn, *others = numbers(product.bits)
    counts = machine.per_call(product, drawn)
    for of in others:
        if machine.per_call(product, of) != counts:
            sys.exit(f"{product}: the counts depend on the numbers")
    by_class = Counter[str]()
    spilled: dict[str, list[int]] = {}
    for (function, klass), count in counts.items():
        by_class[klass] += count
        if klass.endswith("_stack"):
            spilled.setdefault(function, [0, 0])[klass == "store_stack"] += count
    return {
        "text": f"{product.name}({product.kind}={product.parameter})" if product.kind else product.name,
        "operation": product.operation,
        "word_bits": product.word_bits,
        "words": product.words,
        "counts": {klass: by_class[klass] for klass in CLASSES},
        "stack": dict(sorted(spilled.items(), key=lambda item: (-item[1][1], item[0]))),
    }


def first_line(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def versions() -> dict[str, str]:
    return {
        "rustc": first_line("rustc", "--version"),
        "target": "armv4t-unknown-linux-gnueabi",
        "gcc": first_line("arm-linux-gnueabi-gcc", "--version"),
        "qemu": first_line("qemu-arm", "--version"),
    }


def written(record: dict[str, Any]) -> str:
    """JSON with a line to a row, so that a change shows where it is."""
    rows = ",\n".join("  " + json.dumps(line) for line in record["rows"])
    head = json.dumps({key: value for key, value in record.items() if key != "rows"}, indent=1)
    return f'{head.removesuffix("}").rstrip()},\n "rows": [\n{rows}\n ]\n}}\n'


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    def by_key(record: dict[str, Any]) -> dict[tuple[Any, ...], Any]:
        keys = ("text", "operation", "word_bits", "words")
        return {tuple(line.get(key) for key in keys): line for line in record["rows"]}

    before, after, found = by_key(old), by_key(new), []
    for key in before.keys() | after.keys():
        if before.get(key) != after.get(key):
            was, now = (side.get(key, {}).get("counts", {}) for side in (before, after))
            changed = [
                f"{kind} {was.get(kind)} -> {now.get(kind)}" for kind in CLASSES if was.get(kind) != now.get(kind)
            ]
            found.append(f"{' '.join(map(str, key))}: {', '.join(changed) or 'the stack by function'}")
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--write", action="store_true", help="replace the counts that are checked in")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(options.program, options.plugin, folder)
        for word_bits, lengths in WORDS.items():
            for name, kind, parameter in texts():
                for operation in ("mul", "sqr"):
                    products = [Product(name, operation, kind, parameter, word_bits, words) for words in lengths]
                    rows += [row(machine, product) for product in products]
    record = {"measured": {"date": f"{datetime.now(UTC):%Y-%m-%d}", **versions()}, "rows": rows}
    if options.write:
        COUNTS.write_text(written(record))
        print(f"{len(rows)} rows written to {COUNTS}")
        return
    old = json.loads(COUNTS.read_text())
    found = differences(old, record)
    if found:
        print(*found, sep="\n")
        print(f"checked in: {old['measured']}\nhere: {record['measured']}")
        sys.exit(f"{len(found)} of {len(rows)} rows differ from the counts checked in; `--write` replaces them")
    print(f"{len(rows)} rows, every result right, every count as checked in ({old['measured']['rustc']})")


if __name__ == "__main__":
    main()
