"""A key of PSS that demands SHA-384: where no hash function is named, it says which."""

import base64
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pingala

MESSAGE = b"Pingala\n"
# By OpenSSL: SHA-384 for the message and the mask, salts of 16 bytes or more.
KEY = b"""-----BEGIN PUBLIC KEY-----
MIHTMEEGCSqGSIb3DQEBCjA0oA8wDQYJYIZIAWUDBAICBQChHDAaBgkqhkiG9w0B
AQgwDQYJYIZIAWUDBAICBQCiAwIBEAOBjQAwgYkCgYEA0ib8RrU/l27OMhaSV7/c
WNiz2jd1/tKP22RexYNiubzDL36QoB4dyXtp+d4k1tN21ix/6vR5Q5Bz4TlnqUb2
6s8KJt8VR7xOfFTLKghtNNP/WxXc1kriu6JAgKNfoG+MR9w/o1BYz8ajZnpvXhId
f6Wo4FNs/vs2zed99VBf7SsCAwEAAQ==
-----END PUBLIC KEY-----
"""
SIGNATURE = base64.b64decode(
    "h2C+2fRv+sUjveu2qqHPGBvR2QqKUU17/ZTKSn8FUW6NN/VvCyiWBp1dB9nDA7BNlCy3U/2bRAaT6f6EUTGarleLO0cKEGrYay2b"
    "sHww64xPf8SIW5ircLnNm9udLX0Cj+6kRBReatJ9tYHeZXi/54xJEjoNlhy/FNAT30szIsw="
)

REASONS = [({}, None), ({"hash": "sha384"}, None), ({"hash": "sha256"}, "policy"), ({"mgf_hash": "sha1"}, "policy")]


@pytest.mark.parametrize(("named", "reason"), REASONS)
@pytest.mark.parametrize("pickled", [False, True])
def test_lists_and_columns(named: dict[str, str], reason: str | None, pickled: bool) -> None:
    key = pingala.load_public_key(KEY)
    if pickled:
        key = pickle.loads(pickle.dumps(key))
    given = (key, [SIGNATURE], [MESSAGE])
    assert pingala.verify_list(*given, scheme="rsa-pss", **named).details[0].reason == reason
    assert pingala.verify_column(*given, scheme="rsa-pss", errors="column", **named).to_pylist() == [reason is None]
    assert pingala.verify_list(*given, scheme="rsa-pkcs1", **named).details[0].reason == "policy"
    # What the key refuses needs no arithmetic.
    explained = pingala.explain_verify_list(*given, scheme="rsa-pss", **named)
    assert ("rsa 1024: 1" if reason is None else "1 without arithmetic") in explained


def test_a_key_that_says_nothing_means_sha256() -> None:
    key = pingala.load_public_key(KEY)
    plain = pingala.RSAPublicKey(key.n, key.e)
    assert pingala.verify_list(plain, [SIGNATURE], [MESSAGE], scheme="rsa-pss").details[0].reason == "mismatch"
    assert pingala.verify_list(plain, [SIGNATURE], [MESSAGE], scheme="rsa-pss", hash="sha384")[0]
    with pytest.raises(pingala.ArgumentError, match='give scheme="dsa"'):
        pingala.verify_list(pingala.DSAPublicKey(23, 11, 2, 8), [b"\0"], [MESSAGE], scheme="rsa-pss")


@pytest.mark.parametrize(("named", "reason"), REASONS)
def test_the_command(tmp_path: Path, named: dict[str, str], reason: str | None) -> None:
    key, rows, out = tmp_path / "key.pem", tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    key.write_bytes(KEY)
    row = {"signature": SIGNATURE.hex(), "message": MESSAGE.decode()}
    rows.write_text(json.dumps(row) + "\n" + json.dumps(row | {"hash": "sha384"}) + "\n")
    options = [word for name, value in named.items() for word in (f"--{name.replace('_', '-')}", value)]
    command = [
        sys.executable,
        "-m",
        "pingala",
        "verify",
        rows,
        "--key",
        key,
        "--scheme",
        "rsa-pss",
        "-o",
        out,
        *options,
    ]
    subprocess.run(command, check=False, capture_output=True)
    first, second = map(json.loads, out.read_text().splitlines())
    assert first.get("reason") == reason
    assert second.get("reason") == ("policy" if "mgf_hash" in named else None)


@pytest.mark.parametrize(("named", "reason"), REASONS)
def test_jobs(tmp_path: Path, named: dict[str, str], reason: str | None) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out"
    pq.write_table(pa.table({"s": pa.array([SIGNATURE]), "m": pa.array([MESSAGE])}), source)
    settings = {"workload": "verify", "signature": "s", "message": "m", "key": KEY, "scheme": "rsa-pss"}
    pingala.Job.plan(source, out, **settings, **named).run()
    found = pq.read_table(next(out.glob("*.parquet"))).to_pylist()
    assert [row["result"] for row in found] == [reason is None]


def test_what_the_help_says() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "pingala", "verify", "--help"], capture_output=True, text=True, check=True
    )
    text = " ".join(told.stdout.split())
    assert "modern (as strict, and nothing weak)" in text
    assert "rsa-pss that of the key" in text
    assert "mask of PSS (default: that of the key, or of the message)" in text
