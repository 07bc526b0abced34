"""A method of Java: its signature and documentation, what it places, what it calls, and its answer."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from java_abi import Function, camel

from border import BorderError, Call, Operand
from border.java.text import javadoc, wrapped

#: What handles the classes have calls on, and what calls them all.
HANDLES = {"Modulus": "modulus", "FixedBase": "table", "FixedPower": "planned power"}

#: The type of an operand in Java, and what its documentation says unless the row does.
TYPES = {
    "number": ("BigInteger", "any number"),
    "modulus": ("BigInteger", "1 or more"),
    "factored": ("BigInteger", "1 or more"),
    "natural": ("BigInteger", "0 or more"),
    "numbers": ("Rows", "any numbers"),
    "naturals": ("Rows", "numbers of 0 or more"),
    "either": ("Rows", "any numbers"),
    "lists": ("Rows", "those of all products, one product after the other"),
    "moduli": ("List<Modulus>", "the moduli"),
    "count": ("long", "0 or more"),
    "bits": ("long", "its length in bits"),
    "path": ("Path", "the file"),
    "proof": ("ProvedSquaring", "the result, and the number that proves it"),
    "proofs": ("Rows", "the numbers of proofs"),
    "text": ("String", "the text"),
    "checkpoint": ("Checkpoint", "where the state is kept; {@link Checkpoint#NONE} for nowhere"),
    "table": ("FixedBase.Table", "what the table is for"),
    "prime_conditions": ("Condition...", "what else it has to be"),
    "pair_kind": ("Pair", "what they are for"),
}
#: A modulus that is not a handle.
MODULI = ("modulus", "factored")
LISTS = ("numbers", "naturals", "either", "lists", "proofs")

#: The answers: type in Java, and what the documentation says.
ANSWERS = {
    "out": ("BigInteger", "the result, 0 or more"),
    "rows": ("Results", "the results; {@link Results#error} names the error of an element that has none"),
    "some": ("Results", "the numbers in order; none if there are none"),
    "text": ("String", "the text"),
    "answer": ("Answer", "the answer"),
    "answers": ("Answer[]", "an answer for each"),
    "symbol": ("int", "1, -1, or 0 if the numbers have a common factor"),
    "symbols": ("int[]", "for each 1, -1, or 0 if the numbers have a common factor"),
    "pair": ("List<BigInteger>", "both numbers"),
    "proved": ("ProvedSquaring", "the result, and the number that proves it"),
    "valid": ("boolean", "whether it holds"),
    "valids": ("boolean[]", "for each whether it holds"),
    "nothing": ("void", ""),
}
PINGALA_ERRORS = ("too_long", "bad_plan", "bad_file", "fault", "interrupted")


@dataclass
class Placed:
    """What the function of C is given for the operands, and what must stand before."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)


