"""Answers of yes or no behave as bool in every use, and handles and columns compare by content."""

import copy
import operator
import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pingala

P, C = 2**89 - 1, 2**89 - 3
KEY = pingala.RSAPublicKey(2**1024 - 105, 3)
MESSAGE = b"m"


def forged(count: int = 1) -> pingala.Answers[pingala.Verdict]:
    return pingala.verify_list(KEY, [bytes(128)] * count, [MESSAGE] * count, scheme="rsa-pkcs1")


def valid() -> pingala.Verdict:
    """No key of ours has a private half here, so the pickle of a valid verdict is written by hand."""
    function, (version, _) = forged().details[0].__reduce__()
    verdict = function(version, (None, "", ("short_key",)))
    assert isinstance(verdict, pingala.Verdict)
    return verdict


SINGLE: list[tuple[Any, bool]] = [
    (pingala.is_prime(7), True),
    (pingala.is_prime(P), True),
    (pingala.is_prime(P, 10), True),
    (pingala.is_prime(8), False),
    (pingala.is_prime(C), False),
    (forged().details[0], False),
    (valid(), True),
]


@pytest.mark.parametrize(("answer", "truth"), SINGLE)
def test_one_answer_is_a_truth_value(answer: Any, truth: bool) -> None:
    for other in (True, False, 1, 0, 1.0, 2, np.True_, np.False_, "True", None, [True], *(one for one, _ in SINGLE)):
        wanted = truth == (other if not isinstance(other, (pingala.Primality, pingala.Verdict)) else bool(other))
        assert bool(answer == other) == bool(wanted)
        assert (other == answer) == wanted
        assert bool(answer != other) != bool(wanted)
    assert hash(answer) == hash(truth)
    assert {truth: "found"}[answer] == {answer: "found"}[truth] == "found"
    assert [answer].count(truth) == 1
    assert Counter([answer, truth, not truth])[answer] == 2
    assert answer in (truth, None)
    assert answer not in (not truth, None)
    assert sum([answer, answer]) == 2 * truth
    assert int(answer) == truth
    assert (not answer) is (not truth)
    for operation in (operator.and_, operator.or_, operator.xor, operator.add):
        for other in (True, False, answer, np.array([True, False])):
            plain = truth if other is answer else other
            assert np.array_equal(operation(answer, other), operation(truth, plain))
            assert np.array_equal(operation(other, answer), operation(plain, truth))
    assert sorted([answer, not truth]) == [False, True]
    assert answer <= True
    assert answer >= False
    with pytest.raises(TypeError):
        operator.lt(answer, "text")
    for mask in (np.array([answer, answer]), np.asarray([answer, answer])):
        assert mask.dtype == np.bool_
        assert np.array([10, 20])[mask].tolist() == [10, 20] * truth
    for one in (copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):
        assert type(one) is type(answer)
        assert one == answer == truth
        assert repr(one) == repr(answer)
    with pytest.raises(TypeError):
        operator.index(answer)


def test_a_forged_signature_is_rejected_however_the_question_is_asked() -> None:
    [answer] = answers = forged()
    [verdict] = answers.details
    for one in (answer, verdict):
        assert one == False  # noqa: E712
        assert one != True  # noqa: E712
        assert not one
        assert one in {False}
    assert answer is False
    assert verdict.reason == "mismatch"


