"""Columns of data frames and databases: polars, pandas, DuckDB, and what producers may do wrong."""

import ctypes
import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pingala
import pingala.duckdb
import pingala.polars


def rows(count: int, seed: int) -> list[bytes | None]:
    """Numbers of 20 bytes, some null."""
    prime = 2**160 - 47
    return [None if i % 13 == 4 else pow(seed, i + 2, prime).to_bytes(20, "big") for i in range(count)]


def powers(bases: list[bytes | None], exponent: int, moduli: list[bytes | None]) -> list[bytes | None]:
    def power(b: bytes | None, m: bytes | None) -> bytes | None:
        if b is None or m is None:
            return None
        return pow(int.from_bytes(b, "big"), exponent, int.from_bytes(m, "big")).to_bytes(len(m), "big")

    return [power(b, m) for b, m in zip(bases, moduli, strict=True)]


BASES, MODULI = rows(5000, 3), rows(5000, 7)
WANTED = powers(BASES, 65537, MODULI)


@pytest.fixture
def frame() -> pl.DataFrame:
    return pl.DataFrame({"base": BASES, "modulus": MODULI, "small": range(5000)}, schema_overrides={"small": pl.UInt32})


def test_polars(frame: pl.DataFrame) -> None:
    column = pingala.powmod_column(frame["base"], 65537, frame["modulus"])
    assert pl.Series(column).to_list() == WANTED
    base: Any = pl.col("base")
    power = base.pingala.powmod(65537, "modulus")
    lazy = frame.lazy().select(power=power)
    assert lazy.collect_schema() == {"power": pl.Binary}
    for engine in ("in-memory", "streaming"):
        assert lazy.collect(engine=engine)["power"].to_list() == WANTED  # type: ignore[call-overload]
    pieces = pl.concat([frame[:1], frame[1:8], frame[8:]], rechunk=False)
    assert pieces.select(base.pingala.powmod(65537, pl.col("modulus")))["base"].to_list() == WANTED
    literals = frame.select(base.pingala.powmod(pl.lit(65537), "modulus"), n=pl.lit(3).pingala.powmod(5, "modulus"))  # type: ignore[attr-defined]
    assert literals["base"].to_list() == WANTED
    assert literals["n"].to_list() == powers([b"\3"] * 5000, 5, MODULI)
    assert len(frame[:0].select(base.pingala.powmod(pl.lit(65537), "modulus"))) == 0
    empty = frame[:0].select(power=power)
    assert (empty.schema, len(empty)) == ({"power": pl.Binary}, 0)


def test_polars_words_inverses_tables_and_errors(frame: pl.DataFrame) -> None:
    small: Any = pl.col("small")
    words = frame.select(small.pingala.powmod(3, 1009, return_dtype=pl.UInt64))["small"]
    assert words.to_list() == [pow(i, 3, 1009) for i in range(5000)]
    assert words.dtype == pl.UInt64
    own = frame[:10].select(small.pingala.powmod(3, small + 1))["small"]
    assert own.to_list() == [pow(i, 3, i + 1).to_bytes(8, "big") for i in range(10)]
    both = frame[:10].select(small.pingala.invert(small, width=4, errors="column"))["small"]
    assert both.dtype == pl.Struct({"result": pl.Binary, "error": pl.String})
    assert both.to_list()[:3] == [
        {"result": None, "error": "zero_modulus"},
        {"result": bytes(4), "error": None},
        {"result": None, "error": "not_invertible"},
    ]
    table = pingala.FixedBase(3, 2**127 - 1, 32)
    of_table = frame[:9].select(small.pingala.exponent_of(table))["small"]
    assert of_table.to_list() == [(3**i).to_bytes(16, "big") for i in range(9)]
    with pytest.raises(TypeError, match=r"pl\.Binary or pl\.UInt64"):
        small.pingala.powmod(3, 5, return_dtype=pl.Int8)
    with pytest.raises(Exception, match="zero modulus"):
        frame.select(small.pingala.powmod(3, "small"))


