"""Writes the folder 0.2 with the pingala that is installed, which must be the one whose files it keeps; run by hand.

python python/tests/golden/write_0_2.py, with the command `pingala` beside the interpreter. The README of that folder
says which commit wrote what is there.
"""

import gzip
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pingala
from drawing import drawn

HERE = Path(__file__).resolve().parent / "0.2"
#: A plan of a job names its inputs by absolute paths. So the files of jobs are laid out in this folder, here and by the
#: test.
JOBS = Path("/dev/shm/pingala-golden-0.2")
COMMAND = Path(sys.executable).parent / "pingala"
P, Q = 2**127 - 1, 2**89 - 1
N = drawn("modulus", 512) | 1
KERNELS = [
    None, "portable_r64", "mulx_r64", "ifma_row_r52", "ifma_lanes_r52", "fma_lanes_r51",
    "portable_lanes_r64",
]  # fmt: skip


def number(value):
    """Numbers from the texts that JSON has."""
    if isinstance(value, list):
        return [number(item) for item in value]
    return int(value, 16) if isinstance(value, str) else value


def write_json(name, value):
    (HERE / name).write_text(json.dumps(value, indent=1) + "\n")


def write_pickles():
    secret_table = pingala.FixedBase(5, N, 128, 1 << 13, secret=True)
    try:
        pingala.powmod_list([2, 3], -1, [9, 9])
        raise AssertionError
    except pingala.NotInvertibleError as error:
        not_invertible = error
    not_an_integer = pingala.powmod_list([2, "3"], 5, 7, errors="return")[1]
    things = {
        "modulus": pingala.Modulus(N),
        "modulus_with_factors": pingala.Modulus(P * Q**2, {P: 1, Q: 2}),
        "modulus_with_a_cap": pingala.Modulus(P * Q, {P: 1, Q: 1}, 2**12),
        "modulus_even": pingala.Modulus(N << 70),
        "fixed_base": pingala.FixedBase(-3, P, 300, 1 << 12, uses=50, lists=True, threads=2),
        "fixed_base_forced": pingala.FixedBase(6, 2**70 * 35, 64, 1 << 12, plan="comb(h=4, v=1)"),
        "fixed_base_secret": secret_table,
        "not_invertible_error": not_invertible,
        "element_type_error": not_an_integer,
        "explanation": pingala.explain(3, 17, N, kernel="portable_r64"),
        "progress": pingala.Progress("powers"),
    }
    for error in vars(pingala).values():
        if isinstance(error, type) and issubclass(error, pingala.PingalaError):
            things[f"raised_{error.code}_{error.__name__}"] = error("a sentence")
    (HERE / "pickles").mkdir()
    written, not_written = {}, {}
    for name, thing in things.items():
        for protocol in (2, 5):
            try:
                pickled = pickle.dumps(thing, protocol)
            except TypeError as error:
                not_written[name] = str(error)
                continue
            (HERE / "pickles" / f"{name}.{protocol}.pickle").write_bytes(pickled)
            written[name] = type(thing).__name__
    write_json("pickles.json", written)
    print("not pickled:", not_written)


def write_tables():
    (HERE / "tables").mkdir()
    rows = []
    made = {
        "odd": (3, N, 128, {}),
        "even": (3, N << 3, 128, {}),
        "power_of_two": (5, 1 << 200, 96, {}),
        "word": (7, 2**61 - 1, 64, {}),
        "secret": (5, N, 128, {"secret": True}),
        "secret_portable": (5, P, 96, {"secret": True, "kernel": "portable_r64"}),
    }
    for kernel in ("portable_r64", "mulx_r64", "ifma_row_r52"):
        for plan in ("comb", "windowing", "euclidean", "bit_powers"):
            made[f"{plan}_{kernel}"] = (3, P * Q, 128, {"kernel": kernel, "plan": plan})
    for name, (base, modulus, bits, keywords) in made.items():
        try:
            table = pingala.FixedBase(base, modulus, bits, 1 << 12, **keywords)
        except (pingala.PlanError, pingala.ArgumentError) as error:
            print("no table", name, error)
            continue
        table.save(HERE / "tables" / f"{name}.table")
        rows.append({"name": name, "base": base, "modulus": hex(modulus), "bits": bits, "plan": table.plan,
                     "secret": keywords.get("secret", False)})  # fmt: skip
    write_json("tables.json", rows)


