"""The way back, a stretch: Apache Kafka started on a folder that riverlog wrote.

Nothing promises that this works; the test says how far it gets and fails if it gets less far than before.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from clientkit import folders, rdkafka
from clientkit.paths import say
from clientkit.samples import same, samples
from clientkit.servers import Kafka, Riverlog, ServerFailed

STAGES = [
    "nothing",
    "reads the quorum's voters and leads it",
    "starts",
    "shows the same topics, settings, offsets and records",
    "takes new records",
    "leaves a folder that riverlog opens again",
]
REACHED = STAGES[-1]


def stages(kafka: Kafka, view: dict[str, folders.TopicView]) -> Iterator[str]:
    """Each stage as it is reached."""
    yield "nothing"
    try:
        kafka.start()
    except ServerFailed:
        if "Latest set of voters is" in kafka.said() and "High watermark set to" in kafka.said():
            yield "reads the quorum's voters and leads it"
        return
    yield "starts"
    found = folders.view(kafka.bootstrap)
    for topic in found.values():
        topic.config.pop("ack.after.fsync", None)
    folders.compare(found, view)
    yield "shows the same topics, settings, offsets and records"
    sent = samples(20)
    old = view["codec-lz4"].partitions[0].latest
    rdkafka.send(rdkafka.producer(kafka.bootstrap, enable_idempotence=True), "codec-lz4", sent)
    same(rdkafka.read(kafka.bootstrap, "codec-lz4", offset=old), sent)
    yield "takes new records"
    latest = folders.view(kafka.bootstrap)
    kafka.stop()
    again = Riverlog(kafka.data_dir).start()
    try:
        folders.compare(folders.view(again.bootstrap), latest)
    finally:
        again.kill()
    yield "leaves a folder that riverlog opens again"


@pytest.mark.usefixtures("java_tools")
def test_kafka_opens_our_folder_as_far_as_before(target_name: str, tmp_path: Path) -> None:
    if target_name == "kafka":
        pytest.skip("asks what Apache Kafka makes of riverlog's folder")
    server = Riverlog(tmp_path / "data").start()
    folders.write_plain(server.bootstrap)
    view = folders.view(server.bootstrap)
    server.stop()
    kafka = Kafka(tmp_path / "data")
    reached = "nothing"
    trouble = ""
    try:
        for reached in stages(kafka, view):  # noqa: B007
            pass
    except AssertionError as difference:
        trouble = f"; then: {difference}"
    finally:
        kafka.kill()
    say(f"Apache Kafka on riverlog's folder: {reached}{trouble}")
    assert STAGES.index(reached) >= STAGES.index(REACHED), trouble or kafka.said()[-4000:]
