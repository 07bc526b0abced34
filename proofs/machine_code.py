"""Runs compiled code of the mulx kernel on unknown words, and proves what it computes by linear arithmetic on integers.

The code is the disassembly of the compiled library. A register holds a linear expression of unknowns: words of the
operands, products, high halves of products, carries. A product of two words is an unknown up to (b - 1)^2, so carries,
places and ranges around products are proved, not products. Pointers and counts are known, so that a run is one length.
The loop of a block is also entered with an unknown window and run to its next turn: an induction over the length.

If a lemma does not hold, the same code runs on words that like the carry edges until it computes something else: those
words are printed as operands for the test-suite.
"""

import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path

import z3

from proofs.report import Report
from proofs.rust_text import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from x86_listing import WIDE, Instruction, Memory, instruction

BASE = 1 << 64
# Milliseconds for a question, so that none hangs: the hardest one takes half a minute, and longer on a busy processor.
TIMEOUT = 1_800_000
# Up to so many it is checked that the assumptions of a lemma do not contradict each other.
FEW_PRODUCTS = 6
PLACE = "pingala_core::kernel::mulx::"
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


class StuckError(Exception):
    """The code does what no lemma knows."""


@dataclass(frozen=True)
class Linear:
    """A sum of unknowns times numbers, and a number."""

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    @staticmethod
    def of(name: str) -> "Linear":
        return Linear(((name, 1),))

    def plus(self, other: "Linear", times: int = 1) -> "Linear":
        terms = dict(self.terms)
        for name, count in other.terms:
            terms[name] = terms.get(name, 0) + times * count
        kept = tuple(sorted((name, count) for name, count in terms.items() if count))
        return Linear(kept, self.constant + times * other.constant)

    def known(self) -> int | None:
        return None if self.terms else self.constant


ZERO = Linear()


@dataclass(frozen=True)
class Pointer:
    """A place: words of an operand, or the stack."""

    base: str
    offset: int


Value = Linear | Pointer


def number(value: int) -> Linear:
    return Linear((), value)


def total(words: list[Linear]) -> Linear:
    """The number of some words, least significant first."""
    result = ZERO
    for place, word in enumerate(words):
        result = result.plus(word, BASE**place)
    return result


