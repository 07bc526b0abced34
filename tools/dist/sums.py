"""What accompanies the files: a bill of materials for each product, the notices, the sums."""

import hashlib
import json
import shutil
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from licences import linked

from .run import DIST, TOP, Report, output
from .wheels import version

#: What is handed out, by the crate that it is made of.
PRODUCTS = {"pingala-python": "package", "pingala-cli": "command", "pingala-c": "c", "pingala-js": "js"}


def _component(crate: dict[str, Any], kind: str) -> dict[str, Any]:
    reference = f"pkg:cargo/{crate['name']}@{crate['version']}"
    component = {
        "type": kind,
        "bom-ref": reference,
        "name": crate["name"],
        "version": crate["version"],
        "purl": reference,
        # Some crates still write MIT/Apache-2.0.
        "licenses": [{"expression": crate["license"].replace("/", " OR ")}],
    }
    if crate["repository"]:
        component["externalReferences"] = [{"type": "vcs", "url": crate["repository"]}]
    return component


def bill(metadata: dict[str, Any], root: str) -> dict[str, Any]:
    """A CycloneDX bill of one product: every crate that is linked on any platform."""
    packages = {package["id"]: package for package in metadata["packages"]}
    depends = linked(metadata, [root])

    def reference(crate: str) -> str:
        return f"pkg:cargo/{packages[crate]['name']}@{packages[crate]['version']}"

    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, reference(root))}",
        "version": 1,
        "metadata": {"component": _component(packages[root], "application")},
        "components": [_component(packages[crate], "library") for crate in sorted(depends) if crate != root],
        "dependencies": [
            {"ref": reference(crate), "dependsOn": sorted({reference(other) for other in depends[crate]})}
            for crate in sorted(depends)
        ],
    }


def bills(report: Report) -> None:
    """Error in the report: a bill that CycloneDX's schema refuses."""
    metadata = json.loads(output(["cargo", "metadata", "--format-version", "1", "--locked"]))
    roots = {package["name"]: package["id"] for package in metadata["packages"]}
    for crate, product in PRODUCTS.items():
        text = json.dumps(bill(metadata, roots[crate]), indent=1)
        refused = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
        path = DIST / f"pingala-{product}-{version()}.cdx.json"
        path.write_text(text + "\n", encoding="utf-8")
        count = len(json.loads(text)["components"])
        report.check(
            "bill of materials", path.name, refused is None, f"{count} crates, {refused or 'valid CycloneDX 1.6'}"
        )


def notices(report: Report) -> None:
    with report.guarded("notices", "THIRD-PARTY-NOTICES.txt"):
        output(["python", "tools/licences.py"])
        shutil.copy(TOP / "THIRD-PARTY-NOTICES.txt", DIST)
        report.add("notices", "THIRD-PARTY-NOTICES.txt", "is that of Cargo.lock; every licence permissive")


def sums(report: Report) -> None:
    """SHA256SUMS, as `sha256sum --check` reads it."""
    files = sorted(path for path in DIST.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="ascii")
    report.add("sums", "SHA256SUMS", f"{len(files)} files")
