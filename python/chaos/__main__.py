"""Troubles for every command and for the package, in turn, for a time: `make -C hardening chaos`.

usage: python -m chaos [--seconds N] [--seed N] [--command FILE] [NAME...]

Whatever the trouble: no output that is not whole, no wrong answer with a status of success, no status that the manual
does not name, no panic, no run without an end. A run without trouble then succeeds in the same folder, and nothing is
left over. The last line is `cases: N`, which `tools/hardening.py` keeps.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .limits import without_threads
from .tasks import TASKS, Task

#: Seconds of the clock after which a run is taken for one without an end; a shared machine may stop it for minutes.
PATIENCE = 600


class Run:
    """A run of a task, with what comes before it in the child and what happens to it meanwhile."""

    def __init__(
        self, task: Task, folder: Path, command: str, more: list[str], before: Callable[[], None] | None
    ) -> None:
        line = [*task.arguments, *more] if task.program else [command, *task.arguments, *more]
        # Closed with the run: files, because pipes would fill.
        self.out, self.err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            line, cwd=folder, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err, preexec_fn=before
        )

    def end(self) -> tuple[int, bytes, str]:
        """Status, standard output, standard error."""
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("no end") from None
        self.out.seek(0)
        self.err.seek(0)
        return status, self.out.read(), self.err.read().decode(errors="replace")


#: The statuses that the trouble may cause, and how the run ended.
Outcome = tuple[set[int], tuple[int, bytes, str]]
#: Bytes of a process that has its program mapped and little else: for the command 10 MB were too few, and 11 enough.
MAPPED = 12 << 20

Trouble = Callable[[Task, Path, str, random.Random, float], Outcome]


def killed(task: Task, folder: Path, command: str, dice: random.Random, usual: float) -> Outcome:
    """SIGKILL at a random moment."""
    run = Run(task, folder, command, [], None)
    time.sleep(dice.uniform(0, usual * 1.1))
    run.process.kill()
    return {-signal.SIGKILL}, run.end()


def interrupted(task: Task, folder: Path, command: str, dice: random.Random, usual: float) -> Outcome:
    """Ctrl-C or SIGTERM, up to five times in a row."""
    run = Run(task, folder, command, [], None)
    time.sleep(dice.uniform(0, usual * 1.1))
    number = dice.choice([signal.SIGINT, signal.SIGTERM])
    for _ in range(dice.randint(1, 5)):
        run.process.send_signal(number)
        time.sleep(dice.uniform(0, 0.002))
    # Python's own: a KeyboardInterrupt ends with 1 or by the signal, SIGTERM by the signal; before main a signal kills.
    return {130, 143, 1, -signal.SIGINT, -signal.SIGTERM}, run.end()


def storm(task: Task, folder: Path, command: str, dice: random.Random, usual: float) -> Outcome:
    """Thousands of signals that mean nothing, stops and continuations among them: the result is the usual one."""
    more = ["--handlers"] if task.program else []
    run = Run(task, folder, command, more, None)
    harmless = [signal.SIGWINCH, signal.SIGCONT, signal.SIGURG, signal.SIGCHLD]
    stop = time.monotonic() + usual * 2
    while run.process.poll() is None and time.monotonic() < stop:
        run.process.send_signal(dice.choice(harmless))
        if dice.random() < 0.1:
            run.process.send_signal(signal.SIGSTOP)
            run.process.send_signal(signal.SIGCONT)
        time.sleep(0.0005)
    run.process.send_signal(signal.SIGCONT)
    return set(), run.end()


def full(task: Task, folder: Path, command: str, dice: random.Random, usual: float) -> Outcome:
    """No file may grow beyond some bytes, as on a disk that is full; half of the runs ignore its signal."""
    limit, ignores = int(2 ** dice.uniform(0, 18)), dice.random() < 0.5

    def before() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN if ignores else signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return {1, -signal.SIGXFSZ}, Run(task, folder, command, [], before).end()


def starved(task: Task, folder: Path, command: str, dice: random.Random, usual: float) -> Outcome:
    """A limit on memory: if it does not suffice, the process reports it or aborts, and leaves nothing half."""
    # From 8 MiB on, with which nothing starts.
    limit = int(2 ** dice.uniform(23, 28)) if not task.program else int(2 ** dice.uniform(27, 29))

    def before() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    # 127: the loader has no room for a library. Linux sends SIGSEGV if the program itself cannot be mapped.
    allowed = {1, 127, -signal.SIGABRT} | ({-signal.SIGSEGV} if limit < MAPPED else set())
    return allowed, Run(task, folder, command, [], before).end()


def alone(task: Task, folder: Path, command: str, dice: random.Random, usual: float) -> Outcome:
    """No more processes, and so no more threads: the result is the usual one, on one thread."""

    if task.program:
        return set(), Run(task, folder, command, ["--alone"], None).end()
    return set(), Run(task, folder, command, [], without_threads).end()


def forks(task: Task, folder: Path, command: str, dice: random.Random, usual: float) -> Outcome:
    """Forks while threads compute; a command forks nothing, and two of it run side by side instead."""
    if task.program:
        return set(), Run(task, folder, command, ["--forks"], None).end()
    first, second = Run(task, folder, command, [], None), Run(task, folder, command, [], None)
    other = second.end()
    assert other[0] in {task.status, 1}, other[2]
    # Of two that make one file, the second one may say that there is one, or that another one is at work.
    return {1}, first.end()


TROUBLES: dict[str, Trouble] = {
    "kill -9": killed,
    "interruption": interrupted,
    "signal storm": storm,
    "disk full": full,
    "memory limit": starved,
    "pids limit": alone,
    "forks, two at once": forks,
}


def prepared(name: str, seed: int, folder: Path, command: str) -> Task:
    """A task in an empty folder that everybody may write to."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    task = TASKS[name](folder, random.Random(seed))
    if task.first:
        subprocess.run([command, *task.first], cwd=folder, check=True, capture_output=True)
    folder.chmod(0o777)
    return task


