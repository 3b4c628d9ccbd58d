"""A pytest fixture: add ``pytest_plugins = ["riverlog.testing.plugin"]`` to ``conftest.py``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from riverlog.testing.in_process import TestBroker, broker


@pytest.fixture(scope="session")
def riverlog_broker() -> Iterator[TestBroker]:
    """One broker for the whole test session."""
    with broker() as running:
        yield running
