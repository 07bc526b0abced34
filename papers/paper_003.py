"""Großschädl, Avanzi, Savaş and Tillich, 2005: counts and energy of modular products on an ARM processor.

Nothing here is timed: the lab's program `counts` executes the counts, and `papers.energy` prices them.
"""

import json
import shutil
from typing import Any

from . import energy as model
from . import koc_acar_kaliski
from .energy import BASELINES, BITS, CLAIMED, LOADS, METHODS, ROOT
from .paper import Budget, Claim, NotMeasuredError, Record, Table, judged
from .plots import Bars, Lines, Plot, Series

SOURCE = "Johann Großschädl, Roberto M. Avanzi, Erkay Savaş, Stefan Tillich, CHES 2005."
SUMMARY = (
    "Counts the multiplications, additions, loads and stores of long products (schoolbook, Comba, Karatsuba) and "
    "of Montgomery's reduction, and prices them by the cycles and the current of each instruction on a StrongARM "
    "SA-1100. Karatsuba on Comba leaves for all products of a Montgomery product (KCM) comes out best. Only the "
    "abstract and the references were at hand."
)

# Instructions of the same texts compiled for ARM, counted under qemu-user by `make -C lab arm-counts`.
ARM = ROOT / "crates/pingala-lab/arm/counts.json"

WORDS = 32
# The paper's processor.
PROCESSOR = "StrongARM SA-1100"
# What we take "about" for, in per cent.
ABOUT = 3.0
NAMES = {
    "sos": "SOS",
    "cios": "CIOS",
    "fios": "FIOS",
    "fips": "FIPS",
    "cihs": "CIHS",
    "separated_comba": "Comba, then Montgomery",
    "karatsuba_comba": "Karatsuba-Comba, then Montgomery by columns",
    "kcm": "KCM",
}
# The prices of the ARM counts' classes: the class of the model, and cycles if they are not the model's. A
# branch that is taken takes two.
ARM_CLASSES: dict[str, tuple[str, float | None]] = {
    **dict.fromkeys(("mul", "umull", "umlal"), ("multiply", None)),
    **dict.fromkeys(("add", "index", "shift", "move", "logic", "compare", "other"), ("add", None)),
    "branch": ("add", 2.0),
    **dict.fromkeys(("load", "load_stack"), ("load", None)),
    **dict.fromkeys(("store", "store_stack"), ("store", None)),
}
# The texts whose counts are shown.
SHOWN = [
    "schoolbook(tile=1)",
    "comba",
    "karatsuba(leaf=16)",
    "karatsuba(leaf=8)",
    "karatsuba(leaf=4)",
    "sos(tile=1)",
    "cios",
    "fios",
    "fips",
    "cihs",
    "separated_comba",
    "karatsuba_comba(leaf=8)",
    "kcm(leaf=16)",
    "kcm(leaf=8)",
    "kcm(leaf=4)",
]


def measure(budget: Budget) -> Record:
    """Runs the lab's program and keeps what the tables and claims need."""
    if shutil.which("cargo") is None:
        raise NotMeasuredError("there is no `cargo`")
    counts = model.executed()
    record: Record = {
        "left_out": [],
        "baseline": model.BASELINE,
        "counts": [with_sums(row) for row in counts["products"] if row["text"] in SHOWN and row["bits"] == BITS],
        "memory_machine": koc_acar_kaliski.table(WORDS),
        **model.record(counts),
    }
    if ARM.exists():
        record["arm"] = arm_rows(json.loads(ARM.read_text(encoding="utf-8")))
    else:
        record["left_out"].append("Counts of compiled ARM code: there is no record of them.")
    return record


def with_sums(row: dict[str, Any]) -> dict[str, Any]:
    """A text's row with sums of its instructions by both profiles; turns of loops are no instructions."""
    made = dict(row)
    for profile in ("risc", "arm"):
        made[profile] = found = dict(row[profile])
        found["total"] = sum(found.values()) - found["turns"]
        found["multiplications"] = sum(found[name] for name in ("multiply", "multiply_low", "multiply_accumulate"))
        found["additions"] = found["add"] + found["add_carry"]
    return made


