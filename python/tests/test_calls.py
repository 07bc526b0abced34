"""The calls of vectors/calls.txt, which drive every binding, in every way that Python has for their numbers."""

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pingala
from generated import FILE, Answer, Call, answer, calls, columns, first_error, of_column, of_list, read_call

# What Python does not offer: the name that it would have, why it is not there, and what makes its calls here.
NOT_OFFERED = {
    "modexp": (
        ("modexp",),
        "powmod reads int, which has no length; the bytes of EIP-198 are for virtual machines",
        "powmod",
    ),
}

CALLS = calls(FILE)


def rows(call: Call) -> Iterator[list[Answer]]:
    """Bases and exponents of one kind, or one of them as text, with every kind of moduli."""
    moduli = call.each([modulus.value for modulus in call.moduli])
    handles = [modulus.handle() for modulus in call.moduli if len(call.moduli) == 1 and modulus.value]
    divisors = [*columns(moduli), *(("handle", {}, handle) for handle in handles)]
    for base_kind, *bases in columns(call.bases):
        for exponent_kind, *exponents in columns(call.exponents):
            for _, *divisor in divisors:
                orders, arguments = zip(bases, exponents, divisor, strict=True)
                if (base_kind == exponent_kind or "text" in (base_kind, exponent_kind)) and (
                    len({order["byteorder"] for order in orders if order}) < 2
                ):
                    order = {name: value for order in orders for name, value in order.items()}
                    yield from of_column(
                        call, functools.partial(pingala.powmod_column, *arguments, **call.rows, **order)
                    )


def by_its_line(call: Call, modulus: pingala.Modulus) -> int:
    """The power by the line that its plan prints."""
    given = (call.base, call.exponent)
    return modulus.pow(*given, plan=modulus.plan(*given, **call.limit, **call.forced), **call.limit)


def power(call: Call) -> Iterator[list[Answer]]:
    modulus, base, exponent = call.moduli[0].handle(), call.base, call.exponent
    yield [answer(lambda: modulus.pow(base, exponent, **call.one))]
    yield [answer(lambda: pingala.powmod(base, exponent, modulus, **call.one))]
    if call.plan:
        yield [answer(lambda: by_its_line(call, modulus))]


def powmod(call: Call) -> Iterator[list[Answer]]:
    yield [answer(lambda: pingala.powmod(call.base, call.exponent, call.moduli[0].value, **call.one))]


def any_list(call: Call) -> Iterator[list[Answer]]:
    bases, exponents = call.bases, call.exponents
    handles, values = [modulus.handle() for modulus in call.moduli], [modulus.value for modulus in call.moduli]
    for moduli in (call.each(handles), call.each(values)):
        yield from of_list(
            call, lambda errors, m=moduli: pingala.powmod_list(bases, exponents, m, errors=errors, **call.many)
        )
    if len(handles) == 1:
        yield from of_list(call, lambda errors: handles[0].pow_list(bases, exponents, errors=errors, **call.many))
        one = (bases, exponents, handles[0])
        yield from of_list(call, lambda errors: pingala.powmod_list(*one, errors=errors, **call.many))
    yield from rows(call)


def base_list(call: Call) -> Iterator[list[Answer]]:
    bases, exponent, modulus = call.bases, call.exponent, call.moduli[0].handle()
    for divisor in (modulus, modulus.value):
        one = (bases, exponent, divisor)
        yield from of_list(call, lambda errors, one=one: pingala.powmod_base_list(*one, errors=errors, **call.many))
        yield from of_list(call, lambda errors, one=one: pingala.powmod_list(*one, errors=errors, **call.many))
    yield from of_list(call, lambda errors: modulus.pow_list(bases, exponent, errors=errors, **call.many))
    for _, keywords, column in columns(bases):
        given = (column, exponent, modulus)
        both = {**call.rows, **keywords}
        yield from of_column(call, lambda errors, g=given, k=both: pingala.powmod_column(*g, errors=errors, **k))


