"""Bad input: the same family of exceptions as the built-in pow, with our codes."""

import inspect
import pickle
from collections.abc import Callable
from fractions import Fraction

import numpy
import pytest

import pingala
from pingala import Modulus, invert, powmod

BAD = [
    (2, 3, 0),
    (0, 0, 0),
    (2, -1, 0),
    (2, -1, 4),
    (0, -1, 5),
    (6, -7, 9),
    (6, -7, -9),
    (2**2000, -1, 2**2001),
    (2.0, 3, 5),
    (2, 3.0, 5),
    (2, 3, 5.0),
    ("2", 3, 5),
    (2, "3", 5),
    (2, 3, "5"),
    (b"2", 3, 5),
    (2, b"3", 5),
    (None, 3, 5),
    (2, None, 5),
    ([], 3, 5),
    (2, [3], 5),
    (2, 3, [5]),
    (2, 3, Fraction(5)),
    (2, object(), 5),
    (2.0, 3, 0),
    (2, "3", 0),
]


@pytest.mark.parametrize("arguments", BAD, ids=repr)
def test_the_family_is_that_of_pow(arguments):
    with pytest.raises((ValueError, TypeError)) as theirs:
        pow(*arguments)
    with pytest.raises(theirs.type) as ours:
        powmod(*arguments)
    assert isinstance(ours.value, pingala.PingalaError) == (theirs.type is ValueError)


@pytest.mark.parametrize(
    ("call", "error", "code", "sentence"),
    [
        (lambda: powmod(2, 3, 0), pingala.ZeroModulusError, "zero_modulus", "3rd argument cannot be 0"),
        (lambda: invert(2, 0), pingala.ZeroModulusError, "zero_modulus", "zero modulus"),
        (lambda: Modulus(0), pingala.ZeroModulusError, "zero_modulus", "zero modulus"),
        (lambda: Modulus(-5), pingala.NegativeModulusError, "negative_modulus", "negative modulus"),
        (lambda: powmod_sec(2, 3, -5), pingala.NegativeModulusError, "negative_modulus", "negative modulus"),
        (
            lambda: powmod(2, -3, 4),
            pingala.NotInvertibleError,
            "not_invertible",
            "base is not invertible for the given modulus",
        ),
        (lambda: invert(0, 5), pingala.NotInvertibleError, "not_invertible", "not invertible"),
        (lambda: Modulus(4).invert(2), pingala.NotInvertibleError, "not_invertible", "not invertible"),
        (lambda: powmod(2, 3, 1 << (1 << 24)), pingala.TooLongError, "too_long", "modulus of 16777217 bits"),
        (lambda: Modulus(1 << (1 << 24)), pingala.TooLongError, "too_long", "modulus of 16777217 bits"),
    ],
)
def test_codes_and_sentences(call, error, code, sentence):
    with pytest.raises(error, match=sentence) as caught:
        call()
    assert type(caught.value) is error
    assert isinstance(caught.value, pingala.PingalaError)
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == error.code == code
    assert caught.value.index is None


def powmod_sec(*arguments):
    return pingala.powmod_sec(*arguments)


def test_an_exponent_beyond_its_cap_is_refused():
    with pytest.raises(pingala.TooLongError, match="exponent of 67108865 bits"):
        powmod(2, 1 << (1 << 26), 5)


def test_what_is_no_integer():
    class OnlyInt:
        def __int__(self):
            return 2

    class Broken:
        def __index__(self):
            raise RuntimeError("broken")

    class Lying:
        def __index__(self):
            return "2"

    for bad in (OnlyInt(), Lying(), numpy.float64(2), numpy.array([2, 3]), numpy.array(2.0), 2j, {}, powmod):
        for arguments in ((bad, 3, 5), (3, bad, 5), (3, 3, bad)):
            with pytest.raises(TypeError):
                powmod(*arguments)
            with pytest.raises(TypeError):
                powmod_sec(*arguments)
            with pytest.raises(TypeError):
                pingala.plan(*arguments)
        with pytest.raises(TypeError):
            invert(bad, 5)
        with pytest.raises(TypeError):
            Modulus(bad)
    with pytest.raises(RuntimeError, match="broken"):
        powmod(2, Broken(), 5)


def test_wrong_calls():
    with pytest.raises(TypeError):
        powmod(2, 3)
    with pytest.raises(TypeError):
        powmod(2, 3, 5, 7)
    with pytest.raises(TypeError):
        powmod(2, 3, 5, kernel=7)
    with pytest.raises(TypeError):
        powmod(2, 3, 5, plan=7)


