"""Powers of columns in SQL: ``pingala.duckdb.register(con)`` adds functions to a connection of DuckDB.

>>> import duckdb
>>> import pingala.duckdb
>>> con = duckdb.connect()
>>> pingala.duckdb.register(con)
>>> con.sql("SELECT powmod_ubigint(3, 200, 13)").fetchall()
[(9,)]
>>> con.sql("SELECT hex(powmod('\\x03'::BLOB, 200, '\\x00\\x0D'::BLOB))").fetchall()
[('0009',)]
"""

import contextlib
from typing import Any, Literal

import duckdb

from ._pingala import Column, _powmod_batch

__all__ = ["register"]


def register(
    con: duckdb.DuckDBPyConnection,
    *,
    errors: Literal["raise", "null"] = "raise",
    width: int | None = None,
    threads: int | None = None,
) -> None:
    """Add functions to a connection, in place of those of an earlier call.

    They need pyarrow, by which DuckDB hands over rows.

    ``powmod(base, exponent, modulus)``: BLOB, each row as wide as its own modulus, or width bytes.
    ``powmod_ubigint(base, exponent, modulus)``: UBIGINT, for integers and moduli of up to 64 bits.
    ``invmod(value, modulus)``: the inverse, BLOB.

    Arguments are integers of up to 128 bits, decimals without a fraction, BLOB (unsigned numbers, the most significant
    byte first), or VARCHAR (decimal or 0x). NULL gives NULL. errors: "raise" makes the query fail at a bad row, "null"
    makes such rows NULL.
    threads: the most threads for one batch of rows; all cores by default.
    """
    if errors not in ("raise", "null"):
        raise ValueError(f"errors must be 'raise' or 'null', not {errors!r}")

    def powmod(base: Any, exponent: Any, modulus: Any) -> Column:
        return _powmod_batch(base, exponent, modulus, width=width, errors=errors, threads=threads)

    def powmod_ubigint(base: Any, exponent: Any, modulus: Any) -> Column:
        return _powmod_batch(base, exponent, modulus, words=True, errors=errors, threads=threads)

    def invmod(value: Any, modulus: Any) -> Column:
        return _powmod_batch(value, -1, modulus, width=width, errors=errors, threads=threads)

    # Versions name the kinds of functions differently, and all take them as text.
    create: Any = con.create_function
    for function, kind in [(powmod, "BLOB"), (powmod_ubigint, "UBIGINT"), (invmod, "BLOB")]:
        with contextlib.suppress(duckdb.Error):
            con.remove_function(function.__name__)
        # Without types of parameters DuckDB hands over what it has: integers, BLOB and VARCHAR.
        create(function.__name__, function, None, kind, type="arrow", null_handling="special")
