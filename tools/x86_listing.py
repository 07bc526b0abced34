"""A program's machine code as objdump lists it: instructions with operands, functions, pointers and constants."""

import bisect
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

NAMES = {
    **{name: f"r{name[-2:]}" for name in ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp")},
    **{f"e{two}": f"r{two}" for two in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")},
}
WIDE = {f"r{i}{end}": f"r{i}" for i in range(8, 16) for end in ("", "d")} | NAMES
NARROW = {f"r{i}{end}": f"r{i}" for i in range(8, 16) for end in ("w", "b")}
for letter in "abcd":
    NARROW |= {f"{letter}{end}": f"r{letter}x" for end in ("x", "l", "h")}
for two in ("si", "di", "bp", "sp"):
    NARROW |= {two: f"r{two}", f"{two}l": f"r{two}"}
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}


@dataclass(frozen=True)
class Memory:
    """An operand in memory."""

    registers: tuple[tuple[str, int], ...]
    offset: int
    size: int
    absolute: int | None  # where `[rip+..]` points


@dataclass(frozen=True)
class Instruction:
    address: int
    name: str
    operands: tuple[str | int | Memory, ...]
    mask: str | None
    zeroing: bool
    target: int | None
    text: str


def number(text: str) -> int:
    value = int(text, 16)
    return value - (1 << 64) if value >> 63 else value


def register(text: str) -> str:
    if text[1:3] == "mm":
        return "zmm" + text[3:]
    return WIDE.get(text) or NARROW.get(text) or text


def operand(text: str, absolute: int | None) -> str | int | Memory:
    """A register by its own name, a constant, or memory."""
    if "[" not in text:
        text = text.removeprefix("OFFSET ").strip()
        return number(text) if re.match(r"^-?0x[0-9a-f]+$", text) else text
    size = next((SIZES[word] for word in text.split()[:1] if word in SIZES), 8)
    registers, offset = [], 0
    for sign, part in re.findall(r"([+-]?)([^+\-\[\]]+)", text[text.index("[") : text.index("]")]):
        name, _, scale = part.partition("*")
        if re.match(r"^0x", name):
            offset += -number(name) if sign == "-" else number(name)
        elif name != "rip":
            registers.append((name, int(scale or 1)))
    return Memory(tuple(registers), offset, size, absolute if "[rip" in text else None)


def instruction(address: int, text: str) -> Instruction:
    text = re.sub(r"^(notrack|bnd|data16|cs) ", "", text.strip())
    comment = re.search(r"\s+# ([0-9a-f]+)( <.*)?$", text)
    body = text[: comment.start()] if comment else text
    absolute = int(comment[1], 16) if comment else None
    name, _, rest = body.strip().partition(" ")
    rest = re.sub(r"<.*>", "", rest).strip()
    target = int(rest, 16) if re.match(r"^(j[a-z]+|call)$", name) and re.match(r"^[0-9a-f]+$", rest) else None
    mask = re.search(r"\{(k[1-7])\}", rest)
    plain = re.sub(r"\{[a-z0-9-]*\}", "", rest)
    parts = [part.strip() for part in plain.split(",")] if plain and target is None else []
    operands = tuple(operand(part, absolute) for part in parts)
    return Instruction(address, name, operands, mask and mask[1], "{z}" in rest, target, f"{address:x}: {body.strip()}")


@dataclass
class Program:
    """The disassembled program."""

    code: dict[int, Instruction] = field(default_factory=dict)
    next: dict[int, int] = field(default_factory=dict)
    functions: list[tuple[int, int, str]] = field(default_factory=list)
    pointers: dict[int, tuple[object, ...]] = field(default_factory=dict)
    constants: list[tuple[int, bytes]] = field(default_factory=list)
    tables: dict[int, set[int | None]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str) -> "Program":
        def objdump(*arguments: str) -> str:
            return subprocess.run(["objdump", *arguments, path], check=True, capture_output=True, text=True).stdout

        program = cls()
        program.take(objdump("-d", "-C", "-w", "-M", "intel", "--no-show-raw-insn").splitlines(), instruction)
        # Addresses that the loader fills in: the table of functions of other files and of this one.
        for line in objdump("-R").splitlines():
            if found := re.match(r"^([0-9a-f]+) R_X86_64_(\S+)\s+(\S+)", line):
                own = found[2] == "RELATIVE" and found[3].removeprefix("*ABS*+")
                code: tuple[object, ...] = ("code", int(own, 16)) if own else ("code", found[3])
                program.pointers[int(found[1], 16)] = code
        program.take_constants(objdump("-s", "-j", ".rodata").splitlines())
        return program

    def take(self, listing: list[str], instruction: Callable[[int, str], Instruction]) -> None:
        """Functions and instructions of a listing."""
        name, last = "", -1
        for line in listing:
            if head := re.match(r"^([0-9a-f]+) <(.*)>:$", line):
                name = head[2]
                self.functions.append((int(head[1], 16), int(head[1], 16), name))
            elif name and (found := re.match(r"^ *([0-9a-f]+):\t(.*)", line)):
                address = int(found[1], 16)
                self.code[address] = instruction(address, found[2])
                self.functions[-1] = (self.functions[-1][0], address, name)
                self.next[last] = last = address

    def take_constants(self, listing: list[str]) -> None:
        for line in listing:
            if found := re.match(r"^ ([0-9a-f]+) ((?:[0-9a-f]+ ){1,4})", line):
                self.constants.append((int(found[1], 16), bytes.fromhex(found[2].replace(" ", ""))))

    def function(self, address: int) -> tuple[int, int, str]:
        return self.functions[bisect.bisect_right(self.functions, (address, sys.maxsize, "")) - 1]

    def data(self, address: int, size: int) -> bytes:
        at = bisect.bisect_right(self.constants, (address, b"\xff" * 17)) - 1
        text = b"".join(line for _, line in self.constants[at : at + 2]) if at >= 0 else b""
        start = address - self.constants[at][0]
        return text[start : start + size]

    def jump_targets(self, function: tuple[int, int, str], table: int) -> list[int]:
        """The targets of the entries of a jump table, which ends at the next table or at an entry without a target."""
        first, last, _ = function
        if first not in self.tables:
            loads = (self.code[address] for address in range(first, last + 1) if address in self.code)
            places = [load.operands[1] for load in loads if load.name == "lea"]
            self.tables[first] = {place.absolute for place in places if isinstance(place, Memory)} - {None}
        targets: list[int] = []
        entry = table
        while entry == table or entry not in self.tables[first]:
            word = self.data(entry, 4)
            target = table + int.from_bytes(word, "little", signed=True)
            if len(word) < 4 or not first <= target <= last or target not in self.code:
                break
            targets.append(target)
            entry += 4
        return targets
