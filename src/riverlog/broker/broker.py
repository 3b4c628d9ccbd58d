"""The broker: requests in, replies out, over one node's logs and metadata.

Pure: it is driven by ``runtime`` with sockets and files, and by ``sim`` from a seed.
Handlers live one per file in ``handlers/``; this file holds what they share.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from riverlog.base import broker_configs, broker_configs_log
from riverlog.base.errors import ErrorCode
from riverlog.base.metric_table import FETCH_LATENCY_MS, PRODUCE_LATENCY_MS, REQUESTS
from riverlog.base.metrics import Metrics
from riverlog.broker.assignments import Assignments
from riverlog.broker.contacts import Contacts
from riverlog.broker.context import RequestContext
from riverlog.broker.controller_channel import ControllerChannel
from riverlog.broker.coordinators import Coordinators
from riverlog.broker.cordon import Cordon
from riverlog.broker.enrolment import Enrolment
from riverlog.broker.fetch_sessions import FetchSessions, PartitionKey
from riverlog.broker.forwarding import Forwarding, controlled
from riverlog.broker.lifecycle import Lifecycle
from riverlog.broker.log_dir_moves import LogDirMoves
from riverlog.broker.producer_ids import ProducerIds
from riverlog.broker.quotas import Quotas
from riverlog.broker.registry import Handle, Handler, Later, handlers
from riverlog.broker.replicas import Replicas
from riverlog.broker.session import Session
from riverlog.broker.txn_markers import TxnMarkers
from riverlog.broker.txn_verification import TxnVerification
from riverlog.client.peer import Peers
from riverlog.env import Clock, Connection, Dialer, Disk, Rng, StorageError, Timer
from riverlog.metadata.controller import Decision
from riverlog.metadata.image import BROKER_RESOURCE, BrokerEndpoint, ClusterState
from riverlog.metadata.node import MetadataNode
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.errors import DecodeError
from riverlog.protocol.frames import RequestHeader, decode_request_header
from riverlog.replication import Partition
from riverlog.storage import CleanerSettings, Log, LogDir, LogManager, ManagerSettings

if TYPE_CHECKING:
    from riverlog.base.config import BrokerConfig
    from riverlog.base.listeners import Endpoint

logger = logging.getLogger("riverlog.broker")

TICK_SECONDS = 1.0

R = TypeVar("R")
Entry = tuple[tuple[int, int], Callable[[memoryview, int, int], tuple[Any, int]], Handle, Any]
"""Versions served, decoder, handler, and the counter of its requests."""


class Broker:
    """One node, whatever its roles: ``boot`` makes it, ``stop`` ends it."""

    def __init__(
        self,
        *,
        config: BrokerConfig,
        disk: Disk,
        clock: Clock,
        rng: Rng,
        log_dirs: Sequence[str],
        metadata: MetadataNode,
        peers: Peers | None = None,
    ) -> None:
        self.config = config
        self.disk = disk
        self.clock = clock
        self.metadata = metadata
        self.peers = peers
        """Other nodes; None on a node that is alone."""
        self._rng = rng
        roles = config[broker_configs.PROCESS_ROLES]
        self.is_broker = "broker" in roles
        self.is_controller = "controller" in roles
        self.controller_listeners = {
            name.upper() for name in config[broker_configs.CONTROLLER_LISTENER_NAMES]
        }
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
            on_offline=self._folder_failed,
            settings=_manager_settings(config),
        )
        self.producer_ids = ProducerIds(self)
        self.quotas = Quotas(clock, config)
        self.log_dir_moves = LogDirMoves(self)
        self.txn_markers = TxnMarkers(self)
        self.coordinators = Coordinators(self, rng)
        self.groups = self.coordinators.groups
        self.transactions = self.coordinators.transactions
        self.txn_verification = TxnVerification(self)
        self.fetch_sessions = FetchSessions(
            rng, config[broker_configs.MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS]
        )
        self.fetch_max_bytes = config[broker_configs.FETCH_MAX_BYTES]
        self.handlers = handlers("broker")
        """What is served to clients."""
        self.controller_handlers = handlers("controller")
        self.entries = self._make_entries(self.handlers)
        self.controller_entries = self._make_entries(self.controller_handlers)
        self.envelope_entries = {
            int(key): self.controller_entries[key]
            for key, entry in self.controller_handlers.items()
            if entry.controlled and "broker" in entry.on
        }
        """What brokers may pass on to a controller."""
        self.local_session = Session(self, _Nowhere(), listener="", peer_host="127.0.0.1")
        """For requests that this node makes of itself as the controller."""
        self.local_session.on_controller = True
        self.controller = ControllerChannel(self)
        self.forwarding = Forwarding(self)
        self.contacts = Contacts()
        metadata.on_activity.append(self.contacts.reset)
        self.lifecycle = Lifecycle(self, rng)
        self.enrolment = Enrolment(self, rng)
        self.cordon = Cordon(self)
        self.assignments = Assignments(self)
        self._latencies = _latencies(self.metrics)
        self._sessions: dict[Session, None] = {}
        self._number = 0
        self._ticking: Timer | None = None
        self.on_failure: Callable[[StorageError], None] = _ignore_failure
        """The process must end."""
        self._alone_at: Sequence[Endpoint] | None = None
        """Endpoints of a broker that registered itself, as the only node of its quorum."""
        self._look_again: dict[int, Callable[[], None]] = {}

    def _make_entries(self, served: dict[ApiKey, Handler]) -> dict[int, Entry]:
        return {
            int(key): (
                entry.versions,
                entry.decode,
                controlled(entry) if entry.controlled else entry.handle,
                self.metrics[REQUESTS].child(api(key).name),
            )
            for key, entry in served.items()
        }

    @property
    def node_id(self) -> int:
        return self.metadata.node_id

    @property
    def is_alone(self) -> bool:
        """Registered by itself, without heartbeats, as the only node of its quorum."""
        return self._alone_at is not None

    @property
    def broker_epoch(self) -> int:
        """Of this broker's registration; -1 while it has none."""
        return self.lifecycle.broker_epoch if self._alone_at is None else self.metadata.broker_epoch

    @property
    def transaction_version(self) -> int:
        """The level of ``transaction.version`` that the cluster uses."""
        return self.metadata.image.transaction_version

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
        network: Dialer | None = None,
    ) -> Broker:
        """Open folders, recover, and begin to register; ``ready`` is called when clients may come.

        Requests of other nodes to controller listeners may come as soon as this returns; a node that is
        only a controller is ready at once. ``network`` opens connections to other nodes; without one the
        node must be alone. Raises ``MetadataError`` or ``StorageError``. ``on_failure``: the metadata log
        failed for good, or all log folders of a broker in a cluster did; the process must end.
        """
        peers = None
        if network is not None:
            name = config[broker_configs.NODE_ID]
            peers = Peers(network, clock, client_id="riverlog" if name is None else f"riverlog-{name}")
        metadata = MetadataNode.open(
            disk=disk,
            log_dirs=log_dirs,
            clock=clock,
            rng=rng,
            config=config,
            peers=peers,
            on_failure=on_failure,
        )
        broker = cls(
            config=config,
            disk=disk,
            clock=clock,
            rng=rng,
            log_dirs=log_dirs,
            metadata=metadata,
            peers=peers,
        )
        broker.on_failure = on_failure
        broker.load_dynamic_config()
        endpoints = [one for one in endpoints if one.listener not in broker.controller_listeners]
        if broker.is_controller and not metadata.is_sole:
            broker.enrolment.start()
        if not broker.is_broker:
            broker._start_controller()
            clock.call_later(0.0, ready)
            return broker
        clean = broker._open_logs()

        def registered() -> None:
            broker._start()
            ready()

        if metadata.is_sole:
            broker._alone_at = endpoints
            metadata.start(endpoints, clean=clean, done=registered)
        else:
            broker.lifecycle.start(
                endpoints,
                previous_epoch=broker._clean_epoch() if clean else -1,
                caught_up=broker._start,
                ready=ready,
            )
        return broker

    def _open_logs(self) -> bool:
        """Recover; whether the last stop was a clean one."""
        report = self.logs.open()
        if not report.clean and report.log_count:
            logger.warning(
                "recovered %d of %d logs after an unclean stop, cut %d torn bytes",
                report.recovered_count,
                report.log_count,
                report.truncated_bytes,
            )
        for log in report.suspect:
            logger.error("%s-%d has corrupt data that no torn write explains", log.topic, log.partition)
        return report.clean

    def _clean_epoch(self) -> int:
        """Broker epoch of the clean stop before this start, where all folders agree on it."""
        epochs = {one.clean_shutdown_epoch for one in self.logs.log_dirs if one.is_online}
        epoch = epochs.pop() if len(epochs) == 1 else None
        return -1 if epoch is None else epoch

    def _start(self) -> None:
        """Take over the partitions of the published metadata."""
        self.load_dynamic_config()
        self.replicas.load()
        self._follow_quotas()
        self.metadata.subscribe(self.replicas.apply, reset=self.replicas.reset)
        self.assignments.start()
        self._tick()

    def _start_controller(self) -> None:
        """A node without partitions: only settings and quotas follow the metadata."""
        self._follow_quotas()
        self.metadata.subscribe(self._settings_changed, reset=self.load_dynamic_config)
        self._tick()

    def _follow_quotas(self) -> None:
        metadata = self.metadata
        self.quotas.load(metadata.image)
        metadata.subscribe(
            lambda records: self.quotas.apply(records, metadata.image),
            reset=lambda: self.quotas.load(metadata.image),
        )

    def _settings_changed(self, records: Sequence[Any]) -> None:
        if any(getattr(record, "resource_type", None) == BROKER_RESOURCE for record in records):
            self.load_dynamic_config()

    def stop_gracefully(self, done: Callable[[], None]) -> None:
        """Controlled shutdown: leadership moves away, then ``stop``; ``done`` when all that is over."""

        def left() -> None:
            self.stop()
            done()

        self.lifecycle.leave(left)

    def stop(self) -> None:
        """Make everything durable; nothing is served any more."""
        self.lifecycle.stop()
        self.enrolment.stop()
        self.controller.close()
        if self._ticking is not None:
            self._ticking.cancel()
        if self.is_broker:
            self.replicas.stop()
            self.assignments.stop()
            self.coordinators.stop()
            self.txn_markers.stop()
            self.txn_verification.stop()
            self.log_dir_moves.stop()
            self.logs.shutdown(self.broker_epoch)
        self.metadata.close()
        if self.peers is not None:
            self.peers.close()

    def _folder_failed(self, log_dir: LogDir, logs: Sequence[Log], error: StorageError) -> None:
        self.replicas.folder_failed(log_dir, logs, error)
        if not self.metadata.is_sole and not any(one.is_online for one in self.logs.log_dirs):
            # Others have our partitions. A new start can judge what the disk still has, we cannot.
            logger.critical("every log directory is offline: this node stops")
            self.on_failure(error)
            return
        directory_id = self.metadata.directory_ids.get(log_dir.path)
        if directory_id is not None:
            self.lifecycle.log_dir_failed(directory_id)

    def online_directory_ids(self) -> list[bytes]:
        """Ids of the log folders that serve."""
        ids = self.metadata.directory_ids
        return [ids[one.path] for one in self.logs.log_dirs if one.is_online and one.path in ids]

    def _tick(self) -> None:
        if self.is_broker:
            self.logs.tick()
        if self._alone_at is not None and not self.metadata.is_sole:
            self.lifecycle.take_over(self._alone_at, self.metadata.broker_epoch)
            self._alone_at = None
        self.metrics.tick(self.clock.monotonic())
        self._ticking = self.clock.call_later(TICK_SECONDS, self._tick)

    # -- connections ---------------------------------------------------------------------

    def connected(self, connection: Connection, *, listener: str, peer_host: str) -> Session:
        session = Session(self, connection, listener=listener, peer_host=peer_host)
        self._sessions[session] = None
        return session

    def session_closed(self, session: Session, reason: str) -> None:
        self._sessions.pop(session, None)
        if session.on_controller:
            self.metadata.heartbeats.disconnected(session, by_peer=not session.closing)

    def dispatch(self, session: Session, frame: memoryview) -> None:
        """Handle one request frame. ``frame`` is valid only during this call."""
        received = self.clock.monotonic()
        try:
            header, position = decode_request_header(frame)
            entry = session.entries.get(header.api_key)
            version = header.api_version
            if entry is None or not entry[0][0] <= version <= entry[0][1]:
                self._refuse(session, header, received)
                return
            _, decode, handle, requests = entry
            request, _ = decode(frame, position, version)
        except DecodeError as error:
            session.close(f"malformed request: {error}")
            return
        requests.value += 1
        context = RequestContext(
            session, header.api_key, version, header.correlation_id, header.client_id, received
        )
        if self.quotas.active and (not session.on_controller or session.envelope is not None):
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

            response = supported_versions(self, session, ErrorCode.UNSUPPORTED_VERSION)
            context = RequestContext(
                session, header.api_key, 0, header.correlation_id, header.client_id, received
            )
            session.send(context, context.encode(response))
            return
        if header.api_key == ApiKey.PRODUCE and 0 <= header.api_version < 3:
            session.close("Produce before version 3 carries an old message format")
            return
        session.close(f"API {header.api_key} version {header.api_version} is not served")

    # -- the controller --------------------------------------------------------------------

    def decide(self, context: RequestContext, decide: Callable[[ClusterState], Decision[Any]]) -> None:
        """Answer a request with a decision of the active controller."""
        self.metadata.decide(decide, context.reply, context.lost_controller)

    def heard_of(self, context: RequestContext, broker_id: int, epoch: int) -> None:
        """A broker lives; the connection that says so is watched (RULES: early fencing 1)."""
        heartbeats = self.metadata.heartbeats
        heartbeats.touched(broker_id, epoch)
        session = context.session
        if session is not self.local_session and not session.closed:
            heartbeats.connected(broker_id, epoch, session)

    def controller_for_clients(self, listener: str) -> int:
        """Which broker clients are to take for the controller: any that lives, it forwards (as in Kafka)."""
        alive = self.alive_brokers(listener)
        return alive[self._rng.random_int(0, len(alive) - 1)][0] if alive else -1

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
        """Whether this node leads a partition and cannot serve it; of others' only the metadata tells."""
        state = self.metadata.image.partition(topic, index)
        if state is None or state.leader != self.node_id:
            return False
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
        self.cordon.load()


