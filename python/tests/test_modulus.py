"""The class Modulus."""

import copy
import pickle
from types import MappingProxyType

import gmpy2
import pytest
from hypothesis import given, settings

import pingala
from drawing import drawn, integers, naturals, outcome
from pingala import Modulus

P, Q = 2**521 - 1, 2**607 - 1


@settings(max_examples=200, deadline=None)
@given(integers(700), integers(100), naturals(700).filter(bool))
def test_powers_agree_with_pow(base, exponent, value):
    modulus = Modulus(value)
    assert outcome(modulus.pow, base, exponent) == outcome(pow, base, exponent, value)
    assert outcome(modulus.invert, base) == outcome(pow, base, -1, value)


@pytest.mark.parametrize("factors", [{P: 1, Q: 1}, MappingProxyType({Q: 1, P: 1}), {gmpy2.mpz(P): True, Q: 1}])
def test_factors(factors):
    modulus = Modulus(P * Q, factors)
    plain = Modulus(P * Q)
    for base in (2, -3, P, Q - 1, P * Q - 1, P * Q, drawn("b", 1100), drawn("b", 3000)):
        for exponent in (0, 1, 2, 65537, P - 1, (P - 1) * (Q - 1), drawn("e", 1128), -1, -drawn("e", 100)):
            assert outcome(modulus.pow, base, exponent) == outcome(pow, base, exponent, P * Q)
    assert modulus == plain
    assert hash(modulus) == hash(plain)


def test_factors_with_multiplicities():
    value = 2**70 * 3**40 * (10**9 + 7) ** 3
    modulus = Modulus(value, factors={2: 70, 3: 40, 10**9 + 7: 3})
    for base in (2, 3, 6, 10**9 + 7, drawn("b", 200), -5):
        for exponent in (0, 1, 5, 69, 70, 71, drawn("e", 200), -1):
            assert outcome(modulus.pow, base, exponent) == outcome(pow, base, exponent, value)


def test_primes_and_what_only_looks_like_one():
    # Three primes; a strong pseudoprime to the bases 2, 3, 5, 7; Paillier's squares.
    for factors in ({P: 1, Q: 1, 2**127 - 1: 1}, {3215031751: 2, P: 1}, {P: 2, 2**89 - 1: 2}):
        value = 1
        for p, multiplicity in factors.items():
            value *= p**multiplicity
        modulus = Modulus(value, factors)
        for base in (2, P, P * P, 3215031751, drawn("b", 1300)):
            for exponent in (1, value, drawn("e", 3000)):
                assert modulus.pow(base, exponent) == pow(base, exponent, value)


@pytest.mark.parametrize("factors", [{}, {P: 1}, {P: 1, Q: 2}, {P: 2, Q: 1}, {P: 1, Q: 0}, {-P: 1, -Q: 1}, {0: 1}])
def test_wrong_factors(factors):
    with pytest.raises(pingala.WrongFactorsError) as caught:
        Modulus(P * Q, factors)
    assert caught.value.code == "wrong_factors"
    assert str(P) not in str(caught.value)


@pytest.mark.parametrize("factors", [[P, Q], P, "P", {P: 1.0, Q: 1}, {"P": 1}, {P: None}])
def test_factors_that_are_none(factors):
    with pytest.raises(TypeError):
        Modulus(P * Q, factors)


def test_multiplicities_out_of_range():
    for multiplicity in (-1, 2**32):
        with pytest.raises(pingala.WrongFactorsError):
            Modulus(P * Q, {P: multiplicity, Q: 1})


def test_what_it_says_of_itself():
    modulus = Modulus(2**80 + 1)
    assert modulus.value == 2**80 + 1
    assert int(modulus) == 2**80 + 1
    assert hex(modulus) == hex(2**80 + 1)
    assert modulus.bits == 81
    assert repr(modulus) == f"Modulus({2**80 + 1:#x})"
    assert eval(repr(modulus)) == modulus
    secret = Modulus(P * Q, {P: 1, Q: 1})
    assert repr(secret) == repr(Modulus(P * Q)) == f"<Modulus of {(P * Q).bit_length()} bits>"
    assert repr(Modulus(2**100_000)) == "<Modulus of 100001 bits>"


def test_equality_and_hash():
    assert Modulus(7) == Modulus(7)
    assert Modulus(7) != Modulus(8)
    assert Modulus(7) != 7
    assert len({Modulus(7), Modulus(7), Modulus(9)}) == 2


def test_it_does_not_change():
    modulus = Modulus(7)
    with pytest.raises(AttributeError):
        modulus.value = 8
    with pytest.raises(AttributeError):
        modulus.other = 8


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling(protocol):
    for modulus in (Modulus(10**50), Modulus(P * Q, {P: 1, Q: 1})):
        again = pickle.loads(pickle.dumps(modulus, protocol))
        assert again == modulus
        assert again.pow(3, 10**20) == modulus.pow(3, 10**20)
        assert again.__reduce__() == modulus.__reduce__()
    assert copy.deepcopy(Modulus(7)) == copy.copy(Modulus(7))


def test_pickles_have_a_version_and_no_kernel():
    modulus = Modulus(P * Q, {P: 1, Q: 1}, 2**12)
    function, (version, parameters) = modulus.__reduce__()
    assert (version, parameters) == (1, (P * Q, {P: 1, Q: 1}, 2**12))
    with pytest.raises(ValueError, match="version 2"):
        function(2, parameters)
    # As version 0.1 pickled it.
    assert Modulus(*parameters) == modulus
    with pytest.raises(TypeError, match="in the clear"):
        pickle.dumps(Modulus(P * Q, {P: 1, Q: 1}, secret=True))
