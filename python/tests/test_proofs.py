"""Proofs of repeated squaring, and witnesses of accumulators."""

import math
import random
from pathlib import Path

import pytest

import pingala

RNG = random.Random(43)
M = pingala.next_prime(RNG.getrandbits(1024) | 1 << 1023) * pingala.next_prime(RNG.getrandbits(512) | 1 << 511)


def proved(x: int, t: int, **options: object) -> tuple[int, str]:
    return pingala.repeated_square(x, t, M, proof="wesolowski", **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("t", [0, 1, 2, 300, 5000])
def test_proofs_are_right(t: int) -> None:
    y, proof = proved(5, t)
    assert y == pow(5, 2**t, M) == pingala.repeated_square(5, t, M)
    assert pingala.verify_squaring(5, t, M, y, proof)
    assert proved(5, t, memory=1, threads=2) == (y, proof)
    for forged in (
        (6, t, M, y, proof),
        (5, t + 1, M, y, proof),
        (5, max(t, 300), M + 2, y, proof),
        (5, t, M, M - y, proof),
        (5, t, M, y + M, proof),
        (5, t, M, -y, proof),
        (5, t, 2 * M, y, proof),
        (5, t, M, y, f"wesolowski-v1:{int(proof.split(':')[1], 16) + 1:#x}"),
        (5, t, M, y, f"wesolowski-v1:{M - int(proof.split(':')[1], 16):#x}"),
    ):
        assert not pingala.verify_squaring(*forged)


def test_lists_of_proofs_are_as_each_proof() -> None:
    xs, t = [5, -7, 11, 2**70], 300
    made = [proved(x, t) for x in xs]
    results, proofs = [y for y, _ in made], [proof for _, proof in made]
    wrong = [results[0], results[2], -results[2], results[3] + M]
    for threads in (1, 2):
        assert pingala.verify_squaring_list(xs, t, M, results, proofs, threads=threads) == [True] * 4
        found = pingala.verify_squaring_list(iter(xs), t, pingala.Modulus(M), wrong, tuple(proofs), threads=threads)
        assert found == [
            pingala.verify_squaring(x, t, M, y, proof) for x, y, proof in zip(xs, wrong, proofs, strict=True)
        ]
        assert found == [True, False, False, False]
    assert pingala.verify_squaring_list([], t, M, [], []) == []
    with pytest.warns(UserWarning, match="has 14 bits"):
        y, proof = pingala.repeated_square(3, 9, 10007, proof="wesolowski")
    assert pingala.verify_squaring_list([3], 9, 10007, [y], [proof]) == [False]
    assert pingala.verify_squaring_list([3], 9, 10007, [y], [proof], smallest_modulus_bits=0) == [True]
    for bad in (
        lambda: pingala.verify_squaring_list(xs, t, M, results[1:], proofs),
        lambda: pingala.verify_squaring_list(xs, t, M, results, proofs[1:]),
    ):
        with pytest.raises(pingala.ArgumentError):
            bad()
    with pytest.raises(pingala.PingalaError, match="expected a proof"):
        pingala.verify_squaring_list([5], t, M, results[:1], ["0x5"])
    with pytest.raises(TypeError):
        pingala.verify_squaring_list([5], t, M, results[:1], [7])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("modulus", "why"),
    [
        (10007 * 10009, "has 27 bits; verify_squaring refuses those below 1024"),
        (2**1277 - 1, "small order"),
        (3**900 - 2**900, "factor below 4096"),
        (pingala.next_prime(2**600) ** 2, "power"),
    ],
)
def test_weak_moduli_are_named(modulus: int, why: str) -> None:
    with pytest.warns(UserWarning, match=why):
        y, proof = pingala.repeated_square(10**9 + 7, 100, modulus, proof="wesolowski")
    assert not pingala.verify_squaring(10**9 + 7, 100, modulus, y, proof)
    assert pingala.verify_squaring(10**9 + 7, 100, modulus, y, proof, smallest_modulus_bits=0)


def test_witnesses_have_one_form() -> None:
    exponents = [3, 5, 7]
    accumulator, right = pingala.accumulate(2, exponents, M), pingala.witnesses(2, exponents, M)
    assert pingala.verify_witnesses(accumulator, exponents, right, M)
    for wrong in (right[1] - M, right[1] + M, -right[1], -1, M):
        witnesses = [right[0], wrong, right[2]]
        assert not pingala.verify_witnesses(accumulator, exponents, witnesses, M)
        assert pingala.failing_witnesses(accumulator, exponents, witnesses, M) == [1]


