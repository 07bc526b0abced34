"""The documentation site, into target/docs/html: `make docs`.

Pages come from docs/ and the top of the repository, references from the stub, the docstrings and the command's help,
the figures from the records of the benchmark. A warning of Sphinx, a link to a file that is not there and a parameter
that no docstring mentions are errors.
"""

import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pingala

from . import command_reference, demo, figures, pages
from .javascript_reference import Reference as JavaScriptReference
from .javascript_reference import UndeclaredError
from .python_reference import Reference, UndocumentedError
from .sections import JAVASCRIPT, SECTIONS

TOP = Path(__file__).resolve().parents[2]
SITE = TOP / "docs/site"
TARGET = TOP / "target/docs"

_INVENTORY = (
    "# Sphinx inventory version 2\n# Project: Python\n# Version: 3\n"
    "# The remainder of this file is compressed using zlib.\n"
)


def inventory(listed: Path, target: Path) -> None:
    """Python's names that signatures mention, in Sphinx's format 2."""
    lines = listed.read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    body = "".join(f"{name} py:{role} 1 {page}#{name} -\n" for name, role, page in rows)
    target.write_bytes(_INVENTORY.encode() + zlib.compress(body.encode()))


def main() -> int:
    source, html = TARGET / "source", TARGET / "html"
    shutil.rmtree(TARGET, ignore_errors=True)
    source.mkdir(parents=True)
    pages.collect(TOP, source)
    figures.draw(TOP, source / "figures")
    (source / "reference").mkdir(exist_ok=True)
    try:
        reference = Reference(TOP / "python/pingala/_pingala.pyi", pingala).page(SECTIONS)
        javascript = JavaScriptReference(TOP / "js/index.d.ts").page(JAVASCRIPT)
    except (UndocumentedError, UndeclaredError) as error:
        print(f"not documented: {error}", file=sys.stderr)
        return 1
    (source / "reference/python.md").write_text(reference, encoding="utf-8")
    (source / "reference/javascript.md").write_text(javascript, encoding="utf-8")
    command = command_reference.page(TOP / "target/release/pingala")
    (source / "reference/command.md").write_text(command, encoding="utf-8")
    for page in sorted((SITE / "pages").rglob("*.md")):
        place = page.relative_to(SITE / "pages")
        (source / place).parent.mkdir(parents=True, exist_ok=True)
        text = demo.linked(page.read_text(encoding="utf-8"), demo.built(TOP) is not None)
        (source / place).write_text(text, encoding="utf-8")
    for file in ("conf.py", "scorer.js", "favicon.svg"):
        shutil.copy(SITE / file, source)
    inventory(SITE / "python.txt", source / "python.inv")
    (source / "_static").mkdir()
    for file in ("pingala.css", "copy.js"):
        shutil.copy(SITE / file, source / "_static")
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html"]
    done = subprocess.run([*sphinx, str(source), str(html)], check=False)
    if done.returncode == 0:
        rustdoc = TOP / "target/doc"
        if rustdoc.is_dir():
            shutil.copytree(rustdoc, html / "rust", dirs_exist_ok=True)
        package = demo.built(TOP)
        if package is None:
            print("no demo: `make js` builds it, with Node and Rust's target for WebAssembly")
        else:
            demo.copy(package, html)
        print(f"{html.relative_to(TOP)}/index.html: {sum(1 for _ in html.rglob('*.html'))} pages")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
