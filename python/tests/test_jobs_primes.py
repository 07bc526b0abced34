"""Jobs that test columns for primality: every kind of column and format, errors and nulls, kills and resumption."""

import gzip
import itertools
import json
import os
import random
import signal
import subprocess
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pingala
from jobs import SCRIPT, command, leftovers, parts
from waiting import wait_until

RNG = random.Random(43)
NUMBERS = [
    *range(50),
    2**64 - 59,
    2**64 + 13,
    2**127 - 1,
    2**67 - 1,
    3215031751,
    3825123056546413051,
    *(pingala.next_prime(RNG.getrandbits(200)) for _ in range(20)),
    *(RNG.getrandbits(bits) for bits in (30, 64, 65, 200, 256) for _ in range(30)),
]
ANSWERS = [bool(answer) for answer in pingala.is_prime_list(NUMBERS)]
WIDTH = 32


def results(out):
    return [value for path in parts(out) for value in pq.read_table(path)["result"].to_pylist()]


def columns():
    wide = [number.to_bytes(WIDTH, "big") for number in NUMBERS]
    words = [number % 2**64 for number in NUMBERS]
    yield "fixed", pa.array(wide, pa.binary(WIDTH)), ANSWERS
    yield "variable", pa.array([bytes(row).lstrip(b"\0") for row in wide], pa.binary()), ANSWERS
    yield "text", pa.array([str(number) if at % 2 else hex(number) for at, number in enumerate(NUMBERS)]), ANSWERS
    yield "words", pa.array(words, pa.uint64()), [bool(one) for one in pingala.is_prime_list(words)]
    signed = [-number if at % 5 == 0 else number for at, number in enumerate(word % 2**63 for word in words)]
    yield "signed", pa.array(signed, pa.int64()), [bool(one) for one in pingala.is_prime_list(signed)]


# What bytes of fixed width need to have said, and others may.
BINARY = "big"


@pytest.mark.parametrize(("column", "wanted"), [pytest.param(*rest, id=name) for name, *rest in columns()])
def test_every_kind_of_column(tmp_path, column, wanted):
    source, out = tmp_path / "in.parquet", tmp_path / "out"
    gaps = pa.array([at % 7 == 3 for at in range(len(column))])
    values = pa.compute.if_else(gaps, pa.scalar(None, column.type), column)
    pq.write_table(pa.table({"n": values, "id": list(range(len(values)))}), source, row_group_size=64)
    job = pingala.Job.plan(
        source, out, base="n", workload="is_prime", rounds=2, keep=["id"], part_rows=64, binary=BINARY
    )
    summary = job.run(threads=2)
    assert (summary["rows"], summary["errors"]) == (len(NUMBERS), 0)
    assert results(out) == [None if at % 7 == 3 else answer for at, answer in enumerate(wanted)]
    table = pq.read_table(parts(out)[0])
    assert table.schema.field("result").type == pa.bool_()
    assert table.column_names == ["id", "result", "error"]
    assert job.verify() == len(NUMBERS)


def texts(folder):
    lines = [str(number) for number in NUMBERS]
    lines[3], lines[5], lines[7] = "", "8x", "-7"
    plain = "n,id\n" + "".join(f"{line},{at}\n" for at, line in enumerate(lines))
    (folder / "in.csv").write_text(plain)
    (folder / "in.csv.gz").write_bytes(gzip.compress(plain.encode()))
    rows = ({"n": int(line) if line.isdigit() else line or None, "id": at} for at, line in enumerate(lines))
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ("in.csv", "in.csv.gz", "in.jsonl")


def expected(at, answer):
    """The result and the code of a row of `texts`."""
    return {3: (None, None), 5: (None, "not_a_number"), 7: (False, None)}.get(at, (answer, None))


def test_text_in_and_out(tmp_path):
    for name in texts(tmp_path):
        for form in ("csv", "jsonl", "parquet"):
            out = tmp_path / f"{name}-{form}"
            given = (
                "--is-prime",
                "n",
                "--keep",
                "id",
                "--output",
                out,
                "--format",
                form,
                "--part-rows",
                100,
                "--quiet",
            )
            ran = command("job", "run", tmp_path / name, *given)
            assert ran.returncode == 3, ran.stderr
            found = []
            for path in sorted(out.glob(f"part-*.{form}")):
                if form == "parquet":
                    found += zip(
                        *(pq.read_table(path)[column].to_pylist() for column in ("result", "error")), strict=True
                    )
                elif form == "jsonl":
                    found += [(row["result"], row["error"]) for row in map(json.loads, path.read_text().splitlines())]
                else:
                    truths = {"": None, "true": True, "false": False}
                    rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
                    found += [(truths[result], error or None) for _, result, error in rows]
            assert found == [expected(at, answer) for at, answer in enumerate(ANSWERS)], (name, form)
            assert command("job", "verify", out).returncode == 0
    ran = command(
        "job", "run", tmp_path / "in.csv", "--is-prime", "n", "--errors", "fail", "--output", tmp_path / "fail"
    )
    assert ran.returncode == 1
    assert "line 7" in ran.stderr


