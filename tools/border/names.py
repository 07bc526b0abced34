"""The public names of each binding, read from its own sources, with the names that no row of border/calls.toml has and why."""

import re
from collections.abc import Iterable
from pathlib import Path

from border import TOP

#: Names that are no calls of rows: what an object has or is, settings, conversions. `Class.*` stands for all of a class.
APART = {
    "python": """
        Answers.* Alternative.* Candidate.* ExplainedPart.* Explanation.* Progress.* Column.* Residues.* Primality.* Verdict.* SecretInt.*
        Modulus.value Modulus.bits FixedBase.base FixedBase.modulus FixedBase.exponent_bits FixedBase.plan FixedBase.table_bytes FixedBase.entries
        FixedBase.notes FixedBase.explain FixedExponent.exponent FixedExponent.steps FixedExponent.save FixedExponent.load FixedExponent.explain
        DSAPublicKey.p DSAPublicKey.q DSAPublicKey.g DSAPublicKey.y DSAPublicKey.bits RSAPublicKey.n RSAPublicKey.e RSAPublicKey.bits
        RSAPrivateKey RSAPrivateKey.n RSAPrivateKey.e RSAPrivateKey.bits Job.folder Job.missing Job.parts Job.rows Job.status
        """,
    "c": """
        abi version status_name hash key_bits key_free key_kind key_salt key_scheme
        modulus_bits modulus_free modulus_value modulus_width
        fixed_base_base fixed_base_exponent_bits fixed_base_free fixed_base_modulus fixed_base_plan fixed_base_table_bytes
        fixed_exponent_bits fixed_exponent_explain fixed_exponent_free fixed_exponent_length fixed_exponent_load fixed_exponent_save
        fixed_exponent_value fixed_power_free
        options_free options_new options_set_blinding options_set_kernel options_set_limits options_set_memory options_set_plan
        options_set_prime_residue options_set_prime_rounds options_set_public_exponent options_set_salt options_set_threads options_set_timeout
        options_set_watch options_set_width
        """,
    "go": """
        Code.* Error.* ElementError.* ListError.* Version Primality.IsPrime Weaknesses.String Defects.String Verdict.String
        Modulus.With Modulus.Close Modulus.Value Modulus.BitLen FixedBase.With FixedBase.Close FixedBase.Base FixedBase.Modulus
        FixedBase.ExponentBits FixedBase.Memory FixedExponent.Close FixedExponent.Value FixedExponent.Len FixedExponent.Save FixedExponent.Explain
        LoadFixedExponent FixedPower.Close PublicKey.Close PublicKey.IsDSA PublicKey.PSS PublicKey.BitLen
        """,
    "java": """
        Checkpoint.* Factor.* Options.* PingalaException.* Results.* Rows.* ProvedSquaring.* Scheme.* SecretExponent.*
        Held.close Pingala.backend Pingala.version Pingala.abi Modulus.with Modulus.value Modulus.bits Modulus.width
        FixedBase.with FixedBase.modulus FixedBase.base FixedBase.exponentBits FixedBase.tableBytes FixedBase.plan
        FixedBase.forPowers FixedBase.inLists FixedBase.forSecrets
        FixedExponent.load FixedExponent.save FixedExponent.products FixedExponent.bits FixedExponent.value FixedExponent.explain
        Key.isDsa Key.bits Key.scheme Key.salt Primes.certificate Primes.prime Primes.tests Primes.seconds
        Signatures.size Signatures.valid Signatures.reason Signatures.allValid Signatures.close
        """,
    "js": """
        PingalaError init backend kernelName version configure closeWorkers Modulus.close FixedBase.close PublicKey.close PublicKey
        """,
    "tcl": "modulus value, modulus destroy",
}


def read(*patterns: str) -> str:
    paths = [path for pattern in patterns for path in sorted(TOP.glob(pattern)) if not path.stem.endswith(("_test", "Test"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def library_options() -> set[str]:
    """The methods of `Options` in Rust that set something."""
    return set(re.findall(r"^ {8}(with_\w+)\(", read("crates/pingala/src/work/options.rs"), re.MULTILINE)) | {"with_blinding"}


def c() -> set[str]:
    """Functions without `pingala_` and without the ending for bytes or limbs."""
    symbols = read("crates/pingala-c/symbols.txt").split()
    return {re.sub("_(be|limbs)$", "", symbol.removeprefix("pingala_")) for symbol in symbols}


def go() -> set[str]:
    """Functions, and methods behind their type."""
    found = re.findall(r"^func (?:\(\w+ \*?(\w+)\) )?([A-Z]\w*)\(", read("go/*.go"), re.MULTILINE)
    return {f"{owner}.{name}" if owner else name for owner, name in found}


def java() -> set[str]:
    """Public methods behind their class; those of a generated class stand behind the class that extends it."""
    found = set()
    for path in sorted(TOP.glob("java/pingala/src/main/**/org/pingala/*.java")):
        text = path.read_text(encoding="utf-8")
        owner = path.stem.removesuffix("Calls") if "abstract class" in text else path.stem
        if "Functions" in path.stem or not re.search(r"^(?:public|abstract) ", text, re.MULTILINE):
            continue
        found |= {f"{owner}.{name}" for name in re.findall(r"^ +public [^=;{}]*?(\w+)\((?=[^;]*\{)", text, re.MULTILINE) if name != owner}
    return {name for name in found if not re.search(r"\.(?:equals|hashCode|toString|[A-Z]\w*)$", name)}


def js() -> set[str]:
    """Exports, and methods behind their class, without the other form of a call."""
    types = read("js/index.d.ts")
    found = set(re.findall(r"^export (?:function|class) (\w+)", types, re.MULTILINE))
    for owner, body in re.findall(r"^export class (\w+)[^\n]*\{\n(.*?)^\}", types, re.MULTILINE | re.DOTALL):
        methods = re.findall(r"^  (?:static )?(\w+)(?:<[^(]*>)? \(", body, re.MULTILINE)
        found |= {f"{owner}.{name}" for name in methods if name not in ("constructor", "private")}
    return {name for name in found if not name.endswith("Async")}


def tcl() -> set[str]:
    """Commands, and methods behind `modulus`, `fixedbase`, `dsa`, `rsa`."""
    commands = set(re.findall(r'"::pingala::(\w+)"', read("tcl/pingala.c")))
    found = commands - {"modulus", "fixedbase", "dsa", "rsa"}
    table = re.compile(r'^ *\{"(\w+)", "[^"]*"', re.MULTILINE)
    found |= {f"modulus {name}" for name in table.findall(read("tcl/pingala.c"))}
    return found


def apart(binding: str) -> set[str]:
    names = APART.get(binding, "")
    return {name.strip() for name in (names.split(",") if binding == "tcl" else names.split())}


def covered(name: str, listed: Iterable[str]) -> bool:
    """Whether a name, or all of its class, is listed."""
    return name in listed or f"{name.partition('.')[0]}.*" in listed


BINDINGS = {"c": c, "go": go, "java": java, "js": js, "tcl": tcl}
