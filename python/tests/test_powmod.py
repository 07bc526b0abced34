"""powmod and invert against the built-in pow and GMP."""

import gmpy2
import numpy
import pytest
from hypothesis import example, given, settings

import pingala
from drawing import MAX_BITS, calls, drawn, integers, naturals, outcome
from pingala import invert, powmod


@settings(max_examples=1500, deadline=None)
@given(calls())
@example((0, 0, 1))
@example((0, 0, -1))
@example((5, -1, 1))
@example((0, -1, -1))
@example((0, -1, 5))
@example((2**64, 2**64, 2**64))
@example((2**63, -(2**63), 2**64 - 1))
@example((-(2**63), 2**63, -(2**63)))
def test_any_call_agrees_with_pow(call):
    assert outcome(powmod, *call) == outcome(pow, *call)


@settings(max_examples=60, deadline=None)
@given(integers(), naturals(), naturals().filter(bool))
def test_long_exponents_agree_with_pow(base, exponent, modulus):
    assert powmod(base, exponent, modulus) == pow(base, exponent, modulus)


@settings(max_examples=1000, deadline=None)
@given(integers(), integers().filter(bool))
def test_inverses_agree_with_pow(value, modulus):
    assert outcome(invert, value, modulus) == outcome(pow, value, -1, modulus)
    assert outcome(powmod, value, -1, modulus) == outcome(pow, value, -1, modulus)


