"""Runs the tests on a machine that is busy, and adds what they said to docs/records/busy.md.

    python tools/busy.py LOAD... TARGET [NAME=VALUE...]

For each LOAD in turn: `make TARGET` with these variables, beside the load.

    loops    four loops that only compute run beside it
    stops    it has one processor, and one process of it after the other, drawn at random, is stopped for 0.5 to 2 s

The loops compete with each process of the tests by itself. Linux gives each session one share (sched_autogroup), so the
loops start in the session of the tests, at their priority. Processes that a test puts into a session of its own have
another share; the record names them.

Loops end and stopped processes continue also if this program fails, is interrupted or killed; then nothing is recorded.
The output stays in target/busy/LOAD.log. Linux only.
"""

import contextlib
import os
import random
import re
import resource
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hardening import TOP, run

RECORD = TOP / "docs/records/busy.md"
LOGS = TOP / "target/busy"
LOADS = ("loops", "stops")
LOOPS = 4
#: A loop that nobody ended, because this program was killed, ends itself.
LOOP = """
import os
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1_000_000): pass
"""
#: Stops a process for a while, or until this program ends, even if it is killed: then the standard input ends.
STOP = """
import select, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
signal.pidfd_send_signal(int(sys.argv[1]), signal.SIGSTOP)
try:
    select.select([sys.stdin], [], [], float(sys.argv[2]))
finally:
    signal.pidfd_send_signal(int(sys.argv[1]), signal.SIGCONT)
"""
CLOSING = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")


def stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name: the state first, then the parent. Empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def tree(root: int) -> list[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def group(pid: int) -> str:
    """The group that shares the processor as one; all processes have the same if the system has no such groups."""
    try:
        return Path(f"/proc/{pid}/autogroup").read_text(encoding="utf-8").split()[0]
    except (OSError, IndexError):
        return ""


@dataclass
class Trouble:
    """What a thread does to the processes below `root`, and what it sees, until `ended` is set."""

    root: int
    stops: bool
    ended: threading.Event = field(default_factory=threading.Event)
    stopped: list[float] = field(default_factory=list)
    runnable: list[int] = field(default_factory=list)
    others: set[str] = field(default_factory=set)
    error: BaseException | None = None

    def look(self) -> None:
        """Counts the threads that run or could, on the whole machine, and finds processes with a share of their own."""
        self.runnable.append(int(Path("/proc/loadavg").read_text(encoding="utf-8").split()[3].partition("/")[0]))
        ours = group(os.getpid())
        for pid in tree(self.root):
            # One that has ended has no group.
            if group(pid) not in (ours, ""):
                with contextlib.suppress(OSError):
                    self.others.add(Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip())

    def stop_one(self) -> None:
        """Stops a process for a while. One that a test has stopped is left alone."""
        running = [pid for pid in tree(self.root) if (fields := stat(pid)) and fields[0] not in "TtZX"]
        if not running:
            return
        pid = random.choice(running)
        with contextlib.suppress(ProcessLookupError), handle(pid) as process:
            # The number may have gone to another process before there was a handle.
            if pid not in tree(self.root):
                return
            pause = random.uniform(0.5, 2)
            command = [sys.executable, "-c", STOP, str(process), str(pause)]
            # A process that ends before it is stopped is no error.
            quiet = subprocess.DEVNULL
            with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=quiet, pass_fds=[process]) as stopping:
                while stopping.poll() is None and not self.ended.wait(0.05):
                    pass
            # The end of the block closes its input, and waits.
            self.stopped += [pause] if stopping.returncode == 0 else []

    def go_on(self) -> None:
        try:
            while not self.ended.wait(random.uniform(0, 1) if self.stops else 1):
                self.look()
                if self.stops:
                    self.stop_one()
        except BaseException as error:
            self.error = error


