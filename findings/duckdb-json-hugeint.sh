#!/usr/bin/env bash
# DuckDB 2.0.1 reads the same long integer exactly from CSV and as a double from JSON.
# Guess: both readers try HUGEINT, which holds 2^70 + 1.
# What happens: read_csv gives HUGEINT, read_json DOUBLE; the last digits are lost without a word.
# For our users: docs/columns.md; `read_json(..., columns = {n: 'HUGEINT'})` is exact.
. "$(dirname "$0")/lib.sh"
python duckdb==2.0.1 <<'PROGRAM'
import duckdb

n = 2**70 + 1
open("n.csv", "w").write(f"n\n{n}\n")
open("n.json", "w").write(f'{{"n": {n}}}\n')
print("duckdb", duckdb.__version__)
csv = duckdb.sql("SELECT typeof(n), n FROM 'n.csv'").fetchall()
json = duckdb.sql("SELECT typeof(n), n FROM 'n.json'").fetchall()
named = duckdb.sql("SELECT n FROM read_json('n.json', columns = {n: 'HUGEINT'})").fetchall()
print("csv", csv, "json", json, "json with a type", named)
assert csv == [("HUGEINT", n)]
assert json == [("DOUBLE", float(n))]
assert int(json[0][1]) != n
assert named == [(n,)]
PROGRAM
