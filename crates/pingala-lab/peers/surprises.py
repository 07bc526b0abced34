"""Safe primes, proofs of squarings, files of powers and elections, each beside its peers: docs/surprises.md.

    make bench WHAT=surprises                                  # or, with any installed pingala:
    python crates/pingala-lab/peers/surprises.py               # all; minutes
    python crates/pingala-lab/peers/surprises.py primes --share 0.1

Needs pingala only. gmpy2 and the command `openssl` are peers; one that is missing is named. Times are those of the
processor, of one thread each, so that other programs disturb them little. Every answer is compared with `pow` or with a
peer.
"""

import argparse
import csv
import importlib
import itertools
import math
import os
import resource
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import pingala
from peers.measure import RSA_2048, machine

try:
    gmpy2: Any = importlib.import_module("gmpy2")
except ImportError:
    gmpy2 = None

PEERS = ("Pingala", "gmpy2", "OpenSSL", "pow")
# The order of the groups of elections, and the modulus of the rows: a prime of 256 bits.
Q = 2**256 - 189


@dataclass
class Row:
    """Seconds of one unit of work, by who does it."""

    task: str
    seconds: dict[str, float]


def processor_time() -> float:
    """Of this process and of the programs that it waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    start = processor_time()
    result = call()
    return result, processor_time() - start


def mean(call: Callable[[], Any], budget: float, check: Callable[[Any], bool], least: int = 1) -> tuple[float, int]:
    """The mean of as many calls as fit into so many seconds, at least as many as asked for and at most 1,000."""
    total, count = 0.0, 0
    while count < 1000 and (count < least or total < budget):
        result, taken = timed(call)
        assert check(result)
        total, count = total + taken, count + 1
    return total / count, count


# --- safe primes -----------------------------------------------------------------------------------------------------


def candidates(bits: int) -> Iterator[tuple[int, int]]:
    """q and p = 2q + 1 of so many bits, neither with a factor below 2,000: the sieve of peers that have none."""
    gcd = gmpy2.gcd if gmpy2 else math.gcd
    small = math.prod(pingala.primes_between(5, 2000))
    while True:
        q = secrets.randbits(bits - 1) | 1 << bits - 2
        q += (5 - q) % 6
        if q.bit_length() == bits - 1 and gcd(q * (2 * q + 1), small) == 1:
            yield q, 2 * q + 1


def by_gmpy2(bits: int) -> int:
    return next(p for q, p in candidates(bits) if gmpy2.is_prime(q) and gmpy2.is_prime(p))


def by_openssl(bits: int) -> int:
    command = ["openssl", "prime", "-generate", "-safe", "-bits", str(bits)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def by_pow(bits: int) -> int:
    return next(p for q, p in candidates(bits) if pow(2, q - 1, q) == 1 and pow(2, p - 1, p) == 1)


def safe_primes(share: float) -> Iterator[Row]:
    for bits in (512, 1024, 2048):
        contenders: dict[str, Callable[[], int]] = {
            "Pingala": partial(pingala.random_prime, bits, safe=True, threads=1)
        }
        # At 2048 bits one draw takes peers half a minute in the mean: too few to compare in one run.
        if gmpy2 and bits < 2048:
            contenders["gmpy2"] = partial(by_gmpy2, bits)
        if shutil.which("openssl") and bits < 2048:
            contenders["OpenSSL"] = partial(by_openssl, bits)
        if bits == 512:
            contenders["pow"] = partial(by_pow, bits)

        def is_safe(p: int, bits: int = bits) -> bool:
            return p.bit_length() == bits and all(pow(2, n - 1, n) == 1 for n in (p, p // 2))

        found = {name: mean(draw, 5 * share, is_safe, math.ceil(10 * share)) for name, draw in contenders.items()}
        counts = ", ".join(f"{count} by {name}" for name, (_, count) in found.items())
        yield Row(
            f"a safe prime of {bits} bits; means of {counts}", {name: seconds for name, (seconds, _) in found.items()}
        )


# --- proofs of squarings ----------------------------------------------------------------------------------------------


def proofs(share: float) -> Iterator[Row]:
    t = max(1000, int(1_000_000 * share))
    (result, proof), taken = timed(lambda: pingala.repeated_square(3, t, RSA_2048, proof="wesolowski", threads=1))
    again = {"Pingala": taken}
    if gmpy2:
        power, again["gmpy2"] = timed(lambda: gmpy2.powmod(3, gmpy2.mpz(1) << t, RSA_2048))
        assert power == result
    power, again["pow"] = timed(lambda: pow(3, 1 << t, RSA_2048))
    assert power == result
    yield Row(f"3^(2^{t:,}) modulo 2,048 bits; by Pingala with a proof", again)
    assert not pingala.verify_squaring(3, t + 1, RSA_2048, result, proof)
    seconds, _ = mean(lambda: pingala.verify_squaring(3, t, RSA_2048, result, proof), 2 * share, bool)
    yield Row("the check of this proof; others square again", {**again, "Pingala": seconds})


# --- files -----------------------------------------------------------------------------------------------------------


def rows(share: float) -> Iterator[Row]:
    count = int(2_000_000 * share)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "rows.csv"
        with source.open("w", encoding="ascii") as file:
            file.write("base,exponent\n")
            file.writelines(f"{secrets.token_hex(32)},{secrets.token_hex(32)}\n" for _ in range(count))

        def job() -> Path:
            plan = pingala.Job.plan(
                source, Path(folder) / "out", base="base", exponent="exponent", modulus=Q, hex_input=True, format="csv"
            )
            plan.run(threads=1)
            return plan.folder

        out, taken = timed(job)
        seconds = {"Pingala": taken}
        parts = sorted(out.glob("part-*.csv"))
        powers: dict[str, Callable[[int, int, int], Any]] = {"pow": pow}
        if gmpy2:
            powers["gmpy2"] = gmpy2.powmod
        with parts[0].open(encoding="ascii") as file:
            answers = list(itertools.islice(csv.DictReader(file), 2000))
        some = min(count, 20_000)
        for name, power in powers.items():
            with source.open(encoding="ascii") as file, (Path(folder) / "loop.csv").open("w") as written:

                def loop(power: Callable[[int, int, int], Any] = power) -> list[int]:
                    found = []
                    for row in itertools.islice(csv.DictReader(file), some):
                        found.append(int(power(int(row["base"], 16), int(row["exponent"], 16), Q)))
                        written.write(f"{found[-1]:#x}\n")
                    return found

                found, taken = timed(loop)
            assert [int(answer["result"], 0) for answer in answers] == found[: len(answers)]
            seconds[name] = taken / some * count
        yield Row(f"{count:,} powers of 256 bits from a CSV file to another; loops: {some:,} rows, scaled", seconds)


# --- elections -------------------------------------------------------------------------------------------------------


def elections(share: float) -> Iterator[Row]:
    p = pingala.random_prime(4096, residue=(1, 2 * Q))
    group = pingala.Modulus(p)
    g = group.pow(next(h for h in range(2, 100) if group.pow(h, (p - 1) // Q) != 1), (p - 1) // Q)
    count = max(16, int(1000 * share))
    key = group.pow(g, secrets.randbelow(Q))
    nonces = [secrets.randbelow(Q) for _ in range(count)]

    def tables() -> list[pingala.FixedBase]:
        return [pingala.FixedBase(base, group, 256, memory=1 << 18, secret=True) for base in (g, key)]

    made = tables()
    (alphas, masks), taken = timed(lambda: [table.pow_sec_list(nonces, threads=1) for table in made])
    few = nonces[: max(4, count // 20)]
    seconds = {"Pingala": taken / count}
    if gmpy2:
        found, taken = timed(lambda: [(gmpy2.powmod_sec(g, r, p), gmpy2.powmod_sec(key, r, p)) for r in few])
        assert found == list(zip(alphas, masks, strict=True))[: len(few)]
        seconds["gmpy2"] = taken / len(few)
    found, taken = timed(lambda: [(pow(g, r, p), pow(key, r, p)) for r in few])
    assert found == list(zip(alphas, masks, strict=True))[: len(few)]
    seconds["pow"] = taken / len(few)
    yield Row("g^r and K^r modulo 4,096 bits, r of 256 bits, constant time but for pow: one ballot", seconds)

    bases = [[g, alpha] for alpha in alphas]
    exponents = [[secrets.randbelow(Q), secrets.randbelow(Q)] for _ in alphas]
    products, taken = timed(lambda: pingala.powmod_product_list(bases, exponents, group, threads=1))
    seconds = {"Pingala": taken / count}
    powers: dict[str, Callable[[int, int, int], Any]] = {"pow": pow}
    if gmpy2:
        powers["gmpy2"] = gmpy2.powmod
    some = list(zip(bases, exponents, strict=True))[: len(few)]

    def loop(power: Callable[[int, int, int], Any]) -> list[int]:
        return [power(a, x, p) * power(b, y, p) % p for (a, b), (x, y) in some]

    for name, power in powers.items():
        found, taken = timed(partial(loop, power))
        assert found == products[: len(few)]
        seconds[name] = taken / len(few)
    yield Row("g^s alpha^c, another alpha each: the equation of one proof", seconds)


# --- the table -------------------------------------------------------------------------------------------------------


def show(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def beside(peer: float | None, ours: float) -> str:
    """A peer's time, and how many times ours it is; empty without a time."""
    if peer is None:
        return ""
    ratio = peer / ours
    return f"{show(peer)} ({ratio:,.0f})" if ratio >= 100 else f"{show(peer)} ({ratio:.2g})"


