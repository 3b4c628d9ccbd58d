"""The broker: requests in, replies out, over one node's logs and metadata.

Pure: it is driven by ``runtime`` with sockets and files, and by ``sim`` from a seed.
Handlers live one per file in ``handlers/``; this file holds what they share.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from riverlog.base import broker_configs, broker_configs_log
from riverlog.base.errors import ErrorCode
from riverlog.base.metric_table import FETCH_LATENCY_MS, PRODUCE_LATENCY_MS, REQUESTS
from riverlog.base.metrics import Metrics
from riverlog.broker.context import RequestContext
from riverlog.broker.coordinators import Coordinators
from riverlog.broker.fetch_sessions import FetchSessions, PartitionKey
from riverlog.broker.log_dir_moves import LogDirMoves
from riverlog.broker.producer_ids import ProducerIds
from riverlog.broker.quotas import Quotas
from riverlog.broker.registry import Later, handlers
from riverlog.broker.replicas import Replicas
from riverlog.broker.session import Session
from riverlog.env import Clock, Connection, Disk, Rng, StorageError
from riverlog.metadata.image import BROKER_RESOURCE, BrokerEndpoint
from riverlog.metadata.node import MetadataNode
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.frames import RequestHeader, decode_request_header
from riverlog.replication import Partition
from riverlog.storage import CleanerSettings, LogManager, ManagerSettings

if TYPE_CHECKING:
    from riverlog.base.config import BrokerConfig
    from riverlog.base.listeners import Endpoint

logger = logging.getLogger("riverlog.broker")

TICK_SECONDS = 1.0


class Broker:
    """One broker: ``boot`` makes it, ``stop`` ends it."""

    def __init__(
        self,
        *,
        config: BrokerConfig,
        disk: Disk,
        clock: Clock,
        rng: Rng,
        log_dirs: Sequence[str],
        metadata: MetadataNode,
    ) -> None:
        self.config = config
        self.disk = disk
        self.clock = clock
        self.metadata = metadata
        config.adopt(broker_configs.NODE_ID, metadata.node_id)
        self.metrics = Metrics()
        self.replicas = Replicas(self)
        self.logs = LogManager(
            disk,
            log_dirs,
            clock,
            rng,
            config_of=self.replicas.log_config,
            on_durable=self.replicas.durable,
            on_offline=self.replicas.folder_failed,
            settings=_manager_settings(config),
        )
        self.producer_ids = ProducerIds(self)
        self.quotas = Quotas(clock, config)
        self.log_dir_moves = LogDirMoves(self)
        self.coordinators = Coordinators(self, rng)
        self.groups = self.coordinators.groups
        self.fetch_sessions = FetchSessions(
            rng, config[broker_configs.MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS]
        )
        self.fetch_max_bytes = config[broker_configs.FETCH_MAX_BYTES]
        self.handlers = handlers()
        self._entries = {
            int(key): (
                entry.versions,
                entry.decode,
                entry.handle,
                self.metrics[REQUESTS].child(api(key).name),
            )
            for key, entry in self.handlers.items()
        }
        self._latencies = {
            int(ApiKey.PRODUCE): self.metrics[PRODUCE_LATENCY_MS].only,
            int(ApiKey.FETCH): self.metrics[FETCH_LATENCY_MS].only,
        }
        self._sessions: dict[Session, None] = {}
        self._number = 0
        self._look_again: dict[int, Callable[[], None]] = {}

    @property
    def node_id(self) -> int:
        return self.metadata.node_id

    @classmethod
    def boot(
        cls,
        *,
        config: BrokerConfig,
        disk: Disk,
        clock: Clock,
        rng: Rng,
        log_dirs: Sequence[str],
        endpoints: Sequence[Endpoint],
        on_failure: Callable[[StorageError], None],
        ready: Callable[[], None],
    ) -> Broker:
        """Open folders, recover, register; ``ready`` is called when requests may come.

        Raises ``MetadataError`` or ``StorageError``. ``on_failure``: the metadata log failed for
        good, the process must end.
        """
        metadata = MetadataNode.open(
            disk=disk, log_dirs=log_dirs, clock=clock, rng=rng, config=config, on_failure=on_failure
        )
        broker = cls(config=config, disk=disk, clock=clock, rng=rng, log_dirs=log_dirs, metadata=metadata)
        broker.load_dynamic_config()
        report = broker.logs.open()
        if not report.clean and report.log_count:
            logger.warning(
                "recovered %d of %d logs after an unclean stop, cut %d torn bytes",
                report.recovered_count,
                report.log_count,
                report.truncated_bytes,
            )
        for log in report.suspect:
            logger.error("%s-%d has corrupt data that no torn write explains", log.topic, log.partition)

        def registered() -> None:
            broker._start()
            ready()

        metadata.start(endpoints, clean=report.clean, done=registered)
        return broker

    def _start(self) -> None:
        """Take over the partitions of the published metadata."""
        self.replicas.load()
        self.quotas.load(self.metadata.image)
        self.metadata.subscribe(self.replicas.apply)
        self.metadata.subscribe(lambda records: self.quotas.apply(records, self.metadata.image))
        self._tick()

    def stop(self) -> None:
        """Make everything durable; nothing is served any more."""
        self._ticking.cancel()
        self.coordinators.stop()
        self.log_dir_moves.stop()
        self.logs.shutdown(self.metadata.broker_epoch)
        self.metadata.close()

    def _tick(self) -> None:
        self.logs.tick()
        self.metrics.tick(self.clock.monotonic())
        self._ticking = self.clock.call_later(TICK_SECONDS, self._tick)

    # -- connections ---------------------------------------------------------------------

    def connected(self, connection: Connection, *, listener: str, peer_host: str) -> Session:
        session = Session(self, connection, listener=listener, peer_host=peer_host)
        self._sessions[session] = None
        return session

    def session_closed(self, session: Session, reason: str) -> None:
        del self._sessions[session]

    def dispatch(self, session: Session, frame: memoryview) -> None:
        """Handle one request frame. ``frame`` is valid only during this call."""
        received = self.clock.monotonic()
        try:
            header, position = decode_request_header(frame)
            entry = self._entries.get(header.api_key)
            version = header.api_version
            if entry is None or not entry[0][0] <= version <= entry[0][1]:
                self._refuse(session, header, received)
                return
            _, decode, handle, requests = entry
            request, _ = decode(frame, position, version)
        except DecodeError as error:
            session.connection.close(f"malformed request: {error}")
            return
        requests.value += 1
        context = RequestContext(
            session, header.api_key, version, header.correlation_id, header.client_id, received
        )
        if self.quotas.active:
            result = self.quotas.handle(handle, self, context, request, len(frame))
        else:
            result = handle(self, context, request)
        if result is Later.PARKED:
            if context.reply_parts is None:
                session.wait_for(context)
            else:
                session.send(context, context.reply_parts)
        elif result is not Later.NO_REPLY:
            session.send(context, context.encode(result))
            self.answered(context)
        if self._look_again:
            self.run_look_again()

    def answered(self, context: RequestContext) -> None:
        """Count how long a request took."""
        latency = self._latencies.get(context.api_key)
        if latency is not None:
            latency.observe((self.clock.monotonic() - context.received) * 1000)

    def _refuse(self, session: Session, header: RequestHeader, received: float) -> None:
        """An API or version that is not served."""
        if header.api_key == ApiKey.API_VERSIONS:
            # KIP-511: answered in version 0, so that the client learns what is served.
            from riverlog.broker.handlers.api_versions import supported_versions

            response = supported_versions(self, ErrorCode.UNSUPPORTED_VERSION)
            context = RequestContext(
                session, header.api_key, 0, header.correlation_id, header.client_id, received
            )
            session.send(context, context.encode(response))
            return
        if header.api_key == ApiKey.PRODUCE and 0 <= header.api_version < 3:
            session.connection.close("Produce before version 3 carries an old message format")
            return
        session.connection.close(f"API {header.api_key} version {header.api_version} is not served")

    # -- waking parked requests ----------------------------------------------------------

    def next_number(self) -> int:
        self._number += 1
        return self._number

    def look_again(self, number: int, callback: Callable[[], None]) -> None:
        """Run ``callback`` once the current request is done, once however often it is asked for."""
        self._look_again[number] = callback

    def run_look_again(self) -> None:
        while self._look_again:
            callbacks, self._look_again = self._look_again, {}
            for callback in callbacks.values():
                callback()

    # -- partitions ----------------------------------------------------------------------

    def topic_name(self, topic_id: bytes) -> str | None:
        return self.replicas.name_of(topic_id)

    def partition(self, topic: str | None, index: int) -> Partition | ErrorCode:
        return self.replicas.get(topic, index)

    def partition_of(self, key: PartitionKey) -> Partition | ErrorCode:
        """By topic id where the client's version has one, else by name."""
        topic_id, name, index = key
        if name:
            return self.replicas.get(name, index)
        known = self.replicas.name_of(topic_id)
        return ErrorCode.UNKNOWN_TOPIC_ID if known is None else self.replicas.get(known, index)

    def is_offline(self, topic: str, index: int) -> bool:
        """Whether this node cannot serve a partition it leads."""
        return isinstance(self.replicas.get(topic, index), ErrorCode)

    def alive_brokers(
        self, listener: str, *, fenced: bool = False
    ) -> list[tuple[int, BrokerEndpoint, str | None, bool]]:
        """Id, address on that listener, rack, and whether fenced (asked for or left out)."""
        return [
            (broker.broker_id, broker.endpoints[listener], broker.rack, broker.fenced)
            for broker in self.metadata.image.brokers.values()
            if listener in broker.endpoints and (fenced or not broker.fenced)
        ]

    def load_dynamic_config(self) -> None:
        """Adopt the dynamic settings of the published metadata."""
        image = self.metadata.image
        bad = self.config.set_dynamic(
            broker=image.config(BROKER_RESOURCE, str(self.node_id)), default=image.config(BROKER_RESOURCE, "")
        )
        for error in bad:
            logger.warning("dynamic setting left out: %s", error)
        self.fetch_max_bytes = self.config[broker_configs.FETCH_MAX_BYTES]
        self.quotas.connections.load_config()
        self.logs.cleaner.settings = _cleaner_settings(self.config)


