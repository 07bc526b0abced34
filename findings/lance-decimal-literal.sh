#!/usr/bin/env bash
# Lance 14.0.2 finds no row for the decimal 10^37 if the number of a filter stands without quotes.
# Guess: `e = 10000000000000000000000000000000000000` compares exactly, since the column is decimal128(38).
# What happens: the literal is a double: alone it is an error, and in a CAST it matches nothing. Quoted in the CAST it
# finds the row. From 2^63 on even an integer literal is refused.
# For our users: docs/columns.md; write `cast('10...' as decimal(38,0))`.
. "$(dirname "$0")/lib.sh"
python pylance==14.0.2 pyarrow==26.0.1 <<'PROGRAM'
import lance
import pyarrow as pa

n = 10**37
data = lance.write_dataset(pa.table({"e": pa.array([n, 1], pa.decimal128(38, 0))}), "numbers.lance")

def rows(condition: str) -> int:
    return data.to_table(filter=condition).num_rows

print("lance", lance.__version__)
for literal in (n, 2**63):
    try:
        rows(f"e = {literal}")
    except ValueError as error:
        print(str(error)[:160])
    else:
        raise SystemExit("the literal is taken now")
bare, quoted = rows(f"e = cast({n} as decimal(38,0))"), rows(f"e = cast('{n}' as decimal(38,0))")
print("rows:", bare, "without quotes,", quoted, "with")
assert (bare, quoted) == (0, 1)
PROGRAM