def test_what_is_refused(tmp_path):
    texts(tmp_path)
    for arguments in (
        ("--base", "n", "--is-prime", "n"),
        ("--is-prime", "n", "--inverse"),
        ("--base", "n", "--inverse", "--modulus", "7", "--rounds", "2"),
        ("--is-prime", "n", "--rounds", "1001"),
        ("--is-prime", "m"),
    ):
        assert command("job", "run", tmp_path / "in.csv", "--output", tmp_path / "out", *arguments).returncode in (1, 2)
    for keywords in (
        {"workload": "power", "rounds": 2, "exponent": 3, "modulus": 7},
        {"workload": "is_prime", "modulus": 7},
    ):
        with pytest.raises(pingala.ArgumentError):
            pingala.Job.plan(tmp_path / "in.csv", tmp_path / "out", base="n", **keywords)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_killed_and_resumed(tmp_path):
    kills = int(os.environ.get("PINGALA_KILLS", "6"))
    source = tmp_path / "in.parquet"
    numbers = [RNG.getrandbits(1024) | 1 for _ in range(6000)]
    column = pa.array([number.to_bytes(128, "big") for number in numbers], pa.binary(128))
    pq.write_table(pa.table({"n": column}), source, row_group_size=300)
    wanted = [bool(answer) for answer in pingala.is_prime_list(numbers)]
    moments, killed = random.Random(7), 0
    for number in itertools.count():
        # However early a run is killed or late: one of them is killed at work.
        if number >= kills and killed > 0:
            break
        out = tmp_path / f"out-{number}"
        run = [SCRIPT, "job", "run", source, "--is-prime", "n", "--output", out, "--part-rows", "300", "--quiet"]
        run += ["--binary", "big"]
        for _ in range(3):
            with subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as started:
                # At once, or when it has begun, or later.
                if moments.random() < 0.8:
                    wait_until(lambda out=out, started=started: out.exists() or started.poll() is not None)
                    time.sleep(moments.choice((0, moments.uniform(0, 0.3))))
                started.send_signal(signal.SIGKILL)
            killed += started.returncode == -signal.SIGKILL
            for path in parts(out):
                assert pq.read_table(path).num_rows == 300, path
        ran = command(*run[1:])
        assert ran.returncode == 0, ran.stderr
        assert results(out) == wanted
        assert not leftovers(out)
        assert json.loads((out / "_manifest.json").read_text())["body"]["rows"] == len(numbers)


def test_rows_of_a_stream(tmp_path):
    """`pingala prime test --field`: CSV, JSON Lines, packed text, Parquet, a pipe."""
    names = texts(tmp_path)
    pq.write_table(
        pa.table(
            {"n": pa.array([None if at == 3 else str(n) for at, n in enumerate(NUMBERS)]), "id": range(len(NUMBERS))}
        ),
        tmp_path / "in.parquet",
    )
    for name in (*names, "in.parquet", "-"):
        path = tmp_path / name if name != "-" else "-"
        given = (tmp_path / "in.csv").read_text() if name == "-" else None
        ran = command("prime", "test", "--file", path, "--field", "n", "--rounds", 3, input=given)
        rows = [json.loads(line) for line in ran.stdout.splitlines()]
        assert ran.returncode == 4, ran.stderr
        assert [int(row["id"]) for row in rows] == list(range(len(NUMBERS)))
        for at, (row, answer) in enumerate(zip(rows, ANSWERS, strict=True)):
            if at == 3 or (at == 5 and name != "in.parquet"):
                # A null of JSON is there, and no number.
                missing = "not_a_number" if name == "in.jsonl" else "bad_row"
                assert row["error"]["code"] == {3: missing, 5: "not_a_number"}[at]
            elif at != 7:
                number = pingala.is_prime(NUMBERS[at], 3)
                assert (row["prime"], row["proved"]) == (answer, number.proved), row
                assert row["error_bound"] == number.error_bound
                assert row["random_error_bound"] == number.random_error_bound
        assert "error" in ran.stderr
    primes = "number\n7\n11\n0x0d\n"
    ran = command("prime", "test", "--file", "-", "--field", "number", input=primes)
    assert (ran.returncode, len(ran.stdout.splitlines())) == (0, 3)
    ran = command("prime", "test", "--file", "-", "--field", "number", "--hex-input", "-q", input="number\nfb\nxx\n")
    assert (ran.returncode, ran.stderr) == (3, "")
    assert [json.loads(line).get("prime") for line in ran.stdout.splitlines()] == [True, None]
    assert command("prime", "test", "--file", "-", "--field", "m", input=primes).returncode == 3
    csv = ("--format", "csv")
    assert command("prime", "test", "--file", "-", "--field", "m", *csv, input=primes).returncode == 1
    assert command("prime", "test", "7", "--field", "m").returncode == 2
