"""The reference of the command: what its help says, which clap makes."""

import re
import subprocess
from pathlib import Path

from .plain import escaped

_HEADING = re.compile(r"^([A-Z][A-Za-z ]+):$")
# Sections whose lines are a term and its text, two spaces or more apart.
_LISTS = {"Commands", "Environment", "Exit status"}
_ROW = re.compile(r"^ {2}(\S.*?) {2,}(\S.*)$")
_OPTION = re.compile(r"^ {2,6}(-\S.*?|<\S.*?|\[\S.*?)(?: {2,}(\S.*))?$")


def _help(command: Path, name: list[str]) -> str:
    run = subprocess.run([command, *name, "--help"], capture_output=True, text=True, check=True, env={})
    return run.stdout


def _commands(text: str) -> list[str]:
    listed = text.partition("\nCommands:\n")[2].partition("\n\n")[0]
    return [name for name in re.findall(r"^  (\S+)", listed, re.MULTILINE) if name != "help"]


def _entry(text: str) -> list[str]:
    """Usage as a block, options as a list of terms, all else as it stands."""
    parts: list[str] = []
    block: list[str] = []

    def end_block() -> None:
        while block and not block[-1].strip():
            block.pop()
        if block:
            parts.append("```text\n" + "\n".join(block) + "\n```\n")
        block.clear()

    section = ""
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            end_block()
            section = heading.group(1)
            parts.append(f"**{section}**\n")
        elif line.startswith("Usage: "):
            end_block()
            parts.append(f"```text\n{line.removeprefix('Usage: ')}\n```\n")
        elif section in {"Options", "Arguments"} and (option := _OPTION.match(line)):
            parts.append(f"`{option.group(1)}`\n: {escaped(option.group(2) or '')}\n")
        elif section in _LISTS and (row := _ROW.match(line)):
            parts.append(f"`{row.group(1)}`\n: {escaped(row.group(2))}\n")
        elif section in {*_LISTS, "Options", "Arguments"} and not line.strip():
            section = ""
        elif line.startswith(" ") or section:
            block.append(line)
        elif not block:
            parts.append(escaped(line))
        else:
            block.append(line)
    end_block()
    return parts


def page(command: Path) -> str:
    """The page, from the command's own help."""
    top = _help(command, [])
    parts = [
        "# Command reference\n",
        "What `pingala COMMAND --help` prints. Numbers, files and exit statuses: [the command](../command.md).\n",
    ]
    parts += ["## pingala\n", *_entry(top)]

    def add(path: list[str], text: str) -> None:
        parts.append(f"{'#' * min(len(path) + 1, 4)} pingala {' '.join(path)}\n")
        parts.extend(_entry(text))
        for name in _commands(text):
            add([*path, name], _help(command, [*path, name]))

    for name in _commands(top):
        add([name], _help(command, [name]))
    return "\n".join(parts)