def test_pandas() -> None:
    frame = pd.DataFrame({"base": BASES, "modulus": MODULI, "number": range(5000)})
    column = pingala.powmod_column(frame["base"], 65537, frame["modulus"])
    # None of the results is shorter than the column is wide.
    assert pa.array(column).to_pylist() == WANTED
    frame["power"] = pd.array(pa.array(column), dtype=pd.ArrowDtype(pa.binary(20)))
    assert frame["power"][1] == WANTED[1]
    numbers = frame["number"].astype("uint64")
    assert np.asarray(pingala.powmod_column(numbers, 3, 1009)).tolist() == [pow(i, 3, 1009) for i in range(5000)]
    texts = pd.Series(["12", None, "0x10"])
    assert pingala.powmod_column(texts, 1, 100).to_pylist() == [12, None, 16]
    missing = pd.Series([1, None, 3])
    with pytest.raises(TypeError, match="floating-point"):
        pingala.powmod_column(missing, 1, 100)
    assert pingala.powmod_column(missing.astype("Int64"), 1, 100).to_pylist() == [1, None, 3]


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    con = duckdb.connect()
    yield con
    con.close()


def test_duckdb(connection: duckdb.DuckDBPyConnection) -> None:
    con = connection
    pingala.duckdb.register(con)
    table = pa.table({"id": range(5000), "base": BASES, "modulus": MODULI})
    con.register("numbers", table)
    found = con.sql("SELECT powmod(base, 65537, modulus) FROM numbers ORDER BY id").fetchall()
    assert [row[0] for row in found] == WANTED
    found = con.sql("SELECT powmod(base, '65537', '0x11') FROM numbers ORDER BY id").fetchall()
    wanted = [None if b is None else pow(int.from_bytes(b, "big"), 65537, 17).to_bytes(1, "big") for b in BASES]
    assert [row[0] for row in found] == wanted
    found = con.sql("SELECT powmod_ubigint(id, 3, id + 1), powmod(id, 3, 1009::UBIGINT) FROM numbers").fetchall()
    assert found == [(pow(i, 3, i + 1), pow(i, 3, 1009).to_bytes(8, "big")) for i in range(5000)]
    assert con.sql("SELECT powmod(NULL, 3, 5), invmod(3, 7)").fetchall() == [(None, (5).to_bytes(8, "big"))]
    with pytest.raises(duckdb.Error, match="zero modulus"):
        con.sql("SELECT powmod(1, 2, 0)").fetchall()
    with pytest.raises(duckdb.Error, match="decimals with a fraction"):
        con.sql("SELECT powmod(1.5::DECIMAL(5, 2), 2, 7)").fetchall()
    assert con.sql("SELECT powmod(2::HUGEINT, 2, 7)").fetchall() == [((4).to_bytes(8, "big"),)]


def test_duckdb_with_nulls_for_errors(connection: duckdb.DuckDBPyConnection) -> None:
    pingala.duckdb.register(connection, errors="null", width=4)
    found = connection.sql("SELECT powmod(i, 2, i), invmod(2, i) FROM range(4) r(i)").fetchall()
    assert found[0] == (None, None)
    assert found[3] == (bytes(4), b"\0\0\0\2")
    assert found[2] == (bytes(4), None)
    with pytest.raises(ValueError, match="errors must be"):
        pingala.duckdb.register(connection, errors="column")  # type: ignore[arg-type]


def integers(**columns: list[Any]) -> pl.DataFrame:
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int64))


