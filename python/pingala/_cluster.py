"""Parts of a job on a cluster. Each part is one task; results go to the folder of the job, not through the cluster."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from ._errors import ArgumentError
from ._pingala import Job
from ._progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable

#: Tasks in flight for each processor: enough to keep it busy, and to make an autoscaler see demand.
_TASKS_PER_CPU = 4
#: How often Ray starts a task again whose worker has died.
_RETRIES = 5
#: Seconds between two polls of the tasks.
_POLL_EVERY = 0.25


#: The job that a worker opened last, by its folder and the time of its plan: another plan in a folder is another job.
_opened: dict[tuple[str, int], Job] = {}


def _run_part(folder: str, part: int, memory: int | None, kernel: str | None, plan: str | None) -> bool:
    """Compute a part on one thread of a worker."""
    key = (folder, os.stat(os.path.join(folder, "_plan.json")).st_mtime_ns)
    if key not in _opened:
        _opened.clear()
        _opened[key] = Job.open(folder)
    return _opened[key].run_part(part, threads=1, memory=memory, kernel=kernel, plan=plan)


def run(
    job: Job,
    on: str,
    address: str | None = None,
    progress: Callable[[int, int], object] | None = None,
    memory: int | None = None,
    kernel: str | None = None,
    plan: str | None = None,
) -> dict[str, Any]:
    """Compute the missing parts of a job on a cluster, and finish it."""
    if on != "ray":
        raise ArgumentError(f'on must be "ray", not {on!r}')
    ray = _ray()
    hold = job._hold()
    missing = job.missing()
    done = job.rows - sum(map(job._part_rows, missing))
    computed = 0
    if missing:
        started = not ray.is_initialized()
        if started:
            ray.init(address=address, include_dashboard=None if address else False, log_to_driver=False)
        try:
            task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_run_part)
            folder = str(job.folder)
            queue = iter(missing)
            running: dict[Any, int] = {}
            while True:
                room = _TASKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while len(running) < room and (part := next(queue, None)) is not None:
                    running[task.remote(folder, part, memory, kernel, plan)] = part
                if not running:
                    break
                ready, _ = ray.wait(list(running), num_returns=1, timeout=_POLL_EVERY)
                for reference in ready:
                    part = running.pop(reference)
                    computed += bool(ray.get(reference))
                    done += job._part_rows(part)
                if progress is not None:
                    progress(done, job.rows)
        finally:
            if started:
                ray.shutdown()
    summary = job._finish(hold)
    summary["computed_parts"] = computed
    return summary


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ImportError("jobs on Ray need Ray: pip install 'pingala[ray]'") from error


def from_command(folder: str, on: str, address: str | None, quiet: bool) -> None:
    """`pingala job run ... --on ray`, after the job has been planned."""
    run(Job.open(folder), on, address, None if quiet else Progress("rows"))
