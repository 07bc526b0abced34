"""The exceptions. Codes and messages come from the library; this module gives them Python classes."""


class PingalaError(ValueError):
    """The base class of Pingala's errors. A ValueError, like the errors of the built-in pow.

    ``code`` is a stable name to match on. ``index`` is the index, from 0, of the element of a list call, or None.
    """

    code: str = "error"
    index: int | None = None


class ZeroModulusError(PingalaError):
    """The modulus is 0."""

    code = "zero_modulus"


class NegativeModulusError(PingalaError):
    """The modulus is negative, which `Modulus` and `powmod_sec` do not accept."""

    code = "negative_modulus"


class NotInvertibleError(PingalaError, ZeroDivisionError):
    """There is no inverse: number and modulus have a common factor. Also a ZeroDivisionError, as gmpy2 raises."""

    code = "not_invertible"


class TooLongError(PingalaError):
    """A number is longer than the cap (a modulus of 2^24 bits, an exponent of 2^26 bits)."""

    code = "too_long"


class WrongFactorsError(PingalaError):
    """The given factors do not fit the modulus."""

    code = "wrong_factors"


class PlanError(PingalaError):
    """A plan or kernel is not valid, or does not fit the problem, this CPU or a secret."""

    code = "bad_plan"


class SecretError(PingalaError):
    """A secret exponent is negative, or wider than declared."""

    code = "bad_secret"


class ArgumentError(PingalaError):
    """Lengths differ, or a setting is out of range."""

    code = "bad_argument"


class FaultError(PingalaError):
    """A result failed its check and was not released: the hardware made an error."""

    code = "fault"


class TimeLimitError(PingalaError, TimeoutError):
    """The call took longer than its timeout. Also a TimeoutError."""

    code = "interrupted"


class FileError(PingalaError, OSError):
    """A file cannot be read or written, is damaged, or has unexpected content. Also an OSError."""

    code = "bad_file"


class JobError(PingalaError):
    """The folder holds another job, an input has changed since the job began, or a file is no part of the job."""

    code = "job_differs"


class JobBusyError(PingalaError):
    """Another runner works on the job."""

    code = "job_busy"


class ElementTypeError(TypeError):
    """Element ``index`` (from 0) of a list call is not an integer."""

    code: str = "not_an_integer"
    index: int | None = None


# Tracebacks and pickles name the classes as users import them.
for _class in [PingalaError, *PingalaError.__subclasses__(), ElementTypeError]:
    _class.__module__ = "pingala"

_CLASSES: dict[str, type[PingalaError]] = {error.code: error for error in PingalaError.__subclasses__()}

# Users know the message of the built-in pow, so ours ends with it.
_SENTENCES: dict[str, str] = {
    "zero_modulus": "zero modulus: a modulus is not 0; pow() 3rd argument cannot be 0",
    "interrupted": "the call took longer than its timeout",
}


def _make(code: str, sentence: str, index: int | None) -> PingalaError:
    """The exception for an error of the library."""
    sentence = _SENTENCES.get(code, sentence)
    error = _CLASSES.get(code, PingalaError)(sentence if index is None else f"element {index}: {sentence}")
    error.code = code
    error.index = index
    return error


def _make_element_type_error(cause: TypeError, index: int) -> ElementTypeError:
    """The exception for an element that is not an integer."""
    error = ElementTypeError(f"element {index}: {cause}")
    error.index = index
    return error
