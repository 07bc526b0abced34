#!/usr/bin/env bash
# The CSV reader of polars 2.1.0 infers Int128 for a number that Int128 cannot hold, and then fails.
# Guess: 2^127 becomes UInt128, as `pl.Series([2**127])` does, and a longer number text.
# What happens: an error "could not parse ... as dtype i128"; with a type of the user's the file is read.
# For our users: docs/columns.md; `schema_overrides={"n": pl.String}`; Pingala reads decimal text of any length.
. "$(dirname "$0")/lib.sh"
python polars==2.1.0 <<'PROGRAM'
import io

import polars as pl

print("polars", pl.__version__, pl.Series([2**127]).dtype)
assert pl.Series([2**127]).dtype == pl.UInt128
assert pl.read_csv(io.BytesIO(b"n\n%d\n" % 2**126)).dtypes == [pl.Int128]
for n in (2**127, 2**128):
    try:
        pl.read_csv(io.BytesIO(b"n\n%d\n" % n))
    except pl.exceptions.ComputeError as error:
        print(str(error).splitlines()[0])
        assert "as dtype `i128`" in str(error)
    else:
        raise SystemExit("it is read now")
text = pl.read_csv(io.BytesIO(b"n\n%d\n" % 2**128), schema_overrides={"n": pl.String})
assert text["n"].to_list() == [str(2**128)]
PROGRAM
