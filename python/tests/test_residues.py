"""Products of lists, residues, and products of columns, against Python's own arithmetic."""

import itertools
import math
import pickle
import random
import threading

import numpy as np
import pyarrow as pa
import pytest

import pingala
from pingala import ArgumentError, Modulus

RANDOM = random.Random(43)
MODULI = [
    1,
    2,
    3,
    10,
    2**64 - 59,
    2**64,
    2**127 - 1,
    (2**127 - 1) << 9,
    2**256 - 189,
    2**1024 - 105,
    15 << 700,
    2**4096 - 17,
]


def values(m):
    edges = [0, 1, m - 1, m, m + 1, 2 * m, m * m - 1, -1, -m, 1 - m * m, -5, True]
    return edges + [RANDOM.getrandbits(m.bit_length() + 40) for _ in range(9)]


@pytest.mark.parametrize("m", MODULI, ids=lambda m: f"{m.bit_length()} bits")
def test_lists(m):
    modulus, a, b = Modulus(m), values(m), values(m)
    assert modulus.mul_list(a, b) == [x * y % m for x, y in zip(a, b, strict=True)]
    assert modulus.mul_list(iter(a), -7) == modulus.mul_list(-7, tuple(a)) == [-7 * x % m for x in a]
    assert modulus.square_list(a) == [x * x % m for x in a]
    assert modulus.product(a[1:3]) == (m - 1) % m
    assert modulus.running_product(a) == [x % m for x in itertools.accumulate(a, lambda p, x: p * x % m)]
    for count in range(len(a)):
        assert modulus.product(a[3 : 3 + count]) == math.prod(a[3 : 3 + count]) % m
    assert modulus.mul_list([], []) == modulus.mul_list([], 3) == modulus.square_list([]) == []
    assert modulus.product([]) == 1 % m
    kept, other = modulus.residues(a), Modulus(m).residues(b)
    assert (len(kept), kept.tolist(), list(kept)) == (len(a), [x % m for x in a], [x % m for x in a])
    assert (kept * other).tolist() == modulus.mul_list(a, b)
    assert (kept * 3).tolist() == (3 * kept).tolist() == [3 * x % m for x in a]
    assert kept.square().tolist() == modulus.square_list(a)
    assert kept.product() == math.prod(a) % m
    assert kept.running_product(progress=lambda done, total: None).tolist() == modulus.running_product(a)
    assert [kept[0], kept[-1]] == [a[0] % m, a[-1] % m]
    assert kept[2:9:3].tolist() == [x % m for x in a[2:9:3]]
    assert kept[::-1].tolist() == [x % m for x in a[::-1]]
    again = pickle.loads(pickle.dumps(kept))
    assert again.tolist() == kept.tolist()
    assert again.modulus == kept.modulus == modulus


def test_on_kernels():
    m, a = 2**521 - 1, [RANDOM.getrandbits(530) for _ in range(20)]
    modulus = Modulus(m)
    for kernel in ("portable_r64", "division_r64"):
        assert modulus.mul_list(a, a, kernel=kernel) == [x * x % m for x in a]
        assert (modulus.residues(a, kernel=kernel) * modulus.residues(a)).tolist() == [x * x % m for x in a]
    for kernel in ("portable_low_r64", "nothing"):
        with pytest.raises(pingala.PlanError):
            modulus.product(a, kernel=kernel)


def test_threads_share_residues():
    m = 2**1024 - 105
    a = [RANDOM.getrandbits(1024) for _ in range(3000)]
    kept, want = Modulus(m).residues(a), [x * x % m for x in a]
    wrong = []
    threads = [
        threading.Thread(target=lambda: wrong.extend((kept * kept).tolist() != want for _ in range(3)))
        for _ in range(3)
    ]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not any(wrong)
    assert len(wrong) == 9
    for count in (1, 2, 3):
        assert Modulus(m).mul_list(a, a, threads=count) == kept.square(threads=count).tolist() == want
        assert kept.product(threads=count) == Modulus(m).product(a, threads=count) == kept.running_product()[-1]


