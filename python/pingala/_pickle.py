"""Pickles: the parameters of each object, and a version.

A pickle contains no table, no plan and no kernel: the loading process plans for its own CPU. Every later release loads
every version.
"""

from collections.abc import Mapping
from typing import Any

from ._pingala import (
    Column,
    DSAPublicKey,
    FixedBase,
    FixedExponent,
    Modulus,
    RSAPublicKey,
    Verdict,
    _column,
    _fixed_exponent,
    _verdict,
    load_public_key,
)


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


def fixed_exponent(version: int, parameters: tuple[str]) -> FixedExponent:
    """Make the FixedExponent of a chain, as FixedExponent.save writes it."""
    _check(version)
    return _fixed_exponent(*parameters)


def column(version: int, parameters: tuple[Any, ...]) -> Column:
    """Make the Column of its shape, values, offsets, bits of rows with a result, and codes of errors."""
    _check(version)
    return _column(*parameters)


def verdict(version: int, parameters: tuple[str | None, str, tuple[str, ...]]) -> Verdict:
    """Make the Verdict of reason, message and weaknesses."""
    _check(version)
    reason, message, weaknesses = parameters
    return _verdict(reason, message, list(weaknesses))


def dsa_public_key(version: int, parameters: tuple[int, int, int, int]) -> DSAPublicKey:
    """Make the DSAPublicKey of p, q, g and y."""
    _check(version)
    return DSAPublicKey(*parameters)


def rsa_public_key(version: int, parameters: tuple[int, int]) -> RSAPublicKey:
    """Make the RSAPublicKey of n and e."""
    _check(version)
    return RSAPublicKey(*parameters)


def public_key(version: int, parameters: tuple[bytes]) -> DSAPublicKey | RSAPublicKey:
    """Load the key again from the content that it was loaded from."""
    _check(version)
    return load_public_key(*parameters)
