"""Builds and runs cost.rs, which measures what a call from C costs beside a call from Rust.

cost.py            builds and runs it
cost.py PROGRAM    leaves the program there, for benchmarks that run it beside others
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from test_c import CRATE, PREFIX, rust_program


def build(program: Path) -> Path:
    flags = ["-L", f"native={PREFIX}/lib", "-C", f"link-arg=-Wl,-rpath,{PREFIX}/lib"]
    return rust_program(CRATE / "tests/cost.rs", program, *flags)


if len(sys.argv) > 1:
    build(Path(sys.argv[1]))
else:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build(Path(folder) / "cost")], check=True)
