"""The Makefiles: a short help, targets that exist and that pages name rightly, and workflows that call .ci/run only."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
FOLDERS = ["lab", "hardening", "papers", "proofs"]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is missing")


def made(*arguments):
    return subprocess.run(["make", "--no-print-directory", *arguments], cwd=TOP, capture_output=True, text=True)


def targets(makefile):
    """Returns the names left of a colon in rules, and those of .PHONY."""
    text = (TOP / makefile).read_text().replace("\\\n", " ")
    rules = re.findall(r"^([a-z][\w -]*):(?!=)", text, re.M) + re.findall(r"^\.PHONY:(.*)", text, re.M)
    return set(re.findall(r"[a-z][\w-]*", " ".join(rules)))


ROOT_TARGETS = targets("Makefile") | targets("tools/common.mk")


def test_the_help_is_short_and_names_targets():
    shown = re.findall(r"^make (\S+)", made("help").stdout, re.M)
    assert 8 <= len(shown) <= 12
    assert set(shown) <= ROOT_TARGETS
    assert made().stdout == made("help").stdout


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_target_of_a_folder_can_be_made_there_and_its_recipes_run_in_the_root(folder):
    for target in targets(f"{folder}/Makefile") - {"bench"}:
        dry = made("-n", "-C", folder, target, "BASE=HEAD")
        assert dry.returncode == 0, dry.stderr
        assert dry.stdout
    assert f"make -C {folder}" in made("-C", folder).stdout


def kinds():
    return re.search(r"^KINDS := (.*)$", (TOP / "lab/Makefile").read_text(), re.M)[1].split()


def test_a_kind_of_benchmark_is_chosen_by_what_and_an_unknown_one_is_refused():
    for kind in kinds():
        assert made("-n", "bench", f"WHAT={kind}").returncode == 0
    refused = made("bench", "WHAT=nonsense")
    assert refused.returncode != 0
    assert "WHAT=nonsense: expected one of calls plans threads workloads" in refused.stderr


def test_options_are_added_to_the_kind_of_benchmark():
    for kind in ("workloads", "secrets", "signatures", "columns"):
        dry = made("-n", "bench", f"WHAT={kind}", "BENCH=--rounds 3")
        assert f"-m peers.workloads {kind} --rounds 3\n" in dry.stdout


def test_parts_of_a_kind_may_follow_options():
    command = [sys.executable, "-m", "peers.workloads", "secrets", "--rounds", "3", "table", "lists"]
    environment = {**os.environ, "PYTHONPATH": str(TOP / "crates/pingala-lab")}
    refused = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "no such part of secrets: lists; expected some of rsa, table" in refused.stderr


def test_mutants_ask_for_a_revision():
    for base in ([], ["BASE=no-such-revision"]):
        refused = made("-C", "hardening", "mutants", *base)
        assert refused.returncode != 0
        assert "expected a revision, as in BASE=main" in refused.stderr


def pages():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=TOP, capture_output=True, text=True).stdout.split()
    return [TOP / name for name in listed if name != "CHANGELOG.md"] or sorted((TOP / "docs").rglob("*.md"))


def test_pages_name_targets_that_exist():
    known = {folder: targets(f"{folder}/Makefile") for folder in FOLDERS}
    known[""] = ROOT_TARGETS
    called = 0
    for page in pages():
        for folder, name in re.findall(r"(?:`|^ {4})make (?:-C (\w+) )?([a-z][\w-]*)", page.read_text(), re.M):
            assert name in known[folder], f"{page.name}: make -C {folder or '.'} {name}"
            called += 1
    assert called > 40


def test_workflows_run_nothing_but_the_steps_of_ci():
    for workflow in (TOP / ".github/workflows").glob("*.yml"):
        runs = re.findall(r"^ *(?:- )?run: *(\S.*)$", workflow.read_text(), re.M)
        assert runs
        assert [line for line in runs if not re.match(r"\.ci/run\b[^&|;]*$", line)] == [], workflow.name
    unknown = subprocess.run([TOP / ".ci/run", "no-such-step"], capture_output=True, text=True)
    assert unknown.returncode == 2


def test_the_parts_of_ci_are_the_checks_and_suites():
    """Each check of `make check` and each suite of `make test` is in one part."""
    text = (TOP / "Makefile").read_text().replace("\\\n", " ")
    variable = {name: re.search(rf"^{name}\s*:= (.*)$", text, re.M)[1].split() for name in ("CHECKS", "RUST", "SUITES")}
    suites = [suite for name in variable["SUITES"] for suite in (variable["RUST"] if name == "$(RUST)" else [name])]
    wanted = [f"check-{name}" for name in variable["CHECKS"]] + [f"test-{name}" for name in suites]
    parts = re.findall(r'^ +[\w-]+\) .*targets="([^"]*)"', (TOP / ".ci/run").read_text(), re.M)
    assert sorted(" ".join(parts).split()) == sorted(wanted)
