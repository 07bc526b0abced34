"""Runs OpenJDK's own tests of modPow and modInverse with Pingala's calls inside: `make -C hardening java-openjdk`.

    python tools/java_openjdk.py            # `make java` first
    OPENJDK=FOLDER python tools/java_openjdk.py

The tests are under GPL version 2: they are fetched below target/openjdk and nothing of them is kept or shipped. They
come from FOLDER (a source tree of OpenJDK), from GitHub by git, or from Debian's source package by apt-get. Without any
of these they are skipped by name. A test passes if it ends without an exception and has called Pingala.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import java

OUT = java.TARGET / "openjdk"
TAG = "jdk-17-ga"
GITHUB = "https://github.com/openjdk/jdk"
DEBIAN = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main"
PACKAGE = "openjdk-17"
TESTS = "test/jdk/java/math/BigInteger"
# Their source of random numbers, which prints its seed.
RANDOM = "test/lib/jdk/test/lib/RandomFactory.java"
TOO_LONG = {"SymmetricRangeTests": "its numbers have 2^31 bits, more than any call takes"}
WAYS = ("Pingala.modPow", "Modulus.pow", "Pingala.modPowSecure")
SUBSETS = {"BigIntegerTest": ("1", "2")}  # it draws one of three; these two have powers or inverses
SECONDS = 400  # as their own limit


def by_git(into: Path) -> str:
    """Fetches the tests from GitHub; what failed."""
    clone = ["git", "clone", "--quiet", "--depth", "1", "--filter=blob:none", "--sparse", "--branch", TAG, GITHUB]
    for command in (
        [*clone, str(into)],
        ["git", "-C", str(into), "sparse-checkout", "set", TESTS, str(Path(RANDOM).parent)],
    ):
        done = subprocess.run(command, text=True, capture_output=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["git failed"])[-1]
    return ""


def by_apt(into: Path) -> str:
    """Fetches the tests from Debian's source package, by apt-get with lists of its own; what failed."""
    if not shutil.which("apt-get"):
        return "no apt-get"
    state = OUT / "apt"
    for folder in ("lists/partial", "cache/archives/partial", "sources"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "source.list").write_text(DEBIAN + "\n", encoding="utf-8")
    settings = {
        "Dir::Etc::SourceList": state / "source.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": state / "lists",
        "Dir::Cache": state / "cache",
    }
    apt = ["apt-get", "--quiet=2", *(word for name, value in settings.items() for word in ("-o", f"{name}={value}"))]
    for words in (["update"], ["source", "--download-only", "--tar-only", PACKAGE]):
        done = subprocess.run([*apt, *words], cwd=state / "sources", text=True, capture_output=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["apt-get failed"])[-1]
    sources = sorted((state / "sources").glob(f"{PACKAGE}_*.orig.tar.xz"))
    if not sources:
        return f"{PACKAGE} has no source"
    with tarfile.open(sources[-1]) as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            if member.isfile() and (name.startswith(TESTS) or name == RANDOM):
                member.name = name
                archive.extract(member, into, filter="data")
    shutil.rmtree(state)
    return ""


def fetched() -> Path:
    """The source tree with the tests."""
    if given := os.environ.get("OPENJDK"):
        return Path(given)
    into = OUT / "sources"
    if (into / RANDOM).exists():
        return into
    failed = []
    for name, fetch in ((f"{GITHUB} {TAG}", by_git), (f"Debian's source package {PACKAGE}", by_apt)):
        shutil.rmtree(into, ignore_errors=True)
        into.parent.mkdir(parents=True, exist_ok=True)
        if not (why := fetch(into)):
            print(f"OpenJDK's tests from {name}")
            return into
        failed.append(f"{name}: {why}")
    shutil.rmtree(into, ignore_errors=True)
    java.skip(f"OpenJDK's tests of modPow and modInverse cannot be fetched: {'; '.join(failed)}")


