"""What a call from Go costs beside Rust, and package multiexp beside the one that it replaces: `make bench WHAT=go`.

Each program runs in turn, several times; the least time of each counts. The rows of multiexp need Go 1.24, which `go`
fetches, or finds, as GOTOOLCHAIN says; without it they are skipped with a message.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PREFIX = ROOT / "target/c/prefix"
SOURCES = ROOT / "crates/pingala-lab/go_bench"
GO_OF_MULTIEXP = "go1.24.9"
TURNS = 5

CGO = {"CGO_ENABLED": "1", "PKG_CONFIG_PATH": f"{PREFIX}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{PREFIX}/lib"}
PUREGO = {"CGO_ENABLED": "0", "PINGALA_LIBRARY": f"{PREFIX}/lib/libpingala.so"}

Times = dict[int, list[float]]


def build(package: str, program: Path, setting: dict[str, str]) -> None:
    command = ["go", "build", "-o", str(program), package]
    subprocess.run(command, check=True, cwd=SOURCES, env=os.environ | setting)


def measure(program: Path, setting: dict[str, str]) -> Times:
    """The numbers of each line that begins with a length in bits."""
    told = subprocess.check_output([program], text=True, env=os.environ | setting)
    lines = [line.split() for line in told.splitlines() if line.split()[0].isdigit()]
    return {int(bits): [float(time) for time in times] for bits, *times in lines}


def least(a: Times, b: Times) -> Times:
    return {bits: [min(pair) for pair in zip(times, b[bits], strict=True)] for bits, times in a.items()} if a else b


def calls(folder: Path) -> None:
    subprocess.run([sys.executable, ROOT / "crates/pingala-c/tests/cost.py", folder / "rust"], check=True, cwd=ROOT)
    build("./cost", folder / "cgo", CGO)
    build("./cost", folder / "purego", PUREGO)
    programs = {
        "rust": (folder / "rust", {}),
        "cgo": (folder / "cgo", CGO),
        "purego": (folder / "purego", PUREGO),
    }
    best: dict[str, Times] = {name: {} for name in programs}
    for _ in range(TURNS):
        for name, (program, setting) in programs.items():
            best[name] = least(best[name], measure(program, setting))
    columns = ("bits", "Rust", "C limbs", "cgo", "cgo handle", "purego", "purego handle", "math/big", "cgo - Rust")
    print(" | ".join((*columns, "purego - cgo", "math/big / cgo")))
    for bits, (rust, c, *_) in best["rust"].items():
        (cgo, handle, big), (purego, purego_handle, _) = best["cgo"][bits], best["purego"][bits]
        row = [f"{time:.0f}" for time in (rust, c, cgo, handle, purego, purego_handle, big, cgo - rust, purego - cgo)]
        print(" | ".join([str(bits), *row, f"{big / cgo:.1f}"]))


def rows_of_multiexp(folder: Path) -> None:
    program = folder / "multiexp"
    try:
        build("./multiexp", program, CGO | {"GOTOOLCHAIN": GO_OF_MULTIEXP})
    except subprocess.CalledProcessError:
        print(f"SKIPPED the rows of multiexp: {GO_OF_MULTIEXP} is not there")
        return
    for threads in ("1", "2"):
        for bits, rounds in ((2_000, 100), (20_000, 30), (200_000, 5)):
            setting = CGO | {"GOMAXPROCS": threads}
            subprocess.run([program, str(bits), str(rounds)], check=True, env=os.environ | setting)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        calls(Path(folder))
        rows_of_multiexp(Path(folder))


if __name__ == "__main__":
    main()
