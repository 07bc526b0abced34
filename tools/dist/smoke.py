"""Twenty cases for a package that was just installed; needs nothing but Python: `python smoke.py`.

Answers come from Python's own pow. The last line is the count; the status is 1 if a case failed.
"""

import importlib.metadata
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pingala

MODULUS = (1 << 2048) - 1942289
EVEN = (1 << 1024) + 2**60
LONG = (1 << 9000) + 27
P, Q = 2**521 - 1, 2**607 - 1
WORDS: Any = "two"


def refuses(error: type[BaseException], call: Callable[[], object]) -> bool:
    try:
        call()
    except error:
        return True
    return False


def command(*arguments: str) -> str:
    """The command that came with the package, next to the interpreter."""
    name = "pingala.exe" if os.name == "nt" else "pingala"
    # A package that is only unpacked has no command: its module is the same.
    program = Path(sys.executable).parent / name
    words = [str(program)] if program.exists() else [sys.executable, "-m", "pingala"]
    # Under an emulator this process's own file is what it emulates: it must not be started by the host.
    if os.environ.get("PINGALA_SMOKE_RUNNER"):
        words = [*os.environ["PINGALA_SMOKE_RUNNER"].split(), sys.executable, "-m", "pingala"]
    return subprocess.run([*words, *arguments], capture_output=True, text=True, check=True).stdout


def table_in_a_file() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "three.table"
        pingala.FixedBase(3, MODULUS, 256).save(path)
        return bool(pingala.FixedBase.load(path).pow(12345) == pow(3, 12345, MODULUS))


def cases() -> Iterator[tuple[str, Callable[[], bool]]]:
    bases = [3**k for k in range(1, 20)]
    yield "version", lambda: importlib.metadata.version("pingala") == pingala.__version__
    yield "one word", lambda: pingala.powmod(3, 65537, 1000003) == pow(3, 65537, 1000003)
    yield "odd modulus", lambda: pingala.powmod(7, MODULUS - 1, MODULUS) == pow(7, MODULUS - 1, MODULUS)
    yield "even modulus", lambda: pingala.powmod(7, EVEN - 1, EVEN) == pow(7, EVEN - 1, EVEN)
    yield "power of two", lambda: pingala.powmod(7, 12345, 1 << 500) == pow(7, 12345, 1 << 500)
    yield "long modulus", lambda: pingala.powmod(7, 65537, LONG) == pow(7, 65537, LONG)
    yield "negative exponent", lambda: pingala.powmod(3, -5, MODULUS) == pow(3, -5, MODULUS)
    yield "inverse", lambda: pingala.invert(3, MODULUS) == pow(3, -1, MODULUS)
    yield "no inverse", lambda: refuses(pingala.NotInvertibleError, lambda: pingala.invert(2, 4))
    yield "zero modulus", lambda: refuses(pingala.ZeroModulusError, lambda: pingala.powmod(2, 3, 0))
    yield "wrong type", lambda: refuses(TypeError, lambda: pingala.powmod(WORDS, 3, 5))
    yield "list", lambda: pingala.powmod_list(bases, 65537, MODULUS) == [pow(b, 65537, MODULUS) for b in bases]
    yield "two threads", lambda: pingala.powmod_list(bases, 3, 101, threads=2) == [pow(b, 3, 101) for b in bases]
    yield (
        "product",
        lambda: (
            pingala.powmod_product([3, 5], [65537, 12345], MODULUS)
            == pow(3, 65537, MODULUS) * pow(5, 12345, MODULUS) % MODULUS
        ),
    )
    yield "fixed base in a file", table_in_a_file
    yield "secret exponent", lambda: pingala.powmod_sec(3, 54321, MODULUS) == pow(3, 54321, MODULUS)
    yield "known factors", lambda: pingala.Modulus(P * Q, factors={P: 1, Q: 1}).pow(3, P) == pow(3, P, P * Q)
    yield "repeated squaring", lambda: pingala.repeated_square(3, 100, MODULUS) == pow(3, 1 << 100, MODULUS)
    yield "explanation", lambda: str(pingala.explain(3, 65537, MODULUS)).startswith("Chosen: ")
    yield "command", lambda: int(command("pow", "3", "65537", "1000003")) == pow(3, 65537, 1000003)


def main() -> int:
    failed, count = 0, 0
    for name, case in cases():
        count += 1
        try:
            right = bool(case())
        except Exception as error:
            right = False
            print(f"  {name}: {type(error).__name__}: {error}")
        if not right:
            failed += 1
            print(f"FAILED {name}")
    system = " ".join(
        [platform.python_implementation(), platform.python_version(), platform.machine(), *platform.libc_ver()]
    )
    print(f"{system}: {count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
