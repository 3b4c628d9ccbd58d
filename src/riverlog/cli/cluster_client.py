"""What the cluster commands ask and order: brokers, the quorum, replicas, reassignments."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from riverlog.base.errors import ErrorCode
from riverlog.cli.errors import UserError
from riverlog.cli.placement_plan import Assignment, TopicPartition
from riverlog.client.errors import ClientError, describe_error
from riverlog.protocol.apis import ApiKey
from riverlog.protocol.generated import alter_partition_reassignments_request as alter
from riverlog.protocol.generated import describe_quorum_request as quorum_request
from riverlog.protocol.generated import elect_leaders_request as elect
from riverlog.protocol.generated import incremental_alter_configs_request as configs
from riverlog.protocol.generated.describe_cluster_request import DescribeClusterRequest
from riverlog.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from riverlog.protocol.generated.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
)
from riverlog.protocol.generated.remove_raft_voter_request import RemoveRaftVoterRequest
from riverlog.protocol.generated.unregister_broker_request import UnregisterBrokerRequest
from riverlog.runtime.client_io import BlockingClient

METADATA_TOPIC = "__cluster_metadata"
PREFERRED = 0
TOPIC, BROKER = 2, 4
"""Whose settings: resource types."""
CORDONED_LOG_DIRS = "cordoned.log.dirs"
_SET, _DELETE = 0, 1
_CORDON_SECONDS_MAX = 10.0

Resource = tuple[int, str]


@dataclass
class BrokerRow:
    """A broker and what it holds."""

    broker_id: int
    address: str
    rack: str | None
    fenced: bool
    cordoned: bool = False
    """Gets no new replicas; see ``add_cordons``."""
    leads: int = 0
    replicas: int = 0
    behind: int = 0
    """Replicas here that are not in sync."""
    bytes: int | None = None
    usable_bytes: int | None = None
    problem: str = ""


@dataclass
class Cluster:
    """One look at the whole cluster."""

    cluster_id: str
    controller_id: int
    epoch: int
    voters: list[int]
    observers: list[int]
    brokers: dict[int, BrokerRow]
    replicas: Assignment
    leaderless: list[TopicPartition] = field(default_factory=list)
    under_replicated: list[TopicPartition] = field(default_factory=list)

    @property
    def usable(self) -> dict[int, str | None]:
        """Brokers that may be given replicas, with their racks."""
        return {row.broker_id: row.rack for row in self.brokers.values() if not row.fenced | row.cordoned}


def look(client: BlockingClient) -> Cluster:
    """Brokers (fenced ones too), quorum, and every partition."""
    answer = client.call(ApiKey.DESCRIBE_CLUSTER, DescribeClusterRequest(include_fenced_brokers=True))
    _check(answer.error_code, answer.error_message)
    brokers = {
        row.broker_id: BrokerRow(row.broker_id, f"{row.host}:{row.port}", row.rack, row.is_fenced)
        for row in sorted(answer.brokers, key=lambda row: row.broker_id)
    }
    leader, epoch, voters, observers = _quorum(client)
    view = client.refresh(None)
    found = Cluster(
        answer.cluster_id,
        leader if leader >= 0 else answer.controller_id,
        epoch,
        list(voters),
        observers,
        brokers,
        {},
    )
    for topic in view.topics.values():
        for partition in topic.partitions:
            key = (topic.name, partition.index)
            found.replicas[key] = list(partition.replicas)
            if partition.leader_id < 0:
                found.leaderless.append(key)
            if len(partition.isr) < len(partition.replicas):
                found.under_replicated.append(key)
            _count(brokers, partition.leader_id, partition.replicas, partition.isr)
    return found


def _count(brokers: dict[int, BrokerRow], leader: int, replicas: list[int], isr: list[int]) -> None:
    if leader in brokers:
        brokers[leader].leads += 1
    for replica in replicas:
        if replica in brokers:
            brokers[replica].replicas += 1
            brokers[replica].behind += replica not in isr


def _quorum(client: BlockingClient) -> tuple[int, int, dict[int, bytes], list[int]]:
    """Leader, epoch, voters with their directory ids, observers; unknown where the broker cannot say, as in
    an election."""
    partition = quorum_request.PartitionData(partition_index=0)
    topic = quorum_request.TopicData(topic_name=METADATA_TOPIC, partitions=[partition])
    try:
        answer = client.call(ApiKey.DESCRIBE_QUORUM, quorum_request.DescribeQuorumRequest(topics=[topic]))
    except ClientError:
        return -1, -1, {}, []
    if answer.error_code or not answer.topics:
        return -1, -1, {}, []
    row = answer.topics[0].partitions[0]
    if row.error_code:
        return -1, -1, {}, []
    ordered = sorted(row.current_voters, key=lambda state: state.replica_id)
    voters = {state.replica_id: state.replica_directory_id for state in ordered}
    return row.leader_id, row.leader_epoch, voters, sorted(state.replica_id for state in row.observers)


def add_sizes(client: BlockingClient, cluster: Cluster) -> None:
    """What each broker's folders hold, asked of each; one that does not answer says so."""
    for row in cluster.brokers.values():
        if row.fenced:
            row.problem = "fenced"
            continue
        try:
            answer = client.call(
                ApiKey.DESCRIBE_LOG_DIRS, DescribeLogDirsRequest(topics=None), node_id=row.broker_id
            )
        except ClientError as problem:
            row.problem = str(problem)
            continue
        good = [result for result in answer.results if not result.error_code]
        row.bytes = sum(
            partition.partition_size
            for result in good
            for topic in result.topics
            for partition in topic.partitions
        )
        if good and all(result.usable_bytes >= 0 for result in good):
            row.usable_bytes = sum(result.usable_bytes for result in good)
        if len(good) < len(answer.results):
            row.problem = f"{len(answer.results) - len(good)} folder(s) offline"


