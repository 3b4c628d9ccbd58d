"""Listener texts: ``NAME://host:port`` lists and the map from names to security protocols."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from riverlog.base.config_table import ConfigError

SECURITY_PROTOCOLS = {"PLAINTEXT": 0, "SSL": 1, "SASL_PLAINTEXT": 2, "SASL_SSL": 3}
"""Names and the numbers they have in metadata records."""

_LISTENER = re.compile(r"([A-Za-z0-9_.-]+)://(?:\[([0-9A-Fa-f:.%]+)\]|([^:/\[\]]*)):([0-9]{1,5})", re.ASCII)


@dataclass(slots=True, frozen=True)
class Endpoint:
    """A listener's address. An empty host means the usual interface."""

    listener: str
    host: str
    port: int
    security_protocol: str = "PLAINTEXT"


def parse_protocol_map(text: str, *, name: str = "listener.security.protocol.map") -> dict[str, str]:
    """Listener name → security protocol."""
    found: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        listener, colon, protocol = (part.strip() for part in item.partition(":"))
        if not colon or not listener or protocol.upper() not in SECURITY_PROTOCOLS:
            raise ConfigError(name, text, "must be NAME:PROTOCOL pairs with " + ", ".join(SECURITY_PROTOCOLS))
        found[listener.upper()] = protocol.upper()
    return found


def parse_listeners(
    items: Iterable[str], protocols: dict[str, str], *, name: str = "listeners"
) -> tuple[Endpoint, ...]:
    """The endpoints, or ``ConfigError`` for a bad form, an unmapped name, or a name used twice."""
    endpoints: list[Endpoint] = []
    for item in items:
        match = _LISTENER.fullmatch(item.strip())
        if match is None or int(match.group(4)) > 65_535:
            raise ConfigError(name, item, "must be NAME://host:port")
        listener = match.group(1).upper()
        host = match.group(2) or match.group(3) or ""
        if listener not in protocols:
            raise ConfigError(name, item, f"listener.security.protocol.map has no entry for {listener}")
        if any(other.listener == listener for other in endpoints):
            raise ConfigError(name, item, f"listener name {listener} is used twice")
        port = int(match.group(4))
        if port and any((other.host, other.port) == (host, port) for other in endpoints):
            raise ConfigError(name, item, f"port {port} is used twice")
        endpoints.append(Endpoint(listener, host, port, protocols[listener]))
    return tuple(endpoints)
