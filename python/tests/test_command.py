"""The command that pip installs."""

import json
import os
import re
import select
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
        child.send_signal(signal.SIGINT)
        # Standard input is open: without the signal it would wait for ever.
        child.wait(timeout=60)
        stderr = child.stderr.read()
    finally:
        child.kill()
        child.communicate()
    assert child.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
@pytest.mark.parametrize("rows_on_terminal", [False, True], ids=["rows in a pipe", "rows on the terminal"])
def test_the_bar_keeps_off_rows(rows_on_terminal):
    import pty  # Not on Windows.

    ours, terminal = pty.openpty()
    child = subprocess.Popen(
        [str(SCRIPT), "batch", "-", "--output", "-"],
        stdin=subprocess.PIPE, stdout=terminal if rows_on_terminal else subprocess.PIPE, stderr=terminal, text=True,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(terminal)
    try:
        child.stdin.write('{"base": 3, "exponent": 5, "modulus": 7}\n')
        child.stdin.flush()
        seen = ""
        if not rows_on_terminal:
            while "rows/s  0 s" not in seen and "\x1b[" not in seen:
                assert select.select([ours], [], [], 60)[0], f"no bar in a minute: {seen!r}"
                seen += os.read(ours, 1 << 16).decode()
        else:
            # Longer than a bar takes to show itself.
            time.sleep(0.7)
        rows, _ = child.communicate(timeout=60)
        seen += os.read(ours, 1 << 16).decode()
    finally:
        child.kill()
        child.wait()
        os.close(ours)
    assert child.returncode == 0
    assert ("rows/s  0 s" in seen or "\x1b[" in seen) == (not rows_on_terminal), seen
    assert '{"result":"0x5"' in (seen if rows_on_terminal else rows).replace('"id":1,', ""), (seen, rows)


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
@pytest.mark.parametrize("columns", [80, 50])
def test_the_bar_fits_the_terminal_and_goes_before_the_summary(columns, tmp_path):
    import fcntl  # Not on Windows.
    import pty
    import struct
    import termios

    rows = tmp_path / "rows.csv"
    rows.write_text("b\n" + "".join(f"{row}\n" for row in range(200_000)))
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen(
        [str(SCRIPT), "job", "run", rows, "--output", tmp_path / "out", "--base", "b", "--exponent", "2**600-1",
         "--modulus", "2**601-1"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal, env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(terminal)
    seen = b""
    try:
        while select.select([ours], [], [], 120)[0]:
            try:
                seen += os.read(ours, 1 << 16)
            except OSError:  # The other end is closed.
                break
        child.wait(timeout=60)
    finally:
        child.kill()
        child.wait()
        os.close(ours)
    text = seen.decode()
    assert child.returncode == 0, text
    assert "\x1b[2K" in text, text
    bars = [line for line in re.split(r"\x1b\[[0-9;]*[A-Za-z]|\r|\n", text) if " % " in line or " rows  " in line]
    assert bars, text
    assert max(map(len, bars)) <= columns, bars
    assert "\x1b[" not in text.split("200,000 rows, 0 errors")[1], text
