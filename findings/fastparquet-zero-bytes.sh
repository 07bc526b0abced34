#!/usr/bin/env bash
# fastparquet 2026.9.0 drops zero bytes at the end of fixed-size binary values.
# Guess: 16 bytes come back as 16 bytes.
# What happens: 2^100, the most significant byte first, comes back as 4 bytes, and 0 as none; of big-endian numbers every 256th is wrong.
# For our users: docs/columns.md; read results with pyarrow, polars or DuckDB, or pad: `value.ljust(width, b"\0")`.
. "$(dirname "$0")/lib.sh"
python fastparquet==2026.9.0 pyarrow==26.0.1 <<'PROGRAM'
import fastparquet
import pyarrow as pa
import pyarrow.parquet as pq

numbers = [2**100, 0, 3]
values = [n.to_bytes(16, "big") for n in numbers]
pq.write_table(pa.table({"n": pa.array(values, pa.binary(16))}), "n.parquet")
read = list(fastparquet.ParquetFile("n.parquet").to_pandas()["n"])
print("fastparquet", fastparquet.__version__, read)
assert read == [value.rstrip(b"\0") for value in values]
assert [int.from_bytes(value.ljust(16, b"\0"), "big") for value in read] == numbers
PROGRAM
