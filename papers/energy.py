"""Energy of Montgomery products on processors that are not at hand: executed counts, times cycles, times current.

usage: python -m papers.energy [FILE...]     processors as files of prices; without any, those that ship

    E = (V / f) * sum over classes of count * cycles * ampere

The counts are those of the texts that ship, over a counting word (papers/counting.md); the program `counts` of the lab
executes them. crates/pingala-lab/processors/template.toml is a processor to copy.
"""

import json
import math
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COUNTS = ["cargo", "run", "--locked", "--release", "--quiet", "-p", "pingala-lab", "--bin", "counts"]
PROCESSORS = [ROOT / f"crates/pingala-lab/processors/{name}.toml" for name in ("strongarm_sa1100", "cortex_m4")]

BITS = 1024
LENGTHS = (256, 512, 768, 1024, 1536, 2048, 3072, 4096)
# The lengths at which crossovers are looked for: every even number of words.
FINE = range(256, 4097, 64)
LOADS = (1, 2)
# Cycles of a loop's turn where turns are priced.
TURN = 3
BASELINES = ("sos", "cios", "fios", "fips", "cihs", "separated_comba")
METHODS = (*BASELINES, "karatsuba_comba", "kcm")
# Per cent that a KCM product of 1024 bits saves, says the paper.
CLAIMED = 22.0

BASELINE = (
    "The paper's own baseline is unknown: its abstract says 'other modular multiplication techniques', and its tables "
    "were not at hand. So the saving is given against every product."
)

# Classes of a file of prices, and the instructions of each.
CLASSES = {
    **{name: (name,) for name in ("multiply", "multiply_low", "multiply_accumulate")},
    "add": ("add", "add_carry"),
    **{name: (name,) for name in ("shift", "select", "compare", "load", "store")},
    "turn": ("turns",),
}

Number = dict[str, Any]


def number(name: str, read: Any) -> Number:
    """A number of a file, which has a value and a source. Error: the name, and what is wrong."""
    if not isinstance(read, dict) or "value" not in read:
        raise ValueError(f"{name}: expected a table with a value and its source, found {read!r}")
    value = read["value"]
    if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
        raise ValueError(f"{name} is {value!r}; expected a number that is not negative")
    if not str(read.get("source", "")).strip():
        raise ValueError(f"{name} has no source")
    if unknown := set(read) - {"value", "source", "assumed"}:
        raise ValueError(f"{name} has more than a value, a source and `assumed`: {', '.join(sorted(unknown))}")
    return {"value": float(value), "source": read["source"], "assumed": bool(read.get("assumed", False))}


def processor(text: str) -> tuple[str, dict[str, Number]]:
    """The name of a processor and its numbers by name, each with its source. Error: a number that is not right."""
    read = tomllib.loads(text)
    classes = read.pop("classes", None)
    if not isinstance(classes, dict):
        raise ValueError("expected tables [classes.NAME]")
    if unknown := set(classes) ^ set(CLASSES):
        raise ValueError(f"classes that are unknown or missing: {', '.join(sorted(unknown))}")
    numbers = {name: number(name, read.pop(name, None)) for name in ("volts", "megahertz")}
    for name, price in classes.items():
        if not isinstance(price, dict) or set(price) != {"cycles", "ampere"}:
            raise ValueError(f"class {name}: expected cycles and ampere, found {price!r}")
        numbers |= {f"{what} of {name}": number(f"{what} of {name}", one) for what, one in price.items()}
    if numbers["megahertz"]["value"] == 0:
        raise ValueError("megahertz is 0")
    name = read.pop("name", None)
    if not isinstance(name, str):
        raise ValueError("expected a name")
    if read:
        raise ValueError(f"{name} has more than a name, volts, megahertz and classes: {', '.join(sorted(read))}")
    return name, numbers


