"""The libraries that are asked, and how each one runs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ASK = Path(__file__).parent / "ask"
PYPI = ["gmpy2==2.3.2", "python-flint==0.9.0", "sympy==1.14.0", "cypari2==2.2.0"]
NPM = ["jsbn@1.1.0", "node-forge@1.4.3", "bn.js@5.2.5", "big-integer@1.6.52", "bigint-mod-arith@3.3.1"]
CRATES = ["num-bigint", "dashu-int", "malachite-nz"]

# name: (language, argument of the program or library to link)
PROGRAMS: dict[str, tuple[str, str]] = {
    "Pingala in Python": ("python", "pingala"),
    "Python's pow": ("python", "pow"),
    "gmpy2": ("python", "gmpy2"),
    "python-flint": ("python", "python-flint"),
    "sympy": ("python", "sympy"),
    "PARI (cypari2)": ("python", "PARI"),
    "GMP": ("c", "gmp"),
    "OpenSSL BN": ("c", "openssl"),
    "libgcrypt": ("c", "libgcrypt"),
    "libtommath": ("c", "libtommath"),
    "Botan": ("c++", "botan-2"),
    "math/big": ("go", ""),
    "BigInteger": ("java", ""),
    "num-bigint": ("rust", "num-bigint"),
    "dashu-int": ("rust", "dashu-int"),
    "malachite": ("rust", "malachite-nz"),
    "jsbn": ("node", "jsbn"),
    "node-forge": ("node", "node-forge"),
    "bn.js": ("node", "bn.js"),
    "big-integer": ("node", "big-integer"),
    "bigint-mod-arith": ("node", "bigint-mod-arith"),
    "tcllib": ("tcl", ""),
    "Erlang crypto": ("erlang", ""),
    "Math::BigInt": ("perl", ""),
    "Ruby": ("ruby", ""),
}


class MissingError(Exception):
    """A program that is not installed here."""


def run(*command: str | Path, cwd: Path | None = None, timeout: int = 1200) -> str:
    """The standard output of a command. Error: `MissingError` if there is no such command, or it fails."""
    program = str(command[0])
    if shutil.which(program) is None:
        raise MissingError(f"no {program}")
    asked = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False)
    if asked.returncode:
        last = asked.stderr.strip().splitlines()[-1:] or [f"{program} ended with {asked.returncode}"]
        raise MissingError(last[0])
    return asked.stdout


def install(folder: Path) -> None:
    """Installs the pinned packages below `folder`, as far as the tools for that exist."""
    steps: list[tuple[str | Path, ...]] = [
        (
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--target",
            folder / "python",
            "--only-binary=:all:",
            *PYPI,
        ),
        (
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--prefix",
            folder / "node",
            *NPM,
        ),
        ("cargo", "build", "--quiet", "--manifest-path", ASK / "rust/Cargo.toml", "--target-dir", folder / "rust"),
    ]
    (folder / "node").mkdir()
    for step in steps:
        try:
            run(*step)
        except MissingError as why:
            print(f"not installed: {why}", file=sys.stderr)
    (ASK / "rust/Cargo.lock").unlink(missing_ok=True)


def compiled(language: str, library: str, folder: Path) -> Path:
    compiler = "g++" if language == "c++" else "gcc"
    source = next(ASK.glob(f"{library.removesuffix('-2')}.c*"))
    flags = ["-lgcrypt"] if library == "libgcrypt" else run("pkg-config", "--cflags", "--libs", library).split()
    release = [] if library == "libgcrypt" else [f'-DVERSION="{run("pkg-config", "--modversion", library).strip()}"']
    program = folder / f"ask-{library}"
    run(compiler, *release, "-o", program, source, *flags)
    return program


def ask(name: str, folder: Path) -> dict[str, str]:
    """The answers of a program, by question, and its `version`. Error: `MissingError`."""
    language, argument = PROGRAMS[name]
    match language:
        case "python":
            path = os.pathsep.join([str(folder / "python"), *sys.path])
            text = run("env", f"PYTHONPATH={path}", sys.executable, ASK / "python.py", argument)
        case "c" | "c++":
            text = run(compiled(language, argument, folder))
        case "go":
            shutil.copy(ASK / "main.go", folder / "main.go")
            text = run("go", "run", "main.go", cwd=folder)
        case "java":
            text = run("java", ASK / "Ask.java")
        case "rust":
            program = folder / "rust/debug/ask"
            if not program.exists():
                raise MissingError("not installed: --install")
            text = run(program, argument)
        case "node":
            place = folder / "node"
            if not (place / "node_modules" / argument).exists():
                raise MissingError("not installed: --install")
            text = run("node", ASK / "ask.cjs", argument, cwd=place)
        case "tcl":
            text = run("tclsh", ASK / "ask.tcl")
        case "erlang":
            text = run("escript", ASK / "ask.escript")
        case "perl":
            text = run("perl", ASK / "ask.pl")
        case _:
            text = run("ruby", ASK / "ask.rb")
    return dict(line.split("\t", 1) for line in text.splitlines())
