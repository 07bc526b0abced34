"""Sentences of the pages about other programs, and about this one, that a program can check.

Each claim names its page and words that stand there; the check runs what the sentence is about. A program that is not
installed skips the claim.
"""

import importlib
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pingala

TOP = Path(__file__).resolve().parents[2]
CLAIMS: list[Any] = []


def claim(page: str, words: str, *, says: str = "") -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Registers a check of `words` on `page`; `says` names the program and the version that the claim is about."""

    def registered(check: Callable[[], None]) -> Callable[[], None]:
        CLAIMS.append(pytest.param(page, words, check, id=f"{page}: {check.__name__}" + (f" ({says})" if says else "")))
        return check

    return registered


@pytest.mark.parametrize(("page", "words", "check"), CLAIMS)
def test_a_claim(page: str, words: str, check: Callable[[], None]) -> None:
    text = " ".join((TOP / page).read_text(encoding="utf-8").split())
    assert " ".join(words.split()) in text, f"{page} no longer says: {words}"
    check()


def module(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed")


def of_version(name: str, version: str) -> Any:
    """A module in the release that the claim is about."""
    found = module(name)
    if found.__version__ != version:
        pytest.skip(f"{name} is {found.__version__}; the claim is about {version}")
    return found


def program(name: str) -> str:
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


def output(*command: str, **settings: Any) -> str:
    run = subprocess.run(command, capture_output=True, text=True, check=False, **settings)
    assert run.returncode == 0, run.stderr
    return run.stdout


def go(text: str, folder: Path) -> str:
    (folder / "main.go").write_text(
        f'package main\n\nimport (\n\t"fmt"\n\t"math/big"\n)\n\nfunc main() {{\n{text}\n}}\n'
    )
    return output(program("go"), "run", "main.go", cwd=folder)


def node(text: str) -> str:
    return output(program("node"), "-e", text).strip()


# --- from other programs ---------------------------------------------------------------------------------------------


def handled(call: str) -> int:
    """How often Python handles a timer's signal during one long call: signals that wait count once."""
    code = (
        "import signal, gmpy2, pingala\n"
        "seen = []\n"
        "signal.signal(signal.SIGALRM, lambda *_: seen.append(1))\n"
        "numbers = (3, 2**8191 - 1, 2**8192 - 1)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)\n"
        f"{call}\n"
        "signal.setitimer(signal.ITIMER_REAL, 0)\n"
        "print(len(seen))"
    )
    return int(output(sys.executable, "-c", code))


@claim("docs/from/pow.md", "Ctrl-C stops a long call, as it stops a long `pow`", says="CPython 3.8, 3.11, 3.13")
def pow_hears_signals() -> None:
    module("gmpy2")
    assert handled("pow(*numbers)") > 3


@claim("docs/from/gmpy2.md", "`gmpy2.powmod` cannot be stopped", says="2.3.2")
def gmpy2_hears_no_signal() -> None:
    module("gmpy2")
    assert handled("[gmpy2.powmod(*numbers) for numbers in [(3, 2**32767 - 1, 2**32768 - 1)]]") <= 3


@claim("docs/from/pow.md", "A float is refused with a `TypeError`, as `pow` refuses it.")
def floats() -> None:
    for call in (pow, pingala.powmod):
        with pytest.raises(TypeError):
            call(2.0, 3, 5)


@claim("docs/from/pow.md", "All are `ValueError`s; `NotInvertibleError` is also a `ZeroDivisionError`.")
def errors_of_pow() -> None:
    assert issubclass(pingala.NotInvertibleError, ZeroDivisionError)
    classes = [item for name, item in vars(pingala).items() if name.endswith("Error")]
    assert len(classes) > 3
    with pytest.raises(ValueError, match="modulus"):
        pingala.powmod(2, 3, 0)


