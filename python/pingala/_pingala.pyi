# Written by `make border` from border/ and crates/pingala-python/src; do not edit.

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Protocol, SupportsIndex, TypeAlias, final, overload, type_check_only

from _typeshed import ReadableBuffer

from ._answers import Answers
from ._errors import ElementTypeError, PingalaError
from ._explanation import Explanation

_Secret: TypeAlias = "SupportsIndex | SecretInt"
_Secrets: TypeAlias = "_Secret | Iterable[_Secret]"
_Numbers: TypeAlias = SupportsIndex | Iterable[SupportsIndex]
_Element: TypeAlias = int | PingalaError | ElementTypeError
_PublicKey: TypeAlias = "DSAPublicKey | RSAPublicKey"
_Bytes: TypeAlias = bytes | bytearray | memoryview
_Signature: TypeAlias = _Bytes | int | tuple[SupportsIndex, SupportsIndex]
_Depth: TypeAlias = Literal["ranges", "subgroup", "primes"]
_Path: TypeAlias = str | PathLike[str]
_Progress: TypeAlias = Callable[[int, int], object]
_RowErrors: TypeAlias = Literal["raise", "null", "column"]
_Binary: TypeAlias = Literal["big", "little", "signed-big", "signed-little", "text", "bytes"]

_Byteorder: TypeAlias = Literal["big", "little", "signed-big", "signed-little"]
_Scheme: TypeAlias = Literal["dsa", "rsa-pkcs1", "rsa-pss"]
_Encoding: TypeAlias = Literal["der", "lenient", "p1363", "raw", "ssh", "openpgp"]
_Policy: TypeAlias = Literal["legacy", "strict", "modern"]

@type_check_only
class _Compared:
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: object, /) -> bool: ...
    def __le__(self, other: object, /) -> bool: ...
    def __gt__(self, other: object, /) -> bool: ...
    def __ge__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@type_check_only
class _Truth(_Compared):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __and__(self, other: Any, /) -> Any: ...
    def __rand__(self, other: Any, /) -> Any: ...
    def __or__(self, other: Any, /) -> Any: ...
    def __ror__(self, other: Any, /) -> Any: ...
    def __xor__(self, other: Any, /) -> Any: ...
    def __rxor__(self, other: Any, /) -> Any: ...

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[object, object]: ...

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...

_Rows: TypeAlias = _ArrowArray | _ArrowStream | ReadableBuffer | Sequence[bytes | None]
_RowsOrOne: TypeAlias = _Rows | SupportsIndex

__all__ = [
    "Column",
    "DSAPublicKey",
    "FixedBase",
    "FixedExponent",
    "Job",
    "Modulus",
    "Primality",
    "RSAPrivateKey",
    "RSAPublicKey",
    "Residues",
    "SecretInt",
    "Verdict",
    "__version__",
    "accumulate",
    "certify",
    "check_certificate",
    "estimate_random_prime",
    "explain",
    "explain_base_list",
    "explain_exp_list",
    "explain_fixed_base",
    "explain_product",
    "explain_product_list",
    "explain_repeated_square",
    "explain_verify_list",
    "failing_witnesses",
    "invert",
    "invert_column",
    "is_prime",
    "is_prime_column",
    "is_prime_list",
    "jacobi",
    "jacobi_column",
    "jacobi_list",
    "kronecker",
    "load_private_key",
    "load_public_key",
    "mulmod_column",
    "next_prime",
    "plan",
    "plan_list",
    "plan_product_list",
    "powmod",
    "powmod_base_list",
    "powmod_column",
    "powmod_exp_list",
    "powmod_list",
    "powmod_product",
    "powmod_product_list",
    "powmod_sec",
    "previous_prime",
    "prime_pair",
    "primes_between",
    "random_prime",
    "repeated_square",
    "sqrt_mod",
    "sqrt_mod_all",
    "sqrt_mod_list",
    "update_witnesses",
    "verify_column",
    "verify_list",
    "verify_squaring",
    "verify_squaring_list",
    "verify_witnesses",
    "witnesses",
]

__version__: Final[str]

