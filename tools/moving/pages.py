"""The answers as tables, and the pages that hold them."""

import json
from pathlib import Path
from typing import TypedDict

TOP = Path(__file__).resolve().parents[2]
FROM = TOP / "docs/from"
KEPT = Path(__file__).parent / "answers.json"
OURS = "Pingala in Python"

# A question and its numbers.
POWERS = {
    "power of a negative modulus": "3^2 mod -7",
    "power of a negative exponent": "3^-1 mod 7",
    "power of a negative exponent without an inverse": "2^-1 mod 4",
    "power of modulus 1": "3^0 mod 1",
    "power of modulus 0": "3^2 mod 0",
    "power of 0 and 0": "0^0 mod 7",
    "power of a negative base": "(-3)^3 mod 7",
    "power of a negative base and exponent": "(-3)^-1 mod 7",
    "power of an even modulus": "3^5 mod 10",
}
OTHERS = {
    "inverse that is missing": "inverse of 2 mod 4",
    "inverse of modulus 1": "inverse of 3 mod 1",
    "symbol of a negative number": "symbol (2/-7)",
    "symbol of an even number": "symbol (3/8)",
    "prime of a negative number": "is -7 prime",
}
QUESTIONS = POWERS | OTHERS

# The libraries of a page, and what its binding answers otherwise than Python's.
UNSIGNED = {"power of a negative modulus": "a modulus has no sign"}
PAGES: dict[str, tuple[list[str], str, dict[str, str]]] = {
    "pow.md": (["Python's pow"], "Pingala", {}),
    "gmpy2.md": (["gmpy2"], "Pingala", {}),
    "openssl.md": (["OpenSSL BN"], "Pingala in C", UNSIGNED),
    "gmp.md": (["GMP"], "Pingala in C", UNSIGNED),
    "math-big.md": (
        ["math/big"],
        "`pingala.Exp` and others",
        {
            "power of a negative modulus": "2",
            "power of a negative exponent without an inverse": "nil",
            "power of modulus 0": "9",
        },
    ),
    "num-bigint.md": (["num-bigint", "dashu-int", "malachite"], "Pingala in Rust", UNSIGNED),
    "biginteger.md": (
        ["BigInteger"],
        "Pingala in Java",
        {
            "power of a negative modulus": "error ArithmeticException",
            "power of a negative exponent without an inverse": "error ArithmeticException",
            "power of modulus 0": "error ArithmeticException",
            "inverse that is missing": "error ArithmeticException",
        },
    ),
}
BEGIN, END = "<!-- tools/moving writes this -->\n", "<!-- until here -->\n"


class Kept(TypedDict):
    """The answers of a day: library, question (or `version`), answer."""

    date: str
    answers: dict[str, dict[str, str]]


def kept() -> Kept:
    found: Kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"date": "", "answers": {}}
    return found


def cell(answer: str | None) -> str:
    return "" if answer is None else answer.replace("True", "true").replace("False", "false")


def table(rows: list[list[str]]) -> str:
    head, *body = rows
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] * len(head), *body])


def by_library(found: Kept, questions: dict[str, str]) -> str:
    rows = [["library", *questions.values()]]
    for name, answers in found["answers"].items():
        if any(question in answers for question in questions):
            rows.append([f"{name} {answers['version']}", *(cell(answers.get(question)) for question in questions)])
    return table(rows)


def tables(found: Kept) -> str:
    return f"Asked on {found['date']}.\n\n{by_library(found, POWERS)}\n{by_library(found, OTHERS)}"


def of_page(name: str, found: Kept) -> str:
    libraries, ours, otherwise = PAGES[name]
    asked = {library: found["answers"][library] for library in libraries}
    here = found["answers"][OURS] | otherwise
    rows = [["", *(f"{library} {answers['version']}" for library, answers in asked.items()), ours]]
    for question, numbers in QUESTIONS.items():
        answers = [cell(of.get(question)) for of in asked.values()]
        if any(answers):
            rows.append([f"`{numbers}`", *answers, cell(here.get(question))])
    return f"Asked on {found['date']} by `tools/moving`; an empty cell was not asked.\n\n{table(rows)}"


def with_block(page: Path, block: str) -> str:
    text = page.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}{block}{END}{after}"


def written(found: Kept) -> dict[Path, str]:
    """The pages as they should be."""
    pages = {FROM / name: with_block(FROM / name, of_page(name, found)) for name in PAGES}
    pages[FROM / "moving.md"] = with_block(FROM / "moving.md", tables(found))
    return pages


def write(found: Kept) -> None:
    for page, text in written(found).items():
        page.write_text(text, encoding="utf-8")
