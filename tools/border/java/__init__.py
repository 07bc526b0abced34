"""Java's calls and options.

A method takes the operands that the function of C has, in the order of the description. Which result it has, what it
declares and which words it gives the function follow from the function's arguments. A class of handles extends the
generated class of its calls; Primes, whose calls are static, is its part by hand and its calls in one file.
"""

from pathlib import Path

from border import TOP, Border, BorderError
from border.java.method import HANDLES, Method
from border.java.options import options
from border.java.text import HEAD, functions, imports

MAIN = Path("java/pingala/src/main")
GENERATED = MAIN / "generated/org/pingala"

#: The methods that are written by hand, with the reason.
BY_HAND = {
    "Pingala.modPow Modulus.pow": "the quickest calls",
    "Pingala.modInverse Pingala.modPowSecure Pingala.modPowList": "numbers as BigInteger takes them, by other calls",
    "Modulus.of Modulus.ofSecretFactors FixedBase.of FixedBase.load": "they make handles",
    "FixedExponent.search FixedExponent.modulo": "they make handles",
    "Modulus.powSecure Modulus.powSecureList Modulus.powSecureBases": "secrets",
    "FixedBase.powSecure FixedBase.powSecureList": "secrets",
    "FixedBase.verify": "its work is that of the table",
    "Primes.isPrime": "an answer as yes or no",
    "Primes.between": "how much room the primes need is known in advance",
    "Primes.randomProved Primes.estimateRandom": "they give two things",
    "Key.load Key.ofRsa Key.ofDsa": "they make handles",
    "Key.validate Key.weaknesses": "they give sets",
    "Signatures.verifyList Signatures.explain": "signatures have lengths of their own",
    "Rows.of Rows.ofSegment": "columns are operands",
}


def methods(border: Border) -> dict[str, list[Method]]:
    """The generated methods of each class. BorderError for a name that is neither generated nor by hand."""
    by_name = functions()
    by_hand = {name for names in BY_HAND for name in names.split()}
    described = {name for call in border.calls for name in call.names("java")}
    if unknown := {name for name in by_hand if name not in described or not written(name)}:
        raise BorderError(f"in BY_HAND of tools/border/java, but in no call or no class: {', '.join(sorted(unknown))}")
    found: dict[str, list[Method]] = {}
    for call in border.calls:
        c = call.names("c")
        planned = {name.replace("explain", "plan"): name for name in c if "explain" in name}
        main = [name for name in c if name not in planned]
        plans = {planned[name]: by_name[name] for name in c if name in planned}
        for place, name in enumerate(call.names("java")):
            if name in by_hand:
                continue
            if place >= len(main):
                raise BorderError(
                    f"{name} of {call.name} has no function of C, and is not in BY_HAND of tools/border/java"
                )
            owner, _, own = name.partition(".")
            method = Method(call, owner, own, by_name[main[place]], plans.get(main[place]))
            found.setdefault(owner, []).append(method)
    return found


def written(name: str) -> bool:
    """Whether a class by hand has a method of that name."""
    owner, _, own = name.partition(".")
    paths = [TOP / MAIN / folder / f"{owner}.java" for folder in ("parts", "java/org/pingala")]
    return any(f" {own}(" in path.read_text(encoding="utf-8") for path in paths if path.exists())


def of_handles(owner: str, calls: list[Method]) -> str:
    """The class that the public one extends."""
    extra = "\n    /** The length of the exponent. */\n    final int exponentBits;\n" if owner == "FixedPower" else ""
    given, kept = (", int exponentBits", "\n        this.exponentBits = exponentBits;") if extra else ("", "")
    inner = "\n".join(one.texts() for one in calls)
    return f"""/** The calls of a {HANDLES[owner]}. */
abstract class {owner}Calls extends Subject {{{extra}
    {owner}Calls(Handle handle, Options options, int bits{given}) {{
        super(handle, options, bits);{kept}
    }}

{inner}}}
"""


def files(border: Border) -> dict[Path, str]:
    found = {}
    for owner, calls in methods(border).items():
        if owner in HANDLES:
            text = of_handles(owner, calls)
            found[GENERATED / f"{owner}Calls.java"] = f"{HEAD}package org.pingala;\n\n{imports(text)}\n{text}"
        else:
            part = (TOP / MAIN / f"parts/{owner}.java").read_text(encoding="utf-8").rstrip()
            head, _, inside = part.partition("\n/**")
            inner = "\n".join(one.texts() for one in calls)
            text = f"\n/**{inside.removesuffix('}')}\n{inner}}}\n"
            package, imported = head.split("\n", 1)
            more = {line for line in (imported + imports(text)).split("\n") if line}
            found[GENERATED / f"{owner}.java"] = f"{HEAD}{package}\n\n" + "\n".join(sorted(more)) + "\n" + text
    found[GENERATED / "Options.java"] = options(border)
    return found
