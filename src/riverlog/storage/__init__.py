"""The log on disk, in Kafka's own file formats: segments, indexes, epochs, producers, recovery."""

from riverlog.storage.cleaner import LogCleaner
from riverlog.storage.cleaner_run import CleanerSettings
from riverlog.storage.commit import GroupCommit
from riverlog.storage.config import LogConfig
from riverlog.storage.errors import AppendError, LogError, OffsetOutOfRange
from riverlog.storage.log import AppendInfo, Log
from riverlog.storage.logdir import LogDir
from riverlog.storage.manager import LogManager, ManagerSettings, OpenReport
from riverlog.storage.moving import LogMove
from riverlog.storage.names import TopicPartition
from riverlog.storage.refused import RefusedSequences
from riverlog.storage.verification import UNVERIFIED, VerificationGuard

__all__ = [
    "UNVERIFIED",
    "AppendError",
    "AppendInfo",
    "CleanerSettings",
    "GroupCommit",
    "Log",
    "LogCleaner",
    "LogConfig",
    "LogDir",
    "LogError",
    "LogManager",
    "LogMove",
    "ManagerSettings",
    "OffsetOutOfRange",
    "OpenReport",
    "RefusedSequences",
    "TopicPartition",
    "VerificationGuard",
]
