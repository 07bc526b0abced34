"""The machine that something was measured on, and which of its processors this process may use."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def machine() -> str:
    """The CPU as Linux calls it, or its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    known = {name.strip(): value.strip() for name, value in fields.items()}
    return f"{known.get('model name', '?')}, family {known.get('cpu family', '?')}, model {known.get('model', '?')}"


@contextmanager
def one_processor() -> Iterator[None]:
    """Within, this process and the children it starts stay on one processor."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