@dataclass
class Machine:
    """Registers, flags and memory; what is known of the unknowns."""

    code: list[Instruction]
    decisions: list[bool]
    registers: dict[str, Value] = field(default_factory=dict)
    memory: dict[tuple[str, int], Value] = field(default_factory=dict)
    # None: an instruction left something there that no lemma knows.
    carry: Linear | None = None
    overflow: Linear | None = None
    zero: Linear | bool | None = None
    taken: int = 0
    # Quotient words: the unknown, the word that it makes vanish.
    quotients: dict[str, Linear] = field(default_factory=dict)
    products: dict[tuple[Linear, Linear], tuple[Linear, Linear]] = field(default_factory=dict)
    solver: z3.Solver = field(default_factory=z3.Solver)
    count: int = 0
    modulus: list[Linear] = field(default_factory=list)
    quotient_words: list[Linear] = field(default_factory=list)
    # Where only what the code reads matters.
    proves_nothing: bool = False
    # Draws words in the place of unknown ones: a search for operands.
    dice: random.Random | None = None
    drawn: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.solver.set("timeout", TIMEOUT)
        self.places = {line.address: index for index, line in enumerate(self.code)}

    # --- unknowns -----------------------------------------------------------------------------------------------

    def term(self, value: Linear) -> z3.ArithRef:
        parts = [count * z3.Int(name) for name, count in value.terms]
        return z3.Sum([z3.IntVal(value.constant), *parts])

    def unknown(self, name: str, most: int) -> Linear:
        if self.dice:
            value = min(edge_word(self.dice), most)
            self.drawn.append((name, value))
            return number(value)
        name, self.count = f"{name}{self.count}", self.count + 1
        self.solver.add(z3.Int(name) >= 0, z3.Int(name) <= most)
        return Linear.of(name)

    def in_word(self, value: Linear) -> Linear:
        if value.known() is None:
            self.solver.add(self.term(value) >= 0, self.term(value) < BASE)
        return value

    def word(self, name: str) -> Linear:
        return self.unknown(name, BASE - 1)

    def m_prime(self) -> Linear:
        """-1 / m modulo b."""
        lowest = self.modulus[0].known()
        if lowest is not None:
            return number(-pow(lowest, -1, BASE) % BASE)
        self.solver.add(z3.Int("m'") >= 0, z3.Int("m'") < BASE)
        return Linear.of("m'")

    def proves(self, claim: z3.BoolRef) -> bool:
        if self.proves_nothing:
            return False
        self.solver.push()
        self.solver.add(z3.Not(claim))
        answer = self.solver.check()
        self.solver.pop()
        return bool(answer == z3.unsat)

    def equal(self, a: Linear, b: Linear) -> bool:
        difference = a.plus(b, -1)
        return difference == ZERO or self.proves(self.term(difference) == 0)

    # --- values -------------------------------------------------------------------------------------------------

    def address(self, place: Memory) -> tuple[str, int]:
        base, offset = None, place.offset
        for name, scale in place.registers:
            value = self.register(name)
            if isinstance(value, Pointer):
                base, offset = value.base, offset + value.offset
            else:
                known = value.known()
                if known is None:
                    raise StuckError(f"an address that depends on a word: {place}")
                offset += scale * known
        if base is None:
            raise StuckError(f"an address without a place: {place}")
        return base, offset

    def register(self, name: str) -> Value:
        if name not in self.registers:
            raise StuckError(f"a register that holds nothing is read: {name}")
        return self.registers[name]

    def get(self, operand: str | int | Memory) -> Value:
        if isinstance(operand, int):
            return number(operand % BASE)
        if isinstance(operand, Memory):
            at = self.address(operand)
            if at not in self.memory:
                raise StuckError(f"memory that holds nothing is read: {at}")
            return self.memory[at]
        value = self.register(wide(operand))
        known = value.known() if isinstance(value, Linear) else None
        if wide(operand) != operand and (known is None or known >= 1 << 32):
            raise StuckError(f"half of a register: {operand}")
        return value

    def linear(self, operand: str | int | Memory) -> Linear:
        value = self.get(operand)
        if isinstance(value, Pointer):
            raise StuckError(f"a pointer as a word: {operand}")
        return value

    def put(self, operand: str | int | Memory, value: Value) -> None:
        if isinstance(operand, Memory):
            self.memory[self.address(operand)] = value
        elif isinstance(operand, str):
            if wide(operand) != operand and isinstance(value, Linear) and not self.proves_nothing:
                # Results are computed modulo b, not modulo 2^32.
                known = value.known()
                if not (known < 1 << 32 if known is not None else self.proves(self.term(value) < 1 << 32)):
                    raise StuckError(f"half of a register: {operand}")
            self.registers[wide(operand)] = value

    # --- instructions -------------------------------------------------------------------------------------------

    def with_carry(self, a: Linear, b: Linear, carry: Linear) -> tuple[Linear, Linear]:
        """The word of a sum, and its carry."""
        whole = a.plus(b).plus(carry)
        known = whole.known()
        if known is not None:
            return number(known % BASE), number(known // BASE)
        out = self.unknown("c", 1)
        return self.in_word(whole.plus(out, -BASE)), out

    def with_borrow(self, a: Linear, b: Linear, borrow: Linear) -> tuple[Linear, Linear]:
        whole = a.plus(b, -1).plus(borrow, -1)
        known = whole.known()
        if known is not None:
            return number(known % BASE), number(int(known < 0))
        out = self.unknown("c", 1)
        return self.in_word(whole.plus(out, BASE)), out

    def product(self, a: Linear, b: Linear) -> tuple[Linear, Linear]:
        """The halves of a product: an unknown, cut."""
        left, right = a.known(), b.known()
        if left is not None and right is not None:
            return number(left * right % BASE), number(left * right // BASE)
        key = (a, b) if repr(a) <= repr(b) else (b, a)
        if key not in self.products:
            product, high = self.unknown("p", (BASE - 1) ** 2), self.unknown("h", BASE - 2)
            self.products[key] = (product, high)
            low = self.in_word(product.plus(high, -BASE))
            for quotient, modulus in ((a, b), (b, a)):
                names = [name for name, _ in quotient.terms]
                if len(names) == 1 and names[0] in self.quotients and modulus in self.modulus[:1]:
                    # The quotient word makes that word vanish: Coq's quotient_makes_divisible.
                    vanishing = self.quotients[names[0]]
                    some = self.unknown("z", 1)
                    self.solver.add(self.term(low.plus(vanishing).plus(some, -BASE)) == 0)
        product, high = self.products[key]
        return product.plus(high, -BASE), high

    def row(self, word: Linear, words: list[Linear]) -> None:
        """Forms the products of a word by those of a number; their sum is the word times the number."""
        halves = [self.product(word, other) for other in words]
        whole = total([low for low, _ in halves]).plus(total([high for _, high in halves]), BASE)
        self.solver.add(self.term(whole.plus(total(words), 1 - BASE)) <= 0)

    def product_of(self, a: Linear, b: Linear) -> Linear:
        """The whole product; it must have been formed."""
        left, right = a.known(), b.known()
        if left is not None and right is not None:
            return number(left * right)
        key = (a, b) if repr(a) <= repr(b) else (b, a)
        if key not in self.products:
            raise StuckError("a product that the code does not form")
        return self.products[key][0]

    def settled(self, flag: Linear) -> Linear:
        """A flag as a number, if it can be proved to be 0."""
        return ZERO if flag.known() is None and self.proves(self.term(flag) == 0) else flag

    def flag(self, value: Linear | None) -> Linear:
        """A flag that is read."""
        if value is None:
            raise StuckError("a flag that no lemma knows is read")
        return value

    def drop_flags(self) -> None:
        """Flags are overwritten: from here on it is known that they were 0, where that can be proved."""
        for flag in (self.carry, self.overflow):
            if flag is not None and flag.known() is None and self.settled(flag) == ZERO:
                self.solver.add(self.term(flag) == 0)
        self.carry = self.overflow = self.zero = None

    def decide(self, condition: z3.BoolRef) -> bool:
        if self.taken == len(self.decisions):
            self.decisions.append(True)
        choice = self.decisions[self.taken]
        self.taken += 1
        self.solver.add(condition if choice else z3.Not(condition))
        return choice

    def holds(self, name: str) -> bool:
        """Whether the condition of a jump or a move holds."""
        condition = re.sub("^(j|cmov)", "", name)
        if condition in ("e", "z", "ne", "nz"):
            if self.zero is None:
                raise StuckError(f"a flag that no lemma knows is read: {name}")
            if isinstance(self.zero, Linear):
                self.zero = self.decide(self.term(self.zero) == 0)
            return self.zero == (condition in ("e", "z"))
        if condition in ("b", "c", "ae", "nc"):
            carry = self.flag(self.carry)
            known = carry.known()
            if known is None:
                known = int(self.decide(self.term(carry) == 1))
                self.carry = number(known)
            return bool(known) == (condition in ("b", "c"))
        raise StuckError(f"a condition: {name}")

    def step(self, line: Instruction, at: int) -> int | None:
        """Runs an instruction; the place of the next one, or None at the end."""
        name, operands = line.name, line.operands
        match name:
            case "push":
                stack = self.registers["rsp"]
                assert isinstance(stack, Pointer)
                self.registers["rsp"] = Pointer("stack", stack.offset - 8)
                self.memory["stack", stack.offset - 8] = self.get(operands[0])
            case "pop":
                stack = self.registers["rsp"]
                assert isinstance(stack, Pointer)
                self.put(operands[0], self.memory["stack", stack.offset])
                self.registers["rsp"] = Pointer("stack", stack.offset + 8)
            case "ret":
                return None
            case "nop":
                pass
            case "mov" | "movabs":
                self.put(operands[0], self.get(operands[1]))
            case "lea":
                place = operands[1]
                assert isinstance(place, Memory)
                try:
                    base, offset = self.address(place)
                    self.put(operands[0], Pointer(base, offset))
                except StuckError:
                    whole = place.offset
                    for register, scale in place.registers:
                        known = self.linear(register).known()
                        if known is None:
                            raise
                        whole += scale * known
                    self.put(operands[0], number(whole % BASE))
            case "xor" if operands[0] == operands[1]:
                self.drop_flags()
                self.carry = self.overflow = ZERO
                self.put(operands[0], ZERO)
                self.zero = True
            case "mulx":
                low, high = self.product(self.linear("rdx"), self.linear(operands[2]))
                self.put(operands[1], low)
                self.put(operands[0], high)
            case "imul" if len(operands) == 2:
                of, by, inverse = self.linear(operands[0]), self.linear(operands[1]), Linear.of("m'")
                left, right = of.known(), by.known()
                if left is not None and right is not None:
                    quotient = number(left * right % BASE)
                elif inverse in (of, by):
                    quotient = self.word("u")
                    self.quotients[quotient.terms[0][0]] = by if of == inverse else of
                    self.row(quotient, self.modulus)
                else:
                    raise StuckError(f"a product that is no quotient word: {line.text}")
                self.quotient_words.append(quotient)
                self.drop_flags()
                self.put(operands[0], quotient)
            case "adcx" | "adc":
                carry = self.flag(self.carry)
                sum_, self.carry = self.with_carry(self.linear(operands[0]), self.linear(operands[1]), carry)
                if name == "adc":
                    self.overflow = self.zero = None
                self.put(operands[0], sum_)
            case "adox":
                overflow = self.flag(self.overflow)
                sum_, self.overflow = self.with_carry(self.linear(operands[0]), self.linear(operands[1]), overflow)
                self.put(operands[0], sum_)
            case "sbb":
                borrow = self.flag(self.carry)
                rest, self.carry = self.with_borrow(self.linear(operands[0]), self.linear(operands[1]), borrow)
                self.overflow = self.zero = None
                self.put(operands[0], rest)
            case "add" | "sub" | "cmp":
                self.sum(name, operands)
            case "neg":
                value = self.linear(operands[0])
                if not self.proves(self.term(value) <= 1):
                    raise StuckError("neg of more than a bit")
                self.drop_flags()
                self.carry = value
                self.put(operands[0], self.in_word(value.plus(value, -2).plus(value, BASE)))
            case "test" if operands[0] == operands[1]:
                value = self.linear(operands[0])
                known = value.known()
                self.zero = value if known is None else known == 0
                self.carry = self.overflow = ZERO
            case "shr" | "and":
                count, places = self.linear(operands[0]).known(), self.linear(operands[1]).known()
                if count is None or places is None:
                    raise StuckError(f"{line.text} of a word")
                self.drop_flags()
                self.put(operands[0], number(count >> places if name == "shr" else count & places))
                if name == "and":
                    self.carry = self.overflow = ZERO
            case "jmp":
                assert line.target is not None
                return self.places[line.target]
            case "jrcxz":
                known = self.linear("rcx").known()
                if known is None:
                    raise StuckError("a loop over an unknown count")
                target = int(str(operands[0]), 16) if operands else line.target
                assert target is not None
                return self.places[target] if known == 0 else at + 1
            case _ if name.startswith("j"):
                assert line.target is not None
                return self.places[line.target] if self.holds(name) else at + 1
            case _ if name.startswith("cmov"):
                if self.holds(name):
                    self.put(operands[0], self.get(operands[1]))
            case _:
                raise StuckError(f"an instruction: {line.text}")
        return at + 1

    def sum(self, name: str, operands: tuple[str | int | Memory, ...]) -> None:
        a, b = self.get(operands[0]), self.get(operands[1])
        if isinstance(a, Pointer):
            if isinstance(b, Pointer):
                if name != "cmp" or a.base != b.base:
                    raise StuckError("arithmetic on pointers")
                self.drop_flags()
                self.zero = a.offset == b.offset
                return
            by = b.known()
            assert by is not None
            self.drop_flags()
            self.put(operands[0], Pointer(a.base, a.offset + (by if name == "add" else -by)))
            return
        assert isinstance(b, Linear)
        self.drop_flags()
        result, self.carry = self.with_carry(a, b, ZERO) if name == "add" else self.with_borrow(a, b, ZERO)
        known = result.known()
        self.zero = result if known is None else known == 0
        if name != "cmp":
            self.put(operands[0], result)

    def run(self, start: int = 0, until: Callable[["Machine", int], bool] = lambda machine, at: False) -> int | None:
        at: int | None = start
        for _ in range(20_000):
            if at is None or until(self, at):
                return at
            at = self.step(self.code[at], at)
        raise StuckError("no end")


def edge_word(dice: random.Random) -> int:
    """A word that likes the carry edges."""
    edges = (0, 1, BASE - 1, BASE - 2, BASE // 2, BASE // 2 - 1)
    return dice.choice(edges) if dice.random() < 0.6 else dice.getrandbits(64)


def wide(name: str) -> str:
    return WIDE.get(name, name)


# --- the code ---------------------------------------------------------------------------------------------------------


def library() -> Path | None:
    """The compiled library, the newest one."""
    found = sorted(
        (ROOT / "target" / "release" / "deps").glob("libpingala_core-*.rlib"), key=lambda path: path.stat().st_mtime
    )
    return found[-1] if found else None


@cache
def functions(path: Path) -> dict[str, list[Instruction]]:
    """The functions of the mulx kernel by their names behind its module."""
    # Each function has a section of its own, and the whole library takes a quarter of a minute.
    headers = subprocess.run(["objdump", "-h", "-w", str(path)], check=True, capture_output=True, text=True).stdout
    sections = sorted(set(re.findall(r" (\.text\.\S*4mulx\S*) ", headers)))
    command = ["objdump", "-d", "-C", "-w", "-M", "intel", "--no-show-raw-insn"]
    command += [option for section in sections for option in ("-j", section)]
    listing = subprocess.run([*command, str(path)], check=True, capture_output=True, text=True).stdout
    found: dict[str, list[Instruction]] = {}
    name = ""
    for line in listing.splitlines():
        if head := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            name = head[1].removeprefix(PLACE) if head[1].startswith(PLACE) else ""
        elif name and (body := re.match(r"^ *([0-9a-f]+):\t(.*)", line)):
            found.setdefault(name, []).append(instruction(int(body[1], 16), body[2]))
    return found


UNDEFINED = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", *(f"r{index}" for index in range(8, 16)))


def arguments(machine: Machine, *values: Value) -> None:
    for name in UNDEFINED:
        machine.registers[name] = machine.word(name)
    machine.registers["rsp"] = Pointer("stack", 0)
    for name, value in zip(("rdi", "rsi", "rdx", "rcx", "r8"), values, strict=False):
        machine.registers[name] = value


def operand(machine: Machine, name: str, count: int) -> list[Linear]:
    words = [machine.word(name) for _ in range(count)]
    lowest = words[0].known()
    if name == "m" and lowest is not None:
        words[0] = number(lowest | 1)
        machine.drawn[-count] = (name, lowest | 1)
    for place, word in enumerate(words):
        machine.memory[name, 8 * place] = word
    return words


def stored(machine: Machine, name: str, count: int, start: int = 0) -> list[Linear]:
    words = [machine.memory.get((name, 8 * place)) for place in range(start, start + count)]
    if not all(isinstance(word, Linear) for word in words):
        raise StuckError(f"{name} is not written")
    return [word for word in words if isinstance(word, Linear)]


def paths(code: list[Instruction], prove: Callable[[Machine], bool]) -> bool:
    """Whether a claim holds on every path through the code."""
    decisions: list[bool] = []
    some_path = False
    while True:
        machine = Machine(code, list(decisions))
        holds = prove(machine)
        if not holds and machine.solver.check() != z3.unsat:
            return False
        # To find numbers that meet everything takes minutes where there are many products.
        some_path |= len(machine.products) > FEW_PRODUCTS or bool(machine.solver.check() == z3.sat)
        decisions = machine.decisions[: machine.taken]
        while decisions and not decisions[-1]:
            decisions.pop()
        if not decisions:
            # Of code that nothing can reach everything would hold.
            return some_path
        decisions[-1] = False


def counterexample(code: list[Instruction], prove: Callable[[Machine], bool], samples: int = 800) -> str:
    """Operands for which the code does not compute what the lemma says, or that none were found."""
    dice = random.Random(1)
    for _ in range(samples):
        machine = Machine(code, [], dice=dice)
        try:
            holds = prove(machine)
        except StuckError:
            continue
        if not holds and machine.solver.check() == z3.sat:
            given: dict[str, list[str]] = {}
            # Of the registers that a call leaves undefined nothing may depend.
            for name, word in machine.drawn:
                if name not in UNDEFINED:
                    given.setdefault(name, []).append(f"{word:#x}")
            return ", ".join(f"{name} = [{', '.join(words)}]" for name, words in given.items())
    return f"no operands found in {samples} samples"


# --- the lemmas -------------------------------------------------------------------------------------------------------


def products(machine: Machine, a: list[Linear], b: list[Linear]) -> Linear:
    result = ZERO
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            result = result.plus(machine.product_of(left, right), BASE ** (i + j))
    return result


def add_rows(rows: int, n: int) -> Callable[[Machine], bool]:
    """t + a block, for n words of a and all n + S words of t."""

    def prove(machine: Machine) -> bool:
        t, a, block = operand(machine, "t", n), operand(machine, "a", n), operand(machine, "b", rows)
        arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n), Pointer("b", 0))
        machine.run()
        return machine.equal(total(stored(machine, "t", n + rows)), total(t).plus(products(machine, a, block)))

    return prove


def head_of_loop(code: list[Instruction]) -> int:
    """The first place to which a jump goes back: the loop of a block."""
    targets = [line.target for line in code if line.target is not None and line.target < line.address]
    if not targets:
        raise StuckError("no loop")
    return next(index for index, line in enumerate(code) if line.address == min(targets))


def add_pairs(rows: int, n: int) -> Callable[[Machine], bool]:
    """t + the products a_i a_j b^(i+j), i < j, i < S, for n words of a and all n + S words of t."""

    def prove(machine: Machine) -> bool:
        t, a = operand(machine, "t", n), operand(machine, "a", n)
        arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n))
        machine.run()
        return machine.equal(total(stored(machine, "t", n + rows)), total(t).plus(pairs(machine, a, rows)))

    return prove


