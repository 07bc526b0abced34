"""Writes numbers.txt, jacobi.txt and roots.txt next to this file.

Known primes and composites that tests of primality find hard, Jacobi symbols, primes for square roots. The oracle is
GMP through gmpy2; the seed is fixed.
"""

import random
from pathlib import Path

import gmpy2
from gmpy2 import mpz

HERE = Path(__file__).parent
SMALL = [p for p in range(2, 60) if gmpy2.is_prime(p)]
draw = random.Random(43)
found: list[tuple[str, int]] = []


def random_prime(bits: int) -> mpz:
    return gmpy2.next_prime(draw.getrandbits(bits) | 1 << (bits - 1))


def add(kind: str, n: int) -> None:
    assert gmpy2.is_prime(n, 30) == (kind == "prime"), (kind, n)
    found.append((kind, int(n)))


def is_strong_pseudoprime(n: int) -> bool:
    return gmpy2.is_strong_prp(n, 2) and not gmpy2.is_prime(n)


def products(bits: tuple[int, int], sign: int, is_wanted) -> list[int]:
    """Numbers p q with q = m (p + sign) - sign, as the pseudoprimes of one kind often are, that are wanted."""
    p = random_prime(draw.randrange(*bits))
    numbers = [p * (m * (p + sign) + 1) for m in (2, 3, 4, 5, 6, 7, 8, 10, 12)]
    return [n for n in numbers if gmpy2.is_prime(n // p) and is_wanted(n)]


def collect(kind: str, count: int, bits: tuple[int, int], sign: int, is_wanted) -> None:
    chosen: set[int] = set()
    while len(chosen) < count:
        chosen.update(products(bits, sign, is_wanted))
    for n in sorted(chosen):
        add(kind, n)


def pseudoprimes() -> None:
    # The least strong pseudoprimes to the first k primes, k = 1 .. 13: Sorenson and Webster 2017.
    least = """2047 1373653 25326001 3215031751 2152302898747 3474749660383 341550071728321 3825123056546413051
        318665857834031151167461 3317044064679887385961981"""
    for n in least.split():
        add("composite psi", mpz(n))
    collect("composite spsp2", 200, (11, 33), -1, lambda n: n < 2**64 and is_strong_pseudoprime(n))
    collect("composite spsp2", 40, (34, 300), -1, is_strong_pseudoprime)
    for n in range(9, 400_000, 2):
        if not gmpy2.is_prime(n) and gmpy2.is_strong_selfridge_prp(n):
            add("composite slprp", n)
    collect("composite slprp", 40, (20, 90), 1, gmpy2.is_strong_selfridge_prp)
    carmichael = "561 1105 1729 2465 2821 6601 8911 10585 15841 29341 41041 825265 321197185 9746347772161"
    for text in carmichael.split():
        add("composite carmichael", mpz(text))
    count = 0
    while count < 30:
        k = draw.getrandbits(draw.randrange(1, 170)) | 1
        factors = [6 * k + 1, 12 * k + 1, 18 * k + 1]
        if all(map(gmpy2.is_prime, factors)):
            add("composite carmichael", factors[0] * factors[1] * factors[2])
            count += 1


def arnault_1995() -> None:
    """A strong pseudoprime of 397 digits to all prime bases below 307."""
    p = mpz(
        "2967449566868551055015417464290533273077199179985304335099507553127683875317177019959423859642812118803366475"
        "4218345562493168782883"
    )
    n = p * (313 * (p - 1) + 1) * (353 * (p - 1) + 1)
    assert n.num_digits() == 397
    assert all(gmpy2.is_strong_prp(n, a) for a in range(2, 307) if gmpy2.is_prime(a))
    add("composite arnault", n)


def adversarial(bases: list[int], k: tuple[int, int], bits: int) -> mpz | None:
    """n = p (k1 (p - 1) + 1) (k2 (p - 1) + 1), a Carmichael number.

    Each base is a non-residue modulo each prime: the way of Arnault, as Albrecht, Massimo, Paterson and Somorovsky
    use it.
    """
    x, modulus = mpz(3), mpz(4)
    conditions = [
        (
            4 * a,
            [
                r
                for r in range(3, 4 * a, 4)
                if all(
                    gmpy2.gcd(f * (r - 1) + 1, 4 * a) == 1 and gmpy2.kronecker(a, f * (r - 1) + 1) == -1
                    for f in (1, *k)
                )
            ],
        )
        for a in bases
    ]
    conditions += [(k[0], [int(-gmpy2.invert(k[1], k[0])) % k[0]]), (k[1], [int(-gmpy2.invert(k[0], k[1])) % k[1]])]
    for m, residues in conditions:
        fitting = [r for r in residues if (r - x) % gmpy2.gcd(m, modulus) == 0]
        if not fitting:
            return None
        r, g = draw.choice(fitting), gmpy2.gcd(m, modulus)
        if m // g > 1:
            x += modulus * ((r - x) // g * gmpy2.invert(modulus // g, m // g) % (m // g))
        modulus = modulus * m // g
    for _ in range(2000):
        p = x + modulus * draw.getrandbits(max(1, bits - modulus.bit_length()))
        factors = [p, k[0] * (p - 1) + 1, k[1] * (p - 1) + 1]
        if all(map(gmpy2.is_prime, factors)):
            return factors[0] * factors[1] * factors[2]
    return None


def adversarial_numbers() -> None:
    count = 0
    while count < 6:
        k = draw.choice([(313, 353), (101, 181), (61, 101), (197, 257)])
        bases = SMALL[: draw.choice([4, 6, 9, 12])]
        n = adversarial(bases, k, draw.choice([120, 170, 342]))
        if n is not None and all(gmpy2.is_strong_prp(n, a) for a in bases):
            add("composite adversarial", n)
            count += 1


def others() -> None:
    for bits in (33, 48, 64, 100, 256, 512, 1024):
        p = random_prime(bits)
        q = gmpy2.next_prime(p)
        add("composite square", p * p)
        add("composite close", p * q)
        add("prime", p)
    for p in (1093, 3511):
        add("composite square", p * p)
    for e in (89, 107, 127, 521, 607, 1279):
        add("prime", 2**e - 1)
    for e in (67, 101, 103, 257, 1277):
        add("composite mersenne", 2**e - 1)
    for k in (32, 64, 96, 128, 192, 256, 1024):
        for step in (gmpy2.next_prime, gmpy2.prev_prime):
            n = mpz(2) ** k
            for _ in range(3):
                n = step(n)
                add("prime", n)
        for n in (2**k - 1, 2**k + 1):
            add("prime" if gmpy2.is_prime(n) else "composite edge", n)
    for bits in (65, 66, 100, 127, 128, 129, 191, 192, 193, 256, 320, 384, 385, 511, 512, 513, 1024, 2048):
        add("prime", random_prime(bits))
        add("composite random", random_prime(bits // 2) * random_prime(bits // 2))


def write(name: str, heading: str, lines: list[str]) -> None:
    (HERE / name).write_text("\n".join([f"# {heading} Made by make.py.", *lines]) + "\n")


def jacobi_symbols() -> list[str]:
    lines = []
    for bits in (64, 65, 127, 128, 129, 192, 256, 512, 1000):
        for kind in range(4):
            n = draw.getrandbits(bits) | 1
            a = draw.getrandbits(bits + draw.randrange(-20, 40)) * draw.choice((1, -1))
            common = draw.getrandbits(bits // 3) | 1 if kind == 3 else 1
            a, n = a * common * 2 ** (draw.randrange(1, 99) if kind == 2 else 0), n * common
            lines.append(f"{a} {n} {gmpy2.jacobi(a, n)}")
    return lines


def primes_for_roots() -> list[str]:
    primes = []
    for bits in (64, 65, 128, 130, 255, 256, 521):
        for residue in (1, 3, 5, 7):
            p = random_prime(bits)
            while p % 8 != residue:
                p = gmpy2.next_prime(p)
            primes.append(p)
    for twos in (8, 31, 32, 33, 34, 60, 96, 255):
        k = draw.getrandbits(20) | 1
        while not gmpy2.is_prime(k * 2**twos + 1):
            k += 2
        primes.append(mpz(k * 2**twos + 1))
    return [f"{p:x}" for p in [*primes, mpz(2**255 - 19), mpz(2**224 - 2**96 + 1)]]


for part in (pseudoprimes, arnault_1995, adversarial_numbers, others):
    part()
write("numbers.txt", "Kind, number in hexadecimal.", [f"{kind} {n:x}" for kind, n in found])
write("jacobi.txt", "a, n, (a/n).", jacobi_symbols())
write("roots.txt", "Primes of every residue modulo 8, in hexadecimal.", primes_for_roots())
