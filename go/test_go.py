"""The Go module over the installed C library: all ways to link it, other platforms compiled, users' modules, fuzzing.

`make test-go` installs the library below target/c, as `make test-c` does, and runs this file.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

GO_NEEDED = (1, 24)
ROOT = Path(__file__).resolve().parents[1]
MODULE = ROOT / "go"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PREFIX = TARGET / "c/prefix"
SYMBOLS = (ROOT / "crates/pingala-c/symbols.txt").read_text(encoding="utf-8").split()
# Cases and not seconds: before Go 1.27 the end of a time may count as a failure (https://go.dev/issue/75804).
FUZZ_CASES = os.environ.get("FUZZ_CASES", "40000")
LINKED = {"PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"), "CGO_ENABLED": "1"}
SHARED = LINKED | {"LD_LIBRARY_PATH": str(PREFIX / "lib")}
LOADED = {"CGO_ENABLED": "0", "PINGALA_LIBRARY": str(PREFIX / "lib/libpingala.so")}
OURS = ("CGO_ENABLED", "LD_LIBRARY_PATH", "PINGALA_LIBRARY", "GOFLAGS", "GOEXPERIMENT")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in OURS} | {"GOTOOLCHAIN": "local"}


def missing() -> str:
    """What this machine lacks for these tests."""
    if sys.platform != "linux":
        return "`make install-c` is for Linux"
    for tool in ("go", "pkg-config"):
        if not shutil.which(tool):
            return f"no {tool}: the Go module is not tested"
    major, minor = re.findall(r"go(\d+)\.(\d+)", subprocess.check_output(["go", "version"], text=True))[0]
    if (int(major), int(minor)) < GO_NEEDED:
        return f"Go {major}.{minor}: the module needs 1.24"
    return ""


MISSING = missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


def go(*arguments: str | Path, setting: dict[str, str], folder: Path = MODULE, timeout: int = 600) -> str:
    """What `go` prints; fails with what it wrote if it fails."""
    command = ["go", *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=timeout, cwd=folder, env=ENVIRONMENT | setting
    )
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def purego() -> None:
    """The one module that ours needs, for CGO_ENABLED=0."""
    done = subprocess.run(["go", "mod", "download"], cwd=MODULE, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"purego cannot be fetched: {done.stderr.strip()}")


def test_the_generated_files_are_current() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools/go_abi.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_comes_from_the_description_is_current() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "border", "--check"], cwd=ROOT / "tools", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def declared() -> set[str]:
    """The exported functions and methods of the module, as the description names them."""
    heads = re.compile(r"^func (?:\(\w+ \*?(\w+)\) )?([A-Z]\w*)[\[(]", re.MULTILINE)
    sources = [path for path in MODULE.glob("*.go") if not path.name.endswith("_test.go")]
    found = [heads.findall(path.read_text(encoding="utf-8")) for path in sources]
    return {f"{of}.{name}" if of else name for pairs in found for of, name in pairs if of[:1].isupper() or not of}


def test_a_row_that_no_method_serves_is_refused() -> None:
    sys.path.append(str(ROOT / "tools"))
    import border
    from border import go as writer

    described = border.load()
    (row,) = (call.row for call in described.calls if call.name == "square_list")
    for change, told in [
        ({"takes": "values rows"}, "no Go for operands of kind rows"),
        ({"gives": "column"}, "no Go for what gives column"),
        ({"takes": "numbers numbers"}, "no list among the operands"),
        ({"c": "modulus_cube_list"}, "no function of pingala.h"),
    ]:
        calls = [border.Call({**row, "go": "Modulus.CubeList", **change}, {})]
        with pytest.raises(border.BorderError, match=told):
            writer.files(border.Border(calls, described.options))


# Functions and methods that make no call of the description, by what they are for.
NO_CALLS = {
    "Version": "the library",
    "Modulus.With FixedBase.With": "options",
    "Modulus.Close FixedBase.Close FixedExponent.Close FixedPower.Close PublicKey.Close": "lifetimes",
    "Modulus.Value Modulus.BitLen FixedBase.Base FixedBase.Modulus FixedBase.ExponentBits FixedBase.Memory": "numbers",
    "FixedExponent.Value FixedExponent.Len PublicKey.IsDSA PublicKey.PSS PublicKey.BitLen Primality.IsPrime": "numbers",
    "FixedExponent.Save FixedExponent.Explain LoadFixedExponent": "files and reasons of chains",
    "Code.Error Error.Error ElementError.Error ListError.Error": "errors",
    "Error.Unwrap ElementError.Unwrap ListError.Unwrap": "errors",
    "Weaknesses.String Defects.String Verdict.String Primality.String": "texts",
    "Modulus.String Factor.String FixedBase.String FixedExponent.String FixedPower.String": "texts",
    "PublicKey.String Options.String": "texts",
}


def test_every_call_is_described_and_every_described_call_exists() -> None:
    sys.path.append(str(ROOT / "tools"))
    import border

    described = {name for call in border.load().calls for name in call.names("go")}
    assert declared() == described | set(" ".join(NO_CALLS).split())


# Functions of the C library that the module does not call, with the reason. purego passes at most 15 arguments.
NOT_CALLED = {
    "modulus_plan_list_limbs": "plan_list_limbs with one modulus",
    "pow_product_list_limbs plan_product_list_limbs explain_product_list_limbs": "a call for each modulus",
    "modulus_width_limbs options_set_width": "rows are as wide as the modulus",
    "options_set_timeout": "the deadline of a context ends a call",
    "modulus_new_secret_limbs modulus_pow_sec_limbs": "secrets are lists: docs/go.md",
}


def test_every_function_of_the_library_is_called_or_named() -> None:
    generated = (MODULE / "internal/abi/cgo_calls.go").read_text(encoding="utf-8")
    twins = {name.removesuffix("_limbs") + "_be" for name in SYMBOLS if name.endswith("_limbs")}
    not_called = [name for name in SYMBOLS if name not in twins and f"{name}(" not in generated]
    assert sorted(not_called) == sorted(f"pingala_{name}" for name in " ".join(NOT_CALLED).split())


def test_format() -> None:
    assert subprocess.check_output(["gofmt", "-l", MODULE], text=True) == ""


def test_vet() -> None:
    go("vet", "./...", setting=LINKED)


@pytest.mark.parametrize("platform", ["linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"])
def test_vet_without_cgo(purego: None, platform: str) -> None:
    system, architecture = platform.split("/")
    go("vet", "./...", setting=LOADED | {"GOOS": system, "GOARCH": architecture})


def test_cgo() -> None:
    go("test", "./...", setting=SHARED)


def test_race() -> None:
    go("test", "-race", "-short", "./...", setting=SHARED)


def test_cgocheck() -> None:
    # cgocheck=1 is what every run has; this one also follows pointers that are stored.
    go("test", "-short", "./...", setting=SHARED | {"GOEXPERIMENT": "cgocheck2", "GODEBUG": "cgocheck=1"})


def test_purego(purego: None) -> None:
    go("test", "./...", setting=LOADED)


def test_archive() -> None:
    go("test", "-short", "-tags", "pingala_static", "./...", setting=LINKED)


def test_program_without_shared_libraries(tmp_path: Path) -> None:
    if subprocess.check_output(["cc", "-print-file-name=libc.a"], text=True).strip() == "libc.a":
        pytest.skip("no static C library")
    program = tmp_path / "program"
    flags = ["-ldflags", "-linkmode external -extldflags -static"]
    go("test", "-c", "-o", program, "-tags", "pingala_static", *flags, ".", setting=LINKED)
    assert "no dynamic section" in subprocess.check_output(["readelf", "-d", program], text=True)
    # In the folder of the sources, as `go test` does: a test reads them, and the file of calls.
    subprocess.run([program, "-test.short"], check=True, timeout=600, env=ENVIRONMENT, cwd=MODULE)


@pytest.mark.parametrize("target", ["FuzzExp", "FuzzLists"])
def test_fuzz(target: str) -> None:
    go("test", f"-fuzz=^{target}$", f"-fuzztime={FUZZ_CASES}x", "-run=^$", "-parallel=2", ".", setting=SHARED)


def test_a_library_that_does_not_fit_is_refused(purego: None, tmp_path: Path) -> None:
    """One whose functions all return 0, its ABI number among them; and one without the functions."""
    program = tmp_path / "program.go"
    program.write_text(
        'package main\n\nimport (\n\t"fmt"\n\n\tpingala "example.org/pingala"\n)\n\n'
        "func main() { _, err := pingala.Version(); fmt.Println(err) }\n"
    )
    built = tmp_path / "program"
    go("build", "-o", built, program, setting=LOADED)
    for name, source, expected in [
        ("old.so", "".join(f"long {symbol}(void) {{ return 0; }}\n" for symbol in SYMBOLS), "it has ABI 0"),
        ("other.so", "int other;\n", "has no function pingala_"),
    ]:
        library = tmp_path / name
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, "-x", "c", "-"], input=source, text=True, check=True)
        environment = ENVIRONMENT | {"PINGALA_LIBRARY": str(library)}
        told = subprocess.check_output([built], text=True, env=environment)
        assert "no usable Pingala library" in told, told
        assert expected in told, told


def user(folder: Path, program: str, module: str = "example.org/pingala") -> Path:
    """A module of a user with a program in it."""
    folder.mkdir(exist_ok=True)
    (folder / "go.mod").write_text("module example.com/user\n\ngo 1.24\n", encoding="utf-8")
    (folder / "main.go").write_text(program.replace("example.org/pingala", module), encoding="utf-8")
    return folder


def examples(page: Path = ROOT / "docs/go.md") -> list[tuple[str, str]]:
    """The programs of a page, and what they print."""
    found = page.read_text(encoding="utf-8")
    programs = re.findall(r"```go\n(package main\n.*?)```\n\n```text\n(.*?)```", found, re.DOTALL)
    assert len(programs) == found.count("```go\n")
    return programs


def test_the_page_has_examples() -> None:
    assert len(examples()) >= 3


@pytest.mark.parametrize(("program", "printed"), examples())
def test_the_examples_of_the_page(purego: None, tmp_path: Path, program: str, printed: str) -> None:
    """In a user's module, tidy, that replaces the path by the folder; and with its dependencies copied into it."""
    folder = user(tmp_path / "user", program)
    formatted = subprocess.run(["gofmt"], input=program, capture_output=True, text=True, check=True).stdout
    assert formatted == program
    go("mod", "edit", f"-replace=example.org/pingala={MODULE}", setting=SHARED, folder=folder)
    go("mod", "tidy", setting=SHARED, folder=folder)
    assert go("run", ".", setting=SHARED, folder=folder) == printed
    go("mod", "vendor", setting=SHARED, folder=folder)
    for setting in (SHARED, LOADED):
        assert go("run", "-mod=vendor", ".", setting=setting, folder=folder) == printed