@claim("docs/from/gmpy2.md", "Pingala takes `mpz` wherever it takes an integer, and gives `int`.")
def mpz_in_int_out() -> None:
    mpz = module("gmpy2").mpz
    results = [
        pingala.powmod(mpz(3), mpz(5), mpz(7)),
        pingala.invert(mpz(3), mpz(7)),
        pingala.powmod_exp_list(mpz(3), [mpz(5)], mpz(7))[0],
        pingala.powmod_base_list([mpz(3)], mpz(5), mpz(7))[0],
        pingala.powmod_list([mpz(3)], [mpz(5)], [mpz(7)])[0],
        pingala.Modulus(mpz(7)).pow(mpz(3), mpz(5)),
        pingala.jacobi(mpz(2), mpz(7)),
        pingala.next_prime(mpz(10)),
    ]
    assert [(type(result), int(result)) for result in results] == [(int, n) for n in (5, 5, 5, 5, 5, 5, 1, 11)]


@claim("docs/from/gmpy2.md", "the sign of a negative modulus as in `pow`")
def sign_of_gmpy2() -> None:
    gmpy2 = module("gmpy2")
    for m in (-7, 7, -13):
        assert pingala.powmod(3, 2, m) == pow(3, 2, m) == int(gmpy2.powmod(3, 2, m))
        assert pingala.invert(3, m) == pow(3, -1, m)


@claim("docs/from/gmpy2.md", "without an inverse a `ZeroDivisionError`, for modulus 0 a `ValueError`")
def missing_inverses() -> None:
    with pytest.raises(ZeroDivisionError):
        pingala.invert(2, 4)
    with pytest.raises(ValueError, match="modulus"):
        pingala.invert(2, 0)


@claim("docs/from/gmpy2.md", "also for even moduli, e = 0; width by `exponent_bits=`")
def even_secrets() -> None:
    gmpy2 = module("gmpy2")
    with pytest.raises(ValueError, match=r"odd|even|must"):
        gmpy2.powmod_sec(3, 5, 8)
    assert pingala.powmod_sec(3, 5, 8) == 3
    assert pingala.powmod_sec(3, 0, 7) == 1


@claim("docs/from/gmpy2.md", "`previous_prime(n)` | `ArgumentError` at 2 and below")
def no_previous_prime() -> None:
    for n in (2, 1, -5):
        with pytest.raises(pingala.ArgumentError):
            pingala.previous_prime(n)
    assert pingala.previous_prime(3) == 2


@claim("docs/from/math-big.md", "modulo 0 `ModInverse` has no result and `Exp` gives the plain power, 1 for g = 1")
@claim("docs/go.md", "says that (-3)**-1 mod 7 is 5", says="Go 1.24 to 1.26")
def math_big_at_the_edges() -> None:
    folder = Path(os.environ["PYTEST_FOLDER"])
    written = go(
        "n := big.NewInt\n"
        "fmt.Println(new(big.Int).Exp(n(-3), n(-1), n(7)), new(big.Int).Exp(n(1), n(-1), n(0)), "
        "new(big.Int).Exp(n(3), n(2), n(-7)))",
        folder,
    )
    assert written.split() == ["5", "1", "2"]


@pytest.fixture(autouse=True)
def folder_of_a_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_FOLDER", str(tmp_path))


@claim("docs/tcl.md", "Three results differ from tcllib's", says="tcllib 1.21")
def tcllib() -> None:
    text = (
        "if {[catch {package require math::bignum}]} {puts missing; exit}\n"
        "proc n {x} {math::bignum::fromstr $x}\n"
        "proc p {b e m} {math::bignum::tostr [math::bignum::powm [n $b] [n $e] [n $m]]}\n"
        "puts [list [p 3 0 1] [p 3 -1 7] [p 3 2 -7]]"
    )
    found = output(program("tclsh"), input=text).strip()
    if found == "missing":
        pytest.skip("tcllib is not installed")
    assert found == "1 3 -2"


@claim("docs/records/wasm.md", "on by default in Firefox 155 and wasmtime 50", says="wasmtime 50")
def wide_arithmetic() -> None:
    wasmtime = module("wasmtime")
    if int(importlib.metadata.version("wasmtime").split(".")[0]) < 50:
        pytest.skip("wasmtime is older than 50")
    function = "(func (param i64 i64) (result i64 i64) local.get 0 local.get 1 i64.mul_wide_u)"
    wasmtime.Module(wasmtime.Engine(), f"(module {function})")


