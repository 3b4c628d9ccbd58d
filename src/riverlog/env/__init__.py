"""Interfaces to the outside world: ``runtime`` implements them for real, ``sim`` from a seed."""

from riverlog.env.clock import Clock, Timer
from riverlog.env.disk import Disk, DiskFull, File, StorageError
from riverlog.env.network import Connection
from riverlog.env.rng import Rng

__all__ = ["Clock", "Connection", "Disk", "DiskFull", "File", "Rng", "StorageError", "Timer"]
