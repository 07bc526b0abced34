"""The functions for Spark, on the distribution inside pyspark: `make -C hardening spark` runs this for 3.5 and 4."""

import glob
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.functions import expr, lit

OUT = Path(os.environ["PINGALA_JARS"])
SCALA = "2.12" if pyspark.__version__.startswith("3.") else "2.13"
JARS = [
    str(jar)
    for jar in OUT.glob("*.jar")
    if f"pingala-spark_{SCALA}" in jar.name or jar.name.startswith(("pingala-all-", "pingala-0"))
]


def session(master: str, **settings: str) -> SparkSession:
    builder = (
        SparkSession.builder.master(master)
        .config("spark.jars", ",".join(JARS))
        .config("spark.driver.extraClassPath", ":".join(JARS))
        .config("spark.sql.extensions", "org.pingala.spark.PingalaExtensions")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
    )
    for name, value in settings.items():
        builder = builder.config(name.replace("_", "."), value)
    return builder.getOrCreate()


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    made = session("local[2]")
    yield made
    made.stop()


def one(spark: SparkSession, expression: str) -> object:
    return spark.sql(f"SELECT {expression} AS x").collect()[0].x


def test_types(spark: SparkSession) -> None:
    assert one(spark, "powmod(2, 10, 1000)") == 24
    assert one(spark, "powmod(-2, 3, 7)") == -8 % 7
    assert one(spark, "powmod('2', '10', '1000')") == "24"
    assert one(spark, "powmod('0x2', 10, '0x3E8')") == "0x18"
    assert one(spark, "powmod(' +2 ', 10, ' 0X3E8')") == "0x18"
    assert one(spark, "powmod(X'02', X'0A', X'0003E8')") == bytes([0, 0, 24])
    assert one(spark, "powmod('3', -1, '7')") == "5"
    assert one(spark, "powmod(cast(2 as tinyint), 10, cast(1000 as smallint))") == 24
    assert one(spark, "invmod(3, 7)") == 5
    assert one(spark, "invmod('-3', '0x7')") == "0x2"
    assert one(spark, "powmod_base(2, 10, 1000)") == 24
    assert one(spark, "is_prime('170141183460469231731687303715884105727')") is True
    assert one(spark, "is_prime(-7)") is False
    assert one(spark, "powmod(5, 0, 1)") == 0
    for null in (
        "powmod(null, 1, 2)",
        "powmod(1, null, 2)",
        "powmod(1, 2, null)",
        "is_prime(null)",
        "try_powmod(1, 2, null)",
    ):
        assert one(spark, null) is None
    assert tuple(one(spark, "try_powmod(2, 10, 1000)")) == (24, None)
    assert tuple(one(spark, "try_powmod(2, -1, 4)")) == (None, "not_invertible")


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("powmod(2, -1, 4)", "not_invertible"),
        ("powmod(2, 1, 0)", "zero_modulus"),
        ("powmod(2, 1, -5)", "negative_modulus"),
        ("powmod('two', 1, 5)", "'two'"),
        ("powmod('1e3', 1, 5)", "not_a_number"),
        ("powmod('', 1, 5)", "not_a_number"),
        ("powmod('0x', 1, 5)", "not_a_number"),
        ("powmod(1.5, 1, 5)", "expected BINARY, BIGINT"),
        ("powmod(cast(1 as double), 1, 5)", "expected BINARY, BIGINT"),
        ("powmod(1, 5)", "takes 3"),
        ("invmod(6, 9)", "not_invertible"),
        ("is_prime('seven')", "is_prime: row 0.*: not_a_number: 'seven'"),
        ("is_prime(1.5)", "expected BINARY, BIGINT"),
        ("verify_rsa('m', X'00', X'00')", "verify_rsa: row 0.*: bad_argument: "),
        ("verify_dsa('m', X'00', X'00')", "verify_dsa: row 0.*: bad_argument: "),
    ],
)
def test_errors(spark: SparkSession, expression: str, error: str) -> None:
    with pytest.raises(Exception, match=error):
        one(spark, expression)


INTEGERS = ("tinyint", "smallint", "int", "bigint")