@claim("docs/columns.md", "NumPy's `S` and its scalars: it drops zero bytes at the end")
def numpy_drops_zero_bytes() -> None:
    numpy = module("numpy")
    assert numpy.array([b"\x01\x00"], dtype="S2")[0] == b"\x01"


@claim("docs/columns.md", "a missing integer turns a column of pandas into these")
def pandas_and_missing_integers() -> None:
    assert module("pandas").Series([1, None]).dtype == "float64"


@claim("docs/columns.md", "A HUGEINT arrives as a decimal and a BIGNUM as an opaque type", says="DuckDB 2.0.1")
def wide_numbers_of_duckdb() -> None:
    pyarrow, connection = module("pyarrow"), module("duckdb").connect()
    schema = connection.sql("SELECT 1::HUGEINT a, 1::BIGNUM b").to_arrow_table().schema
    assert pyarrow.types.is_decimal(schema.field("a").type)
    assert "opaque" in str(schema.field("b").type)


@claim("docs/columns.md", "integers from 2^64 on become DOUBLE and lose digits", says="DuckDB 2.0.1")
def json_of_duckdb() -> None:
    duckdb = of_version("duckdb", "2.0.1")
    folder = Path(os.environ["PYTEST_FOLDER"])
    (folder / "n.json").write_text(f'{{"n": {2**70 + 1}}}')
    (folder / "n.csv").write_text(f"n\n{2**70 + 1}\n")
    assert duckdb.sql(f"SELECT typeof(n) FROM '{folder}/n.json'").fetchall() == [("DOUBLE",)]
    assert duckdb.sql(f"SELECT n FROM '{folder}/n.csv'").fetchall() == [(2**70 + 1,)]
    named = f"SELECT n FROM read_json('{folder}/n.json', columns = {{n: 'HUGEINT'}})"
    assert duckdb.sql(named).fetchall() == [(2**70 + 1,)]


@claim("docs/columns.md", "`+`, `-` and `sum` are exact; `*`, `%` and `abs` give DOUBLE", says="DuckDB 2.0.1")
def bignum_of_duckdb() -> None:
    types = "SELECT typeof(n + n), typeof(n * n), typeof(n % n), typeof(abs(n)) FROM (SELECT 3::BIGNUM n)"
    assert of_version("duckdb", "2.0.1").sql(types).fetchall() == [("BIGNUM", "DOUBLE", "DOUBLE", "DOUBLE")]


@claim("docs/columns.md", '`schema_overrides={"n": pl.String}`', says="polars 2.1.0")
@claim("docs/columns.md", '| the expression `pl.col("n") + 1` |', says="polars 2.1.0")
def wide_numbers_of_polars() -> None:
    pl = of_version("polars", "2.1.0")
    text = b"n\n%d\n" % 2**127
    with pytest.raises(pl.exceptions.ComputeError, match="i128"):
        pl.read_csv(text)
    assert pl.read_csv(text, schema_overrides={"n": pl.String})["n"].to_list() == [str(2**127)]
    series = pl.Series("n", [2**64])
    with pytest.raises(TypeError):
        series + 1
    assert series.to_frame().select(pl.col("n") + 1)["n"].to_list() == [2**64 + 1]


@claim("docs/columns.md", "passes 38 digits, and wraps at 2^127", says="pyarrow 26.0.1")
@claim("docs/columns.md", "`0xFF` is -1 as an int8", says="pyarrow 26.0.1")
def numbers_of_pyarrow() -> None:
    pa = of_version("pyarrow", "26.0.1")
    compute = importlib.import_module("pyarrow.compute")
    tens = pa.array([10**37] * 20, pa.decimal128(38, 0))
    assert int(compute.sum(tens).as_py()) == 20 * 10**37 - 2**128
    assert compute.sum(tens.cast(pa.decimal256(76, 0))).as_py() == 20 * 10**37
    assert pa.array(["0xFF"]).cast(pa.int8()).to_pylist() == [-1]
    assert pa.array(["0x" + "F" * 16]).cast(pa.int64()).to_pylist() == [-1]


@claim("docs/javascript.md", "| NaN, infinities, fractions | `RangeError` of BigInt |")
def fractions_in_javascript() -> None:
    text = "for (const x of [NaN, Infinity, 1.5]) { try { BigInt(x) } catch (error) { console.log(error.name) } }"
    assert node(text).split() == ["RangeError"] * 3


