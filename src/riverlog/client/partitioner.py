"""Which partition a record goes to: equal keys as in Java's client, no key sticks to one batch at a time."""

from __future__ import annotations

_SEED = 0x9747B28C
_MULTIPLIER = 0x5BD1E995
_MASK = 0xFFFFFFFF


def murmur2(data: bytes) -> int:
    """The 32-bit hash of Java's client (murmur2 with Kafka's seed), as an unsigned number."""
    length = len(data)
    hashed = (_SEED ^ length) & _MASK
    whole = length & ~3
    for at in range(0, whole, 4):
        word = int.from_bytes(data[at : at + 4], "little") * _MULTIPLIER & _MASK
        word ^= word >> 24
        hashed = (hashed * _MULTIPLIER & _MASK) ^ (word * _MULTIPLIER & _MASK)
    rest = data[whole:]
    if rest:
        hashed ^= int.from_bytes(rest, "little")
        hashed = hashed * _MULTIPLIER & _MASK
    hashed ^= hashed >> 13
    hashed = hashed * _MULTIPLIER & _MASK
    return hashed ^ hashed >> 15


def partition_for_key(key: bytes, partitions: int) -> int:
    """Java's default: the hash without its sign bit, modulo the number of partitions."""
    return (murmur2(key) & 0x7FFFFFFF) % partitions


class StickyPartitioner:
    """Keyless records fill one partition's batch before they move on to the next (KIP-480)."""

    def __init__(self, start: int = 0) -> None:
        self._next = start
        self._current: dict[str, int] = {}

    def choose(self, topic: str, key: bytes | None, partitions: int) -> int:
        if key is not None:
            return partition_for_key(key, partitions)
        current = self._current.get(topic, -1)
        if not 0 <= current < partitions:
            current = self._next % partitions
            self._next += 1
            self._current[topic] = current
        return current

    def batch_full(self, topic: str, partition: int) -> None:
        """Leave ``partition`` for keyless records."""
        if self._current.get(topic) == partition:
            del self._current[topic]
