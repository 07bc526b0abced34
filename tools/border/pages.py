"""The tables of the pages."""

from border import BINDINGS, Border

TITLES = {
    "python": "Python",
    "rust": "Rust",
    "c": "C: `pingala_...`",
    "go": "Go",
    "java": "Java",
    "js": "JavaScript",
    "tcl": "Tcl",
    "command": "command",
}


def sections(border: Border) -> dict[tuple[str, str], str]:
    return {("docs/workloads.md", "which call"): which_call(border), ("docs/workloads.md", "options"): options(border)}


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |") for cells in lines)


def which_call(border: Border) -> str:
    """A row for each work, with the names of its calls in every binding."""
    rows = []
    for title, calls in border.works:
        cells = []
        for binding in BINDINGS:
            names = [shown(name, binding) for call in calls for name in call.names(binding)]
            cells.append(", ".join(dict.fromkeys(f"`{name}`" for name in names)))
        rows.append([title, *cells])
    return table(["you have", *TITLES.values()], rows)


def shown(name: str, binding: str) -> str:
    """A name as a user of that binding writes it."""
    if binding == "go":
        return name.replace("Modulus.", "m.")
    if binding == "tcl" and name.startswith("modulus ") and name != "modulus create":
        return name.replace("modulus", "$m")
    return name


def options(border: Border) -> str:
    """A row for each option, with its name in every binding; a reason where there is none."""
    rows = []
    for option in border.options:
        cells = []
        for binding in BINDINGS:
            names = option.names(binding)
            cells.append(", ".join(f"`{name}`" for name in names) if names else option.absent(binding) or "")
        default = f" Default: {option.text('default')}." if "default" in option.row else ""
        rows.append([option.does + default, *cells])
    return table(["what it does", *TITLES.values()], rows)
