"""The vectors that the demo runs on. vectors/README.md names their sources."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

VECTORS = Path(__file__).parents[1] / "vectors"
ROOTS = VECTORS / "mozilla_rsa_roots.jsonl"
AGREEMENTS = VECTORS / "rfc3526_agreements.jsonl"


@dataclass(frozen=True)
class Row:
    """One power with the answer that it must have."""

    id: str
    base: int
    exponent: int
    modulus: int
    expected: int

    @property
    def bits(self) -> int:
        return self.modulus.bit_length()

    @property
    def hash_name(self) -> str:
        """The hash of a root, whose id is a name, the bits of the key and the hash."""
        return self.id.rsplit(" ", 1)[1]

    @property
    def group(self) -> str:
        """The number of an agreement's group in RFC 3526."""
        return self._found(r"group (\d+) ")

    @property
    def what(self) -> str:
        """Which power of its agreement a row is, such as `(g^b)^a`."""
        return self._found(r"group \d+ ([^,]+),")

    def _found(self, pattern: str) -> str:
        match = re.search(pattern, self.id)
        if match is None:
            raise ValueError(f"the id {self.id!r} does not match {pattern}")
        return match.group(1)


def read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    names = ("base", "exponent", "modulus", "expected")
    return [Row(text["id"], *(int(text[name], 16) for name in names)) for text in texts]
