"""What is disturbed: every command that computes or writes, and a program that uses the package.

Answers come from `pow`.
"""

import csv
import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from . import key

PROGRAM = Path(__file__).with_name("program.py")
MODULUS = 2**521 - 1


@dataclass
class Task:
    """One command in a folder of its own."""

    #: Behind the name of the command, or the whole command line of another program.
    arguments: list[str]
    #: What a run without trouble writes to standard output; None if it is not compared.
    stdout: bytes | None = None
    #: The file that appears, and whether its content is whole.
    output: str | None = None
    is_whole: Callable[[Path], bool] = lambda path: True
    #: Arguments of a run after a run in trouble.
    again: list[str] = field(default_factory=list)
    #: Files that may lie in the folder at the end.
    files: Sequence[str] = ()
    #: Arguments of a run before, without trouble.
    first: Sequence[str] = ()
    program: bool = False
    #: Status of a run without trouble.
    status: int = 0


def _lines(numbers: Sequence[int]) -> bytes:
    return "".join(f"{number}\n" for number in numbers).encode()


def _text(want: bytes) -> Callable[[Path], bool]:
    return lambda path: path.read_bytes() == want


def _power(folder: Path, dice: random.Random) -> Task:
    base, exponent, modulus = dice.getrandbits(6000), dice.getrandbits(2000), dice.getrandbits(6000) | 1
    (folder / "numbers").write_text(f"{hex(base)}\n")
    line = ["pow", "@numbers", hex(exponent), hex(modulus), "--quiet"]
    return Task(line, f"{hex(pow(base, exponent, modulus))}\n".encode(), files=["numbers"])


def _by_key(folder: Path, dice: random.Random) -> Task:
    base = dice.getrandbits(4000)
    (folder / "key").write_bytes(key.pkcs1())
    (folder / "base").write_text(f"{base}\n")
    line = ["pow", "--private-key-file", "key", "--secret-base-file", "base", "--quiet"]
    return Task(line, _lines([pow(base, key.D, key.N)]), files=["key", "base"])


def _square(folder: Path, dice: random.Random) -> Task:
    count = 200_000
    line = ["square", "3", str(count), hex(MODULUS), "--decimal", "--quiet", "--checkpoint", "state", "--every", "1"]
    return Task(line, _lines([pow(3, 2**count, MODULUS)]), files=["state"])


