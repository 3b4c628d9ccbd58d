"""kafkajs in groups: it has one assignor (round robin), always rebalances eagerly and has no static
members, so joining, scaling and a crash are what there is to show."""

from __future__ import annotations

import pytest
from clientkit import builds, crew
from clientkit.lines import LineClient
from clientkit.paths import Unavailable


def test_kafkajs_joins_scales_and_survives_a_crash(bootstrap: str, topic: str) -> None:
    try:
        command = builds.kafkajs_command(bootstrap)
    except Unavailable as missing:
        pytest.skip(str(missing))
    host = LineClient(command)
    try:
        crew.join_scale_and_crash(lambda: LineClient(command), host, bootstrap, topic, "roundrobin")
    finally:
        host.close()
