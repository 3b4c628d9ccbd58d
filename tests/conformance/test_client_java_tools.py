"""Kafka's own console tools, which are the Java client: unchanged, in one JVM."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from clientkit import rdkafka
from clientkit.java import JavaTools, ToolResult
from clientkit.samples import CODECS, START_MS, Sample, same, samples, text_samples

Tool = Callable[..., ToolResult]
TOOLS = "org.apache.kafka.tools."


@pytest.fixture
def tool(java_tools: JavaTools, bootstrap: str) -> Tool:
    """Run a tool against the broker; it must end with 0."""

    def run(name: str, *arguments: str, stdin: str = "") -> ToolResult:
        full = name if name.startswith("kafka.") else TOOLS + name
        return java_tools.run(full, "--bootstrap-server", bootstrap, *arguments, stdin=stdin.encode()).ok()

    return run


def create(tool: Tool, topic: str, partitions: int = 1, **config: str) -> None:
    settings = [word for key, value in config.items() for word in ("--config", f"{key}={value}")]
    out = tool("TopicCommand", "--create", "--topic", topic, "--partitions", str(partitions), *settings).out
    assert f"Created topic {topic}." in out


def consume(tool: Tool, topic: str, count: int, *, offset: str = "earliest", partition: int = 0) -> list[str]:
    place = ["--topic", topic, "--partition", str(partition), "--offset", offset]
    form = ["--formatter-property", "print.key=true", "--formatter-property", "key.separator=|"]
    limits = ["--max-messages", str(count), "--timeout-ms", "20000"]
    result = tool("consumer.ConsoleConsumer", *place, *form, *limits)
    assert f"Processed a total of {count} messages" in result.err
    return result.out.splitlines()


@pytest.mark.parametrize("codec", CODECS)
def test_java_console_reads_back_what_it_wrote(tool: Tool, topic: str, codec: str) -> None:
    create(tool, topic)
    lines = [f"{key}|{value}" for key, value in text_samples(60)]
    form = ["--reader-property", "parse.key=true", "--reader-property", "key.separator=|"]
    compression = ["--compression-codec", codec]
    tool("ConsoleProducer", "--topic", topic, *form, *compression, stdin="\n".join(lines) + "\n")
    assert consume(tool, topic, 60) == lines
    assert consume(tool, topic, 27, offset="33") == lines[33:]


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_java_producer_acks(tool: Tool, topic: str, acks: str) -> None:
    create(tool, topic)
    settings = ["--command-property", f"acks={acks}", "--command-property", "enable.idempotence=false"]
    tool("ConsoleProducer", "--topic", topic, *settings, stdin="one\ntwo\n")
    assert consume(tool, topic, 2) == ["null|one", "null|two"]


def test_java_consumer_reads_every_codec_of_librdkafka(
    tool: Tool, mixed_topic: tuple[str, list[Sample]]
) -> None:
    topic, sent = mixed_topic
    place = ["--topic", topic, "--partition", "0", "--offset", "17", "--max-messages", str(len(sent) - 17)]
    shown = ("print.timestamp", "print.offset", "print.partition", "print.headers", "print.key")
    form = [word for name in shown for word in ("--formatter-property", f"{name}=true")]
    out = tool("consumer.ConsoleConsumer", *place, *form, "--timeout-ms", "20000").out
    rows = re.findall(r"CreateTime:(\d+)\tPartition:0\tOffset:(\d+)\t", out)
    assert rows == [(str(sample.timestamp_ms), str(17 + i)) for i, sample in enumerate(sent[17:])]


def test_java_idempotent_performance_run_arrives_whole(
    java_tools: JavaTools, tool: Tool, bootstrap: str, topic: str
) -> None:
    create(tool, topic)
    settings = [
        f"bootstrap.servers={bootstrap}",
        "enable.idempotence=true",
        "batch.size=2000",
        "compression.type=zstd",
    ]
    run = ["--topic", topic, "--num-records", "20000", "--record-size", "100", "--throughput", "-1"]
    java_tools.run(TOOLS + "ProducerPerformance", *run, "--command-property", *settings).ok()
    assert len(rdkafka.read(bootstrap, topic)) == 20_000


def test_java_topic_command_describes_alters_and_deletes(
    tool: Tool, topic: str, settle: Callable[[], None]
) -> None:
    create(tool, topic, 2, **{"retention.ms": "1000000"})
    assert topic in tool("TopicCommand", "--list").out.splitlines()
    described = tool("TopicCommand", "--describe", "--topic", topic).out
    assert re.search(
        rf"Topic: {topic}\s+TopicId: \S{{22}}\s+PartitionCount: 2\s+ReplicationFactor: 1", described
    )
    assert "retention.ms=1000000" in described
    assert len(re.findall(r"Partition: \d\s+Leader: \d+\s+Replicas: \d+\s+Isr: \d+", described)) == 2
    tool("TopicCommand", "--alter", "--topic", topic, "--partitions", "5")
    settle()
    assert "PartitionCount: 5" in tool("TopicCommand", "--describe", "--topic", topic).out
    tool("TopicCommand", "--delete", "--topic", topic)
    settle()
    assert topic not in tool("TopicCommand", "--list").out.splitlines()


def test_java_topic_command_reports_errors(
    java_tools: JavaTools, tool: Tool, bootstrap: str, topic: str
) -> None:
    create(tool, topic)
    for arguments, error in [
        (["--topic", topic], "already exists"),
        (["--topic", f"{topic}-x", "--replication-factor", "3"], "eplication factor"),
        (["--topic", f"{topic}-x", "--config", "retention.ms=soon"], "retention.ms"),
    ]:
        result = java_tools.run(
            TOOLS + "TopicCommand", "--bootstrap-server", bootstrap, "--create", *arguments
        )
        assert result.code == 1
        assert error in result.out + result.err


def test_java_get_offsets(java_tools: JavaTools, tool: Tool, bootstrap: str, topic: str) -> None:
    create(tool, topic, 2)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(50), partition=1)

    def offsets(time: str) -> list[str]:
        return tool("GetOffsetShell", "--topic", topic, "--time", time).out.splitlines()

    assert offsets("latest") == [f"{topic}:0:0", f"{topic}:1:50"]
    assert offsets("earliest") == [f"{topic}:0:0", f"{topic}:1:0"]
    assert offsets("max-timestamp")[-1] == f"{topic}:1:49"
    assert offsets(str(START_MS + 12_001))[-1] == f"{topic}:1:13"


def test_java_consumer_starts_at_latest(tool: Tool, bootstrap: str, topic: str) -> None:
    create(tool, topic)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(5))
    place = ["--topic", topic, "--partition", "0", "--offset", "latest", "--timeout-ms", "2000"]
    result = tool("consumer.ConsoleConsumer", *place)
    assert result.out == ""
    assert "Processed a total of 0 messages" in result.err


def test_java_delete_records(tool: Tool, bootstrap: str, topic: str, tmp_path: Path) -> None:
    create(tool, topic)
    sent = samples(30)
    rdkafka.send(rdkafka.producer(bootstrap), topic, sent)
    asked = tmp_path / "delete.json"
    partitions = [{"topic": topic, "partition": 0, "offset": 12}]
    asked.write_text(json.dumps({"version": 1, "partitions": partitions}))
    out = tool("DeleteRecordsCommand", "--offset-json-file", str(asked)).out
    assert f"partition: {topic}-0\tlow_watermark: 12" in out
    assert tool("GetOffsetShell", "--topic", topic, "--time", "earliest").out.strip() == f"{topic}:0:12"
    same(rdkafka.read(bootstrap, topic), sent[12:])


def test_java_config_command(
    java_tools: JavaTools, tool: Tool, bootstrap: str, topic: str, settle: Callable[[], None]
) -> None:
    create(tool, topic)
    entity = ["--entity-type", "topics", "--entity-name", topic]
    changes = "retention.ms=5000000,cleanup.policy=[compact,delete]"
    tool("kafka.admin.ConfigCommand", "--alter", *entity, "--add-config", changes)
    settle()
    described = tool("kafka.admin.ConfigCommand", "--describe", *entity).out
    assert "retention.ms=5000000" in described
    assert "cleanup.policy=compact,delete" in described
    assert "DYNAMIC_TOPIC_CONFIG:retention.ms=5000000" in described
    assert "DEFAULT_CONFIG:log.cleanup.policy=delete" in described
    tool("kafka.admin.ConfigCommand", "--alter", *entity, "--delete-config", "retention.ms")
    settle()
    everything = tool("kafka.admin.ConfigCommand", "--describe", "--all", *entity).out
    assert "retention.ms=604800000" in everything
    refused = java_tools.run(
        "kafka.admin.ConfigCommand",
        *["--bootstrap-server", bootstrap, "--alter", *entity, "--add-config", "segment.bytes=-3"],
    )
    assert refused.code != 0
    assert "InvalidConfigurationException" in refused.out + refused.err


def test_java_config_command_changes_brokers(tool: Tool, settle: Callable[[], None]) -> None:
    entity = ["--entity-type", "brokers", "--entity-default"]
    setting = "log.retention.ms=700000000"
    tool("kafka.admin.ConfigCommand", "--alter", *entity, "--add-config", setting)
    settle()
    assert setting in tool("kafka.admin.ConfigCommand", "--describe", *entity).out
    tool("kafka.admin.ConfigCommand", "--alter", *entity, "--delete-config", "log.retention.ms")
    settle()
    assert setting not in tool("kafka.admin.ConfigCommand", "--describe", *entity).out


def test_java_log_dirs(tool: Tool, bootstrap: str, topic: str) -> None:
    create(tool, topic, 2)
    rdkafka.send(rdkafka.producer(bootstrap), topic, samples(20))
    out = tool("LogDirsCommand", "--describe", "--topic-list", topic).out
    (broker,) = json.loads(next(line for line in out.splitlines() if line.startswith("{")))["brokers"]
    (folder,) = broker["logDirs"]
    assert folder["error"] is None
    sizes = {row["partition"]: row["size"] for row in folder["partitions"]}
    assert set(sizes) == {f"{topic}-0", f"{topic}-1"}
    assert sizes[f"{topic}-0"] > 3000
    assert sizes[f"{topic}-1"] == 0


def test_java_describes_producers(tool: Tool, bootstrap: str, topic: str) -> None:
    create(tool, topic)
    writer = rdkafka.producer(bootstrap, enable_idempotence=True)
    rdkafka.send(writer, topic, samples(25))
    out = tool("TransactionsCommand", "describe-producers", "--topic", topic, "--partition", "0").out
    heads, row = (line.split() for line in out.splitlines())
    shown = dict(zip(heads, row, strict=True))
    assert (shown["ProducerEpoch"], shown["LastSequence"]) == ("0", "24")
    assert shown["CurrentTransactionStartOffset"] == "None"


def test_java_sees_the_cluster(java_tools: JavaTools, tool: Tool, bootstrap: str) -> None:
    identity = java_tools.run(TOOLS + "ClusterTool", "cluster-id", "--bootstrap-server", bootstrap).ok()
    assert re.fullmatch(r"Cluster ID: \S+", identity.out.strip())
    versions = tool("BrokerApiVersionsCommand").out
    assert re.search(r"Produce\(0\): 0 to \d+ \[usable: \d+\]", versions)
    assert re.search(r"FindCoordinator\(10\): 0 to \d+", versions)
    assert "UNKNOWN" not in versions
    features = tool("FeatureCommand", "describe").out
    assert re.search(
        r"Feature: metadata\.version\s+SupportedMinVersion: \S+\s+SupportedMaxVersion: \S+", features
    )
