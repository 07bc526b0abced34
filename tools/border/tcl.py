"""Tcl: a function and a row for each command and method, the commands without the extension, the tables of the page."""

import re
from dataclasses import dataclass

from go_abi import DECLARATION, HEADER

from border import Border, BorderError, Call, Operand
from border.pages import table

HEAD = """\
/* Written by `make border` from border/ and pingala.h; do not edit. */

#include "calls.h"

/* Room for the rows of most lists, and for most texts; what is longer is called for again. */
enum { SOME_ROWS = 64, TEXT_ROOM = 1 << 14 };

"""

#: Calls whose commands are written by hand: they make or are about objects, or read options of their own.
BY_HAND = {
    "modulus",
    "fixed_base",
    "fixed_base_pow",
    "fixed_base_pow_list",
    "fixed_base_save",
    "fixed_base_load",
    "explain_fixed_base",
    "load_key",
    "key",
    "validate_key",
    "key_weaknesses",
    "verify_list",
    "explain_verify_list",
}

#: The calls that explain others.
EXPLAINS = {
    "explain": "modulus_pow",
    "plan_list": "modulus_pow_list",
    "explain_exp_list": "pow_exp_list",
    "explain_base_list": "pow_base_list",
    "explain_product": "pow_product",
    "explain_product_list": "pow_product_list",
    "explain_repeated_square": "repeated_square",
}

#: Operands by their kinds; what there is none of is an option, or what a method is called on.
KINDS = {
    "number": "NUMBER",
    "natural": "NUMBER | NATURAL",
    "proof": "NUMBER | NATURAL",
    "proofs": "LIST | NATURAL",
    "modulus": "NUMBER | MODULUS",
    "factored": "NUMBER | MODULUS",
    "numbers": "LIST",
    "naturals": "LIST | NATURAL",
    "primes": "LIST | MODULUS",
    "either": "LIST",
    "moduli": "MODULI | MODULUS | REPEATED",
    "count": "COUNT",
    "bits": "COUNT",
    "text": "TEXT",
    "pairs": "PAIRS",
    "pair_lists": "PAIR_LISTS",
}

#: Operands that are options here.
AS_OPTIONS = {"checkpoint": "OPTION_CHECKPOINT", "prime_conditions": "OPTION_CONDITIONS"}

#: Operands whose sign is the second flag, if they have one.
SECOND = frozenset(("exponent", "exponents", "b", "n"))

#: Parameters that have one meaning in all functions.
GIVEN = {
    "modulus": "call->modulus",
    "out": "call->out",
    "out_width": "call->width",
    "width": "call->width",
    "needed": "&call->needed",
    "count": "call->count",
    "status": "call->each",
    "base_signs": "call->flags",
    "exponent_signs": "call->flags",
    "moduli": "(const pingala_modulus *const *)call->moduli",
    "moduli_count": "call->n_moduli",
    "modulus_of": "call->modulus_of",
    "format": "(uint32_t)call->settings.planned - 1",
    "proof_out": "call->out + call->width",
    "checkpoint": "call->settings.checkpoint",
    "every_milliseconds": "(uint64_t)call->settings.every",
    "memory_bytes": "(uint64_t)call->settings.proof_bytes",
    "conditions": "call->settings.conditions",
    "secret": "0",
    "answers": "(uint8_t *)call->text",
    "symbols": "call->each",
    "text": "call->text",
    "tests": "&tests",
    "seconds": "&seconds",
    "answer": "&answer",
    "symbol": "&answer",
    "valid": "&answer",
    "options": "call->settings.options",
    "why": "call->why",
    "why_len": "sizeof call->why",
}


@dataclass(frozen=True)
class Function:
    name: str
    #: Type and name of each parameter.
    parameters: list[tuple[str, str]]

    def has(self, name: str) -> bool:
        return any(parameter == name for _, parameter in self.parameters)

    def kind(self, name: str) -> str:
        return next((kind for kind, parameter in self.parameters if parameter == name), "")


def header() -> dict[str, Function]:
    """The functions for limbs, and those that know neither bytes nor limbs, by their names without endings."""
    found = {}
    for _, name, declared in DECLARATION.findall(HEADER.read_text(encoding="utf-8")):
        if not name.endswith("_be"):
            pairs = re.findall(r"([^,]+?)(\w+)(?:, |$)", " ".join(declared.split()))
            found[name.removesuffix("_limbs")] = Function(
                f"pingala_{name}", [(kind.strip(), each) for kind, each in pairs]
            )
    return found


