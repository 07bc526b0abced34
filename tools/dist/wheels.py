"""Wheels by maturin and zig, the source distribution, and the glibc that each file needs."""

import re
import shutil
import subprocess
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from .linkers import linker
from .platforms import Platform
from .run import DIST, TOP, Report, output


def interpreter(version: str) -> str | None:
    """A Python of this version on this machine: on PATH, or of pyenv."""
    found = shutil.which(f"python{version}")
    candidates = [found] if found else []
    if shutil.which("pyenv"):
        root = Path(output(["pyenv", "root"]).strip())
        candidates += [str(path) for path in sorted(root.glob(f"versions/{version}.*/bin/python{version}"))]
    for candidate in candidates:
        # A shim of pyenv is on PATH for versions that are not chosen, too.
        if subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def build(platform: Platform, report: Report) -> None:
    """All wheels of a platform. maturin knows the layout of interpreters that this machine does not have."""
    maturin = ["maturin", "build", "--locked", "--release", "--zig", "--target", platform.triple, "--out", str(DIST)]
    if platform.compatibility:
        maturin += ["--compatibility", platform.compatibility]
    names = [f"python{version}" for version in platform.interpreters]
    chosen = [word for name in names for word in ("--interpreter", name)]
    more = linker(platform.triple)
    report.attempt("wheel", f"{platform.name}: {', '.join(platform.interpreters)}", [*maturin, *chosen], more)
    if platform.stable_abi:
        stable = [*maturin, "--features", "abi3t", "--interpreter", "python3.15"]
        report.attempt("wheel", f"{platform.name}: 3.15 and later (abi3t)", stable, more)


def source(report: Report) -> None:
    report.attempt("sdist", "source distribution", ["maturin", "sdist", "--out", DIST])


def well_formed(report: Report) -> None:
    """Whether PyPI would take the files."""
    files = [*sorted(DIST.glob("pingala-*.whl")), DIST / f"pingala-{version()}.tar.gz"]
    report.attempt("wheel", f"twine check of {len(files)} files", ["twine", "check", "--strict", *files])


def newest_glibc(file: BinaryIO) -> tuple[int, ...]:
    """The newest version of glibc whose symbols an ELF file asks for; () for none."""
    needed = ELFFile(file).get_section_by_name(".gnu.version_r")
    if not isinstance(needed, GNUVerNeedSection):
        return ()
    names = [auxiliary.name for _, auxiliaries in needed.iter_versions() for auxiliary in auxiliaries]
    found = [re.fullmatch(r"GLIBC_([0-9.]+)", name) for name in names]
    return max((tuple(map(int, match.group(1).split("."))) for match in found if match), default=())


def elf_files(path: Path) -> list[tuple[str, bytes]]:
    """The ELF files in a wheel or an archive."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            files = [(name, wheel.read(name)) for name in wheel.namelist()]
    else:
        with tarfile.open(path) as archive:
            members = [(member.name, archive.extractfile(member)) for member in archive if member.isfile()]
            files = [(name, file.read()) for name, file in members if file is not None]
    return [(name, data) for name, data in files if data.startswith(b"\x7fELF")]


def symbols(platform: Platform, report: Report) -> None:
    """Error: a file of the platform needs a newer glibc than it may."""
    if platform.glibc is None:
        return
    architecture = platform.triple.partition("-")[0]
    patterns = (f"pingala-*-manylinux*_{architecture}.whl", f"pingala-*-{platform.triple}.tar.gz")
    for path in sorted(file for pattern in patterns for file in DIST.glob(pattern)):
        for name, data in elf_files(path):
            newest = newest_glibc(BytesIO(data))
            shown = ".".join(map(str, newest)) or "no versioned symbol"
            report.check("symbols", f"{path.name}: {Path(name).name}", newest <= platform.glibc, f"glibc {shown}")


def version() -> str:
    """The workspace's version."""
    found = re.search(r'^\[workspace\.package\]\nversion = "([^"]+)"', (TOP / "Cargo.toml").read_text("utf-8"), re.M)
    if found is None:
        raise ValueError("Cargo.toml has no version")
    return found.group(1)
