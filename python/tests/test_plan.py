"""plan, explain, and plans and kernels by force."""

import json
import pickle
import subprocess
import sys

import pytest

import pingala
from drawing import drawn
from pingala import Modulus, explain, plan, powmod, powmod_list

M = drawn("m", 2048) | 1
COMMAND = [sys.executable, "-m", "pingala", "explain", "--json"]
CALLS = [
    (3, 5, 7),
    (2, drawn("e", 64), drawn("m", 64) | 1),
    (drawn("b", 256), 65537, drawn("m", 256) | 1),
    (drawn("b", 2048), drawn("e", 2048), M),
    (drawn("b", 1024), drawn("e", 1024), (drawn("m", 900) | 1) << 124),
    (drawn("b", 128), drawn("e", 128), 1 << 128),
    (2, drawn("e", 2048), M),
    (drawn("b", 100), -drawn("e", 100), drawn("m", 127) | 1),
    (5, 0, 7),
    (5, 7, 1),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: "x".join(str(abs(v).bit_length()) for v in call))
def test_a_plan_is_a_line_that_forces_itself(call):
    base, exponent, modulus = call
    try:
        line = plan(base, exponent, modulus)
    except pingala.NotInvertibleError:
        with pytest.raises(pingala.NotInvertibleError):
            powmod(base, exponent, modulus)
        return
    assert line
    assert "\n" not in line
    assert powmod(base, exponent, modulus, plan=line) == pow(base, exponent, modulus)
    assert Modulus(modulus).plan(base, exponent) == line
    assert Modulus(modulus).pow(base, exponent, plan=line) == pow(base, exponent, modulus)
    assert powmod_list([base, base], exponent, modulus, plan=line) == [pow(base, exponent, modulus)] * 2
    explanation = explain(base, exponent, modulus)
    assert explanation.plan == line
    assert line in str(explanation)
    assert Modulus(modulus).explain(base, exponent) == explanation
    assert plan(base, exponent, modulus, plan=line) == Modulus(modulus).plan(base, exponent, plan=line) == line


def test_another_plan_gives_the_same_power():
    base, exponent = drawn("b", 2048), drawn("e", 2048)
    kernel = plan(base, exponent, M).partition(" on ")[2]
    for algorithm in ("binary_left_to_right", "sliding_window(w=3)", "montgomery_ladder"):
        assert powmod(base, exponent, M, plan=f"{algorithm} on {kernel}") == pow(base, exponent, M)


def test_the_portable_kernel_by_name():
    for base, exponent, modulus in CALLS[:6]:
        if modulus & (modulus - 1):
            assert powmod(base, exponent, modulus, kernel="portable_r64") == pow(base, exponent, modulus)
            assert "portable_r64" in plan(base, exponent, modulus, kernel="portable_r64")
        else:
            # Never a fallback: a kernel for odd moduli cannot do a power of two.
            with pytest.raises(pingala.PlanError, match="portable_r64"):
                powmod(base, exponent, modulus, kernel="portable_r64")
    assert powmod_list([3, 4], 5, M, kernel="portable_r64") == [3**5, 4**5]


@pytest.mark.parametrize("keyword", [{"kernel": "abacus"}, {"plan": "abacus"}, {"plan": ""}, {"plan": "x on y(n=1"}])
def test_plans_and_kernels_that_are_none(keyword):
    for call in (
        lambda: powmod(drawn("b", 500), drawn("e", 500), drawn("m", 500) | 1, **keyword),
        lambda: Modulus(M).pow(3, 5, **keyword),
        lambda: powmod_list([3, 4], 5, M, **keyword),
    ):
        with pytest.raises(pingala.PlanError) as caught:
            call()
        assert caught.value.code == "bad_plan"


def test_a_line_is_completed():
    line = plan(3, drawn("e", 2048), M, plan="montgomery_ladder")
    assert line.startswith("montgomery_ladder on ")
    assert line.endswith(")")
    for explanation in (
        explain(3, drawn("e", 2048), M, plan="montgomery_ladder"),
        Modulus(M).explain(3, drawn("e", 2048), plan=line),
    ):
        assert explanation.plan == line
        assert explanation.chosen.startswith(f"Forced: {line}, ")
        assert explanation.next_best.startswith("The cheapest is ")


def test_plans_for_sizes():
    base, exponent, modulus = drawn("b", 2048), drawn("e", 2048), M
    sizes = {"modulus_bits": 2048, "exponent_bits": 2048}
    line = plan(**sizes)
    assert powmod(base, exponent, modulus, plan=line) == pow(base, exponent, modulus)
    assert explain(**sizes).plan == line
    assert plan(**sizes, plan="montgomery_ladder").startswith("montgomery_ladder on ")
    assert plan(**sizes, kernel="portable_r64(product=cios)").endswith(" on portable_r64(n=32, product=cios)")
    assert plan(**sizes, count=10).endswith(" x 10)")
    assert plan(**sizes, trailing_zeros=9).startswith("even(")
    assert plan(**sizes, secret=True).startswith("fixed_window(")
    with pytest.raises(pingala.PlanError):
        plan(**sizes, secret=True, plan="sliding_window")


