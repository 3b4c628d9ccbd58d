"""Who votes: pairs of node id and directory id, and the cluster id that follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from riverlog.base.listeners import Endpoint as Listener
from riverlog.protocol.generated.voters_record import (
    Endpoint,
    KRaftVersionFeature,
    Voter,
    VotersRecord,
)
from riverlog.storage.files import encode_uuid

KRAFT_VERSION_MAX = 1


def voters_record(node_id: int, directory_id: bytes, endpoints: Sequence[Listener]) -> VotersRecord:
    """The voter set of a single node."""
    return VotersRecord(
        version=0,
        voters=[
            Voter(
                voter_id=node_id,
                voter_directory_id=directory_id,
                endpoints=[Endpoint(name=e.listener, host=e.host, port=e.port) for e in endpoints],
                kraft_version_feature=KRaftVersionFeature(
                    min_supported_version=0, max_supported_version=KRAFT_VERSION_MAX
                ),
            )
        ],
    )


def voter_pairs(record: VotersRecord) -> list[tuple[int, bytes]]:
    return sorted((voter.voter_id, voter.voter_directory_id) for voter in record.voters)


def derive_cluster_id(pairs: Iterable[tuple[int, bytes]]) -> str:
    """RULES: forming a quorum 3. Every voter derives the same id from the same pairs."""
    digest = hashlib.sha256()
    for node_id, directory_id in sorted(pairs):
        digest.update(node_id.to_bytes(4, "big") + directory_id)
    return encode_uuid(digest.digest()[:16])
