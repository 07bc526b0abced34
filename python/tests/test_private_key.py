"""Private keys of RSA: every form of a file, compared with Python's pow, and what is refused."""

import base64
import copy
import pickle
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import pingala
from pingala import load_private_key

# Last: the package is the installed one.
sys.path.append(str(Path(__file__).resolve().parents[1]))

import chaos.key
from chaos.key import number, tagged

SCRIPT = Path(sysconfig.get_path("scripts")) / "pingala"
P, Q, E = 2**521 - 1, 2**607 - 1, 65537
N, D = P * Q, pow(E, -1, (P - 1) * (Q - 1))
RSA = bytes.fromhex("06092a864886f70d0101010500")


def pkcs1(n=N, e=E, d=D, p=P, q=Q, version=0):
    return chaos.key.pkcs1(n, e, d, p, q, version)


def pkcs8(inner):
    return tagged(0x30, number(0) + tagged(0x30, RSA) + tagged(4, inner))


def pem(label, der):
    lines = base64.encodebytes(der).decode().replace("\n", "")
    body = "\n".join(lines[at : at + 64] for at in range(0, len(lines), 64))
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----\n"


FORMS = {
    "pkcs1": pkcs1(),
    "pkcs8": pkcs8(pkcs1()),
    "pkcs1 pem": pem("RSA PRIVATE KEY", pkcs1()).encode(),
    "pkcs8 pem": pem("PRIVATE KEY", pkcs8(pkcs1())).encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form(form):
    data = FORMS[form]
    for given in (data, bytearray(data), *([data.decode()] if "pem" in form else [])):
        ours = load_private_key(given)
        assert (ours.n, ours.e, ours.bits) == (N, E, N.bit_length())
    for base in (0, 1, 2, P, N - 1, N + 5, 0x1234):
        assert ours.pow(base) == ours.pow(base, blinding=False) == pow(base, D, N)
    bases = list(range(2, 12))
    assert ours.pow_list(bases) == ours.pow_list(iter(bases), threads=1) == [pow(base, D, N) for base in bases]
    secret = ours.pow(pingala.SecretInt(77))
    assert int.from_bytes(secret.reveal(), "big") == pow(77, D, N)
    assert ours.pow_list([]) == []
    assert repr(ours) == f"<RSAPrivateKey of {N.bit_length()} bits>"


def test_refusals():
    for data, why in (
        (pem("ENCRYPTED PRIVATE KEY", b"0"), "encrypted"),
        (pem("EC PRIVATE KEY", b"0"), "EC PRIVATE KEY"),
        (b"", "DER"),
        (b"0", "DER"),
        ("-----BEGIN PRIVATE KEY-----", "PEM"),
        (pkcs1(version=1), "two primes"),
        (pkcs1(d=D << 64), "d is longer than n"),
        (pkcs8(pkcs1())[:-1], "DER"),
    ):
        with pytest.raises(pingala.ArgumentError, match=why):
            load_private_key(data)
    for numbers in ({"n": N + 2}, {"p": P + 2}, {"q": P}):
        with pytest.raises(pingala.WrongFactorsError):
            load_private_key(pkcs1(**numbers)) if "q" not in numbers else load_private_key(wrong_q())
    for data in (5, None):
        with pytest.raises(TypeError):
            load_private_key(data)
    for numbers in ({"d": D + 2}, {"e": 19}):
        for data in (pkcs1(**numbers), pkcs8(pkcs1(**numbers))):
            with pytest.raises(pingala.ArgumentError, match="d is not the inverse of e"):
                load_private_key(data)
    with pytest.raises(TypeError):
        load_private_key(FORMS["pkcs1"]).pow_list(5)
    ours = load_private_key(FORMS["pkcs1"])
    for refused in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError):
            refused(ours)
    with pytest.raises(pingala.SecretError):
        ours.pow(-1)
    with pytest.raises(TypeError):
        ours.pow("1")


def wrong_q():
    return tagged(0x30, b"".join(map(number, (0, N, E, D, P, P, 1, 1, 1))))


def test_the_command(tmp_path):
    path = tmp_path / "key"

    def ran(*arguments):
        command = [str(SCRIPT), "pow", "--private-key-file", str(path), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    for data in FORMS.values():
        path.write_bytes(data)
        done = ran("-q", "0x1234")
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{pow(0x1234, D, N):#x}\n", "")
    done = ran("77")
    assert done.stdout == f"{pow(77, D, N)}\n"
    assert f"private key of {N.bit_length()} bits" in done.stderr
    for arguments, status in ((("77", "5"), 2), (("--", "-5"), 1), (("--kernel", "portable_r64", "5"), 2)):
        done = ran(*arguments)
        assert (done.returncode, done.stdout) == (status, "")
    for data, why in (
        (b"7", "not a private key"),
        (pkcs1(d=D + 2), "d is not the inverse of e"),
        (wrong_q(), "factor"),
    ):
        path.write_bytes(data)
        assert str(path) in ran("77").stderr
        assert why in ran("77").stderr


def test_numbers_that_are_no_key():
    """Factors that are composite, and a public exponent without an inverse: a check by it would prove nothing."""
    assert P % 3 == Q % 3 == 1
    for e, p, q, why in (
        (3, P, Q, "shares a divisor"),
        (E, P, (2**127 - 1) ** 2, "not prime"),
        (E, (2**127 - 1) * (2**107 - 1), Q, "not prime"),
    ):
        with pytest.raises(pingala.PingalaError, match=why):
            load_private_key(pkcs1(n=p * q, e=e, d=5, p=p, q=q))


def test_what_stands_around_a_key():
    key = pem("PRIVATE KEY", pkcs8(pkcs1()))
    for text in (key + "\n", key + key, "\ufeff" + key, "subject: \u00e9\n" + key, key.replace("\n", "\r\n") + "\r\n"):
        assert load_private_key(text).n == load_private_key(text.encode()).n == N


def test_keys_are_not_compared():
    key = load_private_key(pkcs1())
    with pytest.raises(TypeError, match=r"an RSAPrivateKey is not compared: compare .n and .e"):
        key == load_private_key(pkcs1())  # noqa: B015
    with pytest.raises(TypeError, match="unhashable"):
        hash(key)