def recipes() -> list[Any]:
    pages = [ROOT / "go/README.md", *sorted((ROOT / "docs/recipes").glob("*.md"))]
    return [pytest.param(*example, id=page.stem) for page in pages for example in examples(page)]


def test_recipes_have_programs() -> None:
    assert len(recipes()) >= 6


@pytest.mark.parametrize(("program", "printed"), recipes())
def test_recipes(purego: None, tmp_path: Path, program: str, printed: str) -> None:
    folder = user(tmp_path / "user", program)
    assert subprocess.run(["gofmt"], input=program, capture_output=True, text=True, check=True).stdout == program
    go("mod", "edit", f"-replace=example.org/pingala={MODULE}", setting=SHARED, folder=folder)
    go("mod", "tidy", setting=SHARED, folder=folder)
    go("vet", ".", setting=SHARED, folder=folder)
    assert go("run", ".", setting=SHARED, folder=folder) == printed


def publish(proxy: Path, module: str, version: str, folder: Path) -> None:
    """The files of a module as a module proxy serves them."""
    at = proxy / module / "@v"
    at.mkdir(parents=True)
    (at / "list").write_text(version + "\n")
    (at / f"{version}.info").write_text(json.dumps({"Version": version, "Time": "2026-01-01T00:00:00Z"}))
    shutil.copy(folder / "go.mod", at / f"{version}.mod")
    nested = [path.parent for path in folder.rglob("go.mod") if path.parent != folder]
    with zipfile.ZipFile(at / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.rglob("*"):
            if path.is_file() and not any(inner in path.parents for inner in nested):
                archive.write(path, f"{module}@{version}/{path.relative_to(folder)}")


def test_the_published_module_needs_no_installed_library(purego: None, tmp_path: Path) -> None:
    """`go-dist`, served by a proxy of files to a user who has neither the library nor pkg-config."""
    module, version, proxy = "go.example.com/team/pingala", "v1.2.3", tmp_path / "proxy"
    dist = tmp_path / "dist"
    script = [sys.executable, ROOT / "tools/go_dist.py", module, version, dist]
    environment = ENVIRONMENT | {"CARGO_TARGET_DIR": str(TARGET)}
    subprocess.run(script, check=True, stdout=subprocess.DEVNULL, env=environment)
    platform = "-".join(subprocess.check_output(["go", "env", "GOOS", "GOARCH"], text=True).split())
    publish(proxy, module, version, dist)
    publish(proxy, f"{module}/lib/{platform}", version, dist / "lib" / platform)
    cache = subprocess.check_output(["go", "env", "GOMODCACHE"], text=True).strip()
    setting = {
        "GOPROXY": f"file://{proxy},file://{cache}/cache/download",
        "GOSUMDB": "off",
        "GOMODCACHE": str(tmp_path / "cache"),
        "GOFLAGS": "-modcacherw",
        "PKG_CONFIG": "/bin/false",
        "CGO_ENABLED": "1",
    }
    program, printed = examples()[0]
    folder = user(tmp_path / "user", program, module)
    go("mod", "tidy", setting=setting, folder=folder)
    assert f"{module} {version}" in (folder / "go.mod").read_text()
    assert go("run", ".", setting=setting, folder=folder) == printed
    go("mod", "vendor", setting=setting, folder=folder)
    assert go("run", "-mod=vendor", ".", setting=setting, folder=folder) == printed
