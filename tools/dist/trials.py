"""What was built, installed in empty environments and run: here, in old and foreign roots, under emulators."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import musl, windows
from .platforms import PLATFORMS, Platform
from .run import DIST, TOP, WORK, Report, debian_mirror, environment, output, run
from .wheels import interpreter, version

SMOKE = TOP / "tools/dist/smoke.py"
NOT_RUN = "built, NOT RUN: "

#: Debians, what their Pythons need to install wheels, and which wheels: the oldest whose Python is new enough, and one
#: with Pythons that this machine is not likely to have.
_DEBIANS = (
    ("bookworm", "python3-pip,python3-venv", {"3.11": "cp311-cp311"}),
    ("forky", "python3.14-venv,python3.15-venv", {"3.14": "cp314-cp314", "3.15": "cp315-abi3*"}),
)


def _smoke(report: Report, what: str, command: Sequence[str | Path], more: Mapping[str, str] | None = None) -> None:
    """Runs the twenty cases; the last line of their output is the result."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=environment(more), capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
    for line in lines[:-1]:
        print(f"  {line}")
    report.check("run", what, done.returncode == 0, lines[-1])


def _wheels(tag: str) -> list[Path]:
    return sorted(DIST.glob(f"pingala-{version()}-{tag}.whl"))


def _installed(wheel: Path, python: str | Path, name: str, report: Report) -> None:
    """The wheel by pip, from only the file, into an empty environment of this Python, and run there."""
    home = WORK / "venv" / name
    shutil.rmtree(home, ignore_errors=True)
    pip: list[str | Path] = [home / "bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]
    if report.attempt("run", f"an environment of {python}", [python, "-m", "venv", home]) and report.attempt(
        "run", f"pip install {wheel.name}", pip
    ):
        _smoke(report, wheel.name, [home / "bin/python", SMOKE])


def here(platform_: Platform, report: Report) -> None:
    """Each wheel for this machine in an environment of its own, from only the file."""
    elsewhere = {number for _, _, pythons in _DEBIANS for number in pythons}
    for number in platform_.interpreters:
        digits = number.replace(".", "")
        for wheel in _wheels(f"cp{digits.rstrip('t')}-cp{digits}-manylinux*_x86_64"):
            found = interpreter(number)
            if found is not None:
                _installed(wheel, found, digits, report)
            elif number not in elsewhere:
                report.add("run", wheel.name, f"{NOT_RUN}no Python {number} on this machine")


def from_source(report: Report) -> None:
    """The source distribution, compiled and installed by pip as a user would do it."""
    home = WORK / "venv/source"
    shutil.rmtree(home, ignore_errors=True)
    archive = DIST / f"pingala-{version()}.tar.gz"
    # Not in this checkout's folder: pip's copy has another path each time, and would fill it.
    more = {"CARGO_TARGET_DIR": str(WORK / "source")}
    install: list[str | Path] = [home / "bin/pip", "install", "--quiet", archive]
    if report.attempt(
        "run", "an environment for the source distribution", [sys.executable, "-m", "venv", home]
    ) and report.attempt("run", f"pip install {archive.name}", install, more):
        _smoke(report, archive.name, [home / "bin/python", SMOKE])
    shutil.rmtree(WORK / "source", ignore_errors=True)


def _debian(suite: str, architecture: str, include: str, report: Report) -> Path | None:
    """A root of Debian; for a foreign architecture its packages are unpacked, not set up."""
    root = WORK / "roots" / f"{suite}-{architecture}"
    if (root / "usr/bin/dpkg").exists():
        return root
    debootstrap = shutil.which("debootstrap", path=f"{os.environ['PATH']}:/usr/sbin")
    mirror = debian_mirror()
    if debootstrap is None or os.geteuid() != 0 or mirror is None:
        report.add("root", f"{suite}, {architecture}", "NOT RUN: needs debootstrap, root, and apt's packages of Debian")
        return None
    native = architecture == "amd64"
    options = [f"--arch={architecture}", "--variant=minbase", f"--include={include}"]
    # One script does for all Debians: an old debootstrap does not know the names of new ones.
    places: list[str | Path] = [suite, root, mirror, "/usr/share/debootstrap/scripts/sid"]
    command = [debootstrap, *options, *([] if native else ["--foreign"]), *places]
    if not report.attempt("root", f"Debian {suite}, {architecture}", command):
        shutil.rmtree(root, ignore_errors=True)
        return None
    if not native:
        # What the second stage would do needs programs of the other architecture: unpacking is enough to run Python.
        for package in sorted(root.glob("var/cache/apt/archives/*.deb")):
            subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
    return root


def debians(report: Report) -> None:
    """The wheels, the command and the C library on systems without a compiler, with an old or a new glibc."""
    oldest = _debian("bullseye", "amd64", "python3-minimal", report)
    if oldest is not None:
        _old_programs(oldest, "Debian 11", report)
    for suite, include, pythons in _DEBIANS:
        root = _debian(suite, "amd64", include, report)
        if root is None:
            continue
        shutil.copy(SMOKE, root / "opt")
        for number, tag in pythons.items():
            for wheel in _wheels(f"{tag}-manylinux*_x86_64"):
                shutil.copy(wheel, root / "opt")
                lacks = "! command -v cc gcc clang rustc cargo"
                install = f"python{number} -m venv /opt/v && /opt/v/bin/pip install -q --no-index /opt/{wheel.name}"
                shell = f"rm -rf /opt/v && {lacks} && {install} && /opt/v/bin/python /opt/smoke.py"
                path = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
                what = f"Debian {suite} without a compiler: {wheel.name}"
                _smoke(report, what, ["chroot", root, "/bin/sh", "-c", shell], path)


def _command_cases(
    report: Report, what: str, runner: Sequence[str | Path], program: str | Path, more: Mapping[str, str] | None = None
) -> None:
    """The command says its version, computes, and refuses; by the runner of foreign programs, if it needs one."""
    cases = [
        (["--version"], 0, f"pingala {version()}"),
        (["pow", "3", "65537", "1000003"], 0, str(pow(3, 65537, 1000003))),
        (["pow", "7", "1e3", "2**521-1"], 0, str(pow(7, 1000, 2**521 - 1))),
        (["pow", "3", "0x10001", "0x" + "f" * 512], 0, hex(pow(3, 65537, int("f" * 512, 16)))),
        (["pow", "2", "-1", "4"], 1, ""),
        (["plan", "--modulus-bits", "2048", "--exponent-bits", "2048"], 0, None),
    ]
    right = 0
    for arguments, status, expected in cases:
        words = [str(word) for word in (*runner, program, *arguments)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **(more or {})})
        fits = done.returncode == status and expected in (None, done.stdout.strip())
        right += fits
        if not fits:
            print(f"  {arguments}: {done.returncode} {done.stdout[-200:]} {done.stderr[-300:]}")
    report.check("run", what, right == len(cases), f"{right} of {len(cases)} calls as expected")


