"""Builds what a release hands out into dist/, tries it, and says what came of each part: `make dist`.

usage: python -m dist [--only PLATFORM,...] [STEP...]

The steps, all of them without an argument: check, wheels, archives, npm, addons, crates, jars, sums, trials. A part
that this machine cannot build or run is named, never left out in silence; the status is 1 if something failed.
"""

import argparse
import shutil
import sys
from pathlib import Path

from . import addons, archives, crates, jars, sums, trials, wheels, windows
from .platforms import PLATFORMS
from .run import DIST, TARGET, WORK, Report, Watch, output

STEPS = ("check", "wheels", "archives", "npm", "addons", "crates", "jars", "sums", "trials")


def targets_of_rust(triples: list[str], report: Report) -> set[str]:
    """The triples whose standard library is here; rustup fetches what is missing."""
    if shutil.which("rustup"):
        report.attempt("rustup", f"{len(triples)} targets", ["rustup", "target", "add", *triples])
    library = {triple: output(["rustc", "--print", "target-libdir", "--target", triple]).strip() for triple in triples}
    present = {triple for triple in triples if Path(library[triple]).is_dir()}
    for triple in sorted(set(triples) - present):
        report.add("rustup", triple, "NOT BUILT: no standard library for it here")
    return present


def main() -> int:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").partition("usage: ")[2].partition("\n")[0])
    parser.add_argument("--only", default=",".join(platform.name for platform in PLATFORMS))
    parser.add_argument("steps", nargs="*")
    chosen = parser.parse_args()
    steps, only = chosen.steps or STEPS, chosen.only.split(",")
    if unknown := [*set(steps) - set(STEPS), *set(only) - {platform.name for platform in PLATFORMS}]:
        parser.error(f"no such step or platform: {', '.join(unknown)}")
    watch, report = Watch(), Report()
    DIST.mkdir(exist_ok=True)
    WORK.mkdir(parents=True, exist_ok=True)
    platforms = [platform for platform in PLATFORMS if platform.name in only]
    wasm = [addons.WASM] if "npm" in steps else []
    present = targets_of_rust([*(platform.triple for platform in platforms), *wasm], report)
    platforms = [platform for platform in platforms if platform.triple in present]
    if "check" in steps:
        crates.checked([platform.triple for platform in platforms], report)
    if "wheels" in steps:
        wheels.source(report)
        for platform in platforms:
            (windows if "windows" in platform.triple else wheels).build(platform, report)
        wheels.well_formed(report)
    if "archives" in steps:
        for platform in platforms:
            archives.command(platform, TARGET / "release/pingala", report)
            if platform.name == "linux-x86_64":
                archives.c_library(platform, report)
    if "wheels" in steps or "archives" in steps:
        for platform in platforms:
            wheels.symbols(platform, report)
    if "npm" in steps:
        addons.package(report)
    if "addons" in steps:
        for platform in platforms:
            addons.build(platform, report)
    if "crates" in steps:
        crates.packed(report)
    if "jars" in steps:
        jars.build(platforms, report)
        jars.looked_at(report)
    if "sums" in steps:
        sums.notices(report)
        sums.bills(report)
        sums.sums(report)
    if "trials" in steps:
        jars.tried(report)
        for platform in platforms:
            if platform.name == "linux-x86_64":
                trials.here(platform, report)
                addons.here(platform, report)
                trials.from_source(report)
                trials.debians(report)
            else:
                trials.emulated(platform, report)
                addons.emulated(platform, report)
        addons.publishable(report)
    (WORK / "report.md").write_text(report.table(), encoding="utf-8")
    print(f"\n{report.table()}\n{watch}; {report.failures} failures; files in {DIST}")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
