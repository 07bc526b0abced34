"""What the tests of jobs share: inputs, the command, what the files of a finished job hold."""

import os
import subprocess
import sysconfig
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from drawing import drawn

SCRIPT = Path(sysconfig.get_path("scripts")) / ("pingala.exe" if os.name == "nt" else "pingala")
EXPONENT = 65537


def numbers(count, bits=256):
    """Ids, bases and odd moduli."""
    bases = [drawn(f"base {i}", bits) for i in range(count)]
    moduli = [drawn(f"modulus {i}", bits) | 1 for i in range(count)]
    return list(range(count)), bases, moduli


def fixed(values, width=32):
    return pa.array([None if value is None else value.to_bytes(width, "big") for value in values], pa.binary(width))


def table(count, bits=256):
    ids, bases, moduli = numbers(count, bits)
    return pa.table(
        {"id": pa.array(ids, pa.int64()), "base": fixed(bases, bits // 8), "modulus": fixed(moduli, bits // 8)}
    )


def write(path, count=600, group=100, bits=256, **settings):
    """An input, and the ids with their powers."""
    pq.write_table(table(count, bits), path, row_group_size=group, **settings)
    ids, bases, moduli = numbers(count, bits)
    return [(i, pow(base, EXPONENT, modulus)) for i, base, modulus in zip(ids, bases, moduli, strict=True)]


def arguments(source, output, *more):
    return ["job", "run", str(source), "--output", str(output), "--base", "base", "--exponent", str(EXPONENT),
            "--modulus", "modulus", "--keep", "id", "--binary", "big", *map(str, more)]  # fmt: skip


def command(*arguments, env=None, **settings):
    env = None if env is None else {**os.environ, **env}
    return subprocess.run(
        [SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False, env=env, **settings
    )


def parts(output):
    return sorted(Path(output).glob("part-*.parquet"))


def rows(output):
    """Ids and results of all parts, in order."""
    found = []
    for path in parts(output):
        part = pq.read_table(path)
        results = [None if value is None else int.from_bytes(value, "big") for value in part["result"].to_pylist()]
        found += zip(part["id"].to_pylist(), results, strict=True)
    return found


def leftovers(output):
    return [path for path in Path(output).rglob("*") if path.name.endswith(".partial")]
