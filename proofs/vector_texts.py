"""Runs texts of vector kernels on unknown lanes: a Rust function becomes a program over bit vectors, line by line.

The operations are those of the traits `VectorUnit` and `Vectors` as their comments define them; tests
compare the instructions with these. What is proved is the text over these operations.
"""

import re
from collections.abc import Callable

import z3

from proofs.report import Report
from proofs.rust_text import NotUnderstoodError, Sources, value

LANES = 8
Vector = list[z3.BitVecRef]


def words(number: int) -> z3.BitVecRef:
    return z3.BitVecVal(number, 64)


class Memory:
    """Vectors by the number of their first word."""

    def __init__(self, vectors: list[Vector], at: int = 0) -> None:
        self.vectors, self.at = vectors, at

    def add(self, count: int) -> "Memory":
        return Memory(self.vectors, self.at + count)


class Unit:
    """The operations, lane by lane; marks are 64 bits."""

    def splat(self, word: int) -> Vector:
        return [words(word)] * LANES

    def zero(self) -> Vector:
        return self.splat(0)

    def load(self, place: Memory) -> Vector:
        return place.vectors[place.at // LANES]

    def store(self, place: Memory, vector: Vector) -> None:
        place.vectors[place.at // LANES] = vector

    def add(self, a: Vector, b: Vector) -> Vector:
        return [x + y for x, y in zip(a, b, strict=True)]

    add_signed = add

    def sub_signed(self, a: Vector, b: Vector) -> Vector:
        return [x - y for x, y in zip(a, b, strict=True)]

    def and_(self, a: Vector, b: Vector) -> Vector:
        return [x & y for x, y in zip(a, b, strict=True)]

    def carry(self, a: Vector) -> Vector:
        return [z3.LShR(x, 52) for x in a]

    def signed_carry(self, a: Vector) -> Vector:
        return [x >> 52 for x in a]

    def select(self, sign: Vector, if_negative: Vector, otherwise: Vector) -> Vector:
        lanes = zip(sign, if_negative, otherwise, strict=True)
        return [z3.If(s < 0, x, y) for s, x, y in lanes]

    def up(self, a: Vector, below: Vector) -> Vector:
        return [below[LANES - 1], *a[: LANES - 1]]

    def edges(self, a: Vector) -> z3.BitVecRef:
        marks = words(0)
        for lane, x in enumerate(a):
            lower = z3.If(z3.Extract(31, 0, x) != 0, words(1 << (2 * lane)), words(0))
            upper = z3.If(z3.Extract(52, 52, x) == 1, words(2 << (2 * lane)), words(0))
            marks = marks | lower | upper
        return marks

    def lower_marks(self, count: int) -> z3.BitVecRef:
        return words(0x5555_5555_5555_5555 >> (64 - 16 * count))

    def beside_16(self, below: z3.BitVecRef, above: z3.BitVecRef) -> z3.BitVecRef:
        return (below & 0xFFFF) | ((above & 0xFFFF) << 16)

    def beside_32(self, below: z3.BitVecRef, above: z3.BitVecRef) -> z3.BitVecRef:
        return (below & 0xFFFF_FFFF) | (above << 32)

    def sum_of_marks(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
        return a + b

    def differing(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
        return a ^ b

    def marks_down(self, marks: z3.BitVecRef, count: int) -> z3.BitVecRef:
        return z3.LShR(marks, count)

    def ones_at(self, marks: z3.BitVecRef) -> Vector:
        return [z3.ZeroExt(63, z3.Extract(2 * lane, 2 * lane, marks)) for lane in range(LANES)]


REPLACED = (
    (r"//[^\n]*", ""),
    (r"\s+", " "),
    (r"\bunsafe \{ ([^{};]*) \}", r"\1"),
    (r"\b(ops|unit)\.and\(", r"\1.and_("),
    (r"ops\.lower_marks::<G>\(\)", "ops.lower_marks(G)"),
    (r"ops\.marks_down::<(\d+)>\((\w+)\)", r"ops.marks_down(\2, \1)"),
    (r"\blet (?:mut )?", ""),
    (r"\*below\b", "below[0]"),
    (r"usize::from\(", "int("),
    (r"\bfrom\b", "from_"),
    (r"\[ops\.zero\(\); G\]", "[ops.zero()] * G"),
    (r"unit\.get\((\w+)\)", r"\1.get()"),
    (r"unit\.set\((\w+), ", r"\1.set("),
)

HEADS = (
    (r"for (\w+) in (\w+)\.\.(\w+)", r"for \1 in range(\2, \3):"),
    (
        r"for \(\((\w+), (\w+)\), (\w+)\) in ([\w.]+)\.iter\(\)\.zip\(([\w.]+)\)\.zip\(([\w.]+)\)",
        r"for \1, \2, \3 in zip(\4, \5, \6):",
    ),
    (r"for \((\w+), (\w+)\) in ([\w.]+)\.iter\(\)\.zip\(([\w.]+)\)", r"for \1, \2 in zip(\3, \4):"),
    (r"if Some\((\w+)\) = \1", r"if \1 is not None:"),
    (r"if (\w+ > \w+)", r"if \1:"),
    # Leaks that are planted in builds of the gate's tests.
    (r"if cfg!\(.*", "if False:"),
)


def body_of(text: str, head: str) -> str:
    """What stands between the braces of a function whose head begins so."""
    found = re.search(rf"{head}[^{{]*\{{", text)
    if not found:
        raise NotUnderstoodError(f"a function: {head}")
    depth, at = 1, found.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[found.end() : at - 1]


def to_python(name: str, arguments: str, body: str) -> str:
    """A function in Python: bindings, loops over ranges, conditions, the value at the end."""
    for pattern, instead in REPLACED:
        body = re.sub(pattern, instead, body)
    if arms := re.fullmatch(r" ?match (\w+) \{ (.*) \} ?", body):
        choices = re.findall(r"(\w+) => ([^,]*\([^)]*\)|\w+),?", arms[2])
        text = "".join(f"{value} if {arms[1]} == {at} else " for at, value in choices if at != "_")
        return f"def {name}({arguments}):\n    return {text}{dict(choices)['_']}\n"
    lines, blocks, statement = [f"def {name}({arguments}):"], [True], ""
    for letter in body + "}":
        if letter not in "{};":
            statement += letter
            continue
        indent, statement = "    " * sum(blocks), statement.strip()
        if letter == "{":
            head = next(
                (re.sub(pattern, to, statement) for pattern, to in HEADS if re.fullmatch(pattern, statement)), ""
            )
            if not head and statement not in ("", "unsafe"):
                raise NotUnderstoodError(f"a block: {statement}")
            lines += [indent + head] if head else []
            blocks.append(bool(head))
        else:
            is_value = letter == "}" and len(blocks) == 1
            lines += [f"{indent}{'return ' if is_value else ''}{statement}"] if statement else []
            if letter == "}":
                blocks.pop()
        statement = ""
    return "\n".join(lines) + "\n"


class Cell:
    """A vector in memory."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector

    def get(self) -> Vector:
        return self.vector

    def set(self, vector: Vector) -> None:
        self.vector = vector


class Residue:
    """The fields of a task."""

    def __init__(self, x: list[Cell], m: list[Cell], scratch: list[Cell]) -> None:
        self.x, self.m, self.scratch = x, m, scratch


def proved(assumptions: list[z3.BoolRef], claim: z3.BoolRef) -> str:
    """Nothing, or the operands for which the claim does not hold."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", 1_800_000)  # so that none hangs: most take a second
    solver.add(*assumptions)
    if solver.check() != z3.sat:
        return "no operand meets the assumptions"
    solver.add(z3.Not(claim))
    answer = solver.check()
    if answer == z3.unsat:
        return ""
    return str(solver.model()) if answer == z3.sat else "the solver gave up"


def text_of(
    sources: Sources, file: str, functions: tuple[tuple[str, str, str], ...]
) -> dict[str, Callable[..., object]]:
    """Functions of a file: name, arguments, head."""
    mask = value(sources.constant("kernel/vector/mod.rs", "MASK"))
    names: dict[str, Callable[..., object]] = {"MASK": mask, "LANES": LANES}  # type: ignore[dict-item]
    for name, arguments, head in functions:
        exec(to_python(name, arguments, body_of(sources.text(file), head)), names)
    return names


CARRY = (
    ("marks_from", "ops, marks, k", r"fn marks_from<"),
    ("carry_once", "ops, from_, below", r"fn carry_once<"),
    ("carry_group", "ops, from_, to, below, carry, G", r"fn carry_group<"),
)


def carry_group(sources: Sources, count: int) -> str:
    """The carries of `count` vectors by marks are those of limbs one after the other."""
    names = text_of(sources, "kernel/row/carry.rs", CARRY)
    columns = [[z3.BitVec(f"column{8 * k + lane}", 64) for lane in range(LANES)] for k in range(count)]
    below, first = z3.BitVec("below", 64), z3.BitVec("carry", 64)
    memory: list[Vector] = [list(vector) for vector in columns]
    place = Memory(memory)
    marks = names["carry_group"](Unit(), place, place, [[words(0)] * 7 + [below]], first, count)
    assert isinstance(marks, z3.BitVecRef)
    equal, carry, from_below = [], first, below
    limbs = [limb for vector in memory for limb in vector]
    for column, limb in zip([column for vector in columns for column in vector], limbs, strict=True):
        whole = (column & words((1 << 52) - 1)) + from_below + carry
        equal.append(limb == whole & words((1 << 52) - 1))
        carry, from_below = z3.LShR(whole, 52), z3.LShR(column, 52)
    small = [z3.ULE(first, words(1)), z3.ULT(below, words(1 << 12))]
    return proved(small, z3.And(*equal, marks == carry))


def reduce_once(sources: Sources, limbs: int) -> str:
    """x mod m for x < 2m, whose limbs may have bits above the low 52."""
    head = r"impl Task for ReduceOnce<'_> \{\s*#\[inline\(always\)\]\s*fn run<"
    names = text_of(sources, "kernel/lanes/mod.rs", (("reduce_once", "self, unit", head),))
    x = [z3.BitVec(f"x{index}", 64) for index in range(limbs)]
    m = [z3.BitVec(f"m{index}", 64) for index in range(limbs)]
    cells = [[Cell([word] * LANES) for word in number] for number in (x, m, [words(0)] * limbs)]
    names["reduce_once"](Residue(*cells), Unit())

    def number(of: list[z3.BitVecRef]) -> z3.BitVecRef:
        low = [
            z3.ZeroExt(1, z3.Extract(51, 0, word)) if index == limbs - 1 else z3.Extract(51, 0, word)
            for index, word in enumerate(of)
        ]
        return z3.Concat(*reversed(low)) if limbs > 1 else low[0]

    whole, modulus = number(x), number(m)
    out = [cell.vector[0] for cell in cells[0]]
    below = [z3.ULT(word, words(1 << 52)) for word in m] + [z3.ULT(z3.LShR(whole, 1), modulus), z3.UGT(modulus, 0)]
    expected = z3.If(z3.UGE(whole, modulus), whole - modulus, whole)
    return proved(below, z3.And(number(out) == expected, *[z3.ULT(word, words(1 << 52)) for word in out]))


def check(sources: Sources, full: bool) -> Report:
    """All lemmas, or those of `make test`."""
    report = Report()
    claims: list[tuple[str, Callable[[Sources, int], str], int]] = []
    claims += [(f"carry_group of {count} vectors", carry_group, count) for count in ((1, 2, 3) if full else (1,))]
    claims += [(f"reduce_once of {limbs} limbs", reduce_once, limbs) for limbs in ((1, 2, 3, 4) if full else (2,))]
    for name, prove, count in claims:
        try:
            wrong = prove(sources, count)
        except NotUnderstoodError as error:
            wrong = str(error)
        if wrong:
            report.failed.append(f"vectors: {name}: {wrong[:400]}")
        else:
            report.held.append(f"vectors: {name}")
    return report
