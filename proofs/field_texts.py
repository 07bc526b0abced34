"""Methods of the transforms' fields as definitions of Coq: FieldTexts.v is the Rust text, expression by expression.

Words of 64 and 128 bits are integers whose sums and products are cut; lanes are what the traits of vectors say, and
doubles are real numbers that each operation rounds. FieldWords.v has these operations; Transforms.v and
TransformDoubles.v prove what the texts compute.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from proofs.rust_text import NotUnderstoodError, Sources, value

NTT = "kernel/ntt"
TOKEN = re.compile(
    r"\s*(\d[\d_]*\.\d+|0x[0-9a-f_]+|\d[\d_]*(?:u64|u128)?|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|::<|<<|>>|==|!=|<=|>=|=>|->|&&|\|\||[-+*/%&|^()<>,.!;={}\[\]])"
)
# Names that mean something else in Coq.
RENAMED = {"at": "at_", "mod": "mod_", "in": "in_"}

# A text in Coq, and what it is: bits of a word, "bool", "real", or None for a literal, which is exact.
Value = tuple[str, int | str | None]


def tokens(text: str) -> Iterator[str]:
    text, at = re.sub(r"//[^\n]*", "", text).strip(), 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise NotUnderstoodError(f"a text: {text[at : at + 40]!r}")
        at = found.end()
        yield found[1]


@dataclass(frozen=True)
class Dialect:
    """What the names, the calls and the methods of a text are in Coq."""

    names: Mapping[str, Value]
    # Operations of `self.0` and of `ops`, and those of the text itself.
    operations: str
    own: Mapping[str, str] = field(default_factory=dict)
    result: int | str = 64


class Translation:
    """Reads statements and expressions, and writes them as one term."""

    def __init__(self, text: str, dialect: Dialect, arguments: Mapping[str, Value]) -> None:
        self.tokens, self.at, self.dialect = [*tokens(text), ""], 0, dialect
        self.names: dict[str, Value] = {**dialect.names, **arguments}
        # The parts of arrays and tuples by their texts.
        self.lists: dict[str, list[Value]] = {}

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def want(self, token: str) -> None:
        if not self.take(token):
            raise NotUnderstoodError(f"{token!r} before {' '.join(self.tokens[self.at : self.at + 8])}")

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, end: str) -> str:
        """Statements, and the expression at their end."""
        if self.take("debug_assert"):
            self.want("!")
            self.want("(")
            depth = 1
            while depth:
                depth += {"(": 1, ")": -1}.get(self.next(), 0)
            self.want(";")
            return self.block(end)
        if self.take("let"):
            self.take("mut")
            pattern = self.pattern()
            self.want("=")
            given = self.expression()
            self.want(";")
            return self.bound(pattern, given) + self.block(end)
        if self.take("for"):
            # Unrolls a loop whose count is known.
            self.want("_")
            self.want("in")
            if self.next() != "0":
                raise NotUnderstoodError("a loop from 0 on")
            self.want(".")
            self.want(".")
            count, start, text = int(self.next()), self.at, ""
            for _ in range(count):
                self.at = start
                self.want("{")
                text += self.assignment()
                self.want("}")
            return text + self.block(end)
        text = self.expression()[0]
        if end:
            self.want(end)
        elif self.peek():
            raise NotUnderstoodError(f"the end of a text: {' '.join(self.tokens[self.at :])}")
        return text

    def assignment(self) -> str:
        """`x -= ..;`"""
        name = self.next()
        self.want("-")
        self.want("=")
        by = self.expression()
        self.want(";")
        return self.bound([name], self.operate("-", self.names[name], by))

    def pattern(self) -> list[str]:
        close = {"[": "]", "(": ")"}.get(self.peek(), "")
        if not close:
            return [self.next()]
        self.next()
        names = []
        while not self.take(close):
            names.append(self.next())
            self.take(",")
        return names

    def bound(self, names: list[str], given: Value) -> str:
        parts = [given] if len(names) == 1 else self.parts(given, len(names))
        text = ""
        for name, (term, kind) in zip(names, parts, strict=True):
            if kind == "ops":
                continue
            self.names[name] = (RENAMED.get(name, name), kind)
            text += f"let {RENAMED.get(name, name)} := {term} in "
        return text

    def parts(self, given: Value, count: int) -> list[Value]:
        term, kind = given
        if kind != "list" or len(self.lists[term]) != count:
            raise NotUnderstoodError(f"{count} values: {term}")
        return self.lists[term]

    # --- expressions --------------------------------------------------------------------------------------------------

    LEVELS = (("==", ">=", "<", ">", "<="), ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))

    def expression(self, level: int = 0) -> Value:
        if level == len(self.LEVELS):
            return self.cast()
        left = self.expression(level + 1)
        while self.peek() in self.LEVELS[level] and self.peek(1) != "=":
            operator = self.next()
            left = self.operate(operator, left, self.expression(level + 1))
        return left

    def operate(self, operator: str, left: Value, right: Value) -> Value:
        (a, kind), (b, other) = left, right
        if operator not in ("<<", ">>"):
            if kind is not None and other is not None and kind != other:
                raise NotUnderstoodError(f"{kind} {operator} {other}")
            kind = kind if kind is not None else other
        if kind == "real":
            names = {"/": "d_div set"}
            return f"({names[operator]} {real(left)} {real(right)})", "real"
        if operator in ("==", ">=", "<"):
            return {"==": f"({a} =? {b})", ">=": f"({b} <=? {a})", "<": f"({a} <? {b})"}[operator], "bool"
        exact = {"+": f"({a} + {b})", "-": f"({a} - {b})", "*": f"({a} * {b})", "<<": f"({a} * 2 ^ {b})"}
        if operator in exact:
            return (exact[operator] if kind is None else f"(cut {kind} {exact[operator]})"), kind
        whole = {"/": f"({a} / {b})", "%": f"({a} mod {b})", ">>": f"({a} / 2 ^ {b})"}
        whole |= {"&": f"(Z.land {a} {b})", "|": f"(Z.lor {a} {b})", "^": f"(Z.lxor {a} {b})"}
        return whole[operator], kind

    def cast(self) -> Value:
        given = self.unary()
        while self.take("as"):
            kind = self.next()
            if kind == "f64":
                given = (f"(IZR {given[0]})", "real")
            elif kind == "u128" or given[1] in (None, 64):
                given = (given[0], {"u64": 64, "u128": 128, "usize": 64}[kind])
            else:
                given = (f"(cut 64 {given[0]})", 64)
        return given

    def unary(self) -> Value:
        if self.take("!"):
            term, kind = self.unary()
            return f"(2 ^ {kind} - 1 - {term})", kind
        if self.take("unsafe"):
            self.want("{")
            return self.postfix((f"({self.block('}')})", self.dialect.result))
        if self.take("if"):
            condition = self.expression()[0]
            self.want("{")
            kept = self.expression()
            self.want("}")
            self.want("else")
            self.want("{")
            other = self.expression()
            self.want("}")
            kind = kept[1] if kept[1] is not None else other[1]
            return self.postfix((f"(if {condition} then {kept[0]} else {other[0]})", kind))
        return self.postfix(self.primary())

    def primary(self) -> Value:
        token = self.next()
        if token in ("(", "["):
            close, parts = {"(": ")", "[": "]"}[token], []
            while not self.take(close):
                parts.append(self.expression())
                self.take(",")
            return parts[0] if len(parts) == 1 and token == "(" else self.listed(parts)
        if re.match(r"\d+\.\d+$", token):
            return f"(IZR {int(float(token))})", "real"
        if token[0].isdigit():
            bits = re.search(r"u(64|128)$", token)
            number = re.sub(r"u(64|128)$", "", token) if not token.startswith("0x") else token
            return str(int(number.replace("_", ""), 0)), int(bits[1]) if bits else None
        name = token
        while self.peek() == "." and re.match(r"[a-z]\w*$", self.peek(1)) and self.peek(2) not in ("(", "::<"):
            self.next()
            name += f".{self.next()}"
        if self.peek() == "(" and "." not in name:
            return self.call(name)
        if name in self.names:
            return self.names[name]
        if name == "self" or name == "ops" or name in ("modulus", "m", "prime"):
            return name, "ops"
        raise NotUnderstoodError(f"a name: {name}")

    def listed(self, parts: list[Value]) -> Value:
        term = "[" + "; ".join(part[0] for part in parts) + "]"
        self.lists[term] = parts
        return term, "list"

    def arguments(self) -> list[Value]:
        found = []
        self.want("(")
        while not self.take(")"):
            found.append(self.expression())
            self.take(",")
        return found

    def call(self, name: str) -> Value:
        given = self.arguments()
        if name == "u128::from":
            return given[0][0], 128
        if name == "u64::from":
            return f"(Z.b2z {given[0][0]})", 64
        if name in self.dialect.own:
            return self.of_text(name, given)
        raise NotUnderstoodError(f"a function: {name}")

    def of_text(self, name: str, given: list[Value]) -> Value:
        """A call of another text that is translated."""
        words = [real(one) if self.dialect.result == "real" else one[0] for one in given if one[1] != "ops"]
        return f"({self.dialect.own[name]} {' '.join(words)})", self.dialect.result

    def postfix(self, of: Value) -> Value:
        while True:
            if self.peek() == "." and self.peek(1) == "0" and of[1] == "ops":
                self.at += 2
                of = ("ops", "ops")
            elif self.peek() == "." and self.peek(1) == "1" and of[0].startswith("(carrying"):
                self.at += 2
                of = (of[0].replace("(carrying", "(high_of", 1), 64)
            elif self.peek() == "." and re.match(r"[a-z]", self.peek(1)):
                self.next()
                of = self.method(of, self.next())
            elif self.peek() == "[":
                self.next()
                index = self.expression()
                self.want("]")
                of = (f"(nth (Z.to_nat {index[0]}) {of[0]} 0)", self.dialect.result)
            else:
                return of

    def method(self, of: Value, name: str) -> Value:
        constants = []
        if self.take("::<"):
            while not self.take(">"):
                constants.append(self.primary())
        given = self.arguments()
        if of[1] == "ops":
            if name in self.dialect.own and of[0] != "ops":
                return self.of_text(name, [*constants, *given] if self.dialect.result == 64 else given)
            if name == "splat":
                return given[0]
            words = [real(one) if self.dialect.result == "real" else one[0] for one in [*constants, *given]]
            if name == "halves":
                return self.listed([(f"(d_low {words[0]})", "real"), (f"(d_high {words[0]})", "real")])
            operation = f"{self.dialect.operations}_{name}"
            if operation in ROUNDED:
                operation += " rnd"
            return (f"({operation} {' '.join(words)})" if words else operation), self.dialect.result
        if name in ("wrapping_mul", "wrapping_sub"):
            return self.operate("*" if name == "wrapping_mul" else "-", (of[0], 64), (given[0][0], 64))
        if name == "wrapping_neg":
            return f"(cut 64 (- {of[0]}))", 64
        if name == "carrying_mul":
            return f"(carrying {of[0]} {given[0][0]} {given[1][0]})", "pair"
        if name == "read":
            return of
        raise NotUnderstoodError(f"a method: {name}")


ROUNDED = {"d_add", "d_sub", "d_mul", "d_mul_sub", "d_sub_product"}


def real(of: Value) -> str:
    return of[0]


def braces(text: str, at: int) -> str:
    """What stands between the brace that opens before this place and its own."""
    depth, start = 1, at
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start : at - 1]


def body(sources: Sources, file: str, head: str, within: str = "") -> str:
    """The body of the function whose head begins so, behind a place of the file."""
    text = sources.text(f"{NTT}/{file}")
    start = text.index(within) if within else 0
    found = re.compile(rf"{head}[^{{]*\{{").search(text, start)
    if not found:
        raise NotUnderstoodError(f"a function in {NTT}/{file}: {head}")
    return braces(text, found.end())


def words(*names: str) -> dict[str, Value]:
    return {name: (RENAMED.get(name, name), 64) for name in names}


def reals(*names: str) -> dict[str, Value]:
    return {name: (name, "real") for name in names}


def definition(name: str, parameters: str, kind: str, term: str) -> str:
    return f"Definition {name} {parameters} : {kind} :=\n  {term}.\n"


def constants(sources: Sources) -> dict[str, Value]:
    bits = value(sources.constant(f"{NTT}/primes.rs", "PRIME_BITS"))
    mask = value(sources.constant("kernel/vector/mod.rs", "MASK"))
    return {"PRIME_BITS": (str(bits), None), "MASK": (str(mask), 64)}


def translated(text: str, dialect: Dialect, arguments: Mapping[str, Value]) -> str:
    return Translation(text, dialect, arguments).block("")


def field_of(text: str, name: str, dialect: Dialect) -> str:
    """A field of a structure that is made: up to the comma that ends it."""
    found = re.search(rf"\b{name}: ", text)
    if not found:
        raise NotUnderstoodError(f"a field: {name}")
    depth, at = 0, found.end()
    while depth or text[at] not in ",}\n":
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[at], 0)
        at += 1
    return translated(text[found.end() : at], dialect, {})


def of_primes(sources: Sources) -> Iterator[str]:
    """Plain arithmetic, and the words of factors."""
    text = sources.text(f"{NTT}/primes.rs")
    found = re.findall(r"PrimeSet::new\([^\[]*\[((?:\(0x\w+, \d+\)(?:, )?)+)\]\)", text)
    primes = [int(prime.replace("_", ""), 0) for each in found for prime in re.findall(r"\((0x\w+),", each)]
    if len(found) != 2 or len(primes) != 6:
        raise NotUnderstoodError("two sets of three primes")
    yield f"Definition primes : list Z := [{'; '.join(map(str, primes))}].\n"
    plain = Dialect({**constants(sources), "p": ("p", 64)}, "none")
    made = body(sources, "primes.rs", "const fn new\\(p: u64")
    names: dict[str, Value] = {**constants(sources), "self.p": ("p", 64), "prime.p": ("p", 64), "p": ("p", 64)}
    found_short = re.search(r"let reciprocal = (.+?);", made)
    if not found_short:
        raise NotUnderstoodError("the reciprocal of a prime")
    yield definition("Prime_reciprocal", "(p : Z)", "Z", translated(found_short[1], plain, {}))
    yield definition("Prime_long_reciprocal", "(p : Z)", "Z", field_of(made, "long_reciprocal", plain))
    names |= {
        "self.reciprocal": ("(Prime_reciprocal p)", 64),
        "self.long_reciprocal": ("(Prime_long_reciprocal p)", 64),
    }
    dialect = Dialect(names, "none", {"quotient": "Prime_quotient p"})
    yield definition(
        "Prime_mul", "(p a b : Z)", "Z", translated(body(sources, "primes.rs", r"fn mul\("), dialect, words("a", "b"))
    )
    quotient = translated(body(sources, "primes.rs", r"fn quotient\("), dialect, {**words("a"), "bits": ("bits", None)})
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


def pair(sources: Sources, dialect: Dialect, arguments: dict[str, Value]) -> str:
    """The default of `split_pair`, whose factor is two words."""
    kind = "real" if dialect.result == "real" else 64
    text = body(sources, "field.rs", r"fn split_pair\(")
    return translated(text, dialect, {**arguments, "w": ("w quotient", kind)})


def of_words(sources: Sources) -> Iterator[str]:
    """`portable_ntt_r64`: residues in words."""
    file = "scalar.rs"
    names: dict[str, Value] = {**constants(sources), "prime.p": ("p", 64), "modulus.p": ("p", 64)}
    below = field_of(body(sources, file, r"fn modulus\("), "below", Dialect(names, "none"))
    yield definition("Word_below", "(p : Z)", "Z", below)
    names |= {"modulus.below": ("(Word_below p)", 64), "modulus.negative_inverse": ("inverse", 64)}
    own = {name: f"Word_{name} p inverse" for name in ("reduce", "montgomery")}
    dialect = Dialect(names, "none", own)
    functions: list[tuple[str, str, dict[str, Value]]] = [
        ("reduce", "x", words("x")),
        ("digits", "from", words("from")),
        ("times", "x w quotient", words("x", "w", "quotient")),
        ("add", "x y", words("x", "y")),
        ("sub", "LEVEL x y", {**words("x", "y"), "LEVEL": ("LEVEL", None)}),
        ("montgomery", "x", {"x": ("x", 128)}),
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
    names: dict[str, Value] = {**constants(sources), "p": ("p", 64)}
    dialect = Dialect(names, "lane", {"neg_mod_inv_limb": "negated"})
    made = body(sources, file, r"fn modulus\(")
    for name in ("complement", "below", "sixteen", "inverse"):
        of = field_of(made, name, dialect).replace("(negated p)", "inverse")
        yield definition(f"Lane_{name}", "(p inverse : Z)", "Z", of)
    names |= {f"m.{name}": (f"(Lane_{name} p inverse)", 64) for name in ("complement", "below", "sixteen", "inverse")}
    multiples = re.search(r"multiples: (\[.*?\]),\n", made)
    if not multiples:
        raise NotUnderstoodError("multiples of a prime")
    yield definition("Lane_multiples", "(p : Z)", "list Z", translated(multiples[1], dialect, {}))
    names |= {"m.multiples": ("(Lane_multiples p)", 64), "m.p": ("p", 64)}
    dialect = Dialect(names, "lane", {"reduce": "Lane_reduce p inverse"})
    functions: list[tuple[str, str, dict[str, Value], str]] = [
        ("digits", "from", words("from"), "Z"),
        ("times", "x w quotient", words("x", "w", "quotient"), "Z"),
        ("reduce", "x", words("x"), "Z"),
        ("split_pair", "x y w quotient", words("x", "y", "w", "quotient"), "list Z"),
        ("add", "x y", words("x", "y"), "Z"),
        ("sub", "LEVEL x y", {**words("x", "y"), "LEVEL": ("LEVEL", None)}, "Z"),
        ("mul", "a b", words("a", "b"), "Z"),
        ("mul_sub", "a b c d", words("a", "b", "c", "d"), "Z"),
    ]
    for name, parameters, arguments, kind in functions:
        text = body(sources, file, rf"fn {name}(?:<const LEVEL: u32>)?\(", "impl<O: Vectors> Field")
        text = text.replace("unsafe { self.0.load(from) }", "from")
        yield definition(f"Lane_{name}", f"(p inverse {parameters} : Z)", kind, translated(text, dialect, arguments))


def of_doubles(sources: Sources) -> Iterator[str]:
    """`fma_ntt_r64`: residues in doubles. `rnd` is the rounding of the operations, `set` that at the set-up."""
    file, places = "doubles.rs", "(rnd set : R -> Z) (p : Z)"
    made = body(sources, file, r"fn modulus\(")
    inner = Dialect({"p": ("(IZR p)", "real"), "prime.p": ("p", 64)}, "d", result="real")
    yield definition("Double_reciprocal", "(set : R -> Z) (p : Z)", "R", field_of(made, "reciprocal", inner))
    balanced = re.search(
        r"\[balanced, (balanced / [^\]]+)\]", body(sources, "field.rs", r"fn of\(", "impl FactorWords")
    )
    if not balanced:
        raise NotUnderstoodError("the second word of a balanced factor")
    of_factor = translated(balanced[1], Dialect({"prime.p": ("p", 64)}, "d", result="real"), reals("balanced"))
    yield definition("Double_quotient", "(set : R -> Z) (p : Z) (balanced : R)", "R", of_factor)
    names: dict[str, Value] = {"m.p": ("(IZR p)", "real"), "m.reciprocal": ("(Double_reciprocal set p)", "real")}
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
        text = text.replace("unsafe { self.load(from) }", "from")
        arguments: dict[str, Value] = {"from": ("from", 64)} if name == "digits" else reals(*parameters)
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
