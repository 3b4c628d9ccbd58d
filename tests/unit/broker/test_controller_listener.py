"""What is served on controller listeners, and what brokers pass on to the controller."""

from __future__ import annotations

from typing import Any

import pytest
from broker_world import Client, World

from riverlog.base.errors import ErrorCode
from riverlog.broker.forwarding import address_bytes, address_text, principal
from riverlog.broker.refusals import refusal
from riverlog.protocol.apis import ApiKey, api
from riverlog.protocol.frames import decode_response, encode_request
from riverlog.protocol.generated.alter_configs_request import AlterConfigsRequest, AlterConfigsResource
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from riverlog.protocol.generated.create_topics_request import CreatableTopic, CreateTopicsRequest
from riverlog.protocol.generated.describe_cluster_request import DescribeClusterRequest
from riverlog.protocol.generated.envelope_request import EnvelopeRequest
from riverlog.protocol.generated.metadata_request import MetadataRequest


class ControllerClient(Client):
    """A connection to a controller listener."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.session = world.broker.connected(self, listener="CONTROLLER", peer_host="10.0.0.2")


@pytest.fixture
def world() -> World:
    return World(
        controller_listener_names="CONTROLLER",
        listeners="PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
        listener_security_protocol_map="PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    )


def _apis(client: Client) -> dict[int, tuple[int, int]]:
    request = ApiVersionsRequest(client_software_name="test", client_software_version="1")
    response = client.call(ApiKey.API_VERSIONS, 4, request)
    assert response.error_code == ErrorCode.NONE
    return {row.api_key: (row.min_version, row.max_version) for row in response.api_keys}


def test_each_listener_lists_its_own_apis(world: World) -> None:
    brokers, controllers = _apis(world.client()), _apis(ControllerClient(world))
    for key in brokers:
        assert "broker" in api(key).listeners
    for key in controllers:
        assert "controller" in api(key).listeners
    assert ApiKey.PRODUCE in brokers
    assert ApiKey.PRODUCE not in controllers
    assert ApiKey.VOTE in controllers
    assert ApiKey.VOTE not in brokers
    assert {ApiKey.CREATE_TOPICS, ApiKey.UNREGISTER_BROKER, ApiKey.DESCRIBE_QUORUM} <= brokers.keys()


def test_controller_listener_tells_the_kraft_version(world: World) -> None:
    request = ApiVersionsRequest(client_software_name="test", client_software_version="1")
    response = ControllerClient(world).call(ApiKey.API_VERSIONS, 4, request)
    supported = {row.name: (row.min_version, row.max_version) for row in response.supported_features}
    finalized = {row.name: row.max_version_level for row in response.finalized_features}
    assert supported["kraft.version"] == (0, 1)
    assert finalized["kraft.version"] == 1


def test_an_api_of_the_other_listener_closes_the_connection(world: World) -> None:
    client = ControllerClient(world)
    client.post(ApiKey.METADATA, 12, MetadataRequest(topics=[]))
    assert client.closed is not None
    client = world.client()
    client.post(ApiKey.BROKER_HEARTBEAT, 1, BrokerHeartbeatRequest(broker_id=1, broker_epoch=1))
    assert client.closed is not None


def test_cluster_is_described_by_the_kind_of_listener(world: World) -> None:
    controllers = ControllerClient(world).call(
        ApiKey.DESCRIBE_CLUSTER, 2, DescribeClusterRequest(endpoint_type=2)
    )
    assert [(n.broker_id, n.host, n.port) for n in controllers.brokers] == [(1, "localhost", 9093)]
    assert controllers.controller_id == 1
    assert controllers.endpoint_type == 2
    brokers = world.client().call(ApiKey.DESCRIBE_CLUSTER, 2, DescribeClusterRequest(endpoint_type=1))
    assert [n.port for n in brokers.brokers] == [9092]
    wrong = world.client().call(ApiKey.DESCRIBE_CLUSTER, 2, DescribeClusterRequest(endpoint_type=2))
    assert wrong.error_code == ErrorCode.MISMATCHED_ENDPOINT_TYPE


def _envelope(world: World, key: ApiKey, version: int, request: Any, **changes: Any) -> Any:
    frame = encode_request(key, version, 77, "far client", request)
    wrapped = EnvelopeRequest(
        request_data=frame[4:], request_principal=principal(), client_host_address=address_bytes("10.1.2.3")
    )
    for name, value in changes.items():
        setattr(wrapped, name, value)
    return ControllerClient(world).call(ApiKey.ENVELOPE, 0, wrapped)


def test_a_wrapped_request_is_answered_as_if_the_client_asked(world: World) -> None:
    topic = CreatableTopic(name="far", num_partitions=1, replication_factor=1)
    answer = _envelope(world, ApiKey.CREATE_TOPICS, 7, CreateTopicsRequest(topics=[topic]))
    assert answer.error_code == ErrorCode.NONE
    correlation_id, response = decode_response(ApiKey.CREATE_TOPICS, 7, memoryview(answer.response_data))
    assert correlation_id == 77
    assert response.topics[0].error_code == ErrorCode.NONE
    assert "far" in world.broker.metadata.image.topics


@pytest.mark.parametrize(
    ("key", "version", "changes", "error"),
    [
        (ApiKey.METADATA, 12, {}, ErrorCode.INVALID_REQUEST),
        (ApiKey.METADATA, 12, {"client_host_address": b"abc"}, ErrorCode.INVALID_REQUEST),
        (ApiKey.METADATA, 12, {"request_data": b"\0"}, ErrorCode.INVALID_REQUEST),
    ],
)
def test_what_cannot_be_forwarded_is_refused(
    world: World, key: ApiKey, version: int, changes: dict[str, Any], error: ErrorCode
) -> None:
    answer = _envelope(world, key, version, MetadataRequest(topics=[]), **changes)
    assert answer.error_code == error


def test_a_wrapped_request_that_does_not_decode_is_refused(world: World) -> None:
    frame = encode_request(ApiKey.CREATE_TOPICS, 7, 1, None, CreateTopicsRequest())
    answer = _envelope(world, ApiKey.CREATE_TOPICS, 7, CreateTopicsRequest(), request_data=frame[4:-4])
    assert answer.error_code == ErrorCode.INVALID_REQUEST


def test_principal_is_written_as_kafka_does() -> None:
    # Version 0, then compact strings "User" and "ANONYMOUS", not by token, no tags.
    assert principal() == b"\0\0" + b"\5User" + b"\nANONYMOUS" + b"\0" + b"\0"


@pytest.mark.parametrize("host", ["10.0.0.1", "2001:db8::1"])
def test_addresses_survive_the_envelope(host: str) -> None:
    assert address_text(address_bytes(host)) == host


def test_a_stale_heartbeat_is_refused(world: World) -> None:
    request = BrokerHeartbeatRequest(broker_id=1, broker_epoch=-5)
    answer = ControllerClient(world).call(ApiKey.BROKER_HEARTBEAT, 1, request)
    assert answer.error_code == ErrorCode.STALE_BROKER_EPOCH


def test_refusals_name_every_item() -> None:
    request = AlterConfigsRequest(resources=[AlterConfigsResource(resource_type=2, resource_name="t")])
    answer = refusal(ApiKey.ALTER_CONFIGS, request, ErrorCode.REQUEST_TIMED_OUT, "late")
    assert [(r.resource_name, r.error_code, r.error_message) for r in answer.responses] == [
        ("t", ErrorCode.REQUEST_TIMED_OUT, "late")
    ]
