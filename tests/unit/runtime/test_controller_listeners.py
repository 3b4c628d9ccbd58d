"""Which listeners a node opens, by its roles; the controller's serve before clients may come."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from riverlog.base.config import BrokerConfig, ConfigError
from riverlog.base.listeners import Endpoint
from riverlog.runtime.listeners import (
    Listeners,
    adopt_controller_listener,
    client_listeners,
    controller_listeners,
)
from riverlog.runtime.loop import Loop

BOTH = "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0"


def config(listeners: str, *, names: str = "CONTROLLER", **settings: str) -> BrokerConfig:
    static = {"listeners": listeners, **{key.replace("_", "."): value for key, value in settings.items()}}
    if names:
        static["controller.listener.names"] = names
    return BrokerConfig(static)


def names(endpoints: list[Endpoint]) -> list[str]:
    return [endpoint.listener for endpoint in endpoints]


def test_a_combined_node_has_both_kinds() -> None:
    combined = config(BOTH)
    assert names(client_listeners(combined)) == ["PLAINTEXT"]
    assert names(controller_listeners(combined)) == ["CONTROLLER"]  # PLAINTEXT where the map does not say


def test_a_listener_named_controller_is_the_controllers_by_default() -> None:
    combined = config(BOTH, names="")
    adopt_controller_listener(combined)
    assert names(client_listeners(combined)) == ["PLAINTEXT"]
    assert names(controller_listeners(combined)) == ["CONTROLLER"]


def test_a_single_node_needs_no_controller_listener() -> None:
    alone = config("PLAINTEXT://127.0.0.1:0", names="")
    adopt_controller_listener(alone)
    assert names(controller_listeners(alone)) == []
    assert names(client_listeners(alone)) == ["PLAINTEXT"]


def test_a_broker_has_only_listeners_for_clients() -> None:
    assert names(client_listeners(config("PLAINTEXT://:9092", process_roles="broker"))) == ["PLAINTEXT"]
    with pytest.raises(ConfigError, match="which this node is not"):
        controller_listeners(config(BOTH, process_roles="broker"))


def test_a_controller_has_only_its_own() -> None:
    only = config("CONTROLLER://:9093", process_roles="controller")
    assert client_listeners(only) == []
    assert names(controller_listeners(only)) == ["CONTROLLER"]
    with pytest.raises(ConfigError, match="a controller has only those"):
        client_listeners(config(BOTH, process_roles="controller"))


class Session:
    in_flight = 0

    def __init__(self, broker: FakeBroker) -> None:
        self._broker = broker

    def on_frame(self, frame: memoryview) -> None:
        self._broker.frames.append(bytes(frame))

    def on_closed(self, reason: str) -> None:
        self._broker.closed.append(reason)


class FakeBroker:
    """Takes sessions; no limits on how fast they come."""

    def __init__(self) -> None:
        self.sessions: list[str] = []
        self.frames: list[bytes] = []
        self.closed: list[str] = []
        self.quotas: Any = type("Quotas", (), {"connections": type("Rates", (), {"active": False})})

    def connected(self, connection: Any, *, listener: str, peer_host: str) -> Session:
        self.sessions.append(listener)
        return Session(self)


class Opened:
    """Listeners of a combined node, and a broker that counts who comes."""

    def __init__(self, **settings: str) -> None:
        self.loop = Loop()
        chosen = config(BOTH, **settings)
        endpoints = [*client_listeners(chosen), *controller_listeners(chosen)]
        self.listeners = Listeners(self.loop, chosen, endpoints)
        self.broker: Any = FakeBroker()

    def dial(self, listener: str) -> socket.socket:
        (port,) = [e.port for e in self.listeners.bound if e.listener == listener]
        sock = socket.create_connection(("127.0.0.1", port), timeout=5)
        for _ in range(3):
            self.loop.call_later(0.01, lambda: None)
            self.loop.run_once()
        return sock

    def close(self) -> None:
        self.listeners.close()
        self.loop.close()


def test_the_controller_is_served_before_clients() -> None:
    opened = Opened()
    opened.listeners.serve_controller(opened.broker)
    with opened.dial("PLAINTEXT"), opened.dial("CONTROLLER"):
        assert opened.broker.sessions == ["CONTROLLER"]
        opened.listeners.serve(opened.broker)
        with opened.dial("CONTROLLER"):
            assert opened.broker.sessions == ["CONTROLLER", "PLAINTEXT", "CONTROLLER"]
    opened.close()


def test_limits_on_clients_do_not_hold_for_the_quorum() -> None:
    opened = Opened(max_connections="1", max_connections_per_ip="1")
    opened.listeners.serve(opened.broker)
    socks = [opened.dial(name) for name in ("PLAINTEXT", "PLAINTEXT", "CONTROLLER", "CONTROLLER")]
    assert opened.broker.sessions == ["PLAINTEXT", "CONTROLLER", "CONTROLLER"]
    for sock in socks:
        sock.close()
    opened.close()


def test_connections_of_the_quorum_are_never_idle() -> None:
    opened = Opened(connections_max_idle_ms="100")
    opened.listeners.serve(opened.broker)
    with opened.dial("PLAINTEXT") as client, opened.dial("CONTROLLER") as peer:
        deadline = opened.loop.monotonic() + 5
        while not opened.broker.closed:
            assert opened.loop.monotonic() < deadline
            opened.loop.run_once()
        assert client.recv(1) == b""
        assert len(opened.broker.closed) == 1
        peer.sendall(b"\0\0\0\1x")
        while not opened.broker.frames:
            assert opened.loop.monotonic() < deadline
            opened.loop.run_once()
    opened.close()
