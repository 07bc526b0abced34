#!/usr/bin/env bash
# polars 2.1.0 gives 2^64 the type Int128 by itself, and such a Series then cannot be added to a Python int or negated.
# Guess: a type that the library chooses has the arithmetic of the other integers.
# What happens: `series + 1` is a TypeError and `-series` is not supported, but `series // 2`, `series ** 2`,
# `series + series` and the expression `pl.col("n") + 1` work.
# For our users: docs/columns.md.
. "$(dirname "$0")/lib.sh"
python polars==2.1.0 <<'PROGRAM'
import polars as pl

series = pl.Series("n", [2**64])
print("polars", pl.__version__, series.dtype)
assert series.dtype == pl.Int128
for name, call in {"+": lambda: series + 1, "-": lambda: 1 - series, "%": lambda: series % 3, "negated": lambda: -series}.items():
    try:
        call()
    except (TypeError, pl.exceptions.InvalidOperationError) as error:
        print(name, type(error).__name__, str(error).splitlines()[0])
    else:
        raise SystemExit(f"{name} works now")
assert (series // 2).to_list() == [2**63]
assert (series + series).to_list() == [2**65]
assert series.to_frame().select(pl.col("n") + 1)["n"].to_list() == [2**64 + 1]
PROGRAM