def pairs(machine: Machine, a: list[Linear], rows: int) -> Linear:
    result = ZERO
    for i in range(rows):
        for j in range(i + 1, len(a)):
            result = result.plus(machine.product_of(a[i], a[j]), BASE ** (i + j))
    return result


@dataclass
class Loop:
    """A function at the head of its loop over the words of a number, which adds their products by a block to t."""

    machine: Machine
    rows: int
    # Words that are done, those of the sum, of the number, of the block.
    start: int
    t: list[Linear]
    along: list[Linear]
    block: list[Linear]
    name: str
    waiting: Linear = ZERO

    @property
    def window(self) -> list[str]:
        return [f"r{8 + index}" for index in range(self.rows)]

    @staticmethod
    def reached(machine: Machine, kind: str, rows: int, n: int) -> "Loop":
        """Runs the code to the head of the loop."""
        is_reduction = kind == "reduce_rows"
        name = "m" if is_reduction else "a"
        t, along = operand(machine, "t", n + rows), operand(machine, name, n)
        waiting = ZERO
        if is_reduction:
            machine.modulus = along
            waiting = machine.unknown("w", 1)
            arguments(machine, Pointer("t", 0), Pointer("m", 0), number(n), machine.m_prime(), waiting)
        elif kind == "add_rows":
            block = operand(machine, "b", rows)
            arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n), Pointer("b", 0))
        else:
            arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n))
        head = head_of_loop(machine.code)
        if machine.run(0, lambda _, at: at == head) != head:
            raise StuckError("the loop is not reached")
        if is_reduction:
            block = stored(machine, "t", rows)
        elif kind == "add_pairs":
            block = along[:rows]
        start = 0 if kind == "add_rows" else rows
        return Loop(machine, rows, start, t, along, block, name, waiting)

    def is_at(self, words: int) -> bool:
        registers = self.machine.registers
        return registers["rdi"] == Pointer("t", 8 * words) and registers["rsi"] == Pointer(self.name, 8 * words)

    def forget(self) -> list[Linear]:
        """Nothing is known of a later turn but that words are words: an unknown window, no flags."""
        machine = self.machine
        machine.carry = machine.overflow = machine.zero = None
        kept = [*self.t, *self.along, *self.block]
        machine.solver = z3.Solver()
        machine.solver.set("timeout", TIMEOUT)
        machine.products.clear()
        for word in {word for word in kept if word.known() is None}:
            machine.in_word(word)
        if self.waiting.known() is None:
            machine.solver.add(machine.term(self.waiting) >= 0, machine.term(self.waiting) <= 1)
        before = []
        for name in self.window:
            machine.registers[name] = machine.word("w")
            before.append(machine.linear(name))
        return before

    def go_on(self, until_head: bool) -> int | None:
        machine, head = self.machine, head_of_loop(self.machine.code)
        at = machine.step(machine.code[head], head)
        assert at is not None
        return machine.run(at, lambda _, at: until_head and at == head)

    def sum(self, before: list[Linear], words: int) -> Linear:
        """The window, the words of the sum, and the products of the next words by the block."""
        here = slice(self.start, self.start + words)
        return total(before).plus(total(self.t[here])).plus(products(self.machine, self.along[here], self.block))


