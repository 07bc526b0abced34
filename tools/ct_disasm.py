#!/usr/bin/env python3
"""Looks for branches and addresses that depend on secrets in the machine code of the vector kernels.

valgrind cannot run AVX-512, so here the code is interpreted abstractly: objdump disassembles a program, and every
function that the kernel's secret path enters is walked, through its calls, until nothing new is learnt.
docs/constant-time.md says what that shows and what not. The model, which errs on the side of an alarm:

- a value is public, secret, or a pointer: into the stack, to a structure of public values (`&self`), or to code. What
  is computed from a secret is secret; flags, vectors and masks are values like others;
- memory behind a public number is secret: residues, scratch, tables. The stack is followed word by word, also through
  pointers that are handed to a callee; a structure of public values must not be given a secret;
- an instruction, a jump or a callee that is not understood is a finding, as is a division of secrets;
- what stands in `&self` itself counts as public, and of a secret factor some of it is not: SECRET_FIELDS. A branch or
  an address that depends on one of those goes unseen here.

usage: ct_disasm.py PROGRAM [--planted branch address]     0: as wanted, 1: not, 2: nothing could be checked
       ct_disasm.py --list                                 the kernels that it knows
"""

import argparse
import re
import sys
from collections.abc import Iterator

from arm_listing import ArmProgram
from ct_walk import SECRET, STRUCT, Finding, State, Value, Walk
from ct_walk_arm import ArmWalk
from ct_walk_x86 import X86Walk
from x86_listing import Program

IFMA = "pingala_core::kernel::vector::avx512::Avx512"
RING = r"^<pingala_core::kernel::row::{} as pingala_core::kernel::Ring<u64>>::{}$"
OPERATIONS = ("mul", "sqr", "sqr_n", "enter", "leave", "mul_small")
# Those by which odd moduli read tables of a fixed base.
TABLE_OPERATIONS: tuple[tuple[str, list[int]], ...] = (("scan_packed", [2]), ("unpack", []))
# What is entered of each kernel, and which words of the caller's stack hold secrets, counted from the return address
# on; the first argument is `&self`, all others are public numbers. The linker may let rings share a function.
KERNELS: dict[str, list[tuple[str, list[int]]]] = {
    kernel: [
        *((RING.format(ring, name), []) for name in OPERATIONS),
        (RING.format(scan, "scan"), [1]),
        *((RING.format(scan, name), secrets) for name, secrets in TABLE_OPERATIONS if ring.startswith("ring::")),
    ]
    for kernel, ring, scan in [
        ("ifma_row_ct_r52", f"ring::RowRing<{IFMA}, true>", rf"ring::RowRing<{IFMA}, (true|false)>"),
        # The ring of a power of two has the same functions.
        ("ifma_row_low_r52", f"ring::RowRing<{IFMA}, true>", rf"ring::RowRing<{IFMA}, (true|false)>"),
    ]
}

# Words of `&self` that are secret if the modulus N, of L bits, is a secret factor: an estimate of 2^(63 + L) / N, by
# which the row kernel reduces what is left of a product.
SECRET_FIELDS = ("ifma_row_ct_r52: RowConstants::reciprocal",)

UMULH = "pingala_core::kernel::umulh::Umulh"
ANY = f"(odd::OddRing<u64>|odd::OddRing<u64, {UMULH}>|power_of_two::PowerOfTwoRing<u64>)"
GENERIC = r"^<pingala_core::kernel::{} as pingala_core::kernel::Ring<u64>>::{}$"
# The functions of aarch64, whose eight registers take every argument, and the registers that hold secrets.
ARM_KERNELS: dict[str, list[tuple[str, list[str]]]] = {
    kernel: [
        # What every ring has by default, the linker may have once.
        *((GENERIC.format(ANY if name == "sqr_n" else ring, name), []) for name in OPERATIONS),
        *(
            (GENERIC.format(ANY, name), secrets)
            for name, secrets in (("scan", ["x6"]), ("scan_packed", ["x7"]), ("unpack", []))
        ),
    ]
    for kernel, ring in [
        ("umulh_r64", f"odd::OddRing<u64, {UMULH}>"),
        ("portable_r64", "odd::OddRing<u64>"),
        ("portable_low_r64", "power_of_two::PowerOfTwoRing<u64>"),
    ]
}


#: The pattern of an entry, what walks from there, and from which state.
Walks = Iterator[tuple[str, Walk, State]]


def check(walks: Walks, program: Program) -> tuple[list[Finding], list[str], int]:
    """All findings, the entries that are not there, and how many functions were walked."""
    findings: set[Finding] = set()
    missing, walked = [], set()
    for pattern, walk, state in walks:
        matches = [(start, name) for start, _, name in program.functions if re.match(pattern, name)]
        if not matches:
            missing.append(pattern)
        for start, _ in matches:
            if walk.function(start, state) is None:
                missing.append(f"{pattern} (does not return)")
        findings |= walk.findings
        walked |= walk.walked
    return sorted(findings, key=lambda found: found.text), missing, len(walked)


def x86_walks(program: Program, entries: list[tuple[str, list[int]]]) -> Walks:
    for pattern, secrets in entries:
        stack: dict[tuple[object, object], Value] = {("entry", 8 * word): SECRET for word in secrets}
        yield pattern, X86Walk(program), State({"rdi": STRUCT, "rsp": ("stack", "entry", 0)}, stack)


def arm_walks(program: Program, entries: list[tuple[str, list[str]]]) -> Walks:
    for pattern, secrets in entries:
        registers: dict[str, Value] = {"x0": STRUCT, "sp": ("stack", "entry", 0)} | dict.fromkeys(secrets, SECRET)
        yield pattern, ArmWalk(program), State(registers, {})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--list", action="store_true", help="print the kernels that it knows, and look at nothing")
    parser.add_argument(
        "--planted",
        choices=["branch", "address"],
        nargs="*",
        default=[],
        help="what must be found in each kernel, and no other kind",
    )
    parser.add_argument("--objdump", help="the program is for aarch64, and this one disassembles it")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(KERNELS))
        return 0
    if not arguments.program:
        parser.error("the program is missing")
    if arguments.objdump:
        program: Program = ArmProgram.listed(arguments.objdump, arguments.program)
        kernels = {kernel: arm_walks(program, entries) for kernel, entries in ARM_KERNELS.items()}
    else:
        program = Program.read(arguments.program)
        kernels = {kernel: x86_walks(program, entries) for kernel, entries in KERNELS.items()}
    wanted = set(arguments.planted)
    status = 0
    for kernel, walks in kernels.items():
        findings, missing, walked = check(walks, program)
        for pattern in missing:
            print(f"FAILED  not in the program: {pattern}")
        for finding in findings[:20]:
            print(finding)
        print(f"{kernel}: {walked} functions walked, {len(findings)} findings")
        as_wanted = {finding.kind for finding in findings} == wanted
        status = max(status, 2 if missing else 0 if as_wanted else 1)
    if not arguments.objdump:
        print("counted as public, and secret of secret factors: " + ", ".join(SECRET_FIELDS))
    return status


if __name__ == "__main__":
    sys.exit(main())
