"""Numbers, bytes and text that are too long are refused before they are copied, and messages stay short."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import pingala
from pingala import FixedBase, FixedExponent, Modulus, SecretInt

# Each call has an argument of 64 megabytes or more. It must be refused, and nothing of it copied.
PROGRAM = """
import resource, sys
import numpy as np, pyarrow as pa, pingala
from pingala import FixedBase, FixedExponent, Modulus, SecretInt

HUGE = 1 << 2**31
NEGATIVE = -HUGE
M = Modulus(2**127 - 1)
TABLE, SECRET_TABLE = FixedBase(3, M, 64), FixedBase(3, M, 64, secret=True)
CHAIN = FixedExponent(283, moves=1000)
WORDS = pa.array([1, 2])
LONG = bytes(2**26)
BYTES = pa.array([b"1", LONG, None], pa.large_binary())
VIEW = pa.array([b"1", LONG, None], pa.binary_view())
TEXT = pa.array(["1", "7" * 2**26, None], pa.large_string())
FIXED = np.frombuffer(bytes(2**26), "V" + str(2**25))
ROWS = np.broadcast_to(np.uint8(1), (2, 2**25))

def first(results):
    for result in results:
        if isinstance(result, Exception):
            raise result

def column(*arguments, **settings):
    codes = pingala.powmod_column(*arguments, errors="column", **settings).error_codes
    assert set(codes) == {None, "too_long"} or set(codes) == {"too_long"}, codes
    raise pingala.powmod_column(*arguments, **settings) and AssertionError

