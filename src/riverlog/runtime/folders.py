"""What every program that opens a node's folders needs: their paths, and the system's randomness."""

from __future__ import annotations

import os
import random

from riverlog.base import broker_configs, broker_configs_log
from riverlog.base.config import BrokerConfig, ConfigError


class SystemRng:
    """Implements ``env.Rng`` with the system's randomness."""

    def random_bytes(self, count: int) -> bytes:
        return os.urandom(count)

    def random_int(self, low: int, high: int) -> int:
        return random.SystemRandom().randint(low, high)


def log_folders(config: BrokerConfig) -> list[str]:
    """``log.dirs``, else ``log.dir``; absolute and each once."""
    chosen = config[broker_configs_log.LOG_DIRS] or config[broker_configs_log.LOG_DIR] or ()
    paths = [os.path.abspath(path) for path in chosen]
    if not paths or len(set(paths)) != len(paths):
        raise ConfigError("log.dirs", ",".join(chosen), "expected folders, each once")
    return paths


def all_folders(config: BrokerConfig) -> list[str]:
    """The log folders, and that of the metadata log where it has one of its own."""
    own = config[broker_configs.METADATA_LOG_DIR]
    return list(dict.fromkeys([*log_folders(config), *([os.path.abspath(own)] if own else [])]))
