"""Jobs on files that are damaged: what a job wrote is refused, what it reads is an error, and nothing runs on."""

import shutil
import time

import pyarrow.parquet as pq
import pytest

import pingala
from jobs import rows, write


def test_every_flipped_byte_is_refused_or_harmless(source, out):
    wanted = write(source, 6, 3)
    job = pingala.Job.plan(source, out, base="base", exponent=65537, modulus="modulus", keep=["id"], part_rows=3)
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
            job = pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", part_rows=100)
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
            pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", part_rows=100)


# Thrift: field 15 is a list of 2^31 - 1 numbers of 8 bytes, or of truth values.
NUMBERS, TRUTHS = b"\xf9\xf7\xff\xff\xff\xff\x07", b"\xf9\xf1\xff\xff\xff\xff\x07"


@pytest.mark.parametrize("header", [NUMBERS, TRUTHS])
def test_a_page_that_promises_more_than_the_file_has_is_damage(source, out, header):
    """Found by fuzzing: elements that nobody wants were passed over one by one, behind the end of the file too."""
    write(source, 5, 5)
    whole = source.read_bytes()
    group = pq.ParquetFile(source).metadata.row_group(0)
    base = next(column for column in map(group.column, range(group.num_columns)) if column.path_in_schema == "base")
    at = base.dictionary_page_offset or base.data_page_offset
    source.write_bytes(whole[:at] + header + whole[at + len(header) :])
    job = pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", part_rows=100)
    started = time.monotonic()
    with pytest.raises(pingala.FileError, match="truth values" if header == TRUTHS else None):
        job.run(threads=1)
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("more", [NUMBERS, TRUTHS])
def test_a_footer_that_promises_more_than_the_file_has_is_damage(source, out, more):
    write(source, 5, 5)
    whole = source.read_bytes()
    length = int.from_bytes(whole[-8:-4], "little") + len(more)
    source.write_bytes(whole[:-9] + more + b"\0" + length.to_bytes(4, "little") + b"PAR1")
    started = time.monotonic()
    with pytest.raises(pingala.FileError, match="truth values" if more == TRUTHS else None):
        pingala.Job.plan(source, out, base="base", exponent=3, modulus="modulus", part_rows=100)
    assert time.monotonic() - started < 20
