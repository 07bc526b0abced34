"""A private key of RSA whose primes everybody knows, 2^2203 - 1 and 2^2281 - 1, as DER of PKCS#1."""

from math import lcm

P, Q, E = 2**2203 - 1, 2**2281 - 1, 65537
N = P * Q
D = pow(E, -1, lcm(P - 1, Q - 1))


def _element(tag: int, content: bytes) -> bytes:
    length = len(content).to_bytes(3, "big").lstrip(b"\0")
    return (
        bytes([tag, 0x80 | len(length)]) + length + content
        if len(content) > 127
        else bytes([tag, len(content)]) + content
    )


def _integer(number: int) -> bytes:
    return _element(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def der() -> bytes:
    numbers = [0, N, E, D, P, Q, D % (P - 1), D % (Q - 1), pow(Q, -1, P)]
    return _element(0x30, b"".join(map(_integer, numbers)))
