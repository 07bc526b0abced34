"""The walk of `ct_disasm` through the machine code of x86-64: what its instructions do."""

import re

from ct_walk import PUBLIC, SECRET, STRUCT, State, Value, Walk, mixed
from x86_listing import NARROW, WIDE, Instruction, Memory, register

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
CONDITIONAL_MOVE = re.compile(r"^(cmov|set)[a-z]+$")
NOTHING_NEW = re.compile(
    r"^v?p?xor[dq]?$|^v?xorp[sd]$|^sub$|^kxor[bwdq]$|^vpternlog[dq]$|^v?pcmpeq[bwdq]$|^vpsub[bwdq]$"
)


class X86Walk(Walk):
    """One walk through everything that an entry reaches."""

    stack_pointer = "rsp"
    arguments = ("rdi", "rsi", "rdx")
    scratch = ("r10", "r11")
    call_bytes = 8
    ignored = IGNORED
    register = staticmethod(register)

    def condition(self, state: State, it: Instruction) -> Value:
        return state.get("flags")

    def write(self, state: State, target: str | int | Memory, value: Value) -> None:
        if isinstance(target, Memory):
            self.store(state, target, value)
        elif isinstance(target, str):
            name = register(target)
            state.registers[name] = mixed([value, state.get(name)]) if target in NARROW else value

    def step(self, state: State, it: Instruction) -> None:
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
