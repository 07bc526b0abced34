"""A method of Go: its head, its comment and its body, from the row of a call and the function of C that it calls."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import go_abi

from border import BorderError, Call, Operand

#: What calls are made on here: the variable of the receiver, and what holds the memory.
HANDLES = {"Modulus": "m", "FixedBase": "f", "FixedPower": "p"}

#: Kinds of operands that are one number, and those that are a list.
ONE = ("number", "natural", "modulus", "factored")
MANY = ("numbers", "either", "naturals")

#: The type of each other kind.
TYPES = {
    "lists": "[][]*big.Int",
    "count": "uint64",
    "bits": "int",
    "flag": "bool",
    "text": "string",
    "proofs": "[]string",
    "table": "Table",
    "checkpoint": "Checkpoint",
    "prime_conditions": "Prime",
}

#: The result in Go, and the value that a call returns with an error.
RESULTS = {
    "residues": ("[]*big.Int", "nil"),
    "residue": ("*big.Int", "nil"),
    "number": ("*big.Int", "nil"),
    "list": ("[]*big.Int", "nil"),
    "symbol": ("int", "0"),
    "symbols": ("[]int", "nil"),
    "primality": ("Primality", "NotPrime"),
    "primalities": ("[]Primality", "nil"),
    "truths": ("[]bool", "nil"),
    "text": ("string", '""'),
    "explanation": ("string", '""'),
    "estimate": ("Estimate", "Estimate{}"),
}

#: What a table's use is passed as.
TABLE = {"exponent_bits": "use.bits", "memory_bytes": "use.memory", "powers": "use.powers", "kind": "use.kind"}


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def singular(name: str) -> str:
    return name.removesuffix("s")


@dataclass
class Method:
    """A method or function of Go, the row that describes it, and the function of C that it calls."""

    row: Call
    name: str
    function: go_abi.Function
    #: The names of options in Go, by those of the description.
    option_names: dict[str, list[str]]
    operands: list[Operand] = field(default_factory=list)

    def __post_init__(self) -> None:
        passed = set(self.function.names)
        for operand in self.row.takes_in("go"):
            if operand.kind in MANY and operand.name not in passed and singular(operand.name) in passed:
                self.operands.append(Operand(singular(operand.name), "number"))
            elif operand.name in passed or operand.kind in ("lists", "table"):
                self.operands.append(operand)
        known = {*ONE, *MANY, *TYPES}
        if unknown := [operand.kind for operand in self.operands if operand.kind not in known]:
            raise BorderError(f"{self.name}: no Go for operands of kind {', '.join(unknown)}; BY_HAND may name it")
        if self.gives not in RESULTS:
            raise BorderError(f"{self.name}: no Go for what gives {self.gives}; BY_HAND may name it")

    @property
    def short(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def receiver(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def gives(self) -> str:
        return self.row.gives[0]

    @property
    def handle(self) -> str | None:
        """The variable of the handle that it is a method of."""
        return HANDLES.get(self.receiver)

    @property
    def is_plan(self) -> bool:
        return self.gives == "explanation"

    @property
    def is_bare(self) -> bool:
        """Whether it takes neither a context nor options."""
        return not self.receiver

    @property
    def is_short(self) -> bool:
        """Whether it sets a number and takes no context, as calls of math/big."""
        return (
            bool(self.handle)
            and self.gives in ("residue", "residues")
            and "status" not in self.function.names
            and not self.row.options
        )

    @property
    def has_statuses(self) -> bool:
        return "status" in self.function.names

    @property
    def is_whole(self) -> bool:
        """Whether an element affects others, so that nil is an error of the call."""
        return bool(self.row.row.get("whole"))

    @property
    def lists(self) -> list[Operand]:
        return [operand for operand in self.operands if operand.kind in (*MANY, "proofs")]

    @cached_property
    def signed(self) -> dict[str, tuple[str, str]]:
        """The parameter in C that has the sign of an operand, and its flag."""
        found: dict[str, tuple[str, str]] = {}
        names = self.function.names
        for operand in self.operands:
            if operand.kind in ("natural", "naturals", "modulus", "factored") or operand.kind not in (*ONE, *MANY):
                continue
            own = f"{operand.name}_signs"
            place = own if own in names else "signs" if "signs" in names else ""
            if place:
                is_second = any(other == place for other, _ in found.values())
                flag = "NegativeExponent" if operand.name.startswith("exponent") or is_second else "NegativeBase"
                found[operand.name] = (place, f"abi.{flag}")
        return found

    def go_type(self, operand: Operand) -> str:
        if operand.kind in ONE:
            return "*big.Int"
        if operand.kind in MANY:
            return "...*big.Int" if operand.name == "factors" else "[]*big.Int"
        return TYPES[operand.kind]

    # --- the head -------------------------------------------------------------------------------------------------

    def head(self) -> str:
        of = f"({self.handle or 'o'} {'*' if self.handle else ''}{self.receiver}) " if self.receiver else ""
        parameters = [f"{operand.name} {self.go_type(operand)}" for operand in self.operands]
        if self.is_short:
            parameters.insert(0, "z *big.Int")
        elif not self.is_bare and not self.is_plan:
            parameters.insert(0, "ctx context.Context")
        kinds = [part.rpartition(" ") for part in parameters]
        # Parameters of one type that follow each other share it.
        shared = [
            name if after and after[2] == kind else f"{name} {kind}"
            for (name, _, kind), after in zip(kinds, [*kinds[1:], None], strict=True)
        ]
        result = "*big.Int" if self.is_short else RESULTS[self.gives][0]
        return f"func {of}{self.short}({', '.join(shared)}) ({result}, error) {{"

    def comment(self) -> str:
        text = f"{self.short} {self.said()}"
        if note := self.told("go_note"):
            text += f" {note}"
        if self.is_short:
            text += " If z is nil, the result is a new number; after an error z is unchanged."
        if self.is_bare:
            text += f" [Options.{self.short}] can be stopped."
        if options := self.options():
            text += f" Options that count: {', '.join(options)}."
        # A handle was made by its modulus, and a call without a context cannot be stopped.
        never: tuple[str, ...] = ("zero_modulus", "negative_modulus") if self.handle else ()
        never += ("interrupted",) if self.is_bare or self.is_plan or self.is_short else ()
        errors = [f"[{camel('_' + error)}]" for error in self.row.errors if error not in never]
        if errors:
            text += (
                f" Errors: {', '.join(errors)}{'; those of elements are a [ListError]' if self.has_statuses else ''}."
            )
        return "\n".join(
            textwrap.wrap(
                text, 130, initial_indent="// ", subsequent_indent="// ", break_long_words=False, break_on_hyphens=False
            )
        )

    def told(self, key: str) -> str:
        """What the row says of this name by a key, for all names or for each."""
        found = self.row.row.get(key, "")
        return found if isinstance(found, str) else str(dict(found).get(self.name, ""))  # type: ignore[call-overload]

    def said(self) -> str:
        """What it does, as it goes on after the name."""
        does = self.told("go_does") or self.row.does
        if self.is_plan:
            plan = does.removesuffix(".").replace(", and why it is chosen", "")
            if self.short.startswith("Plan"):
                return f"returns {lower(plan)}, as a line that [Options] can force."
            return f"returns {lower(plan)}, and the reasons for it: two sentences, then candidates."
        first = does.split()[0]
        if first in ("Whether", "How", "Why", "What"):
            return f"reports {lower(does)}"
        return f"returns {lower(does) if first in ('The', 'A', 'An', 'All') else does}"

    def options(self) -> list[str]:
        if self.is_short or self.is_bare:
            return []
        counted = [option for option in self.row.options if not (self.handle and option == "max_modulus_bits")]
        counted += [operand.kind for operand in self.row.takes if operand.kind in self.option_names]
        return list(dict.fromkeys(name for option in counted for name in self.option_names[option]))

    # --- the body -------------------------------------------------------------------------------------------------

    def text(self) -> str:
        body = "\n".join(f"\t{line}" if line else "" for line in self.body())
        return f"{self.comment()}\n{self.head()}\n{body}\n}}\n"

    def body(self) -> Iterator[str]:
        yield from self.checks()
        if self.is_short:
            yield f"return {self.handle}.of().number(z, func(memory abi.Handle, out abi.Words, why *abi.Why) int32 {{"
            yield f"\treturn {self.call(options='nil', why='why')}"
            yield "})"
        elif self.has_statuses and self.handle:
            known = "nil" if self.is_whole else "known" if self.has_factors else self.missing()
            yield f"return {self.handle}.of().list(ctx, {self.count()}, {known}, func(l *listCall) int32 {{"
            yield from (f"\t{line}" for line in self.conversions())
            handle = dict.fromkeys(("modulus", "fixed", "power"), "l.memory")
            own = {"out": "l.out", "status": "l.statuses", "options": "l.options", "why": "&l.why"}
            yield f"\treturn {self.call(**handle, **own)}"
            yield "})"
        else:
            yield from self.begin()
            yield from self.conversions()
            yield from self.answer()

    @property
    def zero(self) -> str:
        return RESULTS[self.gives][1]

    @property
    def has_factors(self) -> bool:
        return any(operand.kind == "lists" for operand in self.operands)

    def unless(self, error: str) -> Iterator[str]:
        yield from (f"if err := {error}; err != nil {{", f"\treturn {self.zero}, err", "}")

    def checks(self) -> Iterator[str]:
        for operand in self.operands:
            if operand.kind == "number":
                yield from self.unless(f'given("{operand.name}", {operand.name})')
            elif operand.kind in ("natural", "naturals", "modulus", "factored"):
                check = "modulus" if operand.kind == "factored" else operand.kind
                yield from self.unless(f'{check}("{operand.name}", {operand.name})')
            elif operand.kind == "bits":
                yield from self.unless(f"o.checkLength({operand.name})")
            elif operand.kind == "proofs":
                yield f"roots, err := proofNumbers({operand.name})"
                yield from ("if err != nil {", f"\treturn {self.zero}, err", "}")
            elif operand.kind in ("table", "checkpoint"):
                values = "use" if operand.kind == "table" else "path, every"
                yield f"{values}, err := {operand.name}.arguments()"
                yield from ("if err != nil {", f"\treturn {self.zero}, err", "}")
        yield from self.lengths()
        if self.has_factors:
            a, b = (operand.name for operand in self.operands if operand.kind == "lists")
            yield f"f, known, err := factorsOf({a}, {b})"
            yield from ("if err != nil {", f"\treturn {self.zero}, err", "}")
            if not self.has_statuses:
                yield from ("if known != nil {", f"\treturn {self.zero}, known[0]", "}")
        elif self.nullable and (not self.has_statuses or self.is_whole):
            yield from (f"if known := {self.missing()}; known != nil {{", f"\treturn {self.zero}, known[0]", "}")
        for operand in self.operands:
            if operand.kind == "number" and operand.name not in self.signed:
                yield f"{operand.name} = notNegative({operand.name})"

    @property
    def nullable(self) -> list[Operand]:
        """The lists whose elements may be nil."""
        return [operand for operand in self.lists if operand.kind not in ("naturals", "proofs")]

    def missing(self) -> str:
        return f"missing({', '.join(operand.name for operand in self.nullable)})"

    def lengths(self) -> Iterator[str]:
        """The lengths of lists: that of the first one, or 1 if the library takes one number for all."""
        for operand in self.lists[1:]:
            first, name = self.lists[0].name, operand.name
            may_be_one = self.counted(operand) in self.function.names
            yield f"if len({name}) != len({first}){f' && len({name}) != 1' if may_be_one else ''} {{"
            yield f'\treturn {self.zero}, badArgument("{first} has %d numbers, {name} %d", len({first}), len({name}))'
            yield "}"

    def counted(self, operand: Operand) -> str:
        return f"{singular(operand.name)}_count"

    def begin(self) -> Iterator[str]:
        context = "context.Background()" if self.is_plan else "ctx"
        if self.is_bare:
            yield from self.unless("abi.Load()")
            yield "why := new(abi.Why)"
            return
        if self.handle:
            yield f"memory, s, done, err := {self.handle}.of().begin({context})"
        else:
            yield f"s, err := o.begin({context})"
        yield from (
            "if err != nil {",
            f"\treturn {self.zero}, err",
            "}",
            "defer done()" if self.handle else "defer s.end()",
        )
        if any(operand.kind == "prime_conditions" for operand in self.operands):
            yield from self.unless("s.setPrime(conditions)")

    def conversions(self) -> Iterator[str]:
        """The rows of lists, and their flags."""
        if self.has_factors:
            yield f"f.read({self.handle})"
        flags = "nil"
        for operand in self.lists:
            name = operand.name
            width = f"{singular(name)}_width"
            signed = self.signed.get(name)
            if width in self.function.names:
                yield f"{camel(width)} := widest({'roots' if operand.kind == 'proofs' else name})"
            if operand.kind == "proofs":
                values = "roots"
            else:
                values = name if signed or operand.kind == "naturals" else f"eachNotNegative({name})"
            own_width = width in self.function.names
            wide = f"{camel(width)}, nil" if own_width else f"{self.handle}.words(), {self.handle}.modulus"
            flag, before, after = (signed[1], flags, "flags") if signed else ("0", "nil", "_")
            yield f"{singular(name)}Rows, {after} := rows({values}, {wide}, {flag}, {before})"
            flags = "flags" if signed else flags

    def count(self) -> str:
        many = [operand.name for operand in self.operands if operand.kind in (*MANY, "lists")]
        if not many:
            raise BorderError(f"{self.name}: no list among the operands that pingala_{self.function.name} has")
        return f"len({many[0]})"

    def width(self) -> str:
        """Words of a row of results."""
        if self.handle:
            return f"{self.handle}.words()"
        if self.lists:
            return camel(f"{singular(self.lists[-1].name)}_width")
        return f"max(1, len({[operand for operand in self.operands if operand.kind in ONE][-1].name}.Bits()))"

    def answer(self) -> Iterator[str]:
        failed = "failure(status, why)" if self.is_bare else "s.failure(status)"

        def unless_ok(results: str, call: str) -> Iterator[str]:
            yield from (f"{results} := {call}", "if status != abi.OK {", f"\treturn {self.zero}, {failed}", "}")

        kind = self.gives
        if kind in ("residues", "residue", "number") and self.has_statuses:
            yield "l := &listCall{session: s}"
            yield f"return l.list({self.count()}, {self.width()}, {self.missing()}, func() int32 {{"
            yield f"\treturn {self.call(out='l.out', status='l.statuses')}"
            yield "})"
        elif kind in ("residue", "number"):
            room = self.told("go_room")
            yield f"out := make(abi.Words, {f'wordsOf({room})' if room else self.width()})"
            yield from unless_ok("status", self.call())
            yield "return new(big.Int).SetBits(out), nil"
        elif kind == "list":
            yield f"width := {self.width()}"
            yield f"return s.rows({self.told('go_room')}, width, func(out abi.Words) (int, int32) {{"
            yield f"\treturn {self.call()}"
            yield "})"
        elif kind in ("text", "explanation"):
            yield f"return told({self.told('go_room') or '0'}, func(text []byte) (int, int32) {{"
            yield f"\treturn {self.call()}"
            yield "}, s.failure)"
        elif kind in ("symbols", "primalities"):
            yield f"{self.function.names[0]} := make([]{'int32' if kind == 'symbols' else 'byte'}, {self.count()})"
            yield from unless_ok("status", self.call())
            yield f"return {'each[int]' if kind == 'symbols' else 'each[Primality]'}({self.function.names[0]}), nil"
        elif kind == "truths":
            yield f"answers := make([]byte, {self.count()})"
            yield from unless_ok("status", self.call())
            yield "return truths(answers), nil"
        elif kind in ("symbol", "primality"):
            result = self.function.results[0].split()[0]
            yield from unless_ok(f"{result}, status", self.call())
            yield f"return {RESULTS[kind][0] if kind == 'primality' else 'int'}({result}), nil"
        else:
            yield from unless_ok("tests, seconds, status", self.call())
            yield "return Estimate{tests, seconds}, nil"

    def call(self, **own: str) -> str:
        return f"abi.{self.function.go_name()}({', '.join(self.argument(name, own) for name in self.function.names)})"

    def argument(self, name: str, own: dict[str, str]) -> str:
        """What is passed as a parameter of the function in C."""
        operands = {operand.name: operand for operand in self.operands}
        if name in own:
            return own[name]
        if self.has_factors and name in (*operands, "exponent_width", "factor_count", "ends", "signs"):
            return {"exponent_width": "f.width", "factor_count": "f.count", "ends": "f.ends", "signs": "f.flags"}.get(
                name, f"f.{name}"
            )
        if name in operands:
            return self.operand(operands[name])
        lists = {singular(operand.name): operand for operand in self.lists}
        prefix, _, what = name.rpartition("_")
        if what == "count" and prefix in lists:
            return f"len({lists[prefix].name})"
        if what == "width" and prefix in lists:
            return camel(name)
        if name.endswith("signs"):
            return self.sign(name)
        if name in TABLE and any(operand.kind == "table" for operand in self.operands):
            return TABLE[name]
        simple = {
            "options": "nil" if self.is_bare else "s.options",
            "why": "why" if self.is_bare else "&s.why",
            "count": self.count() if self.lists or self.has_factors else "",
            "format": "abi.Plan" if self.short.startswith("Plan") else "abi.Text",
            "out_width": self.width() if name == "out_width" else "",
            "every_milliseconds": "every",
            "modulus": "memory",
            "fixed": "memory",
            "power": "memory",
            **{same: same for same in ("out", "width", "text", "answers", "symbols")},
        }
        if not simple.get(name):
            raise BorderError(f"{self.name}: nothing to pass as {name} of pingala_{self.function.name}")
        return simple[name]

    def operand(self, operand: Operand) -> str:
        name = operand.name
        if operand.kind in ONE:
            return f"{name}.Bits()"
        if operand.kind in (*MANY, "proofs"):
            return f"{singular(name)}Rows"
        return {
            "bits": f"uint64({name})",
            "flag": f"bit({name})",
            "text": f"[]byte({name})",
            "checkpoint": "path",
            "prime_conditions": f"{name}.conditions()",
        }.get(operand.kind, name)

    def sign(self, place: str) -> str:
        """The flags of numbers, or of lists, which have a byte for each element."""
        found = [(name, flag) for name, (where, flag) in self.signed.items() if where == place]
        if any(operand.name == name for name, _ in found for operand in self.lists):
            return "flags"
        return (
            f"signs({', '.join(name for name, _ in found)})"
            if len(found) == 2
            else f"flag({found[0][0]}, {found[0][1]})"
        )


def lower(text: str) -> str:
    return text[0].lower() + text[1:]