def with_ours(text: str) -> tuple[str, int]:
    """A source with our calls in the place of BigInteger's, and how many there are."""
    replaced, count = re.subn(r"\b(\w+)\.(modPow|modInverse)\(", r"Ours.\2(\1, ", text)
    return replaced, count


def jar() -> Path:
    """The jar with the classes."""
    if found := next(java.OUT.glob("pingala-[0-9]*[0-9].jar"), None):
        return found
    sys.exit("target/java has no jar: `make java` builds it")


def run(jdk: java.Jdk, classes: Path, name: str, subset: str, way: str, backend: str) -> str:
    """Runs a test; what went wrong. The test may start a Java of its own: it gets its settings from the environment."""
    calls = OUT / "calls"
    calls.unlink(missing_ok=True)
    options = f"-Dpingala.backend={backend}" + (f" -Dsubset={subset}" if subset else "")
    options += " --enable-native-access=ALL-UNNAMED" if jdk.version >= java.FFM_NEEDED else ""
    environment = {**os.environ, "OURS": way, "CALLS": str(calls), "JDK_JAVA_OPTIONS": options}
    path = os.pathsep.join(map(str, (classes, jar(), java.OUT / "natives")))
    command = [str(jdk.home / "bin/java"), "-cp", path, name]
    try:
        done = subprocess.run(
            command,
            cwd=OUT,
            env=environment,
            text=True,
            timeout=SECONDS,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired:
        return f"longer than {SECONDS} s"
    if done.returncode:
        return f"it failed:\n{done.stdout[-3000:]}"
    lines = calls.read_text(encoding="utf-8").split("\n")[:-1] if calls.exists() else []
    made = sum(int(line.split()[1]) for line in lines)
    if not made or any(line.split()[0] != backend for line in lines):
        return f"no call of Pingala by {backend}: {lines}"
    print(f"{name}{subset and f', subset {subset}'}: {made} calls of {way} by {backend} on Java {jdk.version}")
    return ""


def main() -> int:
    if why := java.missing():
        java.skip(why)
    source = fetched()
    inside = OUT / "with_ours"
    shutil.rmtree(inside, ignore_errors=True)
    inside.mkdir(parents=True)
    shutil.copyfile(java.JAVA / "openjdk/Ours.java", inside / "Ours.java")
    (inside / RANDOM).parent.mkdir(parents=True)
    shutil.copyfile(source / RANDOM, inside / RANDOM)
    names = []
    skipped = 0
    for path in sorted((source / TESTS).rglob("*.java")):
        text, count = with_ours(path.read_text(encoding="utf-8"))
        if not count:
            continue
        if path.stem in TOO_LONG:
            print(f"SKIPPED OpenJDK's {path.stem}: {TOO_LONG[path.stem]}")
            skipped += 1
            continue
        (inside / path.name).write_text(text, encoding="utf-8")
        names.append(path.stem)
    passed = failed = 0
    found = java.jdks()
    both = found[-1].version >= java.FFM_NEEDED  # otherwise the jar has no classes for FFM
    for jdk in sorted({found[0], found[-1]}):
        classes = inside / f"classes-{jdk.version}"
        sources = [inside / "Ours.java", inside / RANDOM, *(inside / f"{name}.java" for name in names)]
        java.check(java.run(jdk.home / "bin/javac", "-nowarn", "-d", classes, "-cp", jar(), *sources))
        backends = ("jni", "ffm") if both and jdk.version >= java.FFM_NEEDED else ("jni",)
        for backend, way, name in itertools.product(backends, WAYS, names):
            for subset in SUBSETS.get(name, ("",)):
                if wrong := run(jdk, classes, name, subset, way, backend):
                    failed += 1
                    print(f"FAILED {name} {subset} with {way} by {backend} on Java {jdk.version}: {wrong}")
                else:
                    passed += 1
    print(f"java-openjdk: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