@dataclass
class Method:
    """A method of a class and the function of C that it calls; `planned` is called instead for the plan as a line."""

    call: Call
    owner: str
    name: str
    function: Function
    planned: Function | None = None

    # --- what the function says -------------------------------------------------------------------------------------

    @cached_property
    def arguments(self) -> list[str]:
        return [one.name for one in self.function.arguments]

    def has(self, name: str) -> bool:
        return name in self.arguments

    @property
    def has_memory(self) -> bool:
        """Whether the memory is an operand."""
        return self.has("memory_bytes") and "table" not in self.operands

    @property
    def of_handle(self) -> bool:
        return self.owner in HANDLES

    @cached_property
    def answer(self) -> str:
        """The kind of answer: a key of ANSWERS."""
        written = [
            one.name for one in self.function.arguments if one.kind.endswith("*") and not one.kind.startswith("const")
        ]
        written = [name for name in written if name not in ("why", "needed")]
        match written:
            case []:
                return "nothing"
            case ["out", "status"]:
                return "rows"
            case ["out"] if self.has("needed"):
                return "some"
            case ["p", "q"]:
                return "pair"
            case ["out", "proof"]:
                return "proved"
            case ["answers"] if self.call.gives[0] == "truths":
                return "valids"
            case [one] if one in ANSWERS:
                return one
        raise BorderError(f"{self.owner}.{self.name}: no answer for {', '.join(written)}")

    @property
    def secret(self) -> bool:
        return "secret" in self.function.name or self.call.gives[1] == "secret"

    @property
    def explained(self) -> bool:
        return self.call.gives[0] in ("plan", "explanation")

    @cached_property
    def operands(self) -> dict[str, Operand]:
        """The operands that the function has, by the names of its arguments."""
        found: dict[str, Operand] = {}
        for operand in self.call.takes:
            for name in self.arguments:
                if name == operand.name or (name.endswith(f"_{operand.name}") and self.call.gives[0] == "pair"):
                    found[name] = operand
                elif f"{name}s" == operand.name and operand.kind in LISTS and not self.has(operand.name):
                    found[name] = Operand(operand.name, "number")
            if operand.kind == "table" and self.has("memory_bytes"):
                found["table"] = operand
        if self.has("moduli") and self.of_handle:
            raise BorderError(f"{self.owner}.{self.name} has a modulus and takes moduli")
        return found

    @cached_property
    def lists(self) -> list[str]:
        return [name for name, one in self.operands.items() if one.kind in LISTS]

    @cached_property
    def numbers(self) -> list[str]:
        kinds = {one.name: one.kind for one in self.function.arguments}
        taken = [name for name, one in self.operands.items() if one.kind in ("number", "natural", "proof", *MODULI)]
        return [name for name in taken if kinds[name].endswith("*")]

    def value(self, name: str) -> str:
        """A number, or a part of a proof."""
        return f"proved.{name}()" if "proof" in self.operands and name in ("result", "proof") else camel(name)

    @property
    def naturals(self) -> list[str]:
        """The operands that may not be negative."""
        kinds = [name for name, one in self.operands.items() if one.kind in ("natural", "naturals")]
        return [*kinds, *self.call.text("natural", "").split()]

    def width_argument(self, name: str) -> str | None:
        """The argument that has the width of the rows of a list, if there is one."""
        return next((one for one in (f"{name}_width", f"{name.removesuffix('s')}_width") if self.has(one)), None)

    def count_argument(self, name: str) -> str | None:
        return next((one for one in (f"{name}_count", f"{name.removesuffix('s')}_count") if self.has(one)), None)

    @cached_property
    def count(self) -> str:
        return "ends.length" if self.has("ends") else f"{camel(self.lists[0])}.count"

    @cached_property
    def wide(self) -> list[str]:
        """The lists whose rows are as wide as those of the result."""
        return [name for name in self.lists if not self.width_argument(name)] if self.of_handle else []

    def flag(self, name: str) -> str:
        """The flag of a sign: that of exponents, or of what follows a base."""
        signed = [one for one in self.numbers + self.lists if one not in self.naturals]
        second = name.startswith("exponent") or (signed.index(name) > 0 and not signed[0].startswith("exponent"))
        return "Status.NEGATIVE_EXPONENT" if second else "Status.NEGATIVE_BASE"

    def sign(self, name: str) -> str:
        return f"Calls.sign({self.value(name)}, {self.flag(name)})"

    def signed(self, name: str) -> bool:
        """Whether the function takes the sign of an operand."""
        single = f"{name.removesuffix('s')}_signs" if self.has(f"{name.removesuffix('s')}_signs") else "signs"
        return self.has(single) and name not in self.naturals and self.operands[name].kind not in MODULI

    # --- how much work it is ----------------------------------------------------------------------------------------

    @cached_property
    def length(self) -> str:
        """The length in bits of the numbers that a call without a handle is about."""
        if self.has("moduli"):
            return "all.bits()"
        if self.has("certificate"):
            return "8L * certificate.length()"
        if self.has("primes"):
            return "8L * primes.width"
        if bits := [name for name, one in self.operands.items() if one.kind == "bits"]:
            return camel(bits[0])
        return f"8L * {camel(self.lists[0])}.width" if not self.numbers else f"{camel(self.numbers[-1])}.bitLength()"

    @cached_property
    def products(self) -> str:
        """About how many products modulo numbers of that length the call takes."""
        if self.answer == "text" and "work" not in self.call.row:
            return "0"
        each = "3"
        if "work" in self.call.row:
            each = f"{float(str(self.call.row['work']))} * {'bits' if self.of_handle else self.length}"
        elif self.has("exponents"):
            each = "8.0 * exponents.width"
        elif self.has("exponent"):
            each = "Calls.products(exponent)"
        elif self.has("squarings"):
            each = "squarings"
        elif self.owner == "FixedPower":
            each = "(double) exponentBits"
        elif "not_invertible" in self.call.errors:
            each = "30"
        if not self.lists or self.answer == "text":
            return each
        count = "bases.count" if self.has("ends") else f"{camel(self.lists[0])}.count"
        return f"{each if '.0' in each or '(' in each else f'{each}.0'} * {count}"

    @property
    def session(self) -> str:
        bits = "bits" if self.of_handle else self.length
        if self.answer == "text" and "work" not in self.call.row:
            bits = "0"
        wide = ", wide == width ? 0 : wide" if self.wide else ""
        return f"Session.open(options, {bits}, {self.products}{wide})"

    # --- the text ---------------------------------------------------------------------------------------------------

    @cached_property
    def parameters(self) -> list[tuple[str, str, str]]:
        """Type, name and documentation of each, but for `out`."""
        notes = self.call.row.get("notes", {})
        found = [("Format", "format", "how")] if self.has("format") else []
        last: list[tuple[str, str, str]] = []
        for name, operand in self.operands.items():
            if self.value(name) == "proved.result()":
                continue
            kind, says = TYPES[operand.kind]
            if self.function_kind(name) == "uint64_t":
                kind = "long"
            if name in self.naturals:
                says = "0 or more"
            if name in self.lists[1:]:
                says = "as many, or one for all" if self.count_argument(name) and self.has("count") else "as many"
            elif self.has("ends") and name == self.lists[0]:
                says = "the bases of all products, one product after the other"
            if isinstance(notes, dict):
                says = notes.get(operand.name, says)
            parameter = (kind, "proved" if operand.kind == "proof" else camel(name), says)
            (last if kind.endswith("...") else found).append(parameter)
            if name == "exponents" and self.has("ends"):
                found.append(
                    ("int[]", "ends", "for each product the place after its last power; a product may have none")
                )
            if operand.kind == "moduli":
                found.append(
                    (
                        "int[]",
                        "modulusOf",
                        "for each element the place of its modulus; null if there is one for each, in order",
                    )
                )
        if self.has_memory:
            found.append(("long", "memoryBytes", "about how much memory the call takes; 0 for the default"))
        if not self.of_handle and self.has("options"):
            found.append(("Options", "options", "settings"))
        return found + last

    def function_kind(self, name: str) -> str:
        return next((one.kind for one in self.function.arguments if one.name == name), "")

    @property
    def head(self) -> str:
        return f"public {'' if self.of_handle else 'static '}{ANSWERS[self.answer][0]} {self.name}"

    def declared(self, *more: str) -> str:
        parameters = ", ".join([*(f"{kind} {name}" for kind, name, _ in self.parameters), *more])
        return wrapped(f"{self.head}({parameters}) {{", 4)

    def documentation(self) -> str:
        says = self.call.row.get("says", {})
        text = (
            says.get(self.function.name.removesuffix("_be"), self.call.does)
            if isinstance(says, dict)
            else self.call.does
        )
        lines = [sentence(text), ""]
        lines += [f"@param {name} {says}" for _, name, says in self.parameters]
        if gives := ANSWERS[self.answer][1]:
            lines.append(f"@return {'the plan' if self.explained else gives}")
        if "bad_argument" in self.call.errors:
            lines.append("@throws IllegalArgumentException for an argument that is out of its range")
        if any(one.kind in MODULI for one in self.operands.values()):
            lines.append('@throws ArithmeticException "BigInteger: modulus not positive"')
        if "not_invertible" in self.call.errors and self.answer != "rows":
            lines.append('@throws ArithmeticException "BigInteger not invertible."')
        if codes := [one for one in PINGALA_ERRORS if one in self.call.errors]:
            lines.append(f"@throws PingalaException {', '.join(f'{{@code {one}}}' for one in codes)}")
        return javadoc(lines)

    def texts(self) -> str:
        """The method; a list call also into a buffer, and one with `java_short` also without options."""
        if self.answer != "rows":
            whole = f"{self.documentation()}\n{self.declared()}\n{self.body()}\n    }}\n"
            return f"{self.short()}\n{whole}" if "java_short" in self.call.row else whole
        names = ", ".join([*(name for _, name, _ in self.parameters), "null"])
        kinds = ", ".join(kind.partition("<")[0] for kind, _, _ in self.parameters)
        into = [f"As {{@link #{self.name}({kinds})}}, into a buffer.", ""]
        into += [f"@param {name} {says}" for _, name, says in self.parameters]
        into += ["@param out room for as many rows; null for a new buffer", f"@return {ANSWERS['rows'][1]}"]
        short = f"{self.documentation()}\n{self.declared()}\n{wrapped(f'return {self.name}({names});', 8)}\n    }}\n"
        return f"{short}\n{javadoc(into)}\n{self.declared('ByteBuffer out')}\n{self.body()}\n    }}\n"

    def short(self) -> str:
        """The method with the default options."""
        kept = [one for one in self.parameters if one[0] != "Options"]
        kinds = ", ".join(kind.partition("<")[0] for kind, _, _ in self.parameters)
        lines = [f"As {{@link #{self.name}({kinds})}}, with the default options.", ""]
        lines += [f"@param {name} {says}" for _, name, says in kept]
        lines.append(f"@return {ANSWERS[self.answer][1]}")
        parameters = ", ".join(f"{kind} {name}" for kind, name, _ in kept)
        names = ", ".join("Options.DEFAULT" if kind == "Options" else name for kind, name, _ in self.parameters)
        head = wrapped(f"{self.head}({parameters}) {{", 4)
        return f"{javadoc(lines)}\n{head}\n        return {self.name}({names});\n    }}\n"

    def checks(self) -> list[str]:
        """What is looked at before anything is placed."""
        found = []
        for name in self.numbers:
            number = self.value(name)
            if self.answer == "valid" and name in self.naturals:
                found += [f"if ({number}.signum() < 0) {{", "    return false;", "}"]
            elif self.operands[name].kind in MODULI:
                found.append(f"Calls.positive({number});")
            elif "java_negative" in self.call.row and not self.signed(name):
                found += [f"if ({number}.signum() < 0) {{", f"    return {self.call.text('java_negative')};", "}"]
            elif not self.signed(name) and not self.explained:
                found.append(f'Calls.notNegative("{number}", {number});')
        for name, operand in self.operands.items():
            if self.function_kind(name) == "uint64_t" and operand.kind in ("count", "natural"):
                found.append(f'Calls.notNegative("{camel(name)}", {camel(name)});')
        if self.has_memory:
            found.append('Calls.notNegative("memoryBytes", memoryBytes);')
        for name in self.lists[1:]:
            one_or_all = self.count_argument(name) and self.has("count")
            found.append(
                f'Calls.{"oneOrAll" if one_or_all else "same"}("{self.lists[0]}", {self.lists[0]}, "{name}", {name});'
            )
        for name in self.lists:
            if not self.signed(name) and not self.explained and self.answer != "answers":
                found.append(f'Calls.notNegative("{name}", {name});')
        if self.has("ends"):
            found.append("long[] allEnds = Calls.ends(ends, bases.count);")
        if self.has("moduli"):
            found.append(f"int[] places = Calls.places(modulusOf, {self.count}, moduli.size());")
        if self.wide:
            widths = "width"
            for name in self.wide:
                widths = f"Math.max({widths}, {name}.width)"
            found.append(f"int wide = {widths};")
        elif not self.of_handle and self.answer in ("out", "pair", "some"):
            found.append(f"int width = {self.own_width()};")
        return found

    def own_width(self) -> str:
        if any(one.kind in MODULI for one in self.operands.values()):
            return f"Calls.bytes({self.length})"
        return "certificate.length() + 1" if self.has("certificate") else f"primeWidth({self.length})"

    def result_widths(self) -> tuple[str, str]:
        """The width of a row of the result, and the one in which the library writes it."""
        if self.of_handle:
            return "width", "wide" if self.wide else "width"
        own = "all.longest" if self.has("moduli") else "primes.width"
        return own, own

    def placed(self) -> Placed:
        """The operands in memory, and the words for the function's arguments in order."""
        found = Placed(rows=self.lists)
        lines = found.lines
        for name in self.numbers:
            lines += [
                f"long {camel(name)}At = scratch.number({self.value(name)});",
                f"int {camel(name)}Length = scratch.length;",
            ]
        for name in self.lists:
            wide = "wide" if name in self.wide else f"{name}.width"
            lines.append(f"long {name}At = {name}.place(scratch, {wide});")
        if self.function_kind("signs") == "const uint8_t *":
            flags = "null"
            for name in self.lists:
                if self.signed(name):
                    flags = f"{name}.flags({flags}, {self.flag(name)})"
            lines.append(f"long signs = scratch.flags({flags});")
        if self.has("ends"):
            lines.append("long endsAt = scratch.longs(allEnds);")
        if self.has("moduli"):
            lines += ["long moduliAt = scratch.longs(all.handles);", "long modulusOfAt = scratch.ints(places);"]
        if self.has("path"):
            lines.append("long pathAt = scratch.text(path.toString());")
        if self.has("checkpoint"):
            lines.append("long checkpointAt = scratch.text(checkpoint.path);")
        if self.has("certificate"):
            lines += [
                "long certificateAt = scratch.array(certificate.getBytes(StandardCharsets.UTF_8));",
                "int certificateLength = scratch.length;",
            ]
        found.words = [self.word(self.function, name) for name in self.arguments]
        return found

    def word(self, function: Function, name: str) -> str:
        """What the function is given for an argument."""
        fixed = {
            "options": "session.options",
            "why": "scratch.why()",
            "why_len": "Scratch.WHY_LENGTH",
            "text": "text",
            "text_len": "textLength",
            "needed": "needed",
            "format": "format.ordinal()",
            "status": "output.status",
            "count": self.count if self.lists else "",
            "factor_count": "factors.count" if "factors" in self.operands else "bases.count",
            "ends": "endsAt",
            "moduli": "moduliAt",
            "moduli_count": "all.handles.length",
            "modulus_of": "modulusOfAt",
            "path": "pathAt",
            "checkpoint": "checkpointAt",
            "every_milliseconds": "checkpoint.everyMilliseconds",
            "conditions": "bits(conditions)",
            "kind": "kind.ordinal() + 1",
            "out": "output.address" if self.answer == "rows" else "out",
            "out_len": "room" if self.answer == "some" else "wide" if self.wide else "width",
            "width": "width",
            "proof_len": "width",
            "memory_bytes": "memoryBytes",
            "out_width": self.result_widths()[1],
            **dict.fromkeys(("p_len", "q_len"), "width"),
        }
        if self.of_handle and name == function.arguments[0].name:
            return "address"
        if "table" in self.operands and name in ("exponent_bits", "memory_bytes", "powers", "kind"):
            return f"table.{camel(name)}"
        if self.answer in ("pair", "proved") and name in ("p", "out", "q", "proof"):
            return "both" if name in ("p", "out") else "both + width"
        for operand in self.numbers:
            if name == operand:
                return f"{camel(operand)}At"
            if name == f"{operand}_len":
                return f"{camel(operand)}Length"
            if name == f"{operand}_signs":
                return self.sign(operand)
        for operand in self.lists:
            if name == operand:
                return f"{operand}At"
            if name == self.width_argument(operand):
                return f"{operand}.width"
            if name == self.count_argument(operand):
                return f"{operand}.count"
        if name == "signs":
            if self.function_kind("signs") == "const uint8_t *":
                return "signs"
            return " | ".join(self.sign(one) for one in self.numbers if self.signed(one))
        if name in ("certificate", "certificate_len"):
            return "certificateAt" if name == "certificate" else "certificateLength"
        if fixed.get(name):
            return fixed[name]
        if self.function_kind(name) == "uint64_t" and name in self.operands:
            return camel(name)
        if name in ("answer", "answers", "symbol", "symbols", "valid"):
            return "out"
        raise BorderError(f"{self.owner}.{self.name}: {function.name} takes {name}, which no operand gives")

    def body(self) -> str:
        placed = self.placed()
        opened = ["Scratch scratch = Scratch.openSecret()" if self.secret else "Scratch scratch = Scratch.open()"]
        if self.has("moduli"):
            opened.insert(0, "Calls.Moduli all = new Calls.Moduli(moduli)")
        if self.has("options"):
            opened.append(f"Session session = {self.session}")
        lines = [*self.checks(), *(["long address = handle.acquire();"] if self.of_handle else [])]
        lines.append("try (" + (";\n" + " " * 16).join(opened) + ") {")
        before, after = self.around()
        lines += [f"    {line}" for line in [*before, *placed.lines]]
        call = invoked(self.function, placed.words)
        if self.answer == "text":
            if self.planned:
                words = [self.word(self.planned, one.name) for one in self.planned.arguments]
                call = f"format == Format.PLAN ? {invoked(self.planned, words)} : {call}"
            lines.append(f"    return Calls.text(scratch, (text, textLength, needed) -> {call});")
        elif self.answer == "some":
            lines.append(f"    return Calls.some(scratch, session, width, 64L * width, (out, room, needed) -> {call});")
        else:
            checked = f"session.check(scratch, {call});" if self.has("options") else f"scratch.check({call});"
            lines += [f"    {line}" for line in [checked, *after]]
        closed = (["handle.release();"] if self.of_handle else []) + [f"{name}.keep();" for name in placed.rows]
        lines += ["} finally {", *(f"    {line}" for line in closed), "}"] if closed else ["}"]
        return "\n".join(wrapped(line, 8) for line in lines)

    def around(self) -> tuple[list[str], list[str]]:
        """What reserves the answer, and what reads it."""
        own, wide = self.result_widths() if self.answer == "rows" else ("", "")
        number = "wide" if self.wide else "width"
        kept = ["ByteBuffer outBytes = scratch.bytes;", "int outPlace = scratch.at;"]
        first = self.lists[0] if self.lists else ""
        match self.answer:
            case "out":
                return [f"long out = scratch.reserve({number});", *kept], [
                    f"return Scratch.result(outBytes, outPlace, {number});"
                ]
            case "rows":
                output = f"Calls.Output output = new Calls.Output(scratch, out, {self.count}, {own}, {wide});"
                return [output], ["return output.results();"]
            case "answer" | "symbol" | "valid":
                read = "outBytes.getInt(outPlace)" + (" == 1" if self.answer == "valid" else "")
                return ["long out = scratch.reserve(4);", *kept], [
                    f"return {f'Answer.of({read})' if self.answer == 'answer' else read};"
                ]
            case "answers":
                return [f"long out = scratch.reserve({first}.count);", *kept], [
                    f"return Answer.all(outBytes, outPlace, {first});"
                ]
            case "valids":
                return [f"long out = scratch.reserve({first}.count);", *kept], [
                    f"return Calls.truths(outBytes, outPlace, {first}.count);"
                ]
            case "symbols":
                return [f"long out = scratch.reserve(4L * {first}.count);", *kept], [
                    f"return Calls.ints(outBytes, outPlace, {first}.count);"
                ]
            case "pair" | "proved":
                both = ", ".join(f"Scratch.result(outBytes, {one}, width)" for one in ("outPlace", "outPlace + width"))
                made = f"List.of({both})" if self.answer == "pair" else f"new ProvedSquaring({both})"
                return ["long both = scratch.reserve(2L * width);", *kept], [f"return {made};"]
        return [], []


def invoked(function: Function, words: list[str]) -> str:
    return f"Library.get().{function.java_name}({', '.join(words)})"


def sentence(does: str) -> str:
    """What a call gives, as what it does."""
    if re.match(r"(Writes|Draws|Finds|Computes|Raises|Squares|Checks) ", does):
        return does
    return f"Returns {does[0].lower()}{does[1:]}"
