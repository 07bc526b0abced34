"""The work of the examples `electionguard` and `accumulator`, compared with gmpy2."""

import importlib
import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pingala
from peers.challenge import RSA_2048
from peers.clock import Call, sampler, timed
from peers.table import Table, equal

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "pingala/examples"

# It has no types.
gmpy2: Any = importlib.import_module("gmpy2")


def constants(example: str) -> dict[str, int]:
    """The hexadecimal constants of an example, so that they are written once."""
    text = (EXAMPLES / f"{example}.rs").read_text()
    found = re.findall(r'const (\w+): &str = "0x([0-9a-f\\\s]+)";', text)
    return {name: int(re.sub(r"[\\\s]", "", digits), 16) for name, digits in found}


def electionguard(rounds: int, long: bool) -> Table:
    """24 powers of the generator, one by one and as a list, from tables of three sizes."""
    table = Table(
        "ElectionGuard: 24 powers of its generator modulo 4096 bits, exponents of 256 bits, one thread", rounds
    )
    group = constants("electionguard")
    p, q, g = group["P"], group["Q"], group["G"]
    rng = random.Random(7)
    exponents = [rng.randrange(q) for _ in range(24)]
    theirs = [gmpy2.mpz(e) for e in exponents]
    modulus, base = gmpy2.mpz(p), gmpy2.mpz(g)
    kept = pingala.Modulus(p)

    def loop() -> list[Any]:
        return [gmpy2.powmod(base, e, modulus) for e in theirs]

    def without() -> list[int]:
        return [int(kept.pow(g, e)) for e in exponents]

    equal(without(), loop(), "ElectionGuard, no table")
    table.row("one by one, without a table", {"gmpy2": sampler(loop), "pingala": sampler(without)})
    for memory in (1 << 16, 1 << 18, 1 << 22):
        fixed = pingala.FixedBase(g, p, 256, memory=memory)

        def one_by_one(fixed: Any = fixed) -> list[int]:
            return [int(fixed.pow(e)) for e in exponents]

        def listed(fixed: Any = fixed) -> list[int]:
            return list(fixed.pow_list(exponents, threads=1))

        for label, ours in (("one by one", one_by_one), ("a list", listed)):
            equal(ours(), loop(), f"ElectionGuard, {label}, {memory} bytes")
            table.row(f"{label}, {memory >> 10} KiB", {"gmpy2": sampler(loop), "pingala": sampler(ours)})
    return table


def witnesses(powers: Callable[[Any, list[int]], list[Any]], base: Any, members: list[int]) -> list[Any]:
    """base^(product of all other members) for each member, by halves; `powers` raises one base to two exponents."""
    if len(members) == 1:
        return [base]
    left, right = members[: len(members) // 2], members[len(members) // 2 :]
    bases = powers(base, [math.prod(right), math.prod(left)])
    return [
        witness for base, half in zip(bases, (left, right), strict=True) for witness in witnesses(powers, base, half)
    ]


def accumulator(rounds: int, long: bool) -> Table:
    """All witnesses of an RSA accumulator: by the same halves with gmpy2, and one by one as the first three take."""
    table = Table("All witnesses of an RSA accumulator, members of 128 bits, modulo 2048 bits, one thread", rounds)
    rng = random.Random(8)
    modulus = gmpy2.mpz(RSA_2048)

    def theirs(base: Any, exponents: list[int]) -> list[Any]:
        return [gmpy2.powmod(base, e, modulus) for e in exponents]

    def ours(base: int, exponents: list[int]) -> list[int]:
        return list(pingala.powmod_exp_list(base, exponents, RSA_2048, threads=1))

    for count, most in [(1_000, rounds), (10_000, 3)]:
        members = [int(gmpy2.next_prime(rng.getrandbits(128) | 1 << 127)) for _ in range(count)]
        whole = math.prod(members)
        others = [whole // member for member in members[:3]]

        def one_by_one(others: list[int] = others) -> list[int]:
            return [pingala.powmod(3, e, RSA_2048) for e in others]

        equal(witnesses(ours, 3, members), witnesses(theirs, gmpy2.mpz(3), members), f"{count} witnesses")
        equal(witnesses(ours, 3, members)[:3], one_by_one(), "one by one")

        def by_halves(members: list[int] = members) -> list[int]:
            return witnesses(ours, 3, members)

        def peer(members: list[int] = members) -> list[Any]:
            return witnesses(theirs, gmpy2.mpz(3), members)

        def each(few: Call = one_by_one, scale: float = count / len(others)) -> float:
            return timed(few) * scale

        contenders = {"gmpy2": sampler(peer), "pingala, one by one": each, "pingala": sampler(by_halves)}
        table.row(f"{count:,} members", contenders, rounds=min(rounds, most))
    return table
