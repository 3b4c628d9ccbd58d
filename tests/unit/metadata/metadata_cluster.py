"""Several nodes' metadata in one thread: simulated disks and clocks, Raft requests carried between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from riverlog.base.config import BrokerConfig
from riverlog.env import Closed, StorageError
from riverlog.metadata.controller import Decision
from riverlog.metadata.forming import format_folders, prepare_folders
from riverlog.metadata.image import ClusterState
from riverlog.metadata.image_records import image_records
from riverlog.metadata.node import MetadataNode
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.generated.describe_cluster_response import DescribeClusterResponse
from riverlog.raft.voter_set import VoterSet
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng

DATA = "/data"
DELAY_SECONDS = 0.001
PORT = 9000

HANDLERS = {
    ApiKey.VOTE: "handle_vote",
    ApiKey.BEGIN_QUORUM_EPOCH: "handle_begin_quorum_epoch",
    ApiKey.END_QUORUM_EPOCH: "handle_end_quorum_epoch",
    ApiKey.FETCH: "handle_fetch",
    ApiKey.FETCH_SNAPSHOT: "handle_fetch_snapshot",
    ApiKey.ADD_RAFT_VOTER: "handle_add_voter",
    ApiKey.REMOVE_RAFT_VOTER: "handle_remove_voter",
}


class Link:
    """A ``Peer`` from one life of a node to another node."""

    def __init__(self, cluster: Cluster, source: Process, target: Process) -> None:
        self.on_lost: Callable[[Closed], None] | None = None
        self._cluster = cluster
        self._source = source
        self._life = source.life
        self._target = target
        self._target_life: int | None = None
        self._waiting: dict[int, Callable[[Any | None], None]] = {}
        self._number = 0
        target.links.append(self)

    def send(
        self,
        api_key: int,
        message: Any,
        done: Callable[[Any | None], None],
        *,
        timeout_seconds: float,
        max_version: int | None = None,
    ) -> None:
        spec = api(api_key)
        self._cluster.carried[ApiKey(api_key)] += 1
        version = min(spec.request.VERSIONS[1], max_version if max_version is not None else 99)
        data = spec.request.encode(message, version)
        self._number += 1
        number = self._number
        self._waiting[number] = done
        self._later(DELAY_SECONDS, lambda: self._arrive(number, api_key, version, data))
        self._later(timeout_seconds, lambda: self._answer(number, None))

    def _later(self, seconds: float, work: Callable[[], None]) -> None:
        def run() -> None:
            if self._source.life == self._life and self._source.alive:
                work()

        self._cluster.scheduler.call_later(seconds, run)

    def _arrive(self, number: int, api_key: int, version: int, data: bytes) -> None:
        target = self._target
        if not self._cluster.joined(self._source, target):
            return  # lost: the time-out tells
        if not target.alive:
            self._answer(number, None)
            self._lose(Closed("refused", refused=True))
            return
        self._target_life = target.life
        request, _ = api(api_key).request.decode(memoryview(data), 0, version)
        life = target.life

        def reply(response: Any) -> None:
            encoded = api(api_key).response.encode(response, version)
            decoded, _ = api(api_key).response.decode(memoryview(encoded), 0, version)
            if target.life == life and target.alive and self._cluster.joined(self._source, target):
                self._later(DELAY_SECONDS, lambda: self._answer(number, decoded))

        if api_key == ApiKey.DESCRIBE_CLUSTER:
            reply(DescribeClusterResponse(cluster_id=target.node.cluster_id, endpoint_type=2))
        elif api_key == ApiKey.UPDATE_RAFT_VOTER:
            target.node.handle_update_voter(request, reply, version=version, listener="CONTROLLER")
        else:
            handle = getattr(target.node.raft, HANDLERS[ApiKey(api_key)])
            handle(request, reply, version=version, listener="CONTROLLER")

    def _answer(self, number: int, response: Any | None) -> None:
        done = self._waiting.pop(number, None)
        if done is not None:
            done(response)

    def _lose(self, closed: Closed) -> None:
        if self.on_lost is not None:
            self.on_lost(closed)

    def target_died(self) -> None:
        """Its machine lives on: the connection is reset."""
        if self._target_life is None:
            return
        self._target_life = None

        def reset() -> None:
            for number in list(self._waiting):
                self._answer(number, None)
            self._lose(Closed("reset", reset=True))

        self._later(DELAY_SECONDS, reset)


class Links:
    """``Peers`` of one life of a node."""

    def __init__(self, cluster: Cluster, source: Process) -> None:
        self._cluster = cluster
        self._source = source
        self._links: dict[tuple[str, int, str], Link] = {}

    def to(self, host: str, port: int, purpose: str = "") -> Any:
        key = (host, port, purpose)
        if key not in self._links:
            target = self._cluster.processes[port - PORT]
            self._links[key] = Link(self._cluster, self._source, target)
        return self._links[key]


class Process:
    """One node over its lives."""

    node: MetadataNode

    def __init__(self, cluster: Cluster, node_id: int, static: dict[str, str]) -> None:
        self.node_id = node_id
        self.alive = False
        self.life = 0
        self.links: list[Link] = []
        self.failures: list[StorageError] = []
        self.static = static
        self._cluster = cluster
        self._media = Media()
        self.configure()
        self.boot()
        self.disk.make_folder(DATA)
        self.disk.sync_folder("/")

    def configure(self, **changed: str) -> None:
        static = self.static | {key.replace("_", "."): value for key, value in changed.items()}
        node_id = self.node_id
        self.config = BrokerConfig(
            {
                "node.id": str(node_id),
                "listeners": f"PLAINTEXT://localhost:{PORT + 1000 + node_id},"
                f"CONTROLLER://localhost:{PORT + node_id}",
                "controller.listener.names": "CONTROLLER",
                **static,
            }
        )

    def boot(self) -> None:
        self.life += 1
        rng = self._cluster.rng.stream(f"node-{self.node_id}-{self.life}")
        scheduler = self._cluster.scheduler
        self.disk = SimDisk(self._media, scheduler, rng.stream("disk"), Setup())
        self.clock = SimClock(scheduler)
        self.rng = rng.stream("node")

    def wipe(self) -> None:
        """An empty disk."""
        self._media = Media()
        self.boot()
        self.disk.make_folder(DATA)
        self.disk.sync_folder("/")

    def start(self) -> None:
        self.boot()
        self.alive = True
        peers: Any = Links(self._cluster, self)
        self.node = MetadataNode.open(
            disk=self.disk,
            log_dirs=[DATA],
            clock=self.clock,
            rng=self.rng,
            config=self.config,
            peers=peers,
            on_failure=self.failures.append,
            replay_bytes_min=self._cluster.replay_bytes_min,
        )

    def kill(self) -> None:
        self.alive = False
        self.disk.kill()
        self.clock.kill()
        for link in self.links:
            link.target_died()
        self.links.clear()

    def lose_power(self, rng: SimRng) -> None:
        """Killed, and what was not synced may be gone or torn."""
        self.kill()
        self._media = self._media.power_loss(rng)


class Cluster:
    """Voters and observers, formatted; ``start`` runs them."""

    def __init__(
        self,
        voters: int = 3,
        observers: int = 0,
        *,
        seed: int = 1,
        replay_bytes_min: int = 2 << 20,
        formatted: bool = True,
        **static: str,
    ) -> None:
        """Without ``formatted`` the voters are listed, and have to find each other."""
        self.scheduler = Scheduler()
        self.rng = SimRng(seed)
        self.replay_bytes_min = replay_bytes_min
        self._cut: set[int] = set()
        self.carried: Counter[ApiKey] = Counter()
        """Requests sent, by kind."""
        settings = {key.replace("_", "."): value for key, value in static.items()}
        if formatted:
            bootstrap = ",".join(f"localhost:{PORT + number}" for number in range(1, voters + 1))
            settings["controller.quorum.bootstrap.servers"] = bootstrap
        else:
            listed = ",".join(f"{number}@localhost:{PORT + number}" for number in range(1, voters + 1))
            settings["controller.quorum.voters"] = listed
        self.processes: dict[int, Process] = {}
        for number in range(1, voters + observers + 1):
            own = dict(settings)
            if number > voters:
                own["process.roles"] = "broker"
            self.processes[number] = Process(self, number, own)
        if formatted:
            self.format(voters)

    def format(self, voters: int) -> None:
        nodes = [
            prepare_folders(one.disk, [DATA], one.config, one.rng)
            for one in list(self.processes.values())[:voters]
        ]
        self.voter_set = VoterSet.of(nodes)
        self.cluster_ids = [
            format_folders(
                one.disk, [DATA], one.config, rng=one.rng, now_ms=one.clock.now_ms(), voters=self.voter_set
            )
            for one in self.processes.values()
        ]

    def start(self) -> Process:
        """All of them; answers the active controller's."""
        for process in self.processes.values():
            process.start()
        return self.wait_active()

    def joined(self, one: Process, other: Process) -> bool:
        return one.node_id not in self._cut and other.node_id not in self._cut

    def cut(self, *node_ids: int) -> None:
        """These reach nobody, and nobody them."""
        self._cut = set(node_ids)

    @property
    def living(self) -> list[Process]:
        return [one for one in self.processes.values() if one.alive]

    def active(self, among: Iterable[Process] | None = None) -> list[Process]:
        return [one for one in (self.living if among is None else among) if one.node.is_active]

    def wait_active(self, *, without: int | None = None, seconds_max: float = 20.0) -> Process:
        def there() -> list[Process]:
            return [one for one in self.active() if one.node_id != without]

        assert self.scheduler.run_until(lambda: bool(there()), seconds_max=seconds_max)
        return there()[0]

    def wait(self, condition: Callable[[], bool], *, seconds_max: float = 20.0) -> None:
        assert self.scheduler.run_until(condition, seconds_max=seconds_max)

    def decide(self, process: Process, decide: Callable[[ClusterState], Decision[Any]]) -> Any:
        """The reply, once it is there; ``LookupError`` if the leadership was lost."""
        replies: list[Any] = []
        lost: list[bool] = []
        process.node.decide(decide, replies.append, lambda: lost.append(True))
        self.wait(lambda: bool(replies or lost))
        if lost:
            raise LookupError("lost")
        return replies[0]

    def settle(self) -> None:
        """Until everyone alive has what the active controller has committed."""
        active = self.wait_active()
        end = active.node.committed_offset
        self.wait(lambda: all(one.node.committed_offset >= end for one in self.living))


def content(node: MetadataNode) -> list[Any]:
    """Everything in the image, to be compared."""
    return [*image_records(node.image), sorted(node.image.features.items())]
