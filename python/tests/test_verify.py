"""Signatures: public vectors, signatures of real clients, bad input."""

import base64
import hashlib
import importlib.resources
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pingala
from waiting import wait_until

DATA = Path(__file__).resolve().parents[2] / "crates/pingala-verify/tests/data"


def rfc6979() -> Iterator[tuple[pingala.DSAPublicKey, str, bytes, tuple[int, int]]]:
    key = None
    for line in (DATA / "rfc6979.txt").read_text().splitlines():
        match line.split():
            case ["key", *numbers]:
                key = pingala.DSAPublicKey(*(int(number, 16) for number in numbers))
            case [name, message, r, s] if key is not None:
                yield key, name, message.encode(), (int(r, 16), int(s, 16))


def test_rfc_6979() -> None:
    cases = list(rfc6979())
    assert len(cases) == 20
    for key, name, message, signature in cases:
        digest = hashlib.new(name, message).digest()
        assert all(pingala.verify_list(key, [signature], [message], hash=name))
        assert all(pingala.verify_list([key], [signature], digests=[digest], hash=name))
        width = (key.q.bit_length() + 7) // 8
        raw = b"".join(number.to_bytes(width, "big") for number in signature)
        [good, bad] = pingala.verify_list(key, [raw, raw], [message, b"other"], hash=name, encoding="p1363").details
        assert (good.valid, good.reason, bool(good)) == (True, None, True)
        assert (bad.valid, bad.reason, bool(bad)) == (False, "mismatch", False)
        assert "message" in bad.message
        assert ("sha1" in good.weaknesses) == (name == "sha1")
    assert {key.bits for key, *_ in cases} == {1024, 2048}
    assert cases[0][0].validate("primes") == ()


def test_a_key_of_a_file() -> None:
    key = pingala.load_public_key((DATA / "rsa.pem").read_text())
    assert isinstance(key, pingala.RSAPublicKey)
    assert (key.bits, key.e, repr(key)) == (2048, 65537, "<RSAPublicKey of 2048 bits>")
    assert key == pingala.RSAPublicKey(key.n, key.e) == pingala.load_public_key((DATA / "rsa.pem").read_bytes())
    assert key != pingala.RSAPublicKey(key.n, 3)
    assert key.weaknesses() == ()
    assert key.weaknesses("sha1") == ("sha1",)
    assert key.validate("primes") == ()
    signature, message = (DATA / "rsa.sig").read_bytes(), (DATA / "message").read_bytes()
    given: list[Any] = [signature, bytearray(signature), memoryview(signature), int.from_bytes(signature, "big")]
    assert all(pingala.verify_list(key, given, [message] * 4, scheme="rsa-pkcs1", policy="strict"))
    text = pingala.explain_verify_list(key, given, [message] * 4, scheme="rsa-pkcs1")
    assert "rsa 2048: 4" in text