def processors(files: Iterable[Path]) -> list[tuple[str, dict[str, Number]]]:
    """What the files say, in their order; a file that is not right ends the run."""
    found = []
    for file in files:
        try:
            found.append(processor(file.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise SystemExit(f"{file}: {getattr(error, 'strerror', None) or error}") from error
    return found


def executed() -> dict[str, Any]:
    """Runs the program that counts."""
    try:
        child = subprocess.run(COUNTS, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"the lab's program `counts`: {error}") from error
    found: dict[str, Any] = json.loads(child.stdout)
    return found


def of_method(row: dict[str, Any]) -> bool:
    """Whether a text is one to choose from: leaves of at least two words that halve the operands.

    Larger tiles than of one word need more registers than these processors have.
    """
    parameter = int(row["text"].partition("=")[2].rstrip(")") or 1)
    return row["name"] in METHODS and (
        2 <= parameter < row["words"] if row["name"] in ("kcm", "karatsuba_comba") else parameter == 1
    )


class Costs:
    """Energies on one processor. `profile` says whether a multiplication adds to two words (`arm`) or not (`risc`)."""

    def __init__(self, counts: dict[str, Any], numbers: dict[str, Number], profile: str, **cycles: float) -> None:
        def value(name: str) -> float:
            return float(numbers[name]["value"])

        self.powers = counts["powers"]
        self.best: dict[tuple[str, str, int], dict[str, Any]] = {}
        scale = value("volts") / value("megahertz")
        charges = {name: cycles.get(name, value(f"cycles of {name}")) * value(f"ampere of {name}") for name in CLASSES}
        for row in filter(of_method, counts["products"]):
            instructions = row[profile]
            spent = scale * sum(
                charge * sum(instructions[one] for one in CLASSES[name]) for name, charge in charges.items()
            )
            key = (row["name"], row["operation"], row["bits"])
            if key not in self.best or spent < self.best[key]["microjoule"]:
                self.best[key] = {"text": row["text"], "microjoule": spent}

    def microjoule(self, method: str, bits: int = BITS, operation: str = "mul") -> float:
        """By the method's best text."""
        return float(self.best[method, operation, bits]["microjoule"])

    def saving(self, method: str, against: str, bits: int = BITS) -> float:
        """Per cent."""
        return 100 * (1 - self.microjoule(method, bits) / self.microjoule(against, bits))

    def best_baseline(self, bits: int = BITS) -> str:
        return min(BASELINES, key=lambda method: self.microjoule(method, bits))

    def products(self, bits: int = BITS) -> dict[str, dict[str, Any]]:
        return {method: self.best[method, "mul", bits] for method in METHODS}

    def exponentiations(self) -> dict[str, dict[str, dict[str, Any]]]:
        """What the algorithm executes times what its products cost, squarings as squarings."""

        def cell(power: dict[str, Any], method: str) -> dict[str, Any]:
            mul, sqr = (self.microjoule(method, power["bits"], operation) for operation in ("mul", "sqr"))
            counts = {key: power[key] for key in ("algorithm", "squarings", "products")}
            return {**counts, "millijoule": (power["products"] * mul + power["squarings"] * sqr) / 1000}

        return {str(power["bits"]): {method: cell(power, method) for method in METHODS} for power in self.powers}

    def crossovers(self) -> list[dict[str, Any]]:
        """Where each of the two with Karatsuba takes less than another: first, and from where on for good."""
        pairs = [(of, against) for of in ("kcm", "karatsuba_comba") for against in BASELINES]
        rows = []
        for of, against in [*pairs, ("kcm", "karatsuba_comba")]:
            wins = [bits for bits in FINE if self.microjoule(of, bits) < self.microjoule(against, bits)]
            loses = [bits for bits in FINE if bits not in wins]
            stays = [bits for bits in wins if not loses or bits > loses[-1]]
            first = {"first_bits": wins[0] if wins else None, "stays_from_bits": stays[0] if stays else None}
            rows.append({"of": of, "against": against, **first})
        return rows


def sweep(counts: dict[str, Any], numbers: dict[str, Number]) -> Iterable[dict[str, Any]]:
    """What KCM saves at 1024 bits with another multiplier."""
    for load in LOADS:
        for cycles in range(1, 17):
            multiplier = dict.fromkeys(("multiply", "multiply_low", "multiply_accumulate"), cycles)
            costs = Costs(counts, numbers, "risc", **multiplier, load=load, turn=0)
            best = costs.best_baseline()
            saved = {"cios": costs.saving("kcm", "cios"), "best_baseline": costs.saving("kcm", best)}
            point = {"bits": BITS, "multiply_cycles": cycles, "load_cycles": load, "best_baseline": best}
            yield {**point, "kcm_saves_percent": saved}


def record(counts: dict[str, Any]) -> dict[str, Any]:
    """By processor: its numbers, energies with loads of one cycle and of two, with turns of loops, and with `umlal`."""
    found: dict[str, Any] = {"processors": {}, "adding": {}, "turns": {}}
    # Only these lengths and the best texts matter but for crossovers, so a sweep has less to look through.
    few = {**counts, "products": [row for row in counts["products"] if row["bits"] == BITS]}
    for name, numbers in processors(PROCESSORS):
        loads = {}
        for load in LOADS:
            costs = Costs(counts, numbers, "risc", load=load, turn=0)
            loads[str(load)] = {
                "products": {str(bits): costs.products(bits) for bits in LENGTHS},
                "powers": costs.exponentiations(),
                "crossovers": costs.crossovers(),
            }
        found["processors"][name] = {"numbers": numbers, "loads": loads, "sweep": list(sweep(few, numbers))}
        found["adding"][name] = {str(load): Costs(few, numbers, "arm", load=load, turn=0).products() for load in LOADS}
        turning = {load: Costs(few, numbers, "risc", load=load, turn=TURN) for load in LOADS}
        found["turns"][name] = {
            str(load): {"cycles": TURN, "microjoule": {method: costs.microjoule(method) for method in METHODS}}
            for load, costs in turning.items()
        }
    return found


def main() -> None:
    if any(word.startswith("-") for word in sys.argv[1:]):
        raise SystemExit(__doc__)
    read = processors([Path(word) for word in sys.argv[1:]] or PROCESSORS)
    counts = executed()
    print(f"| product of {BITS} bits | cycles of a load | microjoule | KCM saves % | Karatsuba-Comba saves % |")
    print("|---|---:|---:|---:|---:|")
    for name, numbers in read:
        for load in LOADS:
            costs = Costs(counts, numbers, "risc", load=load, turn=0)
            for method, cell in costs.products().items():
                savings = [f"{costs.saving(of, method):+.1f}" for of in ("kcm", "karatsuba_comba")]
                print(f"| {name}, `{cell['text']}` | {load} | {cell['microjoule']:.2f} | {' | '.join(savings)} |")
    print(f"\n{BASELINE}")


if __name__ == "__main__":
    main()
