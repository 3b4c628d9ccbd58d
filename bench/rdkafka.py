"""librdkafka as shipped inside the confluent-kafka wheel, called without Python work per record.

``Producer.produce`` costs about a microsecond a record in the interpreter: it, not the broker, would
be measured. ``rd_kafka_produce_batch`` and ``rd_kafka_consume_callback_queue`` take thousands
of records per call.
"""

from __future__ import annotations

import ctypes
import time
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path

import confluent_kafka

_PRODUCER, _CONSUMER = 0, 1
_FLAG_BLOCK = 0x4
_OFFSET_BEGINNING = -2


class _Message(ctypes.Structure):
    _fields_ = (
        ("err", c_int),
        ("rkt", c_void_p),
        ("partition", c_int32),
        ("payload", c_void_p),
        ("len", c_size_t),
        ("key", c_void_p),
        ("key_len", c_size_t),
        ("offset", c_int64),
        ("private", c_void_p),
    )


def _load() -> ctypes.CDLL:
    package = Path(confluent_kafka.__file__).parent
    folders = (package.with_name("confluent_kafka.libs"), package / ".dylibs", package)
    found = [path for folder in folders for path in sorted(folder.glob("librdkafka*"))]
    if not found:
        raise RuntimeError("librdkafka not found beside confluent_kafka; reinstall the dev extras")
    lib = ctypes.CDLL(str(found[0]))
    pointer_calls = ("conf_new", "new", "topic_new", "queue_new")
    for name in pointer_calls:
        getattr(lib, f"rd_kafka_{name}").restype = c_void_p
    lib.rd_kafka_new.argtypes = [c_int, c_void_p, c_char_p, c_size_t]
    lib.rd_kafka_conf_set.argtypes = [c_void_p, c_char_p, c_char_p, c_char_p, c_size_t]
    lib.rd_kafka_conf_set_dr_msg_cb.argtypes = [c_void_p, c_void_p]
    lib.rd_kafka_topic_new.argtypes = [c_void_p, c_char_p, c_void_p]
    lib.rd_kafka_produce_batch.argtypes = [c_void_p, c_int32, c_int, POINTER(_Message), c_int]
    lib.rd_kafka_flush.argtypes = [c_void_p, c_int]
    lib.rd_kafka_outq_len.argtypes = [c_void_p]
    lib.rd_kafka_queue_new.argtypes = [c_void_p]
    lib.rd_kafka_consume_start_queue.argtypes = [c_void_p, c_int32, c_int64, c_void_p]
    lib.rd_kafka_consume_callback_queue.argtypes = [c_void_p, c_int, c_void_p, c_void_p]
    lib.rd_kafka_consume_stop.argtypes = [c_void_p, c_int32]
    lib.rd_kafka_topic_destroy.argtypes = [c_void_p]
    lib.rd_kafka_queue_destroy.argtypes = [c_void_p]
    lib.rd_kafka_destroy.argtypes = [c_void_p]
    for name in ("init_transactions", "begin_transaction", "commit_transaction", "abort_transaction"):
        getattr(lib, f"rd_kafka_{name}").restype = c_void_p  # an error, or nothing
        getattr(lib, f"rd_kafka_{name}").argtypes = [c_void_p, c_int]
    lib.rd_kafka_begin_transaction.argtypes = [c_void_p]
    lib.rd_kafka_error_string.restype = c_char_p
    lib.rd_kafka_error_string.argtypes = [c_void_p]
    return lib


_lib = _load()


def _handle(kind: int, config: dict[str, str], *, reports: bool = False) -> c_void_p:
    error = ctypes.create_string_buffer(512)
    conf = _lib.rd_kafka_conf_new()
    if reports:
        # Without a callback for deliveries a commit looks only each 10 ms whether all is delivered. A library
        # function that reads a field of its first argument stands in for one.
        _lib.rd_kafka_conf_set_dr_msg_cb(conf, ctypes.cast(_lib.rd_kafka_type, c_void_p))
    for name, value in config.items():
        if _lib.rd_kafka_conf_set(conf, name.encode(), value.encode(), error, len(error)) != 0:
            raise ValueError(f"librdkafka refused {name}={value}: {error.value.decode()}")
    handle = _lib.rd_kafka_new(kind, conf, error, len(error))
    if not handle:
        raise RuntimeError(error.value.decode())
    return c_void_p(handle)


