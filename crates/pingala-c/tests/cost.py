"""Builds and runs cost.rs, which measures what a call from C costs beside a call from Rust.

cost.py            builds and runs it
cost.py PROGRAM    leaves the program there, for benchmarks that run it beside others
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import c_header
from test_c import CRATE, PREFIX


def build(program: Path) -> Path:
    flags = ["-Copt-level=2", "-L", f"native={PREFIX}/lib", f"-Clink-arg=-Wl,-rpath,{PREFIX}/lib", "-o", program]
    c_header.rustc(CRATE / "tests/cost.rs", *flags)
    return program


if len(sys.argv) > 1:
    build(Path(sys.argv[1]))
else:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build(Path(folder) / "cost")], check=True)
