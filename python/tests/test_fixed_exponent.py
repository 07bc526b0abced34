"""The class FixedExponent."""

import os

import pytest

import pingala
from drawing import drawn
from pingala import FixedExponent, Modulus, SecretInt

P = 2**255 - 19
BASES = [0, 1, 2, -3, P - 1, drawn("b", 255), drawn("c", 700)]


@pytest.fixture(scope="module")
def inverse():
    return FixedExponent("2^255-21", moves=20_000)


def test_the_chain_leads_to_the_exponent(inverse):
    places = [1]
    for i, j in inverse.steps:
        places.append(places[i] + places[j])
    assert places[-1] == inverse.exponent == P - 2
    assert len(inverse) == len(inverse.steps) <= 266
    assert "255 bits" in repr(inverse)
    assert FixedExponent(P - 2, moves=20_000).steps == inverse.steps


@pytest.mark.parametrize("modulus", [P, Modulus(P), P + 4, 1 << 300, 1, 15])
def test_powers_are_those_of_pow(inverse, modulus):
    value = modulus.value if isinstance(modulus, Modulus) else modulus
    wanted = [pow(base, P - 2, value) for base in BASES]
    assert [inverse.pow(base, modulus) for base in BASES] == wanted
    assert inverse.pow_list(BASES, modulus) == wanted
    assert [inverse.pow_sec(base, modulus) for base in BASES] == wanted
    secret = [inverse.pow_sec(SecretInt(base), modulus) for base in BASES if base >= 0]
    assert {power.bits for power in secret} == {value.bit_length()}
    assert [int.from_bytes(power.reveal(), "big") for power in secret] == [
        power for base, power in zip(BASES, wanted, strict=True) if base >= 0
    ]
    assert inverse.explain(modulus)


def test_files(inverse, tmp_path):
    path = tmp_path / "chain.json"
    inverse.save(path)
    assert FixedExponent.load(path).steps == inverse.steps
    path.write_text(path.read_text().replace("0x7f", "0x6f"))
    with pytest.raises(pingala.FileError):
        FixedExponent.load(path)
    with pytest.raises(pingala.FileError):
        FixedExponent.load(tmp_path / "none")


def test_only_ordinary_files_of_a_chain_are_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, "/dev/zero"):
        with pytest.raises(pingala.FileError, match="ordinary"):
            FixedExponent.load(path)
    long = tmp_path / "long"
    with long.open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(pingala.FileError, match="longer than"):
        FixedExponent.load(long)
    link = tmp_path / "link"
    link.symlink_to("/dev/zero")
    with pytest.raises(pingala.FileError, match="ordinary"):
        FixedExponent.load(link)


def test_bad_arguments(inverse):
    for bad in (0, -1, "2^", "", "1/2"):
        with pytest.raises(pingala.ArgumentError):
            FixedExponent(bad)
    with pytest.raises(TypeError):
        FixedExponent(1.5)
    with pytest.raises(pingala.ZeroModulusError):
        inverse.pow(2, 0)
    with pytest.raises(pingala.NegativeModulusError):
        inverse.pow(2, -5)
    with pytest.raises(TypeError):
        inverse.pow_list([1, "2"], P)
    for power in (inverse.pow, inverse.pow_sec):
        with pytest.raises(TypeError):
            power("2", P)
    with pytest.raises(pingala.ZeroModulusError):
        inverse.pow_sec(SecretInt(2), 0)
    with pytest.raises(TypeError):
        inverse.pow(SecretInt(2), P)
