"""The walk of `ct_disasm` through the machine code of aarch64: what its instructions do.

The model is the same. What is peculiar to this one:

- `adrp` and what is added to it are constants: addresses of code, of tables, of the program's own data;
- a jump by a table of offsets goes to each place that an entry of the table may mean;
- where a place on the stack is not known, it is in the array whose address was computed with: all that lies above its
  start, up to registers that a function saved, may be changed by it;
- functions keep the convention of calls, so that what a callee leaves in its own registers is not read.
"""

import re

from arm_listing import register
from ct_walk import ON_STACK, PART, PUBLIC, SECRET, State, Value, Walk, flat, join, mixed
from x86_listing import Instruction, Memory, Program

LOAD = re.compile(r"^(ld(r|ur|tr|ar|apr|xr)(b|h|s[bhw])?|ldn?p(sw)?|ld1|ld2|ld3|ld4|ld1r)$")
STORE = re.compile(r"^(st(r|ur|lr|tr)[bh]?|stn?p|st1|st2|st3|st4)$")
MOVES = re.compile(r"^(mov|fmov|mrs)$")
#: The first operand is written, from the others.
PLAIN = re.compile(
    r"^(mov[zn]|mvni?|movi|(add|sub|and|bic|adc|sbc)s?|orr|orn|eor|eon|neg|ngc|lsl|lsr|asr|ror|extr|mul|mneg|madd|msub|[su]mulh|[su]mull"
    r"|[su]maddl|[su]msubl|[su]mnegl|clz|cls|rbit|rev(16|32|64)?|[su]xt[bhw]|[su]bfx|[su]bfiz|cnt"
    r"|dup|umov|smov|ext|zip[12]|uzp[12]|trn[12]|tbl|cm(eq|ne|gt|ge|hi|hs|lt|le|tst)|shl|[su]shr|[su]shll2?|[su]shl|xtn2?|shrn2?|[su]xtl2?"
    r"|add[pv]|[su]addl[pv2]?|[su]mullp?|[su]mull2|[su]addw2?|[su]min[pv]?|[su]max[pv]?|abs|not|rev64)$"
)
#: Instructions that write a register and also read its old value.
CHANGES = re.compile(
    r"^(movk|bfi|bfxil|bfc|ins|sli|sri|ml[as]|[su]ml[as]l2?|[su]sra|bsl|bit|bif|tbx|xtn2|shrn2|orr\.v|bic\.v)$"
)
DIVISION = re.compile(r"^[su]div$")
READS_FLAGS = re.compile(r"^(adcs?|sbcs?|ngcs?|csel|csinc|csinv|csneg|csetm?|cinc|cinv|cneg|fcsel)$")
WRITES_FLAGS = re.compile(r"^(adds|subs|ands|bics|adcs|sbcs|negs|ngcs|cmp|cmn|tst|ccmp|ccmn|fcmp)$")
COMPARES = re.compile(r"^(cmp|cmn|tst|ccmp|ccmn)$")
CONDITION = re.compile(r"^(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al|nv)$")
SHIFT = re.compile(r"^(lsl|lsr|asr|ror|msl|[su]xt[bhwx])( #(\d+))?$")
KEPT = re.compile(r"^(x19|x2\d|x30|v8|v9|v1[0-5])$")
GIVEN = re.compile(r"^(x[0-8]|v[0-7])$")


