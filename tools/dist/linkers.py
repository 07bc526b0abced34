"""One linker for each target, so that what is compiled for one product serves the others.

Cargo compiles a crate anew if its linker has another path or its flags differ. maturin and cargo-zigbuild each write a
wrapper of zig of their own, and both say in CC_TARGET where it is: so a script of one path for both of them asks there.
And what maturin asks of every crate for the sake of an extension is asked for the command, too, and taken back by the
last step of it.
"""

import sys
from pathlib import Path

from .run import WORK

#: As .cargo/config.toml has them for every system but glibc's; RUSTFLAGS replaces those.
FLAGS = "-C symbol-mangling-version=v0"

#: The oldest macOS that runs a file, as Rust has it and the names of wheels state it. Otherwise zig writes macOS 15.
OLDEST_MACOS = {"aarch64": "11.0", "x86_64": "10.12"}

#: What a program needs of macOS in addition to libSystem, which zig describes: the name of the time zone, for a crate
#: that Parquet's uses. Apple's SDK describes it, too, but other systems cannot get it.
_CORE_FOUNDATION = """--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation'
current-version: 1770.300
compatibility-version: 150
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _CFRelease, _CFStringGetBytes, _CFStringGetCStringPtr, _CFStringGetLength, _CFTimeZoneCopySystem,
               _CFTimeZoneGetName, _CFTimeZoneResetSystem ]
...
"""

# maturin lets every crate leave names to the interpreter. A program has none.
_MACOS = """
case " $* " in *" -dynamiclib "*) exec "$CC_{name}" "$@" {more} ;; esac
for word; do
    shift
    case $word in -undefined | dynamic_lookup) ;; *) set -- "$@" "$word" ;; esac
done
exec "$CC_{name}" "$@" {more}
"""


def linker(triple: str) -> dict[str, str]:
    """What cargo's environment needs for this target."""
    name = triple.replace("-", "_")
    text = f'#!/bin/sh\nexec "$CC_{name}" "$@"\n'
    environment = dict[str, str]()
    if "apple" in triple:
        environment["MACOSX_DEPLOYMENT_TARGET"] = OLDEST_MACOS[triple.partition("-")[0]]
        more = ""
        if sys.platform != "darwin":
            framework = WORK / "frameworks/CoreFoundation.framework"
            _write(framework / "CoreFoundation.tbd", _CORE_FOUNDATION)
            more = f'"-F{framework.parent}"'
        text = "#!/bin/sh" + _MACOS.format(name=name, more=more)
    script = WORK / "linkers" / triple
    _write(script, text)
    script.chmod(0o755)
    return {f"CARGO_TARGET_{name.upper()}_LINKER": str(script), **environment}


def program(triple: str) -> tuple[dict[str, str], list[str]]:
    """The environment for a program by maturin that shares the crates of the wheels, and the flags of its last step."""
    more, last = linker(triple), list[str]()
    if "-apple-" in triple:
        more["RUSTFLAGS"] = f"{FLAGS} -C link-arg=-undefined -C link-arg=dynamic_lookup"
    if triple.endswith("-musl"):
        # A static program; a wheel is a shared library.
        more["RUSTFLAGS"] = f"{FLAGS} -C target-feature=-crt-static"
        last = ["--", "-C", "target-feature=+crt-static"]
    return more, last


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