@final
class Column:
    def to_pylist(self) -> list[Any]: ...
    @property
    def error_codes(self) -> list[str | None]: ...
    @property
    def width(self) -> int | None: ...
    @property
    def null_count(self) -> int: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

    def __getitem__(self, row: SupportsIndex, /) -> int | bool | None: ...
    def __iter__(self) -> Iterator[Any]: ...

@final
class DSAPublicKey(_Compared):
    def __new__(cls, p: SupportsIndex, q: SupportsIndex, g: SupportsIndex, y: SupportsIndex) -> DSAPublicKey: ...
    @property
    def p(self) -> int: ...
    @property
    def q(self) -> int: ...
    @property
    def g(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def bits(self) -> int: ...
    def weaknesses(self, hash: str = "sha256") -> tuple[str, ...]: ...
    def validate(self, depth: _Depth = "subgroup", *, timeout: float | None = None) -> tuple[str, ...]: ...

@final
class FixedBase:
    def pow(self, exponent: SupportsIndex) -> int: ...
    def save(self, path: _Path) -> None: ...
    def verify(self) -> None: ...
    def explain(self) -> Explanation: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
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
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __new__(
        cls,
        base: SupportsIndex,
        modulus: SupportsIndex,
        exponent_bits: SupportsIndex,
        memory: SupportsIndex = 262144,
        *,
        uses: SupportsIndex = 10000,
        lists: bool = False,
        secret: bool = False,
        threads: SupportsIndex | None = None,
        kernel: str | None = None,
        plan: str | None = None,
    ) -> FixedBase: ...
    def pow_sec(self, exponent: _Secret, exponent_bits: SupportsIndex | None = None) -> int: ...
    def pow_sec_list(
        self,
        exponents: Iterable[_Secret],
        exponent_bits: SupportsIndex | None = None,
        *,
        threads: SupportsIndex | None = None,
    ) -> list[int]: ...
    def pow_column(
        self,
        exponents: _Rows,
        *,
        width: SupportsIndex | None = None,
        errors: _RowErrors = "raise",
        byteorder: _Byteorder | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
    ) -> Column: ...
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
    def plan_list(self, count: SupportsIndex, *, kernel: str | None = None, plan: str | None = None) -> str: ...
    @staticmethod
    def load(
        path: _Path,
        *,
        base: SupportsIndex | None = None,
        modulus: SupportsIndex | None = None,
        map: bool = False,
        max_bytes: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        kernel: str | None = None,
    ) -> FixedBase: ...

@final
class FixedExponent:
    def __new__(
        cls, exponent: SupportsIndex | str, *, moves: SupportsIndex = 20000000, seed: SupportsIndex = 1
    ) -> FixedExponent: ...
    @staticmethod
    def load(path: _Path) -> FixedExponent: ...
    def save(self, path: _Path) -> None: ...
    def pow(self, base: SupportsIndex, modulus: SupportsIndex) -> int: ...
    def pow_list(self, bases: Iterable[SupportsIndex], modulus: SupportsIndex) -> list[int]: ...
    @overload
    def pow_sec(self, base: SupportsIndex, modulus: SupportsIndex) -> int: ...
    @overload
    def pow_sec(self, base: SecretInt, modulus: SupportsIndex) -> SecretInt: ...
    def explain(self, modulus: SupportsIndex) -> str: ...
    @property
    def exponent(self) -> int: ...
    @property
    def steps(self) -> list[tuple[int, int]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...

@final
class Job:
    @staticmethod
    def open(folder: _Path) -> Job: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def parts(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def folder(self) -> Path: ...
    def missing(self) -> list[int]: ...
    def finish(self) -> dict[str, Any]: ...
    def status(self) -> dict[str, Any]: ...
    def _part_rows(self, part: SupportsIndex) -> int: ...
    def _hold(self) -> _JobHold: ...
    def _finish(self, hold: _JobHold) -> dict[str, Any]: ...
    @staticmethod
    def plan(
        inputs: _Path | Iterable[_Path],
        output: _Path,
        *,
        base: str | SupportsIndex | None = None,
        exponent: str | SupportsIndex | None = None,
        modulus: str | SupportsIndex | None = None,
        workload: Literal["power", "inverse", "verify", "is_prime"] = "power",
        rounds: SupportsIndex | None = None,
        keep: Iterable[str] | None = None,
        result: str = "result",
        part_rows: SupportsIndex | None = None,
        errors: Literal["column", "fail"] = "column",
        width: SupportsIndex | None = None,
        format: Literal["parquet", "csv", "jsonl"] = "parquet",
        decimal: bool = False,
        hex_input: bool = False,
        binary: _Binary | dict[str, _Binary] | None = None,
        delimiter: str | None = None,
        signature: str | None = None,
        message: str | None = None,
        digest: str | None = None,
        key: str | bytes | None = None,
        scheme: _Scheme = "dsa",
        hash: str | None = None,
        mgf_hash: str | None = None,
        salt: SupportsIndex | None = None,
        encoding: _Encoding = "der",
        policy: _Policy = "legacy",
        threads: SupportsIndex | None = None,
    ) -> Job: ...
    def run_part(
        self,
        part: SupportsIndex,
        *,
        threads: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        kernel: str | None = None,
        plan: str | None = None,
    ) -> bool: ...
    def run(
        self,
        *,
        progress: _Progress | None = None,
        threads: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        kernel: str | None = None,
        plan: str | None = None,
        on: Literal["ray"] | None = None,
        address: str | None = None,
    ) -> dict[str, Any]: ...
    def verify(self, rows: SupportsIndex | None = None) -> int: ...

@final
class Modulus:
    def __new__(
        cls,
        value: SupportsIndex,
        factors: Mapping[int, int] | None = None,
        max_modulus_bits: SupportsIndex | None = None,
        *,
        secret: bool = False,
    ) -> Modulus: ...
    def invert(self, value: SupportsIndex) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def bits(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def pow(
        self,
        base: SupportsIndex,
        exponent: SupportsIndex,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        progress: _Progress | None = None,
        timeout: float | None = None,
        max_exponent_bits: SupportsIndex | None = None,
    ) -> int: ...
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
        timeout: float | None = None,
        max_exponent_bits: SupportsIndex | None = None,
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
        timeout: float | None = None,
        max_exponent_bits: SupportsIndex | None = None,
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
    def mul_list(
        self,
        a: _Numbers,
        b: _Numbers,
        *,
        kernel: str | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
        timeout: float | None = None,
    ) -> list[int]: ...
    def square_list(
        self,
        values: Iterable[SupportsIndex],
        *,
        kernel: str | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
        timeout: float | None = None,
    ) -> list[int]: ...
    def product(
        self,
        values: Iterable[SupportsIndex],
        *,
        kernel: str | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
        timeout: float | None = None,
    ) -> int: ...
    def running_product(
        self,
        values: Iterable[SupportsIndex],
        *,
        kernel: str | None = None,
        progress: _Progress | None = None,
        timeout: float | None = None,
    ) -> list[int]: ...
    def residues(
        self,
        values: Iterable[SupportsIndex],
        *,
        kernel: str | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
        timeout: float | None = None,
    ) -> Residues: ...
    @overload
    def pow_sec(
        self,
        base: SupportsIndex,
        exponent: _Secret,
        exponent_bits: SupportsIndex | None = None,
        *,
        public_exponent: SupportsIndex | None = None,
        blinding: bool = True,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: SupportsIndex | None = None,
    ) -> int: ...
    @overload
    def pow_sec(
        self,
        base: SecretInt,
        exponent: _Secret,
        exponent_bits: SupportsIndex | None = None,
        *,
        public_exponent: SupportsIndex | None = None,
        blinding: bool = True,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: SupportsIndex | None = None,
    ) -> SecretInt: ...
    @overload
    def pow_sec_list(
        self,
        bases: _Numbers,
        exponents: _Secrets,
        exponent_bits: SupportsIndex | None = None,
        *,
        public_exponent: SupportsIndex | None = None,
        blinding: bool = True,
        threads: SupportsIndex | None = None,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: SupportsIndex | None = None,
    ) -> list[int]: ...
    @overload
    def pow_sec_list(
        self,
        bases: _Secrets,
        exponents: _Secrets,
        exponent_bits: SupportsIndex | None = None,
        *,
        public_exponent: SupportsIndex | None = None,
        blinding: bool = True,
        threads: SupportsIndex | None = None,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: SupportsIndex | None = None,
    ) -> list[Any]: ...
    def plan(
        self,
        base: SupportsIndex,
        exponent: SupportsIndex,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: SupportsIndex | None = None,
    ) -> str: ...
    def explain(
        self,
        base: SupportsIndex,
        exponent: SupportsIndex,
        *,
        kernel: str | None = None,
        plan: str | None = None,
        max_exponent_bits: SupportsIndex | None = None,
    ) -> Explanation: ...

@final
class Primality(_Truth):
    @property
    def prime(self) -> bool: ...
    @property
    def proved(self) -> bool: ...
    @property
    def error_bound(self) -> float: ...
    @property
    def random_error_bound(self) -> float: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RSAPrivateKey:
    @property
    def n(self) -> int: ...
    @property
    def e(self) -> int: ...
    @property
    def bits(self) -> int: ...
    @overload
    def pow(self, base: SupportsIndex, *, blinding: bool = True) -> int: ...
    @overload
    def pow(self, base: SecretInt, *, blinding: bool = True) -> SecretInt: ...
    @overload
    def pow_list(
        self, bases: Iterable[SupportsIndex], *, blinding: bool = True, threads: SupportsIndex | None = None
    ) -> list[int]: ...
    @overload
    def pow_list(
        self, bases: Iterable[_Secret], *, blinding: bool = True, threads: SupportsIndex | None = None
    ) -> list[Any]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class RSAPublicKey(_Compared):
    def __new__(cls, n: SupportsIndex, e: SupportsIndex) -> RSAPublicKey: ...
    @property
    def n(self) -> int: ...
    @property
    def e(self) -> int: ...
    @property
    def bits(self) -> int: ...
    def weaknesses(self, hash: str = "sha256") -> tuple[str, ...]: ...
    def validate(self, depth: _Depth = "subgroup", *, timeout: float | None = None) -> tuple[str, ...]: ...

@final
class Residues:
    def __len__(self) -> int: ...
    def tolist(self) -> list[int]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def modulus(self) -> Modulus: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def square(
        self, *, threads: SupportsIndex | None = None, progress: _Progress | None = None, timeout: float | None = None
    ) -> Residues: ...
    def product(
        self, *, threads: SupportsIndex | None = None, progress: _Progress | None = None, timeout: float | None = None
    ) -> int: ...
    def running_product(self, *, progress: _Progress | None = None, timeout: float | None = None) -> Residues: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> Residues: ...
    def __iter__(self) -> Iterator[int]: ...
    def __mul__(self, other: Residues | SupportsIndex, /) -> Residues: ...
    def __rmul__(self, other: SupportsIndex, /) -> Residues: ...

@final
class SecretInt:
    def __new__(cls, value: SupportsIndex | bytes | bytearray, bits: SupportsIndex | None = None) -> SecretInt: ...
    @property
    def bits(self) -> int: ...
    def reveal(self) -> bytearray: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Verdict(_Truth):
    @property
    def valid(self) -> bool: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def message(self) -> str: ...
    @property
    def weaknesses(self) -> tuple[str, ...]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class _Primalities:
    def __len__(self) -> int: ...
    def __getitem__(self, place: SupportsIndex, /) -> Primality: ...

@final
class _JobHold: ...

def powmod(
    base: SupportsIndex,
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> int: ...
@overload
def powmod_sec(
    base: SupportsIndex,
    exponent: _Secret,
    modulus: SupportsIndex,
    exponent_bits: SupportsIndex | None = None,
    *,
    public_exponent: SupportsIndex | None = None,
    blinding: bool = True,
    kernel: str | None = None,
    plan: str | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> int: ...
@overload
def powmod_sec(
    base: SecretInt,
    exponent: _Secret,
    modulus: SupportsIndex,
    exponent_bits: SupportsIndex | None = None,
    *,
    public_exponent: SupportsIndex | None = None,
    blinding: bool = True,
    kernel: str | None = None,
    plan: str | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> SecretInt: ...
def invert(
    value: SupportsIndex,
    modulus: SupportsIndex,
    *,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> int: ...
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
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
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
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
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
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
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
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
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
    timeout: float | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
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
    timeout: float | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> list[_Element]: ...
def powmod_column(
    bases: _RowsOrOne,
    exponents: _RowsOrOne,
    moduli: _RowsOrOne,
    *,
    width: SupportsIndex | None = None,
    errors: _RowErrors = "raise",
    byteorder: _Byteorder | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    kernel: str | None = None,
    plan: str | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> Column: ...
def invert_column(
    values: _RowsOrOne,
    moduli: _RowsOrOne,
    *,
    width: SupportsIndex | None = None,
    errors: _RowErrors = "raise",
    byteorder: _Byteorder | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> Column: ...
def mulmod_column(
    a: _RowsOrOne,
    b: _RowsOrOne,
    moduli: _RowsOrOne,
    *,
    width: SupportsIndex | None = None,
    errors: _RowErrors = "raise",
    byteorder: _Byteorder | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    kernel: str | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> Column: ...
def is_prime_column(
    numbers: _Rows,
    rounds: SupportsIndex = 1,
    *,
    errors: _RowErrors = "raise",
    byteorder: _Byteorder | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> Column: ...
def jacobi_column(
    a: _RowsOrOne,
    n: _RowsOrOne,
    *,
    errors: _RowErrors = "raise",
    byteorder: _Byteorder | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> Column: ...
def verify_column(
    keys: _PublicKey | Iterable[_PublicKey],
    signatures: _Rows,
    messages: _Rows | None = None,
    *,
    digests: _Rows | None = None,
    scheme: _Scheme = "dsa",
    hash: str | None = None,
    mgf_hash: str | None = None,
    encoding: _Encoding = "der",
    salt: Literal["any"] | int = "any",
    policy: _Policy = "legacy",
    errors: _RowErrors = "raise",
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
) -> Column: ...
def explain_fixed_base(
    base: SupportsIndex,
    modulus: SupportsIndex,
    exponent_bits: SupportsIndex,
    memory: SupportsIndex = 262144,
    *,
    uses: SupportsIndex = 10000,
    lists: bool = False,
    secret: bool = False,
    kernel: str | None = None,
    plan: str | None = None,
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
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> str: ...
@overload
def plan(
    base: None = None,
    exponent: None = None,
    modulus: None = None,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    modulus_bits: SupportsIndex,
    exponent_bits: SupportsIndex,
    trailing_zeros: SupportsIndex = 0,
    base_bits: SupportsIndex | None = None,
    count: SupportsIndex = 1,
    secret: bool = False,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
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
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> Explanation: ...
@overload
def explain(
    base: None = None,
    exponent: None = None,
    modulus: None = None,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    modulus_bits: SupportsIndex,
    exponent_bits: SupportsIndex,
    trailing_zeros: SupportsIndex = 0,
    base_bits: SupportsIndex | None = None,
    count: SupportsIndex = 1,
    secret: bool = False,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> Explanation: ...
def is_prime(
    n: SupportsIndex,
    rounds: SupportsIndex = 1,
    *,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> Primality: ...
def is_prime_list(
    numbers: Iterable[SupportsIndex],
    rounds: SupportsIndex = 1,
    *,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> Answers[Primality]: ...
def next_prime(
    n: SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> int: ...
def previous_prime(
    n: SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> int: ...
def primes_between(
    a: SupportsIndex,
    b: SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> list[int]: ...
@overload
def random_prime(
    bits: SupportsIndex,
    *,
    safe: bool = False,
    residue: tuple[SupportsIndex, SupportsIndex] | None = None,
    top_bits: SupportsIndex = 1,
    uniform: bool = False,
    secret: Literal[False] = False,
    proof: Literal[False] = False,
    rounds: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> int: ...
@overload
def random_prime(
    bits: SupportsIndex,
    *,
    safe: bool = False,
    residue: tuple[SupportsIndex, SupportsIndex] | None = None,
    top_bits: SupportsIndex = 1,
    uniform: bool = False,
    secret: Literal[True],
    proof: Literal[False] = False,
    rounds: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> SecretInt: ...
@overload
def random_prime(
    bits: SupportsIndex,
    *,
    safe: bool = False,
    residue: tuple[SupportsIndex, SupportsIndex] | None = None,
    top_bits: SupportsIndex = 1,
    uniform: bool = False,
    secret: Literal[False] = False,
    proof: Literal[True],
    rounds: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> tuple[int, str]: ...
def estimate_random_prime(
    bits: SupportsIndex,
    *,
    safe: bool = False,
    residue: tuple[SupportsIndex, SupportsIndex] | None = None,
    top_bits: SupportsIndex = 1,
    uniform: bool = False,
    secret: bool = False,
    rounds: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> tuple[float, float]: ...
@overload
def prime_pair(
    bits: SupportsIndex,
    kind: Literal["rsa", "paillier", "safe"] = "rsa",
    *,
    exponent: SupportsIndex | None = None,
    secret: Literal[True] = True,
    rounds: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> tuple[SecretInt, SecretInt]: ...
@overload
def prime_pair(
    bits: SupportsIndex,
    kind: Literal["rsa", "paillier", "safe"] = "rsa",
    *,
    exponent: SupportsIndex | None = None,
    secret: Literal[False],
    rounds: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> tuple[int, int]: ...
def certify(
    n: SupportsIndex,
    factors: Iterable[SupportsIndex] | None = None,
    *,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> str: ...
def check_certificate(
    text: str, *, timeout: float | None = None, max_modulus_bits: SupportsIndex | None = None
) -> int: ...
def jacobi(
    a: SupportsIndex, n: SupportsIndex, *, timeout: float | None = None, max_modulus_bits: SupportsIndex | None = None
) -> int: ...
def kronecker(
    a: SupportsIndex, n: SupportsIndex, *, timeout: float | None = None, max_modulus_bits: SupportsIndex | None = None
) -> int: ...
def jacobi_list(
    a: Iterable[SupportsIndex],
    n: _Numbers,
    *,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> list[int]: ...
def sqrt_mod(
    a: SupportsIndex, p: SupportsIndex, *, timeout: float | None = None, max_modulus_bits: SupportsIndex | None = None
) -> int: ...
def sqrt_mod_all(
    a: SupportsIndex,
    p: SupportsIndex,
    *,
    most: SupportsIndex = 65536,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> list[int]: ...
@overload
def sqrt_mod_list(
    values: Iterable[SupportsIndex],
    primes: _Numbers,
    *,
    errors: Literal["raise"] = "raise",
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> list[int]: ...
@overload
def sqrt_mod_list(
    values: Iterable[SupportsIndex],
    primes: _Numbers,
    *,
    errors: Literal["return"],
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> list[_Element]: ...
def verify_squaring(
    x: SupportsIndex,
    t: SupportsIndex,
    modulus: SupportsIndex,
    result: SupportsIndex,
    proof: str,
    *,
    smallest_modulus_bits: SupportsIndex | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> bool: ...
def verify_squaring_list(
    xs: Iterable[SupportsIndex],
    t: SupportsIndex,
    modulus: SupportsIndex,
    results: Iterable[SupportsIndex],
    proofs: Iterable[str],
    *,
    smallest_modulus_bits: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> list[bool]: ...
def accumulate(
    g: SupportsIndex,
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> int: ...
def witnesses(
    g: SupportsIndex,
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    checkpoint: _Path | None = None,
    checkpoint_seconds: float = 30.0,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> list[int]: ...
def update_witnesses(
    witnesses: Iterable[SupportsIndex],
    added: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> list[int]: ...
def verify_witnesses(
    accumulator: SupportsIndex,
    exponents: Iterable[SupportsIndex],
    witnesses: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> bool: ...
def failing_witnesses(
    accumulator: SupportsIndex,
    exponents: Iterable[SupportsIndex],
    witnesses: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    timeout: float | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> list[int]: ...
def powmod_product(
    bases: Iterable[SupportsIndex],
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    timeout: float | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> int: ...
@overload
def powmod_product_list(
    bases: Iterable[Iterable[SupportsIndex]],
    exponents: Iterable[Iterable[SupportsIndex]],
    moduli: _Numbers,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["raise"] = "raise",
    progress: _Progress | None = None,
    timeout: float | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> list[int]: ...
@overload
def powmod_product_list(
    bases: Iterable[Iterable[SupportsIndex]],
    exponents: Iterable[Iterable[SupportsIndex]],
    moduli: _Numbers,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    errors: Literal["return"],
    progress: _Progress | None = None,
    timeout: float | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> list[_Element]: ...
def plan_list(
    bases: _Numbers,
    exponents: _Numbers,
    moduli: _Numbers,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> str: ...
def plan_product_list(
    bases: Iterable[Iterable[SupportsIndex]],
    exponents: Iterable[Iterable[SupportsIndex]],
    moduli: _Numbers,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> str: ...
def explain_product_list(
    bases: Iterable[Iterable[SupportsIndex]],
    exponents: Iterable[Iterable[SupportsIndex]],
    moduli: _Numbers,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> Explanation: ...
def explain_base_list(
    bases: Iterable[SupportsIndex],
    exponent: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> Explanation: ...
def explain_exp_list(
    base: SupportsIndex,
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> Explanation: ...
def explain_product(
    bases: Iterable[SupportsIndex],
    exponents: Iterable[SupportsIndex],
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    memory: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
    max_exponent_bits: SupportsIndex | None = None,
) -> Explanation: ...
@overload
def repeated_square(
    x: SupportsIndex,
    t: SupportsIndex,
    modulus: SupportsIndex,
    *,
    checkpoint: _Path | None = None,
    checkpoint_seconds: float = 30.0,
    proof: None = None,
    memory: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> int: ...
@overload
def repeated_square(
    x: SupportsIndex,
    t: SupportsIndex,
    modulus: SupportsIndex,
    *,
    checkpoint: _Path | None = None,
    checkpoint_seconds: float = 30.0,
    proof: Literal["wesolowski"],
    memory: SupportsIndex | None = None,
    progress: _Progress | None = None,
    timeout: float | None = None,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> tuple[int, str]: ...
def explain_repeated_square(
    t: SupportsIndex,
    modulus: SupportsIndex,
    *,
    kernel: str | None = None,
    plan: str | None = None,
    threads: SupportsIndex | None = None,
    max_modulus_bits: SupportsIndex | None = None,
) -> Explanation: ...
def verify_list(
    keys: _PublicKey | Iterable[_PublicKey],
    signatures: Iterable[_Signature],
    messages: Iterable[_Bytes] | None = None,
    *,
    digests: Iterable[_Bytes] | None = None,
    scheme: _Scheme = "dsa",
    hash: str | None = None,
    mgf_hash: str | None = None,
    encoding: _Encoding = "der",
    salt: Literal["any"] | int = "any",
    policy: _Policy = "legacy",
    errors: Literal["raise", "return"] = "raise",
    threads: SupportsIndex | None = None,
) -> Answers[Verdict]: ...
def explain_verify_list(
    keys: _PublicKey | Iterable[_PublicKey],
    signatures: Iterable[_Signature],
    messages: Iterable[_Bytes] | None = None,
    *,
    digests: Iterable[_Bytes] | None = None,
    scheme: _Scheme = "dsa",
    hash: str | None = None,
    mgf_hash: str | None = None,
    encoding: _Encoding = "der",
    salt: Literal["any"] | int = "any",
    policy: _Policy = "legacy",
) -> str: ...
def load_private_key(data: bytes | bytearray | str) -> RSAPrivateKey: ...
def load_public_key(data: _Bytes | str) -> _PublicKey: ...
def _main(arguments: Sequence[str]) -> int: ...
def _powmod_batch(
    bases: _RowsOrOne,
    exponents: _RowsOrOne,
    moduli: _RowsOrOne,
    *,
    words: bool = False,
    width: SupportsIndex | None = None,
    errors: _RowErrors = "raise",
    byteorder: _Byteorder | None = None,
    threads: SupportsIndex | None = None,
) -> Column: ...
def _column(
    shape: tuple[str, int, int, bool, bool],
    values: bytes,
    offsets: Sequence[int],
    valid: bytes,
    failed: Sequence[tuple[int, str]],
) -> Column: ...
def _fixed_exponent(chain: str) -> FixedExponent: ...
def _primality(prime: bool, proved: bool, error_bound: float, random_error_bound: float) -> Primality: ...
def _verdict(reason: str | None, message: str, weaknesses: Sequence[str]) -> Verdict: ...
