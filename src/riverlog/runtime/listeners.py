"""Listening sockets: bind, accept within the limits, close what is idle.

``max.connections.per.ip``: one too many is closed at once. ``max.connections``: no more are
accepted until one goes; the kernel's backlog holds the next ones, as in Kafka. Past
``max.connection.creation.rate`` accepting pauses; an address past its own rate finds a connection that
is closed unserved, after a while (KIP-612). None of this holds for the listeners of the controller:
the quorum must not wait for clients, and a heartbeat's connection is never idle (RULES: early fencing 1).
"""

from __future__ import annotations

import errno
import logging
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig, ConfigError
from riverlog.base.listeners import Endpoint, parse_listeners, parse_protocol_map
from riverlog.broker.broker import Broker
from riverlog.runtime.connection import Buffers, SocketConnection
from riverlog.runtime.loop import READ, Loop

logger = logging.getLogger("riverlog.runtime")

ACCEPT_BURST_MAX = 64
PARTIAL_FRAME_BYTES_MAX = 256 * 1024 * 1024
"""Bound on partial frames of all connections where ``queued.max.request.bytes`` is not set."""
_IDLE_SWEEP_SECONDS_MAX = 10.0
_ACCEPT_RETRY_SECONDS = 1.0
REFUSED_MAX = 1000
"""Unserved connections held open until their address may come again; more are closed at once."""


class ListenError(Exception):
    """A listener cannot be opened: one line for the user."""


def adopt_controller_listener(config: BrokerConfig) -> None:
    """Without ``controller.listener.names``, a listener named CONTROLLER is the controller's."""
    if not config[broker_configs.CONTROLLER_LISTENER_NAMES]:
        texts = config[broker_configs.LISTENERS]
        if any(text.partition("://")[0].strip().upper() == "CONTROLLER" for text in texts):
            config.adopt(broker_configs.CONTROLLER_LISTENER_NAMES, ("CONTROLLER",))


def client_listeners(config: BrokerConfig) -> list[Endpoint]:
    """The listeners for clients and other brokers; none on a node that is only a controller."""
    chosen = [e for e in _parsed(config) if e.listener not in _controller_names(config)]
    if "broker" not in config[broker_configs.PROCESS_ROLES]:
        if chosen:
            raise ConfigError(
                "listeners", chosen[0].listener, "a controller has only those of controller.listener.names"
            )
        return []
    if not chosen:
        texts = config[broker_configs.LISTENERS]
        raise ConfigError("listeners", ",".join(texts), "needs a listener for clients")
    return chosen


def controller_listeners(config: BrokerConfig) -> list[Endpoint]:
    """The listeners of the metadata quorum. A broker has none; a single node need not have any."""
    chosen = [e for e in _parsed(config) if e.listener in _controller_names(config)]
    roles = config[broker_configs.PROCESS_ROLES]
    if "controller" not in roles and chosen:
        raise ConfigError(
            "listeners", chosen[0].listener, "is a controller's, which this node is not (process.roles)"
        )
    if "broker" not in roles and not chosen:
        texts = config[broker_configs.LISTENERS]
        raise ConfigError("listeners", ",".join(texts), "needs a listener of controller.listener.names")
    return chosen


def _controller_names(config: BrokerConfig) -> set[str]:
    return {name.upper() for name in config[broker_configs.CONTROLLER_LISTENER_NAMES]}


def _parsed(config: BrokerConfig) -> tuple[Endpoint, ...]:
    protocols = parse_protocol_map(config[broker_configs.LISTENER_SECURITY_PROTOCOL_MAP])
    for name in _controller_names(config):
        protocols.setdefault(name, "PLAINTEXT")  # as in Kafka, where the map does not say
    texts = config[broker_configs.LISTENERS]
    endpoints = parse_listeners(texts, protocols)
    for endpoint in endpoints:
        if endpoint.security_protocol != "PLAINTEXT":
            raise ConfigError(
                "listeners",
                f"{endpoint.listener}://{endpoint.host}:{endpoint.port}",
                f"security protocol {endpoint.security_protocol} is not supported yet, only PLAINTEXT",
            )
    return endpoints