def test_errors() -> None:
    key, name, message, signature = next(rfc6979())
    call: Callable[..., pingala.Answers[pingala.Verdict]] = pingala.verify_list
    with pytest.raises(pingala.ArgumentError, match="2 signatures, 1 messages"):
        call(key, [signature] * 2, [message])
    with pytest.raises(pingala.ArgumentError, match="1 signatures, 1 messages, 2 keys"):
        call([key, key], [signature], [message])
    with pytest.raises(pingala.ArgumentError, match="a digest of 3 bytes; sha1 has 20") as caught:
        call(key, [signature] * 2, digests=[b"x" * 20, b"abc"], hash=name)
    assert caught.value.index == 1
    [fine, bad] = call(key, [signature] * 2, digests=[b"x" * 20, b"abc"], hash=name, errors="return").details
    assert (fine.reason, bad.reason, bool(bad)) == ("mismatch", "bad_argument", False)
    for settings, why in [
        ({"hash": "md5"}, "no hash function `md5`"),
        ({"scheme": "ecdsa"}, "scheme must be"),
        ({"encoding": "pem"}, "no encoding `pem`"),
        ({"policy": "none"}, "no policy `none`"),
        ({"errors": "ignore"}, "errors must be"),
        ({"threads": 0}, "threads must be at least 1"),
    ]:
        with pytest.raises(pingala.ArgumentError, match=why):
            call(key, [signature], [message], **settings)
    for arguments in [
        ("key", [signature], [message]),
        (key, [1.5], [message]),
        (key, ["00"], [message]),
        (key, [(1, 2, 3)], [message]),
        (key, [signature], message),
        (key, b"00", [message]),
        (key, [signature], ["text"]),
        (key, [signature]),
    ]:
        with pytest.raises(TypeError):
            call(*arguments)
    with pytest.raises(TypeError):
        call(key, [signature], [message], digests=[message])
    p, q, g, y = key.p, key.q, key.g, key.y
    for numbers in [(p + 1, q, g, y), (p, q, 1, y), (p, q, g, 1), (p, p, g, y), (-p, q, g, y)]:
        with pytest.raises(pingala.ArgumentError):
            pingala.DSAPublicKey(*numbers)
    with pytest.raises(pingala.TooLongError):
        pingala.RSAPublicKey(2**16400 + 1, 3)
    with pytest.raises(pingala.ArgumentError, match="not a public key"):
        pingala.load_public_key(b"nothing")
    assert pingala.DSAPublicKey(p, q, g, 3).validate() == ("public_value_not_in_subgroup",)
    # r and s in 1..q.
    signatures: list[tuple[int, int]] = [(0, 1), (1, 0), (q, 1), (1, q), (2**5000, 1)]
    assert {verdict.reason for verdict in call(key, signatures, [message] * 5).details} == {"out_of_range"}


# --- the vectors of NIST's CAVP, as the package cryptography_vectors has them -----------------------------------------


def vectors(path: str) -> str:
    package = pytest.importorskip("cryptography_vectors", reason="no cryptography_vectors")
    return (importlib.resources.files(package) / "asymmetric" / path).read_text()


