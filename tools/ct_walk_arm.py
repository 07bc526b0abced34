"""The walk of `ct_disasm` through the machine code of aarch64: what its instructions do.

The model is the same. What is peculiar to this one:

- `adrp` and what is added to it are constants: addresses of code, of tables, of the program's own data;
- a jump by a table of offsets goes to each place that an entry of the table may mean;
- where a place on the stack is not known, it is in the array whose address was computed with: all that lies above its start in the
  same frame, up to the registers that the function saved, may be changed by it.
"""

import re

from arm_listing import register
from ct_walk import PUBLIC, SECRET, State, Value, Walk, mixed
from x86_listing import Instruction, Memory

LOAD = re.compile(r"^(ld(r|ur|tr|ar|apr|xr)(b|h|s[bhw])?|ldn?p(sw)?|ld1|ld2|ld3|ld4|ld1r)$")
STORE = re.compile(r"^(st(r|ur|lr|tr)[bh]?|stn?p|st1|st2|st3|st4)$")
MOVES = re.compile(r"^(mov|fmov)$")
#: The first operand is written, from the others.
PLAIN = re.compile(
    r"^(mov[zn]|mvni?|movi|(add|sub|and|bic|adc|sbc)s?|orr|orn|eor|eon|neg|ngc|lsl|lsr|asr|ror|extr|mul|mneg|madd|msub|[su]mulh|[su]mull"
    r"|[su]maddl|[su]msubl|[su]mnegl|clz|cls|rbit|rev(16|32|64)?|[su]xt[bhw]|[su]bfx|[su]bfiz|cnt"
    r"|dup|umov|smov|ext|zip[12]|uzp[12]|trn[12]|tbl|cm(eq|ne|gt|ge|hi|hs|lt|le|tst)|shl|[su]shr|[su]shll2?|[su]shl|xtn2?|shrn2?|[su]xtl2?"
    r"|add[pv]|[su]addl[pv2]?|[su]mullp?|[su]mull2|[su]addw2?|[su]min[pv]?|[su]max[pv]?|abs|not|rev64)$"
)
#: The same, from its old value too.
CHANGES = re.compile(r"^(movk|bfi|bfxil|bfc|ins|sli|sri|ml[as]|[su]ml[as]l2?|[su]sra|bsl|bit|bif|tbx|xtn2|shrn2|orr\.v|bic\.v)$")
DIVISION = re.compile(r"^[su]div$")
READS_FLAGS = re.compile(r"^(adcs?|sbcs?|ngcs?|csel|csinc|csinv|csneg|csetm?|cinc|cinv|cneg|fcsel)$")
WRITES_FLAGS = re.compile(r"^(adds|subs|ands|bics|adcs|sbcs|negs|ngcs|cmp|cmn|tst|ccmp|ccmn|fcmp)$")
COMPARES = re.compile(r"^(cmp|cmn|tst|ccmp|ccmn)$")
SELECTS = re.compile(r"^(csel|csinc|csinv|csneg|csetm?|cinc|cinv|cneg)$")
CONDITION = re.compile(r"^(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al|nv)$")
SHIFT = re.compile(r"^(lsl|lsr|asr|ror|msl|[su]xt[bhwx])( #(\d+))?$")
ONE_OPERAND = re.compile(r"^(mov|adrp?)$")


class ArmWalk(Walk):
    """One walk through everything that an entry reaches."""

    stack_pointer = "sp"
    arguments = ("x0", "x1", "x2")
    # No argument is in these.
    scratch = tuple(f"x{at}" for at in range(9, 18))
    call_bytes = 0
    ignored = re.compile(r"^(nop|bti|paciasp|autiasp|hint|prfm|yield|isb|dmb)\b")
    register = staticmethod(register)

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
        if changed:
            base = memory.registers[0][0]
            if changed[0] == "!":
                self.write(state, base, first)
            else:
                amount = changed[1] if len(changed) > 1 else 0
                by = Memory(((base, 1),), amount, 8, None) if isinstance(amount, int) else None
                value = self.address_of(state, by) if by else mixed([self.read(state, base), self.read(state, amount)])
                self.write(state, base, value)

    def compute(self, state: State, it: Instruction) -> None:
        """Everything else: the first operand gets what is computed from the others."""
        name, operands = it.name, it.operands
        if not operands or isinstance(operands[0], Memory | int):
            self.report("other", "an instruction that is not understood")
            return
        target = operands[0]
        sources = [one for one in operands[1:] if not (isinstance(one, str) and (SHIFT.match(one) or CONDITION.match(one)))]
        if COMPARES.match(name):
            values = [self.read(state, one) for one in (target, *sources)]
            if name.startswith("cc"):
                values.append(state.get("flags"))
            state.registers["flags"] = SECRET if mixed(values) == SECRET else PUBLIC
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
        if MOVES.match(name) and len(sources) == 1:
            partial = re.match(r"^v\d+.*\[\d+\]$", target) is not None
            value = self.read(state, sources[0])
            self.write(state, target, mixed([value, self.read(state, target)]) if partial else value)
            return
        if name in ("add", "sub") and whole and len(sources) == 2 and len(operands) <= 4:
            self.write(state, target, self.sum(state, name, operands))
            return
        values = [self.read(state, one) for one in sources]
        if CHANGES.match(name) or re.search(r"\[\d+\]$", target):
            values.append(self.read(state, target))
        # What is computed from a number and itself, and tells nothing of it.
        if name in ("eor", "sub", "subs", "cmeq") and len(sources) == 2 and sources[0] == sources[1] and len(operands) == 3:
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

    def jump_targets(self, bounds: tuple[int, int, str], place: Value) -> list[int]:
        """Where the entries lead: the first that leads nowhere ends the table, and none of it is longer than a byte can say."""
        _, table, base, scale, size = place
        targets: list[int] = []
        assert isinstance(table, int) and isinstance(base, int) and isinstance(scale, int) and isinstance(size, int)
        for at in range(256):
            entry = self.program.data(table + at * size, size)
            target = base + scale * int.from_bytes(entry, "little", signed=size == 4)
            if len(entry) < size or not bounds[0] <= target <= bounds[1] or target not in self.program.code:
                break
            targets.append(target)
        return targets
