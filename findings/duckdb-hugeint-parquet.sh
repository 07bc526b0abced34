#!/usr/bin/env bash
# DuckDB 2.0.1 writes HUGEINT exactly to Arrow and as doubles to Parquet.
# Guess: Parquet gets DECIMAL(38, 0), as Arrow does.
# What happens: DOUBLE, without a word; `sum()` of a column of integers and literals from 2^63 on are HUGEINT, so results lose digits on their way to a file.
# For our users: docs/columns.md; cast to VARCHAR or DECIMAL(38, 0) before COPY.
. "$(dirname "$0")/lib.sh"
python duckdb==2.0.1 pyarrow==26.0.1 <<'PROGRAM'
import duckdb
import pyarrow.parquet as pq

print("duckdb", duckdb.__version__)
total = "SELECT sum(n) AS n FROM (VALUES (9007199254740993), (9007199254740992)) t(n)"
assert duckdb.sql(f"SELECT typeof(n) FROM ({total})").fetchall() == [("HUGEINT",)]
arrow = duckdb.sql(total).to_arrow_table()
duckdb.sql(f"COPY ({total}) TO 'n.parquet'")
duckdb.sql(f"COPY (SELECT n::DECIMAL(38, 0) AS n FROM ({total})) TO 'decimal.parquet'")
written, decimal = pq.read_table("n.parquet"), pq.read_table("decimal.parquet")
print("arrow", arrow["n"].type, "parquet", written["n"].type, written["n"][0])
assert int(arrow["n"][0].as_py()) == int(decimal["n"][0].as_py()) == 18014398509481985
assert str(written["n"].type) == "double"
assert written["n"][0].as_py() == 18014398509481984.0
PROGRAM
