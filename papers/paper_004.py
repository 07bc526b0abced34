"""Tandrup, Jensen, Andersen and Hansen, 2004: general methods, fixed bases and addition chains, in Standard ML."""

from .libraries import READ
from .measure_004 import (
    BASE_BITS,
    BOUNDS_TO,
    BREAK_EVEN_PRINTED,
    CHAIN_METHODS,
    EUCLIDEAN,
    FIXED_BITS,
    FIXED_PRINTED,
    GENERAL,
    GENERAL_BITS,
    LEFT_TO_RIGHT,
    MODULUS_BITS,
    PRECOMPUTATION_PRINTED,
    RIGHT_TO_LEFT,
    TABLES,
    WINDOW,
    measure,
)
from .paper import Claim, Paper, Record, Table, figure, judged, milliseconds
from .plots import Bars, Lines, Plot, Series


def total(record: Record, base_bits: int, name: str) -> float:
    row = record["general"][str(base_bits)]["methods"][name]
    return float(row["precomputation"] + row["computation"])


def general_table(record: Record, base_bits: int) -> Table:
    rows = []
    found = record["general"][str(base_bits)]
    for name, (_, _, plan, printed) in GENERAL.items():
        row, count = found["methods"][name], record["products"][name]
        rows.append([
            name,
            f"{1000 * printed[0]:.0f} + {1000 * printed[1]:.0f}" if printed else "-",
            f"{milliseconds(row['precomputation'])} + {milliseconds(row['computation'])}",
            f"{count['precomputation']:,} + {count['computation']:,}",
            milliseconds(row["Pingala"]),
            f"`{plan}`",
        ])  # fmt: skip
    return Table(
        f"Table 2.3, ms: base of {base_bits:,} bits, exponent of {GENERAL_BITS:,}, modulus of {MODULUS_BITS:,}",
        ("precomputation + computation", "printed", "plain Python", "products", "Pingala, this method", "its plan"),
        rows,
        f"Pingala left to choose takes {milliseconds(found['planner'])} ms. The report gave size 16 up.",
    )


def break_even(precomputation: float, without: float, with_table: float) -> float:
    """From how many powers on the table has paid."""
    return precomputation / (without - with_table) if without > with_table else float("inf")


def fixed_table(record: Record) -> list[Table]:
    fixed = record["fixed"]
    times, counts, made = fixed["nanoseconds"], fixed["products"], fixed["precomputation"]
    rows = [
        [name, f"{1000 * FIXED_PRINTED[name]:.0f}", milliseconds(times[name]),
         f"{counts[name]:,}" if name in counts else "-"]
        for name in FIXED_PRINTED
    ]  # fmt: skip
    rows.append(["precomputation one by one", f"{1000 * PRECOMPUTATION_PRINTED:,.0f}",
                 milliseconds(made["one by one"]), f"{counts['one by one']:,}"])  # fmt: skip
    rows.append(["precomputation in turn", "-", milliseconds(made["in turn"]), f"{counts['in turn']:,}"])
    plain_rows = Table(
        f"Table 4.1: a fixed base of {BASE_BITS} bits, exponent of {FIXED_BITS:,}, modulus of {MODULUS_BITS:,}",
        ("", "printed, ms", "plain Python, ms", "products"),
        rows,
        f"The exponent has {fixed['digits']:,} decimal digits, which is what t = 2000 means. One by one, each entry is "
        "a power of the base (timed for every 123rd entry); in turn, each is the tenth power of the one before.",
    )
    ours = [
        [label, f"`{row['plan']}`", f"{row['entries']:,}", f"{row['bytes'] / 1024:,.0f}", milliseconds(row["build"]),
         milliseconds(fixed["pingala"][label]),
         f"{break_even(row['build'], fixed['pingala']['no table'], fixed['pingala'][label]):.1f}"]
        for label, row in fixed["tables"].items()
    ]  # fmt: skip
    ours.append(["no table", "-", "-", "-", "-", milliseconds(fixed["pingala"]["no table"]), "-"])
    pingala_rows = Table(
        "The same numbers with Pingala",
        ("table", "plan", "entries", "KiB", "to build, ms", "a power, ms", "pays from this many powers on"),
        ours,
        "To build includes what the modulus needs once.",
    )
    evens = [
        ["printed", f"{BREAK_EVEN_PRINTED:,}"],
        ["plain Python, table one by one", f"{evens_of(record)['one by one']:,.0f}"],
        ["plain Python, table in turn", f"{evens_of(record)['in turn']:.1f}"],
        ["by products, table one by one", f"{evens_by_count(record)['one by one']:,.0f}"],
        ["by products, table in turn", f"{evens_by_count(record)['in turn']:.1f}"],
    ]
    return [
        plain_rows,
        pingala_rows,
        Table("Break-even of Fixed Base Window against Left-to-Right Binary", ("", "powers"), evens),
    ]


