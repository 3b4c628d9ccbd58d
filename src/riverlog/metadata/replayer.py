"""Replaying the metadata log into a state, record by record.

What stands inside a metadata transaction is held back until the transaction ends (KIP-868); a feature
level that this version does not know stops the replay.
"""

from __future__ import annotations

from riverlog.metadata.errors import MetadataError
from riverlog.metadata.image import ClusterState, ReplayError
from riverlog.metadata.records import (
    KRAFT_VERSION,
    METADATA_VERSION,
    METADATA_VERSION_FEATURE,
    METADATA_VERSION_MIN,
    METADATA_VERSION_NAME,
    MetadataRecord,
)
from riverlog.protocol.generated.abort_transaction_record import AbortTransactionRecord
from riverlog.protocol.generated.begin_transaction_record import BeginTransactionRecord
from riverlog.protocol.generated.end_transaction_record import EndTransactionRecord
from riverlog.protocol.generated.feature_level_record import FeatureLevelRecord


class Replayer:
    """A state, and the records of a transaction that has not ended: they do not count yet."""

    __slots__ = ("open_transaction", "state")

    def __init__(self, state: ClusterState) -> None:
        self.state = state
        self.open_transaction: list[MetadataRecord] | None = None

    def apply(self, record: MetadataRecord) -> list[MetadataRecord]:
        """Replay it; answers the records that now count. Raises ``ReplayError`` or ``MetadataError``."""
        match record:
            case BeginTransactionRecord():
                if self.open_transaction is not None:
                    raise ReplayError("a metadata transaction begins inside another")
                self.open_transaction = []
                return []
            case EndTransactionRecord() | AbortTransactionRecord():
                held = self.open_transaction
                if held is None:
                    raise ReplayError("a metadata transaction ends that never began")
                self.open_transaction = None
                if isinstance(record, AbortTransactionRecord):
                    return []
                for one in held:
                    self._replay(one)
                return held
            case _ if self.open_transaction is not None:
                self.open_transaction.append(record)
                return []
            case _:
                self._replay(record)
                return [record]

    def _replay(self, record: MetadataRecord) -> None:
        if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION_FEATURE:
            check_metadata_version(record.feature_level)
        self.state.replay(record)


def check_metadata_version(level: int) -> None:
    if not METADATA_VERSION_MIN <= level <= METADATA_VERSION:
        raise MetadataError(
            f"metadata.version {level} is not one this version can open "
            f"({METADATA_VERSION_MIN} to {METADATA_VERSION}, which is {METADATA_VERSION_NAME})"
        )


def check_kraft_version(level: int) -> None:
    if level > KRAFT_VERSION:
        raise MetadataError(
            f"kraft.version {level} is newer than {KRAFT_VERSION}, the newest this version can open"
        )
