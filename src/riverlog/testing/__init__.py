"""A real broker inside a test, in two lines::

    from riverlog.testing import broker

    def test_orders():
        with broker() as b:
            producer = Producer({"bootstrap.servers": b.bootstrap})

or a cluster of three processes, whose nodes can be killed, paused and cut off from each other::

    with cluster(3) as c:
        c.kill(2)
        c.partition({1}, {3})

``async with`` works too, and ``riverlog.testing.plugin`` has the pytest fixtures ``riverlog_broker`` and
``riverlog_cluster``.
"""

from riverlog.testing.cluster import TestCluster, cluster
from riverlog.testing.in_process import TestBroker, broker

__all__ = ["TestBroker", "TestCluster", "broker", "cluster"]
