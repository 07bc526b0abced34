"""`cios` and `sos_sqr` row by row: each row from an unknown window, so that no question has the products of two rows.

The rows of `cios` are Montgomery.cios, whose window stays below 2m by Columns.cios_window; those of `sos_sqr` are
Montgomery.rows on the low words of the square. What a row leaves is what the next one, or the end, starts from.
"""

from collections.abc import Callable, Iterator

import z3

from proofs.machine_code import (
    NUMBERS,
    TIMEOUT,
    ZERO,
    Linear,
    Machine,
    Pointer,
    StuckError,
    Value,
    arguments,
    operand,
    products,
    stored,
    total,
)

Prove = Callable[[Machine], bool]


def loads(machine: Machine, register: str, offset: int) -> list[int]:
    """Where a register is loaded from this place of the stack."""
    found = []
    for at, line in enumerate(machine.code):
        if line.name != "mov" or line.operands[0] != register or isinstance(line.operands[1], str | int):
            continue
        if (line.operands[1].registers, line.operands[1].offset) == ((("rsp", 1),), offset):
            found.append(at)
    return found


def moves(machine: Machine, to: str, of: str) -> list[int]:
    return [at for at, line in enumerate(machine.code) if line.name == "mov" and line.operands == (to, of)]


def run_to(machine: Machine, start: int, end: int | None) -> None:
    at = machine.step(machine.code[start], start)
    if at != end and (at is None or machine.run(at, lambda _, at: at == end) != end):
        raise StuckError("a row that does not end")


def rotated(window: list[str], by: int) -> list[str]:
    return [*window[by:], *window[:by]]


def forget(machine: Machine, window: list[str], kept: tuple[str, ...]) -> list[Linear]:
    """An unknown window, no flags, and nothing in other registers but these."""
    machine.carry = machine.overflow = machine.zero = None
    for name in list(machine.registers):
        if name not in (*kept, "rsp"):
            machine.registers[name] = machine.word("x")
    for name in window:
        machine.registers[name] = machine.word("w")
    return [machine.linear(name) for name in window]


def same(machine: Machine, before: dict[str, Value], kept: tuple[str, ...]) -> bool:
    return all(machine.registers[name] == before[name] for name in (*kept, "rsp"))


# --- cios -----------------------------------------------------------------------------------------------------------


def cios_entry(machine: Machine, n: int) -> tuple[list[int], list[str], list[Linear], list[Linear], list[Linear]]:
    """Runs to the first row: the places of all rows and of the end, the window's registers, a, b and m."""
    a, b, m = (operand(machine, name, n) for name in ("a", "b", "m"))
    machine.modulus = m
    arguments(machine, Pointer("out", 0), Pointer("a", 0), Pointer("b", 0), Pointer("m", 0), machine.m_prime())
    rows = [*loads(machine, "rdx", 0), *loads(machine, "rdi", 24)]
    if len(rows) != n + 1:
        raise StuckError("the rows of cios")
    cleared = [line for line in machine.code[: rows[0]] if line.name == "xor"]
    run_to(machine, 0, rows[0])
    return rows, [str(line.operands[0]) for line in cleared], a, b, m


def cios_start(n: int) -> Prove:
    """The window is 0."""

    def prove(machine: Machine) -> bool:
        _, window, _, _, _ = cios_entry(machine, n)
        return len(window) == n + 1 and all(machine.register(name) == ZERO for name in window)

    return prove


def cios_row(n: int, row: int) -> Prove:
    """Row `row` from a window below 2m: b times the window after it is the window, a b_row and a word times m."""

    def prove(machine: Machine) -> bool:
        rows, names, a, b, m = cios_entry(machine, n)
        window = forget(machine, rotated(names, row), ("rsi", "rcx"))
        machine.solver.add(machine.term(total(a).plus(total(m), -1)) < 0)
        machine.solver.add(machine.term(total(window).plus(total(m), -2)) < 0)
        if not machine.dice:
            machine.row(b[row], a)
        before, memory = dict(machine.registers), dict(machine.memory)
        run_to(machine, rows[row], rows[row + 1])
        if not same(machine, before, ("rsi", "rcx")) or machine.memory != memory or len(machine.quotient_words) != 1:
            return False
        after = [machine.linear(name) for name in rotated(names, row + 1)]
        expected = total(window).plus(products(machine, a, [b[row]])).plus(products(machine, machine.quotient_words, m))
        return machine.equal(total([ZERO, *after]), expected)

    return prove


def finished(machine: Machine, window: Linear, m: list[Linear]) -> bool:
    """Whether `out` is the canonical residue of a number below 2m."""
    whole, modulus, out = (machine.term(value) for value in (window, total(m), total(stored(machine, "out", len(m)))))
    return machine.proves(out == z3.If(whole >= modulus, whole - modulus, whole))


