#!/usr/bin/env python3
"""Looks for branches and addresses that depend on secrets in the machine code of the vector kernels.

valgrind cannot run AVX-512, so here the code is interpreted abstractly: objdump disassembles a program, and every
function that the kernel's secret path enters is walked, through its calls, until nothing new is learnt.
docs/constant-time.md says what that shows and what not. The model, which errs on the side of an alarm:

- a value is public, secret, or a pointer: into the stack, to a structure of public values (`&self`), or to code. What
  is computed from a secret is secret; flags, vectors and masks are values like others;
- memory behind a public number is secret: residues, scratch, tables. The stack is followed word by word, also through
  pointers that are handed to a callee; a structure of public values must not be given a secret;
- an instruction, a jump or a callee that is not understood is a finding, as is a division of secrets;
- what stands in `&self` itself counts as public, and of a secret factor some of it is not: SECRET_FIELDS. A branch or
  an address that depends on one of those goes unseen here.

usage: ct_disasm.py PROGRAM [--planted branch address]     0: as wanted, 1: not, 2: nothing could be checked
       ct_disasm.py --list                                 the kernels that it knows
"""

import argparse
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from x86_listing import NARROW, WIDE, Instruction, Memory, Program, register

Value = tuple[object, ...]
PUBLIC: Value = ("public",)
SECRET: Value = ("secret",)
STRUCT: Value = ("struct",)
PART = "part"  # marks a part of a word of the stack: base, offset, size, value
SOMEWHERE: Value = ("stack",)  # an unknown place on the stack

IFMA = "pingala::kernel::row::avx512::Ifma"
RING = r"^<pingala::kernel::row::{} as pingala::kernel::Ring<u64>>::{}$"
OPERATIONS = ("mul", "sqr", "sqr_n", "enter", "leave", "mul_small")
# Those by which odd moduli read tables of a fixed base.
TABLE_OPERATIONS: tuple[tuple[str, list[int]], ...] = (("scan_packed", [2]), ("unpack", []))
# What is entered of each kernel, and which words of the caller's stack hold secrets, counted from the return address
# on; the first argument is `&self`, all others are public numbers. The linker may let rings share a function.
KERNELS: dict[str, list[tuple[str, list[int]]]] = {
    kernel: [
        *((RING.format(ring, name), []) for name in OPERATIONS),
        (RING.format(scan, "scan"), [1]),
        *((RING.format(scan, name), secrets) for name, secrets in TABLE_OPERATIONS if ring.startswith("ring::")),
    ]
    for kernel, ring, scan in [
        ("ifma_row_ct_r52", f"ring::RowRing<{IFMA}, true>", rf"ring::RowRing<{IFMA}, (true|false)>"),
        ("ifma_row_low_r52", f"low::LowRow<{IFMA}>", rf"(low::LowRow<{IFMA}>|ring::RowRing<{IFMA}, (true|false)>)"),
    ]
}

# Words of `&self` that are secret where the modulus N, of L bits, is a secret factor: an estimate of 2^(63 + L) / N, by
# which the row kernel reduces what is left of a product.
SECRET_FIELDS = ("ifma_row_ct_r52: RowConstants::reciprocal",)

NO_RETURN = re.compile(r"^(<.*>::|)?(core::(panicking|slice|option|result|cell)|alloc::(raw_vec|alloc))::")
MEMORY_CALLS = re.compile(r"^(memset|memcpy|memmove)(@|$)")


