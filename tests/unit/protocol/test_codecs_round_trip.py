"""Round trips of all messages, also of those no other Python codec has, and what encoders refuse."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest
from protocol_samples import Sampler, messages, module_of

from riverlog.base.slices import FileSlice
from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.generated import (
    create_topics_request,
    fetch_request,
    fetch_response,
    metadata_request,
    partition_change_record,
    produce_request,
    topic_record,
)


@pytest.mark.parametrize("name", sorted(messages()))
def test_what_is_encoded_decodes_to_the_same(name: str) -> None:
    message = messages()[name]
    module: Any = module_of(message)
    assert message.name == module.NAME
    assert message.key == module.API_KEY
    assert (message.versions.low, message.versions.high) == module.VERSIONS
    for version in message.all_versions():
        for seed in range(3):
            drawn = Sampler(message, version, seed).draw()
            encoded = module.encode(drawn, version)
            decoded, position = module.decode(memoryview(b"??" + encoded + b"!"), 2, version)
            assert position == len(encoded) + 2
            assert decoded == drawn
            assert module.encode(decoded, version) == encoded


@pytest.mark.parametrize("name", sorted(messages()))
def test_defaults_need_no_field(name: str) -> None:
    message = messages()[name]
    module: Any = module_of(message)
    for version in message.all_versions():
        default = getattr(module, name)()
        encoded = module.encode(default, version)
        assert module.decode(memoryview(encoded), 0, version) == (default, len(encoded))


def test_versions_outside_the_range_are_refused() -> None:
    low, high = fetch_request.VERSIONS
    for version in (low - 1, high + 1, -1):
        with pytest.raises(EncodeError):
            fetch_request.encode(fetch_request.FetchRequest(), version)
        with pytest.raises(DecodeError):
            fetch_request.decode(memoryview(bytes(100)), 0, version)


def test_a_set_field_missing_from_the_version_is_refused_unless_ignorable() -> None:
    partition = fetch_request.FetchPartition(last_fetched_epoch=3)
    topic = fetch_request.FetchTopic(partitions=[partition])
    request = fetch_request.FetchRequest(topics=[topic])
    with pytest.raises(EncodeError, match="last_fetched_epoch"):
        fetch_request.encode(request, 11)
    assert fetch_request.encode(request, 12)
    ignored = fetch_request.FetchRequest(rack_id="a")
    assert fetch_request.encode(ignored, 4) == fetch_request.encode(fetch_request.FetchRequest(), 4)


def test_null_is_refused_where_the_version_has_none() -> None:
    everything = metadata_request.MetadataRequest(topics=None)
    assert metadata_request.encode(everything, 1)
    with pytest.raises(EncodeError, match="topics"):
        metadata_request.encode(everything, 0)


@pytest.mark.parametrize(
    "bad",
    [
        create_topics_request.CreateTopicsRequest(timeout_ms=1 << 31),
        create_topics_request.CreateTopicsRequest(
            topics=[create_topics_request.CreatableTopic(name="x" * 32768)]
        ),
        create_topics_request.CreateTopicsRequest(
            topics=[create_topics_request.CreatableTopic(name="\ud800")]
        ),
        create_topics_request.CreateTopicsRequest(topics=None),  # type: ignore[arg-type]
    ],
)
@pytest.mark.parametrize("version", [4, 7])
def test_values_that_do_not_fit_are_refused(bad: Any, version: int) -> None:
    with pytest.raises(EncodeError):
        create_topics_request.encode(bad, version)


def test_a_uuid_has_sixteen_bytes() -> None:
    with pytest.raises(EncodeError, match="topic_id"):
        topic_record.encode(topic_record.TopicRecord(topic_id=b"short"), 0)
    with pytest.raises(EncodeError):
        partition_change_record.encode(
            partition_change_record.PartitionChangeRecord(directories=[b"short"]), 1
        )


def test_messages_are_dataclasses_with_slots_and_fresh_defaults() -> None:
    one, two = produce_request.ProduceRequest(), produce_request.ProduceRequest()
    assert one == two
    one.topic_data.append(produce_request.TopicProduceData(name="a"))
    assert one != two
    assert two.topic_data == []
    assert dataclasses.is_dataclass(one)
    assert dataclasses.replace(two, acks=1).acks == 1
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.unknown = 1  # type: ignore[attr-defined]
    assert repr(two) == "ProduceRequest(transactional_id=None, acks=0, timeout_ms=0, topic_data=[])"
    assert one.__eq__(3) is NotImplemented


class OneFile:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.reads = 0

    def read(self, position: int, length: int) -> bytes:
        self.reads += 1
        return self.content[position : position + length]


@pytest.mark.parametrize("version", [4, 11, 12, 17])
def test_records_are_passed_on_and_never_read(version: int) -> None:
    file = OneFile(b"0123456789")
    records = [FileSlice(file, 2, 5), b"abc", memoryview(b"defg"), None, b""]
    partitions = [
        fetch_response.PartitionData(partition_index=index, records=part)
        for index, part in enumerate(records)
    ]
    response = fetch_response.FetchResponse(
        responses=[fetch_response.FetchableTopicResponse(partitions=partitions)]
    )
    parts = fetch_response.encode_parts(response, version)
    assert file.reads == 0
    passed = [part for part in parts if any(part is one for one in records[:3])]
    assert passed == records[:3]
    assert fetch_response.encode(response, version) == b"".join(
        part.read() if isinstance(part, FileSlice) else bytes(part) for part in parts
    )
    decoded, _ = fetch_response.decode(memoryview(fetch_response.encode(response, version)), 0, version)
    assert [p.records for p in decoded.responses[0].partitions] == [b"23456", b"abc", b"defg", None, b""]


def test_decoded_records_are_a_view_of_the_frame() -> None:
    request = produce_request.ProduceRequest(
        topic_data=[
            produce_request.TopicProduceData(
                name="t", partition_data=[produce_request.PartitionProduceData(records=b"batch")]
            )
        ]
    )
    frame = bytearray(produce_request.encode(request, 9))
    decoded, _ = produce_request.decode(memoryview(frame), 0, 9)
    view = decoded.topic_data[0].partition_data[0].records
    assert isinstance(view, memoryview)
    frame[frame.index(b"batch")] = ord("B")
    assert view == b"Batch"
