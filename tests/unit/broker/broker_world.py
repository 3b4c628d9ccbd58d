"""A whole broker on a simulated disk and clock, spoken to with real frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.base.slices import FileSlice
from riverlog.broker.broker import Broker
from riverlog.broker.session import Session
from riverlog.env import StorageError
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from riverlog.protocol.generated.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from riverlog.records import BatchBuilder
from riverlog.sim.clock import Scheduler, SimClock
from riverlog.sim.disk import Setup, SimDisk
from riverlog.sim.media import Media
from riverlog.sim.rng import SimRng

DATA = "/data"
WAIT_SECONDS_MAX = 120.0


class Client:
    """One connection to the broker."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._correlation_id = 0
        self.frames: list[bytes] = []
        self.closed: str | None = None
        self.pauses: list[float] = []
        """How long the broker did not want to read, each time. Frames are handed over all the same."""
        self.session: Session = world.broker.connected(self, listener="PLAINTEXT", peer_host="10.0.0.1")

    def send(self, parts: Sequence[bytes | bytearray | memoryview | FileSlice]) -> None:
        whole = b"".join(part.read() if isinstance(part, FileSlice) else bytes(part) for part in parts)
        size = int.from_bytes(whole[:4], "big")
        assert size == len(whole) - 4, "the length in front of a reply must be that of the reply"
        self.frames.append(whole[4:])

    def pause_for(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def close(self, reason: str) -> None:
        if self.closed is None:
            self.closed = reason
            self.session.on_closed(reason)

    def post(self, key: ApiKey, version: int, request: Any) -> int:
        """Send a request; answers its correlation id."""
        self._correlation_id += 1
        frame = encode_request(key, version, self._correlation_id, "test", request)
        self.session.on_frame(memoryview(bytearray(frame))[4:])
        return self._correlation_id

    def call(self, key: ApiKey, version: int, request: Any) -> Any:
        """Send a request and wait for its reply."""
        expected = len(self.frames)
        correlation_id = self.post(key, version, request)
        arrived = self._world.run_until(lambda: len(self.frames) > expected)
        assert arrived, f"no reply to {key.name} v{version}; closed: {self.closed}"
        got, response = decode_response(key, version, memoryview(self.frames[expected]))
        assert got == correlation_id
        return response

    def newest(self, key: ApiKey, request: Any) -> Any:
        """``call`` in the newest version the broker serves."""
        return self.call(key, self._world.broker.handlers[key].versions[1], request)

    # -- shorthands ----------------------------------------------------------------------

    def create(self, name: str, partitions: int = 1, **settings: str) -> bytes:
        """A topic; answers its id."""
        configs = [CreatableTopicConfig(name=k.replace("_", "."), value=v) for k, v in settings.items()]
        topic = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1, configs=configs)
        response = self.newest(ApiKey.CREATE_TOPICS, CreateTopicsRequest(topics=[topic]))
        assert response.topics[0].error_code == 0, response
        topic_id: bytes = response.topics[0].topic_id
        return topic_id

    def produce(
        self, name: str, batch: bytes, *, acks: int = -1, partition: int = 0, version: int = 9
    ) -> Any:
        """One partition's answer."""
        response = self.call(
            ApiKey.PRODUCE, version, produce_request(name, batch, acks=acks, partition=partition)
        )
        return response.responses[0].partition_responses[0]

    def fetch(self, name: str, offset: int, *, partition: int = 0, **settings: Any) -> Any:
        response = self.call(ApiKey.FETCH, 12, fetch_request(name, offset, partition=partition, **settings))
        return response.responses[0].partitions[0]


class World:
    """One life of a broker after another over the same media."""

    def __init__(
        self,
        *,
        media: Media | None = None,
        setup: Setup | None = None,
        seed: int = 5,
        log_dirs: Sequence[str] = (DATA,),
        **static: str,
    ) -> None:
        self.scheduler = Scheduler()
        self.media = Media() if media is None else media
        self.setup = setup or Setup()
        """Of the disk, in every life: a journal, faults."""
        self.rng = SimRng(seed)
        self.static = {name.replace("_", "."): value for name, value in static.items()}
        self.log_dirs = list(log_dirs)
        self.lives = 0
        self.failures: list[StorageError] = []
        self.start()

    def start(self) -> None:
        self.lives += 1
        rng = self.rng.stream(f"life-{self.lives}")
        self.disk = SimDisk(self.media, self.scheduler, rng.stream("disk"), self.setup)
        self.clock = SimClock(self.scheduler)
        for path in self.log_dirs:
            if not self.disk.is_folder(path):
                self.disk.make_folder(path)
                self.disk.sync_folder("/")
        ready: list[bool] = []
        self.broker = Broker.boot(
            config=BrokerConfig(self.static),
            disk=self.disk,
            clock=self.clock,
            rng=rng.stream("broker"),
            log_dirs=self.log_dirs,
            endpoints=[Endpoint("PLAINTEXT", "localhost", 9092, "PLAINTEXT")],
            on_failure=self.failures.append,
            ready=lambda: ready.append(True),
        )
        assert self.run_until(lambda: bool(ready))

    def run_until(self, condition: Any) -> bool:
        return self.scheduler.run_until(condition, seconds_max=WAIT_SECONDS_MAX)

    def stop(self) -> None:
        self.broker.stop()
        self.disk.kill()
        self.clock.kill()

    def kill(self) -> None:
        self.disk.kill()
        self.clock.kill()

    def client(self) -> Client:
        return Client(self)


def batch(
    *values: bytes, producer_id: int = -1, epoch: int = -1, sequence: int = -1, timestamp: int = 0
) -> bytes:
    builder = BatchBuilder(producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)
    for value in values:
        builder.append(timestamp=timestamp or 1_700_000_000_000, key=None, value=value)
    return builder.build()


def produce_request(
    name: str, records: bytes | None, *, acks: int = -1, partition: int = 0
) -> ProduceRequest:
    data = PartitionProduceData(index=partition, records=records)
    return ProduceRequest(
        acks=acks, timeout_ms=10_000, topic_data=[TopicProduceData(name=name, partition_data=[data])]
    )


def fetch_request(name: str, offset: int, *, partition: int = 0, **settings: Any) -> FetchRequest:
    settings = {"max_wait_ms": 500, "min_bytes": 1, "max_bytes": 1 << 20, "session_epoch": -1, **settings}
    max_bytes = settings.pop("partition_max_bytes", 1 << 20)
    wanted = FetchPartition(partition=partition, fetch_offset=offset, partition_max_bytes=max_bytes)
    return FetchRequest(topics=[FetchTopic(topic=name, partitions=[wanted])], **settings)


def served(key: ApiKey, world: World) -> range:
    """The versions of an API that the broker serves."""
    low, high = world.broker.handlers[key].versions
    assert low >= api(key).versions[0]
    assert high <= api(key).versions[1]
    return range(low, high + 1)
