"""Make or check the vectors in this folder; README.md says what each file is.

    pip install certifi==2026.10.18 cryptography==50.0.2 gmpy2==2.3.2
    python make_vectors.py            write the three files made here
    python make_vectors.py --check    derive them again and compare with the shipped ones

Run by hand only: neither the build nor the tests nor the demo need it. Drawn numbers come from `number`, a
SHA-256 counter stream, so the same files come out everywhere. An `expected` value never comes from Pingala: for
the roots it is a padded hash, elsewhere a power on which Python's pow and GMP agree.
"""

import argparse
import hashlib
import json
import math
import shutil
import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import certifi
import gmpy2
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dh, padding, rsa
from cryptography.utils import CryptographyDeprecationWarning
from cryptography.x509.oid import NameOID

HERE = Path(__file__).resolve().parent
CERTIFI_VERSION = "2026.10.18"  # the bundle that README.md names; change both together
SEED = "pingala vectors 1"


# ---- numbers and rows -------------------------------------------------------------------------------------------


def number(label, bits):
    """An integer of exactly `bits` bits: the leading bits of SHA-256(s || 0) || SHA-256(s || 1) || ... with the top
    bit then set, where s = SEED + ": " + label in UTF-8 and the counter has 8 bytes, big-endian."""
    prefix = f"{SEED}: {label}".encode()
    blocks = -(-bits // 256)
    stream = b"".join(hashlib.sha256(prefix + i.to_bytes(8, "big")).digest() for i in range(blocks))
    return int.from_bytes(stream, "big") >> (256 * blocks - bits) | 1 << (bits - 1)


def power(base, exponent, modulus):
    """base^exponent mod modulus by Python and by GMP, which must agree; "error" where there is no answer."""
    answers = []
    for raise_to in (pow, gmpy2.powmod):
        try:
            answers.append(int(raise_to(base, exponent, modulus)))
        except (ValueError, ZeroDivisionError):
            answers.append("error")
    assert answers[0] == answers[1], (base, exponent, modulus)
    assert answers[0] == "error" or 0 <= answers[0] < modulus
    return answers[0]


def row(name, base, exponent, modulus, expected):
    texts = [value if value == "error" else hex(value) for value in (base, exponent, modulus, expected)]
    return dict(zip(("id", "base", "exponent", "modulus", "expected"), [name, *texts]))


# ---- mozilla_rsa_roots.jsonl ------------------------------------------------------------------------------------

# DER of DigestInfo up to the hash itself: RFC 8017 section 9.2, note 1.
DIGEST_INFO = {
    "md5": "3020300c06082a864886f70d020505000410",
    "sha1": "3021300906052b0e03021a05000414",
    "sha256": "3031300d060960864801650304020105000420",
    "sha384": "3041300d060960864801650304020205000430",
    "sha512": "3051300d060960864801650304020305000440",
}


def emsa_pkcs1_v1_5(hash_name, message, n_bytes):
    """RFC 8017 section 9.2 as an integer: 00 01 ff..ff 00 DigestInfo."""
    info = bytes.fromhex(DIGEST_INFO[hash_name]) + hashlib.new(hash_name, message).digest()
    return int.from_bytes(b"\x00\x01" + b"\xff" * (n_bytes - 3 - len(info)) + b"\x00" + info, "big")


def subject_name(certificate):
    for oid in (NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME):
        for attribute in certificate.subject.get_attributes_for_oid(oid):
            return attribute.value
    return certificate.subject.rfc4514_string()


def reason_to_skip(certificate):
    """Why this root gives no row, or None."""
    if not isinstance(certificate.public_key(), rsa.RSAPublicKey):
        return "key is not RSA"
    if certificate.issuer != certificate.subject:
        return "not self-signed"
    if not isinstance(certificate.signature_algorithm_parameters, padding.PKCS1v15):
        return "signature is not PKCS#1 v1.5"
    if certificate.signature_hash_algorithm.name not in DIGEST_INFO:
        return "hash " + certificate.signature_hash_algorithm.name
    return None


def roots():
    if version("certifi") != CERTIFI_VERSION:
        sys.exit(f"needs certifi {CERTIFI_VERSION}, found {version('certifi')}")
    certificates = x509.load_pem_x509_certificates(Path(certifi.where()).read_bytes())
    rows, skipped = [], []
    for certificate in certificates:
        key, reason = certificate.public_key(), reason_to_skip(certificate)
        if reason:
            skipped.append(f"{subject_name(certificate)}: {reason}")
            continue
        e, n = key.public_numbers().e, key.public_numbers().n
        digest, message = certificate.signature_hash_algorithm, certificate.tbs_certificate_bytes
        signature = int.from_bytes(certificate.signature, "big")
        expected = emsa_pkcs1_v1_5(digest.name, message, (key.key_size + 7) // 8)
        key.verify(certificate.signature, message, padding.PKCS1v15(), digest)  # raises if it does not hold
        assert power(signature, e, n) == expected
        name = f"{subject_name(certificate)} {key.key_size} {digest.name}"
        rows.append((key.key_size, digest.name, row(name, signature, e, n, expected)))
    print(f"certifi {CERTIFI_VERSION}: {len(certificates)} roots, {len(rows)} rows, {len(skipped)} skipped:")
    for line in sorted(skipped, key=str.casefold):
        print("  " + line)
    return [r for _, _, r in sorted(rows, key=lambda item: (item[0], item[1], item[2]["id"]))]


# ---- rfc3526_agreements.jsonl -----------------------------------------------------------------------------------

# group, modulus_bits, the constant c of its prime (RFC 3526 sections 2 to 7), bits of a private exponent
# (section 8, strength estimate 2)
MODP_GROUPS = [
    (5, 1536, 741804, 240),
    (14, 2048, 124476, 320),
    (15, 3072, 1690314, 420),
    (16, 4096, 240904, 480),
    (17, 6144, 929484, 540),
    (18, 8192, 4743158, 620),
]


def floor_pi(bits):
    """floor(2^bits pi) by Machin's formula, pi = 16 atan(1/5) - 4 atan(1/239)."""
    guard = 64

    def atan_inv(x):
        term = total = (1 << (bits + guard)) // x
        k, sign = 1, 1
        while term:
            term //= x * x
            k, sign = k + 2, -sign
            total += sign * (term // k)
        return total

    scaled = 16 * atan_inv(5) - 4 * atan_inv(239)
    # Each term of the sums is off by less than 2 units, there are less than `bits` terms in either, and the factors
    # are 16 and 4: an error below 2^40 cannot move the floor unless the guard bits lie that close to 0 or 2^64.
    assert 1 << 40 < scaled % (1 << guard) < (1 << guard) - (1 << 40)
    return scaled >> guard


def openssl_prime(modulus_bits):
    """The prime of the group as OpenSSL has it built in, or None without the command `openssl`."""
    if shutil.which("openssl") is None:
        return None
    command = ["openssl", "genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", f"group:modp_{modulus_bits}"]
    pem = subprocess.run(command, check=True, capture_output=True).stdout
    return serialization.load_pem_parameters(pem).parameter_numbers().p


def modp_prime(modulus_bits, c):
    """2^n - 2^(n-64) - 1 + 2^64 ([2^(n-130) pi] + c), shown to be a safe prime and to be OpenSSL's."""
    n = modulus_bits
    p = 2**n - 2 ** (n - 64) - 1 + 2**64 * (floor_pi(n - 130) + c)
    assert p.bit_length() == n and gmpy2.is_prime(p) and gmpy2.is_prime(p // 2)
    builtin = openssl_prime(n)
    assert builtin in (p, None)
    print(f"modp_{n}: safe prime, " + ("equal to OpenSSL's" if builtin else "OpenSSL not at hand"))
    return p


def shared_by_openssl(p, private, own_public, peer_public):
    """The shared number as the OpenSSL inside `cryptography` computes it."""
    parameters = dh.DHParameterNumbers(p, 2)
    own = dh.DHPrivateNumbers(private, dh.DHPublicNumbers(own_public, parameters)).private_key()
    peer = dh.DHPublicNumbers(peer_public, parameters).public_key()
    return int.from_bytes(own.exchange(peer), "big")


def agreements():
    rows = []
    for group, modulus_bits, c, private_bits in MODP_GROUPS:
        p = modp_prime(modulus_bits, c)
        # a and b as IKE draws them; c as long as the order of the subgroup, q = (p - 1)/2 of modulus_bits - 1 bits
        secret = {
            name: number(f"rfc3526 group {group} {name}", bits)
            for name, bits in (("a", private_bits), ("b", private_bits), ("c", modulus_bits - 1))
        }
        assert max(secret.values()) < p // 2
        public = {name: power(2, x, p) for name, x in secret.items()}
        shared = {(x, y): power(public[x], secret[y], p) for x, y in ("ba", "ab", "ac", "ca")}
        for (x, y), value in shared.items():
            assert value == shared[y, x] == shared_by_openssl(p, secret[y], public[y], public[x])

        powers = [(f"g^{x}", 2, x, public[x]) for x in "abc"]
        powers += [(f"(g^{x})^{y}", public[x], y, shared[x, y]) for x, y in ("ba", "ab", "ac")]
        for formula, base, x, expected in powers:
            label = f"modp_{modulus_bits} group {group} {formula}, exponent {secret[x].bit_length()} bits"
            rows.append(row(label, base, secret[x], p, expected))
    return rows


# ---- edges.jsonl: each family yields (id, base, exponent, modulus) -----------------------------------------------


def limbs(word_bits, values):
    """The number with these limbs, least significant first."""
    return sum(value << (word_bits * i) for i, value in enumerate(values))


def near_limb_boundaries(word_bits, lengths, deltas):
    for n_limbs in lengths:
        full = 1 << (word_bits * n_limbs)
        for delta in deltas:
            m = full + delta
            name = f"m=2^({word_bits}*{n_limbs}){delta:+d}"
            bits = m.bit_length()
            yield f"{name} full", number(name + " base", bits + 64) % m, number(name + " e", bits), m
            if m % 2:
                r = full if delta < 0 else full << word_bits  # the Montgomery radix of m in such limbs
                yield f"{name} R*base=-1 e=65537", -pow(r, -1, m) % m, 65537, m
            else:
                yield f"{name} base=m-2 e=65537", m - 2, 65537, m
            if word_bits == 64:
                yield f"{name} base=all ones e=2^64-1", full - 1, 2**64 - 1, m


def lengths_around_limbs():
    for word_bits, counts in ((64, (1, 2, 3, 4, 8, 16, 32)), (52, (1, 2, 4, 8, 10, 20, 40))):
        for n_limbs in counts:
            for offset in (-2, -1, 0, 1):
                bits = word_bits * n_limbs + offset
                name = f"{word_bits}*{n_limbs}{offset:+d} bits"
                m = number(name + " m", bits) | 1
                yield name, number(name + " base", bits + 64) % m, number(name + " e", bits), m


def limb_patterns():
    ones, top = 2**64 - 1, 2**63
    patterns = {
        "ones, low limb 1": lambda n: [1] + [ones] * (n - 1),
        "ones, top limb 1": lambda n: [ones] * (n - 1) + [1],
        "zeros, ends set": lambda n: [1] + [0] * (n - 2) + [top],
        "zeros, low limb ones": lambda n: [ones] + [0] * (n - 2) + [top],
        "ones and zeros in turn": lambda n: [ones if i % 2 == 0 else 0 for i in range(n - 1)] + [top - 1],
    }
    for n_limbs in (2, 3, 4, 5, 8, 16, 17, 33):
        for pattern, make in patterns.items():
            m = limbs(64, make(n_limbs))
            all_ones = 2 ** (64 * n_limbs) - 1
            name = f"{n_limbs} limbs: {pattern}"
            yield f"{name}; base and e all ones", all_ones, all_ones, m
            yield f"{name}; base=m-2 e=2^{64 * n_limbs - 1}+1", m - 2, 2 ** (64 * n_limbs - 1) + 1, m


def even_moduli():
    odd_bits = (2, 63, 64, 65, 104, 128, 257)
    for zeros in range(1, 131):
        name = f"even, {zeros} trailing zeros"
        odd = number(name + " odd", odd_bits[zeros % 7]) | 1
        base_zeros = zeros % 3  # odd, once even, twice even bases in turn
        base = (number(name + " base", 96) | 1) << base_zeros
        exponents = (zeros - 1, zeros, zeros + 1, number(name + " e", 80), number(name + " e", 200))
        exponent = exponents[zeros % 5]
        yield f"{name}, odd part {odd.bit_length()} bits, base 2^{base_zeros}*odd", base, exponent, odd << zeros
    for k in (1, 2, 3, 4, 8, 31, 32, 33, 52, 63, 64, 65, 104, 127, 128, 129, 130, 260, 512):
        name = f"m=2^{k}"
        yield f"{name} odd base", number(name + " base", k + 7) | 1, number(name + " e", k + 70), 2**k
        yield f"{name} even base e={k - 1}", 2 * (number(name + " half", 40) | 1), k - 1, 2**k
    yield "m=2^130 base=-1 odd e", -1, 2**64 + 1, 2**130
    yield "m=2^64 base=2^63-1 e=2^62 (order)", 2**63 - 1, 2**62, 2**64
    yield "m=2^64 base=3 e=2^62 (order)", 3, 2**62, 2**64
    yield "m=2^64 base=3 e=2^61", 3, 2**61, 2**64


def sample_moduli():
    """(name, m): odd, even, prime, power of two, on and off the limb boundaries."""
    yield "7", 7
    yield "2^64-59", 2**64 - 59
    yield "2^64", 2**64
    for bits, zeros in ((63, 0), (128, 0), (192, 5), (1088, 0), (1030, 66)):
        odd = number(f"sample {bits} {zeros}", bits - zeros) | 1
        yield (f"{bits}-bit odd" if zeros == 0 else f"{bits}-bit even ({zeros} zeros)"), odd << zeros


def negative_bases():
    for i, (name, m) in enumerate(sample_moduli()):
        far = number(f"negative {name}", 2 * m.bit_length())
        bases = {"-1": -1, "-2": -2, "-(m-1)": 1 - m, "-m": -m, "-(m+1)": -m - 1, "far below -m": -far}
        for j, (text, base) in enumerate(bases.items()):
            exponent = (1, 2, 3, 65537, 2**64 - 1, 2**64)[(i + j) % 6]
            yield f"negative base {text} e={exponent:#x} m={name}", base, exponent, m


def negative_exponents():
    for name, m in [*sample_moduli(), ("2^521-1", 2**521 - 1)]:
        full = number(f"negative e {name}", m.bit_length())
        base = number(f"negative e base {name}", m.bit_length()) | 1
        while math.gcd(base, m) != 1:
            base += 2
        for exponent in (-1, -2, -(2**63), 1 - 2**64, -(2**64), -full):
            text = "-full" if exponent == -full else hex(exponent)
            yield f"inverse: e={text} m={name}", base, exponent, m
        yield f"inverse: e=-0x3 negative base m={name}", -base, -3, m
        for text, bad in (("0", 0), ("m", m), ("-m", -m)):
            yield f"not invertible: base={text} e=-0x1 m={name}", bad, -1, m
    p, q = 2**61 - 1, 2**64 - 59
    for name, base, exponent, m in (
        ("p, m=pq", p, -1, p * q),
        ("2q, m=pq", 2 * q, -(2**64), p * q),
        ("q, m=q^2", q, -5, q * q),
        ("2, m=4", 2, -1, 4),
        ("2^64, m=2^65", 2**64, -1, 2**65),
        ("-6, m=2^130*3", -6, -2, 3 * 2**130),
        ("2, m=2q", 2, -1, 2 * q),
        ("q, m=2q", q, -1, 2 * q),
    ):
        yield f"not invertible: base={name} e={exponent:#x}", base, exponent, m


def trivial_arguments():
    for base in (0, 1, -5, 2**200 + 1):
        for exponent in (0, 1, 2**64, -1):
            yield f"m=1 base={base:#x} e={exponent:#x}", base, exponent, 1
    for base in (0, 1, 2, -1):
        for exponent in (0, 1, 2**64):
            yield f"m=2 base={base:#x} e={exponent:#x}", base, exponent, 2
    for name, m in sample_moduli():
        for text, base in (("0", 0), ("m", m), ("-1", -1), ("m-1", m - 1)):
            yield f"e=0 base={text} m={name}", base, 0, m
        yield f"0^1 m={name}", 0, 1, m
        yield f"1^full m={name}", 1, number(f"one {name}", m.bit_length()), m
    for base, exponent in ((3, 2), (0, 0), (2, -1)):
        yield f"m=0 base={base:#x} e={exponent:#x}", base, exponent, 0


def long_bases():
    for i, (name, m) in enumerate(sample_moduli()):
        far = number(f"long {name}", 3 * m.bit_length())
        bases = {"m": m, "m+1": m + 1, "2m-1": 2 * m - 1, "m^2-1": m * m - 1, "2^1280": 2**1280, "3x length": far}
        for j, (text, base) in enumerate(bases.items()):
            exponent = (1, 2, 3, 65537)[(i + j) % 4]
            yield f"base={text} >= m e={exponent:#x} m={name}", base, exponent, m


def exponents_at_words():
    exponents = {f"2^{k}{d:+d}" if d else f"2^{k}": 2**k + d for k in (52, 63, 64, 128) for d in (-1, 0, 1)}
    for name, m in sample_moduli():
        base = number(f"words {name}", m.bit_length() + 64) % m
        for text, exponent in exponents.items():
            yield f"e={text} m={name}", base, exponent, m
    for name, m in (("2^64-59", 2**64 - 59), ("2^64", 2**64), ("3*2^100", 3 * 2**100)):
        yield f"e of 4096 bits, m={name}", number(f"long e base {name}", 60) | 1, number(f"long e {name}", 4096), m
        yield f"e=2^4096-1, m={name}", number(f"long e base {name}", 60) | 1, 2**4096 - 1, m


def theorems():
    """Rows whose answer is known without computing; `edges` asserts it."""
    xs = [1, 2, 3, 2**52 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**104 - 1, 2**128 - 1, 2**130]
    xs += [number(f"x^x {bits}", bits) for bits in (65, 129, 521, 1025, 2048)]
    for x in xs:
        yield f"theorem: x^x mod x, {x.bit_length()} bits, ends in {x % 16:#x}", x, x, x, 0
    for k in (13, 17, 61, 89, 127, 521, 607, 1279, 2203):  # Mersenne primes
        p = 2**k - 1
        a = number(f"fermat {k}", k) % p
        yield f"theorem: a^p mod p, p=2^{k}-1", a, p, p, a
        yield f"theorem: a^(p-1) mod p, p=2^{k}-1", a, p - 1, p, 1
    p = 2**64 - 59  # (1 + p)^(p^i) = 1 mod p^(i+1), and of no smaller power of p
    for i in (1, 2, 4):
        yield f"theorem: (1+p)^(p^{i}) mod p^{i + 1}, p=2^64-59", 1 + p, p**i, p ** (i + 1), 1
        yield f"theorem: (1+p)^(p^{i - 1}) mod p^{i + 1}, p=2^64-59", 1 + p, p ** (i - 1), p ** (i + 1), 1 + p**i


def squareful_moduli():
    primes = {"3": 3, "5": 5, "7": 7, "(2^32-5)": 2**32 - 5, "(2^61-1)": 2**61 - 1, "(2^64-59)": 2**64 - 59}
    powers = (("3", 2), ("3", 41), ("3", 162), ("5", 28), ("7", 64), ("(2^32-5)", 2), ("(2^61-1)", 4))
    for text, k in powers + (("(2^64-59)", 2), ("(2^64-59)", 5), ("(2^64-59)", 17)):
        p, name = primes[text], f"m={text}^{k}"
        m = p**k
        yield f"{name} base={text} e={k} (zero)", p, k, m
        yield f"{name} base=2*{text} e={k - 1}", 2 * p, k - 1, m
        yield f"{name} full", number(name + " base", m.bit_length() + 64) % m, number(name + " e", m.bit_length()), m
    p, q = 2**61 - 1, 2**64 - 59
    for name, m in (("(pq)^2", (p * q) ** 2), ("8p^3q^2", 8 * p**3 * q**2), ("2^66*p^2", 2**66 * p**2)):
        yield f"m={name} base=2pq e=2", 2 * p * q, 2, m
        yield f"m={name} base=2pq e=66", 2 * p * q, 66, m
        yield f"m={name} base=p e=2^64+1", p, 2**64 + 1, m


def edges():
    rows = []

    def add(family):
        for name, base, exponent, modulus, *known in family:
            expected = power(base, exponent, modulus)
            assert not known or known == [expected], name
            rows.append(row(name, base, exponent, modulus, expected))

    add(near_limb_boundaries(64, (1, 2, 3, 4, 5, 8, 16, 17, 32, 33), (-3, -2, -1, 1, 2, 3)))
    add(near_limb_boundaries(52, (1, 2, 5, 8, 20, 40), (-3, -1, 1, 3)))
    for family in (lengths_around_limbs, limb_patterns, even_moduli, negative_bases, negative_exponents):
        add(family())
    for family in (trivial_arguments, long_bases, exponents_at_words, theorems, squareful_moduli):
        add(family())
    return rows


# ---- writing and checking ---------------------------------------------------------------------------------------

FILES = {"mozilla_rsa_roots.jsonl": roots, "rfc3526_agreements.jsonl": agreements, "edges.jsonl": edges}


def as_lines(rows):
    names = [r["id"] for r in rows]
    assert len(set(names)) == len(names), sorted({name for name in names if names.count(name) > 1})
    # Ids hold no quote, backslash or control character: the simplest reader takes a text up to the next quote.
    assert all(name.isprintable() and not set(name) & set('"\\') for name in names)
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)


def check_pow_bugs():
    """The collected reports are not made here, but their answers can be checked."""
    lines = (HERE / "pow_bugs.jsonl").read_text(encoding="utf-8").splitlines()
    for bug in map(json.loads, lines):
        base, exponent, modulus = (int(bug[field], 16) for field in ("base", "exponent", "modulus"))
        made = row(bug["id"], base, exponent, modulus, power(base, exponent, modulus))
        assert made == {field: value for field, value in bug.items() if field != "basis"}, bug["id"]
    print(f"pow_bugs.jsonl: {len(lines)} rows hold")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the shipped files, write nothing")
    check = parser.parse_args().check
    # Roots with the serial number 0, and Diffie-Hellman over finite fields: both on their way out there, both wanted.
    warnings.simplefilter("ignore", CryptographyDeprecationWarning)
    differing = []
    for name, make in FILES.items():
        path, made = HERE / name, as_lines(make()).encode()
        if not check:
            path.write_bytes(made)
        elif not path.exists() or path.read_bytes() != made:
            differing.append(name)
        print(f"{name}: {made.count(10)} rows, {len(made)} bytes, {'compared' if check else 'written'}")
    check_pow_bugs()
    sys.exit("differs from what this script makes: " + ", ".join(differing) if differing else 0)


if __name__ == "__main__":
    main()
