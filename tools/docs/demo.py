"""The page that shows the npm package in a browser, as `make js` builds it: a folder of the site."""

import re
import shutil
from pathlib import Path

#: The page, in the repository and on the site.
SOURCE = "js/demo/index.html"
PLACE = "demo/index.html"
#: Its scripts that import the package.
SCRIPTS = ("demo.js", "power.js")
_IMPORT = "'../dist/browser.mjs'"


def built(top: Path) -> Path | None:
    """The package with the page; none if it is not built."""
    package = top / "target/js/package"
    scripts = [f"demo/{script}" for script in SCRIPTS]
    whole = all((package / file).is_file() for file in (PLACE, *scripts, "dist/browser.mjs", "dist/worker.mjs"))
    return package if whole else None


def copy(package: Path, html: Path) -> None:
    """Copies page and modules into one folder of the site, whose page of JavaScript the demo links to.

    Error: ValueError, if a script imports another module, or the page has another link.
    """
    target = html / "demo"
    shutil.copytree(package / "demo", target, dirs_exist_ok=True)
    for module in ("browser.mjs", "worker.mjs"):
        shutil.copy(package / "dist" / module, target)
    for script in SCRIPTS:
        _replace(target / script, re.escape(_IMPORT), "'./browser.mjs'")
    _replace(target / "index.html", r'"[^"]*/docs/javascript\.md"', '"../javascript.html"')


def linked(text: str, has_demo: bool) -> str:
    """A page of the site with its link to the demo, which Sphinx does not know; without the demo the link is text."""
    return re.sub(
        rf"\[([^\]]*)\]\({re.escape(PLACE)}\)", rf'<a href="{PLACE}">\1</a>' if has_demo else r"\1 (not built)", text
    )


def _replace(file: Path, pattern: str, new: str) -> None:
    """Replaces the only place of a pattern in a file."""
    text, count = re.subn(pattern, new, file.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"{file} has {count} places of {pattern}, and not one")
    file.write_text(text, encoding="utf-8")