#: Calls whose arguments are replaced, one by one, by what no argument may be.
NAMED = {
    pingala.powmod: (2, 3, 5),
    pingala.powmod_sec: (2, 3, 5, 8),
    invert: (2, 5),
    pingala.powmod_list: ([2], [3], [5]),
    pingala.powmod_base_list: ([2], 3, 5),
    pingala.powmod_exp_list: (2, [3], 5),
    pingala.powmod_product: ([2], [3], 5),
    pingala.powmod_product_list: ([[2]], [[3]], 5),
    pingala.plan: (2, 3, 5),
    pingala.explain: (2, 3, 5),
    pingala.plan_list: ([2], [3], [5]),
    pingala.explain_base_list: ([2], 3, 5),
    pingala.explain_exp_list: (2, [3], 5),
    pingala.explain_product: ([2], [3], 5),
    pingala.repeated_square: (2, 3, 5),
    pingala.powmod_column: (2, 3, [b"5"]),
    pingala.verify_list: ([], [], []),
    Modulus(5).pow: (2, 3),
    Modulus(5).pow_sec: (2, 3, 8),
    Modulus(5).pow_sec_list: ([2], [3], 8),
    Modulus(5).invert_list: ([2],),
    Modulus(5).mul_list: ([2], [3]),
    Modulus(5).product: ([2],),
    Modulus(5).residues: ([2],),
    pingala.mulmod_column: (2, 3, [b"5"]),
    pingala.FixedBase(2, 5, 8).pow_list: ([3],),
    pingala.FixedExponent(5, moves=1).pow: (2, 5),
    pingala.FixedExponent(5, moves=1).pow_list: ([2], 5),
}


@pytest.mark.parametrize("call", NAMED, ids=lambda call: call.__name__)
def test_a_wrong_type_is_an_error_that_names_the_argument(call):
    names = list(inspect.signature(call).parameters.values())
    for at, name in enumerate(names[: len(NAMED[call])]):
        arguments = list(NAMED[call])
        # A list of one wrong element, and what is neither a list nor a number.
        for wrong in ([[object()]] if isinstance(arguments[at], list) else []) + [object()]:
            arguments[at] = wrong
            with pytest.raises(TypeError) as caught:
                call(*arguments)
            singular = {"moduli": ["modulus"], "values": ["base", "value"]}.get(name.name, [name.name.rstrip("s")])
            assert any(word in str(caught.value) for word in [*singular, name.name])
    for name in names:
        if name.kind is name.KEYWORD_ONLY and name.name not in ("checkpoint", "checkpoint_seconds", *SIZES):
            with pytest.raises((TypeError, pingala.ArgumentError), match=name.name):
                call(*NAMED[call], **{name.name: object()})


#: Keywords of plan and explain, whose text pyo3 makes.
SIZES = ("modulus_bits", "exponent_bits", "trailing_zeros", "base_bits", "count", "secret")


def test_errors_survive_pickling():
    with pytest.raises(pingala.NotInvertibleError) as caught:
        pingala.powmod_list([1, 2], -1, 4)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is pingala.NotInvertibleError
    assert (str(again), again.code, again.index) == (str(caught.value), "not_invertible", 1)


def test_caps_that_are_set():
    modulus = 2**100 - 1
    calls = {
        "powmod": lambda **caps: powmod(3, 2**40, modulus, **caps),
        "powmod_sec": lambda **caps: pingala.powmod_sec(3, 2**40, modulus, 41, **caps),
        "powmod_list": lambda **caps: pingala.powmod_list([3], 2**40, modulus, **caps)[0],
        "powmod_base_list": lambda **caps: pingala.powmod_base_list([3], 2**40, modulus, **caps)[0],
        "powmod_exp_list": lambda **caps: pingala.powmod_exp_list(3, [2**40], modulus, **caps)[0],
    }
    for name, call in calls.items():
        assert call(max_modulus_bits=100, max_exponent_bits=41) == pow(3, 2**40, modulus), name
        with pytest.raises(pingala.TooLongError, match="modulus of 100 bits is over the cap of 99"):
            call(max_modulus_bits=99)
        with pytest.raises(pingala.TooLongError, match="exponent of 41 bits is over the cap of 40"):
            call(max_exponent_bits=40)
    with pytest.raises(pingala.TooLongError):
        invert(3, modulus, max_modulus_bits=99)
    kept = Modulus(modulus, max_modulus_bits=100)
    for call in (kept.pow, kept.pow_sec):
        with pytest.raises(pingala.TooLongError):
            call(3, 2**40, max_exponent_bits=40)
    for factors in (None, {2**50 - 1: 1, 2**50 + 1: 1}):
        with pytest.raises(pingala.TooLongError):
            Modulus(modulus, factors, max_modulus_bits=99)


