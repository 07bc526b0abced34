"""Pictures of the benchmark's records: what a table says, drawn."""

import re
from pathlib import Path

from papers.plots import Bars, Lines, Plot, Series, svg

# A table of a record: its file, words that stand before it, and the beginning of one of its lines.
Table = tuple[str, str, str]

_PEERS_SHORT = ("peers", "## All times", "| CPython pow")
_PEERS_LONG = ("peers", "## All times", "| FLINT | 5,646")
_MASKED_ZEN4 = ("fma-row", "The same on an AMD EPYC, family 25 model 17", "| `fma_row_r52`")
_LISTS = ("bench-zen5", "### A list of different odd moduli", "| pingala |")

# What the axis of lengths marks.
_LENGTHS = [(1 << power, f"{1 << power:,}") for power in range(9, 15)]
_LONG_LENGTHS = [(1 << power, f"2^{power}") for power in range(15, 22)]

# Pictures of times: the title, the table, the marks, and what the picture calls the rows. Of two kernels the faster one
# counts. Pingala is the second line of each, so that it has the colour of its bars.
_TIMES: dict[str, tuple[str, Table, list[tuple[int, str]], dict[str, tuple[str, ...]]]] = {
    "time-avx512": (
        "With AVX-512 (AMD Zen 5): time of one power by length",
        _PEERS_SHORT,
        _LENGTHS,
        {
            "GMP": ("GMP native",),
            "Pingala": ("pingala",),
            "OpenSSL": ("OpenSSL mont",),
            "gmpy2": ("gmpy2",),
            "pow of Python": ("CPython pow",),
        },
    ),
    "time-avx2": (
        "Without AVX-512 (AMD Zen 4, masked): time of one power by length",
        _MASKED_ZEN4,
        _LENGTHS,
        {
            "GMP": ("native GMP 6.3.0",),
            "Pingala": ("`fma_row_r52`", "`mulx_r64`"),
            "gmpy2": ("gmpy2's wheel",),
            "FLINT": ("FLINT 3.6",),
        },
    ),
    "time-long": (
        "Long numbers (AMD Zen 5), exponent of 64 bits: time of one power by length",
        _PEERS_LONG,
        _LONG_LENGTHS,
        {
            "GMP": ("GMP native",),
            "Pingala": ("pingala",),
            "Pingala without AVX-512": ("pingala, AVX2 machine",),
            "gmpy2": ("gmpy2",),
            "dashu-int": ("dashu-int Reduced",),
        },
    ),
    "time-list": (
        "A list of powers with AVX-512 (AMD Zen 5): time of one of them by length",
        _LISTS,
        _LENGTHS,
        {
            "GMP": ("GMP native",),
            "Pingala": ("pingala",),
            "OpenSSL": ("OpenSSL consttime_x2",),
            "gmpy2": ("gmpy2",),
        },
    ),
}

# How many times as fast as native GMP one call is, on each class of CPU: the table, the row, and the peer's row if
# the table has times.
_CLASSES: dict[str, tuple[Table, str, str | None]] = {
    "Zen 5": (_PEERS_SHORT, "pingala", "GMP native"),
    "Intel Xeon": (("bench-intel", "that machine, commit", "| one call"), "one call, times faster", None),
    "Zen 4": (("bench-zen4", "multiple of the bound:", "| lanes"), "one call, times faster", None),
    "Zen 5, no AVX-512": (_PEERS_SHORT, "pingala, AVX2 machine", "GMP native"),
    "Zen 4, no AVX-512": (_MASKED_ZEN4, "native GMP / planned", None),
}
_LONGEST_OF_CLASSES = 8192

# Rows of the record of workloads: how each begins, what the picture calls it, and its peer.
_WORKLOADS = (
    ("powmod_exp_list, 1,000 exponents", "1,000 exponents of one base", "gmpy2"),
    ("powmod_base_list, 256 bases", "256 bases with one exponent", "gmpy2"),
    ("16 powers, exponents of 2048 bits", "a product of 16 powers", "gmpy2"),
    ("1024 powers, exponents of 256 bits", "a product of 1,024 powers, exponents of 256 bits", "gmpy2"),
    ("a list of 256", "256 powers of a fixed base", "gmpy2"),
    ("a list, 256 KiB", "ElectionGuard: 24 powers of its generator", "gmpy2"),
    ("1,000 members", "an accumulator's 1,000 witnesses", "gmpy2"),
    ("two primes of 1024 bits", "a power by known factors", "native GMP"),
    ("p^2 q^2, primes of 512 bits (Paillier)", "a power of Paillier's by known factors", "native GMP"),
    ("t = 100,000", "100,000 squarings one after the other", "native GMP"),
    ("4 exponents of 20,000 bits", "4 exponents of 20,000 bits", "the Go package multiexp"),
    (
        "1 exponent of 20,000 bits, tables of 6.0 MiB",
        "an exponent of 20,000 bits by a table",
        "the Go package multiexp",
    ),
)


