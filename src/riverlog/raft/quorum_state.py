"""The ``quorum-state`` file: what a voter must remember about elections.

JSON as Kafka writes it: version 0 under kraft.version 0 (with the voters' ids), version 1 under
kraft.version 1 (with the directory id of the vote).
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from riverlog.env import Disk
from riverlog.protocol.primitives import ZERO_UUID
from riverlog.storage.checkpoints import write_aside
from riverlog.storage.files import decode_uuid, encode_uuid

QUORUM_STATE = "quorum-state"
NO_NODE = -1


class QuorumStateError(Exception):
    """The file is not a quorum state; the message is one line."""


@dataclass(slots=True)
class QuorumState:
    leader_id: int = NO_NODE
    leader_epoch: int = 0
    voted_id: int = NO_NODE
    voted_directory_id: bytes = ZERO_UUID
    voters: tuple[int, ...] = ()
    """Only in version 0."""


def encode_quorum_state(state: QuorumState, *, kraft_version: int) -> bytes:
    content: dict[str, object] = {}
    if kraft_version == 0:
        content["clusterId"] = ""
    content["leaderId"] = state.leader_id
    content["leaderEpoch"] = state.leader_epoch
    content["votedId"] = state.voted_id
    if kraft_version == 0:
        content["appliedOffset"] = 0
        content["currentVoters"] = [{"voterId": voter} for voter in state.voters]
        content["data_version"] = 0
    else:
        content["votedDirectoryId"] = encode_uuid(state.voted_directory_id)
        content["data_version"] = 1
    return json.dumps(content, separators=(",", ":")).encode()


def decode_quorum_state(data: bytes) -> QuorumState:
    """Raises ``QuorumStateError``."""
    try:
        content = json.loads(data)
        version = content["data_version"]
        if version not in (0, 1):
            raise QuorumStateError(f"quorum-state has version {version!r}, known are 0 and 1")
        state = QuorumState(
            leader_id=int(content["leaderId"]),
            leader_epoch=int(content["leaderEpoch"]),
            voted_id=int(content["votedId"]),
        )
        if version == 0:
            state.voters = tuple(int(voter["voterId"]) for voter in content.get("currentVoters") or ())
        else:
            state.voted_directory_id = decode_uuid(content["votedDirectoryId"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise QuorumStateError(f"quorum-state is damaged: {error!r}") from None
    return state


def read_quorum_state(disk: Disk, folder: str) -> QuorumState | None:
    """None if there is none yet. Raises ``QuorumStateError``."""
    path = f"{folder}/{QUORUM_STATE}"
    return decode_quorum_state(disk.read_file(path)) if disk.exists(path) else None


def write_quorum_state(disk: Disk, folder: str, state: QuorumState, *, kraft_version: int) -> None:
    """Durable when this returns: no vote and no leadership before."""
    write_aside(disk, f"{folder}/{QUORUM_STATE}", encode_quorum_state(state, kraft_version=kraft_version))
