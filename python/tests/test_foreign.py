"""Numbers of other programs without a type: read when the user says what they are, and the advice is right."""

import base64
import json
import re
import subprocess
import sysconfig
import zlib
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import pingala
import pingala.duckdb
import pingala.polars

SCRIPT = Path(sysconfig.get_path("scripts")) / "pingala"
M = 1000003
# What ClickHouse 26.9.2 wrote: UInt128, UInt256, Int128, Int256, FixedString of text and of bytes, IPv6.
CLICKHOUSE = zlib.decompress(
    base64.b85decode(
        "c-jka3^EjD5mf-f53}wqVX+Zq5@lduNdAusL>WZcfN<l^i(A-afJy{FT$u;~bafIKB7%ZI;~1G3)Gjf~i1JCQG6+aYu#_4aS%@--"
        "F^QdG1R^y*H4b9UlGFjZmO+$>0Z0e{DI1{aKoJKZ-2Z>?3Qnl|FLBwQoA&X1&zvphJ?2Z=?ZuPi_B>(vx=NS<0&w_8fsj54f-2zt"
        "-NcIIUn5g9uzy#9klH(DwGL)#*@h!TKr#BQXWC;}h}>XeKn4xCViaAS1cnIQhu=65KFmao(NFAZYuJf34Nsh&{&)Q`Khy_$Uk_{)"
        "l<%?O{2*5N?>{EM6{m#sNf1;4_wg+rBp;*3=`?P&4P4Z+4Nsh|-F$!<8XyK0hHl7Vi7QIc)k$E8z&$ue0PaD?60q-1FanX<41TpM"
        "e8d`s$MqlHeAoqZJ}O{j!sUE)brKjNaOckwMmRqWDLGCPQoA5XtWkKJKc{h*IX2fbG7#r_pgIW*5xDE8iNRgZoLOLo6#SD!)y|0!"
        "YZ!L-OZIrM6(?t;<|c~rF^KX3J;MMghd~?%Fb9~R;WC-XGMPv+j3sbZ8jJ;UEzq%&GLkhkEanHaM5SqAH=yMT?eaYBvLh|Cir66@"
        "F(x$*AjP2J<(!k5ob8ccTAZp-mReMtnV+X%WTt1SXQZH!RGOKSqL7qiXl7(!kZ5F)Xk=n(W^QS2VrFV!VPtHcWSW{{Y-wqpWNu_>"
        "l&C3LBg4Rei5O-vGcW`I8({!zB3Y{"
    )
)
CLICKHOUSE_NUMBERS = {
    "u128": (340282366920938463463374607431768211299, "little"),
    "u256": (123456789012345678901234567890123456789012345678901234567890, "little"),
    "i128": (-170141183460469231731687303715884105000, "signed-little"),
    "i256": (-123456789012345678901234567890, "signed-little"),
    "t": (0x1F, "text"),
    "f": (0x102, "big"),
    "ip6": (0x10002, "big"),
}