def arm_rows(counts: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the ARM counts whose products are shown."""
    keys = ("text", "counts")
    return [
        {key: row[key] for key in keys}
        for row in counts["rows"]
        if row["words"] == WORDS and row["operation"] == "mul" and row["text"] in SHOWN
    ]


def energy(record: Record, method: str, loads: int, bits: int = BITS, processor: str = PROCESSOR) -> float:
    found = record["processors"][processor]["loads"][str(loads)]["products"][str(bits)]
    return float(found[method]["microjoule"])


def saved(ours: float, other: float) -> float:
    """Per cent."""
    return 100 * (1 - ours / other)


def saving(record: Record, method: str, against: str, loads: int, bits: int = BITS) -> float:
    return saved(energy(record, method, loads, bits), energy(record, against, loads, bits))


def arm_energy(record: Record, counts: dict[str, int], loads: int) -> float:
    """Microjoule of counted ARM instructions at the prices of the model."""
    numbers = record["processors"][PROCESSOR]["numbers"]

    def value(name: str) -> float:
        return float(numbers[name]["value"])

    charge = 0.0
    for name, count in counts.items():
        model, cycles = ARM_CLASSES[name]
        if cycles is None:
            cycles = float(loads) if model == "load" else value(f"cycles of {model}")
        charge += count * cycles * value(f"ampere of {model}")
    return value("volts") / value("megahertz") * charge


def arm_best(record: Record, name: str, loads: int) -> float | None:
    """The least energy of the texts of this name."""
    rows = [row for row in record.get("arm", []) if row["text"].partition("(")[0] == name]
    return min((arm_energy(record, row["counts"], loads) for row in rows), default=None)


def between_loads(record: Record, against: str) -> float:
    """What KCM saves: the mean of the savings with loads of one cycle and of two, as real code has some of each."""
    return sum(saving(record, "kcm", against, loads) for loads in LOADS) / 2


def arm_saving(record: Record, against: str) -> float | None:
    """What KCM saves on compiled ARM code, the mean as above."""
    pairs = [(arm_best(record, "kcm", loads), arm_best(record, against, loads)) for loads in LOADS]
    known = [saved(ours, other) for ours, other in pairs if ours and other]
    return sum(known) / 2 if len(known) == 2 else None


def arm(record: Record) -> Table:
    counted_word = {row["text"]: row["arm"] for row in record["counts"] if row["operation"] == "mul"}
    rows = []
    for row in record["arm"]:
        text, counts = row["text"], row["counts"]
        ours = counted_word[text]
        pairs = (
            (counts["mul"] + counts["umull"] + counts["umlal"], ours["multiplications"]),
            (counts["add"], ours["additions"]),
            (counts["load"], ours["load"]),
            (counts["store"], ours["store"]),
        )
        cells = [f"{counted:,} / {expected:,}" for counted, expected in pairs]
        spilled = f"{counts['load_stack']:,} + {counts['store_stack']:,}"
        prices = [f"{arm_energy(record, counts, loads):.1f}" for loads in LOADS]
        rows.append([f"`{text}`", *cells, spilled, *prices])
    return Table(
        f"Compiled for ARMv4, counted under qemu, next to the counting word: a product of {BITS:,} bits",
        ("product", "multiplications", "additions", "loads", "stores", "loads + stores of the stack",
         "microjoule, loads of 1 cycle", "of 2 cycles"),
        rows,
        "Left of the stroke what qemu executed, right the counting word with the profile of a multiplication that "
        "adds. The energy has moves, addresses, comparisons, branches and the stack too.",
    )  # fmt: skip


def tables(record: Record) -> list[Table]:
    return [
        counted(record),
        *([arm(record)] if "arm" in record else []),
        memory_machine(record),
        savings(record),
        by_length(record),
        others(record),
        sweep(record),
        crossovers(record),
        powers(record),
        prices(record),
    ]


def counted(record: Record) -> Table:
    keys = ("multiplications", "additions", "load", "store", "select", "total")
    rows = [
        [f"`{row['text']}`, {row['operation']}", *(f"{row['risc'][key]:,}" for key in keys)]
        for operation in ("mul", "sqr")
        for text in SHOWN
        for row in record["counts"]
        if (row["text"], row["operation"]) == (text, operation)
    ]
    return Table(
        f"Instructions of a product of {BITS:,} bits, words of 32 bits: executed",
        ("product", "multiplications", "additions", "loads", "stores", "selections", "all"),
        rows,
        "The texts that ship, run over a counting word; papers/counting.md has the formulas, which the counts equal. "
        "Montgomery products include the final subtraction.",
    )


def memory_machine(record: Record) -> Table:
    def cell(row: dict[str, Any], key: str) -> str:
        difference = row["difference"][key]
        return f"{row['counted'][key]:,}" + (f" ({difference:+,})" if difference else "")

    keys = ("multiplications", "additions", "reads", "writes")
    rows = [[f"`{row['text']}`", *(cell(row, key) for key in keys)] for row in record["memory_machine"]]
    return Table(
        f"On the memory machine of Koç, Acar and Kaliski (1996), {BITS:,} bits",
        ("organisation", *keys),
        rows,
        "Executed; what differs from their table is in parentheses. CIHS as published loses carries.",
    )


def savings(record: Record) -> Table:
    def cells(method: str, loads: int) -> list[str]:
        savings = [f"{saving(record, of, method, loads):+.1f}" for of in ("kcm", "karatsuba_comba")]
        return [f"{energy(record, method, loads):.2f}", *savings]

    return Table(
        f"Energy of a product of {BITS:,} bits on the SA-1100, microjoule, and what is saved, per cent",
        ("against", "loads of 1 cycle", "KCM saves", "Karatsuba-Comba saves", "loads of 2 cycles", "KCM saves ",
         "Karatsuba-Comba saves "),
        [[NAMES[method], *(cell for loads in LOADS for cell in cells(method, loads))] for method in METHODS],
        record["baseline"],
    )  # fmt: skip


def others(record: Record) -> Table:
    """The other processors, and all processors with a multiplication that adds."""
    products = {
        f"{name}, {loads}": {method: energy(record, method, loads, processor=name) for method in METHODS}
        for name in record["processors"]
        if name != PROCESSOR
        for loads in LOADS
    }
    for name, variants in record["adding"].items():
        for loads, methods in variants.items():
            products[f"{name}, {loads}, `umlal`"] = {method: methods[method]["microjoule"] for method in METHODS}
    return Table(
        f"Energy of a product of {BITS:,} bits elsewhere, microjoule, and what KCM saves against it, per cent",
        ("processor, cycles of a load", *(NAMES[method] for method in METHODS)),
        [[what, *(f"{value:.2f} ({saved(spent['kcm'], value):+.1f})" for value in spent.values())]
         for what, spent in products.items()],
        "With `umlal` a multiplication adds its product to two words, as ARM has it: profile `arm` of the same counts.",
    )  # fmt: skip


def by_length(record: Record) -> Table:
    found = record["processors"][PROCESSOR]["loads"]["1"]["products"]
    lengths = [bits for bits in sorted(map(int, found)) if bits & (bits - 1) == 0 or bits % 1024 == 0 or bits == 768]
    pairs = [(against, loads) for against in ("cios", "fips") for loads in LOADS]
    return Table(
        "What KCM saves by length on the SA-1100, per cent",
        ("bits", "against CIOS, loads of 1 cycle", "of 2", "against FIPS, loads of 1 cycle", "of 2"),
        [[f"{bits:,}", *(f"{saving(record, 'kcm', *pair, bits):+.1f}" for pair in pairs)] for bits in lengths],
    )


def sweep(record: Record) -> Table:
    def row(point: dict[str, Any]) -> list[str]:
        cycles = [f"{point[key]:g}" for key in ("multiply_cycles", "load_cycles")]
        return [*cycles, *(f"{point['kcm_saves_percent'][key]:+.1f}" for key in ("cios", "best_baseline"))]

    return Table(
        f"What KCM saves at {BITS:,} bits on the SA-1100 with another multiplier, per cent",
        ("cycles of a multiplication", "cycles of a load", "against CIOS", "against the best baseline"),
        [row(point) for point in record["processors"][PROCESSOR]["sweep"]],
    )


def crossovers(record: Record) -> Table:
    rows = []
    for loads, variant in record["processors"][PROCESSOR]["loads"].items():
        for row in variant["crossovers"]:
            cells = [f"{bits:,}" if bits else "not up to 4,096" for bits in (row["first_bits"], row["stays_from_bits"])]
            rows.append([f"{NAMES[row['of']]} below {NAMES[row['against']]}", loads, *cells])
    return Table(
        "Crossovers on the SA-1100, bits",
        ("less energy", "cycles of a load", "first at", "for good from"),
        rows,
        "Found among all lengths of 256 to 4,096 bits in steps of 64, each product with its best leaf.",
    )


def powers(record: Record) -> Table:
    rows = []
    for bits, methods in record["processors"][PROCESSOR]["loads"]["1"]["powers"].items():
        for method in METHODS:
            row = methods[method]
            cells = [f"`{row['algorithm']}`", f"{row['squarings']} + {row['products']}", f"{row['millijoule']:.1f}"]
            gain = saved(row["millijoule"], methods["cios"]["millijoule"])
            rows.append([f"{int(bits):,} bits, {NAMES[method]}", *cells, f"{gain:+.1f}"])
    return Table(
        "Whole exponentiations on the SA-1100, loads of one cycle",
        ("", "algorithm", "squarings + products", "millijoule", "saves against CIOS, per cent"),
        rows,
        "Squarings are squarings if the organisation has one: that gains more than KCM does.",
    )


def prices(record: Record) -> Table:
    rows = [
        [f"{processor}: {name}", f"{number['value']:g}", "assumed" if number["assumed"] else "stated", number["source"]]
        for processor, entry in record["processors"].items()
        for name, number in entry["numbers"].items()
    ]
    return Table("Where each number of the model comes from", ("number", "value", "", "source"), rows)


def claims(record: Record) -> list[Claim]:
    def about(text: str, figure: float | None) -> Claim:
        what = "saving in per cent, between loads of 1 and 2 cycles"
        return judged("Abstract", text, figure, what, low=CLAIMED - ABOUT, high=CLAIMED + ABOUT, show="{:.1f}")

    best = min(BASELINES, key=lambda name: energy(record, name, 1))
    differences = [
        abs(value)
        for row in record["memory_machine"]
        if row["text"] != "cihs_mended"
        for value in row["difference"].values()
    ]
    return [
        *(about(f"A KCM product of 1,024 bits takes about {CLAIMED:.0f}% less energy than other techniques; taken "
                f"against {NAMES[against]}.", between_loads(record, against)) for against in BASELINES),
        *(about(f"The same on compiled ARM code, taken against {NAMES[against]}.", arm_saving(record, against))
          for against in BASELINES),
        judged("Abstract", "KCM is better than other algorithms for modular multiplication: at 1,024 bits, than the "
               "best that does not use Karatsuba.", saving(record, "kcm", best, 1),
               f"saving against {NAMES[best]} in per cent, loads of 1 cycle", low=0, show="{:.1f}"),
        judged("Abstract", "The same, than a Karatsuba-Comba product with a plain reduction.",
               saving(record, "kcm", "karatsuba_comba", 1), "saving in per cent, loads of 1 cycle",
               low=0, show="{:.1f}"),
        judged("Reference 14", "The counts of SOS, CIOS, FIOS, FIPS and CIHS that Koç, Acar and Kaliski publish.",
               float(max(differences)), "largest difference of an executed count", low=0, high=0, show="{:.0f}"),
    ]  # fmt: skip


def plots(record: Record) -> list[Plot]:
    loads = record["processors"][PROCESSOR]["loads"]["1"]
    lengths = [int(bits) for bits in loads["products"]]
    series = [
        Series(NAMES[name], [(bits, energy(record, name, 1, bits) / (bits / 32) ** 2) for bits in lengths])
        for name in ("cios", "fips", "karatsuba_comba", "kcm")
    ]
    marks = [
        (float(row["stays_from_bits"]), f"KCM below {NAMES[row['against']]}")
        for row in loads["crossovers"]
        if row["of"] == "kcm" and row["against"] in ("cios", "fips") and row["stays_from_bits"]
    ]
    points = [point for point in record["processors"][PROCESSOR]["sweep"] if point["load_cycles"] == 1]
    sweep = [
        Series(label, [(point["multiply_cycles"], point["kcm_saves_percent"][key]) for point in points])
        for label, key in (("against CIOS", "cios"), ("against the best baseline", "best_baseline"))
    ]
    bars = [(NAMES[name], energy(record, name, 1)) for name in METHODS]
    return [
        Lines("003-energy", "Energy of a product against length, SA-1100", "bits", "microjoule / words squared", series,
              x_log=True, marks=marks),
        Lines("003-sweep", f"What KCM saves at {BITS:,} bits", "cycles of a multiplication", "per cent", sweep),
        Bars("003-products", f"Energy of a product of {BITS:,} bits, SA-1100", "microjoule", [("", bars)]),
    ]  # fmt: skip