def advertised(config: BrokerConfig, bound: list[Endpoint]) -> list[Endpoint]:
    """What others are told, for each bound listener: the bound address unless set."""
    protocols = parse_protocol_map(config[broker_configs.LISTENER_SECURITY_PROTOCOL_MAP])
    for name in _controller_names(config):
        protocols.setdefault(name, "PLAINTEXT")
    texts = config[broker_configs.ADVERTISED_LISTENERS] or ()
    said = {e.listener: e for e in parse_listeners(texts, protocols, name="advertised.listeners")}
    result = []
    for endpoint in bound:
        chosen = said.get(endpoint.listener, endpoint)
        host = _own_name() if chosen.host in ("", "0.0.0.0", "::") else chosen.host
        result.append(replace(chosen, host=host, port=chosen.port or endpoint.port))
    return result


def _own_name() -> str:
    """This machine's name as others may know it; the loopback address where it has none that resolves."""
    name = socket.getfqdn()
    try:
        socket.getaddrinfo(name, None)
    except OSError:
        return "127.0.0.1"
    return name


class Listeners:
    """Every listening socket of a broker and the connections made to them."""

    def __init__(self, loop: Loop, config: BrokerConfig, endpoints: list[Endpoint]) -> None:
        self._loop = loop
        self._config = config
        self._sockets: list[tuple[socket.socket, str]] = []
        self.bound: list[Endpoint] = []
        self.connections: dict[SocketConnection, None] = {}
        """Of clients and brokers; those to the controller's listeners come on top."""
        self._to_controller: dict[SocketConnection, None] = {}
        self._controller_names = _controller_names(config)
        self._serving: set[str] = set()
        """Names of the listeners that may accept."""
        self._accepting: set[socket.socket] = set()
        self._per_ip: Counter[str] = Counter()
        self._resume_at = 0.0
        """No connection is accepted before."""
        self._refused: dict[socket.socket, None] = {}
        queued = config[broker_configs.QUEUED_MAX_REQUEST_BYTES]
        self._buffers = Buffers(
            frame_bytes_max=config[broker_configs.SOCKET_REQUEST_MAX_BYTES],
            total_bytes_max=queued if queued > 0 else PARTIAL_FRAME_BYTES_MAX,
        )
        for endpoint in endpoints:
            self._open(endpoint)

    def _open(self, endpoint: Endpoint) -> None:
        host = endpoint.host or "0.0.0.0"
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, endpoint.port))
            sock.listen(max(self._config[broker_configs.SOCKET_LISTEN_BACKLOG_SIZE], 128))
            sock.setblocking(False)
        except OSError as error:
            sock.close()
            for other, _ in self._sockets:
                other.close()
            what = (
                "is in use by another process"
                if error.errno == errno.EADDRINUSE
                else str(error.strerror or error)
            )
            raise ListenError(f"cannot listen on {host}:{endpoint.port}: {what}") from error
        self._sockets.append((sock, endpoint.listener))
        self.bound.append(replace(endpoint, port=sock.getsockname()[1]))

    @property
    def request_memory_bytes(self) -> int:
        """Partial frames held in memory."""
        return self._buffers.total_bytes

    def serve_controller(self, broker: Broker) -> None:
        """Accept connections to the controller's listeners from now on."""
        self._broker = broker
        self._serving |= self._controller_names
        self._accept_on()

    def serve(self, broker: Broker) -> None:
        """Accept every connection from now on."""
        self._broker = broker
        self._serving = {endpoint.listener for endpoint in self.bound}
        self._accept_on()
        idle_ms = self._config[broker_configs.CONNECTIONS_MAX_IDLE_MS]
        if idle_ms > 0:
            self._idle_seconds = idle_ms / 1000
            self._sweep_seconds = min(_IDLE_SWEEP_SECONDS_MAX, self._idle_seconds / 4)
            self._loop.call_later(self._sweep_seconds, self._close_idle)

    def close(self) -> None:
        """Stop accepting and drop every connection."""
        for sock, _ in self._sockets:
            self._accept_off(sock)
            sock.close()
        self._sockets.clear()
        for refused in list(self._refused):
            self._close_refused(refused)
        for connection in [*self.connections, *self._to_controller]:
            connection.flush()
            connection.close("the broker stops")

    # -- accepting -----------------------------------------------------------------------

    def _accept_on(self) -> None:
        """Accept where that is allowed now."""
        clients_too = (
            len(self.connections) < self._config[broker_configs.MAX_CONNECTIONS]
            and self._loop.monotonic() >= self._resume_at
        )
        for sock, name in self._sockets:
            allowed = name in self._serving and (clients_too or name in self._controller_names)
            if allowed and sock not in self._accepting:
                self._accepting.add(sock)
                self._loop.add(sock.fileno(), READ, self._acceptor(sock, name))

    def _accept_off(self, sock: socket.socket) -> None:
        if sock in self._accepting:
            self._accepting.discard(sock)
            self._loop.remove(sock.fileno())

    def _clients_off(self) -> None:
        """Leave new connections of clients in the kernel's backlog."""
        for sock, name in self._sockets:
            if name not in self._controller_names:
                self._accept_off(sock)

    def _acceptor(self, sock: socket.socket, name: str) -> Callable[[int], None]:
        def accept(_events: int) -> None:
            for _ in range(ACCEPT_BURST_MAX):
                if sock not in self._accepting:
                    return
                try:
                    client, address = sock.accept()
                except BlockingIOError:
                    return
                except OSError as error:
                    if error.errno in (errno.EMFILE, errno.ENFILE):
                        # Out of descriptors: stop until a connection closes, or a file does.
                        logger.error("cannot accept on %s: %s", name, error.strerror)
                        self._accept_off(sock)
                        self._loop.call_later(_ACCEPT_RETRY_SECONDS, self._accept_again)
                    return
                self._accepted(client, str(address[0]), name)

        return accept

    def _accepted(self, client: socket.socket, host: str, name: str) -> None:
        if name in self._controller_names:
            self._take(client, host, name, self._to_controller)
            return
        limit = self._per_ip_max(host)
        if self._per_ip[host] >= limit:
            client.close()
            return
        if self._broker.quotas.connections.active and self._is_too_fast(client, host):
            return
        self._take(client, host, name, self.connections)
        self._per_ip[host] += 1
        if len(self.connections) >= self._config[broker_configs.MAX_CONNECTIONS]:
            self._clients_off()

    def _take(
        self, client: socket.socket, host: str, name: str, connections: dict[SocketConnection, None]
    ) -> None:
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for option, row in (
            (socket.SO_SNDBUF, broker_configs.SOCKET_SEND_BUFFER_BYTES),
            (socket.SO_RCVBUF, broker_configs.SOCKET_RECEIVE_BUFFER_BYTES),
        ):
            # Kafka's default would switch off the kernel's tuning; only a set value counts.
            if self._config.is_set(row) and self._config[row] > 0:
                client.setsockopt(socket.SOL_SOCKET, option, self._config[row])
        connection = SocketConnection(self._loop, self._buffers, client, host, self._forget)
        connection.owner = self._broker.connected(connection, listener=name, peer_host=host)
        connections[connection] = None

    def _is_too_fast(self, client: socket.socket, host: str) -> bool:
        """Whether the address may not have this connection; where all come too fast, pause."""
        rates = self._broker.quotas.connections
        refusal = rates.refusal_seconds(host)
        if refusal > 0:
            if len(self._refused) >= REFUSED_MAX:
                client.close()
            else:
                self._refused[client] = None
                self._loop.call_later(refusal, lambda: self._close_refused(client))
            return True
        pause = rates.pause_seconds()
        if pause > 0:
            self._clients_off()
            self._resume_at = self._loop.monotonic() + pause
            self._loop.call_later(pause, self._accept_again)
        return False

    def _accept_again(self) -> None:
        if self._sockets:
            self._accept_on()

    def _close_refused(self, client: socket.socket) -> None:
        if self._refused.pop(client, _MISSING) is not _MISSING:
            client.close()

    def _per_ip_max(self, host: str) -> int:
        overrides = _overrides(self._config[broker_configs.MAX_CONNECTIONS_PER_IP_OVERRIDES])
        return overrides.get(host, self._config[broker_configs.MAX_CONNECTIONS_PER_IP])

    def _forget(self, connection: SocketConnection) -> None:
        if self.connections.pop(connection, _MISSING) is _MISSING:
            self._to_controller.pop(connection, None)
            return
        host = connection.peer_host
        self._per_ip[host] -= 1
        if self._per_ip[host] <= 0:
            del self._per_ip[host]
        if self._sockets:
            self._accept_on()

    def _close_idle(self) -> None:
        self._loop.call_later(self._sweep_seconds, self._close_idle)
        before = self._loop.monotonic() - self._idle_seconds
        for connection in [c for c in self.connections if c.last_active < before]:
            if connection.owner.in_flight == 0:
                connection.close("idle for longer than connections.max.idle.ms")


_MISSING = object()


def _overrides(text: str) -> Mapping[str, int]:
    """``max.connections.per.ip.overrides``: ``host:count`` pairs."""
    pairs = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        host, _, count = pair.rpartition(":")  # well formed: the setting's type checks it
        pairs[host] = int(count)
    return pairs