class ArmWalk(Walk):
    """One walk through everything that an entry reaches."""

    stack_pointer = "sp"
    arguments = ("x0", "x1", "x2")
    # No argument is in these.
    scratch = tuple(f"x{at}" for at in range(9, 18))
    call_bytes = 0
    ignored = re.compile(r"^(nop|bti|paciasp|autiasp|hint|prfm|yield|isb|dmb)\b")
    register = staticmethod(register)

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.led: dict[int, set[int]] = {}

    def condition(self, state: State, it: Instruction) -> Value:
        """What a branch depends on: a register, or the flags."""
        return self.read(state, it.operands[0]) if it.operands else state.get("flags")

    def read(self, state: State, source: str | int | Memory) -> Value:
        if isinstance(source, str) and (source in ("xzr", "wzr") or source.startswith("#")):
            return PUBLIC
        return super().read(state, source)

    def write(self, state: State, target: str | int | Memory, value: Value) -> None:
        if isinstance(target, str) and target not in ("xzr", "wzr"):
            state.registers[register(target)] = value

    def address_of(self, state: State, memory: Memory) -> Value:
        values = [state.get(register(name)) for name, _ in memory.registers]
        if len(values) == 1 and values[0][0] == "code":
            return ("code", int(str(values[0][1])) + memory.offset)
        tables = [value for value in values if value[0] == "table"]
        if len(tables) == 1 and all(value == PUBLIC for value in values if value not in tables):
            return tables[0]
        return super().address_of(state, memory)

    def step(self, state: State, it: Instruction) -> None:
        name, operands = it.name, it.operands
        places = [at for at, operand in enumerate(operands) if isinstance(operand, Memory)]
        if LOAD.match(name) and places:
            self.moves(state, it, places[0], loads=True)
        elif STORE.match(name) and places:
            self.moves(state, it, places[0], loads=False)
        else:
            self.compute(state, it)

    def moves(self, state: State, it: Instruction, place: int, loads: bool) -> None:
        """Loads and stores, of several registers at neighbouring addresses, with what is added to the base."""
        memory, changed = it.operands[place], it.operands[place + 1 :]
        assert isinstance(memory, Memory)
        registers = it.operands[:place]
        first = self.address_of(state, memory)
        for at, one in enumerate(registers):
            where = Memory(memory.registers, memory.offset + at * memory.size, memory.size, memory.absolute)
            if loads:
                value = self.load(state, where)
                partial = isinstance(one, str) and re.match(r"^v\d+.*\[\d+\]$", one)
                if value[0] == "entry":
                    value = (*value[:2], memory.size)
                elif memory.size < 8 and value[0] != "pack":
                    value = mixed([value])
                if partial:
                    value = mixed([value, self.read(state, one)])
                if at == 0 and len(registers) == 2 and register(str(one)) == register(memory.registers[0][0]):
                    # A pair that is loaded through its first register.
                    second = Memory(memory.registers, memory.offset + memory.size, memory.size, None)
                    self.write(state, registers[1], self.load(state, second))
                    self.write(state, one, value)
                    break
                self.write(state, one, value)
            else:
                self.store(state, where, self.read(state, one))
                self.saved(state, it, where, one)
        if changed:
            base = memory.registers[0][0]
            if changed[0] == "!":
                self.write(state, base, first)
            else:
                amount = changed[1] if len(changed) > 1 else 0
                by = Memory(((base, 1),), amount, 8, None) if isinstance(amount, int) else None
                value = self.address_of(state, by) if by else mixed([self.read(state, base), self.read(state, amount)])
                self.write(state, base, value)

    def saved(self, state: State, it: Instruction, where: Memory, one: str | int | Memory) -> None:
        """Marks what a function saves at its beginning: no array of any function goes on behind it."""
        start = self.program.function(it.address)[0]
        place = self.address_of(state, where)
        if (
            isinstance(one, str)
            and KEPT.match(register(one))
            and it.address < start + 80
            and place[0] == "stack"
            and len(place) == 3
        ):
            state.stack[("saved", place[1:])] = PUBLIC

    def is_lost(self, state: State, place: Value, size: int) -> bool:
        if state.get("lost") == SECRET:
            return True
        _, base, offset = place
        assert isinstance(offset, int)
        marks = [key[1] for key in state.stack if key[0] == "lost"]
        return any(self.reaches(state, mark, base, offset, size) for mark in marks)

    @staticmethod
    def reaches(state: State, mark: object, base: object, offset: int, size: int) -> bool:
        """Whether the array that starts at a mark may go on to a place."""
        assert isinstance(mark, tuple)
        if mark[0] != base or offset + size <= mark[1]:
            return False
        saved = (key[1] for key in state.stack if key[0] == "saved")
        return not any(isinstance(at, tuple) and at[0] == base and mark[1] <= at[1] <= offset for at in saved)

    def in_array(self, state: State, place: Value) -> Value:
        _, base, offset = place
        assert isinstance(offset, int)
        if self.is_lost(state, place, 8):
            return SECRET
        for key, value in state.stack.items():
            _, at = word = key[1] if key[0] == "lost" and isinstance(key[1], tuple) else key
            known = word[0] == base and isinstance(at, int) and at >= offset
            if value != PUBLIC and known and self.reaches(state, place[1:], base, int(str(at)), 8):
                return SECRET
        return PUBLIC

    def lose(self, state: State, place: Value) -> None:
        if len(place) == 1:
            state.registers["lost"] = SECRET
        else:
            state.stack[("lost", place[1:])] = SECRET

    def entered(self, code: int, state: State) -> State | None:
        """By the convention of calls: x19 to x29 and v8 to v15 are the caller's again afterwards, and nothing is read
        but x0 to x8 and v0 to v7. A callee that gets no place on the stack is walked once for all such calls."""
        kept = {name: value for name, value in state.registers.items() if KEPT.match(name) or name == "sp"}
        given = {name: value for name, value in state.registers.items() if GIVEN.match(name) and value != PUBLIC}
        if given.get("x8") == SECRET:
            # It holds the place of a result or nothing.
            del given["x8"]
        lost = {"lost": SECRET} if state.get("lost") == SECRET else {}
        shares = any(value[0] in ON_STACK for value in given.values())
        inside = {"sp": kept["sp"]} | lost if shares else {"sp": ("stack", "entry", 0)}
        after = self.function(code, State(given | inside, dict(state.stack) if shares else {}))
        if after is None:
            return None
        back = {name: after.get(name) for name in ("x0", "x1", "v0", "v1")}
        if shares:
            lost = {"lost": SECRET} if after.get("lost") == SECRET else {}
            _, base, offset = kept["sp"]
            assert isinstance(offset, int)
            for key in [key for key in after.stack if self.is_below(key, base, offset)]:
                del after.stack[key]
        else:
            after.stack = dict(state.stack)
        after.registers = kept | back | lost
        return after

    @staticmethod
    def is_below(key: tuple[object, object], base: object, offset: int) -> bool:
        """Whether a word of the stack, or what is known of it, lies below a place."""
        place = key[1] if key[0] in ("saved", "lost", PART) else key
        return isinstance(place, tuple) and place[0] == base and isinstance(place[1], int) and place[1] < offset

    def compute(self, state: State, it: Instruction) -> None:
        """Everything else: the first operand gets what is computed from the others."""
        name, operands = it.name, it.operands
        if not operands or isinstance(operands[0], Memory | int):
            self.report("other", "an instruction that is not understood")
            return
        target = operands[0]
        sources = [
            one for one in operands[1:] if not (isinstance(one, str) and (SHIFT.match(one) or CONDITION.match(one)))
        ]
        if COMPARES.match(name):
            values = [self.read(state, one) for one in (target, *sources)]
            if name.startswith("cc"):
                values.append(state.get("flags"))
            state.registers["flags"] = SECRET if mixed(values) == SECRET else PUBLIC
            return
        if name == "msr" and target == "nzcv":
            state.registers["flags"] = flat(self.read(state, str(sources[0])))
            return
        if name in ("adrp", "adr"):
            self.write(state, target, ("code", operands[1]))
            return
        known = PLAIN.match(name) or CHANGES.match(name) or READS_FLAGS.match(name) or WRITES_FLAGS.match(name)
        if not (known or MOVES.match(name) or DIVISION.match(name)):
            self.report("other", "an instruction that is not understood")
            return
        whole = isinstance(target, str) and re.match(r"^(x\d+|sp)$", target) is not None
        # Addresses: something public and a constant.
        if MOVES.match(name) and name != "mrs" and len(sources) == 1:
            partial = re.match(r"^v\d+.*\[\d+\]$", target) is not None
            value = self.read(state, sources[0])
            self.write(state, target, mixed([value, self.read(state, target)]) if partial else value)
            return
        if name in ("add", "sub") and whole and len(sources) == 2 and len(operands) <= 4:
            self.write(state, target, self.sum(state, name, operands))
            return
        if name == "orr" and whole and len(sources) == 2 and isinstance(sources[1], int):
            place = self.read(state, sources[0])
            # The stack is aligned to 16 bytes, and bits that are 0 are added.
            if place[0] == "stack" and len(place) == 3 and sources[1] < 16 and int(str(place[2])) % 16 == 0:
                self.write(state, target, (*place[:2], int(str(place[2])) + sources[1]))
                return
        if name == "csel" and state.get("flags") != SECRET:
            self.write(state, target, join(*(self.read(state, one) for one in sources)))
            return
        if name == "mrs":
            self.write(state, target, state.get("flags") if sources == ["nzcv"] else SECRET)
            return
        values = [self.read(state, one) for one in sources]
        if CHANGES.match(name) or re.search(r"\[\d+\]$", target):
            values.append(self.read(state, target))
        # What is computed from a number and itself, and tells nothing of it.
        if (
            name in ("eor", "sub", "subs", "cmeq")
            and len(sources) == 2
            and sources[0] == sources[1]
            and len(operands) == 3
        ):
            values = []
        if READS_FLAGS.match(name):
            values.append(state.get("flags"))
        result = mixed(values)
        if DIVISION.match(name) and result == SECRET:
            self.report("other", "a division of secrets")
        self.write(state, target, result)
        if WRITES_FLAGS.match(name):
            state.registers["flags"] = SECRET if result == SECRET else PUBLIC

    def sum(self, state: State, name: str, operands: tuple[str | int | Memory, ...]) -> Value:
        """A sum or difference of whole words, which may be an address."""
        a, b = operands[1], operands[2]
        shift = SHIFT.match(str(operands[3])) if len(operands) > 3 else None
        scale = 1 << int(shift[3] or 0) if shift else 1
        assert isinstance(a, str)
        if isinstance(b, int):
            amount = (b if name == "add" else -b) * scale
            base = self.read(state, a)
            if base[0] == "code":
                assert isinstance(base[1], int)
                return ("code", base[1] + amount)
            return self.address_of(state, Memory(((a, 1),), amount, 8, None))
        values = [self.read(state, a), self.read(state, b)]
        kinds = {value[0] for value in values}
        if name == "add" and kinds == {"code", "entry"}:
            base, entry = sorted(values)
            return ("jump", entry[1], base[1], scale, *entry[2:])
        if name == "sub":
            return mixed(values)
        return self.address_of(state, Memory(((a, 1), (str(b), scale)), 0, 8, None))

    def leaders(self, bounds: tuple[int, int, str]) -> set[int]:
        """Every place that a branch names, so that a pointer that a loop moves on is seen as it was before."""
        if bounds[0] not in self.led:
            code = (self.program.code.get(at) for at in range(bounds[0], bounds[1] + 1, 4))
            self.led[bounds[0]] = {it.target for it in code if it and it.target is not None and it.name != "call"}
        return self.led[bounds[0]]

    def jump_targets(self, bounds: tuple[int, int, str], place: Value) -> list[int]:
        """The targets of the entries. The first entry without a target ends the table, whose index is a byte."""
        _, table, base, scale, size = place
        targets: list[int] = []
        assert isinstance(table, int)
        assert isinstance(base, int)
        assert isinstance(scale, int)
        assert isinstance(size, int)
        for at in range(256):
            entry = self.program.data(table + at * size, size)
            target = base + scale * int.from_bytes(entry, "little", signed=size == 4)
            if len(entry) < size or not bounds[0] <= target <= bounds[1] or target not in self.program.code:
                break
            targets.append(target)
        return targets
