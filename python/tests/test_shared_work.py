"""Several powers of one base, and products of powers: the same numbers as one power at a time."""

import math

import gmpy2
import pytest

import pingala
from drawing import drawn

MODULI = [drawn("m", 512) | 1, drawn("m", 300) << 7, 1 << 200, 10**9 + 7, 1]
EXPONENTS = [0, 1, 2, 65537, drawn("a", 300), drawn("b", 64), drawn("a", 300), drawn("c", 1000)]


def expected_product(bases, exponents, modulus):
    return math.prod(pow(b, e, modulus) for b, e in zip(bases, exponents, strict=True)) % modulus


@pytest.mark.parametrize("modulus", MODULI)
@pytest.mark.parametrize("base", [3, 2, 0, -7, drawn("base", 700)])
def test_one_base_and_many_exponents(base, modulus):
    expected = [pow(base, exponent, modulus) for exponent in EXPONENTS]
    assert pingala.powmod_exp_list(base, EXPONENTS, modulus) == expected
    assert pingala.powmod_exp_list(base, EXPONENTS, modulus, threads=1, memory=1 << 20) == expected
    assert pingala.powmod_list(base, EXPONENTS, modulus) == expected


@pytest.mark.parametrize(
    "plan",
    [
        "separate_windows(w=3)",
        "comb(h=3, v=2)",
        "common_bits(c=2)",
        "common_bits(c=4)",
        "shared_squarings(w=3)",
        "shared_squarings",
    ],
)
def test_a_plan_for_many_exponents_is_forced_by_its_line(plan):
    modulus = MODULI[0]
    expected = [pow(5, exponent, modulus) for exponent in EXPONENTS]
    assert pingala.powmod_exp_list(5, EXPONENTS, modulus, plan=plan) == expected
    assert plan in pingala.explain_exp_list(3, EXPONENTS, modulus, plan=plan).plan


def test_what_two_threads_do_is_explained():
    exponents = [drawn(f"long {i}", 60_000) for i in range(4)]
    modulus = MODULI[0]
    line = pingala.explain_exp_list(3, exponents, modulus, threads=2).plan
    assert line.startswith("threads(2, ")
    expected = [pow(5, exponent, modulus) for exponent in exponents]
    assert pingala.powmod_exp_list(5, exponents, modulus, threads=2, plan=line) == expected
    assert "threads(" not in pingala.explain_exp_list(3, exponents, modulus, threads=1).plan


def test_negative_exponents_and_the_sign_of_the_modulus():
    modulus = MODULI[0]
    exponents = [-3, 5, -1, 0]
    assert pingala.powmod_exp_list(7, exponents, modulus) == [pow(7, e, modulus) for e in exponents]
    assert pingala.powmod_exp_list(7, [3, 5], -modulus) == [pow(7, e, -modulus) for e in [3, 5]]
    with pytest.raises(pingala.NotInvertibleError) as caught:
        pingala.powmod_exp_list(7, [1, 2, -1], 49)
    assert caught.value.index == 2


@pytest.mark.parametrize("modulus", MODULI)
@pytest.mark.parametrize("count", [0, 1, 2, 5, 60])
def test_products(count, modulus):
    bases = [drawn(f"b{i}", 600) * (-1) ** i for i in range(count)]
    exponents = [drawn(f"e{i}", 1 + 11 * i) for i in range(count)]
    expected = expected_product(bases, exponents, modulus)
    assert pingala.powmod_product(bases, exponents, modulus) == expected
    assert pingala.powmod_product(iter(bases), iter(exponents), pingala.Modulus(modulus), threads=1) == expected


@pytest.mark.parametrize(
    "plan", ["straus(c=2, w=2)", "interleaved_windows(w=4)", "bos_coster", "pippenger(w=3)", "pippenger"]
)
def test_a_plan_for_products_is_forced_by_its_line(plan):
    bases = [gmpy2.mpz(drawn(f"b{i}", 600)) for i in range(9)]
    exponents = [drawn(f"e{i}", 200 + i) for i in range(9)]
    expected = expected_product(map(int, bases), exponents, MODULI[0])
    assert pingala.powmod_product(bases, exponents, MODULI[0], plan=plan) == expected
    assert plan in pingala.explain_product(bases, exponents, MODULI[0], plan=plan).plan