@pytest.mark.parametrize("function", ["powmod(2, 10, {})", "powmod_base(2, 10, {})", "invmod(3, {})"])
@pytest.mark.parametrize(
    ("modulus", "kind"),
    [(f"cast(101 AS {name})", name) for name in INTEGERS]
    + [("'101'", "string"), ("'0x65'", "string"), ("X'0065'", "binary"), ("NULL", "binary")],
)
def test_a_result_has_the_type_of_the_modulus(spark: SparkSession, function: str, modulus: str, kind: str) -> None:
    call = function.format(modulus)
    assert one(spark, f"typeof({call})") == kind
    number = 1024 % 101 if "pow" in function else pow(3, -1, 101)
    expected = {"'101'": str(number), "'0x65'": hex(number), "X'0065'": number.to_bytes(2, "big"), "NULL": None}
    assert one(spark, call) == expected.get(modulus, number)
    if function.startswith("powmod("):
        assert one(spark, f"typeof(try_{call}.value)") == kind
        assert one(spark, f"try_{call}.value") == expected.get(modulus, number)


@pytest.mark.parametrize("kind", INTEGERS)
def test_columns_of_each_integer(spark: SparkSession, kind: str) -> None:
    """The largest results of each type, in batches and in a branch, which is computed by rows."""
    most = {"tinyint": 2**7, "smallint": 2**15, "int": 2**31, "bigint": 2**63}[kind] - 1
    frame = spark.range(200).selectExpr("id", f"cast({most} - id % 100 AS {kind}) AS n")
    powers = [f"{name}(-1, 3, n) AS {name}" for name in ("powmod", "powmod_base")]
    tried = ["try_powmod(-1, 3, n).value AS tried", "try_powmod(-1, 3, n).error AS error"]
    got = frame.selectExpr(
        "id", "n", *powers, *tried, "invmod(-1, n) AS inverse", "IF(id % 2 = 0, powmod(-1, 3, n), n) AS half"
    )
    types = dict(got.dtypes)
    for name in ("powmod", "powmod_base", "tried", "inverse", "half"):
        assert types[name] == types["n"] == kind
    assert types["error"] == "string"
    for row in got.collect():
        assert row.n == most - row.id % 100
        assert (row.powmod, row.powmod_base, row.tried, row.inverse) == (row.n - 1,) * 4
        assert row.half == (row.n - 1 if row.id % 2 == 0 else row.n)
        assert row.error is None


WRONG = [
    ("'2'", "'-1'", "'4'", "not_invertible"),
    ("'2'", "'1'", "'0'", "zero_modulus"),
    ("'2'", "'1'", "'-5'", "negative_modulus"),
    ("'two'", "'1'", "'5'", "not_a_number"),
    ("'2'", "'1e3'", "'5'", "not_a_number"),
    ("'2'", "'1'", "''", "not_a_number"),
    ("repeat('9', 2000000)", "'1'", "'5'", "too_long"),
    ("'2'", "'1'", "repeat('9', 2000000)", "too_long"),
    ("'2'", "unhex(repeat('ff', 9000000))", "'5'", "too_long"),
    ("'2'", "'1'", "unhex(repeat('ff', 2100000))", "too_long"),
]


@pytest.mark.parametrize(("base", "exponent", "modulus", "code"), WRONG)
def test_errors_have_one_form(spark: SparkSession, base: str, exponent: str, modulus: str, code: str) -> None:
    """`error` is the code; an error that ends the query is the code and a sentence. One row is bad."""
    frame = spark.range(0, 10, 1, 1)

    def column(bad: str, good: int) -> str:
        return f"IF(id = 3, {bad}, " + (f"X'{good:02x}')" if "unhex" in bad else f"'{good}')")

    arguments = f"{column(base, 2)}, {column(exponent, 1)}, {column(modulus, 5)}"
    for call in (f"try_powmod({arguments})", f"IF(id < 10, try_powmod({arguments}), NULL)"):
        got = frame.selectExpr(f"{call} AS x").selectExpr("x.value IS NULL AS empty", "x.error").collect()
        assert [(row.empty, row.error) for row in got] == [(i == 3, code if i == 3 else None) for i in range(10)]
    for name in ("powmod", "powmod_base"):
        with pytest.raises(Exception, match=f"{name}: row 3 of partition 0: {code}: ."):
            frame.selectExpr(f"{name}({arguments}) AS x").collect()


def test_inverses_have_errors_of_one_form(spark: SparkSession) -> None:
    frame = spark.range(0, 200, 1, 1)
    numbers = {"IF(id = 3, 6, 7)": "not_invertible", "IF(id = 3, 'six', '7')": "not_a_number"}
    for number, code in numbers.items():
        for modulus in ("9", "IF(id % 2 = 0, 9, 27)"):
            with pytest.raises(Exception, match=f"invmod: row 3 of partition 0: {code}: ."):
                frame.selectExpr(f"invmod({number}, {modulus}) AS x").collect()
    # So many rows of one base are powers by a table.
    with pytest.raises(Exception, match="powmod_base: row 3 of partition 0: not_invertible: the number has"):
        frame.selectExpr("powmod_base(2, IF(id = 3, -1, id % 8), 4) AS x").collect()


