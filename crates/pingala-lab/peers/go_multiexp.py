"""The Go package multiexp in a process of its own; see go_multiexp/main.go."""

import os
import random
import subprocess
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import pingala
from peers.measure import LAB, ROOT, RSA_2048, Sampler, SkippedError, lower_quartiles, sampler

GO_TOOLCHAIN = "go1.24.9"


class GoMultiexp:
    """Holds work, runs a variant when told to, and says how long it took."""

    def __init__(self) -> None:
        program = ROOT / "target/lab/go_multiexp"
        program.parent.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "GOTOOLCHAIN": GO_TOOLCHAIN, "GOFLAGS": "-mod=readonly"}
        try:
            build = subprocess.run(
                ["go", "build", "-o", str(program), "."],
                cwd=LAB / "go_multiexp",
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise SkippedError(f"multiexp: {error}") from error
        if build.returncode != 0:
            raise SkippedError(f"multiexp: {build.stderr.strip()}")
        self.process = subprocess.Popen([str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.version = self.reply()

    def reply(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ask(self, text: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return self.reply()

    def load(self, base: int, modulus: int, exponents: list[int]) -> None:
        self.ask("\n".join([f"load {base:x} {modulus:x} {len(exponents)}", *(f"{e:x}" for e in exponents)]))

    def run(self, variant: str, threads: int = 1) -> float:
        return float(self.ask(f"run {variant} {threads}"))

    def answers(self) -> list[int]:
        return [int(text, 16) for text in self.ask("answers").split()]

    def table_bytes(self) -> int:
        return int(self.ask("bytes"))


def thread_rows(bits: int, rounds: int, threads: Sequence[int] = (1, 2, 4, 8, 16)) -> dict[str, Any]:
    """One of 16 powers of a fixed base on 1 to 16 threads, beside ours with a table of as many bytes, on the wall.

    `one` are powers by `FixedBase.pow`, which has no threads; `list` is one power's share of a list on so many. All
    raise to 16 exponents in turn: a single one would find its entries in the cache. Nanoseconds.
    """
    multiexp = GoMultiexp()
    rng = random.Random(16)
    base = rng.getrandbits(2000)
    exponents = [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(16)]
    multiexp.load(base, RSA_2048, exponents)
    multiexp.run("ExpParallel")
    table = pingala.FixedBase(base, RSA_2048, bits, memory=multiexp.table_bytes())

    def one_by_one() -> list[int]:
        return [table.pow(exponent) for exponent in exponents]

    if not multiexp.answers() == one_by_one() == table.pow_list(exponents):
        raise SystemExit("answers differ: ExpParallel")
    rows = []
    for count in threads:
        contenders: dict[str, Sampler] = {
            "ExpParallel": partial(multiexp.run, "ExpParallel", count),
            "one": sampler(one_by_one, time.perf_counter_ns),
            "list": sampler(partial(table.pow_list, exponents, threads=count), time.perf_counter_ns),
        }
        figures = lower_quartiles(contenders, max(3, rounds // 2))
        rows.append({"threads": count, **{name: total / len(exponents) for name, total in figures.items()}})
    return {"bits": bits, "count": len(exponents), "rows": rows}