def test_the_plan_of_a_list_is_the_one_that_its_line_forces():
    moduli = [MODULI[0], 1 << 200, 1000003] * 4
    exponents = [drawn(f"e{i}", 30 + 40 * i) for i in range(12)]
    plan = pingala.plan_list(range(2, 14), exponents, moduli, threads=1)
    assert " on " in plan
    expected = [pow(b, e, m) for b, e, m in zip(range(2, 14), exponents, moduli, strict=True)]
    assert pingala.powmod_list(range(2, 14), exponents, moduli, plan=plan, threads=1) == expected
    with pytest.raises(pingala.ZeroModulusError, match="element 1"):
        pingala.plan_list([2, 3], [4, 5], [7, 0])
    with pytest.raises(pingala.PlanError):
        pingala.plan_list([2, 3], [4, 5], 7, kernel="none")


def test_the_plan_of_a_list_of_products_is_the_one_that_its_line_forces():
    products = [[3, 5, 7], [2], [11, 13, 17], [], [19, 23, 29]]
    moduli = [MODULI[0], 1000003, MODULI[0], 7, MODULI[0]]
    plan = pingala.plan_product_list(products, products, moduli, threads=1)
    assert " on " in plan
    expected = [expected_product(product, product, modulus) for product, modulus in zip(products, moduli, strict=True)]
    assert pingala.powmod_product_list(products, products, moduli, plan=plan, threads=1) == expected
    explanation = pingala.explain_product_list(products, products, moduli, threads=1)
    assert explanation.plan == plan
    assert explanation.seconds > 0
    assert any(candidate.chosen for part in explanation.parts for candidate in part.candidates)
    assert pingala.plan_product_list([], [], 7) == "list()"
    with pytest.raises(pingala.ArgumentError):
        pingala.explain_product_list([], [], 7)
    with pytest.raises(pingala.ArgumentError, match="differ in length"):
        pingala.plan_product_list([[1], [2]], [[3]], 7)
    with pytest.raises(TypeError, match="exponents"):
        pingala.plan_product_list([[2]], 3, 7)


def test_products_and_bases_are_explained_for_several_threads():
    modulus, exponents = drawn("m", 2048) | 1, [drawn(f"e{i}", 2048) * (-1) ** (i // 40) for i in range(80)]
    explanation = pingala.explain_product(exponents, exponents, modulus, threads=2)
    assert sum(part.count for part in explanation.parts) == 2  # one for either sign
    assert "negative (one inversion)" in explanation.problem
    assert explanation.plan.startswith("over(threads(2, split(")
    assert "threads(" not in pingala.explain_product(exponents, exponents, modulus, threads=1).plan
    assert pingala.explain_base_list(exponents, exponents[0], modulus, threads=2).plan.startswith("threads(2, batch(")
    assert "threads(" not in pingala.explain_base_list(exponents, exponents[0], modulus, threads=1).plan


def test_too_little_memory_is_said_with_what_would_be_enough():
    modulus, pairs = drawn("m", 2048) | 1, ([3, 5], [7**300, 11**200])
    with pytest.raises(pingala.PlanError, match=r"at least (\d+) bytes are needed, 0 are allowed") as caught:
        pingala.powmod_product(*pairs, modulus, memory=0)
    least = int(str(caught.value).split(" bytes are needed")[0].split()[-1])
    assert pingala.powmod_product(*pairs, modulus, memory=least) == expected_product(*pairs, modulus)
    with pytest.raises(pingala.PlanError, match="bytes are needed"):
        pingala.powmod_product(*pairs, modulus, memory=least - 1)


def test_products_with_negative_exponents_isolate_the_base_without_inverse():
    assert pingala.powmod_product([2, 3], [-1, 4], 1001) == pow(2, -1, 1001) * 81 % 1001
    with pytest.raises(pingala.NotInvertibleError) as caught:
        pingala.powmod_product([2, 7, 11], [-1, 4, -2], 1001)
    assert caught.value.index == 2


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([2], [3, 4], 7), pingala.ArgumentError),
        (([2], [3], 0), pingala.ZeroModulusError),
        ((2, [3], 7), TypeError),
        (([2], [3.0], 7), TypeError),
        (([2], [1 << 70], 7), pingala.TooLongError),
    ],
)
def test_what_products_refuse(arguments, error):
    with pytest.raises(error):
        pingala.powmod_product(*arguments, max_exponent_bits=64)


