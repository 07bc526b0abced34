"""The calls of vectors/prime_calls.txt, which drive every binding: primes, roots, proofs of squarings, witnesses."""

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pingala
from generated import PRIME_FILE, Answer, Call, answer, calls, columns, first_error, of_column, of_list, read_call

CALLS = calls(PRIME_FILE)
PROOF = "wesolowski-v1:"


def limit(call: Call) -> dict[str, Any]:
    """The longest number, and the time-out."""
    return {**({"max_modulus_bits": call.cap} if call.cap else {}), **call.timed}


def many(call: Call) -> dict[str, Any]:
    return {"threads": call.threads, **limit(call)}


def number(answer: pingala.Primality) -> int:
    """The answer of a test as the file has it."""
    assert answer.proved == (answer.error_bound == 0)
    assert bool(answer) == answer.prime
    return answer.prime << answer.proved


def is_prime(call: Call) -> Iterator[list[Answer]]:
    yield [answer(lambda: number(pingala.is_prime(call.base, call.exponent, **limit(call))))]
    yield from is_prime_list(call)


def is_prime_list(call: Call) -> Iterator[list[Answer]]:
    numbers, rounds = call.bases, call.exponent
    first_error(call, lambda: [number(one) for one in pingala.is_prime_list(numbers, rounds, **many(call)).details])
    # A column says no more than whether.
    whether = dataclasses.replace(call, results=[one if isinstance(one, str) else min(one, 1) for one in call.results])
    for _, keywords, column in columns(numbers):
        both = {"threads": call.threads, **limit(call), **keywords}
        both.pop("timeout", None)
        for found in of_column(
            whether, lambda errors, c=column, k=both: pingala.is_prime_column(c, rounds, errors=errors, **k)
        ):
            assert found == whether.results
    yield call.results


def next_prime(call: Call) -> Iterator[list[Answer]]:
    yield [answer(lambda: pingala.next_prime(call.base, **many(call)))]


def previous_prime(call: Call) -> Iterator[list[Answer]]:
    yield [answer(lambda: pingala.previous_prime(call.base, **many(call)))]


def primes_between(call: Call) -> Iterator[list[Answer]]:
    a, b = call.base, call.exponent
    if isinstance(call.results[0], str):
        yield [answer(lambda: len(pingala.primes_between(a, b, **many(call))))]
    else:
        yield [*pingala.primes_between(a, b, **many(call)), 0]


def jacobi(call: Call) -> Iterator[list[Answer]]:
    yield [answer(lambda: pingala.jacobi(call.base, call.moduli[0].value, **limit(call)))]


def kronecker(call: Call) -> Iterator[list[Answer]]:
    yield [answer(lambda: pingala.kronecker(call.base, call.exponent, **limit(call)))]
    if call.exponent > 0 and call.exponent % 2:
        yield [answer(lambda: pingala.jacobi(call.base, call.exponent, **limit(call)))]


def jacobi_list(call: Call) -> Iterator[list[Answer]]:
    values = [modulus.value for modulus in call.moduli]
    for below in (call.each(values), *values[: len(values) == 1]):
        first_error(call, lambda below=below: pingala.jacobi_list(call.bases, below, **limit(call)))
    below = call.each(values)
    for (_, order, above), (_, other, column) in itertools.product(columns(call.bases), columns(below)):
        # Both columns have one order of bytes.
        if {**order, **other} == {**other, **order}:
            keywords = {**order, **other, **limit(call)}
            of_both = functools.partial(pingala.jacobi_column, above, column, **keywords)
            yield from of_column(call, lambda errors, make=of_both: make(errors=errors))
    yield call.results


def sqrt_mod(call: Call) -> Iterator[list[Answer]]:
    yield [answer(lambda: pingala.sqrt_mod(call.base, call.moduli[0].value, **limit(call)))]


def sqrt_mod_list(call: Call) -> Iterator[list[Answer]]:
    values = [modulus.value for modulus in call.moduli]
    for primes in (call.each(values), *values[: len(values) == 1]):
        yield from of_list(
            call, lambda errors, p=primes: pingala.sqrt_mod_list(call.bases, p, errors=errors, **many(call))
        )


def sqrt_mod_all(call: Call) -> Iterator[list[Answer]]:
    a, most, modulus = call.base, call.exponent, call.moduli[0]
    for p in [modulus.value, modulus.handle()] if modulus.value > 1 else [modulus.value]:
        if isinstance(p, int) and modulus.factors:
            continue
        try:
            roots = pingala.sqrt_mod_all(a, p, most=most, **limit(call))
        except pingala.PingalaError as error:
            if error.code in call.tolerated:
                raise
            yield [error.code]
            continue
        yield [*roots, 0]
        one = answer(lambda p=p: pingala.sqrt_mod(a, p, **limit(call)))
        assert one in call.tolerated or (one in roots and 2 * one <= modulus.value if roots else one == "bad_argument")


def estimate_prime(call: Call) -> Iterator[list[Answer]]:
    _, (bits, r, top_bits, safe), (secret, q, rounds, uniform) = call.elements[0]
    given = {"safe": bool(safe), "top_bits": top_bits, "uniform": bool(uniform), "secret": bool(secret)}
    given |= {"residue": (r, q)} if q else {}
    given |= {"rounds": rounds} if rounds else {}
    cap = {"max_modulus_bits": call.cap} if call.cap else {}

    def estimate() -> int:
        tests, seconds = pingala.estimate_random_prime(bits, threads=call.threads, **given, **cap)
        return int(tests >= 1 and seconds >= 0)

    yield [answer(estimate)]


