"""Files that version 0.2 wrote, with their results; see golden/0.2/README.md. Those of 0.1 are in vectors/formats."""

import functools
import gzip
import json
import os
import pickle
import re
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import pingala
from golden.write_0_2 import number, run
from jobs import command

GOLDEN = Path(__file__).resolve().parent / "golden/0.2"


def rows(name):
    return json.loads((GOLDEN / name).read_text())


@pytest.fixture
def unsettled(monkeypatch):
    for name in ("PINGALA_PLAN", "PINGALA_KERNEL"):
        monkeypatch.delenv(name, raising=False)


def test_the_folder_is_small():
    assert sum(path.stat().st_size for path in GOLDEN.rglob("*") if path.is_file()) < 300_000


PICKLES = sorted((GOLDEN / "pickles").glob("*.pickle"))
P, Q = 2**127 - 1, 2**89 - 1


@pytest.mark.parametrize("path", PICKLES, ids=lambda path: path.name)
def test_pickles_load(path):
    name = path.name.split(".")[0]
    thing = pickle.loads(path.read_bytes())
    assert type(thing).__name__ == rows("pickles.json")[name]
    if isinstance(thing, pingala.Modulus):
        factors = {"modulus_with_factors": {P: 1, Q: 2}, "modulus_with_a_cap": {P: 1, Q: 1}}.get(name)
        assert thing.pow(3, 10**20) == pow(3, 10**20, thing.value)
        assert thing.pow_list([2, 5], [10**9, 7]) == [pow(2, 10**9, thing.value), pow(5, 7, thing.value)]
        assert thing.__reduce__()[1][1][1] == factors
    if isinstance(thing, pingala.FixedBase):
        base, modulus, bits, memory, uses, lists, threads, secret = thing.__reduce__()[1][1]
        assert thing.pow(2**bits - 1) == pow(base, 2**bits - 1, modulus)
        wanted = {
            "fixed_base": (P - 3, P, 300, 1 << 12, 50, True, 2, False),
            "fixed_base_forced": (6, 2**70 * 35, 64, 1 << 12, 10_000, False, None, False),
            "fixed_base_secret": (5, modulus, 128, 1 << 13, 10_000, False, None, True),
        }[name]
        assert (base, modulus, bits, memory, uses, lists, threads, secret) == wanted
        if secret:
            assert thing.pow_sec(77) == pow(base, 77, modulus)
    if isinstance(thing, pingala.Explanation):
        assert "on portable_r64(n=8" in thing.plan
        assert thing.parts[0].candidates
    if isinstance(thing, pingala.PingalaError):
        assert str(thing)
        assert type(thing).code in thing.code


def test_all_pickles_are_there():
    assert {path.name.split(".")[0] for path in PICKLES} == set(rows("pickles.json"))
    assert len(PICKLES) == 2 * len(rows("pickles.json")) > 40


@pytest.mark.parametrize("map", [False, True])
@pytest.mark.parametrize("row", rows("tables.json"), ids=lambda row: row["name"])
def test_tables_load(row, map):
    modulus, bits = int(row["modulus"], 16), row["bits"]
    table = pingala.FixedBase.load(
        GOLDEN / "tables" / f"{row['name']}.table", base=row["base"], modulus=modulus, map=map
    )
    assert table.exponent_bits == bits
    exponents = [0, 1, 0xDEADBEEF, 2**bits - 1]
    assert (
        [table.pow(e) for e in exponents]
        == table.pow_list(exponents)
        == [pow(row["base"], e, modulus) for e in exponents]
    )
    if row["secret"]:
        assert table.pow_sec_list(exponents) == [pow(row["base"], e, modulus) for e in exponents]
    table.verify()


def test_all_tables_are_there():
    assert {f"{row['name']}.table" for row in rows("tables.json")} == {
        path.name for path in (GOLDEN / "tables").iterdir()
    }


@pytest.mark.parametrize("row", rows("checkpoints.json"), ids=lambda row: row["name"])
def test_checkpoints_go_on(row, tmp_path):
    modulus, x, t = int(row["modulus"], 16), row["x"], row["t"]
    path = tmp_path / "state"
    shutil.copy(GOLDEN / "checkpoints" / f"{row['name']}.checkpoint", path)
    told = []
    result = pingala.repeated_square(x, t, modulus, checkpoint=path, progress=lambda done, total: told.append(done))
    assert result == pow(x, 2**t, modulus)
    assert told[0] > 0
    assert pingala.repeated_square(x, t + 9, modulus, checkpoint=path) == pow(x, 2 ** (t + 9), modulus)