@claim("docs/from/openssl.md", "Bytes are those of `BN_bn2bin`: unsigned, most significant first.")
def bytes_of_openssl() -> None:
    ctypes_util = importlib.import_module("ctypes.util")
    ctypes = importlib.import_module("ctypes")
    name = ctypes_util.find_library("crypto") or pytest.skip("no libcrypto")
    crypto = ctypes.CDLL(name)
    crypto.BN_new.restype = ctypes.c_void_p
    n, out = crypto.BN_new(), ctypes.create_string_buffer(8)
    crypto.BN_set_word(ctypes.c_void_p(n), ctypes.c_ulong(0x010203))
    assert crypto.BN_bn2bin(ctypes.c_void_p(n), out) == 3
    assert out.raw[:3] == b"\x01\x02\x03"


@claim("docs/from/openssl.md", "another function, not a flag that a copy loses", says="OpenSSL 3.0")
def a_copy_loses_the_flag() -> None:
    ctypes = importlib.import_module("ctypes")
    name = importlib.import_module("ctypes.util").find_library("crypto") or pytest.skip("no libcrypto")
    crypto, constant_time = ctypes.CDLL(name), 4
    crypto.BN_new.restype = crypto.BN_dup.restype = ctypes.c_void_p
    n = ctypes.c_void_p(crypto.BN_new())
    crypto.BN_set_flags(n, constant_time)
    copy = ctypes.c_void_p(crypto.BN_dup(n))
    assert [crypto.BN_get_flags(number, constant_time) for number in (n, copy)] == [constant_time, 0]


@claim("docs/from/gmpy2.md", "`powmod` of gmpy2 holds the GIL unless its context says otherwise", says="2.3.2")
def gmpy2_holds_the_gil() -> None:
    assert module("gmpy2").context().allow_release_gil is False


@claim(
    "docs/from/gmpy2.md", "| `gmpy2.powmod_exp_list(a, bs, m)` | `pingala.powmod_exp_list(a, bs, m)` |", says="2.3.2"
)
@claim(
    "docs/from/gmpy2.md", "| `gmpy2.powmod_base_list(as, b, m)` | `pingala.powmod_base_list(as, b, m)` |", says="2.3.2"
)
def lists_of_gmpy2() -> None:
    gmpy2 = module("gmpy2")
    assert gmpy2.powmod_exp_list(3, [5, 6], 7) == pingala.powmod_exp_list(3, [5, 6], 7)
    assert gmpy2.powmod_base_list([3, 4], 5, 7) == pingala.powmod_base_list([3, 4], 5, 7)


@claim("docs/javascript.md", "`BigInt('0x' + x.toString(16))`, unless they are negative")
def numbers_of_other_packages() -> None:
    """What the packages of the page do by themselves is asked by `tools/moving`; here only BigInt's own part."""
    text = (
        "console.log(BigInt('0x' + 255n.toString(16)));"
        " try { BigInt('0x-1') } catch (error) { console.log(error.name) }"
    )
    assert node(text).split() == ["255n", "SyntaxError"]


# --- about this program ----------------------------------------------------------------------------------------------


def command(*arguments: str) -> str:
    built = TOP / "target/release/pingala"
    return output(str(built) if built.exists() else program("pingala"), *arguments)


@claim("docs/plans.md", "modulo a number of at most 256 bits without known factors.")
def squares_have_no_plan() -> None:
    for m in (2**256 - 189, 2**2048 - 1942289):
        base = 3**1000 % m
        assert pingala.powmod(base, 2, m) == base * base % m
        line = pingala.plan(base, 2, m)
        assert pingala.powmod(base, 2, m, plan=line) == base * base % m