def prove_squaring(call: Call, tmp_path: Path) -> Iterator[list[Answer]]:
    modulus, proofs = call.moduli[0], {"proof": "wesolowski", "threads": call.threads, **call.timed}
    first, second = tmp_path / "first", tmp_path / "second"
    for divisor, more in (
        (modulus.handle(), {}),
        (modulus.value, {"memory": 100, "checkpoint": first}),
        (modulus.value, {"memory": 10_000, "checkpoint": second}),
        (modulus.value, {"checkpoint": second}),
    ):
        try:
            result, proof = pingala.repeated_square(call.base, call.exponent, divisor, **proofs, **more)
        except pingala.PingalaError as error:
            yield [error.code, error.code]
            continue
        assert proof.startswith(PROOF)
        given = (call.base, call.exponent, divisor, result, proof)
        assert pingala.verify_squaring(*given, smallest_modulus_bits=0)
        assert pingala.verify_squaring(*given) == (modulus.value.bit_length() >= 1024)
        yield [result, int(proof.removeprefix(PROOF), 16)]
    first.unlink(missing_ok=True)
    second.unlink(missing_ok=True)


def verify_squaring(call: Call) -> Iterator[list[Answer]]:
    _, (base, result), (squarings, root) = call.elements[0]
    for divisor in (call.moduli[0].handle(), call.moduli[0].value):
        given = (base, squarings, divisor, result, f"{PROOF}{root:#x}")
        yield [int(pingala.verify_squaring(*given))]
        found = pingala.verify_squaring_list([base] * 2, squarings, divisor, [result, -1], given[-1:] * 2, threads=call.threads)
        assert not found[1]
        yield [int(found[0])]


def divisors(call: Call) -> list[pingala.Modulus | int]:
    return [call.moduli[0].handle(), call.moduli[0].value]


def accumulate(call: Call) -> Iterator[list[Answer]]:
    _, (g, *_), (_, *exponents) = call.elements[0]
    for divisor in divisors(call):
        yield [pingala.accumulate(g, exponents, divisor, threads=call.threads, **call.timed)]


def witnesses(call: Call) -> Iterator[list[Answer]]:
    for divisor in divisors(call):
        found = pingala.witnesses(call.base, call.exponents, divisor, threads=call.threads, **call.shared, **call.timed)
        yield list(found)
        yield list(pingala.witnesses(call.base, call.exponents, divisor, memory=0))
        of_all = pingala.accumulate(call.base, call.exponents, divisor)
        assert pingala.verify_witnesses(of_all, call.exponents, found, divisor)
        assert pingala.failing_witnesses(of_all, call.exponents, found, divisor) == []


def update_witnesses(call: Call) -> Iterator[list[Answer]]:
    old = [bases[0] for _, bases, _ in call.elements]
    added = call.elements[0][2] if call.elements else [3]
    for divisor in divisors(call):
        yield list(pingala.update_witnesses(old, added, divisor, threads=call.threads))


def failing_witnesses(call: Call) -> Iterator[list[Answer]]:
    found, exponents = [row[1][0] for row in call.elements], [row[2][0] for row in call.elements]
    of_all = call.elements[0][1][1] if call.elements else 0
    for divisor in divisors(call):
        given = (of_all, exponents, found, divisor)
        failing = pingala.failing_witnesses(*given, threads=call.threads)
        if not failing or call.moduli[0].value.bit_length() < 1024:
            # Longer moduli may hide a sign: tests of their own.
            assert pingala.verify_witnesses(*given, threads=call.threads) == (not failing)
        yield [int(at not in failing) for at in range(len(found))]


WORKLOADS: dict[str, Callable[..., Iterator[list[Answer]]]] = {
    "is_prime": is_prime,
    "is_prime_list": is_prime_list,
    "next_prime": next_prime,
    "previous_prime": previous_prime,
    "primes_between": primes_between,
    "jacobi": jacobi,
    "jacobi_list": jacobi_list,
    "kronecker": kronecker,
    "sqrt_mod": sqrt_mod,
    "sqrt_mod_list": sqrt_mod_list,
    "sqrt_mod_all": sqrt_mod_all,
    "estimate_prime": estimate_prime,
    "prove_squaring": prove_squaring,
    "verify_squaring": verify_squaring,
    "accumulate": accumulate,
    "witnesses": witnesses,
    "update_witnesses": update_witnesses,
    "failing_witnesses": failing_witnesses,
}


def test_the_file_has_each_workload() -> None:
    assert set(CALLS) == set(WORKLOADS)
    assert min(map(len, CALLS.values())) >= 60


@pytest.mark.parametrize("workload", WORKLOADS)
def test_calls(workload: str, tmp_path: Path) -> None:
    files = {"tmp_path": tmp_path} if workload == "prove_squaring" else {}
    compared = 0
    for call in CALLS[workload]:
        try:
            for way, found in enumerate(WORKLOADS[workload](call, **files)):
                assert call.agrees(found), f"way {way}: {found}"
                compared += 1
        except Exception as error:
            if getattr(error, "code", None) in call.tolerated:
                compared += 1
                continue
            error.add_note(call.line)
            raise
    assert compared >= len(CALLS[workload])


def test_an_option_that_the_driver_does_not_know_fails() -> None:
    line = CALLS["is_prime"][0].line
    assert read_call(line).workload == "is_prime"
    with pytest.raises(AssertionError):
        read_call(line.replace(" cap=", " speed=1 cap="))
