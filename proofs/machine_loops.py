"""The loops of add_row, double_and_add_squares and subtract_once: lemmas by induction over the length.

Each has a loop by single words and one by four. A lemma runs one piece of the code from an unknown state: the entry to
the first loop, a turn of each loop, the way from one loop to the next, and the end. The state that a piece leaves is
the state that the next one starts from, so that the pieces together are the function at every length. Counts are
numbers that are known; nothing but the counter depends on them.
"""

from collections.abc import Callable, Iterator

import z3

from proofs.machine_code import (
    BASE,
    ZERO,
    Linear,
    Machine,
    Pointer,
    Value,
    arguments,
    number,
    operand,
    products,
    stored,
    total,
)

Prove = Callable[[Machine], bool]
ROW, SQUARES, SUBTRACTION = "row::add_row", "blocks::double_and_add_squares", "subtraction::subtract_once"
# Lengths at whose entries the counters are looked at.
LENGTHS = (*range(1, 10), 1_000_003)


def heads(machine: Machine) -> list[int]:
    """The places of all loops, in the order of the code: where a jump goes back to."""
    targets = {line.target for line in machine.code if line.target is not None and line.target < line.address}
    return [machine.places[target] for target in sorted(targets)]


def at_head(machine: Machine, **known: Value) -> dict[tuple[str, int], Value]:
    """A state of which nothing is known but these registers; returns what is in memory."""
    arguments(machine)
    machine.registers.update(known)
    machine.carry = machine.overflow = machine.zero = None
    return dict(machine.memory)


def go(machine: Machine, start: int, end: int | None) -> bool:
    """Runs at least one instruction, to a place; None is the end of the function."""
    at = machine.step(machine.code[start], start)
    return (at if at is None or at == end else machine.run(at, lambda _, at: at == end)) == end


def holds(machine: Machine, **expected: Value) -> bool:
    """Whether registers are what they are to be."""
    return all(machine.register(name) == value for name, value in expected.items())


def kept(machine: Machine, memory: dict[tuple[str, int], Value], name: str, words: range) -> bool:
    """Whether nothing is written but these words of an operand."""
    written = {(name, 8 * place) for place in words}
    changed = {at for at, value in machine.memory.items() if at not in memory or memory[at] != value}
    return changed <= written


def leads(
    machine: Machine,
    start: int,
    end: int | None,
    before: dict[str, Value],
    after: dict[str, Value],
    flags: tuple[Linear, ...] = (),
    name: str = "t",
    words: range = range(0),
) -> bool:
    """Whether a piece of code leads from registers and flags to others, and writes nothing but these words."""
    memory = at_head(machine, **before)
    machine.carry, machine.overflow, *_ = (*flags, None, None)
    return go(machine, start, end) and holds(machine, **after) and kept(machine, memory, name, words)


def bit(machine: Machine) -> Linear:
    return machine.unknown("k", 1)


# --- t + a factor ---------------------------------------------------------------------------------------------------


def row_state(machine: Machine, words: int) -> tuple[list[Linear], list[Linear], Linear, Linear, list[Linear]]:
    """t with a word above, a, the factor, and what is carried: a word and two bits, together below b."""
    t, a, factor = operand(machine, "t", words + 1), operand(machine, "a", words), machine.word("f")
    carried = [machine.word("r"), bit(machine), bit(machine)]
    machine.solver.add(machine.term(carried[0].plus(carried[1]).plus(carried[2])) < BASE)
    return t, a, factor, carried[0].plus(carried[1]).plus(carried[2]), carried