# -- settings, and folders that are closed for new replicas ---------------------------------------


def alter_settings(client: BlockingClient, wanted: Mapping[Resource, Mapping[str, str | None]]) -> None:
    """Set these settings; None goes back to the default. All of them or the first error."""
    resources = [
        configs.AlterConfigsResource(
            resource_type=kind,
            resource_name=name,
            configs=[
                configs.AlterableConfig(
                    name=key, config_operation=_DELETE if value is None else _SET, value=value
                )
                for key, value in settings.items()
            ],
        )
        for (kind, name), settings in wanted.items()
    ]
    request = configs.IncrementalAlterConfigsRequest(resources=resources)
    for answer in client.call(ApiKey.INCREMENTAL_ALTER_CONFIGS, request).responses:
        _check(answer.error_code, answer.error_message)


def add_cordons(client: BlockingClient, cluster: Cluster) -> None:
    """Which live brokers get no new replicas, asked of each; one that does not answer counts as open."""
    for row in cluster.brokers.values():
        if not row.fenced:
            try:
                row.cordoned = is_cordoned(client, row.broker_id)
            except ClientError:
                row.problem = "does not answer"


def is_cordoned(client: BlockingClient, broker_id: int) -> bool:
    """Whether all folders of a broker are closed for new replicas, and the controller knows."""
    request = DescribeLogDirsRequest(topics=[])
    results = client.call(ApiKey.DESCRIBE_LOG_DIRS, request, node_id=broker_id).results
    online = [result.is_cordoned for result in results if not result.error_code]
    return bool(online) and all(online)


def cordon(client: BlockingClient, row: BrokerRow, wanted: bool) -> None:
    """Close a broker for new replicas, or open it; waits until that counts, if the broker is there."""
    alter_settings(client, {(BROKER, str(row.broker_id)): {CORDONED_LOG_DIRS: "*" if wanted else None}})
    deadline = time.monotonic() + _CORDON_SECONDS_MAX
    while not row.fenced and is_cordoned(client, row.broker_id) is not wanted:
        if time.monotonic() >= deadline:
            state = "takes new replicas still" if wanted else f"has {CORDONED_LOG_DIRS} in its file"
            raise UserError(f"broker {row.broker_id} {state} (cordoning needs metadata version 4.3)")
        time.sleep(0.05)
    row.cordoned = wanted


