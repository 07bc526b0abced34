"""Pingala beside `pow`, and beside gmpy2 where it is installed: one process, one thread, in turn, medians.

Every answer is compared before it is timed. The record goes to target/bench/, with host, commit and versions.

usage: bench.py [BITS...]
"""

import importlib
import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from timing import seconds_per_call, show

import pingala

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "target" / "bench"
DEFAULT_BITS = (64, 128, 256, 512, 1024, 2048, 4096)
Problem = tuple[str, int, int, int]


def problems(bits: int) -> list[Problem]:
    """The kinds of work at one size: name, base, exponent, modulus."""
    source = random.Random(f"bench {bits}")
    modulus = source.getrandbits(bits) | 1 << (bits - 1) | 1
    base = source.getrandbits(bits) % modulus
    exponent = source.getrandbits(bits) | 1 << (bits - 1)
    half = bits // 2
    return [
        ("odd modulus", base, exponent, modulus),
        ("base 2", 2, exponent, modulus),
        ("exponent 65537", base, 65537, modulus),
        ("1 trailing zero", base | 1, exponent, modulus - 1 ^ 2 if modulus & 2 == 0 else modulus - 1),
        (f"{half} trailing zeros", base | 1, exponent, modulus >> half << half | 1 << half),
    ]


def peers() -> dict[str, Callable[[int, int, int], Any]]:
    found: dict[str, Callable[[int, int, int], Any]] = {"pingala": pingala.powmod, "pow": pow}
    try:
        gmpy2 = importlib.import_module("gmpy2")
    except ImportError:
        print("gmpy2 is not installed: left out\n")
    else:
        found["gmpy2"] = gmpy2.powmod
    return found


def versions() -> dict[str, str]:
    """Where and with what this was measured."""

    def output(*command: str) -> str:
        try:
            run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return "unknown"
        return run.stdout.strip()

    found = {"pingala": pingala.__version__, "python": platform.python_version(), "machine": platform.platform()}
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line for line in cpuinfo.read_text(encoding="utf-8").splitlines() if line.startswith("model name")]
        found["cpu"] = models[0].split(":", 1)[1].strip() if models else "unknown"
    found["commit"] = output("git", "describe", "--always", "--dirty")
    found["rustc"] = output("rustc", "--version")
    if "gmpy2" in sys.modules:
        gmpy2 = sys.modules["gmpy2"]
        found["gmpy2"] = f"{gmpy2.version()}, {gmpy2.mp_version()}"
    return found


def main() -> int:
    sizes = [int(text) for text in sys.argv[1:]] or list(DEFAULT_BITS)
    functions = peers()
    record: dict[str, Any] = {
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "versions": versions(),
        "rows": [],
    }
    for name, value in record["versions"].items():
        print(f"{name:8} {value}")
    others = [name for name in functions if name != "pingala"]
    head = "".join(f"{name:>11}" for name in functions) + "".join(f"{name + ' /':>10}" for name in others)
    print(f"\n{'bits':>6}  {'work':22}{head}   plan")
    for bits in sizes:
        for work, base, exponent, modulus in problems(bits):
            answers = {name: int(function(base, exponent, modulus)) for name, function in functions.items()}
            if len(set(answers.values())) != 1:
                print(f"!!! the answers differ: {work}, {bits} bits: {answers}", file=sys.stderr)
                return 1
            calls = {name: lambda f=f, b=base, e=exponent, m=modulus: f(b, e, m) for name, f in functions.items()}
            times = seconds_per_call(calls, budget=0.5)
            plan = pingala.plan(base, exponent, modulus)
            ratios = "".join(f"{times[name] / times['pingala']:>9.2f}x" for name in others)
            print(f"{bits:>6}  {work:22}{''.join(f'{show(times[name]):>11}' for name in functions)}{ratios}   {plan}")
            record["rows"].append({"bits": bits, "work": work, "seconds": times, "plan": plan})
    RECORDS.mkdir(parents=True, exist_ok=True)
    path = RECORDS / f"{record['when'].replace(':', '')}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"\n`pow /` is the time of pow over the time of pingala. Recorded in {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
