"""Jobs: what comes out, whatever goes in; what is refused; what one run leaves to the next."""

import bz2
import gzip
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import jobs
import pingala
from drawing import drawn
from jobs import arguments, command, leftovers, rows, write
from waiting import wait_until


def planned(source, out, **settings):
    usual = {"base": "base", "exponent": 65537, "modulus": "modulus", "keep": ["id"], "binary": "big"}
    settings = usual | settings
    return pingala.Job.plan(source, out, **settings)


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "lz4", "zstd"])
@pytest.mark.parametrize("part_rows", [None, 1, 37, 250, 10_000])
def test_parquet_to_parquet(source, out, compression, part_rows):
    wanted = write(source, 300, 100, compression=compression)
    job = planned(source, out, part_rows=part_rows)
    summary = job.run()
    assert (summary["rows"], summary["errors"], summary["computed_parts"]) == (300, 0, job.parts)
    assert rows(out) == wanted
    assert pq.read_schema(jobs.parts(out)[0]).field("result").type == pa.binary(32)
    assert job.status()["finished"]
    assert job.verify(rows=50) >= 50
    # All is there: nothing is written again.
    before = {path: path.stat().st_mtime_ns for path in out.iterdir() if path.name != "_lock"}
    assert planned(source, out, part_rows=part_rows).run()["computed_parts"] == 0
    assert {path: path.stat().st_mtime_ns for path in out.iterdir() if path.name != "_lock"} == before


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [False, True])
def test_every_type_of_numbers(tmp_path, out, version, dictionary):
    bases, moduli = [0, 1, 5, 2**31 - 1, None, 77], [1, 2, 9, 2**31 - 3, 5, 2**20]
    kinds = {
        "int32": pa.int32(), "uint32": pa.uint32(), "int64": pa.int64(), "uint64": pa.uint64(),
        "string": pa.string(), "large_string": pa.large_string(), "binary": pa.binary(), "fixed": pa.binary(8),
        "decimal": pa.decimal128(20, 0),
    }  # fmt: skip

    def column(values, kind):
        type_ = kinds[kind]
        if pa.types.is_integer(type_) or pa.types.is_decimal(type_):
            return pa.array(values, type_)
        if "string" in kind:
            return pa.array(
                [None if value is None else [str, hex][i % 2](value) for i, value in enumerate(values)], type_
            )
        return pa.array([None if value is None else value.to_bytes(8, "big") for value in values], type_)

    for kind in kinds:
        path = tmp_path / f"{kind}.parquet"
        data_page = {"data_page_version": version, "use_dictionary": dictionary}
        pq.write_table(pa.table({"b": column(bases, kind), "m": column(moduli, kind)}), path, **data_page)
        job = pingala.Job.plan(path, out / kind, base="b", exponent=3, modulus="m", keep=["b"], binary="big")
        job.run(threads=1)
        found = pq.read_table(out / kind)
        results = found["result"].to_pylist()
        if results[0] is not None and not isinstance(results[0], int):
            results = [None if value is None else int.from_bytes(value, "big") for value in results]
        assert results == [None if base is None else pow(base, 3, m) for base, m in zip(bases, moduli, strict=True)], (
            kind
        )
        assert found["error"].to_pylist() == [None] * 6
        assert found["b"].to_pylist() == column(bases, kind).to_pylist()
        assert job.verify() == 6