@pytest.mark.parametrize("dtype", [pl.UInt64, pl.Binary])
def test_only_one_row_is_repeated(dtype: Any) -> None:
    frame = integers(b=[2, None, 5], m=[11, 13, 17])

    def rows(expression: pl.Expr) -> list[Any]:
        found = frame.select(expression).to_series().to_list()
        return [int.from_bytes(value, "big") if isinstance(value, bytes) else value for value in found]

    b, m = pl.col("b").pingala, pl.col("m").pingala  # type: ignore[attr-defined]
    two, none = pl.col("b").drop_nulls(), pl.col("m").head(0)
    for bad, lengths in [
        (two.pingala.powmod(3, "m", return_dtype=dtype), "2 and of 3"),  # type: ignore[attr-defined]
        (m.powmod(two, 7, return_dtype=dtype), "3 and of 2"),
        (m.powmod(3, two, return_dtype=dtype), "3 and of 2"),
        (m.powmod(two, none, return_dtype=dtype), "3 and of 2"),
        (m.powmod(none, 7, return_dtype=dtype), "3 and of 0"),
        (none.pingala.powmod(3, "m", return_dtype=dtype), "0 and of 3"),  # type: ignore[attr-defined]
        (m.invert(two, return_dtype=dtype), "3 and of 2"),
        (two.pingala.invert("m", return_dtype=dtype), "2 and of 3"),  # type: ignore[attr-defined]
    ]:
        with pytest.raises(Exception, match=lengths):
            frame.select(bad)
        with pytest.raises(pl.exceptions.PolarsError):
            frame.lazy().select(bad).collect(engine="streaming")
    first = pl.col("b").head(1)
    assert rows(first.pingala.powmod(3, "m", return_dtype=dtype)) == [8, 8, 8]  # type: ignore[attr-defined]
    assert rows(m.powmod(pl.col("b").max(), first, return_dtype=dtype)) == [1, 1, 1]
    assert rows(m.powmod(pl.lit(3), pl.lit(7), return_dtype=dtype)) == [1, 6, 6]
    assert rows(none.pingala.powmod(3, 7, return_dtype=dtype)) == []  # type: ignore[attr-defined]
    assert rows(none.pingala.powmod(pl.lit(3), first, return_dtype=dtype)) == []  # type: ignore[attr-defined]
    assert rows(first.pingala.powmod(3, none, return_dtype=dtype)) == []  # type: ignore[attr-defined]
    assert rows(pl.lit(3).pingala.powmod(3, 7, return_dtype=dtype)) == [6]  # type: ignore[attr-defined]
    assert rows(b.powmod(3, "m", return_dtype=dtype)) == [8, None, 6]


@pytest.mark.parametrize("dtype", [pl.UInt64, pl.Binary])
def test_null_literals_give_nulls(dtype: Any) -> None:
    frame = integers(m=[11, 13, 17])
    m, null = pl.col("m").pingala, pl.lit(None)  # type: ignore[attr-defined]
    for expression in [
        m.powmod(null, 7, return_dtype=dtype),
        m.powmod(3, null, return_dtype=dtype),
        null.pingala.powmod(3, "m", return_dtype=dtype),  # type: ignore[attr-defined]
        null.pingala.powmod(null, null, return_dtype=dtype),  # type: ignore[attr-defined]
        m.invert(null, return_dtype=dtype),
    ]:
        found = frame.with_columns(r=expression)["r"]
        assert found.to_list() == [None, None, None]
        assert found.dtype == dtype


def test_pandas_takes_columns() -> None:
    words = pa.array([2**63, 3, 4], pa.uint64())
    wide = pa.array([b"\1" * 20, b"\2", b"\3"])
    for column in (
        pingala.powmod_column(words, 1, 2**64 - 59),
        pingala.powmod_column(wide, 1, 2**255 - 19),
        pingala.powmod_column(wide, 1, 1009, byteorder="little"),
        pingala._pingala._powmod_batch(wide, 1, pa.array([b"\7" * 20, b"\5", b"\5"])),
    ):
        frame = pd.DataFrame({"a": [1, 2, 3]})
        frame["r"] = column
        assert frame["r"].tolist() == column.to_pylist() == list(column)
        assert pd.Series(column).tolist() == column.to_pylist()
        assert frame.assign(s=column)["s"].tolist() == column.to_pylist()
        assert [column[row] for row in (-3, -2, -1)] == [column[row] for row in range(3)] == column.to_pylist()
        shorter = pd.DataFrame({"a": [1, 2]})
        with pytest.raises(ValueError, match="length"):
            shorter["r"] = column
        for row in (3, -4, 2**60):
            with pytest.raises(IndexError):
                column[row]
    with_nulls = pingala.powmod_column(pa.array([2**60 + 1, 3, None]), 1, 2**61 - 1)
    codes = pingala.powmod_column(pa.array([5, 3, 4]), 1, pa.array([7, 0, 11]), errors="column")
    for column in (with_nulls, codes):
        for use in (
            lambda column: frame.__setitem__("r", column),
            lambda column: frame.insert(0, "z", column),
            lambda column: frame.assign(s=column),
            lambda column: pd.Series(column),
            lambda column: pd.DataFrame({"r": column}),
            list,
        ):
            with pytest.raises(TypeError, match="to_pylist"):
                use(column)
        assert [column[row] for row in range(3)] == column.to_pylist()
    frame["r"] = pd.array(pa.array(with_nulls), dtype=pd.ArrowDtype(pa.uint64()))
    assert frame["r"].tolist()[:2] == [2**60 + 1, 3]


