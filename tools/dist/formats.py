"""What a native library is: ELF, Mach-O and PE files of 64 bits."""

import hashlib
from io import BytesIO

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from .linkers import OLDEST_MACOS
from .platforms import Platform

_ELF = {62: "x86_64", 183: "aarch64"}
_MACH_O = {0x0100_0007: "x86_64", 0x0100_000C: "arm64"}
_PE = {0x8664: "x86_64"}
_MACH_O_64 = b"\xcf\xfa\xed\xfe"


def _number(data: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def native(data: bytes) -> tuple[str, bool]:
    """The system and the processor, as platforms are named (musl counts as Linux), and whether it is a library."""

    if data.startswith(b"\x7fELF\x02\x01"):
        return f"linux-{_ELF.get(_number(data, 18, 2), 'another')}", _number(data, 16, 2) == 3
    if data.startswith(_MACH_O_64):
        return f"macos-{_MACH_O.get(_number(data, 4), 'another')}", _number(data, 12) == 6
    start = _number(data, 60) if data.startswith(b"MZ") else 0
    if data[start : start + 4] == b"PE\0\0":
        return f"windows-{_PE.get(_number(data, start + 4, 2), 'another')}", bool(_number(data, start + 22, 2) & 0x2000)
    return "no native file", False


def misfit(data: bytes, platform: Platform) -> str | None:
    """What is wrong with a file that should be a library for a platform; none if nothing is."""
    found, is_library = native(data)
    if found != platform.name.replace("musl", "linux"):
        return f"{found}, not {platform.name}"
    if not is_library:
        return f"{found}, but no library"
    if "apple" in platform.triple:
        if (oldest := oldest_macos(data)) != OLDEST_MACOS[platform.triple.partition("-")[0]]:
            return f"for macOS {oldest} and later"
        # On x86-64 macOS asks for no signature.
        return unsigned(data) if platform.name == "macos-arm64" else None
    return None


def exports(data: bytes) -> set[str]:
    """The names that others find in a library, of macOS without the underscore that C puts before them."""
    if data.startswith(b"\x7fELF"):
        symbols = ELFFile(BytesIO(data)).get_section_by_name(".dynsym")
        if not isinstance(symbols, SymbolTableSection):
            return set()
        return {symbol.name for symbol in symbols.iter_symbols() if symbol["st_shndx"] != "SHN_UNDEF"}
    return _exports_of_macos(data) if data.startswith(_MACH_O_64) else _exports_of_windows(data)


def _commands(data: bytes) -> list[tuple[int, int]]:
    """What a Mach-O file says to its loader: kind and place of each command."""
    found, at = [], 32
    for _ in range(_number(data, 16)):
        found.append((_number(data, at), at))
        at += _number(data, at + 4)
    return found


def _exports_of_macos(data: bytes) -> set[str]:
    """Of LC_SYMTAB, the symbols that are external, not private, and defined in a section."""
    (table,) = (at for kind, at in _commands(data) if kind == 2)
    symbols, count, strings = (_number(data, table + offset) for offset in (8, 12, 16))
    entries = range(symbols, symbols + 16 * count, 16)
    return {_text(data, strings + _number(data, at))[1:] for at in entries if data[at + 4] & 0xFF == 0x0F}


def _exports_of_windows(data: bytes) -> set[str]:
    start = _number(data, 60)
    sections, optional = _number(data, start + 6, 2), start + 24
    first = optional + _number(data, start + 20, 2)

    def place(address: int) -> int:
        for at in range(first, first + 40 * sections, 40):
            size, begin, where = (_number(data, at + offset) for offset in (16, 12, 20))
            if begin <= address < begin + size:
                return address - begin + where
        raise ValueError(f"no section has the address {address:#x}")

    if (directory := _number(data, optional + 112)) == 0:
        return set()
    count, names = (_number(data, place(directory) + offset) for offset in (24, 32))
    return {_text(data, place(_number(data, place(names) + 4 * index))) for index in range(count)}


def oldest_macos(data: bytes) -> str:
    """The oldest macOS that a Mach-O file says it runs on."""
    # LC_VERSION_MIN_MACOSX and LC_BUILD_VERSION.
    (version,) = (_number(data, at + {0x24: 8, 0x32: 12}[kind]) for kind, at in _commands(data) if kind in (0x24, 0x32))
    return f"{version >> 16}.{version >> 8 & 0xFF}"


def unsigned(data: bytes) -> str | None:
    """Why macOS on arm64 would not load a Mach-O file; none if the sums of its signature are those of its pages."""
    places = [_number(data, at + 8) for kind, at in _commands(data) if kind == 0x1D]
    if not places:
        return "no signature"

    def big(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "big")

    # The index of the signature names the code directory by the kind 0.
    index = places[0]
    directories = [big(at + 4) for at in range(index + 12, index + 12 + 8 * big(index + 8), 8) if big(at) == 0]
    if not directories:
        return "a signature without a code directory"
    at = index + directories[0]
    sums, pages, limit = at + big(at + 16), big(at + 28), big(at + 32)
    size, page = data[at + 36], 1 << data[at + 39]
    # The signature itself is behind what it covers.
    if (size, data[at + 37], limit, pages) != (32, 2, index, -(-limit // page)):
        return "a signature of another kind, or of another length"
    for number in range(pages):
        covered = data[number * page : min((number + 1) * page, limit)]
        if hashlib.sha256(covered).digest() != data[sums + 32 * number : sums + 32 * number + 32]:
            return f"page {number} is not as signed"
    return None
