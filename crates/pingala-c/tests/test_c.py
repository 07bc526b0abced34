"""The C library as it is installed: header, symbols, sizes, programs in C99 and C++17, Python's integers as oracle.

`make test-c` builds the library, installs it below target/c, and runs this file.
"""

import ctypes
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("`make install-c` is for Linux", allow_module_level=True)

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tools"))
import c_header  # noqa: E402

CRATE = ROOT / "crates/pingala-c"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PREFIX = TARGET / "c/prefix"
SYMBOLS = (CRATE / "symbols.txt").read_text(encoding="utf-8").split()
DIALECTS = {"c": ["cc", "-std=c99"], "c++": ["c++", "-std=c++17"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-O1", "-g"]
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]


def run(command: list[str | Path], **options: object) -> str:
    """Its output; fails with what it wrote if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return str(done.stdout)


def pkg_config(*arguments: str) -> list[str]:
    """The answer of pkg-config, or of its file if there is no pkg-config."""
    folder = PREFIX / "lib/pkgconfig"
    if shutil.which("pkg-config"):
        environment = os.environ | {"PKG_CONFIG_PATH": str(folder)}
        return run(["pkg-config", *arguments, "pingala"], env=environment).split()
    fields = dict(line.split(": ", 1) for line in (folder / "pingala.pc").read_text().splitlines() if ": " in line)
    names = {"--cflags": ["Cflags"], "--libs": ["Libs"] + ["Libs.private"] * ("--static" in arguments)}
    text = " ".join(fields[name] for argument in arguments for name in names.get(argument, []))
    return text.replace("${includedir}", f"{PREFIX}/include").replace("${libdir}", f"{PREFIX}/lib").split()


def compile_program(source: Path, program: Path, dialect: str = "c", link: str = "shared", *more: str) -> Path:
    """The program, with all warnings as errors."""
    if not shutil.which(DIALECTS[dialect][0]):
        pytest.skip(f"no {DIALECTS[dialect][0]}")
    libraries = pkg_config("--static", "--libs") if link != "shared" else pkg_config("--libs")
    if link != "shared":
        libraries = [f"{PREFIX}/lib/libpingala.a" if library == "-lpingala" else library for library in libraries]
    flags = ["-static"] if link == "whole" else [f"-Wl,-rpath,{PREFIX}/lib"]
    language = ["-x", dialect, str(source), "-x", "none"]
    include = [*pkg_config("--cflags"), f"-I{CRATE}/tests", "-pthread"]
    run([*DIALECTS[dialect], *WARNINGS, *include, *language, "-o", program, *flags, *more, *libraries])
    return program


def test_the_header_is_what_the_sources_give() -> None:
    if not c_header.CBINDGEN.exists():
        pytest.skip("no cbindgen; `make c-header` installs it")
    run([sys.executable, c_header.__file__, "--check"])
    assert (CRATE / "include/pingala.h").read_text() == (PREFIX / "include/pingala.h").read_text()


def test_symbols_are_those_that_are_listed() -> None:
    def names(*arguments: str | Path) -> list[str]:
        return sorted(line.split()[-1] for line in run(["nm", *arguments]).splitlines() if len(line.split()) == 3)

    header = re.findall(r"\b(pingala_\w+)\(", (CRATE / "include/pingala.h").read_text())
    assert sorted(set(header) - {"pingala_abi_fits"}) == SYMBOLS
    assert names("-D", "--defined-only", PREFIX / "lib/libpingala.so") == SYMBOLS
    assert names("-g", "--defined-only", PREFIX / "lib/libpingala.a") == SYMBOLS
    assert run(["ar", "t", PREFIX / "lib/libpingala.a"]).split() == ["pingala.o"]


def test_files_have_their_names_and_sizes() -> None:
    shared = PREFIX / "lib/libpingala.so"
    assert shared.readlink() == Path("libpingala.so.1")
    assert "libpingala.so.1" in re.findall(r"soname: \[(.*)\]", run(["readelf", "-d", shared]))
    # docs/records/c-abi.md says what takes how much.
    assert shared.stat().st_size <= 5_990_000
    assert (PREFIX / "lib/libpingala.a").stat().st_size <= 9_130_000
    needed = re.findall(r"NEEDED.*\[(.*?)\.so", run(["readelf", "-d", shared]))
    assert set(needed) <= {"libc", "libm", "libgcc_s", "libpthread", "libdl", "ld-linux-x86-64"}, needed
    assert re.match(r"\d+\.\d+\.\d+$", run(["sed", "-n", "s/^Version: //p", PREFIX / "lib/pkgconfig/pingala.pc"]))


@pytest.mark.parametrize("link", ["shared", "static"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_function(tmp_path: Path, dialect: str, link: str) -> None:
    run([compile_program(CRATE / "tests/suite.c", tmp_path / "suite", dialect, link), tmp_path])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_signatures(tmp_path: Path, dialect: str) -> None:
    program = compile_program(CRATE / "tests/verify.c", tmp_path / "verify", dialect)
    data = ROOT / "crates/pingala-verify/tests/data"
    run([program, data])
    if shutil.which("valgrind"):
        run([*VALGRIND, program, data])


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["widths", "hostile", "primes"])
def test_widths_lengths_hostile_arguments_and_primes(tmp_path: Path, name: str, dialect: str) -> None:
    program = compile_program(CRATE / f"tests/{name}.c", tmp_path / name, dialect)
    run([program])
    if shutil.which("valgrind"):
        run([*VALGRIND, program])


# What the C library does not offer: a function that there would be, and what makes its calls in generated.c.
NOT_OFFERED = {
    "modexp": (
        "modexp_be",
        "pingala_powmod_be takes the bytes; the zeros of EIP-198 modulo 0 are for virtual machines",
    ),
    "rows": ("pow_rows_be", "moduli are handles, so that rows name them: pingala_pow_list_be"),
    "words": ("pow_words", "a word is a number of one limb: pingala_powmod_limbs"),
    "mul_words": ("mulmod_words", "a product of two words is an operation of C"),
    "residue_chain": ("residues_new_be", "a row is the form that numbers have in C"),
    "accumulate": ("accumulate_be", "accumulators are for Rust and Python"),
    "witnesses": ("witnesses_be", "as accumulate"),
    "update_witnesses": ("update_witnesses_be", "as accumulate"),
    "failing_witnesses": ("failing_witnesses_be", "as accumulate"),
    "secret_power_of_negative_base": ("modulus_pow_sec_signed_be", "a secret has no sign: its residue is the base"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("name", "workloads"), [("calls", 29), ("prime_calls", 18)])
def test_generated_calls(tmp_path: Path, name: str, workloads: int, dialect: str) -> None:
    """The calls of every binding, in every way that a caller can lay out the numbers."""
    # More calls than those of the repository lie in a folder that the environment names.
    calls = Path(os.environ.get("PINGALA_CALLS", ROOT / "vectors")) / f"{name}.txt"
    program = compile_program(CRATE / "tests/generated.c", tmp_path / "generated", dialect)
    *counts, compared = run([program, calls, tmp_path / "file"]).splitlines()
    lines = [line.split()[0] for line in calls.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    assert counts == [f"{workload} {lines.count(workload)}" for workload in dict.fromkeys(lines)]
    assert len(counts) == workloads
    # What is not offered, but by another function, is compared too.
    skipped = [line for line in lines if line in NOT_OFFERED and line not in ("modexp", "rows", "words")]
    assert int(compared) >= 4 * (len(lines) - len(skipped))
    if shutil.which("valgrind") and dialect == "c":
        # A part of them, for accesses and leaks: the optimised library decides on bytes of a None that are never used.
        some = tmp_path / "some"
        some.write_text("".join(calls.read_text(encoding="ascii").splitlines(keepends=True)[1::12]), encoding="ascii")
        run([*VALGRIND, "--undef-value-errors=no", program, some, tmp_path / "file"])


def test_what_is_not_offered_does_not_exist() -> None:
    assert not {f"pingala_{name}" for name, _ in NOT_OFFERED.values()} & set(SYMBOLS)


@pytest.mark.parametrize(
    "change",
    [
        ("\npower ", "\nfourth_power "),
        (" threads=", " strands="),
        (" cap=", " speed=1 cap="),
        (" moduli=", " x moduli="),
    ],
)
def test_calls_that_the_program_does_not_know(tmp_path: Path, change: tuple[str, str]) -> None:
    text = (ROOT / "vectors/calls.txt").read_text(encoding="ascii").replace(*change, 1)
    (tmp_path / "calls").write_text(text, encoding="ascii")
    program = compile_program(CRATE / "tests/generated.c", tmp_path / "generated")
    done = subprocess.run([program, tmp_path / "calls", tmp_path / "file"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "does not know" in done.stderr or "expected" in done.stderr


@pytest.mark.parametrize("link", ["shared", "static"])
def test_threads_and_forks_share_a_handle(tmp_path: Path, link: str) -> None:
    run([compile_program(CRATE / "tests/threads.c", tmp_path / "threads", "c", link)])


def test_a_stopped_list_ends_soon(tmp_path: Path) -> None:
    """Each thread ends its share, a small part of the list; `make -C hardening promises` measures the time."""
    run([compile_program(CRATE / "tests/cancel.c", tmp_path / "cancel"), "100000", "400000", "3", "8"])


def test_a_program_without_shared_libraries(tmp_path: Path) -> None:
    if run(["cc", "-print-file-name=libc.a"]).strip() == "libc.a":
        pytest.skip("no static C library")
    run([compile_program(CRATE / "tests/suite.c", tmp_path / "suite", "c", "whole"), tmp_path])


def test_a_program_links_what_it_calls(tmp_path: Path) -> None:
    """The first program of the page, as the page says what it weighs."""
    source = tmp_path / "one.c"
    source.write_text(next(examples())[1])
    whole, needed = (
        compile_program(source, tmp_path / name, "c", "archive", "-s", *flags).stat().st_size
        for name, flags in (("whole", []), ("needed", ["-Wl,--gc-sections"]))
    )
    assert needed <= 3_450_000 < whole


LONG_CALLS = re.findall(r"^    CALL\((\w+),", (CRATE / "tests/memory.c").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = compile_program(CRATE / "tests/memory.c", tmp_path_factory.mktemp("memory") / "memory")
    assert run([program]).split() == LONG_CALLS
    return program


@pytest.mark.parametrize("call", LONG_CALLS)
def test_long_calls_in_little_memory(limited: Path, call: str) -> None:
    """Each gives a result or an error, and none ends the process."""
    for room in (300_000_000, 1_000_000_000):
        came = run([limited, call, str(room)]).strip()
        assert came in ("ok", "interrupted", "bad_argument", "bad_plan", "not_invertible", "too_long"), (
            f"{call} in {room} bytes"
        )


def test_memory_under_valgrind(tmp_path: Path) -> None:
    if not shutil.which("valgrind"):
        pytest.skip("valgrind not found (Debian: apt-get install valgrind)")
    # valgrind does not know AVX-512 and hides it, so the library takes other kernels there.
    run([*VALGRIND, compile_program(CRATE / "tests/suite.c", tmp_path / "suite"), tmp_path])


def test_a_short_call_allocates_nothing(tmp_path: Path) -> None:
    if not shutil.which("valgrind"):
        pytest.skip("valgrind not found (Debian: apt-get install valgrind)")
    program = compile_program(CRATE / "tests/calls.c", tmp_path / "calls")

    def allocations(calls: int) -> str:
        told = subprocess.run(["valgrind", program, str(calls)], capture_output=True, text=True, check=True).stderr
        return re.findall(r"total heap usage: ([\d,]+) allocs", told)[0]

    assert allocations(1000) == allocations(10)


def test_a_panic_is_a_status(tmp_path: Path) -> None:
    flags = ["--crate-type=cdylib", "--crate-name=pingala_c", "--cfg=pingala_planted_panic"]
    planted = tmp_path / "libplanted.so"
    c_header.rustc(CRATE / "src/lib.rs", "-Copt-level=2", "-o", planted, *flags)
    more = [str(planted), f"-Wl,-rpath,{tmp_path}"]
    run([compile_program(CRATE / "tests/panic.c", tmp_path / "panic", "c", "shared", *more)])


def test_a_build_that_aborts_is_refused(tmp_path: Path) -> None:
    command = [
        "rustc",
        "--edition=2024",
        "--crate-type=rlib",
        "-Cpanic=abort",
        "--out-dir",
        tmp_path,
        CRATE / "src/lib.rs",
    ]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode != 0
    assert "needs panic=unwind" in refused.stderr


def examples() -> Iterator[tuple[str, str, str]]:
    """The programs of docs/c.md: language, text, output."""
    page = (ROOT / "docs/c.md").read_text(encoding="utf-8")
    yield from re.findall(r"```(c|c\+\+)\n(.*?)```\n+```text\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("number", range(6))
def test_the_examples_of_the_page(tmp_path: Path, number: int) -> None:
    found = list(examples())
    assert len(found) == 6, "the page has another number of programs"
    language, text, output = found[number]
    source = tmp_path / "example"
    source.write_text(text)
    program = compile_program(source, tmp_path / "program", language)
    assert run([program]) == output
    if shutil.which("valgrind"):
        run([*VALGRIND, program])


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(PREFIX / "lib/libpingala.so.1"))
    library.pingala_status_name.restype = ctypes.c_char_p
    return library


def test_powers_are_those_of_python(library: ctypes.CDLL) -> None:
    random.seed(1)
    power: Callable[..., int] = library.pingala_powmod_be
    size = ctypes.c_size_t
    for bits in [1, 7, 8, 9, 63, 64, 65, 128, 500, 511, 512, 513, 1024, 2048]:
        for even in [0, 1]:
            modulus = (random.getrandbits(bits) | 1 << bits - 1 | 1) - even or 2
            base, exponent = random.getrandbits(bits + 70), random.getrandbits(bits)
            rows = [number.to_bytes(length, "big") for number, length in ((base, 400), (exponent, 300), (modulus, 257))]
            out = ctypes.create_string_buffer(260)
            given = [argument for row in rows for argument in (row, size(len(row)))]
            assert power(out, size(260), *given, 1, None, None, size(0)) == 0
            assert int.from_bytes(out.raw, "big") == pow(-base, exponent, modulus)


def test_an_explanation_is_json(library: ctypes.CDLL) -> None:
    modulus, needed, size = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t
    value = (2**2048 - 1942289).to_bytes(256, "big")
    assert library.pingala_modulus_new_be(ctypes.byref(modulus), value, size(256), None, size(0)) == 0
    text = ctypes.create_string_buffer(1 << 20)
    arguments = [size(1 << 20), ctypes.byref(needed), 3, b"\3", size(1), value, size(256), 0, None, None, size(0)]
    assert library.pingala_modulus_explain_be(modulus, text, *arguments) == 0
    explained = json.loads(text.value)
    assert needed.value == len(text.value) + 1
    chosen = [row for part in explained["parts"] for row in part["candidates"] if row["chosen"]]
    assert [row["plan"] for row in chosen] == [explained["plan"]]
    assert explained["seconds"] > 0
    assert explained["build_seconds"] is None
    assert explained["alternative"] is None
    library.pingala_modulus_free(modulus)


def test_names_are_the_codes_of_the_library(library: ctypes.CDLL) -> None:
    codes = re.findall(r'=> "(\w+)"', (ROOT / "crates/pingala-core/src/error.rs").read_text())
    names = {library.pingala_status_name(number).decode() for number in range(101)}
    assert codes
    assert set(codes) <= names
