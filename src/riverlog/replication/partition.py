"""One partition as its leader sees it: append, high watermark, what may be read.

On a single node the in-sync set is this node, so the high watermark follows the durable
end of its own log (RULES: watermark 1), or the log end where ``ack.after.fsync`` is off.
Followers and in-sync changes come with the cluster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from riverlog.base.errors import ErrorCode
from riverlog.base.metric_table import BYTES_IN, BYTES_OUT, MESSAGES_IN
from riverlog.base.metrics import Metrics
from riverlog.base.slices import FileSlice
from riverlog.records import BatchHeader, Codec, ValidationConfig
from riverlog.storage import AppendInfo, Log, LogConfig

READ_UNCOMMITTED = 0
READ_COMMITTED = 1
_CODECS = {
    "uncompressed": Codec.NONE,
    **{codec.name.lower(): codec for codec in Codec if codec is not Codec.NONE},
}


def validation_of(config: LogConfig) -> ValidationConfig:
    """What a topic's settings say about the batches it takes."""
    codec = _CODECS.get(config.compression_type)
    level = getattr(config, f"compression_{config.compression_type}_level", None)
    return ValidationConfig(
        max_message_bytes=config.max_message_bytes,
        compression=codec,
        compression_level=level,
        log_append_time=config.message_timestamp_type == "LogAppendTime",
        timestamp_before_max_ms=config.message_timestamp_before_max_ms,
        timestamp_after_max_ms=config.message_timestamp_after_max_ms,
        compacted=config.is_compacted,
    )


class Partition:
    """The leader's view of one partition."""

    __slots__ = (
        "_acks",
        "bytes_in",
        "bytes_out",
        "epoch_start_offset",
        "fetch_waiters",
        "high_watermark",
        "index",
        "internal",
        "leader_epoch",
        "log",
        "messages_in",
        "topic",
        "topic_id",
        "validation",
    )

    def __init__(
        self,
        *,
        topic: str,
        topic_id: bytes,
        index: int,
        log: Log,
        leader_epoch: int,
        internal: bool,
        metrics: Metrics,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.internal = internal
        """Written by the broker itself, never by clients."""
        self.log = log
        self.leader_epoch = leader_epoch
        self.epoch_start_offset = log.log_end_offset
        self.validation = validation_of(log.config)
        self.messages_in = metrics[MESSAGES_IN].child(topic)
        self.bytes_in = metrics[BYTES_IN].child(topic)
        self.bytes_out = metrics[BYTES_OUT].child(topic)
        self.high_watermark = log.log_start_offset
        self._acks: deque[tuple[int, Callable[[ErrorCode], None]]] = deque()
        self.fetch_waiters: dict[int, Callable[[], None]] = {}
        """Parked fetches by a number of theirs; each is told when the watermark moves."""
        self.advance()

    def set_leader_epoch(self, leader_epoch: int) -> None:
        if leader_epoch > self.leader_epoch:
            self.leader_epoch = leader_epoch
            self.epoch_start_offset = self.log.log_end_offset

    # -- epochs --------------------------------------------------------------------------

    def check_epoch(self, current_leader_epoch: int) -> ErrorCode:
        """What the client believes about the leader, against what is so (KIP-320)."""
        if current_leader_epoch < 0 or current_leader_epoch == self.leader_epoch:
            return ErrorCode.NONE
        if current_leader_epoch < self.leader_epoch:
            return ErrorCode.FENCED_LEADER_EPOCH
        return ErrorCode.UNKNOWN_LEADER_EPOCH

    # -- writing -------------------------------------------------------------------------

    def append(self, buffer: memoryview, header: BatchHeader, now_ms: int) -> AppendInfo:
        """Append one validated batch. Raises ``AppendError`` or ``StorageError``."""
        log = self.log
        info = log.append_as_leader(buffer, header, leader_epoch=self.leader_epoch, now_ms=now_ms)
        if not info.duplicate:
            self.messages_in.value += header.record_count
            self.bytes_in.value += len(buffer)
        if not log.config.ack_after_fsync:
            self.advance()
        return info

    def when_committed(self, offset: int, callback: Callable[[ErrorCode], None]) -> bool:
        """Call back once the watermark is past ``offset``, or with an error; False if it is past already."""
        if offset < self.high_watermark:
            return False
        acks = self._acks
        if acks and offset < acks[-1][0]:
            # A duplicate of an older batch waits like its original (RULES: watermark 4).
            self._acks = deque(sorted([*acks, (offset, callback)], key=_offset_of))
        else:
            acks.append((offset, callback))
        return True

    def advance(self) -> bool:
        """Move the watermark to where the log allows; wakes those who wait for it."""
        log = self.log
        end = log.durable_end if log.config.ack_after_fsync else log.log_end_offset
        if end <= self.high_watermark:
            return False
        self.high_watermark = log.high_watermark = end
        acks = self._acks
        while acks and acks[0][0] < end:
            acks.popleft()[1](ErrorCode.NONE)
        if self.fetch_waiters:
            for wake in list(self.fetch_waiters.values()):
                wake()
        return True

    def fail_waiters(self, error: ErrorCode) -> None:
        """The partition went away or offline: writers get the error, readers look again."""
        acks, self._acks = self._acks, deque()
        for _, callback in acks:
            callback(error)
        for wake in list(self.fetch_waiters.values()):
            wake()

    # -- reading -------------------------------------------------------------------------

    def readable_end(self, isolation_level: int) -> int:
        """First offset that may not be read."""
        if isolation_level == READ_COMMITTED:
            return min(self.high_watermark, self.log.last_stable_offset)
        return self.high_watermark

    def read(self, offset: int, *, max_bytes: int, isolation_level: int, min_one: bool) -> FileSlice | None:
        """Whole batches from the one that holds ``offset``. Raises ``OffsetOutOfRange``."""
        return self.log.read(
            offset, max_bytes=max_bytes, end_offset=self.readable_end(isolation_level), min_one=min_one
        )


def _offset_of(entry: tuple[int, Callable[[ErrorCode], None]]) -> int:
    return entry[0]
