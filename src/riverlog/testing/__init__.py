"""A real broker inside a test, in two lines::

    from riverlog.testing import broker

    def test_orders():
        with broker() as b:
            producer = Producer({"bootstrap.servers": b.bootstrap})

``async with`` works too, and ``riverlog.testing.plugin`` has a pytest fixture ``riverlog_broker``.
"""

from riverlog.testing.in_process import TestBroker, broker

__all__ = ["TestBroker", "broker"]