def sections(text: str, fields: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The header of a section and the fields of a case, those before it included, up to the one that ends a case."""
    header, known = "", {}
    for line in text.splitlines():
        if found := re.match(r"\[(mod = .*|[ALS].*)\]", line):
            header = found[1] if found[1].startswith(("mod", "A")) else header
            known["section"] = found[1]
        elif found := re.match(r"(\w+) = (\S+)", line):
            known[found[1]] = found[2]
            if found[1] == fields:
                yield header, dict(known)


@pytest.mark.parametrize("folder", ["FIPS_186-2", "FIPS_186-3"])
def test_cavp_dsa(folder: str) -> None:
    keys, signatures, messages, hashes, expected = [], [], [], [], []
    for header, case in sections(vectors(f"DSA/{folder}/SigVer.rsp"), "Result"):
        name = "sha1" if "SHA" not in header else "sha" + re.findall(r"SHA-?(\d+)", header)[0]
        keys.append(pingala.DSAPublicKey(*(int(case[letter], 16) for letter in "PQGY")))
        signatures.append((int(case["R"], 16), int(case["S"], 16)))
        messages.append(bytes.fromhex(case["Msg"]))
        hashes.append(name)
        expected.append(case["Result"].startswith("P"))
    assert len(expected) >= 15
    for name in set(hashes):
        rows = [row for row, other in enumerate(hashes) if other == name]
        verdicts = pingala.verify_list(
            [keys[row] for row in rows], [signatures[row] for row in rows], [messages[row] for row in rows], hash=name
        )
        assert [bool(verdict) for verdict in verdicts] == [expected[row] for row in rows]
    assert 0 < sum(expected) < len(expected)


@pytest.mark.parametrize(
    ("file", "scheme"),
    [("SigVer15_186-3.rsp", "rsa-pkcs1"), ("SigVerPSS_186-3.rsp", "rsa-pss")],
)
def test_cavp_rsa(file: str, scheme: Any) -> None:
    count = [0, 0]
    for _, case in sections(vectors(f"RSA/FIPS_186-2/{file}"), "Result"):
        if not {"n", "e", "SHAAlg", "Msg", "S"} <= case.keys():
            continue
        name = case["SHAAlg"].lower()
        n, signature = int(case["n"], 16), bytes.fromhex(case["S"])
        # Numbers without their leading zeros, as the file has them.
        signature = signature.rjust((n.bit_length() + 7) // 8, b"\0")
        key = pingala.RSAPublicKey(n, int(case["e"], 16))
        [verdict] = pingala.verify_list(key, [signature], [bytes.fromhex(case["Msg"])], scheme=scheme, hash=name)
        assert bool(verdict) == case["Result"].startswith("P"), case
        count[bool(verdict)] += 1
    assert min(count) > 5, count


def test_a_nilpotent_generator_is_a_defect() -> None:
    package = pytest.importorskip("cryptography_vectors", reason="no cryptography_vectors")
    pem = (importlib.resources.files(package) / "asymmetric/DSA/custom/nilpotent.pem").read_bytes()
    try:
        key = pingala.load_public_key(pem)
    except pingala.ArgumentError:
        return
    assert key.validate()


# --- signatures of clients that are installed -------------------------------------------------------------------------


def run(*command: str | Path, **options: Any) -> bytes:
    return bytes(subprocess.run(command, check=True, capture_output=True, **options).stdout)


def client(name: str) -> None:
    if not shutil.which(name):
        pytest.skip(f"no {name}")


@pytest.mark.parametrize("bits", [512, 1000, 1024, 1536, 2048, 4096])
def test_openssl_rsa(tmp_path: Path, bits: int) -> None:
    client("openssl")
    key, public, message = tmp_path / "key.pem", tmp_path / "public.pem", tmp_path / "message"
    message.write_bytes(b"a message" * bits)
    run("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", key)
    run("openssl", "pkey", "-in", key, "-pubout", "-out", public)
    loaded = pingala.load_public_key(public.read_bytes())
    assert loaded == pingala.load_public_key(run("openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"))
    assert loaded == pingala.load_public_key(run("openssl", "rsa", "-in", key, "-RSAPublicKey_out"))
    certificate = run("openssl", "req", "-new", "-x509", "-key", key, "-subj", "/CN=test", "-days", "1")
    assert loaded == pingala.load_public_key(certificate)
    for name in ["sha1", "sha256", "sha3-256"]:
        signature = run("openssl", "dgst", f"-{name}", "-sign", key, message)
        pss = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:20"]
        padded = run("openssl", "dgst", f"-{name}", *pss, "-sign", key, message) if bits > 512 else b""
        for scheme, salt, made in [
            ("rsa-pkcs1", "any", signature),
            ("rsa-pss", "any", padded),
            ("rsa-pss", 20, padded),
        ]:
            if made:
                settings: dict[str, Any] = {"scheme": scheme, "salt": salt, "hash": name.replace("-", "_")}
                [good, bad] = pingala.verify_list(loaded, [made] * 2, [message.read_bytes(), b""], **settings).details
                assert (good.reason, bad.reason) == (None, "mismatch")
        if padded:
            [other] = pingala.verify_list(
                loaded, [padded], [message.read_bytes()], scheme="rsa-pss", salt=21, hash=name.replace("-", "_")
            ).details
            assert other.reason == "mismatch"


# OpenSSL 3 makes no keys of fewer bits.
@pytest.mark.parametrize(("bits", "q_bits"), [(1024, 160), (1536, 160), (2048, 224), (2048, 256)])
def test_openssl_dsa(tmp_path: Path, bits: int, q_bits: int) -> None:
    client("openssl")
    parameters, key, message = tmp_path / "parameters", tmp_path / "key.pem", tmp_path / "message"
    message.write_bytes(b"a message")
    settings = ["-pkeyopt", f"dsa_paramgen_bits:{bits}", "-pkeyopt", f"dsa_paramgen_q_bits:{q_bits}"]
    if (bits, q_bits) not in {(1024, 160), (2048, 224), (2048, 256)}:
        settings += ["-pkeyopt", "type:fips186_2"]
    made = ["openssl", "genpkey", "-genparam", "-algorithm", "DSA", *settings, "-out", parameters]
    if subprocess.run(made, capture_output=True).returncode:
        pytest.skip(f"openssl makes no DSA of {bits} bits")
    loaded, signatures = [], []
    for _ in range(3):
        run("openssl", "genpkey", "-paramfile", parameters, "-out", key)
        loaded.append(pingala.load_public_key(run("openssl", "pkey", "-in", key, "-pubout")))
        signatures.append(run("openssl", "dgst", "-sha256", "-sign", key, message))
    assert {(key.bits, key.q.bit_length()) for key in loaded} == {(bits, q_bits)}
    verdicts = pingala.verify_list(loaded, signatures, [message.read_bytes()] * 3)
    assert all(verdicts)
    assert all(("odd_sizes" in verdict.weaknesses) == (len(settings) > 4) for verdict in verdicts.details)
    assert not any(pingala.verify_list(loaded[::-1][1:] + loaded[:1], signatures, [b"x"] * 3))


class Packets:
    """A reader of what OpenSSH and GnuPG write."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        assert len(taken) == count
        return taken

    def number(self, width: int) -> int:
        return int.from_bytes(self.take(width), "big")

    def string(self) -> bytes:
        return self.take(self.number(4))

    def mpi(self) -> int:
        return self.number((self.number(2) + 7) // 8)

    def packet(self) -> tuple[int, bytes]:
        """Tag and body of a packet of OpenPGP, with lengths as GnuPG writes them."""
        first = self.number(1)
        if first & 0x40:
            length = self.number(1)
            return first & 0x3F, self.take(length if length < 192 else (length - 192 << 8) + self.number(1) + 192)
        return first >> 2 & 0xF, self.take(self.number(1 << (first & 3)))


@pytest.mark.parametrize(("kind", "bits"), [("rsa", 2048), ("dsa", 1024)])
def test_openssh(tmp_path: Path, kind: str, bits: int) -> None:
    client("ssh-keygen")
    key, message = tmp_path / kind, tmp_path / "message"
    if subprocess.run(
        ["ssh-keygen", "-q", "-t", kind, "-b", str(bits), "-N", "", "-f", key], capture_output=True
    ).returncode:
        pytest.skip(f"ssh-keygen makes no key of {kind}")
    loaded = pingala.load_public_key(key.with_suffix(".pub").read_bytes())
    pem = run("ssh-keygen", "-e", "-m", "PKCS8", "-f", key.with_suffix(".pub"))
    assert loaded == pingala.load_public_key(pem)
    message.write_bytes(b"a message")
    run("ssh-keygen", "-Y", "sign", "-f", key, "-n", "test", message)
    lines = message.with_suffix(".sig").read_text().splitlines()
    packets = Packets(base64.b64decode("".join(lines[1:-1])))
    assert packets.take(10) == b"SSHSIG\0\0\0\1"
    packets.string()
    space, reserved, name, signature = (packets.string() for _ in range(4))
    digest = hashlib.new(name.decode(), b"a message").digest()
    signed = b"SSHSIG" + b"".join(len(part).to_bytes(4, "big") + part for part in (space, reserved, name, digest))
    scheme, digests = ("dsa", "sha1") if kind == "dsa" else ("rsa-pkcs1", "sha512")
    settings: Any = {"scheme": scheme, "hash": digests, "encoding": "ssh"}
    [good, bad] = pingala.verify_list(loaded, [signature] * 2, [signed, b"another"], **settings).details
    assert (good.reason, bad.reason) == (None, "mismatch")


@pytest.mark.parametrize("kind", ["rsa2048", "dsa2048", "dsa1024"])
def test_gnupg(tmp_path: Path, kind: str) -> None:
    client("gpg")
    message = tmp_path / "message"
    message.write_bytes(b"a message")
    # A short path: the agent listens on a socket in the folder.
    with tempfile.TemporaryDirectory(prefix="gpg") as home:
        gpg = [
            "gpg",
            "--homedir",
            home,
            "--batch",
            "--quiet",
            "--no-tty",
            "--pinentry-mode",
            "loopback",
            "--passphrase",
            "",
        ]
        make = [*gpg, "--quick-generate-key", "test", kind, "sign", "never"]
        try:
            if subprocess.run(make, capture_output=True).returncode:
                pytest.skip(f"gpg makes no key of {kind}")
            public = run(*gpg, "--export", "test")
            signed = run(*gpg, "--digest-algo", "SHA256", "--output", "-", "--detach-sign", message)
        finally:
            subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], capture_output=True)
    tag, body = Packets(public).packet()
    assert (tag, body[0]) == (6, 4)
    numbers = Packets(body[6:])
    key = (
        pingala.RSAPublicKey(numbers.mpi(), numbers.mpi())
        if kind.startswith("rsa")
        else pingala.DSAPublicKey(*(numbers.mpi() for _ in range(4)))
    )
    assert key.validate("subgroup") == ()
    tag, body = Packets(signed).packet()
    assert (tag, body[0], body[3]) == (2, 4, 8)
    packets = Packets(body[4:])
    hashed = body[:4] + body[4:6] + packets.take(packets.number(2))
    packets.take(packets.number(2))
    packets.take(2)
    trailer = b"\x04\xff" + len(hashed).to_bytes(4, "big")
    scheme: Any = "rsa-pkcs1" if kind.startswith("rsa") else "dsa"
    content = b"a message" + hashed + trailer
    [good, bad] = pingala.verify_list(
        key, [packets.data] * 2, [content, content + b"x"], scheme=scheme, hash="sha256", encoding="openpgp"
    ).details
    assert (good.reason, bad.reason) == (None, "mismatch")


