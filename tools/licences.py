"""Reads the licence of every crate that ends up in what is shipped, and fails on one that is not permissive.

Shipped are the publishable crates of this workspace and the Python extension with all they link: their normal
dependencies, transitively, on every platform and with every feature the lock file knows. Tests, benchmarks and the lab
may use what they like. Nothing is fetched beyond what cargo has for building.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOT_SHIPPED = {"pingala-lab"}
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}


def is_permissive(expression: str) -> bool:
    """Whether an SPDX expression leaves a permissive choice: one side of each OR, both sides of each AND."""
    tokens = re.findall(r"[()]|[^()\s]+", expression.replace("/", " OR "))
    position = 0

    def term() -> bool:
        nonlocal position
        token = tokens[position]
        position += 1
        if token == "(":
            inside = disjunction()
            position += 1
            return inside
        if tokens[position : position + 1] == ["WITH"]:
            token = f"{token} WITH {tokens[position + 1]}"
            position += 2
        return token in PERMISSIVE

    def conjunction() -> bool:
        nonlocal position
        result = term()
        while tokens[position : position + 1] == ["AND"]:
            position += 1
            result = term() and result
        return result

    def disjunction() -> bool:
        nonlocal position
        result = conjunction()
        while tokens[position : position + 1] == ["OR"]:
            position += 1
            result = conjunction() or result
        return result

    return bool(tokens) and disjunction()


def self_test() -> None:
    """The test of the test."""
    for good in ["MIT", "MIT OR Apache-2.0", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-2.0) AND Unicode-3.0"]:
        assert is_permissive(good), good
    for bad in ["", "GPL-3.0", "LGPL-3.0-or-later", "MPL-2.0", "MIT AND LGPL-2.1", "Apache-2.0 WITH Some-exception"]:
        assert not is_permissive(bad), bad


def shipped(metadata: dict[str, Any]) -> set[str]:
    """Package ids reached from the shipped members by normal dependencies."""
    names = {package["id"]: package["name"] for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    reached: set[str] = set()
    waiting = [member for member in metadata["workspace_members"] if names[member] not in NOT_SHIPPED]
    while waiting:
        package = waiting.pop()
        if package in reached:
            continue
        reached.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return reached


def main() -> int:
    self_test()
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    metadata = json.loads(output)
    packages = {package["id"]: package for package in metadata["packages"]}
    refused = 0
    by_licence: dict[str, int] = {}
    for package in (packages[package_id] for package_id in shipped(metadata)):
        licence = package["license"] or ""
        by_licence[licence] = by_licence.get(licence, 0) + 1
        if not is_permissive(licence):
            refused += 1
            print(f"REFUSED  {package['name']} {package['version']}: {licence or 'no licence named'}")
    for licence, count in sorted(by_licence.items()):
        print(f"{count:4}  {licence}")
    print(f"licences: {sum(by_licence.values()) - refused} passed, {refused} failed")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