def exponent_list(call: Call) -> Iterator[list[Answer]]:
    base, exponents, modulus = call.base, call.exponents, call.moduli[0].handle()
    for divisor in (modulus, modulus.value):
        one = (base, exponents, divisor)
        yield from of_list(
            call, lambda errors, one=one: pingala.powmod_exp_list(*one, errors=errors, **call.many, **call.shared)
        )
        yield from of_list(call, lambda errors, one=one: pingala.powmod_list(*one, errors=errors, **call.many))
    yield from of_list(call, lambda errors: modulus.pow_list(base, exponents, errors=errors, **call.many))
    for _, keywords, column in columns(exponents):
        given = (base, column, modulus)
        both = {**call.rows, **keywords}
        yield from of_column(call, lambda errors, g=given, k=both: pingala.powmod_column(*g, errors=errors, **k))


def product(call: Call) -> Iterator[list[Answer]]:
    _, bases, exponents = call.elements[0]
    modulus = call.moduli[0].handle()
    for divisor in (modulus, modulus.value):
        yield [
            answer(
                lambda divisor=divisor: pingala.powmod_product(bases, exponents, divisor, **call.many, **call.shared)
            )
        ]


def product_list(call: Call) -> Iterator[list[Answer]]:
    bases, exponents = [row[1] for row in call.elements], [row[2] for row in call.elements]
    handles, values = [modulus.handle() for modulus in call.moduli], [modulus.value for modulus in call.moduli]
    single = [handles[0]] if len(handles) == 1 else []
    for moduli in (call.each(handles), call.each(values), *single):
        given = (bases, exponents, moduli)
        yield from of_list(
            call, lambda errors, g=given: pingala.powmod_product_list(*g, errors=errors, **call.many, **call.shared)
        )


def fixed_base(call: Call) -> Iterator[list[Answer]]:
    table = call.table()
    yield [answer(lambda exponent=exponent: table.pow(exponent)) for exponent in call.exponents]


def table_lists(call: Call, table: pingala.FixedBase) -> Iterator[list[Answer]]:
    many = {"threads": call.threads}
    yield from of_list(call, lambda errors: table.pow_list(call.exponents, errors=errors, **many))
    for _, keywords, column in columns(call.exponents):
        both = {**many, **keywords}
        yield from of_column(call, lambda errors, c=column, k=both: table.pow_column(c, errors=errors, **k))


def fixed_base_list(call: Call) -> Iterator[list[Answer]]:
    yield from table_lists(call, call.table())


def fixed_base_file(call: Call, tmp_path: Path) -> Iterator[list[Answer]]:
    table, path = call.table(), tmp_path / "table"
    table.save(path)
    for mapped in (False, True):
        loaded = pingala.FixedBase.load(path, base=table.base, modulus=table.modulus, map=mapped, threads=call.threads)
        yield from table_lists(call, loaded)


def squaring(call: Call) -> Iterator[list[Answer]]:
    squarings = call.exponent.bit_length() - 1
    for divisor in (call.moduli[0].handle(), call.moduli[0].value):
        given = (call.base, squarings, divisor)
        yield [answer(lambda given=given: pingala.repeated_square(*given, **call.products))]


class StopError(Exception):
    pass


def squaring_resumed(call: Call, tmp_path: Path) -> Iterator[list[Answer]]:
    squarings, modulus = call.exponent.bit_length() - 1, call.moduli[0].handle()
    given = {"checkpoint": tmp_path / "state", "threads": call.threads}

    def stop(done: int, total: int) -> None:
        raise StopError

    given["checkpoint"].unlink(missing_ok=True)
    try:
        pingala.repeated_square(call.base, squarings, modulus, progress=stop, **given)
    except StopError:
        assert given["checkpoint"].exists()
    yield [answer(lambda: pingala.repeated_square(call.base, squarings, modulus, **given))]


def invert(call: Call) -> Iterator[list[Answer]]:
    modulus = call.moduli[0].handle()
    yield [answer(lambda: modulus.invert(call.base))]
    yield [answer(lambda: pingala.invert(call.base, modulus, **call.timed))]
    yield [answer(lambda: pingala.invert(call.base, modulus.value, **call.timed))]


def invert_list(call: Call) -> Iterator[list[Answer]]:
    modulus, many = call.moduli[0].handle(), {"threads": call.threads}
    yield from of_list(call, lambda errors: modulus.invert_list(call.bases, errors=errors, **many))
    for _, keywords, column in columns(call.bases):
        for divisor in (modulus, modulus.value):
            given, both = (column, divisor), {**many, **keywords}
            yield from of_column(call, lambda errors, g=given, k=both: pingala.invert_column(*g, errors=errors, **k))


