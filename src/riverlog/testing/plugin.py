"""Pytest fixtures: add ``pytest_plugins = ["riverlog.testing.plugin"]`` to ``conftest.py``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from riverlog.testing.cluster import TestCluster, cluster
from riverlog.testing.in_process import TestBroker, broker


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """A failed test that uses a cluster shows what its nodes said last."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.when == "call" and report.failed and isinstance(item, pytest.Function):
        for name, value in item.funcargs.items():
            if isinstance(value, TestCluster) and value.running:
                report.sections.append((f"nodes of {name}", value.logs()))


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