def judge(task: Task, folder: Path, expected: set[int], ended: tuple[int, bytes, str]) -> None:
    """Whether a run ended as it may, and what it left behind is whole."""
    status, out, err = ended
    assert status in expected | {task.status}, f"status {status}: {err}"
    # Python's own words about a signal are no panic.
    assert "panicked" not in err, err
    if status == task.status and task.stdout is not None:
        assert out == task.stdout, f"{out[:200]!r}"
    if task.output and (folder / task.output).exists():
        assert task.is_whole(folder / task.output), "an output that is not whole"
    if status == task.status and task.output:
        assert (folder / task.output).exists(), "no output"


def settled(task: Task, folder: Path, command: str) -> None:
    """A run without trouble succeeds in the same folder, and nothing is left over."""
    for path in folder.glob(".*.tmp"):
        # What a killed writer left counts as left behind after ten seconds.
        os.utime(path, (time.time() - 60,) * 2)
    ended = Run(task, folder, command, task.again, None).end()
    judge(task, folder, set(), ended)
    left = {path.name for path in folder.iterdir()} - set(task.files)
    assert not left, f"left over: {sorted(left)}"
    if task.output == "out":
        partials = [path.name for path in (folder / "out").rglob("*") if path.name.endswith(".partial")]
        assert not partials, f"left over: {partials}"


def main() -> int:
    """Troubles in turn until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=None)
    script = Path(sysconfig.get_path("scripts")) / "pingala"
    parser.add_argument("--command", type=Path, default=script)
    parser.add_argument("names", nargs="*", help="only these tasks or troubles")
    options = parser.parse_args()
    seed = int(time.time()) if options.seed is None else options.seed
    dice = random.Random(seed)
    print(f"seed {seed}", flush=True)
    counts: Counter[str] = Counter()
    statuses: dict[str, Counter[int]] = {name: Counter() for name in TROUBLES}
    tasks = [name for name in TASKS if not options.names or name in options.names] or list(TASKS)
    troubles = [name for name in TROUBLES if not options.names or name in options.names] or list(TROUBLES)
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        top.chmod(0o755)
        # A folder in which no other user may run it.
        command = top / "pingala"
        shutil.copy(options.command, command)
        usual: dict[str, float] = {}
        started = time.monotonic()
        while time.monotonic() < started + options.seconds:
            for task_name in tasks:
                for trouble_name in troubles:
                    if time.monotonic() > started + options.seconds:
                        break
                    drawn = dice.getrandbits(32)
                    folder = top / "work"
                    task = prepared(task_name, drawn, folder, str(command))
                    if task_name not in usual:
                        begun = time.monotonic()
                        settled(task, folder, str(command))
                        usual[task_name] = time.monotonic() - begun
                        task = prepared(task_name, drawn, folder, str(command))
                    try:
                        happened = TROUBLES[trouble_name](task, folder, str(command), dice, usual[task_name])
                        statuses[trouble_name][happened[1][0]] += 1
                        judge(task, folder, *happened)
                        settled(task, folder, str(command))
                    except Exception as error:
                        failures += 1
                        print(f"FAILED: {task_name}, {trouble_name}, seed {seed}: {error!r}", flush=True)
                    counts[trouble_name] += 1
    for trouble, count in counts.items():
        ends = ", ".join(f"{count} with {status}" for status, count in sorted(statuses[trouble].items()))
        print(f"{trouble}: {count} runs; {ends}")
    print(f"{failures} failures\ncases: {sum(counts.values())}")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
