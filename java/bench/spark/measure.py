"""Rows a second of powmod in Spark, beside a UDF with BigInteger and `pingala job run` on the same Parquet.

    PINGALA_JARS=target/java python java/bench/spark/measure.py COMMAND [ROWS [BITS]]

Needs pyspark, pyarrow and a JDK for one of its releases. Two threads on each side; all read and write the same
rows, in turn, seven times. The first time includes what Java compiles.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from pyspark.sql import SparkSession
from pyspark.sql.types import BinaryType

HERE = Path(__file__).parent
OUT = Path(os.environ["PINGALA_JARS"])
EXPONENT = 65537
ROUNDS = 7


def udf_jar(folder: Path) -> Path:
    jars = Path(pyspark.__file__).parent / "jars"
    source = HERE / "org/pingala/bench/BigIntegerUdf.java"
    subprocess.run(["javac", "-cp", f"{jars}/*", "-d", folder, source], check=True)
    subprocess.run(["jar", "cf", folder / "udf.jar", "-C", folder, "org"], check=True)
    return folder / "udf.jar"


def rows(folder: Path, count: int, bits: int) -> int:
    """Two files of random bases; the modulus."""
    draw = random.Random(bits)
    modulus = draw.getrandbits(bits) | 1 | 1 << (bits - 1)
    kind = pa.binary(bits // 8)
    for part in range(2):
        bases = [draw.randbytes(bits // 8) for _ in range(count // 2)]
        table = pa.table({"base": pa.array(bases, kind)})
        pq.write_table(table, folder / f"part-{part}.parquet", compression="none", row_group_size=1 << 15)
    return modulus


def timed(call: Callable[[], object]) -> float:
    begun = time.monotonic()
    call()
    return time.monotonic() - begun


def main() -> None:
    command = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    bits = int(sys.argv[3]) if len(sys.argv) > 3 else 2048
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        modulus = rows(folder / "in", count, bits)
        scala = "2.12" if pyspark.__version__.startswith("3.") else "2.13"
        wanted = (f"pingala-spark_{scala}", "pingala-all-", "pingala-0")
        jars = [str(jar) for jar in OUT.glob("*.jar") if jar.name.startswith(wanted)]
        spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.driver.extraClassPath", ":".join([*jars, str(udf_jar(folder))]))
            .config("spark.sql.extensions", "org.pingala.spark.PingalaExtensions")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "3g")
            .getOrCreate()
        )
        spark.udf.registerJavaFunction("slow", "org.pingala.bench.BigIntegerUdf", BinaryType())
        arguments = f"(base, {EXPONENT}L, X'{modulus:X}') AS x"
        frame = spark.read.parquet(str(folder / "in"))

        def query(function: str) -> None:
            frame.selectExpr(function + arguments).write.mode("overwrite").parquet(str(folder / function))

        def job() -> None:
            shutil.rmtree(folder / "job", ignore_errors=True)
            words = [command, "job", "run", folder / "in", "--output", folder / "job", "--base", "base", "--quiet"]
            subprocess.run(
                [*words, "--exponent", str(EXPONENT), "--modulus", str(modulus), "--threads", "2"], check=True
            )

        ratios = []
        for _ in range(ROUNDS):
            a, b, c = timed(lambda: query("powmod")), timed(job), timed(lambda: query("slow"))
            rates = f"powmod {count / a:.0f} rows/s, job run {count / b:.0f}, UDF {count / c:.0f}"
            print(f"pyspark {pyspark.__version__}: {rates}; powmod/job {b / a:.2f}, powmod/UDF {c / a:.1f}", flush=True)
            ratios.append((b / a, c / a))
        job_ratio, udf_ratio = (median(column) for column in zip(*ratios, strict=True))
        print(f"medians: powmod/job {job_ratio:.2f}, powmod/UDF {udf_ratio:.1f}")
        for row in frame.selectExpr("base", "powmod" + arguments).limit(100).collect():
            assert int.from_bytes(row.x, "big") == pow(int.from_bytes(row.base, "big"), EXPONENT, modulus)
        spark.stop()


if __name__ == "__main__":
    main()
