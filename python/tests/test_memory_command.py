"""The command in a limited address space: each run with long numbers gives a result or an error, and none aborts."""

import random
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="SKIPPED: limits of address space are tested on Linux"
)

COMMAND = Path(__file__).resolve().parents[2] / "target/release/pingala"
BITS = 10**6
#: What the process may have in all: the program and little more; room for some numbers; room for lists.
ROOMS = (150_000_000, 300_000_000, 1_000_000_000)
#: Runs that take longer are interrupted, as by Ctrl-C.
SECONDS = 1

#: `n`, `b` and the others are files in the folder of the run.
CALLS = [
    "pow @b @n @n",
    "pow @b 65537 @n",
    "pow @b -1 @n",
    "pow --secret-exponent-file n @b @n",
    "square @b 1e9 @n",
    "square --proof @b 1e9 @n",
    "multi @b @n numbers",
    "product @n pairs",
    "batch rows.jsonl --output out.jsonl",
    "prime test @n",
    "prime test --field base rows.jsonl",
    "prime next @n",
    "prime next --previous @n",
    "prime between @b @n",
    "prime between 3 1e9",
    "prime random 1e6",
    "prime random 1e6 --safe",
    "prime random 1e6 --proof",
    "prime certify @n",
    "prime symbol @b @n",
    "prime sqrt @b @n",
    "table build @b @n table --exponent-bits 1e6 --memory 900M --force",
    "plan @b @n @n",
    "explain @b @n @n",
    "chain @n",
    "chain search 2^65535-19 --seconds 1",
    "trace @n -a sliding_window",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    draw = random.Random(7)
    n = hex(draw.getrandbits(BITS) | 1 | 1 << (BITS - 1))
    numbers = [hex(draw.getrandbits(BITS - 1)) for _ in range(20)]
    files = {
        "n": n,
        "b": numbers[0],
        "numbers": "\n".join(numbers),
        "pairs": "\n".join(f"{one} {two}" for one, two in zip(numbers, reversed(numbers), strict=True)),
        "rows.jsonl": "\n".join(f'{{"base": "{one}", "exponent": "{n}", "modulus": "{n}"}}' for one in numbers),
    }
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n", encoding="ascii")
    return folder


@pytest.mark.parametrize("call", CALLS)
def test_no_run_aborts(folder: Path, call: str) -> None:
    for room in ROOMS:
        (folder / "out.jsonl").unlink(missing_ok=True)
        run = subprocess.Popen(
            [COMMAND, *call.split()],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda room=room: resource.setrlimit(resource.RLIMIT_AS, (room, room)),
        )
        try:
            _, err = run.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGINT)
            _, err = run.communicate(timeout=600)
        assert run.returncode in (0, 1, 3, 4, 130), f"{call} in {room} bytes: {run.returncode}\n{err[-2000:]}"
        assert run.returncode != 1 or err.startswith("pingala: "), err[-2000:]