def test_negative_numbers_bad_rows_and_nulls(source, out):
    table = pa.table({"b": ["-3", "2", "x", None, "7", "4", "9"], "e": pa.array([3, -1, 5, 6, -2, -1, 2], pa.int64()),
                      "m": ["10", "9", "7", "7", "-5", "8", "0"]})  # fmt: skip
    pq.write_table(table, source)
    ran = command(
        "job", "run", source, "--output", out, "--base", "b", "--exponent", "e", "--modulus", "m", "--keep", "b,m"
    )
    assert ran.returncode == 3, ran.stderr
    found = pq.read_table(out)
    results = [None if value is None else int.from_bytes(value, "big") for value in found["result"].to_pylist()]
    assert results == [3, 5, None, None, None, None, None]
    codes = [None, None, "not_a_number", None, "negative_modulus", "not_invertible", "zero_modulus"]
    assert found["error"].to_pylist() == codes
    job = pingala.Job.open(out)
    for summary in (job.run(), job.status()):
        assert summary["errors"] == sum(summary["codes"].values()) == 4
        assert summary["codes"]["zero_modulus"] == 1
        assert summary["first_error"].startswith(f"row 2 of {source}: base: '")
        assert "' is not a number: " in summary["first_error"]
    failed = command(
        "job", "run", source, "-o", f"{out}2", "--base", "b", "--exponent", "e", "--modulus", "m", "--errors", "fail"
    )
    assert failed.returncode == 1
    assert "row 2 of" in failed.stderr
    assert not jobs.parts(f"{out}2")


def test_the_command_reads_parquet(tmp_path):
    data = Path(__file__).resolve().parents[2] / "crates/pingala-verify/tests/data"
    signature, key = (data / "rsa.sig").read_bytes(), (data / "rsa.pem").read_text()
    source = tmp_path / "rows.parquet"
    binary = pa.array([signature, signature, None], pa.binary())
    message = pa.array([b"Pingala\n", b"\xff", b""], pa.binary())
    table = {"signature": binary, "message": message, "key": [key] * 3, "expected": [True, False, None]}
    pq.write_table(pa.table(table), source)
    ran = command("verify", source, "--output", "-", "--scheme", "rsa-pkcs1")
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert rows[0] == {"id": 0, "valid": True, "weaknesses": [], "match": True}
    assert rows[1] == {"id": 1, "valid": False, "reason": "mismatch", "weaknesses": [], "match": True}
    assert rows[2]["error"] == {"code": "bad_row", "message": "a row has signature, or r and s, or s", "row": 2}
    assert (ran.returncode, "first error: row 2: a row has signature" in ran.stderr) == (3, True)
    # Integers, decimals and bytes; hexadecimal is a matter of text.
    numbers = {"base": pa.array([2, -10], pa.int64()), "exponent": pa.array([b"\x01\x00", b"\x02"], pa.binary())}
    pq.write_table(pa.table({**numbers, "modulus": ["3e8", "0x3e8"]}), source)
    ran = command("batch", source, "--output", "-", "--hex-input", "--decimal", "--binary", "bytes")
    results = [json.loads(line)["result"] for line in ran.stdout.splitlines()]
    assert results == [str(pow(2, 256, 1000)), "100"]
    pq.write_table(pa.table({**numbers, "modulus": [7.0, 9.0]}), source)
    ran = command("batch", source, "--output", "-")
    assert (ran.returncode, "column modulus holds floats" in ran.stderr) == (1, True)


def test_kept_text_is_never_changed(source, out):
    note = pa.array([b"good", b"\xff"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"b": [2, 3], "note": note}), source)
    numbers = ["--base", "b", "--exponent", "3", "--modulus", "7", "--keep", "note"]
    ran = command("job", "run", source, "-o", out, "--format", "csv", *numbers)
    assert (ran.returncode, "column note has text that is not UTF-8" in ran.stderr) == (1, True), ran.stderr
    assert command("job", "run", source, "-o", f"{out}2", *numbers).returncode == 0


def test_a_bad_row_of_text_is_named_by_its_line(tmp_path, out):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text('b,e,note\n3,5,"two\nlines"\n\n4,5,\n')
    for bad, line, why in [("x,5,", 4, "not_a_number"), ("9,5", 4, "the row has 2 fields"), ("9,x,", 4, "exponent")]:
        second.write_text(f'b,e,note\n"7",5,"a\nb"\n{bad}\n')
        arguments = ["--base", "b", "--exponent", "e", "--modulus", "value:7", "--errors", "fail"]
        ran = command("job", "run", first, second, "-o", f"{out}{why}", *arguments)
        assert ran.returncode == 1
        assert f"line {line} of {second}: " in ran.stderr, ran.stderr
    lines = tmp_path / "c.jsonl"
    lines.write_text('{"b": 3}\n\n{"b": 4}\n{bad\n')
    arguments[3] = "9"
    ran = command("job", "run", lines, "-o", f"{out}j", *arguments)
    assert f"line 4 of {lines}: not a JSON object" in ran.stderr, ran.stderr