def evens_of(record: Record) -> dict[str, float]:
    times = record["fixed"]["nanoseconds"]
    made = record["fixed"]["precomputation"]
    return {how: break_even(made[how], times[LEFT_TO_RIGHT], times[WINDOW]) for how in made}


def evens_by_count(record: Record) -> dict[str, float]:
    counts = record["fixed"]["products"]
    return {how: break_even(counts[how], counts[LEFT_TO_RIGHT], counts[WINDOW]) for how in ("one by one", "in turn")}


def chain_table(record: Record) -> list[Table]:
    rows = []
    for label, row in record["chapter_3"]["chains"].items():
        low, high = row["bounds"]
        lengths = [str(row["lengths"][method]) for method in CHAIN_METHODS]
        checked = "yes" if row["wrong"] == 0 else f"{row['wrong']} wrong"
        rows.append([label, f"{low:.1f}", str(row.get("shortest", "-")), *lengths, f"{high:.1f}", checked])
    if not rows:
        return []
    columns = ("exponent", "lower bound", "shortest", *(f"`{m}`" for m in CHAIN_METHODS), "upper bound", "checked")
    return [
        Table(
            "Chapter 3: lengths of chains, between the bounds of section 3.5",
            columns,
            rows,
            "Checked: every element is the sum of the two earlier ones that its pair names; the last is the exponent.",
        )
    ]


def tables(record: Record) -> list[Table]:
    columns = ("name", "version", "in_2004", "method", "shared", "source")
    rows = [[library[column] for column in columns] for library in record["libraries"]]
    return [
        general_table(record, BASE_BITS),
        general_table(record, MODULUS_BITS),
        *fixed_table(record),
        *chain_table(record),
        Table(
            f"Chapter 5: what libraries use, as their sources had it on {READ} unless a row names another day",
            ("library", "version", "in the report", "now", "several powers", "source"),
            rows,
        ),
    ]


def claims(record: Record) -> list[Claim]:
    def fastest_other(base_bits: int) -> float:
        others = [total(record, base_bits, name) for name in GENERAL if name != LEFT_TO_RIGHT]
        return total(record, base_bits, LEFT_TO_RIGHT) / min(others)

    def k_ary(base: int) -> float:
        return total(record, BASE_BITS, f"Left-to-Right k-ary, base {base}")

    def sliding(size: int) -> float:
        return total(record, BASE_BITS, f"Sliding Window, size {size}")

    fixed, chapter = record["fixed"], record["chapter_3"]
    times, ours = fixed["nanoseconds"], fixed["pingala"]
    labels = list(TABLES)
    binary = record["products"]["Sliding Window, size 6"]
    pays = break_even(fixed["tables"][labels[0]]["build"], ours["no table"], ours[labels[0]])
    return [
        judged("2.2", "Left-to-right is more effective than right-to-left, as its factor is fixed (and short).",
               total(record, BASE_BITS, LEFT_TO_RIGHT) / total(record, BASE_BITS, RIGHT_TO_LEFT),
               "time against right-to-left, plain Python", high=0.9),
        judged("6", "Left-to-right binary is always the fastest of the general methods (base of 32 bits).",
               fastest_other(BASE_BITS), "time against the fastest other, plain Python", high=1.0),
        judged("6", "The same, with a base as long as the modulus.",
               fastest_other(MODULUS_BITS), "time against the fastest other, plain Python", high=1.0),
        judged("Table 2.3", "k-ary with bases 2, 8 and 16 take the same time.",
               k_ary(16) / k_ary(2), "time of base 16 against base 2", low=0.95, high=1.05),
        judged("Table 2.3", "Sliding windows get slower from size 2 to size 8: 6.2 times in the table.",
               sliding(8) / sliding(2), "time of size 8 against size 2", low=3.0),
        judged("2.5", "An exponent with a single one is the worst case of sliding windows.",
               record["single_one"] / (binary["precomputation"] + binary["computation"]),
               "its products against a random exponent's, both with a table of size 6", low=1.0),
        judged("4.3", "The fixed base window algorithm is 3 times as fast as left-to-right.",
               times[LEFT_TO_RIGHT] / times[WINDOW], "times as fast, plain Python", low=2.5, high=4.0),
        judged("4.3", "The Euclidean method is almost 6 times slower than the window.",
               times[EUCLIDEAN] / times[WINDOW], "time against the window's, plain Python", low=5.0, high=7.0),
        judged("4.3", "The table pays from about 1520 exponentiations on.", evens_of(record)["in turn"],
               "break-even in plain Python, entries in turn", low=1200, high=1900, show="{:,.1f}"),
        judged("4.3", "The same, where each entry of the table is a power of the base by itself.",
               evens_of(record)["one by one"], "break-even in plain Python, entries one by one", low=1200, high=1900,
               show="{:,.1f}"),
        judged("4.3", "The same, with Pingala on the report's table.", pays, "break-even", low=1200, high=1900,
               show="{:,.1f}"),
        judged("6", "Precomputation is many magnitudes slower than a small number of exponentiations.",
               fixed["precomputation"]["in turn"] / times[LEFT_TO_RIGHT],
               "exponentiations in the time of one precomputation, in turn", low=100, show="{:.2f}"),
        judged("3.2, 3.4.1", "Both chains for 13 are chains.",
               float(chapter["section 3.2"] + chapter["section 3.4.1"]), "wrong pairs", low=0, high=0, show="{:.0f}"),
        judged("3.4.2", "The sliding-window rule makes a chain (283, windows of 3).",
               float(chapter["section 3.4.2"]["defects"]), "elements that are no sum of earlier ones, and a wrong end",
               low=0, high=0, show="{:.0f}"),
        judged("3.5", "The bounds on the shortest chain hold.", float(chapter["outside"]),
               f"violations for 2 to {BOUNDS_TO}", low=0, high=0, show="{:.0f}"),
        judged("5", "Real implementations all use general purpose algorithms.",
               float(sum(library["shared"] != "-" for library in record["libraries"])),
               f"of {len(record['libraries'])} libraries, those with a call for several powers", low=0, high=0,
               show="{:.0f}"),
    ]  # fmt: skip