def test_explaining_sizes():
    sizes = {"modulus_bits": 2048, "exponent_bits": 2048}
    explanation = explain(**sizes)
    assert "sliding_window" in str(explanation)
    assert explain(**sizes) == explanation
    for more in ({"trailing_zeros": 5}, {"base_bits": 2}, {"secret": True}):
        assert explain(**sizes, **more) != explanation
    assert len(explain(**sizes, trailing_zeros=5).parts) == 2
    assert explain(modulus_bits=64, exponent_bits=64, count=1000).seconds > 0


def test_an_explanation_has_fields():
    explanation = explain(modulus_bits=2048, exponent_bits=2048)
    assert explanation.chosen.startswith(f"Chosen: {explanation.plan}, ")
    assert explanation.next_best.startswith("Next best: ")
    assert explanation.problem == "modulus of 2048 bits, exponent of 2048 bits"
    assert explanation.build_seconds is explanation.alternative is None
    [part] = explanation.parts
    assert (part.problem, part.count) == ("odd modulus of 2048 bits, exponent of 2048 bits", 1)
    [chosen] = [candidate for candidate in part.candidates if candidate.chosen]
    assert (chosen.plan, chosen.ratio, chosen.bytes) == (explanation.plan, 1.0, None)
    assert chosen.plan == f"{chosen.algorithm} on {chosen.kernel}"
    assert [candidate.seconds for candidate in part.candidates] == sorted(c.seconds for c in part.candidates)
    assert chosen.squarings + chosen.products + chosen.base_products > 2047


def test_an_explanation_is_text_and_json():
    explanation = explain(modulus_bits=2048, exponent_bits=2048)
    lines = str(explanation).splitlines()
    assert lines[:2] == [explanation.chosen, explanation.next_best]
    rows = [line for line in lines[5:] if " on " in line]
    assert len(rows) == 12
    [part] = explanation.parts
    assert f"{len(part.candidates) - 12} of {len(part.candidates)} candidates are left out" in lines[-1]
    assert lines[-1].endswith(": text(all=True) has them")
    everything = explanation.text(all=True)
    assert all(candidate.plan in everything for candidate in part.candidates)
    assert json.loads(json.dumps(explanation.to_dict()))["parts"][0]["candidates"][0]["plan"] == part.candidates[0].plan
    assert pickle.loads(pickle.dumps(explanation)) == explanation
    command = json.loads(subprocess.check_output([*COMMAND, "--modulus-bits", "2048", "--exponent-bits", "2048"]))
    assert command == json.loads(json.dumps(explanation.to_dict()))


def test_lists_are_explained_with_the_other_way():
    exponents = [drawn(f"e{i}", 1024) for i in range(40)]
    explanation = pingala.explain_exp_list(3, exponents, drawn("m", 1024) | 1, threads=1)
    assert explanation.alternative.what == "each power by itself"
    assert explanation.alternative.seconds > explanation.seconds
    assert explanation.alternative.plan.startswith("batch(")
    assert "each power by itself would take " in explanation.chosen


def test_sizes_that_cannot_be():
    for wrong in (
        {"modulus_bits": 0},
        {"modulus_bits": 2**24 + 1},
        {"exponent_bits": 0},
        {"exponent_bits": 2**26 + 1},
        {"trailing_zeros": 64},
        {"base_bits": 0},
        {"base_bits": 65},
        {"count": 0},
    ):
        for call in (explain, plan):
            with pytest.raises(pingala.ArgumentError, match=next(iter(wrong))):
                call(**{"modulus_bits": 64, "exponent_bits": 64, **wrong})
    for extreme in (
        {"modulus_bits": 1, "exponent_bits": 1},
        {"modulus_bits": 64, "exponent_bits": 64, "trailing_zeros": 63},
        {"modulus_bits": 2**24, "exponent_bits": 2**26, "count": 2**64 - 1},
    ):
        assert explain(**extreme).plan
    assert plan(modulus_bits=2**24 + 1, exponent_bits=3, max_modulus_bits=2**25)
    with pytest.raises(pingala.ArgumentError, match="exponent_bits"):
        plan(modulus_bits=64, exponent_bits=65, max_exponent_bits=64)


def test_explaining_neither_or_both():
    for arguments, keywords in [
        ((), {}),
        ((2, 3), {}),
        ((2, 3, 5), {"modulus_bits": 3}),
        ((), {"modulus_bits": 3}),
        ((), {"exponent_bits": 3}),
        ((2, 3, 5), {"secret": True}),
        ((2, 3, 5), {"count": 2}),
    ]:
        for call in (explain, plan):
            with pytest.raises(TypeError):
                call(*arguments, **keywords)


def test_a_modulus_of_zero_has_no_plan():
    with pytest.raises(pingala.ZeroModulusError):
        plan(2, 3, 0)
    with pytest.raises(pingala.ZeroModulusError):
        explain(2, 3, 0)


def test_a_list_of_bases_is_explained():
    bases, exponent = [drawn(f"b{i}", 2048) for i in range(16)], drawn("e", 300)
    line = pingala.explain_base_list(bases, exponent, M).plan
    assert "batch(" in line
    assert pingala.powmod_base_list(bases, exponent, M, plan=line) == [pow(base, exponent, M) for base in bases]
    assert "portable_r64" in pingala.explain_base_list(bases, exponent, M, kernel="portable_r64").plan
    with pytest.raises(pingala.ArgumentError):
        pingala.explain_base_list([], exponent, M)
