"""A job that is killed: at every step of what it does to its folder, at random moments; power fails; a disk is full.

Whatever happens: no file under a final name is anything but whole; the same command ends the job; then every row is
there once, with the same results as of a job that nobody disturbed, and nothing else is left.

PINGALA_KILLS=200 kills at 200 random moments (`make -C hardening job-kills`). PINGALA_KILLS_RECORD names a file to
which a summary is added.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import pyarrow.parquet as pq
import pytest

import jobs
from jobs import arguments, command, leftovers, rows, write

KILLS = int(os.environ.get("PINGALA_KILLS", "6"))

pytestmark = pytest.mark.skipif(os.uname().sysname != "Linux", reason="LD_PRELOAD and /proc")


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """The library that looks at what a program does to a folder."""
    library = tmp_path_factory.mktemp("disk") / "disk.so"
    source = os.path.join(os.path.dirname(__file__), "disk.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("source") / "in.parquet"
    return path, write(path, 60, 20)


class Watched:
    """Runs of one job under the eye of the library."""

    def __init__(self, disk, source, out, *more):
        self.disk, self.source, self.out = disk, source, out
        self.arguments = arguments(source, out, "--part-rows", 20, "--threads", 1, "--quiet", *more)
        self.log = out.with_name(out.name + ".log")

    def run(self, **settings):
        self.log.unlink(missing_ok=True)
        env = {f"DISK_{name.upper()}": str(value) for name, value in settings.items()}
        env |= {"LD_PRELOAD": str(self.disk), "DISK_FOLDER": str(self.out), "DISK_LOG": str(self.log)}
        return command(*self.arguments, env=env)

    def steps(self):
        return [line.split("\t") for line in self.log.read_text().splitlines()] if self.log.exists() else []


def are_whole(out):
    """Every file under a final name is whole."""
    for path in jobs.parts(out):
        assert pq.read_table(path).num_rows == 20, path
    for name in ("_plan.json", "_manifest.json"):
        if (out / name).exists():
            json.loads((out / name).read_text())


def ends_well(watched, wanted):
    ran = watched.run()
    assert ran.returncode == 0, ran.stderr
    assert rows(watched.out) == wanted
    assert not leftovers(watched.out)
    assert json.loads((watched.out / "_manifest.json").read_text())["body"]["rows"] == len(wanted)


def test_killed_before_every_step(disk, source, tmp_path):
    path, wanted = source
    reference = Watched(disk, path, tmp_path / "reference")
    ends_well(reference, wanted)
    steps = reference.steps()
    assert {"create", "write", "sync", "rename"} <= {step[1] for step in steps}
    for number in range(len(steps)):
        watched = Watched(disk, path, tmp_path / f"killed-{number}")
        ran = watched.run(kill_at=number)
        assert ran.returncode == -signal.SIGKILL, f"{number}: {ran.stderr}"
        are_whole(watched.out)
        ends_well(watched, wanted)
        shutil.rmtree(watched.out)


def test_power_fails_before_every_step(disk, source, tmp_path):
    """What was not synced is lost: the bytes of files, and names that their folder was not synced with."""
    path, wanted = source
    reference = Watched(disk, path, tmp_path / "reference")
    ends_well(reference, wanted)
    for number in range(len(reference.steps())):
        for names_survive in (False, True):
            watched = Watched(disk, path, tmp_path / f"power-{number}-{names_survive}")
            watched.run(kill_at=number)
            lose_what_was_not_synced(watched, names_survive)
            are_whole(watched.out)
            ends_well(watched, wanted)
            shutil.rmtree(watched.out)


def lose_what_was_not_synced(watched, names_survive):
    unsynced_bytes, unsynced_names = set(), []
    for _, operation, path, other in watched.steps():
        match operation:
            case "create":
                if path not in [name for _, name in unsynced_names]:
                    unsynced_names.append((None, path))
            case "write":
                unsynced_bytes.add(path)
            case "sync" if os.path.isdir(path):
                unsynced_names = [(old, new) for old, new in unsynced_names if os.path.dirname(new) != path]
            case "sync":
                unsynced_bytes.discard(path)
            case "rename":
                if path in unsynced_bytes:
                    unsynced_bytes.remove(path)
                    unsynced_bytes.add(other)
                unsynced_names = [(old, new) for old, new in unsynced_names if new != path] + [(path, other)]
            case "remove":
                unsynced_bytes.discard(path)
    # The step before which the process died is not in the log.
    for path in unsynced_bytes:
        if os.path.exists(path):
            os.truncate(path, os.path.getsize(path) // 2)
    if not names_survive:
        for old, new in reversed(unsynced_names):
            if os.path.exists(new):
                os.rename(new, old) if old else os.remove(new)


def test_a_full_disk_at_every_write(disk, source, tmp_path):
    path, wanted = source
    reference = Watched(disk, path, tmp_path / "reference")
    ends_well(reference, wanted)
    writes = [int(step[0]) for step in reference.steps() if step[1] == "write"]
    assert len(writes) > 6
    for number in writes:
        watched = Watched(disk, path, tmp_path / f"full-{number}")
        ran = watched.run(full_at=number)
        # What the lock says is for people, so that nothing depends on it.
        if ran.returncode != 0:
            assert "No space left" in ran.stderr
        assert not leftovers(watched.out)
        are_whole(watched.out)
        ends_well(watched, wanted)
        shutil.rmtree(watched.out)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_text_killed_before_some_steps(disk, tmp_path, kind):
    """Text is cut first, and text parts have a record in a second file."""
    path = tmp_path / "rows.csv"
    ids, bases, moduli = jobs.numbers(60)
    lines = [f"{i},{hex(base)},{hex(modulus)}" for i, base, modulus in zip(ids, bases, moduli, strict=True)]
    path.write_text("id,base,modulus\n" + "\n".join(lines) + "\n")
    wanted = [(i, pow(base, jobs.EXPONENT, modulus)) for i, base, modulus in zip(ids, bases, moduli, strict=True)]

    def found(out):
        if kind == "parquet":
            return [(int(i), value) for i, value in rows(out)]
        texts = [path.read_text().splitlines()[1:] for path in sorted(out.glob("part-*.csv"))]
        fields = [line.split(",") for text in texts for line in text]
        return [(int(i), int(result, 16)) for i, result, _ in fields]

    reference = Watched(disk, path, tmp_path / "reference", "--format", kind)
    assert reference.run().returncode == 0
    assert found(reference.out) == wanted
    steps = len(reference.steps())
    for number in sorted(random.Random(kind).sample(range(steps), 20)):
        watched = Watched(disk, path, tmp_path / f"killed-{number}", "--format", kind)
        assert watched.run(kill_at=number).returncode == -signal.SIGKILL
        ran = watched.run()
        assert ran.returncode == 0, f"{number}: {ran.stderr}"
        assert found(watched.out) == wanted
        assert not leftovers(watched.out)
        shutil.rmtree(watched.out)


def test_text_of_several_pieces_killed_before_its_steps(disk, tmp_path):
    """Pieces that were finished before the kill stay the same files, and all are those of an undisturbed run."""
    path = tmp_path / "rows.csv"
    count = (2 << 17) + 10
    path.write_text("id,base,modulus\n" + "".join(f"{i},{i},1009\n" for i in range(count)))
    reference = Watched(disk, path, tmp_path / "reference", "--plan-only")
    assert reference.run().returncode == 0

    def pieces(watched):
        return {piece.name: piece for piece in (watched.out / "_input").glob("text-*.parquet")}

    wanted = {name: piece.read_bytes() for name, piece in pieces(reference).items()}
    assert len(wanted) == 3
    names = [(int(number), operation) for number, operation, *paths in reference.steps()
             if "_input" in paths[0] or "_preparing" in paths[0]]  # fmt: skip
    steps = [number for number, operation in names if operation in ("create", "sync", "rename", "remove")]
    assert len(steps) > 12
    steps = sorted(random.Random("pieces").sample(steps, 8))
    for number in steps:
        watched = Watched(disk, path, tmp_path / f"killed-{number}", "--plan-only")
        assert watched.run(kill_at=number).returncode == -signal.SIGKILL
        before = {name: piece.stat() for name, piece in pieces(watched).items()}
        assert command("job", "status", watched.out).returncode in (0, 1)
        ran = watched.run()
        assert ran.returncode == 0, f"{number}: {ran.stderr}"
        after = pieces(watched)
        for name, facts in before.items():
            now = after[name].stat()
            assert (now.st_ino, now.st_mtime_ns) == (facts.st_ino, facts.st_mtime_ns), f"{number}: {name}"
        assert {name: piece.read_bytes() for name, piece in after.items()} == wanted, number
        assert not leftovers(watched.out)
        if number != steps[-1]:
            shutil.rmtree(watched.out)
    ran = command(*arguments(path, watched.out, "--quiet"))
    assert ran.returncode == 0, ran.stderr
    assert [(int(i), result) for i, result in rows(watched.out)] == [
        (i, pow(i, jobs.EXPONENT, 1009)) for i in range(count)
    ]


def test_killed_at_random_moments(tmp_path):
    path = tmp_path / "in.parquet"
    wanted = write(path, 4000, 500, 1024)
    out = tmp_path / "out"
    usual = [jobs.SCRIPT, *arguments(path, out, "--part-rows", 100, "--threads", 2, "--quiet")]
    started = time.monotonic()
    subprocess.run(usual, check=True)
    whole = time.monotonic() - started
    assert rows(out) == wanted
    moments = random.Random(3)
    kills, finished, computed, seen = 0, 0, 0, set()
    shutil.rmtree(out)
    while kills < KILLS:
        child = subprocess.Popen(usual)
        time.sleep(moments.uniform(0.02, whole))
        child.kill()
        if child.wait() == 0:
            finished += 1
            assert rows(out) == wanted
            assert not leftovers(out)
            shutil.rmtree(out)
            continue
        kills += 1
        for part in jobs.parts(out):
            if part not in seen:
                assert pq.read_table(part).num_rows == 100
        computed = max(computed, len(jobs.parts(out)))
    subprocess.run(usual, check=True)
    assert rows(out) == wanted
    assert not leftovers(out)
    if record := os.environ.get("PINGALA_KILLS_RECORD"):
        with open(record, "a", encoding="utf-8") as file:
            text = f"{kills} kills, {finished + 1} jobs finished, every row once; most parts at a kill {computed}"
            file.write(f"{time.strftime('%Y-%m-%d')} {text}; an undisturbed run {whole:.2f} s\n")
