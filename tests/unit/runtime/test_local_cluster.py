"""The plan of a local cluster: ports, settings, folders; formatted once, found again."""

from __future__ import annotations

from pathlib import Path

from riverlog.base.properties import parse_properties
from riverlog.runtime.local_cluster import ClusterPlan, is_formatted
from riverlog.runtime.ports import free_ports


def test_ports_follow_from_the_base_port(tmp_path: Path) -> None:
    plan = ClusterPlan(3, tmp_path, base_port=9092)
    assert [node.broker_port for node in plan.nodes.values()] == [9092, 9093, 9094]
    assert [node.controller_port for node in plan.nodes.values()] == [9192, 9193, 9194]
    assert [node.metrics_port for node in plan.nodes.values()] == [9292, 9293, 9294]
    assert plan.bootstrap == "127.0.0.1:9092,127.0.0.1:9093,127.0.0.1:9094"


def test_without_a_base_port_all_are_free_and_different(tmp_path: Path) -> None:
    plan = ClusterPlan(4, tmp_path)
    ports = [p for n in plan.nodes.values() for p in (n.broker_port, n.controller_port, n.metrics_port)]
    assert len(set(ports)) == 12
    assert len(set(free_ports(20))) == 20


def test_given_settings_win(tmp_path: Path) -> None:
    plan = ClusterPlan(3, tmp_path, base_port=9092, settings={"min.insync.replicas": "1", "x.y": "z"})
    settings = plan.nodes[2].settings
    assert settings["min.insync.replicas"] == "1"
    assert settings["x.y"] == "z"
    assert settings["node.id"] == "2"


def test_copies_fit_the_number_of_nodes(tmp_path: Path) -> None:
    wanted = {1: ("1", "1"), 2: ("2", "1"), 3: ("3", "2"), 5: ("3", "2")}
    for count, (copies, in_sync) in wanted.items():
        settings = ClusterPlan(count, tmp_path / str(count)).nodes[1].settings
        assert (
            settings["default.replication.factor"] == settings["offsets.topic.replication.factor"] == copies
        )
        assert settings["min.insync.replicas"] == in_sync


def test_folders_are_formatted_for_one_cluster_and_only_once(tmp_path: Path) -> None:
    plan = ClusterPlan(3, tmp_path)
    plan.write()
    metas = [(node.data_dir / "meta.properties").read_text() for node in plan.nodes.values()]
    assert all(is_formatted(node.data_dir) for node in plan.nodes.values())
    assert len({parse_properties(meta)["cluster.id"] for meta in metas}) == 1
    assert len({parse_properties(meta)["directory.id"] for meta in metas}) == 3
    again = ClusterPlan(3, tmp_path)
    again.write()
    assert [(node.data_dir / "meta.properties").read_text() for node in again.nodes.values()] == metas


def test_a_cluster_found_again_keeps_its_ports(tmp_path: Path) -> None:
    """They are in the quorum's own list of voters."""
    first = ClusterPlan(3, tmp_path)
    first.write()
    assert ClusterPlan(3, tmp_path).bootstrap == first.bootstrap
    assert ClusterPlan(3, tmp_path).controllers == first.controllers


def test_values_survive_the_properties_file(tmp_path: Path) -> None:
    plan = ClusterPlan(1, tmp_path, settings={"odd": "a\\b=c:d #e"})
    plan.write()
    assert parse_properties(plan.nodes[1].config_file.read_text()) == plan.nodes[1].settings
