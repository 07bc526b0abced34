"""Columns of numbers that other packages make: read by their meaning, and the advice of a refusal is right."""

from decimal import Decimal
from typing import Any

import duckdb
import gmpy2
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

import pingala
import pingala.duckdb
import pingala.polars

M = 1000003
# Columns that others make, each with what it is.
WIDE = 2**100 + 7
COLUMNS: dict[str, tuple[Any, list[int | None]]] = {
    "Int128 of polars": (pl.Series([-3, WIDE, None], dtype=pl.Int128), [-3, WIDE, None]),
    "UInt128 of polars": (
        pl.Series([3, 2**128 - 1], dtype=getattr(pl, "UInt128", pl.Int128)) if hasattr(pl, "UInt128") else [b"\3"],
        [3, 2**128 - 1] if hasattr(pl, "UInt128") else [3],
    ),
    "decimal of polars": (pl.Series([Decimal(-3), Decimal(WIDE), None], dtype=pl.Decimal(38, 0)), [-3, WIDE, None]),
    "decimal32": (pa.array([Decimal(-3), None], pa.decimal32(3)), [-3, None]),
    "decimal64": (pa.array([Decimal(3)], pa.decimal64(12)), [3]),
    "decimal128": (pa.array([Decimal(-WIDE), None], pa.decimal128(38)), [-WIDE, None]),
    "decimal256": (
        pa.chunked_array([pa.array([Decimal(2**200)], pa.decimal256(76)), pa.array([Decimal(-1)], pa.decimal256(76))]),
        [2**200, -1],
    ),
    "decimals of pandas": (pd.Series([Decimal(5), None]), [5, None]),
    "hugeint of DuckDB": (
        duckdb.sql("select sum(x)::hugeint x from (values (9223372036854775808), (2)) t(x)").to_arrow_table()["x"],
        [2**63 + 2],
    ),
    "text of pandas": (pd.Series([2**70, -3], dtype=object).astype(str), [2**70, -3]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_long_integers(name: str) -> None:
    column, numbers = COLUMNS[name]
    modulus = 2**127 - 1
    wanted = [None if n is None else pow(n, 3, modulus) for n in numbers]
    assert pingala.powmod_column(column, 3, modulus).to_pylist() == wanted
    assert pingala.powmod_column(column, 3, modulus, byteorder="little").to_pylist() == wanted
    assert pingala.mulmod_column(column, 3, 1009).to_pylist() == [None if n is None else n * 3 % 1009 for n in numbers]
    primes = pingala.is_prime_column(column).to_pylist()
    assert primes == [None if n is None else bool(pingala.is_prime(n)) for n in numbers]
    found = pingala.powmod_column(3, column, modulus).to_pylist()
    assert found == [None if n is None else pow(3, n, modulus) for n in numbers]
    jacobi = pingala.jacobi_column(column, modulus).to_pylist()
    assert jacobi == [None if n is None else pingala.jacobi(n, modulus) for n in numbers]
    as_moduli = pingala.powmod_column(3, 5, column, errors="column")
    assert as_moduli.to_pylist() == [None if n is None or n < 0 else 243 % n for n in numbers]
    assert as_moduli.error_codes == ["negative_modulus" if n is not None and n < 0 else None for n in numbers]


def test_queries_with_long_integers() -> None:
    frame = pl.read_csv(b"n\n9223372036854775808\n7\n")
    assert frame.schema["n"] in (pl.Int128, pl.UInt64, pl.UInt128)
    found = frame.select(pl.col("n").pingala.powmod(1, 2**89 - 1))["n"].to_list()  # type: ignore[attr-defined]
    assert [int.from_bytes(value, "big") for value in found] == [2**63, 7]
    found = frame.select(pl.col("n").pingala.powmod(3, 1009, return_dtype=pl.UInt64))["n"].to_list()  # type: ignore[attr-defined]
    assert found == [pow(2**63, 3, 1009), 343]
    con = duckdb.connect()
    pingala.duckdb.register(con)
    rows = con.sql(
        "SELECT powmod_ubigint(sum(x), 3, 1009), powmod(sum(x), 3, 1009::UBIGINT) "
        "FROM (VALUES (9223372036854775807), (5)) t(x)"
    )
    (one, other) = rows.fetchall()[0]
    assert (one, int.from_bytes(other, "big")) == (pow(2**63 + 4, 3, 1009),) * 2
    assert con.sql("SELECT powmod_ubigint(9223372036854775808, 3, 1009)").fetchall() == [(pow(2**63, 3, 1009),)]
    with pytest.raises(duckdb.Error, match=r"too_long|bits"):
        con.sql("SELECT powmod_ubigint(3, 3, 100000000000000000000)").fetchall()


def test_numbers_of_gmpy2() -> None:
    """A number of gmpy2 has a length, and is one number for all rows."""
    column, z = pa.array([2, 3]), gmpy2.mpz
    assert pingala.powmod_column(z(3), column, z(1009)).to_pylist() == [9, 27]
    assert pingala.powmod_column(column, z(10), z(2**90 + 1)).to_pylist() == [2**10, 3**10]
    assert pingala.mulmod_column(column, z(10), z(7)).to_pylist() == [6, 2]
    assert pingala.jacobi_column(column, z(7)).to_pylist() == [1, -1]
    frame = pl.DataFrame({"n": [2, 3]})
    assert frame.select(pl.col("n").pingala.powmod(z(3), z(5), return_dtype=pl.UInt64))["n"].to_list() == [3, 2]  # type: ignore[attr-defined]
    # And an array of one element is a column.
    assert pingala.powmod_column(np.array([5]), 3, 101).to_pylist() == [24]


def test_an_owner_of_several_chunks() -> None:
    """Where the method for one array fails, the one for several is asked."""

    class Chunks:
        def __init__(self) -> None:
            self.rows = pa.chunked_array([[2], [3, None]])

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            raise ValueError("there are several chunks")

        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            return self.rows.__arrow_c_stream__(requested_schema)

    assert pingala.powmod_column(Chunks(), 3, 101).to_pylist() == [8, 27, None]
    nanoarrow = pytest.importorskip("nanoarrow")
    assert pingala.powmod_column(nanoarrow.Array(pa.chunked_array([[2], [3]])), 3, 101).to_pylist() == [8, 27]


class Interface:
    """An array interface without a buffer or a type."""

    __array_interface__ = np.array([5]).__array_interface__


BAD = {
    "ints above 64 bits": (pd.Series([2**70, 3], dtype=object), r"bases is no column of numbers: .*astype\(str\)"),
    "Index": (pd.Index([1, 2]), r"is of the type Index: give pandas.Series of it"),
    "interface": (Interface(), "array interface and no buffer"),
    "variant": (
        pa.array([{"metadata": b"\1\0\0", "value": b"\x14,\1\0\0"}]),
        "as VARIANT has, whose fields are not its meaning",
    ),
    "decimals with a fraction": (pa.array([Decimal("1.5")]), "decimals with a fraction"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_columns_are_named(name: str) -> None:
    column, why = BAD[name]
    with pytest.raises(TypeError, match=why):
        pingala.powmod_column(column, 3, 1009)
    with pytest.raises(TypeError, match=why.replace("bases", "numbers")):
        pingala.is_prime_column(column)


def test_what_is_no_column_of_primes() -> None:
    expected = "numbers must be a column .* of bytes., not"
    for wrong in (5, b"\5" * 16, bytearray(16), "5", None, 5.5):
        with pytest.raises(TypeError, match="numbers must be a column") as raised:
            pingala.is_prime_column(wrong)  # type: ignore[arg-type]
        assert "or an integer" not in str(raised.value), expected
    bits = pytest.importorskip("bitarray")
    for text in ("101", "1", "1" * 9):
        with pytest.raises(TypeError, match="packed bits"):
            pingala.is_prime_column(bits.bitarray(text))


def test_results_know_their_order() -> None:
    for byteorder in ("big", "little"):
        column = pingala.powmod_column(pa.array([2, 3]), 100, 2**127 - 1, byteorder=byteorder)  # type: ignore[arg-type]
        numbers = [pow(2, 100, 2**127 - 1), pow(3, 100, 2**127 - 1)]
        for asked in (None, "big", "little", "signed-big"):
            again = pingala.powmod_column(column, 3, M, byteorder=asked)  # type: ignore[arg-type]
            assert again.to_pylist() == [pow(n, 3, M) for n in numbers]
            assert pingala.is_prime_column(column, byteorder=asked).to_pylist() == [
                bool(pingala.is_prime(n)) for n in numbers
            ]  # type: ignore[arg-type]


def test_answers_as_masks() -> None:
    """As the page says: NumPy takes the column, pandas an array of it, polars a series."""
    column = pingala.is_prime_column(np.array([4, 5, 6, 7]))
    assert np.arange(4)[np.asarray(column)].tolist() == [1, 3]
    frame = pd.DataFrame({"n": [4, 5, 6, 7]})
    assert frame[np.asarray(column)]["n"].tolist() == [5, 7]
    assert pl.DataFrame({"n": [4, 5, 6, 7]}).filter(pl.Series(column))["n"].to_list() == [5, 7]


# Advice in refusals of columns, each with what following it gives. Other tests here follow that about files.
# What is said, what one does then, and the numbers.
ADVICE = {
    "Object of polars": (
        pl.Series([300, 2], dtype=pl.Object), "by str", lambda s: pl.Series([str(x) for x in s]), [300, 2],
    ),
    "categories": (pa.array([300, 2]).dictionary_encode(), "decode it", lambda a: a.dictionary_decode(), [300, 2]),
    "runs": (
        pa.RunEndEncodedArray.from_arrays([1, 2], [300, 4]), "decode", lambda a: pa.array(a.to_pylist()), [300, 4],
    ),
    "long integers of pandas": (pd.Series([2**70], dtype=object), "astype", lambda s: s.astype(str), [2**70]),
    "S of NumPy": (np.array([b"\1\0"], "S2"), "as uint8", lambda a: a.view("u1").reshape(1, 2), [256]),
    "Index": (pd.Index([300]), "give pandas.Series of it", pd.Series, [300]),
    "array of pandas": (pd.array([300, None]), "give pandas.Series of it", pd.Series, [300, None]),
    "floats of pandas": (pd.Series([300.0, None]), "integers", lambda s: s.astype("Int64"), [300, None]),
    "BIGNUM": (
        duckdb.sql("select 300::bignum x").to_arrow_table()["x"],
        "in the program that made it, cast it to integers or text",
        lambda _: duckdb.sql("select (300::bignum)::varchar x").to_arrow_table()["x"], [300],
    ),
    "list of int": ([300, 2], "powmod_list", lambda values: pa.array(values), [300, 2]),
}  # fmt: skip


@pytest.mark.parametrize("name", ADVICE)
def test_advice_gives_the_right_number(name: str) -> None:
    column, said, follow, numbers = ADVICE[name]
    with pytest.raises(TypeError, match=said) as raised:
        pingala.powmod_column(column, 1, 2**89 - 1)
    assert "bytes or text" not in str(raised.value)
    assert pingala.powmod_column(follow(column), 1, 2**89 - 1).to_pylist() == numbers
