"""Pickles: what can be pickled comes back equal, what holds a secret cannot, and what contradicts itself is refused."""

import copy
import pickle

import pyarrow as pa
import pytest

import pingala
from pingala import DSAPublicKey, FixedExponent, RSAPublicKey

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
N = 2**1024 - 105


def again(thing):
    copies = [pickle.loads(pickle.dumps(thing, protocol)) for protocol in PROTOCOLS]
    copies += [copy.copy(thing), copy.deepcopy(thing)]
    assert all(type(one) is type(thing) for one in copies)
    return copies


def columns():
    words = pa.array([2, 3, None, 2**63], pa.uint64())
    wide = pa.array([b"\1" * 20, None, b"\3"])
    key = RSAPublicKey(N, 65537)
    signatures = pa.array([b"1", None, b"\2" * 128] * 5)
    return {
        "words": pingala.powmod_column(words, 3, 2**64 - 59),
        "empty": pingala.powmod_column(words.slice(0, 0), 3, 1009),
        "fixed": pingala.powmod_column(wide, 3, 2**255 - 19),
        "little": pingala.powmod_column(wide, 3, 2**255 - 19, byteorder="little"),
        "errors": pingala.powmod_column(words, 3, pa.array([5, 0, 7, 0]), errors="null"),
        "codes": pingala.powmod_column(words, 3, pa.array([5, 0, 7, 0]), errors="column"),
        "variable": pingala._pingala._powmod_batch(wide, 1, pa.array([b"\7" * 20, b"\5", b"\5" * 3])),
        "no rows": pingala._pingala._powmod_batch(wide.slice(0, 0), 1, 7),
        "verdicts": pingala.verify_column(key, signatures, pa.array([b"m"] * 15), scheme="rsa-pkcs1", errors="column"),
    }


@pytest.mark.parametrize("name", columns())
def test_columns(name):
    column = columns()[name]
    for other in again(column):
        assert other.to_pylist() == column.to_pylist()
        assert other.error_codes == column.error_codes
        assert (other.width, other.null_count, len(other)) == (column.width, column.null_count, len(column))
        assert repr(other) == repr(column)
        assert pa.array(other).equals(pa.array(column))
        if name in ("words", "fixed", "little", "empty"):
            assert bytes(memoryview(other)) == bytes(memoryview(column))


def test_columns_that_contradict_themselves():
    function, (version, parameters) = columns()["variable"].__reduce__()
    shape, values, offsets, valid, failed = parameters
    assert function(version, parameters).to_pylist() == columns()["variable"].to_pylist()
    for bad in (
        (("words", *shape[1:]), values, offsets, valid, failed),
        (("fixed", *shape[1:]), values, offsets, valid, failed),
        (("fixed", 3, 7, False, False), values, offsets, valid, failed),
        (("fixed", 2**62, 2**10, False, False), values, offsets, valid, failed),
        (("none", *shape[1:]), values, offsets, valid, failed),
        (("variable", 4, *shape[2:]), values, offsets, valid, failed),
        (("variable", 2**63, *shape[2:]), values, offsets, valid, failed),
        (shape, values[:-1], offsets, valid, failed),
        (shape, values, [0, 30, 20, len(values)], valid, failed),
        (shape, values, [-1, 20, 20, len(values)], valid, failed),
        (shape, values, [0, 20, 20, 2**40], valid, failed),
        (shape, values, offsets, b"", failed),
        (shape, values, offsets, valid, [(3, "fault")]),
        (shape, values, offsets, valid, [(1, "fault"), (1, "fault")]),
    ):
        with pytest.raises(pingala.ArgumentError, match="contradicts itself"):
            function(version, bad)


def test_fixed_exponents():
    for exponent in (1, 2, 283, 2**255 - 21):
        fixed = FixedExponent(exponent, moves=2000)
        for other in again(fixed):
            assert (other.exponent, other.steps, repr(other)) == (fixed.exponent, fixed.steps, repr(fixed))
            assert other.pow(3, 2**255 - 19) == pow(3, exponent, 2**255 - 19)
    function, (version, (chain,)) = fixed.__reduce__()
    for bad in (chain.replace("0x7f", "0x6f"), "", "{}"):
        with pytest.raises(pingala.ArgumentError):
            function(version, (bad,))


def test_public_keys():
    p, q = 2**61 - 1, 2**31 - 1
    keys = [RSAPublicKey(N, 65537), DSAPublicKey(p, q, 3, 5)]
    ssh = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ" + "D" * 43
    for key in keys:
        for other in again(key):
            assert other == key
            assert hash(other) == hash(key)
            assert {key: 1}[other] == 1
    with pytest.raises(pingala.PingalaError):
        pingala.load_public_key(ssh)


PEM = """-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCYwRIOSOcTDu2xMbrYaAPlBLiC
WRMaG37Em68XCW4qU0aNFQMiBbZRIxI0OOWoLsF2raYz2z+kVnAJGaEo8GjctZ3N
hCgrPOcqnMNpSCQRFQBHXgm8zZ7AXswLl4XUM75+JlS/FJU96ey0maGJEqtsF0Sy
4GFBVqJScb7G+Vk2aQIDAQAB
-----END PUBLIC KEY-----
"""


def test_loaded_keys_are_loaded_again():
    """The pickle holds everything that the file says of the key, not only its numbers."""
    for content in (PEM, PEM.encode(), bytearray(PEM.encode())):
        key = pingala.load_public_key(content)
        function, (version, parameters) = key.__reduce__()
        assert (version, parameters) == (1, (PEM.encode(),))
        for other in again(key):
            assert other == key
            assert other.__reduce__() == key.__reduce__()
            assert other == RSAPublicKey(key.n, key.e)
    with pytest.raises(pingala.ArgumentError):
        function(1, (PEM.encode()[:-60],))


def test_verdicts():
    key = RSAPublicKey(N, 65537)
    answers = pingala.verify_list(key, [b"1", bytes(128)], [b"m", b"m"], scheme="rsa-pkcs1", hash="sha1")
    for other in again(answers):
        assert other == answers == [False, False]
        assert [verdict.message for verdict in other.details] == [verdict.message for verdict in answers.details]
    verdicts = [*answers.details, *pingala.verify_list(key, [b"1"], [b"m"], errors="return").details]
    assert len({verdict.reason for verdict in verdicts}) > 1
    for verdict in verdicts:
        for other in again(verdict):
            assert other == verdict
            assert hash(other) == hash(verdict)
            assert (other.reason, other.message, other.weaknesses) == (
                verdict.reason,
                verdict.message,
                verdict.weaknesses,
            )
            assert bool(other) is bool(verdict)


def test_versions_are_checked():
    things = [columns()["words"], FixedExponent(3, moves=10), RSAPublicKey(N, 3), DSAPublicKey(2**61 - 1, 7, 3, 5)]
    answers = pingala.verify_list(things[2], [b"1"], [b"m"], scheme="rsa-pkcs1")
    things += [answers, answers.details[0], pingala.load_public_key(PEM)]
    for thing in things:
        function, (version, parameters) = thing.__reduce__()
        assert version == 1
        with pytest.raises(ValueError, match="version 9"):
            function(9, parameters)


def test_classes_of_errors_are_named_as_they_are_imported():
    for error in vars(pingala).values():
        if isinstance(error, type) and issubclass(error, Exception):
            assert error.__module__ == "pingala"
            raised = error("why")
            assert type(pickle.loads(pickle.dumps(raised))) is error
            assert pickle.dumps(raised).count(b"_errors") == 0
