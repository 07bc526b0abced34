"""A job on Ray beside the same job on threads, on the same processors, with Ray started before: needs target/ray.

usage: python -m peers.cluster [--rows N] [--rounds N] [--folder DIR] [--make]

The input has a base and an odd modulus of 2048 bits in each row, and the exponent is as long. `--make` only makes the
input, which the next run with the same --folder takes. The two run in turn, and a round begins with the one that ended
the last: a machine that slows down favours neither. Answers are compared by their sum.
"""

import argparse
import shutil
import time
from pathlib import Path
from typing import Any

import pingala

from .jobs import checksum, make

EXPONENT = (1 << 2048) - 12345


def seconds(source: Path, out: Path, rows: int, **settings: Any) -> float:
    """A whole job, planning included."""
    shutil.rmtree(out, ignore_errors=True)
    started = time.perf_counter()
    job = pingala.Job.plan(source, out, base="base", exponent=EXPONENT, modulus="modulus", keep=["id"])
    assert job.run(**settings)["rows"] == rows
    return time.perf_counter() - started


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=220_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("target/cluster"))
    parser.add_argument("--make", action="store_true")
    options = parser.parse_args()
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{options.rows}.parquet"
    if not source.exists():
        make(source, options.rows, 2048)
    if options.make:
        return
    ray: Any = __import__("ray")
    ray.init(num_cpus=2, object_store_memory=100 << 20, include_dashboard=False, log_to_driver=False)
    # A first job on 2 rows: the workers have started.
    small = folder / "small.parquet"
    make(small, 2, 2048)
    print(f"the first task {seconds(small, folder / 'small', 2, on='ray'):.1f} s", flush=True)
    ways: dict[str, dict[str, Any]] = {"threads": {"threads": 2}, "Ray": {"on": "ray"}}
    taken: dict[str, list[float]] = {way: [] for way in ways}
    order = list(ways)
    for _ in range(options.rounds):
        for way in order:
            taken[way].append(seconds(source, folder / way, options.rows, **ways[way]))
            print(f"{way} {taken[way][-1]:.1f} s", flush=True)
        order.reverse()
    threads, on_ray = sum(taken["threads"]), sum(taken["Ray"])
    print(f"Ray: {100 * threads / on_ray:.1f} % of the speed of threads", flush=True)
    ray.shutdown()
    assert checksum(folder / "threads") == checksum(folder / "Ray"), "the answers differ"


if __name__ == "__main__":
    main()
