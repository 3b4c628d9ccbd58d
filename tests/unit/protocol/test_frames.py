"""Headers and whole frames."""

from __future__ import annotations

import random
from typing import Any

import pytest
from protocol_samples import Sampler, messages

from riverlog.base.slices import FileSlice
from riverlog.protocol import apis
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.errors import DecodeError, EncodeError
from riverlog.protocol.frames import (
    decode_request,
    decode_request_header,
    decode_response,
    encode_request,
    encode_response,
)
from riverlog.protocol.generated import (
    api_versions_response,
    fetch_response,
    metadata_request,
    produce_request,
    request_header,
    response_header,
)


def joined(parts: list[Any]) -> bytes:
    return b"".join(part.read() if isinstance(part, FileSlice) else bytes(part) for part in parts)


@pytest.mark.parametrize("key", sorted(ApiKey), ids=lambda key: key.name)
def test_requests_and_responses_of_every_version_round_trip(key: ApiKey) -> None:
    called = api(key)
    low, high = called.versions
    for version in range(low, high + 1):
        sample = Sampler(messages()[called.request.NAME], version, 1).draw()
        frame = encode_request(key, version, 77, "me", sample)
        assert int.from_bytes(frame[:4]) == len(frame) - 4
        header, message = decode_request(memoryview(frame)[4:])
        assert (header.api_key, header.api_version, header.correlation_id) == (key, version, 77)
        assert header.client_id == "me"
        assert message == sample
        sample = Sampler(messages()[called.response.NAME], version, 1).draw()
        reply = joined(encode_response(key, version, -5, sample))
        assert int.from_bytes(reply[:4]) == len(reply) - 4
        assert decode_response(key, version, memoryview(reply)[4:]) == (-5, sample)


@pytest.mark.parametrize("key", sorted(ApiKey), ids=lambda key: key.name)
def test_headers_are_those_of_the_schema(key: ApiKey) -> None:
    """The hand-written header code against the generated one."""
    called = api(key)
    for version in {called.versions[0], called.versions[1]}:
        message = getattr(called.request, called.request.NAME)()
        frame = memoryview(encode_request(key, version, 9, None, message))[4:]
        header, position = decode_request_header(frame)
        wanted = called.request_header_version(version)
        decoded, end = request_header.decode(frame, 0, wanted)
        assert position == end
        assert decoded.client_id is header.client_id is None
        assert (decoded.request_api_key, decoded.request_api_version) == (key, version)
        reply = encode_response(key, version, 9, getattr(called.response, called.response.NAME)())
        body = called.response.encode(getattr(called.response, called.response.NAME)(), version)
        expected = response_header.encode(
            response_header.ResponseHeader(correlation_id=9), called.response_header_version(version)
        )
        assert joined(reply)[4:] == expected + body


def test_an_api_versions_response_always_has_header_0() -> None:
    flexible = api(ApiKey.API_VERSIONS)
    assert [flexible.response_header_version(v) for v in range(5)] == [0] * 5
    assert [flexible.request_header_version(v) for v in range(5)] == [1, 1, 1, 2, 2]
    (reply,) = encode_response(18, 3, 1, api_versions_response.ApiVersionsResponse(error_code=35))
    assert bytes(reply)[4:10] == b"\0\0\0\1\0\x23"


def test_the_header_of_an_unknown_key_is_readable() -> None:
    header, position = decode_request_header(memoryview(b"\x03\xe7\x00\x07\x00\x00\x00\x2a\x00\x02meREST"))
    assert (header.api_key, header.api_version, header.correlation_id) == (999, 7, 42)
    assert header.client_id == "me"
    assert position == 12
    with pytest.raises(DecodeError, match="999"):
        decode_request(memoryview(b"\x03\xe7\x00\x07\x00\x00\x00\x2a\x00\x02me"))


