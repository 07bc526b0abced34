"""What a process takes from itself; for the program too, which is not run as a part of this package."""

import os
import resource

NOBODY = 65534


def without_threads() -> None:
    """From here on this process starts no other one, and no thread."""
    if os.getuid() == 0:
        # No limit on processes holds for root.
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
