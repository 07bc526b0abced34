"""The jars for Java: the classes, the native libraries of each platform, and pingala-all with those of all of them."""

import os
import shutil
import subprocess
import zipfile
from io import BytesIO
from pathlib import Path

import java

from . import formats
from .linkers import OLDEST_MACOS, program
from .platforms import PLATFORMS, Platform
from .run import DIST, TARGET, TOP, WORK, Report, run
from .wheels import newest_glibc, version

# What jni.h reads of the platform. A JDK has that of its own only, which serves Linux and macOS. Windows has one
# convention of calls on 64 bits, so that JNICALL is empty.
_JNI_OF_WINDOWS = """#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL
typedef long jint;
typedef long long jlong;
typedef signed char jbyte;
"""

#: The native library as cargo names it, and as the jars do, without its prefix.
_SUFFIXES = {"macos": (".dylib", "lib"), "windows": (".dll", "")}


def _names(platform: Platform) -> tuple[str, str, str]:
    """The library that cargo makes, and the two of the jar."""
    suffix, prefix = _SUFFIXES.get(platform.name.partition("-")[0], (".so", "lib"))
    return f"{prefix}pingala_c{suffix}", f"{prefix}pingala{suffix}", f"{prefix}pingala_jni{suffix}"


def _zig(platform: Platform) -> str:
    """The platform as zig's compiler names it."""
    if "apple" in platform.triple:
        architecture = platform.triple.partition("-")[0]
        return f"{architecture}-macos.{OLDEST_MACOS[architecture]}"
    return platform.zig_triple.replace("-unknown", "").replace("-pc", "")


def compiled(platform: Platform) -> Path:
    """The C library, stripped, by cargo-zigbuild."""
    windows = "windows" in platform.triple
    chosen = ["--locked", "--release", "--target", platform.zig_triple, "--package", "pingala-c", "--lib"]
    last = ["--crate-type", "cdylib", "--", "-C", "strip=symbols"]
    run(["cargo-zigbuild", "rustc", *chosen, *last], {} if windows else program(platform.triple)[0])
    return TARGET / platform.triple / "release" / _names(platform)[0]


def glue(platform: Platform, jdk: java.Jdk, to: Path) -> None:
    """The library between the C library and Java, by zig."""
    own = next(folder for folder in (jdk.home / "include").iterdir() if (folder / "jni_md.h").exists())
    system = []
    if "windows" in platform.triple:
        own = WORK / "jni"
        own.mkdir(parents=True, exist_ok=True)
        (own / "jni_md.h").write_text(_JNI_OF_WINDOWS, encoding="ascii")
    elif "linux" in platform.triple:
        system = ["-fPIC", "-ldl"]
    else:
        # Otherwise the library contains the path at which it was linked.
        system = [f"-Wl,-install_name,@rpath/{_names(platform)[2]}"]
    headers = [f"-I{folder}" for folder in (TOP / "crates/pingala-c/include", jdk.home / "include", own)]
    strict = ["-std=c99", "-D_DEFAULT_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-s"]
    zig = ["python", "-m", "ziglang", "cc", "-target", _zig(platform), "-shared"]
    run([*zig, *strict, *headers, java.SOURCES / "pingala_jni.c", "-o", to, *system])


def place(platform: Platform, library: Path, jdk: java.Jdk) -> None:
    """Both libraries, where the jars take them from."""
    folder = java.NATIVES / "pingala" / platform.name
    folder.mkdir(parents=True, exist_ok=True)
    _, shipped, jni = _names(platform)
    shutil.copyfile(library, folder / shipped)
    # A library for linking lies beside a DLL, and is not shipped.
    made = WORK / "jni" / platform.name
    made.mkdir(parents=True, exist_ok=True)
    glue(platform, jdk, made / jni)
    shutil.copyfile(made / jni, folder / jni)


def packed(report: Report) -> None:
    """The jars of what was placed, in dist/."""
    with report.guarded("jars", "package"):
        java.licences()
        run(["python", "tools/java.py", "package"])
        for jar in sorted(java.OUT.glob(f"pingala*-{version()}*.jar")):
            shutil.copyfile(jar, DIST / jar.name)
            report.add("jars", jar.name, f"built, {jar.stat().st_size / 1e6:.1f} MB")


def build(platforms: list[Platform], report: Report) -> None:
    """All jars. Those of Java 22 and newer have classes of their own, so that a release needs such a JDK."""
    why = java.missing() or ("" if java.jdks()[-1].version >= java.FFM_NEEDED else "a release needs a JDK from 22 on")
    if why:
        report.add("jars", "all", f"NOT BUILT: {why}")
        return
    shutil.rmtree(java.NATIVES, ignore_errors=True)
    for platform in platforms:
        with report.guarded("jars", f"native libraries for {platform.name}"):
            place(platform, compiled(platform), java.jdks()[-1])
            report.add("jars", f"native libraries for {platform.name}", "built")
    packed(report)


def looked_at(report: Report) -> None:
    """Error: a file of a classified jar is for another platform, needs a newer glibc, or is missing in pingala-all."""
    whole = DIST / f"pingala-all-{version()}.jar"
    for platform in PLATFORMS:
        jar = DIST / f"pingala-{version()}-{platform.name}.jar"
        if not jar.exists():
            continue
        with zipfile.ZipFile(jar) as one, zipfile.ZipFile(whole) as all_:
            for name in _names(platform)[1:]:
                path = f"META-INF/pingala/{platform.name}/{name}"
                data = one.read(path)
                wrong = formats.misfit(data, platform)
                right = wrong is None and all_.read(path) == data
                newest = newest_glibc(BytesIO(data)) if data.startswith(b"\x7fELF") else ()
                right = right and newest <= (platform.glibc or newest)
                shown = wrong or formats.native(data)[0]
                shown = f"{shown}, glibc {'.'.join(map(str, newest))}" if newest else shown
                report.check("formats", f"{jar.name}: {name}", right, shown)


def tried(report: Report) -> None:
    """The jars of this platform on each Java that is here, compared with BigInteger."""
    jars = [DIST / f"pingala-{version()}.jar", DIST / f"pingala-all-{version()}.jar"]
    if not all(jar.exists() for jar in jars):
        return
    for jdk in java.jdks():
        command = [jdk.home / "bin/java", "-cp", os.pathsep.join(map(str, jars)), TOP / "tools/dist/Smoke.java"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
        report.check("run", f"the jars on Java {jdk.version}", done.returncode == 0, lines[0])
