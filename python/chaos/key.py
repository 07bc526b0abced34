"""Private keys of RSA as DER of PKCS#1, and one whose primes everybody knows: 2^2203 - 1 and 2^2281 - 1."""

from math import lcm

P, Q, E = 2**2203 - 1, 2**2281 - 1, 65537
N = P * Q
D = pow(E, -1, lcm(P - 1, Q - 1))


def tagged(tag: int, content: bytes) -> bytes:
    """An element of DER."""
    size = len(content).to_bytes((len(content).bit_length() + 7) // 8 or 1, "big")
    return bytes([tag]) + (size if len(content) < 128 else bytes([0x80 | len(size)]) + size) + content


def number(value: int) -> bytes:
    return tagged(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def pkcs1(n: int = N, e: int = E, d: int = D, p: int = P, q: int = Q, version: int = 0) -> bytes:
    derived = (d % (p - 1), d % (q - 1), pow(q, -1, p))
    return tagged(0x30, b"".join(map(number, (version, n, e, d, p, q, *derived))))