def _cleaner_settings(config: BrokerConfig) -> CleanerSettings:
    return CleanerSettings(
        enable=config[broker_configs_log.LOG_CLEANER_ENABLE],
        backoff_ms=config[broker_configs_log.LOG_CLEANER_BACKOFF_MS],
        dedupe_buffer_size=config[broker_configs_log.LOG_CLEANER_DEDUPE_BUFFER_SIZE],
        io_buffer_size=config[broker_configs_log.LOG_CLEANER_IO_BUFFER_SIZE],
        io_buffer_load_factor=config[broker_configs_log.LOG_CLEANER_IO_BUFFER_LOAD_FACTOR],
        io_max_bytes_per_second=config[broker_configs_log.LOG_CLEANER_IO_MAX_BYTES_PER_SECOND],
    )


def _manager_settings(config: BrokerConfig) -> ManagerSettings:
    return ManagerSettings(
        fsync_timeout_ms=config[broker_configs_log.LOG_DIR_FSYNC_TIMEOUT_MS],
        high_watermark_checkpoint_interval_ms=config[
            broker_configs_log.REPLICA_HIGH_WATERMARK_CHECKPOINT_INTERVAL_MS
        ],
        log_start_checkpoint_interval_ms=config[
            broker_configs_log.LOG_FLUSH_START_OFFSET_CHECKPOINT_INTERVAL_MS
        ],
        retention_check_interval_ms=config[broker_configs_log.LOG_RETENTION_CHECK_INTERVAL_MS],
        producer_expiration_check_interval_ms=config[broker_configs.PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS],
        cleaner=_cleaner_settings(config),
    )