CALLS = {
    "powmod exponent": lambda: pingala.powmod(3, HUGE, 7),
    "powmod negative exponent": lambda: pingala.powmod(3, NEGATIVE, 7),
    "powmod modulus": lambda: pingala.powmod(3, 5, HUGE),
    "powmod negative modulus": lambda: pingala.powmod(3, 5, NEGATIVE),
    "powmod_sec exponent": lambda: pingala.powmod_sec(3, HUGE, 7),
    "powmod_sec modulus": lambda: pingala.powmod_sec(3, 5, HUGE),
    "powmod_sec public exponent": lambda: pingala.powmod_sec(3, 5, 7, public_exponent=HUGE),
    "Modulus": lambda: Modulus(HUGE),
    "Modulus factor": lambda: Modulus(15, {HUGE: 1}),
    "Modulus.pow": lambda: M.pow(3, HUGE),
    "Modulus.pow_list": lambda: M.pow_list([2, 3], HUGE),
    "Modulus.pow_sec": lambda: M.pow_sec(3, HUGE),
    "Modulus.pow_sec_list": lambda: M.pow_sec_list([3], [5, HUGE][1:]),
    "Modulus.plan": lambda: M.plan(3, HUGE),
    "Modulus.explain": lambda: M.explain(3, HUGE),
    "invert": lambda: pingala.invert(3, HUGE),
    "powmod_list exponent": lambda: pingala.powmod_list([3, 4], [5, HUGE], 7),
    "powmod_list one exponent": lambda: pingala.powmod_list([3, 4], HUGE, 7),
    "powmod_list modulus": lambda: pingala.powmod_list([3, 4], 5, [7, HUGE]),
    "powmod_list one modulus": lambda: pingala.powmod_list([3, 4], 5, HUGE),
    "powmod_list returned": lambda: first(pingala.powmod_list([3, 4], [HUGE, 5], 7, errors="return")),
    "powmod_base_list": lambda: pingala.powmod_base_list([3, 4], HUGE, 7),
    "powmod_exp_list": lambda: pingala.powmod_exp_list(3, [5, HUGE], 7),
    "powmod_product": lambda: pingala.powmod_product([3, 4], [5, HUGE], 7),
    "powmod_product modulus": lambda: pingala.powmod_product([3, 4], [5, 6], HUGE),
    "powmod_product_list": lambda: pingala.powmod_product_list([[3]], [[HUGE]], 7),
    "powmod_product_list returned": lambda: first(
        pingala.powmod_product_list([[3], [4]], [[5], [HUGE]], 7, errors="return")),
    "plan": lambda: pingala.plan(3, HUGE, 7),
    "plan modulus": lambda: pingala.plan(3, 5, HUGE),
    "explain": lambda: pingala.explain(3, HUGE, 7),
    "explain_base_list": lambda: pingala.explain_base_list([3], HUGE, 7),
    "explain_exp_list": lambda: pingala.explain_exp_list(3, [HUGE], 7),
    "explain_product": lambda: pingala.explain_product([3], [HUGE], 7),
    "explain_fixed_base": lambda: pingala.explain_fixed_base(3, HUGE, 64),
    "FixedBase": lambda: FixedBase(3, HUGE, 64),
    "FixedBase.pow": lambda: TABLE.pow(HUGE),
    "FixedBase.pow_list": lambda: TABLE.pow_list([5, HUGE]),
    "FixedBase.pow_list returned": lambda: first(TABLE.pow_list([5, HUGE], errors="return")),
    "FixedBase.pow_sec": lambda: SECRET_TABLE.pow_sec(HUGE),
    "FixedBase.pow_sec_list": lambda: SECRET_TABLE.pow_sec_list([5, HUGE]),
    "FixedBase.pow_column": lambda: TABLE.pow_column(BYTES),
    "repeated_square": lambda: pingala.repeated_square(3, 5, HUGE),
    "explain_repeated_square": lambda: pingala.explain_repeated_square(5, HUGE),
    "FixedExponent": lambda: FixedExponent(HUGE),
    "FixedExponent.pow": lambda: CHAIN.pow(3, HUGE),
    "FixedExponent.explain": lambda: CHAIN.explain(HUGE),
    "SecretInt": lambda: SecretInt(HUGE),
    "SecretInt of bytes": lambda: SecretInt(LONG),
    "SecretInt of a bytearray": lambda: SecretInt(bytearray(LONG)),
    "RSAPublicKey": lambda: pingala.RSAPublicKey(HUGE, 65537),
    "DSAPublicKey": lambda: pingala.DSAPublicKey(HUGE, 3, 2, 2),
    "Job.plan": lambda: pingala.Job.plan("x", "y", base="b", exponent=HUGE, modulus="m"),
    "powmod_column exponent": lambda: column(WORDS, HUGE, 7),
    "powmod_column modulus": lambda: column(WORDS, 5, HUGE),
    "powmod_column of bytes": lambda: column(3, BYTES, 7),
    "powmod_column of moduli": lambda: column(3, 5, BYTES),
    "powmod_column of views": lambda: column(3, VIEW, 7),
    "powmod_column of text": lambda: column(3, TEXT, 7),
    "powmod_column of text as bases": lambda: column(TEXT, 3, 7),
    "powmod_column of fixed width": lambda: column(3, FIXED, 7, byteorder="big"),
    "powmod_column of uint8": lambda: column(3, 5, ROWS),
    "powmod_column of a list": lambda: column(3, [b"1", LONG, None], 7),
    "invert_column": lambda: pingala.invert_column(pa.array([1, 2, 3]), BYTES),
}
for name, call in CALLS.items():
    copy = bytearray(LONG) if "bytearray" in name else None
    kept = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        call()
        sys.exit(f"{name}: no error")
    except pingala.TooLongError as error:
        assert error.code == "too_long" and len(str(error)) < 400, name
    except pingala.WrongFactorsError as error:
        assert "longer than the modulus" in str(error), name
    except Exception as error:
        sys.exit(f"{name}: {error!r}")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - kept
    if "bytearray" not in name:
        assert grown < 30_000, f"{name}: {grown} KB"
print(len(CALLS), "calls")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss")
def test_long_arguments_are_refused_before_they_are_copied():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.endswith("calls\n")


def test_the_caps_are_those_that_are_set():
    for exponent in (2**20 - 1, -(2**20) + 1):
        assert pingala.powmod(3, exponent, 7, max_exponent_bits=20) == pow(3, exponent, 7)
        assert pingala.powmod_list([3], [exponent], 7, max_exponent_bits=20) == [pow(3, exponent, 7)]
    for exponent in (2**20, -(2**20)):
        for call in (
            lambda e: pingala.powmod(3, e, 7, max_exponent_bits=20),
            lambda e: pingala.powmod_list([3], [e], 7, max_exponent_bits=20),
            lambda e: pingala.powmod_list([3], e, 7, max_exponent_bits=20),
            lambda e: Modulus(7).pow(3, e, max_exponent_bits=20),
            lambda e: pingala.powmod_product([3], [e], 7, max_exponent_bits=20),
        ):
            with pytest.raises(pingala.TooLongError, match="21"):
                call(exponent)
    with pytest.raises(pingala.TooLongError) as caught:
        pingala.powmod_list([1, 2, 3], [5, 2**20, 6], 7, max_exponent_bits=20)
    assert caught.value.index == 1
    assert Modulus(2**30 - 1, max_modulus_bits=30).bits == 30
    with pytest.raises(pingala.TooLongError):
        Modulus(2**30, max_modulus_bits=30)
    # Bases are reduced: they may have any length.
    assert pingala.powmod(1 << 2**27, 3, 7, max_exponent_bits=20) == pow(1 << 2**27, 3, 7)


