"""Writes the C header and the list of its functions from the sources of the crate pingala-c; --check compares them.

The compiler expands the macro that defines the functions, then cbindgen writes the header.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CRATE = ROOT / "crates/pingala-c"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
CBINDGEN = TARGET / "tools/bin/cbindgen"


def run(*command: str | Path, **environment: str) -> str:
    """Its output; ends the program with what it wrote if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | environment, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stderr[-4000:]}")
    return done.stdout


def rustc(source: Path, *flags: str | Path, **environment: str) -> str:
    """Runs the compiler on a file, with the crates that pingala-c uses as cargo has compiled them."""
    cargo = ["cargo", "build", "--locked", "--release", "--quiet", "-p", "pingala-c", "--message-format=json"]
    manifest = json.loads(run("cargo", "metadata", "--locked", "--no-deps", "--format-version=1"))
    (crate,) = (package for package in manifest["packages"] if package["name"] == "pingala-c")
    used = {dependency["name"].replace("-", "_") for dependency in crate["dependencies"]}
    externs: list[str] = []
    for artifact in map(json.loads, run(*cargo).splitlines()):
        if artifact["reason"] == "compiler-artifact" and (name := artifact["target"]["name"]) in used:
            externs += ["--extern", f"{name}=" + next(file for file in artifact["filenames"] if file.endswith(".rlib"))]
    where = ["-L", f"dependency={TARGET}/release/deps"]
    dialect = ["--edition=2024", "--cap-lints=allow", "-Csymbol-mangling-version=v0"]
    return run("rustc", *dialect, *externs, *where, *flags, source, CARGO_PKG_VERSION=crate["version"], **environment)


def header() -> str:
    """The header that cbindgen generates from the expanded sources."""
    if not CBINDGEN.exists():
        sys.exit("no cbindgen: `make c-header` installs it")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "lib.rs"
        flags = ["--crate-name=pingala_c", "--crate-type=rlib", "-Zunpretty=expanded"]
        source.write_text(rustc(CRATE / "src/lib.rs", *flags, RUSTC_BOOTSTRAP="1"), encoding="utf-8")
        made = run(CBINDGEN, "--quiet", "--config", CRATE / "cbindgen.toml", source)
    made = "\n".join(filled(line) for line in made.split("\n"))
    # A twin stands below the function that it is described by, and constants of one description below each other.
    made = re.sub(r"\n\n// As \w+, by limbs\.\n", "\n", made)
    return re.sub(
        r"(?<=\n)(// .*\n)((?:#define .*\n)(?:\n\1#define .*\n)+)", lambda m: m[1] + m[2].replace("\n" + m[1], ""), made
    )


def filled(line: str) -> str:
    """A line; the declaration of a function on as few lines as hold it, which end after parameters."""
    if not line.endswith(");"):
        return line
    kept = re.sub("(?<!,) ", "\0", line)
    return "\n".join(textwrap.wrap(kept, 120, subsequent_indent="    ")).replace("\0", " ")


def symbols(header: str) -> str:
    """The names of the functions, a line each."""
    names = set(re.findall(r"\b(pingala_\w+)\(", header)) - {"pingala_abi_fits"}
    return "".join(f"{name}\n" for name in sorted(names))


def main() -> None:
    made = header()
    files = {CRATE / "include/pingala.h": made, CRATE / "symbols.txt": symbols(made)}
    for path, text in files.items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what the sources give: `make c-header` writes it")


if __name__ == "__main__":
    main()
