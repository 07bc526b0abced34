"""Primes: tests, searches, random primes, certificates, Jacobi symbols, columns."""

import contextlib
import itertools
import math
import pickle
import random

import numpy
import pyarrow
import pytest

import pingala

CARMICHAEL = [561, 1105, 1729, 2465, 2821, 6601, 8911, 825265, 321197185]
# Strong pseudoprimes to the base 2, and the least to the first 12 and 13 prime bases.
PSEUDOPRIMES = [2047, 3277, 4033, 318665857834031151167461, 3317044064679887385961981]
PRIMES = [2, 3, 5, 65537, 2**61 - 1, 2**64 - 59, 2**64 + 13, 2**127 - 1, 2**521 - 1]


def sieved(bound: int) -> list[bool]:
    flags = [False, False] + [True] * (bound - 2)
    for p in range(2, math.isqrt(bound) + 1):
        if flags[p]:
            flags[p * p :: p] = [False] * len(flags[p * p :: p])
    return flags


def test_small_numbers_against_a_sieve() -> None:
    flags = sieved(20000)
    numbers = list(range(-50, 20000))
    wanted = [n >= 0 and flags[n] for n in numbers]
    assert [bool(answer) for answer in pingala.is_prime_list(numbers)] == wanted
    assert [bool(pingala.is_prime(n)) for n in numbers] == wanted
    assert pingala.is_prime_column(numpy.array(numbers)).to_pylist() == wanted
    assert pingala.primes_between(0, 20000) == [n for n, flag in enumerate(flags) if flag]


def test_known_numbers() -> None:
    assert all(pingala.is_prime(p) for p in PRIMES)
    assert not any(pingala.is_prime(n) for n in CARMICHAEL + PSEUDOPRIMES)
    assert not any(pingala.is_prime_list(CARMICHAEL + PSEUDOPRIMES))


def test_how_sure_an_answer_is() -> None:
    word, long, composite = pingala.is_prime(2**61 - 1), pingala.is_prime(2**127 - 1), pingala.is_prime(2**127 + 1)
    assert word.proved
    assert word.error_bound == word.random_error_bound == 0.0
    assert long.prime
    assert not long.proved
    assert long.error_bound == 0.25 >= long.random_error_bound > 0
    assert pingala.is_prime(2**127 - 1, rounds=10).error_bound == 4.0**-10
    assert composite.proved
    assert not composite
    assert composite.error_bound == 0.0
    for answer in (word, long, composite):
        assert pickle.loads(pickle.dumps(answer)) == answer
        assert "rime" in repr(answer)
    assert long == word == True  # noqa: E712
    assert composite != word