def test_rows_that_are_too_long_spoil_no_neighbour():
    long = bytes(2**23) + b"\1"
    exponents = [b"\5", long, None, b"\7", long]
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        column = pingala.powmod_column(3, pa.array(exponents, kind), 1009, errors="null")
        assert column.to_pylist() == [243, None, None, 3**7 % 1009, None]
        assert column.error_codes == [None, "too_long", None, None, "too_long"]
        column = pingala.powmod_column(3, pa.array(exponents, kind).slice(3), 1009, errors="null")
        assert column.to_pylist() == [3**7 % 1009, None]
    assert pingala.powmod_column(3, exponents, 1009, errors="null").to_pylist() == [243, None, None, 3**7 % 1009, None]
    with pytest.raises(pingala.TooLongError) as caught:
        pingala.powmod_column(3, exponents, 1009)
    assert caught.value.index == 1
    # As long as an exponent may be, zeros in front included.
    assert pingala.powmod_column(3, [bytes(2**23 - 1) + b"\5"], 1009).to_pylist() == [243]
    wide = np.ma.array(np.zeros((2, 2**23 + 1), np.uint8), mask=False)
    wide[1] = np.ma.masked
    found = pingala.powmod_column(3, wide, 1009, errors="null")
    assert found.to_pylist() == [None, None]
    nulls = pa.array([None, None], pa.binary(2**23 + 1))
    assert pingala.powmod_column(3, nulls, 1009, byteorder="big").error_codes == [None, None]
    assert pingala.powmod_column(np.array([1, 2]), 1 << 2**27, 7, errors="null").error_codes == ["too_long"] * 2
    assert pingala.powmod_column(pa.array([1, None]), 1 << 2**27, 7, errors="null").error_codes == ["too_long", None]
    assert pingala.powmod_column(pa.array([], pa.int64()), 1 << 2**27, 7).to_pylist() == []


LONG = "x" * 10**7


@pytest.mark.parametrize(
    "call",
    [
        lambda: pingala.powmod(3, 5, 7, kernel=LONG),
        lambda: pingala.powmod(3, 5, 7, plan=LONG),
        lambda: pingala.powmod_list([3], 5, 7, errors=LONG),
        lambda: pingala.powmod_column(pa.array([1]), 5, 7, errors=LONG),
        lambda: pingala.powmod_column(pa.array([1]), 5, 7, byteorder=LONG),
        lambda: FixedBase(3, 7, 64).pow_list([3], errors=LONG),
        lambda: FixedBase(3, 7, 64, plan=LONG),
        lambda: FixedExponent(LONG),
        lambda: FixedExponent(LONG[: 10**5]),
        lambda: pingala.verify_list(pingala.RSAPublicKey(15, 3), [b""], [b""], scheme=LONG),
        lambda: pingala.verify_list(pingala.RSAPublicKey(15, 3), [b""], [b""], scheme="rsa-pkcs1", hash=LONG),
        lambda: pingala.RSAPublicKey(15, 3).validate(LONG),
        lambda: pingala.load_public_key(LONG),
        lambda: pingala.load_private_key(LONG),
        lambda: pingala.powmod_list([3], 5, 7, threads=-(1 << 10**7)),
        lambda: pingala.plan(modulus_bits=-(1 << 10**7), exponent_bits=5),
        lambda: pingala.repeated_square(3, 1 << 10**7, 7),
        lambda: pingala.powmod(3, 5, type(LONG, (), {})()),
        lambda: pingala.powmod_list(type(LONG, (), {})(), 5, 7),
        lambda: pingala.powmod_column(np.zeros(2, [(f"field {i}", "i1") for i in range(10**4)]), 5, 7),
        lambda: pingala.Job.plan("x", "y", base="b", exponent=3, modulus="m", format=LONG),
        lambda: FixedBase.load("/" + LONG),
        lambda: FixedExponent.load("/" + LONG),
    ],
)
def test_messages_are_short(call):
    """To go through such a text once for each of its characters takes a day: `faulthandler_timeout` ends the test."""
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    assert len(str(caught.value)) < 3000
    # No digits of a long number are asked for.
    assert "integer string conversion" not in str(caught.value)


