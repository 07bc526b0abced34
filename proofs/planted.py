"""Plants errors in copies of the sources, of traces and of machine code: each must make its lemma fail.

python -m proofs.planted [WORDS]    all of them, or those whose description has these words
"""

import dataclasses
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial

from proofs import coq_files, field_texts, traces
from proofs.report import Report
from proofs.rust_text import LIBRARY, ROOT, Sources

COPY = ROOT / "target" / "proofs" / "planted"
BUILD = ROOT / "target" / "proofs" / "planted-coq"

LANES = "kernel/lanes/mod.rs"
FMA_LANES = "kernel/fma_lanes/mod.rs"
FMA_ROW = "kernel/fma_row/shape.rs"
ROW = "kernel/row/shape.rs"
DOTS = "kernel/dots/product.rs"
KARATSUBA = "kernel/product/karatsuba.rs"
OF_KARATSUBA = "Karatsuba"

# What is wrong, the file, the text there, what takes its place, the Coq file that must fail ("": sources are refused).
IN_SOURCES = [
    (
        "lanes take a limb too many",
        "kernel/lanes/product.rs",
        "MAX_LIMBS: usize = 1023",
        "MAX_LIMBS: usize = 1024",
        "Columns",
    ),
    ("lanes of doubles take two limbs too many", FMA_LANES, "usize = 1364", "usize = 1366", "Columns"),
    (
        "lanes leave one spare bit",
        LANES,
        "(64 * limbs64 + 2).div_ceil(52)",
        "(64 * limbs64 + 1).div_ceil(52)",
        "Montgomery",
    ),
    (
        "a residue is shifted by a bit too many",
        LANES,
        "saturating_sub(bits + 2) / 2",
        "saturating_sub(bits + 1) / 2",
        "Montgomery",
    ),
    ("lanes of doubles leave one spare bit", FMA_LANES, "RADIX_BITS + 2;", "RADIX_BITS + 1;", "Montgomery"),
    (
        "the first inverse of a limb has 7 bits",
        "kernel/montgomery/mod.rs",
        "right_bits = 6",
        "right_bits = 7",
        "Montgomery",
    ),
    ("columns of dots take a turn too many", DOTS, "usize = 112", "usize = 120", "Dots"),
    (
        "a residue of dots has a spare bit less",
        "kernel/dots/shape.rs",
        "SPARE_BITS: usize = 4",
        "SPARE_BITS: usize = 3",
        "Dots",
    ),
    ("digits are rounded with too small a bias", "kernel/fma_row/unit.rs", "| 1 << 62;", "| 1 << 58;", "Columns"),
    (
        "C1 has no room for negative products",
        "kernel/fma_row/unit.rs",
        "C1: f64 = (3u128 << 103)",
        "C1: f64 = (1u128 << 104)",
        "Exact",
    ),
    (
        "C2 of the row is C1 + 2^51",
        "kernel/fma_row/unit.rs",
        "(3u128 << 103 | 1 << RADIX_BITS)",
        "(3u128 << 103 | 1 << 51)",
        "Exact",
    ),
    ("C2 of the lanes is C1 + 2^51", "kernel/fma_lanes/unit.rs", "C1 + (3u64 << 51)", "C1 + (1u64 << 51)", "Exact"),
    (
        "the row of doubles rounds up",
        "kernel/exceptions.rs",
        "TOWARD_ZERO: u32 = 0x6000",
        "TOWARD_ZERO: u32 = 0x4000",
        "Exact",
    ),
    ("the row of doubles rounds to nearest", "kernel/fma_row/avx2.rs", "new(TOWARD_ZERO)", "new(TO_NEAREST)", "Exact"),
    (
        "the lanes of doubles round toward zero",
        "kernel/fma_lanes/avx2.rs",
        "new(TO_NEAREST)",
        "new(TOWARD_ZERO)",
        "Exact",
    ),
    ("the row kernel takes longer moduli", ROW, "MAX_BITS: usize = 1 << 15", "MAX_BITS: usize = 1 << 16", "Columns"),
    ("the row kernel has a spare bit too few", ROW, "<= 4 * limbs as u64", "<= 2 * limbs as u64", ""),
    ("the row of doubles takes longer moduli", "kernel/fma_row/mod.rs", "usize = 292", "usize = 300", "Columns"),
    ("s is 8 for too many digits", FMA_ROW, "SHORT_DIGITS: usize = 180", "SHORT_DIGITS: usize = 200", ""),
    ("a prime is too far below 2^48", "kernel/ntt/primes.rs", "0xffff_5be0_0001", "0xfffe_5be0_0001", "Transforms"),
    (
        "differences of words take p, not 2p",
        "kernel/ntt/scalar.rs",
        "x + ((2 * modulus.p) << LEVEL) - y",
        "x + (modulus.p << LEVEL) - y",
        "Transforms",
    ),
    (
        "two low halves of lanes lose their carry",
        "kernel/ntt/eight.rs",
        "ops.add_signed(high, ops.carry(low))",
        "high",
        "Transforms",
    ),
    (
        "a quotient of doubles has no integer part",
        "kernel/ntt/doubles.rs",
        "self.0.round(self.0.mul(h, m.reciprocal))",
        "self.0.mul(h, m.reciprocal)",
        "TransformDoubles",
    ),
    (
        "the ratio of a quotient has 51 bits",
        "kernel/fma_row/ring.rs",
        "(1u128 << 116) /",
        "(1u128 << 114) /",
        "FmaQuotient",
    ),
    (
        "a quotient is cut by too small a number",
        "kernel/fma_row/unit.rs",
        "1.5 * DIGIT_BIAS",
        "1.25 * DIGIT_BIAS",
        "FmaQuotient",
    ),
    (
        "a Karatsuba product subtracts D where signs differ",
        KARATSUBA,
        "sign.load().flip(W::MAX)",
        "sign.load()",
        OF_KARATSUBA,
    ),
    ("a flipped D loses its carry of 1", KARATSUBA, "Carries { d: minus,", "Carries { d: false,", OF_KARATSUBA),
    (
        "a square modulo b^n has the shorter half below",
        "kernel/product/low.rs",
        "let half = n.div_ceil(2);\n    let rest = n - half;\n"
        "    let (full, scratch) = scratch.split_at_mut(2 * half);\n"
        "    let (low, high) = t.split_at_mut(half);\n    let mixed",
        "let half = n / 2;\n    let rest = n - half;\n    let mixed",
        OF_KARATSUBA,
    ),
    (
        "a product modulo b^n - 1 forgets a borrow",
        "kernel/product/cyclic.rs",
        "flip.flip(W::MAX), borrow == minus",
        "flip.flip(W::MAX), borrow != minus",
        OF_KARATSUBA,
    ),
    (
        "KCM does not take off what a flip adds",
        "kernel/montgomery/kcm.rs",
        "sub_borrow(W::ZERO, minus)",
        "sub_borrow(W::ZERO, false)",
        OF_KARATSUBA,
    ),
    (
        "KCM loses the carry into the upper half of U",
        "kernel/montgomery/kcm.rs",
        "add_assign(h_low, d_high, carry_u)",
        "add_assign(h_low, d_high, false)",
        OF_KARATSUBA,
    ),
    (
        "a sum modulo R - 1 is not brought round",
        "kernel/montgomery/kcm.rs",
        "add_assign(t_high, u, carry)",
        "add_assign(t_high, u, false)",
        OF_KARATSUBA,
    ),
    ("digits have no bit for the sign", FMA_ROW, "(bits + least_multiple + 2)", "(bits + least_multiple + 1)", ""),
]

