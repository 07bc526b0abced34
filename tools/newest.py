"""The tests of data frames and files with the newest release of each package, in an environment below target/.

    python tools/newest.py WHEEL

`make -C hardening newest` calls it. Writes date, versions and outcome into docs/records/newest.md.
"""

import datetime
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / "target/newest"
PACKAGES = (
    "bitarray chdb deltalake duckdb fastparquet gmpy2 hypothesis nanoarrow numpy pandas polars pyarrow "
    "pyiceberg[sql-sqlite] pytest"
)
TESTS = "columns columns_frames columns_types elsewhere foreign jobs rows_types"
RECORD = ROOT / "docs/records/newest.md"
TEXT = """# The newest releases of other packages

**Question.** Are numbers of the newest releases read, and our results there, as the pages say?

**How.** `make -C hardening newest` installs the newest release of each package by `pip install --upgrade` into
`target/newest`, and runs {count} files of tests on the wheel. `python/tests/test_elsewhere.py` has the lines of
[results.md](../results.md).

**Last run.** {date}, commit {commit}, CPython {python}: {outcome}.

| package | version |
|---|---|
{versions}

**Conclusion.** {conclusion}
"""


def call(*arguments: object) -> str:
    """What a command prints on standard output; CalledProcessError if it fails."""
    return subprocess.run(
        [str(part) for part in arguments], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ).stdout


def main(wheel: str) -> int:
    """Install, test, and write the record."""
    shutil.rmtree(VENV, ignore_errors=True)
    call(sys.executable, "-m", "venv", VENV)
    python = VENV / "bin/python"
    call(python, "-m", "pip", "install", "--quiet", "--upgrade", *PACKAGES.split())
    call(python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", Path(wheel).resolve())
    tests = [ROOT / f"python/tests/test_{name}.py" for name in TESTS.split()]
    command = [python, "-m", "pytest", "-q", "-rs", *tests]
    ran = subprocess.run([str(part) for part in command], check=False, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    print(ran.stdout)
    installed = dict(line.split("==") for line in call(python, "-m", "pip", "freeze").split() if "==" in line)
    names = [re.sub(r"\[.*", "", name) for name in PACKAGES.split()]
    versions = "\n".join(f"| {name} | {installed[name]} |" for name in names)
    summary = re.sub(r"[= ]*in [0-9.]+s.*", "", ran.stdout.strip().splitlines()[-1]).strip("= ")
    good = ran.returncode == 0
    text = TEXT.format(
        count=len(tests),
        date=datetime.datetime.now(datetime.UTC).date(),
        commit=call("git", "rev-parse", "--short=8", "HEAD").strip(),
        python=platform.python_version(),
        outcome=summary,
        versions=versions,
        conclusion="They are." if good else "They are not: the tests that failed are named by the run.",
    )
    RECORD.write_text(text)
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
