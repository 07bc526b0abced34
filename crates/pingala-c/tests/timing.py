"""The statistical test of times on the shared library: three runs that must tell nothing, and one with a planted leak.

usage: python crates/pingala-c/tests/timing.py [SAMPLES [MODULUS_BITS EXPONENT_BITS [KERNEL]]]

`timing.c` explains the method. A run tells something where |t| > 4.5. The leak is a thousandth of the time of a call.
"""

import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
PREFIX = TOP / "target/c/prefix"
LEAK = 0.001
LIMIT = 4.5


def main() -> int:
    """Compile, run, judge."""
    samples, modulus_bits, exponent_bits, *kernel = [*sys.argv[1:], *["1000000", "1024", "64"][len(sys.argv) - 1 :]]
    program = TOP / "target/c/timing"
    library = next(PREFIX.rglob("libpingala.so")).parent
    source = Path(__file__).with_suffix(".c")
    flags = ["-O2", f"-I{PREFIX / 'include'}", f"-L{library}", f"-Wl,-rpath,{library}", "-lpingala", "-lm"]
    subprocess.run(["cc", "-o", program, source, *flags], check=True)
    failed = 0
    for leak in (0, LEAK, 0, 0):
        run = [program, modulus_bits, exponent_bits, samples, str(leak), *kernel]
        said = subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()
        found = re.search(r"t = (\S+)$", said)
        assert found, said
        tells = abs(float(found[1])) > LIMIT
        print(f"{said}: {'tells' if tells else 'tells nothing'}; cases: {samples}", flush=True)
        failed += tells != bool(leak)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
