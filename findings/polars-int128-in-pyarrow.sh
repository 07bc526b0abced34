#!/usr/bin/env bash
# One Int128 column of polars 2.1.0 makes a whole Parquet file unreadable for pyarrow 26.0.1.
# Guess: pyarrow reads the other columns, or this one as the fixed-size binary that it is in the file.
# What happens: opening the file fails, because the Arrow schema in the footer names an integer of 128 bits. DuckDB 2.0.1
# opens it and sees 16 bytes without a type, the least significant first.
# For our users: docs/columns.md.
. "$(dirname "$0")/lib.sh"
python polars==2.1.0 pyarrow==26.0.1 duckdb==2.0.1 <<'PROGRAM'
import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

print("polars", pl.__version__, "pyarrow", pa.__version__, "duckdb", duckdb.__version__)
pl.DataFrame({"name": ["a"], "n": pl.Series([258], dtype=pl.Int128)}).write_parquet("n.parquet")
try:
    pq.ParquetFile("n.parquet").read(columns=["name"])
except pa.ArrowNotImplementedError as error:
    print("pyarrow:", error)
else:
    raise SystemExit("pyarrow opens it now")
found = duckdb.sql("SELECT name, typeof(n), n FROM 'n.parquet'").fetchall()
print("duckdb:", found)
assert found == [("a", "BLOB", (258).to_bytes(16, "little"))]
PROGRAM
