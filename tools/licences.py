"""Reads the licence of every crate that ends up in what is shipped, and fails on one that is not permissive.

Shipped are the publishable crates of this workspace and the Python extension with all they link: their normal
dependencies, transitively, on every platform and with every feature the lock file knows. Tests, benchmarks and the lab
may use what they like. Nothing is fetched beyond what cargo has for building.

    python tools/licences.py             # reads them, and compares the notices with what Cargo.lock has
    python tools/licences.py --write     # writes the notices, which the wheel carries: THIRD-PARTY-NOTICES.txt
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOTICES = ROOT / "THIRD-PARTY-NOTICES.txt"
NOT_SHIPPED = {"pingala-lab"}
PERMISSIVE = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC",
    "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib",
}  # fmt: skip


def is_permissive(expression: str) -> bool:
    """Whether an SPDX expression leaves a permissive choice: one side of each OR, both sides of each AND."""

    def judged(term: re.Match[str]) -> str:
        return {"OR": "or", "AND": "and"}.get(term[0], str(term[0] in PERMISSIVE))

    text = re.sub(r"[\w.+-]+( WITH [\w.+-]+)?", judged, expression.replace("/", " OR "))
    # Nothing but truth values, operators and parentheses is evaluated.
    return re.fullmatch(r"(True|False|and|or|[() ])+", text) is not None and bool(eval(text))


def linked(metadata: dict[str, Any], roots: Iterable[str]) -> dict[str, list[str]]:
    """The ids of the packages that these reach by normal dependencies, and those that each depends on."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    reached: dict[str, list[str]] = {}
    waiting = list(roots)
    while waiting:
        package = waiting.pop()
        if package not in reached:
            dependencies = nodes[package]["deps"]
            reached[package] = [one["pkg"] for one in dependencies if any(k["kind"] is None for k in one["dep_kinds"])]
            waiting += reached[package]
    return reached


def texts(package: dict[str, Any]) -> list[str]:
    """The licence texts in its source: only that of MIT if MIT is a choice, otherwise all; and its notices."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", path.name)
    )
    mit = [path for path in files if re.search(r"(?i)mit", path.name)]
    chosen = [path for path in files if re.match(r"(?i)notice", path.name)] + mit if mit else files
    return [path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip() for path in chosen]


def notices(packages: list[dict[str, Any]]) -> str:
    """All crates of others, each with its licence; each text once, with those that it holds for."""
    heading = "Pingala links the crates below. Each is named with its licence; the texts follow, once each."
    lines, holders = [heading, ""], dict[str, list[str]]()
    for package in sorted(packages, key=lambda package: (package["name"], package["version"])):
        name = f"{package['name']} {package['version']}"
        lines.append(
            f"{name}: {package['license']}{'' if package['repository'] is None else ', ' + package['repository']}"
        )
        found = texts(package)
        if not found:
            by = ", ".join(package["authors"]) or "its authors"
            found = [f"Its source holds no text. Licence: {package['license']}. Copyright: {by}."]
        for text in found:
            holders.setdefault(text, []).append(name)
    for text, names in holders.items():
        lines += ["", "-" * 80, ", ".join(names), "", text]
    return "\n".join(lines) + "\n"


def compare(packages: list[dict[str, Any]]) -> int:
    """How many crates the notices lack or have too many; 1 where only a text differs."""
    wanted, found = notices(packages), NOTICES.read_text(encoding="utf-8") if NOTICES.exists() else ""
    if wanted == found:
        return 0
    of = [{line.partition(":")[0] for line in text.partition("\n---")[0].splitlines()[2:]} for text in (wanted, found)]
    differ = sorted(of[0] ^ of[1])
    for name in differ or ["a text differs"]:
        print(f"NOTICES  {NOTICES.name} is not that of Cargo.lock: {name}; python tools/licences.py --write")
    return max(len(differ), 1)


def main() -> int:
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    metadata = json.loads(output)
    packages = {package["id"]: package for package in metadata["packages"]}
    refused = 0
    by_licence: dict[str, int] = {}
    members = [member for member in metadata["workspace_members"] if packages[member]["name"] not in NOT_SHIPPED]
    shipped = [packages[package_id] for package_id in linked(metadata, members)]
    for package in shipped:
        licence = package["license"] or ""
        by_licence[licence] = by_licence.get(licence, 0) + 1
        if not is_permissive(licence):
            refused += 1
            print(f"REFUSED  {package['name']} {package['version']}: {licence or 'no licence named'}")
    for licence, count in sorted(by_licence.items()):
        print(f"{count:4}  {licence}")
    of_others = [package for package in shipped if package["source"] is not None]
    if sys.argv[1:] == ["--write"]:
        NOTICES.write_text(notices(of_others), encoding="utf-8")
    refused += compare(of_others)
    print(f"licences: {len(shipped)} passed, {refused} failed")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
