"""One compacted log in a storage world, for tests that say what stays of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storage_world import World

from riverlog.records import BatchBuilder, BatchHeader, crc_ok, decode_records, iter_headers, read_header
from riverlog.records.control import end_txn_marker
from riverlog.storage import CleanerSettings, Log, LogConfig, LogManager, ManagerSettings

KEY = ("t", 0)
FOLDER = "/data/t-0"
HOUR_MS = 3_600_000


@dataclass(slots=True)
class Stored:
    offset: int
    key: bytes | None
    value: bytes | None
    timestamp: int


def compacted(**given: object) -> LogConfig:
    values: dict[str, object] = {
        "segment_bytes": 100_000,
        "index_interval_bytes": 64,
        "cleanup_policy": "compact",
        "min_cleanable_dirty_ratio": 0.0,
        "delete_retention_ms": 24 * HOUR_MS,
        **given,
    }
    return LogConfig(**values)  # type: ignore[arg-type]


class Compacted:
    """Appends are durable at once; ``clean`` runs the cleaner until it is idle."""

    def __init__(
        self,
        config: LogConfig | None = None,
        settings: CleanerSettings | None = None,
        world: World | None = None,
    ) -> None:
        self.config = config or compacted()
        self.settings = settings or CleanerSettings()
        self.world = world or World()
        self.manager = self._open()
        self.manager.create(*KEY, topic_id=b"0123456789abcdef")

    def _open(self) -> LogManager:
        manager = self.world.manager(config=self.config, settings=ManagerSettings(cleaner=self.settings))
        manager.open()
        for log in manager.logs.values():
            manager.claim(log)
        return manager

    @property
    def log(self) -> Log:
        log = self.manager.get(*KEY)
        assert log is not None
        return log

    @property
    def now_ms(self) -> int:
        return self.world.clock.now_ms()

    # -- writing -----------------------------------------------------------------------------

    def put(
        self,
        records: Sequence[tuple[bytes | None, bytes | None]],
        *,
        timestamp: int | None = None,
        compression: int = 0,
        producer_id: int = -1,
        epoch: int = 0,
        sequence: int = -1,
        transactional: bool = False,
        log_append_time: bool = False,
        roll: bool = False,
    ) -> int:
        """One batch; answers its base offset. With ``roll`` the segment ends behind it."""
        when = self.now_ms if timestamp is None else timestamp
        builder = BatchBuilder(
            compression=compression,
            producer_id=producer_id,
            producer_epoch=epoch if producer_id >= 0 else -1,
            base_sequence=sequence,
            transactional=transactional,
            log_append_time_ms=when if log_append_time else None,
        )
        for number, (key, value) in enumerate(records):
            builder.append(timestamp=when + number, key=key, value=value, headers=[("h", b"x")])
        return self._append(builder.build(), roll)

    def end(self, producer_id: int, *, commit: bool, epoch: int = 0, roll: bool = False) -> int:
        """The marker that ends a transaction."""
        marker = end_txn_marker(
            commit=commit,
            producer_id=producer_id,
            producer_epoch=epoch,
            coordinator_epoch=0,
            timestamp=self.now_ms,
        )
        return self._append(marker, roll)

    def _append(self, data: bytes, roll: bool) -> int:
        buffer = bytearray(data)
        info = self.log.append_as_leader(buffer, read_header(buffer), leader_epoch=0, now_ms=self.now_ms)
        if roll:
            self.roll()
        return info.first_offset

    def roll(self) -> None:
        self.log.roll(self.now_ms)

    def settle(self) -> None:
        """Everything durable, and the epoch on disk, so that the recovery point is at the end."""
        for _ in range(3):
            self.world.scheduler.run_for(0.6)
            self.manager.tick()
        assert self.log.recovery_point == self.log.log_end_offset

    def clean(self) -> None:
        self.settle()
        self.manager.cleaner.start()
        assert self.world.scheduler.run_until(lambda: self.manager.cleaner.is_idle, seconds_max=600.0)
        self.world.scheduler.run_for(0.6)

    def wait(self, milliseconds: int) -> None:
        self.world.scheduler.run_for(milliseconds / 1000)

    # -- looking -----------------------------------------------------------------------------

    def headers(self) -> list[BatchHeader]:
        return [header for _, _, header in self._batches()]

    def records(self) -> list[Stored]:
        return [
            Stored(record.offset, record.key, record.value, record.timestamp)
            for data, position, header in self._batches()
            if not header.is_control
            for record in decode_records(data, position, header, max_bytes=1 << 24)
        ]

    def pairs(self) -> list[tuple[int, bytes | None, bytes | None]]:
        return [(stored.offset, stored.key, stored.value) for stored in self.records()]

    def markers(self) -> list[BatchHeader]:
        return [header for header in self.headers() if header.is_control]

    def _batches(self) -> list[tuple[bytes, int, BatchHeader]]:
        """From the files; every CRC fits."""
        found = []
        for segment in self.log.segments:
            data = segment.file.read(0, segment.size)
            for position, header in iter_headers(data):
                assert crc_ok(data, position, header)
                found.append((data, position, header))
        return found

    def names(self, suffix: str) -> list[str]:
        return [name for name in self.world.disk.list_folder(FOLDER) if name.endswith(suffix)]

    @property
    def first_dirty(self) -> int | None:
        return self.manager.dir_of(self.log).cleaner_offsets.offsets.get(KEY)

    # -- lives -------------------------------------------------------------------------------

    def drop_snapshots(self) -> None:
        """The next life reads the producers from the log."""
        for name in self.names(".snapshot"):
            self.world.disk.remove(f"{FOLDER}/{name}")

    def restart(self, *, clean: bool = False) -> None:
        if clean:
            self.manager.shutdown()
        self.world = self.world.killed()
        self.manager = self._open()
        self.log.high_watermark = self.log.log_end_offset