def _batch(folder: Path, dice: random.Random) -> Task:
    rows = [(dice.getrandbits(1024), dice.getrandbits(200), dice.getrandbits(1024) | 1) for _ in range(2000)]
    with (folder / "rows.csv").open("w", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerows([("base", "exponent", "modulus"), *rows])
    want = "".join(f'{{"id":{at + 2},"result":"{hex(pow(*row))}"}}\n' for at, row in enumerate(rows)).encode()
    line = ["batch", "rows.csv", "--output", "out.jsonl", "--quiet"]
    return Task(line, None, "out.jsonl", _text(want), ["--force"], ["rows.csv", "out.jsonl"])


def _multi(folder: Path, dice: random.Random) -> Task:
    exponents = [dice.getrandbits(500) for _ in range(3000)]
    (folder / "exponents").write_bytes(_lines(exponents))
    want = _lines([pow(7, exponent, MODULUS) for exponent in exponents])
    line = ["multi", "7", str(MODULUS), "exponents", "--output", "powers", "--quiet"]
    return Task(line, None, "powers", _text(want), ["--force"], ["exponents", "powers"])


def _product(folder: Path, dice: random.Random) -> Task:
    pairs = [(dice.getrandbits(500), dice.getrandbits(300)) for _ in range(2000)]
    (folder / "pairs").write_text("".join(f"{base} {exponent}\n" for base, exponent in pairs))
    product = 1
    for base, exponent in pairs:
        product = product * pow(base, exponent, MODULUS) % MODULUS
    return Task(["product", str(MODULUS), "pairs"], _lines([product]), files=["pairs"])


TABLE = ["table", "build", "3", str(MODULUS), "three.table", "--memory", "4M"]


def _table_build(folder: Path, dice: random.Random) -> Task:
    # A table of a half-written file is refused by everything that reads one: its length and its SHA-256 are checked.
    return Task(TABLE, None, "three.table", lambda path: path.stat().st_size > 1 << 20, ["--force"], ["three.table"])


def _table_pow(folder: Path, dice: random.Random) -> Task:
    exponents = [dice.getrandbits(500) for _ in range(3000)]
    (folder / "exponents").write_bytes(_lines(exponents))
    want = _lines([pow(3, exponent, MODULUS) for exponent in exponents])
    line = ["table", "pow", "three.table", "exponents", "--output", "powers", "--quiet"]
    return Task(line, None, "powers", _text(want), ["--force"], ["three.table", "exponents", "powers"], TABLE)


def _table_verify(folder: Path, dice: random.Random) -> Task:
    return Task(["table", "verify", "three.table"], files=["three.table"], first=TABLE)


def _tune(folder: Path, dice: random.Random) -> Task:
    whole = lambda path: path.read_bytes().endswith(b"\n")  # noqa: E731
    line = ["tune", "--kernel", "division_r64", "--output", "prices", "--quiet"]
    return Task(line, None, "prices", whole, [], ["prices"])


def _chain(folder: Path, dice: random.Random) -> Task:
    line = ["chain", "search", str(dice.getrandbits(60) | 1 << 59), "--steps", "300000", "--quiet", "--output", "chain"]
    whole = lambda path: path.read_bytes().endswith(b"\n")  # noqa: E731
    return Task(line, None, "chain", whole, ["--force"], ["chain"])


def _verify(folder: Path, dice: random.Random) -> Task:
    n = dice.getrandbits(2048) | 1 | 1 << 2047
    rows = [{"signature": f"{dice.getrandbits(2040):0512x}", "message": f"message {at}", "n": hex(n), "e": 65537}
            for at in range(2000)]  # fmt: skip
    (folder / "signatures").write_text("".join(json.dumps(row) + "\n" for row in rows))
    line = ["verify", "signatures", "--scheme", "rsa-pkcs1", "--encoding", "raw", "--output", "verdicts", "--quiet"]
    whole = lambda path: path.read_bytes().count(b'"valid":false') == 2000  # noqa: E731
    return Task(line, None, "verdicts", whole, ["--force"], ["signatures", "verdicts"], status=4)


def _job(folder: Path, dice: random.Random) -> Task:
    count, width = 4000, 128
    bases = [dice.getrandbits(8 * width) for _ in range(count)]
    moduli = [dice.getrandbits(8 * width) | 1 for _ in range(count)]
    arrays = [pa.array([number.to_bytes(width, "big") for number in numbers], pa.binary(width))
               for numbers in (bases, moduli)]  # fmt: skip
    pq.write_table(pa.table(arrays, names=["base", "modulus"]), folder / "in.parquet", row_group_size=500)
    want = [pow(base, 65537, modulus) for base, modulus in zip(bases, moduli, strict=True)]

    def whole(out: Path) -> bool:
        parts = sorted(out.glob("part-*.parquet"))
        read = [pq.read_table(path)["result"].to_pylist() for path in parts]
        finished = (out / "_manifest.json").exists()
        found = [int.from_bytes(value, "big") for part in read for value in part]
        return found == want if finished else all(len(part) == 250 for part in read)

    columns = ["--base", "base", "--exponent", "65537", "--modulus", "modulus"]
    line = ["job", "run", "in.parquet", "--output", "out", *columns, "--part-rows", "250", "--quiet"]
    return Task(line, None, "out", whole, [], ["in.parquet", "out"])


def _job_verify(folder: Path, dice: random.Random) -> Task:
    (folder / "in.csv").write_text("base\n" + "".join(f"{dice.getrandbits(500)}\n" for _ in range(4000)))
    first = f"job run in.csv --output out --base base --exponent 65537 --modulus {MODULUS} --quiet".split()
    return Task(["job", "verify", "out", "--rows", "4000", "--quiet"], b"", files=["in.csv", "out"], first=first)


def _package(folder: Path, dice: random.Random) -> Task:
    line = [sys.executable, str(PROGRAM)]
    return Task(line, b"all right\n", files=["table", "state"], program=True)


TASKS: dict[str, Callable[[Path, random.Random], Task]] = {
    "pow": _power,
    "pow by a private key": _by_key,
    "square": _square,
    "batch": _batch,
    "multi": _multi,
    "product": _product,
    "table build": _table_build,
    "table pow": _table_pow,
    "table verify": _table_verify,
    "tune": _tune,
    "chain search": _chain,
    "verify": _verify,
    "job": _job,
    "job verify": _job_verify,
    "the package": _package,
}
