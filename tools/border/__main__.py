"""Writes what comes from the description, or compares it."""

import argparse
import re
import sys
from pathlib import Path

from border import TOP, BorderError, go, java, js, load, pages, pyi, tcl

#: Modules with `files` or `sections`.
WRITERS = (go, java, js, tcl, pages, pyi)


def texts() -> dict[Path, str]:
    """Every file that is written, as it should be."""
    border = load()
    found: dict[Path, str] = {}
    for writer in WRITERS:
        for path, text in getattr(writer, "files", lambda _: {})(border).items():
            found[TOP / path] = text
        for (path, name), text in getattr(writer, "sections", lambda _: {})(border).items():
            whole = found.get(TOP / path) or (TOP / path).read_text(encoding="utf-8")
            marks = re.compile(
                rf"((?:<!--|//|#) border: {name}(?: -->)?\n).*?( *(?:<!--|//|#) end of border)", re.DOTALL
            )
            if not marks.search(whole):
                raise BorderError(f"{path} has no marks for {name!r}")
            found[TOP / path] = marks.sub(lambda match, text=text: match[1] + text + match[2], whole)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    try:
        written = texts()
    except BorderError as error:
        sys.exit(f"border: {error}")
    for path, text in written.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments.check:
            sys.exit(f"{path.relative_to(TOP)} is not what border/ describes: `make border` writes it")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