class StopError(Exception):
    pass


def write_checkpoints():
    (HERE / "checkpoints").mkdir()
    rows = []
    for name, modulus, x, t, stops in [
        ("begun", N, 3, 400_000, True),
        ("ended", N, 3, 1000, False),
        ("even_begun", N << 9, -7, 400_000, True),
        ("word_ended", 2**61 - 1, 5, 10_000, False),
        ("negative_ended", -(2**61 - 1), 5, 10_000, False),
    ]:
        path = HERE / "checkpoints" / f"{name}.checkpoint"

        def progress(done, total, stops=stops):
            if stops and done:
                raise StopError

        try:
            pingala.repeated_square(x, t, modulus, checkpoint=path, progress=progress)
            assert not stops
        except StopError:
            pass
        rows.append({"name": name, "modulus": hex(modulus), "x": x, "t": t})
    write_json("checkpoints.json", rows)


def write_chains():
    (HERE / "chains").mkdir()
    rows = []
    for name, expression in [("inverse25519", "2^255-21"), ("small", 283), ("sqrt", "(2^127-1+1)/4"), ("one", 1)]:
        fixed = pingala.FixedExponent(expression, moves=20_000)
        fixed.save(HERE / "chains" / f"{name}.json")
        rows.append({"name": name, "exponent": hex(fixed.exponent), "steps": len(fixed)})
    found = subprocess.run(
        [COMMAND, "chain", "search", "2^89-3", "--steps", "20000", "--output", HERE / "chains" / "searched.json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    print(found.stdout)
    fixed = pingala.FixedExponent.load(HERE / "chains" / "searched.json")
    rows.append({"name": "searched", "exponent": hex(fixed.exponent), "steps": len(fixed)})
    write_json("chains.json", rows)


def run(call, base, exponent, modulus, plan, table):
    """The call of a row of plans.jsonl.gz, with its plan."""
    if call == "pow":
        return modulus.pow(base, exponent, plan=plan)
    if call == "base_list":
        return pingala.powmod_base_list(base, exponent, modulus, plan=plan)
    if call == "exp_list":
        return pingala.powmod_exp_list(base, exponent, modulus, plan=plan)
    if call == "product":
        return pingala.powmod_product(base, exponent, modulus, plan=plan)
    if call == "square":
        return pingala.repeated_square(base, exponent, modulus, plan=plan)
    bits = 130
    if call == "fixed_base":
        return pingala.FixedBase(base, modulus, bits, 1 << 13, plan=plan).pow(exponent)
    assert call == "fixed_base_list"
    return pingala.FixedBase(base, modulus, bits, 1 << 13, plan=table).pow_list(exponent, plan=plan)


def write_plans():
    rows = []

    def add(call, plan, result, **arguments):
        row = {"call": call, **arguments, "plan": plan, "result": result}
        factors = arguments["factors"] and {int(p, 16): count for p, count in arguments["factors"].items()}
        kept = pingala.Modulus(int(arguments["modulus"], 16), factors)
        try:
            found = run(
                call, number(arguments["base"]), number(arguments["exponent"]), kept, plan, arguments.get("table")
            )
        except pingala.PlanError as error:
            print("not taken back", call, plan, error)
            return
        assert found == number(result)
        if row not in rows:
            rows.append(row)

    def text(value):
        return [text(item) for item in value] if isinstance(value, list) else hex(value)

    moduli = {
        "word": (2**61 - 1, None), "two words": (P, None), "odd": (N, None),
        "odd 2048": (drawn("long", 2048) | 1, None), "even": (N << 70, None),
        "power of two": (1 << 300, None), "factors": (P * Q**2, {P: 1, Q: 2}),
        "even factors": (P * Q * 2**80, {P: 1, Q: 1, 2: 80}), "one factor": (P, {P: 1}),
    }  # fmt: skip
    for modulus, factors in moduli.values():
        kept = pingala.Modulus(modulus, factors)
        named = {
            "modulus": hex(modulus),
            "factors": None if factors is None else {hex(p): n for p, n in factors.items()},
        }
        base, exponent = drawn("base", modulus.bit_length()), drawn("exponent", 130)
        bases = [drawn(f"base {i}", modulus.bit_length() - 1) for i in range(9)]
        exponents = [drawn(f"exponent {i}", 70 + i) for i in range(9)]
        for kernel in KERNELS:
            for e in (exponent, 65537, 3, 2**20):
                try:
                    line = kept.plan(base, e, kernel=kernel)
                except pingala.PlanError:
                    continue
                add("pow", line, text(pow(base, e, modulus)), base=hex(base), exponent=hex(e), **named)
            for call, explain, arguments, wanted in [
                ("base_list", pingala.explain_base_list, (bases, exponent), [pow(b, exponent, modulus) for b in bases]),
                ("exp_list", pingala.explain_exp_list, (base, exponents), [pow(base, e, modulus) for e in exponents]),
                ("product", pingala.explain_product, (bases, exponents), None),
                ("square", pingala.explain_repeated_square, (60,), pow(base, 2**60, modulus)),
            ]:
                try:
                    line = explain(*arguments, kept, kernel=kernel).plan
                except pingala.PlanError:
                    continue
                if call == "product":
                    wanted = 1
                    for b, e in zip(bases, exponents, strict=True):
                        wanted = wanted * pow(b, e, modulus) % modulus
                bases_of, exponents_of = {
                    "base_list": (bases, exponent), "exp_list": (base, exponents), "product": (bases, exponents),
                    "square": (base, 60),
                }[call]  # fmt: skip
                add(call, line, text(wanted), base=text(bases_of), exponent=text(exponents_of), **named)
            try:
                table = pingala.FixedBase(base, kept, 130, 1 << 13, kernel=kernel)
            except (pingala.PlanError, pingala.ArgumentError):
                continue
            add(
                "fixed_base",
                table.plan,
                text(pow(base, exponent, modulus)),
                base=hex(base),
                exponent=hex(exponent),
                **named,
            )
            add("fixed_base_list", table.plan_list(9), text([pow(base, e, modulus) for e in exponents]), base=hex(base),
                exponent=text(exponents), table=table.plan, **named)  # fmt: skip
    with gzip.GzipFile(HERE / "plans.jsonl.gz", "wb", mtime=0) as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows).encode())
    print(len(rows), "plans")


