"""Servers to test against and foreign tools to test with; nothing here knows riverlog's insides."""
