"""Jobs beside multiprocessing with gmpy2, on the same Parquet and processors; what a job spends besides arithmetic.

usage: python -m peers.jobs [--rows N] [--bits B] [--folder DIR] [--full]

The input has a base and an odd modulus of B bits in each row. Answers are compared by their sum. `--full` takes an
exponent as long as the moduli. Arithmetic is what a job takes more than one with exponent 1, which reads and writes
the same rows; processor time is that of the processes, children included.
"""

import argparse
import multiprocessing
import os
import resource
import secrets
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import gmpy2  # type: ignore[import-untyped]
import pyarrow as pa
import pyarrow.parquet as pq

COMMAND = Path(__file__).parents[3] / "target/release/pingala"
#: Row groups of an input, which are parts too.
GROUPS = 20


def make(path: Path, rows: int, bits: int) -> None:
    """Random rows, in groups."""
    width, group = bits // 8, -(-rows // GROUPS)
    schema = pa.schema({"id": pa.int64(), "base": pa.binary(width), "modulus": pa.binary(width)})
    with pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=False) as writer:
        for first in range(0, rows, group):
            count = min(group, rows - first)
            moduli = bytearray(secrets.token_bytes(count * width))
            moduli[width - 1 :: width] = bytes(byte | 1 for byte in moduli[width - 1 :: width])
            moduli[::width] = bytes(byte | 128 for byte in moduli[::width])
            columns = [secrets.token_bytes(count * width), bytes(moduli)]
            arrays = [
                pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), count, [None, pa.py_buffer(column)])
                for column in columns
            ]
            writer.write_table(pa.table([pa.array(range(first, first + count), pa.int64()), *arrays], schema))


def of_group(arguments: tuple[str, int, int, str]) -> int:
    """What a worker of multiprocessing does with a row group."""
    path, group, exponent, out = arguments
    table = pq.ParquetFile(path).read_row_group(group)
    width = table.schema.field("modulus").type.byte_width
    numbers = [[int.from_bytes(value, "big") for value in table[name].to_pylist()] for name in ("base", "modulus")]
    powers = [gmpy2.powmod(base, exponent, modulus) for base, modulus in zip(*numbers, strict=True)]
    results = pa.array([int(power).to_bytes(width, "big") for power in powers], pa.binary(width))
    written = pa.table({"id": table["id"], "result": results})
    pq.write_table(written, f"{out}/part-{group:05}.parquet", compression="zstd", use_dictionary=False)
    return len(powers)


def checksum(folder: Path) -> int:
    """Returns the sum of all results modulo 2^64, which no order changes."""
    total = 0
    for path in sorted(folder.glob("*.parquet")):
        for value in pq.read_table(path, columns=["result"])["result"].to_pylist():
            total = (total + int.from_bytes(value, "big")) % (1 << 64)
    return total


def timed(run: "subprocess.Popen[bytes]") -> tuple[float, float, int]:
    """Wall and processor seconds, and the most kB of memory, of a process that has just been started."""
    started = time.perf_counter()
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    assert run.returncode == 0, run.args
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def job(source: Path, out: Path, exponent: int, *more: str) -> tuple[float, float, int]:
    """A whole job by the command."""
    shutil.rmtree(out, ignore_errors=True)
    columns = ["--base", "base", "--exponent", hex(exponent), "--modulus", "modulus", "--keep", "id"]
    run = [str(COMMAND), "job", "run", str(source), "-o", str(out), *columns, "--quiet", *more]
    return timed(subprocess.Popen(run))


def peer(source: Path, out: Path, exponent: int, processes: int) -> tuple[float, float]:
    """multiprocessing with gmpy2."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with multiprocessing.Pool(processes) as pool:
        groups = range(pq.ParquetFile(source).num_row_groups)
        pool.map(of_group, [(str(source), group, exponent, str(out)) for group in groups], chunksize=1)
    wall = time.perf_counter() - started
    pool.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--bits", type=int, default=2048)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    processes = len(os.sched_getaffinity(0))
    exponent = (1 << options.bits) - 12345 if options.full else 65537
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        source = folder / "in.parquet"
        make(source, options.rows, options.bits)
        walls, cpus, plain, peers = [], [], [], []
        for _ in range(options.rounds):
            wall, cpu, memory = job(source, folder / "out", exponent)
            walls.append(wall)
            cpus.append(cpu)
            plain.append(job(source, folder / "one", 1)[1])
            peers.append(peer(source, folder / "peer", exponent, processes))
        assert checksum(folder / "out") == checksum(folder / "peer"), "the answers differ"
        middle = options.rounds // 2
        wall, cpu, other = sorted(walls)[middle], sorted(cpus)[middle], sorted(peers)[middle]
        arithmetic = 1 - sorted(plain)[middle] / cpu
        print(
            f"{options.rows:,} rows of {options.bits} bits, exponent of {exponent.bit_length()}, {processes} processors"
        )
        print(f"job  {cpu / options.rows * 1e6:9.2f} us CPU/row {options.rows / wall:10,.0f} rows/s {memory >> 10} MiB")
        print(f"peer   {other[1] / options.rows * 1e6:9.2f} us CPU/row {options.rows / other[0]:12,.0f} rows/s")
        print(f"rows/s, job to peer {other[0] / wall:.2f}; arithmetic {100 * arithmetic:.1f} % of the job's CPU")


if __name__ == "__main__":
    main()
