"""Secret exponents: the same numbers, and refusals."""

import pickle
import subprocess
import sys

import gmpy2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pingala
from drawing import drawn, integers, naturals
from pingala import Modulus, powmod_sec
from test_private_key import pem, pkcs1


@settings(max_examples=300, deadline=None)
@given(integers(700), naturals(300), naturals(700).filter(bool), st.integers(0, 70))
def test_it_agrees_with_pow(base, exponent, modulus, spare_bits):
    width_bits = exponent.bit_length() + spare_bits
    assert powmod_sec(base, exponent, modulus, width_bits) == pow(base, exponent, modulus)
    assert Modulus(modulus).pow_sec(base, exponent, exponent_bits=width_bits) == pow(base, exponent, modulus)


@pytest.mark.parametrize("bits", [1, 2, 63, 64, 65, 127, 512, 1024, 2048])
def test_default_width_odd_and_even(bits):
    for modulus in (drawn("m", bits) | 1, drawn("m", bits), 1 << bits - 1, (1 << bits) - 1):
        for exponent in (0, 1, drawn("e", bits) >> 1, (1 << modulus.bit_length()) - 1):
            if exponent.bit_length() <= modulus.bit_length():
                for base in (0, 1, 2, drawn("b", bits), modulus - 1, -3):
                    assert powmod_sec(base, exponent, modulus) == pow(base, exponent, modulus)


def test_secret_factors():
    p, q = 2**521 - 1, 2**607 - 1
    for factors in ({p: 1, q: 1}, {2**89 - 1: 2, 2**127 - 1: 1}, {2**67 - 1: 1, q: 1}):
        value = 1
        for factor, multiplicity in factors.items():
            value *= factor**multiplicity
        modulus = Modulus(value, factors, secret=True)
        for exponent in (0, 1, 65537, drawn("e", 1128)):
            assert modulus.pow_sec(drawn("b", 1100), exponent, 1128) == pow(drawn("b", 1100), exponent, value)
            assert modulus.pow(3, exponent) == pow(3, exponent, value)
        assert "crt" not in modulus.plan(3, 2**2000)
        with pytest.raises(TypeError, match="pickled"):
            pickle.dumps(modulus)
    with pytest.raises(pingala.ArgumentError):
        Modulus(p * q, secret=True)
    for factors in ({p: 1}, {p: 2}, {p: 1, 2**89 - 1: 1}, {}):
        with pytest.raises(pingala.WrongFactorsError):
            Modulus(p * q, factors, secret=True)


def test_known_factors():
    p, q = 2**521 - 1, 2**607 - 1
    modulus = Modulus(p * q, {p: 1, q: 1})
    for exponent in (0, 1, 65537, drawn("e", 1128)):
        assert modulus.pow_sec(drawn("b", 1100), exponent) == pow(drawn("b", 1100), exponent, p * q)


def test_paillier():
    p, q = 2**127 - 1, 2**107 - 1
    modulus = Modulus(p**2 * q**2, {p: 2, q: 2})
    for base in (0, 2, -3, p, q * q, drawn("b", 500)):
        for exponent in (0, 1, p * q, drawn("e", 468)):
            assert modulus.pow_sec(base, exponent) == pow(base, exponent, p**2 * q**2)
            assert modulus.pow(base, exponent) == pow(base, exponent, p**2 * q**2)


def test_a_public_exponent_checks_the_result():
    p, q, e = 2**521 - 1, 2**607 - 1, 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    message = drawn("b", 1100)
    modulus = Modulus(p * q, {p: 1, q: 1})
    assert modulus.pow_sec(message, d, public_exponent=e) == pow(message, d, p * q)
    assert powmod_sec(message, d, p * q, public_exponent=e) == pow(message, d, p * q)
    for wrong in (3, 0, e + 1):
        for modulo in (modulus, Modulus(p * q)):
            with pytest.raises(pingala.ArgumentError, match="the public exponent is not the inverse of the secret one"):
                modulo.pow_sec(message, d, public_exponent=wrong)
    with pytest.raises(pingala.ArgumentError):
        modulus.pow_sec(message, d, public_exponent=-1)


