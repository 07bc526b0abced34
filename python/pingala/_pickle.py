"""Pickles of `Modulus` and `FixedBase`: the parameters of each object, and a version.

A pickle contains no table, no plan and no kernel: the loading process plans for its own CPU. Every later release loads
every version.
"""

from collections.abc import Mapping
from typing import Any

from ._pingala import FixedBase, Modulus


def _check(version: int) -> None:
    if version != 1:
        raise ValueError(f"this pickle has version {version}, of a newer pingala than this one, which reads version 1")


def modulus(version: int, parameters: tuple[int, Mapping[int, int] | None, int | None]) -> Modulus:
    """Make the Modulus of value, factors and max_modulus_bits."""
    _check(version)
    return Modulus(*parameters)


def fixed_base(version: int, parameters: tuple[Any, ...]) -> FixedBase:
    """Make the FixedBase of base, modulus, exponent_bits, memory, uses, lists, threads and, from 0.2 on, secret."""
    _check(version)
    base, value, exponent_bits, memory, uses, lists, threads, *secret = parameters
    modulus = Modulus(value, max_modulus_bits=value.bit_length())
    return FixedBase(base, modulus, exponent_bits, memory, uses=uses, lists=lists, threads=threads, secret=any(secret))
