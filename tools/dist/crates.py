"""The crates: checked for every platform, packed as crates.io takes them."""

import json
import subprocess

from .linkers import FLAGS
from .run import TARGET, Report, environment, output

#: The metadata that a crate needs in addition to its licence.
NEEDED = ("description", "repository", "readme", "keywords", "categories", "authors", "rust_version")


def checked(triples: list[str], report: Report) -> None:
    """`cargo check` of everything that is handed out, on every platform; a warning is an error."""
    for triple in triples:
        command = ["cargo-zigbuild", "check", "--locked", "--quiet", "--workspace", "--exclude", "pingala-lab"]
        command += ["--target", triple]
        more = {"RUSTFLAGS": f"{FLAGS} -D warnings", "PYO3_CROSS_PYTHON_VERSION": "3.13"}
        report.attempt("check", f"cargo check -D warnings, {triple}", command, more)


def published() -> list[str]:
    """The crates that may be published. Error: metadata is missing."""
    metadata = json.loads(output(["cargo", "metadata", "--format-version", "1", "--locked", "--no-deps"]))
    crates = [crate for crate in metadata["packages"] if crate["publish"] is None]
    for crate in crates:
        missing = [name for name in NEEDED if not crate[name]]
        if missing:
            raise ValueError(f"{crate['name']}: no {', '.join(missing)}")
    return [crate["name"] for crate in crates]


def packed(report: Report, verify: bool = True) -> None:
    """`cargo package` of all crates, each compiled from its package. Error: a warning of cargo."""
    try:
        names = published()
    except ValueError as error:
        report.check("crates", "metadata", False, str(error))
        return
    report.add("crates", ", ".join(names), "metadata whole")
    chosen = [word for name in names for word in ("--package", name)]
    command = ["cargo", "package", "--locked", *([] if verify else ["--no-verify"]), *chosen]
    print("+", *command, flush=True)
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning")]
    print(*warnings, sep="\n")
    if done.returncode != 0:
        print(done.stderr[-3000:])
    right = done.returncode == 0 and not warnings
    files = sorted((TARGET / "package").glob("*.crate"))
    report.check("crates", "cargo package", right, f"{len(files)} packages, {len(warnings)} warnings")
