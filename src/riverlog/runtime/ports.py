"""Free ports of the loopback interface, for clusters whose nodes must know each other's before they start.

They lie below the range from which the kernel draws ports for outgoing connections: one of those
could otherwise take a node's port while the node is down.
"""

from __future__ import annotations

import random
import socket

HOST = "127.0.0.1"
_LOW, _HIGH = 20_000, 32_000
_TRIES_MAX = 1000


def hold_port() -> socket.socket:
    """A socket bound to a free port. Named, not drawn by the kernel: it stays ours, listening or not."""
    chance = random.SystemRandom()
    for _ in range(_TRIES_MAX):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((HOST, chance.randrange(_LOW, _HIGH)))
        except OSError:
            sock.close()
            continue
        return sock
    raise OSError(f"no free port between {_LOW} and {_HIGH} on {HOST}")


def free_ports(count: int) -> list[int]:
    """So many different ports that nobody uses now."""
    held = [hold_port() for _ in range(count)]
    try:
        return [int(sock.getsockname()[1]) for sock in held]
    finally:
        for sock in held:
            sock.close()
