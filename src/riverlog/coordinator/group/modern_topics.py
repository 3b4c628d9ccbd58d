"""What groups of the consumer protocol look at in the metadata: partition counts and racks of topics.

A group remembers a hash of all its topics, so that it notices changes of them, even across a restart.
Differs from Kafka: the hash function. A group that moves between the two assigns once more, no harm done.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from struct import Struct

from riverlog.coordinator.group.assignors import Racks
from riverlog.metadata.image import ClusterState, TopicState

_INT64 = Struct(">q")
_INT32 = Struct(">i")


class TopicHashes:
    """Hashes of topics, kept until the metadata changes."""

    def __init__(self) -> None:
        self._generation = -1
        self._hashes: dict[str, bytes] = {}

    def of_group(self, names: Iterable[str], image: ClusterState) -> int:
        """Of those that exist; 0 if none does."""
        if self._generation != image.generation:
            self._generation = image.generation
            self._hashes.clear()
        hashes = self._hashes
        digest = blake2b(digest_size=8)
        empty = True
        for name in sorted(names):
            topic = image.topics.get(name)
            if topic is None:
                continue
            found = hashes.get(name)
            if found is None:
                found = hashes[name] = _topic_hash(topic, image)
            digest.update(found)
            empty = False
        return 0 if empty else int(_INT64.unpack(digest.digest())[0])


def _topic_hash(topic: TopicState, image: ClusterState) -> bytes:
    digest = blake2b(topic.topic_id, digest_size=8)
    digest.update(topic.name.encode())
    digest.update(_INT32.pack(len(topic.partitions)))
    racks = {broker_id: broker.rack for broker_id, broker in image.brokers.items() if broker.rack}
    if racks:
        for index, partition in sorted(topic.partitions.items()):
            digest.update(_INT32.pack(index))
            for rack in sorted(racks.get(node, "") for node in partition.replicas):
                encoded = rack.encode()
                digest.update(_INT32.pack(len(encoded)))
                digest.update(encoded)
    return digest.digest()


def partition_racks(topics: Iterable[TopicState], image: ClusterState) -> dict[bytes, list[Racks]] | None:
    """By topic and partition; None if a broker that has a replica does not say where it is."""
    known: dict[tuple[int, ...], Racks] = {}
    found: dict[bytes, list[Racks]] = {}
    for topic in topics:
        rows = found[topic.topic_id] = []
        for _, partition in sorted(topic.partitions.items()):
            replicas = tuple(partition.replicas)
            racks = known.get(replicas)
            if racks is None:
                brokers = [image.brokers.get(node) for node in replicas]
                if not all(broker is not None and broker.rack for broker in brokers):
                    return None
                racks = known[replicas] = Racks(broker.rack for broker in brokers if broker and broker.rack)
            rows.append(racks)
    return found


class KnownTopics:
    """Notices topics that were created; expressions are then matched again."""

    def __init__(self) -> None:
        self._generation = -1
        self._names: frozenset[str] = frozenset()
        self.version = 0
        """Grows when there are new topics."""

    def look(self, image: ClusterState) -> int:
        if self._generation != image.generation:
            self._generation = image.generation
            if not image.topics.keys() <= self._names:
                self.version += 1
            self._names = frozenset(image.topics)
        return self.version
