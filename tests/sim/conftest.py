"""How many seeds: a few by default, ``RIVERLOG_SIM_SEEDS=n`` (``make sim SEEDS=n``) for more."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator

import pytest


def seed_count(default: int) -> int:
    """So many seeds of a test: its default, or more in proportion when more are asked for."""
    asked = os.environ.get("RIVERLOG_SIM_SEEDS")
    return default if asked is None else max(default, int(asked))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with an argument ``seed`` and the mark ``seeds(n)`` runs for each of n seeds."""
    mark = metafunc.definition.get_closest_marker("seeds")
    if mark is not None:
        metafunc.parametrize("seed", range(seed_count(mark.args[0])))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "seeds(n): how many seeds this test takes by default")


@pytest.fixture(autouse=True)
def _quiet_storage() -> Iterator[None]:
    """Recovery reports every cut; thousands of them say nothing."""
    logger = logging.getLogger("riverlog.storage")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(before)
