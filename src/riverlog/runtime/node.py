"""A node in the real world: folders, sockets, clock and threads around one ``Broker``."""

from __future__ import annotations

import logging
import os
import random
import threading
import time
from collections.abc import Iterator

from riverlog.base import broker_configs, broker_configs_log
from riverlog.base.config import BrokerConfig, ConfigError
from riverlog.base.listeners import Endpoint
from riverlog.broker.broker import Broker
from riverlog.env import StorageError
from riverlog.metadata.errors import MetadataError
from riverlog.runtime.disk import RealDisk
from riverlog.runtime.folder_lock import FolderLock, FolderLocked
from riverlog.runtime.http import HttpServer
from riverlog.runtime.listeners import ListenError, Listeners, advertised, client_listeners
from riverlog.runtime.loop import Loop
from riverlog.runtime.process_metrics import watch_process

logger = logging.getLogger("riverlog.runtime")

_START_SECONDS_MAX = 60.0
_METRICS_HOST = "127.0.0.1"
_TEXT = "text/plain; version=0.0.4"


class StartError(Exception):
    """The node cannot start: one line for the user."""


class SystemRng:
    """Implements ``env.Rng`` with the system's randomness."""

    def random_bytes(self, count: int) -> bytes:
        return os.urandom(count)

    def random_int(self, low: int, high: int) -> int:
        return random.SystemRandom().randint(low, high)


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
        self.failure: BaseException | None = None
        self.log_dirs = _log_dirs(config)

    # -- life ----------------------------------------------------------------------------

    def start(self) -> None:
        """Open folders and sockets and begin to serve. Raises ``StartError`` or ``ConfigError``."""
        try:
            self._start()
        except BaseException:
            self._release()
            raise

    def _start(self) -> None:
        started = time.monotonic()
        try:
            self._lock_folders()
            self._listeners = Listeners(self._loop, self._config, client_listeners(self._config))
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
        """From any thread or a signal handler."""
        self._loop.stop()

    def join(self, seconds: float) -> bool:
        """Wait for the thread of ``run_in_thread``; False if it still runs."""
        assert self._thread is not None
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _stop(self) -> None:
        logger.info("stopping")
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
        self._disk.close()
        for lock in self._locks:
            lock.release()
        self._locks.clear()
        self._loop.close()

    # -- addresses -----------------------------------------------------------------------

    @property
    def bootstrap(self) -> str:
        """``host:port`` pairs for clients."""
        return ",".join(_address(endpoint) for endpoint in self.advertised)

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
        self.advertised = advertised(self._config, self._listeners.bound)
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
        )
        deadline = time.monotonic() + _START_SECONDS_MAX
        while not ready:
            if self.failure is not None:
                raise StartError(str(self.failure))
            if time.monotonic() > deadline:
                raise StartError(f"the metadata log was not durable within {_START_SECONDS_MAX:.0f} s")
            self._loop.run_once()
        watch_process(self.broker.metrics, self._loop, self._listeners, self.broker)

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


def _log_dirs(config: BrokerConfig) -> list[str]:
    """``log.dirs``, else ``log.dir``; absolute and each once."""
    chosen = config[broker_configs_log.LOG_DIRS] or config[broker_configs_log.LOG_DIR] or ()
    paths = [os.path.abspath(path) for path in chosen]
    if not paths or len(set(paths)) != len(paths):
        raise ConfigError("log.dirs", ",".join(chosen), "expected folders, each once")
    return paths


def _address(endpoint: Endpoint) -> str:
    host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
    return f"{host}:{endpoint.port}"
