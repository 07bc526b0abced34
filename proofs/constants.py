"""What the lemmas take from the Rust sources: lengths, radices, thresholds, as a Coq file and as numbers."""

from collections.abc import Callable
from dataclasses import dataclass

from proofs import masks, shapes
from proofs.rust_text import Sources, to_coq, value


@dataclass(frozen=True)
class Definition:
    """A definition of Constants.v: name, arguments, where its expression stands, Coq's names for its names."""

    name: str
    arguments: tuple[str, ...]
    read: Callable[[Sources], str]
    names: tuple[tuple[str, str], ...] = ()


def constant(name: str, file: str, of: str, names: tuple[tuple[str, str], ...] = ()) -> Definition:
    return Definition(name, (), lambda sources: sources.constant(file, of), names)


def body(
    name: str, arguments: tuple[str, ...], file: str, head: str, names: tuple[tuple[str, str], ...] = ()
) -> Definition:
    return Definition(name, arguments, lambda sources: sources.body(file, head), names)


def place(name: str, arguments: tuple[str, ...], file: str, pattern: str) -> Definition:
    return Definition(name, arguments, lambda sources: sources.one(file, pattern))


def rounding(sources: Sources, file: str) -> str:
    """The two bits of MXCSR with which a kernel runs: to nearest, down, up, toward zero."""
    mode = sources.one(file, r"KernelEnvironment::new\((\w+)\)")
    bits = value(sources.constant("kernel/exceptions.rs", mode))
    return str(bits // (value(sources.constant("kernel/exceptions.rs", "ROUNDING")) // 3))


def whole(sources: Sources) -> int:
    """WHOLE of `fma_row_r52`, a number of halves of 2^52."""
    times = float(sources.one(FMA_ROW_UNIT, r"const WHOLE: f64 = ([\d.]+) \* DIGIT_BIAS;"))
    return int(times * (1 << value(sources.constant(FMA_ROW_UNIT, "RADIX_BITS"))))


LANES = "kernel/lanes/mod.rs"
FMA_LANES = "kernel/fma_lanes/mod.rs"
FMA_UNIT = "kernel/fma_lanes/unit.rs"
ROW_SHAPE = "kernel/row/shape.rs"
FMA_ROW_UNIT = "kernel/fma_row/unit.rs"
LOW = "kernel/product/low.rs"
DOT_SHAPE = "kernel/dots/shape.rs"
DOT_PRODUCT = "kernel/dots/product.rs"
OF_DOTS = tuple(
    (name, f"dots_{name}")
    for name in ("RADIX_BITS", "SPARE_BITS", "TURN", "TILE", "MOST_PRODUCTS", "MOST_ROWS", "MOST_DOUBLED", "MOST_BITS")
)
OF_FMA = (("RADIX_BITS", "fma_lanes_RADIX_BITS"), ("MORE_BITS", "fma_lanes_MORE_BITS"))

DEFINITIONS = (
    body("ifma_lanes_limbs", ("limbs64",), LANES, r"pub\(super\) fn limbs\(limbs64: usize\) -> usize"),
    place("ifma_lanes_shift_bits", ("n", "bits"), LANES, r"shift_bits: \|n, bits\| (.+?) as u32,"),
    constant("fma_lanes_RADIX_BITS", FMA_UNIT, "RADIX_BITS"),
    constant("fma_lanes_MORE_BITS", FMA_LANES, "MORE_BITS", OF_FMA),
    body("fma_lanes_limbs_for_bits", ("bits",), FMA_LANES, r"fn limbs_for_bits\(bits: usize\) -> usize", OF_FMA),
    body(
        "fma_lanes_limbs",
        ("limbs64",),
        FMA_LANES,
        r"pub\(super\) fn limbs\(limbs64: usize\) -> usize",
        (*OF_FMA, ("limbs_for_bits", "fma_lanes_limbs_for_bits")),
    ),
    place("limb_inverse_right_bits", (), "kernel/montgomery/mod.rs", r"let mut right_bits = (\d+);"),
    place("row_RADIX_BITS", (), ROW_SHAPE, r"let spare = \|limbs: usize\| \((\d+) \* limbs\)"),
    Definition("row_most_limbs", (), lambda sources: str(shapes.row_most_limbs(sources))),
    constant("ifma_lanes_MAX_LIMBS", "kernel/lanes/product.rs", "MAX_LIMBS"),
    constant("fma_lanes_MAX_LIMBS", FMA_LANES, "MAX_LIMBS"),
    constant("fma_lanes_C1", FMA_UNIT, "C1"),
    constant("fma_lanes_C2", FMA_UNIT, "C2", (("C1", "fma_lanes_C1"),)),
    constant("fma_row_RADIX_BITS", FMA_ROW_UNIT, "RADIX_BITS"),
    constant("fma_row_C1", FMA_ROW_UNIT, "C1"),
    constant("fma_row_C2", FMA_ROW_UNIT, "C2", (("RADIX_BITS", "fma_row_RADIX_BITS"),)),
    place(
        "fma_row_ratio_bits", (), "kernel/fma_row/ring.rs", r"let quotient = \(1u128 << (\d+)\) / u128::from\(leading\)"
    ),
    Definition("fma_row_WHOLE", (), lambda sources: str(whole(sources))),
    Definition("fma_row_rounding", (), lambda sources: rounding(sources, "kernel/fma_row/avx2.rs")),
    Definition("fma_lanes_rounding", (), lambda sources: rounding(sources, "kernel/fma_lanes/avx2.rs")),
    constant("fma_row_ROUND", FMA_ROW_UNIT, "ROUND", (("RADIX_BITS", "fma_row_RADIX_BITS"),)),
    *(constant(f"dots_{name}", DOT_SHAPE, name) for name in ("RADIX_BITS", "SPARE_BITS", "TURN", "MOST_BITS")),
    body("dots_digits", ("bits",), DOT_SHAPE, r"const fn digits\(bits: usize\) -> usize", OF_DOTS),
    constant("dots_LANES", "kernel/dots/unit.rs", "LANES"),
    constant("dots_TILE", DOT_PRODUCT, "TILE", (("LANES", "dots_LANES"),)),
    constant("dots_MOST_PRODUCTS", DOT_PRODUCT, "MOST_PRODUCTS"),
    constant("dots_MOST_ROWS", DOT_PRODUCT, "MOST_ROWS", OF_DOTS),
    constant("dots_MOST_DOUBLED", DOT_PRODUCT, "MOST_DOUBLED", OF_DOTS),
    constant("dots_SHORT", DOT_PRODUCT, "SHORT", OF_DOTS),
    constant("dots_MOST_WITHOUT_PASS", "kernel/dots/reduction.rs", "MOST_WITHOUT_PASS", OF_DOTS),
    constant("dots_ROUND", DOT_PRODUCT, "ROUND", (("RADIX_BITS", "dots_RADIX_BITS"),)),
    place("karatsuba_mul_half", ("n",), masks.KARATSUBA, r"pub fn mul<W: Word>.+?let half = (.+?);"),
    place("karatsuba_sqr_half", ("n",), masks.KARATSUBA, r"pub fn sqr<W: Word>.+?let half = (.+?);"),
    place("low_mul_half", ("n",), LOW, r"fn low_mul<W: Word>.+?let half = (.+?);"),
    place("low_sqr_half", ("n",), LOW, r"fn low_sqr<W: Word>.+?let half = (.+?);"),
    Definition("fma_row_most_digits", (), lambda sources: str(shapes.fma_row_most_digits(sources))),
)


HEAD = """(* Written by proofs/constants.py from the Rust sources. *)
From Coq Require Import ZArith.
Open Scope Z_scope.

"""


def coq_text(sources: Sources) -> str:
    """Constants.v."""
    lines = []
    for definition in DEFINITIONS:
        text = to_coq(definition.read(sources), dict(definition.names))
        arguments = "".join(f" ({argument} : Z)" for argument in definition.arguments)
        lines.append(f"Definition {definition.name}{arguments} : Z := {text}.\n")
    return HEAD + "".join(lines) + masks.coq_text(sources)
