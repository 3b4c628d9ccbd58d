"""Table of APIs and record types. Written by `python -m codegen`; do not edit."""

# fmt: off
# ruff: noqa: E501
# Layout is fixed by the generator, so that it does not depend on the version of a formatter.

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple


class ApiKey(IntEnum):
    """Kafka's API keys."""

    PRODUCE = 0
    FETCH = 1
    LIST_OFFSETS = 2
    METADATA = 3
    OFFSET_COMMIT = 8
    OFFSET_FETCH = 9
    FIND_COORDINATOR = 10
    JOIN_GROUP = 11
    HEARTBEAT = 12
    LEAVE_GROUP = 13
    SYNC_GROUP = 14
    DESCRIBE_GROUPS = 15
    LIST_GROUPS = 16
    SASL_HANDSHAKE = 17
    API_VERSIONS = 18
    CREATE_TOPICS = 19
    DELETE_TOPICS = 20
    DELETE_RECORDS = 21
    INIT_PRODUCER_ID = 22
    OFFSET_FOR_LEADER_EPOCH = 23
    ADD_PARTITIONS_TO_TXN = 24
    ADD_OFFSETS_TO_TXN = 25
    END_TXN = 26
    WRITE_TXN_MARKERS = 27
    TXN_OFFSET_COMMIT = 28
    DESCRIBE_ACLS = 29
    CREATE_ACLS = 30
    DELETE_ACLS = 31
    DESCRIBE_CONFIGS = 32
    ALTER_CONFIGS = 33
    ALTER_REPLICA_LOG_DIRS = 34
    DESCRIBE_LOG_DIRS = 35
    SASL_AUTHENTICATE = 36
    CREATE_PARTITIONS = 37
    CREATE_DELEGATION_TOKEN = 38
    RENEW_DELEGATION_TOKEN = 39
    EXPIRE_DELEGATION_TOKEN = 40
    DESCRIBE_DELEGATION_TOKEN = 41
    DELETE_GROUPS = 42
    ELECT_LEADERS = 43
    INCREMENTAL_ALTER_CONFIGS = 44
    ALTER_PARTITION_REASSIGNMENTS = 45
    LIST_PARTITION_REASSIGNMENTS = 46
    OFFSET_DELETE = 47
    DESCRIBE_CLIENT_QUOTAS = 48
    ALTER_CLIENT_QUOTAS = 49
    DESCRIBE_USER_SCRAM_CREDENTIALS = 50
    ALTER_USER_SCRAM_CREDENTIALS = 51
    VOTE = 52
    BEGIN_QUORUM_EPOCH = 53
    END_QUORUM_EPOCH = 54
    DESCRIBE_QUORUM = 55
    ALTER_PARTITION = 56
    UPDATE_FEATURES = 57
    ENVELOPE = 58
    FETCH_SNAPSHOT = 59
    DESCRIBE_CLUSTER = 60
    DESCRIBE_PRODUCERS = 61
    BROKER_REGISTRATION = 62
    BROKER_HEARTBEAT = 63
    UNREGISTER_BROKER = 64
    DESCRIBE_TRANSACTIONS = 65
    LIST_TRANSACTIONS = 66
    ALLOCATE_PRODUCER_IDS = 67
    CONSUMER_GROUP_HEARTBEAT = 68
    CONSUMER_GROUP_DESCRIBE = 69
    CONTROLLER_REGISTRATION = 70
    GET_TELEMETRY_SUBSCRIPTIONS = 71
    PUSH_TELEMETRY = 72
    ASSIGN_REPLICAS_TO_DIRS = 73
    LIST_CONFIG_RESOURCES = 74
    DESCRIBE_TOPIC_PARTITIONS = 75
    SHARE_GROUP_HEARTBEAT = 76
    SHARE_GROUP_DESCRIBE = 77
    SHARE_FETCH = 78
    SHARE_ACKNOWLEDGE = 79
    ADD_RAFT_VOTER = 80
    REMOVE_RAFT_VOTER = 81
    UPDATE_RAFT_VOTER = 82
    INITIALIZE_SHARE_GROUP_STATE = 83
    READ_SHARE_GROUP_STATE = 84
    WRITE_SHARE_GROUP_STATE = 85
    DELETE_SHARE_GROUP_STATE = 86
    READ_SHARE_GROUP_STATE_SUMMARY = 87
    STREAMS_GROUP_HEARTBEAT = 88
    STREAMS_GROUP_DESCRIBE = 89
    DESCRIBE_SHARE_GROUP_OFFSETS = 90
    ALTER_SHARE_GROUP_OFFSETS = 91
    DELETE_SHARE_GROUP_OFFSETS = 92


