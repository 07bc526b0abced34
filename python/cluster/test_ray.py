"""Jobs on a real Ray of two processors on this machine: `make -C hardening cluster`. Workers and driver are killed."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

ray = pytest.importorskip("ray")

import jobs  # noqa: E402
import pingala  # noqa: E402
from jobs import leftovers, rows, write  # noqa: E402

LONG = 2**6000 - 1


@pytest.fixture(scope="module")
def cluster():
    path = os.pathsep.join([os.path.dirname(jobs.__file__), os.environ.get("PYTHONPATH", "")])
    ray.init(num_cpus=2, object_store_memory=100 << 20, include_dashboard=False, log_to_driver=False,
             runtime_env={"env_vars": {"PYTHONPATH": path}})  # fmt: skip
    yield
    ray.shutdown()


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.parquet"
    return path, write(path, 2000, 200)


def planned(path, out, exponent=jobs.EXPONENT):
    return pingala.Job.plan(path, out, base="base", exponent=exponent, modulus="modulus", keep=["id"], part_rows=100)


def test_a_job(cluster, source, tmp_path):
    path, wanted = source
    seen = []
    job = planned(path, tmp_path / "out")
    summary = job.run(on="ray", progress=lambda done, total: seen.append((done, total)))
    assert (summary["rows"], summary["computed_parts"]) == (2000, 20)
    assert rows(tmp_path / "out") == wanted
    assert seen[-1] == (2000, 2000)
    assert not leftovers(tmp_path / "out")
    assert job.run(on="ray")["computed_parts"] == 0
    assert job.run()["computed_parts"] == 0


def test_begun_on_ray_and_finished_without(cluster, source, tmp_path):
    path, wanted = source
    job = planned(path, tmp_path / "out")

    class EnoughError(Exception):
        pass

    def enough(done, total):
        if done:
            raise EnoughError

    with pytest.raises(EnoughError):
        job.run(on="ray", progress=enough)
    assert 0 < job.run()["computed_parts"] < 20
    assert rows(tmp_path / "out") == wanted


def test_two_runners(cluster, source, tmp_path):
    path, _ = source
    job = planned(path, tmp_path / "out")
    hold = job._hold()
    with pytest.raises(pingala.JobBusyError):
        job.run(on="ray")
    del hold


def test_errors_come_back(cluster, source, tmp_path):
    path, _ = source
    job = planned(path, tmp_path / "out")
    write(path, 1000, 100)
    with pytest.raises(Exception, match="has changed since the job began"):
        job.run(on="ray")


def workers(name="_run_part"):
    """Processes of Ray that run our task now."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    text = file.read()
            except OSError:
                continue
            if text.startswith(b"ray::") and name.encode() in text:
                found.append(int(entry))
    return found


def test_workers_are_killed(cluster, source, tmp_path):
    path, _ = source
    reference = planned(path, tmp_path / "reference", LONG)
    reference.run()
    job = planned(path, tmp_path / "out", LONG)
    killed = []

    def kill(done, total):
        if len(killed) < 3 and (running := workers()):
            os.kill(running[0], signal.SIGKILL)
            killed.append(running[0])

    assert job.run(on="ray", progress=kill)["rows"] == 2000
    assert killed
    assert rows(tmp_path / "out") == rows(tmp_path / "reference")
    assert not leftovers(tmp_path / "out")


def test_the_driver_is_killed(source, tmp_path):
    path, _ = source
    out = tmp_path / "out"
    planned(path, tmp_path / "reference", LONG).run()
    driver = textwrap.dedent(f"""
        import pingala, ray
        ray.init(num_cpus=2, object_store_memory=100 << 20, include_dashboard=False, log_to_driver=False)
        pingala.Job.plan({str(path)!r}, {str(out)!r}, base="base", exponent={LONG}, modulus="modulus", keep=["id"],
                         part_rows=100).run(on="ray")
    """)
    environment = {key: value for key, value in os.environ.items() if key != "RAY_ADDRESS"}
    child = subprocess.Popen([sys.executable, "-c", driver], env=environment)
    while len(jobs.parts(out)) < 3 and child.poll() is None:
        time.sleep(0.02)
    child.kill()
    child.wait()
    there = {path: path.stat().st_mtime_ns for path in jobs.parts(out)}
    job = pingala.Job.open(out)
    summary = None
    while summary is None:
        # Until the workers of the dead driver are gone.
        try:
            summary = job.run()
        except pingala.JobBusyError:
            time.sleep(0.1)
    assert summary["rows"] == 2000
    assert summary["computed_parts"] <= 20 - len(there)
    assert rows(out) == rows(tmp_path / "reference")
    # What was there was not computed again.
    assert {path: path.stat().st_mtime_ns for path in there} == there
    assert not leftovers(out)


def test_the_command(cluster, source, tmp_path):
    path, wanted = source
    address = ray.get_runtime_context().gcs_address
    ran = jobs.command(*jobs.arguments(path, tmp_path / "out", "--part-rows", 100, "--on", "ray", "--address", address))
    assert ran.returncode == 0, ran.stderr
    assert rows(tmp_path / "out") == wanted