def entry(rows: int, kind: str) -> Callable[[Machine], bool]:
    """Where the loop is reached first, the window is what the products before it carry."""

    def prove(machine: Machine) -> bool:
        loop = Loop.reached(machine, kind, rows, rows + 1 if kind != "add_rows" else 1)
        window = total([machine.linear(name) for name in loop.window])
        if not loop.is_at(loop.start):
            return False
        if kind == "add_rows":
            return window == ZERO
        low = total(loop.t[:rows])
        if kind == "add_pairs":
            done = total(stored(machine, "t", rows))
            return machine.equal(done.plus(window, BASE**rows), low.plus(pairs(machine, loop.along[:rows], rows)))
        # The words of the quotient make those of t vanish.
        return machine.equal(
            total([ZERO] * rows).plus(window, BASE**rows), low.plus(products(machine, loop.block, loop.along[:rows]))
        )

    return prove


def one_turn(rows: int, kind: str) -> Callable[[Machine], bool]:
    """A turn of the loop from an unknown window: S words on, the same registers hold the next window."""

    def prove(machine: Machine) -> bool:
        loop = Loop.reached(machine, kind, rows, 3 * rows + 1)
        before = loop.forget()
        registers, memory = dict(machine.registers), dict(machine.memory)
        head = head_of_loop(machine.code)
        if loop.go_on(until_head=True) != head:
            return False
        after = [machine.linear(name) for name in loop.window]
        whole = total(stored(machine, "t", rows, loop.start)).plus(total(after), BASE**rows)
        written = {("t", 8 * place) for place in range(loop.start, loop.start + rows)}
        kept = all(machine.memory[at] == value for at, value in memory.items() if at not in written)
        if not (loop.is_at(loop.start + rows) and kept and machine.equal(whole, loop.sum(before, rows))):
            return False
        # The next turn, of which only what it reads matters.
        for name, value in registers.items():
            if name not in (*loop.window, "rdi", "rsi") and machine.registers[name] != value:
                del machine.registers[name]
        machine.carry = machine.overflow = machine.zero = None
        machine.proves_nothing = True
        return loop.go_on(until_head=True) == head

    return prove


