"""While it runs: the interpreter is free, Ctrl-C stops it, threads and forks do no harm."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import gmpy2
import pytest

import pingala
from drawing import drawn

M = drawn("running", 4096) | 1
LINUX = sys.platform == "linux"


@contextlib.contextmanager
def every(seconds, sample):
    """Calls `sample` from another thread about every `seconds` seconds; yields the list of its answers."""
    answers, running, stop = [], threading.Event(), threading.Event()

    def work():
        while not stop.is_set():
            answers.append(sample())
            running.set()
            time.sleep(seconds)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    running.wait(timeout=10)
    try:
        yield answers
    finally:
        stop.set()
        thread.join(timeout=10)


# Half a second and more on the fastest kernel known.
LONG = drawn("e", 1 << 20)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pingala.powmod(3, LONG, M),
        lambda: pingala.Modulus(M).pow(3, LONG),
        lambda: pingala.powmod_list(range(3, 2003), drawn("e", 1 << 12), M),
    ],
)
def test_other_threads_run_during_a_long_call(call):
    with every(0.002, time.perf_counter) as ticks:
        started = time.perf_counter()
        call()
        ended = time.perf_counter()
    during = sum(started < at < ended for at in ticks)
    assert during >= 5
    assert during > 0.05 * (ended - started) / 0.002


def processor_seconds_after_ctrl_c(child, patience=60):
    """Interrupts a child and waits for its end; the processor time that it took from the signal on, by all its threads.

    A processor that others use too may stand still for seconds: the time on the clock says nothing.
    """
    before = 0
    if LINUX:
        with open(f"/proc/{child.pid}/stat", encoding="ascii") as file:
            ticks = file.read().rsplit(")", 1)[1].split()[11:13]
        before = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    child.send_signal(signal.SIGINT)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime - before
        time.sleep(0.005)
    pytest.fail(f"still running {patience} s after Ctrl-C")


INTERRUPTED = """
import signal, sys, time, threading
# A shell's background jobs inherit that it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
import pingala
from drawing import drawn
modulus = drawn("m", 4096) | 1
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("finished", flush=True)
# It still works.
assert pingala.powmod_list([3, 4], 65537, 1009) == [pow(3, 65537, 1009), pow(4, 65537, 1009)]
"""


@pytest.mark.skipif(os.name != "posix", reason="Unix signals")
@pytest.mark.parametrize(
    "call",
    [
        'pingala.powmod(3, drawn("e", 1 << 24), modulus)',
        'pingala.Modulus(modulus).pow(3, drawn("e", 1 << 24))',
        'pingala.powmod_sec(3, drawn("e", 1 << 24), modulus, 1 << 24)',
        'pingala.powmod_base_list(range(1, 10**6), drawn("e", 4096), modulus, threads=1)',
        'pingala.powmod_base_list(range(1, 10**6), drawn("e", 4096), modulus)',
        'pingala.powmod_base_list(range(1, 10**6), drawn("e", 4096), modulus, threads=2, progress=print)',
        'pingala.powmod_base_list([3, 5], drawn("e", 1 << 24), modulus, threads=2)',
        'pingala.powmod_base_list([3], drawn("e", 1 << 24), modulus, threads=2)',
        # This thread is done soon and waits for another one.
        'pingala.powmod_exp_list(3, [drawn("e", 1 << 14), drawn("e", 1 << 24)], modulus, threads=2)',
        "pingala.powmod_base_list(iter(int, 1), 3, modulus)",
        # What asks rarely whether to stop, or never.
        'pingala.FixedExponent("2^2203-3", moves=2 * 10**9)',
        "pingala.invert(3**2600000, (1 << 2**22) - 1)",
        "pingala.Modulus((1 << 2**22) - 1).invert(3**2600000)",
        "pingala.powmod(3**2600000, -5, (1 << 2**22) - 1)",
        "pingala.powmod(3**2600000, -5, (1 << 2**22) - 1, progress=print)",
        "pingala.Modulus((1 << 2**22) - 1).pow(3**2600000, -5)",
        "pingala.powmod_list([3**2600000] * 3, -1, (1 << 2**22) - 1)",
        "pingala.Modulus((1 << 2**22) - 1).invert_list([3**2600000] * 3)",
        "pingala.powmod_list([3, 3**2600000], [-1, -2], [(1 << 2**22) - 1] * 2)",
        "pingala.powmod_product([3**2600000] * 2, [-1, 5], (1 << 2**22) - 1)",
        "pingala.powmod_product_list([[3**2600000]], [[-1]], (1 << 2**22) - 1)",
        "pingala.FixedBase(3**2600000, (1 << 2**22) - 1, 4, 1 << 26).pow(-3)",
        "pingala.FixedBase(3**2600000, (1 << 2**22) - 1, 4, 1 << 26).pow_list([3, -3])",
        'pingala.invert_column([(3**2600000).to_bytes(2**19 + 2**13, "big")] * 2, (1 << 2**22) - 1)',
        "pingala.Modulus((1 << 2**20) - 1).running_product([3**600000] * 10000)",
        "pingala.FixedExponent(2**30000 + 12345, moves=1).pow(3, (1 << 2**19) - 1)",
        "pingala.FixedExponent(2**30000 + 12345, moves=1).pow_sec(3, (1 << 2**19) - 1)",
        'pingala.verify_list(pingala.RSAPublicKey(modulus, 3), [b""], [bytes(2**32)], scheme="rsa-pkcs1")',
    ],
)
def test_ctrl_c_stops_it_within_a_second(call):
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.format(call=call)],
        cwd=os.path.dirname(__file__),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.7)
        seconds = processor_seconds_after_ctrl_c(child)
        output = child.stdout.read()
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    assert output.splitlines()[-1] == "interrupted"
    assert child.returncode == 0
    # On two threads at most. The end of the interpreter is a part of it.
    assert seconds < 1


def test_a_signal_handler_runs_meanwhile_and_may_return():
    seen = []
    previous = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.perf_counter()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        answer = pingala.powmod(3, LONG, M)
        ended = time.perf_counter()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert len(seen) == 1
    assert seen[0] < ended - 0.05
    assert answer == gmpy2.powmod(3, LONG, M)


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


def most_threads_during(call):
    """The most threads that this process had while `call` ran, beyond those that were there."""
    with every(0.0005, lambda: len(os.listdir("/proc/self/task"))) as counts:
        before = counts[0]
        call()
    assert len(counts) > 20
    return max(counts) - before


@pytest.mark.skipif(not LINUX, reason="counts threads in /proc")
def test_one_thread_is_none_started():
    bases = range(3, 603)
    exponent = drawn("e", 4096)
    assert most_threads_during(lambda: pingala.powmod_base_list(bases, exponent, M, threads=1)) == 0
    assert most_threads_during(lambda: pingala.powmod(3, LONG, M)) == 0


@pytest.mark.skipif(not LINUX, reason="counts threads in /proc")
def test_threads_are_started_for_long_lists_only():
    bases = range(3, 603)
    exponent = drawn("e", 4096)
    assert 1 <= most_threads_during(lambda: pingala.powmod_base_list(bases, exponent, M, threads=2)) <= 2

    uneven = [5, *[exponent] * 600]
    assert most_threads_during(lambda: pingala.powmod_exp_list(3, uneven, M, threads=2)) >= 1

    def tiny_lists():
        until = time.perf_counter() + 0.3
        while time.perf_counter() < until:
            pingala.powmod_list([3, 4, 5], 65537, 10**9 + 7)

    assert most_threads_during(tiny_lists) == 0


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
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def test_leaving_while_a_daemon_thread_works():
    script = """
        import threading, time
        import pingala
        thread = threading.Thread(target=pingala.powmod, args=(3, 1 << (1 << 20), 2**4096 - 3), daemon=True)
        thread.start()
        time.sleep(0.3)
    """
    child = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], timeout=100, capture_output=True)
    assert (child.returncode, child.stderr) == (0, b"")