def row_entry(n: int) -> Prove:
    """The first loop is reached with both counters, and nothing carried."""

    def prove(machine: Machine) -> bool:
        factor = machine.word("f")
        arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n), factor)
        first = heads(machine)[0]
        return (
            go(machine, 0, first)
            and (machine.carry, machine.overflow) == (ZERO, ZERO)
            and holds(machine, rdi=Pointer("t", 0), rsi=Pointer("a", 0), rdx=factor, r9=ZERO)
            and holds(machine, rcx=number(n % 4), r8=number(n // 4))
        )

    return prove


def row_places(at: int, count: int, step: int = 1) -> dict[str, Value]:
    """t and a so far along, and turns that are left; `step` words of t for each of a."""
    return {"rdi": Pointer("t", step * at), "rsi": Pointer("a", at), "rcx": number(count)}


def row_turn(words: int) -> Prove:
    """What is carried before, words of t and products are the words after and what is carried then, below b again."""

    def prove(machine: Machine) -> bool:
        head = heads(machine)[0 if words == 1 else 1]
        t, a, factor, before, carried = row_state(machine, words)
        state: dict[str, Value] = {"rdx": factor, **({"r8": number(5)} if words == 1 else {})}
        start = {**state, **row_places(0, 2), "r9": carried[0]}
        end = {**state, **row_places(8 * words, 1)}
        if not leads(machine, head, head, start, end, tuple(carried[1:]), words=range(words)):
            return False
        after = machine.linear("r9").plus(machine.flag(machine.carry)).plus(machine.flag(machine.overflow))
        whole = total(stored(machine, "t", words)).plus(after, BASE**words)
        expected = total(t[:words]).plus(products(machine, a, [factor])).plus(before)
        return machine.equal(whole, expected) and machine.proves(machine.term(after) < BASE)

    return prove


def row_between(machine: Machine) -> bool:
    """After the first loop the second one has its counter; all else stays."""
    first, second = heads(machine)
    _, _, factor, _, carried = row_state(machine, 1)
    state, flags = {"rdx": factor, "r9": carried[0]}, (carried[1], carried[2])
    before = {**state, **row_places(0, 0), "r8": number(3)}
    passes = leads(machine, first, second, before, {**state, **row_places(0, 3)}, flags)
    return passes and (machine.carry, machine.overflow) == flags


def row_end(machine: Machine) -> bool:
    """What is carried is returned."""
    _, _, factor, before, carried = row_state(machine, 1)
    state = {**row_places(0, 0), "rdx": factor, "r9": carried[0]}
    ends = leads(machine, heads(machine)[1], None, state, {}, tuple(carried[1:]))
    return ends and machine.equal(machine.linear("rax"), before)


# --- 2 t + the squares of words -------------------------------------------------------------------------------------


def squares_entry(n: int) -> Prove:
    """The first loop is reached with both counters, and nothing carried."""

    def prove(machine: Machine) -> bool:
        arguments(machine, Pointer("t", 0), Pointer("a", 0), number(n))
        return (
            go(machine, 0, heads(machine)[0])
            and (machine.carry, machine.overflow) == (ZERO, ZERO)
            and holds(machine, rdi=Pointer("t", 0), rsi=Pointer("a", 0), rcx=number(n % 4), r10=number(n // 4))
        )

    return prove


def squares_turn(words: int) -> Prove:
    """The bit of the doubling and the bit of the sum before, and both after."""

    def prove(machine: Machine) -> bool:
        head = heads(machine)[0 if words == 1 else 1]
        t, a = operand(machine, "t", 2 * words + 1), operand(machine, "a", words)
        doubling, adding = bit(machine), bit(machine)
        state: dict[str, Value] = {"r10": number(5)} if words == 1 else {}
        before, moved = {**state, **row_places(0, 2)}, {**state, **row_places(8 * words, 1, step=2)}
        if not leads(machine, head, head, before, moved, (doubling, adding), words=range(2 * words)):
            return False
        after = machine.flag(machine.carry).plus(machine.flag(machine.overflow))
        whole = total(stored(machine, "t", 2 * words)).plus(after, BASE ** (2 * words))
        low = total(t[: 2 * words])
        expected = low.plus(low).plus(doubling).plus(adding)
        for place, word in enumerate(a):
            expected = expected.plus(machine.product_of(word, word), BASE ** (2 * place))
        return machine.equal(whole, expected)

    return prove


def squares_between(machine: Machine) -> bool:
    """After the first loop the second one has its counter; all else stays."""
    first, second = heads(machine)
    doubling, adding = bit(machine), bit(machine)
    before = {**row_places(0, 0), "r10": number(3)}
    passes = leads(machine, first, second, before, row_places(0, 3), (doubling, adding))
    return passes and (machine.carry, machine.overflow) == (doubling, adding)


def squares_end(machine: Machine) -> bool:
    """Nothing more is written. That both bits are 0 is the bound of the sum, b^2n."""
    return leads(machine, heads(machine)[1], None, {"rcx": ZERO}, {})


# --- value - m, if that is not negative -----------------------------------------------------------------------------


def subtraction_entry(n: int) -> Prove:
    """The first loop is reached with both counters, and no borrow."""

    def prove(machine: Machine) -> bool:
        overflow = bit(machine)
        places: dict[str, Value] = {"rdi": Pointer("out", 0), "rsi": Pointer("v", 0), "rdx": Pointer("m", 0)}
        arguments(machine, *places.values(), number(n), overflow)
        return (
            go(machine, 0, heads(machine)[0])
            and machine.carry == ZERO
            and holds(machine, rax=ZERO, rcx=number(n % 4), r11=number(n // 4), r8=overflow, **places)
        )

    return prove


def subtraction_state(machine: Machine, words: int, done: int) -> tuple[dict[str, Value], list[Linear], list[Linear]]:
    """Pointers and the overflow; words of the value and of m from those on that are done."""
    value, m = (operand(machine, name, words + done) for name in ("v", "m"))
    state: dict[str, Value] = {"rdi": Pointer("out", 0), "rsi": Pointer("v", 0), "rdx": Pointer("m", 0)}
    return state, value[done:], m[done:]


def subtraction_turn(words: int) -> Prove:
    """The words of the difference with the borrow before, and the borrow after."""

    def prove(machine: Machine) -> bool:
        head, done = heads(machine)[0 if words == 1 else 1], 3
        state, value, m = subtraction_state(machine, words, done)
        state |= {"r8": bit(machine), **({"r11": number(5)} if words == 1 else {})}
        borrow = bit(machine)
        before = {**state, "rax": number(done), "rcx": number(2)}
        moved = {**state, "rax": number(done + words), "rcx": number(1)}
        if not leads(machine, head, head, before, moved, (borrow,), "out", range(done, done + words)):
            return False
        difference = total(stored(machine, "out", words, done)).plus(machine.flag(machine.carry), -(BASE**words))
        return machine.equal(difference, total(value).plus(total(m), -1).plus(borrow, -1))

    return prove


def subtraction_between(machine: Machine) -> bool:
    """After the first loop the second one has its counter; all else stays."""
    first, second = heads(machine)[:2]
    state, _, _ = subtraction_state(machine, 1, 0)
    state |= {"r8": bit(machine), "rax": number(3)}
    borrow = bit(machine)
    before, after = {**state, "rcx": ZERO, "r11": number(4)}, {**state, "rcx": number(4)}
    return leads(machine, first, second, before, after, (borrow,), "out") and machine.carry == borrow


def subtraction_choice(machine: Machine) -> bool:
    """Before the selection rcx is 0 just where the difference counts: where value + overflow b^n is m or more.

    The difference D has n words, D - borrow b^n = value - m, and value + overflow b^n is below 2m.
    """
    second, third = heads(machine)[1:3]
    state, _, _ = subtraction_state(machine, 1, 0)
    overflow, borrow = bit(machine), bit(machine)
    # b^n, m and the difference as unknowns: any b^n from b on.
    power, m, difference = (machine.unknown(name, BASE**64) for name in ("B", "M", "D"))
    solver, term = machine.solver, machine.term
    state |= {"rax": number(8)}
    if not leads(machine, second, third, {**state, "rcx": ZERO, "r8": overflow}, state, (borrow,), "out"):
        return False
    chosen = machine.linear("rcx")
    b, d, modulus = term(power), term(difference), term(m)
    up, down = (z3.If(term(flag) == 1, b, 0) for flag in (overflow, borrow))
    solver.add(b >= BASE, d < b, modulus > 0, modulus <= b)
    value = d - down + modulus
    solver.add(value >= 0, value < b, value + up < 2 * modulus)
    return machine.proves((term(chosen) == 0) == (value + up >= modulus))


def selection_turn(words: int) -> Prove:
    """Words of the value where rcx is not 0, otherwise what is there; four words down, or one."""

    def prove(machine: Machine) -> bool:
        head, left = heads(machine)[2 if words == 4 else 3], 3
        state, _, _ = subtraction_state(machine, words, left)
        value, difference = stored(machine, "v", words, left), operand(machine, "out", left + words)
        chosen = machine.word("z")
        state |= {"rcx": chosen}
        before, moved = {**state, "rax": number(left + words)}, {**state, "rax": number(left)}
        if not leads(machine, head, head, before, moved, (), "out", range(left, left + words)):
            return False
        # The path that was taken says which.
        out = stored(machine, "out", words, left)
        is_zero = machine.proves(machine.term(chosen) == 0)
        return out == (difference[left:] if is_zero else value) and (
            is_zero or machine.proves(machine.term(chosen) > 0)
        )

    return prove


def selection_between(left: int) -> Prove:
    """Fewer than four words are left to the last loop."""

    def prove(machine: Machine) -> bool:
        third, fourth = heads(machine)[2:]
        state, _, _ = subtraction_state(machine, 4, 0)
        state |= {"rcx": machine.word("z"), "rax": number(left)}
        return leads(machine, third, fourth, state, state, (), "out")

    return prove


def selection_end(machine: Machine) -> bool:
    return leads(machine, heads(machine)[3], None, {"rax": ZERO}, {}, (), "out")


def lemmas() -> Iterator[tuple[str, str, Prove]]:
    """Name, function, claim."""
    for name, function, entry, turn, between, end in (
        ("add_row", ROW, row_entry, row_turn, row_between, row_end),
        ("double_and_add_squares", SQUARES, squares_entry, squares_turn, squares_between, squares_end),
    ):
        for n in LENGTHS:
            yield f"the entry of {name} of {n} words", function, entry(n)
        for words in (1, 4):
            yield f"a turn of {name} by {words} words", function, turn(words)
        yield f"{name} from its first loop to its second", function, between
        yield f"the end of {name}", function, end
    for n in LENGTHS:
        yield f"the entry of subtract_once of {n} words", SUBTRACTION, subtraction_entry(n)
    for words in (1, 4):
        yield f"a turn of subtract_once by {words} words", SUBTRACTION, subtraction_turn(words)
        yield f"a turn of the selection of subtract_once by {words} words", SUBTRACTION, selection_turn(words)
    yield "subtract_once from its first loop to its second", SUBTRACTION, subtraction_between
    yield "subtract_once: what is selected", SUBTRACTION, subtraction_choice
    for left in range(4):
        yield f"the selection of subtract_once with {left} words left", SUBTRACTION, selection_between(left)
    yield "the end of subtract_once", SUBTRACTION, selection_end
