"""Pytest fixtures: add ``pytest_plugins = ["riverlog.testing.plugin"]`` to ``conftest.py``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from riverlog.testing.cluster import TestCluster, cluster
from riverlog.testing.in_process import TestBroker, broker


@pytest.fixture(scope="session")
def riverlog_broker() -> Iterator[TestBroker]:
    """One broker for the whole test session."""
    with broker() as running:
        yield running


@pytest.fixture
def riverlog_cluster() -> Iterator[TestCluster]:
    """A cluster of three nodes for one test, which may do to it what it likes."""
    with cluster(3) as running:
        yield running