def test_what_is_no_key_is_named(tmp_path):
    for path in (
        "key.pem",
        "some/rsa.pub",
        "/etc/ssl/key",
        "~/.ssh/id_rsa",
        "C:\\\\keys\\\\rsa",
        b"key.pem",
        "id_rsa\n",
    ):
        for load in (pingala.load_public_key, pingala.load_private_key):
            with pytest.raises(pingala.ArgumentError, match="looks like the path of a file: give the file's content"):
                load(path)
    for load in (pingala.load_public_key, pingala.load_private_key):
        with pytest.raises(TypeError, match=r"content of a file as bytes.*read_bytes.*not PosixPath"):
            load(tmp_path / "key.pem")
        with pytest.raises(TypeError, match="content of a file as bytes"):
            load(5)
        for other in ("MFwwDQYJKoZI", b"\x30\x82", "ssh-rsa AAAA me@host.example", "", "two words\nof text."):
            with pytest.raises(pingala.ArgumentError) as caught:
                load(other)
            assert "looks like the path" not in str(caught.value), other
    for content in (b"-----BEGIN", "-----BEGIN", bytearray(b"-----BEGIN")):
        with pytest.raises(
            TypeError, match=r"load_public_key makes of the content of a file.*not (bytes|str|bytearray)"
        ):
            pingala.verify_list(content, [b"1"], [b"m"])


