"""Where tests of jobs read and write, and how examples are drawn."""

import pytest
from hypothesis import HealthCheck, settings

# Both are limits of the clock, which a busy machine passes.
settings.register_profile("without clocks", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("without clocks")


@pytest.fixture
def source(tmp_path):
    return tmp_path / "in.parquet"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"
