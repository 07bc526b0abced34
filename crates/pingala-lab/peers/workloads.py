"""Work that shares something, secrets, signatures and columns, each next to its peers.

usage: python -m peers.workloads KIND [--rounds N] [PART...]

One thread on one processor; calls that may use more also with default options, on all processors and by the wall
clock. Everything in turn, round by round; a figure is the lower quartile, and every answer is compared. The record
(JSON) and the tables (Markdown) go to target/bench/KIND.*. A peer is gmpy2, GMP as tools/native_gmp.sh builds it for
this CPU, or the OpenSSL in the wheel of `cryptography`. As an AVX2 machine:

PINGALA_CPU=-avx512f,-avxifma OPENSSL_ia32cap=:~0xd0230000 make bench WHAT=secrets
"""

import argparse
import ctypes
import hashlib
import importlib
import json
import math
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pingala
from peers.measure import ROOT, RSA_2048, Call, SkippedError, lower_quartiles, machine, one_processor, sampler

# They have no types, or are only needed by some parts.
gmpy2: Any = importlib.import_module("gmpy2")
mpz: Any = gmpy2.mpz

# What is done, and the contenders that do it: the first is the peer, the last but for DEFAULT is ours.
Rows = Iterator[tuple[str, dict[str, Call]]]

# The contender with default options.
DEFAULT = "default threads"


def ours(call: Callable[..., Any], name: str = "pingala") -> dict[str, Call]:
    """A call of ours on one thread, and with default options."""
    return {name: partial(call, threads=1), DEFAULT: call}


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SkippedError(f"{name}: {error}") from error


def odd(rng: random.Random, bits: int) -> int:
    return full(rng, bits) | 1


def full(rng: random.Random, bits: int) -> int:
    return rng.getrandbits(bits) | 1 << (bits - 1)


