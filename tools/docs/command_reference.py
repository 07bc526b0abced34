"""The reference of the command: what its help says, which clap makes."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path


def _sections(command: Path, path: list[str]) -> Iterator[str]:
    run = subprocess.run([command, *path, "--help"], capture_output=True, text=True, check=True, env={})
    yield f"{'#' * min(len(path) + 2, 4)} {' '.join(['pingala', *path])}\n\n```text\n{run.stdout.rstrip()}\n```\n"
    listed = run.stdout.partition("\nCommands:\n")[2].partition("\n\n")[0]
    for name in re.findall(r"^  (\S+)", listed, re.MULTILINE):
        if name != "help":
            yield from _sections(command, [*path, name])


def page(command: Path) -> str:
    """The page, from the command's own help."""
    head = (
        "# Command reference\n\n"
        "What `pingala COMMAND --help` prints. Numbers, files and exit statuses: [the command](../command.md).\n"
    )
    return "\n".join([head, *_sections(command, [])])