def test_lists_of_different_lengths_are_counted():
    for arguments, why in [
        (([2, 3], [5], 7), "2 bases, 1 exponents"),
        (([2, 3], [5, 6, 7], 7), "2 bases, 3 exponents"),
        (([2], 5, [7, 9]), "1 bases, 2 moduli"),
        (([2, 3, 4], [5], [7] * 100), "3 bases, 1 exponents, 100 moduli"),
        ((iter([2, 3, 4]), [5], 7), "3 bases, 1 exponents"),
        (([2], (5 for _ in range(50)), 7), "1 bases, 50 exponents"),
        (([2], iter(int, 1), 7), r"1 bases, at least \d+ exponents"),
        (([], [5], 7), "0 bases, 1 exponents"),
    ]:
        with pytest.raises(pingala.ArgumentError, match=f"differ in length: {why}$"):
            pingala.powmod_list(*arguments)
    with pytest.raises(pingala.ArgumentError, match="2 bases, 3 exponents"):
        pingala.powmod_product([1, 2], [3, 4, 5], 7)
    with pytest.raises(pingala.ArgumentError, match="2 bases, 1 exponents"):
        pingala.powmod_product_list([[1], [2]], [[3]], 7)


def test_a_secret_wider_than_declared_names_the_widths_that_are_public():
    """The length of a SecretInt is declared, that of an int is part of the secret."""
    m = Modulus(7)
    table = FixedBase(3, 2**127 - 1, 64, secret=True)
    for call, widths in [
        (lambda: pingala.powmod_sec(3, 2**20, 7), ("3 bits",)),
        (lambda: m.pow_sec(3, 2**20), ("3 bits",)),
        (lambda: m.pow_sec(3, 2**20, 20), ("20 bits",)),
        (lambda: m.pow_sec(3, SecretInt(2**20), 20), ("21 bits", "20 bits", "exponent_bits=21")),
        (lambda: m.pow_sec_list([3, 4], [1, 2**20]), ("3 bits", "element 1")),
        (lambda: table.pow_sec(2**70), ("64 bits",)),
        (lambda: table.pow_sec_list([1, 2, 2**70]), ("64 bits", "element 2")),
    ]:
        with pytest.raises(pingala.SecretError) as caught:
            call()
        text = str(caught.value)
        assert "exponent_bits" in text
        assert all(width in text for width in widths), text
        assert ("21" in text or "71" in text) == ("exponent_bits=21" in widths), text
        assert caught.value.code == "bad_secret"
    assert pingala.powmod_sec(3, 2**20, 7, exponent_bits=21) == pow(3, 2**20, 7)
    with pytest.raises(pingala.SecretError, match="negative"):
        pingala.powmod_sec(3, -(2**20), 7)


def test_columns_have_the_limits_of_lists():
    """Zeros on top do not count if a limit is below the default, and bases have none."""
    long, wide = 2**80 + 1, 16
    for rows in ([long, 5], [str(long), "5"]):
        column = pa.array([row if isinstance(row, str) else row.to_bytes(wide, "big") for row in rows])
        limits = {"errors": "column", "max_exponent_bits": 80}
        assert pingala.powmod_column(3, column, 1009, **limits).error_codes == ["too_long", None]
        assert pingala.powmod_column(column, 3, 1009, **limits).error_codes == [None, None]
        limits = {"errors": "column", "max_modulus_bits": 80}
        assert pingala.powmod_column(3, 3, column, **limits).error_codes == ["too_long", None]
        assert pingala.invert_column([b"\2"] * 2, column, **limits).error_codes == ["too_long", None]
    short = pa.array(["3", "5"])
    assert pingala.powmod_column(short, long, 1009, errors="null", max_exponent_bits=80).error_codes == ["too_long"] * 2
    assert pingala.powmod_column(short, 3, long, errors="null", max_modulus_bits=80).error_codes == ["too_long"] * 2
    with pytest.raises(pingala.TooLongError) as raised:
        pingala.invert_column(short, long, max_modulus_bits=80)
    assert raised.value.index == 0
