"""The small files around the logs: ``meta.properties``, ``partition.metadata``, the clean-shutdown mark."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from riverlog.base.properties import PropertiesError, parse_properties
from riverlog.env import Disk, StorageError
from riverlog.storage.checkpoints import write_aside
from riverlog.storage.names import CLEAN_SHUTDOWN, META_PROPERTIES, PARTITION_METADATA

META_VERSION = 1


class MetaPropertiesError(Exception):
    """``meta.properties`` is not one we can work with; the message says why."""


@dataclass(slots=True)
class MetaProperties:
    """Whose folder this is. Without ``cluster_id`` it is not formatted yet."""

    node_id: int | None = None
    directory_id: str | None = None
    cluster_id: str | None = None


def encode_uuid(value: bytes) -> str:
    """Kafka's text form of a UUID: URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decode_uuid(text: str) -> bytes:
    """Raises ``ValueError`` for anything but 16 bytes."""
    try:
        value = base64.urlsafe_b64decode(text.encode("ascii") + b"==")
    except (binascii.Error, UnicodeEncodeError):
        raise ValueError(f"{text!r} is not base64") from None
    if len(value) != 16:
        raise ValueError(f"{text!r} is not a UUID")
    return value


def read_meta_properties(disk: Disk, log_dir: str) -> MetaProperties | None:
    """None if the folder has none. Raises ``MetaPropertiesError``."""
    path = f"{log_dir}/{META_PROPERTIES}"
    if not disk.exists(path):
        return None
    try:
        values = parse_properties(disk.read_file(path).decode("latin-1"))
        version = int(values.get("version", "0"))
        node = values.get("node.id", values.get("broker.id"))
        node_id = int(node) if node is not None else None
    except (PropertiesError, ValueError) as error:
        raise MetaPropertiesError(f"{path}: {error}") from None
    if version not in (0, META_VERSION):
        raise MetaPropertiesError(f"{path}: unknown version {version}")
    return MetaProperties(node_id, values.get("directory.id"), values.get("cluster.id"))


def write_meta_properties(disk: Disk, log_dir: str, meta: MetaProperties) -> None:
    """Durable when this returns."""
    lines = [f"version={META_VERSION}"]
    if meta.node_id is not None:
        lines.append(f"node.id={meta.node_id}")
    if meta.directory_id is not None:
        lines.append(f"directory.id={meta.directory_id}")
    if meta.cluster_id is not None:
        lines.append(f"cluster.id={meta.cluster_id}")
    write_aside(disk, f"{log_dir}/{META_PROPERTIES}", ("\n".join(lines) + "\n").encode())


def encode_partition_metadata(topic_id: bytes) -> bytes:
    return f"version: 0\ntopic_id: {encode_uuid(topic_id)}".encode()


def read_partition_metadata(disk: Disk, folder: str) -> bytes | None:
    """The topic id; None if the file is missing or torn (it is written with the folder, before any data)."""
    path = f"{folder}/{PARTITION_METADATA}"
    try:
        data = disk.read_file(path)
    except StorageError:
        if disk.exists(path):
            raise
        return None
    fields = dict(line.partition(": ")[::2] for line in data.decode("latin-1").splitlines())
    try:
        return decode_uuid(fields["topic_id"]) if fields.get("version") == "0" else None
    except (KeyError, ValueError):
        return None


def write_clean_shutdown(disk: Disk, log_dir: str, broker_epoch: int) -> None:
    """The last act of a clean stop: everything else is on disk by now."""
    content = json.dumps({"version": 0, "brokerEpoch": broker_epoch}, separators=(",", ":"))
    write_aside(disk, f"{log_dir}/{CLEAN_SHUTDOWN}", content.encode())


def take_clean_shutdown(disk: Disk, log_dir: str) -> int | None:
    """The broker epoch of a clean stop (-1 if unknown), None after an unclean one. The mark goes
    durably before anything is opened: a crash from here on is an unclean stop."""
    path = f"{log_dir}/{CLEAN_SHUTDOWN}"
    if not disk.exists(path):
        return None
    try:
        content = json.loads(disk.read_file(path))
        epoch = int(content["brokerEpoch"])
    except (ValueError, TypeError, KeyError):
        epoch = -1
    disk.remove(path)
    disk.sync_folder(log_dir)
    return epoch
