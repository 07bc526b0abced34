"""The platforms of a release, and what this machine builds for each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """One platform: wheels for some interpreters, and the command in an archive."""

    name: str
    triple: str
    #: What maturin writes into the wheel's name for Linux.
    compatibility: str = ""
    #: The newest glibc whose symbols may be needed.
    glibc: tuple[int, int] | None = None
    interpreters: tuple[str, ...] = ("3.13",)
    #: The wheel of CPython 3.15 and later, on the stable ABI.
    stable_abi: bool = False

    @property
    def zig_triple(self) -> str:
        """The triple as cargo-zigbuild takes it, with the version of glibc."""
        return self.triple + (".{}.{}".format(*self.glibc) if self.glibc else "")


_GLIBC = (2, 17)

PLATFORMS = (
    Platform("linux-x86_64", "x86_64-unknown-linux-gnu", "manylinux2014", _GLIBC,
             ("3.11", "3.12", "3.13", "3.14", "3.14t"), stable_abi=True),
    Platform("musl-x86_64", "x86_64-unknown-linux-musl", "musllinux_1_2", None, ("3.11", "3.12", "3.13")),
    # 3.11 is Debian's, which is run under qemu-user.
    Platform("linux-aarch64", "aarch64-unknown-linux-gnu", "manylinux2014", _GLIBC, ("3.11", "3.13")),
    Platform("macos-arm64", "aarch64-apple-darwin"),
    Platform("macos-x86_64", "x86_64-apple-darwin"),
    Platform("windows-x86_64", "x86_64-pc-windows-gnu"),
)  # fmt: skip
