"""Where tests of jobs read and write."""

import pytest


@pytest.fixture
def source(tmp_path):
    return tmp_path / "in.parquet"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"
