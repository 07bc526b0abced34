"""Long calls in a limited address space: each gives a result or an error, and none ends the process."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="SKIPPED: limits of address space are tested on Linux"
)

COMMAND = Path(__file__).resolve().parents[2] / "target/release/pingala"
BITS = 10**6

#: Prints what came of a call within so many bytes beyond what the process has by then.
PROGRAM = """
import resource, sys
import pingala
from drawing import drawn
n = drawn("n", {bits}) | 1 | 1 << ({bits} - 1)
b, e = drawn("b", {bits} - 1), drawn("e", 500)
{prepare}
with open("/proc/self/statm", encoding="ascii") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + {room}, taken + {room}))
try:
    result = {call}
except (pingala.PingalaError, MemoryError, OverflowError) as error:
    print(type(error).__name__)
else:
    print("result")
"""

#: Preparation and call. `LITTLE` calls have 200 MB, the others 1 GB.
LITTLE = [
    ("", "pingala.next_prime(n, timeout=1)"),
    ("", "pingala.next_prime(n, timeout=1, threads=1)"),
    ("", "pingala.previous_prime(n, timeout=1)"),
    ("", "pingala.primes_between(n, n + 10**6, timeout=1)"),
    ("", "pingala.primes_between(n, n + 10**9, timeout=1)"),
    ("", "pingala.is_prime(n, timeout=1)"),
    ("", "pingala.is_prime((1 << 859433) - 1, timeout=1)"),
]
CALLS = [
    ("", "pingala.powmod(b, n, n, timeout=1)"),
    ("", "pingala.powmod(b, 65537, n, timeout=5)"),
    ("", "pingala.powmod(b, n, 1 << 10**6, timeout=1)"),
    ("", "pingala.powmod_list([b] * 100, n, n, timeout=1)"),
    ("", "pingala.powmod_list([b] * 100_000, 3, n, timeout=1)"),
    ("", "pingala.powmod_list([b] * 100, [n] * 100, [n] * 100, timeout=1)"),
    ("", "pingala.powmod_base_list(range(100_000), 3, n, timeout=1)"),
    ("", "pingala.powmod_base_list(range(2, 100), n, n, timeout=1)"),
    ("", "pingala.powmod_exp_list(b, [n] * 100, n, timeout=1)"),
    ("", "pingala.powmod_exp_list(3, range(100_000), n, timeout=1)"),
    ("", "pingala.powmod_product([b] * 100, [n] * 100, n, timeout=1)"),
    ("", "pingala.powmod_product_list([[b] * 20] * 20, [[n] * 20] * 20, n, timeout=1)"),
    ("m = pingala.Modulus(n)", "m.mul_list([b] * 100_000, [b] * 100_000)"),
    ("m = pingala.Modulus(n)", "m.residues([b] * 100_000)"),
    ("m = pingala.Modulus(n)", "m.running_product([b] * 100_000)"),
    ("m = pingala.Modulus(n)", "m.mul_list(range(100_000), b)"),
    ("", "pingala.FixedBase(b, n, 10**6, 1 << 40)"),
    ("", "pingala.powmod_column([b.to_bytes(125_000, 'big')] * 20, 3, n)"),
    ("", "pingala.powmod_column(2, [b'\\1'] * 1000, n)"),
    ("", "pingala.is_prime_list([n] * 100, timeout=1)"),
    ("", "pingala.is_prime_list([n] * 100_000, timeout=1)"),
    ("", "pingala.random_prime(10**6, timeout=1)"),
    ("", "pingala.random_prime(10**6, safe=True, timeout=1)"),
    ("", "pingala.random_prime(10**6, uniform=True, timeout=1)"),
    ("", "pingala.random_prime(10**6, proof=True, timeout=1)"),
    ("", "pingala.random_prime(10**6, secret=True, timeout=1)"),
    ("", "pingala.prime_pair(2 * 10**6, timeout=1)"),
    ("", "pingala.accumulate(3, [e] * 100_000, n, timeout=1)"),
    ("", "pingala.witnesses(3, [e] * 1000, n, timeout=1)"),
    ("", "pingala.witnesses(3, [e] * 100_000, n, timeout=1)"),
    ("", "pingala.update_witnesses([b] * 1000, [e] * 1000, n, timeout=1)"),
    ("", "pingala.verify_witnesses(b, [e] * 1000, [b] * 1000, n, timeout=1)"),
    ("", "pingala.failing_witnesses(b, [e] * 100_000, [b] * 100_000, n, timeout=1)"),
    ("", "pingala.verify_squaring(3, 10**9, n, b, 'wesolowski-v1:0x5', timeout=1)"),
    ("", "pingala.certify(n, timeout=1)"),
    ("", "pingala.explain_exp_list(3, [n] * 100, n)"),
]


def outcome(prepare: str, call: str, room: int) -> str:
    program = PROGRAM.format(bits=BITS, prepare=prepare, call=call, room=room)
    child = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert child.returncode == 0, f"{call}: {child.returncode}\n{child.stderr[-2000:]}"
    return child.stdout.strip()


@pytest.mark.parametrize(("prepare", "call"), LITTLE)
def test_primes_take_little(prepare: str, call: str) -> None:
    assert outcome(prepare, call, 200_000_000) in ("TimeLimitError", "result")


@pytest.mark.parametrize(("prepare", "call"), CALLS)
def test_no_call_ends_the_process(prepare: str, call: str) -> None:
    assert outcome(prepare, call, 1_000_000_000)
