"""The papers in order."""

import importlib
from typing import cast

from .paper import Paper

TITLES = {
    "000": "Adaptive Modular Exponentiation Methods v.s. Python's Power Function",
    "001": "multiexp: several powers of one base in Go",
    "002": "Modular exponentiation in Tcl for DSA signature verification using mpexpr",
    "003": "Energy-Efficient Software Implementation of Long Integer Modular Arithmetic",
    "004": "Fast Exponentiation: In Practice",
}


def papers() -> dict[str, Paper]:
    """By number: the modules."""
    return {number: cast(Paper, importlib.import_module(f"{__package__}.paper_{number}")) for number in TITLES}