def test_caps_that_are_raised():
    modulus = 2 ** (2**24 + 5) - 1
    with pytest.raises(pingala.TooLongError):
        powmod(3, 2, modulus)
    assert powmod(3, 2, modulus, max_modulus_bits=2**25) == 9
    kept = Modulus(modulus, max_modulus_bits=2**25)
    assert powmod(3, 2, kept) == pickle.loads(pickle.dumps(kept)).pow(3, 2) == 9


N = 2**1024 - 105
SECRET = pingala.SecretInt(5, 8)
KEY = pingala.RSAPublicKey(N, 3)
ARGUMENT = pingala.ArgumentError
WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: pingala.repeated_square(3, 5, N, proof=True), TypeError, "proof must be text: 'wesolowski' in repeated"),
    (lambda: pingala.random_prime(512, safe="yes"), TypeError, "safe must be True or False, not str"),
    (lambda: pingala.random_prime(512, proof="yes"), TypeError, "proof must be True or False, not str"),
    (lambda: pingala.prime_pair(64, 5), TypeError, "kind must be 'rsa', 'paillier' or 'safe', not int"),
    (
        lambda: pingala.powmod_list([2], [3], [5], errors=True),
        TypeError,
        "errors must be text such as 'raise', not bool",
    ),
    (lambda: pingala.powmod(2, 3, 5, kernel=5), TypeError, "kernel must be text, the name of a kernel, not int"),
    (lambda: pingala.powmod(2, 3, 5, plan=5), TypeError, "plan must be text, a plan line, not int"),
    (
        lambda: pingala.powmod_column([2], 3, 5, byteorder=True),
        TypeError,
        "byteorder must be 'big' or 'little', not bool",
    ),
    (lambda: pingala.FixedBase(3, 7, 5, lists=3), TypeError, "lists must be True or False, not int"),
    (
        lambda: pingala.verify_list(KEY, [b""], [b""], scheme=5),
        TypeError,
        "scheme must be 'dsa', 'rsa-pkcs1' or 'rsa-pss'",
    ),
    (
        lambda: pingala.verify_list(KEY, [b""], [b""], policy=5),
        TypeError,
        "policy must be 'legacy', 'strict' or 'modern'",
    ),
    (
        lambda: pingala.verify_list(KEY, [b""], [b""], hash=5),
        TypeError,
        "hash must be text, the name of a hash function",
    ),
    (lambda: pingala.verify_list(KEY, [b""], [b""], scheme="rsa-pss", salt=-1), ARGUMENT, "salt must be .*, not -1"),
    (
        lambda: pingala.verify_list(KEY, [b""], [b""], scheme="rsa-pss", salt="all"),
        TypeError,
        "salt must be .*, not str",
    ),
    (lambda: pingala.random_prime(512, residue=(1, 0)), ARGUMENT, "q must be at least 1, not 0"),
    (lambda: pingala.load_public_key('{"kty": "RSA", "n": "a_b"}'), ARGUMENT, "a JSON Web Key is not read"),
    (lambda: pingala.powmod(3, SECRET, 7), TypeError, "exponent must be an integer, not SecretInt: powmod_sec"),
    (lambda: pingala.powmod(SECRET, 3, 7), TypeError, "base must be an integer, not SecretInt: powmod_sec"),
    (lambda: pingala.Modulus(7).pow(3, SECRET), TypeError, "not SecretInt: powmod_sec, pow_sec"),
    (lambda: pingala.powmod_list([3], SECRET, 7), TypeError, "not SecretInt: powmod_sec, pow_sec"),
    (lambda: pingala.powmod_list([3], [SECRET], 7), pingala.ElementTypeError, "element 0: .*SecretInt: powmod_sec"),
    (lambda: pingala.FixedBase(3, 7, 5).pow(SECRET), TypeError, "not SecretInt: powmod_sec, pow_sec"),
    (lambda: pingala.is_prime(SECRET), TypeError, "not SecretInt: powmod_sec, pow_sec"),
]


@pytest.mark.parametrize("row", range(len(WRONG)))
def test_a_wrong_argument_is_named_with_what_it_may_be(row: int) -> None:
    call, error, why = WRONG[row]
    with pytest.raises(error, match=why):
        call()


def test_no_message_is_cut_inside_a_name() -> None:
    for name in ("none", "x" * 300, "ifma_row_r53"):
        with pytest.raises(pingala.PlanError, match="`pingala info` lists the kernels of this CPU") as raised:
            pingala.powmod(2, 3, 5, kernel=name)
        assert ("did you mean ifma_row_r52" in str(raised.value)) == (name == "ifma_row_r53")
