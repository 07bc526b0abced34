"""JavaScript: numbers of operations, rows of calls and their options, and the types of what comes from rows."""

import json
import re

from border import TOP, Border, BorderError, Call
from border.pages import table

OPERATIONS = "crates/pingala-js/src/calls/mod.rs"
HEAD = "// Written by `make border` from border/ and crates/pingala-js/src/calls/mod.rs; do not edit.\n\n"

#: Operands that rows.js reads, and their types.
TYPES = {
    "number": "Integer",
    "numbers": "Iterable<Integer>",
    "either": "Iterable<Integer> | Integer",
    "lists": "Iterable<Iterable<Integer>>",
    "count": "number",
    "text": "string",
    "proof": "string",
    "proofs": "Iterable<string>",
    "factored": "Integer | Modulus<Integer>",
}

#: What answers are in JavaScript; M is the type of the modulus, E that of the option `errors`.
ANSWERS = {
    "residue": "Residue<M>",
    "residues": "Array<Element<M, E>>",
    "number": "bigint",
    "list number": "bigint[]",
    "list residue": "bigint[]",
    "symbol": "-1 | 0 | 1",
    "symbols": "Array<-1 | 0 | 1>",
    "truth": "boolean",
    "truths": "boolean[]",
    "text": "string",
    "explanation": "string",
    "pair residue proof": "{ result: Residue<M>, proof: string }",
}

#: Every call has them. The other form of a call has `progress`.
ALWAYS = ("threads", "max_exponent_bits")


def rows(border: Border) -> list[Call]:
    return [call for call in border.calls if call.names("js") and call.text("js_by", "row") == "row"]


def options_of(call: Call, border: Border, *more: str) -> list[str]:
    """The names of its options, in the order of options.toml."""
    wanted = {*ALWAYS, *call.options, *more} - {"progress"}
    return [name for option in border.options if option.name in wanted for name in option.names("js")]


def files(border: Border) -> dict[str, str]:
    crate = (TOP / OPERATIONS).read_text(encoding="utf-8")
    numbers = re.findall(r"^    (\d+) => ([A-Z_]+) ", crate, re.MULTILINE)
    operations = "".join(f"export const {name} = {number}\n" for number, name in numbers)
    known = {name for _, name in numbers}
    lines = []
    for call in rows(border):
        operation = call.text("js_operation", call.name.upper())
        if operation not in known:
            raise BorderError(f"{call.name}: {OPERATIONS} has no operation {operation}")
        takes = []
        for operand in call.takes_in("js"):
            if operand.kind not in TYPES:
                raise BorderError(f"{call.name}: rows of JavaScript read no {operand.kind!r}")
            default: list[object] = (
                [] if operand.default is None else [int(operand.default) if operand.kind == "count" else []]
            )
            takes.append([operand.name, operand.kind, *default])
        row: dict[str, object] = {
            "name": call.name,
            "operation": operation,
            "on": "modulus"
            if call.subject == "modulus" or all("." in name for name in call.names("js"))
            else call.subject,
            "takes": takes,
            "gives": " ".join(filter(None, call.gives)),
            "names": call.names("js"),
        }
        if call.row.get("whole"):
            row["whole"] = True
        lines.append(f"  {literal(row)}")
    options = ",\n".join(
        f"  {call.name}: {literal(options_of(call, border))}" for call in border.calls if call.names("js")
    )
    names = [name for call in rows(border) for name in call.names("js") if "." not in name]
    return {
        "js/src/generated/operations.js": HEAD + operations,
        "js/src/generated/calls.js": (
            f"{HEAD}/** The options of each call. */\nexport const OPTIONS = {{\n{options}\n}}\n\n"
            "/** The calls that rows.js makes. */\nexport const CALLS = [\n" + ",\n".join(lines) + "\n]\n"
        ),
        "js/src/generated/functions.js": (
            f"{HEAD}import {{ FUNCTIONS }} from '../rows.js'\n\nexport const {{\n  "
            + ",\n  ".join(f"{name}, {name}Async" for name in names)
            + "\n} = FUNCTIONS\n"
        ),
    }