def end(rows: int, kind: str, left: int) -> Callable[[Machine], bool]:
    """The last `left` words, 1 to S, from an unknown window: the window is added or stored above them."""

    def prove(machine: Machine) -> bool:
        start = 0 if kind == "add_rows" else rows
        loop = Loop.reached(machine, kind, rows, start + left)
        before = loop.forget()
        if loop.go_on(until_head=False) is not None:
            return False
        count = left + rows
        whole = total(stored(machine, "t", count, start))
        expected = loop.sum(before, left)
        if kind == "reduce_rows":
            whole = whole.plus(machine.linear("rax"), BASE**count)
            above = total(loop.t[start + left : start + count])
            expected = expected.plus(above, BASE**left).plus(loop.waiting, BASE**left)
        return machine.equal(whole, expected)

    return prove


def add_row(n: int) -> Callable[[Machine], bool]:
    """t + a factor, and the carry word."""

    def prove(machine: Machine) -> bool:
        t, a, factor = operand(machine, "t", n), operand(machine, "a", n), machine.word("f")
        arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n), factor)
        machine.run()
        whole = total([*stored(machine, "t", n), machine.linear("rax")])
        return machine.equal(whole, total(t).plus(products(machine, a, [factor])))

    return prove


def square(rows: int) -> Callable[[Machine], bool]:
    """a^2, 2S words."""

    def prove(machine: Machine) -> bool:
        a = operand(machine, "a", rows)
        arguments(machine, Pointer("t", 0), Pointer("a", 0))
        machine.run()
        return machine.equal(total(stored(machine, "t", 2 * rows)), products(machine, a, a))

    return prove