IGNORED = re.compile(r"^(nop|data16|endbr64|vzeroupper|cs|int3|xchg (ax,ax|eax,eax)$)")
FLAGS_ONLY = re.compile(r"^(cmp|test|bt|v?ptest|kortest[bwdq]|ktest[bwdq]|v?u?comis[sd])$")
FLAGS_READ_AND_WRITTEN = re.compile(r"^(adc|sbb|adcx|adox|inc|dec|shl|shr|sar|rol|ror|rcl|rcr|shld|shrd)$")
FLAGS_WRITTEN = re.compile(r"^(add|sub|and|andn|or|xor|neg|imul|mul|bsf|bsr|lzcnt|tzcnt|popcnt|blsr|blsi|bzhi|bextr)$")
FLAGS_KEPT = re.compile(
    r"^(mov[a-z]*|lea|not|bswap|mulx|s[ahr][lrx]x|shlx|rorx|pext|pdep|cdqe?|cqo|cwde"
    r"|(xor|and|andn|or)p[sd]|k(mov|and|andn|or|xor|xnor|not|unpck|shift|add)[a-z]*|p(and|andn|or|xor|add|sub|shuf|cmp|unpck|s[rl][la])[a-z]*"
    r"|(v(p?(mov|broadcast|and|andn|or|xor|add|sub|madd52|s[rl]l|sra|cmp|tern|perm|shuf|align|blend|insr|extr|unpck"
    r"|insert|extract|abs|max|min|mul|test|rol|ror|gather|scatter|compress|expand)|align)[a-z0-9]*))$"
)
READS_ITS_TARGET = re.compile(r"^(sh[lr]d$|pinsr|vpmadd52|vptern|vperm[it]2|vpgather)")
WRITES_ONLY = re.compile(r"^(mov|lea|v|k|pshuf|lzcnt|tzcnt|popcnt|rorx|s[ah][lr]x|shrx|pext|pdep|andn|bls|bzhi|bextr)")
JUMP = re.compile(r"^j(?!mp$)[a-z]+$")
CONDITIONAL_MOVE = re.compile(r"^(cmov|set)[a-z]+$")
NOTHING_NEW = re.compile(
    r"^v?p?xor[dq]?$|^v?xorp[sd]$|^sub$|^kxor[bwdq]$|^vpternlog[dq]$|^v?pcmpeq[bwdq]$|^vpsub[bwdq]$"
)


@dataclass(frozen=True)
class Finding:
    kind: str
    function: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind:8} {self.text}\n         in {self.function}"


def join(a: Value, b: Value) -> Value:
    if a == b:
        return a
    if "pack" in (a[0], b[0]):
        return join(flat(a), flat(b))
    if SECRET in (a, b):
        return SECRET
    return SOMEWHERE if "stack" in (a[0], b[0]) else PUBLIC


def flat(value: Value) -> Value:
    """A vector of words as one value."""
    if value[0] != "pack":
        return value
    words = [word for word in value[1:] if isinstance(word, tuple)]
    result = words[0]
    for word in words[1:]:
        result = join(result, word)
    return result


def mixed(values: Iterable[Value]) -> Value:
    """What is computed from several values."""
    kinds = [flat(value) for value in values]
    if SECRET in kinds:
        return SECRET
    return SOMEWHERE if any(value[0] == "stack" for value in kinds) else PUBLIC


@dataclass
class State:
    registers: dict[str, Value]
    stack: dict[tuple[object, object], Value]

    def copy(self) -> "State":
        return State(dict(self.registers), dict(self.stack))

    def get(self, name: str) -> Value:
        return self.registers.get(name, PUBLIC)

    def merge(self, other: "State") -> bool:
        """Joins another state into this one; whether that changed it. A stack word that only one has is not read."""
        changed = False
        for name in self.registers.keys() | other.registers.keys():
            value = join(self.get(name), other.get(name))
            if value != self.get(name):
                self.registers[name], changed = value, True
        for place in [place for place in self.stack if place[0] == PART]:
            # A part of a word is known only where both know it; the word itself has all that went into it.
            mine, yours = self.stack[place], other.stack.get(place, PUBLIC)
            if mine != yours:
                same = mine[:3] == yours[:3]
                both = (*mine[:3], SECRET if SECRET in (mine[3], yours[3]) else PUBLIC) if same else None
                if both != mine:
                    changed = True
                    self.stack.pop(place)
                    if both:
                        self.stack[place] = both
        for place, value in other.stack.items():
            if place[0] == PART:
                continue
            value = join(self.stack.get(place, value), value)
            if self.stack.get(place) != value:
                self.stack[place], changed = value, True
        return changed


