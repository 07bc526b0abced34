"""The options of calls in Java."""

from dataclasses import dataclass

from java_abi import camel

from border import Border, Described
from border.java.text import HEAD, functions, imports, javadoc, wrapped

#: What the documentation says of the value that is the default.
UNSET = {
    "count": "0 for",
    "bits": "0 for",
    "bytes": "0 for",
    "text": "null for none",
    "seconds": "zero for",
    "callback": "null for none",
}
OPTION_TYPES = {
    "count": "int",
    "bits": "long",
    "bytes": "long",
    "text": "String",
    "seconds": "Duration",
    "callback": "LongConsumer",
    "flag": "boolean",
    "number": "BigInteger",
}


@dataclass
class Setting:
    """An option of a call: a field, its part of a `with` method, and what the library is given."""

    option: Described
    #: The numbers that the library has for an option that is a number: some have two.
    names: list[str]

    @property
    def kind(self) -> str:
        return self.option.text("type")

    @property
    def any(self) -> bool:
        """Whether a negative number stands for any."""
        return self.option.row.get("default") == "any"

    @property
    def java(self) -> str:
        return "int" if self.any else OPTION_TYPES[self.kind]

    @property
    def field(self) -> str:
        start = (
            {"true": " = true"}.get(str(self.option.row.get("default")), "")
            if self.kind == "flag"
            else " = -1"
            if self.any
            else ""
        )
        kind = "long" if self.kind == "seconds" else self.java
        return "\n".join(f"    {kind} {name}{start};" for name in self.names)

    @property
    def isset(self) -> str:
        name = self.names[-1]
        if self.kind == "flag":
            return f"!{name}"
        return (
            f"{name} >= 0"
            if self.any
            else f"{name} != null"
            if self.kind in ("text", "number", "callback")
            else f"{name} > 0"
        )

    def assigned(self) -> list[str]:
        """What the `with` method does after it has made other options."""
        name = self.names[0]
        if self.kind == "seconds":
            return [f'other.{name} = Calls.notNegative("{name}", {name}.toMillis());', *rounded(name)]
        found = []
        if self.kind == "number":
            missing = f" || {name} == null" if len(self.names) > 1 else ""
            last = self.names[-1]
            asked = f"1 or more{', and a ' + name if missing else ''}"
            found = [
                f"if ({last} != null && ({last}.signum() <= 0{missing})) {{",
                f'    throw new IllegalArgumentException("{last} " + {last} + ": expected {asked}");',
                "}",
            ]
        elif self.java in ("int", "long") and not self.any:
            found = [f'Calls.notNegative("{name}", {name});']
        return found + [f"other.{one} = {one};" for one in self.names]

    def documented(self) -> list[str]:
        says = UNSET.get(self.kind, "")
        default = str(self.option.row.get("default", ""))
        if says.endswith("for"):
            says = f"{says} the default, {default}" if default else f"{says} the default"
        if self.kind == "flag":
            says = f"the default is {default}"
        elif self.any:
            says = "below 0 for any, which is the default"
        elif len(self.names) > 1:
            return [f"@param {self.names[0]} any number", f"@param {self.names[1]} 1 or more; null for none"]
        elif self.kind == "number":
            says = "1 or more; null for none"
        return [f"@param {self.names[0]} {says}"]

    def placed(self) -> tuple[list[str], list[str]]:
        """What stands before the call of the library, and the words that it gets."""
        if self.kind == "number":
            first, last = self.names[0], self.names[-1]
            values = [f"{first}.mod({last})" if len(self.names) > 1 and name == first else name for name in self.names]
            lines = []
            for name, value in zip(self.names, values, strict=True):
                lines += [f"long {name}At = scratch.number({value});", f"int {name}Length = scratch.length;"]
            return lines, [word for name in self.names for word in (f"{name}At", f"{name}Length")]
        name = self.names[0]
        return [], [
            f"scratch.text({name})" if self.kind == "text" else f"{name} ? 1 : 0" if self.kind == "flag" else name
        ]


def rounded(name: str) -> list[str]:
    return [f"if (other.{name} == 0 && !{name}.isZero()) {{", f"    other.{name} = 1; // 0 is no limit", "}"]


def options(border: Border) -> str:
    by_name = functions()
    withs: dict[str, list[Setting]] = {}
    setters: dict[str, list[Setting]] = {}
    for option in border.options:
        for java in option.names("java"):
            setter = by_name[f"options_set_{option.names('c')[0]}"]
            lengths = [one.name.removesuffix("_len") for one in setter.arguments if one.name.endswith("_len")]
            names = [camel(option.name)] if len(lengths) < 2 else [camel(name) for name in lengths]
            setting = Setting(option, names)
            withs.setdefault(java, []).append(setting)
            if option.text("type") != "callback":
                setters.setdefault(setter.java_name, []).append(setting)
    all_settings = [one for group in withs.values() for one in group]
    copied = "\n".join(f"        {name} = other.{name};" for one in all_settings for name in one.names)
    fields = "\n".join(one.field for one in all_settings)
    text = f"""/** Settings of calls. They never change: each {{@code with}} method returns others. */
public final class Options {{
    /** The settings of calls that name none. */
    public static final Options DEFAULT = new Options();

{fields}

    private Options() {{}}

    private Options(Options other) {{
{copied}
    }}

    /** Gives the library what differs from the default. */
    void give(Native library, Scratch scratch, long options) {{
{chr(10).join(given(name, group) for name, group in setters.items())}
    }}

    /**
     * Returns the settings that are not the default ones.
     *
     * @return a text for people, which may change
     */
    @Override
    public String toString() {{
        Shown shown = new Shown("Options");
{chr(10).join(shown(one) for one in all_settings)}
        return shown.toString();
    }}

{chr(10).join(with_method(name, group) for name, group in withs.items())}}}
"""
    return f"{HEAD}package org.pingala;\n\n{imports(text)}\n{text}"


def shown(setting: Setting) -> str:
    """What adds an option to the text of the options."""
    values = {"seconds": 'timeout + " ms"', "callback": '"..."'}
    added = [f'    shown.add("{name}", {values.get(setting.kind, name)});' for name in setting.names]
    return "\n".join(wrapped(line, 8) for line in [f"if ({setting.isset}) {{", *added, "}"])


def given(setter: str, group: list[Setting]) -> str:
    lines, words = [], []
    for one in group:
        before, given_words = one.placed()
        lines += before
        words += given_words
    lines.append(f"scratch.check(library.{setter}({', '.join(['options', *words])}));")
    inside = "\n".join(wrapped(line, 12) for line in lines)
    return f"        if ({' || '.join(one.isset for one in group)}) {{\n{inside}\n        }}"


def with_method(name: str, group: list[Setting]) -> str:
    does = []
    for one in group:
        first, _, rest = one.option.does.partition(" ")
        begins = {"The": "Sets the", "Whether": "Sets whether", "Gets": "Sets who gets", "Random": "Sets that random"}
        does.append(f"{begins.get(first, first)} {rest}")
        does += [str(one.option.row[key]) for key in ("java_says",) if key in one.option.row]
    documented = [line for one in group for line in one.documented()]
    parameters = ", ".join(f"{one.java} {name}" for one in group for name in one.names)
    lines = ["Options other = new Options(this);", *(line for one in group for line in one.assigned()), "return other;"]
    body = "\n".join(wrapped(line, 8) for line in lines)
    head = wrapped(f"public Options {name}({parameters}) {{", 4)
    return f"{javadoc([' '.join(does), '', *documented, '@return other options'])}\n{head}\n{body}\n    }}\n"