# -- reassignments -------------------------------------------------------------------------------


def reassign(client: BlockingClient, wanted: Mapping[TopicPartition, list[int] | None]) -> None:
    """Begin these reassignments; None cancels one. All or the first error."""
    topics: dict[str, list[alter.ReassignablePartition]] = {}
    for (topic, index), replicas in sorted(wanted.items()):
        row = alter.ReassignablePartition(partition_index=index, replicas=replicas)
        topics.setdefault(topic, []).append(row)
    request = alter.AlterPartitionReassignmentsRequest(
        topics=[alter.ReassignableTopic(name=name, partitions=rows) for name, rows in topics.items()]
    )
    answer = client.call(ApiKey.ALTER_PARTITION_REASSIGNMENTS, request)
    _check(answer.error_code, answer.error_message)
    for response in answer.responses:
        for row in response.partitions:
            if row.error_code:
                reason = describe_error(row.error_code, row.error_message)
                raise UserError(f"partition {response.name}-{row.partition_index}: {reason}")


def ongoing(client: BlockingClient) -> dict[TopicPartition, Any]:
    """Reassignments under way."""
    answer = client.call(ApiKey.LIST_PARTITION_REASSIGNMENTS, ListPartitionReassignmentsRequest(topics=None))
    _check(answer.error_code, answer.error_message)
    return {(topic.name, row.partition_index): row for topic in answer.topics for row in topic.partitions}


def wait_for(
    client: BlockingClient, keys: Iterable[TopicPartition], seconds: float, *, pause: float = 0.2
) -> list[TopicPartition]:
    """Until none of these is under way; answers those that still are when the time is over."""
    wanted = set(keys)
    deadline = time.monotonic() + seconds
    while True:
        left = sorted(wanted & set(ongoing(client)))
        if not left or time.monotonic() >= deadline:
            return left
        time.sleep(pause)


def elect_preferred(client: BlockingClient, keys: Iterable[TopicPartition] | None = None) -> Counter[str]:
    """Give partitions back to their preferred leaders; how many did what."""
    topics: dict[str, list[int]] = {}
    for topic, index in sorted(keys or ()):
        topics.setdefault(topic, []).append(index)
    rows = [elect.TopicPartitions(topic=name, partitions=indexes) for name, indexes in topics.items()]
    request = elect.ElectLeadersRequest(
        election_type=PREFERRED, topic_partitions=rows if keys is not None else None, timeout_ms=30_000
    )
    answer = client.call(ApiKey.ELECT_LEADERS, request)
    _check(answer.error_code, None)
    done: Counter[str] = Counter()
    for topic_row in answer.replica_election_results:
        for row in topic_row.partition_result:
            if row.error_code == 0:
                done["elected"] += 1
            elif row.error_code == ErrorCode.ELECTION_NOT_NEEDED:
                done["not needed"] += 1
            else:
                done[describe_error(row.error_code)] += 1
    return done


def unregister(client: BlockingClient, broker_id: int) -> None:
    answer = client.call(ApiKey.UNREGISTER_BROKER, UnregisterBrokerRequest(broker_id=broker_id))
    if answer.error_code == ErrorCode.BROKER_ID_NOT_REGISTERED:
        raise UserError(f"broker {broker_id} is not registered")
    _check(answer.error_code, answer.error_message)


def remove_voter(client: BlockingClient, cluster_id: str, node_id: int) -> None:
    """Out of the metadata quorum."""
    directory_id = _quorum(client)[2].get(node_id)
    if directory_id is None:
        return
    request = RemoveRaftVoterRequest(cluster_id=cluster_id, voter_id=node_id, voter_directory_id=directory_id)
    answer = client.call(ApiKey.REMOVE_RAFT_VOTER, request)
    _check(answer.error_code, answer.error_message)


def _check(code: int, message: str | None) -> None:
    if code:
        raise UserError(describe_error(code, message))