class Walk:
    """One walk through everything that an entry reaches."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.findings: set[Finding] = set()
        self.known: dict[object, State | None] = {}
        self.walked: set[int] = set()
        self.here: Instruction = next(iter(program.code.values()))

    def report(self, kind: str, why: str) -> None:
        self.findings.add(Finding(kind, self.program.function(self.here.address)[2], f"{self.here.text}    ({why})"))

    def address_of(self, state: State, memory: Memory) -> Value:
        """What an address is, without a report."""
        if memory.absolute is not None:
            return ("code", memory.absolute)
        values = [(flat(state.get(register(name))), scale) for name, scale in memory.registers]
        places = [value for value, scale in values if value[0] == "stack" and len(value) > 1 and scale == 1]
        if len(values) == 1 and places:
            _, base, offset = places[0]
            assert isinstance(offset, int)
            return ("stack", base, offset + memory.offset)
        total = mixed(value for value, _ in values)
        tables = [value[1] for value, _ in values if value[0] == "code"]
        if total == PUBLIC and len(tables) == 1:
            return ("table", tables[0])
        return STRUCT if total == PUBLIC and any(value == STRUCT for value, _ in values) else total

    def checked_address(self, state: State, memory: Memory) -> Value:
        value = self.address_of(state, memory)
        if value == SECRET:
            self.report("address", "the address depends on a secret")
        if self.here.mask and state.get(self.here.mask) == SECRET:
            self.report("address", "what is accessed depends on a secret mask")
        return value

    @staticmethod
    def words(place: Value, size: int) -> list[tuple[tuple[object, int], bool]]:
        """The words that a part of the stack touches, and whether all of each."""
        _, base, offset = place
        assert isinstance(offset, int)
        first, end = offset // 8 * 8, offset + size
        return [((base, at), at >= offset and at + 8 <= end) for at in range(first, end, 8)]

    def load(self, state: State, memory: Memory) -> Value:
        place = self.checked_address(state, memory)
        if place == STRUCT:
            return PUBLIC
        if place[0] == "table":
            return ("entry", place[1])
        if place[0] == "code":
            return self.program.pointers.get(memory.absolute or 0, PUBLIC)
        if place[0] != "stack" or len(place) == 1:
            return SECRET
        if state.get("lost") == SECRET:
            return SECRET
        part = state.stack.get((PART, place[1:]))
        if part and part[2] == memory.size and isinstance(part[3], tuple):
            return part[3]
        values = [state.stack.get(word, PUBLIC) for word, _ in self.words(place, memory.size)]
        return values[0] if len(values) == 1 else ("pack", *values)

    def store(self, state: State, memory: Memory, value: Value) -> None:
        place = self.checked_address(state, memory)
        if place == STRUCT or place[0] in ("code", "table"):
            if flat(value) == SECRET:
                self.report("other", "a secret goes to a structure of public values")
        elif place[0] == "stack" and len(place) == 1:
            if flat(value) == SECRET:
                state.registers["lost"] = SECRET
        elif place[0] == "stack":
            words = self.words(place, memory.size)
            parts = value[1:] if value[0] == "pack" and len(value) == len(words) + 1 else (flat(value),) * len(words)
            for (word, whole), part in zip(words, parts, strict=True):
                assert isinstance(part, tuple)
                kept = whole and not self.here.mask
                state.stack[word] = part if kept else join(state.stack.get(word, part), part)
                for offset in range(word[1], word[1] + 8):
                    state.stack.pop((PART, (word[0], offset)), None)
            if memory.size < 8 and not self.here.mask:
                secret = SECRET if flat(value) == SECRET else PUBLIC
                state.stack[(PART, place[1:])] = (PART, place[2], memory.size, secret)

    def read(self, state: State, source: str | int | Memory) -> Value:
        if isinstance(source, Memory):
            return self.load(state, source)
        return PUBLIC if isinstance(source, int) else state.get(register(source))

    def write(self, state: State, target: str | int | Memory, value: Value) -> None:
        if isinstance(target, Memory):
            self.store(state, target, value)
        elif isinstance(target, str):
            name = register(target)
            state.registers[name] = mixed([value, state.get(name)]) if target in NARROW else value

    def moved(self, state: State, amount: int) -> None:
        self.write(state, "rsp", self.address_of(state, Memory((("rsp", 1),), amount, 8, None)))

    def step(self, state: State, it: Instruction) -> None:
        """One instruction that goes on to the next."""
        name, operands = it.name, it.operands
        top = Memory((("rsp", 1),), 0, 8, None)
        if name == "push":
            value = self.read(state, operands[0])
            self.moved(state, -8)
            self.store(state, top, value)
        elif name == "pop":
            self.write(state, operands[0], self.load(state, top))
            self.moved(state, 8)
        elif name == "xchg" and len(operands) == 2:
            a, b = (self.read(state, operand) for operand in operands)
            self.write(state, operands[0], b)
            self.write(state, operands[1], a)
        elif name in ("mul", "imul", "div", "idiv") and len(operands) == 1:
            inputs = [self.read(state, operands[0]), state.get("rax"), state.get("rdx")]
            if "div" in name and mixed(inputs) == SECRET:
                self.report("other", "a division of secrets")
            result = mixed(inputs if "div" in name else inputs[:2])
            state.registers |= {"rax": result, "rdx": result, "flags": result}
        elif name == "mulx":
            result = mixed([self.read(state, operands[2]), state.get("rdx")])
            self.write(state, operands[0], result)
            self.write(state, operands[1], result)
        elif name in ("cqo", "cdq"):
            state.registers["rdx"] = mixed([state.get("rax")])
        elif name in ("cdqe", "cwde"):
            state.registers["rax"] = mixed([state.get("rax")])
        elif FLAGS_ONLY.match(name):
            secret = mixed(self.read(state, operand) for operand in operands) == SECRET
            state.registers["flags"] = SECRET if secret else PUBLIC
        elif CONDITIONAL_MOVE.match(name):
            inputs = [self.read(state, operand) for operand in operands] + [state.get("flags")]
            self.write(state, operands[0], mixed(inputs))
        else:
            self.compute(state, it)

    def compute(self, state: State, it: Instruction) -> None:
        """Everything else: the first operand gets what is computed from all of them."""
        name, operands = it.name, it.operands
        both, written = FLAGS_READ_AND_WRITTEN.match(name), FLAGS_WRITTEN.match(name)
        if not (both or written or FLAGS_KEPT.match(name)) or not operands:
            self.report("other", "an instruction that is not understood")
            return
        target, sources = operands[0], operands[1:]
        if name == "lea" and isinstance(sources[0], Memory):
            self.write(state, target, self.address_of(state, sources[0]))
            return
        whole = isinstance(target, str) and target == WIDE.get(target)
        if name in ("add", "sub") and whole and isinstance(sources[0], int):
            amount = sources[0] if name == "add" else -sources[0]
            self.write(state, target, self.address_of(state, Memory(((str(target), 1),), amount, 8, None)))
            state.registers["flags"] = mixed([state.get(str(target))])
            return
        if name == "and" and target == "rsp":
            state.registers["rsp"] = ("stack", (state.get("rsp")[1:], it.address), 0)
            return
        values = [self.read(state, source) for source in sources]
        if re.match(r"^(mov|vmov|kmov)", name) and not it.mask and len(values) == 1:
            same = not name.startswith(("movzx", "movsx")) or values[0][0] == "entry"
            self.write(state, target, values[0] if same else mixed(values))
            return
        repeated = len(set(operands[-2:])) == 1 or (name.startswith("vptern") and len(set(operands[:3])) == 1)
        reads = READS_ITS_TARGET.match(name) or not (WRITES_ONLY.match(name) or len(operands) > 2)
        if NOTHING_NEW.match(name) and repeated and isinstance(target, str) and len(operands) > 1 and not it.mask:
            values = []
        elif reads or (it.mask and not it.zeroing):
            values.append(self.read(state, target))
        if it.mask:
            values.append(state.get(it.mask))
        if both and not re.match(r"^(inc|dec|sh|sa|ro)", name):
            values.append(state.get("flags"))
        result = mixed(values)
        if name == "add" and result == PUBLIC and STRUCT in values:
            result = STRUCT
        if name == "add" and {value[0] for value in values} == {"code", "entry"} and len({*values[0], *values[1]}) == 3:
            result = ("jump", values[0][1])
        self.write(state, target, result)
        if both or written:
            # A shift by 0 keeps the flags; inc and dec keep the carry.
            secret = SECRET in (result, state.get("flags") if both else PUBLIC)
            state.registers["flags"] = SECRET if secret else PUBLIC

    def call(self, state: State, it: Instruction) -> State | None:
        """Where a call leads; none if it does not come back."""
        place: Value = ("code", it.target) if it.target is not None else self.read(state, it.operands[0])
        code = place[1] if place[0] == "code" else None
        name = self.program.function(code)[2] if isinstance(code, int) else code
        if not isinstance(name, str):
            self.report("other", "a call to an unknown place")
            return state
        if NO_RETURN.match(name):
            return None
        if MEMORY_CALLS.match(name):
            arguments = [state.get(argument) for argument in ("rdi", "rdx")]
            copied = state.get("rsi")
            if SECRET in arguments or (copied == SECRET and not name.startswith("memset")):
                self.report("address", "a copy whose place or length depends on a secret")
            if state.get("rdi")[0] == "stack":
                state.registers["lost"] = SECRET
            return state
        if not isinstance(code, int):
            self.report("other", "a call to a function that is not known to be constant-time")
            return state
        self.moved(state, -8)
        # No argument is in these: a callee that writes a byte of one does not read what was left in the rest.
        for name in ("r10", "r11"):
            state.registers.pop(name, None)
        after = self.function(code, state)
        self.here = it
        if after is not None:
            self.moved(after, 8)
        return after

    def leaves(self, state: State, it: Instruction) -> bool:
        """Whether an indirect jump goes to a function of another file: a call in place of the return."""
        if it.target is not None or not isinstance(it.operands[0], Memory) or it.operands[0].absolute is None:
            return False
        place = self.read(state, it.operands[0])
        return place[0] == "code" and isinstance(place[1], str)

    def target_outside(self, it: Instruction, bounds: tuple[int, int, str]) -> int | None:
        """Where a jump leads that leaves the function for another one, by its address or by a constant pointer."""
        target = it.target
        if target is None and isinstance(it.operands[0], Memory) and it.operands[0].absolute is not None:
            place = self.program.pointers.get(it.operands[0].absolute, PUBLIC)
            target = place[1] if place[0] == "code" and isinstance(place[1], int) else None
        return target if target is not None and not bounds[0] <= target <= bounds[1] else None

    def function(self, start: int, state: State) -> State | None:
        """Walks one function from a state; the state at its return."""
        key = (start, frozenset(state.registers.items()), frozenset(state.stack.items()))
        if key in self.known:
            known = self.known[key]
            return known.copy() if known else None
        self.known[key] = None
        bounds = self.program.function(start)
        self.walked.add(start)
        states, ready, end = {start: state.copy()}, [start], None
        while ready:
            at = ready.pop()
            now, go_on = states[at].copy(), True
            while go_on:
                it = self.here = self.program.code[at]
                targets: list[int] = []
                if it.name == "ret":
                    end = end or now.copy()
                    end.merge(now)
                    go_on = False
                elif it.name == "ud2":
                    go_on = False
                elif it.name == "call":
                    after = self.call(now, it)
                    now, go_on = after or now, after is not None
                elif it.name == "jmp" and (outside := self.target_outside(it, bounds)) is not None:
                    # A call in place of the return.
                    after = self.function(outside, now)
                    self.here = it
                    if after is not None:
                        end = end or after.copy()
                        end.merge(after)
                    go_on = False
                elif it.name == "jmp" and self.leaves(now, it):
                    # The same by a table of addresses that the loader fills in.
                    after = self.call(now, it)
                    if after is not None:
                        end = end or after.copy()
                        end.merge(after)
                    go_on = False
                elif it.name == "jmp" or JUMP.match(it.name):
                    if JUMP.match(it.name) and now.get("flags") == SECRET:
                        self.report("branch", "the condition depends on a secret")
                    go_on = it.name != "jmp"
                    if it.target is not None:
                        targets = [it.target]
                    else:
                        place = self.read(now, it.operands[0])
                        if place == SECRET:
                            self.report("branch", "the target depends on a secret")
                        elif place[0] == "jump" and isinstance(place[1], int):
                            targets = self.program.jump_targets(bounds, place[1])
                        if not targets:
                            self.report("other", "a jump to an unknown place")
                elif not IGNORED.match(it.text.partition(": ")[2]):
                    self.step(now, it)
                at = self.program.next.get(at, -1)
                if go_on and (targets or at in states):
                    targets.append(at)
                    go_on = False
                for target in targets:
                    if not bounds[0] <= target <= bounds[1]:
                        self.report("other", "a jump out of the function")
                    elif target not in states:
                        states[target] = now.copy()
                        ready.append(target)
                    elif states[target].merge(now) and target not in ready:
                        ready.append(target)
        self.known[key] = end.copy() if end else None
        return end


def check(program: Program, entries: list[tuple[str, list[int]]]) -> tuple[list[Finding], list[str], int]:
    """All findings, the entries that are not there, and how many functions were walked."""
    findings: set[Finding] = set()
    missing, walked = [], set()
    for pattern, secrets in entries:
        matches = [(start, name) for start, _, name in program.functions if re.match(pattern, name)]
        if not matches:
            missing.append(pattern)
        for start, _ in matches:
            walk = Walk(program)
            stack: dict[tuple[object, object], Value] = {("entry", 8 * word): SECRET for word in secrets}
            end = walk.function(start, State({"rdi": STRUCT, "rsp": ("stack", "entry", 0)}, stack))
            if end is None:
                missing.append(f"{pattern} (does not return)")
            findings |= walk.findings
            walked |= walk.walked
    return sorted(findings, key=lambda found: found.text), missing, len(walked)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--list", action="store_true", help="print the kernels that it knows, and look at nothing")
    parser.add_argument(
        "--planted",
        choices=["branch", "address"],
        nargs="*",
        default=[],
        help="what must be found in each kernel, and no other kind",
    )
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(KERNELS))
        return 0
    if not arguments.program:
        parser.error("the program is missing")
    program = Program.read(arguments.program)
    wanted = set(arguments.planted)
    status = 0
    for kernel, entries in KERNELS.items():
        findings, missing, walked = check(program, entries)
        for pattern in missing:
            print(f"FAILED  not in the program: {pattern}")
        for finding in findings[:20]:
            print(finding)
        print(f"{kernel}: {walked} functions walked, {len(findings)} findings")
        as_wanted = {finding.kind for finding in findings} == wanted
        status = max(status, 2 if missing else 0 if as_wanted else 1)
    print("counted as public, and secret of secret factors: " + ", ".join(SECRET_FIELDS))
    return status


if __name__ == "__main__":
    sys.exit(main())
