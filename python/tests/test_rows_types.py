"""Columns of Parquet files of every type that writers have: read by their meaning, or refused by name."""

import base64
import datetime
import json
import re
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

SCRIPT = Path(sysconfig.get_path("scripts")) / "pingala"
NUMBERS = ["--base", "b", "--exponent", "3", "--modulus", "1000003"]
DAY = datetime.date(2020, 1, 1)
SECOND = datetime.datetime(2020, 1, 1)
ROWS = 5


def ran(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [str(argument) for argument in (SCRIPT, *arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def by_arrow(values: list[Any], kind: pa.DataType) -> Callable[[Path], None]:
    return lambda path: pq.write_table(pa.table({"b": pa.array(values, kind)}), path)


def of_storage(values: list[Any], storage: pa.DataType, kind: pa.DataType) -> Callable[[Path], None]:
    column = pa.ExtensionArray.from_storage(kind, pa.array(values, storage))
    return lambda path: pq.write_table(pa.table({"b": column}), path)


def by_polars(values: list[Any], kind: Any) -> Callable[[Path], None]:
    return lambda path: pl.DataFrame({"b": pl.Series(values, dtype=kind)}).write_parquet(path)


def by_duckdb(expression: str) -> Callable[[Path], None]:
    return lambda path: duckdb.sql(f"copy (select {expression} b) to '{path}' (format parquet)") and None


def through_arrow(expression: str) -> Callable[[Path], None]:
    return lambda path: pq.write_table(duckdb.sql(f"select {expression} b").to_arrow_table(), path)


def by_pandas(values: Any, **options: Any) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        if options.get("engine") == "fastparquet":
            pytest.importorskip("fastparquet")
        pd.DataFrame({"b": values}).to_parquet(path, **options)

    return write


def with_note(column: pa.Array, note: dict[str, str]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        table = pa.table({"b": column})
        with pq.ParquetWriter(path, table.schema, store_schema=False) as writer:
            writer.write_table(table)
            writer.add_key_value_metadata(note)

    return write


PANDAS = {"columns": [{"name": "b", "field_name": "b", "numpy_type": "timedelta64[ns]", "pandas_type": "timedelta"}]}
SPARK = {"type": "struct", "fields": [{"name": "b", "type": "interval day to second", "nullable": True}]}
AVRO = {
    "type": "record",
    "name": "r",
    "fields": [{"name": "b", "type": {"type": "bytes", "logicalType": "big-decimal"}}],
}
REFUSED = {
    "bignum": (through_arrow("5::BIGNUM"), r"arrow\.opaque.*bignum"),
    "opaque": (of_storage([5], pa.int64(), pa.opaque(pa.int64(), "odd", "them")), r"arrow\.opaque.*odd"),
    "bool8": (of_storage([1], pa.int8(), pa.bool8()), r"arrow\.bool8"),
    "json": (by_arrow(["5"], pa.json_()), "JSON|json"),
    "uuid": (by_arrow([b"1" * 16], pa.uuid()), "UUID|uuid"),
    "period": (by_pandas(pd.period_range("2020-01", periods=1, freq="M")), "pandas.period"),
    "interval of pandas": (by_pandas(pd.interval_range(0, 1), store_schema=True), "lists or groups|interval"),
    "duration": (by_arrow([5], pa.duration("s")), "durations"),
    "duration of polars": (by_polars([datetime.timedelta(1)], pl.Duration), "durations"),
    "duration of pandas": (by_pandas(pd.to_timedelta([5], unit="s")), "durations"),
    "duration without Arrow's schema": (with_note(pa.array([5]), {"pandas": json.dumps(PANDAS)}), "durations"),
    "timedelta of fastparquet": (by_pandas(pd.to_timedelta([5], unit="s"), engine="fastparquet"), "durations"),
    "time of polars": (by_polars([datetime.time(1)], pl.Time), "times of day"),
    "time32": (by_arrow([1], pa.time32("s")), "times of day"),
    "date32": (by_arrow([DAY], pa.date32()), "dates"),
    "date64": (by_arrow([DAY], pa.date64()), "dates"),
    "date of duckdb": (by_duckdb("DATE '2020-01-01'"), "dates"),
    "time of duckdb": (by_duckdb("TIME '10:00:00'"), "times of day"),
    "timestamp of duckdb": (by_duckdb("TIMESTAMP '2020-01-01'"), "timestamps"),
    "interval of duckdb": (by_duckdb("INTERVAL 5 SECONDS"), "intervals"),
    "uuid of duckdb": (by_duckdb("uuid()"), "UUIDs"),
    "json of duckdb": (by_duckdb("'5'::JSON"), "JSON"),
    "geometry of duckdb": (by_duckdb("'POINT(1 2)'::GEOMETRY"), "geometries"),
    "geometry through Arrow": (through_arrow("'POINT(1 2)'::GEOMETRY"), "geoarrow"),
    "hugeint of duckdb": (by_duckdb("5::HUGEINT"), "floats"),
    "timestamp": (by_arrow([SECOND], pa.timestamp("s")), "timestamps"),
    "int96": (
        lambda path: pq.write_table(pa.table({"b": [SECOND]}), path, use_deprecated_int96_timestamps=True),
        "timestamps",
    ),
    "float16": (by_arrow([1.0], pa.float16()), "floats"),
    "float64": (by_arrow([1.0], pa.float64()), "floats"),
    "decimal with a fraction": (by_duckdb("1.5::DECIMAL(9, 1)"), "decimals with a fraction"),
    "bool": (by_arrow([True], pa.bool_()), "true and false"),
    "list": (by_arrow([[1]], pa.list_(pa.int64())), "column b holds lists or groups"),
    "struct": (by_arrow([{"x": 1}], pa.struct({"x": pa.int64()})), "column b holds lists or groups"),
    "map": (by_arrow([[("x", 1)]], pa.map_(pa.string(), pa.int64())), "column b holds lists or groups"),
    "interval of Spark": (
        with_note(pa.array([5]), {"org.apache.spark.sql.parquet.row.metadata": json.dumps(SPARK)}),
        "intervals",
    ),
    "big decimal of Avro": (with_note(pa.array([b"5"]), {"parquet.avro.schema": json.dumps(AVRO)}), "big-decimal"),
    "damaged schema": (with_note(pa.array([5]), {"ARROW:schema": "AAAA"}), "ARROW:schema"),
    "contradiction": (
        with_note(
            pa.array([5]), {"ARROW:schema": base64.b64encode(pa.schema({"b": pa.binary()}).serialize()).decode()}
        ),
        "contradicts its type",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name: str, tmp_path: Path) -> None:
    path, (write, why) = tmp_path / "in.parquet", REFUSED[name]
    write(path)
    key = ["--verify", "rsa-pkcs1", "--modulus", "35", "--exponent", "5"]
    for arguments in (
        ["batch", path, "--output", "-", *NUMBERS],
        ["batch", path, "--output", "-", "--base", "3", "--exponent", "b", "--modulus", "value:1000003"],
        ["job", "run", path, "--output", tmp_path / "out", *NUMBERS],
        ["job", "run", path, "--output", tmp_path / "out", "--base", "3", "--exponent", "5", "--modulus", "b"],
        ["job", "run", path, "--output", tmp_path / "out", *key, "--signature", "b", "--message", "b"],
    ):
        done = ran(*arguments)
        assert done.returncode == 1, (arguments, done)
        assert re.search(why, done.stderr), (arguments, done.stderr)
        assert done.stdout == ""


READ = {
    "int8": by_arrow([ROWS], pa.int8()),
    "uint64": by_arrow([ROWS], pa.uint64()),
    "decimal": by_arrow([ROWS], pa.decimal128(20)),
    "decimal256": by_arrow([ROWS], pa.decimal256(50)),
    "binary": by_arrow([b"\5"], pa.binary()),
    "fixed": by_arrow([b"\0\5"], pa.binary(2)),
    "large binary": by_arrow([b"\5"], pa.large_binary()),
    "text": by_arrow(["5"], pa.string()),
    "large text": by_arrow(["0x5"], pa.large_string()),
    "dictionary": lambda path: pq.write_table(pa.table({"b": pa.array(["5"]).dictionary_encode()}), path),
    "dictionary of integers": lambda path: pq.write_table(pa.table({"b": pa.array([5]).dictionary_encode()}), path),
    "first version": lambda path: pq.write_table(pa.table({"b": pa.array([5], pa.uint32())}), path, version="1.0"),
    "polars": by_polars([5], pl.UInt16),
    "categories of polars": by_polars(["5"], pl.Categorical),
    "enum of polars": by_polars(["5"], pl.Enum(["5"])),
    "int128 of polars": by_polars([ROWS], pl.Int128),
    "uint128 of polars": by_polars([ROWS], pl.UInt128),
    "decimal of polars": by_polars([5], pl.Decimal(30, 0)),
    "bytes of polars": by_polars([b"\5"], pl.Binary),
    "pandas": by_pandas([5]),
    "nullable of pandas": by_pandas(pd.array([5], dtype="Int8")),
    "categories of pandas": by_pandas(pd.Categorical(["5"])),
    "fastparquet": by_pandas([5], engine="fastparquet"),
    "categories of fastparquet": by_pandas(pd.Categorical(["5"]), engine="fastparquet"),
    "duckdb": by_duckdb("5::UBIGINT"),
    "tiny of duckdb": by_duckdb("5::UTINYINT"),
    "bignum of duckdb": by_duckdb("5::BIGNUM"),
    "decimal of duckdb": by_duckdb("5::DECIMAL(18, 0)"),
    "blob of duckdb": by_duckdb(r"'\x05'::BLOB"),
    "hugeint through Arrow": through_arrow("5::HUGEINT"),
    "enum of duckdb": by_duckdb("'5'::ENUM('5')"),
    "notes of other shapes": with_note(pa.array([5]), {"geo": '"Europe"', "pandas": "[]", "avro.schema": "5"}),
}


@pytest.mark.parametrize("name", READ)
def test_read_by_what_they_mean(name: str, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    READ[name](path)
    more = ["--binary", "big"]
    done = ran("batch", path, "--output", "-", "-q", "--decimal", *NUMBERS, *more)
    assert (done.returncode, done.stdout) == (0, '{"id":0,"result":"125"}\n'), done
    done = ran("job", "run", path, "--output", tmp_path / "out", *NUMBERS, *more, "--format", "jsonl", "--decimal")
    assert done.returncode == 0, done
    row = json.loads((tmp_path / "out" / "part-00000.jsonl").read_text())
    assert row["result"] in ("125", 125)


def test_one_rule_for_batch_and_job(tmp_path: Path) -> None:
    """Empty and blank text is no number, empty bytes are 0, a null is missing, and truth values are no numbers."""
    path = tmp_path / "in.parquet"
    texts = ["", " ", " 5", "5\r", "\u00a05", "+5", "0X5", None]
    codes = {"batch": ["bad_row"], "job": [None]}
    for values, kind, wanted in (
        (texts, pa.string(), ["not_a_number"] * 2 + ["0x7d"] * 2 + ["not_a_number"] + ["0x7d"] * 2),
        ([b"", b"\0", b"\0\5", None], pa.binary(), ["0x0", "0x0", "0x7d"]),
    ):
        pq.write_table(pa.table({"b": pa.array(values, kind), "m": pa.array(values, kind)}), path)
        rows = [json.loads(line) for line in ran("batch", path, "-o", "-", "-q", *NUMBERS).stdout.splitlines()]
        found = [row.get("result") or row["error"]["code"] for row in rows]
        assert found == wanted + codes["batch"]
        out = tmp_path / f"out of {kind}"
        ran("job", "run", path, "-o", out, *NUMBERS, "--format", "jsonl", "-q")
        rows = [json.loads(line) for line in (out / "part-00000.jsonl").read_text().splitlines()]
        assert [row["result"] or row["error"] for row in rows] == wanted + codes["job"]
    numbers = ["--base", "3", "--exponent", "3", "--modulus", "m"]
    rows = [json.loads(line) for line in ran("batch", path, "-o", "-", "-q", *numbers).stdout.splitlines()]
    assert [row["error"]["code"] for row in rows[:2]] == ["zero_modulus"] * 2


def test_nulls_of_no_type(tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out"
    for write in (by_arrow([None, None], pa.null()), by_polars([None, None], pl.Null), by_duckdb("NULL")):
        write(path)
        done = ran("batch", path, "-o", "-", "-q", *NUMBERS)
        assert "base is missing" in done.stdout, done
        for numbers in (NUMBERS, ["--base", "3", "--exponent", "5", "--modulus", "b"]):
            done = ran("job", "run", path, "-o", out / str(len(list(tmp_path.rglob("*")))), *numbers, "-q")
            assert done.returncode == 0, done
    for part in out.rglob("part-00000.parquet"):
        assert set(pq.read_table(part)["result"].to_pylist()) == {None}


def test_columns_beside_the_numbers(tmp_path: Path) -> None:
    """An identifier may be true or false, a text may be no number, and what is kept as text has to be what it says."""
    path, out = tmp_path / "in.parquet", tmp_path / "out"
    columns = {"id": [True], "b": [5], "base": [True], "message": [5], "n": [35], "e": [5], "signature": [b"0"]}
    pq.write_table(pa.table(columns | {"d": pa.array([5], pa.duration("s"))}), path)
    done = ran("batch", path, "-o", "-", "-q", *NUMBERS)
    assert done.stdout == '{"id":true,"result":"0x7d"}\n', done
    done = ran("batch", path, "-o", "-", "--exponent", "3", "--modulus", "5")
    assert "column base holds true and false" in done.stderr
    done = ran("verify", path, "-o", "-", "--scheme", "rsa-pkcs1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "column message holds numbers; expected bytes or text" in done.stderr
    done = ran("job", "run", path, "-o", out, *NUMBERS, "--keep", "d", "--format", "csv")
    assert "column d cannot be kept as text" in done.stderr
    done = ran("job", "run", path, "-o", out, *NUMBERS, "--keep", "d,id", "-q")
    assert done.returncode == 0, done
    assert pq.read_table(out / "part-00000.parquet")["id"].to_pylist() == [True]