def literal(value: object) -> str:
    """A value as JavaScript writes it: single quotes, names without any."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key}: {literal(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, str):
        return f"'{value}'"
    return json.dumps(value)


# --- types ----------------------------------------------------------------------------------------------------------


def sections(border: Border) -> dict[tuple[str, str], str]:
    functions, methods = "", ""
    for call in rows(border):
        for name in call.names("js"):
            owner, _, called = name.rpartition(".")
            if owner == "Modulus":
                methods += comment(call, "  ") + declared(call, called, border, "  ", method=True)
            elif not owner:
                functions += comment(call, "") + declared(call, name, border, "", method=False)
    return {
        ("js/index.d.ts", "options"): option_types(border),
        ("js/index.d.ts", "functions"): functions,
        ("js/index.d.ts", "methods"): methods,
        ("docs/javascript.md", "javascript calls"): table_of_calls(border),
        ("docs/javascript.md", "javascript options"): table_of_options(border),
    }


def table_of_calls(border: Border) -> str:
    """A row for each call: how it is written, and what it does."""
    rows = []
    for _, calls in border.works:
        for call in calls:
            if call.names("js"):
                rows.append(
                    [", ".join(written(call, name) for name in call.names("js")), call.text("js_does", call.does)]
                )
    return table(["call", "what it does"], rows)


def written(call: Call, name: str) -> str:
    """A call with its operands, if they are those of the row."""
    if call.text("js_by", "row") != "row":
        return f"`{name}`"
    operands = [operand.name for operand in call.takes_in("js")]
    if "." not in name and call.subject == "modulus":
        operands.append("modulus")
    return f"`{name}({', '.join(operands)})`"


def table_of_options(border: Border) -> str:
    """A row for each option that rows name, with its default."""
    rows = []
    for option in border.options:
        if option.row.get("js_type") != "none" and option.names("js"):
            sentence = option.text("js_does", option.does)
            says = "default" not in option.row or "default" in sentence
            default = "" if says else f" By default {option.text('default')}."
            rows.append(
                [", ".join(f"`{name}`" for name in option.names("js")), option.text("js_does", option.does) + default]
            )
    return table(["option", "what it does"], rows)


def option_types(border: Border) -> str:
    kinds = {
        "text": "string",
        "count": "number",
        "bits": "number",
        "bytes": "number",
        "seconds": "number",
        "flag": "boolean",
        "number": "Integer",
    }
    text = "/** Every setting of calls; each call has some of them. */\nexport interface AllOptions {\n"
    for option in border.options:
        for name in option.names("js"):
            if (
                name in ("errors", "onProgress")
                or option.text("type") not in kinds
                or option.row.get("js_type") == "none"
            ):
                continue
            default = f" By default {option.text('default')}." if "default" in option.row else ""
            text += (
                f"  /** {option.text('js_does', option.does)}{default} */\n  {name}?: {kinds[option.text('type')]}\n"
            )
    return text + "}\n"


def comment(call: Call, indent: str) -> str:
    sentence = call.text("js_does", call.does).rstrip(".")
    return f"{indent}/** {sentence}. */\n"


def declared(call: Call, name: str, border: Border, indent: str, *, method: bool) -> str:
    parameters = [
        f"{operand.name}{'?' if operand.default else ''}: {TYPES[operand.kind]}" for operand in call.takes_in("js")
    ]
    residues = call.gives[0] in ("residue", "residues", "pair")
    alone = call.gives == ("number", "") and [operand.kind for operand in call.takes] == ["number"]
    modular = "N" if method or call.subject == "modulus" else None
    if not method and call.subject == "modulus":
        parameters.append("modulus: N | Modulus<N>")
    own = call.subject == "modulus" and not method
    names = [name for name in options_of(call, border, *["max_modulus_bits"] * own) if name != "errors"]
    options = "Pick<AllOptions, " + " | ".join(f"'{one}'" for one in names) + ">"
    many = "errors" in call.options
    generics = ["N extends Integer"] if modular and not method and residues else []
    if many:
        generics.append("E extends ErrorsOf = 'throw'")
        options += " & { errors?: E }"
    if alone:
        generics, parameters[0] = ["N extends Integer"], parameters[0].replace("Integer", "N")
    answer = (
        "Residue<N>" if alone else ANSWERS[" ".join(filter(None, call.gives))].replace("<M", f"<{modular or 'bigint'}")
    )
    if not many:
        answer = answer.replace("Element<N, E>", "Residue<N>").replace("Element<bigint, E>", "bigint")
    answer = answer.replace("Residue<bigint>", "bigint")
    shown = f"<{', '.join(generics)}>" if generics else ""
    start = indent if method else "export function "
    text = ""
    for suffix, more, wrapped in (("", "", answer), ("Async", " & Later", f"Promise<{answer}>")):
        text += f"{start}{name}{suffix}{shown} ({', '.join([*parameters, f'options?: {options}{more}'])}): {wrapped}\n"
    return text
