"""Columns of every type that their owners have: read by what they mean, or refused by name; never by their storage."""

import array
import ctypes
import datetime
import decimal
import uuid
from collections.abc import Callable
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

M = 10**9 + 7


def read(column: Any, byteorder: Any = None) -> list[Any]:
    return pingala.powmod_column(column, 1, M, byteorder=byteorder).to_pylist()


class Registered(pa.ExtensionType):
    """A type of somebody else."""

    def __init__(self, storage: pa.DataType, name: str = "somebody.price") -> None:
        super().__init__(storage, name)

    def __arrow_ext_serialize__(self) -> bytes:
        return b"in cents\n"

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: pa.DataType, serialized: bytes) -> "Registered":
        return cls(storage)


def of_type(values: list[Any], storage: pa.DataType) -> pa.ExtensionArray:
    return pa.ExtensionArray.from_storage(Registered(storage), pa.array(values, storage))


DAY = datetime.date(2020, 1, 1)
SECOND = datetime.datetime(2020, 1, 1)
PYARROW = {
    "uuid": (pa.array([b"1" * 16], pa.uuid()), "arrow.uuid"),
    "bool8": (pa.array([1], pa.int8()).cast(pa.bool8()), "arrow.bool8"),
    "json": (pa.array(["12"], pa.json_()), "arrow.json"),
    "opaque": (pa.array([1], pa.int64()).cast(pa.opaque(pa.int64(), "odd", "them")), r"arrow\.opaque.*odd"),
    "tensor": (
        pa.FixedShapeTensorArray.from_numpy_ndarray(np.zeros((2, 2, 2), np.int64)),
        "arrow.fixed_shape_tensor",
    ),
    "user int": (of_type([5], pa.int64()), "somebody.price.*in cents.n"),
    "user bytes": (of_type([b"5"], pa.binary()), "somebody.price"),
    "user fixed": (of_type([b"5"], pa.binary(1)), "somebody.price"),
    "user text": (of_type(["5"], pa.string()), "somebody.price"),
    "user null": (of_type([None], pa.null()), "somebody.price"),
    "user sliced": (of_type([1, 2, 3], pa.int16()).slice(1), "somebody.price"),
    "user empty": (of_type([], pa.int64()), "somebody.price"),
    "user chunked": (pa.chunked_array([of_type([5], pa.int64())]), "somebody.price"),
    "dictionary": (pa.array([1, 1, None]).dictionary_encode(), "dictionary"),
    "dictionary of bytes": (pa.array([b"1", None]).dictionary_encode(), "dictionary"),
    "dictionary with nulls": (pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([5, None])), "dictionary"),
    "dictionary chunked": (pa.chunked_array([pa.array([1]).dictionary_encode()]), "dictionary"),
    "runs": (pa.RunEndEncodedArray.from_arrays([1, 2], [3, 4]), r'"\+r".*runs'),
    "decimal with fraction": (pa.array([decimal.Decimal("1.5")]), "decimals with a fraction"),
    "decimal scale -2": (pa.array([decimal.Decimal("100")], pa.decimal128(5, -2)), "decimals"),
    "float16": (pa.array([1.0], pa.float16()), "floating-point"),
    "float32": (pa.array([1.0], pa.float32()), "floating-point"),
    "float64": (pa.array([1.0, None]), "floating-point"),
    "bool": (pa.array([True]), "booleans"),
    "date32": (pa.array([DAY]), "dates"),
    "date64": (pa.array([DAY], pa.date64()), "dates"),
    "time32": (pa.array([1], pa.time32("s")), "times of day"),
    "time64": (pa.array([1], pa.time64("ns")), "times of day"),
    "timestamp": (pa.array([SECOND]), "timestamps"),
    "timestamp with zone": (pa.array([SECOND], pa.timestamp("s", "Asia/Kolkata")), "timestamps"),
    "duration": (pa.array([5], pa.duration("us")), "durations"),
    "interval": (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), "intervals"),
    "list": (pa.array([[1]]), "lists"),
    "large list": (pa.array([[1]], pa.large_list(pa.int64())), "lists"),
    "list view": (pa.array([[1]], pa.list_view(pa.int64())), "lists"),
    "large list view": (pa.array([[1]], pa.large_list_view(pa.int64())), "lists"),
    "fixed-size list": (pa.array([[1]], pa.list_(pa.uint8(), 1)), "lists"),
    "map": (pa.array([[(1, 2)]], pa.map_(pa.int64(), pa.int64())), "maps"),
    "sparse union": (pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])]), "unions"),
    "dense union": (
        pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])]),
        "unions",
    ),
    "struct": (pa.array([{"a": 1}, None]), "structs"),
    "record batch": (pa.record_batch({"a": pa.array([1])}), "structs"),
    "table": (pa.table({"a": pa.array([1])}), "structs"),
    "buffer": (pa.array([1, None]).buffers()[1], "buffer of Arrow"),
    "view of a buffer": (memoryview(pa.array([1, None]).buffers()[1]), "buffer of Arrow"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", PYARROW)
def test_arrow_refused_by_name(name: str) -> None:
    column, why = PYARROW[name]
    with pytest.raises(TypeError, match=why):
        pingala.powmod_column(column, 1, M)
    with pytest.raises(TypeError, match=why):
        pingala.powmod_column(3, column, M)
    with pytest.raises(TypeError, match=why):
        pingala.invert_column(column, column)
    with pytest.raises(TypeError, match=why):
        pingala.mulmod_column(column, 1, M)
    with pytest.raises(TypeError, match=why):
        pingala.mulmod_column(3, column, M)
    table = pingala.FixedBase(3, M, 64, 1 << 12)
    with pytest.raises(TypeError, match=why):
        table.pow_column(column)
    key = pingala.RSAPublicKey(2**1024 - 105, 65537)
    with pytest.raises(TypeError, match=why):
        pingala.verify_column(key, column, pa.array([b"m"]), scheme="rsa-pkcs1")
    with pytest.raises(TypeError, match=why):
        pingala.verify_column(key, pa.array([b"s"]), column, scheme="rsa-pkcs1")


def test_a_registered_type_is_refused_too() -> None:
    pa.register_extension_type(Registered(pa.int64(), "somebody.registered"))
    try:
        with pytest.raises(TypeError, match=r"somebody\.registered"):
            read(pa.ExtensionArray.from_storage(Registered(pa.int64(), "somebody.registered"), pa.array([5])))
    finally:
        pa.unregister_extension_type("somebody.registered")


def test_long_names_are_shortened_and_escaped() -> None:
    with pytest.raises(TypeError) as caught:
        read(pa.ExtensionArray.from_storage(Registered(pa.int64(), "\x1b[31m" + "x" * 10**6), pa.array([5])))
    assert len(str(caught.value)) < 500
    assert "\x1b" not in str(caught.value)


def test_other_metadata_do_not_matter() -> None:
    class Field:
        """A column of a schema with metadata that are no extension's."""

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            metadata = {"PARQUET:field_id": "7", "ARROW:extension:metadata": "of nothing", "": ""}
            schema = pa.field("a", pa.int64(), metadata=metadata).__arrow_c_schema__()
            return schema, pa.array([2, 3]).__arrow_c_array__()[1]

    assert read(Field()) == [2, 3]


def test_a_name_in_the_metadata_of_a_field_is_a_type() -> None:
    class Field:
        """A column whose extension its producer does not know itself."""

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            metadata = {"x": "y" * 1000, "ARROW:extension:name": "unknown.type"}
            schema = pa.field("a", pa.int64(), metadata=metadata).__arrow_c_schema__()
            return schema, pa.array([2, 3]).__arrow_c_array__()[1]

    with pytest.raises(TypeError, match=r"unknown\.type"):
        read(Field())


INTEGERS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
BYTES = [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(2)]


@pytest.mark.parametrize("kind", INTEGERS + BYTES + [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_arrow_read_by_meaning_at_every_offset(kind: pa.DataType) -> None:
    numbers = [7, None, 0, 100, None, 3, 77, 1, None, 12, 5]
    if kind in INTEGERS:
        values: list[Any] = list(numbers)
    elif kind in BYTES:
        values = [None if n is None else n.to_bytes(2, "big") for n in numbers]
    else:
        values = [None if n is None else str(n) for n in numbers]
    whole = pa.array(values, kind)
    order = "big" if kind == pa.binary(2) else None
    for start in range(12):
        for length in (0, 1, 4, 11):
            assert read(whole.slice(start, length), order) == numbers[start : start + length]
    chunked = pa.chunked_array([whole.slice(3), whole.slice(0, 0), whole.slice(1, 2)], kind)
    assert read(chunked, order) == numbers[3:] + numbers[1:3]
    assert read(chunked.slice(2, 7), order) == (numbers[3:] + numbers[1:3])[2:9]
    assert read(pa.nulls(3, kind), order) == [None] * 3


POLARS = {
    "Object": (pl.Series([7, None, 7], dtype=pl.Object), "Object"),
    "Object of bytes": (pl.Series([b"7", object()], dtype=pl.Object), "Object"),
    "Object, empty": (pl.Series([], dtype=pl.Object), "Object"),
    "Categorical": (pl.Series(["2", "3", None], dtype=pl.Categorical), "dictionary"),
    "Enum": (pl.Series(["2", "3"], dtype=pl.Enum(["3", "2"])), "dictionary"),
    "Decimal": (pl.Series([decimal.Decimal("3.5")]), "decimals with a fraction"),
    "Date": (pl.Series([DAY]), "dates"),
    "Datetime": (pl.Series([SECOND]), "timestamps"),
    "Duration": (pl.Series([datetime.timedelta(1)]), "durations"),
    "Time": (pl.Series([datetime.time(1)]), "times of day"),
    "Boolean": (pl.Series([True]), "booleans"),
    "Struct": (pl.Series([{"a": 1}]), "structs"),
    "List": (pl.Series([[1]]), "lists"),
    "Array": (pl.Series([[1]], dtype=pl.Array(pl.UInt8, 1)), "lists"),
    "Float32": (pl.Series([1.0], dtype=pl.Float32), "floating-point"),
    "Float64": (pl.Series([1.0]), "floating-point"),
    "frame": (pl.DataFrame({"a": [1]}), "structs"),
}


@pytest.mark.parametrize("name", POLARS)
def test_polars_refused_by_name(name: str) -> None:
    column, why = POLARS[name]
    with pytest.raises(TypeError, match=why):
        read(column)
    if isinstance(column, pl.Series):
        frame = column.alias("n").to_frame()
        for dtype in (pl.Binary, pl.UInt64):
            with pytest.raises(Exception, match=why):
                frame.select(pl.col("n").pingala.powmod(1, M, return_dtype=dtype))  # type: ignore[attr-defined]


def test_polars_read_by_meaning() -> None:
    assert read(pl.Series([None, None])) == [None, None]
    assert read(pl.Series([5, None, 7]).slice(1)) == [None, 7]
    assert read(pl.Series(["5", None])) == [5, None]
    assert read(pl.Series([b"5", None])) == [53, None]
    assert read(pl.concat([pl.Series([5]), pl.Series([None, 6])], rechunk=False)) == [5, None, 6]


# The types that DuckDB gives without `arrow_lossless_conversion`, and with it.
DUCKDB = {
    "5::BIGNUM": ("bignum", "bignum"),
    "5::HUGEINT": (None, "hugeint"),
    "5::UHUGEINT": (None, "uhugeint"),
    "5.5::DECIMAL(4,1)": ("decimals", "decimals"),
    "uuid()": (None, "arrow.uuid"),
    "'101'::BIT": (None, "bit"),
    "'a'::ENUM('a','b')": ("dictionary", "dictionary"),
    "INTERVAL 1 DAY": ("intervals", "intervals"),
    "TIMESTAMP '2020-01-01'": ("timestamps", "timestamps"),
    "'2020-01-01'::TIMESTAMP_S": ("timestamps", "timestamps"),
    "'2020-01-01'::TIMESTAMP_MS": ("timestamps", "timestamps"),
    "'2020-01-01'::TIMESTAMP_NS": ("timestamps", "timestamps"),
    "'2020-01-01'::TIMESTAMPTZ": ("timestamps", "timestamps"),
    "'12:00:00'::TIME": ("times of day", "times of day"),
    "'12:00:00+01'::TIMETZ": ("times of day", "time_tz"),
    "DATE '2020-01-01'": ("dates", "dates"),
    "union_value(a := 1)": ("unions", "unions"),
    "map([1], [2])": ("maps", "maps"),
    "[1]": ("lists", "lists"),
    "[1, 2]::INTEGER[2]": ("lists", "lists"),
    "{'a': 1}": ("structs", "structs"),
    "true": ("booleans", "arrow.bool8"),
    "1.5::DOUBLE": ("floating-point", "floating-point"),
    "'{}'::JSON": (None, "arrow.json"),
}


@pytest.mark.parametrize("lossless", [False, True])
@pytest.mark.parametrize("value", DUCKDB)
def test_duckdb_refused_by_name(value: str, lossless: bool) -> None:
    why = DUCKDB[value][lossless]
    if why is None:
        pytest.skip("DuckDB hands it over as text or bytes, and does not say what it is")
    con = duckdb.connect()
    con.execute(f"SET arrow_lossless_conversion = {lossless}")
    table = con.sql(f"SELECT {value} AS x FROM range(3)").to_arrow_table()
    with pytest.raises(TypeError, match=why):
        read(table["x"])
    pingala.duckdb.register(con)
    for call in ("powmod(x, 1, 1009)", "powmod(3, x, 1009)", "powmod_ubigint(3, 1, x)", "invmod(x, 7)"):
        with pytest.raises(duckdb.Error, match=why):
            con.sql(f"SELECT {call} FROM (SELECT {value} AS x FROM range(3))").fetchall()


def masked(values: Any, mask: Any, **settings: Any) -> Any:
    return np.ma.array(values, mask=mask, **settings)


def test_masked_arrays_have_nulls() -> None:
    assert read(masked([2, 3, 5], [0, 1, 0])) == [2, None, 5]
    assert read(masked(np.array([2, 3, 5], ">i2"), [1, 1, 0])) == [None, None, 5]
    assert read(masked([2, 3, 5, 6], [0, 1, 0, 1])[::-2]) == [None, None]
    assert read(masked([2, 3, 5, 6], [0, 1, 0, 1])[::-1][1:]) == [5, None, 2]
    assert read(masked([2, 3], np.ma.nomask)) == [2, 3]
    assert read(masked([2, 3], [0, 0])) == [2, 3]
    assert read(masked([2, 3], True)) == [None, None]
    assert read(masked([], [], dtype=np.int64)) == []
    assert read(memoryview(masked([2, 3, 5], [0, 1, 0]))) == [2, None, 5]
    rows = masked(np.array([[0, 2], [0, 3], [1, 0]], np.uint8), [[0, 0], [0, 1], [0, 0]])
    assert read(rows) == [2, None, 256]
    assert read(masked(np.array([b"ab", b"cd"], "V2"), [0, 1]), "big") == [0x6162, None]
    moduli = masked([0, 1009, 1013], [1, 0, 0])
    assert pingala.powmod_column(masked([2, 3, 5], [0, 1, 0]), moduli, moduli).to_pylist()[:2] == [None, None]
    table = pingala.FixedBase(3, M, 64, 1 << 12)
    assert table.pow_column(masked([2, 3], [0, 1])).to_pylist() == [9, None]

    class Other(np.ndarray):  # type: ignore[type-arg]
        """An array with a mask that is no masked array of NumPy."""

        mask: Any

    other = np.array([2, 3]).view(Other)
    other.mask = np.array([True, False])
    assert read(other) == [None, 3]
    for bad in (np.array([True]), [True, False], np.array([1, 0]), "no", np.array([[True], [False]])):
        other.mask = bad
        with pytest.raises(TypeError, match="mask"):
            read(other)


def test_a_masked_value_is_no_number() -> None:
    hidden = masked(5, True)
    column = pa.array([1, 2])
    calls: list[Callable[[], Any]] = [
        lambda: pingala.powmod(hidden, 3, 7),
        lambda: pingala.powmod(3, hidden, 7),
        lambda: pingala.powmod(3, 3, hidden),
        lambda: pingala.Modulus(hidden),
        lambda: pingala.powmod_list([hidden], 3, 7),
        lambda: pingala.powmod_list(masked([2, 3], [0, 1]), 3, 7),
        lambda: pingala.powmod_column(column, hidden, 7),
        lambda: pingala.powmod_column(column, np.ma.masked, 7),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    assert pingala.powmod(masked(5, False), np.int64(3), np.array(7)) == 6


class Structure(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int)]


class Bits(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int, 3), ("b", ctypes.c_int, 5)]


STAMPS = np.array(["2020-01-01"], "M8[s]")
OTHERS = {
    "S": (np.array([b"1\0"]), "drop zero bytes"),
    "S scalars": ([np.bytes_(b"12")], "bytes_"),
    "U": (np.array(["12"]), "2w"),
    "StringDType": (np.array(["12"], np.dtypes.StringDType()), "StringDType"),
    "bool": (np.array([True]), "booleans"),
    "bool, two dimensions": (np.array([[True, False]]), "booleans"),
    "object": (np.array([b"1", None], object), "Python objects"),
    "float16": (np.array([1], np.float16), "floating-point"),
    "longdouble": (np.array([1], np.longdouble), "floating-point"),
    "complex": (np.array([1j]), "Zd"),
    "datetime64": (STAMPS, "datetime64"),
    "datetime64, empty": (STAMPS[:0], "datetime64"),
    "timedelta64": (STAMPS - STAMPS, "timedelta64"),
    "structured": (np.zeros(2, [("a", "i8")]), "T{"),
    "structured of one byte": (np.zeros(2, [("a", "u1")]), "T{"),
    "record": (np.rec.array([(1, 2)]), "T{"),
    "no fields": (np.zeros(2, np.dtype({"names": [], "formats": [], "itemsize": 16})), "T{"),
    "matrix": (np.matrix([[1, 2]]), "2 dimensions"),
    "masked objects": (masked([b"1", b"2"], [0, 1], dtype=object), "Python objects"),
    "masked S": (masked([b"1", b"2"], [0, 1]), "drop zero bytes"),
    "masked dates": (masked(STAMPS, [1]), "datetime64"),
    "masked record": (np.ma.array([(1, 2)], dtype=[("a", "i4"), ("b", "i4")]), "T{"),
    "array of characters": (array.array("u", "ab"), '"w"'),
    "array of floats": (array.array("d", [1.0]), "floating-point"),
    "memoryview of characters": (memoryview(b"ab").cast("c"), '"c"'),
    "memoryview of bool": (memoryview(b"\1\0").cast("?"), "booleans"),
    "memoryview without dimensions": (memoryview(b"\1" * 8).cast("Q", ()), "memoryview"),
    "ctypes bool": ((ctypes.c_bool * 2)(True, False), "booleans"),
    "ctypes char": ((ctypes.c_char * 2)(b"a", b"b"), '"c"'),
    "ctypes wchar": ((ctypes.c_wchar * 2)("a", "b"), "1 dimensions"),
    "ctypes pointers": ((ctypes.c_void_p * 2)(1, 2), '"P"'),
    "ctypes pointers to int": ((ctypes.POINTER(ctypes.c_int) * 2)(), "1 dimensions"),
    "ctypes double": ((ctypes.c_double * 2)(1, 2), "floating-point"),
    "ctypes structures": ((Structure * 2)(), "T{"),
    "ctypes bit fields": ((Bits * 2)(), "1 dimensions"),
    "ctypes two dimensions": ((ctypes.c_int * 2 * 2)(), "2 dimensions"),
    "set": ({b"1", b"2"}, "not set"),
    "frozenset": (frozenset([b"1"]), "not frozenset"),
    "dict": ({b"1": 1}, "not dict"),
    "uuid": ([uuid.UUID(int=5)], "UUID"),
    "float scalar": (np.float64(1.5), "not float64"),
    "bool scalar": (np.bool_(True), "not bool"),
    "datetime64 scalar": (STAMPS[0], "not datetime64"),
    "timedelta64 scalar": (np.timedelta64(257), "not timedelta64"),
    "void scalar": (np.void(b"\1\2"), "not void"),
    "record scalar": (np.zeros(2, [("a", "i8")])[0], "not void"),
    "categorical of pandas": (pd.Series([2, 3], dtype="category"), "dictionary"),
    "categorical of bytes": (pd.Series([b"2", None], dtype="category"), "dictionary"),
    "period": (pd.Series(pd.period_range("2020", "2021", freq="Y")), "pandas.period"),
    "pandas timedelta": (pd.Series(pd.to_timedelta([1, 2])), "durations"),
    "pandas datetime": (pd.Series(pd.to_datetime(["2020-01-01"])), "timestamps"),
    "pandas interval": (pd.Series(pd.interval_range(0, 3)), "pandas.interval"),
    "pandas float": (pd.Series([1.0, None]), "floating-point"),
    "pandas boolean": (pd.Series([True, None], dtype="boolean"), "booleans"),
    "pandas Arrow-backed": (pd.Series([DAY], dtype=pd.ArrowDtype(pa.date32())), "dates"),
    "pandas array with NA": (pd.array([1, None]), "give pandas.Series of it"),
    "pandas index": (pd.Index([1, 2]), "give pandas.Series of it"),
    "pandas dates index": (pd.DatetimeIndex(["2020-01-01"]), "DatetimeIndex: give pandas.Series"),
    "NaN in a list": ([b"1", float("nan")], "element 1"),
    "NA in a list": ([b"1", pd.NA], "element 1"),
    "masked in a list": ([b"1", np.ma.masked], "element 1"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_refused_by_name(name: str) -> None:
    column, why = OTHERS[name]
    with pytest.raises(TypeError, match=why):
        pingala.powmod_column(column, pa.array([1]), M)


def test_others_read_by_meaning() -> None:
    assert read(np.array([2, -3], ">i4")) == [2, M - 3]
    assert read(np.array([[2, 3], [5, 7]], ">u2")[:, 1]) == [3, 7]
    assert read(np.arange(6)[::-2]) == [5, 3, 1]
    assert read(np.broadcast_to(np.int16(7), 3)) == [7, 7, 7]
    assert read(np.array([[1, 2], [3, 4]], np.uint8).T) == [0x103, 0x204]
    assert read(np.array([b"ab", b"c\0"], "V2"), "big") == [0x6162, 0x6300]
    assert read(array.array("q", [2, 3])) == [2, 3]
    assert read(array.array("H", [2, 3])) == [2, 3]
    assert read((ctypes.c_int32 * 2)(2, -3)) == [2, M - 3]
    assert read((ctypes.c_long * 2)(2, 3)) == [2, 3]
    assert read((ctypes.c_uint16.__ctype_be__ * 2)(2, 3)) == [2, 3]  # type: ignore[attr-defined]
    assert read((ctypes.c_uint8 * 2 * 1)((1, 2))) == [0x102]
    assert read(memoryview(b"\1\0\2\0").cast("H")) == [1, 2]
    assert read(pd.Series([2, None], dtype="Int64")) == [2, None]
    assert read(pd.Series([2, None], dtype="UInt8")) == [2, None]
    assert read(pd.Series([2, None], dtype="int64[pyarrow]")) == [2, None]
    assert read(pd.Series([b"\2", None], dtype=pd.ArrowDtype(pa.binary()))) == [2, None]
    assert read(pd.Series([b"\2", None, np.nan, pd.NA], dtype=object)) == [2, None, None, None]
    assert read(pd.Series([2, None], dtype=object)) == [2, None]
    assert read(pd.Series(["2", None])) == [2, None]
    assert read(pd.Series(masked([2, 3], [0, 1]), dtype="Int64")) == [2, None]
    assert read([b"\2", None, bytes(3)]) == [2, None, 0]
    assert read(pingala.powmod_column(pa.array([2, None]), 1, 1009)) == [2, None]