def _ignore_failure(_error: StorageError) -> None:
    """Of a broker that was not booted."""


class _Nowhere:
    """The connection of requests that this node makes of itself: answers take another way."""

    def send(self, parts: Sequence[object]) -> None:
        raise AssertionError("a local request is answered by its context")

    def pause_for(self, seconds: float) -> None:
        """Nobody is held back."""

    def close(self, reason: str) -> None:
        """There is nothing to close."""


def _cleaner_settings(config: BrokerConfig) -> CleanerSettings:
    return CleanerSettings(
        enable=config[broker_configs_log.LOG_CLEANER_ENABLE],
        backoff_ms=config[broker_configs_log.LOG_CLEANER_BACKOFF_MS],
        dedupe_buffer_size=config[broker_configs_log.LOG_CLEANER_DEDUPE_BUFFER_SIZE],
        io_buffer_size=config[broker_configs_log.LOG_CLEANER_IO_BUFFER_SIZE],
        io_buffer_load_factor=config[broker_configs_log.LOG_CLEANER_IO_BUFFER_LOAD_FACTOR],
        io_max_bytes_per_second=config[broker_configs_log.LOG_CLEANER_IO_MAX_BYTES_PER_SECOND],
    )


def _latencies(metrics: Metrics) -> dict[int, Any]:
    """Where the times of requests are counted, by API."""
    return {
        int(ApiKey.PRODUCE): metrics[PRODUCE_LATENCY_MS].only,
        int(ApiKey.FETCH): metrics[FETCH_LATENCY_MS].only,
    }


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
