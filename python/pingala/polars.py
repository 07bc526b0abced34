"""Powers of columns as polars expressions: importing this module registers the namespace ``pingala``.

>>> import polars as pl
>>> import pingala.polars
>>> frame = pl.DataFrame({"base": [2, 3], "modulus": [1000, 1001]})
>>> frame.select(pl.col("base").pingala.powmod(10, "modulus", return_dtype=pl.UInt64))["base"].to_list()
[24, 991]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import polars as pl

from ._errors import ArgumentError
from ._pingala import Column, FixedBase, Modulus, _powmod_batch

__all__ = ["PingalaExpr"]

if TYPE_CHECKING:
    #: An expression, the name of a column, or one number for all rows.
    _Argument: TypeAlias = pl.Expr | str | int | Modulus
    _RowErrors: TypeAlias = Literal["raise", "null", "column"]
    _ByteOrder: TypeAlias = Literal["big", "little", "signed-big", "signed-little"]


@pl.api.register_expr_namespace("pingala")
class PingalaExpr:
    """Powers of the numbers of an expression: integers, decimals without a fraction, Binary, or String (decimal or 0x).

    Binary is unsigned, or with ``byteorder="signed-big"`` and ``"signed-little"`` two's complement.

    All methods are elementwise, so that they run in streaming queries. Columns have equally many rows; only one row,
    such as a literal, is repeated. Results are Binary, each row as wide as its own modulus, or ``width`` bytes; with
    ``return_dtype=pl.UInt64`` they are integers, for columns of integers. Null gives null. ``errors``: "raise" raises
    the error of the first bad row of a batch, "null" makes bad rows null, "column" gives a Struct of ``result`` and
    ``error``. ``threads``: the most threads for one batch; all cores by default.
    """

    def __init__(self, expr: pl.Expr) -> None:
        """Made by polars."""
        self._expr = expr

    def powmod(
        self,
        exponent: _Argument,
        modulus: _Argument,
        *,
        width: int | None = None,
        return_dtype: Any = pl.Binary,
        errors: _RowErrors = "raise",
        byteorder: _ByteOrder = "big",
        threads: int | None = None,
    ) -> pl.Expr:
        """Each number to the power of exponent, mod modulus."""
        settings = {"width": width, "errors": errors, "byteorder": byteorder, "threads": threads}
        settings["words"] = _words(return_dtype)
        return _powers((self._expr, exponent, modulus), return_dtype, settings)

    def invert(
        self,
        modulus: _Argument,
        *,
        width: int | None = None,
        return_dtype: Any = pl.Binary,
        errors: _RowErrors = "raise",
        byteorder: _ByteOrder = "big",
        threads: int | None = None,
    ) -> pl.Expr:
        """The inverse of each number mod modulus."""
        settings = {"width": width, "errors": errors, "byteorder": byteorder, "threads": threads}
        settings["words"] = _words(return_dtype)
        return _powers((self._expr, -1, modulus), return_dtype, settings)

    def exponent_of(
        self,
        table: FixedBase,
        *,
        width: int | None = None,
        errors: _RowErrors = "raise",
        byteorder: _ByteOrder = "big",
        threads: int | None = None,
    ) -> pl.Expr:
        """The base of table to the power of each number. Results are Binary, as wide as the modulus or width."""
        width = width or (table.modulus.bit_length() + 7) // 8

        def batch(series: Sequence[pl.Series]) -> pl.Series:
            column = table.pow_column(series[0], width=width, errors=errors, byteorder=byteorder, threads=threads)
            return _series(column, series[0].name)

        return pl.map_batches([self._expr], batch, return_dtype=_dtype(pl.Binary, errors), is_elementwise=True)


def _words(return_dtype: Any) -> bool:
    if return_dtype not in (pl.Binary, pl.UInt64):
        raise TypeError(f"return_dtype must be pl.Binary or pl.UInt64, not {return_dtype!r}")
    return bool(return_dtype == pl.UInt64)


def _dtype(result: Any, errors: str) -> Any:
    return pl.Struct({"result": result, "error": pl.String}) if errors == "column" else result


def _series(column: Column, name: str) -> pl.Series:
    # `pl.Series(name, column)` loses the name.
    return pl.Series(column).alias(name)


def _common_length(lengths: list[int]) -> int:
    """How many rows columns of these lengths have together: only one row, such as a literal, is repeated."""
    others = [length for length in lengths if length != 1]
    for other in others:
        if other != others[0]:
            raise ArgumentError(f"bad argument: columns of {others[0]} and of {other} rows: only one row is repeated")
    return others[0] if others else 1


def _powers(arguments: tuple[_Argument, ...], return_dtype: Any, settings: dict[str, Any]) -> pl.Expr:
    """The expression of powers, whose arguments are expressions or one number for all rows."""
    expressions = [pl.col(argument) if isinstance(argument, str) else argument for argument in arguments]
    columns = [argument for argument in expressions if isinstance(argument, pl.Expr)]

    def batch(series: Sequence[pl.Series]) -> pl.Series:
        length = _common_length([len(column) for column in series])
        rest = iter([column if len(column) == length else column.new_from_index(0, length) for column in series])
        numbers: list[Any] = [next(rest) if isinstance(argument, pl.Expr) else argument for argument in expressions]
        return _series(_powmod_batch(*numbers, **settings), series[0].name)

    dtype = _dtype(return_dtype, settings["errors"])
    return pl.map_batches(columns, batch, return_dtype=dtype, is_elementwise=True)
