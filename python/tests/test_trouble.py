"""Each trouble of `make -C hardening chaos` once: a command that had a defect, one with a state, one with a key."""

import random
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
# Last: the package is the installed one.
sys.path.append(str(TOP / "python"))

from chaos.__main__ import TROUBLES, judge, prepared, settled  # noqa: E402

COMMAND = TOP / "target/release/pingala"
pytestmark = pytest.mark.skipif(sys.platform != "linux" or not COMMAND.exists(), reason="Linux, and the command")


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("task_name", ["chain search", "square", "pow by a private key"])
def test_trouble(task_name: str, trouble: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        # A folder that a user without rights may enter.
        top = Path(name)
        top.chmod(0o755)
        command, folder = top / "pingala", top / "work"
        shutil.copy(COMMAND, command)
        task = prepared(task_name, 5, folder, str(command))
        judge(task, folder, *TROUBLES[trouble](task, folder, str(command), random.Random(7), 0.5))
        settled(task, folder, str(command))
