"""Housekeeping of offsets: those past their retention, and those of topics that do not exist any more.

A round walks all groups of the shard, a bounded number of offsets a turn. A group without members whose
last offset goes is deleted with it, as Kafka does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverlog.base import broker_configs_groups as group_configs
from riverlog.coordinator.decision import CoordinatorRecord, Decision
from riverlog.coordinator.group.records import NO_TIMESTAMP, offset_tombstone
from riverlog.protocol.primitives import ZERO_UUID

if TYPE_CHECKING:
    from riverlog.coordinator.group.base import Group
    from riverlog.coordinator.group.machine import GroupMachine
    from riverlog.coordinator.group.offsets import StoredOffset

OFFSETS_PER_TURN = 2_000
"""Offsets and groups looked at before other work gets its turn."""
_TIMER = "offsets-housekeeping"
_MINUTE_MS = 60_000


def begin_housekeeping(machine: GroupMachine) -> None:
    """The shard is loaded. First drop what a deletion left behind when the broker stopped before it was
    through; expiry waits for its interval."""
    _Round(machine, expire=False).next_turn()


class _Round:
    def __init__(self, machine: GroupMachine, *, expire: bool) -> None:
        self._machine = machine
        self._expire = expire
        self._left = list(machine.offsets.table.groups if not expire else machine.groups)
        self._left.reverse()

    def next_turn(self) -> None:
        if self._left:
            self._machine.schedule(_TIMER, 0, self._turn)
        else:
            interval_ms = self._machine.config[group_configs.OFFSETS_RETENTION_CHECK_INTERVAL_MS]
            self._machine.schedule(_TIMER, interval_ms, begin_expiry)

    def _turn(self, machine: GroupMachine, now_ms: int) -> Decision:
        records: list[CoordinatorRecord] = []
        seen = 0
        while self._left and seen < OFFSETS_PER_TURN:
            group = machine.groups.get(self._left.pop())
            if group is not None:
                seen += 1 + self._look_at(machine, group, now_ms, records)
        self.next_turn()
        return Decision(records, atomic=False)

    def _look_at(
        self, machine: GroupMachine, group: Group, now_ms: int, records: list[CoordinatorRecord]
    ) -> int:
        """How many offsets the group has; ``records`` gets tombstones."""
        offsets = machine.offsets
        group_id = group.group_id
        seen = kept = 0
        for topic, partition, stored in offsets.table.of(group_id):
            seen += 1
            # A tombstone would take what an open transaction commits with it: that waits for its end.
            if not offsets.is_pending(group_id, topic, partition) and (
                is_orphan(machine, topic, stored)
                or (self._expire and is_expired(machine, group, topic, stored, now_ms))
            ):
                records.append(offset_tombstone(group_id, topic, partition))
            else:
                kept += 1
        if self._expire and not kept and group.is_empty and not offsets.has_open_transactions(group_id):
            records += group.tombstones()
        return seen


def begin_expiry(machine: GroupMachine, _now_ms: int) -> Decision:
    _Round(machine, expire=True).next_turn()
    return Decision()


def is_orphan(machine: GroupMachine, topic: str, stored: StoredOffset) -> bool:
    """Whether the offset belongs to a topic that is gone, or to an earlier one of the same name.

    Leadership and topics come through one metadata log, so a coordinator's image is never older than an
    offset that was committed before it took over.
    """
    known = machine.image().topics.get(topic)
    if known is None:
        return True
    return stored.topic_id not in (ZERO_UUID, known.topic_id)


def is_expired(machine: GroupMachine, group: Group, topic: str, stored: StoredOffset, now_ms: int) -> bool:
    """Kafka's rules (KIP-211): by the offset's own time if an old client gave one, else by the retention
    since the group became empty, unsubscribed or, without a group, since the commit."""
    if group.is_subscribed(topic):
        return False
    base_ms = group.offset_expiry_base_ms(stored.commit_timestamp)
    if base_ms is None:
        return False
    if stored.expire_timestamp != NO_TIMESTAMP:
        return now_ms >= stored.expire_timestamp
    retention_ms = machine.config[group_configs.OFFSETS_RETENTION_MINUTES] * _MINUTE_MS
    return now_ms - base_ms >= retention_ms