@contextlib.contextmanager
def handle(pid: int) -> Iterator[int]:
    """Names the process even after its number went to another one."""
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def loops(number: int) -> Iterator[list[int]]:
    """Loops, children of this process in its session."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(number):
            started.append(subprocess.Popen([sys.executable, "-c", LOOP]))
        yield [process.pid for process in started]
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


def start(command: list[str], one_processor: bool) -> subprocess.Popen[str]:
    """Starts the tests, on one processor if so wanted."""
    all_of_them = os.sched_getaffinity(0)
    try:
        if one_processor:
            os.sched_setaffinity(0, {max(all_of_them)})
        return subprocess.Popen(
            command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
    finally:
        os.sched_setaffinity(0, all_of_them)


def end(tests: subprocess.Popen[str]) -> None:
    """Ends the tests and what they started, if they still run."""
    if tests.poll() is not None:
        return
    with contextlib.ExitStack() as open_handles:
        processes = []
        for pid in tree(tests.pid):
            with contextlib.suppress(ProcessLookupError):
                processes.append(open_handles.enter_context(handle(pid)))
        for final in (signal.SIGTERM, signal.SIGKILL):
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(process, final)
            until = time.monotonic() + 10
            # A handle can be read when its process has ended.
            while tests.poll() is None or not all(select.select([one], [], [], 0)[0] for one in processes):
                if time.monotonic() > until:
                    break
                time.sleep(0.05)


def processor_seconds(pids: list[int]) -> float:
    """What processes have used."""
    ticks = sum(int(value) for pid in pids for value in stat(pid)[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def of_children() -> float:
    """What children and theirs had used when they ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def busy(load: str, arguments: list[str]) -> int:
    """One run of the tests beside a load; adds a line to the record."""
    LOGS.mkdir(parents=True, exist_ok=True)
    closing = ("-", "-", "-")
    origin = run().split("\t")
    used_before = of_children()
    started = time.monotonic()
    with loops(LOOPS if load == "loops" else 0) as beside:
        tests = start([os.environ.get("MAKE", "make"), "--no-print-directory", *arguments], load == "stops")
        trouble = Trouble(tests.pid, load == "stops")
        thread = threading.Thread(target=trouble.go_on)
        try:
            thread.start()
            assert tests.stdout is not None
            with open(LOGS / f"{load}.log", "w", encoding="utf-8") as log:
                for line in tests.stdout:
                    print(line, end="", flush=True)
                    log.write(line)
                    if found := CLOSING.match(line):
                        closing = (found[1], found[2], found[3])
            status = tests.wait()
        finally:
            # Stopped processes first: those that are to end have to run.
            trouble.ended.set()
            thread.join()
            end(tests)
        # Loops are no part of what children used before they ended and were waited for.
        used, used_by_loops = of_children() - used_before, processor_seconds(beside)
    seconds = time.monotonic() - started
    if trouble.error:
        raise trouble.error
    if load == "loops":
        processors = len(os.sched_getaffinity(0))
        shares = [100 * part / seconds / processors for part in (used_by_loops, used)]
        seen = [f"{LOOPS} loops had {shares[0]:.0f}% of {processors} processors, the tests {shares[1]:.0f}%"]
    else:
        seen = [f"one processor; {len(trouble.stopped)} stops, {sum(trouble.stopped):.0f} s together"]
    if trouble.runnable:
        seen.append(f"{sum(trouble.runnable) / len(trouble.runnable):.1f} threads could run")
    if trouble.others:
        seen.append(f"with a share of their own: {', '.join(sorted(trouble.others))}")
    if status and closing[1] in ("-", "0"):
        seen.append(f"exit status {status}")
    add(origin, arguments, "; ".join(seen), closing, seconds / 60)
    return status


def add(origin: list[str], arguments: list[str], seen: str, closing: tuple[str, str, str], minutes: float) -> None:
    """Adds a line to the record."""
    date, commit, machine = origin
    # As a shell takes it: NAME='several words'.
    quoted = [name + equals + shlex.quote(value) for name, equals, value in (one.partition("=") for one in arguments)]
    command = " ".join(word.removesuffix("''") for word in ["make", *quoted])
    cells = [date, machine, commit, f"`{command}`", seen, *closing, f"{minutes:.1f}"]
    with RECORD.open("a", encoding="utf-8") as record:
        record.write(f"| {' | '.join(cells)} |\n")
    print(f"{seen}; {minutes:.1f} minutes; added to {RECORD.relative_to(TOP)}", flush=True)


def interrupt(number: int, _: object) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)


def main() -> int:
    """Does what the command line asks for."""
    words = sys.argv[1:]
    loads = [word for word in words if word in LOADS]
    arguments = words[len(loads) :]
    if not loads or words[: len(loads)] != loads or not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.platform != "linux":
        print("tools/busy.py: needs Linux; nothing was run", file=sys.stderr)
        return 1
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        statuses = [busy(load, arguments) for load in loads]
    except KeyboardInterrupt as cause:
        print(f"tools/busy.py: interrupted {cause}; this run is not recorded", file=sys.stderr)
        return 130
    return int(any(statuses))


if __name__ == "__main__":
    sys.exit(main())
