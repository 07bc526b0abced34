"""Measures how soon calls end, and prints each time beside the load that it saw.

    python python/promises [--rounds N] [--only WORDS]

A row is one kind of call: how often it was measured, the least, the middle and the longest time, its limit, and what
the machine did meanwhile: load average, the share of its processors that other processes took, and the share that the
host kept (steal). A row beyond its limit fails only if the machine was quiet. Ctrl-C in Python is to end a call
within 200 ms: a row beyond that is marked, and fails beyond 500 ms.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from calls import LONG_CALLS, LONG_NUMBERS, NUMBERS, PROGRAM, wait_for_work

import pingala
from drawing import drawn

TOP = Path(__file__).resolve().parents[2]
COMMAND = TOP / "target/release" / ("pingala.exe" if os.name == "nt" else "pingala")
PREFIX = TOP / "target/c/prefix"
# A machine on which others take more, or whose host keeps more, is not quiet.
MOST_OTHERS, MOST_STEAL = 0.1, 0.02

#: Seconds, one for each time that it was measured.
Times = list[float]


@dataclass(frozen=True)
class Promise:
    """What is measured; `measure(rounds)` gives seconds, or says what the machine lacks."""

    name: str
    limit: float
    measure: Callable[[int], Times | str]
    #: What is wished for, if it is less than the limit: times beyond it are marked.
    wished: float | None = None


@dataclass(frozen=True)
class Load:
    """What the machine did during a measurement."""

    average: float
    others: float
    steal: float

    def is_quiet(self) -> bool:
        return self.others <= MOST_OTHERS and self.steal <= MOST_STEAL


def processors() -> tuple[float, float, float]:
    """Seconds of all processors so far: in all, at work, and kept by the host; zeros where there is no /proc."""
    try:
        text = Path("/proc/stat").read_text(encoding="ascii")
    except OSError:
        return 0, 0, 0
    user, nice, system, idle, wait, hard, soft, steal = (int(word) for word in text.split()[1:9])
    ticks = os.sysconf("SC_CLK_TCK")
    work = user + nice + system + hard + soft
    return (work + idle + wait + steal) / ticks, work / ticks, steal / ticks


def own() -> float:
    """Seconds of processors that this process and its children have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def loaded(measure: Callable[[], Times | str]) -> tuple[Times | str, Load]:
    """Measures, and what the machine did meanwhile."""
    before, before_own = processors(), own()
    times = measure()
    whole, work, steal = (now - then for now, then in zip(processors(), before, strict=True))
    whole = whole or 1.0
    others = max(work - (own() - before_own), 0) / whole
    return times, Load(os.getloadavg()[0], others, steal / whole)


# --- Python ---------------------------------------------------------------------------------------------------------


