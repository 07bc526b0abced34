import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, final, overload

from ._errors import ElementTypeError, PingalaError
from ._explanation import Explanation

_Numbers: TypeAlias = SupportsIndex | Iterable[SupportsIndex]
_Element: TypeAlias = int | PingalaError | ElementTypeError
_Progress: TypeAlias = Callable[[int, int], object]

__all__ = [
    "FixedBase",
    "Modulus",
    "__version__",
    "explain",
    "explain_base_list",
    "explain_exp_list",
    "explain_fixed_base",
    "explain_product",
    "explain_repeated_square",
    "invert",
    "main",
    "plan",
    "powmod",
    "powmod_base_list",
    "powmod_exp_list",
    "powmod_list",
    "powmod_product",
    "powmod_sec",
    "repeated_square",
]

__version__: Final[str]

@final
class FixedBase:
    def __new__(
        cls,
        base: SupportsIndex,
        modulus: SupportsIndex,
        exponent_bits: int,
        memory: int = 262144,
        *,
        uses: int = 10000,
        lists: bool = False,
        threads: SupportsIndex | None = None,
        kernel: str | None = None,
        plan: str | None = None,
    ) -> FixedBase: ...
    @property
    def base(self) -> int: ...
    @property
    def modulus(self) -> int: ...
    @property
    def exponent_bits(self) -> int: ...
    @property
    def plan(self) -> str: ...
    @property
    def table_bytes(self) -> int: ...
    @property
    def entries(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...
    def pow(self, exponent: SupportsIndex) -> int: ...
    @overload
    def pow_list(
        self,
        exponents: Iterable[SupportsIndex],
        *,
        threads: SupportsIndex | None = None,
        errors: Literal["raise"] = "raise",
        progress: _Progress | None = None,
        kernel: str | None = None,
        plan: str | None = None,
    ) -> list[int]: ...
    @overload
    def pow_list(
        self,
        exponents: Iterable[SupportsIndex],
        *,
        threads: SupportsIndex | None = None,
        errors: Literal["return"],
        progress: _Progress | None = None,
        kernel: str | None = None,
        plan: str | None = None,
    ) -> list[_Element]: ...
    def plan_list(self, count: int, *, kernel: str | None = None, plan: str | None = None) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    @staticmethod
    def load(
        path: str | os.PathLike[str],
        *,
        base: SupportsIndex | None = None,
        modulus: SupportsIndex | None = None,
        map: bool = False,
        max_bytes: int | None = None,
        threads: SupportsIndex | None = None,
        kernel: str | None = None,
    ) -> FixedBase: ...
    def verify(self) -> None: ...
    def explain(self) -> Explanation: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Modulus:
    def __new__(
        cls,
        value: SupportsIndex,
        factors: Mapping[int, int] | None = None,
        max_modulus_bits: int | None = None,
        *,
        secret: bool = False,
    ) -> Modulus: ...
    @property
    def value(self) -> int: ...
    @property
    def bits(self) -> int: ...
    def pow(
        self,
        base: SupportsIndex,
        exponent: SupportsIndex,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        progress: _Progress | None = None,
        max_exponent_bits: int | None = None,
    ) -> int: ...
    def pow_sec(
        self,
        base: SupportsIndex,
        exponent: SupportsIndex,
        exponent_bits: int | None = None,
        *,
        public_exponent: SupportsIndex | None = None,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: int | None = None,
    ) -> int: ...
    def invert(self, value: SupportsIndex) -> int: ...
    @overload
    def pow_list(
        self,
        bases: _Numbers,
        exponents: _Numbers,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        threads: SupportsIndex | None = None,
        errors: Literal["raise"] = "raise",
        progress: _Progress | None = None,
        max_exponent_bits: int | None = None,
    ) -> list[int]: ...
    @overload
    def pow_list(
        self,
        bases: _Numbers,
        exponents: _Numbers,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        threads: SupportsIndex | None = None,
        errors: Literal["return"],
        progress: _Progress | None = None,
        max_exponent_bits: int | None = None,
    ) -> list[_Element]: ...
    @overload
    def invert_list(
        self,
        values: Iterable[SupportsIndex],
        *,
        threads: SupportsIndex | None = None,
        errors: Literal["raise"] = "raise",
        progress: _Progress | None = None,
    ) -> list[int]: ...
    @overload
    def invert_list(
        self,
        values: Iterable[SupportsIndex],
        *,
        threads: SupportsIndex | None = None,
        errors: Literal["return"],
        progress: _Progress | None = None,
    ) -> list[_Element]: ...
    def plan(
        self,
        base: SupportsIndex,
        exponent: SupportsIndex,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: int | None = None,
    ) -> str: ...
    def explain(
        self,
        base: SupportsIndex,
        exponent: SupportsIndex,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: int | None = None,
    ) -> Explanation: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def powmod(
    base: SupportsIndex,
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    progress: _Progress | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> int: ...
def powmod_sec(
    base: SupportsIndex,
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    exponent_bits: int | None = None,
    *,
    public_exponent: SupportsIndex | None = None,
    kernel: str | None = None,
    plan: str | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> int: ...
def repeated_square(
    x: SupportsIndex,
    t: SupportsIndex,
    modulus: SupportsIndex,
    *,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_seconds: float = 30.0,
    progress: _Progress | None = None,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: int | None = None,
) -> int: ...
def explain_repeated_square(
    t: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: int | None = None,
) -> Explanation: ...
def main(arguments: Sequence[str]) -> int: ...
def invert(value: SupportsIndex, modulus: SupportsIndex, *, max_modulus_bits: int | None = None) -> int: ...
@overload
def powmod_list(
    bases: _Numbers,
    exponents: _Numbers,
    moduli: _Numbers,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["raise"] = "raise",
    progress: _Progress | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> list[int]: ...
@overload
def powmod_list(
    bases: _Numbers,
    exponents: _Numbers,
    moduli: _Numbers,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["return"],
    progress: _Progress | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> list[_Element]: ...
@overload
def powmod_base_list(
    bases: Iterable[SupportsIndex],
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["raise"] = "raise",
    progress: _Progress | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> list[int]: ...
@overload
def powmod_base_list(
    bases: Iterable[SupportsIndex],
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["return"],
    progress: _Progress | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> list[_Element]: ...
@overload
def powmod_exp_list(
    base: SupportsIndex,
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["raise"] = "raise",
    progress: _Progress | None = None,
    memory: int | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> list[int]: ...
@overload
def powmod_exp_list(
    base: SupportsIndex,
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["return"],
    progress: _Progress | None = None,
    memory: int | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> list[_Element]: ...
def powmod_product(
    bases: Iterable[SupportsIndex],
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    memory: int | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> int: ...
def explain_base_list(
    bases: Iterable[SupportsIndex],
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> Explanation: ...
def explain_exp_list(
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    memory: int | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> Explanation: ...
def explain_fixed_base(
    base: SupportsIndex,
    modulus: SupportsIndex,
    exponent_bits: int,
    memory: int = 262144,
    *,
    uses: int = 10000,
    lists: bool = False,
    kernel: str | None = None,
    plan: str | None = None,
) -> Explanation: ...
def explain_product(
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    memory: int | None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> Explanation: ...
@overload
def plan(
    base: SupportsIndex,
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    modulus_bits: None = None,
    exponent_bits: None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> str: ...
@overload
def plan(
    base: None = None,
    exponent: None = None,
    modulus: None = None,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    modulus_bits: int,
    exponent_bits: int,
    trailing_zeros: int = 0,
    base_bits: int | None = None,
    count: int = 1,
    secret: bool = False,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> str: ...
@overload
def explain(
    base: SupportsIndex,
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    modulus_bits: None = None,
    exponent_bits: None = None,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> Explanation: ...
@overload
def explain(
    base: None = None,
    exponent: None = None,
    modulus: None = None,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    modulus_bits: int,
    exponent_bits: int,
    trailing_zeros: int = 0,
    base_bits: int | None = None,
    count: int = 1,
    secret: bool = False,
    max_modulus_bits: int | None = None,
    max_exponent_bits: int | None = None,
) -> Explanation: ...
