"""Compares the programs that the catalogue issues with those of the model, for all exponents of up to some bits.

The example `programs` of crates/pingala-study writes the former; Traces.v states that the model has the same. Products
of powers have no model: Coq runs each program that is issued, and Products.products_multiply_out says what follows.
"""

import re
from collections.abc import Iterable

from proofs.rust_text import ROOT

PROGRAMS = ROOT / "target" / "release" / "examples" / "programs"
BITS = 10
# The widest windows: of all lemmas, of those in `make test`.
MAX_WINDOW_BITS = 4
SHORT_WINDOW_BITS = 3

TAGS = {"O": (1, 1), "C": (2, 2), "M": (3, 3), "S": (4, 3), "T": (5, 4)}

# How the model is called; `(w)` stands for the window. All algorithms that take any exponent must be here.
MODELS = {
    "binary_right_to_left": "binary_right_to_left",
    "binary_left_to_right": "binary_left_to_right",
    "k_ary": "k_ary (w)",
    "modified_k_ary": "modified_k_ary (w)",
    "sliding_window": "sliding_window (w)",
    "montgomery_ladder": "montgomery_ladder",
    "fixed_window": "fixed_window (w)",
}
UNIFORM = ("montgomery_ladder", "fixed_window")
# Methods of products, each of which must have been traced, and how many lists of exponents of each instance.
PRODUCTS = ("straus", "interleaved_windows", "bos_coster", "pippenger")
LISTS = 15**2 + 3**3 + 3**4


Program = list[int]


def encoded(result: int, instructions: Iterable[str]) -> Program:
    """As `encoded` of Encoding.v."""
    numbers = [result]
    for text in instructions:
        number, count = TAGS[text[0]]
        operands = [int(operand) for operand in text[1:].split(",")]
        if len(operands) != count or max(operands) >= 256:
            raise ValueError(f"an instruction with {count} operands: {text}")
        for operand in operands:
            number = number * 256 + operand
        numbers.append(number)
    return numbers


def read(lines: Iterable[str]) -> dict[tuple[str, bool], dict[int, Program]]:
    """Of each algorithm, without and with a declared length: the program for each exponent."""
    found: dict[tuple[str, bool], dict[int, Program]] = {}
    for line in lines:
        algorithm, declared, exponent, result, *instructions = line.replace(", ", ",").split()
        if declared == "product":
            continue
        e = int(exponent)
        # An algorithm's exponents come first with their own lengths, then, from 0 on, with a declared one.
        is_declared = e == 0 or (algorithm, True) in found
        kind = found.setdefault((algorithm, is_declared), {})
        if not is_declared and int(declared) != e.bit_length():
            raise ValueError(f"the length of {e}: {line}")
        kind[e] = encoded(int(result), instructions)
    return found


def products(lines: Iterable[str], complete: bool) -> dict[str, list[tuple[list[int], Program]]]:
    """Of each method of products: the exponents of each run, and its program."""
    found: dict[str, list[tuple[list[int], Program]]] = {}
    for line in lines:
        # The name of a method with two parameters has a space.
        algorithm, declared, exponents, result, *instructions = line.replace(", ", ",").split()
        if declared == "product":
            run = [int(exponent) for exponent in exponents.split(",")], encoded(int(result), instructions)
            found.setdefault(algorithm, []).append(run)
    names = {re.sub(r"\(.*", "", algorithm) for algorithm in found}
    if complete and (names != set(PRODUCTS) or any(len(runs) != LISTS for runs in found.values())):
        raise ValueError(f"products by {sorted(PRODUCTS)} of {LISTS} lists, found {sorted(names)}")
    return found


def model(algorithm: str) -> str:
    """The model of an algorithm as it prints."""
    parts = re.fullmatch(r"(\w+)(?:\(w=(\d+)\))?", algorithm)
    if not parts or parts[1] not in MODELS:
        raise ValueError(f"no model of {algorithm}")
    return f"({MODELS[parts[1]].replace('(w)', parts[2] or '')})"


def statements(
    found: dict[tuple[str, bool], dict[int, Program]], complete: bool
) -> dict[str, tuple[str, list[Program]]]:
    """The comparisons by name: the model's list as Coq computes it, and the programs' list."""
    comparisons = {}
    for (algorithm, declared), programs in found.items():
        first, count = min(programs), len(programs)
        if list(programs) != list(range(first, first + count)) or first + count != 1 << BITS:
            raise ValueError(f"all exponents of {algorithm}")
        if declared and not algorithm.startswith(UNIFORM):
            raise ValueError(f"{algorithm} is not uniform")
        call = f"all_declared {model(algorithm)} {BITS}" if declared else f"all_programs {model(algorithm)}"
        name = re.sub(r"\W+", "_", algorithm).strip("_") + ("_declared" if declared else "")
        comparisons[name] = (f"{call} {first} {count}%nat", list(programs.values()))
    names = {re.sub(r"\(.*", "", algorithm) for algorithm, _ in found}
    if complete and names != set(MODELS):
        raise ValueError(f"programs of {sorted(MODELS)}, found {sorted(names)}")
    return comparisons


def coq_text(lines: Iterable[str], complete: bool = True) -> str:
    """Traces.v, with all models unless it need not be complete."""
    text = [
        "(* Written by proofs/traces.py from what the Rust programs issue. *)",
        "From Coq Require Import ZArith List Uint63.",
        "From Pingala Require Import Recoding Programs Encoding Products.",
        "Import ListNotations.",
        "Open Scope uint63_scope.",
        "",
    ]
    lines = list(lines)
    for name, (call, programs) in statements(read(lines), complete).items():
        listed = "::\n".join(f"({'::'.join(map(str, numbers))}::nil)" for numbers in programs)
        text += [f"Definition programs_of_{name} : list (list int) := {listed}::nil."]
        text += [f"Theorem traces_of_{name} : ({call})%Z = programs_of_{name}.", "Proof. vm_compute. reflexivity. Qed."]
    for algorithm, runs in products(lines, complete).items():
        name = re.sub(r"\W+", "_", algorithm).strip("_")
        pairs = [("::".join(map(str, exponents)), "::".join(map(str, numbers))) for exponents, numbers in runs]
        listed = "::\n".join(f"(({exponents}::nil)%Z, {numbers}::nil)" for exponents, numbers in pairs)
        text += [f"Definition products_by_{name} : list (list Z * list int) := {listed}::nil."]
        text += [f"Theorem traces_of_products_by_{name} : forallb multiplies_out products_by_{name} = true."]
        text += ["Proof. vm_compute. reflexivity. Qed."]
    return "\n".join(text) + "\n"
