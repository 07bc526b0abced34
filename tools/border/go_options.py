"""The options of Go: the fields of the type, and what sets those that are values."""

import textwrap

import go_abi

from border import Border, Described
from border.go_method import lower


def options(border: Border) -> str:
    """The type of the options, and what sets those that are no more than values."""
    functions = go_abi.by_name()
    fields, sets = [], []
    pairs: dict[str, list[str]] = {}
    for option in border.options:
        for name in option.names("go"):
            setter = (
                functions.get(f"options_set_{option.text('c')}_limbs") or functions[f"options_set_{option.text('c')}"]
            )
            kind = field_type(option, setter)
            comment = (
                option.row.get("go_does") or f"{name}: {lower(option.does).removesuffix('.')}{default(option, kind)}."
            )
            fields += [
                *textwrap.wrap(str(comment), 120, initial_indent="\t// ", subsequent_indent="\t// "),
                f"\t{name} {kind}",
            ]
            if option.text("type") == "callback":
                continue
            pairs.setdefault(setter.go_name(), []).append(name)
            if len(pairs[setter.go_name()]) == len(setter.names) - 1:
                sets += setting(option, pairs[setter.go_name()], setter, kind)
    lines = [
        "// Options are settings of calls. The zero value has the defaults.",
        "type Options struct {",
        *fields,
        "}",
        "",
    ]
    lines += [
        "// setValues sets the options that are values.",
        "func (s *session) setValues(o *Options) error {",
        *sets,
        "\treturn nil",
        "}",
        "",
    ]
    return "\n".join(lines)


def field_type(option: Described, setter: go_abi.Function) -> str:
    kinds = {"text": "string", "flag": "bool", "number": "*big.Int", "callback": "*atomic.Uint64"}
    return kinds.get(option.text("type")) or setter.parameters[1].split()[1]


def default(option: Described, kind: str) -> str:
    none = {"string": '""', "*big.Int": "nil"}.get(kind, "0")
    return f"; {none} for {option.text('default', 'none')}"


def setting(option: Described, names: list[str], setter: go_abi.Function, kind: str) -> list[str]:
    """The lines that set an option, or two by one setter, unless they have the default."""
    name, call = names[0], f"abi.{setter.go_name()}"
    if kind == "string":
        return [f"\tif err := s.setText(o.{name}, {call}); err != nil {{", "\t\treturn err", "\t}"]
    if kind == "*big.Int":
        return [f'\tif err := s.setNumber("{name}", o.{name}, {call}); err != nil {{', "\t\treturn err", "\t}"]
    if kind == "bool":
        value = "0" if option.text("default") == "true" else "1"
        return [f"\tif o.{name} {{", f"\t\t{call}(s.options, {value})", "\t}"]
    # These setters fail for NULL only.
    lines = []
    if kind == "int":
        lines += [
            f"\tif o.{name} < 0 {{",
            f'\t\treturn badArgument("{name} is %d; expected a positive number, or 0", o.{name})',
            "\t}",
        ]
    if zero := option.row.get("go_zero"):
        return [*lines, f"\t{call}(s.options, cmp.Or(o.{name}, {zero}))"]
    given = " || ".join(f"o.{one} > 0" for one in names)
    return [*lines, f"\tif {given} {{", f"\t\t{call}(s.options, {', '.join(f'o.{one}' for one in names)})", "\t}"]
