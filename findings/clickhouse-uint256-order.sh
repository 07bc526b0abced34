#!/usr/bin/env bash
# ClickHouse 26.9 (chdb 4.4.0) writes three kinds of 16 or 32 bytes to one Parquet file in two byte orders, two of them without a type.
# Guess: UInt256 gets Parquet's DECIMAL, or at least its order, the most significant byte first.
# What happens: UInt256 is fixed-size binary without a type, least byte first; IPv6 has the same form and the other order;
# Decimal(76, 0) is most significant byte first with its type. Reading the file again, ClickHouse sees FixedString.
# For our users: docs/columns.md.
. "$(dirname "$0")/lib.sh"
python chdb==4.4.0 pyarrow==26.0.1 <<'PROGRAM'
import chdb
import pyarrow.parquet as pq

chdb.query("SELECT toUInt256(3) n, toIPv6('::3') a, toDecimal256(3, 0) d INTO OUTFILE 'n.parquet' FORMAT Parquet")
file = pq.ParquetFile("n.parquet")
print(file.metadata.created_by)
columns = [file.schema.column(k) for k in range(3)]
print([(c.name, c.physical_type, c.length, str(c.logical_type)) for c in columns])
row = file.read().to_pylist()[0]
print(row)
assert [str(c.logical_type) for c in columns[:2]] == ["None", "None"]
assert row["n"] == (3).to_bytes(32, "little")
assert row["a"] == (3).to_bytes(16, "big")
assert row["d"] == 3
described = str(chdb.query("DESCRIBE file('n.parquet')"))
assert '"n","FixedString(32)"' in described, described
PROGRAM
