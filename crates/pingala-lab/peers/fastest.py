"""The fastest peer at each length and our ratio to it, by the whole CPU and as an AVX2 machine, from the records of the
benchmark's tables `peers` and `peers-long`.

usage: python -m peers.fastest

The newest records in target/bench/ count: one without a mask, one with. The table (Markdown) is printed and goes to
target/bench/peers.md. A ratio is the peer's time over ours; one below 0.95 is named below the table.
"""

import json
from collections.abc import Iterable
from typing import Any

from peers.measure import ROOT

# Tables of the benchmark, and the length of their exponents.
SHAPES = {"peers": "full", "peers-long": "64 bits"}
OURS = "pingala"
BAR = 0.95

Record = dict[str, Any]


def newest(records: Iterable[Record]) -> dict[str, Record]:
    """The last record that has one of the tables: of the whole CPU, then with a mask."""
    found = {}
    for record in records:
        if any(cell["shape"] in SHAPES for cell in record["cells"]):
            found["as an AVX2 machine" if record["header"]["masked"] else "whole CPU"] = record
    return dict(sorted(found.items(), reverse=True))


def ratios(record: Record) -> dict[tuple[int, str], tuple[str, float]]:
    """By length and exponent: the fastest peer, and its time over ours."""
    found = {}
    for cell in record["cells"]:
        if cell["shape"] in SHAPES:
            times = {name: figure["lower"] for name, figure in cell["contenders"].items()}
            ours = times.pop(OURS)
            peer = min(times, key=times.__getitem__)
            found[cell["modulus_bits"], SHAPES[cell["shape"]]] = peer, times[peer] / ours
    return found


def table(records: dict[str, Record]) -> str:
    """One row a length, two columns a record; then where a peer wins, and what was measured."""
    columns = {heading: ratios(record) for heading, record in records.items()}
    lines = [
        "| bits | exponent |" + "".join(f" fastest peer, {heading} | ratio |" for heading in columns),
        "|---:|---|" + "---|---:|" * len(columns),
    ]
    losses = []
    for bits, exponent in sorted({row for column in columns.values() for row in column}):
        cells = [f"{bits:,}", exponent]
        for heading, column in columns.items():
            if (bits, exponent) not in column:
                cells += ["-", "-"]
                continue
            peer, ratio = column[bits, exponent]
            cells += [peer, f"{ratio:.2f}"]
            if ratio < BAR:
                losses.append(f"- {bits:,} bits, {heading}: {ratio:.2f} of {peer}")
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *(losses or [f"No ratio is below {BAR}."]), ""]
    for heading, record in records.items():
        header, dropped = record["header"], record["header"]["dropped"]
        mask = f" (no {header['masked']})" if header["masked"] else ""
        lines.append(
            f"- {heading}{mask}: {header['date']}, {header['cpu']}, commit {header['commit']}, "
            f"{header['rounds']} rounds; {dropped['samples']} of {dropped['of']} samples dropped"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    folder = ROOT / "target/bench"
    text = table(newest(json.loads(path.read_text()) for path in sorted(folder.glob("2*.json"))))
    (folder / "peers.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
