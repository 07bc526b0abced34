"""Secrets: the private operation of RSA beside OpenSSL, and exponents on a fixed base beside single secret powers.

PYTHONPATH=crates/pingala-lab python -m peers.secrets [rsa] [table]

OpenSSL is the one in the wheel of `cryptography`, which must be installed. As an AVX2 machine:

PINGALA_CPU=-avx512f,-avxifma OPENSSL_ia32cap=:~0xd0230000 PYTHONPATH=crates/pingala-lab python -m peers.secrets rsa
"""

import os
import random
import sys
from collections.abc import Callable

import pingala
from peers.clock import rounds_of, sampler

ROUNDS = 25


def beside(*calls: Callable[[], object]) -> list[float]:
    """Microseconds of each call: the least of some rounds in which they take turns."""
    samplers = {str(place): sampler(call) for place, call in enumerate(calls)}
    return [min(samples) / 1e3 for samples in rounds_of(samplers, ROUNDS).values()]


def rsa() -> None:
    """Raw powers by a private key, compared with `key.sign` of a digest that is at hand; both are checked."""
    from cryptography.hazmat.backends.openssl import backend
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding, utils
    from cryptography.hazmat.primitives.asymmetric import rsa as openssl

    masks = [os.environ.get(name, "") for name in ("OPENSSL_ia32cap", "PINGALA_CPU")]
    print(backend.openssl_version_text(), *masks)
    digest, prehashed = bytes(range(32)), utils.Prehashed(hashes.SHA256())
    for bits in (2048, 3072, 4096):
        key = openssl.generate_private_key(public_exponent=65537, key_size=bits)
        encoding, form = serialization.Encoding.DER, serialization.PrivateFormat.PKCS8
        ours = pingala.load_private_key(key.private_bytes(encoding, form, serialization.NoEncryption()))
        info = bytes.fromhex("3031300d060960864801650304020105000420") + digest
        padded = b"\0\1" + b"\xff" * (bits // 8 - len(info) - 3) + b"\0" + info
        base = int.from_bytes(padded, "big")
        assert int.from_bytes(key.sign(digest, padding.PKCS1v15(), prehashed), "big") == ours.pow(base)

        def sign(key: openssl.RSAPrivateKey = key) -> object:
            return key.sign(digest, padding.PKCS1v15(), prehashed)

        peer, blinded, plain = beside(sign, lambda: ours.pow(base), lambda: ours.pow(base, blinding=False))  # noqa: B023
        ratio = blinded / peer
        print(f"rsa {bits}: OpenSSL {peer:.0f} us, blinded {blinded:.0f} ({ratio:.2f}), not blinded {plain:.0f}")


def table() -> None:
    """A secret exponent from a table of 256 KiB beside `pow_sec`."""
    for modulus_bits, exponent_bits in ((2048, 256), (3072, 256), (4096, 256), (4096, 512)):
        m = random.getrandbits(modulus_bits) | 1 | 1 << (modulus_bits - 1)
        e = random.getrandbits(exponent_bits)
        modulus = pingala.Modulus(m)
        made = pingala.FixedBase(7, m, exponent_bits, 1 << 18, secret=True)
        assert made.pow_sec(e) == modulus.pow_sec(7, e, exponent_bits) == pow(7, e, m)
        single, fixed, public = beside(
            lambda: modulus.pow_sec(7, e, exponent_bits),  # noqa: B023
            lambda: made.pow_sec(e),  # noqa: B023
            lambda: made.pow(e),  # noqa: B023
        )
        what = f"{modulus_bits}/{exponent_bits}, {made.table_bytes} bytes, {made.plan}"
        print(f"table {what}: {fixed:.1f} us, pow_sec {single:.1f} ({single / fixed:.2f} times), public {public:.1f}")


if __name__ == "__main__":
    parts = {"rsa": rsa, "table": table}
    for name in sys.argv[1:] or parts:
        parts[name]()