def test_refusals():
    with pytest.raises(pingala.SecretError) as caught:
        powmod_sec(2, -1, 5)
    assert caught.value.code == "bad_secret"
    with pytest.raises(pingala.SecretError):
        powmod_sec(2, 8, 5)  # 4 bits, and the modulus has 3
    with pytest.raises(pingala.SecretError):
        powmod_sec(2, 8, 2**100, exponent_bits=3)
    assert powmod_sec(2, 8, 5, 4) == 1
    assert powmod_sec(2, 8, 5, exponent_bits=100) == 1
    with pytest.raises(pingala.ZeroModulusError):
        powmod_sec(2, 3, 0)
    with pytest.raises(pingala.TooLongError):
        powmod_sec(2, 3, 5, exponent_bits=2**27)
    for width in (-1, 2**70):
        with pytest.raises((ValueError, OverflowError)):
            powmod_sec(2, 3, 5, width)
    with pytest.raises(TypeError):
        powmod_sec(2, 3, 5, 1.5)


@pytest.mark.parametrize("bits", [64, 300, 2048])
def test_plans_by_force(bits):
    base, exponent = drawn("b", bits), drawn("e", bits)
    for modulus in (drawn("m", bits) | 1, drawn("m", bits - 9) << 9):
        for forced in ({"kernel": "portable_r64(product=kcm)"}, {"plan": "montgomery_ladder"}):
            assert powmod_sec(base, exponent, modulus, bits, **forced) == pow(base, exponent, modulus)
            assert Modulus(modulus).pow_sec(base, exponent, bits, **forced) == pow(base, exponent, modulus)
        for forced in ({"kernel": "portable_fixed_r64"}, {"plan": "sliding_window(w=3)"}, {"plan": ""}):
            for call, numbers in (
                (powmod_sec, (base, exponent, modulus, bits)),
                (Modulus(modulus).pow_sec, (base, exponent, bits)),
            ):
                with pytest.raises(pingala.PlanError):
                    call(*numbers, **forced)


# The exponent arrives as decimal text: its 64-bit words appear in this process only in memory of the library.
MEMORY_CHILD = """
import sys
import pingala

exponent, p, q, keep = (int(word) for word in sys.stdin.readline().split())
modulus = pingala.Modulus(p * q, {p: 1, q: 1}, secret=True)
for _ in range(3):
    pingala.powmod_sec(3, exponent, p * q)
    modulus.pow_sec(3, exponent)
kept = exponent.to_bytes(512, "little") if keep else None
print("ready", flush=True)
sys.stdin.readline()
"""


def found_in_memory(pid, texts, beside=("[v",)):
    """How many runs of 16 bytes of each text stand in a process's writable memory outside the named maps."""
    found = dict.fromkeys(texts, 0)
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb") as memory:
        for line in maps:
            span, access, *_ = line.split()
            start, end = (int(word, 16) for word in span.split("-"))
            if access.startswith("rw") and not any(name in line for name in beside):
                memory.seek(start)
                held = memory.read(end - start)
                for name, text in texts.items():
                    found[name] += sum(held.count(text[at : at + 16]) for at in range(0, len(text) - 15, 16))
    return found


