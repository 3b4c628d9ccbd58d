"""The APIs: keys, versions, header versions, and their codecs, imported when first used."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any, Protocol, cast

from riverlog.protocol.generated.index import (
    APIS,
    GROUP_RECORDS,
    METADATA_RECORDS,
    SHARE_RECORDS,
    TRANSACTION_RECORDS,
    ApiKey,
)

__all__ = ["Api", "ApiKey", "Codec", "api", "codec", "coordinator_records", "known", "metadata_record"]


NEVER = 32767
"""``flexible_from`` of what has no flexible version."""


class Codec(Protocol):
    """What every generated module offers."""

    NAME: str
    API_KEY: int
    VERSIONS: tuple[int, int]
    FLEXIBLE_FROM: int
    LATEST_UNSTABLE: bool

    def decode(self, buffer: memoryview, position: int, version: int) -> tuple[Any, int]: ...

    def encode(self, message: Any, version: int) -> bytes: ...


def codec(module: str) -> Codec:
    """The generated module of a message by its snake_case name."""
    return cast(Codec, import_module("riverlog.protocol.generated." + module))


class Api:
    """One API: a request, its response and what both look like on the wire."""

    def __init__(self, key: int) -> None:
        row = APIS[key]
        self.key = ApiKey(key)
        self.name = row.name
        self.versions = (row.low, row.high)
        self.latest_unstable = row.latest_unstable
        self.listeners = row.listeners
        # KIP-511: an ApiVersions response keeps header 0 whatever its version: any client can read it.
        self.response_flexible_from = NEVER if key == ApiKey.API_VERSIONS else row.response_flexible_from
        self._row = row

    @cached_property
    def request(self) -> Codec:
        return codec(self._row.request)

    @cached_property
    def response(self) -> Codec:
        return codec(self._row.response)

    def request_header_version(self, version: int) -> int:
        return 2 if version >= self._row.request_flexible_from else 1

    def response_header_version(self, version: int) -> int:
        return 1 if version >= self.response_flexible_from else 0

    def __repr__(self) -> str:
        return f"Api({self.name})"


_APIS = {key: Api(key) for key in APIS}


def api(key: int) -> Api:
    """The API of a key; ``KeyError`` for a key Kafka does not have."""
    return _APIS[key]


def known() -> list[Api]:
    """All APIs, by key."""
    return list(_APIS.values())


def metadata_record(key: int) -> Codec:
    """The codec of a record in the metadata log; ``KeyError`` for a type we do not know."""
    return codec(METADATA_RECORDS[key])


_COORDINATORS = {"group": GROUP_RECORDS, "transaction": TRANSACTION_RECORDS, "share": SHARE_RECORDS}


def coordinator_records(coordinator: str, record_type: int) -> tuple[Codec, Codec]:
    """Key and value codecs of a coordinator's record type (the int16 its key starts with)."""
    key, value = _COORDINATORS[coordinator][record_type]
    return codec(key), codec(value)
