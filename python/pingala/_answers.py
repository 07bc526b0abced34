"""Lists of answers that are yes or no, with the details of each."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class Answers(list[bool], Generic[_T]):
    """A list of ``bool``, as ``numpy.array``, masks, ``count`` and ``sum`` expect, with details apart.

    ``answers[i]`` is True or False; ``answers.details[i]`` says more: a `Primality` or a `Verdict`. ``details`` keeps
    the order of the call, whatever is done to the list. A slice is a plain list.
    """

    __slots__ = ("details",)

    #: One for each answer of the call, in its order.
    details: Sequence[_T]

    def __init__(self, answers: Iterable[bool], details: Sequence[_T]) -> None:
        """Make a list of the answers."""
        super().__init__(answers)
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a pickle contains: the answers and their details."""
        from ._pickle import answers

        return answers, (1, (list(self), list(self.details)))