def _archive(platform_: Platform) -> Path | None:
    """The command's archive, unpacked; where its program is."""
    found = [*DIST.glob(f"pingala-{version()}-{platform_.triple}.*")]
    if not found:
        return None
    name = f"pingala-{version()}-{platform_.triple}"
    shutil.rmtree(WORK / "unpacked" / name, ignore_errors=True)
    _unpack(found[0], WORK / "unpacked")
    return WORK / "unpacked" / name / ("bin/pingala.exe" if found[0].suffix == ".zip" else "bin/pingala")


def _unpack(archive: Path, folder: Path) -> None:
    """Only files and links that stay in the folder; a zip has no others."""
    shutil.unpack_archive(archive, folder, filter=None if archive.suffix == ".zip" else "data")


def _old_programs(root: Path, name: str, report: Report) -> None:
    program = _archive(PLATFORMS[0])
    if program is not None:
        shutil.copy(program, root / "opt/pingala")
        _command_cases(report, f"{name}: the command", ["chroot", root], "/opt/pingala")
    for library in DIST.glob(f"pingala-c-{version()}-{PLATFORMS[0].triple}.tar.gz"):
        _unpack(library, root / "opt")
        _c_programs(root, f"/opt/pingala-c-{version()}-{PLATFORMS[0].triple}", name, report)


