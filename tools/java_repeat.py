"""Builds the jars again under other circumstances, and compares them byte by byte.

    python tools/java_repeat.py folders     # in two folders, with other time zones, languages and file modes
    python tools/java_repeat.py empty       # `mvn verify` with an empty local repository: fetches all that Maven needs

`make java` comes first: its jars in target/java are compared too, and its native libraries are used.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import java

# What a build reads, beside the C library in target/release.
SOURCES = (
    "java",
    "tools/java.py",
    "crates/pingala-c/include",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "THIRD-PARTY-NOTICES.txt",
)
CIRCUMSTANCES: tuple[tuple[int, dict[str, str]], ...] = (
    (0o022, {"TZ": "UTC", "LC_ALL": "C"}),
    (
        0o077,
        {
            "TZ": "Asia/Kolkata",
            "LC_ALL": "C.UTF-8",
            "MAVEN_OPTS": "-Duser.language=tr -Duser.country=TR -Duser.timezone=Pacific/Apia -Duser.name=another",
        },
    ),
)


def copy(into: Path) -> None:
    """The tracked files that a build reads, and the C library."""
    listed = java.run("git", "ls-files", "--cached", "--others", "--exclude-standard", *SOURCES)
    java.check(listed)
    for name in listed.stdout.splitlines():
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(java.ROOT / name, into / name)
    release = into / "target/release"
    release.mkdir(parents=True)
    shutil.copyfile(java.TARGET / "release" / java.library("pingala_c"), release / java.library("pingala_c"))


def differences(first: Path, second: Path) -> list[str]:
    """What differs in two jars: the entries, or something of the file around them."""
    if first.read_bytes() == second.read_bytes():
        return []
    found = []
    with zipfile.ZipFile(first) as a, zipfile.ZipFile(second) as b:
        of_b = {entry.filename: entry for entry in b.infolist()}
        for entry in a.infolist():
            other = of_b.pop(entry.filename, None)
            if other is None:
                found.append(f"{entry.filename} is in the first only")
            elif a.read(entry) != b.read(other):
                found.append(f"{entry.filename} has other bytes")
            elif entry.date_time != other.date_time or entry.external_attr != other.external_attr:
                found.append(f"{entry.filename} has another time or mode")
        found += [f"{name} is in the second only" for name in of_b]
        if a.namelist() != b.namelist():
            found.append("the entries have another order")
    return found or ["the bytes around the entries"]


def compare(name: str, first: Path, second: Path) -> tuple[int, int]:
    """How many jars of two folders are the same, and how many differ."""
    jars = sorted({jar.name for folder in (first, second) for jar in folder.glob("*.jar")})
    same = 0
    for jar in jars:
        both = (first / jar).exists() and (second / jar).exists()
        found = differences(first / jar, second / jar) if both else ["it is in one of the folders only"]
        same += not found
        print(f"{jar}, {name}: {'the same' if not found else 'DIFFERS'}")
        for line in found[:20]:
            print(f"  {line}")
    return same, len(jars) - same + (not jars)


def folders() -> tuple[int, int]:
    with tempfile.TemporaryDirectory(prefix="jars-") as temporary:
        places = [Path(temporary) / "a", Path(temporary) / "another folder, with a longer name"]
        for place, (mask, settings) in zip(places, CIRCUMSTANCES, strict=True):
            before = os.umask(mask)
            copy(place)
            environment = {name: value for name, value in os.environ.items() if name != "CARGO_TARGET_DIR"}
            done = subprocess.run(
                [sys.executable, "tools/java.py", "build"],
                cwd=place,
                env=environment | settings,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            os.umask(before)
            java.check(done)
        outs = [place / "target/java" for place in places]
        ran = [compare("both folders", outs[0], outs[1]), compare("this tree", outs[0], java.OUT)]
    return sum(one[0] for one in ran), sum(one[1] for one in ran)


def empty() -> tuple[int, int]:
    jdk = java.jdks()[-1]
    with tempfile.TemporaryDirectory(prefix="maven-") as repository:
        done = java.maven(jdk, "verify", f"-Dmaven.repo.local={repository}")
        java.check(done)
        size = sum(path.stat().st_size for path in Path(repository).rglob("*") if path.is_file())
    tests = java.count(java.OUT / "build/pingala/surefire-reports")
    print(f"mvn verify from an empty repository: {tests[0]} tests passed; {size >> 20} MB fetched")
    built = java.OUT / "from-empty"
    shutil.rmtree(built, ignore_errors=True)
    built.mkdir(parents=True)
    for jar in (java.OUT / "build").glob("*/*.jar"):
        shutil.copyfile(jar, built / jar.name)
    same, differ = compare("from an empty repository", java.OUT, built)
    shutil.rmtree(built)
    return tests[0] + same, tests[1] + differ


def main() -> int:
    if why := java.missing():
        java.skip(why)
    if not list(java.OUT.glob("*.jar")):
        sys.exit("target/java has no jars: `make java` builds them")
    match sys.argv[1:]:
        case ["folders"]:
            passed, failed = folders()
        case ["empty"]:
            passed, failed = empty()
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    print(f"java {sys.argv[1]}: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