def test_caps_may_be_any_number_from_0_on():
    m = pingala.Modulus(1009)
    for most in (2**63, 2**64, 2**200):
        assert pingala.powmod_product([2, 3], [5, 6], m, memory=most, max_exponent_bits=most) == 32 * 729 % 1009
    for keywords in ({"memory": -1}, {"max_exponent_bits": -1}, {"max_modulus_bits": -(2**70)}):
        with pytest.raises(pingala.ArgumentError, match="at least 0, not -"):
            pingala.powmod_product([2, 3], [5, 6], m, **keywords)
    with pytest.raises(TypeError):
        pingala.powmod_product([2, 3], [5, 6], m, memory=1.5)
    with pytest.raises(pingala.ArgumentError, match="at least 0, not -1"):
        pingala.FixedBase(2, m, 100, -1)


def test_a_negative_modulus_gives_its_sign():
    assert pingala.powmod_product([2, 3], [5, 6], -1001) == pow(2, 5) * pow(3, 6) % -1001


def test_lists_of_products():
    bases = [[drawn(f"b{i} {j}", 1024) for j in range(2)] for i in range(40)]
    exponents = [[drawn(f"e{i} {j}", 160) for j in range(2)] for i in range(40)]
    moduli = [drawn(f"m{i % 3}", 1024) | 1 for i in range(40)]
    expected = [expected_product(*row) for row in zip(bases, exponents, moduli, strict=True)]
    seen = []
    given = (map(iter, bases), iter(exponents), [pingala.Modulus(modulus) for modulus in moduli])
    assert pingala.powmod_product_list(*given, progress=lambda done, total: seen.append((done, total))) == expected
    assert seen[-1] == (40, 40)
    assert pingala.powmod_product_list(bases, exponents, moduli, threads=1) == expected
    # Of any shape, with one modulus and its sign.
    assert pingala.powmod_product_list([[], [2, -3], [5]], [[], [10, 3], [-1]], -1009) == [
        1 % -1009,
        -27 * 2**10 % -1009,
        pow(5, -1, -1009),
    ]
    assert pingala.powmod_product_list([], [], 7) == []


def test_an_error_of_a_product_stays_in_its_place():
    rows = ([[2, 3], [2, 7], [2], [2, 3], 5], [[5, 6], [1, -1], [1, 2], [1, 2.5], [1]], [1009, 49, 1009, 1009, 1009])
    got = pingala.powmod_product_list(*rows, errors="return")
    assert got[0] == 32 * 729 % 1009
    kinds = [pingala.NotInvertibleError, pingala.ArgumentError, pingala.ElementTypeError, pingala.ElementTypeError]
    assert [type(error) for error in got[1:]] == kinds
    assert [error.index for error in got[1:]] == [1, 2, 3, 4]
    for end in range(2, 6):
        with pytest.raises(kinds[end - 2]) as caught:
            pingala.powmod_product_list(*[row[end - 1 : end] for row in rows])
        assert caught.value.index == 0
    with pytest.raises(pingala.ArgumentError, match="differ in length"):
        pingala.powmod_product_list([[2]], [], 7)
    with pytest.raises(pingala.ZeroModulusError):
        pingala.powmod_product_list([[2]], [[3]], 0)
    with pytest.raises(TypeError):
        pingala.powmod_product_list(2, [[3]], 7)
    with pytest.raises(pingala.PlanError):
        pingala.powmod_product_list([[2]], [[3]], 7, plan="binary")
