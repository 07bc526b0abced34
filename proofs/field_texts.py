"""Methods of the transforms' fields as definitions of Coq: FieldTexts.v is the Rust text, expression by expression.

Words of 64 and 128 bits are integers whose sums and products are cut; lanes are what the traits of vectors say, and
doubles are real numbers that each operation rounds. FieldWords.v has these operations; Transforms.v and
TransformDoubles.v prove what the texts compute.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from proofs.rust_text import Kind, NotUnderstoodError, Sources, Term, evaluate, split, value

NTT = "kernel/ntt"
# Names that mean something else in Coq.
RENAMED = {"at": "at_", "mod": "mod_", "in": "in_"}
ROUNDED = ("d_add", "d_sub", "d_mul", "d_mul_sub", "d_sub_product")
Call = Callable[..., object]
Terms = dict[str, Term]


class Calls:
    """What has methods that are calls in Coq: `self`, `ops`, a modulus."""

    def __init__(self, call: Callable[[str, list[Term]], object]) -> None:
        self.call = call

    def __getattr__(self, name: str) -> Call:
        return lambda *given: self.call(name.rstrip("_"), [one for one in given if isinstance(one, Term)])


@dataclass(frozen=True)
class Dialect:
    """What the names, the calls and the methods of a text are in Coq."""

    names: Terms
    # Operations of `self.0` and of `ops`, and those of the text itself.
    operations: str
    own: dict[str, str] = field(default_factory=dict)
    result: Kind = 64

    def operation(self, name: str, given: list[Term]) -> object:
        if name == "splat":
            return given[0]
        if name == "halves":
            return [Term(f"(d_{half} {given[0].text})", "real") for half in ("low", "high")]
        operation = f"{self.operations}_{name}"
        words = [operation, *(["rnd"] if operation in ROUNDED else []), *(one.text for one in given)]
        return Term(f"({' '.join(words)})" if len(words) > 1 else operation, self.result)

    def of_text(self, name: str, given: list[Term]) -> Term:
        """A call of another text that is translated. The level of a difference changes nothing for doubles."""
        if name not in self.own:
            raise NotUnderstoodError(f"a function: {name}")
        given = [one for one in given if self.result != "real" or one.kind is not None]
        return Term(f"({' '.join([self.own[name], *(one.text for one in given)])})", self.result)

    def all_names(self) -> dict[str, object]:
        own = Calls(self.of_text)
        functions = {name: getattr(own, name) for name in self.own}
        return {
            **WORDS,
            **functions,
            "self": own,
            "prime": own,
            "ops": Calls(self.operation),
            "modulus": None,
            "m": None,
            **self.names,
        }


def number(text: str, suffix: str) -> Term:
    if "." in text:
        return Term(f"(IZR {int(float(text))})", "real")
    known = int(text.replace("_", ""), 0)
    return Term(str(known), int(suffix[1:]) if suffix in ("u64", "u128") else None, known)


def cast(bits: int) -> Callable[[Term], Term]:
    def of(given: Term) -> Term:
        if given.kind == "bool":
            return Term(f"(Z.b2z {given.text})", bits)
        cut = bits == 64 and given.kind not in (None, 64)
        return Term(f"(cut 64 {given.text})" if cut else given.text, bits, given.number)

    return of


def choose(condition: Term, kept: Term, other: Term) -> Term:
    kind = kept.kind if kept.kind is not None else other.kind
    return Term(f"(if {condition.text} then {kept.text} else {other.text})", kind)


WORDS: dict[str, object] = {"number": number, "choose": choose, "u64": cast(64), "u128": cast(128), "usize": cast(64)}
WORDS["f64"] = lambda given: Term(f"(IZR {given.text})", "real")

STATEMENTS = (
    (r"//[^\n]*", ""),
    (r"\s+", " "),
    (r"debug_assert!\([^;]*\);", ""),
    # Fields of a modulus, of a prime and of `self` have names of their own.
    (r"\b(?:m|modulus|prime|self)\.([a-z_]+)\b(?!\(|::)", r"\1"),
    (r"unsafe \{ (?:self(?:\.0)?\.load\(from\)|from\.read\(\)) \}", "from"),
)


def written(of: object) -> str:
    if isinstance(of, Term):
        return of.text
    if isinstance(of, list):
        return f"[{'; '.join(written(one) for one in of)}]"
    raise NotUnderstoodError(f"a value: {of}")


def translated(text: str, dialect: Dialect, arguments: Terms) -> str:
    """Bindings, and the expression at their end, as one term."""
    for pattern, instead in STATEMENTS:
        text = re.sub(pattern, instead, text)
    # Unrolls a loop whose count is known.
    loop = r"for _ in 0\.\.(\d+) \{ (\w+) -= ([^;]+); \}"
    text = re.sub(loop, lambda it: f"let {it[2]} = {it[2]} - ({it[3]}); " * int(it[1]), text)
    *bindings, last = split(text, ";")
    names, result = {**dialect.all_names(), **arguments}, ""
    for binding in bindings:
        found = re.fullmatch(r" ?let (?:mut )?(\w+|[(\[][\w, ]+[)\]]) = (.*)", binding)
        if not found:
            raise NotUnderstoodError(f"a statement: {binding}")
        bound, given = re.findall(r"\w+", found[1]), evaluate(found[2], names)
        for name, one in zip(bound, given if isinstance(given, (list, tuple)) else [given], strict=True):
            if isinstance(one, Term):
                result += f"let {RENAMED.get(name, name)} := {one.text} in "
                one = Term(RENAMED.get(name, name), one.kind)
            names[name] = one
    return result + written(evaluate(last, names))


def braces(text: str, at: int) -> str:
    """What stands between the brace that opens before this place and its own."""
    return next(split(text[at:], "}"))


def body(sources: Sources, file: str, head: str, within: str = "") -> str:
    """The body of the function whose head begins so, behind a place of the file."""
    text = sources.text(f"{NTT}/{file}")
    start = text.index(within) if within else 0
    found = re.compile(rf"{head}[^{{]*\{{").search(text, start)
    if not found:
        raise NotUnderstoodError(f"a function in {NTT}/{file}: {head}")
    return braces(text, found.end())


def words(*names: str) -> Terms:
    return {"from_" if name == "from" else name: Term(RENAMED.get(name, name), 64) for name in names}


def reals(*names: str) -> Terms:
    return {name: Term(name, "real") for name in names}


def definition(name: str, parameters: str, kind: str, term: str) -> str:
    return f"Definition {name} {parameters} : {kind} :=\n  {term}.\n"


def constants(sources: Sources) -> Terms:
    bits = value(sources.constant(f"{NTT}/primes.rs", "PRIME_BITS"))
    mask = value(sources.constant("kernel/vector/mod.rs", "MASK"))
    return {"PRIME_BITS": Term(str(bits)), "MASK": Term(str(mask), 64), "p": Term("p", 64)}


def field_of(text: str, name: str, dialect: Dialect) -> str:
    """A field of a structure that is made: up to the comma that ends it."""
    found = re.search(rf"\b{name}: ", text)
    if not found:
        raise NotUnderstoodError(f"a field: {name}")
    return translated(re.split(r"[}\n]", next(split(text[found.end() :], ",")))[0], dialect, {})


def of_primes(sources: Sources) -> Iterator[str]:
    """Plain arithmetic, and the words of factors."""
    text = sources.text(f"{NTT}/primes.rs")
    found = re.findall(r"PrimeSet::new\([^\[]*\[((?:\(0x\w+, \d+\)(?:, )?)+)\]\)", text)
    primes = [int(prime.replace("_", ""), 0) for each in found for prime in re.findall(r"\((0x\w+),", each)]
    if len(found) != 2 or len(primes) != 6:
        raise NotUnderstoodError("two sets of three primes")
    yield f"Definition primes : list Z := [{'; '.join(map(str, primes))}].\n"
    plain = Dialect(constants(sources), "none")
    made = body(sources, "primes.rs", "const fn new\\(p: u64")
    found_short = re.search(r"let reciprocal = (.+?);", made)
    if not found_short:
        raise NotUnderstoodError("the reciprocal of a prime")
    yield definition("Prime_reciprocal", "(p : Z)", "Z", translated(found_short[1], plain, {}))
    yield definition("Prime_long_reciprocal", "(p : Z)", "Z", field_of(made, "long_reciprocal", plain))
    names = {name: Term(f"(Prime_{name} p)", 64) for name in ("reciprocal", "long_reciprocal")}
    dialect = Dialect({**constants(sources), **names}, "none", {"quotient": "Prime_quotient p"})
    yield definition(
        "Prime_mul", "(p a b : Z)", "Z", translated(body(sources, "primes.rs", r"fn mul\("), dialect, words("a", "b"))
    )
    quotient = translated(body(sources, "primes.rs", r"fn quotient\("), dialect, {**words("a"), "bits": Term("bits")})
    yield definition("Prime_quotient", "(p a bits : Z)", "Z", quotient)
    for function, arguments in (("of", ("w",)), ("negative", ("w", "quotient")), ("lost", ())):
        arms = body(sources, "field.rs", rf"fn {function}\(", "impl FactorWords")
        for bits in (52, 64):
            arm = re.search(rf"Self::Bits{bits} => (.+?),\n", arms)
            if not arm:
                raise NotUnderstoodError(f"an arm of {function}")
            kind = "Z" if function == "lost" else "list Z"
            parameters = f"(p {' '.join(arguments)} : Z)"
            yield definition(
                f"Factor_{function}_{bits}", parameters, kind, translated(arm[1], dialect, words(*arguments))
            )


def pair(sources: Sources, dialect: Dialect, arguments: Terms) -> str:
    """The default of `split_pair`, whose factor is two words."""
    kind = "real" if dialect.result == "real" else 64
    text = body(sources, "field.rs", r"fn split_pair\(")
    return translated(text, dialect, {**arguments, "w": Term("w quotient", kind)})


def of_words(sources: Sources) -> Iterator[str]:
    """`portable_ntt_r64`: residues in words."""
    file = "scalar.rs"
    names = constants(sources)
    below = field_of(body(sources, file, r"fn modulus\("), "below", Dialect(names, "none"))
    yield definition("Word_below", "(p : Z)", "Z", below)
    names |= {"below": Term("(Word_below p)", 64), "negative_inverse": Term("inverse", 64)}
    own = {name: f"Word_{name} p inverse" for name in ("reduce", "montgomery")}
    dialect = Dialect(names, "none", own)
    functions: list[tuple[str, str, Terms]] = [
        ("reduce", "x", words("x")),
        ("digits", "from", words("from")),
        ("times", "x w quotient", words("x", "w", "quotient")),
        ("add", "x y", words("x", "y")),
        ("sub", "LEVEL x y", {**words("x", "y"), "LEVEL": Term("LEVEL")}),
        ("montgomery", "x", {"x": Term("x", 128)}),
        ("mul", "a b", words("a", "b")),
        ("mul_sub", "a b c d", words("a", "b", "c", "d")),
    ]
    for name, parameters, arguments in functions:
        head = rf"fn {name}(?:<const LEVEL: u32>)?\("
        text = translated(body(sources, file, head), dialect, arguments)
        yield definition(f"Word_{name}", f"(p inverse {parameters} : Z)", "Z", text)
    own = {name: f"Word_{name} p inverse" for name in ("times", "add", "sub")}
    text = pair(sources, Dialect(names, "none", own), words("x", "y"))
    yield definition("Word_split_pair", "(p inverse x y w quotient : Z)", "list Z", text)


def of_lanes(sources: Sources) -> Iterator[str]:
    """`ifma_ntt`: residues modulo 2^52 in lanes."""
    file = "eight.rs"
    names = constants(sources)
    dialect = Dialect(names, "lane")
    made = body(sources, file, r"fn modulus\(")
    for name in ("complement", "below", "sixteen", "inverse"):
        of = field_of(
            made.replace("neg_mod_inv_limb(p)", "inverse"), name, Dialect({**names, **words("inverse")}, "lane")
        )
        yield definition(f"Lane_{name}", "(p inverse : Z)", "Z", of)
    names |= {name: Term(f"(Lane_{name} p inverse)", 64) for name in ("complement", "below", "sixteen", "inverse")}
    multiples = re.search(r"multiples: (\[.*?\]),\n", made)
    if not multiples:
        raise NotUnderstoodError("multiples of a prime")
    yield definition("Lane_multiples", "(p : Z)", "list Z", translated(multiples[1], dialect, {}))
    names["multiples"] = Term("(Lane_multiples p)", "array")
    dialect = Dialect(names, "lane", {"reduce": "Lane_reduce p inverse"})
    functions: list[tuple[str, str, Terms, str]] = [
        ("digits", "from", words("from"), "Z"),
        ("times", "x w quotient", words("x", "w", "quotient"), "Z"),
        ("reduce", "x", words("x"), "Z"),
        ("split_pair", "x y w quotient", words("x", "y", "w", "quotient"), "list Z"),
        ("add", "x y", words("x", "y"), "Z"),
        ("sub", "LEVEL x y", {**words("x", "y"), "LEVEL": Term("LEVEL")}, "Z"),
        ("mul", "a b", words("a", "b"), "Z"),
        ("mul_sub", "a b c d", words("a", "b", "c", "d"), "Z"),
    ]
    for name, parameters, arguments, kind in functions:
        text = body(sources, file, rf"fn {name}(?:<const LEVEL: u32>)?\(", "impl<O: Vectors> Field")
        yield definition(f"Lane_{name}", f"(p inverse {parameters} : Z)", kind, translated(text, dialect, arguments))


def of_doubles(sources: Sources) -> Iterator[str]:
    """`fma_ntt_r64`: residues in doubles. `rnd` is the rounding of the operations, `set` that at the set-up."""
    file, places = "doubles.rs", "(rnd set : R -> Z) (p : Z)"
    made = body(sources, file, r"fn modulus\(")
    inner = Dialect({"p": Term("(IZR p)", "real")}, "d", result="real")
    yield definition("Double_reciprocal", "(set : R -> Z) (p : Z)", "R", field_of(made, "reciprocal", inner))
    balanced = re.search(
        r"\[balanced, (balanced / [^\]]+)\]", body(sources, "field.rs", r"fn of\(", "impl FactorWords")
    )
    if not balanced:
        raise NotUnderstoodError("the second word of a balanced factor")
    of_factor = translated(balanced[1], Dialect(words("p"), "d", result="real"), reals("balanced"))
    yield definition("Double_quotient", "(set : R -> Z) (p : Z) (balanced : R)", "R", of_factor)
    names = {"p": Term("(IZR p)", "real"), "reciprocal": Term("(Double_reciprocal set p)", "real")}
    own = {name: f"Double_{name} rnd set p" for name in ("finish", "reduce", "mul")}
    dialect = Dialect(names, "d", own, "real")
    for name, parameters in (
        ("finish", ("a", "b", "h", "q")),
        ("reduce", ("x",)),
        ("times", ("x", "w", "quotient")),
        ("mul", ("a", "b")),
        ("mul_sub", ("a", "b", "c", "d")),
        ("add", ("x", "y")),
        ("sub", ("x", "y")),
        ("digits", ("from",)),
    ):
        within = "impl<O: Four> DoubleField<O>"
        text = body(sources, file, rf"fn {name}(?:<const LEVEL: u32>)?\(", within)
        arguments = words("from") if name == "digits" else reals(*parameters)
        given = "(from : Z)" if name == "digits" else f"({' '.join(parameters)} : R)"
        yield definition(f"Double_{name}", f"{places} {given}", "R", translated(text, dialect, arguments))
    own = {name: f"Double_{name} rnd set p" for name in ("times", "add", "sub")}
    text = pair(sources, Dialect(names, "d", own, "real"), reals("x", "y"))
    yield definition("Double_split_pair", f"{places} (x y w quotient : R)", "list R", text)


HEAD = """(* Written by proofs/field_texts.py from the Rust sources. *)
From Coq Require Import ZArith Reals List.
From Pingala Require Import FieldWords.
Import ListNotations.
Open Scope Z_scope.

"""


def coq_text(sources: Sources) -> str:
    """FieldTexts.v."""
    parts = [*of_primes(sources), *of_words(sources), *of_lanes(sources), *of_doubles(sources)]
    return HEAD + "".join(parts)
