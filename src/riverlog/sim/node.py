"""One node under simulation: the very ``Broker`` of production over a simulated disk and clock."""

from __future__ import annotations

from collections.abc import Mapping

from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.broker.broker import Broker
from riverlog.broker.session import Session
from riverlog.env import StorageError
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.network import Link
from riverlog.sim.rng import SimRng

LOG_DIR = "/data"
READY_SECONDS_MAX = 120.0


class SimNode:
    """Lives, dies and lives again over the same ``Media``."""

    def __init__(
        self,
        scheduler: Scheduler,
        rng: SimRng,
        settings: Mapping[str, str],
        *,
        disk_class: type[SimDisk] = SimDisk,
        broker_class: type[Broker] = Broker,
    ) -> None:
        """The classes are where a test plants a bug."""
        self.media = Media()
        self.scheduler = scheduler
        self.lives = 0
        self.serving = False
        self.failure: StorageError | None = None
        self.broker: Broker | None = None
        self.disk: SimDisk | None = None
        self._settings = dict(settings)
        self._rng = rng
        self._disk_class = disk_class
        self._broker_class = broker_class
        self._clock: SimClock | None = None
        self._links: list[Link] = []

    def start(self, setup: Setup, *, cut_at: int | None = None, clock_offset_ms: int = 0) -> None:
        """Begin to start; ``serving`` turns true when it is done. May raise ``PowerCut``."""
        assert self.broker is None
        self.lives += 1
        rng = self._rng.stream(f"life-{self.lives}")
        self.disk = self._disk_class(self.media, self.scheduler, rng.stream("disk"), setup)
        if not self.disk.exists(LOG_DIR):
            self.disk.make_folder(LOG_DIR)
            self.disk.sync_folder("/")
        self.disk.cut_at = cut_at
        self._clock = SimClock(self.scheduler, wall_offset_ms=clock_offset_ms)
        self.failure = None
        self.broker = self._broker_class.boot(
            config=BrokerConfig({"log.dirs": LOG_DIR, **self._settings}),
            disk=self.disk,
            clock=self._clock,
            rng=rng.stream("broker"),
            log_dirs=[LOG_DIR],
            endpoints=[Endpoint("PLAINTEXT", "sim", 9092)],
            on_failure=self._failed,
            ready=self._ready,
        )

    def kill(self) -> None:
        """Kill -9. Also ends what a ``PowerCut`` left half alive."""
        if self.disk is not None:
            self.disk.kill()
        if self._clock is not None:
            self._clock.kill()
        self.serving = False
        self.broker = None
        links, self._links = self._links, []
        for link in links:
            link.session = None  # nobody is left to be told
            link.cut("broker died")

    def lose_power(self, rng: SimRng) -> None:
        self.kill()
        self.media = self.media.power_loss(rng)

    def stop(self) -> None:
        """SIGTERM: connections are closed, everything is made durable."""
        assert self.broker is not None
        self.serving = False
        links, self._links = self._links, []
        for link in links:
            link.cut("broker stops")
        self.broker.stop()
        self.kill()

    def jump_wall(self, milliseconds: int) -> None:
        """Fault K: the wall clock of this node jumps."""
        if self._clock is not None:
            self._clock.jump_wall(milliseconds)

    def connect(self, link: Link) -> Session | None:
        """A client's new connection; refused while the node is down."""
        if not self.serving or self.broker is None:
            return None
        self._links = [known for known in self._links if not known.closed]
        self._links.append(link)
        return self.broker.connected(link, listener="PLAINTEXT", peer_host="10.0.0.1")

    def _ready(self) -> None:
        self.serving = True

    def _failed(self, error: StorageError) -> None:
        """The metadata log failed: a real process ends here."""
        self.failure = error