def native_gmp() -> Callable[[int, int, int], Call]:
    """mpz_powm of GMP compiled for this CPU: numbers in, what computes the power out."""
    path = ROOT / "target/lab/gmp/lib/libgmp.so"
    if not path.exists():
        raise SkippedError("native GMP: tools/native_gmp.sh has not built it")
    library = ctypes.CDLL(str(path))

    def number(value: int) -> Any:
        """An mpz_t: two ints and a pointer."""
        made = (ctypes.c_uint64 * 2)()
        getattr(library, "__gmpz_init_set_str")(made, f"{value:x}".encode(), 16)
        return made

    def power(base: int, exponent: int, modulus: int) -> Call:
        result, *arguments = map(number, (0, base, exponent, modulus))
        text = ctypes.create_string_buffer(modulus.bit_length() // 4 + 8)
        powm, read = getattr(library, "__gmpz_powm"), getattr(library, "__gmpz_get_str")

        def call() -> int:
            powm(result, *arguments)
            read(text, 16, result)
            return int(text.value, 16)

        return call

    return power


def lists() -> Rows:
    """Lists modulo 2048 bits"""
    rng = random.Random(2)
    base, modulus = rng.getrandbits(2047), mpz(RSA_2048)
    exponents = [full(rng, 2048) for _ in range(1000)]
    theirs = partial(gmpy2.powmod_exp_list, mpz(base), list(map(mpz, exponents)), modulus)
    call = partial(pingala.powmod_exp_list, base, exponents, RSA_2048)
    yield "powmod_exp_list, 1,000 exponents of 2048 bits", {"gmpy2": theirs, **ours(call)}
    bases = [rng.getrandbits(2047) for _ in range(256)]
    theirs = partial(gmpy2.powmod_base_list, list(map(mpz, bases)), mpz(exponents[0]), modulus)
    call = partial(pingala.powmod_base_list, bases, exponents[0], RSA_2048)
    yield "powmod_base_list, 256 bases", {"gmpy2": theirs, **ours(call)}


def products() -> Rows:
    """Products of powers modulo 2048 bits"""
    rng = random.Random(3)
    modulus = mpz(RSA_2048)
    for count, bits in [(2, 2048), (16, 2048), (64, 256), (1024, 256)]:
        bases, exponents = [rng.getrandbits(2047) for _ in range(count)], [full(rng, bits) for _ in range(count)]
        pairs = [(mpz(b), mpz(e)) for b, e in zip(bases, exponents, strict=True)]

        def loop(pairs: list[Any] = pairs) -> Any:
            product = mpz(1)
            for b, e in pairs:
                product = product * gmpy2.powmod(b, e, modulus) % modulus
            return product

        call = partial(pingala.powmod_product, bases, exponents, RSA_2048)
        yield f"{count} powers, exponents of {bits} bits", {"gmpy2": loop, **ours(call)}


def from_tables(
    base: int, modulus: int, exponents: list[int], memory: int, bits: int
) -> tuple[dict[str, Call], dict[str, Call]]:
    """Powers of a fixed base one by one, and as a list."""
    table = pingala.FixedBase(base, modulus, bits, memory=memory)
    numbers = [(mpz(base), mpz(exponent), mpz(modulus)) for exponent in exponents]

    def loop() -> list[Any]:
        return [gmpy2.powmod(*each) for each in numbers]

    def one_by_one() -> list[int]:
        return [table.pow(exponent) for exponent in exponents]

    listed = partial(table.pow_list, exponents)
    return {"gmpy2": loop, "pingala": one_by_one}, {"gmpy2": loop, **ours(listed)}


def fixed() -> Rows:
    """A fixed base modulo 2048 bits, exponents of 2048 bits, 256 KiB"""
    rng = random.Random(4)
    base = rng.getrandbits(2047)
    exponents = [full(rng, 2048) for _ in range(256)]
    yield "64 powers one by one", from_tables(base, RSA_2048, exponents[:64], 256 << 10, 2048)[0]
    yield "a list of 256", from_tables(base, RSA_2048, exponents, 256 << 10, 2048)[1]


def primes(bits: int, count: int) -> list[int]:
    rng = random.Random(bits)
    return [int(gmpy2.next_prime(rng.getrandbits(bits) | 3 << (bits - 2))) for _ in range(count)]


def factors() -> Rows:
    """Known factors; the peer computes modulo the whole"""
    gmp = native_gmp()
    rng = random.Random(5)
    for label, parts in [
        ("two primes of 1024 bits", dict.fromkeys(primes(1024, 2), 1)),
        ("p^2 q^2, primes of 512 bits (Paillier)", dict.fromkeys(primes(512, 2), 2)),
    ]:
        modulus = math.prod(prime**power for prime, power in parts.items())
        kept = pingala.Modulus(modulus, factors=parts)
        pairs = [(rng.getrandbits(2040), full(rng, 2047)) for _ in range(64)]
        calls = [gmp(base, exponent, modulus) for base, exponent in pairs]
        yield label, {"native GMP": calls[0], "pingala": partial(kept.pow, *pairs[0])}
        bases, exponents = map(list, zip(*pairs, strict=True))

        def theirs(calls: list[Call] = calls) -> list[int]:
            return [call() for call in calls]

        def one_by_one(kept: Any = kept, pairs: list[tuple[int, int]] = pairs) -> list[int]:
            return [kept.pow(*pair) for pair in pairs]

        listed = partial(pingala.powmod_list, bases, exponents, kept)
        contenders: dict[str, Call] = {"native GMP": theirs, "pingala, one by one": one_by_one, **ours(listed)}
        yield f"a list of 64, {label}", contenders


def squaring() -> Rows:
    """x^(2^t) modulo 2048 bits"""
    gmp = native_gmp()
    base = random.Random(6).getrandbits(2040)
    for t in [10_000, 100_000]:
        call = partial(pingala.repeated_square, base, t, RSA_2048)
        yield f"t = {t:,}", {"native GMP": gmp(base, 1 << t, RSA_2048), "pingala": call}


def electionguard() -> Rows:
    """ElectionGuard: 24 powers of its generator modulo 4096 bits, exponents of 256 bits"""
    # The constants of the example, so that they are written once.
    text = (ROOT / "crates/pingala/examples/electionguard.rs").read_text()
    found = dict(re.findall(r'const (\w+): &str = "0x([0-9a-f\\\s]+)";', text))
    p, q, g = (int(re.sub(r"[\\\s]", "", found[name]), 16) for name in "PQG")
    rng = random.Random(7)
    exponents = [rng.randrange(q) for _ in range(24)]
    for memory in (1 << 16, 1 << 18, 1 << 22):
        one_by_one, listed = from_tables(g, p, exponents, memory, 256)
        yield f"one by one, {memory >> 10} KiB", one_by_one
        yield f"a list, {memory >> 10} KiB", listed


def witnesses(powers: Callable[[Any, list[int]], list[Any]], base: Any, members: list[int]) -> list[Any]:
    """base^(product of all other members) for each member, by halves; `powers` raises one base to two exponents."""
    if len(members) == 1:
        return [base]
    halves = members[: len(members) // 2], members[len(members) // 2 :]
    bases = powers(base, [math.prod(halves[1]), math.prod(halves[0])])
    return [one for base, half in zip(bases, halves, strict=True) for one in witnesses(powers, base, half)]


def accumulator() -> Rows:
    """All witnesses of an RSA accumulator by halves, members of 128 bits, modulo 2048 bits"""
    modulus = mpz(RSA_2048)

    def theirs(base: Any, exponents: list[int]) -> list[Any]:
        return [gmpy2.powmod(base, exponent, modulus) for exponent in exponents]

    def call(members: list[int], threads: int | None = None) -> list[Any]:
        return witnesses(partial(pingala.powmod_exp_list, modulus=RSA_2048, threads=threads), 3, members)

    rng = random.Random(8)
    for count in (1_000, 10_000):
        members = [int(gmpy2.next_prime(full(rng, 128))) for _ in range(count)]
        yield (
            f"{count:,} members",
            {"gmpy2": partial(witnesses, theirs, mpz(3), members), **ours(partial(call, members))},
        )


def rsa() -> Rows:
    """The private operation of RSA on a digest that is at hand"""
    keys = optional("cryptography.hazmat.primitives.asymmetric.rsa")
    padding = optional("cryptography.hazmat.primitives.asymmetric.padding")
    utils = optional("cryptography.hazmat.primitives.asymmetric.utils")
    hashes = optional("cryptography.hazmat.primitives.hashes")
    forms = optional("cryptography.hazmat.primitives.serialization")
    digest = bytes(range(32))
    info = bytes.fromhex("3031300d060960864801650304020105000420") + digest
    for bits in (2048, 3072, 4096):
        key = keys.generate_private_key(public_exponent=65537, key_size=bits)
        der = key.private_bytes(forms.Encoding.DER, forms.PrivateFormat.PKCS8, forms.NoEncryption())
        private = pingala.load_private_key(der)
        base = int.from_bytes(b"\0\1" + b"\xff" * (bits // 8 - len(info) - 3) + b"\0" + info, "big")
        yield (
            f"{bits} bits",
            {
                "OpenSSL": partial(key.sign, digest, padding.PKCS1v15(), utils.Prehashed(hashes.SHA256())),
                "pingala, not blinded": partial(private.pow, base, blinding=False),
                "pingala": partial(private.pow, base),
            },
        )


def table() -> Rows:
    """A secret exponent from a table of 256 KiB beside `pow_sec`"""
    rng = random.Random(9)
    for modulus_bits, bits in ((2048, 256), (3072, 256), (4096, 256), (4096, 512)):
        modulus, exponent = odd(rng, modulus_bits), rng.getrandbits(bits)
        made = pingala.FixedBase(7, modulus, bits, 1 << 18, secret=True)
        yield (
            f"{modulus_bits}/{bits}, {made.table_bytes} bytes, {made.plan}",
            {
                "pow_sec": partial(pingala.Modulus(modulus).pow_sec, 7, exponent, bits),
                "public": partial(made.pow, exponent),
                "secret": partial(made.pow_sec, exponent),
            },
        )


def verified(keys: list[Any], signatures: list[bytes], messages: list[bytes], *how: Any) -> Call:
    """OpenSSL's verdicts on signatures, of which the key at their place or the only key made each."""
    wrong = optional("cryptography.exceptions").InvalidSignature

    def verdict(key: Any, signature: bytes, message: bytes) -> bool:
        try:
            key.verify(signature, message, *how)
        except wrong:
            return False
        return True

    rows = list(zip(keys * (len(signatures) // len(keys)), signatures, messages, strict=True))
    return lambda: [verdict(*row) for row in rows]


def signatures() -> Rows:
    """Signatures of SHA-256 verified, one in each list not valid"""
    dsa = optional("cryptography.hazmat.primitives.asymmetric.dsa")
    keys = optional("cryptography.hazmat.primitives.asymmetric.rsa")
    padding = optional("cryptography.hazmat.primitives.asymmetric.padding").PKCS1v15()
    sha256 = optional("cryptography.hazmat.primitives.hashes").SHA256()
    messages = [hashlib.sha256(bytes([place])).digest() for place in range(256)]

    def signed(private: list[Any], count: int, *how: Any) -> list[bytes]:
        all_keys = private * (count // len(private))
        found = [key.sign(message, *how) for key, message in zip(all_keys, messages[:count], strict=True)]
        found[7] = found[8]
        return found

    def of_dsa(private: list[Any], count: int = 256) -> dict[str, Call]:
        numbers = [key.public_key().public_numbers() for key in private]
        domains = [(one.parameter_numbers, one.y) for one in numbers]
        known = [pingala.DSAPublicKey(domain.p, domain.q, domain.g, y) for domain, y in domains]
        made, public = signed(private, count, sha256), [key.public_key() for key in private]
        many = known if len(known) > 1 else known[0]
        return {
            "OpenSSL": verified(public, made, messages[:count], sha256),
            **ours(partial(pingala.verify_list, many, made, messages[:count], hash="sha256")),
        }

    for bits in (1024, 2048, 3072):
        domains = [dsa.generate_parameters(bits) for _ in range(4)]
        yield f"DSA {bits}, a list of one key", of_dsa([domains[0].generate_private_key()])
        yield (
            f"DSA {bits}, a list of one domain, keys differ",
            of_dsa([domains[0].generate_private_key() for _ in messages]),
        )
        yield f"DSA {bits}, a list of four domains", of_dsa([d.generate_private_key() for d in domains * 64])
    for bits in (1024, 2048, 3072, 4096):
        private = [keys.generate_private_key(public_exponent=65537, key_size=bits) for _ in range(64)]
        numbers = [key.public_key().public_numbers() for key in private]
        made = signed(private, 64, padding, sha256)

        def new_keys(numbers: list[Any] = numbers, made: list[bytes] = made, threads: int | None = None) -> list[Any]:
            new = [pingala.RSAPublicKey(number.n, number.e) for number in numbers]
            return pingala.verify_list(new, made, messages[:64], scheme="rsa-pkcs1", hash="sha256", threads=threads)

        def their_keys(numbers: list[Any] = numbers, made: list[bytes] = made) -> list[bool]:
            new = [number.public_key() for number in numbers]
            return list(verified(new, made, messages[:64], padding, sha256)())

        yield f"RSA {bits}, new keys", {"OpenSSL": their_keys, **ours(new_keys)}


def columns() -> Rows:
    """Columns and lists of int: 16,384 rows of 2048 bits, and a million of 64 bits"""
    np, pa = optional("numpy"), optional("pyarrow")
    rng = np.random.default_rng(22)
    bases, moduli = rng.integers(0, 256, (2, 16_384, 256), dtype=np.uint8)
    moduli[:, 0] |= 0x80
    moduli[:, -1] |= 1
    binary = [pa.array([bytes(row) for row in column], pa.binary(256)) for column in (bases, moduli)]
    numbers = [[int.from_bytes(bytes(row), "big") for row in column] for column in (bases, moduli)]
    ready = ours(partial(pingala.powmod_list, numbers[0], 65537, numbers[1]), "list of int")
    yield "2048 bits, e = 65537, list of int", ready
    for name, (base, modulus) in {
        "NumPy": (bases, moduli),
        "Arrow fixed-size binary": binary,
        "Arrow binary": [column.cast(pa.binary()) for column in binary],
        "Arrow binary view": [column.cast(pa.binary()).cast(pa.binary_view()) for column in binary],
    }.items():
        column = partial(pingala.powmod_column, base, 65537, modulus, byteorder="big")
        yield f"2048 bits, e = 65537, {name}", {"list of int": ready["list of int"], **ours(column, "column")}
    bases, exponents, moduli = rng.integers(0, 2**64, (3, 1_000_000), dtype=np.uint64)
    moduli |= np.uint64(1)
    for name, exponent, modulus in [
        ("e = 65537, odd moduli of their own", 65537, moduli),
        ("e = 65537, one odd modulus", 65537, int(moduli[0])),
        ("exponents and odd moduli of their own", exponents, moduli),
    ]:
        arrow = [pa.array(one) if hasattr(one, "dtype") else one for one in (bases, exponent, modulus)]
        by_arrow = partial(pingala.powmod_column, *arrow, threads=1)
        by_numpy = partial(pingala.powmod_column, bases, exponent, modulus)
        yield f"64 bits, {name}", {"Arrow": by_arrow, **ours(by_numpy, "NumPy")}


KINDS: dict[str, tuple[Callable[[], Rows], ...]] = {
    "workloads": (lists, products, fixed, factors, squaring, electionguard, accumulator),
    "secrets": (rsa, table),
    "signatures": (signatures,),
    "columns": (columns,),
}
# What makes a library take the CPU for a lesser one.
MASKS = ("PINGALA_CPU", "OPENSSL_ia32cap")


def answers(given: Any) -> list[int]:
    """What a contender gave, as numbers."""
    if isinstance(given, bytes):
        given = int.from_bytes(given, "big")
    if hasattr(given, "to_pylist"):
        given = given.to_pylist()
    if not isinstance(given, list):
        return [int(given)]
    return [int(one) for one in given]


def measured(part: Callable[[], Rows], rounds: int) -> dict[str, Any]:
    """Times each row and shows it as a line at once."""
    title, rows = (part.__doc__ or "").rstrip("."), []
    for label, calls in part():
        first, *others = [answers(call()) for call in calls.values()]
        if any(other != first for other in others):
            raise SystemExit(f"answers differ: {title}, {label}")
        samplers = {name: one_processor()(sampler(call)) for name, call in calls.items()}
        if DEFAULT in calls:
            samplers[DEFAULT] = sampler(calls[DEFAULT], time.perf_counter_ns)
        figures = lower_quartiles(samplers, rounds)
        on_one = [figure for name, figure in figures.items() if name != DEFAULT]
        ratio = on_one[0] / on_one[-1]
        gain = on_one[-1] / figures[DEFAULT] if DEFAULT in figures else None
        rows.append({"label": label, "nanoseconds": figures, "ratio": ratio, "gain": gain})
        shown = ", ".join(f"{name} {figure / 1e6:.4g} ms" for name, figure in figures.items())
        print(f"{title}, {label}: {shown}; ratio {ratio:.3g}", file=sys.stderr, flush=True)
    return {"title": title, "rows": rows}


def markdown(table: dict[str, Any]) -> str:
    names = list(dict.fromkeys(name for row in table["rows"] for name in row["nanoseconds"]))
    names.sort(key=DEFAULT.__eq__)
    lines = [
        f"### {table['title']}",
        "",
        "Milliseconds, lower quartile; the ratio is of the first peer to the last that has one thread. The gain is of "
        "that one to default threads, which are timed by the wall clock: it holds on a quiet machine.",
        "",
    ]
    lines += ["| | " + " | ".join([*names, "ratio", "gain"]) + " |", "|---|" + "---:|" * (len(names) + 2)]
    for row in table["rows"]:
        cells = [f"{row['nanoseconds'][name] / 1e6:.4g}" if name in row["nanoseconds"] else "-" for name in names]
        gain = "-" if row["gain"] is None else f"{row['gain']:.3g}"
        lines.append(f"| {row['label']} | {' | '.join(cells)} | {row['ratio']:.3g} | {gain} |")
    return "\n".join(lines) + "\n"


def heading(kind: str, rounds: int) -> str:
    """When, where and with what a kind was measured."""
    versions = [f"Pingala {pingala.__version__}"]
    if kind == "workloads":
        versions.append(f"gmpy2 {gmpy2.version()} with {gmpy2.mp_version()}")
    if "cryptography" in sys.modules:
        versions.append(optional("cryptography.hazmat.backends.openssl").backend.openssl_version_text())
    if kind == "columns":
        versions += [f"{name} {sys.modules[name].__version__}" for name in ("numpy", "pyarrow") if name in sys.modules]
    masks = "".join(f" {name}={os.environ[name]}." for name in MASKS if os.environ.get(name))
    date = time.strftime("%Y-%m-%d")
    threads = f"one thread, or {len(os.sched_getaffinity(0))} by default"
    return f"Measured {date} on {machine()}, {threads}, {rounds} rounds; {', '.join(versions)}.{masks}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("parts", nargs="*", metavar="PART", help="by default all of the kind")
    arguments = parser.parse_intermixed_args()
    kind, known = arguments.kind, {part.__name__: part for part in KINDS[arguments.kind]}
    if unknown := set(arguments.parts) - set(known):
        parser.error(f"no such part of {kind}: {', '.join(sorted(unknown))}; expected some of {', '.join(known)}")
    tables: list[dict[str, Any]] = []
    skipped: list[str] = []
    for name in arguments.parts or known:
        try:
            tables.append(measured(known[name], arguments.rounds))
        except SkippedError as why:
            skipped.append(str(why))
            print(f"left out: {why}", file=sys.stderr)
    head = heading(kind, arguments.rounds)
    text = "\n".join([head, *map(markdown, tables), *(f"Left out: {why}\n" for why in skipped)])
    folder = ROOT / "target/bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{kind}.md").write_text(text)
    (folder / f"{kind}.json").write_text(json.dumps({"heading": head, "tables": tables}, indent=1) + "\n")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
