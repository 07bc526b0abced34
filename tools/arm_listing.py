"""The machine code of a program for aarch64 as objdump lists it, in the form of `x86_listing`.

Branches have the names that they have there: `jmp`, `call`, `ret`, `ud2` for a trap; a branch under a condition is
`jcc` with the register that it tests, if it tests one.
"""

import re
import subprocess

from x86_listing import Instruction, Memory, Program

PLAIN = {"b": "jmp", "br": "jmp", "bl": "call", "blr": "call", "ret": "ret", "udf": "ud2", "brk": "ud2"}
BRANCH = re.compile(r"^(b\.[a-z]+|bc\.[a-z]+|cbn?z|tbn?z)$")
#: Bytes of a register by its letter, and of an element of a vector.
SIZES = {"b": 1, "h": 2, "s": 4, "d": 8, "q": 16, "w": 4, "x": 8}


def register(text: str) -> str:
    """The whole register of which this is a part: x3 of w3, v5 of d5 and of v5.2d."""
    if found := re.match(r"^w(\d+)$", text):
        return f"x{found[1]}"
    if found := re.match(r"^[bhsdqv](\d+)(\.[0-9]*[bhsdq])?(\[\d+\])?$", text):
        return f"v{found[1]}"
    return {"wsp": "sp", "wzr": "xzr"}.get(text, text)


def bytes_of(name: str, text: str) -> int:
    """How many bytes a load or a store moves for this register."""
    for end, size in (("b", 1), ("h", 2), ("sw", 4)):
        if re.match(rf"^(ld|st)[a-z]*r[s]?{end}$|^ldpsw$", name):
            return 4 if name == "ldpsw" else size
    if found := re.match(r"^v\d+\.(\d*)([bhsd])(\[\d+\])?$", text):
        return SIZES[found[2]] * int(found[1] or 1)
    return SIZES.get(text[0], 8)


def split(text: str) -> list[str]:
    """The operands: commas in brackets and braces do not count."""
    parts, depth, last = [], 0, 0
    for at, letter in enumerate(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(text[last:at].strip())
            last = at + 1
    return [part for part in [*parts, text[last:].strip()] if part]


def memory(text: str, size: int) -> Memory:
    registers: list[tuple[str, int]] = []
    offset = 0
    parts = [part.strip() for part in text.strip("![]").split(",")]
    for part in parts:
        if part.startswith("#"):
            offset = number_of(part)
        elif found := re.match(r"^(?:lsl|uxtw|sxtw|sxtx)(?: #(\d+))?$", part):
            name, _ = registers[-1]
            registers[-1] = (name, 1 << int(found[1] or 0))
        else:
            registers.append((part, 1))
    return Memory(tuple(registers), offset, size, None)


def number_of(text: str) -> int:
    text = text.lstrip("#")
    return -int(text[1:], 0) if text.startswith("-") else int(text, 0)


def instruction(address: int, text: str) -> Instruction:
    body = re.sub(r"\s+//.*$", "", text.strip())
    name, _, rest = body.partition("\t")
    rest = re.sub(r"\s*<.*>$", "", rest)
    parts = split(rest)
    shown = f"{address:x}: {body}".replace("\t", " ")
    if name in PLAIN or BRANCH.match(name):
        last = parts[-1] if parts else ""
        target = int(last, 16) if re.match(r"^(0x)?[0-9a-f]+$", last) and not re.match(r"^x\d+$", last) else None
        tested = tuple(parts[:1]) if re.match(r"^[ct]b", name) else ()
        read = tested if name not in PLAIN else () if target is not None or name == "ret" else tuple(parts[:1])
        return Instruction(address, PLAIN.get(name, "jcc"), read, None, False, target, shown)
    operands: list[str | int | Memory] = []
    for at, part in enumerate(parts):
        if part.startswith("["):
            operands.append(memory(part, bytes_of(name, parts[0].strip("{}").split(",")[0].strip())))
            # Written back: before, by an exclamation mark, or after, by what follows.
            if part.endswith("!"):
                operands.append("!")
            elif at + 1 < len(parts):
                operands.append("after")
        elif part.startswith("{"):
            index = re.search(r"\}(\[\d+\])$", part)
            for one in part[1 : part.index("}")].split(","):
                operands.append(one.strip() + (index[1] if index else ""))
        elif part.startswith("#"):
            operands.append(number_of(part) if re.match(r"^#-?(0x)?[0-9a-f]+$", part) else part)
        elif name in ("adrp", "adr") and at == 1:
            operands.append(int(part, 16))
        elif name.startswith("ldr") and re.match(r"^[0-9a-f]+$", part):
            operands.append(Memory((), 0, 8, int(part, 16)))
        else:
            operands.append(part)
    return Instruction(address, name, tuple(operands), None, False, None, shown)


class ArmProgram(Program):
    """The disassembled program for aarch64."""

    @classmethod
    def listed(cls, objdump: str, path: str) -> "ArmProgram":
        """By this objdump, of binutils for aarch64."""
        program = cls()

        def told(*arguments: str) -> list[str]:
            run = subprocess.run([objdump, *arguments, path], check=True, capture_output=True, text=True)
            return run.stdout.splitlines()

        program.take(told("-d", "-C", "-w", "--no-show-raw-insn"), instruction)
        # A static program at a fixed place: addresses stand in its data, and the loader has nothing to fill in.
        program.take_constants(told("-s", "-j", ".data.rel.ro", "-j", ".got"))
        for at, data in program.constants:
            for offset in range(0, len(data) - 7, 8):
                value = int.from_bytes(data[offset : offset + 8], "little")
                if value in program.code:
                    program.pointers[at + offset] = ("code", value)
        program.constants.clear()
        program.take_constants(told("-s", "-j", ".rodata"))
        return program
