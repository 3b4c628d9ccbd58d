"""Groups outlive the broker: it is killed and started again while members of three clients stay."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from clientkit import builds, crew, java
from clientkit.lines import LineClient
from clientkit.paths import Unavailable
from clientkit.servers import Server
from conftest import QUICK_GROUPS


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky", "consumer"])
def test_a_group_goes_on_after_its_broker_was_killed(
    make_target: Callable[..., Server], tmp_path: Path, assignor: str
) -> None:
    server = make_target(tmp_path / "data", QUICK_GROUPS).start()
    server.keep_port()
    try:
        commands = [java.member_command(server.bootstrap), builds.franz_go_command(server.bootstrap)]
    except Unavailable as missing:
        pytest.skip(str(missing))
    with ExitStack() as stack:
        hosts = [crew.python_host("librdkafka", server.bootstrap), *map(LineClient, commands)]
        for host in hosts:
            stack.callback(host.close)
        group = stack.enter_context(crew.crew(hosts[0], server.bootstrap, "kept", assignor))
        for name, host in zip("abc", hosts, strict=True):
            group.join(name, host=host)
        group.wait_until_each_has(2)
        group.send()
        group.wait_until_read()
        server.kill()
        server.start()
        group.send()
        group.wait_until_read()
        group.wait_until_each_has(2)
        group.leave("a")
        group.wait_until_each_has(3)
        group.send()
        group.wait_until_read()
    server.stop()
