"""The scripts of findings/ are listed, and say what was guessed. They need registries, so no test runs them."""

import os
import re
import subprocess
from pathlib import Path

import pytest

FINDINGS = Path(__file__).resolve().parents[2] / "findings"
SCRIPTS = sorted(path for path in FINDINGS.glob("*.sh") if path.name != "lib.sh")


def test_the_readme_lists_all() -> None:
    listed = re.findall(r"\| \[[\w-]+\]\(([\w-]+\.sh)\) \|", (FINDINGS / "README.md").read_text(encoding="utf-8"))
    assert listed == [path.name for path in SCRIPTS]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_says_what_was_guessed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^# Guess: .+^# What happens: .+^# For our users: ", text, re.MULTILINE | re.DOTALL)
    assert re.search(r"==[\d.]+|@[\d.]+|=go[\d.]+", text), "no package is pinned"
    assert "pingala" not in re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    assert os.access(path, os.X_OK)
    assert subprocess.run(["bash", "-n", path], check=False).returncode == 0
