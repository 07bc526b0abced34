"""The command that pip installs."""

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

import pingala

SCRIPT = Path(sysconfig.get_path("scripts")) / ("pingala.exe" if os.name == "nt" else "pingala")


def run(*arguments, command=(str(SCRIPT),), **settings):
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60, check=False, **settings)


@pytest.mark.parametrize("command", [(str(SCRIPT),), (sys.executable, "-m", "pingala")], ids=["script", "module"])
def test_it_is_installed(command):
    child = run("--version", command=command)
    assert (child.returncode, child.stderr) == (0, "")
    assert child.stdout.split() == ["pingala", pingala.__version__]


def test_a_batch():
    rows = [{"id": i, "base": i, "exponent": "0x10001", "modulus": 10**12 + 39} for i in range(100)]
    child = run("batch", "-", "--output", "-", input="".join(json.dumps(row) + "\n" for row in rows))
    assert child.returncode == 0, child.stderr
    results = [json.loads(line) for line in child.stdout.splitlines()]
    assert [result["id"] for result in results] == list(range(100))
    assert [int(result["result"], 16) for result in results] == [pow(i, 65537, 10**12 + 39) for i in range(100)]


def test_wrong_use_is_said_by_the_exit_status():
    child = run("abacus")
    assert child.returncode not in (0, 1)
    assert child.stdout == ""
    assert "abacus" in child.stderr
    assert "Traceback" not in child.stderr


@pytest.mark.skipif(os.name != "posix", reason="Unix signals")
def test_ctrl_c_ends_it(tmp_path):
    output = tmp_path / "results.jsonl"
    child = subprocess.Popen(
        [str(SCRIPT), "batch", "-", "--output", str(output)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        child.stdin.write('{"base": 3, "exponent": 5, "modulus": 7}\n')
        child.stdin.flush()
        time.sleep(0.7)
        started = time.perf_counter()
        child.send_signal(signal.SIGINT)
        child.wait(timeout=5)
        seconds = time.perf_counter() - started
        stderr = child.stderr.read()
    finally:
        child.kill()
        child.communicate()
    assert seconds < 1
    assert child.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in stderr
    assert list(tmp_path.iterdir()) == []
