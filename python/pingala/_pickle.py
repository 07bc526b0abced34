"""Pickles: the parameters of each object, and a version.

A pickle contains no table, no plan and no kernel: the loading process plans for its own CPU. Every later release loads
every version.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from ._answers import Answers
from ._pingala import (
    DSAPublicKey,
    FixedBase,
    Modulus,
    Residues,
    RSAPublicKey,
    _column,
    _fixed_exponent,
    _primality,
    _verdict,
    load_public_key,
)

_T = TypeVar("_T")


def _check(version: int) -> None:
    if version != 1:
        raise ValueError(f"this pickle has version {version}, of a newer pingala than this one, which reads version 1")


def _loader(name: str, make: Callable[..., _T]) -> Callable[[int, tuple[Any, ...]], _T]:
    """The function of this name, which pickles refer to."""

    def load(version: int, parameters: tuple[Any, ...]) -> _T:
        _check(version)
        return make(*parameters)

    load.__name__ = load.__qualname__ = name
    return load


def fixed_base(version: int, parameters: tuple[Any, ...]) -> FixedBase:
    """Make the FixedBase of base, modulus, exponent_bits, memory, uses, lists, threads and, from 0.2 on, secret."""
    _check(version)
    base, value, exponent_bits, memory, uses, lists, threads, *secret = parameters
    modulus = Modulus(value, max_modulus_bits=value.bit_length())
    return FixedBase(base, modulus, exponent_bits, memory, uses=uses, lists=lists, threads=threads, secret=any(secret))


def residues(version: int, parameters: tuple[Modulus, list[int]]) -> Residues:
    """Make the Residues of a modulus and numbers."""
    _check(version)
    modulus, values = parameters
    return modulus.residues(values)


#: Makes a Modulus from value, factors and max_modulus_bits.
modulus = _loader("modulus", Modulus)
#: Makes Answers from a list of bool and their details.
answers = _loader("answers", Answers)
#: Makes a Primality from its four fields.
primality = _loader("primality", _primality)
#: Makes a FixedExponent from a chain, as FixedExponent.save writes it.
fixed_exponent = _loader("fixed_exponent", _fixed_exponent)
#: Makes a Column from shape, values, offsets, bits of rows with a result, and codes of errors.
column = _loader("column", _column)
#: Makes a verdict from reason, message and weaknesses.
verdict = _loader("verdict", _verdict)
#: Make public keys from p, q, g and y, and from n and e.
dsa_public_key = _loader("dsa_public_key", DSAPublicKey)
rsa_public_key = _loader("rsa_public_key", RSAPublicKey)
#: Makes a public key from the content that it was loaded from.
public_key = _loader("public_key", load_public_key)