@pytest.mark.filterwarnings("ignore:the modulus has")
def test_what_is_refused() -> None:
    y, proof = pingala.repeated_square(3, 100, 10007 * 10009, proof="wesolowski")
    assert not pingala.verify_squaring(3, 100, 10007 * 10009, y, proof)
    assert pingala.verify_squaring(3, 100, 10007 * 10009, y, proof, smallest_modulus_bits=20)
    with pytest.raises(pingala.PingalaError):
        pingala.verify_squaring(3, 100, M, y, "0x17")
    with pytest.raises(pingala.ArgumentError):
        pingala.repeated_square(3, 10, M, proof="pietrzak")  # type: ignore[call-overload]
    with pytest.raises(pingala.ArgumentError):
        pingala.repeated_square(3, 10, 2 * M, proof="wesolowski")
    with pytest.raises(pingala.NegativeModulusError):
        pingala.repeated_square(3, 10, -M, proof="wesolowski")
    with pytest.raises(pingala.NotInvertibleError):
        pingala.repeated_square(M, 10, M, proof="wesolowski")


def test_known_factors() -> None:
    p, q = pingala.next_prime(2**600), pingala.next_prime(2**610)
    y, proof = pingala.repeated_square(7, 2**63, pingala.Modulus(p * q, {p: 1, q: 1}), proof="wesolowski")
    assert y == pow(7, pow(2, 2**63, (p - 1) * (q - 1)), p * q)
    assert pingala.verify_squaring(7, 2**63, p * q, y, proof)


def test_a_proof_resumes(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    stopped = []

    def stop(done: int, total: int) -> None:
        if done > 0:
            stopped.append(done)
            raise StopError

    # A processor that is done before the first report gets more to do.
    t = 100_000
    while not stopped or stopped[-1] >= t - 1:
        t *= 4
        file = tmp_path / f"state-{t}"
        with pytest.raises(StopError):
            proved(3, t, checkpoint=file, checkpoint_seconds=0.05, progress=stop)
    reports = []
    y, proof = proved(3, t, checkpoint=file, progress=lambda done, total: reports.append(done))
    assert min(reports) >= stopped[-1]
    assert pingala.verify_squaring(3, t, M, y, proof)
    with pytest.raises(pingala.FileError):
        proved(5, t, checkpoint=file)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 17])
def test_witnesses(count: int, tmp_path: Path) -> None:
    exponents = [RNG.choice([0, 1, RNG.getrandbits(64), RNG.getrandbits(256)]) for _ in range(count)]
    accumulator = pingala.accumulate(3, exponents, M)
    assert accumulator == pow(3, math.prod(exponents), M)
    wanted = [pow(3, math.prod(exponents[:i] + exponents[i + 1 :]), M) for i in range(count)]
    assert pingala.witnesses(3, exponents, M) == wanted
    file = tmp_path / "state"
    for _ in range(2):
        assert pingala.witnesses(3, exponents, M, memory=1, threads=1, checkpoint=file) == wanted
    assert pingala.verify_witnesses(accumulator, exponents, wanted, M)
    assert pingala.failing_witnesses(accumulator, exponents, wanted, M) == []
    assert pingala.update_witnesses(wanted, [5, 7], M) == [pow(w, 35, M) for w in wanted]
    if count and exponents[0]:
        wrong = [wanted[0] * 2 % M, *wanted[1:]]
        assert not pingala.verify_witnesses(accumulator, exponents, wrong, M)
        assert pingala.failing_witnesses(accumulator, exponents, wrong, M) == [0]


def test_wrong_arguments() -> None:
    with pytest.raises(pingala.ArgumentError) as caught:
        pingala.witnesses(3, [5, -7], M)
    assert caught.value.index == 1
    with pytest.raises(pingala.ArgumentError):
        pingala.verify_witnesses(3, [5, 7], [1], M)
    with pytest.raises(pingala.ZeroModulusError):
        pingala.accumulate(3, [5], 0)
    with pytest.raises(TypeError):
        pingala.accumulate(3, [5.0], M)  # type: ignore[list-item]