def test_progress_and_limits():
    told = []
    Modulus(1009).mul_list(range(5), 3, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
    with pytest.raises(ZeroDivisionError):
        Modulus(1009).mul_list(range(5), 3, progress=lambda done, total: 1 / 0)
    with pytest.raises(pingala.TimeLimitError):
        Modulus(2**1024 - 105).product(range(1000), timeout=0)


def test_refusals():
    modulus = Modulus(1009)
    kept = modulus.residues([1, 2, 3])
    for a, b in (([1], [1, 2]), ([1, 2], [1]), (1, 2)):
        with pytest.raises(ArgumentError):
            modulus.mul_list(a, b)
    for other in (modulus.residues([1]), Modulus(7).residues([1, 2, 3])):
        with pytest.raises(ArgumentError):
            kept * other
    for other in ("a", 1.5, None, [1, 2, 3]):
        with pytest.raises(TypeError):
            kept * other
    for index in (3, -4):
        with pytest.raises(IndexError):
            kept[index]
    for bad in ("12", b"12", 5, None, [1.5], np.zeros((2, 2), int)):
        with pytest.raises(TypeError):
            modulus.product(bad)
    with pytest.raises(pingala.ElementTypeError) as caught:
        modulus.square_list([1, "2"])
    assert caught.value.index == 1
    with pytest.raises(TypeError):
        type(kept)()


def test_columns_of_words():
    edges = [0, 1, 2, 3, 2**32, 2**63 - 25, 2**63, 2**64 - 1]
    a, b, m = (np.array(column, np.uint64) for column in zip(*itertools.product(edges, edges, edges[1:]), strict=True))
    got = np.asarray(pingala.mulmod_column(a, b, m))
    assert got.dtype == np.uint64
    assert got.tolist() == [x * y % n for x, y, n in zip(a.tolist(), b.tolist(), m.tolist(), strict=True)]
    for n in (1, 10, 2**61 - 1, 2**64 - 1, Modulus(97)):
        want = [
            x * y % int(n.value if isinstance(n, Modulus) else n) for x, y in zip(a.tolist(), b.tolist(), strict=True)
        ]
        assert np.asarray(pingala.mulmod_column(a, b, n)).tolist() == want
    signed = pa.array([-3, None, 5], pa.int64())
    assert pingala.mulmod_column(signed, 4, 1009).to_pylist() == [997, None, 20]
    bad = pingala.mulmod_column(pa.array([2, 3, None]), 5, pa.array([0, 7, 0]), errors="column")
    assert (bad.to_pylist(), bad.error_codes) == ([None, 1, None], ["zero_modulus", None, None])
    with pytest.raises(pingala.ZeroModulusError) as caught:
        pingala.mulmod_column(pa.array([2, 3]), 5, pa.array([7, 0]))
    assert caught.value.index == 1


def test_wide_columns():
    m = 2**255 - 19
    a = [RANDOM.getrandbits(300).to_bytes(38, "big") for _ in range(400)] + [None]
    numbers = [int.from_bytes(x, "big") for x in a[:-1]]
    want = [x * y % m for x, y in zip(numbers, numbers[::-1], strict=True)]
    for modulus in (m, Modulus(m), [m.to_bytes(32, "big")] * 401):
        column = pingala.mulmod_column(a, [*a[-2::-1], None], modulus)
        assert column.width == 32
        assert column.to_pylist() == [*want, None]
    text = pa.array(["0x10", "-3", "x", None])
    column = pingala.mulmod_column(text, 10**30, 10**40, width=20, errors="null")
    assert column.to_pylist()[:2] == [16 * 10**30, 10**40 - 3 * 10**30]
    assert column.error_codes == [None, None, "not_a_number", None]
    little = pingala.mulmod_column([b"\2\1"], [b"\3"], 2**64 + 13, byteorder="little")
    assert (little.to_pylist(), bytes(little)[:2]) == ([258 * 3], b"\6\3")
    for call in (lambda: pingala.mulmod_column(2, 3, 5), lambda: pingala.mulmod_column([b"1"], [b"1", b"2"], 5)):
        with pytest.raises(ArgumentError, match="b"):
            call()
    with pytest.raises(TypeError):
        pingala.mulmod_column(pa.array([1.5]), 3, 5)
    with pytest.raises(pingala.TooLongError):
        pingala.mulmod_column([b"1"], 3, 2**100, max_modulus_bits=80)
