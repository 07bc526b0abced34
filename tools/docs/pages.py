"""Collects the Markdown pages of the repository and turns their links into links of the site."""

import posixpath
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from . import demo

# Pages outside of docs/, by their place on the site.
_TOP = {
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "ARCHITECTURE.md": "contributing/architecture.md",
    "CONTRIBUTING.md": "contributing/index.md",
    "RELEASING.md": "contributing/releasing.md",
    "vectors/README.md": "contributing/vectors.md",
}
# Pages of docs/ that only the repository's reader needs: the site has its own index.
_LEFT_OUT = {"docs/README.md"}
# Sources of generated pages.
_GENERATED = {"js/index.d.ts": "reference/javascript.md"}
# README is the site's front page.
_FRONT = {"README.md": "index.md", "docs/README.md": "index.md"}

# Pages that hang below another one, which lists them at its end: the sidebar has the pages above only.
_BELOW = {
    "performance": ["surprises"],
    "plans": ["explain"],
    "jobs": ["results", "clusters"],
    "promises": ["proofs"],
    "stability": ["changelog"],
    "contributing/index": [
        "contributing/architecture", "kernels", "testing", "contributing/vectors", "contributing/releasing"],
    "from/moving": [
        "from/pow", "from/gmpy2", "from/openssl", "from/gmp", "from/math-big", "from/num-bigint", "from/biginteger"],
}  # fmt: skip
# Pages of the site only.
_SITE = "docs/site/pages"
# The index of these folders lists their pages.
_INDICES = ("records", "papers", "recipes")
_CONTENTS = "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def _below(pages: list[str]) -> str:
    listed = "\n".join(f"/{page}" for page in pages)
    return f"\n```{{toctree}}\n:caption: More on this\n:maxdepth: 1\n:titlesonly:\n\n{listed}\n```\n"


_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
_DETAILS = re.compile(r"<details(?: open)?>\n<summary>([^<\n]*)</summary>\n\n(.*?)\n\n</details>\n", re.DOTALL)
_FENCE = re.compile(r"^(```|~~~)")


def places(top: Path) -> dict[str, str]:
    """Every page: its path in the repository, and its place on the site."""
    found = dict(_TOP)
    for page in sorted([*(top / "docs").rglob("*.md"), *(top / "papers").rglob("*.md")]):
        path = page.relative_to(top).as_posix()
        if path not in _LEFT_OUT and not path.startswith("docs/site/"):
            found[path] = path.removeprefix("docs/").replace("README.md", "index.md")
    return found


def _repository(top: Path) -> str:
    """The address that a publisher writes into Cargo.toml: what a link to a file that is no page becomes."""
    workspace = tomllib.loads((top / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
    return str(workspace["package"]["repository"])


def relinked(text: str, path: str, place: str, known: Mapping[str, str], top: Path, repository_url: str) -> str:
    """The page with its links as the site has them. Error: a link to a file that does not exist."""
    links = {**_FRONT, **_GENERATED, **known}

    def link(match: re.Match[str]) -> str:
        before, target, after = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        file, _, anchor = target.partition("#")
        repository = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if repository in links:
            new = posixpath.relpath(links[repository], posixpath.dirname(place) or ".")
        elif repository.startswith(("docs/", "papers/")) and (top / repository).suffix in {".svg", ".png"}:
            new = posixpath.relpath(repository.removeprefix("docs/"), posixpath.dirname(place) or ".")
        elif repository == demo.SOURCE and demo.built(top) is not None:
            # Sphinx knows the page only as a file that is copied behind it.
            return f'<a href="{posixpath.relpath(demo.PLACE, posixpath.dirname(place) or ".")}">{before[1:-2]}</a>'
        elif (top / repository).exists():
            return f"{before}{repository_url}/blob/main/{repository}{after}"
        else:
            raise FileNotFoundError(f"{path}: a link to {target}, which does not exist")
        return f"{before}{new}{'#' + anchor if anchor else ''}{after}"

    lines, fenced = [], False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line.lstrip()))
        lines.append(line if fenced else _LINK.sub(link, line))
    return "\n".join(lines) + "\n"


def tabbed(text: str) -> str:
    """The page with its blocks `<details>`, which GitHub folds, as tabs. Tabs of one name open together."""

    def tabs(run: re.Match[str]) -> str:
        items = [
            f":::{{tab-item}} {name}\n:sync: {name}\n\n{body}\n:::\n" for name, body in _DETAILS.findall(run.group())
        ]
        return "::::{tab-set}\n:sync-group: language\n\n" + "\n".join(items) + "::::\n"

    return re.sub(rf"(?:{_DETAILS.pattern}\n?)+", tabs, text, flags=_DETAILS.flags)


def collect(top: Path, source: Path) -> None:
    """Writes all pages and figures below `source`."""
    known, url = places(top), _repository(top)
    for path, place in known.items():
        target = source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (top / path).read_text(encoding="utf-8")
        target.write_text(tabbed(relinked(text, path, place, known, top, url)), encoding="utf-8")
    there = {*known.values(), *(page.relative_to(top / _SITE).as_posix() for page in (top / _SITE).rglob("*.md"))}
    more = {f"{index}/index": _CONTENTS for index in _INDICES} | {
        page: _below([one for one in below if f"{one}.md" in there]) for page, below in _BELOW.items()
    }
    for place, contents in more.items():
        page = source / f"{place}.md"
        page.write_text(page.read_text(encoding="utf-8") + contents, encoding="utf-8")
    for figure in [
        path for folder in ("docs", "papers") for kind in ("svg", "png") for path in (top / folder).rglob(f"*.{kind}")
    ]:
        target = source / figure.relative_to(top).as_posix().removeprefix("docs/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(figure.read_bytes())