def test_kept_columns_keep_their_types(source, out):
    count = 70
    kept = {
        "list": pa.array([[i] * (i % 4) if i % 5 else None for i in range(count)], pa.list_(pa.int16())),
        "struct": pa.array([{"x": i, "y": str(i)} if i % 3 else None for i in range(count)]),
        "time": pa.array(range(count), pa.timestamp("us", tz="UTC")),
        "flag": pa.array([[True, False, None][i % 3] for i in range(count)]),
        "text": pa.array([None if i % 7 == 0 else "x" * i for i in range(count)]),
        "float": pa.array([i / 3 for i in range(count)], pa.float32()),
        "category": pa.array([["a", "b"][i % 2] for i in range(count)]).dictionary_encode(),
    }
    table = pa.table({**kept, **dict(zip(["id", "base", "modulus"], jobs.table(count).columns, strict=True))})
    pq.write_table(table, source, row_group_size=30)
    planned(source, out, keep=list(kept), part_rows=13).run()
    found = pq.read_table(out)
    for name, column in kept.items():
        assert found[name].to_pylist() == column.to_pylist(), name
    assert pq.read_schema(source).field("time").type == found.schema.field("time").type


def test_columns_values_and_workloads(source, out):
    wanted = write(source, 40, 16)
    ids, bases, moduli = jobs.numbers(40)
    modulus = 2**521 - 1

    def results(name, **settings):
        job = pingala.Job.plan(source, out / name, keep=["id"], binary="big", **settings)
        job.run()
        assert job.verify() == 40, name
        return [value for _, value in rows(out / name)]

    def ints(**settings):
        return results("-".join(settings), **settings)

    assert [
        (i, value) for i, value in zip(ids, ints(base="base", exponent="65537", modulus="modulus"), strict=True)
    ] == wanted
    assert results("one_modulus", base="base", exponent=3, modulus=modulus) == [pow(base, 3, modulus) for base in bases]
    assert results("one_base", base=3, exponent="base", modulus=modulus) == [pow(3, base, modulus) for base in bases]
    inverses = [pow(base, -1, modulus) for base in bases]
    assert results("inverse", base="base", modulus=modulus, workload="inverse") == inverses
    of_each = results("inverse_each", base="base", modulus="modulus", workload="inverse")
    assert [value and value * base % m for value, base, m in zip(of_each, bases, moduli, strict=True)] == [
        None if value is None else 1 for value in of_each
    ]
    assert any(value is not None for value in of_each)


def test_a_column_wins_over_a_number(source, out):
    pq.write_table(pa.table({"3": pa.array([2, 5], pa.int64()), "m": pa.array([1000, 1000], pa.int64())}), source)
    for base, powers in [("3", [1024 % 1000, 5**10 % 1000]), ("value:3", [3**10 % 1000] * 2)]:
        folder = out / base.replace(":", "")
        assert (
            command("job", "run", source, "-o", folder, "--base", base, "--exponent", "10", "--modulus", "m").returncode
            == 0
        )
        assert pq.read_table(folder)["result"].to_pylist() == powers


def signed(tmp_path):
    """Messages with signatures of one key, every fifth of them broken, and the key."""
    key = tmp_path / "key.pem"
    public = tmp_path / "public.pem"
    openssl = ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", str(key)]
    if subprocess.run(openssl, capture_output=True, check=False).returncode:
        pytest.skip("no openssl")
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True, capture_output=True)
    messages, signatures = [], []
    for i in range(10):
        message = f"message {i}".encode()
        made = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", key], input=message, check=True, capture_output=True
        )
        messages.append(message)
        signatures.append(made.stdout if i % 5 else made.stdout[:-1] + bytes([made.stdout[-1] ^ 1]))
    return messages, signatures, public


