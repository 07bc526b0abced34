"""Jobs on files that are damaged: what a job wrote is refused, what it reads is an error, and nothing runs on."""

import os
import resource
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pingala
from jobs import rows, table, write


def test_every_flipped_byte_is_refused_or_harmless(source, out):
    wanted = write(source, 6, 3)
    job = pingala.Job.plan(
        source, out, base="base", exponent=65537, modulus="modulus", binary="big", keep=["id"], part_rows=3
    )
    job.run()
    for name in ("_plan.json", "_manifest.json", "part-00000.parquet"):
        path = out / name
        good = path.read_bytes()
        for place in range(len(good)):
            bad = bytearray(good)
            bad[place] ^= 1 << place % 8
            path.write_bytes(bad)
            with pytest.raises((pingala.FileError, pingala.JobError, pingala.ArgumentError)):
                pingala.Job.open(out).verify(rows=0)
        path.write_bytes(good)
    assert job.verify() == 6
    assert rows(out) == wanted


def test_damaged_inputs_are_errors(source, out):
    """Whatever byte is another one: the job ends, and nothing panics. An input has no seal, so results may differ."""
    write(source, 12, 6)
    whole = source.read_bytes()
    # The footer, which says where all is, and some places before it.
    footer = int.from_bytes(whole[-8:-4], "little") + 8
    for at in [*range(len(whole) - footer, len(whole), 3), *range(0, len(whole) - footer, 67)]:
        change = 0xFF if at % 2 else 1 << (at % 8)
        source.write_bytes(whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :])
        try:
            job = pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=100)
            job.run(threads=1)
        except (pingala.JobError, pingala.PingalaError):
            pass
        shutil.rmtree(out, ignore_errors=True)


def test_a_footer_with_another_number_of_rows_is_damage(source, out):
    """Found by fuzzing: the file's number of rows is one thing of the footer, those of its row groups are others."""
    write(source, 5, 5)
    whole = source.read_bytes()
    # Thrift: the third field is a number, 5; the fourth a list of one group.
    five = b"\x16\x0a\x19\x1c"
    assert whole.count(five) == 1
    for other in (1, 4, 6, 63):
        source.write_bytes(whole.replace(five, bytes([0x16, 2 * other, 0x19, 0x1C])))
        with pytest.raises(pingala.FileError, match="number of rows"):
            pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=100)


# Thrift: each 15th field is a list of 2^31 - 1 numbers of 8 bytes, or of truth values;
# the crate `parquet` takes no byte for these. Whoever passes over all of them takes hours.
NUMBERS, TRUTHS = b"\xf9\xf7\xff\xff\xff\xff\x07" * 40, b"\xf9\xf1\xff\xff\xff\xff\x07" * 40
# A number that is longer than any, which the crate reads; a first field of another type than it reads.
HEADERS = {
    "numbers": NUMBERS,
    "truth values": TRUTHS,
    "after a long number": b"\xf6" + b"\x80" * 10 + b"\0" + TRUTHS,
    "after a field of another type": b"\x11\0" + TRUTHS,
    # A page of 2^32 bytes, which the crate takes for none: the next header follows at once.
    "after a page of 2^32 bytes": b"\x15\0\x15\0\x15\x80\x80\x80\x80\x20\0" + TRUTHS,
}


def refused(source, out):
    with pytest.raises(pingala.FileError, match=r"is damaged|page header"):
        pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=100).run(
            threads=1
        )


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_a_page_that_promises_more_than_the_file_has_is_damage(source, out, header):
    """Found by fuzzing: unneeded elements were skipped one by one, behind the end of the file too."""
    write(source, 50, 50)
    whole = source.read_bytes()
    group = pq.ParquetFile(source).metadata.row_group(0)
    base = next(column for column in map(group.column, range(group.num_columns)) if column.path_in_schema == "base")
    at = base.dictionary_page_offset or base.data_page_offset
    source.write_bytes(whole[:at] + header + whole[at + len(header) :])
    refused(source, out)


def with_footer(whole, more):
    """A file whose footer has this at its end, in place of the byte that ends it."""
    length = int.from_bytes(whole[-8:-4], "little") + len(more)
    return whole[:-9] + more + b"\0" + length.to_bytes(4, "little") + b"PAR1"


DEEP = b"\x09\x08\x1c\x19\x2c\x3c\x09\x64" + b"\x19" * 61 + b"\xf1\xff\xff\xff\xff\x07"


@pytest.mark.parametrize("more", [*list(HEADERS.values())[:3], DEEP], ids=[*list(HEADERS)[:3], "deep"])
def test_a_footer_that_promises_more_than_the_file_has_is_damage(source, out, more):
    write(source, 5, 5)
    source.write_bytes(with_footer(source.read_bytes(), more))
    refused(source, out)


def element(name, children):
    """An element of a schema, optional: a group, or a number if it has no children."""
    kind = b"\x35\x02" if children else b"\x15\x04\x25\x02"
    name = b"\x18" + bytes([len(name)]) + name
    return kind + name + (b"\x15" + varint(2 * children) if children else b"") + b"\0"


