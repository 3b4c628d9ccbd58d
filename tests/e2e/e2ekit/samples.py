"""One well-formed request of many kinds, to be bent out of shape."""

from __future__ import annotations

from e2ekit.raw import batch, fetch_request, produce_request
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.frames import encode_request
from riverlog.protocol.generated.api_versions_request import ApiVersionsRequest
from riverlog.protocol.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from riverlog.protocol.generated.describe_cluster_request import DescribeClusterRequest
from riverlog.protocol.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from riverlog.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from riverlog.protocol.generated.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from riverlog.protocol.generated.init_producer_id_request import InitProducerIdRequest
from riverlog.protocol.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from riverlog.protocol.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from riverlog.protocol.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)


def sample_requests(topic: str) -> list[bytes]:
    """Whole frames, length first; none of them changes anything lasting but the topic's records."""
    offsets = ListOffsetsRequest(
        replica_id=-1,
        topics=[ListOffsetsTopic(name=topic, partitions=[ListOffsetsPartition(timestamp=-1)])],
    )
    epochs = OffsetForLeaderEpochRequest(
        topics=[OffsetForLeaderTopic(topic=topic, partitions=[OffsetForLeaderPartition(leader_epoch=0)])]
    )
    creation = CreateTopicsRequest(
        topics=[
            CreatableTopic(
                name="maybe",
                num_partitions=1,
                replication_factor=1,
                configs=[CreatableTopicConfig(name="retention.ms", value="1000")],
            )
        ],
        validate_only=True,
    )
    resource = DescribeConfigsResource(resource_type=2, resource_name=topic, configuration_keys=None)
    alteration = IncrementalAlterConfigsRequest(
        resources=[
            AlterConfigsResource(
                resource_type=2,
                resource_name=topic,
                configs=[AlterableConfig(name="retention.ms", config_operation=0, value="100000")],
            )
        ],
        validate_only=True,
    )
    produced = batch([b"some", b"records"])
    messages = [
        (ApiKey.API_VERSIONS, 3, ApiVersionsRequest(client_software_name="e2e", client_software_version="1")),
        (ApiKey.METADATA, 1, MetadataRequest(topics=[MetadataRequestTopic(name=topic)])),
        (ApiKey.METADATA, 9, MetadataRequest(topics=[MetadataRequestTopic(name=topic)])),
        (ApiKey.PRODUCE, 7, produce_request(topic, produced)),
        (ApiKey.PRODUCE, 9, produce_request(topic, produced, acks=1)),
        (ApiKey.FETCH, 4, fetch_request(topic, 0)),
        (ApiKey.FETCH, 12, fetch_request(topic, 0)),
        (ApiKey.LIST_OFFSETS, 6, offsets),
        (ApiKey.OFFSET_FOR_LEADER_EPOCH, 4, epochs),
        (ApiKey.CREATE_TOPICS, 5, creation),
        (ApiKey.DESCRIBE_CONFIGS, 4, DescribeConfigsRequest(resources=[resource])),
        (ApiKey.INCREMENTAL_ALTER_CONFIGS, 1, alteration),
        (ApiKey.DESCRIBE_CLUSTER, 0, DescribeClusterRequest()),
        (ApiKey.FIND_COORDINATOR, 3, FindCoordinatorRequest(key="group")),
        (ApiKey.INIT_PRODUCER_ID, 4, InitProducerIdRequest(transactional_id=None, producer_id=-1)),
    ]
    return [encode_request(key, version, 1, "fuzz", message) for key, version, message in messages]
