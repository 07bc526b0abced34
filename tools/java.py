"""Builds and tests the jars: `make java`, `make test-java`.

    python tools/java.py build           # the JNI library and the jars, in target/java
    python tools/java.py package         # the jars alone, of the native libraries that are in target/java/natives
    python tools/java.py test            # what takes a minute, on each Java that is there
    python tools/java.py test long       # the slow tests too, with checks of JNI and a small heap

The newest JDK among JAVA_HOME, that of `javac`, and those in /usr/lib/jvm compiles. From 22 on the jar has the classes
for FFM. The tests run on that one and on the oldest from 11 on. Without a JDK, Maven or a C compiler, or if Maven
cannot fetch what it needs, they are skipped by name.
"""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import border.java

import border

ROOT = Path(__file__).resolve().parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
OUT = TARGET / "java"
NATIVES = OUT / "natives/META-INF"
JAVA = ROOT / "java"
SOURCES = JAVA / "pingala/src/main/c"
NEEDED = 11
FFM_NEEDED = 22
MODES = 0o022  # a jar keeps the modes of its files: the same for everybody who builds it
NAMES = {"linux": "lib{}.so", "darwin": "lib{}.dylib", "win32": "{}.dll"}


@dataclass(frozen=True, order=True)
class Jdk:
    """A JDK with its compiler and the headers of JNI."""

    version: int
    home: Path


def jdks() -> list[Jdk]:
    """The JDKs of this machine from 11 on, the oldest first."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if java := shutil.which("javac"):
        homes.append(Path(java).resolve().parents[1])
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    found = set()
    for home in {home.resolve() for home in homes}:
        release = home / "release"
        if not (home / "include/jni.h").exists() or not release.exists():
            continue
        if version := re.search(r'JAVA_VERSION="(\d+)', release.read_text(encoding="utf-8")):
            found.add(Jdk(int(version[1]), home))
    return sorted(jdk for jdk in found if jdk.version >= NEEDED)


def missing() -> str:
    """What this machine lacks, to build the jars."""
    if not jdks():
        return "no JDK from 11 on"
    if not shutil.which("mvn"):
        return "no Maven"
    if not shutil.which(os.environ.get("CC", "cc")):
        return "no C compiler"
    return ""


def platform() -> str:
    """The name of this platform, as org.pingala.Library has it."""
    machine = os.uname().machine if hasattr(os, "uname") else "x86_64"
    if sys.platform == "darwin":
        return f"macos-{machine}"
    if sys.platform == "win32":
        return "windows-x86_64"
    musl = "ld-musl" in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    return f"{'musl' if musl else 'linux'}-{machine}"


def library(name: str) -> str:
    return NAMES[sys.platform].format(name)


def run(*command: str | Path, jdk: Jdk | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    if jdk:
        environment["JAVA_HOME"] = str(jdk.home)
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def check(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        sys.exit(f"{done.args[0]} failed:\n{done.stdout[-6000:]}")


def licences() -> None:
    """The licences of the native libraries, beside them."""
    folder = NATIVES / "licences"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES.txt"):
        shutil.copyfile(ROOT / name, folder / name)


def natives(jdk: Jdk) -> None:
    """This platform's libraries, where the jars take them from."""
    os.umask(MODES)
    place = NATIVES / "pingala" / platform()
    place.mkdir(parents=True, exist_ok=True)
    built = TARGET / "release" / library("pingala_c")
    shipped = place / library("pingala")
    if not shutil.which("strip") or run("strip", "-x", "-o", shipped, built).returncode:
        shutil.copyfile(built, shipped)
    flags = ["-dynamiclib"] if sys.platform == "darwin" else ["-shared"]
    flags += [] if sys.platform == "win32" else ["-fPIC", "-ldl"]
    own = [folder for folder in (jdk.home / "include").iterdir() if (folder / "jni_md.h").exists()]
    headers = [f"-I{folder}" for folder in (ROOT / "crates/pingala-c/include", jdk.home / "include", *own)]
    glue = place / library("pingala_jni")
    compiler = os.environ.get("CC", "cc")
    strict = ["-std=c99", "-D_DEFAULT_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-s"]
    check(run(compiler, *strict, *headers, SOURCES / "pingala_jni.c", "-o", glue, *flags))
    licences()


