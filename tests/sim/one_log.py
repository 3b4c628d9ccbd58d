"""One partition on a simulated disk, for tests that script what a seed would have to find."""

from __future__ import annotations

from riverlog.records import BatchBuilder
from riverlog.sim.batches import with_header
from riverlog.sim.checkers import BatchNote, read_batches
from riverlog.sim.clock import START_MS, Scheduler
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng
from riverlog.sim.storage import Policies, StorageNode
from riverlog.storage import AppendInfo, Log, LogConfig

KEY = ("t", 0)
FOLDER = "/data/t-0"
TOPIC_ID = b"0123456789abcdef"


class OneLog:
    """Starts with the partition created; nothing is synced before ``settle``."""

    def __init__(
        self, config: LogConfig | None = None, setup: Setup | None = None, policies: Policies | None = None
    ) -> None:
        self.config = config or LogConfig(segment_bytes=100_000, index_interval_bytes=1)
        self.policies = policies
        self.media = Media()
        self.scheduler = Scheduler()
        self.number = 0
        self.node = self.start(setup)
        self.node.create(KEY, TOPIC_ID)

    def start(self, setup: Setup | None = None, cut_at: int | None = None) -> StorageNode:
        node = StorageNode(
            self.media,
            self.scheduler,
            SimRng("one log"),
            lambda topic: self.config,
            setup=setup,
            policies=self.policies,
            cut_at=cut_at,
        )
        node.open()
        return node

    @property
    def log(self) -> Log:
        log = self.node.logs.get(*KEY)
        assert log is not None
        return log

    @property
    def disk(self) -> SimDisk:
        return self.node.disk

    def append(
        self,
        count: int = 1,
        *,
        epoch: int = 0,
        size: int = 50,
        producer_id: int = -1,
        base_sequence: int = -1,
        timestamp: int | None = None,
    ) -> AppendInfo:
        """One batch of ``count`` records."""
        builder = BatchBuilder(
            producer_id=producer_id, producer_epoch=0 if producer_id >= 0 else -1, base_sequence=base_sequence
        )
        for _ in range(count):
            self.number += 1
            when = START_MS + self.number if timestamp is None else timestamp
            builder.append(timestamp=when, value=f"{self.number}".encode().ljust(size, b"."))
        buffer, header = with_header(builder.build())
        return self.log.append_as_leader(buffer, header, leader_epoch=epoch, now_ms=START_MS)

    def settle(self, seconds: float = 3.0) -> None:
        """Let syncs and checkpoints finish."""
        self.scheduler.run_for(seconds)

    def batches(self) -> list[BatchNote]:
        return read_batches(self.log)

    def kill(self, setup: Setup | None = None, *, cut_at: int | None = None) -> None:
        """Kill -9 and start again: the page cache stays."""
        self.node.kill()
        self.node = self.start(setup, cut_at)

    def lose_power(self, seed: int = 0) -> None:
        """And start again."""
        self.node.kill()
        self.media = self.media.power_loss(SimRng(seed))
        self.node = self.start()

    def stop_cleanly(self) -> None:
        self.node.logs.shutdown()
        self.kill()
