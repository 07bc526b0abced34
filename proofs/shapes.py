"""The shapes of residues for every length of a modulus that a kernel admits, by the expressions of the code."""

from collections.abc import Iterator

from proofs.rust_text import NotUnderstoodError, Sources, value

ROW = "kernel/row/shape.rs"
FMA_ROW = "kernel/fma_row/shape.rs"


def row_shapes(sources: Sources) -> Iterator[tuple[int, int, int]]:
    """Bits, limbs and spare bits of every residue of the row kernel."""
    most = value(sources.constant(ROW, "MAX_BITS"))
    spare_bits = sources.one(ROW, r"let spare = \|limbs: usize\| ([^;]+);")
    first = sources.one(ROW, r"let mut limbs = ([^;]+);")
    condition = sources.one(ROW, r"while ([^{]+?) \{\s*limbs \+= 2;\s*\}")
    left, _, room = condition.partition("<=")
    if left.strip() != "1u64 << spare(limbs)":
        raise NotUnderstoodError(f"the condition of Shape::new: {condition}")
    for bits in range(1, most + 1):
        limbs = value(first, {"bits": bits})
        spare = value(spare_bits, {"limbs": limbs, "bits": bits})
        while 1 << spare <= value(room, {"limbs": limbs}):
            limbs += 2
            spare = value(spare_bits, {"limbs": limbs, "bits": bits})
        yield bits, limbs, spare


def row_most_limbs(sources: Sources) -> int:
    """The longest residue; every shape must be as Fold.v and Columns.v want it."""
    most = 0
    for bits, limbs, spare in row_shapes(sources):
        if limbs % 2 or limbs < 4 or 4 * limbs >= 1 << spare or bits + spare > 52 * limbs:
            raise NotUnderstoodError(f"a residue for a modulus of {bits} bits: {limbs} limbs, {spare} spare bits")
        most = max(most, limbs)
    return most


def fma_row_shapes(sources: Sources) -> Iterator[tuple[int, int, int]]:
    """Bits, digits n and s of every residue of the kernel `fma_row_r52`."""
    radix = value(sources.constant("kernel/fma_row/unit.rs", "RADIX_BITS"))
    lanes = value(sources.constant("kernel/fma_row/unit.rs", "LANES"))
    limbs = value(sources.constant("kernel/fma_row/mod.rs", "MAX_LIMBS"))
    short = value(sources.constant(FMA_ROW, "SHORT_DIGITS"))
    names = {"RADIX_BITS": radix, "LANES": lanes, "SHORT_DIGITS": short}
    is_short = sources.one(FMA_ROW, r"let is_short = ([^;]+);").split("<=")
    multiples = [
        int(text)
        for text in sources.one(FMA_ROW, r"let least_multiple = if is_short \{ ([^;]+) \};").split(" } else { ")
    ]
    least = sources.one(FMA_ROW, r"let least = ([^;]+);")
    vectors = [int(text) for text in sources.one(FMA_ROW, r"= \[([\d, ]+)\]\.map\(fit\)").split(",")]
    digits = sources.one(FMA_ROW, r"let digits = ([^;]+);")
    multiple = sources.one(FMA_ROW, r"let multiple_bits = ([^;]+);")
    for bits in range(1, 64 * limbs + 1):
        of_bits = {**names, "bits": bits}
        short_one = value(is_short[0], of_bits) <= value(is_short[1], of_bits)
        of_bits["least_multiple"] = multiples[0] if short_one else multiples[1]
        fewest = value(least, of_bits)
        blocks, width = min(((-(-fewest // width), width) for width in vectors), key=lambda shape: shape[0] * shape[1])
        of_bits["digits"] = value(digits, {**of_bits, "vectors": width, "blocks": blocks})
        yield bits, of_bits["digits"], value(multiple, of_bits)


def fma_row_most_digits(sources: Sources) -> int:
    """The most digits; every shape must be as the comment of product.rs says and Fold.v wants it."""
    most = 0
    for bits, digits, s in fma_row_shapes(sources):
        spare = 52 * digits - bits
        if digits % 4 or s < (8 if digits <= 180 else 9) or spare < s + 2 or s < spare - 34:
            raise NotUnderstoodError(f"a residue for a modulus of {bits} bits: {digits} digits, s = {s}")
        most = max(most, digits)
    return most
