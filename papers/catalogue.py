"""The papers in order. A module that is missing is shown as not measured."""

import importlib
import importlib.util

from .paper import Paper

TITLES = {
    "000": "Adaptive Modular Exponentiation Methods v.s. Python's Power Function",
    "001": "multiexp: several powers of one base in Go",
    "002": "Modular exponentiation in Tcl for DSA signature verification using mpexpr",
    "003": "Energy-Efficient Software Implementation of Long Integer Modular Arithmetic",
    "004": "Fast Exponentiation: In Practice",
}


def papers() -> dict[str, Paper]:
    """Those that there are, by number."""
    found = {}
    for number in TITLES:
        name = f"{__package__}.paper_{number}"
        if importlib.util.find_spec(name) is not None:
            paper = importlib.import_module(name).PAPER
            assert isinstance(paper, Paper)
            assert paper.number == number
            found[number] = paper
    return found
