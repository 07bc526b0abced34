"""The command in an archive for each platform, and the C library in one for Linux."""

import gzip
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from . import windows
from .linkers import linker, program
from .platforms import Platform
from .run import DIST, NOTICES, TARGET, TOP, WORK, Report, add_to_zip, run
from .wheels import version

#: Where each shell looks for completions below a prefix such as /usr/local.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/pingala",
    "zsh": "share/zsh/site-functions/_pingala",
    "fish": "share/fish/vendor_completions.d/pingala.fish",
    "powershell": "share/powershell/pingala.ps1",
    "elvish": "share/elvish/lib/pingala.elv",
}


def _program(platform: Platform, folder: Path) -> None:
    """The command, stripped, in the folder: by maturin with the flags of the wheels, so that it shares their crates."""
    built = WORK / "programs" / platform.name
    shutil.rmtree(built, ignore_errors=True)
    manifest = TOP / "crates/pingala-cli/Cargo.toml"
    maturin = ["maturin", "build", "--locked", "--release", "--zig", "--strip", "--bindings", "bin"]
    compatibility = ["--compatibility", platform.compatibility] if platform.compatibility else []
    chosen = ["--target", platform.triple, *compatibility, "--manifest-path", str(manifest), "--out", str(built)]
    more, last = program(platform.triple)
    run([*maturin, *chosen, *last], more)
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if "/scripts/" in name:
                file = folder / Path(name).name
                file.write_bytes(packed.read(name))
                file.chmod(0o755)


def _pack(folder: Path, packed: Path) -> None:
    """The folder as an archive that is the same for the same files."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    if packed.suffix == ".zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
            for path in files:
                add_to_zip(zipped, str(path.relative_to(folder.parent)), path.read_bytes())
        return

    def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = "root"
        member.mtime = 0
        return member

    # gzip's head has a time of its own.
    with (
        packed.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=0) as zipped_tar,
        tarfile.open(fileobj=zipped_tar, mode="w") as archive,
    ):
        for path in files:
            archive.add(path, path.relative_to(folder.parent), filter=anonymous)


def command(platform: Platform, host: Path, report: Report) -> None:
    """pingala-VERSION-TRIPLE: bin/, share/man/man1/, completions, notices. `host` is a command that runs here."""
    name = f"pingala-{version()}-{platform.triple}"
    folder = WORK / "archives" / name
    is_windows = "windows" in platform.triple
    packed = DIST / f"{name}.{'zip' if is_windows else 'tar.gz'}"
    shutil.rmtree(folder, ignore_errors=True)
    with report.guarded("command", packed.name):
        (folder / "bin").mkdir(parents=True)
        (windows.program if is_windows else _program)(platform, folder / "bin")
        for shell, place in COMPLETIONS.items():
            (folder / place).parent.mkdir(parents=True)
            with (folder / place).open("wb") as file:
                subprocess.run([host, "completions", shell], stdout=file, check=True)
        run([host, "man", "--out", folder / "share/man/man1"])
        for notice in (*NOTICES, "README.md", "CHANGELOG.md"):
            shutil.copy(TOP / notice, folder)
        _pack(folder, packed)
        report.add("command", packed.name, f"built, {packed.stat().st_size / 1e6:.1f} MB")


def c_library(platform: Platform, report: Report) -> None:
    """pingala-c-VERSION-TRIPLE: include/, lib/, its pkg-config files, which find their own place."""
    name = f"pingala-c-{version()}-{platform.triple}"
    packed = DIST / f"{name}.tar.gz"
    staged = WORK / "archives/c"
    folder = WORK / "archives" / name
    shutil.rmtree(staged, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    with report.guarded("C archive", packed.name):
        zig = ["cargo-zigbuild", "zigbuild", "--locked", "--release", "--target", platform.zig_triple]
        run([*zig, "--package", "pingala-c"], linker(platform.triple))
        built = TARGET / platform.triple / "release"
        run(["tools/install_c.sh", "/prefix"], {"DESTDIR": str(staged), "PINGALA_BUILT": str(built)})
        (staged / "prefix").rename(folder)
        for described in folder.glob("lib/pkgconfig/*.pc"):
            text = described.read_text(encoding="utf-8")
            described.write_text(text.replace("prefix=/prefix\n", "prefix=${pcfiledir}/../..\n", 1), encoding="utf-8")
        _pack(folder, packed)
        report.add("C archive", packed.name, f"built, {packed.stat().st_size / 1e6:.1f} MB")