@dataclass(frozen=True)
class Made:
    """A command or a method: its call, its name, the function that it calls."""

    call: Call
    name: str
    method: bool
    function: Function

    @property
    def operands(self) -> list[Operand]:
        """What a user writes in front of the options."""
        dropped = {"modulus", "moduli", "factored"} if self.method else set()
        return [one for one in self.call.takes_in("tcl") if one.kind not in dropped and one.kind not in AS_OPTIONS]

    @property
    def on_handle(self) -> bool:
        return "pingala_modulus *" in self.function.kind("modulus")

    def flags(self, at: int) -> str:
        one = self.operands[at]
        if one.kind not in KINDS:
            raise BorderError(f"{self.call.name}: Tcl does not read {one.kind}")
        flags = KINDS[one.kind]
        if one.kind in ("modulus", "factored") and self.on_handle:
            flags = "HANDLE | MODULUS"
        if one.kind in ("number", "numbers", "either") and any(
            self.function.has(name) for name in ("signs", "base_signs", "exponent_signs")
        ):
            if one.name in SECOND and (at > 0 or one.name.startswith("exponent")):
                flags += " | EXPONENT_SIGN"
            elif at == 0:
                flags += " | BASE_SIGN"
        if one.kind in ("either", "primes") or (one.kind == "naturals" and self.function.has(f"{one.name}_count")):
            flags += " | ONE_FOR_ALL" if self.function.has(f"{singular(one.name)}_count") else " | REPEATED"
        if ("LIST" in flags or "PAIR" in flags) and self.method and not self.width_of(one):
            flags += " | REDUCED"
        return flags + (" | OPTIONAL" if one.default is not None else "")

    def width_of(self, one: Operand) -> bool:
        """Whether rows of this operand have a width of their own."""
        name = "base" if one.kind in ("pairs", "pair_lists") else singular(one.name)
        return self.function.has(f"{name}_width")

    def usage(self) -> str:
        words = [f"?{one.name}?" if one.default is not None else one.name for one in self.operands]
        return " ".join([*words, "?-option value ...?"] if self.options() != "0" else words)

    def options(self) -> str:
        """The options that there may be, as an expression in C."""
        found = [f"OPTION_{name.upper()}" for name in self.call.options_in("tcl") if name != "progress"]
        if self.method:
            found = [name for name in found if name != "OPTION_MAX_MODULUS_BITS"]
        found += [AS_OPTIONS[one.kind] for one in self.call.takes_in("tcl") if one.kind in AS_OPTIONS]
        if any(one.kind in ("factored", "modulus") for one in self.operands) and self.on_handle:
            found.append("OPTION_FACTORS")
        return " | ".join(found) or "0"

    def argument(self, kind: str, name: str, function: Function) -> str:
        """What a parameter gets."""
        if name == "signs":
            return "call->signs" if "*" in kind else "call->flags"
        if name == "out_len":
            return "call->width" if self.function.has("proof_len") else "call->width * call->n_rows"
        if name == "text_len":
            return "room"
        if name in ("proof", "proof_len") and "const" not in function.kind("proof"):
            return GIVEN["proof_out" if name == "proof" else "out_width"]
        for at, one in enumerate(self.operands):
            held = f"call->operands[{at}]"
            pairs = {
                "bases": "rows.limbs",
                "base_width": "rows.width",
                "exponents": "exponents.limbs",
                "exponent_width": "exponents.width",
            }
            pairs |= {"ends": "ends", "factor_count": "rows.count"}
            if one.kind in ("pairs", "pair_lists") and name in pairs:
                return f"{held}.{pairs[name]}"
            list_like = KINDS[one.kind].startswith("LIST")
            if name == one.name and one.kind != "moduli" and not (name == "modulus" and self.on_handle):
                return held + (
                    ".rows.limbs"
                    if list_like
                    else ".count"
                    if KINDS[one.kind] == "COUNT"
                    else ".text"
                    if one.kind == "text"
                    else ".number.limbs"
                )
            if name == f"{one.name}_len":
                return held + (".length" if one.kind == "text" else ".number.n_limbs")
            if list_like and name == f"{singular(one.name)}_width":
                return f"{held}.rows.width"
            if list_like and name == f"{singular(one.name)}_count":
                return f"{held}.rows.count"
        if name not in GIVEN:
            raise BorderError(f"{function.name}: nothing for {name}")
        return GIVEN[name]

    def called(self, function: Function) -> str:
        return (
            f"{function.name}({', '.join(self.argument(kind, name, function) for kind, name in function.parameters)})"
        )

    def width(self) -> str:
        """The limbs of a result."""
        if self.method or self.on_handle:
            return "call->width"
        room = self.call.text("tcl_room", "")
        for at, one in enumerate(self.operands):
            room = re.sub(rf"\b{one.name}\b", f"call->operands[{at}]", room) if room else room
            if one.kind in ("modulus", "factored"):
                return f"call->operands[{at}].number.n_limbs"
            if one.kind == "primes":
                return f"call->operands[{at}].rows.width"
            if one.kind == "moduli":
                return f"call->operands[{at}].rows.width"
        if not room:
            raise BorderError(f"{self.call.name}: Tcl needs tcl_room")
        return room