def cios_end(n: int) -> Prove:
    """From a window below 2m its canonical residue."""

    def prove(machine: Machine) -> bool:
        rows, names, _, _, m = cios_entry(machine, n)
        window = total(forget(machine, rotated(names, n), ("rsi", "rcx")))
        machine.solver.add(machine.term(window.plus(total(m), -2)) < 0)
        run_to(machine, rows[n], None)
        return finished(machine, window, m)

    return prove


# --- sos_sqr --------------------------------------------------------------------------------------------------------


def sos_entry(machine: Machine, n: int) -> tuple[list[int], list[Linear], list[Linear]]:
    """Runs to the end of the square: the places of the rows and of their end, a and m."""
    a, m = (operand(machine, name, n) for name in ("a", "m"))
    machine.modulus = m
    arguments(machine, Pointer("out", 0), Pointer("a", 0), Pointer("t", 0), Pointer("m", 0), machine.m_prime())
    rows = moves(machine, "rdx", "rcx")
    end = next(at for at in range(rows[-1], len(machine.code)) if machine.code[at].name == "add")
    run_to(machine, 0, loads(machine, "rsi", 0)[0])
    return [*rows, end], a, m


def sos_square(n: int) -> Prove:
    """t is the square."""

    def prove(machine: Machine) -> bool:
        _, a, _ = sos_entry(machine, n)
        return machine.equal(total(stored(machine, "t", 2 * n)), products(machine, a, a))

    return prove


def sos_loaded(machine: Machine, n: int) -> tuple[list[int], list[str], list[Linear], list[Linear]]:
    """An unknown square, whose low words are loaded: the rows, the window's registers, the square, m."""
    rows, _, m = sos_entry(machine, n)
    # Nothing is known of the square but that its words are words.
    machine.products.clear()
    machine.solver = z3.Solver()
    machine.solver.set("timeout", TIMEOUT)
    for word in m:
        machine.in_word(word)
    machine.m_prime()
    t = operand(machine, "t", 2 * n)
    run_to(machine, loads(machine, "rsi", 0)[0], rows[0])
    names = [str(line.operands[0]) for line in machine.code[rows[0] - n : rows[0]]]
    return rows, names, t, m


def sos_start(n: int) -> Prove:
    """The window is the low words of the square; pointers and -1 / m are where the rows want them."""

    def prove(machine: Machine) -> bool:
        _, names, t, _ = sos_loaded(machine, n)
        expected = {"rdi": Pointer("t", 0), "rsi": Pointer("m", 0), "rcx": machine.m_prime()}
        window = [machine.register(name) for name in names]
        return window == t[:n] and all(machine.register(name) == value for name, value in expected.items())

    return prove


def sos_row(n: int, row: int) -> Prove:
    """b times the window after the row is the window and a word times m, and that word is stored."""

    def prove(machine: Machine) -> bool:
        rows, names, _, m = sos_loaded(machine, n)
        kept = ("rdi", "rsi", "rcx")
        window = forget(machine, rotated(names, row), kept)
        before, memory = dict(machine.registers), dict(machine.memory)
        run_to(machine, rows[row], rows[row + 1])
        memory["t", 8 * row] = machine.quotient_words[0]
        if not same(machine, before, kept) or machine.memory != memory or len(machine.quotient_words) != 1:
            return False
        after = [machine.linear(name) for name in rotated(names, row + 1)]
        expected = total(window).plus(products(machine, machine.quotient_words, m))
        return machine.equal(total([ZERO, *after]), expected)

    return prove


def sos_end(n: int) -> Prove:
    """From a window that is below 2m with the high words of the square: the canonical residue of both."""

    def prove(machine: Machine) -> bool:
        rows, names, t, m = sos_loaded(machine, n)
        window = total(forget(machine, names, ("rdi", "rsi", "rcx"))).plus(total(t[n:]))
        machine.solver.add(machine.term(window.plus(total(m), -2)) < 0)
        run_to(machine, rows[n], None)
        return finished(machine, window, m)

    return prove


def lemmas(full: bool) -> Iterator[tuple[str, str, Prove]]:
    """Name, function, claim: all lengths, or two of them."""
    for n, name in enumerate(NUMBERS, 1):
        if not full and n not in (3, 8):
            continue
        cios, sos = f"blocks::{name}::cios", f"blocks::{name}::sos_sqr"
        yield f"the entry of cios of {n} words", cios, cios_start(n)
        yield f"the end of cios of {n} words", cios, cios_end(n)
        yield f"the square of sos_sqr of {n} words", sos, sos_square(n)
        yield f"the window of sos_sqr of {n} words", sos, sos_start(n)
        yield f"the end of sos_sqr of {n} words", sos, sos_end(n)
        for row in range(n) if full else (n - 1,):
            yield f"row {row} of cios of {n} words", cios, cios_row(n, row)
            yield f"row {row} of sos_sqr of {n} words", sos, sos_row(n, row)
