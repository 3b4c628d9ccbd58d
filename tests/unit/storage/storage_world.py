"""A one-disk world for storage tests, and batches to put into it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from riverlog.env import StorageError
from riverlog.records import BatchBuilder, BatchHeader, decode_records, iter_headers, read_header
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng
from riverlog.storage import Log, LogConfig, LogManager, ManagerSettings
from riverlog.storage.logdir import LogDir

FOLDER = "/data/topic-0"
NOW = 1_700_000_000_000


def batch(
    values: list[bytes] | None = None,
    *,
    timestamp: int = NOW,
    producer_id: int = -1,
    producer_epoch: int = -1,
    sequence: int = -1,
    transactional: bool = False,
    base_offset: int = 0,
    leader_epoch: int = -1,
) -> tuple[bytearray, BatchHeader]:
    """One batch as a producer sends it."""
    builder = BatchBuilder(
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        base_sequence=sequence,
        transactional=transactional,
        base_offset=base_offset,
        leader_epoch=leader_epoch,
    )
    for index, value in enumerate(values if values is not None else [b"value"]):
        builder.append(key=None, value=value, timestamp=timestamp + index)
    data = bytearray(builder.build())
    return data, read_header(data, 0)


@dataclass
class World:
    """One process life on one medium."""

    media: Media = field(default_factory=Media)
    seed: int = 1
    setup: Setup = field(default_factory=Setup)

    def __post_init__(self) -> None:
        self.scheduler = Scheduler()
        self.clock = SimClock(self.scheduler)
        self.rng = SimRng(self.seed)
        self.disk = SimDisk(self.media, self.scheduler, self.rng.stream("disk"), self.setup)
        self.offline: list[tuple[str, StorageError]] = []
        self.durable: list[tuple[Log, int]] = []

    def open(self, config: LogConfig | None = None, **given: object) -> Log:
        values: dict[str, object] = {"now_ms": NOW, **given}
        return Log.open(self.disk, FOLDER, ("topic", 0), config or LogConfig(), **values)  # type: ignore[arg-type]

    def manager(
        self,
        *,
        config: LogConfig | None = None,
        dirs: tuple[str, ...] = ("/data",),
        settings: ManagerSettings | None = None,
        on_durable: Callable[[Log], None] | None = None,
    ) -> LogManager:
        found = config or LogConfig()

        def durable(log: Log) -> None:
            self.durable.append((log, log.durable_end))
            log.high_watermark = max(log.high_watermark, log.durable_end)
            if on_durable is not None:
                on_durable(log)

        def offline(log_dir: LogDir, logs: list[Log], error: StorageError) -> None:
            self.offline.append((log_dir.path, error))

        return LogManager(
            self.disk,
            dirs,
            self.clock,
            self.rng.stream("manager"),
            config_of=lambda topic: found,
            on_durable=durable,
            on_offline=offline,
            settings=settings,
        )

    def killed(self) -> World:
        """Kill -9, then the next life: the page cache is still there."""
        self.disk.kill()
        self.clock.kill()
        return World(self.media, self.seed + 1)

    def power_lost(self, seed: int = 0) -> World:
        self.disk.kill()
        self.clock.kill()
        return World(self.media.power_loss(SimRng(f"cut {seed}")), self.seed + 1)


def append(log: Log, *values: bytes, epoch: int = 0, timestamp: int = NOW, now_ms: int = NOW) -> int:
    """Append one batch; answers its first offset."""
    data, header = batch(list(values) or None, timestamp=timestamp)
    return log.append_as_leader(data, header, leader_epoch=epoch, now_ms=now_ms).first_offset


def sync(log: Log, world: World) -> None:
    """What the group commit does, at once."""
    work = log.begin_sync()
    world.disk.sync(work.files)
    for folder in work.folders:
        world.disk.sync_folder(folder)
    log.finish_sync(work)


def read_all(log: Log, start: int | None = None) -> list[tuple[int, bytes | None]]:
    """(offset, value) of every record from ``start`` on."""
    offset = log.log_start_offset if start is None else start
    found: list[tuple[int, bytes | None]] = []
    while offset < log.log_end_offset:
        piece = log.read(offset, max_bytes=1 << 20, end_offset=log.log_end_offset)
        assert piece is not None, f"nothing at {offset}"
        data = piece.read()
        for position, header in iter_headers(data):
            records = decode_records(data, position, header, max_bytes=1 << 24)
            found += [(record.offset, record.value) for record in records if record.offset >= offset]
            last = header.next_offset
        offset = last
    return found