def singular(name: str) -> str:
    return name if len(name) == 1 else name.removesuffix("s")


def c_name(call: Call, method: bool, functions: dict[str, Function]) -> Function:
    names = call.text("tcl_c", "").split() or call.names("c")
    fitting = [name for name in names if name.startswith("modulus_") == method] or names
    return functions[fitting[0]]


def made(border: Border) -> list[Made]:
    functions = header()
    found = []
    for call in border.calls:
        if call.name in BY_HAND or call.name in EXPLAINS:
            continue
        for name in call.names("tcl"):
            method = name.startswith("modulus ")
            found.append(Made(call, name.removeprefix("modulus "), method, c_name(call, method, functions)))
    return found


#: How an answer is given, by its kind; {call} is the call in C, {width} that of a result.
ROOM = """\
    if (call_room(call, {width}, {rows}) == NULL)
        return TCL_ERROR;
"""
INTEGER = """\
    %s answer = 0;
    const int32_t status = {call};

    return call_integer(call, status, answer);
"""
BODIES = {
    "residue": ROOM + "    return call_number(call, {call});\n",
    "number": ROOM + "    return call_number(call, {call});\n",
    "residues": ROOM + "    return call_list(call, {call});\n",
    "pair": ROOM + "    return call_numbers(call, {call}, 2);\n",
    "primality": INTEGER % "uint32_t",
    "truth": INTEGER % "uint32_t",
    "symbol": INTEGER % "int32_t",
    "truths": """\
    if (call_text_room(call, call->count) == NULL)
        return TCL_ERROR;
    return call_bytes(call, {call});
""",
    "primalities": """\
    if (call_text_room(call, call->count) == NULL)
        return TCL_ERROR;
    return call_bytes(call, {call});
""",
    "symbols": """\
    if ((call->each = zeros(call->interp, call->count, 1, sizeof *call->each)) == NULL)
        return TCL_ERROR;
    return call_symbols(call, {call});
""",
    "list": """\
    size_t rows = SOME_ROWS;
    int32_t status;

    do {{
        rows = call->needed > rows ? call->needed : rows;
        if (call_room(call, {width}, rows) == NULL)
            return TCL_ERROR;
        status = {call};
    }} while (status == PINGALA_OK && call->needed > rows);
    return call_numbers(call, status, call->needed);
""",
    "text": """\
    size_t room = TEXT_ROOM;
    int32_t status;

    do {{
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = {call};
    }} while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
""",
    "estimate": """\
    double tests = 0, seconds = 0;
    const int32_t status = {call};

    return call_estimate(call, status, tests, seconds);
""",
}


def body(one: Made) -> str:
    kind = one.call.gives[0]
    if kind not in BODIES:
        raise BorderError(f"{one.call.name}: Tcl does not give {kind}")
    rows = {"pair": "2", "residues": "call->count"}.get(kind, "1")
    return BODIES[kind].format(
        width=one.width() if "{width}" in BODIES[kind] else "", rows=rows, call=one.called(one.function)
    )


def c_function(name: str, does: str, text: str) -> str:
    return f"/* {does} */\nstatic int {name}(Call *call)\n{{\n{text}}}\n\n"


