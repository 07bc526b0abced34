"""Builds and runs cost.rs, which measures what a call from C costs beside a call from Rust."""

import subprocess
import tempfile
from pathlib import Path

from test_c import CRATE, PREFIX, rust_program

with tempfile.TemporaryDirectory() as folder:
    flags = ["-L", f"native={PREFIX}/lib", "-C", f"link-arg=-Wl,-rpath,{PREFIX}/lib"]
    program = rust_program(CRATE / "tests/cost.rs", Path(folder) / "cost", *flags)
    subprocess.run([program], check=True)
