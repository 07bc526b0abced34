"""The abstract interpretation of `ct_disasm`: values, registers and stack, and the walk through functions and calls."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from x86_listing import Instruction, Memory, Program

Value = tuple[object, ...]
PUBLIC: Value = ("public",)
SECRET: Value = ("secret",)
STRUCT: Value = ("struct",)
PART = "part"  # marks a part of a word of the stack: base, offset, size, value
# Places on the stack: ("stack", base, offset) is known, ("array", base, offset) is one in the array that starts there,
# ("either", base, offset) is there or not on the stack, and this one is any.
SOMEWHERE: Value = ("stack",)
ON_STACK = ("stack", "array", "either")

NO_RETURN = re.compile(r"^(<.*>::|)?(core::(panicking|slice|option|result|cell)|alloc::(raw_vec|alloc))::")
MEMORY_CALLS = re.compile(r"^(memset|memcpy|memmove)(@|$)")
JUMP = re.compile(r"^j(?!mp$)[a-z]+$")


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
    if a[0] not in ON_STACK and b[0] not in ON_STACK:
        return PUBLIC
    if len(a) == len(b) == 3 and a[1] == b[1] and isinstance(a[2], int) and isinstance(b[2], int):
        # An array that has a start keeps it, so that a loop comes to an end.
        low, high = sorted((a, b), key=lambda place: (place[2], place[0] == "stack"))
        if high[0] == "stack" or low[2] == high[2]:
            return ("either" if "either" in (a[0], b[0]) else "array", *low[1:])
    if PUBLIC in (a, b):
        place = b if a == PUBLIC else a
        return ("either", *place[1:]) if len(place) == 3 else SOMEWHERE
    return SOMEWHERE


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
    return SOMEWHERE if any(value[0] in ON_STACK for value in kinds) else PUBLIC


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
    """One walk through everything that an entry reaches; what instructions do is said for each architecture."""

    stack_pointer: str
    #: The first three.
    arguments: tuple[str, str, str]
    #: Registers that carry no argument and belong to a callee.
    scratch: tuple[str, ...]
    #: What a call puts on the stack.
    call_bytes: int
    #: Instructions that do nothing, in the syntax of the listing.
    ignored: re.Pattern[str]

    @staticmethod
    def register(text: str) -> str:
        """The whole register of which this is a part."""
        raise NotImplementedError

    def condition(self, state: State, it: Instruction) -> Value:
        """What a conditional branch depends on."""
        raise NotImplementedError

    def step(self, state: State, it: Instruction) -> None:
        """One instruction that goes on to the next."""
        raise NotImplementedError

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
        values = [(flat(state.get(self.register(name))), scale) for name, scale in memory.registers]
        places = [value for value, scale in values if value[0] in ON_STACK and len(value) > 1 and scale == 1]
        if len(places) == 1 and all(value == PUBLIC for value, _ in values if value not in places):
            kind, base, offset = places[0]
            assert isinstance(offset, int)
            if kind != "stack":
                return places[0]
            return ("stack" if len(values) == 1 else "array", base, offset + memory.offset)
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
            return self.program.pointers.get(int(str(place[1])), PUBLIC)
        if place[0] == "array":
            return self.in_array(state, place)
        if place[0] != "stack" or len(place) == 1:
            return SECRET
        if self.is_lost(state, place, memory.size):
            return SECRET
        part = state.stack.get((PART, place[1:]))
        if part and part[2] == memory.size and isinstance(part[3], tuple):
            return part[3]
        values = [state.stack.get(word, PUBLIC) for word, _ in self.words(place, memory.size)]
        return values[0] if len(values) == 1 else ("pack", *values)

    def is_lost(self, state: State, place: Value, size: int) -> bool:
        """Whether a secret may have been stored here at a place that was not known."""
        return state.get("lost") == SECRET

    def in_array(self, state: State, place: Value) -> Value:
        """What may stand in an array on the stack."""
        return SECRET

    def lose(self, state: State, place: Value) -> None:
        """A secret is stored somewhere behind this place on the stack."""
        state.registers["lost"] = SECRET

    def store(self, state: State, memory: Memory, value: Value) -> None:
        place = self.checked_address(state, memory)
        if place == STRUCT or place[0] in ("code", "table"):
            if flat(value) == SECRET:
                self.report("other", "a secret goes to a structure of public values")
        elif place[0] in ("array", "either") or place == SOMEWHERE:
            if flat(value) == SECRET:
                self.lose(state, place)
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
        return PUBLIC if isinstance(source, int) else state.get(self.register(source))

    def write(self, state: State, target: str | int | Memory, value: Value) -> None:
        if isinstance(target, Memory):
            self.store(state, target, value)
        elif isinstance(target, str):
            state.registers[self.register(target)] = value

    def moved(self, state: State, amount: int) -> None:
        name = self.stack_pointer
        self.write(state, name, self.address_of(state, Memory(((name, 1),), amount, 8, None)))

    def call(self, state: State, it: Instruction) -> State | None:
        """The state after a call; none if the call does not return."""
        callee: Value = ("code", it.target) if it.target is not None else self.read(state, it.operands[0])
        code = callee[1] if callee[0] == "code" else None
        name = self.program.function(code)[2] if isinstance(code, int) else code
        if not isinstance(name, str):
            self.report("other", "a call to an unknown place")
            return state
        if NO_RETURN.match(name):
            return None
        if MEMORY_CALLS.match(name):
            place, copied, length = (state.get(argument) for argument in self.arguments)
            if SECRET in (place, length) or (copied == SECRET and not name.startswith("memset")):
                self.report("address", "a copy whose place or length depends on a secret")
            if place[0] in ON_STACK:
                self.lose(state, place)
            return state
        if not isinstance(code, int):
            self.report("other", "a call to a function that is not known to be constant-time")
            return state
        after = self.entered(code, state)
        self.here = it
        return after

    def entered(self, code: int, state: State) -> State | None:
        """The state after a call of a function from this one."""
        self.moved(state, -self.call_bytes)
        # No argument is in these: a callee that writes a byte of one does not read what was left in the rest.
        for name in self.scratch:
            state.registers.pop(name, None)
        after = self.function(code, state)
        if after is not None:
            self.moved(after, self.call_bytes)
        return after

    def leaves(self, state: State, it: Instruction) -> bool:
        """Whether an indirect jump goes to a function of another file: a call in place of the return."""
        if it.target is not None or not isinstance(it.operands[0], Memory) or it.operands[0].absolute is None:
            return False
        place = self.read(state, it.operands[0])
        return place[0] == "code" and isinstance(place[1], str)

    def target_outside(self, it: Instruction, bounds: tuple[int, int, str]) -> int | None:
        """The target of a jump from the function to another one, by its address or by a constant pointer."""
        target = it.target
        if target is None and isinstance(it.operands[0], Memory) and it.operands[0].absolute is not None:
            place = self.program.pointers.get(it.operands[0].absolute, PUBLIC)
            target = place[1] if place[0] == "code" and isinstance(place[1], int) else None
        return target if target is not None and not bounds[0] <= target <= bounds[1] else None

    def leaders(self, bounds: tuple[int, int, str]) -> set[int]:
        """Places of a function at which states are joined, in addition to the targets of jumps."""
        return set()

    def jump_targets(self, bounds: tuple[int, int, str], place: Value) -> list[int]:
        """The targets of a jump by a table of offsets."""
        assert isinstance(place[1], int)
        return self.program.jump_targets(bounds, place[1])

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
        leaders = self.leaders(bounds)
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
                    # A tail call by a table of addresses that the loader fills in.
                    after = self.call(now, it)
                    if after is not None:
                        end = end or after.copy()
                        end.merge(after)
                    go_on = False
                elif it.name == "jmp" or JUMP.match(it.name):
                    if JUMP.match(it.name) and self.condition(now, it) == SECRET:
                        self.report("branch", "the condition depends on a secret")
                    go_on = it.name != "jmp"
                    if it.target is not None:
                        targets = [it.target]
                    else:
                        place = self.read(now, it.operands[0])
                        if place == SECRET:
                            self.report("branch", "the target depends on a secret")
                        elif place[0] == "jump":
                            targets = self.jump_targets(bounds, place)
                        if not targets:
                            self.report("other", "a jump to an unknown place")
                elif not self.ignored.match(it.text.partition(": ")[2]):
                    self.step(now, it)
                at = self.program.next.get(at, -1)
                if go_on and (targets or at in states or at in leaders):
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