def test_signatures(tmp_path, source, out):
    messages, signatures, public = signed(tmp_path)
    key = pingala.load_public_key(public.read_bytes())
    columns = {
        "message": messages, "signature": signatures, "key": [public.read_bytes()] * 10,
        "n": [key.n.to_bytes(128, "big")] * 10, "e": [65537] * 10,
    }  # fmt: skip
    pq.write_table(pa.table(columns), source)
    usual = {"workload": "verify", "scheme": "rsa-pkcs1", "signature": "signature", "message": "message"}
    for name, settings in {
        "column": {"key": "key"}, "one": {"key": public.read_bytes()}, "numbers": {"modulus": "n", "exponent": "e"},
    }.items():  # fmt: skip
        job = pingala.Job.plan(source, out / name, **usual, **settings)
        job.run()
        found = pq.read_table(out / name)
        assert found["result"].to_pylist() == [bool(i % 5) for i in range(10)]
        assert found["reason"].to_pylist() == [None if i % 5 else "mismatch" for i in range(10)]
        assert job.verify() == 10


def text_of(kind, count=500):
    ids, bases, moduli = jobs.numbers(count)
    if kind == "csv":
        lines = ["id;base;modulus;note"]
        lines += [f'{i};{hex(b)};"{m}";"a ""b""; {i}\n"' for i, b, m in zip(ids, bases, moduli, strict=True)]
        return "\r\n".join(lines) + "\r\n"
    rows = [
        {"id": i, "base": hex(b), "modulus": m, "note": f"ü {i}"} for i, b, m in zip(ids, bases, moduli, strict=True)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_text_in(tmp_path, out, kind, packed):
    path = tmp_path / f"rows.{kind}{packed}"
    text = text_of(kind).encode()
    packers = {"": bytes, ".gz": gzip.compress, ".zst": lambda text: pa.compress(text, "zstd", asbytes=True)}
    path.write_bytes(packers[packed](text))
    settings = {"delimiter": ";"} if kind == "csv" else {}
    job = planned(path, out, keep=["id", "note"], part_rows=120, **settings)
    assert job.run()["rows"] == 500
    ids, bases, moduli = jobs.numbers(500)
    found = [(int(i), value) for i, value in rows(out)]
    assert found == [(i, pow(b, 65537, m)) for i, b, m in zip(ids, bases, moduli, strict=True)]
    notes = [note for path in jobs.parts(out) for note in pq.read_table(path)["note"].to_pylist()]
    assert notes == [f'a "b"; {i}\n' if kind == "csv" else f"ü {i}" for i in range(500)]
    assert job.verify(rows=100) >= 100
    # The text is needed no more, as long as it does not change.
    assert planned(path, out, keep=["id", "note"], part_rows=120, **settings).run()["computed_parts"] == 0


def test_bad_rows_of_text(tmp_path, out):
    path = tmp_path / "rows.jsonl"
    path.write_text(
        '{"base":2,"modulus":9}\nnonsense\n{"base":null,"modulus":9}\n\n{"base":1.5,"modulus":9}\n{"modulus":9,"base":4}\n'
    )
    ran = command("job", "run", path, "-o", out, "--base", "base", "--exponent", "2", "--modulus", "modulus",
                  "--format", "csv", "--decimal")  # fmt: skip
    assert ran.returncode == 3, ran.stderr
    assert (out / "part-00000.csv").read_text() == "result,error\n4,\n,bad_row\n,\n,not_a_number\n7,\n"


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_text_out(source, out, kind):
    wanted = write(source, 100, 40)
    job = planned(source, out, format=kind, part_rows=30)
    job.run()
    found = []
    for path in sorted(out.glob(f"part-*.{kind}")):
        lines = path.read_text().splitlines()
        if kind == "csv":
            assert lines[0] == "id,result,error"
            found += [(int(i), int(result, 16)) for i, result, _ in (line.split(",") for line in lines[1:])]
        else:
            found += [(row["id"], int(row["result"], 16)) for row in map(json.loads, lines)]
    assert found == wanted
    assert job.verify(rows=100) >= 100
    assert planned(source, out, format=kind, part_rows=30).run()["computed_parts"] == 0
    (out / f"_part-00001.{kind}.json").unlink()
    with pytest.raises(pingala.JobError, match="no record beside it"):
        job.run()


def test_parts_in_any_order_by_any_process(source, out):
    wanted = write(source, 300, 100)
    job = planned(source, out, part_rows=100)
    assert job.parts == 3
    with pytest.raises(pingala.JobError, match="3 of 3 parts are missing"):
        job.finish()
    code = f"import pingala; print(pingala.Job.open({str(out)!r}).run_part(2))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"
    assert job.missing() == [0, 1]
    assert [job.run_part(part) for part in (0, 2, 0)] == [True, False, False]
    assert not job.status()["finished"]
    assert job.run()["computed_parts"] == 1
    assert rows(out) == wanted
    with pytest.raises(pingala.ArgumentError, match="there is no part 3"):
        job.run_part(3)


def test_what_is_refused(tmp_path, source, out):
    write(source, 100, 50)
    job = planned(source, out, part_rows=50)
    job.run_part(0)
    for settings, words in [
        ({"exponent": 3}, "its exponent is"), ({"keep": []}, "its keep is"),
        ({"part_rows": 10}, "rows a part is 50, not 10"),
    ]:  # fmt: skip
        with pytest.raises(pingala.JobError, match=words):
            planned(source, out, **{"part_rows": 50, **settings})
    for settings, words in [
        ({"base": "bases"}, "neither a column nor a number; the columns are id, base, modulus"),
        ({"keep": ["x"]}, "no column x"), ({"result": "id"}, "two columns named id"),
        ({"modulus": None}, "needs the modulus"),
        ({"width": 0}, "width"), ({"format": "xml"}, "there is no format"), ({"part_rows": 0}, "at least one row"),
    ]:  # fmt: skip
        with pytest.raises(pingala.ArgumentError, match=words):
            planned(source, tmp_path / "refused", **settings)
    # Another job's part under the name of ours.
    other = planned(source, tmp_path / "other", exponent=5, part_rows=50)
    other.run()
    (tmp_path / "other" / "part-00001.parquet").rename(out / "part-00001.parquet")
    with pytest.raises(pingala.JobError, match=r"part-00001\.parquet is not of this job"):
        job.run()
    (out / "part-00001.parquet").unlink()
    # Our part under another name, and a file that readers of the folder would take along.
    (out / "part-00001.parquet").write_bytes((out / "part-00000.parquet").read_bytes())
    with pytest.raises(pingala.JobError, match="belongs to plan"):
        job.run()
    (out / "part-00001.parquet").unlink()
    (out / "more.parquet").write_bytes(b"PAR1")
    with pytest.raises(pingala.JobError, match="would take it for one of its parts"):
        job.run()
    (out / "more.parquet").unlink()
    # The input changes.
    write(source, 100, 25)
    with pytest.raises(pingala.JobError, match="has changed since the job began"):
        job.run()
    with pytest.raises(pingala.JobError, match="has changed since the job began"):
        planned(source, out, part_rows=50)
    # Folders that hold something else, or the input.
    with pytest.raises(pingala.ArgumentError, match="in the folder of the results"):
        planned(source, tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("x")
    with pytest.raises(pingala.JobError, match=r"holds notes.txt and no job"):
        planned(source, tmp_path / "full")
    with pytest.raises(pingala.FileError):
        planned(tmp_path / "missing.parquet", tmp_path / "refused")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(pingala.FileError, match="empty"):
        planned(tmp_path / "empty.csv", tmp_path / "refused2")
    (tmp_path / "bz.csv.bz2").write_bytes(bz2.compress(b"base,modulus\n1,2\n"))
    with pytest.raises(pingala.FileError):
        planned(tmp_path / "bz.csv.bz2", tmp_path / "refused3")


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_name_that_text_does_not_have_costs_nothing(tmp_path, out, kind):
    text = tmp_path / f"in.{kind}"
    text.write_text(
        "base,modulus,id\n2,7,1\n" if kind == "csv" else '{"base": 2, "modulus": 7, "id": 1}\n', encoding="utf-8"
    )
    there = "base, modulus, id" if kind == "csv" else "base, id, modulus"
    with pytest.raises(pingala.ArgumentError, match=f"`modulo` is neither a column nor a number; .* {there}$"):
        planned(text, out, modulus="modulo")
    with pytest.raises(pingala.ArgumentError, match=f"no column ids; it has {there}$"):
        planned(text, out, keep=["ids"])
    with pytest.raises(pingala.ArgumentError, match="reads no column"):
        planned(text, out, base=2, modulus=7, keep=[])
    assert not (out / "_input").exists() or not list((out / "_input").iterdir())
    # Cut, and stopped before there was a plan; then another request.
    planned(text, out, keep=[])
    (out / "_plan.json").unlink()
    planned(text, out).run()
    assert rows(out) == [("1", pow(2, 65537, 7))]


def test_types_that_are_no_numbers(tmp_path, out):
    for name, column, words in [
        ("float", pa.array([1.0]), "floats"), ("bool", pa.array([True]), "true and false"),
        ("list", pa.array([[1]]), "lists"), ("date", pa.array([1], pa.date32()), "dates"),
        ("decimal", pa.array([1], pa.decimal128(9, 2)), "decimals with a fraction"),
    ]:  # fmt: skip
        path = tmp_path / f"{name}.parquet"
        pq.write_table(pa.table({"base": column}), path)
        with pytest.raises(pingala.ArgumentError, match=words):
            pingala.Job.plan(path, out / name, base="base", exponent=3, modulus=1000)


def test_an_input_that_is_replaced_during_the_run(tmp_path, source, out):
    write(source, 400, 100)
    job = planned(source, out, part_rows=100)

    job.run_part(0)
    write(tmp_path / "new.parquet", 400, 50)
    (tmp_path / "new.parquet").rename(source)
    with pytest.raises(pingala.JobError, match="has changed since the job began"):
        job.run_part(1)
    assert len(jobs.parts(out)) == 1


def test_an_input_that_is_written_to_while_a_part_is_computed(source, out):
    write(source, 400, 400)
    job = pingala.Job.plan(
        source, out, base="base", exponent=2**2_000_000 - 1, modulus="modulus", binary="big", part_rows=400
    )

    def touch(done, total):
        os.utime(source)

    with pytest.raises(pingala.JobError, match="has changed since the job began"):
        job.run(progress=touch)
    assert not jobs.parts(out)
    assert not leftovers(out)


def test_two_runners(source, out):
    write(source, 100, 50)
    job = planned(source, out, part_rows=50)
    hold = job._hold()
    with pytest.raises(pingala.JobBusyError, match="works on"):
        job.run()
    ran = command(*arguments(source, out, "--part-rows", 50))
    assert ran.returncode == 1
    assert f"process {os.getpid()}" in ran.stderr
    assert "two at once are refused" in ran.stderr
    assert job.status()["running"]
    del hold
    assert job.run()["rows"] == 100
    assert not job.status()["running"]


def test_progress_and_what_it_raises(source, out):
    write(source, 3000, 500)
    seen = []
    planned(source, out, part_rows=500).run(progress=lambda done, total: seen.append((done, total)), threads=2)
    assert seen[-1] == (3000, 3000)
    assert seen == sorted(seen)

    class EnoughError(Exception):
        pass

    def enough(done, total):
        raise EnoughError

    long = out.with_name("long")
    job = pingala.Job.plan(
        source, long, base="base", exponent=2**60000 - 1, modulus="modulus", binary="big", part_rows=500
    )
    with pytest.raises(EnoughError):
        job.run(progress=enough)
    assert not leftovers(long)


@pytest.mark.skipif(os.name != "posix", reason="Unix signals")
def test_ctrl_c_keeps_finished_parts(source, out):
    # A thousand parts, which take minutes.
    write(source, 20_000, 200)
    exponent = 2**400_000 - 1
    child = subprocess.Popen(
        [jobs.SCRIPT, "job", "run", source, "-o", out, "--base", "base", "--exponent", hex(exponent),
         "--modulus", "modulus", "--binary", "big",
         "--keep", "id", "--part-rows", "20"], stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: jobs.parts(out) or child.poll() is not None)
    child.send_signal(signal.SIGINT)
    error = child.communicate()[1]
    assert child.returncode == 130, error
    assert "the same command continues" in error
    assert jobs.parts(out)
    assert not leftovers(out)
    status = pingala.Job.open(out).status()
    assert 0 < status["done_parts"] < status["parts"]


@pytest.mark.skipif(os.name != "posix", reason="resource limits")
def test_a_limit_on_the_size_of_files(source, out):
    wanted = write(source, 600, 300)

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))

    ran = command(*arguments(source, out, "--part-rows", 300), preexec_fn=small)
    assert ran.returncode != 0
    assert not jobs.parts(out)
    assert command(*arguments(source, out, "--part-rows", 300)).returncode == 0
    assert rows(out) == wanted
    assert not leftovers(out)


