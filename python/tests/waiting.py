"""Waiting for what can be seen, in place of waiting for a time."""

import time


def wait_until(is_so):
    """Returns when `is_so()`. A test that hangs here is ended by pytest's limit (pyproject.toml)."""
    while not is_so():
        time.sleep(0.005)
