"""Reads the calls of vectors/calls.txt; crates/pingala/tests/suite/calls/file.rs has the format."""

import collections
import dataclasses
from pathlib import Path
from typing import Any

import pingala

FILE = Path(__file__).parents[2] / "vectors/calls.txt"
# Bytes for tables of fixed bases.
TABLE_BYTES = 1 << 16

Answer = int | str


@dataclasses.dataclass
class Modulus:
    value: int
    factors: dict[int, int]
    secret: bool

    def handle(self) -> pingala.Modulus:
        return pingala.Modulus(self.value, self.factors or None, secret=self.secret)


@dataclasses.dataclass
class Call:
    line: str
    workload: str
    threads: int
    cap: int
    blinded: bool
    wider: int
    moduli: list[Modulus]
    # The place of a modulus, bases, exponents.
    elements: list[tuple[int, list[int], list[int]]]
    results: list[Answer]

    @property
    def limit(self) -> dict[str, Any]:
        return {"max_exponent_bits": self.cap} if self.cap else {}

    @property
    def many(self) -> dict[str, Any]:
        return {"threads": self.threads, **self.limit}

    @property
    def secretly(self) -> dict[str, Any]:
        return {"blinding": self.blinded, **self.limit}

    @property
    def bases(self) -> list[int]:
        return [base for _, (base,), _ in self.elements]

    @property
    def exponents(self) -> list[int]:
        return [exponent for _, _, (exponent,) in self.elements]

    @property
    def base(self) -> int:
        return self.bases[0] if self.elements else 3

    @property
    def exponent(self) -> int:
        return self.exponents[0] if self.elements else 3

    def each(self, values: list[Any]) -> list[Any]:
        """A value of each modulus for each element."""
        return [values[place] for place, _, _ in self.elements]

    def bits(self, exponent: int) -> int:
        """The declared length of a secret exponent."""
        return max(1, exponent.bit_length() + self.wider)

    def table(self, secret: bool = False) -> pingala.FixedBase:
        longest = max((exponent.bit_length() for exponent in self.exponents), default=1) + 2 * secret
        bits = max(1, min(longest, self.cap or longest))
        settings = {"uses": 100, "lists": self.threads > 1, "secret": secret, "threads": self.threads}
        return pingala.FixedBase(self.base, self.moduli[0].handle(), bits, TABLE_BYTES, **settings)


def number(text: str) -> int:
    return int(text, 16)


def items(text: str) -> list[str]:
    return [] if text == "-" else text.split(";")


def read_modulus(text: str) -> Modulus:
    secret = "!" in text
    value, *factors = text.replace("!", ":").split(":")
    pairs = [pair.split("^") for pair in ",".join(factors).split(",")] if factors else []
    return Modulus(number(value), {number(base): number(power) for base, power in pairs}, secret)


def read_element(text: str) -> tuple[int, list[int], list[int]]:
    place, *numbers = map(number, text.split(","))
    assert len(numbers) % 2 == 0, text
    return place, numbers[::2], numbers[1::2]


def read_call(line: str) -> Call:
    workload, _, *settings = line.split()
    fields = dict(field.split("=", 1) for field in settings)
    assert len(fields) == len(settings), f"an option twice: {line}"
    call = Call(
        line,
        workload,
        number(fields.pop("threads")),
        number(fields.pop("cap")),
        {"0": False, "1": True}[fields.pop("blinded")],
        number(fields.pop("wider", "0")),
        [read_modulus(modulus) for modulus in items(fields.pop("moduli"))],
        [read_element(element) for element in items(fields.pop("powers"))],
        [result[1:] if result.startswith("!") else number(result) for result in items(fields.pop("results"))],
    )
    assert not fields, f"this driver does not know {list(fields)}"
    assert len(call.elements) == len(call.results), line
    return call


def calls() -> dict[str, list[Call]]:
    found: dict[str, list[Call]] = collections.defaultdict(list)
    for line in FILE.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            call = read_call(line)
            found[call.workload].append(call)
    return found