KINDS: dict[str, Callable[[float], Iterator[Row]]] = {
    "primes": safe_primes,
    "proofs": proofs,
    "rows": rows,
    "elections": elections,
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"some of {', '.join(KINDS)}; default: all")
    parser.add_argument("--share", type=float, default=1.0, help="the part of the work that is done; default 1")
    settings = parser.parse_args(arguments)
    if unknown := set(settings.kinds) - set(KINDS):
        parser.error(f"{', '.join(sorted(unknown))}: expected some of {', '.join(KINDS)}")
    openssl = shutil.which("openssl")
    version = subprocess.check_output(["openssl", "version"], text=True).split()[1] if openssl else ""
    peers = [f"Pingala {pingala.__version__}", f"Python {sys.version.split()[0]}"]
    peers += [f"gmpy2 {gmpy2.version()}"] if gmpy2 else []
    peers += [f"OpenSSL {version}"] if openssl else []
    missing = [name for name, there in (("gmpy2", gmpy2), ("the command openssl", openssl)) if not there]
    print(f"{machine()}; {time.strftime('%Y-%m-%d')}; load {os.getloadavg()[0]:.0f}; {', '.join(peers)}")
    print(f"missing: {', '.join(missing)}" if missing else "no peer is missing")
    print(f"\n| one thread, time of the processor | {' | '.join(PEERS)} |\n|---|{'---:|' * len(PEERS)}")
    for kind in settings.kinds or KINDS:
        for row in KINDS[kind](settings.share):
            ours = row.seconds["Pingala"]
            cells = [show(ours), *(beside(row.seconds.get(name), ours) for name in PEERS[1:])]
            print(f"| {row.task} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