def test_neighbours() -> None:
    rng = random.Random(43)
    for bits in (3, 20, 63, 64, 65, 128, 300):
        n = rng.getrandbits(bits)
        above = pingala.next_prime(n)
        assert above > n
        assert pingala.is_prime(above)
        assert pingala.primes_between(n + 1, above + 1) == [above]
        if n > 3:
            below = pingala.previous_prime(n)
            assert below < n
            assert pingala.primes_between(below, n) == [below]
    assert pingala.next_prime(-5) == 2
    assert pingala.previous_prime(3) == 2
    for n in (2, 0, -7):
        with pytest.raises(ValueError, match="2"):
            pingala.previous_prime(n)


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize("safe", [False, True])
@pytest.mark.parametrize("top_bits", [1, 2])
@pytest.mark.parametrize("bits", [6, 40, 160])
def test_random_primes(bits: int, top_bits: int, safe: bool, uniform: bool) -> None:
    p = pingala.random_prime(bits, safe=safe, top_bits=top_bits, uniform=uniform, residue=(-1, 4))
    assert p.bit_length() == bits
    assert p % 4 == 3
    assert pingala.is_prime(p, 10)
    assert p >> (bits - top_bits) == (1 << top_bits) - 1
    assert not safe or pingala.is_prime((p - 1) // 2, 10)


def test_secret_primes() -> None:
    p = pingala.random_prime(128, secret=True)
    assert isinstance(p, pingala.SecretInt)
    assert p.bits == 128
    assert pingala.is_prime(int.from_bytes(p.reveal(), "big"))
    secret = pingala.prime_pair(512)
    assert all(isinstance(prime, pingala.SecretInt) and prime.bits == 256 for prime in secret)
    for kind, options in {"rsa": {"exponent": 3}, "paillier": {}}.items():
        p, q = pingala.prime_pair(256, kind, secret=False, **options)  # type: ignore[call-overload]
        assert (p * q).bit_length() == 256
        assert p != q
        assert math.gcd(p * q, (p - 1) * (q - 1)) == 1
        assert kind != "rsa" or (p % 3, q % 3) == (2, 2)
    for wrong in ({"kind": "dsa"}, {"kind": "safe", "exponent": 3}, {"exponent": 4}):
        with pytest.raises(pingala.ArgumentError):
            pingala.prime_pair(256, **wrong)  # type: ignore[call-overload]


def checked(text: str) -> int:
    """The prime that a certificate proves, by docs/primes.md and nothing else."""
    lines = text.splitlines()
    assert lines[0] == "pingala prime certificate 1"
    assert lines[-1] == "end"
    steps: dict[int, list[tuple[int, int]]] = {}
    for words in map(str.split, lines[1:-1]):
        if words[0] == "prime":
            n = int(words[1], 16)
            steps[n] = []
        else:
            steps[n].append((int(words[1], 16), int(words[3], 16)))
    proved = {n for n in steps if n < 2**64}
    for n in sorted(steps):
        rest = n - 1
        for q, base in steps[n]:
            assert q in proved or (q < 2**64 and all(pow(a, q - 1, q) == 1 for a in range(2, min(q, 40))))
            assert pow(base, n - 1, n) == 1
            assert math.gcd(pow(base, (n - 1) // q, n) - 1, n) == 1
            while rest % q == 0:
                rest //= q
        known = (n - 1) // rest
        if steps[n] and known**2 <= n:
            high, low = divmod(rest, known)
            square = low * low - 4 * high
            assert known**3 > n
            assert square < 0 or math.isqrt(square) ** 2 != square
        proved.add(n)
    return max(steps)


def test_certificates() -> None:
    p, text = pingala.random_prime(200, proof=True)
    assert pingala.check_certificate(text) == checked(text) == p
    n = 2**127 - 1
    text = pingala.certify(n)
    assert pingala.check_certificate(text) == checked(text) == n
    assert checked(pingala.certify(n, [77158673929])) == n
    rng = random.Random(7)
    for _ in range(200):
        at = rng.randrange(len(text))
        forged = text[:at] + rng.choice("0123456789abcdef x\n") + text[at + 1 :]
        with contextlib.suppress(pingala.PingalaError):
            assert pingala.check_certificate(forged) == checked(forged)
    with pytest.raises(pingala.ArgumentError):
        pingala.certify(2**127 + 1)


def test_jacobi_symbols() -> None:
    p = 1000003
    for a in range(-20, 40):
        wanted = pow(a, (p - 1) // 2, p)
        assert pingala.jacobi(a, p) == (wanted if wanted <= 1 else -1)
    assert pingala.jacobi_list([1, 2, 3], 15) == [pingala.jacobi(a, 15) for a in (1, 2, 3)] == [1, 1, 0]
    assert pingala.jacobi_list([2, 2], [7, 5]) == [1, -1]
    for n in (0, -3, 10):
        with pytest.raises(pingala.ArgumentError):
            pingala.jacobi(1, n)
    with pytest.raises(pingala.ArgumentError):
        pingala.jacobi_list([1, 2], [3, 5, 7])


def test_long_symbols_and_inverses() -> None:
    # Lengths on both sides of where halves and transforms begin.
    draw = random.Random(7)
    for bits in (1000, 40_000, 50_000, 100_000):
        n, m = (draw.getrandbits(bits) | 1 for _ in range(2))
        a, b = (draw.getrandbits(bits) for _ in range(2))
        above = [a, b, a * b, a * a * b, a + n, -a]
        symbols = pingala.jacobi_list(above, n, timeout=60)
        assert symbols == [pingala.jacobi(value, n, timeout=60) for value in above]
        assert symbols[2] == symbols[0] * symbols[1]
        assert symbols[3] == symbols[0] ** 2 * symbols[1]
        assert symbols[4] == symbols[0]
        assert symbols[5] == symbols[0] * (-1 if n % 4 == 3 else 1)
        assert pingala.jacobi(a, n * m) == symbols[0] * pingala.jacobi(a, m)
        p = 2**61 - 1
        assert pingala.jacobi(a * p, n * p) == 0
        if math.gcd(a, n) == 1:
            assert pingala.invert(a, n) * a % n == 1


def test_symbols_end_in_time() -> None:
    n = 2**2_000_003 - 1
    for call in (
        lambda: pingala.jacobi(3**1_200_000, n, timeout=0),
        lambda: pingala.jacobi_list([3**1_200_000], n, timeout=0),
    ):
        with pytest.raises(TimeoutError):
            call()


def test_symbols_say_what_is_wrong() -> None:
    with pytest.raises(pingala.ArgumentError, match="n must be odd and positive, not 8"):
        pingala.jacobi(3, 8)
    with pytest.raises(pingala.ArgumentError, match="n must be odd and positive, not -7"):
        pingala.jacobi(2, -7)
    with pytest.raises(pingala.ArgumentError, match="15 is composite"):
        pingala.sqrt_mod(4, 15)
    with pytest.raises(pingala.ArgumentError, match="p must be a prime, not 1"):
        pingala.sqrt_mod(4, 1)
    with pytest.raises(pingala.ZeroModulusError, match="a modulus is not 0"):
        pingala.sqrt_mod(4, 0)
    with pytest.raises(pingala.ArgumentError, match="the number is no square there"):
        pingala.sqrt_mod(2, 13)


def test_roots_where_small_numbers_are_squares() -> None:
    # p = 8 3 5 7 ... 293 k + 1: the least non-residue is above 300.
    product = 8
    for q in pingala.primes_between(3, 300):
        product *= q
    p = next(product * k + 1 for k in range(1, 10_000) if pingala.is_prime(product * k + 1))
    assert all(pingala.jacobi(q, p) == 1 for q in range(1, 300))
    for a in (4, 5, 9, 17**2 * 3):
        assert pow(pingala.sqrt_mod(a, p), 2, p) == a
    with pytest.raises(pingala.ArgumentError, match="is composite"):
        pingala.sqrt_mod(5, (2**61 - 1) ** 2 * 17**2 * 41**2)


def test_all_square_roots() -> None:
    shapes = [{2: k} for k in range(1, 9)] + [{3: k} for k in range(1, 6)]
    shapes += [{5: 3}, {7: 2}, {2: 3, 3: 2}, {2: 4, 3: 1, 5: 1}, {11: 1, 13: 1}]
    for factors in shapes:
        value = math.prod(p**k for p, k in factors.items())
        modulus = pingala.Modulus(value, factors=factors)
        for a in range(-3, value + 3):
            roots = [x for x in range(value) if (x * x - a) % value == 0]
            assert pingala.sqrt_mod_all(a, modulus) == roots
            if roots:
                root = pingala.sqrt_mod(a, modulus)
                assert root in roots
                assert root <= value // 2
            else:
                with pytest.raises(pingala.ArgumentError):
                    pingala.sqrt_mod(a, modulus)
    assert pingala.sqrt_mod_all(4, 101) == [2, 99]
    p = 2**127 - 1
    power = pingala.Modulus(p**3, factors={p: 3})
    assert pingala.sqrt_mod(1234567**2, power) == 1234567
    two = pingala.Modulus(2**300, factors={2: 300})
    roots = pingala.sqrt_mod_all(17, two)
    assert len(roots) == 4
    assert all(root * root % 2**300 == 17 for root in roots)
    with pytest.raises(pingala.ArgumentError, match="above the limit of 65536"):
        pingala.sqrt_mod_all(0, two)
    with pytest.raises(pingala.ArgumentError, match="15 is composite"):
        pingala.sqrt_mod_all(1, 15)


def test_square_roots() -> None:
    primes = [2, 3, 17, 1000003, 2**61 - 1, 2**127 - 1, 2**255 - 19, 15 * 2**27 + 1]
    for p in primes:
        squares = [a * a % p for a in (0, 1, 2, 5, 123456789, p - 1, p + 3)]
        roots = [pingala.sqrt_mod(a, p) for a in squares]
        assert [root * root % p for root in roots] == squares
        assert all(root <= p // 2 for root in roots)
        assert pingala.sqrt_mod_list(squares, p) == pingala.sqrt_mod_list(squares, [p] * len(squares)) == roots
    with pytest.raises(pingala.ArgumentError):
        pingala.sqrt_mod(2, 13)
    root, error = pingala.sqrt_mod_list([4, 2], 13, errors="return")
    assert root == 2
    assert isinstance(error, pingala.ArgumentError)
    assert error.index == 1
    with pytest.raises(pingala.ArgumentError) as caught:
        pingala.sqrt_mod_list([4, 2], 13)
    assert caught.value.index == 1


def test_columns() -> None:
    numbers = [7, None, 2**64 - 59, 2**64 - 57]
    column = pingala.is_prime_column(pyarrow.array(numbers, pyarrow.uint64()))
    assert column.to_pylist() == [True, None, True, False]
    assert pyarrow.array(column).type == pyarrow.bool_()
    wide = [n.to_bytes(70, "big") for n in (2**521 - 1, 2**521 + 1, 0, 97)]
    assert pingala.is_prime_column(wide).to_pylist() == [True, False, False, True]
    little = [n.to_bytes(70, "little") for n in (2**521 - 1, 2**521 + 1)]
    assert pingala.is_prime_column(little, byteorder="little").to_pylist() == [True, False]
    text = pyarrow.array(["0x7f", "-7", None, "nine", str(2**127 - 1)])
    assert pingala.is_prime_column(text, errors="null").to_pylist() == [True, False, None, None, True]
    coded = pingala.is_prime_column(text, errors="column")
    assert coded.error_codes == [None, None, None, "not_a_number", None]
    with pytest.raises(pingala.PingalaError) as caught:
        pingala.is_prime_column(text)
    assert caught.value.index == 3
    signed = numpy.array([-7, 7, 9], dtype="int32")
    assert pingala.is_prime_column(signed).to_pylist() == [False, True, False]
    with pytest.raises(TypeError):
        pingala.is_prime_column(numpy.array([7.0]))
    with pytest.raises(pingala.TooLongError):
        pingala.is_prime_column(wide, max_modulus_bits=100)


def test_limits_and_wrong_arguments() -> None:
    with pytest.raises(pingala.TooLongError):
        pingala.is_prime(2**200, max_modulus_bits=100)
    with pytest.raises(pingala.TooLongError) as caught:
        pingala.is_prime_list([7, 2**200], max_modulus_bits=100)
    assert caught.value.index == 1
    for call in (pingala.is_prime, pingala.next_prime, pingala.previous_prime):
        with pytest.raises(TypeError):
            call(7.0)  # type: ignore[operator]
    for wrong in ({"bits": 1}, {"bits": 3, "top_bits": 3}, {"bits": 64, "residue": (3, 9)}):
        with pytest.raises(pingala.ArgumentError):
            pingala.random_prime(**wrong)  # type: ignore[call-overload]
    with pytest.raises(pingala.ArgumentError):
        pingala.random_prime(128, uniform=True, proof=True)
    with pytest.raises(pingala.TooLongError):
        pingala.prime_pair(2**62)
    with pytest.raises(pingala.ArgumentError, match="q must be at least 1"):
        pingala.random_prime(64, residue=(1, 0))
    with pytest.raises(pingala.ArgumentError):
        pingala.random_prime(128, secret=True, proof=True)  # type: ignore[call-overload]


def test_negative_counts_are_bad_arguments() -> None:
    """And what is beyond 32 bits is the most of them."""
    calls = [
        lambda count: pingala.is_prime(2**89 - 1, count),
        lambda count: pingala.is_prime_list([7], rounds=count),
        lambda count: pingala.is_prime_column([7], rounds=count),
        lambda count: pingala.random_prime(64, rounds=count),
        lambda count: pingala.random_prime(64, top_bits=count),
        lambda count: pingala.estimate_random_prime(64, rounds=count),
        lambda count: pingala.prime_pair(512, rounds=count, secret=False),
    ]
    for call in calls:
        for count in (-1, -(2**70)):
            with pytest.raises(pingala.ArgumentError, match="at least 0"):
                call(count)
    assert pingala.is_prime(7, 2**70)
    assert pingala.is_prime_list([7, 2**89 + 1], rounds=2**32)[0]


def test_a_search_ends_in_time() -> None:
    """Which takes minutes without a limit; `make -C hardening promises` measures how soon."""
    with pytest.raises(pingala.TimeLimitError):
        pingala.random_prime(16384, safe=True, timeout=0.3)
    told: list[tuple[int, int]] = []
    pingala.random_prime(512, progress=lambda done, total: told.append((done, total)))
    tests, seconds = pingala.estimate_random_prime(1024, safe=True)
    assert tests > 100
    assert seconds > 0


def test_kronecker_symbols() -> None:
    gmpy2 = pytest.importorskip("gmpy2", reason="no gmpy2")
    small = range(-40, 41)
    long = [
        sign * (2**bits + step) for bits in (63, 64, 127, 500, 3000) for step in (-3, -1, 0, 1, 2) for sign in (1, -1)
    ]
    for a, n in [*itertools.product(small, small), *itertools.product(long, long), *itertools.product(small, long)]:
        assert pingala.kronecker(a, n) == gmpy2.kronecker(a, n), (a, n)
    assert pingala.kronecker(3 * 2**100, 15 * 2**99) == 0
    with pytest.raises(pingala.TimeLimitError):
        pingala.kronecker(3**200_000, 5**200_000, timeout=0)


def test_columns_of_symbols() -> None:
    above = pyarrow.array([5, -1, None, 3, 10], pyarrow.int64())
    column = pingala.jacobi_column(above, 21)
    assert column.to_pylist() == [1, 1, None, 0, -1]
    assert [column[at] for at in range(5)] == column.to_pylist()
    assert pyarrow.array(column).type == pyarrow.int8()
    assert pyarrow.array(column).to_pylist() == column.to_pylist()
    whole = pingala.jacobi_column(numpy.array([5, 2, 10], numpy.uint8), 21)
    assert numpy.asarray(whole).dtype == numpy.int8
    assert numpy.asarray(whole).tolist() == list(whole) == [pingala.jacobi(a, 21) for a in (5, 2, 10)]
    assert (column.width, column.null_count, len(column)) == (1, 1, 5)
    for pickled in (column, whole):
        again = pickle.loads(pickle.dumps(pickled))
        assert again.to_pylist() == pickled.to_pylist()
        assert repr(again) == repr(pickled)
    below = pyarrow.array(["21", "0x16", "-7", None, str(2**127 - 1)])
    coded = pingala.jacobi_column(10, below, errors="column")
    assert coded.error_codes == [None, "bad_argument", "bad_argument", None, None]
    assert coded.to_pylist() == [-1, None, None, None, pingala.jacobi(10, 2**127 - 1)]
    assert pyarrow.array(coded).field("result").to_pylist() == coded.to_pylist()
    assert pingala.jacobi_column(10, below, errors="null").to_pylist() == coded.to_pylist()
    with pytest.raises(pingala.ArgumentError) as caught:
        pingala.jacobi_column(10, below)
    assert caught.value.index == 1
    wide = [n.to_bytes(70, "little") for n in (2**521 - 1, 2**521 + 1)]
    assert pingala.jacobi_column(wide, wide[::-1], byteorder="little").to_pylist() == [
        pingala.jacobi(2**521 - 1, 2**521 + 1),
        pingala.jacobi(2**521 + 1, 2**521 - 1),
    ]
    assert pingala.jacobi_column(wide, 21, max_modulus_bits=100, errors="column").error_codes == ["too_long"] * 2
    assert pingala.jacobi_column(2**521, [b"\x15", None], max_modulus_bits=100, errors="null").to_pylist() == [
        None,
        None,
    ]
    assert pingala.jacobi_column([], 21).to_pylist() == []
    with pytest.raises(pingala.ArgumentError):
        pingala.jacobi_column(5, 21)
    with pytest.raises(pingala.ArgumentError):
        pingala.jacobi_column(wide, wide[:1])
    with pytest.raises(TypeError):
        pingala.jacobi_column(numpy.array([7.0]), 21)
