"""Answers of Python's pow and of packages of PyPI: `python.py NAME`. Writes the version and an answer a line."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

# FLINT ends the process if there is no inverse, or a modulus of 0: these are not asked.
LEFT_OUT = {
    "python-flint": (
        "power of a negative exponent without an inverse",
        "power of modulus 0",
        "inverse that is missing",
        "symbol of a negative number",
        "symbol of an even number",
    )
}


class Library:
    """Python's pow; the subclasses are packages. A call that is None does not exist."""

    version = sys.version.split()[0]
    symbol: Any = None
    is_prime: Any = None

    def power(self, b: int, e: int, m: int) -> Any:
        return pow(b, e, m)

    def inverse(self, a: int, m: int) -> Any:
        return self.power(a, -1, m)


class Gmpy2(Library):
    def __init__(self) -> None:
        gmpy2 = import_module("gmpy2")
        self.version, self.power, self.inverse = gmpy2.version(), gmpy2.powmod, gmpy2.invert  # type: ignore[method-assign]
        self.symbol, self.is_prime = gmpy2.jacobi, gmpy2.is_prime


class Sympy(Library):
    def __init__(self) -> None:
        self.sympy = import_module("sympy")
        self.version, self.inverse = self.sympy.__version__, self.sympy.mod_inverse  # type: ignore[method-assign]
        self.symbol, self.is_prime = self.sympy.jacobi_symbol, self.sympy.isprime

    def power(self, b: int, e: int, m: int) -> Any:
        return pow(self.sympy.Integer(b), e, m)


class Flint(Library):
    def __init__(self) -> None:
        flint = import_module("flint")
        self.version, self.fmpz = flint.__version__, flint.fmpz

    def power(self, b: int, e: int, m: int) -> Any:
        return pow(self.fmpz(b), self.fmpz(e), self.fmpz(m))

    def symbol(self, a: int, n: int) -> Any:
        return self.fmpz(a).jacobi(n)

    def is_prime(self, n: int) -> Any:
        return self.fmpz(n).is_prime()


class Pari(Library):
    def __init__(self) -> None:
        self.pari = import_module("cypari2").Pari()
        self.version = ".".join(str(part) for part in self.pari.version())

    def power(self, b: int, e: int, m: int) -> Any:
        return self.pari(f"lift(Mod({b},{m})^({e}))")

    def symbol(self, a: int, n: int) -> Any:
        return self.pari(f"kronecker({a},{n})")

    def is_prime(self, n: int) -> Any:
        return self.pari(f"isprime({n})")


class Pingala(Library):
    def __init__(self) -> None:
        pingala = import_module("pingala")
        self.version, self.power, self.inverse = pingala.__version__, pingala.powmod, pingala.invert  # type: ignore[method-assign]
        self.symbol, self.is_prime = pingala.jacobi, pingala.is_prime


LIBRARIES: dict[str, type[Library]] = {
    "pow": Library,
    "gmpy2": Gmpy2,
    "sympy": Sympy,
    "python-flint": Flint,
    "PARI": Pari,
    "pingala": Pingala,
}


def show(key: str, ask: Callable[..., Any], *numbers: int) -> None:
    if key in LEFT_OUT.get(sys.argv[1], ()):
        return
    try:
        answer = ask(*numbers)
    except (ArithmeticError, ValueError, RuntimeError) as error:
        answer = f"error {getattr(error, 'code', type(error).__name__)}"
    print(key, answer, sep="\t")


def main() -> None:
    library = LIBRARIES[sys.argv[1]]()
    print("version", library.version, sep="\t")
    show("power of a negative modulus", library.power, 3, 2, -7)
    show("power of a negative exponent", library.power, 3, -1, 7)
    show("power of a negative exponent without an inverse", library.power, 2, -1, 4)
    show("power of modulus 1", library.power, 3, 0, 1)
    show("power of modulus 0", library.power, 3, 2, 0)
    show("power of 0 and 0", library.power, 0, 0, 7)
    show("power of a negative base", library.power, -3, 3, 7)
    show("power of a negative base and exponent", library.power, -3, -1, 7)
    show("power of an even modulus", library.power, 3, 5, 10)
    show("inverse that is missing", library.inverse, 2, 4)
    show("inverse of modulus 1", library.inverse, 3, 1)
    if library.symbol:
        show("symbol of a negative number", library.symbol, 2, -7)
        show("symbol of an even number", library.symbol, 3, 8)
    if library.is_prime:
        show("prime of a negative number", lambda n: bool(library.is_prime(n)), -7)


main()