def maven(jdk: Jdk, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run("mvn", "--batch-mode", "--no-transfer-progress", "-f", JAVA / "pom.xml", *arguments, jdk=jdk)


class UnreachableError(Exception):
    """Maven cannot fetch what it needs."""


def build(*only: str) -> Jdk:
    """Builds the native libraries of this platform and the jars, or those of some modules; the JDK that did."""
    jdk = jdks()[-1]
    natives(jdk)
    package(jdk, *only)
    return jdk


def package(jdk: Jdk, *only: str) -> None:
    """The jars, or those of some modules."""
    os.umask(MODES)
    modules = ["-pl", ",".join(only)] if only else []
    done = maven(jdk, "package", "-DskipTests", "-Dmaven.test.skip=true", *modules)
    if done.returncode and re.search(r"could not be resolved|Could not transfer|Network is unreachable", done.stdout):
        raise UnreachableError(next(line for line in done.stdout.splitlines() if "ERROR" in line))
    check(done)
    for old in OUT.glob("*.jar"):
        old.unlink()
    for jar in sorted((OUT / "build").glob("*/*.jar")):
        shutil.copyfile(jar, OUT / jar.name)
        print(f"target/java/{jar.name}")
    if jdk.version < FFM_NEEDED:
        print(f"JDK {jdk.version}: the jar lacks the classes for FFM, which need 22 or newer; every Java will use JNI")


def skip(why: str) -> NoReturn:
    print(f"java SKIPPED: {why}")
    print("java: 0 passed, 0 failed, 1 skipped")
    sys.exit(0)


def count(reports: Path) -> tuple[int, int, list[str]]:
    """Passed, failed and skipped tests of a run."""
    passed = failed = 0
    skipped = []
    for report in reports.glob("TEST-*.xml"):
        for case in ET.parse(report).getroot().iter("testcase"):
            name = f"{case.get('classname', '')}.{case.get('name', '')}"
            if (reason := case.find("skipped")) is not None:
                skipped.append(f"{name}: {reason.get('message') or (reason.text or '').strip().partition(chr(10))[0]}")
            elif case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                print(f"FAILED {name}")
            else:
                passed += 1
    return passed, failed, skipped


def documented(jdk: Jdk) -> str:
    """What javadoc says against the documentation of public and protected items; empty if each has one."""
    words = ["-quiet", "-Xdoclint:all", "-Xwerror", "-protected", "--release", str(NEEDED), "-encoding", "UTF-8"]
    sources = os.pathsep.join(str(JAVA / "pingala/src/main" / folder) for folder in ("java", "generated"))
    where: list[str | Path] = ["-d", OUT / "javadoc", "--module-source-path", f"org.pingala={sources}"]
    done = run(jdk.home / "bin/javadoc", *words, *where, "--module", "org.pingala")
    return f"javadoc of Java {jdk.version}:\n{done.stdout[-6000:]}" if done.returncode else ""


def test(long: bool) -> int:
    """Runs the tests on the oldest and the newest JDK."""
    if why := missing():
        skip(why)
    # Spark's jars need Scala and Spark itself: `make java` builds them.
    try:
        builder = build("pingala")
    except UnreachableError as error:
        skip(f"Maven cannot fetch what it needs: {error}")
    stale = run(sys.executable, ROOT / "tools/java_abi.py", "--check")
    passed, failed = int(not stale.returncode), int(bool(stale.returncode))
    skipped: list[str] = []
    if failed:
        print(stale.stdout)
    for path, text in border.java.files(border.load()).items():
        same = (ROOT / path).exists() and (ROOT / path).read_text(encoding="utf-8") == text
        passed, failed = passed + same, failed + (not same)
        if not same:
            print(f"FAILED {path} is not what border/ describes: `make border` writes it")
    found = jdks()
    if not (builder.home / "bin/javadoc").exists():
        skipped.append(f"documentation of public items: {builder.home} has no javadoc")
    elif wrong := documented(builder):
        failed += 1
        print(wrong)
    else:
        passed += 1
    for jdk in sorted({found[0], found[-1]}):
        shutil.rmtree(OUT / "build/pingala/surefire-reports", ignore_errors=True)
        options = "-Xcheck:jni -Xmx64m" if long else "-ea"
        if jdk.version >= FFM_NEEDED:
            options += " --enable-native-access=ALL-UNNAMED"
        arguments = ["verify", "-pl", "pingala", f"-Djvm={jdk.home}/bin/java", f"-DargLine={options}"]
        excluded = ([] if long else ["long"]) + (["java22"] if jdk.version < FFM_NEEDED else [])
        done = maven(builder, *arguments, f"-Dexcluded={','.join(excluded)}")
        ran = count(OUT / "build/pingala/surefire-reports")
        print(f"Java {jdk.version}: {ran[0]} passed, {ran[1]} failed")
        if done.returncode or not ran[0]:
            print(done.stdout[-6000:])
            failed += not ran[1]
        passed, failed, skipped = passed + ran[0], failed + ran[1], skipped + ran[2]
    for name in skipped:
        print(f"SKIPPED {name}")
    print(f"java: {passed} passed, {failed} failed, {len(skipped)} skipped")
    return 1 if failed else 0


def main() -> int:
    match sys.argv[1:]:
        case ["build" | "package" as step]:
            if why := missing():
                sys.exit(f"{why}: `make java` needs a JDK, Maven and a C compiler")
            try:
                if step == "build":
                    build()
                else:
                    package(jdks()[-1])
            except UnreachableError as error:
                sys.exit(f"Maven cannot fetch what it needs: {error}")
        case ["test"]:
            return test(long=False)
        case ["test", "long"]:
            return test(long=True)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
