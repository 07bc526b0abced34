#!/usr/bin/env bash
# pyarrow 26.0.1 reads hexadecimal text as the bits of a signed integer, so that 0xFF is -1 as an int8.
# Guess: 0xFF is 255 everywhere, and an error as an int8, as the decimal text 255 is.
# What happens: -1; "0xFFFFFFFFFFFFFFFF" is -1 as an int64. As uint8 and int16 it is 255.
# For our users: docs/columns.md; give Pingala the column of text; it reads 0x with any number of digits.
. "$(dirname "$0")/lib.sh"
python pyarrow==26.0.1 <<'PROGRAM'
import pyarrow as pa

def read(text: str, kind: pa.DataType) -> int:
    return pa.array([text]).cast(kind)[0].as_py()

print("pyarrow", pa.__version__, read("0xFF", pa.int8()), read("0xFF", pa.int16()), read("0x" + "F" * 16, pa.int64()))
assert read("0xFF", pa.int8()) == -1
assert read("0xFF", pa.int16()) == read("0xFF", pa.uint8()) == 255
assert read("0x" + "F" * 16, pa.int64()) == -1
try:
    read("255", pa.int8())
except pa.ArrowInvalid as error:
    print(error)
else:
    raise SystemExit("decimal text wraps now")
PROGRAM
