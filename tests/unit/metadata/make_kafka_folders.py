"""Makes ``kafka_folders.zip``: metadata folders as Apache Kafka leaves them, for ``test_kafka_folder.py``.

    python tests/unit/metadata/make_kafka_folders.py --jars FOLDER_OF_KAFKA_JARS --port 19200

Runs a real Kafka on loopback twice: formatted ``--standalone`` and stopped cleanly, with snapshots; and
with a one-entry voters list and killed. Only the files a metadata reader looks at are kept.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import zipfile
from pathlib import Path

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

TARGET = Path(__file__).with_name("kafka_folders.zip")
KEPT = ("*.log", "*.checkpoint", "quorum-state", "partition.metadata", "leader-epoch-checkpoint")
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"


def java(jars: Path, *words: str) -> list[str]:
    return ["java", "-Xmx256m", "-cp", f"{jars}/*", *words]


def properties(folder: Path, port: int, *, node_id: int, static: bool) -> Path:
    quorum = (
        f"controller.quorum.voters={node_id}@localhost:{port + 1}"
        if static
        else f"controller.quorum.bootstrap.servers=localhost:{port + 1}"
    )
    path = folder / "server.properties"
    path.write_text(
        f"""process.roles=broker,controller
node.id={node_id}
{quorum}
listeners=PLAINTEXT://localhost:{port},CONTROLLER://localhost:{port + 1}
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={folder}/data
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
allow.everyone.if.no.acl.found=true
super.users=User:ANONYMOUS
metadata.max.idle.interval.ms=0
metadata.log.max.record.bytes.between.snapshots={1 << 30 if static else 1500}
internal.metadata.log.segment.bytes={1 << 20 if static else 2048}
"""
    )
    return path


def set_config(
    admin: AdminClient, kind: ResourceType, name: str, op: AlterConfigOpType, **values: str
) -> None:
    entries = [
        ConfigEntry(key.replace("_", "."), value, incremental_operation=op) for key, value in values.items()
    ]
    resource = ConfigResource(kind, name, incremental_configs=entries)
    for future in admin.incremental_alter_configs([resource]).values():
        future.result(10)


def work(jars: Path, bootstrap: str) -> None:
    """A bit of everything that leaves metadata records."""
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    for future in admin.create_topics(
        [
            NewTopic("alpha", 3, 1, config={"retention.ms": "1000000", "cleanup.policy": "compact"}),
            NewTopic("beta.x", 1, 1),
            NewTopic("gone", 1, 1),
        ]
    ).values():
        future.result(10)
    for future in admin.create_partitions([NewPartitions("beta.x", 2)]).values():
        future.result(10)
    for future in admin.delete_topics(["gone"]).values():
        future.result(10)
    set_op, delete_op = AlterConfigOpType.SET, AlterConfigOpType.DELETE
    set_config(admin, ResourceType.TOPIC, "alpha", set_op, min_insync_replicas="1")
    set_config(admin, ResourceType.TOPIC, "alpha", delete_op, retention_ms="")
    for entity, config in (
        (["brokers", "--entity-default"], "log.retention.ms=7777777"),
        (["clients", "--entity-name", "app"], "producer_byte_rate=1024"),
    ):
        tool = java(jars, "kafka.admin.ConfigCommand", "--bootstrap-server", bootstrap, "--alter")
        tool += ["--entity-type", *entity, "--add-config", config]
        subprocess.run(tool, check=True, capture_output=True)
    acl = AclBinding(
        ResourceType.TOPIC,
        "alpha",
        ResourcePatternType.LITERAL,
        "User:joe",
        "*",
        AclOperation.READ,
        AclPermissionType.ALLOW,
    )
    for future in admin.create_acls([acl]).values():
        future.result(10)
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
    for future in admin.alter_user_scram_credentials(
        [UserScramCredentialUpsertion("joe", info, b"secret")]
    ).values():
        future.result(10)
    producer = Producer({"bootstrap.servers": bootstrap, "enable.idempotence": True, "log_level": 0})
    producer.produce("alpha", key=b"k", value=b"v")
    producer.flush()


def run(jars: Path, port: int, folder: Path, *, node_id: int, static: bool) -> None:
    config = properties(folder, port, node_id=node_id, static=static)
    mode = [] if static else ["--standalone"]
    tool = java(jars, "kafka.tools.StorageTool", "format", *mode, "-t", CLUSTER_ID, "-c", str(config))
    subprocess.run(tool, check=True, capture_output=True)
    # The second life shows a restart: a new epoch, leaders elected again.
    for _ in range(2):
        process = subprocess.Popen(
            java(jars, "kafka.Kafka", str(config)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            serve(jars, f"localhost:{port}")
            if not static:
                process.terminate()
                process.wait(60)
        finally:
            process.kill()
            process.wait(60)


def serve(jars: Path, bootstrap: str) -> None:
    """Once the broker is up, give it something to do if it has nothing yet."""
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    while True:
        try:
            topics = admin.list_topics(timeout=5).topics
            break
        except KafkaException:
            continue
    if "alpha" not in topics:
        work(jars, bootstrap)


def pack(archive: zipfile.ZipFile, name: str, data: Path) -> None:
    metadata = data / "__cluster_metadata-0"
    found = [path for pattern in KEPT for path in sorted(metadata.glob(pattern))]
    found += [data / "meta.properties", data / "bootstrap.checkpoint", data / ".kafka_cleanshutdown"]
    for path in found:
        if path.exists():
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(data)}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jars", type=Path, required=True)
    parser.add_argument("--port", type=int, default=19200)
    options = parser.parse_args()
    with zipfile.ZipFile(TARGET, "w") as archive:
        for name, node_id, static in (("standalone", 1, False), ("static", 7, True)):
            with tempfile.TemporaryDirectory() as folder:
                run(options.jars, options.port, Path(folder), node_id=node_id, static=static)
                pack(archive, name, Path(folder) / "data")


if __name__ == "__main__":
    main()
