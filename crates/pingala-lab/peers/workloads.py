"""Work that shares something, beside gmpy2, native GMP and the Go package multiexp: one base and many exponents,
products, fixed bases, known factors, repeated squaring, and the work of two examples.

usage: python -m peers.workloads [--rounds N] [--long] [PART...]
parts: multiexp threads overlap lists products fixed factors squaring electionguard accumulator

One processor, except for `threads` and `overlap`; everything in turn, round by round; a figure is the lower quartile,
and every answer is compared. The record (JSON) and the tables (Markdown) go to target/bench/.
"""

import argparse
import ctypes
import functools
import importlib
import json
import math
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pingala
from peers.challenge import RSA_2048
from peers.clock import Call, sampler, timed
from peers.examples import accumulator, electionguard
from peers.go_multiexp import GoMultiexp, SkippedError, thread_rows
from peers.host import machine, one_processor
from peers.table import Table, equal

ROOT = Path(__file__).resolve().parent.parent.parent.parent

# It has no types.
gmpy2: Any = importlib.import_module("gmpy2")


class NativeGmp:
    """GMP configured for this CPU by tools/native_gmp.sh, through ctypes."""

    def __init__(self) -> None:
        path = ROOT / "target/lab/gmp/lib/libgmp.so"
        if not path.exists():
            raise SkippedError("native GMP: tools/native_gmp.sh has not built it")
        self.library = ctypes.CDLL(str(path))

    def number(self, value: int) -> ctypes.Array[ctypes.c_uint64]:
        """An mpz_t: two ints and a pointer."""
        mpz = (ctypes.c_uint64 * 2)()
        getattr(self.library, "__gmpz_init_set_str")(mpz, f"{value:x}".encode(), 16)
        return mpz

    def powm(self, base: int, exponent: int, modulus: int) -> tuple[Call, Call]:
        """What computes, and what reads the answer."""
        result, *arguments = (self.number(value) for value in (0, base, exponent, modulus))
        powm = getattr(self.library, "__gmpz_powm")

        def value() -> int:
            text = ctypes.create_string_buffer(modulus.bit_length() // 4 + 8)
            getattr(self.library, "__gmpz_get_str")(text, 16, result)
            return int(text.value, 16)

        return lambda: powm(result, *arguments), value


def multiexp(rounds: int, long: bool) -> Table:
    """The package's own table: one base, 2048-bit modulus, several exponents."""
    table = Table("The Go package multiexp: one base modulo 2048 bits, one thread", rounds)
    package = GoMultiexp()
    print(package.version, file=sys.stderr)
    rng = random.Random(1)
    base = rng.getrandbits(2000)
    sizes = [2_000, 20_000, 200_000] + ([2_000_000] if long else [])
    variants = {1: "math/big", 2: "DoubleExp", 4: "FourfoldExp", 8: "FourfoldExp"}
    bars = {2: 8.0, 4: 8.0, 8: 12.0}
    for bits in sizes:
        for count, variant in variants.items():
            exponents = [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(count)]
            package.load(base, RSA_2048, exponents)

            def ours(exponents: list[int] = exponents) -> list[int]:
                return pingala.powmod_exp_list(base, exponents, RSA_2048, threads=1)

            package.run(variant)
            equal(ours(), package.answers(), f"multiexp, {count} x {bits}")
            contenders: dict[str, Callable[[], float]] = {
                variant: functools.partial(package.run, variant),
                "pingala": sampler(ours),
            }
            bar = bars.get(count) if bits > 2_000 else None
            table.row(f"{count} exponents of {bits:,} bits, {variant}", contenders, bar)
        if bits > 200_000:
            continue
        exponents = [rng.getrandbits(bits) | 1 << (bits - 1)]
        package.load(base, RSA_2048, exponents)
        package.run("ExpParallel")
        # What its table really holds: 256 bytes for each bit.
        memory = package.table_bytes()
        fixed = pingala.FixedBase(base, RSA_2048, bits, memory=memory)

        def power(fixed: Any = fixed, exponent: int = exponents[0]) -> int:
            return int(fixed.pow(exponent))

        equal([power()], package.answers(), f"multiexp, table, {bits}")
        table.row(
            f"1 exponent of {bits:,} bits, tables of {memory / 2**20:.1f} MiB, ExpParallel",
            {"ExpParallel": lambda: package.run("ExpParallel"), "pingala": sampler(power)},
            20.0 if bits > 2_000 else None,
        )
    return table


def threads(rounds: int, long: bool) -> Table:
    """Compares the package's single power on several threads with our list of powers on the same number of threads."""
    table = Table("The Go package multiexp: threads, tables of the same size, wall time", rounds)
    for row in thread_rows(20_000, rounds)["rows"]:
        figures = {"ExpParallel": row["ExpParallel"], "pingala, power by power": row["one"], "pingala": row["list"]}
        ratio = row["ExpParallel"] / row["list"]
        label = f"a power of 20,000 bits, {row['threads']} threads"
        table.rows.append({"label": label, "nanoseconds": figures, "ratio": ratio, "bar": None})
    return table


def overlap(rounds: int, long: bool) -> Table:
    """The bucket work of four powers on one thread, behind their squarings on another."""
    table = Table("Four powers modulo 2048 bits on two threads beside their squarings alone, wall time", rounds)
    rng = random.Random(9)
    base, bits = rng.getrandbits(2040), 200_000
    exponents = [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(4)]

    def squarings() -> int:
        return pingala.repeated_square(base, bits, RSA_2048)

    def powers(threads: int = 2) -> list[int]:
        return pingala.powmod_exp_list(base, exponents, RSA_2048, threads=threads)

    equal(powers(), [gmpy2.powmod(base, e, RSA_2048) for e in exponents], "four powers on two threads")
    with ThreadPoolExecutor(2) as pool:

        def twice() -> None:
            wait([pool.submit(squarings), pool.submit(squarings)])

        calls: dict[str, Call] = {
            "squarings": squarings,
            "two such at once": twice,
            "pingala, one thread": lambda: powers(1),
            "pingala": powers,
        }
        contenders = {name: sampler(call, time.perf_counter_ns) for name, call in calls.items()}
        table.row(f"4 exponents of {bits:,} bits", contenders)
    # A processor that two threads share cannot hide the work of one behind the other's.
    row = table.rows[-1]
    both = row["nanoseconds"]["two such at once"] / row["nanoseconds"]["squarings"]
    if both < 1.05:
        row["bar"] = 1 / 1.1
    else:
        print(f"no bar: two runs of squarings that share nothing take {both:.2f} of one at once", file=sys.stderr)
    return table


def lists(rounds: int, long: bool) -> Table:
    table = Table("Lists modulo 2048 bits beside gmpy2, one thread", rounds)
    rng = random.Random(2)
    modulus = gmpy2.mpz(RSA_2048)
    base = rng.getrandbits(2047)
    exponents = [rng.getrandbits(2048) | 1 << 2047 for _ in range(1000)]
    theirs = [gmpy2.mpz(e) for e in exponents]
    mpz_base = gmpy2.mpz(base)

    def ours() -> list[int]:
        return pingala.powmod_exp_list(base, exponents, RSA_2048, threads=1)

    equal(ours(), gmpy2.powmod_exp_list(mpz_base, theirs, modulus), "powmod_exp_list")
    table.row(
        "powmod_exp_list, 1,000 exponents of 2048 bits",
        {
            "gmpy2": lambda: timed(lambda: gmpy2.powmod_exp_list(mpz_base, theirs, modulus)),
            "pingala": lambda: timed(ours),
        },
        45.0,
    )
    bases = [rng.getrandbits(2047) for _ in range(256)]
    mpz_bases = [gmpy2.mpz(b) for b in bases]
    exponent = exponents[0]

    def base_list() -> list[int]:
        return pingala.powmod_base_list(bases, exponent, RSA_2048, threads=1)

    equal(base_list(), gmpy2.powmod_base_list(mpz_bases, theirs[0], modulus), "powmod_base_list")
    table.row(
        "powmod_base_list, 256 bases",
        {
            "gmpy2": lambda: timed(lambda: gmpy2.powmod_base_list(mpz_bases, theirs[0], modulus)),
            "pingala": lambda: timed(base_list),
        },
        8.2,
    )
    return table


def products(rounds: int, long: bool) -> Table:
    table = Table("Products of powers modulo 2048 bits beside a loop of gmpy2's powmod, one thread", rounds)
    rng = random.Random(3)
    modulus = gmpy2.mpz(RSA_2048)
    for count, bits, bar in [(2, 2048, None), (16, 2048, 25.0), (64, 256, None), (1024, 256, None)]:
        bases = [rng.getrandbits(2047) for _ in range(count)]
        exponents = [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(count)]
        pairs = [(gmpy2.mpz(b), gmpy2.mpz(e)) for b, e in zip(bases, exponents, strict=True)]

        def loop(pairs: list[Any] = pairs) -> Any:
            product = gmpy2.mpz(1)
            for b, e in pairs:
                product = product * gmpy2.powmod(b, e, modulus) % modulus
            return product

        def ours(bases: list[int] = bases, exponents: list[int] = exponents) -> int:
            return pingala.powmod_product(bases, exponents, RSA_2048, threads=1)

        equal(ours(), loop(), f"product of {count}")
        table.row(
            f"{count} powers, exponents of {bits} bits",
            {"gmpy2": sampler(loop), "pingala": sampler(ours)},
            bar,
        )
    return table


def fixed(rounds: int, long: bool) -> Table:
    table = Table(
        "A fixed base modulo 2048 bits, exponents of 2048 bits, 256 KiB, beside gmpy2's powmod, one thread", rounds
    )
    rng = random.Random(4)
    base = rng.getrandbits(2047)
    mpz_base, modulus = gmpy2.mpz(base), gmpy2.mpz(RSA_2048)
    tables = pingala.FixedBase(base, RSA_2048, 2048, memory=256 << 10)
    exponents = [rng.getrandbits(2048) | 1 << 2047 for _ in range(256)]
    theirs = [gmpy2.mpz(e) for e in exponents]
    equal(tables.pow_list(exponents), [gmpy2.powmod(mpz_base, e, modulus) for e in theirs], "fixed base")

    def loop(count: int) -> Any:
        return [gmpy2.powmod(mpz_base, e, modulus) for e in theirs[:count]]

    table.row(
        "64 powers one by one",
        {
            "gmpy2": lambda: timed(lambda: loop(64)),
            "pingala": lambda: timed(lambda: [tables.pow(e) for e in exponents[:64]]),
        },
        33.0,
    )
    table.row(
        "a list of 256",
        {
            "gmpy2": lambda: timed(lambda: loop(256)),
            "pingala": lambda: timed(lambda: tables.pow_list(exponents, threads=1)),
        },
        45.0,
    )
    return table


def primes(bits: int, count: int) -> list[int]:
    rng = random.Random(bits)
    return [int(gmpy2.next_prime(rng.getrandbits(bits) | 3 << (bits - 2))) for _ in range(count)]


def factors(rounds: int, long: bool) -> Table:
    table = Table("Known factors beside native GMP's mpz_powm of the whole", rounds)
    gmp = NativeGmp()
    rng = random.Random(5)
    p, q = primes(1024, 2)
    small = primes(512, 2)
    for label, parts, bar in [
        ("two primes of 1024 bits", {p: 1, q: 1}, 9.5),
        ("p^2 q^2, primes of 512 bits (Paillier)", {small[0]: 2, small[1]: 2}, None),
    ]:
        modulus = math.prod(prime**power for prime, power in parts.items())
        base, exponent = rng.getrandbits(2040), rng.getrandbits(2047) | 1 << 2046
        kept = pingala.Modulus(modulus, factors=parts)
        call, value = gmp.powm(base, exponent, modulus)
        call()
        equal(kept.pow(base, exponent), value(), label)

        def ours(kept: Any = kept, base: int = base, exponent: int = exponent) -> int:
            return int(kept.pow(base, exponent))

        table.row(label, {"native GMP": sampler(call), "pingala": sampler(ours)}, bar)

        pairs = [(rng.getrandbits(2040), rng.getrandbits(2047) | 1 << 2046) for _ in range(64)]
        calls = [gmp.powm(base, exponent, modulus) for base, exponent in pairs]
        mpz = [(gmpy2.mpz(base), gmpy2.mpz(exponent), gmpy2.mpz(modulus)) for base, exponent in pairs]
        bases, exponents = [base for base, _ in pairs], [exponent for _, exponent in pairs]

        def theirs(calls: list[tuple[Call, Call]] = calls) -> None:
            for call, _ in calls:
                call()

        def loop(mpz: list[Any] = mpz) -> list[Any]:
            return [gmpy2.powmod(*numbers) for numbers in mpz]

        def one_by_one(kept: Any = kept, pairs: list[tuple[int, int]] = pairs) -> list[int]:
            return [int(kept.pow(base, exponent)) for base, exponent in pairs]

        def listed(kept: Any = kept, bases: list[int] = bases, exponents: list[int] = exponents) -> list[int]:
            return list(pingala.powmod_list(bases, exponents, kept, threads=1))

        theirs()
        equal(listed(), [value() for _, value in calls], label)
        equal(listed(), one_by_one(), label)
        equal(listed(), loop(), label)
        table.row(
            f"a list of 64, {label}",
            {
                "native GMP": sampler(theirs),
                "gmpy2": sampler(loop),
                "pingala, one by one": sampler(one_by_one),
                "pingala": sampler(listed),
            },
        )
    return table


def squaring(rounds: int, long: bool) -> Table:
    table = Table("x^(2^t) modulo 2048 bits beside native GMP's mpz_powm", rounds)
    gmp = NativeGmp()
    base = random.Random(6).getrandbits(2040)
    for t in [10_000, 100_000]:
        call, value = gmp.powm(base, 1 << t, RSA_2048)
        call()
        equal(pingala.repeated_square(base, t, RSA_2048), value(), f"t = {t}")

        def ours(t: int = t) -> int:
            return int(pingala.repeated_square(base, t, RSA_2048))

        contenders = {"native GMP": sampler(call), "pingala": sampler(ours)}
        table.row(f"t = {t:,}", contenders, 3.7)
    return table


PARTS = {
    "multiexp": multiexp,
    "threads": threads,
    "overlap": overlap,
    "lists": lists,
    "products": products,
    "fixed": fixed,
    "factors": factors,
    "squaring": squaring,
    "electionguard": electionguard,
    "accumulator": accumulator,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--long", action="store_true", help="multiexp up to 2,000,000 bits")
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(PARTS))
    arguments = parser.parse_args()
    tables: list[Table] = []
    skipped: list[str] = []
    for name in arguments.parts or PARTS:
        try:
            with nullcontext() if name in ("threads", "overlap") else one_processor():
                tables.append(PARTS[name](arguments.rounds, arguments.long))
        except SkippedError as why:
            skipped.append(str(why))
            print(f"left out: {why}", file=sys.stderr)
    heading = (
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, {arguments.rounds} rounds; "
        f"Pingala {pingala.__version__}, gmpy2 {gmpy2.version()} with {gmpy2.mp_version()}. One thread.\n"
    )
    text = "\n".join([heading, *(table.markdown() for table in tables), *(f"Left out: {why}\n" for why in skipped)])
    folder = ROOT / "target/bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "workloads.md").write_text(text)
    record = {"heading": heading, "tables": [{"title": table.title, "rows": table.rows} for table in tables]}
    (folder / "workloads.json").write_text(json.dumps(record, indent=1) + "\n")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