def test_the_header_of_an_unknown_version_is_readable() -> None:
    """KIP-511: an ApiVersions request newer than ours is answered, so its header must be read."""
    frame = b"\x00\x12\x03\xe7\x00\x00\x00\x01\x00\x02me\x00whatever"
    header, position = decode_request_header(memoryview(frame))
    assert (header.api_version, header.correlation_id, position) == (999, 1, 13)


def test_tagged_fields_of_a_header_are_skipped() -> None:
    head = b"\x00\x03\x00\x0c\x00\x00\x00\x01\xff\xff"
    header, position = decode_request_header(memoryview(head + b"\x01\x00\x03abc"))
    assert header.client_id is None
    assert position == len(head) + 6


def test_every_truncation_of_a_header_is_noticed() -> None:
    frame = encode_request(3, 12, 1, "client", metadata_request.MetadataRequest())[4:]
    _, size = decode_request_header(memoryview(frame))
    for length in range(size):
        with pytest.raises(DecodeError):
            decode_request_header(memoryview(frame)[:length])


@pytest.mark.parametrize("size", [b"\xff\xfe", b"\x80\x00", b"\x7f\xff"])
def test_a_client_id_of_nonsense_length_is_refused(size: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_request_header(memoryview(b"\x00\x03\x00\x0c\x00\x00\x00\x01" + size + b"abc"))


def test_noise_raises_nothing_but_decode_errors() -> None:
    source = random.Random(11)
    keys = [*ApiKey, 999, -1]
    for _ in range(4000):
        key = source.choice(keys)
        frame = key.to_bytes(2, signed=True) + b"\0" + source.randbytes(source.randint(0, 60))
        try:
            decode_request(memoryview(frame))
        except DecodeError:
            continue


def test_a_response_of_noise_raises_nothing_but_decode_errors() -> None:
    source = random.Random(12)
    for _ in range(2000):
        called = api(source.choice(list(ApiKey)))
        version = source.randint(*called.versions)
        try:
            decode_response(called.key, version, memoryview(source.randbytes(source.randint(0, 50))))
        except DecodeError:
            continue


class NeverRead:
    def read(self, position: int, length: int) -> bytes:
        raise AssertionError("a slice was read while encoding")


def test_a_response_with_slices_has_the_length_of_all_parts() -> None:
    piece = FileSlice(NeverRead(), 0, 1000)
    response = fetch_response.FetchResponse(
        responses=[
            fetch_response.FetchableTopicResponse(
                topic="t", partitions=[fetch_response.PartitionData(records=piece) for _ in range(3)]
            )
        ]
    )
    parts = encode_response(ApiKey.FETCH, 12, 3, response)
    assert sum(part is piece for part in parts) == 3
    first = parts[0]
    assert isinstance(first, bytes)
    assert int.from_bytes(first[:4]) == sum(map(len, parts)) - 4


def test_a_client_id_that_does_not_fit_is_refused() -> None:
    with pytest.raises(EncodeError):
        encode_request(0, 9, 1, "x" * 32768, produce_request.ProduceRequest())


def test_apis_and_records_are_found_by_key() -> None:
    assert [called.key for called in apis.known()] == sorted(ApiKey)
    assert api(0).name == "Produce"
    assert api(0).request is produce_request
    with pytest.raises(KeyError):
        api(999)
    assert apis.metadata_record(2).NAME == "TopicRecord"
    assert apis.metadata_record(3).NAME == "PartitionRecord"
    key, value = apis.coordinator_records("group", 1)
    assert (key.NAME, value.NAME) == ("OffsetCommitKey", "OffsetCommitValue")
    key, value = apis.coordinator_records("transaction", 0)
    assert (key.NAME, value.NAME) == ("TransactionLogKey", "TransactionLogValue")
    assert {m.key for m in messages().values() if m.kind == "metadata" and m.room == "metadata"} == {
        apis.metadata_record(key).API_KEY for key in range(29) if key in apis.METADATA_RECORDS
    }
