"""Pictures of the benchmark's records: what a table says, drawn."""

import re
from pathlib import Path

from papers.plots import Bars, Lines, Plot, Series, svg

# The CPU of the records that are drawn, which the charts name, and how the records name it.
_CPU = "AMD EPYC, Zen 5"
_NAMED = "AMD EPYC, family 26 model 2"

# The tables of bench-zen5.md that are drawn against length: its rows, and what the picture calls them.
_LENGTHS = {
    "one-call": (
        "One call: odd modulus, exponent of the same length",
        "One power: time against length",
        {
            "pingala": "Pingala",
            "pingala mulx_r64": "Pingala without AVX-512",
            "GMP native": "GMP, native",
            "OpenSSL mont": "OpenSSL",
            "CPython pow": "Python's pow",
        },
    ),
    "list": (
        "A list of different odd moduli, bases, exponents: one thread",
        "A list of powers: time of one of them against length",
        {
            "pingala": "Pingala",
            "pingala avxifma_lanes_r52": "Pingala with AVX-IFMA, no AVX-512",
            "pingala mulx_r64": "Pingala without vectors",
            "GMP native": "GMP, native",
            "OpenSSL consttime_x2": "OpenSSL",
            "gmpy2": "gmpy2",
        },
    ),
}

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
    found = re.match(r"[0-9.]+", cell)
    return float(found.group()) if found else None


def _against_length(record: str, name: str) -> Lines:
    """Time against length, of the columns whose head is a length; rows that the record does not have are left out."""
    heading, title, shown = _LENGTHS[name]
    heads, _, *rows = _rows(record.partition(f"### {heading}\n")[2].partition("\n### ")[0])
    cells = {row[0]: [(float(head), _figure(cell)) for head, cell in zip(heads, row, strict=True) if head.isdigit()]
             for row in rows}  # fmt: skip
    series = [
        Series(label, [(bits, figure) for bits, figure in cells[row] if figure is not None])
        for row, label in shown.items()
        if row in cells
    ]
    return Lines(name, title, "bits of modulus and exponent", f"microseconds on {_CPU}", series, x_log=True, y_log=True)


def _workloads(record: str) -> Bars:
    """How many times faster than its peer each workload is, of the record's first machine."""
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
    return Bars("workloads-gains", "Workloads: times faster, one thread", f"times faster, one thread of {_CPU}", groups)


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


def draw(top: Path, target: Path) -> None:
    """Writes the figures as SVG files."""
    target.mkdir(parents=True, exist_ok=True)
    bench, workloads = (
        (top / f"docs/records/{name}.md").read_text(encoding="utf-8") for name in ("bench-zen5", "workloads")
    )
    for record in (bench, workloads):
        if _NAMED not in record.partition("\n## ")[0]:
            raise ValueError(f"a record is not of the CPU that its charts name: {_NAMED}")
    drawn = [_against_length(bench, name) for name in _LENGTHS]
    plots: list[Plot] = [*drawn, _workloads(workloads), gains(top)]
    for plot in plots:
        (target / f"{plot.name}.svg").write_text(svg(plot, standalone=True), encoding="utf-8")


if __name__ == "__main__":
    # README's picture is checked in.
    Path("docs/gains.svg").write_text(svg(gains(Path.cwd()), standalone=True), encoding="utf-8")
