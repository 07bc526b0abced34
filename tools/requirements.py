"""Prints what pyproject.toml asks for, one requirement a line, so that it is written once.

usage: requirements.py build    the build backend
       requirements.py NAME...  optional groups of the package, such as `test`
"""

import sys
import tomllib
from pathlib import Path


def main() -> int:
    names = sys.argv[1:]
    if not names:
        print(__doc__, file=sys.stderr)
        return 2
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = []
    for name in names:
        groups = project["project"]["optional-dependencies"]
        requirements += project["build-system"]["requires"] if name == "build" else groups[name]
    print("\n".join(requirements))
    return 0


if __name__ == "__main__":
    sys.exit(main())
