"""Prints what pyproject.toml asks for, one requirement a line, so that it is written once.

usage: requirements.py build    the build backend
       requirements.py NAME     an optional group of the package, such as `test`
"""

import sys
import tomllib
from pathlib import Path


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    name = sys.argv[1]
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    if name == "build":
        requirements = project["build-system"]["requires"]
    else:
        requirements = project["project"]["optional-dependencies"][name]
    print("\n".join(requirements))
    return 0


if __name__ == "__main__":
    sys.exit(main())