def rows(spark: SparkSession, count: int, bits: int = 300) -> tuple[DataFrame, list[tuple[int, int, int]]]:
    draw = random.Random(45)
    moduli = [(1 << 255) - 19, (1 << 127) - 1, (1 << 89) - 1]  # primes: each base has an inverse
    numbers = [(draw.getrandbits(bits), draw.getrandbits(40), draw.choice(moduli)) for _ in range(count)]
    width = bits // 8 + 1
    data = [
        (i, b.to_bytes(width, "big"), e, m.to_bytes(width, "big"), str(b), hex(m))
        for i, (b, e, m) in enumerate(numbers)
    ]
    return spark.createDataFrame(data, "i long, b binary, e long, m binary, bs string, ms string").repartition(
        4
    ), numbers


def test_columns(spark: SparkSession) -> None:
    frame, numbers = rows(spark, 5000)
    frame.createOrReplaceTempView("t")
    planned = spark.sql("SELECT powmod(b, e, m) FROM t")
    planned.collect()
    plan = planned._jdf.queryExecution().executedPlan().toString()
    assert "Batch" in plan, plan
    got = spark.sql(
        """SELECT i, powmod(b, e, m) AS x, powmod(bs, e, ms) AS s, powmod(b, 65537, m) AS f, invmod(b, m) AS v,
           powmod(powmod(b, e, m), 3, m) AS twice, CASE WHEN i % 2 = 0 THEN powmod(b, e, m) END AS half,
           powmod_base(X'03', e, X'0fffffffffffffffffffffc5') AS fixed, try_powmod(b, -1, m).value AS t FROM t"""
    ).collect()
    assert len(got) == len(numbers)
    for row in got:
        b, e, m = numbers[row.i]
        power = pow(b, e, m)
        assert int.from_bytes(row.x, "big") == power
        assert len(row.x) == 300 // 8 + 1
        assert row.s == hex(power)
        assert int.from_bytes(row.f, "big") == pow(b, 65537, m)
        assert int.from_bytes(row.v, "big") == pow(b, -1, m) == int.from_bytes(row.t, "big")
        assert int.from_bytes(row.twice, "big") == pow(power, 3, m)
        assert row.half == (row.x if row.i % 2 == 0 else None)
        assert int.from_bytes(row.fixed, "big") == pow(3, e, 0x0FFFFFFFFFFFFFFFFFFFFFC5)


def test_filters_nulls_and_branches(spark: SparkSession) -> None:
    frame, _ = rows(spark, 500)
    frame.withColumn("n", expr("CASE WHEN i % 3 = 0 THEN null ELSE i END")).createOrReplaceTempView("t")
    primes = {row.i for row in spark.sql("SELECT i FROM t WHERE is_prime(n)").collect()}
    assert primes == {i for i in range(500) if i % 3 and i > 1 and all(i % d for d in range(2, i))}
    # A branch that is not taken has no error, a row that a filter drops before neither.
    assert spark.sql("SELECT sum(IF(i < 500, 1, powmod(2, -1, 4))) AS x FROM t").collect()[0].x == 500
    assert spark.sql("SELECT count(*) AS x FROM t WHERE i < 0 AND powmod(i, -1, 4) = 1").collect()[0].x == 0
    nulls = spark.sql("SELECT n, powmod(n, 2, 1000003) AS x FROM t").collect()
    assert all(row.x is None if row.n is None else row.x == pow(row.n, 2, 1000003) for row in nulls)
    assert spark.sql("SELECT powmod(i, 2, 11) AS k, count(*) AS c FROM t GROUP BY 1").count() == 6


def test_errors_name_the_row(spark: SparkSession) -> None:
    frame = spark.range(0, 1000, 1, 1)
    with pytest.raises(Exception, match="powmod: row 77 of partition 0: not_invertible: the number has no inverse"):
        frame.selectExpr("powmod(IF(id = 77, 2, 1), -1, 4) AS x").collect()
    errors = frame.selectExpr("try_powmod(id, -1, 5) AS x").selectExpr("x.error").collect()
    assert [row.error for row in errors] == ["not_invertible" if i % 5 == 0 else None for i in range(1000)]