class BulkProducer:
    """Sends one value over and over, thousands of records per library call."""

    reports = False

    def __init__(self, config: dict[str, str], topic: str, value: bytes, *, records_per_call: int) -> None:
        self._rk = _handle(_PRODUCER, config, reports=self.reports)
        self._topic = c_void_p(_lib.rd_kafka_topic_new(self._rk, topic.encode(), None))
        self._value = ctypes.create_string_buffer(value, len(value))
        self._messages = (_Message * records_per_call)()
        for message in self._messages:
            message.payload = ctypes.addressof(self._value)
            message.len = len(value)

    def produce(self, partition: int) -> int:
        """Queue one call's worth, waiting for room; answers how many were taken."""
        count = len(self._messages)
        taken: int = _lib.rd_kafka_produce_batch(self._topic, partition, _FLAG_BLOCK, self._messages, count)
        return taken

    def flush(self, timeout_s: float) -> int:
        """Wait until all is acknowledged; answers how many still are not."""
        _lib.rd_kafka_flush(self._rk, int(timeout_s * 1000))
        left: int = _lib.rd_kafka_outq_len(self._rk)
        return left

    def close(self) -> None:
        _lib.rd_kafka_topic_destroy(self._topic)
        _lib.rd_kafka_destroy(self._rk)


class TransactionFailed(Exception):
    """What librdkafka said."""


class TransactionalProducer(BulkProducer):
    """The same, with a ``transactional.id`` in its configuration."""

    reports = True

    def init(self, timeout_s: float) -> None:
        _demand(_lib.rd_kafka_init_transactions(self._rk, int(timeout_s * 1000)))

    def begin(self) -> None:
        _demand(_lib.rd_kafka_begin_transaction(self._rk))

    def commit(self, timeout_s: float) -> None:
        """Everything produced since ``begin`` is sent and committed when this returns."""
        _demand(_lib.rd_kafka_commit_transaction(self._rk, int(timeout_s * 1000)))


def _demand(error: int | None) -> None:
    if error:
        raise TransactionFailed(_lib.rd_kafka_error_string(error).decode())


class BulkConsumer:
    """Reads partitions from the beginning by assignment and only counts."""

    def __init__(self, config: dict[str, str], topic: str, partitions: int) -> None:
        self._rk = _handle(_CONSUMER, config)
        self._topic = c_void_p(_lib.rd_kafka_topic_new(self._rk, topic.encode(), None))
        self._queue = c_void_p(_lib.rd_kafka_queue_new(self._rk))
        self._partitions = partitions
        # A library function stands in as the callback: it reads one field of the message, and
        # saves a trip into the interpreter for each record. Both ABIs in use ignore the extra argument.
        self._callback = ctypes.cast(_lib.rd_kafka_message_leader_epoch, c_void_p)

    def start(self) -> None:
        for partition in range(self._partitions):
            if _lib.rd_kafka_consume_start_queue(self._topic, partition, _OFFSET_BEGINNING, self._queue):
                raise RuntimeError(f"librdkafka would not consume partition {partition}")

    def count(self, wanted: int, timeout_s: float) -> int:
        """Consume until ``wanted`` records came or the time is over; answers how many came."""
        deadline = time.monotonic() + timeout_s
        seen = 0
        while seen < wanted and time.monotonic() < deadline:
            seen += _lib.rd_kafka_consume_callback_queue(self._queue, 100, self._callback, None)
        return seen

    def close(self) -> None:
        for partition in range(self._partitions):
            _lib.rd_kafka_consume_stop(self._topic, partition)
        _lib.rd_kafka_queue_destroy(self._queue)
        _lib.rd_kafka_topic_destroy(self._topic)
        _lib.rd_kafka_destroy(self._rk)


def bind(config: dict[str, object]) -> dict[str, str]:
    """Configuration values as librdkafka takes them: text."""
    return {name: str(value) for name, value in config.items()}


__all__ = ["BulkConsumer", "BulkProducer", "TransactionFailed", "TransactionalProducer", "bind"]
