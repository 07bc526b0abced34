"""Commands that are run and shown, and the outcome of a step."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target"))
#: What is handed out.
DIST = TOP / "dist"
#: What only the trials need.
WORK = TARGET / "dist"

#: Licences, in every archive and wheel.
NOTICES = ("LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES.txt")

Command = Sequence[str | Path]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's, with the tools of its own environment in front."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "CARGO_TARGET_DIR": str(TARGET), **(more or {})}


def run(command: Command, more: Mapping[str, str] | None = None, cwd: Path = TOP) -> None:
    """Shows the command and runs it. Error: it fails."""
    words = [str(word) for word in command]
    print(f"+ {shlex.join(words)}", flush=True)
    subprocess.run(words, cwd=cwd, env=environment(more), stdin=subprocess.DEVNULL, check=True)


def output(command: Command, more: Mapping[str, str] | None = None) -> str:
    """What the command writes. Error: it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=TOP, env=environment(more), stdin=subprocess.DEVNULL, stdout=-1, text=True, check=True
    )
    return done.stdout


def debian_mirror() -> str | None:
    """Where apt has Debian's packages from on this machine."""
    if shutil.which("apt-get") is None:
        return None
    places = output(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]).split()
    return next((place for place in places if place.rstrip("/").endswith("/debian")), None)


def add_to_zip(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """A file of an archive that is the same for the same files: without the time at which it was made."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
    archive.writestr(info, data)


class Watch:
    """Shown, the time since it was made, and what of a processor's time the programs took that were run."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.monotonic(), self._taken()

    @staticmethod
    def _taken() -> float:
        times = os.times()
        return times.children_user + times.children_system

    def __str__(self) -> str:
        return f"{time.monotonic() - self._wall:.0f} s, {self._taken() - self._cpu:.0f} s of CPU"


@dataclass
class Report:
    """One line for each thing that was tried: built, run, or why not."""

    lines: list[tuple[str, str, str]] = field(default_factory=list)
    failures: int = 0

    def add(self, step: str, what: str, came: str) -> None:
        self.lines.append((step, what, came))
        print(f"[{step}] {what}: {came}", flush=True)

    def check(self, step: str, what: str, right: bool, found: str) -> None:
        """What was found, and whether it is as it must be."""
        self.failures += not right
        self.add(step, what, found if right else f"FAILED: {found}")

    @contextmanager
    def guarded(self, step: str, what: str) -> Iterator[None]:
        """Within, a program that fails or a file that is not there is noted, and the rest goes on behind the block."""
        try:
            yield
        except (OSError, subprocess.CalledProcessError) as error:
            self.check(step, what, False, str(error))

    def attempt(
        self, step: str, what: str, command: Command, more: Mapping[str, str] | None = None, cwd: Path = TOP
    ) -> bool:
        """Runs the command as a step of its own; a failure is noted, and the rest goes on."""
        watch = Watch()
        try:
            run(command, more, cwd)
        except (OSError, subprocess.CalledProcessError) as error:
            self.failures += 1
            why = f"status {error.returncode}" if isinstance(error, subprocess.CalledProcessError) else str(error)
            self.add(step, what, f"FAILED ({why})")
            return False
        self.add(step, what, f"done in {watch}")
        return True

    def table(self) -> str:
        """As Markdown."""
        rows = [f"| {step} | {what} | {came} |" for step, what, came in self.lines]
        return "\n".join(["| step | what | result |", "|---|---|---|", *rows, ""])