def test_one_number_beyond_the_limit(spark: SparkSession) -> None:
    # Nine million bytes are more than 2^26 bits: the call for the whole batch fails.
    exponent = "IF(id = 3, unhex(repeat('ff', 9000000)), X'02')"
    frame = spark.range(0, 10, 1, 1)
    got = frame.selectExpr(f"try_powmod(id, {exponent}, 1000003) AS x").selectExpr("x.value", "x.error").collect()
    assert [row.value for row in got] == [None if i == 3 else i * i for i in range(10)]
    assert [row.error for row in got] == ["too_long" if i == 3 else None for i in range(10)]
    with pytest.raises(Exception, match="powmod: row 3 of partition 0: too_long"):
        frame.selectExpr(f"powmod(id, {exponent}, 1000003) AS x").collect()


def test_long_numbers_beside_short_ones(spark: SparkSession) -> None:
    # Rows as wide as the longest would take 8 GB.
    base = "IF(id % 997 = 3, unhex(repeat('01', 2000000)), unhex(hex(id)))"
    got = spark.range(0, 4000, 1, 1).selectExpr(f"powmod({base}, 3, X'0f4243') AS x").collect()
    long = int.from_bytes(b"\1" * 2_000_000, "big") % 0xF4243
    assert [int.from_bytes(row.x, "big") for row in got] == [
        pow(long if i % 997 == 3 else i, 3, 0xF4243) for i in range(4000)
    ]


def test_random_arguments(spark: SparkSession) -> None:
    assert len(spark.range(50).selectExpr("powmod(cast(rand(1) * 100 AS bigint), 2, 1000003) AS x").collect()) == 50


def test_conditions_before_a_function(spark: SparkSession) -> None:
    frame = spark.range(0, 100, 1, 1).where("id % 2 = 1").where("invmod(id, 64) = 1")
    assert [row.id for row in frame.collect()] == [1, 65]
    assert "Batch" in frame._jdf.queryExecution().executedPlan().toString()


def test_small_batches(spark: SparkSession) -> None:
    spark.conf.set("spark.pingala.batchRows", "7")
    try:
        assert spark.range(100).selectExpr("powmod(id, 3, 101) AS x").collect() == [
            (pow(i, 3, 101),) for i in range(100)
        ]
    finally:
        spark.conf.unset("spark.pingala.batchRows")


def openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def test_signatures(spark: SparkSession, tmp_path: Path) -> None:
    rsa, dsa, message = tmp_path / "rsa", tmp_path / "dsa", tmp_path / "message"
    openssl("genrsa", "-out", rsa, "2048")
    openssl("rsa", "-in", rsa, "-pubout", "-out", tmp_path / "rsa.pub")
    openssl("dsaparam", "-genkey", "-out", dsa, "1024")
    openssl("dsa", "-in", dsa, "-pubout", "-out", tmp_path / "dsa.pub")
    data = []
    for i in range(20):
        message.write_text(f"message {i}")
        signatures = []
        for name, key, options in (("a", rsa, ()), ("b", rsa, ("-sigopt", "rsa_padding_mode:pss")), ("c", dsa, ())):
            openssl("dgst", "-sha256", "-sign", key, *options, "-out", tmp_path / name, message)
            signatures.append((tmp_path / name).read_bytes())
        data.append((f"message {i}" if i != 7 else "another", *signatures))
    frame = spark.createDataFrame(data, "t string, a binary, b binary, c binary")
    keys = {name: (tmp_path / f"{name}.pub").read_text().strip() for name in ("rsa", "dsa")}
    frame = frame.withColumn("rsa", lit(keys["rsa"])).withColumn("dsa", lit(keys["dsa"]))
    got = frame.selectExpr(
        "verify_rsa(t, a, rsa) AS a",
        "verify_rsa(t, b, rsa, 'SHA-256', 'pss') AS b",
        "verify_dsa(t, c, dsa, encode('sha256', 'utf-8')) AS c",
        "verify_rsa(t, b, rsa) AS d",
        "verify_rsa(encode(t, 'utf-8'), a, encode(rsa, 'utf-8')) AS e",
    ).collect()
    for i, row in enumerate(got):
        assert (row.a, row.b, row.c, row.d, row.e) == (i != 7, i != 7, i != 7, False, i != 7)
    with pytest.raises(Exception, match="a key of DSA"):
        frame.selectExpr("verify_rsa(t, a, dsa)").collect()
    with pytest.raises(Exception, match="no hash function"):
        frame.selectExpr("verify_rsa(t, a, rsa, 'md5')").collect()


