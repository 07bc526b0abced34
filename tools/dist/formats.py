"""What a native library is: ELF, Mach-O and PE files of 64 bits."""

from .platforms import Platform

_ELF = {62: "x86_64", 183: "aarch64"}
_MACH_O = {0x0100_0007: "x86_64", 0x0100_000C: "arm64"}
_PE = {0x8664: "x86_64"}


def native(data: bytes) -> tuple[str, bool]:
    """The system and the processor, as platforms are named (musl's files are those of Linux), and whether it is a library."""

    def number(at: int, size: int) -> int:
        return int.from_bytes(data[at : at + size], "little")

    if data.startswith(b"\x7fELF\x02\x01"):
        return f"linux-{_ELF.get(number(18, 2), 'another')}", number(16, 2) == 3
    if data.startswith(b"\xcf\xfa\xed\xfe"):
        return f"macos-{_MACH_O.get(number(4, 4), 'another')}", number(12, 4) == 6
    start = number(60, 4) if data.startswith(b"MZ") else 0
    if data[start : start + 4] == b"PE\0\0":
        return f"windows-{_PE.get(number(start + 4, 2), 'another')}", bool(number(start + 22, 2) & 0x2000)
    return "no native file", False


def misfit(data: bytes, platform: Platform) -> str | None:
    """What is wrong with a file that should be a library for a platform; none if nothing is."""
    found, is_library = native(data)
    if found != platform.name.replace("musl", "linux"):
        return f"{found}, not {platform.name}"
    return None if is_library else f"{found}, but no library"
