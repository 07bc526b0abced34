"""The wheel and the command for Windows, by cargo-zigbuild.

maturin 1.16 cannot link this one: for the GNU target of Windows it asks the linker to export `PyInit_pingala._pingala`,
with the whole path of the module. So the extension is compiled as any library, and packed here as maturin would.
"""

import base64
import hashlib
import shutil
import tarfile
import tomllib
import zipfile
from pathlib import Path

from .platforms import Platform
from .run import DIST, NOTICES, TARGET, TOP, WORK, Report, add_to_zip, run
from .wheels import version


def _how(platform: Platform, verb: str, python: str) -> tuple[list[str], dict[str, str]]:
    """A call of cargo-zigbuild and its environment: the same for all, so that nothing is compiled twice."""
    zig = ["cargo-zigbuild", verb, "--locked", "--release", "--target", platform.triple, "--package", "pingala-cli"]
    # No library of Python is linked: its functions are looked up when Windows loads the extension.
    return zig, {"PYO3_CROSS_PYTHON_VERSION": python, "CARGO_PROFILE_RELEASE_STRIP": "symbols"}


def compiled(platform: Platform, python: str) -> Path:
    """The folder with _pingala.dll for this Python and pingala.exe."""
    zig, more = _how(platform, "zigbuild", python)
    run([*zig, "--package", "pingala-python"], more)
    return TARGET / platform.triple / "release"


def wine() -> str | None:
    return shutil.which("wine64") or shutil.which("wine")


def environment_of(wine: str, report: Report) -> dict[str, str] | None:
    """A Windows of its own below WORK, as environment; none where it could not be made."""
    prefix = WORK / "wine"
    more = {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all"}
    system = prefix / "drive_c/windows/system32"
    if not system.is_dir() and not report.attempt("run", "a folder for wine", [wine, "wineboot", "--init"], more):
        return None
    if not (system / "bcryptprimitives.dll").exists():
        zig = ["python", "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared", "-O1", "-s"]
        zig += [str(TOP / "tools/dist/bcryptprimitives.c"), "-ladvapi32", "-o", str(WORK / "bcryptprimitives.dll")]
        if not report.attempt("run", "bcryptprimitives.dll for wine", zig):
            return None
        shutil.copy(WORK / "bcryptprimitives.dll", system)
    return more


# Wine 8.0 refuses GenerateConsoleCtrlEvent, by which these tests send Ctrl-Break.
NOT_UNDER_WINE = ("ctrl_c", "an_interrupt_is_no_loss")


def tests(platform: Platform, wine: str) -> tuple[list[str], dict[str, str]]:
    """How the command's tests are run under wine."""
    zig, more = _how(platform, "test", platform.interpreters[0])
    runner = f"CARGO_TARGET_{platform.triple.replace('-', '_').upper()}_RUNNER"
    skipped = [word for name in NOT_UNDER_WINE for word in ("--skip", name)]
    return [*zig, "--no-fail-fast", "--", *skipped], {**more, runner: wine}


def _metadata() -> bytes:
    """What the source distribution says about the package."""
    with tarfile.open(DIST / f"pingala-{version()}.tar.gz") as archive:
        file = archive.extractfile(f"pingala-{version()}/PKG-INFO")
        if file is None:
            raise FileNotFoundError("PKG-INFO")
        return file.read()


def pack(extension: bytes, python: str) -> Path:
    """A wheel with everything that the others have."""
    tag = f"cp{python.replace('.', '')}"
    scripts = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    info = f"pingala-{version()}.dist-info"
    files = {
        path.relative_to(TOP / "python").as_posix(): path.read_bytes()
        for path in sorted((TOP / "python/pingala").rglob("*"))
        if path.suffix in {".py", ".pyi"} or path.name == "py.typed"
    }
    files[f"pingala/_pingala.{tag}-win_amd64.pyd"] = extension
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: pingala\nRoot-Is-Purelib: false\nTag: {tag}-{tag}-win_amd64\n".encode()
    )
    lines = "".join(f"{name} = {place}\n" for name, place in scripts.items())
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{lines}".encode()
    for notice in NOTICES:
        files[f"{info}/licenses/{notice}"] = (TOP / notice).read_bytes()
    record = "".join(f"{name},{_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = DIST / f"pingala-{version()}-{tag}-{tag}-win_amd64.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            add_to_zip(archive, name, data)
    return wheel


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build(platform: Platform, report: Report) -> None:
    """The wheels of the platform. Its source distribution is built already."""
    for python in platform.interpreters:
        with report.guarded("wheel", f"{platform.name}: {python}"):
            wheel = pack((compiled(platform, python) / "_pingala.dll").read_bytes(), python)
            report.add("wheel", wheel.name, f"built, {wheel.stat().st_size / 1e6:.1f} MB")


def program(platform: Platform, folder: Path) -> None:
    shutil.copy(compiled(platform, platform.interpreters[0]) / "pingala.exe", folder)
