"""The page that shows the npm package in a browser, as `make js` builds it: a folder of the site."""

import shutil
from pathlib import Path

#: The page, in the repository and on the site.
SOURCE = "js/demo/index.html"
PLACE = "demo/index.html"


def built(top: Path) -> Path | None:
    """The package with the page; none if it is not built."""
    package = top / "target/js/package"
    whole = all((package / file).is_file() for file in (PLACE, "demo/demo.js", "dist/browser.mjs", "dist/worker.mjs"))
    return package if whole else None


def copy(package: Path, html: Path) -> None:
    """Copies page and modules into one folder of the site. Error: ValueError, if the page imports another module."""
    target = html / "demo"
    shutil.copytree(package / "demo", target, dirs_exist_ok=True)
    for module in ("browser.mjs", "worker.mjs"):
        shutil.copy(package / "dist" / module, target)
    script = target / "demo.js"
    text = script.read_text(encoding="utf-8")
    if text.count("'../dist/browser.mjs'") != 1:
        raise ValueError(f"{script}: expected one import of ../dist/browser.mjs")
    script.write_text(text.replace("'../dist/browser.mjs'", "'./browser.mjs'"), encoding="utf-8")