def plan(one: Made, border: Border, functions: dict[str, Function]) -> tuple[str, str, int]:
    """The function that explains a method: its text, its name, and whether it has more than a plan."""
    explaining = next((border.call(by) for by, of in EXPLAINS.items() if of == one.call.name), None)
    if explaining is None or not one.method:
        return "", "NULL", 0
    found = [functions[name] for name in explaining.names("c") if name.startswith("modulus_")]
    formats = [each for each in found if each.has("format")]
    lines = [each for each in found if not each.has("format")]
    calls = [one.called(each) for each in [*formats, *lines]]
    called = calls[0] if len(calls) == 1 else f"call->settings.planned == 1 ? {calls[1]} : {calls[0]}"
    name = f"plan_{one.name}"
    return c_function(name, explaining.does, BODIES["text"].format(call=called)), name, int(bool(formats))


def row(one: Made, name: str, planned: str, explains: int) -> str:
    flags = ", ".join(one.flags(at) for at in range(len(one.operands))) or "0"
    otherwise = next((each.default for each in one.operands if each.default), "0")
    fields = [
        f'"{one.name}"',
        f'"{one.usage()}"',
        f"{{{flags}}}",
        otherwise,
        one.options(),
        name,
        planned,
        str(explains),
    ]
    return f"    {{{', '.join(fields)}}},\n"


def wrapped(text: str) -> str:
    """Lines of 140 columns at most, broken behind commas."""
    lines = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        while len(line) > 140:
            cut = line.rfind(", ", 0, 140) + 1
            if cut <= len(indent):
                cut = line.rfind(" ", 0, 140)
            lines.append(line[:cut])
            line = indent + line[cut:].lstrip()
        lines.append(line)
    return "\n".join(lines) + "\n"


def files(border: Border) -> dict[str, str]:
    functions = header()
    texts: list[str] = []
    rows = {True: "", False: ""}
    bodies: dict[str, str] = {}
    for one in made(border):
        text, planned, explains = plan(one, border, functions)
        # A command and a method may be one function, because a command opens the handle of its modulus.
        name = bodies.get(body(one))
        if name is None:
            name = bodies[body(one)] = f"{'method' if one.method else 'command'}_{one.name}"
            texts.append(c_function(name, does(one), body(one)))
        texts.append(text)
        rows[one.method] += row(one, name, planned, explains)
    for word, usage in (
        ("plan", "method argument ?argument ...?"),
        ("explain", "method argument ?argument ...?"),
        ("value", ""),
        ("destroy", ""),
    ):
        rows[True] += f'    {{"{word}", "{usage}", {{0}}, 0, 0, NULL, NULL, 0}},\n'
    end = "    {NULL, NULL, {0}, 0, 0, NULL, NULL, 0},\n};\n"
    tables = (
        f"const CallRow command_rows[] = {{\n{rows[False]}{end}\nconst CallRow modulus_rows[] = {{\n{rows[True]}{end}"
    )
    return {"tcl/generated_calls.c": HEAD + wrapped("".join(texts) + tables)}


def sections(border: Border) -> dict[tuple[str, str], str]:
    commands = [one for one in made(border) if not one.method]
    methods = [one for one in made(border) if one.method]
    needing = [one.name for one in commands if one.call.name not in ("powmod", "invert")]
    lines = wrapped(f"    set commands {{modulus fixedbase dsa rsa bignum::powm {' '.join(needing)}}}")
    return {
        ("tcl/expr.tcl", "commands"): lines.replace("\n", " \\\n").removesuffix(" \\\n") + "\n",
        ("docs/tcl.md", "commands"): page(commands, "pingala::", border),
        ("docs/tcl.md", "methods"): page(methods, "$m ", border),
    }


def does(one: Made) -> str:
    """Its sentence; `tcl_does` is a text, or a table by names."""
    own = one.call.row.get("tcl_does", one.call.does)
    return str(own[f"modulus {one.name}" if one.method else one.name] if isinstance(own, dict) else own)


def page(found: list[Made], before: str, border: Border) -> str:
    names = {f"OPTION_{option.name.upper()}": option.names("tcl") for option in border.options}
    names |= {
        "OPTION_CHECKPOINT": ["-checkpoint", "-every"],
        "OPTION_CONDITIONS": ["-safe", "-two_top_bits", "-uniform"],
        "OPTION_FACTORS": ["-factors"],
    }
    rows = []
    for one in found:
        options = [f"`{name}`" for flag in one.options().split(" | ") for name in names.get(flag, [])]
        usage = one.usage().removesuffix("?-option value ...?").strip()
        rows.append([f"`{before}{one.name} {usage}`".replace(" `", "`"), does(one), " ".join(options)])
    return table(["call", "result", "options"], rows)
