"""The command that pip installs."""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

import pingala
from waiting import wait_until

SCRIPT = Path(sysconfig.get_path("scripts")) / ("pingala.exe" if os.name == "nt" else "pingala")


def run(*arguments, command=(str(SCRIPT),), **settings):
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, **settings)


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
        # The handler is there before the file, which is aside until all is written.
        wait_until(lambda: any(tmp_path.iterdir()))
        child.send_signal(signal.SIGINT)
        # Standard input is open: without the signal it would wait for ever.
        child.wait()
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
                seen += os.read(ours, 1 << 16).decode()
        else:
            # Longer than a bar takes to show itself; one that is late goes unseen.
            time.sleep(0.7)
        rows, _ = child.communicate()
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

    def on_a_terminal(count):
        """What a job of `count` rows shows."""
        rows = tmp_path / f"{count}.csv"
        rows.write_text("b\n" + "".join(f"{row}\n" for row in range(count)))
        ours, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen(
            [str(SCRIPT), "job", "run", rows, "--output", tmp_path / f"{count}", "--base", "b",
             "--exponent", "2**600-1", "--modulus", "2**601-1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal, env={**os.environ, "TERM": "xterm"},
        )  # fmt: skip
        os.close(terminal)
        seen = b""
        try:
            while True:
                try:
                    seen += os.read(ours, 1 << 16)
                except OSError:  # The other end is closed.
                    break
            child.wait()
        finally:
            child.kill()
            child.wait()
            os.close(ours)
        assert child.returncode == 0, seen
        return seen.decode()

    # A bar shows itself in jobs that take a moment.
    count, bars = 50_000, []
    while not bars:
        count *= 4
        text = on_a_terminal(count)
        lines = re.split(r"\x1b\[[0-9;]*[A-Za-z]|\r|\n", text)
        bars = [line for line in lines if " % " in line or " rows  " in line]
    assert "\x1b[2K" in text, text
    assert max(map(len, bars)) <= columns, bars
    assert "\x1b[" not in text.split(f"{count:,} rows, 0 errors")[1], text
