"""The list calls: element by element, every shape of argument, errors in place, progress."""

import array
import itertools
import time

import gmpy2
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pingala
from drawing import calls, drawn, outcome
from pingala import ElementTypeError, powmod_base_list, powmod_exp_list, powmod_list


@settings(max_examples=150, deadline=None)
@given(st.lists(calls(max_bits=400, exponent_bits=100), max_size=12), st.sampled_from([None, 1, 2, 5]))
def test_a_list_agrees_with_pow(rows, threads):
    bases, exponents, moduli = zip(*rows, strict=True) if rows else ((), (), ())
    results = powmod_list(bases, exponents, moduli, errors="return", threads=threads)
    assert len(results) == len(rows)
    for at, (row, result) in enumerate(zip(rows, results, strict=True)):
        expected = outcome(pow, *row)
        if expected is ValueError:
            assert isinstance(result, pingala.NotInvertibleError)
            assert result.index == at
            assert f"element {at}" in str(result)
        else:
            assert type(result) is int
            assert result == expected


@pytest.mark.parametrize("shape", list(itertools.product([True, False], repeat=3)))
def test_every_mix_of_iterables_and_numbers(shape):
    columns = [[3, -5, 2**70], [10, 0, 2**65], [7, 2**64, 10**30]]
    arguments = [column if many else column[1] for column, many in zip(columns, shape, strict=True)]
    if not any(shape):
        with pytest.raises(pingala.ArgumentError, match="at least one"):
            powmod_list(*arguments)
        return
    rows = [[column[i if many else 1] for column, many in zip(columns, shape, strict=True)] for i in range(3)]
    assert powmod_list(*arguments) == [pow(*row) for row in rows]


@pytest.mark.parametrize(
    "iterable",
    [
        lambda values: list(values),
        lambda values: tuple(values),
        lambda values: (value for value in values),
        lambda values: iter(values),
        lambda values: map(int, values),
        lambda values: dict.fromkeys(values),
        lambda values: numpy.array(values),
        lambda values: numpy.array(values, dtype=object),
        lambda values: array.array("q", values),
        lambda values: [gmpy2.mpz(value) for value in values],
        lambda values: [numpy.int32(value) for value in values],
        lambda values: range(2, 7),
    ],
)
def test_any_iterable(iterable):
    values = [2, 3, 4, 5, 6]
    assert powmod_list(iterable(values), iterable(values), iterable(values)) == [pow(v, v, v) for v in values]
    assert powmod_base_list(iterable(values), 5, 7) == [pow(v, 5, 7) for v in values]
    assert powmod_exp_list(5, iterable(values), 7) == [pow(5, v, 7) for v in values]


def test_one_number_for_all_may_be_any_integer():
    for three in (3, True + 2, gmpy2.mpz(3), numpy.int16(3), numpy.array(3), pingala.Modulus(3)):
        assert powmod_list([5, 6], three, 100) == [25, 16]
        assert powmod_list(three, [5, 6], 100) == [43, 29]
        assert powmod_list([5, 7], 1, three) == [2, 1]


def test_negative_and_unit_moduli_in_lists():
    moduli = [-7, 7, 1, -1, -(2**70), 2**70]
    for exponent in (0, 1, 5, 12):
        assert powmod_list(10, exponent, moduli) == [pow(10, exponent, modulus) for modulus in moduli]
        for modulus in moduli:
            assert powmod_base_list(range(-20, 20), exponent, modulus) == [
                pow(base, exponent, modulus) for base in range(-20, 20)
            ]


def test_moduli_may_be_modulus_objects():
    kept = pingala.Modulus(10**9 + 7)
    assert powmod_list([2, 3], 100, kept) == [pow(2, 100, 10**9 + 7), pow(3, 100, 10**9 + 7)]
    assert powmod_list([2, 3, 4], 100, [kept, 9, kept]) == [pow(2, 100, 10**9 + 7), 0, pow(4, 100, 10**9 + 7)]


