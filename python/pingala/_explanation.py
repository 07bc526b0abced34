"""The results of the explain functions: why a plan was chosen, and the candidates.

The fields have the names that ``pingala explain --json`` prints.
"""

from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True)
class Candidate:
    """One algorithm on one kernel."""

    #: As a plan line.
    plan: str
    #: The algorithm with its parameters.
    algorithm: str
    #: The kernel with its parameters.
    kernel: str
    #: Whether it is the chosen one.
    chosen: bool
    #: Expected squarings.
    squarings: float
    #: Expected multiplications of two residues.
    products: float
    #: Expected multiplications by the base itself, which are cheaper for a base of up to 32 bits.
    base_products: float
    #: Expected look-ups in a table; for a secret exponent each look-up reads the whole table.
    selections: float
    #: Expected seconds of one run: of one power in a list.
    seconds: float
    #: Its time divided by the chosen candidate's; for a table, with a share of the time to build it.
    ratio: float
    #: Powers in a table for a fixed base, its bytes, and the expected seconds of building it; otherwise None.
    entries: int | None = None
    bytes: int | None = None
    build_seconds: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class ExplainedPart:
    """A part of the work that one kernel does: modulo the odd part, a power of two, a known factor."""

    #: The problem of this part.
    problem: str
    #: How many such parts follow each other.
    count: int
    #: All candidates, cheapest first.
    candidates: tuple[Candidate, ...]

    def __repr__(self) -> str:
        """Return the problem and the number of candidates."""
        return f"<ExplainedPart: {self.problem}, {len(self.candidates)} candidates>"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way to do the whole work, such as each power of a list by itself."""

    what: str
    plan: str
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """Why a plan was chosen, and the candidates.

    ``str(explanation)`` is two sentences, then at most twelve candidates; ``explanation.text(all=True)`` has all.
    """

    #: A sentence: what was chosen, its time, and because of what.
    chosen: str
    #: A sentence: the next best candidate, and why it is more expensive; empty if there was one candidate.
    next_best: str
    #: The problem that was planned.
    problem: str
    #: Features of this CPU that are ignored on request.
    masked: tuple[str, ...]
    #: The plan, a line that ``plan=`` accepts.
    plan: str
    #: Expected seconds of the whole work; for a table, of one power.
    seconds: float
    #: Expected seconds of building a table; otherwise None.
    build_seconds: float | None
    #: One sentence for each source of prices that was found and not used, with the reason.
    notes: tuple[str, ...]
    #: The parts of the plan with their candidates.
    parts: tuple[ExplainedPart, ...]
    #: Another way to do the whole work, if there is one.
    alternative: Alternative | None
    _texts: tuple[str, str] = field(compare=False)

    def text(self, all: bool = False) -> str:
        """Return the explanation as text, with at most twelve candidates or with all."""
        text = self._texts[int(all)]
        ending = " candidates are left out\n"
        return (
            text.removesuffix(ending) + ending[:-1] + ": text(all=True) has them\n" if text.endswith(ending) else text
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as dictionaries, lists, text and numbers, which ``json.dumps`` accepts."""
        fields = asdict(self)
        del fields["_texts"]
        return fields

    def __repr__(self) -> str:
        """Return the plan and its time; ``print`` shows why, and a notebook does."""
        return f"<Explanation: {self.plan}, {self.seconds:.3g} s; print it for the reasons>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"

    def __str__(self) -> str:
        """Return the text with at most twelve candidates."""
        return self.text()
