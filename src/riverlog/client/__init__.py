"""A Kafka client without IO: bytes and events in, bytes and effects out."""

from riverlog.client.cluster import ClusterView, TopicPartition
from riverlog.client.connection import ClientConnection, Request
from riverlog.client.errors import (
    BrokerRefused,
    BrokerUnreachable,
    ClientError,
    RequestTimedOut,
    UnsupportedApi,
)
from riverlog.client.events import RequestAnswered, RequestFailed, SendRequest, Tick
from riverlog.client.fetcher import Fetched, Fetcher, FetcherConfig, PartitionFailed, ReachedEnd
from riverlog.client.partitioner import StickyPartitioner, murmur2, partition_for_key
from riverlog.client.peer import Peer, Peers
from riverlog.client.producer import Delivered, DeliveryFailed, Producer, ProducerConfig
from riverlog.client.raw_fetcher import FetchedRaw, RawFetcher

__all__ = [
    "BrokerRefused",
    "BrokerUnreachable",
    "ClientConnection",
    "ClientError",
    "ClusterView",
    "Delivered",
    "DeliveryFailed",
    "Fetched",
    "FetchedRaw",
    "Fetcher",
    "FetcherConfig",
    "PartitionFailed",
    "Peer",
    "Peers",
    "Producer",
    "ProducerConfig",
    "RawFetcher",
    "ReachedEnd",
    "Request",
    "RequestAnswered",
    "RequestFailed",
    "RequestTimedOut",
    "SendRequest",
    "StickyPartitioner",
    "Tick",
    "TopicPartition",
    "UnsupportedApi",
    "murmur2",
    "partition_for_key",
]