def test_empty_lists():
    assert powmod_list([], [], []) == []
    assert powmod_list([], 2, 3) == []
    assert powmod_list(iter(()), 2, 0) == []
    assert powmod_base_list([], 2, 3) == []
    assert powmod_exp_list(2, [], 3, errors="return", threads=2) == []


@pytest.mark.parametrize(
    ("bases", "exponents", "moduli"),
    [
        ([1, 2], [1], 5),
        ([1], [1, 2], 5),
        ([], [1], 5),
        ([1, 2], 3, [5]),
        (2, [1, 2, 3], (5, 6)),
        (iter([1, 2]), itertools.count(), 5),
    ],
)
def test_lengths_that_differ(bases, exponents, moduli):
    with pytest.raises(ValueError, match="differ in length") as caught:
        powmod_list(bases, exponents, moduli)
    assert caught.value.code == "bad_argument"


@pytest.mark.parametrize("bad", ["12", b"12", bytearray(b"12"), 2.5, None, object(), numpy.float64(2)])
def test_arguments_that_are_neither(bad):
    for arguments in ((bad, [1], 5), ([1], bad, 5), ([1], [1], bad)):
        with pytest.raises(TypeError, match="must be an integer or an iterable of integers, not"):
            powmod_list(*arguments)
    with pytest.raises(TypeError, match="bases must be"):
        powmod_base_list(bad, 2, 5)
    with pytest.raises(TypeError, match="exponents must be"):
        powmod_exp_list(2, bad, 5)
    with pytest.raises(TypeError):
        powmod_base_list([1], bad, 5)
    with pytest.raises(TypeError):
        powmod_exp_list([1], [2], 5)
    with pytest.raises(TypeError, match="bases must be an iterable"):
        powmod_base_list(2, 2, 5)


@pytest.mark.parametrize(
    ("rows", "index", "error"),
    [
        ([(2, 3, 5), (2.0, 3, 5), ("x", 3, 5)], 1, ElementTypeError),
        ([(2, 3, 5), (2, 3, 5), (2, None, 5)], 2, ElementTypeError),
        ([(2, 3, 0), (2, None, 5)], 0, pingala.ZeroModulusError),
        ([(2, 3, 5), (2, -3, 4), (2, -3, 6)], 1, pingala.NotInvertibleError),
        ([(2, 3, 5), (2, 3, 1 << (1 << 24))], 1, pingala.TooLongError),
    ],
)
def test_a_bad_element(rows, index, error):
    columns = list(zip(*rows, strict=True))
    with pytest.raises(error, match=f"element {index}: ") as caught:
        powmod_list(*columns)
    assert caught.value.index == index
    results = powmod_list(*columns, errors="return")
    assert type(results[index]) is error
    assert results[index].index == index
    for row, result in zip(rows, results, strict=True):
        if not isinstance(result, Exception):
            assert result == pow(*row)
    assert issubclass(error, TypeError if error is ElementTypeError else ValueError)


def test_a_bad_modulus_for_all_is_every_elements_error():
    with pytest.raises(pingala.ZeroModulusError, match="element 0: "):
        powmod_base_list([1, 2], 3, 0)
    results = powmod_base_list([1, "2", 3], 3, 0, errors="return")
    assert [type(result) for result in results] == [
        pingala.ZeroModulusError,
        ElementTypeError,
        pingala.ZeroModulusError,
    ]


def test_what_an_iterable_raises_passes_through():
    def broken():
        yield 1
        raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        powmod_list(broken(), 2, 5, errors="return")

    class Interrupting:
        def __index__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        powmod_list([1, Interrupting()], 2, 5, errors="return")