def revealed(value: Any) -> int:
    return int.from_bytes(value.reveal(), "big") if isinstance(value, pingala.SecretInt) else value


def secrets(call: Call, values: list[int]) -> list[pingala.SecretInt]:
    return [pingala.SecretInt(value, call.bits(value)) for value in values]


def secret_power(call: Call) -> Iterator[list[Answer]]:
    modulus, base, exponent = call.moduli[0].handle(), call.base, call.exponent
    bits, keywords = call.bits(exponent), call.secretly
    for power in (modulus.pow_sec, lambda b, e, *bits, **k: pingala.powmod_sec(b, e, modulus, *bits, **k)):
        yield [answer(lambda power=power: power(base, exponent, bits, **keywords))]
        yield [answer(lambda power=power: power(base, secrets(call, [exponent])[0], **keywords))]
    if base >= 0:
        yield from secret_bytes(call)


def secret_bytes(call: Call) -> Iterator[list[Answer]]:
    modulus, base, exponent = call.moduli[0].handle(), call.base, call.exponent
    secret = pingala.SecretInt(base.to_bytes((base.bit_length() + 7) // 8 + 1, "big"))
    yield [answer(lambda: revealed(modulus.pow_sec(secret, exponent, call.bits(exponent), **call.secretly)))]
    yield [answer(lambda: modulus.pow_sec(base, exponent, call.bits(exponent), **call.secretly))]


def without_errors(call: Call, make: Callable[[list[int]], list[Any]]) -> Iterator[list[Answer]]:
    """A list that raises: the first error of all, and the results of the elements that have none."""
    first_error(call, lambda: make(list(range(len(call.results)))))
    good = [at for at, result in enumerate(call.results) if not isinstance(result, str)]
    done = dict(zip(good, make(good), strict=True))
    yield [done.get(at, result) for at, result in enumerate(call.results)]


def secret_list(call: Call) -> Iterator[list[Answer]]:
    modulus, keywords = call.moduli[0].handle(), {"threads": call.threads, **call.secretly}
    all_bases, all_exponents = call.bases, secrets(call, call.exponents)

    def ints(places: list[int]) -> list[Any]:
        exponents = [all_exponents[at] for at in places]
        return modulus.pow_sec_list([all_bases[at] for at in places], exponents, **keywords)

    def bases_too(places: list[int]) -> list[Any]:
        bases = [pingala.SecretInt(all_bases[at]) for at in places]
        powers = modulus.pow_sec_list(bases, [all_exponents[at] for at in places], **keywords)
        return [revealed(power) for power in powers]

    yield from without_errors(call, ints)
    yield from without_errors(call, bases_too)


def secret_fixed_base(call: Call) -> Iterator[list[Answer]]:
    table = call.table(secret=True)
    yield [answer(lambda e=e: table.pow_sec(e, call.bits(e))) for e in call.exponents]
    yield [answer(lambda secret=secret: table.pow_sec(secret)) for secret in secrets(call, call.exponents)]


def secret_fixed_base_list(call: Call) -> Iterator[list[Answer]]:
    table, exponents = call.table(secret=True), secrets(call, call.exponents)
    many = {"threads": call.threads}
    yield from without_errors(call, lambda places: table.pow_sec_list([exponents[at] for at in places], **many))


def mul_list(call: Call) -> Iterator[list[Answer]]:
    a, b, modulus = call.bases, call.exponents, call.moduli[0].handle()
    yield list(modulus.mul_list(a, b, **call.products))
    if len(set(a)) == 1:
        yield modulus.mul_list(a[0], b, **call.products)
    if len(set(b)) == 1:
        yield modulus.mul_list(a, b[0], **call.products)
    yield (modulus.residues(a) * modulus.residues(b)).tolist()
    yield from mul_rows(call)


def square_list(call: Call) -> Iterator[list[Answer]]:
    values, modulus = call.bases, call.moduli[0].handle()
    yield list(modulus.square_list(values, **call.products))
    yield modulus.residues(values).square(threads=call.threads).tolist()


def value_product(call: Call) -> Iterator[list[Answer]]:
    values, modulus = call.elements[0][1], call.moduli[0].handle()
    yield [modulus.product(values, **call.products)]
    yield [modulus.residues(values).product(threads=call.threads)]


def running_product(call: Call) -> Iterator[list[Answer]]:
    values, modulus = call.bases, call.moduli[0].handle()
    yield list(modulus.running_product(values, **call.forced, **call.timed))
    yield modulus.residues(values).running_product().tolist()


def residue_chain(call: Call) -> Iterator[list[Answer]]:
    modulus = call.moduli[0].handle()
    a, b = modulus.residues(call.bases, threads=call.threads), modulus.residues(call.exponents)
    yield ((a * b).square(threads=call.threads) * (a * a.square().square())).tolist()


def mul_rows(call: Call) -> Iterator[list[Answer]]:
    """Factors of one kind, or one of them as text, with every kind of moduli."""
    moduli = call.each([modulus.value for modulus in call.moduli])
    handles = [modulus.handle() for modulus in call.moduli if len(call.moduli) == 1 and modulus.value]
    divisors = [*columns(moduli), *(("handle", {}, handle) for handle in handles)]
    for a_kind, *a in columns(call.bases):
        for b_kind, *b in columns(call.exponents):
            for _, *divisor in divisors:
                orders, arguments = zip(a, b, divisor, strict=True)
                if (a_kind == b_kind or "text" in (a_kind, b_kind)) and (
                    len({order["byteorder"] for order in orders if order}) < 2
                ):
                    order = {name: value for order in orders for name, value in order.items()}
                    yield from of_column(
                        call,
                        functools.partial(
                            pingala.mulmod_column, *arguments, threads=call.threads, **call.forced, **order
                        ),
                    )


# Each workload by its public calls, in every way that Python has for its numbers.
WORKLOADS: dict[str, Callable[..., Iterator[list[Answer]]]] = {
    "power": power,
    "powmod": powmod,
    "list": any_list,
    "base_list": base_list,
    "exponent_list": exponent_list,
    "product": product,
    "product_list": product_list,
    "fixed_base": fixed_base,
    "fixed_base_list": fixed_base_list,
    "fixed_base_file": fixed_base_file,
    "squaring": squaring,
    "squaring_resumed": squaring_resumed,
    "invert": invert,
    "invert_list": invert_list,
    "rows": rows,
    "words": rows,
    "secret_power": secret_power,
    "secret_bytes": secret_bytes,
    "secret_list": secret_list,
    "secret_fixed_base": secret_fixed_base,
    "secret_fixed_base_list": secret_fixed_base_list,
    "mul_list": mul_list,
    "square_list": square_list,
    "value_product": value_product,
    "running_product": running_product,
    "residue_chain": residue_chain,
    "mul_rows": mul_rows,
    "mul_words": mul_rows,
}


def test_the_file_has_each_workload() -> None:
    assert set(CALLS) == set(WORKLOADS) | set(NOT_OFFERED)
    assert min(map(len, CALLS.values())) >= 60


def test_what_is_not_offered_does_not_exist() -> None:
    for workload, (names, _, instead) in NOT_OFFERED.items():
        assert workload not in WORKLOADS
        assert instead in WORKLOADS
        assert not set(names) & set(pingala.__all__), workload


@pytest.mark.parametrize("workload", [*WORKLOADS, *NOT_OFFERED])
def test_calls(workload: str, tmp_path: Path) -> None:
    run = WORKLOADS[NOT_OFFERED[workload][2] if workload in NOT_OFFERED else workload]
    files = {"tmp_path": tmp_path} if workload in ("fixed_base_file", "squaring_resumed") else {}
    compared = 0
    for call in CALLS[workload]:
        try:
            for way, found in enumerate(run(call, **files)):
                assert call.agrees(found), f"way {way}: {found}"
                compared += 1
        except Exception as error:
            if getattr(error, "code", None) in call.tolerated:
                compared += 1
                continue
            error.add_note(call.line)
            raise
    assert compared >= len(CALLS[workload])


@pytest.mark.parametrize(
    "change",
    [("power ", "fourth_power "), (" threads=", " strands="), (" cap=", " speed=1 cap="), (" cap=", " cap=0 cap=")],
)
def test_what_the_driver_does_not_know_fails(change: tuple[str, str]) -> None:
    line = next(call.line for call in CALLS["power"]).replace(*change, 1)
    with pytest.raises((AssertionError, KeyError)):
        assert read_call(line).workload in WORKLOADS