def ran(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [str(argument) for argument in (SCRIPT, *arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def job(source: Any, out: Path, *more: Any, modulus: Any = f"value:{M}", base: str = "b") -> list[Any]:
    numbers = ["--base", base, "--exponent", "3", "--modulus", modulus]
    done = ran("job", "run", source, "-o", out, "-q", "--format", "jsonl", "--decimal", *numbers, *more)
    assert done.returncode == 0, done
    lines = [line for part in sorted(out.glob("part-*.jsonl")) for line in part.read_text().splitlines()]
    return [json.loads(line) for line in lines]


def batch(source: Any, *more: Any, base: str = "b") -> list[int]:
    done = ran(
        "batch",
        source,
        "-o",
        "-",
        "-q",
        "--decimal",
        "--base",
        base,
        "--exponent",
        "3",
        "--modulus",
        f"value:{M}",
        *more,
    )
    assert done.returncode == 0, done
    return [int(json.loads(line)["result"]) for line in done.stdout.splitlines()]


def results(folder: Path) -> list[int | None]:
    """The results of a job in bytes."""
    found = pq.read_table(folder)["result"].to_pylist()
    return [None if value is None else int.from_bytes(value, "big") for value in found]


def refused(source: Any, out: Path, base: str = "b", *more: Any) -> str:
    """The one sentence of both commands and of Python; nothing is left behind."""
    numbers = ["--base", base, "--exponent", "3", "--modulus", f"value:{M}", *more]
    one, other = ran("batch", source, "-o", "-", *numbers), ran("job", "run", source, "-o", out, *numbers)
    assert (one.returncode, other.returncode, one.stdout) == (1, 1, ""), (one, other)
    assert not out.exists()
    with pytest.raises(pingala.PingalaError) as raised:
        pingala.Job.plan(source, out, base=base, exponent=3, modulus=M)
    assert not out.exists()
    return other.stderr + str(raised.value)


@pytest.mark.parametrize("name", CLICKHOUSE_NUMBERS)
def test_clickhouse(name: str, tmp_path: Path) -> None:
    """The refusal names ClickHouse, and the word that it gives for the type of the column gives the right number."""
    path, (number, word) = tmp_path / "in.parquet", CLICKHOUSE_NUMBERS[name]
    path.write_bytes(CLICKHOUSE)
    wanted = pow(number, 3, M)
    why = refused(path, tmp_path / "out", name)
    assert "ClickHouse wrote the file" in why
    assert f"{name}={word} for" in why
    for said in (word, f"{name}={word}"):
        assert batch(path, "--binary", said, base=name) == [wanted]
        done = ran("prime", "test", path, "--field", name, "--binary", said)
        assert json.loads(done.stdout)["prime"] is bool(pingala.is_prime(number)), done
        for keep in ([], ["--keep", name]):
            out = tmp_path / f"{said} {len(keep)}"
            assert job(path, out, "--binary", said, *keep, base=name)[0]["result"] == str(wanted)
            assert ran("job", "verify", out).returncode == 0
    for binary in (word, {name: word}):
        planned = pingala.Job.plan(path, tmp_path / f"python {binary}", base=name, exponent=3, modulus=M, binary=binary)
        planned.run()
        assert results(planned.folder) == [wanted]
    column = pq.read_table(path)[name]
    with pytest.raises(TypeError, match="byteorder"):
        pingala.powmod_column(column, 3, M)
    if word != "text":
        assert pingala.powmod_column(column, 3, M, byteorder=word, errors="raise").to_pylist() == [wanted]
        assert pingala.is_prime_column(column, byteorder=word).to_pylist() == [bool(pingala.is_prime(number))]


def test_several_columns_and_moduli_of_other_orders(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    path.write_bytes(CLICKHOUSE)
    (base, _), (modulus, _) = CLICKHOUSE_NUMBERS["f"], CLICKHOUSE_NUMBERS["u256"]
    words = ["--binary", "f=big,u256=little"]
    assert job(path, tmp_path / "out", *words, base="f", modulus="u256")[0]["result"] == str(pow(base, 3, modulus))
    words = ["--binary", "f=big", "--binary", "little"]
    assert job(path, tmp_path / "out2", *words, base="f", modulus="u256")[0]["result"] == str(pow(base, 3, modulus))
    # A negative modulus is an error of its row, and text has no width.
    assert job_codes(path, tmp_path / "out3", "f=big,i256=signed-little", "i256") == ["negative_modulus"]
    assert job(path, tmp_path / "out4", "--binary", "f=big,t=text", base="f", modulus="t")[0]["result"] == str(
        base**3 % 0x1F
    )
    for words, why in (
        ("f=big,f=little,u256=little", "two things of column f"),
        ("big,little", "binary says two things"),
        ("f=middle", "there is no reading of binary `middle`"),
        ("f=big,x=big,u256=little", "binary names the column x, of which nothing is read"),
    ):
        done = ran(
            "job",
            "run",
            path,
            "-o",
            tmp_path / "no",
            "--base",
            "f",
            "--exponent",
            "3",
            "--modulus",
            "u256",
            "--binary",
            words,
        )
        assert done.returncode in (1, 2), done
        assert why in done.stderr
    with pytest.raises(TypeError, match="binary must be"):
        pingala.Job.plan(path, tmp_path / "no", base="f", exponent=3, modulus=M, binary=5)  # type: ignore[arg-type]
    pq.write_table(pa.table({"b": [5]}), path)
    done = ran("batch", path, "-o", "-", "--base", "b", "--exponent", "3", "--modulus", "value:7", "--binary", "b=big")
    assert "column b of" in done.stderr, done
    assert "has a type that says what its values are" in done.stderr


def job_codes(path: Path, out: Path, words: str, modulus: str) -> list[str]:
    done = ran("job", "run", path, "-o", out, "--base", "f", "--exponent", "3", "--modulus", modulus, "--binary", words,
               "--format", "jsonl", "-q")  # fmt: skip
    assert done.returncode == 3, done
    return [json.loads(line)["error"] for line in (out / "part-00000.jsonl").read_text().splitlines()]


WORDS = {
    "big": ("big", False),
    "little": ("little", False),
    "signed-big": ("big", True),
    "signed-little": ("little", True),
}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("kind", ["fixed", "variable"])
def test_every_order_and_sign(word: str, kind: str, tmp_path: Path) -> None:
    order, signed = WORDS[word]
    numbers = [0, 1, 2**255 - 19, 5, None, 2**200] + ([-1, -(2**255), -77] if signed else [2**256 - 1])
    rows = [None if n is None else n.to_bytes(32, order, signed=signed) for n in numbers]  # type: ignore[arg-type]
    array = pa.array(rows, pa.binary(32) if kind == "fixed" else pa.binary())
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"b": array}), path)
    wanted = [None if n is None else pow(n, 3, M) for n in numbers]
    found = [row["result"] for row in job(path, tmp_path / "out", "--binary", word)]
    assert [None if value is None else int(value) for value in found] == wanted
    if kind == "fixed":
        why = refused(path, tmp_path / "no")
        assert "holds 32 bytes a row, and nothing says" in why
        assert all(f"b={said}" in why for said in WORDS)
        with pytest.raises(TypeError, match="nothing says in which order"):
            pingala.powmod_column(array, 3, M)
    assert pingala.powmod_column(array, 3, M, byteorder=word).to_pylist() == wanted  # type: ignore[arg-type]
    assert pingala.mulmod_column(array, 3, M, byteorder=word).to_pylist() == [
        None if n is None else n * 3 % M for n in numbers
    ]  # type: ignore[arg-type]
    exponents = pingala.powmod_column(3, array, 2**255 - 19, byteorder=word, errors="null").to_pylist()  # type: ignore[arg-type]
    assert exponents == [None if n is None else pow(3, n, 2**255 - 19) for n in numbers]
    # Feather and the format of streams keep the same bytes.
    pyarrow.feather.write_feather(pa.table({"b": array}), tmp_path / "in.feather")
    read = pyarrow.feather.read_table(tmp_path / "in.feather")["b"]
    assert pingala.powmod_column(read, 3, M, byteorder=word).to_pylist() == wanted  # type: ignore[arg-type]
    for step in (1, -1):
        table = pingala.FixedBase(3, 2**127 - 1, exponent_bits=256)
        powers = table.pow_column(array[::step] if step == 1 else array, byteorder=word, errors="null").to_pylist()  # type: ignore[arg-type]
        assert powers == [None if n is None else pow(3, n, 2**127 - 1) for n in numbers]


def test_numpy_of_no_type() -> None:
    rows = np.array([b"ab", b"c\0"], "V2")
    with pytest.raises(TypeError, match="nothing says in which order"):
        pingala.powmod_column(rows, 1, M)
    assert pingala.powmod_column(rows, 1, M, byteorder="big").to_pylist() == [0x6162, 0x6300]
    assert pingala.powmod_column(rows, 1, M, byteorder="little").to_pylist() == [0x6261, 0x63]
    assert pingala.powmod_column(rows.view("u1").reshape(2, 2), 1, M).to_pylist() == [0x6162, 0x6300]


def test_text_of_fixed_width(tmp_path: Path) -> None:
    """Zero bytes at the end fill a fixed width; other text is no number."""
    path = tmp_path / "in.parquet"
    pq.write_table(
        pa.table({"b": pa.array([b"12\0\0", b"0x1F", b"\0" * 4, b"1\x002\0", b" -7 ", None], pa.binary(4))}), path
    )
    done = ran(
        "batch",
        path,
        "-o",
        "-",
        "-q",
        "--base",
        "b",
        "--exponent",
        "1",
        "--modulus",
        "value:101",
        "--binary",
        "text",
        "--decimal",
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row.get("result") or row["error"]["code"] for row in rows] == [
        "12",
        "31",
        "not_a_number",
        "not_a_number",
        "94",
        "bad_row",
    ]


def test_what_this_program_wrote_is_read_as_its_own(tmp_path: Path) -> None:
    source, first, second = tmp_path / "in.parquet", tmp_path / "first", tmp_path / "second"
    numbers = [2, 3, 2**255 - 20]
    little = pa.array([n.to_bytes(32, "little") for n in numbers], pa.binary(32))
    big = pa.array([n.to_bytes(32, "big") for n in numbers], pa.binary(32))
    pq.write_table(pa.table({"l": little, "b": big, "other": little}), source)
    modulus = 2**255 - 19
    job = pingala.Job.plan(
        source, first, base="l", exponent=3, modulus=modulus, keep=["l", "other"], binary={"l": "little"}
    )
    job.run()
    powers = [pow(n, 3, modulus) for n in numbers]
    # Results have the order of this program, and a kept column the one that was said of it.
    for column, values in (("result", powers), ("l", numbers)):
        again = pingala.Job.plan(
            first, second / column, base=column, exponent=5, modulus=modulus, keep=[column], result="again"
        )
        again.run()
        found = pq.read_table(second / column)["again"].to_pylist()
        assert [int.from_bytes(value, "big") for value in found] == [pow(n, 5, modulus) for n in values]
        third = pingala.Job.plan(
            second / column, tmp_path / f"third {column}", base=column, exponent=1, modulus=modulus
        )
        third.run()
        assert results(third.folder) == values
    # A column that was only copied has no meaning still.
    assert "nothing says whether they are numbers" in refused(first / "part-00000.parquet", tmp_path / "no", "other")
    # The user's word counts more than what the file says.
    said = pingala.Job.plan(first, tmp_path / "said", base="result", exponent=1, modulus=2**256, binary="little")
    said.run()
    assert results(said.folder) == [int.from_bytes(power.to_bytes(32, "big"), "little") for power in powers]


def test_another_binary_is_another_job(tmp_path: Path) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out"
    pq.write_table(pa.table({"b": pa.array([b"\1\0", b"\2\0"], pa.binary(2))}), source)
    settings: dict[str, Any] = {"base": "b", "exponent": 3, "modulus": M, "part_rows": 1}
    pingala.Job.plan(source, out, binary="big", **settings).run_part(0)
    for binary, what in (
        ("little", "its binary is big, not little"),
        (None, "its binary is"),
        ({"b": "big"}, "its binary is big"),
    ):
        with pytest.raises(pingala.JobError, match=what):
            pingala.Job.plan(source, out, binary=binary, **settings)
    assert pingala.Job.plan(source, out, binary="bytes", **settings).run()["rows"] == 2
    assert results(out) == [256**3 % M, 512**3 % M]
    # And one that said nothing does not go on with something.
    plain, out = tmp_path / "plain.parquet", tmp_path / "out2"
    pq.write_table(pa.table({"b": pa.array([b"\1\0", b"\2\0"])}), plain)
    pingala.Job.plan(plain, out, **settings).run_part(0)
    with pytest.raises(pingala.JobError, match="its binary is none, not little"):
        pingala.Job.plan(plain, out, binary="little", **settings)


def test_signatures_are_bytes(tmp_path: Path) -> None:
    """Digests, signatures and keys of fixed width need no word, and no order changes them."""
    data = Path(__file__).resolve().parents[2] / "crates/pingala-verify/tests/data"
    signature, key = (data / "rsa.sig").read_bytes(), (data / "rsa.pem").read_text()
    source = tmp_path / "in.parquet"
    table = {
        "signature": pa.array([signature], pa.binary(len(signature))),
        "message": pa.array([b"Pingala\n"], pa.binary(8)),
        "key": [key],
    }
    pq.write_table(pa.table(table), source)
    columns = ["--verify", "rsa-pkcs1", "--signature", "signature", "--message", "message", "--key", "key"]
    for number, more in enumerate(([], ["--binary", "big"], ["--binary", "signed-little"])):
        done = ran("verify", source, "-o", "-", "-q", "--scheme", "rsa-pkcs1", *more)
        assert json.loads(done.stdout)["valid"] is True, done
        out = tmp_path / f"out{number}"
        done = ran("job", "run", source, "-o", out, "-q", *columns, *more)
        assert pq.read_table(out)["result"].to_pylist() == [True], done
    loaded = pingala.load_public_key(key)
    column = pingala.verify_column(loaded, table["signature"], table["message"], scheme="rsa-pkcs1")
    assert column.to_pylist() == [True]


TABLES = {
    "a Delta table": ["_delta_log/00000000000000000000.json"],
    "an Iceberg table": ["metadata/00000-a.metadata.json"],
    "a Hudi table": [".hoodie/hoodie.properties"],
    "a Lance dataset": ["_versions/1.manifest", "_transactions/0.txn"],
}


@pytest.mark.parametrize("what", TABLES)
def test_folders_of_tables_are_refused(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    for name in TABLES[what]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
    (folder / "data").mkdir()
    for name in ("part-0.parquet", "data/part-0.parquet"):
        pq.write_table(pa.table({"b": [5]}), folder / name)
    link = tmp_path / "link.parquet"
    link.symlink_to(folder / "data/part-0.parquet")
    numbers = ["--base", "b", "--exponent", "3", "--modulus", "value:7"]
    for source in (folder, f"{folder}/*.parquet", folder / "data", folder / "part-0.parquet", f"{folder}/data/*", link):
        done = ran("job", "run", source, "-o", tmp_path / "out", *numbers)
        assert done.returncode == 1, done
        assert f"is {what}: its log" in done.stderr
        assert not (tmp_path / "out").exists()
    done = ran("batch", folder / "part-0.parquet", "-o", "-", *numbers)
    assert f"is {what}: its log" in done.stderr


def test_a_folder_with_only_folders(tmp_path: Path) -> None:
    for name in ("a=1", "a=2", "_input"):
        (tmp_path / "in" / name).mkdir(parents=True)
    pq.write_table(pa.table({"b": [5]}), tmp_path / "in" / "a=1" / "x.parquet")
    numbers = ["--base", "b", "--exponent", "3", "--modulus", "value:7"]
    done = ran("job", "run", tmp_path / "in", "-o", tmp_path / "out", *numbers)
    assert "only folders (a=1, a=2), which are not searched: name them, as in" in done.stderr
    advice = re.search(r"as in (\S+)", done.stderr)
    assert advice is not None
    assert ran("job", "run", advice[1], "-o", tmp_path / "out", *numbers, "-q").returncode == 0
    done = ran("job", "run", tmp_path / "in" / "a=2", "-o", tmp_path / "no", *numbers)
    assert "there is no file in the folder" in done.stderr


def arrow_file(path: Path) -> None:
    pyarrow.feather.write_feather(pa.table({"b": [5]}), path)


def arrow_stream(path: Path) -> None:
    table = pa.table({"b": [5]})
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def orc_file(path: Path) -> None:
    orc = pytest.importorskip("pyarrow.orc")
    orc.write_table(pa.table({"b": [5]}), path)


def packed(module: str) -> Any:
    return lambda path: path.write_bytes(__import__(module).compress(b"b\n5\n"))


FILES = {
    "an Arrow file": arrow_file,
    "a stream of Arrow": arrow_stream,
    "an ORC file": orc_file,
    "an Avro file": lambda path: path.write_bytes(b"Obj\x01\x04\x14avro.codec\x08null"),
    "bzip2": packed("bz2"),
    "xz": packed("lzma"),
    "an array of NumPy": lambda path: np.save(path.open("wb"), np.array([5])),
    "an HDF5 file": lambda path: path.write_bytes(b"\x89HDF\r\n\x1a\n\0"),
}


@pytest.mark.parametrize("what", FILES)
def test_files_of_other_formats(what: str, tmp_path: Path) -> None:
    path = tmp_path / "in.data"
    FILES[what](path)
    numbers = ["--base", "b", "--exponent", "3", "--modulus", "value:7"]
    for done in (ran("batch", path, "-o", "-", *numbers), ran("job", "run", path, "-o", tmp_path / "out", *numbers)):
        assert done.returncode == 1
        assert f"holds {what}, expected JSON Lines or CSV" in done.stderr


def test_names_that_begin_as_other_formats(tmp_path: Path) -> None:
    for name in ("ORCID", "ORC", "BZh", "PARENT", "Objects", "FEA1"):
        path = tmp_path / "in.csv"
        path.write_text(f"{name}\n5\n")
        assert batch(path, base=name) == [125]


def test_messages_about_parquet(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"g": [5], "m": [7]}), path)
    done = ran("batch", path, "-o", "-")
    assert (
        "there is no column base; there are g, m; --base, --exponent and --modulus choose other columns" in done.stderr
    )
    assert "delimiter" not in done.stderr
    done = ran("verify", path, "-o", "-", "--scheme", "dsa")
    assert "delimiter" not in done.stderr
    done = ran("job", "run", path, "-o", tmp_path / "out", "--is-prime", "nope")
    assert "number: `nope` is neither a column nor a number" in done.stderr
    pq.write_table(pa.table({"b": [5], "kept": [1]}), path, compression="brotli")
    why = refused(path, tmp_path / "out")
    assert "is packed by brotli, which is not read: write the file with zstd, snappy, lz4 or gzip" in why
    pq.write_table(pa.table({"b": [5]}), path, compression="zstd")
    assert batch(path) == [125]


