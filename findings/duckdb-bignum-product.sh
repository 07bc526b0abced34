#!/usr/bin/env bash
# DuckDB 2.0.1 adds numbers of its type BIGNUM exactly and multiplies them as doubles.
# Guess: a type for numbers of any length has exact products, as it has exact sums.
# What happens: +, - and sum() give BIGNUM; *, % and abs() give DOUBLE, so that 9007199254740993 times 1 is another number.
# For our users: docs/columns.md.
. "$(dirname "$0")/lib.sh"
python duckdb==2.0.1 <<'PROGRAM'
import duckdb

print("duckdb", duckdb.__version__)
types = duckdb.sql("SELECT typeof(n + n), typeof(n - n), typeof(n * n), typeof(n % n), typeof(abs(n)) FROM (SELECT 3::BIGNUM n)")
product = duckdb.sql("SELECT 9007199254740993::BIGNUM * 1::BIGNUM, 9007199254740993::BIGNUM + 0::BIGNUM").fetchall()
print(found := types.fetchall(), product)
assert found == [("BIGNUM", "BIGNUM", "DOUBLE", "DOUBLE", "DOUBLE")]
assert product == [(9007199254740992.0, "9007199254740993")]
PROGRAM
