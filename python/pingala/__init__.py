"""Modular exponentiation, for one power or for long lists, with plans chosen by measured prices.

>>> import pingala
>>> pingala.powmod(3, 65537, 10**9 + 7) == pow(3, 65537, 10**9 + 7)
True
>>> pingala.powmod_list([2, 3, 4], 10, 1000)
[24, 49, 576]
>>> pingala.Modulus(1000).pow(7, -1)
143

`powmod`, `powmod_sec` and `invert` compute one result; `powmod_list`, `powmod_base_list` and `powmod_exp_list` compute
lists on all cores; `powmod_column`, `invert_column` and `mulmod_column` compute columns of Arrow, NumPy and data frames
without an int for each row. `powmod_product` multiplies powers. `Modulus.mul_list` and its kin multiply lists, and
`Residues` keep converted numbers for chains of products. A `FixedBase` computes many powers of one base from a table.
A `FixedExponent` has a short addition chain for an exponent that is used again.
`repeated_square` may run for days, and a `Progress` shows the time left. A `Modulus` keeps prepared constants between
calls. `verify_list` and `verify_column` check signatures of DSA and RSA. A `Job` computes files bigger than memory, and
survives being killed. `plan` returns the plan of a call, and the `explain` functions return its reasons in an
`Explanation`. Every type with ``__index__`` is accepted as an integer. Errors are `PingalaError`, a ValueError.
"""

from ._errors import (
    ArgumentError,
    ElementTypeError,
    FaultError,
    FileError,
    JobBusyError,
    JobError,
    NegativeModulusError,
    NotInvertibleError,
    PingalaError,
    PlanError,
    SecretError,
    TimeLimitError,
    TooLongError,
    WrongFactorsError,
    ZeroModulusError,
)
from ._explanation import Alternative, Candidate, ExplainedPart, Explanation
from ._pingala import (
    Column,
    DSAPublicKey,
    FixedBase,
    FixedExponent,
    Job,
    Modulus,
    Residues,
    RSAPrivateKey,
    RSAPublicKey,
    SecretInt,
    Verdict,
    __version__,
    explain,
    explain_base_list,
    explain_exp_list,
    explain_fixed_base,
    explain_product,
    explain_product_list,
    explain_repeated_square,
    explain_verify_list,
    invert,
    invert_column,
    load_private_key,
    load_public_key,
    mulmod_column,
    plan,
    plan_list,
    plan_product_list,
    powmod,
    powmod_base_list,
    powmod_column,
    powmod_exp_list,
    powmod_list,
    powmod_product,
    powmod_product_list,
    powmod_sec,
    repeated_square,
    verify_column,
    verify_list,
)
from ._progress import Progress

__all__ = [
    "Alternative",
    "ArgumentError",
    "Candidate",
    "Column",
    "DSAPublicKey",
    "ElementTypeError",
    "ExplainedPart",
    "Explanation",
    "FaultError",
    "FileError",
    "FixedBase",
    "FixedExponent",
    "Job",
    "JobBusyError",
    "JobError",
    "Modulus",
    "NegativeModulusError",
    "NotInvertibleError",
    "PingalaError",
    "PlanError",
    "Progress",
    "RSAPrivateKey",
    "RSAPublicKey",
    "Residues",
    "SecretError",
    "SecretInt",
    "TimeLimitError",
    "TooLongError",
    "Verdict",
    "WrongFactorsError",
    "ZeroModulusError",
    "__version__",
    "explain",
    "explain_base_list",
    "explain_exp_list",
    "explain_fixed_base",
    "explain_product",
    "explain_product_list",
    "explain_repeated_square",
    "explain_verify_list",
    "invert",
    "invert_column",
    "load_private_key",
    "load_public_key",
    "mulmod_column",
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
    "repeated_square",
    "verify_column",
    "verify_list",
]