def _rows(text: str) -> list[list[str]]:
    """The cells of the lines of Markdown tables."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("*", "") for cell in line.strip("|").split("|")] for line in lines]


def _figure(cell: str) -> float | None:
    found = re.match(r"[0-9.,]+", cell)
    return float(found.group().replace(",", "")) if found else None


def _cells(top: Path, table: Table, start: str) -> dict[float, float]:
    """The figures of a row by length: the row of this name, or else the first one that begins so."""
    record, words, line = table
    text = (top / f"docs/records/{record}.md").read_text(encoding="utf-8").partition(words)[2]
    part = next((part for part in text.split("\n\n") if f"\n{line}" in part), None)
    if part is None:
        raise ValueError(f"{record}.md: expected a table behind '{words}' with a line '{line}'")
    heads, _, *rows = _rows(part)
    found = [row for row in rows if row[0] == start] or [row for row in rows if row[0].startswith(start)]
    if not found:
        raise ValueError(f"{record}.md: the table behind '{words}' has no row '{start}'")
    pairs = [(_figure(head), _figure(cell)) for head, cell in zip(heads[1:], found[0][1:], strict=True)]
    return {bits: figure for bits, figure in pairs if bits is not None and figure is not None}


def _times(top: Path, name: str) -> Lines:
    """Time against length."""
    title, table, ticks, shown = _TIMES[name]
    series = []
    for label, names in shown.items():
        rows = [_cells(top, table, row) for row in names]
        series.append(Series(label, [(bits, min(row[bits] for row in rows)) for bits in rows[0]]))
    marked = [tick for tick in ticks if tick[0] <= max(bits for bits, _ in series[0].points)]
    return Lines(name, title, "bits of the modulus", "microseconds", series, x_log=True, y_log=True, x_ticks=marked)


def _gains_by_length(top: Path) -> Lines:
    """Times as fast as native GMP against length, on each class of CPU."""
    series = []
    for label, (table, row, peer) in _CLASSES.items():
        cells = _cells(top, table, row)
        if peer is not None:
            peers = _cells(top, table, peer)
            cells = {bits: peers[bits] / figure for bits, figure in cells.items()}
        series.append(Series(label, [(bits, ratio) for bits, ratio in cells.items() if bits <= _LONGEST_OF_CLASSES]))
    title = "One power: times as fast as GMP compiled for the CPU, by length"
    ticks = [tick for tick in _LENGTHS if tick[0] <= _LONGEST_OF_CLASSES]
    x, y = "bits of modulus and exponent", "times as fast as GMP"
    return Lines("gains-by-length", title, x, y, series, x_log=True, x_ticks=ticks)


def _workloads(top: Path) -> Bars:
    """How many times faster than its peer each workload is, of the record's first machine."""
    record = (top / "docs/records/workloads.md").read_text(encoding="utf-8")
    ratios: list[tuple[str, float]] = []
    for table in record.partition("## The same on another CPU")[0].split("\n\n"):
        rows = _rows(table)
        if rows and "ratio" in rows[0]:
            ratios += [(row[0], float(row[rows[0].index("ratio")])) for row in rows[2:]]
    groups = []
    for start, name, peer in _WORKLOADS:
        ratio = next((ratio for label, ratio in ratios if label.startswith(start)), None)
        if ratio is None:
            raise ValueError(f"the record has no row '{start}' with a ratio")
        groups.append((name, [(f"than {peer}", ratio)]))
    return Bars("workloads-gains", "Workloads: times faster, one thread", "times faster", groups)


# Rows of the record of peers that README's picture shows: how each begins, and what the picture calls it.
_PEERS = (
    ("CPython pow", "pow of Python"),
    ("gmpy2", "gmpy2"),
    ("OpenSSL mont", "OpenSSL"),
    ("GMP native", "GMP, compiled for the CPU"),
    ("pingala, AVX2 machine", "Pingala without AVX-512"),
    ("pingala", "Pingala"),
)


def gains(top: Path) -> Bars:
    """README's picture: how many times as fast as `pow` one power of 2048 bits is."""
    record = (top / "docs/records/peers.md").read_text(encoding="utf-8")
    table = record.partition("## All times")[2].split("\n\n")[2]
    heads, _, *rows = _rows(table)
    at = heads.index("2,048")
    times = {row[0]: float(row[at].replace(",", "")) for row in rows}
    slowest = times[_PEERS[0][0]]
    whose = {row: "Pingala" if row.startswith("pingala") else "peers" for row, _ in _PEERS}
    groups = [(name, [(whose[row], slowest / times[row])]) for row, name in _PEERS]
    unit = "times as fast as pow: one power of 2048 bits, AMD Zen 5"
    return Bars("gains", "One power of 2048 bits: times as fast as pow", unit, groups)


def drawn(top: Path) -> dict[str, str]:
    """The pictures of README and docs/performance.md by their names in docs/, where they are checked in."""
    plots: list[Plot] = [gains(top), _workloads(top), _gains_by_length(top), *(_times(top, name) for name in _TIMES)]
    # A page that names no width shows the picture this wide.
    sized = '<svg width="480" '
    return {f"{plot.name}.svg": svg(plot, standalone=True).replace("<svg ", sized, 1) for plot in plots}


def draw(top: Path, target: Path) -> None:
    """Writes all pictures into a folder."""
    target.mkdir(parents=True, exist_ok=True)
    for name, picture in drawn(top).items():
        (target / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    draw(Path.cwd(), Path.cwd() / "docs")