LISTS: dict[str, tuple[Callable[[], pingala.Answers[Any]], list[bool]]] = {
    "primes": (
        lambda: pingala.is_prime_list(range(100)),
        [n > 1 and all(n % p for p in range(2, n)) for n in range(100)],
    ),
    "long numbers": (lambda: pingala.is_prime_list([P, C, 2**200]), [True, False, False]),
    "no number": (lambda: pingala.is_prime_list([]), []),
    "verdicts": (lambda: forged(5), [False] * 5),
    "errors": (
        lambda: pingala.verify_list(KEY, [bytes(128)] * 3, [MESSAGE] * 3, errors="return"),
        [False] * 3,
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_answers_is_a_list_of_bool(name: str) -> None:
    make, wanted = LISTS[name]
    answers = make()
    assert isinstance(answers, list)
    assert answers == wanted
    assert all(type(one) is bool for one in answers)
    assert (answers.count(True), sum(answers)) == (wanted.count(True), sum(wanted))
    assert repr(answers) == repr(wanted)
    assert len(answers.details) == len(answers)
    assert [bool(one) for one in answers.details] == wanted
    numbers = np.arange(len(wanted))
    kept = [i for i, one in enumerate(wanted) if one]
    if wanted:
        assert np.array(answers).dtype == np.bool_
        assert numbers[np.array(answers)].tolist() == kept
        assert pd.Series(numbers)[pd.Series(answers)].tolist() == kept
        assert pl.Series(numbers).filter(pl.Series(answers)).to_list() == kept
        assert pa.array(answers).type == pa.bool_()
        assert pd.DataFrame({"n": numbers})[answers].n.tolist() == kept
        assert answers.details[-1] == answers[-1]
    with pytest.raises(IndexError):
        answers.details[len(wanted)]
    with pytest.raises(IndexError):
        answers.details[-len(wanted) - 1]
    for other in (pickle.loads(pickle.dumps(answers)), copy.copy(answers), copy.deepcopy(answers)):
        assert type(other) is pingala.Answers
        assert other == answers
        assert list(map(repr, other.details)) == list(map(repr, answers.details))
    assert type(answers[:2]) is list


def test_details_say_what_the_single_call_says() -> None:
    numbers = [0, 1, 2, 561, 2**61 - 1, P, C, 10**40]
    for rounds in (1, 7):
        for n, one in zip(numbers, pingala.is_prime_list(numbers, rounds).details, strict=True):
            alone = pingala.is_prime(n, rounds)
            assert (one.prime, one.proved, one.error_bound) == (alone.prime, alone.proved, alone.error_bound)
            assert one.random_error_bound == alone.random_error_bound


def residues() -> tuple[Any, ...]:
    m = pingala.Modulus(2**127 - 1)
    one = m.residues([3, 5, 2**90])
    return one, m.residues([3 + 2**127 - 1, 5, 2**90]), m.residues([3, 5]), m.residues([3, 5, 7]), one.square()


def columns() -> tuple[Any, ...]:
    words = pa.array([2, 3, None, 5], pa.uint64())
    one = pingala.powmod_column(words, 3, 2**61 - 1)
    return one, pingala.powmod_column(words, 3, 2**61 - 1), pingala.powmod_column(words, 2, 2**61 - 1), one.to_pylist


HANDLES: dict[str, Callable[[], tuple[Any, ...]]] = {
    "Modulus": lambda: (pingala.Modulus(35), pingala.Modulus(35, {5: 1, 7: 1}), pingala.Modulus(37), None),
    "Residues": residues,
    "Column": columns,
    "FixedBase": lambda: (
        pingala.FixedBase(3, 10**9 + 7, 64),
        pingala.FixedBase(3 + 10**9 + 7, 10**9 + 7, 64, 1 << 12),
        pingala.FixedBase(3, 10**9 + 7, 65),
        pingala.FixedBase(4, 10**9 + 7, 64),
        pingala.FixedBase(3, 10**9 + 9, 64),
        pingala.FixedBase(3, 10**9 + 7, 64, secret=True),
    ),
    "FixedExponent": lambda: (
        pingala.FixedExponent(283, moves=1000),
        pingala.FixedExponent("283", moves=1000),
        pingala.FixedExponent(285, moves=1000),
    ),
    "RSAPublicKey": lambda: (pingala.RSAPublicKey(35, 5), pingala.RSAPublicKey(35, 5), pingala.RSAPublicKey(35, 7)),
}


@pytest.mark.parametrize("name", HANDLES)
def test_handles_and_columns_compare_by_content(name: str) -> None:
    one, same, *others = HANDLES[name]()
    assert one == same
    assert operator.ne(one, same) is False
    assert hash(one) == hash(same)
    assert len({one, same}) == 1
    for other in others:
        assert one != other
        assert operator.eq(one, other) is False
    assert one != None  # noqa: E711
    assert one is not None
    assert pickle.loads(pickle.dumps(one)) == one


def test_columns_compare_numbers_however_wide_they_are() -> None:
    words = pingala.powmod_column(pa.array([2, 3], pa.uint64()), 3, 1009)
    big, little = (
        pingala.powmod_column(pa.array([b"\2\2", b"\3\3"]), 3, 2**127 - 1, byteorder=order)
        for order in ("big", "little")
    )
    assert big == little
    wide = pingala.powmod_column(pa.array([b"\0" * 15 + b"\2", b"\0" * 15 + b"\3"]), 3, 2**127 - 1)
    assert words == wide == pingala.powmod_column(pa.array([2, 3], pa.uint64()), 3, 10**6)
    assert words != pingala.is_prime_column(pa.array([2, 3], pa.uint64()))
    errors = [
        pingala.powmod_column(pa.array([2, 3], pa.uint64()), 3, pa.array([5, m]), errors="null") for m in (0, 0, 7)
    ]
    assert errors[0] == errors[1]
    assert errors[0] != errors[2]
    nulls = pingala.powmod_column(pa.array([2, None], pa.uint64()), 3, 5)
    assert errors[0] != nulls


@pytest.mark.parametrize("other", [True, 5, 2.5, [8, 27], (8, 27)])
def test_a_column_is_not_compared_with_what_has_no_content(other: Any) -> None:
    column = pingala.powmod_column(pa.array([2, 3], pa.uint64()), 3, 1009)
    for one, name in ((column, "Column"), (pingala.Modulus(1009).residues([8, 27]), "Residues")):
        with pytest.raises(TypeError, match=f"a {name} is compared with a {name}, not with {type(other).__name__}"):
            operator.eq(one, other)
    assert (column == np.array([8, 28])).tolist() == [True, False]


def test_jobs_compare_by_their_folder(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("base,exponent,modulus\n2,3,7\n")
    names = {"base": "base", "exponent": "exponent", "modulus": "modulus"}
    first = pingala.Job.plan([rows], tmp_path / "one", **names)
    assert first == pingala.Job.open(tmp_path / "one")
    assert hash(first) == hash(pingala.Job.open(tmp_path / "one"))
    assert first != pingala.Job.plan([rows], tmp_path / "two", **names)