@pytest.mark.parametrize("row", rows("chains.json"), ids=lambda row: row["name"])
def test_chains_load(row):
    fixed = pingala.FixedExponent.load(GOLDEN / "chains" / f"{row['name']}.json")
    assert (hex(fixed.exponent), len(fixed)) == (row["exponent"], row["steps"])
    assert fixed.pow(3, P) == pow(3, fixed.exponent, P)


def test_the_command_reads_chains():
    ran = command("chain", "check", GOLDEN / "chains/searched.json")
    assert ran.returncode == 0, ran.stderr


# Kernels and products of 0.2 that later versions do not have.
GONE = re.compile(r" on ifma_row_kcm_r52|product=separated_comba")


@functools.cache
def is_here(kernel):
    """Whether this CPU has the kernel."""
    try:
        pingala.plan(3, 2**70, 2**300 - 153, kernel=kernel)
    except pingala.PlanError as error:
        return "this CPU" not in str(error)
    return True


@pytest.mark.usefixtures("unsettled")
def test_plan_lines_are_taken_back():
    with gzip.open(GOLDEN / "plans.jsonl.gz", "rt") as file:
        plans = [json.loads(line) for line in file]
    assert len(plans) > 400
    ran = 0
    for row in plans:
        factors = row["factors"] and {int(p, 16): count for p, count in row["factors"].items()}
        modulus = pingala.Modulus(int(row["modulus"], 16), factors)
        base, exponent = number(row["base"]), number(row["exponent"])
        arguments = (row["call"], base, exponent, modulus, row["plan"], row.get("table"))
        # What CHANGELOG says is gone is refused like a kernel that this CPU lacks.
        if GONE.search(row["plan"]) or not all(map(is_here, re.findall(r" on (\w+)", row["plan"]))):
            with pytest.raises(pingala.PlanError):
                run(*arguments)
            continue
        found = run(*arguments)
        assert found == number(row["result"]), row["plan"]
        ran += 1
    assert ran > 100


@pytest.fixture
def laid_out():
    """The jobs, where their plans say that they are."""
    folder = Path(rows("jobs.json")["folder"])
    if not folder.parent.is_dir():
        pytest.skip(f"there is no {folder.parent}")
    if folder.exists() and folder.stat().st_uid != os.getuid():
        pytest.skip(f"{folder} is another user's")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(GOLDEN / "jobs", folder)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.skipif(os.name == "nt", reason="the paths in the plans are those of Linux")
def test_jobs_go_on(laid_out):
    wanted = [(f"row {i}", result) for i, result in enumerate(rows("jobs.json")["results"])]
    kept = {path: path.read_bytes() for path in laid_out.glob("*/part-*")}
    assert len(kept) == 8
    for name, more in [("half", []), ("half_jsonl", ["--format", "jsonl"]), ("finished", ["--format", "csv"])]:
        out = laid_out / name
        ran = command(
            "job", "run", laid_out / "in.csv", "--output", out, "--base", "g", "--exponent", "e", "--modulus", "m",
            "--keep", "id", "--part-rows", 3, "--threads", 1, "--quiet", *more,
        )  # fmt: skip
        assert ran.returncode in (0, 3), ran.stderr
        found = []
        for path in sorted(out.glob("part-*")):
            if path.suffix == ".parquet":
                part = pq.read_table(path).to_pylist()
                found += [(row["id"], row["result"] and hex(int.from_bytes(row["result"], "big"))) for row in part]
            elif path.suffix == ".jsonl":
                part = [json.loads(line) for line in path.read_text().splitlines()]
                found += [(row["id"], row["result"]) for row in part]
            else:
                lines = path.read_text().splitlines()[1:]
                found += [(line.split(",")[0], line.split(",")[1] or None) for line in lines]
        assert found == wanted, name
        assert command("job", "verify", out).returncode == 0
        assert pingala.Job.open(out).status()["finished"] is True
    # What was done is not done again.
    assert all(path.read_bytes() == content for path, content in kept.items())
