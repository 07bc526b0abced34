#!/usr/bin/env bash
# ClickHouse 26.9 (chdb 4.4.0): `OrNull` sees that a text is too long for UInt64, but not for UInt256.
# Guess: toUInt256OrNull of 2^256 is NULL, as toUInt64OrNull of 2^64 is.
# What happens: it is 0, the number modulo 2^256, as from the functions without OrNull. A minus sign is an error there.
# For our users: docs/columns.md; numbers of more than 256 bits must stay text.
. "$(dirname "$0")/lib.sh"
python chdb==4.4.0 <<'PROGRAM'
import chdb

def ask(sql: str) -> str:
    return str(chdb.query(sql, "TSV")).strip()

print("ClickHouse", ask("SELECT version()"))
found = ask(f"SELECT toUInt64OrNull('{2**64}'), toUInt256OrNull('{2**256}'), toUInt256OrNull('{2**256 + 5}'), toUInt64('{2**64}')")
print(found)
assert found.split("\t") == ["\\N", "0", "5", "0"]
try:
    ask("SELECT toUInt256('-1')")
except RuntimeError as error:
    print(str(error)[:90])
else:
    raise SystemExit("the sign is taken now")
PROGRAM
