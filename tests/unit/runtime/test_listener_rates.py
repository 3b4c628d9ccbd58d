"""How fast connections may come in: over real sockets, with a broker in this process."""

from __future__ import annotations

import socket
import time

from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated import alter_client_quotas_request as alter
from riverlog.protocol.generated.metadata_request import MetadataRequest
from riverlog.testing import broker


class Peer:
    def __init__(self, bootstrap: str) -> None:
        host, _, port = bootstrap.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=10)

    def call(self, key: ApiKey, version: int, request: object) -> object:
        self._socket.sendall(encode_request(key, version, 1, "test", request))
        size = int.from_bytes(self._receive(4), "big")
        return decode_response(key, version, memoryview(self._receive(size)))[1]

    def is_served(self) -> bool:
        try:
            self.call(ApiKey.METADATA, 12, MetadataRequest(topics=[]))
        except ConnectionError:
            return False
        return True

    def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            received = self._socket.recv(count - len(data))
            if not received:
                raise ConnectionResetError("closed")
            data += received
        return data

    def close(self) -> None:
        self._socket.close()


def test_address_past_its_rate_is_not_served_and_comes_back_later() -> None:
    with broker() as running:
        admin = Peer(running.bootstrap)
        entity = [alter.EntityData(entity_type="ip", entity_name="127.0.0.1")]
        limit = [alter.OpData(key="connection_creation_rate", value=2.0)]
        request = alter.AlterClientQuotasRequest(entries=[alter.EntryData(entity=entity, ops=limit)])
        admin.call(ApiKey.ALTER_CLIENT_QUOTAS, 1, request)
        # Twenty fit into the window; what is refused does not count.
        peers = [Peer(running.bootstrap) for _ in range(20)]
        assert all(peer.is_served() for peer in peers)
        started = time.monotonic()
        late = Peer(running.bootstrap)
        assert not late.is_served()
        assert 0.2 < time.monotonic() - started < 2
        # Connections that are there already are served as before.
        assert admin.is_served()
        limit[0].remove = True
        admin.call(ApiKey.ALTER_CLIENT_QUOTAS, 1, request)
        again = Peer(running.bootstrap)
        assert again.is_served()
        for peer in (admin, late, again, *peers):
            peer.close()


def test_past_the_rate_of_all_accepting_pauses() -> None:
    config = {"max.connection.creation.rate": 10, "quota.window.num": 2}
    with broker(config) as running:
        started = time.monotonic()
        peers = [Peer(running.bootstrap) for _ in range(20)]
        assert all(peer.is_served() for peer in peers)
        # Ten at once, then ten a second.
        assert time.monotonic() - started > 0.5
        for peer in peers:
            peer.close()