def double_and_add_squares(n: int) -> Callable[[Machine], bool]:
    """2 t + the squares of a's words; the sum is below b^2n."""

    def prove(machine: Machine) -> bool:
        a, t = operand(machine, "a", n), operand(machine, "t", 2 * n)
        arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n))
        machine.run()
        squares = ZERO
        for place, word in enumerate(a):
            squares = squares.plus(machine.product_of(word, word), BASE ** (2 * place))
        expected = total(t).plus(total(t)).plus(squares)
        machine.solver.add(machine.term(expected) < BASE ** (2 * n))
        return machine.equal(total(stored(machine, "t", 2 * n)), expected)

    return prove


def reduce_rows(rows: int, n: int) -> Callable[[Machine], bool]:
    """t + q m and a waiting bit at word n: the lowest S words vanish and hold q, the carry comes back."""

    def prove(machine: Machine) -> bool:
        t, m = operand(machine, "t", n + rows), operand(machine, "m", n)
        machine.modulus = m
        waiting = machine.unknown("w", 1)
        arguments(machine, Pointer("t", 0), Pointer("m", 0), number(n), machine.m_prime(), waiting)
        machine.run()
        after = stored(machine, "t", n + rows)
        quotient = after[:rows]
        whole = total(after[rows:]).plus(machine.linear("rax"), BASE**n)
        expected = total(t).plus(waiting, BASE**n).plus(products(machine, quotient, m))
        return machine.equal(total([ZERO] * rows).plus(whole, BASE**rows), expected)

    return prove


