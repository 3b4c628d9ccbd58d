"""A node in the real world: folders, sockets, clock and threads around one ``Broker``."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator

from riverlog.base import broker_configs
from riverlog.base.config import BrokerConfig
from riverlog.base.listeners import Endpoint
from riverlog.broker.broker import Broker
from riverlog.env import StorageError
from riverlog.metadata.errors import MetadataError
from riverlog.runtime.disk import RealDisk
from riverlog.runtime.folder_lock import FolderLock, FolderLocked
from riverlog.runtime.folders import SystemRng, log_folders
from riverlog.runtime.http import HttpServer
from riverlog.runtime.listeners import (
    ListenError,
    Listeners,
    adopt_controller_listener,
    advertised,
    client_listeners,
    controller_listeners,
)
from riverlog.runtime.loop import READ, Loop
from riverlog.runtime.outbound import Outbound, parse_detours
from riverlog.runtime.process_metrics import watch_process

logger = logging.getLogger("riverlog.runtime")

_START_SECONDS_MAX = 60.0
"""For a node that is alone. One of several waits for the others as long as it takes."""
_TOLD_FIRST_SECONDS = 1.0
_TOLD_AGAIN_SECONDS = 10.0
PARENT_PIPE = "RIVERLOG_PARENT_PIPE"
"""Environment: a descriptor whose end tells a node that whoever started it is gone."""
LEAVE_SECONDS_MAX = 30.0
"""How long a controlled shutdown may take before the node stops without the controller's consent."""
_METRICS_HOST = "127.0.0.1"
_TEXT = "text/plain; version=0.0.4"


class StartError(Exception):
    """The node cannot start: one line for the user."""


class StopRequested(Exception):
    """The node was told to stop while it started."""


