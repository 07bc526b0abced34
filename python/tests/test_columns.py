"""Columns: every format, offset, chunking, nulls and lengths against one power at a time."""

import array
import math
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingala

Numbers = Sequence[int | None]

WIDTH = 16

DATA = Path(__file__).resolve().parents[2] / "crates/pingala-verify/tests/data"


def signed(bits: int) -> tuple[int, int]:
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


#: Each format: what makes an Arrow array of numbers, and the least and the greatest of them.
FORMATS: dict[str, tuple[Callable[[Numbers], pa.Array], int, int]] = {
    **{
        f"int{bits}": (lambda n, b=bits: pa.array(n, getattr(pa, f"int{b}")()), *signed(bits))
        for bits in (8, 16, 32, 64)
    },
    **{
        f"uint{bits}": (lambda n, b=bits: pa.array(n, getattr(pa, f"uint{b}")()), 0, 2**bits - 1)
        for bits in (8, 16, 32, 64)
    },
    "fixed": (
        lambda n: pa.array([x if x is None else x.to_bytes(WIDTH, "big") for x in n], pa.binary(WIDTH)),
        0,
        2**128 - 1,
    ),
    **{
        name: (lambda n, t=name: pa.array([x if x is None else short(x) for x in n], getattr(pa, t)()), 0, 2**200 - 1)
        for name in ("binary", "large_binary", "binary_view")
    },
    **{
        name: (
            lambda n, t=name: pa.array(
                [x if x is None else (hex(x) if i % 2 else str(x)) for i, x in enumerate(n)], getattr(pa, t)()
            ),
            -(2**200),
            2**200 - 1,
        )
        for name in ("string", "large_string", "string_view")
    },
}