def executors() -> list[int]:
    """The processes of executors that this one started, however far below."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = Path(path).read_bytes().split(b"\0")
        except OSError:
            continue
        if any(
            b"CoarseGrainedExecutorBackend" in word for word in words
        ) and f"pingala-{os.getpid()}".encode() in b" ".join(words):
            found.append(int(path.split("/")[2]))
    return found


@pytest.fixture
def cluster() -> Iterator[SparkSession]:
    """Two executors of one processor each."""
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    if active := SparkSession.getActiveSession():
        active.stop()
    marker = f"-Dpingala.test=pingala-{os.getpid()}"
    made = session(
        "local-cluster[2,1,1024]",
        spark_executor_memory="800m",
        spark_executor_extraJavaOptions=marker,
        spark_executor_extraClassPath=":".join(JARS),
    )
    try:
        yield made
    finally:
        for one in executors():
            os.kill(one, signal.SIGTERM)
        made.stop()


def tasks(spark: SparkSession, status: str) -> list[int]:
    """The tasks of all jobs with this status, as the executors reported it."""
    store = spark.sparkContext._jsc.sc().statusStore()
    found = []
    for stage in spark.sparkContext._jsc.sc().statusTracker().getJobInfo(0).get().stageIds():
        listed = store.taskList(stage, 0, 100)
        found += [listed.apply(i).taskId() for i in range(listed.size()) if listed.apply(i).status() == status]
    return found


def in_a_call(process: int) -> bool:
    """Whether a thread of this Java is inside the native library."""
    stack = subprocess.run([f"{os.environ['JAVA_HOME']}/bin/jstack", str(process)], capture_output=True, text=True)
    return "at org.pingala.JniFunctions." in stack.stdout


def test_tasks_are_killed_in_a_call(cluster: SparkSession) -> None:
    """A task that is killed with an interrupt ends inside a call that takes minutes, and its executor goes on."""
    raised = []
    modulus, exponent = "ff" * 2048, f"unhex(repeat('ff', {2**21}))"

    def work() -> None:
        cluster.sparkContext.setJobGroup("long", "powers", interruptOnCancel=True)
        try:
            cluster.range(0, 2, 1, 2).selectExpr(f"powmod(unhex(hex(id + 3)), {exponent}, X'{modulus}') AS x").collect()
        except Exception as error:
            raised.append(error)

    # pytest's limit ends a wait in vain.
    def when(status: str, count: int) -> list[int]:
        while len(found := tasks(cluster, status)) != count:
            time.sleep(0.1)
        return found

    def inside() -> None:
        while not all(in_a_call(one) for one in executors()):
            time.sleep(0.1)

    thread = pyspark.InheritableThread(target=work)
    thread.start()
    while not cluster.sparkContext.statusTracker().getActiveJobsIds():
        time.sleep(0.1)
    running = when("RUNNING", 2)
    started = executors()
    assert len(started) == 2
    inside()
    for task in running:
        cluster.sparkContext._jsc.sc().killTaskAttempt(task, True, "a test")
    # Spark starts a task again that was killed on its own. There is room for it only if the call has ended.
    assert sorted(when("KILLED", 2)) == sorted(running)
    again = when("RUNNING", 2)
    inside()
    cluster.sparkContext.cancelJobGroup("long")
    thread.join()
    assert raised
    assert sorted(when("KILLED", 4)) == sorted(running + again)
    small = cluster.range(0, 1000, 1, 2).selectExpr("sum(powmod(id, 3, 1000003)) AS x").collect()[0].x
    assert small == sum(pow(i, 3, 1000003) for i in range(1000))
    assert executors() == started, "the executors outlive the tasks"


def test_an_executor_is_killed(cluster: SparkSession) -> None:
    """On local-cluster with two executors: one dies in the middle, and the rows are as they were."""
    frame = cluster.range(0, 60_000, 1, 30)
    modulus = (1 << 1023) | 1155
    big = frame.selectExpr("id", f"powmod(cast(id as string), '{(1 << 1000) - 1}', '{modulus}') AS x")
    frame.selectExpr("sum(powmod(id, 3, 1000003))").collect()
    started = executors()
    assert len(started) == 2

    def kill() -> None:
        while not cluster.sparkContext.statusTracker().getActiveJobsIds() and not got:
            time.sleep(0.01)
        os.kill(started[0], signal.SIGKILL)

    got: list[Row] = []

    killer = threading.Thread(target=kill)
    killer.start()
    got += big.where("id % 100 = 0").collect()
    killer.join()
    while started[0] in executors():
        time.sleep(0.1)
    assert len(got) == 600
    assert all(int(row.x) == pow(row.id, (1 << 1000) - 1, modulus) for row in got)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "--quiet", *sys.argv[1:]]))
