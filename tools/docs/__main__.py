"""The documentation site, into target/docs/html: `make docs`.

Pages come from docs/ and the top of the repository, references from the stub, the docstrings and the command's help,
the figures from the records of the benchmark. A warning of Sphinx, a link to a file that is not there and a parameter
that no docstring mentions are errors.
"""

import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pingala

from . import command_reference, demo, figures, pages
from .python_reference import Reference, UndocumentedError

TOP = Path(__file__).resolve().parents[2]
SITE = TOP / "docs/site"
TARGET = TOP / "target/docs"

_INVENTORY = (
    "# Sphinx inventory version 2\n# Project: Python\n# Version: 3\n"
    "# The remainder of this file is compressed using zlib.\n"
)

# The names of the package by what a reader looks for; what is missing here is an error.
SECTIONS = [
    ("One power", ["powmod", "powmod_sec", "invert", "Modulus"]),
    ("Lists", [
        "powmod_list", "powmod_base_list", "powmod_exp_list", "powmod_product", "powmod_product_list", "Residues"]),
    ("Columns", ["powmod_column", "invert_column", "mulmod_column", "verify_column", "Column"]),
    ("Fixed bases, fixed exponents, repeated squaring", [
        "FixedBase", "FixedExponent", "repeated_square", "verify_squaring", "Progress"]),
    ("Primes", [
        "is_prime", "is_prime_list", "is_prime_column", "Primality", "next_prime", "previous_prime", "primes_between",
        "random_prime", "estimate_random_prime", "prime_pair", "certify", "check_certificate", "jacobi", "jacobi_list",
        "jacobi_column", "sqrt_mod", "sqrt_mod_list"]),
    ("Accumulators", [
        "accumulate", "witnesses", "update_witnesses", "verify_witnesses", "failing_witnesses"]),
    ("Files", ["Job", "JobError", "JobBusyError"]),
    ("Secrets", ["SecretInt", "RSAPrivateKey", "load_private_key"]),
    ("Signatures", ["DSAPublicKey", "RSAPublicKey", "load_public_key", "verify_list", "Verdict"]),
    ("Plans and explanations", [
        "plan", "plan_list", "plan_product_list", "explain", "explain_base_list", "explain_exp_list", "explain_product",
        "explain_product_list", "explain_fixed_base", "explain_repeated_square", "explain_verify_list", "Explanation",
        "ExplainedPart", "Candidate", "Alternative"]),
    ("Errors", [
        "PingalaError", "ArgumentError", "ElementTypeError", "FaultError", "FileError", "NegativeModulusError",
        "NotInvertibleError", "PlanError", "SecretError", "TooLongError", "WrongFactorsError", "ZeroModulusError"]),
]  # fmt: skip


def inventory(listed: Path, target: Path) -> None:
    """Python's names that signatures mention, in Sphinx's format 2."""
    lines = listed.read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    body = "".join(f"{name} py:{role} 1 {page}#{name} -\n" for name, role, page in rows)
    target.write_bytes(_INVENTORY.encode() + zlib.compress(body.encode()))


def main() -> int:
    source, html = TARGET / "source", TARGET / "html"
    shutil.rmtree(TARGET, ignore_errors=True)
    source.mkdir(parents=True)
    pages.collect(TOP, source)
    figures.draw(TOP, source / "figures")
    (source / "reference").mkdir(exist_ok=True)
    try:
        reference = Reference(TOP / "python/pingala/_pingala.pyi", pingala).page(SECTIONS)
    except UndocumentedError as error:
        print(f"not documented: {error}", file=sys.stderr)
        return 1
    (source / "reference/python.md").write_text(reference, encoding="utf-8")
    command = command_reference.page(TOP / "target/release/pingala")
    (source / "reference/command.md").write_text(command, encoding="utf-8")
    for page in sorted((SITE / "pages").rglob("*.md")):
        place = page.relative_to(SITE / "pages")
        (source / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, source / place)
    shutil.copy(SITE / "conf.py", source)
    inventory(SITE / "python.txt", source / "python.inv")
    (source / "_static").mkdir()
    shutil.copy(SITE / "pingala.css", source / "_static")
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html"]
    done = subprocess.run([*sphinx, str(source), str(html)], check=False)
    if done.returncode == 0:
        rustdoc = TOP / "target/doc"
        if rustdoc.is_dir():
            shutil.copytree(rustdoc, html / "rust", dirs_exist_ok=True)
        package = demo.built(TOP)
        if package is None:
            print("no demo: `make js` builds it, with Node and Rust's target for WebAssembly")
        else:
            demo.copy(package, html)
        print(f"{html.relative_to(TOP)}/index.html: {sum(1 for _ in html.rglob('*.html'))} pages")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
