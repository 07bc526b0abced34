"""A peer of the lab's bench in a process of its own: it holds work, runs it when told to, and says how long it took.

usage: child.py {pow|gmpy2|flint|pingala}

Requests and replies are lines:
    (at the start)                 -> what is measured
    load ID COUNT, COUNT lines of  -> ok
        BASE EXPONENT MODULUS
    run ID CALLS                   -> nanoseconds for so many runs: of this process, and on the wall
    answers ID                     -> the answers of the last run
Numbers are hexadecimal.
"""

import importlib
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

Work = Callable[[], list[Any]]
Jobs = list[tuple[int, int, int]]


def python_pow() -> tuple[str, Callable[[Jobs], Work]]:
    return f"CPython {platform.python_version()}, pow", lambda jobs: lambda: [pow(*job) for job in jobs]


def gmpy2_powmod() -> tuple[str, Callable[[Jobs], Work]]:
    gmpy2 = importlib.import_module("gmpy2")
    powmod, mpz = gmpy2.powmod, gmpy2.mpz

    def load(jobs: Jobs) -> Work:
        own = [tuple(map(mpz, job)) for job in jobs]
        return lambda: [powmod(*job) for job in own]

    return f"gmpy2 {gmpy2.version()} with {gmpy2.mp_version()}, powmod of mpz in a loop", load


def flint() -> Any:
    """python-flint, if it is there with FLINT 3.6 or newer."""
    module: Any = importlib.import_module("flint")
    if tuple(map(int, module.__FLINT_VERSION__.split(".")[:2])) < (3, 6):
        raise ImportError(f"FLINT {module.__FLINT_VERSION__} is older than 3.6")
    return module


def flint_pow() -> tuple[str, Callable[[Jobs], Work]]:
    module = flint()

    def load(jobs: Jobs) -> Work:
        own = [tuple(map(module.fmpz, job)) for job in jobs]
        return lambda: [pow(*job) for job in own]

    return f"FLINT {module.__FLINT_VERSION__} of python-flint {module.__version__}, pow of fmpz in a loop", load


def pingala_powmod() -> tuple[str, Callable[[Jobs], Work]]:
    pingala = importlib.import_module("pingala")
    powmod, powmod_list = pingala.powmod, pingala.powmod_list

    def load(jobs: Jobs) -> Work:
        if len(jobs) == 1:
            (job,) = jobs
            return lambda: [powmod(*job)]
        bases, exponents, moduli = (list(column) for column in zip(*jobs, strict=True))
        return lambda: list(powmod_list(bases, exponents, moduli, threads=1))

    return f"the Python package {pingala.__version__}, powmod or powmod_list(threads=1) of int", load


PEERS = {"pow": python_pow, "gmpy2": gmpy2_powmod, "flint": flint_pow, "pingala": pingala_powmod}


def main() -> int:
    version, load = PEERS[sys.argv[1]]()
    print(version, flush=True)
    work: dict[str, Work] = {}
    answers: dict[str, list[Any]] = {}
    for line in sys.stdin:
        request, name, *rest = line.split()
        if request == "load":
            rows = [sys.stdin.readline().split() for _ in range(int(rest[0]))]
            work[name] = load([(int(b, 16), int(e, 16), int(m, 16)) for b, e, m in rows])
            print("ok", flush=True)
        elif request == "run":
            run, calls = work[name], range(int(rest[0]))
            last: list[Any] = []
            start, wall = time.process_time_ns(), time.perf_counter_ns()
            for _ in calls:
                last = run()
            taken = time.process_time_ns() - start
            answers[name] = last
            print(taken, time.perf_counter_ns() - wall, flush=True)
        else:
            print(*(f"{int(value):x}" for value in answers[name]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
