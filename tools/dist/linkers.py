"""One linker for each target, so that what maturin compiled is not compiled once more for the C library.

Cargo compiles a crate anew if its linker has another path, and maturin and cargo-zigbuild each write a wrapper of zig
of their own. Both say in CC_TARGET where it is: so a script of one path for both of them asks there.
"""

from .run import WORK


def linker(triple: str) -> dict[str, str]:
    """What cargo's environment needs for this target."""
    name = triple.replace("-", "_")
    script = WORK / "linkers" / triple
    text = f'#!/bin/sh\nexec "$CC_{name}" "$@"\n'
    if not script.exists() or script.read_text(encoding="utf-8") != text:
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(text, encoding="utf-8")
        script.chmod(0o755)
    return {f"CARGO_TARGET_{name.upper()}_LINKER": str(script)}
