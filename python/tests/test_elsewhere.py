"""Other programs read results as docs/results.md says, and their numbers are read here as refusals say.

`make -C hardening newest` runs this with the newest releases. Elsewhere what is not installed is skipped.
"""

import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pingala

SCRIPT = Path(sysconfig.get_path("scripts")) / "pingala"
M = 2**255 - 19
# The first results end with a zero byte.
POWERS = [256, 512 * 3, 5, 0, None, 2**100, 2**120]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A part of a job, whose column `result` holds POWERS in 16 bytes."""
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"b": [None if n is None else str(n) for n in POWERS]}), source)
    job = pingala.Job.plan(source, tmp_path / "out", base="b", exponent=1, modulus=2**127 - 1)
    job.run()
    return tmp_path / "out" / "part-00000.parquet"


def test_results_in_duckdb(results: Path) -> None:
    rows = duckdb.sql(f"SELECT ('0x' || hex(result))::UHUGEINT FROM '{results}'").fetchall()
    assert [row[0] for row in rows] == POWERS


def test_results_in_polars_and_pandas(results: Path) -> None:
    column = pl.col("result").map_elements(lambda v: str(int.from_bytes(v, "big")), pl.String)
    texts = pl.read_parquet(results).select(column)["result"].to_list()
    assert texts == [None if n is None else str(n) for n in POWERS]
    series = pd.read_parquet(results, engine="pyarrow")["result"]
    assert series.map(lambda v: int.from_bytes(v, "big"), na_action="ignore").tolist() == POWERS
    table = pq.read_table(results)
    assert [v and int.from_bytes(v, "big") for v in table["result"].to_pylist()] == POWERS
    assert pingala.powmod_column(table["result"], 1, M, byteorder="big").to_pylist() == POWERS


@pytest.mark.filterwarnings("ignore")
def test_results_in_fastparquet(results: Path) -> None:
    fastparquet = pytest.importorskip("fastparquet")
    series = fastparquet.ParquetFile(str(results)).to_pandas()["result"]
    found = [v if v is None else int.from_bytes(v.ljust(16, b"\0"), "big") for v in series.tolist()]
    assert found == POWERS


def clickhouse(query: str) -> list[str]:
    chdb = pytest.importorskip("chdb")
    return [line.strip('"') for line in str(chdb.query(query, "CSV")).splitlines()]


def test_results_in_clickhouse(results: Path) -> None:
    found = clickhouse(f"select toString(reinterpretAsUInt256(reverse(result))) from file('{results}')")
    assert found == [r"\N" if n is None else str(n) for n in POWERS]


CLICKHOUSE = {
    "toUInt128": (2**128 - 3, "little"),
    "toUInt256": (2**256 - 3, "little"),
    "toInt128": (-(2**127) + 3, "signed-little"),
    "toInt256": (-(2**255) + 3, "signed-little"),
}


@pytest.mark.parametrize("function", CLICKHOUSE)
def test_integers_of_clickhouse(function: str, tmp_path: Path) -> None:
    number, word = CLICKHOUSE[function]
    for name, kind in (("in.parquet", "Parquet"), ("in.arrow", "Arrow")):
        clickhouse(f"select {function}('{number}') b into outfile '{tmp_path / name}' format {kind}")
    with pytest.raises(pingala.ArgumentError, match=f"ClickHouse wrote the file; .*b={word} for"):
        pingala.Job.plan(tmp_path / "in.parquet", tmp_path / "out", base="b", exponent=3, modulus=M)
    job = pingala.Job.plan(tmp_path / "in.parquet", tmp_path / "out", base="b", exponent=3, modulus=M, binary=word)
    job.run()
    (found,) = pq.read_table(job.folder)["result"].to_pylist()
    assert int.from_bytes(found, "big") == pow(number, 3, M)
    for table in (pq.read_table(tmp_path / "in.parquet"), pa.ipc.open_file(tmp_path / "in.arrow").read_all()):
        with pytest.raises(TypeError, match="byteorder"):
            pingala.powmod_column(table["b"], 3, M)
        order: Any = word
        assert pingala.powmod_column(table["b"], 3, M, byteorder=order).to_pylist() == [pow(number, 3, M)]


def refused(source: Any, out: Path) -> str:
    command = [
        SCRIPT,
        "job",
        "run",
        source,
        "--output",
        out,
        "--base",
        "b",
        "--exponent",
        "3",
        "--modulus",
        "value:1009",
    ]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


def computed(table: pa.Table, folder: Path) -> list[int]:
    """What a job makes of the rows that a package gave to Arrow."""
    pq.write_table(table, folder / "rows.parquet")
    job = pingala.Job.plan(folder / "rows.parquet", folder / "rows", base="b", exponent=3, modulus=1009)
    job.run()
    return sorted(pq.read_table(job.folder)["result"].to_pylist())


def test_a_delta_table_without_its_deleted_rows(tmp_path: Path) -> None:
    deltalake = pytest.importorskip("deltalake")
    folder = tmp_path / "table"
    deltalake.write_deltalake(str(folder), pa.table({"b": [2, 3, 5]}))
    deltalake.DeltaTable(str(folder)).delete("b = 3")
    assert "deltalake.DeltaTable(FOLDER).to_pyarrow_table()" in refused(folder, tmp_path / "out")
    assert computed(deltalake.DeltaTable(str(folder)).to_pyarrow_table(), tmp_path) == [8, 125]


def test_an_iceberg_table_without_its_deleted_rows(tmp_path: Path) -> None:
    sql = pytest.importorskip("pyiceberg.catalog.sql", exc_type=ImportError)
    static = pytest.importorskip("pyiceberg.table").StaticTable
    catalog = sql.SqlCatalog("c", uri=f"sqlite:///{tmp_path}/c.db", warehouse=f"file://{tmp_path}/warehouse")
    catalog.create_namespace("n")
    data = pa.table({"b": [2, 3, 5]})
    table = catalog.create_table("n.t", schema=data.schema)
    table.append(data)
    table.delete("b = 3")
    folder = Path(table.location().removeprefix("file://"))
    assert "StaticTable.from_metadata(FILE).scan().to_arrow()" in refused(folder, tmp_path / "out")
    assert "StaticTable.from_metadata(FILE)" in refused(folder / "data", tmp_path / "out")
    assert computed(static.from_metadata(table.metadata_location).scan().to_arrow(), tmp_path) == [8, 125]


def test_several_chunks_of_nanoarrow() -> None:
    nanoarrow = pytest.importorskip("nanoarrow")
    array = nanoarrow.Array(pa.chunked_array([[2], [3, None]]))
    assert pingala.powmod_column(array, 3, 101).to_pylist() == [8, 27, None]