def _c_programs(root: Path, place: str, name: str, report: Report) -> None:
    """The first program of docs/c.md, linked here with the shared library and with the archive, run in the root."""
    _, _, rest = (TOP / "docs/c.md").read_text(encoding="utf-8").partition("```c\n")
    source = WORK / "first.c"
    source.write_text(rest.partition("```")[0], encoding="utf-8")
    if shutil.which("pkg-config") is None:
        report.add("run", f"{name}: a program of C", f"{NOT_RUN}no pkg-config")
        return
    expected = f"{pow(3, -5, 0xFFFFFFFF00000001):016x}"
    zig = ["python", "-m", "ziglang", "cc", "-target", PLATFORMS[0].zig_triple.replace("-unknown", ""), str(source)]
    for described in ("pingala", "pingala-static"):
        where = {"PKG_CONFIG_PATH": f"{root}{place}/lib/pkgconfig"}
        program = root / f"opt/first-{described}"
        what = f"{name}: a program with {described}.pc"
        with report.guarded("run", what):
            flags = output(["pkg-config", "--cflags", "--libs", described], where).split()
            # Here the archive needs what unwinds a panic, which gcc adds by itself.
            run([*zig, *flags, "-lunwind", f"-Wl,-rpath,{place}/lib", "-o", program])
            printed = output(["/usr/sbin/chroot", root, f"/opt/first-{described}"]).strip()
            report.check("run", what, printed == expected, printed)


def emulated(platform_: Platform, report: Report) -> None:
    """A platform that an emulator on this machine can run."""
    program = _archive(platform_)
    system = platform_.name.partition("-")[0]
    if platform_.name == "linux-aarch64":
        _aarch64(program, report)
    elif system == "windows":
        _windows(platform_, program, report)
    elif system == "musl":
        _musl(program, report)
    else:
        report.add("run", f"{platform_.name}: wheel and command", f"{NOT_RUN}nothing here runs programs of macOS")


def _windows(platform_: Platform, program: Path | None, report: Report) -> None:
    wine = windows.wine()
    if wine is None:
        report.add("run", "windows-x86_64: the command", f"{NOT_RUN}no wine")
    elif program is not None and (more := windows.environment_of(wine, report)) is not None:
        _command_cases(report, "windows-x86_64: the command under wine", [wine], program, more)
        command, tests = windows.tests(platform_, wine)
        report.attempt("run", "windows-x86_64: the command's test suite under wine", command, {**more, **tests})
        report.add("run", "windows-x86_64: Ctrl-C", f"{NOT_RUN}Wine sends no such event")
    for wheel in _wheels("*-win_amd64"):
        report.add("run", wheel.name, f"{NOT_RUN}no Python for Windows")


def _musl(program: Path | None, report: Report) -> None:
    if program is not None:
        _command_cases(report, "musl-x86_64: the command, a static program", [], program)
    for wheel in _wheels("*-musllinux*_x86_64"):
        digits = wheel.name.split("-")[2].removeprefix("cp")
        found = musl.python(f"{digits[0]}.{digits[1:]}", report)
        if isinstance(found, str):
            report.add("run", wheel.name, f"{NOT_RUN}{found}")
        else:
            _installed(wheel, found, f"musl-{digits}", report)


def _aarch64(program: Path | None, report: Report) -> None:
    qemu = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    root = _debian("bookworm", "arm64", "python3", report) if qemu else None
    if qemu is None or root is None:
        report.add("run", "linux-aarch64: wheel and command", f"{NOT_RUN}no qemu-aarch64 with a root for it")
        return
    runner = [qemu, "-L", str(root)]
    if program is not None:
        _command_cases(report, "linux-aarch64: the command under qemu-user", runner, program)
    python = root / "usr/bin/python3.11"
    for wheel in _wheels("*-manylinux*_aarch64"):
        if "-cp311-" not in wheel.name:
            report.add("run", wheel.name, f"{NOT_RUN}no such Python for aarch64")
            continue
        place = WORK / "unpacked" / wheel.stem
        shutil.rmtree(place, ignore_errors=True)
        shutil.unpack_archive(wheel, place, "zip")
        more = {"PYTHONPATH": str(place), "PYTHONHOME": str(root / "usr"), "PINGALA_SMOKE_RUNNER": " ".join(runner)}
        _smoke(report, f"{wheel.name} under qemu-user", [*runner, python, SMOKE], more)
