"""While it runs: the interpreter is free, Ctrl-C stops it, threads and forks do no harm."""

import _thread
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import gmpy2
import pytest

import pingala
from drawing import drawn

sys.path.append(str(Path(__file__).resolve().parents[1]))

from promises.calls import LONG_CALLS, LONG_NUMBERS, NUMBERS, PROGRAM, wait_for_work

M = drawn("running", 4096) | 1
LINUX = sys.platform == "linux"


# A power that takes an hour, and minutes each in a list.
ENDLESS, LONG = drawn("e", 1 << 24), drawn("e", 1 << 20)
LARGE = (1 << 2**16) - 3


def sampled(call, sample, enough):
    """The answers of `sample`, from another thread, while `call` runs, which is endless.

    The first sample comes when the process has computed for a moment. When `enough(answers)`, Ctrl-C ends the call.
    """
    answers = []

    def work():
        begun = time.process_time()
        while time.process_time() < begun + 0.05:
            time.sleep(0.001)
        while not enough(answers):
            answers.append(sample())
            time.sleep(0.001)
        _thread.interrupt_main()

    thread = threading.Thread(target=work, daemon=True)

    def started():
        thread.start()
        call()

    # A shell's background jobs inherit that it is ignored.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            started()
    finally:
        signal.signal(signal.SIGINT, previous)
    thread.join()
    return answers


def samples(count):
    return lambda answers: len(answers) == count


@pytest.mark.parametrize(
    "call",
    [
        lambda: pingala.powmod(3, ENDLESS, LARGE),
        lambda: pingala.Modulus(LARGE).pow(3, ENDLESS),
        lambda: pingala.powmod_list(range(3, 203), LONG, LARGE),
    ],
)
def test_other_threads_run_during_a_long_call(call):
    # A thread that has to wait for the interpreter never sees the end of an endless call.
    sampled(call, lambda: None, samples(100))


@pytest.mark.skipif(os.name != "posix", reason="Unix signals")
@pytest.mark.parametrize(("prepare", "call"), [*LONG_CALLS, *((NUMBERS, call.format(t="")) for call in LONG_NUMBERS)])
def test_ctrl_c_stops_it(prepare, call):
    """`make -C hardening promises` measures how soon."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(prepare=prepare, call=call)],
        cwd=os.path.dirname(__file__),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout.readline() == "ready\n"
        wait_for_work(child.pid)
        child.send_signal(signal.SIGINT)
        output = child.stdout.read()
        child.wait()
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    assert output.splitlines()[-1].startswith("interrupted ")
    assert child.returncode == 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers that send signals")
def test_a_signal_handler_runs_meanwhile_and_may_return():
    class EnoughError(Exception):
        pass

    seen = []

    def handler(*_):
        seen.append(1)
        # The call goes on behind the first ones.
        if len(seen) == 3:
            raise EnoughError
        signal.setitimer(signal.ITIMER_REAL, 0.01)

    exponent = drawn("e", 1 << 17)
    previous = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(EnoughError):
            pingala.powmod(3, ENDLESS, LARGE)
        signal.signal(signal.SIGALRM, lambda *_: signal.setitimer(signal.ITIMER_REAL, 0.01))
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        answer = pingala.powmod(3, exponent, M)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert len(seen) == 3
    assert answer == gmpy2.powmod(3, exponent, M)


def test_calls_from_many_threads_at_once():
    modulus = pingala.Modulus(drawn("shared", 512) | 1)
    wrong = []

    def work(seed):
        for i in range(30):
            base, exponent = drawn(f"b{seed}", 300 + i), drawn(f"e{seed}", 200 + i)
            if modulus.pow(base, exponent) != gmpy2.powmod(base, exponent, modulus.value):
                wrong.append((seed, i))
        rows = pingala.powmod_list(range(seed, seed + 20), 10**9, modulus, threads=2)
        if rows != [pow(base, 10**9, modulus.value) for base in range(seed, seed + 20)]:
            wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def started_during(call, enough):
    """The most threads that `call`, which is endless, has started until `enough` of their numbers are counted."""
    before = set(os.listdir("/proc/self/task"))
    # The thread that counts is a new one, too.
    return max(sampled(call, lambda: len(set(os.listdir("/proc/self/task")) - before) - 1, enough))


@pytest.mark.skipif(not LINUX, reason="counts threads in /proc")
def test_one_thread_is_none_started():
    assert started_during(lambda: pingala.powmod_base_list(range(3, 203), LONG, LARGE, threads=1), samples(50)) == 0
    assert started_during(lambda: pingala.powmod(3, ENDLESS, LARGE), samples(50)) == 0


@pytest.mark.skipif(not LINUX, reason="counts threads in /proc")
def test_threads_are_started_for_long_lists_only():
    def enough(counts):
        return len(counts) >= 50 and max(counts) > 0

    assert started_during(lambda: pingala.powmod_base_list(range(3, 203), LONG, LARGE, threads=2), enough) <= 2
    # The table for one base is made before threads are started.
    uneven = [5, *[drawn("e", 4096)] * 6000]
    assert started_during(lambda: pingala.powmod_exp_list(3, uneven, LARGE, threads=2), enough) <= 2

    def tiny_lists():
        while True:
            pingala.powmod_list([3, 4, 5], 65537, 10**9 + 7)

    assert started_during(tiny_lists, samples(100)) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_lists_work_after_fork():
    bases, exponent = range(3, 40), drawn("e", 1024)
    expected = [int(gmpy2.powmod(base, exponent, M)) for base in bases]
    assert pingala.powmod_base_list(bases, exponent, M, threads=2) == expected
    child = os.fork()
    if child == 0:
        try:
            good = pingala.powmod_base_list(bases, exponent, M, threads=2) == expected
            good &= pingala.powmod_base_list(bases, exponent, M) == expected
            os._exit(0 if good else 1)
        finally:
            os._exit(2)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_leaving_while_a_daemon_thread_works():
    script = """
        import threading, time
        import pingala
        thread = threading.Thread(target=pingala.powmod, args=(3, 1 << 10**7, 2**(2**16) - 3), daemon=True)
        begun = time.process_time()
        thread.start()
        while time.process_time() < begun + 0.1:
            time.sleep(0.001)
    """
    child = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True)
    assert (child.returncode, child.stderr) == (0, b"")
