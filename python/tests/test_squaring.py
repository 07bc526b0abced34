"""repeated_square: answers, checkpoints, progress, stops."""

import os

import pytest

import pingala
from drawing import drawn
from pingala import Modulus, repeated_square


@pytest.mark.parametrize("bits", [1, 64, 100, 700])
def test_it_agrees_with_pow(bits):
    for modulus in (drawn("m", bits) | 1, drawn("m", bits) << 70, -(drawn("m", bits) | 1), 1 << bits):
        for x in (0, 1, -5, drawn("x", 2 * bits)):
            for t in (0, 1, 2, 63, 300, True):
                assert repeated_square(x, t, modulus) == pow(x, 2**t, modulus)
                if modulus > 0:
                    assert repeated_square(x, t, Modulus(modulus)) == pow(x, 2**t, modulus)


def test_known_primes_take_no_squarings():
    p, q = 2**61 - 1, 2**89 - 1
    order = (p - 1) * (q - 1)
    modulus = Modulus(p * q, {p: 1, q: 1})
    assert repeated_square(5, 2**40, modulus) == pow(5, pow(2, 2**40, order), p * q)


def test_every_way_ends_with_a_checkpoint(tmp_path):
    p, q = 2**61 - 1, 2**89 - 1
    for number, (modulus, t) in enumerate([(Modulus(p * q, {p: 1, q: 1}), 2**40), (1 << 90, 50), (1, 9), (p, 0)]):
        file = tmp_path / str(number)
        first = repeated_square(5, t, modulus, checkpoint=file)
        assert file.exists()
        assert repeated_square(5, t, modulus, checkpoint=file) == first


def test_a_checkpoint_that_cannot_be_is_known_before_the_work(tmp_path):
    with pytest.raises(pingala.FileError):
        repeated_square(2, 2**40, drawn("m", 2048) | 1, checkpoint=tmp_path / "no" / "folder")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(pingala.FileError, match="ordinary"):
        repeated_square(2, 2**40, drawn("m", 2048) | 1, checkpoint=pipe)


def test_a_stopped_call_goes_on(tmp_path):
    modulus, t, file = drawn("m", 2048) | 1, 200_000, tmp_path / "state"

    class StopError(Exception):
        pass

    seen = []

    def progress(done, total):
        assert total == t
        seen.append(done)
        if len(seen) in (1, 2):
            raise StopError

    for _ in range(2):
        with pytest.raises(StopError):
            repeated_square(3, t, modulus, checkpoint=file, progress=progress)
    result = repeated_square(3, t, modulus, checkpoint=str(file), progress=progress)
    assert seen == sorted(seen)
    assert seen[-1] == t
    assert result == repeated_square(3, t, modulus)
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    for x, steps, other in ((4, t, modulus), (3, t - 1, modulus), (3, t, modulus + 2)):
        with pytest.raises(pingala.FileError, match="not of") as caught:
            repeated_square(x, steps, other, checkpoint=file)
        assert caught.value.code == "bad_file"
    # A finished run is extended.
    assert repeated_square(3, t + 5, modulus, checkpoint=file) == pow(result, 2**5, modulus)
    damaged = bytearray(file.read_bytes())
    damaged[100] ^= 1
    file.write_bytes(damaged)
    with pytest.raises(pingala.FileError, match="SHA-256"):
        repeated_square(3, t, modulus, checkpoint=file)


def test_plans_are_explained_and_taken_back():
    p, q = 2**61 - 1, 2**89 - 1
    for modulus in (drawn("m", 700) | 1, drawn("m", 700) << 70, Modulus(p * q, {p: 1, q: 1})):
        line = pingala.explain_repeated_square(1000, modulus).plan
        assert repeated_square(5, 1000, modulus, plan=line, threads=2) == pow(5, 2**1000, int(modulus.__index__()))
    assert line.startswith("crt(")
    with pytest.raises(pingala.PlanError):
        repeated_square(5, 1000, p * q, plan=line)
    with pytest.raises(pingala.PlanError):
        pingala.explain_repeated_square(1000, p * q, kernel="nothing")
    with pytest.raises(pingala.ArgumentError):
        repeated_square(5, 1000, p * q, threads=0)


def test_refusals():
    for t in (-1, 2**64, 2**70):
        with pytest.raises(pingala.ArgumentError):
            repeated_square(2, t, 5)
        with pytest.raises(pingala.ArgumentError):
            pingala.explain_repeated_square(t, 5)
    with pytest.raises(TypeError):
        repeated_square(2, 1.5, 5)
    with pytest.raises(pingala.ZeroModulusError):
        repeated_square(2, 3, 0)
    for seconds in (-1.0, float("nan")):
        with pytest.raises(pingala.ArgumentError):
            repeated_square(2, 3, 5, checkpoint_seconds=seconds)
    with pytest.raises(pingala.FileError):
        repeated_square(2, 3000, 2**300 - 1, checkpoint="/no/such/folder/state")


def test_a_time_out_ends_squarings_and_the_checkpoint_keeps_them(tmp_path):
    modulus = 2**4423 - 1
    with pytest.raises(pingala.TimeLimitError):
        pingala.repeated_square(3, 2**60, modulus, timeout=0)
    state = tmp_path / "state"
    with pytest.raises(pingala.TimeLimitError):
        pingala.repeated_square(3, 2**60, modulus, timeout=0, checkpoint=state)
    assert state.exists()
    with pytest.warns(UserWarning, match="small order"), pytest.raises(pingala.TimeLimitError):
        pingala.repeated_square(3, 2**60, modulus, timeout=0, proof="wesolowski")
    assert pingala.repeated_square(3, 4, modulus, timeout=10**6) == 3**16
    with pytest.raises(pingala.ArgumentError):
        pingala.repeated_square(3, 4, modulus, timeout=-1)
