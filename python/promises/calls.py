"""Calls that take minutes on every machine, and a program that is interrupted in one of them.

Each is a preparation and a call, as text for `PROGRAM`. The tests interrupt them (`python/tests/test_running.py`), and
`promises` measures how soon they end.
"""

import os
import sys
import time

# Numbers whose inverse takes minutes, by Lehmer's steps, which nothing polls.
INVERSE = 'n = (1 << 2**23) - 1; b = drawn("b", 2**23 - 99)'
EXPONENT = 'e = drawn("e", 1 << 24)'
SHORT = 'e = drawn("e", 1 << 14)'

LONG_CALLS = [
    (EXPONENT, "pingala.powmod(3, e, modulus)"),
    (EXPONENT + "; m = pingala.Modulus(modulus)", "m.pow(3, e)"),
    (EXPONENT, "pingala.powmod_sec(3, e, modulus, 1 << 24)"),
    (SHORT, "pingala.powmod_base_list(range(1, 10**6), e, modulus, threads=1)"),
    (SHORT, "pingala.powmod_base_list(range(1, 10**6), e, modulus)"),
    (SHORT, "pingala.powmod_base_list(range(1, 10**6), e, modulus, threads=2, progress=print)"),
    (EXPONENT, "pingala.powmod_base_list([3, 5], e, modulus, threads=2)"),
    (EXPONENT, "pingala.powmod_base_list([3], e, modulus, threads=2)"),
    # This thread is done soon and waits for another one.
    (EXPONENT + '; f = drawn("f", 1 << 9)', "pingala.powmod_exp_list(3, [f, e], modulus, threads=2)"),
    ("", "pingala.powmod_base_list(iter(int, 1), 3, modulus)"),
    # What asks rarely whether to stop, or never.
    ("", 'pingala.FixedExponent("2^2203-3", moves=2 * 10**12)'),
    (INVERSE, "pingala.invert(b, n)"),
    (INVERSE + "; m = pingala.Modulus(n)", "m.invert(b)"),
    (INVERSE, "pingala.powmod(b, -5, n)"),
    (INVERSE, "pingala.powmod(b, -5, n, progress=print)"),
    (INVERSE + "; m = pingala.Modulus(n)", "m.pow(b, -5)"),
    (INVERSE, "pingala.powmod_list([b] * 3, -1, n)"),
    (INVERSE + "; m = pingala.Modulus(n)", "m.invert_list([b] * 3)"),
    (INVERSE, "pingala.powmod_list([3, b], [-1, -2], [n] * 2)"),
    (INVERSE, "pingala.powmod_product([b] * 2, [-1, 5], n)"),
    (INVERSE, "pingala.powmod_product_list([[b]], [[-1]], n)"),
    (INVERSE + "; table = pingala.FixedBase(b, n, 4, 1 << 26)", "table.pow(-3)"),
    (INVERSE + "; table = pingala.FixedBase(b, n, 4, 1 << 26)", "table.pow_list([3, -3])"),
    (INVERSE + '; column = [b.to_bytes(2**20, "big")] * 2', "pingala.invert_column(column, n)"),
    ("m = pingala.Modulus((1 << 2**20) - 1); b = [3**600000] * 10000", "m.running_product(b)"),
    ("x = pingala.FixedExponent(2**1000 + 12345, moves=1)", "x.pow(3, (1 << 2**23) - 1)"),
    ("x = pingala.FixedExponent(2**1000 + 12345, moves=1)", "x.pow_sec(3, (1 << 2**23) - 1)"),
    (
        'key = pingala.RSAPublicKey(modulus, 3); b = [b""] * 99; messages = [bytes(2**32)] * 99',
        'pingala.verify_list(key, b, messages, scheme="rsa-pkcs1")',
    ),
]

#: Calls with numbers of 10^6 bits, `n` odd and `b` below it, whose set-ups, sieves and lists take long.
#: Ctrl-C and a time-out end each.
LONG_NUMBERS = [
    "pingala.powmod(b, n, n{t})",
    "pingala.powmod_list([b] * 100, n, n{t})",
    "pingala.powmod_exp_list(3, [n] * 100, n{t})",
    "pingala.powmod_product([b] * 20, [n] * 20, n{t})",
    "pingala.is_prime(p{t})",
    "pingala.is_prime_list([p] * 100{t})",
    "pingala.next_prime(n{t})",
    "pingala.previous_prime(n{t})",
    "pingala.primes_between(n, n + 10**6{t})",
    "pingala.random_prime(10**6{t})",
    "pingala.random_prime(10**6, safe=True{t})",
    "pingala.random_prime(10**6, uniform=True{t})",
    "pingala.random_prime(10**6, secret=True{t})",
    "pingala.accumulate(3, [e] * 100_000, n{t})",
    "pingala.witnesses(3, [e] * 10_000, n{t})",
    "pingala.verify_witnesses(b, [e] * 1000, [b] * 1000, n{t})",
    "pingala.failing_witnesses(b, [e] * 1000, [b] * 1000, n{t})",
]
#: What `LONG_NUMBERS` use; `p` is prime.
NUMBERS = (
    "n = drawn('n', 10**6) | 1 | 1 << (10**6 - 1); b = drawn('b', 10**6 - 1); e = drawn('e', 500); "
    "p = (1 << 859433) - 1"
)

PROGRAM = """
import signal, sys, time
# A shell's background jobs inherit that it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
import pingala
from drawing import drawn
modulus = drawn("m", 1 << 14) | 1
{prepare}
try:
    print("ready", flush=True)
    {call}
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
else:
    print("finished", flush=True)
# It still works.
assert pingala.powmod_list([3, 4], 65537, 1009) == [pow(3, 65537, 1009), pow(4, 65537, 1009)]
"""


def processor_seconds(pid: int) -> float:
    """What all threads of a process have used; of one that has ended, endless."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        state, *fields = file.read().rsplit(")", 1)[1].split()
    return float("inf") if state == "Z" else sum(map(int, fields[10:12])) / os.sysconf("SC_CLK_TCK")


def wait_for_work(pid: int) -> None:
    """Waits until a process that is about to begin a call has computed for a moment, by `/proc`, or has ended."""
    if not sys.platform.startswith("linux"):
        time.sleep(1)
        return
    enough = processor_seconds(pid) + 0.1
    while processor_seconds(pid) < enough:
        time.sleep(0.005)
