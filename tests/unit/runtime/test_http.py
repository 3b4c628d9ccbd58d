"""The metrics port and the limits of listeners, on a broker in this process."""

from __future__ import annotations

import socket
import struct
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from riverlog.base.config import BrokerConfig, ConfigError
from riverlog.runtime.listeners import advertised, client_listeners
from riverlog.testing import TestBroker, broker


@pytest.fixture(scope="module")
def running() -> Iterator[TestBroker]:
    with broker() as b:
        yield b


def page(running: TestBroker, path: str) -> tuple[int, str]:
    url = running.metrics_url.removesuffix("/metrics") + path
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_metrics_are_what_prometheus_reads(running: TestBroker) -> None:
    status, text = page(running, "/metrics")
    assert status == 200
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert families["mq_process_resident_memory_bytes"].samples[0].value > 1e6
    assert {"mq_connections", "mq_messages_in", "mq_produce_latency_ms", "mq_disk_free_bytes"} <= set(
        families
    )


def test_health_and_readiness(running: TestBroker) -> None:
    assert page(running, "/healthz") == (200, "alive\n")
    assert page(running, "/readyz") == (200, "ready\n")


def test_unknown_page_and_method_are_refused(running: TestBroker) -> None:
    assert page(running, "/nothing")[0] == 404
    host, port = running.metrics_url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as sock:
        sock.sendall(b"POST /metrics HTTP/1.1\r\n\r\n")
        assert sock.recv(100).startswith(b"HTTP/1.1 405")


def test_an_endless_request_head_is_cut_off(running: TestBroker) -> None:
    host, port = running.metrics_url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as sock:
        sock.sendall(b"GET /metrics HTTP/1.1\r\nX: " + b"y" * 9000)
        assert sock.recv(100).startswith(b"HTTP/1.1 431")
    assert page(running, "/healthz")[0] == 200


def answers(sock: socket.socket) -> bool:
    """Whether the broker answers ApiVersions on this connection."""
    sock.settimeout(5)
    try:
        sock.sendall(struct.pack(">ihhih", 10, 18, 0, 1, -1))
        return len(sock.recv(4)) == 4
    except OSError:
        return False


def connect(running: TestBroker) -> socket.socket:
    host, port = running.bootstrap.split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def test_one_connection_too_many_from_an_address_is_closed() -> None:
    with broker({"max.connections.per.ip": 2}) as b:
        first, second, third = (connect(b) for _ in range(3))
        with first, second, third:
            assert answers(first)
            assert answers(second)
            assert not answers(third)
        with connect(b) as later:
            assert answers(later)


def test_an_override_gives_an_address_its_own_limit() -> None:
    settings = {"max.connections.per.ip": 100, "max.connections.per.ip.overrides": "127.0.0.1:1"}
    with broker(settings) as b, connect(b) as first, connect(b) as second:
        assert answers(first)
        assert not answers(second)


def test_past_max_connections_new_ones_wait() -> None:
    with broker({"max.connections": 1}) as b:
        with connect(b) as first:
            assert answers(first)
            second = connect(b)  # the kernel takes it, the broker does not yet
            second.sendall(struct.pack(">ihhih", 10, 18, 0, 1, -1))
            second.settimeout(0.3)
            with pytest.raises(TimeoutError):
                second.recv(4)
        with second:
            second.settimeout(10)
            assert len(second.recv(4)) == 4


def test_idle_connections_are_closed() -> None:
    with broker({"connections.max.idle.ms": 200}) as b, connect(b) as sock:
        assert answers(sock)
        sock.settimeout(10)
        while sock.recv(4096):
            pass  # the rest of the answer, then the close


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"listeners": "SSL://:9093"}, "SSL is not supported yet"),
        ({"listeners": "nonsense"}, "NAME://host:port"),
        ({"listeners": "CONTROLLER://:9093", "controller.listener.names": "CONTROLLER",
          "listener.security.protocol.map": "CONTROLLER:PLAINTEXT"}, "needs a listener for clients"),
    ],
)  # fmt: skip
def test_listeners_that_cannot_be_are_refused_in_one_line(settings: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said) as refused:
        client_listeners(BrokerConfig(settings))
    assert "\n" not in str(refused.value)


def test_advertised_listeners_default_to_what_is_bound() -> None:
    config = BrokerConfig({"listeners": "PLAINTEXT://127.0.0.1:0,INSIDE://127.0.0.1:0",
                           "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,INSIDE:PLAINTEXT",
                           "advertised.listeners": "PLAINTEXT://example.org:7000"})  # fmt: skip
    told = advertised(config, client_listeners(config))
    assert [(e.listener, e.host, e.port) for e in told] == [
        ("PLAINTEXT", "example.org", 7000),
        ("INSIDE", "127.0.0.1", 0),
    ]