def test_verdicts_are_taken() -> None:
    key = pingala.RSAPublicKey(2**1024 - 105, 65537)
    verdicts = pingala.verify_column(key, pa.array([b"1", None, b"2"]), pa.array([b"m"] * 3), scheme="rsa-pkcs1")
    frame = pd.DataFrame({"a": [1, 2, 3]})
    frame["r"] = verdicts
    assert frame["r"].tolist() == list(verdicts) == [False, None, False]
    objects = np.zeros(3, object)
    objects[:] = verdicts
    assert objects.tolist() == [False, None, False]


def test_numpy_takes_columns() -> None:
    column = pingala.powmod_column(pa.array([2, 3, 4]), 3, 1009)
    words = np.zeros(3, np.uint64)
    words[:] = column
    assert words.tolist() == [8, 27, 64]
    ragged = pingala._pingala._powmod_batch(pa.array([b"\1" * 20, b"\2"]), 1, pa.array([b"\7" * 20, b"\5"]))
    objects = np.zeros(2, object)
    objects[:] = ragged
    assert objects.tolist() == ragged.to_pylist()
    with pytest.raises((TypeError, OverflowError)):
        np.zeros(2, np.uint64)[:] = ragged
    missing = pingala._pingala._powmod_batch(pa.array([b"\1" * 20, None]), 1, pa.array([b"\7" * 20, b"\5"]))
    with pytest.raises(TypeError, match="sequence"):
        objects[:] = missing


def test_polars_takes_columns() -> None:
    column = pingala.powmod_column(pa.array([2, 3, None]), 3, 1009)
    frame = integers(a=[1, 2, 3])
    assert frame.with_columns(pl.Series(column).alias("r"))["r"].to_list() == [8, 27, None]
    assert pl.DataFrame({"r": column})["r"].to_list() == [8, 27, None]
    for wrong in (lambda: frame.with_columns(r=column), lambda: frame.with_columns(column), lambda: pl.lit(column)):
        with pytest.raises((TypeError, pl.exceptions.PolarsError)):
            wrong()


def test_duckdb_with_nulls_of_no_type(connection: duckdb.DuckDBPyConnection) -> None:
    pingala.duckdb.register(connection)
    numbers = "FROM range(3) r(i)"
    for call in (
        "powmod_ubigint(NULL, i, 7)",
        "powmod_ubigint(i, NULL, 7)",
        "powmod_ubigint(i, 3, NULL)",
        "powmod_ubigint(NULL, NULL, NULL)",
        "powmod(i, NULL, 7)",
        "powmod(NULL, NULL, NULL)",
        "invmod(NULL, 7)",
        "invmod(i, NULL)",
    ):
        assert connection.sql(f"SELECT {call} {numbers}").fetchall() == [(None,)] * 3


def test_duckdb_registers_again(connection: duckdb.DuckDBPyConnection) -> None:
    pingala.duckdb.register(connection)
    with pytest.raises(duckdb.Error, match="zero modulus"):
        connection.sql("SELECT powmod(1, 2, 0)").fetchall()
    for _ in range(2):
        pingala.duckdb.register(connection, errors="null", width=4)
        assert connection.sql("SELECT powmod(1, 2, 0), powmod(2, 3, 5)").fetchall() == [(None, b"\0\0\0\3")]
    connection.remove_function("powmod")
    pingala.duckdb.register(connection)
    assert connection.sql("SELECT powmod(2, 3, 5)").fetchall() == [(b"\0\0\0\0\0\0\0\3",)]


class Once:
    """A producer of the same capsules."""

    def __init__(self, *capsules: object) -> None:
        self.capsules = capsules

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self.capsules