class Node:
    """``start``, then ``run`` on the thread that shall own it (or ``run_in_thread``)."""

    def __init__(self, config: BrokerConfig) -> None:
        self._config = config
        self._loop = Loop()
        self._disk = RealDisk(self._loop.call_threadsafe)
        self._locks: list[FolderLock] = []
        self._listeners: Listeners | None = None
        self._http: HttpServer | None = None
        self._thread: threading.Thread | None = None
        self._ready = False
        self._stops_requested = 0
        self.stopping = False
        """The loop has ended, and what is open is being made durable."""
        self.failure: BaseException | None = None
        self.log_dirs = log_folders(config)
        detours = config[broker_configs.NETWORK_DETOURS]
        self._network = Outbound(self._loop, detours=parse_detours(detours))
        adopt_controller_listener(config)

    # -- life ----------------------------------------------------------------------------

    def start(self) -> None:
        """Open folders and sockets and begin to serve.

        Raises ``StartError`` or ``ConfigError``; ``StopRequested`` if told to stop meanwhile. One node of
        several serves the quorum at once, and returns from here when clients may come.
        """
        try:
            self._start()
        except BaseException:
            self._release()
            raise

    def _start(self) -> None:
        started = time.monotonic()
        try:
            self._lock_folders()
            self._controllers = controller_listeners(self._config)
            endpoints = [*client_listeners(self._config), *self._controllers]
            self._listeners = Listeners(self._loop, self._config, endpoints)
            self._open_http()
            self._open_broker()
        except (FolderLocked, ListenError, MetadataError) as error:
            raise StartError(str(error)) from error
        except StorageError as error:
            raise StartError(f"storage: {error}") from error
        self._listeners.serve(self.broker)
        self._ready = True
        logger.info("started in %.2f s", time.monotonic() - started)

    def run(self) -> None:
        """Serve until ``request_stop``, then stop cleanly."""
        try:
            self._loop.run()
            if self.failure is None:
                self._stop()
        finally:
            self._release()

    def run_in_thread(self) -> None:
        """``run`` on a thread of its own; what ends it early is kept in ``failure``."""

        def serve() -> None:
            try:
                self.run()
            except BaseException as error:
                self.failure = error

        self._thread = threading.Thread(target=serve, name="riverlog-broker", daemon=True)
        self._thread.start()

    def request_stop(self) -> None:
        """From any thread or a signal handler. The first time the node hands over what it leads and stops
        cleanly; the second time it stops cleanly without that.
        """
        self._stops_requested += 1
        if self._stops_requested == 1:
            self._loop.call_threadsafe(self._leave)
        elif not self.stopping:
            self._loop.stop()

    def watch_parent(self, fd: int) -> None:
        """Stop, without handing over, when the other end of this pipe is closed: our parent is gone."""

        def gone(_events: int) -> None:
            self._loop.remove(fd)
            logger.warning("whoever started this node is gone")
            self._stops_requested += 1
            self._loop.stop()

        self._loop.add(fd, READ, gone)

    def _leave(self) -> None:
        """Controlled shutdown; the loop ends after it, or after a while."""
        if not self._ready or self.broker.metadata.is_sole:
            self._loop.stop()
            return
        logger.info("handing over to the other nodes; a second signal stops at once")

        def too_long() -> None:
            logger.warning("handing over took longer than %.0f s", LEAVE_SECONDS_MAX)
            self._loop.stop()

        self._loop.call_later(LEAVE_SECONDS_MAX, too_long)
        self.broker.lifecycle.leave(self._loop.stop)

    def join(self, seconds: float) -> bool:
        """Wait for the thread of ``run_in_thread``; False if it still runs."""
        assert self._thread is not None
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _stop(self) -> None:
        logger.info("stopping")
        self.stopping = True
        self._ready = False
        if self._listeners is not None:
            self._listeners.close()
        self.broker.stop()
        logger.info("stopped cleanly")

    def _release(self) -> None:
        if self._listeners is not None:
            self._listeners.close()
        if self._http is not None:
            self._http.close()
        self._network.close()
        self._disk.close()
        for lock in self._locks:
            lock.release()
        self._locks.clear()
        self._loop.close()

    # -- addresses -----------------------------------------------------------------------

    @property
    def bootstrap(self) -> str:
        """``host:port`` pairs for clients; empty for a node that is only a controller."""
        return ",".join(_address(endpoint) for endpoint in self.advertised)

    @property
    def controller_address(self) -> str:
        """``host:port`` pairs of the controller's listeners."""
        assert self._listeners is not None
        names = {endpoint.listener for endpoint in self._controllers}
        bound = [endpoint for endpoint in self._listeners.bound if endpoint.listener in names]
        return ",".join(_address(endpoint) for endpoint in advertised(self._config, bound))

    @property
    def metrics_url(self) -> str:
        return f"http://{_METRICS_HOST}:{self._http.port}/metrics" if self._http is not None else ""

    # -- assembling ----------------------------------------------------------------------

    def _lock_folders(self) -> None:
        for path in self.log_dirs:
            try:
                if not os.path.isdir(path):
                    os.makedirs(path)
                    self._disk.sync_folder(os.path.dirname(path))
                self._locks.append(FolderLock(path))
            except OSError as error:
                raise StartError(f"the data folder {path} cannot be used: {error.strerror}") from error
            self._disk.add_log_dir(path)

    def _open_broker(self) -> None:
        assert self._listeners is not None
        names = {endpoint.listener for endpoint in self._controllers}
        bound = [endpoint for endpoint in self._listeners.bound if endpoint.listener not in names]
        self.advertised = advertised(self._config, bound)
        ready: list[bool] = []
        self.broker = Broker.boot(
            config=self._config,
            disk=self._disk,
            clock=self._loop,
            rng=SystemRng(),
            log_dirs=self.log_dirs,
            endpoints=self.advertised,
            on_failure=self._metadata_failed,
            ready=lambda: ready.append(True),
            network=self._network,
        )
        self._listeners.serve_controller(self.broker)
        self._wait_for(ready)
        watch_process(self.broker.metrics, self._loop, self._listeners, self.broker)

    def _wait_for(self, ready: list[bool]) -> None:
        """Turn the loop until clients may come."""
        started = time.monotonic()
        telling = self._loop.call_later(_TOLD_FIRST_SECONDS, lambda: None)
        told_at = started + _TOLD_FIRST_SECONDS
        while not ready:
            if self.failure is not None:
                raise StartError(str(self.failure))
            if self._stops_requested:
                self._stop()
                raise StopRequested
            now = time.monotonic()
            if self.broker.metadata.is_sole and now > started + _START_SECONDS_MAX:
                raise StartError(f"the metadata log was not durable within {_START_SECONDS_MAX:.0f} s")
            if now >= told_at:
                logger.info("waiting for %s", self._missing())
                told_at = now + _TOLD_AGAIN_SECONDS
                telling = self._loop.call_later(_TOLD_AGAIN_SECONDS, lambda: None)
            self._loop.run_once()
        telling.cancel()

    def _missing(self) -> str:
        """What a start that takes long waits for."""
        metadata = self.broker.metadata
        if metadata.is_sole:
            return "the disk"
        if metadata.controller_id is None:
            voters = ", ".join(
                f"{node.node_id} at {':'.join(str(part) for part in node.address() or ('?',))}"
                for node in metadata.raft.voters
            )
            return f"a majority of the metadata quorum (voters: {voters or 'not known yet'})"
        return f"controller {metadata.controller_id}: this broker is {self.broker.lifecycle.phase.value}"

    def _metadata_failed(self, error: StorageError) -> None:
        """Nothing can be decided any more: end, and let a restart recover."""
        logger.critical("the metadata log failed: %s", error)
        self.failure = error
        self._loop.stop()

    # -- http ----------------------------------------------------------------------------

    def _open_http(self) -> None:
        port = self._config[broker_configs.METRICS_PORT]
        if port is None or port < 0:
            return
        pages = {"/metrics": self._metrics_page, "/healthz": self._health_page, "/readyz": self._ready_page}
        try:
            self._http = HttpServer(self._loop, _METRICS_HOST, port, pages)
        except OSError as error:
            raise StartError(
                f"cannot listen on {_METRICS_HOST}:{port} (metrics.port): {error.strerror}"
            ) from error

    def _metrics_page(self) -> tuple[int, str, Iterator[bytes]]:
        return 200, _TEXT, self.broker.metrics.render()

    def _health_page(self) -> tuple[int, str, Iterator[bytes]]:
        return 200, "text/plain", iter([b"alive\n"])

    def _ready_page(self) -> tuple[int, str, Iterator[bytes]]:
        if self._ready:
            return 200, "text/plain", iter([b"ready\n"])
        return 503, "text/plain", iter([b"not ready\n"])


def _address(endpoint: Endpoint) -> str:
    host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
    return f"{host}:{endpoint.port}"
