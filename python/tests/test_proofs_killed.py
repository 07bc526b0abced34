"""Proofs of squarings and witnesses, killed at random moments: the same call goes on from its file, to the same result.

PINGALA_KILLS=200 kills so many times each (`make -C hardening proof-kills`).
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pingala

KILLS = int(os.environ.get("PINGALA_KILLS", "6"))

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")

RNG = random.Random(44)
M = pingala.next_prime(RNG.getrandbits(520) | 1 << 519) * pingala.next_prime(RNG.getrandbits(520) | 1 << 519)
SQUARINGS = 400_000
ELEMENTS = [RNG.getrandbits(256) | 1 for _ in range(600)]

SQUARE = f"""
y, proof = pingala.repeated_square(5, {SQUARINGS}, {M}, proof="wesolowski", **more)
print(hex(y), proof)
"""
WITNESSES = f"""
print(hash(tuple(pingala.witnesses(5, {ELEMENTS}, {M}, **more))))
"""
PROGRAM = """
import sys
import pingala
more = {{"checkpoint": sys.argv[1], "checkpoint_seconds": float(sys.argv[2]), "threads": int(sys.argv[3])}}
more |= {{"memory": int(sys.argv[4])}} if len(sys.argv) > 4 else {{}}
{work}
"""


def expected(work: str) -> str:
    if work == SQUARE:
        y, proof = pingala.repeated_square(5, SQUARINGS, M, proof="wesolowski")
        assert pingala.verify_squaring(5, SQUARINGS, M, y, proof)
        return f"{y:#x} {proof}"
    found = pingala.witnesses(5, ELEMENTS, M)
    assert pingala.verify_witnesses(pingala.accumulate(5, ELEMENTS, M), ELEMENTS, found, M)
    return str(hash(tuple(found)))


@pytest.mark.parametrize("work", [pytest.param(SQUARE, id="squaring"), pytest.param(WITNESSES, id="witnesses")])
def test_killed_at_random_moments(tmp_path: Path, work: str) -> None:
    wanted = expected(work)
    moments, killed, runs, going_on = random.Random(7), 0, 0, 0
    while killed < KILLS:
        runs += 1
        state = tmp_path / f"state-{runs}"
        # A run decides about its memory when it begins; those that go on obey it.
        memory = moments.choice(([], ["20000"], ["2000000"]))
        while True:
            arguments = [str(state), moments.choice(("0", "0.02", "0.1")), moments.choice("12"), *memory]
            command = [sys.executable, "-c", PROGRAM.format(work=work), *arguments]
            is_last = moments.random() < 0.2 or killed >= KILLS
            before = state.stat().st_size if state.exists() else 0
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
                if not is_last:
                    # However slowly a process starts here: once it works, its file is there.
                    while not state.exists() and started.poll() is None:
                        time.sleep(0.002)
                    time.sleep(moments.uniform(0, 0.3))
                    started.send_signal(signal.SIGKILL)
                told, why = started.communicate()
            going_on += before > 0
            if started.returncode == -signal.SIGKILL:
                killed += 1
                continue
            assert started.returncode == 0, why
            assert told.strip() == wanted
            break
    assert going_on > 0


@pytest.mark.parametrize("work", [pytest.param(SQUARE, id="squaring"), pytest.param(WITNESSES, id="witnesses")])
def test_a_stop_by_the_caller_keeps_the_state(tmp_path: Path, work: str) -> None:
    """A short case of the same, in this process: progress raises at every step of the way."""
    state, wanted, polls = tmp_path / "state", expected(work), 1
    while True:
        left = [polls]

        def progress(done: int, total: int, left: list[int] = left) -> None:
            assert done <= total
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt

        more = {"checkpoint": state, "checkpoint_seconds": 0.0, "progress": progress}
        try:
            if work == SQUARE:
                y, proof = pingala.repeated_square(5, SQUARINGS, M, proof="wesolowski", **more)  # type: ignore[call-overload]
                assert f"{y:#x} {proof}" == wanted
            else:
                assert str(hash(tuple(pingala.witnesses(5, ELEMENTS, M, **more)))) == wanted  # type: ignore[arg-type]
            break
        except KeyboardInterrupt:
            assert state.exists()
            polls += 1
    assert state.exists()