def varint(value):
    low = value & 0x7F
    return bytes([low]) if value < 0x80 else bytes([low | 0x80]) + varint(value >> 7)


def schema(elements):
    """A file without rows, of this schema."""
    footer = b"\x15\x02\x19\xfc" + varint(len(elements)) + b"".join(elements) + b"\x16\0\x19\x0c\0"
    return b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def test_a_schema_that_is_too_deep_or_not_whole_is_damage(source, out):
    """Found by reading: the crate builds the tree by recursion, and makes room for every child that is announced."""
    line = [element(b"g", 1) for _ in range(100)]
    leaf = [element(b"base", 0)]
    source.write_bytes(schema(line + leaf))
    with pytest.raises(pingala.PingalaError, match="column"):
        pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=100)
    # And the path of each leaf is kept.
    paths = [*line, element(b"g", 20000), *leaf * 20000]
    for elements in (line * 2000 + leaf, [element(b"g", 2**30), *leaf], line, line + leaf + leaf, paths):
        source.write_bytes(schema(elements))
        refused(source, out)


def test_a_column_that_is_nested_deeper_than_the_schema_says_is_damage(source, out):
    """Found by flipping bytes: levels that the schema does not have made the writer of the results panic."""
    lists = pa.array([[1], None, [], [2], [4]])
    pq.write_table(table(5).append_column("l", lists), source, data_page_version="2.0")
    whole = source.read_bytes()
    # The element `list` of the schema, repeated; then required.
    repeated = b"\x35\x04\x18\x04list"
    assert whole.count(repeated) == 1
    source.write_bytes(whole.replace(repeated, b"\x35\x00\x18\x04list"))
    with pytest.raises(pingala.FileError, match="is damaged"):
        pingala.Job.plan(
            source, out, base="base", exponent=3, modulus="modulus", binary="big", keep=["l"], part_rows=10
        ).run()


@pytest.mark.parametrize("change", ["dictionary", "index"])
def test_a_page_that_the_crate_would_misread_is_damage(source, out, change):
    """Found by reading: a dictionary has room for as many values as it announces; an index page was passed over in one
    way of reading, and in another its bytes were the next header, so that parts within a row group had other rows."""
    base = pa.array([7] * 40, pa.int32())
    pq.write_table(pa.table({"base": base, "modulus": pa.array([97] * 40)}), source, use_dictionary=["base"])
    whole = source.read_bytes()
    column = pq.ParquetFile(source).metadata.row_group(0).column(0)
    if change == "dictionary":
        # One value of four bytes, then 63.
        at = whole.index(b"\x4c\x15\x02", column.dictionary_page_offset)
        changed = whole[: at + 2] + b"\x7e" + whole[at + 3 :]
    else:
        at = column.data_page_offset
        assert whole[at : at + 2] == b"\x15\0"
        changed = whole[:at] + b"\x15\2" + whole[at + 2 :]
    for part_rows in (100, 10):
        job = pingala.Job.plan(
            source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=part_rows
        )
        job.run(threads=1)
        shutil.rmtree(out)
    source.write_bytes(changed)
    for part_rows in (100, 10):
        with pytest.raises(pingala.FileError, match="is damaged"):
            pingala.Job.plan(
                source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=part_rows
            ).run(threads=1)
        shutil.rmtree(out)


def test_bytes_behind_the_last_page_are_not_read(source, out):
    """Some writers left such in a column: who needs no more pages does not look for one."""
    write(source, 12, 12, compression="none", use_dictionary=False)
    whole = source.read_bytes()
    last = pq.ParquetFile(source).metadata.row_group(0).column(2)
    size, footer = varint(2 * last.total_compressed_size), whole.rindex(b"modulus")
    assert last.path_in_schema == "modulus"
    places = [at for at in range(footer, len(whole)) if whole.startswith(size, at)]
    longer = varint(2 * (last.total_compressed_size + 8))
    assert len(longer) == len(size)
    # Unpacked and packed size, in this order.
    at = places[1]
    source.write_bytes(whole[:at] + longer + whole[at + len(size) :])
    assert (
        pq.ParquetFile(source).metadata.row_group(0).column(2).total_compressed_size == last.total_compressed_size + 8
    )
    job = pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=100)
    job.run(threads=1)
    assert job.verify() == 12


def test_an_encrypted_footer_is_told(source, out):
    write(source, 5, 5)
    whole = source.read_bytes()
    source.write_bytes(b"PARE" + whole[4:-4] + b"PARE")
    with pytest.raises(pingala.FileError, match="encrypted"):
        pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=100)


def test_what_is_no_ordinary_file_is_refused(tmp_path, out):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(pingala.ArgumentError, match="no ordinary file"):
        pingala.Job.plan(pipe, out, base="base", exponent=3, modulus="modulus", binary="big")


def test_a_job_may_have_more_files_than_a_process(tmp_path, out):
    folder = tmp_path / "in"
    folder.mkdir()
    for place in range(100):
        write(folder / f"{place:03}.parquet", 2, 2)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        job = pingala.Job.plan(folder, out, base="base", exponent=3, modulus="modulus", binary="big", part_rows=100)
        job.run(threads=1)
        assert job.verify() > 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
