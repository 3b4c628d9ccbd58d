"""Interfaces to the outside world: ``runtime`` implements them for real, ``sim`` from a seed."""

from riverlog.env.clock import Clock, Timer
from riverlog.env.disk import Disk, DiskFull, File, StorageError
from riverlog.env.network import Channel, Closed, Connection, Dialer
from riverlog.env.rng import Rng

__all__ = [
    "Channel",
    "Clock",
    "Closed",
    "Connection",
    "Dialer",
    "Disk",
    "DiskFull",
    "File",
    "Rng",
    "StorageError",
    "Timer",
]
