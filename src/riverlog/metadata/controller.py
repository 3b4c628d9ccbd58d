"""What decisions are made of.

Deciding is pure: a function of the controller's state that returns records and a response and changes
nothing. The functions are in one file per subject (``topics``, ``partitions``, ``configs``, ``brokers``,
``producer_ids``); ``MetadataNode.decide`` appends the records and lets the response leave once they
are committed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from riverlog.base.config import BrokerConfig
from riverlog.base.errors import ErrorCode
from riverlog.env import Rng
from riverlog.metadata.records import MetadataRecord
from riverlog.protocol.primitives import ZERO_UUID

R = TypeVar("R")

RECORDS_PER_REQUEST_MAX = 10_000
"""Kafka's bound on the records of one user request; more is ``POLICY_VIOLATION``."""
TOO_MANY_RECORDS = f"One request may not make more than {RECORDS_PER_REQUEST_MAX} metadata records."

MIGRATING_DIRECTORY = ZERO_UUID
UNASSIGNED_DIRECTORY = (1).to_bytes(16, "big")
"""Reserved ids of a folder that nobody has named yet (KIP-858)."""
LOST_DIRECTORY = (2).to_bytes(16, "big")
"""Where a broker says that a replica is whose data is broken."""


@dataclass(slots=True)
class Decision(Generic[R]):
    """Records to append, and what to answer once they are committed (at once if there are none)."""

    response: R
    records: list[MetadataRecord] = field(default_factory=list)


@dataclass(slots=True)
class ControllerSettings:
    """What decisions need besides the state."""

    node_id: int
    config: BrokerConfig
    rng: Rng


class Refused(Exception):
    """A request's item that is answered with an error. Never leaves the function that decides."""

    def __init__(self, error: ErrorCode, message: str | None) -> None:
        super().__init__(message)
        self.error = error
        self.message = message


Spend = Callable[[int], None]
"""Pays for partitions created or deleted; raises ``Refused`` when the client's quota is used up (KIP-599)."""


def free(_partitions: int) -> None:
    """For those who have no quota."""


def random_uuid(rng: Rng) -> bytes:
    """A random UUID (version 4), never one of the reserved low ones nor one with a leading ``-``."""
    while True:
        raw = bytearray(rng.random_bytes(16))
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        # Its base64 text must not start with "-": command lines would take it for an option.
        if raw[0] >> 2 != 62:
            return bytes(raw)