# What is wrong, the file, the text there, what takes its place; a lemma on texts over vectors must fail.
IN_VECTORS = [
    (
        "the mask of a limb is a bit short",
        "kernel/vector/mod.rs",
        "MASK: u64 = (1 << 52) - 1",
        "MASK: u64 = (1 << 51) - 1",
    ),
    ("marks lose the carry from below", "kernel/row/carry.rs", "sum = ops.sum_of_marks(sum, carry);", "sum = sum;"),
    (
        "a subtraction is kept where it borrows",
        "kernel/lanes/mod.rs",
        "unit.select(borrow, unit.get(x), unit.get(difference))",
        "unit.select(borrow, unit.get(difference), unit.get(x))",
    ),
]

# What is wrong, a line of the traces, and what changes there.
IN_TRACES = [
    ("a sliding window squares once less", "sliding_window(w=3) 9 283 ", "S4,4,3", "S4,4,2"),
    ("a uniform digit is not multiplied in", "fixed_window(w=2) 10 5 ", " M5,5,6", ""),
    ("a joint digit is not multiplied in", "straus(c=2, w=1) product 9,5 ", " M5,5,4", ""),
]

# What is wrong, the lemmas, the function, an instruction, its number among its like, and its replacement ("": none).
IN_CODE = [
    ("a carry of high halves is dropped", "add_rows of 4 rows by 5", "blocks::four::add_rows", "adox", 3, ""),
    (
        "a low half is added along the wrong chain",
        "a turn of add_rows of 3",
        "blocks::three::add_rows",
        "adcx",
        1,
        "adox",
    ),
    ("a step keeps the flags of the turn before", "a turn of add_rows of 2", "blocks::two::add_rows", "xor", 2, ""),
    ("the subtraction forgets a borrow", "subtract_once of 5", "subtraction::subtract_once", "sbb", 2, "sub"),
    ("a row loses its last carry", "add_row of 5", "row::add_row", "adcx", 5, ""),
    ("a turn of a row adds with the wrong carry", "a turn of add_row by 4", "row::add_row", "adox", 3, "adcx"),
    (
        "a turn of a doubling forgets the carry from below",
        "a turn of double_and_add_squares by 1",
        "blocks::double_and_add_squares",
        "adcx",
        0,
        "add",
    ),
    (
        "the selection goes by the borrow alone",
        "subtract_once: what is selected",
        "subtraction::subtract_once",
        "add",
        0,
        "",
    ),
    ("a row of CIOS adds along the wrong chain", "row 0 of cios of 5", "blocks::five::cios", "adox", 2, "adcx"),
    ("the end of a square forgets a carry", "the end of sos_sqr of 6", "blocks::six::sos_sqr", "adc", 1, "add"),
    ("a square is doubled without a carry", "square of 3", "blocks::three::square", "adcx", 4, "add"),
]