class ApiRow(NamedTuple):
    """Versions are both included; flexible_from is 32767 where no version is flexible."""

    name: str
    request: str
    response: str
    low: int
    high: int
    request_flexible_from: int
    response_flexible_from: int
    latest_unstable: bool
    listeners: tuple[str, ...]


APIS: Final[dict[int, ApiRow]] = {
    0: ApiRow("Produce", "produce_request", "produce_response", 3, 13, 9, 9, False, ("broker",)),
    1: ApiRow("Fetch", "fetch_request", "fetch_response", 4, 18, 12, 12, False, ("broker", "controller")),
    2: ApiRow("ListOffsets", "list_offsets_request", "list_offsets_response", 1, 11, 6, 6, False, ("broker",)),
    3: ApiRow("Metadata", "metadata_request", "metadata_response", 0, 13, 9, 9, False, ("broker",)),
    8: ApiRow("OffsetCommit", "offset_commit_request", "offset_commit_response", 2, 10, 8, 8, False, ("broker",)),
    9: ApiRow("OffsetFetch", "offset_fetch_request", "offset_fetch_response", 1, 10, 6, 6, False, ("broker",)),
    10: ApiRow("FindCoordinator", "find_coordinator_request", "find_coordinator_response", 0, 6, 3, 3, False, ("broker",)),
    11: ApiRow("JoinGroup", "join_group_request", "join_group_response", 0, 9, 6, 6, False, ("broker",)),
    12: ApiRow("Heartbeat", "heartbeat_request", "heartbeat_response", 0, 4, 4, 4, False, ("broker",)),
    13: ApiRow("LeaveGroup", "leave_group_request", "leave_group_response", 0, 5, 4, 4, False, ("broker",)),
    14: ApiRow("SyncGroup", "sync_group_request", "sync_group_response", 0, 5, 4, 4, False, ("broker",)),
    15: ApiRow("DescribeGroups", "describe_groups_request", "describe_groups_response", 0, 6, 5, 5, False, ("broker",)),
    16: ApiRow("ListGroups", "list_groups_request", "list_groups_response", 0, 5, 3, 3, False, ("broker",)),
    17: ApiRow("SaslHandshake", "sasl_handshake_request", "sasl_handshake_response", 0, 1, 32767, 32767, False, ("broker", "controller")),
    18: ApiRow("ApiVersions", "api_versions_request", "api_versions_response", 0, 4, 3, 3, False, ("broker", "controller")),
    19: ApiRow("CreateTopics", "create_topics_request", "create_topics_response", 2, 7, 5, 5, False, ("broker", "controller")),
    20: ApiRow("DeleteTopics", "delete_topics_request", "delete_topics_response", 1, 6, 4, 4, False, ("broker", "controller")),
    21: ApiRow("DeleteRecords", "delete_records_request", "delete_records_response", 0, 2, 2, 2, False, ("broker",)),
    22: ApiRow("InitProducerId", "init_producer_id_request", "init_producer_id_response", 0, 6, 2, 2, True, ("broker",)),
    23: ApiRow("OffsetForLeaderEpoch", "offset_for_leader_epoch_request", "offset_for_leader_epoch_response", 2, 4, 4, 4, False, ("broker",)),
    24: ApiRow("AddPartitionsToTxn", "add_partitions_to_txn_request", "add_partitions_to_txn_response", 0, 5, 3, 3, False, ("broker",)),
    25: ApiRow("AddOffsetsToTxn", "add_offsets_to_txn_request", "add_offsets_to_txn_response", 0, 4, 3, 3, False, ("broker",)),
    26: ApiRow("EndTxn", "end_txn_request", "end_txn_response", 0, 5, 3, 3, False, ("broker",)),
    27: ApiRow("WriteTxnMarkers", "write_txn_markers_request", "write_txn_markers_response", 1, 2, 1, 1, False, ("broker",)),
    28: ApiRow("TxnOffsetCommit", "txn_offset_commit_request", "txn_offset_commit_response", 0, 5, 3, 3, False, ("broker",)),
    29: ApiRow("DescribeAcls", "describe_acls_request", "describe_acls_response", 1, 3, 2, 2, False, ("broker", "controller")),
    30: ApiRow("CreateAcls", "create_acls_request", "create_acls_response", 1, 3, 2, 2, False, ("broker", "controller")),
    31: ApiRow("DeleteAcls", "delete_acls_request", "delete_acls_response", 1, 3, 2, 2, False, ("broker", "controller")),
    32: ApiRow("DescribeConfigs", "describe_configs_request", "describe_configs_response", 1, 4, 4, 4, False, ("broker", "controller")),
    33: ApiRow("AlterConfigs", "alter_configs_request", "alter_configs_response", 0, 2, 2, 2, False, ("broker", "controller")),
    34: ApiRow("AlterReplicaLogDirs", "alter_replica_log_dirs_request", "alter_replica_log_dirs_response", 1, 2, 2, 2, False, ("broker",)),
    35: ApiRow("DescribeLogDirs", "describe_log_dirs_request", "describe_log_dirs_response", 1, 5, 2, 2, False, ("broker",)),
    36: ApiRow("SaslAuthenticate", "sasl_authenticate_request", "sasl_authenticate_response", 0, 2, 2, 2, False, ("broker", "controller")),
    37: ApiRow("CreatePartitions", "create_partitions_request", "create_partitions_response", 0, 3, 2, 2, False, ("broker", "controller")),
    38: ApiRow("CreateDelegationToken", "create_delegation_token_request", "create_delegation_token_response", 1, 3, 2, 2, False, ("broker", "controller")),
    39: ApiRow("RenewDelegationToken", "renew_delegation_token_request", "renew_delegation_token_response", 1, 2, 2, 2, False, ("broker", "controller")),
    40: ApiRow("ExpireDelegationToken", "expire_delegation_token_request", "expire_delegation_token_response", 1, 2, 2, 2, False, ("broker", "controller")),
    41: ApiRow("DescribeDelegationToken", "describe_delegation_token_request", "describe_delegation_token_response", 1, 3, 2, 2, False, ("broker", "controller")),
    42: ApiRow("DeleteGroups", "delete_groups_request", "delete_groups_response", 0, 2, 2, 2, False, ("broker",)),
    43: ApiRow("ElectLeaders", "elect_leaders_request", "elect_leaders_response", 0, 2, 2, 2, False, ("broker", "controller")),
    44: ApiRow("IncrementalAlterConfigs", "incremental_alter_configs_request", "incremental_alter_configs_response", 0, 1, 1, 1, False, ("broker", "controller")),
    45: ApiRow("AlterPartitionReassignments", "alter_partition_reassignments_request", "alter_partition_reassignments_response", 0, 1, 0, 0, False, ("broker", "controller")),
    46: ApiRow("ListPartitionReassignments", "list_partition_reassignments_request", "list_partition_reassignments_response", 0, 0, 0, 0, False, ("broker", "controller")),
    47: ApiRow("OffsetDelete", "offset_delete_request", "offset_delete_response", 0, 0, 32767, 32767, False, ("broker",)),
    48: ApiRow("DescribeClientQuotas", "describe_client_quotas_request", "describe_client_quotas_response", 0, 1, 1, 1, False, ("broker",)),
    49: ApiRow("AlterClientQuotas", "alter_client_quotas_request", "alter_client_quotas_response", 0, 1, 1, 1, False, ("broker", "controller")),
    50: ApiRow("DescribeUserScramCredentials", "describe_user_scram_credentials_request", "describe_user_scram_credentials_response", 0, 0, 0, 0, False, ("broker", "controller")),
    51: ApiRow("AlterUserScramCredentials", "alter_user_scram_credentials_request", "alter_user_scram_credentials_response", 0, 0, 0, 0, False, ("broker", "controller")),
    52: ApiRow("Vote", "vote_request", "vote_response", 0, 2, 0, 0, False, ("controller",)),
    53: ApiRow("BeginQuorumEpoch", "begin_quorum_epoch_request", "begin_quorum_epoch_response", 0, 1, 1, 1, False, ("controller",)),
    54: ApiRow("EndQuorumEpoch", "end_quorum_epoch_request", "end_quorum_epoch_response", 0, 1, 1, 1, False, ("controller",)),
    55: ApiRow("DescribeQuorum", "describe_quorum_request", "describe_quorum_response", 0, 2, 0, 0, False, ("broker", "controller")),
    56: ApiRow("AlterPartition", "alter_partition_request", "alter_partition_response", 2, 3, 0, 0, False, ("controller",)),
    57: ApiRow("UpdateFeatures", "update_features_request", "update_features_response", 0, 2, 0, 0, False, ("broker", "controller")),
    58: ApiRow("Envelope", "envelope_request", "envelope_response", 0, 0, 0, 0, False, ("controller",)),
    59: ApiRow("FetchSnapshot", "fetch_snapshot_request", "fetch_snapshot_response", 0, 1, 0, 0, False, ("controller",)),
    60: ApiRow("DescribeCluster", "describe_cluster_request", "describe_cluster_response", 0, 2, 0, 0, False, ("broker", "controller")),
    61: ApiRow("DescribeProducers", "describe_producers_request", "describe_producers_response", 0, 0, 0, 0, False, ("broker",)),
    62: ApiRow("BrokerRegistration", "broker_registration_request", "broker_registration_response", 0, 4, 0, 0, False, ("controller",)),
    63: ApiRow("BrokerHeartbeat", "broker_heartbeat_request", "broker_heartbeat_response", 0, 2, 0, 0, False, ("controller",)),
    64: ApiRow("UnregisterBroker", "unregister_broker_request", "unregister_broker_response", 0, 0, 0, 0, False, ("broker", "controller")),
    65: ApiRow("DescribeTransactions", "describe_transactions_request", "describe_transactions_response", 0, 0, 0, 0, False, ("broker",)),
    66: ApiRow("ListTransactions", "list_transactions_request", "list_transactions_response", 0, 2, 0, 0, False, ("broker",)),
    67: ApiRow("AllocateProducerIds", "allocate_producer_ids_request", "allocate_producer_ids_response", 0, 0, 0, 0, False, ("controller",)),
    68: ApiRow("ConsumerGroupHeartbeat", "consumer_group_heartbeat_request", "consumer_group_heartbeat_response", 0, 1, 0, 0, False, ("broker",)),
    69: ApiRow("ConsumerGroupDescribe", "consumer_group_describe_request", "consumer_group_describe_response", 0, 1, 0, 0, False, ("broker",)),
    70: ApiRow("ControllerRegistration", "controller_registration_request", "controller_registration_response", 0, 0, 0, 0, False, ("controller",)),
    71: ApiRow("GetTelemetrySubscriptions", "get_telemetry_subscriptions_request", "get_telemetry_subscriptions_response", 0, 0, 0, 0, False, ("broker",)),
    72: ApiRow("PushTelemetry", "push_telemetry_request", "push_telemetry_response", 0, 0, 0, 0, False, ("broker",)),
    73: ApiRow("AssignReplicasToDirs", "assign_replicas_to_dirs_request", "assign_replicas_to_dirs_response", 0, 0, 0, 0, False, ("controller",)),
    74: ApiRow("ListConfigResources", "list_config_resources_request", "list_config_resources_response", 0, 1, 0, 0, False, ("broker",)),
    75: ApiRow("DescribeTopicPartitions", "describe_topic_partitions_request", "describe_topic_partitions_response", 0, 0, 0, 0, False, ("broker",)),
    76: ApiRow("ShareGroupHeartbeat", "share_group_heartbeat_request", "share_group_heartbeat_response", 1, 1, 0, 0, False, ("broker",)),
    77: ApiRow("ShareGroupDescribe", "share_group_describe_request", "share_group_describe_response", 1, 1, 0, 0, False, ("broker",)),
    78: ApiRow("ShareFetch", "share_fetch_request", "share_fetch_response", 1, 2, 0, 0, False, ("broker",)),
    79: ApiRow("ShareAcknowledge", "share_acknowledge_request", "share_acknowledge_response", 1, 2, 0, 0, False, ("broker",)),
    80: ApiRow("AddRaftVoter", "add_raft_voter_request", "add_raft_voter_response", 0, 1, 0, 0, False, ("controller", "broker")),
    81: ApiRow("RemoveRaftVoter", "remove_raft_voter_request", "remove_raft_voter_response", 0, 0, 0, 0, False, ("controller", "broker")),
    82: ApiRow("UpdateRaftVoter", "update_raft_voter_request", "update_raft_voter_response", 0, 0, 0, 0, False, ("controller",)),
    83: ApiRow("InitializeShareGroupState", "initialize_share_group_state_request", "initialize_share_group_state_response", 0, 0, 0, 0, False, ("broker",)),
    84: ApiRow("ReadShareGroupState", "read_share_group_state_request", "read_share_group_state_response", 0, 0, 0, 0, False, ("broker",)),
    85: ApiRow("WriteShareGroupState", "write_share_group_state_request", "write_share_group_state_response", 0, 1, 0, 0, False, ("broker",)),
    86: ApiRow("DeleteShareGroupState", "delete_share_group_state_request", "delete_share_group_state_response", 0, 0, 0, 0, False, ("broker",)),
    87: ApiRow("ReadShareGroupStateSummary", "read_share_group_state_summary_request", "read_share_group_state_summary_response", 0, 1, 0, 0, False, ("broker",)),
    88: ApiRow("StreamsGroupHeartbeat", "streams_group_heartbeat_request", "streams_group_heartbeat_response", 0, 0, 0, 0, False, ("broker",)),
    89: ApiRow("StreamsGroupDescribe", "streams_group_describe_request", "streams_group_describe_response", 0, 0, 0, 0, False, ("broker",)),
    90: ApiRow("DescribeShareGroupOffsets", "describe_share_group_offsets_request", "describe_share_group_offsets_response", 0, 1, 0, 0, False, ("broker",)),
    91: ApiRow("AlterShareGroupOffsets", "alter_share_group_offsets_request", "alter_share_group_offsets_response", 0, 0, 0, 0, False, ("broker",)),
    92: ApiRow("DeleteShareGroupOffsets", "delete_share_group_offsets_request", "delete_share_group_offsets_response", 0, 0, 0, 0, False, ("broker",)),
}

