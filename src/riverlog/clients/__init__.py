"""A Python ``Producer`` and ``Consumer``, thin and typed over librdkafka (extra ``client``)::

from riverlog.clients import Consumer, Producer

with Producer("127.0.0.1:9092") as producer:
    future = producer.send("orders", b"paid", key=b"42")
print(future.result().offset)
"""

from riverlog.clients.consumer import Consumer, Record
from riverlog.clients.errors import BufferExhausted, DeliveryFailed, ProcessingFailed
from riverlog.clients.offset_store import OffsetStore, Position
from riverlog.clients.producer import Producer, RecordMetadata

__all__ = [
    "BufferExhausted",
    "Consumer",
    "DeliveryFailed",
    "OffsetStore",
    "Position",
    "ProcessingFailed",
    "Producer",
    "Record",
    "RecordMetadata",
]