def montgomery(rows: int, squares: bool) -> Callable[[Machine], bool]:
    """a b / b^S modulo m, canonical, or the square: out b^S = a b + Q m, or that less m b^S, and out < m."""

    def prove(machine: Machine) -> bool:
        a, b, m = operand(machine, "a", rows), operand(machine, "b", rows), operand(machine, "m", rows)
        b = a if squares else b
        machine.modulus = m
        machine.solver.add(machine.term(total(a).plus(total(m), -1)) < 0)
        m_prime = machine.m_prime()
        for word in b if not machine.dice else []:
            machine.row(word, a)
        second = Pointer("t", 0) if squares else Pointer("b", 0)
        arguments(machine, Pointer("out", 0), Pointer("a", 0), second, Pointer("m", 0), m_prime)
        machine.solver.add(machine.term(products(machine, a, b).plus(total(m), -(BASE**rows))) < 0)
        machine.run()
        quotient = machine.quotient_words
        if len(quotient) != rows:
            return False
        out = total(stored(machine, "out", rows))
        whole = machine.term(products(machine, a, b).plus(products(machine, quotient, m)))
        modulus, result = machine.term(total(m)), machine.term(out)
        shifted = BASE**rows * result
        return machine.proves(
            z3.And(result < modulus, z3.Or(shifted == whole, shifted == whole - BASE**rows * modulus))
        )

    return prove


