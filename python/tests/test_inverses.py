"""Inverses one by one and in lists; lists modulo one `Modulus`."""

import random

import pytest

import pingala
from pingala import Modulus, NotInvertibleError, powmod_list

P = 2**521 - 1


def inverse(value, modulus):
    try:
        return pow(value, -1, modulus)
    except ValueError:
        return None


@pytest.mark.parametrize("m", [1, 2, 15, 2**100, 10**40, P, P * 21, (P * 15) << 200])
def test_lists_of_inverses(m):
    draw = random.Random(m)
    values = [draw.randrange(-m, 2 * m) for _ in range(700)] + [0, 1, -1, m]
    want = [inverse(value, m) for value in values]
    for listed in (
        Modulus(m).invert_list(values, errors="return"),
        powmod_list(values, -1, m, errors="return"),
        powmod_list(values, -1, Modulus(m), errors="return", threads=1),
        Modulus(m).pow_list(values, -1, errors="return"),
        powmod_list(values, [-1] * len(values), m, errors="return"),
    ):
        for at, (got, wanted) in enumerate(zip(listed, want, strict=True)):
            if wanted is None:
                assert isinstance(got, NotInvertibleError)
                assert got.index == at
            else:
                assert got == wanted
    negative = powmod_list(values, -1, -m, errors="return")
    assert [got for got in negative if isinstance(got, int)] == [
        pow(value, -1, -m) for value, wanted in zip(values, want, strict=True) if wanted is not None
    ]


def test_a_bad_value_is_named():
    with pytest.raises(NotInvertibleError, match="element 2") as caught:
        Modulus(15).invert_list([1, 2, 3, 4, 5])
    assert caught.value.index == 2
    with pytest.raises(pingala.ElementTypeError, match="element 1"):
        Modulus(15).invert_list([1, "2"])
    got = Modulus(15).invert_list([1, "2", 4], errors="return")
    assert (got[0], got[2]) == (1, 4)
    assert isinstance(got[1], pingala.ElementTypeError)
    with pytest.raises(TypeError, match="values must be an iterable"):
        Modulus(15).invert_list(4)


def test_a_missing_inverse_is_what_gmpy2_raises_too():
    for call in (
        lambda: pingala.invert(6, 9),
        lambda: Modulus(9).invert(6),
        lambda: pingala.powmod(6, -1, 9),
        lambda: powmod_list([6], -1, 9),
    ):
        with pytest.raises(ZeroDivisionError) as caught:
            call()
        assert isinstance(caught.value, NotInvertibleError)
        assert isinstance(caught.value, ValueError)
        assert caught.value.code == "not_invertible"


def test_a_forced_plan_is_obeyed():
    plan = pingala.plan(3, 1, P)
    assert powmod_list([3, 5], -1, P, plan=plan) == [pow(3, -1, P), pow(5, -1, P)]
    with pytest.raises(pingala.PlanError):
        powmod_list([3, 5], -1, P, plan="nonsense")


def test_progress():
    told = []
    Modulus(P).invert_list(range(1, 3000), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (2999, 2999)
    assert told == sorted(told)


def test_pow_list():
    modulus = Modulus(P * 35, {P: 1, 5: 1, 7: 1})
    bases, exponents = [2, -3, P, 0], [5, 2**600 + 1, 3, 0]
    assert modulus.pow_list(bases, exponents) == [pow(b, e, P * 35) for b, e in zip(bases, exponents, strict=True)]
    assert modulus.pow_list(bases, 65537, threads=1) == [pow(b, 65537, P * 35) for b in bases]
    assert modulus.pow_list(3, exponents) == [pow(3, e, P * 35) for e in exponents]
    with pytest.raises(pingala.ArgumentError):
        modulus.pow_list(3, 5)
    with pytest.raises(pingala.TooLongError, match="element 1"):
        modulus.pow_list(bases, exponents, max_exponent_bits=100)


def test_a_time_out_ends_a_long_inverse():
    value, modulus = 3**500_000, 2**1_000_000 + 1
    with pytest.raises(pingala.TimeLimitError):
        pingala.invert(value, modulus, timeout=0)
    assert pingala.invert(3, 7, timeout=10**6) == 5
    with pytest.raises(pingala.ArgumentError):
        pingala.invert(3, 7, timeout=-1)
