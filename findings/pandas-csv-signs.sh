#!/usr/bin/env bash
# pandas 3.1.1 reads 2^64 and -1 from CSV as integers, and the smaller 2^63 and -1 as text.
# Guess: both columns have one type, integers of Python or text.
# What happens: above 64 bits `read_csv` makes Python integers; a column that fits neither int64 nor uint64 although each number fits
# one of them becomes text. An empty field beside 2^64 - 1 makes text, too.
# For our users: docs/columns.md; `dtype=object` with a converter, or text throughout, which Pingala reads.
. "$(dirname "$0")/lib.sh"
python pandas==3.1.1 <<'PROGRAM'
import io

import pandas as pd

def read(*numbers: object) -> list[object]:
    return pd.read_csv(io.StringIO("n\n" + "".join(f"{n}\n" for n in numbers)), skip_blank_lines=False)["n"].tolist()

print("pandas", pd.__version__, read(2**64, -1), read(2**63, -1), read(2**64 - 1, ""))
assert read(2**64, -1) == [2**64, -1]
assert read(2**63, -1) == [str(2**63), "-1"]
assert read(2**64 - 1, "") == [str(2**64 - 1), ""]
assert read(2**64 - 1, 1) == [2**64 - 1, 1]
PROGRAM