def subtract_once(n: int, overflow: int) -> Callable[[Machine], bool]:
    """value - m if that is not negative, otherwise value; value is below 2m."""

    def prove(machine: Machine) -> bool:
        value, m = operand(machine, "v", n), operand(machine, "m", n)
        whole = total(value).plus(number(overflow * BASE**n))
        machine.solver.add(machine.term(whole.plus(total(m), -2)) < 0)
        arguments(machine, Pointer("out", 0), Pointer("v", 0), Pointer("m", 0), number(n), number(overflow))
        machine.run()
        out = machine.term(total(stored(machine, "out", n)))
        modulus, number_ = machine.term(total(m)), machine.term(whole)
        return machine.proves(out == z3.If(number_ >= modulus, number_ - modulus, number_))

    return prove


# The functions that run along a number of any length: entry, turn and end are an induction.
LOOPS = ("add_rows", "add_pairs", "reduce_rows")


def lemmas(full: bool) -> Iterator[tuple[str, str, Callable[[Machine], bool]]]:
    """Name, function, claim."""
    for rows, name in enumerate(NUMBERS, 1):
        lengths = range(rows + 2) if full else (1, rows + 1)
        for n in lengths:
            if n:
                yield f"add_rows of {rows} rows by {n} words", f"blocks::{name}::add_rows", add_rows(rows, n)
        for n in (rows, rows + 1) if full else (rows,):
            yield f"add_pairs of {rows} rows by {n} words", f"blocks::{name}::add_pairs", add_pairs(rows, n)
        for kind in LOOPS:
            function = f"blocks::{name}::{kind}"
            if full or kind != "reduce_rows" or rows <= 2:
                yield f"the entry of the loop of {kind} of {rows} rows", function, entry(rows, kind)
                yield f"a turn of {kind} of {rows} rows", function, one_turn(rows, kind)
            for left in range(1, rows + 1) if full else (rows,):
                if full or rows <= 2:
                    ending = f"the end of {kind} of {rows} rows after {left} words"
                    yield ending, function, end(rows, kind, left)
        yield f"square of {rows} words", f"blocks::{name}::square", square(rows)
        for n in (rows, rows + 1) if full else (rows,):
            yield f"reduce_rows of {rows} rows by {n} words", f"blocks::{name}::reduce_rows", reduce_rows(rows, n)
        # Longer ones take z3 minutes.
        if rows <= (4 if full else 2):
            yield f"cios of {rows} words", f"blocks::{name}::cios", montgomery(rows, squares=False)
            yield f"sos_sqr of {rows} words", f"blocks::{name}::sos_sqr", montgomery(rows, squares=True)
    for n in range(1, 10) if full else (1, 5):
        yield f"add_row of {n} words", "row::add_row", add_row(n)
        yield f"double_and_add_squares of {n} words", "blocks::double_and_add_squares", double_and_add_squares(n)
    for n in range(1, 6) if full else (1, 5):
        for overflow in (0, 1):
            yield (
                f"subtract_once of {n} words, overflow {overflow}",
                "subtraction::subtract_once",
                subtract_once(n, overflow),
            )


Code = list[Instruction]


def check(full: bool, change: Callable[[str, Code], Code] | None = None, only: str = "") -> Report:
    """All lemmas, or those whose name begins so; `change` plants an error in a function's code."""
    from proofs import machine_loops, machine_rows

    report = Report()
    path = library()
    if path is None:
        report.skipped.append(
            "the code of the mulx kernel: needs target/release/deps/libpingala_core-*.rlib, "
            "which make test-rust compiles"
        )
        return report
    code = functions(path)
    if "row::add_row" not in code:
        report.skipped.append("the code of the mulx kernel: needs a library for x86-64")
        return report
    for name, function, prove in chain(lemmas(full), machine_loops.lemmas(), machine_rows.lemmas(full)):
        if not name.startswith(only):
            continue
        body, why = change(function, code[function]) if change else code[function], ""
        try:
            holds = paths(body, prove)
        except StuckError as stuck:
            holds, why = False, f"{stuck}; "
        if holds:
            report.held.append(f"mulx: {name}")
        else:
            report.failed.append(f"mulx: {name}: {why}{counterexample(body, prove)}")
    return report
