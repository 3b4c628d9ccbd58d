"""What must hold of every cluster state, whatever was decided. For tests and the simulator."""

from __future__ import annotations

from riverlog.metadata.image import NO_LEADER, ClusterState, PartitionState
from riverlog.metadata.partition_change import RECOVERED, RECOVERING
from riverlog.metadata.records import supports_elr


def check_state(state: ClusterState) -> list[str]:
    """What is wrong, one line each; nothing if all is well."""
    wrong = [
        f"{topic.name}-{index}: {what} ({_shown(partition)})"
        for topic, index, partition in state.partitions()
        for what in _partition_problems(state, partition)
    ]
    count = sum(len(topic.partitions) for topic in state.topics.values())
    if count != state.partition_count:
        wrong.append(f"{count} partitions, but {state.partition_count} counted")
    owners: dict[bytes, int] = {}
    for broker in state.brokers.values():
        for directory_id in broker.log_dirs:
            other = owners.setdefault(directory_id, broker.broker_id)
            if other != broker.broker_id:
                wrong.append(f"brokers {other} and {broker.broker_id} have the same log directory")
    return wrong


def _shown(partition: PartitionState) -> str:
    return (
        f"replicas {partition.replicas} isr {partition.isr} elr {partition.eligible_leader_replicas} "
        f"leader {partition.leader} adding {partition.adding_replicas} removing {partition.removing_replicas}"
    )


def _partition_problems(state: ClusterState, partition: PartitionState) -> list[str]:
    replicas, isr, elr = partition.replicas, partition.isr, partition.eligible_leader_replicas
    leader = partition.leader
    broker = state.brokers.get(leader)
    checks = {
        "no replicas": not replicas,
        "a member twice": any(len(set(some)) != len(some) for some in (replicas, isr, elr)),
        "in sync but no replica": any(one not in replicas for one in isr),
        "eligible but no replica": any(one not in replicas for one in elr),
        "in sync and eligible": any(one in isr for one in elr),
        "eligible though the feature is off": bool(elr) and not supports_elr(state.features),
        # KAFKA-15353.
        "leader without an ISR": leader != NO_LEADER and not isr,
        "leader outside the ISR": leader != NO_LEADER and bool(isr) and leader not in isr,
        "leader is fenced": leader != NO_LEADER and (broker is None or broker.fenced),
        "a recovering leader with company": (
            partition.leader_recovery_state == RECOVERING and leader != NO_LEADER and len(isr) > 1
        ),
        "unknown recovery state": partition.leader_recovery_state not in (RECOVERED, RECOVERING),
        "adding what is no replica": any(one not in replicas for one in partition.adding_replicas),
        "removing what is no replica": any(one not in replicas for one in partition.removing_replicas),
        "adding and removing the same": any(
            one in partition.removing_replicas for one in partition.adding_replicas
        ),
        "directories do not match": bool(partition.directories)
        and len(partition.directories) != len(replicas),
    }
    return [what for what, is_so in checks.items() if is_so]
