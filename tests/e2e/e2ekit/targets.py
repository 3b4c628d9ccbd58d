"""Which broker the tests run against, and where it listens."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from bench.brokers import Broker, Kafka, Riverlog, port_is_free
from bench.jars import KafkaUnavailable, kafka_libs

TARGET = os.environ.get("RIVERLOG_E2E_TARGET", "riverlog")
# Outside the range of ports the kernel gives to clients: a client that knocks while the broker is
# down must not be handed that very port.
_PORTS = range(19430, 19500, 2)
_turns = cycle(_PORTS)
_KAFKA_JVM = "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

MakeBroker = Callable[..., Broker]


def free_port() -> int:
    """A port nobody listens on, with the one above it free too (Kafka's controller)."""
    for port, _ in zip(_turns, _PORTS, strict=False):
        if port_is_free(port) and port_is_free(port + 1):
            return port
    raise AssertionError(f"no free port from {_PORTS.start} to {_PORTS.stop}")


def new_broker(folder: Path, settings: dict[str, str]) -> Broker:
    """A broker on that folder, not started; skips the test where Kafka is wanted and missing."""
    if TARGET == "riverlog":
        return Riverlog(folder, free_port(), settings)
    try:
        return Kafka(folder, free_port(), kafka_libs(), settings, jvm=_KAFKA_JVM)
    except KafkaUnavailable as missing:
        pytest.skip(str(missing))
