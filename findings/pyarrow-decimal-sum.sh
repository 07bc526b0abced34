#!/usr/bin/env bash
# pyarrow 26.0.1 sums decimals of 38 digits past their type, and past 2^127 with the wrong sign.
# Guess: an error, since multiply and cast check the precision; or a decimal256.
# What happens: twelve times 10^37 gives a decimal128(38) of 39 digits, twenty times a negative number.
# For our users: docs/columns.md; cast to decimal256 before a sum.
. "$(dirname "$0")/lib.sh"
python pyarrow==26.0.1 <<'PROGRAM'
import pyarrow as pa
import pyarrow.compute as pc

narrow = pa.decimal128(38, 0)
sums = [pc.sum(pa.array([10**37] * count, narrow)) for count in (12, 20)]
print("pyarrow", pa.__version__, sums[0].type, [int(total.as_py()) for total in sums])
assert [total.type for total in sums] == [narrow, narrow]
assert [int(total.as_py()) for total in sums] == [12 * 10**37, 20 * 10**37 - 2**128]
assert pc.sum(pa.array([10**37] * 20, narrow).cast(pa.decimal256(76, 0))).as_py() == 20 * 10**37
try:
    pa.array([10**38], narrow)
except pa.ArrowInvalid:
    pass
else:
    raise SystemExit("an array takes 39 digits now")
PROGRAM
