"""Whatever the bytes are, a decoder answers or raises DecodeError, in bounded time and memory."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import pytest
from protocol_samples import Sampler, messages, module_of

from riverlog.protocol.errors import DecodeError
from riverlog.protocol.generated import (
    api_versions_request,
    fetch_request,
    metadata_request,
    offset_commit_request,
    partition_record,
    produce_request,
)
from riverlog.protocol.primitives import MAX_ELEMENTS, uvarint

NAMES = sorted(messages())


def decodes(module: Any, data: bytes, version: int) -> bool:
    try:
        _, position = module.decode(memoryview(data), 0, version)
    except DecodeError:
        return False
    assert position <= len(data)
    return True


def short_sample(name: str, version: int, limit: int) -> bytes:
    """A valid encoding of at most ``limit`` bytes, so that every position can be tried."""
    message = messages()[name]
    module: Any = module_of(message)
    drawn = (Sampler(message, version, seed).draw() for seed in range(20))
    encoded = [module.encode(one, version) for one in drawn]
    fitting = [one for one in encoded if len(one) <= limit]
    return max(fitting, key=len) if fitting else min(encoded, key=len)


@pytest.mark.parametrize("name", NAMES)
def test_every_truncation_is_noticed(name: str) -> None:
    message = messages()[name]
    module: Any = module_of(message)
    for version in {message.versions.low, message.versions.high}:
        data = short_sample(name, version, 200)
        for length in range(min(len(data), 400)):
            assert not decodes(module, data[:length], version), f"{name} v{version} cut at {length}"


@pytest.mark.parametrize("name", NAMES)
def test_flipped_bits_and_noise_raise_nothing_else(name: str) -> None:
    message = messages()[name]
    module: Any = module_of(message)
    source = random.Random(name)
    for version in message.all_versions():
        data = short_sample(name, version, 150)
        for _ in range(12):
            flipped = bytearray(data)
            for _ in range(source.randint(1, 4)):
                if flipped:
                    flipped[source.randrange(len(flipped))] ^= 1 << source.randrange(8)
            decodes(module, bytes(flipped), version)
        for size in (0, 1, 7, 60):
            decodes(module, source.randbytes(size), version)
        decodes(module, b"\xff" * 60, version)
        decodes(module, b"\x7f" * 60, version)
        decodes(module, bytes(60), version)


@pytest.mark.parametrize("version", [3, 9, 13])
def test_a_huge_count_allocates_nothing(version: int) -> None:
    head = b"\0" if version >= 9 else b"\xff\xff"
    count = uvarint(0xFFFFFFFF) if version >= 9 else b"\x7f\xff\xff\xff"
    data = memoryview(head + bytes(6) + count + bytes(1000))
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError, match="elements"):
            produce_request.decode(data, 0, version)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_a_huge_array_of_numbers_allocates_nothing() -> None:
    record = partition_record.encode(partition_record.PartitionRecord(replicas=[7]), 0)
    start = record.index(b"\x02\x00\x00\x00\x07")
    data = memoryview(record[:start] + uvarint(0x7FFFFFFF) + record[start + 1 :])
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError, match="numbers"):
            partition_record.decode(data, 0, 0)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_elements_of_one_message_are_bounded_in_sum() -> None:
    """Topics of three bytes each: without the bound a 100 MB frame would become gigabytes."""
    topic = b"\x01\x01\x00"
    allowed = 10_000
    head = b"\0" + bytes(6)
    fine = head + uvarint(allowed + 1) + topic * allowed + b"\0"
    assert decodes(produce_request, fine, 9)
    over = MAX_ELEMENTS + 1
    assert not decodes(produce_request, head + uvarint(over + 1) + topic * over + b"\0", 9)


def test_nested_elements_count_too() -> None:
    """Each of two arrays is allowed on its own, both together are not."""
    partition = bytes(4) + b"\x00\x00"
    half = MAX_ELEMENTS // 2 + 1
    topic = b"\x02t" + uvarint(half + 1) + partition * half + b"\0"
    head = b"\0" + bytes(6)
    assert decodes(produce_request, head + uvarint(2) + topic + b"\0", 9)
    assert not decodes(produce_request, head + uvarint(3) + topic * 2 + b"\0", 9)


@pytest.mark.parametrize("length", [b"\xff\xfe", b"\x80\x00"])
def test_a_negative_length_other_than_null_is_refused(length: bytes) -> None:
    assert not decodes(produce_request, length + bytes(20), 3)


def test_null_where_none_is_allowed_is_refused() -> None:
    assert not decodes(offset_commit_request, b"\xff\xff" + bytes(40), 2)
    assert not decodes(offset_commit_request, b"\0" * 40, 8)


@pytest.mark.parametrize(
    "length",
    [
        b"\x80\x80\x80\x80\x80\x00",  # six bytes
        b"\xff\xff\xff\xff\x7f",  # above 32 bits
        b"\x81\x80\x02",  # a string of 32768 bytes
    ],
)
def test_overlong_varints_and_strings_are_refused(length: bytes) -> None:
    assert not decodes(api_versions_request, length + b"a" * 40000 + bytes(10), 3)


def test_invalid_utf8_is_refused() -> None:
    assert decodes(api_versions_request, b"\x03ab\x02c\x00", 3)
    assert not decodes(api_versions_request, b"\x03a\xff\x02c\x00", 3)
    assert not decodes(api_versions_request, b"\x04\xed\xa0\x80\x02c\x00", 3)


class TestTaggedFields:
    head = b"\x02a\x02b"

    def test_unknown_ones_are_skipped(self) -> None:
        data = self.head + b"\x02" + b"\x00\x01x" + b"\x90\x4e\x02yz"
        message, position = api_versions_request.decode(memoryview(data), 0, 3)
        assert position == len(data)
        assert message.client_software_name == "a"

    @pytest.mark.parametrize("tags", [b"\x01\x01x\x00\x01y", b"\x01\x01x\x01\x01y"])
    def test_they_must_ascend(self, tags: bytes) -> None:
        assert not decodes(api_versions_request, self.head + b"\x02" + tags, 3)

    def test_their_size_is_bounded_by_the_frame(self) -> None:
        assert not decodes(api_versions_request, self.head + b"\x01\x05" + uvarint(0x7FFFFFFF) + b"x", 3)

    def test_their_count_is_bounded_by_the_frame(self) -> None:
        assert not decodes(api_versions_request, self.head + uvarint(0xFFFFFFFF) + b"\x00\x00", 3)

    def test_a_known_one_must_have_its_size(self) -> None:
        request = fetch_request.FetchRequest(cluster_id="abc")
        data = fetch_request.encode(request, 12)
        assert data.endswith(b"\x01\x00\x04\x04abc")
        assert decodes(fetch_request, data, 12)
        assert not decodes(fetch_request, data[:-5] + b"\x05\x04abcd", 12)

    def test_a_known_one_is_found_among_unknown_ones(self) -> None:
        plain = fetch_request.encode(fetch_request.FetchRequest(), 12)
        data = plain[:-1] + b"\x03" + b"\x00\x04\x04abc" + b"\x07\x00" + b"\x99\x01\x01z"
        message, _ = fetch_request.decode(memoryview(data), 0, 12)
        assert message.cluster_id == "abc"


def test_what_follows_a_message_is_left_to_the_caller() -> None:
    data = metadata_request.encode(metadata_request.MetadataRequest(), 12)
    message, position = metadata_request.decode(memoryview(data + b"tail"), 0, 12)
    assert position == len(data)
    assert message == metadata_request.MetadataRequest()