@claim("docs/recipes/evm.md", "It reads neither `PINGALA_KERNEL` nor `PINGALA_PLAN`.")
@claim("docs/recipes/evm.md", "With `PINGALA_PRICES=built-in` it asks for no file.")
def what_modexp_reads() -> None:
    text = (TOP / "crates/pingala-core/src/work/power.rs").read_text(encoding="utf-8")
    body = text[text.index("pub fn modexp(") :]
    assert "Options { limits" in body[: body.index("\n}\n")]
    strace = program("strace")
    program_text = "import pingala; pingala.powmod(3, 2**255 - 1, 2**256 - 189)"
    for prices, count in (("built-in", 0), ("", 1)):
        environment = {**os.environ, "PINGALA_PRICES": prices, "XDG_CONFIG_HOME": "/nowhere"}
        run = subprocess.run(
            [strace, "-f", "-e", "trace=file", sys.executable, "-c", program_text],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if "PTRACE" in run.stderr:
            pytest.skip("strace may not trace here")
        assert (run.stderr.count("/nowhere/pingala/prices.txt") > 0) == bool(count)


@claim("docs/primes.md", "The estimate adds the sieve of a window, `tests` numbers in the sets in which they are tested")
def estimates_count_tests() -> None:
    tests, seconds = pingala.estimate_random_prime(512)
    assert 5 < tests < 60
    assert seconds > 0


@claim("docs/javascript.md", "`index.d.ts` has the types.")
def every_export_is_on_the_page() -> None:
    page = (TOP / "docs/javascript.md").read_text(encoding="utf-8")
    types = (TOP / "js/index.d.ts").read_text(encoding="utf-8")
    names = {
        name.removesuffix("Async") for name in re.findall(r"^export (?:function|class) (\w+)", types, re.MULTILINE)
    }
    assert len(names) > 25
    methods = {name.removesuffix("Async") for name in re.findall(r"^  (?:static )?(\w+) ?[<(].*", types, re.MULTILINE)}
    options = {
        name
        for block in re.findall(r"export interface \w+Options?\b.*?\{\n(.*?)^\}", types, re.MULTILINE | re.DOTALL)
        for name in re.findall(r"^  (\w+)\??:", block, re.MULTILINE)
    }
    assert len(options) > 10
    words = set(re.findall(r"\w+", page))
    assert sorted((names | methods | options) - {"constructor"} - words) == []


@claim("docs/javascript.md", "| script | what it has | a page loads | gzip |")
def weights_of_scripts() -> None:
    for name in ("browser-powers.mjs", "browser.mjs"):
        script = TOP / "target/js/package/dist" / name
        if not script.exists():
            pytest.skip("`make js` did not run")
        page = (TOP / "docs/javascript.md").read_text(encoding="utf-8")
        said = re.search(rf"\| `dist/{name}` \|[^|]*\| ([\d,]+) kB \|", page)
        assert said
        assert math.isclose(int(said[1].replace(",", "")) * 1000, script.stat().st_size, rel_tol=0.1)


@claim("docs/command.md", "| `PINGALA_KERNEL`, `PINGALA_PLAN` | force a kernel or a plan")
def forced_kernels() -> None:
    forced = {**os.environ, "PINGALA_KERNEL": "portable_r64"}
    code = "import pingala; print(pingala.plan(3, 2**255 - 1, 2**2048 - 1))"
    assert "portable_r64" in output(sys.executable, "-c", code, env=forced)


# --- paths -----------------------------------------------------------------------------------------------------------

# Files of other programs, of a release, or that a page says are gone.
ELSEWHERE = re.compile(
    r"^(dist|target|node_modules)/|NAME|KIND|^x86_64_\w+\.txt$|^mpn/|intobject|rbigint|benchmark_test|prices\.txt$"
)
PAGES = sorted(
    page.relative_to(TOP).as_posix()
    for page in [*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md"), *(TOP / "papers").glob("*.md")]
)


@pytest.mark.parametrize("page", PAGES)
def test_the_files_that_a_page_names_exist(page: str) -> None:
    files = output("git", "-C", str(TOP), "ls-files").splitlines()
    text = (TOP / page).read_text(encoding="utf-8")
    named = re.findall(r"`([\w./-]+\.(?:rs|py|sh|mjs|go|c|h|java|tcl|md|txt|toml|v))`", text)
    missing = [
        name
        for name in named
        if not ELSEWHERE.search(name) and not any(file == name or file.endswith(f"/{name}") for file in files)
    ]
    assert missing == []