def number_texts(**numbers):
    """The bytes of each number, in both orders."""
    return {
        f"{name}, {order}": value.to_bytes(value.bit_length() // 8 + 1, order)
        for name, value in numbers.items()
        for order in ("little", "big")
    }


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc of a child")
@pytest.mark.parametrize("keep", [0, 1])
def test_no_copy_of_the_exponent_stays(keep):
    p, q = 2**1279 - 1, 2**2203 - 1
    exponent = drawn("a secret that is not wiped", 2048)
    child = subprocess.Popen(
        [sys.executable, "-c", MEMORY_CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        print(exponent, p, q, keep, file=child.stdin, flush=True)
        assert child.stdout.readline() == "ready\n"
        try:
            found = found_in_memory(child.pid, {"exponent": exponent.to_bytes(256, "little")})
        except PermissionError:
            pytest.skip("this system lets no process read its child's memory")
        child.stdin.close()
    # With a copy of its own the child shows that a copy would be found.
    assert (found["exponent"] > 0) == bool(keep)


# What arrives goes from the pipe into rooms that are wiped here, so that no object of Python holds a copy.
KEY_CHILD = """
import sys
import pingala


def received(length):
    room = bytearray(length)
    with open(0, "rb", buffering=0, closefd=False) as pipe, memoryview(room) as view:
        at = 0
        while at < length:
            at += pipe.readinto(view[at:])
    return room


lengths = [int(word) for word in sys.argv[1:]]
file, number, kept = map(received, lengths)
key = pingala.load_private_key(file)
secret = pingala.SecretInt(number)
modulus = pingala.Modulus(key.n)
powers = [key.pow(secret), *key.pow_list([secret, 2, secret])]
powers += [pingala.powmod_sec(secret, secret, key.n), modulus.pow_sec(secret, secret)]
powers += modulus.pow_sec_list([secret, secret], [secret, secret])
del key, secret, modulus, powers
# Once more, as the powers write over memory that was freed before.
pingala.load_private_key(file)
pingala.SecretInt(number)
for room in (file, number):
    room[:] = bytes(len(room))
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc of a child")
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("form", ["der", "pem"])
def test_nothing_of_a_private_key_and_of_secret_numbers_stays(form, keep):
    p, q = (int(gmpy2.next_prime(drawn(f"a prime that is wiped {name}", 1024) | 3 << 1022)) for name in "pq")
    n, e = p * q, 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    secret = drawn("a number that is wiped", 2000)
    file = pkcs1(n, e, d, p, q)
    texts = number_texts(d=d, p=p, q=q, dp=d % (p - 1), dq=d % (q - 1), inverse=pow(q, -1, p), secret=secret)
    texts |= number_texts(by_key=pow(secret, d, n), by_secret=pow(secret, secret, n))
    if form == "pem":
        file = pem("RSA PRIVATE KEY", file).encode()
        # The first lines are n.
        texts["file"] = file[len(file) // 4 :]
    number, kept = secret.to_bytes(250, "big"), b"".join(texts.values()) if keep else b""
    lengths = [str(len(sent)) for sent in (file, number, kept)]
    child = subprocess.Popen(
        [sys.executable, "-c", KEY_CHILD, *lengths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(file + number + kept)
        assert child.stdout.readline() == b"ready\n"
        try:
            # Vector registers that held a result are spilled to the stack: that is not promised (docs/promises.md).
            found = found_in_memory(child.pid, texts, beside=("[v", "[stack]"))
        except PermissionError:
            pytest.skip("this system lets no process read its child's memory")
        child.stdin.close()
    # What the child was given to keep shows that each text would be found.
    assert {name for name, count in found.items() if count} == (set(texts) if keep else set())


def test_blinded_and_unblinded_powers_agree():
    p, q, e = 2**127 - 1, 2**521 - 1, 65537
    n, d = p * q, pow(65537, -1, (p - 1) * (q - 1))
    modulus = pingala.Modulus(n, factors={p: 1, q: 1}, secret=True)
    for base in [0, 1, p, n - 1, 12345]:
        for blinding in [True, False]:
            assert modulus.pow_sec(base, d, blinding=blinding) == pow(base, d, n)
            assert modulus.pow_sec(base, d, public_exponent=e, blinding=blinding) == pow(base, d, n)
    assert pingala.powmod_sec(5, d, n, public_exponent=e, blinding=False) == pow(5, d, n)


def test_lists_of_secret_powers():
    modulus = Modulus(drawn("m", 700) | 1)
    bases, exponents = [drawn(f"b{i}", 700) for i in range(40)], [drawn(f"e{i}", 200) for i in range(40)]
    want = [pow(base, exponent, modulus.value) for base, exponent in zip(bases, exponents, strict=True)]
    for threads in (None, 1, 3):
        assert modulus.pow_sec_list(bases, exponents, threads=threads) == want
    assert modulus.pow_sec_list(iter(bases), exponents[0], 200) == [pow(b, exponents[0], modulus.value) for b in bases]
    assert modulus.pow_sec_list(bases[0], exponents) == [pow(bases[0], e, modulus.value) for e in exponents]
    assert modulus.pow_sec_list([], []) == []
    assert modulus.pow_sec_list([3], [pingala.SecretInt(5)]) == [pow(3, 5, modulus.value)]
    secrets = modulus.pow_sec_list([pingala.SecretInt(3), 4], 5)
    assert int.from_bytes(secrets[0].reveal(), "big") == 243 % modulus.value
    assert secrets[1] == 1024 % modulus.value
    with pytest.raises(pingala.SecretError) as caught:
        modulus.pow_sec_list([3, 4, 5], [1, -1, 2])
    assert caught.value.index == 1
    with pytest.raises(pingala.SecretError) as caught:
        modulus.pow_sec_list([3, 4, -5], 1)
    assert caught.value.index == 2
    with pytest.raises(pingala.SecretError) as caught:
        modulus.pow_sec_list([3, 4], [1, 8], 3)
    assert caught.value.index == 1
    with pytest.raises(pingala.ElementTypeError) as typed:
        modulus.pow_sec_list([3, "4"], 1)
    assert typed.value.index == 1
    for arguments in (([3, 4], [1, 2, 3]), ([3], [1, 2]), (3, 5)):
        with pytest.raises(pingala.ArgumentError):
            modulus.pow_sec_list(*arguments)
    assert modulus.pow_sec_list([], 1) == modulus.pow_sec_list(3, []) == modulus.pow_sec_list([], []) == []
    p, q, e = 2**127 - 1, 2**89 - 1, 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    private = Modulus(p * q, {p: 1, q: 1}, secret=True)
    assert private.pow_sec_list([5, 6], d, public_exponent=e) == [pow(5, d, p * q), pow(6, d, p * q)]
    with pytest.raises(pingala.ArgumentError) as wrong:
        private.pow_sec_list([5, 6], [d, d + 2], public_exponent=e)
    assert wrong.value.index == 1


def test_secret_exponents_from_tables():
    modulus = drawn("m", 1024) | 1
    table = pingala.FixedBase(7, modulus, 256, secret=True)
    exponents = [0, 1, (1 << 256) - 1, drawn("e", 256), drawn("f", 100)]
    want = [pow(7, exponent, modulus) for exponent in exponents]
    assert [table.pow_sec(exponent) for exponent in exponents] == want
    assert table.pow_sec_list(exponents) == want
    assert table.pow_sec_list(map(pingala.SecretInt, exponents[1:]), threads=2) == want[1:]
    assert table.pow_list(exponents) == want
    assert "secret exponents" in str(table.explain())
    again = pickle.loads(pickle.dumps(table))
    assert again.pow_sec(exponents[3]) == want[3]
    with pytest.raises(pingala.SecretError):
        table.pow_sec(-1)
    with pytest.raises(pingala.TooLongError):
        table.pow_sec(1, 257)
    with pytest.raises(pingala.SecretError):
        table.pow_sec(8, 3)
    with pytest.raises(TypeError):
        table.pow_sec(1.5)
    with pytest.raises(TypeError):
        table.pow_sec([1])
    with pytest.raises(pingala.ArgumentError):
        pingala.FixedBase(7, modulus - 1, 256, secret=True)
    with pytest.raises(pingala.PlanError):
        pingala.FixedBase(7, modulus, 256, plan="windowing(h=16)").pow_sec(3)
    assert pingala.explain_fixed_base(7, modulus, 256, secret=True).plan == table.plan


def test_secret_numbers():
    number = pingala.SecretInt(0x1234)
    assert number.bits == 13
    assert number.reveal() == bytearray(b"\x12\x34")
    assert "1234" not in repr(number)
    assert "4660" not in repr(number)
    assert pingala.SecretInt(b"\0\x05").bits == 16
    assert pingala.SecretInt(bytearray(b"\x05"), bits=3).reveal() == bytearray(b"\x05")
    assert pingala.SecretInt(5, 20).reveal() == bytearray(b"\0\0\x05")
    for value, bits in ((-1, None), (8, 3), (b"\x08", 3), (b"\xff\xff\xff", 20)):
        with pytest.raises(pingala.SecretError):
            pingala.SecretInt(value, bits)
    with pytest.raises(pingala.TooLongError):
        pingala.SecretInt(1, 2**27)
    for refused in (pickle.dumps, hash, int, lambda one: one == one, lambda one: one < one, bytes):
        with pytest.raises(TypeError):
            refused(number)
    power = powmod_sec(number, pingala.SecretInt(17, 64), 10**30 + 7)
    assert isinstance(power, pingala.SecretInt)
    assert int.from_bytes(power.reveal(), "big") == pow(0x1234, 17, 10**30 + 7)
    assert powmod_sec(0x1234, pingala.SecretInt(17), 10**30 + 7) == pow(0x1234, 17, 10**30 + 7)
    assert powmod_sec(-3, pingala.SecretInt(3), 10) == 3
    with pytest.raises(pingala.SecretError):
        powmod_sec(2, pingala.SecretInt(8), 5, exponent_bits=3)