def test_a_key_of_another_scheme_is_told_which_it_has():
    rsa, dsa = pingala.RSAPublicKey(2**1024 - 105, 3), pingala.DSAPublicKey(2**61 - 1, 7, 3, 5)
    with pytest.raises(
        pingala.ArgumentError, match=r'element 0: .*a key of rsa.*scheme="rsa-pkcs1" or scheme="rsa-pss"'
    ):
        pingala.verify_list(rsa, [b"1"], [b"m"])
    with pytest.raises(pingala.ArgumentError, match=r'a key of dsa.*scheme="dsa"'):
        pingala.verify_list(dsa, [b"1"], [b"m"], scheme="rsa-pss")
    (verdict,) = pingala.verify_list([rsa], [b"1"], [b"m"], errors="return").details
    assert verdict.reason == "bad_argument"
    assert 'scheme="rsa-pkcs1"' in verdict.message


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers that send signals")
def test_a_list_that_is_left_behind_gives_back_its_messages() -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    def is_left_behind(message: bytes) -> bool:
        """Whether a thread has the message when a signal has ended the call: hashing may take longer than it waits."""
        held = sys.getrefcount(message)
        before = signal.signal(signal.SIGALRM, interrupted)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            pingala.verify_list(pingala.DSAPublicKey(2**61 - 1, 7, 3, 5), [b"1"], [message], hash="sha3_512")
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGALRM, before)
        has_it = sys.getrefcount(message) > held
        wait_until(lambda: sys.getrefcount(message) == held)
        return has_it

    assert any(is_left_behind(bytes(1 << bits)) for bits in range(25, 34))


def test_a_time_out_ends_a_validation():
    key = pingala.RSAPublicKey((2**2203 - 1) * (2**2281 - 1), 65537)
    with pytest.raises(pingala.TimeLimitError):
        key.validate("primes", timeout=0)
    assert key.validate("primes", timeout=10**6) == key.validate("primes")
    with pytest.raises(pingala.ArgumentError):
        key.validate(timeout=-1)
