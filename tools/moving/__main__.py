"""What changes when a program moves to Pingala: the same small questions, put to many libraries for big integers.

    python3 tools/moving                      # prints tables in Markdown, with versions and the date
    python3 tools/moving --install            # before that installs packages in a temporary folder
    python3 tools/moving --install --write    # keeps the answers in answers.json and writes the pages

Without --install it asks what is installed; --install brings pinned packages of PyPI, npm and crates.io.

A question to which a library has no answer but the end of the process, by its manual or ours, is not asked.
"""

import argparse
import datetime
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import pages
from programs import PROGRAMS, MissingError, ask, install


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install pinned packages in a temporary folder")
    parser.add_argument("--write", action="store_true", help="keep the answers and write the pages")
    wanted = parser.parse_args()
    answers: dict[str, dict[str, str]] = pages.kept()["answers"] if wanted.write else {}
    with tempfile.TemporaryDirectory() as folder:
        if wanted.install:
            install(Path(folder))
        for name in PROGRAMS:
            try:
                answers[name] = ask(name, Path(folder))
            except MissingError as why:
                print(f"not asked: {name}: {why}", file=sys.stderr)
    found: pages.Kept = {"date": datetime.date.today().isoformat(), "answers": answers}
    if wanted.write:
        pages.KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        pages.write(found)
    else:
        print(pages.tables(found))


if __name__ == "__main__":
    main()