def plots(record: Record) -> list[Plot]:
    sliding = [name for name in GENERAL if name.startswith("Sliding")]
    curves = [
        Series(f"base of {bits:,} bits", [(GENERAL[name][1], total(record, bits, name) / 1e6) for name in sliding[:-1]])
        for bits in (BASE_BITS, MODULUS_BITS)
    ]
    printed = [(GENERAL[name][1], 1000 * sum(GENERAL[name][3] or ())) for name in sliding[:-1]]
    fixed = record["fixed"]
    one_product = fixed["nanoseconds"][RIGHT_TO_LEFT] / figure(fixed, "products", LEFT_TO_RIGHT)
    bound = [
        (name, [("products x time of one", fixed["products"][name] * one_product / 1e6),
                ("measured", fixed["nanoseconds"][name] / 1e6)])
        for name in (LEFT_TO_RIGHT, WINDOW, EUCLIDEAN)
    ]  # fmt: skip
    drawn = (LEFT_TO_RIGHT, RIGHT_TO_LEFT, WINDOW, EUCLIDEAN)
    shapes = [("printed", [(name, 1000 * FIXED_PRINTED[name]) for name in drawn]),
              ("plain Python", [(name, fixed["nanoseconds"][name] / 1e6) for name in drawn]),
              ("Pingala", [(label, ns / 1e6) for label, ns in fixed["pingala"].items()])]  # fmt: skip
    powers = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    times, made = fixed["nanoseconds"], fixed["precomputation"]
    sums = [
        Series("Left-to-Right Binary", [(k, k * times[LEFT_TO_RIGHT] / 1e9) for k in powers]),
        Series("Window, one by one", [(k, (made["one by one"] + k * times[WINDOW]) / 1e9) for k in powers]),
        Series("Window, in turn", [(k, (made["in turn"] + k * times[WINDOW]) / 1e9) for k in powers]),
    ]
    evens = evens_of(record)
    return [
        Lines("004-windows", "Time against window size, general methods", "window size in bits", "milliseconds",
              [Series("printed, Standard ML", printed), *curves], y_log=True),
        Lines("004-break-even", "Fixed base: all powers with their precomputation, plain Python", "powers", "seconds",
              sums, x_log=True, y_log=True, marks=[(evens[how], how) for how in evens if evens[how] <= powers[-1]]),
        Bars("004-shapes", "Time of one power, fixed base, exponent of 6,500 bits", "milliseconds", shapes, log=True),
        Bars("004-bound", "Bound and measured, plain Python", "milliseconds", bound),
    ]  # fmt: skip


PAPER = Paper(
    number="004",
    title="Fast Exponentiation: In Practice",
    source="Mads B. Tandrup, Martin H. Jensen, Rasmus N. Andersen, Therese F. Hansen, University of Aarhus, 2004.",
    summary=(
        "Six general methods, addition chains for a fixed exponent, and two methods for a fixed base (windowing, "
        "Euclidean) are described, most of them written in Standard ML and timed; a list says what libraries used."
    ),
    measure=measure,
    tables=tables,
    claims=claims,
    plots=plots,
)
