"""Progress of a long call, as text for people."""

import sys
import time
from types import TracebackType
from typing import Self, TextIO

_LINES_EVERY = 60.0  # seconds, where the file is no terminal
_BRIEF = 1.0  # seconds: a call that takes less leaves no line
_BAR = 20  # columns


class Progress:
    """Shows progress and time left: ``repeated_square(3, 10**9, m, progress=Progress("squarings"))``.

    what: the name of what is counted. file: standard error by default. On a terminal and in a notebook one line with a
    bar is updated. At the end a line with the time and the speed stays if the call took a second; nothing stays of
    a call that is interrupted. Any other file gets a line every minute. The object can be used for one call after
    another, and in ``with``, which takes the line away when an error ends the block.
    """

    def __init__(self, what: str = "powers", file: TextIO | None = None) -> None:
        """Keep the arguments; nothing is shown before the first call."""
        self._what = what
        self._file = file
        self._begun: tuple[float, int] | None = None
        self._last = (0, 0)
        self._shown = 0.0
        #: Estimated from the mean speed since the first call; None before a speed is known.
        self.seconds_left: float | None = None

    def __call__(self, done: int, total: int) -> None:
        """Record and show that ``done`` of ``total`` are done."""
        now = time.monotonic()
        if done < self._last[0] or total != self._last[1]:
            # The call before was stopped.
            self._begun = None
        self._last = (done, total)
        if self._begun is None:
            # What a checkpoint held was done by another run.
            self._begun, self._shown = (now, done), now
        seconds, new = now - self._begun[0], done - self._begun[1]
        rate = new / seconds if seconds > 0 else 0.0
        self.seconds_left = (total - done) / rate if rate > 0 else None
        file = self._file or sys.stderr
        if done >= total:
            self._begun, self.seconds_left = None, 0.0
        if file is None:  # a program without a console has no standard error
            return
        if _is_live(file):
            last = f"{new:,} {self._what} in {_text(seconds)}, {_speed(rate)}\n" if seconds >= _BRIEF else ""
            bar = f"[{'#' * (_BAR * done // max(total, 1)):-<{_BAR}}]  "
            file.write("\r\x1b[K" + (bar + self._line(done, total, rate) if self._begun else last))
            file.flush()
        elif self._begun and now - self._shown >= _LINES_EVERY:
            self._shown = now
            file.write(self._line(done, total, rate) + "\n")
            file.flush()

    def clear(self) -> None:
        """Take the line away, if it is shown. A call that is interrupted does this to its ``progress``."""
        file = self._file or sys.stderr
        if self._begun and file is not None and _is_live(file):
            file.write("\r\x1b[K")
            file.flush()
        self._begun = None

    def __enter__(self) -> Self:
        """Return the object."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        self.clear()

    def __repr__(self) -> str:
        """Return what is counted, and how far the last call is."""
        done, total = self._last
        return f"<Progress: {done:,} of {total:,} {self._what}>"

    def _line(self, done: int, total: int, rate: float) -> str:
        left = "?" if self.seconds_left is None else _text(self.seconds_left)
        return f"{done:,} of {total:,} {self._what}  {_speed(rate)}  {left} left"


def _is_live(file: TextIO) -> bool:
    """Whether a line of the file can be written again: of a terminal, and of a cell of a notebook."""
    return file.isatty() or type(file).__module__.startswith("ipykernel")


def _speed(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"


def _text(seconds: float) -> str:
    """2 h 3 min, 4 min 5 s, 6 s."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    while len(parts) > 1 and parts[0][0] == 0:
        del parts[0]
    return " ".join(f"{count} {unit}" for count, unit in parts[:2])
