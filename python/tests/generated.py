"""Reads the files of calls, whose formats two file.rs have: of crates/pingala and of crates/pingala-proofs."""

import collections
import dataclasses
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pyarrow as pa

import pingala

# More calls than those of the repository lie in a folder that the environment names.
FOLDER = Path(os.environ.get("PINGALA_CALLS", Path(__file__).parents[2] / "vectors"))
FILE, PRIME_FILE = FOLDER / "calls.txt", FOLDER / "prime_calls.txt"
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
    # Seconds; None for no time-out.
    timeout: float | None
    memory: int
    kernel: str | None
    plan: bool
    moduli: list[Modulus]
    # The place of a modulus, bases, exponents.
    elements: list[tuple[int, list[int], list[int]]]
    results: list[Answer]

    @property
    def tolerated(self) -> set[str]:
        """Codes with which the call may end, whatever its results are."""
        return ({"interrupted"} if self.timeout == 0 else set()) | ({"bad_plan"} if self.kernel else set())

    def agrees(self, found: list[Answer]) -> bool:
        if len(found) != len(self.results):
            return False
        return all(a == b or a in self.tolerated for a, b in zip(found, self.results, strict=True))

    @property
    def timed(self) -> dict[str, Any]:
        return {} if self.timeout is None else {"timeout": self.timeout}

    @property
    def forced(self) -> dict[str, Any]:
        return {} if self.kernel is None else {"kernel": self.kernel}

    @property
    def shared(self) -> dict[str, Any]:
        """The memory for shared work."""
        return {"memory": self.memory} if self.memory else {}

    @property
    def limit(self) -> dict[str, Any]:
        return {"max_exponent_bits": self.cap} if self.cap else {}

    @property
    def one(self) -> dict[str, Any]:
        """The options of one power."""
        return {**self.limit, **self.forced, **self.timed}

    @property
    def products(self) -> dict[str, Any]:
        """The options of products and squarings, which have no exponent."""
        return {"threads": self.threads, **self.forced, **self.timed}

    @property
    def rows(self) -> dict[str, Any]:
        """The options of columns, which have no time-out."""
        return {"threads": self.threads, **self.limit, **self.forced}

    @property
    def many(self) -> dict[str, Any]:
        return {**self.rows, **self.timed}

    @property
    def secretly(self) -> dict[str, Any]:
        return {"blinding": self.blinded, **self.limit, **self.forced}

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
        {"none": None, "past": 0.0, "long": 3600.0}[fields.pop("timeout")],
        number(fields.pop("memory")),
        None if (kernel := fields.pop("kernel", "-")) == "-" else kernel,
        {"0": False, "1": True}[fields.pop("plan", "0")],
        [read_modulus(modulus) for modulus in items(fields.pop("moduli"))],
        [read_element(element) for element in items(fields.pop("powers"))],
        [result[1:] if result.startswith("!") else number(result) for result in items(fields.pop("results"))],
    )
    assert not fields, f"this driver does not know {list(fields)}"
    assert len(call.elements) == len(call.results), line
    return call


def calls(file: Path) -> dict[str, list[Call]]:
    found: dict[str, list[Call]] = collections.defaultdict(list)
    for line in file.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            call = read_call(line)
            found[call.workload].append(call)
    return found


def answer(call: Callable[[], Any]) -> Answer:
    """The number, or the code of the error."""
    try:
        return int(call())
    except pingala.PingalaError as error:
        return error.code


def answers(elements: list[Any]) -> list[Answer]:
    """What a list returned, with codes for its errors, whose indices are right."""
    for at, element in enumerate(elements):
        assert not isinstance(element, Exception) or element.index == at, element
    return [element.code if isinstance(element, pingala.PingalaError) else element for element in elements]


def first_error(call: Call, make: Callable[[], Any]) -> None:
    """A call that raises raises the first error, with its index; one without errors gives the results."""
    bad = [at for at, result in enumerate(call.results) if isinstance(result, str)]
    try:
        found = list(make())
    except pingala.PingalaError as error:
        raised = [(error.code, error.index)]
    else:
        raised = []
        assert bad or found == call.results
    if not raised or raised[0][0] not in call.tolerated:
        assert raised == [(call.results[at], at) for at in bad[:1]]


def of_list(call: Call, make: Callable[..., list[Any]]) -> Iterator[list[Answer]]:
    """The two policies for errors of a list."""
    yield answers(make(errors="return"))
    first_error(call, lambda: make(errors="raise"))


def of_column(call: Call, make: Callable[..., pingala.Column]) -> Iterator[list[Answer]]:
    """The three policies for errors of a column."""
    column = make(errors="column")
    codes = column.error_codes
    yield [value if code is None else code for value, code in zip(column.to_pylist(), codes, strict=True)]
    assert make(errors="null").to_pylist() == column.to_pylist()
    first_error(call, lambda: make(errors="raise"))


def fixed(values: list[int], order: str = "big") -> list[bytes]:
    """Rows of one width, with a zero on top."""
    width = max((value.bit_length() + 7) // 8 for value in [0, *values]) + 1
    return [value.to_bytes(width, order) for value in values]  # type: ignore[arg-type]


def matrix(rows: list[bytes]) -> Any:
    return numpy.frombuffer(b"".join(rows), numpy.uint8).reshape(len(rows), len(rows[0]))


def columns(values: list[int]) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Every kind of column that can hold the numbers, with the order of its bytes if it has bytes."""
    low, high = min(values, default=0), max(values, default=0)
    texts = [str(value) if at % 2 else hex(value) for at, value in enumerate(values)]
    yield "text", {}, pa.array(texts, pa.string())
    yield "text", {}, pa.array(texts, pa.string_view())
    big, little = {"byteorder": "big"}, {"byteorder": "little"}
    if low >= 0:
        rows = fixed(values)
        yield "sequence", big, [value.to_bytes((value.bit_length() + 7) // 8, "big") for value in values]
        yield "binary", big, pa.array(rows, pa.large_binary())
        yield "fixed", little, pa.array(fixed(values, "little"), pa.binary(len(rows[0]) if rows else 1))
        if rows:
            yield "matrix", big, matrix(rows)
    if low >= 0 and high < 2**64:
        yield "words", {}, numpy.array(values, numpy.uint64)
        yield "arrow words", {}, pa.array(values, pa.uint64())
    if low >= -(2**63) and high < 2**63:
        yield "signed", {}, pa.array(values, pa.int64())