def short(x: int) -> bytes:
    """As few bytes as it needs, and sometimes a zero in front."""
    return x.to_bytes((x.bit_length() + 7) // 8 + x % 2, "big")


def numbers(least: int, greatest: int, count: int, seed: int, with_nulls: bool) -> list[int | None]:
    """Numbers of all lengths up to the greatest, the edges among them."""
    result: list[int | None] = []
    for row in range(count):
        x = pow(0x9E3779B97F4A7C15F39CC0605CEDC835, seed + 7 * row, 2**521 - 1)
        bits = 1 + (x >> 300) % greatest.bit_length()
        x = greatest if row == 5 else least if row == 6 else x % 2**bits
        result.append(None if (with_nulls and (x >> 3) % 4 == 0) or (with_nulls and row == 1) else x)
    return result


def expected(bases: Numbers, exponents: Numbers, moduli: Numbers) -> list[int | str | None]:
    """The powers, None for nulls, and the codes of errors."""
    results: list[int | str | None] = []
    for row in zip(bases, exponents, moduli, strict=True):
        if None in row:
            results.append(None)
            continue
        try:
            if row[2] < 0:  # type: ignore[operator]
                raise pingala.NegativeModulusError
            results.append(pingala.powmod(*row))  # type: ignore[arg-type]
        except pingala.PingalaError as error:
            results.append(error.code)
    return results


def check(column: pingala.Column, wanted: list[int | str | None]) -> None:
    """Every way out."""
    values = [None if isinstance(value, str) else value for value in wanted]
    assert column.to_pylist() == values
    assert column.error_codes == [value if isinstance(value, str) else None for value in wanted]
    assert len(column) == len(wanted)
    assert column.null_count == values.count(None)
    arrow = pa.array(column)
    arrow.validate(full=True)
    assert arrow.null_count == values.count(None)
    items = arrow.to_pylist()
    assert [int.from_bytes(x, "big") if isinstance(x, bytes) else x for x in items] == values


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("offset", [0, 3])
def test_every_format_gives_the_powers_one_by_one(name: str, offset: int) -> None:
    make, least, greatest = FORMATS[name]
    for count in (0, 1, 7, 8, 9, 40):
        for with_nulls in (False, True):
            rows = [numbers(least, greatest, count + offset, seed, with_nulls) for seed in (1, 2, 3)]
            arrays = [make(row)[offset:] for row in rows]
            wanted = expected(*(row[offset:] for row in rows))
            check(pingala.powmod_column(*arrays, errors="null", byteorder="big"), wanted)
            chunks = [pa.chunked_array([a[: count // 3], a[count // 3 : count // 2], a[count // 2 :]]) for a in arrays]
            check(pingala.powmod_column(*chunks, errors="null", byteorder="big"), wanted)
            exponent = 65537
            wanted = expected(rows[0][offset:], [exponent] * count, rows[2][offset:])
            check(
                pingala.powmod_column(arrays[0], exponent, chunks[2], errors="null", threads=1, byteorder="big"), wanted
            )


@pytest.mark.parametrize("modulus", [97, 2**64 - 59, 2**64, 2**127 - 1, 10**30])
def test_one_number_stands_in_every_row(modulus: int) -> None:
    for name in ("uint64", "int64", "fixed", "binary_view", "string"):
        make, least, greatest = FORMATS[name]
        rows = numbers(max(least, -1000), greatest, 30, 5, True)
        column = make(rows)
        for divisor in (modulus, pingala.Modulus(modulus)):
            ones = [3] * 30
            check(
                pingala.powmod_column(column, -7, divisor, errors="null", byteorder="big"),
                expected(rows, [-7] * 30, [modulus] * 30),
            )
            check(
                pingala.powmod_column(3, column, divisor, errors="null", byteorder="big"),
                expected(ones, rows, [modulus] * 30),
            )
        check(
            pingala.invert_column(column, modulus, errors="null", byteorder="big"),
            expected(rows, [-1] * 30, [modulus] * 30),
        )
        table = pingala.FixedBase(3, modulus, 256)
        check(table.pow_column(column, errors="null", byteorder="big"), expected([3] * 30, rows, [modulus] * 30))
    huge = 10**40
    words = numbers(0, 2**64 - 1, 20, 9, False)
    check(
        pingala.powmod_column(huge, 5, pa.array(words, pa.uint64()), errors="null", byteorder="big"),
        expected([huge] * 20, [5] * 20, words),
    )
    check(
        pingala.powmod_column(-huge, pa.array(words, pa.uint64()), 2**61 - 1),
        expected([-huge] * 20, words, [2**61 - 1] * 20),
    )


def test_blocks_follow_each_other() -> None:
    count = 150_000
    moduli = np.random.default_rng(1).integers(1, 2**64, count, dtype=np.uint64, endpoint=False)
    bases = np.arange(count, dtype=np.uint32)
    wanted = [pow(int(b), 3, int(m)) for b, m in zip(bases, moduli, strict=True)]
    assert pingala.powmod_column(bases, 3, moduli).to_pylist() == wanted
    narrow = pa.array([short(int(m)) for m in moduli] + [b"\1" + bytes(20), b"\7"])
    column = pingala.powmod_column(pa.array([*map(int, bases), 5, 5]), 3, narrow)
    assert column.width == 21
    assert column.to_pylist() == [*wanted, 125, 125 % 7]


def test_types_of_results() -> None:
    words = pa.array([3, 4], pa.uint64())
    blobs = pa.array([b"\0\0\3", b"\5"])
    assert pa.array(pingala.powmod_column(words, 2, words)).type == pa.uint64()
    assert pa.array(pingala.powmod_column(words, 2, 2**64)).type == pa.binary(9)
    assert pa.array(pingala.powmod_column(words, 2, blobs)).type == pa.binary(3)
    assert pa.array(pingala.powmod_column(blobs, 2, words)).type == pa.binary(8)
    assert pa.array(pingala.powmod_column(blobs, 2, 1009)).type == pa.binary(2)
    assert pa.array(pingala.powmod_column(words, 2, words, width=20)).type == pa.binary(20)
    assert pa.array(pingala.powmod_column(pa.array(["5", "70000"]), 2, pa.array(["1", "70000"]))).type == pa.binary(3)
    column = pingala.powmod_column(blobs, 1, 1009, byteorder="little")
    assert column.to_pylist() == [0x30000 % 1009, 5]
    assert bytes(memoryview(column)) == (0x30000 % 1009).to_bytes(2, "little") + b"\5\0"
    column = pingala.powmod_column(words, 1, pa.array([b"\0\1"] * 2), byteorder="little", width=5)
    assert bytes(memoryview(column)) == b"\3\0\0\0\0\4\0\0\0\0"
    assert repr(column) == "<Column of 2 numbers of 5 bytes, 0 null>"


def test_buffers() -> None:
    rng = np.random.default_rng(7)
    bytes_of = rng.integers(0, 256, (30, 24), dtype=np.uint8)
    moduli = rng.integers(1, 256, (30, 24), dtype=np.uint8)
    for b, m in [
        (bytes_of, moduli),
        (bytes_of[::-2], moduli[::2]),
        (bytes_of[:, ::-1], moduli[:, 1::2]),
        (np.asfortranarray(bytes_of), moduli.T.copy().T),
        (bytes_of[:0], moduli[:0]),
    ]:
        wanted = expected(
            [int.from_bytes(bytes(row), "big") for row in b],
            [77] * len(b),
            [int.from_bytes(bytes(row), "big") for row in m],
        )
        check(pingala.powmod_column(b, 77, m), wanted)
    blobs = bytes_of.copy().view("V24").ravel()
    result = pingala.powmod_column(blobs, 5, moduli.copy().view("V24").ravel(), byteorder="big")
    assert np.array_equal(np.asarray(result), np.asarray(pingala.powmod_column(bytes_of, 5, moduli)))
    assert np.asarray(result).shape == (30, 24)
    for kind in ("i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">u4", "<i8", ">i8", "<u8", ">u8"):
        column = np.array([1, 2, 3, 100, 117], kind)
        column[-1] = np.iinfo(kind).max
        column[0] = np.iinfo(kind).min
        ints = [int(x) for x in column]
        check(pingala.powmod_column(column, 3, 1009), expected(ints, [3] * 5, [1009] * 5))
        check(pingala.powmod_column(column[::2], 3, 1009), expected(ints[::2], [3] * 3, [1009] * 3))
    assert np.asarray(pingala.powmod_column(column, 3, 1009)).dtype == np.uint64
    assert pingala.powmod_column(array.array("Q", [5, 6]), 2, 7).to_pylist() == [4, 1]
    assert pingala.powmod_column([b"\5", None, b""], 2, 7).to_pylist() == [4, None, 0]
    assert pingala.powmod_column(memoryview(b"\5\6"), 2, 7).to_pylist() == [4, 1]
    assert pingala.powmod_column(np.uint64(5), np.array([1, 2]), np.int32(7)).to_pylist() == [5, 4]
    # What is read-only stays so, and what is asked for is what is there.
    view = memoryview(result)
    assert (view.readonly, view.format, view.shape, view.nbytes) == (True, "B", (30, 24), 720)


def test_caps_count_for_words_as_for_bytes() -> None:
    numbers, moduli = [5, 250, 7], [101, 1000, 0]
    words = [np.array(column, np.uint64) for column in (numbers, moduli)]
    rows = [[number.to_bytes(2, "big") for number in column] for column in (numbers, moduli)]
    codes = [None, "too_long", "zero_modulus"]
    for bases, last in (words, rows):
        column = pingala.powmod_column(bases, 3, last, max_modulus_bits=8, errors="null")
        assert (column.to_pylist()[1:], column.error_codes) == ([None, None], codes)
        column = pingala.mulmod_column(bases, 3, last, max_modulus_bits=8, errors="null")
        assert (column.to_pylist()[1:], column.error_codes) == ([None, None], codes)
        column = pingala.powmod_column(3, bases, last, max_exponent_bits=7, errors="null")
        assert column.error_codes == [None, "too_long", "zero_modulus"]
    assert [type(power) for power in pingala.powmod_list(numbers, 3, moduli, max_modulus_bits=8, errors="return")] == [
        int,
        pingala.TooLongError,
        pingala.ZeroModulusError,
    ]


def test_inverses_of_a_column() -> None:
    values = [None if at % 7 == 3 else at for at in range(300)]
    modulus = 3 * 2**61 - 1
    rows = [value if value is None else value.to_bytes(9, "big") for value in values]
    cases: list[tuple[Any, dict[str, Any]]] = [(rows, {"byteorder": "big"}), (pa.array(values), {})]
    for column, given in cases:
        for threads in (1, 3):
            inverses = pingala.invert_column(column, modulus, errors="null", threads=threads, **given)
            expected = [pow(v, -1, modulus) if v and math.gcd(v, modulus) == 1 else None for v in values]
            found = [v if v is None or isinstance(v, int) else int.from_bytes(v, "big") for v in inverses.to_pylist()]
            assert found == expected
            assert [code for code in inverses.error_codes if code] == ["not_invertible"] * sum(
                v is not None and e is None for v, e in zip(values, expected, strict=True)
            )


def test_errors_of_rows() -> None:
    bases, moduli = pa.array([2, 3, None, 4, 6]), pa.array([7, 0, 0, -5, 9])
    with pytest.raises(pingala.ZeroModulusError, match="element 1: ") as caught:
        pingala.powmod_column(bases, 3, moduli)
    assert caught.value.index == 1
    null = pingala.powmod_column(bases, -1, moduli, errors="null", byteorder="big")
    codes = [None, "zero_modulus", None, "negative_modulus", "not_invertible"]
    assert (null.to_pylist(), null.error_codes) == ([4, None, None, None, None], codes)
    column = pingala.powmod_column(bases, -1, moduli, errors="column")
    assert column.to_pylist() == null.to_pylist()
    both = pa.array(column)
    both.validate(full=True)
    assert both.to_pylist() == [
        {"result": value, "error": code} for value, code in zip(null.to_pylist(), codes, strict=True)
    ]
    text = pa.array(["12", "0x1G", "", "zwei", None, "-3", "+4"])
    column = pingala.powmod_column(text, 1, 100, errors="column")
    assert column.to_pylist() == [12, None, None, None, None, 97, 4]
    assert column.error_codes[1:4] == ["not_a_number"] * 3
    # An error and a null in one row: a null.
    column = pingala.powmod_column(text, 1, pa.array(["1", None, "0", None, "1", "5", "nine"]), errors="column")
    assert column.error_codes == [None, None, "not_a_number", None, None, None, "not_a_number"]
    column = pingala.powmod_column(
        pa.array([b"\1" * 9]), 1, pa.array([b"\1" * 9]), width=8, errors="null", byteorder="big"
    )
    assert column.error_codes == ["too_long"]
    for moduli in (2**70, pa.array([b"\1" * 9])):
        with pytest.raises(pingala.TooLongError, match=r"modulus of \d+ bits: its results do not fit width=2 bytes"):
            pingala.powmod_column(pa.array([5]), 30, moduli, width=2)
    table = pingala.FixedBase(3, 1009, 8)
    column = table.pow_column(pa.array([b"\1\1", b"\7", None]), errors="null", byteorder="big")
    assert (column.to_pylist(), column.error_codes) == ([None, pow(3, 7, 1009), None], ["too_long", None, None])
    with pytest.raises(pingala.TooLongError, match="element 0"):
        table.pow_column(pa.array([b"\1\1"]))


@pytest.mark.parametrize(
    ("column", "why"),
    [
        (np.array([b"abc"]), "drop zero bytes"),
        (np.array([1.0, np.nan]), "floating-point"),
        (np.array([1.0], "f2"), "floating-point"),
        (np.array([True]), "booleans"),
        (np.array([1, 2], object), "Python objects"),
        (np.array(["1"]), '"1w"'),
        (np.zeros((2, 3), np.uint32), "2 dimensions"),
        (np.zeros((2, 2, 2), np.uint8), "3 dimensions"),
        (pa.array([1.5]), "floating-point"),
        (pa.array([True]), "booleans"),
        (pa.array([1]).cast(pa.decimal128(20, 1)), "decimals with a fraction"),
        (pa.array(["a"]).dictionary_encode(), "dictionary"),
        (pa.array([[1]]), r'"\+l"'),
        (pa.array([1], pa.timestamp("s")), '"tss:"'),
        (b"abc", "not bytes"),
        ("abc", "not str"),
        (1.5, "not float"),
        (None, "not NoneType"),
        ([1, 2], "powmod_list"),
        ([b"a", "b"], "element 1"),
    ],
)
def test_what_is_no_column_is_refused_with_the_reason(column: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        pingala.powmod_column(column, 3, 1009)


def test_settings_are_checked() -> None:
    column = pa.array([1, 2])
    for arguments, settings, why in [
        ((column, 3, pa.array([1])), {}, "2 bases and 1 moduli"),
        ((2, 3, 5), {}, "at least one"),
        ((column, 3, 5), {"errors": "return"}, "errors must be"),
        ((column, 3, 5), {"byteorder": "middle"}, "byteorder must be"),
        ((column, 3, 5), {"width": 0}, "width"),
        ((column, 3, 5), {"width": 2**40}, "width"),
        ((column, 3, 5), {"threads": 0}, "threads"),
    ]:
        with pytest.raises(pingala.ArgumentError, match=why):
            pingala.powmod_column(*arguments, **settings)  # type: ignore[arg-type]
    with pytest.raises(pingala.PlanError):
        pingala.powmod_column(column, 3, 5, kernel="abacus")
    assert pingala.powmod_column(column, 3, 5, kernel="portable_r64").to_pylist() == [1, 3]
    with pytest.raises(pingala.ZeroModulusError):
        pingala.powmod_column(column, 3, 0)


def test_memory_that_is_not_there() -> None:
    """Results that do not fit the memory are an error; the process lives on."""
    program = """
import resource, pyarrow as pa, pingala
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
try:
    pingala.powmod_column(pa.array([5] * 1000), 3, 5, width=2**31 - 1)
except pingala.ArgumentError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "no memory" in done.stdout


def test_progress_and_interruption() -> None:
    told: list[tuple[int, int]] = []
    count = 3000
    moduli = np.random.default_rng(3).integers(1, 256, (count, 128), dtype=np.uint8)
    pingala.powmod_column(moduli, 2**300, moduli, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (count, count)
    assert all(total == count for _, total in told)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pingala.powmod_column(moduli, 2**2000 + 1, moduli, progress=stop)


def test_an_owner_may_write_meanwhile() -> None:
    """Results belong to some value of the row, and nothing is read twice."""
    column = np.zeros((40_000, 32), np.uint8)
    column[:, -1] = 1
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            column[:, -1] ^= 2

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(5):
            result = np.asarray(pingala.powmod_column(column, 5, 1009))
            assert set(result[:, 1]) <= {1, pow(3, 5, 1009)}
    finally:
        stop.set()
        thread.join()


def test_signatures_in_columns() -> None:
    key = pingala.load_public_key((DATA / "rsa.pem").read_bytes())
    good, message = (DATA / "rsa.sig").read_bytes(), (DATA / "message").read_bytes()
    signatures = pa.array([good, good, None, b"\1", good], pa.binary_view())
    messages = pa.array([message, b"other", b"b", message, None])
    column = pingala.verify_column(key, signatures, messages, scheme="rsa-pkcs1")
    assert column.to_pylist() == [True, False, None, False, None]
    verdicts = pingala.verify_list(key, [good, b"\1"], [b"other", message], scheme="rsa-pkcs1").details
    assert column.error_codes == [None, verdicts[0].reason, None, verdicts[1].reason, None]
    assert pa.array(column).type == pa.bool_()
    assert pa.array(column).to_pylist() == [True, False, None, False, None]
    fixed = pingala.verify_column(
        [key] * 9, pa.array([good] * 9, pa.binary(256))[:9], pa.array([message] * 9), scheme="rsa-pkcs1"
    )
    assert fixed.to_pylist() == [True] * 9
    digests = pa.array([b"too short"] * 5)
    with pytest.raises(pingala.ArgumentError, match="element 0"):
        pingala.verify_column(key, signatures, digests=digests, scheme="rsa-pkcs1")
    column = pingala.verify_column([key] * 5, signatures, digests=digests, scheme="rsa-pkcs1", errors="column")
    assert column.to_pylist() == [None] * 5
    assert pa.array(column).to_pylist()[0] == {"result": None, "error": "bad_argument"}
    with pytest.raises(pingala.ArgumentError, match="5 signatures and 3 keys"):
        pingala.verify_column([key] * 3, signatures, messages)
    with pytest.raises(TypeError, match="either messages or digests"):
        pingala.verify_column(key, signatures)
    with pytest.raises(TypeError, match="column of bytes"):
        pingala.verify_column(key, signatures, pa.array([1] * 5))
    with pytest.raises(BufferError):
        memoryview(column)  # type: ignore[arg-type]
