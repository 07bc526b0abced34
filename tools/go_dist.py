"""Writes the Go module as a publisher tags it, with the library inside: tools/go_dist.py MODULE VERSION [FOLDER]

    FOLDER/                    the module of go/ under the path MODULE (default: target/go-dist)
    FOLDER/lib/GOOS-GOARCH/    a module of its own for each platform, MODULE/lib/GOOS-GOARCH, with the archive

Whoever imports MODULE needs neither an installed library nor pkg-config on these platforms. Go downloads the modules
of all of them and compiles that of the user's. This run adds the platform of this machine, from target/c/prefix, and
keeps what FOLDER/lib has of other machines. The tags to push are VERSION and lib/GOOS-GOARCH/VERSION. The path stands
in one place, the argument; in go/ it is example.org/pingala.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PREFIX = TARGET / "c/prefix"
NOTICES = ("LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES.txt")

LIBRARY = """\
// Package lib holds the Pingala library for {platform}. Package pingala imports it.
package lib

// #cgo LDFLAGS: ${{SRCDIR}}/libpingala.a -lpthread -lm -ldl
import "C"
"""

BUNDLED = """\
//go:build cgo && {system} && {architecture} && !pingala_shared && !pingala_static

package abi

// #cgo CFLAGS: -I${{SRCDIR}}
import "C"

import _ "{module}/lib/{platform}"
"""


def source_path() -> str:
    """The module's path in go/."""
    text = (ROOT / "go/go.mod").read_text(encoding="utf-8")
    return str(re.findall(r"^module (\S+)$", text, re.MULTILINE)[0])


def copy_sources(folder: Path, module: str) -> None:
    old = source_path()
    for source in sorted((ROOT / "go").rglob("*")):
        if source.suffix in {".go", ".mod", ".sum"}:
            copy = folder / source.relative_to(ROOT / "go")
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8")
            copy.write_text(re.sub(rf"(?<![\w./]){re.escape(old)}(?![\w.])", module, text), encoding="utf-8")
    shutil.copy(PREFIX / "include/pingala.h", folder / "internal/abi")
    for notice in NOTICES:
        shutil.copy(ROOT / notice, folder)


def write_platform(folder: Path, module: str, platform: str) -> None:
    library = folder / "lib" / platform
    library.mkdir(parents=True, exist_ok=True)
    shutil.copy(PREFIX / "lib/libpingala.a", library)
    for notice in NOTICES:
        shutil.copy(ROOT / notice, library)
    (library / "go.mod").write_text(f"module {module}/lib/{platform}\n\ngo 1.24\n", encoding="utf-8")
    (library / "lib.go").write_text(LIBRARY.format(platform=platform), encoding="utf-8")


def bundle(folder: Path, module: str, version: str, platforms: list[str]) -> None:
    """Lets package abi take the library from the modules of these platforms, and from pkg-config elsewhere."""
    abi = folder / "internal/abi"
    elsewhere = []
    for platform in platforms:
        system, architecture = platform.split("-")
        text = BUNDLED.format(system=system, architecture=architecture, module=module, platform=platform)
        (abi / f"cgo_bundled_{system}_{architecture}.go").write_text(text, encoding="utf-8")
        elsewhere.append(f"!({system} && {architecture})")
    shared = abi / "cgo_shared.go"
    constraint = f"//go:build cgo && !pingala_static && (pingala_shared || ({' && '.join(elsewhere)}))"
    shared.write_text(re.sub("^//go:build .*$", constraint, shared.read_text(), count=1, flags=re.MULTILINE))
    with (folder / "go.mod").open("a", encoding="utf-8") as go_mod:
        for platform in platforms:
            go_mod.write(f"\nrequire {module}/lib/{platform} {version}\n")
            # For builds in this folder; programs that import the module do not see it.
            go_mod.write(f"\nreplace {module}/lib/{platform} => ./lib/{platform}\n")
    subprocess.run(["gofmt", "-w", folder], check=True)


def main() -> int:
    if len(sys.argv) not in (3, 4) or not re.fullmatch(r"v\d+\.\d+\.\d+\S*", sys.argv[2]):
        print(__doc__, file=sys.stderr)
        return 2
    module, version = sys.argv[1:3]
    folder = Path(sys.argv[3]) if len(sys.argv) == 4 else TARGET / "go-dist"
    platform = subprocess.check_output(["go", "env", "GOOS", "GOARCH"], text=True).split()
    copy_sources(folder, module)
    write_platform(folder, module, "-".join(platform))
    platforms = sorted(path.name for path in (folder / "lib").iterdir())
    bundle(folder, module, version, platforms)
    print(f"{folder}: {module} {version} with {', '.join(platforms)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