def test_advice_for_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    duckdb.sql(f"copy (select 300::hugeint b) to '{path}' (format parquet)")
    assert "DuckDB writes HUGEINT so: cast it to DECIMAL(38, 0) or VARCHAR there" in refused(path, tmp_path / "out")
    for kind in ("DECIMAL(38, 0)", "VARCHAR"):
        duckdb.sql(f"copy (select 300::hugeint::{kind} b) to '{path}' (format parquet)")
        assert batch(path) == [pow(300, 3, M)]


def test_integers_of_128_bits_of_polars(tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out"
    numbers = [-3, 2**100 + 7, None]
    pl.DataFrame({"b": pl.Series(numbers, dtype=pl.Int128)}).write_parquet(path)
    rows = job(path, out, "--keep", "b")
    assert [row["result"] for row in rows] == [None if n is None else str(pow(n, 3, M)) for n in numbers]
    assert [row["b"] for row in rows] == numbers
    again = pingala.Job.plan(path, tmp_path / "parquet", base="b", exponent=3, modulus=M, keep=["b"])
    again.run()
    job3 = pingala.Job.plan(again.folder, tmp_path / "third", base="b", exponent=1, modulus=2**127 - 1)
    job3.run()
    assert results(job3.folder) == [2**127 - 4, 2**100 + 7, None]