METADATA_RECORDS: Final[dict[int, str]] = {
    0: "register_broker_record",
    1: "unregister_broker_record",
    2: "topic_record",
    3: "partition_record",
    4: "config_record",
    5: "partition_change_record",
    7: "fence_broker_record",
    8: "unfence_broker_record",
    9: "remove_topic_record",
    10: "delegation_token_record",
    11: "user_scram_credential_record",
    12: "feature_level_record",
    14: "client_quota_record",
    15: "producer_ids_record",
    17: "broker_registration_change_record",
    18: "access_control_entry_record",
    19: "remove_access_control_entry_record",
    20: "no_op_record",
    21: "zk_migration_state_record",
    22: "remove_user_scram_credential_record",
    23: "begin_transaction_record",
    24: "end_transaction_record",
    25: "abort_transaction_record",
    26: "remove_delegation_token_record",
    27: "register_controller_record",
    28: "clear_elr_record",
}

GROUP_RECORDS: Final[dict[int, tuple[str, str]]] = {
    0: ("legacy_offset_commit_key", "legacy_offset_commit_value"),
    1: ("offset_commit_key", "offset_commit_value"),
    2: ("group_metadata_key", "group_metadata_value"),
    3: ("consumer_group_metadata_key", "consumer_group_metadata_value"),
    4: ("consumer_group_partition_metadata_key", "consumer_group_partition_metadata_value"),
    5: ("consumer_group_member_metadata_key", "consumer_group_member_metadata_value"),
    6: ("consumer_group_target_assignment_metadata_key", "consumer_group_target_assignment_metadata_value"),
    7: ("consumer_group_target_assignment_member_key", "consumer_group_target_assignment_member_value"),
    8: ("consumer_group_current_member_assignment_key", "consumer_group_current_member_assignment_value"),
    10: ("share_group_member_metadata_key", "share_group_member_metadata_value"),
    11: ("share_group_metadata_key", "share_group_metadata_value"),
    12: ("share_group_target_assignment_metadata_key", "share_group_target_assignment_metadata_value"),
    13: ("share_group_target_assignment_member_key", "share_group_target_assignment_member_value"),
    14: ("share_group_current_member_assignment_key", "share_group_current_member_assignment_value"),
    15: ("share_group_state_partition_metadata_key", "share_group_state_partition_metadata_value"),
    16: ("consumer_group_regular_expression_key", "consumer_group_regular_expression_value"),
    17: ("streams_group_metadata_key", "streams_group_metadata_value"),
    19: ("streams_group_member_metadata_key", "streams_group_member_metadata_value"),
    20: ("streams_group_target_assignment_metadata_key", "streams_group_target_assignment_metadata_value"),
    21: ("streams_group_target_assignment_member_key", "streams_group_target_assignment_member_value"),
    22: ("streams_group_current_member_assignment_key", "streams_group_current_member_assignment_value"),
    23: ("streams_group_topology_key", "streams_group_topology_value"),
}

TRANSACTION_RECORDS: Final[dict[int, tuple[str, str]]] = {
    0: ("transaction_log_key", "transaction_log_value"),
}

SHARE_RECORDS: Final[dict[int, tuple[str, str]]] = {
    0: ("share_snapshot_key", "share_snapshot_value"),
    1: ("share_update_key", "share_update_value"),
}