class Stream:
    """A producer of a stream."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.stream


def test_capsules_are_taken_once() -> None:
    once = Once(*pa.array([2, 3]).__arrow_c_array__())
    assert pingala.powmod_column(once, 2, 7).to_pylist() == [4, 2]
    with pytest.raises(pingala.ArgumentError, match="released, or used before"):
        pingala.powmod_column(once, 2, 7)
    schema, array = pa.array([2, 3]).__arrow_c_array__()
    for wrong in [Once(array, schema), Once(schema, 5), Stream(schema), Stream(None)]:
        with pytest.raises(TypeError, match="no capsule named"):
            pingala.powmod_column(wrong, 2, 7)
    with pytest.raises(ValueError, match=r"unpack|tuple|length"):
        pingala.powmod_column(Once(schema), 2, 7)


def test_producers_that_raise() -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"a": pa.array([1, 2])})
        raise RuntimeError("the disk is gone")

    class Column:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            raise RuntimeError("nothing here")

    with pytest.raises(RuntimeError, match="nothing here"):
        pingala.powmod_column(Column(), 2, 7)
    # A stream of batches has structs; what fails is said by the producer.
    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.int64()}), batches())
    with pytest.raises(TypeError, match=r'"\+s"'):
        pingala.powmod_column(reader, 2, 7)
    failing = failing_stream(b"the disk is gone")
    with pytest.raises(pingala.ArgumentError, match="bases: its stream failed: the disk is gone"):
        pingala.powmod_column(Stream(failing), 2, 7)


def failing_stream(message: bytes) -> Any:
    """A stream of int64 whose get_next fails, made by hand."""
    get_schema_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    text_type = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
    release_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

    class Struct(ctypes.Structure):
        _fields_ = [
            ("get_schema", get_schema_type),
            ("get_next", get_schema_type),
            ("get_last_error", text_type),
            ("release", release_type),
            ("private_data", ctypes.c_void_p),
        ]

    text = ctypes.create_string_buffer(message)

    @get_schema_type
    def get_schema(_: int, out: int) -> int:
        pa.int64()._export_to_c(out)
        return 0

    @get_schema_type
    def get_next(_: int, out: int) -> int:
        return 5

    @text_type
    def get_last_error(_: int) -> int:
        return ctypes.addressof(text)

    @release_type
    def release(stream: int) -> None:
        Struct.from_address(stream).release = ctypes.cast(None, release_type)

    struct = Struct(get_schema, get_next, get_last_error, release, None)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    failing_stream.kept = (struct, text, get_schema, get_next, get_last_error, release)  # type: ignore[attr-defined]
    return new(ctypes.addressof(struct), b"arrow_array_stream", None)


def test_views_short_and_long() -> None:
    values = [bytes([i + 1]) * i for i in (0, 1, 11, 12, 13, 200)] * 3
    moduli = [b"\1" + bytes(20)] * len(values)
    column = pingala.powmod_column(pa.array(values, pa.binary_view()), 1, pa.array(moduli, pa.binary_view()))
    assert column.to_pylist() == [int.from_bytes(x, "big") % 2**160 for x in values]


def test_objects_do_not_grow_with_rows() -> None:
    def blocks(count: int) -> int:
        column = np.ones((count, 32), np.uint8)
        words = np.arange(1, count + 1, dtype=np.uint64)
        pingala.powmod_column(column, 3, column)
        gc.collect()
        tracemalloc.start()
        before = sys.getallocatedblocks()
        kept = [pingala.powmod_column(column, 3, column), pingala.powmod_column(words, 3, words)]
        after = sys.getallocatedblocks()
        tracemalloc.stop()
        assert len(kept) == 2
        return after - before

    assert abs(blocks(20_000) - blocks(10)) < 50


def test_memory_is_given_back() -> None:
    program = """
import resource, pyarrow as pa, numpy as np, pingala
column = pa.array([b"\\1" * 32] * 2000)
words = np.ones((2000, 16), np.uint8)
def call():
    pa.array(pingala.powmod_column(column, 3, column, errors="column"))
    memoryview(pingala.powmod_column(words, 3, column))
    try:
        pingala.powmod_column(column, 3, 0)
    except ValueError:
        pass
for _ in range(100): call()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(500): call()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert int(done.stdout) < 4000, "kilobytes"


def test_pages() -> None:
    """The examples of the page on columns, with what they print."""
    import doctest

    page = Path(__file__).resolve().parents[2] / "docs/columns.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 20
    assert failed == 0
    for module in (pingala.polars, pingala.duckdb):
        assert doctest.testmod(module).failed == 0