def ctrl_c(prepare: str, call: str) -> float:
    """Seconds from the signal to the exception."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(prepare=prepare, call=call)],
        cwd=TOP / "python/tests",
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    while child.stdout.readline() != "ready\n":
        assert child.poll() is None, call
    wait_for_work(child.pid)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate()
    word, at = out.splitlines()[-1].split()
    assert word == "interrupted", out
    return float(at) - sent


def deadline(call: Callable[[float], object], timeout: float = 0.2) -> float:
    """Seconds that a call takes beyond its time."""
    started = time.monotonic()
    try:
        call(timeout)
    except pingala.TimeLimitError:
        return time.monotonic() - started - timeout
    raise AssertionError("it had a result in time")


def long_numbers(text: str, rounds: int) -> Times:
    """Seconds that a call of `LONG_NUMBERS` takes beyond its time, for time-outs in its set-up and later."""
    names: dict[str, object] = {"pingala": pingala, "drawn": drawn}
    exec(NUMBERS, names)
    call = compile(text.format(t=", timeout=timeout"), "call", "eval")
    return [deadline(lambda timeout: eval(call, {**names, "timeout": timeout}), 0.2 + at / 2) for at in range(rounds)]


def first_report() -> float:
    """Seconds to the first report of a search that takes minutes."""

    class HeardError(Exception):
        pass

    def hear(done: int, total: int) -> None:
        raise HeardError

    started = time.monotonic()
    try:
        pingala.random_prime(5000, safe=True, progress=hear)
    except HeardError:
        return time.monotonic() - started
    raise AssertionError("no report")


def in_python() -> Iterator[Promise]:
    for prepare, call in LONG_CALLS:
        yield Promise(
            f"Ctrl-C in Python: `{call}`", 0.5, lambda n, p=prepare, c=call: [ctrl_c(p, c) for _ in range(n)], 0.2
        )
    for text in LONG_NUMBERS:
        call = text.format(t="")
        yield Promise(
            f"10^6 bits, Ctrl-C in Python: `{call}`", 0.2, lambda n, c=call: [ctrl_c(NUMBERS, c) for _ in range(n)]
        )
        yield Promise(f"10^6 bits, past the time-out: `{call}`", 0.2, lambda n, c=text: long_numbers(c, n))
    modulus, long = pingala.Modulus((1 << 20000) - 3), (1 << 2_000_000) - 1
    calls: dict[str, Callable[[float], object]] = {
        "powmod": lambda timeout: pingala.powmod(3, long, modulus, timeout=timeout),
        "powmod_list": lambda timeout: pingala.powmod_list([3] * 9, long, modulus, timeout=timeout),
        "powmod_product": lambda timeout: pingala.powmod_product([3] * 9, [long] * 9, modulus, timeout=timeout),
        "random_prime(8192, safe=True)": lambda timeout: pingala.random_prime(8192, safe=True, timeout=timeout),
    }
    for name, one in calls.items():
        yield Promise(f"past the time-out of `{name}`", 0.2, lambda n, c=one: [deadline(c) for _ in range(n)])
    yield Promise(
        "to the first report of `random_prime(5000, safe=True)`", 0.5, lambda n: [first_report() for _ in range(n)]
    )


# --- the command ----------------------------------------------------------------------------------------------------


def ended(*arguments: str) -> float:
    """Seconds from the signal to the end of the process."""
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        child = subprocess.Popen([COMMAND, *arguments], cwd=folder, **quiet)
        wait_for_work(child.pid)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        child.wait()
        took = time.monotonic() - sent
    assert child.returncode == 130, (arguments, child.returncode)
    return took


def tuned() -> float:
    started = time.monotonic()
    subprocess.run([COMMAND, "tune", "--dry-run", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - started


def in_the_command() -> Iterator[Promise]:
    for arguments, limit in [
        (["prime", "random", "16384", "--safe", "-q"], 0.2),
        (["prime", "random", "32768", "--pair", "rsa", "-o", "pair"], 0.2),
        (["prime", "next", "2**40000"], 0.2),
        (["prime", "test", "2**859433-1"], 0.2),
        (["square", "3", "1e15", "2**4096-1"], 0.2),
        (["pow", "3", "2**4000000-1", "2**65536-3"], 0.5),
        (["chain", "search", "2**4000-12345", "--threads", "1", "--steps", "1000000000000"], 1.0),
    ]:
        words = " ".join(arguments[:3])
        yield Promise(f"Ctrl-C: `pingala {words}`", limit, lambda n, a=arguments: [ended(*a) for _ in range(n)])
    yield Promise("`pingala tune`", 60.0, lambda n: [tuned()])


# --- other languages ------------------------------------------------------------------------------------------------


def in_c(rounds: int) -> Times | str:
    """The longest of each kind of list, by cancel.c."""
    if not shutil.which("cc"):
        return "no C compiler"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "cancel"
        source = TOP / "crates/pingala-c/tests/cancel.c"
        paths = [f"-I{PREFIX}/include", f"-L{PREFIX}/lib", f"-Wl,-rpath,{PREFIX}/lib"]
        subprocess.run(["cc", "-O2", source, "-o", program, *paths, "-lpingala", "-lpthread"], check=True)
        command = [program, "1000000", "1000000", str(rounds), "8"]
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(found) / 1e3 for found in re.findall(r"longest ([\d.]+) ms", ran.stdout)]


def in_go(_: int) -> Times | str:
    """The longest of each kind of list, by BenchmarkCancel."""
    if not shutil.which("go") or not shutil.which("pkg-config"):
        return "no Go or no pkg-config"
    setting = {"PKG_CONFIG_PATH": f"{PREFIX}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{PREFIX}/lib", "CGO_ENABLED": "1"}
    command = ["go", "test", "-run", "^$", "-bench", "Cancel", "-benchtime", "1x", "."]
    ran = subprocess.run(command, cwd=TOP / "go", env=os.environ | setting, check=True, capture_output=True, text=True)
    return [float(found) / 1e3 for found in re.findall(r"([\d.]+) ms/cancel", ran.stdout)]


ABORTS = """
const pingala = require(process.argv[1])
const sleep = time => new Promise(resolve => setTimeout(resolve, time))
const [exponent, modulus] = [(1n << 4000000n) - 1n, (1n << 131072n) - 12345n]
const run = async () => {
  for (let round = 0; round < Number(process.argv[2]); round++) {
    const stop = new AbortController()
    let ended
    const later = { signal: stop.signal }
    const call = pingala.modPowAsync(3n, exponent, modulus, undefined, later).catch(() => { ended = performance.now() })
    await sleep(300)
    const asked = performance.now()
    stop.abort()
    await call
    console.log((ended - asked) / 1000)
  }
  pingala.closeWorkers()
}
run()
"""


def in_javascript(rounds: int, backend: str) -> Times | str:
    package, addon = TOP / "target/js/package/dist/index.cjs", TOP / "target/js/addon/pingala.node"
    if not shutil.which("node") or not package.exists() or not addon.exists():
        return "no Node, or `make js` has not run"
    environment = os.environ | {"PINGALA_BACKEND": backend, "PINGALA_ADDON": str(addon)}
    command = ["node", "-e", ABORTS, str(package), str(rounds)]
    ran = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return [float(line) for line in ran.stdout.split()]


def in_other_languages() -> Iterator[Promise]:
    yield Promise("the stop word of lists of a million in C", 0.2, in_c)
    yield Promise("the context of lists of a million in Go", 0.2, in_go)
    for backend in ("native", "wasm"):
        yield Promise(f"`abort` in JavaScript, {backend}", 0.2, lambda n, b=backend: in_javascript(n, b))


# --- the table ------------------------------------------------------------------------------------------------------


def shown(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 5 else f"{max(seconds, 0) * 1e3:.0f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows with these words")
    options = parser.parse_args()
    script = Path(sysconfig.get_path("scripts"))
    print(f"{os.cpu_count()} processors, Python of {script}, {options.rounds} rounds\n")
    print("| what | times | least | middle | longest | limit | load | others | steal | |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|", flush=True)
    failed = 0
    for promise in (*in_python(), *in_the_command(), *in_other_languages()):
        if options.only not in promise.name:
            continue
        times, load = loaded(lambda one=promise: one.measure(options.rounds))
        if isinstance(times, str):
            print(f"| {promise.name} | SKIPPED: {times} |", flush=True)
            continue
        is_kept = max(times) <= promise.limit
        verdict = "kept" if is_kept else "FAILED" if load.is_quiet() else "not judged: the machine is busy"
        if is_kept and promise.wished is not None and max(times) > promise.wished:
            verdict = f"kept, beyond {shown(promise.wished)}"
        failed += verdict == "FAILED"
        cells = [shown(one) for one in (min(times), statistics.median(times), max(times), promise.limit)]
        state = f"{load.average:.2f} | {load.others:.0%} | {load.steal:.0%}"
        print(f"| {promise.name} | {len(times)} | {' | '.join(cells)} | {state} | {verdict} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
