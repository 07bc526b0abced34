"""Uses much of the package on several threads, and ends with `all right` if every answer is that of `pow`."""

import os
import signal
import sys
import threading

import key
from limits import without_threads

import pingala

MODULUS = 2**521 - 1
PRIVATE = pingala.load_private_key(key.pkcs1())
ROOT = pow(7, key.D, key.N)
WANT = [pow(7, exponent, MODULUS) for exponent in range(1, 400)]
FAILURES: list[str] = []


def check(what: str, found: list[int]) -> None:
    if found != WANT[: len(found)]:
        FAILURES.append(what)


def compute(rounds: int) -> None:
    exponents = list(range(1, 400))
    for _ in range(rounds):
        secret = PRIVATE.pow(pingala.SecretInt(b"\7"))
        if PRIVATE.pow(7) != ROOT or int.from_bytes(secret.reveal(), "big") != ROOT:
            FAILURES.append("private key")
        check("list", pingala.powmod_list(7, exponents, MODULUS))
        check("one base", pingala.powmod_base_list([7] * 9, 1, MODULUS)[:1])
        column = pingala.powmod_column(7, [exponent.to_bytes(2, "big") for exponent in exponents], MODULUS)
        check("column", [int(value) for value in column.to_pylist()])
        check("one", [pingala.powmod(7, exponent, MODULUS) for exponent in exponents[:20]])


def main() -> int:
    if "--handlers" in sys.argv:
        # Handlers of Python run between calls, and in the middle of long ones.
        signal.signal(signal.SIGUSR1, lambda *_: None)
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    if "--alone" in sys.argv:
        # Here and not before: other users may not read an interpreter in root's own folder.
        without_threads()
    table = pingala.FixedBase(7, MODULUS, exponent_bits=64)
    table.save("table")
    loaded = pingala.FixedBase.load("table")
    check("table", [loaded.pow(exponent) for exponent in range(1, 50)])
    threads = [threading.Thread(target=compute, args=(10,)) for _ in range(3)]
    started = []
    for thread in threads:
        try:
            thread.start()
            started.append(thread)
        except RuntimeError:
            # No more threads: the work is done here.
            compute(10)
    if "--forks" in sys.argv:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                compute(1)
                os._exit(len(FAILURES))
            FAILURES.extend(["a child"] if os.waitpid(child, 0)[1] else [])
    for thread in started:
        thread.join()
    os.remove("table")
    # As it ends, Python takes its handlers away: the next alarm would end it.
    signal.setitimer(signal.ITIMER_REAL, 0)
    print("all right" if not FAILURES else f"wrong: {sorted(set(FAILURES))}")
    return len(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