@pytest.mark.parametrize("what", ["modulus", "odd modulus", "exponent", "base"])
def test_every_length(what):
    """Every bit length 1..2200 of each argument, by three voices."""
    for bits in range(1, MAX_BITS + 1):
        long = drawn(what, bits)
        short = drawn(f"{what} short", 1 + bits % 130)
        base, exponent, modulus = {
            "modulus": (short, drawn("exponent", 1 + bits % 70), long),
            "odd modulus": (long // 3, 65537, long | 1),
            "exponent": (short, long, drawn("modulus", 64 + bits % 70)),
            "base": (long, 5 + bits % 7, short + 2),
        }[what]
        result = powmod(base, exponent, modulus)
        assert type(result) is int
        assert result == pow(base, exponent, modulus), (what, bits)
        assert result == gmpy2.powmod(base, exponent, modulus), (what, bits)


@pytest.mark.parametrize("limb_bits", [52, 64])
def test_full_length_calls_at_the_edges_of_limbs(limb_bits):
    for n_limbs in [1, 2, 3, 4, 5, 8, 16, 17, 31, 32, 33]:
        for bits in range(n_limbs * limb_bits - 2, n_limbs * limb_bits + 2):
            for modulus in (drawn("m", bits) | 1, drawn("m", bits) & ~1, (1 << bits) - 1, (1 << bits - 1) + 1):
                for base in (modulus - 1, modulus // 2, drawn("b", bits)):
                    exponent = drawn("e", bits)
                    assert powmod(base, exponent, modulus) == gmpy2.powmod(base, exponent, modulus)


@pytest.mark.parametrize("trailing_zeros", range(1, 131))
def test_even_moduli(trailing_zeros):
    for odd_bits in (1, 2, 63, 64, 65, 200):
        modulus = (drawn("odd", odd_bits) | 1) << trailing_zeros
        bits = modulus.bit_length()
        for base in (drawn("b", bits), drawn("b", bits) & ~1, drawn("b", bits) | 1, 2, modulus - 1, modulus + 1):
            for exponent in (0, 1, 2, 3, trailing_zeros, drawn("e", bits), -1, -drawn("e", 20)):
                assert outcome(powmod, base, exponent, modulus) == outcome(pow, base, exponent, modulus)


def test_small_numbers_exhaustively():
    for modulus in [*range(-17, 0), *range(1, 18)]:
        for base in range(-18, 19):
            for exponent in range(-4, 10):
                assert outcome(powmod, base, exponent, modulus) == outcome(pow, base, exponent, modulus)


def test_lengths_far_beyond_the_common_ones():
    modulus = drawn("m", 100_000)
    assert powmod(drawn("b", 100_000), 3, modulus) == pow(drawn("b", 100_000), 3, modulus)
    assert powmod(drawn("b", 1 << 20), 1, 1 << 1000) == drawn("b", 1 << 20) % (1 << 1000)
    exponent, modulus = drawn("e", 1 << 20), drawn("m", 200)
    assert powmod(3, exponent, modulus) == gmpy2.powmod(3, exponent, modulus)


def test_whatever_has_index_is_an_integer():
    class Seven:
        def __index__(self):
            return 7

    class Subclass(int):
        pass

    for seven in (
        7, Subclass(7), Seven(), gmpy2.mpz(7), numpy.int64(7), numpy.uint8(7), numpy.array(7), pingala.Modulus(7),
    ):  # fmt: skip
        assert powmod(seven, 3, 10) == 3
        assert powmod(3, seven, 10) == 7
        assert powmod(3, 3, seven) == 6
        assert invert(3, seven) == 5
        for result in (powmod(seven, seven, seven), powmod(seven, 1, 10**40), invert(seven, 10**40 + 9)):
            assert type(result) is int
    assert powmod(True, True, 2) == 1
    assert powmod(gmpy2.mpz(-(3**500)), 5, gmpy2.mpz(7**300)) == pow(-(3**500), 5, 7**300)


def test_arguments_by_name():
    assert powmod(base=3, exponent=4, modulus=5) == 1
    assert invert(value=3, modulus=7) == 5


def test_a_modulus_object_is_a_modulus():
    kept = pingala.Modulus(10**9 + 7)
    assert powmod(3, -5, kept) == pow(3, -5, 10**9 + 7)
    assert invert(3, kept) == pow(3, -1, 10**9 + 7)


def test_calls_end_at_their_timeout():
    modulus = pingala.Modulus((1 << 20000) - 3)
    long = (1 << 2_000_000) - 1  # minutes
    for call in (
        lambda timeout: pingala.powmod(3, long, modulus, timeout=timeout),
        lambda timeout: pingala.powmod_list([3] * 9, long, modulus, timeout=timeout),
        lambda timeout: pingala.powmod_base_list([3] * 9, long, modulus, timeout=timeout),
        lambda timeout: pingala.powmod_exp_list(3, [long] * 9, modulus, timeout=timeout),
        lambda timeout: modulus.pow(3, long, timeout=timeout),
        lambda timeout: modulus.pow_list([3] * 9, long, timeout=timeout),
        lambda timeout: pingala.powmod_product([3] * 9, [long] * 9, modulus, timeout=timeout),
        lambda timeout: pingala.powmod_product_list([[3] * 9], [[long] * 9], modulus, timeout=timeout),
    ):
        with pytest.raises(pingala.TimeLimitError, match="longer than its timeout") as caught:
            call(0.01)
        assert caught.value.code == "interrupted"
        assert isinstance(caught.value, TimeoutError)
    for timeout in (3600, 1e300, float("inf"), None):
        assert pingala.powmod(3, 65537, 101, timeout=timeout) == pow(3, 65537, 101)
        assert pingala.powmod_list([3, 4], 65537, 2**70 + 1, timeout=timeout) == [
            pow(b, 65537, 2**70 + 1) for b in (3, 4)
        ]
    for timeout in (-1, float("nan")):
        with pytest.raises(pingala.ArgumentError, match="timeout must be a number of seconds from 0 on"):
            pingala.powmod(3, 5, 7, timeout=timeout)
    with pytest.raises(TypeError, match="timeout"):
        pingala.powmod(3, 5, 7, timeout="soon")


@pytest.mark.parametrize("bits", [1, 2, 63, 64, 65, 520, 2048, 5000])
def test_bases_that_need_no_work(bits):
    """The powers of 0, 1 and -1 are themselves; 0 has none for a negative exponent."""
    for modulus in {1 << (bits - 1) | 1, 1 << bits, (1 << bits) - 1, 3 << bits}:
        for exponent in (1, 2, 3, 4, 65537, 2**500, 2**500 + 1, -1, -2, -3, -65537, -(2**500)):
            for base in (0, 1, -1, modulus, modulus + 1, modulus - 1, -modulus, 1 - modulus):
                try:
                    want = pow(base, exponent, modulus)
                except ValueError:
                    with pytest.raises(pingala.NotInvertibleError):
                        pingala.powmod(base, exponent, modulus)
                    with pytest.raises(pingala.NotInvertibleError):
                        pingala.Modulus(modulus).pow(base, exponent)
                else:
                    assert pingala.powmod(base, exponent, modulus) == want
                    assert pingala.Modulus(modulus).pow(base, exponent) == want


@pytest.mark.parametrize("bits", [8, 64, 200, 2048])
def test_bases_that_need_no_work_in_lists(bits):
    """Among other bases, with one exponent or many; by a plan that is forced too."""
    for number in {1 << (bits - 1) | 1, 1 << bits, (1 << bits) - 1}:
        modulus = pingala.Modulus(number)
        bases = [0, 1, -1, number, number + 1, number - 1, -number, 1 - number, 3, -5]
        exponents = [1, 2, 3, 65537, 2**100 + 1, 0]
        rows = [(base, exponent) for base in bases for exponent in exponents]
        want = [pow(base, exponent, number) for base, exponent in rows]
        assert modulus.pow_list([base for base, _ in rows], [exponent for _, exponent in rows]) == want
        for plan in (None, "sliding_window(w=3)"):
            for exponent in exponents:
                want = [pow(base, exponent, number) for base in bases]
                assert modulus.pow_list(bases, exponent, plan=plan) == want
        for base in bases:
            assert pingala.powmod_exp_list(base, exponents, modulus) == [
                pow(base, exponent, number) for exponent in exponents
            ]
        with pytest.raises(pingala.NotInvertibleError):
            modulus.pow_list([1, 0, -1], -3)
        assert modulus.pow_list([1, 1 - number, -1], -3) == [1 % number, 1, number - 1]