def write_jobs():
    disk = Path(tempfile.mkdtemp()) / "disk.so"
    source = HERE.parents[1] / "disk.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", disk, source, "-ldl"], check=True)
    shutil.rmtree(JOBS, ignore_errors=True)
    JOBS.mkdir()
    rows, lines = [], ["id,g,e,m"]
    for i in range(12):
        base, exponent, modulus = drawn(f"g{i}", 120), drawn(f"e{i}", 40), drawn(f"m{i}", 128) | 1
        modulus = 0 if i == 5 else modulus
        lines.append(f"row {i},{base},{exponent},{hex(modulus)}")
        rows.append(hex(pow(base, exponent, modulus)) if modulus else None)
    (JOBS / "in.csv").write_text("\n".join(lines) + "\n")

    def run(out, *more, **env):
        return subprocess.run(
            [COMMAND, "job", "run", JOBS / "in.csv", "--output", JOBS / out, "--base", "g", "--exponent", "e",
             "--modulus", "m", "--keep", "id", "--part-rows", "3", "--threads", "1", "--quiet", *more],
            env={**os.environ, **env}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert run("finished", "--format", "csv").returncode in (0, 3)
    for name, more in [("half", []), ("half_jsonl", ["--format", "jsonl"])]:
        # Killed at the step of disk.c that leaves two of the four parts: which one that is varies from run to run.
        for step in range(20, 200):
            shutil.rmtree(JOBS / name, ignore_errors=True)
            killed = run(name, *more, LD_PRELOAD=str(disk), DISK_FOLDER=str(JOBS / name), DISK_KILL_AT=str(step))
            if killed.returncode == -9 and len(list((JOBS / name).glob("part-*"))) == 2:
                break
        else:
            raise AssertionError
    shutil.copytree(JOBS, HERE / "jobs")
    write_json("jobs.json", {"folder": str(JOBS), "results": rows})
    shutil.rmtree(JOBS)


def main():
    for path in HERE.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "README.md":
            path.unlink()
    write_pickles()
    write_tables()
    write_checkpoints()
    write_chains()
    write_plans()
    write_jobs()


if __name__ == "__main__":
    main()
