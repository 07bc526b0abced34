"""The Go library of seed 001 in a process of its own; see seed001/main.go."""

import os
import subprocess
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent
ROOT = LAB.parent.parent
GO_TOOLCHAIN = "go1.24.9"


class SkippedError(Exception):
    """A peer that is not there, and why."""


class Seed001:
    """Holds work, runs a variant when told to, and says how long it took."""

    def __init__(self) -> None:
        program = ROOT / "target/lab/seed001"
        program.parent.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "GOTOOLCHAIN": GO_TOOLCHAIN, "GOFLAGS": "-mod=readonly"}
        try:
            build = subprocess.run(
                ["go", "build", "-o", str(program), "."],
                cwd=LAB / "seed001",
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise SkippedError(f"seed 001: {error}") from error
        if build.returncode != 0:
            raise SkippedError(f"seed 001: {build.stderr.strip()}")
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