def test_settings_that_cannot_be():
    for threads in (0, -1, -(2**80)):
        with pytest.raises(pingala.ArgumentError, match="threads must be at least 1"):
            powmod_list([1], 2, 5, threads=threads)
    assert powmod_list([3], 2, 5, threads=2**80) == [4]
    for threads in (1.0, "2"):
        with pytest.raises(TypeError):
            powmod_list([1], 2, 5, threads=threads)
    with pytest.raises(ValueError, match="errors must be 'raise' or 'return'"):
        powmod_list([1], 2, 5, errors="ignore")
    with pytest.raises(TypeError, match="progress must be callable"):
        powmod_list([1], 2, 5, progress=7)


def slow_list(n=400):
    modulus = drawn("slow", 1536) | 1
    return [drawn("base", 1000 + i) for i in range(n)], drawn("exponent", 1536), modulus


@pytest.mark.parametrize("threads", [1, 2, None])
def test_progress(threads):
    import threading

    seen = []
    here = threading.get_ident()

    def progress(done, total):
        seen.append((done, total, threading.get_ident()))

    bases, exponent, modulus = slow_list()
    results = powmod_base_list([*bases, "bad"], exponent, modulus, errors="return", threads=threads, progress=progress)
    assert results[0] == gmpy2.powmod(bases[0], exponent, modulus)
    assert isinstance(results[-1], ElementTypeError)
    assert seen[-1][:2] == (401, 401)
    assert {total for _, total, _ in seen} == {401}
    assert {thread for _, _, thread in seen} == {here}
    done = [done for done, _, _ in seen]
    assert done == sorted(done)


def test_progress_of_short_lists_comes_once():
    seen = []
    powmod_list([1, 2, 3], 5, 7, progress=lambda *call: seen.append(call))
    assert seen == [(3, 3)]
    powmod_list([], 5, 7, progress=lambda *call: seen.append(call))
    assert seen == [(3, 3)]


@pytest.mark.parametrize("threads", [1, 2])
def test_what_progress_raises_stops_the_list(threads):
    calls_seen = []

    def progress(done, total):
        calls_seen.append(done)
        raise LookupError("enough")

    # The list takes minutes, each element some milliseconds.
    exponent, modulus = drawn("exponent", 1 << 15), drawn("slow", 1536) | 1
    with pytest.raises(LookupError, match="enough"):
        powmod_base_list(range(3, 500_000), exponent, modulus, threads=threads, progress=progress)
    assert len(calls_seen) == 1
    assert calls_seen[0] < 400_000


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_of_a_very_long_list_moves_on(threads):
    seen = []

    def progress(done, total):
        seen.append(done)
        if len(set(seen)) == 8:
            raise LookupError("enough")

    # Minutes, of which it takes the first seconds.
    exponent, modulus = drawn("exponent", 1 << 15), drawn("slow", 1536) | 1
    started = time.perf_counter()
    with pytest.raises(LookupError, match="enough"):
        powmod_base_list(range(3, 500_000), exponent, modulus, threads=threads, progress=progress)
    seconds = time.perf_counter() - started
    # At most ten a second: a machine that pauses only has more time for them.
    assert len(seen) <= 10 * seconds + 1
    assert seen == sorted(seen)
    assert seen[-1] < 400_000


def test_a_list_may_call_a_list():
    inner = []
    powmod_list([2], 3, 5, progress=lambda *_: inner.extend(powmod_list([3], 3, 5)))
    assert inner == [2]


def test_an_array_of_two_dimensions_is_refused_by_its_name():
    square = numpy.array([[2, 3], [4, 5]])
    for call in (
        lambda: powmod_list(square, 3, 7),
        lambda: powmod_base_list(square, 3, 7),
        lambda: powmod_list([2, 3], square, 7),
        lambda: pingala.FixedBase(3, 7, 10).pow_list(square),
    ):
        with pytest.raises(TypeError, match=r"(bases|exponents) must be .* not an array of 2 dimensions.*ravel\(\)"):
            call()
    assert powmod_list(square.ravel(), 3, 7) == [1, 6, 1, 6]
