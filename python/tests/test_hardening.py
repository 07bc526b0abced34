"""The figures on docs/records/hardening.md are those of the records."""

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def test_the_page_has_the_figures_of_the_records() -> None:
    tool = [sys.executable, str(TOP / "tools/hardening.py"), "page", "--check"]
    checked = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
