"""The class Progress."""

import io
import re
import signal
import sys

import pytest

import pingala
from drawing import drawn
from pingala import Progress, _progress


class EnoughError(Exception):
    pass


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    return now


def test_a_terminal_sees_the_speed_and_the_time_left(clock):
    file = Terminal()
    progress = Progress("squarings", file)
    progress(1_000_000, 9_000_000)  # done by a run before
    assert progress.seconds_left is None
    clock[0] += 10
    progress(2_000_000, 9_000_000)
    assert progress.seconds_left == 70
    bar = "[####----------------]"
    assert file.getvalue().endswith(f"\r\x1b[K{bar}  2,000,000 of 9,000,000 squarings  100,000/s  1 min 10 s left")
    clock[0] += 70
    progress(9_000_000, 9_000_000)
    assert file.getvalue().endswith("\r\x1b[K8,000,000 squarings in 1 min 20 s, 100,000/s\n")
    assert progress.seconds_left == 0
    progress(5, 10)  # another call
    assert file.getvalue().endswith("5 of 10 squarings  0/s  ? left")


def test_a_stopped_call_does_not_count(clock):
    progress = Progress(file=Terminal())
    progress(50, 100)
    clock[0] += 1000
    progress(5, 100)
    clock[0] += 2
    progress(7, 100)
    assert progress.seconds_left == 93
    progress(7, 200)
    assert progress.seconds_left is None


def test_without_standard_error_only_the_time_is_kept(clock, monkeypatch):
    monkeypatch.setattr(_progress.sys, "stderr", None)
    progress = Progress()
    progress(1, 10)
    clock[0] += 1
    progress(2, 10)
    assert progress.seconds_left == 8


def test_a_file_gets_a_line_a_minute(clock):
    file = io.StringIO()
    progress = Progress(file=file)
    for done in range(150):
        progress(done, 100_000)
        clock[0] += 1
    lines = file.getvalue().splitlines()
    assert lines == [
        "60 of 100,000 powers  1/s  1 d 3 h left",
        "120 of 100,000 powers  1/s  1 d 3 h left",
    ]


def test_a_brief_call_leaves_nothing(clock):
    file = Terminal()
    progress = Progress(file=file)
    progress(1, 3)
    clock[0] += 0.9
    progress(3, 3)
    assert file.getvalue().endswith("\r\x1b[K")
    assert repr(progress) == "<Progress: 3 of 3 powers>"


def test_an_error_in_with_takes_the_line_away(clock):
    file = Terminal()
    lines = []

    def interrupted():
        with Progress(file=file) as progress:
            progress(1, 3)
            lines.append(file.getvalue())
            raise EnoughError

    with pytest.raises(EnoughError):
        interrupted()
    assert " left" in lines[0]
    assert file.getvalue().endswith("\r\x1b[K")


def test_a_notebook_sees_a_line_that_is_written_again(clock):
    cell = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()
    progress = Progress(file=cell)
    progress(1, 4)
    clock[0] += 1
    progress(2, 4)
    assert cell.getvalue().endswith("\r\x1b[K[##########----------]  2 of 4 powers  1/s  2 s left")


def test_it_is_told_by_lists_and_squarings():
    for call in (
        lambda progress: pingala.repeated_square(3, 300_000, drawn("m", 2048) | 1, progress=progress),
        lambda progress: pingala.powmod_list(range(300), 65537, drawn("m", 2048) | 1, progress=progress),
    ):
        file = Terminal()
        call(Progress(file=file))
        # On a slow machine it takes a second.
        assert re.search(r"\r\x1b\[K(|300(,000)? powers in .*/s\n)$", file.getvalue())


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers that send signals")
def test_an_interrupted_call_leaves_no_line():
    file, here = Terminal(), sys._getframe()

    def interrupted(_, frame):
        # When a line stands there, and nothing is about to be printed.
        if frame is here and " left" in file.getvalue():
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, 0.01)

    before = signal.signal(signal.SIGALRM, interrupted)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        # It would take an hour.
        with pytest.raises(KeyboardInterrupt):
            pingala.repeated_square(3, 10**10, drawn("m", 2048) | 1, progress=Progress(file=file))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert " left" in file.getvalue()
    assert file.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59.6, "1 min 0 s"), (3600, "1 h 0 min"), (200_000, "2 d 7 h")]
)
def test_times(seconds, text):
    assert _progress._text(seconds) == text


def test_one_power_tells_the_bits_of_its_exponent():
    for modulus in (drawn("m", 9000) | 1, drawn("m", 9000) << 100, 15, pingala.Modulus(15, {3: 1, 5: 1})):
        told = []
        exponent = drawn("e", 12_000)
        power = pingala.powmod(3, exponent, modulus, progress=lambda done, total, told=told: told.append((done, total)))
        assert power == pow(3, exponent, int(modulus))
        assert told == sorted(told)
        assert told[-1] == (exponent.bit_length(), exponent.bit_length())
    assert len(told) == 1
    with pytest.raises(TypeError, match="progress must be callable, not int"):
        pingala.powmod(3, 5, 7, progress=5)


def test_a_long_power_tells_more_than_once():
    """The call would take hours: its second report ends it."""
    told = []

    def progress(done, total):
        told.append((done, total))
        if len(told) == 2:
            raise EnoughError

    with pytest.raises(EnoughError):
        pingala.Modulus(drawn("m", 1 << 16) | 1).pow(3, drawn("e", 1 << 24), progress=progress)
    assert 0 <= told[0][0] <= told[1][0] < 1 << 24
    assert {total for _, total in told} == {1 << 24}


def test_what_progress_raises_stops_a_power():
    def progress(done, total):
        raise EnoughError

    with pytest.raises(EnoughError):
        pingala.powmod(3, drawn("e", 2_000_000), drawn("m", 9000) | 1, progress=progress)
