"""Measures the papers' tables again, keeps the record and renders it.

usage: python -m papers [--rounds N] [--long] [--keep] [--output DIR] [NUMBER...]
       python -m papers --render FILE [--keep] [--output DIR]

The record (papers.json), the page (papers.html) and its plots go to target/papers/. With numbers, only those papers are
measured; the others keep the figures of the record in target/papers/, or of the one in papers/ if there is none.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pingala
from peers.measure import machine

from . import page, plots, report
from .catalogue import TITLES, papers
from .paper import Budget, NotMeasuredError

KEPT = Path(__file__).resolve().parent
ROOT = KEPT.parent


def commit() -> str:
    git = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=9"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "no commit"


def now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def here() -> dict[str, Any]:
    """What is measured, and where."""
    return {
        "date": now(),
        "commit": commit(),
        "machine": machine(),
        "processors": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "load": os.getloadavg()[0],
        "pingala": pingala.__version__,
        "python": platform.python_version(),
    }


def measure(numbers: list[str], budget: Budget, record: dict[str, Any]) -> None:
    """Puts each paper's measurements into the record."""
    record["format"] = 1
    record["run"] = here()
    entries = record.setdefault("papers", {})
    found = papers()
    for number in numbers:
        print(f"paper {number}: {TITLES[number]}", file=sys.stderr, flush=True)
        start, before = time.monotonic(), os.getloadavg()[0]
        entry: dict[str, Any] = {"date": now(), "rounds": budget.rounds, "long": budget.long, "run": record["run"]}
        try:
            entry["record"] = found[number].measure(budget)
        except NotMeasuredError as why:
            entry["not_measured"] = str(why)
            print(f"  not measured: {why}", file=sys.stderr)
        entry["seconds"] = round(time.monotonic() - start, 1)
        entry["load"] = [before, os.getloadavg()[0]]
        entries[number] = entry
        for sentence in entry.get("record", {}).get("left_out", []):
            print(f"  left out: {sentence}", file=sys.stderr)
        print(f"  {entry['seconds']:.0f} s", file=sys.stderr, flush=True)


def render(record: dict[str, Any], folder: Path) -> None:
    """Writes the page and the plots."""
    found = papers()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    (folder / "papers.html").write_text(page.html(record, found), encoding="utf-8")
    for number, paper in found.items():
        own = record["papers"].get(number, {}).get("record")
        for plot in paper.plots(own) if own else []:
            (folder / f"{plot.name}.svg").write_text(plots.svg(plot, standalone=True) + "\n", encoding="utf-8")


def keep(record: dict[str, Any], folder: Path) -> None:
    """Copies the record and the plots to papers/, and writes the figures into its pages."""
    figures = KEPT / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    for old in figures.glob("*.svg"):
        old.unlink()
    shutil.copy(folder / "papers.json", KEPT / "papers.json")
    for image in folder.glob("*.svg"):
        shutil.copy(image, figures / image.name)
    for name, text in report.pages(record, papers(), KEPT).items():
        (KEPT / name).write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m papers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=Budget.rounds, help=f"default {Budget.rounds}")
    parser.add_argument("--long", action="store_true", help="the longest inputs too: exponents of 2,000,000 bits")
    parser.add_argument(
        "--keep", action="store_true", help="keep the record, the plots and the figures of the pages in papers/"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "target/papers", metavar="DIR")
    parser.add_argument("--render", type=Path, metavar="FILE", help="measure nothing, render this record")
    parser.add_argument("numbers", nargs="*", metavar="NUMBER", help=" ".join(TITLES))
    arguments = parser.parse_args()
    if unknown := set(arguments.numbers) - set(TITLES):
        parser.error(f"no such paper: {', '.join(sorted(unknown))}")
    folder: Path = arguments.output
    kept = folder / "papers.json"
    if arguments.render:
        record = json.loads(arguments.render.read_text(encoding="utf-8"))
    else:
        # The other papers keep their last figures: of this machine, or of the record in papers/.
        old = (
            next((path for path in (kept, KEPT / "papers.json") if path.exists()), None) if arguments.numbers else None
        )
        record = json.loads(old.read_text(encoding="utf-8")) if old else {}
        measure(arguments.numbers or list(TITLES), Budget(arguments.rounds, arguments.long), record)
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    render(record, folder)
    if arguments.keep:
        keep(record, folder)
    print(f"written: {folder / 'papers.html'}, papers.json")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