def with_error(file: str, text: str, instead: str) -> Sources:
    """A copy of the library's sources with an error in a file."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / LIBRARY, COPY / LIBRARY)
    path = COPY / LIBRARY / file
    original = path.read_text(encoding="utf-8")
    if original.count(text) != 1:
        raise SystemExit(f"planted: expected one place in {file}: {text}")
    path.write_text(original.replace(text, instead), encoding="utf-8")
    return Sources(COPY)


def planted_in_vectors(file: str, text: str, instead: str) -> bool:
    """Whether a lemma on texts over vectors fails."""
    from proofs import vector_texts

    return bool(vector_texts.check(with_error(file, text, instead), full=False).failed)


def planted_in_sources(file: str, text: str, instead: str, expected: str) -> bool:
    """Whether the Coq file that is expected to fail does."""
    report = coq_files.check(with_error(file, text, instead), BUILD, needed(expected))
    begin = f"{expected}.v: " if expected else "the Rust sources: "
    return any(complaint.startswith(begin) for complaint in report.failed)


def needed(name: str) -> set[str]:
    """A Coq file and those that it needs."""
    found = {name} if name else set()
    texts = {path.stem: path.read_text(encoding="utf-8") for path in coq_files.FOLDER.glob("*.v")}
    files = coq_files.Files(BUILD, {**texts, "Constants": "", "FieldTexts": field_texts.HEAD})
    while more := {need for one in found for need in files.needs(one)} - found:
        found |= more
    return found


def planted_in_traces(line: str, text: str, instead: str) -> bool:
    """Whether the comparison of that algorithm's traces fails; others are left out."""
    command = [str(traces.PROGRAMS), str(traces.BITS), str(traces.MAX_WINDOW_BITS)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    algorithm = line.split()[0]
    lines = [one for one in lines if one.startswith(f"{algorithm} ")]
    changed = [one.replace(text, instead, 1) if one.startswith(line) else one for one in lines]
    if changed == lines:
        raise SystemExit(f"planted: no trace {line} with {text}")
    files = coq_files.gather(Sources(), BUILD)
    files = dataclasses.replace(files, texts={**files.texts, "Traces": traces.coq_text(changed, complete=False)})
    for name in files.order():
        if name in needed("Encoding") | needed("Products") and (said := files.compile(name)):
            raise SystemExit(f"planted: {said}")
    return bool(files.compile("Traces"))


def planted_in_code(lemma: str, function: str, name: str, number: int, instead: str) -> bool:
    """Whether the lemma on the changed machine code fails."""
    from proofs import machine_code

    def change(of: str, code: machine_code.Code) -> machine_code.Code:
        if of != function:
            return code
        places = [index for index, line in enumerate(code) if line.name == name]
        place = places[number]
        line = code[place]
        other = (
            dataclasses.replace(line, name=instead) if instead else dataclasses.replace(line, name="nop", operands=())
        )
        return [*code[:place], other, *code[place + 1 :]]

    report: Report = machine_code.check(True, change, lemma)
    if report.skipped:
        raise SystemExit(f"planted: {report.skipped[0]}")
    for complaint in report.failed:
        print(f"  {complaint}")
    return bool(report.failed)


def errors() -> list[tuple[str, Callable[[], bool]]]:
    """Every error, and whether it is found."""
    in_sources = [(error[0], partial(planted_in_sources, *error[1:])) for error in IN_SOURCES]
    in_traces = [(error[0], partial(planted_in_traces, *error[1:])) for error in IN_TRACES]
    in_code = [(error[0], partial(planted_in_code, *error[1:])) for error in IN_CODE]
    in_vectors = [(error[0], partial(planted_in_vectors, *error[1:])) for error in IN_VECTORS]
    return [*in_sources, *in_vectors, *in_traces, *in_code]


def run(words: str = "") -> tuple[int, int]:
    """How many errors were found, of how many."""
    shutil.rmtree(BUILD, ignore_errors=True)
    main_build = ROOT / "target" / "proofs" / "coq"
    if main_build.is_dir():
        shutil.copytree(main_build, BUILD, ignore=shutil.ignore_patterns("Traces*", ".*"))
    chosen = [(what, is_found) for what, is_found in errors() if words in what]
    count = 0
    for what, is_found in chosen:
        caught = is_found()
        count += caught
        print(f"{'found' if caught else 'NOT FOUND'}: {what}", flush=True)
    return count, len(chosen)


if __name__ == "__main__":
    found, all_of_them = run(" ".join(sys.argv[1:]))
    print(f"{found} of {all_of_them} planted errors found")
    sys.exit(found != all_of_them)
