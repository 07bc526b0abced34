"""Masks and carries that the lemmas take from the Rust sources: expressions over truth values, as definitions in Coq.

A mask of ones is `true`, a flip by a mask is an exclusive or.
"""

from dataclasses import dataclass

from proofs.rust_text import EXACT, NotUnderstoodError, Sources, Term, evaluate


@dataclass(frozen=True)
class Mask:
    """A definition of Constants.v: name, arguments, and where its expression stands."""

    name: str
    arguments: tuple[str, ...]
    file: str
    pattern: str


KARATSUBA = "kernel/product/karatsuba.rs"
CYCLIC = "kernel/product/cyclic.rs"
KCM = "kernel/montgomery/kcm.rs"
FIRST_CARRIES = r"let carries = Carries \{ d: "
FROM_HIGH = r"let from_high = linear::add_flipped\(high, low, e, "
FROM_LOW = r"let from_low = linear::add_flipped_assign\(low, e, "

MASKS = (
    Mask("karatsuba_join", ("sign", "negative"), KARATSUBA, r"fn join<W: Word>.+?sign\.store\((.+?)\);"),
    Mask("karatsuba_where_equal", ("sign",), KARATSUBA, r"fn where_equal<W: Word>\(sign: &W\) -> W \{\s*(.+?)\s*\}"),
    Mask("karatsuba_always", (), KARATSUBA, r"fn always<W: Word>\(_: &W\) -> W \{\s*(.+?)\s*\}"),
    Mask("karatsuba_first_d", ("minus",), KARATSUBA, FIRST_CARRIES + r"(\w+), h: \w+, sum: \w+ \};"),
    Mask("karatsuba_first_h", ("minus",), KARATSUBA, FIRST_CARRIES + r"\w+, h: (\w+), sum: \w+ \};"),
    Mask("karatsuba_first_sum", ("minus",), KARATSUBA, FIRST_CARRIES + r"\w+, h: \w+, sum: (\w+) \};"),
    Mask("karatsuba_taken", ("minus",), KARATSUBA, r"let top = top\.sub_borrow\(W::ZERO, (.+?)\)\.0;"),
    Mask("cyclic_flip", ("a_negative", "b_negative"), CYCLIC, r"let flip = (.+?);"),
    Mask("cyclic_high_mask", ("flip",), CYCLIC, FROM_HIGH + r"(.+?), borrow"),
    Mask("cyclic_high_first", ("borrow", "minus"), CYCLIC, FROM_HIGH + r".+?, (borrow.+?)\);"),
    Mask("cyclic_low_mask", ("flip",), CYCLIC, FROM_LOW + r"(.+?), borrow"),
    Mask("cyclic_low_first", ("borrow", "minus"), CYCLIC, FROM_LOW + r".+?, (borrow.+?)\);"),
    Mask("cyclic_high_taken", ("minus",), CYCLIC, r"over\(from_high, (.+?)\)"),
    Mask("cyclic_low_taken", ("minus",), CYCLIC, r"over\(from_low, (.+?)\)"),
    Mask("kcm_subtract", ("m_diff_negative", "q_negative"), KCM, r"let subtract = (.+?);"),
    Mask("kcm_first_d", ("minus",), KCM, r"linear::flip_add_assign\(d_low, subtract, u0, (.+?)\);"),
    Mask("kcm_first_h", ("minus",), KCM, r"linear::add_assign\(d_low, h_low, (.+?)\);"),
    Mask("kcm_taken", ("minus",), KCM, r"let top = .+?\.sub_borrow\(W::ZERO, (.+?)\)\.0;"),
    Mask("kcm_into_upper", ("carry_u",), KCM, r"let carry = linear::add_assign\(h_low, d_high, (.+?)\);"),
    Mask("kcm_into_t", ("carry_into_high",), KCM, r"let overflow = linear::add_assign\(t_high, h, (.+?)\);"),
    Mask("kcm_brought_round", ("carry",), KCM, r"let overflow = linear::add_assign\(t_high, u, (.+?)\);"),
)

CONSTANTS = {"MAX": "true", "ZERO": "false", "true": "true", "false": "false"}


def to_coq(text: str, arguments: tuple[str, ...]) -> str:
    """A mask or a carry of Rust as a truth value of Coq."""
    names = {name: Term(name, "mask") for name in arguments}
    found = evaluate(
        text.replace("constants.", ""), {**EXACT, **names, **{name: Term(of, "mask") for name, of in CONSTANTS.items()}}
    )
    if not isinstance(found, Term) or found.kind != "mask":
        raise NotUnderstoodError(f"a mask of {', '.join(arguments)}: {text}")
    return found.text


def coq_text(sources: Sources) -> str:
    lines = []
    for mask in MASKS:
        found = to_coq(sources.one(mask.file, mask.pattern), mask.arguments)
        arguments = "".join(f" ({argument} : bool)" for argument in mask.arguments)
        lines.append(f"Definition {mask.name}{arguments} : bool := {found}.\n")
    return "".join(lines)