def test_a_folder_that_cannot_be_written(source, tmp_path):
    write(source, 10)
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    try:
        if os.access(locked, os.W_OK):
            pytest.skip("the superuser writes everywhere")
        with pytest.raises(pingala.FileError, match="cannot"):
            planned(source, locked)
    finally:
        locked.chmod(0o700)


def test_memory_stays_bounded_whatever_the_row_groups(tmp_path, source, out):
    """One row group that is many times larger than the limit."""
    count, bits = 60_000, 2048
    block = drawn("block", bits * 64).to_bytes(bits * 8, "big")
    width = bits // 8
    data = b"".join(block[i % 32 * width : i % 32 * width + width] for i in range(32))
    base = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), count, [None, pa.py_buffer(data * (count // 32))])
    odd = bytearray(data)
    odd[width - 1 :: width] = bytes(byte | 1 for byte in odd[width - 1 :: width])
    modulus = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(width), count, [None, pa.py_buffer(bytes(odd) * (count // 32))]
    )
    pq.write_table(
        pa.table({"base": base, "modulus": modulus}),
        source,
        row_group_size=count,
        use_dictionary=False,
        compression="none",
    )
    assert source.stat().st_size > 30_000_000
    code = (
        "import resource, sys, pingala\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"settings = {{'base': 'base', 'exponent': 3, 'modulus': 'modulus', 'binary': 'big'}}\n"
        f"job = pingala.Job.plan({str(source)!r}, {str(out)!r}, **settings)\n"
        "job.run(memory=1 << 20, threads=2)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    if sys.platform == "linux":
        assert int(ran.stdout) < 20_000, "kB beyond the interpreter"
    assert sum(pq.read_metadata(path).num_rows for path in jobs.parts(out)) == count


def test_keep_is_a_list_of_names(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("id,g\n1,2\n")
    settings = {"base": "g", "exponent": 3, "modulus": 7}
    for wrong in ("id", b"id", 5):
        with pytest.raises(TypeError, match=r'keep must be a list of names of columns, such as \["id"\], not'):
            pingala.Job.plan(source, tmp_path / "out", keep=wrong, **settings)
    with pytest.raises(TypeError, match="keep must be a list of names"):
        pingala.Job.plan(source, tmp_path / "out", keep=["id", 5], **settings)
    for number, keep in enumerate([["id"], ("id",), iter(["id"]), None, []]):
        pingala.Job.plan(source, tmp_path / f"out{number}", keep=keep, **settings)
