"""The network of a test cluster: bytes pass, a cut is silent, a target that is down refuses."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from riverlog.testing.links import Links

SILENCE_SECONDS = 0.2


class Echo:
    """A target that sends back what it gets, and keeps it."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.socket.getsockname()[1])
        self.got = bytearray()
        self.accepted: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            self.accepted.append(client)
            threading.Thread(target=self._echo, args=(client,), daemon=True).start()

    def _echo(self, client: socket.socket) -> None:
        try:
            while data := client.recv(65536):
                self.got += data
                client.sendall(data)
        except OSError:
            return
        finally:
            client.close()

    def close(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        for client in self.accepted:
            client.close()


@pytest.fixture
def echo() -> Iterator[Echo]:
    target = Echo()
    yield target
    target.close()


@pytest.fixture
def links() -> Iterator[Links]:
    made = Links()
    yield made
    made.close()


def dial(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=5)


def receive(sock: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = sock.recv(size - len(data))
        if not part:
            break
        data += part
    return bytes(data)


def is_silent(sock: socket.socket) -> bool:
    sock.settimeout(SILENCE_SECONDS)
    try:
        return not sock.recv(1)
    except TimeoutError:
        return True
    finally:
        sock.settimeout(5)


def test_bytes_pass_both_ways(links: Links, echo: Echo) -> None:
    data = bytes(range(256)) * 20_000
    with dial(links.add(1, 2, echo.port)) as sock:
        sender = threading.Thread(target=sock.sendall, args=(data,))
        sender.start()
        assert receive(sock, len(data)) == data
        sender.join()


def test_a_cut_is_silent_and_healing_brings_everything(links: Links, echo: Echo) -> None:
    with dial(links.add(1, 2, echo.port)) as sock:
        sock.sendall(b"before")
        assert receive(sock, 6) == b"before"
        links.cut(1, 2)
        links.cut(2, 1)
        sock.sendall(b"during")
        assert is_silent(sock)
        assert echo.got == b"before"
        links.heal()
        assert receive(sock, 6) == b"during"


def test_a_cut_in_one_direction_lets_the_other_pass(links: Links, echo: Echo) -> None:
    with dial(links.add(1, 2, echo.port)) as sock:
        sock.sendall(b"before")
        assert receive(sock, 6) == b"before"
        links.cut(2, 1)
        sock.sendall(b"during")
        assert is_silent(sock)
        assert echo.got == b"beforeduring"
        links.heal()
        assert receive(sock, 6) == b"during"


def test_new_connections_hang_while_cut(links: Links, echo: Echo) -> None:
    port = links.add(1, 2, echo.port)
    links.cut(2, 1)
    with dial(port) as sock:
        sock.sendall(b"hello")
        assert is_silent(sock)
        assert echo.accepted == []
        links.heal()
        assert receive(sock, 5) == b"hello"


def test_other_pairs_are_not_cut(links: Links, echo: Echo) -> None:
    port = links.add(1, 3, echo.port)
    links.cut(1, 2)
    links.cut(2, 1)
    with dial(port) as sock:
        sock.sendall(b"hello")
        assert receive(sock, 5) == b"hello"


def test_a_target_that_is_down_refuses_and_comes_back(links: Links, echo: Echo) -> None:
    port = links.add(1, 2, echo.port)
    with dial(port) as sock:
        sock.sendall(b"hello")
        assert receive(sock, 5) == b"hello"
        links.target_down(2)
        assert receive(sock, 1) == b""
    for _ in range(3):
        with pytest.raises(ConnectionRefusedError):
            dial(port)
    links.target_up(2)
    with dial(port) as sock:
        sock.sendall(b"again")
        assert receive(sock, 5) == b"again"


def test_the_end_of_one_side_reaches_the_other(links: Links, echo: Echo) -> None:
    with dial(links.add(1, 2, echo.port)) as sock:
        sock.sendall(b"x")
        assert receive(sock, 1) == b"x"
        echo.accepted[0].shutdown(socket.SHUT_RDWR)
        assert receive(sock, 1) == b""
